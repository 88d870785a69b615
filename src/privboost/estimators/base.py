"""What every classifier shares: check, plan, train, publish; and answering from what was published.

``fit`` reads schema (names, kinds, shapes) first, fixes the plan from public numbers, and only then reads rows.
Nothing of the rows outlives it but the released numbers in the ensemble and the ledger of their costs.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, cast

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from privboost.data.columns import feature_names, read_schema
from privboost.data.domain import Domain
from privboost.data.encoding import CodeLayout, Encoder
from privboost.data.labels import check_classes, count_labels, encode_labels, infer_classes
from privboost.ensembles.ensemble import Ensemble
from privboost.ensembles.plan import BoostingPlan, ForestPlan
from privboost.errors import ParameterTypeError, PrivacyWarning, SchemaError
from privboost.estimators.parameters import check_choice, check_flag, check_integer
from privboost.estimators.progress import no_progress, progress_bar
from privboost.exchange.archive import ModelRecord, write_model
from privboost.losses import Loss
from privboost.privacy.accounting import Ledger, check_epsilon
from privboost.privacy.randomness import Randomness, make_randomness
from privboost.privacy.relation import PrivacyUnit, Relation
from privboost.privacy.statement import PrivacyStatement
from privboost.sources.local import LocalRows
from privboost.trees.splitting import candidate_splits
from privboost.trees.tree import Splits

__all__ = ["PrivateClassifier", "PublicFacts", "Trained", "Training"]

PREDICT_CHUNK = 65536

ASSUMED_PUBLIC = (
    "the domain: names, bounds and categories of the attributes",
    "the list of classes",
    "the number of rows",
    "every parameter of the learner",
)

SIMULATED_WARNING = (
    "'random_state' is set: the noise can be drawn again and subtracted, so this model is a simulation, not private. "
    "Leave it None for a model to release."
)


@dataclass(frozen=True)
class PublicFacts:
    """What a plan may depend on.

    Attributes
    ----------
    epsilon : float or None
        None without privacy.
    unit : PrivacyUnit
    n_rows, n_classes, n_candidates : int
    """

    epsilon: float | None
    unit: PrivacyUnit
    n_rows: int
    n_classes: int
    n_candidates: int

    @property
    def n_outputs(self) -> int:
        """1 for two classes; with more, each class is learnt against the rest."""
        return 1 if self.n_classes == 2 else self.n_classes


@dataclass(frozen=True, eq=False)
class Training:
    """What one fit holds while it lasts: public facts, the rows behind ``rows``, and where draws and costs go.

    Attributes
    ----------
    n_classes : int
    candidates : Splits
    rows : callable
        ``rows(output, initial_weight)`` gives fresh rows: all classes for None, else one class against the rest.
    randomness : Randomness
    ledger : Ledger
    progress : callable
        ``progress(total)`` opens a bar and gives the function that moves it by one.
    """

    n_classes: int
    candidates: Splits
    rows: Callable[[int | None, float], LocalRows]
    randomness: Randomness
    ledger: Ledger
    progress: Callable[[int], AbstractContextManager[Callable[[], None]]]


@dataclass(frozen=True, eq=False)
class Trained:
    """What a fitted model goes by, whatever its parameters are set to afterwards.

    Attributes
    ----------
    encoder : Encoder
    parameters : dict
        As they were in ``fit``, as JSON types.
    declared : bool
        Whether the domain was declared, and its names match columns in any order; else it was read off the data.
    """

    encoder: Encoder
    parameters: dict[str, Any]
    declared: bool


class PrivateClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Base of the classifiers; see `BDPEClassifier` for the parameters they share."""

    epsilon: float
    domain: Domain | None
    classes: Any
    n_bins: int
    max_depth: int
    relation: str
    rows_per_person: int
    privacy: str | None
    random_state: Any
    verbose: bool

    @abstractmethod
    def _check_parameters(self) -> None:
        """Raise for an illegal parameter of the subclass."""

    @abstractmethod
    def _plan(self, training_facts: PublicFacts) -> BoostingPlan | ForestPlan:
        """Fix every budget from public numbers."""

    @abstractmethod
    def _train(self, training: Training, plan: Any) -> tuple[Ensemble, Any]:
        """Train, and return the ensemble and the plan with what training derived."""

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
        self._check_shared_parameters()
        self._check_parameters()
        domain, classes, n_rows = self._public_facts(X, y)
        encoder = Encoder(domain, int(self.n_bins), owner=type(self).__name__)
        candidates = candidate_splits(encoder.layout)
        epsilon = None if self.privacy is None else check_epsilon(self.epsilon)
        unit = PrivacyUnit(cast(Relation, self.relation), int(self.rows_per_person))
        facts = PublicFacts(epsilon, unit, n_rows, len(classes), len(candidates))
        plan = self._plan(facts)
        randomness = make_randomness(self.random_state)
        if self.random_state is not None and self.privacy is not None:
            warnings.warn(SIMULATED_WARNING, PrivacyWarning, stacklevel=2)
        ledger = Ledger()
        labels = encode_labels(y, classes)
        rows = _row_factory(encoder.encode(X), encoder.layout, labels, len(classes))
        progress = progress_bar if self.verbose else no_progress
        training = Training(len(classes), candidates, rows, randomness, ledger, progress)
        ensemble, final_plan = self._train(training, plan)
        if epsilon is not None:
            ledger.check_against(plan.releases, epsilon)
        self._remember_columns(X, domain)
        self.domain_, self.classes_, self.ensemble_, self.plan_ = domain, classes, ensemble, final_plan
        self._trained = Trained(encoder, self._plain_parameters(), self.domain is not None)
        self.privacy_ = self._statement(facts, ledger, randomness)
        self.is_private_ = self.privacy_.private
        return self

    def _check_shared_parameters(self) -> None:
        check_choice("privacy", self.privacy, ("pure", None), "None trains without noise and without any guarantee.")
        check_epsilon(self.epsilon)
        check_integer("n_bins", self.n_bins, low=2, high=254)
        check_integer("max_depth", self.max_depth, low=1, high=16)
        check_choice("relation", self.relation, ("add-remove", "replace-one"))
        check_integer("rows_per_person", self.rows_per_person, low=1, high=1000)
        check_flag("verbose", self.verbose)
        if self.domain is not None and not isinstance(self.domain, Domain):
            expected = "a Domain"
            raise ParameterTypeError(
                "domain", type(self.domain), expected, "Build one: Domain({'age': Numeric(0, 120)})."
            )

    def _public_facts(self, X: Any, y: Any) -> tuple[Domain, npt.NDArray[Any], int]:
        """Return domain, classes and row count: declared ones under privacy, else read off the data."""
        n_rows = read_schema(X, owner=type(self).__name__).n_rows  # a wrong table is named before a missing domain
        if y is None:
            raise SchemaError(f"{type(self).__name__} requires y to be passed, but the target y is None.")
        if self.privacy is not None and self.domain is None:
            raise SchemaError(
                f"{type(self).__name__} needs 'domain': the public range or categories of every attribute. Give "
                "domain=Domain({'age': Numeric(0, 120), 'job': Categorical(['clerk', 'other'])}) from knowledge that "
                "does not come from these rows: their own minimum, maximum or categories would leak. "
                "Domain.draft(X) writes a form to fill in from names and kinds alone."
            )
        if self.privacy is not None and self.classes is None:
            raise SchemaError(
                f"{type(self).__name__} needs 'classes': the public list of labels, such as classes=['no', 'yes']. "
                "Labels read from the rows would tell which labels occur."
            )
        n_labels = count_labels(y)
        if n_labels != n_rows:
            raise SchemaError(f"Found input variables with inconsistent numbers of samples: [{n_rows}, {n_labels}]")
        if self.privacy is None:
            check_classification_targets(y)
        if self.domain is None:
            validate_data(self, X, skip_check_array=True)
        domain = Domain.from_data(X) if self.domain is None else self.domain
        # Sorted, as all of scikit-learn takes them to be: its scorers call the last one positive.
        classes = _classes_of(y) if self.classes is None else np.sort(check_classes(self.classes))
        if n_rows == 0:
            raise SchemaError(
                f"Found array with 0 sample(s) while a minimum of 1 is required by {type(self).__name__}."
            )
        return domain, classes, n_rows

    def _statement(self, facts: PublicFacts, ledger: Ledger, randomness: Randomness) -> PrivacyStatement:
        private = facts.epsilon is not None and randomness.secure
        return PrivacyStatement(
            epsilon=facts.epsilon,
            unit=facts.unit,
            secure=randomness.secure,
            private=private,
            releases=ledger.events,
            assumed_public=self._assumed_public(facts),
            notes=self._notes(facts),
            alphas=_alphas(self.plan_),
            uncovered=() if facts.epsilon is None else self._uncovered(),
        )

    def _assumed_public(self, facts: PublicFacts) -> tuple[str, ...]:
        """Name what the guarantee takes for granted."""
        return () if facts.epsilon is None else ASSUMED_PUBLIC

    def _uncovered(self) -> tuple[str, ...]:
        """Name what training computed from rows outside any release; only a simulation may."""
        return ()

    def _notes(self, facts: PublicFacts) -> tuple[str, ...]:
        """Further facts that belong into the statement."""
        if facts.epsilon is None or facts.n_outputs == 1:
            return ()
        each = facts.epsilon / facts.n_outputs
        return (
            f"Each of the {facts.n_classes} classes is learnt against the rest with an equal part of the budget, "
            f"{each:.4g}; the parts add up to epsilon.",
        )

    def _answer(
        self, X: Any, answer: Callable[[npt.NDArray[np.uint8]], npt.NDArray[np.float64]]
    ) -> npt.NDArray[np.float64]:
        """Encode rows with the public domain and answer them, a chunk at a time."""
        self._check_columns(X)
        codes = self._trained.encoder.encode(X)
        starts = range(0, max(codes.shape[1], 1), PREDICT_CHUNK)
        return np.concatenate([answer(np.ascontiguousarray(codes[:, i : i + PREDICT_CHUNK])) for i in starts])

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

    def _remember_columns(self, X: Any, domain: Domain) -> None:
        self.n_features_in_ = len(domain)
        names = feature_names(X)
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _check_columns(self, X: Any) -> None:
        """Hold the columns against those of ``fit``; a declared domain then matches them by name, in any order."""
        read_schema(X, owner=type(self).__name__)
        if not self._trained.declared:
            validate_data(self, X, skip_check_array=True, reset=False)
        elif hasattr(self, "feature_names_in_") and feature_names(X) is None:
            warnings.warn(
                f"X does not have valid feature names, but {type(self).__name__} was fitted with feature names",
                UserWarning,
                stacklevel=4,
            )

    def save(self, path: str | Path) -> None:
        """Write the model as strict JSON: trees, domain, classes, statement. No row of the data is in it.

        Parameters
        ----------
        path : str or Path
        """
        check_is_fitted(self)
        write_model(self._record(), path)

    def _plain_parameters(self) -> dict[str, Any]:
        """Return the parameters as JSON types. A seed is left out: with it, noise could be subtracted."""
        left_out = ("domain", "classes", "random_state", "verbose")
        parameters = {name: value for name, value in self.get_params(deep=False).items() if name not in left_out}
        return {k: v.name if isinstance(v, Loss) else _plain(v) for k, v in parameters.items()}

    def _record(self) -> ModelRecord:
        names = getattr(self, "feature_names_in_", None)
        return ModelRecord(
            learner=type(self).__name__,
            parameters=self._trained.parameters,
            n_bins=self._trained.encoder.layout.n_bins,
            domain=self.domain_,
            classes=tuple(self.classes_.tolist()),
            feature_names=None if names is None else tuple(str(name) for name in names),
            ensemble=self.ensemble_,
            statement=self.privacy_,
            plan=self.plan_.to_dict(),
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.non_deterministic = self.privacy is not None and self.random_state is None
        return tags


def _classes_of(y: Any) -> npt.NDArray[Any]:
    """Read the labels off the data, for learners without privacy."""
    classes = infer_classes(y)
    if len(classes) < 2:
        raise SchemaError("y holds 1 class, and 'classes' lists none: at least 2 are needed.")
    return classes


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _row_factory(
    codes: npt.NDArray[np.uint8], layout: CodeLayout, labels: npt.NDArray[np.int16], n_classes: int
) -> Callable[[int | None, float], LocalRows]:
    """Return a function that gives fresh rows: of all classes, or of one class (1) against the rest (0)."""
    offsets = np.concatenate([[0], np.cumsum(layout.n_codes)]).astype(np.int64)

    def rows(output: int | None, initial_weight: float) -> LocalRows:
        if output is None or n_classes == 2:
            return LocalRows(codes, offsets, labels, n_classes, initial_weight)
        against_rest = np.where(labels < 0, -1, labels == output).astype(np.int16)
        return LocalRows(codes, offsets, against_rest, 2, initial_weight)

    return rows


def _alphas(plan: BoostingPlan | ForestPlan) -> tuple[tuple[str, float], ...]:
    """List the criterion's alpha of every level of every tree, labelled as its release is."""
    if isinstance(plan, ForestPlan) or not plan.alphas:
        return ()
    return tuple(
        (release.label, float(alpha))
        for tree, levels in zip(plan.trees, plan.alphas, strict=True)
        for release, alpha in zip(tree.levels, levels, strict=True)
    )
