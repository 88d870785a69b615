"""A small table, its domain and trained models, and a way to run a command without a shell."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

from privboost.cli.main import main

TOML = """\
format = "privboost-domain"
version = 1
target = "income"
classes = ["no", "yes"]

[[attributes]]
name = "age"
kind = "numeric"
lo = 0
hi = 100
integer = true
missing = true

[[attributes]]
name = "job"
kind = "categorical"
values = ["clerk", "cook", "médecin"]

[[attributes]]
name = "member"
kind = "boolean"
"""


class Result(NamedTuple):
    """How a command ended, and what it printed."""

    status: int
    out: str
    err: str


Run = Callable[..., Result]


def make_table(n_rows: int = 400) -> pd.DataFrame:
    generator = np.random.default_rng(5)
    age = generator.integers(0, 100, n_rows)
    return pd.DataFrame(
        {
            "id": [f"person {k}" for k in range(n_rows)],
            "income": np.where(age > 50, "yes", "no"),
            "member": generator.random(n_rows) < 0.5,
            "job": generator.choice(["clerk", "cook", "médecin", "diver"], n_rows),
            "age": age,
        }
    )


def make_wages(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with a column of numbers, which rise with the age."""
    generator = np.random.default_rng(6)
    return table.assign(wage=np.round(10.0 + table["age"] / 2.0 + generator.normal(0.0, 2.0, len(table)), 2))


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command line in this process; return status, standard output and standard error."""

    def call(*arguments: object) -> Result:
        capfd.readouterr()
        status = main([str(argument) for argument in arguments])
        sys.stdout.flush()
        return Result(status, *capfd.readouterr())

    return call


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with table, wages (.csv and .parquet), grades.csv, domain.toml and catalogue.json."""
    table = make_table()
    table.to_csv(tmp_path / "table.csv", index=False)
    table.to_parquet(tmp_path / "table.parquet", index=False)
    (tmp_path / "domain.toml").write_text(TOML, encoding="utf-8")
    make_wages(table).to_csv(tmp_path / "wages.csv", index=False)
    make_wages(table).to_parquet(tmp_path / "wages.parquet", index=False)
    table.assign(grade=(table["age"] // 20).map(str)).to_csv(tmp_path / "grades.csv", index=False)
    features = [
        {"name": "age", "kind": "numeric", "dtype": "integer", "domain": [0, 100]},
        {"name": "job", "kind": "categorical", "categories": ["clerk", "cook", "médecin"]},
    ]
    grades = {"name": "grade", "classes": dict.fromkeys("01234", 1)}
    entries = {
        "two": {
            "features": features,
            "target": {"name": "income", "classes": {"no": 1, "yes": 1}, "positive": {"rule": "in", "values": ["yes"]}},
        },
        "in": {"features": features, "target": grades | {"positive": {"rule": "in", "values": ["3", "4"]}}},
        "ge": {"features": features, "target": grades | {"positive": {"rule": "ge", "threshold": 3}}},
        "gt": {"features": features, "target": grades | {"positive": {"rule": "gt", "threshold": 2}}},
    }
    (tmp_path / "catalogue.json").write_text(json.dumps({"datasets": entries}), encoding="utf-8")
    return tmp_path


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a table and models: private, simulated, exact, forest, boosted, numbers (.json)."""
    folder = tmp_path_factory.mktemp("trained")
    make_table().to_csv(folder / "table.csv", index=False)
    make_wages(make_table()).to_csv(folder / "wages.csv", index=False)
    (folder / "domain.toml").write_text(TOML, encoding="utf-8")
    bdpe, few = ["--learner", "bdpe", "--trees", "5"], ["--rounds", "5", "--delta", "1e-6"]
    for name, options in {
        "private": [*bdpe, "--epsilon", "4"],
        "simulated": [*bdpe, "--epsilon", "4", "--seed", "1"],
        "exact": [*bdpe, "--privacy", "none"],
        "forest": ["--learner", "forest", "--trees", "5", "--epsilon", "20"],
        "boosted": [*few, "--epsilon", "4", "--set", "mechanism=gaussian"],
        "numbers": [*few, "--epsilon", "20", "--target", "wage", "--target-range", "0", "80"],
    }.items():
        table = folder / ("wages.csv" if name == "numbers" else "table.csv")
        common = ["train", str(table), "-d", str(folder / "domain.toml"), "--depth", "2"]
        assert main([*common, *options, "-o", str(folder / f"{name}.json")]) == 0
    return folder
