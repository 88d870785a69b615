"""How ``speed.py`` takes times: both sides in turns, on made rows, with the same number of threads."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from privboost import Domain, Numeric

N_ATTRIBUTES = 28
LEAST_SECONDS = 0.05
"""Work that takes less is repeated, and its mean taken for one run."""

Work = Callable[[], object]


class NotMeasuredError(Exception):
    """Why a row cannot be measured here."""


@dataclass(frozen=True)
class Setup:
    """What the command line asked for.

    Attributes
    ----------
    runs, threads : int
    scale : float
        Factor of the numbers of rows.
    data : Path or None
    full : bool
    """

    runs: int = 5
    threads: int = 2
    scale: float = 1.0
    data: Path | None = None
    full: bool = False

    def rows(self, n: int) -> int:
        """Return a scaled number of rows."""
        return max(1000, round(n * self.scale))


@dataclass(frozen=True)
class Measured:
    """Medians of both sides."""

    ours: float
    theirs: float

    @property
    def ratio(self) -> float:
        """Ours divided by theirs."""
        return self.ours / self.theirs


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes
    ----------
    name, work, against : str
    limit : float
        Ratio to reach.
    measure : callable
    most : float or None
        What ours has to stay below, too.
    unit : {"s", "MiB"}
    """

    name: str
    work: str
    against: str
    limit: float
    measure: Callable[[Setup], Measured]
    most: float | None = None
    unit: str = "s"

    def shown(self, value: float) -> str:
        """Return a number with its unit."""
        if self.unit == "s" and value < 0.1:
            return f"{1e3 * value:.3g} ms"
        return f"{value:.3g} {self.unit}"


@contextmanager
def threads(n: int) -> Iterator[None]:
    """Let privboost use so many threads at most."""
    before = os.environ.get("OMP_NUM_THREADS")
    os.environ["OMP_NUM_THREADS"] = str(n)
    try:
        yield
    finally:
        if before is None:
            del os.environ["OMP_NUM_THREADS"]
        else:
            os.environ["OMP_NUM_THREADS"] = before


def seconds(work: Work) -> float:
    """Return how long a piece of work takes; the mean of several if it is short."""
    start = time.perf_counter()
    work()
    taken = time.perf_counter() - start
    if taken >= LEAST_SECONDS:
        return taken
    repeats = min(1000, int(2 * LEAST_SECONDS / max(taken, 1e-6)))
    start = time.perf_counter()
    for _ in range(repeats):
        work()
    return (time.perf_counter() - start) / repeats


def contest(setup: Setup, ours: Work, theirs: Work, most_runs: int | None = None) -> Measured:
    """Time both sides in turns, so that whatever else the machine does slows down both."""
    mine, others = [], []
    for _ in range(min(setup.runs, most_runs or setup.runs)):
        with threads(setup.threads):
            mine.append(seconds(ours))
        others.append(seconds(theirs))
    return Measured(statistics.median(mine), statistics.median(others))


def made_rows(
    n_rows: int, n_attributes: int = N_ATTRIBUTES, dtype: type = np.float64
) -> tuple[np.ndarray, np.ndarray, Domain]:
    """Return numbers between 0 and 1, labels that four of them tell with noise, and the domain.

    Written piece by piece: nothing larger than the result is ever held, which matters where memory is measured.
    """
    rng = np.random.default_rng(0)
    X, y = np.empty((n_rows, n_attributes), dtype), np.empty(n_rows, np.int64)
    for start in range(0, n_rows, 65536):
        piece = rng.random((min(65536, n_rows - start), n_attributes))
        X[start : start + 65536] = piece
        y[start : start + 65536] = piece[:, :4].sum(axis=1) + 0.3 * rng.normal(size=len(piece)) > 2.0
    return X, y, Domain({f"x{i}": Numeric(0, 1) for i in range(n_attributes)})
