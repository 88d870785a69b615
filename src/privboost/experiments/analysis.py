"""From rows of results to figures: means over folds, paired tests, winners, spreads. Nothing is trained or drawn here.

A *run* is one setting on one table: the mean of its folds. Tests are paired by fold. All tables and figures take the
coarsest
bins of the grid (the paper's main experiments have ten), but where bins are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, stdtr

from privboost.errors import SchemaError
from privboost.experiments.grid import FORESTS, NOISE_FREE
from privboost.experiments.store import Study

__all__ = ["LEVEL", "RIVALS", "SETTING", "Analysis", "Runs", "holm", "paired_test", "proportion_test", "win_rates"]

Floats = npt.NDArray[np.float64]

LEVEL = 0.01
"""A difference is significant if its p-value is below this, as in the paper."""

SETTING = ["learner", "arm", "epsilon", "alpha", "T", "depth", "share", "bins"]
RIVALS = ("RF-L", "RF-E")
"""The paper's; a grid may have forests of other readings, too."""


def paired_test(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Test, pair of rows by pair of rows, whether the means of ``a`` and ``b`` differ.

    Parameters
    ----------
    a, b : ndarray, shape (n, k)
        Errors of n pairs of runs on the same k folds, k at least 2.

    Returns
    -------
    difference : ndarray, shape (n,)
        Mean of ``a - b``.
    p : ndarray, shape (n,)
        Two-sided p-values of Student's paired t-test; 1 if no fold differs, 0 if all differ by the same amount.
    """
    differences = np.round(np.asarray(a - b, np.float64), 12)
    k = differences.shape[1]
    mean, deviation = differences.mean(axis=1), differences.std(axis=1, ddof=1)
    constant = (differences == differences[:, :1]).all(axis=1)
    safe = np.where(constant, 1.0, deviation)
    p = 2.0 * stdtr(k - 1, -np.abs(mean) * np.sqrt(k) / safe)
    return mean, np.where(constant, np.where(differences[:, 0] == 0.0, 1.0, 0.0), p)


def proportion_test(a: Floats, b: Floats, n_rows: Floats) -> Floats:
    """Test whether two parts of as many test rows differ, as if two fixed models had met different rows.

    The spread between trainings (their noise, their fold) is left out, so that it calls too many differences
    significant. It stands beside the paired test as a guess at what others may have done.

    Parameters
    ----------
    a, b : ndarray, shape (n,)
        Errors of n pairs of runs, each a part of all rows of a table.
    n_rows : ndarray, shape (n,)

    Returns
    -------
    ndarray, shape (n,)
        Two-sided p-values of the test of two proportions with a pooled variance; 1 if there is no variance.
    """
    mean = (a + b) / 2.0
    deviation = np.sqrt(np.maximum(2.0 * mean * (1.0 - mean), 0.0) / n_rows)
    known = deviation > 0.0
    return np.where(known, 2.0 * ndtr(-np.abs(a - b) / np.where(known, deviation, 1.0)), 1.0)


def holm(p: Floats) -> Floats:
    """Return Holm's adjusted p-values of one family: those below a level keep the chance of any false one below it."""
    m = len(p)
    order = np.argsort(p, kind="stable")
    adjusted = np.maximum.accumulate((m - np.arange(m)) * p[order]) if m else p
    out = np.empty(m)
    out[order] = np.minimum(adjusted, 1.0)
    return out


@dataclass(frozen=True, eq=False)
class Runs:
    """Runs and their errors.

    Attributes
    ----------
    frame : pandas.DataFrame
        ``domain``, the columns `SETTING`, ``error`` and ``n_nodes``; one row a run.
    errors : ndarray, shape (n_runs, n_folds)
        The same runs, fold by fold.
    """

    frame: Any
    errors: Floats

    @staticmethod
    def of(rows: Any, study: Study) -> tuple[Runs, tuple[str, ...]]:
        """Return the runs of tables whose folds are all there, and the names of the other tables.

        Parameters
        ----------
        rows : pyarrow.Table
            As `Store.read` returns it.
        study : Study

        Raises
        ------
        SchemaError
            If folds differ in their settings, or a setting occurs twice.
        """
        frame = rows.to_pandas()
        frame["share"] = frame["share"].fillna(0.0)
        counted = frame.groupby("domain")["fold"].nunique()
        complete = [name for name in study.tables if counted.get(name, 0) == study.folds]
        parts, errors = [], []
        for name in complete:
            own = frame[frame["domain"] == name]
            first = own.iloc[: study.n_settings]
            repeated = np.tile(np.arange(study.n_settings), study.folds)
            settings = own[SETTING].reset_index(drop=True)
            if not settings.equals(first[SETTING].iloc[repeated].reset_index(drop=True)) or (
                first.duplicated(SETTING).any()
            ):
                raise SchemaError(f"The results of {name!r} do not hold every setting once a fold.")
            by_fold = own["error"].to_numpy().reshape(study.folds, study.n_settings).T
            nodes = own["n_nodes"].to_numpy().reshape(study.folds, study.n_settings).mean(axis=0)
            parts.append(first[["domain", *SETTING]].assign(error=by_fold.mean(axis=1), n_nodes=nodes))
            errors.append(by_fold)
        if not parts:
            raise SchemaError("No table of the study has all its folds yet. Run it to the end first.")
        runs = Runs(_stacked(parts), np.concatenate(errors))
        return runs, tuple(name for name in study.tables if name not in complete)

    @staticmethod
    def joined(*several: Runs) -> Runs:
        """Return all runs of several, one after the other."""
        return Runs(_stacked([runs.frame for runs in several]), np.concatenate([runs.errors for runs in several]))

    def where(self, **equal: Any) -> Runs:
        """Return the runs whose columns have these values; a tuple stands for any of its elements."""
        mask = np.ones(len(self.frame), np.bool_)
        for column, value in equal.items():
            mask &= self.frame[column].isin(value if isinstance(value, tuple) else (value,)).to_numpy()
        return self.keep(mask)

    def keep(self, mask: npt.NDArray[Any]) -> Runs:
        """Return some runs, by a mask or by positions."""
        return Runs(self.frame.iloc[np.arange(len(self.frame))[mask]].reset_index(drop=True), self.errors[mask])

    def best(self, by: Sequence[str]) -> Runs:
        """Return the run with the smallest mean error of every group; the first of equals."""
        if len(self.frame) == 0:
            return self
        return self.keep(np.sort(self.frame.groupby(list(by), sort=False)["error"].idxmin().to_numpy()))

    def values(self, column: str) -> list[Any]:
        """Return what occurs in a column, in the order of the grid."""
        return list(dict.fromkeys(self.frame[column].tolist()))

    def __len__(self) -> int:
        return len(self.frame)


def _stacked(frames: Sequence[Any]) -> Any:
    """Return data frames with the same columns, one below the other; pandas itself is imported nowhere in here."""
    columns = {c: np.concatenate([frame[c].to_numpy() for frame in frames]) for c in frames[0].columns}
    return type(frames[0])(columns)


@dataclass(frozen=True, eq=False)
class Analysis:
    """What claims, tables and figures are made from.

    Attributes
    ----------
    runs : Runs
        All of them.
    study : Study
    incomplete : tuple of str
        Tables that are left out, since folds of theirs are missing.
    """

    runs: Runs
    study: Study
    incomplete: tuple[str, ...] = ()

    @cached_property
    def bins(self) -> tuple[int, ...]:
        """Numbers of bins of the grid, ascending."""
        return tuple(sorted(self.runs.where(learner=("bdpe", *FORESTS)).values("bins")))

    @cached_property
    def main(self) -> Runs:
        """Runs with the coarsest bins, and those whose bins the learner chose."""
        return self.runs.where(bins=(0, *self.bins[:1]))

    def private(self, arm: str) -> Runs:
        """Private runs of the paper's learner in one arm."""
        return self.main.where(learner="bdpe", arm=arm)

    @cached_property
    def noise_free(self) -> Runs:
        """Runs of the paper's learner without privacy."""
        return self.main.where(learner="bdpe", arm=NOISE_FREE)

    @cached_property
    def arms(self) -> tuple[str, ...]:
        """Private arms of the paper's learner."""
        return tuple(arm for arm in self.runs.where(learner="bdpe").values("arm") if arm != NOISE_FREE)

    @cached_property
    def alphas(self) -> tuple[str, ...]:
        """Alphas of the grid."""
        return tuple(self.runs.where(learner="bdpe").values("alpha"))

    @cached_property
    def epsilons(self) -> tuple[float, ...]:
        """Finite epsilons of the grid, ascending."""
        return tuple(sorted(e for e in self.runs.values("epsilon") if np.isfinite(e)))

    @cached_property
    def duels(self) -> Any:
        """Every private run of the paper's learner against each forest of the same table, epsilon and depth.

        Columns: those of the run, ``rival``, ``difference`` (negative: the forest errs more), ``p`` of the paired test,
        ``p_holm``, corrected within the duels of one arm, alpha, T and rival, and ``p_rows`` of the test of two
        proportions over all rows of the table. A data frame.
        """
        ours = self.main.where(learner="bdpe")
        ours = ours.keep(np.isfinite(ours.frame["epsilon"].to_numpy()))
        theirs = self.main.where(learner=tuple(FORESTS))
        left = ours.frame.assign(_left=np.arange(len(ours)))
        right = theirs.frame[["domain", "epsilon", "depth", "bins", "learner"]]
        right = right.rename(columns={"learner": "rival"}).assign(_right=np.arange(len(theirs)))
        found = left.merge(right, on=["domain", "epsilon", "depth", "bins"])
        difference, p = paired_test(ours.errors[found["_left"]], theirs.errors[found["_right"]])
        n_rows = found["domain"].map({name: facts["rows"] for name, facts in self.study.tables.items()})
        own = found["error"].to_numpy()
        p_rows = proportion_test(own, own - difference, n_rows.to_numpy(np.float64))
        found = found.drop(columns=["_left", "_right"]).assign(difference=difference, p=p, p_rows=p_rows)
        adjusted = np.empty(len(found))
        for index in found.groupby(["arm", "alpha", "T", "rival"], sort=False).indices.values():
            adjusted[index] = holm(p[index])
        return found.assign(p_holm=adjusted)

    def winners(self, arm: str) -> Any:
        """For each epsilon and alpha: on how many tables its best run is the best, and the mean of its best errors.

        Alphas that tie divide a table among them. Columns ``epsilon``, ``alpha``, ``tables``, ``won``, ``error``.
        """
        best = self.private(arm).best(["domain", "epsilon", "alpha"]).frame
        lowest = best.groupby(["domain", "epsilon"])["error"].transform("min")
        first = (best["error"] <= lowest + 1e-12).astype(float)
        best = best.assign(won=first / first.groupby([best["domain"], best["epsilon"]]).transform("sum"))
        grouped = best.groupby(["epsilon", "alpha"], sort=False)
        return grouped.agg(tables=("won", "size"), won=("won", "sum"), error=("error", "mean")).reset_index()

    def spreads(self, arm: str) -> Any:
        """How far the best error of a table and epsilon depends on the share, and on the size of the model.

        ``share`` is the best error of the worst share less that of the best; ``p`` the paired test of these two runs;
        ``size`` is the same for (T, depth). One row for each ``domain`` and ``epsilon``.
        """
        runs = self.private(arm)
        group = ["domain", "epsilon"]
        by_share = runs.best([*group, "share"])
        by_size = runs.best([*group, "T", "depth"])
        lowest = by_share.best(group)
        highest = by_share.keep(np.sort(by_share.frame.groupby(group, sort=False)["error"].idxmax().to_numpy()))
        order = (
            lowest.frame[group]
            .merge(highest.frame[group].assign(at=np.arange(len(highest))), on=group, how="left", validate="1:1")["at"]
            .to_numpy()
        )
        difference, p = paired_test(highest.errors[order], lowest.errors)
        sizes = by_size.frame.groupby(group)["error"].agg(lambda e: e.max() - e.min()).rename("size").reset_index()
        return lowest.frame[group].assign(share=difference, p=p).merge(sizes, on=group)

    def regimes(self, arm: str) -> Any:
        """Find the (T, depth) of each table with the lowest best error, on average over epsilons.

        Columns ``domain``, ``T``, ``depth``, ``error``.
        """
        best = self.private(arm).best(["domain", "epsilon", "T", "depth"]).frame
        mean = best.groupby(["domain", "T", "depth"], sort=False)["error"].mean().reset_index()
        return mean.loc[mean.groupby("domain", sort=False)["error"].idxmin()].reset_index(drop=True)

    def bin_gains(self, arm: str) -> Any:
        """Compare bins: the gain is the best error with the coarsest bins of the grid less that with the finest.

        Columns ``domain``, ``alpha``, ``coarse``, ``fine``, ``gain`` and the ``p`` of the paired test of these two
        runs;
        the alpha "any" is the best of all. Empty if the grid has one number of bins.
        """
        runs = self.runs.where(learner="bdpe", arm=arm)
        anyone = Runs(runs.frame.assign(alpha="any"), runs.errors)
        found = []
        for part in (runs, anyone):
            coarse = part.where(bins=self.bins[0]).best(["domain", "alpha"])
            fine = part.where(bins=self.bins[-1]).best(["domain", "alpha"])
            keys = ["domain", "alpha"]
            pairs = (
                coarse.frame[keys]
                .assign(a=np.arange(len(coarse)))
                .merge(fine.frame[keys].assign(b=np.arange(len(fine))), on=keys)
            )
            a, b = coarse.keep(pairs["a"].to_numpy()), fine.keep(pairs["b"].to_numpy())
            gain, p = paired_test(a.errors, b.errors)
            columns = {"coarse": a.frame["error"], "fine": b.frame["error"], "gain": gain, "p": p}
            found.append(a.frame[keys].assign(**columns))
        frame = _stacked(found)
        return frame if len(self.bins) > 1 else frame.iloc[:0]


def win_rates(duels: Any, by: Sequence[str], p: str = "p") -> Any:
    """Count duels by groups.

    Parameters
    ----------
    duels : pandas.DataFrame
        As `Analysis.duels`.
    by : sequence of str
    p : {"p", "p_holm", "p_rows"}

    Returns
    -------
    pandas.DataFrame
        The columns ``by``, ``n``, ``wins`` and ``losses`` (significant ones), ``win_rate`` (wins among significant
        duels, NaN if there are none) and ``even_rate`` (duels without significance among all).
    """
    significant = duels[p] < LEVEL
    counted = duels[list(by)].assign(
        n=1, wins=significant & (duels["difference"] < 0), losses=significant & (duels["difference"] > 0)
    )
    sums = counted.groupby(list(by), sort=False)[["n", "wins", "losses"]].sum().reset_index()
    decided = sums["wins"] + sums["losses"]
    return sums.assign(win_rate=sums["wins"] / decided.where(decided > 0), even_rate=1.0 - decided / sums["n"])
