"""Learnt domains on tiny tables, to be audited like learners: through `learn_domain` itself, noise by a script."""

from __future__ import annotations

import itertools
import json
import math
import warnings
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import pytest

from privboost import Boolean, learn_domain
from privboost.auditing.exact import Comparison, Run, compare
from privboost.auditing.scripts import Script, Transcript
from privboost.auditing.tables import Table, neighbours, unordered_tables
from privboost.domains import private
from privboost.domains.ranges import MAGNITUDES
from privboost.privacy import SimulatedRandomness, discrete_laplace_pmf

NOT_VARIED = {
    "X": "the rows",
    "epsilon": "a field of every case",
    "budget": "pays for the releases, and changes nothing in them",
    "target": "a name",
    "random_state": "with it there is no claim",
}
"""Parameters that no case sets, and why that is enough."""

_KINDS = ((0.3, 5.0), (40.0, 5.0), (-2.0, 1e300), (math.inf, 0.0), (math.nan, math.nan))


@dataclass(eq=False)
class NumbersCase:
    """Bounds of two columns of numbers; the last kind of row, and the infinite one, hold less than two numbers."""

    params: dict[str, Any] = field(default_factory=dict)
    n_rows: int = 3
    epsilon: float = 1.0

    def __repr__(self) -> str:
        return "-".join([f"m={self.n_rows}", *map(str, self.params.values())])

    def run(self, table: Table, transcript: Transcript) -> Run:
        script = Script(transcript)
        X = pd.DataFrame([_KINDS[kind] for kind in table], columns=["u", "v"])
        with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            patch.setattr(private, "make_randomness", lambda random_state: script)
            learnt = learn_domain(X, self.epsilon, **self.params)
        published = learnt.domain.to_json() + json.dumps(learnt.privacy_.to_dict()) + str(learnt) + repr(learnt)
        return Run(script, learnt.privacy_.releases, published)

    def audit(self, relation: str | None = None) -> Comparison:
        """Audit every pair of neighbours, with noise that shows nothing, and with counts that show magnitudes."""
        tables = unordered_tables(len(_KINDS), self.n_rows)
        relation = relation or self.params.get("relation", "add-remove")
        substitutes = [len(_KINDS) - 1] if relation == "add-remove" else list(range(len(_KINDS)))
        pairs = neighbours(tables, substitutes, rows=self.params.get("rows_per_person", 1))
        counts = np.zeros((2, MAGNITUDES.size + 1), np.int64)
        counts[0, 64:152] = counts[1, 105:151] = 10**4 * 2**16  # bounds of -2 and 64, and of 0 and 64
        scripts = [Transcript((counts.ravel(),))]
        if "delta" not in self.params:  # a delta that is attained is that of the script with the least of them
            scripts.append(Transcript(()))
        budget = self.epsilon, float(self.params.get("delta", 0.0))
        return compare(self, tables, pairs, scripts, independent=True, budget=budget)


GAUSSIAN = {"delta": 1e-3}

NUMBERS = [
    NumbersCase(),
    NumbersCase({"relation": "replace-one"}),
    NumbersCase({"rows_per_person": 2}),
    NumbersCase({"attributes": {"u": "integer"}}, n_rows=2),
    NumbersCase(GAUSSIAN),
    NumbersCase({**GAUSSIAN, "relation": "replace-one"}),
    NumbersCase({**GAUSSIAN, "rows_per_person": 2, "relation": "replace-one"}, n_rows=2),
]


@dataclass(eq=False)
class KeysCase:
    """Categories of a column of text, and labels, or one of them; every noise vector of a few draws is tried."""

    what: str
    params: dict[str, Any] = field(default_factory=dict)
    n_rows: int = 2
    epsilon: float = 4.0
    delta: float = 0.1

    def __repr__(self) -> str:
        return "-".join([self.what, f"m={self.n_rows}", *map(str, self.params.values())])

    def tables(self) -> list[tuple[Any, ...]]:
        """All tables, up to the order of rows; the last kind of row is the null row."""
        return list(itertools.combinations_with_replacement(("a", "b", None), self.n_rows))

    def law(self, rows: tuple[Any, ...]) -> tuple[dict[str, float], tuple[float, float]]:
        """The chance of everything that is published, and what the statement claims."""
        cells = np.array(rows, dtype=object)
        X = pd.DataFrame({"key": cells if self.what == "categories" else np.zeros(len(rows), bool)})
        arguments: dict[str, Any] = {**self.params, "delta": self.delta}
        if self.what == "labels":
            arguments |= {"y": cells, "attributes": {"key": Boolean()}}
        law: Counter[str] = Counter()
        claim = (0.0, 0.0)
        source, n_keys = _Enumerated(), len({row for row in rows if row is not None})
        while source.next_noise(n_keys):
            with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
                warnings.simplefilter("ignore")
                patch.setattr(private, "make_randomness", lambda random_state: source)
                learnt = learn_domain(X, self.epsilon, **arguments)
            published = learnt.domain.to_json() + repr(learnt.classes) + repr(learnt)
            law[published] += source.chance
            events = learnt.privacy_.releases
            claim = float(sum(e.epsilon for e in events)), float(sum(e.delta for e in events))
        return law, claim

    def worst(self) -> tuple[float, float]:
        """The largest delta that neighbours need at the claimed epsilon, and the claimed delta."""
        laws = {rows: self.law(rows) for rows in self.tables()}
        new = (None,) if self.params.get("relation", "add-remove") == "add-remove" else ("a", "b", None)
        found, claimed = 0.0, 0.0
        for rows in laws:
            for i, cell in itertools.product(range(len(rows)), new):
                other = tuple(sorted((*rows[:i], *rows[i + 1 :], cell), key=lambda key: (key is None, key or "")))
                (left, (epsilon, claimed)), (right, _) = laws[rows], laws[other]
                for p, q in ((left, right), (right, left)):
                    found = max(found, sum(max(0.0, c - math.exp(epsilon) * q.get(o, 0.0)) for o, c in p.items()))
        return found, claimed


class _Enumerated:
    """Goes through the noise of one release, with its chances."""

    secure = True

    def __init__(self) -> None:
        self.generator = SimulatedRandomness(np.random.default_rng(0)).generator
        self.scale: float | None = None
        self._noise: Any = None
        self._now: tuple[int, ...] = ()

    def next_noise(self, n_keys: int) -> bool:
        if self._noise is None:
            self._noise = itertools.product(range(-14, 15), repeat=n_keys)
        self._now = next(self._noise, (10**9,))
        return self._now != (10**9,)

    @property
    def chance(self) -> float:
        if not self._now:
            return 1.0
        assert self.scale is not None
        return math.prod(discrete_laplace_pmf(np.array(self._now), self.scale).tolist())

    def laplace(self, values: np.ndarray, scale: float) -> np.ndarray:
        self.scale = scale
        return values + np.array(self._now[: len(values)], dtype=np.int64)


KEYS = [
    KeysCase("categories"),
    KeysCase("categories", {"relation": "replace-one"}),
    KeysCase("labels"),
    KeysCase("labels", {"relation": "replace-one"}),
]
