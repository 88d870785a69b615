"""The rows of ``speed.py``: what is timed, against what, and what is to be reached."""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
import json
import re
import statistics
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from privboost import BDPEClassifier, Domain, PrivateBoostingClassifier
from privboost.data.encoding import Encoder
from privboost.ensembles.plan import BoostingSettings, plan_boosting
from privboost.ensembles.simulated import train_simulated
from privboost.privacy.relation import PrivacyUnit
from privboost.trees.splitting import candidate_splits
from speed_grid import measure_grid
from speed_startup import environment, measure_first_fit, measure_import
from speed_timing import N_ATTRIBUTES, Measured, NotMeasuredError, Row, Setup, contest, made_rows, seconds, threads

MILLION = 1_000_000
WARM_UP = 40_000
"""Rows of a fit that loads compiled code before anything is timed: enough for whatever only large tables need."""

SAME_TREES: dict[str, Any] = {"num_leaves": 64, "max_depth": 6, "max_bin": 64, "verbose": -1, "random_state": 0}
STATUS = Path("/proc/self/status")
FORGET_PEAK = Path("/proc/self/clear_refs")
BYTES_A_ROW = 24
"""What a fit may hold for each row beside its codes."""


def peer(module: str, package: str) -> ModuleType:
    """Import a module of another package, or say why the row cannot be measured."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        raise NotMeasuredError(f"{package} is not installed; `pip install '.[bench]'`") from None
    except (ImportError, OSError) as error:
        raise NotMeasuredError(f"{package} cannot be imported: {error}") from None


@cache
def table(n_rows: int) -> tuple[np.ndarray, np.ndarray, Domain]:
    """Return the same made rows to all lines of the table; the largest tables are made by those who need them."""
    return made_rows(n_rows)


def selecting(domain: Domain) -> BDPEClassifier:
    return BDPEClassifier(n_trees=20, max_depth=6, n_bins=64, domain=domain, classes=[0, 1], random_state=0)


def random_trees(domain: Domain, seed: int | None = 0, **options: Any) -> PrivateBoostingClassifier:
    chosen = {"n_rounds": 20, "trees_per_round": 1, "max_depth": 6, "tests_per_node": 1, "n_bins": 64} | options
    return PrivateBoostingClassifier(domain=domain, classes=[0, 1], random_state=seed, **chosen)


def lightgbm_of(setup: Setup, **options: Any) -> Any:
    classifier = peer("lightgbm", "lightgbm").LGBMClassifier
    return classifier(n_jobs=setup.threads, **(SAME_TREES | {"n_estimators": 20} | options))


def fit_against(
    setup: Setup,
    ours: Callable[[Domain], Any],
    theirs: Callable[[Setup], Any],
    most_runs: int | None = None,
) -> Measured:
    """Time fits of the same million raw rows."""
    X, y, domain = table(setup.rows(MILLION))
    other = theirs(setup)  # a missing package is told before anything is timed
    ours(domain).fit(X[:WARM_UP], y[:WARM_UP])
    other.fit(X[:1000], y[:1000])
    return contest(setup, lambda: ours(domain).fit(X, y), lambda: theirs(setup).fit(X, y), most_runs)


def diffprivlib_forest(setup: Setup) -> Any:
    models, package = peer("diffprivlib.models", "diffprivlib"), peer("diffprivlib", "diffprivlib")
    budget = package.BudgetAccountant()
    return models.RandomForestClassifier(
        n_estimators=10, bounds=(0, 1), classes=[0, 1], accountant=budget, random_state=0, n_jobs=setup.threads
    )


def dp_ebm(setup: Setup) -> Any:
    bounds = np.tile([0.0, 1.0], (N_ATTRIBUTES, 1))
    model = peer("interpret.privacy", "interpret").DPExplainableBoostingClassifier
    return model(privacy_bounds=bounds, random_state=0, n_jobs=setup.threads)


def measure_predict(setup: Setup) -> Measured:
    X, y, domain = table(setup.rows(MILLION))
    few = slice(0, 100_000)
    ours = random_trees(domain, n_rounds=100).fit(X[few], y[few])
    theirs = lightgbm_of(setup, n_estimators=100).fit(X[few], y[few])
    ours.predict(X[:WARM_UP])
    return contest(setup, lambda: ours.predict(X), lambda: theirs.predict(X))


def small_fits(setup: Setup) -> tuple[Callable[[], object], Callable[[], object], Callable[[], object]]:
    """Return fits of 1,000 rows: from codes, with the estimator, and LightGBM's."""
    X, y, domain = made_rows(1000, 10)
    encoder = Encoder(domain, 10)
    codes, labels, candidates = encoder.encode(X), y.astype(np.int16), candidate_splits(encoder.layout)
    settings, one_row = BoostingSettings(20, 3, 0.5), PrivacyUnit()
    one = replace(setup, threads=1)  # so few rows are worked on by one thread here; let the other side not wait for two

    def from_codes() -> object:
        numbers = {"n_rows": len(labels), "n_candidates": len(candidates), "n_outputs": 1}
        plan = plan_boosting(settings, epsilon=1.0, unit=one_row, **numbers)
        return train_simulated(plan, candidates, encoder.layout, codes, labels, np.random.default_rng(0))

    def estimator() -> object:
        model = BDPEClassifier(n_trees=20, max_depth=3, n_bins=10, domain=domain, classes=[0, 1], random_state=0)
        return model.fit(X, y)

    def theirs() -> object:
        return lightgbm_of(one, num_leaves=8, max_depth=3, max_bin=10).fit(X, y)

    return from_codes, estimator, theirs


def measure_small(setup: Setup, *, with_estimator: bool) -> Measured:
    from_codes, estimator, theirs = small_fits(setup)
    ours = estimator if with_estimator else from_codes
    ours(), theirs()
    return contest(setup, ours, theirs)


def measure_ten_million(setup: Setup) -> Measured:
    """Time tables of float32, both of them, so that the larger one fits into memory beside the smaller."""
    n = setup.rows(MILLION)
    X, y, domain = made_rows(10 * n, dtype=np.float32)
    random_trees(domain).fit(X[:WARM_UP], y[:WARM_UP])
    large, small = (lambda: random_trees(domain).fit(X, y)), (lambda: random_trees(domain).fit(X[:n], y[:n]))
    both = contest(setup, large, small, most_runs=3)
    return Measured(both.ours, 10.0 * both.theirs)


def measure_threads(setup: Setup) -> Measured:
    """Time fits in turns of three: the first with another number of threads wakes up a core that was idle."""
    X, y, domain = table(setup.rows(MILLION))
    random_trees(domain).fit(X[:WARM_UP], y[:WARM_UP])
    one, several = [], []
    for _ in range(setup.runs):
        for n, times in ((1, one), (setup.threads, several)):
            with threads(n):
                times += [seconds(lambda: random_trees(domain).fit(X, y)) for _ in range(3)]
    return Measured(statistics.median(several), statistics.median(one))


def most_memory() -> float:
    """Return the most bytes that this process has held. Not `ru_maxrss` on Linux: it includes the parent process."""
    if STATUS.exists():
        (kibibytes,) = re.findall(r"^VmHWM:\s+(\d+) kB$", STATUS.read_text(), re.MULTILINE)
        return 1024.0 * int(kibibytes)
    resource = importlib.import_module("resource")  # of Unix only
    return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) * (1 if sys.platform == "darwin" else 1024)


def _give_back() -> None:
    """Return freed memory to the system, where the C library can: what a fit took from it would go unseen."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


def peak_memory(n_rows: int) -> float:
    """Return how many bytes more than before a fit holds at most; of a fresh process only."""
    X, y, domain = made_rows(n_rows)
    random_trees(domain).fit(X[:WARM_UP], y[:WARM_UP])
    _give_back()
    if FORGET_PEAK.exists():
        FORGET_PEAK.write_text("5")  # what was held while rows were made is forgotten
    before = most_memory()
    random_trees(domain).fit(X, y)
    return most_memory() - before


def measure_memory(setup: Setup) -> Measured:
    if not STATUS.exists() and importlib.util.find_spec("resource") is None:
        raise NotMeasuredError("this system does not tell the most memory of a process")
    n_rows = setup.rows(MILLION)
    code = (
        "import json, sys, warnings; warnings.simplefilter('ignore'); import speed_rows; "
        f"print(json.dumps(speed_rows.peak_memory({n_rows})))"
    )
    runs = []
    for _ in range(min(setup.runs, 3)):
        with threads(setup.threads):
            done = subprocess.run(
                [sys.executable, "-c", code],
                cwd=Path(__file__).parent,
                env=environment(),
                capture_output=True,
                text=True,
                check=True,
            )
        runs.append(json.loads(done.stdout))
    return Measured(statistics.median(runs) / 2**20, n_rows * (N_ATTRIBUTES + BYTES_A_ROW) / 2**20)


RAW = "1,000,000 x 28 floats, 20 trees of depth 6, 64 bins, fit from raw NumPy"
LIGHTGBM = "LightGBM, the same trees of the same rows"

ROWS = (
    Row(
        "selection",
        f"{RAW}, private selection",
        LIGHTGBM,
        0.7,
        partial(fit_against, ours=selecting, theirs=lightgbm_of),
    ),
    Row(
        "random",
        "the same, random structure",
        LIGHTGBM,
        0.25,
        partial(fit_against, ours=random_trees, theirs=lightgbm_of),
    ),
    Row(
        "secure",
        "the same, secure randomness",
        LIGHTGBM,
        0.35,
        partial(fit_against, ours=partial(random_trees, seed=None), theirs=lightgbm_of),
    ),
    Row(
        "dp-ebm",
        "the same, random structure",
        "DP-EBM of interpret, defaults",
        0.1,
        partial(fit_against, ours=random_trees, theirs=dp_ebm, most_runs=1),
    ),
    Row(
        "forest",
        "the same, random structure",
        "diffprivlib's forest of 10 trees",
        0.6,
        partial(fit_against, ours=random_trees, theirs=diffprivlib_forest),
    ),
    Row("predict", "predict 1,000,000 rows, 100 trees of depth 6", "LightGBM's predict", 0.5, measure_predict),
    Row(
        "small-codes",
        "1,000 x 10, 20 trees of depth 3, simulated, from codes",
        "LightGBM's fit of the same",
        0.15,
        partial(measure_small, with_estimator=False),
        most=1.5e-3,
    ),
    Row(
        "small",
        "the same with the estimator",
        "LightGBM's fit of the same",
        0.4,
        partial(measure_small, with_estimator=True),
    ),
    Row(
        "ten-million",
        "10,000,000 x 28 float32, random structure",
        "ten times 1,000,000 x 28",
        1.1,
        measure_ten_million,
    ),
    Row(
        "memory",
        "most memory above the input, 1,000,000 x 28, random structure",
        "the codes and 24 bytes a row",
        1.25,
        measure_memory,
        unit="MiB",
    ),
    Row("threads", "1,000,000 x 28, random structure, all threads", "the same, one thread", 0.59, measure_threads),
    Row(
        "grid-10",
        "the study: 19 tables x 10 folds x 1,152 settings, 10 bins",
        "360 s",
        1.0,
        partial(measure_grid, n_bins=10, allowed=360.0),
    ),
    Row("grid-50", "the same, 50 bins", "1200 s", 1.0, partial(measure_grid, n_bins=50, allowed=1200.0)),
    Row("import", "`import privboost` after numba and scikit-learn", "0.5 s", 1.0, measure_import),
    Row(
        "first-fit",
        "first fit of a process, compiled code in the cache, simulated",
        "1 s",
        1.0,
        partial(measure_first_fit, allowed=1.0),
    ),
    Row(
        "first-secure",
        "the same, secure: loads OpenDP",
        "1 s",
        1.0,
        partial(measure_first_fit, allowed=1.0, secure=True),
    ),
    Row(
        "cold-cache",
        "first fit with an empty cache",
        "20 s",
        1.0,
        partial(measure_first_fit, allowed=20.0, cold=True),
    ),
)
