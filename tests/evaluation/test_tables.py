"""Which cell a row counts in, and how far neighbouring tables lie apart: by exhaustive search."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from privboost.evaluation import tables
from privboost.evaluation.plan import EvaluationPlan, plan_evaluation
from privboost.evaluation.tables import (
    angle_edges,
    angle_middles,
    bin_of,
    confidence_edges,
    count_classes,
    count_numbers,
    count_two_classes,
    error_edges,
)

Row = tuple[Any, ...]


def revealed(raw: Any) -> np.ndarray:
    return raw._Raw__values  # type: ignore[no-any-return]


def two_classes(rows: list[Row], plan: EvaluationPlan) -> Any:
    return count_two_classes(np.array([p for p, _ in rows]), np.array([c for _, c in rows], np.int16), plan)


def classes(rows: list[Row], plan: EvaluationPlan) -> Any:
    confidence, predicted, codes = (np.array(column) for column in zip(*rows, strict=True))
    return count_classes(confidence, predicted.astype(np.int64), codes.astype(np.int16), plan)


def numbers(rows: list[Row], plan: EvaluationPlan) -> Any:
    return count_numbers(np.array([e for e, _ in rows]), np.array([a for _, a in rows], np.bool_), plan)


# Every kind of row that matters: values in, between and beyond bins; the last one counts nowhere.
WORLDS: dict[str, tuple[int, Callable[[list[Row], EvaluationPlan], Any], list[Row]]] = {
    "two classes": (2, two_classes, [*itertools.product((0.0, 0.3, 0.5, 1.0), (0, 1)), (0.3, -1)]),
    "many classes": (3, classes, [*itertools.product((1 / 3, 0.9), (0, 1, 2), (0, 2)), (0.9, 0, -1)]),
    "numbers": (1, numbers, [*itertools.product((-1.0, -0.1, 0.0, 1e-9, 0.1, 1.0), (True,)), (0.1, False)]),
}


def neighbouring(kinds: list[Row], relation: str) -> Iterator[tuple[list[Row], list[Row]]]:
    for table in itertools.product(kinds, repeat=2):
        for other in kinds if relation == "replace-one" else kinds[-1:]:
            yield list(table), [other, table[1]]


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
@pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
@pytest.mark.parametrize("task", WORLDS)
def test_one_row_moves_the_counts_by_the_sensitivity_and_no_more(task: str, relation: str, mechanism: str) -> None:
    n_classes, count, kinds = WORLDS[task]
    plan = plan_evaluation(2, n_classes, 1.0, 1e-6 if mechanism == "gaussian" else 0.0, mechanism=mechanism)
    steps = 1 if relation == "add-remove" else 2
    furthest = 0.0
    for table, other in neighbouring(kinds, relation):
        raw = count(table, plan)
        assert raw.sensitivity == plan.sensitivity
        move = revealed(raw) - revealed(count(other, plan))
        size = np.abs(move).sum() if mechanism == "laplace" else np.sqrt((move.astype(float) ** 2).sum())
        furthest = max(furthest, size)
    assert furthest <= steps * plan.sensitivity
    # A replaced row leaves one cell for another: root 2 apart in L2 norm, and charged as 2.
    tight = steps if mechanism == "laplace" else steps**0.5
    assert furthest == pytest.approx(tight * plan.sensitivity, rel=1e-5)


def test_a_search_that_could_not_fail_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = tables._counts
    monkeypatch.setattr(tables, "_counts", lambda cells, n: counts(cells, n) + counts((cells + 1) % n, n))
    n_classes, count, kinds = WORLDS["two classes"]
    plan = plan_evaluation(2, n_classes, 1.0)
    moves = [revealed(count(a, plan)) - revealed(count(b, plan)) for a, b in neighbouring(kinds, "add-remove")]
    assert max(np.abs(move).sum() for move in moves) > plan.sensitivity


def test_cells_by_hand() -> None:
    plan = plan_evaluation(5, 2, 1.0)
    rows = [(0.0, 0), (0.5, 1), (np.nextafter(0.5, 1), 1), (1.0, 0), (0.7, -1)]
    expected = np.zeros((8, 2), np.int64)
    expected[0, 0] = expected[3, 1] = expected[4, 1] = expected[7, 0] = 1
    np.testing.assert_array_equal(revealed(two_classes(rows, plan)), expected)
    plan = plan_evaluation(4, 3, 1.0)
    found = revealed(classes([(1.0, 2, 1), (1 / 3, 0, 0), (0.4, 0, -1)], plan))[0]
    assert np.flatnonzero(found).tolist() == [0, 5, 9 + 1, 9 + 14]
    plan = plan_evaluation(3, 1, 1.0)
    found = revealed(numbers([(0.0, True), (-1.0, True), (0.02, True), (0.5, False)], plan))
    assert np.argwhere(found).tolist() == [[0, 0], [1, 1], [7, 0]]


@pytest.mark.parametrize("n_bins", range(8, 65, 8))
def test_edges(n_bins: int) -> None:
    for edges, low in ((angle_edges(n_bins), 0.0), (confidence_edges(n_bins, 5), 0.2), (error_edges(n_bins), 0.0)):
        assert (edges[0], edges[-1], len(edges)) == (low, 1.0, n_bins + 1)
        assert (np.diff(edges) > 0).all()
    edges, middles = angle_edges(n_bins), angle_middles(n_bins)
    assert edges[n_bins // 2] == 0.5
    assert ((edges[:-1] < middles) & (middles < edges[1:])).all()
    np.testing.assert_array_equal(bin_of(middles, edges), np.arange(n_bins))
    np.testing.assert_allclose(np.diff(np.arcsin(np.sqrt(edges))), np.pi / 2 / n_bins)


def test_values_beyond_the_ends_count_in_the_last_bins() -> None:
    assert bin_of(np.array([-1.0, 2.0, np.nan, -np.inf, np.inf]), angle_edges(8)).tolist() == [0, 7, 7, 0, 7]
