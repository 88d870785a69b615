"""Objectives: gradients against numerical derivatives, and the bound of one row against brute force."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any, Literal

import mpmath
import numpy as np
import pytest
from scipy import optimize
from scipy.special import expit, huber, softmax
from sklearn import metrics

from privboost.ensembles.plan import check_range
from privboost.errors import ParameterError, PlanError
from privboost.sources.local import GRID
from privboost.sources.objectives import OBJECTIVES, Objective, get_objective

Norm = Literal["l1", "l2"]
NORMS: tuple[Norm, ...] = ("l1", "l2")
KAPPAS = (0.1, 0.5, 1.0)
LOWEST = 0.05
QUANTILE = 0.3
CLIP = 0.3

SCALAR = {
    "logistic": get_objective("logistic"),
    "squared": get_objective("squared"),
    "huber": get_objective("squared", clip=CLIP),
    "quantile": get_objective("quantile", quantile=QUANTILE),
    "poisson": get_objective("poisson"),
    "gamma": get_objective("gamma", lowest=LOWEST),
}


def rows_of(
    objective: Objective, score: np.ndarray, target: np.ndarray, weight: np.ndarray, kappa: float
) -> np.ndarray:
    out = np.full((objective.n_outputs + 1, len(target)), 12345, np.int32)
    units = np.floor(weight * GRID).astype(np.int32)
    everywhere = (np.full(objective.n_outputs, -np.inf), np.full(objective.n_outputs, np.inf))
    objective.gradients(np.ascontiguousarray(np.atleast_2d(score)), everywhere, target, units, kappa, out)
    return out


@pytest.mark.parametrize("name", [*SCALAR, "softmax"])
def test_a_score_beyond_the_ends_counts_as_the_nearer_end(name: str) -> None:
    objective = get_objective("softmax", 3) if name == "softmax" else SCALAR[name]
    n, rng = objective.n_outputs, np.random.default_rng(2)
    score = rng.normal(0.0, 2.0, (n, 60))
    low, high = np.linspace(-1.5, -0.5, n), np.linspace(0.2, 1.0, n)
    target = rng.integers(0, max(n, 2), 60).astype(float) if n > 1 else rng.uniform(LOWEST, 1.0, 60)
    out = np.full((n + 1, 60), 12345, np.int32)
    objective.gradients(score, (low, high), target, np.full(60, GRID, np.int32), 0.5, out)
    held = np.clip(score, low[:, None], high[:, None])
    assert (held != score).any(axis=1).all()
    assert (out == rows_of(objective, held, target, np.ones(60), 0.5)).all()
    assert (out != rows_of(objective, score, target, np.ones(60), 0.5)).any()


# -- losses, written out once more


def loss_of(name: str, target: Any) -> Callable[[Any], Any]:
    """Return the loss of a score as an mpmath function; numbers only, so that it can be differentiated."""
    t = mpmath.mpf(float(target))
    return {
        "logistic": lambda s: mpmath.log(1 + mpmath.exp(s)) - t * s,
        "squared": lambda s: (t - s) ** 2 / 2,
        "huber": lambda s: (t - s) ** 2 / 2 if abs(t - s) <= CLIP else CLIP * (abs(t - s) - CLIP / mpmath.mpf(2)),
        "quantile": lambda s: max(QUANTILE * (t - s), (QUANTILE - 1) * (t - s)),
        "poisson": lambda s: mpmath.exp(s) - t * s,
        "gamma": lambda s: s + t * mpmath.exp(-s),
    }[name]


def library_loss(name: str, target: float, score: float) -> float:
    """Return a library's loss of one row, up to a number that the score does not change."""
    t = [target]
    if name == "logistic":
        p = float(expit(score))
        return float(metrics.log_loss([0, 1], [[1 - p, p], [1 - p, p]], sample_weight=[1 - target, target]))
    if name == "squared":
        return float(metrics.mean_squared_error(t, [score]) / 2)
    if name == "huber":
        return float(huber(CLIP, target - score))
    if name == "quantile":
        return float(metrics.mean_pinball_loss(t, [score], alpha=QUANTILE))
    deviance = {"poisson": metrics.mean_poisson_deviance, "gamma": metrics.mean_gamma_deviance}[name]
    return float(deviance(t, [math.exp(score)]) / 2)


SCORES = {
    "logistic": [-6.0, -0.3, 0.0, 1.7, 9.0],
    "squared": [0.01, 0.3, 0.77, 0.99],
    "huber": [0.01, 0.31, 0.77, 0.99],
    "quantile": [0.01, 0.31, 0.77, 0.99],
    "poisson": [-7.0, -1.1, -0.01],
    "gamma": [-2.9, -1.1, -0.01],
}
TARGETS = {"gamma": [LOWEST, 0.3, 1.0]}


@pytest.mark.parametrize("name", SCALAR)
def test_the_losses_of_this_file_are_those_of_scikit_learn_and_scipy(name: str) -> None:
    for target in TARGETS.get(name, [0.0, 0.35, 1.0]):
        loss = loss_of(name, target)
        for first, second in itertools.pairwise(SCORES[name]):
            ours = float(loss(mpmath.mpf(second)) - loss(mpmath.mpf(first)))
            theirs = library_loss(name, target, second) - library_loss(name, target, first)
            assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("name", SCALAR)
@pytest.mark.parametrize("kappa", [0.5, 1.0])
def test_gradient_and_curvature_are_derivatives_of_the_loss(name: str, kappa: float) -> None:
    with mpmath.workdps(40):
        for target, score in itertools.product(TARGETS.get(name, [0.0, 0.35, 1.0]), SCORES[name]):
            found = rows_of(SCALAR[name], np.array([score]), np.array([target]), np.array([0.75]), kappa)[:, 0]
            first = mpmath.diff(loss_of(name, target), mpmath.mpf(score), h=mpmath.mpf(10) ** -15)
            # Where a loss is linear it has no curvature, and rows count in its place.
            second = 1 if name in ("quantile", "huber") else mpmath.diff(loss_of(name, target), mpmath.mpf(score), 2)
            for number, real in zip(found, (-first, kappa * second), strict=True):
                exact = float(real) * 0.75 * GRID
                assert abs(number) <= abs(exact) + 1e-6
                assert abs(number) > abs(exact) - 1.0 - 1e-6
                assert number * exact >= 0.0


@pytest.mark.parametrize("n_classes", [2, 3, 4, 5])
def test_softmax_gradients_are_derivatives_of_scikit_learn_s_log_loss(n_classes: int) -> None:
    rng = np.random.default_rng(n_classes)
    labels = list(range(n_classes))
    for _ in range(5):
        score, target = rng.normal(0.0, 2.0, n_classes), int(rng.integers(n_classes))

        def loss(z: np.ndarray, target: int = target) -> float:
            return float(metrics.log_loss([target], softmax(z)[None, :], labels=labels))

        found = rows_of(get_objective("softmax", n_classes), score[:, None], np.array([float(target)]), np.ones(1), 1.0)
        gradient = -np.array(optimize.approx_fprime(score, loss, 1e-7))
        np.testing.assert_allclose(found[:-1, 0] / GRID, gradient, atol=1.0 / GRID + 1e-6)
        steps = 1e-3 * np.eye(n_classes)
        second = np.mean([(loss(score + e) + loss(score - e) - 2 * loss(score)) / 1e-6 for e in steps])
        assert found[-1, 0] / GRID == pytest.approx(second, abs=1.0 / GRID + 1e-6)


@pytest.mark.parametrize("name", ["squared", "huber", "poisson", "gamma"])
def test_scores_out_of_range_count_as_the_end_of_the_range(name: str) -> None:
    objective = SCALAR[name]
    ends = {"squared": (0.0, 1.0), "huber": (0.0, 1.0), "poisson": (-900.0, 0.0), "gamma": (math.log(LOWEST), 0.0)}[
        name
    ]
    target = np.linspace(LOWEST, 1.0, 7)
    one = np.ones(7)
    for end, beyond in zip(ends, (ends[0] - 3.0, ends[1] + 3.0), strict=True):
        np.testing.assert_array_equal(
            rows_of(objective, np.full(7, beyond), target, one, 1.0),
            rows_of(objective, np.full(7, end), target, one, 1.0),
        )


def test_a_target_at_the_score_counts_as_above_it() -> None:
    found = rows_of(SCALAR["quantile"], np.full(3, 0.5), np.array([0.25, 0.5, 0.75]), np.ones(3), 1.0)[0]
    np.testing.assert_array_equal(found, [int((QUANTILE - 1.0) * GRID), int(QUANTILE * GRID), int(QUANTILE * GRID)])


def test_residuals_beyond_the_clip_count_as_the_clip() -> None:
    target = np.array([0.0, 0.1, 0.4, 0.75, 1.0])
    found = rows_of(SCALAR["huber"], np.full(5, 0.4), target, np.ones(5), 1.0)
    np.testing.assert_allclose(found[0] / GRID, [-0.3, -0.3, 0.0, 0.3, 0.3], rtol=0.0, atol=1 / GRID)
    np.testing.assert_array_equal(found[1], GRID)


def test_gamma_counts_targets_below_the_range_as_its_end_and_limits_the_ratio() -> None:
    one = np.ones(1)
    low, end = (rows_of(SCALAR["gamma"], np.array([-1.0]), np.array([t]), one, 1.0) for t in (0.0, LOWEST))
    np.testing.assert_array_equal(low, end)
    wide = get_objective("gamma", lowest=1e-300)
    for score, ratio in ((-math.log(1000.0), 1000.0), (-math.log(2000.0), 1024.0), (-600.0, 1024.0)):
        found = rows_of(wide, np.array([score]), one, one, 1.0)[:, 0]
        np.testing.assert_allclose(found / GRID, [ratio - 1.0, ratio], rtol=1e-12, atol=1.001 / GRID)


@pytest.mark.parametrize("share", [(0.5, 0.5), (0.9, 0.1), (0.002, 0.998), (0.6, 0.3, 0.1), (0.93, 0.05, 0.01, 0.01)])
@pytest.mark.parametrize("clip", [0.5, 0.7, 1.0])
def test_clipped_gradients_add_up_to_nothing_at_the_start(share: tuple[float, ...], clip: float) -> None:
    n = len(share)
    objective = get_objective("logistic" if n == 2 else "softmax", n, clip=clip)
    base = np.log(share) if n > 2 else np.array([math.log(share[1] / share[0])])
    objective.start(base)
    each = rows_of(objective, np.tile(base[:, None], (1, n)), np.arange(n, dtype=np.float64), np.ones(n), 1.0)
    whole = np.abs(each[:-1] * np.array(share)).sum()
    assert np.abs((each[:-1] * np.array(share)).sum(axis=1)).max() <= 1.01 * n
    assert whole > 0.001 * GRID
    # Without that they do not, unless none is clipped or all are by as much.
    raw = get_objective("logistic" if n == 2 else "softmax", n, clip=clip)
    some = rows_of(raw, np.tile(base[:, None], (1, n)), np.arange(n, dtype=np.float64), np.ones(n), 1.0)
    uneven = min(share) < 1.0 - clip and max(share) > 1.0 - clip
    assert (np.abs((some[:-1] * np.array(share)).sum(axis=1)).max() > 0.0005 * GRID) == uneven
    assert (np.abs(each) <= np.abs(some)).all()


# -- the most that one row can add

BOUNDED = {**SCALAR, "clipped": get_objective("logistic", clip=0.6), "half": get_objective("logistic", clip=0.5)}
BALANCED = get_objective("logistic", clip=0.6)
BALANCED.start(np.array([-2.0]))
BOUNDED["balanced"] = BALANCED

INTERVALS = {
    "logistic": [(0.0, 0.0), (-1.0, 2.0), (2.0, 5.0), (-5.0, -3.0), (-0.2, 0.1), (-30.0, 30.0), (-800.0, 800.0)],
    "squared": [(0.5, 0.5), (0.2, 0.6), (0.7, 0.9), (-1.0, -0.5), (-0.5, 0.3), (2.0, 3.0), (-9.0, 9.0)],
    "huber": [(0.5, 0.5), (0.2, 0.6), (-1.0, -0.5), (2.0, 3.0), (-9.0, 9.0)],
    "quantile": [(0.5, 0.5), (-1.0, 2.0)],
    "poisson": [(-0.1, -0.1), (-1.0, 0.0), (-2.0, -0.5), (-5.0, -3.0), (-800.0, -0.6), (-3.0, 4.0), (1.0, 2.0)],
    "gamma": [(-0.1, -0.1), (-1.0, 0.0), (-2.0, -1.0), (-9.0, -2.5), (-0.5, 4.0), (1.0, 2.0), (-9.0, 9.0)],
}
INTERVALS |= {name: INTERVALS["logistic"] for name in ("clipped", "half", "balanced")}


def grid_rows(name: str, low: float, high: float, kappa: float) -> np.ndarray:
    """Return the numbers of rows of every score, target and weight of a fine grid."""
    odds = math.log(0.6 / 0.4)  # of the clip
    some = np.clip([-odds, 0.0, odds, 0.5, 1.0], low, high)
    scores = np.unique(np.concatenate([np.linspace(low, high, 301), [low, high], some]))
    targets = np.array([0.0, 1.0]) if BOUNDED[name].name == "logistic" else np.linspace(0.0, 1.0, 26)
    weights = np.array([0.0, 1e-5, 0.37, 1.0])
    grid = np.array(list(itertools.product(scores, targets, weights)))
    return rows_of(BOUNDED[name], grid[:, 0], grid[:, 1], grid[:, 2], kappa)


def norms(rows: np.ndarray, norm: Norm) -> np.ndarray:
    """Return the norms of integer columns, exactly but for the last digit."""
    return np.abs(rows).sum(axis=0) if norm == "l1" else np.sqrt((rows.astype(np.float64) ** 2).sum(axis=0))


@pytest.mark.parametrize(("name", "interval"), [(name, ends) for name in BOUNDED for ends in INTERVALS[name]])
def test_no_row_exceeds_the_bound_and_some_row_reaches_it(name: str, interval: tuple[float, float]) -> None:
    low, high = (np.array([end]) for end in interval)
    for kappa, norm in itertools.product(KAPPAS, NORMS):
        rows = grid_rows(name, *interval, kappa)
        bound = BOUNDED[name].sensitivity(low, high, kappa, norm)
        largest = float(norms(rows, norm).max())
        assert largest <= bound
        if name == "balanced":  # whose rows of one class count less
            continue
        # Never more than a row that has the longest gradient and the largest curvature, even if none has both.
        gradient, curvature = (int(np.abs(part).max()) for part in rows)
        apart = {"l1": gradient + curvature, "l2": math.hypot(gradient, curvature)}[norm]
        assert bound <= apart + unreached(name, interval) * GRID + 4
        if reached_together(name, interval):
            assert largest >= 0.99 * bound


def unreached(name: str, interval: tuple[float, float]) -> float:
    """Return what the gamma bound leaves out: that the smallest ratio of a target to a mean is that at the top mean."""
    top = max(math.exp(min(interval[1], 0.0)), LOWEST)
    return LOWEST / top - LOWEST if name == "gamma" else 0.0


def reached_together(name: str, interval: tuple[float, float]) -> bool:
    """Whether the longest gradient is that of a row with the largest curvature."""
    low, high = interval
    if name == "poisson":  # a target of 0 at the highest mean, rather than one of 1 at the lowest
        return math.exp(min(high, 0.0)) >= 1.0 - math.exp(min(low, 0.0))
    if name == "gamma":  # the highest target at the lowest mean
        return 1.0 / max(math.exp(min(low, 0.0)), LOWEST) - 1.0 >= 1.0 - LOWEST
    return True


def test_each_kind_of_bound_is_tried() -> None:
    for name in ("poisson", "gamma"):
        assert {reached_together(name, ends) for ends in INTERVALS[name]} == {True, False}


@pytest.mark.parametrize("norm", NORMS)
def test_a_bound_that_is_too_small_would_be_caught(norm: Norm) -> None:
    """A bound for scores up to 1 does not hold at 1.1, nor one for a smaller factor of the curvature."""
    wide, narrow = (np.array([-1.1]), np.array([1.1])), (np.array([-1.0]), np.array([1.0]))
    largest = norms(grid_rows("logistic", -1.1, 1.1, 1.0), norm).max()
    objective = SCALAR["logistic"]
    assert largest <= objective.sensitivity(*wide, 1.0, norm)
    assert largest > objective.sensitivity(*narrow, 1.0, norm)
    assert largest > objective.sensitivity(*wide, 0.9, norm)
    # Nor does one for clipped gradients where they are not.
    assert largest > BOUNDED["clipped"].sensitivity(*wide, 1.0, norm)


def softmax_rows(low: np.ndarray, high: np.ndarray, kappa: float, seed: int) -> tuple[np.ndarray, float]:
    """Return rows at all corners of a box of scores and at points within, and the largest 1 - p_t of any."""
    n = len(low)
    corners = np.array(list(itertools.product(*zip(low, high, strict=True))))
    inner = low + (high - low) * np.random.default_rng(seed).random((3000, n))
    points = np.concatenate([corners, inner])
    parts = []
    for target, weight in itertools.product(range(n), (0.0, 0.37, 1.0)):
        full = (np.full(len(points), float(target)), np.full(len(points), weight))
        parts.append(rows_of(get_objective("softmax", n), points.T, *full, kappa))
    return np.concatenate(parts, axis=1), float((1.0 - softmax(points, axis=1)).max())


@pytest.mark.parametrize("n_classes", [2, 3, 4, 5])
@pytest.mark.parametrize("width", [0.0, 0.4, 3.0, 400.0])
def test_no_row_of_many_classes_exceeds_the_bound(n_classes: int, width: float) -> None:
    rng = np.random.default_rng(n_classes)
    low = rng.normal(0.0, 1.0, n_classes)
    high = low + width * rng.random(n_classes)
    objective = get_objective("softmax", n_classes)
    for kappa in KAPPAS:
        rows, q = softmax_rows(low, high, kappa, n_classes)
        slack = kappa * (1.0 - 1.0 / n_classes) / n_classes * GRID
        largest = {norm: float(norms(rows, norm).max()) for norm in NORMS}
        bound = {norm: objective.sensitivity(low, high, kappa, norm) for norm in NORMS}
        assert largest["l1"] <= bound["l1"]
        assert largest["l2"] <= bound["l2"]
        # In L1 norm the gradient reaches its bound whatever the other classes; the curvature need not, at once.
        assert norms(rows[:-1], "l1").max() >= 0.99 * 2.0 * q * GRID
        assert bound["l1"] <= 2.0 * q * GRID + slack + 4
        assert bound["l2"] <= math.hypot(math.sqrt(2.0) * q * GRID, slack) + 4
        # In L2 norm what the other classes hold may be divided among them, equally at worst.
        equally = math.sqrt((1.0 + 1.0 / (n_classes - 1)) / 2.0)
        assert largest["l2"] >= 0.99 * equally * math.sqrt(2.0) * q * GRID


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_the_bound_of_many_classes_is_reached(n_classes: int) -> None:
    low, high = np.full(n_classes, -30.0), np.full(n_classes, 30.0)
    objective = get_objective("softmax", n_classes)
    rows, _ = softmax_rows(low, high, 0.1, 0)
    for norm in NORMS:
        assert norms(rows, norm).max() >= 0.97 * objective.sensitivity(low, high, 0.1, norm)
    # Equal scores are where the curvature reaches its bound.
    equal = rows_of(objective, np.zeros((n_classes, 1)), np.zeros(1), np.ones(1), 1.0)
    assert equal[-1, 0] == int((1.0 - 1.0 / n_classes) / n_classes * GRID)
    for kappa in KAPPAS:
        rows = rows_of(objective, np.zeros((n_classes, 1)), np.zeros(1), np.ones(1), kappa)
        bound = objective.sensitivity(np.zeros(n_classes), np.zeros(n_classes), kappa, "l1")
        assert bound - n_classes - 3 <= norms(rows, "l1")[0] <= bound  # each number is rounded by less than a unit


@pytest.mark.parametrize("kappa", np.linspace(0.05, 1.0, 20))
def test_the_norms_of_a_logistic_row_grow_with_the_gradient(kappa: float) -> None:
    q = np.linspace(0.5, 1.0, 20_001)
    assert (np.diff(q + kappa * q * (1.0 - q)) > -1e-15).all()
    assert (np.diff(np.hypot(q, kappa * q * (1.0 - q))) > -1e-15).all()


def test_beyond_one_the_factor_of_the_curvature_would_break_the_logistic_bound() -> None:
    q = np.linspace(0.5, 1.0, 20_001)
    assert (np.diff(q + 1.05 * q * (1.0 - q)) < -1e-7).any()
    assert (np.diff(np.hypot(q, 4.0 * q * (1.0 - q))) < -1e-7).any()


@pytest.mark.parametrize("name", OBJECTIVES)
def test_a_wider_interval_never_lowers_the_bound(name: str) -> None:
    rng = np.random.default_rng(7)
    n = 4 if name == "softmax" else 1
    objective = get_objective(name, n, quantile=QUANTILE, lowest=LOWEST)
    grown = False
    for _ in range(200):
        low = rng.normal(0.0, 2.0, n)
        high = low + rng.exponential(1.0, n)
        wider = low - rng.exponential(0.5, n) * (rng.random(n) < 0.5), high + rng.exponential(0.5, n)
        for kappa, norm in itertools.product(KAPPAS, NORMS):
            inner, outer = objective.sensitivity(low, high, kappa, norm), objective.sensitivity(*wider, kappa, norm)
            assert inner <= outer
            grown |= inner < outer
    assert grown or name == "quantile"  # whose gradient has the same length everywhere


@pytest.mark.parametrize("name", OBJECTIVES)
def test_sums_of_the_largest_table_stay_within_int64(name: str) -> None:
    """So many rows as a plan admits, all at the bound, must not wrap around: a wrap would move a sum by any amount."""
    most = 2**36 - 1
    check_range(most)
    with pytest.raises(PlanError):
        check_range(most + 1)
    n = 5 if name == "softmax" else 1
    for lowest in (0.5, 1e-4, 1e-300):
        objective = get_objective(name, n, lowest=lowest)
        assert most * objective.sensitivity(np.full(n, -750.0), np.full(n, 750.0), 1.0, "l1") < 2**63


# -- where scores start


def sums_of(target: np.ndarray) -> np.ndarray:
    return np.array([(1.0 - target).sum(), target.sum()])


@pytest.mark.parametrize("name", ["logistic", "squared", "poisson", "gamma"])
def test_the_base_score_minimises_the_loss_of_all_rows(name: str) -> None:
    rng = np.random.default_rng(8)
    target = rng.integers(0, 2, 60).astype(np.float64) if name == "logistic" else rng.uniform(LOWEST, 1.0, 60)
    base = SCALAR[name].base(sums_of(target), 0.0)
    assert base.shape == (1,)

    def total(score: float) -> float:
        return float(sum(loss_of(name, t)(mpmath.mpf(score)) for t in target))

    found = optimize.minimize_scalar(total, bounds=(-4.0, 4.0), method="bounded", options={"xatol": 1e-9})
    assert base[0] == pytest.approx(found.x, abs=1e-5)


def test_many_classes_start_at_their_log_shares() -> None:
    base = get_objective("softmax", 3).base(np.array([10.0, 30.0, 60.0]), 0.0)
    np.testing.assert_allclose(softmax(base), [0.1, 0.3, 0.6], rtol=1e-12)


@pytest.mark.parametrize("name", OBJECTIVES)
def test_noisy_counts_always_give_a_finite_start(name: str) -> None:
    n = 3 if name == "softmax" else 1
    objective = get_objective(name, n, lowest=LOWEST)
    n_stats = max(n, 2)
    equal = objective.base(np.full(n_stats, 5.0), 0.0)
    for counts in (np.zeros(n_stats), np.full(n_stats, -40.0)):
        np.testing.assert_allclose(objective.base(counts, 0.0), equal)
        np.testing.assert_allclose(objective.base(counts, 3.0), equal)
    for last in (1e300, -1e300):
        counts = np.append(np.full(n_stats - 1, 7.0), last)
        assert np.isfinite(objective.base(counts, 0.0)).all()
    # Pseudo rows draw towards equal parts: so many that nothing else counts, and in between half the way.
    counts = np.append(np.full(n_stats - 1, 30.0), 90.0)
    near, far = (abs(objective.base(counts, pseudo) - equal).max() for pseudo in (1e9, 0.0))
    assert near < 1e-6 < far


def test_pseudo_rows_are_added_to_each_count() -> None:
    assert SCALAR["squared"].base(np.array([30.0, 90.0]), 20.0)[0] == pytest.approx(110 / 160)
    assert SCALAR["squared"].base(np.array([-30.0, 90.0]), 20.0)[0] == pytest.approx(110 / 130)
    assert SCALAR["logistic"].base(np.array([30.0, 90.0]), 20.0)[0] == pytest.approx(math.log(110 / 50))


def test_objectives_by_name() -> None:
    for name in OBJECTIVES:
        objective = get_objective(name, 3 if name == "softmax" else 1, lowest=LOWEST)
        assert objective.name == name
        assert objective.n_outputs == (3 if name == "softmax" else 1)
    with pytest.raises(ParameterError, match="loss"):
        get_objective("hinge")
