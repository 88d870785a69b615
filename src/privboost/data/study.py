"""The tables of the paper's study: schemas in this package, rows from a folder or an address, by known hash.

No rows are in the package. A file is taken only if its SHA-256 is that of the catalogue: a number of the study then
says
which rows it is about.
"""

from __future__ import annotations

import hashlib
import json
import os
from importlib import resources
from pathlib import Path
from typing import Any

from privboost.data.optional import optional_module
from privboost.errors import ParameterError, SchemaError
from privboost.paths import check_path

__all__ = ["DATA_VARIABLE", "data_source", "domain_kind", "locate_table", "study_catalogue"]

DATA_VARIABLE = "PRIVBOOST_DATA"
"""Environment variable that says where the tables are, if nothing else does."""

_ADDRESSES = ("http://", "https://")


def study_catalogue(path: str | Path | None = None) -> dict[str, dict[str, Any]]:
    """Return the entries of a catalogue by their names, in its order.

    Parameters
    ----------
    path : str, Path or None, default=None
        Another catalogue in the same form. None: the paper's 19 tables.

    Returns
    -------
    dict
        For each table ``file``, ``features`` and ``target``, and for those of the package also ``sha256``, ``rows``,
        ``n_features``, ``source``, ``licence`` and ``remark``.

    Raises
    ------
    SchemaError
        If the file is no catalogue.
    """
    place: Any = resources.files("privboost.data") / "study_domains.json" if path is None else Path(path)
    try:
        entries = json.loads(place.read_text(encoding="utf-8"))["datasets"]
        complete = all({"file", "features", "target"} <= set(entry) for entry in entries.values())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        complete = False
    if not complete:
        raise SchemaError(
            f"{str(path)!r} is no catalogue of tables: a JSON object 'datasets' whose entries have 'file', 'features' "
            "and 'target'."
        )
    return dict(entries)


def domain_kind(meta: dict[str, Any]) -> str:
    """Say whether all ranges of a table are public.

    Returns
    -------
    {"public", "observed"}
        "observed" if the range of any attribute is the least and the largest value of the table itself: nobody knows a
        public one. A private run must not use it; a simulation of the study, as of the paper, has no other.
    """
    return "observed" if any(feature.get("basis") == "observed" for feature in meta["features"]) else "public"


def data_source(given: str | None) -> str:
    """Return the folder or the address of the tables: what was given, or what the environment says.

    Raises
    ------
    SchemaError
        If neither says anything.
    """
    source = given or os.environ.get(DATA_VARIABLE)
    if not source:
        raise SchemaError(
            f"The study needs its tables. Give --data, a folder or an address that holds them, or set {DATA_VARIABLE}."
        )
    return source


def locate_table(name: str, meta: dict[str, Any], source: str) -> Path:
    """Return the file of a table, downloaded if need be, after a look at its hash.

    Parameters
    ----------
    name : str
        What the catalogue calls it.
    meta : dict
        The catalogue's entry. Without ``sha256`` any file in a folder is taken, and none from an address.
    source : str
        Folder, or an address that begins with http:// or https:// and to which ``/`` and the file's name are added. A
        downloaded file stays in the user's cache folder, and is not fetched again.

    Raises
    ------
    SchemaError
        If the file is absent or another one.
    ParameterError
        For an entry without a hash that would have to be downloaded.
    """
    known = meta.get("sha256")
    if source.startswith(_ADDRESSES):
        return _download(name, meta["file"], known, source)
    path: Path = Path(check_path(source)) / meta["file"]
    if not path.is_file():
        raise SchemaError(f"The table {name!r} needs the file {meta['file']!r}, which {source!r} does not hold.")
    if known is not None and hashlib.sha256(path.read_bytes()).hexdigest() != known:
        raise SchemaError(f"{str(path)!r} is not the table {name!r} of the catalogue: its SHA-256 is another.")
    return path


def _download(name: str, file: str, known: str | None, source: str) -> Path:
    if known is None:
        raise ParameterError("sha256", None, f"the hash of {name!r} in the catalogue", "Only known files are fetched.")
    pooch = optional_module("pooch", "study", "Fetching tables")
    pooch.get_logger().setLevel("ERROR")
    address = f"{source.rstrip('/')}/{file}"
    try:
        fetched = pooch.retrieve(address, f"sha256:{known}", fname=file, path=pooch.os_cache("privboost"))
    except ValueError:  # what it raises for another hash
        fault = f"{address!r} is not the table {name!r} of the catalogue: its SHA-256 is another."
    except Exception as error:  # of whatever carries bytes on this machine
        fault = f"{address!r} could not be fetched: {type(error).__name__}."
    else:
        return Path(fetched)
    raise SchemaError(fault)
