"""Learners of other packages for ``accuracy.py``: private ones to compare with, and ceilings without privacy.

They see a table as numbers, by the catalogue alone: a numeric cell clipped to its public bounds, or mid-range where it
is missing; a category as its place in the public list, with an extra level for a missing or unlisted one. The packages
are imported only when a learner of theirs is made; none but scikit-learn is a dependency of the project.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn import __version__ as sklearn_version
from sklearn.ensemble import HistGradientBoostingClassifier

from privboost import Domain, Numeric
from privboost.data.encoding import Encoder

Make = Callable[[Domain, float, float, int], Any]

PACKAGES = {"lightgbm": "lightgbm", "dpebm_live": "interpret", "dpl_rf10_live": "diffprivlib"}
"""What pip must install for a learner."""

MODULES = {"lightgbm": "lightgbm", "interpret": "interpret.privacy", "diffprivlib": "diffprivlib.models"}


def categorical(domain: Domain) -> np.ndarray:
    """Return which columns are categories."""
    return np.array([not isinstance(attribute, Numeric) for _, attribute in domain.items()])


def public_bounds(domain: Domain) -> tuple[np.ndarray, np.ndarray]:
    """Return the smallest and the largest value of each column of `as_numbers`, from the declarations alone."""
    pairs = [
        (attribute.lo, attribute.hi) if isinstance(attribute, Numeric) else (0, attribute.n_values(2))
        for _, attribute in domain.items()
    ]
    low, high = np.array(pairs, dtype=float).T
    return low, high


def as_numbers(X: Any, domain: Domain) -> np.ndarray:
    """Return a frame as numbers of shape (m, n) within `public_bounds`; level 0 of a category is the extra one."""
    low, high = public_bounds(domain)
    columns = []
    codes = Encoder(domain, 2).encode(X)
    for j, is_category in enumerate(categorical(domain)):
        if is_category:
            columns.append(np.where(codes[j] > high[j], 0, codes[j]).astype(float))
        else:
            cells = X.iloc[:, j].to_numpy(dtype=float)
            columns.append(np.clip(np.where(np.isnan(cells), (low[j] + high[j]) / 2, cells), low[j], high[j]))
    return np.column_stack(columns)


class OnNumbers:
    """A classifier that is given frames, and hands them on as numbers.

    Parameters
    ----------
    model : estimator
        What is fitted to the numbers.
    domain : Domain
        The public declarations.
    **fit_options
        Further arguments of the model's ``fit``.
    """

    def __init__(self, model: Any, domain: Domain, **fit_options: Any) -> None:
        self.model = model
        self.domain = domain
        self.fit_options = fit_options

    def fit(self, X: Any, y: np.ndarray) -> OnNumbers:
        """Fit the model to a frame's numbers."""
        self.model.fit(as_numbers(X, self.domain), y, **self.fit_options)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return the labels, shape (m,)."""
        return np.asarray(self.model.predict(as_numbers(X, self.domain)))

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the probabilities of both classes, shape (m, 2)."""
        return np.asarray(self.model.predict_proba(as_numbers(X, self.domain)))


def make_histgb(domain: Domain, epsilon: float, delta: float, seed: int, **options: Any) -> OnNumbers:
    model = HistGradientBoostingClassifier(categorical_features=categorical(domain), random_state=seed, **options)
    return OnNumbers(model, domain)


def make_slow_histgb(domain: Domain, epsilon: float, delta: float, seed: int) -> OnNumbers:
    return make_histgb(domain, epsilon, delta, seed, learning_rate=0.05, max_leaf_nodes=8, max_iter=300)


def make_lightgbm(domain: Domain, epsilon: float, delta: float, seed: int, **options: Any) -> OnNumbers:
    from lightgbm import LGBMClassifier

    model = LGBMClassifier(random_state=seed, n_jobs=1, verbose=-1, **options)
    return OnNumbers(model, domain, categorical_feature=np.flatnonzero(categorical(domain)).tolist())


def make_slow_lightgbm(domain: Domain, epsilon: float, delta: float, seed: int) -> OnNumbers:
    return make_lightgbm(domain, epsilon, delta, seed, learning_rate=0.05, num_leaves=8, n_estimators=300)


def make_dpebm(domain: Domain, epsilon: float, delta: float, seed: int) -> OnNumbers:
    from interpret.privacy import DPExplainableBoostingClassifier

    model = DPExplainableBoostingClassifier(
        feature_names=list(domain.names),
        feature_types=["nominal" if c else "continuous" for c in categorical(domain)],
        privacy_bounds=np.column_stack(public_bounds(domain)),
        epsilon=epsilon,
        delta=delta,
        random_state=seed,
        n_jobs=1,
    )
    return OnNumbers(model, domain)


def make_dpl_forest(domain: Domain, epsilon: float, delta: float, seed: int) -> OnNumbers:
    from diffprivlib import BudgetAccountant
    from diffprivlib.models import RandomForestClassifier

    model = RandomForestClassifier(
        n_estimators=10,
        max_depth=5,
        epsilon=epsilon,
        bounds=public_bounds(domain),
        classes=[0, 1],
        accountant=BudgetAccountant(),
        random_state=seed,
    )
    return OnNumbers(model, domain)


CEILINGS: dict[str, dict[str, Make]] = {
    "ceiling": {"histgb_default": make_histgb, "histgb_slow": make_slow_histgb},
    "lightgbm": {"lightgbm_default": make_lightgbm, "lightgbm_slow": make_slow_lightgbm},
}
"""Not private. Two settings each, the defaults and 300 small trees at a small rate; the better one counts."""

PEERS: dict[str, tuple[Make, str]] = {
    "dpebm_live": (make_dpebm, "approximate"),
    "dpl_rf10_live": (make_dpl_forest, "pure"),
}
"""Private learners with the defaults of their packages, and the budgets they spend."""


def require(learner: str) -> None:
    """Stop, naming what to install, if a learner's package cannot be imported."""
    package = PACKAGES.get(learner)
    if package is None:
        return
    try:
        importlib.import_module(MODULES[package])
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        raise SystemExit(f"The learner {learner!r} needs the package {package}: pip install {package}") from None
    except ImportError as error:
        raise SystemExit(
            f"The package {package} is installed, but cannot be imported beside scikit-learn {sklearn_version}: "
            f"{error}. An environment with another version serves: pip install {package} 'scikit-learn<1.9'"
        ) from None
