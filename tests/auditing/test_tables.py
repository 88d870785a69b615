"""How many tiny tables there are, before one is listed."""

from __future__ import annotations

import pytest

from privboost.auditing.tables import count_replacements, count_tables, neighbours, ordered_tables, unordered_tables


@pytest.mark.parametrize("n_kinds", [1, 2, 5])
@pytest.mark.parametrize("n_rows", [1, 2, 4])
def test_counts_are_those_of_the_lists(n_kinds: int, n_rows: int) -> None:
    assert count_tables(n_kinds, n_rows) == len(unordered_tables(n_kinds, n_rows))
    assert count_tables(n_kinds, n_rows, ordered=True) == len(ordered_tables(n_kinds, n_rows))


@pytest.mark.parametrize("rows", [1, 2, 3])
@pytest.mark.parametrize("substitutes", [[3], [0, 1, 2, 3]])
def test_pairs_are_no_more_than_replacements(rows: int, substitutes: list[int]) -> None:
    tables = ordered_tables(4, 3)
    pairs = neighbours(tables, substitutes, rows=rows, ordered=True)
    assert 0 < len(pairs) <= len(tables) * count_replacements(len(substitutes), 3, rows=rows)
