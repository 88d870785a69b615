"""The budget of Newton boosting: divided without remainder, or calibrated to a delta, before any row is read."""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from privboost.ensembles.newton_plan import NewtonFacts, NewtonPlan, NewtonSettings, plan_newton
from privboost.ensembles.plan import MAX_LEAVES, MAX_RELEASES
from privboost.errors import PlanError
from privboost.privacy.accounting import total_cost
from privboost.privacy.composition import total_privacy
from privboost.privacy.mechanisms import Gaussian, Laplace
from privboost.privacy.relation import PrivacyUnit
from privboost.sources.local import GRID

SETTINGS = NewtonSettings(n_rounds=3, trees_per_round=2, max_depth=4, learning_rate=0.2, shrinkage=2.0)
FACTS = NewtonFacts(
    epsilon=1.0,
    delta=0.0,
    unit=PrivacyUnit(),
    n_rows=1000,
    n_attributes=6,
    n_candidates=40,
    n_cells=55,
    n_stats=2,
    objective="logistic",
)
GAUSSIAN = replace(SETTINGS, mechanism="gaussian")
SMALL_DELTA = replace(FACTS, delta=1e-6)


def exact_delta(epsilon: float, mu: float) -> Any:
    """Return the delta of Gaussian noise on real numbers, by its curve."""
    with mpmath.workdps(60):
        e, m = mpmath.mpf(epsilon), mpmath.mpf(mu)
        return mpmath.ncdf(-e / m + m / 2) - mpmath.exp(e) * mpmath.ncdf(-e / m - m / 2)


@given(
    epsilon=st.floats(1e-6, 1e6),
    n_rounds=st.integers(1, 40),
    trees=st.integers(1, 6),
    base=st.sampled_from([0.0, 0.02, 1 / 3]),
    histograms=st.sampled_from([0.0, 0.08, 0.5]),
    unit=st.builds(PrivacyUnit, st.sampled_from(["add-remove", "replace-one"]), st.integers(1, 5)),
)
@settings(max_examples=60, deadline=None)
def test_laplace_parts_add_up_to_exactly_epsilon(
    epsilon: float, n_rounds: int, trees: int, base: float, histograms: float, unit: PrivacyUnit
) -> None:
    chosen = replace(SETTINGS, n_rounds=n_rounds, trees_per_round=trees, base_share=base, histogram_share=histograms)
    plan = plan_newton(chosen, replace(FACTS, epsilon=epsilon, unit=unit))
    assert total_cost(plan.releases) == Fraction(epsilon)
    assert sum((release.cost for release in plan.releases), Fraction(0)) == Fraction(epsilon)
    for release, share in ((plan.counts, base), (plan.histograms, histograms)):
        assert (release is None) == (share == 0.0)
        if release is not None:
            assert float(release.cost) == pytest.approx(share * epsilon, rel=1e-12)
    assert len({release.epsilon for release in plan.leaves}) == 1  # equal parts
    assert len(plan.leaves) == n_rounds * trees
    assert {release.distance for release in plan.releases} == {unit.distance}


@given(
    epsilon=st.floats(0.01, 20.0),
    delta=st.sampled_from([1e-9, 1e-5]),
    n_rounds=st.integers(1, 60),
    n_stats=st.integers(2, 6),
    base=st.sampled_from([0.0, 0.02]),
    histograms=st.sampled_from([0.0, 0.08]),
    unit=st.builds(PrivacyUnit, st.sampled_from(["add-remove", "replace-one"]), st.integers(1, 3)),
)
@settings(max_examples=25, deadline=None)
def test_gaussian_parts_cost_at_most_epsilon_at_delta_and_hardly_less(
    epsilon: float, delta: float, n_rounds: int, n_stats: int, base: float, histograms: float, unit: PrivacyUnit
) -> None:
    chosen = replace(GAUSSIAN, n_rounds=n_rounds, base_share=base, histogram_share=histograms)
    objective = "logistic" if n_stats == 2 else "softmax"
    facts = replace(FACTS, epsilon=epsilon, delta=delta, n_stats=n_stats, objective=objective, unit=unit)
    plan = plan_newton(chosen, facts)
    spent = total_privacy(plan.releases, delta)
    assert 0.999 * epsilon < spent <= epsilon
    mu = math.sqrt(math.fsum(float(release.mu) ** 2 for release in plan.releases))
    assert exact_delta(epsilon, mu) <= delta  # another accountant, for noise on real numbers
    assert exact_delta(0.997 * epsilon, mu) > delta
    for release, share in ((plan.counts, base), (plan.histograms, histograms)):
        assert (release is None) == (share == 0.0)
        if release is not None:
            assert float(release.mu) ** 2 / mu**2 == pytest.approx(share, rel=1e-9)
    assert len({release.noise_multiplier for release in plan.leaves}) == 1


@pytest.mark.parametrize("share", [0.03, 0.5])
def test_the_histogram_of_the_scores_comes_last_and_gets_its_part(share: float) -> None:
    pure = plan_newton(replace(SETTINGS, calibration_share=share), FACTS)
    assert pure.calibration is pure.releases[-1]
    assert float(pure.calibration.cost) == pytest.approx(share * float(total_cost(pure.releases)), rel=1e-12)
    relaxed = plan_newton(replace(GAUSSIAN, calibration_share=share), SMALL_DELTA)
    whole = math.fsum(float(release.mu) ** 2 for release in relaxed.releases)
    assert float(relaxed.calibration.mu) ** 2 == pytest.approx(share * whole, rel=1e-9)
    assert plan_newton(SETTINGS, FACTS).calibration is None


def test_only_the_one_score_of_two_classes_is_calibrated() -> None:
    for objective, n_stats in (("softmax", 3), ("squared", 2), ("poisson", 2)):
        with pytest.raises(PlanError, match="two classes"):
            plan_newton(replace(SETTINGS, calibration_share=0.1), replace(FACTS, objective=objective, n_stats=n_stats))


SELECTING = {"tests_per_node": 7, "selection_share": 0.4}


@given(
    epsilon=st.floats(1e-3, 1e3),
    n_rounds=st.integers(1, 40),
    share=st.sampled_from([0.001, 0.3, 0.9]),
    unit=st.builds(PrivacyUnit, st.sampled_from(["add-remove", "replace-one"]), st.integers(1, 3)),
)
@settings(max_examples=40, deadline=None)
def test_a_pure_selection_gets_its_part_of_every_tree(
    epsilon: float, n_rounds: int, share: float, unit: PrivacyUnit
) -> None:
    chosen = replace(SETTINGS, n_rounds=n_rounds, tests_per_node=7, selection_share=share)
    plan = plan_newton(chosen, replace(FACTS, epsilon=epsilon, unit=unit))
    assert total_cost(plan.releases) == Fraction(epsilon)
    for levels, leaf in zip(plan.selections, plan.leaves, strict=True):
        assert {release.mechanism for release in levels} == {"permute-and-flip"}
        paid = sum(float(release.cost) for release in levels)
        assert paid / (paid + float(leaf.cost)) == pytest.approx(share, rel=1e-9)


@given(
    epsilon=st.floats(0.05, 20.0),
    delta=st.sampled_from([1e-9, 1e-5]),
    n_rounds=st.integers(1, 40),
    share=st.sampled_from([0.05, 0.5, 0.9]),
)
@settings(max_examples=15, deadline=None)
def test_selections_beside_gaussian_sums_are_within_the_budget_by_another_account(
    epsilon: float, delta: float, n_rounds: int, share: float
) -> None:
    chosen = replace(GAUSSIAN, n_rounds=n_rounds, tests_per_node=7, selection_share=share)
    plan = plan_newton(chosen, replace(FACTS, epsilon=epsilon, delta=delta))
    spent = total_privacy(plan.releases, delta)
    assert 0.999 * epsilon < spent <= epsilon
    picks = [release for levels in plan.selections for release in levels]
    assert {release.mechanism for release in picks} == {"exponential"}
    # The zCDP of a bounded range, and of Gaussian noise, converted by Renyi orders: an upper bound, never far off.
    rho = sum(float(r.epsilon) ** 2 / 8 for r in picks) + sum(
        float(r.mu) ** 2 / 2 for r in plan.releases if r not in picks
    )
    grid = [1.0 + 10.0**k for k in np.linspace(-3.0, 4.0, 4000)]
    renyi = min(rho * a + (math.log(1 / delta) + (a - 1) * math.log1p(-1 / a) - math.log(a)) / (a - 1) for a in grid)
    assert epsilon <= 1.001 * renyi <= 1.15 * epsilon
    # Selections get three quarters of their share or more, and the sums what is left.
    paid = sum(float(r.epsilon) ** 2 / 4 for r in picks)
    trees = paid + sum(float(r.mu) ** 2 for r in plan.leaves)
    assert 0.7 * share <= paid / trees <= 1.05 * share


def test_a_selection_for_every_level_of_every_tree() -> None:
    for settings_, facts, mechanism in (
        (SETTINGS, FACTS, "permute-and-flip"),
        (GAUSSIAN, SMALL_DELTA, "exponential"),
        (SETTINGS, replace(FACTS, epsilon=None), "none"),
    ):
        plan = plan_newton(replace(settings_, **SELECTING), facts)
        assert len(plan.selections) == 6
        expected = [
            (f"round {r + 1}/tree {k + 1}/depth {d}/splits", mechanism, 2**d, 7)
            for r in range(3)
            for k in range(2)
            for d in range(4)
        ]
        found = [(p.label, p.mechanism, p.count, p.size) for levels in plan.selections for p in levels]
        assert found == expected
        labels = [p.label for p in plan.releases]
        assert labels[2:8] == [label for label, *_ in expected[:4]] + ["round 1/tree 1/leaves", expected[4][0]]
        assert len(labels) == len(set(labels)) == plan.settings.n_releases
    assert plan_newton(SETTINGS, FACTS).selections == ((),) * 6


def test_more_selections_than_a_file_holds_are_refused() -> None:
    many = replace(SETTINGS, n_rounds=1000, trees_per_round=4, max_depth=5)
    plan_newton(many, FACTS)
    with pytest.raises(PlanError, match="releases"):
        plan_newton(replace(many, **SELECTING), FACTS)


def test_labels_counts_and_shapes() -> None:
    plan = plan_newton(SETTINGS, replace(FACTS, n_stats=3, objective="softmax"))
    shape = [(r.label, r.count, r.composition, r.size) for r in plan.releases]
    assert shape[:2] == [
        ("class counts", 1, "sequential", 3),
        ("histograms", 1, "sequential", 55 * 3),
    ]
    assert shape[2:] == [
        (f"round {r}/tree {k}/leaves", 16, "parallel", 4) for r, k in itertools.product((1, 2, 3), (1, 2))
    ]
    assert plan.releases == (plan.counts, plan.histograms, *plan.leaves)
    assert len({label for label, *_ in shape}) == len(shape)


@pytest.mark.parametrize("objective", ["squared", "quantile", "poisson", "gamma"])
def test_numbers_have_two_sums_and_one_score(objective: str) -> None:
    plan = plan_newton(SETTINGS, replace(FACTS, objective=objective))
    assert [(r.label, r.size) for r in plan.releases[:3]] == [
        ("target sums", 2),
        ("histograms", 110),
        ("round 1/tree 1/leaves", 2),
    ]


@pytest.mark.parametrize(("base", "histograms"), list(itertools.product((0.0, 0.1), (0.0, 0.2))))
def test_what_has_no_share_is_not_released(base: float, histograms: float) -> None:
    for mechanism, facts in (("laplace", FACTS), ("gaussian", SMALL_DELTA), ("laplace", replace(FACTS, epsilon=None))):
        chosen = replace(SETTINGS, base_share=base, histogram_share=histograms, mechanism=mechanism)  # type: ignore[arg-type]
        plan = plan_newton(chosen, facts)
        labels = [release.label for release in plan.releases]
        assert labels[:-6] == ["class counts"] * (base > 0.0) + ["histograms"] * (histograms > 0.0)
        assert (plan.counts is not None, plan.histograms is not None) == (base > 0.0, histograms > 0.0)
        for release, label in ((plan.counts, "class counts"), (plan.histograms, "histograms")):
            assert release is None or release.label == label
        assert len(plan.leaves) == 6
        assert plan.to_dict()["histograms"] == (histograms > 0.0)


def test_without_privacy_nothing_is_noisy() -> None:
    for mechanism in ("laplace", "gaussian"):
        chosen = replace(SETTINGS, mechanism=mechanism)  # type: ignore[arg-type]
        plan = plan_newton(chosen, replace(FACTS, epsilon=None))
        assert {release.mechanism for release in plan.releases} == {"none"}
        assert {release.noise_multiplier for release in plan.releases} == {None}
        assert total_cost(plan.releases) is None
        assert plan.epsilon is None


def scales(plan: NewtonPlan) -> list[float]:
    kind = Gaussian if plan.settings.mechanism == "gaussian" else Laplace
    return [kind.for_release(release, 3 * GRID).scale for release in plan.releases]


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
def test_noise_grows_with_the_rows_that_neighbours_differ_by(mechanism: Any) -> None:
    chosen = replace(SETTINGS, mechanism=mechanism)
    one = scales(plan_newton(chosen, SMALL_DELTA))
    for unit, factor in (
        (PrivacyUnit("add-remove", 1), 1),
        (PrivacyUnit("replace-one", 1), 2),
        (PrivacyUnit("add-remove", 5), 5),
        (PrivacyUnit("replace-one", 3), 6),
    ):
        plan = plan_newton(chosen, replace(SMALL_DELTA, unit=unit))
        found = scales(plan)
        # More leaves can change at once, which makes noise on integers a little dearer.
        tolerance = 1e-12 if mechanism == "laplace" else 1e-3
        assert found == pytest.approx([factor * scale for scale in one], rel=tolerance)
        assert {release.distance for release in plan.releases} == {factor}
        assert total_privacy(plan.releases, 0.0 if mechanism == "laplace" else 1e-6) <= 1.0


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
def test_the_noise_that_a_plan_states_is_that_of_its_releases(mechanism: Any) -> None:
    for unit in (PrivacyUnit(), PrivacyUnit("replace-one", 2)):
        plan = plan_newton(replace(SETTINGS, mechanism=mechanism), replace(SMALL_DELTA, unit=unit))
        scale = scales(plan)[-1] / (3 * GRID)
        assert plan.leaf_noise == pytest.approx(scale * (math.sqrt(2.0) if mechanism == "laplace" else 1.0), rel=1e-9)
    assert plan_newton(SETTINGS, replace(FACTS, epsilon=None)).leaf_noise == 0.0


def test_more_budget_is_less_noise() -> None:
    for mechanism in ("laplace", "gaussian"):
        chosen = replace(SETTINGS, mechanism=mechanism)  # type: ignore[arg-type]
        noise = [plan_newton(chosen, replace(SMALL_DELTA, epsilon=e)).leaf_noise for e in (0.1, 1.0, 8.0)]
        assert noise == sorted(noise, reverse=True)
        assert len(set(noise)) == 3
    strict, loose = (plan_newton(GAUSSIAN, replace(FACTS, delta=d)).leaf_noise for d in (1e-9, 1e-3))
    assert loose < strict


CHANGES: list[dict[str, Any]] = [
    {"epsilon": 2.0},
    {"delta": 1e-5},
    {"unit": PrivacyUnit("replace-one")},
    {"n_cells": 70},
    {"n_stats": 4, "objective": "softmax"},
    {"objective": "squared"},
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: next(iter(change)))
def test_a_plan_asked_for_again_is_the_same_and_another_is_another(change: dict[str, Any]) -> None:
    first = plan_newton(GAUSSIAN, SMALL_DELTA)
    other = plan_newton(GAUSSIAN, replace(SMALL_DELTA, **change))
    again = plan_newton(GAUSSIAN, SMALL_DELTA)
    assert first == again
    assert other.releases != first.releases


def test_a_plan_is_told_in_json_types() -> None:
    plan = plan_newton(SETTINGS, FACTS, ("Because.",))
    told = plan.to_dict()
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert told["n_rows"] == 1000
    assert told["reasons"] == ["Because."]
    for name in NewtonSettings.__dataclass_fields__:
        assert told[name] == getattr(SETTINGS, name)
    for name in ("epsilon", "delta", "n_candidates", "n_stats", "objective"):
        assert told[name] == getattr(FACTS, name)


# -- what is refused


def test_a_row_count_whose_sums_could_lose_a_bit_is_refused() -> None:
    plan_newton(SETTINGS, replace(FACTS, n_rows=2**36 - 1))
    with pytest.raises(PlanError, match="rows can be summed exactly"):
        plan_newton(SETTINGS, replace(FACTS, n_rows=2**36))


def test_a_domain_without_any_test_is_refused_where_a_budget_would_be_spent() -> None:
    with pytest.raises(PlanError, match="no test"):
        plan_newton(SETTINGS, replace(FACTS, n_candidates=0))
    plan_newton(SETTINGS, replace(FACTS, n_candidates=0, epsilon=None))


def test_a_model_that_no_file_could_hold_is_refused() -> None:
    fits = replace(SETTINGS, n_rounds=MAX_RELEASES - 2, trees_per_round=1, max_depth=1)
    plan_newton(fits, FACTS)
    for chosen in (
        replace(fits, n_rounds=MAX_RELEASES - 1),
        replace(SETTINGS, n_rounds=MAX_LEAVES // 2**16 // 2 + 1, trees_per_round=2, max_depth=16),
    ):
        with pytest.raises(PlanError, match="fit into a model file"):
            plan_newton(chosen, FACTS)


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
@pytest.mark.parametrize(("base", "histograms"), [(0.5, 0.5), (0.9, 0.2), (0.0, 1.0), (1.5, 0.0), (math.nan, 0.0)])
def test_trees_without_a_share_are_refused(mechanism: Any, base: float, histograms: float) -> None:
    chosen = replace(SETTINGS, mechanism=mechanism, base_share=base, histogram_share=histograms)
    for facts in (SMALL_DELTA, replace(SMALL_DELTA, epsilon=None)):
        with pytest.raises(PlanError, match="share"):
            plan_newton(chosen, facts)


@pytest.mark.parametrize("kappa", [0.0, -0.5, 1.0000001, math.nan, math.inf])
def test_a_factor_of_the_curvature_for_which_nothing_is_proven_is_refused(kappa: float) -> None:
    with pytest.raises(PlanError, match="curvature"):
        plan_newton(replace(SETTINGS, kappa=kappa), FACTS)
    plan_newton(replace(SETTINGS, kappa=5e-324), FACTS)


def test_a_budget_that_is_too_small_is_refused_when_its_noise_is_due() -> None:
    plan = plan_newton(SETTINGS, replace(FACTS, epsilon=1e-300))
    with pytest.raises(PlanError, match="too small"):
        Laplace.for_release(plan.leaves[0], GRID)


@given(share=st.floats(1e-12, 0.999), epsilon=st.floats(1e-3, 10.0))
@settings(max_examples=40, deadline=None)
def test_tiny_shares_are_still_exact(share: float, epsilon: float) -> None:
    assume(share + 0.0005 < 0.9995)
    for names in (("base_share", "histogram_share"), ("histogram_share", "base_share")):
        chosen = replace(SETTINGS, **dict(zip(names, (share, 0.0005), strict=True)))  # type: ignore[arg-type]
        plan = plan_newton(chosen, replace(FACTS, epsilon=epsilon))
        assert total_cost(plan.releases) == Fraction(epsilon)
        assert min(release.epsilon for release in plan.releases) > 0
