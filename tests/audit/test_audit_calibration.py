"""Calibrated scores: the last histogram is within its claim, and what breaks it is caught."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from audit_newton_cases import CALIBRATED, GAUSSIAN, HALVES, LAPLACE, ONE_TREE, Case, classifier

from privboost.ensembles import newton
from privboost.privacy import mechanisms
from privboost.privacy.mechanisms import Gaussian, Laplace, RawSums
from privboost.sources.gradients import GradientRows

BOTH = pytest.mark.parametrize("noise", [LAPLACE, GAUSSIAN], ids=["laplace", "gaussian"])


def calibrated(noise: dict[str, Any], **fields: Any) -> Case:
    """Nearly all of the budget for the histogram of the scores."""
    settings = {**ONE_TREE, **noise, "histogram_share": 0.0, "base_share": 0.0, "calibration_share": 0.95}
    return classifier({**settings, **fields}, HALVES, 3)


@pytest.mark.parametrize("case", CALIBRATED, ids=repr)
def test_calibrated_learners_are_within_their_claim(case: Case) -> None:
    report = case.audit()
    assert report.holds, report
    assert report.attained > (0.0 if report.relaxed else 0.25) * report.claim, report


@BOTH
def test_a_row_changes_the_histogram_by_all_that_is_charged(noise) -> None:
    report = calibrated(noise).audit()
    assert report.holds
    assert report.attained > 0.8 * report.claim


@BOTH
@pytest.mark.parametrize("factor", [0.5, 0.8])
def test_too_little_noise_on_the_histogram_is_caught(noise, factor, monkeypatch) -> None:
    for mechanism in (Laplace, Gaussian):
        apply = mechanism.apply

        def quieter(self: Any, raw: Any, randomness: Any, ledger: Any, apply: Any = apply) -> Any:
            if self._planned.label == "scores":
                randomness = Louder(randomness, factor)
            return apply(self, raw, randomness, ledger)

        monkeypatch.setattr(mechanism, "apply", quieter)
    assert calibrated(noise).audit().disproved


class Louder:
    """A source of randomness that draws too little noise."""

    def __init__(self, randomness: Any, factor: float) -> None:
        self.randomness, self.factor = randomness, factor

    def laplace(self, values: Any, scale: float) -> Any:
        return self.randomness.laplace(values, self.factor * scale)

    def gaussian(self, values: Any, scale: float) -> Any:
        return self.randomness.gaussian(values, self.factor * scale)


@BOTH
def test_a_histogram_that_is_not_charged_is_caught(noise, monkeypatch) -> None:
    calibrate = newton.NewtonTrainer._calibrate

    def unpaid(self: Any, *arguments: Any) -> Any:
        return calibrate(dataclasses.replace(self, ledger=type(self.ledger)()), *arguments)

    monkeypatch.setattr(newton.NewtonTrainer, "_calibrate", unpaid)
    assert "ledger" in calibrated(noise).audit().problems


@BOTH
def test_a_slope_from_exact_counts_is_caught(noise, monkeypatch) -> None:
    slope, histogram = newton.calibration_slope, GradientRows.score_histogram
    exact: list[np.ndarray] = []

    def spying(self: Any, edges: Any, norm: Any) -> Any:
        raw = histogram(self, edges, norm)
        exact.append(mechanisms._reveal(raw).reshape(-1, 2) / 2**16)
        return raw

    monkeypatch.setattr(GradientRows, "score_histogram", spying)
    monkeypatch.setattr(newton, "calibration_slope", lambda counts, *rest: slope(exact[-1], *rest))
    assert "model" in calibrated(noise).audit().problems


@BOTH
def test_bins_that_are_cut_where_rows_lie_are_caught(noise, monkeypatch) -> None:
    """Edges at the rows' own mean score: one row more moves others from bin to bin."""
    histogram = GradientRows.score_histogram

    def own_edges(self: Any, edges: Any, norm: Any) -> RawSums:
        self._passes.ask(lambda part, slot: None)  # steps wait until something is asked
        rows = self._score[0][self._units > 0]
        centre = rows.mean() if len(rows) else 0.0
        return histogram(self, np.sort(centre + np.arange(len(edges)) * 1e-9 - 5e-9), norm)

    monkeypatch.setattr(GradientRows, "score_histogram", own_edges)
    report = calibrated(noise).audit()
    assert not report.holds
    assert report.relaxed or report.disproved
