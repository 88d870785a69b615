"""What classifiers share: a public list of classes, labels in, probabilities out."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from privboost.data.domain import Domain
from privboost.data.labels import check_classes, check_labels, encode_labels, infer_classes
from privboost.data.layout import CodeLayout
from privboost.ensembles.plan import BoostingPlan, level_alphas
from privboost.errors import ParameterError, ParameterTypeError, SchemaError, VerificationError
from privboost.estimators.base import PrivateEstimator
from privboost.estimators.parameters import check_positive
from privboost.estimators.training import EncodedTarget, PublicFacts
from privboost.exchange.archive import ModelRecord
from privboost.sources.local import GRID, check_sums

__all__ = ["PrivateClassifier", "TreewisePlanned", "class_factors"]


class PrivateClassifier(ClassifierMixin, PrivateEstimator):  # type: ignore[misc]
    """Base of the classifiers; see `BDPEClassifier` for the parameters they share."""

    classes: Any

    # A parameter that only some classifiers have.
    class_weight: Mapping[Any, float] | None = None

    _target_words: ClassVar[str] = "the list of classes"

    def fit(self, X: Any, y: Any) -> Self:
        """Train on private rows.

        Parameters
        ----------
        X : table of shape (n_rows, n_attributes)
            NumPy array, pandas or polars data frame, or Arrow table. Named columns are matched with the domain by name.
            Values outside the domain are clipped, or count as unknown; missing values have a code of their own.
        y : array of shape (n_rows,)
            Labels. A label outside ``classes`` gives its row weight 0.

        Returns
        -------
        self

        Raises
        ------
        ParameterError, SchemaError, PlanError
            Decided by parameters, names, kinds and shapes alone; never by a value in a row.
        """
        return self._fit(X, y)

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Estimate class probabilities.

        Parameters
        ----------
        X : table of shape (n_rows, n_attributes)

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            Columns follow ``classes_``; rows sum to 1.
        """
        check_is_fitted(self)
        return self._answer(X, self.ensemble_.probabilities)

    def decision_function(self, X: Any) -> npt.NDArray[np.float64]:
        """Return margins.

        Parameters
        ----------
        X : table of shape (n_rows, n_attributes)

        Returns
        -------
        ndarray of shape (n_rows,) or (n_rows, n_classes)
            With two classes, positive for ``classes_[1]``; else one column a class.
        """
        check_is_fitted(self)
        return self._answer(X, self.ensemble_.decision)

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Predict labels.

        Parameters
        ----------
        X : table of shape (n_rows, n_attributes)

        Returns
        -------
        ndarray of shape (n_rows,)
            Of the dtype of ``classes_``.
        """
        decision = self.decision_function(X)
        index = (decision > 0).astype(np.int64) if decision.ndim == 1 else decision.argmax(axis=1)
        return np.asarray(self.classes_[index])

    def _require_target(self) -> None:
        if self.classes is None:
            raise SchemaError(
                f"{type(self).__name__} needs 'classes': the public list of labels, such as classes=['no', 'yes']. "
                "Labels read from the rows would tell which labels occur."
            )

    def _check_public_target(self, y: Any) -> None:
        check_classification_targets(y)

    def _public_target(self, y: Any) -> npt.NDArray[Any]:
        # Sorted, as all of scikit-learn takes them to be: its scorers call the last one positive.
        return _classes_of(y) if self.classes is None else np.sort(check_classes(self.classes))

    def _check_with_target(self, target: npt.NDArray[Any]) -> None:
        class_factors(self.class_weight, target)

    def _check_target_column(self, y: Any, target: npt.NDArray[Any]) -> None:
        check_labels(y, target)

    def _encode_target(self, y: Any, target: npt.NDArray[Any], n_threads: int = 1) -> EncodedTarget:
        factors = class_factors(self.class_weight, target)
        return EncodedTarget(encode_labels(y, target, n_threads), class_factors=factors)

    def _keep_target(self, target: npt.NDArray[Any]) -> None:
        self.classes_ = target

    @staticmethod
    def _n_classes(target: npt.NDArray[Any]) -> int:
        return len(target)

    def _record_target(self) -> dict[str, Any]:
        return {"classes": tuple(self.classes_.tolist())}

    @classmethod
    def _target_of(cls, record: ModelRecord) -> npt.NDArray[Any]:
        if list(record.classes) != sorted(record.classes):
            raise VerificationError("The file's classes are not in the order in which every model holds them.")
        return np.array(record.classes)

    @classmethod
    def _target_parameters(cls, record: ModelRecord) -> dict[str, Any]:
        return {"classes": list(record.classes)}


class TreewisePlanned(PrivateClassifier):
    """Base of the classifiers whose plan is a `BoostingPlan`: the splits, then the leaves of tree after tree.

    With more than two classes they learn each against the rest.
    """

    @abstractmethod
    def _plan(self, training_facts: PublicFacts) -> BoostingPlan:
        """Fix every budget from public numbers."""

    def _check_with_domain(self, domain: Domain, layout: CodeLayout) -> None:
        check_sums(2 ** (int(self.max_depth) - 1) * int(layout.offsets[-1]) * 2)

    def _notes(self, facts: PublicFacts) -> tuple[str, ...]:
        if facts.epsilon is None or facts.n_outputs == 1:
            return ()
        each = facts.epsilon / facts.n_outputs
        return (
            f"Each of the {facts.n_classes} classes is learnt against the rest with an equal part of the budget, "
            f"{each:.4g}; the parts add up to epsilon.",
        )

    def _alphas(self, plan: BoostingPlan) -> tuple[tuple[str, float], ...]:
        """List the criterion's alpha of every level of every tree, labelled as its release is."""
        if not plan.alphas:
            return ()
        return tuple(
            (release.label, float(alpha))
            for tree, levels in zip(plan.trees, plan.alphas, strict=True)
            for release, alpha in zip(tree.levels, levels, strict=True)
        )

    def _plan_again(self, facts: PublicFacts, recorded: Mapping[str, Any]) -> BoostingPlan:
        alphas = [tuple(float(alpha) for alpha in levels) for levels in recorded["alphas"]]
        return self._plan(facts).recorded(alphas, [float(bound) for bound in recorded["weight_bounds"]])

    def _check_record(self, plan: BoostingPlan, record: ModelRecord) -> None:
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


def class_factors(
    class_weight: Mapping[Any, float] | None, classes: npt.NDArray[Any]
) -> npt.NDArray[np.float64] | None:
    """Return the factor of the weight of each class's rows: its weight by the largest of all, at most 1.

    Parameters
    ----------
    class_weight : mapping or None
        Public: from labels to finite numbers above 0; a class that is not listed has weight 1.
    classes : ndarray of shape (n_classes,)

    Returns
    -------
    ndarray of float64, shape (n_classes,), or None
        None for None.

    Raises
    ------
    ParameterError, ParameterTypeError
        For another type, a label that is no class, or a weight out of range.
    """
    if class_weight is None:
        return None
    if not isinstance(class_weight, Mapping):
        raise ParameterTypeError(
            "class_weight",
            class_weight,
            "None, or a dict from classes to numbers above 0",
            "Weights that balance the classes would have to count the private labels: state public ones.",
        )
    position = {label: k for k, label in enumerate(classes.tolist())}
    weights = np.ones(len(classes))
    for label, weight in class_weight.items():
        if label not in position:
            raise ParameterError("class_weight", class_weight, "a dict whose keys are among 'classes'")
        weights[position[label]] = check_positive("class_weight", weight, "a dict of finite numbers above 0")
    return np.asarray(weights / weights.max())


def _classes_of(y: Any) -> npt.NDArray[Any]:
    """Read the labels off the data, for learners without privacy."""
    classes = infer_classes(y)
    if len(classes) < 2:
        raise SchemaError("y holds 1 class, and 'classes' lists none: at least 2 are needed.")
    return classes
