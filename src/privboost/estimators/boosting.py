"""The product learner: Newton boosting over random trees, with settings that follow from public numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from privboost.data.domain import Domain
from privboost.data.layout import CodeLayout
from privboost.ensembles.auto import FREE, choose_settings
from privboost.ensembles.newton import NewtonTrainer
from privboost.ensembles.newton_plan import NewtonFacts, NewtonPlan, NewtonSettings, plan_newton
from privboost.errors import ParameterError, PlanError, SchemaError, VerificationError
from privboost.estimators.base import PrivateEstimator
from privboost.estimators.boosting_settings import AUTO, SHARES, given_settings, recorded_settings
from privboost.estimators.classifier import PrivateClassifier
from privboost.estimators.monotone import check_monotone, monotone_directions
from privboost.estimators.parameters import check_choice, check_integer, check_real
from privboost.estimators.regressor import PrivateRegressor
from privboost.estimators.training import Outcome, PublicFacts, Training
from privboost.exchange.record import ModelRecord
from privboost.privacy.budget import Budget
from privboost.sources.gradients import GradientRows
from privboost.sources.objectives import Objective, get_objective, lowest_ratio
from privboost.trees.profile import make_profile
from privboost.trees.tree import Splits

__all__ = ["PrivateBoostingClassifier", "PrivateBoostingRegressor"]

LOSSES = {
    "squared_error": "squared",
    "absolute_error": "quantile",
    "quantile": "quantile",
    "poisson": "poisson",
    "gamma": "gamma",
}
"""Names of the regressor's losses, as scikit-learn spells them, and the objectives behind them."""


class _Boosting(PrivateEstimator):
    """What the classifier and the regressor share: settings, plan, training."""

    delta: float
    n_rounds: Any
    trees_per_round: Any
    learning_rate: Any
    shrinkage: Any
    score_reach: Any
    histogram_share: Any
    base_share: Any
    attribute_choice: Any
    attributes_per_tree: Any
    tests_per_node: Any
    selection_share: Any
    mechanism: Any
    monotonic_cst: Mapping[str, int] | None

    _privacy_choices: ClassVar[tuple[str | None, ...]] = ("dp", None)
    _mappings: ClassVar[tuple[str, ...]] = ("monotonic_cst",)
    _free: ClassVar[tuple[str, ...]] = tuple(name for name in FREE if name != "calibration_share")
    _later_parameters: ClassVar[Mapping[str, Any]] = {
        "attribute_choice": AUTO,
        "tests_per_node": AUTO,
        "selection_share": AUTO,
    }
    _later_facts: ClassVar[Mapping[str, Any]] = {
        "attribute_choice": "random",
        "tests_per_node": 1,
        "selection_share": 0.5,
        "calibration_share": 0.0,
        "gradient_clip": 1.0,
        "expected_slope": 1.0,
    }

    def _objective_name(self, n_classes: int) -> str:
        raise NotImplementedError

    def _objective(self, training: Training, settings: NewtonSettings) -> Objective:
        return get_objective(self._objective_name(training.n_classes), training.n_classes, clip=settings.gradient_clip)

    def _check_parameters(self) -> None:
        given = self._given()
        if sum(given.get(name, 0.0) for name in SHARES) > 0.999:
            largest = max(SHARES, key=lambda name: given.get(name, 0.0))
            raise ParameterError(
                largest, given[largest], "less than what other shares leave", "The trees need a share of 0.001 or more."
            )
        if self.mechanism == "gaussian" and self.delta == 0.0 and self.privacy is not None:
            remedy = "Gaussian noise needs a delta above 0."
            raise ParameterError("mechanism", "gaussian", "'laplace' with delta=0", remedy)
        check_monotone(self.monotonic_cst)

    def _check_depth(self) -> None:
        """Depth may be left to the library; `_check_parameters` looks at it."""

    def _check_with_domain(self, domain: Domain, layout: CodeLayout) -> None:
        monotone_directions(self.monotonic_cst, domain, layout)

    def _given(self) -> dict[str, Any]:
        """Return the settings that the user chose."""
        return given_settings({name: getattr(self, name) for name in self._free})

    def _candidates(self, layout: CodeLayout) -> Splits:
        # Whether a cell is empty is never asked by itself: an attribute needs two values to part rows.
        attribute, first, last = layout.tests()
        return Splits(attribute, first, last, np.zeros(len(attribute), np.bool_))

    def _newton_facts(self, facts: PublicFacts) -> NewtonFacts:
        return NewtonFacts(
            epsilon=facts.epsilon,
            delta=facts.delta,
            unit=facts.unit,
            n_rows=facts.n_rows,
            n_attributes=facts.n_attributes,
            n_candidates=facts.n_candidates,
            n_cells=facts.n_cells,
            n_stats=max(facts.n_classes, 2),
            objective=self._objective_name(facts.n_classes),
        )

    def _plan(self, facts: PublicFacts) -> NewtonPlan:
        newton = self._newton_facts(facts)
        settings, reasons = choose_settings(newton, self._given())
        return plan_newton(settings, newton, reasons)

    def _plan_again(self, facts: PublicFacts, recorded: Mapping[str, Any]) -> NewtonPlan:
        # Settings that were left to the library are those of the version that trained the model.
        settings = recorded_settings(recorded, self._given())
        return plan_newton(settings, self._newton_facts(facts), tuple(recorded["reasons"]))

    def _check_record(self, plan: NewtonPlan, record: ModelRecord) -> None:
        """Without histograms, nothing but public numbers may have decided how codes are formed."""
        if plan.histograms is not None:
            return
        public, _ = make_profile(record.domain, record.domain.layout(record.n_bins), None)
        if record.refinement is None or record.refinement.to_dict() != public.to_dict():
            raise VerificationError("The model released no histograms, but its codes are not those of public numbers.")

    def plan(self, n_rows: int) -> NewtonPlan:
        """Decide what training would do, from public numbers alone: no row is read, and no budget spent.

        Parameters
        ----------
        n_rows : int
            Public number of rows, 1 or more.

        Returns
        -------
        NewtonPlan
            What ``plan_`` will be after ``fit`` on so many rows. ``print`` shows its settings and reasons.

        Raises
        ------
        ParameterError, SchemaError, PlanError
            As ``fit`` does, for parameters, and for a domain or a target that is not declared.
        """
        self._check_shared_parameters()
        self._check_parameters()
        return self._plan_ahead(check_integer("n_rows", n_rows, low=1, high=2**53))

    def _plan_ahead(self, n_rows: int) -> NewtonPlan:
        if self.domain is None:
            raise SchemaError(f"{type(self).__name__} needs 'domain' to plan: give domain=Domain({{...}}).")
        self._require_target()
        target = self._public_target(None)
        self._check_with_target(target)
        layout = self.domain.layout(int(self.n_bins))
        monotone_directions(self.monotonic_cst, self.domain, layout)
        facts = self._facts_of(n_rows, target, layout, len(self._candidates(layout)))
        plan = self._plan(facts)
        self._warn(facts)
        return plan

    def _train(self, training: Training, plan: NewtonPlan) -> Outcome:
        objective = self._objective(training, plan.settings)
        target = training.labels if training.target is None else training.target
        rows = GradientRows(
            training.encode, target, training.row_units(), objective, plan.facts.n_stats, training.n_threads
        )
        with training.progress(plan.settings.n_trees) as advance:
            trainer = NewtonTrainer(
                plan,
                objective,
                training.domain,
                training.layout,
                training.randomness,
                training.ledger,
                monotone=monotone_directions(self.monotonic_cst, training.domain, training.layout),
                progress=advance,
            )
            ensemble, refinement = trainer.train(rows)
        return Outcome(ensemble, plan, refinement)


class PrivateBoostingClassifier(_Boosting, PrivateClassifier):
    """Differentially private boosting of random trees: from a budget alone to an accurate classifier.

    The tests of every tree are drawn without looking at a row, finer where released histograms say that rows lie,
    and along an order of categories by their released rates. Which attributes they are on may be learnt from what
    earlier trees released; where rows are many beside Gaussian noise, the best of a few is selected privately. The
    rest of the budget goes to the leaves: noisy sums of gradients and curvature of the log loss, of which each gives
    a Newton step, drawn towards zero by the known scale of the noise. Two classes have one score; more share each
    tree's structure and noise, one score a class.

    A setting left at "auto" is chosen from public numbers: rows, attributes, classes, epsilon and delta. ``plan_``
    holds every choice, with its reason.

    Parameters
    ----------
    epsilon : float, default=1.0
        Privacy budget, above 0.
    delta : float, default=0.0
        0 for a pure guarantee; else the chance, far below 1 / number of rows, such as 1e-6, that it may fail.
    n_rounds : int or "auto", default="auto"
        Rounds of boosting, 1 to 10000. Gradients are worked out anew for each.
    trees_per_round : int or "auto", default="auto"
        Trees grown on the same gradients, whose mean is one step, 1 to 10000. One round of many trees is a forest.
    max_depth : int or "auto", default="auto"
        Depth of every tree, 1 to 16.
    learning_rate : float or "auto", default="auto"
        Factor of each round's step, above 0.
    shrinkage : float or "auto", default="auto"
        Curvature added to every leaf, in standard deviations of the curvature's noise, above 0.
    score_reach : float or "auto", default="auto"
        How far from the base score a row's score counts when its gradient is worked out, 0 to 100. Small values bound
        one row's gradient, and with it the noise; at 0 all rounds see the gradients of the base score.
    histogram_share, base_share : float or "auto", default="auto"
        Parts of the budget for the histograms and the class counts, 0 to less than 1.
    calibration_share : float or "auto", default="auto"
        Part of the budget for a histogram of the scores of two classes, 0 to less than 1, which tells by which factor
        to multiply them. At 0, and for more classes, it is the one that is expected from public numbers (1 where
        `learning_rate` or `shrinkage` is given). The order of two classes' scores does not depend on it. Must be 0 for
        more classes.
    attribute_choice : {"auto", "random", "adaptive"}, default="auto"
        Whether a tree's attributes are drawn, or learnt from the sums that earlier trees released, which costs nothing:
        after a tree for each attribute alone, the next is on the one that has most left to gain, or on several.
        "adaptive" needs ``trees_per_round=1`` and a round for each attribute.
    attributes_per_tree : int or "auto", default="auto"
        Draws of an attribute for each tree on several, among which its tests' are drawn; 0 for no limit.
    tests_per_node : int or "auto", default="auto"
        Tests drawn for each node, 1 to 1000, of which the one that parts the gradients best is selected privately. At 1
        the test is the one drawn, no row is looked at, and nothing is spent on it.
    selection_share : float or "auto", default="auto"
        Part of every tree's budget that goes to selecting its tests, 0.001 to 0.9. At ``tests_per_node=1`` it has no
        effect.
    mechanism : {"auto", "laplace", "gaussian"}, default="auto"
        Noise of all releases. Gaussian noise needs ``delta`` above 0.
    n_bins : int, default=254
        Regular public bins of a numeric attribute, 2 to 254, which released histograms then refine.
    class_weight : dict or None, default=None
        Public factor, above 0, of the weight of each class's rows; 1 for classes that are not listed.
    monotonic_cst : dict or None, default=None
        For attributes by name, 1 if the score may only rise with the attribute's value, -1 if it may only fall.
        With two classes only.
    max_sample_weight : float, default=1.0
        Public: the largest weight of a row in ``fit``; larger ones are clipped.
    relation, rows_per_person, domain, classes, n_jobs, random_state, verbose, budget
        As for `BDPEClassifier`.
    privacy : {"dp", None}, default="dp"
        None trains without noise and without any guarantee.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_, domain_, plan_, privacy_, is_private_, ensemble_
        As for `BDPEClassifier`.

    References
    ----------
    Friedman (2001), "Greedy function approximation: a gradient boosting machine"; Geurts, Ernst & Wehenkel (2006),
    "Extremely randomized trees"; Dong, Roth & Su (2022), "Gaussian differential privacy"; Canonne, Kamath & Steinke
    (2020), "The discrete Gaussian for differential privacy".
    """

    _mappings: ClassVar[tuple[str, ...]] = ("class_weight", "monotonic_cst")
    _free: ClassVar[tuple[str, ...]] = FREE
    _later_parameters: ClassVar[Mapping[str, Any]] = {
        **_Boosting._later_parameters,
        "calibration_share": AUTO,
    }

    def __init__(
        self,
        epsilon: float = 1.0,
        *,
        delta: float = 0.0,
        n_rounds: Any = AUTO,
        trees_per_round: Any = AUTO,
        max_depth: Any = AUTO,
        learning_rate: Any = AUTO,
        shrinkage: Any = AUTO,
        score_reach: Any = AUTO,
        histogram_share: Any = AUTO,
        base_share: Any = AUTO,
        calibration_share: Any = AUTO,
        attribute_choice: str = AUTO,
        attributes_per_tree: Any = AUTO,
        tests_per_node: Any = AUTO,
        selection_share: Any = AUTO,
        mechanism: str = AUTO,
        n_bins: int = 254,
        class_weight: Mapping[Any, float] | None = None,
        monotonic_cst: Mapping[str, int] | None = None,
        max_sample_weight: float = 1.0,
        relation: str = "add-remove",
        rows_per_person: int = 1,
        domain: Domain | None = None,
        classes: Any = None,
        privacy: str | None = "dp",
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: bool = False,
        budget: Budget | None = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.n_rounds = n_rounds
        self.trees_per_round = trees_per_round
        self.max_depth = max_depth
        self.learning_rate = learning_rate
        self.shrinkage = shrinkage
        self.score_reach = score_reach
        self.histogram_share = histogram_share
        self.base_share = base_share
        self.calibration_share = calibration_share
        self.attribute_choice = attribute_choice
        self.attributes_per_tree = attributes_per_tree
        self.tests_per_node = tests_per_node
        self.selection_share = selection_share
        self.mechanism = mechanism
        self.n_bins = n_bins
        self.class_weight = class_weight
        self.monotonic_cst = monotonic_cst
        self.max_sample_weight = max_sample_weight
        self.relation = relation
        self.rows_per_person = rows_per_person
        self.domain = domain
        self.classes = classes
        self.privacy = privacy
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.budget = budget

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train on private rows.

        Parameters
        ----------
        X : table of shape (n_rows, n_attributes)
            As for `BDPEClassifier.fit`.
        y : array of shape (n_rows,)
            Labels. A label outside ``classes`` gives its row weight 0.
        sample_weight : array of shape (n_rows,), optional
            Private weights, clipped to 0 and ``max_sample_weight``; a missing one counts as 0. With ``privacy=None``
            and ``max_sample_weight=1``, they are divided by the largest of them instead.

        Returns
        -------
        self

        Raises
        ------
        ParameterError, SchemaError, PlanError
            Decided by parameters, names, kinds and shapes alone; never by a value in a row.
        """
        return self._fit(X, y, sample_weight)

    def _objective_name(self, n_classes: int) -> str:
        return "logistic" if n_classes == 2 else "softmax"

    def _plan(self, facts: PublicFacts) -> NewtonPlan:
        if self.monotonic_cst and facts.n_classes > 2:
            raise PlanError("'monotonic_cst' needs a single score: two classes, or a regressor.")
        return super()._plan(facts)


class PrivateBoostingRegressor(_Boosting, PrivateRegressor):
    """Differentially private boosting of random trees for a number within a public range.

    As `PrivateBoostingClassifier`, on another loss. A target outside ``target_range`` is clipped, which bounds what one
    row can do to any sum.

    Parameters
    ----------
    epsilon, delta
        As for `PrivateBoostingClassifier`.
    loss : {"squared_error", "absolute_error", "quantile", "poisson", "gamma"}, default="squared_error"
        "poisson" needs a ``target_range`` that starts at 0 or above, "gamma" one that starts above 0; both predict
        through a logarithm.
    quantile : float, default=0.5
        Of ``loss="quantile"``, between 0 and 1.
    target_range : (float, float) or None, default=None
        Public lowest and highest number. Required unless ``privacy=None``, which takes those of the rows.
    n_rounds, trees_per_round, max_depth, learning_rate, shrinkage, score_reach, histogram_share, base_share
        As for `PrivateBoostingClassifier`. Scores of the squared error are parts of the range.
    attribute_choice, attributes_per_tree, tests_per_node, selection_share, mechanism, n_bins, monotonic_cst
        As for `PrivateBoostingClassifier`.
    max_sample_weight, relation, rows_per_person, domain, privacy, n_jobs, random_state, verbose, budget
        As for `PrivateBoostingClassifier`.

    Attributes
    ----------
    target_range_ : (float, float)
    n_features_in_, feature_names_in_, domain_, plan_, privacy_, is_private_, ensemble_
        As for `BDPEClassifier`.
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        *,
        delta: float = 0.0,
        loss: str = "squared_error",
        quantile: float = 0.5,
        target_range: Any = None,
        n_rounds: Any = AUTO,
        trees_per_round: Any = AUTO,
        max_depth: Any = AUTO,
        learning_rate: Any = AUTO,
        shrinkage: Any = AUTO,
        score_reach: Any = AUTO,
        histogram_share: Any = AUTO,
        base_share: Any = AUTO,
        attribute_choice: str = AUTO,
        attributes_per_tree: Any = AUTO,
        tests_per_node: Any = AUTO,
        selection_share: Any = AUTO,
        mechanism: str = AUTO,
        n_bins: int = 254,
        monotonic_cst: Mapping[str, int] | None = None,
        max_sample_weight: float = 1.0,
        relation: str = "add-remove",
        rows_per_person: int = 1,
        domain: Domain | None = None,
        privacy: str | None = "dp",
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: bool = False,
        budget: Budget | None = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.loss = loss
        self.quantile = quantile
        self.target_range = target_range
        self.n_rounds = n_rounds
        self.trees_per_round = trees_per_round
        self.max_depth = max_depth
        self.learning_rate = learning_rate
        self.shrinkage = shrinkage
        self.score_reach = score_reach
        self.histogram_share = histogram_share
        self.base_share = base_share
        self.attribute_choice = attribute_choice
        self.attributes_per_tree = attributes_per_tree
        self.tests_per_node = tests_per_node
        self.selection_share = selection_share
        self.mechanism = mechanism
        self.n_bins = n_bins
        self.monotonic_cst = monotonic_cst
        self.max_sample_weight = max_sample_weight
        self.relation = relation
        self.rows_per_person = rows_per_person
        self.domain = domain
        self.privacy = privacy
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.budget = budget

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice("loss", self.loss, tuple(LOSSES))
        check_real("quantile", self.quantile, "a number between 0 and 1", low=0.0, high=1.0, open_ends=True)
        if self.loss == "absolute_error" and self.quantile != 0.5:
            raise ParameterError("quantile", self.quantile, "0.5 with loss='absolute_error'", "Use loss='quantile'.")

    def _objective_name(self, n_classes: int) -> str:
        return LOSSES[self.loss]

    def _public_target(self, y: Any) -> tuple[float, float]:
        low, high = super()._public_target(y)
        if self.loss == "poisson" and low < 0.0:
            raise ParameterError("target_range", (low, high), "from 0 or above for loss='poisson'")
        if self.loss == "gamma" and low <= 0.0:
            raise ParameterError("target_range", (low, high), "from above 0 for loss='gamma'")
        return low, high

    def _scale(self, target: tuple[float, float]) -> tuple[float, float]:
        # Behind a logarithm a number stands as a part of the high end, so that 0 stays 0.
        return (0.0, target[1]) if self.loss in ("poisson", "gamma") else target

    def _objective(self, training: Training, settings: NewtonSettings) -> Objective:
        lowest = lowest_ratio(*training.public_target)
        quantile, clip = float(self.quantile), settings.residual_clip
        return get_objective(self._objective_name(1), quantile=quantile, lowest=lowest, clip=clip)
