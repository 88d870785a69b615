"""Sensitivities by exhaustive and random search over data sets; the table of the dilemma."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from pathlib import Path

import mpmath as mp
import numpy as np
import pytest

from privboost.errors import ParameterError, ParameterTypeError
from privboost.losses import LogLoss, Loss, MAlphaLoss, MatsushitaLoss, SquareLoss, ZeroOneLoss
from privboost.theory import dilemma_table, sensitivity, split_contraction

SINE = Loss.from_bayes_risk("sine", lambda u: np.sin(np.pi * np.minimum(u, 1 - u)))
BUILT_IN: list[Loss] = [ZeroOneLoss(), MatsushitaLoss(), SquareLoss(), LogLoss(), MAlphaLoss(0.1), MAlphaLoss(0.7)]
LOSSES = [*BUILT_IN, SINE]


def split_criterion(loss: Loss, sums: np.ndarray) -> np.ndarray:
    """Criterion of leaves whose class sums are the columns (w1, w0, w1, w0, ...), added up."""
    pairs = sums.reshape(len(sums), -1, 2)
    return np.sum(loss.criterion(pairs[..., 0], pairs.sum(axis=2)), axis=1)


def all_sums(n_leaves: int, weights: tuple[int, ...], n_rows: int) -> tuple[list[np.ndarray], np.ndarray]:
    """Class sums of all data sets of exactly 0, 1, ..., n_rows rows, and those of each possible row.

    The criterion depends on a data set through these sums only, so this is an exhaustive search.
    """
    columns = 2 * n_leaves
    rows = np.array([w * np.eye(columns)[c] for c, w in product(range(columns), weights)])
    states = [np.zeros((1, columns))]
    for _ in range(n_rows):
        states.append(np.unique((states[-1][:, None] + rows).reshape(-1, columns), axis=0))
    return states, rows


@pytest.mark.parametrize(("n_leaves", "weights"), [(1, (1, 2, 3, 4)), (2, (1, 4)), (2, (2, 3, 4))])
@pytest.mark.parametrize("loss", LOSSES, ids=str)
def test_exact_form_is_the_maximum_over_all_data_sets(loss: Loss, n_leaves: int, weights: tuple[int, ...]) -> None:
    """For every m up to 8: both relations; one leaf, and the sum over a split's children."""
    states, rows = all_sums(n_leaves, weights, 7)
    largest_add = largest_replace = 0.0
    for n, without in enumerate(states):
        before = split_criterion(loss, without)
        after = split_criterion(loss, (without[:, None] + rows).reshape(-1, 2 * n_leaves)).reshape(-1, len(rows))
        increase = after - before[:, None]
        assert increase.min() >= -1e-13, "a row was added and the criterion fell"
        largest_add = max(largest_add, float(increase.max()))
        largest_replace = max(largest_replace, float(np.max(after.max(axis=1) - after.min(axis=1))))
        bound = sensitivity(loss, n + 1, 4.0)
        for largest in (largest_add, largest_replace):
            assert largest <= bound + 1e-13
            assert largest == pytest.approx(bound, rel=1e-12, abs=1e-12)
        assert largest_add <= sensitivity(loss, n + 1, 4.0, form="paper")


@pytest.mark.parametrize("loss", LOSSES, ids=str)
def test_exact_form_holds_in_random_search_to_200_rows(loss: Loss) -> None:
    """Random tables of 3 attributes: one row moves the scores of all candidate splits the same way, by Δ at most."""
    random = np.random.default_rng(20)
    reached = {"add": 0.0, "replace": 0.0}
    for _ in range(120):
        m, cap = int(random.integers(2, 201)), float(random.choice([0.05, 0.5, 1.0]))
        codes = random.integers(0, 4, (3, m + 1))
        label = random.random(m + 1) < random.choice([0.0, 0.02, 0.3, 0.9, 1.0])
        label[:1], label[m:] = random.random() < 0.5, random.random() < 0.5
        weight = cap * (1 - random.random(m + 1)) if random.random() < 0.5 else np.full(m + 1, cap)
        right = np.concatenate([codes > t for t in range(3)])
        columns = np.stack([~right & label, ~right & ~label, right & label, right & ~label], axis=1) * weight
        bound = sensitivity(loss, m, cap)
        # Three neighbours: rows 1..m-1, those and row 0, those and row m.
        common = columns[:, :, 1:m].sum(axis=2)
        first, other = common + columns[:, :, 0], common + columns[:, :, m]
        base, one, two = (split_criterion(loss, sums) for sums in (common, first, other))
        slack = 1e-12 * (1 + bound)
        for change in (one - base, two - base):
            assert change.min() >= -slack
            assert change.max() <= bound + slack
            reached["add"] = max(reached["add"], float(change.max()) / bound)
        assert np.abs(one - two).max() <= bound + slack
        reached["replace"] = max(reached["replace"], float(np.abs(one - two).max()) / bound)
    assert min(reached.values()) > 0.3, "the search never came near the bound"


@pytest.mark.parametrize("loss", LOSSES, ids=str)
@pytest.mark.parametrize("m", [2, 3, 50, 200])
def test_pure_leaf_attains_the_bound(loss: Loss, m: int) -> None:
    """m - 1 rows of one class and one of the other: removal and replacement of the odd row both cost Δ."""
    cap = 0.375
    with_odd_row = loss.criterion(cap, m * cap)
    for others in (m - 1, m):
        assert with_odd_row - loss.criterion(0.0, others * cap) == pytest.approx(sensitivity(loss, m, cap), rel=1e-12)


def true_sensitivity(loss: Loss, m: int, weight: float) -> mp.mpf:
    n, w = mp.mpf(m), mp.mpf(weight)
    alpha = mp.mpf(getattr(loss, "alpha", 0.0))
    if m == 1:
        return mp.mpf(0)
    return {
        "zero-one": 2 * w,
        "matsushita": 2 * w * mp.sqrt(n - 1),
        "square": 4 * w * (1 - 1 / n),
        "log": w * (n * mp.log(n) - (n - 1) * mp.log(n - 1)) / mp.log(2),
        "m-alpha": 2 * w * (alpha * mp.sqrt(n - 1) + 1 - alpha),
    }[loss.name]


@pytest.mark.parametrize("loss", BUILT_IN, ids=str)
def test_rounded_up_and_stable_to_1e12_rows(loss: Loss) -> None:
    random = np.random.default_rng(5)
    sizes = [1, 2, 3, 10, 997, 10**6, 10**9 + 7, 10**12, 2**53, *(int(10**x) for x in random.uniform(0.4, 12, 40))]
    with mp.workdps(60):
        for m, weight in product(sizes, (1.0, 0.5, 0.1, 3.7e-5, 65536.0)):
            value, exact = sensitivity(loss, m, weight), true_sensitivity(loss, m, weight)
            assert value >= exact * (1 - mp.mpf(10) ** -50)
            assert value <= exact * (1 + mp.mpf(3e-15))
            if m > 1 and not isinstance(loss, LogLoss):
                assert math.nextafter(value, 0.0) < exact, "not the smallest float that bounds it"
            paper = sensitivity(loss, m, weight, form="paper")
            exact_paper = mp.mpf(weight) + true_sensitivity(loss, m + 1, weight)
            assert exact_paper * (1 - mp.mpf(10) ** -50) <= paper <= exact_paper * (1 + mp.mpf(4e-15))
            assert paper > value


def test_known_values() -> None:
    assert sensitivity("zero-one", 1000) == 2.0
    assert sensitivity("matsushita", 17, 0.5) == 4.0
    assert sensitivity("square", 4) == 3.0
    assert sensitivity("log", 2) == pytest.approx(2.0, rel=1e-15)
    assert sensitivity(MAlphaLoss(0.5), 17) == 5.0
    assert sensitivity("square", 3, form="paper") == 4.0
    assert sensitivity("log", 1000) <= math.log2(1000) + 1 / math.log(2)
    assert isinstance(sensitivity("log", np.int64(10), np.float32(0.5)), float)


@pytest.mark.parametrize("m", [1, 2, 8, 1000])
def test_m_alpha_interpolates_between_its_ends(m: int) -> None:
    for alpha in (0.0, 0.25, 0.5, 1.0):
        mixed = alpha * sensitivity("matsushita", m) + (1 - alpha) * sensitivity("zero-one", m)
        assert sensitivity(MAlphaLoss(alpha), m) == pytest.approx(mixed, rel=1e-15)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("gini", 10), ParameterError, "Names:"),
        (("log", 0), ParameterError, "'n_rows' parameter must be an integer in"),
        (("log", 10.0), ParameterTypeError, "n_rows"),
        (("log", True), ParameterTypeError, "n_rows"),
        (("log", 2**53 + 1), ParameterError, "n_rows"),
        ((SINE, 10**13), ParameterError, "Bayes risk alone"),
        (("log", 10, 0.0), ParameterError, r"'max_weight' parameter must be a number in \(0, inf\)"),
        (("log", 10, math.inf), ParameterError, "max_weight"),
        (("log", 10, math.nan), ParameterError, "max_weight"),
        (("log", 10, "1"), ParameterTypeError, "max_weight"),
        (("log", 10, 1.0, "tight"), ParameterError, "'exact' or 'paper'"),
    ],
)
def test_refusals(arguments: tuple[object, ...], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        sensitivity(*arguments)  # type: ignore[arg-type]


def test_dilemma_costs_and_rates_rise_together() -> None:
    """Along Mα, and over the losses: the dearer the loss, the faster its guarantee."""
    table = dilemma_table([MAlphaLoss(a) for a in (0.0, 0.1, 0.5, 0.9, 1.0)], n_rows=500, gamma=0.3, target_error=0.1)
    assert table.rows[0].levels == math.inf
    for cheap, dear in zip(table.rows[:-1], table.rows[1:], strict=True):
        assert cheap.sensitivity < dear.sensitivity
        assert cheap.paper_sensitivity < dear.paper_sensitivity
        assert cheap.weight < dear.weight
        assert cheap.contraction > dear.contraction
        assert cheap.levels > dear.levels
    ordered = dilemma_table(["zero-one", "square", "log", "matsushita", SINE], n_rows=500).rows
    assert [row.loss for row in ordered] == ["zero-one", "square", "log", "matsushita", "sine"]
    assert np.all(np.diff([row.sensitivity for row in ordered[:4]]) > 0)
    assert np.all(np.diff([row.contraction for row in ordered[:4]]) < 0)


def test_dilemma_rows_are_what_they_say() -> None:
    table = dilemma_table(n_rows=250, max_weight=0.5, gamma=0.4, target_error=0.2)
    for row, loss in zip(
        table.rows, [ZeroOneLoss(), MAlphaLoss(0.1), SquareLoss(), LogLoss(), MatsushitaLoss()], strict=True
    ):
        assert row.loss == str(loss)
        assert row.sensitivity == sensitivity(loss, 250, 0.5)
        assert row.paper_sensitivity == sensitivity(loss, 250, 0.5, form="paper")
        assert row.weight == loss.weight_function(0.1)
        # The worst share found on the grid is the worst of a finer one.
        finer = max(split_contraction(loss, 0.4, p) for p in np.linspace(0.1, 0.5, 60))
        assert row.contraction >= finer - 1e-9
        if row.levels < math.inf:
            assert (
                Fraction(row.contraction) ** int(row.levels) <= 0.2 < Fraction(row.contraction) ** int(row.levels - 1)
            )
    assert table.rows[-1].contraction == pytest.approx(math.sqrt(1 - 0.4**2), rel=1e-12)
    assert dilemma_table(["log"], gamma=1.0).rows[0].levels == 1.0


def test_dilemma_prints_one_line_a_loss() -> None:
    lines = str(dilemma_table()).splitlines()
    assert lines[0] == "m = 1000, ω = 1, γ = 0.2, target error = 0.1"
    assert [line.split()[0] for line in lines[1:]] == [
        "loss",
        "zero-one",
        "m-alpha(0.1)",
        "square",
        "log",
        "matsushita",
    ]
    assert lines[2].split()[1:3] == ["2", "3"]
    assert len({len(line) for line in lines[1:]}) == 1


def test_the_page_shows_the_table_that_its_command_prints() -> None:
    page = (Path(__file__).resolve().parents[1] / "docs" / "theory.md").read_text(encoding="utf-8")
    assert 'python -c "from privboost.theory import dilemma_table; print(dilemma_table())"' in page
    assert str(dilemma_table()) in page


@pytest.mark.parametrize("arguments", [{"gamma": 0.0}, {"target_error": 0.6}, {"n_rows": 0}, {"losses": ["x"]}])
def test_dilemma_refusals(arguments: dict[str, object]) -> None:
    with pytest.raises(ParameterError):
        dilemma_table(**arguments)  # type: ignore[arg-type]
