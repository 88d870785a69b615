"""Numbers to codes: which edges a number reaches."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from privboost.compiled import kernel

__all__ = ["encode_numbers", "fill_cells"]

# Rows taken from one column before the next: the lines of memory that all columns share stay in the nearest cache.
_BLOCK = 128


@kernel
def fill_cells(
    edges: npt.NDArray[np.float64],
    n_edges: npt.NDArray[np.int64],
    cells: npt.NDArray[np.uint8],
    scale: npt.NDArray[np.float64],
    step: npt.NDArray[np.int64],
) -> None:
    """Write the tables of `encode_numbers`, of lines that have edges; the others are not touched.

    Parameters
    ----------
    edges, n_edges : as there
    cells, scale, step : as there; overwritten
    """
    n_cells = cells.shape[1]
    for a in range(n_edges.shape[0]):
        n = n_edges[a]
        if n == 0:
            continue
        half = 0.5 * edges[a, 1]
        # Within the tiniest of ranges some cells stay empty: a larger factor would be infinite.
        scale[a] = n_cells / max(0.5 * edges[a, n] - half, 1e-300) if n > 1 else 0.0
        most, alike, cell = 0, 0, 0
        for e in range(1, n + 1):
            place = int(min((0.5 * edges[a, e] - half) * scale[a], n_cells - 1.0))
            alike = alike + 1 if place == cell else 1
            most = max(most, alike)
            # Every cell up to this edge's own has the edges before this one before it.
            cells[a, cell + 1 : place + 1] = e - 1
            cell = place
        cells[a, cell + 1 :] = n
        cells[a, 0] = 0
        step[a] = 1
        while 2 * step[a] <= most:
            step[a] *= 2


@kernel
def encode_numbers(
    values: npt.NDArray[np.float64],
    column: npt.NDArray[np.int64],
    line: npt.NDArray[np.int64],
    edges: npt.NDArray[np.float64],
    n_edges: npt.NDArray[np.int64],
    cells: npt.NDArray[np.uint8],
    scale: npt.NDArray[np.float64],
    step: npt.NDArray[np.int64],
    out: npt.NDArray[np.uint8],
    out_line: npt.NDArray[np.int64],
) -> None:
    """Write ``1 + #{edges <= x}``, and 0 for NaN, for the numbers of some columns.

    A number's place between the first and the last edge tells its cell, the cell how many edges lie in cells before it,
    and the edges inside are searched. That is exact, whatever the roundings: each step from a number to its cell, that
    of an edge too, gives a larger number no smaller cell. So an edge in a cell before a number's is below the number,
    and one in a cell behind it is above.

    The steps are loops of their own over some rows of one column, of which a processor does several at a time.

    Parameters
    ----------
    values : (n_rows, n_columns) of any kind of number; compared as float64
    column, line, out_line : (n,) columns of ``values``, and the lines of the tables and of ``out`` that they belong to
    edges : (n_lines, width) float64: -inf, the rising edges, and NaN up to the end
    n_edges : (n_lines,) 1 to 254 of a line that is used
    cells : (n_lines, n_cells) how many edges lie before each cell
    scale : (n_lines,) cells in a distance of 2
    step : (n_lines,) half the power of two that exceeds the number of edges in any cell
    out : (n_lines, n_rows) uint8
    """
    n_rows, top = values.shape[0], np.float64(cells.shape[1] - 1)
    numbers, cell = np.empty(_BLOCK, np.float64), np.empty(_BLOCK, np.int32)
    before = np.empty(_BLOCK, np.int32)
    for begin in range(0, n_rows, _BLOCK):
        m = min(_BLOCK, n_rows - begin)
        for j in range(column.shape[0]):
            c, a = column[j], line[j]
            own, counts = edges[a], cells[a]
            first, last, factor = own[1], own[n_edges[a]], scale[a]
            half = 0.5 * first
            for i in range(m):
                numbers[i] = values[begin + i, c]
            for i in range(m):
                inside = numbers[i] if numbers[i] > first else first  # NaN is not
                inside = inside if inside < last else last
                place = (0.5 * inside - half) * factor  # halves: the distance of two edges may be beyond float64
                cell[i] = np.int32(place if place < top else top)
            for i in range(m):
                before[i] = counts[np.uint32(cell[i])]
            s = np.int32(step[a])
            while s > 0:
                for i in range(m):
                    before[i] += s if numbers[i] >= own[np.uint32(before[i] + s)] else np.int32(0)
                s >>= np.int32(1)
            codes = out[out_line[j], begin : begin + m]
            for i in range(m):
                codes[i] = np.uint8(before[i] + 1 if numbers[i] == numbers[i] else 0)
