"""Work on rows, divided among threads: one small pool a process, which no two callers share at a time.

Compiled functions release the interpreter's lock, so ordinary threads run them side by side. There is no OpenMP here,
and none of Numba's own threads: a fork starts with an empty pool, and who finds the pool taken works in its own thread,
so that fits in several threads at once do not wait for each other, and all of them together have one pool of helpers.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from numbers import Integral

import joblib

from privboost.errors import ParameterError, ParameterTypeError

__all__ = ["LEAST_ITEMS", "MOST_ITEMS", "check_n_jobs", "in_ranges", "thread_count"]

LEAST_ITEMS = 16384
"""Fewest rows of a range that one thread takes at a time. Handing it over, and calling compiled functions on it, costs
some ten microseconds each, in which no other thread can do the same: as much as a few thousand rows."""

MOST_ITEMS = 4 * LEAST_ITEMS - 1
"""Most rows of a range: their numbers still fit the caches."""


def check_n_jobs(n_jobs: object) -> int | None:
    """Return ``n_jobs`` if it is None or an integer other than 0.

    Raises
    ------
    ParameterError, ParameterTypeError
        For anything else.
    """
    expected = "None, a number of threads from 1 on, or a negative one: -1 for all cores, -2 for all but one"
    if n_jobs is None:
        return None
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, Integral):
        raise ParameterTypeError("n_jobs", n_jobs, expected)
    if n_jobs == 0:
        raise ParameterError("n_jobs", 0, expected)
    return int(n_jobs)


def thread_count(n_jobs: int | None = None, n_items: int | None = None) -> int:
    """Return how many threads to use.

    Parameters
    ----------
    n_jobs : int or None, default=None
        None: as many as there are cores that this process may use, but not more than the environment variable
        ``OMP_NUM_THREADS`` says. A positive number: that many. A negative one: cores + 1 + n_jobs, at least 1.
    n_items : int or None, default=None
        Items to be done: every `LEAST_ITEMS` of them, or a part of as many, may have a thread.

    Returns
    -------
    int
        1 or more. Always 1 in a worker of a `multiprocessing` pool, where the other cores have a worker of their own.

    Notes
    -----
    Cores are counted by joblib: affinity, the limits of control groups and ``LOKY_MAX_CPU_COUNT`` lower their number.
    Its loky workers set ``OMP_NUM_THREADS``.
    """
    most = None if n_items is None else -(-n_items // LEAST_ITEMS)
    # Counting cores takes longer than a small fit.
    if (most is not None and most <= 1) or multiprocessing.current_process().daemon:
        return 1
    wanted = n_jobs if n_jobs is not None and n_jobs > 0 else _share_of_cores(n_jobs)
    return wanted if most is None else min(wanted, most)


def _share_of_cores(n_jobs: int | None) -> int:
    cores: int = joblib.cpu_count()
    if n_jobs is not None:
        return max(1, cores + 1 + n_jobs)
    limit = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    return max(1, min(cores, int(limit))) if limit.isdecimal() else cores


class _Pool:
    """The helping threads of this process, and who may use them now."""

    def __init__(self) -> None:
        self.taken = threading.Lock()
        self.size = 0
        self.executor: ThreadPoolExecutor | None = None

    def helpers(self, n: int) -> ThreadPoolExecutor:
        """Return a pool of ``n`` threads or more; to be called by the one who has `taken` it."""
        if self.executor is None or self.size < n:
            if self.executor is not None:
                self.executor.shutdown(wait=False)
            self.executor, self.size = ThreadPoolExecutor(n, thread_name_prefix="privboost"), n
        return self.executor


_pool = _Pool()


def _start_anew() -> None:
    # The threads of the process that forked are not in its child, and nobody there would ever open the lock.
    global _pool
    _pool = _Pool()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)


def in_ranges(work: Callable[[int, int, int], None], n_items: int, n_threads: int, size: int | None = None) -> None:
    """Call ``work(start, stop, slot)`` on ranges that cover ``0 .. n_items - 1``, each once, by several threads.

    Parameters
    ----------
    work : callable
        Must give the same result whatever the ranges, and in whatever order. No two calls with the same ``slot``
        (``0 .. n_threads - 1``) take place at a time, so that each may add to sums of its own.
    n_items : int
    n_threads : int
        Most threads, that of the caller among them.
    size : int, optional
        Items of a range; the last may have fewer. None for `MOST_ITEMS` at most, and fewer towards the end, down to
        `LEAST_ITEMS`, so that no thread waits long for the last range of another.

    Notes
    -----
    Ranges are taken one by one, so that a thread which is held up leaves more of them to the others. If another caller
    is using the threads of this process, ``work`` is called in this thread alone, range by range.
    """
    pool = _pool
    ranges = _ranges(n_items, n_threads, size)
    if n_threads == 1 or len(ranges) <= 1 or not pool.taken.acquire(blocking=False):
        for start, stop in ranges:
            work(start, stop, 0)
        return
    try:
        _share(pool, work, ranges, min(n_threads, len(ranges)))
    finally:
        pool.taken.release()


def _ranges(n_items: int, n_threads: int, size: int | None) -> list[tuple[int, int]]:
    found, start = [], 0
    while start < n_items:
        part = -(-(n_items - start) // (2 * n_threads))
        stop = min(start + (min(max(part, LEAST_ITEMS), MOST_ITEMS) if size is None else size), n_items)
        found.append((start, stop))
        start = stop
    return found


def _share(pool: _Pool, work: Callable[[int, int, int], None], ranges: list[tuple[int, int]], n_threads: int) -> None:
    left = deque(ranges)  # from which two threads never take the same
    stopped = threading.Event()

    def take(slot: int) -> None:
        try:
            while not stopped.is_set():
                try:
                    start, stop = left.popleft()
                except IndexError:
                    return
                work(start, stop, slot)
        except BaseException:
            stopped.set()  # what the others did would be for nothing
            raise

    futures: list[Future[None]] = []
    with contextlib.suppress(RuntimeError):  # the interpreter is closing down: what cannot be handed over is left here
        for slot in range(1, n_threads):
            futures.append(pool.helpers(n_threads - 1).submit(take, slot))
    try:
        take(0)
    finally:
        _wait(futures, stopped)
    for future in futures:
        future.result()


def _wait(futures: list[Future[None]], stopped: threading.Event) -> None:
    """Return when no helper works any more, even if interrupted: nobody may touch the arrays after the call."""
    interrupt: BaseException | None = None
    while True:
        try:
            wait(futures)
            break
        except BaseException as error:
            stopped.set()
            interrupt = error
    if interrupt is not None:
        raise interrupt
