"""Answers to rows that are encoded a few at a time, so that the codes of a table are never held as a whole."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from privboost.data.encoding import CodeReader
from privboost.threads import in_ranges

__all__ = ["CHUNK", "answers"]

CHUNK = 10_000
"""Rows answered at once: their codes and scores stay in a second-level cache. No power of two: lines of an array that
lie so far apart take each other's place there."""


def answers(
    reader: CodeReader, answer: Callable[[npt.NDArray[np.uint8]], npt.NDArray[np.float64]], n_threads: int
) -> npt.NDArray[np.float64]:
    """Return the answers to all rows, in their order.

    Parameters
    ----------
    reader : CodeReader
    answer : callable
        From codes, shape (n_attributes, m), to an array of m answers, each of which depends on its own row alone.
    n_threads : int
        Most threads to use.

    Returns
    -------
    ndarray of float64, shape (n_rows, ...)
    """
    if reader.n_rows <= CHUNK:
        return answer(reader.codes(0, reader.n_rows))
    shape = answer(reader.codes(0, 0)).shape[1:]
    out = np.empty((reader.n_rows, *shape), dtype=np.float64)

    def write(start: int, stop: int, _: int) -> None:
        out[start:stop] = answer(reader.codes(start, stop))

    in_ranges(write, reader.n_rows, n_threads, CHUNK)
    return out
