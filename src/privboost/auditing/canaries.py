"""Rows that an audit of one training takes in or leaves out, by a coin for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from privboost.data.attributes import Boolean
from privboost.data.columns import read_schema
from privboost.data.domain import Domain
from privboost.data.labels import encode_labels
from privboost.data.targets import read_target
from privboost.errors import ParameterError, ParameterTypeError, SchemaError
from privboost.estimators.parameters import check_integer

__all__ = ["Canaries", "default_table", "place_canaries"]

ATTRIBUTES = 64
"""Of the default table, all of them fair coins: tests that are drawn seldom repeat one on a path, and each halves the
rows, so that a deep tree gives nearly every canary a leaf of its own."""


@dataclass(frozen=True, eq=False)
class Canaries:
    """A table's labels with canaries among them.

    Attributes
    ----------
    y : ndarray, shape (n_rows,)
        What is trained on.
    rows : ndarray of int64, shape (n_canaries, rows_per_person)
        Where the canaries are.
    labels : ndarray, shape (n_canaries, rows_per_person)
        Theirs, where they take part.
    included : ndarray of bool, shape (n_canaries,)
    """

    y: npt.NDArray[Any]
    rows: npt.NDArray[np.int64]
    labels: npt.NDArray[Any]
    included: npt.NDArray[np.bool_]


def place_canaries(model: Any, X: Any, y: Any, canaries: Any, rng: np.random.Generator) -> Canaries:
    """Put canaries into a table's labels: with a label at random that is not theirs, if they take part.

    One that does not take part is a null row, without a label; for "replace-one", the row with its own label.

    Parameters
    ----------
    model : PrivateEstimator
        That declares target and unit.
    X, y : table and labels
    canaries : int or array of int
        How many, at random rows; or the positions of rows, which then keep their label where they take part.
    rng : numpy.random.Generator

    Raises
    ------
    ParameterError
        If there are fewer rows than canaries need, or positions are none of the table.
    SchemaError
        If ``y`` cannot be read, by its dtype and shape; no label raises.
    """
    n_rows, k = read_schema(X, owner="audit").n_rows, int(model.rows_per_person)
    model._require_target()
    numeric = hasattr(model, "target_range")
    own = read_target(y) if numeric else _listed_labels(y, model.classes)
    if len(own) != n_rows:
        raise SchemaError(f"X has {n_rows} rows, and y {len(own)}.")
    positions = _positions(canaries, n_rows, k)
    if positions is None:
        number = check_integer("canaries", canaries, low=1, high=n_rows // k)
        rows = rng.permutation(n_rows)[: number * k].astype(np.int64)
        labels = _other_labels(model, own[rows], numeric, rng)
    else:
        rows = positions
        labels = own[rows]
    included = rng.random(len(rows) // k) < 0.5
    replaced = model.relation == "replace-one" and positions is None
    left_out = own[rows] if replaced else np.full(len(rows), np.nan if numeric else None)
    trained = own.copy()
    trained[rows] = np.where(np.repeat(included, k), labels, left_out)
    shape = (len(included), k)
    return Canaries(trained, rows.reshape(shape), labels.reshape(shape), included)


def _positions(canaries: Any, n_rows: int, k: int) -> npt.NDArray[np.int64] | None:
    """Return the positions that canaries are given by; None for a number of canaries."""
    expected = f"a number, or different positions from 0 to {n_rows - 1}, {k} for each person"
    try:
        given = np.asarray(canaries)
    except (TypeError, ValueError):  # lists of several lengths
        raise ParameterTypeError("canaries", type(canaries), expected) from None
    if given.ndim == 0:
        return None
    if given.size and given.dtype.kind not in "iu":
        remedy = "Of a mask of rows, numpy.flatnonzero gives the positions."
        raise ParameterTypeError("canaries", f"an array of {given.dtype}", expected, remedy)
    within = given.size > 0 and 0 <= given.min() <= given.max() < n_rows
    if not within or given.size % k or np.unique(given).size < given.size:
        raise ParameterError("canaries", "an array", expected)
    return given.astype(np.int64).ravel()


def _listed_labels(y: Any, classes: Any) -> npt.NDArray[np.object_]:
    """Return the class of each row as the list of classes has it; None for any label that a fit would not count."""
    return np.array([*classes, None], object)[encode_labels(y, classes)]


def _other_labels(model: Any, own: npt.NDArray[Any], numeric: bool, rng: np.random.Generator) -> npt.NDArray[Any]:
    if numeric:
        low, high = model.target_range
        return np.where(np.asarray(own) > 0.5 * (low + high), float(low), float(high))
    classes = list(model.classes)
    drawn = np.empty(len(own), object)
    for i, label in enumerate(own):
        others = [c for c in classes if label is None or c != label]
        drawn[i] = others[int(rng.integers(len(others)))]
    return drawn


def default_table(model: Any, n_rows: int, rng: np.random.Generator) -> tuple[dict[str, Any], Any, Any]:
    """Return a table of random rows, all of which are canaries, and the parameters that declare it.

    Parameters
    ----------
    model : PrivateEstimator
    n_rows : int
    rng : numpy.random.Generator
    """
    X = rng.random((n_rows, ATTRIBUTES)) < 0.5
    declared: dict[str, Any] = {"domain": Domain({f"b{k + 1}": Boolean() for k in range(ATTRIBUTES)})}
    if hasattr(model, "target_range"):
        return declared | {"target_range": (0.0, 1.0)}, X, rng.integers(2, size=n_rows).astype(np.float64)
    n_classes = 2 if model.classes is None else max(2, len(model.classes))
    return declared | {"classes": list(range(n_classes))}, X, rng.integers(n_classes, size=n_rows)
