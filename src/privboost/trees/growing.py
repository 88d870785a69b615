"""Growing one tree, level by level: ask for the level's tests, send the rows on, ask again. No arithmetic."""

from __future__ import annotations

from collections.abc import Callable

from privboost.trees.tree import Splits

__all__ = ["grow_structure"]


def grow_structure(choose: Callable[[int], Splits], route: Callable[[Splits], None], depth: int) -> Splits:
    """Choose the tests of a complete tree; afterwards every row stands in its leaf, if all stood at the root before.

    Parameters
    ----------
    choose : callable
        ``choose(level)`` gives one test for each node of the level.
    route : callable
        Sends the rows to the next level by these tests.
    depth : int
        Levels to grow. The shape is the same for any data.

    Returns
    -------
    Splits
        The ``2**depth - 1`` tests in heap order.
    """
    levels: list[Splits] = []
    for level in range(depth):
        levels.append(choose(level))
        route(levels[-1])
    return Splits.concatenate(levels)
