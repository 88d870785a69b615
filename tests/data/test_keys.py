"""Keys and their numbers of rows, from every kind of column."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from privboost.data.columns import read_schema
from privboost.data.keys import count_categories, count_labels
from privboost.data.labels import label_column


def categories(column: Any) -> dict[Any, int]:
    frame = (
        pd.DataFrame({"x": column}) if not hasattr(column, "columns") and not isinstance(column, pa.Table) else column
    )
    return count_categories(read_schema(frame).columns[0].read())


@pytest.mark.parametrize(
    ("column", "counts"),
    [
        (pd.Series(["a", "b", "a", None], dtype="str"), {"a": 2, "b": 1}),
        (
            pd.Series(["a", 1, 1.0, True, np.nan, Decimal("2.50"), [3]], dtype=object),
            {"a": 1, "1": 2, "True": 1, "2.50": 1},
        ),
        (pd.Series([3, 1, 3]), {3: 2, 1: 1}),
        (pd.Series([3, None, 3], dtype="Int64"), {3: 2}),
        (pd.Series([0.5, np.nan, 2.0, np.inf]), {"0.5": 1, "2": 1}),
        (pd.Series([True, False, True]), {"True": 2, "False": 1}),
        (pd.Series(pd.Categorical(["a", None, "a"], categories=["a", "unused"])), {"a": 2}),
        (pd.Series(["\ud800", "TODO", "", "a"], dtype=object), {"": 1, "a": 1}),
        (pl.DataFrame({"x": ["a", None, "b", "a"]}), {"a": 2, "b": 1}),
        (pl.DataFrame({"x": pl.Series(["a", "b", "a"], dtype=pl.Categorical)}), {"a": 2, "b": 1}),
        (pa.table({"x": pa.array([1, None, 1]).dictionary_encode()}), {"1": 2}),
        (pa.table({"x": pa.nulls(3)}), {}),
    ],
)
def test_categories(column: Any, counts: dict[Any, int]) -> None:
    assert categories(column) == counts


@pytest.mark.parametrize(
    ("y", "counts"),
    [
        (["a", "b", "a", None], {"a": 2, "b": 1}),
        ([1, 1.0, True, 0, np.nan, 0.5, "1"], {1: 3, 0: 1, "1": 1}),
        (np.array([1.0, 2.0, np.inf, np.nan, 2.5]), {1: 1, 2: 1}),
        (np.array([3, 3, 2], dtype=np.uint8), {3: 2, 2: 1}),
        ([10**30, 2**63, -(2**63) + 1], {-(2**63) + 1: 1}),
    ],
)
def test_labels(y: Any, counts: dict[Any, int]) -> None:
    assert count_labels(label_column(y)[0].read()) == counts


def test_a_cell_that_fails_holds_no_key() -> None:
    class Rude(str):
        def __new__(cls) -> Rude:
            return super().__new__(cls, "x")

        def __str__(self) -> str:
            raise RuntimeError

    cells = np.empty(2, dtype=object)
    cells[:] = [Rude(), "a"]
    assert categories(pd.Series(cells, dtype=object)) == {"a": 1}
