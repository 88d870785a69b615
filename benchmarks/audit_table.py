"""Audit many learners, as `privboost.audit` does it, and print what each audit shows as a table in Markdown.

``make audit`` takes about a minute and is part of every check of a change. ``make audit-full`` takes an hour or more;
``SCALE`` multiplies the number of its trainings. Ends with status 1 if a claim is contradicted. Its last results are in
docs/audit.md.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sklearn.base import clone

from privboost import (
    AuditReport,
    BDPEClassifier,
    PrivateBoostingClassifier,
    PrivateBoostingRegressor,
    PrivateForestClassifier,
    PrivateTreeClassifier,
    audit,
)
from privboost.cli.learners import Choices, declare
from privboost.cli.target import labels_for
from privboost.data.datasets import read_table

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
ONE_TREE: dict[str, Any] = {"n_rounds": 1, "trees_per_round": 1, "max_depth": 1}
LEAVES_ONLY = {**ONE_TREE, "histogram_share": 0.0, "base_share": 0.0, "score_reach": 0.0}
SURE = 1 - 1e-9  # so that no change ever fails by chance
NEARLY_SURE = 0.9999
GAUSSIAN = {"mechanism": "gaussian", "delta": 1e-5}


@dataclass(frozen=True)
class Entry:
    """One audit: what is printed of it, the learner, and the arguments of `audit`."""

    name: str
    model: Any
    method: str
    options: dict[str, Any] = field(default_factory=dict)


def smallest(relation: str, epsilon: float = 1.0) -> dict[str, Any]:
    """Every exported learner with one tree of depth 1."""
    unit = {"epsilon": epsilon, "relation": relation}
    return {
        "bdpe, 1 tree of depth 1": BDPEClassifier(n_trees=1, max_depth=1, **unit),
        "tree of depth 1": PrivateTreeClassifier(max_depth=1, **unit),
        "forest, 1 tree of depth 1": PrivateForestClassifier(n_trees=1, max_depth=1, **unit),
        "forest, exponential, 1 tree of depth 1": PrivateForestClassifier(
            n_trees=1, max_depth=1, mechanism="exponential", **unit
        ),
        "boosting, 1 tree of depth 1": PrivateBoostingClassifier(**ONE_TREE, **unit),
        "boosting, Gaussian, 1 tree of depth 1": PrivateBoostingClassifier(**ONE_TREE, **GAUSSIAN, **unit),
        "boosting, Gaussian, leaves of 1 tree only": PrivateBoostingClassifier(**LEAVES_ONLY, **GAUSSIAN, **unit),
        "boosting of numbers, 1 tree of depth 1": PrivateBoostingRegressor(**ONE_TREE, **unit),
        "boosting of numbers, Gaussian, leaves of 1 tree only": PrivateBoostingRegressor(
            **LEAVES_ONLY, **GAUSSIAN, **unit
        ),
    }


def larger() -> dict[str, Any]:
    """Learners whose transcripts are too many to be tried one by one."""
    rounds = {"n_rounds": 3, "trees_per_round": 2, "max_depth": 2}
    return {
        "bdpe, 3 trees of depth 2": BDPEClassifier(n_trees=3, max_depth=2),
        "bdpe, 10 trees of depth 3": BDPEClassifier(n_trees=10, max_depth=3),
        "bdpe, 3 trees of depth 2, three classes": BDPEClassifier(n_trees=3, max_depth=2, classes=["a", "b", "c"]),
        "bdpe, the paper's choices, 3 trees of depth 2": BDPEClassifier(n_trees=3, max_depth=2, preset="paper"),
        "tree of depth 4": PrivateTreeClassifier(max_depth=4),
        "forest, 21 trees of depth 4": PrivateForestClassifier(),
        "forest, 5 trees that share rows": PrivateForestClassifier(n_trees=5, max_depth=3, partition="shared"),
        "boosting, 3 rounds of 2 trees": PrivateBoostingClassifier(**rounds),
        "boosting, Gaussian, 3 rounds of 2 trees": PrivateBoostingClassifier(**rounds, **GAUSSIAN),
        "boosting, tests selected, 3 rounds of 2 trees": PrivateBoostingClassifier(**rounds, tests_per_node=3),
        "boosting of numbers, 3 rounds of 2 trees": PrivateBoostingRegressor(**rounds),
        "Poisson boosting, Gaussian, 3 rounds of 2 trees": PrivateBoostingRegressor(
            **rounds, **GAUSSIAN, loss="poisson"
        ),
    }


def quick() -> Iterator[Entry]:
    """Return what is audited at every change."""
    for relation in ("add-remove", "replace-one"):
        for name, model in smallest(relation).items():
            yield Entry(f"{name}, {relation}", model, "exact", {"runs": 400})
    for name, model in list(larger().items())[::3]:
        yield Entry(name, model, "exact", {"runs": 120, "n_rows": 2})
    for name in list(smallest("add-remove"))[::2]:
        yield Entry(name, smallest("add-remove", 3.0)[name], "sampling", {"runs": 1000, "confidence": SURE})
    deep = PrivateForestClassifier(n_trees=1, max_depth=14, leaf="soft")
    yield Entry("forest, 1 soft tree of depth 14", deep, "one-run", {"canaries": 2000, "confidence": SURE})


def full(scale: float) -> Iterator[Entry]:
    """Return what is audited now and then."""
    for relation in ("add-remove", "replace-one"):
        for name, model in smallest(relation).items():
            yield Entry(f"{name}, {relation}", model, "exact", {"runs": 3000})
    for name, model in larger().items():
        yield Entry(name, model, "exact", {"runs": max(200, int(20_000 * scale)), "n_rows": 2})
    for epsilon in (1.0, 3.0):
        for name, model in smallest("add-remove", epsilon).items():
            runs = max(400, int(50_000 * scale))
            yield Entry(f"{name}", model, "sampling", {"runs": runs, "confidence": NEARLY_SURE})
    for epsilon in (1.0, 3.0, 8.0):
        yield from one_run(epsilon, max(1000, int(40_000 * scale)))


def one_run(epsilon: float, canaries: int) -> Iterator[Entry]:
    """Audits of one training: on the default table of random rows, and on a real one."""
    options: dict[str, Any] = {"canaries": canaries, "confidence": NEARLY_SURE}
    models = {
        "forest, 1 soft tree of depth 16": PrivateForestClassifier(epsilon, n_trees=1, max_depth=16, leaf="soft"),
        "tree of depth 8": PrivateTreeClassifier(epsilon, max_depth=8),
        "bdpe, 10 trees of depth 3": BDPEClassifier(epsilon, n_trees=10, max_depth=3),
        "boosting, 1 tree of depth 12": PrivateBoostingClassifier(epsilon, n_rounds=1, trees_per_round=1, max_depth=12),
        "boosting, as it comes": PrivateBoostingClassifier(epsilon, delta=1e-6),
    }
    for name, model in models.items():
        yield Entry(name, model, "one-run", options)
    if not (DATA / "domains.json").is_file():
        return
    for name, model in models.items():
        X, y, there = real_table(model)
        given = {**options, "canaries": min(canaries, 5000), "X": X, "y": y}
        yield Entry(f"{name}; rows of adult", there, "one-run", given)


def real_table(model: Any) -> tuple[Any, Any, Any]:
    """Return the rows of the table 'adult', and the learner with its domain."""
    there: Any = clone(model)
    declared, target = declare(there, f"{DATA / 'domains.json'}:adult", Choices())
    X, y = read_table(str(DATA / "adult.csv.gz"), declared.domain, target.name)
    y, classes = labels_for(y, target)
    return X, y, there.set_params(classes=list(classes))


def row(entry: Entry, report: AuditReport) -> str:
    claim = f"{report.epsilon:.4g}" + (f", {report.delta:g}" if report.delta else "")
    upper = "" if report.upper_bound is None or report.delta else f"{report.upper_bound:.3f}"
    sure = "exact" if report.confidence == 1.0 else f"1 − {1 - report.confidence:.0e}"
    verdict = "stands" if report.holds else "**contradicted**"
    cells = [entry.name, claim, f"{report.lower_bound:.3f}", f"{report.tightness:.0%}", upper, sure]
    return "| " + " | ".join([*cells, f"{report.runs}", f"{report.seconds:.1f}", verdict]) + " |"


HEAD = """
| learner | claimed ε, δ | lower bound of ε | of the claim | upper bound | confidence | trainings | s | the claim |
|---|---|---:|---:|---:|---|---:|---:|---|"""


def run(entries: Iterator[Entry]) -> int:
    start, contradicted, method = time.perf_counter(), 0, ""
    for entry in entries:
        if entry.method != method:
            method = entry.method
            print(f"\n{method}\n{HEAD}", flush=True)
        report = audit(entry.model, method=method, **entry.options)
        contradicted += not report.holds
        print(row(entry, report), flush=True)
    print(f"\n{contradicted} claims contradicted; {time.perf_counter() - start:.0f} s.")
    return 1 if contradicted else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true", help="an hour or more, instead of a minute")
    parser.add_argument("--scale", type=float, default=1.0, help="factor of the trainings of --full")
    given = parser.parse_args()
    sys.exit(run(full(given.scale) if given.full else quick()))
