"""Forests of random trees: structure drawn without looking at a row, the budget spent at the leaves alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from privboost.ensembles.ensemble import Ensemble
from privboost.ensembles.plan import ForestPlan
from privboost.privacy.accounting import Ledger, PlannedRelease
from privboost.privacy.mechanisms import Exact, Laplace, Select
from privboost.privacy.randomness import Randomness
from privboost.sources.local import GRID, LocalRows
from privboost.trees.splitting import RandomSplitter
from privboost.trees.tree import Splits, Tree

__all__ = ["hard_votes", "soft_votes", "train_forest"]

SOFT_SHRINKAGE = 4.0
"""Pseudo-count of a soft leaf, in noise scales."""


def train_forest(
    rows: LocalRows,
    plan: ForestPlan,
    candidates: Splits,
    randomness: Randomness,
    ledger: Ledger,
    progress: Callable[[], None] = lambda: None,
) -> Ensemble:
    """Draw the trees, count the classes in their leaves and release one label for each leaf.

    Parameters
    ----------
    rows : LocalRows
        All weights 1.
    plan : ForestPlan
    candidates : Splits
    randomness : Randomness
    ledger : Ledger
    progress : callable, optional
        Called once a release.

    Returns
    -------
    Ensemble
        Trees that vote.
    """
    trees: list[Tree] = []
    per_release = plan.n_trees if plan.partition == "disjoint" else 1
    splitter = RandomSplitter(candidates, randomness.generator)
    for release in plan.releases:
        _spread(rows, per_release, randomness.generator)
        # All trees of a release grow side by side: tree k's nodes of a level stand at k * 2**level onwards.
        levels: list[Splits] = []
        for level in range(plan.max_depth):
            levels.append(splitter.choose(rows, level))
            rows.route(levels[-1])
        votes = _release_votes(rows, release, randomness, ledger, plan)
        for k in range(per_release):
            parts = [s.take(np.arange(k * 2**j, (k + 1) * 2**j)) for j, s in enumerate(levels)]
            leaves = slice(k * 2**plan.max_depth, (k + 1) * 2**plan.max_depth)
            trees.append(Tree(plan.max_depth, Splits.concatenate(parts), votes[leaves]))
        progress()
    return Ensemble("vote", plan.n_classes, tuple(trees), np.ones(len(trees)), np.full(len(trees), -1, np.int64))


def _spread(rows: LocalRows, n_trees: int, generator: np.random.Generator) -> None:
    """Send each row to one tree by a draw of its own: no row's tree depends on another row, or on its position."""
    rows.spread(generator.integers(n_trees, size=rows.n_rows, dtype=np.int32), n_trees)


def _release_votes(
    rows: LocalRows, release: PlannedRelease, randomness: Randomness, ledger: Ledger, plan: ForestPlan
) -> npt.NDArray[np.float64]:
    """Release each leaf's vote, shape (n_leaves, n_classes); every row sums to 1."""
    if release.mechanism == "exponential":
        label = Select.for_release(release, GRID).apply(rows.leaf_scores(GRID), randomness, ledger)
        return np.asarray(np.eye(plan.n_classes)[label])
    noise_scale = 0.0
    if release.mechanism == "laplace":
        laplace = Laplace.for_release(release, GRID)
        table, noise_scale = laplace.apply(rows.leaf_sums(GRID), randomness, ledger).values, laplace.scale / GRID
    else:
        table = Exact.for_release(release).apply(rows.leaf_sums(GRID), randomness, ledger).values
    counts = table.reshape(-1, plan.n_classes) / GRID
    return soft_votes(counts, SOFT_SHRINKAGE * noise_scale) if plan.leaf == "soft" else hard_votes(counts)


def hard_votes(counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Give each leaf's vote to its largest class; classes that tie share it."""
    most = (counts == counts.max(axis=1, keepdims=True)).astype(np.float64)
    return np.asarray(most / most.sum(axis=1, keepdims=True))


def soft_votes(counts: npt.NDArray[np.float64], pseudo_count: float) -> npt.NDArray[np.float64]:
    """Divide each leaf's vote as its classes are divided, drawn towards equal parts by ``pseudo_count`` rows.

    With two classes the parts differ by ``(n1 - n0) / (n1 + n0 + pseudo_count)``, negative counts taken as 0.
    """
    known = np.maximum(counts, 0.0)
    total = known.sum(axis=1, keepdims=True) + pseudo_count
    equal = 1.0 / counts.shape[1]
    some = total >= np.finfo(np.float64).tiny  # below it, a part of a sum can round to 0
    return np.asarray(np.where(some, (known + pseudo_count * equal) / np.where(some, total, 1.0), equal))
