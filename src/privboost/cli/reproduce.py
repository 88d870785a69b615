"""``privboost reproduce``: the paper's study, from its tables to a report."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from privboost.cli.console import print_json, print_text
from privboost.errors import ParameterError
from privboost.experiments.analysis import Analysis
from privboost.experiments.claims import NOT_REPRODUCED, REPRODUCED
from privboost.experiments.grid import load_grid
from privboost.experiments.page import SIMULATED
from privboost.experiments.report import Findings, left_out, write_report
from privboost.experiments.runner import Progress, run_study

__all__ = ["reproduce"]


def reproduce(
    out: str,
    *,
    grid: str = "smoke",
    data: str | None = None,
    jobs: int = 1,
    only: str | None = None,
    seed: int = 0,
    report_only: bool = False,
) -> tuple[Analysis, Findings]:
    """Run what is missing of a study, and write its report.

    Parameters
    ----------
    out : str
        Folder of the study.
    grid, data, jobs, only, seed
        As for `run_study`.
    report_only : bool, default=False
        Train nothing.

    Raises
    ------
    ParameterError
        If a number is out of its range.
    """
    if seed < 0:
        raise ParameterError("--seed", seed, "an integer of 0 or more")
    if jobs == 0:
        raise ParameterError("--jobs", jobs, "a number of workers from 1 on, or -1 for all cores")
    folder = Path(out)
    if folder.exists() and not folder.is_dir():
        raise ParameterError("--out", out, "a folder, or a name for one", "There is a file of that name.")
    if not report_only:
        with progress_bar() as progress:
            run_study(load_grid(grid), folder, data=data, seed=seed, jobs=jobs, only=only, progress=progress)
    return write_report(folder)


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """Show tables and folds done, and the time left, on standard error if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:.0f} %"),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True, speed_estimate_period=3600.0) as bar:
        task = bar.add_task("Folds")

        def show(done: int, tasks: int, work_done: float, work: float) -> None:
            bar.update(task, total=work, completed=work_done, description=f"Folds {done}/{tasks}")

        yield show


def summary(out: str, analysis: Analysis, findings: Findings) -> dict[str, Any]:
    """Return what the command line prints, as JSON types."""
    return {
        "out": out,
        "simulated": True,
        "grid": analysis.study.grid,
        "runs": len(analysis.runs),
        "incomplete": list(analysis.incomplete),
        "claims": [
            {"claim": claim.key, "arm": arm, "verdict": found.verdict, "figures": found.figures}
            for claim, arm, found in findings
        ],
    }


def command(
    out: Annotated[str, typer.Option("--out", "-o", metavar="DIR", help="Folder of the study; it may hold a part.")],
    grid: Annotated[str, typer.Option("--grid", help="smoke, paper, readings, gaps, or a TOML file.")] = "smoke",
    data: Annotated[
        str | None, typer.Option("--data", help="Folder or address of the tables; else $PRIVBOOST_DATA says it.")
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Worker processes; -1: all cores.")] = 1,
    only: Annotated[str | None, typer.Option("--only", metavar="TABLE", help="Train on this table only.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="Folds and draws follow from it.")] = 0,
    report_only: Annotated[bool, typer.Option("--report-only", help="Train nothing; write the report.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Run the paper's experiments in simulation, and write tables, figures and a report."""
    analysis, findings = reproduce(out, grid=grid, data=data, jobs=jobs, only=only, seed=seed, report_only=report_only)
    if as_json:
        print_json(summary(out, analysis, findings))
        return
    verdicts = [found.verdict for _, _, found in findings]
    counted = f"{verdicts.count(REPRODUCED)} reproduced, {verdicts.count(NOT_REPRODUCED)} not"
    print_text(f"{len(analysis.runs)} runs. Claims, over all arms: {counted}, of {len(verdicts)}.\n{SIMULATED}")
    if analysis.incomplete:
        print_text(left_out(analysis.incomplete))
    print_text(f"Report: {Path(out) / 'report.html'}")
