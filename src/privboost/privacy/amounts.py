"""Amounts as a user gives them: numbers of any type, as floats."""

from __future__ import annotations

import numbers

import numpy as np

from privboost.errors import ParameterError, ParameterTypeError

__all__ = ["real_number"]


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
