"""Gradients of the log loss on the integer grid, their sums for leaves and tests, and one-way histograms.

Real numbers are rounded towards zero, so that no gradient is longer than the real one, in any norm.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from privboost.compiled import kernel

__all__ = [
    "gradient_split_scores",
    "gradient_sums",
    "histogram_sums",
    "logistic_gradients",
    "softmax_gradients",
]


@kernel
def logistic_gradients(
    score: npt.NDArray[np.float64],
    target: npt.NDArray[np.float64],
    weight: npt.NDArray[np.float64],
    grid: float,
    kappa: float,
    out: npt.NDArray[np.int64],
) -> None:
    """Write each row's gradient ``t - p`` and curvature ``p (1 - p)``, p = 1 / (1 + exp(-score)).

    Parameters
    ----------
    score : (1, n_rows) log odds
    target : (n_rows,) t, between 0 and 1
    weight : (n_rows,) factor of both numbers, between 0 and 1
    grid : grid units in a gradient of 1
    kappa : factor of the curvature
    out : (2, n_rows) int64, overwritten: gradient, curvature
    """
    for i in range(score.shape[1]):
        z = score[0, i]
        e = np.exp(-abs(z))
        p = 1.0 / (1.0 + e) if z >= 0.0 else e / (1.0 + e)
        units = weight[i] * grid
        out[0, i] = np.int64((target[i] - p) * units)
        out[1, i] = np.int64(p * (1.0 - p) * kappa * units)


@kernel
def softmax_gradients(
    score: npt.NDArray[np.float64],
    target: npt.NDArray[np.float64],
    weight: npt.NDArray[np.float64],
    grid: float,
    kappa: float,
    out: npt.NDArray[np.int64],
) -> None:
    """Write each row's gradients ``[t = k] - p_k`` and its mean curvature ``sum_k p_k (1 - p_k) / n_classes``.

    Parameters
    ----------
    score : (n_classes, n_rows) unnormalised log probabilities
    target : (n_rows,) t, the row's class
    weight, grid, kappa : as for two classes
    out : (n_classes + 1, n_rows) int64, overwritten: gradients, curvature
    """
    n_classes, n_rows = score.shape
    p = np.empty(n_classes, np.float64)
    for i in range(n_rows):
        top = score[0, i]
        for k in range(1, n_classes):
            top = max(top, score[k, i])
        total = 0.0
        for k in range(n_classes):
            p[k] = np.exp(score[k, i] - top)
            total += p[k]
        units = weight[i] * grid
        curvature = 0.0
        for k in range(n_classes):
            q = p[k] / total
            curvature += q * (1.0 - q)
            out[k, i] = np.int64(((1.0 if target[i] == k else 0.0) - q) * units)
        out[n_classes, i] = np.int64(curvature / n_classes * kappa * units)


@kernel
def gradient_sums(leaf: npt.NDArray[np.int32], rows: npt.NDArray[np.int64], out: npt.NDArray[np.int64]) -> None:
    """Add every row's numbers to those of its leaf.

    Parameters
    ----------
    leaf : (n_rows,)
    rows : (n_numbers, n_rows)
    out : (n_leaves, n_numbers) int64, overwritten
    """
    out[:] = 0
    for k in range(rows.shape[0]):
        for i in range(rows.shape[1]):
            out[leaf[i], k] += rows[k, i]


@kernel
def histogram_sums(
    codes: npt.NDArray[np.uint8],
    offsets: npt.NDArray[np.int64],
    column: npt.NDArray[np.int16],
    amount: npt.NDArray[np.int64],
    out: npt.NDArray[np.int64],
) -> None:
    """Add every row's amount to one column of the cell of its code, for each attribute.

    Parameters
    ----------
    codes : (n_attributes, n_rows) uint8
    offsets : (n_attributes + 1,) first cell of each attribute
    column, amount : (n_rows,)
    out : (n_cells, n_columns) int64, added to
    """
    for a in range(codes.shape[0]):
        for i in range(codes.shape[1]):
            out[offsets[a] + codes[a, i], column[i]] += amount[i]


@kernel
def gradient_split_scores(
    codes: npt.NDArray[np.uint8],
    node: npt.NDArray[np.int32],
    gradients: npt.NDArray[np.int64],
    attribute: npt.NDArray[np.int32],
    first: npt.NDArray[np.uint8],
    last: npt.NDArray[np.uint8],
    missing_right: npt.NDArray[np.bool_],
    out: npt.NDArray[np.int64],
) -> None:
    """Write the score of every test of every node of a level: ``|G_left| + |G_right| - sum_i |g_i|``, in L1 norm.

    Parameters
    ----------
    codes : (n_attributes, n_rows) uint8
    node : (n_rows,) position of each row's node within the level
    gradients : (n_outputs, n_rows) g, in grid units
    attribute, first, last, missing_right : (n_nodes, n_tests) the tests; an attribute of -1 sends all rows left
    out : (n_nodes, n_tests) int64, overwritten
    """
    n_nodes, n_tests = out.shape
    out[:] = 0
    size = np.zeros(n_nodes, np.int64)
    total = np.empty(n_nodes, np.int64)
    right = np.empty((n_nodes, n_tests), np.int64)
    for o in range(gradients.shape[0]):
        total[:] = 0
        right[:] = 0
        for i in range(node.shape[0]):
            g = gradients[o, i]
            if g == 0:
                continue
            k = node[i]
            size[k] += abs(g)
            total[k] += g
            for j in range(n_tests):
                a = attribute[k, j]
                if a < 0:
                    continue
                code = codes[a, i]
                if missing_right[k, j] if code == 0 else first[k, j] <= code <= last[k, j]:
                    right[k, j] += g
        for k in range(n_nodes):
            for j in range(n_tests):
                out[k, j] += abs(right[k, j]) + abs(total[k] - right[k, j])
    for k in range(n_nodes):
        out[k] -= size[k]
