"""Time of one fit with the estimator's overhead, in simulation and with secure randomness, warm cache.

    python benchmarks/fit_time.py

Prints the median, over runs, of wall-clock and of processor time in milliseconds.
"""

from __future__ import annotations

import argparse
import statistics
import time
import warnings
from collections.abc import Callable
from functools import partial

import numpy as np

from privboost import BDPEClassifier, Domain, Numeric, PrivateForestClassifier, PrivateTreeClassifier
from privboost.errors import PrivacyWarning

SIZES = ((1_000, 10), (100_000, 14))
LEARNERS = (BDPEClassifier, PrivateForestClassifier, PrivateTreeClassifier)


def table(n_rows: int, n_attributes: int) -> tuple[np.ndarray, np.ndarray, Domain]:
    rng = np.random.default_rng(0)
    X = rng.random((n_rows, n_attributes))
    y = (X[:, 0] + X[:, 1] + 0.2 * rng.normal(size=n_rows) > 1).astype(int)
    return X, y, Domain({f"x{i}": Numeric(0, 1) for i in range(n_attributes)})


def times(fit: Callable[[], object], runs: int) -> tuple[float, float]:
    fit()  # compiles, or loads compiled code
    wall, processor = [], []
    for _ in range(runs):
        start, start_processor = time.perf_counter(), time.process_time()
        fit()
        wall.append(time.perf_counter() - start)
        processor.append(time.process_time() - start_processor)
    return 1e3 * statistics.median(wall), 1e3 * statistics.median(processor)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=15)
    args = parser.parse_args()
    warnings.simplefilter("ignore", PrivacyWarning)
    print("| learner | rows x attributes | randomness | wall ms | processor ms |")
    print("|---|---|---|---|---|")
    for n_rows, n_attributes in SIZES:
        X, y, domain = table(n_rows, n_attributes)
        for learner in LEARNERS:
            for name, seed in (("simulated", 0), ("secure", None)):
                model = learner(domain=domain, classes=[0, 1], random_state=seed)
                wall, processor = times(partial(model.fit, X, y), args.runs)
                print(f"| {learner.__name__} | {n_rows} x {n_attributes} | {name} | {wall:.1f} | {processor:.1f} |")


if __name__ == "__main__":
    main()
