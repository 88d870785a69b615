"""What every estimator shares: check, plan, train, publish; and answering from what was published.

``fit`` reads schema (names, kinds, shapes) first, fixes the plan from public numbers, and only then reads rows.
Nothing of the rows outlives it but the released numbers in the ensemble and the ledger of their costs.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable, Mapping
from functools import cache, partial
from inspect import signature
from pathlib import Path
from typing import Any, ClassVar, Self, cast

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from privboost.data.columns import Schema, feature_names, read_schema
from privboost.data.domain import Domain
from privboost.data.domain_cost import uncovered_by, words_of
from privboost.data.encoding import CodeLayout, Encoder
from privboost.data.labels import count_labels
from privboost.data.refinement import Refinement
from privboost.data.targets import check_weights, encode_weights
from privboost.ensembles.ensemble import Ensemble
from privboost.errors import ParameterTypeError, PrivacyWarning, SchemaError
from privboost.estimators.answering import answers
from privboost.estimators.carrying import CarriesBudgets
from privboost.estimators.parameters import (
    check_budget,
    check_choice,
    check_flag,
    check_integer,
    check_positive,
    mapping_to_text,
    warn_of_delta,
)
from privboost.estimators.progress import no_progress, progress_bar
from privboost.estimators.training import (
    EncodedTarget,
    Outcome,
    Plan,
    Prepared,
    PublicFacts,
    Trained,
    Training,
    row_factory,
)
from privboost.exchange.archive import ModelRecord, write_model
from privboost.losses import Loss
from privboost.privacy.accounting import Ledger
from privboost.privacy.amounts import check_delta, check_epsilon
from privboost.privacy.budget import Budget
from privboost.privacy.charging import Charge, is_paid
from privboost.privacy.randomness import Randomness, make_randomness
from privboost.privacy.relation import PrivacyUnit, Relation
from privboost.privacy.statement import PrivacyStatement
from privboost.threads import check_n_jobs, thread_count
from privboost.trees.splitting import candidate_splits
from privboost.trees.tree import Splits

__all__ = ["Outcome", "PrivateEstimator", "PublicFacts", "Trained", "Training"]

SIMULATED_WARNING = (
    "'random_state' is set: the noise can be drawn again and subtracted, so this model is a simulation, not private. "
    "Leave it None for a model to release."
)

SIMULATED_DOMAIN_WARNING = (
    "'domain' was learnt in a simulation: its noise can be drawn again and subtracted, so this model is not private. "
    "Learn the domain with random_state=None for a model to release."
)

# Not in a model file among the parameters: they stand elsewhere in it, or nowhere.
_LEFT_OUT = ("domain", "classes", "target_range", "n_jobs", "random_state", "verbose", "budget")


class PrivateEstimator(CarriesBudgets, BaseEstimator):  # type: ignore[misc]
    """Base of all estimators; see `BDPEClassifier` for the parameters they share.

    What they predict is known to the bases of classifiers and regressors alone, as their "target": the public list
    of classes, or the public range of numbers.
    """

    epsilon: float
    domain: Domain | None
    n_bins: int
    max_depth: int
    relation: str
    rows_per_person: int
    privacy: str | None
    random_state: Any
    verbose: bool

    # Parameters that only some learners have.
    delta: float = 0.0
    max_sample_weight: float = 1.0
    budget: Budget | None = None
    n_jobs: int | None = None

    _privacy_choices: ClassVar[tuple[str | None, ...]] = ("pure", None)
    _mappings: ClassVar[tuple[str, ...]] = ()  # parameters that may be a mapping: text in a model file
    _later_parameters: ClassVar[Mapping[str, Any]] = {}  # what files mean that were written before these parameters
    _later_facts: ClassVar[Mapping[str, Any]] = {}  # and before these facts of a plan
    _target_words: ClassVar[str]

    @abstractmethod
    def _check_parameters(self) -> None:
        """Raise for an illegal parameter of the subclass."""

    @abstractmethod
    def _plan(self, training_facts: PublicFacts) -> Plan:
        """Fix every budget from public numbers."""

    @abstractmethod
    def _train(
        self, training: Training, plan: Any
    ) -> tuple[Ensemble, Any] | tuple[Ensemble, Any, Refinement | None] | Outcome:
        """Train, and return an `Outcome`, or the first two of its fields."""

    @abstractmethod
    def _require_target(self) -> None:
        """Raise if the target is not declared."""

    @abstractmethod
    def _check_public_target(self, y: Any) -> None:
        """Raise for a ``y`` that scikit-learn refuses; without privacy only."""

    @abstractmethod
    def _public_target(self, y: Any) -> Any:
        """Return the declared target, or read it off the data."""

    def _check_with_target(self, target: Any) -> None:
        """Raise for a parameter that does not fit the public target."""

    def _check_with_domain(self, domain: Domain, layout: CodeLayout) -> None:
        """Raise for a parameter that does not fit the attributes."""

    @abstractmethod
    def _check_target_column(self, y: Any, target: Any) -> None:
        """Raise what `_encode_target` raises, without reading a value of ``y``."""

    @abstractmethod
    def _encode_target(self, y: Any, target: Any, n_threads: int = 1) -> EncodedTarget:
        """Read ``y`` by the public target."""

    @abstractmethod
    def _keep_target(self, target: Any) -> None:
        """Set the fitted attributes of the target."""

    @abstractmethod
    def _record_target(self) -> dict[str, Any]:
        """Return the fields of a model file's record that hold the target."""

    @classmethod
    @abstractmethod
    def _target_of(cls, record: ModelRecord) -> Any:
        """Return the target that a record holds."""

    @classmethod
    @abstractmethod
    def _target_parameters(cls, record: ModelRecord) -> dict[str, Any]:
        """Return the constructor's parameters that declare the record's target."""

    @staticmethod
    @abstractmethod
    def _n_classes(target: Any) -> int:
        """Return the number of classes; 1 where a number is predicted."""

    def _fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train; to be called by ``fit`` directly, so that warnings point at its caller."""
        self._check_shared_parameters()
        self._check_parameters()
        charge = self._charge()
        charge.check()  # a budget that is spent is told before the table is looked at in any way
        prepared = self._prepare(X, y, sample_weight)
        domain, target, encoder, candidates, facts, plan, schema = prepared
        owner, n_bins = type(self).__name__, int(self.n_bins)
        randomness = make_randomness(self.random_state)
        self._warn(facts)
        parameters = self._plain_parameters()
        ledger = Ledger()
        n_threads = thread_count(self.n_jobs, facts.n_rows)
        charge.spend()  # for good, whatever happens from here on: rows are read now, and an error could depend on them
        encoded = self._encode_target(y, target, n_threads)
        weights = None if sample_weight is None else self._encode_weights(sample_weight, facts.n_rows)

        def encode(refinement: Refinement | None) -> npt.NDArray[np.uint8]:
            by = encoder if refinement is None else Encoder(domain, n_bins, owner=owner, refinement=refinement)
            return by.encode(schema, n_threads)

        training = Training(
            n_classes=facts.n_classes,
            candidates=candidates,
            rows=row_factory(partial(encode, None), encoder.layout, encoded.labels, facts.n_classes, n_threads),
            randomness=randomness,
            ledger=ledger,
            progress=progress_bar if self.verbose else no_progress,
            encode=encode,
            layout=encoder.layout,
            domain=domain,
            labels=encoded.labels,
            target=encoded.numbers,
            class_factors=encoded.class_factors,
            sample_weight=weights,
            public_target=target,
            n_threads=n_threads,
        )
        ensemble, final_plan, refinement = Outcome(*self._train(training, plan))
        if facts.epsilon is not None:
            ledger.check_against(plan.releases, facts.epsilon, facts.delta)
        if refinement is not None:
            encoder = Encoder(domain, n_bins, owner=owner, refinement=refinement)
        self._remember_columns(X, domain)
        self._keep_target(target)
        self.domain_, self.ensemble_, self.plan_ = domain, ensemble, final_plan
        self._trained = Trained(encoder, parameters, self.domain is not None, refinement)
        self.privacy_ = self._statement(facts, ledger, randomness)
        self.is_private_ = self.privacy_.private
        return self

    def _prepare(self, X: Any, y: Any, sample_weight: Any = None, n_rows: int | None = None) -> Prepared:
        """Check the schema and fix the plan: of these rows, or of ``n_rows`` like them. No row is read."""
        schema = read_schema(X, owner=type(self).__name__)  # a wrong table is named before a missing domain
        domain, target, n_given = self._public_facts(X, y, schema.n_rows)
        encoder = Encoder(domain, int(self.n_bins), owner=type(self).__name__)
        candidates = self._candidates(encoder.layout)
        facts = self._facts_of(n_given if n_rows is None else n_rows, target, encoder.layout, len(candidates))
        plan = self._plan(facts)
        self._check_schema(schema, y, sample_weight, encoder, target)
        return Prepared(domain, target, encoder, candidates, facts, plan, schema)

    def _check_shared_parameters(self) -> None:
        remedy = "None trains without noise and without any guarantee."
        check_choice("privacy", self.privacy, self._privacy_choices, remedy)
        check_epsilon(self.epsilon)
        check_delta(self.delta)
        check_integer("n_bins", self.n_bins, low=2, high=254)
        self._check_depth()
        check_choice("relation", self.relation, ("add-remove", "replace-one"))
        check_integer("rows_per_person", self.rows_per_person, low=1, high=1000)
        check_positive("max_sample_weight", self.max_sample_weight)
        check_flag("verbose", self.verbose)
        check_n_jobs(self.n_jobs)
        check_budget(self.budget)
        if self.domain is not None and not isinstance(self.domain, Domain):
            expected = "a Domain"
            raise ParameterTypeError(
                "domain", type(self.domain), expected, "Build one: Domain({'age': Numeric(0, 120)})."
            )

    def _unit(self) -> PrivacyUnit:
        """Return what neighbouring tables differ in, by parameters that were checked."""
        return PrivacyUnit(cast(Relation, self.relation), int(self.rows_per_person))

    def check_budget(self) -> None:
        """Raise what ``fit`` would raise if its budget cannot pay for it: no row is read, and nothing is charged.

        Raises
        ------
        BudgetExceededError
            If less is left than the fit costs.
        ParameterError
            For an illegal parameter, or a guarantee that the budget is not for.
        """
        self._check_shared_parameters()
        self._charge().check()

    def _charge(self) -> Charge:
        """Return what a fit costs, and who pays; nobody does without privacy, where nothing is guaranteed."""
        payers = () if self.privacy is None else self._payers(self.budget)
        relation, delta = cast(Relation, self.relation), self._stated_delta()
        return Charge(
            payers, check_epsilon(self.epsilon), delta, relation, int(self.rows_per_person), type(self).__name__
        )

    def _check_schema(self, schema: Schema, y: Any, sample_weight: Any, encoder: Encoder, target: Any) -> None:
        """Raise for whatever does not fit; no cell is read."""
        self._check_with_domain(encoder.domain, encoder.layout)
        encoder.check(schema)
        self._check_target_column(y, target)
        if sample_weight is not None:
            check_weights(sample_weight, count_labels(y))

    def _check_depth(self) -> None:
        check_integer("max_depth", self.max_depth, low=1, high=16)

    def _public_facts(self, X: Any, y: Any, n_rows: int) -> tuple[Domain, Any, int]:
        """Return domain, target and row count: declared ones under privacy, else read off the data."""
        if y is None:
            raise SchemaError(f"{type(self).__name__} requires y to be passed, but the target y is None.")
        if self.privacy is not None and self.domain is None:
            raise SchemaError(
                f"{type(self).__name__} needs 'domain': the public range or categories of every attribute. Give "
                "domain=Domain({'age': Numeric(0, 120), 'job': Categorical(['clerk', 'other'])}) from knowledge that "
                "does not come from these rows: their own minimum, maximum or categories would leak. "
                "Domain.draft(X) writes a form to fill in from names and kinds alone; learn_domain(X, epsilon, delta) "
                "learns what is not known from private rows, at a price that adds to this model's."
            )
        if self.privacy is not None:
            self._require_target()
        n_labels = count_labels(y)
        if n_labels != n_rows:
            raise SchemaError(f"Found input variables with inconsistent numbers of samples: [{n_rows}, {n_labels}]")
        if self.privacy is None:
            self._check_public_target(y)
        if self.domain is None:
            validate_data(self, X, skip_check_array=True)
        domain = Domain.from_data(X) if self.domain is None else self.domain
        target = self._public_target(y)
        self._check_with_target(target)
        if n_rows == 0:
            raise SchemaError(
                f"Found array with 0 sample(s) while a minimum of 1 is required by {type(self).__name__}."
            )
        return domain, target, n_rows

    def _candidates(self, layout: CodeLayout) -> Splits:
        """List the tests of the public layout; a learner with tests of its own has no use for them."""
        return candidate_splits(layout)

    def _stated_delta(self) -> float:
        """Return the delta of the guarantee, from parameters alone."""
        return check_delta(self.delta)

    def _facts(
        self,
        epsilon: float | None,
        unit: PrivacyUnit,
        n_rows: int,
        n_classes: int,
        layout: CodeLayout,
        n_candidates: int,
    ) -> PublicFacts:
        delta = 0.0 if epsilon is None else self._stated_delta()
        n_cells = int(layout.n_codes.sum())
        return PublicFacts(epsilon, unit, n_rows, n_classes, n_candidates, delta, len(layout), n_cells)

    def _facts_of(self, n_rows: int, target: Any, layout: CodeLayout, n_candidates: int) -> PublicFacts:
        """Return the public facts of a fit of so many rows, by the estimator's own budget and unit."""
        epsilon = None if self.privacy is None else check_epsilon(self.epsilon)
        return self._facts(epsilon, self._unit(), n_rows, self._n_classes(target), layout, n_candidates)

    def _warn(self, facts: PublicFacts) -> None:
        if is_paid():
            return  # a part of something larger, which has warned; how many such parts there are may be secret
        if self.random_state is not None and self.privacy is not None:
            warnings.warn(SIMULATED_WARNING, PrivacyWarning, stacklevel=4)
        if self.budget is not None and self.privacy is None:
            warnings.warn(
                "'budget' is not charged: with privacy=None there is no guarantee whose cost it could count.",
                PrivacyWarning,
                stacklevel=4,
            )
        if self.privacy is not None and uncovered_by(self.domain):
            warnings.warn(SIMULATED_DOMAIN_WARNING, PrivacyWarning, stacklevel=4)
        warn_of_delta(facts.delta, facts.n_rows, stacklevel=5)

    def _encode_weights(self, sample_weight: Any, n_rows: int) -> npt.NDArray[np.float64]:
        """Return the rows' weights from 0 to 1. Without privacy and a bound, their own maximum becomes 1."""
        largest = float(self.max_sample_weight)
        if self.privacy is not None:
            return encode_weights(sample_weight, n_rows, largest)
        weights = encode_weights(sample_weight, n_rows, None if largest == 1.0 else largest)
        if not weights.any():
            raise SchemaError("All sample weights are zero: no row is left to train on.")
        return weights

    def _statement(self, facts: PublicFacts, ledger: Ledger, randomness: Randomness) -> PrivacyStatement:
        uncovered = () if facts.epsilon is None else self._uncovered()
        private = facts.epsilon is not None and randomness.secure and not uncovered
        return PrivacyStatement(
            epsilon=facts.epsilon,
            unit=facts.unit,
            secure=randomness.secure,
            private=private,
            releases=ledger.events,
            assumed_public=self._assumed_public(facts),
            notes=self._notes(facts),
            alphas=self._alphas(self.plan_),
            uncovered=uncovered,
            delta=facts.delta,
        )

    def _assumed_public(self, facts: PublicFacts) -> tuple[str, ...]:
        """Name what the guarantee takes for granted."""
        if facts.epsilon is None:
            return ()
        return (
            "the domain: names, bounds and categories of the attributes" + words_of(self.domain),
            self._target_words,
            "the number of rows",
            "every parameter of the learner",
        )

    def _uncovered(self) -> tuple[str, ...]:
        """Name what came from rows outside any release; only what is not private may have it."""
        return uncovered_by(self.domain)

    def _notes(self, facts: PublicFacts) -> tuple[str, ...]:
        """Further facts that belong into the statement."""
        return ()

    def _alphas(self, plan: Any) -> tuple[tuple[str, float], ...]:
        """List loss parameters that training derived, and where."""
        return ()

    def _plan_again(self, facts: PublicFacts, recorded: Mapping[str, Any]) -> Plan:
        """Return the plan of a model file, made from public facts and from what training recorded in the file's."""
        return self._plan(facts)

    def _check_record(self, plan: Any, record: ModelRecord) -> None:
        """Hold what training recorded in the plan against the rest of a model file."""

    def _answer(
        self, X: Any, answer: Callable[[npt.NDArray[np.uint8]], npt.NDArray[np.float64]]
    ) -> npt.NDArray[np.float64]:
        """Encode rows as the trained model does, and answer them."""
        schema = self._check_columns(X)
        n_threads = thread_count(self.n_jobs, schema.n_rows)
        return answers(self._trained.encoder.reader(schema, n_threads), answer, n_threads)

    def _remember_columns(self, X: Any, domain: Domain) -> None:
        self.n_features_in_ = len(domain)
        names = feature_names(X)
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _check_columns(self, X: Any) -> Schema:
        """Hold the columns against those of ``fit``; a declared domain then matches them by name, in any order."""
        schema = read_schema(X, owner=type(self).__name__)
        if not self._trained.declared:
            validate_data(self, X, skip_check_array=True, reset=False)
        elif hasattr(self, "feature_names_in_") and feature_names(X) is None:
            warnings.warn(
                f"X does not have valid feature names, but {type(self).__name__} was fitted with feature names",
                UserWarning,
                stacklevel=4,
            )
        return schema

    def save(self, path: str | Path) -> None:
        """Write the model as strict JSON: trees, domain, target, statement. No row of the data is in it.

        Parameters
        ----------
        path : str or Path
        """
        check_is_fitted(self)
        write_model(self._record(), path)

    def _plain_parameters(self) -> dict[str, Any]:
        """Return the parameters as JSON types. A seed is left out: with it, noise could be subtracted."""
        names = _parameter_names(cast(Any, type(self)))
        return {name: _plain(getattr(self, name)) for name in names if name not in _LEFT_OUT}

    def _record(self) -> ModelRecord:
        names = getattr(self, "feature_names_in_", None)
        return ModelRecord(
            learner=type(self).__name__,
            parameters=self._trained.parameters,
            n_bins=self._trained.encoder.layout.n_bins,
            domain=self.domain_,
            feature_names=None if names is None else tuple(str(name) for name in names),
            ensemble=self.ensemble_,
            statement=self.privacy_,
            plan=self.plan_.to_dict(),
            refinement=self._trained.refinement,
            **self._record_target(),
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.non_deterministic = self.privacy is not None and self.random_state is None
        return tags


@cache
def _parameter_names(learner: Any) -> tuple[str, ...]:
    """Return the names of the parameters of a learner's class, sorted as `get_params` has them."""
    return tuple(sorted(name for name in signature(learner.__init__).parameters if name != "self"))


def _plain(value: Any) -> Any:
    if isinstance(value, Loss):
        return value.name
    if isinstance(value, Mapping):
        return mapping_to_text(value)
    return value.item() if isinstance(value, np.generic) else value
