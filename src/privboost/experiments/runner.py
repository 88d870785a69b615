"""Runs a study: every setting of the grid on every fold of every table, side by side, once each."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.model_selection import StratifiedKFold

from privboost.data.datasets import StudyTable, read_entry
from privboost.data.study import data_source, domain_kind, locate_table, study_catalogue
from privboost.errors import ParameterError
from privboost.experiments.grid import Grid, Setting
from privboost.experiments.store import COLUMNS, Store, Study
from privboost.experiments.training import Fold, train_setting

__all__ = ["Progress", "Task", "run_study"]

Progress = Callable[[int, int, float, float], None]
"""``progress(done, tasks, work_done, work)``: called after every table and fold, and once before the first."""


@dataclass(frozen=True)
class Task:
    """One fold of one table.

    Attributes
    ----------
    table : str
    fold : int
    path : Path
        The table's file.
    meta : dict
        The table's entry in the catalogue.
    """

    table: str
    fold: int
    path: Path
    meta: dict[str, Any]

    @property
    def work(self) -> float:
        """About how long it takes, in that of a tiny table: as measured, within a third or so."""
        return 1.0 + len(self.meta["features"]) / 50.0 + float(self.meta.get("rows") or 1000) / 10_000.0


def run_study(
    grid: Grid,
    out: Path,
    *,
    data: str | None = None,
    seed: int = 0,
    jobs: int = 1,
    only: str | None = None,
    progress: Progress = lambda *_: None,
) -> Study:
    """Train what is missing in a folder.

    Parameters
    ----------
    grid : Grid
    out : Path
        Folder of the study; made if need be. It may hold a part of the same study.
    data : str or None, default=None
        Folder or address of the tables; None asks the environment.
    seed : int, default=0
        0 or more. Folds and draws follow from it, whatever the number of workers.
    jobs : int, default=1
        Worker processes; -1 for all cores.
    only : str or None, default=None
        The one table to train on.
    progress : callable, optional

    Returns
    -------
    Study

    Raises
    ------
    SchemaError, ParameterError
        Before anything is trained: if a table is absent or not the one of the catalogue, or the folder is another
        study's.
    """
    catalogue = study_catalogue(grid.catalogue)
    study = Study.of(grid, catalogue, seed)
    if only is not None and only not in study.tables:
        raise ParameterError("--only", only, f"one of {', '.join(study.tables)}")
    store = Store(out)
    wanted = [task for task in study.tasks if only in (None, task[0])]
    missing = [task for task in wanted if not store.has(*task)]
    places: dict[str, Path] = {}
    if missing:
        source = data_source(data)
        places = {name: locate_table(name, catalogue[name], source) for name in dict(missing)}
    store.open(study)
    tasks = [Task(name, fold, places[name], catalogue[name]) for name, fold in missing]
    tasks.sort(key=lambda task: -task.work)  # the longest first: none of them is left for one worker at the end
    settings = grid.settings()
    work, done, n_done = sum(task.work for task in tasks), 0.0, len(wanted) - len(tasks)
    progress(n_done, len(wanted), done, work)
    results = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)(
        delayed(_run_task)(task, settings, study, store) for task in tasks
    )
    for task_work in results:
        done, n_done = done + task_work, n_done + 1
        progress(n_done, len(wanted), done, work)
    if all(store.has(*task) for task in study.tasks):
        store.clean()
    return study


def _run_task(task: Task, settings: list[Setting], study: Study, store: Store) -> float:
    fold = _fold(read_entry(task.path, task.meta), task, study)
    kind = domain_kind(task.meta)
    rows: list[tuple[Any, ...]] = []
    codes, n_bins = None, 0
    for setting in settings:
        if setting.n_bins != n_bins:
            n_bins = setting.n_bins
            codes = fold.encoded(n_bins) if n_bins else None
        seed = setting.seed(study.seed, task.table, task.fold)
        error, n_nodes = train_setting(fold, codes, setting, seed)
        rows.append((task.table, task.fold, *_described(setting), error, n_nodes, seed, kind))
    store.write(task.table, task.fold, dict(zip(COLUMNS, zip(*rows, strict=True), strict=True)), study)
    return task.work


def _described(s: Setting) -> tuple[Any, ...]:
    return s.arm, s.learner, s.epsilon, s.alpha, s.n_trees, s.depth, s.share, s.n_bins


def _fold(table: StudyTable, task: Task, study: Study) -> Fold:
    """Divide the rows; a table's folds depend on the seed and its name."""
    digest = hashlib.sha256(f"{study.seed}|{task.table}|folds".encode()).digest()
    folds = StratifiedKFold(study.folds, shuffle=True, random_state=int.from_bytes(digest[:4], "big"))
    train, test = list(folds.split(np.zeros(len(table.y)), table.y))[task.fold]
    return Fold(table, train, test)
