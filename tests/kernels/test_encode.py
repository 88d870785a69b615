"""Codes of numbers against NumPy's binary search and against counting edges one by one."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privboost.data.edges import EdgeTables, digitize

MAX = float(np.finfo(np.float64).max)


def twin(values: npt.NDArray[np.generic], edges: npt.NDArray[np.float64]) -> list[int]:
    """Return the codes by NumPy, value by value in float64."""
    with np.errstate(all="ignore"):
        x = values.astype(np.float64)
    return (np.where(x == x, np.searchsorted(edges, x, side="right") + 1, 0)).tolist()


def codes(values: npt.NDArray[np.generic], edges: npt.NDArray[np.float64]) -> list[int]:
    out = np.full(len(values), 99, np.uint8)
    digitize(values, edges, out)
    return out.tolist()


def around(edges: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Edges, their neighbours, the middles between them, and the ends of float64."""
    with np.errstate(over="ignore"):
        near = [edges, np.nextafter(edges, -np.inf), np.nextafter(edges, np.inf), 0.5 * edges[1:] + 0.5 * edges[:-1]]
    ends = [np.inf, -np.inf, np.nan, -np.nan, 0.0, -0.0, 5e-324, -5e-324, 2.3e-308, MAX, -MAX, 1.0]
    return np.concatenate([*near, ends])


@st.composite
def edge_lists(draw: st.DrawFn) -> npt.NDArray[np.float64]:
    """Edges that are even, of widths over many orders of magnitude, or anywhere in float64."""
    kind = draw(st.sampled_from(["even", "powers", "cluster", "any"]))
    n = draw(st.sampled_from([1, 2, 3, 9, 63, 253, 254]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    if kind == "even":
        edges = draw(st.floats(-1e9, 1e9)) + np.arange(1, n + 1) * draw(st.floats(1e-3, 1e9))
    elif kind == "powers":
        edges = rng.choice([-1.0, 1.0], n) * 2.0 ** rng.uniform(-1074, 1023, n)
    elif kind == "cluster":
        edges = np.concatenate([1.0 + np.arange(n) * 2.0**-52, [-MAX, MAX][: rng.integers(0, 3)]])
    else:
        edges = np.array(draw(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20)))
    return np.unique(edges)[:254]


@given(edges=edge_lists(), more=st.lists(st.floats(), max_size=30))
@settings(max_examples=300, deadline=None)
def test_a_code_is_one_plus_the_edges_at_most_the_value(edges: npt.NDArray[np.float64], more: list[float]) -> None:
    values = np.concatenate([around(edges), more])
    assert codes(values, edges) == twin(values, edges)
    assert codes(values[:40], edges) == [0 if x != x else 1 + sum(e <= x for e in edges) for x in values[:40].tolist()]


@given(edges=edge_lists(), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=100, deadline=None)
def test_a_larger_number_has_no_smaller_cell(edges: npt.NDArray[np.float64], seed: int) -> None:
    """What the kernel's search relies on, worked out here step by step for numbers close to the borders of cells."""
    arranged = EdgeTables([edges])._arranged()
    n_cells, factor = arranged.cells.shape[1], float(arranged.scale[0])
    half = 0.5 * edges[0]
    with np.errstate(all="ignore"):
        borders = 2.0 * (half + np.random.default_rng(seed).integers(0, n_cells + 1, 60) / (factor or 1.0))
    values = np.sort(np.concatenate([around(edges), around(borders[np.isfinite(borders)])]))
    values = values[~np.isnan(values)]
    place = np.minimum((0.5 * np.clip(values, edges[0], edges[-1]) - half) * factor, n_cells - 1.0).astype(np.int64)
    assert (np.diff(place) >= 0).all()
    assert codes(values, edges) == twin(values, edges)
    known = arranged.cells[0][place]  # edges in cells before the number's own
    assert (known < np.array(twin(values, edges))).all()
    assert (np.array(twin(values, edges)) - 1 - known < 2 * arranged.step[0]).all()


@pytest.mark.parametrize(
    "dtype", ["f2", "f4", "f8", "g", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?", ">f8", ">i4"]
)
def test_every_kind_of_number_is_compared_as_float64(dtype: str) -> None:
    kind = np.dtype(dtype)
    edges = np.unique([-(2.0**63), -129.0, -3.5, 0.0, 0.1, 0.5, 1.0, 127.0, 2.0**53, 2.0**53 + 2, 2.0**63, 2.0**64])
    if kind.kind in "iu":
        limits = np.iinfo(kind)
        middle = [v for v in (0, 1, -3, -4, 127, 2**53 - 1, 2**53 + 1, 2**53 + 3) if limits.min <= v <= limits.max]
        values = np.array([limits.min, limits.min + 1, limits.max - 1, limits.max, *middle], dtype=kind)
    else:
        with np.errstate(all="ignore"):
            values = np.concatenate([around(edges), [1e-8, 65504.0]]).astype(kind)
    assert codes(values, edges) == twin(values, edges)
    spread = np.zeros((len(values), 3), kind)
    spread[:, 1] = values
    spread.flags.writeable = False
    assert codes(spread[:, 1], edges) == twin(values, edges)


def test_a_signalling_nan_is_missing() -> None:
    signalling = np.array([0x7FF0000000000001, 0xFFF4000000000000], np.uint64).view(np.float64)
    assert codes(signalling, np.array([0.0, 1.0])) == [0, 0]


def test_no_edge_gives_one_code() -> None:
    assert codes(np.array([-math.inf, 0.0, math.inf, math.nan]), np.empty(0)) == [1, 1, 1, 0]


@pytest.mark.parametrize("order", ["C", "F"])
def test_a_matrix_is_written_column_by_column_to_its_lines(order: str) -> None:
    rng = np.random.default_rng(3)
    X = np.array(rng.normal(size=(700, 5)), order=order)  # type: ignore[call-overload]
    X[rng.random(X.shape) < 0.1] = np.nan
    edges = [np.sort(rng.normal(size=n)) for n in (1, 4, 0, 60, 254)]
    out = np.full((5, 700), 99, np.uint8)
    for rows in (slice(0, 700), slice(5, 300), slice(300, 301), slice(9, 9)):
        EdgeTables(edges).write(X[rows], np.array([0, 1, 3, 4]), out[:, rows])
        for line in (0, 1, 3, 4):
            assert out[line, rows].tolist() == twin(X[rows, line], edges[line])
    assert (out[2] == 99).all()
