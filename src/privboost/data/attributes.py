"""What an attribute may hold, declared in public: numbers in a range, categories, ordered categories, booleans.

Each kind fixes, from its declaration alone, the codes that its cells can get:

=========  =======================================  ==================
code       meaning                                  kinds
=========  =======================================  ==================
0          missing; reserved whether or not seen    all
1 .. v     the bins, or the listed categories       all
v + 1      a category that is not listed            all but `Numeric`
=========  =======================================  ==================

Nothing here ever sees a row.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from numbers import Integral, Real
from typing import ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from privboost.errors import ParameterError, ParameterTypeError

__all__ = ["MAX_CODES", "Attribute", "Boolean", "Categorical", "Category", "Numeric", "Ordinal", "check_text"]

Category: TypeAlias = str | int | bool

MAX_CODES = 256
_MAX_CATEGORIES = MAX_CODES - 2  # code 0 is missing, the last one is "not listed"

_TRUE_WORDS = ("true", "t", "yes", "y", "1")
_FALSE_WORDS = ("false", "f", "no", "n", "0")


@dataclass(frozen=True)
class Numeric:
    """A number within public bounds.

    A value outside the bounds, infinity included, counts as the nearest bound. A bin is closed below and open above:
    a value equal to an edge belongs to the bin above that edge, and a value equal to `hi` to the last bin.

    Parameters
    ----------
    lo, hi : float
        Lowest and highest possible value, finite, ``lo <= hi``. They must come from knowledge of what is measured
        (a unit, a percentage, a field width), never from the minimum and maximum of the private rows.
    integer : bool, default=False
        Whether only whole numbers occur. Edges then lie half-way between two integers, and there are no more bins than
        integers. Both bounds must be whole.
    missing : bool, default=False
        Whether a cell may be empty. It says which tests are worth trying; a missing cell is accepted in any case.

    Raises
    ------
    ParameterError, ParameterTypeError
        For bounds that are not finite real numbers, or in the wrong order.
    """

    lo: float
    hi: float
    integer: bool = False
    missing: bool = False

    kind: ClassVar[str] = "numeric"
    ordered: ClassVar[bool] = True
    has_unknown: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for parameter in ("integer", "missing"):
            object.__setattr__(self, parameter, _check_flag(parameter, getattr(self, parameter)))
        for parameter in ("lo", "hi"):
            object.__setattr__(self, parameter, _check_bound(parameter, getattr(self, parameter), self.integer))
        if self.lo > self.hi:
            raise ParameterError("lo", self.lo, f"at most 'hi', which is {self.hi!r}", "Swap the two bounds.")

    def n_values(self, n_bins: int) -> int:
        """Return the number of bins: `n_bins`, or fewer where the range holds fewer integers."""
        return int(self.edges(n_bins).size) + 1

    def edges(self, n_bins: int) -> npt.NDArray[np.float64]:
        """Return the inner edges, rising, at most ``n_bins - 1``.

        The k-th edge is ``lo + (hi - lo) * k / n_bins``, worked out on the decimal numbers that `lo` and `hi` print as
        and rounded once: (0, 1) in ten bins has the edge 0.3, not 0.30000000000000004. For an integer attribute it is
        then moved half a unit below the next integer, which changes the side of no integer. Edges that rounding makes
        equal are dropped.
        """
        return _regular_edges(self.lo, self.hi, self.integer, n_bins)


@dataclass(frozen=True)
class Categorical:
    """One of a public list of categories, without order; tests are "this category against the rest".

    Parameters
    ----------
    values : sequence of str, int or bool
        The categories that may occur, at most 254. A cell matches a category when both print the same: the integer 1,
        the float 1.0 and the text "1" all match the category 1 and the category "1". No text is stripped or folded.
    missing : bool, default=False
        Whether a cell may be empty.

    Raises
    ------
    ParameterError, ParameterTypeError
        For an empty list, two categories that print the same, a category of another type, or too many.
    """

    values: tuple[Category, ...]
    missing: bool = False

    kind: ClassVar[str] = "categorical"
    ordered: ClassVar[bool] = False
    has_unknown: ClassVar[bool] = True

    def __init__(self, values: Iterable[Category], missing: bool = False) -> None:
        object.__setattr__(self, "missing", _check_flag("missing", missing))
        object.__setattr__(self, "values", _check_categories(values))

    def n_values(self, n_bins: int) -> int:
        """Return the number of categories; `n_bins` plays no part."""
        return len(self.values)

    def code_of_text(self) -> dict[str, int]:
        """Return the code of each text that a listed category prints as."""
        return {str(value): code for code, value in enumerate(self.values, start=1)}

    def __hash__(self) -> int:
        return hash((self.kind, _typed(self.values), self.missing))

    def __eq__(self, other: object) -> bool:
        # Python holds True == 1; as categories they print differently, so they are different.
        if not isinstance(other, Categorical) or self.kind != other.kind:
            return NotImplemented
        return _typed(self.values) == _typed(other.values) and self.missing == other.missing


@dataclass(frozen=True, init=False, eq=False)
class Ordinal(Categorical):
    """One of a public list of categories in rising order; tests are thresholds, "this category or a later one".

    Parameters
    ----------
    values : sequence of str, int or bool
        The categories from lowest to highest, as for `Categorical`.
    missing : bool, default=False
        Whether a cell may be empty.
    """

    kind: ClassVar[str] = "ordinal"
    ordered: ClassVar[bool] = True


@dataclass(frozen=True)
class Boolean:
    """True or false.

    Cells may be booleans, the numbers 1 and 0, or one of the words true, t, yes, y, 1 and false, f, no, n, 0 in lower,
    upper or title case. Anything else counts as not listed.

    Parameters
    ----------
    missing : bool, default=False
        Whether a cell may be empty.
    """

    missing: bool = False

    kind: ClassVar[str] = "boolean"
    ordered: ClassVar[bool] = False
    has_unknown: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "missing", _check_flag("missing", self.missing))

    def n_values(self, n_bins: int) -> int:
        """Return 2: false has code 1, true has code 2; `n_bins` plays no part."""
        return 2

    def code_of_text(self) -> dict[str, int]:
        """Return the code of each accepted spelling."""
        words = [(word, 1) for word in _FALSE_WORDS] + [(word, 2) for word in _TRUE_WORDS]
        return {spelling: code for word, code in words for spelling in (word, word.upper(), word.title())}


Attribute: TypeAlias = Numeric | Categorical | Boolean


@lru_cache(maxsize=4096)
def _regular_edges(lo: float, hi: float, integer: bool, n_bins: int) -> npt.NDArray[np.float64]:
    low, high = Fraction(repr(lo)), Fraction(repr(hi))
    exact = [low + (high - low) * k / n_bins for k in range(1, n_bins)]
    if integer:
        exact = [math.ceil(edge) - Fraction(1, 2) for edge in exact]
    # An edge at or below lo would leave the first bin empty for ever.
    edges = np.array(sorted({edge for edge in map(float, exact) if lo < edge <= hi}), dtype=np.float64)
    edges.setflags(write=False)
    return edges


def _check_flag(parameter: str, value: object) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise ParameterTypeError(parameter, value, "True or False")
    return bool(value)


def _check_bound(parameter: str, value: object, integer: bool) -> float:
    remedy = "Give the lowest and the highest value that the attribute can have by its nature."
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        raise ParameterTypeError(parameter, value, "a finite real number", remedy)
    try:
        bound = float(value)
    except OverflowError:
        raise ParameterError(parameter, "a number above 1.8e308", "a finite real number", remedy) from None
    if not math.isfinite(bound):
        raise ParameterError(parameter, bound, "a finite real number", remedy)
    if integer and not bound.is_integer():
        raise ParameterError(parameter, bound, "a whole number, as 'integer' is True", "Round it outwards.")
    return bound + 0.0  # -0.0 becomes 0.0


def _check_categories(values: object) -> tuple[Category, ...]:
    expected = f"a sequence of 1 to {_MAX_CATEGORIES} categories (str, int or bool)"
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise ParameterTypeError("values", values, expected, "Put the categories in a list.")
    if isinstance(values, Mapping | Set):
        raise ParameterTypeError("values", values, expected, "It has no fixed order: pass sorted(values).")
    categories = tuple(_check_category(value) for value in values)
    if not 1 <= len(categories) <= _MAX_CATEGORIES:
        remedy = "Merge rare categories; what is not listed gets a code of its own." if categories else ""
        raise ParameterError("values", f"{len(categories)} categories", expected, remedy)
    seen: set[str] = set()
    for category in categories:
        if str(category) in seen:
            raise ParameterError("values", category, "a sequence of categories that print differently", "Drop one.")
        seen.add(str(category))
    return categories


def _check_category(value: object) -> Category:
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, Integral):
        if not -(2**63) <= int(value) < 2**64:
            raise ParameterError("values", "a longer integer", "made of integers of at most 64 bits", "Use text.")
        return int(value)
    if isinstance(value, str):
        return check_text("values", value)
    remedy = "Write numbers as int or str."
    if value is None or value != value:  # NaN
        remedy = "Leave it out and declare missing=True: a missing cell always has a code of its own."
    raise ParameterTypeError("values", value, "made of str, int or bool", remedy)


def check_text(parameter: str, value: str) -> str:
    """Return `value` as a plain str, or raise where it cannot be written to a file as UTF-8."""
    if re.search("[\ud800-\udfff]", value):
        raise ParameterError(parameter, value, "text that UTF-8 can hold", "It holds half of a surrogate pair.")
    return str(value)


def _typed(values: tuple[Category, ...]) -> tuple[tuple[type, Category], ...]:
    return tuple((type(value), value) for value in values)
