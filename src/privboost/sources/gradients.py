"""Rows of a run of Newton boosting, held in this process's memory: the private side of training.

As in ``privboost.sources.local``, whatever leaves is wrapped in a type that only a mechanism can open.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from privboost.data.edges import digitize
from privboost.data.refinement import Refinement
from privboost.kernels.boost import add_leaf_values
from privboost.kernels.gradients import (
    gradient_split_scores,
    gradient_sums,
    gradient_test_sums,
)
from privboost.kernels.route import leaf_of_rows, route_level
from privboost.kernels.sums import leaf_sums, level_sums
from privboost.privacy.mechanisms import Norm, RawScores, RawSums
from privboost.sources.local import GRID, check_sums
from privboost.sources.objectives import Objective
from privboost.sources.passes import Passes
from privboost.trees.tree import Splits

__all__ = ["GradientRows", "histogram_sensitivity"]


class GradientRows:
    """Encoded rows, their targets, weights and running scores.

    Parameters
    ----------
    encode : callable
        ``encode(refinement)`` gives the rows' codes, uint8 of shape (n_attributes, n_rows); by the public layout
        for None.
    target : ndarray, shape (n_rows,)
        Class of each row, or a number between 0 and 1. What it says of a row of weight 0 makes no difference.
    units : ndarray of int32, shape (n_rows,)
        Weight of each row, in grid units, 0 to `GRID`; 0 for a row that does not count.
    objective : Objective
    n_stats : int
        Classes; 2 where the target is a number, which counts for both ends in part.
    n_threads : int
    """

    def __init__(
        self,
        encode: Callable[[Refinement | None], npt.NDArray[np.uint8]],
        target: npt.NDArray[Any],
        units: npt.NDArray[np.int32],
        objective: Objective,
        n_stats: int,
        n_threads: int = 1,
    ) -> None:
        n_rows = len(target)
        self._encode = encode
        self._codes = np.empty((0, n_rows), np.uint8)
        self._target = np.empty_like(target)
        self._units = units
        self._objective = objective
        self._n_stats = n_stats
        self._score = np.empty((objective.n_outputs, n_rows), np.float64)
        self._gradients = np.zeros((objective.n_outputs + 1, n_rows), np.int32)
        self._leaf = np.zeros(n_rows, np.int32)
        self._passes = Passes(n_rows, n_threads)

        def hide_what_does_not_count(rows: slice) -> None:
            self._target[rows] = np.where(units[rows] > 0, target[rows], target.dtype.type(0))

        self._passes.later(hide_what_does_not_count)

    @property
    def n_rows(self) -> int:
        """Public number of rows."""
        return len(self._target)

    def _shares(self, rows: slice) -> list[tuple[npt.NDArray[np.int16], npt.NDArray[np.int32]]]:
        """Return what each row counts for, as (column, amount) passes; the amounts of a row add up to at most 1."""
        whole, target = self._units[rows], self._target[rows]
        if self._objective.combination in ("logit", "softmax"):
            return [(target.astype(np.int16), whole)]
        upper = np.minimum(np.floor(whole * target).astype(np.int32), whole)
        ends = (np.zeros(len(target), np.int16), np.ones(len(target), np.int16))
        return [(ends[0], whole - upper), (ends[1], upper)]

    def totals(self, norm: Norm) -> RawSums:
        """Return the weights of every class: one release of ``n_stats`` numbers, of which a row changes one by 1.

        Where the target is a number t, the sums of 1 - t and t: a row changes both by 1 together.
        """

        def add(rows: slice, out: npt.NDArray[np.int64]) -> None:
            root = np.zeros(len(self._units[rows]), np.int32)
            for column, amount in self._shares(rows):
                leaf_sums(root, column, amount, out)

        return RawSums(self._passes.add_up((1, self._n_stats), add), GRID, norm=norm)

    def histograms(self, offsets: npt.NDArray[np.int64], norm: Norm) -> RawSums:
        """Return the same totals for every code of every attribute of the public layout.

        One release of ``n_cells * n_stats`` numbers; a row changes one cell of each attribute by 1, hence all of them
        by ``n_attributes`` in L1 norm and by its root in L2 norm.

        Parameters
        ----------
        offsets : ndarray of int64, shape (n_attributes + 1,)
            First cell of each attribute.
        norm : {"l1", "l2"}
        """
        check_sums(int(offsets[-1]) * self._n_stats)
        codes = self._encode(None)

        def add(rows: slice, out: npt.NDArray[np.int64]) -> None:
            root = np.zeros(len(self._units[rows]), np.int32)  # as if all rows stood in one node
            for column, amount in self._shares(rows):
                level_sums(codes[:, rows], offsets, root, column, amount, root[:1], out[None])

        out = self._passes.add_up((int(offsets[-1]), self._n_stats), add)
        return RawSums(out.reshape(1, -1), histogram_sensitivity(len(codes), norm), norm=norm)

    def start(self, refinement: Refinement, base: npt.NDArray[np.float64]) -> None:
        """Encode the rows as released tables say, and give all of them the same released scores."""
        self._codes = self._encode(refinement)

        def to_the_base(rows: slice) -> None:
            self._score[:, rows] = base[:, None]

        self._passes.later(to_the_base)

    def compute_gradients(self, low: npt.NDArray[np.float64], high: npt.NDArray[np.float64], kappa: float) -> None:
        """Work out every row's gradients and curvature at its present scores.

        Parameters
        ----------
        low, high : ndarray, shape (n_outputs,)
            Public interval of each output's score; a score outside counts as its end.
        kappa : float
            Factor of the curvature.
        """

        def compute(rows: slice) -> None:
            fields = (self._target[rows], self._units[rows], kappa, self._gradients[:, rows])
            self._objective.gradients(self._score[:, rows], (low, high), *fields)

        self._passes.later(compute)

    def stand_in_leaves(self, splits: Splits, depth: int) -> None:
        """Send every row to its leaf of a tree whose tests are in heap order."""
        fields = (splits.attribute, splits.first, splits.last, splits.missing_right)
        self._passes.later(lambda rows: leaf_of_rows(self._codes[:, rows], depth, *fields, self._leaf[rows]))

    def start_tree(self) -> None:
        """Bring every row to the root of a tree that is grown level by level."""

        def to_the_root(rows: slice) -> None:
            self._leaf[rows] = 0

        self._passes.later(to_the_root)

    def split_scores(self, tests: Splits, n_nodes: int, sensitivity: int) -> RawScores:
        """Return how well each of a node's tests parts gradients of either sign, for every node of the level.

        The score is ``|G_left| + |G_right| - sum |g|`` over the gradients g of the node's rows and their sums G on
        either side, all in L1 norm; 0 if no side has gradients of both signs, else below. For two classes it is minus
        the zero-one criterion of the boosting weights ``|t - p|``, that of alpha = 0.

        A row that is added moves all scores of its node down, by at most twice its gradient's norm: the sums grow by at
        most the norm, by the triangle inequality, and shrink by at most the norm.

        Parameters
        ----------
        tests : Splits
            So many for each node, node by node.
        n_nodes : int
        sensitivity : int
            Twice the largest L1 norm of a row's gradients, in grid units.
        """
        shape = (n_nodes, len(tests) // n_nodes)
        attribute, missing_right = tests.attribute.reshape(shape), tests.missing_right.reshape(shape)
        first, last = tests.first.reshape(shape), tests.last.reshape(shape)
        slots, n_outputs = self._passes.n_slots, self._objective.n_outputs
        right = np.zeros((slots, n_outputs, *shape), np.int64)
        total, size = np.zeros((slots, n_outputs, n_nodes), np.int64), np.zeros((slots, n_nodes), np.int64)

        def add(rows: slice, slot: int) -> None:
            private = (self._codes[:, rows], self._leaf[rows], self._gradients[:-1, rows])
            sums = (right[slot], total[slot], size[slot])
            gradient_test_sums(*private, attribute, first, last, missing_right, *sums)

        self._passes.ask(add)
        out = np.empty(shape, np.int64)
        gradient_split_scores(right.sum(axis=0), total.sum(axis=0), size.sum(axis=0), out)
        return RawScores(out, sensitivity)

    def route(self, splits: Splits) -> None:
        """Send the rows to the next level of the tree."""
        fields = (splits.attribute, splits.first, splits.last, splits.missing_right)
        self._passes.later(lambda rows: route_level(self._codes[:, rows], self._leaf[rows], *fields))

    def leaf_sums(self, n_leaves: int, sensitivity: int, norm: Norm) -> RawSums:
        """Sum gradients and curvature at each leaf: ``n_leaves`` releases, in parallel, of ``n_outputs + 1`` numbers.

        Parameters
        ----------
        n_leaves : int
        sensitivity : int
            Of one row's numbers, in grid units; see `Objective.sensitivity`.
        norm : {"l1", "l2"}
        """

        def add(rows: slice, out: npt.NDArray[np.int64]) -> None:
            gradient_sums(self._leaf[rows], self._gradients[:, rows], out)

        return RawSums(self._passes.add_up((n_leaves, len(self._gradients)), add), sensitivity, norm=norm)

    def add(self, values: npt.NDArray[np.float64]) -> None:
        """Add a released tree's leaf values, shape (n_leaves, n_outputs), to the running scores."""
        columns = np.ascontiguousarray(values.T)

        def step(rows: slice) -> None:
            for column, score in zip(columns, self._score, strict=True):
                add_leaf_values(self._leaf[rows], column, score[rows])

        self._passes.later(step)

    def score_histogram(self, edges: npt.NDArray[np.float64], norm: Norm) -> RawSums:
        """Return the weights of every class in each bin of the running score.

        One release of ``(len(edges) + 1) * n_stats`` numbers: a row stands in one bin, and changes one of them by 1.

        Parameters
        ----------
        edges : ndarray of float64
            Public, rising, at most 254; a score that equals one belongs above it.
        norm : {"l1", "l2"}
        """

        def add(rows: slice, out: npt.NDArray[np.int64]) -> None:
            scores = self._score[0, rows]
            codes = np.empty(len(scores), np.uint8)
            digitize(scores, edges, codes)
            place = codes.astype(np.int32) - np.int32(1)  # a released score is never missing
            for column, amount in self._shares(rows):
                leaf_sums(place, column, amount, out)

        return RawSums(self._passes.add_up((len(edges) + 1, self._n_stats), add).reshape(1, -1), GRID, norm=norm)


def histogram_sensitivity(n_attributes: int, norm: Norm) -> int:
    """Return the most that one row changes all one-way histograms together, in grid units."""
    if norm == "l1":
        return n_attributes * GRID
    return math.isqrt(n_attributes * GRID * GRID - 1) + 1
