"""``privboost predict``: labels, probabilities or numbers for the rows of a table."""

from __future__ import annotations

import io
from typing import Annotated, Any

import typer

from privboost.cli.console import print_data, print_json, print_text
from privboost.cli.paths import check_files
from privboost.data.datasets import read_table
from privboost.errors import ParameterError
from privboost.estimators.loading import load

__all__ = ["predict_table", "write_answers"]


def predict_table(model_file: str, table: str, proba: bool = False) -> dict[str, list[Any]]:
    """Answer every row of a table.

    Parameters
    ----------
    model_file, table : str
        Columns of the table that the model does not know are ignored.
    proba : bool, default=False
        Whether to add each class's probability.

    Returns
    -------
    dict of str to list
        Column ``prediction``, and with ``proba`` a column ``probability of LABEL`` for each class.

    Raises
    ------
    ParameterError
        If probabilities are asked of a model that predicts numbers.
    """
    model = load(model_file)
    if proba and not hasattr(model, "classes_"):
        raise ParameterError("--proba", True, "left out for a model that predicts numbers")
    X, _ = read_table(table, model.domain_)
    answers: dict[str, list[Any]] = {"prediction": model.predict(X).tolist()}
    if proba:
        probabilities = model.predict_proba(X)
        for k, label in enumerate(model.classes_):
            answers[f"probability of {label}"] = probabilities[:, k].tolist()
    return answers


def write_answers(answers: dict[str, list[Any]], out: str | None) -> str:
    """Write the answers as Parquet or CSV by the name of the file, or return them as CSV.

    Parameters
    ----------
    answers : dict of str to list
    out : str or None

    Returns
    -------
    str
        CSV text; empty if a file was written.
    """
    _check_format(out)
    import pandas  # optional, and slow to import

    frame = pandas.DataFrame(answers)
    if out is None:
        buffer = io.StringIO()
        frame.to_csv(buffer, index=False, lineterminator="\n")
        return buffer.getvalue()
    if out.lower().endswith((".parquet", ".pq")):
        frame.to_parquet(out, index=False)
    else:
        frame.to_csv(out, index=False, lineterminator="\n")
    return ""


def _check_format(out: str | None) -> None:
    if out is not None and not out.lower().endswith((".csv", ".csv.gz", ".parquet", ".pq")):
        raise ParameterError("--out", out, "the name of a .csv, .csv.gz or .parquet file")


def command(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="Model file.")],
    table: Annotated[str, typer.Argument(metavar="TABLE", help="CSV or Parquet file; further columns are ignored.")],
    out: Annotated[str | None, typer.Option("--out", "-o", help="CSV or Parquet file; else CSV is printed.")] = None,
    proba: Annotated[bool, typer.Option("--proba", help="Add each class's probability.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Predict the label, or the number, of every row of a table."""
    check_files({"MODEL": model, "TABLE": table}, out)
    _check_format(out)
    answers = predict_table(model, table, proba)
    if as_json and out is None:
        print_json(answers)
        return
    text = write_answers(answers, out)
    if as_json:
        print_json({"out": out, "n_rows": len(answers["prediction"]), "columns": list(answers)})
    elif out is None:
        print_data(text)
    else:
        print_text(f"Answers to {len(answers['prediction'])} rows: {out}")
