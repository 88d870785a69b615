"""Exact audits of single mechanisms, driven through ``apply``, over all neighbouring inputs of a small grid."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from privboost.auditing.exact import Comparison, Run, compare
from privboost.auditing.laws import log_selection
from privboost.auditing.scripts import Script, Transcript
from privboost.auditing.tables import Table
from privboost.privacy import Laplace, Ledger, PlannedRelease, RawScores, RawSums, Select, selection_probabilities

EPSILONS = (Fraction(1, 10), Fraction(1), Fraction(10))
SENSITIVITY = 3


@dataclass(frozen=True)
class OneRelease:
    """A mechanism applied to given numbers: a table is a row of integers here."""

    rule: Any
    epsilon: Fraction
    distance: int
    size: int
    sensitivity: int = SENSITIVITY

    def run(self, table: Table, transcript: Transcript) -> Run:
        planned = PlannedRelease("release", self.rule, self.epsilon, 1, "sequential", self.distance, self.size)
        script, ledger, values = Script(transcript), Ledger(), np.array([table], np.int64)
        if self.rule == "laplace":
            Laplace.for_release(planned, self.sensitivity).apply(RawSums(values, self.sensitivity), script, ledger)
        else:
            Select.for_release(planned, self.sensitivity).apply(RawScores(values, self.sensitivity), script, ledger)
        return Run(script, ledger.events, None)


@cache
def sums(distance: int) -> tuple[list[Table], np.ndarray]:
    """Pairs of sums: ``distance`` steps, each of which moves one of them by at most the sensitivity."""
    tables = list(itertools.product(range(9), repeat=2))
    near = np.abs(np.array(tables)[:, None] - np.array(tables)).sum(axis=2) <= distance * SENSITIVITY
    return tables, np.argwhere(np.triu(near, 1))


@cache
def scores(distance: int) -> tuple[list[Table], np.ndarray]:
    """Three scores: each step moves all of them by amounts in an interval as long as the sensitivity."""
    grid = (0, 1, SENSITIVITY, 2 * SENSITIVITY, 4 * SENSITIVITY, 100)
    tables = list(itertools.product(grid, repeat=3))
    spread = np.ptp(np.array(tables)[:, None] - np.array(tables), axis=2)
    return tables, np.argwhere(np.triu(spread <= distance * SENSITIVITY, 1))


def audit_one(learner: OneRelease, pairs_within: int) -> Comparison:
    tables, pairs = (sums if learner.rule == "laplace" else scores)(pairs_within)
    return compare(learner, tables, pairs, [Transcript(())])


@pytest.mark.parametrize("distance", [1, 2])
@pytest.mark.parametrize("epsilon", EPSILONS, ids=str)
@pytest.mark.parametrize("rule", ["laplace", "permute-and-flip", "exponential"])
class TestOneMechanism:
    def test_it_is_within_its_claim_and_attains_nine_tenths(self, rule: str, epsilon: Fraction, distance: int) -> None:
        report = audit_one(OneRelease(rule, epsilon, distance, 2 if rule == "laplace" else 3), distance)
        assert report.holds, report
        assert report.claim <= float(epsilon)
        assert report.tightness >= 0.9, report

    def test_the_wrong_relation_is_caught(self, rule: str, epsilon: Fraction, distance: int) -> None:
        report = audit_one(OneRelease(rule, epsilon, distance, 2 if rule == "laplace" else 3), 2 * distance)
        assert report.disproved
        assert report.attained > 1.5 * report.claim

    def test_a_sensitivity_one_unit_too_small_is_caught(self, rule: str, epsilon: Fraction, distance: int) -> None:
        learner = OneRelease(rule, epsilon, distance, 2 if rule == "laplace" else 3, SENSITIVITY - 1)
        assert audit_one(learner, distance).disproved


@pytest.mark.parametrize("rule", ["permute-and-flip", "exponential"])
@pytest.mark.parametrize("n_candidates", [1, 2, 3, 7])
def test_the_laws_used_here_agree_with_the_product_s(rule: str, n_candidates: int) -> None:
    rng = np.random.default_rng(n_candidates)
    batch = rng.integers(-50, 1, (40, n_candidates)).astype(np.float64)
    logs = log_selection(batch, 4.5, rule)
    np.testing.assert_allclose(np.exp(logs).sum(axis=1), 1.0, rtol=1e-12)
    for row, log in zip(batch, logs, strict=True):
        np.testing.assert_allclose(np.exp(log), selection_probabilities(row, 4.5, rule), rtol=1e-11)


def test_permute_and_flip_of_two_by_hand() -> None:
    """The order is a fair coin; the better one, once asked, is taken; the worse one with probability q."""
    q = np.exp(-3 / 2.0)
    chances = np.exp(log_selection(np.array([[5.0, 2.0]]), 2.0, "permute-and-flip"))[0]
    np.testing.assert_allclose(chances, [1 / 2 + (1 - q) / 2, q / 2], rtol=1e-14)
