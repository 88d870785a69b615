from __future__ import annotations

import dataclasses
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privboost.errors import ParameterError, ParameterTypeError, PlanError, VerificationError
from privboost.privacy import Event, Ledger, PlannedRelease, check_epsilon, divide_budget, noise_scale
from privboost.privacy.scales import MIN_SCALE

HALF = Fraction(1, 2)


def make_event(**changes):
    event = Event("tree 1/leaf", "laplace", 3, 12.0, 2, 4, "parallel", 2)
    return dataclasses.replace(event, **changes)


def plan_for(event, epsilon=HALF):
    return PlannedRelease(
        event.label, event.mechanism, epsilon, event.count, event.composition, event.distance, event.size
    )


def ledger_of(*events):
    ledger = Ledger()
    for event in events:
        ledger.record(event)
    return ledger


class TestCheckEpsilon:
    @pytest.mark.parametrize(
        "value", [1, 0.5, np.float32(1), np.float64(2), np.int64(3), np.array(1.0), Fraction(1, 3)]
    )
    def test_real_numbers_pass(self, value):
        checked = check_epsilon(value)
        assert type(checked) is float
        assert checked == float(value)

    @pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 0, 0.0, -0.0, -1, 10**400, np.float32("nan")])
    def test_out_of_range_is_a_value_error(self, value):
        with pytest.raises(ParameterError, match="epsilon"):
            check_epsilon(value)

    @pytest.mark.parametrize("value", ["1", None, True, np.True_, 1 + 0j, np.array([1.0]), [1.0], Decimal(1)])
    def test_other_types_are_a_type_error(self, value):
        with pytest.raises(ParameterTypeError, match="epsilon"):
            check_epsilon(value)

    def test_message_is_short_for_a_huge_number(self):
        with pytest.raises(ParameterError) as info:
            check_epsilon(10**400)
        assert len(str(info.value)) < 200


class TestDivideBudget:
    @settings(derandomize=True, deadline=None)
    @given(
        st.floats(1e-12, 1e12),
        st.lists(st.floats(0, 1e6), min_size=1, max_size=20).filter(lambda shares: sum(shares) > 0),
    )
    def test_parts_add_up_exactly_and_are_proportional(self, epsilon, shares):
        parts = divide_budget(epsilon, shares)
        assert sum(parts) == Fraction(epsilon)
        for i, share in enumerate(shares):
            assert parts[i] * sum(map(Fraction, shares)) == Fraction(epsilon) * Fraction(share)

    @pytest.mark.parametrize("shares", [[], [0], [0.0, 0.0], [1, -1], [2, -1], [math.nan], [math.inf]])
    def test_bad_shares_are_refused(self, shares):
        with pytest.raises(PlanError):
            divide_budget(1.0, shares)


class TestNoiseScale:
    @settings(derandomize=True, deadline=None)
    @given(
        st.integers(1, 20),
        st.integers(1, 2**40),
        st.fractions(Fraction(1, 10**9), 10**6, max_denominator=10**12),
    )
    def test_smallest_float_within_the_budget(self, distance, sensitivity, epsilon):
        scale = noise_scale(distance, sensitivity, epsilon)
        assert distance * sensitivity / Fraction(scale) <= epsilon
        below = math.nextafter(scale, 0.0)
        assert below < MIN_SCALE or distance * sensitivity / Fraction(below) > epsilon

    def test_large_budget_stops_at_the_smallest_scale(self):
        assert noise_scale(1, 1, Fraction(10) ** 300) == MIN_SCALE

    @pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(-1), Fraction(1, 10**70), Fraction(5e-324)])
    def test_no_budget_or_too_little_is_a_plan_error(self, epsilon):
        with pytest.raises(PlanError, match="Raise epsilon"):
            noise_scale(1, 1, epsilon)

    def test_relation_changes_the_scale_by_two(self):
        """One leaf's gradient is +1 and vanishes, or becomes -1: sensitivity 1 against 2."""
        removed = noise_scale(1, 65536, Fraction(1))
        replaced = noise_scale(2, 65536, Fraction(1))
        assert (removed, replaced) == (65536.0, 131072.0)


class TestEvent:
    def test_cost_of_parallel_and_sequential(self):
        assert make_event().epsilon == HALF
        assert make_event().cost == HALF
        assert make_event(composition="sequential").cost == 2

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("label", ""),
            ("label", 3),
            ("mechanism", "normal"),
            ("sensitivity", 0),
            ("sensitivity", 1.0),
            ("sensitivity", True),
            ("scale", 0.0),
            ("scale", -1.0),
            ("scale", math.nan),
            ("scale", math.inf),
            ("scale", 1),
            ("distance", 0),
            ("count", -1),
            ("composition", "both"),
            ("size", 0),
        ],
    )
    def test_bad_field_is_named(self, field, value):
        with pytest.raises(ParameterError, match=field):
            make_event(**{field: value})

    def test_exact_release_has_no_epsilon(self):
        event = make_event(mechanism="none", scale=0.0)
        assert not event.private
        with pytest.raises(VerificationError, match="exact"):
            _ = event.epsilon
        with pytest.raises(ParameterError, match="scale"):
            make_event(mechanism="none", scale=1.0)

    def test_planned_release_needs_an_exact_positive_budget(self):
        with pytest.raises(ParameterTypeError, match="epsilon"):
            plan_for(make_event(), 0.5)
        with pytest.raises(PlanError, match="budget"):
            plan_for(make_event(), Fraction(0))
        assert plan_for(make_event(composition="sequential")).cost == 2


class TestLedger:
    def test_matching_plan_passes(self):
        events = [make_event(), make_event(label="tree 2/leaf")]
        ledger = ledger_of(*events)
        ledger.check_against([plan_for(event) for event in events], 1.0)
        assert ledger.total() == 1
        assert ledger.events == tuple(events)

    @pytest.mark.parametrize(
        "changes",
        [
            {"label": "tree 9/leaf"},
            {"mechanism": "exponential"},
            {"count": 5},
            {"composition": "sequential"},
            {"distance": 1},
            {"size": 3},
            {"sensitivity": 2},  # too small: the cost falls below the plan
            {"sensitivity": 4},
            {"scale": 6.0},  # noise halved
            {"scale": 24.0},
            {"scale": math.nextafter(12.0, 0.0)},
        ],
    )
    def test_any_difference_from_the_plan_is_found(self, changes):
        plan = [plan_for(make_event())]
        with pytest.raises(VerificationError):
            ledger_of(make_event(**changes)).check_against(plan, 100.0)

    def test_less_noise_and_other_noise_are_told_apart(self):
        plan = [plan_for(make_event())]
        with pytest.raises(VerificationError, match="cost more than planned"):
            ledger_of(make_event(scale=6.0)).check_against(plan, 100.0)
        with pytest.raises(VerificationError, match="noise scale"):
            ledger_of(make_event(scale=24.0)).check_against(plan, 100.0)

    def test_what_no_noise_could_keep_within_its_plan_is_found(self):
        event = Event("x", "laplace", 10**62, 1.0, 1, 1, "sequential", 1)
        plan = [PlannedRelease("x", "laplace", Fraction(1), 1, "sequential", 1, 1)]
        with pytest.raises(VerificationError, match="No noise keeps the release 'x' within its plan"):
            ledger_of(event).check_against(plan, 100.0)

    def test_missing_extra_and_swapped_releases_are_found(self):
        first, second = make_event(), make_event(label="tree 2/leaf")
        plan = [plan_for(first), plan_for(second)]
        for events in [(), (first,), (first, second, second), (second, first)]:
            with pytest.raises(VerificationError):
                ledger_of(*events).check_against(plan, 100.0)

    def test_total_above_epsilon_is_found_by_the_last_bit(self):
        ledger = ledger_of(make_event(), make_event())
        plan = [plan_for(event) for event in ledger.events]
        ledger.check_against(plan, 1.0)
        with pytest.raises(VerificationError, match="more than epsilon"):
            ledger.check_against(plan, math.nextafter(1.0, 0.0))

    def test_exact_release_leaves_no_total(self):
        event = make_event(mechanism="none", scale=0.0)
        ledger = ledger_of(make_event(), event)
        assert ledger.total() is None
        with pytest.raises(VerificationError, match="exact"):
            ledger.check_against([plan_for(item) for item in ledger.events], 100.0)

    def test_only_events_can_be_recorded(self):
        with pytest.raises(ParameterTypeError):
            Ledger().record("noise")

    @pytest.mark.parametrize("epsilon", [1e-6, 1e-3, 0.1, 1.0, 10.0, 1e4])
    @pytest.mark.parametrize("rounds", [1, 100, 5000])
    def test_calibration_never_overshoots(self, epsilon, rounds):
        """Thousands of rounded scales still add up to at most epsilon, and to hardly less."""
        share = divide_budget(epsilon, [1] * rounds)[0]
        scale = noise_scale(2, 32768, share)
        total = rounds * 2 * 32768 / Fraction(scale)
        assert total <= Fraction(epsilon)
        assert float(total) == pytest.approx(epsilon, rel=1e-12)
        smaller = noise_scale(2, 32768, share / 2)
        assert smaller > scale
