"""By which factor the scores of two classes should be multiplied, so that probabilities are what they say.

Leaves are drawn towards zero where noise is large, and noise draws scores apart: the one makes probabilities too timid,
the other too bold. A histogram of the scores, with the classes apart, tells which; what is done with it is
post-processing.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

__all__ = ["MAX_SLOPE", "MOST_EXPECTED", "N_SCORE_BINS", "OWN_STEPS", "calibration_slope", "score_edges"]

Floats = npt.NDArray[np.float64]

_EDGES = (0.25, 0.5, 1.0, 2.0, 4.0)
_CENTRES = (0.125, 0.37, 0.73, 1.45, 2.9, 5.8)
"""Ends of the bins of a distance and, as rows thin out away from the base, a little below their middle, where their
rows are taken to lie; in units of the spread that is expected. A wide range, as real rows may lie far closer together,
or further apart, than rows whose attributes have nothing to do with each other."""

N_SCORE_BINS = 2 * len(_CENTRES)
"""Bins of the histogram of scores."""

_PRIOR = 0.7
"""Standard deviation of the logarithm of the slope, around that of the expected one, before anything was released."""

MOST_EXPECTED = 20.0
"""Largest slope that may be expected."""

OWN_STEPS = ("learning_rate", "shrinkage")
"""Settings of which none may be given where a slope is expected: steps that somebody chose are meant as they are."""

_WIDTH = 2.0
"""Standard deviation of how many rows a bin holds, as a part of what it would hold if all held as many."""

_GRID = np.linspace(-2.0, 2.0, 401)

MAX_SLOPE = math.exp(2.0)
"""No slope is more than so many times the expected one, or less than the expected one divided by it."""

_FLOOR = 0.25
"""Added to every variance, in rows: that of a count that is rounded to whole rows."""


def score_edges(spread: float) -> Floats:
    """Return the inner edges of the bins, as distances from the base score, rising, shape (N_SCORE_BINS - 1,).

    Parameters
    ----------
    spread : float
        Standard deviation of the distances that is expected, above 0.
    """
    edges = spread * np.array(_EDGES)
    return np.concatenate([-edges[::-1], [0.0], edges])


def calibration_slope(
    counts: Floats, noise: float, total: float, base: float, spread: float, expected: float = 1.0
) -> float:
    r"""Estimate the slope a at which the positive class has probability :math:`1 / (1 + e^{-(base + a d)})`.

    d is the distance of a score from the base score. A bin of n rows and rate p holds n (1 - p) and n p rows of the two
    classes, give or take what n draws with this rate differ by, and the noise. How many rows there are in a bin has a
    wide normal prior, the logarithm of the slope a narrower one around what is expected. The slope returned is the
    exponential of the latter's posterior mean: where noise hides the rates, it is about what was expected.

    Parameters
    ----------
    counts : ndarray, shape (N_SCORE_BINS, 2)
        Released rows of both classes in every bin; may be negative.
    noise : float
        Standard deviation of one count's noise; 0 without.
    total : float
        About how many rows there are.
    base : float
    spread : float
        As for `score_edges`.
    expected : float
        From 1 to `MOST_EXPECTED`: public, before anything was released.

    Returns
    -------
    float
        Between ``expected / MAX_SLOPE`` and ``expected * MAX_SLOPE``.

    References
    ----------
    Platt (1999), "Probabilistic outputs for support vector machines"; Guo, Pleiss, Sun & Weinberger (2017), "On
    calibration of modern neural networks" (temperature scaling: the slope is the inverse of the temperature).
    """
    centres = spread * np.array(_CENTRES)
    distance = np.concatenate([-centres[::-1], centres])
    p = 0.5 + 0.5 * np.tanh(0.5 * (base + expected * np.exp(_GRID)[:, None] * distance))
    equal, wide = total / N_SCORE_BINS, (_WIDTH * total / N_SCORE_BINS) ** 2
    drawn = np.clip(counts.sum(axis=1), 0.0, total) * p * (1.0 - p)
    zero, one = counts[:, 0] - equal * (1.0 - p), counts[:, 1] - equal * p
    # The two counts of a bin have covariance alone * I + wide * (1 - p, p)(1 - p, p)' + drawn * (1, -1)(1, -1)'.
    alone = noise**2 + _FLOOR
    determinant = alone**2 + alone * (wide * ((1.0 - p) ** 2 + p**2) + 2.0 * drawn) + wide * drawn
    square = alone * (zero**2 + one**2) + wide * (p * zero - (1.0 - p) * one) ** 2 + drawn * (zero + one) ** 2
    log_posterior = -0.5 * (square / determinant + np.log(determinant)).sum(axis=1) - 0.5 * (_GRID / _PRIOR) ** 2
    weight = np.exp(log_posterior - log_posterior.max())
    return float(expected * np.exp((weight * _GRID).sum() / weight.sum()))
