"""Both sources of randomness against the exact laws, by chi-squared.

False alarms: a right source fails a comparison with chance `ALARM` (1e-11, in the chi-squared approximation); about 60
comparisons make that 6e-10 for the file. Every comparison has arms that must be rejected: the
noise 0.8 and 1.25 times as wide as stated, either as the law or as the source.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from privboost.privacy import (
    Gaussian,
    Laplace,
    Ledger,
    PlannedRelease,
    RawScores,
    RawSums,
    SecureRandomness,
    Select,
    discrete_gaussian_pmf,
    discrete_laplace_pmf,
    make_randomness,
    selection_probabilities,
)

ALARM = 1e-11
RULES = ("permute-and-flip", "exponential")
# Many poor candidates against a few good ones: a wrong scale shifts much of the chance between the two groups, so that
# the arms that must be rejected stay below a chance of 1e-11 to slip through, too.
SCORES = (10, 9, 5) + (0,) * 40
N = {"secure": 12_000, "simulated": 200_000}
N_SELECT = {"secure": 8_000, "simulated": 100_000}


def make_source(name):
    return SecureRandomness() if name == "secure" else make_randomness(20250101)


def chi_squared(observed, expected):
    """p-value of counts against expected counts, cells of expectation below 10 put together."""
    small = expected < 10.0
    if small.any():
        observed = np.append(observed[~small], observed[small].sum())
        expected = np.append(expected[~small], expected[small].sum())
    return float(stats.chi2.sf(np.sum((observed - expected) ** 2 / expected), df=expected.size - 1))


def laplace_p_value(draws, scale):
    edge = int(np.ceil(20 * scale)) + 1
    support = np.arange(-edge, edge + 1)
    # Draws beyond the edge (chance 2e-9 each) go to the outermost cells; so do the law's tails.
    counts = np.bincount(np.clip(draws, -edge, edge) + edge, minlength=support.size)
    law = discrete_laplace_pmf(support, scale)
    expected = draws.size * law / law.sum()
    return chi_squared(*coarsen(counts, expected))


def gaussian_p_value(draws, scale):
    # Draws beyond 7 deviations (chance 3e-12 each) go to the outermost cells; so does the law's tail.
    edge = int(np.ceil(7 * scale))
    support = np.arange(-edge, edge + 1)
    counts = np.bincount(np.clip(draws, -edge, edge) + edge, minlength=support.size)
    law = discrete_gaussian_pmf(support, scale)
    return chi_squared(*coarsen(counts, draws.size * law / law.sum()))


def coarsen(counts, expected):
    """Join neighbouring cells until each expects a fortieth of all draws, so that large scales keep their power."""
    cells, low = [], 0
    cumulative = np.cumsum(expected)
    part = expected.sum() / 40.0
    while low < expected.size:
        target = (cumulative[low - 1] if low else 0.0) + part
        high = int(np.searchsorted(cumulative, target)) + 1
        cells.append((counts[low:high].sum(), expected[low:high].sum()))
        low = high
    return np.array([c for c, _ in cells]), np.array([e for _, e in cells])


@pytest.mark.parametrize("name", ["secure", "simulated"])
@pytest.mark.parametrize("scale", [0.4, 1.0, 3.7, 50.0])
def test_laplace_law(name, scale):
    draws = make_source(name).laplace(np.zeros(N[name], dtype=np.int64), scale)
    assert laplace_p_value(draws, scale) > ALARM
    for wrong in (0.8, 1.25):
        assert laplace_p_value(draws, wrong * scale) < ALARM


@pytest.mark.parametrize("factor", [0.5, 0.8, 1.25])
def test_laplace_source_of_the_wrong_scale_is_rejected(factor):
    draws = make_source("simulated").laplace(np.zeros(12_000, dtype=np.int64), factor * 3.7)
    assert laplace_p_value(draws, 3.7) < ALARM


@pytest.mark.parametrize("name", ["secure", "simulated"])
@pytest.mark.parametrize("scale", [512.0, 777.7, 30_000.0])
def test_gaussian_law(name, scale):
    draws = make_source(name).gaussian(np.zeros(N[name], dtype=np.int64), scale)
    assert gaussian_p_value(draws, scale) > ALARM
    for wrong in (0.8, 1.25):
        assert gaussian_p_value(draws, wrong * scale) < ALARM


@pytest.mark.parametrize("factor", [0.8, 1.25])
@pytest.mark.parametrize("name", ["secure", "simulated"])
def test_gaussian_source_of_the_wrong_scale_is_rejected(name, factor):
    draws = make_source(name).gaussian(np.zeros(12_000, dtype=np.int64), factor * 700.0)
    assert gaussian_p_value(draws, 700.0) < ALARM


def test_gaussian_and_laplace_noise_are_told_apart():
    n, scale = N["simulated"], 1000.0
    gaussian = make_source("simulated").gaussian(np.zeros(n, dtype=np.int64), scale)
    laplace = make_source("simulated").laplace(np.zeros(n, dtype=np.int64), scale / np.sqrt(2))  # the same deviation
    assert laplace_p_value(gaussian, scale / np.sqrt(2)) < ALARM
    assert gaussian_p_value(laplace, scale) < ALARM


@pytest.mark.parametrize("name", ["secure", "simulated"])
@pytest.mark.parametrize("distance", [1, 2])
def test_gaussian_mechanism_adds_the_noise_that_its_plan_demands(name, distance):
    """From plan to draws: sensitivity 600, multiplier 1.5, so the scale must be 900 or, for replacement, 1800."""
    n = N[name]
    plan = PlannedRelease("leaf", "gaussian", Fraction(0), n, "parallel", distance, 1, 1.5)
    raw = RawSums(np.full((n, 1), 1000, dtype=np.int64), 600, "l2")
    draws = Gaussian.for_release(plan, 600).apply(raw, make_source(name), Ledger()).values.ravel() - 1000
    assert gaussian_p_value(draws, 900.0 * distance) > ALARM
    assert gaussian_p_value(draws, 900.0 * (3 - distance)) < ALARM


@pytest.mark.parametrize("name", ["secure", "simulated"])
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("scale", [2.5, 4.0])
def test_selection_law(name, rule, scale):
    n = N_SELECT[name]
    chosen = make_source(name).select(np.tile(np.array(SCORES, dtype=np.int64), (n, 1)), scale, rule)
    counts = np.bincount(chosen, minlength=len(SCORES))
    assert counts.size == len(SCORES)
    assert chi_squared(counts, n * selection_probabilities(SCORES, scale, rule)) > ALARM
    for wrong in (0.8, 1.25):
        assert chi_squared(counts, n * selection_probabilities(SCORES, wrong * scale, rule)) < ALARM


@pytest.mark.parametrize("name", ["secure", "simulated"])
def test_the_two_rules_are_told_apart(name):
    n, scores = N_SELECT[name], (0, -2)
    laws = [selection_probabilities(scores, 2.0, rule) for rule in RULES]
    for rule, other in zip(RULES, reversed(laws), strict=True):
        chosen = make_source(name).select(np.tile(np.array(scores, dtype=np.int64), (n, 1)), 2.0, rule)
        assert chi_squared(np.bincount(chosen, minlength=2), n * other) < ALARM


@pytest.mark.parametrize("name", ["secure", "simulated"])
@pytest.mark.parametrize("distance", [1, 2])
def test_mechanism_adds_the_noise_that_its_cost_demands(name, distance):
    """From epsilon to draws: sensitivity 3, epsilon 1 per release, so the scale must be 3 or, for replacement, 6."""
    n = N[name]
    plan = PlannedRelease("leaf", "laplace", Fraction(1), n, "parallel", distance, 1)
    raw = RawSums(np.full((n, 1), 1000, dtype=np.int64), 3)
    draws = Laplace.for_release(plan, 3).apply(raw, make_source(name), Ledger()).values.ravel() - 1000
    assert laplace_p_value(draws, 3.0 * distance) > ALARM
    assert laplace_p_value(draws, 3.0 * (3 - distance)) < ALARM


@pytest.mark.parametrize("name", ["secure", "simulated"])
def test_label_of_a_leaf_with_one_more_row(name):
    """Class counts (k + 1, k) against (k, k) at epsilon 1/2: the observed chances follow the exact law.

    Whose log ratio is at most epsilon by the closed form; a mechanism with half the noise is rejected.
    """
    n, k = N_SELECT[name], 3
    plan = PlannedRelease("label", "exponential", Fraction(1, 2), n, "parallel", 1, 2)
    for counts in ((k + 1, k), (k, k)):
        raw = RawScores(np.tile(np.array(counts, dtype=np.int64), (n, 1)), 1)
        chosen = Select.for_release(plan, 1).apply(raw, make_source(name), Ledger())
        seen = np.bincount(chosen, minlength=2)
        law = selection_probabilities(counts, 2.0, "exponential")
        assert chi_squared(seen, n * law) > ALARM
    raw = RawScores(np.tile(np.array((k + 3, k), dtype=np.int64), (n, 1)), 1)
    halved = PlannedRelease("label", "exponential", Fraction(1), n, "parallel", 1, 2)
    seen = np.bincount(Select.for_release(halved, 1).apply(raw, make_source(name), Ledger()), minlength=2)
    assert chi_squared(seen, n * selection_probabilities((k + 3, k), 2.0, "exponential")) < ALARM


@pytest.mark.parametrize("name", ["secure", "simulated"])
@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_noise_of_neighbouring_cells_and_calls_is_uncorrelated(name, kind):
    """500 rounds of 8 leaves whose sums are 0: correlations stay within 9 standard errors."""
    noise = getattr(make_source(name), kind)
    rounds = np.array([noise(np.zeros((8, 2), dtype=np.int64), 2.0**20).ravel() for _ in range(500)])
    flat = rounds.ravel() / np.std(rounds)
    for lag in (1, 2, 8, 15, 16, 17, 32):
        assert abs(np.mean(flat[lag:] * flat[:-lag])) < 9.0 / np.sqrt(flat.size - lag)
    repeated = np.repeat(flat[::2], 2)
    assert abs(np.mean(repeated[1:] * repeated[:-1])) > 9.0 / np.sqrt(flat.size)  # a source that repeats is caught
