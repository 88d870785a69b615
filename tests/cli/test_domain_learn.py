"""``privboost domain learn``: what is learnt, charged, written and told; and what is refused before a row is read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from privboost import Budget, Categorical, Domain, Numeric
from privboost.cli import domain_learning

FORM = """\
format = "privboost-domain"
version = 1
target = "income"

[[attributes]]
name = "age"
kind = "numeric"
integer = true
missing = true

[[attributes]]
name = "job"
kind = "categorical"
values = ["TODO"]

[[attributes]]
name = "member"
kind = "boolean"
"""

pytestmark = pytest.mark.usefixtures("no_false_alarm")

MUCH = ["-e", 60, "--delta", "1e-9"]
"""So much that secret noise hides nothing that is looked for here, but with a chance below 1e-9."""


@pytest.fixture
def form(folder: Path) -> Path:
    path = folder / "form.toml"
    path.write_text(FORM, encoding="utf-8")
    return path


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*arguments: Any, **options: Any) -> Any:
        pytest.fail("the table was read")

    monkeypatch.setattr(domain_learning, "read_table", read)


class TestLearning:
    def test_a_form_that_is_half_open(self, run: Any, folder: Path, form: Path) -> None:
        out = folder / "learnt.toml"
        result = run("domain", "learn", folder / "table.csv", "--form", form, *MUCH, "-o", out)
        assert (result.status, result.err) == (0, "")
        domain = Domain.load(out)
        age = domain["age"]
        assert isinstance(age, Numeric)
        assert age.integer
        assert age.missing
        assert 0 <= age.lo < 20
        assert 80 < age.hi <= 128
        assert domain["job"] == Categorical(["clerk", "cook", "diver", "médecin"])
        assert (domain.target, domain.classes) == ("income", ("no", "yes"))
        assert domain.cost is not None
        assert (domain.cost.epsilon, domain.cost.delta, domain.cost.private) == (60.0, 1e-9, True)
        for part in ("This domain is (ε, δ)-differentially private", "costs its own ε and δ besides", str(out)):
            assert part in result.out

    def test_a_parquet_file_needs_no_form(self, run: Any, folder: Path) -> None:
        pd.read_parquet(folder / "table.parquet").drop(columns="id").to_parquet(folder / "few.parquet")
        out = folder / "learnt.json"
        result = run("domain", "learn", folder / "few.parquet", *MUCH, "-o", out, "--target", "income")
        assert (result.status, result.err) == (0, "")
        domain = Domain.load(out)
        assert domain["job"] == Categorical(["clerk", "cook", "diver", "médecin"])
        assert domain.classes == ("no", "yes")

    def test_a_model_is_trained_with_it_and_says_so(self, run: Any, folder: Path, form: Path) -> None:
        out = folder / "learnt.toml"
        run("domain", "learn", folder / "table.csv", "--form", form, *MUCH, "-o", out)
        fast = ["--rounds", 1, "--depth", 1]
        result = run("train", folder / "table.csv", "-d", out, "-o", folder / "m.json", *fast)
        assert (result.status, result.err) == (0, "")
        words = "learnt from private rows at ε = 60, δ = 1e-09"
        assert f"The domain itself was {words}" in result.out
        assert words in run("show", folder / "m.json").out
        assert run("verify", folder / "m.json").status == 0
        told = json.loads(run("train", folder / "table.csv", "-d", out, "-o", folder / "m.json", *fast, "--json").out)
        assert told["domain_cost"]["epsilon"] == 60.0
        told = run("train", folder / "table.csv", "-d", folder / "domain.toml", "-o", folder / "m.json", *fast)
        assert "learnt" not in told.out

    def test_declared_classes_are_free(self, run: Any, folder: Path, form: Path) -> None:
        out = folder / "learnt.toml"
        arguments = ["domain", "learn", folder / "table.csv", "--form", form, *MUCH, "-o", out, "--json"]
        told = json.loads(run(*arguments, "--classes", "no,yes").out)
        assert [release["label"] for release in told["statement"]["releases"]][-1] == "domain/job/keys"
        assert Domain.load(out).classes == ("no", "yes")
        assert told["domain"] == Domain.load(out).to_dict()

    def test_too_little_for_labels_is_said(self, run: Any, folder: Path, form: Path) -> None:
        """400 rows, and a threshold of some hundred thousand: a chance of a false alarm below 1e-100."""
        little = ["-e", "0.001", "--delta", "1e-200"]
        result = run("domain", "learn", folder / "table.csv", "--form", form, *little, "-o", folder / "learnt.toml")
        assert result.status == 0
        assert "Fewer than two labels" in result.out

    def test_a_simulation_says_so(self, run: Any, folder: Path, form: Path) -> None:
        outs = []
        for name in ("a.toml", "b.toml"):
            result = run(
                "domain", "learn", folder / "table.csv", "--form", form, *MUCH, "-o", folder / name, "--seed", 3
            )
            assert "NOT PRIVATE" in result.out
            assert "simulation" in result.err
            outs.append((folder / name).read_text(encoding="utf-8"))
        assert outs[0] == outs[1]
        assert "private = false" in outs[0]


class TestBudget:
    def test_it_is_charged(self, run: Any, folder: Path, form: Path) -> None:
        run("budget", "create", folder / "people.db", "-e", 1, "--delta", "1e-6")
        paid = ["-e", "0.25", "--delta", "1e-7", "--budget", folder / "people.db"]
        result = run("domain", "learn", folder / "table.csv", "--form", form, *paid, "-o", folder / "learnt.toml")
        assert "ε = 0.75 of 1.0 and δ = 9e-07 of 1e-06 are left." in result.out
        assert Budget.open(folder / "people.db").spends[0].label == "domain"

    def test_one_beyond_it_is_refused(self, run: Any, folder: Path, form: Path, unread: None) -> None:
        run("budget", "create", folder / "people.db", "-e", 0.1, "--delta", "1e-6")
        paid = ["-e", "0.25", "--delta", "1e-7", "--budget", folder / "people.db"]
        result = run("domain", "learn", folder / "table.csv", "--form", form, *paid, "-o", folder / "learnt.toml")
        assert result.status == 2
        assert "0.25" in result.err
        assert Budget.open(folder / "people.db").spends == ()
        assert not (folder / "learnt.toml").exists()


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (["-e", "0"], "--epsilon"),
        (["-e", "1", "--delta", "2"], "--delta"),
        (["-e", "1"], "above 0 to learn the categories of 'job' and the labels"),
        (["-e", "1", "--delta", "1e-6", "--relation", "x"], "relation"),
        (["-e", "1", "--delta", "1e-6", "--rows-per-person", "0"], "rows_per_person"),
        (["-e", "1", "--delta", "1e-6", "--out", "OLD"], "--force"),
        (["-e", "1", "--delta", "1e-6", "--out", "TABLE"], "another file than TABLE"),
        (["-e", "1", "--delta", "1e-6", "--out", "x.txt"], ".toml"),
        (["-e", "1", "--delta", "1e-6", "--budget", "nowhere.db"], "--budget"),
        (["-e", "1", "--delta", "1e-6", "--form", "nowhere.toml"], "--form"),
        (["-e", "1", "--delta", "1e-6", "--form", "NONE"], "domain draft"),
    ],
)
def test_what_is_wrong_is_told_before_a_row_is_read(
    run: Any, folder: Path, form: Path, unread: None, options: list[str], part: str
) -> None:
    names = {"OLD": folder / "domain.toml", "TABLE": folder / "table.csv"}
    given = [names.get(option, option) for option in options]
    if "--out" not in given:
        given += ["--out", folder / "learnt.toml"]
    if "--form" not in given:
        given += ["--form", form]
    elif "NONE" in given:
        given = given[: given.index("--form")] + given[given.index("--form") + 2 :]
    result = run("domain", "learn", folder / "table.csv", *given)
    assert (result.status, result.out) == (2, "")
    assert part in result.err
    assert len(result.err.splitlines()) == 1
