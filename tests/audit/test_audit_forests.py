"""Exact audits of private forests: given the partition of the rows, and over all partitions."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from audit_cases import FORESTS, HALVES, Case

from privboost import PrivateForestClassifier
from privboost.auditing.exact import TOLERANCE
from privboost.auditing.laws import log_selection
from privboost.auditing.scripts import Transcript
from privboost.auditing.tables import Table
from privboost.ensembles import forest


@pytest.mark.parametrize("case", FORESTS, ids=repr)
def test_a_forest_is_within_its_claim_for_every_partition(case: Case) -> None:
    """Neighbours have equally many rows, so a partition is as likely with either: its loss bounds the mixture's."""
    report = case.audit()
    assert report.holds, report
    assert report.claim <= case.epsilon
    assert report.tightness >= (0.6 if case.relation == "add-remove" else 0.3), report


class TestTrueRemoval:
    """A row that is absent, not null: the partition of the others must not move, whatever was told of the row count."""

    n_trees = 2

    def log_laws(self, case: Case, table: Table) -> np.ndarray:
        """Log probability of every outcome, averaged over all partitions of the rows."""
        partitions = list(itertools.product(range(self.n_trees), repeat=len(table)))
        laws = [self.log_law(case, table, partition) for partition in partitions]
        return np.logaddexp.reduce(np.stack(laws), axis=0) - np.log(len(partitions))

    @staticmethod
    def log_law(case: Case, table: Table, partition: tuple[int, ...]) -> np.ndarray:
        (draw,) = case.run(table, Transcript((), partition, seed=3)).script.draws
        if draw.rule == "laplace":
            outcomes = np.array(list(itertools.product((-case.far, case.far), repeat=draw.raw.size)))
            return -np.abs(outcomes - draw.raw.reshape(-1)).sum(axis=1) / draw.scale
        logs = log_selection(draw.raw.astype(np.float64), draw.scale, draw.rule)
        return np.array([sum(node) for node in itertools.product(*logs)])

    def worst(self, case: Case) -> float:
        worst = 0.0
        kinds = [k for k in range(len(case.world.kinds)) if k not in case.world.null_kinds]
        for table in itertools.product(kinds, repeat=case.n_rows):
            whole = self.log_laws(case, table)
            for i in range(case.n_rows):
                rest = self.log_laws(case, table[:i] + table[i + 1 :])
                worst = max(worst, float(np.abs(whole - rest).max()))
        return worst

    @pytest.mark.parametrize("mechanism", ["laplace", "exponential"])
    def test_the_forest_keeps_its_claim(self, mechanism: str) -> None:
        case = self.case(mechanism)
        worst = self.worst(case)
        assert worst <= case.epsilon + TOLERANCE
        assert worst >= 0.6 * case.epsilon

    @pytest.mark.parametrize("mechanism", ["laplace", "exponential"])
    def test_a_partition_by_position_is_caught(self, mechanism: str, monkeypatch: pytest.MonkeyPatch) -> None:
        def by_position(rows: Any, n_trees: int, generator: Any) -> None:
            rows.spread(np.arange(rows.n_rows, dtype=np.int32) % n_trees, n_trees)

        monkeypatch.setattr(forest, "_spread", by_position)
        case = self.case(mechanism)
        assert self.worst(case) > 1.5 * case.epsilon

    @staticmethod
    def case(mechanism: str) -> Case:
        return Case(PrivateForestClassifier, {"n_trees": 2, "max_depth": 1, "mechanism": mechanism}, HALVES, 3)
