"""Budget files: `budget`, `train --budget`, `evaluate --budget`; what is charged, what is told, what is refused."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from privboost import Budget
from privboost.cli import evaluate as evaluate_module
from privboost.cli import train as train_module


@pytest.fixture
def file(folder: Path, run: Any) -> Path:
    path = folder / "people.db"
    assert run("budget", "create", path, "--epsilon", 1, "--delta", "1e-6").status == 0
    return path


def train(folder: Path, *options: object) -> list[object]:
    fixed = ["--learner", "tree", "--depth", 1]
    return ["train", folder / "table.csv", "-d", folder / "domain.toml", "-o", folder / "m.json", *fixed, *options]


class TestCommands:
    def test_create_makes_a_file_and_says_what_it_holds(self, run, folder):
        path = folder / "new.db"
        unit = ["--relation", "replace-one", "--rows-per-person", 3]
        result = run("budget", "create", path, "-e", 2, "--delta", "1e-6", *unit)
        assert (result.status, result.err) == (0, "")
        assert result.out == f"Budget {path}: ε = 2.0 of 2.0 and δ = 1e-06 of 1e-06 are left.\n"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        budget = Budget.open(path)
        assert (budget.epsilon, budget.delta, budget.unit.distance) == (2.0, 1e-6, 6)

    def test_spend_and_show(self, run, file):
        result = run("budget", "spend", file, "--epsilon", 0.3, "--delta", "1e-7", "--label", "histogram of ages")
        assert (result.status, result.err) == (0, "")
        assert "ε = 0.7 of 1.0 and δ = 9e-07 of 1e-06 are left." in result.out
        result = run("budget", "show", file)
        assert (result.status, result.err) == (0, "")
        for part in ("one row added or removed", "histogram of ages", "spent", "0.3", "left", "0.7", "9e-07"):
            assert part in result.out

    def test_json(self, run, folder):
        path = folder / "new.db"
        made = json.loads(run("budget", "create", path, "-e", 1, "--json").out)
        assert made["remaining"] == {"epsilon": 1.0, "delta": 0.0}
        left = json.loads(run("budget", "spend", path, "-e", 0.25, "--label", "one", "--json").out)
        assert (left["spent"], "spends" in left) == ({"epsilon": 0.25, "delta": 0.0}, False)
        shown = json.loads(run("budget", "show", path, "--json").out)
        assert shown == Budget.open(path).to_dict()
        assert [spend["label"] for spend in shown["spends"]] == ["one"]

    @pytest.mark.parametrize(
        ("arguments", "parts"),
        [
            (["spend", "people.db", "-e", 2], ("(1.0, 1e-06) left", "(2.0, 0.0) is asked for")),
            (["spend", "people.db", "-e", 0], ("--epsilon", "a finite number above 0", "State what")),
            (["spend", "people.db", "-e", 0.5, "--delta", 1], ("--delta", "below 1")),
            (["spend", "people.db", "-e", 0.5, "--label", "a\nb"], ("'label'", "one line of text")),
            (["spend", "people.db"], ("Missing option '--epsilon'",)),
            (["spend", "no.db", "-e", 0.5], ("FILE: 'no.db' does not exist", "budget create")),
            (["show", "no.db"], ("FILE: 'no.db' does not exist",)),
            (["show", "."], ("is not a file but a folder",)),
            (["show", "table.csv"], ("table.csv' is no budget file, or is damaged",)),
            (["create", "people.db", "-e", 2], ("people.db' is there already",)),
            (["create", "new.db", "-e", "nan"], ("--epsilon", "a finite number above 0")),
            (["create", "new.db", "-e", 1, "--delta", -1], ("--delta",)),
            (["create", "new.db", "-e", 1, "--relation", "cousins"], ("'relation'", "'add-remove'")),
            (["create", "new.db", "-e", 1, "--rows-per-person", 0], ("'rows_per_person'", "1 or more")),
            (["create", "no/new.db", "-e", 1], ("cannot be made", "folder that exists")),
            (["create", "new.db"], ("Missing option '--epsilon'",)),
        ],
        ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else "",
    )
    def test_refusals_are_one_line_and_record_nothing(self, run, file, monkeypatch, arguments, parts):
        monkeypatch.chdir(file.parent)
        result = run("budget", *arguments)
        assert (result.status, result.out) == (2, "")
        assert len(result.err.splitlines()) == 1
        for part in ("privboost: error: ", *parts):
            assert part in result.err
        assert Budget.open(file).spends == ()
        assert not (file.parent / "new.db").exists()


class TestTrain:
    def test_charges_the_file_and_says_what_is_left(self, run, folder, file):
        result = run(*train(folder, "--epsilon", 0.4, "--budget", file))
        assert (result.status, result.err) == (0, "")
        assert f"Budget {file}: ε = 0.6 of 1.0 and δ = 1e-06 of 1e-06 are left." in result.out
        (spend,) = Budget.open(file).spends
        assert (spend.label, spend.epsilon) == ("PrivateTreeClassifier", 0.4)
        assert str(file) not in (folder / "m.json").read_text()

    def test_json(self, run, folder, file):
        facts = json.loads(run(*train(folder, "--epsilon", 0.4, "--budget", file, "--json")).out)
        assert facts["budget"]["remaining"] == {"epsilon": 0.6, "delta": 1e-6}
        assert json.loads(run(*train(folder, "--json")).out)["budget"] is None

    def test_delta_of_a_learner_that_has_one(self, run, folder, file):
        learner = ["--learner", "boosting", "--rounds", 2, "--delta", "4e-7"]
        assert run(*train(folder), *learner, "--epsilon", 0.4, "--budget", file).status == 0
        assert Budget.open(file).remaining == (0.6, 6e-7)

    def test_is_refused_before_the_table_is_read(self, run, folder, file, monkeypatch):
        Budget.open(file).spend(0.8)
        monkeypatch.setattr(train_module, "read_table", lambda *_, **__: pytest.fail("the table was read"))
        result = run(*train(folder, "--epsilon", 0.4, "--budget", file))
        assert (result.status, result.out) == (2, "")
        assert len(result.err.splitlines()) == 1
        for part in ("privboost: error: The budget in", "(0.2, 1e-06) left", "(0.4, 0.0) is asked for"):
            assert part in result.err
        assert not (folder / "m.json").exists()
        assert len(Budget.open(file).spends) == 1

    @pytest.mark.parametrize(
        ("options", "parts"),
        [
            (["--budget", "no.db"], ("--budget: 'no.db' does not exist", "budget create")),
            (["--budget", "table.csv"], ("is no budget file",)),
            (["--budget", "people.db", "--out", "people.db"], ("--out", "another file than --budget")),
            (["--budget", "people.db", "--relation", "replace-one"], ("'relation'", "as that of the budget")),
            (["--budget", "people.db", "--set", "rows_per_person=2"], ("'rows_per_person'", "as that of the budget")),
            (["--budget", "people.db", "--set", "n_bins=0"], ("'n_bins'",)),
            (["--set", "budget=people.db"], ("Use --budget",)),
        ],
        ids=lambda value: " ".join(value) if isinstance(value, list) else "",
    )
    def test_bad_options_cost_nothing(self, run, folder, file, monkeypatch, options, parts):
        monkeypatch.chdir(folder)
        result = run(*train(folder), *options)
        assert (result.status, result.out) == (2, "")
        assert len(result.err.splitlines()) == 1
        for part in parts:
            assert part in result.err
        assert Budget.open(file).spends == ()

    def test_without_privacy_nothing_is_charged_and_a_warning_says_so(self, run, folder, file):
        result = run(*train(folder, "--privacy", "none", "--budget", file))
        assert result.status == 0
        assert result.err.startswith("privboost: warning: 'budget' is not charged")
        assert Budget.open(file).spends == ()

    def test_a_simulation_is_charged(self, run, folder, file):
        assert run(*train(folder, "--seed", 1, "--budget", file)).status == 0
        assert Budget.open(file).spent == (1.0, 0.0)


class TestEvaluate:
    """Charged as a training is: checked before the table is read, recorded before its rows are looked at."""

    @staticmethod
    def evaluate(trained: Path, *options: object, model: str = "private") -> list[object]:
        name, target = ("wages.csv", "wage") if model == "numbers" else ("table.csv", "income")
        return ["evaluate", trained / f"{model}.json", trained / name, "--target", target, *options]

    @pytest.mark.parametrize("model", ["private", "forest", "boosted", "numbers"])
    def test_charges_the_file_and_says_what_is_left(self, run, trained, file, model):
        result = run(*self.evaluate(trained, "--epsilon", 0.4, "--budget", file, model=model))
        assert (result.status, result.err) == (0, "")
        assert f"Budget {file}: ε = 0.6 of 1.0 and δ = 1e-06 of 1e-06 are left." in result.out
        (spend,) = Budget.open(file).spends
        assert (spend.label, spend.epsilon, spend.delta) == ("evaluation", 0.4, 0.0)

    def test_json(self, run, trained, file):
        facts = json.loads(run(*self.evaluate(trained, "--epsilon", 0.4, "--budget", file, "--json")).out)
        assert facts["budget"]["remaining"] == {"epsilon": 0.6, "delta": 1e-6}
        assert "spends" not in facts["budget"]
        assert json.loads(run(*self.evaluate(trained, "--epsilon", 0.4, "--json")).out)["budget"] is None

    def test_charges_a_delta_only_where_the_noise_uses_it(self, run, trained, file):
        options = ["--epsilon", 0.1, "--delta", "4e-7", "--budget", file]
        assert run(*self.evaluate(trained, *options, "--mechanism", "laplace")).status == 0
        assert run(*self.evaluate(trained, *options, "--mechanism", "gaussian")).status == 0
        assert [spend.delta for spend in Budget.open(file).spends] == [0.0, 4e-7]

    def test_is_refused_before_the_table_is_read(self, run, trained, file, monkeypatch):
        Budget.open(file).spend(0.8)
        monkeypatch.setattr(evaluate_module, "read_table", lambda *_, **__: pytest.fail("the table was read"))
        result = run(*self.evaluate(trained, "--epsilon", 0.4, "--budget", file))
        assert (result.status, result.out) == (2, "")
        assert len(result.err.splitlines()) == 1
        assert "(0.2, 1e-06) left" in result.err
        assert len(Budget.open(file).spends) == 1

    @pytest.mark.parametrize(
        ("options", "parts"),
        [
            (["--budget", "no.db"], ("--budget: 'no.db' does not exist", "budget create")),
            (["--budget", "domain.toml"], ("is no budget file",)),
            (["--relation", "replace-one"], ("'relation'", "as that of the budget")),
            (["--rows-per-person", 2], ("'rows_per_person'", "as that of the budget")),
            (["--mechanism", "gaussian", "--delta", "2e-6"], ("left of", "(0.5, 2e-06) is asked for")),
            (["--mechanism", "odd"], ("'mechanism'",)),
            (["--target", "member"], ("'member' is an attribute of the domain",)),
        ],
        ids=str,
    )
    def test_bad_options_cost_nothing(self, run, trained, file, monkeypatch, options, parts):
        monkeypatch.chdir(trained)
        result = run(*self.evaluate(trained, "--epsilon", 0.5, "--budget", file, *options))
        assert (result.status, result.out) == (2, "")
        assert len(result.err.splitlines()) == 1
        for part in parts:
            assert part in result.err
        assert Budget.open(file).spends == ()

    def test_a_simulation_is_charged(self, run, trained, file):
        assert run(*self.evaluate(trained, "--epsilon", 0.5, "--seed", 1, "--budget", file)).status == 0
        assert len(Budget.open(file).spends) == 1

    def test_no_label_that_is_known_costs_as_much_as_any(self, run, trained, file, folder):
        lines = (trained / "table.csv").read_text().replace("yes", "perhaps").replace("no", "perhaps")
        (folder / "odd.csv").write_text(lines)
        command = ["evaluate", trained / "private.json", folder / "odd.csv", "--target", "income"]
        assert run(*command, "--epsilon", 0.5, "--budget", file).status == 0
        assert Budget.open(file).spent == (0.5, 0.0)
