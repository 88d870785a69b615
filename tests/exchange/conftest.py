"""Small trained models of every learner, made once; and records of Newton-boosted models, made by hand."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

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
from privboost.errors import PrivacyWarning
from privboost.exchange import ModelRecord

# For the records beside this file.
sys.path.insert(0, str(Path(__file__).resolve().parent))

LABELS = ["≤ 50 К", "> 50 К"]


def make_domain() -> Domain:
    return Domain(
        {
            "âge": Numeric(0, 100, integer=True),
            "share": Numeric(-0.1, 1e-3, missing=True),
            "job": Categorical(["clerk", "médecin", 'the "other"', ""], missing=True),
            "grade": Ordinal([1, 2, 3]),
            "member": Boolean(),
        }
    )


def make_table(n_rows: int, seed: int = 0) -> pd.DataFrame:
    """Return rows with missing cells, unknown categories, and numbers on and beside the bins' edges."""
    generator = np.random.default_rng(seed)
    edges = np.concatenate(
        [np.linspace(-0.1, 1e-3, 11), np.nextafter(np.linspace(-0.1, 1e-3, 11), -1), [np.nan, np.inf]]
    )
    return pd.DataFrame(
        {
            "âge": generator.integers(-5, 120, n_rows),
            "share": generator.choice(edges, n_rows),
            "job": generator.choice(np.array(["clerk", "médecin", "", "unheard of", None], dtype=object), n_rows),
            "grade": generator.integers(0, 5, n_rows),
            "member": generator.random(n_rows) < 0.5,
        }
    )


def make_labels(table: pd.DataFrame, labels: list[Any]) -> np.ndarray:
    index = (table["âge"].to_numpy() > 40).astype(int) + (table["member"].to_numpy() & (len(labels) > 2)).astype(int)
    return np.array(labels)[index]


MAKERS: dict[str, tuple[type, dict[str, Any], list[Any]]] = {
    "bdpe": (BDPEClassifier, {"n_trees": 3, "max_depth": 2, "epsilon": 0.7}, LABELS),
    "bdpe-paper": (
        BDPEClassifier,
        {"n_trees": 2, "max_depth": 2, "preset": "paper", "relation": "replace-one"},
        [0, 1],
    ),
    "bdpe-three": (BDPEClassifier, {"n_trees": 2, "max_depth": 1, "alpha": 0.4}, ["a", "b", "c"]),
    "bdpe-exact": (BDPEClassifier, {"n_trees": 2, "max_depth": 3, "privacy": None}, [False, True]),
    "bdpe-simulated": (BDPEClassifier, {"n_trees": 2, "max_depth": 1, "random_state": 7}, [-3, 5]),
    "bdpe-small": (BDPEClassifier, {"n_trees": 2, "max_depth": 1}, ["a", "b"]),
    "exact-small": (BDPEClassifier, {"n_trees": 1, "max_depth": 2, "privacy": None}, [0, 1]),
    "forest-small": (PrivateForestClassifier, {"n_trees": 2, "max_depth": 1}, [1, 2, 3]),
    "forest": (PrivateForestClassifier, {"n_trees": 3, "max_depth": 2}, LABELS),
    "forest-selection": (
        PrivateForestClassifier,
        {"n_trees": 3, "max_depth": 1, "mechanism": "exponential"},
        [1, 2, 3],
    ),
    "forest-shared": (PrivateForestClassifier, {"n_trees": 3, "max_depth": 1, "partition": "shared"}, [0, 1]),
    "tree": (PrivateTreeClassifier, {"max_depth": 2, "criterion": "log"}, LABELS),
    "tree-three": (PrivateTreeClassifier, {"max_depth": 1, "composition": "sequential"}, ["a", "b", "c"]),
}


def fit(name: str, n_rows: int = 200, **changes: Any) -> Any:
    learner, parameters, labels = MAKERS[name]
    table = make_table(n_rows)
    model = learner(domain=make_domain(), classes=labels, **(parameters | changes))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PrivacyWarning)
        return model.fit(table, make_labels(table, labels))


@pytest.fixture(scope="session")
def models() -> dict[str, Any]:
    """Fitted estimators by name."""
    return {name: fit(name) for name in MAKERS}


@pytest.fixture(scope="session")
def records(models: dict[str, Any]) -> dict[str, ModelRecord]:
    """Return what `save` would write of each."""
    return {name: model._record() for name, model in models.items()}


@pytest.fixture(scope="session")
def table() -> pd.DataFrame:
    """Return rows that no model was trained on."""
    return make_table(500, seed=1)


@pytest.fixture(scope="session")
def fit_model() -> Any:
    """Return the function that trains a model by name, with other parameters and numbers of rows."""
    return fit


@pytest.fixture(scope="session")
def label_counts() -> Any:
    """Return the function that says how many rows of a model's table have each label."""

    def count(name: str, n_rows: int) -> list[int]:
        labels = MAKERS[name][2]
        found = make_labels(make_table(n_rows), labels).tolist()
        return [found.count(label) for label in labels]

    return count


@pytest.fixture(scope="session")
def newton() -> Any:
    """Return the function that makes the record of a Newton-boosted model, of some objective and mechanism."""
    from newton_records import make_record

    def make(*arguments: Any, **choices: Any) -> ModelRecord:
        return make_record(make_domain(), *arguments, **choices)

    return make


@pytest.fixture(scope="session")
def all_records(records: dict[str, ModelRecord], newton: Any) -> dict[str, ModelRecord]:
    """Return the records of all learners, those made by hand among them."""
    made = {name: newton(name) for name in ("logistic", "softmax", "squared", "quantile", "poisson", "gamma")}
    made |= {f"{name}-gaussian": newton(name, "gaussian") for name in ("logistic", "softmax", "gamma")}
    made |= {f"{name}-exact": newton(name, "none") for name in ("logistic", "squared")}
    made["logistic-plain"] = newton("logistic", base_share=0.0, histograms=False)
    return records | made
