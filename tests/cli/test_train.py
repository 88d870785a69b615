"""``privboost train``: what it reads, what it decides from it, what it prints, and what it refuses to tell."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import privboost
from privboost import BDPEClassifier, PrivateForestClassifier, PrivateTreeClassifier
from privboost.cli.train import LEARNERS, TrainRequest, parse_settings, train_model
from privboost.errors import ParameterError
from privboost.exchange import read_model


def request(folder: Path, **changes: Any) -> TrainRequest:
    given = {
        "table": str(folder / "table.csv"),
        "domain": str(folder / "domain.toml"),
        "out": str(folder / "model.json"),
        "parameters": {"n_trees": 3, "max_depth": 2},
    }
    return TrainRequest(**(given | changes))


def test_one_screen_says_the_guarantee_the_split_the_plan_and_the_place(run: Any, folder: Path) -> None:
    model = folder / "model.json"
    result = run("train", folder / "table.csv", "-d", folder / "domain.toml", "-o", model, "--epsilon", 2, "--depth", 2)
    assert (result.status, result.err) == (0, "")
    assert len(result.out.splitlines()) <= 24
    for part in (
        "This model is ε-differentially private with ε = 2 (pure: δ = 0)",
        "one row added or removed",
        "splits █",
        "leaves █",
        "20 trees of depth 2 for 2 classes, from 400 rows of 3 attributes",
        "Loss parameter α by depth: 0: ",
        ", 1: ",
        "not used: id.",
        f"Model written to {model}. Check it with: privboost verify {model}",
    ):
        assert part in result.out, result.out


def test_json_is_one_strict_object(run: Any, folder: Path) -> None:
    result = run("train", folder / "table.csv", "-d", folder / "domain.toml", "-o", folder / "m.json", "--json")
    facts = json.loads(result.out, parse_constant=pytest.fail)
    assert result.out.count("\n") == 1
    assert facts["epsilon"] == 1.0
    assert facts["private"] is True
    assert facts["classes"] == ["no", "yes"]
    assert facts["unused_columns"] == ["id"]
    assert facts["budget_split"] == pytest.approx({"splits": 0.5, "leaves": 0.5})
    assert facts["model"] == str(folder / "m.json")


@pytest.mark.parametrize(
    ("learner", "expected"),
    [("bdpe", BDPEClassifier), ("forest", PrivateForestClassifier), ("tree", PrivateTreeClassifier)],
)
def test_every_learner_is_trained_by_its_name(learner: str, expected: type, run: Any, folder: Path) -> None:
    arguments = ["--learner", learner, "--depth", 2, "--bins", 5, "--relation", "replace-one", "-e", 3]
    result = run("train", folder / "table.csv", "-d", folder / "domain.toml", "-o", folder / "m.json", *arguments)
    assert (result.status, result.err) == (0, "")
    model = privboost.load(folder / "m.json")
    assert type(model) is expected is LEARNERS[learner]
    assert (model.epsilon, model.max_depth, model.n_bins, model.relation) == (3.0, 2, 5, "replace-one")
    assert model.privacy_.unit.distance == 2
    assert model.is_private_
    assert model.verbose is False


def test_any_parameter_can_be_set(run: Any, folder: Path) -> None:
    sets = ["--set", "alpha=0.25", "--set", "selection=exponential", "--set", "combination_alpha=null"]
    arguments = [*sets, "--trees", 2, "--depth", 1]
    assert (
        run("train", folder / "table.csv", "-d", folder / "domain.toml", "-o", folder / "m.json", *arguments).status
        == 0
    )
    model = privboost.load(folder / "m.json")
    assert (model.alpha, model.selection, model.combination_alpha) == (0.25, "exponential", None)
    assert {event.mechanism for event in model.privacy_.releases} == {"exponential", "laplace"}


def test_settings_are_json_or_words() -> None:
    assert parse_settings(["a=1", "b=0.5", "c=true", "d=null", "e=word", 'f="1"', "g=a=b"]) == {
        "a": 1,
        "b": 0.5,
        "c": True,
        "d": None,
        "e": "word",
        "f": "1",
        "g": "a=b",
    }
    for bad in ("a", "=1", "a={}", "a=[1]", "domain=x", "n_trees=3", "random_state=1"):
        with pytest.raises(ParameterError):
            parse_settings([bad])


def test_the_papers_preset(run: Any, folder: Path) -> None:
    arguments = ["--preset", "paper", "--trees", 2, "--depth", 2]
    assert (
        run("train", folder / "table.csv", "-d", folder / "domain.toml", "-o", folder / "m.json", *arguments).status
        == 0
    )
    splits = [event for event in read_model(folder / "m.json").statement.releases if event.label.endswith("splits")]
    assert {(event.mechanism, event.composition) for event in splits} == {("exponential", "sequential")}


# -- what is not private says so


def test_a_seed_makes_a_simulation_and_says_so(run: Any, folder: Path) -> None:
    arguments = ["train", folder / "table.csv", "-d", folder / "domain.toml", "--seed", 3, "--trees", 2]
    result = run(*arguments, "-o", folder / "a.json")
    assert result.status == 0
    assert result.err.startswith("privboost: warning: ")
    assert result.err.count("\n") == 1
    assert "simulation" in result.out.splitlines()[0]
    assert run(*arguments, "-o", folder / "b.json").status == 0
    assert (folder / "a.json").read_bytes() == (folder / "b.json").read_bytes()


def test_without_privacy_it_says_so(run: Any, folder: Path) -> None:
    result = run(
        "train", folder / "table.csv", "-d", folder / "domain.toml", "-o", folder / "m.json", "--privacy", "none"
    )
    assert result.status == 0
    assert result.out.startswith("NOT PRIVATE: trained without noise")
    assert result.out.count("NOT PRIVATE") == 1
    assert not privboost.load(folder / "m.json").is_private_


def test_no_seed_no_two_models_alike(folder: Path) -> None:
    train_model(request(folder, out=str(folder / "a.json")))
    train_model(request(folder, out=str(folder / "b.json")))
    assert (folder / "a.json").read_bytes() != (folder / "b.json").read_bytes()


# -- nothing of a cell gets out


ODD_ROWS = {
    "text for a number": "p,yes,True,clerk,SECRET\n",
    "a number out of bounds": "p,yes,True,clerk,1e300\n",
    "infinity": "p,yes,True,clerk,-inf\n",
    "no number": "p,yes,True,clerk,nan\n",
    "an empty cell": "p,yes,,,\n",
    "an unknown category": "p,yes,True,SECRET,50\n",
    "an unknown label": "p,SECRET,True,clerk,50\n",
    "no label": "p,,True,clerk,50\n",
    "a word for a boolean": "p,yes,SECRET,clerk,50\n",
    "a quoted line end": 'p,yes,True,"SEC\nRET",50\n',
}


@pytest.mark.parametrize("kind", ODD_ROWS)
def test_an_odd_row_changes_neither_status_nor_messages(kind: str, run: Any, folder: Path) -> None:
    table = (folder / "table.csv").read_text(encoding="utf-8")
    outcomes = []
    for name, row in (("plain", "p,yes,True,clerk,50\n"), ("odd", ODD_ROWS[kind])):
        (folder / "t.csv").write_text(table + row, encoding="utf-8")
        result = run("train", folder / "t.csv", "-d", folder / "domain.toml", "-o", folder / f"{name}.json", "--json")
        facts = json.loads(result.out)
        facts.pop("seconds")
        facts.pop("model")
        facts["plan"].pop("alphas")  # derived from released numbers, which are noisy
        facts["plan"].pop("weight_bounds")
        outcomes.append((result.status, result.err, facts))
        assert "SECRET" not in (folder / f"{name}.json").read_text()
    assert outcomes[0] == outcomes[1]
    assert outcomes[0][0] == 0
    assert outcomes[0][1] == ""


def test_nothing_printed_is_an_exact_count(run: Any, folder: Path) -> None:
    result = run("train", folder / "table.csv", "-d", folder / "domain.toml", "-o", folder / "m.json")
    labels = pd.read_csv(folder / "table.csv")["income"].value_counts()
    assert not any(f" {count} " in result.out for count in labels)


# -- a lost model is a spent budget


def test_where_the_model_goes_is_checked_before_a_row_is_read(
    run: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*arguments: Any) -> None:
        pytest.fail("the table was read")

    monkeypatch.setattr("privboost.cli.train.read_table", never)
    for options in (
        ["-o", folder / "no" / "m.json"],
        ["-o", folder],
        ["-o", "m.json", "-e", 0],
        ["-o", "m.json", "--set", "x=1"],
    ):
        assert run("train", folder / "table.csv", "-d", folder / "domain.toml", *options).status == 2


# -- tables, targets and labels


def test_parquet_and_csv_give_the_same_model(folder: Path) -> None:
    models = []
    for table in ("table.csv", "table.parquet"):
        train_model(request(folder, table=str(folder / table), private=False))
        models.append((folder / "model.json").read_bytes())
    assert models[0] == models[1]


def test_compressed_csv(folder: Path) -> None:
    pd.read_csv(folder / "table.csv").to_csv(folder / "table.csv.gz", index=False)
    result = train_model(request(folder, table=str(folder / "table.csv.gz")))
    assert result.model.plan_.to_dict()["n_rows"] == 400


def test_labels_of_two_classes_stay_what_they_are(folder: Path) -> None:
    result = train_model(request(folder, domain=f"{folder / 'catalogue.json'}:two"))
    assert result.model.classes_.tolist() == ["no", "yes"]
    assert (result.target, result.rule_applied) == ("income", False)
    assert result.unused_columns == ("id", "member")


@pytest.mark.parametrize("entry", ["in", "ge", "gt"])
def test_a_rule_makes_many_labels_binary(entry: str, run: Any, folder: Path) -> None:
    catalogue = f"{folder / 'catalogue.json'}:{entry}"
    arguments = ["--privacy", "none", "--target", "grade", "--depth", 4]
    result = run("train", folder / "grades.csv", "-d", catalogue, "-o", folder / "m.json", *arguments)
    assert result.status == 0
    assert "made binary by the catalogue's rule: '1' where it holds" in result.out
    table = pd.read_csv(folder / "grades.csv", dtype=str)
    table["age"] = table["age"].astype(int)
    predicted = privboost.load(folder / "m.json").predict(table[["age", "job"]])
    assert (predicted == np.where(table["grade"].isin(["3", "4"]), "1", "0")).all()


def test_given_classes_replace_the_rule(folder: Path) -> None:
    result = train_model(
        request(
            folder,
            table=str(folder / "grades.csv"),
            domain=f"{folder / 'catalogue.json'}:in",
            classes=("0", "1", "2", "3", "4"),
        )
    )
    assert result.model.classes_.tolist() == ["0", "1", "2", "3", "4"]
    assert not result.rule_applied
    assert "against the rest" in result.model.privacy_.notes[0]


def test_adult_as_a_user_would_run_it(run: Any, tmp_path: Path, shared_data: Path) -> None:
    table, model = shared_data / "adult.csv.gz", tmp_path / "model.json"
    domain = f"{shared_data / 'domains.json'}:adult"
    result = run(
        "train", table, "--domain", domain, "--target", "target", "--learner", "bdpe", "--epsilon", 1, "--out", model
    )
    assert (result.status, result.err) == (0, "")
    result = run("verify", model)
    assert (result.status, result.err) == (0, "")
    result = run("evaluate", model, table, "--target", "target", "--json")
    scores = json.loads(result.out)
    assert scores["n_rows"] == 48842
    assert scores["auc"] > 0.7
    result = run("predict", model, table, "-o", tmp_path / "answers.csv")
    assert (result.status, result.err) == (0, "")
    assert set(pd.read_csv(tmp_path / "answers.csv")["prediction"]) <= {"<=50K", ">50K"}
