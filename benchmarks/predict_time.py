"""Time of encoding a table, of predicting all its rows and of predicting one row; LightGBM's beside it if installed.

    python benchmarks/predict_time.py

Prints medians over runs. Rows are uniform numbers; trees are full, of random tests on all attributes, as many and as
deep as LightGBM's. Bytes a second count the table, read once.
"""

from __future__ import annotations

import argparse
import statistics
import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from privboost import Domain, Numeric, PrivateBoostingClassifier
from privboost.data.encoding import Encoder
from privboost.data.refinement import Refinement
from privboost.errors import PrivacyWarning


def seconds(call: Callable[[], object], runs: int) -> float:
    """Return the median time of a call, after one that compiles or loads compiled code."""
    call()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def show(what: str, threads: int, time_taken: float, n_bytes: int) -> None:
    rate = f"{n_bytes / time_taken / 1e9:.2f} GB/s" if n_bytes > 1e6 else ""
    print(f"| {what} | {threads} | {1e3 * time_taken:.3f} | {rate} |", flush=True)


def encoders(n_attributes: int) -> dict[str, Encoder]:
    """64 even bins, and 254 bins most of which lie in a twentieth of the range."""
    domain = Domain({f"x{i}": Numeric(0, 1) for i in range(n_attributes)})
    rng = np.random.default_rng(1)
    dense = [np.unique(np.concatenate([rng.random(100), 0.3 + 0.05 * rng.random(153)])) for _ in range(n_attributes)]
    refined = Refinement(tuple(dense), (None,) * n_attributes)
    return {"64 even bins": Encoder(domain, 64), "254 uneven bins": Encoder(domain, 64, refinement=refined)}


def model_of(X: np.ndarray, y: np.ndarray, n_trees: int, depth: int) -> PrivateBoostingClassifier:
    domain = Domain({f"x{i}": Numeric(0, 1) for i in range(X.shape[1])})
    settings: dict[str, Any] = {"n_rounds": n_trees, "trees_per_round": 1, "max_depth": depth, "tests_per_node": 1}
    model = PrivateBoostingClassifier(
        epsilon=1.0, delta=1e-6, domain=domain, classes=[0, 1], random_state=0, attributes_per_tree=0, **settings
    )
    return model.fit(X[:10_000], y[:10_000])


def lightgbm_of(X: np.ndarray, y: np.ndarray, n_trees: int, depth: int) -> Any:
    try:
        import lightgbm
    except ImportError:
        return None
    parameters = {"objective": "binary", "num_leaves": 2**depth, "max_depth": depth, "verbose": -1}
    parameters |= {"min_data_in_leaf": 1, "min_sum_hessian_in_leaf": 0.0, "num_threads": 1}
    return lightgbm.train(parameters, lightgbm.Dataset(X[:100_000], y[:100_000]), n_trees)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--attributes", type=int, default=28)
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    warnings.simplefilter("ignore", PrivacyWarning)
    rng = np.random.default_rng(0)
    X = rng.random((args.rows, args.attributes))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + 0.3 * rng.normal(size=len(X)) > 0.8).astype(int)
    print("| what | threads | ms | table read |\n|---|---|---|---|")
    for name, encoder in encoders(args.attributes).items():
        for layout, table in (("", X), (", Fortran order", np.asfortranarray(X)), (", float32", X.astype(np.float32))):
            for threads in args.threads:
                taken = seconds(partial(encoder.encode, table, threads), args.runs)
                show(f"encode, {name}{layout}", threads, taken, table.nbytes)
    ours, theirs = (make(X, y, args.trees, args.depth) for make in (model_of, lightgbm_of))
    for threads in args.threads:
        ours.set_params(n_jobs=threads)
        show("predict_proba", threads, seconds(partial(ours.predict_proba, X), args.runs), X.nbytes)
        if theirs is not None:
            taken = seconds(partial(theirs.predict, X, num_threads=threads), min(args.runs, 3))
            show("LightGBM's predict", threads, taken, X.nbytes)
    show("predict_proba, one row", 1, seconds(partial(ours.predict_proba, X[:1]), 500), 0)
    if theirs is not None:
        show("LightGBM's predict, one row", 1, seconds(partial(theirs.predict, X[:1], num_threads=1), 500), 0)


if __name__ == "__main__":
    main()
