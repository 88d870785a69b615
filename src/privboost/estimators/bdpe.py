"""The paper's learner: boosted, differentially private ensembles of decision trees."""

from __future__ import annotations

from typing import Any

from privboost.data.domain import Domain
from privboost.ensembles.boosting import Trainer, train_boosted
from privboost.ensembles.ensemble import Ensemble
from privboost.ensembles.plan import BoostingPlan, BoostingSettings, plan_boosting
from privboost.errors import ParameterError
from privboost.estimators.classifier import TreewisePlanned
from privboost.estimators.parameters import check_choice, check_integer, check_real
from privboost.estimators.training import PublicFacts, Training
from privboost.privacy.budget import Budget

__all__ = ["PAPER_CHOICES", "TIGHT_CHOICES", "BDPEClassifier"]

PAPER_CHOICES: dict[str, Any] = {
    "composition": "sequential",
    "selection": "exponential",
    "sensitivity": "paper",
    "weight_bound": "unit",
    "leaf_smoothing": 0.0,
    "calibration_gap": 1.0,
}
"""What ``preset="paper"`` gives the parameters that are left at None."""

TIGHT_CHOICES: dict[str, Any] = {
    "composition": "parallel",
    "selection": "permute-and-flip",
    "sensitivity": "exact",
    "weight_bound": "released",
    "leaf_smoothing": 1.0,
    "calibration_gap": 0.1,
}
"""What they are without it: the tightest choices that are valid."""


class BDPEClassifier(TreewisePlanned):
    """Boosted, differentially private ensemble of decision trees.

    Trees are grown one after the other on re-weighted rows. Each split is chosen by a private selection on the Bayes
    risk of the mixture loss ``alpha * Matsushita + (1 - alpha) * zero-one``, whose alpha trades the guaranteed rate of
    boosting for the sensitivity of the criterion; leaves hold noisy class weights; each tree's coefficient follows
    from its released leaves and costs nothing.

    Parameters
    ----------
    epsilon : float, default=1.0
        Total privacy budget (pure differential privacy), above 0.
    n_trees : int, default=20
        Trees of each output, 1 to 10000.
    max_depth : int, default=3
        Depth of every tree, 1 to 16. The shape is complete: depth and number of leaves do not depend on the rows.
    alpha : "calibrated" or float, default="calibrated"
        Alpha of the criterion, in [0, 1]. "calibrated" (objective calibration) takes at each depth the largest alpha
        whose sensitivity the node's budget affords.
    combination_alpha : float or None, default=None
        Alpha of the mixture loss that turns scores into weights and probabilities, in (0, 1]. None takes ``alpha``
        where that is a number above 0, else 1.
    split_share : float, default=0.5
        Share of a tree's budget that goes to its splits, in (0, 1); the rest goes to its leaves.
    n_bins : int, default=10
        Regular public bins of a numeric attribute, 2 to 254.
    leaf_clip : float, default=10.0
        Bound of a leaf's value, 0.001 to 1000000.
    relation : {"add-remove", "replace-one"}, default="add-remove"
        What may differ between neighbouring tables. The number of rows is public under both; replacing a row costs
        twice as much as adding or removing one.
    rows_per_person : int, default=1
        At most how many rows belong to one person, whose rows are hidden together, 1 to 1000. A promise of yours: it
        is not read off the rows. All noise grows with it.
    composition : {"parallel", "sequential"} or None, default=None
        Whether the nodes of a level, which hold disjoint rows, each spend the level's budget, or divide it.
    selection : {"permute-and-flip", "exponential"} or None, default=None
        Mechanism that selects a split.
    sensitivity : {"exact", "paper"} or None, default=None
        Bound on the criterion's sensitivity.
    weight_bound : {"released", "unit"} or None, default=None
        Bound on a row's weight that noise is calibrated to: the largest weight that the released trees allow (1/2 at
        first), or 1.
    leaf_smoothing : float or None, default=None
        Pseudo-weight added to a leaf, in noise scales, 0 or more; 0 is the plain ratio.
    calibration_gap : float or None, default=None
        For ``alpha="calibrated"``: by which part of a node's weight the score of a good split is expected to exceed the
        others, in (0, 10]. A larger gap means more trust in the selection, hence a larger alpha.
    leverage : {"released", "exact"}, default="released"
        Whether a tree's coefficient is computed from its released leaves, or from the exact weights. The second is
        not private and is refused unless ``random_state`` makes the fit a simulation, or ``privacy=None``.
    leverage_scale : float, default=1.0
        Factor of a tree's coefficient, in (0, 2).
    preset : None or "paper", default=None
        What the six parameters are that default to None. None: the tightest valid choices, ``composition="parallel"``,
        ``selection="permute-and-flip"``, ``sensitivity="exact"``, ``weight_bound="released"``, ``leaf_smoothing=1``,
        ``calibration_gap=0.1``. "paper": the paper's own, ``"sequential"``, ``"exponential"``, ``"paper"``, ``"unit"``,
        0 and 1. A parameter that is given keeps its value under either.
    domain : Domain
        Public range or categories of every attribute. Required unless ``privacy=None``.
    classes : sequence of labels
        Public list of labels. Required unless ``privacy=None``. With more than two, each class is learnt against the
        rest with an equal part of the budget.
    privacy : "pure" or None, default="pure"
        None trains without noise: the best split at every node, exact leaves, pure nodes not split. Such a model has
        no guarantee, and says so.
    n_jobs : int or None, default=None
        Threads for large tables, in training and prediction; the model is the same for any number. None: all cores that
        the process may use, or as many as the environment variable ``OMP_NUM_THREADS`` says; -1: all cores.
    random_state : None, int or numpy Generator, default=None
        None draws secure noise from the operating system's entropy. Anything else makes the fit reproducible, and
        thereby a simulation that is not private.
    verbose : bool, default=False
        Show a progress bar where standard error is a terminal.
    budget : Budget or None, default=None
        Charged in ``fit``, with epsilon and delta, before a row is read; a fit that it cannot pay for is refused. A fit
        that fails afterwards stays charged, and so do simulations; with ``privacy=None`` nothing is. No file holds it.

    Attributes
    ----------
    classes_ : ndarray
        Labels, sorted.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only if ``X`` had column names.
    domain_ : Domain
    plan_ : BoostingPlan
        What was decided from public numbers, alpha of every level included.
    privacy_ : PrivacyStatement
        What is guaranteed, and every release that it is made of.
    is_private_ : bool
        False without privacy and for simulations.
    ensemble_ : Ensemble

    References
    ----------
    "Boosted and Differentially Private Ensembles of Decision Trees" (2020).

    Examples
    --------
    >>> import numpy as np
    >>> from privboost import BDPEClassifier, Domain, Numeric
    >>> X = np.linspace(0, 1, 400).reshape(-1, 1)
    >>> y = (X[:, 0] > 0.5).astype(int)
    >>> model = BDPEClassifier(epsilon=1.0, n_trees=2, max_depth=1, domain=Domain({"x": Numeric(0, 1)}), classes=[0, 1])
    >>> model.fit(X, y).is_private_
    True
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        *,
        n_trees: int = 20,
        max_depth: int = 3,
        alpha: float | str = "calibrated",
        combination_alpha: float | None = None,
        split_share: float = 0.5,
        n_bins: int = 10,
        leaf_clip: float = 10.0,
        relation: str = "add-remove",
        rows_per_person: int = 1,
        composition: str | None = None,
        selection: str | None = None,
        sensitivity: str | None = None,
        weight_bound: str | None = None,
        leaf_smoothing: float | None = None,
        calibration_gap: float | None = None,
        leverage: str = "released",
        leverage_scale: float = 1.0,
        preset: str | None = None,
        domain: Domain | None = None,
        classes: Any = None,
        privacy: str | None = "pure",
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: bool = False,
        budget: Budget | None = None,
    ) -> None:
        self.epsilon = epsilon
        self.n_trees = n_trees
        self.max_depth = max_depth
        self.alpha = alpha
        self.combination_alpha = combination_alpha
        self.split_share = split_share
        self.n_bins = n_bins
        self.leaf_clip = leaf_clip
        self.relation = relation
        self.rows_per_person = rows_per_person
        self.composition = composition
        self.selection = selection
        self.sensitivity = sensitivity
        self.weight_bound = weight_bound
        self.leaf_smoothing = leaf_smoothing
        self.calibration_gap = calibration_gap
        self.leverage = leverage
        self.leverage_scale = leverage_scale
        self.preset = preset
        self.domain = domain
        self.classes = classes
        self.privacy = privacy
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.budget = budget

    def _check_parameters(self) -> None:
        check_integer("n_trees", self.n_trees, low=1, high=10000)
        if not (isinstance(self.alpha, str) and self.alpha == "calibrated"):
            check_real("alpha", self.alpha, "'calibrated' or a number from 0 to 1", low=0.0, high=1.0)
        if self.combination_alpha is not None:
            expected = "None or a number above 0 and at most 1"
            if check_real("combination_alpha", self.combination_alpha, expected, low=0.0, high=1.0) == 0.0:
                raise ParameterError("combination_alpha", self.combination_alpha, expected)
        check_real("split_share", self.split_share, "a number between 0 and 1", low=0.0, high=1.0, open_ends=True)
        check_real("leaf_clip", self.leaf_clip, "a number from 0.001 to 1000000", low=1e-3, high=1e6)
        check_choice("composition", self.composition, (None, "parallel", "sequential"))
        check_choice("selection", self.selection, (None, "permute-and-flip", "exponential"))
        check_choice("sensitivity", self.sensitivity, (None, "exact", "paper"))
        check_choice("weight_bound", self.weight_bound, (None, "released", "unit"))
        if self.leaf_smoothing is not None:
            check_real("leaf_smoothing", self.leaf_smoothing, "None or a number of 0 or more", low=0.0, high=1e6)
        if self.calibration_gap is not None:
            expected = "None or a number above 0, at most 10"
            check_real("calibration_gap", self.calibration_gap, expected, low=1e-9, high=10.0)
        check_choice("leverage", self.leverage, ("released", "exact"))
        check_real("leverage_scale", self.leverage_scale, "a number between 0 and 2", low=0.0, high=2.0, open_ends=True)
        check_choice("preset", self.preset, (None, "paper"))
        if self.leverage == "exact" and self.privacy is not None and self.random_state is None:
            raise ParameterError(
                "leverage",
                self.leverage,
                "'released' for a private model",
                "A coefficient computed from exact weights is covered by no mechanism. Set random_state to simulate.",
            )

    def _settings(self) -> BoostingSettings:
        fixed = None if isinstance(self.alpha, str) else float(self.alpha)
        combination = self.combination_alpha if self.combination_alpha is not None else (fixed or 1.0)
        choices = dict(PAPER_CHOICES if self.preset == "paper" else TIGHT_CHOICES)
        for name, choice in choices.items():
            given = getattr(self, name)
            choices[name] = choice if given is None else type(choice)(given)
        return BoostingSettings(
            n_trees=int(self.n_trees),
            max_depth=int(self.max_depth),
            split_share=float(self.split_share),
            alpha=fixed,
            combination_alpha=float(combination),
            leaf_clip=float(self.leaf_clip),
            leverage=self.leverage,
            leverage_scale=float(self.leverage_scale),
            **choices,
        )

    def _plan(self, facts: PublicFacts) -> BoostingPlan:
        return plan_boosting(
            self._settings(),
            epsilon=facts.epsilon,
            unit=facts.unit,
            n_rows=facts.n_rows,
            n_candidates=facts.n_candidates,
            n_outputs=facts.n_outputs,
        )

    def _uncovered(self) -> tuple[str, ...]:
        own = ("the weights of the trees (leverage='exact')",) if self.leverage == "exact" else ()
        return own + super()._uncovered()

    def _train(self, training: Training, plan: BoostingPlan) -> tuple[Ensemble, BoostingPlan]:
        with training.progress(len(plan.trees)) as advance:
            trainer = Trainer(plan, training.candidates, training.randomness, training.ledger, advance)
            return train_boosted(trainer, lambda output: training.rows(output, 0.5), training.n_classes)
