"""What it costs a model that its domain was learnt from the same rows, out of one budget of ε = 1, δ = 1e-6.

    python benchmarks/learnt_domains.py --data ../shared/data
    python benchmarks/learnt_domains.py --data ../shared/data --delta 0     # pure; bounds only

For each table and each ε of the domain, `learn_domain` learns the bounds alone (categories declared) or everything, and
`PrivateBoostingClassifier` is trained with the rest of ε; each gets half of δ. Printed, in Markdown:
the mean test AUC over splits and seeds with the declared domain at the whole budget; the mean differences from it, with
the standard error of the last one; and, for comparison, what the smaller budget alone would cost, with the declared
domain. Kinds (whole numbers or not) are taken to be public.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split

from privboost import Domain, Numeric, PrivateBoostingClassifier, learn_domain
from privboost.data.datasets import load_table
from privboost.errors import PrivacyWarning

TABLES = ("adult", "bankmarketing", "compas", "magic", "page", "spambase", "winewhite", "transfusion")
EPSILONS = (0.05, 0.1, 0.5)
TOTAL = 1.0


def auc_of(split: Any, domain: Domain, epsilon: float, delta: float, seed: int) -> float:
    X_train, X_test, y_train, y_test = split
    model = PrivateBoostingClassifier(epsilon=epsilon, delta=delta, domain=domain, classes=[0, 1], random_state=seed)
    model.fit(X_train, y_train)
    return float(roc_auc_score(y_test, model.predict_proba(X_test)[:, 1]))


def unknown(domain: Domain, everything: bool) -> dict[str, Any]:
    """Return what is to be learnt, and what is declared."""
    kinds: dict[str, Any] = {}
    for name, attribute in domain.items():
        if isinstance(attribute, Numeric):
            kinds[name] = "integer" if attribute.integer else "numeric"
        else:
            kinds[name] = "categorical" if everything and attribute.kind == "categorical" else attribute
    return kinds


def learnt_auc(split: Any, domain: Domain, epsilon: float, delta: float, everything: bool, seed: int) -> float:
    kinds = unknown(domain, everything)
    rng = np.random.default_rng([seed, 1])
    learnt = learn_domain(split[0], epsilon, delta / 2, attributes=kinds, random_state=rng).domain
    return auc_of(split, learnt, TOTAL - epsilon, delta / 2, seed)


def measure(data: Path, name: str, epsilons: list[float], delta: float, seeds: int) -> list[str]:
    X, y, domain, _ = load_table(data, name)
    categorical = delta > 0.0 and any(attribute.kind == "categorical" for attribute in domain.attributes)
    found: dict[tuple[str, float], list[float]] = {}
    for seed in range(seeds):
        split = train_test_split(X, y, test_size=0.4, random_state=seed, stratify=y)
        found.setdefault(("declared", TOTAL), []).append(auc_of(split, domain, TOTAL, delta, seed))
        for epsilon in epsilons:
            found.setdefault(("rest", epsilon), []).append(auc_of(split, domain, TOTAL - epsilon, delta, seed))
            found.setdefault(("bounds", epsilon), []).append(learnt_auc(split, domain, epsilon, delta, False, seed))
            if categorical:
                found.setdefault(("all", epsilon), []).append(learnt_auc(split, domain, epsilon, delta, True, seed))
    base = np.array(found["declared", TOTAL])
    rows = []
    for epsilon in epsilons:
        cells = [name, str(int(0.6 * len(y))), str(len(domain)), f"{base.mean():.4f}", f"{epsilon:g}"]
        for kind in ("rest", "bounds", "all"):
            differences = np.array(found.get((kind, epsilon), [np.nan])) - base
            error = f" ± {differences.std(ddof=1) / np.sqrt(seeds):.4f}" if seeds > 1 else ""
            cells.append("–" if np.isnan(differences).any() else f"{differences.mean():+.4f}{error}")
        rows.append("| " + " | ".join(cells) + " |")
    return rows


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="Folder with domains.json and its tables.")
    parser.add_argument("--tables", nargs="+", default=list(TABLES))
    parser.add_argument("--epsilons", nargs="+", type=float, default=list(EPSILONS))
    parser.add_argument("--delta", type=float, default=1e-6, help="Of model and domain together.")
    parser.add_argument("--seeds", type=int, default=5)
    args = parser.parse_args(arguments)
    warnings.simplefilter("ignore", PrivacyWarning)
    print("| table | rows | columns | declared, ε = 1 | ε of domain | declared, rest | bounds learnt | all learnt |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for name in args.tables:
        print("\n".join(measure(args.data, name, args.epsilons, args.delta, args.seeds)), flush=True)


if __name__ == "__main__":
    main()
