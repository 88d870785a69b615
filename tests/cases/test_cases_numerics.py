"""Labels of every type, probabilities that are probabilities, two classes and more, budgets from tiny to huge."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss

from privboost import Domain, Numeric
from privboost.ensembles.ensemble import Ensemble
from privboost.errors import PlanError
from privboost.trees.tree import Splits, Tree

pytestmark = pytest.mark.filterwarnings("ignore:'random_state' is set:privboost.errors.PrivacyWarning")

TWO_PLACES = Domain({"x": Numeric(0, 1)})


def two_places(n_rows=400):
    """Rows at 0.1 and 0.9, the first half here and the second there."""
    return np.repeat([0.1, 0.9], n_rows // 2).reshape(-1, 1)


def longer(learner):
    """Settings with which random trees learn where one threshold matters."""
    return {"n_rounds": 15, "trees_per_round": 4} if learner.is_boosting else {}


class TestLabelsOfEveryType:
    """(classes as declared, label on the left, label on the right)."""

    LABELS = (
        ([0, 1], 0, 1),
        ([-1, 1], 1, -1),
        ([1, 2], 1, 2),
        ([10**9, -3], -3, 10**9),
        ([True, False], False, True),
        (["b", "a"], "b", "a"),
        (["a", "b"], "b", "a"),
        (np.array(["no", "yes"]), np.str_("yes"), np.str_("no")),
        ([0.0, 1.0], 0.0, 1.0),
        (np.array([2, 7], np.int8), np.int8(7), np.int8(2)),
        (("ja", "nein"), "nein", "ja"),
        (pd.Index(["low", "high"]), "low", "high"),
        (["é", "日本"], "日本", "é"),
        ([0, True], 0, 1),
    )

    @pytest.mark.parametrize(("classes", "left", "right"), LABELS, ids=lambda v: repr(v)[:16])
    def test_are_learnt_and_returned_as_declared(self, classifier, classes, left, right):
        X = two_places()
        y = np.array([left] * 200 + [right] * 200)
        model = classifier(domain=TWO_PLACES, classes=classes, epsilon=1e4, n_bins=2, **longer(classifier)).fit(X, y)
        assert model.score(X, y) > 0.99
        assert model.classes_.tolist() == sorted(np.array(list(classes)).tolist())
        assert model.predict(X).dtype == model.classes_.dtype
        assert set(model.predict(X).tolist()) <= set(model.classes_.tolist())
        column = model.predict_proba(X)[:, model.classes_.tolist().index(left)]
        assert column[:200].min() > 0.5 > column[200:].max()

    @pytest.mark.parametrize("wrap", [list, np.array, pd.Series, lambda y: pd.Series(y, dtype="category"), tuple])
    def test_in_every_container(self, classifier, wrap):
        X = two_places()
        y = ["u"] * 200 + ["t"] * 200
        extra = longer(classifier)
        model = classifier(domain=TWO_PLACES, classes=["u", "t"], epsilon=1e4, n_bins=2, **extra).fit(X, wrap(y))
        assert (model.predict(X) == np.array(y)).all()

    def test_mixed_text_and_numbers_are_refused(self, classifier):
        with pytest.raises(TypeError, match="'classes'"):
            classifier(domain=TWO_PLACES, classes=[0, "1"]).fit(two_places(), [0] * 400)

    def test_the_order_in_which_classes_are_declared_changes_nothing(self, classifier, square):
        X, y = square(60, n_classes=3)
        models = [classifier(classes=c).fit(X, y) for c in ([0, 1, 2], [2, 0, 1])]
        np.testing.assert_array_equal(models[0].predict_proba(X), models[1].predict_proba(X))


class TestProbabilities:
    @pytest.mark.parametrize("n_classes", [2, 3, 5])
    @pytest.mark.parametrize("epsilon", [1e-3, 0.1, 10.0, 1e6])
    def test_lie_in_0_1_and_add_up(self, classifier, square, n_classes, epsilon):
        X, y = square(200, n_classes=n_classes)
        model = classifier(classes=range(n_classes), epsilon=epsilon).fit(X, y)
        p = model.predict_proba(X)
        assert p.shape == (200, n_classes)
        assert (p >= 0).all()
        assert (p <= 1).all()
        np.testing.assert_allclose(p.sum(axis=1), 1.0, atol=1e-12)
        assert np.isfinite(log_loss(y, p, labels=list(range(n_classes))))

    def test_are_more_than_yes_and_no(self, classifier):
        rng = np.random.default_rng(0)
        X, y = rng.random((500, 2)), rng.integers(0, 2, 500)
        settings = {"n_trees": 21} if classifier.is_forest else {}
        p = classifier(epsilon=0.1, **settings).fit(X, y).predict_proba(X)
        assert len(np.unique(p)) > 2
        assert ((p > 0) & (p < 1)).any()

    @pytest.mark.parametrize("alpha", [1e-3, 0.1, 1.0])
    def test_stay_finite_for_scores_of_a_million(self, alpha):
        # A stump whose leaves add up to +-1e6, by 100 trees.
        split = Splits(np.array([0], np.int32), np.array([2], np.uint8), np.array([255], np.uint8), np.array([False]))
        tree = Tree(1, split, np.array([[-10.0], [10.0]]))
        codes = np.array([[1, 2]], np.uint8)
        for weight in (1e3, 1e6, 1e300):
            ensemble = Ensemble("margin", 2, (tree,) * 100, np.full(100, weight), np.zeros(100, np.int64), alpha)
            p = ensemble.probabilities(codes)
            np.testing.assert_allclose(p, [[1, 0], [0, 1]], atol=1e-6)
            assert np.isfinite(ensemble.decision(codes)).all()

    def test_predictions_follow_probabilities_and_margins(self, classifier, square):
        for n_classes in (2, 4):
            X, y = square(200, n_classes=n_classes)
            model = classifier(classes=range(n_classes)).fit(X, y)
            p, margin, label = model.predict_proba(X), model.decision_function(X), model.predict(X)
            if n_classes == 2:
                np.testing.assert_array_equal(label, (margin > 0).astype(int))
                np.testing.assert_array_equal(np.sign(p[:, 1] - p[:, 0]), np.sign(margin))
            else:
                np.testing.assert_array_equal(label, margin.argmax(axis=1))
                best = p.max(axis=1)
                np.testing.assert_allclose(p[np.arange(200), label], best, rtol=1e-12)


class TestShapesOfAnswers:
    def test_two_classes(self, classifier, square):
        X, y = square(60)
        model = classifier().fit(X, y)
        assert model.predict_proba(X).shape == (60, 2)
        assert model.decision_function(X).shape == (60,)
        assert model.predict(X).shape == (60,)

    def test_three_classes_of_which_two_occur(self, classifier, square):
        X, y = square(60)
        model = classifier(classes=[0, 1, 2]).fit(X, y)
        assert model.predict_proba(X).shape == (60, 3)
        assert model.decision_function(X).shape == (60, 3)
        np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0, atol=1e-12)

    def test_many_classes_are_learnt(self, classifier):
        X = np.tile(np.linspace(0.05, 0.95, 10), 300).reshape(-1, 1)
        y = np.tile(np.arange(10), 300)
        settings = {"n_trees": 60, "max_depth": 6} if classifier.is_forest else {"max_depth": 4}
        settings |= longer(classifier)
        if classifier.name == "tree":
            settings["criterion"] = "log"  # the zero-one criterion sees no gain in most splits of one class from nine
        model = classifier(domain=TWO_PLACES, classes=range(10), epsilon=1e5, **settings).fit(X, y)
        assert model.score(X, y) > 0.9


class TestBudgetsOfEverySize:
    @pytest.mark.parametrize("epsilon", [1e-30, 1e-12, 1e-6, 1e4, 1e12, 1e300])
    def test_train_and_state_what_they_cost(self, learner, square, epsilon):
        X, y = square(60)
        if learner.delta and epsilon < 1e-20:
            # Noise on integers has a price of its own, beside which such a budget is nothing.
            with pytest.raises(PlanError, match=r"too small for Gaussian noise|no budget for the Gaussian ones"):
                learner(epsilon=epsilon).fit(X, y)
            return
        model = learner(epsilon=epsilon).fit(X, y)
        assert 0 < model.privacy_.spent <= epsilon
        assert np.isfinite(learner.answers(model, X)).all()

    @pytest.mark.parametrize("epsilon", [5e-324, 1e-300])
    def test_below_what_noise_can_hold_are_refused_from_public_numbers(self, learner, square, epsilon, observe):
        X, y = square(60)
        outcomes = [observe(lambda labels=labels: learner(epsilon=epsilon).fit(X, labels)) for labels in (y, y * 0)]
        assert outcomes[0] == outcomes[1]
        assert outcomes[0].error is not None
        assert outcomes[0].error[0] == "PlanError"
        assert re.search("too small|buys nothing", outcomes[0].error[1])

    def test_a_larger_budget_adds_less_noise(self, learner, square):
        X, y = square(60)
        scales = []
        for epsilon in (0.01, 0.1, 1.0, 10.0):
            leaves = learner(epsilon=epsilon).fit(X, y).privacy_.releases[-1]
            scales.append(leaves.scale / leaves.sensitivity)
        assert scales == sorted(scales, reverse=True)
        assert len(set(scales)) == 4

    def test_a_huge_budget_leaves_no_noise_in_the_leaves(self, make_learner, square):
        X, y = square(200)
        make = make_learner("tree")
        private = make(epsilon=1e9, leaf_smoothing=0).fit(X, y)
        exact = make(privacy=None, leaf_smoothing=0).fit(X, y)
        np.testing.assert_allclose(private.score(X, y), exact.score(X, y), atol=1e-12)


class TestScoresStayBounded:
    def test_by_the_number_of_trees_the_step_and_the_clip(self, make_learner, square):
        X, _ = square(200)
        y = np.ones(200, int)
        model = make_learner("boosted")(n_trees=50, leverage_scale=1.9, leaf_clip=3.0, epsilon=0.01).fit(X, y)
        bound = sum(
            abs(w) * np.abs(t.values).max() for w, t in zip(model.ensemble_.weights, model.ensemble_.trees, strict=True)
        )
        assert np.abs(model.decision_function(X)).max() <= bound * (1 + 1e-12)
        assert all(np.abs(t.values).max() <= 3.0 for t in model.ensemble_.trees)
        # Each step moves a score by at most scale * alpha * mean weight * edge / clip^2 times a leaf's value.
        assert bound <= 50 * 1.9 * 1.0 * 1.0
        assert max(model.plan_.weight_bounds) <= 1.0

    @pytest.mark.parametrize("name", ["random trees, laplace", "random trees, gaussian", "numbers, laplace"])
    @pytest.mark.parametrize("end", [0, 1])
    def test_where_every_gradient_points_the_same_way(self, name, end, make_learner, square):
        X, _ = square(100)
        make = make_learner(name)
        settings = {"n_rounds": 100, "learning_rate": 1.0, "epsilon": 0.01, "score_reach": 100.0}
        model = make(**settings).fit(X, np.full(100, end))
        scores = model.ensemble_.scores(model._trained.encoder.encode(X))
        # A leaf moves a score by the learning rate at most, and a round's trees move it by their mean.
        assert np.abs(scores - model.ensemble_.base[0]).max() <= 100 * (1 + 1e-9)
        answers = make.answers(model, X)
        assert ((answers >= 0) & (answers <= 1)).all()
        low = {event.scale for event in model.privacy_.releases}
        assert all(np.isfinite(scale) and scale > 0 for scale in low)


class TestThreads:
    def test_models_trained_side_by_side_are_those_trained_one_by_one(self, learner, square):
        X, y = square(200)
        alone = [learner.answers(learner(random_state=s).fit(X, y), X) for s in range(6)]
        with ThreadPoolExecutor(4) as pool:
            together = list(pool.map(lambda s: learner.answers(learner(random_state=s).fit(X, y), X), range(6)))
        for one, other in zip(alone, together, strict=True):
            np.testing.assert_array_equal(one, other)
