"""The score of every candidate split of every node of a level, on the integer grid.

The score of a split is minus the criterion of its two children, ``-(f(left) + f(right))``, where ``f`` is the
perspective ``w * L(w1 / w)`` of a Bayes risk ``L``. The kinds are those of ``privboost.losses``: 0 zero-one, 1
Matsushita, 2 square, 3 log (base 2), 4 the mixture ``alpha * Matsushita + (1 - alpha) * zero-one``.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from privboost.compiled import kernel

__all__ = ["candidate_sums", "split_scores"]


@kernel
def _criterion(kind: int, alpha: float, w1: float, w0: float) -> float:
    if w1 <= 0.0 or w0 <= 0.0:
        return 0.0
    if kind == 0:
        return 2.0 * min(w1, w0)
    if kind == 1:
        return float(2.0 * np.sqrt(w1 * w0))
    if kind == 2:
        return 4.0 * w1 * w0 / (w1 + w0)
    if kind == 3:
        w = w1 + w0
        return float(-w1 * np.log2(w1 / w) - w0 * np.log2(w0 / w))
    return float(alpha * 2.0 * np.sqrt(w1 * w0) + (1.0 - alpha) * 2.0 * min(w1, w0))


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
    n_cells = sums.shape[1]
    prefix = np.empty((n_cells + 1, 2), np.int64)
    for k in range(sums.shape[0]):
        # prefix[c] sums the cells before c, over all attributes: a range of codes is one subtraction away.
        prefix[0] = 0
        for c in range(n_cells):
            prefix[c + 1, 0] = prefix[c, 0] + sums[k, c, 0]
            prefix[c + 1, 1] = prefix[c, 1] + sums[k, c, 1]
        for j in range(attribute.shape[0]):
            start = offsets[attribute[j]]
            stop = offsets[attribute[j] + 1]
            low = min(start + np.int64(first[j]), stop)
            high = max(low, min(start + np.int64(last[j]) + 1, stop))  # an empty range: "is it missing?"
            for y in range(2):
                right = prefix[high, y] - prefix[low, y]
                if missing_right[j]:
                    right += sums[k, start, y]
                out[k, j, 1, y] = right
                out[k, j, 0, y] = prefix[stop, y] - prefix[start, y] - right


@kernel
def split_scores(children: npt.NDArray[np.int64], kind: int, alpha: float, out: npt.NDArray[np.int64]) -> None:
    """Write the score of every candidate, rounded to the nearest grid unit.

    Parameters
    ----------
    children : (n_nodes, n_candidates, 2, 2) as written by ``candidate_sums``
    kind, alpha : which Bayes risk
    out : (n_nodes, n_candidates) int64, overwritten
    """
    for k in range(children.shape[0]):
        for j in range(children.shape[1]):
            left = _criterion(kind, alpha, float(children[k, j, 0, 1]), float(children[k, j, 0, 0]))
            right = _criterion(kind, alpha, float(children[k, j, 1, 1]), float(children[k, j, 1, 0]))
            out[k, j] = np.int64(np.rint(-(left + right)))
