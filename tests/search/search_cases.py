"""Estimators to search over, so small that a fit takes milliseconds."""

from __future__ import annotations

from typing import Any

from privboost import Domain, Numeric, PrivateBoostingClassifier, PrivateBoostingRegressor, PrivateForestClassifier

DOMAIN = Domain({"a": Numeric(0, 1), "b": Numeric(0, 1)})
SMALL: dict[str, Any] = {
    "max_depth": 2,
    "learning_rate": 0.5,
    "shrinkage": 2.0,
    "score_reach": 3.0,
    "histogram_share": 0.1,
    "base_share": 0.1,
    "attribute_choice": "random",
    "attributes_per_tree": 0,
    "n_bins": 8,
}

FOREST = PrivateForestClassifier(n_trees=2, domain=DOMAIN, classes=[0, 1], n_bins=8)
BOOSTING = PrivateBoostingClassifier(domain=DOMAIN, classes=[0, 1], **SMALL)
NUMBERS = PrivateBoostingRegressor(domain=DOMAIN, target_range=(0.0, 1.0), **SMALL)
