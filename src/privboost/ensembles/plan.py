"""Public numbers in, a budget for every release out, before any row is read."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal

from privboost.errors import PlanError
from privboost.kernels.calibration import calibrated_alpha
from privboost.privacy.accounting import Composition, MechanismName, PlannedRelease
from privboost.privacy.relation import PrivacyUnit
from privboost.sources.local import GRID

Form = Literal["exact", "paper"]

MAX_RELEASES = 20_000
"""Most releases of one plan: their costs are added up exactly, and every model file lists them."""

MAX_LEAVES = 2**21
"""Most leaves of one model."""

__all__ = [
    "MAX_LEAVES",
    "MAX_RELEASES",
    "BoostingPlan",
    "BoostingSettings",
    "ForestPlan",
    "Form",
    "TreeBudget",
    "calibrate_alpha",
    "plan_boosting",
    "plan_forest",
]


@dataclass(frozen=True)
class BoostingSettings:
    """What a user chose; all of it public. The estimators document each field under the same name.

    ``alpha=None`` is objective calibration. ``criterion`` is the loss of every split where it is not the mixture.
    """

    n_trees: int
    max_depth: int
    split_share: float
    composition: Composition = "parallel"
    selection: MechanismName = "permute-and-flip"
    sensitivity: Form = "exact"
    leaf_smoothing: float = 1.0
    alpha: float | None = None
    combination_alpha: float = 1.0
    leaf_clip: float = 10.0
    leverage: str = "released"
    leverage_scale: float = 1.0
    weight_bound: str = "released"
    failure_probability: float = 0.1
    calibration_gap: float = 0.1


def leverage_step(settings: BoostingSettings) -> float:
    """Return the factor of mean weight and edge in a tree's coefficient: ``s alpha / M**2``."""
    return settings.leverage_scale * settings.combination_alpha / settings.leaf_clip**2


@dataclass(frozen=True)
class TreeBudget:
    """The releases of one tree: one for each level's splits, and one for the leaves."""

    levels: tuple[PlannedRelease, ...]
    leaves: PlannedRelease


@dataclass(frozen=True)
class BoostingPlan:
    """Everything that is decided before a row is read, and after training the record of what followed from it.

    Attributes
    ----------
    settings : BoostingSettings
    epsilon : float or None
        Total; None without privacy.
    unit : PrivacyUnit
    n_rows : int
        Public number of rows.
    n_candidates : int
        Candidate tests of a node.
    n_outputs : int
        1, or the number of classes, each learnt against the rest with an equal part of the budget.
    trees : tuple of TreeBudget
        ``n_outputs * n_trees`` of them, output by output.
    alphas : tuple of tuple of float
        After training: the criterion's alpha of every level of every tree. All nodes of a level share one, since it
        is a function of public numbers (and released weights' bound) only. Empty where the criterion has no alpha.
    weight_bounds : tuple of float
        After training: the public bound on a row's weight that each tree's releases were calibrated to.
    """

    settings: BoostingSettings
    epsilon: float | None
    unit: PrivacyUnit
    n_rows: int
    n_candidates: int
    n_outputs: int
    trees: tuple[TreeBudget, ...]
    alphas: tuple[tuple[float, ...], ...] = ()
    weight_bounds: tuple[float, ...] = ()

    @property
    def releases(self) -> tuple[PlannedRelease, ...]:
        """All releases in the order in which they will be made."""
        return tuple(r for tree in self.trees for r in (*tree.levels, tree.leaves))

    def recorded(self, alphas: list[tuple[float, ...]], weight_bounds: list[float]) -> BoostingPlan:
        """Return the plan with what training derived from public and released numbers."""
        return replace(self, alphas=tuple(alphas), weight_bounds=tuple(weight_bounds))

    def to_dict(self) -> dict[str, Any]:
        """Return the public facts as JSON types."""
        return {
            "settings": asdict(self.settings),
            "epsilon": self.epsilon,
            "n_rows": self.n_rows,
            "n_candidates": self.n_candidates,
            "n_outputs": self.n_outputs,
            "alphas": [list(a) for a in self.alphas],
            "weight_bounds": list(self.weight_bounds),
        }


def plan_boosting(
    settings: BoostingSettings,
    *,
    epsilon: float | None,
    unit: PrivacyUnit,
    n_rows: int,
    n_candidates: int,
    n_outputs: int,
) -> BoostingPlan:
    """Divide the budget among the releases of boosted trees.

    Each output gets ``epsilon / n_outputs``, each tree ``1 / n_trees`` of that. Of a tree's budget, ``split_share``
    goes to its splits, in equal parts to its levels, and the rest to its leaves. The nodes of a level hold disjoint
    rows: with ``composition="parallel"`` each may spend the level's whole part; with ``"sequential"`` they divide it.

    Parameters
    ----------
    settings : BoostingSettings
    epsilon : float or None
        Total budget; None without privacy.
    unit : PrivacyUnit
    n_rows, n_candidates, n_outputs : int

    Returns
    -------
    BoostingPlan

    Raises
    ------
    PlanError
        If the sums could leave the exact range, or there is no candidate to select from.
    """
    check_range(n_rows)
    check_size(
        n_outputs * settings.n_trees, settings.max_depth, n_outputs * settings.n_trees * (settings.max_depth + 1)
    )
    check_candidates(n_candidates, epsilon)
    share = Fraction(epsilon or 0) / (n_outputs * settings.n_trees)
    trees = _tree_budgets(settings, share, unit, n_candidates, n_outputs)
    return BoostingPlan(settings, epsilon, unit, n_rows, n_candidates, n_outputs, trees)


@lru_cache(maxsize=4)  # fits and folds in a row ask for the same
def _tree_budgets(
    settings: BoostingSettings, share: Fraction, unit: PrivacyUnit, n_candidates: int, n_outputs: int
) -> tuple[TreeBudget, ...]:
    parts = _divide(settings, share)
    return tuple(
        _tree_budget(settings, _prefix(output, n_outputs) + f"tree {t + 1}", parts, unit, n_candidates)
        for output in range(n_outputs)
        for t in range(settings.n_trees)
    )


def check_range(n_rows: int) -> None:
    """Refuse a number of rows whose weights could sum to more than float64 holds exactly (2**52 grid units).

    No row weighs more than `GRID` units. The gradients of the objective "gamma", the largest there are, are at most
    `MAX_RATIO` = 2**10 times as much: all of them sum to less than 2**62, and so fit into int64.
    """
    if n_rows * GRID >= 2**52:
        raise PlanError(f"At most {2**52 // GRID - 1} rows can be summed exactly; got {n_rows}. Train on a sample.")


def check_candidates(n_candidates: int, epsilon: float | None) -> None:
    """Refuse to spend a budget where there is nothing to choose from."""
    if n_candidates == 0 and epsilon is not None:
        raise PlanError(
            "The domain offers no test: no attribute has two values to tell apart. Declare wider bounds or more values."
        )


def check_size(n_trees: int, max_depth: int, n_releases: int) -> None:
    """Refuse, before the budget is spent, a model that no file could hold."""
    n_leaves = n_trees * 2**max_depth
    if n_leaves > MAX_LEAVES or n_releases > MAX_RELEASES:
        raise PlanError(
            f"This plan would take {n_releases} releases and {n_leaves} leaves; at most {MAX_RELEASES} and "
            f"{MAX_LEAVES} fit into a model file. Lower the number of trees, or max_depth."
        )


def _prefix(output: int, n_outputs: int) -> str:
    return f"class {output + 1} against the rest/" if n_outputs > 1 else ""


def _divide(settings: BoostingSettings, share: Fraction) -> list[Fraction]:
    """Return what one node of each level may spend, and then what the leaves may, of a tree's share."""
    split_share = Fraction(settings.split_share)
    level_part = share * split_share / settings.max_depth
    sequential = settings.composition == "sequential"
    parts = [level_part / 2**level if sequential else level_part for level in range(settings.max_depth)]
    return [*parts, share * (1 - split_share)]


def _tree_budget(
    settings: BoostingSettings, label: str, parts: list[Fraction], unit: PrivacyUnit, n_candidates: int
) -> TreeBudget:
    depth = settings.max_depth
    private = parts[-1] > 0
    levels = [
        PlannedRelease(
            label=f"{label}/depth {level}/splits",
            mechanism=settings.selection if private else "none",
            epsilon=parts[level],
            count=2**level,
            composition=settings.composition,
            distance=unit.distance,
            size=max(n_candidates, 1),
        )
        for level in range(depth)
    ]
    leaves = PlannedRelease(
        label=f"{label}/leaves",
        mechanism="laplace" if private else "none",
        epsilon=parts[-1],
        count=1,
        composition="sequential",
        distance=unit.distance,
        size=2 * 2**depth,
    )
    return TreeBudget(tuple(levels), leaves)


def level_alphas(plan: BoostingPlan, tree: TreeBudget, max_weight: float) -> tuple[float, ...]:
    """Alpha of the criterion of each level: the fixed one, or calibrated to the level's budget.

    Without privacy the budget affords everything, so calibration gives 1.
    """
    settings = plan.settings
    if settings.alpha is not None:
        return (settings.alpha,) * settings.max_depth
    if plan.epsilon is None:
        return (1.0,) * settings.max_depth
    return tuple(
        calibrate_alpha(
            float(release.epsilon),
            level=level,
            n_rows=plan.n_rows,
            n_candidates=plan.n_candidates,
            max_weight=max_weight,
            distance=plan.unit.distance,
            form=settings.sensitivity,
            failure_probability=settings.failure_probability,
            gap=settings.calibration_gap,
        )
        for level, release in enumerate(tree.levels)
    )


def calibrate_alpha(
    epsilon: float,
    *,
    level: int,
    n_rows: int,
    n_candidates: int,
    max_weight: float,
    distance: int = 1,
    form: Form = "exact",
    failure_probability: float = 0.1,
    gap: float = 0.1,
) -> float:
    """Objective calibration: the largest alpha whose sensitivity a node's budget affords.

    A selection tells a good split from ``n_candidates`` bad ones, except with probability ``xi``, once the gap between
    their scores is ``distance * Delta * ln(n_candidates / xi) / epsilon``. The gap is taken to be ``kappa`` times the
    weight that a node of this level is expected to hold, ``W = max_weight * n_rows / 2**level``. Delta is linear in
    alpha, hence ``alpha = clip((epsilon kappa W / (distance ln(n_candidates / xi)) - Delta_0) / (Delta_1 - Delta_0),
    0, 1)``. This is our reading of the paper, whose text describes the idea without the constants.

    Parameters
    ----------
    epsilon : float
        Budget of one node's selection.
    level : int
        Depth of the node; the root is 0.
    n_rows, n_candidates : int
        Public numbers.
    max_weight : float
        Public bound of a row's weight.
    distance : int, default=1
        Rows that may change between neighbours, counting a replacement twice.
    form : {"exact", "paper"}
        Which sensitivity.
    failure_probability : float, default=0.1
        xi, in (0, 1).
    gap : float, default=0.1
        kappa, above 0: by which part of the node's weight a good split's score is expected to exceed the others'.
        On real tables 0.1 has a lower test error than 1 (``docs/study.md``).

    Returns
    -------
    float
        In [0, 1].
    """
    trials = log_trials(n_candidates, failure_probability)
    return float(calibrated_alpha(epsilon, level, n_rows, trials, max_weight, distance, gap, form == "paper"))


def log_trials(n_candidates: int, failure_probability: float) -> float:
    """Return ``ln(n_candidates / xi)`` of `calibrate_alpha`."""
    return math.log(max(n_candidates, 1) / failure_probability)


@dataclass(frozen=True)
class ForestPlan:
    """The releases of a forest of random trees.

    Attributes
    ----------
    n_trees, max_depth : int
    mechanism : {"laplace", "exponential"}
    partition : {"disjoint", "shared"}
        Whether each row is seen by one tree or by all.
    leaf : {"vote", "soft"}
        Whether a leaf votes for one class, or divides its vote.
    epsilon : float or None
    unit : PrivacyUnit
    n_rows, n_candidates, n_classes : int
        Public numbers.
    releases : tuple of PlannedRelease
        One for all trees of a disjoint forest, one a tree of a shared forest.
    """

    n_trees: int
    max_depth: int
    mechanism: MechanismName
    partition: str
    leaf: str
    epsilon: float | None
    unit: PrivacyUnit
    n_rows: int
    n_candidates: int
    n_classes: int
    releases: tuple[PlannedRelease, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the public facts as JSON types."""
        names = (
            "n_trees",
            "max_depth",
            "mechanism",
            "partition",
            "leaf",
            "epsilon",
            "n_rows",
            "n_candidates",
            "n_classes",
        )
        return {name: getattr(self, name) for name in names}


def plan_forest(
    *,
    n_trees: int,
    max_depth: int,
    mechanism: MechanismName,
    partition: str,
    leaf: str,
    epsilon: float | None,
    unit: PrivacyUnit,
    n_rows: int,
    n_candidates: int,
    n_classes: int,
) -> ForestPlan:
    """Divide the budget among the leaves of random trees.

    With disjoint rows a person's row stands in one leaf of one tree, so the table of all leaves' class counts
    changes by one in one cell: one release of the whole ``epsilon``. With shared rows each tree gets ``epsilon /
    n_trees``.

    Parameters
    ----------
    n_trees, max_depth : int
    mechanism : {"laplace", "exponential"}
    partition : {"disjoint", "shared"}
    leaf : {"vote", "soft"}
    epsilon : float or None
    unit : PrivacyUnit
    n_rows, n_candidates, n_classes : int

    Returns
    -------
    ForestPlan
    """
    check_range(n_rows)
    check_candidates(n_candidates, epsilon)
    check_size(n_trees, max_depth, n_trees if partition == "shared" else 1)
    share = Fraction(epsilon or 0) / (n_trees if partition == "shared" else 1)
    name: MechanismName = "none" if epsilon is None else mechanism
    releases = []
    for label, trees in _forest_groups(n_trees, partition):
        leaves = trees * 2**max_depth
        selecting = name == "exponential"
        releases.append(
            PlannedRelease(
                label=f"{label}/leaves",
                mechanism=name,
                epsilon=share,
                count=leaves if selecting else 1,
                composition="parallel" if selecting else "sequential",
                distance=unit.distance,
                size=n_classes if selecting else leaves * n_classes,
            )
        )
    facts = (n_rows, n_candidates, n_classes)
    return ForestPlan(n_trees, max_depth, mechanism, partition, leaf, epsilon, unit, *facts, tuple(releases))


def _forest_groups(n_trees: int, partition: str) -> Iterator[tuple[str, int]]:
    if partition == "disjoint":
        yield f"trees 1 to {n_trees}", n_trees
    else:
        for t in range(n_trees):
            yield f"tree {t + 1}", 1
