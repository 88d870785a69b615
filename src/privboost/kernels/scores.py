"""The score of every candidate split of every node of a level, on the integer grid.

The score of a split is minus the criterion of its two children, ``-(f(left) + f(right))``, where ``f`` is the
perspective ``w * L(w1 / w)`` of a Bayes risk ``L``. The kinds are those of ``privboost.losses``: 0 zero-one, 1
Matsushita, 2 square, 3 log (base 2), 4 the mixture ``alpha * Matsushita + (1 - alpha) * zero-one``.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from privboost.compiled import kernel

__all__ = ["candidate_ranges", "candidate_sums", "range_sums", "split_scores"]


@kernel
def _criterion(kind: int, w1: float, w0: float) -> float:
    if w1 <= 0.0 or w0 <= 0.0:
        return 0.0
    if kind == 0:
        return 2.0 * min(w1, w0)
    if kind == 1:
        return float(2.0 * np.sqrt(w1 * w0))
    if kind == 2:
        return 4.0 * w1 * w0 / (w1 + w0)
    w = w1 + w0
    return float(-w1 * np.log2(w1 / w) - w0 * np.log2(w0 / w))


@kernel
def candidate_sums(
    sums: npt.NDArray[np.int64],
    offsets: npt.NDArray[np.int64],
    attribute: npt.NDArray[np.int32],
    first: npt.NDArray[np.uint8],
    last: npt.NDArray[np.uint8],
    missing_right: npt.NDArray[np.bool_],
    out: npt.NDArray[np.int64],
) -> None:
    """Write the class sums of both children of every candidate.

    Parameters
    ----------
    sums : (n_nodes, n_cells, 2) as written by ``level_sums``
    offsets : (n_attributes + 1,) first cell of each attribute; its cell 0 holds the missing values
    attribute, first, last, missing_right : (n_candidates,) the tests
    out : (n_nodes, n_candidates, 2, 2) overwritten; axis 2 is (left, right), axis 3 is (class 0, class 1)
    """
    ranges = np.empty((4, attribute.shape[0]), np.int64)
    candidate_ranges(offsets, attribute, first, last, ranges)
    range_sums(sums, ranges, missing_right, out)


@kernel
def candidate_ranges(
    offsets: npt.NDArray[np.int64],
    attribute: npt.NDArray[np.int32],
    first: npt.NDArray[np.uint8],
    last: npt.NDArray[np.uint8],
    out: npt.NDArray[np.int64],
) -> None:
    """Write the cells that each candidate is about, for `range_sums`.

    Parameters
    ----------
    offsets, attribute, first, last : as for `candidate_sums`
    out : (4, n_candidates) overwritten: the first cell that goes right, the one after the last; the same of all cells
        of the attribute
    """
    for j in range(attribute.shape[0]):
        begin, end = offsets[attribute[j]], offsets[attribute[j] + 1]
        low = min(begin + np.int64(first[j]), end)
        out[0, j] = low
        out[1, j] = max(low, min(begin + np.int64(last[j]) + 1, end))  # an empty range: "is it missing?"
        out[2, j], out[3, j] = begin, end


@kernel
def range_sums(
    sums: npt.NDArray[np.int64],
    ranges: npt.NDArray[np.int64],
    missing_right: npt.NDArray[np.bool_],
    out: npt.NDArray[np.int64],
) -> None:
    """Write the class sums of both children of every candidate, whose cells are known.

    Parameters
    ----------
    sums, missing_right, out : as for `candidate_sums`
    ranges : (4, n_candidates) of `candidate_ranges`
    """
    n_cells = sums.shape[1]
    low, high, start, stop = ranges[0], ranges[1], ranges[2], ranges[3]
    # zeros[c] and ones[c] sum the cells before c, over all attributes: a range of codes is one subtraction away.
    zeros, ones = np.zeros(n_cells + 1, np.int64), np.zeros(n_cells + 1, np.int64)
    for k in range(sums.shape[0]):
        own = sums[k]
        for c in range(n_cells):
            zeros[c + 1] = zeros[c] + own[c, 0]
            ones[c + 1] = ones[c] + own[c, 1]
        flat = out[k].reshape(-1)
        for j in range(missing_right.shape[0]):
            # Indices are unsigned, or each would be tested for its sign.
            a, b, begin, end = np.uint64(low[j]), np.uint64(high[j]), np.uint64(start[j]), np.uint64(stop[j])
            right_0, right_1 = zeros[b] - zeros[a], ones[b] - ones[a]
            if missing_right[j]:
                right_0 += own[begin, 0]
                right_1 += own[begin, 1]
            flat[4 * j] = zeros[end] - zeros[begin] - right_0
            flat[4 * j + 1] = ones[end] - ones[begin] - right_1
            flat[4 * j + 2] = right_0
            flat[4 * j + 3] = right_1


@kernel
def split_scores(children: npt.NDArray[np.int64], kind: int, alpha: float, out: npt.NDArray[np.int64]) -> None:
    """Write the score of every candidate, rounded to the nearest grid unit.

    Parameters
    ----------
    children : (n_nodes, n_candidates, 2, 2) as written by ``candidate_sums``
    kind, alpha : which Bayes risk
    out : (n_nodes, n_candidates) int64, overwritten
    """
    n_tests = children.shape[1]
    risk = np.empty(2 * n_tests, np.float64)
    for k in range(children.shape[0]):
        weights = children[k].reshape(-1)
        if kind == 4:
            _mixture(weights, alpha, risk)
        else:
            for i in range(2 * n_tests):
                risk[i] = _criterion(kind, float(weights[2 * i + 1]), float(weights[2 * i]))
        for j in range(n_tests):
            out[k, j] = np.int64(np.rint(-(risk[2 * j] + risk[2 * j + 1])))


@kernel
def _mixture(weights: npt.NDArray[np.int64], alpha: float, out: npt.NDArray[np.float64]) -> None:
    """Write ``alpha * 2 sqrt(w0 w1) + (1 - alpha) * 2 min(w0, w1)`` of every pair, four of them an instruction."""
    rest = 1.0 - alpha
    for i in range(out.shape[0]):
        w0, w1 = float(weights[2 * i]), float(weights[2 * i + 1])
        w0 = w0 if w0 > 0.0 else 0.0
        w1 = w1 if w1 > 0.0 else 0.0
        least = w0 if w0 < w1 else w1
        out[i] = alpha * 2.0 * np.sqrt(w1 * w0) + rest * 2.0 * least
