"""Trees over blocks of rows against a walk of one row at a time, written from the definition of a test."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privboost.kernels import route
from privboost.kernels.route import add_trees, leaf_of_rows


def goes_right(code: int, first: int, last: int, missing_right: bool) -> bool:
    return missing_right if code == 0 else first <= code <= last


def naive_leaf(codes: np.ndarray, depth: int, tests: tuple[np.ndarray, ...]) -> int:
    """Return the leaf of one row, from the definition of a test."""
    k = 0
    for _ in range(depth):
        attribute, first, last, missing_right = (field[k].item() for field in tests)
        k = 2 * k + 1 + (attribute >= 0 and goes_right(int(codes[attribute]), first, last, missing_right))
    return k - (2**depth - 1)


def random_tests(rng: np.random.Generator, n: int, n_attributes: int) -> tuple[np.ndarray, ...]:
    """Thresholds, single codes, ranges, "is it missing?", tests that nothing passes, and null tests."""
    attribute = rng.integers(-1 if rng.random() < 0.5 else 0, n_attributes, n).astype(np.int32)
    first = rng.choice([1, 2, 3, 7, 128, 254, 255], n).astype(np.uint8)
    last = np.where(rng.random(n) < 0.5, 255, rng.choice([1, 2, 3, 7, 128, 254, 255], n)).astype(np.uint8)
    return attribute, first, last, rng.random(n) < 0.5


def random_codes(rng: np.random.Generator, n_attributes: int, n_rows: int) -> np.ndarray:
    return rng.choice([0, 0, 1, 2, 3, 6, 7, 8, 127, 128, 253, 254, 255], (n_attributes, n_rows)).astype(np.uint8)


@given(depth=st.integers(1, 11), n_rows=st.integers(0, 60), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=80, deadline=None)
def test_leaf_of_rows_is_where_each_row_walks(depth: int, n_rows: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    codes, tests = random_codes(rng, 3, n_rows), random_tests(rng, 2**depth - 1, 3)
    leaf = np.full(n_rows, 77, np.int32)
    leaf_of_rows(codes, depth, *tests, leaf)
    assert leaf.tolist() == [naive_leaf(codes[:, i], depth, tests) for i in range(n_rows)]


@pytest.mark.parametrize("depth", range(1, 10))
def test_the_leaves_of_a_range_are_those_of_its_rows(depth: int) -> None:
    rng = np.random.default_rng(depth)
    n_rows = 60 if depth > 8 else 300
    codes, tests = random_codes(rng, 5, n_rows), random_tests(rng, 2**depth - 1, 5)
    expected = [naive_leaf(codes[:, i], depth, tests) for i in range(n_rows)]
    for start, stop in ((0, n_rows), (1, n_rows - 1), (7, 8), (3, 3 + 29), (n_rows, n_rows)):
        leaf = np.full(stop - start, -1, np.int32)
        leaf_of_rows(codes[:, start:stop], depth, *tests, leaf)
        assert leaf.tolist() == expected[start:stop]


def test_every_code_and_every_range() -> None:
    codes = np.arange(256, dtype=np.uint8).reshape(1, -1)
    leaf = np.empty(256, np.int32)
    for first, last in ((1, 255), (255, 255), (1, 1), (255, 254), (2, 1), (128, 127), (100, 200), (254, 255)):
        for missing_right in (False, True):
            test = (np.zeros(1, np.int32), np.array([first], np.uint8), np.array([last], np.uint8))
            leaf_of_rows(codes, 1, *test, np.array([missing_right]), leaf)
            expected = [goes_right(code, first, last, missing_right) for code in range(256)]
            assert leaf.tolist() == expected


@pytest.mark.parametrize("n_rows", [1, route._FEW - 1, route._FEW, route._BLOCK - 1, route._BLOCK, route._BLOCK + 1])
def test_blocks_join_without_a_seam(n_rows: int) -> None:
    rng = np.random.default_rng(n_rows)
    codes, tests = random_codes(rng, 4, n_rows), random_tests(rng, 7, 4)
    leaf = np.empty(n_rows, np.int32)
    leaf_of_rows(codes, 3, *tests, leaf)
    some = {0, n_rows - 1, *rng.integers(0, n_rows, 20).tolist()}
    assert [leaf[i] for i in some] == [naive_leaf(codes[:, i], 3, tests) for i in some]


@given(
    depths=st.lists(st.integers(1, 9), min_size=1, max_size=4),
    n_rows=st.integers(0, 50),
    n_outputs=st.integers(1, 3),
    vector=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
)
@settings(max_examples=60, deadline=None)
def test_add_trees_adds_in_the_order_of_the_trees(
    depths: list[int], n_rows: int, n_outputs: int, vector: bool, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    codes = random_codes(rng, 3, n_rows)
    trees = [random_tests(rng, 2**depth - 1, 3) for depth in depths]
    n_columns = n_outputs if vector else 1
    values = [rng.normal(size=(n_columns, 2**depth)) * 10.0 ** rng.integers(-8, 8) for depth in depths]
    output = np.full(len(depths), -1) if vector else rng.integers(0, n_outputs, len(depths))
    expected = rng.normal(size=(n_outputs, n_rows))
    scores = expected.copy()
    start, stop = sorted(rng.integers(0, n_rows + 1, 2).tolist())
    for depth, tests, value, out in zip(depths, trees, values, output, strict=True):
        for i in range(start, stop):
            leaf = naive_leaf(codes[:, i], depth, tests)
            for column in range(n_columns):
                expected[column if vector else out, i] += value[column, leaf]
    fields = (np.concatenate(field) for field in zip(*trees, strict=True))
    flat = np.concatenate([value.ravel() for value in values])
    add_trees(codes, start, stop, np.array(depths), *fields, flat, n_columns, output, scores)
    assert (scores == expected).all()  # to the last bit: the order of the additions is that of the trees
