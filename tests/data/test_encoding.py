"""Codes: the rule of the edges, missing, unknown, clipping, and equality across every kind of table."""

from __future__ import annotations

import math
import pickle
import time
import tracemalloc
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privboost.data import Boolean, Categorical, Domain, Encoder, Numeric, Ordinal
from privboost.data.edges import digitize
from privboost.errors import SchemaError, SchemaTypeError

FLOAT_DTYPES = [np.float16, np.float32, np.float64, np.longdouble]


def _codes(attribute: Any, cells: Any, n_bins: int = 10) -> list[int]:
    """Codes of one column, given as a NumPy array or a pandas column."""
    if isinstance(cells, np.ndarray):
        X: Any = cells.reshape(-1, 1)
    else:
        X = pd.DataFrame({"a": cells})
    return Encoder(Domain({"a": attribute}), n_bins).encode(X)[0].tolist()


# -- numbers


@settings(max_examples=80, deadline=None)
@given(
    values=st.lists(st.floats(allow_nan=True, allow_infinity=True), min_size=1, max_size=30),
    lo=st.floats(-1e6, 1e6),
    width=st.floats(0, 1e6),
    n_bins=st.sampled_from([2, 3, 10, 39, 40, 41, 42, 255]),
)
def test_codes_are_one_plus_the_number_of_edges_at_most_the_value(
    values: list[float], lo: float, width: float, n_bins: int
) -> None:
    attribute = Numeric(lo, lo + width)
    edges = attribute.edges(n_bins).tolist()
    values += edges[:5] + [math.nextafter(edge, -math.inf) for edge in edges[:5]]
    naive = [0 if value != value else 1 + sum(edge <= value for edge in edges) for value in values]
    assert _codes(attribute, np.array(values), n_bins) == naive
    assert _codes(attribute, np.array(values, dtype=object), n_bins) == naive


@pytest.mark.parametrize("n_bins", [2, 10, 40, 41, 255])
def test_long_columns_are_encoded_like_short_ones(n_bins: int) -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(0.5, 0.5, 10_000)
    values[rng.random(10_000) < 0.1] = np.nan
    edges = Numeric(0, 1).edges(n_bins)
    out = np.empty(10_000, dtype=np.uint8)
    digitize(values, edges, out)
    naive = np.where(np.isnan(values), 0, 1 + (values[:, None] >= edges).sum(axis=1))
    assert (out == naive).all()
    assert (np.array(_codes(Numeric(0, 1), values, n_bins)) == naive).all()


def test_a_value_equal_to_hi_is_in_the_last_bin_and_equal_to_lo_in_the_first() -> None:
    assert _codes(Numeric(-1, 1), np.array([-1.0, 1.0, math.nextafter(1, 0)])) == [1, 10, 10]
    assert _codes(Numeric(3, 3), np.array([2.0, 3.0, 4.0, np.nan])) == [1, 1, 1, 0]


@pytest.mark.parametrize("bounds", [(0, 1), (0, 1e-6), (1e-12, 1e12), (-1e12, 1e-12), (0, 0.1)])
def test_float32_and_float64_lie_on_the_same_side_of_every_edge(bounds: tuple[float, float]) -> None:
    attribute = Numeric(*bounds)
    edges = attribute.edges(10)
    around = np.concatenate([edges, np.nextafter(edges, -np.inf), np.nextafter(edges, np.inf), [0.1]])
    assert _codes(attribute, edges) == list(range(2, 11))
    assert _codes(attribute, np.nextafter(edges, -np.inf)) == list(range(1, 10))
    for dtype in FLOAT_DTYPES[:3]:
        with np.errstate(over="ignore"):
            narrow = around.astype(dtype)
        exact = [
            1 + sum(Fraction(float(edge)) <= Fraction(float(x)) for edge in edges) for x in narrow if np.isfinite(x)
        ]
        assert _codes(attribute, narrow[np.isfinite(narrow)]) == exact
        assert _codes(attribute, narrow) == _codes(attribute, narrow.astype(np.float64))
        assert _codes(attribute, narrow) == _codes(attribute, pd.Series(narrow, dtype=object))


def test_the_tenth_in_both_precisions() -> None:
    cells = [np.float64(0.1), np.float32(0.1), np.nextafter(0.1, 0), np.nextafter(0.1, 1)]
    # float32(0.1) is above 0.1
    assert _codes(Numeric(0, 1), np.array(cells, dtype=object)) == [2, 2, 1, 2]
    assert _codes(Numeric(0, 1), np.array([0.1], dtype=np.float32)) == [2]
    assert _codes(Numeric(0, 1), np.array([0.7], dtype=np.float32)) == [7]  # float32(0.7) is below 0.7


@pytest.mark.parametrize("value", [1e258, 1e39, 1e300, np.inf, 1.5, 10**400, Fraction(10**400), Decimal("1e999")])
def test_what_is_too_large_counts_as_the_bound(value: Any) -> None:
    assert _codes(Numeric(0, 1), np.array([value, 1.0], dtype=object)) == [10, 10]
    assert _codes(Numeric(0, 1), np.array([-value, 0.0], dtype=object)) == [1, 1]
    if abs(float("inf") if isinstance(value, int | Fraction | Decimal) else value) <= 1e300:
        assert _codes(Numeric(0, 1), np.array([value, -value])) == [10, 1]


def test_longdouble_beyond_float64_counts_as_the_bound() -> None:
    huge = np.longdouble("1e4000")
    assert _codes(Numeric(0, 1), np.array([huge, -huge, np.longdouble("nan")])) == [10, 1, 0]


def test_a_signalling_nan_is_missing() -> None:
    signalling = np.array([0x7FF0000000000001], dtype=np.uint64).view(np.float64)
    assert _codes(Numeric(0, 1), signalling) == [0]


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int64, np.uint8, np.uint64, ">i4", ">f8", np.bool_])
def test_whole_numbers_of_any_dtype(dtype: Any) -> None:
    cells = np.array([0, 1, 1, 0], dtype=dtype)
    assert _codes(Numeric(0, 1, integer=True), cells) == [1, 2, 2, 1]
    assert _codes(Numeric(0, 1), cells) == [1, 10, 10, 1]
    assert _codes(Boolean(), cells) == [1, 2, 2, 1]


def test_integers_beyond_float64_keep_their_order() -> None:
    attribute = Numeric(0, 2**62, integer=True)
    cells = np.array([0, 2**61 - 1, 2**61, 2**61 + 1, 2**62, 2**63 - 1], dtype=np.int64)
    codes = _codes(attribute, cells, 4)
    assert codes == sorted(codes)
    assert codes[0] == 1
    assert codes[-1] == 4


# -- missing


@pytest.mark.parametrize(
    "attribute", [Numeric(0, 1), Numeric(0, 1, integer=True), Categorical(["a"]), Ordinal([0, 1]), Boolean()]
)
@pytest.mark.parametrize(
    "missing",
    [
        None,
        np.nan,
        float("nan"),
        np.float32("nan"),
        pd.NA,
        pd.NaT,
        np.datetime64("NaT"),
        Decimal("NaN"),
        Decimal("sNaN"),
    ],
)
def test_every_way_to_be_missing_has_code_0(attribute: Any, missing: Any) -> None:
    cells = np.empty(3, dtype=object)
    cells[:] = [missing, missing, missing]
    assert _codes(attribute, cells) == [0, 0, 0]
    assert _codes(attribute, pd.Series(cells, dtype=object)) == [0, 0, 0]
    cells[1] = 1
    assert _codes(attribute, cells)[::2] == [0, 0]
    assert _codes(attribute, cells)[1] != 0


@pytest.mark.parametrize("attribute", [Numeric(0, 1), Categorical(["a"]), Ordinal([0, 1]), Boolean()])
def test_columns_without_any_cell_that_is_filled(attribute: Any) -> None:
    for column in (
        pd.Series([None, None], dtype=object),
        pd.Series([np.nan, np.nan], dtype=float),
        pd.Series([pd.NA, pd.NA], dtype="Float64"),
        pd.Categorical([None, None]),
    ):
        assert _codes(attribute, column) == [0, 0]
    encoder = Encoder(Domain({"a": attribute}))
    assert encoder.encode(pl.DataFrame({"a": [None, None]})).tolist() == [[0, 0]]
    assert encoder.encode(pa.table({"a": pa.nulls(2)})).tolist() == [[0, 0]]


def test_missing_has_its_code_whether_or_not_it_was_declared() -> None:
    for missing in (False, True):
        assert _codes(Numeric(0, 1, missing=missing), np.array([np.nan, 0.5])) == [0, 6]


# -- categories


def test_unknown_is_not_missing_and_nothing_is_folded() -> None:
    cells = ["a", "zzz", None, "", "a ", "A", " a", "b", "None", "nan"]
    assert _codes(Categorical(["a", "b"]), pd.Series(cells)) == [1, 3, 0, 3, 3, 3, 3, 2, 3, 3]
    assert _codes(Ordinal(["a", "b"]), np.array(cells, dtype=object)) == [1, 3, 0, 3, 3, 3, 3, 2, 3, 3]
    assert _codes(Categorical(["a", ""]), pd.Series(["", "a"])) == [2, 1]


NUMBERS_AS_CATEGORIES = [np.int8, np.int64, np.uint8, np.float32, np.float64, np.longdouble]


@pytest.mark.parametrize("categories", [[1, 0, 7], ["1", "0", "7"]])
@pytest.mark.parametrize("dtype", [*NUMBERS_AS_CATEGORIES, "str", object, "category", "Int64", "string"])
def test_a_number_matches_the_category_that_prints_the_same(categories: list[Any], dtype: Any) -> None:
    cells = pd.Series([0, 1, 7, 8, 1]).astype(dtype)
    for kind in (Categorical, Ordinal):
        assert _codes(kind(categories), cells) == [2, 1, 3, 4, 1]
        assert _codes(kind(categories), np.asarray(cells)) == [2, 1, 3, 4, 1]


def test_texts_that_only_look_like_the_number_do_not_match_it() -> None:
    listed = Categorical(["01", "1.0", "+2", " 3", "-0", "1_0", "0.5", "1e3", "inf", "nan"])
    assert _codes(listed, np.array([1.0, 2.0, 3.0, 0.0, 10.0, 0.5, 1000.0, np.inf, np.nan])) == [11] * 5 + [
        7,
        11,
        11,
        0,
    ]
    assert _codes(listed, np.array([0.1, 0.5], dtype=np.float32)) == [11, 7]
    assert _codes(Categorical(["0.1"]), np.array([0.1], dtype=np.float32)) == [1]
    assert _codes(Categorical(["0.1"]), np.array([np.float32(0.1)], dtype=object)) == [1]
    assert _codes(Categorical(["-3", "0.1"]), np.array([-3, 3])) == [1, 3]


def test_negative_and_large_integers_are_unknown_or_exact() -> None:
    listed = Categorical([2**53 + 1, -1, 2**63 + 5])
    assert _codes(listed, np.array([2**53, 2**53 + 1, -1, -2], dtype=np.int64)) == [4, 1, 2, 4]
    assert _codes(listed, np.array([2**63 + 5, 1], dtype=np.uint64)) == [3, 4]
    assert _codes(listed, np.array([2.0**53, -1.0, 2.0**63])) == [4, 2, 4]
    assert _codes(listed, np.array([2**53 + 1, 10**5000, -(10**5000), Decimal("1e99999")], dtype=object)) == [
        1,
        4,
        4,
        4,
    ]


@settings(max_examples=80, deadline=None)
@given(
    categories=st.lists(
        st.integers(-300, 300) | st.sampled_from(["0.5", "a", "1.5", "-7.25"]), min_size=1, unique_by=str
    ),
    cells=st.lists(
        st.integers(-300, 300).map(float) | st.sampled_from([0.5, 1.5, -7.25, 0.1, math.inf, math.nan]), min_size=1
    ),
)
def test_matching_agrees_with_printing(categories: list[Any], cells: list[float]) -> None:
    texts = [str(category) for category in categories]

    def naive(cell: float) -> int:
        if cell != cell:
            return 0
        text = f"{cell:.0f}" if cell % 1 == 0 else str(cell)
        return texts.index(text) + 1 if text in texts else len(texts) + 1

    expected = [naive(cell) for cell in cells]
    for dtype in (np.float16, np.float32, np.float64, object):
        assert _codes(Categorical(categories), np.array(cells, dtype=dtype)) == expected


def test_booleans_and_their_words() -> None:
    words = ["true", "True", "TRUE", "t", "T", "yes", "y", "1", "false", "False", "F", "no", "No", "0", "tRUE", "2", ""]
    codes = [2] * 8 + [1] * 6 + [3] * 3
    assert _codes(Boolean(), pd.Series(words)) == codes
    assert _codes(Boolean(), np.array(words)) == codes
    assert _codes(Boolean(), np.array([True, False, 1, 0, 1.0, 0.0, 2, None, np.True_, "x"], dtype=object)) == [
        *(2, 1, 2, 1, 2, 1, 3, 0, 2, 3)
    ]
    assert _codes(Boolean(), np.array([1.0, 0.0, 2.0, np.nan])) == [2, 1, 3, 0]
    assert _codes(Boolean(), np.array([True, False])) == [2, 1]
    assert _codes(Boolean(), pd.array([True, None, False], dtype="boolean")) == [2, 0, 1]
    assert _codes(Categorical([True, False]), np.array([True, False])) == [1, 2]
    assert _codes(Categorical(["False", "True"]), np.array([True, False])) == [2, 1]


def test_what_no_object_column_can_match() -> None:
    cells = np.empty(10, dtype=object)
    cells[:] = [
        b"1",
        [1],
        {1},
        (1,),
        1j,
        object(),
        np.array([1]),
        np.timedelta64(1, "D"),
        np.datetime64("2020-01-01"),
        {},
    ]
    assert _codes(Categorical([1, "a"]), cells) == [3] * 10
    assert _codes(Boolean(), cells) == [3] * 10
    assert _codes(Numeric(0, 1), cells) == [0] * 10


def test_numbers_in_an_object_column() -> None:
    cells = np.array(
        ["1", "0.25", " 0.25 ", "1e-1", "inf", "-inf", "nan", "x", "", True, np.False_, Decimal("0.25")], dtype=object
    )
    assert _codes(Numeric(0, 1), cells) == [10, 3, 3, 2, 10, 1, 0, 0, 0, 10, 1, 3]


# -- every kind of table

MIXED = Domain(
    {
        "f": Numeric(0, 1, missing=True),
        "i": Numeric(-5, 5, integer=True),
        "b": Boolean(),
        "s": Categorical(["a", "ä", "c"]),
        "o": Ordinal(["lo", "hi"]),
        "n": Categorical([1, 2]),
    }
)


def _mixed_frame() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    n = 500
    texts = np.array(["a", "ä", "c", "other", None], dtype=object)
    frame = pd.DataFrame(
        {
            "f": np.where(rng.random(n) < 0.1, np.nan, rng.normal(0.5, 1, n)),
            "i": rng.integers(-8, 9, n),
            "b": rng.random(n) < 0.5,
            "s": pd.array(rng.choice(texts, n), dtype="str"),
            "o": pd.array(rng.choice(np.array(["lo", "hi", None], dtype=object), n), dtype="str"),
            "n": rng.integers(0, 4, n),
        }
    )
    return frame


def _as_tables() -> dict[str, Any]:
    frame = _mixed_frame()
    polars, arrow = pl.from_pandas(frame), pa.Table.from_pandas(frame)
    category = {"s": "category", "o": "category"}
    return {
        "pandas": frame,
        "reordered": frame[["n", "o", "s", "b", "i", "f"]],
        "category": frame.astype({**category, "n": "category", "b": "category"}),
        "object": frame.astype(object),
        "python strings": frame.astype(dict.fromkeys(category, "string[python]")),
        "arrow strings": frame.astype(dict.fromkeys(category, "string[pyarrow]")),
        "nullable": frame.astype({"f": "Float64", "i": "Int64", "b": "boolean", "n": "UInt8", **category}),
        "arrow dtypes": frame.convert_dtypes(dtype_backend="pyarrow"),
        "odd index": frame.set_index(np.zeros(len(frame), dtype=int)),
        "polars": polars,
        "polars categorical": polars.with_columns(pl.col("s", "o").cast(pl.Categorical)),
        "polars enum": polars.with_columns(pl.col("o").cast(pl.Enum(["hi", "lo"]))),
        "polars chunks": pl.concat([polars[:100], polars[100:]], rechunk=False),
        "polars decimal": polars.with_columns(pl.col("i").cast(pl.Decimal(10, 2)), pl.col("n").cast(pl.Int128)),
        "arrow": arrow,
        "arrow chunks": pa.concat_tables([arrow[:100], arrow[100:]]),
        "arrow batch": arrow.combine_chunks().to_batches()[0],
        "arrow dictionary": pa.table(
            {name: (arrow[name].dictionary_encode() if name in "bson" else arrow[name]) for name in MIXED.names}
        ),
        "arrow dictionaries that differ": pa.concat_tables(
            [
                pa.table({n: (t[n].dictionary_encode() if n in "so" else t[n]) for n in MIXED.names})
                for t in (arrow[:3], arrow[3:])
            ]
        ),
        "arrow large": arrow.set_column(3, "s", arrow["s"].cast(pa.large_string())),
        "arrow view": arrow.set_column(3, "s", arrow["s"].cast(pa.string_view())),
        "array": frame.to_numpy(dtype=object),
        "rows": frame.to_numpy(dtype=object).tolist(),
    }


def _naive_codes() -> npt.NDArray[np.uint8]:
    """Cell by cell, in plain Python."""
    frame = _mixed_frame()
    edges = [k / 10 for k in range(1, 10)]
    codes = [
        [0 if x != x else 1 + sum(e <= x for e in edges) for x in frame["f"]],
        [1 + sum(-5 + k <= x for k in range(1, 10)) for x in frame["i"]],
        [2 if x else 1 for x in frame["b"]],
        [{"a": 1, "ä": 2, "c": 3, "other": 4}.get(x, 0) for x in frame["s"]],
        [{"lo": 1, "hi": 2}.get(x, 0) for x in frame["o"]],
        [x if x in (1, 2) else 3 for x in frame["n"]],
    ]
    return np.array(codes, dtype=np.uint8)


@pytest.mark.parametrize("kind", _as_tables())
def test_every_kind_of_table_gives_the_same_codes(kind: str) -> None:
    codes = Encoder(MIXED).encode(_as_tables()[kind])
    assert codes.dtype == np.uint8
    assert codes.flags.c_contiguous
    assert (codes == _naive_codes()).all()


def test_pandas_polars_and_arrow_agree_on_whole_numbers_with_gaps() -> None:
    cells = [2**53 + 1, None, -4, 2**62]
    domain = Domain({"a": Categorical([2**53 + 1, -4]), "b": Numeric(-4, 4, integer=True)})
    tables = [
        pd.DataFrame({name: pd.array(cells, dtype="Int64") for name in "ab"}),
        pl.DataFrame({"a": cells, "b": cells}),
        pa.table({"a": cells, "b": cells}),
    ]
    for table in tables:
        assert Encoder(domain, 3).encode(table).tolist() == [[1, 0, 2, 3], [3, 0, 1, 3]]


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.uint8, np.int64])
@pytest.mark.parametrize("order", ["C", "F", "strided", "read-only"])
def test_memory_layouts_of_a_matrix(dtype: Any, order: str) -> None:
    rng = np.random.default_rng(1)
    X = (rng.random((9_001, 3)) * 100).astype(dtype)
    domain = Domain({"x": Numeric(0, 100), "y": Numeric(20, 60), "z": Categorical(list(range(50)))})
    naive = Encoder(domain, 7).encode(pd.DataFrame(X, columns=["x", "y", "z"]))
    if order == "strided":
        wide = np.zeros((9_001, 6), dtype=dtype)
        wide[:, ::2] = X
        X = wide[:, ::2]
    else:
        X = np.array(X, order="F" if order == "F" else "C")
        X.setflags(write=order != "read-only")
    before = X.copy()
    assert (Encoder(domain, 7).encode(X) == naive).all()
    assert (before == X).all()


def test_no_rows() -> None:
    for X in (np.empty((0, 6)), np.empty((0, 6), dtype=object), _mixed_frame()[:0], pl.from_pandas(_mixed_frame()[:0])):
        assert Encoder(MIXED).encode(X).shape == (6, 0)
    assert Encoder(MIXED).encode(pa.Table.from_pandas(_mixed_frame()[:0])).shape == (6, 0)


def test_the_encoder_keeps_nothing_of_the_rows() -> None:
    encoder = Encoder(MIXED, 10)
    before = pickle.dumps(encoder)
    for table in _as_tables().values():
        encoder.encode(table)
    assert pickle.dumps(encoder) == before
    assert b"other" not in before


# -- speed and memory


def test_a_hundred_thousand_rows_are_encoded_quickly() -> None:
    rng = np.random.default_rng(0)
    X = rng.random((100_000, 14))
    encoder = Encoder(Domain({f"x{i}": Numeric(0, 1) for i in range(14)}))
    texts = pd.DataFrame({"c": rng.choice([f"category {i}" for i in range(40)], 100_000)})
    by_text = Encoder(Domain({"c": Categorical([f"category {i}" for i in range(39)])}))
    assert _best_time(lambda: encoder.encode(X)) < 0.1
    assert _best_time(lambda: by_text.encode(texts)) < 0.05
    assert _best_time(lambda: by_text.encode(texts.astype(object))) < 0.1


def _best_time(call: Any) -> float:
    times = []
    for _ in range(5):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


@pytest.mark.parametrize("order", ["C", "F"])
def test_no_float64_copy_of_the_table(order: str) -> None:
    X = np.zeros((100_000, 40), dtype=np.float32, order=order)  # type: ignore[call-overload]
    encoder = Encoder(Domain({f"x{i}": Numeric(0, 1) for i in range(40)}))
    encoder.encode(X)  # compiles, or loads compiled code
    tracemalloc.start()
    codes = encoder.encode(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < codes.nbytes + 4_000_000  # the copy would be 32 MB


# -- errors that depend on the schema


def test_wrong_numbers_of_columns_are_told_in_the_words_of_scikit_learn() -> None:
    encoder = Encoder(Domain({"a": Numeric(0, 1), "b": Numeric(0, 1), "c": Numeric(0, 1)}), owner="TreeClassifier")
    with pytest.raises(SchemaError, match="X has 2 features, but TreeClassifier is expecting 3 features as input"):
        encoder.encode(np.zeros((4, 2)))
    with pytest.raises(
        SchemaError, match=r"0 feature\(s\) \(shape=\(4, 0\)\) while a minimum of 1 is required by Tree"
    ):
        encoder.encode(np.zeros((4, 0)))
    for empty in (pd.DataFrame(index=range(4)), pl.DataFrame()):
        with pytest.raises(SchemaError, match=r"0 feature\(s\)"):
            encoder.encode(empty)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_columns_are_matched_by_name(make: Any) -> None:
    encoder = Encoder(Domain({"a": Numeric(0, 1), "b": Numeric(0, 10), "c": Numeric(0, 100)}))
    a, b, c, d = {"a": [0.95]}, {"b": [5.5]}, {"c": [15.0]}, {"d": [0.0]}
    assert encoder.encode(make({**c, **b, **a})).tolist() == [[10], [6], [2]]
    with pytest.raises(SchemaError, match=r"lacks the columns 'c'\.$"):
        encoder.encode(make({**a, **b}))
    with pytest.raises(SchemaError, match=r"has the columns 'd', which the domain does not declare"):
        encoder.encode(make({**a, **b, **c, **d}))
    with pytest.raises(SchemaError, match=r"lacks the columns 'c'\. It has 'd'"):
        encoder.encode(make({**a, **b, **d}))
    with pytest.raises(SchemaError, match=r"lacks the columns 'a', 'b', 'c'\. It has 'A'"):
        encoder.encode(make({"A": [1.0]}))


def test_long_lists_of_names_are_cut() -> None:
    encoder = Encoder(Domain({f"x{i}": Numeric(0, 1) for i in range(50)}))
    with pytest.raises(SchemaError, match="'x4' and 45 more"):
        encoder.encode(pd.DataFrame({"y": [1.0]}))


def test_column_names_that_are_not_text() -> None:
    encoder = Encoder(Domain({"a": Numeric(0, 1), "b": Numeric(0, 1)}))
    X = np.array([[0.0, 1.0]])
    assert encoder.encode(pd.DataFrame(X)).tolist() == [[1], [10]]
    for names in ([1, 0], [1, 2], ["a", 1], [("a", 1), ("b", 2)], [np.nan, "a"], [None, "b"]):
        frame = pd.DataFrame(X)
        frame.columns = pd.Index(names, dtype=object, tupleize_cols=False)
        with pytest.raises(SchemaTypeError, match="Column names must be text"):
            encoder.encode(frame)
    with pytest.raises(SchemaTypeError, match="several levels"):
        encoder.encode(pd.DataFrame(X, columns=pd.MultiIndex.from_tuples([("a", "x"), ("b", "y")])))
    with pytest.raises(SchemaError, match="two columns named 'a'"):
        encoder.encode(pd.DataFrame(X, columns=["a", "a"]))
    with pytest.raises(SchemaError, match="two columns named 'a'"):
        encoder.encode(pa.Table.from_arrays([pa.array([1.0]), pa.array([1.0])], names=["a", "a"]))


def test_a_text_column_cannot_be_a_number() -> None:
    encoder = Encoder(Domain({"age": Numeric(0, 1)}))
    columns = [
        pd.DataFrame({"age": ["1", "2"]}),
        pd.DataFrame({"age": ["1", "2"]}, dtype="category"),
        pd.DataFrame({"age": ["1", "2"]}, dtype="string[python]"),
        pl.DataFrame({"age": ["1", "2"]}),
        pl.DataFrame({"age": ["1", "2"]}).cast(pl.Categorical),
        pa.table({"age": ["1", "2"]}),
        pa.table({"age": pa.array(["1", "2"]).dictionary_encode()}),
        np.array([["1"], ["2"]]),
        np.array([["1"], ["2"]], dtype=np.dtypes.StringDType()),
    ]
    for X in columns:
        with pytest.raises(SchemaTypeError, match="'age' is declared numeric, but its column has dtype"):
            encoder.encode(X)


@pytest.mark.parametrize("attribute", [Categorical(["a", "b"]), Ordinal(["lo", "hi"]), Categorical(["01", "1.0"])])
def test_whole_numbers_and_booleans_need_a_category_that_they_can_match(attribute: Any) -> None:
    encoder = Encoder(Domain({"c": attribute}))
    for X in (pd.DataFrame({"c": [1, 2]}), pl.DataFrame({"c": [True]}), np.array([[1]])):
        with pytest.raises(SchemaTypeError, match=r"'c' is declared .* none of the declared categories"):
            encoder.encode(X)
    assert encoder.encode(np.array([[1.0], [np.nan]])).tolist() == [[3, 0]]  # floats: how pandas holds "all missing"


REFUSED = {
    "datetime": pd.Series(pd.to_datetime(["2020-01-01"])),
    "zoned": pd.Series(pd.to_datetime(["2020-01-01"], utc=True)),
    "timedelta": pd.Series(pd.to_timedelta([1], unit="s")),
    "period": pd.Series(pd.period_range("2020", periods=1, freq="D")),
    "interval": pd.Series(pd.interval_range(0, 1, 1)),
    "complex": pd.Series([1j]),
    "sparse": pd.Series(pd.arrays.SparseArray([0.0])),
    "dates as categories": pd.Series(pd.Categorical(pd.to_datetime(["2020-01-01"]))),
    "numpy datetime": np.array(["2020-01-01"], dtype="M8[D]"),
    "numpy timedelta": np.array([1], dtype="m8[D]"),
    "numpy complex": np.array([1j]),
    "numpy bytes": np.array([b"a"]),
    "numpy void": np.array([(1, 2)], dtype=[("x", int), ("y", int)]),
    "polars date": pl.Series([None], dtype=pl.Date),
    "polars datetime": pl.Series([None], dtype=pl.Datetime),
    "polars duration": pl.Series([None], dtype=pl.Duration),
    "polars time": pl.Series([None], dtype=pl.Time),
    "polars list": pl.Series([[1]]),
    "polars array": pl.Series([[1]], dtype=pl.Array(pl.Int8, 1)),
    "polars struct": pl.Series([{"x": 1}]),
    "polars binary": pl.Series([b"a"]),
    "arrow list": pa.array([[1]]),
    "arrow struct": pa.array([{"x": 1}]),
    "arrow binary": pa.array([b"a"]),
    "arrow timestamp": pa.array([None], pa.timestamp("s")),
    "arrow dictionary of dates": pa.array([None], pa.date32()).dictionary_encode(),
    "pandas arrow list": pd.Series(pd.array([[1]], dtype=pd.ArrowDtype(pa.list_(pa.int8())))),
}


@pytest.mark.parametrize("kind", REFUSED)
@pytest.mark.parametrize("attribute", [Numeric(0, 1), Categorical(["a"]), Boolean()])
def test_dtypes_without_a_meaning_are_refused_by_name(kind: str, attribute: Any) -> None:
    column = REFUSED[kind]
    encoder = Encoder(Domain({"when": attribute}))
    if isinstance(column, pd.Series):
        X: Any = pd.DataFrame({"when": column})
    elif isinstance(column, pl.Series):
        X = pl.DataFrame({"when": column})
    elif isinstance(column, np.ndarray):
        with pytest.raises(SchemaTypeError, match="'column 0' has dtype"):
            encoder.encode(column.reshape(-1, 1))
        return
    else:
        X = pa.table({"when": column})
    with pytest.raises(SchemaTypeError, match="'when' has dtype"):
        encoder.encode(X)


def test_complex_data_is_refused_in_the_words_of_scikit_learn() -> None:
    with pytest.raises(ValueError, match="Complex data not supported"):
        Encoder(Domain({"x": Numeric(0, 1)})).encode(np.array([[1j]]))


def test_shapes() -> None:
    encoder = Encoder(Domain({"x": Numeric(0, 1)}))
    with pytest.raises(SchemaError, match=r"Expected 2D array, got 1D array instead.*array\.reshape\(-1, 1\)"):
        encoder.encode(np.zeros(3))
    with pytest.raises(SchemaError, match=r"1D array.*reshape"):
        encoder.encode([0.0, 1.0])
    with pytest.raises(SchemaError, match="got scalar array"):
        encoder.encode(5)
    with pytest.raises(SchemaError, match="dim 3"):
        encoder.encode(np.zeros((2, 2, 2)))
    with pytest.raises(SchemaTypeError, match="unequal length"):
        encoder.encode([[1.0], [1.0, 2.0]])
    assert encoder.encode([[0.25], [1]]).tolist() == [[3, 10]]
    assert encoder.encode(((0.25,), (None,), ("x",))).tolist() == [[3, 0, 0]]


class _Sparse:
    nnz = 0

    def toarray(self) -> Any:
        raise AssertionError("read")


@pytest.mark.parametrize(
    "X",
    [None, "text", b"bytes", {"x": [1.0]}, {1}, pl.LazyFrame({"x": [1.0]}), np.ma.array([[1.0]]), _Sparse(), lambda: 0],
)
def test_other_things_are_refused(X: Any) -> None:
    with pytest.raises(SchemaTypeError):
        Encoder(Domain({"x": Numeric(0, 1)})).encode(X)


@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
@pytest.mark.parametrize("shape", ["matrix", "array"])
def test_sparse_tables_are_refused_in_the_words_of_scikit_learn(kind: str, shape: str) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    X = getattr(sparse, f"{kind}_{shape}")(np.eye(3))
    with pytest.raises(TypeError, match=r"Sparse data was passed, but dense data is required\. Use '\.toarray\(\)'"):
        Encoder(Domain({"x": Numeric(0, 1)})).encode(X)


def test_lazy_frames_are_told_to_collect() -> None:
    with pytest.raises(SchemaTypeError, match=r"X\.collect\(\)"):
        Encoder(Domain({"x": Numeric(0, 1)})).encode(pl.LazyFrame({"x": [1.0]}))


def test_any_layout_of_an_array_gives_the_same_codes(tmp_path: Any) -> None:
    X = np.random.default_rng(0).random((50, 2))
    encoder = Encoder(Domain({"a": Numeric(0, 1), "b": Numeric(0, 1)}))
    expected = encoder.encode(X)
    unaligned = np.ndarray((50, 2), np.float64, buffer=bytearray(X.nbytes + 1), offset=1)
    unaligned[:] = X
    np.save(tmp_path / "X.npy", X)
    on_disk = np.load(tmp_path / "X.npy", mmap_mode="r")
    record = np.zeros(50, dtype=[("q", "i1"), ("a", "f8"), ("b", "f8")])
    record["a"], record["b"] = X.T
    for same in (unaligned, on_disk, np.asfortranarray(X), X.astype(">f8"), pd.DataFrame(record)[["a", "b"]]):
        assert (encoder.encode(same) == expected).all()
    assert (encoder.encode(X[::-1]) == expected[:, ::-1]).all()
    assert (encoder.encode(X[:, ::-1]) == expected[::-1]).all()
    assert (encoder.encode(np.broadcast_to(X[:1], (7, 2))) == expected[:, :1]).all()
