"""Best test error of the paper's learner on its 19 tables, for each arm, epsilon and alpha.

    python benchmarks/paper_table.py run --data ../shared/data --out out/paper-table
    python benchmarks/paper_table.py table --out out/paper-table

``run`` trains every setting on every fold in simulation and writes one CSV file a (table, fold); it skips the files
that exist, so it can be stopped and started again. ``table`` prints, for each arm, epsilon and alpha, the mean over
tables of the smallest mean test error over (trees, depth, split share), in Markdown.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.model_selection import StratifiedKFold

from privboost.data.datasets import load_table
from privboost.data.encoding import CodeLayout, Encoder
from privboost.ensembles.ensemble import Ensemble
from privboost.ensembles.plan import BoostingSettings, plan_boosting
from privboost.ensembles.simulated import train_simulated
from privboost.estimators.bdpe import PAPER_CHOICES
from privboost.privacy.relation import PrivacyUnit
from privboost.trees.splitting import candidate_splits

GAP_ARMS: dict[str, dict[str, Any]] = {f"gap {gap:g}": {"calibration_gap": gap} for gap in (1.0, 0.3, 0.1, 0.03)}
"""What ``--gaps`` compares instead: the expected gap of objective calibration."""

N_FOLDS = 10
TREES = (2, 5, 10, 20)
DEPTHS = (1, 2, 3, 4, 5, 6)
SHARES = (0.1, 0.5, 0.9)
EPSILONS = (0.1, 1.0, 10.0)
ALPHAS: dict[str, float | None] = {"O.C": None, "0.1": 0.1, "1": 1.0}
ARMS: dict[str, dict[str, Any]] = {"tight": {}, "paper": dict(PAPER_CHOICES)}


def settings_of(arm: str, alpha: str, n_trees: int, depth: int, share: float) -> BoostingSettings:
    fixed = ALPHAS[alpha]
    return BoostingSettings(
        n_trees=n_trees,
        max_depth=depth,
        split_share=share,
        alpha=fixed,
        combination_alpha=fixed or 1.0,
        **(ARMS | GAP_ARMS)[arm],
    )


def fitted_cell(
    train: tuple[np.ndarray, np.ndarray],
    layout: CodeLayout,
    candidates: Any,
    settings: BoostingSettings,
    epsilon: float | None,
    seed: int | list[int],
) -> Ensemble:
    """Return the ensemble of one cell of the study: planned and trained in simulation, on codes."""
    codes, labels = train
    plan = plan_boosting(
        settings,
        epsilon=epsilon,
        unit=PrivacyUnit(),
        n_rows=codes.shape[1],
        n_candidates=len(candidates),
        n_outputs=1,
    )
    return train_simulated(plan, candidates, layout, codes, labels, np.random.default_rng(seed))


def test_error(
    train: tuple[np.ndarray, np.ndarray],
    test: tuple[np.ndarray, np.ndarray],
    layout: CodeLayout,
    candidates: Any,
    settings: BoostingSettings,
    epsilon: float | None,
    seed: list[int],
) -> float:
    ensemble = fitted_cell(train, layout, candidates, settings, epsilon, seed)
    return float(((ensemble.decision(test[0]) > 0) != test[1]).mean())


def run_fold(
    data: Path, name: str, fold: int, out: Path, n_bins: int, epsilons: tuple[float | None, ...], gaps: bool
) -> None:
    path = out / f"{name}-{fold}.csv"
    if path.exists():
        return
    X, y, domain = load_table(data, name)[:3]
    encoder = Encoder(domain, n_bins)
    codes, labels = encoder.encode(X), np.asarray(y, np.int16)
    train, test = list(StratifiedKFold(N_FOLDS, shuffle=True, random_state=0).split(np.zeros(len(y)), y))[fold]
    split = [(np.ascontiguousarray(codes[:, rows]), labels[rows]) for rows in (train, test)]
    candidates = candidate_splits(encoder.layout)
    rows = []
    grid = itertools.product(epsilons, GAP_ARMS if gaps else ARMS, ["O.C"] if gaps else ALPHAS, TREES, DEPTHS, SHARES)
    for k, (epsilon, arm, alpha, n_trees, depth, share) in enumerate(grid):
        if epsilon is None and (arm, share) != ("tight", 0.5):
            continue  # without noise neither plays a part
        settings = settings_of(arm, alpha, n_trees, depth, share)
        seed = [zlib.crc32(name.encode()), fold, k]
        error = test_error(split[0], split[1], encoder.layout, candidates, settings, epsilon, seed)
        rows.append((name, fold, epsilon, arm, alpha, n_trees, depth, share, error))
    columns = ["table", "fold", "epsilon", "arm", "alpha", "n_trees", "depth", "share", "error"]
    partial = path.with_suffix(".part")
    pd.DataFrame(rows, columns=columns).to_csv(partial, index=False)
    partial.rename(path)


def paper_tables(data: Path) -> list[str]:
    entries = json.loads((data / "domains.json").read_text())["datasets"]
    names = [name for name, entry in entries.items() if entry["group"] == "paper"]
    return sorted(names, key=lambda name: -entries[name]["rows"] * entries[name]["n_features"])


def run(args: argparse.Namespace) -> None:
    args.out.mkdir(parents=True, exist_ok=True)
    epsilons: tuple[float | None, ...] = (None,) if args.noise_free else EPSILONS
    names = args.only or paper_tables(args.data)
    tasks = [(name, fold) for name in names for fold in range(args.folds)]
    start = time.perf_counter()
    results = Parallel(n_jobs=args.jobs, return_as="generator_unordered")(
        delayed(run_fold)(args.data, name, fold, args.out, args.bins, epsilons, args.gaps) for name, fold in tasks
    )
    for done, _ in enumerate(results, 1):
        print(f"{done}/{len(tasks)} folds, {time.perf_counter() - start:.0f} s", flush=True)


def table(args: argparse.Namespace) -> None:
    results = pd.concat(pd.read_csv(path) for path in sorted(args.out.glob("*.csv")))
    results["epsilon"] = results["epsilon"].fillna(np.inf)
    counts = results.groupby("table")["fold"].nunique()
    print(f"{len(counts)} tables, {counts.min()} to {counts.max()} folds, {len(results)} ensembles\n")
    setting = ["n_trees", "depth", "share"]
    key = ["arm", "alpha", "epsilon", "table"]
    mean = results.groupby([*key, *setting])["error"].mean()
    best = mean.groupby(level=key).min()
    summary = best.groupby(level=["arm", "alpha", "epsilon"]).agg(["mean", "sem"])
    shown = summary.apply(lambda row: f"{row['mean']:.4f}", axis=1).unstack("epsilon")
    print("| arm | alpha | " + " | ".join(f"{e:g}" for e in shown.columns) + " |")
    print("|---|---|" + "---|" * shown.shape[1])
    for (arm, alpha), row in shown.iterrows():
        print(f"| {arm} | {alpha} | " + " | ".join(str(v) for v in row) + " |")
    at_20 = mean.xs(20, level="n_trees").groupby(level=["arm", "alpha", "epsilon"]).mean().unstack("epsilon")
    print("\nMean over all settings at 20 trees:\n")
    print(at_20.round(4).to_string())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for name, function in (("run", run), ("table", table)):
        command = commands.add_parser(name)
        command.set_defaults(function=function)
        command.add_argument("--out", type=Path, required=True)
        if name == "run":
            command.add_argument("--data", type=Path, required=True)
            command.add_argument("--jobs", type=int, default=2)
            command.add_argument("--folds", type=int, default=N_FOLDS)
            command.add_argument("--bins", type=int, default=10)
            command.add_argument("--noise-free", action="store_true")
            command.add_argument("--gaps", action="store_true")
            command.add_argument("--only", nargs="*")
    args = parser.parse_args()
    args.function(args)


if __name__ == "__main__":
    main()
