"""Scores of held-out rows: what they are, and how far one row can move their sum."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from search_cases import BOOSTING, NUMBERS
from sklearn.base import clone
from sklearn.metrics import accuracy_score, brier_score_loss, mean_absolute_error, mean_squared_error

from privboost.errors import ParameterError, PrivacyWarning
from privboost.estimators.classifier import PrivateClassifier
from privboost.search.scores import SCORINGS, as_figure, check_scoring, score_sum
from privboost.sources.local import GRID

MUCH = {"epsilon": 20.0, "n_rounds": 4, "random_state": 0}

ALL = [(kind, scoring) for kind, names in SCORINGS.items() for scoring in names]


@pytest.fixture(scope="module")
def models():
    X = np.random.default_rng(1).random((400, 2))
    with pytest.warns(PrivacyWarning, match="simulation"):
        classifier = clone(BOOSTING).set_params(**MUCH).fit(X, (X[:, 0] > 0.5).astype(int))
    with pytest.warns(PrivacyWarning, match="simulation"):
        regressor = clone(NUMBERS).set_params(**MUCH).fit(X, X[:, 0])
    return {"classifier": classifier, "regressor": regressor}


def exact(raw) -> int:
    return int(raw._Raw__values[0, 0])


@pytest.mark.parametrize(("kind", "scoring"), ALL)
def test_scores_are_those_of_scikit_learn(models, kind, scoring):
    model = models[kind]
    X = np.random.default_rng(2).random((300, 2))
    y = (X[:, 0] > 0.4).astype(int) if kind == "classifier" else np.clip(X[:, 0] + 0.1 * X[:, 1], 0, 1)
    figure = as_figure(exact(score_sum(model, X, y, scoring)), 300, scoring, model)
    wanted = {
        "accuracy": lambda: accuracy_score(y, model.predict(X)),
        "neg_brier_score": lambda: -brier_score_loss(y, model.predict_proba(X)[:, 1]),
        "neg_mean_squared_error": lambda: -mean_squared_error(y, model.predict(X)),
        "neg_mean_absolute_error": lambda: -mean_absolute_error(y, model.predict(X)),
    }[scoring]()
    assert figure == pytest.approx(wanted, abs=2.0 / GRID)


@pytest.mark.parametrize(("kind", "scoring"), ALL)
def test_one_row_moves_the_sum_by_at_most_the_sensitivity(models, kind, scoring):
    """All tables of two rows, over cells within and beyond the domain, and every kind of target."""
    model = models[kind]
    cells = [(0.1, 0.5), (0.9, 0.5), (np.nan, 7.0)]
    targets = [0, 1, 9] if kind == "classifier" else [0.0, 1.0, 55.0, -3.0, np.nan]
    null = targets[-1]
    rows = [(cell, target) for cell in cells for target in targets]

    def of(table) -> int:
        X = np.array([cell for cell, _ in table])
        raw = score_sum(model, X, np.array([target for _, target in table]), scoring)
        assert raw.sensitivity == GRID
        return exact(raw)

    largest = 0
    for one, two in itertools.product(rows, repeat=2):
        change = abs(of([one, two]) - of([(one[0], null), two]))
        assert change <= GRID
        largest = max(largest, change)
        assert of([one, (two[0], null)]) >= 0
    assert largest > 0.5 * GRID  # the bound is one that rows come near


def test_rows_without_a_target_score_nothing(models):
    X = np.full((5, 2), 0.5)
    for scoring in SCORINGS["classifier"]:
        assert exact(score_sum(models["classifier"], X, np.full(5, 9), scoring)) == 0
    for scoring in SCORINGS["regressor"]:
        assert exact(score_sum(models["regressor"], X, np.full(5, np.nan), scoring)) == 0


def test_a_probability_beyond_its_range_would_count_as_its_end():
    """Were an answer ever out of range, a row would still score no more than 1, and no less than 0."""

    class Odd(PrivateClassifier):
        _plan = _train = _check_parameters = None
        classes_ = np.array([0, 1])

        def __init__(self):
            pass

        def predict_proba(self, X):
            return np.array([[5.0, -4.0], [-4.0, 5.0]])

    assert exact(score_sum(Odd(), pd.DataFrame({"a": [0, 0]}), [0, 1], "neg_brier_score")) == 0


def test_other_scores_are_refused(models):
    assert check_scoring(None, models["classifier"]) == "neg_brier_score"
    assert check_scoring(None, models["regressor"]) == "neg_mean_squared_error"
    for scoring in ("roc_auc", "neg_mean_squared_error", len, SimpleNamespace()):
        with pytest.raises(ParameterError, match="scoring"):
            check_scoring(scoring, models["classifier"])
