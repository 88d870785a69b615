"""Which code means what: the public table between a domain and its codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral

import numpy as np
import numpy.typing as npt

from privboost.data.attributes import MAX_CODES, Attribute, Numeric
from privboost.errors import ParameterError, ParameterTypeError

__all__ = ["CodeLayout", "check_n_bins", "make_layout"]

_NO_EDGES = np.empty(0, dtype=np.float64)
_NO_EDGES.setflags(write=False)


@dataclass(frozen=True, eq=False)
class CodeLayout:
    """The meaning of every code of every attribute.

    A public layout is a function of the domain and `n_bins` alone. A refined one also depends on released edges and
    orders; see `privboost.data.refinement.refine_layout`.

    Attributes
    ----------
    names : tuple of str
        Attribute names, in the order of the rows of a code matrix.
    n_bins : int
        Largest number of bins of a numeric attribute.
    n_codes : ndarray of int64, shape (n,)
        Number of codes, all kinds together, 2 to 256: code 0 (missing), the real codes, one more for "not listed"
        where there is such a thing.
    n_values : ndarray of int64, shape (n,)
        Number of real codes; they are ``1 .. n_values``.
    ordered : ndarray of bool, shape (n,)
        True: the tests are thresholds (`Numeric`, `Ordinal`, reordered categories). False: one value against the rest.
    has_unknown : ndarray of bool, shape (n,)
        Whether code ``n_values + 1`` means "a category that is not listed". False for reordered categories, where that
        meaning has a place in the order like any other.
    missing : ndarray of bool, shape (n,)
        Whether missing cells were declared. Code 0 is reserved in any case.
    edges : tuple of ndarray of float64
        Inner bin edges of each numeric attribute, rising; empty for the others. The code of a number is 1 plus the
        number of edges that are at most the number.
    single_test : ndarray of bool, shape (n,)
        Whether the second of two unordered values is only set against the first, and not the first against the rest.
    bounds : tuple of (float, float) or None
        Lowest and highest possible value of each numeric attribute; None for the others.
    orders : tuple of ndarray of uint8 or None
        For reordered categories, the code of each code of the public layout, from its code 1 on; None for all else.
    """

    names: tuple[str, ...]
    n_bins: int
    n_codes: npt.NDArray[np.int64]
    n_values: npt.NDArray[np.int64]
    ordered: npt.NDArray[np.bool_]
    has_unknown: npt.NDArray[np.bool_]
    missing: npt.NDArray[np.bool_]
    edges: tuple[npt.NDArray[np.float64], ...]
    single_test: npt.NDArray[np.bool_]
    bounds: tuple[tuple[float, float] | None, ...]
    orders: tuple[npt.NDArray[np.uint8] | None, ...]

    def __len__(self) -> int:
        return len(self.names)

    @property
    def offsets(self) -> npt.NDArray[np.int64]:
        """First cell of each attribute where every code of every attribute has a cell; last, the number of cells."""
        return np.concatenate([[0], np.cumsum(self.n_codes)]).astype(np.int64)

    def tests(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        """Return every candidate test as ``(attribute, first, last)``: a row goes right iff ``first <= code <= last``.

        Ordered attributes have ``n_values - 1`` thresholds: right is the upper side, ``first = 2 .. n_values``,
        ``last = n_values``. A category is set against the rest, ``first = last = 1 .. n_values``; a boolean, and a
        list of two categories, has only its second value against the first, a list of one that one. So a
        category that is not listed always goes left.

        Returns
        -------
        attribute : ndarray of int32, shape (n_tests,)
        first, last : ndarray of uint8, shape (n_tests,)
        """
        attribute, first, last = [], [], []
        for i, (n_values, ordered, single) in enumerate(
            zip(self.n_values, self.ordered, self.single_test, strict=True)
        ):
            firsts = np.arange(2 if ordered or single else 1, n_values + 1)
            attribute.append(np.full(firsts.size, i))
            first.append(firsts)
            last.append(np.full(firsts.size, n_values) if ordered else firsts)
        return (
            np.concatenate(attribute).astype(np.int32),
            np.concatenate(first).astype(np.uint8),
            np.concatenate(last).astype(np.uint8),
        )


def check_n_bins(n_bins: object) -> int:
    """Return `n_bins` as an int from 2 to 255.

    Raises
    ------
    ParameterError, ParameterTypeError
        For anything else.
    """
    expected = f"an integer from 2 to {MAX_CODES - 1}"
    if isinstance(n_bins, bool | np.bool_) or not isinstance(n_bins, Integral):
        raise ParameterTypeError("n_bins", n_bins, expected)
    number = int(n_bins)
    if not 2 <= number < MAX_CODES:
        remedy = "A code is one byte, and one code is kept for missing cells." if number >= MAX_CODES else ""
        raise ParameterError("n_bins", number, expected, remedy)
    return number


def make_layout(names: Sequence[str], attributes: Sequence[Attribute], n_bins: int) -> CodeLayout:
    """Return the layout of these attributes with at most `n_bins` bins for each number."""
    n_bins = check_n_bins(n_bins)
    n_values = np.array([attribute.n_values(n_bins) for attribute in attributes], dtype=np.int64)
    has_unknown = np.array([attribute.has_unknown for attribute in attributes], dtype=np.bool_)
    ordered = np.array([attribute.ordered for attribute in attributes], dtype=np.bool_)
    missing = np.array([attribute.missing for attribute in attributes], dtype=np.bool_)
    single_test = ~ordered & (n_values == 2)
    n_codes = 1 + n_values + has_unknown
    for array in (n_codes, n_values, ordered, has_unknown, missing, single_test):
        array.setflags(write=False)
    return CodeLayout(
        names=tuple(names),
        n_bins=n_bins,
        n_codes=n_codes,
        n_values=n_values,
        ordered=ordered,
        has_unknown=has_unknown,
        missing=missing,
        edges=tuple(a.edges(n_bins) if isinstance(a, Numeric) else _NO_EDGES for a in attributes),
        single_test=single_test,
        bounds=tuple((a.lo, a.hi) if isinstance(a, Numeric) else None for a in attributes),
        orders=(None,) * len(attributes),
    )
