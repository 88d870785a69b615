"""How the constants of the rule behind "auto" were chosen, and what the rule is worth on tables it was not chosen on.

    python benchmarks/auto_rule.py run --data ../shared/data --out out/auto-rule
    python benchmarks/auto_rule.py table --out out/auto-rule --peers ../shared/peers/results.csv

``run`` trains every variant of the rule on every table, epsilon and delta, in simulation, and writes one CSV file a
(variant, table); files that exist are skipped. ``table`` prints the recovered AUC of every variant and, as a
cross-validation over data sets, what each table gets from the variant that is best on all the others.
"""

from __future__ import annotations

import argparse
import math
import warnings
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

from accuracy import TABLES
from accuracy_table import NOT_PRIVATE
from privboost import PrivateBoostingClassifier
from privboost.data.datasets import load_table
from privboost.ensembles.auto import AutoRule, choose_settings
from privboost.ensembles.newton_plan import NewtonPlan, plan_newton
from privboost.estimators.training import PublicFacts

BASE = AutoRule()
VARIANTS: dict[str, AutoRule] = {
    "as it is": BASE,
    "reach 200": replace(BASE, reach=200.0),
    "reach 900": replace(BASE, reach=900.0),
    "depth 5": replace(BASE, gaussian_depth=((0.0, 5),), laplace_depth=5),
    "all attributes": replace(BASE, gaussian_attributes=0),
    "2 attributes": replace(BASE, gaussian_attributes=2, laplace_attributes=2),
    "half the rate": replace(BASE, learning_rate=BASE.learning_rate / 2),
    "shrinkage 5": replace(BASE, gaussian_shrinkage=5.0, laplace_shrinkage=1.7),
    "fewer rounds": replace(BASE, gaussian_rounds=((0.0, 150),), laplace_rounds=0.25, adaptive_rounds=0.15),
    "more rounds": replace(BASE, gaussian_rounds=((0.0, 600),), laplace_rounds=1.0, adaptive_rounds=0.6),
    "all drawn": replace(BASE, gaussian_selects=math.inf),
    "selected from half": replace(BASE, gaussian_selects=400.0),
    "a third of the tests": replace(BASE, gaussian_tests=10),
    "twice the selected rounds": replace(BASE, gaussian_selected_rounds=((0.0, 200),)),
    "Gaussian where smaller": replace(BASE, gaussian_room=1.0),
    "Gaussian up to twice": replace(BASE, gaussian_room=2.0),
    "never adaptive": replace(BASE, laplace_adapts=math.inf),
    "adaptive from a third": replace(BASE, laplace_adapts=1000.0),
    "adaptive from thrice": replace(BASE, laplace_adapts=9000.0),
    "half the adaptive rate": replace(BASE, adaptive_rate=BASE.adaptive_rate / 2),
    "gradients up to 0.6": replace(BASE, gradient_clip=0.6),
    "gradients up to 0.8": replace(BASE, gradient_clip=0.8),
    "whole gradients": replace(BASE, gradient_clip=1.0, reach=430.0),
    "half the adaptive shrinkage": replace(BASE, adaptive_shrinkage=BASE.adaptive_shrinkage / 2),
    "whole curvature": replace(
        BASE,
        gaussian_kappa=((0.0, 1.0),),
        laplace_kappa=((0.0, 0.3),),
        selected_rate=0.25,
        gaussian_selected_path=((0.0, 25.0),),
    ),
    "half the curvature": replace(
        BASE, gaussian_kappa=tuple((s, k / 2) for s, k in BASE.gaussian_kappa), laplace_kappa=((0.0, 0.05),)
    ),
}
EPSILONS = (0.01, 0.1, 1.0)
DELTAS = (0.0, 1e-5)


class Variant(PrivateBoostingClassifier):
    """The learner under another rule."""

    rule = BASE

    def _plan(self, facts: PublicFacts) -> NewtonPlan:
        newton = self._newton_facts(facts)
        settings, reasons = choose_settings(newton, self._given(), self.rule)
        return plan_newton(settings, newton, reasons)


def evaluate(data: Path, out: Path, name: str, table: str, epsilons: list[float], deltas: list[float]) -> None:
    path = out / f"{name.replace(' ', '-')}_{table}.csv"
    if path.exists():
        return
    warnings.filterwarnings("ignore")
    X, y, domain, _ = load_table(data, table)
    y = np.asarray(y)
    rows = []
    folds = StratifiedKFold(5, shuffle=True, random_state=0).split(y, y)
    for fold, (train, test) in enumerate(folds):
        if fold >= (2 if len(y) > 10_000 else 3):
            break
        for epsilon in epsilons:
            for delta in deltas:
                # Small budgets on small tables are nearly all noise: more draws of it.
                for draw in range(2 if len(y) <= 10_000 and epsilon < 0.5 else 1):
                    seed = zlib.crc32(f"{table} {fold} {epsilon} {delta} {draw}".encode())
                    model = Variant(epsilon, delta=delta, domain=domain, classes=[0, 1], random_state=seed)
                    model.rule = VARIANTS[name]
                    model.fit(X.iloc[train], y[train])
                    auc = roc_auc_score(y[test], model.decision_function(X.iloc[test]))
                    rows.append((name, table, epsilon, delta, fold, draw, auc))
    frame = pd.DataFrame(rows, columns=["variant", "table", "epsilon", "delta", "fold", "draw", "auc"])
    partial = path.with_suffix(".partial")
    frame.to_csv(partial, index=False)
    partial.replace(path)


def run(data: Path, out: Path, jobs: int, variants: list[str], epsilons: list[float], deltas: list[float]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    Parallel(jobs)(delayed(evaluate)(data, out, name, table, epsilons, deltas) for table in TABLES for name in variants)


def table(out: Path, peers: Path) -> None:
    results = pd.concat(map(pd.read_csv, sorted(out.glob("*.csv"))))
    other = pd.read_csv(peers)
    ceiling = other[other.peer.isin(NOT_PRIVATE)].groupby(["dataset", "peer"]).auc.mean().groupby("dataset").max()
    results["recovered"] = (results.auc - 0.5) / (results.table.map(ceiling) - 0.5)
    means = results.groupby(["delta", "epsilon", "variant", "table"]).recovered.mean().unstack()
    names = [name for name in VARIANTS if name in set(results.variant)]
    print("| delta | epsilon | " + " | ".join(names) + " | chosen without the table |")
    print("|---|---|" + "---|" * (len(names) + 1))
    for (delta, epsilon), part in means.groupby(level=[0, 1]):
        scores = part.droplevel([0, 1]).loc[names]
        unseen = [scores.at[scores.drop(columns=t).mean(axis=1).idxmax(), t] for t in scores.columns]
        cells = " | ".join(f"{v:.3f}" for v in scores.mean(axis=1))
        print(f"| {delta:g} | {epsilon:g} | {cells} | {np.mean(unseen):.3f} |")
    print()
    # One variant for every epsilon and delta, as the library has.
    overall = means.groupby(level="variant").mean()
    chosen = {t: overall.drop(columns=t).mean(axis=1).idxmax() for t in overall.columns}
    print("| delta | epsilon | one rule, chosen without the table |\n|---|---|---|")
    for (delta, epsilon), part in means.groupby(level=[0, 1]):
        scores = part.droplevel([0, 1])
        print(f"| {delta:g} | {epsilon:g} | {np.mean([scores.at[chosen[t], t] for t in chosen]):.3f} |")
    print("\nChosen: " + ", ".join(f"{t}: {name}" for t, name in chosen.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    train = commands.add_parser("run")
    train.add_argument("--data", type=Path, required=True)
    train.add_argument("--out", type=Path, required=True)
    train.add_argument("--jobs", type=int, default=2)
    train.add_argument("--variants", nargs="+", choices=VARIANTS, default=list(VARIANTS))
    train.add_argument("--epsilons", nargs="+", type=float, default=EPSILONS)
    train.add_argument("--deltas", nargs="+", type=float, default=DELTAS)
    show = commands.add_parser("table")
    show.add_argument("--out", type=Path, required=True)
    show.add_argument("--peers", type=Path, required=True)
    arguments = parser.parse_args()
    if arguments.command == "run":
        run(arguments.data, arguments.out, arguments.jobs, arguments.variants, arguments.epsilons, arguments.deltas)
    else:
        table(arguments.out, arguments.peers)


if __name__ == "__main__":
    main()
