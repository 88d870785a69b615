"""Sending rows down a tree: one level at a time in training, root to leaf in prediction."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from privboost.compiled import kernel

__all__ = ["leaf_of_rows", "route_level"]


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
