"""Much budget, and none: the boosting learner at epsilon 100 and without noise, beside LightGBM of the same size.

    python benchmarks/much_budget.py --data ../shared/data

Three of five folds; simulated noise. LightGBM, which has to be installed, gets as many trees, as deep, with the same
learning rate, on the library's public codes.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

from privboost import PrivateBoostingClassifier
from privboost.data.datasets import load_table
from privboost.data.encoding import Encoder

TABLES = ("adult", "magic", "creditcard")
N_FOLDS = 3


def row_of(data: Path, name: str) -> str:
    import lightgbm

    X, y, domain, _ = load_table(data, name)
    y = np.asarray(y)
    codes = Encoder(domain, 254).encode(X).T.astype(np.float64)
    found = []
    for fold, (train, test) in enumerate(StratifiedKFold(5, shuffle=True, random_state=0).split(y, y)):
        if fold == N_FOLDS:
            break
        shared = {"domain": domain, "classes": [0, 1], "random_state": fold}
        models = (
            PrivateBoostingClassifier(100.0, delta=1e-5, **shared),
            PrivateBoostingClassifier(privacy=None, **shared),
        )
        aucs = [roc_auc_score(y[test], m.fit(X.iloc[train], y[train]).decision_function(X.iloc[test])) for m in models]
        plan = models[1].plan_.settings
        other = lightgbm.LGBMClassifier(
            n_estimators=plan.n_trees,
            max_depth=plan.max_depth,
            num_leaves=2**plan.max_depth,
            learning_rate=plan.learning_rate,
            n_jobs=2,
            verbose=-1,
        )
        other.fit(codes[train], y[train])
        found.append([*aucs, roc_auc_score(y[test], other.predict_proba(codes[test])[:, 1])])
    size = f"{plan.n_trees}, {plan.max_depth}, {plan.learning_rate:g}"
    return f"| {name} | {size} | " + " | ".join(f"{auc:.4f}" for auc in np.mean(found, axis=0)) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    data = parser.parse_args().data
    warnings.simplefilter("ignore")
    print("| table | trees, depth, rate | ε = 100, δ = 1e-05 | no noise | LightGBM |")
    print("|---|---|---:|---:|---:|")
    for name in TABLES:
        print(row_of(data, name), flush=True)


if __name__ == "__main__":
    main()
