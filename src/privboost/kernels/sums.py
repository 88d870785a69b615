"""Sums of row weights per (node, code, class): the only place where rows are added up.

All sums are integers, so they do not depend on the order of the rows or on how the work is divided. A plan refuses,
from public numbers, any run whose sums could leave the range in which float64 holds integers exactly.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from privboost.compiled import kernel

__all__ = ["add_and_clear", "count_rows", "larger_siblings", "leaf_sums", "level_sums", "smaller_siblings"]


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
    out : (n_places, n_cells, n_classes), added to: int64, or uint32 for so few rows that no sum can exceed 2**32 - 1
    """
    n_attributes, n_rows = codes.shape
    n_classes = np.uint64(out.shape[2])
    in_place = out.shape[1] * out.shape[2]
    flat = out.reshape(-1)
    # The rows that count, side by side; then two attributes at a time, whose cells of all nodes fit the first cache, so
    # that a row's place and weight are read once for both. Indices are unsigned, or each would be tested for its sign.
    row = np.empty(n_rows, np.uint32)
    base = np.empty(n_rows, np.uint64)  # a level may have more than 2**32 sums
    amount = np.empty(n_rows, out.dtype)
    n = np.uint64(0)
    for i in range(n_rows):
        p = place[node[i]]
        row[n] = i
        base[n] = np.int64(max(p, 0)) * in_place + label[i]
        amount[n] = weight[i]
        n += np.uint64(p >= 0)
    for a in range(0, n_attributes - 1, 2):
        column, start = codes[a], np.uint64(offsets[a]) * n_classes
        second, second_start = codes[a + 1], np.uint64(offsets[a + 1]) * n_classes
        for j in range(n):
            at, cell = np.uint64(row[j]), base[j]
            flat[cell + start + np.uint64(column[at]) * n_classes] += amount[j]
            flat[cell + second_start + np.uint64(second[at]) * n_classes] += amount[j]
    if n_attributes % 2 == 1:
        column, start = codes[n_attributes - 1], np.uint64(offsets[n_attributes - 1]) * n_classes
        for j in range(n):
            flat[base[j] + start + np.uint64(column[np.uint64(row[j])]) * n_classes] += amount[j]


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
    for i in range(leaf.shape[0]):
        out[leaf[i], label[i]] += weight[i]
