"""Weights of rows and of classes: public bounds, private values, noise that depends on neither."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from privboost import Domain, Numeric, PrivateBoostingClassifier, PrivateBoostingRegressor
from privboost.errors import ParameterError, ParameterTypeError

pytestmark = pytest.mark.filterwarnings("ignore:'random_state' is set:privboost.errors.PrivacyWarning")

SMALL = {"n_rounds": 3, "trees_per_round": 2, "max_depth": 2, "learning_rate": 0.5, "mechanism": "laplace"}
SHARED = {"domain": Domain({"a": Numeric(0, 1), "b": Numeric(0, 1)}), "random_state": 0}
GAUSSIAN = {"mechanism": "gaussian", "delta": 1e-6}


def table(n_rows: int = 200) -> np.ndarray:
    return np.random.default_rng(0).random((n_rows, 2))


def labels(X: np.ndarray) -> np.ndarray:
    return (X[:, 0] > 0.5).astype(int)


def classifier(**parameters: Any) -> PrivateBoostingClassifier:
    return PrivateBoostingClassifier(**{**SMALL, **SHARED, "classes": [0, 1], **parameters})


def regressor(**parameters: Any) -> PrivateBoostingRegressor:
    return PrivateBoostingRegressor(**{**SMALL, **SHARED, "target_range": (1, 3), **parameters})


MAKERS = {"classifier": (classifier, labels), "regressor": (regressor, lambda X: 1 + 2 * X[:, 0])}
both = pytest.mark.parametrize(("make", "target"), MAKERS.values(), ids=MAKERS)


def answers(model: Any, X: Any) -> np.ndarray:
    return model.predict_proba(X) if hasattr(model, "predict_proba") else model.predict(X)


class TestSampleWeight:
    @both
    @pytest.mark.parametrize("noise", [{}, GAUSSIAN], ids=["laplace", "gaussian"])
    def test_is_clipped_at_the_public_maximum(self, make, target, noise):
        X = table()
        y, rng = target(X), np.random.default_rng(1)
        weights = rng.choice([-1.0, 0.0, 0.5, 2.0, 1e300, np.inf, np.nan, -np.inf], len(X))
        clipped = np.clip(np.nan_to_num(weights, nan=0.0), 0.0, 2.0)
        models = [make(max_sample_weight=2.0, **noise).fit(X, y, sample_weight=w) for w in (weights, clipped)]
        np.testing.assert_array_equal(*(answers(m, X) for m in models))
        assert models[0].privacy_ == models[1].privacy_

    @both
    def test_noise_does_not_depend_on_it(self, make, target):
        X = table()
        y = target(X)
        heavy = np.ones(len(X))
        heavy[3] = 50.0
        fixed = {"score_reach": 0.0, "base_share": 0.0}  # scales follow released scores, and here these are all 0
        models = [make(**fixed).fit(X, y, sample_weight=w) for w in (None, heavy, 1e-9 * heavy)]
        assert models[0].privacy_.releases == models[1].privacy_.releases == models[2].privacy_.releases

    @both
    def test_the_maximum_is_a_unit(self, make, target):
        X = table()
        y = target(X)
        plain = make().fit(X, y)
        twice = make(max_sample_weight=2.0).fit(X, y, sample_weight=np.full(len(X), 2.0))
        np.testing.assert_array_equal(answers(plain, X), answers(twice, X))

    @both
    def test_a_row_without_weight_is_a_null_row(self, make, target):
        X = table()
        y = target(X)
        out = np.arange(len(X)) % 3 == 0
        weightless = make().fit(X, y, sample_weight=np.where(out, 0.0, 1.0))
        unlisted = make().fit(X, np.where(out, 99 if make is classifier else np.nan, y))
        np.testing.assert_array_equal(answers(weightless, X), answers(unlisted, X))

    @both
    def test_without_privacy_the_largest_is_the_unit(self, make, target):
        X = table()
        y = target(X)
        weights = np.random.default_rng(0).random(len(X))
        models = [make(privacy=None).fit(X, y, sample_weight=factor * weights) for factor in (1.0, 1024.0)]
        np.testing.assert_array_equal(*(answers(m, X) for m in models))
        with pytest.raises(ValueError, match="zero"):
            make(privacy=None).fit(X, y, sample_weight=np.zeros(len(X)))

    @both
    def test_of_another_length_is_refused(self, make, target):
        X = table()
        with pytest.raises(ValueError, match="sample_weight holds 3 weights"):
            make().fit(X, target(X), sample_weight=np.ones(3))


class TestClassWeight:
    def test_moves_the_answers_towards_the_heavier_class(self):
        X = table(2000)
        y = np.random.default_rng(2).integers(0, 2, 2000)
        means = [
            classifier(epsilon=1e3, class_weight=w).fit(X, y).predict_proba(X)[:, 1].mean()
            for w in ({1: 0.25}, None, {1: 4.0})
        ]
        np.testing.assert_allclose(means, [0.2, 0.5, 0.8], atol=0.03)

    def test_only_proportions_count(self):
        X = table()
        y = labels(X)
        models = [classifier(class_weight=w).fit(X, y) for w in ({0: 2.0, 1: 0.5}, {0: 1, 1: 0.25}, {0: 1e6, 1: 2.5e5})]
        for other in models[1:]:
            np.testing.assert_array_equal(models[0].predict_proba(X), other.predict_proba(X))

    def test_no_row_weighs_more_than_one(self):
        X = table()
        fixed = {"score_reach": 0.0, "base_share": 0.0}
        plain, weighted = (classifier(class_weight=w, **fixed).fit(X, labels(X)) for w in (None, {1: 50.0}))
        assert plain.privacy_.releases == weighted.privacy_.releases

    @pytest.mark.parametrize("value", ["balanced", [1, 2], 3.0])
    def test_of_another_type_says_why(self, value):
        X = table(20)
        with pytest.raises(ParameterTypeError, match=r"'class_weight'.*would have to count the private labels"):
            classifier(class_weight=value).fit(X, labels(X))

    @pytest.mark.parametrize("value", [{5: 1.0}, {0: 0.0}, {0: -1.0}, {0: np.inf}, {0: "1"}])
    def test_out_of_range(self, value):
        X = table(20)
        with pytest.raises(ParameterError, match="'class_weight'"):
            classifier(class_weight=value).fit(X, labels(X))
