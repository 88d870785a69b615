"""Which domain a command line names, and how a table's label column becomes the model's labels."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from privboost.data import domain_files
from privboost.data.domain import Domain
from privboost.data.matching import is_missing, numbers_of
from privboost.errors import ParameterError, SchemaError

__all__ = ["DeclaredDomain", "PositiveRule", "Target", "choose_target", "labels_for", "parse_classes", "read_domain"]

BINARY_CLASSES = ("0", "1")
"""Labels of a target that a catalogue's rule makes binary: "1" where the rule holds."""


@dataclass(frozen=True)
class PositiveRule:
    """A catalogue's rule that makes a label binary.

    Attributes
    ----------
    rule : {"in", "ge", "gt"}
        Whether a label is one of ``values``, or as a number at least, or above, ``threshold``.
    values : tuple of str
    threshold : float
    listed : tuple of str
        All labels that the target may have; others count as missing.
    """

    rule: str
    values: tuple[str, ...]
    threshold: float
    listed: tuple[str, ...]

    def apply(self, labels: Any) -> npt.NDArray[np.object_]:
        """Return "1" or "0" for each label, None for one that is missing or not listed."""
        answers = {
            spelling: BINARY_CLASSES[self._holds(label)] for label in self.listed for spelling in (label, f"{label}.0")
        }
        return np.array([None if is_missing(cell) else answers.get(str(cell)) for cell in labels], dtype=object)

    def _holds(self, label: str) -> bool:
        if self.rule == "in":
            return label in self.values
        number = numbers_of([label])[0]
        return bool(number >= self.threshold if self.rule == "ge" else number > self.threshold)


@dataclass(frozen=True)
class DeclaredDomain:
    """A domain file's content: the attributes, and what it says of the target."""

    domain: Domain
    rule: PositiveRule | None


@dataclass(frozen=True)
class Target:
    """The column to predict, and its public labels or, where it holds numbers, their public range."""

    name: str
    classes: tuple[Any, ...]
    rule: PositiveRule | None
    range: tuple[float, float] | None = None


def read_domain(where: str) -> DeclaredDomain:
    """Read a domain file, or one entry of a catalogue.

    Parameters
    ----------
    where : str
        ``FILE.toml``, ``FILE.json``, or ``FILE.json:ENTRY`` (also ``FILE.json#ENTRY``).

    Returns
    -------
    DeclaredDomain
        With the catalogue's rule where it has one and the target has more than two labels.
    """
    content = domain_files.load(where)
    try:
        return DeclaredDomain(Domain.from_json(content), _rule(content))
    except ParameterError as error:
        # Which file: a command line may name several.
        raise type(error)(f"{error.parameter} in {where!r}", error.value, error.expected, error.remedy) from None


def _rule(content: Mapping[str, Any]) -> PositiveRule | None:
    target = content.get("target") if "features" in content else None
    positive = target.get("positive") if isinstance(target, Mapping) else None
    if not isinstance(target, Mapping) or not isinstance(positive, Mapping):
        return None
    listed = tuple(map(str, target.get("classes", ())))
    if len(listed) <= 2:
        return None
    rule = positive.get("rule")
    if rule not in ("in", "ge", "gt"):
        raise ParameterError("rule", rule, "'in', 'ge' or 'gt'")
    try:
        return PositiveRule(
            rule, tuple(map(str, positive.get("values", ()))), float(positive.get("threshold", 0)), listed
        )
    except (TypeError, ValueError):
        raise ParameterError("positive", dict(positive), "a rule with 'values' or a 'threshold'") from None


def parse_classes(text: str | None) -> tuple[str, ...] | None:
    """Split ``no,yes`` into labels; a label with a comma is put in double quotes."""
    if text is None:
        return None
    rows = list(csv.reader([text], skipinitialspace=True))
    return tuple(label.strip() for label in rows[0]) if rows else ()


def choose_target(
    declared: DeclaredDomain,
    name: str | None,
    classes: Sequence[Any] | None,
    target_range: tuple[float, float] | None = None,
    *,
    numeric: bool = False,
) -> Target:
    """Return the target: what the command line says, else what the domain file says.

    Parameters
    ----------
    declared : DeclaredDomain
    name : str or None
    classes : sequence of labels or None
        Given here, they replace the file's, and its rule is not applied.
    target_range : (float, float) or None
        Lowest and highest of the numbers to predict.
    numeric : bool, default=False
        Whether a number is to be predicted; the file's labels are then of no use.

    Raises
    ------
    SchemaError
        If neither tells the column, its labels or its range, or the column is an attribute of the domain.
    """
    domain = declared.domain
    column = domain.target if name is None else name
    if column is None:
        raise SchemaError(
            "No column to predict: give --target COLUMN, or write target = 'COLUMN' into the domain file."
        )
    if column in domain:
        raise SchemaError(f"The column {column!r} is the target, but also an attribute of the domain. Delete it there.")
    if numeric or target_range is not None:
        if target_range is None:
            raise SchemaError(
                f"The range of {column!r} is not declared: give --target-range LOW HIGH, the lowest and the highest "
                "number by public knowledge. Those of the rows would tell two of them."
            )
        return Target(column, (), None, target_range)
    if classes is not None:
        return Target(column, tuple(classes), None)
    if column != domain.target or domain.classes is None:
        raise SchemaError(
            f"The labels of {column!r} are not declared: give --classes LABEL,LABEL, or write target and classes into "
            "the domain file; or, for a column of numbers, give --target-range LOW HIGH. Labels read from the rows "
            "would tell which labels occur."
        )
    if declared.rule is not None:
        return Target(column, BINARY_CLASSES, declared.rule)
    return Target(column, domain.classes, None)


def labels_for(labels: Any, target: Target) -> tuple[Any, tuple[Any, ...]]:
    """Return a table's labels and the classes in one type, so that ``1`` in a CSV file is the class 1.

    Decided by the type of the column alone: text is matched with how the classes print, and classes given as text are
    read as numbers where the column holds numbers.

    Parameters
    ----------
    labels : pandas.Series
    target : Target

    Returns
    -------
    labels : array-like
    classes : tuple
    """
    if target.rule is not None:
        return target.rule.apply(labels), target.classes
    is_text = labels.dtype.kind not in "biuf"
    if is_text and not any(isinstance(label, str) for label in target.classes):
        known = {spelling: label for label in target.classes for spelling in _spellings(label)}
        return np.array(
            [None if is_missing(cell) else known.get(cell) for cell in labels], dtype=object
        ), target.classes
    if not is_text and all(isinstance(label, str) for label in target.classes):
        return labels, tuple(_number(label, target.name) for label in target.classes)
    return labels, target.classes


def _spellings(label: Any) -> tuple[str, ...]:
    text = str(label)
    return (text, text.lower(), text.upper()) if isinstance(label, bool) else (text, f"{text}.0")


def _number(label: str, column: str) -> int:
    if label.lower() in ("true", "false"):
        return int(label.lower() == "true")
    try:
        return int(label)
    except ValueError:
        raise SchemaError(f"The column {column!r} holds numbers, but the class {label!r} is none.") from None
