"""What a search will do and cost, decided from public numbers before a row is read."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from privboost.errors import ParameterError, ParameterTypeError, PlanError
from privboost.estimators.base import PrivateEstimator
from privboost.privacy.accounting import PlannedRelease, total_cost
from privboost.privacy.gaussian import gdp_epsilon
from privboost.privacy.search_cost import SearchCost
from privboost.privacy.tries import TriesLaw, float_below, rho_within
from privboost.search.scores import planned_score

__all__ = ["FIXED", "MOST_SETTINGS", "SearchPlan", "divide", "draw_held_out", "list_settings", "plan_search"]

MOST_SETTINGS = 1000

FIXED = (
    "epsilon",
    "delta",
    "relation",
    "rows_per_person",
    "privacy",
    "domain",
    "classes",
    "target_range",
    "n_jobs",
    "random_state",
    "verbose",
    "budget",
)
"""Parameters that a grid cannot vary: they are the guarantee, or what it takes to be public."""


@dataclass(frozen=True, eq=False)
class SearchPlan:
    """Everything about a search that does not depend on a row's values.

    Attributes
    ----------
    settings : tuple of dict
    tries, refits : tuple of estimators
        Unfitted, one for each setting: with the budget of a try, and with what the search leaves.
    cost : SearchCost
    score : PlannedRelease
        Of each try.
    """

    settings: tuple[dict[str, Any], ...]
    tries: tuple[PrivateEstimator, ...]
    refits: tuple[PrivateEstimator, ...]
    cost: SearchCost
    score: PlannedRelease


def list_settings(param_grid: Any, estimator: PrivateEstimator) -> tuple[dict[str, Any], ...]:
    """Return every combination of a grid.

    Raises
    ------
    ParameterTypeError
        If it is no mapping of names to sequences, nor a list of such.
    ParameterError
        If it is empty or too large, or names a parameter that the estimator lacks or a search cannot vary.
    """
    expected = "a dict of parameter names and lists of values, or a list of such dicts"
    grids = [param_grid] if isinstance(param_grid, Mapping) else param_grid
    if not isinstance(grids, Sequence) or isinstance(grids, str) or not all(isinstance(g, Mapping) for g in grids):
        raise ParameterTypeError("param_grid", type(param_grid), expected)
    known = estimator.get_params(deep=False)
    for grid in grids:
        for name, values in grid.items():
            if name not in known or name in FIXED:
                free = ", ".join(sorted(set(known) - set(FIXED)))
                raise ParameterError("param_grid", name, f"made of names among {free}")
            if isinstance(values, str) or not isinstance(values, Sequence | np.ndarray) or len(values) == 0:
                raise ParameterTypeError("param_grid", {name: values}, expected)
    size = sum(math.prod(len(values) for values in grid.values()) for grid in grids)
    if not 1 <= size <= MOST_SETTINGS:
        raise ParameterError("param_grid", f"{size} settings", f"1 to {MOST_SETTINGS} settings")
    return tuple(dict(zip(grid, values, strict=True)) for grid in grids for values in itertools.product(*grid.values()))


def draw_held_out(n_rows: int, share: float, generator: np.random.Generator) -> npt.NDArray[np.bool_]:
    """Draw for each row by itself whether it is held out; anew, where all rows fell into one part.

    No draw depends on what the table holds, nor on the draws of other rows: neighbours have all rows but one in the
    same parts, wherever that one is.

    Parameters
    ----------
    n_rows : int
        2 or more.
    share : float
        Between 0 and 1, both excluded.
    generator : numpy.random.Generator
        Who knows these draws learns nothing.

    Returns
    -------
    ndarray of bool, shape (n_rows,)
    """
    while True:
        held_out = generator.random(n_rows) < share
        if held_out.any() and not held_out.all():
            return held_out


def divide(total: float, share: float) -> tuple[float, float]:
    """Return the parts of the search and of the refit, as floats whose exact sum is at most ``total``."""
    search = float_below(Fraction(total) - Fraction(float_below(Fraction(total) * (1 - Fraction(share)))))
    return search, float_below(Fraction(total) - Fraction(search))


def plan_search(
    estimator: PrivateEstimator,
    settings: Sequence[dict[str, Any]],
    rows: tuple[Any, Any],
    n_fit: int,
    law: TriesLaw,
    parts: tuple[tuple[float, float], tuple[float, float]],
    distance: int,
) -> SearchPlan:
    """Prepare every try and every refit: whatever could be refused is refused here.

    Parameters
    ----------
    estimator : PrivateEstimator
    settings : sequence of dict
    rows : (table, column)
        Their schema alone is looked at.
    n_fit : int
        Rows that a try is fitted on.
    law : TriesLaw
    parts : ((float, float), (float, float))
        Epsilon and delta of the search, and of the refit.
    distance : int
        Additions and removals of one row between neighbours.

    Raises
    ------
    ParameterError, SchemaError, PlanError
        As ``fit`` does, for any setting.
    """
    (epsilon, delta), rest = parts
    refits = tuple(_made(estimator, setting, *rest) for setting in settings)
    for refit in refits:
        _prepared(refit, rows, None)
    if delta == 0.0:
        one = float_below(Fraction(epsilon) / (2 + law.eta))
        tries = tuple(_made(estimator, setting, one, 0.0) for setting in settings)
        for candidate in tries:
            _require_pure(_prepared(candidate, rows, n_fit).releases, one)
        cost = SearchCost(law, epsilon, 0.0, try_epsilon=one)
        return SearchPlan(tuple(settings), tries, refits, cost, planned_score(Fraction(one), distance))
    try:
        rho = rho_within(law, epsilon, delta)
        tries = _within_rho(estimator, settings, rows, n_fit, rho, delta)
    except (OverflowError, ZeroDivisionError):
        raise PlanError("Epsilon and delta are beyond what a search can be planned for. Choose usual ones.") from None
    cost = SearchCost(law, epsilon, delta, try_rho=rho)
    noise = Fraction(math.sqrt(2.0 * rho) * (1.0 - 1e-15))  # epsilon**2 / 2 is its rho
    return SearchPlan(tuple(settings), tries, refits, cost, planned_score(noise, distance))


def _within_rho(
    estimator: PrivateEstimator, settings: Sequence[dict[str, Any]], rows: Any, n_fit: int, rho: float, delta: float
) -> tuple[PrivateEstimator, ...]:
    """Find the epsilon for which no setting's plan costs more than ``rho``; the same for all, so that they compare."""
    epsilon = max(gdp_epsilon(delta, math.sqrt(2.0 * rho)), math.sqrt(2.0 * rho))
    for _ in range(50):
        tries = tuple(_made(estimator, setting, epsilon, delta) for setting in settings)
        plans = [_prepared(candidate, rows, n_fit) for candidate in tries]
        worst = max(sum((release.rho for release in plan.releases), Fraction(0)) for plan in plans)
        if worst <= Fraction(rho):
            return tries
        epsilon *= min(0.9999, math.sqrt(rho / float(worst)))
    raise PlanError("No budget of a try was found for this epsilon and delta. Raise epsilon, or use delta=0.")


def _require_pure(releases: Sequence[PlannedRelease], epsilon: float) -> None:
    """Raise unless releases are pure and cost at most ``epsilon``: the cost of a search is worked out from that."""
    total = total_cost(releases)
    if total is None or total > Fraction(epsilon):
        raise PlanError("A setting's plan is not pure, or costs more than a try may. Leave 'mechanism' to the library.")


def _made(estimator: PrivateEstimator, setting: dict[str, Any], epsilon: float, delta: float) -> PrivateEstimator:
    made: PrivateEstimator = clone(estimator)
    made.set_params(**setting, epsilon=epsilon, verbose=False)
    # The estimator's own delta must not survive: what a search costs is worked out from the parts of its own.
    return made.set_params(delta=delta) if "delta" in made.get_params(deep=False) else made


def _prepared(estimator: PrivateEstimator, rows: tuple[Any, Any], n_rows: int | None) -> Any:
    estimator._check_shared_parameters()
    estimator._check_parameters()
    return estimator._prepare(*rows, n_rows=n_rows).plan
