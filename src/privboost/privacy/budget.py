"""A cap on what several fits, and other tools, spend on the same rows together."""

from __future__ import annotations

import contextlib
import os
import threading
import uuid
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any, Self

from privboost.errors import BudgetError, BudgetExceededError, BudgetFileError, ParameterError
from privboost.paths import check_path
from privboost.privacy import charging
from privboost.privacy.amounts import check_delta, check_epsilon
from privboost.privacy.budget_file import BudgetFile
from privboost.privacy.relation import PrivacyUnit, Relation
from privboost.privacy.spends import Allow, Book, Spend, Terms, Totals, as_decimal, largest_float

__all__ = ["Budget"]

_REMEDY = "State what the guarantee costs."
_MAX_LABEL = 200

_OTHER_PROCESS = (
    "A budget in memory belongs to the process that made it, and cannot count what another one spends. Give it a file, "
    "Budget(epsilon, delta, path='budget.db'), which processes share. (A trained model that is only to be stored needs "
    "no budget: use model.save, or model.set_params(budget=None), outside of the budget's with block.)"
)


class Budget:
    """A cap on what is spent on the same rows by all fits together.

    Basic composition: epsilons add up, and so do deltas, however one fit's settings depend on the results of another.
    Every spend is recorded for good before a row is read; one that does not fit into what is left raises, and nothing
    is read. Give it to estimators as ``budget=``, or fit within ``with budget:``.

    Amounts are the decimals that print them, so that ten times 0.1 is 1; sums are exact.

    Parameters
    ----------
    epsilon : float
        The sum of all epsilons may be at most this; above 0.
    delta : float, default=0.0
        The sum of all deltas may be at most this; 0 admits pure guarantees only.
    path : str or Path, optional
        A file that processes share and that outlives them. If there is one, it goes on being charged, and must have the
        same cap and unit; else it is made, readable and writable by its owner only. Without a file, the budget lives as
        long as its process, and no other one can spend from it.
    relation : {"add-remove", "replace-one"}, default="add-remove"
    rows_per_person : int, default=1
        What neighbouring tables differ in, for every guarantee that is charged: only like adds up with like.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or not what the file at ``path`` has.
    BudgetFileError
        If the file cannot be made, or is no budget.

    See Also
    --------
    Budget.create : make a new file, and refuse one that is there.
    Budget.open : open a file by its name alone.

    Notes
    -----
    Copies, by `copy` and by scikit-learn's `clone`, are the budget itself. A pickled one knows its file; without a file
    it cannot be pickled.

    ``with budget:`` charges every fit in the block, beside the estimator's own budget where that is another one; blocks
    within blocks all pay. A thread with no block of its own pays for every block that is open in the process, and an
    estimator that is sent to another process within a block takes the budget along, and keeps it. What a process
    constructs by itself does not: give its estimators the argument.

    Examples
    --------
    >>> from privboost import Budget
    >>> budget = Budget(epsilon=1.0, delta=1e-6)
    >>> budget.spend(0.3, label="a histogram, by another tool")
    >>> budget.remaining
    (0.7, 1e-06)
    """

    def __init__(
        self,
        epsilon: float,
        delta: float = 0.0,
        *,
        path: str | Path | None = None,
        relation: Relation = "add-remove",
        rows_per_person: int = 1,
    ) -> None:
        terms = _terms(epsilon, delta, relation, rows_per_person)
        self._book: Book = _Memory(terms) if path is None else _made_or_opened(_absolute(path), terms)

    @classmethod
    def create(
        cls,
        path: str | Path,
        epsilon: float,
        delta: float = 0.0,
        *,
        relation: Relation = "add-remove",
        rows_per_person: int = 1,
    ) -> Self:
        """Make a budget in a new file; unlike the constructor, refuse a file that is there.

        Parameters
        ----------
        path : str or Path
        epsilon, delta, relation, rows_per_person
            As for `Budget`.

        Raises
        ------
        BudgetFileError
            If the name is taken, or the file cannot be made.
        """
        place, terms = _absolute(path), _terms(epsilon, delta, relation, rows_per_person)
        try:
            return cls._of(BudgetFile.create(place, terms))
        except FileExistsError:
            raise BudgetFileError(f"{place!r} is there already. Name a new file; a budget is never replaced.") from None

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Open the budget in a file, whatever its cap.

        Parameters
        ----------
        path : str or Path

        Raises
        ------
        BudgetFileError
            If the file is absent, damaged, of another kind or of a newer format.
        """
        return cls._of(BudgetFile.open(_absolute(path)))

    @classmethod
    def _of(cls, book: Book) -> Self:
        budget = cls.__new__(cls)
        budget._book = book
        return budget

    @property
    def epsilon(self) -> float:
        """The cap on the sum of epsilons."""
        return self._book.terms.epsilon

    @property
    def delta(self) -> float:
        """The cap on the sum of deltas."""
        return self._book.terms.delta

    @property
    def unit(self) -> PrivacyUnit:
        """What neighbouring tables differ in, for every guarantee that is charged."""
        return self._book.terms.unit

    @property
    def path(self) -> str | None:
        """The file, as an absolute path; None for a budget in memory."""
        return self._book.path

    @property
    def key(self) -> str:
        """The same for all objects that stand for this budget."""
        return self._book.terms.key

    @property
    def spends(self) -> tuple[Spend, ...]:
        """All spends in order: label, epsilon, delta, time in UTC, unit."""
        return self._book.spends()

    @property
    def spent(self) -> tuple[float, float]:
        """Epsilon and delta spent so far: the exact sums, as the nearest floats."""
        totals = self._book.totals()
        return float(totals.epsilon), float(totals.delta)

    @property
    def remaining(self) -> tuple[float, float]:
        """Epsilon and delta left: the largest floats that can still be spent."""
        return self._left(self._book.totals())

    def spend(
        self,
        epsilon: float,
        delta: float = 0.0,
        label: str = "",
        *,
        relation: Relation | None = None,
        rows_per_person: int | None = None,
    ) -> None:
        """Record a spend for good, or raise and record nothing.

        Call it for what other tools release from the same rows, before they do.

        Parameters
        ----------
        epsilon : float
            Above 0.
        delta : float, default=0.0
        label : str, default=""
            What it is for: public, one line.
        relation : {"add-remove", "replace-one"}, optional
        rows_per_person : int, optional
            Of the guarantee that is charged; they must be the budget's, and are taken to be.

        Raises
        ------
        BudgetExceededError
            If more is asked for than is left.
        ParameterError
            If an amount is out of range, or the guarantee is of another unit.
        BudgetError
            If the budget is another process's, or its file cannot be written.
        """
        asked = self._asked(epsilon, delta, relation, rows_per_person)
        if not isinstance(label, str) or len(label) > _MAX_LABEL or not label.isprintable():
            raise ParameterError("label", label, f"one line of text of at most {_MAX_LABEL} characters")
        spend = Spend(str(label), *asked, datetime.now(UTC), self.unit)
        self._book.add(spend, lambda spent: self._allow(spent, asked))

    def check(
        self,
        epsilon: float,
        delta: float = 0.0,
        *,
        relation: Relation | None = None,
        rows_per_person: int | None = None,
    ) -> None:
        """Raise what `spend` would raise, and record nothing.

        Parameters
        ----------
        epsilon, delta, relation, rows_per_person
            As for `spend`. Give the sum of a whole search to see beforehand whether it can be paid for.
        """
        asked = self._asked(epsilon, delta, relation, rows_per_person)
        self._allow(self._book.totals(), asked)

    def to_dict(self) -> dict[str, Any]:
        """Return cap, unit, sums and spends as JSON types."""
        spends = self.spends
        totals = _sum(spends)
        left = self._left(totals)
        return {
            "path": self.path,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "unit": self.unit.to_dict(),
            "spent": {"epsilon": float(totals.epsilon), "delta": float(totals.delta)},
            "remaining": {"epsilon": left[0], "delta": left[1]},
            "spends": [
                {"label": s.label, "epsilon": s.epsilon, "delta": s.delta, "time": s.time.isoformat()} for s in spends
            ],
        }

    def __enter__(self) -> Self:
        charging.enter(self)
        return self

    def __exit__(self, *error: object) -> None:
        charging.leave(self)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, tuple[object, ...]]:
        if self.path is None:
            raise BudgetError(_OTHER_PROCESS)
        return _unpickled, (self.path, self._book.terms)

    def __repr__(self) -> str:
        # Without a look into the file: a repr is written in odd places, and must not fail.
        given = [f"epsilon={self.epsilon!r}", f"delta={self.delta!r}"]
        given += [] if self.path is None else [f"path={self.path!r}"]
        given += [f"{name}={value!r}" for name, value in self.unit.to_dict().items() if value not in ("add-remove", 1)]
        return f"{type(self).__name__}({', '.join(given)})"

    def __str__(self) -> str:
        spends = self.spends
        totals = _sum(spends)
        left = self._left(totals)
        lines = [("", "ε", "δ", "")]
        lines += [(f"{s.time:%Y-%m-%d %H:%M:%S} UTC", repr(s.epsilon), repr(s.delta), s.label) for s in spends]
        lines += [
            ("spent", repr(float(totals.epsilon)), repr(float(totals.delta)), ""),
            ("left", repr(left[0]), repr(left[1]), ""),
            ("of", repr(self.epsilon), repr(self.delta), ""),
        ]
        widths = [max(len(line[i]) for line in lines) for i in range(3)]
        where = "in memory" if self.path is None else f"in {self.path}"
        title = f"Budget {where}, for guarantees about {self.unit.describe()}."
        table = (f"{a:<{widths[0]}}  {b:>{widths[1]}}  {c:>{widths[2]}}  {d}".rstrip() for a, b, c, d in lines)
        return "\n".join([title, *table])

    def _asked(self, epsilon: Any, delta: Any, relation: Any, rows_per_person: Any) -> tuple[float, float]:
        asked = check_epsilon(epsilon, remedy=_REMEDY), check_delta(delta)
        own = self.unit.to_dict()
        for name, value in (("relation", relation), ("rows_per_person", rows_per_person)):
            if value is not None and value != own[name]:
                remedy = "Guarantees about different units do not add up: charge them to different budgets."
                raise ParameterError(name, value, f"{own[name]!r}, as that of the budget", remedy)
        return asked

    def _allow(self, spent: Totals, asked: tuple[float, float]) -> None:
        cap = self.epsilon, self.delta
        sums = (spent.epsilon + as_decimal(asked[0]), spent.delta + as_decimal(asked[1]))
        if sums[0] > as_decimal(cap[0]) or sums[1] > as_decimal(cap[1]):
            raise BudgetExceededError(asked, self._left(spent), cap, self.path or "")

    def _left(self, spent: Totals) -> tuple[float, float]:
        epsilon, delta = as_decimal(self.epsilon) - spent.epsilon, as_decimal(self.delta) - spent.delta
        return largest_float(max(epsilon, Fraction(0))), largest_float(max(delta, Fraction(0)))


class _Memory:
    """The book of a budget in memory: of one process, for all its threads."""

    path = None

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._spends: list[Spend] = []
        self._totals = _sum(())
        self._lock = threading.Lock()
        self._process = os.getpid()

    def spends(self) -> tuple[Spend, ...]:
        return tuple(self._spends)

    def totals(self) -> Totals:
        self._require_process()
        return self._totals

    def add(self, spend: Spend, allow: Allow) -> None:
        self._require_process()  # before the lock, which a fork may have copied locked
        with self._lock:
            allow(self._totals)
            self._totals = _sum((spend,), self._totals)
            self._spends.append(spend)

    def _require_process(self) -> None:
        if os.getpid() != self._process:
            raise BudgetError(_OTHER_PROCESS)


_NOTHING = Totals(Fraction(0), Fraction(0))


def _sum(spends: tuple[Spend, ...], start: Totals = _NOTHING) -> Totals:
    return Totals(
        sum((as_decimal(spend.epsilon) for spend in spends), start.epsilon),
        sum((as_decimal(spend.delta) for spend in spends), start.delta),
    )


def _absolute(path: Any) -> str:
    return os.path.realpath(check_path(path))


def _terms(epsilon: Any, delta: Any, relation: Relation, rows_per_person: int) -> Terms:
    cap = check_epsilon(epsilon, remedy="Give the most that all spends together may cost."), check_delta(delta)
    return Terms(uuid.uuid4().hex, *cap, PrivacyUnit(relation, rows_per_person))


def _made_or_opened(path: str, terms: Terms) -> BudgetFile:
    """Make the file, or open it if it is there, on the same terms only."""
    if not os.path.lexists(path):
        with contextlib.suppress(FileExistsError):  # another process was quicker
            return BudgetFile.create(path, terms)
    book = BudgetFile.open(path)
    own, wanted = _named(book.terms), _named(terms)
    for name, value in wanted.items():
        if value != own[name]:
            raise ParameterError(
                name,
                value,
                f"{own[name]!r}, as in the budget file {path!r}",
                "What was agreed on is not changed: use Budget.open(path), or name a new file for a new budget.",
            )
    return book


def _named(terms: Terms) -> dict[str, Any]:
    return {"epsilon": terms.epsilon, "delta": terms.delta, **terms.unit.to_dict()}


def _unpickled(path: str, terms: Terms) -> Budget:
    # The file is not looked at: a stored model may be read, and used, where there is none.
    return Budget._of(BudgetFile(path, terms))
