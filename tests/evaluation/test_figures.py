"""Figures against independent computations, without bias, and with errors that are what they say."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score

from privboost.evaluation.figures import Figure, area_under_curve, calibration_curve, ratio, root, tied_pairs, total
from privboost.evaluation.tables import angle_edges, angle_middles
from privboost.privacy import discrete_laplace_std
from privboost.privacy.randomness import SimulatedRandomness

N_BINS = 16
MIDDLES, EDGES = angle_middles(N_BINS), angle_edges(N_BINS)
BRIER = np.stack([MIDDLES, 1.0 - MIDDLES], axis=1) ** 2
HITS = np.stack([MIDDLES < 0.5, MIDDLES > 0.5], axis=1).astype(float)


def counts_of(n_rows: int, seed: int = 0, tilt: float = 0.8) -> np.ndarray:
    """Counts of rows whose outcome is likelier than their score says, or less likely."""
    rng = np.random.default_rng(seed)
    bins = rng.integers(0, N_BINS, n_rows)
    y = (rng.random(n_rows) < MIDDLES[bins] ** tilt).astype(int)
    counts = np.zeros((N_BINS, 2), np.int64)
    np.add.at(counts, (bins, y), 1)
    return counts


def expanded(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return labels and binned scores, one a row."""
    scores, y = np.repeat(MIDDLES, counts.sum(axis=1)), np.concatenate([np.repeat([0, 1], pair) for pair in counts])
    return y, scores


def noisy(counts: np.ndarray, scale: float, seed: int) -> np.ndarray:
    return SimulatedRandomness(np.random.default_rng(seed)).laplace(counts, scale).astype(float)


def test_without_noise_figures_are_the_exact_ones_of_binned_scores() -> None:
    counts = counts_of(3000)
    y, scores = expanded(counts)
    table = counts.astype(float)
    assert area_under_curve(table, 0.0).value == pytest.approx(roc_auc_score(y, scores))  # type: ignore[union-attr]
    pairs = (scores[y == 1][:, None] == scores[y == 0]).mean()
    assert tied_pairs(table, 0.0).value == pytest.approx(pairs)  # type: ignore[union-attr]
    assert ratio(BRIER, table, 0.0).value == pytest.approx(brier_score_loss(y, scores))  # type: ignore[union-attr]
    assert ratio(HITS, table, 0.0).value == pytest.approx(((scores > 0.5) == y).mean())  # type: ignore[union-attr]
    losses = -np.log(np.stack([1.0 - MIDDLES, MIDDLES], axis=1))
    found = ratio(losses, table, 0.0, high=10.0)
    assert found is not None
    assert found.value == pytest.approx(log_loss(y, scores))
    assert found.noise_error == 0.0
    assert total(table, 0.0, 3000).value == 3000
    curve = calibration_curve(table, MIDDLES, EDGES, 8, 0.0)
    group = np.searchsorted(EDGES[2:-1:2], scores)
    by_hand = sum(abs(scores[group == k].sum() - y[group == k].sum()) for k in range(8)) / 3000
    assert curve.error == pytest.approx(by_hand)
    assert curve.noise_part == 0.0
    for k, point in enumerate(curve.points):
        assert point["observed"]["value"] == pytest.approx(y[group == k].mean())
        assert point["predicted"] == pytest.approx(scores[group == k].mean())


def test_the_sampling_error_is_the_textbook_s() -> None:
    """Of a rate: the root of p(1 - p)/n. Of an AUC: Hanley and McNeil's formula, by simulation."""
    table = counts_of(2000).astype(float)
    found = ratio(HITS, table, 0.0)
    assert found is not None
    assert found.standard_error == pytest.approx(math.sqrt(found.value * (1 - found.value) / 2000))
    rng = np.random.default_rng(1)
    draws = rng.multinomial(2000, table.ravel() / 2000, size=2000).reshape(-1, N_BINS, 2).astype(float)
    areas = [area_under_curve(draw, 0.0).value for draw in draws]  # type: ignore[union-attr]
    assert area_under_curve(table, 0.0).standard_error == pytest.approx(np.std(areas), rel=0.08)  # type: ignore[union-attr]


FIGURES = {
    "auc": lambda table, variance: area_under_curve(table, variance),
    "tied pairs": lambda table, variance: tied_pairs(table, variance),
    "brier": lambda table, variance: ratio(BRIER, table, variance),
    "accuracy": lambda table, variance: ratio(HITS, table, variance),
    "share": lambda table, variance: ratio(np.tile([0.0, 1.0], (N_BINS, 1)), table, variance),
    "mean excess": lambda table, variance: ratio(np.stack([MIDDLES, MIDDLES - 1], axis=1), table, variance, low=-1.0),
}
RUNS = 1500


@pytest.mark.parametrize("name", FIGURES)
def test_figures_have_no_bias_and_the_stated_errors(name: str) -> None:
    """1500 draws of noise: mean within 4.5 standard errors of the exact figure (false alarms: 7e-6 a figure), and the
    share of draws within 1.96 stated errors within 4.5 of its own around 95 %, and 1 % for the normal approximation.
    """
    counts, scale = counts_of(4000), 2.0
    variance = discrete_laplace_std(scale) ** 2
    exact = FIGURES[name](counts.astype(float), 0.0).value
    found = [FIGURES[name](noisy(counts, scale, seed), variance) for seed in range(RUNS)]
    values, errors = np.array([f.value for f in found]), np.array([f.noise_error for f in found])
    assert abs(values.mean() - exact) < 4.5 * values.std() / math.sqrt(RUNS)
    covered = (np.abs(values - exact) <= 1.96 * errors).mean()
    assert abs(covered - 0.95) < 0.01 + 4.5 * math.sqrt(0.95 * 0.05 / RUNS)
    # The arm that must fail: half the error.
    assert (np.abs(values - exact) <= 1.96 * errors / 2).mean() < 0.75


def test_counts_cut_off_at_zero_would_have_a_bias() -> None:
    """Few bins hold rows: cutting off the others adds half a noise scale to each, and pulls rates to the middle."""
    counts = np.zeros((N_BINS, 2), np.int64)
    counts[2] = 300, 20
    counts[13] = 30, 250
    scale = 5.0
    variance = discrete_laplace_std(scale) ** 2
    draws = [noisy(counts, scale, seed) for seed in range(400)]
    for figure in (FIGURES["auc"], FIGURES["accuracy"], FIGURES["brier"]):
        exact = figure(counts.astype(float), 0.0).value
        kept = np.array([figure(draw, variance).value for draw in draws])
        cut = np.array([figure(np.maximum(draw, 0.0), variance).value for draw in draws])
        assert abs(cut.mean() - exact) > 4 * abs(kept.mean() - exact)
        assert abs(cut.mean() - exact) > 10 * cut.std() / 20


def test_intervals_hold_for_the_population() -> None:
    """Rows sampled anew, with noise: 95 % of intervals hold the population's figure; binomial limits at 1e-5."""
    rng = np.random.default_rng(3)
    shares = counts_of(10**6).ravel() / 10**6
    scale = 2.0
    variance = discrete_laplace_std(scale) ** 2
    inside = dict.fromkeys(FIGURES, 0)
    truth = {name: figure(shares.reshape(-1, 2) * 1e9, 0.0).value for name, figure in FIGURES.items()}
    for seed in range(800):
        table = noisy(rng.multinomial(3000, shares).reshape(-1, 2), scale, seed)
        for name, figure in FIGURES.items():
            found = figure(table, variance)
            inside[name] += found.low <= truth[name] <= found.high
    low, high = stats.binom.ppf([1e-5, 1 - 1e-5], 800, 0.95)
    assert all(low - 8 <= hits <= high + 8 for hits in inside.values()), inside


def test_what_noise_adds_to_the_calibration_error_is_bounded() -> None:
    """A calibrated table: the whole reported error is noise; a tilted one: it lies between the two, on average."""
    scale = 3.0
    variance = discrete_laplace_std(scale) ** 2
    tilted = counts_of(4000, tilt=0.5)
    even = np.rint(np.stack([1 - MIDDLES, MIDDLES], axis=1) * 400).astype(np.int64)
    for counts in (tilted, even):
        exact = calibration_curve(counts.astype(float), MIDDLES, EDGES, 8, 0.0).error
        curves = [calibration_curve(noisy(counts, scale, s), MIDDLES, EDGES, 8, variance) for s in range(300)]
        error = np.mean([curve.error for curve in curves])
        part = np.mean([curve.noise_part for curve in curves])
        assert error - part <= exact <= error + 1e-3
    assert exact < 1e-3 < error


@pytest.mark.parametrize("scale", [1.0, 100.0, 1e9, 2.0**60])
def test_too_much_noise_gives_no_figure_and_never_fails(scale: float) -> None:
    variance = scale**2
    for seed in range(50):
        table = noisy(counts_of(20, seed), scale, seed)
        for figure in FIGURES.values():
            found = figure(table, variance)
            assert found is None or all(math.isfinite(v) for v in (found.value, found.noise_error, found.high))
            assert found is None or found.low <= found.value <= found.high
        curve = calibration_curve(table, MIDDLES, EDGES, 8, variance)
        assert curve.error is None or 0.0 <= curve.error <= 1.0
    empty = np.zeros((N_BINS, 2))
    assert all(figure(empty, variance) is None for figure in FIGURES.values())
    assert all(figure(empty, 0.0) is None for figure in FIGURES.values())


def test_one_class_has_no_auc() -> None:
    table = counts_of(1000).astype(float)
    table[:, 1] = 0.0
    assert area_under_curve(table, 0.0) is None
    assert area_under_curve(table[:, ::-1].copy(), 0.0) is None
    assert ratio(HITS, table, 0.0) is not None


def test_roots() -> None:
    assert root(None) is None
    found = root(Figure(0.25, 0.02, 0.04, 0.16, 0.36))
    assert found == Figure(0.5, 0.02, 0.04, 0.4, 0.6)
    flat = root(Figure(0.0, 0.02, 0.04, 0.0, 0.04))
    assert flat is not None
    assert (flat.value, flat.low, flat.high) == (0.0, 0.0, 0.2)
    assert flat.standard_error == pytest.approx(0.1 / 1.96)
