"""The least noise that a budget allows, as a float that is rounded against ourselves."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

from privboost.errors import PlanError
from privboost.privacy.gaussian import MIN_GAUSSIAN_SCALE

__all__ = ["MAX_SCALE", "MIN_SCALE", "gaussian_scale", "noise_scale"]

# Below 2**-30 no draw can change an integer any more (the chance is exp(-2**30)), and a larger scale than asked for
# only costs less; above 2**200 every released number is noise and float arithmetic on it would overflow.
MIN_SCALE = 2.0**-30
MAX_SCALE = 2.0**200
_MAX_SCALE = int(MAX_SCALE)


def noise_scale(distance: int, sensitivity: int, epsilon: Fraction) -> float:
    """Return the smallest float scale b with distance * sensitivity / b <= epsilon, at least `MIN_SCALE`.

    Parameters
    ----------
    distance : int
        Additions and removals of one row between neighbours, 1 or more.
    sensitivity : int
        Largest change by one row added or removed, in integer units, 1 or more.
    epsilon : Fraction
        Budget of the release, above 0.

    Raises
    ------
    PlanError
        If the budget is not above 0, or so small that the scale exceeds `MAX_SCALE`.
    """
    p, q = epsilon.as_integer_ratio()
    if p <= 0:
        raise PlanError("A release needs a budget above 0. Raise epsilon, or give every kind of release a share.")
    return _scale_above(distance * sensitivity * q, p)


@lru_cache(maxsize=4096)
def gaussian_scale(distance: int, sensitivity: int, noise_multiplier: float) -> float:
    """Return the smallest float scale of at least noise_multiplier * distance * sensitivity and `MIN_GAUSSIAN_SCALE`.

    Parameters
    ----------
    distance : int
        Additions and removals of one row between neighbours, 1 or more.
    sensitivity : int
        Largest change of the L2 norm by one row added or removed, in integer units, 1 or more.
    noise_multiplier : float
        Above 0.

    Raises
    ------
    PlanError
        If the numbers are on too coarse a grid: the smallest scale would be more noise than asked for, and more
        than one row. Or if the scale exceeds `MAX_SCALE`.
    """
    scale = _float_above(*(distance * sensitivity * Fraction(noise_multiplier)).as_integer_ratio())
    if scale < MIN_GAUSSIAN_SCALE and sensitivity < MIN_GAUSSIAN_SCALE:
        raise PlanError(
            f"Gaussian noise needs numbers on a finer grid: one row must count for {MIN_GAUSSIAN_SCALE:g} units or "
            f"more, not for {sensitivity}. Multiply the numbers and their sensitivity by a constant before the release."
        )
    return max(scale, MIN_GAUSSIAN_SCALE)


@lru_cache(maxsize=4096)  # by integers: to hash a fraction costs more than the division
def _scale_above(numerator: int, denominator: int) -> float:
    return max(_float_above(numerator, denominator), MIN_SCALE)


def _float_above(numerator: int, denominator: int) -> float:
    """Return the smallest float of at least numerator / denominator, both above 0 and exact."""
    if numerator >= denominator * _MAX_SCALE:
        raise PlanError("The budget of a release is too small: its noise could not be represented. Raise epsilon.")
    scale = numerator / denominator  # of integers, rounded once
    top, bottom = scale.as_integer_ratio()
    return scale if top * denominator >= numerator * bottom else math.nextafter(scale, math.inf)
