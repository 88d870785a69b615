"""Rows to cells: which cell of the table a row counts in, by public edges, and the unreleased counts."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from privboost.evaluation.plan import EvaluationPlan
from privboost.privacy.mechanisms import RawSums

__all__ = [
    "angle_edges",
    "bin_of",
    "confidence_edges",
    "count_classes",
    "count_numbers",
    "count_two_classes",
    "error_edges",
]

Floats = npt.NDArray[np.float64]


def angle_edges(n_bins: int, low: float = 0.0) -> Floats:
    r"""Return edges between probabilities that are equally spaced in :math:`\arcsin\sqrt p`.

    A rate's standard error is the same everywhere on this scale, so bins are narrow where probabilities of rare classes
    lie. Halves of 2k bins meet at 1/2 exactly.

    Parameters
    ----------
    n_bins : int
        1 or more.
    low : float, default=0.0
        First edge; the last is 1.

    Returns
    -------
    ndarray of float64, shape (n_bins + 1,)
        Rising.
    """
    edges = np.sin(np.linspace(math.asin(math.sqrt(low)), 0.5 * math.pi, n_bins + 1)) ** 2
    edges[0], edges[-1] = low, 1.0
    if low == 0.0 and n_bins % 2 == 0:
        edges[n_bins // 2] = 0.5
    return np.asarray(edges)


def angle_middles(n_bins: int, low: float = 0.0) -> Floats:
    """Return the middles of the bins of `angle_edges`, on the same scale, shape (n_bins,)."""
    return angle_edges(2 * n_bins, low)[1::2]


def confidence_edges(n_bins: int, n_classes: int) -> Floats:
    """Return edges between the largest of ``n_classes`` probabilities, which is at least 1 / n_classes."""
    return angle_edges(n_bins, 1.0 / n_classes)


def error_edges(n_bins: int) -> Floats:
    """Return edges between absolute errors, as parts of the target's range: squares, as most errors are small."""
    return np.asarray(np.linspace(0.0, 1.0, n_bins + 1) ** 2)


def bin_of(values: Floats, edges: Floats) -> npt.NDArray[np.int64]:
    """Return the bin of each value; an edge belongs to the bin below it, as 1/2 does to the first class.

    Parameters
    ----------
    values : ndarray of float64, shape (n_rows,)
        Those beyond the ends count in the last bins.
    edges : ndarray of float64, shape (n_bins + 1,)

    Returns
    -------
    ndarray of int64, shape (n_rows,)
        From 0 to n_bins - 1.
    """
    return np.searchsorted(edges[1:-1], values, side="left").astype(np.int64)


def count_two_classes(positive: Floats, codes: npt.NDArray[np.int16], plan: EvaluationPlan) -> RawSums:
    """Count rows by the bin of their probability and by their class.

    Parameters
    ----------
    positive : ndarray of float64, shape (n_rows,)
        The model's probability of the second class.
    codes : ndarray of int, shape (n_rows,)
        Index of each row's class; -1 for a row that counts nowhere.
    plan : EvaluationPlan

    Returns
    -------
    RawSums of shape (n_bins, 2)
        One row changes one number, by one row's units.
    """
    cells = 2 * bin_of(positive, angle_edges(plan.n_bins)) + codes
    return _raw(_counts(cells[codes >= 0], 2 * plan.n_bins).reshape(plan.n_bins, 2), plan)


def count_classes(
    confidence: Floats, predicted: npt.NDArray[np.int64], codes: npt.NDArray[np.int16], plan: EvaluationPlan
) -> RawSums:
    """Count rows by their class and the predicted one; and by the bin of the largest probability and whether it erred.

    Parameters
    ----------
    confidence : ndarray of float64, shape (n_rows,)
        The largest probability.
    predicted, codes : ndarray of int, shape (n_rows,)
        Index of the predicted and of the true class; ``codes`` is -1 for a row that counts nowhere.
    plan : EvaluationPlan

    Returns
    -------
    RawSums of shape (1, n_classes**2 + 2 * n_bins)
        One row changes two numbers, by one row's units each: the confusion matrix comes first, true classes by rows.
    """
    known = codes >= 0
    truth, guess = codes[known].astype(np.int64), predicted[known]
    confusion = _counts(truth * plan.n_classes + guess, plan.n_classes**2)
    bins = bin_of(confidence[known], confidence_edges(plan.n_bins, plan.n_classes))
    return _raw(np.concatenate([confusion, _counts(2 * bins + (truth == guess), 2 * plan.n_bins)])[None, :], plan)


def count_numbers(errors: Floats, active: npt.NDArray[np.bool_], plan: EvaluationPlan) -> RawSums:
    """Count rows by the bin of their absolute error and by its sign.

    Parameters
    ----------
    errors : ndarray of float64, shape (n_rows,)
        Predicted less true number, as a part of the target's range.
    active : ndarray of bool, shape (n_rows,)
        False for a row that counts nowhere.
    plan : EvaluationPlan

    Returns
    -------
    RawSums of shape (n_bins, 2)
        One row changes one number, by one row's units. The second column holds rows predicted too high.
    """
    known = errors[active]
    cells = 2 * bin_of(np.abs(known), error_edges(plan.n_bins)) + (known > 0.0)
    return _raw(_counts(cells, 2 * plan.n_bins).reshape(plan.n_bins, 2), plan)


def _counts(cells: npt.NDArray[np.int64], n_cells: int) -> npt.NDArray[np.int64]:
    return np.bincount(cells, minlength=n_cells).astype(np.int64)


def _raw(counts: npt.NDArray[np.int64], plan: EvaluationPlan) -> RawSums:
    norm = plan.release.mechanism == "gaussian"
    return RawSums(counts * plan.row_units, plan.sensitivity, "l2" if norm else "l1")
