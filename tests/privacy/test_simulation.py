"""A whole simulated run: who may have one, and that its ledger is that of release after release."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import numpy as np
import pytest

from privboost.errors import ParameterTypeError, PlanError
from privboost.privacy.accounting import Ledger, PlannedRelease
from privboost.privacy.mechanisms import Laplace, Select
from privboost.privacy.randomness import SecureRandomness, SimulatedRandomness
from privboost.privacy.scales import noise_scale
from privboost.privacy.simulation import N_PARTS, RawRows, reciprocal, simulate

SPLITS = PlannedRelease("tree 1/depth 0/splits", "permute-and-flip", Fraction(1, 3), 1, "parallel", 2, 7)
LEAVES = PlannedRelease("tree 1/leaves", "laplace", Fraction(2, 3), 1, "sequential", 2, 4)
EXACT = PlannedRelease("tree 1/leaves", "none", Fraction(0), 1, "sequential", 1, 4)
SCALES = [noise_scale(2, 1000, Fraction(1, 3)), noise_scale(2, 500, Fraction(2, 3))]


def seeded() -> SimulatedRandomness:
    return SimulatedRandomness(np.random.default_rng(0))


class TestRun:
    def test_each_release_is_charged_as_its_mechanism_charges_it(self) -> None:
        ledger, got = Ledger(), []

        def run(generator: np.random.Generator, rows: str) -> tuple[list[int], list[float]]:
            got.append((generator, rows))
            return [1000, 500], SCALES

        randomness = seeded()
        simulate(run, RawRows("rows"), [SPLITS, LEAVES], randomness, ledger)
        assert got == [(randomness.generator, "rows")]
        expected = (Select.for_release(SPLITS, 1000).event(), Laplace.for_release(LEAVES, 500).event())
        assert ledger.events == expected
        assert repr(ledger) == "Ledger(2 events)"
        ledger.check_against([SPLITS, LEAVES], 1)

    @pytest.mark.parametrize("which", [0, 1])
    @pytest.mark.parametrize("sign", [-1, 1])
    def test_a_scale_that_is_off_by_one_bit_is_refused(self, which: int, sign: int) -> None:
        scales = list(SCALES)
        scales[which] = float(np.nextafter(scales[which], sign * np.inf))
        ledger = Ledger()
        with pytest.raises(PlanError, match="another scale than is planned"):
            simulate(lambda g, r: ([1000, 500], scales), RawRows(0), [SPLITS, LEAVES], seeded(), ledger)
        assert ledger.events == ()

    def test_a_release_more_or_less_is_refused(self) -> None:
        for planned in ([SPLITS], [SPLITS, LEAVES, LEAVES]):
            with pytest.raises(ValueError, match="zip"):
                simulate(lambda g, r: ([1000, 500], SCALES), RawRows(0), planned, seeded(), Ledger())

    def test_an_exact_release_is_recorded_as_such(self) -> None:
        ledger = Ledger()
        simulate(lambda g, r: ([1], [0.0]), RawRows(0), [EXACT], seeded(), ledger)
        assert [event.mechanism for event in ledger.events] == ["none"]
        assert ledger.total() is None

    def test_secret_noise_is_not_drawn_without_a_mechanism(self) -> None:
        class Mine(SimulatedRandomness):
            secure = True

        for randomness in (SecureRandomness(), Mine(np.random.default_rng(0))):
            with pytest.raises(ParameterTypeError):
                simulate(lambda g, r: pytest.fail("was run"), RawRows(0), [], randomness, Ledger())  # type: ignore[arg-type]


def test_rows_are_hidden_and_cannot_be_copied() -> None:
    rows = RawRows((np.array([123456]),))
    assert "123456" not in repr(rows)
    for leak in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="private"):
            leak(rows)
    with pytest.raises(AttributeError):
        rows.__rows  # noqa: B018
    assert not hasattr(rows, "__dict__")


class TestReciprocal:
    @pytest.mark.parametrize("epsilon", [Fraction(1), Fraction(3), Fraction(0.1) * Fraction(0.3) / 60, Fraction(1e-40)])
    def test_the_parts_add_up(self, epsilon: Fraction) -> None:
        parts = reciprocal(PlannedRelease("leaves", "laplace", epsilon, 1, "sequential", 1, 2))
        assert len(parts) == N_PARTS
        assert abs(sum(map(Fraction, parts)) * epsilon - 1) <= Fraction(2) ** -212

    def test_a_budget_too_small_for_any_noise_is_refused_as_ever(self) -> None:
        release = PlannedRelease("leaves", "laplace", Fraction(1, 2**201), 1, "sequential", 1, 2)
        with pytest.raises(PlanError, match="too small"):
            reciprocal(release)
        with pytest.raises(PlanError, match="too small"):
            noise_scale(1, 1, release.epsilon)
