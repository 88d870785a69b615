"""Two private models of scikit-learn's breast-cancer table, next to the same learners without privacy.

Run ``make demo``, or ``python examples/breast_cancer.py [folder for the model files]``. Nothing is downloaded.

The table is small (569 rows, 398 of them for training) and ``epsilon=1`` is a strong guarantee, so the budget is
divided among few releases: five shallow trees for the boosted learner. The forest's tests are drawn blindly from wide
public ranges, and many of them send all rows to one side: its trees are deep instead. Both settings were found by
trying a few on this very table, which is public. With private rows each such try would spend budget of its own.
"""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from typing import Any

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from privboost import BDPEClassifier, Domain, PrivateForestClassifier, load
from privboost.privacy import split_bars, verify_statement

EPSILON = 1.0
DOMAIN = Path(__file__).with_name("breast_cancer.toml")
# For each model file: the learner, its settings, and what it would rather have if privacy were no concern.
LEARNERS: dict[str, tuple[type[Any], dict[str, Any], dict[str, Any]]] = {
    "model.json": (BDPEClassifier, {"n_trees": 5, "max_depth": 2}, {"n_trees": 20, "max_depth": 3}),
    "forest.json": (
        PrivateForestClassifier,
        {"n_trees": 11, "max_depth": 10},
        {"n_trees": 101, "max_depth": 10, "partition": "shared"},
    ),
}


def read_table() -> tuple[Any, Any, Any, Any]:
    """Return training rows, test rows and their labels: the same split in every run, by scikit-learn's generator."""
    table = load_breast_cancer()
    labels = table.target_names[table.target]
    return train_test_split(table.data, labels, test_size=0.3, random_state=0, stratify=labels)


def show(text: str) -> None:
    """Print a paragraph, wrapped to the width of a terminal; lines of tables and bars stay as they are."""
    for line in text.splitlines():
        wrapped = textwrap.wrap(line, 110, subsequent_indent="  ") if len(line) > 110 else [line]
        print("\n".join(wrapped))


def main(folder: Path) -> None:
    X_train, X_test, y_train, y_test = read_table()
    domain = Domain.load(DOMAIN)
    folder.mkdir(parents=True, exist_ok=True)
    accuracies = {}

    for file, (learner, settings, roomy) in LEARNERS.items():
        public = {"domain": domain, "classes": domain.classes}
        model = learner(epsilon=EPSILON, **settings, **public).fit(X_train, y_train)
        same = learner(privacy=None, random_state=0, **settings, **public).fit(X_train, y_train)
        best = learner(privacy=None, random_state=0, **roomy, **public).fit(X_train, y_train)

        print(f"\n=== {learner.__name__}({', '.join(f'{name}={value}' for name, value in settings.items())})\n")
        show(str(model.privacy_))
        print("\nHow the budget was split:")
        print(split_bars(model.privacy_))

        path = folder / file
        model.save(path)
        again = load(path)
        assert (again.predict(X_test) == model.predict(X_test)).all()
        print(f"\nSaved to {path}; read back and recomputed from its ledger:")
        show(verify_statement(again.privacy_).summary())
        accuracies[learner.__name__] = [m.score(X_test, y_test) for m in (model, same, best)]

    print_accuracies(accuracies, y_test)


def print_accuracies(accuracies: dict[str, list[float]], y_test: Any) -> None:
    """Print a line for each learner, and what these numbers are not."""
    print(f"\n=== Accuracy on {len(y_test)} test rows\n")
    print(f"{'':<26}{f'private, ε = {EPSILON:g}':<18}{'no privacy':<18}no privacy, more or deeper trees")
    for name, (private, same, best) in accuracies.items():
        print(f"{name:<26}{private:<18.3f}{same:<18.3f}{best:.3f}")
    commonest = max((y_test == label).mean() for label in set(y_test))
    print(f"{'the commonest label':<26}{'':<18}{commonest:.3f}\n")
    show(
        "The test rows are public here. These accuracies are computed from them without noise, so this evaluation is "
        "not covered by the guarantee: do not publish such numbers about private rows."
    )
    show("The noise is secret and new in every run, so the private accuracies differ from run to run.")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("demo-output"))
