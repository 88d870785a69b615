"""The rule behind "auto": a function of public numbers that always leads to a plan, and says why."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import pytest

from privboost.ensembles.auto import FREE, AutoRule, choose_settings
from privboost.ensembles.ensemble import MAX_REACH
from privboost.ensembles.newton_plan import NewtonFacts, NewtonSettings, plan_newton
from privboost.ensembles.temperature import MOST_EXPECTED
from privboost.privacy.gaussian import gdp_mu
from privboost.privacy.relation import PrivacyUnit
from privboost.sources.objectives import OBJECTIVES

FACTS = NewtonFacts(
    epsilon=1.0,
    delta=1e-6,
    unit=PrivacyUnit("add-remove", 1),
    n_rows=10_000,
    n_attributes=10,
    n_candidates=500,
    n_cells=600,
    n_stats=2,
    objective="logistic",
)

EXTREMES = list(itertools.product((1e-4, 0.1, 1.0, 100.0, None), (0.0, 1e-12, 1e-3), (1, 50, 10**4, 10**9)))


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize(("epsilon", "delta", "n_rows"), EXTREMES)
def test_every_case_leads_to_a_plan_within_its_budget(
    objective: str, epsilon: float | None, delta: float, n_rows: int
) -> None:
    n_stats = 4 if objective == "softmax" else 2
    facts = replace(FACTS, epsilon=epsilon, delta=delta, n_rows=n_rows, objective=objective, n_stats=n_stats)
    settings, reasons = choose_settings(facts, {})
    assert settings.learning_rate > 0.0
    assert 0.0 <= settings.score_reach <= MAX_REACH
    assert 0.0 < settings.kappa <= 1.0
    assert settings.mechanism in ("laplace", "gaussian")
    assert (settings.mechanism == "gaussian") <= (delta > 0.0 and epsilon is not None)
    plan = plan_newton(settings, facts, reasons)
    assert len(plan.leaves) == settings.n_trees
    assert all(reason and "\n" not in reason for reason in reasons)


@pytest.mark.parametrize("name", FREE)
def test_a_given_setting_is_kept_and_needs_no_reason(name: str) -> None:
    values = {"mechanism": "laplace", "n_rounds": 7, "trees_per_round": 3, "max_depth": 2, "attributes_per_tree": 1}
    values["attribute_choice"] = "adaptive"
    value = values.get(name, 0.125)
    settings, reasons = choose_settings(FACTS, {name: value})
    assert getattr(settings, name) == value
    assert not any(reason.startswith(f"{name}:") for reason in reasons)


def test_an_adaptive_plan_has_its_own_constants() -> None:
    pure, rule = replace(FACTS, delta=0.0), AutoRule()
    adaptive, drawn = (choose_settings(pure, {"attribute_choice": c})[0] for c in ("adaptive", "random"))
    assert adaptive.learning_rate == pytest.approx(rule.adaptive_rate / math.sqrt(adaptive.n_rounds), rel=1e-12)
    assert (adaptive.shrinkage, drawn.shrinkage) == (rule.adaptive_shrinkage, rule.laplace_shrinkage)
    assert (adaptive.base_share, drawn.base_share) == (0.02, 0.05)
    assert choose_settings(replace(pure, n_rows=10), {"attribute_choice": "adaptive"})[0].learning_rate <= 1.0


def test_gaussian_noise_may_be_a_little_larger_than_that_of_the_trees_it_stands_for() -> None:
    rule = AutoRule()
    for n_rows in (10, 100, 1_000, 10_000, 10**6):
        for delta in (1e-300, 1e-30, 1e-12, 1e-9, 1e-6, 1e-3):
            facts = replace(FACTS, n_rows=n_rows, delta=delta)
            trees = choose_settings(replace(facts, delta=0.0), {"attribute_choice": "random"})[0].n_rounds
            gaussian, laplace = 1.0 / gdp_mu(1.0, delta), math.sqrt(2.0 * trees)
            chosen = choose_settings(facts, {})[0].mechanism
            assert chosen == ("gaussian" if gaussian <= rule.gaussian_room * laplace else "laplace")
    # Fewer trees, and trees that divide the budget, are compared as they are.
    facts = replace(FACTS, delta=1e-12)
    chosen = [choose_settings(facts, given)[0].mechanism for given in ({"n_rounds": 2}, {"trees_per_round": 5})]
    assert chosen == ["laplace", "gaussian"]


def test_gaussian_noise_is_chosen_where_it_is_smaller() -> None:
    # With a delta of 1e-300 mu is so small that Laplace noise of a few trees is less.
    assert choose_settings(replace(FACTS, delta=1e-300), {})[0].mechanism == "laplace"
    assert choose_settings(FACTS, {})[0].mechanism == "gaussian"
    assert choose_settings(replace(FACTS, delta=0.0), {})[0].mechanism == "laplace"


def test_reach_is_proportional_to_rows_over_noise() -> None:
    facts = replace(FACTS, epsilon=0.1)
    expected = facts.n_rows * gdp_mu(0.1, 1e-6) / AutoRule().reach
    assert choose_settings(facts, {})[0].score_reach == pytest.approx(expected, rel=1e-12)
    # Neighbours at twice the distance need twice the noise.
    doubled = replace(facts, unit=PrivacyUnit("replace-one", 1))
    assert choose_settings(doubled, {})[0].score_reach == pytest.approx(expected / 2, rel=1e-12)


def test_histograms_are_released_only_where_they_can_show_something() -> None:
    assert choose_settings(FACTS, {})[0].histogram_share > 0.0
    tiny, reasons = choose_settings(replace(FACTS, n_rows=20), {})
    assert tiny.histogram_share == 0.0
    assert any("nothing is spent" in reason for reason in reasons)
    assert choose_settings(replace(FACTS, n_rows=20), {"histogram_share": 0.3})[0].histogram_share == 0.3


def test_laplace_rounds_follow_the_root_of_rows_times_epsilon() -> None:
    facts = replace(FACTS, delta=0.0)
    assert choose_settings(replace(facts, n_rows=2_500), {})[0].n_rounds == 25
    assert choose_settings(replace(facts, n_rows=10), {})[0].n_rounds == 2
    assert choose_settings(replace(facts, n_rows=10**9), {})[0].n_rounds == 400
    # Where it is learnt which attributes matter, fewer trees do.
    assert choose_settings(facts, {})[0].n_rounds == 30
    assert choose_settings(facts, {"attribute_choice": "random"})[0].n_rounds == 50
    assert choose_settings(replace(facts, n_rows=2_500), {"attribute_choice": "adaptive"})[0].n_rounds == 15
    # However few rows there are, each attribute has a tree of its own, and one more follows.
    assert choose_settings(replace(facts, n_rows=10), {"attribute_choice": "adaptive"})[0].n_rounds == 11


def test_tests_are_selected_where_rows_are_many_beside_the_noise() -> None:
    rule = AutoRule()
    least = rule.gaussian_selects / gdp_mu(1.0, 1e-6)
    few, many = (replace(FACTS, n_rows=round(least * factor)) for factor in (0.99, 1.01))
    assert choose_settings(few, {})[0].tests_per_node == 1
    assert choose_settings(many, {})[0].tests_per_node == rule.gaussian_tests
    # A person of two rows is as half as many rows.
    two = replace(many, unit=PrivacyUnit("add-remove", 2))
    assert choose_settings(two, {})[0].tests_per_node == 1
    # Whoever decides that tests are selected, or not, gets the trees that go with that.
    given = choose_settings(few, {"tests_per_node": 9})[0]
    assert given == replace(choose_settings(many, {"tests_per_node": 9})[0], score_reach=given.score_reach)
    assert choose_settings(many, {"tests_per_node": 1})[0].max_depth == choose_settings(few, {})[0].max_depth
    assert choose_settings(replace(FACTS, epsilon=None), {})[0].tests_per_node > 1
    for n_rows in (1, 10**4, 10**8):
        assert choose_settings(replace(FACTS, delta=0.0, n_rows=n_rows), {})[0].tests_per_node == 1


def test_attributes_are_chosen_adaptively_under_laplace_noise_where_each_can_be_tried() -> None:
    rule = AutoRule()
    pure = replace(FACTS, delta=0.0)

    def choice(given: dict[str, object] | None = None, **changes: object) -> str:
        return choose_settings(replace(pure, **changes), given or {})[0].attribute_choice

    least = round(rule.laplace_adapts)
    assert [choice(n_rows=least - 1), choice(n_rows=least)] == ["random", "adaptive"]
    assert choice(n_rows=least, unit=PrivacyUnit("replace-one", 1)) == "random"
    # Thirty rounds, or more where there are more attributes, up to a hundred.
    assert [choice(n_attributes=n) for n in (99, 100)] == ["adaptive", "random"]
    assert [choose_settings(replace(pure, n_attributes=n), {})[0].n_rounds for n in (29, 30, 99)] == [30, 31, 100]
    assert [choice({"n_rounds": n}) for n in (10, 11)] == ["random", "adaptive"]
    # Trees that see the same gradients have nothing to learn from each other.
    assert choice({"trees_per_round": 2}) == "random"
    assert choice(objective="squared") == "random"
    assert choice(objective="softmax", n_stats=3) == "adaptive"
    assert [choice({"score_reach": reach}) for reach in (0.99, 1.0)] == ["random", "adaptive"]
    assert choose_settings(FACTS, {})[0].attribute_choice == "random"
    assert choose_settings(replace(FACTS, epsilon=None), {})[0].attribute_choice == "random"


def test_without_noise_no_reason_speaks_of_it() -> None:
    _, reasons = choose_settings(replace(FACTS, epsilon=None), {})
    for name in ("mechanism", "tests_per_node", "attribute_choice", "n_rounds"):
        assert f"{name}: there is no noise: as with Gaussian noise of next to no size." in reasons


def test_reasons_name_what_decided_about_attributes() -> None:
    pure = replace(FACTS, delta=0.0)

    def reason(given: dict[str, object] | None = None, **changes: object) -> str:
        reasons = choose_settings(replace(pure, **changes), given or {})[1]
        return next(r for r in reasons if r.startswith("attribute_choice"))

    assert "rows are 1e+04 times 1 / epsilon and attributes few beside the rounds" in reason()
    assert "rows are 2e+03 times 1 / epsilon: learning which attributes matter takes 3e+03" in reason(n_rows=2_000)
    assert "100 rounds would be too few to learn which of 100 attributes" in reason(n_attributes=100)
    assert "9 rounds would be too few to learn which of 10 attributes" in reason({"n_rounds": 9})
    assert "trees of one round see the same gradients" in reason({"trees_per_round": 2})
    assert "gradients that hardly follow" in reason({"score_reach": 0.5})
    assert "where numbers are predicted" in reason(objective="gamma")
    halved = reason(unit=PrivacyUnit("replace-one", 1))
    assert "rows are 5e+03 times 1 / epsilon and 2 rows of a difference" in halved


def test_the_weaker_the_signal_the_less_room_the_curvature_of_two_classes_takes() -> None:
    def kappas(**changes: object) -> list[float]:
        facts = [replace(FACTS, n_rows=n, **changes) for n in (20, 700, 10_000, 10**6)]
        return [choose_settings(f, {"mechanism": "gaussian" if f.delta else "laplace"})[0].kappa for f in facts]

    for delta in (1e-6, 0.0):
        found = kappas(delta=delta)
        assert found == sorted(found)
        assert 0.0 < found[0] < found[-1]
    assert kappas(objective="softmax", n_stats=3) == [1.0] * 4
    assert kappas(epsilon=None) == [1.0] * 4
    assert len(set(kappas(objective="squared"))) == 1


def test_the_step_of_a_round_makes_up_for_a_small_factor_of_the_curvature() -> None:
    pure = replace(FACTS, delta=0.0, n_rows=200)
    classes, counts = (choose_settings(replace(pure, objective=o), {})[0] for o in ("logistic", "softmax"))
    assert classes.learning_rate * classes.kappa == pytest.approx(counts.learning_rate * counts.kappa, rel=1e-12)


def test_reasons_of_the_step_and_of_the_noise_say_what_decided() -> None:
    def reason(name: str, **changes: object) -> str:
        reasons = choose_settings(replace(FACTS, **changes), {})[1]
        return next(r for r in reasons if r.startswith(f"{name}:"))

    assert "leaves the noise of all rounds, added up, small" in reason("learning_rate", n_rows=150)
    assert "the noise would allow more" in reason("learning_rate", n_rows=10**6)
    assert "expected to lie 1.66 times too close" in reason("expected_slope", n_rows=450)
    assert "0.3 times the root of 1e+04, which is rows times epsilon; at least" in reason("n_rounds", delta=0.0)
    two = PrivacyUnit("replace-one", 1)
    assert "0.3 times the root of 5e+03, which is rows times epsilon / 2 rows" in reason(
        "n_rounds", delta=0.0, unit=two
    )
    assert "more rows than there are" in reason("histogram_share", n_rows=5)
    assert "Gaussian noise is taken up to 1.45 times the other" in reason("mechanism")


def test_scores_of_classes_are_expected_too_close_to_the_base_where_the_signal_is_weak() -> None:
    rule = AutoRule()

    def slope(given: dict[str, object] | None = None, **changes: object) -> float:
        return choose_settings(replace(FACTS, **changes), given or {})[0].expected_slope

    strength = 500 * gdp_mu(1.0, 1e-6)
    assert slope(n_rows=500) == pytest.approx((rule.steady_strength / strength) ** rule.slope_power, rel=1e-12)
    assert [slope(n_rows=n) for n in (1, 10**5)] == [MOST_EXPECTED, 1.0]
    many = slope(n_rows=500, objective="softmax", n_stats=3)
    assert many == pytest.approx((rule.steady_strength_of_many / strength) ** rule.slope_power, rel=1e-12)
    for other in ({"objective": "squared"}, {"objective": "poisson"}, {"epsilon": None}):
        assert slope(n_rows=500, **other) == 1.0
    # Whoever chooses the steps gets them as they are.
    for given in ({"learning_rate": 0.1}, {"shrinkage": 1.0}):
        assert slope(given, n_rows=500) == 1.0
    assert slope({"calibration_share": 0.0}, n_rows=500) == slope(n_rows=500)


def test_the_rule_is_a_function_of_public_numbers() -> None:
    first, second = choose_settings(FACTS, {}), choose_settings(replace(FACTS), {})
    assert first == second
    assert isinstance(first[0], NewtonSettings)


def test_scores_are_calibrated_where_their_histogram_stands_out_of_its_noise() -> None:
    rule = AutoRule()
    for delta, share in ((1e-6, rule.gaussian_calibration), (0.0, rule.laplace_calibration)):
        facts = replace(FACTS, delta=delta)
        assert choose_settings(facts, {})[0].calibration_share == share
        shares = [
            choose_settings(replace(facts, n_rows=n), {})[0].calibration_share for n in (1, 20, 100, 10**3, 10**5)
        ]
        assert shares == sorted(shares)
        assert shares[0] == 0.0
    # The noise of a pure release of a twentieth of epsilon is 20 * sqrt(2) rows at epsilon 1.
    least = math.ceil(rule.calibratable * 20.0 * math.sqrt(2.0))
    pure = replace(FACTS, delta=0.0)
    for n_rows, share in ((least - 1, 0.0), (least + 1, rule.laplace_calibration)):
        assert choose_settings(replace(pure, n_rows=n_rows), {})[0].calibration_share == share
    for other in (replace(FACTS, epsilon=None), replace(FACTS, objective="squared")):
        assert choose_settings(other, {})[0].calibration_share == 0.0
    assert choose_settings(replace(FACTS, objective="softmax", n_stats=3), {})[0].calibration_share == 0.0
