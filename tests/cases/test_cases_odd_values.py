"""The same outcome on neighbouring tables, for cells, labels and weights that are drawn rather than listed.

Each example replaces what one row holds, in a container whose schema stays the same, by something drawn: the exception,
the warnings, the log, what is printed and every shape must be those of the table before. Draws are the same each time.
"""

from __future__ import annotations

import datetime
import decimal
import fractions

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from case_leaks import observe
from case_neighbours import compare, object_array
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from privboost import Boolean, Categorical, Domain, Numeric, Ordinal, evaluate_private
from privboost.data import matching

N_ROWS = 16
few = settings(
    max_examples=8,
    derandomize=True,
    deadline=None,
    database=None,
    phases=(Phase.explicit, Phase.generate),  # a smaller example is not worth the time
    suppress_health_check=list(HealthCheck),
)


numbers = st.one_of(
    st.floats(),
    st.floats(width=16),
    st.integers(),
    st.integers(2**53, 2**70),
    st.integers(0, 3),
    st.sampled_from([10**400, -(10**400), 5e-324, -0.0]),
)
scalars = st.one_of(
    numbers,
    st.booleans(),
    st.none(),
    st.text(max_size=4),
    st.sampled_from(["red", "S", "true", "1", "1.0", " 1", "1e400", "nan", "inf", "\ud800", "\x00", "no", "yes"]),
    st.binary(max_size=3),
    st.decimals(),
    st.fractions(),
    st.complex_numbers(),
    st.dates(),
    st.datetimes(),
    st.timedeltas(),
    st.sampled_from([pd.NA, pd.NaT, np.datetime64("NaT"), np.float32(3), np.int8(1), np.bool_(1), np.str_("red")]),
    st.sampled_from(
        [np.longdouble(2), np.array(1.0), np.array([1, 2]), object(), int, Ellipsis, decimal.Decimal("sNaN")]
    ),
)
cells = st.one_of(
    scalars,
    st.lists(scalars, max_size=2),
    st.tuples(scalars),
    st.dictionaries(st.text(max_size=1), scalars, max_size=1),
)

MIXED = Domain(
    {
        "age": Numeric(0, 100, integer=True, missing=True),
        "colour": Categorical(["red", "1", "True"], missing=True),
        "size": Ordinal(["S", "M", "L"]),
        "member": Boolean(),
    }
)
SQUARE = Domain({"a": Numeric(0, 1), "b": Numeric(0, 1, missing=True)})
PLAIN = [50, "red", "M", True]


def labels_of(learner):
    return np.arange(N_ROWS) % 2


def rows(last):
    return [[cell if i % 3 else PLAIN[j] for j, cell in enumerate(PLAIN)] for i in range(N_ROWS - 1)] + [list(last)]


TABLES = {
    "array of objects": lambda made: object_array(made, (N_ROWS, 4)),
    "list of lists": lambda made: made,
    "pandas objects": lambda made: pd.DataFrame(object_array(made, (N_ROWS, 4)), columns=MIXED.names, dtype=object),
    "polars objects": lambda made: pl.DataFrame(
        {name: pl.Series(name, [row[j] for row in made], dtype=pl.Object) for j, name in enumerate(MIXED.names)}
    ),
}


@pytest.mark.parametrize("kind", ["array of objects", "list of lists", "pandas objects", "polars objects"])
@few
@given(last=st.tuples(cells, cells, cells, cells))
def test_cells_of_objects(learner, kind, last):
    tables = [TABLES[kind](rows(row)) for row in (PLAIN, last)]
    y = labels_of(learner)
    compare(observe, lambda: learner(domain=MIXED), *((table, y) for table in tables))


# Columns with a dtype are read before a learner is asked; one of each family is enough.
one_of_each = pytest.mark.parametrize("name", ["tree", "random trees, selected", "numbers, gaussian"])

NUMERIC = {
    "float64": (st.floats(), lambda column: np.array(column, np.float64)),
    "float32": (st.floats(width=32), lambda column: np.array(column, np.float32)),
    "float16": (st.floats(width=16), lambda column: np.array(column, np.float16)),
    "int8": (st.integers(-128, 127), lambda column: np.array(column, np.int8)),
    "uint64": (st.integers(0, 2**64 - 1), lambda column: np.array(column, np.uint64)),
    "bool": (st.booleans(), lambda column: np.array(column, np.bool_)),
    "pandas Int64": (st.none() | st.integers(-(2**63), 2**63 - 1), lambda column: pd.array(column, dtype="Int64")),
    "pandas UInt8": (st.none() | st.integers(0, 255), lambda column: pd.array(column, dtype="UInt8")),
    "pandas Float32": (st.none() | st.floats(width=32), lambda column: pd.array(column, dtype="Float32")),
    "pandas boolean": (st.none() | st.booleans(), lambda column: pd.array(column, dtype="boolean")),
    "pandas arrow": (st.none() | st.floats(), lambda column: pd.array(column, dtype="double[pyarrow]")),
    "polars Float32": (
        st.none() | st.floats(width=32),
        lambda column: pl.Series(column, dtype=pl.Float32, strict=False),
    ),
    "polars Int64": (st.none() | st.integers(-(2**63), 2**63 - 1), lambda column: pl.Series(column, dtype=pl.Int64)),
    "polars Boolean": (st.none() | st.booleans(), lambda column: pl.Series(column, dtype=pl.Boolean)),
    "arrow float64": (st.none() | st.floats(), lambda column: pa.array(column, pa.float64())),
    "arrow int32": (st.none() | st.integers(-(2**31), 2**31 - 1), lambda column: pa.array(column, pa.int32())),
}


def table_of(column):
    if isinstance(column, np.ndarray):
        return np.stack([column, column], axis=1)
    if isinstance(column, pl.Series):
        return pl.DataFrame({"a": column, "b": column})
    if isinstance(column, pa.Array):
        return pa.table({"a": column, "b": column})
    return pd.DataFrame({"a": column, "b": column})


@one_of_each
@pytest.mark.parametrize("kind", NUMERIC)
@few
@given(data=st.data())
def test_cells_of_a_numeric_dtype(name, make_learner, kind, data):
    learner = make_learner(name)
    strategy, make = NUMERIC[kind]
    plain = [i % 2 == 0 for i in range(N_ROWS)] if "ool" in kind else [i % 2 for i in range(N_ROWS)]
    columns = [make([*plain[:-1], last]) for last in (plain[-1], data.draw(strategy))]
    y = labels_of(learner)
    compare(observe, lambda: learner(domain=SQUARE), *((table_of(column), y) for column in columns))


TEXT = {
    "numpy": lambda column: pd.DataFrame({"c": np.array(column, "<U8")}),
    "pandas str": lambda column: pd.DataFrame({"c": pd.array(column, dtype="str")}),
    "pandas string": lambda column: pd.DataFrame({"c": pd.array(column, dtype="string")}),
    "polars": lambda column: pl.DataFrame({"c": pl.Series(column, dtype=pl.String)}),
    "polars categorical": lambda column: pl.DataFrame({"c": pl.Series(column, dtype=pl.Categorical)}),
    "arrow": lambda column: pa.table({"c": pa.array(column, pa.string())}),
    "arrow dictionary": lambda column: pa.table({"c": pa.array(column, pa.string()).dictionary_encode()}),
}
words = st.text(st.characters(codec="utf-8"), max_size=6) | st.sampled_from(["red", "1", "True", "red ", "\x00", ""])


@one_of_each
@pytest.mark.parametrize("kind", TEXT)
@few
@given(data=st.data())
def test_cells_of_text(name, make_learner, kind, data):
    learner = make_learner(name)
    domain = Domain({"c": Categorical(["red", "1", "True"], missing=True)})
    last = data.draw(words if kind == "numpy" else st.none() | words)
    plain = ["red", "1"] * (N_ROWS // 2)
    tables = [TEXT[kind]([*plain[:-1], cell]) for cell in ("1", last)]
    y = labels_of(learner)
    compare(observe, lambda: learner(domain=domain), *((table, y) for table in tables))


SERIES = {
    "array of objects": lambda made: object_array(made, (N_ROWS,)),
    "list": list,
    "tuple": tuple,
    "pandas objects": lambda made: pd.Series(object_array(made, (N_ROWS,)), dtype=object),
}


@pytest.mark.parametrize("kind", SERIES)
@few
@given(last=cells)
def test_labels_of_objects(learner, kind, last):
    X = np.tile(np.linspace(0, 1, N_ROWS), (2, 1)).T
    plain = [0, 1] * (N_ROWS // 2)
    compare(observe, lambda: learner(domain=SQUARE), *((X, SERIES[kind]([*plain[:-1], label])) for label in (1, last)))


@one_of_each
@pytest.mark.parametrize("kind", NUMERIC)
@few
@given(data=st.data())
def test_labels_of_a_numeric_dtype(name, make_learner, kind, data):
    learner = make_learner(name)
    strategy, make = NUMERIC[kind]
    plain = [i % 2 == 0 for i in range(N_ROWS)] if "ool" in kind else [i % 2 for i in range(N_ROWS)]
    X = np.tile(np.linspace(0, 1, N_ROWS), (2, 1)).T
    targets = [make([*plain[:-1], last]) for last in (plain[-1], data.draw(strategy))]
    compare(observe, lambda: learner(domain=SQUARE), *((X, y) for y in targets))


@pytest.mark.parametrize("kind", SERIES)
@few
@given(last=cells)
def test_weights_of_objects(weighing, kind, last):
    X = np.tile(np.linspace(0, 1, N_ROWS), (2, 1)).T
    weights = [SERIES[kind]([1.0] * (N_ROWS - 1) + [weight]) for weight in (1.0, last)]
    compare(observe, lambda: weighing(domain=SQUARE), *((X, labels_of(weighing), w) for w in weights))


@pytest.mark.parametrize("name", ["random trees, selected", "numbers, gaussian"])
@pytest.mark.parametrize("kind", NUMERIC)
@few
@given(data=st.data())
def test_weights_of_a_numeric_dtype(name, make_learner, kind, data):
    weighing = make_learner(name)
    strategy, make = NUMERIC[kind]
    one = True if "ool" in kind else 1
    weights = [make([one] * (N_ROWS - 1) + [last]) for last in (one, data.draw(strategy))]
    X = np.tile(np.linspace(0, 1, N_ROWS), (2, 1)).T
    compare(observe, lambda: weighing(domain=SQUARE), *((X, labels_of(weighing), w) for w in weights))


@few
@given(row=st.tuples(cells, cells, cells, cells), label=cells)
@pytest.mark.filterwarnings("ignore:'random_state' is set:privboost.errors.PrivacyWarning")
def test_rows_that_are_evaluated_or_answered(learner, row, label):
    y = labels_of(learner)
    model = learner(domain=MIXED).fit(rows(PLAIN), y)
    outcomes, reports = [], []
    for cells_, last in ((PLAIN, 1), (row, label)):
        X, truth = rows(cells_), [*y[:-1].tolist(), last]

        def act(X=X, truth=truth):
            model.predict(X)
            reports.append(evaluate_private(model, X, truth, epsilon=1.0, random_state=0).to_dict())

        outcomes.append(observe(act))
    assert outcomes[0] == outcomes[1]
    assert outcomes[0].error is None
    assert reports[0].keys() == reports[1].keys()
    assert reports[0]["figures"].keys() == reports[1]["figures"].keys()
    assert reports[0]["statement"] == reports[1]["statement"]


def test_a_planted_difference_is_found(make_learner, monkeypatch):
    text_of = matching.text_of

    def planted(cell):
        if isinstance(cell, fractions.Fraction | datetime.date):
            print("odd")
        return text_of(cell)

    monkeypatch.setattr(matching, "text_of", planted)

    @settings(few, max_examples=100)
    @given(last=st.tuples(cells, cells, cells, cells))
    def check(last):
        tables = [TABLES["array of objects"](rows(row)) for row in (PLAIN, last)]
        compare(observe, lambda: make_learner("tree")(domain=MIXED), *((t, np.arange(N_ROWS) % 2) for t in tables))

    with pytest.raises(AssertionError):
        check()
