"""House rules that no linter checks: files and functions stay short enough to be read in one go."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "src" / "privboost"
FILES = sorted(SOURCE.rglob("*.py"))

MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 60


def code_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function's body, its docstring aside."""
    body = function.body
    if (
        isinstance(body[0], ast.Expr)
        and isinstance(body[0].value, ast.Constant)
        and isinstance(body[0].value.value, str)
    ):
        body = body[1:]
    return body[-1].end_lineno - body[0].lineno + 1 if body else 0  # type: ignore[operator]


def functions(text: str) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def test_code_lines_counts_the_body() -> None:
    (function,) = functions('def f():\n    """One.\n\n    Two.\n    """\n    a = 1\n\n    return a\n')
    assert code_lines(function) == 3


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_files_and_functions_are_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) < MAX_FILE_LINES
    assert [f"{f.name}: {code_lines(f)} lines" for f in functions(text) if code_lines(f) >= MAX_FUNCTION_LINES] == []
