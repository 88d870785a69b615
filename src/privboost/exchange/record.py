"""What a model file holds, as Python objects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from privboost.data.domain import Domain
from privboost.data.layout import CodeLayout
from privboost.data.refinement import Refinement, refine_layout
from privboost.ensembles.ensemble import VECTOR, Ensemble
from privboost.privacy.statement import PrivacyStatement

__all__ = ["Label", "ModelRecord"]

Label: TypeAlias = str | int | float | bool


@dataclass(frozen=True, eq=False)
class ModelRecord:
    """A fitted model without its class: what the model file holds.

    Attributes
    ----------
    learner : str
        Class name of the estimator.
    parameters : dict
        Constructor parameters that JSON can hold; domain, classes and random_state are not among them.
    n_bins : int
        Bins of a numeric attribute, 2 to 254.
    domain : Domain
    classes : tuple of str, int, float or bool
        The labels, in the order of the model's outputs; all of one type. Empty where a number is predicted.
    feature_names : tuple of str or None
        Columns of the training table in its order, where it had names.
    ensemble : Ensemble
    statement : PrivacyStatement
    plan : dict
        The public facts of the plan.
    refinement : Refinement or None
        Edges and orders that the trees' codes go by in place of the public ones.
    target_range : tuple of (float, float) or None
        Public lowest and highest value of a predicted number; None for classes.
    """

    learner: str
    parameters: dict[str, Any]
    n_bins: int
    domain: Domain
    classes: tuple[Label, ...]
    feature_names: tuple[str, ...] | None
    ensemble: Ensemble
    statement: PrivacyStatement
    plan: dict[str, Any]
    refinement: Refinement | None = None
    target_range: tuple[float, float] | None = None

    @property
    def layout(self) -> CodeLayout:
        """Meaning of the codes that the trees test."""
        public = self.domain.layout(self.n_bins)
        return public if self.refinement is None else refine_layout(public, self.refinement)

    @property
    def depth(self) -> int:
        """Depth of the first tree; all trees of a consistent model share it."""
        return self.ensemble.trees[0].depth

    @property
    def n_outputs(self) -> int:
        """Groups of trees that were trained one after the other: 1, or one for each class against the rest."""
        return 1 if self.ensemble.combination in VECTOR else self.ensemble.n_outputs
