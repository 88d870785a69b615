"""``privboost show``: a model's statement, its settings and its trees, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from privboost.cli.console import print_json, print_text
from privboost.cli.paths import check_files
from privboost.data.domain import printed_name
from privboost.ensembles.newton_plan import settings_text
from privboost.exchange.archive import read_model
from privboost.exchange.record import ModelRecord
from privboost.exchange.text import tree_text

__all__ = ["model_json", "model_text"]

SHOWN_TREES = 3


def model_text(record: ModelRecord, trees: Sequence[int] | None = None) -> str:
    """Return the statement, the facts of the model and some of its trees.

    Parameters
    ----------
    record : ModelRecord
    trees : sequence of int, optional
        Numbers of the trees to show, from 1; the first three by default.
    """
    n_trees = len(record.ensemble.trees)
    which = list(range(1, min(n_trees, SHOWN_TREES) + 1)) if trees is None else list(trees)
    lines = [
        str(record.statement),
        "",
        f"{record.learner} of {n_trees} trees of depth {record.depth}; {_answers(record)}; "
        f"attributes {', '.join(map(printed_name, record.domain.names))}.",
    ]
    if "reasons" in record.plan:
        lines += ["", "Settings, all of them public:", settings_text(record.plan)]
    if which:
        facts = (record.ensemble, record.domain, record.n_bins, record.classes)
        lines += ["", tree_text(*facts, which, record.refinement, record.target_range)]
    if trees is None and n_trees > SHOWN_TREES:
        lines += ["", f"{n_trees - SHOWN_TREES} more trees: show one with --tree NUMBER, or all with --all."]
    return "\n".join(lines)


def _answers(record: ModelRecord) -> str:
    if record.target_range is None:
        return f"classes {', '.join(map(repr, record.classes))}"
    low, high = record.target_range
    return f"numbers from {low:g} to {high:g}"


def model_json(record: ModelRecord) -> dict[str, Any]:
    """Return the statement and the facts of the model as JSON types; the trees are in the file itself."""
    return {
        "learner": record.learner,
        "parameters": record.parameters,
        "classes": list(record.classes),
        "target_range": None if record.target_range is None else list(record.target_range),
        "attributes": list(record.domain.names),
        "n_trees": len(record.ensemble.trees),
        "max_depth": record.depth,
        "plan": record.plan,
        "statement": record.statement.to_dict(),
    }


def command(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="Model file.")],
    tree: Annotated[list[int] | None, typer.Option("--tree", help="Number of a tree to show; may be repeated.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Show every tree.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Print a model's statement, its settings and its trees."""
    check_files({"MODEL": model})
    record = read_model(model)
    if as_json:
        print_json(model_json(record))
        return
    which = range(1, len(record.ensemble.trees) + 1) if everything else tree
    print_text(model_text(record, which))
