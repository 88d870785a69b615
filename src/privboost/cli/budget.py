"""``privboost budget``: a file that counts what is spent on the same rows, whoever spends it."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from privboost.cli.console import print_json, print_text
from privboost.cli.paths import check_files
from privboost.privacy.amounts import check_delta, check_epsilon
from privboost.privacy.budget import Budget
from privboost.privacy.relation import Relation

__all__ = ["app", "budget_json", "create_budget", "left_text", "spend_from"]

app = typer.Typer(help="Cap what is spent on the same rows by all trainings together.", no_args_is_help=True)

FileArgument = Annotated[str, typer.Argument(metavar="FILE", help="Budget file.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def create_budget(
    file: str, epsilon: float, delta: float, relation: Relation = "add-remove", rows_per_person: int = 1
) -> Budget:
    """Make a budget file.

    Parameters
    ----------
    file : str
        A name that is not taken.
    epsilon, delta : float
        The cap.
    relation : {"add-remove", "replace-one"}
    rows_per_person : int
        What neighbouring tables differ in, for every guarantee that is charged.
    """
    cap = check_epsilon(epsilon, "--epsilon", "Give the most that all spends together may cost.")
    check_delta(delta, "--delta")
    return Budget.create(file, cap, delta, relation=relation, rows_per_person=rows_per_person)


def spend_from(file: str, epsilon: float, delta: float, label: str) -> Budget:
    """Record what another tool spends, for good, or raise.

    Parameters
    ----------
    file : str
        Budget file.
    epsilon, delta : float
    label : str
        What it is for.
    """
    check_files({"FILE": file})
    check_epsilon(epsilon, "--epsilon", "State what the guarantee costs.")
    check_delta(delta, "--delta")
    budget = Budget.open(file)
    budget.spend(epsilon, delta, label)
    return budget


def left_text(budget: Budget) -> str:
    """Return what is left, in one line."""
    epsilon, delta = budget.remaining
    return (
        f"Budget {budget.path}: ε = {epsilon!r} of {budget.epsilon!r} and δ = {delta!r} of {budget.delta!r} are left."
    )


def budget_json(budget: Budget, *, spends: bool = False) -> dict[str, Any]:
    """Return cap, unit and sums as JSON types, with every spend where asked for."""
    facts = budget.to_dict()
    return facts if spends else {name: value for name, value in facts.items() if name != "spends"}


def _print(budget: Budget, as_json: bool) -> None:
    if as_json:
        print_json(budget_json(budget))
    else:
        print_text(left_text(budget))


@app.command("create")
def create(
    file: FileArgument,
    epsilon: Annotated[float, typer.Option("--epsilon", "-e", help="The sum of all epsilons may be at most this.")],
    delta: Annotated[float, typer.Option("--delta", help="The sum of all deltas may be at most this.")] = 0.0,
    relation: Annotated[
        str, typer.Option("--relation", help="Neighbouring tables: add-remove or replace-one.")
    ] = "add-remove",
    rows_per_person: Annotated[int, typer.Option("--rows-per-person", help="Rows that one person may own.")] = 1,
    as_json: JsonOption = False,
) -> None:
    """Make a budget file; what is charged to it must be of this relation, and of so many rows per person."""
    _print(create_budget(file, epsilon, delta, relation, rows_per_person), as_json)  # type: ignore[arg-type]  # checked


@app.command("show")
def show(file: FileArgument, as_json: JsonOption = False) -> None:
    """Print every spend, what was spent in all, and what is left."""
    check_files({"FILE": file})
    budget = Budget.open(file)
    if as_json:
        print_json(budget_json(budget, spends=True))
    else:
        print_text(str(budget))


@app.command("spend")
def spend(
    file: FileArgument,
    epsilon: Annotated[float, typer.Option("--epsilon", "-e", help="What is spent, above 0.")],
    delta: Annotated[float, typer.Option("--delta", help="What is spent, 0 or more.")] = 0.0,
    label: Annotated[str, typer.Option("--label", help="What it is for; public.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Record what another tool spends on the same rows, before it does; refused if it is more than is left."""
    _print(spend_from(file, epsilon, delta, label), as_json)


@app.callback()
def _group() -> None:
    """Cap what is spent on the same rows by all trainings together."""
