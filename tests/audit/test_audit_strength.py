"""Audits that see next to nothing would pass anything: how much of the claim the exact ones reach at ε = 1."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from audit_newton_cases import AMOUNTS, FIXED, GAUSSIAN, HALVES
from test_audit_mechanisms import OneRelease, audit_one

from privboost import (
    BDPEClassifier,
    PrivateBoostingClassifier,
    PrivateBoostingRegressor,
    PrivateForestClassifier,
    PrivateTreeClassifier,
    audit,
)
from privboost.auditing.exact import Run, attained_epsilon, compare
from privboost.auditing.scripts import Script, Transcript
from privboost.auditing.tables import Table
from privboost.privacy import Gaussian, Ledger, PlannedRelease, RawSums, calibrate_gaussian

DELTA = 1e-5
UNIT = 2**16


class OneGaussian:
    """Sums with Gaussian noise for one step of at most `UNIT` in L2 norm; a table is a row of integers here."""

    def __init__(self, part: float = 1.0) -> None:
        multiplier, *_ = calibrate_gaussian(epsilon=1.0, delta=DELTA, shares=[1])
        self.planned = PlannedRelease("sums", "gaussian", Fraction(0), 1, "sequential", 1, 2, part * multiplier)

    def run(self, table: Table, transcript: Transcript) -> Run:
        script, ledger = Script(transcript), Ledger()
        raw = RawSums(np.array([table], np.int64), UNIT, norm="l2")
        Gaussian.for_release(self.planned, UNIT).apply(raw, script, ledger)
        return Run(script, ledger.events, None)


GRID = [(x * UNIT, y * UNIT) for x, y in itertools.product((0, 1, 2), repeat=2)] + [(int(0.6 * UNIT), int(0.8 * UNIT))]


def pairs_within(distance: float) -> np.ndarray:
    moves = np.linalg.norm(np.array(GRID)[:, None] - np.array(GRID), axis=2)
    return np.argwhere(np.triu(moves <= distance * UNIT, 1))


@pytest.mark.parametrize("rule", ["laplace", "permute-and-flip", "exponential"])
def test_a_pure_mechanism_reaches_nine_tenths(rule: str) -> None:
    report = audit_one(OneRelease(rule, Fraction(1), 1, 2 if rule == "laplace" else 3), 1)
    assert report.holds
    assert report.attained >= 0.9


def test_gaussian_noise_reaches_nine_tenths_at_its_delta() -> None:
    report = compare(OneGaussian(), GRID, pairs_within(1.0), [Transcript(())], budget=(1.0, DELTA))
    assert report.holds
    assert 0.999 * DELTA < report.attained <= report.bound <= DELTA
    pair = GRID[0], GRID[1]  # one number, by the whole step
    assert 0.9 < attained_epsilon(OneGaussian(), pair, [Transcript(())], DELTA, 10.0) <= 1.0


@pytest.mark.parametrize(("part", "distance"), [(0.999, 1.0), (1.0, 1.5)])
def test_a_thousandth_less_noise_or_a_longer_step_is_caught(part: float, distance: float) -> None:
    report = compare(OneGaussian(part), GRID, pairs_within(distance), [Transcript(())], budget=(1.0, DELTA))
    assert report.disproved


SMALL: dict[str, Any] = {"max_depth": 1}
ONE = {"n_rounds": 1, "trees_per_round": 1, **SMALL}
SMALLEST = {
    "bdpe": BDPEClassifier(n_trees=1, **SMALL),
    "tree": PrivateTreeClassifier(**SMALL),
    "forest": PrivateForestClassifier(n_trees=1, **SMALL),
    "forest, exponential": PrivateForestClassifier(n_trees=1, mechanism="exponential", **SMALL),
    "boosting": PrivateBoostingClassifier(**ONE),
    "boosting of numbers": PrivateBoostingRegressor(**ONE),
}


@pytest.mark.parametrize("name", SMALLEST)
def test_the_smallest_learner_reaches_six_tenths(name: str) -> None:
    report = audit(SMALLEST[name])
    assert report.holds
    assert report.lower_bound >= 0.6, report


def test_a_forest_s_vote_reaches_nine_tenths() -> None:
    for name in ("forest", "forest, exponential"):
        assert audit(SMALLEST[name]).lower_bound >= 0.9


@pytest.mark.parametrize(
    ("learner", "world"),
    [(PrivateBoostingClassifier, HALVES), (PrivateBoostingRegressor, AMOUNTS)],
    ids=["labels", "numbers"],
)
def test_the_smallest_learner_with_gaussian_noise_reaches_six_tenths(learner: type, world: Any) -> None:
    """Nothing but leaves, at scores of 0: where a row's move depends on outcomes, the least of all is what is shown."""
    report = audit(learner(**{**FIXED, **GAUSSIAN, "n_rounds": 1}), world=world)
    assert report.holds
    assert report.lower_bound >= 0.6, report
