"""Recompute a stated guarantee from its ledger, twice: by our own arithmetic, and with OpenDP's privacy maps.

With delta > 0 the composition of many releases is a calculation of its own; where Google's dp-accounting is installed,
it makes that calculation, too.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from importlib import import_module, metadata
from importlib.util import find_spec
from typing import Any, cast

import numpy as np

from privboost.errors import VerificationError
from privboost.privacy.accounting import Event, check_total
from privboost.privacy.composition import profile_of, total_privacy
from privboost.privacy.event_json import exact_ratio
from privboost.privacy.randomness import (
    RELEASE_LIMIT,
    opendp_gaussian,
    opendp_key_counts,
    opendp_laplace,
    opendp_select,
)
from privboost.privacy.statement import PrivacyStatement
from privboost.privacy.thresholds import THRESHOLD, key_delta

__all__ = [
    "VerificationReport",
    "opendp_epsilon",
    "opendp_key_delta",
    "opendp_rho",
    "second_accountant",
    "verify_statement",
]

# OpenDP returns floats rounded up, a few units in the last place above the exact cost; the exact sum has no tolerance.
_RELATIVE_TOLERANCE = 1e-9

# OpenDP subtracts a chance near 1 from 1: its delta is good to so much for each key, whatever its size.
_DELTA_ERROR = 2e-15

# dp-accounting works on a grid of losses; ours is this fine, relative to epsilon.
_GRID = 1e-4


@dataclass(frozen=True)
class VerificationReport:
    """What `verify_statement` found.

    Attributes
    ----------
    private : bool
        The statement's own claim; False for a simulation, whose arithmetic may still be right.
    epsilon : float
        The stated budget.
    total : Fraction or None
        Exact sum of the recomputed pure costs, at most ``epsilon`` unless ``delta`` is above 0; None if a release had
        Gaussian noise.
    opendp_total : float
        The same total with every cost taken from OpenDP's map.
    n_events, n_releases : int
        Ledger entries, and releases they stand for.
    opendp_version : str
    warning : str
        Empty for a private model.
    delta : float
        The stated delta.
    spent : float
        What the releases cost at ``delta``, at most ``epsilon``, rounded up.
    second_total : float or None
        The same by dp-accounting, which knows less about selections and may lie above ``epsilon`` with them; None for
        pure statements, or if it is not installed.
    shown_delta : float
        What showing keys takes of ``delta``; 0 if no release does.
    search_epsilon : float
        What all these totals contain for a search that chose the settings, recomputed from the cost of a try. Its tries
        have left no ledger: what one of them cost is the trainer's word.
    """

    private: bool
    epsilon: float
    total: Fraction | None
    opendp_total: float
    n_events: int
    n_releases: int
    opendp_version: str
    warning: str = ""
    delta: float = 0.0
    spent: float = math.nan
    second_total: float | None = None
    shown_delta: float = 0.0
    search_epsilon: float = 0.0

    def summary(self) -> str:
        """Say in a sentence what was verified."""
        if self.total is not None and self.total <= Fraction(self.epsilon):
            shown = f" and δ = {self.shown_delta:.6g}" if self.shown_delta else ""
            cost = f"ε = {float(self.total):.6g}{shown} in exact arithmetic"
        else:
            cost = f"ε = {self.spent:.6g} at δ = {self.delta:g}"
        second = "" if self.second_total is None else f", {self.second_total:.6g} by dp-accounting"
        search = f" and a search of ε = {self.search_epsilon:g}" if self.search_epsilon else ""
        sentence = (
            f"The ledger's {self.n_releases} releases{search} cost {cost} ({self.opendp_total:.6g} by "
            f"OpenDP {self.opendp_version}{second}), within the stated ε = {self.epsilon:g}."
        )
        return f"{self.warning} {sentence}" if self.warning else sentence

    def __str__(self) -> str:
        return self.summary()

    def to_dict(self) -> dict[str, Any]:
        """Return a mapping that strict JSON can hold."""
        total = self.total
        return {
            "private": self.private,
            "warning": self.warning,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "total": None if total is None else float(total),
            "total_exact": None if total is None else exact_ratio(total),
            "spent": self.spent,
            "opendp_total": self.opendp_total,
            "second_total": self.second_total,
            "shown_delta": self.shown_delta,
            "n_events": self.n_events,
            "n_releases": self.n_releases,
            "opendp_version": self.opendp_version,
        } | ({"search_epsilon": self.search_epsilon} if self.search_epsilon else {})


@lru_cache(maxsize=1024)
def opendp_epsilon(mechanism: str, scale: float, change: int) -> float:
    """Return OpenDP's epsilon for an input that changes by ``change`` integer units.

    For Gumbel noise OpenDP states rho = r**2 / 8 with r the bounded range of the mechanism, and r is its pure epsilon.
    """
    sums = mechanism in ("laplace", THRESHOLD)
    measurement = opendp_laplace(scale) if sums else opendp_select(scale, mechanism)
    bound = float(measurement.map(change))
    return math.sqrt(8.0 * bound) if mechanism == "exponential" else bound


@lru_cache(maxsize=1024)
def opendp_rho(scale: float, change: int) -> float:
    """Return OpenDP's rho of discrete Gaussian noise, for an input that changes by ``change`` in L2 norm."""
    return float(opendp_gaussian(scale).map(change))


@lru_cache(maxsize=1024)
def opendp_key_delta(scale: float, threshold: int, change: int) -> float:
    """Return OpenDP's delta of showing keys whose noisy counts are at least ``threshold``.

    The larger one of ``change`` keys of one row each, and one key of ``change`` rows.
    """
    measurement = opendp_key_counts(scale, threshold)
    return max(float(measurement.map(rows)[1]) for rows in ((change, change, 1), (1, change, change)))


def verify_statement(statement: PrivacyStatement) -> VerificationReport:
    """Recompute every release's cost and check the stated epsilon and delta.

    Parameters
    ----------
    statement : PrivacyStatement

    Returns
    -------
    VerificationReport
        Its ``private`` is False for a simulation: the arithmetic is right, the noise is not secret.

    Raises
    ------
    VerificationError
        If the statement carries no epsilon or an empty ledger, if a release was planned for another neighbour
        relation, if the costs exceed the stated epsilon and delta, or if OpenDP's map or dp-accounting disagrees.
    """
    epsilon, delta = statement.epsilon, statement.delta
    if epsilon is None:
        raise VerificationError(f"There is nothing to verify. {statement.warning}")
    if not statement.releases:
        raise VerificationError("The statement holds no release: there is no ledger to verify.")
    search = _search_cost(statement)
    costs = [_recompute(event, statement.unit.distance) for event in statement.releases]
    gaussian = any(event.mechanism == "gaussian" for event in statement.releases)
    total = None if gaussian else sum((cost for cost, _ in costs), Fraction(0))
    if total is not None:
        total = None if search is None else total + search
    if total != statement.total:
        raise VerificationError("The statement's total is not the sum of its releases' costs.")
    fit_epsilon, fit_delta = cast(float, statement.fit_epsilon), statement.fit_delta
    check_total(statement.releases, fit_epsilon, fit_delta)
    spent = cast(float, statement.spent)
    # A pure total may say less than the curve does; then the curve is what the statement rests on.
    by_sum = total is not None and total <= Fraction(epsilon)
    opendp_total = math.fsum(by for _, by in costs) if by_sum else _opendp_total(statement, [by for _, by in costs])
    if opendp_total > fit_epsilon * (1.0 + _RELATIVE_TOLERANCE):
        raise VerificationError(f"By OpenDP the releases cost {opendp_total!r}, more than {fit_epsilon!r}.")
    # What showing keys adds to delta is no part of dp-accounting's curves.
    shown = math.fsum(float(event.delta) for event in statement.releases)
    rest = fit_delta - shown
    second = None if by_sum else second_accountant(statement.releases, rest)
    if second is not None:
        _compare(statement.releases, fit_epsilon, rest, second)
    searched = 0.0 if statement.search is None else statement.search.epsilon
    return VerificationReport(
        private=statement.private,
        epsilon=epsilon,
        total=total,
        opendp_total=opendp_total + searched,
        n_events=len(statement.releases),
        n_releases=sum(event.count for event in statement.releases),
        opendp_version=metadata.version("opendp"),
        warning=statement.warning,
        delta=delta,
        spent=spent,
        second_total=None if second is None else second + searched,
        shown_delta=shown,
        search_epsilon=searched,
    )


def _search_cost(statement: PrivacyStatement) -> Fraction | None:
    """Return the exact pure cost of a search, 0 without one, None with a delta; raise if it exceeds what is stated."""
    search = statement.search
    if search is None:
        return Fraction(0)
    search.check()
    parts = Fraction(search.epsilon) + Fraction(cast(float, statement.fit_epsilon))
    if parts > Fraction(cast(float, statement.epsilon)) or search.delta > statement.delta:
        raise VerificationError("The search and the releases are stated to cost more than the whole.")
    if search.try_epsilon is None:
        return None
    return (2 + search.law.eta) * Fraction(search.try_epsilon)


def _recompute(event: Event, distance: int) -> tuple[Fraction, float]:
    """Return the exact cost and OpenDP's, from the event's raw facts alone: epsilon, or rho for Gaussian noise."""
    if event.mechanism == "none":
        raise VerificationError(f"The release {event.label!r} was exact: no epsilon covers it.")
    if event.distance != distance:
        raise VerificationError(f"The release {event.label!r} was planned for another neighbour relation.")
    change = distance * event.sensitivity
    repeats = 1 if event.composition == "parallel" else event.count
    one = change / Fraction(event.scale)
    if event.mechanism == "gaussian":
        exact = repeats * one * one / 2
        by_opendp = repeats * opendp_rho(event.scale, change)
    else:
        exact = repeats * one
        by_opendp = repeats * opendp_epsilon(event.mechanism, event.scale, change)
    if not math.isclose(by_opendp, float(exact), rel_tol=_RELATIVE_TOLERANCE):
        raise VerificationError(
            f"OpenDP gives the release {event.label!r} a cost of {by_opendp!r}, privboost {float(exact)!r}."
        )
    if event.mechanism == THRESHOLD:
        _check_key_delta(event, change)
    return exact, by_opendp


def _check_key_delta(event: Event, change: int) -> None:
    if event.threshold > RELEASE_LIMIT:  # released numbers are clamped: no key is shown
        return
    own, theirs = (
        key_delta(change, event.scale, event.threshold),
        opendp_key_delta(event.scale, event.threshold, change),
    )
    # OpenDP takes the keys to be independent, and ours is the sum of their chances, which is a little more.
    error = _DELTA_ERROR * max(1, change)
    most = theirs * (1.0 + change * theirs) * (1.0 + 1e-6) + error
    if not theirs * (1.0 - 1e-6) - error <= own <= most:
        raise VerificationError(f"OpenDP gives the release {event.label!r} a delta of {theirs!r}, privboost {own!r}.")


def _opendp_total(statement: PrivacyStatement, by_opendp: Sequence[float]) -> float:
    """Return the epsilon at delta that OpenDP's costs of all releases add up to, by our composition."""
    ratios = [
        math.sqrt(by / float(event.rho)) if event.mechanism == "gaussian" else by / float(event.cost)
        for event, by in zip(statement.releases, by_opendp, strict=True)
    ]
    # All ratios are 1 but for rounding, or `_recompute` would have raised: the largest is applied to the whole.
    return total_privacy(statement.releases, statement.fit_delta) * max(1.0, *ratios)


def second_accountant(releases: Sequence[Event], delta: float) -> float | None:
    """Return the epsilon at ``delta`` by dp-accounting; None if it is not installed, or epsilon beyond its floats.

    The better of its two accountants: losses on a grid (selections and Laplace noise entered as pure epsilon), and
    Rényi divergences (selections by the exponential mechanism entered as zero-concentrated).

    Parameters
    ----------
    releases : sequence of Event
    delta : float
        Above 0, and without what showing keys takes of it, which is no part of these curves.
    """
    if find_spec("dp_accounting") is None:
        return None
    try:
        return min(_by_losses(releases, delta), _by_divergences(releases, delta))
    except OverflowError:
        return None


def _by_losses(releases: Sequence[Event], delta: float) -> float:
    library = import_module("dp_accounting.pld.privacy_loss_distribution")
    profile = replace(profile_of(releases), shown=Fraction(0))  # `delta` is without what showing keys takes of it
    # At most some million cells, also where epsilon is small beside the losses.
    grid = max(_GRID * max(profile.epsilon_at(delta), profile.mu), 1e-6 * float(profile.pure_total), 1e-12)
    losses = library.identity(value_discretization_interval=grid)
    if profile.mu > 0.0:
        losses = library.from_gaussian_mechanism(1.0 / profile.mu, value_discretization_interval=grid)
    times: Counter[int] = Counter()
    step = 1e-3 * max((part.epsilon for part in profile.pure), default=0.0)
    for part in profile.pure:
        times[math.ceil(part.epsilon / step)] += part.times  # rounded up, so that nearly equal ones are one
    for multiple, count in times.items():
        one = library.from_randomized_response(
            2.0 / (1.0 + math.exp(multiple * step)), 2, value_discretization_interval=grid
        )
        losses = losses.compose(one.self_compose(count))
    return float(losses.get_epsilon_for_delta(delta))


def _by_divergences(releases: Sequence[Event], delta: float) -> float:
    library, events = import_module("dp_accounting.rdp"), import_module("dp_accounting.dp_event")
    costs: Counter[tuple[str, float]] = Counter()
    for event in releases:
        times = 1 if event.composition == "parallel" else event.count
        value = 1.0 / float(event.mu) if event.mechanism == "gaussian" else float(event.rho) / times
        costs["gaussian" if event.mechanism == "gaussian" else "other", value] += times
    variance = 2.0 * math.fsum(float(event.rho) for event in releases)
    orders = 1.0 + np.geomspace(0.05, 100.0, 200) / math.sqrt(variance)
    accountant = library.RdpAccountant(orders)
    for (kind, value), times in costs.items():
        event = events.GaussianDpEvent(value) if kind == "gaussian" else events.ZCDpEvent(value)
        accountant.compose(events.SelfComposedDpEvent(event, times))
    return float(accountant.get_epsilon(delta))


def _compare(releases: Sequence[Event], epsilon: float, delta: float, second: float) -> None:
    """Raise if dp-accounting proves the statement wrong.

    With Gaussian noise only, both calculations are exact, and the second must confirm the first. With selections the
    second is only a bound from above; what it finds for the Gaussian releases alone is one from below.
    """
    gaussian = [event for event in releases if event.mechanism == "gaussian"]
    alone = _by_losses(gaussian, delta) if gaussian else 0.0
    least = second if len(gaussian) == len(releases) else alone
    if least > epsilon * (1.0 + 20.0 * _GRID):
        raise VerificationError(f"By dp-accounting the releases cost {least!r} or more, above {epsilon!r}.")
