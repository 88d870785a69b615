"""Made-up results of a study: any error as a function of the setting, with as much scatter over folds as one likes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from privboost.experiments.analysis import Analysis, Runs
from privboost.experiments.grid import Grid, Setting
from privboost.experiments.store import Study

PAPER_PARTS = {
    "bdpe": {
        "arms": ("paper",),
        "alphas": ("0.1", "1", "O.C"),
        "trees": (2, 20),
        "depths": (1, 3),
        "shares": (0.1, 0.9),
    },
    "forest": {"mechanisms": ("laplace", "exponential"), "trees": (21,), "depths": (1, 3)},
}
TABLES = ("banknote", "qsar", "winewhite", "winered")

Error = Callable[[str, Setting], float]


def grid_of(tables: Sequence[str] = TABLES, folds: int = 5, **changes: object) -> Grid:
    facts = {
        "name": "made up",
        "tables": tuple(tables),
        "folds": folds,
        "bins": (10, 50),
        "epsilons": (0.01, 25.0),
        "noise_free": True,
        "auto": False,
        "parts": PAPER_PARTS,
    }
    return Grid(**(facts | changes))  # type: ignore[arg-type]


def study_of(grid: Grid) -> Study:
    facts = {
        "rows": 100,
        "n_features": 1,
        "n_observed": 0,
        "domain_kind": "public",
        "positive": {"rule": "in", "values": ["1"]},
        "source": "made up",
        "licence": "",
        "remark": "",
        "entry": "",
    }
    tables = dict.fromkeys(grid.tables or (), facts)
    return Study(grid.name, grid.fingerprint(), grid.folds, len(grid.settings()), 0, tables, "0")


def made_up(error: Error, grid: Grid | None = None, scatter: float = 0.001) -> Analysis:
    """Return the analysis of results whose errors are those of the function, plus scatter that differs by run."""
    grid = grid or grid_of()
    generator = np.random.default_rng(0)
    rows, errors = [], []
    for table in grid.tables or ():
        for s in grid.settings():
            share = 0.0 if np.isnan(s.share) else s.share
            rows.append((table, s.learner, s.arm, s.epsilon, s.alpha, s.n_trees, s.depth, share, s.n_bins))
            noise = generator.normal(0.0, 1.0, grid.folds)
            errors.append(error(table, s) + scatter * (noise - noise.mean()))
    columns = ["domain", "learner", "arm", "epsilon", "alpha", "T", "depth", "share", "bins"]
    by_fold = np.array(errors)
    frame = pd.DataFrame(rows, columns=columns).assign(error=by_fold.mean(axis=1), n_nodes=7.0)
    return Analysis(Runs(frame, by_fold), study_of(grid))
