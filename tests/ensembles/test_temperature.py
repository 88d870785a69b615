"""The slope by which scores are calibrated: against other computations, on real rates, and where noise hides them."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import expit
from scipy.stats import multivariate_normal, norm
from sklearn.metrics import log_loss

from privboost.ensembles.temperature import MAX_SLOPE, MOST_EXPECTED, N_SCORE_BINS, calibration_slope, score_edges


def middles(spread: float) -> np.ndarray:
    """Return where the rows of a bin are taken to lie: in its inner half, near the middle."""
    edges = score_edges(1.0)
    inner, outer = np.append(0.0, edges[edges > 0.0]), np.append(edges[edges > 0.0], 8.0)
    place = inner + np.array([0.5, 0.48, 0.46, 0.45, 0.45, 0.45]) * (outer - inner)
    return spread * np.concatenate([-place[::-1], place])


def counts_at(slope: float, base: float, spread: float, n_rows: float = 1e6) -> np.ndarray:
    """Return the rows of both classes that are expected in every bin, which all hold as many."""
    positive = expit(base + slope * middles(spread))
    return n_rows / N_SCORE_BINS * np.stack([1.0 - positive, positive], axis=1)


def test_edges_rise_and_lie_alike_on_both_sides_of_the_base() -> None:
    for spread in (1e-6, 0.3, 40.0):
        edges = score_edges(spread)
        assert edges.shape == (N_SCORE_BINS - 1,)
        assert (np.diff(edges) > 0.0).all()
        np.testing.assert_array_equal(edges, -edges[::-1])
        np.testing.assert_allclose(edges, spread * score_edges(1.0), rtol=1e-15)


@pytest.mark.parametrize(("slope", "base"), list(itertools.product((0.3, 1.0, 1.2, 4.0), (-1.5, 0.0, 2.0))))
def test_rates_of_a_slope_tell_it(slope: float, base: float) -> None:
    for noise in (0.0, 30.0):
        assert calibration_slope(counts_at(slope, base, 0.5), noise, 1e6, base, 0.5) == pytest.approx(slope, rel=0.01)


def test_the_expected_slope_moves_the_prior_and_nothing_else() -> None:
    """Scores that lie three times as far apart, of which a slope a third as large is expected, are the same rows."""
    rng = np.random.default_rng(4)
    for noise, base in ((5.0, 0.3), (200.0, -1.0), (0.0, 0.8)):
        counts = counts_at(1.5, base, 0.7, 2000.0) + rng.normal(0.0, noise, (N_SCORE_BINS, 2))
        alike = calibration_slope(counts, noise, 2000.0, base, 3.0 * 0.7)
        assert calibration_slope(counts, noise, 2000.0, base, 0.7, 3.0) == pytest.approx(3.0 * alike, rel=1e-9)
    hidden = calibration_slope(np.zeros((N_SCORE_BINS, 2)), 1e9, 1e6, 0.0, 1.0, MOST_EXPECTED)
    assert hidden == pytest.approx(MOST_EXPECTED, rel=1e-3)


def test_where_noise_hides_the_rates_the_slope_is_1() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        counts = counts_at(3.0, 0.4, 1.0, 100.0) + rng.normal(0.0, 1e3, (N_SCORE_BINS, 2))
        assert calibration_slope(counts, 1e3, 100.0, 0.4, 1.0) == pytest.approx(1.0, abs=0.05)
    assert calibration_slope(np.zeros((N_SCORE_BINS, 2)), 1e9, 1e6, 0.0, 1.0) == pytest.approx(1.0, abs=1e-3)


def test_the_posterior_mean_by_plain_sums_of_normal_densities() -> None:
    rng = np.random.default_rng(1)
    grid = np.linspace(-2.0, 2.0, 201)
    for noise, base in ((5.0, 0.3), (40.0, -1.0), (0.0, 0.8)):
        counts = counts_at(1.5, base, 0.7, 2000.0) + rng.normal(0.0, noise, (N_SCORE_BINS, 2))
        mean, log_density = 2000.0 / N_SCORE_BINS, norm(0.0, 0.7).logpdf(grid)
        for k, log_slope in enumerate(grid):
            for found, middle in zip(counts, middles(0.7), strict=True):
                p = expit(base + math.exp(log_slope) * middle)
                rate, drawn = np.array([1.0 - p, p]), min(max(found.sum(), 0.0), 2000.0) * p * (1.0 - p)
                binomial = drawn * np.array([[1.0, -1.0], [-1.0, 1.0]])
                cov = (noise**2 + 0.25) * np.eye(2) + binomial + (2.0 * mean) ** 2 * np.outer(rate, rate)
                log_density[k] += multivariate_normal(mean * rate, cov).logpdf(found)
        density = np.exp(log_density - log_density.max())
        expected = float((density * grid).sum() / density.sum())
        assert math.log(calibration_slope(counts, noise, 2000.0, base, 0.7)) == pytest.approx(expected, abs=2e-3)


def test_it_is_close_to_the_slope_of_least_log_loss_on_the_rows_themselves() -> None:
    rng = np.random.default_rng(2)
    for factor, width in itertools.product((0.5, 1.0, 2.0), (0.5, 2.0)):
        distance = rng.normal(0.0, width, 50_000)
        y = (rng.random(50_000) < expit(0.5 + factor * distance)).astype(int)
        place = np.searchsorted(score_edges(1.2 * width), distance, side="right")
        counts = np.zeros((N_SCORE_BINS, 2))
        np.add.at(counts, (place, y), 1.0)
        best = minimize_scalar(
            lambda a, d=distance, y=y: log_loss(y, expit(0.5 + a * d)), bounds=(0.1, 8.0), method="bounded"
        ).x
        assert calibration_slope(counts, 0.0, 5e4, 0.5, 1.2 * width) == pytest.approx(best, rel=0.1)


@pytest.mark.parametrize("scale", [0.0, 1e-9, 1.0, 1e12])
def test_any_released_counts_give_a_slope_within_its_bounds(scale: float) -> None:
    rng = np.random.default_rng(3)
    for noise, base in itertools.product((0.0, 1e-6, 1e9), (-90.0, 0.0, 90.0)):
        for counts in (rng.normal(0.0, scale, (N_SCORE_BINS, 2)), -scale * np.ones((N_SCORE_BINS, 2))):
            slope = calibration_slope(counts, noise, 1.0, base, 1e-300)
            assert 1.0 / MAX_SLOPE <= slope <= MAX_SLOPE
            assert 1.0 / MAX_SLOPE <= calibration_slope(counts, noise, 1e9, base, 100.0) <= MAX_SLOPE
