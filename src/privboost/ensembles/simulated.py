"""Simulated boosting in compiled code: public numbers in arrays, one call an output, trees and ledger out.

The ordinary path (`privboost.ensembles.boosting`) serves whatever is private. Both make the same calls to the same
kernels with the same draws, so that a seed gives the same model on either.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from privboost.data.layout import CodeLayout
from privboost.ensembles.compiled_run import Budgets, Choices, GrownTrees, RunTests, run_output
from privboost.ensembles.ensemble import Ensemble
from privboost.ensembles.plan import BoostingPlan, TreeBudget, leverage_step, log_trials
from privboost.errors import PlanError
from privboost.kernels.sums import MOST_CELLS
from privboost.privacy.accounting import Ledger
from privboost.privacy.randomness import RULE_CODES, SimulatedRandomness
from privboost.privacy.scales import MIN_SCALE
from privboost.privacy.simulation import reciprocal, simulate
from privboost.sources.local import GRID, LocalRows, RowArrays
from privboost.trees.tree import EqualTrees, Splits

__all__ = ["grow_output", "train_simulated", "trees_of"]


def train_simulated(
    plan: BoostingPlan,
    candidates: Splits,
    layout: CodeLayout,
    codes: npt.NDArray[np.uint8],
    labels: npt.NDArray[np.int16],
    generator: np.random.Generator,
    ledger: Ledger | None = None,
) -> Ensemble:
    """Train a boosted combination for two classes in simulation: a study's many ensembles of the same rows.

    Parameters
    ----------
    plan : BoostingPlan
        Of one output, for as many rows.
    candidates : Splits
        At least one.
    layout : CodeLayout
        The meaning of the codes, of which all attributes together have at most `MOST_CELLS`.
    codes : ndarray of uint8, shape (n_attributes, n_rows)
        C order.
    labels : ndarray of int16, shape (n_rows,)
        0 or 1; -1 for a row that counts nothing.
    generator : numpy.random.Generator
        Advanced; the draws are those of `train_boosted`. Not private.
    ledger : Ledger or None
        Where the costs go that secret noise would have had; None for a new one.

    Returns
    -------
    Ensemble

    Raises
    ------
    PlanError
        For more codes.
    """
    rows = LocalRows(codes, layout.offsets, labels, 2, 0.5)
    ledger = Ledger() if ledger is None else ledger
    grown = grow_output(plan, plan.trees, candidates, rows, SimulatedRandomness(generator), ledger)
    return Ensemble(
        "margin",
        2,
        trees_of(plan, grown),
        grown.coefficient,
        np.zeros(len(plan.trees), np.int64),
        plan.settings.combination_alpha,
    )


def grow_output(
    plan: BoostingPlan,
    budgets: Sequence[TreeBudget],
    candidates: Splits,
    rows: LocalRows,
    randomness: SimulatedRandomness,
    ledger: Ledger,
) -> GrownTrees:
    """Grow all trees of one output on fresh rows of weight 1/2, and record every release of theirs.

    Parameters
    ----------
    plan : BoostingPlan
    budgets : sequence of TreeBudget
        Of the output's trees; all equal, as `plan_boosting` makes them.
    candidates : Splits
        At least one.
    rows : LocalRows
        Of at most `MOST_CELLS` codes of all attributes together; boosted in place.
    randomness : SimulatedRandomness
    ledger : Ledger

    Returns
    -------
    GrownTrees
    """
    if rows.n_cells > MOST_CELLS:
        raise PlanError(f"At most {MOST_CELLS} codes, of all attributes together, can be simulated at once.")
    depth = plan.settings.max_depth
    out = _empty(len(budgets), depth)
    choices, shares = _choices(plan), _budgets(budgets[0])
    tests = RunTests(candidates.attribute, candidates.first, candidates.last, candidates.missing_right)

    def run(generator: np.random.Generator, arrays: RowArrays) -> tuple[list[int], list[float]]:
        run_output(generator, choices, shares, arrays, tests, out)
        return out.sensitivity.ravel().tolist(), out.scale.ravel().tolist()

    releases = [release for tree in budgets for release in (*tree.levels, tree.leaves)]
    simulate(run, rows.raw(), releases, randomness, ledger)
    return out


def trees_of(plan: BoostingPlan, grown: GrownTrees) -> EqualTrees:
    """Return what was grown."""
    tests = Splits(grown.attribute.ravel(), grown.first.ravel(), grown.last.ravel(), grown.missing_right.ravel())
    return EqualTrees(plan.settings.max_depth, tests, grown.values[:, :, None])


def _empty(n_trees: int, depth: int) -> GrownTrees:
    n_tests = 2**depth - 1
    return GrownTrees(
        np.empty((n_trees, n_tests), np.int32),
        np.empty((n_trees, n_tests), np.uint8),
        np.empty((n_trees, n_tests), np.uint8),
        np.empty((n_trees, n_tests), np.bool_),
        np.empty((n_trees, n_tests + 1), np.float64),
        np.empty(n_trees, np.float64),
        np.empty(n_trees, np.int64),
        np.empty((n_trees, depth), np.float64),
        np.ones((n_trees, depth + 1), np.int64),  # an exact release is recorded with a sensitivity of 1
        np.zeros((n_trees, depth + 1), np.float64),
    )


def _choices(plan: BoostingPlan) -> Choices:
    settings = plan.settings
    return Choices(
        depth=settings.max_depth,
        n_rows=plan.n_rows,
        grid=GRID,
        distance=plan.unit.distance,
        private=plan.epsilon is not None,
        rule_code=RULE_CODES.get(settings.selection, -1),
        paper=settings.sensitivity == "paper",
        released_bound=settings.weight_bound == "released",
        exact_leverage=settings.leverage == "exact",
        alpha=-1.0 if settings.alpha is None else settings.alpha,
        combination_alpha=settings.combination_alpha,
        clip=settings.leaf_clip,
        step=leverage_step(settings),
        smoothing=settings.leaf_smoothing,
        gap=settings.calibration_gap,
        trials=log_trials(plan.n_candidates, settings.failure_probability),
        lowest=MIN_SCALE,
    )


def _budgets(tree: TreeBudget) -> Budgets:
    releases = (*tree.levels, tree.leaves)
    epsilon = np.array([float(release.epsilon) for release in releases])
    return Budgets(epsilon, np.array([reciprocal(release) for release in releases]))
