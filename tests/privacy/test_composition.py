"""Totals of whole runs: by hand, by mpmath, and by dp-accounting as the second accountant."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction

import mpmath
import pytest

from privboost.errors import VerificationError
from privboost.privacy import (
    Event,
    Ledger,
    PlannedRelease,
    calibrate_mixed,
    covers,
    epsilon_to_delta,
    gaussian_scale,
    gdp_epsilon,
    noise_scale,
    total_cost,
    total_privacy,
)
from privboost.privacy.composition import profile_of
from privboost.privacy.verify import second_accountant

DELTA = 1e-5


def sums(multiplier=4.0, count=1, composition="parallel", distance=1, size=2, sensitivity=65536, label="tree 1/leaf"):
    scale = gaussian_scale(distance, sensitivity, multiplier)
    return Event(label, "gaussian", sensitivity, scale, distance, count, composition, size)


def pure(mechanism="exponential", epsilon=Fraction(1, 30), count=1, composition="parallel", distance=1):
    scale = noise_scale(distance, 70_000, epsilon)
    return Event("tree 1/split", mechanism, 70_000, scale, distance, count, composition, 9)


def exact_delta(epsilon, mu):
    with mpmath.workdps(80):
        e, m = mpmath.mpf(epsilon), mpmath.mpf(mu)
        return mpmath.ncdf(-e / m + m / 2) - mpmath.exp(e) * mpmath.ncdf(-e / m - m / 2)


class TestProfile:
    def test_parallel_and_sequential(self):
        """Four leaves of two numbers: a row is in one of them; two rows (replace-one) may be in two."""
        one = profile_of([sums(4.0, count=4)])
        assert (one.mu, one.numbers) == (0.25, 2)
        two = profile_of([sums(4.0, count=4, distance=2)])
        assert (two.mu, two.numbers) == (0.25, 4)
        many = profile_of([sums(4.0, count=3, distance=14)])
        assert many.numbers == 6
        after = profile_of([sums(4.0, count=4, composition="sequential")])
        assert (after.mu, after.numbers) == (0.5, 8)
        assert after.spread == pytest.approx(4 * math.sqrt(2) * 0.25)

    def test_squares_add_up(self):
        assert profile_of([sums(4.0), sums(3.0)]).mu == pytest.approx(math.hypot(1 / 4, 1 / 3), rel=1e-12)

    def test_pure_releases_are_counted(self):
        events = [pure(), pure(count=8), pure(count=3, composition="sequential"), pure("laplace")]
        profile = profile_of(events)
        assert profile.mu == 0.0
        assert profile.pure_total == total_cost(events) == sum(e.cost for e in events)
        assert sorted((part.ranged, part.times) for part in profile.pure) == [(False, 1), (True, 5)]

    def test_plan_and_ledger_of_the_plan_agree(self):
        event = sums(5.0, count=4, distance=2)
        plan = PlannedRelease("tree 1/leaf", "gaussian", Fraction(0), 4, "parallel", 2, 2, 5.0)
        ours, theirs = profile_of([event]), profile_of([plan])
        assert ours.mu <= theirs.mu
        assert ours.mu == pytest.approx(theirs.mu, rel=1e-12)
        assert ours.numbers == theirs.numbers


class TestTotals:
    def test_pure_runs_are_exact_sums(self):
        events = [pure(), pure("laplace"), pure("permute-and-flip")]
        exact = total_cost(events)
        assert Fraction(total_privacy(events, 0.0)) >= exact
        assert total_privacy(events, 0.0) == pytest.approx(0.1, rel=1e-12)
        assert epsilon_to_delta(events, math.nextafter(float(exact), 1.0)) == 0.0
        assert covers(events, exact, 0.0)
        assert not covers(events, exact * (1 - Fraction(1, 2**80)), 0.0)

    def test_gaussian_run_against_high_precision(self):
        events = [sums(20.0)] * 30
        mu = math.sqrt(30) / 20
        epsilon = total_privacy(events, DELTA)
        assert exact_delta(epsilon, mu) <= DELTA
        assert gdp_epsilon(DELTA, mu) < epsilon < gdp_epsilon(DELTA, mu) * 1.0001
        assert epsilon_to_delta(events, epsilon) == pytest.approx(DELTA, rel=1e-6)
        assert epsilon_to_delta(events, epsilon) <= DELTA * (1 + 1e-6)

    def test_gaussian_noise_needs_a_delta(self):
        assert total_cost([sums()]) is None
        assert total_privacy([sums()], 0.0) == math.inf
        assert not covers([sums()], 1e9, 0.0)
        with pytest.raises(VerificationError, match="delta"):
            _ = sums().epsilon
        with pytest.raises(VerificationError, match="delta"):
            _ = sums().cost
        with pytest.raises(VerificationError, match="no Gaussian noise"):
            _ = pure().mu

    def test_exact_release_is_covered_by_nothing(self):
        exact = Event("tree 1/leaf", "none", 1, 0.0, 1, 1, "parallel", 2)
        assert total_privacy([sums(), exact], DELTA) == math.inf
        assert epsilon_to_delta([sums(), exact], 100.0) == 1.0
        assert not covers([sums(), exact], 1e9, 0.5)
        assert not covers([exact], 1e9, 0.5)

    def test_nothing_costs_nothing(self):
        assert total_privacy([], 0.0) == total_privacy([], DELTA) == 0.0
        assert epsilon_to_delta([], 0.0) == 0.0

    def test_price_of_the_exponential_mechanism_is_below_that_of_the_others(self):
        runs = {name: [pure(name)] * 60 + [sums(20.0)] * 20 for name in ("exponential", "permute-and-flip", "laplace")}
        costs = {name: total_privacy(run, DELTA) for name, run in runs.items()}
        assert costs["exponential"] < 0.8 * costs["laplace"]
        assert costs["permute-and-flip"] == pytest.approx(costs["laplace"], rel=1e-9)
        assert total_privacy([sums(20.0)] * 20, DELTA) < costs["exponential"]

    def test_many_pure_releases_cost_less_than_their_sum(self):
        events = [pure(epsilon=Fraction(1, 100))] * 1000
        assert total_privacy(events, DELTA) < 0.2 * float(total_cost(events))
        assert total_privacy([pure()], DELTA) <= float(total_cost([pure()])) * (1 + 1e-12)

    @pytest.mark.parametrize("mixed", [False, True])
    def test_totals_are_monotone(self, mixed):
        extra = [pure()] * 20 if mixed else []
        by_noise = [total_privacy([sums(m)] * 10 + extra, DELTA) for m in (4.0, 8.0, 16.0, 64.0)]
        by_count = [total_privacy([sums(8.0)] * n + extra, DELTA) for n in (40, 10, 3, 1)]
        by_delta = [total_privacy([sums(8.0)] * 10 + extra, d) for d in (1e-12, 1e-9, 1e-5, 1e-2)]
        by_distance = [total_privacy([sums(8.0 / d, distance=1)] * 10 + extra, DELTA) for d in (14, 2, 1)]
        for values in (by_noise, by_count, by_delta, by_distance):
            assert values == sorted(values, reverse=True)
            assert len(set(values)) == len(values)
        deltas = [epsilon_to_delta([sums(8.0)] * 10 + extra, e) for e in (0.1, 0.5, 1.0, 2.0, 4.0)]
        assert deltas == sorted(deltas, reverse=True)

    @pytest.mark.parametrize("epsilon", [1e-6, 1e-4, 0.03, 1.0, 20.0])
    @pytest.mark.parametrize("part", [0.05, 0.3, 0.7])
    def test_what_a_run_costs_in_total_covers_it(self, epsilon: float, part: float) -> None:
        """The curve of a mixed run has small steps: whoever reads the total off it must be believed the total."""
        costs = [part * epsilon / 4] * 4
        for delta in (1e-9, 1e-6):
            (multiplier,) = calibrate_mixed(epsilon, delta, costs, [1.0])
            selections = [pure(epsilon=Fraction(cost)) for cost in costs]
            planned = PlannedRelease("sums", "gaussian", Fraction(0), 1, "sequential", 1, 2, multiplier)
            assert covers([*selections, planned], epsilon, delta)
            total = total_privacy([*selections, planned], delta)
            assert total <= epsilon
            assert covers([*selections, planned], total, delta)
            assert not covers([*selections, planned], total * 0.99, delta)


class TestSecondAccountant:
    """Equality where both are exact; where one knows less, the right order."""

    @pytest.fixture(autouse=True)
    def library(self):
        pytest.importorskip("dp_accounting", reason="dp-accounting is in the extra 'test'")

    @pytest.mark.parametrize("delta", [1e-12, 1e-5])
    @pytest.mark.parametrize(("multiplier", "n"), [(1e5, 5), (40.0, 100), (2.0, 3), (0.2, 4)])
    def test_gaussian_runs_are_equal(self, multiplier, n, delta):
        events = [sums(multiplier)] * n
        assert second_accountant(events, delta) == pytest.approx(total_privacy(events, delta), rel=1e-3, abs=1e-9)

    def test_pure_runs_under_delta(self):
        """Losses on a grid are exact for randomised response, the worst pure mechanism; Rényi bounds are not."""
        events = [pure("permute-and-flip", Fraction(1, 20))] * 50
        theirs, ours = second_accountant(events, DELTA), total_privacy(events, DELTA)
        assert theirs * 0.999 <= ours <= theirs * 1.12

    def test_mixed_runs(self):
        """Losses on a grid are exact with pure selections. With the exponential mechanism ours is below theirs."""
        flips = [pure("permute-and-flip")] * 30 + [sums(15.0)] * 20
        theirs, ours = second_accountant(flips, DELTA), total_privacy(flips, DELTA)
        assert theirs * 0.999 <= ours <= theirs * 1.08
        gumbel = [pure()] * 60 + [sums(15.0)] * 20
        theirs, ours = second_accountant(gumbel, DELTA), total_privacy(gumbel, DELTA)
        assert 0.9 * theirs <= ours <= theirs
        assert ours > second_accountant(gumbel[60:], DELTA)

    @pytest.mark.parametrize("wrong", ["noise", "norm", "relation", "twice"])
    def test_planted_bug_is_seen_as_a_disagreement(self, wrong):
        """Each kind of wrong charge moves our total away from that of the run as it really was."""
        charged = [sums(8.0, size=16)] * 10
        real = {
            "noise": [dataclasses.replace(e, scale=e.scale / 2) for e in charged],
            "norm": [dataclasses.replace(e, sensitivity=e.sensitivity * 4) for e in charged],  # sqrt(16) numbers move
            "relation": [dataclasses.replace(e, distance=2) for e in charged],
            "twice": charged * 2,
        }[wrong]
        assert second_accountant(charged, DELTA) == pytest.approx(total_privacy(charged, DELTA), rel=1e-3)
        assert second_accountant(real, DELTA) > 1.3 * total_privacy(charged, DELTA)


def test_without_the_second_accountant(monkeypatch):
    monkeypatch.setattr("privboost.privacy.verify.find_spec", lambda name: None)
    assert second_accountant([sums()], DELTA) is None


class TestLedger:
    def plan(self, multiplier=4.0):
        return PlannedRelease("tree 1/leaf", "gaussian", Fraction(0), 4, "parallel", 2, 2, multiplier)

    def ledger(self, *events):
        ledger = Ledger()
        for event in events:
            ledger.record(event)
        return ledger

    def event(self, **changes):
        return dataclasses.replace(sums(4.0, count=4, distance=2), **changes)

    def test_matching_plan_passes_at_its_total(self):
        plan = [self.plan()] * 3
        ledger = self.ledger(*[self.event()] * 3)
        epsilon = total_privacy(plan, DELTA)
        ledger.check_against(plan, epsilon, DELTA)
        assert ledger.total() is None
        with pytest.raises(VerificationError, match="more than epsilon"):
            ledger.check_against(plan, epsilon * (1 - 1e-6), DELTA)
        with pytest.raises(VerificationError, match="more than epsilon"):
            ledger.check_against(plan, epsilon, DELTA / 2)
        with pytest.raises(VerificationError, match="without a delta"):
            ledger.check_against(plan, 1e9)

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"scale": 65536.0 * 4}, "cost more than planned"),  # half the noise
            ({"distance": 1}, "distance"),
            ({"count": 8}, "count"),
            ({"size": 4}, "size"),
            ({"sensitivity": 4 * 65536}, "cost more than planned"),
            ({"sensitivity": 16384}, "noise scale"),
            ({"scale": 65536.0 * 16}, "noise scale"),
            ({"composition": "sequential"}, "composition"),
            ({"mechanism": "laplace"}, "mechanism"),
        ],
    )
    def test_any_difference_from_the_plan_is_found(self, changes, message):
        self.ledger(self.event()).check_against([self.plan()], 100.0, DELTA)
        with pytest.raises(VerificationError, match=message):
            self.ledger(self.event(**changes)).check_against([self.plan()], 100.0, DELTA)

    def test_release_that_took_place_twice(self):
        with pytest.raises(VerificationError, match="1 releases, the ledger 2"):
            self.ledger(self.event(), self.event()).check_against([self.plan()], 100.0, DELTA)

    def test_the_plan_itself_must_stay_within_the_budget(self):
        """A release whose noise was raised to the smallest scale costs less than planned; the plan's total counts."""
        plan = PlannedRelease("tree 1/leaf", "gaussian", Fraction(0), 1, "parallel", 1, 2, 1 / 1024)
        event = Event("tree 1/leaf", "gaussian", 65536, 512.0, 1, 1, "parallel", 2)
        assert event.mu < plan.mu
        ledger = self.ledger(event)
        ledger.check_against([plan], total_privacy([plan], DELTA), DELTA)
        with pytest.raises(VerificationError, match="more than epsilon"):
            ledger.check_against([plan], total_privacy([event], DELTA), DELTA)

    def test_mixed_and_pure_ledgers_with_a_delta(self):
        split = PlannedRelease("tree 1/split", "exponential", Fraction(1, 30), 1, "parallel", 2, 9)
        plan = [split, self.plan(20.0)]
        ledger = self.ledger(pure(distance=2), sums(20.0, count=4, distance=2))
        ledger.check_against(plan, total_privacy(plan, DELTA), DELTA)
        many = [split] * 400
        ledger = self.ledger(*[pure(distance=2)] * 400)
        epsilon = total_privacy(many, DELTA)
        assert epsilon < 0.5 * float(ledger.total())
        ledger.check_against(many, epsilon, DELTA)
        with pytest.raises(VerificationError, match="more than epsilon"):
            ledger.check_against(many, epsilon)


class TestPlannedRelease:
    def release(self, **changes):
        return dataclasses.replace(
            PlannedRelease("tree 1/leaf", "gaussian", Fraction(0), 1, "parallel", 1, 2, 2.0), **changes
        )

    @pytest.mark.parametrize("value", [None, 0.0, -1.0, math.nan, math.inf, 1, "1"])
    def test_multiplier_is_a_positive_float(self, value):
        with pytest.raises(ValueError, match="noise_multiplier"):
            self.release(noise_multiplier=value)

    def test_one_of_epsilon_and_multiplier(self):
        with pytest.raises(ValueError, match="epsilon"):
            self.release(epsilon=Fraction(1))
        with pytest.raises(ValueError, match="noise_multiplier"):
            self.release(mechanism="laplace", epsilon=Fraction(1))
        assert self.release().mu == Fraction(1, 2)
        with pytest.raises(ValueError, match="delta"):
            _ = self.release().cost
        with pytest.raises(ValueError, match="no Gaussian noise"):
            _ = self.release(mechanism="laplace", epsilon=Fraction(1), noise_multiplier=None).mu
