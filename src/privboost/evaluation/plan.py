"""What an evaluation will release, fixed from public numbers before a row is read."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from privboost.ensembles.plan import check_range
from privboost.errors import ParameterError, PlanError
from privboost.privacy.accounting import PlannedRelease
from privboost.privacy.calibration import calibrate_releases
from privboost.privacy.distributions import discrete_laplace_std
from privboost.privacy.mechanisms import Gaussian, Laplace
from privboost.privacy.relation import PrivacyUnit
from privboost.privacy.scales import noise_scale
from privboost.sources.local import GRID

__all__ = ["CONFIDENCE_BINS", "MOST_BINS", "MOST_CLASSES", "EvaluationPlan", "Task", "bins_for", "plan_evaluation"]

Task = Literal["two classes", "many classes", "numbers"]

GROUPS = 8
"""Numbers of bins are multiples of it: the calibration curve has so many points, each made of as many bins."""

MOST_BINS = 64

CONFIDENCE_BINS = GROUPS
"""Bins of the largest probability, of models of more than two classes."""

MOST_CLASSES = 64
"""Of a confusion matrix; beyond, its cells would hold little but noise."""


@dataclass(frozen=True)
class EvaluationPlan:
    """Everything about an evaluation that does not depend on a row's values.

    Attributes
    ----------
    task : {"two classes", "many classes", "numbers"}
    n_rows : int
    n_classes : int
        1 where a number is predicted.
    n_bins : int
        Bins of the probability, or of the error.
    unit : PrivacyUnit
    epsilon, delta : float
        What the release is within; ``delta`` is 0 with Laplace noise, which needs none.
    release : PlannedRelease
        The only one.
    """

    task: Task
    n_rows: int
    n_classes: int
    n_bins: int
    unit: PrivacyUnit
    epsilon: float
    delta: float
    release: PlannedRelease

    @property
    def row_units(self) -> int:
        """Integer units that one row counts for: Gaussian noise on integers needs a fine grid."""
        return GRID if self.release.mechanism == "gaussian" else 1

    @property
    def sensitivity(self) -> int:
        """Bound on the change by one row added or removed, in integer units: L2 norm for Gaussian noise, else L1."""
        return _sensitivity(self.task, gaussian=self.release.mechanism == "gaussian")

    @property
    def mechanism(self) -> Laplace | Gaussian:
        """The mechanism of the release."""
        kind = Gaussian if self.release.mechanism == "gaussian" else Laplace
        return kind.for_release(self.release, self.sensitivity)

    @property
    def noise_variance(self) -> float:
        """Variance of one released count's noise, in rows squared."""
        scale = self.mechanism.scale
        deviation = scale if self.release.mechanism == "gaussian" else discrete_laplace_std(scale)
        return (deviation / self.row_units) ** 2


def bins_for(rows_per_noise: float) -> int:
    r"""Return the number of bins for a table of ``rows_per_noise`` rows, in units of the noise scale of one count.

    A bin hides the order of its rows, which costs an AUC about :math:`1/B^2`; noise on :math:`B` bins costs about
    :math:`\sqrt B` noise scales per row. The sum is least at a multiple of :math:`(n/b)^{2/5}`; on real tables the
    multiple is about 1 (docs/evaluation.md).

    Parameters
    ----------
    rows_per_noise : float
        Above 0.

    Returns
    -------
    int
        A multiple of 8, from 8 to 64.
    """
    # Rounded up: the report says what noise costs, but of what bins hide only the most that it can be.
    wanted = GROUPS * math.ceil(math.pow(min(rows_per_noise, 1e9), 0.4) / GROUPS)
    return min(max(wanted, GROUPS), MOST_BINS)


def plan_evaluation(
    n_rows: int,
    n_classes: int,
    epsilon: float,
    delta: float = 0.0,
    unit: PrivacyUnit | None = None,
    mechanism: str = "auto",
) -> EvaluationPlan:
    """Choose bins and noise.

    Parameters
    ----------
    n_rows : int
        Rows of the table, 1 or more. Public.
    n_classes : int
        Of the model; 1 where it predicts a number.
    epsilon : float
        Budget, above 0 and finite.
    delta : float, default=0.0
        0 or more, below 1.
    unit : PrivacyUnit, optional
        By default one row, added or removed.
    mechanism : {"auto", "laplace", "gaussian"}, default="auto"
        ``"auto"`` takes the noise of smaller variance. A row lies in one cell, or two, so that both norms are alike,
        and Laplace noise wins for every delta below 0.004 epsilon, and with one cell below 0.025 epsilon.

    Returns
    -------
    EvaluationPlan

    Raises
    ------
    ParameterError
        For Gaussian noise without a delta, or more classes than `MOST_CLASSES`.
    PlanError
        If the noise that the budget demands cannot be represented, or so many rows cannot be summed up exactly.
    """
    check_range(n_rows)
    if n_classes > MOST_CLASSES:
        raise ParameterError(
            "model", f"a model of {n_classes} classes", f"one of at most {MOST_CLASSES}", "Group its classes."
        )
    unit = PrivacyUnit() if unit is None else unit
    task: Task = "numbers" if n_classes == 1 else "two classes" if n_classes == 2 else "many classes"
    candidates = _candidates(task, n_rows, n_classes, epsilon, delta, unit, mechanism)
    return min(candidates, key=lambda plan: plan.noise_variance)


def _candidates(
    task: Task, n_rows: int, n_classes: int, epsilon: float, delta: float, unit: PrivacyUnit, mechanism: str
) -> list[EvaluationPlan]:
    plans = []
    if mechanism != "gaussian":
        scale = noise_scale(unit.distance, _sensitivity(task, gaussian=False), Fraction(epsilon))
        n_bins = _bins(task, n_rows / scale)
        release = _release(task, n_bins, n_classes, unit, "laplace", Fraction(epsilon), None)
        plans.append(EvaluationPlan(task, n_rows, n_classes, n_bins, unit, epsilon, 0.0, release))
    if mechanism == "gaussian" and delta == 0.0:
        raise ParameterError("delta", delta, "above 0 for Gaussian noise", "Use Laplace noise for a pure epsilon.")
    if mechanism != "laplace" and delta > 0.0:
        try:
            plans.append(_gaussian_plan(task, n_rows, n_classes, epsilon, delta, unit))
        except PlanError:  # a budget too small for Gaussian noise on integers
            if not plans:
                raise
    return plans


def _gaussian_plan(
    task: Task, n_rows: int, n_classes: int, epsilon: float, delta: float, unit: PrivacyUnit
) -> EvaluationPlan:
    def calibrated(n_bins: int) -> PlannedRelease:
        release = _release(task, n_bins, n_classes, unit, "gaussian", Fraction(0), 1.0)
        try:
            return calibrate_releases([release], epsilon, delta)[0]
        except ParameterError:  # epsilon and delta are in range, but the noise is not
            raise PlanError(
                "The budget is too small for Gaussian noise. Raise epsilon, or use Laplace noise."
            ) from None

    # The price of integers depends on the number of cells, in the fifth digit: too little to matter for their number.
    roughly = Gaussian.for_release(calibrated(GROUPS), _sensitivity(task, gaussian=True)).scale / GRID
    n_bins = _bins(task, n_rows / roughly)
    return EvaluationPlan(task, n_rows, n_classes, n_bins, unit, epsilon, delta, calibrated(n_bins))


def _bins(task: Task, rows_per_noise: float) -> int:
    return CONFIDENCE_BINS if task == "many classes" else bins_for(rows_per_noise)


def _sensitivity(task: Task, *, gaussian: bool) -> int:
    # With many classes a row counts twice: in the confusion matrix, and in the table of its largest probability.
    counts = 2 if task == "many classes" else 1
    # Rounded up: the root of 2 is no integer number of units.
    return math.isqrt(counts * GRID**2 - 1) + 1 if gaussian else counts


def _release(
    task: Task,
    n_bins: int,
    n_classes: int,
    unit: PrivacyUnit,
    mechanism: Literal["laplace", "gaussian"],
    epsilon: Fraction,
    noise_multiplier: float | None,
) -> PlannedRelease:
    if task == "many classes":
        # Both tables see the same rows, so that they are one vector of numbers, and not two parallel releases.
        size = n_classes**2 + 2 * n_bins
        return PlannedRelease(
            "evaluation/counts", mechanism, epsilon, 1, "sequential", unit.distance, size, noise_multiplier
        )
    # Bins hold disjoint rows.
    return PlannedRelease(
        "evaluation/counts", mechanism, epsilon, n_bins, "parallel", unit.distance, 2, noise_multiplier
    )
