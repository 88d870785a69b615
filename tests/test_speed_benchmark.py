"""The benchmark of speed: both sides in turns, honest verdicts, records that are compared, rows that run."""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"


@pytest.fixture(autouse=True)
def on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(BENCHMARKS)


@pytest.fixture
def speed() -> ModuleType:
    return importlib.import_module("speed")


@pytest.fixture
def timing() -> ModuleType:
    return importlib.import_module("speed_timing")


@pytest.fixture
def rows() -> Iterator[ModuleType]:
    module = importlib.import_module("speed_rows")
    yield module
    module.table.cache_clear()


def row_of(timing: ModuleType, name: str, ours: float, theirs: float = 1.0, **more: Any) -> Any:
    return timing.Row(name, "work", "other", 0.5, lambda setup: timing.Measured(ours, theirs), **more)


@pytest.mark.parametrize(
    ("ratio", "recorded", "slower"), [(0.5, None, False), (0.6, 0.5, False), (0.61, 0.5, True), (0.1, 0.5, False)]
)
def test_a_fifth_is_allowed(speed: ModuleType, ratio: float, recorded: float | None, slower: bool) -> None:
    assert speed.is_slower(ratio, recorded) is slower


def test_verdicts(speed: ModuleType, timing: ModuleType) -> None:
    row = row_of(timing, "r", 0.4, most=0.45)
    assert speed.verdict(row, timing.Measured(0.4, 1.0), None) == "reached"
    assert speed.verdict(row, timing.Measured(0.5, 1.0), None) == "not reached"  # the ratio is, the seconds are not
    assert speed.verdict(row, timing.Measured(0.4, 0.7), None) == "not reached"
    assert speed.verdict(row, timing.Measured(0.4, 1.0), 0.3) == "reached, SLOWER than recorded"


def test_cells_of_a_row(speed: ModuleType, timing: ModuleType) -> None:
    row = row_of(timing, "r", 0.0012, most=0.0015)
    printed = speed.line(row, row.measure(None), 0.0013).strip("| ").split(" | ")
    assert printed == ["`r`: work", "other", "1.2 ms", "1 s", "0.0012", "≤ 0.5, ours < 1.5 ms", "0.0013", "reached"]
    missing = speed.line(row, timing.NotMeasuredError("no such package"), None)
    assert missing.endswith("| – | – | – | ≤ 0.5, ours < 1.5 ms | – | not measured: no such package |")
    assert speed.HEADER.count("|") == missing.count("|")
    memory = row_of(timing, "m", 61.0, 50.0, unit="MiB")
    assert "| 61 MiB | 50 MiB | 1.22 |" in speed.line(memory, memory.measure(None), None)


@pytest.fixture
def fake(speed: ModuleType, timing: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """The command with made-up rows; returns what it exits with."""

    def absent(setup: Any) -> Any:
        raise timing.NotMeasuredError("other is not installed")

    def command(*options: str, **ratios: float) -> int:
        made = [row_of(timing, name, ratio) for name, ratio in ratios.items()]
        monkeypatch.setattr(speed, "ROWS", [*made, timing.Row("none", "work", "other", 0.5, absent)])
        return int(speed.main(["--record-file", str(tmp_path / "r.json"), *options]))

    return SimpleNamespace(command=command, file=tmp_path / "r.json")


def test_slower_rows_are_named_after_all_rows(fake: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert fake.command(a=1.0, b=1.0, c=1.0) == 0
    assert not fake.file.exists()
    assert fake.command("--record", a=1.0, b=1.0, c=1.0) == 0
    assert fake.command(a=1.19, b=0.2, c=1.2) == 0
    capsys.readouterr()
    assert fake.command(a=1.25, b=0.2, c=1.3) == 1
    printed = capsys.readouterr()
    assert [line.split("`")[1] for line in printed.out.splitlines() if line.startswith("| `")] == [
        "a",
        "b",
        "c",
        "none",
    ]
    assert printed.err.strip() == "More than a fifth slower than recorded: a, c"
    assert printed.out.count("SLOWER") == 2


def test_records(fake: Any, speed: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    fake.command("--record", a=1.0, b=0.123456)
    content = json.loads(fake.file.read_text())
    assert set(content) == {"date", "machine", "versions", "ratios"}
    assert content["ratios"] == {"a": 1.0, "b": 0.123}
    assert os.uname().nodename not in fake.file.read_text()
    fake.command("--record", "--only", "a", a=3.0, b=1.0)  # what is kept is not compared with
    assert json.loads(fake.file.read_text())["ratios"] == {"a": 3.0, "b": 0.123}
    monkeypatch.setattr(speed, "versions", lambda: {"numpy": "99"})
    fake.command("--record", "--only", "a", a=2.0, b=1.0)
    assert json.loads(fake.file.read_text())["ratios"] == {"a": 2.0}  # b was measured with other versions


def test_rows_are_chosen_by_name(fake: Any, capsys: pytest.CaptureFixture[str]) -> None:
    fake.command("--list", a=1.0, b=1.0)
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["a", "b", "none"]
    fake.command("--skip", "none", "a", a=1.0, b=1.0)
    assert capsys.readouterr().out.count("| `") == 1
    with pytest.raises(SystemExit, match="no row 'x'; there are: a, none"):
        fake.command("--only", "x", a=1.0)


def test_the_recorded_file_is_about_rows_that_exist(speed: ModuleType, rows: ModuleType) -> None:
    names = [row.name for row in rows.ROWS]
    assert len(set(names)) == len(names)
    assert set(speed.read_record(speed.RECORD)) <= set(names)


def test_both_sides_take_turns(timing: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing, "LEAST_SECONDS", 0.0)
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    seen: list[tuple[str, str | None]] = []
    sides = [lambda name=name: seen.append((name, os.environ.get("OMP_NUM_THREADS"))) for name in ("ours", "theirs")]
    timing.contest(timing.Setup(runs=3, threads=2), *sides)
    assert seen == [("ours", "2"), ("theirs", "7")] * 3


def test_medians_are_divided(timing: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([1.0, 10.0, 5.0, 20.0, 2.0, 90.0])
    monkeypatch.setattr(timing, "seconds", lambda work: next(times))
    measured = timing.contest(timing.Setup(runs=3), None, None)
    assert (measured.ours, measured.theirs, measured.ratio) == (2.0, 20.0, 0.1)


def test_short_work_is_repeated(timing: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(now=0.0, calls=0)
    monkeypatch.setattr(timing.time, "perf_counter", lambda: clock.now)

    def work() -> None:
        clock.calls += 1
        clock.now += 0.01

    assert timing.seconds(work) == pytest.approx(0.01)
    assert clock.calls == 1 + 10


def test_made_rows(timing: ModuleType) -> None:
    X, y, domain = timing.made_rows(70_000, 5, np.float32)
    assert (X.shape, X.dtype, len(domain)) == ((70_000, 5), np.float32, 5)
    assert 0.0 <= X.min() < 0.001 < 0.999 < X.max() <= 1.0
    np.testing.assert_allclose(X.mean(axis=0), 0.5, atol=0.01)  # every piece is filled
    assert np.corrcoef(X[:, :4].sum(axis=1), y)[0, 1] > 0.5


class Other:
    """A peer that does nothing, and takes any setting."""

    def __init__(self, **settings: Any) -> None:
        self.settings = settings

    def fit(self, X: Any, y: Any) -> Other:
        return self

    def predict(self, X: Any) -> Any:
        return np.zeros(len(X))


@pytest.mark.filterwarnings("ignore")  # simulations
@pytest.mark.parametrize(
    "name",
    ["selection", "random", "secure", "dp-ebm", "forest", "predict", "small-codes", "small", "ten-million", "threads"],
)
def test_rows_run(rows: ModuleType, timing: ModuleType, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    names = "LGBMClassifier", "RandomForestClassifier", "BudgetAccountant", "DPExplainableBoostingClassifier"
    package = SimpleNamespace(**dict.fromkeys(names, Other))
    monkeypatch.setattr(rows, "peer", lambda module, package_name: package)
    (row,) = [row for row in rows.ROWS if row.name == name]
    measured = row.measure(timing.Setup(runs=1, scale=0.001))
    assert measured.ours > 0.0 < measured.theirs


@pytest.mark.parametrize("name", ["random", "dp-ebm", "forest"])
def test_missing_packages_are_told(
    rows: ModuleType, timing: ModuleType, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def absent(module: str) -> None:
        raise ModuleNotFoundError(f"No module named {module!r}", name=module.partition(".")[0])

    monkeypatch.setattr(rows.importlib, "import_module", absent)
    (row,) = [row for row in rows.ROWS if row.name == name]
    with pytest.raises(timing.NotMeasuredError, match=r"is not installed; `pip install '\.\[bench\]'`"):
        row.measure(timing.Setup(runs=1, scale=0.001))


def test_an_error_within_a_package_is_not_taken_for_its_absence(
    rows: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(module: str) -> None:
        raise ModuleNotFoundError("No module named 'other'", name="other")

    monkeypatch.setattr(rows.importlib, "import_module", broken)
    with pytest.raises(ModuleNotFoundError, match="other"):
        rows.peer("lightgbm", "lightgbm")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell")
def test_memory_is_that_of_a_process_of_its_own(rows: ModuleType, timing: ModuleType) -> None:
    measured = rows.measure_memory(timing.Setup(runs=1, scale=0.2))
    assert measured.theirs == pytest.approx(200_000 * 52 / 2**20)
    assert 200_000 * 28 / 2**20 < measured.ours < 500.0  # at least the codes


def test_the_grid_is_that_of_the_study(timing: ModuleType, tmp_path: Path) -> None:
    grid = importlib.import_module("speed_grid")
    for bins in (10, 50):
        cells = grid.cells(bins)
        assert len(set(cells)) == len(cells) == 1152
        sample = cells[:: grid.ONE_IN]
        for name in ("epsilon", "alpha", "n_trees", "depth", "share"):
            assert {getattr(s, name) for s in sample} == {getattr(s, name) for s in cells}
    with pytest.raises(timing.NotMeasuredError, match="--data"):
        grid.measure_grid(timing.Setup(), 10, 360.0)


def test_a_sample_of_the_grid_is_scaled(timing: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    pd.DataFrame({"x": rng.random(60), "target": np.arange(60) % 2}).to_csv(tmp_path / "t.csv", index=False)
    target = {"name": "target", "positive": {"rule": "in", "values": ["1"]}, "classes": {"0": 1, "1": 1}}
    features = [{"name": "x", "kind": "numeric", "dtype": "float", "domain": [0, 1]}]
    entry = {"file": "t.csv", "group": "paper", "rows": 60, "n_features": 1, "features": features, "target": target}
    (tmp_path / "domains.json").write_text(json.dumps({"datasets": {"t": entry}}))
    grid = importlib.import_module("speed_grid")
    monkeypatch.setattr(grid, "ONE_IN", 400)
    before, within = grid.run_cells(tmp_path, "t", 0, 10, grid.cells(10)[::400])
    assert min(before, within) > 0.0
    monkeypatch.setattr(grid, "study_catalogue", lambda: {"t": entry})
    monkeypatch.setattr(grid, "run_cells", lambda *args: (1.0, 2.0))
    monkeypatch.setattr(grid, "delayed", lambda function: lambda *args: (function, args, {}))
    measured = grid.measure_grid(timing.Setup(threads=1, data=tmp_path), 10, 360.0)
    assert measured.ours == pytest.approx(10 * (1.0 + 2.0 * 1152 / 3))


def test_start_up_is_measured_in_fresh_processes(timing: ModuleType) -> None:
    startup = importlib.import_module("speed_startup")
    imported = startup.measure_import(timing.Setup(runs=1))
    assert (0.01 < imported.ours < 60.0, imported.theirs) == (True, 0.5)
    assert "PYTHONDONTWRITEBYTECODE" not in startup.environment()


def test_bytes_of_a_call() -> None:
    kernels = importlib.import_module("speed_kernels")
    n = kernels.FEWEST_ROWS
    codes, column, few = np.zeros((3, 2 * n), np.uint8), np.zeros(2 * n, np.int64), np.zeros(n - 1)
    assert kernels.moved((codes, 4.0, column, few)) == (2 * n, 2 * n * (3 + 8))
    assert kernels.moved((codes[:, :n], column[:n], few)) == (n, n * (3 + 8))
    assert kernels.moved((few, 1)) == (0, 0)
    assert kernels.moved((1.0,)) == (0, 0)


@pytest.mark.filterwarnings("ignore")
def test_every_kernel_of_rows_is_watched_and_left_as_it_was(
    timing: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kernels = importlib.import_module("speed_kernels")
    local = importlib.import_module("privboost.sources.local")
    before = dict(vars(local))
    monkeypatch.setattr(kernels, "bandwidth", lambda: 1e10)
    kernels.print_kernels(timing.Setup(runs=1, scale=0.02))
    assert dict(vars(local)) == before
    printed = capsys.readouterr().out
    for name in ("level_sums", "route_level", "leaf_of_rows", "gradient_sums", "boosting_weights"):
        assert f"| `{name}` |" in printed
