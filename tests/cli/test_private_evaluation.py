"""``privboost evaluate --epsilon``: figures with noise and a guarantee, and nothing exact beside them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import privboost
from privboost.cli.evaluate import NOT_COVERED
from privboost.privacy import PrivacyStatement, verify_statement


def arguments(trained: Path, model: str = "private", *options: Any) -> list[Any]:
    name, target = ("wages.csv", "wage") if model == "numbers" else ("table.csv", "income")
    return ["evaluate", trained / f"{model}.json", trained / name, "--target", target, "--epsilon", 1, *options]


@pytest.mark.parametrize("model", ["private", "forest", "boosted", "numbers", "exact"])
def test_the_screen(run: Any, trained: Path, model: str) -> None:
    result = run(*arguments(trained, model))
    assert (result.status, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == "400 rows, 16 bins"
    names = [line.split("  ")[0] for line in lines[2:]]
    wanted = ["accuracy", "AUC", "tied pairs", "log loss", "Brier score", "second class", "mean excess"]
    assert names[:2] == ["figure", "rows counted"]
    assert names[2 : names.index("")] == (["MAE", "RMSE", "mean error"] if model == "numbers" else wanted)
    assert "This evaluation is ε-differentially private with ε = 1 (pure: δ = 0)" in result.out
    assert "discrete Laplace" in result.out
    assert "This model" not in result.out
    assert NOT_COVERED not in result.out


def test_json(run: Any, trained: Path) -> None:
    facts = json.loads(run(*arguments(trained, "private", "--json")).out)
    assert facts["covered_by_guarantee"] is True
    assert facts["guarantee"].startswith("This evaluation is ε-differentially private with ε = 1")
    statement = PrivacyStatement.from_dict(facts["statement"])
    assert verify_statement(statement).private
    assert statement.summary() == facts["guarantee"]
    assert 0.5 < facts["figures"]["accuracy"]["value"] <= 1.0
    assert set(facts) == {
        "covered_by_guarantee", "guarantee", "n_rows", "n_bins", "figures", "calibration", "table", "statement",
        "budget",
    }  # fmt: skip


def test_figures_are_near_the_exact_ones(run: Any, trained: Path) -> None:
    """400 rows and a budget of 20: nine standard deviations of the noise, and what the bins hide."""
    exact = json.loads(run(*arguments(trained)[:-2], "--json").out)
    found = json.loads(run(*arguments(trained)[:-1], 20, "--json").out)["figures"]
    for name in ("accuracy", "auc", "brier"):
        assert abs(found[name]["value"] - exact[name]) < 9 * found[name]["noise_error"] + 0.02


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--epsilon", "0"], "The '--epsilon' parameter must be a finite number above 0. Got 0.0 instead. State what"),
        (["--epsilon", "nan"], "The '--epsilon' parameter must be a finite number above 0"),
        (["--epsilon", "1", "--delta", "1"], "The '--delta' parameter must be a number of 0 or more and below 1"),
        (["--epsilon", "1", "--mechanism", "none"], "The 'mechanism' parameter must be one of 'auto', 'laplace'"),
        (["--epsilon", "1", "--relation", "x"], "The 'relation' parameter must be one of 'add-remove'"),
        (["--epsilon", "1", "--rows-per-person", "0"], "The 'rows_per_person' parameter must be an integer from 1"),
        (["--delta", "1e-6"], "The '--delta' parameter must be left out without --epsilon. Got 1e-06 instead. With"),
        (["--relation", "replace-one"], "The '--relation' parameter must be left out without --epsilon"),
        (["--rows-per-person", "2"], "The '--rows-per-person' parameter must be left out without --epsilon"),
        (["--mechanism", "laplace"], "The '--mechanism' parameter must be left out without --epsilon"),
        (["--seed", "0"], "The '--seed' parameter must be left out without --epsilon"),
        (["--budget", "people.db"], "The '--budget' parameter must be left out without --epsilon"),
    ],
)
def test_options_are_checked(run: Any, trained: Path, options: list[str], message: str) -> None:
    result = run(*arguments(trained)[:-2], *options)
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith(f"privboost: error: {message}")
    assert result.err.count("\n") == 1


def test_options_are_passed_on(run: Any, trained: Path) -> None:
    options = ["--delta", "1e-6", "--mechanism", "gaussian", "--relation", "replace-one", "--rows-per-person", "2"]
    facts = json.loads(run(*arguments(trained, "private", *options, "--json")).out)
    (release,) = facts["statement"]["releases"]
    assert (release["mechanism"], release["distance"], facts["statement"]["delta"]) == ("gaussian", 4, 1e-6)
    seeded = [run(*arguments(trained, "private", "--seed", "0")) for _ in range(2)]
    assert seeded[0] == seeded[1]
    assert "NOT PRIVATE: a simulation" in seeded[0].out
    assert "this evaluation is a simulation" in seeded[0].err


def test_no_label_and_no_number_changes_what_is_said(run: Any, folder: Path, trained: Path) -> None:
    """Where no row is known the exact evaluation fails. Here that is a fact about rows, and hidden."""
    table, wages = pd.read_csv(folder / "table.csv"), pd.read_csv(folder / "wages.csv").astype({"wage": object})
    tables: dict[str, pd.DataFrame] = {
        "none": table.assign(income="maybe"),
        "gap": table.assign(income=[None, *table["income"][1:]]),
        "text": table.assign(age="x", job="diver", member="?"),
    }
    usual = json.loads(run(*arguments(trained, "private", "--json")).out)
    for name, changed in tables.items():
        changed.to_csv(folder / f"{name}.csv", index=False)
        command = arguments(trained, "private", "--json")
        command[2] = folder / f"{name}.csv"
        result = run(*command)
        assert (result.status, result.err) == (0, "")
        facts = json.loads(result.out)
        for key in ("n_rows", "n_bins", "guarantee", "statement"):
            assert facts[key] == usual[key]
        assert "left_out" not in result.out
    wages.assign(wage="x").to_csv(folder / "none.csv", index=False)
    command = arguments(trained, "numbers")
    command[2] = folder / "none.csv"
    result = run(*command)
    assert (result.status, result.err) == (0, "")
    result = run(*command, "-d", folder / "domain.toml")
    assert result.status == 2
    assert "left out for a model that predicts numbers" in result.err


def test_labels_match_as_they_print(run: Any, folder: Path) -> None:
    """Of a Parquet file of booleans, one missing, for a model whose classes are the numbers 0 and 1."""
    table = pd.read_csv(folder / "table.csv").assign(income=lambda t: (t["income"] == "yes").astype(int))
    table.to_csv(folder / "n.csv", index=False)
    options = ["-d", folder / "domain.toml", "--classes", "0,1", "-o", folder / "m.json", "--privacy", "none"]
    assert run("train", folder / "n.csv", *options, "--learner", "bdpe", "--depth", 3).status == 0
    truth = [None, *(table["income"][1:] == 1)]
    table.assign(income=pd.array(truth, "boolean").astype(object)).to_parquet(folder / "n.parquet", index=False)
    for name, known in (("n.csv", 400), ("n.parquet", 399)):
        result = run("evaluate", folder / "m.json", folder / name, "--target", "income", "-e", 1e9, "--json")
        figures = json.loads(result.out)["figures"]
        assert figures["counted"]["value"] == known
        assert figures["accuracy"]["value"] > 0.9


def test_a_rule_is_applied_again(run: Any, folder: Path) -> None:
    catalogue, model = f"{folder / 'catalogue.json'}:ge", folder / "m.json"
    options = ["-d", catalogue, "-o", model, "--privacy", "none", "--learner", "bdpe", "--depth", 4]
    assert run("train", folder / "grades.csv", *options).status == 0
    command = ["evaluate", model, folder / "grades.csv", "--target", "grade", "-e", 1e9, "--json", "-d", catalogue]
    figures = json.loads(run(*command).out)["figures"]
    assert figures["accuracy"]["value"] == 1.0
    assert figures["counted"]["value"] == 400


def test_many_classes_are_named(run: Any, folder: Path) -> None:
    table = pd.read_csv(folder / "grades.csv")
    options = ["-d", folder / "domain.toml", "--target", "grade", "--classes", "0,1,2,3,4", "-o", folder / "m.json"]
    assert run("train", folder / "grades.csv", *options, "-e", 20, "--rounds", 5).status == 0
    result = run("evaluate", folder / "m.json", folder / "grades.csv", "--target", "grade", "-e", 5)
    assert result.err == ""
    assert [f"recall of {k}" in result.out for k in range(5)] == [True] * 5
    assert len(table) == len(privboost.load(folder / "m.json").predict(table[["age", "job", "member"]]))
