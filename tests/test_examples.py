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

from privboost import Domain, PrivateBoostingClassifier, load

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
    assert "Plan for 398 rows, 2 classes, ε = 1, δ = 1e-06:" in printed
    assert printed.count("This model is (ε, δ)-differentially private with ε = 1, δ = 1e-06") == 1
    assert printed.count("How the budget was split:") == 1
    assert " ".join(printed.split()).count("within the stated ε = 1") == 1
    assert "not covered by the guarantee" in " ".join(printed.split())
    assert "differs from run to run" in printed
    json.loads((tmp_path / "out" / "model.json").read_text(encoding="utf-8"))
    model = load(tmp_path / "out" / "model.json")
    assert isinstance(model, PrivateBoostingClassifier)
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


@pytest.fixture
def picture(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(EXAMPLES)
    import picture

    return picture


def test_picture_of_all_learners(picture: ModuleType) -> None:
    points = []
    for learner, settings, roomy in picture.LEARNERS:
        assert set(settings) | set(roomy) <= set(learner().get_params())
        points += [picture.Point(learner.__name__, epsilon, 0.8, 0.7, 0.9) for epsilon in picture.EPSILONS]
        points.append(picture.Point(learner.__name__, None, 0.95, 0.9, 1.0))
    drawn = picture.draw([*points, picture.Point("the commonest label", None, 0.6, 0.6, 0.6)])
    image = ElementTree.fromstring(drawn)
    assert len(image.findall("{*}circle")) == len(picture.LEARNERS) * len(picture.EPSILONS)
    assert "PrivateBoostingClassifier" in [text.text for text in image.findall("{*}text")]


def test_picture_shows_the_table_of_numbers(picture: ModuleType) -> None:
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
