r"""What counts say of chances: binomial tails, and the intervals of Clopper and Pearson.

References
----------
Clopper & Pearson (1934), "The use of confidence or fiducial limits illustrated in the case of the binomial".
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from privboost.privacy.gaussian import boundary

__all__ = ["binomial_law", "chance_at_least", "highest_chance", "lower_epsilon", "lower_mu", "lowest_chance"]

_PRECISION = 1e-12
"""Of a limit, relative; limits err to the safe side."""

_SAFE = 1.0 - 1e-8
"""Errors are cut by so much, more than the digits that a binomial tail may lack."""


@lru_cache(maxsize=16)
def _log_factorials(n: int) -> npt.NDArray[np.float64]:
    return np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1, dtype=np.float64)))])


def binomial_law(n: int, chance: float) -> npt.NDArray[np.float64]:
    """Return the chances of 0, 1, ..., n successes.

    Parameters
    ----------
    n : int
        Trials, 0 or more.
    chance : float
        Of a success, from 0 to 1.

    Returns
    -------
    ndarray of float64, shape (n + 1,)
        To about 9 digits for n up to a million.
    """
    k = np.arange(n + 1)
    if chance <= 0.0 or chance >= 1.0:
        return np.asarray(k == (0 if chance <= 0.0 else n), np.float64)
    logs = _log_factorials(n)
    log_law = logs[n] - logs - logs[::-1] + k * math.log(chance) + (n - k) * math.log1p(-chance)
    return np.asarray(np.exp(log_law))


def chance_at_least(hits: int, n: int, chance: float) -> float:
    """Return the chance of ``hits`` or more successes in n trials."""
    return float(binomial_law(n, chance)[max(hits, 0) :].sum())


def lowest_chance(hits: int, n: int, error: float) -> float:
    """Return a chance that the true one is below with probability ``error`` at most: Clopper and Pearson's lower limit.

    Parameters
    ----------
    hits, n : int
        Successes, of n trials.
    error : float
        Above 0, below 1.
    """
    if hits <= 0:
        return 0.0

    def refuted(chance: float) -> bool:
        return chance_at_least(hits, n, chance) <= error * _SAFE

    return boundary(refuted, 0.0, hits / n if error < 0.5 else 1.0, _PRECISION)


def highest_chance(hits: int, n: int, error: float) -> float:
    """Return a chance that the true one is above with probability ``error`` at most: the upper limit."""
    return 1.0 - lowest_chance(n - hits, n, error)


def lower_epsilon(more: tuple[int, int], less: tuple[int, int], delta: float, error: float) -> float:
    r"""Return an epsilon that counts of one event refute, up to a chance of ``error``: :math:`\ln((p - \delta)/q)`.

    Parameters
    ----------
    more, less : (int, int)
        How often the event took place, and of how many runs; on the table where it is likelier, and on the other.
    delta : float
        0 or more, below 1.
    error : float
        That the answer exceeds every epsilon with which the counts' laws are (epsilon, delta)-close.

    Returns
    -------
    float
        0 or more.
    """
    p, q = lowest_chance(*more, error / 2) - delta, highest_chance(*less, error / 2)
    return math.log(p / q) if p > q else 0.0


def lower_mu(more: tuple[int, int], less: tuple[int, int], error: float) -> float:
    r"""Return a :math:`\mu` of Gaussian differential privacy that counts refute, up to a chance of ``error``.

    To tell two tables apart by the event has a false positive rate q and a false negative rate 1 - p; under
    :math:`\mu`-Gaussian differential privacy :math:`\mu \ge \Phi^{-1}(p) - \Phi^{-1}(q)` (Dong, Roth & Su 2022).
    """
    p, q = lowest_chance(*more, error / 2), highest_chance(*less, error / 2)
    if not 0.0 < q < p < 1.0:
        return 0.0
    return NormalDist().inv_cdf(p) - NormalDist().inv_cdf(q)
