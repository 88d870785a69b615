"""Ledger entries as JSON types: every cost as an exact fraction, and as the float next to it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from privboost.errors import ModelFileError, ParameterError
from privboost.privacy.accounting import Event
from privboost.privacy.shown import threshold_fields

__all__ = ["event_from_dict", "event_to_dict", "exact_ratio"]

_LONG_RATIO = 12_000  # bits; Python refuses to write more than 4300 decimals

_EVENT_FIELDS = ("label", "mechanism", "sensitivity", "scale", "distance", "count", "composition", "size")


def exact_ratio(value: Fraction) -> str:
    """Write ``"p/q"``; in hexadecimal, ``"0x.../0x..."``, where the decimals are too many for Python to convert."""
    if value.denominator.bit_length() > _LONG_RATIO or value.numerator.bit_length() > _LONG_RATIO:
        return f"{value.numerator:#x}/{value.denominator:#x}"
    return f"{value.numerator}/{value.denominator}"


def event_to_dict(event: Event) -> dict[str, Any]:
    """Return an event and its costs as JSON types."""
    fields: dict[str, Any] = {name: getattr(event, name) for name in _EVENT_FIELDS}
    pure = event.mechanism not in ("none", "gaussian")
    fields["epsilon"] = float(event.epsilon) if pure else None
    fields["epsilon_exact"] = exact_ratio(event.epsilon) if pure else None
    fields["cost"] = float(event.cost) if pure else None
    fields["cost_exact"] = exact_ratio(event.cost) if pure else None
    if event.mechanism == "gaussian":
        fields |= {"mu": float(event.mu), "mu_exact": exact_ratio(event.mu)}
    return fields | threshold_fields(event)


def event_from_dict(fields: object) -> Event:
    """Rebuild an event from `event_to_dict`; its costs are not looked at.

    Raises
    ------
    ModelFileError
        If a field is missing, or not valid.
    """
    if not isinstance(fields, Mapping):
        raise ModelFileError("A release of a privacy statement must be an object.")
    try:
        event = Event(**{name: fields[name] for name in _EVENT_FIELDS}, threshold=fields.get("threshold", 0))
    except KeyError as error:
        raise ModelFileError(f"A release of a privacy statement lacks the field {error}.") from error
    except (ParameterError, TypeError) as error:
        raise ModelFileError(f"A release of a privacy statement is not valid: {error}") from error
    return event
