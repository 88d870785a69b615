"""Learners that are broken on purpose, in the ways in which such learners break. The audits must catch each one.

A control that changes how likely outcomes are must be *disproved*: an outcome was found whose loss exceeds the claim.
One that publishes exact numbers, or lets them decide what is asked for, must be named as such.
"""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from audit_cases import RELATIONS, SELECTIONS, Case

from privboost import BDPEClassifier, PrivateForestClassifier, PrivateTreeClassifier
from privboost.ensembles import boosting, plan
from privboost.privacy import mechanisms
from privboost.privacy.mechanisms import Laplace, Released, Select
from privboost.sources.local import GRID, LocalRows
from privboost.theory import sensitivity
from privboost.trees import splitting
from privboost.trees.tree import Splits

ONE_TREE = Case(BDPEClassifier, {"n_trees": 1, "max_depth": 1, "alpha": 1.0})
TWO_TREES = Case(
    BDPEClassifier, {"n_trees": 2, "max_depth": 1, "alpha": 1.0, "leverage_scale": 1.9}, n_rows=2, leaf_limit=4
)
DEEPER = Case(PrivateTreeClassifier, {"max_depth": 2, "criterion": "matsushita"}, n_rows=2)
SINGLE = Case(PrivateTreeClassifier, {"max_depth": 1, "criterion": "square"})
FOREST = Case(PrivateForestClassifier, {"n_trees": 2, "max_depth": 1}, n_rows=2)
SELECTING_FOREST = Case(PrivateForestClassifier, {"n_trees": 2, "max_depth": 1, "mechanism": "exponential"}, n_rows=2)
EVERY = [ONE_TREE, TWO_TREES, DEEPER, SINGLE, FOREST, SELECTING_FOREST]


@pytest.mark.parametrize("case", EVERY, ids=repr)
def test_the_whole_ones_hold(case: Case) -> None:
    assert case.audit().holds


class Louder:
    """A source of randomness that draws too little noise."""

    def __init__(self, randomness: Any, factor: float) -> None:
        self.randomness, self.factor = randomness, factor

    def laplace(self, values: Any, scale: float) -> Any:
        return self.randomness.laplace(values, self.factor * scale)

    def select(self, scores: Any, scale: float, rule: str) -> Any:
        return self.randomness.select(scores, self.factor * scale, rule)


def draw_less_noise(patch: pytest.MonkeyPatch, mechanism: type, factor: float = 0.5) -> None:
    """Lose a factor of the scale between what is charged and what is drawn."""
    apply = mechanism.apply  # type: ignore[attr-defined]
    patch.setattr(mechanism, "apply", lambda self, raw, rng, ledger: apply(self, raw, Louder(rng, factor), ledger))


class TestTooLittleNoise:
    @pytest.mark.parametrize("case", [ONE_TREE, TWO_TREES, DEEPER, SINGLE, FOREST], ids=repr)
    def test_half_the_noise_at_leaves(self, case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
        draw_less_noise(monkeypatch, Laplace)
        report = case.audit()
        assert report.disproved
        assert report.excess > 0.2

    @pytest.mark.parametrize("selection", SELECTIONS)
    def test_half_the_noise_at_splits(self, selection: str, monkeypatch: pytest.MonkeyPatch) -> None:
        # Most of the budget at the splits: a loss that the leaves' share could hide must still be found.
        params = {"n_trees": 1, "max_depth": 1, "selection": selection, "split_share": 0.9}
        draw_less_noise(monkeypatch, Select)
        report = Case(BDPEClassifier, params).audit()
        assert report.disproved
        assert report.excess > 0.05

    def test_half_the_noise_at_the_votes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        draw_less_noise(monkeypatch, Select)
        assert SELECTING_FOREST.audit().disproved

    def test_a_tenth_too_little_is_enough_to_be_caught(self, monkeypatch: pytest.MonkeyPatch) -> None:
        draw_less_noise(monkeypatch, Laplace, 0.9)
        draw_less_noise(monkeypatch, Select, 0.9)
        assert ONE_TREE.audit().disproved

    def test_half_the_scale_in_the_ledger_too(self, monkeypatch: pytest.MonkeyPatch) -> None:
        build = mechanisms._Noisy.__init__

        def halved(self: Any, *arguments: Any) -> None:
            build(self, *arguments)
            self._scale /= 2

        monkeypatch.setattr(mechanisms._Noisy, "__init__", halved)
        report = ONE_TREE.audit()
        assert report.problems == {"ledger"}
        assert report.attained > 1.5 * ONE_TREE.epsilon


class TestWrongRelation:
    @pytest.mark.parametrize("case", EVERY, ids=repr)
    def test_noise_for_a_removed_row_does_not_hide_a_replaced_one(self, case: Case) -> None:
        assert case.audit(relation="replace-one").disproved

    @pytest.mark.parametrize("case", [ONE_TREE, SINGLE, FOREST], ids=repr)
    def test_two_rows_of_a_person_are_not_one(self, case: Case) -> None:
        claimed = case.audit()
        two = dataclasses.replace(case, params={**case.params, "rows_per_person": 2})
        two.__dict__["plan"] = case.plan  # noise for one row, pairs that differ in two
        report = two.audit()
        assert report.claim == claimed.claim
        assert report.disproved


class TestWrongWeights:
    def test_a_cap_below_the_weights(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(boosting, "_weight_cap", lambda loss, largest: GRID // 4)
        assert ONE_TREE.audit().disproved

    def test_a_cap_that_does_not_grow_with_the_trees(self, monkeypatch: pytest.MonkeyPatch) -> None:
        boost = LocalRows.boost
        monkeypatch.setattr(boosting, "_weight_cap", lambda loss, largest: GRID // 2)
        monkeypatch.setattr(LocalRows, "boost", lambda self, leaves, alpha, cap: boost(self, leaves, alpha, GRID))
        report = TWO_TREES.audit()
        assert report.disproved
        assert report.excess > 0.05

    def test_a_stale_cap_is_harmless_while_weights_are_cut_off_at_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(boosting, "_weight_cap", lambda loss, largest: GRID // 2)
        assert TWO_TREES.audit().holds

    def test_weights_that_are_normalised_by_their_sum(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """As in AdaBoost: a row then changes every other row's weight."""
        boost = LocalRows.boost

        def normalised(self: Any, leaves: Any, alpha: float, cap: int) -> None:
            boost(self, leaves, alpha, cap)
            self.exact_leaf_sums()  # whatever is asked for, the step that waits is done before
            weight = self._weight.astype(np.int64)
            self._weight = (weight * cap // max(int(weight.sum()), 1)).astype(np.int32)

        monkeypatch.setattr(LocalRows, "boost", normalised)
        params = {**TWO_TREES.params, "split_share": 0.1}
        assert Case(BDPEClassifier, params, n_rows=3, leaf_limit=2).audit().disproved

    def test_null_rows_that_weigh_something(self, monkeypatch: pytest.MonkeyPatch) -> None:
        init = LocalRows.__init__
        monkeypatch.setattr(
            LocalRows,
            "__init__",
            lambda self, codes, offsets, labels, *rest: init(self, codes, offsets, abs(labels), *rest),
        )
        assert SINGLE.audit().disproved


class TestWrongSensitivity:
    @pytest.mark.parametrize("selection", SELECTIONS)
    @pytest.mark.parametrize("relation", RELATIONS)
    def test_a_selection_without_the_criterion_s_sensitivity(
        self, selection: str, relation: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(boosting, "score_sensitivity", lambda loss, n_rows, cap, form: cap)
        params = {"n_trees": 1, "max_depth": 1, "alpha": 1.0, "selection": selection, "relation": relation}
        report = Case(BDPEClassifier, {**params, "split_share": 0.9}, epsilon=5.0).audit()
        assert report.disproved
        assert report.excess > 0.5

    @pytest.mark.parametrize("criterion", ["matsushita", "square", "log"])
    def test_a_bound_for_a_table_of_one_row_less(self, criterion: str, monkeypatch: pytest.MonkeyPatch) -> None:
        whole = boosting.score_sensitivity
        monkeypatch.setattr(
            boosting, "score_sensitivity", lambda loss, n_rows, cap, form: whole(loss, n_rows - 1, cap, form)
        )
        assert Case(PrivateTreeClassifier, {"max_depth": 1, "criterion": criterion}).audit().disproved

    def test_a_bound_one_part_in_a_thousand_too_small(self, monkeypatch: pytest.MonkeyPatch) -> None:
        whole = boosting.score_sensitivity
        monkeypatch.setattr(boosting, "score_sensitivity", lambda *arguments: math.floor(0.999 * whole(*arguments)))
        assert ONE_TREE.audit().disproved

    @pytest.mark.parametrize("criterion", ["zero-one", "matsushita", "square", "log"])
    def test_the_allowance_for_rounding(self, criterion: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Without it the claim still stands here, and must: to round is monotone, so a real change of at most Δ is an
        integer change from 0 to ceil(Δ). The allowance is for errors of floating point, which only far larger sums
        have. A bound below floor(Δ) is caught, so the audit does see single units.
        """
        case = Case(PrivateTreeClassifier, {"max_depth": 1, "criterion": criterion}, epsilon=20.0)
        for off, stands in ((0, True), (-2, False)):
            monkeypatch.setattr(
                boosting,
                "score_sensitivity",
                lambda loss, n_rows, cap, form, off=off: math.ceil(sensitivity(loss, n_rows, float(cap))) + off,
            )
            report = case.audit()
            assert report.holds == stands
            assert report.disproved != stands


class TestWrongAccounts:
    def test_a_leaf_table_released_twice_and_charged_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        apply = Laplace.apply

        def twice(self: Any, raw: Any, randomness: Any, ledger: Any) -> Released:
            first = apply(self, raw, randomness, ledger)
            second = randomness.laplace(mechanisms._reveal(raw), self.scale)
            return Released((first.values + second) // 2)

        monkeypatch.setattr(Laplace, "apply", twice)
        for case in (ONE_TREE, SINGLE, FOREST):
            report = case.audit()
            assert report.disproved
            assert "ledger" in report.problems

    def test_trees_that_share_rows_and_do_not_share_the_budget(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A disjoint forest's budget for trees that all see all rows: every row is in two cells of the table."""
        spread, sums = LocalRows.spread, LocalRows._leaf_sums

        def in_all(self: Any, tree_of_row: Any, n_trees: int) -> None:
            spread(self, tree_of_row, n_trees)
            self.halves = n_trees

        def copied(self: Any) -> Any:
            table = sums(self)
            parts = table.reshape(self.halves, -1, table.shape[1])
            return np.broadcast_to(parts.sum(axis=0), parts.shape).reshape(table.shape).copy()

        monkeypatch.setattr(LocalRows, "spread", in_all)
        monkeypatch.setattr(LocalRows, "_leaf_sums", copied)
        assert FOREST.audit().disproved
        assert SELECTING_FOREST.audit().disproved

    def test_a_shared_forest_that_is_charged_as_a_disjoint_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        case = Case(PrivateForestClassifier, {"n_trees": 2, "max_depth": 1, "partition": "shared"}, n_rows=2)
        whole = plan.PlannedRelease
        monkeypatch.setattr(
            plan, "PlannedRelease", lambda **fields: whole(**{**fields, "epsilon": Fraction(case.epsilon)})
        )
        report = case.audit()
        assert report.attained > 1.9 * case.epsilon
        assert report.problems == {"ledger"}


class TestExactNumbersThatDecide:
    def test_a_coefficient_from_exact_sums(self) -> None:
        params = {"n_trees": 2, "max_depth": 1, "leverage": "exact"}
        report = Case(BDPEClassifier, params, n_rows=2, leaf_limit=2).audit()
        assert {"model", "trace"} <= report.problems  # the tree's weight, and the next tree's noise scale
        assert report.bound == math.inf

    def test_a_coefficient_from_exact_sums_in_the_last_tree(self) -> None:
        report = Case(BDPEClassifier, {"n_trees": 1, "max_depth": 1, "leverage": "exact"}).audit()
        assert report.problems == {"model"}

    def test_no_split_for_a_pure_node(self, monkeypatch: pytest.MonkeyPatch) -> None:
        choose = splitting.PrivateSplitter.choose

        def stop_when_pure(self: Any, rows: Any, level: int) -> Splits:
            splits = choose(self, rows, level)
            return dataclasses.replace(
                splits, attribute=np.where(rows.pure_nodes(), -1, splits.attribute).astype(np.int32)
            )

        monkeypatch.setattr(splitting.PrivateSplitter, "choose", stop_when_pure)
        assert "model" in DEEPER.audit().problems

    def test_no_further_tree_once_all_rows_are_of_one_class(self, monkeypatch: pytest.MonkeyPatch) -> None:
        grow = boosting.Trainer.grow

        def early(self: Any, rows: Any, *arguments: Any) -> Any:
            rows.start_tree()
            if not rows.pure_nodes().all():
                return grow(self, rows, *arguments)
            return boosting.ReleasedTree(self.candidates.take(np.zeros(1, np.int64)), np.zeros((2, 2)), 0.0)

        monkeypatch.setattr(boosting.Trainer, "grow", early)
        report = TWO_TREES.audit()
        assert {"trace", "ledger"} <= report.problems
        assert report.bound == math.inf

    def test_candidates_that_occur_in_the_rows(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Thresholds at values that occur: how many there are is told by the number of candidates."""
        scores = LocalRows.split_scores

        def occurring(self: Any, candidates: Splits, loss: Any, units: int) -> Any:
            raw = scores(self, candidates, loss, units)
            values = mechanisms._reveal(raw)
            occurs = np.isin(candidates.first, self._codes)
            values[:, ~occurs] = values.min(initial=0) - 1000 * GRID
            return raw

        monkeypatch.setattr(LocalRows, "split_scores", occurring)
        assert ONE_TREE.audit().disproved

    def test_exact_counts_left_in_the_model(self, monkeypatch: pytest.MonkeyPatch) -> None:
        grow = boosting.Trainer.grow

        def exact(self: Any, rows: Any, *arguments: Any) -> Any:
            released = grow(self, rows, *arguments)
            return dataclasses.replace(released, sums=rows.exact_leaf_sums() / GRID)

        monkeypatch.setattr(boosting.Trainer, "grow", exact)
        for case in (ONE_TREE, SINGLE):
            assert case.audit().problems == {"model"}
