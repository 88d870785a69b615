"""The learners under audit as one value each: estimator class, settings, world; and the worlds that the cases share."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from privboost import Boolean, Categorical, Domain, Numeric
from privboost.auditing.scripted import ScriptedLearner
from privboost.auditing.scripts import Script
from privboost.auditing.tables import Table
from privboost.auditing.worlds import World
from privboost.estimators import base

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
class Case(ScriptedLearner):
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

    @cached_property
    def model(self) -> Any:
        return self.estimator(self.epsilon, **self.world.parameters, **self.params)

    def fit(self, table: Table, script: Script) -> Any:
        """Call ``fit`` on a real table, with the script in place of the source of randomness."""
        model, weights = clone(self.model), self.world.row_weights(table)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(base, "make_randomness", lambda random_state: script)
            given = () if weights is None else (weights,)
            return model.fit(self.world.table(table), self.world.labels(table), *given)
