"""`evaluate_private` on real models: exact in the limit, covered by a statement, and blind to odd values."""

from __future__ import annotations

import json
import logging
import math
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import accuracy_score, mean_absolute_error, recall_score, roc_auc_score, root_mean_squared_error

from privboost import (
    BDPEClassifier,
    Budget,
    Categorical,
    Domain,
    Numeric,
    PrivacyStatement,
    PrivateBoostingClassifier,
    PrivateBoostingRegressor,
    PrivateForestClassifier,
    evaluate_private,
)
from privboost.errors import BudgetExceededError, ParameterError, ParameterTypeError, PrivacyWarning, SchemaError
from privboost.evaluation import private
from privboost.evaluation.tables import angle_edges, angle_middles, bin_of
from privboost.privacy import verify_statement

DOMAIN = Domain({"u": Numeric(0, 1), "v": Numeric(0, 1), "c": Categorical(["a", "b"])})
HUGE = 1e9


def rows(n_rows: int, seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame({"u": rng.random(n_rows), "v": rng.random(n_rows), "c": rng.choice(["a", "b"], n_rows)})


def labels_of(X: pd.DataFrame, n_classes: int = 2) -> np.ndarray:
    score = X["u"] + 0.3 * X["v"] * (X["c"] == "a")
    return np.array(["no", "yes", "zero"])[np.digitize(score, [0.6] if n_classes == 2 else [0.4, 0.8])]


@pytest.fixture(scope="module")
def models() -> dict[str, Any]:
    X = rows(800, 0)
    three = ["no", "yes", "zero"]
    common: dict[str, Any] = {"epsilon": 8.0, "domain": DOMAIN, "random_state": 0}
    with warnings.catch_warnings():
        # Simulated models: their figures, and what bins hide of them, are the same in every run.
        warnings.simplefilter("ignore", PrivacyWarning)
        return {
            "two": PrivateBoostingClassifier(classes=three[:2], n_rounds=20, **common).fit(X, labels_of(X)),
            "three": PrivateBoostingClassifier(classes=three, n_rounds=20, **common).fit(X, labels_of(X, 3)),
            "numbers": PrivateBoostingRegressor(target_range=(-5.0, 15.0), n_rounds=20, **common).fit(X, 10 * X["u"]),
            "bdpe": BDPEClassifier(classes=three[:2], n_trees=5, **common).fit(X, labels_of(X)),
            "exact": PrivateForestClassifier(privacy=None, n_trees=5, random_state=0).fit(X, labels_of(X, 3)),
        }


def figure(report: Any, name: str) -> float:
    return float(report.figures[name].value)


@pytest.mark.parametrize("name", ["two", "bdpe"])
def test_with_a_huge_budget_figures_are_the_exact_ones_of_binned_scores(models: dict[str, Any], name: str) -> None:
    X = rows(1500, 1)
    y = labels_of(X)
    report = evaluate_private(models[name], X, y, epsilon=HUGE)
    probability = models[name].predict_proba(X)[:, 1]
    binned = angle_middles(64)[bin_of(probability, angle_edges(64))]
    assert report.n_bins == 64
    assert figure(report, "counted") == 1500
    assert figure(report, "accuracy") == accuracy_score(y, models[name].predict(X))
    assert figure(report, "auc") == pytest.approx(roc_auc_score(y == "yes", binned))
    exact = roc_auc_score(y == "yes", probability)
    assert abs(figure(report, "auc") - exact) <= figure(report, "tied_pairs") / 2 < 0.05
    assert figure(report, "brier") == pytest.approx(((binned - (y == "yes")) ** 2).mean())
    assert figure(report, "brier") == pytest.approx(((probability - (y == "yes")) ** 2).mean(), abs=0.005)
    assert figure(report, "share") == (y == "yes").mean()
    assert report.figures["auc"].noise_error < 1e-6


@pytest.mark.parametrize("name", ["three", "exact"])
def test_many_classes_in_the_limit(models: dict[str, Any], name: str) -> None:
    X = rows(1500, 1)
    y = labels_of(X, 3)
    report = evaluate_private(models[name], X, y, epsilon=HUGE)
    predicted = models[name].predict(X)
    assert figure(report, "accuracy") == accuracy_score(y, predicted)
    found = [figure(report, f"recall of {label}") for label in ("no", "yes", "zero")]
    np.testing.assert_allclose(found, recall_score(y, predicted, average=None))
    confusion = np.array(report.table["confusion"])
    assert confusion.trace() == (y == predicted).sum()
    top = models[name].predict_proba(X).max(axis=1)
    assert figure(report, "mean_excess") == pytest.approx(top.mean() - (y == predicted).mean(), abs=0.03)


def test_numbers_in_the_limit(models: dict[str, Any]) -> None:
    X = rows(1500, 1)
    y = 10 * X["u"].to_numpy()
    report = evaluate_private(models["numbers"], X, y, epsilon=HUGE)
    predicted = models["numbers"].predict(X)
    assert figure(report, "mae") == pytest.approx(mean_absolute_error(y, predicted), abs=0.05)
    assert figure(report, "rmse") == pytest.approx(root_mean_squared_error(y, predicted), abs=0.05)
    assert figure(report, "mean_error") == pytest.approx((predicted - y).mean(), abs=0.05)
    assert report.calibration is None
    wild = evaluate_private(models["numbers"], X, np.where(y > 5, 1e300, -np.inf), epsilon=HUGE)
    assert 0 <= figure(wild, "mae") <= 20  # clipped to the range


@pytest.mark.parametrize("name", ["two", "three", "numbers"])
def test_the_statement_is_that_of_one_release(models: dict[str, Any], name: str) -> None:
    X = rows(300, 2)
    y = 10 * X["u"] if name == "numbers" else labels_of(X, 2 if name == "two" else 3)
    report = evaluate_private(models[name], X, y, epsilon=0.5, relation="replace-one", rows_per_person=2)
    (event,) = report.statement.releases
    assert (event.label, event.mechanism, event.distance) == ("evaluation/counts", "laplace", 4)
    assert event.cost * 2 == 1
    assert report.statement.private
    assert report.statement.summary().startswith("This evaluation is ε-differentially private with ε = 0.5")
    assert "up to 2 rows of one person replaced" in report.statement.summary()
    assert verify_statement(report.statement).private
    assert PrivacyStatement.from_dict(json.loads(report.to_json())["statement"]) == report.statement
    assert report.statement.summary() in str(report)
    assert "costs add up" in str(report)


def test_gaussian_noise_states_its_delta_and_laplace_noise_none(models: dict[str, Any]) -> None:
    X = rows(300, 2)
    y = labels_of(X)
    given = evaluate_private(models["two"], X, y, epsilon=0.5, delta=1e-6)
    assert (given.statement.delta, given.statement.releases[0].mechanism) == (0.0, "laplace")
    gaussian = evaluate_private(models["two"], X, y, epsilon=0.5, delta=1e-6, mechanism="gaussian")
    assert (gaussian.statement.delta, gaussian.statement.releases[0].mechanism) == (1e-6, "gaussian")
    assert verify_statement(gaussian.statement).private
    assert "(ε, δ)-differentially private with ε = 0.5, δ = 1e-06" in gaussian.to_dict()["guarantee"]
    assert PrivacyStatement.from_dict(gaussian.to_dict()["statement"]) == gaussian.statement


def test_a_seed_makes_a_simulation(models: dict[str, Any]) -> None:
    X = rows(100, 2)
    reports = []
    for _ in range(2):
        with pytest.warns(PrivacyWarning, match="this evaluation is a simulation") as caught:
            reports.append(evaluate_private(models["two"], X, labels_of(X), epsilon=1.0, random_state=3))
        assert [warning.filename for warning in caught] == [__file__]
    assert reports[0] == reports[1]
    assert not reports[0].statement.private
    assert reports[0].to_dict()["covered_by_guarantee"] is False
    assert "NOT PRIVATE: a simulation" in str(reports[0])
    assert "evaluate again with random_state=None" in reports[0].statement.warning
    secret = [evaluate_private(models["two"], X, labels_of(X), epsilon=1.0).table for _ in range(2)]
    assert secret[0] != secret[1]


def test_a_large_delta_warns(models: dict[str, Any]) -> None:
    X = rows(100, 2)
    with pytest.warns(PrivacyWarning, match=r"'delta' is 0\.02, not below 1 / number of rows, 0\.01"):
        evaluate_private(models["two"], X, labels_of(X), epsilon=1.0, delta=0.02, mechanism="gaussian")


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"epsilon": 0}, ParameterError, "'epsilon' parameter must be a finite number above 0. Got 0 instead. State"),
        ({"epsilon": math.nan}, ParameterError, "State what these figures may cost"),
        ({"epsilon": True}, ParameterTypeError, "'epsilon'"),
        ({"epsilon": None}, ParameterTypeError, "'epsilon'"),
        ({"delta": 1.0}, ParameterError, "'delta' parameter must be a number of 0 or more and below 1"),
        ({"mechanism": "none"}, ParameterError, "'mechanism' parameter must be one of 'auto', 'laplace', 'gaussian'"),
        ({"mechanism": "gaussian"}, ParameterError, "'delta' parameter must be above 0 for Gaussian noise"),
        ({"relation": "swap"}, ParameterError, "'relation' parameter must be one of 'add-remove', 'replace-one'"),
        ({"rows_per_person": 0}, ParameterError, "'rows_per_person' parameter must be an integer from 1 to 1000"),
        ({"random_state": "x"}, ParameterTypeError, "'random_state'"),
    ],
)
def test_arguments_are_checked(models: dict[str, Any], arguments: Any, error: type, message: str) -> None:
    X = rows(10, 2)
    with pytest.raises(error) as caught:
        evaluate_private(models["two"], X, labels_of(X), **{"epsilon": 1.0, **arguments})
    assert message in str(caught.value)


def test_shapes_are_checked(models: dict[str, Any]) -> None:
    X = rows(10, 2)
    with pytest.raises(SchemaError, match=r"inconsistent numbers of samples: \[10, 9\]"):
        evaluate_private(models["two"], X, labels_of(X)[:9], epsilon=1.0)
    with pytest.raises(SchemaError, match="0 sample"):
        evaluate_private(models["two"], X[:0], [], epsilon=1.0)
    with pytest.raises(SchemaError, match="requires y"):
        evaluate_private(models["two"], X, None, epsilon=1.0)
    with pytest.raises(ParameterTypeError, match="a fitted estimator of privboost"):
        evaluate_private(lambda X: X, X, labels_of(X), epsilon=1.0)


def test_nothing_is_drawn_before_all_is_checked(models: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(private, "make_randomness", None)
    with pytest.raises(SchemaError):
        evaluate_private(models["two"], rows(10, 2), np.zeros((10, 2)), epsilon=1.0)


class Unhashable:
    __hash__ = None  # type: ignore[assignment]


ODD_CELLS = [math.nan, math.inf, -1e300, None, "x", b"1", object(), Unhashable()]
ODD_LABELS = ["maybe", None, math.nan, 1, "", Unhashable(), math.inf]


def outcome(model: Any, X: Any, y: Any, caplog: pytest.LogCaptureFixture) -> Any:
    """Everything that an observer sees but the noise."""
    caplog.clear()
    with warnings.catch_warnings(record=True) as caught, caplog.at_level(logging.DEBUG):
        warnings.simplefilter("always")
        report = evaluate_private(model, X, y, epsilon=1e-3)
    facts = report.to_dict()
    return (
        [str(warning.message) for warning in caught],
        caplog.messages,
        {name: facts[name] for name in ("n_rows", "n_bins", "guarantee", "statement")},
        np.shape(facts["table"]["counts"]),
        list(facts["figures"]),
    )


@pytest.mark.parametrize("name", ["two", "three", "numbers"])
def test_odd_neighbours_have_the_same_outcome(
    models: dict[str, Any], name: str, caplog: pytest.LogCaptureFixture
) -> None:
    X = rows(20, 4).astype(object)
    y = np.array(10 * X["u"] if name == "numbers" else labels_of(rows(20, 4), 2 if name == "two" else 3), object)
    usual = outcome(models[name], X, y, caplog)
    for column in X:
        for cell in ODD_CELLS:
            odd = X.copy()
            odd.iat[0, odd.columns.get_loc(column)] = cell
            assert outcome(models[name], odd, y, caplog) == usual
    for label in ODD_LABELS:
        other = y.copy()
        other[0] = label
        assert outcome(models[name], X, other, caplog) == usual
        other[:] = [label] * len(y)  # no row is known at all
        assert outcome(models[name], X, other, caplog) == usual


def test_an_error_that_tells_of_labels_would_be_noticed(
    models: dict[str, Any], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The exact evaluation's own error, planted."""
    encode = private.encode_labels

    def refusing(y: Any, classes: Any) -> Any:
        codes = encode(y, classes)
        if not (codes >= 0).any():
            raise SchemaError("No row has a label of the model.")
        return codes

    monkeypatch.setattr(private, "encode_labels", refusing)
    with pytest.raises(SchemaError):
        outcome(models["two"], rows(5, 0), ["maybe"] * 5, caplog)


def test_too_little_budget_says_so(models: dict[str, Any]) -> None:
    X = rows(10, 2)
    report = evaluate_private(models["two"], X, labels_of(X), epsilon=1e-6)
    assert report.figures["auc"] is None
    assert "not given: noise outweighs the rows" in str(report)
    json.loads(report.to_json())


def test_an_evaluation_is_charged_before_a_row_is_read():
    X, y = np.random.default_rng(0).random((40, 2)), np.arange(40) % 2
    domain = Domain({"a": Numeric(0, 1), "b": Numeric(0, 1)})
    model = BDPEClassifier(max_depth=1, domain=domain, classes=[0, 1]).fit(X, y)
    budget, other = Budget(0.5), Budget(1.0)
    evaluate_private(model, X, y, epsilon=0.2, budget=budget)
    with budget, other:
        evaluate_private(model, X, y, epsilon=0.2, budget=budget)
    assert (budget.spent, other.spent) == ((0.4, 0.0), (0.2, 0.0))
    assert budget.spends[-1].label == "evaluation"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("privboost.evaluation.private._count", lambda *_: pytest.fail("a row was read"))
        with pytest.raises(BudgetExceededError):
            evaluate_private(model, X, y, epsilon=0.2, budget=budget)
    with pytest.raises(ParameterError, match="'budget'"):
        evaluate_private(model, X, y, epsilon=0.1, budget=1.0)
