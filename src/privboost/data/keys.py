"""Which keys a column holds, and in how many rows: private, and for a mechanism only. Never raises.

A row holds one key of a column, or none: what it holds depends on its own cell alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from numbers import Integral, Real
from typing import Any

import numpy as np
import numpy.typing as npt

from privboost.data.columns import AllMissing, Column, Dictionary, Numbers
from privboost.data.domain_files import TODO
from privboost.data.matching import is_missing, text_of

__all__ = ["count_categories", "count_labels"]

Key = str | int

_UNWRITABLE = re.compile("[\ud800-\udfff]")  # what no UTF-8 file holds
_LARGEST_LABEL = 2**63 - 1


def count_categories(column: Column) -> dict[Key, int]:
    """Return the number of rows of each category: a whole number in a column of integers, else text as it prints."""
    integers = isinstance(column, Numbers) and column.values.dtype.kind in "iu"
    return _count(column, _integer if integers else _category)


def count_labels(column: Column) -> dict[Key, int]:
    """Return the number of rows of each label: text, or a whole number; True and 1.0 are the number 1."""
    return _count(column, _label)


def _count(column: Column, key_of: Callable[[Any], Key | None]) -> dict[Key, int]:
    counts: Counter[Key] = Counter()
    for cell, times in _cells(column):
        key = _guarded(key_of, cell)
        if key is not None and times:  # a dictionary may list what no row holds
            counts[key] += times
    return dict(counts)


def _cells(column: Column) -> Iterable[tuple[Any, int]]:
    """Yield cells with the number of rows that hold them; missing cells of number columns are left out."""
    if isinstance(column, AllMissing):
        return
    if isinstance(column, Dictionary):
        present = column.indices[column.indices >= 0]
        times = np.bincount(present.astype(np.int64), minlength=len(column.entries.values))
        yield from zip(column.entries.values, times.tolist(), strict=True)
    elif isinstance(column, Numbers):
        values: npt.NDArray[Any] = column.values if column.missing is None else column.values[~column.missing]
        found, often = np.unique(values[values == values], return_counts=True)
        yield from zip(found, often.tolist(), strict=True)
    else:
        yield from ((cell, 1) for cell in column.values)


def _guarded(key_of: Callable[[Any], Key | None], cell: Any) -> Key | None:
    try:
        key = None if is_missing(cell) else key_of(cell)
        # A domain file takes the mark of an empty field for an empty field.
        writable = not isinstance(key, str) or (key != TODO and not _UNWRITABLE.search(key))
    except Exception:  # a user's own type that fails
        return None
    return key if writable else None


def _integer(cell: Any) -> int:
    return int(cell)


def _category(cell: Any) -> str | None:
    return text_of(cell)


def _label(cell: Any) -> Key | None:
    if isinstance(cell, str):
        return str(cell)
    if isinstance(cell, bool | np.bool_ | Integral) and abs(int(cell)) <= _LARGEST_LABEL:
        return int(cell)
    if isinstance(cell, Real) and float(cell).is_integer() and abs(float(cell)) < _LARGEST_LABEL:
        return int(float(cell))
    return None
