"""``privboost audit``: options as in training, figures, and an exit status that says whether the claim stands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from privboost.privacy import relation

if TYPE_CHECKING:
    from tests.cli.conftest import Run

FOREST = ["audit", "forest", "--trees", "1", "--depth", "1"]


def test_an_exact_audit(run: Run) -> None:
    done = run(*FOREST, "--epsilon", "2")
    assert (done.status, done.err) == (0, "")
    assert "ε = 2 (add-remove)" in done.out
    assert "the claim stands" in done.out


def test_json_and_a_figure(run: Run, tmp_path: Path) -> None:
    done = run(*FOREST, "--method", "sampling", "--runs", "40", "--seed", "0", "--json", "--figure", tmp_path / "f.svg")
    assert done.status == 0
    report = json.loads(done.out)
    assert report["runs"] == 40
    assert report["secure"] is False
    assert (tmp_path / "f.svg").read_text(encoding="utf-8").startswith("<svg")


def test_a_contradicted_claim_is_status_1(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(relation._STEPS, "replace-one", 1)
    done = run(*FOREST, "--relation", "replace-one")
    assert (done.status, done.err) == (1, "")
    assert "THE CLAIM IS CONTRADICTED" in done.out


@pytest.mark.parametrize("learner", ["boosting", "bdpe", "tree"])
def test_every_learner(run: Run, learner: str) -> None:
    done = run(
        "audit", learner, "--depth", "1", "--runs", "40", "--rows", "1", *(["--trees", "1"] * (learner == "bdpe"))
    )
    assert done.status == 0, done.err


def test_numbers_and_further_settings(run: Run) -> None:
    done = run("audit", "boosting", "--loss", "poisson", "--rounds", "1", "--depth", "1", "--set", "trees_per_round=1")
    assert done.status == 0, done.err
    assert "PrivateBoostingRegressor" in done.out


def test_canaries_among_the_rows_of_a_table(run: Run, folder: Path) -> None:
    given = ["--table", folder / "table.csv", "--domain", folder / "domain.toml"]
    done = run("audit", "tree", "--method", "one-run", *given, "--canaries", "100", "--guesses", "40", "--seed", "1")
    assert done.status == 0, done.err
    assert "not private" in done.out
    numbers = ["--table", folder / "wages.csv", "--domain", folder / "domain.toml", "--target", "wage"]
    done = run("audit", "boosting", "--method", "one-run", *numbers, "--target-range", "0", "80", "--rounds", "2")
    assert done.status == 0, done.err


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (["audit", "oak"], "one of boosting, bdpe, forest, tree"),
        ([*FOREST, "--method", "luck"], "one of exact, sampling, one-run"),
        ([*FOREST, "--table", "absent.csv"], "does not exist"),
        ([*FOREST, "--figure", "no/such/folder/f.svg"], "--figure"),
        ([*FOREST, "--canaries", "3"], "canaries"),
    ],
)
def test_what_is_refused(run: Run, options: list[str], part: str) -> None:
    done = run(*options)
    assert done.status == 2
    assert part in done.err
    assert done.out == ""


def test_a_table_belongs_to_one_run(run: Run, folder: Path) -> None:
    done = run(*FOREST, "--table", folder / "table.csv", "--domain", folder / "domain.toml")
    assert done.status == 2
    assert "--method one-run" in done.err
