"""Forms that are filled in as far as something is known: what is left open is to be learnt, for a budget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from privboost.data import domain_files
from privboost.data.attributes import Attribute, Boolean
from privboost.data.domain_files import TODO
from privboost.errors import ParameterError

__all__ = ["OpenForm", "kinds_of_dtypes", "read_form"]

_KINDS = {"integer": "integer", "number": "numeric", "text": "categorical"}


@dataclass(frozen=True)
class OpenForm:
    """What a form says.

    Attributes
    ----------
    columns : dict of str to Attribute or str
        The declaration of each column, or what it is to be learnt as: "numeric", "integer" or "categorical".
    missing : frozenset of str
        Columns of which it says that cells may be missing.
    target : str or None
    classes : tuple or None
        None if they are left open.
    """

    columns: dict[str, Attribute | str]
    missing: frozenset[str]
    target: str | None
    classes: tuple[Any, ...] | None


def read_form(path: str | Path) -> OpenForm:
    """Read a form: a domain file in which bounds, lists of values, or the classes may be absent, or "TODO".

    Parameters
    ----------
    path : str or Path
        A .toml or .json file.

    Raises
    ------
    ParameterError, ParameterTypeError
        As `Domain.load` does, but for what is left open. A kind must be given, and both bounds or neither.
    """
    content = dict(domain_files.load(path))
    if "learnt" in content or not isinstance(content.get("attributes"), list):
        remedy = "'privboost domain draft TABLE' makes one."
        raise ParameterError("--form", str(path), "a form with a list 'attributes', not learnt before", remedy)
    entries = content["attributes"]
    opened = [_is_open(entry) for entry in entries]
    for key in ("target", "classes"):
        if _left_open(content, key):
            content.pop(key, None)
    # What is left open gets a stand-in, so that all else is checked as ever.
    filled = [{**entry, **_stand_in(entry)} if kind else entry for entry, kind in zip(entries, opened, strict=True)]
    attributes, target, classes, _ = domain_files.from_dict({**content, "attributes": filled})
    columns = {
        name: kind if kind is not None else attribute
        for (name, attribute), kind in zip(attributes.items(), opened, strict=True)
    }
    missing = frozenset(name for name, attribute in attributes.items() if attribute.missing)
    return OpenForm(columns, missing, target, classes)


def kinds_of_dtypes(dtypes: Mapping[str, str]) -> dict[str, Attribute | str]:
    """Return what each column is to be learnt as, by its type; booleans need not be learnt.

    Raises
    ------
    ParameterError
        If a type is not known, as in CSV files, which have none.
    """
    columns: dict[str, Attribute | str] = {}
    for name, dtype in dtypes.items():
        kind = domain_files.kind_of_dtype(dtype)
        if kind is None or (kind not in _KINDS and kind != "boolean"):
            raise ParameterError(
                "--form",
                None,
                f"given, as the type of column {name!r} does not say what it holds",
                "Make a form with 'privboost domain draft TABLE', and write the kinds into it; what is left open in "
                "it, bounds and values, is learnt.",
            )
        columns[name] = Boolean() if kind == "boolean" else _KINDS[kind]
    return columns


def _left_open(entry: Mapping[str, Any], key: str) -> bool:
    value = entry.get(key)
    return value is None or value == TODO or (isinstance(value, list) and TODO in value)


def _is_open(entry: object) -> str | None:
    """Return what an attribute is to be learnt as; None if it is declared, or wrong, which is found later."""
    if not isinstance(entry, Mapping):
        return None
    if entry.get("kind") == "numeric":
        bounds = [_left_open(entry, key) for key in ("lo", "hi")]
        if any(bounds) and not all(bounds):
            raise ParameterError(
                f"attribute {entry.get('name')!r}",
                entry.get("lo"),
                "with both bounds, or with neither",
                "Both are learnt.",
            )
        return ("integer" if entry.get("integer") is True else "numeric") if all(bounds) else None
    return "categorical" if entry.get("kind") == "categorical" and _left_open(entry, "values") else None


def _stand_in(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {"lo": 0, "hi": 1} if entry["kind"] == "numeric" else {"values": ["other"]}
