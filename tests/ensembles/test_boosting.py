"""The boosted combination: what its noise-free runs must satisfy, and what its private runs must never do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privboost.data.attributes import Boolean, Categorical, Numeric
from privboost.data.datasets import load_table
from privboost.data.domain import Domain
from privboost.data.encoding import Encoder
from privboost.ensembles.boosting import Trainer, train_boosted, train_single
from privboost.ensembles.ensemble import Ensemble
from privboost.ensembles.plan import BoostingPlan, BoostingSettings, plan_boosting
from privboost.losses import MAlphaLoss, SquareLoss
from privboost.privacy.accounting import Ledger
from privboost.privacy.randomness import SimulatedRandomness
from privboost.privacy.relation import PrivacyUnit
from privboost.sources.local import GRID, LocalRows
from privboost.theory import combination_decrease
from privboost.trees.splitting import candidate_splits

LEAF_CLIP = BoostingSettings(1, 1, 0.5).leaf_clip

PAPER_TABLES = [
    "transfusion",
    "banknote",
    "breastwisc",
    "ionosphere",
    "sonar",
    "yeast",
    "winered",
    "winewhite",
    "cardiotocography",
    "creditcardsmall",
    "abalone",
    "qsar",
    "page",
    "mice",
    "hill+noise",
    "hill+nonoise",
    "firmteacher",
    "magic",
    "eeg",
]

DOMAIN = Domain({"u": Numeric(0, 1), "v": Numeric(-2, 2), "w": Categorical(["a", "b", "c"]), "z": Boolean()})


class WatchedRows(LocalRows):
    """Rows that keep what a test wants to see of every round."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.scores: list[np.ndarray] = [self._score.copy()]
        self.weights: list[np.ndarray] = [self._weight.copy()]

    def boost(self, leaf_values: np.ndarray, alpha: float, cap: int) -> None:
        super().boost(leaf_values, alpha, cap)
        self._passes.ask(lambda rows, slot: None)  # steps wait until something is asked
        self.scores.append(self._score.copy())
        self.weights.append(self._weight.copy())


def sample(seed: int, n_rows: int, noise: float = 0.1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return codes, offsets and labels of a table whose classes depend on two attributes."""
    rng = np.random.default_rng(seed)
    codes = Encoder(DOMAIN, 10).encode(table(rng, n_rows))
    layout = DOMAIN.layout(10)
    offsets = np.concatenate([[0], np.cumsum(layout.n_codes)])
    labels = ((codes[0] > 5) ^ (codes[2] == 2) ^ (rng.random(n_rows) < noise)).astype(np.int16)
    return codes, offsets, labels


def table(rng: np.random.Generator, n_rows: int) -> np.ndarray:
    columns = [
        rng.random(n_rows),
        rng.normal(size=n_rows),
        np.array(["a", "b", "c"])[rng.integers(0, 3, n_rows)],
        rng.random(n_rows) < 0.5,
    ]
    out = np.empty((n_rows, 4), object)
    for i, column in enumerate(columns):
        out[:, i] = column
    return out


def train(
    chosen: BoostingSettings, epsilon: float | None, seed: int = 0, n_rows: int = 200, relation: Any = "add-remove"
) -> tuple[Ensemble, BoostingPlan, WatchedRows, Ledger]:
    codes, offsets, labels = sample(seed, n_rows)
    candidates = candidate_splits(DOMAIN.layout(10))
    plan = plan_boosting(
        chosen,
        epsilon=epsilon,
        unit=PrivacyUnit(relation),
        n_rows=n_rows,
        n_candidates=len(candidates),
        n_outputs=1,
    )
    rows, ledger = WatchedRows(codes, offsets, labels, 2, 0.5), Ledger()
    trainer = Trainer(plan, candidates, SimulatedRandomness(np.random.default_rng(seed)), ledger)
    ensemble, recorded = train_boosted(trainer, lambda _: rows, 2)
    return ensemble, recorded, rows, ledger


def assert_every_round_keeps_its_promise(
    ensemble: Ensemble, rows: WatchedRows, alpha: float, deviation: float = 0.0
) -> None:
    """Hold the fall of the mean surrogate in each round against the combination bound."""
    loss = MAlphaLoss(alpha)
    labels = np.where(rows._label == 1, 1.0, -1.0)
    means = [float(np.mean(loss.surrogate(labels * score))) for score in rows.scores]
    assert means[0] == pytest.approx(1.0)
    for t, beta in enumerate(ensemble.weights):
        weight = rows.weights[t] / GRID
        h = (rows.scores[t + 1] - rows.scores[t]) / beta if beta else np.zeros(rows.n_rows)
        mean_weight, edge = float(weight.mean()), float((weight * labels * h).sum() / weight.sum())
        promised = combination_decrease(alpha, mean_weight, edge, LEAF_CLIP, deviation)
        # Weights are rounded to the grid, 2**-17 at most, which moves the linear term by that much of beta * |h|.
        rounding = 2.0**-17 * abs(beta) * float(np.abs(h).max())
        assert means[t] - means[t + 1] >= promised - rounding - 1e-12


@given(
    seed=st.integers(0, 2**32 - 1),
    alpha=st.sampled_from([0.1, 0.5, 1.0]),
    depth=st.integers(1, 4),
    scale=st.sampled_from([0.5, 1.0, 1.5]),
)
@settings(max_examples=25, deadline=None)
def test_every_noise_free_round_lowers_the_surrogate_by_the_promised_amount(
    seed: int, alpha: float, depth: int, scale: float
) -> None:
    chosen = BoostingSettings(6, depth, 0.5, alpha=alpha, combination_alpha=alpha, leverage_scale=scale)
    ensemble, _, rows, _ = train(chosen, None, seed)
    assert_every_round_keeps_its_promise(ensemble, rows, alpha, scale - 1.0)


@pytest.mark.parametrize("name", PAPER_TABLES)
@pytest.mark.parametrize("alpha", [0.1, 1.0])
def test_the_promise_holds_on_the_paper_s_tables(shared_data: Path, name: str, alpha: float) -> None:
    X, y, domain, _ = load_table(shared_data, name)
    layout, candidates = domain.layout(10), candidate_splits(domain.layout(10))
    offsets = np.concatenate([[0], np.cumsum(layout.n_codes)])
    chosen = BoostingSettings(20, 3, 0.5, alpha=alpha, combination_alpha=alpha)
    facts = {"unit": PrivacyUnit(), "n_rows": len(y), "n_candidates": len(candidates), "n_outputs": 1}
    plan = plan_boosting(chosen, epsilon=None, **facts)
    rows = WatchedRows(Encoder(domain, 10).encode(X), offsets, y.astype(np.int16), 2, 0.5)
    trainer = Trainer(plan, candidates, SimulatedRandomness(np.random.default_rng(0)), Ledger())
    ensemble, _ = train_boosted(trainer, lambda _: rows, 2)
    assert (ensemble.weights > 0.0).all()
    assert_every_round_keeps_its_promise(ensemble, rows, alpha)


@given(
    seed=st.integers(0, 2**32 - 1),
    epsilon=st.sampled_from([0.01, 1.0, 100.0]),
    alpha=st.sampled_from([None, 0.2, 1.0]),
    relation=st.sampled_from(["add-remove", "replace-one"]),
)
@settings(max_examples=25, deadline=None)
def test_no_weight_ever_exceeds_the_bound_that_noise_was_calibrated_to(
    seed: int, epsilon: float, alpha: float | None, relation: Any
) -> None:
    chosen = BoostingSettings(8, 2, 0.5, alpha=alpha, combination_alpha=alpha or 1.0)
    _, plan, rows, ledger = train(chosen, epsilon, seed, relation=relation)
    assert plan.weight_bounds[0] == 0.5
    for weights, bound in zip(rows.weights, plan.weight_bounds, strict=False):
        assert weights.max() <= bound * GRID
        assert bound <= 1.0
    leaves = [event for event in ledger.events if event.mechanism == "laplace"]
    assert [event.sensitivity for event in leaves] == [round(bound * GRID) for bound in plan.weight_bounds]
    ledger.check_against(plan.releases, epsilon)


def test_rows_outside_the_classes_weigh_nothing() -> None:
    codes, offsets, labels = sample(0, 50)
    labels[10:20] = -1
    rows = WatchedRows(codes, offsets, labels, 2, 0.5)
    assert (rows._weight[10:20] == 0).all()
    rows.start_tree()
    rows.boost(np.array([3.0]), 1.0, GRID)
    assert (rows._weight[10:20] == 0).all()
    assert (rows._weight[:10] > 0).all()


def test_the_order_of_the_rows_changes_no_bit() -> None:
    codes, offsets, labels = sample(3, 150)
    order = np.random.default_rng(1).permutation(150)
    candidates = candidate_splits(DOMAIN.layout(10))
    plan = plan_boosting(
        BoostingSettings(4, 3, 0.5),
        epsilon=1.0,
        unit=PrivacyUnit(),
        n_rows=150,
        n_candidates=len(candidates),
        n_outputs=1,
    )
    results = []
    for rows in (
        LocalRows(codes, offsets, labels, 2, 0.5),
        LocalRows(np.ascontiguousarray(codes[:, order]), offsets, labels[order], 2, 0.5),
    ):
        trainer = Trainer(plan, candidates, SimulatedRandomness(np.random.default_rng(5)), Ledger())
        results.append(train_boosted(trainer, lambda _, rows=rows: rows, 2)[0])
    first, second = results
    np.testing.assert_array_equal(first.weights, second.weights)
    for a, b in zip(first.trees, second.trees, strict=True):
        np.testing.assert_array_equal(a.values, b.values)
        np.testing.assert_array_equal(a.splits.first, b.splits.first)


def test_the_shape_is_complete_under_privacy_and_pure_nodes_stay_whole_without() -> None:
    codes, offsets, labels = sample(0, 60)
    pure = np.zeros_like(labels)
    candidates = candidate_splits(DOMAIN.layout(10))
    for epsilon, expected in ((1.0, 8), (None, 1)):
        plan = plan_boosting(
            BoostingSettings(2, 3, 0.5),
            epsilon=epsilon,
            unit=PrivacyUnit(),
            n_rows=60,
            n_candidates=len(candidates),
            n_outputs=1,
        )
        trainer = Trainer(plan, candidates, SimulatedRandomness(np.random.default_rng(0)), Ledger())
        ensemble, _ = train_boosted(trainer, lambda _: LocalRows(codes, offsets, pure, 2, 0.5), 2)
        assert [tree.n_leaves for tree in ensemble.trees] == [expected] * 2
        assert all(len(tree.values) == 8 for tree in ensemble.trees)


def test_more_budget_approaches_the_noise_free_learner() -> None:
    codes, _, labels = sample(0, 400)
    errors = []
    for epsilon in (0.05, 1e6):
        ensemble, *_ = train(BoostingSettings(10, 3, 0.5), epsilon, 0, 400)
        errors.append(float(((ensemble.decision(codes) > 0) != labels).mean()))
    exact, *_ = train(BoostingSettings(10, 3, 0.5), None, 0, 400)
    noise_free = float(((exact.decision(codes) > 0) != labels).mean())
    assert abs(errors[1] - noise_free) <= 0.01
    assert errors[0] > errors[1]


def test_exact_leverage_uses_the_exact_sums() -> None:
    base = BoostingSettings(3, 2, 0.5)
    released, *_ = train(base, 0.05)
    exact, *_ = train(replace(base, leverage="exact"), 0.05)
    np.testing.assert_array_equal(released.trees[0].values, exact.trees[0].values)  # same draws, same first tree
    codes, _, labels = sample(0, 200)
    h = exact.trees[0].values[:, 0]
    tree = Ensemble("margin", 2, exact.trees[:1], np.ones(1), np.zeros(1, np.int64))
    edge = float((np.where(labels == 1, 1, -1) * tree.scores(codes)[0]).mean())
    assert exact.weights[0] == pytest.approx(0.01 * 0.5 * max(min(edge, 10), -10))
    assert h.shape == (4,)
    assert released.weights[0] != exact.weights[0]


def test_a_single_tree_holds_probabilities() -> None:
    codes, offsets, labels = sample(1, 300, noise=0.0)
    candidates = candidate_splits(DOMAIN.layout(10))
    plan = plan_boosting(
        BoostingSettings(1, 3, 0.5),
        epsilon=None,
        unit=PrivacyUnit(),
        n_rows=300,
        n_candidates=len(candidates),
        n_outputs=1,
    )
    trainer = Trainer(plan, candidates, SimulatedRandomness(np.random.default_rng(0)), Ledger())
    ensemble, _ = train_single(trainer, lambda _: LocalRows(codes, offsets, labels, 2, 1.0), 2, SquareLoss())
    proba = ensemble.probabilities(codes)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0, atol=1e-15)
    for value in np.unique(proba[:, 1]):
        group = proba[:, 1] == value
        assert labels[group].mean() == pytest.approx(value, abs=1e-12)
