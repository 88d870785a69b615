from __future__ import annotations

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privboost.errors import ParameterError
from privboost.privacy import discrete_laplace_pmf, discrete_laplace_std, selection_probabilities

RULES = ("permute-and-flip", "exponential")


def permute_and_flip_by_enumeration(scores, scale):
    """Walk through the candidates in random order, accept each with exp((s - max)/b): all orders, one by one."""
    q = [mpmath.exp(mpmath.mpf(s - max(scores)) / scale) for s in scores]
    chance = [mpmath.mpf(0)] * len(scores)
    for order in itertools.permutations(range(len(scores))):
        left = mpmath.mpf(1)
        for i in order:
            chance[i] += left * q[i]
            left *= 1 - q[i]
    return [float(c / math.factorial(len(scores))) for c in chance]


@pytest.mark.parametrize("scale", [0.05, 0.5, 1.0, 3.7, 1000.0])
def test_laplace_law_against_high_precision(scale):
    with mpmath.workdps(40):
        p = mpmath.exp(-1 / mpmath.mpf(scale))
        for k in (0, 1, -1, 2, 17, -40):
            exact = (1 - p) / (1 + p) * p ** abs(k)
            assert discrete_laplace_pmf(k, scale) == pytest.approx(float(exact), rel=1e-13, abs=1e-300)
        std = mpmath.sqrt(2 * p) / (1 - p)
        assert discrete_laplace_std(scale) == pytest.approx(float(std), rel=1e-13)


@pytest.mark.parametrize("scale", [0.5, 3.7, 40.0])
def test_laplace_law_sums_to_one_with_the_stated_deviation(scale):
    k = np.arange(-3000, 3001)
    pmf = discrete_laplace_pmf(k, scale)
    assert pmf.sum() == pytest.approx(1.0, abs=1e-12)
    assert math.sqrt(np.sum(k**2 * pmf)) == pytest.approx(discrete_laplace_std(scale), rel=1e-10)


def test_deviation_at_the_ends():
    assert discrete_laplace_std(2.0**-30) == 0.0
    assert discrete_laplace_std(2.0**40) == pytest.approx(math.sqrt(2) * 2.0**40, rel=1e-12)


@settings(derandomize=True, deadline=None)
@given(st.lists(st.integers(-30, 30), min_size=1, max_size=6), st.sampled_from([0.3, 1.0, 4.0, 25.0, 1e6]))
def test_permute_and_flip_against_all_orders(scores, scale):
    expected = permute_and_flip_by_enumeration(scores, scale)
    assert selection_probabilities(scores, scale, "permute-and-flip") == pytest.approx(expected, rel=1e-12, abs=1e-300)


@settings(derandomize=True, deadline=None)
@given(st.lists(st.integers(-30, 30), min_size=1, max_size=6), st.sampled_from([0.3, 1.0, 4.0, 25.0, 1e6]))
def test_exponential_mechanism_against_its_definition(scores, scale):
    weights = [mpmath.exp(mpmath.mpf(s) / scale) for s in scores]
    expected = [float(w / mpmath.fsum(weights)) for w in weights]
    assert selection_probabilities(scores, scale, "exponential") == pytest.approx(expected, rel=1e-12)


def test_two_candidates_by_hand():
    q = math.exp(-0.5)
    chance = selection_probabilities([0, -1], 2.0, "permute-and-flip")
    assert chance == pytest.approx([1 - q / 2, q / 2], rel=1e-14)
    assert selection_probabilities([0, -1], 2.0, "exponential") == pytest.approx([1 / (1 + q), q / (1 + q)], rel=1e-14)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("n", [1, 100, 501])
def test_many_candidates_sum_to_one_and_equal_scores_are_equal(rule, n):
    chance = selection_probabilities(np.arange(n) % 7, 3.0, rule)
    assert chance.sum() == pytest.approx(1.0, abs=1e-11)
    assert np.ptp(chance[::7]) <= 1e-14
    assert selection_probabilities(np.zeros(n), 3.0, rule) == pytest.approx(
        np.full(n, float(Fraction(1, n))), rel=1e-10
    )


def test_permute_and_flip_is_never_worse():
    """Expected score at the same scale, over a grid of score vectors."""
    for scores in itertools.product(range(5), repeat=3):
        better, worse = (selection_probabilities(scores, 1.5, rule) @ np.array(scores) for rule in RULES)
        assert better >= worse - 1e-12


def test_unknown_rule_is_refused():
    with pytest.raises(ParameterError, match="rule"):
        selection_probabilities([1, 2], 1.0, "best")
