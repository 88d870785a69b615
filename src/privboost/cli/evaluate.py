"""``privboost evaluate``: how well a model does on rows whose labels are known."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import typer
from sklearn.metrics import roc_auc_score

from privboost.cli.console import print_json, print_text
from privboost.cli.paths import check_files
from privboost.cli.target import Target, labels_for, read_domain
from privboost.data.datasets import read_table
from privboost.data.labels import encode_labels
from privboost.errors import SchemaError
from privboost.estimators.loading import load

__all__ = ["Evaluation", "evaluate_model", "score"]

NOT_COVERED = (
    "These figures are computed from the given rows without noise. They are not covered by the model's guarantee: "
    "publish them only if the rows are public."
)
SMALLEST_PROBABILITY = 1e-15


@dataclass(frozen=True)
class Evaluation:
    """Scores on labelled rows.

    Attributes
    ----------
    n_rows : int
        Rows whose label is one of the model's classes; the others are left out.
    n_left_out : int
    accuracy : float
    auc : float or None
        Area under the ROC curve of the second class; for more classes the mean over each class against the rest. None
        unless every class occurs.
    log_loss : float
        Mean of ``-ln p(label)``, probabilities below 1e-15 taken as 1e-15.
    brier : float
        Mean squared error of the second class's probability; for more classes the sum over the classes.
    """

    n_rows: int
    n_left_out: int
    accuracy: float
    auc: float | None
    log_loss: float
    brier: float


def evaluate_model(model_file: str, table: str, target: str, domain: str | None = None) -> Evaluation:
    """Score a model on a table.

    Parameters
    ----------
    model_file, table : str
    target : str
        Label column of the table.
    domain : str or None, default=None
        ``FILE.json:ENTRY`` of the catalogue whose rule made the labels binary in training.

    Raises
    ------
    SchemaError
        If no row has a label that the model knows.
    """
    model = load(model_file)
    classes = tuple(model.classes_.tolist())
    rule = None if domain is None else read_domain(domain).rule
    X, y = read_table(table, model.domain_, target)
    labels, matched = labels_for(y, Target(target, classes, rule))
    codes = encode_labels(labels, matched)
    known = codes >= 0
    if not known.any():
        raise SchemaError(
            f"No row of {target!r} has a label of the model, {list(classes)[:5]}. If a catalogue's rule made the "
            "labels binary in training, give --domain FILE.json:ENTRY here too."
        )
    probabilities, predicted = model.predict_proba(X)[known], model.predict(X)[known]
    return score(codes[known], probabilities, predicted == model.classes_[codes[known]], int((~known).sum()))


def score(
    codes: npt.NDArray[np.int16],
    probabilities: npt.NDArray[np.float64],
    correct: npt.NDArray[np.bool_],
    n_left_out: int = 0,
) -> Evaluation:
    """Compute the scores.

    Parameters
    ----------
    codes : ndarray of int, shape (n_rows,)
        Index of each row's class.
    probabilities : ndarray, shape (n_rows, n_classes)
    correct : ndarray of bool, shape (n_rows,)
    n_left_out : int, default=0
    """
    n_classes = probabilities.shape[1]
    truth = np.eye(n_classes)[codes]
    own = probabilities[np.arange(len(codes)), codes]
    errors = (probabilities - truth) ** 2
    return Evaluation(
        n_rows=len(codes),
        n_left_out=n_left_out,
        accuracy=float(correct.mean()),
        auc=_auc(codes, truth, probabilities),
        log_loss=float(-np.log(np.maximum(own, SMALLEST_PROBABILITY)).mean()),
        brier=float(errors[:, 1].mean() if n_classes == 2 else errors.sum(axis=1).mean()),
    )


def _auc(
    codes: npt.NDArray[np.int16], truth: npt.NDArray[np.float64], probabilities: npt.NDArray[np.float64]
) -> float | None:
    n_classes = probabilities.shape[1]
    if len(np.unique(codes)) < n_classes:
        return None
    columns = [1] if n_classes == 2 else range(n_classes)
    return math.fsum(float(roc_auc_score(truth[:, k], probabilities[:, k])) for k in columns) / len(columns)


def evaluation_text(evaluation: Evaluation) -> str:
    """Return the scores as a table, with what they are not."""
    auc = "not defined: a class does not occur" if evaluation.auc is None else f"{evaluation.auc:.4f}"
    rows = f"{evaluation.n_rows}" + (f" ({evaluation.n_left_out} left out)" if evaluation.n_left_out else "")
    lines: list[tuple[str, Any]] = [
        ("rows", rows),
        ("accuracy", f"{evaluation.accuracy:.4f}"),
        ("AUC", auc),
        ("log loss", f"{evaluation.log_loss:.4f}"),
        ("Brier score", f"{evaluation.brier:.4f}"),
    ]
    return "\n".join([*(f"{name:<12} {value}" for name, value in lines), "", NOT_COVERED])


def command(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="Model file.")],
    table: Annotated[str, typer.Argument(metavar="TABLE", help="CSV or Parquet file with labels.")],
    target: Annotated[str, typer.Option("--target", help="Label column.")],
    domain: Annotated[
        str | None, typer.Option("--domain", "-d", help="FILE.json:ENTRY whose rule made the labels binary.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Measure a model on labelled rows; the figures are not private."""
    check_files({"MODEL": model, "TABLE": table, "--domain": domain})
    evaluation = evaluate_model(model, table, target, domain)
    if as_json:
        print_json(asdict(evaluation) | {"covered_by_guarantee": False, "note": NOT_COVERED})
    else:
        print_text(evaluation_text(evaluation))
