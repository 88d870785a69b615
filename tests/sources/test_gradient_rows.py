"""The rows of Newton boosting: what leaves them against plain loops, and how far one row can move it, by brute force.

The tables are all those of up to three rows over two tiny attributes, all targets, none, and three weights.
"""

from __future__ import annotations

import copy
import itertools
import math
import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, NamedTuple

import numpy as np
import pytest

from privboost.data.refinement import Refinement
from privboost.losses import ZeroOneLoss
from privboost.privacy.mechanisms import RawScores, RawSums, _reveal
from privboost.sources.gradients import GradientRows, histogram_sensitivity
from privboost.sources.local import GRID
from privboost.sources.objectives import Objective, get_objective
from privboost.trees.tree import Splits, Tree

Norm = Literal["l1", "l2"]
NORMS: tuple[Norm, ...] = ("l1", "l2")

CODES = ((0, 1), (0, 2), (1, 2), (2, 1))
N_CODES = (3, 3)
OFFSETS = np.array([0, 3, 6])
DEPTH = 2
NOTHING = Refinement((None, None), (None, None))


class Row(NamedTuple):
    codes: tuple[int, int]
    target: float
    weight: float


@dataclass(frozen=True)
class Case:
    """An objective, the targets that its rows may have, and trees that were released before."""

    name: str
    targets: tuple[float, ...]
    n_stats: int
    n_outputs: int = 1
    base: float = 0.0
    clip: float = 1.0

    @property
    def objective(self) -> Objective:
        return get_objective(self.name, self.n_outputs, quantile=0.8, lowest=0.2, clip=self.clip)

    def kinds(self) -> list[Row]:
        """List every row; one without a target stands for all of those, whatever is in its place."""
        listed = [
            Row(codes, target, weight) for codes, target, weight in itertools.product(CODES, self.targets, (0.3, 1.0))
        ]
        nothing = [Row(codes, -1.0 if self.n_stats != 2 or self.name == "logistic" else 0.0, 0.0) for codes in CODES]
        return listed + nothing

    def trees(self) -> list[Tree]:
        """Return the trees of three rounds, with values as large as those that training may release."""
        rng = np.random.default_rng(3)
        tests = [
            Splits(np.array(a, np.int32), np.array(f, np.uint8), np.array(la, np.uint8), np.array(m))
            for a, f, la, m in (
                ([0, 1, 1], [1, 2, 2], [2, 2, 2], [True, False, False]),
                ([1, 0, 0], [2, 2, 1], [2, 2, 1], [False, True, False]),
                ([0, 0, 1], [2, 1, 2], [2, 2, 2], [False, False, True]),
            )
        ]
        return [Tree(DEPTH, splits, rng.normal(0.0, 1.0, (4, self.n_outputs))) for splits in tests]


CASES = [
    Case("logistic", (0.0, 1.0), 2),
    Case("softmax", (0.0, 1.0, 2.0), 3, 3),
    Case("squared", (0.0, 0.4, 1.0), 2, base=0.4),
    Case("quantile", (0.0, 0.4, 1.0), 2, base=0.4),
    Case("poisson", (0.0, 0.4, 1.0), 2, base=-1.0),
    Case("gamma", (0.1, 0.4, 1.0), 2, base=-1.0),
    Case("logistic", (0.0, 1.0), 2, clip=0.55),
    Case("softmax", (0.0, 1.0, 2.0), 3, 3, clip=0.5),
]


def everywhere(case: Case) -> tuple[np.ndarray, np.ndarray]:
    """Return ends between which all scores lie."""
    return np.full(case.n_outputs, -np.inf), np.full(case.n_outputs, np.inf)


def rows_of(case: Case, table: tuple[Row, ...]) -> GradientRows:
    codes = np.array([row.codes for row in table], np.uint8).reshape(len(table), 2).T
    target = np.array([row.target for row in table], np.float64)
    weight = np.array([row.weight for row in table], np.float64)
    units = np.floor(weight * GRID).astype(np.int32)
    return GradientRows(lambda _: np.ascontiguousarray(codes), target, units, case.objective, case.n_stats)


def intervals(case: Case) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the interval of the scores before each round, as released trees bound it."""
    low = high = np.full(case.n_outputs, case.base)
    found = []
    for tree in case.trees():
        found.append((low, high))
        low, high = low + tree.values.min(axis=0), high + tree.values.max(axis=0)
    return found


@cache
def released(case: Case, table: tuple[Row, ...], kappa: float) -> dict[str, np.ndarray]:
    """Return everything that a run on this table hands to its mechanisms."""
    rows = rows_of(case, table)
    found = {"totals": _reveal(rows.totals("l1")), "histograms": _reveal(rows.histograms(OFFSETS, "l1"))}
    rows.start(NOTHING, np.full(case.n_outputs, case.base))
    for r, (tree, interval) in enumerate(zip(case.trees(), intervals(case), strict=True)):
        rows.compute_gradients(*interval, kappa)
        rows.stand_in_leaves(tree.splits, DEPTH)
        found[f"leaves {r}"] = _reveal(rows.leaf_sums(4, 1, "l1"))
        rows.add(tree.values)
    found["scores"] = _reveal(rows.score_histogram(score_bins(case), "l1"))
    return found


def score_bins(case: Case) -> np.ndarray:
    """Return edges between which the scores of the kinds of rows lie, one of them a score itself."""
    reached = case.base + sum(float(tree.values[0, 0]) for tree in case.trees())
    return np.sort([reached, case.base - 0.5, case.base + 0.5])


def claimed(case: Case, what: str, kappa: float, norm: Norm) -> int:
    """Return the sensitivity that a run states for these numbers."""
    rows = rows_of(case, ())
    if what == "totals":
        return rows.totals(norm).sensitivity
    if what == "histograms":
        return rows.histograms(OFFSETS, norm).sensitivity
    if what == "scores":
        return rows.score_histogram(score_bins(case), norm).sensitivity
    return case.objective.sensitivity(*intervals(case)[int(what.split()[1])], kappa, norm)


def neighbours(kinds: list[Row], most: int) -> Iterator[tuple[tuple[Row, ...], tuple[Row, ...]]]:
    """List every table of up to ``most`` rows beside each table that lacks one of its rows."""
    for n in range(1, most + 1):
        for table in itertools.combinations_with_replacement(kinds, n):
            for i in range(n):
                yield table, table[:i] + table[i + 1 :]


def length(change: np.ndarray, norm: Norm) -> float:
    flat = change.astype(np.float64).ravel()
    return float(np.abs(flat).sum() if norm == "l1" else np.sqrt((flat**2).sum()))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_no_row_moves_a_release_by_more_than_its_sensitivity(case: Case) -> None:
    kappa = 0.5
    worst: dict[tuple[str, Norm], float] = {}
    bounds: dict[tuple[str, Norm], int] = {}
    # Sums add up row by row; three rows only where there are few kinds of them.
    for table, without in neighbours(case.kinds(), 3 if case.n_stats * len(case.targets) == 4 else 2):
        large, small = released(case, table, kappa), released(case, without, kappa)
        for what, norm in itertools.product(large, NORMS):
            change = length(large[what] - small[what], norm)
            bound = bounds.setdefault((what, norm), claimed(case, what, kappa, norm))
            assert change <= bound, (what, norm, table)
            worst[what, norm] = max(worst.get((what, norm), 0.0), change)
    released.cache_clear()
    assert len(worst) == 2 * 6
    for (what, norm), change in worst.items():
        # Counts reach their bound; a sum of parts of one does so in L1 norm only up to the parts' rounding.
        if not what.startswith("leaves"):
            assert change >= bounds[what, norm] - 2
        # The scores of few rows need not come near the ends of the interval; before the first tree they are there.
        elif what == "leaves 0" and case.name in ("logistic", "squared", "quantile"):
            assert change >= 0.99 * bounds[what, norm]
        else:
            assert change >= 0.3 * bounds[what, norm]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_row_without_weight_is_a_row_that_is_not_there(case: Case) -> None:
    """A null row, whatever its target, adds nothing: the number of rows may stay public."""
    table = tuple(case.kinds()[:6])
    for codes in CODES:
        for target in (-1.0, 0.0, 1.0, 7.0, math.nan):
            null = Row(codes, target, 0.0)
            for at in (0, 3, 6):
                found = released(case, (*table[:at], null, *table[at:]), 1.0)
                for what, values in released(case, table, 1.0).items():
                    np.testing.assert_array_equal(found[what], values)
    released.cache_clear()


def test_the_sensitivity_of_histograms_is_a_row_s_change_of_one_cell_for_each_attribute() -> None:
    for n in (1, 2, 3, 10, 49, 1000):
        assert histogram_sensitivity(n, "l1") == n * GRID
        l2 = histogram_sensitivity(n, "l2")
        assert (l2 - 1) ** 2 < n * GRID**2 <= l2**2  # the smallest whole number that is enough
    for case in CASES[:2]:
        for norm in NORMS:
            assert rows_of(case, ()).histograms(OFFSETS, norm).sensitivity == histogram_sensitivity(2, norm)
            assert rows_of(case, ()).totals(norm).sensitivity == GRID


# -- against plain loops


def leaf_of(splits: Splits, codes: tuple[int, int]) -> int:
    k = 0
    for _ in range(DEPTH):
        code = codes[splits.attribute[k]]
        right = splits.missing_right[k] if code == 0 else splits.first[k] <= code <= splits.last[k]
        k = 2 * k + 1 + int(right)
    return k - (2**DEPTH - 1)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_leaves_the_rows_are_the_sums_of_plain_loops(case: Case) -> None:
    rng = np.random.default_rng(0)
    kinds = case.kinds()
    table = tuple(kinds[i] for i in rng.integers(0, len(kinds), 40))
    totals, cells = np.zeros(case.n_stats), np.zeros((6, case.n_stats))
    leaves = np.zeros((3, 4, case.n_outputs + 1), np.int64)
    bins = np.zeros((4, case.n_stats))
    for row in table:
        share = np.zeros(case.n_stats)
        if case.name in ("logistic", "softmax"):
            share[int(row.target)] = row.weight  # the last class for a row without one, which weighs nothing
        else:
            share[:] = row.weight * (1.0 - row.target), row.weight * row.target
        totals += share
        for a in range(2):
            cells[OFFSETS[a] + row.codes[a]] += share
        score = np.full(case.n_outputs, case.base)
        for r, tree in enumerate(case.trees()):
            one = np.empty((case.n_outputs + 1, 1), np.int32)
            target = np.array([row.target if row.weight else 0.0])
            units = np.array([math.floor(row.weight * GRID)], np.int32)
            case.objective.gradients(score[:, None].copy(), everywhere(case), target, units, 0.25, one)
            leaf = leaf_of(tree.splits, row.codes)
            leaves[r, leaf] += one[:, 0]
            score = score + tree.values[leaf]
        bins[sum(score[0] >= edge for edge in score_bins(case))] += share
    found = released(case, table, 0.25)
    # Each row's share is rounded down to the grid, by less than one unit.
    np.testing.assert_allclose(found["totals"][0] / GRID, totals, rtol=0.0, atol=len(table) / GRID)
    np.testing.assert_allclose(found["histograms"].reshape(6, -1) / GRID, cells, rtol=0.0, atol=len(table) / GRID)
    np.testing.assert_allclose(found["scores"].reshape(4, -1) / GRID, bins, rtol=0.0, atol=len(table) / GRID)
    assert (bins.sum(axis=1) > 0).sum() >= 2  # rows lie in different bins
    for r in range(3):
        np.testing.assert_array_equal(found[f"leaves {r}"], leaves[r])
    released.cache_clear()


def test_shares_of_a_target_add_up_to_the_weight() -> None:
    """Whatever the rounding, the two ends together get the weight on the grid, never more."""
    rng = np.random.default_rng(1)
    case = CASES[2]
    for _ in range(300):
        weight, target = float(rng.random() ** 2), float(rng.choice([0.0, 1.0, rng.random()]))
        totals = _reveal(rows_of(case, (Row((1, 1), target, weight),)).totals("l1"))[0]
        assert totals.sum() == math.floor(weight * GRID)
        assert (totals >= 0).all()
        assert totals[1] == math.floor(math.floor(weight * GRID) * target)


def test_a_score_outside_the_interval_counts_as_its_end() -> None:
    case = CASES[0]
    table = tuple(Row(codes, target, 1.0) for codes in CODES for target in (0.0, 1.0))
    (tree, *_) = case.trees()
    sums = []
    for interval, shift in (((-0.25, 0.5), 9.0), ((0.5, 0.5), 0.0), ((-0.25, 0.5), -9.0), ((-0.25, -0.25), 0.0)):
        rows = rows_of(case, table)
        rows.start(NOTHING, np.array([shift]))
        rows.compute_gradients(np.array([interval[0]]), np.array([interval[1]]), 1.0)
        rows.stand_in_leaves(tree.splits, DEPTH)
        sums.append(_reveal(rows.leaf_sums(4, 10**6, "l1")))
    np.testing.assert_array_equal(sums[0], sums[1])
    np.testing.assert_array_equal(sums[2], sums[3])
    assert (sums[0] != sums[2]).any()


def test_the_rows_are_encoded_by_the_public_layout_first_and_by_the_refinement_from_then_on() -> None:
    asked: list[Refinement | None] = []

    def encode(refinement: Refinement | None) -> np.ndarray:
        asked.append(refinement)
        return np.full((2, 1), 1 if refinement is None else 2, np.uint8)

    rows = GradientRows(encode, np.array([1.0]), np.full(1, GRID, np.int32), CASES[0].objective, 2)
    assert asked == []
    cells = _reveal(rows.histograms(OFFSETS, "l1")).reshape(6, 2)
    assert cells[1].tolist() == cells[4].tolist() == [0, GRID]
    rows.start(NOTHING, np.zeros(1))
    splits = Splits(np.array([0], np.int32), np.array([2], np.uint8), np.array([2], np.uint8), np.array([False]))
    rows.compute_gradients(np.zeros(1), np.zeros(1), 1.0)
    rows.stand_in_leaves(splits, 1)
    assert _reveal(rows.leaf_sums(2, GRID, "l1")).tolist() == [[0, 0], [GRID // 2, GRID // 4]]
    assert asked == [None, NOTHING]


# -- scores of tests

TESTS = Splits(
    np.array([0, 0, 1, 1, 0, -1], np.int32),
    np.array([1, 2, 2, 1, 2, 1], np.uint8),
    np.array([1, 2, 2, 1, 2, 1], np.uint8),
    np.array([False, False, True, False, True, False]),
)

ORDERS = ((0, 1, 2, 3, 4, 5), (5, 3, 0, 2, 4, 1))
"""Of the tests of each node of the second level: nodes may have different ones."""


def scores_of(case: Case, table: tuple[Row, ...], round_: int, second_level: bool) -> np.ndarray:
    """Return the scores of the tests, at the root or below one of them, after so many rounds."""
    rows = rows_of(case, table)
    rows.start(NOTHING, np.full(case.n_outputs, case.base))
    for tree, interval in zip(case.trees()[: round_ + 1], intervals(case), strict=False):
        rows.compute_gradients(*interval, 0.5)
        rows.stand_in_leaves(tree.splits, DEPTH)
        rows.add(tree.values)
    rows.start_tree()
    if second_level:
        rows.route(TESTS.take(np.array([1])))
        return _reveal(rows.split_scores(TESTS.take(np.array(ORDERS).ravel()), 2, 1))
    return _reveal(rows.split_scores(TESTS, 1, 1))


@pytest.mark.parametrize("second_level", [False, True])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_row_moves_all_scores_down_by_at_most_their_sensitivity(case: Case, second_level: bool) -> None:
    kinds = case.kinds()[1 :: 1 if case.n_outputs == 1 else 2]
    for round_ in range(2):
        bound = 2 * case.objective.sensitivity(*intervals(case)[round_], 0.0, "l1")
        scores = cache(lambda table, round_=round_: scores_of(case, table, round_, second_level))
        widest = 0
        for table, without in neighbours(kinds, 2):
            change = scores(table) - scores(without)
            assert change.max() <= 0
            assert change.min() >= -bound
            assert (change != 0).any(axis=1).sum() <= 1  # one node of the level
            widest = max(widest, int(np.ptp(change, axis=1).max()))
        # Rows of opposite gradients meet in one child under one test and part under another.
        assert widest >= (0.99 if round_ == 0 and case.name == "logistic" else 0.1) * bound


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_scores_are_those_of_plain_loops(case: Case) -> None:
    kinds = [row for row in case.kinds() for _ in range(1 + 9 * (row.codes == CODES[2 * (row.target < 0.3)]))]
    table = tuple(kinds[i] for i in np.random.default_rng(4).integers(0, len(kinds), 40))
    for second_level in (False, True):
        wanted = np.zeros((2 if second_level else 1, 6), np.int64)
        sides = np.zeros((len(wanted), 6, 2, case.n_outputs), np.int64)
        for row in table:
            one = np.empty((case.n_outputs + 1, 1), np.int32)
            target = np.array([row.target if row.weight else 0.0])
            score = np.full((case.n_outputs, 1), case.base)
            units = np.array([math.floor(row.weight * GRID)], np.int32)
            case.objective.gradients(score, everywhere(case), target, units, 0.5, one)
            k = int(goes_right(TESTS, 1, row.codes)) if second_level else 0
            wanted[k] -= np.abs(one[:-1]).sum()
            for at, j in enumerate(ORDERS[k]):
                sides[k, at, int(goes_right(TESTS, j, row.codes))] += one[:-1, 0]
        wanted += np.abs(sides).sum(axis=(2, 3))
        assert (np.ptp(wanted, axis=1) > 0).any()
        np.testing.assert_array_equal(scores_of(case, table, 0, second_level), wanted)


def goes_right(tests: Splits, j: int, codes: tuple[int, int]) -> bool:
    if tests.attribute[j] < 0:
        return False
    code = codes[tests.attribute[j]]
    return bool(tests.missing_right[j] if code == 0 else tests.first[j] <= code <= tests.last[j])


def test_the_score_of_two_classes_is_the_zero_one_criterion_of_the_boosting_weights() -> None:
    """Minus the criterion of alpha = 0, as the paper's learner computes it, of the weights ``|t - p|``."""
    case = CASES[0]
    rng = np.random.default_rng(5)
    kinds = case.kinds()
    table = tuple(kinds[i] for i in rng.integers(0, len(kinds) - 4, 60))
    weights = np.zeros((6, 2, 2))  # of each test's sides, and classes
    for row in table:
        size = math.floor(row.weight * 0.5 * GRID)
        for j in range(6):
            weights[j, int(goes_right(TESTS, j, row.codes)), int(row.target)] += size
    sides = ZeroOneLoss().criterion(weights[..., 1], weights.sum(axis=-1)).sum(axis=-1)
    np.testing.assert_array_equal(scores_of(case, table, 0, False)[0], -sides)


# -- nothing else gets out


@pytest.fixture(params=["score_histogram", "totals", "histograms", "leaf_sums"])
def raw(request: pytest.FixtureRequest) -> RawSums:
    case = CASES[1]
    rows = rows_of(case, tuple(case.kinds()[:8]))
    if request.param == "totals":
        return rows.totals("l2")
    if request.param == "histograms":
        return rows.histograms(OFFSETS, "l2")
    rows.start(NOTHING, np.zeros(3))
    rows.compute_gradients(np.zeros(3), np.zeros(3), 1.0)
    rows.stand_in_leaves(case.trees()[0].splits, DEPTH)
    return rows.leaf_sums(4, 123_456, "l2")


@pytest.mark.parametrize(
    "action",
    [
        copy.copy,
        copy.deepcopy,
        *(lambda raw, p=p: pickle.dumps(raw, protocol=p) for p in range(6)),
        np.asarray,
        np.sum,
        list,
        len,
        float,
        memoryview,
        vars,
        lambda raw: raw[0],
        lambda raw: raw + raw,
    ],
)
def test_what_leaves_the_rows_cannot_be_read_or_copied(raw: RawSums, action: Any) -> None:
    assert _reveal(raw).any()  # there is something to hide
    with pytest.raises(TypeError):
        action(raw)


def test_what_leaves_the_rows_shows_its_shape_norm_and_sensitivity(raw: RawSums) -> None:
    assert raw.norm == "l2"
    text = repr(raw)
    assert text == f"RawSums(shape={raw.shape}, sensitivity={raw.sensitivity}, values hidden)"


def test_the_rows_offer_nothing_but_raw_sums() -> None:
    case = CASES[0]
    rows = rows_of(case, tuple(case.kinds()[:4]))
    public = {name for name in dir(rows) if not name.startswith("_")}
    assert public == {
        "n_rows", "totals", "histograms", "start", "compute_gradients", "stand_in_leaves", "leaf_sums", "add",
        "score_histogram", "start_tree", "split_scores", "route",
    }  # fmt: skip
    assert rows.n_rows == 4
    assert rows.start(NOTHING, np.zeros(1)) is None
    assert rows.compute_gradients(np.zeros(1), np.zeros(1), 1.0) is None
    assert rows.stand_in_leaves(case.trees()[0].splits, DEPTH) is None
    assert rows.add(np.zeros((4, 1))) is None
    assert rows.start_tree() is None
    assert type(rows.split_scores(TESTS, 1, 2 * GRID)) is RawScores
    assert rows.route(TESTS.take(np.array([0]))) is None
    for answer in (rows.totals("l1"), rows.histograms(OFFSETS, "l1"), rows.leaf_sums(4, GRID, "l1")):
        assert type(answer) is RawSums
