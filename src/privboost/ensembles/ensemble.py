"""Trained trees and how they answer together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from privboost.errors import ModelFileError
from privboost.kernels.route import add_trees
from privboost.losses import MatsushitaLoss
from privboost.threads import in_ranges
from privboost.trees.tree import EqualTrees, Splits, Tree

__all__ = ["COMBINATIONS", "Ensemble", "calibrated", "scaled_reach", "undo_reach"]

COMBINATIONS = ("margin", "probability", "vote", "logit", "softmax", "identity", "log")

VECTOR = ("vote", "softmax")
"""Combinations whose leaves hold a value for every class."""

REGRESSION = ("identity", "log")
"""Combinations that predict a number between 0 and 1, the ends of the target's range."""


MAX_REACH = 100.0
"""Reach of scores that nothing holds back."""


class _FlatTrees(NamedTuple):
    """All trees, one after the other in each array; `add_trees` says what each is."""

    depth: npt.NDArray[np.int64]
    attribute: npt.NDArray[np.int32]
    first: npt.NDArray[np.uint8]
    last: npt.NDArray[np.uint8]
    missing_right: npt.NDArray[np.bool_]
    values: npt.NDArray[np.float64]
    n_columns: int
    output: npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Ensemble:
    """Trees, their weights and the rule that joins them.

    Attributes
    ----------
    combination : {"margin", "probability", "vote", "logit", "softmax", "identity", "log"}
        ``margin``: weighted leaf values add up to a margin for each output, which an inverse link maps to a
        probability. ``probability``: leaf values are probabilities of each output's class. ``vote``: each
        leaf holds one vote for a class. ``logit``, ``softmax``: they add up, from a base score on, to the log odds of
        the second of two classes, or to unnormalised log probabilities of all. ``identity``, ``log``: to a number,
        or the logarithm of a number, between 0 and 1.
    n_classes : int
        At least 2; 1 where a number is predicted.
    trees : sequence of Tree
    weights : ndarray of float64, shape (n_trees,)
        Factor of each tree's leaf values. Where trees add up to log odds, it is the same for all: the slope of the
        scores.
    outputs : ndarray of int64, shape (n_trees,)
        Output that each tree adds to: 0 for two classes; with more, the class that it learns against the rest. -1 for a
        tree whose leaves hold a value for every class.
    alpha : float
        Alpha of the mixture loss behind the margins; 1 where there are none.
    base : tuple of float
        Scores before the first tree, one for each column of the raw score; empty for zeros.
    reach : float
        How far from the base score gradients followed the scores in training, times the slope. A score that is c times
        as far away counts as ``1 + log(c)`` times as far: nothing told the trees to stop there. At most `MAX_REACH`.
    """

    combination: str
    n_classes: int
    trees: Sequence[Tree]
    weights: npt.NDArray[np.float64]
    outputs: npt.NDArray[np.int64]
    alpha: float = 1.0
    base: tuple[float, ...] = ()
    reach: float = MAX_REACH

    def __post_init__(self) -> None:
        if self.combination not in COMBINATIONS:
            raise ModelFileError(f"'combination' must be one of {COMBINATIONS}; got {self.combination!r:.60}.")
        if not len(self.trees) == len(self.weights) == len(self.outputs) or not len(self.trees):
            raise ModelFileError("A model holds at least one tree, and one weight and one output for each.")
        if not all(map(math.isfinite, self.weights.tolist())):
            raise ModelFileError("Tree weights must be finite.")
        vector = self.combination in VECTOR
        if (self.n_classes < 2) != (self.combination in REGRESSION):
            raise ModelFileError(f"A model joined by {self.combination!r} cannot have {self.n_classes} classes.")
        if not 0.0 <= self.reach <= MAX_REACH:
            raise ModelFileError(f"'reach' must lie between 0 and {MAX_REACH:g}; got {self.reach!r}.")
        if len(self.base) not in (0, self.n_outputs) or not all(map(math.isfinite, self.base)):
            raise ModelFileError("The base score must be a finite number for each output.")
        equal = [self.trees] if isinstance(self.trees, EqualTrees) else self.trees
        width = self.n_classes if vector else 1
        lowest, highest = (-1, -1) if vector else (0, self.n_outputs - 1)
        fits = all(part.values.shape[-1] == width for part in equal)
        outputs = self.outputs.tolist()
        if not fits or min(outputs) < lowest or max(outputs) > highest:
            raise ModelFileError("A tree's outputs do not fit the model's classes.")
        if not np.isfinite(np.concatenate([part.values for part in equal])).all():
            raise ModelFileError("Leaf values must be finite.")

    @property
    def n_outputs(self) -> int:
        """Columns of the raw score: 1 for a number and for two classes, else one a class."""
        return 1 if self.n_classes <= 2 else self.n_classes

    @cached_property
    def _flat_trees(self) -> _FlatTrees:
        if isinstance(self.trees, EqualTrees):
            depth = np.full(len(self.trees), self.trees.depth)
            splits, scaled = self.trees.splits, self.weights[:, None, None] * self.trees.values
            values = scaled.transpose(0, 2, 1).ravel()
        else:
            depth = np.array([tree.depth for tree in self.trees])
            splits = Splits.concatenate([tree.splits for tree in self.trees])
            each = zip(self.trees, self.weights, strict=True)
            values = np.concatenate([(weight * tree.values).T.ravel() for tree, weight in each])
        return _FlatTrees(
            depth,
            splits.attribute,
            splits.first,
            splits.last,
            splits.missing_right,
            values,
            self.trees[0].n_outputs,
            np.asarray(self.outputs, np.int64),
        )

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_flat_trees"}

    def scores(self, codes: npt.NDArray[np.uint8], n_threads: int = 1) -> npt.NDArray[np.float64]:
        """Sum the trees' answers.

        Parameters
        ----------
        codes : ndarray of uint8, shape (n_attributes, n_rows)
        n_threads : int, default=1
            Most threads to use. The scores are the same for any number of them: each row adds up its trees in order.

        Returns
        -------
        ndarray, shape (n_outputs, n_rows) or, for votes, (n_classes, n_rows)
        """
        codes, n_rows = np.ascontiguousarray(codes), codes.shape[1]
        total = np.zeros((self.n_classes if self.combination == "vote" else self.n_outputs, n_rows), np.float64)
        trees = self._flat_trees
        in_ranges(lambda start, stop, _: add_trees(codes, start, stop, *trees, total), n_rows, n_threads)
        if 0.0 < self.reach < MAX_REACH:
            far = np.abs(total) > self.reach
            beyond = np.abs(total[far]) / self.reach
            total[far] = np.copysign(self.reach * (1.0 + np.log(beyond)), total[far])
        if self.base:
            total += np.array(self.base)[:, None]
        return total

    def probabilities(self, codes: npt.NDArray[np.uint8], n_threads: int = 1) -> npt.NDArray[np.float64]:
        """Return class probabilities, shape (n_rows, n_classes); rows sum to 1."""
        scores = self.scores(codes, n_threads)
        if self.combination == "softmax":
            odds = np.exp(scores - scores.max(axis=0))
            return np.asarray((odds / odds.sum(axis=0)).T)
        if self.combination == "logit":
            scores = np.asarray(0.5 + 0.5 * np.tanh(0.5 * scores))
        if self.combination == "margin":
            # The mixture's own inverse link says 1/2 to every |margin| <= 2 (1 - alpha). Without its flat part, which
            # comes from the zero-one loss, it is that of Matsushita's loss at margin / alpha: the same at alpha = 1,
            # and on the same side of 1/2 as the margin for every alpha.
            scores = np.asarray(MatsushitaLoss().inverse_link(scores / self.alpha))
        if len(scores) == 1:
            return np.column_stack([1.0 - scores[0], scores[0]])
        total = scores.sum(axis=0)
        safe = np.where(total > 0.0, total, 1.0)
        return np.asarray(np.where(total > 0.0, scores / safe, 1.0 / self.n_classes).T)

    def decision(self, codes: npt.NDArray[np.uint8], n_threads: int = 1) -> npt.NDArray[np.float64]:
        """Return margins: shape (n_rows,) for two classes, positive for the second; else (n_rows, n_classes)."""
        if self.combination in ("margin", "logit", "softmax"):
            scores = self.scores(codes, n_threads)
            return scores[0] if len(scores) == 1 else scores.T
        probabilities = self.probabilities(codes, n_threads)
        return probabilities[:, 1] - probabilities[:, 0] if self.n_classes == 2 else probabilities

    def numbers(self, codes: npt.NDArray[np.uint8], n_threads: int = 1) -> npt.NDArray[np.float64]:
        """Return predicted numbers between 0 and 1, shape (n_rows,): the ends of the target's range."""
        scores = self.scores(codes, n_threads)[0]
        return np.asarray(np.clip(np.exp(np.minimum(scores, 0.0)) if self.combination == "log" else scores, 0.0, 1.0))


def calibrated(ensemble: Ensemble, slope: float) -> Ensemble:
    """Return the ensemble whose scores are ``slope`` times as far from the base score.

    Parameters
    ----------
    ensemble : Ensemble
        All of whose weights are 1.
    slope : float
        Above 0.
    """
    return replace(ensemble, weights=np.full(len(ensemble.trees), slope), reach=scaled_reach(ensemble.reach, slope))


def scaled_reach(reach: float, slope: float) -> float:
    """Return the reach of scores that are ``slope`` times as far from the base score."""
    return reach if reach == MAX_REACH else min(slope * reach, MAX_REACH)


def undo_reach(distance: npt.NDArray[np.float64], reach: float) -> npt.NDArray[np.float64]:
    """Return the sums of leaf values that lie at these distances from the base score; see `Ensemble.reach`."""
    if not 0.0 < reach < MAX_REACH:
        return distance
    with np.errstate(over="ignore"):
        beyond = np.copysign(reach * np.exp(np.abs(distance) / reach - 1.0), distance)
    return np.asarray(np.where(np.abs(distance) > reach, beyond, distance))
