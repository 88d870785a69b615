"""Boosted learners of random trees that are broken on purpose. The audits must catch each one, with both noises.

As for the other learners: what changes how likely outcomes are must be *disproved*, what publishes exact numbers or
lets them decide must be named. With Gaussian noise the cases are those whose moves no outcome changes: their delta is
exact.
"""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from audit_newton_cases import (
    ADAPTING,
    FIXED,
    GAUSSIAN,
    HALVES,
    HEAVY,
    LAPLACE,
    MIXED,
    NUMBERS,
    ONE_TREE,
    SPENDING,
    THREE_CLASSES,
    TWO_ROUNDS,
    Case,
    classifier,
    regressor,
)

from privboost.auditing.exact import Comparison
from privboost.ensembles import auto, newton, newton_plan
from privboost.ensembles.attribute_choice import AttributeChoice
from privboost.errors import PlanError
from privboost.estimators import base
from privboost.estimators import classifier as classifier_module
from privboost.estimators import regressor as regressor_module
from privboost.estimators.training import Training
from privboost.privacy import mechanisms
from privboost.privacy.mechanisms import Gaussian, Laplace, RawScores, RawSums, Select
from privboost.sources import gradients, objectives
from privboost.sources.gradients import GradientRows
from privboost.sources.local import GRID
from privboost.sources.objectives import Logistic, Objective, Softmax, Squared

BOTH = pytest.mark.parametrize("noise", [LAPLACE, GAUSSIAN], ids=["laplace", "gaussian"])
LOSSES = ("squared_error", "absolute_error", "poisson")

# What is broken gets nearly all of the budget: a factor of a small part would be hidden by the rest.
LEAVES = {**FIXED, "n_rounds": 1}


def leaves(noise: dict[str, Any], **settings: Any) -> Case:
    """Leaves only, one tree, at scores of 0."""
    return classifier({**LEAVES, **noise, **settings}, HALVES)


def histograms(noise: dict[str, Any]) -> Case:
    """Nearly all of the budget for the histograms of two attributes."""
    return classifier({**LEAVES, **noise, "histogram_share": 0.98}, MIXED)


@BOTH
def test_the_whole_ones_hold(noise: dict[str, Any]) -> None:
    for case in (leaves(noise), histograms(noise), classifier({**TWO_ROUNDS, **noise}, HALVES), weighted(noise)):
        assert case.audit().holds


def caught(report: Comparison) -> bool:
    """Whether the claim is disproved with room to spare: twice a delta, or a twentieth of an epsilon."""
    return report.disproved and report.attained > (2.0 if report.relaxed else 1.05) * report.claim


class Quieter:
    """A source of randomness that draws too little noise."""

    def __init__(self, randomness: Any, factor: float) -> None:
        self.randomness, self.factor, self.generator = randomness, factor, randomness.generator

    def laplace(self, values: Any, scale: float) -> Any:
        return self.randomness.laplace(values, self.factor * scale)

    def gaussian(self, values: Any, scale: float) -> Any:
        return self.randomness.gaussian(values, self.factor * scale)


class TestTooLittleNoise:
    @BOTH
    @pytest.mark.parametrize("factor", [0.5, 0.9])
    def test_between_what_is_charged_and_what_is_drawn(self, noise, factor, monkeypatch) -> None:
        for mechanism in (Laplace, Gaussian):
            apply = mechanism.apply
            monkeypatch.setattr(
                mechanism, "apply", lambda self, raw, rng, led, apply=apply: apply(self, raw, Quieter(rng, factor), led)
            )
        report = leaves(noise).audit()
        assert report.disproved
        assert report.excess > 0.02

    @BOTH
    def test_half_the_sensitivity_of_the_leaves(self, noise, monkeypatch) -> None:
        whole = Objective.sensitivity
        monkeypatch.setattr(Objective, "sensitivity", lambda self, *facts: whole(self, *facts) // 2)
        for case in (
            leaves(noise),
            regressor({**LEAVES, **noise}, SPENDING),
            classifier({**LEAVES, **noise}, THREE_CLASSES),
        ):
            assert caught(case.audit())

    @BOTH
    def test_half_the_sensitivity_of_the_counts(self, noise, monkeypatch) -> None:
        totals = GradientRows.totals

        def half(self: Any, norm: Any) -> RawSums:
            return RawSums(mechanisms._reveal(totals(self, norm)), GRID // 2, norm=norm)

        monkeypatch.setattr(newton, "GRID", GRID // 2)  # what the release is planned for
        with pytest.raises(PlanError, match="sensitivity 65536"):
            classifier({**LEAVES, **noise, "base_share": 0.98}, HALVES).audit()
        monkeypatch.setattr(GradientRows, "totals", half)  # what the sums say of themselves
        assert caught(classifier({**LEAVES, **noise, "base_share": 0.98}, HALVES).audit())

    @BOTH
    def test_histograms_at_the_sensitivity_of_one_attribute(self, noise, monkeypatch) -> None:
        for module in (newton, gradients):
            monkeypatch.setattr(module, "histogram_sensitivity", lambda n_attributes, norm: GRID)
        assert caught(histograms(noise).audit())

    def test_histograms_with_the_root_for_laplace_noise(self, monkeypatch) -> None:
        for module in (newton, gradients):
            monkeypatch.setattr(module, "histogram_sensitivity", lambda n, norm: math.ceil(math.sqrt(n) * GRID))
        assert caught(histograms(LAPLACE).audit())

    @BOTH
    def test_softmax_as_if_one_score_moved(self, noise, monkeypatch) -> None:
        bounds = Softmax._bounds

        def one(self: Any, low: Any, high: Any) -> tuple[float, float, float]:
            l1, _, curvature = bounds(self, low, high)
            return l1 / 2, l1 / 2, curvature

        monkeypatch.setattr(Softmax, "_bounds", one)
        assert classifier({**LEAVES, **noise}, THREE_CLASSES, n_rows=1).audit().disproved
        # And where scores lie so far apart that a row's gradients are near (1, -1, 0).
        assert far_apart(noise).audit().excess > 0.05

    @BOTH
    def test_the_curvature_is_not_counted(self, noise, monkeypatch) -> None:
        whole = Objective.sensitivity
        monkeypatch.setattr(
            Objective, "sensitivity", lambda self, low, high, kappa, norm: whole(self, low, high, 0.0, norm)
        )
        for case in (leaves(noise), regressor({**LEAVES, **noise}, SPENDING)):
            assert case.audit().disproved

    def test_the_l2_norm_for_laplace_noise(self, monkeypatch) -> None:
        # With the smaller factor of the curvature that is chosen for few rows, the two norms differ by a fortieth.
        monkeypatch.setattr(auto, "_kappa", lambda facts, *rest: 0.3 if facts.classifies else auto.RESIDUAL_CLIP / 2.0)
        assert leaves(LAPLACE).audit().holds
        whole = Objective.sensitivity
        monkeypatch.setattr(
            Objective, "sensitivity", lambda self, low, high, kappa, norm: whole(self, low, high, kappa, "l2")
        )
        for case in (leaves(LAPLACE), far_apart(LAPLACE), regressor({**LEAVES, **LAPLACE}, SPENDING)):
            assert caught(case.audit())

    def test_a_mechanism_refuses_the_other_norm(self, monkeypatch) -> None:
        monkeypatch.setattr(newton.NewtonTrainer, "_norm", "l2")
        with pytest.raises(PlanError, match="L1 norm"):
            leaves(LAPLACE).audit()


def far_apart(noise: dict[str, Any]) -> Case:
    """Three classes, of which the base score takes the first for certain; leaves that see that."""
    return classifier({**ONE_TREE, **noise, "base_share": 0.01, "histogram_share": 0.0}, THREE_CLASSES, n_rows=1)


class TestIntervals:
    """Two rounds at scores that the first moves far; noise of the second for scores that never moved."""

    @staticmethod
    def two_rounds(noise: dict[str, Any]) -> Case:
        return classifier({**FIXED, **noise, "score_reach": 100.0, "learning_rate": 10.0}, HALVES)

    @staticmethod
    def count_all_gradients(monkeypatch: pytest.MonkeyPatch) -> None:
        """Clip no gradient, so that scores alone bound them."""
        monkeypatch.setattr(auto, "AutoRule", partial(auto.AutoRule, gradient_clip=1.0))

    @staticmethod
    def track_the_base_only(monkeypatch: pytest.MonkeyPatch) -> None:
        grow = newton.NewtonTrainer._round

        def stale(self: Any, rows: Any, r: int, profile: Any, low: Any, high: Any) -> Any:
            zero = np.zeros_like(low)
            return grow(self, rows, r, profile, zero, zero)

        monkeypatch.setattr(newton.NewtonTrainer, "_round", stale)

    @BOTH
    def test_that_ignore_a_tree(self, noise, monkeypatch) -> None:
        self.count_all_gradients(monkeypatch)
        case = self.two_rounds(noise)
        assert case.audit().holds
        self.track_the_base_only(monkeypatch)
        report = case.audit()
        assert report.excess > 0.05
        # Scores move in some scripts and stay in others, so that a delta lies between two bounds here.
        assert report.bound > 1.05 * report.claim if report.relaxed else report.disproved

    @BOTH
    def test_are_harmless_while_scores_are_cut_off_at_them(self, noise, monkeypatch) -> None:
        self.track_the_base_only(monkeypatch)
        compute = GradientRows.compute_gradients
        monkeypatch.setattr(
            GradientRows, "compute_gradients", lambda self, low, high, kappa: compute(self, 0 * low, 0 * high, kappa)
        )
        assert self.two_rounds(noise).audit().holds

    @BOTH
    def test_that_scores_leave_by_a_short_reach(self, noise, monkeypatch) -> None:
        """The reach bounds the noise; the gradients must be bounded too."""
        self.count_all_gradients(monkeypatch)
        compute = GradientRows.compute_gradients
        monkeypatch.setattr(
            GradientRows, "compute_gradients", lambda self, low, high, kappa: compute(self, low - 99, high + 99, kappa)
        )
        case = classifier({**FIXED, **noise, "learning_rate": 10.0}, HALVES)
        report = case.audit()
        assert not report.holds
        assert report.excess > 0.05

    @BOTH
    def test_of_gradients_that_are_not_clipped(self, noise, monkeypatch) -> None:
        """The bound says that none is longer than the clip."""
        case, run = self.two_rounds(noise), objectives.logistic_gradients
        assert case.plan.settings.gradient_clip < 1.0
        assert case.audit().holds
        monkeypatch.setattr(objectives, "logistic_gradients", lambda *given: run(*given[:-3], 1.0, *given[-2:]))
        report = case.audit()
        assert not report.holds
        assert report.excess > 0.05

    def test_a_probability_that_is_rounded_down(self, monkeypatch) -> None:
        monkeypatch.setattr(Logistic, "_bounds", lambda self, low, high: (0.499, 0.499, 0.249))
        assert leaves(LAPLACE).audit().disproved


def weighted(noise: dict[str, Any]) -> Case:
    return classifier({**LEAVES, **noise}, HEAVY)


class TestWeights:
    @BOTH
    def test_above_the_public_largest_that_are_not_clipped(self, noise, monkeypatch) -> None:
        monkeypatch.setattr(base, "encode_weights", lambda weights, n_rows, largest: np.asarray(weights) / largest)
        for case in (
            weighted(noise),
            regressor({**LEAVES, **noise}, dataclasses.replace(SPENDING, weights=(0.5, 3.0))),
        ):
            assert caught(case.audit())

    @BOTH
    def test_as_parts_of_the_largest_that_occurs(self, noise, monkeypatch) -> None:
        """Then one row decides what all others weigh."""
        monkeypatch.setattr(
            base, "encode_weights", lambda weights, n_rows, largest: weights / max(float(np.max(weights)), 1e-9)
        )
        assert not classifier({**LEAVES, **noise}, HEAVY, 3).audit().holds

    @BOTH
    def test_of_classes_that_are_not_parts_of_the_largest(self, noise, monkeypatch) -> None:
        monkeypatch.setattr(classifier_module, "class_factors", lambda weights, classes: np.array([1.0, 3.0]))
        assert caught(leaves(noise, class_weight={1: 3.0}).audit())

    @BOTH
    def test_of_rows_without_a_target(self, noise, monkeypatch) -> None:
        monkeypatch.setattr(Training, "row_units", lambda self: np.full(len(self.labels), GRID, np.int32))
        # Such a row is to add nothing; here it does, and the row that it replaces pays for both.
        assert leaves(noise).audit().disproved

    @BOTH
    def test_that_balance_the_classes_that_occur(self, noise, monkeypatch) -> None:
        units = Training.row_units

        def balanced(self: Training) -> Any:
            counts = np.bincount(self.labels[self.labels >= 0], minlength=2)
            factor = np.where(self.labels == 1, counts[0] / max(int(counts.max()), 1), 1.0)
            return (units(self) * factor).astype(np.int32)

        monkeypatch.setattr(Training, "row_units", balanced)
        assert not classifier({**LEAVES, **noise}, HALVES, 3).audit().holds


class TestTargets:
    @BOTH
    @pytest.mark.parametrize("loss", LOSSES)
    def test_outside_the_range_that_are_not_clipped(self, noise, loss, monkeypatch) -> None:
        def unclipped(y: Any, low: float, high: float) -> Any:
            y = np.asarray(y, float)
            return np.where(np.isnan(y), 0.0, (y - low) / (high - low)), ~np.isnan(y)

        monkeypatch.setattr(regressor_module, "encode_target", unclipped)
        case = regressor({**LEAVES, **noise, "loss": loss}, SPENDING)
        if loss == "poisson":
            assert caught(case.audit())
        else:  # what a residual counts for is cut off, or its side is all that it counts for
            assert case.audit().holds

    @BOTH
    def test_whose_residuals_are_not_cut_off(self, noise, monkeypatch) -> None:
        def uncut(self: Any, score: Any, ends: Any, target: Any, weight: Any, kappa: float, out: Any) -> None:
            out[0] = ((target - np.clip(score[0], 0.0, 1.0)) * weight * GRID).astype(np.int64)
            out[1] = (kappa * weight * GRID).astype(np.int64)

        monkeypatch.setattr(Squared, "gradients", uncut)
        assert caught(regressor({**LEAVES, **noise}, SPENDING).audit())


class TestWrongRelation:
    @BOTH
    def test_noise_for_a_removed_row_does_not_hide_a_replaced_one(self, noise) -> None:
        settings = {**LEAVES, **noise}
        for case in (leaves(noise), classifier(settings, THREE_CLASSES), regressor(settings, SPENDING)):
            assert case.audit(relation="replace-one").disproved

    @BOTH
    def test_two_rows_of_a_person_are_not_one(self, noise) -> None:
        case = leaves(noise)
        two = dataclasses.replace(case, params={**case.params, "rows_per_person": 2})
        two.__dict__["plan"] = case.plan  # noise for one row, pairs that differ in two
        assert caught(two.audit())


class TestWrongAccounts:
    @BOTH
    def test_trees_of_a_round_that_are_charged_as_one(self, noise, monkeypatch) -> None:
        """All trees see all rows: they are no parallel releases."""
        shapes = newton_plan._shapes
        settings = {**LEAVES, **noise, "trees_per_round": 2}

        def shared(settings: Any, facts: Any) -> Any:
            return [dataclasses.replace(shape, share=2 * shape.share) for shape in shapes(settings, facts)]

        def one_only(planned: Any, epsilon: float, delta: float) -> Any:
            (one,) = calibrate(planned[:1], epsilon, delta)
            return tuple(dataclasses.replace(p, noise_multiplier=one.noise_multiplier) for p in planned)

        calibrate, divide = newton_plan.calibrate_releases, newton_plan.divide_budget
        monkeypatch.setattr(newton_plan, "_shapes", shared)
        monkeypatch.setattr(newton_plan, "calibrate_releases", one_only)
        monkeypatch.setattr(
            newton_plan, "divide_budget", lambda epsilon, shares: tuple(2 * part for part in divide(epsilon, shares))
        )
        newton_plan._calibrated.cache_clear()
        try:
            report = classifier(settings, HALVES).audit()
        finally:
            newton_plan._calibrated.cache_clear()
        assert "ledger" in report.problems
        assert report.attained > 1.9 * (report.claim if report.relaxed else 1.0)

    @BOTH
    def test_leaves_released_twice_and_charged_once(self, noise, monkeypatch) -> None:
        for mechanism in (Laplace, Gaussian):
            apply = mechanism.apply

            def twice(self: Any, raw: Any, randomness: Any, ledger: Any, apply: Any = apply) -> Any:
                apply(self, raw, randomness, type(ledger)())
                return apply(self, raw, randomness, ledger)

            monkeypatch.setattr(mechanism, "apply", twice)
        report = leaves(noise).audit()
        assert report.disproved
        assert "ledger" in report.problems


def selected(noise: dict[str, Any], **settings: Any) -> Case:
    """Nearly all of the budget for the selection of one test among three, at scores of 0."""
    return classifier({**LEAVES, **noise, "tests_per_node": 3, "selection_share": 0.9, **settings}, NUMBERS, 3)


class TestSelection:
    @BOTH
    def test_the_whole_one_holds(self, noise) -> None:
        report = selected(noise).audit()
        assert report.holds
        assert report.attained > (0.04 if report.relaxed else 0.6) * report.claim

    @BOTH
    @pytest.mark.parametrize("factor", [2, 4])
    def test_less_noise_than_the_scores_need(self, noise, factor, monkeypatch) -> None:
        grow = newton.NewtonTrainer._grow
        monkeypatch.setattr(
            newton.NewtonTrainer,
            "_grow",
            lambda self, rows, t, profile, among, sensitivity: grow(
                self, rows, t, profile, among, sensitivity // factor
            ),
        )
        report = selected(noise).audit()
        assert not report.holds
        # Half the noise doubles the loss; the sum of a whole run under a delta is a bound with room to spare.
        assert report.excess > 0.02
        assert report.relaxed or report.disproved

    @BOTH
    def test_the_best_test_without_noise(self, noise, monkeypatch) -> None:
        apply = Select.apply

        def best(self: Any, raw: Any, randomness: Any, ledger: Any) -> Any:
            apply(self, raw, randomness, ledger)
            return mechanisms._reveal(raw).argmax(axis=1)

        monkeypatch.setattr(Select, "apply", best)
        assert "model" in selected(noise).audit().problems

    @BOTH
    def test_tests_that_part_no_row_are_left_out(self, noise, monkeypatch) -> None:
        scores = GradientRows.split_scores

        def only_useful(self: Any, tests: Any, n_nodes: int, sensitivity: int) -> Any:
            raw = mechanisms._reveal(scores(self, tests, n_nodes, sensitivity))
            useful = raw > raw.min(axis=1, keepdims=True)
            kept = raw[:, useful.any(axis=0)] if useful.any() else raw
            return RawScores(np.ascontiguousarray(kept), sensitivity)

        monkeypatch.setattr(GradientRows, "split_scores", only_useful)
        with pytest.raises(PlanError, match="planned for 1 x 3"):  # how many there are would tell
            selected(noise).audit()

    @BOTH
    def test_a_selection_that_is_not_charged(self, noise, monkeypatch) -> None:
        select = newton.NewtonTrainer._select

        def unpaid(self: Any, planned: Any, raw: Any, sensitivity: int) -> Any:
            return select(dataclasses.replace(self, ledger=type(self.ledger)()), planned, raw, sensitivity)

        monkeypatch.setattr(newton.NewtonTrainer, "_select", unpaid)
        report = selected(noise).audit()
        assert "ledger" in report.problems
        assert not report.holds

    @BOTH
    def test_levels_that_are_charged_as_one(self, noise, monkeypatch) -> None:
        """A row stands in a node of every level."""
        shapes = newton_plan._shapes
        settings = {"max_depth": 2}

        def shared(settings: Any, facts: Any) -> Any:
            return [
                dataclasses.replace(shape, share=settings.max_depth * shape.share) if shape.selects else shape
                for shape in shapes(settings, facts)
            ]

        monkeypatch.setattr(newton_plan, "_shapes", shared)
        monkeypatch.setattr(
            newton_plan,
            "divide_budget",
            lambda epsilon, shares: tuple(Fraction(epsilon) * Fraction(share) for share in shares),
        )
        monkeypatch.setattr(newton_plan, "MIXED_DISCOUNT", 4.0)
        monkeypatch.setattr(newton_plan, "calibrate_releases", lambda planned, epsilon, delta: planned)
        newton_plan._calibrated.cache_clear()
        try:
            report = selected(noise, **settings).audit()
        finally:
            newton_plan._calibrated.cache_clear()
        assert "ledger" in report.problems
        assert not report.holds

    @BOTH
    def test_noise_for_a_removed_row_does_not_hide_a_replaced_one(self, noise) -> None:
        assert not selected(noise).audit(relation="replace-one").holds

    @BOTH
    def test_gradients_that_leave_the_interval(self, noise, monkeypatch) -> None:
        compute = GradientRows.compute_gradients
        monkeypatch.setattr(
            GradientRows, "compute_gradients", lambda self, low, high, kappa: compute(self, low - 99, high + 99, kappa)
        )
        report = selected(noise, n_rounds=2, learning_rate=10.0).audit()
        assert report.excess > 0.02


class TestExactNumbersThatDecide:
    @BOTH
    def test_histograms_without_noise(self, noise, monkeypatch) -> None:
        release = newton.NewtonTrainer._release

        def exact(self: Any, planned: Any, raw: Any, sensitivity: int) -> Any:
            if planned.label != "histograms":
                return release(self, planned, raw, sensitivity)
            return mechanisms._reveal(raw) / GRID, 0.0

        monkeypatch.setattr(newton.NewtonTrainer, "_release", exact)
        report = histograms(noise).audit()
        assert {"model", "ledger"} <= report.problems

    @BOTH
    def test_a_refinement_from_exact_counts(self, noise, monkeypatch) -> None:
        """What is charged for is released, and then something else is used."""
        known = newton.NewtonTrainer._histograms

        def exact(self: Any, rows: Any, total: float) -> Any:
            released = known(self, rows, total)
            offsets = np.concatenate([[0], np.cumsum(self.layout.n_codes)]).astype(np.int64)
            counts = mechanisms._reveal(rows.histograms(offsets, self._norm)) / GRID
            return dataclasses.replace(released, counts=counts.reshape(released.counts.shape), noise=0.0)

        monkeypatch.setattr(newton.NewtonTrainer, "_histograms", exact)
        assert "model" in histograms(noise).audit().problems

    @BOTH
    def test_attributes_that_are_learnt_from_exact_sums(self, noise, monkeypatch) -> None:
        """Which attribute the third tree tests would tell rows apart, however noisy the sums in the ledger."""
        asked: list[RawSums] = []
        leaf_sums, learn = GradientRows.leaf_sums, AttributeChoice.learn

        def remembered(self: Any, *args: Any) -> Any:
            asked.append(leaf_sums(self, *args))
            return asked[-1]

        def exactly(self: Any, sums: Any, proposed: Any, added: Any, noise: float, *args: float) -> None:
            learn(self, mechanisms._reveal(asked[-1]).reshape(sums.shape) / GRID, proposed, added, 0.0, *args)

        monkeypatch.setattr(GradientRows, "leaf_sums", remembered)
        case = classifier({**ONE_TREE, **ADAPTING, **noise, "histogram_share": 0.0}, MIXED, epsilon=4.0)
        assert case.audit().holds
        monkeypatch.setattr(AttributeChoice, "learn", exactly)
        assert "model" in case.audit().problems

    @BOTH
    def test_a_base_score_from_exact_counts(self, noise, monkeypatch) -> None:
        start = newton.NewtonTrainer._base

        def exact(self: Any, rows: Any) -> Any:
            start(self, rows)
            sums = mechanisms._reveal(rows.totals(self._norm)).ravel() / GRID
            return self.objective.base(sums, 1.0), float(rows.n_rows)

        monkeypatch.setattr(newton.NewtonTrainer, "_base", exact)
        report = classifier({**ONE_TREE, **noise}, HALVES).audit()
        assert {"model", "trace"} <= report.problems  # the base score, and the noise that follows from it

    @BOTH
    @pytest.mark.parametrize("what", ["curvature", "empty leaves", "number of rows"])
    def test_leaf_values_that_know_more_than_was_released(self, noise, what, monkeypatch) -> None:
        values = newton.newton_values
        sums = GradientRows.leaf_sums
        seen: dict[str, np.ndarray] = {}

        def watched(self: Any, *arguments: Any) -> Any:
            raw = sums(self, *arguments)
            seen["exact"] = mechanisms._reveal(raw) / GRID
            seen["rows"] = np.bincount(self._leaf, weights=self._units, minlength=len(seen["exact"]))
            return raw

        def knowing(released: np.ndarray, noise: float, settings: Any) -> np.ndarray:
            if what == "curvature":
                return values(np.column_stack([released[:, :-1], seen["exact"][:, -1]]), noise, settings)
            found = values(released, noise, settings)
            if what == "empty leaves":
                return np.where(seen["rows"][:, None] > 0, found, 0.0)
            return found / (1.0 + seen["rows"].sum())

        monkeypatch.setattr(GradientRows, "leaf_sums", watched)
        monkeypatch.setattr(newton, "newton_values", knowing)
        assert "model" in classifier({**ONE_TREE, **noise}, HALVES).audit().problems

    @BOTH
    def test_a_reach_that_follows_the_rows(self, noise, monkeypatch) -> None:
        train = newton.NewtonTrainer.train

        def counting(self: Any, rows: Any) -> Any:
            ensemble, refinement = train(self, rows)
            return dataclasses.replace(ensemble, reach=float(min(50, 1 + rows._target.sum()))), refinement

        monkeypatch.setattr(newton.NewtonTrainer, "train", counting)
        assert "model" in leaves(noise).audit().problems

    @BOTH
    def test_the_interval_of_the_scores_that_occur(self, noise, monkeypatch) -> None:
        """Tighter than that of the released trees, and a function of the rows."""
        grow = newton.NewtonTrainer._round

        def occurring(self: Any, rows: Any, r: int, profile: Any, low: Any, high: Any) -> Any:
            rows._passes.ask(lambda part, slot: None)  # steps wait until something is asked
            return grow(self, rows, r, profile, rows._score.min(axis=1), rows._score.max(axis=1))

        monkeypatch.setattr(newton.NewtonTrainer, "_round", occurring)
        assert "trace" in classifier({**TWO_ROUNDS, **noise}, HALVES).audit().problems

    @BOTH
    def test_no_further_round_once_gradients_are_small(self, noise, monkeypatch) -> None:
        grow = newton.NewtonTrainer._round

        def early(self: Any, rows: Any, r: int, profile: Any, *interval: Any) -> Any:
            rows._passes.ask(lambda part, slot: None)
            return [] if r and not rows._gradients.any() else grow(self, rows, r, profile, *interval)

        monkeypatch.setattr(newton.NewtonTrainer, "_round", early)
        assert "trace" in classifier({**TWO_ROUNDS, **noise}, HALVES).audit().problems

    @BOTH
    def test_tests_at_values_that_occur(self, noise, monkeypatch) -> None:
        draw = newton.TestProfile.draw
        start = GradientRows.start

        def watched(self: Any, *arguments: Any) -> None:
            start(self, *arguments)
            seen["codes"] = self._codes

        def occurring(self: Any, *arguments: Any) -> Any:
            splits = draw(self, *arguments)
            first = np.maximum(seen["codes"][splits.attribute].max(axis=1), 2).astype(np.uint8)
            return dataclasses.replace(splits, first=first)

        seen: dict[str, np.ndarray] = {}
        monkeypatch.setattr(GradientRows, "start", watched)
        monkeypatch.setattr(newton.TestProfile, "draw", occurring)
        assert "model" in classifier({**ONE_TREE, **noise}, HALVES).audit().problems


def test_a_bound_that_is_one_part_in_a_thousand_too_small(monkeypatch) -> None:
    whole = Objective.sensitivity
    monkeypatch.setattr(Objective, "sensitivity", lambda self, *facts: math.floor(0.999 * whole(self, *facts)))
    for noise in (LAPLACE, GAUSSIAN):
        for case in (leaves(noise), regressor({**LEAVES, **noise, "loss": "absolute_error"}, SPENDING)):
            assert case.audit().disproved
