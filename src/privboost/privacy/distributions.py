"""The exact output distributions of the mechanisms: for plans, audits and tests. Nothing here draws anything."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from privboost.errors import ParameterError

__all__ = ["discrete_gaussian_pmf", "discrete_laplace_pmf", "discrete_laplace_std", "selection_probabilities"]


def discrete_laplace_pmf(k: npt.ArrayLike, scale: float) -> npt.NDArray[np.float64]:
    r"""Return :math:`P(k) = \frac{1-p}{1+p} p^{|k|}` with :math:`p = e^{-1/b}`.

    Parameters
    ----------
    k : array_like of int
        Noise values.
    scale : float
        The noise scale b, above 0.

    Returns
    -------
    float64 array
        Of the shape of ``k``. The factor is tanh(1/(2b)), which keeps its precision for large b.
    """
    return np.asarray(math.tanh(0.5 / scale) * np.exp(-np.abs(np.asarray(k, dtype=np.float64)) / scale))


def discrete_laplace_std(scale: float) -> float:
    r"""Return the standard deviation of the noise, :math:`\sqrt{2p}/(1-p) = 1/(\sqrt2 \sinh(1/(2b)))`."""
    half = 0.5 / scale
    # sinh overflows a float beyond 710; the deviation is then below any float that matters.
    return 0.0 if half > 700.0 else 1.0 / (math.sqrt(2.0) * math.sinh(half))


def discrete_gaussian_pmf(k: npt.ArrayLike, scale: float) -> npt.NDArray[np.float64]:
    r"""Return :math:`P(k) \propto e^{-k^2/2\sigma^2}` on the integers.

    Parameters
    ----------
    k : array_like of int
        Noise values.
    scale : float
        The noise scale σ, above 0. The standard deviation is σ, too, to within 1e-6 of its value from σ = 1 on.

    Returns
    -------
    float64 array
        Of the shape of ``k``. The normaliser is summed where that takes few terms; from σ = 3 on it is
        :math:`\sigma\sqrt{2\pi}` to the last bit, by Poisson's summation.
    """
    values = np.asarray(k, dtype=np.float64) / scale
    if scale < 3.0:
        edge = math.ceil(40.0 * scale)
        normaliser = float(np.sum(np.exp(-0.5 * (np.arange(-edge, edge + 1) / scale) ** 2)))
    else:
        normaliser = scale * math.sqrt(2.0 * math.pi)
    return np.asarray(np.exp(-0.5 * values**2) / normaliser)


def selection_probabilities(scores: npt.ArrayLike, scale: float, rule: str) -> npt.NDArray[np.float64]:
    r"""Return each candidate's chance to be selected.

    The exponential mechanism gives :math:`P(i) \propto q_i`, :math:`q_i = e^{(s_i - \max s)/b}`. Permute-and-flip gives
    :math:`P(i) = q_i \int_0^1 \prod_{j \ne i} (1 - q_j y)\,dy`: the winner exceeds the top score by :math:`-b \ln y`,
    and every other noisy score stays below it.

    Parameters
    ----------
    scores : array_like of numbers, shape (n_candidates,)
    scale : float
        The noise scale b, above 0.
    rule : {"permute-and-flip", "exponential"}

    Returns
    -------
    float64 array, shape (n_candidates,)
    """
    values = np.asarray(scores, dtype=np.float64)
    if rule not in ("permute-and-flip", "exponential"):
        raise ParameterError("rule", rule, "'permute-and-flip' or 'exponential'")
    q = np.exp((values - values.max()) / scale)
    if rule == "exponential":
        return np.asarray(q / q.sum())
    # Gauss-Legendre with n nodes is exact for polynomials of degree 2n - 1; the product has degree K - 1.
    nodes, weights = np.polynomial.legendre.leggauss(values.size // 2 + 1)
    y, weights = 0.5 * (nodes + 1.0), 0.5 * weights
    logs = np.log1p(-np.outer(q, y))
    return np.asarray(q * (np.exp(logs.sum(axis=0) - logs) @ weights))
