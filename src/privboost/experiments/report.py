"""From the folder of a study to its report: ``tables/``, ``figures/``, ``results.parquet`` and ``report.html``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from privboost.experiments.analysis import Analysis, Runs
from privboost.experiments.claims import Claim, Finding, check_claims
from privboost.experiments.figures import study_figures
from privboost.experiments.grid import load_grid
from privboost.experiments.page import SIMULATED, draw_page
from privboost.experiments.store import Store, Study, replace_file
from privboost.experiments.tables import ARM_WORDS, study_tables

__all__ = ["Findings", "left_out", "write_report"]

Findings = list[tuple[Claim, str, Finding]]


def write_report(out: Path) -> tuple[Analysis, Findings]:
    """Write the report of what a folder holds.

    Tables of which a fold is missing are left out, and named. The same rows give the same bytes.

    Parameters
    ----------
    out : Path
        Folder of a study.

    Returns
    -------
    analysis : Analysis
    findings : list of (Claim, str, Finding)
        Every claim in every arm.

    Raises
    ------
    SchemaError
        If the folder holds no study, or no table of it is complete.
    """
    store = Store(out)
    study = store.study()
    rows = store.read(study)
    runs, incomplete = Runs.of(rows, study)
    analysis = Analysis(runs, study, incomplete)
    findings = check_claims(analysis)
    tables, figures = study_tables(analysis, findings), study_figures(analysis)
    store.write_results(rows)
    for table in tables:
        replace_file(out / "tables" / f"{table.name}.md", table.markdown())
        replace_file(out / "tables" / f"{table.name}.csv", table.csv())
    for name, _, drawing in figures:
        replace_file(out / "figures" / f"{name}.svg", drawing)
    page = draw_page(facts_of(analysis, rows.num_rows), warnings_of(study, incomplete), findings, tables, figures)
    replace_file(out / "report.html", page)
    return analysis, findings


def facts_of(analysis: Analysis, n_rows: int) -> list[str]:
    """Return what was run, in sentences."""
    study, frame = analysis.study, analysis.runs.frame
    n_tables = len(study.tables) - len(analysis.incomplete)
    return [
        f"Grid “{study.grid}”: {study.n_settings:,} settings on {n_tables} tables, {study.folds}-fold stratified "
        "cross-validation, "
        f"{n_rows:,} models trained; {len(frame):,} runs, each the mean of its folds. Seed {study.seed}; privboost "
        f"{study.version}. "
        "Pure ε, one row added or removed, with a public number of rows.",
        f"{arms_of(analysis)}results.parquet holds every row that a number here comes from; tables/ and figures/ "
        "hold what is below.",
    ]


_ARM_NOTES = {
    "paper": "“paper” makes the paper's choices",
    "exact-leverage": "“paper, exact leverage” also computes each tree's coefficient from exact weights, as one may "
    "read the paper, which no mechanism covers",
    "tight": "“tight” makes the tightest valid choices, the library's defaults",
}


def arms_of(analysis: Analysis) -> str:
    """Return a sentence on the arms of the paper's learner that were run, or nothing."""
    notes = [_ARM_NOTES.get(arm, f"“{ARM_WORDS[arm]}” is what its name says") for arm in analysis.arms]
    return f"Arms of the paper's learner: {'; '.join(notes)}. " if notes else ""


def warnings_of(study: Study, incomplete: Sequence[str]) -> list[str]:
    """Return what a reader must know before the first number."""
    found = [SIMULATED]
    if study.fingerprint != load_grid("paper").fingerprint() or len(study.tables) < 19:
        found.append("This grid is not the paper's: verdicts on it show that the report works, and settle nothing.")
    if incomplete:
        found.append(left_out(incomplete))
    return found


def left_out(incomplete: Sequence[str]) -> str:
    """Name the tables of which a fold is missing."""
    return f"Not all folds are there yet of: {', '.join(incomplete)}. They are left out."
