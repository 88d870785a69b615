"""An audit of one training: who took part is guessed from the model alone."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from privboost.auditing.canaries import Canaries
from privboost.auditing.guessing import epsilon_of_guesses
from privboost.errors import PrivacyWarning
from privboost.privacy.simulation import release_by_release

__all__ = ["Guesses", "canary_scores", "guess"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Guesses:
    """How many canaries there were, how many were guessed, and how many of these rightly."""

    canaries: int
    guesses: int
    correct: int

    def epsilon(self, delta: float, error: float) -> float:
        """Return the epsilon that the guesses refute, up to a chance of ``error``."""
        return epsilon_of_guesses(self.correct, self.guesses, self.canaries, delta, error)


def guess(model: Any, X: Any, canaries: Canaries, guesses: int, rng: np.random.Generator) -> Guesses:
    """Train once, and guess: the canaries that the model fits best were in, those that it fits worst were out.

    Parameters
    ----------
    model : PrivateEstimator
        Not fitted; a clone of it is.
    X : table
    canaries : Canaries
    guesses : int
        Fixed beforehand, at most the number of canaries; half of them are "in".
    rng : numpy.random.Generator
        Breaks ties.
    """
    with warnings.catch_warnings(), release_by_release():
        warnings.simplefilter("ignore", PrivacyWarning)  # a seed, or a large delta, is what is asked for here
        fitted = clone(model).fit(X, canaries.y)
    scores = canary_scores(fitted, X, canaries)
    # What the guesses go by is the model and which rows are canaries with which labels; not who took part.
    order = np.lexsort((rng.random(len(scores)), scores))
    out, into = order[: guesses // 2], order[len(order) - (guesses - guesses // 2) :]
    correct = int((~canaries.included[out]).sum() + canaries.included[into].sum())
    return Guesses(len(scores), guesses, correct)


def canary_scores(model: Any, X: Any, canaries: Canaries) -> Floats:
    """Return how well a model fits each canary's label: log chances, or negative distances, added up over its rows."""
    if not hasattr(model, "classes_"):
        predicted = model.predict(X)[canaries.rows]
        return np.asarray(-np.abs(predicted - canaries.labels.astype(np.float64)).sum(axis=1))
    probabilities = model.predict_proba(X)[canaries.rows]
    place = {label: k for k, label in enumerate(model.classes_.tolist())}
    # A label that is not listed adds nothing in training, and says nothing here.
    codes = np.array([[place.get(label, -1) for label in person] for person in canaries.labels.tolist()])
    chances = np.take_along_axis(probabilities, codes[:, :, None], axis=2)[:, :, 0]
    return np.asarray(np.where(codes < 0, 0.0, np.log(np.maximum(chances, 1e-300))).sum(axis=1))
