"""A small table, and a search over it that takes a fraction of a second."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from privboost import PrivateSearchCV
from privboost.errors import PrivacyWarning

# For the estimators beside this file.
sys.path.insert(0, str(Path(__file__).resolve().parent))
from search_cases import BOOSTING, FOREST, NUMBERS


@pytest.fixture
def square() -> tuple[np.ndarray, np.ndarray]:
    X = np.random.default_rng(0).random((120, 2))
    return X, (X[:, 0] > 0.5).astype(int)


@pytest.fixture
def make() -> Any:
    """Return a function that makes a search: of "forest", "boosting" or "numbers"."""

    def search(kind: str = "forest", **parameters: Any) -> PrivateSearchCV:
        estimator = {"forest": FOREST, "boosting": BOOSTING, "numbers": NUMBERS}[kind]
        grid = {"max_depth": [1, 2]} if kind == "forest" else {"n_rounds": [1, 2]}
        return PrivateSearchCV(estimator, grid, **{"n_tries": 2.0, "random_state": 0, **parameters})

    return search


@pytest.fixture
def quietly() -> Any:
    """Return a function that fits without the warning of a simulation."""

    def fit(search: Any, X: Any, y: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PrivacyWarning)
            return search.fit(X, y)

    return fit
