"""The bases of classifiers and regressors, with learners that make one release: delta, weights, ranges, refinements."""

from __future__ import annotations

import dataclasses
import inspect
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator

from privboost import BDPEClassifier, Domain, Numeric, PrivateForestClassifier, PrivateTreeClassifier
from privboost.data.refinement import Refinement
from privboost.ensembles.ensemble import Ensemble
from privboost.errors import (
    ModelFileError,
    ParameterError,
    ParameterTypeError,
    PrivacyWarning,
    SchemaError,
    VerificationError,
)
from privboost.estimators import loading
from privboost.estimators.classifier import PrivateClassifier, class_factors
from privboost.estimators.parameters import mapping_from_text, mapping_to_text
from privboost.estimators.regressor import PrivateRegressor
from privboost.estimators.training import Outcome
from privboost.exchange.record import ModelRecord
from privboost.privacy.accounting import PlannedRelease
from privboost.privacy.mechanisms import Exact, Gaussian, Laplace, RawSums
from privboost.privacy.verify import verify_statement
from privboost.sources.local import GRID
from privboost.trees.tree import Splits, Tree

ignore_seed = pytest.mark.filterwarnings("ignore:'random_state' is set:privboost.errors.PrivacyWarning")

DOMAIN = Domain({"a": Numeric(0, 1), "b": Numeric(0, 1)})


@dataclass(frozen=True)
class OnePlan:
    releases: tuple[PlannedRelease, ...]
    n_rows: int
    n_cells: int

    def to_dict(self) -> dict[str, Any]:
        return {"n_rows": self.n_rows, "n_cells": self.n_cells}


class OneRelease:
    """One split of the first attribute, and one release of the weights on its two sides."""

    _privacy_choices = ("dp", None)

    def _check_parameters(self):
        pass

    def _plan(self, facts):
        gaussian = facts.delta > 0 and self.noise == "gaussian"
        name = "none" if facts.epsilon is None else self.noise
        budget = Fraction(0) if gaussian else Fraction(facts.epsilon or 0)
        size = 2 * max(facts.n_classes, 2)
        release = PlannedRelease(
            "leaves", name, budget, 1, "sequential", facts.unit.distance, size, 20.0 if gaussian else None
        )
        return OnePlan((release,), facts.n_rows, facts.n_cells)

    def _release(self, training, plan, table):
        kind = {"laplace": Laplace, "gaussian": Gaussian, "none": Exact}[plan.releases[0].mechanism]
        norm = "l2" if kind is Gaussian else "l1"
        sums = RawSums(np.floor(table.reshape(1, -1) * GRID).astype(np.int64), GRID, norm=norm)
        released = kind.for_release(plan.releases[0], GRID).apply(sums, training.randomness, training.ledger)
        return np.maximum(released.values.reshape(2, -1), 1) / GRID

    def _sides(self, training):
        """Return each row's side of the split, the split, and the refinement it belongs to."""
        refinement = None
        if self.edge is not None:
            none = (None,) * (len(training.layout) - 1)
            refinement = Refinement((np.array([self.edge]), *none), (None, *none))
        side = (training.encode(refinement)[0] >= 2).astype(int)
        one = np.array([2], np.uint8)
        last = np.array([255], np.uint8)
        return side, Splits(np.array([0], np.int32), one, last, np.array([False])), refinement


class OneReleaseClassifier(OneRelease, PrivateClassifier):
    _mappings = ("class_weight",)

    def __init__(
        self,
        epsilon=1.0,
        *,
        delta=0.0,
        noise="laplace",
        edge=None,
        max_depth=1,
        n_bins=10,
        relation="add-remove",
        rows_per_person=1,
        max_sample_weight=1.0,
        class_weight=None,
        domain=None,
        classes=None,
        privacy="dp",
        random_state=None,
        verbose=False,
    ):
        self.epsilon = epsilon
        self.delta = delta
        self.noise = noise
        self.edge = edge
        self.max_depth = max_depth
        self.n_bins = n_bins
        self.relation = relation
        self.rows_per_person = rows_per_person
        self.max_sample_weight = max_sample_weight
        self.class_weight = class_weight
        self.domain = domain
        self.classes = classes
        self.privacy = privacy
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X, y, sample_weight=None):
        return self._fit(X, y, sample_weight)

    def _train(self, training, plan):
        side, splits, refinement = self._sides(training)
        table = np.zeros((2, training.n_classes))
        np.add.at(table, (side, training.labels), training.row_units() / GRID)
        values = self._release(training, plan, table)
        tree = Tree(1, splits, values / values.sum(axis=1, keepdims=True))
        outputs = np.full(1, -1)
        return Outcome(Ensemble("vote", training.n_classes, (tree,), np.ones(1), outputs), plan, refinement)


class OneReleaseRegressor(OneRelease, PrivateRegressor):
    def __init__(
        self,
        epsilon=1.0,
        *,
        delta=0.0,
        noise="laplace",
        edge=None,
        max_depth=1,
        n_bins=10,
        relation="add-remove",
        rows_per_person=1,
        max_sample_weight=1.0,
        target_range=None,
        domain=None,
        privacy="dp",
        random_state=None,
        verbose=False,
    ):
        self.epsilon = epsilon
        self.delta = delta
        self.noise = noise
        self.edge = edge
        self.max_depth = max_depth
        self.n_bins = n_bins
        self.relation = relation
        self.rows_per_person = rows_per_person
        self.max_sample_weight = max_sample_weight
        self.target_range = target_range
        self.domain = domain
        self.privacy = privacy
        self.random_state = random_state
        self.verbose = verbose

    def _train(self, training, plan):
        side, splits, refinement = self._sides(training)
        weights, target = training.row_units() / GRID, training.target
        table = np.zeros((2, 2))
        np.add.at(table, (side, 0), weights * (1 - target))
        np.add.at(table, (side, 1), weights * target)
        values = self._release(training, plan, table)
        tree = Tree(1, splits, values[:, 1:] / values.sum(axis=1, keepdims=True))
        return Outcome(Ensemble("identity", 1, (tree,), np.ones(1), np.zeros(1, int)), plan, refinement)


def table(n_rows: int = 200) -> np.ndarray:
    return np.random.default_rng(0).random((n_rows, 2))


def labels(X: np.ndarray) -> np.ndarray:
    return (X[:, 0] > 0.1).astype(int)


def classifier(**parameters: Any) -> OneReleaseClassifier:
    return OneReleaseClassifier(**{"epsilon": 50.0, "domain": DOMAIN, "classes": [0, 1], **parameters})


def regressor(**parameters: Any) -> OneReleaseRegressor:
    return OneReleaseRegressor(**{"epsilon": 50.0, "domain": DOMAIN, "target_range": (10, 30), **parameters})


def exact(kind: Any, **parameters: Any) -> Any:
    return kind(privacy=None, **parameters)


both = pytest.mark.parametrize(("make", "target"), [(classifier, labels), (regressor, lambda X: 10 + 20 * X[:, 0])])


class TestTogether:
    @both
    def test_train_answer_and_state_a_guarantee(self, make, target):
        X = table()
        model = make().fit(X, target(X))
        assert model.score(X, target(X)) > 0.2
        assert model.is_private_
        assert verify_statement(model.privacy_).private
        assert model.n_features_in_ == 2
        assert model.plan_.n_cells == 22

    @both
    def test_clone_and_parameters(self, make, target):
        model = make(delta=1e-9, max_sample_weight=3.0)
        twin = clone(model)
        for name, value in model.get_params().items():
            assert twin.get_params()[name] == value
        assert "sample_weight" in inspect.signature(twin.fit).parameters

    def test_tags(self):
        for model, kind in ((classifier(), is_classifier), (regressor(), is_regressor)):
            assert kind(model)
            tags = get_tags(model)
            assert tags.input_tags.allow_nan
            assert tags.input_tags.string
            assert tags.target_tags.required
            assert tags.non_deterministic
            assert not get_tags(clone(model).set_params(random_state=0)).non_deterministic

    @both
    def test_privacy_has_the_choices_of_the_learner(self, make, target):
        X = table()
        with pytest.raises(ParameterError, match="'privacy' parameter must be one of 'dp', None"):
            make(privacy="pure").fit(X, target(X))
        with pytest.raises(ParameterError, match="one of 'pure', None"):
            BDPEClassifier(privacy="dp", domain=DOMAIN, classes=[0, 1]).fit(X, labels(X))

    def test_learners_without_the_parameters_have_none(self):
        X = table()
        for cls in (BDPEClassifier, PrivateForestClassifier, PrivateTreeClassifier):
            assert not {"delta", "max_sample_weight", "class_weight"} & set(cls().get_params())
            assert list(inspect.signature(cls.fit).parameters) == ["self", "X", "y"]
            assert cls(max_depth=1, domain=DOMAIN, classes=[0, 1]).fit(X, labels(X)).privacy_.delta == 0.0


class TestDelta:
    @both
    @pytest.mark.parametrize("delta", [-1e-9, 1.0, np.nan, np.inf, True, "0", None])
    def test_out_of_range(self, make, target, delta):
        X = table()
        with pytest.raises(ParameterError, match="'delta' parameter must be a number of 0 or more and below 1"):
            make(delta=delta).fit(X, target(X))

    @both
    def test_stands_in_the_statement(self, make, target):
        X = table()
        model = make(delta=1e-6, noise="gaussian", epsilon=1.0).fit(X, target(X))
        assert model.privacy_.delta == 1e-6
        assert "This model is (ε, δ)-differentially private with ε = 1, δ = 1e-06, " in str(model.privacy_)
        assert verify_statement(model.privacy_).private
        pure = make().fit(X, target(X)).privacy_
        assert pure.delta == 0.0
        assert "(pure: δ = 0)" in str(pure)

    @both
    def test_more_than_the_budget_is_refused_after_training(self, make, target):
        X = table()
        with pytest.raises(VerificationError, match=r"more than epsilon = 0\.001"):
            make(delta=1e-6, noise="gaussian", epsilon=0.001).fit(X, target(X))

    @both
    @pytest.mark.parametrize("delta", [0.005, 0.1])
    def test_large_enough_to_publish_a_row_warns(self, make, target, delta):
        X = table(200)
        with pytest.warns(
            PrivacyWarning, match=r"'delta' is .* 1 / number of rows, 0\.005: .* publish a whole row"
        ) as w:
            make(delta=delta).fit(X, target(X))
        assert w[0].filename == __file__
        make(delta=0.0049).fit(X, target(X))

    @both
    def test_is_nothing_without_privacy(self, make, target):
        X = table()
        model = make(delta=0.5, privacy=None).fit(X, target(X))
        assert model.privacy_.delta == 0.0
        assert model.privacy_.epsilon is None


class TestTargetRange:
    def test_is_required_under_privacy(self):
        with pytest.raises(SchemaError, match=r"needs 'target_range': .*target_range=\(0, 100\).* would leak"):
            regressor(target_range=None).fit(table(), np.ones(200))

    @pytest.mark.parametrize("value", [5, "ab", (1,), (1, 2, 3), {1, 2}, ("a", "b"), (True, 2), (None, 1), [[1], [2]]])
    def test_other_types(self, value):
        with pytest.raises(ParameterTypeError, match="'target_range' parameter must be a pair of finite numbers"):
            regressor(target_range=value).fit(table(), np.ones(200))

    @pytest.mark.parametrize("value", [(1, 1), (2, 1), (0, np.inf), (np.nan, 1), (-1.5e308, 1.5e308)])
    def test_out_of_range(self, value):
        with pytest.raises(ParameterError, match="'target_range' parameter must be a pair of finite numbers"):
            regressor(target_range=value).fit(table(), np.ones(200))

    @pytest.mark.parametrize("value", [(10, 30), [10.0, 30.0], np.array([10, 30]), (np.float32(10), Fraction(30))])
    def test_holds_all_predictions(self, value):
        X = table()
        model = regressor(target_range=value, edge=0.5).fit(X, np.where(X[:, 0] < 0.5, -1e9, np.inf))
        assert model.target_range_ == (10.0, 30.0)
        assert {type(end) for end in model.target_range_} == {float}
        predicted = model.predict(X)
        assert predicted.dtype == np.float64
        assert set(np.round(predicted)) == {10.0, 30.0}
        assert predicted.min() >= 10.0
        assert predicted.max() <= 30.0
        assert "the range of the target" in str(model.privacy_)
        assert "the list of classes" not in str(model.privacy_)

    def test_is_read_off_the_rows_without_privacy(self):
        X = table()
        model = exact(OneReleaseRegressor).fit(X, 3 + X[:, 0])
        assert model.target_range_ == (3 + X[:, 0].min(), 3 + X[:, 0].max())
        assert exact(regressor).fit(X, 3 + X[:, 0]).target_range_ == (10.0, 30.0)
        assert model.set_params(target_range=(0, 5)).fit(X, 3 + X[:, 0]).target_range_ == (0.0, 5.0)

    def test_a_missing_number_weighs_nothing(self):
        X = table()
        y = np.where(X[:, 1] < 0.5, 20.0, np.nan)
        np.testing.assert_allclose(exact(regressor).fit(X, y).predict(X), 20.0, atol=1e-3)

    def test_text_is_refused_by_its_dtype(self):
        with pytest.raises(SchemaError, match="y holds text") as caught:
            regressor().fit(table(3), np.array(["SECRET", "1", "2"]))
        assert "SECRET" not in str(caught.value)
        regressor().fit(table(3), ["SECRET", 1, None])

    def test_no_y(self):
        with pytest.raises(ValueError, match="requires y to be passed"):
            regressor().fit(table(), None)
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            regressor().fit(table(), np.ones(3))


class TestSampleWeight:
    @both
    def test_rows_without_weight_do_not_count(self, make, target):
        X = table()
        wrong = np.arange(200) % 3 == 0
        y = np.where(wrong, target(X[::-1]), target(X))
        given = exact(make).fit(X, y, sample_weight=np.where(wrong, np.nan, 0.7))
        rest = exact(make).fit(X[~wrong], y[~wrong])
        answer = "predict" if make is regressor else "predict_proba"
        np.testing.assert_allclose(getattr(given, answer)(X), getattr(rest, answer)(X), atol=1e-4)

    def test_larger_ones_are_clipped(self):
        X, y = table(), np.arange(200) % 2
        clipped = exact(classifier, max_sample_weight=2.0).fit(X, y, sample_weight=np.where(y == 0, 1e9, 1.0))
        even = exact(classifier, max_sample_weight=2.0).fit(X, y, sample_weight=np.where(y == 0, 2.0, 1.0))
        np.testing.assert_array_equal(clipped.predict_proba(X), even.predict_proba(X))
        negative = exact(classifier).fit(X, y, sample_weight=np.where(y == 0, -5.0, 1.0))
        assert negative.predict_proba(X)[:, 0].max() < 1e-3

    def test_without_privacy_and_bound_the_largest_becomes_one(self):
        X, y = table(), np.arange(200) % 2
        many = exact(classifier).fit(X, y, sample_weight=np.where(y == 0, 3e5, 1e5))
        assert many.predict_proba(X)[:, 0].mean() == pytest.approx(0.75, abs=0.1)

    def test_under_privacy_they_are_clipped_to_one(self):
        X, y = table(2000), np.arange(2000) % 2
        model = classifier().fit(X, y, sample_weight=np.where(y == 0, 3e5, 1e5))
        assert model.predict_proba(X)[:, 0].mean() == pytest.approx(0.5, abs=0.1)

    @both
    @pytest.mark.parametrize(
        "weights",
        [np.ones(3), np.ones((200, 2)), np.ones((200, 1)), 1.0, ["a"], np.array(["a"] * 200), np.ones(200) * 1j],
    )
    def test_of_another_shape_or_dtype_are_refused(self, make, target, weights):
        X = table()
        with pytest.raises(SchemaError, match="sample_weight"):
            make().fit(X, target(X), sample_weight=weights)

    @both
    def test_no_weight_at_all_raises_without_privacy_only(self, make, target):
        X = table()
        with pytest.raises(SchemaError, match="All sample weights are zero"):
            exact(make).fit(X, target(X), sample_weight=np.zeros(200))
        make().fit(X, target(X), sample_weight=np.zeros(200))

    @both
    @pytest.mark.parametrize("bound", [0, -1.0, np.nan, np.inf, "1", True, None])
    def test_bound_out_of_range(self, make, target, bound):
        X = table()
        with pytest.raises(ParameterError, match="'max_sample_weight' parameter must be a finite number above 0"):
            make(max_sample_weight=bound).fit(X, target(X))

    def test_of_any_kind_of_array(self):
        X, y = table(4), np.array([0, 1, 0, 1])
        first = None
        for weights in ([1, 2, None, 4], np.array([1, 2, np.nan, 4]), pd.Series([1, 2, None, 4], dtype="Int64")):
            model = exact(classifier, max_sample_weight=4).fit(X, y, sample_weight=weights)
            answer = model.predict_proba(X)
            np.testing.assert_array_equal(answer, answer if first is None else first)
            first = answer


class TestClassWeight:
    def test_factors(self):
        classes = np.array(["a", "b", "c"])
        assert class_factors(None, classes) is None
        assert class_factors({}, classes).tolist() == [1.0, 1.0, 1.0]
        assert class_factors({"b": 4}, classes).tolist() == [0.25, 1.0, 0.25]
        assert class_factors({"a": 0.5, "c": np.float32(0.25)}, classes).tolist() == [0.5, 1.0, 0.25]
        assert class_factors({True: 2.0, np.int64(0): 1.0}, np.array([0, 1])).tolist() == [0.5, 1.0]

    @pytest.mark.parametrize(
        ("value", "words"),
        [
            ("balanced", "balance the classes"),
            ([1, 2], "a dict from classes to numbers above 0"),
            ({2: 1.0}, "among 'classes'"),
            ({"0": 1.0}, "among 'classes'"),
            ({0: 0.0}, "finite numbers above 0"),
            ({0: -1}, "finite numbers above 0"),
            ({0: np.inf}, "finite numbers above 0"),
            ({0: None}, "finite numbers above 0"),
            ({0: "1"}, "finite numbers above 0"),
        ],
    )
    def test_out_of_range(self, value, words):
        X = table()
        with pytest.raises(ParameterError, match=rf"'class_weight' parameter must be .*{words}"):
            classifier(class_weight=value).fit(X, labels(X))

    def test_counts_like_a_weight(self):
        X, y = table(), np.arange(200) % 2
        by_class = exact(classifier, class_weight={0: 6, 1: 2}).fit(X, y)
        by_row = exact(classifier).fit(X, y, sample_weight=np.where(y == 0, 3.0, 1.0))
        np.testing.assert_array_equal(by_class.predict_proba(X), by_row.predict_proba(X))
        rows = exact(classifier, class_weight={0: 6, 1: 2}).fit(X, y, sample_weight=np.where(y == 0, 1.0, 3.0))
        np.testing.assert_allclose(rows.predict_proba(X), exact(classifier).fit(X, y).predict_proba(X), atol=1e-4)


class TestRefinement:
    @both
    def test_the_fitted_model_encodes_by_it(self, make, target):
        X = table()
        plain, refined = (exact(make, edge=edge).fit(X, target(X)) for edge in (None, 0.77))
        assert plain._trained.refinement is None
        assert refined._trained.refinement.edges[0].tolist() == [0.77]
        ends = np.array([[0.769, 0.0], [0.771, 0.0]])
        assert len(np.unique(refined.predict(ends) if make is regressor else refined.predict_proba(ends)[:, 0])) == 2
        assert len(np.unique(plain.predict(ends) if make is regressor else plain.predict_proba(ends)[:, 0])) == 1


def there_and_back(model: Any, monkeypatch: Any, **changes: Any) -> Any:
    """Take the record that a file would hold to a fitted model again; a file knows no learner of a test."""
    monkeypatch.setitem(loading.LEARNERS, type(model).__name__, type(model))
    return loading.from_record(dataclasses.replace(model._record(), **changes))


class TestRecords:
    @both
    @pytest.mark.parametrize(
        "parameters", [{}, {"edge": 0.77}, {"delta": 1e-6, "noise": "gaussian"}, {"privacy": None, "edge": 0.2}]
    )
    def test_there_and_back(self, make, target, parameters, monkeypatch):
        X = table()
        model = make(**parameters).fit(X, target(X))
        loaded = there_and_back(model, monkeypatch)
        assert type(loaded) is type(model)
        np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
        assert loaded.privacy_ == model.privacy_
        assert loaded.plan_ == model.plan_
        if make is regressor:
            assert loaded.target_range_ == loaded.target_range == (10.0, 30.0)
            assert not hasattr(loaded, "classes_")
        else:
            assert loaded.classes_.tolist() == [0, 1]
        assert dataclasses.astuple(loaded._trained)[1:3] == (model._trained.parameters, True)
        for name, value in model.get_params().items():
            if name not in ("classes", "target_range"):
                assert loaded.get_params()[name] == value

    @pytest.mark.parametrize(
        ("classes", "weights"),
        [([0, 1], {0: 6, 1: 2.5}), (["ja", "nein ✓"], {"nein ✓": np.float32(2)}), ([True, False], {True: 3})],
    )
    def test_class_weights_come_back(self, classes, weights, monkeypatch):
        X = table()
        model = classifier(classes=classes, class_weight=weights).fit(X, np.array(classes)[labels(X)])
        assert isinstance(model._record().parameters["class_weight"], str)
        loaded = there_and_back(model, monkeypatch)
        assert loaded.class_weight == weights
        assert loaded._record().parameters == model._record().parameters

    @pytest.mark.parametrize("text", ["", "{}", "[[0,1]]", "[[0, 0.0]]", "[[7, 1.0]]", "[[[0], 1.0]]", 5, "[[0, NaN]]"])
    def test_other_class_weights_are_refused(self, text, monkeypatch):
        X = table()
        model = classifier(class_weight={0: 2.0}).fit(X, labels(X))
        parameters = model._record().parameters | {"class_weight": text}
        with pytest.raises(ModelFileError, match="class_weight"):
            there_and_back(model, monkeypatch, parameters=parameters)

    @both
    def test_another_delta_is_refused(self, make, target, monkeypatch):
        X = table()
        model = make(delta=1e-6, noise="gaussian").fit(X, target(X))
        parameters = model._record().parameters | {"delta": 1e-9}
        with pytest.raises(VerificationError, match="another delta"):
            there_and_back(model, monkeypatch, parameters=parameters)

    @both
    def test_a_plan_of_other_numbers_is_refused(self, make, target, monkeypatch):
        X = table()
        model = make().fit(X, target(X))
        with pytest.raises(VerificationError, match="plan is not the one"):
            there_and_back(model, monkeypatch, plan={"n_rows": 200, "n_cells": 23})
        with pytest.raises(ModelFileError, match="n_rows"):
            there_and_back(model, monkeypatch, plan={"n_rows": 0, "n_cells": 22})

    @pytest.mark.parametrize("found", [None, (3.0, 1.0), (0.0, np.inf)])
    def test_a_range_out_of_range_is_refused(self, found, monkeypatch):
        X = table()
        model = regressor().fit(X, X[:, 0])
        with pytest.raises(ModelFileError, match="target_range"):
            there_and_back(model, monkeypatch, target_range=found)

    @both
    def test_a_refinement_for_other_attributes_is_refused(self, make, target, monkeypatch):
        X = table()
        model = make().fit(X, target(X))
        with pytest.raises(ModelFileError, match="refinement"):
            there_and_back(model, monkeypatch, refinement=Refinement((np.array([0.5]),), (None,)))

    def test_the_record_is_one_that_a_file_holds(self):
        X = table()
        record = regressor(edge=0.4).fit(X, X[:, 0])._record()
        assert isinstance(record, ModelRecord)
        assert record.classes == ()
        assert record.target_range == (10.0, 30.0)
        assert record.refinement.to_dict() == {"edges": [[0.4], None], "orders": [None, None]}
        assert not {"target_range", "domain", "random_state"} & set(record.parameters)


@pytest.mark.parametrize(
    "mapping", [{}, {"a": 1}, {1: 0.5, 2: -3}, {True: "x", "ü": None}, {np.int64(3): np.float32(0.1), "b": True}]
)
def test_mappings_as_text(mapping):
    text = mapping_to_text(mapping)
    assert mapping_from_text("monotone", text) == mapping
    with pytest.raises(ParameterError, match="'monotone' parameter must be the text of a JSON list of pairs"):
        mapping_from_text("monotone", text + " ")


EXPECTED = {
    "check_classifiers_train": "asks for a fit better than one split gives",
    "check_regressors_train": "asks for a fit better than one split gives",
    "check_sample_weight_equivalence_on_dense_data": "weights are rounded, and all rows make the domain",
}


@ignore_seed
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")
@pytest.mark.parametrize(
    "model", [OneReleaseClassifier(privacy=None), OneReleaseRegressor(privacy=None)], ids=lambda m: type(m).__name__
)
def test_scikit_learns_own_checks(model):
    results = check_estimator(model, expected_failed_checks=EXPECTED, on_fail=None, on_skip=None)
    failed = {r["check_name"]: repr(r["exception"]) for r in results if r["status"] == "failed"}
    assert failed == {}
    assert {r["check_name"] for r in results if "sample_weight" in r["check_name"]}
