"""What a message of a parameter quotes: never a table, a column, or a long list that may be one."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from privboost import Domain, Numeric, PrivateBoostingClassifier
from privboost.errors import ParameterError, PrivboostError

CELL = 63.6961687
LONG = [CELL] * 51
LOOP: list[object] = []
LOOP.append(LOOP)
TABLES = [
    np.full((3, 2), CELL),
    pd.DataFrame({"a": [CELL]}),
    pd.Series([CELL]),
    pl.DataFrame({"a": [CELL]}),
    pa.table({"a": [CELL]}),
    LONG,
    {"a": np.array([CELL])},
]


@pytest.mark.parametrize("table", TABLES, ids=lambda t: f"{type(t).__module__}.{type(t).__name__}")
@pytest.mark.parametrize(
    "name", ["epsilon", "delta", "n_rounds", "class_weight", "mechanism", "n_jobs", "random_state"]
)
def test_a_table_in_a_parameter_s_place_is_not_quoted(name: str, table: object) -> None:
    model = PrivateBoostingClassifier(domain=Domain({"a": Numeric(0, 100)}), classes=[0, 1])
    with pytest.raises(PrivboostError) as caught:
        model.set_params(**{name: table}).fit(np.full((20, 1), 5.0), np.arange(20) % 2)
    assert "63.69" not in str(caught.value) + repr(vars(caught.value))


def test_a_table_in_the_place_of_the_number_of_rows_is_not_quoted() -> None:
    model = PrivateBoostingClassifier(domain=Domain({"a": Numeric(0, 100)}), classes=[0, 1])
    with pytest.raises(ParameterError, match="Got a DataFrame instead") as caught:
        model.plan(pd.DataFrame({"a": [CELL]}))
    assert caught.value.value is pd.DataFrame


@pytest.mark.parametrize("value", [1.5, "x", [1, 2], {"a": 1}, np.float64(2.5), None, LOOP], ids=str)
def test_other_values_are(value: object) -> None:
    error = ParameterError("depth", value, "a whole number")
    assert repr(value) in str(error)
    assert error.value is value
