"""The page of situations names tests; they must exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "cases.md").read_text(encoding="utf-8")
ROWS = [line.split("|")[1:-1] for line in PAGE.splitlines() if re.match(r"\| \d+ \|", line)]


def test_rows_are_numbered_in_order():
    assert [int(row[0]) for row in ROWS] == list(range(1, len(ROWS) + 1))
    assert all(len(row) == 4 for row in ROWS)


@pytest.mark.parametrize("named", [row[3].strip() for row in ROWS])
def test_every_named_test_exists(named):
    path, *names = named.split("::")
    body = ast.parse((ROOT / "tests" / path).read_text(encoding="utf-8")).body
    for name in names:
        found = [node for node in body if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name]
        assert found, f"{path} has no {name}"
        body = found[0].body


def test_no_file_of_situations_is_left_out():
    files = {path.name for path in (ROOT / "tests" / "cases").glob("test_*.py")} - {"test_cases_document.py"}
    assert all(f"cases/{name}" in PAGE for name in files)
