"""What a file says about a run of Newton boosting, and whether trees, base score and edges agree with it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from privboost.ensembles.ensemble import MAX_REACH, REGRESSION, VECTOR, Ensemble, scaled_reach
from privboost.ensembles.temperature import MAX_SLOPE, MOST_EXPECTED, OWN_STEPS
from privboost.errors import ModelFileError, ParameterError, VerificationError
from privboost.exchange.record import ModelRecord
from privboost.sources.objectives import Objective, get_objective, lowest_ratio

__all__ = ["NEWTON", "NewtonFacts", "check_newton", "newton_facts"]

NEWTON = ("logit", "softmax", "identity", "log")
"""Combinations of trees that were boosted by Newton steps."""

MAX_BASE = 100.0
"""Base scores come from shares that are held off 0, and stay well below."""

MAX_REASONS = 20
MAX_REASON_LENGTH = 300


@dataclass(frozen=True)
class NewtonFacts:
    """The facts of a plan that ledger and trees must agree with.

    Attributes
    ----------
    objective : Objective
    kappa : float
    score_reach : float
        How far from the base score a row's score counts when its gradient is worked out.
    n_rounds, trees_per_round : int
    counted, histograms : bool
        Whether class counts (or sums of the target) and one-way histograms were released before the trees.
    calibrated : bool
        Whether a histogram of the scores was released after the trees.
    expected_slope : float
        Factor of the scores that was expected before.
    mechanism : str
        Of every release of sums; ``"none"`` without an epsilon.
    n_tests : int
        Tests among which each node's was selected; 1 where it was drawn.
    """

    objective: Objective
    kappa: float
    score_reach: float
    n_rounds: int
    trees_per_round: int
    counted: bool
    histograms: bool
    calibrated: bool
    expected_slope: float
    mechanism: str
    n_tests: int


def newton_facts(record: ModelRecord) -> NewtonFacts:
    """Read the plan of a model whose trees add up to a score.

    Raises
    ------
    ModelFileError
        If a fact is absent, or of another type or range.
    """
    share = _fact(record, "base_share", float)
    kappa = _fact(record, "kappa", float)
    reach = _fact(record, "score_reach", float)
    mechanism = _fact(record, "mechanism", str)
    if not 0.0 <= share < 1.0:
        raise ModelFileError("The model's plan must hold a 'base_share' of 0 or more and below 1.")
    # The bound of a row's gradient and curvature is proven for these.
    if not 0.0 < kappa <= 1.0:
        raise ModelFileError("The model's plan must hold a 'kappa' above 0 and at most 1.")
    if not 0.0 <= reach <= MAX_REACH:
        raise ModelFileError(f"The model's plan must hold a 'score_reach' from 0 to {MAX_REACH:g}.")
    return NewtonFacts(
        objective=_objective(record),
        kappa=kappa,
        score_reach=reach,
        n_rounds=_fact(record, "n_rounds", int),
        trees_per_round=_fact(record, "trees_per_round", int),
        counted=share > 0.0,
        histograms=_fact(record, "histograms", bool),
        calibrated=_calibrated(record),
        expected_slope=_expected_slope(record),
        mechanism="none" if record.statement.epsilon is None else mechanism,
        n_tests=_later_fact(record, "tests_per_node", 1),
    )


def _calibrated(record: ModelRecord) -> bool:
    share = _later_fact(record, "calibration_share", 0.0)
    if not 0.0 <= share < 1.0:
        raise ModelFileError("The model's plan must hold a 'calibration_share' of 0 or more and below 1.")
    return bool(share > 0.0)


def _expected_slope(record: ModelRecord) -> float:
    slope = _later_fact(record, "expected_slope", 1.0)
    # Nobody's own choice of steps is made up for, nor are steps that no noise damped.
    own = any(record.parameters.get(name, "auto") != "auto" for name in OWN_STEPS)
    plain = own or record.statement.epsilon is None or record.ensemble.combination in REGRESSION
    most = 1.0 if plain else MOST_EXPECTED
    if not 1.0 <= slope <= most:
        raise ModelFileError(f"The model's plan must hold an 'expected_slope' from 1 to {most:g}.")
    return float(slope)


def _fact(record: ModelRecord, name: str, kind: type) -> Any:
    value = record.plan.get(name)
    if type(value) is not kind:
        raise ModelFileError(f"The model's plan must hold {name!r}, of type {kind.__name__}.")
    return value


def _later_fact(record: ModelRecord, name: str, before: float) -> Any:
    """Return a fact that older files lack, which were made as if it were ``before``, of the same type."""
    return _fact(record, name, type(before)) if name in record.plan else before


def _objective(record: ModelRecord) -> Objective:
    name = _fact(record, "objective", str)
    quantile = record.parameters.get("quantile", 0.5)
    if name == "quantile" and (type(quantile) is not float or not 0.0 < quantile < 1.0):
        raise ModelFileError("The parameter 'quantile' must be a decimal number between 0 and 1.")
    clip = _fact(record, "residual_clip", float)
    if not 0.0 < clip <= 1.0:
        raise ModelFileError("The model's plan must hold a 'residual_clip' above 0 and at most 1.")
    if name in ("logistic", "softmax"):
        clip = _later_fact(record, "gradient_clip", 1.0)
        if not 0.5 <= clip <= 1.0:
            raise ModelFileError("The model's plan must hold a 'gradient_clip' from 0.5 to 1.")
    low, high = record.target_range or (0.0, 1.0)
    if record.ensemble.combination == "log" and low < 0.0:
        raise ModelFileError("The model's 'target_range' must not start below 0 for a score that is a logarithm.")
    lowest = lowest_ratio(low, high)
    if name == "gamma" and lowest == 0.0:
        raise ModelFileError("The model's 'target_range' must start above 0 for the objective 'gamma'.")
    try:
        return get_objective(name, record.ensemble.n_outputs, quantile=quantile, lowest=lowest, clip=clip)
    except ParameterError:
        raise ModelFileError("The model's plan names an objective that this version does not know.") from None


def _check_reasons(record: ModelRecord) -> None:
    """Raise unless the plan's reasons, which are free text, are a few short lines of printable characters."""
    reasons = _fact(record, "reasons", list)
    if len(reasons) > MAX_REASONS or not all(
        isinstance(line, str) and 0 < len(line) <= MAX_REASON_LENGTH and line.isprintable() for line in reasons
    ):
        raise ModelFileError(
            f"The model's plan must hold at most {MAX_REASONS} 'reasons', each one line of at most {MAX_REASON_LENGTH} "
            "printable characters."
        )


def check_newton(record: ModelRecord) -> None:
    """Raise unless trees, base score, reach and refinement are such as the plan leads to.

    Raises
    ------
    ModelFileError
        If a fact of the plan is absent or out of range.
    VerificationError
        If the parts contradict each other.
    """
    ensemble, facts = record.ensemble, newton_facts(record)
    _check_reasons(record)
    if facts.objective.combination != ensemble.combination:
        raise VerificationError("The model's trees are not joined as its objective demands.")
    if ensemble.combination not in REGRESSION and (ensemble.combination == "softmax") != (ensemble.n_classes > 2):
        raise VerificationError("Trees are joined by 'logit' for two classes, and by 'softmax' for more.")
    if min(facts.n_rounds, facts.trees_per_round, facts.n_tests) < 1:
        raise ModelFileError(
            "The model's plan must hold 'n_rounds', 'trees_per_round' and 'tests_per_node' of 1 or more."
        )
    if facts.n_rounds * facts.trees_per_round != len(ensemble.trees):
        raise VerificationError("The model does not have the number of trees that its plan states.")
    output = -1 if ensemble.combination in VECTOR else 0
    if not (ensemble.outputs == output).all() or ensemble.alpha != 1.0:
        raise VerificationError("The trees of the model must all serve the same outputs, with alpha 1.")
    _check_slope(ensemble, facts)
    limit = _fact(record, "learning_rate", float) * _fact(record, "leaf_clip", float) / facts.trees_per_round
    if any(float(np.abs(tree.values).max()) > limit * (1.0 + 1e-9) for tree in ensemble.trees):
        raise VerificationError("A leaf of the model moves a score further than its plan allows.")
    equal = facts.objective.base(np.ones(max(ensemble.n_classes, 2)), 0.0)
    if not facts.counted and not np.allclose(ensemble.base, equal, rtol=1e-12, atol=1e-12):
        raise VerificationError("The model has a base score, but no release that it could come from.")
    if not facts.histograms and record.refinement is not None and record.refinement.reorders:
        raise VerificationError("The model's categories are reordered, but no release tells in which order.")
    largest = sum(float(np.abs(tree.values).max()) for tree in ensemble.trees)
    if not math.isfinite(largest) or any(abs(score) > MAX_BASE for score in ensemble.base):
        raise ModelFileError("The model's scores are out of range.")


def _check_slope(ensemble: Ensemble, facts: NewtonFacts) -> None:
    """Raise unless all trees have one weight, which is the expected slope where no release tells another."""
    slope, expected = float(ensemble.weights[0]), facts.expected_slope
    if not (ensemble.weights == slope).all() or (slope != expected and not facts.calibrated):
        raise VerificationError(
            f"The trees of the model must all have one weight, and {expected:g} where no release tells another."
        )
    if not -1.0 - 1e-9 <= math.log(max(slope, 1e-300) / expected) / math.log(MAX_SLOPE) <= 1.0 + 1e-9:
        raise ModelFileError(
            f"The weight of a model's trees must lie between {expected / MAX_SLOPE:.4g} and {expected * MAX_SLOPE:.4g}."
        )
    if ensemble.reach != scaled_reach(facts.score_reach, slope):
        raise VerificationError("The model's scores do not reach as far as its plan states.")
