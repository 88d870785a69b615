"""``privboost train``: a table and its public domain in, a model file and its guarantee out."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import Annotated, Any

import typer

from privboost.cli.console import print_json, print_text
from privboost.cli.paths import check_files
from privboost.cli.target import choose_target, labels_for, parse_classes, read_domain
from privboost.data.datasets import read_header, read_table
from privboost.data.labels import check_classes
from privboost.errors import ParameterError
from privboost.estimators.bdpe import BDPEClassifier
from privboost.estimators.classifier import PrivateClassifier
from privboost.estimators.forest import PrivateForestClassifier
from privboost.estimators.tree import PrivateTreeClassifier
from privboost.privacy.accounting import check_epsilon
from privboost.privacy.statement import split_bars

__all__ = ["LEARNERS", "TrainRequest", "TrainResult", "train_model"]

LEARNERS: dict[str, type[PrivateClassifier]] = {
    "bdpe": BDPEClassifier,
    "forest": PrivateForestClassifier,
    "tree": PrivateTreeClassifier,
}

# Options that set a parameter of the estimator, where they are given.
_OPTION_OF = {
    "n_trees": "--trees",
    "max_depth": "--depth",
    "n_bins": "--bins",
    "relation": "--relation",
    "preset": "--preset",
}
# Parameters with an option of their own, or of no use on a command line.
_NOT_BY_SET = {
    "epsilon": "--epsilon",
    "domain": "--domain",
    "classes": "--classes",
    "privacy": "--privacy",
    "random_state": "--seed",
    "verbose": "nothing: a bar is shown on a terminal",
} | _OPTION_OF


@dataclass(frozen=True)
class TrainRequest:
    """What to train, as the command line says it.

    Attributes
    ----------
    table, domain, out : str
        Table file; domain file or ``FILE.json:ENTRY``; model file to write.
    learner : {"bdpe", "forest", "tree"}
    epsilon : float
    target, classes : str or tuple, optional
        Else they are taken from the domain file.
    private : bool
    seed : int or None
        Makes the training a simulation.
    parameters : dict
        Further constructor parameters.
    """

    table: str
    domain: str
    out: str
    learner: str = "bdpe"
    epsilon: float = 1.0
    target: str | None = None
    classes: tuple[str, ...] | None = None
    private: bool = True
    seed: int | None = None
    parameters: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class TrainResult:
    """A trained model, already saved, and what is worth telling about it."""

    model: PrivateClassifier
    learner: str
    target: str
    rule_applied: bool
    unused_columns: tuple[str, ...]
    out: str
    seconds: float


def train_model(request: TrainRequest) -> TrainResult:
    """Train a model and write it.

    Everything that can be refused without reading a row is refused first: options, domain, target, and whether the
    model could be written, and over no input, since a budget that was spent on a model that is lost stays spent.

    Parameters
    ----------
    request : TrainRequest

    Returns
    -------
    TrainResult
    """
    start = time.perf_counter()
    model = _make_learner(request)
    check_files({"TABLE": request.table, "--domain": request.domain}, request.out)
    declared = read_domain(request.domain)
    target = choose_target(declared, request.target, request.classes)
    check_classes(target.classes)
    model.set_params(domain=declared.domain)
    used = {*declared.domain.names, target.name}
    unused = tuple(name for name in read_header(request.table) if name not in used)
    X, y = read_table(request.table, declared.domain, target.name)
    labels, classes = labels_for(y, target)
    model.set_params(classes=list(classes), verbose=True)
    model.fit(X, labels)
    model.save(request.out)
    seconds = time.perf_counter() - start
    return TrainResult(model, request.learner, target.name, target.rule is not None, unused, request.out, seconds)


def _make_learner(request: TrainRequest) -> PrivateClassifier:
    if request.learner not in LEARNERS:
        raise ParameterError("--learner", request.learner, f"one of {', '.join(LEARNERS)}")
    learner = LEARNERS[request.learner]
    known = learner().get_params(deep=False)
    for name in request.parameters:
        if name not in known:
            option = _OPTION_OF.get(name, "--set")
            settable = ", ".join(sorted(set(known) - set(_NOT_BY_SET)))
            remedy = f"The learner {request.learner!r} has no parameter {name!r}. It has: {settable}."
            raise ParameterError(option, name, f"left out for the learner {request.learner!r}", remedy)
    return learner(
        epsilon=check_epsilon(request.epsilon, "--epsilon"),
        privacy="pure" if request.private else None,
        random_state=request.seed,
        **request.parameters,
    )


def parse_settings(settings: list[str]) -> dict[str, Any]:
    """Read ``name=value`` pairs; a value that is JSON is taken as such (0.5, 3, true, null), any other as text."""
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
        if isinstance(value, dict | list):
            raise ParameterError("--set", setting, "of the form name=value, with one number or word as the value")
        parsed[name] = value
    return parsed


def result_text(result: TrainResult) -> str:
    """Return one screen: the guarantee, where the budget went, what was decided, where the model is."""
    statement = result.model.privacy_
    lines = [statement.summary(), "", _budget_text(result), *_plan_lines(result)]
    if result.rule_applied:
        lines.append(f"The labels of {result.target!r} were made binary by the catalogue's rule: '1' where it holds.")
    if result.unused_columns:
        lines.append(f"Columns that the domain does not declare, not used: {', '.join(result.unused_columns)}.")
    lines += list(statement.notes)
    lines += ["", f"Model written to {result.out}. Check it with: privboost verify {result.out}"]
    return "\n".join(line for line in lines if line is not None)


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
        f"Plan: {trees} of depth {depth} for {len(model.classes_)} classes, from {plan['n_rows']} rows of "
        f"{len(model.domain_)} attributes in at most {model.n_bins} bins ({result.seconds:.1f} s)."
    ]
    alphas = plan.get("alphas")
    if alphas:
        by_depth = [_range([levels[level] for levels in alphas]) for level in range(depth)]
        lines.append("Loss parameter α by depth: " + ", ".join(f"{d}: {text}" for d, text in enumerate(by_depth)) + ".")
    return lines


def _range(values: list[float]) -> str:
    low, high = f"{min(values):.3g}", f"{max(values):.3g}"
    return low if low == high else f"{low} to {high}"


def result_json(result: TrainResult) -> dict[str, Any]:
    """Return the same facts as JSON types."""
    model = result.model
    return {
        "model": result.out,
        "learner": result.learner,
        "target": result.target,
        "classes": model.classes_.tolist(),
        "rule_applied": result.rule_applied,
        "unused_columns": list(result.unused_columns),
        "private": model.is_private_,
        "epsilon": model.privacy_.epsilon,
        "delta": model.privacy_.delta,
        "relation": model.privacy_.relation,
        "summary": model.privacy_.summary(),
        "budget_split": model.privacy_.budget_split(),
        "n_trees": len(model.ensemble_.trees),
        "max_depth": model.ensemble_.trees[0].depth,
        "plan": model.plan_.to_dict(),
        "seconds": result.seconds,
    }


def command(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="CSV (also .gz) or Parquet file of private rows.")],
    domain: Annotated[
        str, typer.Option("--domain", "-d", help="Domain file (.toml, .json), or FILE.json:ENTRY of a catalogue.")
    ],
    out: Annotated[str, typer.Option("--out", "-o", help="Model file to write.")],
    target: Annotated[str | None, typer.Option("--target", help="Column to predict; else the domain file's.")] = None,
    classes: Annotated[
        str | None, typer.Option("--classes", help="Public labels, as no,yes; else the domain file's.")
    ] = None,
    learner: Annotated[str, typer.Option("--learner", help="bdpe, forest or tree.")] = "bdpe",
    epsilon: Annotated[float, typer.Option("--epsilon", "-e", help="Privacy budget, above 0.")] = 1.0,
    trees: Annotated[int | None, typer.Option("--trees", help="Number of trees.")] = None,
    depth: Annotated[int | None, typer.Option("--depth", help="Depth of every tree, 1 to 16.")] = None,
    bins: Annotated[int | None, typer.Option("--bins", help="Bins of a numeric attribute, 2 to 254.")] = None,
    relation: Annotated[
        str | None, typer.Option("--relation", help="Neighbouring tables: add-remove or replace-one.")
    ] = None,
    preset: Annotated[str | None, typer.Option("--preset", help="paper: the paper's own choices.")] = None,
    privacy: Annotated[str, typer.Option("--privacy", help="pure, or none for no guarantee at all.")] = "pure",
    seed: Annotated[
        int | None, typer.Option("--seed", help="Reproducible noise: a simulation, which is not private.")
    ] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Any further parameter of the learner.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Train a private model on a table and write it to a file."""
    if privacy not in ("pure", "none"):
        raise ParameterError("--privacy", privacy, "'pure' or 'none'")
    options = {"n_trees": trees, "max_depth": depth, "n_bins": bins, "relation": relation, "preset": preset}
    parameters = {name: value for name, value in options.items() if value is not None}
    request = TrainRequest(
        table=table,
        domain=domain,
        out=out,
        learner=learner,
        epsilon=epsilon,
        target=target,
        classes=parse_classes(classes),
        private=privacy == "pure",
        seed=seed,
        parameters=parameters | parse_settings(settings or []),
    )
    result = train_model(request)
    if as_json:
        print_json(result_json(result))
    else:
        print_text(result_text(result))
