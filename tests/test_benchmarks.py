"""The accuracy benchmark keeps to its protocol, resumes, and compares by the rules that it prints."""

from __future__ import annotations

import importlib
import json
import math
from functools import partial
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import privboost
from privboost import Boolean, Categorical, Domain, Numeric, PrivateForestClassifier
from privboost.experiments.grid import load_grid

ROOT = Path(__file__).resolve().parents[1]
BENCHMARKS = ROOT / "benchmarks"
DOMAIN_HEADER = "| table | rows | columns |"
RECORDED = ROOT.parent / "shared" / "peers" / "results.csv"


def module(monkeypatch: pytest.MonkeyPatch, name: str) -> ModuleType:
    monkeypatch.syspath_prepend(BENCHMARKS)
    return importlib.import_module(name)


@pytest.fixture
def accuracy(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return module(monkeypatch, "accuracy")


@pytest.fixture
def report(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return module(monkeypatch, "accuracy_table")


@pytest.fixture
def others(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return module(monkeypatch, "accuracy_peers")


@pytest.fixture
def catalogue(tmp_path: Path) -> Path:
    """A folder with one small table, in the form of the real tables' catalogue."""
    rng = np.random.default_rng(0)
    x, y = rng.random(200), rng.integers(0, 2, 200)
    frame = pd.DataFrame({"x": np.round((x + y) / 2, 3), "c": rng.choice(["a", "b", ""], 200), "target": y})
    (tmp_path / "data").mkdir()
    frame.to_csv(tmp_path / "data" / "small.csv", index=False)
    features = [
        {"name": "x", "kind": "numeric", "dtype": "float", "domain": [0, 1]},
        {"name": "c", "kind": "categorical", "categories": ["a", "b"]},
    ]
    target = {"name": "target", "positive": {"rule": "in", "values": ["1"]}, "classes": {"0": 1, "1": 1}}
    entry = {"file": "small.csv", "group": "made", "rows": 200, "n_features": 2, "features": features, "target": target}
    (tmp_path / "data" / "domains.json").write_text(json.dumps({"datasets": {"small": entry}}))
    return tmp_path / "data"


def run(accuracy: ModuleType, catalogue: Path, *options: str) -> Path:
    out = catalogue.parent / "out"
    places = ["--data", str(catalogue), "--out", str(out), "--tables", "all", "--jobs", "1"]
    accuracy.main(["run", *places, "--repeats", "1", *options])
    return out


def test_run_writes_a_row_a_fit(accuracy: ModuleType, catalogue: Path) -> None:
    out = run(accuracy, catalogue, "--learner", "forest", "--epsilons", "1", "8", "--folds", "2")
    files = sorted(out.rglob("*"))
    assert [path.name for path in files] == ["forest", "small-0-0.csv", "small-0-1.csv"]
    rows = pd.read_csv(files[1])
    assert list(rows.columns) == accuracy.COLUMNS
    assert rows[["dataset", "learner", "eps", "delta", "fold", "seed"]].to_numpy().tolist() == [
        ["small", "forest", 1.0, 0.0, 0, 0],
        ["small", "forest", 8.0, 0.0, 0, 0],
    ]
    assert (rows["auc"] > 0.6).all()
    assert rows[["accuracy", "auc", "brier", "ece"]].to_numpy().max() <= 1


def test_run_fits_only_what_is_missing(
    accuracy: ModuleType, catalogue: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fit = partial(run, accuracy, catalogue, "--folds", "1", "--learner", "forest", "--epsilons")
    out = fit("1")
    before = pd.read_csv(out / "forest" / "small-0-0.csv")
    fit("1", "0.1")
    fit("1", "0.1")
    after = pd.read_csv(out / "forest" / "small-0-0.csv")
    assert [line.split(" ")[0] for line in capsys.readouterr().out.splitlines()] == ["1", "1", "0"]
    pd.testing.assert_frame_equal(after[after["eps"] == 1].reset_index(drop=True), before)
    assert after["eps"].tolist() == [0.1, 1.0]


def test_auto_is_the_product_s_learner(
    accuracy: ModuleType, catalogue: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = []

    def learner(*, epsilon: float, delta: float, domain: Domain, classes: list[int], random_state: int) -> object:
        asked.append((epsilon, delta, random_state))
        return PrivateForestClassifier(epsilon, domain=domain, classes=classes, random_state=random_state, leaf="soft")

    monkeypatch.setattr(privboost, "PrivateBoostingClassifier", learner, raising=False)
    out = run(accuracy, catalogue, "--epsilons", "1", "2")
    assert {pair[:2] for pair in asked} == {(1.0, 0.0), (1.0, 1e-5), (2.0, 0.0), (2.0, 1e-5)}
    assert len({seed for *_, seed in asked}) == len(asked) == 20
    run(accuracy, catalogue, "--learner", "ceiling", "--folds", "1")
    capsys.readouterr()
    accuracy.main(["table", "--out", str(out)])
    printed = capsys.readouterr().out
    assert printed.startswith("20 fits of auto: 1 tables, 5 folds, 1 seeds; simulated noise.")
    assert printed.count("### Mean recovered AUC at δ") == printed.count("### Log loss / Brier") == 2
    assert "nan" not in printed


def test_folds_are_those_of_the_recorded_results(accuracy: ModuleType, shared_data: Path, tmp_path: Path) -> None:
    if not RECORDED.is_file():
        pytest.skip("the recorded results (../shared/peers/results.csv) are absent")
    places = ["--data", str(shared_data), "--out", str(tmp_path), "--tables", "transfusion", "--jobs", "1"]
    accuracy.main(["run", *places, "--learner", "ceiling", "--folds", "2", "--repeats", "1"])
    ours = pd.concat(map(pd.read_csv, (tmp_path / "ceiling").glob("*.csv")))
    ours = ours[ours["learner"] == "histgb_default"]
    recorded = pd.read_csv(RECORDED).query("peer == 'sk_histgb' and dataset == 'transfusion'")
    both = ours.merge(recorded, on=["fold", "seed"])
    assert len(both) == 2
    assert np.abs(both["auc_x"] - both["auc_y"]).max() < 0.01  # other folds differ by 0.05


def test_calibration_error(accuracy: ModuleType) -> None:
    y = np.array([0, 1, 1, 1, 0])
    positive = np.array([0.05, 0.05, 1.0, 0.95, 0.5])
    assert accuracy.calibration_error(y, positive) == pytest.approx((0.9 + 0.05 + 0.5) / 5)


def test_budgets(accuracy: ModuleType) -> None:
    assert accuracy.LEARNERS["forest"].budgets([1, 2], [0, 1e-5]) == [(1, 0), (2, 0)]
    assert accuracy.LEARNERS["auto"].budgets([1], [0, 1e-5]) == [(1, 0), (1, 1e-5)]
    assert accuracy.LEARNERS["ceiling"].budgets([1], [0, 1e-5]) == [(math.inf, 0)]
    assert accuracy.LIVE["dpebm_live"].budgets([1], [0, 1e-5]) == [(1, 1e-5)]


def test_unknown_table_is_named(accuracy: ModuleType, catalogue: Path) -> None:
    with pytest.raises(SystemExit, match="'absent' is not in the catalogue, which has: small"):
        accuracy.main(["run", "--data", str(catalogue), "--out", str(catalogue / "out"), "--tables", "absent"])


def test_numbers_are_made_from_declarations(others: ModuleType) -> None:
    domain = Domain({"x": Numeric(0, 10), "c": Categorical(["a", "b"]), "flag": Boolean()})
    X = pd.DataFrame({"x": [3.0, np.nan, 99.0], "c": ["b", None, "z"], "flag": [True, False, None]})
    low, high = others.public_bounds(domain)
    numbers = others.as_numbers(X, domain)
    assert low.tolist() == [0, 0, 0]
    assert high.tolist() == [10, 2, 2]
    assert numbers[:, :2].tolist() == [[3, 2], [5, 0], [10, 0]]
    assert ((low <= numbers) & (numbers <= high)).all()


@pytest.mark.parametrize("learner", ["lightgbm", "dpebm_live", "dpl_rf10_live"])
def test_absent_package_is_named(others: ModuleType, monkeypatch: pytest.MonkeyPatch, learner: str) -> None:
    package = others.PACKAGES[learner]

    def absent(name: str) -> None:
        raise ModuleNotFoundError(f"No module named {package!r}", name=package)

    monkeypatch.setattr(others.importlib, "import_module", absent)
    with pytest.raises(SystemExit, match=f"pip install {package}$"):
        others.require(learner)
    others.require("forest")


def fits(auc: list[float], **constant: object) -> pd.DataFrame:
    rows = [{"fold": i % 5, "seed": i // 5, "auc": value} for i, value in enumerate(auc)]
    return pd.DataFrame(rows).assign(**constant)


def test_comparison_pairs_by_fold_and_seed(report: ModuleType) -> None:
    ours, theirs = [0.7, 0.8, 0.9, 0.75, 0.6, 0.7], [0.72, 0.79, 0.85]
    found = report.compared(fits(ours), fits(theirs).iloc[::-1])
    assert (found.pairs, found.kind) == (3, "paired")
    assert found.p == pytest.approx(stats.ttest_rel(ours[:3], theirs).pvalue)
    assert found.difference == pytest.approx(np.mean(ours[:3]) - np.mean(theirs))
    welch = report.compared(fits(ours), fits(theirs).assign(seed=7))
    assert (welch.pairs, welch.kind) == (0, "welch")
    assert welch.p == pytest.approx(stats.ttest_ind(ours, theirs, equal_var=False).pvalue)
    assert math.isnan(report.compared(fits(ours), fits([0.9])).p)
    assert report.compared(fits(ours), fits(ours)).p == 1


def test_which_peers_count(report: ModuleType) -> None:
    rows = [("pure", 0.0), ("sbdt", 1e-5), ("dpebm", 8.89e-6), ("maddock_tr", 1e-3), ("wide", 1e-4)]
    peers = pd.DataFrame(rows, columns=["peer", "delta"])
    assert report.counting(peers, 0.0)["peer"].tolist() == ["pure"]
    assert report.counting(peers, 1e-5)["peer"].tolist() == ["pure", "sbdt", "dpebm", "maddock_tr*"]


def results_of(report: ModuleType) -> object:
    """Two tables at ε = 1: ours is ahead on t and behind on u; "narrow" has figures on t only."""
    at = {"eps": 1.0, "delta": 1e-5}
    wave = np.array([0.01, -0.01, 0.005, -0.005, 0.0])
    ours = pd.concat([fits(list(0.8 + wave), dataset="t", **at), fits(list(0.6 + wave), dataset="u", **at)])
    peers = pd.concat(
        [
            fits([0.7] * 5, dataset="t", peer="both", **at),
            fits([0.7] * 5, dataset="u", peer="both", **at),
            fits([0.75] * 5, dataset="t", peer="narrow", **at),
        ]
    )
    return report.Results(ours, peers, pd.Series({"t": 0.9, "u": 0.9}))


def test_headline_and_cells(report: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    results = results_of(report)
    cells = report.compare(results).set_index("dataset")
    assert cells["peer"].to_dict() == {"t": "narrow", "u": "both"}
    assert cells.loc["u", "p"] < 0.05
    head = report.headline(results, cells.reset_index(), 1e-5, "auto")
    assert head.index.tolist() == ["auto", "best peer of each table", "both"]
    assert head[1.0].tolist() == pytest.approx([(0.75 + 0.25) / 2, (0.625 + 0.5) / 2, 0.5])
    report.print_counts(cells.reset_index(), 1e-5)
    printed = capsys.readouterr().out
    assert "of 2 cells" in printed
    assert "equals it: 1\n" in printed
    assert "(p > 0.05): 1\n" in printed
    assert "largest shortfall: 0.1000 (u, ε = 1, both; p <0.001)" in printed
    report.print_closing(cells.reset_index())
    assert "Mean over 2 tables: -8.3%; gains over rooms, both summed: -14.3%." in capsys.readouterr().out


def test_orientation_and_ceilings_are_set_apart(report: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "auto").mkdir()
    fits([0.8] * 5, dataset="t", learner="auto", eps=1.0, delta=0.0).to_csv(tmp_path / "auto" / "t.csv", index=False)
    names = {"dpboost": (1.0, 0.99), "dpl_nb": (1.0, 0.7), "sk_rf": (math.inf, 0.9), "majority": (math.inf, 0.95)}
    frames = [fits([a] * 5, dataset="t", peer=name, eps=e, delta=0.0) for name, (e, a) in names.items()]
    pd.concat(frames).to_csv(tmp_path / "peers.csv", index=False)
    results = report.read_results(tmp_path, tmp_path / "peers.csv", "auto", [], [])
    assert set(results.peers["peer"]) == {"dpl_nb"}
    assert results.ceiling.to_dict() == pytest.approx({"t": 0.9})
    with pytest.raises(SystemExit, match="no results of the learner 'forest'"):
        report.read_results(tmp_path, None, "forest", [], [])


def test_paid_figures_are_measured(
    monkeypatch: pytest.MonkeyPatch, catalogue: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paid = module(monkeypatch, "private_evaluation")
    for what, header, n_rows in (("figures", "| table | test rows |", 8), ("bins", "| table | ε | n·ε |", 6)):
        paid.main([what, "--data", str(catalogue), "--tables", "small", "--seeds", "3"])
        lines = capsys.readouterr().out.splitlines()
        assert lines[0].startswith(header)
        assert len(lines) == 2 + n_rows
        assert {line.count("|") for line in lines} == {lines[0].count("|")}


@pytest.mark.parametrize("delta", ["1e-6", "0"])
def test_the_benchmark_of_learnt_domains_runs(
    monkeypatch: pytest.MonkeyPatch, catalogue: Path, capsys: pytest.CaptureFixture[str], delta: str
) -> None:
    """Every cell of its table is filled, that of lists only where there is a delta."""
    benchmark = module(monkeypatch, "learnt_domains")
    few = ["--tables", "small", "--epsilons", "0.5", "--seeds", "2", "--delta", delta]
    benchmark.main(["--data", str(catalogue), *few])
    header, _, row = capsys.readouterr().out.splitlines()
    assert header.startswith(DOMAIN_HEADER)
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[:3] == ["small", "120", "2"]
    assert [cell == "–" for cell in cells[5:]] == [False, False, delta == "0"]


def test_ways_to_tune_are_measured(
    monkeypatch: pytest.MonkeyPatch, catalogue: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    search = module(monkeypatch, "private_search")
    monkeypatch.setitem(search.LEARNERS, "forest", (PrivateForestClassifier, {"n_trees": [2], "max_depth": [1, 2]}))
    options = ["--tables", "small", "--learner", "forest", "--seeds", "2", "--epsilons", "1", "8", "--jobs", "1"]
    search.main(["--data", str(catalogue), *options])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "| table | ε | default | drawn | search | each paid | NOT covered |"
    assert [line.split(" | ")[:2] for line in lines[2:]] == [["| small", "1"], ["| small", "8"]]
    assert all(line.count(" ± ") == 5 for line in lines[2:])


def test_observed_ranges_are_those_of_the_table(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    benchmark = module(monkeypatch, "observed_ranges")
    kept = [{"name": "b", "kind": "numeric", "domain": [0, 9]}, {"name": "c", "kind": "categorical"}]
    meta = {"rows": 3, "features": [{"name": "a", "kind": "numeric", "domain": [0, 9], "basis": "public"}, *kept]}
    own = benchmark.observed(meta, pd.DataFrame({"a": [1.5, 4.0, math.nan], "b": [2.0] * 3, "c": ["x"] * 3}))
    changed = {"name": "a", "kind": "numeric", "domain": [1.5, 4.0], "basis": "observed"}
    assert own == {"rows": 3, "features": [changed, *kept]}
    (tmp_path / "grid.toml").write_text(benchmark.GRID.format(tables=json.dumps(["yeast", "eeg"])))
    (tmp_path / "catalogue.json").write_text("{}")
    grid = load_grid(tmp_path / "grid.toml")
    assert (grid.tables, grid.catalogue) == (("yeast", "eeg"), tmp_path / "catalogue.json")
    assert {repr(s) for s in grid.settings()} <= {repr(s) for s in load_grid("paper").settings()}
