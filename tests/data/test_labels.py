"""Labels: wrong kinds raise, unlisted values do not."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from copy import copy
from decimal import Decimal
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.exceptions import DataConversionWarning

from privboost.data import check_classes, encode_labels, infer_classes
from privboost.data.labels import check_labels
from privboost.data.targets import encode_target, encode_weights
from privboost.errors import ParameterError, ParameterTypeError, SchemaError, SchemaTypeError

ODD: list[Any] = [
    *(None, np.nan, pd.NA, pd.NaT, np.inf, -np.inf, 1e300, 10**400, 5, -1, 0.5, 1j, "a", "", b"a", [0], {}, {0}),
    *(object(), Decimal("NaN"), Decimal("sNaN"), np.datetime64("NaT"), np.array([0, 1]), np.float32(0.1), (0,)),
]


@pytest.mark.parametrize(
    "classes",
    [
        "ab",
        b"ab",
        5,
        None,
        {"a", "b"},
        {"a": 1},
        [],
        ["a"],
        ["a", "a"],
        [1, 1.0],
        [True, 1],
        ["a", 1],
        [0.5, 1],
        [None, 1],
        [np.nan, 1],
        [np.inf, 1],
        [b"a", b"b"],
        [[0], [1]],
        np.zeros((2, 2)),
        1.0,
    ],
)
def test_bad_class_lists_are_refused(classes: Any) -> None:
    for check in (check_classes, lambda classes: encode_labels([0], classes)):
        with pytest.raises(
            ParameterError, match="'classes' parameter must be a sequence of at least two different labels"
        ):
            check(classes)


@pytest.mark.parametrize(
    ("classes", "kind", "values"),
    [
        (["b", "a"], "U", ["b", "a"]),
        (np.array(["b", "a"], dtype=object), "O", ["b", "a"]),
        ((1, 0), "i", [1, 0]),
        (np.array([2, 1], dtype=np.uint8), "u", [2, 1]),
        ([True, False], "b", [True, False]),
        ([0.0, 1.0], "f", [0.0, 1.0]),
        (pd.Index(["x", "y"]), "U", ["x", "y"]),
        (range(3), "i", [0, 1, 2]),
    ],
)
def test_classes_keep_order_and_dtype(classes: Any, kind: str, values: list[Any]) -> None:
    checked = check_classes(classes)
    assert checked.dtype.kind == kind
    assert checked.tolist() == values


NUMBERS = [1, 0, 1, 5, 0]
TEXTS = ["b", "a", "b", "zzz", "a"]
MAKERS: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "tuple": tuple,
    "array": np.array,
    "objects": lambda cells: np.array(cells, dtype=object),
    "series": pd.Series,
    "object series": lambda cells: pd.Series(cells, dtype=object),
    "category": lambda cells: pd.Series(cells, dtype="category"),
    "categorical index": lambda cells: pd.CategoricalIndex(cells),
    "index": pd.Index,
    "polars": pl.Series,
    "arrow": pa.array,
    "arrow chunks": lambda cells: pa.chunked_array([cells[:2], cells[2:]]),
    "arrow dictionary": lambda cells: pa.array(cells).dictionary_encode(),
}


@pytest.mark.parametrize("kind", MAKERS)
def test_labels_of_every_container(kind: str) -> None:
    make = MAKERS[kind]
    codes = encode_labels(make(NUMBERS), [0, 1])
    assert codes.dtype == np.int16
    assert codes.tolist() == [1, 0, 1, -1, 0]
    assert encode_labels(make(NUMBERS), [1, 0, 7]).tolist() == [0, 1, 0, -1, 1]
    assert encode_labels(make(TEXTS), ["b", "a"]).tolist() == [0, 1, 0, -1, 1]


@pytest.mark.parametrize("dtype", ["Int64", "Float64", "boolean", "int64[pyarrow]", "float32", "uint8", "bool", object])
@pytest.mark.parametrize("classes", [[0, 1], [0.0, 1.0], [False, True], np.array([0, 1], dtype=np.int8)])
def test_numbers_match_by_value_whatever_their_types(dtype: Any, classes: Any) -> None:
    assert encode_labels(pd.Series([1, 0, 1]).astype(dtype), classes).tolist() == [1, 0, 1]


def test_missing_labels_have_no_class() -> None:
    assert encode_labels(pd.Series([1, None, 0], dtype="Int64"), [0, 1]).tolist() == [1, -1, 0]
    assert encode_labels(pd.Series([True, None], dtype="boolean"), [0, 1]).tolist() == [1, -1]
    assert encode_labels(np.array([np.nan, 1.0]), [0, 1]).tolist() == [-1, 1]
    assert encode_labels(pd.Series(["a", None]), ["a", "b"]).tolist() == [0, -1]
    assert encode_labels(pl.Series(["a", None]).cast(pl.Categorical), ["a", "b"]).tolist() == [0, -1]
    assert encode_labels(pl.Series([None, None]), ["a", "b"]).tolist() == [-1, -1]
    assert encode_labels(pd.Categorical([None, "a"]), ["a", "b"]).tolist() == [-1, 0]
    assert encode_labels(pd.Series(pd.Categorical([None, None])), [1, 2]).tolist() == [-1, -1]
    assert encode_labels(np.array([1.0, 0.25, 1e300, -np.inf]), [0, 1]).tolist() == [1, -1, -1, -1]


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: type(odd).__name__)
@pytest.mark.parametrize("classes", [[0, 1], ["x", "y"]])
def test_no_label_raises_or_warns(odd: Any, classes: list[Any]) -> None:
    cells = np.empty(3, dtype=object)
    cells[:] = [classes[0], classes[1], classes[0]]
    assert encode_labels(cells, classes).tolist() == [0, 1, 0]
    cells[1] = odd
    assert encode_labels(cells, classes).tolist() == [0, -1, 0]
    assert encode_labels(pd.Series(cells, dtype=object), classes).tolist() == [0, -1, 0]


@pytest.mark.parametrize(
    "make", [np.array, pd.Series, pl.Series, pa.array, lambda cells: pd.Series(cells, dtype="category")]
)
def test_the_wrong_kind_of_label_is_refused_by_its_dtype(make: Any) -> None:
    for cells in (["0", "1"], ["a", "b"]):
        with pytest.raises(SchemaTypeError, match=r"y holds text .* classes are numbers"):
            encode_labels(make(cells), [0, 1])
    for cells in ([0, 1], [0.0, 1.0], [True, False]):
        with pytest.raises(SchemaTypeError, match=r"y holds numbers .* classes are text"):
            encode_labels(make(cells), ["0", "1"])


@pytest.mark.parametrize(
    "y",
    [
        np.array(["2020-01-01"], dtype="M8[D]"),
        np.array([1j]),
        np.array([b"a"]),
        pd.Series(pd.to_datetime(["2020-01-01"])),
        pl.Series([[1]]),
        pa.array([[1]]),
    ],
)
def test_dtypes_without_a_meaning_are_refused(y: Any) -> None:
    with pytest.raises(SchemaTypeError, match=r"'y' has dtype|Complex data not supported: 'y'"):
        encode_labels(y, [0, 1])


@pytest.mark.parametrize(
    "y",
    [
        np.array([[1], [0]]),
        pd.DataFrame({"y": [1, 0]}),
        pl.DataFrame({"y": [1, 0]}),
        pa.table({"y": [1, 0]}),
    ],
)
def test_a_column_vector_warns_and_works(y: Any) -> None:
    with pytest.warns(DataConversionWarning, match="column-vector y was passed"):
        assert encode_labels(y, [0, 1]).tolist() == [1, 0]


@pytest.mark.parametrize(
    "y",
    [
        np.zeros((3, 2)),
        np.zeros((2, 2, 1)),
        5,
        "ab",
        pd.DataFrame({"a": [1], "b": [0]}),
    ],
)
def test_several_columns_and_no_column_are_refused(y: Any) -> None:
    with pytest.raises(SchemaError, match=r"1d array|unequal length"):
        encode_labels(y, [0, 1])
    with pytest.raises(ValueError, match="requires y to be passed, but the target y is None"):
        encode_labels(None, [0, 1])


class Hostile:
    """A cell that no array library may touch."""

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("a private value")

    def __getattr__(self, name: str) -> Any:
        raise KeyError("a private value")


@pytest.mark.parametrize("make", [*(partial(copy, v) for v in ("1", b"1", 1j, [], [1, 2], None, 1.5, 10**30)), Hostile])
@pytest.mark.parametrize("classes", [[0, 1], ["no", "yes"]])
def test_a_list_is_read_cell_by_cell_and_no_cell_decides_for_the_others(make: Any, classes: list[Any]) -> None:
    odd = make()
    for usual in (*classes, 1, 0.0, True, "other", None):
        expected = classes.index(usual) if usual in classes else -1
        assert encode_labels([usual] * 3, classes).tolist() == [expected] * 3
        assert encode_labels([usual, usual, odd], classes).tolist() == [expected, expected, -1]


def test_a_row_of_one_label_counts_as_that_label() -> None:
    assert encode_labels([[0], [1], 1, [0, 1]], [0, 1]).tolist() == [0, 1, 1, -1]


def test_sparse_labels_are_refused() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(TypeError, match="toarray"):
        encode_labels(sparse.csr_array(np.eye(2)), [0, 1])


def test_messages_hold_no_label() -> None:
    with pytest.raises(SchemaTypeError) as caught:
        encode_labels(pd.Series(["SECRET"]), [0, 1])
    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize("kind", MAKERS)
def test_classes_that_occur(kind: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert infer_classes(MAKERS[kind](NUMBERS)).tolist() == [0, 1, 5]
        assert infer_classes(MAKERS[kind](TEXTS)).tolist() == ["a", "b", "zzz"]


def test_classes_that_occur_keep_the_dtype_and_leave_missing_out() -> None:
    assert infer_classes(np.array([2, 1], dtype=np.uint8)).dtype == np.uint8
    assert infer_classes(np.array([True, False])).dtype == np.bool_
    assert infer_classes(np.array([1.0, np.nan, 0.0])).tolist() == [0.0, 1.0]
    assert infer_classes(np.array(["b", None, "a"], dtype=object)).dtype == object
    assert infer_classes(pd.Series([2, None, 1], dtype="Int64")).tolist() == [1, 2]
    assert infer_classes(pd.Categorical(["b", "a"], categories=["c", "b", "a"])).tolist() == ["a", "b"]
    assert infer_classes(pl.Series([None])).size == 0
    for y in (np.array(["b", "a"]), np.array([3, 1]), np.array([True, False])):
        assert encode_labels(y, infer_classes(y)).tolist() == [1, 0]
    with pytest.raises(SchemaTypeError, match="mixes labels"):
        infer_classes(np.array(["a", 1], dtype=object))


def test_type_errors_are_parameter_type_errors() -> None:
    with pytest.raises(ParameterTypeError):
        check_classes([None, 1])


def test_masked_labels_are_refused_rather_than_used() -> None:
    masked = np.ma.masked_array([0, 1, 1, 0], mask=[False, True, False, False])
    for call in (lambda: encode_labels(masked, [0, 1]), lambda: check_labels(masked, [0, 1])):
        with pytest.raises(SchemaTypeError, match="Masked arrays are not supported"):
            call()
    numbers = masked.astype(float)
    for call in (lambda: encode_target(numbers, 0.0, 1.0), lambda: encode_weights(numbers, 4, 1.0)):
        with pytest.raises(SchemaTypeError, match="Masked arrays are not supported"):
            call()
