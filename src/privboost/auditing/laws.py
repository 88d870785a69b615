r"""Output laws in closed form: of selections, and of Gaussian noise on integers, whose lattice is not left out.

A release that moves its numbers by :math:`\mu` standard deviations is :math:`\mu`-Gaussian differentially private and
no better, with the curve of `delta_of`. That is the law of noise on real numbers. Noise on integers differs from it by
what a sum over a lattice differs from an integral; `lattice_gap` bounds that, so that both bounds of an audit are
bounds of the integers' law.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from privboost.errors import PlanError

__all__ = ["GaussianLaw", "delta_of", "lattice_gap", "log_selection"]

Floats = npt.NDArray[np.float64]

MOST_OUTCOMES = 2**22
"""Of all selections of a run together, times the pairs of tables: more are not worked out one by one."""

_erfc = np.frompyfunc(math.erfc, 1, 1)


def log_selection(scores: Floats, scale: float, rule: str) -> Floats:
    """Return the log chance of every candidate.

    Parameters
    ----------
    scores : ndarray of float64
        Candidates along the last axis.
    scale : float
        Of the noise, in the scores' unit.
    rule : {"permute-and-flip", "exponential"}
    """
    z = (scores - scores.max(axis=-1, keepdims=True)) / scale
    if rule == "exponential":
        return np.asarray(z - np.log(np.exp(z).sum(axis=-1, keepdims=True)))
    # P(i) = q_i * integral over y in (0, 1) of the product over j != i of (1 - q_j y), a polynomial in y.
    nodes, weights = np.polynomial.legendre.leggauss(scores.shape[-1] // 2 + 1)
    logs = np.log1p(-np.exp(z)[..., None] * (0.5 * (nodes + 1.0)))
    others = logs.sum(axis=-2, keepdims=True) - logs
    return np.asarray(z + np.log(np.exp(others) @ (0.5 * weights)))


def _upper_tail(x: Floats) -> Floats:
    """Return the chance that a normal variable exceeds ``x``."""
    return 0.5 * np.asarray(_erfc(x / math.sqrt(2.0)), np.float64)


def delta_of(epsilon: Any, mu: Any) -> Any:
    r"""Return the smallest delta of a release that moves its numbers by ``mu`` standard deviations.

    The largest of :math:`P(S) - e^\varepsilon Q(S)`. Arrays go together; ``epsilon`` may be negative.
    """
    mu = np.asarray(mu, np.float64)
    epsilon = np.asarray(epsilon, np.float64)
    safe = np.where(mu > 0.0, mu, 1.0)
    start = epsilon / safe - safe / 2
    curve = _upper_tail(start) - np.exp(epsilon) * _upper_tail(start + safe)
    return np.where(mu > 0.0, curve, np.maximum(0.0, -np.expm1(epsilon)))


def lattice_gap(epsilon: Any, mu: Any, scale: float, numbers: Any) -> Any:
    r"""Return by how much the delta of noise on integers may differ from `delta_of`.

    Parameters
    ----------
    epsilon, mu : float or ndarray
        As for `delta_of`.
    scale : float
        Smallest standard deviation of the noise, in integer units; at least 512.
    numbers : int or ndarray
        How many numbers move.

    Notes
    -----
    For a function g on the reals, :math:`|\sum_k g(k) - \int g| \le \frac1{12}\int |g''|` (Euler and Maclaurin, with
    the derivative's jumps counted in the integral). Number by number, g is the normal density times
    :math:`f(t) = (1 - e^{-\mu (t - t_0)})_+`, in the direction of the move, :math:`t_0 = \varepsilon/\mu - \mu/2`; the
    second derivatives add up, over n numbers and in units of the noise, to at most

    .. math::  \mu\varphi(t_0) + \int_{t_0}^\infty \varphi(t)
               \left[(t^2 + 2n - 1) f + \mu (t^2 + n) (1 - f) + \mu^2 (1 - f)\right] dt.

    Replacing one number's law after the other moves the others' integrals only by parts of order :math:`\sigma^{-4}`,
    for which the whole is doubled: the bound is this sum over :math:`6 \sigma^2`.
    """
    mu = np.asarray(mu, np.float64)
    epsilon = np.asarray(epsilon, np.float64)
    safe = np.where(mu > 0.0, mu, 1.0)
    start = epsilon / safe - safe / 2
    density = np.exp(-0.5 * start**2) / math.sqrt(2.0 * math.pi)
    here, there = _upper_tail(start), np.exp(epsilon) * _upper_tail(start + safe)  # there: the integral of φ (1 - f)
    square = safe * density + here - (1.0 + safe**2) * there  # of φ t² f
    rest = start * density + here - square  # of φ t² (1 - f)
    n = np.asarray(numbers, np.float64)
    total = safe * density + square + (2 * n - 1) * (here - there) + safe * (rest + n * there) + safe**2 * there
    return np.where(mu > 0.0, np.maximum(total, 0.0) / (6.0 * scale**2), 0.0)


@dataclass(frozen=True, eq=False)
class GaussianLaw:
    """The law of the privacy loss of a run with Gaussian noise, and with selections whose scores the script fixes.

    Attributes
    ----------
    ratio, chance : ndarray of float64, shape (2, n_pairs, n_outcomes)
        Log ratio and chance of all selections' outcomes, in both directions.
    mu : ndarray of float64, shape (n_pairs,)
        By how many standard deviations all Gaussian releases together move.
    numbers : ndarray of int64, shape (n_pairs,)
        How many numbers move.
    scale : float
        Smallest scale of the noise.
    """

    ratio: Floats
    chance: Floats
    mu: Floats
    numbers: npt.NDArray[np.int64]
    scale: float

    def deltas(self, epsilon: float) -> tuple[Floats, Floats]:
        """Return each pair's smallest delta at ``epsilon``, from below and from above."""
        at, mu = epsilon - self.ratio, self.mu[None, :, None]
        delta = (self.chance * delta_of(at, mu)).sum(axis=2)
        gap = (self.chance * lattice_gap(at, mu, self.scale, self.numbers[None, :, None])).sum(axis=2)
        return np.maximum(delta - gap, 0.0).max(axis=0), (delta + gap).max(axis=0)

    def with_selection(self, left: Floats, right: Floats) -> GaussianLaw:
        """Extend the law by one selection in every node in which a pair differs.

        Parameters
        ----------
        left, right : ndarray of float64, shape (n_pairs, n_nodes, n_candidates)
            Log chances on either table of the pair.

        Raises
        ------
        PlanError
            If the outcomes become too many to be listed.
        """
        ratio, chance = self.ratio, self.chance
        differs = (left != right).any(axis=2)
        # Nodes in which a pair agrees add nothing to its ratio; the others of each pair come first.
        order = np.argsort(~differs, axis=1, kind="stable")[:, : int(differs.sum(axis=1).max(initial=0))]
        for node in order.T:
            if ratio.size * left.shape[2] > MOST_OUTCOMES:
                raise PlanError(
                    "An exact audit under a delta lists the outcomes of all selections, and they are too many here. "
                    "Audit fewer trees, a smaller depth or fewer tests, or use method='sampling'."
                )
            at = np.arange(len(left)), node
            both = np.stack([left[at], right[at]])
            gain = (both - both[::-1])[:, :, None, :]
            ratio = (ratio[:, :, :, None] + gain).reshape(*ratio.shape[:2], -1)
            chance = (chance[:, :, :, None] * np.exp(both)[:, :, None, :]).reshape(*chance.shape[:2], -1)
        return GaussianLaw(ratio, chance, self.mu, self.numbers, self.scale)
