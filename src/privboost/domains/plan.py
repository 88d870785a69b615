"""What learning a domain will release, fixed from the schema and public numbers before a row is read."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from privboost.data.attributes import MAX_CODES, Attribute
from privboost.domains.counting import sensitivity
from privboost.domains.ranges import MAGNITUDES, N_BINS
from privboost.errors import ParameterError, PlanError, SchemaError
from privboost.privacy.accounting import PlannedRelease
from privboost.privacy.calibration import calibrate_releases, divide_budget
from privboost.privacy.keys import KeySelection
from privboost.privacy.mechanisms import Gaussian, Laplace
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
        What all releases together are within; ``delta`` is 0 if nothing needs it.
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

    @property
    def gaussian(self) -> bool:
        """Whether histograms have Gaussian noise; else Laplace noise."""
        return self.releases[0].mechanism == "gaussian"

    def mechanisms(self) -> tuple[list[Laplace | Gaussian], list[KeySelection]]:
        """Return the mechanisms of the histograms, and those of the lists, in order."""
        kind = Gaussian if self.gaussian else Laplace
        change = sensitivity(max(len(self.numbers), 1), gaussian=self.gaussian)
        lists = [release for release in self.releases if release.mechanism == THRESHOLD]
        histograms = [release for release in self.releases if release.mechanism != THRESHOLD]
        return [kind.for_release(release, change) for release in histograms], [*map(KeySelection.for_release, lists)]


def plan_domain(
    columns: Mapping[str, Attribute | str],
    n_rows: int,
    epsilon: float,
    delta: float = 0.0,
    unit: PrivacyUnit | None = None,
    *,
    labels: bool = False,
) -> DomainPlan:
    """Divide the budget: epsilon evenly among columns, delta among lists, and the noise of numbers if it is Gaussian.

    Numbers get Gaussian noise where there is a delta, and more than one column: that is the smaller one then, and less
    and less of the whole the more columns there are. All columns of numbers count as the root of their number.

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
    _check_delta(keyed, labels, delta)
    gaussian = delta > 0.0 and len(numbers) > 1
    try:
        return _planned(known, numbers, keyed, labels, n_rows, epsilon, delta, unit, gaussian=gaussian)
    except PlanError:  # a budget that is too small for Gaussian noise on integers
        if not gaussian:
            raise
        return _planned(known, numbers, keyed, labels, n_rows, epsilon, delta, unit, gaussian=False)


def _planned(
    known: dict[str, Attribute],
    numbers: dict[str, bool],
    keyed: tuple[str, ...],
    labels: bool,
    n_rows: int,
    epsilon: float,
    delta: float,
    unit: PrivacyUnit,
    *,
    gaussian: bool,
) -> DomainPlan:
    lists = len(keyed) + labels
    parts = lists + gaussian  # of delta
    # A row's numbers are as long as the root of their number in L2 norm, which Gaussian noise follows.
    weight = Fraction(math.isqrt(len(numbers) * 10**6), 10**3) if gaussian else Fraction(len(numbers))
    for_numbers, *each = divide_budget(epsilon, [weight, *[1] * lists])
    releases = [] if not numbers else _number_releases(len(numbers), for_numbers, unit, gaussian=gaussian)
    names = [*(f"domain/{name}/keys" for name in keyed), *(["domain/labels"] if labels else [])]
    for name, share in zip(names, each, strict=True):
        release = PlannedRelease(
            name, THRESHOLD, share, 1, "sequential", unit.distance, MOST_KEYS, delta=Fraction(delta) / parts
        )
        releases.append(release)
    if gaussian:
        releases = list(calibrate_releases(releases, epsilon, delta))
    stated = delta if parts else 0.0
    plan = DomainPlan(known, numbers, keyed, labels, n_rows, unit, epsilon, stated, tuple(releases))
    plan.mechanisms()  # noise that cannot be represented is found now
    return plan


def _check_delta(keyed: tuple[str, ...], labels: bool, delta: float) -> None:
    if delta == 0.0 and (keyed or labels):
        what = ", ".join(repr(name) for name in keyed[:5]) + (f" and {len(keyed) - 5} more" if len(keyed) > 5 else "")
        lists = " and ".join(([f"the categories of {what}"] if keyed else []) + (["the labels"] if labels else []))
        remedy = (
            "No list of what occurs is private without a delta. Give one far below 1 / number of rows, such as 1e-6, "
            "or declare the lists."
        )
        if keyed:
            remedy += (
                " Columns without a type, as in a list of rows, are taken for categories: if they hold numbers, give "
                f"an array, or attributes={{{keyed[0]!r}: 'numeric'}}."
            )
        raise ParameterError("delta", delta, f"above 0 to learn {lists}", remedy)


def _number_releases(n_columns: int, epsilon: Fraction, unit: PrivacyUnit, *, gaussian: bool) -> list[PlannedRelease]:
    """Return the two histograms of all columns of numbers: a row lies in one cell of each column.

    Gaussian ones are still to be calibrated.
    """
    parts = {
        "domain/magnitudes": (MAGNITUDE_SHARE, MAGNITUDES.size + 1),
        "domain/bounds": (1 - MAGNITUDE_SHARE, N_BINS),
    }
    return [
        PlannedRelease(
            name,
            "gaussian" if gaussian else "laplace",
            Fraction(0) if gaussian else epsilon * part,
            1,
            "sequential",
            unit.distance,
            n_columns * cells,
            1.0 / math.sqrt(part) if gaussian else None,
        )
        for name, (part, cells) in parts.items()
    ]
