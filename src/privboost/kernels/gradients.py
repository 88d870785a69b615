"""Gradients of the log loss on the integer grid, and their sums for leaves and tests.

Real numbers are rounded towards zero, so that no gradient is longer than the real one, in any norm.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from privboost.compiled import kernel

__all__ = [
    "gradient_split_scores",
    "gradient_sums",
    "gradient_test_sums",
    "logistic_gradients",
    "softmax_gradients",
]

_BLOCK = 1024
"""Rows whose exponentials are worked out at a time."""

_PER_LN2 = 1.0 / math.log(2.0)
_LN2_HIGH, _LN2_LOW = float.fromhex("0x1.62e42feep-1"), float.fromhex("0x1.a39ef35793c76p-33")
"""The logarithm of 2 as a sum, the first part with so few digits that its product with a whole number is exact."""

_DEGREE = 13
_SERIES = tuple((-1.0) ** n / math.factorial(n) for n in range(_DEGREE + 1))
_SHIFT = 1.5 * 2.0**52
_SHIFT_BITS = np.int64(0x4338000000000000)
_BIAS, _MANTISSA = np.int64(1023), np.int64(52)
"""Of a float64: 2**n has the bits ``(1023 + n) << 52``."""


@kernel
def logistic_gradients(
    score: npt.NDArray[np.float64],
    low: npt.NDArray[np.float64],
    high: npt.NDArray[np.float64],
    target: npt.NDArray[Any],
    units: npt.NDArray[np.int32],
    kappa: float,
    clip: float,
    factors: npt.NDArray[np.float64],
    out: npt.NDArray[np.int32],
) -> None:
    """Write each row's gradient ``t - p``, clipped, and curvature ``p (1 - p)``, p = 1 / (1 + exp(-score)).

    Parameters
    ----------
    score : (1, n_rows) log odds
    low, high : (1,) a score outside counts as the nearer of them
    target : (n_rows,) t, between 0 and 1
    units : (n_rows,) the row's weight: grid units in a gradient of 1
    kappa : factor of the curvature
    clip : largest gradient that counts, up to 1
    factors : (2,) up to 1, of rows whose target is nearer to 0, and of the others
    out : (2, n_rows) int32, overwritten: gradient, curvature
    """
    held, p = np.empty(_BLOCK, np.float64), np.empty(_BLOCK, np.float64)
    for start in range(0, score.shape[1], _BLOCK):
        own_score = score[0, start : start + _BLOCK]
        z = held[: own_score.shape[0]]
        for i in range(z.shape[0]):
            z[i] = min(max(own_score[i], low[0]), high[0])
        _sigmoids(z, p)
        own, weight = target[start : start + _BLOCK], units[start : start + _BLOCK]
        gradient, curvature = out[0, start : start + _BLOCK], out[1, start : start + _BLOCK]
        for i in range(z.shape[0]):
            amount = weight[i] * (factors[1] if own[i] >= 0.5 else factors[0])
            gradient[i] = np.int32(min(max(own[i] - p[i], -clip), clip) * amount)
            curvature[i] = np.int32(p[i] * (1.0 - p[i]) * kappa * amount)


@kernel
def _sigmoids(z: npt.NDArray[np.float64], out: npt.NDArray[np.float64]) -> None:
    """Write ``1 / (1 + exp(-z))`` for at most `_BLOCK` numbers, to about the last digit.

    ``exp(-x) = 2**-k exp(-r)`` with k the whole number next to x / ln 2 and exp(-r) by its series, |r| < 0.35: sums and
    products that a processor does several of at a time, and the same bits on every machine, unlike its own exponential.
    """
    shifted = np.empty(z.shape[0], np.float64)
    bits = shifted.view(np.int64)
    for i in range(z.shape[0]):
        x = min(abs(z[i]), 700.0)
        shifted[i] = x * _PER_LN2 + _SHIFT  # the sum has no digit left behind the point: k, in its last bits
        k = shifted[i] - _SHIFT
        r = (x - k * _LN2_HIGH) - k * _LN2_LOW
        series = _SERIES[_DEGREE]
        for n in range(_DEGREE - 1, -1, -1):
            series = series * r + _SERIES[n]
        out[i] = series
    for i in range(z.shape[0]):
        bits[i] = (_BIAS - (bits[i] - _SHIFT_BITS)) << _MANTISSA  # the exponent field of 2**-k
    for i in range(z.shape[0]):
        e = out[i] * shifted[i]
        out[i] = (1.0 if z[i] >= 0.0 else e) / (1.0 + e)


@kernel
def softmax_gradients(
    score: npt.NDArray[np.float64],
    low: npt.NDArray[np.float64],
    high: npt.NDArray[np.float64],
    target: npt.NDArray[Any],
    units: npt.NDArray[np.int32],
    kappa: float,
    clip: float,
    factors: npt.NDArray[np.float64],
    out: npt.NDArray[np.int32],
) -> None:
    """Write each row's gradients ``[t = k] - p_k`` and its mean curvature ``sum_k p_k (1 - p_k) / n_classes``.

    Where ``1 - p_t`` exceeds ``clip``, all gradients of the row are made shorter by the same factor.

    Parameters
    ----------
    score : (n_classes, n_rows) unnormalised log probabilities
    low, high : (n_classes,) a score outside counts as the nearer of them
    target : (n_rows,) t, the row's class
    units, kappa, clip : as for two classes
    factors : (n_classes,) up to 1, of the rows of each class
    out : (n_classes + 1, n_rows) int32, overwritten: gradients, curvature
    """
    n_classes, n_rows = score.shape
    p = np.empty(n_classes, np.float64)
    for i in range(n_rows):
        top = -np.inf
        for k in range(n_classes):
            p[k] = min(max(score[k, i], low[k]), high[k])
            top = max(top, p[k])
        total = 0.0
        for k in range(n_classes):
            p[k] = np.exp(p[k] - top)
            total += p[k]
        curvature, rest = 0.0, 1.0
        for k in range(n_classes):
            p[k] /= total
            curvature += p[k] * (1.0 - p[k])
            if target[i] == k:
                rest = 1.0 - p[k]
        own = factors[np.int64(target[i])]
        shorter = clip / rest if rest > clip else 1.0
        for k in range(n_classes):
            out[k, i] = np.int32(((1.0 if target[i] == k else 0.0) - p[k]) * shorter * own * units[i])
        out[n_classes, i] = np.int32(curvature / n_classes * kappa * own * units[i])


@kernel
def gradient_sums(leaf: npt.NDArray[np.int32], rows: npt.NDArray[np.int32], out: npt.NDArray[np.int64]) -> None:
    """Add every row's numbers to those of its leaf.

    Parameters
    ----------
    leaf : (n_rows,)
    rows : (n_numbers, n_rows)
    out : (n_leaves, n_numbers) int64, added to
    """
    flat, n_numbers = out.reshape(-1), np.uint64(out.shape[1])
    for k in range(rows.shape[0]):
        for i in range(rows.shape[1]):
            flat[np.uint64(leaf[i]) * n_numbers + np.uint64(k)] += np.int64(rows[k, i])


@kernel
def gradient_test_sums(
    codes: npt.NDArray[np.uint8],
    node: npt.NDArray[np.int32],
    gradients: npt.NDArray[np.int32],
    attribute: npt.NDArray[np.int32],
    first: npt.NDArray[np.uint8],
    last: npt.NDArray[np.uint8],
    missing_right: npt.NDArray[np.bool_],
    right: npt.NDArray[np.int64],
    total: npt.NDArray[np.int64],
    size: npt.NDArray[np.int64],
) -> None:
    """Add every row's gradients to the sums of its node, and of the right side of each of the node's tests.

    Parameters
    ----------
    codes : (n_attributes, n_rows) uint8
    node : (n_rows,) position of each row's node within the level
    gradients : (n_outputs, n_rows) g, in grid units
    attribute, first, last, missing_right : (n_nodes, n_tests) the tests; an attribute of -1 sends all rows left
    right : (n_outputs, n_nodes, n_tests) int64, added to
    total : (n_outputs, n_nodes) int64, added to
    size : (n_nodes,) int64, to which the L1 norms of the gradients are added
    """
    n_tests = attribute.shape[1]
    for o in range(gradients.shape[0]):
        for i in range(node.shape[0]):
            g = gradients[o, i]
            if g == 0:
                continue
            k = node[i]
            size[k] += abs(g)
            total[o, k] += g
            for j in range(n_tests):
                a = attribute[k, j]
                if a < 0:
                    continue
                code = codes[a, i]
                if missing_right[k, j] if code == 0 else first[k, j] <= code <= last[k, j]:
                    right[o, k, j] += g


@kernel
def gradient_split_scores(
    right: npt.NDArray[np.int64],
    total: npt.NDArray[np.int64],
    size: npt.NDArray[np.int64],
    out: npt.NDArray[np.int64],
) -> None:
    """Write the score of every test of every node of a level: ``|G_left| + |G_right| - sum_i |g_i|``, in L1 norm.

    Parameters
    ----------
    right, total, size : as written by ``gradient_test_sums``
    out : (n_nodes, n_tests) int64, overwritten
    """
    for k in range(out.shape[0]):
        for j in range(out.shape[1]):
            score = -size[k]
            for o in range(right.shape[0]):
                score += abs(right[o, k, j]) + abs(total[o, k] - right[o, k, j])
            out[k, j] = score
