"""Tables from files: CSV and Parquet for the command line, and the catalogue of the study's data sets.

pandas and pyarrow are optional (``pip install "privboost[cli]"``) and imported when a file is first read.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Container, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from privboost.data.attributes import Numeric
from privboost.data.domain import Domain
from privboost.data.matching import numbers_of
from privboost.data.optional import optional_module
from privboost.errors import ParameterError, SchemaError
from privboost.paths import check_path

__all__ = ["StudyTable", "load_table", "read_entry", "read_header", "read_table"]

_Read = TypeVar("_Read")

_EXPECTED = {
    "CSV": " (UTF-8 text, a header line, and in every line as many fields, separated by commas, as in the header)",
    "Parquet": "",
}
_PARQUET = (".parquet", ".pq")
_BLOCK = 1 << 20
_LONGEST_BLOCK = 2**31 - 1


class StudyTable(NamedTuple):
    """A data set of the catalogue, with two classes.

    Attributes
    ----------
    X : pandas.DataFrame of shape (m, n)
        float64 columns for numbers, text columns for categories.
    y : ndarray of int64, shape (m,)
        1 for the positive class, 0 for the rest.
    domain : Domain
        The attributes as the catalogue declares them; classes 0 and 1.
    meta : dict
        The catalogue's entry.
    """

    X: Any
    y: npt.NDArray[np.int64]
    domain: Domain
    meta: dict[str, Any]


def load_table(folder: str | Path, name: str) -> StudyTable:
    """Return a data set of the catalogue ``folder/domains.json``, its label made binary by the catalogue's rule.

    Parameters
    ----------
    folder : str or Path
        Folder that holds ``domains.json`` and the files it names.
    name : str
        Entry, such as "adult".

    Raises
    ------
    ParameterError
        For a name that is not in the catalogue.
    SchemaError
        If a file cannot be read.
    """
    folder = Path(folder)
    try:
        datasets = json.loads((folder / "domains.json").read_text(encoding="utf-8"))["datasets"]
    except (OSError, ValueError, KeyError, TypeError):
        raise SchemaError(f"The folder {str(folder)!r} holds no catalogue 'domains.json'.") from None
    if name not in datasets:
        raise ParameterError("name", name, f"one of {sorted(datasets)}")
    return read_entry(folder / datasets[name]["file"], datasets[name])


def read_entry(path: str | Path, meta: dict[str, Any]) -> StudyTable:
    """Return the data set that a catalogue's entry describes, from its file.

    Parameters
    ----------
    path : str or Path
    meta : dict
        The entry: ``features``, and a ``target`` with a ``name`` and a rule for the ``positive`` label.

    Raises
    ------
    SchemaError
        If the file cannot be read.
    """
    declared = Domain.from_json(meta)
    domain = Domain(dict(declared.items()), classes=[0, 1])
    X, labels = read_table(path, domain, target=declared.target)
    return StudyTable(X, _is_positive(labels, meta["target"]["positive"]), domain, meta)


def _is_positive(labels: Any, rule: dict[str, Any]) -> npt.NDArray[np.int64]:
    if rule["rule"] == "in":
        return np.asarray(labels.isin(rule["values"])).astype(np.int64)
    numbers = numbers_of(labels)
    threshold = float(rule["threshold"])
    return (numbers >= threshold if rule["rule"] == "ge" else numbers > threshold).astype(np.int64)


def read_header(path: str | Path) -> dict[str, str]:
    """Return the column names of a file with their dtypes, as `Domain.draft` takes them; no row is read.

    A CSV file says nothing of dtypes: they are "unknown".
    """
    path = _check_file(path)
    if path.suffix.lower() in _PARQUET:
        schema = _guard(path, "Parquet", lambda: optional_module("pyarrow.parquet").read_schema(path))
        return dict(zip(schema.names, map(str, schema.types), strict=True))
    return dict.fromkeys(_csv_header(path), "unknown")


def read_table(
    path: str | Path, domain: Domain, target: str | None = None, *, numeric_target: bool = False
) -> tuple[Any, Any]:
    """Read the declared columns of a CSV (also compressed) or Parquet file.

    In a CSV file an empty cell is missing, numbers are parsed exactly, a cell of a numeric column that is no number is
    missing, and all other cells stay the text that they are: nothing is guessed from the cells.

    Parameters
    ----------
    path : str or Path
        A name ending in .parquet or .pq is Parquet; any other is CSV, comma-separated, UTF-8, with a header line. Bytes
        that are no UTF-8 become U+FFFD, so that a cell which holds one is read as any other.
    domain : Domain
        Says which columns to read, and which of them are numbers. Other columns are left alone.
    target : str or None, default=None
        Label column to read as well.
    numeric_target : bool, default=False
        Whether its cells in a CSV file are numbers, and read as those of numeric columns are.

    Returns
    -------
    X : pandas.DataFrame of shape (m, n)
        Columns in the order of the domain.
    y : pandas.Series of shape (m,) or None
        The labels, text in the case of CSV unless they are numbers; of a nullable dtype in the case of Parquet.

    Raises
    ------
    SchemaError
        In one line, if the file is absent, is of another format, or lacks a column; or if the label column is an
        attribute of the domain.
    """
    path = _check_file(path)
    if target in domain.names:
        raise SchemaError(f"The column {target!r} is an attribute of the domain, and cannot be the label column too.")
    wanted = [*domain.names, *([] if target is None else [target])]
    if path.suffix.lower() in _PARQUET:
        _check_columns(path, list(read_header(path)), wanted)
        pandas = optional_module("pandas")
        frame = _guard(path, "Parquet", lambda: pandas.read_parquet(path, columns=list(domain.names)))
        if target is not None:
            frame[target] = _guard(path, "Parquet", lambda: _nullable(path, target))
    else:
        header = _csv_header(path)
        _check_columns(path, header, wanted)
        numeric = {name for name, attribute in domain.items() if isinstance(attribute, Numeric)}
        if numeric_target and target is not None:
            numeric.add(target)
        frame = _read_csv(path, header, wanted, numeric)
    labels = None if target is None else frame[target]
    return frame[list(domain.names)], labels


def _read_csv(path: Path, header: Sequence[str], wanted: list[str], numeric: Container[str]) -> Any:
    arrow, arrow_csv = optional_module("pyarrow"), optional_module("pyarrow.csv")
    convert = arrow_csv.ConvertOptions(
        include_columns=wanted,
        column_types=dict.fromkeys(wanted, arrow.string()),
        strings_can_be_null=True,
        null_values=[""],
    )
    # In a file of one column an empty line is a row with a missing cell.
    parse = arrow_csv.ParseOptions(newlines_in_values=True, ignore_empty_lines=len(header) > 1)

    def parsed(data: bytes, block: int) -> Any:
        options = arrow_csv.ReadOptions(block_size=min(block, _LONGEST_BLOCK))
        source = arrow.BufferReader(data)
        return arrow_csv.read_csv(source, read_options=options, parse_options=parse, convert_options=convert)

    def read() -> Any:
        data = _csv_bytes(path)
        try:
            return parsed(data, _BLOCK)
        except arrow.ArrowInvalid:
            # A row longer than a block is refused, too; how long a cell is must not matter.
            return parsed(data, len(data) + 1)

    table = _guard(path, "CSV", read)
    for i, name in enumerate(wanted):
        if name in numeric:
            table = table.set_column(i, name, [_parsed(table[name])])
    return table.to_pandas()


def _nullable(path: Path, name: str) -> Any:
    """Return a column of a Parquet file in a dtype that its schema decides.

    Else one missing label would turn a column of booleans into objects, and one of integers into floats, and other
    rows' labels might no longer be those that the classes list.
    """
    return optional_module("pandas").read_parquet(path, columns=[name], dtype_backend="numpy_nullable")[name]


def _csv_bytes(path: Path) -> bytes:
    """Return a file's text, decompressed, as valid UTF-8 without a byte-order mark, whatever bytes its cells hold."""
    with optional_module("pyarrow").input_stream(path) as file:
        raw: bytes = file.read()
    return raw.decode("utf-8-sig", "replace").encode("utf-8")


def _parsed(cells: Any) -> npt.NDArray[np.float64]:
    """Return text as numbers, NaN for missing cells and for what is no number."""
    column = cells.dictionary_encode().unify_dictionaries().combine_chunks()
    numbers = np.append(numbers_of(column.dictionary.to_pylist()), np.nan)
    indices: npt.NDArray[np.int32] = column.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return numbers[indices]


def _csv_header(path: Path) -> list[str]:
    arrow = optional_module("pyarrow")

    def read() -> list[str]:
        with io.TextIOWrapper(arrow.input_stream(path), encoding="utf-8-sig", errors="replace", newline="") as file:
            return next(line for line in csv.reader(file) if line)

    return _guard(path, "CSV", read)


def _check_columns(path: Path, found: Sequence[str], wanted: Sequence[str]) -> None:
    shown = f"{path.name!r}"
    for name in wanted:
        if found.count(name) > 1:
            raise SchemaError(f"{shown} has two columns named {name!r}. Rename one of them.")
    absent = [name for name in wanted if name not in found]
    if absent:
        hint = ""
        if len(found) == 1 and any(mark in found[0] for mark in ";\t|"):
            hint = " Columns must be separated by commas."
        raise SchemaError(f"{shown} has no column {absent[0]!r}.{hint}")


def _check_file(path: str | Path) -> Path:
    path = Path(check_path(path))
    if not path.is_file():
        raise SchemaError(f"{str(path)!r} is not a file." if path.exists() else f"{str(path)!r} does not exist.")
    return path


def _guard(path: Path, kind: str, read: Callable[[], _Read]) -> _Read:
    """Call `read`; turn whatever a parser raises into one line that quotes no cell and no line number.

    Raised outside of the handler: an exception remembers the one that was handled when it was raised.
    """
    try:
        return read()
    except SchemaError:
        raise
    except PermissionError:
        fault = f"{path.name!r} may not be read: permission denied."
    except Exception:  # parsers raise errors of many types, and quote cells in them
        fault = f"{path.name!r} is not a valid {kind} file{_EXPECTED[kind]}."
    raise SchemaError(fault)
