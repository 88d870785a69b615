"""Sums of row weights per (node, code, class): the only place where rows are added up.

All sums are integers, so they do not depend on the order of the rows or on how the work is divided. A plan refuses,
from public numbers, any run whose sums could leave the range in which float64 holds integers exactly.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from privboost.compiled import kernel

__all__ = [
    "MOST_CELLS",
    "MOST_SUMS",
    "add_and_clear",
    "cells_of_rows",
    "count_rows",
    "larger_siblings",
    "leaf_sums",
    "level_sums",
    "row_level_sums",
    "smaller_siblings",
]

MOST_SUMS = 2**32
"""Sums that `level_sums` can number."""

MOST_CELLS = 2**15
"""Cells of a node that `cells_of_rows` can number, with two classes each."""

_BLOCK = 1024
"""Rows whose cells are found together, before anything is added to them."""

_FEW_NODES = 16
"""Up to so many nodes, to look at every row for each of them, 8 an instruction, is faster than to look each row up."""


@kernel
def level_sums(
    codes: npt.NDArray[np.uint8],
    offsets: npt.NDArray[np.int64],
    node: npt.NDArray[np.int32],
    label: npt.NDArray[np.int16],
    weight: npt.NDArray[np.int32],
    place: npt.NDArray[np.int32],
    out: npt.NDArray[Any],
) -> None:
    """Add every row's weight to one cell of its node for each attribute.

    Parameters
    ----------
    codes : (n_attributes, n_rows) uint8
    offsets : (n_attributes + 1,) first cell of each attribute
    node : (n_rows,) position of each row's node within the level
    label : (n_rows,) class of each row, 0..n_classes-1 (any of them if the weight is 0)
    weight : (n_rows,) weights in grid units
    place : (n_nodes,) where in ``out`` each node's sums are; -1 leaves its rows out
    out : (n_places, n_cells, n_classes), at most `MOST_SUMS` of them; added to. int64, or uint32 for so few rows that
        no sum can exceed 2**32 - 1
    """
    n_rows = codes.shape[1]
    n_classes = np.uint32(out.shape[2])
    flat = out.reshape(-1)
    row = np.empty(n_rows, np.uint32)
    base = np.empty(n_rows, np.uint32)
    amount = np.empty(n_rows, out.dtype)
    every = place.shape[0] == 1 and place[0] == 0
    n = n_rows
    if every:
        for i in range(n_rows):
            base[i] = label[i]
            amount[i] = weight[i]
    else:
        n = _rows_with_place(node, label, weight, place, out.shape[1] * out.shape[2], row, base, amount)
    # Two attributes at a time, whose cells of all nodes fit the first cache. For a block of rows, first where they go,
    # without a store that a load would have to wait for; then the additions. Indices are unsigned, or each would be
    # tested for its sign.
    one, two = np.empty(_BLOCK, np.uint32), np.empty(_BLOCK, np.uint32)
    for a in range(0, codes.shape[0], 2):
        b = min(a + 1, codes.shape[0] - 1)
        for start in range(0, n, _BLOCK):
            block = slice(start, min(start + _BLOCK, n))
            if every:
                _cells_in_order(codes[a, block], base[block], np.uint32(offsets[a]), n_classes, one)
                _cells_in_order(codes[b, block], base[block], np.uint32(offsets[b]), n_classes, two)
            else:
                _cells(codes[a], row[block], base[block], np.uint32(offsets[a]), n_classes, one)
                _cells(codes[b], row[block], base[block], np.uint32(offsets[b]), n_classes, two)
            add = amount[block]
            if b > a:
                for j in range(add.shape[0]):
                    flat[np.uint64(one[j])] += add[j]
                    flat[np.uint64(two[j])] += add[j]
            else:
                for j in range(add.shape[0]):
                    flat[np.uint64(one[j])] += add[j]


@kernel
def cells_of_rows(
    codes: npt.NDArray[np.uint8],
    offsets: npt.NDArray[np.int64],
    label: npt.NDArray[np.int16],
    out: npt.NDArray[np.uint16],
) -> None:
    """Write where among the sums of its node each row's weight goes, one place an attribute.

    Parameters
    ----------
    codes, offsets, label : as for `level_sums`, with two classes and at most `MOST_CELLS` cells
    out : (n_rows, n_attributes) overwritten
    """
    for a in range(codes.shape[0]):
        first = offsets[a]
        for i in range(codes.shape[1]):
            out[i, a] = np.uint16(2 * (first + codes[a, i]) + label[i])


@kernel
def row_level_sums(
    cells: npt.NDArray[np.uint16],
    node: npt.NDArray[np.int32],
    weight: npt.NDArray[np.int32],
    place: npt.NDArray[np.int32],
    out: npt.NDArray[np.int64],
) -> None:
    """Do what `level_sums` does, all attributes of a row and then the next: faster where a level's sums fit the caches.

    Parameters
    ----------
    cells : (n_rows, n_attributes) of `cells_of_rows`
    node, weight, place : as for `level_sums`
    out : (n_places, n_cells, 2) added to
    """
    flat = out.reshape(-1)
    if place.shape[0] == 1 and place[0] == 0:
        # At the root all rows count, as they come: looking them up in a list took a third of the time.
        for i in range(cells.shape[0]):
            own, amount = cells[i], np.int64(weight[i])
            for a in range(own.shape[0]):
                flat[np.uint64(own[a])] += amount
        return
    in_place = out.shape[1] * out.shape[2]
    row, base = np.empty(cells.shape[0], np.uint32), np.empty(cells.shape[0], np.uint32)
    n = np.uint64(0)
    for i in range(cells.shape[0]):
        p = place[np.uint64(node[i])]
        row[n], base[n] = i, max(p, 0) * in_place
        n += np.uint64(p >= 0)
    for j in range(np.int64(n)):
        r = np.uint64(row[j])
        own, first, amount = cells[r], np.uint64(base[j]), np.int64(weight[r])
        for a in range(own.shape[0]):
            flat[first + np.uint64(own[a])] += amount


@kernel
def _rows_with_place(
    node: npt.NDArray[np.int32],
    label: npt.NDArray[np.int16],
    weight: npt.NDArray[np.int32],
    place: npt.NDArray[np.int32],
    in_place: int,
    row: npt.NDArray[np.uint32],
    base: npt.NDArray[np.uint32],
    amount: npt.NDArray[Any],
) -> int:
    """Write the rows that count side by side, where the sums of their node and class begin, and their weights."""
    n = np.uint64(0)
    for i in range(node.shape[0]):
        p = place[np.uint64(node[i])]
        row[n] = i
        base[n] = np.uint32(np.int64(max(p, 0)) * in_place + label[i])
        amount[n] = weight[i]
        n += np.uint64(p >= 0)
    return int(n)


@kernel
def _cells(
    column: npt.NDArray[np.uint8],
    row: npt.NDArray[np.uint32],
    base: npt.NDArray[np.uint32],
    offset: np.uint32,
    n_classes: np.uint32,
    out: npt.NDArray[np.uint32],
) -> None:
    """Write the cell of each of the rows for one attribute."""
    for j in range(row.shape[0]):
        out[j] = (np.uint32(column[np.uint64(row[j])]) + offset) * n_classes + base[j]


@kernel
def _cells_in_order(
    column: npt.NDArray[np.uint8],
    base: npt.NDArray[np.uint32],
    offset: np.uint32,
    n_classes: np.uint32,
    out: npt.NDArray[np.uint32],
) -> None:
    """`_cells` of rows side by side."""
    for j in range(column.shape[0]):
        out[j] = (np.uint32(column[j]) + offset) * n_classes + base[j]


@kernel
def add_and_clear(part: npt.NDArray[np.uint32], total: npt.NDArray[np.int64]) -> None:
    """Add ``part`` to ``total``, of the same shape, and set it to 0."""
    source, target = part.reshape(-1), total.reshape(-1)
    for i in range(source.shape[0]):
        target[i] += np.int64(source[i])
        source[i] = 0


@kernel
def count_rows(node: npt.NDArray[np.int32], out: npt.NDArray[np.int64]) -> None:
    """Add 1 to ``out[node[i]]`` for each row i."""
    if out.shape[0] <= _FEW_NODES:
        for k in range(out.shape[0]):
            n = np.int32(0)
            for i in range(node.shape[0]):
                n += np.int32(node[i] == k)
            out[k] += n
        return
    for i in range(node.shape[0]):
        out[node[i]] += 1


@kernel
def smaller_siblings(counts: npt.NDArray[np.int64], place: npt.NDArray[np.int32]) -> None:
    """Give the child with fewer rows of each pair, the first of equals, its parent's place, and the other one -1."""
    for p in range(counts.shape[0] // 2):
        second = counts[2 * p + 1] < counts[2 * p]
        place[2 * p] = -1 if second else p
        place[2 * p + 1] = p if second else -1


@kernel
def larger_siblings(
    built: npt.NDArray[np.int64],
    place: npt.NDArray[np.int32],
    parent: npt.NDArray[np.int64],
    out: npt.NDArray[np.int64],
) -> None:
    """Write the sums of all nodes of a level, given those of one child of each parent and those of the parents.

    Parameters
    ----------
    built : (n_parents, n_cells, n_classes)
    place : (2 * n_parents,) position in ``built`` of a node's sums; -1 for the other child
    parent : (n_parents, n_cells, n_classes)
    out : (2 * n_parents, n_cells, n_classes) overwritten
    """
    for p in range(parent.shape[0]):
        k = 2 * p if place[2 * p] >= 0 else 2 * p + 1
        other = 4 * p + 1 - k
        known, whole = built[place[k]].reshape(-1), parent[p].reshape(-1)
        one, two = out[k].reshape(-1), out[other].reshape(-1)
        for c in range(whole.shape[0]):
            one[c] = known[c]
            two[c] = whole[c] - known[c]


@kernel
def leaf_sums(
    leaf: npt.NDArray[np.int32],
    label: npt.NDArray[np.int16],
    weight: npt.NDArray[np.int32],
    out: npt.NDArray[np.int64],
) -> None:
    """Add every row's weight to the cell (its leaf, its class) of ``out``, shape (n_leaves, n_classes)."""
    flat, n_classes = out.reshape(-1), np.uint64(out.shape[1])
    for i in range(leaf.shape[0]):
        flat[np.uint64(leaf[i]) * n_classes + np.uint64(label[i])] += np.int64(weight[i])
