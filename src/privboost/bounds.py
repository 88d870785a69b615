"""Bounds that noise-free runs obey: one split, one tree, one round, one selection, one sequence of α.

`privboost.theory` offers them next to the sensitivities; the conventions are stated there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privboost.errors import ParameterError, ParameterTypeError
from privboost.losses import Loss, MatsushitaLoss, get_loss

__all__ = [
    "MAX_ROWS",
    "KMonotonicity",
    "SplitLemma",
    "combination_decrease",
    "combination_rounds",
    "combination_weight",
    "integer_in",
    "k_monotonicity",
    "number_in",
    "selection_confidence",
    "split_contraction",
    "split_lemma",
    "step_decrease",
    "tree_error_bound",
]

MAX_ROWS = 2**53


@dataclass(frozen=True)
class SplitLemma:
    """One split under the Matsushita criterion, and the bound that its strength implies.

    Attributes
    ----------
    parent, children : float
        Criterion of the node, and its sum over the children.
    coefficient : float
        Bhattacharyya coefficient of the two classes' distributions over the children, in [0, 1];
        ``children = parent * coefficient``.
    total_variation : float
        Their total variation distance γ in [0, 1]: the edge of the split on class-balanced weights.
    bound : float
        ``parent * √(1 - γ²)``, never below ``children``.
    """

    parent: float
    children: float
    coefficient: float
    total_variation: float
    bound: float

    @property
    def holds(self) -> bool:
        """Whether ``children <= bound``, up to rounding."""
        return self.children <= self.bound * (1.0 + 1e-12) + 1e-12 * self.parent


def split_lemma(w1: Sequence[float] | NDArray[Any], w0: Sequence[float] | NDArray[Any]) -> SplitLemma:
    """Compare a split's Matsushita criterion with the bound from the weak learning assumption.

    ``Σ f(children) = f(parent) BC``, and ``BC <= √(1 - γ²)``: the step of the proof of Kearns & Mansour 1996 that gives
    a tree its boosting rate.

    Parameters
    ----------
    w1, w0 : array of shape (n_children,)
        Weight of class +1 and of class -1 in each child, finite and not negative.

    Returns
    -------
    SplitLemma
        For a pure node, coefficient 1 and total variation 0.
    """
    positive, negative = np.asarray(w1, dtype=np.float64), np.asarray(w0, dtype=np.float64)
    if positive.ndim != 1 or positive.shape != negative.shape:
        raise ParameterError("w1", positive.shape, "a vector of the shape of w0", "Give one entry a child.")
    if not all(np.all((v >= 0.0) & (v <= 1e150)) for v in (positive, negative)):
        raise ParameterError("w1", "weights outside it", "in [0, 1e150], as must w0")
    mat = MatsushitaLoss()
    all1, all0 = float(positive.sum()), float(negative.sum())
    parent = mat.criterion(all1, all1 + all0)
    children = float(np.sum(mat.criterion(positive, positive + negative)))
    if parent == 0.0:
        return SplitLemma(parent, children, 1.0, 0.0, parent)
    coefficient = min(1.0, float(np.sum(np.sqrt(positive / all1) * np.sqrt(negative / all0))))
    distance = min(1.0, 0.5 * float(np.sum(np.abs(positive / all1 - negative / all0))))
    return SplitLemma(parent, children, coefficient, distance, parent * math.sqrt((1.0 - distance) * (1.0 + distance)))


def split_contraction(loss: Loss | str, gamma: float, p: float) -> float:
    """Return the factor by which every two-way split of strength γ shrinks the criterion of a node, at worst.

    The largest ``Σ f(children) / f(parent)`` over the splits whose two class-conditional laws are γ apart in total
    variation, at a node with a share p of class +1. For Matsushita it is ``√(1 - γ²)`` whatever p; for 0/1 it is 1
    unless p is near 1/2: no progress is guaranteed. The definition, and its use as boosting rate, are ours.

    Parameters
    ----------
    loss : Loss or str
    gamma : float
        In [0, 1].
    p : float
        In (0, 1).

    Returns
    -------
    float
        In [0, 1], found by a search on a concave function of one variable.
    """
    known = get_loss(loss)
    strength = number_in("gamma", gamma, 0.0, 1.0)
    share = number_in("p", p, 0.0, 1.0, open_ends=True)
    low, high, best = strength, 1.0, 0.0
    for _ in range(7):
        # a, b: chance of going left given class +1, -1; concave in a, so the maximum is next to the best grid point.
        a = np.linspace(low, high, 65)
        b = np.clip(a - strength, 0.0, 1.0)
        left, right = (share * a, (1.0 - share) * b), (share * (1.0 - a), (1.0 - share) * (1.0 - b))
        value = known.criterion(left[0], left[0] + left[1]) + known.criterion(right[0], right[0] + right[1])
        at = int(np.argmax(value))
        best = max(best, float(value[at]))
        low, high = float(a[max(at - 1, 0)]), float(a[min(at + 1, 64)])
    return min(1.0, best / known.bayes_risk(share))


def tree_error_bound(depth: int, gamma: float) -> float:
    """Return the largest training error of a tree whose nodes are all split with strength at least γ down to a depth.

    ``½ (1 - γ²)^{d/2}``: the Matsushita criterion shrinks by ``√(1 - γ²)`` a level (`split_lemma`), starts at 1 at most
    and is at least twice the error. Pure nodes need no split.

    Parameters
    ----------
    depth : int
        d >= 0.
    gamma : float
        In [0, 1]: smallest total variation distance between the classes over a split's children.
    """
    levels, strength = integer_in("depth", depth, 0, MAX_ROWS), number_in("gamma", gamma, 0.0, 1.0)
    return 0.5 * math.pow((1.0 - strength) * (1.0 + strength), levels / 2.0)


def step_decrease(beta: float, mean_weight: float, edge: float, leaf_bound: float, curvature: float) -> float:
    """Return by how much the mean surrogate falls, at least, when ``β h`` is added to a classifier.

    ``β w̃ η - β² M² κ / 2``: second-order Taylor bound of ``(1/m) Σ φ(y_i H(x_i))`` with ``φ'' <= κ``, ``|h| <= M``. It
    holds for every β, also one computed from noisy numbers; it may be negative.

    Parameters
    ----------
    beta : float
        Leverage β.
    mean_weight : float
        ``w̃ = Σ w_i / m`` in [0, 1], with ``w_i = ψ⁻¹(-y_i H(x_i))``.
    edge : float
        ``η = Σ w_i y_i h(x_i) / Σ w_i`` in [-M, M].
    leaf_bound : float
        M > 0, bound of ``|h|``.
    curvature : float
        κ >= 0, `privboost.losses.Loss.curvature_bound`.
    """
    step = number_in("beta", beta, -math.inf, math.inf, open_ends=True)
    mean, clip, value = _round_numbers(mean_weight, edge, leaf_bound)
    bend = number_in("curvature", curvature, 0.0, math.inf)
    return step * mean * value - (step * clip) ** 2 * bend / 2.0 if step else 0.0


def combination_decrease(
    alpha: float, mean_weight: float, edge: float, leaf_bound: float, deviation: float = 0.0
) -> float:
    """Return by how much a noise-free round of Mα boosting lowers the mean surrogate, at least.

    ``(α/M²) w̃² η² ((1+s) - (1+s)²/8)`` for ``β = a w̃ η``, ``a = (α/M²)(1+s)``: `step_decrease` with ``κ = 1/(4α)``. For
    another loss of finite curvature κ, use ``α = 1/(4κ)``.

    Parameters
    ----------
    alpha : float
        α in (0, 1]; above 1 for a loss flatter than Matsushita's.
    mean_weight, edge, leaf_bound : float
        w̃, η and M, as in `step_decrease`.
    deviation : float, default=0.0
        s in (-1, 1): where in ``(α/M²) [1-π, 1+π]`` the constant a lies.
    """
    rate = number_in("alpha", alpha, 0.0, math.inf, open_ends=True)
    mean, clip, value = _round_numbers(mean_weight, edge, leaf_bound)
    factor = 1.0 + number_in("deviation", deviation, -1.0, 1.0, open_ends=True)
    return rate * (mean * (value / clip)) ** 2 * (factor - factor * factor / 8.0)


def combination_weight(target_error: float, alpha: float, gamma: float, freedom: float = 0.0) -> float:
    """Return the sum of ``w̃_t²`` over rounds that is enough for a training error of at most ``target_error``.

    ``(1 - ξ) / (αγ² ((1-π) - (1-π)²/8))``, which is ``8 (1 - ξ) / (7 α γ²)`` for π = 0: the mean surrogate starts at 1,
    falls as `combination_decrease` says when ``|η_t| >= γM``, and bounds the 0/1 error from above. The constant is
    ours; the paper's Theorem 12 has the same form.

    Parameters
    ----------
    target_error : float
        ξ in [0, 1].
    alpha : float
        α > 0.
    gamma : float
        γ in (0, 1].
    freedom : float, default=0.0
        π in [0, 1).
    """
    error = number_in("target_error", target_error, 0.0, 1.0)
    rate = number_in("alpha", alpha, 0.0, math.inf, open_ends=True)
    strength = number_in("gamma", gamma, 0.0, 1.0, open_low=True)
    least = 1.0 - number_in("freedom", freedom, 0.0, 1.0, open_high=True)
    return (1.0 - error) / (rate * strength**2 * (least - least * least / 8.0))


def combination_rounds(
    target_error: float, alpha: float, gamma: float, freedom: float = 0.0, mean_weight: float | None = None
) -> int:
    """Return a number of rounds that is enough for a training error of at most ``target_error``.

    ``⌈combination_weight / w̃²⌉``, where w̃ is a lower bound of the mean weight of every round. Unless given it is ξ/2:
    while the error exceeds ξ, more than a share ξ of the rows is misclassified, and each of those weighs 1/2 or more.
    That bound is ours and pessimistic.

    Parameters
    ----------
    target_error : float
        ξ in (0, 1].
    alpha, gamma, freedom : float
        As in `combination_weight`.
    mean_weight : float or None, default=None
        Lower bound of w̃, in (0, 1].
    """
    error = number_in("target_error", target_error, 0.0, 1.0, open_low=True)
    mean = error / 2.0 if mean_weight is None else number_in("mean_weight", mean_weight, 0.0, 1.0, open_low=True)
    return math.ceil(combination_weight(error, alpha, gamma, freedom) / mean**2)


def selection_confidence(
    n_lazy: int, n_good: int, gap: float, epsilon: float, sensitivity: float, monotone: bool = False
) -> float:
    """Return the probability, at least, that private selection takes one of the good splits.

    ``1 / (1 + x)`` with ``x = (k_lazy / k_good) exp(-ε gap / (2Δ))`` for the exponential mechanism (McSherry & Talwar
    2007); exactly attained when all lazy splits score alike and all good ones too. It implies the usual
    ``Pr[lazy] <= x``. Under the add/remove relation the scores are monotone and 2Δ becomes Δ.

    Parameters
    ----------
    n_lazy : int
        Candidates whose score is at most ``s_lazy``; >= 0.
    n_good : int
        Candidates whose score is at least ``s_good``; >= 1. There are no others.
    gap : float
        ``s_good - s_lazy >= 0``.
    epsilon : float
        Budget of this one selection, above 0.
    sensitivity : float
        Δ >= 0.
    monotone : bool, default=False
        Whether one row moves all scores the same way.
    """
    lazy, good = integer_in("n_lazy", n_lazy, 0, MAX_ROWS), integer_in("n_good", n_good, 1, MAX_ROWS)
    margin, budget = number_in("gap", gap, 0.0, math.inf), number_in("epsilon", epsilon, 0.0, math.inf, open_low=True)
    delta = number_in("sensitivity", sensitivity, 0.0, math.inf, open_high=True)
    if lazy == 0:
        return 1.0
    units = (margin / delta if delta > 0.0 else math.inf) if margin > 0.0 else 0.0
    gain = units * budget * (1.0 if monotone else 0.5) if units > 0.0 else 0.0
    log_odds = gain - math.log(lazy) + math.log(good)
    odds = math.exp(-abs(log_odds))
    return (1.0 if log_odds > 0.0 else odds) / (1.0 + odds)


@dataclass(frozen=True)
class KMonotonicity:
    """Whether a sequence of α grew no faster than the tree's boosting guarantee allows.

    Attributes
    ----------
    constant : float
        ``K = γ²/16``.
    limits : tuple of float
        For each α but the first, the largest value it could take.
    first_violation : int or None
        Index, from 0, of the first α above its limit.
    smallest_constant : float
        Smallest K for which the sequence would pass; inf if α rises from 0.
    """

    constant: float
    limits: tuple[float, ...]
    first_violation: int | None
    smallest_constant: float

    @property
    def holds(self) -> bool:
        """Whether the sequence is K-monotonic."""
        return self.first_violation is None


def k_monotonicity(
    alphas: Sequence[float] | NDArray[Any], normalized_weights: Sequence[float] | NDArray[Any], gamma: float
) -> KMonotonicity:
    """Check ``α_ℓ <= α_{ℓ-1} exp(K w̃_ℓ (1 - α_{ℓ-1}))``, ``K = γ²/16``, on a recorded sequence.

    Parameters
    ----------
    alphas : array of shape (n,)
        α of each split in the order of growth, in [0, 1].
    normalized_weights : array of shape (n,)
        ``w̃_ℓ`` in [0, 1]: share of the weight that reached the leaf then split. The first is not used.
    gamma : float
        In [0, 1].

    Returns
    -------
    KMonotonicity
        A constant or falling sequence always passes. An excess of up to 1e-12 counts as rounding.

    Notes
    -----
    The paper's text asks for the inequality from ℓ > 2 on; checking it from the second α on is our stricter reading.
    """
    values, shares = np.asarray(alphas, dtype=np.float64), np.asarray(normalized_weights, dtype=np.float64)
    if values.ndim != 1 or values.shape != shares.shape:
        raise ParameterError("normalized_weights", shares.shape, f"a vector of the shape of alphas, {values.shape}")
    for name, each in (("alphas", values), ("normalized_weights", shares)):
        if not np.all((each >= 0.0) & (each <= 1.0)):
            raise ParameterError(name, "values outside it", "in [0, 1]")
    constant = number_in("gamma", gamma, 0.0, 1.0) ** 2 / 16.0
    before, after, rate = values[:-1], values[1:], shares[1:] * (1.0 - values[:-1])
    limits = before * np.exp(constant * rate)
    broken = np.flatnonzero(after > limits * (1.0 + 1e-12))
    needed = 0.0
    for old, new, room in zip(before.tolist(), after.tolist(), rate.tolist(), strict=True):
        if new > old:
            needed = max(needed, math.log(new / old) / room if old > 0.0 and room > 0.0 else math.inf)
    first = int(broken[0]) + 1 if broken.size else None
    return KMonotonicity(constant, tuple(float(limit) for limit in limits), first, needed)


def _round_numbers(mean_weight: float, edge: float, leaf_bound: float) -> tuple[float, float, float]:
    """Check w̃, M and η of one round."""
    mean = number_in("mean_weight", mean_weight, 0.0, 1.0)
    clip = number_in("leaf_bound", leaf_bound, 0.0, math.inf, open_ends=True)
    # An edge that is M in exact arithmetic may be an ulp above it.
    return mean, clip, number_in("edge", edge, -clip * (1.0 + 1e-9), clip * (1.0 + 1e-9))


def integer_in(name: str, value: object, low: int, high: int) -> int:
    """Return a checked integer parameter."""
    expected = f"an integer in [{low}, {high}]"
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise ParameterTypeError(name, value, expected)
    if not low <= value <= high:
        raise ParameterError(name, value, expected)
    return int(value)


def number_in(
    name: str,
    value: object,
    low: float,
    high: float,
    *,
    open_low: bool = False,
    open_high: bool = False,
    open_ends: bool = False,
) -> float:
    """Return a checked real parameter in an interval, closed unless said otherwise."""
    open_low, open_high = open_low or open_ends, open_high or open_ends
    expected = f"a number in {'(' if open_low else '['}{low:g}, {high:g}{')' if open_high else ']'}"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise ParameterTypeError(name, value, expected)
    number = float(value)
    if not low <= number <= high or (open_low and number == low) or (open_high and number == high):
        raise ParameterError(name, value, expected)
    return number
