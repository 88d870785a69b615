"""The boosted combination, and the single tree that is one step of it.

Private rows are touched through ``rows`` only. Whatever decides the next step - the leaf values, the tree's weight, the
bound on the rows' weights, the next criterion's alpha - is computed from released numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import cast

import numpy as np
import numpy.typing as npt

from privboost.ensembles.ensemble import Ensemble
from privboost.ensembles.plan import BoostingPlan, TreeBudget, level_alphas, leverage_step
from privboost.ensembles.simulated import grow_output, trees_of
from privboost.kernels.boost import weight_cap
from privboost.kernels.sums import MOST_CELLS
from privboost.losses import Loss, MAlphaLoss
from privboost.privacy.accounting import Ledger
from privboost.privacy.mechanisms import Exact, Laplace
from privboost.privacy.randomness import Randomness, SimulatedRandomness
from privboost.privacy.simulation import may_simulate
from privboost.sources.local import GRID, LocalRows
from privboost.trees.growing import grow_structure
from privboost.trees.leaves import leaf_probability, link_values, weighted_edge
from privboost.trees.splitting import ExactSplitter, PrivateSplitter, Splitter, score_sensitivity
from privboost.trees.tree import Splits, Tree

__all__ = ["Trainer", "train_boosted", "train_single"]

Progress = Callable[[], None]

MOST_RUN_ROWS = 2**16
MOST_RUN_SUMS = 2**22
"""Most rows of a compiled run, and sums of its last level. Beyond them, little time is spent outside kernels."""


@dataclass(frozen=True)
class Trainer:
    """What every tree of a run needs: the plan, the candidates, where draws come from and where costs go.

    Attributes
    ----------
    plan : BoostingPlan
    candidates : Splits
    randomness : Randomness
    ledger : Ledger
    progress : callable
        Called once a tree.
    """

    plan: BoostingPlan
    candidates: Splits
    randomness: Randomness
    ledger: Ledger
    progress: Progress = lambda: None

    def grow(self, rows: LocalRows, budget: TreeBudget, losses: tuple[Loss, ...], cap: int) -> ReleasedTree:
        """Grow one tree on the rows' current weights, none above ``cap`` grid units, and release its leaves."""
        rows.start_tree()
        choose = partial(self._splitter(budget, losses, cap).choose, rows)
        splits = grow_structure(choose, rows.route, self.plan.settings.max_depth)
        raw = rows.leaf_sums(cap)
        if self.plan.epsilon is None:
            exact = Exact.for_release(budget.leaves).apply(raw, self.randomness, self.ledger)
            return ReleasedTree(splits, exact.values.reshape(-1, 2) / GRID, 0.0)
        laplace = Laplace.for_release(budget.leaves, cap)
        noisy = laplace.apply(raw, self.randomness, self.ledger)
        return ReleasedTree(splits, noisy.values.reshape(-1, 2) / GRID, laplace.scale / GRID)

    def _splitter(self, budget: TreeBudget, losses: tuple[Loss, ...], cap: int) -> Splitter:
        if self.plan.epsilon is None:
            return ExactSplitter(self.candidates, losses, budget.levels, self.ledger)
        form = self.plan.settings.sensitivity
        known = {loss: score_sensitivity(loss, self.plan.n_rows, cap, form) for loss in dict.fromkeys(losses)}
        sensitivities = tuple(known[loss] for loss in losses)
        return PrivateSplitter(self.candidates, losses, sensitivities, budget.levels, self.randomness, self.ledger)


@dataclass(frozen=True, eq=False)
class ReleasedTree:
    """A tree's structure and its leaves' class sums, as released.

    Attributes
    ----------
    splits : Splits
    sums : ndarray of float64, shape (n_leaves, 2)
        In units of a weight.
    noise_scale : float
        Of the sums; 0 without privacy.
    """

    splits: Splits
    sums: npt.NDArray[np.float64]
    noise_scale: float


def train_boosted(
    trainer: Trainer, rows_of_output: Callable[[int], LocalRows], n_classes: int
) -> tuple[Ensemble, BoostingPlan]:
    """Train the boosted combination of every output.

    Parameters
    ----------
    trainer : Trainer
    rows_of_output : callable
        Gives the rows with class 1 standing for the output's class and class 0 for the rest, all weights 1/2.
    n_classes : int

    Returns
    -------
    ensemble : Ensemble
    plan : BoostingPlan
        With the alphas and weight bounds that training derived.
    """
    plan, n_trees = trainer.plan, trainer.plan.settings.n_trees
    trees: list[Tree] = []
    weights: list[float] = []
    alphas: list[tuple[float, ...]] = []
    bounds: list[float] = []
    for output in range(plan.n_outputs):
        budgets, rows = plan.trees[output * n_trees : (output + 1) * n_trees], rows_of_output(output)
        boost = _boost_compiled if _compiles(trainer, rows) else _boost_output
        boost(trainer, rows, budgets, trees, weights, alphas, bounds)
    ensemble = Ensemble(
        "margin",
        n_classes,
        tuple(trees),
        np.array(weights, np.float64),
        np.repeat(np.arange(plan.n_outputs, dtype=np.int64), n_trees),
        plan.settings.combination_alpha,
    )
    return ensemble, plan.recorded(alphas, bounds)


def _compiles(trainer: Trainer, rows: LocalRows) -> bool:
    """Whether a compiled run may take the place of release after release: in simulations of little work only.

    It keeps a whole level's sums, and works in one thread.
    """
    if type(rows) is not LocalRows or not may_simulate(trainer.randomness):
        return False
    n_sums = 2**trainer.plan.settings.max_depth * rows.n_cells
    few = rows.n_rows <= MOST_RUN_ROWS and rows.n_cells <= MOST_CELLS and n_sums <= MOST_RUN_SUMS
    return len(trainer.candidates) > 0 and few


def _boost_compiled(
    trainer: Trainer,
    rows: LocalRows,
    budgets: tuple[TreeBudget, ...],
    trees: list[Tree],
    weights: list[float],
    alphas: list[tuple[float, ...]],
    bounds: list[float],
) -> None:
    """Do what `_boost_output` does, in one compiled call."""
    randomness = cast(SimulatedRandomness, trainer.randomness)
    grown = grow_output(trainer.plan, budgets, trainer.candidates, rows, randomness, trainer.ledger)
    trees += trees_of(trainer.plan, grown)
    weights += grown.coefficient.tolist()
    alphas += map(tuple, grown.alpha.tolist())
    bounds += (grown.cap / GRID).tolist()
    for _ in budgets:
        trainer.progress()


def _boost_output(
    trainer: Trainer,
    rows: LocalRows,
    budgets: tuple[TreeBudget, ...],
    trees: list[Tree],
    weights: list[float],
    alphas: list[tuple[float, ...]],
    bounds: list[float],
) -> None:
    settings = trainer.plan.settings
    combination = MAlphaLoss(settings.combination_alpha)
    largest_score = 0.0  # bound on |H(x)| over all x, from released trees alone
    for budget in budgets:
        cap = _weight_cap(combination, largest_score) if settings.weight_bound == "released" else GRID
        level = level_alphas(trainer.plan, budget, cap / GRID)
        released = trainer.grow(rows, budget, tuple(MAlphaLoss(a) for a in level), cap)
        exact = rows.exact_leaf_sums() / GRID if settings.leverage == "exact" else None
        values = link_values(
            leaf_probability(released.sums, released.noise_scale, settings.leaf_smoothing),
            settings.combination_alpha,
            settings.leaf_clip,
        )
        mean_weight, edge = weighted_edge(
            released.sums if exact is None else exact, values, trainer.plan.n_rows, settings.leaf_clip
        )
        beta = leverage_step(settings) * mean_weight * edge
        leaf_steps = beta * values
        largest_score += float(np.abs(leaf_steps).max())
        rows.boost(leaf_steps, settings.combination_alpha, _weight_cap(combination, largest_score))
        trees.append(Tree(settings.max_depth, released.splits, values[:, None]))
        weights.append(beta)
        alphas.append(level)
        bounds.append(cap / GRID)
        trainer.progress()


def _weight_cap(combination: MAlphaLoss, largest_score: float) -> int:
    """Largest weight that a row can have when no score exceeds ``largest_score``, rounded up to the grid."""
    return int(weight_cap(largest_score, combination.alpha, float(GRID)))


def train_single(
    trainer: Trainer, rows_of_output: Callable[[int], LocalRows], n_classes: int, criterion: Loss
) -> tuple[Ensemble, BoostingPlan]:
    """Train one tree an output, all row weights 1, whose leaves hold the probability of the output's class."""
    plan, settings = trainer.plan, trainer.plan.settings
    trees: list[Tree] = []
    for output in range(plan.n_outputs):
        losses = (criterion,) * settings.max_depth
        released = trainer.grow(rows_of_output(output), plan.trees[output], losses, GRID)
        values = leaf_probability(released.sums, released.noise_scale, settings.leaf_smoothing)
        trees.append(Tree(settings.max_depth, released.splits, values[:, None]))
        trainer.progress()
    outputs = np.arange(plan.n_outputs, dtype=np.int64)
    ensemble = Ensemble("probability", n_classes, tuple(trees), np.ones(len(trees)), outputs)
    return ensemble, plan.recorded([], [1.0] * len(trees))
