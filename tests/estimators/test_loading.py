"""Models in files: what comes back is the model that was saved, bit for bit, and nothing else."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import privboost
from privboost import (
    BDPEClassifier,
    Boolean,
    Categorical,
    Domain,
    Numeric,
    Ordinal,
    PrivateForestClassifier,
    PrivateTreeClassifier,
)
from privboost.errors import ModelFileError, ParameterError, VerificationError
from privboost.estimators.loading import LEARNERS
from privboost.losses import Loss, MAlphaLoss

pytestmark = pytest.mark.filterwarnings("ignore:'random_state' is set:privboost.errors.PrivacyWarning")

DOMAIN = Domain(
    {
        "höhe": Numeric(-1e-3, 1 / 3, missing=True),
        "count": Numeric(0, 9, integer=True),
        "farbe 色": Categorical(["rot", "grün", "", "\u2028", 'say "hi"'], missing=True),
        "level": Ordinal(["low", "mid", "high"]),
        "flag": Boolean(),
    }
)
MODELS: dict[str, tuple[type, dict[str, Any]]] = {
    "boosted": (BDPEClassifier, {"n_trees": 3}),
    "boosted, by hand": (
        BDPEClassifier,
        {"n_trees": 2, "alpha": 0.3, "combination_alpha": 0.7, "leaf_clip": 2, "n_bins": 7, "split_share": 0.3},
    ),
    "boosted, paper": (BDPEClassifier, {"n_trees": 2, "preset": "paper"}),
    "forest": (PrivateForestClassifier, {"n_trees": 3}),
    "forest, shared": (PrivateForestClassifier, {"n_trees": 3, "mechanism": "exponential", "partition": "shared"}),
    "tree": (PrivateTreeClassifier, {"criterion": "matsushita"}),
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
    given = {"max_depth": 2, "domain": DOMAIN, "classes": ["nein", "ja ✓"], "random_state": 0, **settings, **parameters}
    return cls(**given)


def labels(classes: list[Any], n_rows: int = 80) -> np.ndarray:
    return np.array(classes)[np.random.default_rng(1).integers(0, len(classes), n_rows)]


def there_and_back(model: Any, folder: Path) -> Any:
    model.save(folder / "model.json")
    return privboost.load(folder / "model.json")


def assert_same(loaded: Any, model: Any, X: Any) -> None:
    assert type(loaded) is type(model)
    for method in ("predict", "predict_proba", "decision_function"):
        one, other = getattr(loaded, method)(X), getattr(model, method)(X)
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)
    assert loaded.privacy_ == model.privacy_
    assert loaded.is_private_ is model.is_private_
    assert loaded.domain_ == model.domain_
    assert loaded.classes_.tolist() == model.classes_.tolist()
    assert loaded.n_features_in_ == model.n_features_in_


class TestRoundTrip:
    @everyone
    @pytest.mark.parametrize("seed", [0, None])
    def test_of_every_learner_is_bit_equal(self, name, seed, tmp_path):
        X = table()
        model = make(name, random_state=seed).fit(X, labels(["nein", "ja ✓"]))
        loaded = there_and_back(model, tmp_path)
        assert_same(loaded, model, X)
        assert loaded.feature_names_in_.tolist() == list(X.columns)
        assert loaded.plan_.to_dict() == model.plan_.to_dict()

    @everyone
    @pytest.mark.parametrize(
        "classes", [[0, 1], [-5, 10**12], [True, False], [0.0, 1.0], ["a", "b", "c"], [3, 1, 2], list("0123456")]
    )
    def test_with_classes_of_every_type(self, name, classes, tmp_path):
        X = table()
        model = make(name, classes=classes).fit(X, labels(classes))
        assert_same(there_and_back(model, tmp_path), model, X)

    @everyone
    def test_of_models_without_privacy(self, name, tmp_path):
        X = table()
        model = make(name, privacy=None).fit(X, labels(["nein", "ja ✓"]))
        loaded = there_and_back(model, tmp_path)
        assert_same(loaded, model, X)
        assert "NOT PRIVATE" in str(loaded.privacy_)

    @everyone
    def test_with_a_domain_read_off_the_rows(self, name, tmp_path):
        X = np.random.default_rng(0).random((50, 3))
        model = make(name, privacy=None, domain=None, classes=None).fit(X, labels([3, 7], 50))
        assert_same(there_and_back(model, tmp_path), model, X)

    @everyone
    def test_of_arrays_without_names(self, name, tmp_path):
        X = table().to_numpy(dtype=object)
        model = make(name).fit(X, labels(["nein", "ja ✓"]))
        loaded = there_and_back(model, tmp_path)
        assert_same(loaded, model, X)
        assert not hasattr(loaded, "feature_names_in_")

    @everyone
    def test_saving_again_gives_the_same_bytes(self, name, tmp_path):
        model = make(name).fit(table(), labels(["nein", "ja ✓"]))
        loaded = there_and_back(model, tmp_path)
        loaded.save(tmp_path / "again.json")
        assert (tmp_path / "again.json").read_bytes() == (tmp_path / "model.json").read_bytes()

    @everyone
    def test_parameters_come_back(self, name, tmp_path):
        model = make(name).fit(table(), labels(["nein", "ja ✓"]))
        loaded = there_and_back(model, tmp_path).get_params()
        given = model.get_params()
        for parameter in set(given) - {"random_state", "classes"}:
            assert loaded[parameter] == given[parameter]
        assert loaded["random_state"] is None  # a seed would allow the noise to be subtracted
        assert sorted(loaded["classes"]) == sorted(given["classes"])

    @everyone
    def test_a_loaded_model_can_be_trained_again(self, name, tmp_path):
        X, y = table(), labels(["nein", "ja ✓"])
        loaded = there_and_back(make(name).fit(X, y), tmp_path)
        loaded.set_params(random_state=0).fit(X, y)
        np.testing.assert_array_equal(loaded.predict_proba(X), make(name).fit(X, y).predict_proba(X))

    def test_numpy_parameters(self, tmp_path):
        X = table()
        numbers = {"epsilon": np.float32(0.5), "max_depth": np.int8(2), "n_bins": np.uint8(7), "verbose": np.False_}
        for name in MODELS:
            model = make(name, **numbers).fit(X, labels(["nein", "ja ✓"]))
            assert_same(there_and_back(model, tmp_path), model, X)

    @pytest.mark.parametrize("epsilon", [Fraction(1, 2), np.array(0.5)])
    def test_numbers_of_other_types(self, epsilon, tmp_path):
        X = table()
        model = make("tree", epsilon=epsilon).fit(X, labels(["nein", "ja ✓"]))
        assert_same(there_and_back(model, tmp_path), model, X)

    @pytest.mark.parametrize("alpha", [0, 1, np.float64(0.25)])
    def test_whole_numbers_where_fractions_may_stand(self, alpha, tmp_path):
        X = table()
        model = make("boosted", alpha=alpha, leaf_clip=3, leaf_smoothing=2).fit(X, labels(["nein", "ja ✓"]))
        assert_same(there_and_back(model, tmp_path), model, X)


class TestCriteriaThatAFileCannotHold:
    @pytest.mark.parametrize(
        "criterion", [MAlphaLoss(0.4), Loss.from_bayes_risk("my own", lambda u: 4.0 * u * (1.0 - u))], ids=str
    )
    def test_the_model_answers_as_before_and_training_again_is_refused(self, criterion, tmp_path):
        X, y = table(), labels(["nein", "ja ✓"])
        model = make("tree", criterion=criterion).fit(X, y)
        loaded = there_and_back(model, tmp_path)
        assert_same(loaded, model, X)
        with pytest.raises(ParameterError, match=criterion.name):
            loaded.fit(X, y)


class TestFilesThatAreNoModel:
    @staticmethod
    def saved(tmp_path: Path, name: str = "tree") -> tuple[Path, dict[str, Any]]:
        path = tmp_path / "model.json"
        make(name).fit(table(), labels(["nein", "ja ✓"])).save(path)
        return path, json.loads(path.read_text(encoding="utf-8"))

    @pytest.mark.parametrize("text", ["", "{}", "[]", "null", "not json", '{"kind": "privboost model"}', "\x00", "{"])
    def test_are_refused(self, text, tmp_path):
        path = tmp_path / "model.json"
        path.write_text(text)
        with pytest.raises(ModelFileError):
            privboost.load(path)

    def test_a_learner_of_another_name_is_refused(self, tmp_path):
        path, document = self.saved(tmp_path)
        document["learner"] = "os.system"
        path.write_text(json.dumps(document))
        with pytest.raises(ModelFileError, match=r"os\.system.*BDPEClassifier"):
            privboost.load(path)

    @pytest.mark.parametrize("other", ["BDPEClassifier", "PrivateForestClassifier"])
    def test_a_model_does_not_pass_as_another_learner(self, other, tmp_path):
        path, document = self.saved(tmp_path)
        document["learner"] = other
        path.write_text(json.dumps(document))
        with pytest.raises(ModelFileError):
            privboost.load(path)

    @everyone
    @pytest.mark.parametrize("change", ["epsilon", "private", "scale", "release", "unknown parameter", "classes"])
    def test_a_changed_claim_is_refused(self, name, change, tmp_path):
        path, document = self.saved(tmp_path, name)
        statement = document["statement"]
        if change == "epsilon":
            statement["epsilon"] = 1e-3
        elif change == "private":
            statement["private"] = True
        elif change == "scale":
            statement["releases"][0]["scale"] *= 2
        elif change == "release":
            del statement["releases"][-1]
        elif change == "unknown parameter":
            document["parameters"]["surprise"] = 1
        else:
            document["classes"] = document["classes"][:1]
        path.write_text(json.dumps(document))
        with pytest.raises((ModelFileError, VerificationError)):
            privboost.load(path)

    def test_there_is_no_file(self, tmp_path):
        with pytest.raises(FileNotFoundError):
            privboost.load(tmp_path / "absent.json")

    def test_what_is_not_fitted_is_not_saved(self, tmp_path):
        for name in MODELS:
            with pytest.raises(ValueError, match="not fitted"):
                make(name).save(tmp_path / "model.json")
        assert not (tmp_path / "model.json").exists()


def test_every_exported_learner_can_be_loaded():
    assert set(LEARNERS) == {name for name in privboost.__all__ if name.endswith(("Classifier", "Regressor"))}
