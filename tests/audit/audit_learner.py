"""A learner with its settings on tiny tables: what can occur in a row, training by a script, neighbours."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pytest
from audit_harness import (
    Report,
    Run,
    Script,
    Table,
    Transcript,
    audit,
    neighbours,
    ordered_tables,
    random_transcript,
    transcripts_of,
    uniform_transcripts,
    unordered_tables,
)
from sklearn.base import clone

from privboost import Boolean, Categorical, Domain, Numeric, PrivateForestClassifier
from privboost.data.encoding import Encoder
from privboost.data.refinement import Refinement
from privboost.ensembles.ensemble import Ensemble
from privboost.errors import VerificationError
from privboost.estimators import base
from privboost.estimators.base import Outcome, Training, _row_factory
from privboost.estimators.progress import no_progress
from privboost.privacy.accounting import Ledger, PlannedRelease
from privboost.privacy.relation import PrivacyUnit
from privboost.sources.local import GRID
from privboost.trees.splitting import candidate_splits

UNLISTED = 9  # a label that no list of classes holds


class Kind(NamedTuple):
    """One row: its cells, its label or number, its weight, and whether it is one that adds nothing."""

    cells: tuple[Any, ...]
    target: float
    weight: float
    null: bool


@dataclass(frozen=True, eq=False)
class World:
    """A public domain and every kind of row that can occur in it.

    Attributes
    ----------
    domain : Domain
    n_bins : int
    cells : tuple of tuple
        Every combination of values, one of each code.
    n_classes : int
        1 where a number is predicted.
    many_nulls : bool
        A null row of every combination of values, instead of the first one only.
    numbers : tuple of float
        What a regressor's target can be.
    target_range : (float, float)
        Public, of a regressor.
    weights : tuple of float
        What a row's weight can be; empty where rows have none.
    """

    domain: Domain
    n_bins: int
    cells: tuple[tuple[Any, ...], ...]
    n_classes: int = 2
    many_nulls: bool = False
    numbers: tuple[float, ...] = ()
    target_range: tuple[float, float] = (0.0, 1.0)
    weights: tuple[float, ...] = ()

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """Every kind of row; the null rows come last."""
        targets = self.numbers or tuple(range(self.n_classes))
        weights = self.weights or (1.0,)
        listed = [Kind(*row, False) for row in itertools.product(self.cells, targets, weights)]
        none = np.nan if self.numbers else UNLISTED
        nulls = [Kind(cells, none, weights[-1], True) for cells in (self.cells if self.many_nulls else self.cells[:1])]
        if self.weights:
            nulls.append(Kind(self.cells[-1], targets[-1], 0.0, True))
        return (*listed, *nulls)

    @property
    def null_kinds(self) -> list[int]:
        return [k for k, kind in enumerate(self.kinds) if kind.null]

    @property
    def target(self) -> Any:
        """What is public of the target."""
        return self.target_range if self.numbers else np.arange(self.n_classes)

    @property
    def parameters(self) -> dict[str, Any]:
        """How an estimator declares this world."""
        public = {"target_range": self.target_range} if self.numbers else {"classes": list(range(self.n_classes))}
        return {"domain": self.domain, "n_bins": self.n_bins, **public}

    def table(self, kinds: Table) -> np.ndarray:
        out = np.empty((len(kinds), len(self.domain)), object)
        for i, kind in enumerate(kinds):
            out[i] = self.kinds[kind].cells
        return out

    def labels(self, kinds: Table) -> np.ndarray:
        return np.array([self.kinds[kind].target for kind in kinds], np.float64 if self.numbers else np.int64)

    def row_weights(self, kinds: Table) -> np.ndarray | None:
        return np.array([self.kinds[kind].weight for kind in kinds]) if self.weights else None


THREE_CELLS = ((0.1,), (0.5,), (0.9,))
NUMBERS = World(Domain({"u": Numeric(0, 1)}), 3, THREE_CELLS)
HALVES = World(Domain({"u": Numeric(0, 1)}), 2, ((0.1,), (0.9,)))
GAPS = World(Domain({"u": Numeric(0, 1, missing=True)}), 2, ((0.1,), (0.9,), (np.nan,)), many_nulls=True)
MIXED = World(
    Domain({"b": Boolean(), "c": Categorical(["p", "q"])}),
    2,
    (*itertools.product((False, True), ("p", "q")), (True, "unheard of")),
)
THREE_CLASSES = World(Domain({"u": Numeric(0, 1)}), 3, THREE_CELLS, n_classes=3)
WIDE = World(
    Domain({"u": Numeric(0, 1), "b": Boolean(missing=True)}),
    6,
    tuple(itertools.product((0.05, 0.25, 0.4, 0.6, 0.75, 0.95), (False, True, None))),
)


@dataclass(eq=False)
class Case:
    """One learner with its settings, on tables of one size.

    Attributes
    ----------
    leaf_limit : int or None
        Most outcomes of a release that are tried one by one.
    scripts : int
        If above 0, transcripts are not tried one by one: all outcomes alike, and so many at random.
    """

    estimator: type
    params: dict[str, Any] = field(default_factory=dict)
    world: World = NUMBERS
    n_rows: int = 3
    epsilon: float = 1.0
    leaf_limit: int | None = None
    scripts: int = 0

    def __repr__(self) -> str:
        parts = [self.estimator.__name__, f"eps={self.epsilon:g}", f"m={self.n_rows}"]
        return "-".join([*parts, *(f"{getattr(v, 'name', v)}" for v in self.params.values())])

    @property
    def relation(self) -> str:
        return str(self.params.get("relation", "add-remove"))

    @property
    def rows_per_person(self) -> int:
        return int(self.params.get("rows_per_person", 1))

    @property
    def delta(self) -> float:
        return float(self.params.get("delta", 0.0))

    @property
    def is_forest(self) -> bool:
        return self.estimator is PrivateForestClassifier

    @cached_property
    def model(self) -> Any:
        return self.estimator(self.epsilon, **self.world.parameters, **self.params)

    @cached_property
    def _layout(self) -> Any:
        return Encoder(self.world.domain, self.world.n_bins).layout

    @cached_property
    def _candidates(self) -> Any:
        return candidate_splits(self._layout)

    def _codes_of_kinds(self, refinement: Refinement | None) -> np.ndarray:
        encoder = Encoder(self.world.domain, self.world.n_bins, refinement=refinement)
        return encoder.encode(self.world.table(tuple(range(len(self.world.kinds)))))

    @cached_property
    def _codes(self) -> dict[Any, np.ndarray]:
        """Codes of all kinds of rows, by what the encoder goes by."""
        return {}

    def _encode(self, table: Table, refinement: Refinement | None) -> np.ndarray:
        key = None if refinement is None else refinement_bits(refinement)
        if key not in self._codes:
            self._codes[key] = self._codes_of_kinds(refinement)
        return np.ascontiguousarray(self._codes[key][:, list(table)])

    @cached_property
    def plan(self) -> Any:
        unit = PrivacyUnit(self.relation, self.rows_per_person)  # type: ignore[arg-type]
        facts = self.model._facts(
            self.epsilon, unit, self.n_rows, self.world.n_classes, self._layout, len(self._candidates)
        )
        return self.model._plan(facts)

    @property
    def releases(self) -> tuple[PlannedRelease, ...]:
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
            rows=_row_factory(codes, self._layout, encoded.labels, world.n_classes),
            randomness=script,  # type: ignore[arg-type]
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
        published = (*ensemble_bits(outcome.ensemble), refinement_bits(outcome.refinement), outcome.plan)
        return Run(script, ledger.events, published, lambda: self._agrees(ledger))

    def _agrees(self, ledger: Ledger) -> bool:
        try:
            ledger.check_against(self.releases, self.epsilon, self.delta)
        except VerificationError:
            return False
        return True

    def fit(self, table: Table, script: Script) -> Any:
        """Call ``fit`` on a real table, with the script in place of the source of randomness."""
        model, weights = clone(self.model), self.world.row_weights(table)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(base, "make_randomness", lambda random_state: script)
            given = () if weights is None else (weights,)
            return model.fit(self.world.table(table), self.world.labels(table), *given)

    def tables(self) -> list[Table]:
        """Every table; a forest's rows have an order, since each is sent to a tree."""
        make = ordered_tables if self.is_forest else unordered_tables
        return make(len(self.world.kinds), self.n_rows)

    def pairs(self, tables: list[Table], relation: str | None = None) -> np.ndarray:
        """Every pair of neighbours among the tables."""
        every = list(range(len(self.world.kinds)))
        substitutes = self.world.null_kinds if (relation or self.relation) == "add-remove" else every
        return neighbours(tables, substitutes, rows=self.rows_per_person, ordered=self.is_forest)

    def transcripts(self) -> Iterator[Transcript]:
        """Every transcript to try."""
        if self.scripts:
            rng = np.random.default_rng(0)
            yield from uniform_transcripts(self.releases, far=self.far, unit=GRID)[: self.leaf_limit]
            for _ in range(self.scripts):
                yield random_transcript(self.releases, far=self.far, unit=GRID, rng=rng)
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

    def _hidden(self) -> list[tuple[tuple[int, ...], int]]:
        if not self.is_forest:
            return [((), 0)]
        n_trees = self.params["n_trees"] if self.params.get("partition", "disjoint") == "disjoint" else 1
        # All orders of the rows are among the tables, so one order of each partition is enough.
        return [
            (assignment, seed)
            for seed, assignment in enumerate(itertools.combinations_with_replacement(range(n_trees), self.n_rows))
        ]

    def _audit(self, tables: list[Table], pairs: np.ndarray, transcripts: Any) -> Report:
        budget = self.epsilon, self.delta
        return audit(self, tables, pairs, transcripts, independent=self.is_forest, budget=budget)

    def audit(self, relation: str | None = None) -> Report:
        """Audit every pair of neighbours, of another relation if one is given."""
        tables = self.tables()
        return self._audit(tables, self.pairs(tables, relation), self.transcripts())

    def audit_at_random(self, n_pairs: int, seed: int) -> Report:
        """Audit random pairs of neighbours, each with a random transcript of its own."""
        rng = np.random.default_rng(seed)
        total = Report(pairs=n_pairs)
        substitutes = self.world.null_kinds if self.relation == "add-remove" else list(range(len(self.world.kinds)))
        for _ in range(n_pairs):
            spread = rng.dirichlet(np.full(len(self.world.kinds), 0.1))  # few kinds of rows, many of each
            table = tuple(rng.choice(len(self.world.kinds), self.n_rows, p=spread).tolist())
            other = list(table)
            for at in rng.choice(self.n_rows, self.rows_per_person, replace=False):
                other[at] = int(rng.choice(substitutes))
            trees = tuple(rng.integers(self.params.get("n_trees", 1), size=self.n_rows).tolist())
            script = random_transcript(self.releases, far=self.far, unit=GRID, rng=rng, tree_of_row=trees)
            total.merge(self._audit([table, tuple(other)], np.array([[0, 1]]), [script]))
        return total


def refinement_bits(refinement: Refinement | None) -> tuple[Any, ...] | None:
    """Everything in a refinement, comparable bit by bit."""
    if refinement is None:
        return None
    return tuple(None if part is None else part.tobytes() for part in (*refinement.edges, *refinement.orders))


def ensemble_bits(ensemble: Ensemble) -> tuple[Any, ...]:
    """Everything in an ensemble, comparable bit by bit."""
    trees = tuple(
        (
            tree.depth,
            tree.splits.attribute.tobytes(),
            tree.splits.first.tobytes(),
            tree.splits.last.tobytes(),
            tree.splits.missing_right.tobytes(),
            tree.values.shape,
            tree.values.tobytes(),
        )
        for tree in ensemble.trees
    )
    weights, outputs = ensemble.weights.tobytes(), ensemble.outputs.tobytes()
    return ensemble.combination, ensemble.n_classes, ensemble.alpha, ensemble.base, weights, outputs, trees
