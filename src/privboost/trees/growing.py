"""Growing one tree, level by level: ask for the level's tests, send the rows on, ask again. No arithmetic."""

from __future__ import annotations

from privboost.trees.splitting import LevelRows, Splitter
from privboost.trees.tree import Splits

__all__ = ["grow_structure"]


def grow_structure(rows: LevelRows, splitter: Splitter, depth: int) -> Splits:
    """Choose the tests of a complete tree; afterwards every row of ``rows`` stands in its leaf.

    Parameters
    ----------
    rows : LevelRows
        Rows that all stand at the root.
    splitter : Splitter
        How a level's tests are chosen.
    depth : int
        Levels to grow. The shape is the same for any data.

    Returns
    -------
    Splits
        The ``2**depth - 1`` tests in heap order.
    """
    levels: list[Splits] = []
    for level in range(depth):
        splits = splitter.choose(rows, level)
        rows.route(splits)
        levels.append(splits)
    return Splits.concatenate(levels)
