"""Checks of constructor parameters: one sentence for every error, and types that cannot be mistaken for numbers."""

from __future__ import annotations

import json
import math
import numbers
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from privboost.errors import ParameterError, ParameterTypeError, PrivacyWarning
from privboost.privacy.budget import Budget
from privboost.privacy.charging import is_paid
from privboost.privacy.relation import RELATIONS, PrivacyUnit, Relation

__all__ = [
    "check_budget",
    "check_choice",
    "check_flag",
    "check_integer",
    "check_positive",
    "check_range",
    "check_real",
    "check_unit",
    "mapping_from_text",
    "mapping_to_text",
    "warn_of_delta",
]


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


def check_positive(name: str, value: object, expected: str = "a finite number above 0") -> float:
    """Return ``value`` as a finite float above 0."""
    return check_real(name, value, expected, low=0.0, high=math.inf, open_ends=True)


def check_range(name: str, value: object) -> tuple[float, float]:
    """Return ``value`` as a pair of finite floats, the first below the second, their difference finite."""
    expected = "a pair of finite numbers (low, high), low below high"
    ends = list(value) if isinstance(value, list | tuple | np.ndarray) and np.ndim(value) == 1 else []
    if len(ends) != 2:
        raise ParameterTypeError(name, value, expected)
    low, high = (check_real(name, end, expected, low=-math.inf, high=math.inf) for end in ends)
    if not (low < high and math.isfinite(high - low)):
        raise ParameterError(name, value, expected)
    return low, high


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


def mapping_to_text(mapping: Mapping[Any, Any]) -> str:
    """Write a mapping between plain values as JSON pairs: the keys of a JSON object would all become text."""
    return json.dumps([[_plain(key), _plain(value)] for key, value in mapping.items()], ensure_ascii=False)


def mapping_from_text(name: str, text: object) -> dict[Any, Any]:
    """Read what `mapping_to_text` wrote.

    Raises
    ------
    ParameterError
        For any other text.
    """
    error = ParameterError(name, text, "the text of a JSON list of pairs")
    try:
        pairs: Any = json.loads(text) if isinstance(text, str) else None
        mapping = {key: value for key, value in pairs}
    except (TypeError, ValueError, RecursionError):
        raise error from None
    if mapping_to_text(mapping) != text:
        raise error
    return mapping


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    return value if isinstance(value, str | bool | int) or not isinstance(value, numbers.Real) else float(value)


def check_unit(relation: object, rows_per_person: object) -> PrivacyUnit:
    """Return what neighbouring tables differ in.

    Raises
    ------
    ParameterError, ParameterTypeError
        For another relation, or a number of rows that is not a whole one from 1 to 1000.
    """
    check_choice("relation", relation, RELATIONS)
    return PrivacyUnit(cast(Relation, relation), check_integer("rows_per_person", rows_per_person, low=1, high=1000))


def check_budget(value: object) -> None:
    """Raise unless ``value`` is a budget, or None.

    Raises
    ------
    ParameterTypeError
    """
    if value is not None and not isinstance(value, Budget):
        remedy = "Make one: Budget(epsilon=1.0), or open one: Budget.open(path)."
        raise ParameterTypeError("budget", value, "None or a Budget", remedy)


def warn_of_delta(delta: float, n_rows: int, *, stacklevel: int) -> None:
    """Warn of a delta with which publishing a row at random would be private enough; ``stacklevel`` counts this call.

    Parameters
    ----------
    delta : float
    n_rows : int
        Public, 1 or more.
    stacklevel : int
    """
    if delta >= 1.0 / n_rows and not is_paid():
        warnings.warn(
            f"'delta' is {delta:g}, not below 1 / number of rows, {1.0 / n_rows:g}: such a guarantee would allow to "
            "publish a whole row, drawn at random. Choose a delta far below that.",
            PrivacyWarning,
            stacklevel=stacklevel,
        )
