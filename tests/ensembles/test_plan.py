"""Budgets are divided without remainder, before any row is read."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privboost.ensembles.plan import BoostingSettings, calibrate_alpha, plan_boosting, plan_forest
from privboost.errors import PlanError
from privboost.losses import MAlphaLoss
from privboost.privacy.accounting import total_cost
from privboost.privacy.relation import PrivacyUnit
from privboost.theory import sensitivity

FACTS: dict[str, Any] = {"unit": PrivacyUnit(), "n_rows": 100, "n_candidates": 12}


@given(
    epsilon=st.floats(1e-6, 1e6),
    n_trees=st.integers(1, 30),
    depth=st.integers(1, 6),
    share=st.floats(0.01, 0.99),
    composition=st.sampled_from(["parallel", "sequential"]),
    relation=st.sampled_from(["add-remove", "replace-one"]),
    n_outputs=st.sampled_from([1, 3, 7]),
)
@settings(max_examples=60, deadline=None)
def test_the_parts_add_up_to_exactly_epsilon(
    epsilon: float, n_trees: int, depth: int, share: float, composition: Any, relation: Any, n_outputs: int
) -> None:
    chosen = BoostingSettings(n_trees, depth, share, composition=composition)
    plan = plan_boosting(
        chosen, epsilon=epsilon, unit=PrivacyUnit(relation), n_rows=50, n_candidates=4, n_outputs=n_outputs
    )
    assert total_cost(plan.releases) == Fraction(epsilon)
    assert len(plan.releases) == n_outputs * n_trees * (depth + 1)
    per_tree = {sum((r.cost for r in (*tree.levels, tree.leaves)), Fraction(0)) for tree in plan.trees}
    assert per_tree == {Fraction(epsilon) / (n_outputs * n_trees)}


def test_labels_are_unique() -> None:
    chosen = BoostingSettings(3, 2, 0.5)
    plan = plan_boosting(chosen, epsilon=1.0, n_outputs=3, **FACTS)
    labels = [release.label for release in plan.releases]
    assert len(set(labels)) == len(labels)
    assert labels[0] == "class 1 against the rest/tree 1/depth 0/splits"


def test_sequential_nodes_divide_the_level_and_parallel_ones_do_not() -> None:
    parallel, sequential = (
        plan_boosting(BoostingSettings(1, 3, 0.5, composition=how), epsilon=1.0, n_outputs=1, **FACTS).trees[0]
        for how in ("parallel", "sequential")
    )
    for level in range(3):
        assert parallel.levels[level].epsilon == sequential.levels[level].epsilon * 2**level
        assert parallel.levels[level].cost == sequential.levels[level].cost == Fraction(1, 6)


@pytest.mark.parametrize("mechanism", ["laplace", "exponential"])
@pytest.mark.parametrize(("partition", "n_releases"), [("disjoint", 1), ("shared", 5)])
def test_a_forest_spends_everything_at_its_leaves(mechanism: Any, partition: str, n_releases: int) -> None:
    plan = plan_forest(
        n_trees=5,
        max_depth=2,
        mechanism=mechanism,
        partition=partition,
        leaf="vote",
        epsilon=0.3,
        unit=PrivacyUnit(),
        n_rows=10,
        n_candidates=9,
        n_classes=3,
    )
    assert len(plan.releases) == n_releases
    assert total_cost(plan.releases) == Fraction(0.3)


def test_without_privacy_nothing_is_noisy() -> None:
    plan = plan_boosting(BoostingSettings(2, 2, 0.5), epsilon=None, n_outputs=1, **FACTS)
    assert {release.mechanism for release in plan.releases} == {"none"}
    assert total_cost(plan.releases) is None


def test_a_row_count_whose_sums_could_lose_a_bit_is_refused() -> None:
    facts = {"unit": PrivacyUnit(), "n_candidates": 12, "n_outputs": 1}
    plan_boosting(BoostingSettings(1, 1, 0.5), epsilon=1.0, n_rows=2**36 - 1, **facts)
    with pytest.raises(PlanError, match="rows can be summed exactly"):
        plan_boosting(BoostingSettings(1, 1, 0.5), epsilon=1.0, n_rows=2**36, **facts)


def test_a_domain_without_any_test_is_refused() -> None:
    with pytest.raises(PlanError, match="no test"):
        plan_boosting(
            BoostingSettings(1, 1, 0.5), epsilon=1.0, unit=PrivacyUnit(), n_rows=5, n_candidates=0, n_outputs=1
        )


@given(
    epsilon=st.floats(1e-4, 50),
    level=st.integers(0, 6),
    n_rows=st.integers(3, 100_000),  # with two rows every alpha costs the same
    n_candidates=st.integers(1, 900),
    omega=st.floats(0.5, 1.0),
    distance=st.integers(1, 4),
    form=st.sampled_from(["exact", "paper"]),
)
@settings(max_examples=150, deadline=None)
def test_calibrated_alpha_is_the_largest_that_the_budget_affords(
    epsilon: float, level: int, n_rows: int, n_candidates: int, omega: float, distance: int, form: Any
) -> None:
    alpha = calibrate_alpha(
        epsilon,
        level=level,
        n_rows=n_rows,
        n_candidates=n_candidates,
        max_weight=omega,
        distance=distance,
        form=form,
    )

    def slack(a: float) -> float:
        delta = sensitivity(MAlphaLoss(a), n_rows, omega, form=form)
        return 0.1 * epsilon * (omega * n_rows / 2**level) / (distance * delta) - math.log(n_candidates / 0.1)

    assert 0.0 <= alpha <= 1.0
    if alpha > 0.0:
        assert slack(alpha) >= -1e-6 * (1 + abs(slack(alpha)))
    if alpha < 1.0:
        assert slack(min(alpha + 1e-6, 1.0)) <= 1e-6 * (1 + math.log(n_candidates / 0.1))


def test_more_budget_never_lowers_alpha_and_depth_never_raises_it() -> None:
    facts: dict[str, Any] = {"n_rows": 1000, "n_candidates": 90, "max_weight": 0.5}
    by_epsilon = [calibrate_alpha(e, level=1, **facts) for e in (0.001, 0.01, 0.1, 1.0, 10.0)]
    by_level = [calibrate_alpha(0.5, level=k, **facts) for k in range(6)]
    assert by_epsilon == sorted(by_epsilon)
    assert by_epsilon[0] == 0.0
    assert by_epsilon[-1] == 1.0
    assert by_level == sorted(by_level, reverse=True)


def test_a_model_that_no_file_could_hold_is_refused_before_anything_is_spent() -> None:
    for n_trees, depth in ((10_000, 3), (200, 14)):
        with pytest.raises(PlanError, match="fit into a model file"):
            plan_boosting(BoostingSettings(n_trees, depth, 0.5), epsilon=1.0, n_outputs=1, **FACTS)
