"""What a private search among settings is worth, beside settings that follow from public numbers.

    python benchmarks/private_search.py --data ../shared/data
    python benchmarks/private_search.py --data ../shared/data --learner forest

Every way to come by a model costs the same ε in all, δ = 0, but for the one that is NOT covered. A table is divided
into 70 % training rows and 30 % test rows, anew for each seed; all noise is simulated. Printed in Markdown are the
means of the test rows' Brier score (smaller is better) over the seeds, with their standard errors.

* ``default``: the learner as it is; for ``PrivateBoostingClassifier``, all settings follow from public numbers.
* ``drawn``: a setting of the grid, drawn at random. No search.
* ``search``: `PrivateSearchCV` as it is.
* ``each paid``: 15 % of ε are divided among all settings of the grid, by basic composition; the one of the best noisy
  score is trained with the rest.
* ``NOT covered``: every setting of the grid is fitted with the whole ε and scored without noise, and the best one is
  trained with the whole ε. What it releases costs far more than ε; it is shown because it is often done.
"""

from __future__ import annotations

import argparse
import warnings
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from sklearn.model_selection import ParameterGrid, train_test_split

from privboost import Domain, PrivateBoostingClassifier, PrivateForestClassifier, PrivateSearchCV
from privboost.data.datasets import load_table

TABLES = ("transfusion", "breastwisc", "banknote", "spambase", "magic")
EPSILONS = (0.5, 1.0, 4.0)
SHARE = 0.15

LEARNERS: dict[str, tuple[Callable[..., Any], dict[str, list[Any]]]] = {
    "boosting": (PrivateBoostingClassifier, {"n_rounds": [10, 30, 100], "max_depth": [2, 4, 6]}),
    "forest": (PrivateForestClassifier, {"n_trees": [5, 20, 80], "max_depth": [2, 5, 8]}),
}


class Rows(NamedTuple):
    """A divided table."""

    X: Any
    y: np.ndarray
    X_test: Any
    y_test: np.ndarray
    domain: Domain


class Task:
    """One learner on one division of a table, with one ε."""

    def __init__(self, learner: str, rows: Rows, epsilon: float, rng: np.random.Generator) -> None:
        self.make, self.grid = LEARNERS[learner]
        self.settings = list(ParameterGrid(self.grid))
        self.rows, self.epsilon, self.rng = rows, epsilon, rng

    def model(self, epsilon: float, **setting: Any) -> Any:
        """Return an unfitted learner."""
        return self.make(epsilon, domain=self.rows.domain, classes=[0, 1], random_state=self.rng, **setting)

    def fit(self, epsilon: float, **setting: Any) -> Any:
        """Train on all training rows."""
        return self.model(epsilon, **setting).fit(self.rows.X, self.rows.y)

    def default(self) -> Any:
        """Train the learner as it is."""
        return self.fit(self.epsilon)

    def drawn(self) -> Any:
        """Train a setting that was drawn."""
        return self.fit(self.epsilon, **self.settings[self.rng.integers(len(self.settings))])

    def search(self) -> Any:
        """Search privately."""
        estimator = self.model(1.0).set_params(random_state=None)
        search = PrivateSearchCV(estimator, self.grid, epsilon=self.epsilon, random_state=self.rng)
        return search.fit(self.rows.X, self.rows.y)

    def each_paid(self) -> Any:
        """Divide a part of the budget among all settings."""
        one = SHARE * self.epsilon / len(self.settings)
        return self.fit((1.0 - SHARE) * self.epsilon, **self.best(one, noise=1.0 / one))

    def not_covered(self) -> Any:
        """Tune as if scores cost nothing."""
        return self.fit(self.epsilon, **self.best(self.epsilon, noise=0.0))

    def best(self, epsilon: float, noise: float) -> dict[str, Any]:
        """Return the setting of the best score on held-out rows, with Laplace noise."""
        held_out = self.rng.random(len(self.rows.y)) < 0.2
        X, y = self.rows.X[~held_out], self.rows.y[~held_out]
        scored = self.rows.X[held_out], self.rows.y[held_out]
        scores = []
        for setting in self.settings:
            model = self.model(epsilon, **setting).fit(X, y)
            scores.append(-brier(model, *scored) * held_out.sum() + self.rng.laplace(0.0, noise))
        return self.settings[int(np.argmax(scores))]


WAYS: dict[str, Callable[[Task], Any]] = {
    "default": Task.default,
    "drawn": Task.drawn,
    "search": Task.search,
    "each paid": Task.each_paid,
    "NOT covered": Task.not_covered,
}


def brier(model: Any, X: Any, y: np.ndarray) -> float:
    return float(np.mean((model.predict_proba(X)[:, 1] - y) ** 2))


def run(data: Path, learner: str, table: str, epsilon: float, seed: int) -> list[float]:
    warnings.simplefilter("ignore")
    X, y, domain, _ = load_table(data, table)
    y = np.asarray(y)
    X, X_test, y, y_test = train_test_split(X, y, test_size=0.3, random_state=seed, stratify=y)
    rows = Rows(X.reset_index(drop=True), y, X_test, y_test, domain)
    rng = np.random.default_rng(zlib.crc32(f"{learner} {table} {epsilon} {seed}".encode()))
    return [brier(way(Task(learner, rows, epsilon, rng)), X_test, y_test) for way in WAYS.values()]


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="Folder with domains.json and its tables.")
    parser.add_argument("--tables", nargs="+", default=list(TABLES))
    parser.add_argument("--epsilons", nargs="+", type=float, default=list(EPSILONS))
    parser.add_argument("--learner", choices=LEARNERS, default="boosting")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args(arguments)
    print("| table | ε | " + " | ".join(WAYS) + " |\n|---|---|" + "---|" * len(WAYS))
    for table in args.tables:
        for epsilon in args.epsilons:
            todo = (delayed(run)(args.data, args.learner, table, epsilon, seed) for seed in range(args.seeds))
            found = np.array(Parallel(args.jobs)(todo))
            error = found.std(axis=0, ddof=1) / np.sqrt(len(found)) if len(found) > 1 else np.zeros(len(WAYS))
            cells = " | ".join(f"{m:.4f} ± {e:.4f}" for m, e in zip(found.mean(axis=0), error, strict=True))
            print(f"| {table} | {epsilon:g} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
