"""The study's tables: facts first, then the same facts as Markdown, CSV and HTML."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from privboost.experiments.analysis import Analysis, win_rates
from privboost.experiments.claims import Claim, Finding
from privboost.experiments.grid import NOISE_FREE

__all__ = ["ARM_WORDS", "Table", "epsilon_words", "study_tables"]

ARM_WORDS = {
    "paper": "paper",
    "exact-leverage": "paper, exact leverage (not private)",
    "tight": "tight",
    "parallel": "paper, parallel composition",
    "smoothed": "paper, leaves smoothed",
    "gap": "paper, expected gap 0.1",
    "exact-parallel": "paper, exact leverage (not private), parallel composition",
    "tight-gap-1": "tight, expected gap 1",
    "tight-gap-0.3": "tight, expected gap 0.3",
    "tight-gap-0.03": "tight, expected gap 0.03",
    NOISE_FREE: "without noise",
}
"""What readers see of an arm."""


@dataclass(frozen=True)
class Table:
    """One table of the report.

    Attributes
    ----------
    name : str
        Of its files.
    title : str
    note : str
        What its numbers are, and of which rows of results.
    columns : tuple of str
    rows : tuple of tuple
        Numbers as numbers; None and NaN are empty cells.
    formats : tuple of str
        One a column: "" for text and integers, else a format such as ".4f" for people. CSV files have all digits.
    """

    name: str
    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    formats: tuple[str, ...]

    def csv(self) -> str:
        """Return the table as CSV."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows([_plain(value) for value in row] for row in self.rows)
        return stream.getvalue()

    def markdown(self) -> str:
        """Return the table as Markdown, under its title."""
        lines = [f"# {self.title}", "", self.note, "", _line(self.columns), "|" + "---|" * len(self.columns)]
        lines += [_line([text.replace("|", "\\|") for text in row]) for row in self.shown()]
        return "\n".join([*lines, ""])

    def html(self) -> str:
        """Return the table as HTML."""
        head = "".join(self._cell(i, name, "th") for i, name in enumerate(self.columns))
        body = "".join(
            "<tr>" + "".join(self._cell(i, text) for i, text in enumerate(row)) + "</tr>\n" for row in self.shown()
        )
        return f'<div class="wide"><table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>'

    def shown(self) -> list[list[str]]:
        """Return the cells as people read them."""
        return [[_shown(value, form) for value, form in zip(row, self.formats, strict=True)] for row in self.rows]

    def _cell(self, column: int, text: str, tag: str = "td") -> str:
        numeric = any(isinstance(row[column], int | float) for row in self.rows)
        kind = ' class="number"' if numeric else ""
        return f"<{tag}{kind}>{escape(text)}</{tag}>"


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _plain(value: Any) -> Any:
    if _is_empty(value):
        return ""
    return value.item() if isinstance(value, np.generic) else value


def _shown(value: Any, form: str) -> str:
    if _is_empty(value):
        return "–"
    return format(value, form) if form and not isinstance(value, str) else str(value)


def epsilon_words(epsilon: float) -> str:
    """Return an epsilon as people read it."""
    return f"{epsilon:g}" if math.isfinite(epsilon) else "none"


def study_tables(analysis: Analysis, findings: Sequence[tuple[Claim, str, Finding]]) -> list[Table]:
    """Return all tables of the report, in its order."""
    return [
        claims_table(analysis, findings),
        winners_table(analysis),
        win_rate_table(analysis),
        regimes_table(analysis),
        noise_table(analysis),
        typical_table(analysis),
        bins_table(analysis),
        beyond_table(analysis),
        sizes_table(analysis),
        domains_table(analysis),
    ]


def claims_table(analysis: Analysis, findings: Sequence[tuple[Claim, str, Finding]]) -> Table:
    """List every claim of the paper, and what came of it."""
    rows = [(claim.key, claim.text, ARM_WORDS[arm], found.verdict, found.sentence) for claim, arm, found in findings]
    note = (
        "What the paper says of its experiments, and what these results say. A run is one setting on one table: "
        "the mean of its folds."
    )
    return Table(
        "claims", "The paper's claims", note, ("", "claim", "arm", "verdict", "our figures"), tuple(rows), ("",) * 5
    )


def winners_table(analysis: Analysis) -> Table:
    """Show which alpha has the best model at every epsilon."""
    rows = []
    for arm in analysis.arms:
        for row in analysis.winners(arm).itertuples():
            rows.append((ARM_WORDS[arm], row.epsilon, row.alpha, row.tables, row.won, row.error))
    note = (
        "The best run over T, depth and share, for each table, ε and α. Won: tables on which it errs least of all α; "
        "ties are divided. "
        "Error: the mean over tables of the best errors, which flatters every cell alike, as each is the smallest of "
        "many."
    )
    columns = ("arm", "ε", "α", "tables", "won", "mean best error")
    return Table("best-alpha", "Best α at every ε", note, columns, tuple(rows), ("", "g", "", "", ".4g", ".4f"))


def win_rate_table(analysis: Analysis) -> Table:
    """Count duels with the forests."""
    by = ["arm", "alpha", "T", "rival", "epsilon"]
    plain, *others = (win_rates(analysis.duels, by, p) for p in ("p", "p_holm", "p_rows"))
    rows = tuple(
        (
            ARM_WORDS[a.arm],
            a.alpha,
            a.T,
            a.rival,
            a.epsilon,
            a.n,
            a.wins,
            a.losses,
            a.win_rate,
            a.even_rate,
            b.wins,
            b.losses,
            c.win_rate,
            c.even_rate,
        )
        for a, b, c in zip(plain.itertuples(), *(rates.itertuples() for rates in others), strict=True)
    )
    note = (
        "Every run of the paper's learner against a forest on the same table, ε, depth and folds: paired t-test, "
        "p < 0.01. Rate: wins among significant differences. Holm: those that remain with Holm's correction over all "
        "runs of one arm, α, T and rival. Over rows: the same rates by a test of two proportions over all rows of a "
        "table, which leaves out the spread between trainings and so calls too many differences significant."
    )
    columns = (
        "arm",
        "α",
        "T",
        "rival",
        "ε",
        "runs",
        "wins",
        "losses",
        "win rate",
        "not significant",
        "wins (Holm)",
        "losses (Holm)",
        "win rate (over rows)",
        "not significant (over rows)",
    )
    formats = ("", "", "", "", "g", "", "", "", ".3f", ".3f", "", "", ".3f", ".3f")
    return Table("win-rates", "Against random forests", note, columns, rows, formats)


def regimes_table(analysis: Analysis) -> Table:
    """Show the best size of a model on every table."""
    rows = [
        (row.domain, ARM_WORDS[arm], row.T, row.depth, row.error)
        for arm in analysis.arms
        for row in analysis.regimes(arm).itertuples()
    ]
    note = "The (T, depth) whose best run over α and share errs least, on average over ε."
    columns = ("table", "arm", "T", "depth", "mean best error")
    return Table("best-size", "Best T and depth of every table", note, columns, tuple(rows), ("", "", "", "", ".4f"))


def noise_table(analysis: Analysis) -> Table:
    """Show what privacy costs on every table."""
    without = analysis.noise_free.best(["domain"]).frame.set_index("domain")["error"]
    rows = []
    for arm in analysis.arms:
        best = analysis.private(arm).best(["domain", "epsilon"]).frame
        for name, own in best.groupby("domain", sort=False):
            errors = own.set_index("epsilon")["error"]
            rows.append((name, ARM_WORDS[arm], *(errors.get(e) for e in analysis.epsilons), without.get(name)))
    note = "The smallest error of all runs of the paper's learner: at each ε, and without noise."
    columns = ("table", "arm", *(f"ε = {e:g}" for e in analysis.epsilons), "without noise")
    formats = ("", "", *(".4f",) * (len(analysis.epsilons) + 1))
    return Table("noise", "With noise and without", note, columns, tuple(rows), formats)


def typical_table(analysis: Analysis) -> Table:
    """Show the mean error of all settings: nobody's choice flatters it."""
    runs = analysis.main.where(learner="bdpe").frame
    means = runs.groupby(["arm", "alpha", "T", "epsilon"], sort=False)["error"].mean()
    epsilons = (*analysis.epsilons, math.inf)
    rows = [
        (ARM_WORDS[arm], alpha, size, *(own.get((arm, alpha, size, epsilon)) for epsilon in epsilons))
        for (arm, alpha, size), own in means.groupby(["arm", "alpha", "T"], sort=False)
    ]
    note = "The mean error over tables and all settings of depth and share: what one gets without choosing."
    columns = ("arm", "α", "T", *(f"ε = {e:g}" for e in analysis.epsilons), "without noise")
    return Table("typical", "All settings", note, columns, tuple(rows), ("", "", "", *(".4f",) * len(epsilons)))


def bins_table(analysis: Analysis) -> Table:
    """Show what finer bins gain."""
    rows = [
        (row.domain, ARM_WORDS[arm], row.alpha, row.coarse, row.fine, row.gain, row.p)
        for arm in analysis.arms
        for row in analysis.bin_gains(arm).itertuples()
    ]
    note = (
        "The smallest error over ε, T, depth and share, with either number of bins; p is that of the paired t-test "
        "of these two runs. α "
        "any: of all."
    )
    coarse, fine = (analysis.bins[0], analysis.bins[-1]) if analysis.bins else (10, 50)
    columns = ("table", "arm", "α", f"{coarse} bins", f"{fine} bins", "gain", "p")
    return Table("bins", "Coarse bins and fine", note, columns, tuple(rows), ("", "", "", ".4f", ".4f", ".4f", ".2g"))


def beyond_table(analysis: Analysis) -> Table:
    """Show the best error of every learner, on average over tables."""
    best = analysis.main.best(["domain", "learner", "arm", "epsilon"]).frame
    mean = best.groupby(["learner", "arm", "epsilon"], sort=False)["error"].mean()
    tried = analysis.main.frame.groupby(["learner", "arm", "epsilon"], sort=False).size() / max(
        best["domain"].nunique(), 1
    )
    epsilons = (*analysis.epsilons, math.inf)
    rows: dict[tuple[str, str], list[Any]] = {}
    for (learner, arm, epsilon), error in mean.items():
        name = (learner, ARM_WORDS.get(arm, "") if learner == "bdpe" and arm != NOISE_FREE else "")
        if arm == NOISE_FREE and learner == "bdpe":
            name = ("bdpe", ARM_WORDS[NOISE_FREE])
        row = rows.setdefault(name, [*name, 0, *(None,) * len(epsilons)])
        row[2] = max(row[2], round(float(tried[learner, arm, epsilon])))
        row[3 + epsilons.index(epsilon)] = float(error)
    note = (
        "The mean over tables of the smallest error of all settings that were tried; the more are tried, the lower "
        "it is. “auto” is "
        "PrivateBoostingClassifier, which chooses every setting from public numbers: one try. “tree” is a single "
        "tree, with its criterion."
    )
    columns = ("learner", "arm", "settings tried", *(f"ε = {e:g}" for e in analysis.epsilons), "without noise")
    formats = ("", "", "", *(".4f",) * len(epsilons))
    return Table("learners", "All learners", note, columns, tuple(map(tuple, rows.values())), formats)


def sizes_table(analysis: Analysis) -> Table:
    """Show how large the best models are."""
    best = analysis.main.best(["domain", "learner", "arm", "epsilon"]).frame
    grouped = best.groupby(["learner", "arm", "epsilon"], sort=False)
    sizes = grouped.agg(
        tables=("n_nodes", "size"), median=("n_nodes", "median"), largest=("n_nodes", "max")
    ).reset_index()
    rows = [
        (
            row.learner,
            ARM_WORDS.get(row.arm, "") if row.learner == "bdpe" else "",
            epsilon_words(row.epsilon),
            row.tables,
            row.median,
            row.largest,
        )
        for row in sizes.itertuples()
    ]
    note = (
        "Nodes (tests and leaves of all trees) of the model with the smallest error, over tables: what somebody "
        "would have to read."
    )
    columns = ("learner", "arm", "ε", "tables", "median nodes", "largest")
    return Table("sizes", "Nodes per model", note, columns, tuple(rows), ("", "", "", "", ".0f", ".0f"))


def domains_table(analysis: Analysis) -> Table:
    """List the tables of the study."""
    rows = []
    for name, facts in analysis.study.tables.items():
        rule = facts["positive"]
        positive = (
            f"{'≥' if rule['rule'] == 'ge' else '>'} {rule['threshold']}"
            if "threshold" in rule
            else ", ".join(rule["values"])
        )
        observed = f"{facts['n_observed']} observed" if facts["n_observed"] else "public"
        missing = "not all folds are there yet" if name in analysis.incomplete else ""
        remark = " ".join(text for text in (facts["remark"], missing) if text)
        rows.append((name, facts["rows"], facts["n_features"], positive, observed, facts["source"], remark))
    note = (
        "Observed ranges are the least and the largest value of the table itself, since nobody knows a public one. A "
        "private run must not use "
        "them; the paper cannot have had others. Rows of results say so: domain_kind = observed."
    )
    columns = ("table", "rows", "attributes", "positive class", "ranges", "source", "remark")
    return Table("domains", "Tables", note, columns, tuple(rows), ("",) * 7)
