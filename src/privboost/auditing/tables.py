"""Tiny tables as tuples of kinds of rows, and which of them are neighbours."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["Table", "count_replacements", "count_tables", "neighbours", "ordered_tables", "unordered_tables"]

Table = tuple[int, ...]
"""Kinds of rows, one entry a row."""


def unordered_tables(n_kinds: int, n_rows: int) -> list[Table]:
    """Return every table of ``n_rows`` rows, up to the order of the rows."""
    return list(itertools.combinations_with_replacement(range(n_kinds), n_rows))


def ordered_tables(n_kinds: int, n_rows: int) -> list[Table]:
    """Return every table of ``n_rows`` rows."""
    return list(itertools.product(range(n_kinds), repeat=n_rows))


def count_tables(n_kinds: int, n_rows: int, *, ordered: bool = False) -> int:
    """Return how many tables `unordered_tables` or `ordered_tables` would list."""
    return math.prod([n_kinds] * n_rows) if ordered else math.comb(n_kinds + n_rows - 1, n_rows)


def count_replacements(n_substitutes: int, n_rows: int, *, rows: int = 1) -> int:
    """Return how many replacements `neighbours` would try on each table."""
    return math.comb(n_rows, rows) * math.prod([n_substitutes] * rows)


def neighbours(
    tables: Sequence[Table], substitutes: Sequence[int], *, rows: int = 1, ordered: bool = False
) -> npt.NDArray[np.int64]:
    """Return every pair of tables of which one has ``rows`` rows (or fewer) of the other replaced by ``substitutes``.

    Parameters
    ----------
    tables : sequence of Table
        Closed under such replacements.
    substitutes : sequence of int
        The null rows give the relation "add-remove", all kinds of rows give "replace-one".
    rows : int, default=1
    ordered : bool, default=False
        Whether tables that differ in the order of their rows are different ones.

    Returns
    -------
    ndarray of int64, shape (n_pairs, 2)
        Positions in ``tables``.
    """
    position = {table: i for i, table in enumerate(tables)}
    found: set[tuple[int, int]] = set()
    for i, table in enumerate(tables):
        for where in itertools.combinations(range(len(table)), rows):
            for new in itertools.product(substitutes, repeat=rows):
                other = list(table)
                for at, kind in zip(where, new, strict=True):
                    other[at] = kind
                j = position[tuple(other if ordered else sorted(other))]
                if i != j:
                    found.add((min(i, j), max(i, j)))
    return np.array(sorted(found), np.int64).reshape(-1, 2)
