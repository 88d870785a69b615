"""From a model file back to a fitted estimator, and the checks that only the estimator's own code can make."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from privboost.data.encoding import Encoder
from privboost.errors import ModelFileError, ParameterError, PlanError, VerificationError
from privboost.estimators.base import PrivateEstimator
from privboost.estimators.bdpe import BDPEClassifier
from privboost.estimators.boosting import PrivateBoostingClassifier, PrivateBoostingRegressor
from privboost.estimators.forest import PrivateForestClassifier
from privboost.estimators.parameters import mapping_from_text
from privboost.estimators.training import SEARCH_PUBLIC, Plan, PublicFacts, Trained
from privboost.estimators.tree import CRITERIA, PrivateTreeClassifier
from privboost.exchange.archive import ModelRecord, read_model
from privboost.exchange.strict_json import same_json
from privboost.privacy.accounting import Ledger

__all__ = ["LEARNERS", "from_record", "load"]

LEARNERS: dict[str, type[PrivateEstimator]] = {
    learner.__name__: learner
    for learner in (
        BDPEClassifier,
        PrivateBoostingClassifier,
        PrivateBoostingRegressor,
        PrivateForestClassifier,
        PrivateTreeClassifier,
    )
}


def load(path: str | Path) -> Any:
    """Read a model that ``save`` wrote; its ledger is checked against the epsilon it states.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    PrivateBoostingClassifier, PrivateBoostingRegressor, BDPEClassifier, PrivateForestClassifier or
    PrivateTreeClassifier
        Fitted.

    Raises
    ------
    ModelFileError
        If the file is not a model, or not one this version reads.
    VerificationError
        If its ledger does not support the guarantee that it states.
    """
    return from_record(read_model(path))


def from_record(record: ModelRecord) -> Any:
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
    target = model._target_of(record)
    facts = _facts(model, target, record)
    plan = _planned_again(model, facts, record)
    _check_statement(model, facts, record)
    model._keep_target(target)
    model.domain_ = record.domain
    model.n_features_in_ = len(record.domain)
    if record.feature_names is not None:
        model.feature_names_in_ = np.array(record.feature_names, dtype=object)
    model._trained = _trained(record)
    model.ensemble_ = record.ensemble
    model.plan_ = plan
    model.privacy_ = record.statement
    model.is_private_ = record.statement.private
    return model


def _checked_model(record: ModelRecord) -> PrivateEstimator:
    """Build the estimator and check its parameters as ``fit`` would."""
    learner = LEARNERS[record.learner]
    parameters = dict(learner._later_parameters) | dict(record.parameters)
    expected = learner()._plain_parameters().keys()
    if parameters.keys() != expected:
        odd = sorted(parameters.keys() ^ expected)[0][:40]
        raise ModelFileError(f"The file's parameters are not those of {record.learner}: {odd!r} is missing or unknown.")
    learner._target_of(record)
    criterion = parameters.get("criterion")
    own = isinstance(criterion, str) and criterion not in CRITERIA
    if own:
        parameters["criterion"] = CRITERIA[0]  # a user's own loss is not in a file, only its name
    try:
        # A simulation had a seed, which no file holds.
        seed = 0 if record.statement.simulated else None
        for name in learner._mappings:
            if parameters[name] is not None:
                parameters[name] = mapping_from_text(name, parameters[name])
        parameters |= learner._target_parameters(record)
        model = learner(**parameters, domain=record.domain, random_state=seed)
        model._check_shared_parameters()
        model._check_parameters()
        model._check_with_target(model._target_of(record))
    except (TypeError, ParameterError) as error:
        detail = f": {error}" if isinstance(error, ParameterError) else "."
        raise ModelFileError(f"The file's parameters do not fit {record.learner}{detail}") from None
    model.set_params(random_state=None, **({"criterion": criterion} if own else {}))
    return model


def _trained(record: ModelRecord) -> Trained:
    """Return what the fitted model encoded rows with."""
    try:
        encoder = Encoder(record.domain, record.n_bins, owner=record.learner, refinement=record.refinement)
    except ParameterError as error:
        raise ModelFileError(f"The file's refinement does not fit its domain: {error}") from None
    return Trained(encoder, dict(record.parameters), declared=True, refinement=record.refinement)


def _facts(model: PrivateEstimator, target: Any, record: ModelRecord) -> PublicFacts:
    n_rows = record.plan.get("n_rows")
    if type(n_rows) is not int or n_rows < 1:
        raise ModelFileError("The file's plan must hold 'n_rows', a whole number above 0.")
    statement, layout = record.statement, record.domain.layout(record.n_bins)
    n_candidates = len(model._candidates(layout))
    facts = model._facts(statement.fit_epsilon, statement.unit, n_rows, model._n_classes(target), layout, n_candidates)
    if facts.delta != statement.fit_delta:
        raise VerificationError("The file's statement has another delta than its parameters.")
    return facts


def _planned_again(model: PrivateEstimator, facts: PublicFacts, record: ModelRecord) -> Plan:
    recorded = dict(model._later_facts) | dict(record.plan)
    try:
        plan = model._plan_again(facts, recorded)
    except (PlanError, KeyError, TypeError, ValueError):
        raise ModelFileError(f"The file's plan does not fit {record.learner}.") from None
    if not same_json(plan.to_dict(), recorded):
        raise VerificationError("The file's plan is not the one that its parameters and public facts lead to.")
    model._check_record(plan, record)
    if facts.epsilon is not None:
        replayed = Ledger()
        for event in record.statement.releases:
            replayed.record(event)
        replayed.check_against(plan.releases, facts.epsilon, facts.delta)
    return plan


def _check_statement(model: PrivateEstimator, facts: PublicFacts, record: ModelRecord) -> None:
    """Refuse promises and admissions that are not the learner's own."""
    statement = record.statement
    uncovered = () if facts.epsilon is None else model._uncovered()
    searched = () if statement.search is None else SEARCH_PUBLIC
    if (statement.subject, statement.assumed_public, statement.notes, statement.uncovered) != (
        "model",
        (*model._assumed_public(facts), *searched),
        model._notes(facts),
        uncovered,
    ):
        raise VerificationError("The statement's words are not what the learner says of such a model.")
