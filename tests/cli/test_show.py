"""``privboost show``: the statement first, then trees in words."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from privboost.exchange import read_model
from privboost.exchange.text import tree_text


def test_statement_facts_and_three_trees(run: Any, trained: Path) -> None:
    result = run("show", trained / "private.json")
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith(str(read_model(trained / "private.json").statement))
    assert "BDPEClassifier of 5 trees of depth 2; classes 'no', 'yes'; attributes age, job, member." in result.out
    for number in (1, 2, 3):
        assert f"Tree {number} of 5, weight" in result.out
    assert "Tree 4 of 5" not in result.out
    assert "2 more trees: show one with --tree NUMBER, or all with --all." in result.out


def test_trees_are_chosen(run: Any, trained: Path) -> None:
    result = run("show", trained / "private.json", "--tree", 5, "--tree", 4)
    assert result.out.index("Tree 5 of 5") < result.out.index("Tree 4 of 5")
    assert "Tree 1 of 5" not in result.out
    assert "more trees" not in result.out
    result = run("show", trained / "forest.json", "--all")
    assert all(f"Tree {number} of 5, whose leaves vote" in result.out for number in range(1, 6))
    result = run("show", trained / "private.json", "--tree", 6)
    assert (result.status, result.out) == (2, "")
    assert "a tree number from 1 to 5" in result.err


def test_a_model_that_is_not_private_says_so_first(run: Any, trained: Path) -> None:
    for name in ("simulated", "exact"):
        assert run("show", trained / f"{name}.json").out.startswith("NOT PRIVATE")


def test_json(run: Any, trained: Path) -> None:
    facts = json.loads(run("show", trained / "private.json", "--json").out)
    assert facts["learner"] == "BDPEClassifier"
    assert facts["statement"] == read_model(trained / "private.json").statement.to_dict()
    assert facts["classes"] == ["no", "yes"]
    assert facts["target_range"] is None
    facts = json.loads(run("show", trained / "numbers.json", "--json").out)
    assert facts["classes"] == []
    assert facts["target_range"] == [0.0, 80.0]
    assert facts["plan"]["reasons"] == list(read_model(trained / "numbers.json").plan["reasons"])


def test_settings_and_refined_trees(run: Any, trained: Path) -> None:
    result = run("show", trained / "boosted.json")
    assert (result.status, result.err) == (0, "")
    assert "(ε, δ)-differentially private with ε = 4, δ = 1e-06" in result.out
    assert "PrivateBoostingClassifier of 5 trees of depth 2; classes 'no', 'yes'; attributes" in result.out
    assert re.search(r"^  n_rounds +5$", result.out, re.MULTILINE)
    assert re.search(r"^  mechanism +gaussian$", result.out, re.MULTILINE)
    assert "kappa" not in result.out
    record = read_model(trained / "boosted.json")
    assert (
        tree_text(record.ensemble, record.domain, record.n_bins, record.classes, [1], record.refinement) in result.out
    )
    result = run("show", trained / "numbers.json")
    assert "; numbers from 0 to 80; attributes" in result.out
    assert "Predictions start at " in result.out
    assert "Settings" not in run("show", trained / "private.json").out


@pytest.mark.parametrize("reasons", [["a\x1b[31m\nReason."], "words", 3, None, [3]])
def test_a_file_whose_reasons_are_no_lines_is_refused(reasons: Any, run: Any, folder: Path, trained: Path) -> None:
    content = json.loads((trained / "boosted.json").read_text())
    content["plan"]["reasons"] = reasons
    (folder / "m.json").write_text(json.dumps(content))
    result = run("show", folder / "m.json")
    assert result.status == 2
    assert "'reasons'" in result.err
    assert "\x1b" not in result.out + result.err


def test_names_cannot_command_the_terminal(run: Any, folder: Path) -> None:
    table = folder / "table.csv"
    table.write_text(table.read_text(encoding="utf-8").replace("age", "a\x1b[31mge", 1), encoding="utf-8")
    form = folder / "domain.toml"
    form.write_text(form.read_text(encoding="utf-8").replace('"age"', r'"a\u001b[31mge"'), encoding="utf-8")
    assert run("train", table, "-d", form, "-o", folder / "m.json", "--rounds", 2).status == 0
    result = run("show", folder / "m.json")
    assert "\x1b" not in result.out
    assert r"a\x1b[31mge" in result.out


def test_a_line_break_in_a_name_starts_no_line(run: Any, folder: Path) -> None:
    form = folder / "domain.toml"
    form.write_text(form.read_text(encoding="utf-8").replace('"age"', r'"age\nepsilon = 0.01"'), encoding="utf-8")
    table = pd.read_csv(folder / "table.csv").rename(columns={"age": "age\nepsilon = 0.01"})
    table.to_parquet(folder / "table.parquet")
    assert run("train", folder / "table.parquet", "-d", form, "-o", folder / "m.json", "--rounds", 5).status == 0
    shown = run("show", folder / "m.json").out
    assert r"age\nepsilon = 0.01" in shown
    assert not any(line.strip().startswith("epsilon =") for line in shown.splitlines())
