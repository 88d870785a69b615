"""The label that a forest releases for a leaf: its law for all small counts, worked out and drawn.

The mechanism must be private for every pair of neighbouring counts, not only for typical ones: noise that looks at the
counts themselves, as with a sensitivity that is small where the gap is large, fails at the margin.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest

from privboost.ensembles import forest
from privboost.privacy.accounting import Ledger, PlannedRelease
from privboost.privacy.mechanisms import Laplace, Released
from privboost.privacy.randomness import SimulatedRandomness
from privboost.sources.local import GRID, LocalRows


@cache
def difference_of_two_laplace(scale):
    """P(D = k) and P(D >= k), k = 0, 1, ..., for the difference D of two discrete Laplace variables.

    With q = exp(-1/b), P(D = k) = ((1-q)/(1+q))^2 q^|k| (|k| + (1+q^2)/(1-q^2)). The tail beyond 40 b is below 1e-15.
    """
    k = np.arange(int(40 * scale) + 6 * GRID)
    q, one_minus_q = np.exp(-1.0 / scale), -np.expm1(-1.0 / scale)
    pmf = (one_minus_q / (1 + q)) ** 2 * np.exp(-k / scale) * (k + (1 + q * q) / (one_minus_q * (1 + q)))
    return pmf, np.cumsum(pmf[::-1])[::-1]


class TestLeafMechanism:
    """Two classes in one leaf: the law of the vote over all neighbouring pairs of counts in {0..5} squared."""

    EPSILON = 0.5
    COUNTS = tuple((a, b) for a in range(6) for b in range(6))

    @staticmethod
    def laplace_law(counts, scale):
        """P(class 0), P(tie), P(class 1) for noisy counts."""
        tie, upper = difference_of_two_laplace(scale)
        gap = abs(counts[1] - counts[0]) * GRID
        smaller = upper[gap + 1]  # the class with the smaller count wins
        law = np.array([smaller, tie[gap], 1 - smaller - tie[gap]])
        return law if counts[1] >= counts[0] else law[::-1]

    @staticmethod
    def exponential_law(counts, scale):
        weight = np.exp(np.array(counts) * GRID / scale)
        return np.array([weight[0], 0.0, weight[1]]) / weight.sum()

    def largest_loss(self, law):
        losses = []
        laws = {counts: law(counts) for counts in self.COUNTS}
        for a, b in self.COUNTS:
            for neighbour in ((a + 1, b), (a, b + 1)):
                if neighbour in laws:
                    p, q = laws[a, b], laws[neighbour]
                    keep = (p > 0) | (q > 0)
                    losses.append(np.abs(np.log(p[keep] / q[keep])).max())
        return max(losses)

    @pytest.mark.parametrize("mechanism", ["laplace", "exponential"])
    def test_no_pair_of_neighbours_exceeds_epsilon(self, mechanism):
        scale = GRID / self.EPSILON
        law = {"laplace": self.laplace_law, "exponential": self.exponential_law}[mechanism]
        loss = self.largest_loss(lambda counts: law(counts, scale))
        assert 0.2 * self.EPSILON < loss <= self.EPSILON * (1 + 1e-9)

    def test_noise_that_shrinks_with_the_gap_between_the_counts_is_caught(self):
        def planted(counts):
            return self.exponential_law(counts, GRID / self.EPSILON / (1 + abs(counts[0] - counts[1])))

        assert self.largest_loss(planted) > self.EPSILON

    @pytest.mark.parametrize("mechanism", ["laplace", "exponential"])
    @pytest.mark.parametrize("counts", [(0, 0), (1, 0), (3, 2), (2, 5)])
    def test_the_forest_draws_its_votes_from_this_law(self, mechanism, counts):
        # 100,000 leaves with the same counts, one release; six standard errors, seed fixed.
        n_leaves = 100_000
        votes = self.draw_votes(mechanism, counts, n_leaves)
        law = {"laplace": self.laplace_law, "exponential": self.exponential_law}[mechanism]
        expected = law(counts, GRID / self.EPSILON)
        got = np.array([(votes[:, 0] == 1).mean(), (votes[:, 0] == 0.5).mean(), (votes[:, 1] == 1).mean()])
        error = 6 * np.sqrt(expected * (1 - expected) / n_leaves) + 1e-9 + 6 / n_leaves
        assert (np.abs(got - expected) <= error).all(), (got, expected)
        assert (np.abs(got - law(counts, 0.8 * GRID / self.EPSILON)) <= error).all() == (counts[0] == counts[1])

    def draw_votes(self, mechanism, counts, n_leaves):
        labels = np.repeat([0, 1], counts).astype(np.int16)
        rows = LocalRows(np.ones((1, len(labels) * n_leaves), np.uint8), np.array([0, 2]), np.tile(labels, n_leaves), 2)
        rows.spread(np.repeat(np.arange(n_leaves, dtype=np.int32), len(labels)), n_leaves)
        selecting = mechanism == "exponential"
        planned = PlannedRelease(
            "leaves",
            mechanism,
            Fraction(self.EPSILON),
            count=n_leaves if selecting else 1,
            composition="parallel" if selecting else "sequential",
            distance=1,
            size=2 if selecting else 2 * n_leaves,
        )
        plan = SimpleNamespace(n_classes=2, leaf="vote")
        return forest._release_votes(rows, planned, SimulatedRandomness(np.random.default_rng(3)), Ledger(), plan)


def test_an_answer_without_noise_is_caught_by_its_law(monkeypatch):
    # The exact counts in place of noisy ones: ties all the time, which the law says hardly ever happens.
    monkeypatch.setattr(Laplace, "apply", lambda self, raw, randomness, ledger: Released(raw._Raw__values.copy()))
    with pytest.raises(AssertionError):
        TestLeafMechanism().test_the_forest_draws_its_votes_from_this_law("laplace", (3, 2))
