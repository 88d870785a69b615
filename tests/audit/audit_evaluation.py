"""Paid evaluations on tiny tables, to be audited like learners: real models, every kind of row, noise by a script."""

from __future__ import annotations

import itertools
import json
import warnings
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import pytest

from privboost import (
    Domain,
    Numeric,
    PrivateBoostingClassifier,
    PrivateBoostingRegressor,
    evaluate_private,
)
from privboost.auditing.exact import Comparison, Run, compare
from privboost.auditing.scripts import Script, Transcript
from privboost.auditing.tables import Table, neighbours, unordered_tables
from privboost.evaluation import private

NOT_VARIED = {
    "budget": "pays for the release, and changes nothing in it",
    "model": "every task has its own",
    "X": "the rows",
    "y": "the rows",
    "epsilon": "a field of every case",
    "random_state": "with it there is no claim",
}
"""Parameters that no case sets, and why that is enough."""

_LABELS = {"two classes": ("no", "yes"), "many classes": ("a", "b", "c"), "numbers": (0.0, 4.0, 10.0)}
_NULLS = {"two classes": ("maybe", None), "many classes": (None,), "numbers": (np.nan,)}
_CELLS = {"two classes": (0.05, 0.5, 0.95), "many classes": (0.1, 0.9), "numbers": (0.1, 0.9)}


@cache
def model_of(task: str) -> Any:
    """A fitted model whose answers differ between the cells."""
    rng = np.random.default_rng(0)
    u = rng.random(600)
    common = {"epsilon": 50.0, "domain": Domain({"u": Numeric(0, 1)}), "random_state": 0, "n_rounds": 10}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if task == "numbers":
            return PrivateBoostingRegressor(target_range=(0.0, 10.0), **common).fit(u[:, None], 10 * u)
        labels = np.array(_LABELS[task])[np.digitize(u, [0.5] if task == "two classes" else [0.3, 0.6])]
        return PrivateBoostingClassifier(classes=list(_LABELS[task]), **common).fit(u[:, None], labels)


@dataclass(eq=False)
class EvaluationCase:
    """One evaluation with its arguments, on tables of one size.

    Attributes
    ----------
    task : {"two classes", "many classes", "numbers"}
    params : dict
        Arguments of `evaluate_private`.
    """

    task: str
    params: dict[str, Any] = field(default_factory=dict)
    n_rows: int = 3
    epsilon: float = 1.0

    def __repr__(self) -> str:
        return "-".join([self.task.replace(" ", "_"), f"m={self.n_rows}", *map(str, self.params.values())])

    @property
    def kinds(self) -> list[tuple[float, Any]]:
        """Every kind of row; the null rows come last."""
        return [*itertools.product(_CELLS[self.task], _LABELS[self.task]), *((0.5, y) for y in _NULLS[self.task])]

    def run(self, table: Table, transcript: Transcript) -> Run:
        script = Script(transcript)
        rows = [self.kinds[kind] for kind in table]
        X = np.array([[u] for u, _ in rows])
        y = np.array([label for _, label in rows], np.float64 if self.task == "numbers" else object)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(private, "make_randomness", lambda random_state: script)
            report = evaluate_private(model_of(self.task), X, y, epsilon=self.epsilon, **self.params)
        published = json.dumps(report.to_dict()) + str(report)
        return Run(script, report.statement.releases, published)

    def pairs(self, tables: list[Table], relation: str | None = None) -> np.ndarray:
        nulls = len(_NULLS[self.task])
        substitutes = list(range(len(self.kinds)))
        if (relation or self.params.get("relation", "add-remove")) == "add-remove":
            substitutes = substitutes[-nulls:]
        return neighbours(tables, substitutes, rows=self.params.get("rows_per_person", 1))

    def audit(self, relation: str | None = None) -> Comparison:
        """Audit every pair of neighbours, with a table of zeros and with an odd one as outcomes."""
        tables = unordered_tables(len(self.kinds), self.n_rows)
        size = self.run(tables[0], Transcript(())).script.draws[0].raw.size
        odd = np.random.default_rng(0).integers(-50, 1000, size) * 2**16
        budget = self.epsilon, float(self.params.get("delta", 0.0))
        scripts = [Transcript(()), Transcript((odd,))]
        return compare(self, tables, self.pairs(tables, relation), scripts, independent=True, budget=budget)


GAUSSIAN = {"mechanism": "gaussian", "delta": 1e-3}

CASES = [
    EvaluationCase("two classes"),
    EvaluationCase("two classes", {"relation": "replace-one"}),
    EvaluationCase("two classes", {"rows_per_person": 2}),
    EvaluationCase(
        "two classes", {"mechanism": "laplace", "delta": 1e-6, "rows_per_person": 2, "relation": "replace-one"}
    ),
    EvaluationCase("two classes", GAUSSIAN, n_rows=2),
    EvaluationCase("two classes", {**GAUSSIAN, "relation": "replace-one"}, n_rows=2),
    EvaluationCase("many classes", n_rows=2),
    EvaluationCase("many classes", {"relation": "replace-one"}, n_rows=2),
    EvaluationCase("many classes", GAUSSIAN, n_rows=2),
    EvaluationCase("numbers", n_rows=2),
    EvaluationCase("numbers", {"relation": "replace-one"}, n_rows=2),
    EvaluationCase("numbers", {**GAUSSIAN, "rows_per_person": 2}, n_rows=2),
]
