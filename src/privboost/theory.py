"""What can be said of a learner before it sees a row: sensitivities, boosting rates, and the bounds that runs obey.

The quantities are those of "Boosted and Differentially Private Ensembles of Decision Trees". Where its text leaves a
constant open, the docstring says that the constant is ours. Arguments are public numbers, except in `split_lemma`,
which is meant for noise-free study and must not be fed private sums in a released program.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal

import numpy as np

from privboost.bounds import (
    MAX_ROWS,
    KMonotonicity,
    SplitLemma,
    combination_decrease,
    combination_rounds,
    combination_weight,
    integer_in,
    k_monotonicity,
    number_in,
    selection_confidence,
    split_contraction,
    split_lemma,
    step_decrease,
    tree_error_bound,
)
from privboost.errors import ParameterError
from privboost.losses import LogLoss, Loss, MAlphaLoss, MatsushitaLoss, SquareLoss, ZeroOneLoss, get_loss

__all__ = [
    "DilemmaRow",
    "DilemmaTable",
    "KMonotonicity",
    "SplitLemma",
    "combination_decrease",
    "combination_rounds",
    "combination_weight",
    "dilemma_table",
    "k_monotonicity",
    "selection_confidence",
    "sensitivity",
    "split_contraction",
    "split_lemma",
    "step_decrease",
    "tree_error_bound",
]

_MAX_ROWS_NUMERIC = 10**12


def sensitivity(
    loss: Loss | str, n_rows: int, max_weight: float = 1.0, form: Literal["exact", "paper"] = "exact"
) -> float:
    """Return how much one row can change the criterion of a tree, over all data sets of at most ``n_rows`` rows.

    The criterion is ``f = Σ_leaves Ľ(w¹(λ), w(λ))``, see `privboost.losses.Loss.criterion`. It never falls when a row
    is added, and the largest increase is at a leaf of ``m - 1`` rows of one class that receives its first row of the
    other, all of weight ``ω``. Hence, with ``m = n_rows`` (the larger of the two data sets) and ``ω = max_weight``::

        exact   Δ = ω Ľ(1, m) = ω m L(1/m)
                0/1: 2ω   Matsushita: 2ω √(m-1)   square: 4ω (1 - 1/m)   log: ω (lb m + (m-1) lb(m/(m-1)))
                Mα: 2ω (α √(m-1) + 1 - α)         all: 0 for m = 1, as a single row is a pure leaf
        paper   ω (1 + Ľ(1, m+1))

    Replacing a row removes one and adds one, which push in opposite directions, so the bound is the same. So it is for
    the sum over the children of a split: one child alone changes, or one falls while another rises.

    Parameters
    ----------
    loss : Loss or str
        A loss, or the name of a built-in one.
    n_rows : int
        m, from 1 to 2**53 (1e12 for a loss given by its Bayes risk alone).
    max_weight : float, default=1.0
        ω, an upper bound of every row's weight, finite and above 0. The result is in its unit.
    form : {"exact", "paper"}, default="exact"
        "paper" is the looser form of the paper's Theorem 3. The text does not show its constant; that it is
        ``ω (1 + Ľ(1, m+1))`` is our choice, and it is valid because it is never below the exact one.

    Returns
    -------
    float
        The smallest float that is not below Δ, except for log (at most 3e-15 Δ above) and for a loss given by its Bayes
        risk alone (about ``1e-15 ω m`` above, an allowance for the rounding of ``L``).

    Notes
    -----
    The bound is that of the criterion in exact arithmetic: a score that is rounded, to an integer say, can change by up
    to one rounding step more. Friedman & Schuster 2010 bound the log, Gini and max criteria for uniform weights.
    """
    known = get_loss(loss)
    rows = integer_in("n_rows", n_rows, 1, MAX_ROWS)
    weight = number_in("max_weight", max_weight, 0.0, math.inf, open_ends=True)
    if form not in ("exact", "paper"):
        raise ParameterError("form", form, "'exact' or 'paper'")
    if form == "exact":
        return _largest_increase(known, rows, weight)
    total = Fraction(weight) + Fraction(_largest_increase(known, rows + 1, weight))
    return _round_up(float(total), lambda x: x >= total)


@lru_cache(maxsize=1024)
def _largest_increase(loss: Loss, m: int, weight: float) -> float:
    """``ω m L(1/m)``, never rounded below it: noise calibrated to less would void the guarantee."""
    if m == 1:
        return 0.0
    kind, alpha = loss.kernel_code if loss.kernel_code is not None else (-1, 0.0)
    if kind in (0, 1, 4):
        return _mixed_increase(Fraction(alpha), m, Fraction(weight))
    if kind == 2:
        target = 4 * Fraction(weight) * Fraction(m - 1, m)
        return _round_up(float(target), lambda x: x >= target)
    if kind == 3:
        bits = (math.log(m) + (m - 1) * math.log1p(1.0 / (m - 1))) / math.log(2.0)
        return math.nextafter(weight * bits * (1.0 + 2.0**-50), math.inf)
    if m > _MAX_ROWS_NUMERIC + 1:
        raise ParameterError("n_rows", m, "at most 1e12 for a loss given by its Bayes risk alone")
    return math.nextafter(weight * m * (loss.bayes_risk(1.0 / m) + 2.0**-50), math.inf)


def _mixed_increase(alpha: Fraction, m: int, weight: Fraction) -> float:
    """``2ω (α √(m-1) + 1 - α)``, decided in exact arithmetic by squaring."""

    def enough(x: Fraction) -> bool:
        rest = x / (2 * weight) - (1 - alpha)
        return rest >= 0 and rest * rest >= alpha * alpha * (m - 1)

    return _round_up(2.0 * float(weight) * (float(alpha) * math.sqrt(m - 1) + 1.0 - float(alpha)), enough)


def _round_up(guess: float, enough: Callable[[Fraction], bool]) -> float:
    """Smallest float that is ``enough``, searched from a guess a few ulps away."""
    while guess > 0.0 and enough(Fraction(below := math.nextafter(guess, 0.0))):
        guess = below
    while guess < math.inf and not enough(Fraction(guess)):
        guess = math.nextafter(guess, math.inf)
    return guess


@dataclass(frozen=True)
class DilemmaRow:
    """One loss in the boosting against privacy dilemma.

    Attributes
    ----------
    loss : str
    sensitivity, paper_sensitivity : float
        Δ in both forms, see `sensitivity`: what one row can do, hence how much noise.
    weight : float
        ``-L''`` at half the target error.
    contraction : float
        `split_contraction` at worst over nodes whose share of either class is at least half the target error.
    levels : float
        Levels of splits that guarantee the target error; inf if none do.
    """

    loss: str
    sensitivity: float
    paper_sensitivity: float
    weight: float
    contraction: float
    levels: float


@dataclass(frozen=True)
class DilemmaTable:
    """Rows of the dilemma, one a loss; ``print`` it.

    Attributes
    ----------
    rows : tuple of DilemmaRow
    n_rows, max_weight, gamma, target_error
        As given to `dilemma_table`.
    """

    rows: tuple[DilemmaRow, ...]
    n_rows: int
    max_weight: float
    gamma: float
    target_error: float

    def __str__(self) -> str:
        lines = [
            f"m = {self.n_rows}, ω = {self.max_weight:g}, γ = {self.gamma:g}, target error = {self.target_error:g}",
            f"{'loss':<14}{'Δ exact':>11}{'Δ paper':>11}{'-L″(ξ/2)':>11}{'contraction':>13}{'levels':>9}",
        ]
        lines += [
            f"{r.loss:<14}{r.sensitivity:>11.4g}{r.paper_sensitivity:>11.4g}{r.weight:>11.4g}{r.contraction:>13.6f}"
            f"{r.levels:>9.0f}"
            for r in self.rows
        ]
        return "\n".join(lines)


def dilemma_table(
    losses: Sequence[Loss | str] | None = None,
    n_rows: int = 1000,
    max_weight: float = 1.0,
    gamma: float = 0.2,
    target_error: float = 0.1,
) -> DilemmaTable:
    """Set what each loss costs in privacy against what it guarantees in speed.

    ``levels`` is the smallest d with ``ρ^d <= ξ``, ρ the contraction at shares of at least ξ/2: nodes that fall below
    that share err on ξ/2 of the weight at most, and the others carry at most ``ρ^d / 2``. The rate so defined is ours;
    it puts losses in the order of Kearns & Mansour 1996.

    Parameters
    ----------
    losses : sequence of Loss or str, optional
        By default 0/1, Mα with α = 0.1, square, log and Matsushita.
    n_rows, max_weight
        As in `sensitivity`.
    gamma : float, default=0.2
        Strength of every split, in (0, 1].
    target_error : float, default=0.1
        ξ in (0, 1/2].

    Returns
    -------
    DilemmaTable
    """
    strength = number_in("gamma", gamma, 0.0, 1.0, open_low=True)
    error = number_in("target_error", target_error, 0.0, 0.5, open_low=True)
    chosen = (ZeroOneLoss(), MAlphaLoss(0.1), SquareLoss(), LogLoss(), MatsushitaLoss()) if losses is None else losses
    rows = []
    for each in map(get_loss, chosen):
        contraction = _worst_contraction(each, strength, error / 2.0)
        levels = math.ceil(math.log(error) / math.log(contraction)) if 0.0 < contraction < 1.0 - 1e-12 else math.inf
        rows.append(
            DilemmaRow(
                loss=str(each),
                sensitivity=sensitivity(each, n_rows, max_weight),
                paper_sensitivity=sensitivity(each, n_rows, max_weight, form="paper"),
                weight=each.weight_function(error / 2.0),
                contraction=contraction,
                levels=1.0 if contraction == 0.0 else float(levels),
            )
        )
    return DilemmaTable(tuple(rows), int(n_rows), float(max_weight), strength, error)


def _worst_contraction(loss: Loss, gamma: float, least: float) -> float:
    """Largest `split_contraction` over shares in [least, 1/2]; it need not be at the end, so a grid is refined."""
    low, high, worst = least, 0.5, 0.0
    for _ in range(5):
        shares = np.geomspace(low, high, 17)
        values = [split_contraction(loss, gamma, float(p)) for p in shares]
        at = int(np.argmax(values))
        worst = max(worst, values[at])
        low, high = float(shares[max(at - 1, 0)]), float(shares[min(at + 1, 16)])
    return worst
