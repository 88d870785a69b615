"""What passes between an estimator and its training: public facts, the plan, the rows, and what comes back."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from privboost.data.columns import Schema
from privboost.data.domain import Domain
from privboost.data.encoding import CodeLayout, Encoder
from privboost.data.refinement import Refinement
from privboost.ensembles.ensemble import Ensemble
from privboost.privacy.accounting import Ledger, PlannedRelease
from privboost.privacy.randomness import Randomness
from privboost.privacy.relation import PrivacyUnit
from privboost.sources.local import GRID, LocalRows
from privboost.threads import in_ranges
from privboost.trees.tree import Splits

__all__ = [
    "SEARCH_PUBLIC",
    "EncodedTarget",
    "Outcome",
    "Plan",
    "Prepared",
    "PublicFacts",
    "Trained",
    "Training",
    "row_factory",
]


SEARCH_PUBLIC = ("the settings that were searched, and every parameter of the search",)
"""What the statement of a model takes for granted beside the learner's own, if a search chose its settings."""


class Plan(Protocol):
    """What is decided before a row is read."""

    @property
    def releases(self) -> tuple[PlannedRelease, ...]:
        """All releases in the order in which they will be made."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """Return the public facts as JSON types, the number of rows as "n_rows" among them."""
        ...


@dataclass(frozen=True)
class PublicFacts:
    """What a plan may depend on.

    Attributes
    ----------
    epsilon : float or None
        None without privacy.
    unit : PrivacyUnit
    n_rows, n_classes, n_candidates : int
        One class where a number is predicted.
    delta : float
        0 for a pure guarantee, and without privacy.
    n_attributes, n_cells : int
        Attributes, and the codes of all of them in the public layout.
    """

    epsilon: float | None
    unit: PrivacyUnit
    n_rows: int
    n_classes: int
    n_candidates: int
    delta: float = 0.0
    n_attributes: int = 0
    n_cells: int = 0

    @property
    def n_outputs(self) -> int:
        """1 for a number and for two classes; with more, each class is learnt against the rest."""
        return 1 if self.n_classes <= 2 else self.n_classes


class Prepared(NamedTuple):
    """What a fit decides before it reads a row.

    Attributes
    ----------
    domain : Domain
    target : ndarray, or pair of float
        The list of classes, or the range of the numbers to predict.
    encoder : Encoder
        By the public layout.
    candidates : Splits
    facts : PublicFacts
    plan : Plan
    schema : Schema
        Of the table.
    """

    domain: Domain
    target: Any
    encoder: Encoder
    candidates: Splits
    facts: PublicFacts
    plan: Any
    schema: Schema


@dataclass(frozen=True, eq=False)
class EncodedTarget:
    """What the rows' targets are to a learner.

    Attributes
    ----------
    labels : ndarray of int16, shape (n_rows,)
        Position of each row's class, or 0 where a number is predicted; -1 for a row that has none, and counts nothing.
    numbers : ndarray of float64, shape (n_rows,), or None
        Place of each row's number in the public range, from 0 to 1; 0 for a row that has none. None for classes.
    class_factors : ndarray of float64, shape (n_classes,), or None
        Factor of the weight of each class's rows, at most 1; None for equal ones.
    """

    labels: npt.NDArray[np.int16]
    numbers: npt.NDArray[np.float64] | None = None
    class_factors: npt.NDArray[np.float64] | None = None


@dataclass(frozen=True, eq=False)
class Training:
    """What one fit holds while it lasts: public facts, the rows behind callables, and where draws and costs go.

    Attributes
    ----------
    n_classes : int
        1 where a number is predicted.
    candidates : Splits
        Tests of the public layout.
    rows : callable
        ``rows(output, initial_weight)`` gives fresh rows: all classes for None, else one class against the rest.
    randomness : Randomness
    ledger : Ledger
    progress : callable
        ``progress(total)`` opens a bar and gives the function that moves it by one.
    encode : callable
        ``encode(refinement)`` gives the codes of the same rows, uint8 of shape (n_attributes, n_rows); by the public
        layout for None.
    layout : CodeLayout
        The public one.
    domain : Domain
    labels, target, class_factors : ndarray
        Private, but for the last; `EncodedTarget` has them as ``labels``, ``numbers`` and ``class_factors``.
    sample_weight : ndarray of float64, shape (n_rows,), or None
        Private; from 0 to 1. None where all rows count alike.
    public_target : ndarray, or pair of float
        The list of classes, or the range of the numbers to predict.
    n_threads : int
    """

    n_classes: int
    candidates: Splits
    rows: Callable[[int | None, float], LocalRows]
    randomness: Randomness
    ledger: Ledger
    progress: Callable[[int], AbstractContextManager[Callable[[], None]]]
    encode: Callable[[Refinement | None], npt.NDArray[np.uint8]]
    layout: CodeLayout
    domain: Domain
    labels: npt.NDArray[np.int16]
    target: npt.NDArray[np.float64] | None
    class_factors: npt.NDArray[np.float64] | None
    sample_weight: npt.NDArray[np.float64] | None
    public_target: Any
    n_threads: int = 1

    def row_units(self) -> npt.NDArray[np.int32]:
        """Return what each row counts, in grid units, rounded down: its weight, times the factor of its class.

        0 without a target.
        """
        if self.sample_weight is None and self.class_factors is None:
            units = np.empty(len(self.labels), np.int32)

            def write(start: int, stop: int, _: int) -> None:
                units[start:stop] = np.where(self.labels[start:stop] >= 0, np.int32(GRID), np.int32(0))

            in_ranges(write, len(units), self.n_threads)
            return units
        weights = (self.labels >= 0).astype(np.float64)
        if self.sample_weight is not None:
            weights *= self.sample_weight
        if self.class_factors is not None:
            weights *= self.class_factors[self.labels]  # a label of -1 finds the last factor, and has weight 0
        return np.floor(weights * GRID).astype(np.int32)


def row_factory(
    encode: Callable[[], npt.NDArray[np.uint8]],
    layout: CodeLayout,
    labels: npt.NDArray[np.int16],
    n_classes: int,
    n_threads: int = 1,
) -> Callable[[int | None, float], LocalRows]:
    """Return a function that gives fresh rows: of all classes, or of one class (1) against the rest (0).

    Their codes are made when rows are first asked for: a learner that refines the codes holds no public ones.
    """
    offsets, codes = layout.offsets, cache(encode)

    def rows(output: int | None, initial_weight: float) -> LocalRows:
        if output is None or n_classes <= 2:
            return LocalRows(codes(), offsets, labels, n_classes, initial_weight, n_threads)
        against_rest = np.where(labels < 0, -1, labels == output).astype(np.int16)
        return LocalRows(codes(), offsets, against_rest, 2, initial_weight, n_threads)

    return rows


class Outcome(NamedTuple):
    """What training returns.

    Attributes
    ----------
    ensemble : Ensemble
    plan : Plan
        With what training derived from released numbers.
    refinement : Refinement or None
        How rows are encoded from now on; None for the public layout.
    """

    ensemble: Ensemble
    plan: Any
    refinement: Refinement | None = None


@dataclass(frozen=True, eq=False)
class Trained:
    """What a fitted model goes by, whatever its parameters are set to afterwards.

    Attributes
    ----------
    encoder : Encoder
        Refined, if training refined the public layout.
    parameters : dict
        As they were in ``fit``, as JSON types.
    declared : bool
        Whether the domain was declared, and its names match columns in any order; else it was read off the data.
    refinement : Refinement or None
    """

    encoder: Encoder
    parameters: dict[str, Any]
    declared: bool
    refinement: Refinement | None = None
