"""Which test a node gets: the candidates, their scores' sensitivity, and the ways to choose among them.

The candidates are a function of the public domain alone: every threshold between two public bins of an ordered
attribute, every category against the rest of an unordered one and, where missing values were declared, each of these
with the missing values on either side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from privboost.data.encoding import CodeLayout
from privboost.kernels.calibration import mixture_score_sensitivity
from privboost.losses import Loss, MAlphaLoss
from privboost.privacy.accounting import Ledger, PlannedRelease
from privboost.privacy.mechanisms import Exact, RawScores, Select
from privboost.privacy.randomness import Randomness
from privboost.theory import sensitivity
from privboost.trees.tree import Splits

__all__ = [
    "ExactSplitter",
    "LevelRows",
    "PrivateSplitter",
    "RandomSplitter",
    "Splitter",
    "candidate_splits",
    "score_sensitivity",
]


class LevelRows(Protocol):
    """Rows on their way down one tree: answers questions about the current level, as raw numbers."""

    @property
    def n_nodes(self) -> int:
        """Number of nodes of the current level."""
        ...

    def split_scores(self, candidates: Splits, loss: Loss, sensitivity: int) -> RawScores:
        """Scores of every candidate of every node of the level, shape (n_nodes, n_candidates)."""
        ...

    def pure_nodes(self) -> npt.NDArray[np.bool_]:
        """Whether each node holds rows of at most one class. Exact: for noise-free training only."""
        ...

    def route(self, splits: Splits) -> None:
        """Send the rows to the next level."""
        ...


@lru_cache(maxsize=4)  # by identity: a domain gives the same layout again
def candidate_splits(layout: CodeLayout) -> Splits:
    """List every candidate test of a public domain.

    Parameters
    ----------
    layout : CodeLayout
        Codes of each attribute.

    Returns
    -------
    Splits
        Attribute by attribute; an attribute with nothing to tell apart has none.
    """
    attribute, first, last = layout.tests()
    splits = Splits(attribute, first, last, np.zeros(len(attribute), np.bool_))
    with_missing = np.flatnonzero(layout.missing)
    if len(with_missing) == 0:
        return splits
    # Where cells may be empty, each test is offered with the empty ones on either side, and "is it empty?" by itself:
    # an empty range of codes, so that only missing values go right.
    twice = np.isin(attribute, with_missing)
    other_side = Splits(attribute[twice], first[twice], last[twice], np.ones(int(twice.sum()), np.bool_))
    is_empty = Splits(
        with_missing.astype(np.int32),
        np.full(len(with_missing), 255, np.uint8),
        np.full(len(with_missing), 254, np.uint8),
        np.ones(len(with_missing), np.bool_),
    )
    joined = Splits.concatenate([splits, other_side, is_empty])
    return joined.take(np.argsort(joined.attribute, kind="stable"))


def score_sensitivity(loss: Loss, n_rows: int, max_weight: int, form: Literal["exact", "paper"]) -> int:
    """Largest spread, over candidates, of the change of their integer scores when one row is added or removed.

    Parameters
    ----------
    loss : Loss
        The Bayes risk of the criterion.
    n_rows : int
        Public number of rows, at least 1.
    max_weight : int
        Largest weight of a row, in grid units.
    form : {"exact", "paper"}
        Which bound on the criterion's sensitivity.

    Returns
    -------
    int
        In grid units.

    Notes
    -----
    Adding a row lowers every real score by 0 to Delta = ``sensitivity(loss, n_rows, max_weight)``. An integer score is
    within r of the real one, r = 1/2 (rounding) + e (floating point), so integer changes lie in [-Delta - 2r, 2r] and
    two candidates' changes differ by at most Delta + 4r. Both selection rules depend on differences of scores only,
    hence a common shift is free and Delta + 4r is the sensitivity of a monotone score. e is bounded by the largest
    possible criterion, n_rows * max_weight < 2**52, times 2**-49 (a dozen roundings): e <= 8 in the worst case.
    """
    if isinstance(loss, MAlphaLoss):
        return int(mixture_score_sensitivity(loss.alpha, n_rows, max_weight, form == "paper"))
    real = sensitivity(loss, n_rows, float(max_weight), form=form)
    relative = 2.0**-49 if loss.kernel_code is not None else 1e-9  # a user's own Bayes risk is trusted to nine digits
    rounding = 0.5 + n_rows * float(max_weight) * relative
    return math.ceil(real * (1.0 + 2.0**-40) + 4.0 * rounding)


class Splitter(Protocol):
    """A way to choose the tests of one level."""

    def choose(self, rows: LevelRows, level: int) -> Splits:
        """Return one test for each node of the level."""
        ...


@dataclass(frozen=True)
class PrivateSplitter:
    """Choose each node's test by a private selection on the criterion.

    Attributes
    ----------
    candidates : Splits
        Public.
    losses : tuple of Loss
        The criterion of each level.
    sensitivities : tuple of int
        Of each level's scores, in grid units.
    planned : tuple of PlannedRelease
        One a level.
    randomness : Randomness
    ledger : Ledger
    """

    candidates: Splits
    losses: tuple[Loss, ...]
    sensitivities: tuple[int, ...]
    planned: tuple[PlannedRelease, ...]
    randomness: Randomness
    ledger: Ledger

    def choose(self, rows: LevelRows, level: int) -> Splits:
        """Return one test for each node of the level, and charge the ledger for them."""
        sensitivity_units = self.sensitivities[level]
        scores = rows.split_scores(self.candidates, self.losses[level], sensitivity_units)
        mechanism = Select.for_release(self.planned[level], sensitivity_units)
        return self.candidates.take(mechanism.apply(scores, self.randomness, self.ledger))


@dataclass(frozen=True)
class ExactSplitter:
    """Choose each node's best test, without privacy; a pure node is not split.

    Ties go to the first candidate.
    """

    candidates: Splits
    losses: tuple[Loss, ...]
    planned: tuple[PlannedRelease, ...]
    ledger: Ledger

    def choose(self, rows: LevelRows, level: int) -> Splits:
        """Return one test for each node of the level."""
        if len(self.candidates) == 0:
            return Splits.null(rows.n_nodes)
        scores = rows.split_scores(self.candidates, self.losses[level], 1)
        best = Exact.for_release(self.planned[level]).apply(scores, None, self.ledger)
        return self.candidates.take(np.where(rows.pure_nodes(), -1, best))


@dataclass(frozen=True)
class RandomSplitter:
    """Draw each node's attribute uniformly, then one of its candidates uniformly: no row is looked at.

    Attributes
    ----------
    candidates : Splits
    generator : numpy.random.Generator
        Its draws need no secrecy: they are published as the tree's structure.
    """

    candidates: Splits
    generator: np.random.Generator

    def choose(self, rows: LevelRows, level: int) -> Splits:
        """Return one test for each node of the level."""
        return self.draw(rows.n_nodes)

    def draw(self, n_nodes: int) -> Splits:
        """Draw ``n_nodes`` tests; null tests where there is no candidate."""
        if len(self.candidates) == 0:
            return Splits.null(n_nodes)
        attributes, starts, counts = np.unique(self.candidates.attribute, return_index=True, return_counts=True)
        which = self.generator.integers(len(attributes), size=n_nodes)
        within = np.floor(self.generator.random(n_nodes) * counts[which]).astype(np.int64)
        return self.candidates.take(starts[which] + within)
