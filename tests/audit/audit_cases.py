"""The learners that are audited: every exported estimator, with the settings that its guarantee depends on."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

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
    unordered_tables,
)
from sklearn.base import clone

from privboost import (
    BDPEClassifier,
    Boolean,
    Categorical,
    Domain,
    Numeric,
    PrivateForestClassifier,
    PrivateTreeClassifier,
)
from privboost.data.encoding import Encoder
from privboost.ensembles.ensemble import Ensemble
from privboost.errors import VerificationError
from privboost.estimators import base
from privboost.estimators.base import PublicFacts, Training, _row_factory
from privboost.estimators.progress import no_progress
from privboost.losses import Loss
from privboost.privacy.accounting import Ledger, PlannedRelease
from privboost.privacy.relation import PrivacyUnit
from privboost.sources.local import GRID
from privboost.trees.splitting import candidate_splits

UNLISTED = 9  # a label that no list of classes holds


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
    many_nulls : bool
        A null row of every combination of values, instead of the first one only.
    """

    domain: Domain
    n_bins: int
    cells: tuple[tuple[Any, ...], ...]
    n_classes: int = 2
    many_nulls: bool = False

    @cached_property
    def kinds(self) -> tuple[tuple[tuple[Any, ...], int], ...]:
        """Cells and label of every kind of row; the null rows come last."""
        listed = itertools.product(self.cells, range(self.n_classes))
        nulls = [(cell, UNLISTED) for cell in (self.cells if self.many_nulls else self.cells[:1])]
        return (*listed, *nulls)

    @property
    def null_kinds(self) -> list[int]:
        return [k for k, (_, label) in enumerate(self.kinds) if label == UNLISTED]

    def table(self, kinds: Table) -> np.ndarray:
        out = np.empty((len(kinds), len(self.domain)), object)
        for i, kind in enumerate(kinds):
            out[i] = self.kinds[kind][0]
        return out

    def labels(self, kinds: Table) -> np.ndarray:
        return np.array([self.kinds[kind][1] for kind in kinds], np.int64)


NUMBERS = World(Domain({"u": Numeric(0, 1)}), 3, ((0.1,), (0.5,), (0.9,)))
HALVES = World(Domain({"u": Numeric(0, 1)}), 2, ((0.1,), (0.9,)))
GAPS = World(Domain({"u": Numeric(0, 1, missing=True)}), 2, ((0.1,), (0.9,), (np.nan,)), many_nulls=True)
MIXED = World(
    Domain({"b": Boolean(), "c": Categorical(["p", "q"])}),
    2,
    (*itertools.product((False, True), ("p", "q")), (True, "unheard of")),
)
THREE_CLASSES = World(Domain({"u": Numeric(0, 1)}), 3, ((0.1,), (0.5,), (0.9,)), n_classes=3)
WIDE = World(
    Domain({"u": Numeric(0, 1), "b": Boolean(missing=True)}),
    6,
    tuple(itertools.product((0.05, 0.25, 0.4, 0.6, 0.75, 0.95), (False, True, None))),
)


@dataclass(eq=False)
class Case:
    """One learner with its settings, on tables of one size."""

    estimator: type
    params: dict[str, Any] = field(default_factory=dict)
    world: World = NUMBERS
    n_rows: int = 3
    epsilon: float = 1.0
    leaf_limit: int | None = None

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
    def is_forest(self) -> bool:
        return self.estimator is PrivateForestClassifier

    @cached_property
    def model(self) -> Any:
        world = self.world
        classes = list(range(world.n_classes))
        return self.estimator(self.epsilon, domain=world.domain, classes=classes, n_bins=world.n_bins, **self.params)

    @cached_property
    def _layout(self) -> Any:
        return Encoder(self.world.domain, self.world.n_bins).layout

    @cached_property
    def _candidates(self) -> Any:
        return candidate_splits(self._layout)

    @cached_property
    def _codes(self) -> np.ndarray:
        encoder = Encoder(self.world.domain, self.world.n_bins)
        return encoder.encode(self.world.table(tuple(range(len(self.world.kinds)))))

    @cached_property
    def plan(self) -> Any:
        unit = PrivacyUnit(self.relation, self.rows_per_person)  # type: ignore[arg-type]
        return self.model._plan(
            PublicFacts(self.epsilon, unit, self.n_rows, self.world.n_classes, len(self._candidates))
        )

    @property
    def releases(self) -> tuple[PlannedRelease, ...]:
        return tuple(self.plan.releases)

    @property
    def far(self) -> int:
        """Far more grid units than all rows can weigh: noise seldom gives them, but it can."""
        return 1000 * self.n_rows * GRID

    def run(self, table: Table, transcript: Transcript) -> Run:
        """Train with a script, through the estimator's own plan and training."""
        script, ledger = Script(transcript), Ledger()
        labels = self.world.labels(table)
        labels = np.where(labels == UNLISTED, -1, labels).astype(np.int16)
        codes = np.ascontiguousarray(self._codes[:, list(table)])
        rows = _row_factory(codes, self._layout, labels, self.world.n_classes)
        training = Training(self.world.n_classes, self._candidates, rows, script, ledger, no_progress)
        ensemble, plan = self.model._train(training, self.plan)
        return Run(script, ledger.events, (*ensemble_bits(ensemble), plan), lambda: self._agrees(ledger))

    def _agrees(self, ledger: Ledger) -> bool:
        try:
            ledger.check_against(self.releases, self.epsilon)
        except VerificationError:
            return False
        return True

    def fit(self, table: Table, script: Script) -> Any:
        """Call ``fit`` on a real table, with the script in place of the source of randomness."""
        model = clone(self.model)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(base, "make_randomness", lambda random_state: script)
            return model.fit(self.world.table(table), self.world.labels(table))

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

    def audit(self, relation: str | None = None) -> Report:
        """Audit every pair of neighbours, of another relation if one is given."""
        tables = self.tables()
        pairs = self.pairs(tables, relation)
        return audit(self, tables, pairs, self.transcripts(), independent=self.is_forest)

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
            one = audit(self, [table, tuple(other)], np.array([[0, 1]]), [script], independent=self.is_forest)
            total.merge(one)
        return total


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
    return ensemble.combination, ensemble.n_classes, ensemble.alpha, weights, outputs, trees


# The table ------------------------------------------------------------------------------------------------------------

RELATIONS = ("add-remove", "replace-one")
SELECTIONS = ("permute-and-flip", "exponential")
FORMS = ("exact", "paper")

# An orthogonal array: seven choices of two in eight runs, every pair of choices in all four combinations.
_EIGHT = tuple((a, b, a ^ b, c, a ^ c, b ^ c, a ^ b ^ c) for a, b, c in itertools.product((0, 1), repeat=3))

MY_LOSS = Loss.from_bayes_risk("my-own", lambda u: 1.0 - (2.0 * u - 1.0) ** 4)

SMALLEST_BOOSTED = [
    Case(BDPEClassifier, {"n_trees": 1, "max_depth": 1, "alpha": a, "relation": r, "selection": s, "sensitivity": f})
    for a, r, s, f in itertools.product(("calibrated", 0.3, 1.0), RELATIONS, SELECTIONS, FORMS)
]

SMALL_BOOSTED = [
    *(
        Case(
            BDPEClassifier,
            {"n_trees": 1, "max_depth": 1, "alpha": alpha, "relation": relation, "selection": selection},
            epsilon=30.0,
        )
        for alpha, relation, selection in itertools.product(("calibrated", 1.0), RELATIONS, SELECTIONS)
    ),
    Case(BDPEClassifier, {"n_trees": 1, "max_depth": 1, "alpha": 1.0}, world=GAPS, n_rows=2, epsilon=5.0),
    Case(BDPEClassifier, {"n_trees": 1, "max_depth": 1}, world=MIXED, n_rows=2, epsilon=5.0),
    Case(BDPEClassifier, {"n_trees": 1, "max_depth": 1, "alpha": 1.0}, n_rows=1),
    Case(BDPEClassifier, {"n_trees": 1, "max_depth": 1, "alpha": 1.0}, n_rows=5, epsilon=10.0),
    Case(BDPEClassifier, {"n_trees": 1, "max_depth": 1, "preset": "paper"}),
    Case(BDPEClassifier, {"n_trees": 1, "max_depth": 1, "split_share": 0.9, "leaf_clip": 1.0}),
    *(
        Case(
            BDPEClassifier,
            {"n_trees": 1, "max_depth": 1, "calibration_gap": gap, "relation": relation},
            epsilon=epsilon,
        )
        for (gap, epsilon), relation in itertools.product(((1.0, 1.0), (1.0, 8.0), (10.0, 8.0)), RELATIONS)
    ),
    *(
        Case(
            BDPEClassifier,
            {"n_trees": 1, "max_depth": 1, "alpha": 1.0, "relation": relation, "rows_per_person": 2},
            epsilon=4.0,
        )
        for relation in RELATIONS
    ),
]

TWO_TREES = [
    Case(
        BDPEClassifier,
        {
            "n_trees": 2,
            "max_depth": 1,
            "relation": RELATIONS[row[0]],
            "selection": SELECTIONS[row[1]],
            "sensitivity": FORMS[row[2]],
            "alpha": ("calibrated", 1.0)[row[3]],
            "weight_bound": ("released", "unit")[row[4]],
            "leaf_smoothing": (1.0, 0.0)[row[6]],
            "combination_alpha": (1.0, 0.25)[row[0] ^ row[3] ^ row[5]],
            "leverage_scale": 1.9,
        },
        n_rows=2,
        epsilon=(1.0, 20.0)[row[5]],
        leaf_limit=None if row == _EIGHT[0] else 4,
    )
    for row in _EIGHT
]
TWO_TREES.append(
    Case(BDPEClassifier, {"n_trees": 2, "max_depth": 1, "alpha": 1.0, "leverage_scale": 1.9}, leaf_limit=3)
)

DEPTH_TWO = [
    Case(
        BDPEClassifier,
        {
            "n_trees": 1,
            "max_depth": 2,
            "relation": RELATIONS[row[0]],
            "composition": ("parallel", "sequential")[row[1]],
            "selection": SELECTIONS[row[2]],
            "sensitivity": FORMS[row[3]],
            "alpha": ("calibrated", 1.0)[row[4]],
            "weight_bound": ("released", "unit")[row[5]],
        },
        n_rows=(3, 2)[row[4]],
        epsilon=(1.0, 20.0)[row[6]],
    )
    for row in _EIGHT
]

CRITERIA = ("zero-one", "matsushita", "square", "log", MY_LOSS)

SMALLEST_TREES = [
    Case(PrivateTreeClassifier, {"max_depth": 1, "criterion": c, "relation": r, "selection": s})
    for c, r, s in itertools.product(CRITERIA, RELATIONS, SELECTIONS)
]

TREES = [
    *(
        Case(
            PrivateTreeClassifier,
            {
                "max_depth": 2,
                "criterion": criterion,
                "relation": RELATIONS[row[0]],
                "composition": ("parallel", "sequential")[row[1]],
                "selection": SELECTIONS[row[2]],
                "sensitivity": FORMS[row[3]],
                "leaf_smoothing": (1.0, 0.0)[row[4]],
                "split_share": (0.5, 0.8)[row[5]],
            },
            epsilon=(1.0, 20.0)[row[6]],
        )
        for criterion, row in zip((*CRITERIA, *CRITERIA[:3]), _EIGHT, strict=True)
    ),
    Case(PrivateTreeClassifier, {"max_depth": 1, "criterion": "log", "rows_per_person": 2}),
]

# One tree a class: no tree's leaves matter to another, so one outcome of them is enough.
MULTI_CLASS = [
    Case(BDPEClassifier, {"n_trees": 1, "max_depth": 1, "relation": "replace-one"}, THREE_CLASSES, 2, leaf_limit=1),
    Case(PrivateTreeClassifier, {"max_depth": 1, "criterion": "square"}, THREE_CLASSES, 2, leaf_limit=1),
    Case(PrivateForestClassifier, {"n_trees": 2, "max_depth": 1, "mechanism": "exponential"}, THREE_CLASSES, 2),
    Case(
        PrivateForestClassifier,
        {"n_trees": 2, "max_depth": 1, "mechanism": "laplace", "relation": "replace-one"},
        THREE_CLASSES,
        2,
    ),
]

FORESTS = [
    Case(
        PrivateForestClassifier,
        {"n_trees": 2, "max_depth": depth, "mechanism": mechanism, "partition": partition, "relation": relation},
        HALVES if depth == 1 else NUMBERS,
        3 if depth == 1 else 2,
    )
    for depth, mechanism, partition, relation in itertools.product(
        (1, 2), ("laplace", "exponential"), ("disjoint", "shared"), RELATIONS
    )
] + [
    Case(PrivateForestClassifier, {"n_trees": 2, "max_depth": 1, "leaf": "soft", "partition": partition}, HALVES, 3)
    for partition in ("disjoint", "shared")
]

LARGER = [
    Case(BDPEClassifier, {"n_trees": 3, "max_depth": 2, "leverage_scale": 1.9}, WIDE, 12, epsilon=30.0),
    Case(BDPEClassifier, {"n_trees": 3, "max_depth": 2, "alpha": 1.0, "relation": "replace-one"}, WIDE, 12),
    Case(BDPEClassifier, {"n_trees": 8, "max_depth": 1, "alpha": 0.5, "leverage_scale": 1.9}, WIDE, 40, epsilon=100.0),
    Case(BDPEClassifier, {"n_trees": 2, "max_depth": 3, "preset": "paper", "rows_per_person": 3}, WIDE, 12),
    *(
        Case(PrivateTreeClassifier, {"max_depth": 3, "criterion": c, "relation": r}, WIDE, 30, epsilon=10.0)
        for c, r in zip(CRITERIA, itertools.cycle(RELATIONS))
    ),
    *(
        Case(
            PrivateForestClassifier,
            {"n_trees": 5, "max_depth": 3, "mechanism": mechanism, "partition": partition, "rows_per_person": 2},
            WIDE,
            20,
        )
        for mechanism, partition in itertools.product(("laplace", "exponential"), ("disjoint", "shared"))
    ),
]

AUDITED: dict[type, list[Case]] = {}
for _case in (
    *SMALLEST_BOOSTED,
    *SMALL_BOOSTED,
    *TWO_TREES,
    *DEPTH_TWO,
    *SMALLEST_TREES,
    *TREES,
    *MULTI_CLASS,
    *FORESTS,
    *LARGER,
):
    AUDITED.setdefault(_case.estimator, []).append(_case)
