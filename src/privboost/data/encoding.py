"""Rows to codes: the one door through which a table enters.

An `Encoder` is made from a public domain and keeps nothing of the rows it encodes. Errors depend on shape, names and
dtypes only; no cell, whatever it holds, raises, warns or changes the encoder.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from privboost.data.attributes import Attribute, Boolean, Categorical, Numeric
from privboost.data.columns import AllMissing, Column, Dictionary, LazyColumn, Numbers, Objects, Schema, read_schema
from privboost.data.domain import Domain
from privboost.data.edges import EdgeTables
from privboost.data.layout import CodeLayout
from privboost.data.matching import Lookup, numbers_of
from privboost.data.refinement import Refinement, refine_layout
from privboost.errors import SchemaError, SchemaTypeError
from privboost.threads import in_ranges

__all__ = ["CodeLayout", "CodeReader", "Encoder"]

# Rows taken at once from columns that lie beside each other in memory.
_BLOCK = 2048


class Encoder:
    """Turns tables into codes by a public domain.

    Parameters
    ----------
    domain : Domain
        The attributes and what they may hold.
    n_bins : int, default=10
        Largest number of bins of a numeric attribute, 2 to 255.
    owner : str, default="Encoder"
        Who encodes; named in messages about the number of columns.
    refinement : Refinement, optional
        Edges and orders in place of the public ones. Cells then get their refined codes at once.

    Attributes
    ----------
    layout : CodeLayout
        The meaning of every code.

    Notes
    -----
    A number x has the code ``1 + #{edges <= x}``: a value equal to an edge goes to the higher bin. The comparison is
    made in float64, to which every value is converted first; float32 and smaller convert without loss, so that a value
    lies on the same side of an edge in whichever precision it arrives. A value below `lo`, and minus infinity, has
    code 1; a value above `hi`, and plus infinity, has the last code. NaN, None, NA, NaT and, in an object column, what
    ``float`` cannot read have code 0.

    A cell of a categorical attribute matches the category that prints as the cell does: whole numbers print without a
    decimal point, booleans as True and False. No match: code ``n_values + 1``.

    A refinement changes the edges, and renames the codes of categories, "not listed" among them. Code 0 stays.
    """

    def __init__(
        self, domain: Domain, n_bins: int = 10, *, owner: str = "Encoder", refinement: Refinement | None = None
    ) -> None:
        self.domain = domain
        self.layout = domain.layout(n_bins)
        if refinement is not None:
            self.layout = refine_layout(self.layout, refinement)
        self.owner = owner
        self._tables = EdgeTables(self.layout.edges)
        self._rules = [
            _Rule(name, attribute, self._tables, line, order)
            for line, ((name, attribute), order) in enumerate(zip(domain.items(), self.layout.orders, strict=True))
        ]

    def encode(self, X: Any, n_threads: int = 1) -> npt.NDArray[np.uint8]:
        """Return the codes of a table.

        Parameters
        ----------
        X : array-like or data frame of shape (m, n)
            Columns of a frame are matched to the domain by name, in any order. Columns of an array, or of a frame
            whose names are 0, 1, ..., n - 1, are taken by position. Or its `Schema`.
        n_threads : int, default=1
            Most threads to use. The codes are the same for any number of them.

        Returns
        -------
        ndarray of uint8, shape (n, m), C order
            One contiguous line for each attribute, in the order of the domain.

        Raises
        ------
        SchemaError, SchemaTypeError
            If the shape, a name or a dtype does not fit the domain.
        """
        schema = read_schema(X, owner=self.owner)
        source = _Source(self._rules, self._tables, schema, self._matched(schema))
        codes = np.empty((len(self._rules), schema.n_rows), dtype=np.uint8)
        source.write_whole_columns([codes[line] for line in source.whole], n_threads)
        in_ranges(
            lambda start, stop, _: source.write_numbers(start, stop, codes[:, start:stop]), schema.n_rows, n_threads
        )
        return codes

    def reader(self, schema: Schema, n_threads: int = 1) -> CodeReader:
        """Return what gives the codes of ranges of rows, so that no more than some rows' codes are held.

        Columns whose cells do not lie in arrays of numbers are encoded here.

        Parameters
        ----------
        schema : Schema
            Of the table; see `read_schema`.
        n_threads : int, default=1
            Most threads to use here.

        Raises
        ------
        SchemaError, SchemaTypeError
            What `encode` raises.
        """
        source = _Source(self._rules, self._tables, schema, self._matched(schema))
        return CodeReader(source, schema.n_rows, n_threads)

    def check(self, X: Any) -> None:
        """Raise what `encode` raises for a table or its schema, without reading a cell."""
        self._matched(read_schema(X, owner=self.owner))

    def _matched(self, schema: Schema) -> list[LazyColumn]:
        columns = [schema.columns[i] for i in match_columns(schema, self.domain.names, self.owner)]
        for rule, column in zip(self._rules, columns, strict=True):
            rule.check(column)
        return columns


class CodeReader:
    """The codes of ranges of rows of one table; `Encoder.reader` makes it.

    Attributes
    ----------
    n_rows : int
    """

    def __init__(self, source: _Source, n_rows: int, n_threads: int) -> None:
        self.n_rows = n_rows
        self._source = source
        self._whole = np.empty((len(source.whole), n_rows), dtype=np.uint8)
        source.write_whole_columns(list(self._whole), n_threads)

    def codes(self, start: int, stop: int) -> npt.NDArray[np.uint8]:
        """Return the codes of the rows ``start`` to ``stop - 1``, shape (n_attributes, stop - start), C order.

        Threads may read different ranges at a time.
        """
        out = np.empty((self._source.n_attributes, stop - start), dtype=np.uint8)
        for line, column in zip(self._source.whole, self._whole, strict=True):
            out[line] = column[start:stop]
        self._source.write_numbers(start, stop, out)
        return out


class _Source:
    """The cells of one table: columns to be encoded as a whole, and arrays of numbers, from which any rows can be.

    Attributes
    ----------
    n_attributes : int
    whole : list of int
        Attributes whose columns are encoded as a whole, for reading them may need a copy or a look at all cells.
    """

    def __init__(
        self, rules: Sequence[_Rule], tables: EdgeTables, schema: Schema, columns: Sequence[LazyColumn]
    ) -> None:
        self.n_attributes = len(rules)
        self._rules = rules
        self._tables = tables
        self._columns = columns
        self._matrix = schema.matrix
        in_array = [schema.matrix is not None or column.values is not None for column in columns]
        numeric = [rule.lookup is None for rule in rules]
        self.whole = [line for line, inside in enumerate(in_array) if not inside]
        self._numeric = np.flatnonzero(np.logical_and(in_array, numeric))
        self._listed = [line for line, inside in enumerate(in_array) if inside and not numeric[line]]

    def write_whole_columns(self, out: Sequence[npt.NDArray[np.uint8]], n_threads: int) -> None:
        """Write the codes of one column after the other, each to an array of its own."""
        for line, codes in zip(self.whole, out, strict=True):
            self._rules[line].encode(self._columns[line].read(), codes, n_threads)

    def write_numbers(self, start: int, stop: int, out: npt.NDArray[np.uint8]) -> None:
        """Write the codes of some rows of all other columns to their lines of ``out``."""
        if self._matrix is not None:
            self._tables.write(self._matrix[start:stop], self._numeric, out)
        else:
            # Columns of a frame may lie side by side in memory: all take their turn at some rows before the next.
            for begin in range(start, stop, _BLOCK):
                end = min(begin + _BLOCK, stop)
                for line in self._numeric.tolist():
                    rows = out[line, begin - start : end - start]
                    self._tables.write_column(self._cells(line, begin, end), line, rows)
        for line in self._listed:
            self._rules[line].encode(Numbers(self._cells(line, start, stop)), out[line])

    def _cells(self, line: int, start: int, stop: int) -> npt.NDArray[Any]:
        values = self._columns[line].values if self._matrix is None else self._matrix[:, line]
        return cast("npt.NDArray[Any]", values)[start:stop]


class _Rule:
    """How the cells of one attribute become codes."""

    def __init__(
        self,
        name: str,
        attribute: Attribute,
        tables: EdgeTables,
        line: int,
        order: npt.NDArray[np.uint8] | None = None,
    ) -> None:
        self.name = name
        self.attribute = attribute
        self.tables = tables
        self.line = line
        self.lookup = None if isinstance(attribute, Numeric) else _lookup(attribute, order)

    def check(self, column: LazyColumn) -> None:
        """Raise where the dtype of the column cannot hold the attribute."""
        if column.kind == "text" and self.lookup is None:
            raise SchemaTypeError(
                f"Attribute {self.name!r} is declared numeric, but its column has dtype {column.dtype}. "
                "Convert the column to numbers, or declare the attribute as Categorical."
            )
        if column.kind in ("integer", "boolean") and self.lookup is not None and not self.lookup.can_match(column.kind):
            raise SchemaTypeError(
                f"Attribute {self.name!r} is declared {self.attribute.kind}, but its column has dtype {column.dtype}, "
                "which can hold none of the declared categories. Correct the column or the declaration."
            )

    def encode(self, column: Column, out: npt.NDArray[np.uint8], n_threads: int = 1) -> None:
        """Write the codes of the cells to `out`."""
        if isinstance(column, AllMissing):
            out[:] = 0
        elif isinstance(column, Dictionary):
            entries = column.entries
            table = np.zeros(len(entries.values) + 1, dtype=np.uint8)  # index -1 finds the 0 at its end
            self.encode(entries, table[:-1])
            np.take(table, column.indices, out=out, mode="wrap")
        elif self.lookup is None:
            self._encode_numbers(column, out, n_threads)
        elif isinstance(column, Objects):
            out[:] = self.lookup.of_objects(column.values)
        else:
            out[:] = self.lookup.of_numbers(column.values, column.missing)

    def _encode_numbers(self, column: Numbers | Objects, out: npt.NDArray[np.uint8], n_threads: int) -> None:
        values = numbers_of(column.values) if isinstance(column, Objects) else column.values

        def encode(start: int, stop: int, _: int) -> None:
            self.tables.write_column(values[start:stop], self.line, out[start:stop])

        in_ranges(encode, len(values), n_threads)
        if isinstance(column, Numbers) and column.missing is not None:
            out[column.missing] = 0


def _lookup(attribute: Categorical | Boolean, order: npt.NDArray[np.uint8] | None) -> Lookup:
    codes = attribute.code_of_text()
    if order is None:
        return Lookup(codes)
    # The order is worked into the table of categories: no cell is looked up twice.
    new = order.tolist()
    return Lookup({text: new[code - 1] for text, code in codes.items()}, unknown=new[-1])


def match_columns(schema: Schema, expected: Sequence[str], owner: str) -> list[int]:
    """Return the position in the table of each expected column.

    Raises
    ------
    SchemaError, SchemaTypeError
        If a column is missing or unexpected, or there are too few or too many.
    """
    names = schema.names
    if names is None or names == tuple(range(len(names))):
        if len(schema.columns) != len(expected):
            raise SchemaError(
                f"X has {len(schema.columns)} features, but {owner} is expecting {len(expected)} features as input."
            )
        return list(range(len(expected)))
    kinds = sorted({type(name).__name__ for name in names if not isinstance(name, str)})
    if kinds:
        raise SchemaTypeError(
            f"Column names must be text to be matched with the domain; this table also has names of type {kinds}. "
            "Rename the columns: X.columns = X.columns.astype(str)."
        )
    where = {name: i for i, name in enumerate(names)}
    absent = [name for name in expected if name not in where]
    extra = sorted(set(names) - set(expected))
    if absent:
        raise SchemaError(f"X lacks the columns {_listed(absent)}." + (f" It has {_listed(extra)}." if extra else ""))
    if extra:
        raise SchemaError(f"X has the columns {_listed(extra)}, which the domain does not declare. Drop them.")
    return [where[name] for name in expected]


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:5])
    return shown + (f" and {len(names) - 5} more" if len(names) > 5 else "")
