"""Attributes along whose values scores may only rise, or only fall."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from privboost.data.domain import Domain
from privboost.data.layout import CodeLayout
from privboost.errors import ParameterError, ParameterTypeError, PlanError

__all__ = ["check_monotone", "monotone_directions"]


def check_monotone(constraints: Any) -> None:
    """Raise unless the parameter ``monotonic_cst`` is None or maps names to 1, -1 or 0."""
    if constraints is None:
        return
    expected = "a mapping of attribute names to 1 (rising), -1 (falling) or 0"
    if not isinstance(constraints, Mapping):
        raise ParameterTypeError("monotonic_cst", constraints, expected)
    for name, sign in constraints.items():
        if not isinstance(name, str) or isinstance(sign, bool) or sign not in (-1, 0, 1):
            raise ParameterError("monotonic_cst", {name: sign}, expected)


def monotone_directions(constraints: Mapping[str, int] | None, domain: Domain, layout: CodeLayout) -> tuple[int, ...]:
    """Return each attribute's direction; names and kinds are public."""
    if constraints is None:
        return ()
    unknown = [name for name in constraints if name not in domain.names]
    if unknown:
        raise PlanError(f"'monotonic_cst' names {unknown[0]!r}, which is not an attribute of the domain.")
    signs = [int(constraints.get(name, 0)) for name in domain.names]
    for name, sign, ordered in zip(domain.names, signs, layout.ordered, strict=True):
        if sign and not ordered:
            raise PlanError(f"'monotonic_cst' names {name!r}, whose categories have no order. Declare it as Ordinal.")
    return tuple(signs)
