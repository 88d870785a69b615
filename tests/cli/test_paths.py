"""An output is never one of the inputs, by whatever name."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from privboost.cli.paths import check_files
from privboost.errors import ParameterError

# What is destroyed, and the command line that would do it.
OVERWRITING: dict[str, tuple[str, Any]] = {
    "train over its table": ("table.csv", lambda f: ["train", f / "table.csv", "-d", f / "domain.toml"]),
    "train over its domain": ("domain.toml", lambda f: ["train", f / "table.csv", "-d", f / "domain.toml"]),
    "train over its catalogue": (
        "catalogue.json",
        lambda f: ["train", f / "table.csv", "-d", f"{f / 'catalogue.json'}:two"],
    ),
    "train over its catalogue, other mark": (
        "catalogue.json",
        lambda f: ["train", f / "table.csv", "-d", f"{f / 'catalogue.json'}#two"],
    ),
    "predict over its table": ("table.csv", lambda f: ["predict", f / "model.json", f / "table.csv"]),
    "predict over its Parquet table": ("table.parquet", lambda f: ["predict", f / "model.json", f / "table.parquet"]),
    "predict over its model": ("model.json", lambda f: ["predict", f / "model.json", f / "table.csv"]),
    "draft over its table": ("table.csv", lambda f: ["domain", "draft", f / "table.csv", "--force"]),
}


@pytest.mark.parametrize("name", ["same", "relative", "symbolic link", "hard link"])
@pytest.mark.parametrize("kind", OVERWRITING)
def test_no_command_overwrites_what_it_reads(
    kind: str, name: str, run: Any, folder: Path, trained: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "model.json").write_bytes((trained / "forest.json").read_bytes())
    victim, make_arguments = OVERWRITING[kind]
    path = out = folder / victim
    before = path.read_bytes()
    if name == "relative":
        monkeypatch.chdir(folder)
        out = Path(".", victim)
    elif name != "same":
        out = folder / f"other{path.suffix}"
        (os.symlink if name == "symbolic link" else os.link)(path, out)
    # Refused by its name alone: no reader is called.
    for reader in ("learners.read_domain", "train.read_header", "predict.load", "domain.read_header"):
        monkeypatch.setattr(f"privboost.cli.{reader}", None)
    result = run(*make_arguments(folder), "-o", out)
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("privboost: error: The '--out' parameter must be another file than ")
    assert result.err.endswith("It would be overwritten: name a new file.\n")
    assert result.err.count("\n") == 1
    assert path.read_bytes() == before


def test_other_files_may_be_replaced(run: Any, folder: Path, trained: Path) -> None:
    for _ in range(2):
        result = run("predict", trained / "forest.json", folder / "table.csv", "-o", folder / "answers.csv")
        assert (result.status, result.err) == (0, "")


def test_the_message_names_the_input(folder: Path) -> None:
    table = str(folder / "table.csv")
    with pytest.raises(ParameterError, match="another file than TABLE"):
        check_files({"TABLE": table, "--domain": None}, table)
    check_files({"TABLE": table, "--domain": str(folder / "domain.toml")}, str(folder / "new.json"))


def test_a_byte_that_is_no_utf8_does_not_fail_a_command(run: Any, folder: Path) -> None:
    rows = (folder / "table.csv").read_bytes().splitlines(keepends=True)
    odd = folder / "latin.csv"
    odd.write_bytes(b"".join([*rows[:-1], rows[-1].replace(b"person", b"p\xe9rson")]))
    assert odd.read_bytes() != (folder / "table.csv").read_bytes()
    for number, table in enumerate(("table.csv", "latin.csv")):
        options = ["-d", folder / "domain.toml", "--rounds", 2, "--depth", 2, "--seed", 1]
        result = run("train", folder / table, *options, "-o", folder / f"{number}.json")
        assert result.status == 0, result.err
    assert (folder / "0.json").read_bytes() == (folder / "1.json").read_bytes()
