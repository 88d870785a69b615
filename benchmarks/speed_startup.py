"""Start-up, for ``speed.py``: importing, and the first fit, each in fresh processes."""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from speed_timing import Measured, Setup

FIRST_FIT = """
import time, warnings
warnings.simplefilter("ignore")
import numpy as np
import privboost as pb
rng = np.random.default_rng(0)
X = rng.random((1000, 10))
y = (X[:, 0] > 0.5).astype(int)
domain = pb.Domain({f"x{i}": pb.Numeric(0, 1) for i in range(10)})
start = time.perf_counter()
pb.LEARNER(domain=domain, classes=[0, 1], random_state=SEED).fit(X, y)
print(time.perf_counter() - start)
"""

LEARNERS = ("BDPEClassifier", "PrivateBoostingClassifier")
"""The slower one counts."""


def environment(**changes: str) -> dict[str, str]:
    """Return this process's variables, with a path that holds from any folder, and byte code that may be kept."""
    variables = os.environ | {"PYTHONPATH": os.pathsep.join(os.path.abspath(p) for p in sys.path if p)} | changes
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    return variables


@contextmanager
def byte_code() -> Iterator[str]:
    """Give a folder for byte code, so that every process but the first finds it as an installed package's is found."""
    with tempfile.TemporaryDirectory() as folder:
        yield folder


def output(code: str, variables: dict[str, str], *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *options, "-c", code], env=variables, capture_output=True, text=True, check=True
    )


def measure_import(setup: Setup) -> Measured:
    found = []
    with byte_code() as folder:
        variables = environment(PYTHONPYCACHEPREFIX=folder)
        for _ in range(setup.runs + 1):
            told = output("import numba, sklearn\nimport privboost", variables, "-X", "importtime").stderr
            (microseconds,) = re.findall(r"^import time: +\d+ \| +(\d+) \| privboost$", told, re.MULTILINE)
            found.append(int(microseconds) / 1e6)
    return Measured(statistics.median(found[1:]), 0.5)


def measure_first_fit(setup: Setup, allowed: float, *, secure: bool = False, cold: bool = False) -> Measured:
    medians = []
    with byte_code() as folder:
        for learner in LEARNERS:
            code = FIRST_FIT.replace("LEARNER", learner).replace("SEED", "None" if secure else "0")
            variables = environment(PYTHONPYCACHEPREFIX=folder)
            output(code, variables)  # fills both caches
            found = []
            for _ in range(min(setup.runs, 3) if cold else setup.runs):
                with tempfile.TemporaryDirectory() as empty:
                    chosen = variables | {"NUMBA_CACHE_DIR": empty} if cold else variables
                    found.append(float(output(code, chosen).stdout))
            medians.append(statistics.median(found))
    return Measured(max(medians), allowed)
