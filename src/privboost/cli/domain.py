"""``privboost domain``: forms to fill in, and what nobody can fill in learnt from private rows, for a budget."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from privboost.cli import domain_learning
from privboost.cli.console import print_data, print_text
from privboost.cli.paths import check_files
from privboost.data.datasets import read_header
from privboost.data.domain import Domain
from privboost.errors import ParameterError

__all__ = ["app", "draft_domain"]

app = typer.Typer(help="Describe what a table may hold.", no_args_is_help=True)


def draft_domain(table: str, out: str | None, force: bool = False) -> str:
    """Make a form from a table's column names and types, without reading a row.

    Parameters
    ----------
    table : str
        CSV or Parquet file.
    out : str or None
        File to write the form to.
    force : bool, default=False
        Whether ``out`` may be replaced.

    Returns
    -------
    str
        The form, in TOML.
    """
    check_files({"TABLE": table}, out)
    form = Domain.draft(read_header(table))
    if out is not None:
        if Path(out).exists() and not force:
            raise ParameterError(
                "--out", out, "a new file", "A filled-in form would be lost. Add --force to replace it."
            )
        Path(out).write_text(form, encoding="utf-8", newline="\n")
    return form


@app.command("draft")
def draft(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="CSV or Parquet file; no row of it is read.")],
    out: Annotated[
        str | None, typer.Option("--out", "-o", help="TOML file to write; else the form is printed.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
) -> None:
    """Write a form to fill in, made from column names and types alone."""
    form = draft_domain(table, out, force)
    if out is None:
        print_data(form)
    else:
        print_text(f"Fill in every TODO in {out}.")


app.command("learn")(domain_learning.command)


@app.callback()
def _group() -> None:
    """Describe what a table may hold."""
