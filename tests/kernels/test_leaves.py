"""Leaf arithmetic against naive twins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from privboost.kernels.leaves import leaf_probability, mixture_link, weighted_edge
from privboost.losses import MAlphaLoss

PROBABILITIES = np.array([0.0, 1e-300, 1e-9, 0.2, 0.5 - 1e-12, 0.5, 0.5 + 1e-12, 0.9, 1.0 - 1e-9, 1.0])


@pytest.mark.parametrize("alpha", [0.0, 1e-6, 0.3, 1.0])
@pytest.mark.parametrize("clip", [1e-3, 3.0, 1e6])
def test_the_link_is_that_of_the_mixture_clipped(alpha: float, clip: float) -> None:
    out = np.empty(len(PROBABILITIES))
    mixture_link(PROBABILITIES, alpha, clip, out)
    np.testing.assert_allclose(out, np.clip(MAlphaLoss(alpha).link(PROBABILITIES), -clip, clip), rtol=1e-14)


@given(st.integers(0, 2**32 - 1), st.floats(0.0, 10.0), st.floats(0.0, 3.0))
@settings(max_examples=50, deadline=None)
@example(254, 0.0, 0.0)  # no sum is positive
def test_probability_and_edge_follow_their_formulas(seed: int, noise_scale: float, smoothing: float) -> None:
    rng = np.random.default_rng(seed)
    sums, values = rng.normal(size=(6, 2)) * 10, rng.normal(size=6)
    sums[0] = -1.0
    out = np.empty(6)
    leaf_probability(sums, noise_scale, smoothing, out)
    k, cut = smoothing * noise_scale, np.maximum(sums, 0.0)
    for (w0, w1), p in zip(cut, out, strict=True):
        assert p == pytest.approx((w1 + k / 2) / (w0 + w1 + k) if w0 + w1 + k > 0 else 0.5)
    mean_weight, edge = weighted_edge(sums, values, 20, 0.5)
    total = cut.sum()
    assert mean_weight == pytest.approx(min(total / 20, 1.0))
    mean_edge = ((cut[:, 1] - cut[:, 0]) * values).sum() / total if total > 0.0 else 0.0
    assert edge == pytest.approx(np.clip(mean_edge, -0.5, 0.5))


def test_no_weight_gives_no_edge() -> None:
    assert weighted_edge(np.array([[-3.0, 0.0]]), np.array([5.0]), 10, 10.0) == (0.0, 0.0)
