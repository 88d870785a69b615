"""The plan of Newton boosting over random trees: public numbers in, a budget for every release out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal

from privboost.ensembles.ensemble import MAX_REACH
from privboost.ensembles.plan import check_candidates, check_range, check_size
from privboost.ensembles.temperature import MOST_EXPECTED, N_SCORE_BINS
from privboost.errors import PlanError
from privboost.privacy.accounting import MechanismName, PlannedRelease
from privboost.privacy.calibration import calibrate_releases, divide_budget
from privboost.privacy.gaussian import gdp_mu
from privboost.privacy.relation import PrivacyUnit
from privboost.privacy.scales import noise_scale

__all__ = ["AttributeChoiceName", "NewtonFacts", "NewtonPlan", "NewtonSettings", "plan_newton", "settings_text"]

_INTERNAL = (
    "kappa",
    "gradient_clip",
    "residual_clip",
    "leaf_clip",
    "base_pseudo_count",
    "occupied_floor",
    "expected_slope",
)
"""Settings that are no parameter of an estimator."""

AttributeChoiceName = Literal["random", "adaptive"]

MIXED_DISCOUNT = 0.75
"""Part of a selection's share that it is given where the sums have Gaussian noise."""


@dataclass(frozen=True)
class NewtonSettings:
    """Every choice of a run; all of it public. `PrivateBoostingClassifier` documents the fields."""

    n_rounds: int
    trees_per_round: int
    max_depth: int
    learning_rate: float
    shrinkage: float
    base_share: float = 0.02
    histogram_share: float = 0.08
    calibration_share: float = 0.0
    attribute_choice: AttributeChoiceName = "random"
    attributes_per_tree: int = 0
    tests_per_node: int = 1
    selection_share: float = 0.5
    score_reach: float = 100.0
    kappa: float = 1.0
    gradient_clip: float = 1.0
    residual_clip: float = 1.0
    leaf_clip: float = 1.0
    base_pseudo_count: float = 5.0
    occupied_floor: float = 3.0
    expected_slope: float = 1.0
    mechanism: MechanismName = "laplace"

    @property
    def n_trees(self) -> int:
        """Trees of the model."""
        return self.n_rounds * self.trees_per_round

    @property
    def selects(self) -> bool:
        """Whether tests are selected, and not only drawn."""
        return self.tests_per_node > 1

    @property
    def n_releases(self) -> int:
        """Most entries that the ledger of a run can have."""
        return 2 + (self.calibration_share > 0.0) + self.n_trees * (1 + self.max_depth * self.selects)

    @property
    def trees_share(self) -> float:
        """Part of the budget that all trees have together."""
        return 1.0 - self.base_share - self.histogram_share - self.calibration_share


@dataclass(frozen=True)
class NewtonFacts:
    """Public numbers of a run.

    Attributes
    ----------
    epsilon : float or None
        None without privacy.
    delta : float
    unit : PrivacyUnit
    n_rows, n_attributes, n_candidates : int
    n_cells : int
        Codes of all attributes of the public layout.
    n_stats : int
        Classes; 2 where a number is predicted.
    objective : str
    """

    epsilon: float | None
    delta: float
    unit: PrivacyUnit
    n_rows: int
    n_attributes: int
    n_candidates: int
    n_cells: int
    n_stats: int
    objective: str

    @property
    def classifies(self) -> bool:
        """Whether classes are predicted, and not numbers."""
        return self.objective in ("logistic", "softmax")

    @property
    def n_outputs(self) -> int:
        """Scores of a row."""
        return self.n_stats if self.objective == "softmax" else 1


@dataclass(frozen=True)
class NewtonPlan:
    """Everything that is decided before a row is read.

    Attributes
    ----------
    settings : NewtonSettings
    facts : NewtonFacts
    counts, histograms, calibration : PlannedRelease or None
        None where the budget has no share for them.
    selections : tuple of tuple of PlannedRelease
        For each tree, round by round, one a level; empty where tests are drawn and not selected.
    leaves : tuple of PlannedRelease
        One a tree, round by round.
    reasons : tuple of str
        Why each setting that was left to the library is as it is.
    """

    settings: NewtonSettings
    facts: NewtonFacts
    counts: PlannedRelease | None
    histograms: PlannedRelease | None
    selections: tuple[tuple[PlannedRelease, ...], ...] = field(repr=False)
    leaves: tuple[PlannedRelease, ...] = field(repr=False)
    calibration: PlannedRelease | None = None
    reasons: tuple[str, ...] = ()

    @property
    def releases(self) -> tuple[PlannedRelease, ...]:
        """All releases in the order in which they will be made."""
        trees = (r for levels, leaf in zip(self.selections, self.leaves, strict=True) for r in (*levels, leaf))
        return tuple(r for r in (self.counts, self.histograms, *trees, self.calibration) if r is not None)

    @property
    def epsilon(self) -> float | None:
        """Total budget; None without privacy."""
        return self.facts.epsilon

    @property
    def leaf_noise(self) -> float:
        """Standard deviation of a leaf's noise, where 1 is the most that a row can change the leaf; 0 without noise.

        Raises
        ------
        PlanError
            If the noise is too large to be drawn.
        """
        first = self.leaves[0]
        if first.mechanism == "none":
            return 0.0
        if first.noise_multiplier is not None:
            return first.noise_multiplier * first.distance
        return math.sqrt(2.0) * noise_scale(first.distance, 1, first.epsilon)

    def __str__(self) -> str:
        facts, n_leaves = self.facts, 2**self.settings.max_depth
        lines = [
            f"Plan for {facts.n_rows} rows, {f'{facts.n_stats} classes' if facts.classifies else 'numbers'}, "
            + ("no privacy:" if facts.epsilon is None else f"ε = {facts.epsilon:g}, δ = {facts.delta:g}:"),
            settings_text(self.to_dict()),
            f"{self.settings.n_trees} trees of {n_leaves} leaves, each of {_amount(facts.n_rows / n_leaves)} rows on "
            "average.",
        ]
        if facts.epsilon is not None:
            lines.append(f"Noise of a leaf's sums (standard deviation): what {_amount(self.leaf_noise)} rows can add.")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the public facts as JSON types."""
        facts = {
            k: getattr(self.facts, k) for k in ("epsilon", "delta", "n_rows", "n_candidates", "n_stats", "objective")
        }
        return (
            asdict(self.settings) | facts | {"histograms": self.histograms is not None, "reasons": list(self.reasons)}
        )


def settings_text(plan: Mapping[str, Any]) -> str:
    """Write the settings of a plan in aligned lines, and below them why the library chose those left to it.

    Parameters
    ----------
    plan : mapping
        As `NewtonPlan.to_dict` returns it; it may come from a file.
    """
    names = [f.name for f in fields(NewtonSettings) if f.name not in _INTERNAL and f.name in plan]
    width = max(map(len, names), default=0)
    reasons = plan.get("reasons")
    return "\n".join(
        [
            *(f"  {name:<{width}}  {_one_line(plan[name])}" for name in names),
            *(f"  - {_one_line(reason)}" for reason in (reasons if isinstance(reasons, list | tuple) else ())),
        ]
    )


def _one_line(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else " ".join(str(value).split())


def _amount(number: float) -> str:
    return f"{number:.0f}" if number >= 100.0 else f"{number:.3g}"


def plan_newton(settings: NewtonSettings, facts: NewtonFacts, reasons: tuple[str, ...] = ()) -> NewtonPlan:
    """Divide a budget among class counts, histograms, the trees, and the calibration of their scores.

    ``base_share`` goes to the counts, ``histogram_share`` to the histograms, ``calibration_share`` to the histogram of
    the scores, and the rest, in equal parts, to the trees. For Gaussian noise a share is one of the sum of mu**2, for
    Laplace noise one of epsilon.

    Parameters
    ----------
    settings : NewtonSettings
    facts : NewtonFacts
    reasons : tuple of str, optional

    Returns
    -------
    NewtonPlan

    Raises
    ------
    PlanError
        If the sums could leave the exact range, the model could not be held by a file, there is no test to draw,
        attributes are to be chosen adaptively by trees that cannot learn or are too few, the trees get no share,
        scores are to be calibrated that are not those of two classes, or the factor of the curvature is out of range.
    """
    check_range(facts.n_rows)
    check_candidates(facts.n_candidates, facts.epsilon)
    check_size(settings.n_trees * facts.n_outputs, settings.max_depth, settings.n_releases)
    if not settings.trees_share > 0.0:
        raise PlanError(
            "Counts, histograms and calibration leave no share of the budget to the trees. Lower their shares."
        )
    if settings.calibration_share > 0.0 and facts.objective != "logistic":
        raise PlanError("'calibration_share' above 0 needs two classes, which have one score.")
    # The bound of a row's gradient and curvature is proven for these.
    if not 0.0 < settings.kappa <= 1.0:
        raise PlanError(f"The factor of the curvature must be above 0 and at most 1; got {settings.kappa!r}.")
    if not (0.0 <= settings.score_reach <= MAX_REACH and 0.0 < settings.residual_clip <= 1.0):
        raise PlanError(
            f"Scores may reach from 0 to {MAX_REACH:g}, and residuals count up to 1 at most; got "
            f"{settings.score_reach!r} and {settings.residual_clip!r}."
        )
    if not 0.5 <= settings.gradient_clip <= 1.0:
        raise PlanError(f"Gradients may count from 1/2 to 1 at most; got {settings.gradient_clip!r}.")
    if not 1.0 <= settings.expected_slope <= (MOST_EXPECTED if facts.classifies else 1.0):
        raise PlanError(
            f"The slope that is expected may lie between 1 and {MOST_EXPECTED:g}, and is 1 for numbers; got "
            f"{settings.expected_slope!r}."
        )
    _check_choice(settings, facts)
    planned = _calibrated(settings, facts)
    extra = int(settings.base_share > 0) + int(settings.histogram_share > 0)
    planned, last = (planned[:-1], planned[-1]) if settings.calibration_share > 0 else (planned, None)
    counts = planned[0] if settings.base_share > 0 else None
    histograms = planned[extra - 1] if settings.histogram_share > 0 else None
    trees, n_each = planned[extra:], len(planned[extra:]) // settings.n_trees
    groups = [trees[t * n_each : (t + 1) * n_each] for t in range(settings.n_trees)]
    selections = tuple(group[:-1] for group in groups)
    leaves = tuple(group[-1] for group in groups)
    return NewtonPlan(settings, facts, counts, histograms, selections, leaves, last, reasons)


def _check_choice(settings: NewtonSettings, facts: NewtonFacts) -> None:
    if settings.attribute_choice != "adaptive":
        return
    if settings.trees_per_round != 1:
        raise PlanError(
            "attribute_choice='adaptive' learns from one tree what the next should test, but the "
            f"{settings.trees_per_round} trees of a round see the same gradients. Give trees_per_round=1, or 'random'."
        )
    if settings.n_rounds < facts.n_attributes:
        raise PlanError(
            f"attribute_choice='adaptive' gives each of the {facts.n_attributes} attributes a tree of its own first, "
            f"but there are {settings.n_rounds} rounds. Raise 'n_rounds', or give attribute_choice='random'."
        )


@lru_cache(maxsize=64)  # folds of one table ask for the same plan again and again
def _calibrated(settings: NewtonSettings, facts: NewtonFacts) -> tuple[PlannedRelease, ...]:
    shapes = _shapes(settings, facts)
    if facts.epsilon is None or settings.mechanism == "laplace":
        budgets = divide_budget(facts.epsilon or 0.0, [shape.share for shape in shapes])
        return tuple(
            shape.planned(_mechanism(shape, settings, facts), budget, facts)
            for shape, budget in zip(shapes, budgets, strict=True)
        )
    whole = gdp_mu(facts.epsilon, facts.delta)
    planned = tuple(
        shape.planned("exponential", _bounded_range(whole, shape.share), facts)
        if shape.selects
        else shape.planned("gaussian", Fraction(0), facts, 1.0 / math.sqrt(shape.share))
        for shape in shapes
    )
    return calibrate_releases(planned, facts.epsilon, facts.delta)


def _mechanism(shape: _Shape, settings: NewtonSettings, facts: NewtonFacts) -> MechanismName:
    if facts.epsilon is None:
        return "none"
    return "permute-and-flip" if shape.selects else settings.mechanism


def _bounded_range(mu: float, share: float) -> Fraction:
    """Return the epsilon of an exponential mechanism that costs about so large a share of the sum of mu**2.

    Its bounded range r gives rho = r**2 / 8 where a Gaussian release has rho = mu**2 / 2. The bound by which both are
    added up charges up to a third more for a selection than that (see ``tests/ensembles/test_newton_plan.py``), which
    is left out of it here: what one selection does not use, the sums get.
    """
    return Fraction(2.0 * mu * math.sqrt(MIXED_DISCOUNT * share))


@dataclass(frozen=True)
class _Shape:
    """Public facts of one release, and its part of the budget."""

    label: str
    share: float
    count: int
    size: int
    selects: bool = False

    def planned(
        self, mechanism: MechanismName, epsilon: Fraction, facts: NewtonFacts, noise_multiplier: float | None = None
    ) -> PlannedRelease:
        return PlannedRelease(
            label=self.label,
            mechanism=mechanism,
            epsilon=epsilon,
            count=self.count,
            composition="parallel" if self.count > 1 else "sequential",
            distance=facts.unit.distance,
            size=self.size,
            noise_multiplier=noise_multiplier,
        )


def _shapes(settings: NewtonSettings, facts: NewtonFacts) -> list[_Shape]:
    """List all releases in order."""
    shapes: list[_Shape] = []
    if settings.base_share > 0:
        label = "class counts" if facts.classifies else "target sums"
        shapes.append(_Shape(label, settings.base_share, 1, facts.n_stats))
    if settings.histogram_share > 0:
        shapes.append(_Shape("histograms", settings.histogram_share, 1, facts.n_cells * facts.n_stats))
    each = settings.trees_share / settings.n_trees
    selecting = settings.selection_share if settings.selects else 0.0
    n_leaves, n_numbers = 2**settings.max_depth, facts.n_outputs + 1
    for t in range(settings.n_trees):
        label = f"round {t // settings.trees_per_round + 1}/tree {t % settings.trees_per_round + 1}"
        if settings.selects:
            part, n_tests = each * selecting / settings.max_depth, settings.tests_per_node
            levels = range(settings.max_depth)
            shapes += [_Shape(f"{label}/depth {d}/splits", part, 2**d, n_tests, selects=True) for d in levels]
        shapes.append(_Shape(f"{label}/leaves", each * (1.0 - selecting), n_leaves, n_numbers))
    if settings.calibration_share > 0:
        shapes.append(_Shape("scores", settings.calibration_share, 1, N_SCORE_BINS * facts.n_stats))
    return shapes
