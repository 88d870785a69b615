"""Work on rows in as few passes as possible: steps that concern each row alone wait until something is asked."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from privboost.threads import in_ranges

__all__ = ["Passes"]

Step = Callable[[slice], None]
Query = Callable[[slice, int], None]


class Passes:
    """The order in which rows are worked on: all steps that are due and then the question, range by range.

    A range of rows stays in the cache from its first step to the question, and is read from memory once.

    Parameters
    ----------
    n_rows : int
    n_threads : int
    """

    def __init__(self, n_rows: int, n_threads: int) -> None:
        self._n_rows = n_rows
        self._n_threads = n_threads
        self._due: list[Step] = []
        self._whole = True  # whether every pass came to its end

    def add_up(
        self, shape: tuple[int, ...], add: Callable[[slice, npt.NDArray[np.int64]], None]
    ) -> npt.NDArray[np.int64]:
        """Return sums over all rows: ``add(rows, out)`` adds those of some rows to ``out``, int64 of this shape."""
        parts = np.zeros((self.n_slots, *shape), np.int64)
        self.ask(lambda rows, slot: add(rows, parts[slot]))
        return parts[0] if len(parts) == 1 else np.asarray(parts.sum(axis=0))

    @property
    def n_slots(self) -> int:
        """How many ranges may be worked on at a time: each has sums of its own."""
        return self._n_threads

    def later(self, step: Step) -> None:
        """Have ``step(rows)`` done for every range of rows, after the steps before it and before the next question.

        A step changes numbers of its own rows only, by numbers of its own rows and by public ones.
        """
        self._due.append(step)

    def ask(self, query: Query) -> None:
        """Do the steps that are due, and call ``query(rows, slot)``, on ranges that together are all rows.

        Parameters
        ----------
        query : callable
            May add to sums of the given slot, of ``n_slots``.

        Raises
        ------
        RuntimeError
            If an earlier pass was interrupted: some rows are a step ahead of others.
        """
        if not self._whole:
            raise RuntimeError("A pass over the rows was interrupted; train anew.")
        self._whole = False
        due, self._due = self._due, []

        def work(start: int, stop: int, slot: int) -> None:
            rows = slice(start, stop)
            for step in due:
                step(rows)
            query(rows, slot)

        in_ranges(work, self._n_rows, self._n_threads)
        self._whole = True
