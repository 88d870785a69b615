r"""What showing a key costs in delta: the chance that a count of few rows, with noise, reaches the threshold.

Counts of the keys that occur get discrete Laplace noise of scale b, and a key is shown where its noisy count is at
least the threshold T. A key that occurs in one of two neighbouring tables only, in r rows, is shown with the chance

.. math:: p_r = P[r + Z \geq T] = \frac{e^{-(T-r)/b}}{1 + e^{-1/b}}, \qquad T > r.

docs/guarantee.md proves what follows from it.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Final

from privboost.errors import ParameterError, ParameterTypeError
from privboost.privacy.gaussian import MARGIN

__all__ = ["THRESHOLD", "check_threshold", "key_delta", "key_threshold"]

THRESHOLD: Final = "laplace-threshold"
"""Name of the mechanism that shows keys."""

_LEAST = 1e-300  # what a chance that no float holds is rounded up to


def key_delta(distance: int, scale: float, threshold: int) -> float:
    r"""Return a delta for which showing the keys of one column is (distance / scale, delta)-private, rounded up.

    At most `distance` rows hold keys that the other table lacks: so many keys of one row each, or one key of so many
    rows, or something in between that is shown less likely than one of these. So delta is the larger of
    :math:`d\,p_1` and :math:`p_d`.

    Parameters
    ----------
    distance : int
        d, rows added or removed between neighbours, 1 or more.
    scale : float
        b, of discrete Laplace noise on numbers of rows.
    threshold : int
        T.

    Returns
    -------
    float
        1 if T is so low that d rows reach it without noise, or that :math:`p_d > 1 - e^{-1/b}`: there, that a key is
        not shown could tell more than the noise hides.
    """
    if threshold <= distance:
        return 1.0
    every = _chance(scale, threshold - distance)
    if every > -math.expm1(-1.0 / scale) / (1.0 + MARGIN):
        return 1.0
    return min(1.0, max(distance * _chance(scale, threshold - 1) * (1.0 + MARGIN), every))


def _chance(scale: float, least: int) -> float:
    """Return the chance that noise is `least` or more, which is above 0; rounded up."""
    return max(math.exp(-least / scale) / (1.0 + math.exp(-1.0 / scale)) * (1.0 + MARGIN), _LEAST)


@lru_cache(maxsize=1024)
def key_threshold(distance: int, scale: float, delta: Fraction) -> int:
    """Return the smallest threshold T above d + 1 for which `key_delta` is at most ``delta``.

    A lower one would do only where epsilon is so large that there is hardly noise, and OpenDP could not confirm it.

    Parameters
    ----------
    distance, scale
        As for `key_delta`.
    delta : Fraction
        Above 0.

    Raises
    ------
    ParameterError
        If ``delta`` is so small that no threshold is enough.
    """
    if delta < Fraction(_LEAST):
        raise ParameterError("delta", float(delta), f"at least {_LEAST:g} for each column whose keys are to be shown")
    low, high = distance + 1, distance + 2
    while Fraction(key_delta(distance, scale, high)) > delta:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if Fraction(key_delta(distance, scale, middle)) <= delta else (middle, high)
    return high


def check_threshold(mechanism: str, threshold: object, sensitivity: int, composition: str) -> None:
    """Raise unless an event's threshold fits its mechanism.

    Raises
    ------
    ParameterError, ParameterTypeError
        For a threshold below 1 where keys are shown, or not 0 where none are; for keys of which a row holds several.
    """
    if type(threshold) is not int:
        raise ParameterTypeError("threshold", threshold, "an integer of 0 or more")
    if mechanism != THRESHOLD:
        if threshold:
            raise ParameterError("threshold", threshold, f"0 unless the mechanism is {THRESHOLD!r}")
        return
    if threshold < 1:
        raise ParameterError("threshold", threshold, "an integer of 1 or more where keys are shown")
    if sensitivity != 1:
        raise ParameterError("sensitivity", sensitivity, "1 where keys are shown: a row holds one key, and counts once")
    if composition != "sequential":
        raise ParameterError("composition", composition, "'sequential' where keys are shown")
