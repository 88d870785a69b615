"""A complete binary tree in flat arrays.

Nodes are numbered as in a heap: the root is 0, the children of ``i`` are ``2i + 1`` (left) and ``2i + 2`` (right). A
tree of depth ``d`` has ``2**d - 1`` inner nodes and ``2**d`` leaves, whatever the data: its shape says nothing about
the rows it was trained on.

A node's test reads one attribute's code. A row goes right if its code lies in ``first..last``; a missing value (code 0)
goes right if ``missing_right``. A threshold is the range ``first..255``, "is this category" the range ``c..c``. The
null test (attribute -1) sends every row left; only noise-free training writes it, for a node it did not split.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
import numpy.typing as npt

from privboost.errors import ModelFileError

__all__ = ["EqualTrees", "Splits", "Tree"]

MAX_DEPTH = 16


@dataclass(frozen=True, eq=False)
class Splits:
    """Tests of several nodes, one array a field, all of one length.

    Attributes
    ----------
    attribute : ndarray of int32
        Index of the attribute read; -1 for the null test.
    first, last : ndarray of uint8
        A row whose code lies in ``first..last`` (1 to 255) goes right.
    missing_right : ndarray of bool
        Whether a missing value (code 0) goes right.
    """

    attribute: npt.NDArray[np.int32]
    first: npt.NDArray[np.uint8]
    last: npt.NDArray[np.uint8]
    missing_right: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.attribute)

    def take(self, index: npt.NDArray[np.int64]) -> Splits:
        """Return the tests at ``index``; an index of -1 gives the null test."""
        absent = index < 0
        if not absent.any():
            return Splits(self.attribute[index], self.first[index], self.last[index], self.missing_right[index])
        chosen = np.where(absent, 0, index)
        attribute = np.where(absent, np.int32(-1), self.attribute[chosen])
        return Splits(attribute, self.first[chosen], self.last[chosen], self.missing_right[chosen])

    @staticmethod
    def null(n: int) -> Splits:
        """Return ``n`` null tests."""
        ones = np.ones(n, np.uint8)
        return Splits(np.full(n, -1, np.int32), ones, ones, np.zeros(n, np.bool_))

    @staticmethod
    def concatenate(parts: list[Splits]) -> Splits:
        """Join the tests of the levels of a tree, root first."""
        return Splits(
            np.concatenate([p.attribute for p in parts]),
            np.concatenate([p.first for p in parts]),
            np.concatenate([p.last for p in parts]),
            np.concatenate([p.missing_right for p in parts]),
        )


@dataclass(frozen=True, eq=False)
class Tree:
    """A trained tree.

    Attributes
    ----------
    depth : int
        Number of tests on every path, 1 to 16.
    splits : Splits
        The ``2**depth - 1`` tests in heap order.
    values : ndarray of float64, shape (2**depth, n_outputs)
        Leaf values, left to right; an ensemble takes finite ones only.
    """

    depth: int
    splits: Splits
    values: npt.NDArray[np.float64]

    def __post_init__(self) -> None:
        if not 1 <= self.depth <= MAX_DEPTH:
            raise ModelFileError(f"A tree's depth must lie in 1..{MAX_DEPTH}; got {self.depth}.")
        n_leaves = 2**self.depth
        if len(self.splits) != n_leaves - 1:
            raise ModelFileError(f"A tree of depth {self.depth} has {n_leaves - 1} tests; got {len(self.splits)}.")
        if self.values.ndim != 2 or self.values.shape[0] != n_leaves:
            raise ModelFileError(f"A tree of depth {self.depth} has {n_leaves} leaves; got {self.values.shape}.")

    @property
    def n_outputs(self) -> int:
        """Number of values in a leaf."""
        return int(self.values.shape[1])

    @property
    def n_leaves(self) -> int:
        """Number of leaves that a row can reach: ``2**depth`` unless null tests cut some off."""
        return self.n_nodes - self.n_tests

    @property
    def n_tests(self) -> int:
        """Number of tests that a row can meet, null tests aside."""
        return sum(1 for node in self._reachable() if node < len(self.splits) and self.splits.attribute[node] >= 0)

    @property
    def n_nodes(self) -> int:
        """Number of tests and leaves, null tests aside."""
        return 2 * self.n_tests + 1

    def _reachable(self) -> list[int]:
        """Heap numbers of the nodes that a row can reach, null tests included."""
        found, frontier = [], [0]
        while frontier:
            node = frontier.pop()
            found.append(node)
            if node < len(self.splits):
                frontier.append(2 * node + 1)
                if self.splits.attribute[node] >= 0:
                    frontier.append(2 * node + 2)
        return found


@dataclass(frozen=True, eq=False)
class EqualTrees(Sequence[Tree]):
    """Trees of one depth, in one array a field: a `Tree` is made when it is asked for.

    A study trains many ensembles, and looks at few of their trees.

    Attributes
    ----------
    depth : int
    splits : Splits
        All tests, tree after tree, each tree's in heap order.
    values : ndarray of float64, shape (n_trees, 2**depth, n_outputs)
        Leaf values.
    """

    depth: int
    splits: Splits
    values: npt.NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.values)

    @overload
    def __getitem__(self, index: int) -> Tree: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Tree, ...]: ...

    def __getitem__(self, index: int | slice) -> Tree | tuple[Tree, ...]:
        if isinstance(index, slice):
            return tuple(self._tree(t) for t in range(len(self))[index])
        return self._tree(range(len(self))[index])

    def __iter__(self) -> Iterator[Tree]:
        return map(self._tree, range(len(self)))

    def _tree(self, t: int) -> Tree:
        n_tests, own = 2**self.depth - 1, self.splits
        at = slice(t * n_tests, (t + 1) * n_tests)
        splits = Splits(own.attribute[at], own.first[at], own.last[at], own.missing_right[at])
        return Tree(self.depth, splits, self.values[t])
