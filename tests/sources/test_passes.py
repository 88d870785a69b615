"""Rows worked on in few passes, by several threads: the same numbers as one step after the other, by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from privboost import threads
from privboost.data.refinement import Refinement
from privboost.losses import MAlphaLoss
from privboost.privacy.mechanisms import _reveal
from privboost.sources import gradients as gradients_module
from privboost.sources import local as local_module
from privboost.sources.gradients import GradientRows
from privboost.sources.local import GRID, LocalRows
from privboost.sources.objectives import get_objective
from privboost.sources.passes import Passes
from privboost.trees.tree import Splits

N_ROWS, N_CODES = 700, 6
OFFSETS = np.arange(0, 4 * N_CODES, N_CODES)
LEAST = 64


@pytest.fixture
def small_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make ranges so small that a small table has many."""
    monkeypatch.setattr(threads, "LEAST_ITEMS", LEAST)
    monkeypatch.setattr(threads, "MOST_ITEMS", LEAST)


def level_of(rng: np.random.Generator, n: int) -> Splits:
    first = rng.integers(1, N_CODES, n).astype(np.uint8)
    attribute = rng.integers(0, 3, n).astype(np.int32)
    return Splits(attribute, first, np.full(n, 255, np.uint8), rng.random(n) < 0.5)


def local_run(n_threads: int, initial: float = 0.5) -> list[np.ndarray]:
    """Everything that rows hand out over two trees."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, N_CODES, (3, N_ROWS)).astype(np.uint8)
    labels = rng.integers(-1, 2, N_ROWS).astype(np.int16)
    rows = LocalRows(codes, OFFSETS, labels, 2, initial, n_threads)
    candidates, found = level_of(rng, 9), []
    for _ in range(2):
        rows.start_tree()
        for level in range(4):
            found.append(_reveal(rows.split_scores(candidates, MAlphaLoss(0.7), GRID)))
            found.append(rows.pure_nodes())
            rows.route(level_of(rng, 2**level))
        found.append(_reveal(rows.leaf_sums(GRID)))
        rows.boost(rng.normal(size=16), 0.7, GRID)
    return [*found, rows.exact_leaf_sums()]


def gradient_run(n_threads: int, name: str) -> list[np.ndarray]:
    rng = np.random.default_rng(1)
    objective = get_objective(name, 3)
    codes = rng.integers(0, N_CODES, (3, N_ROWS)).astype(np.uint8)
    target: Any = rng.integers(0, 3, N_ROWS).astype(np.int16) if name == "softmax" else rng.random(N_ROWS)
    units = rng.integers(0, GRID + 1, N_ROWS).astype(np.int32)
    rows = GradientRows(lambda _: codes, target, units, objective, 3 if name == "softmax" else 2, n_threads)
    found = [_reveal(rows.totals("l1")), _reveal(rows.histograms(OFFSETS, "l1"))]
    rows.start(Refinement((None,) * 3, (None,) * 3), np.zeros(objective.n_outputs))
    low, high = -np.ones(objective.n_outputs), np.ones(objective.n_outputs)
    for _ in range(2):
        rows.compute_gradients(low, high, 0.5)
        for _ in range(2):  # two trees on the same gradients, the first of which moves the scores
            rows.stand_in_leaves(level_of(rng, 7), 3)
            found.append(_reveal(rows.leaf_sums(8, GRID, "l1")))
            rows.add(rng.normal(size=(8, objective.n_outputs)))
        rows.start_tree()
        for level in range(3):
            found.append(_reveal(rows.split_scores(level_of(rng, 5 * 2**level), 2**level, GRID)))
            rows.route(level_of(rng, 2**level))
        found.append(_reveal(rows.leaf_sums(8, GRID, "l1")))
    return [*found, _reveal(rows.score_histogram(np.linspace(-1, 1, 5), "l1"))]


RUNS: list[Callable[[int], list[np.ndarray]]] = [
    local_run,
    lambda n: local_run(n, 1.0),
    lambda n: gradient_run(n, "squared"),
    lambda n: gradient_run(n, "softmax"),
    lambda n: gradient_run(n, "poisson"),
]


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("n_threads", [1, 2, 5])
def test_any_number_of_threads_gives_the_same_bits(run: Any, n_threads: int, request: pytest.FixtureRequest) -> None:
    whole = run(1)  # in one range
    request.getfixturevalue("small_ranges")
    for expected, found in zip(whole, run(n_threads), strict=True):
        np.testing.assert_array_equal(found, expected)
    assert any(expected.any() for expected in whole)


@pytest.mark.parametrize("run", RUNS)
def test_steps_that_wait_give_what_steps_done_at_once_give(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = run(1)
    monkeypatch.setattr(Passes, "later", lambda self, step: step(slice(0, self._n_rows)))
    for expected, found in zip(run(1), waiting, strict=True):
        np.testing.assert_array_equal(found, expected)


def test_sums_of_a_level_by_difference_are_those_of_its_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    by_difference = local_run(1)
    built = []
    monkeypatch.setattr(local_module, "_MOST_KEPT", -1)
    monkeypatch.setattr(
        local_module, "larger_siblings", lambda *args: built.append(args)
    )  # would be called if anything were kept
    for expected, found in zip(local_run(1), by_difference, strict=True):
        np.testing.assert_array_equal(found, expected)
    assert built == []


def test_due_steps_are_done_once_and_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "LEAST_ITEMS", 6)
    done: list[tuple[str, int]] = []
    passes = Passes(10, 1)
    passes.later(lambda rows: done.append(("a", rows.start)))
    passes.later(lambda rows: done.append(("b", rows.start)))
    passes.ask(lambda rows, slot: done.append(("ask", rows.start)))
    assert done == [(name, start) for start in (0, 6) for name in ("a", "b", "ask")]
    passes.ask(lambda rows, slot: done.append(("again", rows.start)))
    assert done[6:] == [("again", 0), ("again", 6)]


def test_no_rows_ask_nothing() -> None:
    Passes(0, 2).ask(lambda rows, slot: pytest.fail("there are no rows"))


def test_gradients_fit_their_type() -> None:
    """The largest gradient that there is, that of "gamma", in grid units."""
    assert gradients_module.GRID * 2**10 < 2**31


def test_rows_that_were_left_in_the_middle_of_a_pass_answer_no_more() -> None:
    passes = Passes(10, 1)
    with pytest.raises(ZeroDivisionError):
        passes.ask(lambda rows, slot: 1 // 0)
    with pytest.raises(RuntimeError, match="interrupted"):
        passes.ask(lambda rows, slot: None)
