from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from privboost.errors import ParameterError, ParameterTypeError, PlanError, VerificationError
from privboost.privacy import (
    MIN_GAUSSIAN_SCALE,
    Event,
    Exact,
    Gaussian,
    Laplace,
    Ledger,
    PlannedRelease,
    RawScores,
    RawSums,
    SecureRandomness,
    gaussian_scale,
    make_randomness,
    total_privacy,
)
from privboost.privacy.randomness import RELEASE_LIMIT, add_rounded_gaussian
from privboost.privacy.verify import opendp_rho

GRID = 65536


def planned(multiplier=4.0, count=4, composition="parallel", distance=1, size=2):
    return PlannedRelease("tree 1/leaf", "gaussian", Fraction(0), count, composition, distance, size, multiplier)


def sums(shape=(4, 2), sensitivity=GRID, norm="l2"):
    values = np.arange(int(np.prod(shape)), dtype=np.int64).reshape(shape) + 987_654
    return RawSums(np.asarray(values), sensitivity, norm)


class Recorder:
    """A source that adds no noise and notes what the ledger held when it was asked for a draw."""

    secure = False
    generator = np.random.default_rng(0)

    def __init__(self, ledger):
        self.ledger, self.seen = ledger, []

    def gaussian(self, values, scale):
        self.seen.append((self.ledger.events, scale))
        return values.copy()

    def laplace(self, values, scale):
        raise AssertionError("the wrong noise")


class TestScale:
    @pytest.mark.parametrize("multiplier", [1 / 3, 1.0, 3.7306, 1e6 / 7])
    @pytest.mark.parametrize("distance", [1, 2, 14])
    @pytest.mark.parametrize("sensitivity", [1536, GRID, 2**40 + 1])
    def test_smallest_float_within_the_plan(self, multiplier, distance, sensitivity):
        scale = gaussian_scale(distance, sensitivity, multiplier)
        assert Fraction(scale) >= Fraction(multiplier) * distance * sensitivity
        below = math.nextafter(scale, 0.0)
        assert below < MIN_GAUSSIAN_SCALE or Fraction(below) < Fraction(multiplier) * distance * sensitivity

    def test_smallest_scale(self):
        assert gaussian_scale(1, GRID, 1e-9) == MIN_GAUSSIAN_SCALE
        assert gaussian_scale(1, 1, 1e9) == 1e9
        with pytest.raises(PlanError, match="finer grid"):
            gaussian_scale(1, 1, 3.0)
        with pytest.raises(PlanError, match="too small"):
            gaussian_scale(1, GRID, 2.0**190)

    def test_relation_changes_the_scale_by_two(self):
        """A row that is replaced moves a sum from +1 to -1: twice as far as one that vanishes."""
        scales = [Gaussian.for_release(planned(distance=d), GRID).scale for d in (1, 2, 10)]
        assert scales == [4.0 * GRID, 8.0 * GRID, 40.0 * GRID]


class TestPrivacyMap:
    @pytest.mark.parametrize("multiplier", [0.1, 3.7306, 1000.0])
    @pytest.mark.parametrize("sensitivity", [6000, GRID, 2**40 + 1])
    def test_map_equals_opendp(self, multiplier, sensitivity):
        for distance in (1, 2, 14):
            release = Gaussian.for_release(planned(multiplier, distance=distance), sensitivity)
            assert release.mu(distance) == release.event().mu <= 1 / Fraction(multiplier)
            assert release.map(distance) == release.event().mu ** 2 / 2 == release.event().rho
            for d in (1, 2, distance):
                theirs = opendp_rho(release.scale, d * sensitivity)
                assert theirs >= float(release.map(d)) * (1 - 4e-16)
                assert theirs == pytest.approx(float(release.map(d)), rel=1e-14)

    def test_parallel_and_sequential(self):
        parallel = Gaussian.for_release(planned(), GRID).event()
        after = Gaussian.for_release(planned(composition="sequential"), GRID).event()
        assert after.rho == 4 * parallel.rho == Fraction(1, 8)

    @pytest.mark.parametrize("other", ["laplace", "exponential"])
    def test_wrong_kind_of_plan_is_refused(self, other):
        plan = PlannedRelease("tree 1/leaf", other, Fraction(1), 4, "parallel", 1, 2)
        with pytest.raises(ParameterError, match="mechanism"):
            Gaussian.for_release(plan, GRID)
        with pytest.raises(ParameterError, match="mechanism"):
            Laplace.for_release(planned(), GRID)
        with pytest.raises(ParameterError, match="mechanism"):
            Exact.for_release(planned())


class TestApply:
    def test_sums_are_charged_before_noise_is_drawn(self):
        ledger = Ledger()
        source = Recorder(ledger)
        release = Gaussian.for_release(planned(), GRID)
        out = release.apply(sums(), source, ledger)
        assert source.seen == [((release.event(),), 4.0 * GRID)]
        assert out.values.tolist() == (np.arange(8).reshape(4, 2) + 987_654).tolist()
        assert ledger.events == (Event("tree 1/leaf", "gaussian", GRID, 4.0 * GRID, 1, 4, "parallel", 2),)

    def test_wrong_norm_releases_nothing(self):
        """An L1 bound is not what Gaussian noise is calibrated to, and an L2 bound would be too little for Laplace."""
        laplace = PlannedRelease("tree 1/leaf", "laplace", Fraction(1), 4, "parallel", 1, 2)
        for release, norm in (
            (Gaussian.for_release(planned(), GRID), "l1"),
            (Laplace.for_release(laplace, GRID), "l2"),
        ):
            ledger = Ledger()
            with pytest.raises(PlanError, match="norm"):
                release.apply(sums(norm=norm), Recorder(ledger), ledger)
            assert not ledger.events

    def test_norm_of_the_numbers(self):
        assert RawSums(np.zeros(2, dtype=np.int64), 1).norm == "l1"
        assert sums().norm == "l2"
        assert "987" not in repr(sums())
        with pytest.raises(ParameterError, match="norm"):
            sums(norm="linf")
        assert Exact.for_release(PlannedRelease("leaf", "none", Fraction(0), 4, "parallel", 1, 2)).apply(
            sums(), None, Ledger()
        ).values.shape == (4, 2)

    @pytest.mark.parametrize("shape", [(4, 3), (8, 2), (2, 4), (8,), (4,), ()])
    def test_another_shape_than_planned_releases_nothing(self, shape):
        ledger = Ledger()
        with pytest.raises(PlanError, match="planned"):
            Gaussian.for_release(planned(), GRID).apply(sums(shape), Recorder(ledger), ledger)
        assert not ledger.events

    def test_larger_sensitivity_than_planned_releases_nothing(self):
        ledger = Ledger()
        with pytest.raises(PlanError, match="sensitivity 65537"):
            Gaussian.for_release(planned(), GRID).apply(sums(sensitivity=GRID + 1), Recorder(ledger), ledger)
        assert not ledger.events

    def test_only_raw_sums_are_accepted(self):
        release = Gaussian.for_release(planned(), GRID)
        for raw in (np.zeros((4, 2), dtype=np.int64), RawScores(np.zeros((4, 2), dtype=np.int64), GRID), None):
            with pytest.raises(ParameterTypeError, match="raw"):
                release.apply(raw, make_randomness(0), Ledger())

    @pytest.mark.parametrize("source", [make_randomness(0), SecureRandomness()])
    def test_released_sums_are_integers_and_noisy(self, source):
        raw = sums(sensitivity=2**40)
        out = Gaussian.for_release(planned(), 2**40).apply(raw, source, Ledger()).values
        assert out.dtype == np.int64
        assert not out.flags.writeable
        # Two equal draws among 8 have a chance below 1e-11 at this scale.
        assert len(set((out - np.arange(8).reshape(4, 2)).ravel().tolist())) == 8


@pytest.fixture(params=["secure", "simulated"])
def source(request):
    return SecureRandomness() if request.param == "secure" else make_randomness(0)


class TestDraws:
    def test_no_draw_repeats(self, source):
        seen = []
        for scale in (2.0**48, 2.0**49, 2.0**48):
            seen += source.gaussian(np.zeros((5, 4, 2), dtype=np.int64), scale).ravel().tolist()
        assert len(set(seen)) == len(seen) == 120

    def test_input_is_kept_and_shape_too(self, source):
        values = np.arange(12, dtype=np.int64).reshape(3, 4)[:, ::2]
        before = values.copy()
        out = source.gaussian(values, 1000.0)
        assert (out.shape, out.dtype) == ((3, 2), np.int64)
        assert np.array_equal(values, before)
        assert not np.shares_memory(out, values)
        assert source.gaussian(np.zeros((0, 2), dtype=np.int64), 1000.0).shape == (0, 2)

    @pytest.mark.parametrize("scale", [2.0**60, 2.0**64, 2.0**200])
    def test_huge_noise_is_clamped_and_does_not_cancel(self, source, scale):
        out = source.gaussian(np.arange(60, dtype=np.int64), scale)
        assert np.all(np.abs(out) <= RELEASE_LIMIT)
        # |noise| below the limit has chance 2**-7 or less each: 30 of 60 has chance below 1e-40.
        assert np.sum(np.abs(out) == RELEASE_LIMIT) > 30
        assert {-1, 1} <= set(np.sign(out).tolist())

    @pytest.mark.parametrize("end", [2**63 - 1, -(2**63)])
    def test_extreme_values_do_not_wrap_around(self, source, end):
        out = source.gaussian(np.full(20, end, dtype=np.int64), 1000.0)
        assert np.all(out == (RELEASE_LIMIT if end > 0 else -RELEASE_LIMIT))

    @pytest.mark.parametrize("scale", [0.0, 1.0, 511.9, math.nan, -600.0])
    def test_scales_too_small_for_the_calculation_are_refused(self, source, scale):
        with pytest.raises(ParameterError, match="scale"):
            source.gaussian(np.zeros(2, dtype=np.int64), scale)

    def test_simulation_takes_one_normal_a_value(self):
        values = np.array([5, -3, 0, 1000], dtype=np.int64)
        out = np.empty_like(values)
        add_rounded_gaussian(np.random.default_rng(3), values, 750.0, out)
        normals = np.random.default_rng(3).standard_normal(4)
        assert np.array_equal(out, values + np.floor(750.0 * normals + 0.5).astype(np.int64))


class HalvesTheNoise(Gaussian):
    def __init__(self, plan, sensitivity):
        super().__init__(plan, sensitivity)
        self._scale /= 2


class ForgetsTheRelation(Gaussian):
    @classmethod
    def for_release(cls, plan, sensitivity):
        return cls(planned(distance=1), sensitivity)


class SkipsTheLedger(Gaussian):
    def apply(self, raw, randomness, ledger):
        return super().apply(raw, randomness, Ledger())


class ReleasesTwice(Gaussian):
    def apply(self, raw, randomness, ledger):
        super().apply(raw, randomness, ledger)
        return super().apply(raw, randomness, ledger)


class UnderstatesTheSensitivity(Gaussian):
    @classmethod
    def for_release(cls, plan, sensitivity):
        release = cls(plan, sensitivity)
        release._sensitivity = sensitivity // 2
        return release

    def _open(self, raw, shape, ledger):
        self._sensitivity, true = 2 * self._sensitivity, self._sensitivity
        try:
            return super()._open(raw, shape, Honest(ledger, true))
        finally:
            self._sensitivity = true


class Honest:
    def __init__(self, ledger, sensitivity):
        self.ledger, self.sensitivity = ledger, sensitivity

    def record(self, event):
        fields = (event.label, event.mechanism, self.sensitivity, event.scale)
        self.ledger.record(Event(*fields, event.distance, event.count, event.composition, event.size))


class TestPlantedBugs:
    """Each broken mechanism must make the comparison of ledger and plan fail; the right one must pass."""

    @pytest.mark.parametrize(
        "kind",
        [HalvesTheNoise, ForgetsTheRelation, SkipsTheLedger, ReleasesTwice, UnderstatesTheSensitivity],
    )
    def test_broken_mechanism_is_caught(self, kind):
        plan = planned(distance=2)
        epsilon = total_privacy([plan], 1e-5)
        for mechanism, broken in ((Gaussian, False), (kind, True)):
            ledger = Ledger()
            mechanism.for_release(plan, GRID).apply(sums(), make_randomness(0), ledger)
            if broken:
                with pytest.raises(VerificationError):
                    ledger.check_against([plan], epsilon, 1e-5)
            else:
                ledger.check_against([plan], epsilon, 1e-5)
