"""``privboost train``: a table and its public domain in, a model file and its guarantee out."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Annotated, Any

import typer

from privboost.cli.budget import budget_json, left_text
from privboost.cli.console import one_line, print_json, print_text
from privboost.cli.learners import (
    BinsOption,
    Choices,
    ClassesOption,
    DeltaOption,
    DepthOption,
    EpsilonOption,
    LossOption,
    PresetOption,
    PrivacyOption,
    RangeOption,
    RelationOption,
    RoundsOption,
    SettingsOption,
    TargetOption,
    TreesOption,
    declare,
    declare_classes,
    make_learner,
    parameters_of,
    parse_privacy,
)
from privboost.cli.paths import check_files
from privboost.cli.target import labels_for, parse_classes
from privboost.data.datasets import read_header, read_table
from privboost.privacy.budget import Budget
from privboost.privacy.statement import split_bars

__all__ = ["TrainRequest", "TrainResult", "train_model"]


@dataclass(frozen=True)
class TrainRequest:
    """What to train, as the command line says it.

    Attributes
    ----------
    table, domain, out : str
        Table file; domain file or ``FILE.json:ENTRY``; model file to write.
    choices : Choices
    budget : str, optional
        Budget file to charge.
    """

    table: str
    domain: str
    out: str
    choices: Choices = field(default_factory=Choices)
    budget: str | None = None


@dataclass(frozen=True)
class TrainResult:
    """A trained model, already saved, and what is worth telling about it."""

    model: Any
    learner: str
    target: str
    rule_applied: bool
    unused_columns: tuple[str, ...]
    out: str
    seconds: float


def train_model(request: TrainRequest) -> TrainResult:
    """Train a model and write it.

    Everything that can be refused without reading a row is refused first: options, domain, target, whether the budget
    can pay, and whether the model could be written, and over no input, since a budget that was spent on a model that is
    lost stays spent.

    Parameters
    ----------
    request : TrainRequest

    Returns
    -------
    TrainResult
    """
    start = time.perf_counter()
    model: Any = make_learner(request.choices)
    inputs = {"TABLE": request.table, "--domain": request.domain, "--budget": request.budget}
    check_files(inputs, request.out)
    declared, target = declare(model, request.domain, request.choices)
    used = {*declared.domain.names, target.name}
    unused = tuple(name for name in read_header(request.table) if name not in used)
    if request.budget is not None:
        model.set_params(budget=Budget.open(request.budget))
        model.check_budget()
    X, y = read_table(request.table, declared.domain, target.name, numeric_target=target.range is not None)
    if target.range is None:
        y, classes = labels_for(y, target)
        declare_classes(model, classes)
    model.set_params(verbose=True)
    model.fit(X, y)
    model.save(request.out)
    return TrainResult(
        model=model,
        learner=request.choices.learner,
        target=target.name,
        rule_applied=target.rule is not None,
        unused_columns=unused,
        out=request.out,
        seconds=time.perf_counter() - start,
    )


def result_text(result: TrainResult) -> str:
    """Return one screen: the guarantee, where the budget went, what was decided and why, where the model is."""
    statement = result.model.privacy_
    lines = [statement.summary(), "", _budget_text(result), *_plan_lines(result)]
    if result.rule_applied:
        lines.append(f"The labels of {result.target!r} were made binary by the catalogue's rule: '1' where it holds.")
    if result.unused_columns:
        lines.append(f"Columns that the domain does not declare, not used: {', '.join(result.unused_columns)}.")
    lines += list(statement.notes)
    cost = result.model.domain_.cost
    if cost is not None:
        lines.append(f"The domain itself was {cost.describe()}.")
    if result.model.budget is not None:
        lines.append(left_text(result.model.budget))
    lines += ["", f"Model written to {result.out}. Check it with: privboost verify {result.out}"]
    return "\n".join(lines)


def _budget_text(result: TrainResult) -> str:
    statement = result.model.privacy_
    bars = split_bars(statement)
    # The warning, where there is one, is the first line of the screen already.
    return bars.removeprefix(statement.warning).lstrip("\n") + "\n"


def _plan_lines(result: TrainResult) -> list[str]:
    plan, model = result.model.plan_.to_dict(), result.model
    n_trees, depth = len(model.ensemble_.trees), model.ensemble_.trees[0].depth
    trees = "1 tree" if n_trees == 1 else f"{n_trees} trees"
    lines = [
        f"Plan: {trees} of depth {depth} for {_answers(model)}, from {plan['n_rows']} rows of "
        f"{len(model.domain_)} attributes in at most {model.n_bins} bins ({result.seconds:.1f} s)."
    ]
    alphas = plan.get("alphas")
    if alphas:
        by_depth = [_range([levels[level] for levels in alphas]) for level in range(depth)]
        lines.append("Loss parameter α by depth: " + ", ".join(f"{d}: {text}" for d, text in enumerate(by_depth)) + ".")
    return lines + [f"  - {one_line(reason)}" for reason in plan.get("reasons", ())]


def _answers(model: Any) -> str:
    if hasattr(model, "classes_"):
        return f"{len(model.classes_)} classes"
    low, high = model.target_range_
    return f"numbers from {low:g} to {high:g}"


def _range(values: list[float]) -> str:
    low, high = f"{min(values):.3g}", f"{max(values):.3g}"
    return low if low == high else f"{low} to {high}"


def result_json(result: TrainResult) -> dict[str, Any]:
    """Return the same facts as JSON types."""
    model = result.model
    numeric = not hasattr(model, "classes_")
    return {
        "model": result.out,
        "learner": result.learner,
        "target": result.target,
        "classes": [] if numeric else model.classes_.tolist(),
        "target_range": list(model.target_range_) if numeric else None,
        "rule_applied": result.rule_applied,
        "unused_columns": list(result.unused_columns),
        "private": model.is_private_,
        "epsilon": model.privacy_.epsilon,
        "delta": model.privacy_.delta,
        "relation": model.privacy_.relation,
        "summary": model.privacy_.summary(),
        "domain_cost": None if model.domain_.cost is None else model.domain_.cost.to_dict(),
        "budget_split": model.privacy_.budget_split(),
        "n_trees": len(model.ensemble_.trees),
        "max_depth": model.ensemble_.trees[0].depth,
        "plan": model.plan_.to_dict(),
        "budget": None if model.budget is None else budget_json(model.budget),
        "seconds": result.seconds,
    }


def command(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="CSV (also .gz) or Parquet file of private rows.")],
    domain: Annotated[
        str, typer.Option("--domain", "-d", help="Domain file (.toml, .json), or FILE.json:ENTRY of a catalogue.")
    ],
    out: Annotated[str, typer.Option("--out", "-o", help="Model file to write.")],
    target: TargetOption = None,
    classes: ClassesOption = None,
    target_range: RangeOption = None,
    learner: Annotated[str, typer.Option("--learner", help="boosting, bdpe, forest or tree.")] = "boosting",
    epsilon: EpsilonOption = 1.0,
    delta: DeltaOption = 0.0,
    loss: LossOption = None,
    rounds: RoundsOption = None,
    trees: TreesOption = None,
    depth: DepthOption = None,
    bins: BinsOption = None,
    relation: RelationOption = None,
    preset: PresetOption = None,
    privacy: PrivacyOption = "dp",
    seed: Annotated[
        int | None, typer.Option("--seed", help="Reproducible noise: a simulation, which is not private.")
    ] = None,
    settings: SettingsOption = None,
    budget: Annotated[
        str | None, typer.Option("--budget", metavar="FILE", help="Budget file to charge; see 'privboost budget'.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Train a private model on a table and write it to a file."""
    choices = Choices(
        learner=learner,
        epsilon=epsilon,
        delta=delta,
        target=target,
        classes=parse_classes(classes),
        target_range=target_range,
        private=parse_privacy(privacy),
        seed=seed,
        parameters=parameters_of(
            settings,
            loss=loss,
            n_rounds=rounds,
            n_trees=trees,
            max_depth=depth,
            n_bins=bins,
            relation=relation,
            preset=preset,
        ),
    )
    result = train_model(TrainRequest(table, domain, out, choices, budget))
    if as_json:
        print_json(result_json(result))
    else:
        print_text(result_text(result))
