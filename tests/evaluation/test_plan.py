"""Bins and noise follow from public numbers, and the release stays within its budget."""

from __future__ import annotations

from fractions import Fraction

import pytest

from privboost.errors import ParameterError, PlanError
from privboost.evaluation.plan import MOST_CLASSES, bins_for, plan_evaluation
from privboost.privacy import PrivacyUnit, gdp_mu, total_privacy


@pytest.mark.parametrize(
    ("rows_per_noise", "n_bins"),
    [(1e-9, 8), (1, 8), (181, 8), (182, 16), (760, 16), (2000, 24), (7608, 40), (19537, 56), (1e5, 64), (1e300, 64)],
)
def test_bins(rows_per_noise: float, n_bins: int) -> None:
    assert bins_for(rows_per_noise) == n_bins


def test_noise_is_that_of_one_row_in_one_cell() -> None:
    """By hand: b = 1/ε for two classes, 2/ε for more, twice that for a replaced row."""
    for relation, steps in (("add-remove", 1), ("replace-one", 2)):
        unit = PrivacyUnit(relation, 3)  # type: ignore[arg-type]
        for n_classes, counts in ((2, 1), (3, 2), (1, 1)):
            plan = plan_evaluation(1000, n_classes, 0.5, unit=unit)
            assert (plan.sensitivity, plan.row_units, plan.delta) == (counts, 1, 0.0)
            assert plan.mechanism.scale == 3 * steps * counts / 0.5
            assert plan.mechanism.map(unit.distance) == Fraction(1, 2) == plan.release.cost


def test_gaussian_noise_is_that_of_the_l2_norm() -> None:
    mu = gdp_mu(1.0, 1e-5)
    for n_classes, length in ((2, 1.0), (3, 2**0.5), (1, 1.0)):
        plan = plan_evaluation(1000, n_classes, 1.0, 1e-5, mechanism="gaussian")
        assert plan.noise_variance**0.5 == pytest.approx(length / mu, rel=1e-3)
        assert 0.999 < total_privacy([plan.mechanism.event()], 1e-5) <= 1.0
        assert plan.sensitivity >= length * plan.row_units > plan.sensitivity - 1


@pytest.mark.parametrize("share", [1e-9, 1e-6, 0.004])
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 10.0])
@pytest.mark.parametrize("n_classes", [1, 2, 3])
def test_the_smaller_noise_is_laplace_s_for_every_usual_delta(n_classes: int, epsilon: float, share: float) -> None:
    delta = share * epsilon
    chosen = plan_evaluation(1000, n_classes, epsilon, delta)
    other = plan_evaluation(1000, n_classes, epsilon, delta, mechanism="gaussian")
    assert (chosen.release.mechanism, chosen.delta) == ("laplace", 0.0)
    assert other.noise_variance > chosen.noise_variance
    assert (other.release.mechanism, other.delta) == ("gaussian", delta)


def test_gaussian_noise_is_taken_where_it_is_smaller() -> None:
    plan = plan_evaluation(1000, 2, 1.0, 0.1)
    assert (plan.release.mechanism, plan.delta) == ("gaussian", 0.1)
    assert plan.noise_variance < plan_evaluation(1000, 2, 1.0, 0.1, mechanism="laplace").noise_variance


def test_what_cannot_be_planned() -> None:
    with pytest.raises(ParameterError, match=r"'delta' parameter must be above 0 for Gaussian noise"):
        plan_evaluation(10, 2, 1.0, mechanism="gaussian")
    with pytest.raises(ParameterError, match=f"'model' parameter must be one of at most {MOST_CLASSES}"):
        plan_evaluation(10, MOST_CLASSES + 1, 1.0)
    with pytest.raises(PlanError, match="Raise epsilon, or use Laplace noise"):
        plan_evaluation(10, 2, 1e-60, 1e-70, mechanism="gaussian")
    assert plan_evaluation(10, 2, 1e-60, 1e-70).release.mechanism == "laplace"
    with pytest.raises(PlanError, match="Raise epsilon"):
        plan_evaluation(10, 2, 1e-300)
