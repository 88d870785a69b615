"""Cells to codes, one column at a time. Never raises and never warns, whatever a cell holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import repeat
from numbers import Integral, Real
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Lookup", "is_missing", "numbers_of", "text_of"]

_MAX_DIGITS = 309  # of the largest float64; Python refuses to print integers of some thousand digits
_INTEGER_TEXT = re.compile(rf"0|-?[1-9][0-9]{{0,{_MAX_DIGITS - 1}}}")

# Types that NumPy converts to float64 as `float` does, without a warning.
_PLAIN_NUMBERS = frozenset({float, int, bool, np.bool_, np.float16, np.float32, np.float64}) | {
    *(np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64)
}


_PLAIN_CELLS = _PLAIN_NUMBERS | {str, type(None)}


def numbers_of(cells: Iterable[Any]) -> npt.NDArray[np.float64]:
    """Return Python objects as float64: NaN for what ``float`` cannot read, infinity for what is too large."""
    cells = list(cells)
    if set(map(type, cells)) <= _PLAIN_NUMBERS:
        try:
            return np.array(cells, dtype=np.float64)
        except OverflowError:  # an int beyond float64
            pass
    return np.fromiter(map(_number_of, cells), dtype=np.float64, count=len(cells))


def _number_of(cell: Any) -> float:
    # Named types only: float() of a complex scalar or of an array of one element warns.
    if not isinstance(cell, Real | str | Decimal | np.bool_) or isinstance(cell, np.timedelta64):
        return np.nan
    number: Any = cell
    try:
        return float(number)
    except OverflowError:  # a whole number or a fraction beyond float64
        return np.inf if number > 0 else -np.inf
    except Exception:  # text that is no number, or a user's own type that fails
        return np.nan


def is_missing(cell: Any) -> bool:
    """Return whether a cell is None, NaN, NA or NaT."""
    if cell is None:
        return True
    if isinstance(cell, float | np.floating):
        return bool(cell != cell)
    if isinstance(cell, Decimal):
        return cell.is_nan()
    if isinstance(cell, np.datetime64 | np.timedelta64):
        return bool(np.isnat(cell))
    return type(cell).__name__ in ("NAType", "NaTType")  # pandas, without importing it


def text_of(cell: Any) -> str | None:
    """Return what a cell prints as when it is compared with a category; None if it cannot match any.

    Text is itself. A whole number prints without a decimal point, whatever its type; another number as its own
    type prints it; a boolean as "True" or "False".
    """
    if isinstance(cell, str):
        return str(cell)
    if isinstance(cell, bool | np.bool_):
        return str(bool(cell))
    if isinstance(cell, Integral) and not isinstance(cell, np.timedelta64):
        return str(int(cell)) if abs(int(cell)) < 10**_MAX_DIGITS else None
    if isinstance(cell, float | np.floating) and np.isfinite(cell):
        return str(int(cell)) if cell == np.trunc(cell) else str(cell)
    if isinstance(cell, Decimal) and cell.is_finite() and abs(cell.adjusted()) < _MAX_DIGITS:
        return str(int(cell)) if cell == int(cell) else str(cell)
    return None


class Lookup:
    """Codes of categories, by the text that they print as.

    Parameters
    ----------
    code_of_text : mapping of str to int
        The code of each text, 1 to 255. Several texts may share a code.
    unknown : int, optional
        The code of a category that is not listed; by default the one after the largest.
    """

    def __init__(self, code_of_text: Mapping[str, int], unknown: int | None = None) -> None:
        self.code_of_text = dict(code_of_text)
        self.unknown = max(code_of_text.values()) + 1 if unknown is None else unknown
        self._integers = {int(t): code for t, code in code_of_text.items() if _INTEGER_TEXT.fullmatch(t)}

    def can_match(self, kind: str) -> bool:
        """Return whether a column of this kind ("integer" or "boolean") can hold any of the categories."""
        if kind == "boolean":
            return not self.code_of_text.keys().isdisjoint({"True", "False"})
        return bool(self._integers)

    def of_objects(self, cells: Sequence[Any] | npt.NDArray[np.object_]) -> npt.NDArray[np.uint8]:
        """Return the codes of Python objects."""
        try:
            found = np.fromiter(map(self.code_of_text.get, cells, repeat(-1)), dtype=np.int16, count=len(cells))
        except Exception:  # a cell without a hash, such as a list, or with one that fails
            found = np.full(len(cells), -1, dtype=np.int16)
        memo: dict[tuple[type, Any], int] = {}
        for i in np.flatnonzero(found < 0).tolist():
            found[i] = self._of_object(cells[i], memo)
        return found.astype(np.uint8)

    def _of_object(self, cell: Any, memo: dict[tuple[type, Any], int]) -> int:
        key = (type(cell), cell) if type(cell) in _PLAIN_CELLS else None
        if key is not None and key in memo:
            return memo[key]
        try:
            text = text_of(cell)
            code = (
                0 if is_missing(cell) else self.unknown if text is None else self.code_of_text.get(text, self.unknown)
            )
        except Exception:  # a user's own type that fails
            code = self.unknown
        if key is not None:
            memo[key] = code
        return code

    def of_numbers(
        self, values: npt.NDArray[Any], missing: npt.NDArray[np.bool_] | None = None
    ) -> npt.NDArray[np.uint8]:
        """Return the codes of an array of numbers or booleans; 0 for NaN and where `missing` is true."""
        if values.dtype.kind == "b":
            pair = [self.code_of_text.get(text, self.unknown) for text in ("False", "True")]
            codes = np.array(pair, dtype=np.uint8)[values.view(np.uint8)]
        else:
            listed = self._listed_numbers(values.dtype)
            codes = np.full(values.shape, self.unknown, dtype=np.uint8)
            if listed:
                known = np.array(sorted(listed), dtype=values.dtype)
                code = np.array([listed[value] for value in sorted(listed)], dtype=np.uint8)
                at = np.minimum(np.searchsorted(known, values), known.size - 1)
                hit = known[at] == values
                codes[hit] = code[at[hit]]
        if values.dtype.kind == "f":
            codes[np.isnan(values)] = 0
        if missing is not None:
            codes[missing] = 0
        return codes

    def _listed_numbers(self, dtype: np.dtype[Any]) -> dict[Any, int]:
        """Return the code of each number of this dtype that prints as a category."""
        if dtype.kind in "iu":
            limits = np.iinfo(dtype)
            return {n: code for n, code in self._integers.items() if limits.min <= n <= limits.max}
        listed = {}
        for text, code in self.code_of_text.items():
            number = _float_that_prints_as(text, dtype)
            if number is not None:
                listed[number] = code
        return listed


def _float_that_prints_as(text: str, dtype: np.dtype[Any]) -> Any:
    with np.errstate(over="ignore"):
        try:
            number = dtype.type(text)
        except ValueError:
            return None
    return number if text_of(number) == text else None
