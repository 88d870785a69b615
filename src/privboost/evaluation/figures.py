r"""Figures from released counts, each with the error that the noise leaves in it. No row comes here.

Counts are used as they were released, negative ones too: their noise has mean 0 and is independent, so that sums and
products of different cells are unbiased as they are, and cutting each cell off at 0 would add half a noise scale to
every empty one. Only a finished figure is cut off at the ends of its range.

A figure is a smooth function g of the counts c. With noise of variance :math:`v` in every count, and rows that are a
sample of a population, its variance is about

.. math:: v \sum_i g_i^2 + \sum_i g_i^2 c_i, \qquad g_i = \partial g / \partial c_i:

the first sum is the noise's part (how far the figure is from that of these very rows), the second the sample's.
For figures that do not change when all counts are multiplied by a constant, as all of ours, the second sum is the same
whether the number of rows is fixed or not.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = [
    "LEAST_ROWS",
    "Curve",
    "Figure",
    "area_under_curve",
    "calibration_curve",
    "ratio",
    "root",
    "tied_pairs",
    "total",
]

Floats = npt.NDArray[np.float64]

LEAST_ROWS = 4.0
"""A figure needs so many standard deviations of noise in the sums that it is divided by; else it is not given."""

NORMAL = 1.96
"""95 % of a normal variable lies within so many standard deviations."""


@dataclass(frozen=True)
class Figure:
    """One figure and how exact it is.

    Attributes
    ----------
    value : float
    noise_error : float
        Standard deviation that the noise alone gives it: its distance from the figure of these very rows, at binned
        scores.
    standard_error : float
        The same with the sampling error of the rows: its distance from the figure of their population.
    low, high : float
        Interval for the latter that holds about 95 % of the time, cut off at the figure's range.
    """

    value: float
    noise_error: float
    standard_error: float
    low: float
    high: float


@dataclass(frozen=True)
class Curve:
    """How predicted and observed rates differ.

    Attributes
    ----------
    points : tuple of dict
        For each group of bins, ``low`` and ``high``: its ends; ``predicted``: the mean prediction; ``observed``: a
        `Figure` as a dict. Both are None where noise outweighs the group's rows.
    error : float or None
        Expected calibration error: the groups' absolute differences between predicted and observed rate, weighted by
        their rows.
    noise_part : float or None
        At most so much of ``error`` is noise, on average: noise makes an absolute value larger, and never smaller. The
        rows' own error lies between ``error - noise_part`` and ``error``, on average.
    """

    points: tuple[dict[str, Any], ...]
    error: float | None
    noise_part: float | None


def total(counts: Floats, noise_variance: float, most: int) -> Figure:
    """Return the number of rows counted, of ``most``; its only error is that of the noise."""
    return _figure(float(counts.sum()), noise_variance * counts.size, 0.0, 0.0, float(most))


def ratio(
    parts: Floats, counts: Floats, noise_variance: float, low: float = 0.0, high: float = 1.0, unit: float = 1.0
) -> Figure | None:
    r"""Return the mean of a row's ``parts`` over all rows counted, :math:`\sum_i p_i c_i / \sum_i c_i`.

    Parameters
    ----------
    parts : ndarray of float64
        What a row of each cell adds, such as 1 where the prediction is right.
    counts : ndarray of float64, of the same shape
    noise_variance : float
        Of each count, 0 or more.
    low, high : float, default=0.0, 1.0
        The figure's range, before it is multiplied.
    unit : float, default=1.0
        What the figure is multiplied by, above 0.

    Returns
    -------
    Figure or None
        None where the number of rows is not at least `LEAST_ROWS` standard deviations of its noise.
    """
    rows = float(counts.sum())
    if not _enough(rows, counts.size, noise_variance):
        return None
    value = float((parts * counts).sum()) / rows
    slope = (parts - value) / rows
    return _figure(value, *_variances(slope, counts, noise_variance), low, high, unit)


def root(figure: Figure | None) -> Figure | None:
    """Return the square root of a figure of 0 or more, with errors of first order."""
    if figure is None:
        return None
    value, low, high = math.sqrt(figure.value), math.sqrt(figure.low), math.sqrt(figure.high)
    # At 0 the slope is infinite: the interval's length then says as much.
    slope = 0.5 / value if value > 0.0 else 0.0
    half = 0.5 * (high - low) / NORMAL
    return Figure(value, slope * figure.noise_error or half, slope * figure.standard_error or half, low, high)


def area_under_curve(counts: Floats, noise_variance: float) -> Figure | None:
    r"""Return the chance that a row of the second class lies in a higher bin than one of the first, ties as a half.

    By the trapezoid rule over bins, :math:`U/(N_0 N_1)` with
    :math:`U = \sum_{i<j} c_{i0} c_{j1} + \frac12 \sum_i c_{i0} c_{i1}`. Each product joins two cells whose noise is
    independent, so the numerator has no bias, and neither has the denominator.

    Parameters
    ----------
    counts : ndarray of float64, shape (n_bins, 2)
        Bins in rising order of the score.
    noise_variance : float

    Returns
    -------
    Figure or None
        None where a class has not at least `LEAST_ROWS` standard deviations of noise.
    """
    first, second = counts[:, 0], counts[:, 1]
    return _of_pairs(
        np.cumsum(first) - 0.5 * first, second.sum() - np.cumsum(second) + 0.5 * second, counts, noise_variance
    )


def tied_pairs(counts: Floats, noise_variance: float) -> Figure | None:
    """Return the share of pairs of rows of different classes that lie in one bin, which hides their order.

    `area_under_curve` counts each as a half: the area of the scores themselves differs from it by at most half of this.
    It is larger as a rule, since a good model is right about more than half of the pairs.

    Parameters
    ----------
    counts, noise_variance
        As for `area_under_curve`.
    """
    return _of_pairs(counts[:, 0], counts[:, 1], counts, noise_variance)


def _of_pairs(first_part: Floats, second_part: Floats, counts: Floats, noise_variance: float) -> Figure | None:
    """Return a share of pairs: how many rows of the first class count for one of the second in each bin, and back."""
    n_first, n_second = (float(rows) for rows in counts.sum(axis=0))
    n_bins = len(counts)
    if not all(_enough(rows, n_bins, noise_variance, parts=2) for rows in (n_first, n_second)):
        return None
    for_second, for_first = first_part / n_first, second_part / n_second
    value = float((for_second * counts[:, 1]).sum()) / n_second
    slope = np.stack([(for_first - value) / n_first, (for_second - value) / n_second], axis=1)
    return _figure(value, *_variances(slope, counts, noise_variance), 0.0, 1.0)


def calibration_curve(counts: Floats, middles: Floats, edges: Floats, n_groups: int, noise_variance: float) -> Curve:
    """Compare predicted and observed rates in groups of bins.

    A difference is the sum of ``middle * (no) - (1 - middle) * (yes)`` over the group's bins, which is linear in the
    counts: merging bins costs no exactness of the prediction.

    Parameters
    ----------
    counts : ndarray of float64, shape (n_bins, 2)
        Rows for which the predicted event did not happen, and did.
    middles : ndarray of float64, shape (n_bins,)
        Prediction of each bin.
    edges : ndarray of float64, shape (n_bins + 1,)
    n_groups : int
        A divisor of n_bins.
    noise_variance : float
    """
    each = len(middles) // n_groups
    weights = np.stack([middles, middles - 1.0], axis=1)
    excess = (weights * counts).reshape(n_groups, -1).sum(axis=1)
    deviation = np.sqrt(noise_variance * (weights**2).reshape(n_groups, -1).sum(axis=1))
    points = tuple(
        _point(counts[k : k + each], middles[k : k + each], edges[k : k + each + 1], noise_variance)
        for k in range(0, len(middles), each)
    )
    rows = float(counts.sum())
    if not _enough(rows, counts.size, noise_variance):
        return Curve(points, None, None)
    # A noise's mean absolute value is at most its standard deviation.
    return Curve(points, min(float(np.abs(excess).sum()) / rows, 1.0), float(deviation.sum()) / rows)


def _point(counts: Floats, middles: Floats, edges: Floats, noise_variance: float) -> dict[str, Any]:
    observed = ratio(np.stack([np.zeros_like(middles), np.ones_like(middles)], axis=1), counts, noise_variance)
    low, high = float(edges[0]), float(edges[-1])
    if observed is None:
        return {"low": low, "high": high, "predicted": None, "observed": None}
    mean = float((middles * counts.sum(axis=1)).sum() / counts.sum())
    return {"low": low, "high": high, "predicted": min(max(mean, low), high), "observed": asdict(observed)}


def _enough(rows: float, n_cells: int, noise_variance: float, parts: int = 1) -> bool:
    # The more parts are divided by, the smaller each of them may not be.
    return rows >= max(LEAST_ROWS * math.sqrt(parts * noise_variance * n_cells), 1.0)


def _variances(slope: Floats, counts: Floats, noise_variance: float) -> tuple[float, float]:
    """Return the noise's and the sample's part of a figure's variance; an estimate of the latter may be negative."""
    squares = slope**2
    return noise_variance * float(squares.sum()), max(float((squares * counts).sum()), 0.0)


def _figure(value: float, noise: float, sample: float, low: float, high: float, unit: float = 1.0) -> Figure:
    error = math.sqrt(noise + sample)
    ends = (min(max(value + sign * NORMAL * error, low), high) for sign in (-1.0, 1.0))
    inside = min(max(value, low), high)
    return Figure(inside * unit, math.sqrt(noise) * unit, error * unit, *(end * unit for end in ends))
