"""The folder of a study: what it is about, and one Parquet file of rows for each table and fold.

A file appears under its name when it is complete, by an atomic rename. Whatever is there is complete and counts once;
whatever
is not was never counted. A study can thus be killed at any moment, and goes on where it was.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from privboost.data.optional import optional_module
from privboost.data.study import domain_kind
from privboost.errors import SchemaError
from privboost.experiments.grid import Grid

__all__ = ["COLUMNS", "Store", "Study", "replace_file"]

FORMAT, VERSION = "privboost-study", 1
_KEY = b"privboost-study"

COLUMNS = {
    "domain": "string",
    "fold": "int16",
    "arm": "string",
    "learner": "string",
    "epsilon": "float64",
    "alpha": "string",
    "T": "int16",
    "depth": "int16",
    "share": "float64",
    "bins": "int16",
    "error": "float64",
    "n_nodes": "int64",
    "seed": "int64",
    "domain_kind": "string",
}
"""Columns of a row of results, one row for each setting and fold. ``epsilon`` is infinite without privacy, ``share``
NaN
where there is nothing to divide, ``T``, ``depth`` and ``bins`` 0 where the learner chose them."""


@dataclass(frozen=True)
class Study:
    """What results are about.

    Attributes
    ----------
    grid : str
        Its name.
    fingerprint : str
        Of its settings and folds.
    folds : int
    n_settings : int
    seed : int
    tables : dict
        By name: facts of each table from the catalogue.
    version : str
        Of privboost.
    """

    grid: str
    fingerprint: str
    folds: int
    n_settings: int
    seed: int
    tables: dict[str, dict[str, Any]]
    version: str

    @staticmethod
    def of(grid: Grid, catalogue: Mapping[str, dict[str, Any]], seed: int) -> Study:
        """Describe the study of a grid.

        Raises
        ------
        SchemaError
            If the grid names a table that the catalogue does not have.
        """
        names = tuple(catalogue) if grid.tables is None else grid.tables
        absent = [name for name in names if name not in catalogue]
        if absent:
            raise SchemaError(
                f"The grid {grid.name!r} names the table {absent[0]!r}; there are {', '.join(catalogue)}."
            )
        tables = {name: _facts(catalogue[name]) for name in names}
        n_settings = len(grid.settings())
        return Study(grid.name, grid.fingerprint(), grid.folds, n_settings, seed, tables, metadata.version("privboost"))

    @property
    def tasks(self) -> list[tuple[str, int]]:
        """All pairs of a table and a fold."""
        return [(name, fold) for name in self.tables for fold in range(self.folds)]

    def to_dict(self) -> dict[str, Any]:
        """Return the facts as JSON types."""
        facts = {key: getattr(self, key) for key in self.__dataclass_fields__}
        return {"format": FORMAT, "format_version": VERSION, "simulated": True, **facts}


def _facts(entry: Mapping[str, Any]) -> dict[str, Any]:
    text = json.dumps(entry, sort_keys=True, ensure_ascii=False)
    features = entry["features"]
    return {
        "rows": entry.get("rows"),
        "n_features": len(features),
        "n_observed": sum(feature.get("basis") == "observed" for feature in features),
        "domain_kind": domain_kind(dict(entry)),
        "positive": entry["target"]["positive"],
        "source": entry.get("source", entry.get("identity", "")),
        "licence": entry.get("licence", ""),
        "remark": entry.get("remark", ""),
        "entry": hashlib.sha256(text.encode()).hexdigest(),
    }


@dataclass(frozen=True)
class Store:
    """The folder of a study.

    Attributes
    ----------
    folder : Path
    """

    folder: Path

    def open(self, study: Study) -> None:
        """Write down what the folder is about; a folder that is about something else is refused.

        Raises
        ------
        SchemaError
            If the folder holds another study.
        """
        self._parts.mkdir(parents=True, exist_ok=True)
        if not self._manifest.exists():
            replace_file(self._manifest, json.dumps(study.to_dict(), indent=1, ensure_ascii=False) + "\n")
            return
        held, asked = self.study().to_dict(), study.to_dict()
        for key, value in asked.items():
            if held.get(key) != value:
                shown = f": {held.get(key)!r} is not {value!r}" if key in ("grid", "seed", "folds", "version") else ""
                raise SchemaError(
                    f"--out: {str(self.folder)!r} holds another study; its {key!r} differs{shown}. Name another folder."
                )

    def study(self) -> Study:
        """Return what the folder is about.

        Raises
        ------
        SchemaError
            If it is no folder of a study.
        """
        try:
            content = json.loads(self._manifest.read_text(encoding="utf-8"))
            known = content["format"] == FORMAT and content["format_version"] == VERSION
            study = Study(**{key: content[key] for key in Study.__dataclass_fields__})
        except (OSError, ValueError, KeyError, TypeError):
            known = False
        if not known:
            raise SchemaError(f"--out: {str(self.folder)!r} is not the folder of a study that this version can read.")
        return study

    def has(self, table: str, fold: int) -> bool:
        """Whether the rows of a table and fold are there."""
        return self._part(table, fold).is_file()

    def write(self, table: str, fold: int, rows: Mapping[str, Sequence[Any]], study: Study) -> None:
        """Put the rows of a table and fold there, all at once."""
        arrow, parquet = optional_module("pyarrow"), optional_module("pyarrow.parquet")
        fields = [arrow.field(name, getattr(arrow, kind)()) for name, kind in COLUMNS.items()]
        schema = arrow.schema(fields, metadata={_KEY: _mark(study)})
        content = arrow.table(dict(rows), schema=schema)
        with _replacing(self._part(table, fold)) as partial:
            parquet.write_table(content, partial, compression="zstd")

    def read(self, study: Study) -> Any:
        """Return all rows as an Arrow table, in the order of tables and folds.

        Raises
        ------
        SchemaError
            If a file is damaged, or belongs to another study.
        """
        arrow, parquet = optional_module("pyarrow"), optional_module("pyarrow.parquet")
        found = []
        for table, fold in study.tasks:
            path = self._part(table, fold)
            if not path.is_file():
                continue
            try:
                part = parquet.read_table(path)
            except (OSError, arrow.ArrowInvalid):
                raise SchemaError(f"{str(path)!r} is damaged. Delete it, and run the study again.") from None
            if part.schema.metadata.get(_KEY) != _mark(study) or part.num_rows != study.n_settings:
                raise SchemaError(f"{str(path)!r} belongs to another study. Delete it, and run this one again.")
            found.append(part)
        if not found:
            raise SchemaError(f"--out: {str(self.folder)!r} holds no results yet.")
        return arrow.concat_tables(found)

    def write_results(self, rows: Any) -> None:
        """Write all rows as one file, ``results.parquet``."""
        with _replacing(self.folder / "results.parquet") as partial:
            optional_module("pyarrow.parquet").write_table(rows, partial, compression="zstd")

    def clean(self) -> None:
        """Delete what killed runs left behind; to be called when all files are there."""
        for path in self._parts.glob("*.partial"):
            path.unlink(missing_ok=True)

    @property
    def _parts(self) -> Path:
        return self.folder / "parts"

    @property
    def _manifest(self) -> Path:
        return self.folder / "study.json"

    def _part(self, table: str, fold: int) -> Path:
        return self._parts / f"{table}-{fold:02d}.parquet"


def _mark(study: Study) -> bytes:
    """Return what the rows of one study, and no other, are marked with."""
    content = json.dumps(study.to_dict(), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(content.encode()).hexdigest().encode()


def replace_file(path: Path, text: str) -> None:
    """Write a text file all at once."""
    with _replacing(path) as partial:
        partial.write_text(text, encoding="utf-8", newline="\n")


@contextlib.contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    """Give the name of a new file beside ``path``, and rename it to ``path`` once it is written and on the disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f"{path.name}.", suffix=".partial", dir=path.parent)
    os.close(handle)
    partial = Path(name)
    try:
        yield partial
        with partial.open("rb+") as stream:
            os.fsync(stream.fileno())
        partial.chmod(0o644)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
