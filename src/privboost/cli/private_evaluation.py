"""``privboost evaluate --epsilon``: the figures of private rows, for a budget."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, cast

import numpy as np

from privboost.cli.target import Target, labels_for
from privboost.data.labels import encode_labels
from privboost.errors import ParameterError
from privboost.evaluation.private import check_price, evaluate_private
from privboost.evaluation.report import PrivateEvaluation
from privboost.privacy.budget import Budget
from privboost.privacy.relation import Relation

__all__ = ["Price", "evaluate_labels", "evaluate_numbers"]


@dataclass(frozen=True)
class Price:
    """What an evaluation may cost, and how, as the command line says it. None is not given.

    Attributes
    ----------
    epsilon, delta : float or None
    mechanism, relation : str or None
    rows_per_person, seed : int or None
    budget : str or None
        Budget file to charge.
    """

    epsilon: float | None = None
    delta: float | None = None
    mechanism: str | None = None
    relation: str | None = None
    rows_per_person: int | None = None
    seed: int | None = None
    budget: str | None = None

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
        return {"epsilon": self.epsilon, **given, "budget": self.open_budget()}

    def open_budget(self) -> Budget | None:
        """Return the budget to charge, if there is one."""
        return None if self.budget is None else Budget.open(self.budget)

    def check_budget(self) -> None:
        """Raise if the budget cannot pay; to be called before a row is read, and charging nothing.

        Which noise is smaller, and so whether delta is spent, follows from the number of rows, which is not known yet.

        Raises
        ------
        BudgetError
            If less is left, or the file is no budget.
        ParameterError
            If the budget is for another unit.
        """
        budget = self.open_budget()
        if budget is not None:
            relation = cast(Relation, self.relation or "add-remove")
            rows = 1 if self.rows_per_person is None else self.rows_per_person
            budget.check(cast(float, self.epsilon), relation=relation, rows_per_person=rows)

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
