"""Sums of row weights per (node, code, class): the only place where rows are added up.

All sums are int64 over integer weights, so they do not depend on the order of the rows or on how the work is divided.
A plan refuses, from public numbers, any run whose sums could leave the range in which float64 holds integers exactly.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from privboost.compiled import kernel

__all__ = ["leaf_sums", "level_sums"]


@kernel
def level_sums(
    codes: npt.NDArray[np.uint8],
    offsets: npt.NDArray[np.int64],
    node: npt.NDArray[np.int32],
    label: npt.NDArray[np.int16],
    weight: npt.NDArray[np.int64],
    out: npt.NDArray[np.int64],
) -> None:
    """Add every row's weight to one cell of its node for each attribute.

    Parameters
    ----------
    codes : (n_attributes, n_rows) uint8, C order
    offsets : (n_attributes + 1,) first cell of each attribute
    node : (n_rows,) position of each row's node within the level
    label : (n_rows,) class of each row, 0..n_classes-1 (any of them if the weight is 0)
    weight : (n_rows,) weights in grid units
    out : (n_nodes, n_cells, n_classes), overwritten
    """
    n_attributes, n_rows = codes.shape
    n_cells, n_classes = out.shape[1], out.shape[2]
    flat = out.reshape(-1)
    flat[:] = 0
    # One pass works out where each row's node and class begin; the passes over attributes then add the code alone.
    # Unsigned, so that no index is looked at twice in case it counts from the end.
    base = np.empty(n_rows, np.uint64)
    for i in range(n_rows):
        base[i] = np.uint64(np.int64(node[i]) * (n_cells * n_classes) + label[i])
    step = np.uint64(n_classes)
    # Two attributes a pass read a row's base and weight once for both.
    for a in range(0, n_attributes - 1, 2):
        column, start = codes[a], np.uint64(offsets[a]) * step
        second, second_start = codes[a + 1], np.uint64(offsets[a + 1]) * step
        for i in range(n_rows):
            flat[base[i] + start + np.uint64(column[i]) * step] += weight[i]
            flat[base[i] + second_start + np.uint64(second[i]) * step] += weight[i]
    if n_attributes % 2 == 1:
        column, start = codes[n_attributes - 1], np.uint64(offsets[n_attributes - 1]) * step
        for i in range(n_rows):
            flat[base[i] + start + np.uint64(column[i]) * step] += weight[i]


@kernel
def leaf_sums(
    leaf: npt.NDArray[np.int32],
    label: npt.NDArray[np.int16],
    weight: npt.NDArray[np.int64],
    out: npt.NDArray[np.int64],
) -> None:
    """Add every row's weight to the cell (its leaf, its class) of ``out``, shape (n_leaves, n_classes), overwritten."""
    out[:] = 0
    for i in range(leaf.shape[0]):
        out[leaf[i], label[i]] += weight[i]
