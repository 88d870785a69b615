"""Packages that only some users need, imported when they are first needed."""

from __future__ import annotations

import importlib
from typing import Any

from privboost.errors import SchemaError

__all__ = ["optional_module"]


def optional_module(module: str, extra: str = "cli", purpose: str = "Reading this file") -> Any:
    """Return a module of an optional package.

    Parameters
    ----------
    module : str
        Such as "pyarrow.csv".
    extra : str, default="cli"
        The extra of privboost that brings it along.
    purpose : str, default="Reading this file"
        What needs it: the subject of the message.

    Raises
    ------
    SchemaError
        If the package is not installed; the message says how to install it.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        name = module.split(".")[0]
        raise SchemaError(
            f"{purpose} needs {name}. Install it with: pip install 'privboost[{extra}]' (in a checkout: "
            f"pip install '.[{extra}]')."
        ) from None
