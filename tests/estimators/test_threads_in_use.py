"""Fits where users put them: in threads, after forks, in every back end of joblib. Each in a process of its own.

Each script prints a digest of what it trained; all must be that of one thread in one process. A deadlock is a timeout,
and threads beyond those that were asked for fail the script itself.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
TIMEOUT = 300


def output(code: str, **variables: str) -> list[str]:
    """Run a script beside this file's helper, and return what it printed."""
    path = os.pathsep.join([str(TESTS), *(os.path.abspath(p) for p in sys.path if p)])
    done = subprocess.run(
        [sys.executable, "-c", "from threads_in_use import *\n" + code],
        env=os.environ | {"PYTHONPATH": path, "LOKY_MAX_CPU_COUNT": "2"} | variables,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.fixture(scope="module")
def alone() -> list[str]:
    """What one thread trains: one digest a learner."""
    (digests,) = {tuple(output("print(*[fit(k, 1) for k in range(len(LEARNERS))])", OMP_NUM_THREADS="1"))}
    assert len(set(digests)) == len(digests) >= 3
    return list(digests)


@pytest.mark.parametrize("n_jobs", ["1", "2", "3", "None", "-1"])
def test_the_number_of_threads_changes_no_bit(alone: list[str], n_jobs: str) -> None:
    assert output(f"print(*[fit(k, {n_jobs}) for k in range(len(LEARNERS))])") == alone


def test_threads_are_really_used() -> None:
    assert output("fit(0, 2); print(len(helpers()))") == ["1"]
    assert output("fit(0, 3); print(len(helpers()))") == ["2"]
    assert output("fit(0, 1); print(len(helpers()))") == ["0"]


@pytest.mark.parametrize("n_jobs", ["1", "2", "3", "None"])
def test_nobody_else_starts_threads(n_jobs: str) -> None:
    """Neither OpenMP's nor Numba's or NumPy's: all that there are after a fit were there before, or are our own."""
    code = f"""
fit(0, 1)
before, ours = n_threads(), len(helpers())
fit(0, {n_jobs})
fit(1, {n_jobs})
print(before is None or n_threads() - before == len(helpers()) - ours <= 2)
"""
    assert output(code) == ["True"]


def test_no_thread_is_started_where_the_environment_says_so() -> None:
    assert output("fit(0, None); print(len(helpers()))", OMP_NUM_THREADS="1") == ["0"]


def test_several_fits_at_once_in_threads(alone: list[str]) -> None:
    code = """
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(4) as pool:
    found = list(pool.map(lambda k: fit(k % len(LEARNERS), 2), range(12)))
assert len(helpers()) <= 1, helpers()
print(*found)
"""
    assert output(code) == alone * (12 // len(alone))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_fit_after_a_fork(alone: list[str]) -> None:
    """The parent's helping threads are not in the child, which starts its own; both work on."""
    code = """
import warnings
fit(0, 2)
warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns of forks where threads run
for _ in range(3):
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, " ".join(fit(k, 2) for k in range(len(LEARNERS))).encode())
        os._exit(0)
    os.close(write)
    inside = b""
    while piece := os.read(read, 4096):
        inside += piece
    assert os.waitpid(child, 0)[1] == 0
    print(inside.decode())
print(fit(0, 2))
"""
    assert output(code) == [*alone * 3, alone[0]]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_fork_while_another_thread_fits(alone: list[str]) -> None:
    code = """
import threading, warnings
warnings.simplefilter("ignore", DeprecationWarning)
started, stop = threading.Event(), threading.Event()

def keep_fitting():
    while not stop.is_set():
        started.set()
        fit(0, 2)

fit(0, 2)
busy = threading.Thread(target=keep_fitting)
busy.start()
started.wait()
for _ in range(5):
    child = os.fork()
    if child == 0:
        os._exit(0 if fit(0, 2) == ALONE else 1)
    assert os.waitpid(child, 0)[1] == 0
stop.set()
busy.join()
""".replace("ALONE", repr(alone[0]))
    assert output(code) == []


@pytest.mark.parametrize("backend", ["loky", "threading", "multiprocessing"])
def test_in_the_back_ends_of_joblib(alone: list[str], backend: str) -> None:
    code = f"""
fit(0, 2)
jobs = joblib.Parallel(n_jobs=2, backend={backend!r})
found = jobs(joblib.delayed(fit_and_count)(k % len(LEARNERS)) for k in range(6))
print(*[digest for digest, _ in found])
print(max(count for _, count in found))
"""
    *digests, most = output(code)
    assert digests == alone * (6 // len(alone))
    # Workers share two cores: processes have one thread each, and threads share the one pool.
    assert int(most) <= 1


def test_in_a_search_of_scikit_learn(alone: list[str]) -> None:
    code = """
from sklearn.model_selection import GridSearchCV
def search(n_jobs):
    grid = GridSearchCV(LEARNERS[0](), {"max_depth": [2, 3]}, cv=2, n_jobs=n_jobs).fit(X, y)
    return hashlib.sha256(repr(grid.cv_results_["mean_test_score"].tolist()).encode()).hexdigest()
assert search(2) == search(None)
assert len(helpers()) <= 1
print(fit(0, 2))
"""
    assert output(code) == [alone[0]]
