"""Which learner a command line asks for, with which parameters, and the options that say so."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

import typer

from privboost.cli.target import DeclaredDomain, Target, choose_target, read_domain
from privboost.data.labels import check_classes
from privboost.errors import ParameterError
from privboost.estimators.base import PrivateEstimator
from privboost.estimators.bdpe import BDPEClassifier
from privboost.estimators.boosting import PrivateBoostingClassifier, PrivateBoostingRegressor
from privboost.estimators.forest import PrivateForestClassifier
from privboost.estimators.parameters import check_range
from privboost.estimators.tree import PrivateTreeClassifier
from privboost.privacy.amounts import check_delta, check_epsilon

__all__ = ["LEARNERS", "REGRESSORS", "Choices", "declare", "make_learner", "parse_settings"]

DEFAULT = "boosting"

LEARNERS: dict[str, type[PrivateEstimator]] = {
    DEFAULT: PrivateBoostingClassifier,
    "bdpe": BDPEClassifier,
    "forest": PrivateForestClassifier,
    "tree": PrivateTreeClassifier,
}

REGRESSORS: dict[str, type[PrivateEstimator]] = {DEFAULT: PrivateBoostingRegressor}
"""What the same names mean where numbers are predicted."""

# Options that set a parameter of the estimator, where they are given.
_OPTION_OF = {
    "n_rounds": "--rounds",
    "n_trees": "--trees",
    "max_depth": "--depth",
    "n_bins": "--bins",
    "relation": "--relation",
    "preset": "--preset",
    "delta": "--delta",
    "loss": "--loss",
}
# Parameters with an option of their own, or of no use on a command line.
_NOT_BY_SET = {
    "epsilon": "--epsilon",
    "domain": "--domain",
    "classes": "--classes",
    "target_range": "--target-range",
    "privacy": "--privacy",
    "n_jobs": "the environment variable OMP_NUM_THREADS",
    "random_state": "--seed",
    "verbose": "nothing: a bar is shown on a terminal",
    "budget": "--budget",
} | _OPTION_OF

TargetOption = Annotated[str | None, typer.Option("--target", help="Column to predict; else the domain file's.")]
ClassesOption = Annotated[
    str | None, typer.Option("--classes", help="Public labels, as no,yes; else the domain file's.")
]
RangeOption = Annotated[
    tuple[float, float] | None,
    typer.Option("--target-range", metavar="LOW HIGH", help="Predict a number: its public lowest and highest value."),
]
EpsilonOption = Annotated[float, typer.Option("--epsilon", "-e", help="Privacy budget, above 0.")]
DeltaOption = Annotated[
    float, typer.Option("--delta", help="0 for a pure guarantee, or far below 1 / number of rows, such as 1e-6.")
]
LossOption = Annotated[
    str | None,
    typer.Option("--loss", help="For numbers: squared_error, absolute_error, quantile, poisson or gamma."),
]
TreesOption = Annotated[int | None, typer.Option("--trees", help="Number of trees, of bdpe and forest.")]
PresetOption = Annotated[str | None, typer.Option("--preset", help="Of bdpe. paper: the paper's own choices.")]
RoundsOption = Annotated[int | None, typer.Option("--rounds", help="Rounds of boosting.")]
DepthOption = Annotated[int | None, typer.Option("--depth", help="Depth of every tree, 1 to 16.")]
BinsOption = Annotated[int | None, typer.Option("--bins", help="Bins of a numeric attribute, 2 to 254.")]
RelationOption = Annotated[
    str | None, typer.Option("--relation", help="Neighbouring tables: add-remove or replace-one.")
]
PrivacyOption = Annotated[str, typer.Option("--privacy", help="dp, or none for no guarantee at all.")]
SettingsOption = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Any further parameter of the learner.")
]


@dataclass(frozen=True)
class Choices:
    """What a command line says of the learner, its budget, and what it predicts.

    Attributes
    ----------
    learner : {"boosting", "bdpe", "forest", "tree"}
    epsilon, delta : float
    target : str, optional
    classes : tuple, optional
        Target and classes are else taken from the domain file.
    target_range : (float, float), optional
        Given, a number is predicted.
    private : bool
    seed : int or None
        Makes the training a simulation.
    parameters : dict
        Further constructor parameters. A loss among them says that a number is predicted.
    """

    learner: str = DEFAULT
    epsilon: float = 1.0
    delta: float = 0.0
    target: str | None = None
    classes: tuple[str, ...] | None = None
    target_range: tuple[float, float] | None = None
    private: bool = True
    seed: int | None = None
    parameters: dict[str, Any] = field(default_factory=dict)

    @property
    def numeric(self) -> bool:
        """Whether a number is predicted."""
        return self.target_range is not None or "loss" in self.parameters


def parse_privacy(text: str) -> bool:
    """Return whether ``--privacy`` asks for a guarantee."""
    if text not in ("dp", "none"):
        raise ParameterError("--privacy", text, "'dp' or 'none'")
    return text == "dp"


def make_learner(choices: Choices) -> PrivateEstimator:
    """Construct the estimator; domain and target are still to be declared.

    Raises
    ------
    ParameterError
        For an unknown learner, a parameter that it does not have, or a budget out of range.
    """
    learner = _learner(choices)
    known = learner().get_params(deep=False)
    parameters = dict(choices.parameters)
    if choices.delta != 0.0:
        parameters["delta"] = check_delta(choices.delta, "--delta")
    for name, value in parameters.items():
        if name not in known:
            raise _unknown(name, value, choices.learner, known)
        if isinstance(value, dict) and name not in learner._mappings:
            raise ParameterError("--set", name, "given one number or word as its value")
    dp = next(choice for choice in learner._privacy_choices if choice is not None)
    return learner(
        epsilon=check_epsilon(choices.epsilon, "--epsilon"),
        privacy=dp if choices.private else None,
        random_state=choices.seed,
        **parameters,
    )


def _learner(choices: Choices) -> type[PrivateEstimator]:
    if choices.learner not in LEARNERS:
        raise ParameterError("--learner", choices.learner, f"one of {', '.join(LEARNERS)}")
    if not choices.numeric:
        return LEARNERS[choices.learner]
    option = "--loss" if choices.target_range is None else "--target-range"
    if choices.learner not in REGRESSORS:
        remedy = f"It predicts classes only; numbers are predicted by: {', '.join(REGRESSORS)}."
        raise ParameterError("--learner", choices.learner, f"one that predicts numbers, beside {option}", remedy)
    if choices.classes is not None:
        remedy = "Give the classes of a label, or the range of a number."
        raise ParameterError("--classes", ",".join(choices.classes), f"left out beside {option}", remedy)
    return REGRESSORS[choices.learner]


def _unknown(name: str, value: Any, learner: str, known: dict[str, Any]) -> ParameterError:
    settable = ", ".join(sorted(set(known) - set(_NOT_BY_SET)))
    remedy = f"The learner {learner!r} has no parameter {name!r}. It has: {settable}."
    if name == "n_trees" and "n_rounds" in known:
        remedy = "Its trees come in rounds: use --rounds, and --set trees_per_round=NUMBER for several trees a round."
    option = _OPTION_OF.get(name, "--set")
    return ParameterError(option, name if option == "--set" else value, f"left out for the learner {learner!r}", remedy)


def declare(model: PrivateEstimator, domain: str, choices: Choices) -> tuple[DeclaredDomain, Target]:
    """Read the domain file, and give the estimator the domain and what it is to predict.

    Parameters
    ----------
    model : PrivateEstimator
        As `make_learner` made it.
    domain : str
        Domain file or ``FILE.json:ENTRY``.
    choices : Choices
    """
    declared = read_domain(domain)
    target = choose_target(declared, choices.target, choices.classes, choices.target_range, numeric=choices.numeric)
    model.set_params(domain=declared.domain)
    if target.range is None:
        model.set_params(classes=check_classes(target.classes).tolist())
    else:
        model.set_params(target_range=check_range("--target-range", target.range))
    return declared, target


def declare_classes(model: Any, classes: tuple[Any, ...]) -> None:
    """Give a classifier its classes in the type of the table's labels, and its class weights, whose keys are text."""
    model.set_params(classes=list(classes))
    weights = model.get_params(deep=False).get("class_weight")
    if isinstance(weights, Mapping):
        label_of = {str(label): label for label in classes}
        model.set_params(class_weight={label_of.get(str(name), name): weight for name, weight in weights.items()})


def given(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that are not None."""
    return {name: value for name, value in options.items() if value is not None}


def parameters_of(settings: list[str] | None, **options: Any) -> dict[str, Any]:
    """Return a learner's parameters: the options that are not None, by the parameter's name, and those of ``--set``."""
    return given(options) | parse_settings(settings or [])


def parse_settings(settings: list[str]) -> dict[str, Any]:
    """Read ``name=value`` pairs; a value that is JSON is taken as such (0.5, 3, true, null), any other as text.

    A JSON object is for the parameters that map names to numbers.
    """
    parsed: dict[str, Any] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        name = name.strip()
        if not equals or not name:
            raise ParameterError("--set", setting, "of the form name=value")
        if name in _NOT_BY_SET:
            raise ParameterError("--set", name, "another parameter", f"Use {_NOT_BY_SET[name]} for this one.")
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = text.strip()
        if isinstance(value, list):
            remedy = 'The value is one number or word; or an object, such as {"age": 1}, where the parameter maps.'
            raise ParameterError("--set", setting, "of the form name=value", remedy)
        parsed[name] = value
    return parsed
