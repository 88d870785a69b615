"""Rows held in this process's memory: the private side of training.

Everything in here is raw. What leaves is wrapped in a type that only a mechanism can open, except the few exact answers
that noise-free training asks for, whose names say so.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from privboost.kernels.boost import add_leaf_values, boosting_weights
from privboost.kernels.route import route_level
from privboost.kernels.scores import candidate_sums, split_scores
from privboost.kernels.sums import leaf_sums, level_sums
from privboost.losses import Loss
from privboost.privacy.mechanisms import RawScores, RawSums
from privboost.privacy.simulation import RawRows
from privboost.trees.tree import Splits

__all__ = ["GRID", "LocalRows", "RowArrays"]

GRID = 2**16
"""Grid units in a weight of 1."""


class RowArrays(NamedTuple):
    """What `LocalRows` holds, for compiled code; see there. ``active`` tells rows whose class is known."""

    codes: npt.NDArray[np.uint8]
    offsets: npt.NDArray[np.int64]
    label: npt.NDArray[np.int16]
    active: npt.NDArray[np.bool_]
    weight: npt.NDArray[np.int64]
    score: npt.NDArray[np.float64]
    node: npt.NDArray[np.int32]


class LocalRows:
    """Encoded rows, their classes, weights and running scores.

    Parameters
    ----------
    codes : ndarray of uint8, shape (n_attributes, n_rows)
    offsets : ndarray of int64, shape (n_attributes + 1,)
        First cell of each attribute.
    labels : ndarray of int16, shape (n_rows,)
        Class of each row; -1 for a label outside the public list, which gives the row weight 0.
    n_classes : int
    initial_weight : float
        Weight of every row before the first update.
    """

    def __init__(
        self,
        codes: npt.NDArray[np.uint8],
        offsets: npt.NDArray[np.int64],
        labels: npt.NDArray[np.int16],
        n_classes: int,
        initial_weight: float = 1.0,
    ) -> None:
        n_rows = codes.shape[1]
        self._codes = codes
        self._offsets = offsets
        self._active = labels >= 0
        self._label = np.where(self._active, labels, 0).astype(np.int16)
        self._n_classes = n_classes
        self._weight = np.where(self._active, np.int64(round(initial_weight * GRID)), np.int64(0))
        self._score = np.zeros(n_rows, np.float64)
        self._node = np.zeros(n_rows, np.int32)
        self._n_nodes = 1

    @property
    def n_rows(self) -> int:
        """Public number of rows."""
        return int(self._codes.shape[1])

    @property
    def n_nodes(self) -> int:
        """Number of nodes of the current level."""
        return self._n_nodes

    def start_tree(self) -> None:
        """Bring every row back to the root."""
        self._node[:] = 0
        self._n_nodes = 1

    def split_scores(self, candidates: Splits, loss: Loss, sensitivity: int) -> RawScores:
        """Scores of every candidate of every node of the level, in grid units."""
        children = self._children(candidates)
        if loss.kernel_code is None:
            w1 = children[..., 1].astype(np.float64)
            scores = np.rint(-loss.criterion(w1, children.sum(axis=-1).astype(np.float64)).sum(axis=-1))
            return RawScores(scores.astype(np.int64), sensitivity)
        kind, alpha = loss.kernel_code
        out = np.empty(children.shape[:2], np.int64)
        split_scores(children, kind, alpha, out)
        return RawScores(out, sensitivity)

    def _children(self, candidates: Splits) -> npt.NDArray[np.int64]:
        sums = np.empty((self._n_nodes, int(self._offsets[-1]), 2), np.int64)
        level_sums(self._codes, self._offsets, self._node, self._label, self._weight, sums)
        children = np.empty((self._n_nodes, len(candidates), 2, 2), np.int64)
        fields = (candidates.attribute, candidates.first, candidates.last, candidates.missing_right)
        candidate_sums(sums, self._offsets, *fields, children)
        return children

    def leaf_sums(self, sensitivity: int) -> RawSums:
        """Return the sums of the weights of each class at each node of the level, in grid units.

        One release of ``n_nodes * n_classes`` numbers, node by node: a row touches one of them.
        """
        return RawSums(self._leaf_sums().reshape(1, -1), sensitivity)

    def leaf_scores(self, sensitivity: int) -> RawScores:
        """Return the same sums as scores to select a class by, shape (n_nodes, n_classes)."""
        return RawScores(self._leaf_sums(), sensitivity)

    def _leaf_sums(self) -> npt.NDArray[np.int64]:
        out = np.empty((self._n_nodes, self._n_classes), np.int64)
        leaf_sums(self._node, self._label, self._weight, out)
        return out

    def exact_leaf_sums(self) -> npt.NDArray[np.int64]:
        """Return the same without a wrapper, shape (n_nodes, n_classes): for simulations, which are not private."""
        return self._leaf_sums()

    def pure_nodes(self) -> npt.NDArray[np.bool_]:
        """Whether each node holds rows of at most one class. Exact: for noise-free training only."""
        return np.asarray((self._leaf_sums() > 0).sum(axis=1) <= 1)

    def route(self, splits: Splits) -> None:
        """Send the rows to the next level."""
        route_level(self._codes, self._node, splits.attribute, splits.first, splits.last, splits.missing_right)
        self._n_nodes *= 2

    def spread(self, tree_of_row: npt.NDArray[np.int32], n_trees: int) -> None:
        """Stand row i at root ``tree_of_row[i]`` of ``n_trees`` roots grown side by side."""
        self._node[:] = tree_of_row
        self._n_nodes = n_trees

    def boost(self, leaf_values: npt.NDArray[np.float64], alpha: float, cap: int) -> None:
        """Add a released tree to the running scores and recompute the weights, none above ``cap`` grid units."""
        add_leaf_values(self._node, leaf_values, self._score)
        boosting_weights(self._score, self._label, self._active, alpha, float(GRID), cap, self._weight)

    def raw(self) -> RawRows[RowArrays]:
        """Return all there is, for a simulation, which boosts these rows in place."""
        arrays = (self._codes, self._offsets, self._label, self._active, self._weight, self._score, self._node)
        return RawRows(RowArrays(*arrays))
