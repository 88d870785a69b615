"""Grids are read from files, and what is wrong with one is named."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from privboost.data.study import study_catalogue
from privboost.errors import ParameterError, ParameterTypeError, SchemaError
from privboost.experiments.grid import ARMS, GRIDS, Setting, load_grid
from privboost.experiments.store import Study
from privboost.experiments.tables import ARM_WORDS

HEAD = 'format = "privboost-grid"\nversion = 1\nfolds = 3\nbins = [10]\nepsilons = [1.0]\n'
PART = '[forest]\nmechanisms = ["laplace"]\ntrees = [3]\ndepths = [1]\n'


def test_the_paper_s_grid_is_that_of_the_paper() -> None:
    grid = load_grid("paper")
    settings = grid.settings()
    boosted = {s for s in settings if s.learner == "bdpe" and s.arm == "paper" and s.n_bins == 10}
    assert len(boosted) == 5 * 3 * 4 * 6 * 3
    assert {s.epsilon for s in boosted} == {0.01, 0.1, 1.0, 10.0, 25.0}
    assert {s.alpha for s in boosted} == {"0.1", "1", "O.C"}
    assert {s.n_trees for s in boosted} == {2, 5, 10, 20}
    assert {s.depth for s in boosted} == {1, 2, 3, 4, 5, 6}
    assert {s.share for s in boosted} == {0.1, 0.5, 0.9}
    assert {s.arm for s in settings if s.learner == "bdpe"} == {"paper", "exact-leverage", "tight", "noise-free"}
    assert {(s.learner, s.n_trees) for s in settings if s.learner.startswith("RF")} == {("RF-L", 21), ("RF-E", 21)}
    assert sum(s.learner == "auto" for s in settings) == 6
    assert {s.n_bins for s in settings} == {10, 50, 0}
    assert grid.folds == 10
    assert len(Study.of(grid, study_catalogue(), 0).tasks) == 190


@pytest.mark.parametrize("name", GRIDS)
def test_no_setting_occurs_twice(name: str) -> None:
    grid = load_grid(name)
    settings = grid.settings()
    assert len({repr(s) for s in settings}) == len(settings)
    free = [s for s in settings if not s.private]
    assert {s.arm for s in free} == ({"noise-free"} if grid.noise_free else set())
    assert all(math.isnan(s.share) for s in free)


def test_the_smoke_grid_is_a_part_of_the_paper_s() -> None:
    whole = {repr(s) for s in load_grid("paper").settings()}
    assert {repr(s) for s in load_grid("smoke").settings()} < whole


def test_the_readings_are_a_part_of_the_paper_s_grid_but_for_what_they_change() -> None:
    paper = {repr(s) for s in load_grid("paper").settings()}
    others = [s for s in load_grid("readings").settings() if repr(s) not in paper]
    assert {s.arm for s in others if s.learner == "bdpe"} == {"parallel", "smoothed", "gap", "exact-parallel"}
    assert {s.learner for s in others} == {"bdpe", "RF-L, shared rows", "RF-E, shared rows"}


def test_a_reading_changes_one_choice_of_the_paper() -> None:
    changes = {name: {key for key in own if own[key] != ARMS["paper"].get(key)} for name, own in ARMS.items()}
    assert changes["paper"] == set()
    assert changes["parallel"] == {"composition"}
    assert changes["smoothed"] == {"leaf_smoothing"}
    assert changes["gap"] == {"calibration_gap"}
    assert changes["exact-leverage"] == {"leverage"}
    assert changes["exact-parallel"] == {"leverage", "composition"}
    assert set(ARM_WORDS) == {*ARMS, "noise-free"}
    tight = {name: own for name, own in ARMS.items() if name.startswith("tight-gap-")}
    for name, own in tight.items():
        assert own == ARMS["tight"] | {"calibration_gap": float(name.removeprefix("tight-gap-"))}


def test_a_seed_depends_on_its_setting_alone() -> None:
    a = Setting("bdpe", "paper", 1.0, "O.C", 2, 1, 0.5, 10)
    seeds = {a.seed(0, "t", 0), a.seed(1, "t", 0), a.seed(0, "u", 0), a.seed(0, "t", 1)}
    for change in ({"alpha": "1"}, {"share": 0.9}, {"n_bins": 50}, {"epsilon": 0.1}, {"arm": "tight"}):
        seeds.add(Setting(**(a.__dict__ | change)).seed(0, "t", 0))
    assert len(seeds) == 9
    assert all(0 <= seed < 2**63 for seed in seeds)
    assert a.seed(0, "t", 0) == 4177505240712580764


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("folds = ", "is not valid TOML"),
        (HEAD.replace("privboost-grid", "other") + PART, "format in 'g.toml'"),
        (HEAD.replace("version = 1", "version = 2") + PART, "version in 'g.toml'"),
        (HEAD.replace("folds = 3", "folds = 1") + PART, "folds in 'g.toml' must be an integer from 2 to 100. Got 1"),
        (HEAD.replace("[10]", "[1]") + PART, "bins in 'g.toml'"),
        (HEAD.replace("[1.0]", "[0]") + PART, "epsilons in 'g.toml' must be a list of numbers from 1e-06"),
        (HEAD.replace("[1.0]", "[1, 1]") + PART, "epsilons in 'g.toml' must be without repetition"),
        (HEAD.replace("[1.0]", "[]") + PART, "epsilons in 'g.toml'"),
        (HEAD, "Nothing would be run"),
        (HEAD + "noise_free = 1\n" + PART, "noise_free in 'g.toml' must be true or false"),
        (HEAD + "tables = [1]\n" + PART, "tables in 'g.toml'"),
        (HEAD + "epsilon = [1]\n" + PART, "epsilon in 'g.toml' must be left out"),
        (HEAD + PART + "shares = [0.5]\n", "forest.shares in 'g.toml' must be left out"),
        (
            HEAD + PART.replace("laplace", "gauss"),
            "forest.mechanisms in 'g.toml' must be a list of laplace, exponential",
        ),
        (HEAD + PART.replace("depths = [1]", "depths = [true]"), "forest.depths in 'g.toml'"),
        (HEAD + PART.replace("trees = [3]\n", ""), "forest.trees in 'g.toml'"),
        (HEAD + "tree = 1\n", "tree in 'g.toml' must be a table"),
        (HEAD + "catalogue = 3\n" + PART, "catalogue in 'g.toml'"),
        (
            HEAD + '[bdpe]\narms = ["loose"]\nalphas = [1]\ntrees = [1]\ndepths = [1]\nshares = [0.5]\n',
            "bdpe.arms in 'g.toml' must be a list of paper, exact-leverage, tight",
        ),
        (
            HEAD + '[bdpe]\narms = ["tight"]\nalphas = [0]\ntrees = [1]\ndepths = [1]\nshares = [0.5]\n',
            "bdpe.alphas in 'g.toml'",
        ),
    ],
)
def test_a_wrong_grid_is_named(tmp_path: Path, text: str, named: str) -> None:
    (tmp_path / "g.toml").write_text(text)
    with pytest.raises((ParameterError, ParameterTypeError, SchemaError)) as caught:
        load_grid(tmp_path / "g.toml")
    assert named in str(caught.value)


def test_an_absent_grid_is_named() -> None:
    with pytest.raises(SchemaError, match="'nowhere' is neither one of smoke, paper, readings, gaps nor a file"):
        load_grid("nowhere")


def test_a_table_that_is_not_in_the_catalogue_is_named(tmp_path: Path) -> None:
    (tmp_path / "g.toml").write_text(HEAD + 'tables = ["iris"]\n' + PART)
    with pytest.raises(SchemaError, match="names the table 'iris'; there are transfusion, banknote"):
        Study.of(load_grid(tmp_path / "g.toml"), study_catalogue(), 0)
