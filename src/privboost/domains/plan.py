"""What learning a domain will release, fixed from the schema and public numbers before a row is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from privboost.data.attributes import MAX_CODES, Attribute
from privboost.domains.ranges import MAGNITUDES, N_BINS
from privboost.errors import ParameterError, SchemaError
from privboost.privacy.accounting import PlannedRelease
from privboost.privacy.relation import PrivacyUnit
from privboost.privacy.thresholds import THRESHOLD

__all__ = ["KINDS", "MOST_KEYS", "DomainPlan", "plan_domain"]

KINDS = ("numeric", "integer", "categorical")
"""What a column may be learnt as."""

MOST_KEYS = MAX_CODES - 2
"""Categories that an attribute can list."""

MAGNITUDE_SHARE = Fraction(1, 2)
"""Part of a column of numbers' epsilon that finds its magnitude; the rest finds the bounds."""


@dataclass(frozen=True)
class DomainPlan:
    """Everything about learning a domain that does not depend on a cell.

    Attributes
    ----------
    known : dict of str to Attribute
        Columns that are declared; they cost nothing.
    numbers : dict of str to bool
        Columns whose bounds are learnt, and whether they hold whole numbers only.
    keyed : tuple of str
        Columns whose categories are learnt.
    labels : bool
        Whether the labels of a target are learnt, too.
    n_rows : int
    unit : PrivacyUnit
    epsilon, delta : float
        What all releases together are within; ``delta`` is 0 if only bounds are learnt.
    releases : tuple of PlannedRelease
        In the order in which they will be made: magnitudes, bounds, the keys of each column, labels.
    """

    known: dict[str, Attribute]
    numbers: dict[str, bool]
    keyed: tuple[str, ...]
    labels: bool
    n_rows: int
    unit: PrivacyUnit
    epsilon: float
    delta: float
    releases: tuple[PlannedRelease, ...]


def plan_domain(
    columns: Mapping[str, Attribute | str],
    n_rows: int,
    epsilon: float,
    delta: float = 0.0,
    unit: PrivacyUnit | None = None,
    *,
    labels: bool = False,
) -> DomainPlan:
    """Divide the budget: every learnt column gets the same part of epsilon, every list of keys the same of delta.

    Parameters
    ----------
    columns : mapping of str to Attribute or str
        What is declared of each column, or the kind that it is learnt as: one of `KINDS`.
    n_rows : int
        Of the table; public.
    epsilon, delta : float
        Budget.
    unit : PrivacyUnit, optional
        By default one row, added or removed.
    labels : bool, default=False
        Whether the labels of a target are learnt, too.

    Returns
    -------
    DomainPlan

    Raises
    ------
    SchemaError
        If everything is declared.
    ParameterError
        If categories are to be learnt with a delta of 0, or one too small.
    PlanError
        If the noise that the budget demands cannot be represented.
    """
    unit = PrivacyUnit() if unit is None else unit
    known = {name: kind for name, kind in columns.items() if not isinstance(kind, str)}
    numbers = {name: kind == "integer" for name, kind in columns.items() if kind in ("numeric", "integer")}
    keyed = tuple(name for name, kind in columns.items() if kind == "categorical")
    learnt = len(numbers) + len(keyed) + labels
    if not learnt:
        raise SchemaError("There is nothing to learn: every column is declared. Use Domain(attributes), which is free.")
    lists = len(keyed) + labels
    _check_delta(keyed, labels, delta)
    share = Fraction(epsilon) / learnt
    releases = _number_releases(len(numbers), share, unit)
    names = [*(f"domain/{name}/keys" for name in keyed), *(["domain/labels"] if labels else [])]
    for name in names:
        release = PlannedRelease(
            name, THRESHOLD, share, 1, "sequential", unit.distance, MOST_KEYS, delta=Fraction(delta) / lists
        )
        releases.append(release)
    stated = delta if lists else 0.0
    return DomainPlan(known, numbers, keyed, labels, n_rows, unit, epsilon, stated, tuple(releases))


def _check_delta(keyed: tuple[str, ...], labels: bool, delta: float) -> None:
    if delta == 0.0 and (keyed or labels):
        what = ", ".join(repr(name) for name in keyed[:5]) + (f" and {len(keyed) - 5} more" if len(keyed) > 5 else "")
        lists = " and ".join(([f"the categories of {what}"] if keyed else []) + (["the labels"] if labels else []))
        raise ParameterError(
            "delta",
            delta,
            f"above 0 to learn {lists}",
            "No list of what occurs is private without a delta. Give one far below 1 / number of rows, such as 1e-6, or "
            "declare the lists.",
        )


def _number_releases(n_columns: int, share: Fraction, unit: PrivacyUnit) -> list[PlannedRelease]:
    """Return the two histograms of all columns of numbers: a row lies in one cell of each column."""
    if not n_columns:
        return []
    parts = {
        "domain/magnitudes": (MAGNITUDE_SHARE, MAGNITUDES.size + 1),
        "domain/bounds": (1 - MAGNITUDE_SHARE, N_BINS),
    }
    return [
        PlannedRelease(name, "laplace", n_columns * share * part, 1, "sequential", unit.distance, n_columns * cells)
        for name, (part, cells) in parts.items()
    ]
