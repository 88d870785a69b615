"""Refined codes: those of the public layout, cut at other edges and in another order; and their tests in words."""

from __future__ import annotations

import json
import math
import pickle
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privboost.data import Boolean, Categorical, Domain, Encoder, Numeric, Ordinal, Refinement, refine_layout
from privboost.errors import ParameterError, ParameterTypeError
from privboost.trees.splitting import candidate_splits

DOMAIN = Domain(
    {
        "age": Numeric(0, 100),
        "job": Categorical(["clerk", 7, "cook"], missing=True),
        "size": Ordinal(["s", "m", "l"]),
        "smoker": Boolean(),
        "code": Categorical([3, 1]),
    }
)
N = len(DOMAIN)


def refinement(edges: dict[int, Any] | None = None, orders: dict[int, Any] | None = None, n: int = N) -> Refinement:
    def entries(given: dict[int, Any] | None) -> tuple[Any, ...]:
        return tuple(None if a not in (given or {}) else np.array((given or {})[a]) for a in range(n))

    return Refinement(entries(edges), entries(orders))


REFINED = refinement({0: [0.5, 37.25, 100.0]}, {1: [2, 4, 1, 3], 3: [3, 1, 2]})


# -- what a refinement is


def test_arrays_are_copied_and_cannot_be_changed() -> None:
    edges, order = np.array([1.0, 2.0]), np.array([2, 1], dtype=np.int64)
    made = Refinement((edges, None), (None, order))
    edges[0], order[0] = 9.0, 9
    assert made.edges[0] is not None
    assert made.orders[1] is not None
    assert made.edges[0].tolist() == [1.0, 2.0]
    assert (made.orders[1].tolist(), made.orders[1].dtype) == ([2, 1], np.uint8)
    for array in (made.edges[0], made.orders[1]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    assert len(made) == 2
    again = pickle.loads(pickle.dumps(made))
    assert again.to_dict() == made.to_dict()


@pytest.mark.parametrize(
    "edges",
    [
        [],
        [1.0, 1.0],
        [2.0, 1.0],
        [1.0, math.nan],
        [math.inf],
        [-math.inf, 0.0],
        [[1.0]],
        np.arange(254) + 1.0,
        ["1"],
        [True],
        [None],
        5.0,
    ],
)
def test_edges_that_are_none(edges: Any) -> None:
    with pytest.raises(ParameterError, match="'edges'"):
        refinement({0: edges})


@pytest.mark.parametrize(
    "order",
    [[], [0, 1], [1, 1], [2, 3], [1, 2, 4], [[1, 2]], [1.0, 2.0], ["1"], [True], np.arange(256) + 1, [257, 2], [-1, 1]],
)
def test_orders_that_are_none(order: Any) -> None:
    with pytest.raises(ParameterError, match="'orders'"):
        refinement({}, {1: order})


def test_the_longest_that_there_are() -> None:
    made = refinement({0: np.arange(253) + 1.0}, {1: np.arange(255, 0, -1)})
    assert made.orders[1] is not None
    assert made.orders[1][0] == 255


def test_both_for_one_attribute_or_different_numbers() -> None:
    with pytest.raises(ParameterError, match="None where there are edges"):
        refinement({0: [1.0]}, {0: [1, 2]})
    with pytest.raises(ParameterError, match="one for each of 1 'edges'"):
        Refinement((None,), (None, None))


def test_what_counts_as_reordered() -> None:
    assert not refinement().reorders
    assert not refinement({0: [1.0]}, {1: [1, 2, 3, 4]}).reorders  # the public order itself
    assert REFINED.reorders


def test_json_and_back() -> None:
    text = json.dumps(REFINED.to_dict())
    assert json.loads(text) == {
        "edges": [[0.5, 37.25, 100.0], None, None, None, None],
        "orders": [None, [2, 4, 1, 3], None, [3, 1, 2], None],
    }
    assert Refinement.from_dict(json.loads(text)).to_dict() == REFINED.to_dict()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=253, unique=True))
def test_every_edge_comes_back_bit_by_bit(edges: list[float]) -> None:
    edges = sorted({edge + 0.0 for edge in edges})
    made = refinement({0: edges})
    again = Refinement.from_dict(json.loads(json.dumps(made.to_dict())))
    assert again.edges[0] is not None
    assert again.edges[0].tobytes() == np.array(edges).tobytes()


@pytest.mark.parametrize(
    "content",
    [
        None,
        [],
        {},
        {"edges": []},
        {"edges": [], "orders": [], "more": []},
        {"edges": None, "orders": []},
        {"edges": [[1]], "orders": [None]},
        {"edges": [[True]], "orders": [None]},
        {"edges": [["1"]], "orders": [None]},
        {"edges": [1.0], "orders": [None]},
        {"edges": [[]], "orders": [None]},
        {"edges": [[1.0] * 254], "orders": [None]},
        {"edges": [None], "orders": [[1.0]]},
        {"edges": [None], "orders": [[10**30]]},
        {"edges": [None], "orders": [[1] * 256]},
        {"edges": [None], "orders": [{}]},
    ],
)
def test_json_that_is_no_refinement(content: Any) -> None:
    with pytest.raises(ParameterError):
        Refinement.from_dict(content)


# -- layouts


def test_a_refined_layout() -> None:
    public = DOMAIN.layout(10)
    layout = refine_layout(public, REFINED)
    assert layout.n_values.tolist() == [4, 4, 3, 3, 2]
    assert layout.n_codes.tolist() == [5, 5, 5, 4, 4]
    assert layout.ordered.tolist() == [True, True, True, True, False]
    assert layout.has_unknown.tolist() == [False, False, True, False, True]
    assert layout.single_test.tolist() == [False, False, False, False, True]
    assert layout.missing.tolist() == public.missing.tolist()
    assert layout.edges[0].tolist() == [0.5, 37.25, 100.0]
    assert [None if order is None else order.tolist() for order in layout.orders] == [
        None,
        [2, 4, 1, 3],
        None,
        [3, 1, 2],
        None,
    ]
    assert (layout.names, layout.n_bins, layout.bounds) == (public.names, public.n_bins, public.bounds)
    with pytest.raises(ValueError, match="read-only"):
        layout.n_values[0] = 1
    # The public one is as it was.
    assert public.n_values.tolist() == [10, 3, 3, 2, 2]
    assert public.orders == (None,) * N
    assert public.bounds == ((0.0, 100.0), None, None, None, None)


def test_tests_of_a_refined_layout_are_thresholds() -> None:
    attribute, first, last = refine_layout(DOMAIN.layout(10), REFINED).tests()
    assert list(zip(attribute.tolist(), first.tolist(), last.tolist(), strict=True)) == [
        *((0, t, 4) for t in (2, 3, 4)),
        *((1, t, 4) for t in (2, 3, 4)),
        *((2, t, 3) for t in (2, 3)),
        *((3, t, 3) for t in (2, 3)),
        (4, 2, 2),
    ]
    assert len(candidate_splits(refine_layout(DOMAIN.layout(10), REFINED))) == 11 + 3 + 1  # job may be missing


@pytest.mark.parametrize(
    ("edges", "orders", "message"),
    [
        ({0: [0.0, 1.0]}, {}, "'age'"),
        ({0: [1.0, 100.5]}, {}, "'age'"),
        ({1: [1.0]}, {}, "not numeric"),
        ({2: [1.0]}, {}, "not numeric"),
        ({}, {0: [1, 2, 3]}, "has its own"),
        ({}, {2: [1, 2, 3, 4]}, "has its own"),
        ({}, {1: [1, 2, 3]}, "all of its 4"),
        ({}, {3: [4, 3, 2, 1]}, "all of its 3"),
    ],
)
def test_refinements_of_other_attributes(edges: dict[int, Any], orders: dict[int, Any], message: str) -> None:
    made = refinement(edges, orders)
    with pytest.raises(ParameterError, match=message):
        refine_layout(DOMAIN.layout(10), made)
    with pytest.raises(ParameterError, match=message):
        Encoder(DOMAIN, refinement=made)
    with pytest.raises(ParameterError, match="one of 5"):
        refine_layout(DOMAIN.layout(10), refinement(n=4))


def test_a_layout_is_refined_once() -> None:
    layout = refine_layout(DOMAIN.layout(10), REFINED)
    with pytest.raises(ParameterError, match="has its own"):
        refine_layout(layout, REFINED)


def test_256_codes_in_order() -> None:
    domain = Domain({"c": Categorical([str(i) for i in range(254)]), "x": Numeric(0, 254)})
    made = refinement({1: np.arange(253) + 1.0}, {0: np.arange(255, 0, -1)}, 2)
    layout = refine_layout(domain.layout(10), made)
    assert layout.n_codes.tolist() == [256, 255]
    assert layout.tests()[2].max() == 255
    X = pd.DataFrame({"c": ["0", "253", "?", None], "x": [0.0, 253.0, np.nan, 1.0]})
    assert Encoder(domain, refinement=made).encode(X).tolist() == [[255, 2, 1, 0], [1, 254, 0, 2]]


# -- codes

CELLS: dict[str, list[Any]] = {
    "age": [0.5, 0.49, 37.25, 37.2, 100, -5, 1e300, math.inf, -math.inf, math.nan, None, 99.99],
    "job": ["clerk", "cook", "7", "Clerk", "", None, "clerk", "cook", "x", "y", None, "7"],
    "size": ["s", "m", "l", "xl", None, "s", "m", "l", "", "s", "m", "l"],
    "smoker": [True, False, True, None, False, True, True, False, None, False, True, False],
    "code": [1, 3, 2, 1, 3, 1, 1, 3, 4, 5, 1, 3],
}


def naive(codes: np.ndarray, values: Any, made: Refinement) -> list[list[int]]:
    """Refined codes worked out cell by cell, from the public codes and from the numbers themselves."""
    found = []
    for a, (edges, order) in enumerate(zip(made.edges, made.orders, strict=True)):
        row = codes[a].tolist()
        if edges is not None:
            row = [
                0 if c == 0 else 1 + sum(e <= v for e in edges.tolist()) for c, v in zip(row, values[a], strict=True)
            ]
        if order is not None:
            row = [0 if c == 0 else int(order[c - 1]) for c in row]
        found.append(row)
    return found


def tables() -> dict[str, Any]:
    """Return the same rows in every kind of table that is read column by column."""
    objects = pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in CELLS.items()})
    typed = pd.DataFrame(CELLS)
    categories = typed.astype({"job": "category", "size": "category", "code": "category"})
    nullable = objects.astype({"age": "Float64", "job": "string", "smoker": "boolean", "code": "Int64"})
    arrow = pa.table({name: pa.array(cells, from_pandas=True) for name, cells in CELLS.items()})
    encoded = arrow.set_column(1, "job", arrow["job"].combine_chunks().dictionary_encode())
    polars = pl.DataFrame({name: pl.Series(cells, strict=False) for name, cells in CELLS.items()})
    return {
        "objects": objects,
        "typed": typed,
        "categories": categories,
        "nullable": nullable,
        "reordered columns": typed[typed.columns[::-1]],
        "object matrix": objects.to_numpy(),
        "rows": objects.to_numpy().tolist(),
        "arrow": arrow,
        "arrow dictionary": encoded,
        "polars": polars,
        "polars categorical": polars.with_columns(pl.col("job").cast(pl.Categorical)),
    }


ALL_ORDERS = refinement({0: [0.5, 37.25, 100.0]}, {1: [2, 4, 1, 3], 3: [3, 1, 2], 4: [3, 2, 1]})


@pytest.mark.parametrize("kind", list(tables()))
def test_every_kind_of_table_gets_the_codes_of_the_reference(kind: str) -> None:
    table = tables()[kind]
    public = Encoder(DOMAIN).encode(table)
    expected = naive(public, [CELLS["age"]], ALL_ORDERS)
    assert Encoder(DOMAIN, refinement=ALL_ORDERS).encode(table).tolist() == expected
    assert expected[0] == [2, 1, 3, 2, 4, 1, 4, 4, 1, 0, 0, 3]
    assert expected[4] == [2, 3, 1, 2, 3, 2, 2, 3, 1, 1, 2, 3]


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16, np.longdouble, np.int64, np.int8, np.bool_])
def test_matrices_of_numbers(dtype: Any) -> None:
    domain = Domain({"x": Numeric(-2, 3), "c": Categorical([0, 1, "-1"]), "b": Boolean()})
    generator = np.random.default_rng(0)
    X = generator.integers(-2, 4, (5000, 3)).astype(dtype)
    if np.issubdtype(dtype, np.floating):
        X[generator.random(X.shape) < 0.1] = np.nan
    if np.issubdtype(dtype, np.bool_):
        domain = Domain({"x": Numeric(-2, 3), "c": Categorical(["True"]), "b": Boolean()})
    made = refinement(
        {0: [-1.5, 0.0, 1.0, 2.5]}, {1: [2, 4, 3, 1] if domain["c"].n_values(2) == 3 else [2, 1], 2: [3, 2, 1]}, 3
    )
    for table in (X, np.asfortranarray(X), pd.DataFrame(X, columns=["x", "c", "b"]).iloc[::-1]):
        if dtype is np.longdouble and isinstance(table, pd.DataFrame):
            continue
        column = np.asarray(table)[:, 0].astype(np.float64).tolist()
        expected = naive(Encoder(domain).encode(table), [column], made)
        assert Encoder(domain, refinement=made).encode(table).tolist() == expected


@settings(max_examples=60, deadline=None)
@given(
    edges=st.lists(st.floats(-1e6, 1e6, exclude_min=True), min_size=1, max_size=60, unique=True),
    values=st.lists(st.floats(allow_nan=True, allow_infinity=True), min_size=1, max_size=30),
)
def test_numbers_are_cut_at_the_refined_edges(edges: list[float], values: list[float]) -> None:
    edges = sorted({edge + 0.0 for edge in edges})
    values += edges[:5] + [math.nextafter(edge, -math.inf) for edge in edges[:5]]
    encoder = Encoder(Domain({"x": Numeric(-1e6, 1e6)}), refinement=refinement({0: edges}, n=1))
    expected = [0 if value != value else 1 + sum(edge <= value for edge in edges) for value in values]
    assert encoder.encode(np.array(values)[:, None])[0].tolist() == expected
    assert encoder.encode(np.array(values, dtype=object)[:, None])[0].tolist() == expected


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_categories_are_matched_and_then_put_in_order(data: st.DataObject) -> None:
    listed = data.draw(st.lists(st.integers(-50, 50) | st.sampled_from(["a", "b", "0.5"]), min_size=1, unique_by=str))
    order = data.draw(st.permutations(range(1, len(listed) + 2)))
    cells: list[Any] = data.draw(
        st.lists(st.sampled_from([None, "a", "b", "z", 0.5, math.nan, 1, -3, True]) | st.integers(-60, 60), min_size=1)
    )
    domain = Domain({"c": Categorical(listed)})
    column = np.empty((len(cells), 1), dtype=object)
    column[:, 0] = cells
    made = refinement({}, {0: order}, 1)
    expected = naive(Encoder(domain).encode(column), [], made)
    assert Encoder(domain, refinement=made).encode(column).tolist() == expected


def test_a_refinement_by_the_public_numbers_changes_no_code() -> None:
    layout = DOMAIN.layout(10)
    identity = refinement({0: layout.edges[0]}, {a: np.arange(1, layout.n_codes[a]) for a in (1, 3, 4)})
    for table in tables().values():
        public = Encoder(DOMAIN).encode(table)
        for made in (identity, refinement()):
            assert (Encoder(DOMAIN, refinement=made).encode(table) == public).all()


def test_a_refined_encoder_survives_a_pickle_and_refuses_the_same_columns() -> None:
    table = tables()["typed"]
    encoder = Encoder(DOMAIN, refinement=REFINED)
    assert (pickle.loads(pickle.dumps(encoder)).encode(table) == encoder.encode(table)).all()
    with pytest.raises(TypeError, match="'age' is declared numeric"):
        encoder.encode(table.assign(age="x"))


# -- words

MANY = Domain(
    {
        "job": Categorical(["a", "b", "c", "d", "e", "f"]),
        "town": Categorical(["a", "b", "c", "d", "e", "f"], missing=True),
        "smoker": Boolean(),
        "x": Numeric(0, 100),
        "size": Ordinal(["s", "m"]),
    }
)
BACK = [7, 6, 5, 4, 3, 2, 1]  # "not listed" is the lowest, then f, e, d, c, b, a


@pytest.mark.parametrize(
    ("test", "words"),
    [
        (("x", 2, 3, False), "x >= 37.25"),
        (("x", 3, 3, True), "x >= 99.5 or missing"),
        (("x", 1, 1, False), "x < 37.25"),
        (("job", 7, 7, False), 'job is "a"'),
        (("job", 6, 7, False), 'job in {"a", "b"}'),
        (("job", 4, 7, False), 'job in {"a", "b", "c", "d"}'),
        (("job", 3, 7, False), 'job is listed but not in {"f"}'),
        (("job", 2, 7, False), "job is listed"),
        (("job", 1, 7, False), "job is listed or not listed"),
        (("job", 1, 6, False), 'job not in {"a"}'),
        (("job", 1, 1, False), "job is not listed"),
        (("job", 1, 2, False), 'job is "f" or not listed'),
        (("job", 1, 3, False), 'job in {"e", "f"} or not listed'),
        (("job", 8, 8, False), "job is never"),
        (("job", 255, 254, True), "job is missing"),
        (("town", 3, 7, True), 'town is listed but not in {"f"} or missing'),
        (("town", 1, 6, False), 'town not in {"a"} and not missing'),
        (("town", 1, 6, True), 'town not in {"a"} or missing'),
        (("town", 6, 7, True), 'town in {"a", "b"} or missing'),
        (("town", 7, 7, True), 'town is "a" or missing'),
        (("smoker", 2, 3, False), "smoker is false or not listed"),
        (("smoker", 3, 3, False), "smoker is false"),
        (("size", 2, 2, False), 'size is "m"'),
    ],
)
def test_refined_tests_in_words(test: tuple[str, int, int, bool], words: str) -> None:
    made = refinement({3: [37.25, 99.5]}, {0: BACK, 1: BACK, 2: [3, 1, 2]})
    assert MANY.describe_test(*test, refinement=made) == words


def test_words_agree_with_the_codes() -> None:
    """Every threshold over the categories: those that the words name on the right are those that go right."""
    order = np.random.default_rng(1).permutation(7) + 1
    made = refinement({}, {0: order})
    encoder = Encoder(MANY, refinement=made)
    for first in range(2, 8):
        text = MANY.describe_test("job", first, 7, refinement=made)
        for cell in ["a", "b", "c", "d", "e", "f", "z"]:
            table = pd.DataFrame({"job": [cell], "town": ["a"], "smoker": [True], "x": [0.0], "size": ["s"]})
            goes_right = encoder.encode(table)[0, 0] >= first
            unlisted = ("not in" in text and "is listed" not in text) or "not listed" in text
            named = f'"{cell}"' in text
            expected = unlisted if cell == "z" else named != ("not in" in text) or text == "job is listed"
            assert goes_right == expected, (text, cell)


def test_an_order_for_a_number_has_no_words() -> None:
    with pytest.raises(ParameterError, match="numeric"):
        MANY.describe_test("x", 2, 3, refinement=refinement({}, {3: [1, 2, 3]}))


def test_wrong_types_have_their_own_error() -> None:
    for content in ({"edges": [[1]], "orders": [None]}, {"edges": 5, "orders": []}):
        with pytest.raises(ParameterTypeError):
            Refinement.from_dict(content)
