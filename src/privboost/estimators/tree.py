"""A single private tree with any proper loss as its criterion."""

from __future__ import annotations

from typing import Any

from privboost.data.domain import Domain
from privboost.ensembles.boosting import Trainer, train_single
from privboost.ensembles.ensemble import Ensemble
from privboost.ensembles.plan import BoostingPlan, BoostingSettings, plan_boosting
from privboost.estimators.classifier import TreewisePlanned
from privboost.estimators.parameters import check_choice, check_real
from privboost.estimators.training import PublicFacts, Training
from privboost.losses import Loss, get_loss
from privboost.privacy.budget import Budget

__all__ = ["CRITERIA", "PrivateTreeClassifier"]

CRITERIA = ("log", "square", "zero-one", "matsushita")
"""Criteria known by name."""


class PrivateTreeClassifier(TreewisePlanned):
    """One differentially private decision tree.

    Every split is chosen by a private selection on the criterion, level by level to a fixed depth; leaves hold noisy
    class counts.

    Parameters
    ----------
    epsilon : float, default=1.0
        Total privacy budget (pure differential privacy), above 0.
    max_depth : int, default=3
        Depth of the tree, 1 to 16.
    criterion : {"log", "square", "zero-one", "matsushita"} or Loss, default="zero-one"
        Bayes risk of the criterion: information gain, Gini, the largest class, or the one with the best rate. A
        `Loss` of your own needs only its Bayes risk.
    split_share : float, default=0.5
        Share of the budget that goes to the splits, in equal parts to the levels, in (0, 1); the rest goes to the
        leaves.
    n_bins : int, default=10
        Regular public bins of a numeric attribute, 2 to 254.
    relation, rows_per_person, composition, selection, sensitivity, leaf_smoothing
        As for `BDPEClassifier`.
    domain, classes, privacy, n_jobs, random_state, verbose, budget
        As for `BDPEClassifier`.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_, domain_, plan_, privacy_, is_private_, ensemble_
        As for `BDPEClassifier`.

    References
    ----------
    Friedman & Schuster (2010), "Data mining with differential privacy".
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        *,
        max_depth: int = 3,
        criterion: str | Loss = "zero-one",
        split_share: float = 0.5,
        n_bins: int = 10,
        relation: str = "add-remove",
        rows_per_person: int = 1,
        composition: str = "parallel",
        selection: str = "permute-and-flip",
        sensitivity: str = "exact",
        leaf_smoothing: float = 1.0,
        domain: Domain | None = None,
        classes: Any = None,
        privacy: str | None = "pure",
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: bool = False,
        budget: Budget | None = None,
    ) -> None:
        self.epsilon = epsilon
        self.max_depth = max_depth
        self.criterion = criterion
        self.split_share = split_share
        self.n_bins = n_bins
        self.relation = relation
        self.rows_per_person = rows_per_person
        self.composition = composition
        self.selection = selection
        self.sensitivity = sensitivity
        self.leaf_smoothing = leaf_smoothing
        self.domain = domain
        self.classes = classes
        self.privacy = privacy
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.budget = budget

    def _check_parameters(self) -> None:
        if not isinstance(self.criterion, Loss):
            check_choice("criterion", self.criterion, CRITERIA, "Or give a Loss.")
        check_real("split_share", self.split_share, "a number between 0 and 1", low=0.0, high=1.0, open_ends=True)
        check_choice("composition", self.composition, ("parallel", "sequential"))
        check_choice("selection", self.selection, ("permute-and-flip", "exponential"))
        check_choice("sensitivity", self.sensitivity, ("exact", "paper"))
        check_real("leaf_smoothing", self.leaf_smoothing, "a number of 0 or more", low=0.0, high=1e6)

    def _assumed_public(self, facts: PublicFacts) -> tuple[str, ...]:
        known = super()._assumed_public(facts)
        name = self.criterion if isinstance(self.criterion, str) else self.criterion.name
        if not known or name in CRITERIA:
            return known
        return (
            *known,
            f"the Bayes risk of the criterion {name!r}, which is concave, and right to nine digits as given",
        )

    def _plan(self, facts: PublicFacts) -> BoostingPlan:
        settings = BoostingSettings(
            n_trees=1,
            max_depth=int(self.max_depth),
            split_share=float(self.split_share),
            composition=self.composition,  # type: ignore[arg-type]  # checked above
            selection=self.selection,  # type: ignore[arg-type]
            sensitivity=self.sensitivity,  # type: ignore[arg-type]
            leaf_smoothing=float(self.leaf_smoothing),
        )
        return plan_boosting(
            settings,
            epsilon=facts.epsilon,
            unit=facts.unit,
            n_rows=facts.n_rows,
            n_candidates=facts.n_candidates,
            n_outputs=facts.n_outputs,
        )

    def _train(self, training: Training, plan: BoostingPlan) -> tuple[Ensemble, BoostingPlan]:
        with training.progress(len(plan.trees)) as advance:
            trainer = Trainer(plan, training.candidates, training.randomness, training.ledger, advance)
            criterion = get_loss(self.criterion)
            return train_single(trainer, lambda output: training.rows(output, 1.0), training.n_classes, criterion)
