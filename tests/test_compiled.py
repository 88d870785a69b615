"""The cache of compiled code must notice an edit of any file that holds compiled functions."""

from __future__ import annotations

import ast
from pathlib import Path

from privboost.compiled import compiled_sources

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "privboost"


def test_every_file_with_a_compiled_function_is_in_the_hash() -> None:
    holding = {path for path in PACKAGE.rglob("*.py") if "kernel" in decorators(path)}
    assert len(holding) > 5
    assert holding == set(compiled_sources()) - {PACKAGE / "kernels" / "__init__.py"}


def test_nothing_is_compiled_by_another_decorator() -> None:
    numba = {
        path.name
        for path in PACKAGE.rglob("*.py")
        if "import numba" in path.read_text() or "numba import" in path.read_text()
    }
    assert numba == {"compiled.py"}


def decorators(path: Path) -> set[str]:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    functions = (node for node in nodes if isinstance(node, ast.FunctionDef))
    return {each.id for function in functions for each in function.decorator_list if isinstance(each, ast.Name)}
