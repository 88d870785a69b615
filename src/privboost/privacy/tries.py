r"""Private selection with a secret random number of tries: the law of the number, the best of them, and what it costs.

A try is any private mechanism Q that releases a result with a score. Let K be drawn from the *truncated negative
binomial* law :math:`D_{\eta,\gamma}`, with :math:`\eta > -1`, :math:`0 < \gamma < 1`, on :math:`k = 1, 2, \ldots`:

.. math:: P[K = k] \propto (1-\gamma)^k \prod_{l=1}^{k-1} \frac{l + \eta}{l + 1},

that is :math:`\propto (1-\gamma)^k/k` for :math:`\eta = 0` and geometric for :math:`\eta = 1`. Run Q K times, and
release the result of the highest score, and nothing else.

* If Q is ε-differentially private, this is :math:`(2 + \eta)\,\varepsilon`-differentially private, for every γ.
* If the Rényi divergence of Q is at most :math:`\lambda\rho` at every order λ, that of the whole at order λ is at most

  .. math:: \lambda\rho + (1+\eta)\min_{\hat\lambda \ge 1}\Big((\hat\lambda - 1)\rho +
            \frac{\ln(1/\gamma)}{\hat\lambda}\Big) + \frac{\ln E[K]}{\lambda - 1}.

The proof of the first is in docs/guarantee.md.

References
----------
Liu & Talwar (2019), "Private selection from private candidates" (η = 1); Papernot & Steinke (2022), "Hyperparameter
tuning with Rényi differential privacy" (Theorem 2, of which both are cases); Bun & Steinke (2016), "Concentrated
differential privacy"; Canonne, Kamath & Steinke (2020), "The discrete Gaussian for differential privacy" (Proposition
12: the conversion to ε and δ).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, TypeVar

import numpy as np

from privboost.errors import ParameterError, ParameterTypeError
from privboost.privacy.gaussian import MARGIN, boundary

__all__ = ["MOST_TRIES", "TriesLaw", "best_of", "float_below", "renyi_delta", "rho_within"]

MOST_TRIES = 10_000
"""The largest mean number of tries that a law may have."""

_GAMMA_UNIT = 2**40

T = TypeVar("T")


class Coins(Protocol):
    """Where exact draws come from."""

    def below(self, n: int) -> int:
        """Return a uniform integer from 0 to ``n`` - 1."""
        ...


@dataclass(frozen=True, slots=True)
class TriesLaw:
    """The truncated negative binomial law of a number of tries, see above.

    Parameters
    ----------
    eta : Fraction
        Above -1, at most 1.
    gamma : Fraction
        Between 0 and 1, both excluded; the smaller, the more tries.
    """

    eta: Fraction
    gamma: Fraction

    def __post_init__(self) -> None:
        for name in ("eta", "gamma"):
            if not isinstance(getattr(self, name), Fraction):
                raise ParameterTypeError(name, getattr(self, name), "a Fraction")
        if not -1 < self.eta <= 1:
            raise ParameterError("eta", self.eta, "above -1 and at most 1")
        if not 0 < self.gamma < 1 or self.mean > 2 * MOST_TRIES:
            raise ParameterError("gamma", self.gamma, f"between 0 and 1, for a mean of at most {MOST_TRIES} tries")

    @classmethod
    def with_mean(cls, mean: float, eta: Fraction = Fraction(0)) -> TriesLaw:
        """Return the law whose mean is about ``mean``, which is above 1 and at most `MOST_TRIES`."""

        def reached(log_inverse: float) -> bool:
            return _mean(float(eta), math.exp(-log_inverse)) <= mean

        # E[K] grows with log(1 / gamma); 60 is beyond every mean that is allowed, but for eta near -1.
        inverse = boundary(reached, 1e-6, 60.0, precision=1e-12)
        gamma = Fraction(round(math.exp(-inverse) * _GAMMA_UNIT), _GAMMA_UNIT)
        return cls(eta, min(max(gamma, Fraction(1, _GAMMA_UNIT)), 1 - Fraction(1, _GAMMA_UNIT)))

    @property
    def mean(self) -> float:
        """The expected number of tries, rounded up by one part in 10**9."""
        return _mean(float(self.eta), float(self.gamma)) * (1.0 + MARGIN)

    def probability(self, k: int) -> float:
        """Return P[K = k], for k = 1, 2, ..."""
        eta, gamma = float(self.eta), float(self.gamma)
        log = k * math.log1p(-gamma) + sum(math.log((j + eta) / (j + 1.0)) for j in range(1, k))
        return math.exp(log) / _normaliser(eta, gamma)

    def draw(self, coins: Coins) -> int:
        """Draw the number of tries, exactly: by integers from 0 below another, and no rounding.

        Counting goes on with chance 1 - gamma at each k. With chance (k + eta)/(k + 1) that is accepted, and else the
        count starts anew; so k is the result with a chance in proportion to the law.
        """
        k = 1
        while not _coin(self.gamma, coins):
            k = k + 1 if _coin((k + self.eta) / (k + 1), coins) else 1
        return k

    def pure_cost(self, epsilon: Fraction | float) -> Fraction:
        """Return what the selection costs if a try costs ``epsilon``: (2 + eta) times that, exactly."""
        return (2 + self.eta) * Fraction(epsilon)


def best_of(law: TriesLaw, run: Callable[[], tuple[int, T]], coins: Coins) -> tuple[int, T]:
    """Run a secret number of tries, and return the score and result of the best; the first one, where scores tie.

    How many there were, and what the others gave, is kept nowhere.

    Parameters
    ----------
    law : TriesLaw
    run : callable
        One try, independent of all others: a noisy score, and the result.
    coins : Coins
    """
    best = run()
    for _ in range(law.draw(coins) - 1):
        other = run()
        if other[0] > best[0]:
            best = other
    return best


def renyi_delta(law: TriesLaw, rho: float, epsilon: float) -> float:
    r"""Return a delta at which the best of tries that each cost ``rho`` is (``epsilon``, delta)-private.

    :math:`\min_\lambda \frac{1}{\lambda} (1 - 1/\lambda)^{\lambda - 1} e^{(\lambda - 1)(D_\lambda - \varepsilon)}`,
    with the divergence :math:`D_\lambda` above.

    Parameters
    ----------
    law : TriesLaw
    rho : float
        Zero-concentrated cost of one try, above 0.
    epsilon : float
        Above 0.

    Returns
    -------
    float
        At most 1; rounded up.
    """
    # The best order is near (epsilon / rho + 1) / 2; any above 1 is valid.
    excess = np.geomspace(1e-3, 1e1, 400) * (epsilon / rho + 1.0)
    constant = _extra(law, rho)
    moments = excess * ((1.0 + excess) * rho + constant - epsilon) + math.log(law.mean)
    logs = moments + excess * np.log(excess / (1.0 + excess)) - np.log1p(excess)
    return float(min(1.0, math.exp(min(0.0, float(np.min(logs)))) * (1.0 + MARGIN)))


def rho_within(law: TriesLaw, epsilon: float, delta: float) -> float:
    """Return about the largest rho of a try for which the selection is (``epsilon``, ``delta``)-private.

    Parameters
    ----------
    law : TriesLaw
    epsilon : float
        Above 0.
    delta : float
        Above 0, below 1.
    """

    def holds(rho: float) -> bool:
        return renyi_delta(law, rho, epsilon) <= delta

    good = epsilon
    while not holds(good):
        good *= 0.5
        if good < 1e-200:
            raise ParameterError("epsilon", epsilon, "large enough for a search with this delta", "Use delta=0.")
    return boundary(holds, good, 2.0 * good, precision=1e-10) if good < epsilon else good


def float_below(exact: Fraction) -> float:
    """Return the largest float that is at most ``exact``."""
    number = float(exact)
    return number if Fraction(number) <= exact else math.nextafter(number, -math.inf)


def _extra(law: TriesLaw, rho: float) -> float:
    """Return (1 + eta) * min over orders of 1 or more of ((order - 1) * rho + ln(1 / gamma) / order)."""
    logarithm = -math.log(law.gamma)
    order = max(1.0, math.sqrt(logarithm / rho))
    return (1.0 + float(law.eta)) * ((order - 1.0) * rho + logarithm / order)


def _mean(eta: float, gamma: float) -> float:
    if abs(eta) < 1e-12:
        return (1.0 - gamma) / (gamma * -math.log(gamma))
    return eta * (1.0 - gamma) / (gamma * -math.expm1(eta * math.log(gamma)))


def _normaliser(eta: float, gamma: float) -> float:
    """Return the sum over k of (1 - gamma)**k times the product of (l + eta) / (l + 1) for l from 1 to k - 1."""
    if abs(eta) < 1e-12:
        return -math.log(gamma)
    return math.expm1(-eta * math.log(gamma)) / eta


def _coin(chance: Fraction, coins: Coins) -> bool:
    return coins.below(chance.denominator) < chance.numerator
