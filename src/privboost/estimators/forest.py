"""Private forests of random trees: all of the budget at the leaves."""

from __future__ import annotations

from typing import Any

from privboost.data.domain import Domain
from privboost.ensembles.ensemble import Ensemble
from privboost.ensembles.forest import train_forest
from privboost.ensembles.plan import ForestPlan, plan_forest
from privboost.errors import ParameterError
from privboost.estimators.classifier import PrivateClassifier
from privboost.estimators.parameters import check_choice, check_integer
from privboost.estimators.training import PublicFacts, Training
from privboost.privacy.budget import Budget

__all__ = ["PrivateForestClassifier"]


class PrivateForestClassifier(PrivateClassifier):
    """Differentially private random forest.

    The trees' structure is drawn without looking at a row, so the whole budget goes to the labels of the leaves. The
    trees vote.

    Parameters
    ----------
    epsilon : float, default=1.0
        Total privacy budget (pure differential privacy), above 0.
    n_trees : int, default=21
        Number of trees, 1 to 10000; odd, so that two classes cannot tie.
    max_depth : int, default=4
        Depth of every tree, 1 to 16.
    mechanism : {"laplace", "exponential"}, default="laplace"
        A leaf's label is the largest of its noisy class counts (RF-L), or is selected by the exponential mechanism on
        the counts (RF-E).
    partition : {"disjoint", "shared"}, default="disjoint"
        Whether each row is sent to one tree, drawn for it alone, and every tree spends the whole budget; or all trees
        see all rows and each spends ``epsilon / n_trees``.
    leaf : {"vote", "soft"}, default="vote"
        "vote": a leaf votes for one class. "soft": it divides its vote as its noisy counts are divided, drawn towards
        equal parts by four noise scales of rows; only with ``mechanism="laplace"``. At the same cost it usually ranks
        rows better, unless nearly all is noise.
    n_bins : int, default=10
        Regular public bins of a numeric attribute, 2 to 254.
    relation, rows_per_person, domain, classes, privacy, n_jobs, random_state, verbose, budget
        As for `BDPEClassifier`. More than two classes need no division of the budget here: a row still counts in one
        cell.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_, domain_, plan_, privacy_, is_private_, ensemble_
        As for `BDPEClassifier`.

    References
    ----------
    Fletcher & Islam (2017), "Differentially private random decision forests using smooth sensitivity", here with
    global sensitivity.
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        *,
        n_trees: int = 21,
        max_depth: int = 4,
        mechanism: str = "laplace",
        partition: str = "disjoint",
        leaf: str = "vote",
        n_bins: int = 10,
        relation: str = "add-remove",
        rows_per_person: int = 1,
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
        self.mechanism = mechanism
        self.partition = partition
        self.leaf = leaf
        self.n_bins = n_bins
        self.relation = relation
        self.rows_per_person = rows_per_person
        self.domain = domain
        self.classes = classes
        self.privacy = privacy
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.budget = budget

    def _check_parameters(self) -> None:
        check_integer("n_trees", self.n_trees, low=1, high=10000)
        check_choice("mechanism", self.mechanism, ("laplace", "exponential"))
        check_choice("partition", self.partition, ("disjoint", "shared"))
        check_choice("leaf", self.leaf, ("vote", "soft"))
        if self.leaf == "soft" and self.mechanism != "laplace":
            raise ParameterError(
                "leaf", self.leaf, "'vote' with mechanism='exponential'", "That mechanism releases labels, not counts."
            )

    def _plan(self, facts: PublicFacts) -> ForestPlan:
        return plan_forest(
            n_trees=int(self.n_trees),
            max_depth=int(self.max_depth),
            mechanism=self.mechanism,  # type: ignore[arg-type]  # checked above
            partition=self.partition,
            leaf=self.leaf,
            epsilon=facts.epsilon,
            unit=facts.unit,
            n_rows=facts.n_rows,
            n_candidates=facts.n_candidates,
            n_classes=facts.n_classes,
        )

    def _train(self, training: Training, plan: ForestPlan) -> tuple[Ensemble, ForestPlan]:
        rows = training.rows(None, 1.0)
        with training.progress(len(plan.releases)) as advance:
            ensemble = train_forest(
                rows, plan, training.candidates, training.randomness, training.ledger, progress=advance
            )
        return ensemble, plan
