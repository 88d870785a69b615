"""What an evaluation publishes: the released table, the figures that follow from it, and its guarantee."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from privboost.evaluation.figures import (
    Curve,
    Figure,
    area_under_curve,
    calibration_curve,
    ratio,
    root,
    tied_pairs,
    total,
)
from privboost.evaluation.plan import GROUPS, EvaluationPlan
from privboost.evaluation.tables import angle_edges, angle_middles, confidence_edges, error_edges
from privboost.privacy.statement import PrivacyStatement

__all__ = ["PrivateEvaluation", "report_of"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class PrivateEvaluation:
    """Figures of a model on private rows, all computed from one released table of noisy counts.

    Attributes
    ----------
    n_rows : int
        Rows of the table, which are public; whatever their labels.
    n_bins : int
    figures : dict of str to Figure or None
        ``counted`` rows, whose label is known to the model, or that have a number; then, for two classes, ``accuracy``
        (of the likelier class), ``auc``, ``tied_pairs`` (the AUC of unbinned scores differs by at most half of it),
        ``log_loss``, ``brier``, ``share`` of the second class, ``mean_excess`` of predicted over observed probability.
        For more classes ``accuracy``, ``mean_excess`` of the largest probability
        over the accuracy, and the ``recall`` of each class. For numbers ``mae``, ``rmse`` and ``mean_error`` (predicted
        less true), in the target's unit. None where noise outweighs the rows.
    calibration : Curve or None
        Of the second class's probability, or of the largest one. None for numbers.
    table : dict
        What was released: ``edges`` of the bins and ``counts``, in rows, of shape (n_bins, 2); with more than two
        classes also ``confusion``, of shape (n_classes, n_classes), true classes by rows.
    statement : PrivacyStatement
        The guarantee of this evaluation, apart from the model's own.
    """

    n_rows: int
    n_bins: int
    figures: Mapping[str, Figure | None]
    calibration: Curve | None
    table: Mapping[str, Any]
    statement: PrivacyStatement

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a mapping that strict JSON can hold."""
        return {
            "covered_by_guarantee": self.statement.private,
            "guarantee": self.statement.summary(),
            "n_rows": self.n_rows,
            "n_bins": self.n_bins,
            "figures": {name: None if figure is None else asdict(figure) for name, figure in self.figures.items()},
            "calibration": None if self.calibration is None else asdict(self.calibration),
            "table": dict(self.table),
            "statement": self.statement.to_dict(),
        }

    def to_json(self) -> str:
        """Return `to_dict` as one line of strict JSON."""
        return json.dumps(self.to_dict(), allow_nan=False)

    def __str__(self) -> str:
        lines = [f"{self.n_rows} rows, {self.n_bins} bins", ""]
        lines += _aligned(
            [("figure", "value", "± noise", "95 % interval"), *(_row(*item) for item in self.figures.items())]
        )
        if self.calibration is not None:
            lines += ["", *_curve_lines(self.calibration)]
        return "\n".join([*lines, "", str(self.statement)])


def report_of(
    counts: npt.NDArray[np.int64],
    plan: EvaluationPlan,
    statement: PrivacyStatement,
    labels: tuple[str, ...] = (),
    target_range: tuple[float, float] = (0.0, 1.0),
) -> PrivateEvaluation:
    """Compute the figures.

    Parameters
    ----------
    counts : ndarray of int64
        As released, in the plan's units.
    plan : EvaluationPlan
    statement : PrivacyStatement
    labels : tuple of str
        The classes as they print; for more than two.
    target_range : (float, float)
        Of a model that predicts numbers.
    """
    rows, noise = counts / plan.row_units, plan.noise_variance
    hits = rows
    curve: Curve | None = None
    figures: dict[str, Figure | None]
    if plan.task == "two classes":
        figures, curve = _two_classes(rows, noise)
        table = {"edges": angle_edges(plan.n_bins).tolist(), "counts": rows.tolist()}
    elif plan.task == "many classes":
        confusion = rows[0, : plan.n_classes**2].reshape(plan.n_classes, plan.n_classes)
        hits = rows[0, plan.n_classes**2 :].reshape(plan.n_bins, 2)
        figures, curve = _many_classes(confusion, hits, noise, labels)
        edges = confidence_edges(plan.n_bins, plan.n_classes)
        table = {"edges": edges.tolist(), "counts": hits.tolist(), "confusion": confusion.tolist()}
    else:
        width = target_range[1] - target_range[0]
        figures = _numbers(rows, noise, width)
        table = {"edges": (error_edges(plan.n_bins) * width).tolist(), "counts": rows.tolist()}
    counted = {"counted": total(hits, noise, plan.n_rows)}
    return PrivateEvaluation(plan.n_rows, plan.n_bins, counted | figures, curve, table, statement)


def _two_classes(counts: Floats, noise: float) -> tuple[dict[str, Figure | None], Curve]:
    n_bins = len(counts)
    middle = angle_middles(n_bins)
    upper = (np.arange(n_bins) >= n_bins // 2).astype(np.float64)
    losses = -np.log(np.stack([1.0 - middle, middle], axis=1))
    figures = {
        "accuracy": ratio(np.stack([1.0 - upper, upper], axis=1), counts, noise),
        "auc": area_under_curve(counts, noise),
        "tied_pairs": tied_pairs(counts, noise),
        "log_loss": ratio(losses, counts, noise, high=float(losses.max())),
        "brier": ratio(np.stack([middle, 1.0 - middle], axis=1) ** 2, counts, noise),
        "share": ratio(np.stack([0.0 * middle, 0.0 * middle + 1.0], axis=1), counts, noise),
        "mean_excess": ratio(np.stack([middle, middle - 1.0], axis=1), counts, noise, low=-1.0),
    }
    return figures, calibration_curve(counts, middle, angle_edges(n_bins), GROUPS, noise)


def _many_classes(
    confusion: Floats, hits: Floats, noise: float, labels: tuple[str, ...]
) -> tuple[dict[str, Figure | None], Curve]:
    n_bins, n_classes = len(hits), len(confusion)
    middle = angle_middles(n_bins, 1.0 / n_classes)
    # From the smaller of the two tables, whose sums hold less noise; recalls need the larger one.
    figures = {
        "accuracy": ratio(np.tile([0.0, 1.0], (n_bins, 1)), hits, noise),
        "mean_excess": ratio(np.stack([middle, middle - 1.0], axis=1), hits, noise, low=-1.0),
    }
    for k, label in enumerate(labels):
        figures[f"recall of {label}"] = ratio(np.eye(n_classes)[k], confusion[k], noise)
    return figures, calibration_curve(hits, middle, confidence_edges(n_bins, n_classes), GROUPS, noise)


def _numbers(counts: Floats, noise: float, width: float) -> dict[str, Figure | None]:
    n_bins = len(counts)
    middle = ((np.arange(n_bins) + 0.5) / n_bins) ** 2
    both, signed = np.stack([middle, middle], axis=1), np.stack([-middle, middle], axis=1)
    square = root(ratio(both**2, counts, noise))
    return {
        "mae": ratio(both, counts, noise, unit=width),
        "rmse": None if square is None else Figure(*(value * width for value in asdict(square).values())),
        "mean_error": ratio(signed, counts, noise, low=-1.0, unit=width),
    }


_NAMES = {
    "counted": "rows counted",
    "accuracy": "accuracy",
    "auc": "AUC",
    "tied_pairs": "tied pairs",
    "log_loss": "log loss",
    "brier": "Brier score",
    "share": "second class",
    "mean_excess": "mean excess",
    "mae": "MAE",
    "rmse": "RMSE",
    "mean_error": "mean error",
}
_TOO_FEW = "not given: noise outweighs the rows"


def _row(name: str, figure: Figure | None) -> tuple[str, ...]:
    shown = _NAMES.get(name, name)
    if figure is None:
        return (shown, _TOO_FEW)
    write = _count if name == "counted" else _short
    return (shown, *map(write, (figure.value, figure.noise_error)), f"{write(figure.low)} to {write(figure.high)}")


def _count(value: float) -> str:
    return f"{value:.0f}"


def _short(value: float) -> str:
    return f"{value:.4f}" if abs(value) < 100 else f"{value:.6g}"


def _curve_lines(curve: Curve) -> list[str]:
    rows: list[tuple[str, ...]] = [("probability", "predicted", "observed", "± noise")]
    for point in curve.points:
        where = f"{point['low']:.3f} to {point['high']:.3f}"
        if point["observed"] is None:
            rows.append((where, _TOO_FEW))
            continue
        observed = point["observed"]
        rows.append((where, *map(_short, (point["predicted"], observed["value"], observed["noise_error"]))))
    lines = _aligned(rows)
    if curve.error is not None and curve.noise_part is not None:
        lines.append(
            f"Expected calibration error {curve.error:.4f}; noise is at most {curve.noise_part:.4f} of it, on average."
        )
    return lines


def _aligned(rows: list[tuple[str, ...]]) -> list[str]:
    whole = [row for row in rows if len(row) == len(rows[0])]
    widths = [max(len(row[i]) for row in whole) for i in range(len(rows[0]))]
    widths[0] = max(len(row[0]) for row in rows)
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip() for row in rows]
