"""Rows are taken out of a table without a look at them, and the table stays of its kind."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from privboost.data.columns import read_schema
from privboost.data.rows import take_rows

COLUMNS = {"a": [1.5, None, 3.5, 4.5], "b": ["x", "y", None, "x"]}
POSITIONS = np.array([0, 2, 3])


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame(COLUMNS),
        pd.DataFrame(COLUMNS, index=[7, 7, 0, 1]).astype({"b": "category"}),
        pl.DataFrame(COLUMNS),
        pa.table(COLUMNS),
        pa.RecordBatch.from_pydict(COLUMNS),
        np.array([[1.5, "x"], [None, "y"], [3.5, None], [4.5, "x"]], dtype=object),
        [[1.5, "x"], [None, "y"], [3.5, None], [4.5, "x"]],
    ],
    ids=["pandas", "pandas, categories, odd index", "polars", "arrow", "arrow batch", "numpy", "list"],
)
def test_tables(table):
    taken = take_rows(table, POSITIONS)
    before, after = read_schema(table), read_schema(taken)
    assert (after.n_rows, after.names) == (3, before.names)
    assert [(c.kind, c.dtype) for c in after.columns] == [(c.kind, c.dtype) for c in before.columns]
    assert type(taken) is type(table)


@pytest.mark.parametrize(
    "column",
    [
        np.array([1, 2, 3, 4]),
        [1, 2, 3, 4],
        (1, 2, 3, 4),
        pd.Series([1, 2, 3, 4], index=[3, 2, 1, 0]),
        pd.Index([1, 2, 3, 4]),
        pl.Series([1, 2, 3, 4]),
        pa.array([1, 2, 3, 4]),
        pa.chunked_array([[1, 2], [3, 4]]),
        range(1, 5),
    ],
    ids=lambda c: f"{type(c).__module__}.{type(c).__name__}",
)
def test_columns(column):
    taken = take_rows(column, POSITIONS)
    assert [int(str(value)) for value in taken] == [1, 3, 4]
