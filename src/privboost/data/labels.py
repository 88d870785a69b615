"""Labels to codes, by a public list of classes."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Set
from itertools import repeat
from numbers import Integral, Real
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt
from sklearn.exceptions import DataConversionWarning

from privboost.data.columns import AllMissing, Dictionary, LazyColumn, Numbers, Objects, as_array, cells, read_series
from privboost.data.matching import is_missing
from privboost.errors import ParameterError, ParameterTypeError, SchemaError, SchemaTypeError
from privboost.privacy.charging import is_paid
from privboost.threads import in_ranges

__all__ = ["check_classes", "check_labels", "count_labels", "encode_labels", "infer_classes", "label_column"]

_MAX_CLASSES = 2**15 - 1
_MAX_LABEL = 2**63 - 1


def check_classes(classes: Iterable[Any]) -> npt.NDArray[Any]:
    """Return the classes as an array, in the order given; an array keeps its dtype.

    Parameters
    ----------
    classes : sequence
        The labels that may occur: all text, or all whole numbers and booleans. At least two, all different; 1, 1.0 and
        True are the same label.

    Returns
    -------
    ndarray of shape (n_classes,)

    Raises
    ------
    ParameterError, ParameterTypeError
        For anything else.
    """
    return _checked(classes)[0]


def infer_classes(y: Any) -> npt.NDArray[Any]:
    """Return the labels that occur, sorted, in the dtype of `y`. It discloses them: for learners without privacy only.

    Raises
    ------
    SchemaError, SchemaTypeError
        If `y` cannot be read, or mixes text and numbers.
    """
    lazy = read_series(_as_one_column(y), "y")[0]
    column = lazy.read()
    if isinstance(column, Dictionary):
        column = _occurring(column)
    if isinstance(column, AllMissing):
        return np.empty(0, dtype=object)
    if isinstance(column, Numbers):
        values = column.values if column.missing is None else column.values[~column.missing]
        return np.unique(values[values == values])
    found = {cell for cell in column.values if _has_hash(cell) and not is_missing(cell)}
    try:
        ordered = sorted(found)
    except TypeError:
        raise SchemaTypeError("y mixes labels that cannot be sorted, such as text and numbers.") from None
    return np.array(ordered) if lazy.kind == "text" or isinstance(y, list | tuple) else cells(ordered)


def count_labels(y: Any) -> int:
    """Return the number of labels, without reading one.

    Raises
    ------
    SchemaError, SchemaTypeError
        If `y` is no column of labels.
    """
    return label_column(y)[1]


def label_column(y: Any) -> tuple[LazyColumn, int]:
    """Return labels as a column, and how many there are, without reading one; raises as `count_labels` does."""
    return read_series(_as_one_column(y, warn=False), "y")


def _occurring(column: Dictionary) -> Numbers | Objects:
    present = np.unique(column.indices[column.indices >= 0])
    if isinstance(column.entries, Numbers):
        return Numbers(column.entries.values[present])
    return Objects([column.entries.values[i] for i in present])


def _checked(classes: Iterable[Any]) -> tuple[npt.NDArray[Any], tuple[str | int, ...]]:
    expected = "a sequence of at least two different labels, all text or all whole numbers of 64 bits"
    remedy = "Labels are public: list every label that may occur."
    if isinstance(classes, str | bytes | Mapping | Set) or not isinstance(classes, Iterable):
        raise ParameterTypeError("classes", classes, expected, remedy)
    given = classes if isinstance(classes, np.ndarray) else list(classes)
    labels = tuple(_check_label(label, expected, remedy) for label in given)
    if len({isinstance(label, str) for label in labels}) > 1:
        raise ParameterTypeError("classes", labels, expected, "Write all of them as text, or all as numbers.")
    if not 2 <= len(labels) <= _MAX_CLASSES or len(set(labels)) < len(labels):
        raise ParameterError("classes", labels, expected, remedy)
    return np.array(given), labels


def _check_label(label: Any, expected: str, remedy: str) -> str | int:
    if isinstance(label, str):
        return str(label)
    if isinstance(label, bool | np.bool_ | Integral) and abs(int(label)) <= _MAX_LABEL:
        return int(label)
    if isinstance(label, Real) and float(label).is_integer() and abs(float(label)) < _MAX_LABEL:
        return int(float(label))
    raise ParameterTypeError("classes", label, expected, remedy)


def encode_labels(y: Any, classes: Iterable[Any], n_threads: int = 1) -> npt.NDArray[np.int16]:
    """Return the position in `classes` of each label; -1 for a label that is not listed, or missing.

    Parameters
    ----------
    y : array-like of shape (m,)
        A NumPy array, list, pandas or polars series, Arrow array, or a table of one column. A list is read
        cell by cell.
    classes : sequence
        As for `check_classes`. Numbers match by value, whatever their types: 1, 1.0 and True are the same label.
    n_threads : int, default=1
        Most threads to use.

    Returns
    -------
    ndarray of int16, shape (m,)

    Raises
    ------
    ParameterError, ParameterTypeError
        For an invalid list of classes.
    SchemaError, SchemaTypeError
        If `y` has several columns, or its dtype is text and the classes are numbers, or the reverse. No label raises.

    Warns
    -----
    DataConversionWarning
        If `y` is a column vector, shape (m, 1).
    """
    labels = _checked(classes)[1]
    column, size = read_series(_as_one_column(y), "y")
    _check_kind(column, labels)
    # Real numbers beside whole-number classes are accepted: one missing label turns a pandas column of integers into
    # floats, and an error would tell that it is there. A label that is no class weighs nothing.
    cells = column.read()
    if isinstance(cells, AllMissing):
        return np.full(size, -1, dtype=np.int16)
    if isinstance(cells, Dictionary):
        table = np.full(len(cells.entries.values) + 1, -1, dtype=np.int16)  # index -1 finds the -1 at its end
        table[:-1] = _positions(cells.entries, labels)
        return np.take(table, cells.indices)
    return _positions(cells, labels, n_threads)


def check_labels(y: Any, classes: Iterable[Any]) -> None:
    """Raise what `encode_labels` raises, without reading a label."""
    _check_kind(read_series(_as_one_column(y, warn=False), "y")[0], _checked(classes)[1])


def _check_kind(column: LazyColumn, labels: tuple[str | int, ...]) -> None:
    is_text = isinstance(labels[0], str)
    found = "text" if column.kind == "text" else "numbers"
    if column.kind not in ("object", "null") and is_text != (column.kind == "text"):
        raise SchemaTypeError(
            f"y holds {found} (dtype {column.dtype}), but the classes are {'text' if is_text else 'numbers'}: "
            f"{list(labels[:5])}. Write 'classes' as y has them, or convert y."
        )


def _positions(cells: Numbers | Objects, labels: tuple[Any, ...], n_threads: int = 1) -> npt.NDArray[np.int16]:
    if isinstance(cells, Objects):
        position = {label: code for code, label in enumerate(labels)}
        try:
            return np.fromiter(map(position.get, cells.values, repeat(-1)), dtype=np.int16, count=len(cells.values))
        except Exception:  # a cell without a hash, or with one that fails
            found = (position.get(cell, -1) if _has_hash(cell) else -1 for cell in cells.values)
            return np.fromiter(found, dtype=np.int16, count=len(cells.values))
    codes = np.full(cells.values.shape, -1, dtype=np.int16)
    if isinstance(labels[0], str):
        return codes  # entries of a dictionary without any: its dtype says nothing
    values = cells.values.astype(np.uint8) if cells.values.dtype.kind == "b" else cells.values

    def match(start: int, stop: int, _: int) -> None:
        for code, label in enumerate(labels):
            # Labels differ, so that at most one of these is added; faster than writing through a mask.
            codes[start:stop] += (values[start:stop] == label).astype(np.int16) * np.int16(code + 1)

    in_ranges(match, len(codes), n_threads)
    if cells.missing is not None:
        codes[cells.missing] = -1
    return codes


def _has_hash(cell: Any) -> bool:
    try:
        hash(cell)
    except Exception:  # any type may turn up
        return False
    return True


def _as_one_column(y: Any, warn: bool = True) -> Any:
    if y is None:
        raise SchemaTypeError("A classifier requires y to be passed, but the target y is None.")
    if type(y) is np.ndarray and y.ndim == 1:
        return y
    if hasattr(y, "toarray") and hasattr(y, "nnz"):
        raise SchemaTypeError("Sparse labels are not supported. Use '.toarray()' to convert them to a dense array.")
    if nw.dependencies.is_narwhals_dataframe(y):
        y = nw.to_native(y)
    if nw.dependencies.is_pandas_dataframe(y):
        return y.iloc[:, 0] if _is_column(y.shape, warn) else None
    if nw.dependencies.is_polars_dataframe(y):
        return y.to_series(0) if _is_column(y.shape, warn) else None
    if nw.dependencies.is_pyarrow_table(y):
        return y.column(0) if _is_column(y.shape, warn) else None
    if nw.dependencies.is_into_series(y) or nw.dependencies.is_pandas_index(y) or type(y).__module__ == "pyarrow.lib":
        return y
    if isinstance(y, list | tuple):
        # Cell by cell, so that no cell decides how the others are read; a row of one cell counts as that cell.
        return cells([row[0] if isinstance(row, list | tuple) and len(row) == 1 else row for row in y])
    array = as_array(y)
    if array is None:
        raise SchemaError("y must be a list or an array of labels.")
    return array if array.ndim == 1 else array[:, 0] if _is_column(array.shape, warn) else None


def _is_column(shape: tuple[int, ...], warn: bool) -> bool:
    if len(shape) != 2 or shape[1] != 1:
        raise SchemaError(f"y should be a 1d array, got an array of shape {shape} instead.")
    if warn and not is_paid():
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. Please change the shape of y to "
            "(n_samples,), for example using ravel().",
            DataConversionWarning,
            stacklevel=4,
        )
    return True
