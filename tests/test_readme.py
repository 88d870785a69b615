"""The README's examples run as they stand, its links lead somewhere, and it fits on a screen."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)


def test_python_example_runs(tmp_path: Path) -> None:
    (example,) = blocks("python")
    assert len(example.splitlines()) <= 12
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", example], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "ε-differentially private with ε = 1" in done.stdout
    assert done.stdout.splitlines()[-1].count("t") >= 3  # three labels, malignant or benign
    assert (tmp_path / "model.json").is_file()


def test_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, flags=re.MULTILINE))
    named = {target for text in DOCUMENTS for target in re.findall(r"make ([a-z]+)\b", "\n".join(commands(text)))}
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
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", path.read_text(encoding="utf-8"))
    broken = [link for link in links if "://" not in link and not (path.parent / link).exists()]
    assert broken == []
