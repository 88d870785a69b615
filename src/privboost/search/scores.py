"""How well a model does on held-out rows, as integers that one row changes by a bounded amount."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from privboost.data.labels import encode_labels
from privboost.data.targets import encode_target
from privboost.errors import ParameterError
from privboost.estimators.base import PrivateEstimator
from privboost.estimators.classifier import PrivateClassifier
from privboost.privacy.accounting import PlannedRelease
from privboost.privacy.mechanisms import RawSums
from privboost.sources.local import GRID

__all__ = ["SCORINGS", "as_figure", "check_scoring", "planned_score", "score_sum"]

SCORINGS = {
    "classifier": ("neg_brier_score", "accuracy"),
    "regressor": ("neg_mean_squared_error", "neg_mean_absolute_error"),
}
"""What may be maximised, by scikit-learn's names; the first of each kind is the default."""


def check_scoring(scoring: object, estimator: PrivateEstimator) -> str:
    """Return the name of the score, the default for None.

    Raises
    ------
    ParameterError
        If the estimator has no such score.
    """
    names = SCORINGS["classifier" if isinstance(estimator, PrivateClassifier) else "regressor"]
    if scoring is None:
        return names[0]
    if not isinstance(scoring, str) or scoring not in names:
        remedy = "Other scores are no sums over rows that one row can change only so much."
        raise ParameterError("scoring", scoring, f"None or one of {', '.join(map(repr, names))}", remedy)
    return scoring


def planned_score(epsilon: Fraction, distance: int) -> PlannedRelease:
    """Return the release of one try's score: one number with Laplace noise."""
    return PlannedRelease("search/score", "laplace", epsilon, 1, "sequential", distance, 1)


def score_sum(model: Any, X: Any, y: Any, scoring: str) -> RawSums:
    r"""Add up what each row scores, from 0 to 1, in units of `GRID`, rounded down.

    A hit scores 1; a probability vector p of a row of class t scores :math:`1 - \frac12 \sum_k (p_k - [t = k])^2`; a
    number scores 1 less its error, or its squared error, as a part of the target's range. A row without a target
    scores 0.

    Parameters
    ----------
    model : fitted classifier or regressor
        Public here: it was released, or counts as if it were.
    X, y : table and column
        Held-out rows.
    scoring : str
        One of `SCORINGS`.

    Returns
    -------
    RawSums of shape (1, 1)
        One row adds at most `GRID`.
    """
    if isinstance(model, PrivateClassifier):
        units = _label_scores(model, X, y, scoring)
    else:
        units = _number_scores(model, X, y, scoring)
    total = np.floor(GRID * np.clip(units, 0.0, 1.0)).astype(np.int64).sum()
    return RawSums(np.array([[total]], np.int64), GRID)


def as_figure(score: int, n_rows: int, scoring: str, model: Any) -> float:
    """Return a released sum as a mean over ``n_rows`` rows, on the scale of its scikit-learn name."""
    mean = score / (GRID * n_rows)
    if scoring == "accuracy":
        return mean
    if scoring == "neg_brier_score":
        return mean - 1.0
    low, high = model.target_range_
    width = high - low
    return float((mean - 1.0) * (width if scoring == "neg_mean_absolute_error" else width**2))


def _label_scores(model: PrivateClassifier, X: Any, y: Any, scoring: str) -> npt.NDArray[np.float64]:
    codes = encode_labels(y, model.classes_)
    known = codes >= 0
    if scoring == "accuracy":
        return np.asarray((np.searchsorted(model.classes_, model.predict(X)) == codes) & known, np.float64)
    errors = model.predict_proba(X)
    rows = np.flatnonzero(known)
    errors[rows, codes[rows]] -= 1.0
    return np.where(known, 1.0 - 0.5 * (errors**2).sum(axis=1), 0.0)


def _number_scores(model: Any, X: Any, y: Any, scoring: str) -> npt.NDArray[np.float64]:
    low, high = model.target_range_
    truth, known = encode_target(y, low, high)
    errors = np.clip(np.abs((model.predict(X) - low) / (high - low) - truth), 0.0, 1.0)
    return np.where(known, 1.0 - (errors if scoring == "neg_mean_absolute_error" else errors**2), 0.0)
