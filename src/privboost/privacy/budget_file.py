"""A budget's book in a file that processes share: SQLite, one transaction a spend.

The writer locks the file before it reads the sums, so two processes never both find the last of a budget unspent. A
spend is on the disk before ``add`` returns; what a crash interrupts is rolled back by the next reader. Every operation
has a connection of its own, which no thread and no forked child shares.
"""

from __future__ import annotations

import contextlib
import math
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

from privboost.errors import BudgetFileError, ParameterError
from privboost.privacy.relation import PrivacyUnit
from privboost.privacy.spends import Allow, Spend, Terms, Totals, as_decimal

__all__ = ["FORMAT", "BudgetFile"]

FORMAT = 1
"""Raised by whatever an older version would misread."""

# "pvbb", in the field of SQLite's header by which applications know their files.
_APPLICATION = 0x70766262
_PATIENCE = 60.0  # seconds that a spend waits for others

_SCHEMA = (
    f"PRAGMA application_id = {_APPLICATION}",
    f"PRAGMA user_version = {FORMAT}",
    "CREATE TABLE terms (key TEXT NOT NULL, epsilon TEXT NOT NULL, delta TEXT NOT NULL, relation TEXT NOT NULL, "
    "rows_per_person INTEGER NOT NULL)",
    "CREATE TABLE spends (number INTEGER PRIMARY KEY, label TEXT NOT NULL, epsilon TEXT NOT NULL, "
    "delta TEXT NOT NULL, time TEXT NOT NULL)",
)


class BudgetFile:
    """The book of one budget in one file.

    Parameters
    ----------
    path : str
        Absolute.
    terms : Terms
        Those that the file must hold, whenever it is used: another file in its place is noticed.
    """

    def __init__(self, path: str, terms: Terms) -> None:
        self.path = path
        self.terms = terms

    @classmethod
    def create(cls, path: str, terms: Terms) -> BudgetFile:
        """Make a new file, readable and writable by its owner only.

        It is written under another name and then given its own, so that whoever opens it finds it complete.

        Raises
        ------
        FileExistsError
            If the name is taken.
        BudgetFileError
            If the file cannot be made.
        """
        try:
            _write_new(path, terms)
        except FileExistsError:
            raise
        except OSError as error:
            raise BudgetFileError(
                f"The budget file {path!r} cannot be made: {error.strerror}. Name a file in a folder that exists, can "
                "be written to, and is on a local disk."
            ) from None
        return cls(path, terms)

    @classmethod
    def open(cls, path: str) -> BudgetFile:
        """Open an existing file, on whatever terms.

        Raises
        ------
        BudgetFileError
            If it is absent, damaged, of another kind or of a newer format.
        """
        with _transaction(path, "DEFERRED") as connection:
            return cls(path, _read_terms(connection, path))

    def spends(self) -> tuple[Spend, ...]:
        """Return all spends, in order."""
        with self._checked("DEFERRED") as connection:
            rows = connection.execute("SELECT label, epsilon, delta, time FROM spends ORDER BY number").fetchall()
            return tuple(self._spend(*row) for row in rows)

    def totals(self) -> Totals:
        """Return what was spent so far."""
        with self._checked("DEFERRED") as connection:
            return self._totals(connection)

    def add(self, spend: Spend, allow: Allow) -> None:
        """Record a spend for good unless ``allow`` raises."""
        row = (spend.label, repr(spend.epsilon), repr(spend.delta), spend.time.isoformat())
        with self._checked("IMMEDIATE") as connection:
            before = self._totals(connection)
            allow(before)
            connection.execute("INSERT INTO spends (label, epsilon, delta, time) VALUES (?, ?, ?, ?)", row)
            after = Totals(before.epsilon + as_decimal(spend.epsilon), before.delta + as_decimal(spend.delta))
            if self._totals(connection) != after:
                raise _damaged(self.path)  # a trigger, say, that forgets what is recorded

    @contextmanager
    def _checked(self, kind: str) -> Iterator[sqlite3.Connection]:
        with _transaction(self.path, kind) as connection:
            if _read_terms(connection, self.path) != self.terms:
                raise BudgetFileError(
                    f"The budget file {self.path!r} is not the one that was opened: it was replaced, and what was "
                    "spent may be lost. Put the old file back, or open the new one with Budget.open."
                )
            yield connection

    def _totals(self, connection: sqlite3.Connection) -> Totals:
        # Most spends are alike: equal ones are counted by the file, and multiplied.
        groups = connection.execute("SELECT epsilon, delta, COUNT(*) FROM spends GROUP BY epsilon, delta").fetchall()
        ((last,),) = connection.execute("SELECT COALESCE(MAX(number), 0) FROM spends").fetchall()
        if last != sum(count for _, _, count in groups):
            raise _damaged(self.path)
        epsilon = delta = Fraction(0)
        for one_epsilon, one_delta, count in groups:
            epsilon += count * as_decimal(_amount(one_epsilon, self.path))
            delta += count * as_decimal(_amount(one_delta, self.path))
        return Totals(epsilon, delta)

    def _spend(self, label: Any, epsilon: Any, delta: Any, time: Any) -> Spend:
        try:
            moment = datetime.fromisoformat(time).astimezone(UTC)
        except (TypeError, ValueError):
            raise _damaged(self.path) from None
        if not isinstance(label, str):
            raise _damaged(self.path)
        return Spend(label, _amount(epsilon, self.path), _amount(delta, self.path), moment, self.terms.unit)


def _write_new(path: str, terms: Terms) -> None:
    folder = os.path.dirname(path)
    descriptor, draft = tempfile.mkstemp(prefix=".privboost-budget-", dir=folder)  # with mode 0600
    os.close(descriptor)
    try:
        row = (terms.key, repr(terms.epsilon), repr(terms.delta), terms.unit.relation, terms.unit.rows_per_person)
        with _transaction(draft, "IMMEDIATE") as connection:
            for statement in _SCHEMA:
                connection.execute(statement)
            connection.execute("INSERT INTO terms VALUES (?, ?, ?, ?, ?)", row)
        os.link(draft, path)  # unlike a renaming, it fails where the name is taken
    finally:
        os.unlink(draft)
    with contextlib.suppress(OSError):  # where a folder cannot be opened, its entries are not ours to save
        folder_descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(folder_descriptor)
        finally:
            os.close(folder_descriptor)


@contextmanager
def _transaction(path: str, kind: str) -> Iterator[sqlite3.Connection]:
    """Open a file that exists, and commit what is done to it unless an error is raised."""
    if not os.path.isfile(path):
        raise BudgetFileError(
            f"There is no budget file {path!r}. Name the right one, or make it: Budget(epsilon, delta, path=...)."
        )
    try:
        address = f"{Path(path).as_uri()}?mode=rw"  # never makes a file
        connection = sqlite3.connect(address, uri=True, timeout=_PATIENCE, isolation_level=None)
        try:
            # EXTRA also saves the folder's entry, without which a power cut could bring the journal back, and undo
            # the last spend.
            connection.execute("PRAGMA synchronous = EXTRA")
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute(f"BEGIN {kind}")
            yield connection
            connection.execute("COMMIT")
        finally:
            connection.close()  # undoes what was not committed
    except sqlite3.Error as error:
        raise _explained(error, path) from None


def _explained(error: sqlite3.Error, path: str) -> BudgetFileError:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return BudgetFileError(
            f"The budget file {path!r} was in use by others for {_PATIENCE:g} seconds; nothing was spent. Try again."
        )
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return BudgetFileError(
            f"The budget file {path!r} cannot be opened or written; nothing was spent. Ask its owner for the right to "
            "write to it and to its folder."
        )
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return BudgetFileError(
            f"The disk of the budget file {path!r} is full or failing; nothing was spent. Make room, then try again."
        )
    return _damaged(path)


def _damaged(path: str) -> BudgetFileError:
    return BudgetFileError(
        f"{path!r} is no budget file, or is damaged. Nothing is charged to it: name another file, or restore it."
    )


def _read_terms(connection: sqlite3.Connection, path: str) -> Terms:
    ((application,),) = connection.execute("PRAGMA application_id").fetchall()
    ((version,),) = connection.execute("PRAGMA user_version").fetchall()
    if application != _APPLICATION:
        raise _damaged(path)
    if version > FORMAT:
        raise BudgetFileError(
            f"The budget file {path!r} has format {version}, and this version of privboost reads up to {FORMAT}. "
            "Upgrade privboost."
        )
    rows = connection.execute("SELECT key, epsilon, delta, relation, rows_per_person FROM terms").fetchall()
    if version != FORMAT or len(rows) != 1 or not isinstance(rows[0][0], str):
        raise _damaged(path)
    key, epsilon, delta, relation, rows_per_person = rows[0]
    try:
        unit = PrivacyUnit(relation, rows_per_person)
    except ParameterError:
        raise _damaged(path) from None
    return Terms(key, _amount(epsilon, path), _amount(delta, path), unit)


def _amount(text: Any, path: str) -> float:
    """Read what ``repr`` wrote of a finite number of 0 or more, and nothing else."""
    try:
        number = float(text) if isinstance(text, str) else math.nan
    except ValueError:
        number = math.nan
    if not 0.0 <= number < math.inf or repr(number) != text:
        raise _damaged(path)
    return number
