"""The threads: every item once, never two on one slot, and safe wherever users put them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import joblib
import numpy as np
import pytest

from privboost.errors import ParameterError, ParameterTypeError
from privboost.threads import LEAST_ITEMS, MOST_ITEMS, check_n_jobs, in_ranges, thread_count


@pytest.mark.parametrize("n_threads", [1, 2, 3, 8])
@pytest.mark.parametrize("n_items", [0, 1, 9, 10, 11, 1000, 1003])
def test_every_item_is_done_once_whatever_the_threads(n_items, n_threads):
    done = np.zeros(n_items, np.int64)
    busy = [threading.Lock() for _ in range(n_threads)]

    def work(start, stop, slot):
        assert busy[slot].acquire(blocking=False), "two calls on one slot at a time"
        assert 0 < stop - start <= 10
        done[start:stop] += 1
        busy[slot].release()

    in_ranges(work, n_items, n_threads, size=10)
    np.testing.assert_array_equal(done, np.ones(n_items))


def test_threads_work_side_by_side():
    barrier = threading.Barrier(2)  # opens only for two at a time
    in_ranges(lambda start, stop, slot: barrier.wait(timeout=60), 2, 2, size=1)


def test_an_error_in_any_thread_reaches_the_caller_after_all_have_stopped():
    running = []

    def work(start, stop, slot):
        running.append(start)
        time.sleep(0.01)
        running.remove(start)
        if start == 3:
            raise KeyError("the fourth")

    with pytest.raises(KeyError, match="the fourth"):
        in_ranges(work, 8, 3, size=1)
    assert running == []
    in_ranges(lambda start, stop, slot: running.append(start), 8, 3, size=1)  # the pool is free again
    assert sorted(running) == list(range(8))


def test_who_finds_the_threads_taken_works_alone():
    seen = []

    def outer(start, stop, slot):
        in_ranges(lambda a, b, s: seen.append((s, threading.get_ident())), 4, 4, size=1)

    in_ranges(outer, 4, 2, size=1)
    assert len(seen) == 16
    assert {slot for slot, _ in seen} == {0}
    assert len({thread for _, thread in seen}) <= 2


def test_no_more_threads_than_callers_and_helpers():
    alive = []

    def caller():
        for _ in range(20):
            in_ranges(lambda start, stop, slot: alive.append(threading.get_ident()), 50, 2, size=1)

    callers = [threading.Thread(target=caller) for _ in range(4)]
    for thread in callers:
        thread.start()
    for thread in callers:
        thread.join(timeout=60)
        assert not thread.is_alive()
    assert len(alive) == 4 * 20 * 50
    helpers = [t for t in threading.enumerate() if t.name.startswith("privboost")]
    assert len(helpers) <= max(1, 7)  # of this test, and of those with more threads before it


def total_in_child(n_threads):
    done = np.zeros(1000, np.int64)

    def work(start, stop, slot):
        done[start:stop] += 1

    in_ranges(work, len(done), n_threads, size=10)
    return int(done.sum())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_starts_anew_even_while_the_threads_are_taken():
    code = """
import os, sys, threading
sys.path.insert(0, {folder!r})
from test_threads import total_in_child
from privboost.threads import in_ranges
total_in_child(2)
inside = threading.Event(); go = threading.Event()
def work(start, stop, slot):
    inside.set(); go.wait(60)
holder = threading.Thread(target=lambda: in_ranges(work, 2, 2, size=1)); holder.start(); inside.wait(60)
child = os.fork()
if child == 0:
    os._exit(0 if total_in_child(2) == 1000 else 1)
code = os.waitpid(child, 0)[1]
go.set(); holder.join(60)
assert total_in_child(2) == 1000
sys.exit(code)
"""
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code.format(folder=os.path.dirname(__file__))], timeout=120, check=False
    )
    assert run.returncode == 0


@pytest.mark.parametrize("n_threads", [1, 2, 5])
@pytest.mark.parametrize("n_items", [0, 1, LEAST_ITEMS, LEAST_ITEMS + 1, 10 * LEAST_ITEMS, 10**7])
def test_ranges_of_many_items_are_longer_and_the_last_ones_short(n_items, n_threads):
    ranges: list[tuple[int, int]] = []
    in_ranges(lambda start, stop, slot: ranges.append((start, stop)), n_items, n_threads)
    ranges.sort()
    lengths = [stop - start for start, stop in ranges]
    assert [start for start, _ in ranges] == [0, *(stop for _, stop in ranges)][: len(ranges)]
    assert sum(lengths) == n_items
    assert max(lengths, default=0) <= MOST_ITEMS
    assert all(length >= LEAST_ITEMS for length in lengths[:-1])
    assert lengths == sorted(lengths, reverse=True)
    if n_items == 10**7:
        assert lengths[0] == MOST_ITEMS
        assert lengths[-2] == LEAST_ITEMS


def test_threads_are_counted_as_told(monkeypatch):
    monkeypatch.setattr(joblib, "cpu_count", lambda: 6)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    assert thread_count() == thread_count(-1) == 6
    assert thread_count(-2) == 5
    assert thread_count(-100) == 1
    assert thread_count(9) == thread_count(9, 9 * LEAST_ITEMS) == 9
    assert thread_count(10**19, LEAST_ITEMS + 1) == thread_count(None, LEAST_ITEMS + 1) == 2
    assert thread_count(9, LEAST_ITEMS) == thread_count(None, 1) == 1
    for value, expected in (("1", 1), ("4", 4), ("99", 6), ("3,2", 3), ("0", 1), ("", 6), ("two", 6), ("-1", 6)):
        monkeypatch.setenv("OMP_NUM_THREADS", value)
        assert thread_count() == expected
        assert thread_count(5) == 5


def test_a_worker_of_a_pool_of_processes_has_one_thread():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(thread_count) == pool.apply(thread_count, (4,)) == 1


@pytest.mark.parametrize("value", [True, 1.0, "2"])
def test_n_jobs_of_a_wrong_type(value):
    with pytest.raises(ParameterTypeError, match="n_jobs"):
        check_n_jobs(value)


def test_n_jobs_of_zero():
    with pytest.raises(ParameterError, match="n_jobs"):
        check_n_jobs(0)
    assert check_n_jobs(np.int64(-1)) == -1
    assert check_n_jobs(None) is None


def test_an_error_stops_the_other_threads_after_the_range_they_are_at():
    done = []

    def work(start, stop, slot):
        if slot == 0:
            raise KeyError("at once")
        time.sleep(0.01)
        done.append(start)

    with pytest.raises(KeyError):
        in_ranges(work, 1000, 2, size=1)
    assert len(done) < 500


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="needs signals")
def test_an_interrupt_waits_for_the_other_threads():
    """However often it comes: nobody may touch the arrays after the call."""
    working, sent = [], threading.Event()

    def work(start, stop, slot):
        working.append((slot, start))
        if slot == 0:
            sent.set()
            for _ in range(3):
                signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        else:
            sent.wait()  # or the others, on a machine that holds this thread up, might do everything without it
            time.sleep(0.2)
        working.remove((slot, start))

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever other tests left
    try:
        with pytest.raises(KeyboardInterrupt):
            in_ranges(work, 8, 3, size=1)
    finally:
        signal.signal(signal.SIGINT, before)
    # What this thread was at when the signal came is not among those that were waited for.
    assert [start for slot, start in working if slot != 0] == []
