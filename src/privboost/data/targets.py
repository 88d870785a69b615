"""Numbers to predict, by a public range, and the weights of rows."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from privboost.data.columns import AllMissing, Column, Dictionary, LazyColumn, Objects, as_array, cells, read_series
from privboost.data.labels import _as_one_column
from privboost.data.matching import numbers_of
from privboost.errors import SchemaError, SchemaTypeError

__all__ = [
    "check_target",
    "check_weights",
    "encode_target",
    "encode_weights",
    "infer_range",
    "numbers_in",
    "read_target",
]

_LARGEST = float(np.finfo(np.float64).max)


def encode_target(y: Any, low: float, high: float) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """Return the place of each number between `low` and `high`, and which rows have one.

    Parameters
    ----------
    y : array-like of shape (m,)
        A NumPy array, list, pandas or polars series, Arrow array, or a table of one column. A list is read cell by
        cell.
    low, high : float
        Public; ``low < high``, their difference finite.

    Returns
    -------
    target : ndarray of float64, shape (m,)
        From 0 (at `low` and below) to 1 (at `high` and above); 0 for a missing number.
    active : ndarray of bool, shape (m,)
        False where the number is missing: NaN, None, or a cell of an object column that is no number.

    Raises
    ------
    SchemaError, SchemaTypeError
        If `y` has several columns, or its dtype is not one of numbers. No cell raises.

    Warns
    -----
    DataConversionWarning
        If `y` is a column vector, shape (m, 1).
    """
    values = read_target(y)
    active = values == values
    values[~active] = low
    np.clip(values, low, high, out=values)
    values -= low
    values /= high - low
    return np.minimum(values, 1.0, out=values), active


def infer_range(y: Any) -> tuple[float, float]:
    """Return the smallest and the largest finite number in `y`. It discloses them: for learners without privacy only.

    A target of one value gets a range around it.

    Raises
    ------
    SchemaError, SchemaTypeError
        If `y` cannot be read, holds no finite number, or numbers whose difference no float64 holds.
    """
    values = read_target(y)
    values = values[np.isfinite(values)]
    if values.size == 0:
        raise SchemaError("Input y contains infinity or NaN only: 'target_range' cannot be read from it.")
    low, high = float(values.min()), float(values.max())
    if low == high:
        half = max(0.5, abs(low) * 2.0**-20)
        low, high = max(low - half, -_LARGEST), min(high + half, _LARGEST)
    if not np.isfinite(high - low):
        raise SchemaError("The numbers in y lie too far apart for float64. Give a narrower 'target_range'.")
    return low, high


def encode_weights(sample_weight: Any, n_rows: int, largest: float | None) -> npt.NDArray[np.float64]:
    """Return the weights of rows as parts of the largest weight there may be.

    Parameters
    ----------
    sample_weight : array-like of shape (n_rows,)
        As for `encode_target`; private. A missing weight counts as 0.
    n_rows : int
    largest : float or None
        Weights are clipped to 0 and this public number, and divided by it. None divides by the largest finite weight
        that occurs, which discloses it: for learners without privacy only.

    Returns
    -------
    ndarray of float64, shape (n_rows,)
        From 0 to 1.

    Raises
    ------
    SchemaError, SchemaTypeError
        If there are more or fewer weights than rows, in another shape, or of a dtype that is not one of numbers.
    """
    values = _read_numbers(_weights_of_rows(sample_weight, n_rows), n_rows, "sample_weight")
    values[np.isnan(values)] = 0.0
    if largest is None:
        largest = float(values[np.isfinite(values)].max(initial=0.0)) or 1.0
    np.clip(values, 0.0, largest, out=values)
    values /= largest
    return values


def check_weights(sample_weight: Any, n_rows: int) -> None:
    """Raise what `encode_weights` raises, without reading a weight."""
    _check_numbers(_weights_of_rows(sample_weight, n_rows), "sample_weight")


def check_target(y: Any) -> None:
    """Raise what `encode_target` raises, without reading a number."""
    _check_numbers(read_series(_as_one_column(y, warn=False), "y")[0], "y")


def read_target(y: Any) -> npt.NDArray[np.float64]:
    """Return the numbers in `y` as a new array of float64, shape (m,): NaN where one is missing.

    Raises
    ------
    SchemaError, SchemaTypeError
        As for `encode_target`.
    """
    if y is None:
        raise SchemaTypeError("A regressor requires y to be passed, but the target y is None.")
    column, size = read_series(_as_one_column(y), "y")
    return _read_numbers(column, size, "y")


def _weights_of_rows(sample_weight: Any, n_rows: int) -> LazyColumn:
    column, size = _weight_column(sample_weight)
    if size != n_rows:
        raise SchemaError(f"sample_weight holds {size} weights, but X has {n_rows} rows. Give one weight for each row.")
    return column


def _weight_column(sample_weight: Any) -> tuple[LazyColumn, int]:
    if isinstance(sample_weight, list | tuple):
        sample_weight = cells(sample_weight)  # cell by cell, so that no cell decides how the others are read
    known = nw.dependencies.is_into_series(sample_weight) or nw.dependencies.is_pandas_index(sample_weight)
    arrow = type(sample_weight).__module__ == "pyarrow.lib" and hasattr(sample_weight, "type")
    if not known and not arrow:
        sample_weight = as_array(sample_weight)
        if sample_weight is None:
            raise SchemaError("sample_weight must be a list or an array of numbers.")
        if sample_weight.ndim != 1:
            raise SchemaError(
                f"sample_weight must be a 1d array, got an array of shape {sample_weight.shape}. "
                "Give one weight for each row."
            )
    return read_series(sample_weight, "sample_weight")


def _read_numbers(column: LazyColumn, size: int, name: str) -> npt.NDArray[np.float64]:
    """Return the cells as a new array of float64, NaN where a number is missing. The dtype alone can raise."""
    _check_numbers(column, name)
    return numbers_in(column.read(), size)


def _check_numbers(column: LazyColumn, name: str) -> None:
    if column.kind == "text":
        raise SchemaTypeError(f"{name} holds text (dtype {column.dtype}), but numbers are needed. Convert {name}.")


def numbers_in(column: Column, size: int) -> npt.NDArray[np.float64]:
    """Return the cells of a column of `size` rows as a new array of float64, NaN where there is no number.

    Never raises.
    """
    if isinstance(column, AllMissing):
        return np.full(size, np.nan)
    if isinstance(column, Dictionary):
        entries = column.entries
        table = np.append(numbers_in(entries, len(entries.values)), np.nan)  # index -1 finds the NaN at its end
        return np.take(table, column.indices, mode="wrap")
    if isinstance(column, Objects):
        return numbers_of(column.values)
    # A signalling NaN, or a longdouble beyond float64, must not set off a warning.
    with np.errstate(invalid="ignore", over="ignore"):
        values = column.values.astype(np.float64)
    if column.missing is not None:
        values[column.missing] = np.nan
    return values
