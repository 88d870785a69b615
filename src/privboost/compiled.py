"""One decorator for compiled functions, with an on-disk cache that cannot go stale.

Numba stamps a cached function with the content of *its own* file only; a helper edited in another file would be
served from an old cache. Every compiled function of privboost therefore lives in a cache folder whose name is a hash
of all files that hold compiled functions: edit any of them and the folder changes.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

__all__ = ["cache_folder", "compiled_sources", "kernel"]

F = TypeVar("F", bound=Callable[..., Any])

_PACKAGE = Path(__file__).resolve().parent

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
        temporary folder.
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
    return Path(tempfile.mkdtemp(prefix=f"{name}-"))


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
