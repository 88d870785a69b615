"""Audits from outside: many trainings on two neighbouring tables, and an event that is likelier with one of them.

The first half of the trainings chooses the event: a released number, or a linear mixture of all of them, beyond a
threshold, perhaps together with a choice of the learner. The second half counts it. So its counts are binomial, and
their intervals hold whatever the learner is; nothing but its public ``fit`` is used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from privboost.auditing.intervals import lower_epsilon, lower_mu

__all__ = ["Counts", "Event", "released_numbers", "shown_by"]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

MOST_NUMBERS = 64
"""Of a model: of more, only what it answers to the rows of the tables is looked at."""

MOST_THRESHOLDS = 64
FEW_VALUES = 8
"""A number with at most so many values counts as a choice, too."""

MOST_CHOICES = 24
"""Of one search; beyond them only thresholds are looked at."""


@dataclass(frozen=True)
class Event:
    """A set of models: ``weights`` times the released numbers is at least ``threshold``, and ``choice`` was made.

    Attributes
    ----------
    weights : ndarray of float64, shape (n_numbers,)
    threshold : float
    choice : (int, float) or None
        A number by its position, and the value that it has.
    """

    weights: Floats
    threshold: float
    choice: tuple[int, float] | None

    def count(self, numbers: Floats) -> int:
        """Return how many models are in the set.

        Parameters
        ----------
        numbers : ndarray of float64, shape (n_models, n_numbers)
        """
        inside = numbers @ self.weights >= self.threshold
        if self.choice is not None:
            inside &= numbers[:, self.choice[0]] == self.choice[1]
        return int(inside.sum())


@dataclass(frozen=True)
class Counts:
    """How often an event took place: with the table where it is likelier, and with the other; of how many trainings."""

    more: int
    less: int
    of: int


def released_numbers(model: Any, probes: list[Any]) -> Floats:
    """Return what a fitted model shows: its answers to some rows, and where they are few all numbers in its trees.

    Parameters
    ----------
    model : PrivateEstimator
    probes : list of tables
        The same for all models.
    """
    chances = hasattr(model, "classes_")
    answers = [model.predict_proba(rows)[:, 1:] if chances else model.predict(rows) for rows in probes]
    parts = [np.asarray(answer, np.float64).ravel() for answer in answers]
    trees = model.ensemble_.trees
    shown = [part for tree in trees for part in (tree.splits.attribute, tree.splits.first, tree.values)]
    numbers = [part.ravel().astype(np.float64) for part in shown]
    if sum(part.size for part in numbers) <= MOST_NUMBERS:
        parts += numbers
    return np.concatenate(parts)


def shown_by(
    left: Floats, right: Floats, delta: float, error: float
) -> tuple[tuple[float, Counts], tuple[float, Counts]]:
    """Return what the numbers of two tables' models show: an epsilon and a mu, each with the counts behind it.

    Parameters
    ----------
    left, right : ndarray of float64, shape (n_models, n_numbers)
        Equally many, in an order that says nothing.
    delta : float
    error : float
        Chance that the epsilon is above one that holds; the same of mu.
    """
    half = len(left) // 2

    def counts(likeness: Callable[[Floats, Floats], Floats]) -> Counts:
        event, swapped = best_event(left[:half], right[:half], likeness)
        more, less = event.count(left[half:]), event.count(right[half:])
        return Counts(less, more, len(left) - half) if swapped else Counts(more, less, len(left) - half)

    for_epsilon = counts(lambda p, q: np.log(np.maximum(p - delta, 1e-300) / q))
    for_mu = counts(lambda p, q: _quantile(p) - _quantile(q))
    epsilon = lower_epsilon((for_epsilon.more, for_epsilon.of), (for_epsilon.less, for_epsilon.of), delta, error)
    mu = lower_mu((for_mu.more, for_mu.of), (for_mu.less, for_mu.of), error)
    return (epsilon, for_epsilon), (mu, for_mu)


def best_event(left: Floats, right: Floats, likeness: Callable[[Floats, Floats], Floats]) -> tuple[Event, bool]:
    """Return the event that promises most, and whether it is likelier on the right.

    Parameters
    ----------
    left, right : ndarray of float64, shape (n_models, n_numbers)
    likeness : callable
        Of a lower bound of the likelier chance and an upper bound of the other one: what an event promises.
    """
    n_numbers = left.shape[1]
    directions = [sign * row for row in np.eye(n_numbers) for sign in (1.0, -1.0)]
    mixture = _mixture(left, right)
    directions += [mixture, -mixture]
    best: tuple[float, Event, bool] = (-np.inf, Event(mixture, 0.0, None), False)
    for choice in [None, *_choices(np.concatenate([left, right]))]:
        kept = [part if choice is None else part[part[:, choice[0]] == choice[1]] for part in (left, right)]
        for weights in directions:
            scores = [np.sort(part @ weights) for part in kept]
            both = np.unique(np.concatenate(scores))
            if both.size == 0:
                continue
            at = both[np.unique(np.linspace(0, both.size - 1, MOST_THRESHOLDS).astype(int))]
            chances = [(score.size - np.searchsorted(score, at)) / len(left) for score in scores]
            for swapped, (more, less) in ((False, chances), (True, chances[::-1])):
                promise = likeness(_limit(more, len(left), -1.0), _limit(less, len(left), 1.0))
                k = int(promise.argmax())
                if promise[k] > best[0]:
                    best = (float(promise[k]), Event(weights, float(at[k]), choice), swapped)
    return best[1], best[2]


def _choices(numbers: Floats) -> list[tuple[int, float]]:
    """Numbers that take a few values, each with each of its values."""
    found = []
    for k in range(numbers.shape[1]):
        values = np.unique(numbers[:, k])
        if 1 < len(values) <= FEW_VALUES:
            found += [(k, float(value)) for value in values]
    return found[-MOST_CHOICES:]  # the last numbers are those of the trees, the first are answers that follow from them


def _mixture(left: Floats, right: Floats) -> Floats:
    """Fisher's discriminant: the direction in which the two means are farthest apart, measured by the spread."""
    spread = np.cov(left, rowvar=False) + np.cov(right, rowvar=False)
    spread = np.atleast_2d(spread)
    ridge = 1e-9 * max(float(np.trace(spread)), 1e-300) * np.eye(len(spread))
    return np.asarray(np.linalg.solve(spread + ridge, left.mean(axis=0) - right.mean(axis=0)))


def _limit(chance: Floats, n: int, side: float) -> Floats:
    """Wilson's limit at three standard deviations, below (-1) or above (1): to choose by, not to conclude from."""
    z = 3.0
    middle = chance + z * z / (2 * n)
    spread = z * np.sqrt(chance * (1.0 - chance) / n + z * z / (4 * n * n))
    return np.asarray(np.clip((middle + side * spread) / (1.0 + z * z / n), 1e-12, 1.0 - 1e-12))


def _quantile(chance: Floats) -> Floats:
    """Roughly the normal quantile, by the logistic one."""
    return np.asarray(np.log(chance / (1.0 - chance)) / 1.702)
