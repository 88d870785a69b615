"""The study's figures: error curves, cumulated shares of runs, wins over forests. Facts only; `svg` draws them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from privboost.experiments.analysis import RIVALS, Analysis, Runs, win_rates
from privboost.experiments.grid import CALIBRATED
from privboost.experiments.svg import Line, Matrix, Panel, draw_matrix, draw_panels
from privboost.experiments.tables import ARM_WORDS

__all__ = ["study_figures"]

_COLOURS = {
    "0.1": "#c2571a",
    "1": "#1f5fa8",
    CALIBRATED: "#1b7a4b",
    "RF-L": "#8a8a8a",
    "RF-E": "#b9a03a",
    "auto": "#7b3fa0",
}
_OTHER_COLOURS = ("#a02c5a", "#00838f", "#5d4037", "#455a64")
_WHOLE = [(0.0, "0"), (0.5, "½"), (1.0, "1")]


def study_figures(analysis: Analysis) -> list[tuple[str, str, str]]:
    """Return name, caption and drawing of every figure, in the report's order."""
    found = []
    for arm in analysis.arms:
        words = ARM_WORDS[arm]
        found += [
            (
                f"error-{arm}",
                f"Smallest error of all T, depth and shares at every ε: {words}. “None” is without noise.",
                draw_error_curves(analysis, arm),
            ),
            (
                f"cumulated-{arm}",
                f"Share of runs with at most this error: {words}. Solid: private, all ε; dashed: without noise.",
                draw_cumulated(analysis, arm),
            ),
            (
                f"wins-{arm}",
                f"Wins over random forests among significant differences: {words}. In brackets: differences that are "
                "not significant.",
                draw_wins(analysis, arm),
            ),
        ]
        if len(analysis.bins) > 1:
            few, many = analysis.bins[0], analysis.bins[-1]
            found.append(
                (
                    f"bins-{arm}",
                    f"Share of private runs with at most this error: {words}. Solid: {many} bins; dashed: {few}.",
                    draw_bins(analysis, arm),
                )
            )
    return found


def _colours(analysis: Analysis) -> dict[str, str]:
    others = [alpha for alpha in analysis.alphas if alpha not in _COLOURS]
    return _COLOURS | {alpha: _OTHER_COLOURS[k % len(_OTHER_COLOURS)] for k, alpha in enumerate(others)}


def _name(alpha: str) -> str:
    return alpha if alpha == CALIBRATED else f"α = {alpha}"


def _tables(analysis: Analysis) -> list[Any]:
    return analysis.main.values("domain")


def draw_error_curves(analysis: Analysis, arm: str) -> str:
    """Draw the best error against epsilon for each alpha and rival, a panel a table."""
    epsilons = [*analysis.epsilons, math.inf]
    place = {epsilon: float(k) for k, epsilon in enumerate(epsilons)}
    colours = _colours(analysis)
    ours = Runs.joined(analysis.private(arm), analysis.noise_free).best(["domain", "alpha", "epsilon"]).frame
    theirs = analysis.main.where(learner=(*RIVALS, "auto")).best(["domain", "learner", "epsilon"]).frame
    panels = []
    for table in _tables(analysis):
        lines = []
        for frame, column, shown in ((ours, "alpha", _name), (theirs, "learner", str)):
            for key, own in frame[frame["domain"] == table].groupby(column, sort=False):
                points = sorted((place[e], float(v)) for e, v in zip(own["epsilon"], own["error"], strict=True))
                lines.append(Line(shown(key), points, colours[key], dashed=column == "learner", dots=True))
        panels.append(_fitted(table, lines))
    ticks = [(place[e], f"{e:g}" if math.isfinite(e) else "none") for e in epsilons]
    title = f"Best test error against ε: {ARM_WORDS[arm]}"
    return draw_panels(title, panels, (-0.2, len(epsilons) - 0.8), ticks, "across: ε; up: error in %")


def _fitted(title: str, lines: Sequence[Line]) -> Panel:
    """Give a panel the range of its own lines, in whole steps."""
    values = [y for line in lines for _, y in line.points] or [0.0]
    step = next(s for s in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5) if (max(values) - min(values)) / s <= 5)
    low = math.floor(min(values) / step + 1e-9) * step
    high = max(math.ceil(max(values) / step - 1e-9) * step, low + step)
    ticks = [(t, f"{100 * t:.0f}") for t in np.arange(low, high + step / 2, step)]
    return Panel(title, lines, (low, high), ticks)


def _cumulated(name: str, runs: Runs, colour: str, dashed: bool) -> Line:
    """Return the steps of a distribution of errors, from error 0 to the end of the axis."""
    # To a tenth of a percent, a third of what a screen can show of it: each step is then drawn once.
    errors, counts = np.unique(np.round(runs.frame["error"].to_numpy(), 3), return_counts=True)
    points, below = [(0.0, 0.0)], 0.0
    for error, share in zip(errors.tolist(), (np.cumsum(counts) / max(counts.sum(), 1)).tolist(), strict=True):
        points += [(error, below), (error, share)]
        below = share
    return Line(name, [*points, (_LARGEST, 1.0)] if len(errors) else [], colour, dashed)


_LARGEST = 0.6
_ERROR_TICKS = [(0.0, "0"), (0.2, "20"), (0.4, "40"), (0.6, "60")]


def draw_cumulated(analysis: Analysis, arm: str) -> str:
    """Draw the distribution of errors over runs for each alpha, with noise and without, a panel a table."""
    colours, panels = _colours(analysis), []
    for table in _tables(analysis):
        lines = []
        for runs, words, dashed in ((analysis.private(arm), "", False), (analysis.noise_free, " without noise", True)):
            for alpha in analysis.alphas:
                own = runs.where(domain=table, alpha=alpha)
                lines.append(_cumulated(_name(alpha) + words, own, colours[alpha], dashed))
        panels.append(Panel(table, [line for line in lines if line.points], (0.0, 1.0), _WHOLE))
    title = f"Cumulated share of runs below an error: {ARM_WORDS[arm]}"
    return draw_panels(title, panels, (0.0, _LARGEST), _ERROR_TICKS, "across: error in %; up: share of runs")


def draw_bins(analysis: Analysis, arm: str) -> str:
    """Draw the distribution of errors over private runs for each alpha, with few bins and with many."""
    colours, panels = _colours(analysis), []
    runs = analysis.runs.where(learner="bdpe", arm=arm)
    for table in _tables(analysis):
        lines = []
        for bins, dashed in ((analysis.bins[-1], False), (analysis.bins[0], True)):
            for alpha in analysis.alphas:
                own = runs.where(domain=table, alpha=alpha, bins=bins)
                lines.append(_cumulated(f"{_name(alpha)}, {bins} bins", own, colours[alpha], dashed))
        panels.append(Panel(table, lines, (0.0, 1.0), _WHOLE))
    title = f"Cumulated share of runs below an error, by number of bins: {ARM_WORDS[arm]}"
    return draw_panels(title, panels, (0.0, _LARGEST), _ERROR_TICKS, "across: error in %; up: share of runs")


def draw_wins(analysis: Analysis, arm: str) -> str:
    """Draw the rates of wins over forests as a matrix: alpha and T down, rival and epsilon across."""
    duels = analysis.duels
    rates = win_rates(duels[duels["arm"] == arm], ["alpha", "T", "rival", "epsilon"])
    known = {(r.alpha, r.T, r.rival, r.epsilon): r for r in rates.itertuples()}
    sizes = sorted({key[1] for key in known})
    rows = [(alpha, size) for alpha in analysis.alphas for size in sizes]
    met = list(dict.fromkeys(duels["rival"]))
    rivals = [rival for rival in met if rival in RIVALS] or met
    columns = [(rival, epsilon) for rival in rivals for epsilon in analysis.epsilons]
    cells = [[_cell(known.get((*row, *column))) for column in columns] for row in rows]
    matrix = Matrix(
        [f"{_name(alpha)}, T = {size}" for alpha, size in rows], [f"{r}\nε = {e:g}" for r, e in columns], cells
    )
    note = "Wins among significant differences, p < 0.01; in brackets those without significance."
    if len(rivals) < len(met):
        note += " Other forests are in the table."
    return draw_matrix(f"Wins over random forests: {ARM_WORDS[arm]}", matrix, note)


def _cell(row: Any) -> tuple[float | None, str]:
    if row is None:
        return None, ""
    even = f"({100 * row.even_rate:.0f})"
    return (
        (None, f"– {even}") if math.isnan(row.win_rate) else (float(row.win_rate), f"{100 * row.win_rate:.0f} % {even}")
    )
