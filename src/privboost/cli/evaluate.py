"""``privboost evaluate``: how well a model does on rows whose labels, or numbers, are known."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import typer
from sklearn.metrics import roc_auc_score

from privboost.cli.budget import budget_json, left_text
from privboost.cli.console import print_json, print_text
from privboost.cli.paths import check_files
from privboost.cli.private_evaluation import Price, evaluate_labels, evaluate_numbers
from privboost.cli.target import Target, labels_for, read_domain
from privboost.data.datasets import read_table
from privboost.data.labels import encode_labels
from privboost.data.targets import read_target
from privboost.errors import ParameterError, SchemaError
from privboost.estimators.loading import load
from privboost.evaluation.report import PrivateEvaluation

__all__ = ["Errors", "Evaluation", "evaluate_model", "measure_errors", "score"]

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


@dataclass(frozen=True)
class Errors:
    """Errors on rows whose numbers are known, in the numbers' own unit.

    Attributes
    ----------
    n_rows : int
        Rows with a finite number; the others are left out.
    n_left_out : int
    mae : float
        Mean absolute error.
    rmse : float
        Root of the mean squared error.
    r2 : float or None
        1 less the squared errors' sum, as a part of that of the mean of these rows. None if all numbers are the same.
    """

    n_rows: int
    n_left_out: int
    mae: float
    rmse: float
    r2: float | None


def evaluate_model(
    model_file: str, table: str, target: str, domain: str | None = None, price: Price | None = None
) -> Evaluation | Errors | PrivateEvaluation:
    """Score a model on a table.

    Parameters
    ----------
    model_file, table : str
    target : str
        Label column of the table.
    domain : str or None, default=None
        ``FILE.json:ENTRY`` of the catalogue whose rule made the labels binary in training.
    price : Price, optional
        What private figures may cost; exact ones by default.

    Returns
    -------
    Evaluation or Errors, or PrivateEvaluation
        Of a model that predicts classes, or numbers; or paid for.

    Raises
    ------
    SchemaError
        If no row has a label that the model knows, or a number; never for a paid evaluation.
    ParameterError
        If a rule for labels is given to a model that predicts numbers.
    BudgetError
        If the budget cannot pay; nothing of the table was read then.
    """
    model = load(model_file)
    if price is not None:
        price.check_budget()
    if hasattr(model, "classes_"):
        return _evaluate_labels(model, table, target, domain, price)
    if domain is not None:
        raise ParameterError("--domain", domain, "left out for a model that predicts numbers, which no rule changes")
    X, y = read_table(table, model.domain_, target, numeric_target=True)
    if price is not None:
        return evaluate_numbers(model, X, y, price)
    numbers = read_target(y)
    known = np.isfinite(numbers)
    if not known.any():
        raise SchemaError(f"No row of {target!r} has a finite number.")
    return measure_errors(numbers[known], model.predict(X)[known], int((~known).sum()))


def _evaluate_labels(
    model: Any, table: str, target: str, domain: str | None, price: Price | None
) -> Evaluation | PrivateEvaluation:
    classes = tuple(model.classes_.tolist())
    rule = None if domain is None else read_domain(domain).rule
    X, y = read_table(table, model.domain_, target)
    if price is not None:
        return evaluate_labels(model, X, y, Target(target, classes, rule), price)
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


def measure_errors(numbers: npt.NDArray[np.float64], predicted: npt.NDArray[np.float64], n_left_out: int = 0) -> Errors:
    """Compute the errors.

    Parameters
    ----------
    numbers, predicted : ndarray, shape (n_rows,)
        Finite.
    n_left_out : int, default=0
    """
    # As parts of the largest of them, so that no square overflows.
    unit = max(float(np.abs(numbers).max()), float(np.abs(predicted).max()), np.finfo(np.float64).tiny)
    truth = numbers / unit
    errors = predicted / unit - truth
    spread = float(((truth - truth.mean()) ** 2).sum())
    return Errors(
        n_rows=len(numbers),
        n_left_out=n_left_out,
        mae=float(np.abs(errors).mean()) * unit,
        rmse=math.sqrt(float((errors**2).mean())) * unit,
        r2=1.0 - float((errors**2).sum()) / spread if numbers.min() < numbers.max() and spread > 0.0 else None,
    )


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


def evaluation_text(evaluation: Evaluation | Errors) -> str:
    """Return the scores as a table, with what they are not."""
    rows = f"{evaluation.n_rows}" + (f" ({evaluation.n_left_out} left out)" if evaluation.n_left_out else "")
    lines = [("rows", rows)]
    if isinstance(evaluation, Errors):
        r2 = "not defined: all numbers are the same" if evaluation.r2 is None else f"{evaluation.r2:.4f}"
        lines += [("MAE", f"{evaluation.mae:.6g}"), ("RMSE", f"{evaluation.rmse:.6g}"), ("R²", r2)]
    else:
        auc = "not defined: a class does not occur" if evaluation.auc is None else f"{evaluation.auc:.4f}"
        lines += [
            ("accuracy", f"{evaluation.accuracy:.4f}"),
            ("AUC", auc),
            ("log loss", f"{evaluation.log_loss:.4f}"),
            ("Brier score", f"{evaluation.brier:.4f}"),
        ]
    return "\n".join([*(f"{name:<12} {value}" for name, value in lines), "", NOT_COVERED])


def command(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="Model file.")],
    table: Annotated[str, typer.Argument(metavar="TABLE", help="CSV or Parquet file with labels or numbers.")],
    target: Annotated[str, typer.Option("--target", help="Column of the labels or numbers.")],
    domain: Annotated[
        str | None, typer.Option("--domain", "-d", help="FILE.json:ENTRY whose rule made the labels binary.")
    ] = None,
    epsilon: Annotated[
        float | None, typer.Option("--epsilon", "-e", help="Budget of private figures; exact ones without it.")
    ] = None,
    delta: Annotated[
        float | None, typer.Option("--delta", help="Of private figures: 0, or far below 1 / number of rows.")
    ] = None,
    mechanism: Annotated[
        str | None, typer.Option("--mechanism", help="Of private figures: auto, laplace or gaussian.")
    ] = None,
    relation: Annotated[
        str | None, typer.Option("--relation", help="Neighbouring tables: add-remove or replace-one.")
    ] = None,
    rows_per_person: Annotated[
        int | None, typer.Option("--rows-per-person", help="At most how many rows belong to one person.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Reproducible noise: a simulation, which is not private.")
    ] = None,
    budget: Annotated[
        str | None, typer.Option("--budget", metavar="FILE", help="Budget file to charge; see 'privboost budget'.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Measure a model on rows with known answers: exactly, or with --epsilon under differential privacy."""
    price = Price(epsilon, delta, mechanism, relation, rows_per_person, seed, budget)
    paid = price.check()
    check_files({"MODEL": model, "TABLE": table, "--domain": domain, "--budget": budget})
    evaluation = evaluate_model(model, table, target, domain, price if paid else None)
    if isinstance(evaluation, PrivateEvaluation):
        charged = price.open_budget()
        if as_json:
            print_json(evaluation.to_dict() | {"budget": None if charged is None else budget_json(charged)})
        else:
            print_text(str(evaluation) if charged is None else f"{evaluation}\n\n{left_text(charged)}")
    elif as_json:
        print_json(asdict(evaluation) | {"covered_by_guarantee": False, "note": NOT_COVERED})
    else:
        print_text(evaluation_text(evaluation))
