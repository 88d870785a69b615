"""Newton boosting over random trees: tests are drawn without looking at a row, leaf values come from noisy gradients.

Of a few tests drawn for a node the best may be selected privately, and which attributes they are on may be learnt from
what earlier trees released.

Private rows are touched through ``rows`` only. Whatever decides the next step - codes, tests, leaf values, the interval
of the scores and with it the next noise - is computed from released numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from privboost.data.domain import Domain
from privboost.data.layout import CodeLayout
from privboost.data.refinement import Refinement, refine_layout
from privboost.ensembles.attribute_choice import AttributeChoice
from privboost.ensembles.ensemble import VECTOR, Ensemble, calibrated, undo_reach
from privboost.ensembles.newton_plan import NewtonPlan, NewtonSettings
from privboost.ensembles.temperature import N_SCORE_BINS, calibration_slope, score_edges
from privboost.privacy.accounting import Ledger, PlannedRelease
from privboost.privacy.mechanisms import Exact, Gaussian, Laplace, Norm, RawScores, RawSums, Select
from privboost.privacy.randomness import Randomness
from privboost.sources.gradients import GradientRows, histogram_sensitivity
from privboost.sources.local import GRID
from privboost.sources.objectives import Objective
from privboost.trees.growing import grow_structure
from privboost.trees.profile import Histograms, TestProfile, make_profile
from privboost.trees.tree import Splits, Tree

__all__ = ["NewtonTrainer", "newton_values"]

NOISE_FREE_PSEUDO_COUNT = 1.0
"""Curvature added to a leaf's where there is no noise to draw it towards zero."""

N_DRAWN_ROWS = 1000
"""Rows that are made up to see how far apart scores lie."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class NewtonTrainer:
    """What every release of a run needs.

    Attributes
    ----------
    plan : NewtonPlan
    objective : Objective
    domain : Domain
    layout : CodeLayout
        The public one.
    randomness : Randomness
    ledger : Ledger
    monotone : tuple of int
        For each attribute 1, -1 or 0: whether scores may only rise, only fall, or both along its values.
    progress : callable
        Called once a tree.
    """

    plan: NewtonPlan
    objective: Objective
    domain: Domain
    layout: CodeLayout
    randomness: Randomness
    ledger: Ledger
    monotone: tuple[int, ...] = ()
    progress: Callable[[], None] = lambda: None

    def train(self, rows: GradientRows) -> tuple[Ensemble, Refinement]:
        """Train all rounds.

        Parameters
        ----------
        rows : GradientRows

        Returns
        -------
        ensemble : Ensemble
        refinement : Refinement
            How rows must be encoded to be answered.
        """
        base, total = self._base(rows)
        self.objective.start(base)
        refinement, profile = make_profile(self.domain, self.layout, self._histograms(rows, total))
        rows.start(refinement, base)
        low, high = base.copy(), base.copy()
        trees: list[Tree] = []
        settings = self.plan.settings
        reach, adaptive = settings.score_reach, settings.attribute_choice == "adaptive"
        choice = AttributeChoice(profile, settings.attributes_per_tree, adaptive, self.randomness.generator)
        for r in range(settings.n_rounds):
            # Both ends on both sides: where all scores lie out of reach, all count as the same end.
            interval = np.clip(low, base - reach, base + reach), np.clip(high, base - reach, base + reach)
            rows.compute_gradients(*interval, settings.kappa)
            fresh = self._round(rows, r, choice, *interval)
            for tree in fresh:
                low += tree.values.min(axis=0)
                high += tree.values.max(axis=0)
            trees.extend(fresh)
        vector = self.objective.combination in VECTOR
        n_classes = {"logit": 2, "softmax": self.objective.n_outputs}.get(self.objective.combination, 1)
        outputs = np.full(len(trees), -1 if vector else 0, np.int64)
        base_score = tuple(float(b) for b in base)
        ensemble = Ensemble(
            self.objective.combination,
            n_classes,
            tuple(trees),
            np.ones(len(trees)),
            outputs,
            base=base_score,
            reach=reach,
        )
        return self._calibrate(rows, ensemble, refinement, total), refinement

    def _release(self, planned: PlannedRelease, raw: RawSums, sensitivity: int) -> tuple[Floats, float]:
        """Return released sums and the standard deviation of their noise, both in rows."""
        if planned.mechanism == "none":
            return Exact.for_release(planned).apply(raw, self.randomness, self.ledger).values / GRID, 0.0
        if planned.mechanism == "gaussian":
            gaussian = Gaussian.for_release(planned, sensitivity)
            return gaussian.apply(raw, self.randomness, self.ledger).values / GRID, gaussian.scale / GRID
        laplace = Laplace.for_release(planned, sensitivity)
        return laplace.apply(raw, self.randomness, self.ledger).values / GRID, math.sqrt(2.0) * laplace.scale / GRID

    @property
    def _norm(self) -> Norm:
        return "l2" if self.plan.settings.mechanism == "gaussian" else "l1"

    def _base(self, rows: GradientRows) -> tuple[Floats, float]:
        """Return the score to start from, and about how many rows there are."""
        if self.plan.counts is None:
            return self.objective.base(np.ones(self.plan.facts.n_stats), 0.0), float(rows.n_rows)
        sums, noise = self._release(self.plan.counts, rows.totals(self._norm), GRID)
        base = self.objective.base(sums.ravel(), self.plan.settings.base_pseudo_count * noise)
        return base, min(max(float(sums.sum()), 1.0), float(rows.n_rows))

    def _histograms(self, rows: GradientRows, total: float) -> Histograms | None:
        planned = self.plan.histograms
        if planned is None:
            return None
        offsets = self.layout.offsets
        sensitivity = histogram_sensitivity(len(self.layout), self._norm)
        sums, noise = self._release(planned, rows.histograms(offsets, self._norm), sensitivity)
        counts = sums.reshape(int(offsets[-1]), -1)
        return Histograms(counts, noise, self.plan.settings.occupied_floor, total)

    def _calibrate(self, rows: GradientRows, ensemble: Ensemble, refinement: Refinement, total: float) -> Ensemble:
        """Multiply the scores by the slope that is expected, or that a histogram of them tells."""
        planned, expected = self.plan.calibration, self.plan.settings.expected_slope
        if planned is None:
            return calibrated(ensemble, expected)
        spread = self._spread(ensemble, refinement)
        edges = ensemble.base[0] + undo_reach(score_edges(spread), ensemble.reach)
        sums, noise = self._release(planned, rows.score_histogram(edges, self._norm), GRID)
        counts = sums.reshape(N_SCORE_BINS, -1)
        return calibrated(ensemble, calibration_slope(counts, noise, total, ensemble.base[0], spread, expected))

    def _spread(self, ensemble: Ensemble, refinement: Refinement) -> float:
        """Return how far apart the scores of rows lie whose codes are drawn, each for itself and all alike."""
        n_values = refine_layout(self.layout, refinement).n_values
        drawn = self.randomness.generator.random(len(n_values) * N_DRAWN_ROWS).reshape(len(n_values), -1)
        codes = 1 + np.floor(drawn * n_values[:, None])
        spread = float(ensemble.scores(codes.astype(np.uint8)).std())
        return spread if spread > 0.0 else 1.0

    def _round(self, rows: GradientRows, r: int, choice: AttributeChoice, low: Floats, high: Floats) -> list[Tree]:
        """Grow the trees of one round, all on the same gradients, and move the rows' scores by their mean."""
        settings = self.plan.settings
        sensitivity = self.objective.sensitivity(low, high, settings.kappa, self._norm)
        of_scores = 2 * self.objective.sensitivity(low, high, 0.0, "l1") if settings.selects else 0
        step, profile = settings.learning_rate / settings.trees_per_round, choice.profile
        trees = []
        for t in range(r * settings.trees_per_round, (r + 1) * settings.trees_per_round):
            n_leaves, planned = 2**settings.max_depth, self.plan.leaves[t]
            among = choice.next()
            if settings.selects:
                splits = self._grow(rows, t, profile, among, of_scores)
            else:
                splits = profile.draw(n_leaves - 1, self.randomness.generator, among)
                rows.stand_in_leaves(splits, settings.max_depth)
            sums, noise = self._release(planned, rows.leaf_sums(n_leaves, sensitivity, self._norm), sensitivity)
            proposed = values = newton_values(sums, noise, settings) * step
            if any(self.monotone):
                values = monotone_values(splits, values, np.array(self.monotone))
            choice.learn(sums, proposed, values, noise, pseudo_curvature(noise, settings), settings.kappa)
            rows.add(values)
            trees.append(Tree(settings.max_depth, splits, values))
            self.progress()
        return trees

    def _grow(
        self,
        rows: GradientRows,
        t: int,
        profile: TestProfile,
        among: npt.NDArray[np.int64],
        sensitivity: int,
    ) -> Splits:
        """Choose the tests of the t-th tree, level by level; afterwards every row stands in its leaf."""
        n_tests = self.plan.settings.tests_per_node

        def choose(level: int) -> Splits:
            n_nodes, planned = 2**level, self.plan.selections[t][level]
            tests = profile.draw(n_nodes * n_tests, self.randomness.generator, among)
            best = self._select(planned, rows.split_scores(tests, n_nodes, sensitivity), sensitivity)
            return tests.take(np.arange(n_nodes) * n_tests + best)

        rows.start_tree()
        return grow_structure(choose, rows.route, self.plan.settings.max_depth)

    def _select(self, planned: PlannedRelease, raw: RawScores, sensitivity: int) -> npt.NDArray[np.int64]:
        """Return the position of each node's test."""
        if planned.mechanism == "none":
            return Exact.for_release(planned).apply(raw, self.randomness, self.ledger)
        return Select.for_release(planned, sensitivity).apply(raw, self.randomness, self.ledger)


def newton_values(sums: Floats, noise: float, settings: NewtonSettings) -> Floats:
    """Turn released sums into leaf values.

    Parameters
    ----------
    sums : ndarray, shape (n_leaves, n_outputs + 1)
        Gradients G and, last, curvature times ``kappa``.
    noise : float
        Standard deviation s of each number's noise; 0 without privacy.
    settings : NewtonSettings

    Returns
    -------
    ndarray, shape (n_leaves, n_outputs)
        ``clip(G / (max(H, 0) + shrinkage * s / kappa), -leaf_clip, leaf_clip)``: ``s / kappa`` is the noise of H.
    """
    curvature = np.maximum(sums[:, -1:], 0.0) / settings.kappa + pseudo_curvature(noise, settings)
    return np.clip(sums[:, :-1] / curvature, -settings.leaf_clip, settings.leaf_clip)


def pseudo_curvature(noise: float, settings: NewtonSettings) -> float:
    """Return the curvature that is added to a leaf's: ``shrinkage`` times the standard deviation of its noise."""
    return settings.shrinkage * noise / settings.kappa if noise > 0.0 else NOISE_FREE_PSEUDO_COUNT


def monotone_values(splits: Splits, values: Floats, directions: npt.NDArray[np.int64]) -> Floats:
    """Draw the leaves of a tree together until no test on a constrained attribute goes against its direction.

    From the deepest tests up: where a leaf on the side that should be lower exceeds one on the other side, both
    sides are clipped at the mean of the two extremes.

    Parameters
    ----------
    splits : Splits
    values : ndarray, shape (n_leaves, n_outputs)
    directions : ndarray of int, shape (n_attributes,)

    Returns
    -------
    ndarray, shape (n_leaves, n_outputs)
    """
    values = values.copy()
    depth = len(values).bit_length() - 1
    for level in range(depth - 1, -1, -1):
        width = len(values) >> level
        for k in range(2**level):
            attribute = int(splits.attribute[2**level - 1 + k])
            direction = int(directions[attribute]) if attribute >= 0 else 0
            if direction:
                _straighten(values[k * width : (k + 1) * width], direction)
    return values


def _straighten(values: Floats, direction: int) -> None:
    """Clip the two halves of ``values``, in place, so that the second is nowhere below the first (or above)."""
    half = len(values) // 2
    lower, upper = (values[:half], values[half:]) if direction > 0 else (values[half:], values[:half])
    top, bottom = lower.max(axis=0), upper.min(axis=0)
    middle = np.where(top > bottom, (top + bottom) / 2.0, np.inf)
    np.minimum(lower, middle, out=lower)
    np.maximum(upper, np.where(np.isinf(middle), -np.inf, middle), out=upper)
