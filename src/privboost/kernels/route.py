"""Sending rows down trees: one level at a time in training, or from the root to the leaves at once.

A block of rows takes all tests of a tree without a branch, from the bottom up: each test picks, for every row, one of
the leaf numbers that its two children found. All of this is comparing and choosing bytes in loops over rows, of which a
processor does dozens at a time. A walk from the root to the leaf needs fewer tests, but one after the other, and a
processor guesses wrongly at many of its turns.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from privboost.compiled import kernel

__all__ = ["add_trees", "leaf_of_rows", "route_level"]

# Rows that take the tests together: their codes, and the leaf numbers that a level found, stay in the nearest caches.
_BLOCK = 2048

# Levels whose tests all rows take: leaf numbers are bytes. Rows walk through the levels below.
_UPPER = 8

# Fewer rows than this walk all the way.
_FEW = 24


_LEVEL_BLOCK = 1024
"""Rows whose codes of one attribute are compared at a time: their positions and sides stay in the first cache."""

_FEW_NODES = 64
"""Up to so many nodes, a look at every row for each node, 32 rows an instruction, is faster than one look at a row's
own test, whose attribute the processor cannot foresee."""


@kernel
def route_level(
    codes: npt.NDArray[np.uint8],
    node: npt.NDArray[np.int32],
    attribute: npt.NDArray[np.int32],
    first: npt.NDArray[np.uint8],
    last: npt.NDArray[np.uint8],
    missing_right: npt.NDArray[np.bool_],
) -> None:
    """Replace each row's position in its level, in place, by its position in the next level: ``2 * node + right``.

    ``codes`` is (n_attributes, n_rows); the other arrays hold one test a node of the level.
    """
    if attribute.shape[0] <= _FEW_NODES:
        _route_few(codes, node, attribute, first, last, missing_right)
        return
    for i in range(node.shape[0]):
        # One level down a heap, whose children have numbers greater by 1 than their positions here.
        node[i] = _walk(codes, i, node[i], 1, attribute, first, last, missing_right) - 1


@kernel
def _route_few(
    codes: npt.NDArray[np.uint8],
    node: npt.NDArray[np.int32],
    attribute: npt.NDArray[np.int32],
    first: npt.NDArray[np.uint8],
    last: npt.NDArray[np.uint8],
    missing_right: npt.NDArray[np.bool_],
) -> None:
    n_rows = node.shape[0]
    place, side = np.empty(_LEVEL_BLOCK, np.uint8), np.empty(_LEVEL_BLOCK, np.uint8)
    for start in range(0, n_rows, _LEVEL_BLOCK):
        here = node[start : min(start + _LEVEL_BLOCK, n_rows)]
        n = here.shape[0]
        for i in range(n):
            place[i] = np.uint8(here[i])
            side[i] = 0
        for k in range(attribute.shape[0]):
            if attribute[k] < 0:
                continue
            column = codes[attribute[k], start : start + n]
            own, low, high, missing = np.uint8(k), first[k], last[k], np.uint8(missing_right[k])
            for i in range(n):
                code = column[i]
                inside = np.uint8(low <= code) & np.uint8(code <= high)  # never true of code 0
                side[i] |= np.uint8(place[i] == own) & (inside | (missing & np.uint8(code == 0)))
        for i in range(n):
            here[i] = 2 * here[i] + np.int32(side[i])


@kernel
def _walk(
    codes: npt.NDArray[np.uint8],
    i: int,
    k: int,
    n_levels: int,
    attribute: npt.NDArray[np.int32],
    first: npt.NDArray[np.uint8],
    last: npt.NDArray[np.uint8],
    missing_right: npt.NDArray[np.bool_],
) -> int:
    """Return the heap number of the node where row ``i`` arrives from node ``k``, so many levels below."""
    for _ in range(n_levels):
        right = 0
        a = attribute[k]
        if a >= 0:
            code = codes[a, i]
            if code == 0:
                right = 1 if missing_right[k] else 0
            elif first[k] <= code <= last[k]:
                right = 1
        k = 2 * k + 1 + right
    return k


@kernel
def _range(
    k: int,
    attribute: npt.NDArray[np.int32],
    first: npt.NDArray[np.uint8],
    last: npt.NDArray[np.uint8],
    missing_right: npt.NDArray[np.bool_],
) -> tuple[Any, Any, Any, Any]:
    """Return (attribute, start, span, other): right means ``(code - start) mod 256 <= span`` or ``code == other``.

    For the null test, as which ``k = -1`` counts, and for one that no code passes, the attribute is -1 and stands for
    codes of 0, none of which goes right.
    """
    if k < 0 or attribute[k] < 0 or (first[k] > last[k] and not missing_right[k]):
        return -1, np.uint8(1), np.uint8(0), np.uint8(1)
    if first[k] > last[k]:
        return np.int64(attribute[k]), np.uint8(0), np.uint8(0), np.uint8(0)
    span = np.uint8(np.int64(last[k]) - np.int64(first[k]))
    return np.int64(attribute[k]), first[k], span, np.uint8(0) if missing_right[k] else first[k]


@kernel
def _right(code: int, start: int, span: int, other: int) -> bool:
    return bool((np.uint8((np.int64(code) - np.int64(start)) & 255) <= span) | (code == other))


@kernel
def _upper_leaves(
    codes: npt.NDArray[np.uint8],
    begin: int,
    end: int,
    depth: int,
    attribute: npt.NDArray[np.int32],
    first: npt.NDArray[np.uint8],
    last: npt.NDArray[np.uint8],
    missing_right: npt.NDArray[np.bool_],
    found: npt.NDArray[np.uint8],
) -> int:
    """Find the leaf of each of the rows ``begin`` to ``end - 1``, two levels at a time, ``depth`` at most 8.

    ``found`` is (2, n_nodes + 1, n_rows): what the nodes of a level found and what those above make of it. The last
    line of its first half is 0. Returns in which half the first line is the answer.
    """
    zeros, n_rows = found[0, -1], end - begin
    half, level = 0, depth - 2
    while True:
        below = found[1 - half]
        for j in range(2 ** max(level, 0)):
            # Where the number of levels is odd, a null test stands above the root, which is its left child.
            k = 2**level - 1 + j if level >= 0 else -1
            a0, start0, span0, other0 = _range(k, attribute, first, last, missing_right)
            a1, start1, span1, other1 = _range(2 * k + 1 if k >= 0 else 0, attribute, first, last, missing_right)
            a2, start2, span2, other2 = _range(2 * k + 2 if k >= 0 else -1, attribute, first, last, missing_right)
            code0 = codes[a0, begin:end] if a0 >= 0 else zeros
            code1 = codes[a1, begin:end] if a1 >= 0 else zeros
            code2 = codes[a2, begin:end] if a2 >= 0 else zeros
            out = found[half, j]
            if level == depth - 2:
                leaf = np.uint8(4 * j)
                leaf1, leaf2, leaf3 = np.uint8(4 * j + 1), np.uint8(4 * j + 2), np.uint8(4 * j + 3)
                for i in range(n_rows):
                    left = leaf1 if _right(code1[i], start1, span1, other1) else leaf
                    right = leaf3 if _right(code2[i], start2, span2, other2) else leaf2
                    out[i] = right if _right(code0[i], start0, span0, other0) else left
            else:
                ll, lr, rl, rr = below[4 * j], below[4 * j + 1], below[4 * j + 2], below[4 * j + 3]
                for i in range(n_rows):
                    # All four are read before the choice, which would be a branch otherwise.
                    leaf, leaf1, leaf2, leaf3 = ll[i], lr[i], rl[i], rr[i]
                    left = leaf1 if _right(code1[i], start1, span1, other1) else leaf
                    right = leaf3 if _right(code2[i], start2, span2, other2) else leaf2
                    out[i] = right if _right(code0[i], start0, span0, other0) else left
        if level <= 0:
            return half
        half, level = 1 - half, level - 2


@kernel
def _leaves(
    codes: npt.NDArray[np.uint8],
    begin: int,
    depth: int,
    attribute: npt.NDArray[np.int32],
    first: npt.NDArray[np.uint8],
    last: npt.NDArray[np.uint8],
    missing_right: npt.NDArray[np.bool_],
    found: npt.NDArray[np.uint8],
    out: npt.NDArray[np.int32],
) -> None:
    """Write the leaf numbers of a block of rows that begins at row ``begin``; ``found`` is work space."""
    n_rows = out.shape[0]
    upper = min(depth, _UPPER) if n_rows >= _FEW else 0
    if upper > 0:
        half = _upper_leaves(codes, begin, begin + n_rows, upper, attribute, first, last, missing_right, found)
        answer = found[half, 0]
        for i in range(n_rows):
            out[i] = answer[i]
    if upper < depth:
        for i in range(n_rows):
            k = out[i] + 2**upper - 1 if upper > 0 else 0
            k = _walk(codes, begin + i, k, depth - upper, attribute, first, last, missing_right)
            out[i] = k - (2**depth - 1)


@kernel
def _work_space(depth: int, n_rows: int) -> npt.NDArray[np.uint8]:
    n_nodes = 2 ** max(min(depth, _UPPER) - 2, 2)
    found = np.empty((2, n_nodes + 1, min(n_rows, _BLOCK)), np.uint8)
    for i in range(found.shape[2]):
        found[0, n_nodes, i] = 0
    return found


@kernel
def leaf_of_rows(
    codes: npt.NDArray[np.uint8],
    depth: int,
    attribute: npt.NDArray[np.int32],
    first: npt.NDArray[np.uint8],
    last: npt.NDArray[np.uint8],
    missing_right: npt.NDArray[np.bool_],
    out: npt.NDArray[np.int32],
) -> None:
    """Write each row's leaf number, 0..2**depth - 1, of one tree whose tests are in heap order.

    ``codes`` is (n_attributes, n_rows), each of its lines contiguous.
    """
    n_rows = codes.shape[1]
    found = _work_space(depth, n_rows)
    for begin in range(0, n_rows, _BLOCK):
        end = min(begin + _BLOCK, n_rows)
        _leaves(codes, begin, depth, attribute, first, last, missing_right, found, out[begin:end])


@kernel
def add_trees(
    codes: npt.NDArray[np.uint8],
    start: int,
    stop: int,
    depth: npt.NDArray[np.int64],
    attribute: npt.NDArray[np.int32],
    first: npt.NDArray[np.uint8],
    last: npt.NDArray[np.uint8],
    missing_right: npt.NDArray[np.bool_],
    values: npt.NDArray[np.float64],
    n_columns: int,
    output: npt.NDArray[np.int64],
    out: npt.NDArray[np.float64],
) -> None:
    """Add to the scores of some rows, in place, what tree after tree answers to each.

    Parameters
    ----------
    codes : (n_attributes, n_rows) uint8
    start, stop : the rows
    depth, output : (n_trees,) output is the line of ``out`` that a tree adds to; -1 where it has a value for each
    attribute, first, last, missing_right : the tests of all trees, tree by tree in heap order
    values : the leaf values of all trees, tree by tree: ``n_columns`` times ``2**depth``
    out : (n_outputs, n_rows) float64, added to
    """
    n_attributes = codes.shape[0]
    deepest = 0
    for t in range(depth.shape[0]):
        deepest = max(deepest, depth[t])
    found = _work_space(deepest, stop - start)
    leaf = np.empty(min(_BLOCK, stop - start), np.int32)
    # Lines of a power of two of bytes would stand in each other's way in the caches.
    near = np.empty((n_attributes, min(_BLOCK, stop - start) + 64), np.uint8)
    for begin in range(start, stop, _BLOCK):
        n_rows = min(_BLOCK, stop - begin)
        for a in range(n_attributes):
            line, code = near[a], codes[a, begin : begin + n_rows]
            for i in range(n_rows):
                line[i] = code[i]
        test, value = 0, 0
        for t in range(depth.shape[0]):
            n_leaves = 2 ** depth[t]
            end = test + n_leaves - 1
            tests = attribute[test:end], first[test:end], last[test:end], missing_right[test:end]
            _leaves(near, 0, depth[t], tests[0], tests[1], tests[2], tests[3], found, leaf[:n_rows])
            for column in range(n_columns):
                score = out[column if output[t] < 0 else output[t], begin : begin + n_rows]
                leaf_value = values[value : value + n_leaves]
                for i in range(n_rows):
                    score[i] += leaf_value[leaf[i]]
                value += n_leaves
            test = end
