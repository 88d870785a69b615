"""Inner loops over rows, for ``speed.py --kernels``: time, and bytes moved against the memory's bandwidth.

Every call that training or prediction makes of a compiled function of `privboost.kernels` is timed, with one thread.
The bytes that it must move are taken to be those of its arrays with an entry for each row, once; what is written and
read, or read again because it was too large to keep, moves more. The share of the bandwidth is therefore a lower bound.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numba.core.registry import CPUDispatcher

from privboost import BDPEClassifier, PrivateBoostingClassifier
from speed_timing import Setup, made_rows, threads

FEWEST_ROWS = 10_000
"""A call whose longest array is shorter is about nodes or cells, not about rows."""


class Tally:
    """What the calls of one function add up to."""

    def __init__(self) -> None:
        self.seconds = self.rows = self.bytes = 0.0


def moved(arguments: tuple[Any, ...]) -> tuple[int, int]:
    """Return how many rows a call is about, and the bytes of the arrays that have an entry for each."""
    arrays = [a for a in arguments if isinstance(a, np.ndarray)]
    rows = max((max(a.shape, default=0) for a in arrays), default=0)
    if rows < FEWEST_ROWS:
        return 0, 0
    return rows, sum(a.nbytes for a in arrays if rows in a.shape)


@contextmanager
def watched(tallies: dict[str, Tally]) -> Iterator[None]:
    """Time every call of a kernel that is made from Python code of privboost."""
    before = []
    for module_name, module in list(sys.modules.items()):
        if not module_name.startswith("privboost.") or module_name.startswith("privboost.kernels"):
            continue
        for name, value in list(vars(module).items()):
            if isinstance(value, CPUDispatcher) and value.py_func.__module__.startswith("privboost.kernels"):
                before.append((module, name, value))
                setattr(module, name, timed(value, tallies))
    try:
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)


def timed(function: Any, tallies: dict[str, Tally]) -> Callable[..., Any]:
    """Return the function with a clock."""
    tally = tallies[function.py_func.__name__]

    def call(*arguments: Any) -> Any:
        start = time.perf_counter()
        result = function(*arguments)
        taken = time.perf_counter() - start
        rows, n_bytes = moved(arguments)
        if rows:
            tally.seconds, tally.rows, tally.bytes = tally.seconds + taken, tally.rows + rows, tally.bytes + n_bytes
        return result

    return call


def bandwidth(n: int = 2**25) -> float:
    """Return the bytes a second that one thread moves: the better of a copy and of a sum of two arrays, by NumPy."""
    a, b, c = np.ones(n), np.ones(n), np.empty(n)
    rates = []
    for n_bytes, work in ((16 * n, lambda: np.copyto(c, a)), (24 * n, lambda: np.add(a, b, out=c))):
        times = []
        for _ in range(7):
            start = time.perf_counter()
            work()
            times.append(time.perf_counter() - start)
        rates.append(n_bytes / statistics.median(times))
    return max(rates)


def works(n_rows: int) -> Iterator[Callable[[], object]]:
    """Give what uses the kernels: both learners, as they are used for release, and their answers."""
    X, y, domain = made_rows(n_rows)
    public = {"domain": domain, "classes": [0, 1], "max_depth": 6, "n_bins": 64}
    learners = (
        BDPEClassifier(n_trees=3, **public),
        PrivateBoostingClassifier(n_rounds=3, trees_per_round=1, tests_per_node=1, **public),
        PrivateBoostingClassifier(n_rounds=3, trees_per_round=1, tests_per_node=4, **public),
    )
    for learner in learners:
        yield lambda learner=learner: learner.fit(X, y).predict(X)  # type: ignore[misc]


def print_kernels(setup: Setup) -> None:
    """Measure, and print a Markdown table."""
    n_rows = setup.rows(1_000_000)
    tallies: dict[str, Tally] = defaultdict(Tally)
    with threads(1):
        for work in works(n_rows):
            work()  # loads compiled code
            with watched(tallies):
                for _ in range(setup.runs):
                    work()
    best = bandwidth()
    print(f"Bandwidth of one thread: {best / 1e9:.1f} GB/s (arrays of 256 MiB, by NumPy)\n")
    print("| kernel | ms a call of 1,000,000 rows | bytes a row, at least | GB/s | share of the bandwidth |")
    print("|---|---|---|---|---|")
    for name, tally in sorted(tallies.items(), key=lambda item: -item[1].seconds):
        if tally.rows:
            rate = tally.bytes / tally.seconds
            each, a_row = 1e9 * tally.seconds / tally.rows, tally.bytes / tally.rows
            print(f"| `{name}` | {each:.2f} | {a_row:.0f} | {rate / 1e9:.2f} | {rate / best:.0%} |")
