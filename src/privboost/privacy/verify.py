"""Recompute a stated guarantee from its ledger, twice: in exact arithmetic, and with OpenDP's privacy maps."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from importlib import metadata
from typing import Any

from privboost.errors import VerificationError
from privboost.privacy.accounting import Event
from privboost.privacy.randomness import opendp_laplace, opendp_select
from privboost.privacy.statement import PrivacyStatement

__all__ = ["VerificationReport", "opendp_epsilon", "verify_statement"]

# OpenDP returns floats rounded up, a few units in the last place above the exact cost; the exact sum has no tolerance.
_RELATIVE_TOLERANCE = 1e-9


@dataclass(frozen=True)
class VerificationReport:
    """What `verify_statement` found.

    Attributes
    ----------
    private : bool
        The statement's own claim; False for a simulation, whose arithmetic may still be right.
    epsilon : float
        The stated budget.
    total : Fraction
        Exact sum of the recomputed costs, at most ``epsilon``.
    opendp_total : float
        The same sum with every cost taken from OpenDP's map.
    n_events, n_releases : int
        Ledger entries, and releases they stand for.
    opendp_version : str
    warning : str
        Empty for a private model.
    """

    private: bool
    epsilon: float
    total: Fraction
    opendp_total: float
    n_events: int
    n_releases: int
    opendp_version: str
    warning: str = ""

    def summary(self) -> str:
        """Say in a sentence what was verified."""
        sentence = (
            f"The ledger's {self.n_releases} releases cost ε = {float(self.total):.6g} in exact arithmetic "
            f"({self.opendp_total:.6g} by OpenDP {self.opendp_version}), within the stated ε = {self.epsilon:g}."
        )
        return f"{self.warning} {sentence}" if self.warning else sentence

    def __str__(self) -> str:
        return self.summary()

    def to_dict(self) -> dict[str, Any]:
        """Return a mapping that strict JSON can hold."""
        return {
            "private": self.private,
            "warning": self.warning,
            "epsilon": self.epsilon,
            "total": float(self.total),
            "total_exact": f"{self.total.numerator}/{self.total.denominator}",
            "opendp_total": self.opendp_total,
            "n_events": self.n_events,
            "n_releases": self.n_releases,
            "opendp_version": self.opendp_version,
        }


@lru_cache(maxsize=1024)
def opendp_epsilon(mechanism: str, scale: float, change: int) -> float:
    """Return OpenDP's epsilon for an input that changes by ``change`` integer units.

    For Gumbel noise OpenDP states rho = r**2 / 8 with r the bounded range of the mechanism, and r is its pure epsilon.
    """
    measurement = opendp_laplace(scale) if mechanism == "laplace" else opendp_select(scale, mechanism)
    bound = float(measurement.map(change))
    return math.sqrt(8.0 * bound) if mechanism == "exponential" else bound


def verify_statement(statement: PrivacyStatement) -> VerificationReport:
    """Recompute every release's cost and check the stated epsilon.

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
        relation, if the costs exceed the stated epsilon, or if OpenDP's map disagrees with ours.
    """
    if statement.epsilon is None:
        raise VerificationError(f"There is nothing to verify. {statement.warning}")
    if not statement.releases:
        raise VerificationError("The statement holds no release: there is no ledger to verify.")
    total = Fraction(0)
    opendp_total = 0.0
    for event in statement.releases:
        cost, by_opendp = _recompute(event, statement.unit.distance)
        total += cost
        opendp_total += by_opendp
    if total != statement.total:
        raise VerificationError("The statement's total is not the sum of its releases' costs.")
    if total > Fraction(statement.epsilon):
        raise VerificationError(f"The releases cost {float(total)!r}, more than epsilon = {statement.epsilon!r}.")
    if opendp_total > statement.epsilon * (1.0 + _RELATIVE_TOLERANCE):
        raise VerificationError(f"By OpenDP the releases cost {opendp_total!r}, more than {statement.epsilon!r}.")
    return VerificationReport(
        private=statement.private,
        epsilon=statement.epsilon,
        total=total,
        opendp_total=opendp_total,
        n_events=len(statement.releases),
        n_releases=sum(event.count for event in statement.releases),
        opendp_version=metadata.version("opendp"),
        warning=statement.warning,
    )


def _recompute(event: Event, distance: int) -> tuple[Fraction, float]:
    """Return the exact cost and OpenDP's, from the event's raw facts alone."""
    if event.mechanism == "none":
        raise VerificationError(f"The release {event.label!r} was exact: no epsilon covers it.")
    if event.distance != distance:
        raise VerificationError(f"The release {event.label!r} was planned for another neighbour relation.")
    change = distance * event.sensitivity
    repeats = 1 if event.composition == "parallel" else event.count
    exact = repeats * change / Fraction(event.scale)
    by_opendp = repeats * opendp_epsilon(event.mechanism, event.scale, change)
    if not math.isclose(by_opendp, float(exact), rel_tol=_RELATIVE_TOLERANCE):
        raise VerificationError(
            f"OpenDP gives the release {event.label!r} a cost of {by_opendp!r}, privboost {float(exact)!r}."
        )
    return exact, by_opendp
