"""Boosted models in files, pickles and copies: they answer as before, bit by bit, and take no row along."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import privboost
from privboost import (
    Boolean,
    Categorical,
    Domain,
    Numeric,
    Ordinal,
    PrivateBoostingClassifier,
    PrivateBoostingRegressor,
)
from privboost.errors import ModelFileError, VerificationError
from privboost.privacy.verify import verify_statement

pytestmark = pytest.mark.filterwarnings("ignore:'random_state' is set:privboost.errors.PrivacyWarning")

DOMAIN = Domain(
    {
        "höhe": Numeric(-1e-3, 1 / 3, missing=True),
        "count": Numeric(0, 9, integer=True),
        "farbe 色": Categorical(["rot", "grün", "", 'say "hi"'], missing=True),
        "level": Ordinal(["low", "mid", "high"]),
        "flag": Boolean(),
    }
)
SMALL = {"n_rounds": 3, "trees_per_round": 2, "max_depth": 2, "mechanism": "laplace", "domain": DOMAIN}
TWO, THREE = ["ja ✓", "nein"], [-5, 3, 10**12]
GAUSSIAN = {"mechanism": "gaussian", "delta": 1e-6}
MODELS: dict[str, tuple[type, dict[str, Any]]] = {
    "two classes": (PrivateBoostingClassifier, {"classes": TWO}),
    "two classes, gaussian": (PrivateBoostingClassifier, {"classes": TWO, **GAUSSIAN}),
    "three classes": (PrivateBoostingClassifier, {"classes": THREE}),
    "three classes, gaussian": (PrivateBoostingClassifier, {"classes": THREE, **GAUSSIAN}),
    "class weights": (PrivateBoostingClassifier, {"classes": THREE, "class_weight": {10**12: 2.5, -5: 1}}),
    "directions": (PrivateBoostingClassifier, {"classes": TWO, "monotonic_cst": {"höhe": 1, "level": -1}}),
    "no histograms": (PrivateBoostingClassifier, {"classes": TWO, "histogram_share": 0.0}),
    "leaves only": (PrivateBoostingClassifier, {"classes": TWO, "histogram_share": 0, "base_share": 0}),
    "short reach": (PrivateBoostingClassifier, {"classes": TWO, "score_reach": 0.25, "relation": "replace-one"}),
    "left to the library": (
        PrivateBoostingClassifier,
        {"classes": TWO, "learning_rate": "auto", "shrinkage": "auto", "score_reach": "auto", "mechanism": "auto"},
    ),
    **{
        f"{loss}, {noise}": (PrivateBoostingRegressor, {"loss": loss, "target_range": (0.5, 4), **settings})
        for loss in ("squared_error", "absolute_error", "poisson", "gamma")
        for noise, settings in {"laplace": {}, "gaussian": GAUSSIAN}.items()
    },
    "quantile": (PrivateBoostingRegressor, {"loss": "quantile", "quantile": 0.9, "target_range": (0.5, 4)}),
    "numbers, directions": (PrivateBoostingRegressor, {"target_range": (0.5, 4), "monotonic_cst": {"count": 1}}),
    "heavy rows": (
        PrivateBoostingRegressor,
        {"target_range": (0.5, 4), "max_sample_weight": 7.5, "rows_per_person": 2},
    ),
}
everyone = pytest.mark.parametrize("name", MODELS)


def table(n_rows: int = 80) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "höhe": np.where(rng.random(n_rows) < 0.1, np.nan, rng.uniform(-0.1, 0.4, n_rows)),
            "count": rng.integers(0, 10, n_rows),
            "farbe 色": rng.choice(["rot", "grün", "", "unheard of", None], n_rows),
            "level": rng.choice(["low", "mid", "high"], n_rows),
            "flag": rng.random(n_rows) < 0.5,
        }
    )


def make(name: str, **parameters: Any) -> Any:
    cls, settings = MODELS[name]
    return cls(**{**SMALL, "random_state": 0, **settings, **parameters})


def target(name: str, n_rows: int = 80) -> np.ndarray:
    rng = np.random.default_rng(1)
    if MODELS[name][0] is PrivateBoostingRegressor:
        return rng.uniform(0, 5, n_rows)
    return np.array(MODELS[name][1]["classes"])[rng.integers(0, len(MODELS[name][1]["classes"]), n_rows)]


def fitted(name: str, **parameters: Any) -> Any:
    weights = np.random.default_rng(2).uniform(0, 8, 80) if name == "heavy rows" else None
    return make(name, **parameters).fit(table(), target(name), sample_weight=weights)


def there_and_back(model: Any, folder: Path) -> Any:
    model.save(folder / "model.json")
    return privboost.load(folder / "model.json")


def assert_same(other: Any, model: Any, X: Any) -> None:
    assert type(other) is type(model)
    for method in ("predict", "predict_proba", "decision_function"):
        assert hasattr(other, method) == hasattr(model, method)
        if hasattr(model, method):
            ours, theirs = getattr(model, method)(X), getattr(other, method)(X)
            assert ours.dtype == theirs.dtype
            np.testing.assert_array_equal(theirs, ours)
    assert other.privacy_ == model.privacy_
    assert other.is_private_ is model.is_private_
    assert other.domain_ == model.domain_
    assert other.plan_ == model.plan_
    assert other.n_features_in_ == model.n_features_in_
    if hasattr(model, "classes_"):
        assert other.classes_.tolist() == model.classes_.tolist()
    else:
        assert other.target_range_ == model.target_range_


class TestRoundTrip:
    @everyone
    @pytest.mark.parametrize("seed", [0, None])
    def test_is_bit_equal(self, name, seed, tmp_path):
        model = fitted(name, random_state=seed)
        loaded = there_and_back(model, tmp_path)
        assert_same(loaded, model, table())
        assert loaded.feature_names_in_.tolist() == list(DOMAIN.names)
        assert loaded.is_private_ is (seed is None)

    @everyone
    def test_of_models_without_privacy(self, name, tmp_path):
        model = fitted(name, privacy=None)
        loaded = there_and_back(model, tmp_path)
        assert_same(loaded, model, table())
        assert "NOT PRIVATE" in str(loaded.privacy_)

    @everyone
    def test_saving_again_gives_the_same_bytes(self, name, tmp_path):
        loaded = there_and_back(fitted(name), tmp_path)
        loaded.save(tmp_path / "again.json")
        assert (tmp_path / "again.json").read_bytes() == (tmp_path / "model.json").read_bytes()

    @everyone
    def test_parameters_come_back(self, name, tmp_path):
        model = fitted(name)
        loaded, given = there_and_back(model, tmp_path).get_params(), model.get_params()
        assert loaded.keys() == given.keys()
        assert loaded.pop("random_state") is None  # a seed would allow the noise to be subtracted
        for parameter, value in loaded.items():
            if parameter == "classes":
                assert sorted(value) == sorted(given[parameter])
            else:
                assert value == given[parameter], parameter

    @everyone
    def test_a_loaded_model_can_be_trained_again(self, name, tmp_path):
        loaded = there_and_back(fitted(name), tmp_path).set_params(random_state=0)
        weights = np.random.default_rng(2).uniform(0, 8, 80) if name == "heavy rows" else None
        loaded.fit(table(), target(name), sample_weight=weights)
        np.testing.assert_array_equal(loaded.predict(table()), fitted(name).predict(table()))

    @everyone
    def test_a_private_file_verifies(self, name, tmp_path):
        loaded = there_and_back(fitted(name, random_state=None), tmp_path)
        report = verify_statement(loaded.privacy_)
        assert report.private

    @everyone
    def test_pickles_and_copies(self, name):
        model = fitted(name)
        for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), copy.copy(model)):
            assert_same(other, model, table())

    @everyone
    def test_numpy_parameters(self, name, tmp_path):
        numbers = {
            "epsilon": np.float32(0.5),
            "max_depth": np.int8(2),
            "n_rounds": np.int64(2),
            "base_share": np.float16(0.25),
        }
        model = fitted(name, **numbers)
        assert_same(there_and_back(model, tmp_path), model, table())


class TestWhatAFileHolds:
    @everyone
    def test_no_seed_and_no_row(self, name, tmp_path):
        seed = 918273645
        fitted(name, random_state=seed).save(tmp_path / "model.json")
        text = (tmp_path / "model.json").read_text()
        assert str(seed) not in text
        assert "unheard of" not in text

    @everyone
    @pytest.mark.parametrize("change", ["epsilon", "private", "scale", "release", "unknown parameter", "delta"])
    def test_a_changed_claim_is_refused(self, name, change, tmp_path):
        path = tmp_path / "model.json"
        fitted(name).save(path)
        document = json.loads(path.read_text())
        statement = document["statement"]
        if change == "epsilon":
            statement["epsilon"] = 1e-3
        elif change == "private":
            statement["private"] = True
        elif change == "scale":
            statement["releases"][-1]["scale"] *= 2
        elif change == "release":
            del statement["releases"][-1]
        elif change == "delta":
            statement["delta"] = document["parameters"]["delta"] = 1e-9
        else:
            document["parameters"]["surprise"] = 1
        path.write_text(json.dumps(document))
        with pytest.raises((ModelFileError, VerificationError)):
            privboost.load(path)

    @everyone
    def test_the_size_of_a_pickle_does_not_grow_with_the_rows(self, name):
        sizes = []
        for repeats in (1, 200):
            X = pd.concat([table()] * repeats, ignore_index=True)
            model = make(name, random_state=None).fit(X, np.tile(target(name), repeats))
            sizes.append(len(pickle.dumps(model)))
        # Scales and released bins differ; 200 times as many rows would take at least 16,000 bytes.
        assert abs(sizes[1] - sizes[0]) < 9000
