"""A domain read off the rows, for learners without privacy. Whatever comes out of here discloses the rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from privboost.data.attributes import MAX_CODES, Attribute, Boolean, Categorical, Numeric
from privboost.data.columns import AllMissing, Column, Dictionary, Numbers, Objects, read_schema
from privboost.data.matching import is_missing, numbers_of, text_of
from privboost.errors import SchemaError

__all__ = ["attributes_from_data"]


def attributes_from_data(X: Any) -> dict[str, Attribute]:
    """Return what each column holds: the range of its finite numbers, or the categories that occur, sorted.

    Raises
    ------
    SchemaError
        For a table that cannot be read, or a column with too many categories.
    """
    schema = read_schema(X, owner="Domain.from_data")
    by_position = schema.names is None or not all(isinstance(name, str) for name in schema.names)
    names = [f"x{i}" for i in range(len(schema.columns))] if by_position else list(schema.names or ())
    return {name: _learn(name, column.read()) for name, column in zip(names, schema.columns, strict=True)}


def _learn(name: str, column: Column) -> Attribute:
    if isinstance(column, AllMissing):
        return Numeric(0, 0, missing=True)
    if isinstance(column, Dictionary):
        missing = bool((column.indices < 0).any())
        entries = column.entries
        if isinstance(entries, Objects):
            return _learn_objects(name, [entries.values[i] for i in np.unique(column.indices) if i >= 0], missing)
        present = column.indices[column.indices >= 0]
        return _learn_numbers(Numbers(entries.values[present]), missing)
    if isinstance(column, Numbers):
        return _learn_numbers(column, False)
    cells = [cell for cell in column.values if not is_missing(cell)]
    return _learn_objects(name, cells, len(cells) < len(column.values))


def _learn_numbers(column: Numbers, missing: bool) -> Attribute:
    values = column.values
    if column.missing is not None:
        values, missing = values[~column.missing], missing or bool(column.missing.any())
    if values.dtype.kind == "b":
        return Boolean(missing=missing)
    missing = missing or bool(np.isnan(values).any())
    return _range(values.astype(np.float64), values.dtype.kind in "iu", missing)


def _learn_objects(name: str, cells: Iterable[Any], missing: bool) -> Attribute:
    cells = list(cells)
    if cells and all(isinstance(cell, bool | np.bool_) for cell in cells):
        return Boolean(missing=missing)
    if not any(isinstance(cell, str) for cell in cells):
        numbers = numbers_of(cells)
        return _range(numbers, False, missing or bool(np.isnan(numbers).any()))
    texts = {text for text in map(text_of, cells) if text is not None}
    if len(texts) > MAX_CODES - 2:
        raise SchemaError(
            f"Column {name!r} holds more than {MAX_CODES - 2} categories. "
            "Drop it, merge rare categories, or declare a domain that lists the ones to keep."
        )
    return Categorical(sorted(texts), missing=missing)


def _range(values: np.ndarray[Any, np.dtype[np.float64]], integer: bool, missing: bool) -> Numeric:
    finite = values[np.isfinite(values)]
    if not finite.size:
        return Numeric(0, 0, missing=missing)
    return Numeric(float(finite.min()), float(finite.max()), integer=integer, missing=missing)
