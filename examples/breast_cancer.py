"""A private model of scikit-learn's breast-cancer table, from a budget alone.

Run ``make demo``, or ``python examples/breast_cancer.py [folder for the model file]``. Nothing is downloaded.

The table is small (569 rows, 398 of them for training), and ``epsilon=1`` is a strong guarantee: with more rows the
same budget costs less accuracy.
"""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from typing import Any

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from privboost import Domain, PrivateBoostingClassifier, load
from privboost.privacy import split_bars, verify_statement

EPSILON, DELTA = 1.0, 1e-6
DOMAIN = Path(__file__).with_name("breast_cancer.toml")


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
    public = {"domain": domain, "classes": domain.classes}
    model = PrivateBoostingClassifier(epsilon=EPSILON, delta=DELTA, **public)

    print("\n=== Decided before a row is read\n")
    show(str(model.plan(len(X_train))))

    model.fit(X_train, y_train)
    print("\n=== What the model guarantees\n")
    show(str(model.privacy_))
    print("\nHow the budget was split:")
    print(split_bars(model.privacy_))

    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "model.json"
    model.save(path)
    again = load(path)
    assert (again.predict(X_test) == model.predict(X_test)).all()
    print(f"\nSaved to {path}; read back and recomputed from its ledger:")
    show(verify_statement(again.privacy_).summary())

    exact = PrivateBoostingClassifier(privacy=None, random_state=0, **public).fit(X_train, y_train)
    print_accuracies({"private": model.score(X_test, y_test), "no privacy": exact.score(X_test, y_test)}, y_test)


def print_accuracies(accuracies: dict[str, float], y_test: Any) -> None:
    """Print a line for each model, and what these numbers are not."""
    print(f"\n=== Accuracy on {len(y_test)} test rows\n")
    commonest = max((y_test == label).mean() for label in set(y_test))
    for name, accuracy in {**accuracies, "the commonest label": commonest}.items():
        print(f"{name:<20} {accuracy:.3f}")
    print()
    show(
        "The test rows are public here. These accuracies are computed from them without noise, so this evaluation is "
        "not covered by the guarantee: do not publish such numbers about private rows."
    )
    show("The noise is secret and new in every run, so the private accuracy differs from run to run.")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("demo-output"))
