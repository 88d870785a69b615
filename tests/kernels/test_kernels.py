"""Every compiled loop against a naive twin written from its definition."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privboost import threads
from privboost.kernels.boost import add_leaf_values, boosting_weights
from privboost.kernels.route import leaf_of_rows, route_level
from privboost.kernels.scores import candidate_sums, split_scores
from privboost.kernels.sums import (
    _BLOCK,
    MOST_CELLS,
    add_and_clear,
    cells_of_rows,
    count_rows,
    larger_siblings,
    leaf_sums,
    level_sums,
    row_level_sums,
)
from privboost.losses import LogLoss, Loss, MAlphaLoss, MatsushitaLoss, SquareLoss, ZeroOneLoss
from privboost.sources import local

LOSSES: list[Loss] = [ZeroOneLoss(), MatsushitaLoss(), SquareLoss(), LogLoss(), MAlphaLoss(0.3), MAlphaLoss(0.0)]
N_CODES = (4, 2, 6)
OFFSETS = np.array([0, 4, 6, 12])
ALL = np.arange(4, dtype=np.int32)


def goes_right(code: int, first: int, last: int, missing_right: bool) -> bool:
    return missing_right if code == 0 else first <= code <= last


@st.composite
def rows(draw: st.DrawFn) -> dict[str, np.ndarray]:
    """Draw a small encoded table with nodes, classes and weights."""
    n_rows = draw(st.integers(0, 30))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    codes = np.stack([rng.integers(0, n, n_rows) for n in N_CODES]).astype(np.uint8)
    return {
        "codes": codes,
        "node": rng.integers(0, 4, n_rows).astype(np.int32),
        "label": rng.integers(0, 2, n_rows).astype(np.int16),
        "weight": rng.integers(0, 2**17, n_rows),
        "rng": rng,
    }


def random_splits(rng: np.random.Generator, n: int, null_tests: bool = False) -> tuple[np.ndarray, ...]:
    attribute = rng.integers(-1 if null_tests else 0, 3, n).astype(np.int32)
    first = rng.integers(1, 8, n).astype(np.uint8)
    last = np.where(rng.random(n) < 0.5, 255, first).astype(np.uint8)
    empty = rng.random(n) < 0.2
    first[empty], last[empty] = 255, 254
    return attribute, first, last, rng.random(n) < 0.5


def naive_level_sums(table: dict[str, np.ndarray], n_nodes: int) -> np.ndarray:
    out = np.zeros((n_nodes, int(OFFSETS[-1]), 2), np.int64)
    for i in range(table["codes"].shape[1]):
        for a in range(3):
            out[table["node"][i], OFFSETS[a] + table["codes"][a, i], table["label"][i]] += table["weight"][i]
    return out


@given(rows())
@settings(max_examples=60, deadline=None)
def test_level_sums_add_each_row_to_one_cell_an_attribute(table: dict[str, np.ndarray]) -> None:
    place = np.array([2, -1, 0, 1], np.int32)
    out = np.full((3, 12, 2), 7, np.int64)
    level_sums(table["codes"], OFFSETS, table["node"], table["label"], table["weight"], place, out)
    np.testing.assert_array_equal(out - 7, naive_level_sums(table, 4)[[2, 3, 0]])


@pytest.mark.parametrize("place", [[0], [2, -1, 0, 1], [-1, 0, -1, -1]], ids=["root", "three of four", "one of four"])
def test_level_sums_of_more_rows_than_a_block(place: list[int]) -> None:
    rng, n_rows = np.random.default_rng(5), 2 * _BLOCK + 100
    codes = np.stack([rng.integers(0, n, n_rows) for n in N_CODES]).astype(np.uint8)
    node, label = rng.integers(0, len(place), n_rows).astype(np.int32), rng.integers(0, 2, n_rows).astype(np.int16)
    weight, places = rng.integers(0, 2**16, n_rows).astype(np.int32), np.array(place, np.int32)
    out, expected = np.zeros((2, max(place) + 1, 12, 2), np.int64)
    level_sums(codes, OFFSETS, node, label, weight, places, out)
    kept = places[node] >= 0
    for a in range(3):
        np.add.at(expected, (places[node][kept], OFFSETS[a] + codes[a][kept], label[kept]), weight[kept])
    np.testing.assert_array_equal(out, expected)


@given(rows(), st.sampled_from([[0, 1, 2, 3], [2, -1, 0, 1], [-1, 0, -1, -1], [-1, -1, -1, -1]]))
@settings(max_examples=60, deadline=None)
def test_sums_row_by_row_are_those_column_by_column(table: dict[str, np.ndarray], place: list[int]) -> None:
    cells, places = np.empty(table["codes"].T.shape, np.uint16), np.array(place, np.int32)
    cells_of_rows(table["codes"], OFFSETS, table["label"], cells)
    assert (cells // 2 == OFFSETS[:3] + table["codes"].T).all()
    assert (cells % 2 == table["label"][:, None]).all()
    out, expected = np.full((4, 12, 2), 7, np.int64), np.full((4, 12, 2), 7, np.int64)
    level_sums(table["codes"], OFFSETS, table["node"], table["label"], table["weight"], places, expected)
    row_level_sums(cells, table["node"], table["weight"], places, out)
    np.testing.assert_array_equal(out, expected)


def test_the_last_cell_that_there_may_be() -> None:
    offsets, cells = np.array([0, MOST_CELLS - 255, MOST_CELLS]), np.empty((1, 2), np.uint16)
    cells_of_rows(np.array([[0], [254]], np.uint8), offsets, np.ones(1, np.int16), cells)
    assert cells.tolist() == [[1, 2**16 - 1]]
    out = np.zeros((1, MOST_CELLS, 2), np.int64)
    row_level_sums(cells, np.zeros(1, np.int32), np.full(1, 5, np.int32), np.zeros(1, np.int32), out)
    assert np.flatnonzero(out).tolist() == [1, 2**16 - 1]
    assert out.sum() == 10


@given(rows())
@settings(max_examples=60, deadline=None)
def test_narrow_sums_of_parts_add_up_to_those_of_all_rows(table: dict[str, np.ndarray]) -> None:
    narrow, total = np.zeros((4, 12, 2), np.uint32), np.zeros((4, 12, 2), np.int64)
    for part in (slice(0, 11), slice(11, 30)):
        fields = (table["node"][part], table["label"][part], table["weight"][part])
        level_sums(table["codes"][:, part], OFFSETS, *fields, ALL, narrow)
        add_and_clear(narrow, total)
        assert not narrow.any()
    np.testing.assert_array_equal(total, naive_level_sums(table, 4))


def test_narrow_sums_hold_the_heaviest_rows_that_there_may_be() -> None:
    n_rows, heaviest = 65535, 2**16
    narrow, total = np.zeros((1, 2, 2), np.uint32), np.zeros((1, 2, 2), np.int64)
    fields = (np.zeros(n_rows, np.int32), np.ones(n_rows, np.int16), np.full(n_rows, heaviest, np.int32))
    if hasattr(level_sums, "py_func"):
        level_sums(np.ones((1, n_rows), np.uint8), np.array([0, 2]), *fields, np.zeros(1, np.int32), narrow)
        add_and_clear(narrow, total)
        assert total.tolist() == [[[0, 0], [0, n_rows * heaviest]]]
    assert n_rows * heaviest < 2**32 <= (n_rows + 1) * heaviest
    assert (n_rows, heaviest) == (local._MOST_ROWS, local.GRID)
    assert threads.MOST_ITEMS <= local._MOST_ROWS


@given(rows(), st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_sums_of_larger_siblings_follow_from_those_of_the_parents(table: dict[str, np.ndarray], which: int) -> None:
    whole = naive_level_sums(table, 4)
    parent = whole.reshape(2, 2, 12, 2).sum(axis=1)
    smaller = np.array([which % 2, 2 + which // 2])
    place = np.full(4, -1, np.int32)
    place[smaller] = [1, 0]
    out = np.full((4, 12, 2), 5, np.int64)
    larger_siblings(np.ascontiguousarray(whole[smaller[::-1]]), place, parent, out)
    np.testing.assert_array_equal(out, whole)


@pytest.mark.parametrize("n_nodes", [1, 4, 16, 17, 40])
def test_count_rows(n_nodes: int) -> None:
    node = np.random.default_rng(n_nodes).integers(0, n_nodes, 300).astype(np.int32)
    out = np.full(n_nodes, 3, np.int64)
    count_rows(node, out)
    np.testing.assert_array_equal(out - 3, np.bincount(node, minlength=n_nodes))


@given(rows())
@settings(max_examples=30, deadline=None)
def test_sums_do_not_depend_on_the_order_of_the_rows(table: dict[str, np.ndarray]) -> None:
    order = table["rng"].permutation(table["codes"].shape[1])
    first, second = np.zeros((2, 4, 12, 2), np.int64)
    level_sums(table["codes"], OFFSETS, table["node"], table["label"], table["weight"], ALL, first)
    shuffled = np.ascontiguousarray(table["codes"][:, order])
    fields = (table["node"][order], table["label"][order], table["weight"][order])
    level_sums(shuffled, OFFSETS, *fields, ALL, second)
    np.testing.assert_array_equal(first, second)


@given(rows())
@settings(max_examples=30, deadline=None)
def test_leaf_sums(table: dict[str, np.ndarray]) -> None:
    out = np.full((4, 2), 3, np.int64)
    leaf_sums(table["node"], table["label"], table["weight"], out)
    expected = [
        [int(table["weight"][(table["node"] == k) & (table["label"] == y)].sum()) for y in range(2)] for k in range(4)
    ]
    np.testing.assert_array_equal(out - 3, expected)


@given(rows())
@settings(max_examples=60, deadline=None)
def test_candidate_sums_are_the_sums_of_the_rows_on_either_side(table: dict[str, np.ndarray]) -> None:
    splits = random_splits(table["rng"], 9)
    out = np.empty((4, 9, 2, 2), np.int64)
    candidate_sums(naive_level_sums(table, 4), OFFSETS, *splits, out)
    expected = np.zeros_like(out)
    for i in range(table["codes"].shape[1]):
        for j in range(9):
            code = int(table["codes"][splits[0][j], i])
            right = goes_right(code, int(splits[1][j]), int(splits[2][j]), bool(splits[3][j]))
            expected[table["node"][i], j, int(right), table["label"][i]] += table["weight"][i]
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_scores_are_the_criterion_rounded_to_the_grid(loss: Loss) -> None:
    rng = np.random.default_rng(1)
    children = rng.integers(0, 2**40, (3, 40, 2, 2))
    children[rng.random(children.shape) < 0.2] = 0
    out = np.empty((3, 40), np.int64)
    kind, alpha = loss.kernel_code or (0, 0.0)
    split_scores(children, kind, alpha, out)
    with mpmath.workdps(40):
        for k, j in np.ndindex(3, 40):
            exact = -sum(precise_criterion(loss, *(int(v) for v in children[k, j, side])) for side in range(2))
            # Half a unit of rounding, and the floating-point allowance that the sensitivity makes room for.
            assert abs(int(out[k, j]) - exact) <= 0.5 + 2.0**42 * 2.0**-49


def precise_criterion(loss: Loss, w0: int, w1: int) -> mpmath.mpf:
    w = w0 + w1
    if w0 == 0 or w1 == 0:
        return mpmath.mpf(0)
    zero_one, matsushita = mpmath.mpf(2 * min(w0, w1)), 2 * mpmath.sqrt(mpmath.mpf(w0) * w1)
    if isinstance(loss, MAlphaLoss):
        return mpmath.mpf(loss.alpha) * matsushita + (1 - mpmath.mpf(loss.alpha)) * zero_one
    if loss.name == "square":
        return mpmath.mpf(4) * w0 * w1 / w
    if loss.name == "log":
        return -w1 * mpmath.log(mpmath.mpf(w1) / w, 2) - w0 * mpmath.log(mpmath.mpf(w0) / w, 2)
    return {"zero-one": zero_one, "matsushita": matsushita}[loss.name]


@given(rows())
@settings(max_examples=60, deadline=None)
def test_route_level_and_leaf_of_rows_follow_the_tests(table: dict[str, np.ndarray]) -> None:
    codes, n_rows = table["codes"], table["codes"].shape[1]
    splits = random_splits(table["rng"], 7, null_tests=True)
    node = np.zeros(n_rows, np.int32)
    for level in range(3):
        part = tuple(np.ascontiguousarray(field[2**level - 1 : 2 ** (level + 1) - 1]) for field in splits)
        route_level(codes, node, *part)
    leaf = np.empty(n_rows, np.int32)
    leaf_of_rows(codes, 3, *splits, leaf)
    np.testing.assert_array_equal(node, leaf)
    for i in range(n_rows):
        k = 0
        for _ in range(3):
            attribute = int(splits[0][k])
            right = attribute >= 0 and goes_right(
                int(codes[attribute, i]), int(splits[1][k]), int(splits[2][k]), bool(splits[3][k])
            )
            k = 2 * k + 1 + int(right)
        assert leaf[i] == k - 7


def test_add_leaf_values() -> None:
    score = np.array([1.0, 2.0, 3.0])
    add_leaf_values(np.array([1, 0, 1], np.int32), np.array([0.5, -0.25]), score)
    np.testing.assert_array_equal(score, [0.75, 2.5, 2.75])


@pytest.mark.parametrize("alpha", [0.1, 0.5, 1.0])
def test_boosting_weights_are_the_inverse_link_on_the_grid(alpha: float) -> None:
    rng = np.random.default_rng(2)
    score = np.concatenate([rng.normal(0, 3, 200), [0.0, 1e308, -1e308, 2 * (1 - alpha), -2 * (1 - alpha)]])
    label = rng.integers(0, 2, len(score)).astype(np.int16)
    active = rng.random(len(score)) < 0.9
    out = np.empty(len(score), np.int64)
    cap = 60000
    boosting_weights(score, label, active, alpha, 65536.0, cap, out)
    loss = MAlphaLoss(alpha)
    for i in range(len(score)):
        expected = float(loss.inverse_link(-score[i] if label[i] == 1 else score[i])) * 65536
        assert abs(int(out[i]) - (min(expected, cap) if active[i] else 0)) <= 0.5 + 1e-6
    assert out.max() <= cap
    assert math.isclose(float(loss.inverse_link(0.0)), 0.5)


@pytest.mark.parametrize("n_nodes", [1, 2, 63, 64, 65, 128, 1024])
def test_route_level_with_few_nodes_and_with_many(n_nodes: int) -> None:
    """Rows are sent on one way up to some number of nodes, and another way beyond it."""
    rng = np.random.default_rng(n_nodes)
    n_rows = 2500  # more than one block, and a part of one
    codes = rng.integers(0, 8, (3, n_rows)).astype(np.uint8)
    attribute, first, last, missing_right = random_splits(rng, n_nodes, null_tests=True)
    node = rng.integers(0, n_nodes, n_rows).astype(np.int32)
    own = attribute[node]
    code = codes[np.maximum(own, 0), np.arange(n_rows)]
    right = np.where(code == 0, missing_right[node], (first[node] <= code) & (code <= last[node])) & (own >= 0)
    expected = 2 * node + right
    route_level(codes, node, attribute, first, last, missing_right)
    np.testing.assert_array_equal(node, expected)
