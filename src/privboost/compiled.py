"""One decorator for compiled functions, with an on-disk cache that cannot go stale.

Numba stamps a cached function with the content of *its own* file only; a helper edited in another file would be
served from an old cache. Every compiled function of privboost therefore lives in a cache folder whose name is a hash
of all files that hold compiled functions: edit any of them and the folder changes.
"""

from __future__ import annotations

import atexit
import hashlib
import logging
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import event

__all__ = ["PATIENCE", "CompileListener", "cache_folder", "compiled_sources", "kernel"]

F = TypeVar("F", bound=Callable[..., Any])

_PACKAGE = Path(__file__).resolve().parent

PATIENCE = 2.0
"""Seconds of compiling after which a message says what the time is spent on."""

OTHER_SOURCES = ("ensembles/compiled_run.py", "privacy/randomness.py")
"""Files outside the folder of kernels that hold compiled functions."""


def compiled_sources() -> list[Path]:
    """Return every file that may hold compiled functions."""
    return [*sorted((_PACKAGE / "kernels").glob("*.py")), *(_PACKAGE / name for name in OTHER_SOURCES)]


@cache
def cache_folder() -> Path:
    """Return the folder that holds compiled code for exactly these sources and this numba.

    Returns
    -------
    Path
        Below ``NUMBA_CACHE_DIR`` if it is set, else below the user's cache folder, else (nothing writable) below a
        temporary folder, which is deleted when the process ends.
    """
    digest = hashlib.sha256(numba.__version__.encode())
    for source in compiled_sources():
        digest.update(source.read_bytes())
    name = f"privboost-{digest.hexdigest()[:16]}"
    base = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(base) / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except OSError:
        pass
    folder = Path(tempfile.mkdtemp(prefix=f"{name}-"))
    atexit.register(_forget, folder, os.getpid())  # no later process would find it
    return folder


def _forget(folder: Path, owner: int) -> None:
    if os.getpid() == owner:  # not a forked child, whose parent may still need it
        shutil.rmtree(folder, ignore_errors=True)


def kernel(function: F) -> F:
    """Compile ``function`` on first call: no Python objects, the GIL released, the result cached on disk.

    No ``fastmath``: it would break NaN tests and the order of float operations that the sensitivity proofs use.
    """
    config: Any = numba.config  # its settings are made at run time
    before = config.CACHE_DIR
    config.CACHE_DIR = str(cache_folder())
    try:
        compiled: Any = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    finally:
        config.CACHE_DIR = before
    return cast(F, compiled)


class CompileListener(event.Listener):
    """Says once in a process, as a warning of the logger ``privboost``, that compiling takes longer than `PATIENCE`.

    Whether and when depends on the machine, and on which functions are needed: never on what a row holds. Code that is
    loaded from the cache is not compiled. Numba's events come one at a time, under its lock.
    """

    def __init__(self) -> None:
        self.told = False
        self._depth = 0  # functions that are compiled on the way to another one are a part of its time
        self._before = 0.0
        self._since = 0.0

    def on_start(self, event: Any) -> None:
        """Take the time."""
        if not _is_ours(event):
            return
        if self._depth == 0:
            self._since = time.perf_counter()
        self._depth += 1
        self._tell_if_long()

    def on_end(self, event: Any) -> None:
        """Add up."""
        if not _is_ours(event):
            return
        self._tell_if_long()
        self._depth -= 1
        if self._depth == 0:
            self._before += time.perf_counter() - self._since

    def _tell_if_long(self) -> None:
        if self.told or self._before + time.perf_counter() - self._since <= PATIENCE:
            return
        self.told = True
        logging.getLogger("privboost").warning(
            "Compiling privboost's inner loops: this takes some seconds, in the first process that needs them. "
            "The environment variable NUMBA_CACHE_DIR names a folder that keeps the code; it is now in %s.",
            cache_folder(),
        )


def _is_ours(event: Any) -> bool:
    function = getattr(event.data["dispatcher"], "py_func", None)
    return getattr(function, "__module__", "").startswith("privboost.")


listener = CompileListener()
"""The one that listens."""

cast(Any, event).register("numba:compile", listener)  # Numba names no types
