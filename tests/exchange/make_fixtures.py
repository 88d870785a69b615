"""Make the files of format 2 in ``fixtures``, and the answers that their models gave: ``python make_fixtures.py``.

With the argument ``search``, those whose statements hold a search instead (statement format 2).

Files in a format that a released version has written are never made anew, for old files must stay readable. Where the
text of a file changes but nothing that it says (spaces, the order of fields), write it again:
``dumps(read_model(path))``.

The noise is secret, as in every model that claims privacy. Hence each run makes other models.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from conftest import LABELS, make_domain, make_labels, make_table
from privboost import PrivateBoostingClassifier, PrivateBoostingRegressor, PrivateForestClassifier, PrivateSearchCV

FIXTURES = Path(__file__).with_name("fixtures")
N_ROWS, N_ANSWERED = 2000, 12

# Every setting is given: what a later version would choose does not matter.
COMMON: dict[str, Any] = {
    "n_rounds": 3,
    "max_depth": 2,
    "n_bins": 10,
    "shrinkage": 1.0,
    "base_share": 0.1,
    "attributes_per_tree": 0,
}
CLASSIFIER = {"delta": 1e-6, "mechanism": "gaussian", "trees_per_round": 2, "score_reach": 0.5, "histogram_share": 0.2}
CLASSIFIER |= {"learning_rate": 1.0, "class_weight": {LABELS[0]: 2.0}}
THREE = {"mechanism": "laplace", "trees_per_round": 2, "score_reach": 1.5, "histogram_share": 0.2, "learning_rate": 0.5}
REGRESSOR = {"mechanism": "laplace", "trees_per_round": 1, "score_reach": 100.0, "learning_rate": 0.5}
REGRESSOR |= {"histogram_share": 0.0, "target_range": (-5.0, 20.0), "max_sample_weight": 2.0}


def make_numbers(n_rows: int) -> np.ndarray:
    """Return numbers to predict, some of them outside the range."""
    table = make_table(n_rows)
    return 0.25 * table["âge"].to_numpy() - 3.0 * table["member"].to_numpy()


def train() -> dict[str, Any]:
    """Return a fitted model for each file."""
    table, three = make_table(N_ROWS), ["a", "b", "c"]
    common = COMMON | {"domain": make_domain(), "epsilon": 1.0}
    classifier = PrivateBoostingClassifier(classes=LABELS, **common, **CLASSIFIER)
    multiclass = PrivateBoostingClassifier(classes=three, **common, **THREE)
    regressor = PrivateBoostingRegressor(**common, **REGRESSOR)
    return {
        "classifier": classifier.fit(table, make_labels(table, LABELS)),
        "multiclass": multiclass.fit(table, make_labels(table, three)),
        "regressor": regressor.fit(table, make_numbers(N_ROWS)),
    }


def search() -> dict[str, Any]:
    """Return the best estimator of a pure search, and of one with a delta."""
    table = make_table(N_ROWS)
    labels = make_labels(table, LABELS)
    forest = PrivateForestClassifier(n_trees=3, n_bins=10, domain=make_domain(), classes=LABELS)
    pure = PrivateSearchCV(forest, {"max_depth": [2, 3]}, epsilon=8.0)
    settings = COMMON | {name: value for name, value in CLASSIFIER.items() if name != "delta"}
    boosting = PrivateBoostingClassifier(domain=make_domain(), classes=LABELS, **settings)
    curve = PrivateSearchCV(boosting, {"n_rounds": [2, 3], "learning_rate": [0.5, 1.0]}, epsilon=1.0, delta=1e-6)
    return {
        "search-pure": pure.fit(table, labels).best_estimator_,
        "search-delta": curve.fit(table, labels).best_estimator_,
    }


def answers(model: Any) -> dict[str, Any]:
    """Return rows that the model was not trained on, and what it says of them."""
    table = make_table(N_ANSWERED, seed=1)
    rows = [[_plain(cell) for cell in row] for row in table.to_numpy(dtype=object)]
    table = pd.DataFrame(rows, columns=table.columns)
    found = {"columns": list(table.columns), "rows": rows, "epsilon": model.epsilon, "delta": model.delta}
    found["predictions"] = model.predict(table).tolist()
    if hasattr(model, "predict_proba"):
        found["scores"] = model.decision_function(table).tolist()
        found["probabilities"] = model.predict_proba(table).tolist()
    return found


def _plain(cell: Any) -> Any:
    # JSON has no NaN and no infinity: both become null, a missing cell.
    value = cell.item() if isinstance(cell, np.generic) else cell
    return None if isinstance(value, float) and not np.isfinite(value) else value


def main() -> int:
    """Train, write and say how large the files are."""
    searched = sys.argv[1:] == ["search"]
    models = search() if searched else train()
    found = {name: answers(model) for name, model in models.items()}
    # The noise may end up otherwise, if rarely: then run it again.
    assert all(model.is_private_ for model in models.values())
    assert searched or models["classifier"]._record().refinement.reorders
    assert all(len(set(entry["predictions"])) > 1 for entry in found.values())
    prefix = "statement" if searched else "format"
    for name, model in models.items():
        path = FIXTURES / f"{prefix}-2-{name}.json"
        model.save(path)
        print(f"{path.name}: {path.stat().st_size} bytes")
    text = json.dumps(found, indent=1)
    (FIXTURES / f"{prefix}-2-answers.json").write_text(text + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
