"""Who pays for a fit: the budget that it was given, and the budgets whose ``with`` blocks it runs in.

A fit that escaped its block unpaid would break a promise, and one that is paid twice would only waste some budget. So
doubts are settled towards paying. A thread does not see the blocks of the thread that started it; while it has no block
of its own, it pays for all that are open in the process. An estimator that is pickled within a block, on its way to
another process, takes the block's budget along.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol

from privboost.privacy.relation import Relation

__all__ = ["Charge", "Payer", "distinct", "enter", "is_paid", "leave", "open_here", "paid", "payers_of"]


class Payer(Protocol):
    """What a charge needs of a budget."""

    @property
    def key(self) -> str:
        """The same for all objects that stand for one budget."""
        ...

    def check(
        self,
        epsilon: float,
        delta: float = 0.0,
        *,
        relation: Relation | None = None,
        rows_per_person: int | None = None,
    ) -> None:
        """Raise unless so much could be spent."""
        ...

    def spend(
        self,
        epsilon: float,
        delta: float = 0.0,
        label: str = "",
        *,
        relation: Relation | None = None,
        rows_per_person: int | None = None,
    ) -> None:
        """Record a spend, or raise."""
        ...


@dataclass(frozen=True)
class Charge:
    """What one fit costs, and who pays: each of the payers pays all of it.

    Attributes
    ----------
    payers : tuple of Payer
    epsilon, delta : float
    relation : {"add-remove", "replace-one"}
    rows_per_person : int
    label : str
    """

    payers: tuple[Payer, ...]
    epsilon: float
    delta: float
    relation: Relation
    rows_per_person: int
    label: str

    def check(self) -> None:
        """Raise if one of the payers cannot pay; nothing is recorded."""
        for payer in self.payers:
            payer.check(self.epsilon, self.delta, relation=self.relation, rows_per_person=self.rows_per_person)

    def spend(self) -> None:
        """Record the spend with every payer, for good, or raise."""
        self.check()  # all are asked before the first one pays
        for payer in self.payers:
            payer.spend(
                self.epsilon,
                self.delta,
                self.label,
                relation=self.relation,
                rows_per_person=self.rows_per_person,
            )


class _Everywhere:
    """The blocks that are open in this process, in whatever thread."""

    def __init__(self) -> None:
        self.payers: tuple[Payer, ...] = ()  # replaced as a whole: readers need no lock
        self.lock = threading.Lock()


_everywhere = _Everywhere()
_here: ContextVar[tuple[Payer, ...]] = ContextVar("privboost_budgets", default=())


_paid: ContextVar[bool] = ContextVar("privboost_paid", default=False)


@contextmanager
def paid() -> Iterator[None]:
    """Let the fits inside pass without a charge, in this thread: whoever runs them has spent their cost already."""
    token = _paid.set(True)
    try:
        yield
    finally:
        _paid.reset(token)


def is_paid() -> bool:
    """Say whether what is done here has been paid for as a part of something larger."""
    return _paid.get()


def enter(payer: Payer) -> None:
    """Open a block."""
    _here.set((*_here.get(), payer))
    with _everywhere.lock:
        _everywhere.payers = (*_everywhere.payers, payer)


def leave(payer: Payer) -> None:
    """Close the innermost block of a payer."""
    _here.set(_without(_here.get(), payer))
    with _everywhere.lock:
        _everywhere.payers = _without(_everywhere.payers, payer)


def open_here() -> tuple[Payer, ...]:
    """Return who pays for what is done here, by a block; those of all threads where this one has opened none."""
    return _here.get() or _everywhere.payers


def distinct(payers: Iterable[Payer]) -> tuple[Payer, ...]:
    """Return each budget once, by whatever objects it is there."""
    return tuple({payer.key: payer for payer in payers}.values())


def payers_of(budget: Payer | None, carried: Iterable[Payer] = ()) -> tuple[Payer, ...]:
    """Return who pays for what is done here: those of open blocks, those carried here, and the budget given."""
    return distinct((*open_here(), *carried, *(() if budget is None else (budget,))))


def _without(payers: tuple[Payer, ...], payer: Payer) -> tuple[Payer, ...]:
    last = max((i for i, other in enumerate(payers) if other is payer), default=None)
    return payers if last is None else payers[:last] + payers[last + 1 :]
