"""Numbers to predict and weights of rows: wrong kinds raise, no cell does."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import DataConversionWarning

from privboost.data.targets import encode_target, encode_weights, infer_range
from privboost.errors import SchemaError, SchemaTypeError

NUMBERS = [10.0, 15.0, 20.0, 5.0, 25.0, None]
PLACES = [0.0, 0.5, 1.0, 0.0, 1.0, 0.0]
MAKERS: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "tuple": tuple,
    "array": lambda cells: np.array(cells, dtype=float),
    "float32": lambda cells: np.array(cells, dtype=np.float32),
    "longdouble": lambda cells: np.array(cells, dtype=np.longdouble),
    "objects": lambda cells: np.array(cells, dtype=object),
    "series": pd.Series,
    "object series": lambda cells: pd.Series(cells, dtype=object),
    "Float64": lambda cells: pd.Series(cells, dtype="Float64"),
    "Int64": lambda cells: pd.Series(cells, dtype="Int64"),
    "arrow series": lambda cells: pd.Series(cells, dtype="double[pyarrow]"),
    "category": lambda cells: pd.Series(cells, dtype="category"),
    "index": lambda cells: pd.Index(cells, dtype=float),
    "polars": pl.Series,
    "polars integers": lambda cells: pl.Series([None if c is None else int(c) for c in cells]),
    "polars decimals": lambda cells: pl.Series(cells).cast(pl.Decimal(scale=1)),
    "arrow": pa.array,
    "arrow chunks": lambda cells: pa.chunked_array([cells[:2], cells[2:]]),
    "arrow dictionary": lambda cells: pa.array(cells).dictionary_encode(),
}


@pytest.mark.parametrize("kind", MAKERS)
def test_numbers_of_every_container(kind: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        target, active = encode_target(MAKERS[kind](NUMBERS), 10, 20)
        assert infer_range(MAKERS[kind](NUMBERS)) == (5.0, 25.0)
    assert target.dtype == np.float64
    assert active.dtype == np.bool_
    assert target.tolist() == PLACES
    assert active.tolist() == [True] * 5 + [False]


@pytest.mark.parametrize("dtype", ["int8", "uint64", "int64", "bool", "boolean", "UInt8", "float16"])
def test_whole_numbers_and_booleans(dtype: str) -> None:
    target, active = encode_target(pd.Series([0, 1, 1]).astype(dtype), 0, 2)
    assert target.tolist() == [0.0, 0.5, 0.5]
    assert active.all()


def test_infinities_are_clipped_and_missing_numbers_inactive() -> None:
    target, active = encode_target(np.array([np.inf, -np.inf, np.nan, 1e308]), -1, 1)
    assert target.tolist() == [1.0, 0.0, 0.0, 1.0]
    assert active.tolist() == [True, True, False, True]
    for y in (pl.Series([None, None]), pa.array([None, None]), [None, pd.NA], pd.Categorical([None, None])):
        target, active = encode_target(y, 0, 1)
        assert target.tolist() == [0.0, 0.0]
        assert not active.any()


def test_y_is_left_as_it_is() -> None:
    y = np.array([0.5, np.nan, 7.0])
    encode_target(y, 0, 1)
    np.testing.assert_array_equal(y, [0.5, np.nan, 7.0])
    y.setflags(write=False)
    encode_target(y, 0, 1)


@given(
    st.floats(-1e300, 1e300),
    st.floats(-1e300, 1e300),
    st.lists(st.floats(width=64), max_size=8),
)
def test_every_place_lies_between_the_ends(low: float, high: float, numbers: list[float]) -> None:
    low, high = min(low, high), max(low, high)
    if low == high:
        high = np.nextafter(low, np.inf)
    target, active = encode_target(np.array(numbers, dtype=float), low, high)
    assert ((target >= 0.0) & (target <= 1.0)).all()
    assert active.tolist() == [number == number for number in numbers]
    ends, _ = encode_target(np.array([low, high]), low, high)
    assert ends.tolist() == [0.0, 1.0]


ODD: list[Any] = [
    *(None, pd.NA, pd.NaT, 1j, "a", "", b"a", [0], [0, 1], {}, {0}, object(), Decimal("NaN"), Decimal("sNaN")),
    *(np.datetime64("NaT"), np.array([0, 1]), (0, 1), np.nan),
]


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: type(odd).__name__)
def test_no_cell_raises_or_warns(odd: Any) -> None:
    cells = np.empty(3, dtype=object)
    cells[:] = [0.25, odd, 1]
    if isinstance(odd, list | np.ndarray | tuple):
        cells[1] = odd
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for y in (cells, pd.Series(cells, dtype=object)):
            target, active = encode_target(y, 0, 1)
            assert target.tolist() == [0.25, 0.0, 1.0]
            assert active.tolist() == [True, False, True]
            assert encode_weights(y, 3, 1.0).tolist() == [0.25, 0.0, 1.0]


def test_numbers_of_every_type() -> None:
    cells = [Fraction(1, 4), Decimal("0.5"), True, np.float32(0.75), 10**400, -(10**400), "0.5"]
    assert encode_target(cells, 0, 1)[0].tolist() == [0.25, 0.5, 1.0, 0.75, 1.0, 0.0, 0.5]


@pytest.mark.parametrize(
    "make",
    [np.array, lambda c: pd.Series(c, dtype="string"), pl.Series, pa.array, lambda c: pl.Series(c, dtype=pl.Enum(c))],
)
def test_text_is_refused_by_its_dtype(make: Any) -> None:
    for cells in (["1", "2"], ["SECRET", "other"]):
        for read in (lambda y: encode_target(y, 0, 1), infer_range):
            with pytest.raises(SchemaTypeError, match=r"y holds text \(dtype .*\), but numbers are needed") as caught:
                read(make(cells))
            assert "SECRET" not in str(caught.value)
        with pytest.raises(SchemaTypeError, match="sample_weight holds text"):
            encode_weights(make(cells), 2, 1.0)


@pytest.mark.parametrize(
    "y", [np.array(["2020-01-01"], dtype="M8[D]"), np.array([1j]), np.array([b"a"]), pl.Series([[1]]), pa.array([[1]])]
)
def test_dtypes_without_a_meaning_are_refused(y: Any) -> None:
    with pytest.raises(SchemaTypeError, match=r"'y' has dtype|Complex data not supported: 'y'"):
        encode_target(y, 0, 1)
    with pytest.raises(SchemaTypeError, match=r"'sample_weight' has dtype|Complex data not supported"):
        encode_weights(y, 1, 1.0)


@pytest.mark.parametrize(
    "y", [np.array([[1], [0]]), pd.DataFrame({"y": [1, 0]}), pl.DataFrame({"y": [1, 0]}), pa.table({"y": [1, 0]})]
)
def test_a_column_vector_warns_and_works(y: Any) -> None:
    with pytest.warns(DataConversionWarning, match="column-vector y was passed"):
        assert encode_target(y, 0, 1)[0].tolist() == [1.0, 0.0]
    with pytest.raises(SchemaError, match=r"sample_weight must be a 1d array"):
        encode_weights(y, 2, 1.0)


@pytest.mark.parametrize("y", [np.zeros((3, 2)), np.zeros((2, 2, 1)), 5, "ab", pd.DataFrame({"a": [1], "b": [0]})])
def test_several_columns_and_no_column_are_refused(y: Any) -> None:
    with pytest.raises(SchemaError, match=r"1d array|unequal length"):
        encode_target(y, 0, 1)
    with pytest.raises(SchemaError, match=r"sample_weight must be a 1d array"):
        encode_weights(y, 3, 1.0)


def test_no_target_at_all() -> None:
    with pytest.raises(ValueError, match="A regressor requires y to be passed, but the target y is None"):
        encode_target(None, 0, 1)


class TestInferredRange:
    def test_leaves_out_what_is_not_finite(self) -> None:
        assert infer_range(np.array([np.nan, 3.0, np.inf, -2.0, -np.inf])) == (-2.0, 3.0)
        assert infer_range([3, None, Fraction(1, 2)]) == (0.5, 3.0)

    @pytest.mark.parametrize("y", [[], [None], np.full(3, np.inf), np.array([np.nan]), pl.Series([None])])
    def test_needs_a_finite_number(self, y: Any) -> None:
        with pytest.raises(SchemaError, match="Input y contains infinity or NaN only"):
            infer_range(y)

    @pytest.mark.parametrize("value", [0.0, 1.0, -3.5, 1e9, 1e300, -1.7e308, 5e-324, np.finfo(float).max])
    def test_one_value_gets_room_around_it(self, value: float) -> None:
        low, high = infer_range(np.full(3, value))
        assert low < high
        assert low <= value <= high
        assert np.isfinite(high - low)

    def test_numbers_too_far_apart(self) -> None:
        with pytest.raises(SchemaError, match="too far apart"):
            infer_range([-1.7e308, 1.7e308])


class TestWeights:
    @pytest.mark.parametrize("kind", MAKERS)
    def test_of_every_container(self, kind: str) -> None:
        weights = encode_weights(MAKERS[kind](NUMBERS), 6, 20.0)
        assert weights.dtype == np.float64
        assert weights.tolist() == [0.5, 0.75, 1.0, 0.25, 1.0, 0.0]
        assert encode_weights(MAKERS[kind](NUMBERS), 6, None).tolist() == [0.4, 0.6, 0.8, 0.2, 1.0, 0.0]

    def test_are_clipped(self) -> None:
        given = np.array([-1.0, -np.inf, np.inf, np.nan, 0.5, 9.0])
        assert encode_weights(given, 6, 1.0).tolist() == [0.0, 0.0, 1.0, 0.0, 0.5, 1.0]
        assert encode_weights(given, 6, None).tolist() == [0.0, 0.0, 1.0, 0.0, 0.5 / 9, 1.0]
        np.testing.assert_array_equal(given, [-1.0, -np.inf, np.inf, np.nan, 0.5, 9.0])

    @pytest.mark.parametrize("given", [[0, 0], [-1, -2], [None, None], [], [np.nan, np.inf]])
    @pytest.mark.parametrize("largest", [None, 5e-324, 1.0, 1e308])
    def test_without_any_above_zero(self, given: list[Any], largest: float | None) -> None:
        weights = encode_weights(given, len(given), largest)
        assert weights.tolist() == [1.0 if weight == np.inf else 0.0 for weight in given]

    @pytest.mark.parametrize("given", [[], [1.0], [1.0, 2.0, 3.0], pd.Series([1.0]), pl.Series([1.0])])
    def test_more_or_fewer_than_rows(self, given: Any) -> None:
        with pytest.raises(SchemaError, match=rf"sample_weight holds {len(given)} weights, but X has 2 rows"):
            encode_weights(given, 2, 1.0)

    def test_sparse_weights_are_refused(self) -> None:
        sparse = pytest.importorskip("scipy.sparse")
        with pytest.raises(SchemaError, match="sample_weight must be a 1d array"):
            encode_weights(sparse.csr_array(np.eye(2)), 2, 1.0)
