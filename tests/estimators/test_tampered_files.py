"""A file whose parameters, plan, ledger or words were edited is refused: it cannot claim what was not done."""

from __future__ import annotations

import copy
import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from privboost import (
    BDPEClassifier,
    Categorical,
    Domain,
    Numeric,
    PrivateBoostingClassifier,
    PrivateBoostingRegressor,
    PrivateForestClassifier,
    PrivateTreeClassifier,
    load,
)
from privboost.cli.main import main
from privboost.errors import ModelFileError, VerificationError
from privboost.privacy.statement import PrivacyStatement

DOMAIN = Domain({"a": Numeric(0, 1), "b": Numeric(0, 1)})
MIXED = Domain({"a": Numeric(0, 1), "b": Categorical([0, 1])})
GAUSSIAN: dict[str, Any] = {"mechanism": "gaussian", "histogram_share": 0.2}
FEW: dict[str, Any] = {"n_rounds": 2, "max_depth": 2, "domain": MIXED}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """One saved private model of each learner, as JSON objects."""
    folder = tmp_path_factory.mktemp("models")
    rng = np.random.default_rng(0)
    X = rng.random((200, 2))
    y = (X[:, 0] > 0.5).astype(int)
    X[:, 1] = X[:, 1] > 0.5  # among the categories of the mixed domain, too
    facts: dict[str, Any] = {"domain": DOMAIN, "classes": [0, 1]}
    models = {
        "boosted": BDPEClassifier(n_trees=2, max_depth=2, **facts),
        "forest": PrivateForestClassifier(n_trees=3, max_depth=2, **facts),
        "tree": PrivateTreeClassifier(max_depth=2, criterion="matsushita", **facts),
        "newton": PrivateBoostingClassifier(delta=1e-6, calibration_share=0.0, classes=[0, 1], **GAUSSIAN, **FEW),
        "newton, public codes": PrivateBoostingClassifier(histogram_share=0.0, classes=[0, 1], **FEW),
        "selected": PrivateBoostingClassifier(
            delta=1e-6, tests_per_node=3, selection_share=0.4, classes=[0, 1], **GAUSSIAN, **FEW
        ),
        "calibrated": PrivateBoostingClassifier(
            epsilon=50.0, calibration_share=0.3, score_reach=0.5, classes=[0, 1], **FEW
        ),
        "numbers": PrivateBoostingRegressor(histogram_share=0.0, target_range=(0, 1), **FEW),
    }
    found = {}
    for name, model in models.items():
        model.fit(X, y).save(folder / name)
        found[name] = json.loads((folder / name).read_text())
    return found


Edit = Callable[[dict[str, Any]], None]


def put(*path: Any) -> Edit:
    """Return an edit that writes the last item at the path of the others."""

    def edit(content: dict[str, Any]) -> None:
        *parents, name, value = path
        for parent in parents:
            content = content[parent]
        content[name] = value

    return edit


def weaken_splits(content: dict[str, Any]) -> None:
    """Name an unknown criterion, and charge splits as if one row could change next to nothing."""
    content["parameters"]["criterion"] = "gini"
    statement = PrivacyStatement.from_dict(content["statement"])
    releases = []
    for event in statement.releases:
        if event.label.endswith("splits"):
            fields = {name: getattr(event, name) for name in type(event).__slots__}
            event = type(event)(**(fields | {"sensitivity": 1, "scale": event.scale / event.sensitivity}))
        releases.append(event)
    weak = PrivacyStatement(
        **({name: getattr(statement, name) for name in statement.__dataclass_fields__} | {"releases": tuple(releases)})
    )
    content["statement"] = weak.to_dict()


def other_edges(content: dict[str, Any]) -> None:
    """Move one inner edge, half way to the next."""
    edges = content["refinement"]["edges"][0]
    edges[10] = (edges[10] + edges[11]) / 2


def fewer_edges(content: dict[str, Any]) -> None:
    """Take out an edge that no tree tests on its own: the last one, from which on all codes move by one."""
    content["refinement"]["edges"][0].pop()


def public_layout(content: dict[str, Any]) -> None:
    """Drop the refinement, with tests that the public layout has."""
    content["refinement"] = None
    for tree in content["ensemble"]["trees"]:
        tree["attribute"], tree["first"], tree["last"] = [0] * 3, [2] * 3, [254] * 3


def without_selections(content: dict[str, Any]) -> None:
    """Hide that tests were selected: in the plan, the parameters and the ledger, whose sum falls with it."""
    content["plan"] |= {"tests_per_node": 1, "selection_share": 0.5}
    content["parameters"] |= {"tests_per_node": "auto", "selection_share": "auto"}
    statement = PrivacyStatement.from_dict(content["statement"])
    fields = {name: getattr(statement, name) for name in statement.__dataclass_fields__}
    kept = tuple(event for event in statement.releases if "splits" not in event.label)
    content["statement"] = PrivacyStatement(**(fields | {"releases": kept})).to_dict()


def cheap_selections(content: dict[str, Any]) -> None:
    """Charge selections as if one row could move scores by next to nothing."""
    statement = PrivacyStatement.from_dict(content["statement"])
    fields = {name: getattr(statement, name) for name in statement.__dataclass_fields__}
    releases = []
    for event in statement.releases:
        if "splits" in event.label:
            event = dataclasses.replace(event, sensitivity=1, scale=event.scale / event.sensitivity)
        releases.append(event)
    content["statement"] = PrivacyStatement(**(fields | {"releases": tuple(releases)})).to_dict()


def before_selections(content: dict[str, Any]) -> None:
    """Write what a version would have that knew no selection."""
    for part in ("plan", "parameters"):
        for name in ("tests_per_node", "selection_share"):
            del content[part][name]


def without_calibration(content: dict[str, Any]) -> None:
    """Hide that scores were calibrated, but for the weights."""
    content["plan"]["calibration_share"] = content["parameters"]["calibration_share"] = 0.0
    drop_last_release(content)


def drop_last_release(content: dict[str, Any]) -> None:
    statement = PrivacyStatement.from_dict(content["statement"])
    fields = {name: getattr(statement, name) for name in statement.__dataclass_fields__}
    content["statement"] = PrivacyStatement(**(fields | {"releases": statement.releases[:-1]})).to_dict()


def cheap_calibration(content: dict[str, Any]) -> None:
    statement = PrivacyStatement.from_dict(content["statement"])
    fields = {name: getattr(statement, name) for name in statement.__dataclass_fields__}
    last = statement.releases[-1]
    last = dataclasses.replace(last, sensitivity=1, scale=last.scale / last.sensitivity)
    content["statement"] = PrivacyStatement(**(fields | {"releases": (*statement.releases[:-1], last)})).to_dict()


def reweigh(slope: float) -> Edit:
    """Give all trees another weight, and the reach that goes with it."""

    def edit(content: dict[str, Any]) -> None:
        content["ensemble"]["weights"] = [slope] * len(content["ensemble"]["weights"])
        content["ensemble"]["reach"] = slope * content["plan"]["score_reach"]

    return edit


def expect(slope: float) -> Edit:
    """Have the plan expect a slope of steps that somebody chose, and the trees and the reach follow it."""

    def edit(content: dict[str, Any]) -> None:
        content["plan"]["expected_slope"] = slope
        content["parameters"]["learning_rate"] = content["plan"]["learning_rate"]
        reweigh(slope)(content)

    return edit


def admit_nothing(content: dict[str, Any]) -> None:
    content["statement"]["assumed_public"] = []


def promise_more(content: dict[str, Any]) -> None:
    content["statement"]["notes"] = ["Also private for the number of rows."]


def speak_of_an_evaluation(content: dict[str, Any]) -> None:
    """State the guarantee of something else than the model; consistently, so that the statement itself is valid."""
    statement = content["statement"]
    statement["subject"] = "evaluation"
    statement["summary"] = statement["summary"].replace("This model", "This evaluation")


EDITS: list[tuple[str, str, Edit]] = [
    ("tree", "an unknown criterion with weak noise", weaken_splits),
    ("boosted", "nothing assumed public", admit_nothing),
    ("boosted", "a promise of its own", promise_more),
    ("boosted", "a guarantee of an evaluation", speak_of_an_evaluation),
    ("boosted", "a depth that no memory holds", put("plan", "settings", "max_depth", 10**30)),
    ("boosted", "a plan without trees", put("plan", "settings", "n_trees", 0)),
    ("tree", "a plan without trees", put("plan", "settings", "n_trees", 0)),
    ("boosted", "a plan of exact leverage", put("plan", "settings", "leverage", "exact")),
    ("boosted", "parameters of exact leverage", put("parameters", "leverage", "exact")),
    ("boosted", "another combination in the plan", put("plan", "settings", "combination_alpha", 0.5)),
    ("boosted", "another combination of the trees", put("ensemble", "alpha", 0.5)),
    ("boosted", "weights beyond one", put("plan", "weight_bounds", [0.5, 1e300])),
    ("boosted", "weights below the ledger's", put("plan", "weight_bounds", [0.5, 1e-9])),
    ("boosted", "other alphas", put("plan", "alphas", 0, [1.0, 1.0])),
    ("boosted", "more rows", put("plan", "n_rows", 10**6)),
    ("boosted", "text for a number", put("parameters", "leaf_clip", "x")),
    ("boosted", "a number out of range", put("parameters", "leaf_clip", 1e300)),
    ("boosted", "a number for a choice", put("parameters", "composition", 17)),
    ("boosted", "an unknown preset", put("parameters", "preset", "x")),
    ("boosted", "a missing parameter", lambda content: content["parameters"].pop("leaf_clip")),
    ("boosted", "true for one", put("plan", "settings", "leverage_scale", True)),
    ("forest", "a fraction for a number of trees", put("plan", "n_trees", 3.0)),
    ("boosted", "classes in another order", put("classes", [1, 0])),
    ("boosted", "an unknown parameter", put("parameters", "colour", "red")),
    ("forest", "an unknown partition", put("parameters", "partition", "disjointx")),
    ("forest", "other candidates", put("plan", "n_candidates", 10**12)),
    ("forest", "another partition in the plan", put("plan", "partition", "shared")),
    ("newton, public codes", "another edge", other_edges),
    ("numbers", "another edge", other_edges),
    ("newton, public codes", "an edge less", fewer_edges),
    ("newton, public codes", "no refinement", public_layout),
    ("newton, public codes", "edges of the domain", put("refinement", "edges", 0, None)),
    ("newton, public codes", "another order", put("refinement", "orders", 1, [2, 1, 3])),
    ("newton, public codes", "no order", put("refinement", "orders", 1, None)),
    *(
        ("newton", f"{name}: {value!r}", put("plan", name, value))
        for name, value in [
            *(("learning_rate", v) for v in (0.0, -1.0, 1, True, "x", None, [0.5])),
            *(("shrinkage", v) for v in (0.0, 1, {})),
            *(("attribute_choice", v) for v in ("best", "", 1, None)),
            *(("attributes_per_tree", v) for v in (-1, 2.0, True, 10**30)),
            *(("leaf_clip", v) for v in (1, "x", None)),
            *(("occupied_floor", v) for v in (3, [], None)),
            *(("base_pseudo_count", v) for v in (5, "5")),
            *(("gradient_clip", v) for v in (0.4, 1.1, 1, None)),
            *(("residual_clip", v) for v in (0.0, 1.5, 1, None)),
            *(("score_reach", v) for v in (0.0, 99.0, 101.0, 1, None)),
            *(("histogram_share", v) for v in (0.0, 0.3, 1)),
            *(("base_share", v) for v in (0.0, 0.3, -0.5)),
            *(("trees_per_round", v) for v in (2, 0, 1.0)),
            *(("mechanism", v) for v in ("laplace", "none", 1)),
            *(("reasons", v) for v in (None, "x", [1], ["a\nb"], ["a\x1b[2J"], ["x" * 301], ["x"] * 21)),
        ]
    ),
    ("selected", "no selections", without_selections),
    ("selected", "selections at another price", cheap_selections),
    ("selected", "no word of selections", before_selections),
    *(
        ("selected", f"{name}: {value!r}", put("plan", name, value))
        for name, value in [
            *(("tests_per_node", v) for v in (1, 2, 4, 0, -3, 3.0, True, "3", None, 10**6)),
            *(("selection_share", v) for v in (0.5, 0.0, 1.0, 1, None)),
        ]
    ),
    ("selected", "another number of tests in the parameters", put("parameters", "tests_per_node", 4)),
    *(("newton", f"an expected slope of {v!r}", put("plan", "expected_slope", v)) for v in (0.5, 3.0, 21.0, 1, None)),
    ("newton", "a slope that is expected of steps that were given", expect(3.0)),
    ("newton", "tests that nothing was charged for", put("plan", "tests_per_node", 3)),
    ("calibrated", "no calibration", without_calibration),
    ("calibrated", "no release of it", drop_last_release),
    ("calibrated", "calibration at another price", cheap_calibration),
    ("calibrated", "another weight of one tree", put("ensemble", "weights", 0, 1.25)),
    ("calibrated", "a reach as if nothing were calibrated", put("ensemble", "reach", 0.5)),
    *(("calibrated", f"a weight of {slope!r}", reweigh(slope)) for slope in (0.0, -1.0, 1e-9, 0.13, 7.4, 1e300)),
    *(
        ("calibrated", f"a share of {share!r}", put("plan", "calibration_share", share))
        for share in (0.0, 0.2, 1.0, -0.1, 1, "x", None)
    ),
    ("newton", "weights that no release tells", put("ensemble", "weights", [1.5, 1.5])),
    ("newton", "weights that no release tells, and their reach", reweigh(1.5)),
    ("numbers", "calibration of numbers", put("plan", "calibration_share", 0.1)),
    ("numbers", "noise of another kind", put("plan", "mechanism", "gaussian")),
    ("newton", "a plan without a rate", lambda content: content["plan"].pop("learning_rate")),
    ("newton", "a plan without reasons", lambda content: content["plan"].pop("reasons")),
    ("newton", "more in a plan", put("plan", "colour", "red")),
    ("newton", "a reach of the trees alone", put("ensemble", "reach", 50.0)),
    ("newton", "more rounds in the parameters", put("parameters", "n_rounds", 3)),
]


@pytest.mark.parametrize(("learner", "edit"), [(e[0], e[2]) for e in EDITS], ids=[f"{e[0]}: {e[1]}" for e in EDITS])
def test_an_edited_file_is_refused_by_load_and_by_verify(
    files: dict[str, dict[str, Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str], learner: str, edit: Edit
) -> None:
    content = copy.deepcopy(files[learner])
    edit(content)
    path = tmp_path / "model.json"
    path.write_text(json.dumps(content))
    with pytest.raises(ModelFileError):
        load(path)
    assert main(["verify", str(path)]) != 0
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    "learner", ["boosted", "forest", "tree", "newton", "newton, public codes", "selected", "calibrated", "numbers"]
)
def test_the_same_file_unedited_is_accepted(files: dict[str, dict[str, Any]], tmp_path: Path, learner: str) -> None:
    path = tmp_path / "model.json"
    path.write_text(json.dumps(files[learner]))
    assert load(path).is_private_
    assert main(["verify", str(path)]) == 0


def test_a_file_from_before_tests_were_selected_is_one_whose_tests_were_drawn(
    files: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    content = copy.deepcopy(files["newton"])
    before_selections(content)
    path = tmp_path / "model.json"
    path.write_text(json.dumps(content))
    model = load(path)
    assert model.plan_.settings.tests_per_node == 1
    assert model.tests_per_node == "auto"
    assert main(["verify", str(path)]) == 0


def test_a_file_from_before_attributes_were_chosen_is_one_whose_attributes_were_drawn(
    files: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    content = copy.deepcopy(files["newton"])
    for part in ("plan", "parameters"):
        del content[part]["attribute_choice"]
    path = tmp_path / "model.json"
    path.write_text(json.dumps(content))
    model = load(path)
    assert model.plan_.settings.attribute_choice == "random"
    assert model.attribute_choice == "auto"
    assert main(["verify", str(path)]) == 0


def test_a_file_from_before_scores_were_calibrated_is_one_whose_scores_were_not(
    files: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    path = tmp_path / "model.json"
    for name in ("newton", "numbers"):
        content = copy.deepcopy(files[name])
        del content["plan"]["calibration_share"]
        content["parameters"].pop("calibration_share", None)
        path.write_text(json.dumps(content))
        assert load(path).plan_.settings.calibration_share == 0.0
        assert main(["verify", str(path)]) == 0


def test_settings_that_were_left_to_the_library_are_those_of_the_file(
    files: dict[str, dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a loaded model's settings are not chosen again")

    monkeypatch.setattr("privboost.estimators.boosting.choose_settings", refuse)
    content = copy.deepcopy(files["newton"])
    # As a version with another rule would have chosen, and explained; no release depends on these.
    content["plan"] |= {"learning_rate": 3.5, "shrinkage": 7.5, "occupied_floor": 2.5, "reasons": ["a ≥ b"] * 20}
    assert content["parameters"]["learning_rate"] == content["parameters"]["score_reach"] == "auto"
    path = tmp_path / "model.json"
    path.write_text(json.dumps(content))
    model = load(path)
    assert (model.plan_.settings.learning_rate, model.plan_.settings.shrinkage) == (3.5, 7.5)
    assert model.plan_.reasons == ("a ≥ b",) * 20
    assert model.learning_rate == "auto"
    # What the user gave is the user's.
    content["plan"]["histogram_share"] = 0.25
    path.write_text(json.dumps(content))
    with pytest.raises(ModelFileError):
        load(path)


@pytest.mark.parametrize("learner", ["newton, public codes", "numbers"])
def test_edges_without_histograms_are_public(files: dict[str, dict[str, Any]], tmp_path: Path, learner: str) -> None:
    content = copy.deepcopy(files[learner])
    other_edges(content)
    (tmp_path / "model.json").write_text(json.dumps(content))
    with pytest.raises(VerificationError, match="released no histograms, but its codes are not those of public"):
        load(tmp_path / "model.json")


def test_edges_from_histograms_are_released_numbers(files: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    content = copy.deepcopy(files["newton"])
    other_edges(content)
    (tmp_path / "model.json").write_text(json.dumps(content))
    assert load(tmp_path / "model.json").is_private_
