"""What ``accuracy.py table`` prints: a learner's figures beside those of other systems, in Markdown.

A peer counts at a cell's delta if the delta it states is no larger; pure systems therefore count at every delta. Of the
peers of a cell the best is the one with the largest mean AUC over the fits it has.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

NOT_PRIVATE = ("lightgbm", "sk_histgb", "sk_rf")
"""Peers of the file of results that make the ceiling, with the ceilings that were run here."""

NEVER = ("dpboost",)
"""For orientation only: takes bins and counts from the rows outside its budget."""

LOOSE = ("maddock_tr",)
"""States the delta 1/n; counts wherever delta is above 0, and is marked."""

CLOSING = (1e-5, 1.0)
"""The (delta, epsilon) at which the way from the best peer to the ceiling is measured."""

LEVEL = 0.05
FIT = ["dataset", "peer", "eps", "delta", "fold", "seed"]


class Results(NamedTuple):
    """Figures to compare, one row a fit.

    Attributes
    ----------
    ours : DataFrame
        Columns as ``accuracy.py`` writes them, of one learner.
    peers : DataFrame
        Columns dataset, peer, eps, delta, fold, seed, auc; private systems only.
    ceiling : Series
        Largest mean AUC of a system without privacy, for each dataset that has one.
    """

    ours: pd.DataFrame
    peers: pd.DataFrame
    ceiling: pd.Series


def read_results(out: Path, peers: Path | None, learner: str, live: Sequence[str], ceilings: Sequence[str]) -> Results:
    """Read the files of a folder of results, and the file of other systems' results if one is given."""
    paths = sorted(out.glob("*/*.csv"))
    if not paths:
        raise SystemExit(f"{out} holds no results; make some with: python benchmarks/accuracy.py run")
    rows = pd.concat([pd.read_csv(path) for path in paths], ignore_index=True)
    ours = rows[rows["learner"] == learner]
    if ours.empty:
        raise SystemExit(f"{out} holds no results of the learner {learner!r}, only of: {sorted(set(rows['learner']))}")
    others = rows.rename(columns={"learner": "peer"})
    given = [others[others["peer"].isin([*live, *ceilings])][[*FIT, "auc"]]]
    if peers is not None:
        given.append(pd.read_csv(peers)[[*FIT, "auc"]])
    everything = pd.concat([frame for frame in given if len(frame)] or given, ignore_index=True)
    top = everything[everything["peer"].isin([*NOT_PRIVATE, *ceilings])]
    ceiling = top.groupby(["dataset", "peer"])["auc"].mean().groupby(level="dataset").max()
    private = everything[np.isfinite(everything["eps"]) & ~everything["peer"].isin(NEVER)]
    return Results(ours, private, ceiling)


def counting(peers: pd.DataFrame, delta: float) -> pd.DataFrame:
    """Return the rows of the peers that count at `delta`; those that state a larger one carry an asterisk."""
    loose = peers["peer"].isin(LOOSE) & (delta > 0)
    counted = peers[loose | (peers["delta"] <= delta * (1 + 1e-9))].copy()
    exceeds = counted["delta"] > delta * (1 + 1e-9)
    marked = set(counted.loc[exceeds, "peer"])
    counted["peer"] = [f"{name}*" if name in marked else name for name in counted["peer"]]
    return counted


class Comparison(NamedTuple):
    """Two learners' AUC compared: fits in common, mean difference over them, two-sided p and how it was found."""

    pairs: int
    difference: float
    p: float
    kind: str


def compared(ours: pd.DataFrame, theirs: pd.DataFrame) -> Comparison:
    """Compare over the (fold, seed) that both have; by Welch's test where fewer than two are common.

    p is NaN where either has a single fit and no second pair exists.
    """
    both = ours.merge(theirs, on=["fold", "seed"], suffixes=("", "_peer"))
    change = (both["auc"] - both["auc_peer"]).to_numpy()
    mean = float(change.mean()) if len(change) else math.nan
    if len(change) >= 2:
        if np.ptp(change) < 1e-12:
            return Comparison(len(change), mean, 1.0 if abs(mean) < 1e-12 else 0.0, "paired")
        return Comparison(len(change), mean, float(stats.ttest_1samp(change, 0.0).pvalue), "paired")
    a, b = ours["auc"].to_numpy(), theirs["auc"].to_numpy()
    if min(len(a), len(b)) < 2 or np.ptp(a) + np.ptp(b) < 1e-12:
        return Comparison(len(change), mean, math.nan, "none")
    return Comparison(len(change), mean, float(stats.ttest_ind(a, b, equal_var=False).pvalue), "welch")


def compare(results: Results) -> pd.DataFrame:
    """Return one row for each cell (delta, dataset, eps) of ours, with the best peer there, if any has results."""
    cells = []
    for delta, of_delta in results.ours.groupby("delta"):
        peers = counting(results.peers, float(delta))
        by_cell = dict(iter(peers.groupby(["dataset", "eps"])))
        for (dataset, epsilon), ours in of_delta.groupby(["dataset", "eps"]):
            cell = {"delta": delta, "dataset": dataset, "eps": epsilon, "ours": ours["auc"].mean(), "fits": len(ours)}
            cell["ceiling"] = results.ceiling.get(dataset, math.nan)
            if (dataset, epsilon) in by_cell:
                there = by_cell[dataset, epsilon]
                means = there.groupby("peer")["auc"].mean()
                best = there[there["peer"] == means.idxmax()]
                cell |= {"peer": means.idxmax(), "best": means.max(), "peer_fits": len(best)}
                cell |= compared(ours, best)._asdict()
            cells.append(cell)
    columns = ["delta", "dataset", "eps", "ours", "fits", "ceiling", "peer", "best", "peer_fits", *Comparison._fields]
    return pd.DataFrame(cells, columns=columns)


def recovered(auc: pd.Series, ceiling: pd.Series) -> pd.Series:
    return (auc - 0.5) / (ceiling - 0.5)


def headline(results: Results, cells: pd.DataFrame, delta: float, learner: str) -> pd.DataFrame:
    """Return mean recovered AUC: rows are systems, columns epsilons.

    The tables of an epsilon are those with a ceiling and a peer there (with a ceiling, if there are no peers at all). A
    system that lacks one of them has no figure.
    """
    cells = cells[(cells["delta"] == delta) & cells["ceiling"].notna()]
    if cells["best"].notna().any():
        cells = cells[cells["best"].notna()]
    by_eps = cells.groupby("eps")
    shown = pd.DataFrame(
        {
            learner: recovered(cells["ours"], cells["ceiling"]).groupby(cells["eps"]).mean(),
            "best peer of each table": recovered(cells["best"], cells["ceiling"]).groupby(cells["eps"]).mean(),
        }
    ).T
    means = counting(results.peers, delta).groupby(["peer", "dataset", "eps"])["auc"].mean().rename("auc").reset_index()
    means = means.merge(cells[["dataset", "eps", "ceiling"]], on=["dataset", "eps"])
    means["recovered"] = recovered(means["auc"], means["ceiling"])
    wide = means.groupby(["peer", "eps"])["recovered"].agg(["mean", "size"])
    full = wide["size"] == by_eps.size().reindex(wide.index.get_level_values("eps")).to_numpy()
    own = wide["mean"].where(full).unstack("eps").dropna(how="all")
    order = own.mean(axis=1).sort_values(ascending=False).index
    return pd.concat([shown, own.loc[order].reindex(columns=shown.columns)]) if len(own) else shown


def closing(cells: pd.DataFrame) -> pd.DataFrame:
    """Return, at `CLOSING`, each table's part of the way from the best peer to the ceiling; none where it is above."""
    there = cells[(cells["delta"] == CLOSING[0]) & (cells["eps"] == CLOSING[1]) & (cells["best"] < cells["ceiling"])]
    return there.assign(gained=there["ours"] - there["best"], room=there["ceiling"] - there["best"])


def figure(value: float, digits: int = 4, sign: str = "") -> str:
    return "–" if math.isnan(value) else f"{value:{sign}.{digits}f}"


def p_text(p: float, kind: str) -> str:
    if math.isnan(p):
        return "–"
    return ("<0.001" if p < 0.001 else f"{p:.3f}") + (" (Welch)" if kind == "welch" else "")


def span(counts: pd.Series, unit: str) -> str:
    low, high = counts.min(), counts.max()
    return f"{low} {unit}" if low == high else f"{low} to {high} {unit}"


def print_rows(header: Sequence[str], rows: Iterable[Sequence[str]], n_texts: int = 1) -> None:
    print("| " + " | ".join(header) + " |")
    print("|" + "---|" * n_texts + "---:|" * (len(header) - n_texts))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def print_headline(results: Results, cells: pd.DataFrame, delta: float, learner: str) -> None:
    shown = headline(results, cells, delta, learner)
    print(f"### Mean recovered AUC at δ = {delta:g}: (AUC − 0.5) / (ceiling − 0.5), mean over tables\n")
    print_rows(
        ["system", *(f"ε = {epsilon:g}" for epsilon in shown.columns)],
        [[str(name), *(figure(value, 3) for value in row)] for name, row in shown.iterrows()],
    )
    counted = cells[(cells["delta"] == delta) & cells["ceiling"].notna() & cells["best"].notna()]
    sizes = counted.groupby("eps")["dataset"].nunique()
    if len(sizes):
        print(f"{span(sizes, 'tables')} at every ε. A system without a figure lacks one of them.\n")


def print_cells(cells: pd.DataFrame, delta: float) -> None:
    print(f"### Test AUC, table by table, δ = {delta:g}\n")
    header = ["table", "best peer", "ε", "ours", "its AUC", "difference", "pairs", "in pairs", "p", "ceiling"]
    rows = []
    for cell in cells[cells["delta"] == delta].itertuples():
        has_peer = not math.isnan(cell.best)
        rows.append(
            [
                cell.dataset,
                cell.peer if has_peer else "–",
                f"{cell.eps:g}",
                figure(cell.ours),
                figure(cell.best),
                figure(cell.ours - cell.best, sign="+"),
                f"{cell.pairs:.0f}/{cell.fits}" if has_peer else "–",
                figure(cell.difference, sign="+"),
                p_text(cell.p, cell.kind),
                figure(cell.ceiling),
            ]
        )
    print_rows(header, rows, n_texts=2)


def print_counts(cells: pd.DataFrame, delta: float) -> None:
    cells = cells[(cells["delta"] == delta) & cells["best"].notna()]
    if cells.empty:
        return
    change = cells["ours"] - cells["best"]
    tested_change = cells["difference"].where(cells["kind"] == "paired", change)
    below = (tested_change < 0) & (cells["p"] <= LEVEL)
    untested = (change < 0) & cells["p"].isna()
    print(f"At δ = {delta:g}, of {len(cells)} cells:\n")
    print(f"* ours has the largest mean, or equals it: {(change >= 0).sum()}")
    print(f"* ours is not significantly below the best peer (p > {LEVEL}): {(~below & ~untested).sum()}")
    if untested.any():
        print(f"* ours is below and a test is not possible (one fit of the peer): {untested.sum()}")
    worst = cells.loc[change.idxmin()]
    if change.min() < 0:
        where = f"{worst['dataset']}, ε = {worst['eps']:g}, {worst['peer']}"
        print(f"* largest shortfall: {-change.min():.4f} ({where}; p {p_text(worst['p'], worst['kind'])})")
    else:
        print("* largest shortfall: none")
    print()


def print_closing(cells: pd.DataFrame) -> None:
    there = closing(cells)
    if there.empty:
        return
    parts = there["gained"] / there["room"]
    print(f"### The way from the best peer to the ceiling, ε = {CLOSING[1]:g}, δ = {CLOSING[0]:g}\n")
    print_rows(
        ["table", "best peer", "its AUC", "ours", "ceiling", "part of the way"],
        [
            [cell.dataset, cell.peer, figure(cell.best), figure(cell.ours), figure(cell.ceiling), f"{part:.1%}"]
            for cell, part in zip(there.itertuples(), parts, strict=True)
        ],
        n_texts=2,
    )
    total = there["gained"].sum() / there["room"].sum()
    print(
        f"Mean over {len(there)} tables: {parts.mean():.1%}; gains over rooms, both summed: {total:.1%}. A table whose"
    )
    print("best peer is not below the ceiling is left out.\n")


def print_scores(ours: pd.DataFrame, delta: float) -> None:
    print(f"### Log loss / Brier score / calibration error of ours, δ = {delta:g}\n")
    means = ours[ours["delta"] == delta].groupby(["dataset", "eps"])[["log_loss", "brier", "ece"]].mean()
    text = means.apply(lambda row: f"{row['log_loss']:.3f} / {row['brier']:.3f} / {row['ece']:.3f}", axis=1)
    wide = text.unstack("eps").fillna("–")
    header = ["table", *(f"ε = {epsilon:g}" for epsilon in wide.columns)]
    print_rows(header, [[str(name), *row] for name, row in wide.iterrows()])


def print_tables(out: Path, peers: Path | None, learner: str, live: Sequence[str], ceilings: Sequence[str]) -> None:
    """Print everything, from a folder of results and, if given, a file of other systems' results."""
    results = read_results(out, peers, learner, live, ceilings)
    cells = compare(results)
    deltas = sorted(set(results.ours["delta"]))
    seeds = results.ours.groupby("dataset")[["fold", "seed"]].nunique()
    print(
        f"{len(results.ours)} fits of {learner}: {len(seeds)} tables, {span(seeds['fold'], 'folds')}, "
        f"{span(seeds['seed'], 'seeds')}; simulated noise.\n"
    )
    for delta in deltas:
        print_headline(results, cells, delta, learner)
    for delta in deltas:
        print_counts(cells, delta)
    print_closing(cells)
    for delta in deltas:
        print_cells(cells, delta)
    for delta in deltas:
        print_scores(results.ours, delta)
    print(
        "Means are over the fits that a system has; the best peer is chosen by that mean, hence with hindsight. "
        '"pairs": fits in common, of ours; "in pairs": mean difference over them; p: two-sided t test over them. Folds '
        "share rows, so p is a guide; no correction for many cells. * states a larger δ (1/n)."
    )
