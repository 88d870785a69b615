"""What happens may not depend on what a cell holds: a table and its neighbour fail alike and warn alike.

Every test replaces or adds one row, with the odd values that users meet, and requires the same outcome and the same
codes for all other rows. Warnings are errors in this suite.
"""

from __future__ import annotations

import datetime
import pickle
import warnings
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privboost.data import Boolean, Categorical, Domain, Encoder, Numeric, Ordinal, encode_labels


class _Hostile:
    """Whatever is asked of it fails."""

    def _fail(self, *args: object) -> Any:
        raise RuntimeError("a cell was asked")

    __hash__ = __eq__ = __ne__ = __lt__ = __gt__ = __bool__ = __float__ = __int__ = __index__ = _fail  # type: ignore[assignment]
    __str__ = __repr__ = __len__ = __iter__ = __array__ = _fail  # type: ignore[assignment]


class _Number(float):
    """A number that fails when it is converted."""

    def __float__(self) -> float:
        raise ValueError("secret")


class _Text(str):
    """Text of a user's own class."""


ODD: list[Any] = [
    *(np.nan, np.inf, -np.inf, 1e300, -1e258, 10**400, -(10**400), 10**5000, -0.0, 5e-324, True, np.False_),
    *(None, pd.NA, pd.NaT, np.datetime64("NaT"), np.timedelta64("NaT"), np.timedelta64(1, "s"), np.datetime64("2020")),
    *("", "unseen", "a ", "1", "1e400", "nan", "\x00", "\ud800", b"a", b"1", bytearray(b"1"), _Text("a"), _Number(0.5)),
    *([1], (1,), {1}, {"a": 1}, np.array([1.0]), np.array(1.0), np.array([1, 2]), np.array([]), pd.Series([1])),
    *(1j, np.complex64(1j), Decimal(1), Decimal("sNaN"), Decimal("1e999999"), Decimal("-Infinity"), Fraction(1, 3)),
    *(
        object(),
        _Hostile(),
        datetime.date(2020, 1, 1),
        datetime.timedelta(1),
        int,
        len,
        np.float16(7),
        np.uint64(2**63),
    ),
    *(np.longdouble("1e4000"), np.void(b"ab"), np.str_("b"), np.bytes_(b"b"), np.int8(-3)),
]
ATTRIBUTES = [
    Numeric(0, 1),
    Numeric(0, 5, integer=True, missing=True),
    Categorical(["a", "b"]),
    Categorical([0, 1, "1e400"]),
    Ordinal([True, "x"]),
    Boolean(),
]
FILLERS: list[Any] = ["a", "b", 0, 1, 0.5, None, True]


def _column(cells: list[Any]) -> np.ndarray[Any, Any]:
    column = np.empty(len(cells), dtype=object)
    for i, cell in enumerate(cells):
        column[i] = cell
    return column


@pytest.mark.parametrize("attribute", ATTRIBUTES, ids=repr)
@pytest.mark.parametrize("odd", range(len(ODD)))
def test_an_odd_cell_changes_nothing_but_its_own_code(odd: int, attribute: Any) -> None:
    encoder = Encoder(Domain({"a": attribute}))
    before = pickle.dumps(encoder)
    plain, neighbour = _column(FILLERS), _column([*FILLERS[:3], ODD[odd], *FILLERS[3:]])
    expected = encoder.encode(plain.reshape(-1, 1))[0].tolist()
    for table in (neighbour.reshape(-1, 1), pd.DataFrame({"a": pd.Series(neighbour, dtype=object)})):
        codes = encoder.encode(table)[0].tolist()
        assert codes[:3] + codes[4:] == expected
        assert codes[3] < encoder.layout.n_codes[0]
    assert pickle.dumps(encoder) == before


NUMBERS = st.floats(width=64, allow_nan=True, allow_infinity=True)
ROWS = st.lists(NUMBERS, min_size=0, max_size=12)


@settings(max_examples=40, deadline=None)
@given(rows=ROWS, odd=NUMBERS, at=st.integers(0, 12), n_bins=st.sampled_from([2, 10, 255]))
def test_a_number_in_a_float_column_changes_nothing_but_its_own_code(
    rows: list[float], odd: float, at: int, n_bins: int
) -> None:
    neighbour = [*rows[:at], odd, *rows[at:]]
    for attribute in ATTRIBUTES:
        encoder = Encoder(Domain({"a": attribute}), n_bins)
        for make in (
            lambda cells: np.array(cells, dtype=float).reshape(-1, 1),
            lambda cells: pd.DataFrame({"a": np.array(cells, dtype=float)}),
            lambda cells: pl.DataFrame({"a": cells}, schema={"a": pl.Float64}),
        ):
            codes = encoder.encode(make(neighbour))[0].tolist()
            del codes[min(at, len(rows))]
            assert codes == encoder.encode(make(rows))[0].tolist()


CELLS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary(), st.complex_numbers(), st.decimals(),
    st.fractions(), st.dates(), st.timedeltas(), st.lists(st.integers()), st.dictionaries(st.text(), st.text()),
)  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(cells=st.lists(CELLS, max_size=6), odd=CELLS, at=st.integers(0, 6))
def test_any_object_changes_nothing_but_its_own_code(cells: list[Any], odd: Any, at: int) -> None:
    neighbour = _column([*cells[:at], odd, *cells[at:]]).reshape(-1, 1)
    for attribute in ATTRIBUTES:
        encoder = Encoder(Domain({"a": attribute}))
        codes = encoder.encode(neighbour)[0].tolist()
        del codes[min(at, len(cells))]
        assert codes == encoder.encode(_column(cells).reshape(-1, 1))[0].tolist()
    for classes in ([0, 1], ["a", ""]):
        labels = encode_labels(neighbour[:, 0], classes).tolist()
        del labels[min(at, len(cells))]
        assert labels == encode_labels(_column(cells), classes).tolist()


@settings(max_examples=40, deadline=None)
@given(cells=st.lists(st.none() | st.text(), max_size=6), odd=st.none() | st.text(), at=st.integers(0, 6))
def test_any_text_changes_nothing_but_its_own_code(cells: list[Any], odd: Any, at: int) -> None:
    encoder = Encoder(Domain({"a": Categorical(["a", "", "0"])}))
    neighbour = [*cells[:at], odd, *cells[at:]]
    for make in (
        lambda cells: pd.DataFrame({"a": pd.Series(cells, dtype="str")}),
        lambda cells: pd.DataFrame({"a": pd.Series(cells, dtype="string[python]")}),
        lambda cells: pl.DataFrame({"a": cells}, schema={"a": pl.String}),
        lambda cells: pl.DataFrame({"a": cells}, schema={"a": pl.String}).to_arrow(),
    ):
        codes = encoder.encode(make(neighbour))[0].tolist()
        del codes[min(at, len(cells))]
        assert codes == encoder.encode(make(cells))[0].tolist()


def test_a_schema_error_comes_before_any_cell_is_read() -> None:
    encoder = Encoder(Domain({"a": Categorical(["x"]), "b": Numeric(0, 1)}))
    frame = pd.DataFrame({"a": pd.Series([_Hostile()] * 2, dtype=object), "b": ["SECRET", "0"]})
    with pytest.raises(TypeError, match="'b' is declared numeric") as caught:
        encoder.encode(frame)
    assert "SECRET" not in str(caught.value)


def test_this_suite_would_notice_a_warning() -> None:
    with pytest.raises(UserWarning, match="loud"):
        warnings.warn("loud", UserWarning, stacklevel=1)
