"""How far paid figures lie from the exact ones, and how the number of bins was chosen.

    python benchmarks/private_evaluation.py figures --data ../shared/data
    python benchmarks/private_evaluation.py bins --data ../shared/data

A model is trained on 60 % of a table at ε = 1, δ = 1e-6, in simulation, and evaluated on the rest. ``figures`` does so
with `evaluate_private`, over seeds of its noise, and prints in Markdown the exact figure, the root of the mean squared
distance of the released ones from it, the error that the reports state (median), half of the tied pairs, which bounds
what the bins hide of the AUC (median), and how often a figure was given.
``bins`` prints the median absolute distance of the AUC, by number and kind of bins.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score
from sklearn.model_selection import train_test_split

from privboost import PrivateBoostingClassifier, evaluate_private
from privboost.data.datasets import load_table
from privboost.errors import PrivacyWarning
from privboost.evaluation.figures import area_under_curve
from privboost.evaluation.plan import bins_for
from privboost.evaluation.tables import angle_edges, bin_of

TABLES = ("adult", "page", "transfusion")
BIN_TABLES = ("adult", "magic", "page", "creditfraud5k", "transfusion")
EPSILONS = (0.1, 1.0)
BINS = (8, 16, 24, 32, 48, 64)

Edges = Callable[[int], np.ndarray]

KINDS: dict[str, Edges] = {
    "equal": lambda n: np.linspace(0.0, 1.0, n + 1),
    "angle": angle_edges,
    "logit to ±6": lambda n: 1.0 / (1.0 + np.exp(-np.linspace(-6.0, 6.0, n + 1))),
}


class Tested(NamedTuple):
    """A model, and the rows that it is evaluated on."""

    model: Any
    X: Any
    y: np.ndarray
    positive: np.ndarray


def prepare(data: Path, name: str) -> Tested:
    X, y, domain, _ = load_table(data, name)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.4, random_state=0, stratify=y)
    model = PrivateBoostingClassifier(epsilon=1.0, delta=1e-6, domain=domain, classes=[0, 1], random_state=0)
    model.fit(X_train, y_train)
    return Tested(model, X_test, y_test, model.predict_proba(X_test)[:, 1])


def exact_figures(tested: Tested) -> dict[str, float]:
    y, positive = tested.y, tested.positive
    return {
        "accuracy": float(((positive > 0.5) == y).mean()),
        "auc": float(roc_auc_score(y, positive)),
        "brier": float(brier_score_loss(y, positive)),
        "log_loss": float(log_loss(y, positive)),
    }


def print_figures(data: Path, names: list[str], seeds: int) -> None:
    print("| table | test rows | ε | bins | figure | exact | distance | stated error | bins hide at most | given |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name in names:
        tested = prepare(data, name)
        exact = exact_figures(tested)
        for epsilon in EPSILONS:
            reports = [
                evaluate_private(tested.model, tested.X, tested.y, epsilon=epsilon, random_state=seed)
                for seed in range(seeds)
            ]
            for figure, value in exact.items():
                found = [report.figures[figure] for report in reports]
                given = [f for f in found if f is not None]
                distance = np.sqrt(np.mean([(f.value - value) ** 2 for f in given])) if given else np.nan
                stated = np.median([f.noise_error for f in given]) if given else np.nan
                ties = [report.figures["tied_pairs"] for report in reports] if figure == "auc" else []
                hidden = [0.5 * f.value for f in ties if f is not None]
                most = f"{np.median(hidden):.4f}" if hidden else ""
                print(
                    f"| {name} | {len(tested.y)} | {epsilon:g} | {reports[0].n_bins} | {figure} | {value:.4f} "
                    f"| {distance:.4f} | {stated:.4f} | {most} | {len(given) / seeds:.0%} |"
                )


def print_bins(data: Path, names: list[str], seeds: int) -> None:
    print("| table | ε | n·ε | rule | bins | " + " | ".join(map(str, BINS)) + " |")
    print("|---|---|---|---|---|" + "---|" * len(BINS))
    for name in names:
        tested = prepare(data, name)
        exact = float(roc_auc_score(tested.y, tested.positive))
        for epsilon in EPSILONS:
            rows = len(tested.y) * epsilon
            for kind, edges in KINDS.items():
                distances = [distance(tested, exact, edges(n), 1.0 / epsilon, seeds) for n in BINS]
                cells = " | ".join(f"{d:.4f}" for d in distances)
                print(f"| {name} | {epsilon:g} | {rows:.0f} | {bins_for(rows)} | {kind} | {cells} |")


def distance(tested: Tested, exact: float, edges: np.ndarray, scale: float, seeds: int) -> float:
    """Return the median absolute distance of the AUC; one that is not given counts as 1/2."""
    table = np.zeros((len(edges) - 1, 2))
    np.add.at(table, (bin_of(tested.positive, edges), tested.y), 1.0)
    rng = np.random.default_rng(0)
    found = [area_under_curve(table + rng.laplace(0.0, scale, table.shape), 2.0 * scale**2) for _ in range(seeds)]
    return float(np.median([abs((0.5 if f is None else f.value) - exact) for f in found]))


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["figures", "bins"])
    parser.add_argument("--data", type=Path, required=True, help="Folder with domains.json and its tables.")
    parser.add_argument("--tables", nargs="+")
    parser.add_argument("--seeds", type=int, default=200)
    args = parser.parse_args(arguments)
    warnings.simplefilter("ignore", PrivacyWarning)
    if args.what == "figures":
        print_figures(args.data, args.tables or list(TABLES), args.seeds)
    else:
        print_bins(args.data, args.tables or list(BIN_TABLES), args.seeds)


if __name__ == "__main__":
    main()
