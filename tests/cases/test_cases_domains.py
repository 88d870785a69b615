"""Domains at their ends: constant columns, a column twice, the most categories, numbers of any size, many columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from privboost import Boolean, Categorical, Domain, Numeric, Ordinal, load

pytestmark = pytest.mark.filterwarnings("ignore:'random_state' is set:privboost.errors.PrivacyWarning")


def check(learner, model, X, tmp_path):
    """It answers in finite numbers, within its budget, and so does what is in its file."""
    answers = learner.answers(model, X)
    assert np.isfinite(answers).all()
    assert 0 < model.privacy_.spent <= model.epsilon
    assert all(np.isfinite(tree.values).all() for tree in model.ensemble_.trees)
    model.save(tmp_path / "model.json")
    np.testing.assert_array_equal(learner.answers(load(tmp_path / "model.json"), X), answers)


class TestColumnsThatSayNothing:
    def test_a_constant_attribute_beside_others(self, learner, square, tmp_path):
        X, y = square(60)
        domain = Domain({"a": Numeric(0, 1), "never": Numeric(3, 3), "only": Ordinal(["x"]), "b": Numeric(0, 1)})
        frame = pd.DataFrame({"a": X[:, 0], "never": 3.0, "only": "x", "b": X[:, 1]})
        model = learner(domain=domain).fit(frame, y)
        check(learner, model, frame, tmp_path)
        attributes = np.concatenate([tree.splits.attribute for tree in model.ensemble_.trees])
        assert set(attributes.tolist()) <= {0, 3}

    @pytest.mark.parametrize("value", [0.5, 0.0, 1.0, np.nan, -7.0])
    def test_a_column_of_one_value(self, learner, square, tmp_path, value):
        X, y = square(60)
        X[:, 1] = value
        check(learner, learner().fit(X, y), X, tmp_path)

    def test_all_rows_are_the_same(self, learner, tmp_path):
        X, y = np.full((60, 2), 0.3), np.arange(60) % 2
        check(learner, learner().fit(X, y), X, tmp_path)

    def test_the_same_column_under_two_names(self, learner, square, tmp_path):
        X, y = square(60)
        X[:, 1] = X[:, 0]
        check(learner, learner().fit(X, y), X, tmp_path)

    def test_the_same_name_twice_is_refused(self, learner, square):
        X, y = square(60)
        with pytest.raises(ValueError, match="two columns named 'a'"):
            learner().fit(pd.DataFrame(X, columns=["a", "a"]), y)


class TestLargeDomains:
    @pytest.mark.parametrize("epsilon", [1e-3, 1.0, 1e5])
    def test_as_many_categories_as_there_are_codes(self, learner, tmp_path, epsilon):
        rng = np.random.default_rng(0)
        words = [f"k{i}" for i in range(254)]
        domain = Domain({"c": Categorical(words), "o": Ordinal(words), "b": Boolean(missing=True)})
        X = np.empty((80, 3), object)
        X[:, 0] = rng.choice([*words, "unlisted"], 80)
        X[:, 1] = rng.choice([*words, None], 80)
        X[:, 2] = rng.choice([True, False, None], 80)
        model = learner(domain=domain, epsilon=epsilon).fit(X, rng.integers(0, 2, 80))
        check(learner, model, X, tmp_path)

    @pytest.mark.parametrize("n_bins", [2, 254])
    @pytest.mark.parametrize(
        ("low", "high"),
        [(-8e307, 8e307), (0, 1e308), (0, 5e-324), (0, 1e-320), (1, 1 + 2**-50), (1e15, 1e15 + 1), (-1e-300, 1e300)],
    )
    def test_numbers_of_any_size(self, learner, tmp_path, low, high, n_bins):
        X = np.linspace(low, high, 60).reshape(-1, 1)
        y = (np.arange(60) >= 30).astype(int)
        for epsilon in (1.0, 1e5):
            model = learner(domain=Domain({"x": Numeric(low, high)}), n_bins=n_bins, epsilon=epsilon).fit(X, y)
            check(learner, model, X, tmp_path)

    def test_many_columns(self, learner, tmp_path):
        rng = np.random.default_rng(0)
        X = rng.random((40, 300))
        domain = Domain({f"x{i}": Numeric(0, 1) for i in range(300)})
        check(learner, learner(domain=domain).fit(X, rng.integers(0, 2, 40)), X, tmp_path)

    @pytest.mark.parametrize("ends", [(0.0, 1e308), (-1e-300, 1e300), (0.0, 5e-324), (1e15, 1e15 + 1)])
    def test_targets_of_any_size(self, make_learner, square, tmp_path, ends):
        X, y = square(60)
        learner = make_learner("numbers, laplace")
        for loss in ("squared_error", "absolute_error"):
            model = learner(target_range=ends, loss=loss).fit(X, np.where(y, ends[1], ends[0]))
            check(learner, model, X, tmp_path)
            assert model.predict(X).min() >= ends[0]
            assert model.predict(X).max() <= ends[1]
