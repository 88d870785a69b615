"""The study's grid, for ``speed.py``: 19 tables x 10 folds x 1,152 settings, or a sample of it, scaled up.

A cell is an ensemble that is planned, trained in simulation and tested. Of every table the sample takes one fold and
some of the settings, spread evenly over the grid; what comes before the cells (reading, encoding) is scaled by the
folds alone. Cells are divided among processes with one thread each.
"""

from __future__ import annotations

import itertools
import time
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed
from sklearn.model_selection import StratifiedKFold

from paper_table import ALPHAS, DEPTHS, N_FOLDS, SHARES, TREES, paper_tables, settings_of, test_error
from privboost.data.datasets import load_table
from privboost.data.encoding import Encoder
from privboost.trees.splitting import candidate_splits
from speed_timing import Measured, NotMeasuredError, Setup

EPSILONS = (0.01, 0.1, 1.0, 10.0, 25.0)
ONE_IN = 37
"""Share of the settings in a sample; has no divisor in common with the grid's sides, so that all values occur."""

Cell = tuple[float | None, str, int, int, float]


def cells() -> list[Cell]:
    """Return the 1,152 settings: 1,080 private ones, and those without noise, where no budget is shared out."""
    private = itertools.product(EPSILONS, ALPHAS, TREES, DEPTHS, SHARES)
    return [*private, *itertools.product([None], ALPHAS, TREES, DEPTHS, [0.5])]


def run_cells(data: Path, name: str, fold: int, n_bins: int, chosen: list[Cell]) -> tuple[float, float]:
    """Return the seconds before the cells, and those of the cells."""
    start = time.perf_counter()
    X, y, domain = load_table(data, name)[:3]
    encoder = Encoder(domain, n_bins)
    codes, labels = encoder.encode(X), np.asarray(y, np.int16)
    train, test = list(StratifiedKFold(N_FOLDS, shuffle=True, random_state=0).split(np.zeros(len(y)), y))[fold]
    split = [(np.ascontiguousarray(codes[:, rows]), labels[rows]) for rows in (train, test)]
    layout, candidates = encoder.layout, candidate_splits(encoder.layout)
    first = settings_of("tight", "O.C", 2, 1, 0.5)
    test_error(*split, layout, candidates, first, 1.0, [fold])  # loads compiled code
    between = time.perf_counter()
    for k, (epsilon, alpha, n_trees, depth, share) in enumerate(chosen):
        settings = settings_of("tight", alpha, n_trees, depth, share)
        test_error(*split, layout, candidates, settings, epsilon, [fold, k])
    return between - start, time.perf_counter() - between


def measure_grid(setup: Setup, n_bins: int, allowed: float) -> Measured:
    """Time the grid, or scale the time of a sample."""
    if setup.data is None:
        raise NotMeasuredError("needs the study's tables, `--data FOLDER`")
    chosen = cells() if setup.full else cells()[::ONE_IN]
    folds = range(N_FOLDS if setup.full else 1)
    tasks = [(name, fold) for name in paper_tables(setup.data) for fold in folds]
    pool = Parallel(n_jobs=setup.threads)
    start = time.perf_counter()
    times = pool(delayed(run_cells)(setup.data, name, fold, n_bins, chosen) for name, fold in tasks)
    if setup.full:
        return Measured(time.perf_counter() - start, allowed)
    before, within = np.sum(times, axis=0)
    whole = N_FOLDS * (before + within * len(cells()) / len(chosen)) / setup.threads
    return Measured(float(whole), allowed)
