"""Candidates, the sensitivity of their integer scores by brute force, and the splitters."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from privboost.data.attributes import Boolean, Categorical, Numeric, Ordinal
from privboost.data.domain import Domain
from privboost.losses import LogLoss, Loss, MAlphaLoss, MatsushitaLoss, SquareLoss, ZeroOneLoss
from privboost.privacy.mechanisms import _reveal
from privboost.sources.local import GRID, LocalRows
from privboost.trees.splitting import RandomSplitter, candidate_splits, score_sensitivity
from privboost.trees.tree import Splits

TINY = Domain({"x": Numeric(0, 3, integer=True), "c": Categorical(["a", "b", "c"], missing=True)})
LOSSES: list[Loss] = [
    ZeroOneLoss(),
    MatsushitaLoss(),
    SquareLoss(),
    LogLoss(),
    MAlphaLoss(0.25),
    Loss.from_bayes_risk("own", lambda u: 4 * u * (1 - u)),
]


def offsets_of(domain: Domain, n_bins: int = 10) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(domain.layout(n_bins).n_codes)])


def listed(splits: Splits) -> list[tuple[int, int, int, bool]]:
    fields = (splits.attribute, splits.first, splits.last, splits.missing_right)
    return [(int(a), int(f), int(la), bool(m)) for a, f, la, m in zip(*fields, strict=True)]


def side_of_each_code(split: tuple[int, int, int, bool], n_codes: int) -> tuple[bool, ...]:
    return tuple(split[3] if code == 0 else split[1] <= code <= split[2] for code in range(n_codes))


@pytest.mark.parametrize(
    ("attribute", "expected"),
    [
        (Numeric(0, 1), 9),
        (Numeric(0, 1, missing=True), 9 * 2 + 1),
        (Numeric(0, 3, integer=True), 3),
        (Numeric(5, 5), 0),
        (Boolean(), 1),
        (Categorical(["a", "b", "c", "d"]), 4),
        (Categorical(["a", "b"]), 1),
        (Ordinal(["low", "mid", "high"], missing=True), 2 * 2 + 1),
    ],
)
def test_every_public_test_is_listed_once(attribute: Any, expected: int) -> None:
    domain = Domain({"x": attribute})
    layout = domain.layout(10)
    found = listed(candidate_splits(layout))
    assert len(found) == expected
    # No two candidates send the codes to the same two sides, and none sends all to one.
    n_codes = int(layout.n_codes[0])
    relevant = range(0 if attribute.missing else 1, int(layout.n_values[0]) + 1)
    sides = [tuple(side_of_each_code(split, n_codes)[code] for code in relevant) for split in found]
    assert len({min(s, tuple(not v for v in s)) for s in sides}) == expected
    assert all(0 < sum(s) < len(s) for s in sides)


def test_candidates_do_not_depend_on_rows_and_run_attribute_by_attribute() -> None:
    splits = candidate_splits(TINY.layout(10))
    assert splits.attribute.tolist() == sorted(splits.attribute.tolist())


def scores(loss: Loss, codes: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Integer scores of all candidates for rows of the given integer weights."""
    layout = TINY.layout(10)
    rows = LocalRows(codes, offsets_of(TINY), labels.astype(np.int16), 2)
    rows._weight = weights.astype(np.int32)
    return _reveal(rows.split_scores(candidate_splits(layout), loss, 1))[0]


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@pytest.mark.parametrize("cap", [1, 7, GRID // 2, GRID])
def test_no_added_row_moves_integer_scores_apart_by_more_than_the_sensitivity(loss: Loss, cap: int) -> None:
    rng = np.random.default_rng(0)
    kinds = list(itertools.product(range(1, 4), range(4), (0, 1)))  # x code, c code, label
    worst = 0
    for n_rows in (1, 2, 3, 5, 8):
        for _ in range(120):
            chosen = [kinds[i] for i in rng.integers(0, len(kinds), n_rows)]
            codes = np.array([[k[0] for k in chosen], [k[1] for k in chosen]], np.uint8)
            labels = np.array([k[2] for k in chosen])
            if rng.random() < 0.6:
                labels[:] = labels[0]  # near-pure data sets are the worst case
                labels[-1] = rng.integers(0, 2)
            weights = np.where(rng.random(n_rows) < 0.7, cap, rng.integers(0, cap + 1, n_rows))
            without = weights.copy()
            without[-1] = 0  # the null row
            weights[-1] = cap
            change = scores(loss, codes, labels, weights) - scores(loss, codes, labels, without)
            spread = int(max(change.max(), 0) - min(change.min(), 0))
            assert spread <= score_sensitivity(loss, n_rows, cap, "exact")
            worst = max(worst, int(spread - score_sensitivity(loss, n_rows, cap, "exact")))
    # The bound is not merely loose: the worst case above comes within the rounding allowance of it.
    assert worst >= -8


def test_a_sensitivity_that_is_too_small_would_be_caught() -> None:
    codes = np.array([[1] * 8, [1] * 8], np.uint8)
    labels = np.array([0] * 7 + [1])
    weights = np.full(8, GRID)
    without = weights.copy()
    without[-1] = 0
    change = scores(MatsushitaLoss(), codes, labels, weights) - scores(MatsushitaLoss(), codes, labels, without)
    assert -change.min() > 0.9 * score_sensitivity(MatsushitaLoss(), 8, GRID, "exact")
    assert -change.min() > score_sensitivity(MatsushitaLoss(), 7, GRID, "exact")  # one row too few


def test_random_splitter_draws_attributes_uniformly_and_then_their_tests() -> None:
    domain = Domain({"x": Numeric(0, 1), "b": Boolean(), "k": Numeric(1, 1)})
    splitter = RandomSplitter(candidate_splits(domain.layout(10)), np.random.default_rng(0))
    drawn = splitter.draw(20_000)
    share = np.bincount(drawn.attribute, minlength=3) / 20_000
    assert share[0] == pytest.approx(0.5, abs=0.02)  # six standard deviations
    assert share[2] == 0.0
    firsts = np.bincount(drawn.first[drawn.attribute == 0])[2:11] / (drawn.attribute == 0).sum()
    np.testing.assert_allclose(firsts, 1 / 9, atol=0.02)
