"""Newton boosting: each step against a naive one, the bounds that noise goes by, and what a run leaves behind."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.special import expit, softmax
from sklearn.metrics import log_loss

from privboost.data.attributes import Boolean, Categorical, Numeric, Ordinal
from privboost.data.domain import Domain
from privboost.data.encoding import Encoder
from privboost.data.refinement import Refinement, refine_layout
from privboost.ensembles import newton
from privboost.ensembles.ensemble import MAX_REACH, Ensemble, calibrated, undo_reach
from privboost.ensembles.newton import NewtonTrainer, monotone_values, newton_values
from privboost.ensembles.newton_plan import NewtonFacts, NewtonPlan, NewtonSettings, plan_newton
from privboost.privacy.accounting import Ledger
from privboost.privacy.randomness import SimulatedRandomness
from privboost.privacy.relation import PrivacyUnit
from privboost.sources.gradients import GradientRows, histogram_sensitivity
from privboost.sources.local import GRID
from privboost.sources.objectives import get_objective
from privboost.trees.splitting import candidate_splits
from privboost.trees.tree import Splits, Tree

DOMAIN = Domain(
    {
        "u": Numeric(0, 1),
        "v": Numeric(-2, 2, missing=True),
        "w": Categorical(["a", "b", "c"]),
        "o": Ordinal(["s", "m", "l"]),
        "z": Boolean(),
    }
)
N_BINS = 10
LAYOUT = DOMAIN.layout(N_BINS)
LOWEST = 0.05

SETTINGS = NewtonSettings(
    n_rounds=4, trees_per_round=2, max_depth=3, learning_rate=0.5, shrinkage=1.0, base_share=0.05, histogram_share=0.1
)
ONE_TREE = replace(SETTINGS, n_rounds=1, trees_per_round=1)
OBJECTIVES = ("logistic", "softmax", "squared", "quantile", "poisson", "gamma")


def table(rng: np.random.Generator, n_rows: int) -> np.ndarray:
    columns = [
        rng.random(n_rows),
        np.where(rng.random(n_rows) < 0.1, np.nan, rng.normal(size=n_rows)),
        np.array(["a", "b", "c", "other"])[rng.choice(4, n_rows, p=[0.3, 0.3, 0.3, 0.1])],
        np.array(["s", "m", "l", "xl"])[rng.choice(4, n_rows, p=[0.3, 0.3, 0.3, 0.1])],
        rng.random(n_rows) < 0.5,
    ]
    out = np.empty((n_rows, len(columns)), object)
    for i, column in enumerate(columns):
        out[:, i] = column
    return out


def targets(objective: str, rng: np.random.Generator, X: np.ndarray) -> np.ndarray:
    """Return classes, or numbers between 0 and 1, that depend on two attributes."""
    signal = 3.0 * (X[:, 0].astype(float) - 0.5) + 1.5 * (X[:, 2] == "b")
    if objective == "logistic":
        return (rng.random(len(X)) < expit(signal)).astype(np.float64)
    if objective == "softmax":
        return np.digitize(signal + rng.normal(0.0, 0.3, len(X)), [-0.5, 0.8]).astype(np.float64)
    return np.clip(expit(signal) * rng.gamma(4.0, 0.25, len(X)), LOWEST, 1.0)


class WatchedRows(GradientRows):
    """Rows that keep what a test wants to see of every round."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.scores: list[np.ndarray] = []
        self.intervals: list[tuple[np.ndarray, np.ndarray]] = []
        self.gradients: list[np.ndarray] = []

    def catch_up(self) -> None:
        self._passes.ask(lambda rows, slot: None)  # steps wait until something is asked

    def compute_gradients(self, low: np.ndarray, high: np.ndarray, kappa: float) -> None:
        super().compute_gradients(low, high, kappa)
        self.catch_up()
        self.scores.append(self._score.copy())
        self.intervals.append((low, high))
        self.gradients.append(self._gradients.copy())


@dataclass
class Run:
    """Everything about one run that a test may ask for."""

    X: np.ndarray
    y: np.ndarray
    weight: np.ndarray
    plan: NewtonPlan
    rows: WatchedRows
    trainer: NewtonTrainer
    ensemble: Ensemble
    refinement: Refinement

    @property
    def codes(self) -> np.ndarray:
        return Encoder(DOMAIN, N_BINS, refinement=self.refinement).encode(self.X)


def run(
    chosen: NewtonSettings,
    objective: str = "logistic",
    *,
    epsilon: float | None = 1.0,
    delta: float = 0.0,
    seed: int = 0,
    n_rows: int = 400,
    unit: PrivacyUnit | None = None,
    change: Callable[[np.ndarray, np.ndarray, np.ndarray], Any] = lambda X, y, weight: None,
    **trainer_fields: Any,
) -> Run:
    """Train on a table; ``change`` may alter it, in place."""
    rng = np.random.default_rng(seed)
    X = table(rng, n_rows)
    y = targets(objective, rng, X)
    weight = np.where(rng.random(n_rows) < 0.2, np.floor(GRID * rng.random(n_rows)) / GRID, 1.0)
    weight[:: n_rows // 10] = 0.0
    change(X, y, weight)
    n_stats = 3 if objective == "softmax" else 2
    facts = NewtonFacts(
        epsilon=epsilon,
        delta=delta,
        unit=unit or PrivacyUnit(),
        n_rows=n_rows,
        n_attributes=len(DOMAIN),
        n_candidates=len(candidate_splits(LAYOUT)),
        n_cells=int(LAYOUT.n_codes.sum()),
        n_stats=n_stats,
        objective=objective,
    )
    plan = plan_newton(chosen, facts)
    loss = get_objective(objective, n_stats if objective == "softmax" else 1, quantile=0.7, lowest=LOWEST)
    units = np.floor(weight * GRID).astype(np.int32)
    rows = WatchedRows(
        lambda refinement: Encoder(DOMAIN, N_BINS, refinement=refinement).encode(X), y, units, loss, n_stats
    )
    randomness = SimulatedRandomness(np.random.default_rng(seed + 1000))
    trainer = NewtonTrainer(plan, loss, DOMAIN, LAYOUT, randomness, Ledger(), **trainer_fields)
    ensemble, refinement = trainer.train(rows)
    return Run(X, y, weight, plan, rows, trainer, ensemble, refinement)


MODES: list[dict[str, Any]] = [
    {"epsilon": None},
    {"epsilon": 1.0},
    {"epsilon": 0.05},
    {"epsilon": 1.0, "delta": 1e-6},
]


def settings_for(mode: dict[str, Any], **changes: Any) -> NewtonSettings:
    return replace(SETTINGS, mechanism="gaussian" if mode.get("delta") else "laplace", **changes)


# -- one step


def test_values_are_newton_steps_drawn_towards_zero_by_the_noise() -> None:
    chosen = replace(SETTINGS, shrinkage=2.0, leaf_clip=0.75, kappa=0.5)
    sums = np.array([[6.0, 8.0], [-3.0, 1.0], [0.0, 5.0], [1.0, -9.0], [90.0, 2.0], [-90.0, -2.0]])
    # Curvature over 0.5, at least 0, plus 2 deviations of 3 over 0.5: 28, 14, 22, 12, 16, 12.
    expected = [6 / 28, -3 / 14, 0.0, 1 / 12, 0.75, -0.75]
    np.testing.assert_allclose(newton_values(sums, 3.0, chosen)[:, 0], expected, rtol=1e-15)
    # Without noise one row's curvature is added.
    expected = [6 / 17, -0.75, 0.0, 0.75, 0.75, -0.75]
    np.testing.assert_allclose(newton_values(sums, 0.0, chosen)[:, 0], expected, rtol=1e-15)


def test_values_of_many_outputs_share_one_curvature() -> None:
    sums = np.array([[1.0, -2.0, 3.0, 7.0]])
    values = newton_values(sums, 0.0, replace(SETTINGS, leaf_clip=9.0))
    np.testing.assert_allclose(values, [[1 / 8, -2 / 8, 3 / 8]])


def leaf_of(tree: Tree, codes: np.ndarray) -> int:
    """Send one row down a tree, test by test."""
    k, splits = 0, tree.splits
    for _ in range(tree.depth):
        code = int(codes[splits.attribute[k]])
        right = bool(splits.missing_right[k]) if code == 0 else int(splits.first[k]) <= code <= int(splits.last[k])
        k = 2 * k + 1 + int(right)
    return k - (2**tree.depth - 1)


def naive_gradients(objective: str, score: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return gradients (n_outputs, n_rows) and curvatures (n_rows,) by formulas of their own."""
    if objective == "softmax":
        p = softmax(score, axis=0)
        return np.stack([(y == k) - p[k] for k in range(3)]), (p - p**2).mean(axis=0)
    s = score[0]
    if objective == "logistic":
        return (y - expit(s))[None], expit(s) * expit(-s)
    if objective == "squared":
        return (y - s)[None], np.ones(len(y))
    if objective == "quantile":
        return np.where(y < s, 0.7 - 1.0, 0.7)[None], np.ones(len(y))
    if objective == "poisson":
        return (y - np.exp(s))[None], np.exp(s)
    return (y * np.exp(-s) - 1.0)[None], y * np.exp(-s)


def naive_base(objective: str, y: np.ndarray, weight: np.ndarray) -> np.ndarray:
    mean = float((weight * y).sum() / weight.sum())
    if objective == "softmax":
        return np.log([float(weight[y == k].sum() / weight.sum()) for k in range(3)])
    if objective == "logistic":
        return np.array([math.log(mean / (1.0 - mean))])
    return np.array([mean if objective in ("squared", "quantile") else math.log(mean)])


def assert_naive_step(
    values: np.ndarray, gradients: np.ndarray, curvatures: np.ndarray, weight: np.ndarray, rate: float, kappa: float
) -> None:
    """Hold one leaf's values against a Newton step of its rows, with one row's curvature added."""
    G, H = (gradients * weight).sum(axis=1), (curvatures * weight).sum()
    expected = np.clip(G / (H + 1.0), -1.0, 1.0) * rate
    # Each number of each row is rounded towards zero by less than one unit; curvature is divided by kappa again.
    rounding = len(weight) / GRID * (1.0 + np.abs(G / (H + 1.0)).max() / kappa) / (H + 1.0 - len(weight) / GRID / kappa)
    np.testing.assert_allclose(values, expected, rtol=0.0, atol=rate * rounding + 1e-12)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("kappa", [0.3, 1.0])
def test_without_noise_one_tree_is_a_naive_newton_step(objective: str, kappa: float) -> None:
    made = run(replace(ONE_TREE, kappa=kappa), objective, epsilon=None)
    y, weight = made.y, made.weight
    base = naive_base(objective, y, weight)
    # Counts are on the grid, each row's rounded down by less than one unit.
    np.testing.assert_allclose(made.ensemble.base, base, atol=5e-5)
    (tree,) = made.ensemble.trees
    base = np.array(made.ensemble.base)
    gradients, curvatures = naive_gradients(objective, np.repeat(base[:, None], len(y), axis=1), y)
    leaf = np.array([leaf_of(tree, made.codes[:, i]) for i in range(len(y))])
    used = 0
    for k in range(8):
        inside = leaf == k
        assert_naive_step(tree.values[k], gradients[:, inside], curvatures[inside], weight[inside], 0.5, kappa)
        used += bool(inside.any())
    assert used >= 4
    assert np.abs(tree.values).max() > 1e-3


def test_without_noise_every_tree_of_every_round_is_a_naive_newton_step() -> None:
    """Trees of one round see the same gradients; their mean is the step, after which gradients are those of new
    scores."""
    made = run(SETTINGS, "logistic", epsilon=None)
    score = np.full((1, len(made.y)), made.ensemble.base[0])
    for r in range(4):
        gradients, curvatures = naive_gradients("logistic", score, made.y)
        for tree in made.ensemble.trees[2 * r : 2 * r + 2]:
            leaf = np.array([leaf_of(tree, made.codes[:, i]) for i in range(len(made.y))])
            for k in range(8):
                inside = leaf == k
                parts = gradients[:, inside], curvatures[inside], made.weight[inside]
                assert_naive_step(tree.values[k], *parts, 0.5 / 2, 1.0)
            score = score + tree.values[leaf, 0]


def test_without_noise_rounds_lower_the_log_loss() -> None:
    for objective in ("logistic", "softmax"):
        made = run(replace(SETTINGS, n_rounds=20), objective, epsilon=None)
        losses = []
        for scores in made.rows.scores:
            p = softmax(scores, axis=0).T if objective == "softmax" else expit(scores[0])
            losses.append(log_loss(made.y, p, sample_weight=made.weight))
        assert losses[-1] < 0.75 * losses[0]
        assert np.mean(np.diff(losses) < 0.0) > 0.9


# -- the interval of the scores, and the noise that goes by it


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("mode", MODES, ids=str)
def test_the_interval_holds_every_score_and_the_bound_every_row(objective: str, mode: dict[str, Any]) -> None:
    for seed in range(3):
        made = run(settings_for(mode, n_rounds=6), objective, seed=seed, **mode)
        kind = "l2" if mode.get("delta") else "l1"
        base = np.array(made.ensemble.base)
        np.testing.assert_array_equal(made.rows.scores[0], np.repeat(base[:, None], 400, axis=1))
        for r, (scores, (low, high)) in enumerate(zip(made.rows.scores, made.rows.intervals, strict=True)):
            assert (low <= scores.min(axis=1)).all()  # to the last digit
            assert (scores.max(axis=1) <= high).all()
            # From released numbers alone, worked out again.
            trees = made.ensemble.trees[: 2 * r]
            np.testing.assert_allclose(low, base + sum(t.values.min(axis=0) for t in trees), atol=1e-12)
            np.testing.assert_allclose(high, base + sum(t.values.max(axis=0) for t in trees), atol=1e-12)
            bound = made.trainer.objective.sensitivity(low, high, 1.0, kind)
            rows = made.rows.gradients[r].astype(np.float64)
            sizes = np.abs(rows).sum(axis=0) if kind == "l1" else np.sqrt((rows**2).sum(axis=0))
            assert sizes.max() <= bound
            if mode["epsilon"] is not None:
                events = made.trainer.ledger.events[2 + 2 * r : 4 + 2 * r]
                assert [event.sensitivity for event in events] == [bound, bound]


@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("objective", ["logistic", "softmax", "poisson"])
def test_the_ledger_holds_what_was_planned(objective: str, mode: dict[str, Any]) -> None:
    for unit in (PrivacyUnit(), PrivacyUnit("replace-one", 2)):
        made = run(settings_for(mode), objective, unit=unit, **mode)
        events, planned = made.trainer.ledger.events, made.plan.releases
        assert [(e.label, e.mechanism, e.count, e.composition, e.distance, e.size) for e in events] == [
            (p.label, p.mechanism, p.count, p.composition, p.distance, p.size) for p in planned
        ]
        if mode["epsilon"] is None:
            assert {event.mechanism for event in events} == {"none"}
            continue
        made.trainer.ledger.check_against(planned, mode["epsilon"], mode.get("delta", 0.0))
        assert events[0].sensitivity == GRID
        assert events[1].sensitivity == histogram_sensitivity(5, "l2" if mode.get("delta") else "l1")


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_steps_are_drawn_towards_zero_by_the_noise_that_was_added(
    mode: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The deviation that a step goes by is that of the noise of its release, for discrete Laplace noise by SciPy."""
    seen: list[float] = []

    def watched(sums: np.ndarray, noise: float, chosen: NewtonSettings) -> np.ndarray:
        seen.append(noise)
        return newton_values(sums, noise, chosen)

    monkeypatch.setattr(newton, "newton_values", watched)
    made = run(settings_for(mode), **mode)
    leaves = [event for event in made.trainer.ledger.events if event.label.endswith("leaves")]
    assert len(seen) == len(leaves) == 8
    for noise, event in zip(seen, leaves, strict=True):
        if event.mechanism == "laplace":
            assert noise == pytest.approx(stats.dlaplace(1.0 / event.scale).std() / GRID, rel=1e-6)
        else:
            assert noise == event.scale / GRID


@pytest.mark.parametrize("step", [1.0, -1.0])
@pytest.mark.parametrize("mode", MODES, ids=str)
def test_scores_that_are_all_out_of_reach_count_as_the_end_of_the_reach(
    step: float, mode: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All leaves go one way, and after the first round every score lies beyond the reach."""
    monkeypatch.setattr(newton, "newton_values", lambda sums, noise, chosen: np.full((8, 1), step))
    made = run(settings_for(mode, score_reach=0.25), **mode)
    base = made.ensemble.base[0]
    assert made.rows.intervals[0] == (base, base)
    for r in range(1, 4):
        np.testing.assert_allclose(made.rows.scores[r] - base, 0.5 * step * r, rtol=1e-12)
        end = base + math.copysign(0.25, step)
        assert made.rows.intervals[r] == (end, end)
        gradients = made.rows.gradients[r] / GRID
        np.testing.assert_allclose(gradients[0], made.weight * (made.y - expit(end)), rtol=0.0, atol=1 / GRID)
        np.testing.assert_allclose(gradients[1], made.weight * expit(end) * expit(-end), rtol=0.0, atol=1 / GRID)
    # The answer, 8 times as far from the base as the reach, counts as 1 + log(8) times as far.
    far = math.copysign(0.25 * (1.0 + math.log(8.0)), step)
    np.testing.assert_allclose(made.ensemble.scores(made.codes) - base, far, rtol=1e-12)
    if mode["epsilon"] is not None:
        norm = "l2" if mode.get("delta") else "l1"
        ends = np.array([end])
        assert made.trainer.ledger.events[-1].sensitivity == made.trainer.objective.sensitivity(ends, ends, 1.0, norm)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_without_any_reach_all_rounds_see_the_gradients_of_the_base_score(objective: str) -> None:
    made = run(replace(SETTINGS, score_reach=0.0), objective)
    for gradients in made.rows.gradients[1:]:
        np.testing.assert_array_equal(gradients, made.rows.gradients[0])
    sensitivities = [event.sensitivity for event in made.trainer.ledger.events[2:]]
    assert len(set(sensitivities)) == 1
    base = np.array(made.ensemble.base)
    assert sensitivities[0] == made.trainer.objective.sensitivity(base, base, 1.0, "l1")


def test_a_shorter_reach_never_takes_more_noise() -> None:
    last = [
        run(replace(SETTINGS, n_rounds=8, score_reach=reach), epsilon=0.1).trainer.ledger.events[-1].sensitivity
        for reach in (0.0, 0.3, 1.0, 100.0)
    ]
    assert last == sorted(last)
    assert last[0] < last[-1]


# -- what a run returns


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("histograms", [0.0, 0.1])
def test_the_ensemble_answers_what_the_rows_scores_say(objective: str, mode: dict[str, Any], histograms: float) -> None:
    made = run(settings_for(mode, histogram_share=histograms), objective, **mode)
    # The rows' scores start from the base, and the answers end with it.
    made.rows.catch_up()
    np.testing.assert_allclose(made.ensemble.scores(made.codes), made.rows._score, rtol=0.0, atol=1e-12)
    assert made.ensemble.combination == made.trainer.objective.combination
    assert len(made.ensemble.trees) == 8
    known = candidate_splits(refine_layout(LAYOUT, made.refinement))
    tests = [{*zip(s.attribute, s.first, s.last, s.missing_right, strict=True)} for s in
             (known, *(tree.splits for tree in made.ensemble.trees))]  # fmt: skip
    assert all(drawn <= tests[0] for drawn in tests[1:])
    answers = (
        made.ensemble.probabilities(made.codes)
        if objective in ("logistic", "softmax")
        else made.ensemble.numbers(made.codes)
    )
    assert ((answers >= 0.0) & (answers <= 1.0)).all()


def same(first: Run, second: Run) -> bool:
    alike = first.ensemble.base == second.ensemble.base and first.refinement.to_dict() == second.refinement.to_dict()
    return alike and all(
        np.array_equal(a.values, b.values)
        and np.array_equal(a.splits.attribute, b.splits.attribute)
        and np.array_equal(a.splits.first, b.splits.first)
        for a, b in zip(first.ensemble.trees, second.ensemble.trees, strict=True)
    )


def reorder(X: np.ndarray, y: np.ndarray, weight: np.ndarray) -> None:
    order = np.random.default_rng(9).permutation(len(y))
    X[:], y[:], weight[:] = X[order], y[order], weight[order]


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_a_seed_decides_everything_and_the_order_of_the_rows_nothing(mode: dict[str, Any]) -> None:
    chosen = settings_for(mode)
    first = run(chosen, **mode)
    assert same(first, run(chosen, **mode))
    assert same(first, run(chosen, **mode, change=reorder))
    assert not same(first, run(chosen, seed=1, **mode))


def scramble(X: np.ndarray, y: np.ndarray, weight: np.ndarray) -> None:
    rng = np.random.default_rng(5)
    X[:, 0], y[:], weight[:] = 0.9, rng.integers(0, 2, len(y)), rng.random(len(y))


def test_without_histograms_the_structure_of_all_trees_is_the_same_whatever_the_rows() -> None:
    structures = []
    for histograms, change in itertools.product((0.0, 0.1), (lambda X, y, weight: None, scramble)):
        made = run(replace(SETTINGS, histogram_share=histograms), change=change)
        splits = [tree.splits for tree in made.ensemble.trees]
        structures.append([(s.attribute.tolist(), s.first.tolist(), s.missing_right.tolist()) for s in splits])
    assert structures[0] == structures[1]
    assert structures[2] != structures[3]  # histograms are released, and tests drawn where they say


def test_rows_without_weight_change_nothing() -> None:
    def nonsense(X: np.ndarray, y: np.ndarray, weight: np.ndarray) -> None:
        null = weight == 0.0
        X[null], y[null] = np.array([0.0, np.nan, "?", "?", False], object), -1.0

    assert (run(SETTINGS).weight == 0.0).any()
    for mode in MODES:
        assert same(run(settings_for(mode), **mode), run(settings_for(mode), **mode, change=nonsense))


def test_progress_is_reported_once_a_tree() -> None:
    calls: list[None] = []
    run(SETTINGS, progress=lambda: calls.append(None))
    assert len(calls) == 8


def test_few_attributes_a_tree() -> None:
    made = run(replace(SETTINGS, n_rounds=10, attributes_per_tree=1))
    drawn = [set(tree.splits.attribute.tolist()) for tree in made.ensemble.trees]
    assert {len(one) for one in drawn} == {1}
    assert set().union(*drawn) == set(range(len(DOMAIN)))


# -- scores that may only rise, or fall

SIGNS = np.array([1, -1, 0])
ALL_CODES = np.array(list(itertools.product(range(5), repeat=3)), np.uint8).T


def random_tree(rng: np.random.Generator, depth: int, n_outputs: int = 1) -> Tree:
    n = 2**depth - 1
    splits = Splits(
        rng.integers(0, 3, n).astype(np.int32),
        rng.integers(2, 5, n).astype(np.uint8),
        np.full(n, 4, np.uint8),
        rng.random(n) < 0.5,
    )
    return Tree(depth, splits, rng.normal(size=(2**depth, n_outputs)))


def answers(trees: list[Tree]) -> np.ndarray:
    """Return the sums of the trees' answers to all codes, one axis an attribute, without those of missing cells."""
    vector = Ensemble("softmax", 3, tuple(trees), np.ones(len(trees)), np.full(len(trees), -1))
    return vector.scores(ALL_CODES).reshape(3, 5, 5, 5)[:, 1:, 1:, 1:]


def violations(trees: list[Tree], directions: np.ndarray) -> int:
    """Count the pairs of neighbouring codes of constrained attributes that are answered in the wrong order."""
    found = answers(trees)
    return sum(
        int((np.diff(found, axis=1 + a) * sign < 0.0).sum()) for a, sign in enumerate(directions.tolist()) if sign
    )


def test_constrained_trees_are_in_order_on_all_pairs_of_codes() -> None:
    rng = np.random.default_rng(0)
    before = 0
    for depth, _ in itertools.product((1, 2, 3, 5), range(40)):
        trees = [random_tree(rng, depth, 3) for _ in range(3)]
        for directions in (SIGNS, -SIGNS, np.array([1, 1, 1])):
            straight = [replace(t, values=monotone_values(t.splits, t.values, directions)) for t in trees]
            before += violations(trees, directions) > 0
            assert all(violations([tree], directions) == 0 for tree in straight)
            assert violations(straight, directions) == 0  # and so is their sum, digit by digit
            for tree, other in zip(trees, straight, strict=True):
                assert (other.values.min(axis=0) >= tree.values.min(axis=0)).all()
                assert (other.values.max(axis=0) <= tree.values.max(axis=0)).all()
                again = monotone_values(other.splits, other.values, directions)
                np.testing.assert_array_equal(again, other.values)  # nothing is left to do
    assert before > 300  # out of 480: random trees are out of order


def in_order(splits: Splits, values: np.ndarray, directions: np.ndarray) -> bool:
    """Say whether, at every constrained test, all leaves on one side lie on the right side of all on the other."""
    if len(values) == 1:
        return True
    left, right = np.split(values, 2)
    sign = directions[splits.attribute[0]]
    here = bool((left.max(axis=0) <= right.min(axis=0)).all()) if sign > 0 else True
    here = bool((left.min(axis=0) >= right.max(axis=0)).all()) if sign < 0 else here
    depth = len(values).bit_length() - 1
    levels = [np.arange(2**level - 1, 2 ** (level + 1) - 1) for level in range(1, depth)]
    parts = [np.concatenate([np.split(level, 2)[side] for level in levels] or [np.empty(0, int)]) for side in (0, 1)]
    return here and all(
        in_order(splits.take(part.astype(np.int64)), half, directions)
        for part, half in zip(parts, (left, right), strict=True)
    )


def test_trees_in_order_are_left_as_they_are() -> None:
    rng = np.random.default_rng(1)
    kept = {True: 0, False: 0}
    for _ in range(400):
        tree = random_tree(rng, int(rng.integers(1, 4)))
        values = monotone_values(tree.splits, tree.values, SIGNS)
        fine = in_order(tree.splits, tree.values, SIGNS)
        assert fine == np.array_equal(values, tree.values)
        assert in_order(tree.splits, values, SIGNS)
        kept[fine] += 1
        np.testing.assert_array_equal(monotone_values(tree.splits, tree.values, np.zeros(3, int)), tree.values)
    assert min(kept.values()) > 50


def test_sides_in_the_wrong_order_meet_half_way() -> None:
    splits = Splits(np.array([0], np.int32), np.array([2], np.uint8), np.array([4], np.uint8), np.array([False]))
    values = np.array([[3.0, 0.0], [1.0, 5.0]])
    np.testing.assert_array_equal(monotone_values(splits, values, np.array([1])), [[2.0, 0.0], [2.0, 5.0]])
    np.testing.assert_array_equal(monotone_values(splits, values, np.array([-1])), [[3.0, 2.5], [1.0, 2.5]])
    np.testing.assert_array_equal(values, [[3.0, 0.0], [1.0, 5.0]])
    np.testing.assert_array_equal(monotone_values(Splits.null(1), values, np.array([1])), values)


def test_the_deepest_tests_come_first() -> None:
    three = np.array([0, 0, 0], np.int32), np.array([3, 2, 4], np.uint8), np.full(3, 4, np.uint8), np.zeros(3, np.bool_)
    values = monotone_values(Splits(*three), np.array([[3.0], [1.0], [0.0], [2.0]]), np.array([1]))
    # 3 and 1 meet at 2; the sides, up to 2 and from 0 on, meet at 1.
    np.testing.assert_array_equal(values, [[1.0], [1.0], [1.0], [2.0]])


@given(
    seed=st.integers(0, 2**32 - 1),
    mode=st.sampled_from(MODES),
    objective=st.sampled_from(["logistic", "poisson"]),
    reach=st.sampled_from([100.0, 0.3]),
)
@settings(max_examples=20, deadline=None)
def test_a_constrained_model_is_in_order_everywhere(
    seed: int, mode: dict[str, Any], objective: str, reach: float
) -> None:
    made = run(settings_for(mode, score_reach=reach), objective, seed=seed % 10_000, monotone=(1, -1, 0, 1, 0), **mode)
    rng = np.random.default_rng(seed)
    X = table(rng, 60)
    grids = {0: np.linspace(-0.1, 1.1, 25), 1: np.linspace(-3.0, 3.0, 25), 3: ["s", "m", "l"]}
    for a, sign in ((0, 1), (1, -1), (3, 1)):
        scores = []
        for value in grids[a]:
            X[:, a] = value
            codes = Encoder(DOMAIN, N_BINS, refinement=made.refinement).encode(X)
            scores.append(made.ensemble.scores(codes)[0])
        # A score beyond the reach goes through a logarithm, whose last digit may be off.
        assert (np.diff(scores, axis=0) * sign >= (0.0 if reach == 100.0 else -1e-15)).all()


def test_an_unconstrained_model_is_not_in_order() -> None:
    made = run(SETTINGS)
    X = table(np.random.default_rng(0), 60)
    encoder = Encoder(DOMAIN, N_BINS, refinement=made.refinement)
    scores = []
    for value in np.linspace(-3.0, 3.0, 25):
        X[:, 1] = value
        scores.append(made.ensemble.scores(encoder.encode(X))[0])
    assert (np.diff(scores, axis=0) > 0.0).any()
    assert (np.diff(scores, axis=0) < 0.0).any()


# -- calibration


CALIBRATED = {"calibration_share": 0.2, "n_rounds": 20, "score_reach": 1.5}


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_calibration_multiplies_every_score_s_distance_from_the_base(mode: dict[str, Any]) -> None:
    made = run(settings_for(mode, **CALIBRATED), **mode)
    (slope,) = set(made.ensemble.weights)
    plain = replace(made.ensemble, weights=np.ones(40), reach=1.5)
    base = made.ensemble.base[0]
    assert slope != 1.0
    made.rows.catch_up()
    assert np.abs(made.rows._score - base).max() > 1.5  # some are so far away that they are drawn in
    expected = base + slope * (plain.scores(made.codes) - base)
    np.testing.assert_allclose(made.ensemble.scores(made.codes)[0], expected[0], rtol=1e-12, atol=1e-14)
    assert made.trainer.ledger.events[-1].label == "scores"


def test_without_noise_calibration_lowers_the_log_loss_of_timid_and_of_bold_models() -> None:
    for timid, rate in ((True, 0.02), (False, 2.0)):
        chosen = replace(SETTINGS, learning_rate=rate, n_rounds=30)
        plain, better = (run(replace(chosen, calibration_share=s), epsilon=None, n_rows=3000) for s in (0.0, 0.2))
        losses = []
        for made in (plain, better):
            counts = made.weight > 0
            positive = made.ensemble.probabilities(made.codes)[counts, 1]
            losses.append(log_loss(made.y[counts], positive, sample_weight=made.weight[counts]))
        slope = better.ensemble.weights[0]
        assert slope > 1.2 if timid else slope != 1.0
        assert losses[1] < losses[0]


@given(reach=st.sampled_from([0.0, 0.3, 2.0, MAX_REACH]), slope=st.floats(0.2, 5.0))
@settings(max_examples=30, deadline=None)
def test_distances_beyond_the_reach_are_drawn_in_and_put_out_again(reach: float, slope: float) -> None:
    splits = Splits(np.array([0], np.int32), np.array([2], np.uint8), np.array([10], np.uint8), np.array([False]))
    tree = Tree(1, splits, np.array([[-7.0], [0.2]]))
    ensemble = Ensemble("logit", 2, (tree,), np.ones(1), np.zeros(1, np.int64), base=(0.0,), reach=reach)
    codes = np.array([[1, 2]], np.uint8)
    distance = ensemble.scores(codes)[0]
    np.testing.assert_allclose(undo_reach(distance, reach), [-7.0, 0.2], rtol=1e-12)
    np.testing.assert_allclose(calibrated(ensemble, slope).scores(codes)[0], slope * distance, rtol=1e-12)


@pytest.mark.parametrize("mode", MODES[1:], ids=str)
def test_the_slope_is_a_function_of_released_numbers_alone(mode: dict[str, Any]) -> None:
    """What the histogram of the scores releases decides the slope, and nothing else of the rows does."""
    chosen = settings_for(mode, **CALIBRATED)
    made = run(chosen, **mode)
    released = []

    def watched(counts: np.ndarray, noise: float, total: float, base: float, spread: float, expected: float) -> float:
        assert expected == 1.0
        released.append((counts.copy(), noise))
        return 2.0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(newton, "calibration_slope", watched)
        forced = run(chosen, **mode)
    ((counts, noise),) = released
    assert set(forced.ensemble.weights) == {2.0}
    event = forced.trainer.ledger.events[-1]
    assert counts.size == event.size
    assert noise == pytest.approx(event.scale * (1.0 if mode.get("delta") else math.sqrt(2.0)) / GRID, rel=1e-12)
    for a, b in zip(made.ensemble.trees, forced.ensemble.trees, strict=True):
        np.testing.assert_array_equal(a.values, b.values)
