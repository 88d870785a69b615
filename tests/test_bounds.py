"""Bounds of the theory on noise-free runs, written here in plain NumPy: full trees, boosted stumps, selections."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privboost.errors import ParameterError, ParameterTypeError
from privboost.losses import LogLoss, Loss, MAlphaLoss, MatsushitaLoss, SquareLoss, ZeroOneLoss
from privboost.theory import (
    combination_decrease,
    combination_rounds,
    combination_weight,
    dilemma_table,
    k_monotonicity,
    selection_confidence,
    split_contraction,
    split_lemma,
    step_decrease,
    tree_error_bound,
)

SEEDS = st.integers(0, 2**32 - 1)


# --- one split -------------------------------------------------------------------------------------------------------


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 1000)), min_size=1, max_size=6))
def test_split_lemma(children: list[tuple[int, int]]) -> None:
    w1, w0 = np.array(children).T
    lemma = split_lemma(w1, w0)
    total1, total0 = int(w1.sum()), int(w0.sum())
    assert lemma.parent == pytest.approx(2 * math.sqrt(total1 * total0), rel=1e-14)
    assert lemma.children == pytest.approx(2 * sum(math.sqrt(a * b) for a, b in children), rel=1e-14)
    assert lemma.children == pytest.approx(lemma.parent * lemma.coefficient, rel=1e-12, abs=1e-12)
    if total1 and total0:
        distance = sum(abs(Fraction(a, total1) - Fraction(b, total0)) for a, b in children) / 2
        assert lemma.total_variation == pytest.approx(float(distance), abs=1e-14)
        assert lemma.bound == pytest.approx(lemma.parent * math.sqrt(1 - distance**2), rel=1e-7, abs=1e-6)
        # The largest edge of any +-1 labelling of the children on class-balanced weights is that distance.
        edges = [
            sum(s * (Fraction(a, total1) - Fraction(b, total0)) for s, (a, b) in zip(signs, children, strict=True)) / 2
            for signs in product((-1, 1), repeat=len(children))
        ]
        assert max(edges) == distance
    assert lemma.holds


def test_split_lemma_is_tight_and_can_fail() -> None:
    lemma = split_lemma([3.0, 1.0], [1.0, 3.0])
    assert lemma.children == pytest.approx(lemma.bound, rel=1e-14)
    assert lemma.total_variation == 0.5
    broken = type(lemma)(lemma.parent, lemma.bound * 1.001, 1.0, 0.5, lemma.bound)
    assert not broken.holds
    assert split_lemma([2.0, 0.0], [0.0, 3.0]).children == 0.0
    pure = split_lemma([2.0, 1.0], [0.0, 0.0])
    assert (pure.coefficient, pure.total_variation, pure.holds) == (1.0, 0.0, True)


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from([ZeroOneLoss(), SquareLoss(), LogLoss(), MatsushitaLoss(), MAlphaLoss(0.3)]),
    st.floats(0, 1),
    st.floats(0, 1),
    st.floats(0.01, 0.99),
)
def test_split_contraction_bounds_every_split(loss: Loss, a: float, b: float, p: float) -> None:
    after = loss.criterion(p * a, p * a + (1 - p) * b) + loss.criterion(p * (1 - a), p * (1 - a) + (1 - p) * (1 - b))
    assert after / loss.bayes_risk(p) <= split_contraction(loss, abs(a - b), p) + 1e-9


def test_split_contraction_of_the_extreme_losses() -> None:
    for gamma, p in product((0.0, 0.1, 0.5, 0.9, 1.0), (0.01, 0.3, 0.5, 0.9)):
        assert split_contraction("matsushita", gamma, p) == pytest.approx(math.sqrt(1 - gamma**2), abs=1e-12)
        # For 0/1, closed form: without progress if (1-γ)/(2-γ) >= min(p, 1-p), else as the split cuts the middle.
        q = min(p, 1 - p)
        if q <= (1 - gamma) / (2 - gamma):
            assert split_contraction("zero-one", gamma, p) == pytest.approx(1.0, abs=1e-12)
    assert split_contraction("zero-one", 0.3, 0.5) == pytest.approx(0.7, abs=1e-9)


# --- trees -----------------------------------------------------------------------------------------------------------


@dataclass
class Grown:
    """A fully split tree: class sums of its leaves, and of the children of each split in the order of growth."""

    leaves: list[tuple[float, float]]
    splits: list[tuple[tuple[float, float], tuple[float, float]]]

    @property
    def error(self) -> float:
        return sum(min(leaf) for leaf in self.leaves) / sum(sum(leaf) for leaf in self.leaves)


def grow(seed: int, m: int, depth: int, noise: float, choose: Callable[..., int]) -> Grown:
    """Split every node that is not pure, level by level, down to a depth. ``choose`` picks among candidate splits."""
    random = np.random.default_rng(seed)
    codes = random.integers(0, 3, (4, m))
    label = (codes[0] + codes[1] * codes[2] > 1) ^ (random.random(m) < noise)
    weight = 1 - random.random(m)
    tests = np.concatenate([codes > t for t in range(2)])
    sums = lambda rows: (float(weight[rows & label].sum()), float(weight[rows & ~label].sum()))  # noqa: E731
    level, done, splits = [np.ones(m, dtype=bool)], [], []
    for _ in range(depth):
        deeper = []
        for rows in level:
            if not (label[rows].any() and (~label[rows]).any()):
                done.append(sums(rows))
                continue
            candidates = [(sums(rows & ~test), sums(rows & test)) for test in tests]
            best = choose(candidates)
            splits.append(candidates[best])
            deeper += [rows & ~tests[best], rows & tests[best]]
        level = deeper
    return Grown(done + [sums(rows) for rows in level], splits)


def matsushita_of(candidate: tuple[tuple[float, float], ...]) -> float:
    return sum(math.sqrt(a * b) for a, b in candidate)


def best_split(candidates: list[tuple[tuple[float, float], ...]]) -> int:
    return int(np.argmin([matsushita_of(candidate) for candidate in candidates]))


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.integers(10, 150), st.integers(1, 4), st.sampled_from([0.0, 0.1, 0.4]))
def test_error_of_a_full_tree_is_below_the_bound(seed: int, m: int, depth: int, noise: float) -> None:
    tree = grow(seed, m, depth, noise, best_split)
    lemmas = [split_lemma(*np.transpose(children)) for children in tree.splits]
    assert all(lemma.holds for lemma in lemmas)
    gamma = min((lemma.total_variation for lemma in lemmas), default=1.0)
    assert tree.error <= tree_error_bound(depth, gamma) + 1e-12
    # Any loss, by the argument behind the table: nodes below a share ξ err on ξ at most, the others contract.
    for loss, xi in ((LogLoss(), 0.1), (SquareLoss(), 0.1), (MAlphaLoss(0.3), 0.05)):
        worst = max(split_contraction(loss, gamma, float(p)) for p in np.geomspace(xi, 0.5, 9))
        assert tree.error <= 0.5 * worst**depth + xi + 1e-3  # the worst share is sought on a coarse grid


def test_tree_bound_says_something_on_learnable_data() -> None:
    """Not vacuous: on clean data the bound is well below 1/2, and with a γ above the tree's it would fail."""
    said = failed = 0
    for seed in range(12):
        tree = grow(seed, 120, 3, 0.0, best_split)
        gamma = min(split_lemma(*np.transpose(children)).total_variation for children in tree.splits)
        said += tree_error_bound(3, gamma) < 0.4
        failed += tree.error > tree_error_bound(3, min(1.0, 4.0 * gamma))
    assert said >= 6
    assert failed >= 1


@pytest.mark.parametrize("gamma", [0.1, 0.4, 0.8])
def test_matsushita_criterion_attains_the_tree_rate(gamma: float) -> None:
    """Splits that are independent given the class, each of strength γ: every level costs exactly √(1-γ²)."""
    leaves = [(0.5, 0.5)]
    for depth in range(1, 7):
        up, down = (1 + gamma) / 2, (1 - gamma) / 2
        leaves = [leaf for a, b in leaves for leaf in ((a * up, b * down), (a * down, b * up))]
        criterion = sum(MatsushitaLoss().criterion(a, a + b) for a, b in leaves)
        assert criterion == pytest.approx(2 * tree_error_bound(depth, gamma), rel=1e-12)
        assert sum(map(min, leaves)) <= tree_error_bound(depth, gamma)


def test_levels_of_the_table_suffice_for_these_splits() -> None:
    table = dilemma_table(["matsushita", "log", "square"], gamma=0.6, target_error=0.1)
    up, down = 0.8, 0.2
    for row in table.rows:
        # d independent splits: the leaves are binomial in the number of splits that vote for class +1.
        d = int(row.levels)
        chances = [(math.comb(d, k), up**k * down ** (d - k), down**k * up ** (d - k)) for k in range(d + 1)]
        assert sum(n * min(a, b) / 2 for n, a, b in chances) <= 0.1


# --- boosted combinations --------------------------------------------------------------------------------------------


@dataclass
class Round:
    """What one round of boosting knew and did."""

    beta: float
    mean_weight: float
    edge: float
    surrogate_before: float
    surrogate_after: float
    error_after: float


def boost(
    loss: Loss,
    codes: np.ndarray,
    y: np.ndarray,
    clip: float,
    step: Callable[[float, float], float],
    rounds: int,
    random: np.random.Generator | None = None,
) -> list[Round]:
    """Boost stumps: the best by edge, or a random one with random leaf values in [-M, M]."""
    score, log = np.zeros(len(y)), []
    stumps = np.concatenate([np.where(codes > t, 1.0, -1.0) for t in range(int(codes.max()))])
    for _ in range(rounds):
        weight = loss.inverse_link(-y * score)
        if weight.sum() == 0.0:
            break
        if random is None:
            h = clip * stumps[np.argmax(np.abs(stumps @ (weight * y)))]
        else:
            values = clip * random.uniform(-1, 1, 2)
            h = np.where(stumps[random.integers(len(stumps))] > 0, values[0], values[1])
        mean, edge = float(weight.mean()), float(np.sum(weight * y * h) / weight.sum())
        beta, before = step(mean, edge), float(loss.surrogate(y * score).mean())
        score = score + beta * h
        log.append(
            Round(beta, mean, edge, before, float(loss.surrogate(y * score).mean()), float(np.mean(y * score < 0)))
        )
    return log


def table(seed: int, m: int, noise: float) -> tuple[np.ndarray, np.ndarray, np.random.Generator]:
    random = np.random.default_rng(seed)
    codes = random.integers(0, 4, (3, m))
    y = np.where((codes[0] + codes[1] > 3) ^ (random.random(m) < noise), 1.0, -1.0)
    return codes, y, random


@settings(max_examples=120, deadline=None)
@given(
    SEEDS,
    st.sampled_from([0.05, 0.1, 0.5, 1.0]),
    st.floats(0.1, 10),
    st.floats(-0.95, 0.95),
    st.sampled_from([0.0, 0.1, 0.5]),
    st.booleans(),
)
def test_every_round_lowers_the_surrogate_by_the_bound(
    seed: int, alpha: float, clip: float, deviation: float, noise: float, weak: bool
) -> None:
    codes, y, random = table(seed, 40, noise)
    constant = alpha / clip**2 * (1 + deviation)
    log = boost(MAlphaLoss(alpha), codes, y, clip, lambda w, e: constant * w * e, 25, random if weak else None)
    assert log[0].surrogate_before == 1.0
    for each in log:
        bound = combination_decrease(alpha, each.mean_weight, each.edge, clip, deviation)
        assert bound >= 0.0
        assert each.surrogate_before - each.surrogate_after >= bound - 1e-12
        assert each.error_after <= each.surrogate_after + 1e-12
        general = step_decrease(each.beta, each.mean_weight, each.edge, clip, MAlphaLoss(alpha).curvature_bound)
        assert general == pytest.approx(bound, rel=1e-9, abs=1e-15)


@settings(max_examples=80, deadline=None)
@given(SEEDS, st.sampled_from([MAlphaLoss(0.2), MatsushitaLoss(), LogLoss(), SquareLoss()]), st.floats(-3, 3))
def test_step_bound_holds_for_any_leverage_and_smooth_loss(seed: int, loss: Loss, beta: float) -> None:
    codes, y, random = table(seed, 40, 0.2)
    for each in boost(loss, codes, y, 2.0, lambda w, e: beta, 8, random):
        bound = step_decrease(each.beta, each.mean_weight, each.edge, 2.0, loss.curvature_bound)
        assert each.surrogate_before - each.surrogate_after >= bound - 1e-11 * (1 + each.surrogate_after)


def test_decrease_bound_is_tight_at_the_start() -> None:
    """Matsushita from H = 0, a perfect stump of small values: the second-order bound is the truth to third order."""
    y = np.array([1.0, -1.0])
    codes = np.array([[1, 0]])
    for beta in (1e-3, 1e-4):
        (each,) = boost(MatsushitaLoss(), codes, y, 1.0, lambda w, e, beta=beta: beta, 1)
        fall = each.surrogate_before - each.surrogate_after
        bound = step_decrease(each.beta, each.mean_weight, each.edge, 1.0, 0.25)
        assert bound <= fall <= bound * (1 + 1e-6)
        assert fall < step_decrease(each.beta, each.mean_weight, each.edge, 1.0, 0.2)


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.sampled_from([0.2, 1.0]), st.floats(0, 0.9), st.sampled_from([0.0, 0.1]))
def test_enough_squared_weight_gives_the_error(seed: int, alpha: float, freedom: float, noise: float) -> None:
    codes, y, random = table(seed, 30, noise)
    constant = alpha * random.uniform(1 - freedom, 1 + freedom)
    log = boost(MAlphaLoss(alpha), codes, y, 1.0, lambda w, e: constant * w * e, 80)
    gamma = min(abs(each.edge) for each in log)
    spent = np.cumsum([each.mean_weight**2 for each in log])
    for target in (0.02, 0.1, 0.2, 0.4):
        enough = np.flatnonzero(spent >= combination_weight(target, alpha, gamma, freedom) * (1 + 1e-12))
        assert all(log[t].error_after <= target for t in enough)


@pytest.mark.parametrize("alpha", [0.3, 1.0])
def test_rounds_suffice_on_majority_of_three(alpha: float) -> None:
    """Some single bit always has edge 1/3 or more, whatever the weights."""
    bits = np.array(list(product((0, 1), repeat=3))).T
    y = np.where(bits.sum(axis=0) > 1, 1.0, -1.0)
    rounds = combination_rounds(0.2, alpha, 1 / 3)
    log = boost(MAlphaLoss(alpha), bits, y, 1.0, lambda w, e: alpha * w * e, rounds)
    assert min(abs(each.edge) for each in log) >= 1 / 3 - 1e-9
    assert log[-1].error_after <= 0.2
    assert log[0].error_after > 0.2, "one round would do, and the test would show nothing"
    assert all(each.mean_weight >= 0.1 for each in log if each.error_after > 0.2)


def test_combination_numbers() -> None:
    assert combination_decrease(0.5, 0.5, 2.0, 10.0) == pytest.approx(0.005 * 0.25 * 4 * 7 / 8, rel=1e-14)
    assert combination_weight(0.1, 0.5, 0.2) == pytest.approx(8 * 0.9 / (7 * 0.5 * 0.04), rel=1e-14)
    assert combination_weight(0.1, 0.5, 0.2, 0.5) > combination_weight(0.1, 0.5, 0.2)
    assert combination_rounds(0.1, 0.5, 0.2, mean_weight=0.5) == math.ceil(51.428571428571 / 0.25)
    assert combination_rounds(1.0, 0.5, 0.2) == 0
    assert step_decrease(0.0, 0.5, 0.1, 1.0, math.inf) == 0.0


# --- private selection -----------------------------------------------------------------------------------------------


def exponential_mechanism(scores: np.ndarray, rate: float) -> np.ndarray:
    weight = np.exp(rate * (scores - scores.max()))
    return np.asarray(weight / weight.sum())


def permute_and_flip(scores: np.ndarray, rate: float) -> np.ndarray:
    """Exact: candidate i arrives at a uniform time t, is accepted with q_i, and all who came before were rejected."""
    q = np.exp(rate * (scores - scores.max()))
    chances = []
    for i in range(len(q)):
        others = np.polynomial.Polynomial([1.0])
        for other in np.delete(q, i):
            others *= np.polynomial.Polynomial([1.0, -other])
        chances.append(q[i] * (others.integ()(1.0) - others.integ()(0.0)))
    return np.array(chances)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.floats(-3, 0), min_size=1, max_size=4),
    st.lists(st.floats(0, 3), min_size=1, max_size=4),
    st.floats(0, 4),
    st.floats(0.01, 10),
    st.floats(0.1, 5),
    st.booleans(),
)
def test_selection_confidence_against_the_exact_distributions(
    lazy: list[float], good: list[float], gap: float, epsilon: float, delta: float, monotone: bool
) -> None:
    scores = np.array([*lazy, *(gap + s for s in good)])
    rate = epsilon / delta if monotone else epsilon / (2 * delta)
    confidence = selection_confidence(len(lazy), len(good), gap, epsilon, delta, monotone)
    exact = exponential_mechanism(scores, rate)[len(lazy) :].sum()
    assert exact >= confidence * (1 - 1e-12)
    chances = permute_and_flip(scores, rate)
    assert chances.sum() == pytest.approx(1.0, abs=1e-9)
    assert chances[len(lazy) :].sum() >= confidence - 1e-9
    usual = len(lazy) / len(good) * math.exp(-rate * gap)
    assert 1 - confidence <= usual * (1 + 1e-12) + 1e-15


@pytest.mark.parametrize("monotone", [False, True])
def test_selection_confidence_is_attained(monotone: bool) -> None:
    scores = np.array([0.0] * 7 + [1.5] * 2)
    exact = exponential_mechanism(scores, 0.8 / (2.0 if not monotone else 1.0) / 0.6)[7:].sum()
    assert selection_confidence(7, 2, 1.5, 0.8, 0.6, monotone) == pytest.approx(exact, rel=1e-14)


def test_selection_confidence_at_the_ends() -> None:
    assert selection_confidence(0, 1, 0.0, 1.0, 1.0) == 1.0
    assert selection_confidence(3, 1, 0.0, math.inf, 1.0) == pytest.approx(0.25, rel=1e-15)
    assert selection_confidence(3, 1, 1e-9, 1.0, 0.0) == 1.0
    assert selection_confidence(3, 1, 1e300, 1.0, 1e-300) == 1.0
    assert selection_confidence(10**15, 1, 0.0, 1.0, 1.0) == pytest.approx(1e-15, rel=1e-12)


# --- sequences of α --------------------------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=0, max_size=8),
    st.floats(0, 1),
    st.booleans(),
)
def test_k_monotonicity_against_a_plain_loop(rows: list[tuple[float, float]], gamma: float, sort: bool) -> None:
    alphas, weights = [a for a, _ in rows], [w for _, w in rows]
    if sort:
        alphas = sorted(alphas, reverse=True)
    check = k_monotonicity(alphas, weights, gamma)
    assert check.constant == gamma * gamma / 16
    first = None
    for i in range(1, len(alphas)):
        limit = alphas[i - 1] * math.exp(gamma**2 / 16 * weights[i] * (1 - alphas[i - 1]))
        assert check.limits[i - 1] == pytest.approx(limit, rel=1e-14)
        if first is None and alphas[i] > limit * (1 + 1e-12):
            first = i
    assert check.first_violation == first
    assert check.holds == (check.first_violation is None)
    if sort:
        assert check.holds
        assert check.smallest_constant == 0.0


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.floats(0.3, 1.0), st.floats(0.05, 0.9))
def test_k_monotonicity_of_recorded_growth(seed: int, gamma: float, start: float) -> None:
    """α constant passes on any tree; α raised as fast as allowed passes; a hair faster does not."""
    tree = grow(seed, 100, 3, 0.1, best_split)
    root = sum(map(sum, tree.splits[0]))
    shares = [min(1.0, sum(map(sum, children)) / root) for children in tree.splits]
    assert k_monotonicity([start] * len(shares), shares, gamma).holds
    fastest = [start]
    for share in shares[1:]:
        fastest.append(min(1.0, fastest[-1] * math.exp(gamma**2 / 16 * share * (1 - fastest[-1]))))
    check = k_monotonicity(fastest, shares, gamma)
    assert check.holds
    assert check.smallest_constant <= check.constant * (1 + 1e-6)
    if len(shares) > 1:
        hasty = [*fastest[:-1], fastest[-1] * (1 + 1e-6)] if fastest[-1] < 0.99 else [0.5] * (len(shares) - 1) + [0.6]
        broken = k_monotonicity(hasty, shares, gamma)
        assert broken.first_violation == len(shares) - 1
        assert broken.smallest_constant > broken.constant


def test_smallest_constant_is_the_threshold() -> None:
    assert k_monotonicity([0.2, 0.2002], [1.0, 1.0], 1.0).holds
    assert k_monotonicity([0.0, 0.1], [1.0, 1.0], 1.0).smallest_constant == math.inf
    small = [0.2, 0.2004, 0.2001]
    needed = k_monotonicity(small, [1.0] * 3, 0.0).smallest_constant
    assert k_monotonicity(small, [1.0] * 3, math.sqrt(16 * needed) * (1 + 1e-9)).holds
    assert k_monotonicity(small, [1.0] * 3, math.sqrt(16 * needed) * (1 - 1e-6)).first_violation == 1


# --- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "parameter"),
    [
        (lambda: tree_error_bound(-1, 0.1), "depth"),
        (lambda: tree_error_bound(2, 1.1), "gamma"),
        (lambda: split_contraction("log", 0.1, 0.0), "p"),
        (lambda: split_lemma([1.0, 2.0], [1.0]), "w1"),
        (lambda: split_lemma([-1.0], [1.0]), "w1"),
        (lambda: step_decrease(math.nan, 0.5, 0.1, 1.0, 0.25), "beta"),
        (lambda: combination_decrease(0.0, 0.5, 0.1, 1.0), "alpha"),
        (lambda: combination_decrease(0.5, 1.5, 0.1, 1.0), "mean_weight"),
        (lambda: combination_decrease(0.5, 0.5, 1.1, 1.0), "edge"),
        (lambda: combination_decrease(0.5, 0.5, 0.1, 1.0, 1.0), "deviation"),
        (lambda: combination_weight(0.1, 0.5, 0.0), "gamma"),
        (lambda: combination_weight(0.1, 0.5, 0.1, 1.0), "freedom"),
        (lambda: combination_rounds(0.0, 0.5, 0.1), "target_error"),
        (lambda: selection_confidence(1, 0, 1.0, 1.0, 1.0), "n_good"),
        (lambda: selection_confidence(1, 1, -1.0, 1.0, 1.0), "gap"),
        (lambda: selection_confidence(1, 1, 1.0, 0.0, 1.0), "epsilon"),
        (lambda: k_monotonicity([0.1, 1.2], [0.1, 0.2], 0.1), "alphas"),
        (lambda: k_monotonicity([0.1], [0.1, 0.2], 0.1), "normalized_weights"),
    ],
)
def test_refusals_name_the_parameter(call: Callable[[], Any], parameter: str) -> None:
    with pytest.raises(ParameterError, match=f"'{parameter}' parameter must be"):
        call()


def test_wrong_types_are_type_errors() -> None:
    with pytest.raises(ParameterTypeError, match="depth"):
        tree_error_bound(2.0, 0.1)  # type: ignore[arg-type]
    with pytest.raises(ParameterTypeError, match="gamma"):
        tree_error_bound(2, True)
