"""Many classes and regression: the boosting learners on raw targets, beside the same without noise and beside a peer.

    python benchmarks/classes_and_numbers.py --data ../shared/data

Two of five folds; simulated noise. The last column is scikit-learn's random forest of 300
trees, without privacy.
"""

from __future__ import annotations

import argparse
import json
import warnings
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.metrics import accuracy_score, log_loss, r2_score
from sklearn.model_selection import KFold, StratifiedKFold

from accuracy_peers import as_numbers
from privboost import Domain, PrivateBoostingClassifier, PrivateBoostingRegressor
from privboost.data.datasets import load_table

CLASSES = ("nursery", "cardiotocography", "yeast", "page", "covertype20k")
NUMBERS = {"abalone": (1.0, 29.0), "winewhite": (0.0, 10.0), "winered": (0.0, 10.0)}
BUDGETS: tuple[tuple[float | None, float], ...] = ((0.1, 1e-5), (1.0, 1e-5), (4.0, 1e-5), (1.0, 0.0), (None, 0.0))
N_FOLDS = 2


def raw(data: Path, name: str) -> tuple[pd.DataFrame, np.ndarray, Domain]:
    entry = json.loads((data / "domains.json").read_text())["datasets"][name]
    X, _, domain, _ = load_table(data, name)
    table = pd.read_csv(data / entry["file"], dtype=str, keep_default_na=False)
    return X, table[entry["target"]["name"]].to_numpy(), domain


def model_of(budget: tuple[float | None, float], seed: int, domain: Domain, target: dict[str, Any]) -> Any:
    kind = PrivateBoostingClassifier if "classes" in target else PrivateBoostingRegressor
    epsilon, delta = budget
    if epsilon is None:
        return kind(domain=domain, privacy=None, random_state=seed, **target)
    return kind(epsilon, delta=delta, domain=domain, random_state=seed, **target)


def row_of(data: Path, name: str) -> list[str]:
    X, y, domain = raw(data, name)
    numbers = name in NUMBERS
    y = y.astype(float) if numbers else y
    target = {"target_range": NUMBERS[name]} if numbers else {"classes": sorted(set(y))}
    splitter = KFold if numbers else StratifiedKFold
    folds = list(splitter(5, shuffle=True, random_state=0).split(y, y))[:N_FOLDS]
    cells = [name, str(len(y)), "–" if numbers else str(len(set(y)))]
    for budget in BUDGETS:
        found = []
        for fold, (train, test) in enumerate(folds):
            seed = zlib.crc32(f"{name} {fold} {budget}".encode())
            model = model_of(budget, seed, domain, target).fit(X.iloc[train], y[train])
            found.append(score(model, X.iloc[test], y[test]))
        cells.append(" / ".join(f"{v:.3f}" for v in np.mean(found, axis=0)))
    plain = as_numbers(X, domain)
    plain = np.nan_to_num(plain, nan=-1.0)
    peer = (RandomForestRegressor if numbers else RandomForestClassifier)(300, random_state=0)
    found = [score(peer.fit(plain[train], y[train]), plain[test], y[test]) for train, test in folds]
    return [*cells, " / ".join(f"{v:.3f}" for v in np.mean(found, axis=0))]


def score(model: Any, X: Any, y: np.ndarray) -> tuple[float, ...]:
    if not hasattr(model, "predict_proba"):
        return (float(r2_score(y, model.predict(X))),)
    loss = log_loss(y, model.predict_proba(X), labels=list(model.classes_))
    return float(accuracy_score(y, model.predict(X))), float(loss)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    data = parser.parse_args().data
    warnings.filterwarnings("ignore")
    names = [f"ε = {e:g}, δ = {d:g}" if e is not None else "no noise" for e, d in BUDGETS]
    print("Accuracy / log loss; R² where a number is predicted.\n")
    print("| table | rows | classes | " + " | ".join(names) + " | random forest |")
    print("|---|---:|---:|" + "---:|" * (len(names) + 1))
    for name in (*CLASSES, *NUMBERS):
        print("| " + " | ".join(row_of(data, name)) + " |", flush=True)


if __name__ == "__main__":
    main()
