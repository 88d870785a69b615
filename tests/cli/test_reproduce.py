"""``privboost reproduce``, on two small tables."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from privboost.cli.reproduce import progress_bar


def test_from_tables_to_a_report(run: Callable[..., Any], small_study: Path) -> None:
    out = small_study / "out"
    result = run("reproduce", "--grid", small_study / "grid.toml", "--data", small_study, "--out", out)
    assert (result.status, result.err) == (0, "")  # no progress bar in a pipe
    assert "120 runs" in result.out
    assert "None of these models is private" in result.out
    assert f"Report: {out / 'report.html'}" in result.out
    page = (out / "report.html").read_bytes()
    (out / "report.html").unlink()
    result = run("reproduce", "--out", out, "--report-only", "--json")
    printed = json.loads(result.out)
    assert printed["runs"] == 120
    assert printed["simulated"] is True
    assert {claim["verdict"] for claim in printed["claims"]} <= {"reproduced", "not reproduced", "no data"}
    assert (out / "report.html").read_bytes() == page


def test_one_table_at_a_time(run: Callable[..., Any], small_study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIVBOOST_DATA", str(small_study))
    options = ["reproduce", "--grid", small_study / "grid.toml", "--out", small_study / "out", "--json"]
    first = json.loads(run(*options, "--only", "first").out)
    assert (first["runs"], first["incomplete"]) == (60, ["second"])
    both = json.loads(run(*options, "--only", "second").out)
    assert (both["runs"], both["incomplete"]) == (120, [])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--grid", "nowhere"], "--grid: 'nowhere' is neither one of smoke, paper, readings, gaps nor a file"),
        (["--seed", "-1"], "--seed"),
        (["--jobs", "0"], "--jobs"),
        (["--only", "third"], "must be one of first, second"),
        (["--report-only"], "is not the folder of a study"),
        (["--data", "/nowhere"], "needs the file 'first.csv', which '/nowhere' does not hold"),
    ],
)
def test_bad_input_is_one_line(run: Callable[..., Any], small_study: Path, options: list[str], words: str) -> None:
    usual = {"--grid": small_study / "grid.toml", "--data": small_study, "--out": small_study / "out"}
    given = [part for name, value in usual.items() if name not in options for part in (name, value)]
    result = run("reproduce", *given, *options)
    assert (result.status, result.out) == (2, "")
    assert words in result.err
    assert len(result.err.splitlines()) == 1
    assert not (small_study / "out").exists()


def test_the_folder_may_not_be_a_file(run: Callable[..., Any], small_study: Path) -> None:
    result = run("reproduce", "--out", small_study / "first.csv")
    assert result.status == 2
    assert "There is a file of that name" in result.err


class Terminal(io.StringIO):
    """A standard error that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_is_told_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar() as progress:
        progress(2, 6, 0.0, 4.0)
        progress(3, 6, 1.0, 4.0)
    shown = terminal.getvalue()
    assert "Folds 3/6" in shown
    assert "left:" in shown
    assert "25 %" in shown
