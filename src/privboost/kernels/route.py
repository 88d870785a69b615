"""Sending rows down a tree: one level at a time in training, root to leaf in prediction."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from privboost.compiled import kernel

__all__ = ["leaf_of_rows", "route_level"]


_BLOCK = 1024
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
        k = node[i]
        right = 0
        a = attribute[k]
        if a >= 0:
            code = codes[a, i]
            if code == 0:
                right = 1 if missing_right[k] else 0
            elif first[k] <= code <= last[k]:
                right = 1
        node[i] = 2 * k + right


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
    place, side = np.empty(_BLOCK, np.uint8), np.empty(_BLOCK, np.uint8)
    for start in range(0, n_rows, _BLOCK):
        here = node[start : min(start + _BLOCK, n_rows)]
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
def leaf_of_rows(
    codes: npt.NDArray[np.uint8],
    depth: int,
    attribute: npt.NDArray[np.int32],
    first: npt.NDArray[np.uint8],
    last: npt.NDArray[np.uint8],
    missing_right: npt.NDArray[np.bool_],
    out: npt.NDArray[np.int32],
) -> None:
    """Write each row's leaf number, 0..2**depth - 1, of one tree whose tests are in heap order."""
    for i in range(codes.shape[1]):
        k = 0
        for _ in range(depth):
            right = 0
            a = attribute[k]
            if a >= 0:
                code = codes[a, i]
                if code == 0:
                    right = 1 if missing_right[k] else 0
                elif first[k] <= code <= last[k]:
                    right = 1
            k = 2 * k + 1 + right
        out[i] = k - (2**depth - 1)
