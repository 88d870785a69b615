"""The demo runs, says what it must, and its domain fits the table."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest
from sklearn.datasets import load_breast_cancer

from privboost import BDPEClassifier, Domain, PrivateForestClassifier, load

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(EXAMPLES)
    sys.modules.pop("breast_cancer", None)
    import breast_cancer

    return breast_cancer


def test_demo(demo: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    demo.main(tmp_path / "out")
    printed = capsys.readouterr().out
    assert printed.count("This model is ε-differentially private with ε = 1 (pure: δ = 0)") == 2
    assert printed.count("How the budget was split:") == 2
    assert printed.count("within the stated ε = 1") == 2
    assert "not covered by the guarantee" in " ".join(printed.split())
    assert "differ from run to run" in printed
    for file, learner in (("model.json", BDPEClassifier), ("forest.json", PrivateForestClassifier)):
        json.loads((tmp_path / "out" / file).read_text(encoding="utf-8"))
        model = load(tmp_path / "out" / file)
        assert isinstance(model, learner)
        assert model.is_private_


def test_demo_domain_names_the_table_s_columns() -> None:
    domain = Domain.load(EXAMPLES / "breast_cancer.toml")
    table = load_breast_cancer()
    assert list(domain.names) == list(table.feature_names)
    assert set(domain.classes or ()) == set(table.target_names)


def test_demo_domain_was_not_read_off_the_table() -> None:
    domain = Domain.load(EXAMPLES / "breast_cancer.toml")
    table = load_breast_cancer()
    for values, (name, attribute) in zip(table.data.T, domain.items(), strict=True):
        assert attribute.lo == 0, name
        assert attribute.hi != values.max(), name
        assert float(f"{attribute.hi:.1e}") == attribute.hi, f"{name}: not a round number"


def test_picture_shows_the_table_of_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(EXAMPLES)
    import picture

    with (ROOT / "docs" / "images" / "accuracy.csv").open(encoding="utf-8") as stream:
        points = [
            picture.Point(
                row["learner"],
                float(row["epsilon"]) if row["epsilon"] else None,
                *(float(row[name]) for name in ("mean_accuracy", "decile_1", "decile_9")),
            )
            for row in csv.DictReader(stream)
        ]
    drawn = (ROOT / "docs" / "images" / "accuracy.svg").read_text(encoding="utf-8")
    assert ElementTree.fromstring(drawn).tag.endswith("svg")
    circles = ElementTree.fromstring(drawn).findall("{*}circle")
    assert len(circles) == sum(point.epsilon is not None for point in points)
    for circle, point in zip(circles, [p for p in points if p.epsilon is not None], strict=True):
        assert float(circle.attrib["cy"]) == pytest.approx(picture.y_of(point.mean), abs=0.11)
