"""The published page of the study says what its published tables say."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from privboost.experiments.claims import CLAIMS, NOT_REPRODUCED, REPRODUCED

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "study.md").read_text(encoding="utf-8")
ARMS = {"without noise": 0, "paper": 1, "paper, exact leverage (not private)": 2, "tight": 3}
WORDS = {"yes": REPRODUCED, "no": NOT_REPRODUCED}


def rows_of(name: str) -> list[dict[str, str]]:
    with (DOCS / "study" / "tables" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def line_of(first: str, text: str = PAGE) -> list[str]:
    """Return the cells of the one line that begins so."""
    (line,) = re.findall(rf"^\| {re.escape(first)} \|.*$", text, re.MULTILINE)
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def test_every_verdict_is_the_table_s() -> None:
    published = {(row[""], row["arm"]): row["verdict"] for row in rows_of("claims")}
    assert len({key for key, _ in published}) == len(CLAIMS)
    for claim in CLAIMS:
        words = line_of(claim.key)[2:]
        said = {arm: WORDS[words[place]] for arm, place in ARMS.items() if words[place]}
        assert said == {arm: verdict for (key, arm), verdict in published.items() if key == claim.key}


@pytest.mark.parametrize(
    ("shown", "learner", "arm"),
    [
        ("paper", "bdpe", "paper"),
        ("tight", "bdpe", "tight"),
        ("RF-L", "RF-L", ""),
        ("RF-E", "RF-E", ""),
        ("a single tree, square criterion", "tree-square", ""),
        ("`PrivateBoostingClassifier`, as it comes", "auto", ""),
    ],
)
def test_the_best_errors_are_the_table_s(shown: str, learner: str, arm: str) -> None:
    (row,) = [row for row in rows_of("learners") if (row["learner"], row["arm"]) == (learner, arm)]
    section = PAGE.split("### Beyond the paper")[1].split("\n## ")[0]
    tried, *errors = line_of(shown, section)[1:7]
    assert tried == row["settings tried"]
    assert errors == [f"{float(row[f'ε = {e}']):.3f}" for e in ("0.01", "0.1", "1", "10", "25")]


def test_the_grid_is_complete() -> None:
    domains = rows_of("domains")
    assert len(domains) == 19
    assert not any("not all folds" in row["remark"] for row in domains)


@pytest.mark.parametrize("arm", ["paper", "paper, exact leverage", "tight"])
def test_the_mean_errors_are_the_table_s(arm: str) -> None:
    name = {"paper, exact leverage": "paper, exact leverage (not private)"}.get(arm, arm)
    (row,) = [r for r in rows_of("typical") if (r["arm"], r["α"], r["T"]) == (name, "O.C", "20")]
    section = PAGE.split("### Exact leverage")[1].split("\n### ")[0]
    assert line_of(arm, section)[1:] == [f"{float(row[f'ε = {e}']):.3f}" for e in ("0.01", "0.1", "1", "10", "25")]
