"""Domains as JSON and TOML: parse, check, construct. Unknown keys are refused; nothing is guessed."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import narwhals as nw

from privboost.data.attributes import Attribute, Boolean, Categorical, Category, Numeric, Ordinal
from privboost.data.domain_cost import DomainCost
from privboost.errors import ParameterError, ParameterTypeError, SchemaTypeError
from privboost.paths import check_path

__all__ = [
    "check_suffix",
    "draft",
    "from_dict",
    "kind_of_dtype",
    "load",
    "parse_json",
    "parse_toml",
    "split_entry",
    "to_dict",
    "to_toml",
]

FORMAT = "privboost-domain"
VERSION = 1
LEARNT_VERSION = 2
"""Of domains that were learnt from private rows: versions that do not know of their cost must not read them."""

TODO = "TODO"

_KEYS = {
    "numeric": ("lo", "hi", "integer", "missing"),
    "categorical": ("values", "missing"),
    "ordinal": ("values", "missing"),
    "boolean": ("missing",),
}
_REQUIRED = {"numeric": ("lo", "hi"), "categorical": ("values",), "ordinal": ("values",), "boolean": ()}
_MAKERS: dict[str, Callable[..., Attribute]] = {
    "numeric": Numeric,
    "categorical": Categorical,
    "ordinal": Ordinal,
    "boolean": Boolean,
}
_CATALOGUE_KEYS = ("name", "kind", "dtype", "domain", "categories", "ordered", "missing", "basis", "note")

_Declared = TypeVar("_Declared")
Parsed = tuple[dict[str, Attribute], str | None, tuple[Category, ...] | None, DomainCost | None]


def to_dict(
    attributes: Mapping[str, Attribute],
    target: str | None,
    classes: Sequence[Category] | None,
    cost: DomainCost | None = None,
) -> dict[str, Any]:
    """Return the plain form: a format number, what it cost if it was learnt, and a list of attributes."""
    content: dict[str, Any] = {"format": FORMAT, "version": VERSION if cost is None else LEARNT_VERSION}
    if cost is not None:
        content["learnt"] = cost.to_dict()
    if target is not None:
        content["target"] = target
    if classes is not None:
        content["classes"] = list(classes)
    content["attributes"] = [_attribute_to_dict(name, attribute) for name, attribute in attributes.items()]
    return content


def _attribute_to_dict(name: str, attribute: Attribute) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": name, "kind": attribute.kind}
    if isinstance(attribute, Numeric):
        entry |= {"lo": _plain(attribute.lo), "hi": _plain(attribute.hi), "integer": attribute.integer}
    elif isinstance(attribute, Categorical):
        entry["values"] = list(attribute.values)
    return entry | {"missing": attribute.missing}


def _plain(bound: float) -> int | float:
    return int(bound) if bound.is_integer() and abs(bound) < 2**53 else bound


def from_dict(content: Mapping[str, Any]) -> Parsed:
    """Return attributes, target and classes of a plain form or of a catalogue entry."""
    if not isinstance(content, Mapping):
        raise ParameterTypeError("domain", content, "an object with a list 'attributes'")
    if "features" in content:
        return _from_catalogue(content)
    if "datasets" in content:
        _refuse_catalogue(content)
    _check_keys("domain", content, ("format", "version", "learnt", "target", "classes", "attributes"))
    if content.get("format") != FORMAT:
        raise ParameterError("format", content.get("format"), repr(FORMAT))
    cost = _cost(content)
    entries = content.get("attributes")
    if not isinstance(entries, list):
        raise ParameterTypeError("attributes", entries, "a list of attributes")
    attributes: dict[str, Attribute] = {}
    for entry in entries:
        name = _entry_name(entry)
        if name in attributes:
            raise ParameterError("name", name, "given to one attribute only")
        attributes[name] = _attribute_from_dict(name, entry)
    for key in ("target", "classes"):
        _refuse_todo(key, content.get(key), "the domain")
    return attributes, content.get("target"), _classes(content.get("classes")), cost


def _cost(content: Mapping[str, Any]) -> DomainCost | None:
    """Return what a learnt domain cost; such a file has a version of its own, and no other file has a cost."""
    version = content.get("version")
    if isinstance(version, bool) or version not in (VERSION, LEARNT_VERSION):
        known = f"{VERSION}, or {LEARNT_VERSION} for a domain that was learnt from private rows"
        raise ParameterError("version", version, known, "A newer privboost may read this file.")
    if (version == LEARNT_VERSION) != ("learnt" in content):
        raise ParameterError("version", version, f"{LEARNT_VERSION} with 'learnt', what the domain cost, and only then")
    return DomainCost.from_dict(content["learnt"]) if version == LEARNT_VERSION else None


def _classes(classes: object) -> tuple[Category, ...] | None:
    if classes is None:
        return None
    if not isinstance(classes, list):
        raise ParameterTypeError("classes", classes, "a list of labels")
    return tuple(_named("classes", lambda: Categorical(classes)).values)


def _entry_name(entry: object) -> str:
    if not isinstance(entry, Mapping):
        raise ParameterTypeError("attributes", entry, "a list of objects")
    name = entry.get("name")
    if not isinstance(name, str):
        raise ParameterTypeError("name", name, "text, in every attribute")
    return name


def _attribute_from_dict(name: str, entry: Mapping[str, Any]) -> Attribute:
    kind = entry.get("kind")
    _refuse_todo("kind", kind, f"attribute {name!r}")
    if not isinstance(kind, str) or kind not in _KEYS:
        raise ParameterError(f"kind of attribute {name!r}", kind, f"one of {list(_KEYS)}")
    _check_keys(f"attribute {name!r}", entry, ("name", "kind", *_KEYS[kind]))
    for key in _REQUIRED[kind]:
        if key not in entry:
            raise ParameterError(f"attribute {name!r}", sorted(entry), f"an object with the key {key!r}")
    for key in _KEYS[kind]:
        _refuse_todo(key, entry.get(key), f"attribute {name!r}")
    values = entry.get("values", [])
    if not isinstance(values, list):
        raise ParameterTypeError(f"values of attribute {name!r}", values, "a list")
    return _named(name, lambda: _MAKERS[kind](**{key: entry[key] for key in _KEYS[kind] if key in entry}))


def _named(name: str, make: Callable[[], _Declared]) -> _Declared:
    """Call `make`; let its error say which attribute it is about."""
    try:
        return make()
    except ParameterError as error:
        parameter = f"{error.parameter} of attribute {name!r}"
        raise type(error)(parameter, error.value, error.expected, error.remedy) from None


def _refuse_todo(key: str, value: object, where: str) -> None:
    if value == TODO or (isinstance(value, list) and TODO in value):
        raise ParameterError(
            key, TODO, f"filled in for {where}", "Write what may occur by public knowledge, not what the rows hold."
        )


def _check_keys(where: str, content: Mapping[str, Any], known: Sequence[str]) -> None:
    unknown = sorted(str(key) for key in content if key not in known)
    if unknown:
        raise ParameterError(where, unknown[0], f"an object with no other keys than {list(known)}")


# -- catalogues of data sets


def _from_catalogue(entry: Mapping[str, Any]) -> Parsed:
    features = entry["features"]
    if not isinstance(features, list):
        raise ParameterTypeError("features", features, "a list of features")
    attributes: dict[str, Attribute] = {}
    for feature in features:
        name = _entry_name(feature)
        if name in attributes:
            raise ParameterError("name", name, "given to one feature only")
        attributes[name] = _feature(name, feature)
    target = entry.get("target")
    if not isinstance(target, Mapping):
        return attributes, None, None, None
    classes = target.get("classes")
    return attributes, target.get("name"), None if classes is None else _classes(list(classes)), None


def _feature(name: str, feature: Mapping[str, Any]) -> Attribute:
    _check_keys(f"feature {name!r}", feature, _CATALOGUE_KEYS)
    missing = bool(feature.get("missing", 0))
    if feature.get("kind") == "numeric":
        bounds = feature.get("domain")
        if not isinstance(bounds, list) or len(bounds) != 2:
            raise ParameterTypeError(f"domain of feature {name!r}", bounds, "a list [lo, hi]")
        integer = feature.get("dtype") == "integer"
        return _named(name, lambda: Numeric(bounds[0], bounds[1], integer=integer, missing=missing))
    if feature.get("kind") != "categorical":
        raise ParameterError(f"kind of feature {name!r}", feature.get("kind"), "'numeric' or 'categorical'")
    make = Ordinal if feature.get("ordered", False) else Categorical
    return _named(name, lambda: make(feature.get("categories", ()), missing=missing))


def _refuse_catalogue(content: Mapping[str, Any]) -> NoReturn:
    names = sorted(content["datasets"])
    shown = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
    raise ParameterError("domain", "a catalogue", "one domain", f"Name an entry, as FILE.json:ENTRY: {shown}.")


# -- reading


def check_suffix(path: Path) -> str:
    """Return ".json" or ".toml", the suffix of `path`, or raise."""
    suffix = path.suffix.lower()
    if suffix not in (".json", ".toml"):
        raise ParameterError("path", str(path), "the name of a .json or .toml file")
    return suffix


def split_entry(where: str | Path) -> tuple[Path, str | None]:
    """Split ``FILE.json:ENTRY``, or ``FILE.json#ENTRY``; a file of that very name is that file, and no entry of one."""
    path = Path(check_path(where))
    if not path.exists():
        for mark in ":#":
            file, found, entry = str(where).rpartition(mark)
            if found and file.lower().endswith((".json", ".toml")):
                return Path(file), entry
    return path, None


def load(path: str | Path) -> Mapping[str, Any]:
    """Return the parsed content of a domain file, or of one entry of a catalogue: ``FILE.json:ENTRY``."""
    path, entry = split_entry(path)
    content = parse_json(path) if check_suffix(path) == ".json" else parse_toml(path)
    if entry is None:
        return content
    datasets = content.get("datasets") if isinstance(content, Mapping) else None
    if not isinstance(datasets, Mapping) or entry not in datasets:
        known = f"one of {sorted(datasets)}" if isinstance(datasets, Mapping) else "left out: the file has no entries"
        raise ParameterError("entry", entry, known)
    chosen: Mapping[str, Any] = datasets[entry]
    return chosen


def parse_json(source: str | Path | Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the object in JSON text, in a file, or as given. NaN, Infinity and repeated keys are refused."""
    if isinstance(source, Mapping):
        return source
    if not isinstance(source, str | Path):
        raise ParameterTypeError("domain", source, "a path, JSON text or a JSON object")
    is_text = isinstance(source, str) and source.lstrip().startswith("{")
    text = str(source) if is_text else _read(source)
    try:
        content = json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_refuse_constant)
    except (json.JSONDecodeError, RecursionError) as error:
        raise ParameterError("domain", _shown(source), "valid JSON", f"{error}.") from None
    except ParameterError:
        raise
    except ValueError:  # an integer of thousands of digits
        raise ParameterError("domain", _shown(source), "valid JSON", "It holds a number that is too long.") from None
    if not isinstance(content, Mapping):
        raise ParameterTypeError("domain", _shown(source), "a JSON object")
    return content


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        keys = [key for key, _ in pairs]
        seen: set[str] = set()
        repeated = next(key for key in keys if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ParameterError("key", repeated, "given once only")
    return content


def _refuse_constant(name: str) -> NoReturn:
    raise ParameterError("domain", name, "strict JSON, which has no such number")


def parse_toml(source: str | Path) -> Mapping[str, Any]:
    """Return the tables of TOML text or of a file."""
    if not isinstance(source, str | Path):
        raise ParameterTypeError("domain", source, "a path or TOML text")
    is_path = isinstance(source, Path) or (source.endswith(".toml") and "\n" not in source)
    text = _read(source) if is_path else str(source)
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ParameterError("domain", _shown(source), "valid TOML", f"{error}.") from None
    except ValueError:  # an integer of thousands of digits, or a date that there is not
        raise ParameterError("domain", _shown(source), "valid TOML", "It holds a number that is too long.") from None


def _read(path: str | Path) -> str:
    check_path(path)
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "It is not UTF-8 text"
        raise ParameterError("path", str(path), "a readable text file", f"{reason}.") from None


def _shown(source: str | Path) -> str:
    return str(source) if isinstance(source, Path) or len(source) < 60 else "text"


# -- writing


def to_toml(content: Mapping[str, Any]) -> str:
    """Return the plain form as TOML."""
    lines = [f"{key} = {_toml(value)}" for key, value in content.items() if key != "attributes"]
    for entry in content["attributes"]:
        lines += ["", "[[attributes]]", *(f"{key} = {_toml(value)}" for key, value in entry.items())]
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # JSON escapes all that TOML wants escaped, but for the delete character.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_toml(entry)}" for key, entry in value.items()) + " }"
    return repr(value)


_DRAFT_HEAD = f"""\
# What each column may hold. Fill in every {TODO} from public knowledge: a unit, a percentage, a field's width, a code
# book. Do not look the bounds or the categories up in the private rows: that would disclose them.
# Delete a column that is not to be used. Kinds: numeric (lo, hi, integer), categorical (values), ordinal (values from
# lowest to highest), boolean. Set missing = true where cells may be empty.
format = "{FORMAT}"
version = {VERSION}
# target = "{TODO}"           # the column to predict; do not list it below
# classes = ["{TODO}", "{TODO}"]  # the labels that it may have
"""

_DRAFT_LINES = {
    "integer": ['kind = "numeric"', f'lo = "{TODO}"', f'hi = "{TODO}"', "integer = true"],
    "number": ['kind = "numeric"', f'lo = "{TODO}"', f'hi = "{TODO}"', "integer = false"],
    "boolean": ['kind = "boolean"'],
    "text": ['kind = "categorical"', f'values = ["{TODO}"]'],
    "unknown": [f'kind = "{TODO}"'],
}

_DTYPES = (
    ("boolean", re.compile(r"bool.*")),
    ("text", re.compile(r"(large_)?(str|string|utf8)(_view|\[.*)?|object|categor.*|enum.*|text|dictionary.*|<u\d+")),
    ("integer", re.compile(r"u?int(eger)?\d*(\[.*)?")),
    ("number", re.compile(r"(float\d*|half|double|halffloat|real|numeric|number|decimal.*)(\[.*)?")),
    ("unknown", re.compile(r"|unknown|\?|null|none")),
)


def draft(schema: Any) -> str:
    """Return a TOML form for these names and dtypes; see `Domain.draft`."""
    parts = [_DRAFT_HEAD]
    for name, dtype in _names_and_dtypes(schema).items():
        kind = kind_of_dtype(dtype)
        shown = re.sub(r"[\x00-\x1f\x7f]", " ", dtype)
        if kind is None:
            parts.append(
                f"# Column {_toml(name)} has dtype {shown}, which cannot be used. Convert it, or leave it out.\n"
            )
            continue
        lines = ["[[attributes]]", f"name = {_toml(name)}  # {shown}" if shown else f"name = {_toml(name)}"]
        parts.append("\n".join([*lines, *_DRAFT_LINES[kind], "missing = false", ""]))
    return "\n".join(parts)


def kind_of_dtype(dtype: str) -> str | None:
    """Return "integer", "number", "boolean", "text" or "unknown" for a dtype's name; None if it cannot be used."""
    return next((kind for kind, pattern in _DTYPES if pattern.fullmatch(dtype.lower())), None)


def _names_and_dtypes(schema: Any) -> dict[str, str]:
    if nw.dependencies.is_narwhals_dataframe(schema) or nw.dependencies.is_narwhals_lazyframe(schema):
        schema = nw.to_native(schema)
    pairs: list[tuple[Any, Any]]
    if isinstance(schema, Mapping):
        pairs = list(schema.items())
    elif nw.dependencies.is_pandas_dataframe(schema):
        pairs = list(zip(schema.columns, schema.dtypes, strict=True))
    elif nw.dependencies.is_polars_dataframe(schema) or nw.dependencies.is_polars_lazyframe(schema):
        pairs = list(schema.collect_schema().items())
    elif nw.dependencies.is_pyarrow_table(schema) or nw.dependencies.is_pyarrow_schema(schema):
        fields = getattr(schema, "schema", schema)
        pairs = list(zip(fields.names, fields.types, strict=True))
    else:
        raise SchemaTypeError("A form is drafted from a mapping of names to dtypes, or from a table with column names.")
    for name, _ in pairs:
        if not isinstance(name, str) or not name:
            raise SchemaTypeError("Column names must be text that is not empty. Rename the columns.")
    if len({name for name, _ in pairs}) < len(pairs):
        raise SchemaTypeError("Two columns have the same name. Give every column a name of its own.")
    return {name: _dtype_text(dtype) for name, dtype in pairs}


def _dtype_text(dtype: Any) -> str:
    # Cut at the bracket: some dtypes print their categories, which may have been taken from the rows.
    text = dtype.__name__ if isinstance(dtype, type) else str(dtype)
    return re.split(r"[(<]", text, maxsplit=1)[0] if not text.startswith("<") else text
