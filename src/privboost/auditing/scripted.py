"""A learner with its settings on tables of a tiny world, trained by a script through its own code."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from privboost.auditing.exact import Comparison, Run, compare
from privboost.auditing.scripts import (
    Script,
    Transcript,
    n_transcripts,
    random_transcript,
    transcripts_of,
    uniform_transcripts,
)
from privboost.auditing.tables import (
    Table,
    count_replacements,
    count_tables,
    neighbours,
    ordered_tables,
    unordered_tables,
)
from privboost.auditing.worlds import World
from privboost.data.encoding import Encoder
from privboost.data.refinement import Refinement
from privboost.ensembles.ensemble import Ensemble
from privboost.errors import VerificationError
from privboost.estimators.base import Outcome, Training
from privboost.estimators.forest import PrivateForestClassifier
from privboost.estimators.progress import no_progress
from privboost.estimators.training import row_factory
from privboost.privacy.accounting import Ledger, PlannedRelease
from privboost.privacy.relation import PrivacyUnit, Relation
from privboost.sources.local import GRID

__all__ = ["ScriptedLearner", "ensemble_bits", "refinement_bits"]


class ScriptedLearner:
    """One learner with its settings, on tables of one size.

    Parameters
    ----------
    model : PrivateEstimator
        That declares the world; it is never fitted.
    world : World
    n_rows : int, default=3
    leaf_limit : int or None, default=None
        Most outcomes of a release that are tried one by one.
    scripts : int, default=0
        If above 0, transcripts are not tried one by one: all outcomes alike, and so many at random.
    """

    model: Any
    world: World
    n_rows: int
    leaf_limit: int | None
    scripts: int

    def __init__(
        self, model: Any, world: World, n_rows: int = 3, leaf_limit: int | None = None, scripts: int = 0
    ) -> None:
        self.model = model
        self.world = world
        self.n_rows = n_rows
        self.leaf_limit = leaf_limit
        self.scripts = scripts

    @property
    def epsilon(self) -> float:
        """The stated epsilon."""
        return float(self.model.epsilon)

    @property
    def delta(self) -> float:
        """The stated delta."""
        return float(self.model._stated_delta())

    @property
    def relation(self) -> str:
        """The stated relation of neighbours."""
        return str(self.model.relation)

    @property
    def rows_per_person(self) -> int:
        """The rows in which neighbours may differ."""
        return int(self.model.rows_per_person)

    @property
    def is_forest(self) -> bool:
        """Whether rows have an order, since each is sent to a tree; no release then depends on an earlier one."""
        return isinstance(self.model, PrivateForestClassifier)

    @cached_property
    def _layout(self) -> Any:
        return Encoder(self.world.domain, self.world.n_bins).layout

    @cached_property
    def _candidates(self) -> Any:
        return self.model._candidates(self._layout)

    @cached_property
    def _codes(self) -> dict[Any, npt.NDArray[np.uint8]]:
        """Codes of all kinds of rows, by what the encoder goes by."""
        return {}

    def _encode(self, table: Table, refinement: Refinement | None) -> npt.NDArray[np.uint8]:
        key = None if refinement is None else refinement_bits(refinement)
        if key not in self._codes:
            encoder = Encoder(self.world.domain, self.world.n_bins, refinement=refinement)
            self._codes[key] = encoder.encode(self.world.table(tuple(range(len(self.world.kinds)))))
        return np.ascontiguousarray(self._codes[key][:, list(table)])

    @cached_property
    def plan(self) -> Any:
        """The plan, which is the same for all tables."""
        unit = PrivacyUnit(cast(Relation, self.relation), self.rows_per_person)
        n_candidates = len(self._candidates)
        return self.model._plan(
            self.model._facts(self.epsilon, unit, self.n_rows, self.world.n_classes, self._layout, n_candidates)
        )

    @property
    def releases(self) -> tuple[PlannedRelease, ...]:
        """The planned releases, in order."""
        return tuple(self.plan.releases)

    @property
    def far(self) -> int:
        """Far more grid units than all rows can weigh: noise seldom gives them, but it can."""
        return 1000 * self.n_rows * GRID

    def run(self, table: Table, transcript: Transcript) -> Run:
        """Train with a script, through the estimator's own plan, reading of targets and weights, and training."""
        script, ledger, world = Script(transcript), Ledger(), self.world
        encoded = self.model._encode_target(world.labels(table), world.target)
        weights = world.row_weights(table)
        codes = self._encode(table, None)
        training = Training(
            n_classes=world.n_classes,
            candidates=self._candidates,
            rows=row_factory(lambda: codes, self._layout, encoded.labels, world.n_classes),
            randomness=script,
            ledger=ledger,
            progress=no_progress,
            encode=lambda refinement: codes if refinement is None else self._encode(table, refinement),
            layout=self._layout,
            domain=world.domain,
            labels=encoded.labels,
            target=encoded.numbers,
            class_factors=encoded.class_factors,
            sample_weight=None if weights is None else self.model._encode_weights(weights, len(table)),
            public_target=world.target,
        )
        outcome = Outcome(*self.model._train(training, self.plan))
        published = (ensemble_bits(outcome.ensemble), refinement_bits(outcome.refinement), outcome.plan)
        return Run(script, ledger.events, published, lambda: self._agrees(ledger))

    def _agrees(self, ledger: Ledger) -> bool:
        try:
            ledger.check_against(self.releases, self.epsilon, self.delta)
        except VerificationError:
            return False
        return True

    def tables(self) -> list[Table]:
        """Return every table; a forest's rows have an order, since each is sent to a tree."""
        make = ordered_tables if self.is_forest else unordered_tables
        return make(len(self.world.kinds), self.n_rows)

    def size(self, n_rows: int) -> tuple[int, int]:
        """Return how many tables of ``n_rows`` rows there are, and how many replacements of rows on all of them."""
        tables = count_tables(len(self.world.kinds), n_rows, ordered=self.is_forest)
        each = count_replacements(len(self._substitutes(self.relation)), n_rows, rows=self.rows_per_person)
        return tables, tables * each

    def _substitutes(self, relation: str) -> list[int]:
        return self.world.null_kinds if relation == "add-remove" else list(range(len(self.world.kinds)))

    def pairs(self, tables: list[Table], relation: str | None = None) -> npt.NDArray[np.int64]:
        """Return every pair of neighbours among the tables, of another relation if one is given."""
        substitutes = self._substitutes(relation or self.relation)
        return neighbours(tables, substitutes, rows=self.rows_per_person, ordered=self.is_forest)

    @property
    def n_transcripts(self) -> float:
        """How many transcripts there are to be tried one by one."""
        each = n_transcripts(self.releases, leaf_limit=self.leaf_limit, independent=self.is_forest)
        return each * len(self._hidden())

    def transcripts(self) -> Iterator[Transcript]:
        """Yield every transcript to try."""
        if self.scripts:
            rng = np.random.default_rng(0)
            for script in uniform_transcripts(self.releases, far=self.far, unit=GRID)[: self.leaf_limit]:
                yield Transcript(script.outcomes, self._tree_of_row(rng), script.seed)
            for _ in range(self.scripts):
                trees = self._tree_of_row(rng)
                yield random_transcript(self.releases, far=self.far, unit=GRID, rng=rng, tree_of_row=trees)
            return
        for tree_of_row, seed in self._hidden():
            yield from transcripts_of(
                self.releases,
                far=self.far,
                unit=GRID,
                leaf_limit=self.leaf_limit,
                independent=self.is_forest,
                tree_of_row=tree_of_row,
                seed=seed,
            )

    def _tree_of_row(self, rng: np.random.Generator) -> tuple[int, ...]:
        if not self.is_forest:
            return ()
        return tuple(rng.integers(self.model.n_trees, size=self.n_rows).tolist())

    def _hidden(self) -> list[tuple[tuple[int, ...], int]]:
        if not self.is_forest:
            return [((), 0)]
        # A tree more than there are rows is empty in all partitions.
        n_trees = min(self.model.n_trees, self.n_rows) if self.model.partition == "disjoint" else 1
        # All orders of the rows are among the tables, so one order of each partition is enough.
        return [
            (assignment, seed)
            for seed, assignment in enumerate(itertools.combinations_with_replacement(range(n_trees), self.n_rows))
        ]

    def compare(
        self, tables: list[Table], pairs: npt.NDArray[np.int64], transcripts: Iterable[Transcript]
    ) -> Comparison:
        """Audit pairs of these tables with these transcripts."""
        budget = self.epsilon, self.delta
        return compare(self, tables, pairs, transcripts, independent=self.is_forest, budget=budget)

    def audit(self, relation: str | None = None) -> Comparison:
        """Audit every pair of neighbours, of another relation if one is given."""
        tables = self.tables()
        return self.compare(tables, self.pairs(tables, relation), self.transcripts())

    def audit_at_random(self, n_pairs: int, seed: int) -> Comparison:
        """Audit random pairs of neighbours, each with a random transcript of its own."""
        rng = np.random.default_rng(seed)
        total = Comparison(pairs=n_pairs)
        substitutes = self._substitutes(self.relation)
        for _ in range(n_pairs):
            spread = rng.dirichlet(np.full(len(self.world.kinds), 0.1))  # few kinds of rows, many of each
            table = tuple(rng.choice(len(self.world.kinds), self.n_rows, p=spread).tolist())
            other = list(table)
            for at in rng.choice(self.n_rows, self.rows_per_person, replace=False):
                other[at] = int(rng.choice(substitutes))
            trees = tuple(rng.integers(getattr(self.model, "n_trees", 1), size=self.n_rows).tolist())
            script = random_transcript(self.releases, far=self.far, unit=GRID, rng=rng, tree_of_row=trees)
            total.merge(self.compare([table, tuple(other)], np.array([[0, 1]]), [script]))
        return total


def refinement_bits(refinement: Refinement | None) -> Any:
    """Return everything in a refinement, comparable bit by bit."""
    return _bits(refinement)


def ensemble_bits(ensemble: Ensemble) -> Any:
    """Return everything in an ensemble, comparable bit by bit."""
    return _bits(ensemble)


def _bits(value: Any) -> Any:
    """Return a value so that ``==`` compares all of it: of a dataclass every field, so that none can be forgotten."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if is_dataclass(value):
        return tuple(_bits(getattr(value, part.name)) for part in fields(value))
    if isinstance(value, list | tuple):
        return tuple(map(_bits, value))
    return value.hex() if isinstance(value, float) else value
