r"""The privacy curve of runs that mix Gaussian noise with private selections and Laplace noise.

Gaussian releases have one worst case each, whatever was released before, so their noise may be thought of as drawn
first: their joint loss y is normal with mean :math:`\mu^2/2` and variance :math:`\mu^2`. Given it, the other
releases are an adaptive composition with a curve :math:`\psi` of their own, and

.. math:: \delta(\varepsilon) \le E_y[\psi(\varepsilon - y)].

:math:`\psi` is the smaller of two bounds: that of pure :math:`E`-differential privacy, E being the sum of all costs,
and that of Rényi divergences, in the conversion of Canonne, Kamath & Steinke. With no other releases the result is the
Gaussian curve itself; without Gaussian releases it is :math:`\psi`.

References
----------
Mironov (2017), "Rényi differential privacy"; Bun & Steinke (2016), "Concentrated differential privacy"; Canonne,
Kamath & Steinke (2020), "The discrete Gaussian for differential privacy" (Proposition 12: the conversion); Dong,
Durfee & Rogers (2020), "Optimal differential privacy composition for exponential mechanisms"; Cesar & Rogers (2021),
"Bounding, concentrating, and truncating: unifying privacy loss composition for data analytics".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["PureRelease", "Tail", "mixed_delta", "renyi_pure", "renyi_range"]

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

_LN_2 = math.log(2.0)
_LOG_SQRT_2PI = 0.5 * math.log(2.0 * math.pi)

# Below this value of (order - 1) * order * epsilon**2 the closed forms subtract nearly equal numbers; the quadratic
# bounds, which hold everywhere, are then as good.
_SMALL = 1e-6


@dataclass(frozen=True, order=True)
class PureRelease:
    """Equal releases with a pure epsilon.

    Attributes
    ----------
    epsilon : float
        Of one of them.
    ranged : bool
        Whether the losses of one lie in an interval of length ``epsilon``: so for the exponential mechanism.
    times : int
        How many follow each other.
    """

    epsilon: float
    ranged: bool
    times: int = 1


def renyi_pure(excess: FloatArray, epsilon: float) -> FloatArray:
    r"""Return the largest Rényi divergence of a pure epsilon, that of randomised response.

    :math:`\frac{1}{\alpha-1} \ln \frac{e^{\alpha\varepsilon} + e^{(1-\alpha)\varepsilon}}{1 + e^\varepsilon}`, which is
    at most :math:`\alpha\varepsilon^2/2`.

    Parameters
    ----------
    excess : float64 array
        Orders less 1, above 0.
    epsilon : float
        Above 0.
    """
    order = 1.0 + excess
    quadratic = 0.5 * order * epsilon * epsilon
    exact = epsilon + (np.log1p(np.exp(-(2.0 * excess + 1.0) * epsilon)) - math.log1p(math.exp(-epsilon))) / excess
    return np.where(excess * quadratic < _SMALL, quadratic, np.minimum(exact, quadratic))


def renyi_range(excess: FloatArray, epsilon: float) -> FloatArray:
    r"""Return the largest Rényi divergence of a mechanism whose losses lie in an interval of length epsilon.

    The losses are at worst two-valued, t and t - ε; the best t is known in closed form. With r = exp(-ε) and
    :math:`a_x = (1 - r^x)/x`, the divergence is
    :math:`\ln \frac{a_\alpha}{r\,a_{\alpha-1}} + \frac{1}{\alpha-1} \ln \frac{a_\alpha}{1 - r}`, at most
    :math:`\alpha\varepsilon^2/8`.

    Parameters
    ----------
    excess, epsilon
        As for `renyi_pure`.
    """
    order = 1.0 + excess
    quadratic = 0.125 * order * epsilon * epsilon
    above = np.log(-np.expm1(-order * epsilon) / order)
    below = np.log(-np.expm1(-excess * epsilon) / excess)
    exact = epsilon + above - below + (above - math.log(-math.expm1(-epsilon))) / excess
    return np.where(excess * quadratic < _SMALL, quadratic, np.minimum(exact, quadratic))


class Tail:
    """The curve of an adaptive composition of pure releases.

    Parameters
    ----------
    releases : sequence of PureRelease
    total : float
        The sum of all their costs.

    Attributes
    ----------
    deviation : float
        Standard deviation of a normal loss with the same divergences.
    """

    __slots__ = ("deviation", "excess", "logs", "total")

    def __init__(self, releases: Sequence[PureRelease], total: float) -> None:
        parts = [r.times * r.epsilon**2 * (0.25 if r.ranged else 1.0) for r in releases]
        self.total = total
        self.deviation = math.sqrt(math.fsum(parts))
        # A loss at x deviations is best bounded at an order of about x over the deviation.
        excess: FloatArray = np.geomspace(0.02, 200.0, 240) / self.deviation if releases else np.ones(1)
        moments = np.zeros_like(excess)
        for release in releases:
            divergence = renyi_range if release.ranged else renyi_pure
            moments += release.times * divergence(excess, release.epsilon)
        self.excess = excess
        # ln of (1/order) * (1 - 1/order)**excess * E[exp(excess * loss)], the factor of exp(-excess * epsilon).
        self.logs = excess * (moments + np.log(excess / (1.0 + excess))) - np.log1p(excess)

    def pure(self, epsilon: float) -> float:
        """Return the bound by the total alone; it holds for negative epsilon, too."""
        if epsilon >= self.total:
            return 0.0
        if epsilon <= -self.total:
            return -math.expm1(epsilon)
        return -math.expm1(epsilon - self.total) / (1.0 + math.exp(-self.total))

    def at(self, epsilon: float) -> float:
        """Return the better bound for ``epsilon``, 0 or more."""
        return min(self.pure(epsilon), math.exp(min(0.0, float(np.min(self.logs - self.excess * epsilon)))))


def _log_mills(x: FloatArray) -> FloatArray:
    """Return the logarithm of (1 - Phi(x)) / phi(x) for x >= 0."""
    # Laplace's continued fraction, from the far end, serves from 6 on.
    tail = np.maximum(x, 6.0)
    far = tail.copy()
    for k in range(80, 0, -1):
        tail = far + k / tail
    near = np.minimum(x, 6.0)
    # NumPy has no error function; that of the standard library is as fast as a NumPy call over so few elements.
    erfc = np.array([math.erfc(value) for value in (near / math.sqrt(2.0)).tolist()])
    return np.where(x < 6.0, 0.5 * near * near + _LOG_SQRT_2PI + np.log(0.5 * erfc), -np.log(tail))


# Halving these steps moves epsilon by some 1e-4 of its value.
_STEPS = np.concatenate([np.arange(-9.0, 14.0, 0.25), np.arange(14.0, 40.0, 0.5)])
_FINE = np.arange(-12.0, 12.0, 0.5)


def _ends(epsilon: float, mu: float, tail: Tail) -> FloatArray:
    """Return the ends of the intervals, in standard deviations of the Gaussian loss, with steps fine for both."""
    centre = (epsilon - 0.5 * mu * mu) / mu
    width = tail.total / mu
    ends = np.concatenate([_STEPS, centre + _FINE * (tail.deviation / mu)])
    inside = ends[(ends > centre - width) & (ends < centre + width)]
    return np.unique(np.concatenate([inside, [centre - width, centre, centre + width, np.inf]]))


@dataclass(frozen=True)
class _Cells:
    """Intervals of the Gaussian loss y = mu**2/2 + mu*z, by their ends in z."""

    ends: FloatArray
    epsilon: float
    mu: float

    def log_integrals(self, tilt: FloatArray | float) -> FloatArray:
        """Return ln of the integral of exp(-tilt * (epsilon - y)) over each interval.

        With x = z - tilt*mu it is a constant times Phi(x) between the ends. The constant may be enormous
        and Phi minute: in the tails the two are put together before anything is rounded.
        """
        low, high = self.ends[:-1], self.ends[1:]
        upper = low + high > 2.0 * tilt * self.mu  # take the tail that the interval lies in
        outer = self._log_tail(np.where(upper, low, high), tilt, upper)
        inner = self._log_tail(np.where(upper, high, low), tilt, upper)
        with np.errstate(divide="ignore", invalid="ignore"):
            # Of an interval so short that rounding turns its ends around, a last digit is left.
            ratio = np.exp(np.minimum(inner - outer, -(2.0**-52)))
            return np.where(np.isneginf(outer), -np.inf, outer + np.log1p(-ratio))

    @np.errstate(over="ignore")  # squares so large that nothing is left of a tail: ln 0
    def _log_tail(self, z: FloatArray, tilt: FloatArray | float, upper: BoolArray) -> FloatArray:
        """Return ln of the same integral from z to infinity where ``upper``, else up to z."""
        finite = np.where(np.isinf(z), 0.0, z)
        x = finite - tilt * self.mu
        x = np.where(upper, -x, x)
        mills = _log_mills(np.abs(x)) - _LOG_SQRT_2PI
        tail = -tilt * (self.epsilon - self.mu * (0.5 * self.mu + finite)) - 0.5 * finite * finite + mills
        whole = -tilt * (self.epsilon - 0.5 * (1.0 + tilt) * self.mu * self.mu)
        body = whole + np.log1p(-np.exp(np.minimum(mills - 0.5 * x * x, -_LN_2)))
        empty = np.where(upper, -np.inf, whole)
        return np.where(np.isinf(z), empty, np.where(x <= 0.0, tail, body))


def mixed_delta(epsilon: float, mu: float, tail: Tail) -> float:
    r"""Return a bound on :math:`E_y[\psi(\varepsilon - y)]`.

    The losses y are cut into intervals. On each, one bound is chosen (the pure one, or that of one order) by its value
    at the middle, and integrated in closed form: all are sums of exponentials in y. Any choice gives a valid bound.
    For e = ε - y < 0, :math:`\psi(e) = 1 - e^e + e^e \psi(-e)`.

    Parameters
    ----------
    epsilon : float
        0 or more.
    mu : float
        Above 0.
    tail : Tail
    """
    cells = _Cells(_ends(epsilon, mu, tail), epsilon, mu)
    log_other = cells.log_integrals(-1.0)
    mass, other = np.exp(cells.log_integrals(0.0)), np.exp(np.minimum(log_other, 0.0))
    low, high = cells.ends[:-1], cells.ends[1:]
    middle = epsilon - mu * (0.5 * mu + 0.5 * (low + np.where(np.isinf(high), low, high)))
    best = np.argmin(tail.logs - np.abs(middle)[:, None] * tail.excess, axis=1)
    excess, negative = tail.excess[best], middle < 0.0
    exponent = tail.logs[best] + cells.log_integrals(np.where(negative, -1.0 - excess, excess))
    # Differences may have lost their last digits: they are raised by as much.
    gap = np.maximum(mass - other, 0.0) + 1e-14 * mass
    renyi = np.exp(np.minimum(exponent, 1.0)) + np.where(negative, gap, 0.0)
    pure = (mass - np.exp(log_other - tail.total)) / (1.0 + math.exp(-tail.total)) + 1e-14 * mass
    bounds = np.minimum(renyi, pure)
    # In the last interval the pure losses, even all at their worst, cannot turn the sign of the sum: nothing to bound.
    bounds[-1] = gap[-1]
    return min(1.0, math.fsum(bounds.tolist()))
