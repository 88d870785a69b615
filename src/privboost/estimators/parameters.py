"""Checks of constructor parameters: one sentence for every error, and types that cannot be mistaken for numbers."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence

import numpy as np

from privboost.errors import ParameterError, ParameterTypeError

__all__ = ["check_choice", "check_flag", "check_integer", "check_real"]


def check_real(name: str, value: object, expected: str, *, low: float, high: float, open_ends: bool = False) -> float:
    """Return ``value`` as a finite float in ``[low, high]``, or in ``(low, high)``.

    Raises
    ------
    ParameterTypeError
        Not a real number; a bool or a string is not one.
    ParameterError
        NaN, infinite or out of range.
    """
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise ParameterTypeError(name, value, expected)
    try:
        number = float(value)
    except OverflowError:
        raise ParameterError(name, "a number beyond the range of floats", expected) from None
    inside = low < number < high if open_ends else low <= number <= high
    if not (math.isfinite(number) and inside):
        raise ParameterError(name, value, expected)
    return number


def check_integer(name: str, value: object, *, low: int, high: int) -> int:
    """Return ``value`` as an int in ``[low, high]``; floats and bools are refused."""
    expected = f"an integer from {low} to {high}"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Integral):
        raise ParameterTypeError(name, value, expected)
    if not low <= int(value) <= high:
        raise ParameterError(name, value, expected)
    return int(value)


def check_choice(name: str, value: object, choices: Sequence[object], remedy: str = "") -> None:
    """Refuse a value that is none of ``choices``."""
    if not any(value is c or (isinstance(value, str) and value == c) for c in choices):
        raise ParameterError(name, value, "one of " + ", ".join(repr(c) for c in choices), remedy)


def check_flag(name: str, value: object) -> bool:
    """Return ``value``, which must be a bool."""
    if not isinstance(value, (bool, np.bool_)):
        raise ParameterTypeError(name, value, "True or False")
    return bool(value)
