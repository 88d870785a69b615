"""One column at a time out of any table: NumPy, pandas, polars, Arrow.

`read_schema` looks at shape, names and dtypes only, and is the one place that may refuse a table. The columns that it
returns are then read without raising, whatever their cells hold.

Where a library guesses a dtype from the cells, the guess is not used: an object column stays an object column even if
it holds nothing but text, for otherwise one cell could decide whether an error is raised.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import narwhals as nw
import numpy as np
import numpy.typing as npt

from privboost.errors import SchemaError, SchemaTypeError

__all__ = [
    "AllMissing",
    "Column",
    "Dictionary",
    "LazyColumn",
    "Numbers",
    "Objects",
    "Schema",
    "as_array",
    "cells",
    "feature_names",
    "read_schema",
    "read_series",
]

_SUPPORTED = "a 2-D NumPy array, a pandas or polars DataFrame, or a pyarrow Table"


@dataclass(frozen=True)
class Numbers:
    """Cells of a number or boolean dtype.

    Attributes
    ----------
    values : ndarray, shape (m,), dtype kind "f", "i", "u" or "b"
    missing : ndarray of bool, shape (m,), or None
        Cells that are missing, beside those that are NaN.
    """

    values: npt.NDArray[Any]
    missing: npt.NDArray[np.bool_] | None = None


@dataclass(frozen=True)
class Objects:
    """Cells that are Python objects.

    Attributes
    ----------
    values : sequence of length m
        Iterates as Python objects.
    """

    values: Sequence[Any] | npt.NDArray[np.object_]


@dataclass(frozen=True)
class Dictionary:
    """Cells that point into a list of entries.

    Attributes
    ----------
    indices : ndarray of integers, shape (m,)
        Position in `entries`; -1 is missing.
    entries : Numbers or Objects
    """

    indices: npt.NDArray[np.signedinteger[Any]]
    entries: Numbers | Objects


@dataclass(frozen=True)
class AllMissing:
    """A column of a dtype that can hold nothing but missing cells.

    Attributes
    ----------
    size : int
        Number of rows.
    """

    size: int


Column: TypeAlias = Numbers | Objects | Dictionary | AllMissing


@dataclass(frozen=True)
class LazyColumn:
    """What a dtype says about a column, and how to read its cells.

    Attributes
    ----------
    kind : str
        "float", "integer", "boolean", "text", "object" or "null"; for a dictionary, the kind of its entries.
    dtype : str
        The dtype as its library writes it, without any cell.
    read : callable
        Returns the cells.
    values : ndarray, shape (m,), or None
        The cells themselves where they lie in an array of a number dtype.
    """

    kind: str
    dtype: str
    read: Callable[[], Column]
    values: npt.NDArray[Any] | None = None


@dataclass(frozen=True)
class Schema:
    """Shape, names and dtypes of a table.

    Attributes
    ----------
    n_rows : int
    names : tuple or None
        Column names as the table has them; None if it has none.
    columns : tuple of LazyColumn
    matrix : ndarray or None
        The table itself where it is an array of one number dtype.
    """

    n_rows: int
    names: tuple[Any, ...] | None
    columns: tuple[LazyColumn, ...]
    matrix: npt.NDArray[Any] | None = None


def read_schema(X: Any, *, owner: str = "Encoder") -> Schema:
    """Return the schema of `X` without reading a cell.

    Parameters
    ----------
    X : array-like or data frame of shape (m, n)
        A 2-D NumPy array or a list of rows, a pandas or polars DataFrame, a pyarrow Table or RecordBatch; or the schema
        that was read before, which is returned.
    owner : str, default="Encoder"
        Who asks; named in error messages.

    Raises
    ------
    SchemaError, SchemaTypeError
        For another kind of table, a wrong number of dimensions, no columns, or a dtype that cannot be read.
    """
    if type(X) is np.ndarray:  # most tables: a small fit has no time to ask what else they might be
        schema = _array_schema(X)
    elif isinstance(X, Schema):
        return X
    elif nw.dependencies.is_narwhals_dataframe(X):
        return read_schema(nw.to_native(X), owner=owner)
    elif nw.dependencies.is_pandas_dataframe(X):
        schema = _pandas_schema(X)
    elif nw.dependencies.is_polars_dataframe(X):
        schema = _frame_schema(X.height, X.columns, [_polars_column(name, X[name]) for name in X.columns])
    elif _is_arrow_table(X):
        names = X.schema.names
        schema = _frame_schema(X.num_rows, names, [_arrow_values(name, X.column(i)) for i, name in enumerate(names)])
    else:
        schema = _array_schema(X)
    if not schema.columns:
        raise SchemaError(
            f"Found array with 0 feature(s) (shape=({schema.n_rows}, 0)) while a minimum of 1 is required by {owner}."
        )
    return schema


def read_series(y: Any, name: str) -> tuple[LazyColumn, int]:
    """Return a one-column input (a series, a 1-D array) as a column and its number of rows, without reading a cell.

    Raises
    ------
    SchemaTypeError
        For a dtype that cannot be read.
    """
    if type(y) is np.ndarray:
        return _numpy_column(name, y), len(y)
    if nw.dependencies.is_narwhals_series(y):
        y = nw.to_native(y)
    if nw.dependencies.is_pandas_series(y) or nw.dependencies.is_pandas_index(y):
        return _pandas_column(name, y), len(y)
    if nw.dependencies.is_polars_series(y):
        return _polars_column(name, y), len(y)
    if nw.dependencies.is_pyarrow_chunked_array(y) or type(y).__module__.split(".")[0] == "pyarrow":
        return _arrow_values(name, y), len(y)
    return _numpy_column(name, y), len(y)


def feature_names(X: Any) -> npt.NDArray[np.object_] | None:
    """Return the column names of `X` where all are text, as scikit-learn's `feature_names_in_`; else None."""
    names: Any = None
    if type(X) is np.ndarray:
        return None
    if nw.dependencies.is_narwhals_dataframe(X) or nw.dependencies.is_pandas_dataframe(X):
        names = list(X.columns)
    elif nw.dependencies.is_polars_dataframe(X):
        names = X.columns
    elif _is_arrow_table(X):
        names = X.schema.names
    if not names or not all(isinstance(name, str) for name in names):
        return None
    return np.array(names, dtype=object)


# -- NumPy


def _array_schema(X: Any) -> Schema:
    if type(X) is not np.ndarray:
        _refuse_other_tables(X)
    array = _as_array(X)
    if array.ndim != 2:
        _refuse_shape(array)
    n_rows, n_columns = array.shape
    if array.dtype.kind in "fiub":
        one = _numpy_column("column 0", np.empty(0, array.dtype))  # printing a dtype takes long; once will do
        columns = tuple(LazyColumn(one.kind, one.dtype, partial(_column_of, array, i)) for i in range(n_columns))
        return Schema(n_rows, None, columns, matrix=array)
    return Schema(n_rows, None, tuple(_numpy_column(f"column {i}", array[:, i]) for i in range(n_columns)))


def _column_of(matrix: npt.NDArray[Any], i: int) -> Numbers:
    return Numbers(matrix[:, i])


def as_array(thing: Any) -> npt.NDArray[Any] | None:
    """Return what NumPy makes of a thing; None if it refuses.

    To be followed by an error of our own, raised here or there but not while NumPy's is handled: an exception remembers
    the one that was handled when it was raised, and NumPy's may quote a cell.
    """
    if isinstance(thing, np.ma.MaskedArray):  # of which NumPy would make an array without the mask
        raise SchemaTypeError("Masked arrays are not supported. Write the masked cells as NaN: .filled(np.nan).")
    try:
        return np.asarray(thing)
    except (TypeError, ValueError, OverflowError):
        return None


def _as_array(X: Any) -> npt.NDArray[Any]:
    if isinstance(X, list | tuple):
        return _cells(X)
    array = as_array(X)
    if array is None:
        raise SchemaTypeError(f"X must be {_SUPPORTED}.")
    return array


def _cells(rows: Sequence[Any]) -> npt.NDArray[Any]:
    """Return a list of rows as a matrix of objects, whatever the cells hold; the rows' lengths alone can raise.

    NumPy would choose one kind for all cells by looking at them, and a kind can raise.
    """
    if not rows:
        return np.empty(0)
    lengths = {len(row) if isinstance(row, list | tuple | np.ndarray) else -1 for row in rows}
    if len(lengths) > 1:
        raise SchemaTypeError(f"X must be {_SUPPORTED}; rows of unequal length have no columns.")
    (length,) = lengths
    if length < 0:
        return cells(rows)  # no rows but single cells: refused for its shape
    matrix = np.empty((len(rows), length), dtype=object)
    for i, row in enumerate(rows):
        matrix[i] = cells(row)
    return matrix


def cells(values: Sequence[Any]) -> npt.NDArray[np.object_]:
    """Return a sequence as a 1-D array of objects, each cell as it is."""
    column = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        column[i] = value
    return column


def _refuse_other_tables(X: Any) -> None:
    if nw.dependencies.is_narwhals_lazyframe(X) or nw.dependencies.is_polars_lazyframe(X):
        raise SchemaTypeError("X is a lazy frame, which holds no rows yet. Pass X.collect().")
    if hasattr(X, "toarray") and hasattr(X, "nnz"):
        raise SchemaTypeError(
            "Sparse data was passed, but dense data is required. Use '.toarray()' to convert to a dense numpy array."
        )
    if isinstance(X, np.matrix):
        raise SchemaTypeError("np.matrix is not supported. Convert it to an array with np.asarray(X).")
    if isinstance(X, str | bytes | dict | set) or X is None or hasattr(X, "__dataframe__") or callable(X):
        raise SchemaTypeError(f"X must be {_SUPPORTED}, got {type(X).__name__}.")


def _refuse_shape(array: npt.NDArray[Any]) -> None:
    if array.ndim > 2:
        raise SchemaError(f"Found array with dim {array.ndim}, while dim <= 2 is required.")
    shape = "scalar" if array.ndim == 0 else "1D"
    raise SchemaError(
        f"Expected 2D array, got {shape} array instead. Reshape your data either using array.reshape(-1, 1) if your "
        "data has a single feature or array.reshape(1, -1) if it contains a single sample."
    )


def _numpy_column(name: str, values: npt.NDArray[Any]) -> LazyColumn:
    dtype = values.dtype
    kinds = {"f": "float", "i": "integer", "u": "integer", "b": "boolean"}
    if dtype.kind in kinds:
        return LazyColumn(kinds[dtype.kind], str(dtype), lambda: Numbers(values), values)
    if dtype.kind in "UT":
        return LazyColumn("text", str(dtype), lambda: Objects(values.astype(object)))
    if dtype.kind == "O":
        return LazyColumn("object", "object", lambda: Objects(values))
    raise _refused_dtype(name, str(dtype))


def _refused_dtype(name: str, dtype: str) -> SchemaTypeError:
    if dtype.startswith("complex"):
        return SchemaTypeError(f"Complex data not supported: {name!r} has dtype {dtype}.")
    return SchemaTypeError(
        f"{name!r} has dtype {dtype}, which is neither numbers, text nor booleans. "
        "Convert it first: a date to a number of days, say."
    )


# -- pandas


def _pandas_schema(X: Any) -> Schema:
    if X.columns.nlevels > 1:
        raise SchemaTypeError("The table has column names of several levels. Give each column one text as its name.")
    names = list(X.columns)
    columns = [_pandas_column(str(name), X.iloc[:, i]) for i, name in enumerate(names)]
    return _frame_schema(len(X), names, columns)


def _pandas_column(name: str, series: Any) -> LazyColumn:
    dtype = series.dtype
    if isinstance(dtype, np.dtype):
        return _numpy_column(name, series.to_numpy())
    label = str(dtype)
    kind_name = type(dtype).__name__
    if kind_name == "CategoricalDtype":
        codes = series.cat.codes if hasattr(series, "cat") else series
        entries = _pandas_column(name, dtype.categories)
        return LazyColumn(entries.kind, label, lambda: _dictionary(_pandas_codes(codes), entries))
    if kind_name == "ArrowDtype":
        return _arrow_column(name, dtype.pyarrow_dtype, lambda: _pandas_arrow(series), label)
    if kind_name == "StringDtype":
        if dtype.storage.startswith("pyarrow"):
            return LazyColumn("text", label, lambda: _arrow_text(name, _pandas_arrow(series)))
        return LazyColumn("text", label, lambda: Objects(series.to_numpy(dtype=object)))
    if getattr(dtype, "kind", "") in "fiub" and hasattr(dtype, "numpy_dtype"):  # Int64, Float32, boolean, ...
        kind = {"f": "float", "i": "integer", "u": "integer", "b": "boolean"}[dtype.kind]
        return LazyColumn(kind, label, lambda: _pandas_masked(series))
    raise _refused_dtype(name, label)


def _pandas_codes(codes: Any) -> npt.NDArray[np.signedinteger[Any]]:
    values = codes.to_numpy() if codes.dtype.name != "category" else codes.codes  # a CategoricalIndex
    return np.asarray(values)


def _pandas_arrow(series: Any) -> Any:
    return sys.modules["pyarrow"].array(series.array)  # imported already: such a dtype cannot exist without it


def _pandas_masked(series: Any) -> Numbers:
    missing = np.asarray(series.isna())
    values = series.to_numpy(dtype=series.dtype.numpy_dtype, na_value=series.dtype.numpy_dtype.type(0))
    return Numbers(values, missing)


def _dictionary(indices: npt.NDArray[np.signedinteger[Any]], entries: LazyColumn) -> Column:
    read = entries.read()
    if isinstance(read, AllMissing):
        return AllMissing(indices.size)
    if isinstance(read, Dictionary):  # entries of text that is stored as a dictionary itself
        return Dictionary(np.append(read.indices, -1)[indices], read.entries)
    return Dictionary(indices, read)


# -- polars and Arrow


def _polars_column(name: str, series: Any) -> LazyColumn:
    dtype = nw.from_native(series, series_only=True).dtype
    label = str(series.dtype).split("(")[0]  # the categories of an Enum are not repeated
    if dtype.is_integer() and dtype not in (nw.Int128, nw.UInt128):
        return LazyColumn("integer", label, lambda: _polars_numbers(series, 0))
    if dtype.is_float() or dtype.is_decimal() or dtype.is_integer():
        return LazyColumn("float", label, lambda: Numbers(series.cast(_polars().Float64).to_numpy()))
    if dtype == nw.Boolean:
        return LazyColumn("boolean", label, lambda: _polars_numbers(series, False))
    if dtype == nw.String:
        return LazyColumn("text", label, lambda: _polars_text(series))
    if dtype in (nw.Categorical, nw.Enum):
        return LazyColumn("text", label, lambda: _polars_text(series.cast(_polars().String)))
    if label == "Null":
        return LazyColumn("null", label, lambda: AllMissing(len(series)))
    if dtype == nw.Object:
        return LazyColumn("object", label, lambda: Objects(series.to_list()))
    raise _refused_dtype(name, label)


def _polars() -> Any:
    return sys.modules["polars"]  # imported already by whoever made the frame


def _polars_text(series: Any) -> Dictionary:
    # An Enum made of the column's own distinct texts numbers them; making a Python string of every cell is slower.
    texts = series.unique().drop_nulls()
    indices = series.cast(_polars().Enum(texts)).to_physical().cast(_polars().Int64).fill_null(-1)
    return Dictionary(indices.to_numpy(), Objects(texts.to_list()))


def _polars_numbers(series: Any, filler: int | bool) -> Numbers:
    missing = series.is_null().to_numpy() if series.null_count() else None
    return Numbers(series.fill_null(filler).to_numpy() if missing is not None else series.to_numpy(), missing)


def _is_arrow_table(X: Any) -> bool:
    arrow = sys.modules.get("pyarrow")
    return arrow is not None and isinstance(X, arrow.Table | arrow.RecordBatch)


def _arrow_values(name: str, values: Any) -> LazyColumn:
    return _arrow_column(name, values.type, lambda: values)


def _arrow_column(name: str, dtype: Any, values: Callable[[], Any], label: str | None = None) -> LazyColumn:
    types = sys.modules["pyarrow"].types
    label = label or str(dtype).split("<")[0]
    if types.is_dictionary(dtype):
        kind = _arrow_column(name, dtype.value_type, values).kind
        return LazyColumn(kind, label, lambda: _arrow_dictionary(name, values()))
    if types.is_boolean(dtype):
        return LazyColumn("boolean", label, lambda: _arrow_numbers(values(), False))
    if types.is_integer(dtype):
        return LazyColumn("integer", label, lambda: _arrow_numbers(values(), 0))
    if types.is_floating(dtype):
        return LazyColumn("float", label, lambda: Numbers(_arrow_numpy(values())))
    if types.is_decimal(dtype):
        return LazyColumn("float", label, lambda: Numbers(_arrow_numpy(values().cast("float64"))))
    if types.is_string(dtype) or types.is_large_string(dtype) or types.is_string_view(dtype):
        return LazyColumn("text", label, lambda: _arrow_text(name, values()))
    if types.is_null(dtype):
        return LazyColumn("null", label, lambda: AllMissing(len(values())))
    raise _refused_dtype(name, label)


def _arrow_numpy(values: Any) -> npt.NDArray[Any]:
    if hasattr(values, "chunks"):
        return np.asarray(values.to_numpy())
    return np.asarray(values.to_numpy(zero_copy_only=False))


def _arrow_numbers(values: Any, filler: int | bool) -> Numbers:
    if not values.null_count:
        return Numbers(_arrow_numpy(values))
    return Numbers(_arrow_numpy(values.fill_null(filler)), _arrow_numpy(values.is_null()))


def _arrow_text(name: str, values: Any) -> Column:
    if values.type == sys.modules["pyarrow"].string_view():
        return Objects(values.to_pylist())
    return _arrow_dictionary(name, values.dictionary_encode())


def _arrow_dictionary(name: str, values: Any) -> Column:
    if hasattr(values, "chunks"):
        values = values.unify_dictionaries().combine_chunks()
        if hasattr(values, "chunks"):  # older pyarrow keeps a ChunkedArray
            values = values.chunk(0)
    indices = _arrow_numpy(values.indices.cast("int64").fill_null(-1))
    entries = _arrow_values(name, values.dictionary)
    if entries.kind == "text":  # encoded as a dictionary already: once more would never end
        return Dictionary(indices, Objects(values.dictionary.to_pylist()))
    return _dictionary(indices, entries)


# -- names


def _frame_schema(n_rows: int, names: Sequence[Any], columns: Sequence[LazyColumn]) -> Schema:
    seen: set[Any] = set()
    for name in names:
        if name in seen:
            raise SchemaError(f"The table has two columns named {name!r}. Give every column a name of its own.")
        seen.add(name)
    return Schema(n_rows, tuple(names), tuple(columns))
