"""Leaf values from released sums."""

from __future__ import annotations

import numpy as np
import pytest

from privboost.trees.leaves import leaf_probability, link_values, weighted_edge


def test_the_plain_ratio_is_the_paper_s() -> None:
    sums = np.array([[3.0, 1.0], [0.0, 2.0], [0.0, 0.0], [-4.0, 2.0], [-1.0, -2.0]])
    np.testing.assert_allclose(leaf_probability(sums, 5.0, 0.0), [0.25, 1.0, 0.5, 1.0, 0.5])


def test_smoothing_adds_pseudo_weight_in_noise_scales() -> None:
    sums = np.array([[3.0, 1.0], [0.0, 0.0]])
    np.testing.assert_allclose(leaf_probability(sums, 2.0, 1.5), [(1 + 1.5) / (4 + 3), 0.5])


def test_values_are_clipped_links() -> None:
    values = link_values(np.array([0.0, 0.5, 1.0, 0.9]), 1.0, 10.0)
    np.testing.assert_allclose(values, [-10.0, 0.0, 10.0, 0.8 / 0.3])
    assert np.isfinite(link_values(np.array([0.0, 1.0]), 0.5, 3.0)).all()


def test_edge_and_mean_weight_are_those_of_the_rows() -> None:
    rng = np.random.default_rng(0)
    leaf, y, w = rng.integers(0, 4, 300), rng.integers(0, 2, 300), rng.random(300)
    values = np.array([0.5, -1.0, 2.0, 0.0])
    sums = np.array([[w[(leaf == k) & (y == c)].sum() for c in range(2)] for k in range(4)])
    mean_weight, edge = weighted_edge(sums, values, 300, 10.0)
    assert mean_weight == pytest.approx(w.mean())
    assert edge == pytest.approx((w * (2 * y - 1) * values[leaf]).sum() / w.sum())


def test_hopeless_noise_gives_no_step() -> None:
    assert weighted_edge(np.array([[-3.0, -1.0]]), np.array([5.0]), 10, 10.0) == (0.0, 0.0)
    mean_weight, edge = weighted_edge(np.array([[0.0, 1e9]]), np.array([50.0]), 10, 10.0)
    assert (mean_weight, edge) == (1.0, 10.0)
