"""Accuracy of the product's learner on real tables, under one protocol, beside other systems.

    python benchmarks/accuracy.py run --data ../shared/data --out out/accuracy
    python benchmarks/accuracy.py peers --data ../shared/data --out out/accuracy
    python benchmarks/accuracy.py table --out out/accuracy --peers ../shared/peers/results.csv

``run`` fits a learner at every budget on every fold, in simulation, and writes one CSV file a (table, seed, fold);
what a file already holds is not fitted again, so it can be stopped, started again and extended. ``peers`` does the same
with learners of other packages that are installed. ``table`` prints, in Markdown, the AUC beside that of the peers, of
the two commands above or from a file of results, and beside a ceiling without privacy.

The protocol: stratified 5-fold cross-validation, shuffled by a seed, rows in file order; seeds 0 to 2 for tables below
10,000 rows, seed 0 above; bounds and categories from the catalogue. One row a fit: dataset, learner, eps, delta, fold,
seed, accuracy, auc, log_loss, brier, ece (ten equal bins of the positive probability), fit_s (wall seconds of ``fit``;
the first one in a process loads compiled code too).
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import time
import warnings
import zlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score
from sklearn.model_selection import StratifiedKFold

from accuracy_peers import CEILINGS, PEERS, Make, require
from accuracy_table import print_tables
from privboost import Domain, PrivateForestClassifier
from privboost.data.datasets import load_table
from privboost.errors import PrivacyWarning
from privboost.estimators.progress import progress_bar

N_FOLDS = 5
N_BINS = 10
LARGE = 10_000
TABLES = (
    "transfusion",
    "ionosphere",
    "banknote",
    "qsar",
    "cardiotocography",
    "abalone",
    "winewhite",
    "page",
    "breastwisc",
    "eeg",
    "magic",
    "creditcard",
    "adult",
)
EPSILONS = (0.01, 0.1, 0.5, 1.0, 2.0, 4.0, 8.0)
DELTAS = (0.0, 1e-5)
KEY = ["learner", "eps", "delta"]
COLUMNS = ["dataset", *KEY, "fold", "seed", "accuracy", "auc", "log_loss", "brier", "ece", "fit_s"]


def make_auto(domain: Domain, epsilon: float, delta: float, seed: int) -> Any:
    from privboost import PrivateBoostingClassifier

    return PrivateBoostingClassifier(epsilon=epsilon, delta=delta, domain=domain, classes=[0, 1], random_state=seed)


def make_forest(domain: Domain, epsilon: float, delta: float, seed: int) -> Any:
    return PrivateForestClassifier(epsilon=epsilon, leaf="soft", domain=domain, classes=[0, 1], random_state=seed)


class Learner(NamedTuple):
    """What one name on the command line stands for.

    Attributes
    ----------
    variants : dict of str to callable
        Name in the column ``learner``, and the function of (domain, epsilon, delta, seed) that makes it, not fitted.
    spends : {"any", "pure", "approximate", "nothing"}
        Budgets it can be fitted at: all, those with delta 0, those with delta above 0; or none, as it is not private.
    """

    variants: dict[str, Make]
    spends: str

    def budgets(self, epsilons: Iterable[float], deltas: Iterable[float]) -> list[tuple[float, float]]:
        """Return the pairs (epsilon, delta) that it can spend."""
        if self.spends == "nothing":
            return [(math.inf, 0.0)]
        possible = {"any": deltas, "pure": [d for d in deltas if d == 0], "approximate": [d for d in deltas if d > 0]}
        return list(itertools.product(epsilons, possible[self.spends]))


LEARNERS = {
    "auto": Learner({"auto": make_auto}, "any"),
    "forest": Learner({"forest": make_forest}, "pure"),
    **{name: Learner(variants, "nothing") for name, variants in CEILINGS.items()},
}
LIVE = {name: Learner({name: make}, spends) for name, (make, spends) in PEERS.items()}


class Task(NamedTuple):
    """One file of results: a learner on one fold of one table."""

    data: Path
    out: Path
    learner: str
    table: str
    seed: int
    fold: int

    @property
    def path(self) -> Path:
        """Where its rows are."""
        return self.out / self.learner / f"{self.table}-{self.seed}-{self.fold}.csv"


def calibration_error(y: np.ndarray, positive: np.ndarray) -> float:
    """Return the mean over rows of |share of positives - mean probability| in the row's bin of the probability."""
    bins = np.clip((positive * N_BINS).astype(int), 0, N_BINS - 1)
    return float(np.abs(np.bincount(bins, y - positive)).sum() / len(y))


def scores(y: np.ndarray, labels: np.ndarray, positive: np.ndarray) -> dict[str, float]:
    return {
        "accuracy": float((labels == y).mean()),
        "auc": float(roc_auc_score(y, positive)),
        "log_loss": float(log_loss(y, positive, labels=[0, 1])),
        "brier": float(brier_score_loss(y, positive)),
        "ece": calibration_error(y, positive),
    }


def split(y: np.ndarray, seed: int, fold: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the training rows and the test rows of a fold."""
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed).split(np.zeros(len(y)), y)
    return list(folds)[fold]


def noise_seed(task: Task, epsilon: float, delta: float) -> int:
    key = f"{task.table} {task.seed} {task.fold} {epsilon!r} {delta!r}"
    return zlib.crc32(key.encode()) & 0x7FFFFFFF


def fit_once(model: Any, X: Any, y: np.ndarray, train: np.ndarray, test: np.ndarray) -> dict[str, float]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PrivacyWarning)
        warnings.filterwarnings("ignore", message="Privacy violation: using a fixed random_state")
        start = time.perf_counter()
        model.fit(X.iloc[train], y[train])
        seconds = time.perf_counter() - start
    unseen = X.iloc[test]
    return scores(y[test], model.predict(unseen), model.predict_proba(unseen)[:, 1]) | {"fit_s": seconds}


def run_task(task: Task, epsilons: Sequence[float], deltas: Sequence[float]) -> int:
    """Fit what the task's file lacks, write it, and return the number of fits."""
    learner = (LEARNERS | LIVE)[task.learner]
    known = pd.read_csv(task.path) if task.path.exists() else pd.DataFrame(columns=COLUMNS)
    have = set(known[KEY].itertuples(index=False, name=None))
    wanted = [(name, *budget) for name in learner.variants for budget in learner.budgets(epsilons, deltas)]
    missing = [key for key in wanted if key not in have]
    if not missing:
        return 0
    X, y, domain = load_table(task.data, task.table)[:3]
    train, test = split(y, task.seed, task.fold)
    rows = []
    for name, epsilon, delta in missing:
        model = learner.variants[name](domain, epsilon, delta, noise_seed(task, epsilon, delta))
        row = {"dataset": task.table, "learner": name, "eps": epsilon, "delta": delta}
        rows.append(row | {"fold": task.fold, "seed": task.seed} | fit_once(model, X, y, train, test))
    found = pd.DataFrame(rows, columns=COLUMNS)
    write(pd.concat([known, found]) if len(known) else found, task.path)
    return len(rows)


def write(frame: pd.DataFrame, path: Path) -> None:
    """Put a whole file in place at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(f".{os.getpid()}.part")
    frame.sort_values(KEY).to_csv(partial, index=False)
    partial.rename(path)


def tasks_of(args: argparse.Namespace, learners: Iterable[str]) -> list[Task]:
    """Return the files to make, those of large tables first."""
    entries = json.loads((args.data / "domains.json").read_text(encoding="utf-8"))["datasets"]
    names = list(entries) if args.tables == ["all"] else args.tables
    unknown = [name for name in names if name not in entries]
    if unknown:
        raise SystemExit(f"{unknown[0]!r} is not in the catalogue, which has: {' '.join(entries)}")
    tasks = []
    for name in sorted(names, key=lambda name: -entries[name]["rows"] * entries[name]["n_features"]):
        repeats = args.repeats or (1 if entries[name]["rows"] >= LARGE else 3)
        grid = itertools.product(learners, range(repeats), range(args.folds))
        tasks += [Task(args.data, args.out, learner, name, seed, fold) for learner, seed, fold in grid]
    return tasks


def run_all(args: argparse.Namespace, learners: Sequence[str]) -> None:
    for learner in learners:
        require(learner)
    tasks = tasks_of(args, learners)
    results = Parallel(n_jobs=args.jobs, return_as="generator_unordered")(
        delayed(run_task)(task, args.epsilons, args.deltas) for task in tasks
    )
    n_fits = 0
    with progress_bar(len(tasks)) as advance:
        for n in results:
            n_fits += n
            advance()
    print(f"{n_fits} fits; {len(tasks)} files in {args.out}")


def run(args: argparse.Namespace) -> None:
    run_all(args, args.learner)


def peers(args: argparse.Namespace) -> None:
    run_all(args, args.systems)


def table(args: argparse.Namespace) -> None:
    print_tables(args.out, args.peers, args.learner, list(LIVE), [v for group in CEILINGS.values() for v in group])


def whole(low: int, high: int) -> Callable[[str], int]:
    """Return a parser of whole numbers from `low` to `high`."""

    def number(text: str) -> int:
        if not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{text} is not from {low} to {high}")
        return int(text)

    return number


def add_protocol(command: argparse.ArgumentParser) -> None:
    command.add_argument("--data", type=Path, required=True, help="folder of the tables and their catalogue")
    command.add_argument("--tables", nargs="+", default=list(TABLES), help="names, or: all")
    command.add_argument("--epsilons", nargs="+", type=float, default=list(EPSILONS))
    command.add_argument("--deltas", nargs="+", type=float, default=list(DELTAS))
    command.add_argument("--folds", type=whole(1, N_FOLDS), default=N_FOLDS, help="how many of the 5 folds to run")
    command.add_argument(
        "--repeats",
        type=lambda text: 0 if text == "auto" else whole(1, 1000)(text),
        default=0,
        help="seeds a table; auto: 3 below 10,000 rows, else 1",
    )
    command.add_argument("--jobs", type=int, default=2)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for function in (run, peers, table):
        command = commands.add_parser(function.__name__)
        command.set_defaults(function=function)
        command.add_argument("--out", type=Path, required=True, help="folder of the results")
        if function is table:
            command.add_argument("--peers", type=Path, help="CSV file of results of other systems")
            command.add_argument("--learner", default="auto", choices=["auto", "forest"], help="whose figures to print")
            continue
        add_protocol(command)
        if function is run:
            command.add_argument("--learner", nargs="+", default=["auto"], choices=list(LEARNERS))
        else:
            command.add_argument("--systems", nargs="+", default=list(LIVE), choices=list(LIVE))
    args = parser.parse_args(arguments)
    args.function(args)


if __name__ == "__main__":
    main()
