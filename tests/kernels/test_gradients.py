"""Gradients of the log loss against SciPy and numerical derivatives; sums against NumPy; both forms of each kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, softmax

from privboost.kernels.gradients import (
    _sigmoids,
    gradient_split_scores,
    gradient_sums,
    gradient_test_sums,
    logistic_gradients,
    softmax_gradients,
)

GRID = 65536.0
EXTREME = [-800.0, -745.2, -40.0, -1e-9, 0.0, 1e-300, 36.8, 709.9, 800.0]


def both_forms(kernel: Any) -> list[Callable[..., None]]:
    """Return a kernel as it is called, and as plain Python; the same twice where the compiler is switched off."""
    return [kernel, getattr(kernel, "py_func", kernel)]


EVERYWHERE = (np.array([-np.inf]), np.array([np.inf]))


def units(weight: np.ndarray) -> np.ndarray:
    return np.floor(weight * GRID).astype(np.int32)


def logistic(
    score: np.ndarray,
    target: np.ndarray,
    weight: np.ndarray,
    kappa: float,
    run: Any = logistic_gradients,
    clip: float = 1.0,
    factors: tuple[float, ...] = (1.0, 1.0),
) -> np.ndarray:
    out = np.full((2, len(target)), -7, np.int32)
    run(np.atleast_2d(score), *EVERYWHERE, target, units(weight), kappa, clip, np.array(factors), out)
    return out


def many(
    score: np.ndarray,
    target: np.ndarray,
    weight: np.ndarray,
    kappa: float,
    run: Any = softmax_gradients,
    clip: float = 1.0,
    factors: np.ndarray | None = None,
) -> np.ndarray:
    out = np.full((len(score) + 1, len(target)), -7, np.int32)
    factors = np.ones(len(score)) if factors is None else factors
    run(score, *(np.repeat(end, len(score)) for end in EVERYWHERE), target, units(weight), kappa, clip, factors, out)
    return out


def assert_rounded_towards_zero(found: np.ndarray, real: np.ndarray) -> None:
    """Hold whole numbers against real ones, up to what the last digits of float64 decide."""
    slack = 1e-9
    assert (np.abs(found) <= np.abs(real) + slack).all()
    assert (np.abs(found) > np.abs(real) - 1.0 - slack).all()
    assert (found * real >= 0.0).all()


def sample(seed: int, n_outputs: int, n_rows: int = 500) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    score = rng.normal(0.0, 3.0, (n_outputs, n_rows))
    score[:, : len(EXTREME)] = EXTREME
    score[0, len(EXTREME) : 2 * len(EXTREME)] = EXTREME
    target = rng.integers(0, max(n_outputs, 2), n_rows).astype(np.float64)
    return score, target, np.where(rng.random(n_rows) < 0.5, 1.0, np.floor(GRID * rng.random(n_rows)) / GRID)


@pytest.mark.parametrize("kappa", [0.0, 0.3, 1.0])
def test_logistic_gradients_are_those_of_scipy_rounded_towards_zero(kappa: float) -> None:
    score, target, weight = sample(0, 1)
    target[::7] = 0.3  # a target may be a share
    out = logistic(score, target, weight, kappa)
    p = expit(score[0])
    assert_rounded_towards_zero(out[0], (target - p) * weight * GRID)
    assert_rounded_towards_zero(out[1], p * expit(-score[0]) * kappa * weight * GRID)
    assert (out[0] < 0).any()
    assert (out[0] > 0).any()


@pytest.mark.parametrize("clip", [0.5, 0.6, 0.93])
def test_logistic_gradients_beyond_the_clip_count_as_the_clip(clip: float) -> None:
    score, target, weight = sample(3, 1)
    out, whole = logistic(score, target, weight, 0.3, clip=clip), logistic(score, target, weight, 0.3)
    difference = target - expit(score[0])
    assert_rounded_towards_zero(out[0], np.clip(difference, -clip, clip) * weight * GRID)
    assert (out[1] == whole[1]).all()
    assert (out[0] != whole[0]).any()
    assert ((out[0] == whole[0]) | (np.abs(difference) > clip)).all()


def test_all_numbers_of_a_row_are_times_the_factor_of_its_class() -> None:
    score, target, weight = sample(5, 1)
    p = expit(score[0])
    out = logistic(score, target, weight, 0.3, clip=0.6, factors=(0.8, 0.9))
    share = np.where(target == 1.0, 0.9, 0.8) * weight * GRID
    assert_rounded_towards_zero(out[0], np.clip(target - p, -0.6, 0.6) * share)
    assert_rounded_towards_zero(out[1], p * expit(-score[0]) * 0.3 * share)
    score, target, weight = sample(6, 3)
    factors = np.array([0.7, 1.0, 0.85])
    out, whole = (many(score, target, weight, 0.3, clip=0.6, factors=f) for f in (factors, None))
    assert np.abs(out - whole * factors[target.astype(int)]).max() < 1.0 + 1e-6


@pytest.mark.parametrize("n_classes", [2, 3, 7])
@pytest.mark.parametrize("clip", [0.5, 0.6, 0.93])
def test_softmax_gradients_beyond_the_clip_keep_their_direction(n_classes: int, clip: float) -> None:
    score, target, weight = sample(4, n_classes)
    out, whole = many(score, target, weight, 0.3, clip=clip), many(score, target, weight, 0.3)
    p = softmax(score, axis=0)
    gradient = (target == np.arange(n_classes)[:, None]) - p
    length = np.abs(gradient).sum(axis=0) / 2.0
    shorter = np.minimum(1.0, clip / np.where(length > 0.0, length, 1.0))
    for k in range(n_classes):
        assert_rounded_towards_zero(out[k], gradient[k] * shorter * weight * GRID)
    assert (out[n_classes] == whole[n_classes]).all()
    assert np.abs(out[:-1]).sum(axis=0).max() <= 2.0 * clip * GRID
    assert (out[:-1] != whole[:-1]).any()


@pytest.mark.parametrize("n_classes", [2, 3, 7])
@pytest.mark.parametrize("kappa", [0.0, 0.3, 1.0])
def test_softmax_gradients_are_those_of_scipy_rounded_towards_zero(n_classes: int, kappa: float) -> None:
    score, target, weight = sample(1, n_classes)
    out = many(score, target, weight, kappa)
    p = softmax(score, axis=0)
    for k in range(n_classes):
        assert_rounded_towards_zero(out[k], ((target == k) - p[k]) * weight * GRID)
    assert_rounded_towards_zero(out[n_classes], (p * (1.0 - p)).mean(axis=0) * kappa * weight * GRID)


def test_logistic_gradients_are_derivatives_of_the_log_loss() -> None:
    score = np.array([-30.0, -4.0, -0.7, 0.0, 0.1, 2.5, 12.0])
    for target in (0.0, 1.0, 0.25):
        out = logistic(score, np.full(len(score), target), np.ones(len(score)), 1.0)
        with mpmath.workdps(40):
            t = mpmath.mpf(target)
            for i, z in enumerate(score):

                def loss(s: Any, t: Any = t) -> Any:
                    return mpmath.log(1 + mpmath.exp(s)) - t * s

                first, second = (mpmath.diff(loss, mpmath.mpf(z), n) for n in (1, 2))
                assert out[0, i] == int(-first * GRID)
                assert out[1, i] == int(second * GRID)


def test_softmax_gradients_are_derivatives_of_the_log_loss() -> None:
    rng = np.random.default_rng(2)
    n_classes, n_rows = 4, 12
    score, target = rng.normal(0.0, 2.0, (n_classes, n_rows)), rng.integers(0, n_classes, n_rows)
    out = many(score, target.astype(np.float64), np.ones(n_rows), 1.0)
    with mpmath.workdps(40):
        for i in range(n_rows):
            z = [mpmath.mpf(v) for v in score[:, i]]
            curvature = mpmath.mpf(0)
            for k in range(n_classes):

                def loss(s: Any, z: Any = z, k: int = k, t: int = int(target[i])) -> Any:
                    scores = [s if j == k else z[j] for j in range(n_classes)]
                    return mpmath.log(sum(map(mpmath.exp, scores))) - scores[t]

                assert out[k, i] == int(-mpmath.diff(loss, z[k]) * GRID)
                curvature += mpmath.diff(loss, z[k], 2) / n_classes
            assert out[n_classes, i] == int(curvature * GRID)


def test_two_classes_of_softmax_are_the_logistic_ones() -> None:
    score, target, weight = sample(3, 2)
    pair = many(score, target, weight, 1.0)
    single = logistic(score[1] - score[0], target, weight, 1.0)
    # The difference of two scores is rounded, hence a number next to a whole one may fall on its other side.
    assert np.abs(pair[1] - single[0]).max() <= 1
    np.testing.assert_array_equal(pair[0], -pair[1])
    assert np.abs(pair[2] - single[1]).max() <= 1


def test_scores_beyond_all_doubt_give_whole_gradients_and_no_curvature() -> None:
    out = logistic(np.array([800.0, 800.0, -800.0, -800.0]), np.array([0.0, 1.0, 0.0, 1.0]), np.ones(4), 1.0)
    np.testing.assert_array_equal(out, [[-65536, 0, 0, 65536], [0, 0, 0, 0]])
    score = np.array([[800.0, -800.0], [-800.0, 800.0], [-800.0, -800.0]])
    np.testing.assert_array_equal(
        many(score, np.array([2.0, 1.0]), np.ones(2), 1.0), [[-65536, 0], [0, 0], [65536, 0], [0, 0]]
    )


def test_a_weight_of_zero_leaves_nothing() -> None:
    score, target, _ = sample(4, 3)
    assert not many(score, target, np.zeros(len(target)), 1.0).any()
    assert not logistic(score[0], target, np.zeros(len(target)), 1.0).any()


@pytest.mark.parametrize("run", both_forms(gradient_sums))
def test_gradient_sums_add_those_of_numpy(run: Any) -> None:
    rng = np.random.default_rng(5)
    leaf, rows = rng.integers(0, 8, 300).astype(np.int32), rng.integers(-(2**40), 2**40, (3, 300))
    leaf[leaf == 5] = 6  # an empty leaf
    out = np.full((8, 3), 99, np.int64)
    run(leaf, rows, out)
    expected = np.stack([99 + rows[:, leaf == k].sum(axis=1) for k in range(8)])
    np.testing.assert_array_equal(out, expected)
    assert (out[5] == 99).all()


@pytest.mark.parametrize(
    "runs", list(zip(both_forms(gradient_test_sums), both_forms(gradient_split_scores), strict=True))
)
@pytest.mark.parametrize("n_outputs", [1, 3])
def test_split_scores_are_those_of_numpy(runs: tuple[Any, Any], n_outputs: int) -> None:
    rng = np.random.default_rng(7)
    codes = rng.integers(0, 6, (4, 300)).astype(np.uint8)
    node = rng.integers(0, 4, 300).astype(np.int32)
    node[node == 2] = 3  # a node without rows
    gradients = rng.integers(-(2**40), 2**40, (n_outputs, 300))
    gradients[:, :50] = 0
    attribute = rng.integers(-1, 4, (4, 5)).astype(np.int32)
    first, last = rng.integers(1, 6, (2, 4, 5)).astype(np.uint8)
    missing_right = rng.random((4, 5)) < 0.5
    out = np.full((4, 5), 99, np.int64)
    sums = np.zeros((n_outputs, 4, 5), np.int64), np.zeros((n_outputs, 4), np.int64), np.zeros(4, np.int64)
    for rows in (slice(0, 120), slice(120, 300)):  # sums of parts add up
        part = (codes[:, rows], node[rows], gradients[:, rows])
        runs[0](*part, attribute, first, last, missing_right, *sums)
    runs[1](*sums, out)
    for k, j in np.ndindex(4, 5):
        own, here = codes[attribute[k, j]], node == k
        right = np.where(own == 0, missing_right[k, j], (first[k, j] <= own) & (own <= last[k, j]))
        right = right & (attribute[k, j] >= 0)
        sides = [gradients[:, here & side].sum(axis=1) for side in (right, ~right)]
        assert out[k, j] == np.abs(sides).sum() - np.abs(gradients[:, here]).sum()
    assert not out[2].any()
    assert (np.ptp(out, axis=1) > 0).any()


@given(seed=st.integers(0, 2**32 - 1), n_outputs=st.integers(1, 4), kappa=st.floats(0.0, 1.0))
@settings(max_examples=30, deadline=None)
def test_compiled_and_plain_forms_agree(seed: int, n_outputs: int, kappa: float) -> None:
    score, target, weight = sample(seed, n_outputs, 40)
    kernel, form = (logistic_gradients, logistic) if n_outputs == 1 else (softmax_gradients, many)
    compiled, plain = (form(score, target, weight, kappa, run) for run in both_forms(kernel))
    # Their exponential functions may differ in the last bit, which moves a number next to a whole one by 1 at most.
    assert np.abs(compiled - plain).max() <= 1
    assert (compiled != plain).mean() < 0.01


@pytest.mark.parametrize("run", both_forms(_sigmoids))
def test_sigmoids_are_those_of_mpmath_to_the_last_digits(run: Any) -> None:
    rng = np.random.default_rng(8)
    half = 0.5 * np.log(2.0)
    edges = np.concatenate([half * np.arange(1, 60, 2), np.nextafter(half * np.arange(1, 60, 2), 0.0)])  # k changes
    z = np.concatenate([rng.normal(0.0, 3.0, 200), rng.uniform(-700.0, 700.0, 100), edges, -edges, [0.0, -0.0, 5e-324]])
    out = np.empty(len(z))
    run(z, out)
    with mpmath.workdps(40):
        for found, x in zip(out, z, strict=True):
            exact = 1 / (1 + mpmath.exp(-mpmath.mpf(x)))
            assert abs(mpmath.mpf(found) - exact) <= exact * 2.0**-51
    assert (out[z == 0.0] == 0.5).all()


@pytest.mark.parametrize("run", both_forms(_sigmoids))
def test_sigmoids_of_any_number_lie_between_0_and_1(run: Any) -> None:
    z = np.array([*EXTREME, 700.0, 701.0, 1e300, np.inf, -700.0, -701.0, -1e300, -np.inf])
    out = np.empty(len(z))
    run(z, out)
    assert ((out >= 0.0) & (out <= 1.0)).all()
    assert (out[z >= 700.0] == 1.0).all()
    assert (out[z <= -700.0] < 1e-300).all()
