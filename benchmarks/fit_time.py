"""Time of one fit, in simulation and with secure randomness, warm cache, one thread.

    python benchmarks/fit_time.py

Prints the median, over runs, of wall-clock and of processor time in milliseconds. ``BDPEClassifier`` is also timed
without its estimator, from codes, labels and plan to the trees; and beside LightGBM, with as many trees of the same
depth and as many bins, where that is installed. The fits of all rows of a table take turns, so that what else the
machine does meets them alike.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import statistics
import time
import warnings
from collections.abc import Callable
from functools import partial

import numpy as np

from privboost import BDPEClassifier, Domain, Numeric, PrivateForestClassifier, PrivateTreeClassifier
from privboost.data.encoding import Encoder
from privboost.ensembles.plan import BoostingSettings, plan_boosting
from privboost.ensembles.simulated import train_simulated
from privboost.privacy.relation import PrivacyUnit
from privboost.trees.splitting import candidate_splits

SIZES = ((1_000, 10), (100_000, 14))
LEARNERS = (BDPEClassifier, PrivateForestClassifier, PrivateTreeClassifier)


def table(n_rows: int, n_attributes: int) -> tuple[np.ndarray, np.ndarray, Domain]:
    rng = np.random.default_rng(0)
    X = rng.random((n_rows, n_attributes))
    y = (X[:, 0] + X[:, 1] + 0.2 * rng.normal(size=n_rows) > 1).astype(int)
    return X, y, Domain({f"x{i}": Numeric(0, 1) for i in range(n_attributes)})


def fits(n_rows: int, n_attributes: int) -> dict[tuple[str, str], Callable[[], object]]:
    """Return what is timed on a table of this size, by name and randomness."""
    X, y, domain = table(n_rows, n_attributes)
    found: dict[tuple[str, str], Callable[[], object]] = {}
    for learner in LEARNERS:
        for name, seed in (("simulated", 0), ("secure", None)):
            model = learner(domain=domain, classes=[0, 1], n_jobs=1, random_state=seed)
            found[learner.__name__, name] = partial(model.fit, X, y)
    found["without the estimator", "simulated"] = bare_fit(X, y, domain)
    if importlib.util.find_spec("lightgbm") is not None:
        lightgbm = importlib.import_module("lightgbm")
        other = lightgbm.LGBMClassifier(n_estimators=20, max_depth=3, num_leaves=8, max_bin=10, n_jobs=1, verbose=-1)
        found["LightGBM", "none"] = partial(other.fit, X, y)
    return found


def bare_fit(X: np.ndarray, y: np.ndarray, domain: Domain) -> Callable[[], object]:
    """Return the training of `BDPEClassifier` with its defaults, given everything that a study would share."""
    encoder = Encoder(domain, 10)
    codes, labels, candidates = encoder.encode(X), y.astype(np.int16), candidate_splits(encoder.layout)
    plan = plan_boosting(
        BoostingSettings(20, 3, 0.5),
        epsilon=1.0,
        unit=PrivacyUnit(),
        n_rows=len(y),
        n_candidates=len(candidates),
        n_outputs=1,
    )
    return lambda: train_simulated(plan, candidates, encoder.layout, codes, labels, np.random.default_rng(0))


def times(tasks: dict[tuple[str, str], Callable[[], object]], runs: int) -> dict[tuple[str, str], tuple[float, float]]:
    """Return the medians, in milliseconds, of wall-clock and processor time."""
    taken: dict[tuple[str, str], list[tuple[float, float]]] = {name: [] for name in tasks}
    for run in range(runs + 1):
        for name, fit in tasks.items():
            start, start_processor = time.perf_counter(), time.process_time()
            fit()
            if run:  # the first compiles, or loads compiled code
                taken[name].append((time.perf_counter() - start, time.process_time() - start_processor))
    return {
        name: (1e3 * statistics.median(w for w, _ in pairs), 1e3 * statistics.median(p for _, p in pairs))
        for name, pairs in taken.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--small", action="store_true", help="only the small table")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| learner | rows x attributes | randomness | wall ms | processor ms |")
    print("|---|---|---|---|---|")
    for n_rows, n_attributes in SIZES[:1] if args.small else SIZES:
        for (learner, randomness), (wall, processor) in times(fits(n_rows, n_attributes), args.runs).items():
            print(f"| {learner} | {n_rows} x {n_attributes} | {randomness} | {wall:.2f} | {processor:.2f} |")


if __name__ == "__main__":
    main()
