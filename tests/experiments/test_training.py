"""The study's models are those of the estimators, and their errors and sizes are counted right."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

from privboost import (
    BDPEClassifier,
    Domain,
    Numeric,
    PrivateBoostingClassifier,
    PrivateForestClassifier,
    PrivateTreeClassifier,
)
from privboost.data.datasets import StudyTable
from privboost.errors import PrivacyWarning
from privboost.experiments.grid import Setting
from privboost.experiments.training import Fold, train_setting

SEED = 1234567


@pytest.fixture(scope="module")
def fold() -> Fold:
    generator = np.random.default_rng(0)
    y = generator.integers(0, 2, 300)
    X = pd.DataFrame({"a": generator.random(300) + 0.3 * y, "b": generator.random(300), "c": y + generator.random(300)})
    domain = Domain({"a": Numeric(0, 2), "b": Numeric(0, 1), "c": Numeric(0, 2)}, classes=[0, 1])
    return Fold(StudyTable(X, y, domain, {}), np.arange(0, 300, 2), np.arange(1, 300, 2))


def error_of(model: Any, fold: Fold) -> float:
    X, y = fold.table.X, fold.table.y
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PrivacyWarning)
        model.set_params(domain=fold.table.domain, classes=[0, 1], random_state=SEED)
        model.fit(X.iloc[fold.train], y[fold.train])
    return float((model.predict(X.iloc[fold.test]) != y[fold.test]).mean())


BDPE = {"n_trees": 4, "max_depth": 2, "n_bins": 8}


@pytest.mark.parametrize(
    ("setting", "model"),
    [
        (
            Setting("bdpe", "tight", 2.0, "O.C", 4, 2, 0.3, 8),
            BDPEClassifier(2.0, split_share=0.3, **BDPE),
        ),
        (
            Setting("bdpe", "paper", 2.0, "0.1", 4, 2, 0.3, 8),
            BDPEClassifier(2.0, alpha=0.1, split_share=0.3, preset="paper", **BDPE),
        ),
        (
            Setting("bdpe", "exact-leverage", 2.0, "O.C", 4, 2, 0.3, 8),
            BDPEClassifier(2.0, split_share=0.3, preset="paper", leverage="exact", **BDPE),
        ),
        (
            Setting("bdpe", "exact-parallel", 2.0, "O.C", 4, 2, 0.3, 8),
            BDPEClassifier(2.0, split_share=0.3, preset="paper", leverage="exact", composition="parallel", **BDPE),
        ),
        (
            Setting("bdpe", "noise-free", math.inf, "1", 4, 2, math.nan, 8),
            BDPEClassifier(privacy=None, alpha=1.0, **BDPE),
        ),
        (
            Setting("RF-L", "private", 2.0, "", 5, 2, 0.0, 8),
            PrivateForestClassifier(2.0, n_trees=5, max_depth=2, n_bins=8),
        ),
        (
            Setting("RF-E", "private", 2.0, "", 5, 2, 0.0, 8),
            PrivateForestClassifier(2.0, n_trees=5, max_depth=2, n_bins=8, mechanism="exponential"),
        ),
        (
            Setting("RF-E, shared rows", "private", 2.0, "", 5, 2, 0.0, 8),
            PrivateForestClassifier(2.0, n_trees=5, max_depth=2, n_bins=8, mechanism="exponential", partition="shared"),
        ),
        (
            Setting("tree-log", "private", 2.0, "", 1, 2, 0.3, 8),
            PrivateTreeClassifier(2.0, criterion="log", max_depth=2, split_share=0.3, n_bins=8),
        ),
        (Setting("auto", "private", 2.0, "", 0, 0, math.nan, 0), PrivateBoostingClassifier(2.0)),
        (Setting("auto", "noise-free", math.inf, "", 0, 0, math.nan, 0), PrivateBoostingClassifier(privacy=None)),
    ],
    ids=lambda value: f"{value.learner} {value.arm}" if isinstance(value, Setting) else "",
)
def test_a_model_is_that_of_the_estimator(fold: Fold, setting: Setting, model: Any) -> None:
    codes = fold.encoded(setting.n_bins) if setting.n_bins else None
    outcome = train_setting(fold, codes, setting, SEED)
    assert outcome.error == error_of(model, fold)
    assert outcome.n_nodes == sum(tree.n_nodes for tree in model.ensemble_.trees)
    assert train_setting(fold, codes, setting, SEED) == outcome


def test_private_trees_are_complete_and_exact_ones_stop(fold: Fold) -> None:
    codes = fold.encoded(8)
    private = Setting("bdpe", "tight", 2.0, "O.C", 4, 5, 0.3, 8)
    exact = Setting("bdpe", "noise-free", math.inf, "O.C", 4, 5, math.nan, 8)
    assert train_setting(fold, codes, private, SEED).n_nodes == 4 * (2**6 - 1)
    assert train_setting(fold, codes, exact, SEED).n_nodes < 4 * (2**6 - 1)


def test_seeds_give_other_noise(fold: Fold) -> None:
    codes = fold.encoded(8)
    setting = Setting("bdpe", "paper", 0.5, "O.C", 4, 2, 0.3, 8)
    assert len({train_setting(fold, codes, setting, seed).error for seed in range(8)}) > 2
