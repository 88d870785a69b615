"""``privboost evaluate``: scores against independent computations, and the warning that they are not private."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import (
    accuracy_score,
    brier_score_loss,
    log_loss,
    mean_absolute_error,
    r2_score,
    roc_auc_score,
    root_mean_squared_error,
)

import privboost
from privboost.cli.evaluate import NOT_COVERED, evaluate_model, measure_errors, score


def auc_by_pairs(positive: np.ndarray, scores: np.ndarray) -> float:
    """Return the chance that a positive row scores higher than a negative one, ties counting half."""
    high, low = scores[positive][:, None], scores[~positive][None, :]
    return float(((high > low) + 0.5 * (high == low)).mean())


def test_scores_of_two_classes(trained: Path) -> None:
    model = privboost.load(trained / "private.json")
    table = pd.read_csv(trained / "table.csv")
    X, y = table[["age", "job", "member"]], table["income"].to_numpy()
    found = evaluate_model(str(trained / "private.json"), str(trained / "table.csv"), "income")
    probability = model.predict_proba(X)[:, 1]
    assert (found.n_rows, found.n_left_out) == (400, 0)
    assert found.accuracy == pytest.approx(accuracy_score(y, model.predict(X)))
    assert found.auc == pytest.approx(auc_by_pairs(y == "yes", probability))
    assert found.log_loss == pytest.approx(log_loss(y == "yes", probability))
    assert found.brier == pytest.approx(brier_score_loss(y == "yes", probability))


def test_scores_of_three_classes() -> None:
    generator = np.random.default_rng(0)
    probabilities = generator.dirichlet([1, 2, 3], size=200)
    codes = generator.integers(0, 3, 200).astype(np.int16)
    found = score(codes, probabilities, probabilities.argmax(axis=1) == codes)
    assert found.accuracy == pytest.approx((probabilities.argmax(axis=1) == codes).mean())
    assert found.auc == pytest.approx(roc_auc_score(codes, probabilities, multi_class="ovr", average="macro"))
    assert found.log_loss == pytest.approx(log_loss(codes, probabilities))
    by_hand = sum((probabilities[i, k] - (codes[i] == k)) ** 2 for i in range(200) for k in range(3)) / 200
    assert found.brier == pytest.approx(by_hand)


def test_a_certain_error_costs_a_finite_log_loss() -> None:
    found = score(np.array([0, 1], np.int16), np.array([[0.0, 1.0], [0.0, 1.0]]), np.array([False, True]))
    assert found.log_loss == pytest.approx(-math.log(1e-15) / 2)
    assert found.auc == 0.5


def test_auc_is_not_defined_for_one_class(run: Any, folder: Path, trained: Path) -> None:
    table = pd.read_csv(folder / "table.csv")
    table[table["income"] == "no"].to_csv(folder / "one.csv", index=False)
    arguments = ["evaluate", trained / "private.json", folder / "one.csv", "--target", "income"]
    assert "not defined: a class does not occur" in run(*arguments).out
    assert json.loads(run(*arguments, "--json").out)["auc"] is None


def test_the_figures_are_said_not_to_be_covered(run: Any, trained: Path) -> None:
    arguments = ["evaluate", trained / "private.json", trained / "table.csv", "--target", "income"]
    result = run(*arguments)
    assert (result.status, result.err) == (0, "")
    assert result.out.splitlines()[-1] == NOT_COVERED
    assert "without noise" in NOT_COVERED
    assert [line.split("  ")[0] for line in result.out.splitlines()[:5]] == [
        "rows",
        "accuracy",
        "AUC",
        "log loss",
        "Brier score",
    ]
    facts = json.loads(run(*arguments, "--json").out)
    assert facts["covered_by_guarantee"] is False
    assert facts["note"] == NOT_COVERED


def test_rows_without_a_known_label_are_left_out(run: Any, folder: Path, trained: Path) -> None:
    table = pd.read_csv(folder / "table.csv")
    table.loc[:9, "income"] = "maybe"
    table.loc[10:19, "income"] = None
    table.to_csv(folder / "some.csv", index=False)
    result = run("evaluate", trained / "private.json", folder / "some.csv", "--target", "income")
    assert "380 (20 left out)" in result.out
    table.assign(income="maybe").to_csv(folder / "none.csv", index=False)
    result = run("evaluate", trained / "private.json", folder / "none.csv", "--target", "income")
    assert result.status == 2
    assert "No row of 'income' has a label of the model, ['no', 'yes']" in result.err


def test_a_binary_rule_is_applied_again(run: Any, folder: Path) -> None:
    catalogue, model = f"{folder / 'catalogue.json'}:ge", folder / "m.json"
    arguments = ["-d", catalogue, "-o", model, "--privacy", "none", "--learner", "bdpe", "--depth", 4]
    assert run("train", folder / "grades.csv", *arguments).status == 0
    result = run("evaluate", model, folder / "grades.csv", "--target", "grade", "-d", catalogue, "--json")
    facts = json.loads(result.out)
    assert facts["accuracy"] == 1.0
    assert facts["n_left_out"] == 0


def test_labels_match_across_file_types(folder: Path) -> None:
    from privboost.cli.learners import Choices
    from privboost.cli.train import TrainRequest, train_model

    table = pd.read_csv(folder / "table.csv").assign(income=lambda t: (t["income"] == "yes").astype(int))
    table.to_csv(folder / "n.csv", index=False)
    table.to_parquet(folder / "n.parquet", index=False)
    out = str(folder / "m.json")
    scores = []
    for trained_on in ("n.csv", "n.parquet"):
        choices = Choices(classes=("0", "1"), private=False, seed=1)
        train_model(TrainRequest(str(folder / trained_on), str(folder / "domain.toml"), out, choices))
        scores += [evaluate_model(out, str(folder / name), "income") for name in ("n.csv", "n.parquet")]
    assert all(found == scores[0] for found in scores)
    assert scores[0].accuracy > 0.9


# -- numbers


def test_errors_of_numbers(run: Any, trained: Path) -> None:
    model = privboost.load(trained / "numbers.json")
    table = pd.read_csv(trained / "wages.csv")
    predicted = model.predict(table[["age", "job", "member"]])
    found = evaluate_model(str(trained / "numbers.json"), str(trained / "wages.csv"), "wage")
    assert (found.n_rows, found.n_left_out) == (400, 0)
    assert found.mae == pytest.approx(mean_absolute_error(table["wage"], predicted))
    assert found.rmse == pytest.approx(root_mean_squared_error(table["wage"], predicted))
    assert found.r2 == pytest.approx(r2_score(table["wage"], predicted))
    result = run("evaluate", trained / "numbers.json", trained / "wages.csv", "--target", "wage")
    assert (result.status, result.err) == (0, "")
    assert [line.split(" ")[0] for line in result.out.splitlines()[:4]] == ["rows", "MAE", "RMSE", "R²"]
    assert result.out.splitlines()[-1] == NOT_COVERED
    facts = json.loads(
        run("evaluate", trained / "numbers.json", trained / "wages.csv", "--target", "wage", "--json").out
    )
    assert facts["rmse"] == found.rmse
    assert facts["covered_by_guarantee"] is False


def test_rows_without_a_number_are_left_out(run: Any, folder: Path, trained: Path) -> None:
    table = pd.read_csv(folder / "wages.csv").astype({"wage": object})
    table.loc[:9, "wage"] = ["", "x", "nan", "inf", "-inf", "1e400", None, "-", "?", "1,5"]
    table.to_csv(folder / "some.csv", index=False)
    arguments = ["--target", "wage", "--json"]
    facts = json.loads(run("evaluate", trained / "numbers.json", folder / "some.csv", *arguments).out)
    assert (facts["n_rows"], facts["n_left_out"]) == (390, 10)
    table.assign(wage="x").to_csv(folder / "none.csv", index=False)
    result = run("evaluate", trained / "numbers.json", folder / "none.csv", *arguments)
    assert (result.status, result.err) == (2, "privboost: error: No row of 'wage' has a finite number.\n")
    result = run("evaluate", trained / "numbers.json", folder / "some.csv", *arguments, "-d", folder / "domain.toml")
    assert result.status == 2
    assert "left out for a model that predicts numbers" in result.err


def test_r2_is_not_defined_for_one_number(run: Any, folder: Path, trained: Path) -> None:
    pd.read_csv(folder / "wages.csv").assign(wage=7).to_csv(folder / "same.csv", index=False)
    arguments = ["evaluate", trained / "numbers.json", folder / "same.csv", "--target", "wage"]
    assert "not defined: all numbers are the same" in run(*arguments).out
    assert json.loads(run(*arguments, "--json").out)["r2"] is None


@pytest.mark.parametrize("size", [1e-300, 1.0, 1e200])
def test_errors_of_numbers_of_any_size(size: float) -> None:
    generator = np.random.default_rng(0)
    numbers, predicted = generator.normal(size=(2, 50))
    found = measure_errors(numbers * size, predicted * size)
    assert found.mae == pytest.approx(mean_absolute_error(numbers, predicted) * size)
    assert found.rmse == pytest.approx(root_mean_squared_error(numbers, predicted) * size)
    assert found.r2 == pytest.approx(r2_score(numbers, predicted))
