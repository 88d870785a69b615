"""Numbers to codes by edges, from any array of numbers, a range of rows at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from privboost.kernels.encode import encode_numbers, fill_cells

__all__ = ["EdgeTables", "digitize"]

# Cells over the range of the edges of an attribute: many, for the sake of edges that are not even.
_CELLS = 4096

# A search that starts before the last edge may look this far behind it.
_WIDTH = 512

_FIRST = np.zeros(1, dtype=np.int64)

# Rows that are converted to float64 at once where their kind of number has no compiled function.
_CHUNK = 4096


class _Tables(NamedTuple):
    """What `encode_numbers` looks up; it says what each is."""

    edges: npt.NDArray[np.float64]
    n_edges: npt.NDArray[np.int64]
    cells: npt.NDArray[np.uint8]
    scale: npt.NDArray[np.float64]
    step: npt.NDArray[np.int64]


class EdgeTables:
    """Edges of several attributes, arranged so that few of them have to be compared.

    Parameters
    ----------
    edges : sequence of ndarray of float64
        Rising, finite, at most 254; none for an attribute that is not numeric.
    """

    def __init__(self, edges: Sequence[npt.NDArray[np.float64]]) -> None:
        self._edges = tuple(edges)
        self._tables: _Tables | None = None  # made when they are first needed

    def __getstate__(self) -> dict[str, Any]:
        return {"_edges": self._edges, "_tables": None}

    def _arranged(self) -> _Tables:
        if self._tables is None:
            n = len(self._edges)
            edges = np.full((n, _WIDTH), np.nan)
            edges[:, 0] = -np.inf
            n_edges = np.array([own.size for own in self._edges], dtype=np.int64)
            cells, scale, step = np.zeros((n, _CELLS), np.uint8), np.zeros(n), np.zeros(n, np.int64)
            for line, own in enumerate(self._edges):
                edges[line, 1 : 1 + own.size] = own
            fill_cells(edges, n_edges, cells, scale, step)
            self._tables = _Tables(edges, n_edges, cells, scale, step)
        return self._tables

    def write_column(self, values: npt.NDArray[Any], line: int, out: npt.NDArray[np.uint8]) -> None:
        """Write the codes of one attribute's numbers, shape (n_rows,), to an array of that shape; see `write`."""
        self._write(values.reshape(-1, 1), _FIRST, np.array([line]), out.reshape(1, -1), _FIRST)

    def write(self, values: npt.NDArray[Any], lines: npt.NDArray[np.int64], out: npt.NDArray[np.uint8]) -> None:
        """Write ``1 + #{edges <= value}`` to `out`, and 0 for NaN.

        Parameters
        ----------
        values : ndarray of numbers or booleans, shape (n_rows, n_attributes)
            Of any layout. Compared as float64, to which no more than some rows are converted at a time.
        lines : ndarray of int64
            The attributes to write; lines of others are not touched.
        out : ndarray of uint8, shape (n_attributes, n_rows)
        """
        self._write(values, lines, lines, out, lines)

    def _write(
        self,
        values: npt.NDArray[Any],
        columns: npt.NDArray[np.int64],
        lines: npt.NDArray[np.int64],
        out: npt.NDArray[np.uint8],
        out_lines: npt.NDArray[np.int64],
    ) -> None:
        dtype, tables = values.dtype, self._arranged()
        if dtype.kind == "b":
            values = values.view(np.uint8)
        elif dtype.itemsize > 8 or dtype == np.float16 or not dtype.isnative:
            # A signalling NaN, or a longdouble beyond float64, must not set off a warning.
            with np.errstate(invalid="ignore", over="ignore"):
                for start in range(0, len(values), _CHUNK):
                    some = slice(start, start + _CHUNK)
                    plain = values[some].astype(np.float64)
                    encode_numbers(plain, columns, lines, *tables, out[:, some], out_lines)
            return
        # One compiled function for arrays that may be written to, and for those that may not.
        values = values.view()
        values.flags.writeable = False
        encode_numbers(values, columns, lines, *tables, out, out_lines)


def digitize(values: npt.NDArray[Any], edges: npt.NDArray[np.float64], out: npt.NDArray[np.uint8]) -> None:
    """Write ``1 + #{edges <= value}`` to `out`, and 0 for NaN.

    Parameters
    ----------
    values : ndarray of numbers or booleans, shape (m,)
    edges : ndarray of float64
        Rising, finite, at most 254.
    out : ndarray of uint8, shape (m,)
        Filled.
    """
    EdgeTables([edges]).write_column(values, 0, out)
