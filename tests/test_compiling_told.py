"""Compiling announces itself when it takes long, once, and never when compiled code is only loaded."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numba
import pytest

from privboost import compiled
from privboost.kernels.sums import leaf_sums


def event_of(function: object) -> SimpleNamespace:
    return SimpleNamespace(data={"dispatcher": SimpleNamespace(py_func=function)})


OURS = event_of(getattr(leaf_sums, "py_func", leaf_sums))
OTHERS = event_of(lambda: None)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(compiled.time, "perf_counter", lambda: clock.now)
    return clock


def compile_for(listener: compiled.CompileListener, clock: SimpleNamespace, seconds: float, event: object) -> None:
    listener.on_start(event)
    clock.now += seconds
    listener.on_end(event)


def test_only_long_compiling_is_told_and_only_once(clock: SimpleNamespace, caplog: pytest.LogCaptureFixture) -> None:
    listener = compiled.CompileListener()
    compile_for(listener, clock, 1.9, OURS)
    clock.now += 50.0  # something else went on meanwhile
    compile_for(listener, clock, 0.05, OURS)
    assert caplog.records == []
    for _ in range(3):
        compile_for(listener, clock, 0.1, OURS)
    (record,) = caplog.records
    assert (record.name, record.levelno) == ("privboost", logging.WARNING)
    assert str(compiled.cache_folder()) in record.getMessage()


def test_nested_functions_count_once(clock: SimpleNamespace, caplog: pytest.LogCaptureFixture) -> None:
    listener = compiled.CompileListener()
    listener.on_start(OURS)
    for _ in range(15):
        compile_for(listener, clock, 0.1, OURS)
    listener.on_end(OURS)
    assert caplog.records == []
    listener.on_start(OURS)
    clock.now += 0.6
    listener.on_start(OURS)  # told while the outer function is still being compiled
    assert len(caplog.records) == 1


def test_functions_of_others_are_not_ours_to_tell_of(clock: SimpleNamespace, caplog: pytest.LogCaptureFixture) -> None:
    listener = compiled.CompileListener()
    compile_for(listener, clock, 60.0, OTHERS)
    assert caplog.records == []


IMPATIENT = """
import warnings
from privboost import compiled
compiled.PATIENCE = 0.0
from privboost import Domain, Numeric, PrivateForestClassifier
warnings.simplefilter("ignore")
public = {"domain": Domain({"x": Numeric(0, 1)}), "classes": [0, 1], "random_state": 0}
PrivateForestClassifier(n_trees=1, max_depth=1, **public).fit([[0.1], [0.9]], [0, 1])
"""


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_a_cold_cache_speaks_and_a_warm_one_is_silent(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    messages = [
        subprocess.run(
            [sys.executable, "-c", IMPATIENT], env=environment, capture_output=True, text=True, check=True, timeout=300
        ).stderr
        for _ in range(2)
    ]
    assert messages[0].count("Compiling privboost's inner loops") == 1
    assert str(tmp_path) in messages[0]
    assert messages[1] == ""
