"""Noise for a given (epsilon, delta): never above it, hardly below it, monotone, and quick."""

from __future__ import annotations

import itertools
import math
import time
from fractions import Fraction

import mpmath
import pytest

from privboost.errors import ParameterError, PlanError
from privboost.privacy import (
    PlannedRelease,
    calibrate_gaussian,
    calibrate_mixed,
    calibrate_releases,
    check_delta,
    gdp_mu,
    total_privacy,
)

EPSILONS = (1e-6, 1e-3, 0.1, 1.0, 10.0, 100.0, 1e4)
DELTAS = (1e-12, 1e-5)


def run(multipliers, selections=(), mechanism="exponential", numbers=2):
    pure = [PlannedRelease("s", mechanism, Fraction(e), 1, "sequential", 1, 9) for e in selections]
    return pure + [PlannedRelease("g", "gaussian", Fraction(0), 1, "sequential", 1, numbers, m) for m in multipliers]


def exact_delta(epsilon, mu):
    with mpmath.workdps(80):
        e, m = mpmath.mpf(epsilon), mpmath.mpf(mu)
        return mpmath.ncdf(-e / m + m / 2) - mpmath.exp(e) * mpmath.ncdf(-e / m - m / 2)


@pytest.fixture(scope="module")
def table():
    """Multipliers for every epsilon, delta and number of equal rounds, with the seconds each took."""
    multipliers, seconds = {}, {}
    for key in [(e, d, n) for e in EPSILONS for d in DELTAS for n in (1, 100, 5000)]:
        start = time.perf_counter()
        multipliers[key] = calibrate_gaussian(key[0], key[1], [1.0] * key[2])
        seconds[key] = time.perf_counter() - start
    return multipliers, seconds


class TestGaussianGrid:
    def test_never_above_the_target_and_hardly_below(self, table):
        for (epsilon, delta, n), found in table[0].items():
            assert len(found) == n
            assert 0.0 < found[0] < math.inf
            mu = math.sqrt(math.fsum(m**-2.0 for m in found))
            assert exact_delta(epsilon, mu) <= delta  # an independent accountant, for continuous noise
            assert 0.997 * gdp_mu(epsilon, delta) < mu < gdp_mu(epsilon, delta)
            assert total_privacy(run(found), delta) <= epsilon  # with the price of integers

    def test_monotone_in_each_argument(self, table):
        noise = {key: found[0] for key, found in table[0].items()}
        for delta in DELTAS:
            for n in (1, 100, 5000):
                column = [noise[e, delta, n] for e in EPSILONS]
                assert all(b < a for a, b in itertools.pairwise(column))
        for epsilon in EPSILONS:
            for n in (1, 100, 5000):
                assert noise[epsilon, 1e-5, n] < noise[epsilon, 1e-12, n]
            for delta in DELTAS:
                assert noise[epsilon, delta, 1] < noise[epsilon, delta, 100] < noise[epsilon, delta, 5000]

    def test_quick(self, table):
        assert max(table[1].values()) < 5.0  # well under a second on an idle machine
        assert sorted(table[1].values())[len(table[1]) // 2] < 0.5


def test_shares_are_parts_of_the_squared_cost():
    found = calibrate_gaussian(1.0, 1e-5, [4.0, 1.0, 0.25])
    squares = [m**-2.0 for m in found]
    assert squares[0] / squares[1] == pytest.approx(4.0, rel=1e-12)
    assert squares[1] / squares[2] == pytest.approx(4.0, rel=1e-12)
    assert calibrate_gaussian(1.0, 1e-5, [8, 2, 0.5]) == pytest.approx(found, rel=1e-12)


def test_more_numbers_need_a_little_more_noise():
    few, many = calibrate_gaussian(1.0, 1e-5, [1.0] * 10), calibrate_gaussian(1.0, 1e-5, [1.0] * 10, numbers=10_000)
    assert few[0] < many[0] < 1.01 * few[0]
    mixed = calibrate_gaussian(1.0, 1e-5, [1.0] * 2, numbers=[2, 10_000])
    assert total_privacy(run(mixed[:1]) + run(mixed[1:], numbers=10_000), 1e-5) <= 1.0
    assert total_privacy(run(few, numbers=10_000), 1e-5) > 1.0  # too small a count would be found


class TestMixed:
    @pytest.mark.parametrize("epsilon", [1e-3, 0.1, 1.0, 8.0, 100.0])
    @pytest.mark.parametrize("delta", DELTAS)
    def test_never_above_the_target_and_hardly_below(self, epsilon, delta):
        selections = [Fraction(epsilon) / 100] * 60
        start = time.perf_counter()
        found = calibrate_mixed(epsilon, delta, selections, [1.0, 2.0])
        assert time.perf_counter() - start < 5.0
        spent = total_privacy(run(found, selections), delta)
        assert epsilon * (1 - 1e-4) < spent <= epsilon
        assert found[0] > calibrate_gaussian(epsilon, delta, [1.0, 2.0])[0]

    def test_monotone(self):
        def noise(epsilon=1.0, delta=1e-5, cost=0.02, count=30, mechanism="exponential"):
            return calibrate_mixed(epsilon, delta, [cost] * count, [1.0] * 5, mechanism=mechanism)[0]

        base = noise()
        assert noise(epsilon=2.0) < base < noise(epsilon=0.5)
        assert noise(delta=1e-4) < base < noise(delta=1e-7)
        assert noise(cost=0.01) < base < noise(cost=0.03)
        assert noise(count=10) < base < noise(count=60)
        assert base < noise(mechanism="laplace") == pytest.approx(noise(mechanism="permute-and-flip"))

    def test_pure_releases_that_spend_it_all(self):
        for cost in (1.0, 3.0):
            with pytest.raises(PlanError, match="leave no budget"):
                calibrate_mixed(1.0, 1e-5, [cost] * 2, [1.0])

    def test_one_pure_release_of_half_the_budget(self):
        """Adding budgets would give the Gaussian part 1/2; the joint curve gives it more."""
        found = calibrate_mixed(1.0, 1e-5, [0.5], [1.0], mechanism="laplace")
        assert found[0] < calibrate_gaussian(0.5, 1e-5, [1.0])[0] * 0.98


class TestBudgetsAtTheEnds:
    @pytest.mark.parametrize("epsilon", [5e-324, 1e-300, 1e-30])
    def test_too_small_for_noise_on_integers(self, epsilon):
        assert 0 < gdp_mu(epsilon, 1e-6) < 3e-6
        with pytest.raises(PlanError, match="too small for Gaussian noise on integers"):
            calibrate_gaussian(epsilon, 1e-6, [1.0] * 3)

    @pytest.mark.parametrize("epsilon", [1e6, 1e12, 1e300, 1.7e308])
    def test_larger_than_noise_can_use(self, epsilon):
        found = calibrate_gaussian(epsilon, 1e-6, [1.0] * 3)
        assert all(0 < multiplier < math.inf for multiplier in found)
        assert total_privacy(run(found), 1e-6) <= epsilon


class TestReleases:
    def test_plan_is_scaled_as_a_whole(self):
        split = PlannedRelease("s", "exponential", Fraction(1, 50), 4, "parallel", 2, 9)
        plan = [split, *run([3.0, 6.0], numbers=64), split]
        fitted = calibrate_releases(plan, 1.0, 1e-5)
        assert [r.label for r in fitted] == [r.label for r in plan]
        assert (fitted[0], fitted[3]) == (split, split)
        assert fitted[2].noise_multiplier / fitted[1].noise_multiplier == pytest.approx(2.0, rel=1e-12)
        assert 0.9999 < total_privacy(fitted, 1e-5) <= 1.0
        assert calibrate_releases(fitted, 1.0, 1e-5)[1].noise_multiplier == pytest.approx(
            fitted[1].noise_multiplier, rel=1e-6
        )

    def test_pure_plan_is_returned_or_refused(self):
        plan = run([], [0.01] * 300)
        assert calibrate_releases(plan, 3.0, 1e-5) == calibrate_releases(plan, 1.5, 1e-5) == tuple(plan)
        with pytest.raises(PlanError, match="more than"):
            calibrate_releases(plan, 0.1, 1e-5)

    def test_exact_release_is_refused(self):
        exact = PlannedRelease("leaf", "none", Fraction(0), 1, "parallel", 1, 2)
        with pytest.raises(PlanError, match="without noise"):
            calibrate_releases([*run([1.0]), exact], 1.0, 1e-5)


class TestArguments:
    @pytest.mark.parametrize("delta", [0.0, 1.0, -1e-5, math.nan, math.inf, "1e-5", None, True])
    def test_delta_must_be_between_0_and_1(self, delta):
        with pytest.raises(ParameterError, match="delta"):
            calibrate_gaussian(1.0, delta, [1.0])

    @pytest.mark.parametrize("epsilon", [0.0, -1.0, math.nan, math.inf, "1", None])
    def test_epsilon_must_be_positive(self, epsilon):
        with pytest.raises(ParameterError, match="epsilon"):
            calibrate_gaussian(epsilon, 1e-5, [1.0])

    @pytest.mark.parametrize("shares", [[], [0.0], [1.0, -1.0], [math.nan], [math.inf]])
    def test_shares_must_be_positive(self, shares):
        with pytest.raises(ParameterError, match="shares"):
            calibrate_gaussian(1.0, 1e-5, shares)

    def test_numbers_and_mechanism(self):
        with pytest.raises(ParameterError, match="numbers"):
            calibrate_gaussian(1.0, 1e-5, [1.0, 1.0], numbers=[2])
        for mechanism in ("gaussian", "none"):
            with pytest.raises(ParameterError, match="mechanism"):
                calibrate_mixed(1.0, 1e-5, [0.1], [1.0], mechanism=mechanism)

    def test_check_delta(self):
        assert check_delta(0) == check_delta(-0.0) == 0.0
        assert math.copysign(1.0, check_delta(-0.0)) == 1.0
        assert type(check_delta(Fraction(1, 4))) is float
        for value in (1, 1.5, -1e-300, math.nan, 10**400):
            with pytest.raises(ParameterError, match="delta"):
                check_delta(value)
        for value in (None, "0", True, 1j):
            with pytest.raises(TypeError, match="delta"):
                check_delta(value)
