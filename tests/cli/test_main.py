"""How commands end: the status, one line for each kind of failure, and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from privboost.cli import main as main_module
from privboost.cli.console import one_line, printable
from privboost.cli.main import main


def train(folder: Path, *changes: object) -> list[object]:
    return [
        "train",
        folder / "table.csv",
        "-d",
        folder / "domain.toml",
        "-o",
        folder / "m.json",
        "--rounds",
        2,
        *changes,
    ]


def assert_one_line(result: Any, status: int, *parts: str) -> None:
    assert result.status == status, result
    assert result.out == ""
    lines = result.err.splitlines()
    assert len(lines) == 1, result.err
    assert lines[0].startswith("privboost: error: ")
    for part in parts:
        assert part in lines[0], lines[0]


# Arguments are made from the folder; each entry is a kind of bad input, and what its line must say.
BAD_INPUT: dict[str, tuple[Any, tuple[str, ...]]] = {
    "no such command": (lambda f: ["fly"], ("No such command 'fly'",)),
    "no such option": (lambda f: train(f, "--fly"), ("No such option: --fly",)),
    "missing argument": (lambda f: ["verify"], ("Missing argument 'MODEL'",)),
    "missing option": (lambda f: ["train", f / "table.csv", "-o", "m.json"], ("Missing option '--domain'",)),
    "epsilon is no number": (lambda f: train(f, "-e", "much"), ("Invalid value for '--epsilon'",)),
    "epsilon 0": (
        lambda f: train(f, "-e", 0),
        ("--epsilon", "a finite number above 0", "Got 0.0", "Use --privacy none for"),
    ),
    "epsilon below 0": (lambda f: train(f, "-e", -1), ("--epsilon", "a finite number above 0")),
    "epsilon nan": (lambda f: train(f, "-e", "nan"), ("--epsilon", "a finite number above 0")),
    "epsilon inf": (lambda f: train(f, "-e", "inf"), ("--epsilon", "a finite number above 0")),
    "epsilon beyond floats": (lambda f: train(f, "-e", "1e999"), ("--epsilon", "a finite number above 0")),
    "unknown learner": (
        lambda f: train(f, "--learner", "oracle"),
        ("--learner", "boosting, bdpe, forest, tree", "'oracle'"),
    ),
    "unknown parameter": (lambda f: train(f, "--set", "leafs=3"), ("no parameter 'leafs'", "score_reach")),
    "no such parameter for the learner": (lambda f: train(f, "--learner", "tree"), ("--rounds", "'tree'", "Got 2 ")),
    "trees of rounds": (lambda f: train(f, "--trees", 9), ("--trees", "Got 9 instead", "use --rounds")),
    "no delta for the learner": (
        lambda f: [*train(f)[:-2], "--learner", "bdpe", "--delta", "1e-6"],
        ("--delta", "left out for the learner 'bdpe'"),
    ),
    "delta out of range": (lambda f: train(f, "--delta", 1), ("--delta", "0 or more and below 1", "such as 1e-6")),
    "delta nan": (lambda f: train(f, "--delta", "nan"), ("--delta", "0 or more and below 1")),
    "Gaussian noise without a delta": (lambda f: train(f, "--set", "mechanism=gaussian"), ("a delta above 0",)),
    "a loss of numbers without a range": (
        lambda f: train(f, "--loss", "gamma"),
        ("The range of 'income' is not declared: give --target-range LOW HIGH",),
    ),
    "unknown loss": (lambda f: train(f, "--loss", "hinge", "--target-range", 0, 1), ("'loss'", "'poisson'")),
    "loss outside its range": (
        lambda f: [
            "train",
            f / "wages.csv",
            *train(f, "--loss", "gamma", "--target-range", 0, 1)[2:],
            "--target",
            "wage",
        ],
        ("'target_range'", "from above 0 for loss='gamma'"),
    ),
    "range upside down": (lambda f: train(f, "--target-range", 1, 0), ("--target-range", "low below high")),
    "range of one number": (lambda f: train(f, "--target-range", 1), ("--target-range",)),
    "range beside classes": (
        lambda f: train(f, "--target-range", 0, 1, "--classes", "a,b"),
        ("--classes", "left out beside --target-range"),
    ),
    "range for a learner of classes": (
        lambda f: train(f, "--target-range", 0, 1, "--learner", "bdpe"),
        ("--learner", "predicts classes only", "boosting"),
    ),
    "text for numbers in Parquet": (
        lambda f: ["train", f / "table.parquet", *train(f, "--target-range", 0, 1)[2:]],
        ("y holds text",),
    ),
    "an object for a number": (lambda f: train(f, "--set", 'shrinkage={"a": 1}'), ("--set", "one number or word")),
    "a direction for no attribute": (
        lambda f: train(f, "--set", 'monotonic_cst={"height": 1}'),
        ("'height', which is not an attribute",),
    ),
    "a weight of no class": (lambda f: train(f, "--set", 'class_weight={"perhaps": 2}'), ("keys are among 'classes'",)),
    "plan of no rows": (
        lambda f: ["plan", "-d", f / "domain.toml", "--rows", 0],
        ("--rows", "from 1 to", "Got 0", "which is public"),
    ),
    "plan without rows": (lambda f: ["plan", "-d", f / "domain.toml"], ("Missing option '--rows'",)),
    "plan without a domain": (lambda f: ["plan", "-d", f / "no.toml", "--rows", 9], ("--domain: ", "does not exist")),
    "parameter with an option": (lambda f: train(f, "--set", "epsilon=3"), ("Use --epsilon",)),
    "no setting": (lambda f: train(f, "--set", "alpha"), ("name=value",)),
    "setting is a list": (lambda f: train(f, "--set", "alpha=[1]"), ("name=value",)),
    "setting out of range": (lambda f: train(f, "--set", "score_reach=-2"), ("'score_reach'", "from 0 to 100")),
    "setting of another type": (lambda f: train(f, "--set", "shrinkage=big"), ("'shrinkage'", "from 0.001 to 1000")),
    "depth out of range": (lambda f: train(f, "--depth", 40), ("'max_depth'", "from 1 to 16")),
    "bins out of range": (lambda f: train(f, "--bins", 1), ("'n_bins'", "from 2 to 254")),
    "unknown relation": (lambda f: train(f, "--relation", "cousins"), ("'relation'", "add-remove")),
    "unknown preset": (
        lambda f: [*train(f)[:-2], "--learner", "bdpe", "--preset", "best"],
        ("'preset'", "paper"),
    ),
    "unknown privacy": (lambda f: train(f, "--privacy", "some"), ("--privacy", "'dp' or 'none'")),
    "negative seed": (lambda f: train(f, "--seed", -1), ("random_state",)),
    "wrong classes": (lambda f: train(f, "--classes", "only"), ("'classes'", "at least two")),
    "classes twice": (lambda f: train(f, "--classes", "a,a"), ("'classes'", "at least two different")),
    "no classes": (lambda f: train(f, "--target", "job2"), ("labels of 'job2' are not declared", "--classes")),
    "target is an attribute": (lambda f: train(f, "--target", "job"), ("'job' is the target, but also an attribute",)),
    "no such target": (lambda f: train(f, "--target", "x", "--classes", "a,b"), ("'table.csv' has no column 'x'",)),
    "no such table": (
        lambda f: ["train", f / "no.csv", "-d", f / "domain.toml", "-o", f / "m.json"],
        ("TABLE: ", "no.csv' does not exist. Give the name of a CSV or Parquet file."),
    ),
    "table is a folder": (
        lambda f: ["train", f, "-d", f / "domain.toml", "-o", f / "m.json"],
        ("TABLE: ", "is not a file but a folder. Give"),
    ),
    "table is no CSV": (
        lambda f: ["train", f / "noise.csv", "-d", f / "domain.toml", "-o", f / "m.json"],
        ("noise.csv",),
    ),
    "table is no Parquet": (
        lambda f: ["train", f / "noise.parquet", "-d", f / "domain.toml", "-o", f / "m.json"],
        ("'noise.parquet' is not a valid Parquet file",),
    ),
    "table is empty": (
        lambda f: ["train", f / "empty.csv", "-d", f / "domain.toml", "-o", f / "m.json"],
        ("empty.csv",),
    ),
    "ragged table": (
        lambda f: ["train", f / "ragged.csv", "-d", f / "domain.toml", "-o", f / "m.json"],
        ("'ragged.csv' is not a valid CSV file",),
    ),
    "missing column": (
        lambda f: ["train", f / "short.csv", "-d", f / "domain.toml", "-o", f / "m.json"],
        ("'short.csv' has no column 'job'",),
    ),
    "no such domain": (lambda f: [*train(f), "-d", f / "no.toml"], ("--domain: ", "no.toml' does not exist. Give")),
    "domain is a folder": (lambda f: [*train(f), "-d", f], ("--domain: ", "is not a file but a folder. Give")),
    "no such catalogue": (lambda f: [*train(f), "-d", f"{f / 'no.json'}:two"], ("--domain: ", "no.json' does not")),
    "domain with a TODO": (
        lambda f: [*train(f), "-d", f / "todo.toml"],
        ("The lo in '", "todo.toml' must be filled in for attribute 'age'", "TODO"),
    ),
    "domain with a wrong bound": (
        lambda f: [*train(f), "-d", f / "bound.toml"],
        ("The lo of attribute 'age' in '", "bound.toml' must be a finite real number. Got"),
    ),
    "domain is no TOML": (lambda f: [*train(f), "-d", f / "noise.toml"], ("noise.toml",)),
    "domain of an unknown kind": (lambda f: [*train(f), "-d", f / "table.csv"], (".json or .toml",)),
    "catalogue without an entry": (lambda f: [*train(f), "-d", f / "catalogue.json"], ("entry", "in, two")),
    "no such entry": (lambda f: [*train(f), "-d", f"{f / 'catalogue.json'}:nine"], ("'nine'", "'two'")),
    "out in no folder": (lambda f: [*train(f), "-o", f / "no" / "m.json"], ("--out", "Make the folder first")),
    "out is a folder": (lambda f: [*train(f), "-o", f], ("--out", "folder or a device")),
    "no such model": (lambda f: ["verify", f / "no.json"], ("MODEL: ", "no.json' does not exist. Give the file")),
    "no such model to show": (lambda f: ["show", f / "no.json"], ("MODEL: ", "no.json' does not exist. Give the file")),
    "no such model to ask": (
        lambda f: ["predict", f / "no.json", f / "table.csv"],
        ("MODEL: ", "no.json' does not exist. Give the file"),
    ),
    "model is a folder": (lambda f: ["show", f], ("MODEL: ", "is not a file but a folder. Give the file")),
    "model to verify is a folder": (lambda f: ["verify", f], ("MODEL: ", "is not a file but a folder. Give the file")),
    "model to ask is a folder": (lambda f: ["predict", f, f / "table.csv"], ("MODEL: ", "is not a file but a folder")),
    "answers in no folder": (
        lambda f: ["predict", f / "domain.toml", f / "table.csv", "-o", f / "no" / "a.csv"],
        ("--out", "Make the folder first"),
    ),
    "draft in no folder": (
        lambda f: ["domain", "draft", f / "table.csv", "-o", f / "no" / "a.toml"],
        ("--out", "Make the folder first"),
    ),
    "model is no JSON": (lambda f: ["verify", f / "short.csv"], ("valid JSON",)),
    "model is binary": (lambda f: ["predict", f / "table.parquet", f / "table.csv"], ("not ASCII",)),
    "model is another JSON": (lambda f: ["predict", f / "catalogue.json", f / "table.csv"], ("not",)),
    "draft of no table": (lambda f: ["domain", "draft", f / "no.csv"], ("no.csv' does not exist",)),
    "draft over a form": (lambda f: ["domain", "draft", f / "table.csv", "-o", f / "domain.toml"], ("--force",)),
    "no such subcommand": (lambda f: ["domain", "paint"], ("No such command 'paint'",)),
}


@pytest.fixture
def bad_folder(folder: Path) -> Path:
    (folder / "noise.csv").write_bytes(bytes(range(256)) * 4)
    (folder / "noise.parquet").write_bytes(bytes(range(256)) * 4)
    (folder / "noise.toml").write_text("[[[", encoding="utf-8")
    (folder / "empty.csv").write_bytes(b"")
    (folder / "ragged.csv").write_text("age,job,member,income\n1,clerk,True,no\n1,clerk,True,no,7,SECRET\n")
    (folder / "short.csv").write_text("age,member,income\n1,True,no\n", encoding="utf-8")
    form = (folder / "domain.toml").read_text(encoding="utf-8")
    (folder / "bound.toml").write_text(form.replace("lo = 0", 'lo = "0"'), encoding="utf-8")
    (folder / "todo.toml").write_text(form.replace("lo = 0", 'lo = "TODO"'), encoding="utf-8")
    return folder


@pytest.mark.parametrize("kind", BAD_INPUT)
def test_bad_input_of_each_kind_gives_one_clear_line(kind: str, run: Any, bad_folder: Path) -> None:
    make_arguments, parts = BAD_INPUT[kind]
    result = run(*make_arguments(bad_folder))
    assert_one_line(result, 2, *parts)
    assert "SECRET" not in result.err
    assert not (bad_folder / "m.json").exists()


def damage(path: Path, change: Any) -> None:
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))


BAD_MODELS: dict[str, tuple[Any, int, str]] = {
    "newer format": (lambda d: d.update(format=3), 2, "reads formats up to 2. Upgrade privboost"),
    "missing field": (lambda d: d.pop("classes"), 2, "lacks the field 'classes'"),
    "unknown field": (lambda d: d.update(note="hi"), 2, "unknown field 'note'"),
    "tampered epsilon": (lambda d: d["statement"].update(epsilon=0.5), 1, "contradicts itself"),
    "tampered ledger": (lambda d: d["statement"]["releases"].pop(), 1, "contradicts itself"),
    "tampered scale": (lambda d: d["statement"]["releases"][0].update(scale=9e9), 1, "contradicts itself"),
    "tampered tree": (lambda d: d["ensemble"]["trees"][0]["first"].__setitem__(0, 77), 1, "domain does not have"),
    "tampered parameter": (lambda d: d["parameters"].update(epsilon=0.5), 1, "'epsilon' contradicts"),
}


@pytest.mark.parametrize("kind", BAD_MODELS)
@pytest.mark.parametrize("command", ["verify", "show", "predict", "evaluate"])
def test_a_bad_model_gives_one_clear_line_in_every_command(
    kind: str, command: str, run: Any, folder: Path, trained: Path
) -> None:
    change, status, message = BAD_MODELS[kind]
    model = folder / "bad.json"
    model.write_bytes((trained / "private.json").read_bytes())
    damage(model, change)
    table = [folder / "table.csv"] if command in ("predict", "evaluate") else []
    target = ["--target", "income"] if command == "evaluate" else []
    assert_one_line(run(command, model, *table, *target), status, message)


def test_a_model_cut_short_gives_one_clear_line(run: Any, folder: Path, trained: Path) -> None:
    model = folder / "cut.json"
    model.write_bytes((trained / "private.json").read_bytes()[:-500])
    assert_one_line(run("verify", model), 2, "not complete, valid JSON")


# -- what a failure may not tell


def test_an_unexpected_error_does_not_quote_its_message(
    run: Any, folder: Path, trained: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: Any, **options: Any) -> None:
        raise KeyError("the cell SECRET")

    monkeypatch.setattr("privboost.cli.predict.read_table", fail)
    result = run("predict", trained / "private.json", folder / "table.csv")
    assert_one_line(result, 2, "unexpected KeyError", "--debug")
    assert "SECRET" not in result.err


def test_debug_prints_where_an_error_arose(run: Any, folder: Path) -> None:
    for arguments in (["--debug", "verify", folder / "no.json"], ["verify", folder / "no.json", "--debug"]):
        result = run(*arguments)
        assert result.status == 2
        assert "Traceback" in result.err
        assert result.err.splitlines()[-1].startswith("privboost: error: MODEL: ")


def test_warnings_of_libraries_are_not_shown(run: Any, trained: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import warnings

    def warn(*arguments: Any) -> Any:
        warnings.warn("the cell SECRET", RuntimeWarning, stacklevel=1)
        raise FileNotFoundError(2, "No such file or directory", "x")

    monkeypatch.setattr("privboost.cli.show.read_model", warn)
    result = run("show", trained / "private.json")
    assert_one_line(result, 2, "No such file")


def test_an_interrupt_ends_with_its_own_status(run: Any, trained: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*arguments: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("privboost.cli.show.read_model", interrupt)
    result = run("show", trained / "private.json")
    assert (result.status, result.out, result.err) == (130, "", "privboost: interrupted\n")


@pytest.mark.parametrize("error", [MemoryError(), OSError(28, "No space left on device")])
def test_errors_of_the_machine_are_told(
    error: Exception, run: Any, trained: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: Any) -> None:
        raise error

    monkeypatch.setattr("privboost.cli.show.read_model", fail)
    assert_one_line(
        run("show", trained / "private.json"), 2, "memory" if isinstance(error, MemoryError) else "No space"
    )


def test_control_characters_are_written_out() -> None:
    assert printable("a\x1b[2Jb\u202ec\td\ne") == r"a\x1b[2Jb\u202ec\td" + "\ne"
    assert one_line("a\n  b\x1b") == r"a b\x1b"
    assert printable("médecin ε 😀") == "médecin ε 😀"


# -- help and version


def test_help_and_version(run: Any) -> None:
    for arguments in (
        ["--help"],
        ["-h"],
        ["train", "--help"],
        ["plan", "--help"],
        ["domain", "--help"],
        ["domain", "draft", "-h"],
    ):
        result = run(*arguments)
        assert result.status == 0
        assert "Usage" in result.out
        assert result.err == ""
    result = run("--version")
    assert result.status == 0
    assert result.out.startswith("privboost ")


def test_every_option_is_explained(run: Any) -> None:
    for command in ("plan", "train", "predict", "evaluate", "verify", "show"):
        assert run(command, "--help").out.count("--json") == 1


# -- in a real shell


def shell(*arguments: object, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"COLUMNS": "200"}
    return subprocess.run(
        [sys.executable, "-m", "privboost", *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=folder,
        env=environment,
        check=False,
        timeout=120,
    )


def test_a_shell_user_trains_evaluates_and_verifies(folder: Path) -> None:
    options = ["--target", "income", "--rounds", 3, "--out", "model.json"]
    done = shell("train", "table.csv", "--domain", "domain.toml", *options, folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert "ε-differentially private with ε = 1" in done.stdout
    done = shell("evaluate", "model.json", "table.csv", "--target", "income", "--json", folder=folder)
    assert json.loads(done.stdout)["n_rows"] == 400
    done = shell("verify", "model.json", folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Verified" in done.stdout
    damage(folder / "model.json", lambda document: document["statement"].update(epsilon=0.1))
    done = shell("verify", "model.json", folder=folder)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1


def test_a_reader_that_leaves_is_no_failure(folder: Path, trained: Path) -> None:
    command = f"{sys.executable} -m privboost show --all {trained / 'forest.json'}; echo status $? >&2"
    done = subprocess.run(
        ["bash", "-c", f"({command}) | head -c 1"], capture_output=True, text=True, cwd=folder, check=False, timeout=120
    )
    assert done.stderr == "status 0\n"


def test_the_script_and_the_module_are_the_same() -> None:
    assert main_module.main is main
    script = Path(sys.executable).with_name("privboost")
    if script.exists():
        done = subprocess.run([str(script), "--version"], capture_output=True, text=True, check=False, timeout=120)
        assert done.stdout.startswith("privboost ")
