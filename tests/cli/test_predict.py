"""``privboost predict``: one answer a row, in the order of the rows, whatever else is in the table."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import privboost
from privboost.cli.predict import predict_table


def answers(trained: Path, name: str = "forest") -> tuple[Any, np.ndarray]:
    model = privboost.load(trained / f"{name}.json")
    table = pd.read_csv(trained / "table.csv")
    return model, model.predict(table[["age", "job", "member"]])


def test_csv_on_standard_output(run: Any, trained: Path) -> None:
    result = run("predict", trained / "forest.json", trained / "table.csv")
    assert (result.status, result.err) == (0, "")
    frame = pd.read_csv(io.StringIO(result.out))
    assert frame.columns.tolist() == ["prediction"]
    assert frame["prediction"].tolist() == answers(trained)[1].tolist()
    assert set(frame["prediction"]) == {"no", "yes"}


def test_probabilities_in_full(run: Any, trained: Path) -> None:
    result = run("predict", trained / "private.json", trained / "table.csv", "--proba")
    header, *rows = csv.reader(io.StringIO(result.out))
    assert header == ["prediction", "probability of no", "probability of yes"]
    model, _ = answers(trained, "private")
    table = pd.read_csv(trained / "table.csv")[["age", "job", "member"]]
    assert [[float(cell) for cell in row[1:]] for row in rows] == model.predict_proba(table).tolist()


def test_files_by_their_names(run: Any, folder: Path, trained: Path) -> None:
    expected = answers(trained)[1].tolist()
    for name, read in (("a.csv", pd.read_csv), ("a.csv.gz", pd.read_csv), ("a.parquet", pd.read_parquet)):
        result = run("predict", trained / "forest.json", folder / "table.parquet", "--out", folder / name)
        assert (result.status, result.err) == (0, "")
        assert result.out == f"Answers to 400 rows: {folder / name}\n"
        assert read(folder / name)["prediction"].tolist() == expected
    result = run("predict", trained / "forest.json", folder / "table.csv", "-o", folder / "a.xlsx")
    assert result.status == 2
    assert "'--out' parameter must be the name of a .csv, .csv.gz or .parquet file" in result.err


def test_json(run: Any, folder: Path, trained: Path) -> None:
    result = run("predict", trained / "forest.json", trained / "table.csv", "--json")
    assert json.loads(result.out) == {"prediction": answers(trained)[1].tolist()}
    result = run("predict", trained / "forest.json", trained / "table.csv", "--json", "-o", folder / "a.csv", "--proba")
    columns = ["prediction", "probability of no", "probability of yes"]
    assert json.loads(result.out) == {"out": str(folder / "a.csv"), "n_rows": 400, "columns": columns}


def test_columns_go_by_name_and_others_are_ignored(folder: Path, trained: Path) -> None:
    table = pd.read_csv(folder / "table.csv")
    expected = predict_table(str(trained / "forest.json"), str(folder / "table.csv"))
    table[["member", "age", "job"]].assign(more=1).to_csv(folder / "other.csv", index=False)
    assert predict_table(str(trained / "forest.json"), str(folder / "other.csv")) == expected


def test_a_missing_column_is_named(run: Any, folder: Path, trained: Path) -> None:
    pd.read_csv(folder / "table.csv").drop(columns="job").to_csv(folder / "other.csv", index=False)
    result = run("predict", trained / "forest.json", folder / "other.csv")
    assert (result.status, result.err) == (2, "privboost: error: 'other.csv' has no column 'job'.\n")


def test_a_table_without_rows_has_no_answers(run: Any, folder: Path, trained: Path) -> None:
    (folder / "none.csv").write_text("age,job,member\n", encoding="utf-8")
    result = run("predict", trained / "forest.json", folder / "none.csv", "--proba")
    assert result.status == 0
    assert result.out == "prediction,probability of no,probability of yes\n"


def test_odd_cells_get_an_answer(run: Any, folder: Path, trained: Path) -> None:
    (folder / "odd.csv").write_text('age,job,member\n,,\nx,"a,b",?\ninf,médecin,TRUE\n-1e400,,0\n', encoding="utf-8")
    result = run("predict", trained / "private.json", folder / "odd.csv", "--proba")
    frame = pd.read_csv(io.StringIO(result.out))
    assert len(frame) == 4
    assert np.isfinite(frame.iloc[:, 1:].to_numpy()).all()


def test_numbers(run: Any, folder: Path, trained: Path) -> None:
    model = privboost.load(trained / "numbers.json")
    expected = model.predict(pd.read_csv(trained / "table.csv")[["age", "job", "member"]]).tolist()
    result = run("predict", trained / "numbers.json", trained / "table.csv")
    assert (result.status, result.err) == (0, "")
    assert [float(line) for line in result.out.splitlines()[1:]] == expected
    assert run("predict", trained / "numbers.json", trained / "table.csv", "-o", folder / "a.parquet").status == 0
    assert pd.read_parquet(folder / "a.parquet")["prediction"].tolist() == expected
    assert json.loads(run("predict", trained / "numbers.json", trained / "table.csv", "--json").out)["prediction"] == (
        expected
    )


def test_a_model_of_numbers_has_no_probabilities(run: Any, trained: Path) -> None:
    result = run("predict", trained / "numbers.json", trained / "table.csv", "--proba")
    assert (result.status, result.out) == (2, "")
    assert "'--proba' parameter must be left out for a model that predicts numbers" in result.err
