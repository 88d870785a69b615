"""What importing privboost brings along, what it offers, and which way imports point."""

from __future__ import annotations

import ast
import importlib
import json
import pkgutil
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import privboost

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "privboost"
HEAVY = {"opendp", "pandas", "pyarrow", "polars", "rich", "typer", "click", "matplotlib", "dask"}
LIBRARY = sorted(p for p in SOURCE.rglob("*.py") if p.parent.name != "cli" and p.name != "__main__.py")
MODULES = sorted(module.name for module in pkgutil.walk_packages(privboost.__path__, "privboost."))


def run(code: str, *, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], cwd=cwd, capture_output=True, text=True, check=False)


def loaded_by(statement: str) -> set[str]:
    """Top-level modules that a fresh interpreter holds after ``statement``."""
    done = run(f"{statement}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))")
    assert done.returncode == 0, done.stderr
    return {name.partition(".")[0] for name in json.loads(done.stdout)}


@pytest.fixture(scope="module")
def dependencies() -> set[str]:
    """What the light dependencies load by themselves: scikit-learn takes pandas along where it is installed."""
    return loaded_by("import narwhals, numba, sklearn.base")


def test_import_stays_light(dependencies: set[str]) -> None:
    loaded = loaded_by("import privboost")
    assert "privboost" in loaded
    assert (loaded - dependencies) & HEAVY == set()


def test_the_light_check_would_notice(dependencies: set[str]) -> None:
    assert {"opendp", "rich"} <= (loaded_by("import privboost, opendp.prelude, rich") - dependencies) & HEAVY


def test_simulated_fit_needs_no_heavy_module(dependencies: set[str]) -> None:
    fit = (
        "import warnings; warnings.simplefilter('ignore')\n"
        "from privboost import BDPEClassifier, Domain, Numeric\n"
        "d = Domain({'x': Numeric(0, 1)})\n"
        "BDPEClassifier(domain=d, classes=[0, 1], random_state=0, n_trees=1).fit([[0.1], [0.9]], [0, 1])"
    )
    assert (loaded_by(fit) - dependencies) & HEAVY == set()


def test_secure_fit_loads_what_noise_needs_and_no_more(dependencies: set[str]) -> None:
    """OpenDP's prelude takes a second, most of it for packages that noise has no use for."""
    fit = (
        "from privboost import Domain, Numeric, PrivateForestClassifier\n"
        "d = Domain({'x': Numeric(0, 1)})\n"
        "PrivateForestClassifier(domain=d, classes=[0, 1], n_trees=1, max_depth=1).fit([[0.1], [0.9]], [0, 1])"
    )
    loaded = loaded_by(fit) - dependencies
    assert loaded & HEAVY == {"opendp"}
    assert not loaded & {"mbi", "ibis", "jax"}


def test_import_compiles_nothing() -> None:
    done = run(
        "import privboost, sys\n"
        "from numba.core.registry import CPUDispatcher\n"
        "kernels = {f'{m}.{n}': f for m, module in list(sys.modules.items()) if m.startswith('privboost')\n"
        "           for n, f in vars(module).items() if isinstance(f, CPUDispatcher)}\n"
        "print(len(kernels), sorted(n for n, f in kernels.items() if f.signatures))"
    )
    assert done.returncode == 0, done.stderr
    count, compiled = done.stdout.strip().split(" ", 1)
    assert int(count) > 5
    assert compiled == "[]"


def test_public_names() -> None:
    assert set(privboost.__all__) >= {
        "BDPEClassifier",
        "Boolean",
        "Categorical",
        "Domain",
        "Numeric",
        "Ordinal",
        "PrivacyStatement",
        "PrivateForestClassifier",
        "PrivateTreeClassifier",
        "load",
    }
    assert privboost.__all__ == sorted(privboost.__all__)


def test_version_is_that_of_the_package() -> None:
    assert privboost.__version__ == metadata.version("privboost")


@pytest.mark.parametrize("name", ["privboost", *(m for m in MODULES if m != "privboost.__main__")])
def test_module_keeps_its_promises(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__doc__, f"{name} says not what it is for"
    exported = getattr(module, "__all__", [])
    assert len(set(exported)) == len(exported)
    missing = [attribute for attribute in exported if not hasattr(module, attribute)]
    assert missing == []


def imports_at_top(tree: ast.Module) -> set[str]:
    """Top-level modules that a module imports when it is itself imported."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    inside = {node for function in functions for node in ast.walk(function)}
    nodes = [node for node in ast.walk(tree) if node not in inside]
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "." for node in nodes if isinstance(node, ast.ImportFrom)]
    return {name.partition(".")[0] for name in names}


@pytest.mark.parametrize("path", LIBRARY, ids=lambda p: str(p.relative_to(SOURCE)))
def test_library_names_no_heavy_module_at_the_top(path: Path) -> None:
    assert imports_at_top(ast.parse(path.read_text(encoding="utf-8"))) & HEAVY == set()


LAZY = HEAVY | {"scipy"}


def imports_in_functions(tree: ast.Module) -> list[str]:
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    nodes = {node for function in functions for node in ast.walk(function)}
    found = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    return found + [node.module or "." for node in nodes if isinstance(node, ast.ImportFrom)]


def test_imports_in_functions_are_seen() -> None:
    assert imports_in_functions(ast.parse("import a\ndef f():\n    import b\n    from c.d import e")) == ["b", "c.d"]


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda p: str(p.relative_to(SOURCE)))
def test_imports_inside_functions_are_for_heavy_extras(path: Path) -> None:
    found = imports_in_functions(ast.parse(path.read_text(encoding="utf-8")))
    assert [name for name in found if name.partition(".")[0] not in LAZY] == []


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    pytest.importorskip("importlinter", reason="import-linter is in the extra 'lint'")
    return run(
        "import sys; sys.path.insert(0, 'src')\n"
        "from importlinter.cli import lint_imports\n"
        "sys.exit(lint_imports(config_filename='pyproject.toml', no_cache=True))",
        cwd=folder,
    )


@pytest.fixture
def copy_of_sources(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copytree(SOURCE, tmp_path / "src" / "privboost", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_imports_go_down_the_floors(copy_of_sources: Path) -> None:
    done = lint_imports(copy_of_sources)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("file", "statement"),
    [
        pytest.param("privacy/relation.py", "from privboost.sources.local import LocalRows", id="privacy sees rows"),
        pytest.param("kernels/sums.py", "from privboost.kernels.route import leaf_of_rows", id="kernel calls kernel"),
        pytest.param("ensembles/forest.py", "import opendp.prelude", id="noise from a second file"),
        pytest.param("helpers.py", "X = 1", id="module without a floor"),
    ],
)
def test_a_climbing_import_is_found(copy_of_sources: Path, file: str, statement: str) -> None:
    with (copy_of_sources / "src" / "privboost" / file).open("a", encoding="utf-8") as stream:
        stream.write(f"\n{statement}\n")
    assert lint_imports(copy_of_sources).returncode == 1
