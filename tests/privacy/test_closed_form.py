"""Differential privacy by closed form: the exact output laws of all neighbouring inputs of a small grid.

No draw takes place. The log ratio of any output's probabilities must stay within the map, and come close to it
(a map that is far too large would be a bug, too); arms that must fail show that the test can.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from privboost.privacy import Laplace, PlannedRelease, Select, discrete_laplace_pmf, selection_probabilities

RULES = ("permute-and-flip", "exponential")
TOLERANCE = 1e-9


def planned(mechanism, epsilon, distance, size):
    return PlannedRelease("leaf", mechanism, epsilon, 1, "parallel", distance, size)


def worst_selection_ratio(scale, rule, changes, grid=range(4), n_candidates=3):
    """Largest |log ratio| over all score vectors of the grid and all given changes of them."""
    worst = 0.0
    law = {}

    def of(scores):
        if scores not in law:
            law[scores] = np.log(selection_probabilities(scores, scale, rule))
        return law[scores]

    for scores in itertools.product(grid, repeat=n_candidates):
        for change in itertools.product(changes, repeat=n_candidates):
            moved = tuple(s + c for s, c in zip(scores, change, strict=True))
            worst = max(worst, float(np.max(np.abs(of(scores) - of(moved)))))
    return worst


@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1), Fraction(4)])
@pytest.mark.parametrize("sensitivity", [1, 2])
def test_laplace_on_pairs_of_sums(epsilon, sensitivity):
    release = Laplace.for_release(planned("laplace", epsilon, 1, 2), sensitivity)
    outputs = np.arange(-12, 16)
    laws = {v: np.log(discrete_laplace_pmf(outputs - v, release.scale)) for v in range(4)}
    worst = {True: 0.0, False: 0.0}
    for (a, b), (c, d) in itertools.product(itertools.product(range(4), repeat=2), repeat=2):
        # The two numbers' noises are independent: log ratios add, and their largest values are attained together.
        ratio = np.max(laws[a] - laws[c]) + np.max(laws[b] - laws[d])
        neighbours = abs(a - c) + abs(b - d) <= sensitivity
        worst[neighbours] = max(worst[neighbours], float(ratio))
    assert worst[True] <= float(release.map()) + TOLERANCE
    assert worst[True] == pytest.approx(float(epsilon), rel=1e-9)
    assert worst[False] > float(epsilon) * 1.4  # pairs that are further apart must exceed the map


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1), Fraction(4)])
class TestSelection:
    def test_one_row_added_or_removed_moves_all_scores_the_same_way(self, rule, epsilon):
        release = Select.for_release(planned(rule, epsilon, 1, 3), 2)
        worst = worst_selection_ratio(release.scale, rule, range(3))
        assert worst <= float(release.map()) + TOLERANCE
        assert worst > 0.5 * float(epsilon)

    def test_only_the_spread_of_the_changes_matters(self, rule, epsilon):
        """Rounded scores: true changes in [0, 1], off by half a unit at either end, may be -1, 0, 1 or 2."""
        release = Select.for_release(planned(rule, epsilon, 1, 3), 3)
        assert worst_selection_ratio(release.scale, rule, range(-1, 3), range(3)) <= float(release.map()) + TOLERANCE

    def test_scores_that_move_apart_need_the_factor_two(self, rule, epsilon):
        """Negative control: a change of at most Δ in either direction breaks the map for monotone scores."""
        release = Select.for_release(planned(rule, epsilon, 1, 3), 2)
        worst = worst_selection_ratio(release.scale, rule, range(-2, 3))
        assert worst > float(release.map()) * 1.1
        assert worst <= 2 * float(release.map()) + TOLERANCE

    def test_replaced_row_at_the_distance_of_two(self, rule, epsilon):
        """Scores of two tables that both come from one by adding a row: the whole ratio stays within epsilon."""
        release = Select.for_release(planned(rule, epsilon, 2, 3), 2)
        worst = 0.0
        for scores in itertools.product(range(3), repeat=3):
            grown = [tuple(np.add(scores, c).tolist()) for c in itertools.product(range(3), repeat=3)]
            logs = np.log([selection_probabilities(s, release.scale, rule) for s in grown])
            worst = max(worst, float(np.max(logs.max(axis=0) - logs.min(axis=0))))
        assert worst <= float(epsilon) + TOLERANCE
        assert worst > 0.5 * float(epsilon)

    def test_noise_at_half_the_scale_is_caught(self, rule, epsilon):
        release = Select.for_release(planned(rule, epsilon, 1, 3), 2)
        assert worst_selection_ratio(release.scale / 2, rule, range(3)) > float(release.map()) + TOLERANCE


@pytest.mark.parametrize("rule", RULES)
class TestTwoClassLeaf:
    """The label of a leaf selected from its class counts: every pair of neighbours in {0..5}^2."""

    epsilon = Fraction(1, 2)

    def ratios(self, rule, scale, replace):
        steps = {(1, 0), (0, 1), (-1, 0), (0, -1)}
        replacements = {(1, -1), (-1, 1)}
        worst = 0.0
        for counts in itertools.product(range(6), repeat=2):
            for step in steps | replacements if replace else steps:
                other = tuple(np.add(counts, step).tolist())
                if min(other) < 0 or max(other) > 5:
                    continue
                pair = [np.log(selection_probabilities(c, scale, rule)) for c in (counts, other)]
                worst = max(worst, float(np.max(np.abs(pair[0] - pair[1]))))
        return worst

    @pytest.mark.parametrize("distance", [1, 2])
    def test_every_neighbour_is_within_epsilon(self, rule, distance):
        release = Select.for_release(planned(rule, self.epsilon, distance, 2), 1)
        worst = self.ratios(rule, release.scale, replace=distance == 2)
        assert worst <= float(self.epsilon) + TOLERANCE
        assert worst > 0.5 * float(self.epsilon)

    def test_wrong_relation_is_caught(self, rule):
        release = Select.for_release(planned(rule, self.epsilon, 1, 2), 1)
        assert self.ratios(rule, release.scale, replace=True) > float(self.epsilon) * 1.1


@pytest.mark.parametrize("n_candidates", [2, 3, 100])
def test_exponential_mechanism_under_renyi_divergence(n_candidates):
    """Rényi divergence of every order is at most rho * order, rho = epsilon**2 / 8; twice the range breaks it."""
    release = Select.for_release(planned("exponential", Fraction(1), 1, n_candidates), 2)
    rho = float(release.map()) ** 2 / 8

    def divergence(change, order):
        scores = np.zeros(n_candidates)
        p = selection_probabilities(scores, release.scale, "exponential")
        q = selection_probabilities(scores + change, release.scale, "exponential")
        return np.log(np.sum(p**order * q ** (1 - order))) / (order - 1)

    one_way = np.zeros(n_candidates)
    one_way[: n_candidates // 2] = 2.0
    for order in (1.5, 2, 4, 16, 64):
        assert divergence(one_way, order) <= rho * order + TOLERANCE
        assert divergence(-one_way, order) <= rho * order + TOLERANCE
    apart = 2.0 * np.where(np.arange(n_candidates) < n_candidates // 2, 1, -1)
    assert divergence(apart, 2) > rho * 2


class TestDisjointNodes:
    """Parallel composition: each row lies in one node, so the level's ratio is that of one release."""

    def test_replaced_row_may_leave_one_leaf_and_enter_another(self):
        epsilon = Fraction(1)
        release = Laplace.for_release(PlannedRelease("leaf", "laplace", epsilon, 2, "parallel", 2, 1), 3)
        # A row of weight 3 leaves the first leaf and enters the second: each number moves by 3.
        assert 2 * release.map(1) == release.map(2) == release.event().cost
        assert release.event().cost <= epsilon
        outputs = np.arange(-40, 60)
        down = np.max(
            np.log(discrete_laplace_pmf(outputs - 3, release.scale) / discrete_laplace_pmf(outputs, release.scale))
        )
        assert 2 * down == pytest.approx(float(epsilon), rel=1e-9)

    def test_sequential_levels_add_up(self):
        plan = PlannedRelease("split", "exponential", Fraction(1, 8), 8, "sequential", 1, 3)
        assert Select.for_release(plan, 5).event().cost == 8 * Select.for_release(plan, 5).map()
