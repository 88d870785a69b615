"""A ledger at a glance: one line for each kind of release and mechanism."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from privboost.privacy.accounting import Event, total_cost

__all__ = ["ReleaseGroup", "group_releases", "release_kind", "table_lines"]

_MECHANISM_NAMES = {
    "laplace": "discrete Laplace",
    "gaussian": "discrete Gaussian",
    "permute-and-flip": "permute-and-flip",
    "exponential": "exponential mechanism",
    "laplace-threshold": "Laplace, threshold",
    "none": "EXACT, no noise",
}


def release_kind(label: str) -> str:
    """Return the kind of a release: what follows the last slash of its label."""
    return label.rsplit("/", 1)[-1]


@dataclass(frozen=True, slots=True)
class ReleaseGroup:
    """All events of one kind and mechanism, as one line of a table.

    Attributes
    ----------
    kind, mechanism : str
    n_events : int
        Ledger entries.
    n_releases : int
        Releases: the sum of the entries' counts.
    relative_scale : (float, float) or None
        Smallest and largest noise scale, in units of the sensitivity to one row; None for exact releases.
    cost : Fraction or None
        Exact sum of the pure costs; None for exact releases and for Gaussian noise.
    share : float or None
        Part of the total that they spent: of epsilon if the whole run is pure, else of rho, see `Event.rho`. None with
        Gaussian noise beside releases that show keys, which have no measure in common.
    mu : float or None
        Of Gaussian noise, all of the group's releases as one.
    """

    kind: str
    mechanism: str
    n_events: int
    n_releases: int
    relative_scale: tuple[float, float] | None
    cost: Fraction | None
    share: float | None
    mu: float | None = None


def group_releases(releases: Sequence[Event]) -> tuple[ReleaseGroup, ...]:
    """Collapse a ledger to one entry for each kind and mechanism, in order of first appearance."""
    by_kind: dict[tuple[str, str], list[Event]] = {}
    for event in releases:
        by_kind.setdefault((release_kind(event.label), event.mechanism), []).append(event)
    total, rho = total_cost(releases), None
    if total is None and all(event.private and not event.delta for event in releases):
        rho = math.fsum(float(event.rho) for event in releases)
    return tuple(_group(kind, mechanism, events, total, rho) for (kind, mechanism), events in by_kind.items())


def _group(
    kind: str, mechanism: str, events: Sequence[Event], total: Fraction | None, total_rho: float | None
) -> ReleaseGroup:
    n_releases = sum(event.count for event in events)
    if mechanism == "none":
        return ReleaseGroup(kind, mechanism, len(events), n_releases, None, None, None)
    gaussian = mechanism == "gaussian"
    cost = None if gaussian else total_cost(events)
    rho = math.fsum(float(event.rho) for event in events)
    # Without a total (an exact release among them) a share would be a share of nothing.
    share = None
    if total is not None and cost is not None:
        share = float(cost / total)
    elif total_rho is not None:
        share = rho / total_rho
    relative = [event.scale / event.sensitivity for event in events]
    mu = math.sqrt(2.0 * rho) if gaussian else None
    return ReleaseGroup(kind, mechanism, len(events), n_releases, (min(relative), max(relative)), cost, share, mu)


def table_lines(groups: Sequence[ReleaseGroup]) -> list[str]:
    """Return the lines of a table, its header first; none without a release."""
    if not groups:
        return []
    header = ("what", "mechanism", "releases", "noise / one row", "ε", "share")
    rows = [header, *(_row(group) for group in groups)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(header))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _row(group: ReleaseGroup) -> tuple[str, ...]:
    name = _MECHANISM_NAMES[group.mechanism]
    if group.relative_scale is None:
        return (group.kind, name, str(group.n_releases), "0", "infinite", "")
    low, high = group.relative_scale
    noise = f"{low:.3g}" if f"{low:.3g}" == f"{high:.3g}" else f"{low:.3g} to {high:.3g}"
    share = "" if group.share is None else f"{100 * group.share:.1f} %"
    cost = f"μ = {group.mu:.4g}" if group.cost is None else f"{float(group.cost):.6g}"
    return (group.kind, name, str(group.n_releases), noise, cost, share)
