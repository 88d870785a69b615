"""``privboost audit``: hold a learner and its settings against the claim that they make."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from privboost.auditing.entry import METHODS, audit
from privboost.auditing.report import AuditReport
from privboost.cli.console import print_json, print_text
from privboost.cli.learners import (
    BinsOption,
    Choices,
    ClassesOption,
    DeltaOption,
    DepthOption,
    EpsilonOption,
    LossOption,
    PresetOption,
    RangeOption,
    RelationOption,
    RoundsOption,
    SettingsOption,
    TargetOption,
    TreesOption,
    declare,
    declare_classes,
    given,
    make_learner,
    parameters_of,
)
from privboost.cli.paths import check_files
from privboost.cli.target import labels_for, parse_classes
from privboost.data.datasets import read_table
from privboost.errors import ParameterError

__all__ = ["audit_learner"]

EXIT_CONTRADICTED = 1


def audit_learner(
    choices: Choices, method: str, table: str | None = None, domain: str | None = None, **options: Any
) -> AuditReport:
    """Audit a learner as the command line says it.

    Parameters
    ----------
    choices : Choices
    method : {"exact", "sampling", "one-run"}
    table, domain : str or None
        Rows to place canaries among, and their domain file.
    **options
        Further arguments of `privboost.audit`.

    Raises
    ------
    ParameterError
        If a table is given without its domain, or to another method.
    """
    if method not in METHODS:
        raise ParameterError("--method", method, f"one of {', '.join(METHODS)}")
    if (table is None) != (domain is None) or (table is not None and method != "one-run"):
        remedy = "Canaries are placed among the rows of a table; the other methods have tables of their own."
        raise ParameterError("--table", table, "given together with --domain, and --method one-run", remedy)
    model: Any = make_learner(choices)
    if table is None or domain is None:
        if choices.numeric:
            model.set_params(target_range=choices.target_range or (0.0, 1.0))
        return audit(model, method=method, **options)
    declared, target = declare(model, domain, choices)
    X, y = read_table(table, declared.domain, target.name, numeric_target=target.range is not None)
    if target.range is None:
        y, classes = labels_for(y, target)
        declare_classes(model, classes)
    return audit(model, method=method, X=X, y=y, **options)


def command(
    learner: Annotated[str, typer.Argument(metavar="LEARNER", help="boosting, bdpe, forest or tree.")],
    method: Annotated[str, typer.Option("--method", "-m", help="exact, sampling or one-run.")] = "exact",
    epsilon: EpsilonOption = 1.0,
    delta: DeltaOption = 0.0,
    loss: LossOption = None,
    rounds: RoundsOption = None,
    trees: TreesOption = None,
    depth: DepthOption = None,
    bins: BinsOption = None,
    relation: RelationOption = None,
    preset: PresetOption = None,
    settings: SettingsOption = None,
    table: Annotated[
        str | None, typer.Option("--table", help="For one-run: the rows among which canaries are placed.")
    ] = None,
    domain: Annotated[str | None, typer.Option("--domain", "-d", help="Domain file of that table.")] = None,
    target: TargetOption = None,
    classes: ClassesOption = None,
    target_range: RangeOption = None,
    runs: Annotated[int | None, typer.Option("--runs", help="About how many trainings.")] = None,
    rows: Annotated[int | None, typer.Option("--rows", help="Rows of the tiny tables.")] = None,
    confidence: Annotated[float, typer.Option("--confidence", help="Of the lower bound: 0.5 or more, below 1.")] = 0.95,
    canaries: Annotated[int | None, typer.Option("--canaries", help="For one-run: how many.")] = None,
    guesses: Annotated[int | None, typer.Option("--guesses", help="For one-run: how many are guessed.")] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Repeatable: noise is simulated, canaries and scripts are the same.")
    ] = None,
    figure: Annotated[str | None, typer.Option("--figure", metavar="FILE", help="SVG file to write.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show at least how much a learner reveals; exit with 1 if that is more than it claims."""
    choices = Choices(
        learner=learner,
        epsilon=epsilon,
        delta=delta,
        target=target,
        classes=parse_classes(classes),
        target_range=target_range,
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
    check_files({"--table": table, "--domain": domain}, figure, "--figure")
    audited = {"runs": runs, "n_rows": rows, "canaries": canaries, "guesses": guesses, "random_state": seed}
    report = audit_learner(choices, method, table, domain, confidence=confidence, **given(audited))
    if figure is not None:
        report.save(figure)
    if as_json:
        print_json(report.to_dict())
    else:
        print_text(str(report))
    if not report.holds:
        raise typer.Exit(EXIT_CONTRADICTED)
