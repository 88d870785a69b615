"""Private forests: random structure, votes from noisy counts, rows split among the trees or shared by them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from privboost import Categorical, Domain, Numeric, PrivateForestClassifier
from privboost.ensembles import forest as forest_module
from privboost.errors import ParameterError
from privboost.sources.local import GRID

pytestmark = pytest.mark.filterwarnings("ignore:'random_state' is set:privboost.errors.PrivacyWarning")

DOMAIN = Domain({"a": Numeric(0, 1), "b": Numeric(0, 1), "c": Categorical(["x", "y", "z"], missing=True)})
BOTH = [(m, p) for m in ("laplace", "exponential") for p in ("disjoint", "shared")]
everywhere = pytest.mark.parametrize(("mechanism", "partition"), BOTH)


def table(n_rows: int = 200, n_classes: int = 2) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = np.empty((n_rows, 3), dtype=object)
    X[:, 0], X[:, 1] = rng.random(n_rows), rng.random(n_rows)
    X[:, 2] = rng.choice(["x", "y", "z", None, "unlisted"], n_rows)
    return X, np.minimum((X[:, 0].astype(float) * n_classes).astype(int), n_classes - 1)


def make(**parameters: Any) -> PrivateForestClassifier:
    given = {"n_trees": 5, "max_depth": 3, "domain": DOMAIN, "classes": [0, 1], "random_state": 0, **parameters}
    return PrivateForestClassifier(**given)


def leaf_of(tree: Any, codes: np.ndarray) -> int:
    """Walk one row down a tree, one test at a time."""
    node = 0
    s = tree.splits
    for _ in range(tree.depth):
        code = codes[s.attribute[node]]
        right = s.missing_right[node] if code == 0 else s.first[node] <= code <= s.last[node]
        node = 2 * node + (2 if right else 1)
    return node - (2**tree.depth - 1)


class TestVotes:
    @everywhere
    @pytest.mark.parametrize("n_classes", [2, 3])
    def test_probability_is_the_share_of_trees(self, mechanism, partition, n_classes):
        X, y = table(60, n_classes)
        model = make(mechanism=mechanism, partition=partition, classes=range(n_classes), epsilon=0.5).fit(X, y)
        codes = model._trained.encoder.encode(X)
        expected = np.zeros((60, n_classes))
        for tree in model.ensemble_.trees:
            for i in range(60):
                expected[i] += tree.values[leaf_of(tree, codes[:, i])]
        np.testing.assert_allclose(model.predict_proba(X), expected / 5, rtol=1e-12)
        assert set(model.ensemble_.weights) == {1.0}

    @everywhere
    def test_each_leaf_votes_for_one_class_or_shares_its_vote(self, mechanism, partition):
        model = make(mechanism=mechanism, partition=partition, classes=[0, 1, 2]).fit(*table(n_classes=3))
        for tree in model.ensemble_.trees:
            np.testing.assert_allclose(tree.values.sum(axis=1), 1.0)
            for vote in tree.values:
                voted = vote[vote > 0]
                assert len(set(voted)) == 1

    @pytest.mark.parametrize("partition", ["disjoint", "shared"])
    def test_without_noise_leaves_hold_their_largest_class(self, partition, monkeypatch):
        spread = []
        original = forest_module._spread

        def watched(rows, n_trees, generator):
            original(rows, n_trees, generator)
            rows._passes.ask(lambda rows, slot: None)  # steps wait until something is asked
            spread.append(rows._node.copy())

        monkeypatch.setattr(forest_module, "_spread", watched)
        X, y = table()
        model = make(partition=partition, privacy=None).fit(X, y)
        codes = model._trained.encoder.encode(X)
        for t, tree in enumerate(model.ensemble_.trees):
            counts = np.zeros((8, 2))
            for i in range(200):
                if partition == "shared" or spread[0][i] == t:
                    counts[leaf_of(tree, codes[:, i]), y[i]] += 1
            most = counts == counts.max(axis=1, keepdims=True)
            np.testing.assert_array_equal(tree.values, most / most.sum(axis=1, keepdims=True))

    @everywhere
    def test_an_empty_leaf_of_a_noise_free_forest_shares_its_vote(self, mechanism, partition):
        X, y = table()
        model = make(mechanism=mechanism, partition=partition, privacy=None).fit(X, y + 9)
        assert all((tree.values == 0.5).all() for tree in model.ensemble_.trees)
        assert (model.predict_proba(X) == 0.5).all()

    @everywhere
    def test_accuracy_grows_with_the_budget(self, mechanism, partition):
        X, y = table(400)
        settings = {"mechanism": mechanism, "partition": partition, "n_trees": 15}
        scores = [
            np.mean([make(epsilon=e, random_state=s, **settings).fit(X, y).score(X, y) for s in range(6)])
            for e in (1e-3, 1e3)
        ]
        assert scores[0] < 0.7
        assert scores[1] > scores[0] + 0.15


class TestStructure:
    def test_attributes_are_drawn_evenly_then_their_tests(self):
        # 450 trees of 7 nodes: three attributes, 1/3 each; standard error of a share 0.0084.
        model = make(n_trees=450, privacy=None, partition="shared").fit(*table(2))
        attributes = np.concatenate([t.splits.attribute for t in model.ensemble_.trees])
        firsts = np.concatenate([t.splits.first for t in model.ensemble_.trees])
        shares = np.bincount(attributes, minlength=3) / len(attributes)
        np.testing.assert_allclose(shares, 1 / 3, atol=6 * 0.0084)
        thresholds = firsts[attributes == 0]
        assert set(thresholds.tolist()) == set(range(2, 11))  # every edge of ten bins
        counts = np.bincount(thresholds)[2:11] / len(thresholds)
        np.testing.assert_allclose(counts, 1 / 9, atol=6 * np.sqrt(1 / 9 * 8 / 9 / len(thresholds)))

    def test_trees_differ(self):
        model = make(n_trees=9).fit(*table())
        assert len({t.splits.attribute.tobytes() + t.splits.first.tobytes() for t in model.ensemble_.trees}) == 9

    @everywhere
    @pytest.mark.parametrize("n_trees", [1, 2, 7])
    def test_number_of_trees_and_depth_are_as_asked(self, mechanism, partition, n_trees):
        model = make(mechanism=mechanism, partition=partition, n_trees=n_trees, max_depth=4).fit(*table())
        assert [t.depth for t in model.ensemble_.trees] == [4] * n_trees
        assert [t.n_leaves for t in model.ensemble_.trees] == [16] * n_trees


class TestBudget:
    @pytest.mark.parametrize("mechanism", ["laplace", "exponential"])
    def test_a_disjoint_forest_spends_everything_once(self, mechanism):
        model = make(mechanism=mechanism, partition="disjoint", epsilon=0.5).fit(*table())
        (event,) = model.privacy_.releases
        assert event.label == "trees 1 to 5/leaves"
        assert event.mechanism == mechanism
        assert event.sensitivity == GRID
        assert event.epsilon == event.cost == Fraction(1, 2)
        assert event.scale == 2 * GRID

    @pytest.mark.parametrize("mechanism", ["laplace", "exponential"])
    def test_trees_that_share_rows_divide_the_budget(self, mechanism):
        model = make(mechanism=mechanism, partition="shared", epsilon=0.5, n_trees=4).fit(*table())
        assert [e.label for e in model.privacy_.releases] == [f"tree {t}/leaves" for t in (1, 2, 3, 4)]
        assert {e.cost for e in model.privacy_.releases} == {Fraction(1, 8)}
        assert model.privacy_.total == Fraction(1, 2)

    @everywhere
    def test_more_classes_divide_nothing(self, mechanism, partition):
        scales = []
        for n_classes in (2, 6):
            model = make(mechanism=mechanism, partition=partition, classes=range(n_classes)).fit(*table())
            scales.append([e.scale for e in model.privacy_.releases])
        assert scales[0] == scales[1]

    @everywhere
    def test_and_the_statement_does_not_say_that_they_do(self, mechanism, partition):
        model = make(mechanism=mechanism, partition=partition, classes=[0, 1, 2]).fit(*table(n_classes=3))
        assert model.privacy_.notes == ()
        assert "against the rest" not in str(model.privacy_)

    @everywhere
    def test_replacing_a_row_costs_twice(self, mechanism, partition):
        scales = [
            make(mechanism=mechanism, partition=partition, relation=r).fit(*table()).privacy_.releases[0].scale
            for r in ("add-remove", "replace-one")
        ]
        assert scales[1] == 2 * scales[0]

    @everywhere
    def test_all_of_it_goes_to_the_leaves(self, mechanism, partition):
        model = make(mechanism=mechanism, partition=partition).fit(*table())
        assert model.privacy_.budget_split() == {"leaves": 1.0}


class TestMargins:
    @everywhere
    def test_two_classes_vote_against_each_other(self, mechanism, partition):
        X, y = table()
        model = make(mechanism=mechanism, partition=partition).fit(X, y)
        p = model.predict_proba(X)
        np.testing.assert_allclose(model.decision_function(X), p[:, 1] - p[:, 0], atol=1e-15)

    def test_a_tie_goes_to_the_first_class(self):
        X, y = table()
        model = make(privacy=None).fit(X, y + 9)
        assert set(model.predict(X)) == {0}


class TestSoftLeaves:
    @pytest.mark.parametrize("partition", ["disjoint", "shared"])
    def test_cost_what_votes_cost_and_divide_them(self, partition):
        X, y = table(300)
        vote, soft = (make(leaf=leaf, partition=partition, epsilon=0.7).fit(X, y) for leaf in ("vote", "soft"))
        assert vote.privacy_.releases == soft.privacy_.releases
        for hard, divided in zip(vote.ensemble_.trees, soft.ensemble_.trees, strict=True):  # same draws, same counts
            told_apart = divided.values.max(axis=1) > 0.5 + 1e-12  # two counts of 0 or less are divided equally
            assert told_apart.any()
            assert (hard.values.argmax(axis=1) == divided.values.argmax(axis=1))[told_apart].all()
            np.testing.assert_allclose(divided.values.sum(axis=1), 1.0)
            assert (divided.values < 1.0).all()

    def test_need_counts(self):
        with pytest.raises(ParameterError, match=r"'leaf'.*exponential"):
            make(leaf="soft", mechanism="exponential").fit(*table())

    def test_without_noise_are_the_shares_of_the_classes(self):
        X, y = table(60)
        model = make(leaf="soft", privacy=None, partition="shared", n_trees=1).fit(X, y)
        tree, codes = model.ensemble_.trees[0], model._trained.encoder.encode(X)
        leaves = np.array([leaf_of(tree, codes[:, i]) for i in range(60)])
        for leaf in np.unique(leaves):
            share = np.bincount(y[leaves == leaf], minlength=2) / (leaves == leaf).sum()
            np.testing.assert_allclose(tree.values[leaf], share, rtol=1e-12)
