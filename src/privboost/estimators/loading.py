"""From a model file back to a fitted estimator, and the checks that only the estimator's own code can make."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from privboost.data.encoding import Encoder
from privboost.ensembles.plan import BoostingPlan, ForestPlan, level_alphas
from privboost.errors import ModelFileError, ParameterError, PlanError, VerificationError
from privboost.estimators.base import PrivateClassifier, PublicFacts, Trained
from privboost.estimators.bdpe import BDPEClassifier
from privboost.estimators.forest import PrivateForestClassifier
from privboost.estimators.tree import CRITERIA, PrivateTreeClassifier
from privboost.exchange.archive import ModelRecord, read_model
from privboost.exchange.strict_json import same_json
from privboost.privacy.accounting import Ledger
from privboost.sources.local import GRID
from privboost.trees.splitting import candidate_splits

__all__ = ["LEARNERS", "from_record", "load"]

LEARNERS: dict[str, type[PrivateClassifier]] = {
    learner.__name__: learner for learner in (BDPEClassifier, PrivateForestClassifier, PrivateTreeClassifier)
}


def load(path: str | Path) -> PrivateClassifier:
    """Read a model that ``save`` wrote; its ledger is checked against the epsilon it states.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    BDPEClassifier, PrivateForestClassifier or PrivateTreeClassifier
        Fitted.

    Raises
    ------
    ModelFileError
        If the file is not a model, or not one this version reads.
    VerificationError
        If its ledger does not support the guarantee that it states.
    """
    return from_record(read_model(path))


def from_record(record: ModelRecord) -> PrivateClassifier:
    """Construct the fitted estimator that a record describes.

    Parameters are checked as ``fit`` checks them; the plan is made again from them and from public facts, and must be
    the one in the file; the ledger must be what that plan leads to, and the statement what the learner says of itself.

    Raises
    ------
    ModelFileError
        If the parameters or the plan are none that the learner could have had.
    VerificationError
        If the file's parts contradict each other.
    """
    if record.learner not in LEARNERS:
        raise ModelFileError(f"Unknown learner {record.learner!r}; this version knows {', '.join(sorted(LEARNERS))}.")
    model = _checked_model(record)
    encoder = Encoder(record.domain, record.n_bins, owner=record.learner)
    facts = _facts(record, encoder)
    plan = _planned_again(model, facts, record)
    _check_statement(model, facts, record)
    model.domain_ = record.domain
    model.classes_ = np.array(record.classes)
    model.n_features_in_ = len(record.domain)
    if record.feature_names is not None:
        model.feature_names_in_ = np.array(record.feature_names, dtype=object)
    model._trained = Trained(encoder, dict(record.parameters), declared=True)
    model.ensemble_ = record.ensemble
    model.plan_ = plan
    model.privacy_ = record.statement
    model.is_private_ = record.statement.private
    return model


def _checked_model(record: ModelRecord) -> PrivateClassifier:
    """Build the estimator and check its parameters as ``fit`` would."""
    parameters = dict(record.parameters)
    expected = LEARNERS[record.learner]()._plain_parameters().keys()
    if parameters.keys() != expected:
        odd = sorted(parameters.keys() ^ expected)[0][:40]
        raise ModelFileError(f"The file's parameters are not those of {record.learner}: {odd!r} is missing or unknown.")
    if list(record.classes) != sorted(record.classes):
        raise VerificationError("The file's classes are not in the order in which every model holds them.")
    criterion = parameters.get("criterion")
    own = isinstance(criterion, str) and criterion not in CRITERIA
    if own:
        parameters["criterion"] = CRITERIA[0]  # a user's own loss is not in a file, only its name
    try:
        # A simulation had a seed, which no file holds.
        seed = 0 if record.statement.simulated else None
        model = LEARNERS[record.learner](
            **parameters, domain=record.domain, classes=list(record.classes), random_state=seed
        )
        model._check_shared_parameters()
        model._check_parameters()
    except (TypeError, ParameterError) as error:
        detail = f": {error}" if isinstance(error, ParameterError) else "."
        raise ModelFileError(f"The file's parameters do not fit {record.learner}{detail}") from None
    model.set_params(random_state=None, **({"criterion": criterion} if own else {}))
    return model


def _facts(record: ModelRecord, encoder: Encoder) -> PublicFacts:
    n_rows = record.plan.get("n_rows")
    if type(n_rows) is not int or n_rows < 1:
        raise ModelFileError("The file's plan must hold 'n_rows', a whole number above 0.")
    statement, n_candidates = record.statement, len(candidate_splits(encoder.layout))
    return PublicFacts(statement.epsilon, statement.unit, n_rows, len(record.classes), n_candidates)


def _planned_again(model: PrivateClassifier, facts: PublicFacts, record: ModelRecord) -> BoostingPlan | ForestPlan:
    try:
        plan = model._plan(facts)
        if isinstance(plan, BoostingPlan):
            plan = plan.recorded(_floats(record.plan["alphas"]), [float(b) for b in record.plan["weight_bounds"]])
    except (PlanError, KeyError, TypeError, ValueError):
        raise ModelFileError(f"The file's plan does not fit {record.learner}.") from None
    if not same_json(plan.to_dict(), record.plan):
        raise VerificationError("The file's plan is not the one that its parameters and public facts lead to.")
    if isinstance(plan, BoostingPlan):
        _check_recorded(plan, record)
    if facts.epsilon is not None:
        replayed = Ledger()
        for event in record.statement.releases:
            replayed.record(event)
        replayed.check_against(plan.releases, facts.epsilon)
    return plan


def _floats(alphas: Any) -> list[tuple[float, ...]]:
    return [tuple(float(alpha) for alpha in levels) for levels in alphas]


def _check_recorded(plan: BoostingPlan, record: ModelRecord) -> None:
    """Hold what training derived (alphas, bounds of the weights) against the plan and the ledger."""
    boosted = record.ensemble.combination == "margin"
    if boosted and record.ensemble.alpha != plan.settings.combination_alpha:
        raise VerificationError("The trees are joined with another alpha than the parameters say.")
    if len(plan.weight_bounds) != len(plan.trees) or len(plan.alphas) != (len(plan.trees) if boosted else 0):
        raise VerificationError("The file's plan must record alphas and a weight bound for every tree.")
    if not all(0.0 < bound <= 1.0 for bound in plan.weight_bounds):
        raise VerificationError("A weight bound of the file's plan is not a number above 0 and at most 1.")
    for tree, bound, levels in zip(plan.trees, plan.weight_bounds, plan.alphas, strict=False):
        expected = level_alphas(plan, tree, bound)
        if len(levels) != len(expected) or not np.allclose(levels, expected, rtol=1e-9, atol=1e-12):
            raise VerificationError("An alpha of the file's plan is not the one that its budget leads to.")
    if plan.epsilon is not None:
        leaves = [event.sensitivity for event in record.statement.releases if event.mechanism == "laplace"]
        if leaves != [math.ceil(bound * GRID) for bound in plan.weight_bounds]:
            raise VerificationError("A leaf's noise is not the one that the weight bound of its tree demands.")


def _check_statement(model: PrivateClassifier, facts: PublicFacts, record: ModelRecord) -> None:
    """Refuse promises and admissions that are not the learner's own."""
    statement = record.statement
    uncovered = () if facts.epsilon is None else model._uncovered()
    if (statement.assumed_public, statement.notes, statement.uncovered) != (
        model._assumed_public(facts),
        model._notes(facts),
        uncovered,
    ):
        raise VerificationError("The statement's words are not what the learner says of such a model.")
