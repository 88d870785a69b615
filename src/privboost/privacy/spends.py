"""What a budget's book holds: its terms, its spends, and their exact sums.

An amount is the decimal number that prints it: 0.1 is one tenth here, and not the binary fraction next to it that a
float holds. So ten spends of 0.1 are 1, as everybody expects who wrote them. Sums are fractions; no float is added.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import NamedTuple, Protocol

from privboost.privacy.relation import PrivacyUnit

__all__ = ["Allow", "Book", "Spend", "Terms", "Totals", "as_decimal", "largest_float"]


@dataclass(frozen=True, slots=True)
class Terms:
    """What a budget is for, fixed when it is made.

    Attributes
    ----------
    key : str
        Names this budget among all others: the same cap in another file is another budget.
    epsilon, delta : float
        The cap.
    unit : PrivacyUnit
        Of every guarantee that is charged.
    """

    key: str
    epsilon: float
    delta: float
    unit: PrivacyUnit


@dataclass(frozen=True, slots=True)
class Spend:
    """One line of a budget's book.

    Attributes
    ----------
    label : str
        What it was for.
    epsilon, delta : float
        As stated; read as the decimals that print them.
    time : datetime
        When it was recorded, in UTC.
    unit : PrivacyUnit
        That of the budget.
    """

    label: str
    epsilon: float
    delta: float
    time: datetime
    unit: PrivacyUnit


class Totals(NamedTuple):
    """Exact sums."""

    epsilon: Fraction
    delta: Fraction


Allow = Callable[[Totals], None]
"""Raises if a spend may not follow what was spent so far."""


class Book(Protocol):
    """Where spends are kept."""

    @property
    def terms(self) -> Terms:
        """The budget's terms."""
        ...

    @property
    def path(self) -> str | None:
        """The file; None in memory."""
        ...

    def spends(self) -> tuple[Spend, ...]:
        """Return all spends, in order."""
        ...

    def totals(self) -> Totals:
        """Return what was spent so far."""
        ...

    def add(self, spend: Spend, allow: Allow) -> None:
        """Record a spend for good unless ``allow`` raises; nobody else spends in between."""
        ...


def as_decimal(amount: float) -> Fraction:
    """Return the decimal number that prints a float."""
    return Fraction(repr(amount))


def largest_float(exact: Fraction) -> float:
    """Return the largest float whose decimal is at most ``exact``, so that it may be spent."""
    amount = float(exact)
    while as_decimal(amount) > exact:
        amount = math.nextafter(amount, 0.0)
    return amount
