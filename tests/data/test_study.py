"""The study's tables: schemas in the package, rows from a folder or an address, and only the known ones."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from privboost import Domain
from privboost.data.datasets import load_table, read_entry
from privboost.data.optional import optional_module
from privboost.data.study import DATA_VARIABLE, data_source, domain_kind, locate_table, study_catalogue
from privboost.errors import ParameterError, SchemaError

ROWS = "x,label\n0.5,yes\n0.25,no\n"
ENTRY: dict[str, Any] = {
    "file": "t.csv",
    "sha256": hashlib.sha256(ROWS.encode()).hexdigest(),
    "features": [{"name": "x", "kind": "numeric", "domain": [0, 1], "basis": "documented"}],
    "target": {"name": "label", "positive": {"rule": "in", "values": ["yes"]}},
}


def test_the_package_declares_19_tables() -> None:
    catalogue = study_catalogue()
    assert len(catalogue) == 19
    for name, entry in catalogue.items():
        assert len(Domain.from_json(entry)) == entry["n_features"], name
        assert len(entry["sha256"]) == 64
        assert entry["source"].startswith("UCI ")
        assert {feature["basis"] for feature in entry["features"]} <= {"documented", "common knowledge", "observed"}
    assert "stand-in" in catalogue["creditcardsmall"]["remark"]
    observed = {name for name, entry in catalogue.items() if domain_kind(entry) == "observed"}
    assert observed == {"banknote", "creditcardsmall", "qsar", "mice", "hill+noise", "hill+nonoise", "magic"}


def test_the_package_s_schemas_are_those_of_the_real_tables(shared_data: Path) -> None:
    theirs = study_catalogue(shared_data / "domains.json")
    for name, entry in study_catalogue().items():
        assert Domain.from_json(entry).items() == Domain.from_json(theirs[name]).items()
        path = locate_table(name, entry, str(shared_data))
        ours, known = read_entry(path, entry), load_table(shared_data, name)
        assert ours.X.equals(known.X)
        assert (ours.y == known.y).all()
        assert ours.X.shape == (entry["rows"], entry["n_features"])


@pytest.mark.parametrize(
    "content", ["", "[]", '{"datasets": []}', '{"datasets": {"a": {"file": "a"}}}', '{"datasets": {"a": 1}}']
)
def test_what_is_no_catalogue_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "c.json").write_text(content)
    with pytest.raises(SchemaError, match=r"c\.json' is no catalogue"):
        study_catalogue(tmp_path / "c.json")


def test_a_folder_s_file_must_be_the_known_one(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match=r"'t' needs the file 't.csv', which .* does not hold"):
        locate_table("t", ENTRY, str(tmp_path))
    (tmp_path / "t.csv").write_text(ROWS, newline="")
    assert locate_table("t", ENTRY, str(tmp_path)) == tmp_path / "t.csv"
    (tmp_path / "t.csv").write_text(ROWS + "0.1,no\n", newline="")
    with pytest.raises(SchemaError, match="is not the table 't' of the catalogue"):
        locate_table("t", ENTRY, str(tmp_path))
    assert locate_table("t", ENTRY | {"sha256": None}, str(tmp_path)) == tmp_path / "t.csv"


def test_where_tables_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DATA_VARIABLE, raising=False)
    with pytest.raises(SchemaError, match=f"Give --data, .*, or set {DATA_VARIABLE}"):
        data_source(None)
    monkeypatch.setenv(DATA_VARIABLE, "elsewhere")
    assert data_source(None) == "elsewhere"
    assert data_source("here") == "here"


class Handler(SimpleHTTPRequestHandler):
    """Serves a folder, and remembers what was asked for."""

    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        super().do_GET()

    def log_message(self, *arguments: Any) -> None:
        pass


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, list[str]]]:
    """Address of a local server with the file t.csv, and the list of what it was asked for."""
    pytest.importorskip("pooch", reason="pooch is in the extra 'study'")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    (tmp_path / "served").mkdir()
    (tmp_path / "served" / "t.csv").write_text(ROWS, newline="")
    handler = type("Own", (Handler,), {"asked": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(tmp_path / "served")))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/", handler.asked
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_table_is_fetched_once(archive: tuple[str, list[str]]) -> None:
    address, asked = archive
    first = locate_table("t", ENTRY, address)
    assert first.read_text() == ROWS
    assert locate_table("t", ENTRY, address) == first
    assert asked == ["/t.csv"]
    assert read_entry(first, ENTRY).y.tolist() == [1, 0]


def test_a_fetched_table_must_be_the_known_one(archive: tuple[str, list[str]], tmp_path: Path) -> None:
    address, _ = archive
    (tmp_path / "served" / "t.csv").write_text(ROWS + "0.1,no\n", newline="")
    with pytest.raises(SchemaError, match="is not the table 't' of the catalogue: its SHA-256 is another"):
        locate_table("t", ENTRY, address)
    with pytest.raises(SchemaError, match=r"absent.csv' could not be fetched: HTTPError"):
        locate_table("t", ENTRY | {"file": "absent.csv"}, address)
    with pytest.raises(ParameterError, match="Only known files are fetched"):
        locate_table("t", ENTRY | {"sha256": None}, address)


def test_an_absent_package_is_named() -> None:
    with pytest.raises(SchemaError, match=r"Fetching tables needs absent_package. .*'privboost\[study\]'"):
        optional_module("absent_package", "study", "Fetching tables")
