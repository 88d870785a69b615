"""From a model file back to a fitted estimator."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from privboost.data.encoding import Encoder
from privboost.ensembles.plan import restore_plan
from privboost.errors import ModelFileError
from privboost.estimators.base import PrivateClassifier, Trained
from privboost.estimators.bdpe import BDPEClassifier
from privboost.estimators.forest import PrivateForestClassifier
from privboost.estimators.tree import PrivateTreeClassifier
from privboost.exchange.archive import ModelRecord, read_model
from privboost.privacy.accounting import Ledger

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
    """Construct the fitted estimator that a record describes."""
    if record.learner not in LEARNERS:
        raise ModelFileError(f"Unknown learner {record.learner!r}; this version knows {', '.join(sorted(LEARNERS))}.")
    learner = LEARNERS[record.learner]
    try:
        model = learner(**record.parameters, domain=record.domain, classes=list(record.classes))
        plan = restore_plan(record.plan, record.statement.unit)
    except (TypeError, ValueError, KeyError, AttributeError):
        raise ModelFileError(f"The file's parameters or plan do not fit {record.learner}.") from None
    if record.statement.epsilon is not None:
        replayed = Ledger()
        for event in record.statement.releases:
            replayed.record(event)
        replayed.check_against(plan.releases, record.statement.epsilon)
    model.domain_ = record.domain
    model.classes_ = np.array(record.classes)
    model.n_features_in_ = len(record.domain)
    if record.feature_names is not None:
        model.feature_names_in_ = np.array(record.feature_names, dtype=object)
    encoder = Encoder(record.domain, record.n_bins, owner=record.learner)
    model._trained = Trained(encoder, dict(record.parameters), declared=True)
    model.ensemble_ = record.ensemble
    model.plan_ = plan
    model.privacy_ = record.statement
    model.is_private_ = record.statement.private
    return model
