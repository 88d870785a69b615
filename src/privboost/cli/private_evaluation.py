"""``privboost evaluate --epsilon``: the figures of private rows, for a budget."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from privboost.cli.target import Target, labels_for
from privboost.data.labels import encode_labels
from privboost.errors import ParameterError
from privboost.evaluation.private import check_price, evaluate_private
from privboost.evaluation.report import PrivateEvaluation

__all__ = ["Price", "evaluate_labels", "evaluate_numbers"]


@dataclass(frozen=True)
class Price:
    """What an evaluation may cost, and how, as the command line says it. None is not given.

    Attributes
    ----------
    epsilon, delta : float or None
    mechanism, relation : str or None
    rows_per_person, seed : int or None
    """

    epsilon: float | None = None
    delta: float | None = None
    mechanism: str | None = None
    relation: str | None = None
    rows_per_person: int | None = None
    seed: int | None = None

    def check(self) -> bool:
        """Return whether figures are paid for.

        Raises
        ------
        ParameterError
            If epsilon or delta is out of range, or an option stands without ``--epsilon``.
        """
        if self.epsilon is None:
            for option, value in self._options().items():
                if value is not None:
                    remedy = "With --epsilon figures have noise and a guarantee; without it they are exact."
                    raise ParameterError(f"--{option.replace('_', '-')}", value, "left out without --epsilon", remedy)
            return False
        check_price(self.epsilon, self.delta or 0.0, ("--epsilon", "--delta"))
        return True

    def arguments(self) -> dict[str, Any]:
        """Return the keyword arguments of `evaluate_private`."""
        given = {name: value for name, value in self._options().items() if value is not None}
        if "seed" in given:
            given["random_state"] = given.pop("seed")
        return {"epsilon": self.epsilon, **given}

    def _options(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if name != "epsilon"}


def evaluate_labels(model: Any, X: Any, labels: Any, target: Target, price: Price) -> PrivateEvaluation:
    """Measure a classifier; the target's classes are the model's, and labels match them as they print.

    A table in which no label matches gets its noise like any other: that it is so would be a fact about all its rows.
    """
    codes = encode_labels(*labels_for(labels, target))
    # In the type of the model's classes, whatever type the file has; None for a label that is none of them.
    matched = np.array([*model.classes_.tolist(), None], dtype=object)[codes]
    return evaluate_private(model, X, matched, **price.arguments())


def evaluate_numbers(model: Any, X: Any, numbers: Any, price: Price) -> PrivateEvaluation:
    """Measure a regressor."""
    return evaluate_private(model, X, numbers, **price.arguments())
