"""``privboost domain learn``: what nobody knows of a table's columns, learnt from its rows for a budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from privboost.cli.budget import budget_json, left_text
from privboost.cli.console import print_json, print_text
from privboost.cli.paths import check_files
from privboost.cli.target import parse_classes
from privboost.data.attributes import Attribute, Categorical, Numeric
from privboost.data.datasets import read_header, read_table
from privboost.data.domain import Domain
from privboost.data.domain_files import check_suffix
from privboost.data.forms import OpenForm, kinds_of_dtypes, read_form
from privboost.domains.plan import plan_domain
from privboost.domains.private import LearntDomain, learn_domain
from privboost.errors import ParameterError
from privboost.privacy.amounts import check_delta, check_epsilon
from privboost.privacy.budget import Budget
from privboost.privacy.relation import PrivacyUnit, Relation

__all__ = ["LearnRequest", "learn_from_table"]


@dataclass(frozen=True)
class LearnRequest:
    """What to learn, as the command line says it.

    Attributes
    ----------
    table, out : str
        Table file; domain file to write.
    epsilon, delta : float
    form : str or None
        Form that says what is known; without it, all columns are learnt by their types.
    target : str or None
        Column whose labels are learnt, unless ``classes`` or the form lists them.
    classes : sequence of str, or None
    relation : str
    rows_per_person : int
    budget : str or None
        Budget file to charge.
    seed : int or None
    force : bool
        Whether ``out`` may be replaced.
    """

    table: str
    out: str
    epsilon: float
    delta: float = 0.0
    form: str | None = None
    target: str | None = None
    classes: Sequence[str] | None = None
    relation: str = "add-remove"
    rows_per_person: int = 1
    budget: str | None = None
    seed: int | None = None
    force: bool = False


def learn_from_table(request: LearnRequest) -> tuple[LearntDomain, Budget | None]:
    """Learn a domain and write it; whatever can be refused without reading a row is refused first.

    Parameters
    ----------
    request : LearnRequest

    Returns
    -------
    learnt : LearntDomain
    budget : Budget or None
    """
    price = (
        check_epsilon(request.epsilon, "--epsilon", "State what the domain may cost, such as 0.1."),
        check_delta(request.delta, "--delta"),
    )
    check_files({"TABLE": request.table, "--form": request.form, "--budget": request.budget}, request.out)
    check_suffix(Path(request.out))
    if Path(request.out).exists() and not request.force:
        remedy = "A domain that was paid for would be lost. Add --force to replace it."
        raise ParameterError("--out", request.out, "a new file", remedy)
    form = _form(request)
    target = form.target if request.target is None else request.target
    classes = form.classes if request.classes is None else tuple(request.classes)
    columns = {name: kind for name, kind in form.columns.items() if name != target}
    unit = PrivacyUnit(cast(Relation, request.relation), request.rows_per_person)
    learn_labels = target is not None and classes is None
    stated = plan_domain(columns, 1, *price, unit, labels=learn_labels).delta
    budget = None if request.budget is None else Budget.open(request.budget)
    if budget is not None:
        budget.check(price[0], stated, **unit.to_dict())
    declared = Domain({name: _stand_in(kind) for name, kind in columns.items()})
    X, y = read_table(request.table, declared, target if learn_labels else None)
    learnt = learn_domain(
        X,
        *price,
        attributes=columns,
        y=y,
        target=target,
        relation=request.relation,
        rows_per_person=request.rows_per_person,
        budget=budget,
        random_state=request.seed,
    )
    learnt = replace(learnt, domain=_completed(learnt.domain, form.missing, classes))
    learnt.domain.save(request.out)
    return learnt, budget


def _form(request: LearnRequest) -> OpenForm:
    if request.form is not None:
        return read_form(request.form)
    dtypes = {name: dtype for name, dtype in read_header(request.table).items() if name != request.target}
    return OpenForm(kinds_of_dtypes(dtypes), frozenset(), None, None)


def _stand_in(kind: Attribute | str) -> Attribute:
    """Return what makes a reader take the column for what it is to be learnt as."""
    if not isinstance(kind, str):
        return kind
    return Categorical(["other"]) if kind == "categorical" else Numeric(0, 1)


def _completed(domain: Domain, missing: frozenset[str], classes: tuple[Any, ...] | None) -> Domain:
    """Add to a learnt domain what the form says of missing cells, and the classes that were declared."""
    attributes = {
        name: replace(attribute, missing=True) if name in missing else attribute for name, attribute in domain.items()
    }
    listed = domain.classes if classes is None else classes
    return Domain(attributes, target=domain.target, classes=listed, cost=domain.cost)


def learnt_text(learnt: LearntDomain, budget: Budget | None, out: str) -> str:
    """Return one screen: the guarantee, what it adds to, and where the domain is."""
    lines = [str(learnt.privacy_), ""]
    if learnt.classes is not None and len(learnt.classes) < 2:
        lines.append("Fewer than two labels were frequent enough to be shown: declare the classes, or spend more.")
    lines += [] if budget is None else [left_text(budget)]
    lines.append(f"Domain written to {out}, with what it cost.")
    return "\n".join(lines)


def learnt_json(learnt: LearntDomain, budget: Budget | None, out: str) -> dict[str, Any]:
    """Return the same facts as JSON types."""
    return {
        "out": out,
        "domain": learnt.domain.to_dict(),
        "classes": None if learnt.classes is None else list(learnt.classes),
        "statement": learnt.privacy_.to_dict(),
        "budget": None if budget is None else budget_json(budget),
    }


def command(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="CSV (also .gz) or Parquet file of private rows.")],
    epsilon: Annotated[float, typer.Option("--epsilon", "-e", help="Budget of the domain; it adds to the model's.")],
    out: Annotated[str, typer.Option("--out", "-o", help="Domain file to write (.toml, .json).")],
    delta: Annotated[
        float, typer.Option("--delta", help="Above 0 for lists of categories and labels; far below 1 / number of rows.")
    ] = 0.0,
    form: Annotated[
        str | None,
        typer.Option("--form", help="Form with what is known, which is free; what it leaves open is learnt."),
    ] = None,
    target: Annotated[
        str | None, typer.Option("--target", help="Column to predict, whose labels are learnt if not declared.")
    ] = None,
    classes: Annotated[str | None, typer.Option("--classes", help="Public labels, as no,yes.")] = None,
    relation: Annotated[
        str, typer.Option("--relation", help="Neighbouring tables: add-remove or replace-one.")
    ] = "add-remove",
    rows_per_person: Annotated[
        int, typer.Option("--rows-per-person", help="At most how many rows belong to one person.")
    ] = 1,
    budget: Annotated[
        str | None, typer.Option("--budget", metavar="FILE", help="Budget file to charge; see 'privboost budget'.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Reproducible noise: a simulation, which is not private.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Learn bounds, categories and labels that nobody knows from private rows; a model's cost is added to this one."""
    request = LearnRequest(
        table,
        out,
        epsilon,
        delta,
        form,
        target,
        parse_classes(classes),
        relation,
        rows_per_person,
        budget,
        seed,
        force,
    )
    learnt, paid = learn_from_table(request)
    if as_json:
        print_json(learnt_json(learnt, paid, out))
    else:
        print_text(learnt_text(learnt, paid, out))
