"""scikit-learn classifiers: parameters and checks on one side, a trained ensemble and its guarantee on the other."""

from privboost.estimators.bdpe import BDPEClassifier
from privboost.estimators.forest import PrivateForestClassifier
from privboost.estimators.tree import PrivateTreeClassifier

__all__ = ["BDPEClassifier", "PrivateForestClassifier", "PrivateTreeClassifier"]
