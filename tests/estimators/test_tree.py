"""A single private tree: any proper loss as its criterion, and what it is without noise."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from privboost import Categorical, Domain, Numeric, PrivateTreeClassifier
from privboost.errors import ParameterError
from privboost.losses import LogLoss, Loss, MAlphaLoss, MatsushitaLoss, SquareLoss, ZeroOneLoss
from privboost.sources.local import GRID

pytestmark = pytest.mark.filterwarnings("ignore:'random_state' is set:privboost.errors.PrivacyWarning")

DOMAIN = Domain({"a": Numeric(0, 1), "b": Numeric(0, 1), "c": Categorical(["x", "y", "z"])})

BAYES_RISK = {
    "zero-one": lambda p: 2 * min(p, 1 - p),
    "square": lambda p: 4 * p * (1 - p),
    "log": lambda p: 0.0 if p in (0, 1) else -p * math.log2(p) - (1 - p) * math.log2(1 - p),
    "matsushita": lambda p: 2 * math.sqrt(p * (1 - p)),
}


def table(n_rows: int = 120, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = np.empty((n_rows, 3), dtype=object)
    X[:, 0], X[:, 1] = rng.random(n_rows), rng.random(n_rows)
    X[:, 2] = rng.choice(["x", "y", "z"], n_rows)
    chance = np.where(X[:, 2] == "z", 0.8, X[:, 0].astype(float))
    return X, (rng.random(n_rows) < chance).astype(int)


def make(**parameters: Any) -> PrivateTreeClassifier:
    return PrivateTreeClassifier(**{"domain": DOMAIN, "classes": [0, 1], "random_state": 0, **parameters})


def risk_of(risk: Any, y: np.ndarray) -> float:
    return len(y) * risk(float(y.mean())) if len(y) else 0.0


def best_risk(risk: Any, codes: np.ndarray, y: np.ndarray, depth: int) -> float:
    """Criterion of the greedy tree, worked out row by row; leaves of one class are not split."""
    if depth == 0 or len(set(y.tolist())) < 2:
        return risk_of(risk, y)
    splits = []
    for a in range(2):
        splits += [codes[a] >= t for t in range(2, 11)]
    splits += [codes[2] == c for c in (1, 2, 3)]
    values = [risk_of(risk, y[right]) + risk_of(risk, y[~right]) for right in splits]
    right = splits[int(np.argmin(np.round(values, 9)))]
    return best_risk(risk, codes[:, right], y[right], depth - 1) + best_risk(
        risk, codes[:, ~right], y[~right], depth - 1
    )


class TestCriterion:
    @pytest.mark.parametrize("name", BAYES_RISK)
    @pytest.mark.parametrize("depth", [1, 2])
    def test_noise_free_tree_is_the_greedy_one(self, name, depth):
        X, y = table()
        model = make(criterion=name, max_depth=depth, privacy=None, leaf_smoothing=0).fit(X, y)
        p = model.predict_proba(X)[:, 1]
        # Of the fitted tree: its leaves are ratios, so the criterion follows from its own predictions.
        fitted = sum(BAYES_RISK[name](float(v)) for v in p)
        expected = best_risk(BAYES_RISK[name], model._trained.encoder.encode(X), y, depth)
        assert fitted == pytest.approx(expected, abs=1e-3)

    @pytest.mark.parametrize(("name", "theirs"), [("square", "gini"), ("log", "entropy")])
    def test_a_stump_is_that_of_scikit_learn(self, name, theirs):
        rng = np.random.default_rng(2)
        X = rng.integers(0, 10, (400, 4)) / 10 + 0.05  # one value a bin: the same thresholds for both
        y = (rng.random(400) < np.where(X[:, 1] > 0.6, 0.8, 0.3)).astype(int)
        domain = Domain({f"x{i}": Numeric(0, 1) for i in range(4)})
        ours = make(domain=domain, criterion=name, max_depth=1, privacy=None, leaf_smoothing=0).fit(X, y)
        reference = DecisionTreeClassifier(criterion=theirs, max_depth=1).fit(X, y)
        np.testing.assert_allclose(ours.predict_proba(X), reference.predict_proba(X), atol=1e-12)

    @pytest.mark.parametrize(
        ("name", "loss"),
        [("zero-one", ZeroOneLoss()), ("square", SquareLoss()), ("log", LogLoss()), ("matsushita", MatsushitaLoss())],
    )
    def test_a_name_stands_for_its_loss(self, name, loss):
        X, y = table()
        one, other = (make(criterion=c).fit(X, y) for c in (name, loss))
        np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X))
        assert one.privacy_.releases == other.privacy_.releases

    def test_the_mixture_of_the_paper_may_be_the_criterion(self):
        X, y = table()
        for alpha, name in ((0.0, "zero-one"), (1.0, "matsushita")):
            one, other = (make(criterion=c, privacy=None).fit(X, y) for c in (MAlphaLoss(alpha), name))
            np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X))

    def test_a_loss_of_the_users_own_is_like_the_built_in_one(self):
        X, y = table()
        own = Loss.from_bayes_risk("my square", lambda u: 4.0 * u * (1.0 - u))
        mine, theirs = (make(criterion=c, privacy=None, max_depth=3).fit(X, y) for c in (own, "square"))
        np.testing.assert_array_equal(mine.predict_proba(X), theirs.predict_proba(X))
        mine, theirs = (make(criterion=c, epsilon=2.0).fit(X, y) for c in (own, "square"))
        for one, other in zip(mine.privacy_.releases, theirs.privacy_.releases, strict=True):
            assert other.sensitivity <= one.sensitivity <= 1.001 * other.sensitivity
        assert 0 < mine.privacy_.total <= 2

    def test_the_criterion_need_not_be_one_that_is_built_in(self):
        X, y = table()
        own = Loss.from_bayes_risk("between", lambda u: 0.5 * (4 * u * (1 - u)) + 0.5 * 2 * min(u, 1 - u))
        model = make(criterion=own, epsilon=2.0).fit(X, y)
        assert model.get_params()["criterion"] is own
        assert model.privacy_.total <= 2

    def test_what_is_no_bayes_risk_is_refused_before_any_row(self):
        with pytest.raises(ParameterError):
            Loss.from_bayes_risk("bad", lambda u: u)

    def test_sensitivity_of_the_criterion_sets_the_noise(self):
        """One row of m changes the criterion by at most m L(1/m): 2, 4 (1 - 1/m), about log2(e m), 2 sqrt(m - 1)."""
        X, y = table()
        m = 120
        expected = {
            "zero-one": 2.0,
            "square": 4 * (1 - 1 / m),
            "log": math.log2(m) + (m - 1) * math.log2(m / (m - 1)),
            "matsushita": 2 * math.sqrt(m - 1),
        }
        for name, change in expected.items():
            event = make(criterion=name).fit(X, y).privacy_.releases[0]
            assert change <= event.sensitivity / GRID <= change + 20 / GRID


class TestLeaves:
    def test_hold_smoothed_ratios_of_noisy_counts(self):
        X, y = table()
        exact = make(privacy=None, max_depth=1).fit(X, y).ensemble_.trees[0]
        codes = make(privacy=None).fit(X, y)._trained.encoder.encode(X)
        s = exact.splits
        code = codes[s.attribute[0]]
        right = (code >= s.first[0]) & (code <= s.last[0])
        np.testing.assert_allclose(exact.values.ravel(), [y[~right].mean(), y[right].mean()], rtol=1e-12)

    def test_smoothing_adds_noise_scales(self):
        X, y = table()
        epsilon, share, k = 5.0, 0.5, 3.0
        plain = make(epsilon=epsilon, max_depth=1, leaf_smoothing=0).fit(X, y)
        smooth = make(epsilon=epsilon, max_depth=1, leaf_smoothing=k).fit(X, y)
        p, q = (m.ensemble_.trees[0].values.ravel() for m in (plain, smooth))
        pseudo = k / (epsilon * (1 - share))  # noise scale of a count
        # q = (w p + pseudo / 2) / (w + pseudo) for the same noisy total w of each leaf; the two totals lie near 120.
        total = pseudo * (0.5 - q) / (q - p)
        assert 100 < total.sum() < 140

    def test_pure_nodes_are_not_split_without_privacy(self):
        X = table()[0]
        y = (X[:, 0].astype(float) >= 0.5).astype(int)
        model = make(privacy=None, max_depth=4).fit(X, y)
        assert model.ensemble_.trees[0].n_leaves == 2
        assert model.score(X, y) == 1.0

    @pytest.mark.parametrize("depth", [1, 3, 6])
    def test_private_trees_are_complete(self, depth):
        model = make(max_depth=depth).fit(*table())
        assert model.ensemble_.trees[0].n_leaves == 2**depth


class TestBudget:
    @pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
    @pytest.mark.parametrize("composition", ["parallel", "sequential"])
    def test_is_divided_between_levels_and_leaves(self, share, composition):
        model = make(epsilon=0.8, max_depth=3, split_share=share, composition=composition).fit(*table())
        *levels, leaves = model.privacy_.releases
        for event in levels:
            assert float(event.cost) == pytest.approx(0.8 * share / 3, rel=1e-9)
        assert float(leaves.cost) == pytest.approx(0.8 * (1 - share), rel=1e-9)
        assert model.privacy_.total <= Fraction(0.8)

    def test_selection_is_the_one_asked_for(self):
        for rule in ("permute-and-flip", "exponential"):
            model = make(selection=rule).fit(*table())
            assert {e.mechanism for e in model.privacy_.releases[:-1]} == {rule}

    @pytest.mark.parametrize("criterion", BAYES_RISK)
    def test_more_budget_is_more_accurate(self, criterion):
        X, y = table(400)
        scores = [
            np.mean([make(epsilon=e, criterion=criterion, random_state=s).fit(X, y).score(X, y) for s in range(8)])
            for e in (1e-3, 1e3)
        ]
        assert scores[0] + 0.05 < scores[1]

    def test_many_classes_divide_it(self):
        X, y = table()
        model = make(classes=["a", "b", "c"], epsilon=0.6).fit(X, np.array(["a", "b"])[y])
        assert len(model.ensemble_.trees) == 3
        assert "rest" in model.privacy_.notes[0]
        for k in (1, 2, 3):
            spent = [e for e in model.privacy_.releases if e.label.startswith(f"class {k} ")]
            assert sum((e.cost for e in spent), Fraction(0)) <= Fraction(0.6) / 3
