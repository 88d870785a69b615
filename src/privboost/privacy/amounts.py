"""Amounts as a user gives them: numbers of any type, as floats."""

from __future__ import annotations

import math
import numbers

import numpy as np

from privboost.errors import ParameterError, ParameterTypeError

__all__ = ["check_delta", "check_epsilon", "real_number"]


def real_number(value: object, parameter: str, expected: str, remedy: str) -> float:
    """Return ``value`` as a float; NaN and infinity pass.

    Raises
    ------
    ParameterTypeError
        If it is no real number; a bool is none.
    ParameterError
        If it is too large for a float.
    """
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise ParameterTypeError(parameter, value, expected, remedy)
    try:
        return float(value)
    except OverflowError:
        raise ParameterError(parameter, "a number too large for a float", expected, remedy) from None


def check_epsilon(
    value: object,
    parameter: str = "epsilon",
    remedy: str = "Use privacy=None for a model without a guarantee.",
) -> float:
    """Return ``value`` as a float if it is a usable privacy budget.

    Parameters
    ----------
    value : object
        A real number above 0 and finite; NumPy scalars are accepted.
    parameter : str, default="epsilon"
        The name that an error message gives.
    remedy : str
        What it says to do.

    Raises
    ------
    ParameterTypeError
        If ``value`` is no real number (a bool, a string, None and a complex number are none).
    ParameterError
        If it is not a finite number above 0.
    """
    expected = "a finite number above 0"
    number = real_number(value, parameter, expected, remedy)
    if not math.isfinite(number) or number <= 0.0:
        raise ParameterError(parameter, value, expected, remedy)
    return number


def check_delta(value: object, parameter: str = "delta") -> float:
    """Return ``value`` as a float if it is a usable delta: 0 for pure privacy, else far below 1 / number of rows.

    Parameters
    ----------
    value : object
        A real number of 0 or more and below 1; NumPy scalars are accepted.
    parameter : str, default="delta"
        The name that an error message gives.

    Raises
    ------
    ParameterTypeError
        If ``value`` is no real number.
    ParameterError
        If it is out of range.
    """
    expected = "a number of 0 or more and below 1"
    remedy = "Use 0 for a pure guarantee, or a number far below 1 / number of rows, such as 1e-6."
    number = real_number(value, parameter, expected, remedy)
    if not 0.0 <= number < 1.0:
        raise ParameterError(parameter, value, expected, remedy)
    return abs(number)  # no negative zero
