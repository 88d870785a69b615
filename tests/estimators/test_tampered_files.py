"""A file whose parameters, plan, ledger or words were edited is refused: it cannot claim what was not done."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from privboost import BDPEClassifier, Domain, Numeric, PrivateForestClassifier, PrivateTreeClassifier, load
from privboost.cli.main import main
from privboost.errors import ModelFileError
from privboost.privacy.statement import PrivacyStatement

DOMAIN = Domain({"a": Numeric(0, 1), "b": Numeric(0, 1)})


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """One saved private model of each learner, as JSON objects."""
    folder = tmp_path_factory.mktemp("models")
    rng = np.random.default_rng(0)
    X = rng.random((200, 2))
    y = (X[:, 0] > 0.5).astype(int)
    facts: dict[str, Any] = {"domain": DOMAIN, "classes": [0, 1]}
    models = {
        "boosted": BDPEClassifier(n_trees=2, max_depth=2, **facts),
        "forest": PrivateForestClassifier(n_trees=3, max_depth=2, **facts),
        "tree": PrivateTreeClassifier(max_depth=2, criterion="matsushita", **facts),
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


def admit_nothing(content: dict[str, Any]) -> None:
    content["statement"]["assumed_public"] = []


def promise_more(content: dict[str, Any]) -> None:
    content["statement"]["notes"] = ["Also private for the number of rows."]


EDITS: list[tuple[str, str, Edit]] = [
    ("tree", "an unknown criterion with weak noise", weaken_splits),
    ("boosted", "nothing assumed public", admit_nothing),
    ("boosted", "a promise of its own", promise_more),
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


@pytest.mark.parametrize("learner", ["boosted", "forest", "tree"])
def test_the_same_file_unedited_is_accepted(files: dict[str, dict[str, Any]], tmp_path: Path, learner: str) -> None:
    path = tmp_path / "model.json"
    path.write_text(json.dumps(files[learner]))
    assert load(path).is_private_
    assert main(["verify", str(path)]) == 0
