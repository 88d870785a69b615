r"""The privacy curve of Gaussian noise, and what separates noise on integers from it.

A release whose expectation moves by at most :math:`\mu` standard deviations is :math:`\mu`-Gaussian differentially
private: :math:`\delta(\varepsilon) = \Phi(-\varepsilon/\mu + \mu/2) - e^\varepsilon \Phi(-\varepsilon/\mu - \mu/2)`.
Any number of such releases, adaptive or not, are one with :math:`\mu^2 = \sum_t \mu_t^2`.

References
----------
Dong, Roth & Su (2022), "Gaussian differential privacy"; Balle & Wang (2018), "Improving the Gaussian mechanism for
differential privacy" (the curve); Canonne, Kamath & Steinke (2020), "The discrete Gaussian for differential privacy".
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

__all__ = [
    "MARGIN",
    "MIN_GAUSSIAN_SCALE",
    "Discretisation",
    "boundary",
    "discretisation",
    "gdp_delta",
    "gdp_epsilon",
    "gdp_mu",
]

# The smallest noise scale, in integer units. At it, 10,000 numbers raise delta by one part in 600 (`discretisation`).
# Every total is computed as if all noise had this scale, so that it is a function of the plan alone: scales adapt to
# what was released before, the plan does not.
MIN_GAUSSIAN_SCALE = 512.0

# Every delta is raised by this part before it is used. The float errors below are smaller by orders of magnitude: the
# worst is that of an exponent of at most some thousands, some 1e-13.
MARGIN = 1e-9

_LOG_SQRT_2PI = 0.5 * math.log(2.0 * math.pi)
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(64)


def _mills(x: float) -> float:
    """Return (1 - Phi(x)) / phi(x) for x >= -30."""
    if x < 6.0:
        return math.sqrt(0.5 * math.pi) * math.exp(0.5 * x * x) * math.erfc(x / math.sqrt(2.0))
    # Laplace's continued fraction x + 1/(x + 2/(x + ...)), from the far end; 80 terms are exact to the last bit here.
    tail = x
    for k in range(80, 0, -1):
        tail = x + k / tail
    return 1.0 / tail


def gdp_delta(epsilon: float, mu: float) -> float:
    r"""Return :math:`\delta(\varepsilon)` of :math:`\mu`-Gaussian differential privacy.

    Parameters
    ----------
    epsilon : float
        0 or more.
    mu : float
        0 or more.

    Returns
    -------
    float
        To about 12 digits, down to the smallest floats. Two forms, neither of which subtracts nearly equal numbers:
        with :math:`a = \varepsilon/\mu - \mu/2`, R the Mills ratio and :math:`\varphi` the density,
        :math:`\varphi(a)(R(a) - R(a + \mu))`, and
        :math:`\varphi(a) \int_0^\infty e^{-u^2/2 - au} (1 - e^{-\mu u})\,du` for :math:`\mu < 1`.
    """
    if mu == 0.0 or epsilon == math.inf:
        return 0.0
    a = epsilon / mu - 0.5 * mu
    if a > 1e150:
        return 0.0
    density = math.exp(-0.5 * a * a - _LOG_SQRT_2PI) if abs(a) < 1e3 else 0.0
    if mu < 1.0:
        # Here a >= -1/2. The integrand has fallen by exp(-40) at the end of the interval.
        end = 80.0 / (a + math.sqrt(a * a + 80.0))
        u = 0.5 * end * (1.0 + _NODES)
        integrand = np.exp(-0.5 * u * u - a * u) * -np.expm1(-mu * u)
        return density * 0.5 * end * float(_WEIGHTS @ integrand)
    if a < 0.0:
        return 0.5 * math.erfc(a / math.sqrt(2.0)) - density * _mills(a + mu)
    return density * (_mills(a) - _mills(a + mu))


def boundary(holds: Callable[[float], bool], good: float, bad: float, precision: float = 2e-13) -> float:
    """Return a number for which ``holds`` is true, within ``precision`` (relative) of where it stops to be.

    Parameters
    ----------
    holds : callable
        True at ``good``, False at ``bad``, with one change between them.
    good, bad : float
        0 or more, in either order.
    precision : float, default=2e-13
    """
    while abs(good - bad) > precision * max(good, bad):
        # On a logarithmic scale while the two are far apart.
        low, high = min(good, bad), max(good, bad)
        middle = math.sqrt(low) * math.sqrt(high) if low > 0.0 and high > 4.0 * low else 0.5 * (low + high)
        if middle in (good, bad):
            break
        if holds(middle):
            good = middle
        else:
            bad = middle
    return good


def gdp_epsilon(delta: float, mu: float) -> float:
    r"""Return the smallest :math:`\varepsilon \ge 0` with :math:`\delta(\varepsilon) \le` ``delta``, rounded up.

    Parameters
    ----------
    delta : float
        Between 0 and 1, both excluded.
    mu : float
        0 or more.
    """

    def holds(epsilon: float) -> bool:
        return gdp_delta(epsilon, mu) * (1.0 + MARGIN) <= delta

    if holds(0.0):
        return 0.0
    # The Chernoff bound of the loss, which is normal with mean mu**2/2 and variance mu**2.
    return boundary(holds, (0.5 * mu * mu + mu * math.sqrt(-2.0 * math.log(delta))) * 1.01, 0.0)


def gdp_mu(epsilon: float, delta: float) -> float:
    r"""Return the largest :math:`\mu` whose curve passes below (epsilon, delta), rounded down.

    Parameters
    ----------
    epsilon : float
        Above 0.
    delta : float
        Between 0 and 1, both excluded.

    Returns
    -------
    float
        What all Gaussian releases together may use: the noise of one release is then its sensitivity over ``mu``.
    """

    def holds(mu: float) -> bool:
        return gdp_delta(epsilon, mu) * (1.0 + MARGIN) <= delta

    start = epsilon / (math.sqrt(2.0 * (epsilon - math.log(delta))) + math.sqrt(-2.0 * math.log(delta)))
    good = bad = max(start, sys.float_info.min)  # twice 0 would stay 0
    while not holds(good):
        good *= 0.5
    while holds(bad):
        bad *= 2.0
    return boundary(holds, good, bad)


@dataclass(frozen=True)
class Discretisation:
    """What to pay for noise on integers; see `discretisation`.

    Attributes
    ----------
    epsilon : float
        Added to epsilon.
    factor : float
        Multiplies delta, 1 or more.
    delta : float
        Added to delta.
    """

    epsilon: float
    factor: float
    delta: float


def discretisation(
    mu: float, numbers: int, spread: float, tail: float, scale: float = MIN_GAUSSIAN_SCALE
) -> Discretisation:
    r"""Return the difference between discrete Gaussian noise and rounded continuous Gaussian noise.

    Rounding continuous noise is post-processing, so a run with it has the curve of the Gaussian. Let p(k) be the
    discrete law, :math:`\propto e^{-k^2/2\sigma^2}` on the integers, q(k) the mass of a continuous normal variable on
    [k - 1/2, k + 1/2], and z = k/σ. Then for every k

    .. math:: p(k) \le q(k)\,(1 - 1/(24\sigma^2))^{-1},

    as the normaliser of p is at least :math:`\sigma\sqrt{2\pi}` (Poisson's summation), and the derivative of
    :math:`g(z) = \ln q - \ln p` is at most :math:`\frac{|z|}{12\sigma^2} \cosh\frac{|z|}{2\sigma}`. Let N be the
    count of numbers that neighbours can change, and let none of their noises exceed :math:`\bar z` standard deviations;
    the chance of the contrary is at most :math:`2N e^{-\bar z^2/2}`. The loss under p then differs from that under q by
    at most :math:`\sum_i |g(z_i) - g(z_i + s_i)|`, s being the shifts in standard deviations, hence by at most

    .. math:: (\bar z \sum_t \sqrt{n_t}\mu_t + \mu^2) \cosh((\bar z + \mu)/2\sigma) / 12\sigma^2.

    All three terms fall as σ grows.

    Parameters
    ----------
    mu : float
        Of all Gaussian releases together.
    numbers : int
        N, summed over the releases.
    spread : float
        The sum over the releases of sqrt(n) * mu, n being a release's part of N.
    tail : float
        Wanted chance, above 0, that a noise exceeds the limit, which is chosen by it.
    scale : float, default=MIN_GAUSSIAN_SCALE
        The smallest noise scale in integer units, at least 1.

    Returns
    -------
    Discretisation
        If the rounded run is (ε, δ)-private, the discrete one is (ε + epsilon, factor * δ + delta)-private.
    """
    if numbers == 0:
        return Discretisation(0.0, 1.0, 0.0)
    limit = math.sqrt(2.0 * math.log(2.0 * numbers / tail))
    variance = scale * scale
    if limit + mu > 1400.0 * scale:  # beyond what cosh can hold
        return Discretisation(math.inf, 1.0, tail)
    loss = (limit * spread + mu * mu) * math.cosh((limit + mu) / (2.0 * scale)) / (12.0 * variance)
    return Discretisation(loss, math.exp(-numbers * math.log1p(-1.0 / (24.0 * variance))), tail)
