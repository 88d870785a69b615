"""The files that a command line names: inputs that are there, and an output that is none of them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from privboost.data.domain_files import split_entry
from privboost.errors import ParameterError, SchemaError

__all__ = ["check_files"]

_REMEDY = {
    "MODEL": "Give the file that 'privboost train --out' has written.",
    "TABLE": "Give the name of a CSV or Parquet file.",
    "--table": "Give the name of a CSV or Parquet file.",
    "--budget": "'privboost budget create FILE --epsilon NUMBER' makes one.",
    "FILE": "'privboost budget create FILE --epsilon NUMBER' makes one.",
    "--form": "'privboost domain draft TABLE' makes one.",
    "--domain": "Give a .toml or .json file; 'privboost domain draft TABLE' makes a form of one.",
}


def check_files(inputs: Mapping[str, str | None], out: str | None = None, option: str = "--out") -> None:
    """Look at names alone, before any file is opened.

    Parameters
    ----------
    inputs : mapping of str to str or None
        Files to read, by what the command line calls them; "--domain" may be ``FILE.json:ENTRY``. None is not given.
    out : str or None, default=None
        File to write.
    option : str, default="--out"
        What the command line calls the latter.

    Raises
    ------
    SchemaError
        If an input is absent or a folder.
    ParameterError
        If ``out`` cannot be written, or is one of the inputs, by whatever name: writing it would destroy that input.
    """
    paths = {
        name: split_entry(given)[0] if name == "--domain" else Path(given)
        for name, given in inputs.items()
        if given is not None
    }
    for name, path in paths.items():
        if not path.exists():
            raise SchemaError(f"{name}: {str(path)!r} does not exist. {_REMEDY[name]}")
        if path.is_dir():
            raise SchemaError(f"{name}: {str(path)!r} is not a file but a folder. {_REMEDY[name]}")
    if out is None:
        return
    _check_writable(out, option)
    for name, path in paths.items():
        if os.path.exists(out) and os.path.samefile(out, path):
            raise ParameterError(option, out, f"another file than {name}", "It would be overwritten: name a new file.")


def _check_writable(out: str, option: str) -> None:
    path = Path(out)
    if path.exists() and not path.is_file():
        raise ParameterError(option, out, "the name of a file", "It names a folder or a device.")
    folder = path.resolve().parent
    if not folder.is_dir():
        raise ParameterError(option, out, "a file in a folder that exists", f"Make the folder first: {folder}.")
    if not os.access(folder, os.W_OK):
        raise ParameterError(option, out, "a file in a folder that can be written to", "Choose another folder.")
