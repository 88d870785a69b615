"""The study's grid, for ``speed.py``: 19 tables x 10 folds x 1,152 settings, or a sample of it, scaled up.

A cell is an ensemble that is planned, trained in simulation and tested. Of every table the sample takes one fold and
some of the settings, spread evenly over the grid; what comes before the cells (reading, encoding) is scaled by the
folds alone. Cells are divided among processes with one thread each.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed
from sklearn.model_selection import StratifiedKFold

from privboost.data.datasets import load_table
from privboost.data.study import study_catalogue
from privboost.experiments.grid import NOISE_FREE, Setting, load_grid
from privboost.experiments.training import Fold, train_setting
from speed_timing import Measured, NotMeasuredError, Setup

N_FOLDS = 10
ONE_IN = 37
"""Share of the settings in a sample; has no divisor in common with the grid's sides, so that all values occur."""


def cells(n_bins: int) -> list[Setting]:
    """Return the 1,152 settings: 1,080 private ones, and those without noise, where no budget is shared out."""
    arms = ("tight", NOISE_FREE)
    every = load_grid("paper").settings()
    return [s for s in every if s.learner == "bdpe" and s.arm in arms and s.n_bins == n_bins]


def run_cells(data: Path, name: str, number: int, n_bins: int, chosen: list[Setting]) -> tuple[float, float]:
    """Return the seconds before the cells, and those of the cells."""
    start = time.perf_counter()
    table = load_table(data, name)
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=0).split(np.zeros(len(table.y)), table.y)
    fold = Fold(table, *list(folds)[number])
    codes = fold.encoded(n_bins)
    train_setting(fold, codes, chosen[0], 0)  # loads compiled code
    between = time.perf_counter()
    for setting in chosen:
        train_setting(fold, codes, setting, setting.seed(0, name, number))
    return between - start, time.perf_counter() - between


def measure_grid(setup: Setup, n_bins: int, allowed: float) -> Measured:
    """Time the grid, or scale the time of a sample."""
    if setup.data is None:
        raise NotMeasuredError("needs the study's tables, `--data FOLDER`")
    every = cells(n_bins)
    chosen = every if setup.full else every[::ONE_IN]
    folds = range(N_FOLDS if setup.full else 1)
    tasks = [(name, fold) for name in study_catalogue() for fold in folds]
    pool = Parallel(n_jobs=setup.threads)
    start = time.perf_counter()
    times = pool(delayed(run_cells)(setup.data, name, fold, n_bins, chosen) for name, fold in tasks)
    if setup.full:
        return Measured(time.perf_counter() - start, allowed)
    before, within = np.sum(times, axis=0)
    whole = N_FOLDS * (before + within * len(every) / len(chosen)) / setup.threads
    return Measured(float(whole), allowed)
