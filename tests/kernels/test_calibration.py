"""What releases are calibrated to, against exact arithmetic."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Literal

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privboost.kernels.boost import boosting_weights, weight_cap
from privboost.kernels.calibration import calibrated_alpha, least_scale, mixture_score_sensitivity
from privboost.losses import MAlphaLoss
from privboost.privacy.accounting import PlannedRelease
from privboost.privacy.scales import MIN_SCALE, noise_scale
from privboost.privacy.simulation import reciprocal
from privboost.theory import sensitivity

ALPHAS = (0.0, 1e-9, 0.1, 0.3, 1 / 3, 0.999, 1.0)
ROWS = (1, 2, 3, 10, 101, 5000, 10**6, 2**36 - 1)
CAPS = (1, 32768, 40001, 65536)
FORMS: tuple[Literal["exact", "paper"], ...] = ("exact", "paper")


def in_exact_arithmetic(real: float, n_rows: int, cap: int) -> int:
    """The definition in the notes of `score_sensitivity`, from the least float that bounds the real scores."""
    rounding = Fraction(1, 2) + n_rows * cap * Fraction(2) ** -49
    return math.ceil(Fraction(real) + 4 * rounding)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("n_rows", ROWS)
def test_the_sensitivity_is_never_below_the_exact_one_and_hardly_above(n_rows: int, form: str) -> None:
    for cap in CAPS:
        for alpha in ALPHAS:
            real = sensitivity(MAlphaLoss(alpha), n_rows, float(cap), form=form)  # type: ignore[arg-type]
            exact = in_exact_arithmetic(real, n_rows, cap)
            compiled = mixture_score_sensitivity(alpha, n_rows, cap, form == "paper")
            assert exact <= compiled <= math.ceil(exact * (1 + 2.0**-39)) + 1


@given(st.floats(0.0, 1.0), st.integers(1, 2**36 - 1), st.integers(1, 2**16), st.booleans())
@settings(max_examples=300, deadline=None)
def test_so_for_any_numbers(alpha: float, n_rows: int, cap: int, paper: bool) -> None:
    real = sensitivity(MAlphaLoss(alpha), n_rows, float(cap), form="paper" if paper else "exact")
    assert mixture_score_sensitivity(alpha, n_rows, cap, paper) >= in_exact_arithmetic(real, n_rows, cap)


@pytest.mark.parametrize("form", FORMS)
def test_the_calibrated_alpha_is_that_of_its_formula(form: Literal["exact", "paper"]) -> None:
    seen = set()
    for epsilon in (1e-4, 0.01, 0.1, 1.0, 30.0):
        for n_rows, level, distance, cap in ((2, 0, 1, 0.5), (150, 1, 2, 0.61), (20_000, 4, 1, 1.0)):
            low, high = (sensitivity(MAlphaLoss(a), n_rows, cap, form=form) for a in (0.0, 1.0))
            trials = math.log(50 / 0.1)
            expected = 1.0
            if high > low:
                afforded = epsilon * 0.1 * cap * n_rows / 2**level / (distance * trials)
                expected = min(max((afforded - low) / (high - low), 0.0), 1.0)
            found = calibrated_alpha(epsilon, level, n_rows, trials, cap, distance, 0.1, form == "paper")
            assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)
            seen.add(0.0 < found < 1.0)
    assert seen == {True, False}
    assert calibrated_alpha(1.0, 0, 1, 6.0, 1.0, 1, 0.1, form == "paper") == 0.0


def compiled_scale(distance: int, change: int, epsilon: Fraction) -> float:
    release = PlannedRelease("leaves", "laplace", epsilon, 1, "sequential", distance, 2)
    return float(least_scale(distance * change, np.array(reciprocal(release)), MIN_SCALE))


@given(
    st.floats(1e-30, 1e30),
    st.floats(2.0**-20, 1.0, exclude_max=True),
    st.integers(1, 100_000),
    st.integers(1, 2000),
    st.integers(1, 2**42),
)
@settings(max_examples=500, deadline=None)
def test_the_compiled_noise_scale_is_the_exact_one(
    epsilon: float, share: float, parts: int, distance: int, change: int
) -> None:
    budget = Fraction(epsilon) * Fraction(share) / parts
    assert compiled_scale(distance, change, budget) == noise_scale(distance, change, budget)


def test_so_where_the_quotient_is_a_float_or_next_to_one() -> None:
    for numerator in (1, 3, 7, 40, 2**53 - 1):
        for denominator in (1, 3, 5, 60, 1000, 2**20 + 7):
            budget = Fraction(numerator, denominator)
            for change in (1, 7, 40, 120, 65536, 3 * 2**30, numerator, 2**43 - 1):
                assert compiled_scale(1, change, budget) == noise_scale(1, change, budget)
                above, below = (Fraction(budget * (1 + sign * Fraction(2) ** -80)) for sign in (1, -1))
                assert compiled_scale(1, change, above) == noise_scale(1, change, above)
                assert compiled_scale(1, change, below) == noise_scale(1, change, below)


@pytest.mark.parametrize("epsilon", [Fraction(10) ** 300, Fraction(10) ** 400, Fraction(2) ** 60])
def test_so_where_hardly_any_noise_is_needed(epsilon: Fraction) -> None:
    assert compiled_scale(1, 65536, epsilon) == noise_scale(1, 65536, epsilon)


@given(st.floats(0.0, 1e6), st.floats(1e-6, 1.0))
@settings(max_examples=200, deadline=None)
def test_no_weight_exceeds_the_cap_and_the_cap_is_the_least(score: float, alpha: float) -> None:
    with mpmath.workdps(60):
        z = max(mpmath.mpf(score) - 2 * (1 - mpmath.mpf(alpha)), 0)
        exact = (1 + z / mpmath.sqrt(4 * mpmath.mpf(alpha) ** 2 + z**2)) / 2 * 65536
        cap = weight_cap(score, alpha, 65536.0)
        assert exact * (1 - 1e-15) <= cap <= mpmath.ceil(exact * (1 + 1e-15))
    out = np.empty(2, np.int32)
    uncut = (np.full(2, score), np.array([0, 1], np.int16), np.ones(2, np.bool_), alpha, 65536.0, 65536, out)
    boosting_weights(*uncut)
    assert out.max() <= cap


def test_the_smallest_alpha_gives_weights() -> None:
    """As small as a float can be: the share of a square must not underflow to nothing over nothing."""
    out = np.empty(3, np.int32)
    scores = np.array([0.0, 1.0, 3.0])
    boosting_weights(scores, np.zeros(3, np.int16), np.ones(3, np.bool_), 5e-324, 65536.0, 65536, out)
    np.testing.assert_array_equal(out, [32768, 32768, 65536])
