"""Bounds from released counts: usable whatever the counts are, and close to the rows where noise lets them be."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from privboost import Numeric
from privboost.domains.counting import count_cells, finite, row_units, sensitivity
from privboost.domains.ranges import (
    MAGNITUDES,
    N_BINS,
    Noise,
    _noise_quantile,
    bins_of,
    coarse_range,
    fine_range,
)

QUIET = Noise(1e-3)


def cells(numbers: Any) -> np.ndarray:
    """Exact counts of magnitudes, cell by cell from the definition."""
    counts = np.zeros(MAGNITUDES.size + 1)
    for number in numbers:
        counts[sum(edge <= number for edge in MAGNITUDES)] += 1
    return counts


def bounds(numbers: Any, *, integer: bool = False, noise: Noise = QUIET) -> tuple[Numeric, Numeric]:
    """First and final bounds of exact counts."""
    numbers = np.asarray(numbers, dtype=float)
    first = coarse_range(cells(numbers), noise, integer=integer)
    counts = np.bincount(np.searchsorted(bins_of(first), numbers, side="right"), minlength=bins_of(first).size + 1)
    return first, fine_range(counts, first, numbers.size)


@pytest.mark.parametrize(
    ("numbers", "first"),
    [
        ([0.0], (0.0, 1.0)),
        ([7.0], (4.0, 8.0)),
        ([-7.0], (-8.0, -4.0)),
        ([8.0], (8.0, 16.0)),
        ([-8.0], (-16.0 + 8.0, -4.0)),
        ([0.3, 40.0], (0.0, 64.0)),
        ([3.0, 40.0], (0.0, 64.0)),
        ([30.0, 40.0], (16.0, 64.0)),
        ([-3.0, 40.0], (-4.0, 64.0)),
        ([-40.0, -3.0], (-64.0, 0.0)),
        ([1e-13], (0.0, 1.0)),
        ([1e300], (2.0**64, 2.0**64 + 2.0**44)),
        ([-1e300], (-(2.0**64), -(2.0**64) + 2.0**44)),
    ],
)
def test_magnitudes(numbers: list[float], first: tuple[float, float]) -> None:
    found = coarse_range(cells(numbers), QUIET, integer=False)
    assert (found.lo, found.hi) == first


@pytest.mark.parametrize(
    ("numbers", "first"), [([0], (0, 1)), ([7], (4, 7)), ([1], (1, 2)), ([0, 1], (0, 1)), ([-7, 2], (-8, 3))]
)
def test_magnitudes_of_whole_numbers(numbers: list[int], first: tuple[int, int]) -> None:
    found = coarse_range(cells(numbers), QUIET, integer=True)
    assert (found.lo, found.hi, found.integer) == (*first, True)


@pytest.mark.parametrize("integer", [False, True])
def test_every_number_lies_within_its_first_bounds(integer: bool) -> None:
    """But those beyond the powers of two, and next to nothing. Each number stands alone, so that none is a tail."""
    rng = np.random.default_rng(0)
    numbers = np.concatenate([rng.choice([-1, 1], 200) * 2.0 ** rng.uniform(-38, 63, 200), [1, -1, 2, -2, 0.5, -0.5]])
    for number in np.rint(numbers) if integer else numbers:
        first = coarse_range(cells([number]), QUIET, integer=integer)
        assert first.lo <= number <= first.hi
        assert number == 0 or first.hi - first.lo <= max(2.0 * abs(number), 1.0)


def test_final_bounds_are_close() -> None:
    rng = np.random.default_rng(0)
    for low, high in [(1000.0, 1100.0), (0.0, 1.0), (-3.0, 5.0), (-900.0, -870.0), (1e-6, 3e-6), (1e12, 3e12)]:
        first, found = bounds(rng.uniform(low, high, 1000))
        near = (first.hi - first.lo) / N_BINS + 0.02 * (high - low)
        assert found.lo == pytest.approx(low, abs=near)
        assert found.hi == pytest.approx(high, abs=near)


def test_whole_numbers_have_whole_bounds() -> None:
    _, found = bounds(np.random.default_rng(0).integers(18, 91, 5000), integer=True)
    assert (found.lo, found.hi, found.integer) == (pytest.approx(18, abs=4), pytest.approx(90, abs=4), True)
    _, found = bounds(np.arange(5).repeat(100), integer=True)
    assert (found.lo, found.hi) == (0, 4)


def test_half_a_percent_at_either_end_is_cut_off() -> None:
    numbers = np.concatenate([np.linspace(100, 120, 1000), [500.0] * 4])
    assert bounds(numbers)[1].hi < 130
    numbers = np.concatenate([np.linspace(100, 120, 1000), [500.0] * 8])
    assert bounds(numbers)[1].hi >= 500


@pytest.mark.parametrize("integer", [False, True])
@pytest.mark.parametrize("gaussian", [False, True])
def test_any_counts_give_usable_bounds(integer: bool, gaussian: bool) -> None:
    """Released counts may be anything: noise alone, all negative, the largest there are, one cell."""
    rng = np.random.default_rng(0)
    odd = [np.full(MAGNITUDES.size + 1, value) for value in (0.0, -5.0, 2.0**53, -(2.0**53))]
    odd += [rng.laplace(0, scale, MAGNITUDES.size + 1) for scale in (1e-3, 1.0, 1e3) for _ in range(20)]
    odd += [1e6 * np.eye(MAGNITUDES.size + 1)[i] for i in range(MAGNITUDES.size + 1)]
    for counts in odd:
        first = coarse_range(counts, Noise(1.0, gaussian), integer=integer)
        size = bins_of(first).size + 1
        assert 1 <= size <= N_BINS
        for fine in (np.zeros(size), np.full(size, -7.0), np.full(size, 2.0**53), rng.laplace(0, 50, size)):
            found = fine_range(fine, first, 100)
            assert -math.inf < found.lo < found.hi < math.inf
            assert first.lo <= found.lo
            assert found.hi <= first.hi or found.lo == first.hi  # one whole number is left, and the next one
            assert found.integer == integer


@pytest.mark.parametrize("width", [1, 2, 4])
def test_noise_alone_seldom_exceeds_its_quantile(width: int) -> None:
    """Against the exact laws; that of sums of Laplace noise, differences of gamma variables, integrated numerically."""
    tests = sum(math.ceil((MAGNITUDES.size + 1) / w) for w in (1, 2, 4))
    chance = 0.02 / tests
    assert stats.norm.sf(_noise_quantile(width, True) / math.sqrt(width)) == pytest.approx(chance, rel=1e-9)
    at = _noise_quantile(width, False)
    x = np.linspace(0.0, 60.0, 60001)
    # The difference of two gamma variables of shape `width`: P[X > at] = E[P[G > at + G']].
    exact = np.trapezoid(stats.gamma.pdf(x, width) * stats.gamma.sf(at + x, width), x)
    assert exact == pytest.approx(chance, rel=1e-5)


class TestSensitivity:
    """One row, added or removed, in all columns at once: by brute force over small tables."""

    KINDS = (math.nan, -math.inf, math.inf, -3.0, 0.0, 2.0, 5.0, 1e300)

    @pytest.mark.parametrize("n_columns", [1, 2, 3])
    @pytest.mark.parametrize("gaussian", [False, True])
    def test_no_row_changes_more_than_is_planned(self, n_columns: int, gaussian: bool) -> None:
        edges = [np.array([-1.0, 1.0, 4.0]), np.array([0.0]), MAGNITUDES][:n_columns]
        kinds = self.KINDS if n_columns < 3 else self.KINDS[::2]
        largest = 0.0
        for others in itertools.product(kinds[:3], repeat=n_columns):
            for row in itertools.product(kinds, repeat=n_columns):
                left, right = (
                    self.counts(rows, edges, gaussian) for rows in ([others, row], [others, (math.nan,) * n_columns])
                )
                change = np.abs(left - right).astype(float)
                largest = max(largest, math.sqrt((change**2).sum()) if gaussian else change.sum())
        planned = sensitivity(n_columns, gaussian=gaussian)
        assert largest <= planned < largest + 1.0

    @staticmethod
    def counts(rows: list[tuple[float, ...]], edges: list[np.ndarray], gaussian: bool) -> np.ndarray:
        columns = [finite(np.array(column)) for column in zip(*rows, strict=True)]
        raw = count_cells(columns, edges, MAGNITUDES.size + 1, gaussian=gaussian)
        assert raw.norm == ("l2" if gaussian else "l1")
        assert raw.shape == (1, len(columns) * (MAGNITUDES.size + 1))
        return raw._Raw__values  # type: ignore[attr-defined, no-any-return]

    def test_counts_are_right(self) -> None:
        numbers = finite(np.array([1.0, 2.0, 2.5, math.nan, math.inf]))
        raw = count_cells([numbers], [np.array([2.0])], 3, gaussian=False)
        assert raw._Raw__values.tolist() == [[1, 2, 0]]  # type: ignore[attr-defined]
        assert row_units(gaussian=True) == 2**16
