"""The model file: everything that a fitted model is, as strict JSON that is parsed, verified and only then constructed.

Nothing in a file is executed, imported or trusted: a loaded model is rebuilt from checked numbers and names. `FORMAT`
numbers the layout; a file of a newer layout is refused by name, and files of older ones stay readable. To change the
layout, raise `FORMAT`, keep the reader of the old one, and keep a file of the old one among the tests.

Every model is written in the oldest format that holds all of it, so that older versions read what they can.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import numpy as np

from privboost.data.domain import Domain
from privboost.data.refinement import Refinement, refine_layout
from privboost.ensembles.ensemble import COMBINATIONS, MAX_REACH, VECTOR, Ensemble
from privboost.ensembles.plan import MAX_RELEASES
from privboost.errors import ModelFileError, ParameterError
from privboost.exchange.consistency import check_consistency
from privboost.exchange.newton import NEWTON
from privboost.exchange.record import Label, ModelRecord
from privboost.exchange.strict_json import parse, read_bytes, render, same_json, write_text
from privboost.privacy.statement import PrivacyStatement
from privboost.trees.tree import MAX_DEPTH, Splits, Tree

__all__ = ["FORMAT", "ModelRecord", "dumps", "loads", "read_model", "write_model"]

FORMAT = 2
KIND = "privboost model"

# How a domain file starts, in TOML, perhaps with comments, or in JSON. A model file starts with its kind.
_DOMAIN_FILE = re.compile(rb'(?:\s|#[^\n]*\n|\{)*"?format"?\s*[:=]\s*"privboost-domain"')

# Limits on what a file may ask for before its parts are looked at: each bounds the time that verifying takes.
MAX_BINS = 500_000  # numeric attributes times n_bins: every bin's edge is worked out exactly
_MAX_NESTING = 8

_FIELDS_1 = (
    "kind",
    "format",
    "learner",
    "parameters",
    "n_bins",
    "domain",
    "classes",
    "feature_names",
    "ensemble",
    "plan",
    "statement",
)
_ENSEMBLE_FIELDS_1 = ("combination", "alpha", "weights", "outputs", "trees")
_FIELDS = {1: _FIELDS_1, 2: (*_FIELDS_1, "refinement", "target_range")}
_ENSEMBLE_FIELDS = {1: _ENSEMBLE_FIELDS_1, 2: (*_ENSEMBLE_FIELDS_1, "base", "reach")}
_TREE_FIELDS = ("depth", "attribute", "first", "last", "missing_right", "values")


def write_model(record: ModelRecord, path: str | Path) -> None:
    """Write a model file; after an error, whatever was at ``path`` is still there.

    Parameters
    ----------
    record : ModelRecord
    path : str or Path

    Raises
    ------
    ModelFileError
        If the record is not one that `read_model` would accept.
    OSError
        If the file system refuses.
    """
    write_text(path, dumps(record))


def dumps(record: ModelRecord) -> str:
    """Return the text of a model file. It is read back before it is returned: what is written can be loaded.

    Raises
    ------
    ModelFileError
        If the record is not one that `loads` would accept.
    """
    _check_fits(record)
    try:
        text = render(_document(record))
    except (ArithmeticError, TypeError, ValueError):
        raise ModelFileError("The model holds a value that strict JSON cannot hold.") from None
    loads(text)
    return text


def read_model(path: str | Path) -> ModelRecord:
    """Read and verify a model file.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    ModelRecord

    Raises
    ------
    ModelFileError
        If the file is not a model, is damaged, or has a format that this version does not read.
    VerificationError
        If its parts contradict each other: a ledger that does not support the stated epsilon, or does not account for
        every tree; a test that the domain does not have.
    OSError
        If the file cannot be read.
    """
    content = read_bytes(path)
    if _DOMAIN_FILE.match(content):
        raise ModelFileError(
            "This is a domain file, no model. It holds what a learnt domain cost, but not the ledger of its releases: "
            "'privboost domain learn --json' prints the statement with it, and verify_statement checks that in Python."
        )
    return loads(content)


def loads(text: str | bytes) -> ModelRecord:
    """Read and verify the text of a model file; see `read_model`."""
    document = parse(text)
    if not isinstance(document, dict) or document.get("kind") != KIND:
        raise ModelFileError("The file is not a privboost model.")
    number = _check_format(document.get("format"))
    record = _construct(_object(document, "file", _FIELDS[number]), number)
    check_consistency(record)
    return record


def _format_of(combination: str) -> int:
    """Return the format that models of this kind are written in."""
    return 2 if combination in NEWTON else 1


def _check_format(found: object) -> int:
    if type(found) is not int or found < 1:
        raise ModelFileError("The model file's 'format' must be a whole number of 1 or more.")
    if found > FORMAT:
        raise ModelFileError(
            f"The model file has format {found}; this version of privboost reads formats up to {FORMAT}. "
            "Upgrade privboost to read it."
        )
    return found


# -- writing


def _check_fits(record: ModelRecord) -> None:
    """Raise if the record's format has no field for something in it."""
    ensemble = record.ensemble
    new = ensemble.base or ensemble.reach != MAX_REACH
    new = new or record.refinement is not None or record.target_range is not None
    if new and _format_of(ensemble.combination) == 1:
        raise ModelFileError(
            f"A model joined by {ensemble.combination!r} has no base, reach, refinement or target_range."
        )


def _document(record: ModelRecord) -> dict[str, Any]:
    ensemble = record.ensemble
    number = _format_of(ensemble.combination)
    document: dict[str, Any] = {
        "kind": KIND,
        "format": number,
        "learner": record.learner,
        "parameters": {name: _plain(value) for name, value in record.parameters.items()},
        "n_bins": record.n_bins,
        "domain": record.domain.to_dict(),
        "classes": list(record.classes),
        "feature_names": None if record.feature_names is None else list(record.feature_names),
        "ensemble": {
            "combination": ensemble.combination,
            "alpha": ensemble.alpha,
            "weights": ensemble.weights.tolist(),
            "outputs": ensemble.outputs.tolist(),
            "trees": [_tree_document(tree) for tree in ensemble.trees],
        },
        "plan": record.plan,
        "statement": record.statement.to_dict(),
    }
    if number >= 2:
        document["ensemble"]["base"] = list(ensemble.base or (0.0,) * ensemble.n_outputs)
        document["ensemble"]["reach"] = ensemble.reach
        document["refinement"] = None if record.refinement is None else record.refinement.to_dict()
        document["target_range"] = None if record.target_range is None else list(record.target_range)
    return document


def _plain(value: Any) -> Any:
    """Return a number of any type as Python's own, other values as they are."""
    if isinstance(value, np.ndarray | np.generic) and value.ndim == 0:
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, Real):
        return value
    return int(value) if isinstance(value, Integral) else float(value)


def _tree_document(tree: Tree) -> dict[str, Any]:
    splits = tree.splits
    return {
        "depth": tree.depth,
        "attribute": splits.attribute.tolist(),
        "first": splits.first.tolist(),
        "last": splits.last.tolist(),
        "missing_right": splits.missing_right.tolist(),
        "values": tree.values.ravel().tolist(),  # leaf by leaf
    }


# -- reading


def _construct(document: Mapping[str, Any], number: int) -> ModelRecord:
    n_bins = _integers([document["n_bins"]], "n_bins", 1, 2, 254)[0]
    domain = _domain(document["domain"], n_bins)
    target_range = _target_range(document.get("target_range"))
    classes = _classes(document["classes"], target_range)
    return ModelRecord(
        learner=_text(document["learner"], "learner"),
        parameters=_facts(document["parameters"], "parameters"),
        n_bins=n_bins,
        domain=domain,
        classes=classes,
        feature_names=_feature_names(document["feature_names"]),
        ensemble=_ensemble(document["ensemble"], max(len(classes), 1), len(domain), number),
        statement=_statement(document["statement"]),
        plan=_facts(document["plan"], "plan"),
        refinement=_refinement(document.get("refinement"), domain, n_bins),
        target_range=target_range,
    )


def _domain(content: object, n_bins: int) -> Domain:
    if not isinstance(content, dict):
        raise _wrong("domain", "an object")
    if len(_list(content.get("attributes"), "attributes")) * n_bins > MAX_BINS:
        raise ModelFileError(f"The model file's domain has more than {MAX_BINS} bins.")
    try:
        domain = Domain.from_json(content)
    except ParameterError as error:
        raise ModelFileError(f"The model file's domain is not valid: {error}") from error
    # A domain may be spelt in several ways by hand; a model file holds the one that the library writes.
    if not same_json(domain.to_dict(), content):
        raise ModelFileError("The model file's domain is not in the form that privboost writes.")
    return domain


def _statement(content: object) -> PrivacyStatement:
    if not isinstance(content, dict):
        raise _wrong("statement", "an object")
    if len(_list(content.get("releases"), "releases")) > MAX_RELEASES:
        raise ModelFileError(f"The model file lists more than {MAX_RELEASES} releases.")
    try:
        statement = PrivacyStatement.from_dict(content)
    except ModelFileError:
        raise
    except (ArithmeticError, TypeError, ValueError):
        raise ModelFileError("The model file's statement holds a value that is out of range.") from None
    if not same_json(statement.to_dict(), content):
        raise ModelFileError("The model file's statement is not in the form that privboost writes.")
    return statement


def _refinement(content: object, domain: Domain, n_bins: int) -> Refinement | None:
    if content is None:
        return None
    if not isinstance(content, dict):
        raise _wrong("refinement", "null or an object")
    edges = _list(content.get("edges"), "edges", len(domain))
    _list(content.get("orders"), "orders", len(domain))
    if sum(len(entry) for entry in edges if isinstance(entry, list)) > MAX_BINS:
        raise ModelFileError(f"The model file's refinement has more than {MAX_BINS} bins.")
    try:
        refinement = Refinement.from_dict(content)
        refine_layout(domain.layout(n_bins), refinement)
    except ParameterError as error:
        raise ModelFileError(f"The model file's refinement is not valid: {error}") from None
    if not same_json(refinement.to_dict(), content):
        raise ModelFileError("The model file's refinement is not in the form that privboost writes.")
    return refinement


def _target_range(content: object) -> tuple[float, float] | None:
    if content is None:
        return None
    low, high = _floats(content, "target_range", 2)
    if not 0.0 < high - low < math.inf:
        raise _wrong("target_range", "null, or two numbers with room between them")
    return low, high


def _classes(content: object, target_range: tuple[float, float] | None) -> tuple[Label, ...]:
    labels = _list(content, "classes")
    if target_range is not None:
        if labels:
            raise _wrong("classes", "empty beside a target_range")
        return ()
    kinds = {type(label) for label in labels}
    if len(kinds) != 1 or not kinds <= {str, int, float, bool}:
        raise _wrong("classes", "a list of labels of one type")
    if not 2 <= len(labels) < 2**15 or len(set(labels)) < len(labels):
        raise _wrong("classes", "a list of two or more different labels")
    if float in kinds and not all(map(math.isfinite, labels)):
        raise _wrong("classes", "made of finite numbers")
    if int in kinds and max(map(abs, labels)) >= 2**63:
        raise _wrong("classes", "made of 64-bit numbers")
    return tuple(labels)


def _feature_names(content: object) -> tuple[str, ...] | None:
    if content is None:
        return None
    return tuple(_text(name, "feature_names") for name in _list(content, "feature_names"))


def _ensemble(content: object, n_classes: int, n_attributes: int, number: int) -> Ensemble:
    fields = _object(content, "ensemble", _ENSEMBLE_FIELDS[number])
    combination = _text(fields["combination"], "combination")
    if combination in COMBINATIONS and _format_of(combination) != number:
        raise ModelFileError(f"No model file of format {number} has trees joined by {combination!r}.")
    trees = _list(fields["trees"], "trees")
    width = n_classes if combination in VECTOR else 1
    n_outputs = n_classes if n_classes > 2 else 1
    return Ensemble(
        combination=combination,
        n_classes=n_classes,
        trees=tuple(_tree(tree, width, n_attributes) for tree in trees),
        weights=np.array(_floats(fields["weights"], "weights", len(trees)), np.float64),
        outputs=np.array(_integers(fields["outputs"], "outputs", len(trees), -1, n_classes - 1), np.int64),
        alpha=_floats([fields["alpha"]], "alpha", 1)[0],
        base=tuple(_floats(fields["base"], "base", n_outputs)) if number >= 2 else (),
        reach=_floats([fields["reach"]], "reach", 1)[0] if number >= 2 else MAX_REACH,
    )


def _tree(content: object, width: int, n_attributes: int) -> Tree:
    fields = _object(content, "trees", _TREE_FIELDS)
    depth = _integers([fields["depth"]], "depth", 1, 1, MAX_DEPTH)[0]
    inner, leaves = 2**depth - 1, 2**depth
    missing_right = _list(fields["missing_right"], "missing_right", inner)
    if set(map(type, missing_right)) != {bool}:
        raise _wrong("missing_right", "a list of true and false")
    splits = Splits(
        np.array(_integers(fields["attribute"], "attribute", inner, -1, n_attributes - 1), np.int32),
        np.array(_integers(fields["first"], "first", inner, 1, 255), np.uint8),
        np.array(_integers(fields["last"], "last", inner, 1, 255), np.uint8),
        np.array(missing_right, np.bool_),
    )
    values = np.array(_floats(fields["values"], "values", leaves * width), np.float64)
    return Tree(depth, splits, values.reshape(leaves, width))


def _facts(content: object, where: str) -> dict[str, Any]:
    """Return an object of numbers, texts, lists and objects; every number in it is finite."""
    if not isinstance(content, dict):
        raise _wrong(where, "an object")
    pending: list[tuple[Any, int]] = [(content, 0)]
    while pending:
        item, level = pending.pop()
        if level > _MAX_NESTING:
            raise _wrong(where, f"nested at most {_MAX_NESTING} deep")
        if isinstance(item, float) and not math.isfinite(item):
            raise _wrong(where, "made of finite numbers")
        children = item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
        pending.extend((child, level + 1) for child in children)
    return content


def _object(content: object, where: str, fields: Sequence[str]) -> dict[str, Any]:
    if not isinstance(content, dict):
        raise _wrong(where, "an object")
    absent = [name for name in fields if name not in content]
    if absent:
        raise ModelFileError(f"The model file lacks the field {absent[0]!r}{_within(where)}.")
    unknown = [name for name in content if name not in fields]
    if unknown:
        raise ModelFileError(f"The model file holds the unknown field {unknown[0][:40]!r}{_within(where)}.")
    return content


def _within(where: str) -> str:
    return "" if where == "file" else f" in {where!r}"


def _list(content: object, where: str, length: int | None = None) -> list[Any]:
    if not isinstance(content, list):
        raise _wrong(where, "a list")
    if length is not None and len(content) != length:
        raise _wrong(where, f"a list of {length}")
    return content


def _integers(content: object, where: str, length: int, low: int, high: int) -> list[int]:
    values = _list(content, where, length)
    if values and (set(map(type, values)) != {int} or min(values) < low or max(values) > high):
        raise _wrong(where, f"made of whole numbers from {low} to {high}")
    return values


def _floats(content: object, where: str, length: int) -> list[float]:
    values = _list(content, where, length)
    if values and (set(map(type, values)) != {float} or not all(map(math.isfinite, values))):
        raise _wrong(where, "made of finite decimal numbers")
    return values


def _text(content: object, where: str) -> str:
    if not isinstance(content, str) or not content:
        raise _wrong(where, "text")
    return content


def _wrong(where: str, expected: str) -> ModelFileError:
    return ModelFileError(f"The model file's field {where!r} must be {expected}.")
