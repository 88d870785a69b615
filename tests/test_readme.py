"""The README's examples run as they stand, its links lead somewhere, and it fits on a screen."""

from __future__ import annotations

import inspect
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from privboost import PrivateBoostingClassifier, PrivateBoostingRegressor, PrivateSearchCV, learn_domain, load

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


def test_python_example_runs(tmp_path: Path) -> None:
    (example,) = blocks("python")
    assert len(example.splitlines()) <= 12
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", example], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "(ε, δ)-differentially private with ε = 1, δ = 1e-06" in done.stdout
    assert len(re.findall("malignant|benign", done.stdout.splitlines()[-1])) == 3
    assert (tmp_path / "model.json").is_file()


def test_examples_of_the_learner_s_page_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    examples = blocks("python", (ROOT / "docs" / "learner.md").read_text(encoding="utf-8"))
    assert len(examples) == 2
    for example in examples:
        exec(compile(example, "learner.md", "exec"), {})
    assert capsys.readouterr().out.startswith("Plan for 569 rows, 2 classes, ε = 1, δ = 1e-06:")


def test_the_example_of_the_page_on_evaluations_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = blocks("python", (ROOT / "docs" / "evaluation.md").read_text(encoding="utf-8"))
    exec(compile(example, "evaluation.md", "exec"), {})
    assert "This evaluation is ε-differentially private with ε = 0.5" in capsys.readouterr().out


def test_the_example_of_the_page_on_domains_runs(capsys: pytest.CaptureFixture[str]) -> None:
    first, *examples = blocks("python", (ROOT / "docs" / "domains.md").read_text(encoding="utf-8"))
    exec(compile(first, "domains.md", "exec"), {})
    names: dict[str, Any] = {}
    for example in examples:
        exec(compile(example, "domains.md", "exec"), names)
    assert names["both"].domain.cost.epsilon == pytest.approx(0.2)
    out = capsys.readouterr().out
    assert "This domain is (ε, δ)-differentially private with ε = 0.2" in out
    assert "learnt from private rows at ε = 0.2, δ = 5e-07" in out


def test_the_page_on_domains_names_every_parameter_of_learning() -> None:
    page = (ROOT / "docs" / "domains.md").read_text(encoding="utf-8")
    assert [
        name for name in inspect.signature(learn_domain).parameters if f"`{name}`" not in page and name != "X"
    ] == []


def test_the_example_of_the_page_on_tuning_runs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "tuning.md").read_text(encoding="utf-8")
    (example,) = blocks("python", page)
    exec(compile(example, "tuning.md", "exec"), {})
    assert "This model is ε-differentially private with ε = 1" in capsys.readouterr().out
    assert load(tmp_path / "model.json").privacy_.epsilon == 1.0
    assert [name for name in inspect.signature(PrivateSearchCV).parameters if f"`{name}`" not in page] == []


def test_the_learner_s_page_names_every_parameter() -> None:
    page = (ROOT / "docs" / "learner.md").read_text(encoding="utf-8")
    general = {"random_state", "verbose", "privacy", "domain"}
    for learner in (PrivateBoostingClassifier, PrivateBoostingRegressor):
        absent = [
            name for name in learner().get_params() if name not in general and not re.search(rf"\b{name}\b", page)
        ]
        assert absent == []


FILLED_FORM = """format = "privboost-domain"
version = 1
attributes = [
  { name = "age", kind = "numeric", lo = 0, hi = 120, integer = true },
  { name = "job", kind = "categorical", values = ["clerk", "farmer", "other"] },
]
target = "income"
classes = ["high", "low"]
"""


def test_shell_example_runs(tmp_path: Path) -> None:
    lines = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("privboost ")]
    assert len(lines) == 6
    jobs = ["clerk", "farmer", "other"]
    people = [f"{20 + i % 60},{jobs[i % 3]},{'high' if i % 60 > 30 else 'low'}" for i in range(300)]
    (tmp_path / "people.csv").write_text("\n".join(["age,job,income", *people, ""]))
    (tmp_path / "test.csv").write_text("\n".join(["age,job,income", *people, ""]))
    (tmp_path / "new.csv").write_text("age,job\n33,clerk\n71,farmer\n")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    for line in lines:
        done = subprocess.run(
            line,
            shell=True,
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, ""), f"{line}\n{done.stdout}{done.stderr}"
        if "verify" in line:
            assert "ε = 1, δ = 1e-06" in done.stdout
        if "evaluate" in line:
            assert "This evaluation is ε-differentially private with ε = 0.5" in done.stdout
        if "draft" in line:
            assert "TODO" in (tmp_path / "people.toml").read_text(encoding="utf-8")
            (tmp_path / "people.toml").write_text(FILLED_FORM, encoding="utf-8")
    assert (tmp_path / "model.json").is_file()
    assert len((tmp_path / "labels.csv").read_text(encoding="utf-8").splitlines()) == 3


def test_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z][a-z-]*):", makefile, flags=re.MULTILINE))
    named = {target for text in DOCUMENTS for target in re.findall(r"make ([a-z][a-z-]*)", "\n".join(commands(text)))}
    assert named >= {"demo", "test", "lint"}
    assert named <= targets


def commands(path: Path) -> list[str]:
    """Return what stands between backticks or in fenced blocks."""
    text = path.read_text(encoding="utf-8")
    fenced = re.findall(r"^```[a-z]*\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    return fenced + re.findall(r"`([^`\n]+)`", text)


def test_readme_fits_on_a_screen() -> None:
    assert len(README.splitlines()) <= 60


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    links = re.findall(r"\]\(([^)\s]*)[^)]*\)", path.read_text(encoding="utf-8"))
    broken = []
    for link in links:
        name, _, anchor = link.partition("#")
        target = path.parent / name if name else path
        if "://" not in link and not (target.exists() and (not anchor or anchor in anchors(target))):
            broken.append(link)
    assert not broken, broken


def anchors(path: Path) -> set[str]:
    """Return the names that a page's headings have as targets of links."""
    lines = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL).splitlines()
    headings = [line.lstrip("#").strip().lower() for line in lines if re.match(r"#{1,6} ", line)]
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("folder", ["", "src", "tests", "docs", "benchmarks", "examples"], ids=lambda f: f or "root")
def test_no_file_has_the_marks_of_a_merge(folder: str) -> None:
    files = (ROOT / folder).rglob("*") if folder else ROOT.glob("*")
    texts = {".py", ".md", ".toml", ".json", ".csv", ".svg", ".typed", ""}
    marked = re.compile(rb"^(<{7}|>{7}) ", re.MULTILINE)
    found = [path for path in files if path.is_file() and path.suffix in texts and marked.search(path.read_bytes())]
    assert found == []
