"""Names of files, before a file system is asked about them."""

from __future__ import annotations

import os
from typing import Any

from privboost.errors import ParameterError, ParameterTypeError

__all__ = ["check_path"]

_EXPECTED = "a file name, as text or Path"


def check_path(path: Any) -> str:
    """Return a file's name as text.

    Parameters
    ----------
    path : str or Path

    Raises
    ------
    ParameterTypeError
        If it is neither.
    ParameterError
        If it is empty, or no file can have it: it holds a NUL character, or half of a surrogate pair.
    """
    if not isinstance(path, str | os.PathLike) or not isinstance(os.fspath(path), str):
        raise ParameterTypeError("path", path, _EXPECTED)
    name: str = os.fspath(path)
    try:
        legal = bool(name) and b"\0" not in os.fsencode(name)
    except UnicodeEncodeError:
        legal = False
    if not legal:
        raise ParameterError("path", name, _EXPECTED, "No file can be called so.")
    return name
