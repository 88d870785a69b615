"""What the paper says of its experiments, each sentence a function from results to a verdict.

Thresholds that the paper names are the paper's. Where its words are softer ("tends to", "competitive"), the threshold
is ours, and the sentence says it. Nothing here depends on which verdict comes out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from privboost.experiments.analysis import LEVEL, RIVALS, Analysis, Runs, win_rates
from privboost.experiments.grid import CALIBRATED, NOISE_FREE

__all__ = ["CLAIMS", "NOT_REPRODUCED", "NO_DATA", "REPRODUCED", "Claim", "Finding", "check_claims"]

REPRODUCED, NOT_REPRODUCED, NO_DATA = "reproduced", "not reproduced", "no data"

COMPETITIVE = 0.01
"""Ours: errors within one point are competitive."""


@dataclass(frozen=True)
class Finding:
    """What results say of a claim.

    Attributes
    ----------
    verdict : {"reproduced", "not reproduced", "no data"}
    figures : dict of str to float
        Our figures, those that decide first.
    sentence : str
    """

    verdict: str
    figures: dict[str, float]
    sentence: str


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper.

    Attributes
    ----------
    key : str
        Such as "4a".
    text : str
        What the paper says.
    check : callable
        ``check(analysis, arm)`` gives the finding.
    noise_free : bool
        Whether it is about runs without privacy, which are the same in all arms.
    """

    key: str
    text: str
    check: Callable[[Analysis, str], Finding]
    noise_free: bool = False


def check_claims(analysis: Analysis) -> list[tuple[Claim, str, Finding]]:
    """Check every claim in every arm."""
    return [
        (claim, arm, claim.check(analysis, arm))
        for claim in CLAIMS
        for arm in ((NOISE_FREE,) if claim.noise_free else analysis.arms)
    ]


def _finding(holds: bool, figures: dict[str, float], sentence: str) -> Finding:
    return Finding(REPRODUCED if holds else NOT_REPRODUCED, figures, sentence)


def _no_data(what: str) -> Finding:
    return Finding(NO_DATA, {}, f"The grid has no {what}.")


def boosting_helps(analysis: Analysis, arm: str) -> Finding:
    """Compare alpha 1 with 0.1 without noise, run by run and table by table."""
    runs = analysis.noise_free
    one, tenth = _aligned(runs, "1", "0.1")
    if one is None or tenth is None:
        return _no_data("runs without noise for both α = 1 and α = 0.1")
    difference = one.frame["error"].to_numpy() - tenth.frame["error"].to_numpy()
    ahead = float((difference < -1e-12).mean() + (np.abs(difference) <= 1e-12).mean() / 2)
    by_table = one.frame.assign(difference=difference).groupby("domain")["difference"].mean()
    tables = int((by_table < 0).sum())
    figures = {"runs ahead": ahead, "tables ahead": tables, "tables": len(by_table), "gain": -float(difference.mean())}
    sentence = (
        f"α = 1 has the lower error in {ahead:.1%} of the pairs of runs that differ in α alone (ties halved), and "
        "the lower "
        f"mean error on {tables} of {len(by_table)} tables. Held to be so if both are more than half."
    )
    return _finding(ahead > 0.5 and tables > len(by_table) / 2, figures, sentence)


def _aligned(runs: Runs, first: str, second: str) -> tuple[Runs | None, Runs | None]:
    """Return the runs of two alphas in one order, that of their other settings."""
    a, b = runs.where(alpha=first), runs.where(alpha=second)
    keys = ["domain", "epsilon", "T", "depth", "share", "bins"]
    same = len(a) > 0 and len(a) == len(b) and a.frame[keys].equals(b.frame[keys])
    return (a, b) if same else (None, None)


def calibration_competes_noise_free(analysis: Analysis, arm: str) -> Finding:
    """Compare the best error of calibration with the best of the fixed alphas, without noise."""
    best = analysis.noise_free.best(["domain", "alpha"]).frame.pivot(index="domain", columns="alpha", values="error")
    fixed = [alpha for alpha in best.columns if alpha != CALIBRATED]
    if CALIBRATED not in best.columns or not fixed:
        return _no_data("runs without noise with O.C and a fixed α")
    behind = float((best[CALIBRATED] - best[fixed].min(axis=1)).mean())
    sentence = (
        f"The best run of O.C errs {behind:.2%} more than the best of the fixed α, on average over {len(best)} "
        "tables. Held to be "
        f"so if at most {COMPETITIVE:.0%}. Without noise our calibration affords everything, and is α = 1."
    )
    return _finding(behind <= COMPETITIVE, {"behind": behind}, sentence)


def banknote_at_20_percent(analysis: Analysis, arm: str) -> Finding:
    """Count private runs of calibration on banknote with an error of at most 20 %."""
    runs = analysis.private(arm).where(domain="banknote", alpha=CALIBRATED)
    if len(runs) == 0:
        return _no_data("private runs of O.C on banknote")
    part = float((runs.frame["error"] <= 0.20).mean())
    sentence = f"{part:.1%} of {len(runs)} private runs with O.C have a test error of at most 20 %."
    return _finding(part > 2 / 3, {"share": part, "runs": len(runs)}, sentence)


def calibration_wins_high_privacy(analysis: Analysis, arm: str) -> Finding:
    """Count the tables whose best model is calibration's, where epsilon is small."""
    winners = analysis.winners(arm)
    high = [e for e in (0.01, 0.1) if e in set(winners["epsilon"])]
    if not high or CALIBRATED not in set(winners["alpha"]):
        return _no_data("runs of O.C at ε = 0.01 or 0.1")
    figures: dict[str, float] = {}
    holds, words = True, []
    for epsilon in high:
        won = winners[winners["epsilon"] == epsilon].set_index("alpha")["won"]
        others = float(won.drop(CALIBRATED).max()) if len(won) > 1 else 0.0
        holds &= float(won[CALIBRATED]) > others
        figures |= {f"{alpha} at {epsilon:g}": float(count) for alpha, count in won.items()}
        words.append(f"ε = {epsilon:g}: " + ", ".join(f"{c:.3g} of {_alpha(a)}" for a, c in won.items()))
    return _finding(holds, figures, f"Tables whose best model is that of each α (ties divided). {'; '.join(words)}.")


def _alpha(alpha: str) -> str:
    return alpha if alpha == CALIBRATED else f"α = {alpha}"


def _duels(analysis: Analysis, arm: str, n_trees: int) -> Any:
    duels = analysis.duels
    chosen = (duels["arm"] == arm) & (duels["T"] == n_trees) & duels["alpha"].isin([CALIBRATED, "1"])
    return duels[chosen & duels["rival"].isin(RIVALS)]


def _rates(analysis: Analysis, arm: str, n_trees: int) -> tuple[Any, str]:
    duels = _duels(analysis, arm, n_trees)
    rates = win_rates(duels, ["alpha", "rival"])
    words = [
        f"{_alpha(r.alpha)} against {r.rival} {r.win_rate:.1%} ({r.even_rate:.1%} not significant)"
        for r in rates.itertuples()
    ]
    return rates, "; ".join(words)


def _complete(rates: Any) -> bool:
    return len(rates) == 2 * len(RIVALS) and not rates["win_rate"].isna().any()


def beats_forests(analysis: Analysis, arm: str) -> Finding:
    """Count significant wins against forests at T = 20."""
    return _beats(analysis, arm, 20, 0.8)


def beats_forests_with_two_trees(analysis: Analysis, arm: str) -> Finding:
    """Count significant wins against forests at T = 2."""
    return _beats(analysis, arm, 2, 0.5)


def _beats(analysis: Analysis, arm: str, n_trees: int, least: float) -> Finding:
    rates, words = _rates(analysis, arm, n_trees)
    if not _complete(rates):
        return _no_data(f"significant duels of both O.C and α = 1 with both forests at T = {n_trees}")
    figures = {f"{r.alpha} against {r.rival}": float(r.win_rate) for r in rates.itertuples()}
    sentence = (
        f"Wins among significant differences at T = {n_trees}: {words}. Held to be so if all are above {least:.0%}."
    )
    return _finding(bool((rates["win_rate"] > least).all()), figures, sentence)


def few_even_duels(analysis: Analysis, arm: str) -> Finding:
    """Count duels without significance at T = 20."""
    duels = _duels(analysis, arm, 20)
    if len(duels) == 0:
        return _no_data("duels with forests at T = 20")
    even, by_rows = (float((duels[p] >= LEVEL).mean()) for p in ("p", "p_rows"))
    k = analysis.study.folds
    sentence = (
        f"{even:.1%} of {len(duels)} differences are not significant by the paired t-test over {k} folds at p < "
        f"{LEVEL:g}, and {by_rows:.1%} by a test of two proportions over all rows of a table, which leaves out the "
        "spread between trainings. The paper does not say which test it used; the first decides here."
    )
    figures = {"not significant": even, "not significant over rows": by_rows, "duels": len(duels)}
    return _finding(even < 0.04, figures, sentence)


def better_at_high_privacy(analysis: Analysis, arm: str) -> Finding:
    """Compare the rate of wins at the smallest epsilon with that at the largest."""
    rates = win_rates(_duels(analysis, arm, 20), ["epsilon"]).set_index("epsilon")["win_rate"].dropna().sort_index()
    if len(rates) < 2:
        return _no_data("significant duels at T = 20 at two ε")
    words = ", ".join(f"{rate:.1%} at ε = {epsilon:g}" for epsilon, rate in rates.items())
    holds = float(rates.iloc[0]) > float(rates.iloc[-1])
    figures = {f"at {epsilon:g}": float(rate) for epsilon, rate in rates.items()}
    return _finding(holds, figures, f"Wins of O.C and α = 1 at T = 20 among significant differences: {words}.")


def share_matters_little(analysis: Analysis, arm: str) -> Finding:
    """Test the best run of the best share against the best run of the worst."""
    spreads = analysis.spreads(arm)
    if len(analysis.private(arm).values("share")) < 2:
        return _no_data("two shares to compare")
    matters, mean = float((spreads["p"] < LEVEL).mean()), float(spreads["share"].mean())
    sentence = (
        f"Between the best and the worst share the best error differs significantly in {matters:.1%} of "
        f"{len(spreads)} pairs of "
        f"table and ε, and by {mean:.2%} on average. Held to be so if in fewer than half."
    )
    return _finding(matters < 0.5, {"significant": matters, "mean": mean}, sentence)


def size_matters_more(analysis: Analysis, arm: str) -> Finding:
    """Compare the spreads of the best error over model sizes and over shares."""
    spreads, runs = analysis.spreads(arm), analysis.private(arm)
    if len(runs.values("share")) < 2 or len(runs.frame[["T", "depth"]].drop_duplicates()) < 2:
        return _no_data("two shares and two sizes to compare")
    share, size = float(spreads["share"].mean()), float(spreads["size"].mean())
    sentence = (
        f"The best error differs by {size:.2%} over (T, depth) and by {share:.2%} over shares, on average. Held to "
        "be so if the "
        "first is more than twice the second; there are more sizes than shares, which widens it."
    )
    return _finding(size > 2 * share, {"size": size, "share": share}, sentence)


def own_regimes(analysis: Analysis, arm: str) -> Finding:
    """Count the tables that share their best size."""
    regimes = analysis.regimes(arm)
    if len(regimes) < 2:
        return _no_data("two tables to compare")
    sizes = regimes[["T", "depth"]].value_counts()
    common, n_tables, n_sizes = int(sizes.iloc[0]), len(regimes), len(sizes)
    sentence = (
        f"{n_tables} tables have {n_sizes} different best (T, depth); the most frequent is that of {common}. Held to "
        "be so if of at "
        "most half."
    )
    return _finding(2 * common <= n_tables, {"sizes": n_sizes, "most frequent": common, "tables": n_tables}, sentence)


def _gains(analysis: Analysis, arm: str, tables: Sequence[str], alphas: Sequence[str]) -> dict[tuple[str, str], Any]:
    gains = analysis.bin_gains(arm)
    gains = gains[gains["domain"].isin(tables) & gains["alpha"].isin(alphas)]
    return {(row.domain, row.alpha): row for row in gains.itertuples()}


def bins_help_calibration(analysis: Analysis, arm: str) -> Finding:
    """Ask for more than 2 % of gain on qsar and winewhite."""
    tables = ("qsar", "winewhite")
    gains = _gains(analysis, arm, tables, [CALIBRATED])
    if len(gains) < len(tables):
        return _no_data("runs of O.C with two numbers of bins on both qsar and winewhite")
    figures = {table: float(row.gain) for (table, _), row in gains.items()}
    words = ", ".join(f"{gain:.2%} on {table}" for table, gain in figures.items())
    return _finding(min(figures.values()) > 0.02, figures, f"Finer bins lower the best error of O.C by {words}.")


def bins_help_fixed_on_banknote(analysis: Analysis, arm: str) -> Finding:
    """Ask for a gain of alpha 1 that is larger than that of calibration."""
    gains = _gains(analysis, arm, ("banknote",), [CALIBRATED, "1"])
    if len(gains) < 2:
        return _no_data("runs of O.C and α = 1 with two numbers of bins on banknote")
    one, calibrated = (float(gains["banknote", alpha].gain) for alpha in ("1", CALIBRATED))
    sentence = f"Finer bins lower the best error on banknote by {one:.2%} with α = 1, and by {calibrated:.2%} with O.C."
    return _finding(one > max(calibrated, 0.0), {"α = 1": one, CALIBRATED: calibrated}, sentence)


def bins_do_not_help_winered(analysis: Analysis, arm: str) -> Finding:
    """Ask for no significant gain of the best alpha."""
    gains = _gains(analysis, arm, ("winered",), ["any"])
    if not gains:
        return _no_data("runs with two numbers of bins on winered")
    (row,) = gains.values()
    gain, p = float(row.gain), float(row.p)
    sentence = f"Finer bins lower the best error on winered by {gain:.2%} (p = {p:.2g})."
    return _finding(not (gain > 0 and p < LEVEL), {"gain": gain, "p": p}, sentence)


CLAIMS = (
    Claim("1a", "Without noise, α = 1 tends to do better than α = 0.1.", boosting_helps, noise_free=True),
    Claim("1b", "Without noise, O.C is competitive.", calibration_competes_noise_free, noise_free=True),
    Claim("2", "On banknote, more than 2/3 of the private O.C runs err at most 20 %.", banknote_at_20_percent),
    Claim("3", "At ε = 0.01 and 0.1 the best model is most often that of O.C.", calibration_wins_high_privacy),
    Claim(
        "4a", "With T = 20, O.C and α = 1 beat RF-L and RF-E in more than 80 % of the significant cases.", beats_forests
    ),
    Claim("4b", "Fewer than 4 % of these differences are not significant.", few_even_duels),
    Claim("4c", "With T = 2, they still beat them in a majority.", beats_forests_with_two_trees),
    Claim("4d", "The advantage over forests grows as ε falls.", better_at_high_privacy),
    Claim("5a", "The split share matters little to the best result.", share_matters_little),
    Claim("5b", "T and depth matter a lot more.", size_matters_more),
    Claim("5c", "Each domain has its own regime of T and depth.", own_regimes),
    Claim("6a", "50 bins gain O.C more than 2 % on qsar and on winewhite.", bins_help_calibration),
    Claim("6b", "On banknote, 50 bins gain more with α = 1.", bins_help_fixed_on_banknote),
    Claim("6c", "On winered, 50 bins gain nothing significant for the best strategy.", bins_do_not_help_winered),
)
"""Everything that the paper's text says of its experiments, in the order of its summary."""
