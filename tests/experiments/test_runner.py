"""A study goes on where it was, counts everything once, and does not depend on workers or on where it was killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from privboost.errors import ParameterError, SchemaError
from privboost.experiments import runner
from privboost.experiments.analysis import Runs
from privboost.experiments.grid import load_grid
from privboost.experiments.report import write_report
from privboost.experiments.runner import run_study
from privboost.experiments.store import COLUMNS, Store


def run(folder: Path, out: str, **options: Any) -> Path:
    run_study(load_grid(folder / "grid.toml"), folder / out, data=str(folder), **options)
    return folder / out


def contents(out: Path) -> dict[str, bytes]:
    """Write the report, and return every file of it but the report's own folder of parts."""
    write_report(out)
    return {str(p.relative_to(out)): p.read_bytes() for p in sorted(out.rglob("*")) if p.is_file()}


def test_rows_of_results(small_study: Path) -> None:
    out = run(small_study, "out")
    parts = sorted(path.name for path in (out / "parts").iterdir())
    assert parts == [f"{table}-{fold:02d}.parquet" for table in ("first", "second") for fold in (0, 1)]
    rows = pq.read_table(out / "parts" / "second-01.parquet").to_pandas()
    grid = load_grid(small_study / "grid.toml")
    assert list(rows.columns) == list(COLUMNS)
    assert len(rows) == len(grid.settings()) == 2 * (2 * 2 * 2 * 2 + 2 * 2 + 2 * 2 * 2 + 2)
    assert set(rows["domain"]) == {"second"}
    assert set(rows["domain_kind"]) == {"public"}
    assert set(pq.read_table(out / "parts" / "first-00.parquet")["domain_kind"].to_pylist()) == {"observed"}
    assert rows["error"].between(0, 1).all()
    assert rows["seed"].tolist() == [setting.seed(0, "second", 1) for setting in grid.settings()]
    assert (rows["epsilon"][rows["arm"] == "noise-free"] == np.inf).all()
    exact = rows[(rows["arm"] == "noise-free") & (rows["depth"] == 2)]
    assert exact["error"].max() < 0.3  # the labels can be learnt


def test_every_row_is_a_test_row_once(small_study: Path) -> None:
    """Over the folds of a table, each row is tested exactly once, and never trained on in the same fold."""
    grid = load_grid(small_study / "grid.toml")
    study = run_study(grid, small_study / "out", data=str(small_study), only="first")
    meta = runner.study_catalogue(grid.catalogue)["first"]
    tested = []
    for fold in range(2):
        task = runner.Task("first", fold, small_study / "first.csv", meta)
        found = runner._fold(runner.read_entry(task.path, meta), task, study)
        assert set(found.train) & set(found.test) == set()
        assert len(found.train) + len(found.test) == 120
        tested += found.test.tolist()
    assert sorted(tested) == list(range(120))


def test_workers_do_not_matter(small_study: Path) -> None:
    assert contents(run(small_study, "one", jobs=1)) == contents(run(small_study, "two", jobs=2))


def test_what_is_done_is_not_done_again(small_study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = contents(run(small_study, "whole"))
    out = run(small_study, "out", only="first")
    seen: list[str] = []
    real = runner._run_task
    monkeypatch.setattr(runner, "_run_task", lambda task, *rest: (seen.append(task.table), real(task, *rest))[1])
    told: list[tuple[float, ...]] = []
    run(small_study, "out", progress=lambda *numbers: told.append(numbers))
    assert seen == ["second", "second"]
    assert [numbers[:2] for numbers in told] == [(2, 4), (3, 4), (4, 4)]
    run(small_study, "out")
    assert len(seen) == 2
    assert contents(out) == whole


def test_seeds_matter(small_study: Path) -> None:
    one = pq.read_table(run(small_study, "one") / "parts" / "first-00.parquet")
    two = pq.read_table(run(small_study, "two", seed=1) / "parts" / "first-00.parquet")
    assert one["error"].to_pylist() != two["error"].to_pylist()


def test_a_half_written_file_counts_nothing(small_study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed between writing and renaming: the next run writes the part again and clears what is left."""
    replace = Path.replace

    def killed(self: Path, target: Path) -> Path:
        if target.name == "first-01.parquet":
            os.link(self, self.with_name(f"left.{self.name}"))  # what a killed process would leave
            raise KeyboardInterrupt
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        run(small_study, "out")
    monkeypatch.undo()
    store = Store(small_study / "out")
    study = store.study()
    assert not store.has("first", 1)
    assert len(list((small_study / "out" / "parts").glob("left.*.partial"))) == 1
    with pytest.raises(SchemaError, match="No table of the study has all its folds yet"):
        Runs.of(store.read(study), study)
    out = run(small_study, "out")
    assert not list(out.rglob("*.partial"))
    assert contents(out) == contents(run(small_study, "whole"))


def test_kill_and_go_on(small_study: Path) -> None:
    """``kill -9`` after the first part; the same command, then with two workers, gives the same bytes."""
    text = (small_study / "grid.toml").read_text().replace("folds = 2", "folds = 3").replace("[2]", "[2, 12]")
    (small_study / "grid.toml").write_text(text)
    names = ["--grid", str(small_study / "grid.toml"), "--data", str(small_study)]
    command = [sys.executable, "-m", "privboost", "reproduce", *names, "--out", str(small_study / "out")]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    parts = small_study / "out" / "parts"
    deadline = time.monotonic() + 300
    while not list(parts.glob("*.parquet")) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    done = {path.name: path.stat().st_mtime_ns for path in parts.glob("*.parquet")}
    assert 1 <= len(done) < 6
    again = subprocess.run([*command, "--jobs", "2"], capture_output=True, text=True, check=False)
    assert (again.returncode, again.stderr) == (0, "")
    assert done == {name: (parts / name).stat().st_mtime_ns for name in done}
    assert contents(small_study / "out") == contents(run(small_study, "whole"))


def test_another_study_s_folder_is_refused(small_study: Path) -> None:
    run(small_study, "out", only="first")
    with pytest.raises(SchemaError, match="holds another study; its 'seed' differs: 0 is not 1"):
        run(small_study, "out", seed=1)
    grid = small_study / "grid.toml"
    grid.write_text(grid.read_text().replace("depths = [1, 2]", "depths = [1]"))
    with pytest.raises(SchemaError, match="holds another study; its 'fingerprint' differs"):
        run(small_study, "out")


def test_parts_of_another_study_are_refused(small_study: Path) -> None:
    out, other = run(small_study, "out"), run(small_study, "other", seed=1)
    part = out / "parts" / "first-00.parquet"
    part.write_bytes((other / "parts" / "first-00.parquet").read_bytes())
    with pytest.raises(SchemaError, match=r"first-00\.parquet' belongs to another study"):
        write_report(out)
    part.write_bytes(b"PAR1")
    with pytest.raises(SchemaError, match=r"first-00\.parquet' is damaged"):
        write_report(out)


def test_absent_tables_are_named_before_anything_is_trained(small_study: Path, tmp_path: Path) -> None:
    (small_study / "second.csv").unlink()
    with pytest.raises(SchemaError, match=r"'second' needs the file 'second.csv'"):
        run(small_study, "out")
    assert not (small_study / "out").exists()
    with pytest.raises(ParameterError, match=r"'--only' parameter must be one of first, second. Got 'third'"):
        run(small_study, "out", only="third")
    run(small_study, "out", only="first")


@pytest.mark.parametrize("change", ["twice", "another"])
def test_settings_must_occur_once_a_fold(small_study: Path, change: str) -> None:
    out = run(small_study, "out")
    store = Store(out)
    study = store.study()
    rows = store.read(study).to_pandas()
    n = study.n_settings
    if change == "twice":
        for fold in range(2):
            rows.loc[fold * n, rows.columns[2:9]] = rows.loc[fold * n + 1, rows.columns[2:9]]
    else:
        rows.loc[n, "depth"] = 9
    with pytest.raises(SchemaError, match="'first' do not hold every setting once a fold"):
        Runs.of(pq.read_table(out / "parts" / "first-00.parquet").from_pandas(rows), study)
