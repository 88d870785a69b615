"""Limits of chances against another library, and by the counts that they are for."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from scipy.stats import beta, binom, norm

from privboost.auditing.intervals import (
    binomial_law,
    chance_at_least,
    highest_chance,
    lower_epsilon,
    lower_mu,
    lowest_chance,
)


@pytest.mark.parametrize("n", [1, 10, 1000, 100_000])
@pytest.mark.parametrize("error", [0.6, 0.05, 1e-9])
def test_limits_are_those_of_clopper_and_pearson(n: int, error: float) -> None:
    for hits in sorted({0, 1, n // 3, n - 1, n}):
        low = beta.ppf(error, hits, n - hits + 1) if hits else 0.0
        high = beta.isf(error, hits + 1, n - hits) if hits < n else 1.0
        assert low * (1 - 1e-7) <= lowest_chance(hits, n, error) <= low * (1 + 1e-9)
        assert high - 1e-12 <= highest_chance(hits, n, error) <= high + 1e-7 * (1 - high) + 1e-15


@pytest.mark.parametrize(("n", "chance"), [(0, 0.5), (7, 0.0), (7, 1.0), (60, 0.3), (2000, 0.73)])
def test_the_binomial_law(n: int, chance: float) -> None:
    some = [0, n // 2, n]
    with mpmath.workdps(40):
        p = mpmath.mpf(chance)
        exact = [float(mpmath.binomial(n, k) * p**k * (1 - p) ** (n - k)) for k in some]
    law = binomial_law(n, chance)
    np.testing.assert_allclose(law[some], exact, rtol=1e-10)
    assert law.sum() == pytest.approx(1.0, rel=1e-10)
    assert chance_at_least(n // 2, n, chance) == pytest.approx(binom.sf(n // 2 - 1, n, chance), rel=1e-9)


@pytest.mark.parametrize(("p", "q", "delta"), [(0.5, 0.5 * math.exp(-1.0), 0.0), (0.4, 0.1, 0.05)])
def test_a_bound_fails_as_seldom_as_it_says(p: float, q: float, delta: float) -> None:
    """By the exact law of all counts of 60 runs: no draw takes place."""
    n, error = 60, 0.1
    truth = math.log((p - delta) / q)
    mu = norm.ppf(p) - norm.ppf(q)
    law = np.outer(binom.pmf(np.arange(n + 1), n, p), binom.pmf(np.arange(n + 1), n, q))
    low = np.array([lowest_chance(k, n, error / 2) for k in range(n + 1)])
    high = np.array([highest_chance(k, n, error / 2) for k in range(n + 1)])
    for k in (0, 5, 30):
        for j in (0, 20):
            expected = math.log((low[k] - delta) / high[j]) if low[k] - delta > high[j] else 0.0
            assert lower_epsilon((k, n), (j, n), delta, error) == pytest.approx(expected, abs=1e-12)
    with np.errstate(divide="ignore", invalid="ignore"):
        too_high = np.log(np.maximum(low - delta, 0.0))[:, None] - np.log(high)[None] > truth
        wrong_mu = norm.ppf(low)[:, None] - norm.ppf(high)[None] > mu
    assert 0.0 < law[too_high].sum() <= error
    assert law[wrong_mu].sum() <= error
    assert lower_mu((40, n), (5, n), error) == pytest.approx(norm.ppf(low[40]) - norm.ppf(high[5]), rel=1e-9)


def test_counts_that_show_nothing() -> None:
    assert lower_epsilon((10, 20), (10, 20), 0.0, 0.05) == 0.0
    assert lower_epsilon((20, 20), (0, 20), 0.999, 0.05) == 0.0
    assert lower_mu((10, 20), (10, 20), 0.05) == 0.0
