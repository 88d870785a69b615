"""Rows held in this process's memory: the private side of training.

Everything in here is raw. What leaves is wrapped in a type that only a mechanism can open, except the few exact answers
that noise-free training asks for, whose names say so.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from privboost.errors import PlanError
from privboost.kernels.boost import add_leaf_values, boosting_weights
from privboost.kernels.route import route_level
from privboost.kernels.scores import candidate_sums, split_scores
from privboost.kernels.sums import (
    MOST_SUMS,
    add_and_clear,
    count_rows,
    larger_siblings,
    leaf_sums,
    level_sums,
    smaller_siblings,
)
from privboost.losses import Loss
from privboost.privacy.mechanisms import RawScores, RawSums
from privboost.privacy.simulation import RawRows
from privboost.sources.passes import Passes
from privboost.threads import LEAST_ITEMS
from privboost.trees.tree import Splits

__all__ = ["GRID", "LocalRows", "RowArrays", "check_sums"]

GRID = 2**16
"""Grid units in a weight of 1."""

_MOST_ROWS = 65535
"""Rows whose weights, at most `GRID` each, sum to less than 2**32."""

_MOST_KEPT = 2**23
"""Most cells of a level that are kept until the next one."""


def check_sums(n_sums: int) -> None:
    """Raise PlanError for more sums, of a level or of histograms, than `level_sums` can number: from public numbers."""
    if n_sums > MOST_SUMS:
        raise PlanError(
            f"A level of the trees would have {n_sums} sums, more than {MOST_SUMS}, which can be numbered. Lower "
            "max_depth, n_bins, or the number of attributes."
        )


class RowArrays(NamedTuple):
    """What `LocalRows` holds, for compiled code; see there. ``active`` tells rows whose class is known."""

    codes: npt.NDArray[np.uint8]
    offsets: npt.NDArray[np.int64]
    label: npt.NDArray[np.int16]
    active: npt.NDArray[np.bool_]
    weight: npt.NDArray[np.int32]
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
    n_threads : int
    """

    def __init__(
        self,
        codes: npt.NDArray[np.uint8],
        offsets: npt.NDArray[np.int64],
        labels: npt.NDArray[np.int16],
        n_classes: int,
        initial_weight: float = 1.0,
        n_threads: int = 1,
    ) -> None:
        n_rows = codes.shape[1]
        self._codes = codes
        self._offsets = offsets
        self._active = labels >= 0
        self._label = np.where(self._active, labels, 0).astype(np.int16)
        self._n_classes = n_classes
        self._weight = np.where(self._active, np.int32(round(initial_weight * GRID)), np.int32(0))
        self._score = np.zeros(n_rows, np.float64)
        self._node = np.zeros(n_rows, np.int32)
        self._n_nodes = 1
        self._passes = Passes(n_rows, n_threads)
        self._known: npt.NDArray[np.int64] | None = None  # sums of the level above, of as many nodes as its length

    @property
    def n_rows(self) -> int:
        """Public number of rows."""
        return int(self._codes.shape[1])

    @property
    def n_cells(self) -> int:
        """Public number of codes of all attributes together."""
        return int(self._offsets[-1])

    @property
    def n_nodes(self) -> int:
        """Number of nodes of the current level."""
        return self._n_nodes

    def start_tree(self) -> None:
        """Bring every row back to the root."""

        def to_the_root(rows: slice) -> None:
            self._node[rows] = 0

        self._passes.later(to_the_root)
        self._n_nodes = 1
        self._known = None

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
        sums = self._level_sums()
        children = np.empty((self._n_nodes, len(candidates), 2, 2), np.int64)
        fields = (candidates.attribute, candidates.first, candidates.last, candidates.missing_right)
        candidate_sums(sums, self._offsets, *fields, children)
        return children

    def _level_sums(self) -> npt.NDArray[np.int64]:
        """Return the sums of the level's cells, (n_nodes, n_cells, 2): of the larger child of each node, by difference.

        Which child that is stays in here, as all sums do.
        """
        parent, self._known = self._known, None
        if parent is None or 2 * len(parent) != self._n_nodes:
            sums = self._built(np.arange(self._n_nodes, dtype=np.int32), self._n_nodes)
        else:
            counts = self._passes.add_up((self._n_nodes,), lambda rows, out: count_rows(self._node[rows], out))
            place = np.empty(self._n_nodes, np.int32)
            smaller_siblings(counts, place)
            sums = np.empty((self._n_nodes, *parent.shape[1:]), np.int64)
            larger_siblings(self._built(place, len(parent)), place, parent, sums)
        if sums.size <= _MOST_KEPT:
            self._known = sums
        return sums

    def _built(self, place: npt.NDArray[np.int32], n_places: int) -> npt.NDArray[np.int64]:
        """Add up the rows of the nodes that have a place."""
        shape = (n_places, int(self._offsets[-1]), 2)
        check_sums(math.prod(shape))
        if self.n_rows <= LEAST_ITEMS:
            sums = np.zeros(shape, np.int64)
            self._passes.ask(lambda rows, slot: self._add_level(rows, place, sums))
            return sums
        parts = np.zeros((self._passes.n_slots, *shape), np.uint32)
        totals = np.zeros((self._passes.n_slots, *shape), np.int64)

        def add(rows: slice, slot: int) -> None:
            if rows.stop - rows.start > _MOST_ROWS:
                raise OverflowError(f"Sums of more than {_MOST_ROWS} rows do not fit into 32 bits.")
            self._add_level(rows, place, parts[slot])
            add_and_clear(parts[slot], totals[slot])

        self._passes.ask(add)
        return np.asarray(totals.sum(axis=0))

    def _add_level(self, rows: slice, place: npt.NDArray[np.int32], out: npt.NDArray[Any]) -> None:
        fields = (self._node[rows], self._label[rows], self._weight[rows])
        level_sums(self._codes[:, rows], self._offsets, *fields, place, out)

    def leaf_sums(self, sensitivity: int) -> RawSums:
        """Return the sums of the weights of each class at each node of the level, in grid units.

        One release of ``n_nodes * n_classes`` numbers, node by node: a row touches one of them.
        """
        return RawSums(self._leaf_sums().reshape(1, -1), sensitivity)

    def leaf_scores(self, sensitivity: int) -> RawScores:
        """Return the same sums as scores to select a class by, shape (n_nodes, n_classes)."""
        return RawScores(self._leaf_sums(), sensitivity)

    def _leaf_sums(self) -> npt.NDArray[np.int64]:
        def add(rows: slice, out: npt.NDArray[np.int64]) -> None:
            leaf_sums(self._node[rows], self._label[rows], self._weight[rows], out)

        return self._passes.add_up((self._n_nodes, self._n_classes), add)

    def exact_leaf_sums(self) -> npt.NDArray[np.int64]:
        """Return the same without a wrapper, shape (n_nodes, n_classes): for simulations, which are not private."""
        return self._leaf_sums()

    def pure_nodes(self) -> npt.NDArray[np.bool_]:
        """Whether each node holds rows of at most one class. Exact: for noise-free training only."""
        return np.asarray((self._leaf_sums() > 0).sum(axis=1) <= 1)

    def route(self, splits: Splits) -> None:
        """Send the rows to the next level."""
        fields = (splits.attribute, splits.first, splits.last, splits.missing_right)
        self._passes.later(lambda rows: route_level(self._codes[:, rows], self._node[rows], *fields))
        self._n_nodes *= 2

    def spread(self, tree_of_row: npt.NDArray[np.int32], n_trees: int) -> None:
        """Stand row i at root ``tree_of_row[i]`` of ``n_trees`` roots grown side by side."""

        def to_its_root(rows: slice) -> None:
            self._node[rows] = tree_of_row[rows]

        self._passes.later(to_its_root)
        self._n_nodes = n_trees
        self._known = None

    def boost(self, leaf_values: npt.NDArray[np.float64], alpha: float, cap: int) -> None:
        """Add a released tree to the running scores and recompute the weights, none above ``cap`` grid units."""

        def update(rows: slice) -> None:
            add_leaf_values(self._node[rows], leaf_values, self._score[rows])
            fields = (self._score[rows], self._label[rows], self._active[rows])
            boosting_weights(*fields, alpha, float(GRID), cap, self._weight[rows])

        self._passes.later(update)
        self._known = None

    def raw(self) -> RawRows[RowArrays]:
        """Return all there is, for a simulation, which boosts these rows in place."""
        arrays = (self._codes, self._offsets, self._label, self._active, self._weight, self._score, self._node)
        return RawRows(RowArrays(*arrays))
