"""``privboost plan``: what training would do, and why, before there is a row to read."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from privboost.cli.console import print_json, print_text
from privboost.cli.learners import (
    BinsOption,
    Choices,
    ClassesOption,
    DeltaOption,
    DepthOption,
    EpsilonOption,
    LossOption,
    PrivacyOption,
    RangeOption,
    RelationOption,
    RoundsOption,
    SettingsOption,
    TargetOption,
    declare,
    make_learner,
    parameters_of,
    parse_privacy,
)
from privboost.cli.paths import check_files
from privboost.cli.target import parse_classes
from privboost.ensembles.newton_plan import NewtonPlan
from privboost.errors import ParameterError

__all__ = ["make_plan", "plan_json"]

MAX_ROWS = 10**12


def make_plan(domain: str, n_rows: int, choices: Choices) -> NewtonPlan:
    """Decide what training on so many rows would do.

    Parameters
    ----------
    domain : str
        Domain file or ``FILE.json:ENTRY``.
    n_rows : int
        Public number of rows.
    choices : Choices
    """
    if not 1 <= n_rows <= MAX_ROWS:
        raise ParameterError("--rows", n_rows, f"from 1 to {MAX_ROWS}", "Give the number of rows, which is public.")
    model: Any = make_learner(choices)
    check_files({"--domain": domain})
    declare(model, domain, choices)
    plan: NewtonPlan = model.plan(n_rows)
    return plan


def plan_json(plan: NewtonPlan) -> dict[str, Any]:
    """Return the plan as JSON types, and the leaves' noise in terms of what one row can add."""
    facts = {"n_trees": plan.settings.n_trees, "rows_per_leaf": plan.facts.n_rows / 2**plan.settings.max_depth}
    return facts | {"leaf_noise": plan.leaf_noise, "plan": plan.to_dict()}


def command(
    domain: Annotated[
        str, typer.Option("--domain", "-d", help="Domain file (.toml, .json), or FILE.json:ENTRY of a catalogue.")
    ],
    rows: Annotated[int, typer.Option("--rows", help="Number of rows to train on.")],
    target: TargetOption = None,
    classes: ClassesOption = None,
    target_range: RangeOption = None,
    epsilon: EpsilonOption = 1.0,
    delta: DeltaOption = 0.0,
    loss: LossOption = None,
    rounds: RoundsOption = None,
    depth: DepthOption = None,
    bins: BinsOption = None,
    relation: RelationOption = None,
    privacy: PrivacyOption = "dp",
    settings: SettingsOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Print what 'train' would do with the learner 'boosting', and why; no row is read, no budget spent."""
    choices = Choices(
        epsilon=epsilon,
        delta=delta,
        target=target,
        classes=parse_classes(classes),
        target_range=target_range,
        private=parse_privacy(privacy),
        parameters=parameters_of(settings, loss=loss, n_rounds=rounds, max_depth=depth, n_bins=bins, relation=relation),
    )
    plan = make_plan(domain, rows, choices)
    if as_json:
        print_json(plan_json(plan))
    else:
        print_text(str(plan))
