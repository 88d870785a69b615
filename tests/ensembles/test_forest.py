"""What a leaf of a forest says, from its released counts."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from privboost.ensembles.forest import hard_votes, soft_votes

COUNTS = arrays(np.float64, st.tuples(st.integers(1, 5), st.integers(2, 4)), elements=st.floats(-1e6, 1e6))


@given(COUNTS)
def test_a_hard_vote_goes_to_the_largest_class_and_ties_share_it(counts: np.ndarray) -> None:
    votes = hard_votes(counts)
    for row, vote in zip(counts, votes, strict=True):
        best = [k for k, value in enumerate(row) if value == max(row)]
        assert vote.tolist() == [1.0 / len(best) if k in best else 0.0 for k in range(len(row))]


@given(COUNTS, st.floats(0.0, 1e6))
@example(np.zeros((1, 2)), 5e-324)
def test_a_soft_vote_is_a_distribution_in_the_order_of_the_counts(counts: np.ndarray, pseudo_count: float) -> None:
    votes = soft_votes(counts, pseudo_count)
    np.testing.assert_allclose(votes.sum(axis=1), 1.0, rtol=1e-12)
    assert votes.min() >= 0.0
    for row, vote in zip(np.maximum(counts, 0.0), votes, strict=True):
        assert (np.diff(vote[np.argsort(row, kind="stable")]) >= 0.0).all()


def test_two_classes_differ_by_the_shrunk_ratio() -> None:
    counts = np.array([[3.0, 9.0], [-2.0, 5.0], [0.0, 0.0], [-1.0, -4.0]])
    votes = soft_votes(counts, 4.0)
    np.testing.assert_allclose(votes[:, 1] - votes[:, 0], [6 / 16, 5 / 9, 0.0, 0.0])


def test_without_noise_a_soft_vote_is_the_plain_ratio() -> None:
    np.testing.assert_allclose(soft_votes(np.array([[1.0, 3.0], [0.0, 0.0]]), 0.0), [[0.25, 0.75], [0.5, 0.5]])
