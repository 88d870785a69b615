"""Boosted, differentially private ensembles of decision trees on tabular data."""

from privboost.auditing.entry import audit
from privboost.auditing.report import AuditReport
from privboost.data.attributes import Boolean, Categorical, Numeric, Ordinal
from privboost.data.domain import Domain
from privboost.domains.private import learn_domain
from privboost.estimators.bdpe import BDPEClassifier
from privboost.estimators.boosting import PrivateBoostingClassifier, PrivateBoostingRegressor
from privboost.estimators.forest import PrivateForestClassifier
from privboost.estimators.loading import load
from privboost.estimators.tree import PrivateTreeClassifier
from privboost.evaluation.private import evaluate_private
from privboost.privacy.budget import Budget
from privboost.privacy.statement import PrivacyStatement
from privboost.search.search_cv import PrivateSearchCV

__version__ = "0.1.0"

__all__ = [
    "AuditReport",
    "BDPEClassifier",
    "Boolean",
    "Budget",
    "Categorical",
    "Domain",
    "Numeric",
    "Ordinal",
    "PrivacyStatement",
    "PrivateBoostingClassifier",
    "PrivateBoostingRegressor",
    "PrivateForestClassifier",
    "PrivateSearchCV",
    "PrivateTreeClassifier",
    "audit",
    "evaluate_private",
    "learn_domain",
    "load",
]
