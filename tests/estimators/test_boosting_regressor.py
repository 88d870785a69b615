"""The regressor's losses: what each of them learns, which range of the target it needs, what it never predicts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.exceptions import DataConversionWarning

from privboost import Domain, Numeric, PrivateBoostingRegressor
from privboost.errors import ParameterError, ParameterTypeError, SchemaError, SchemaTypeError
from privboost.sources.local import GRID

pytestmark = pytest.mark.filterwarnings("ignore:'random_state' is set:privboost.errors.PrivacyWarning")

DOMAIN = Domain({"a": Numeric(0, 1), "b": Numeric(0, 1)})
LOSSES = ("squared_error", "absolute_error", "quantile", "poisson", "gamma")
every_loss = pytest.mark.parametrize("loss", LOSSES)
# Steps of the pinball loss are parts of the whole range; shorter ones settle closer.
LEARNING = {"n_rounds": 60, "trees_per_round": 2, "max_depth": 4, "learning_rate": 0.1, "epsilon": 1e4}


def make(**parameters: Any) -> PrivateBoostingRegressor:
    given = {"n_rounds": 3, "trees_per_round": 2, "max_depth": 2, "learning_rate": 0.5, "mechanism": "laplace"}
    shared = {"domain": DOMAIN, "target_range": (1, 9), "random_state": 0}
    return PrivateBoostingRegressor(**{**given, **shared, **parameters})


def table(n_rows: int = 200, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    X = np.random.default_rng(seed).random((n_rows, 2))
    return X, 2 + 6 * X[:, 0]


class TestLosses:
    @every_loss
    def test_follow_the_target(self, loss):
        X, y = table(2000)
        model = make(loss=loss, **LEARNING).fit(X, y)
        assert model.score(X, y) > 0.9

    @pytest.mark.parametrize("noise", ["laplace", "gaussian"])
    def test_squared_error_finds_means_and_absolute_error_medians(self, noise):
        # Apart by less than an eighth of the range: residuals beyond that count as an eighth.
        X, _ = table(4000)
        y = np.where(np.random.default_rng(1).random(4000) < 0.25, 5.9, 5.0)
        # Rows say nothing of y here: the best of several tests would be the one that fits noise best.
        settings = {**LEARNING, "mechanism": noise, "delta": 1e-9, "tests_per_node": 1}
        mean, median = (
            make(loss=loss, **settings).fit(X, y).predict(X) for loss in ("squared_error", "absolute_error")
        )
        np.testing.assert_allclose(mean.mean(), 5.225, atol=0.02)
        assert np.median(np.abs(median - 5.0)) < 0.1

    def test_squared_error_without_privacy_finds_means_of_any_numbers(self):
        X, _ = table(4000)
        y = np.where(np.random.default_rng(1).random(4000) < 0.25, 9.0, 1.0)
        predicted = make(privacy=None, **LEARNING).fit(X, y).predict(X)
        np.testing.assert_allclose(predicted.mean(), 3.0, atol=0.15)

    @pytest.mark.parametrize("quantile", [0.1, 0.5, 0.9])
    def test_the_quantile_has_that_share_of_rows_below_it(self, quantile):
        X, _ = table(4000)
        y = 1 + 8 * np.random.default_rng(1).random(4000)
        predicted = make(loss="quantile", quantile=quantile, **LEARNING).fit(X, y).predict(X)
        np.testing.assert_allclose((y < predicted).mean(), quantile, atol=0.05)

    def test_absolute_error_is_the_middle_quantile(self):
        X, y = table()
        one, other = (make(**wish).fit(X, y).predict(X) for wish in ({"loss": "absolute_error"}, {"loss": "quantile"}))
        np.testing.assert_array_equal(one, other)

    @pytest.mark.parametrize("loss", ["poisson", "gamma"])
    def test_behind_a_logarithm_factors_multiply(self, loss):
        X, _ = table(4000)
        y = np.exp(0.5 + 1.0 * (X[:, 0] > 0.5) + 0.6 * (X[:, 1] > 0.5))
        settings = {**LEARNING, "n_rounds": 200}
        model = make(loss=loss, target_range=(1, 9), **settings).fit(X, y)
        low, left, top, both = model.predict(np.array([[0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75]]))
        np.testing.assert_allclose([left / low, top / low, both / top], np.exp([1.0, 0.6, 1.0]), rtol=0.15)

    def test_counts_with_many_zeros(self):
        X, _ = table(4000)
        y = np.random.default_rng(1).poisson(np.where(X[:, 0] < 0.5, 0.2, 3.0))
        model = make(loss="poisson", target_range=(0, 20), **LEARNING).fit(X, y)
        low, high = model.predict(np.array([[0.2, 0.5], [0.8, 0.5]]))
        np.testing.assert_allclose([low, high], [0.2, 3.0], rtol=0.3)


class TestRange:
    @every_loss
    def test_nothing_outside_it_is_predicted(self, loss):
        X, y = table()
        wild = np.where(X[:, 1] < 0.5, -1e300, np.inf)
        for target in (y, wild, np.full(200, np.nan)):
            for epsilon in (1e-3, 1e3):
                model = make(loss=loss, epsilon=epsilon, n_rounds=20, learning_rate=1.0, shrinkage=0.1).fit(X, target)
                predicted = model.predict(X)
                assert predicted.dtype == np.float64
                assert predicted.min() >= 1.0
                assert predicted.max() <= 9.0

    @every_loss
    def test_numbers_outside_it_count_as_its_ends(self, loss):
        X, y = table()
        odd, clipped = y.copy(), y.copy()
        odd[::7], clipped[::7] = 1e9, 9.0
        odd[1::7], clipped[1::7] = -np.inf, 1.0
        models = [make(loss=loss).fit(X, target) for target in (odd, clipped)]
        np.testing.assert_array_equal(models[0].predict(X), models[1].predict(X))
        assert models[0].privacy_ == models[1].privacy_

    @pytest.mark.parametrize(
        ("loss", "target_range", "expected"),
        [
            ("poisson", (-1, 5), "from 0 or above for loss='poisson'"),
            ("gamma", (0, 5), "from above 0 for loss='gamma'"),
            ("gamma", (-2, 5), "from above 0 for loss='gamma'"),
        ],
    )
    def test_losses_behind_a_logarithm_need_another(self, loss, target_range, expected):
        X, y = table()
        with pytest.raises(ParameterError, match=f"'target_range' parameter must be {expected}"):
            make(loss=loss, target_range=target_range).fit(X, y)

    @pytest.mark.parametrize("value", [(1, 1), (2, 1), (0, np.inf), (np.nan, 1)])
    def test_that_is_none(self, value):
        with pytest.raises(ParameterError, match="'target_range'"):
            make(target_range=value).fit(*table())

    def test_is_needed_under_privacy_and_read_off_without(self):
        X, y = table()
        with pytest.raises(SchemaError, match=r"needs 'target_range'.*would leak"):
            make(target_range=None).fit(X, y)
        model = make(target_range=None, privacy=None).fit(X, y)
        assert model.target_range_ == (y.min(), y.max())

    @pytest.mark.parametrize("target_range", [(1e-20, 1), (1e-320, 1e300), (1e-3, 1e6), (1, 1 + 1e-12)])
    def test_gamma_with_ends_far_apart_or_close_sums_within_int64(self, target_range):
        low, high = target_range
        X, _ = table()
        y = np.geomspace(max(low, 1e-300), high, 200)
        model = make(loss="gamma", target_range=target_range, n_rounds=60, learning_rate=1.0).fit(X, y)
        assert np.isfinite(model.predict(X)).all()
        # As many rows as a plan admits, 2**36, of such numbers stay below 2**63.
        assert max(event.sensitivity for event in model.privacy_.releases) <= 2**12 * GRID

    @every_loss
    def test_a_wide_one_is_usable(self, loss):
        X, y = table(2000)
        # A step of the pinball loss is a part of the range however near the target is.
        steps = {"learning_rate": 0.01, "n_rounds": 200} if loss in ("absolute_error", "quantile") else {}
        model = make(loss=loss, target_range=(1, 100), **{**LEARNING, **steps}).fit(X, y)
        assert model.score(X, y) > 0.5


class TestParameters:
    @pytest.mark.parametrize("loss", ["mse", "", None, 1, "Poisson"])
    def test_of_the_loss(self, loss):
        with pytest.raises(ParameterError, match="'loss' parameter must be one of 'squared_error', 'absolute_error'"):
            make(loss=loss).fit(*table())

    @pytest.mark.parametrize("quantile", [0.0, 1.0, -0.5, 2, np.nan, True, "0.5", None])
    def test_of_the_quantile(self, quantile):
        with pytest.raises(ParameterError, match="'quantile' parameter must be a number between 0 and 1"):
            make(loss="quantile", quantile=quantile).fit(*table())

    def test_a_quantile_that_would_be_ignored(self):
        with pytest.raises(ParameterError, match=r"'quantile'.*0\.5 with loss='absolute_error'.*Use loss='quantile'"):
            make(loss="absolute_error", quantile=0.9).fit(*table())

    def test_a_regressor_has_no_classes(self):
        for name in ("classes", "class_weight"):
            with pytest.raises(TypeError, match=name):
                make(**{name: None})
        model = make().fit(*table())
        assert not hasattr(model, "classes_")
        assert not hasattr(model, "predict_proba")


class TestTargets:
    def test_of_every_library(self):
        X, y = table()
        reference = make().fit(X, y).predict(X)
        series = (
            y.tolist(),
            y.astype(object),
            pd.Series(y),
            pl.Series("y", y),
            pa.array(y),
            pd.Series(y, dtype="Float64"),
        )
        for target in series:
            np.testing.assert_array_equal(make().fit(X, target).predict(X), reference)
        with pytest.warns(DataConversionWarning):
            np.testing.assert_array_equal(make().fit(X, y.reshape(-1, 1)).predict(X), reference)

    @pytest.mark.parametrize("cell", [None, np.nan, "x", b"1", [1], 1j, pd.NA], ids=repr)
    def test_a_cell_that_is_no_number_weighs_nothing(self, cell):
        X, y = table()
        odd, gap = y.astype(object), y.astype(object)
        odd[5], gap[5] = cell, None
        np.testing.assert_array_equal(make().fit(X, odd).predict(X), make().fit(X, gap).predict(X))

    @pytest.mark.parametrize(
        "target", [np.array(["SECRET", "1"]), pd.Series(["SECRET", "2"]), pl.Series(["SECRET", "2"])]
    )
    def test_text_is_refused_unread(self, target):
        with pytest.raises(SchemaTypeError, match="y holds text") as caught:
            make().fit(table(2)[0], target)
        assert "SECRET" not in str(caught.value)

    def test_several_outputs_are_refused(self):
        X, y = table()
        with pytest.raises(SchemaError, match="1d array"):
            make().fit(X, np.column_stack([y, y]))

    def test_types(self):
        with pytest.raises(ParameterTypeError, match="'target_range'"):
            make(target_range=5).fit(*table())
