"""Who pays for the fits of an estimator, wherever it, or a copy of it, is fitted."""

from __future__ import annotations

from typing import Any, Self

from privboost.privacy.budget import Budget
from privboost.privacy.charging import Payer, distinct, is_paid, open_here, payers_of

__all__ = ["CarriesBudgets"]


class CarriesBudgets:
    """An estimator that takes along, to another process, the budgets in whose blocks it was sent there."""

    # Budgets whose blocks were open when this estimator was pickled, on its way to another process.
    _carried: tuple[Payer, ...] = ()

    def _payers(self, budget: Budget | None) -> tuple[Payer, ...]:
        """Return who pays for a fit: the budget given, those of open blocks and those carried; nobody if it is paid."""
        if is_paid():
            return ()
        return payers_of(budget, self._carried)

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()  # type: ignore[assignment]
        carried = distinct((*open_here(), *self._carried))
        return {**state, "_carried": carried} if carried else state

    def __sklearn_clone__(self) -> Self:
        # In another process no block is open: a copy of what was sent there pays as the original does.
        copy: Self = super().__sklearn_clone__()  # type: ignore[misc]
        if self._carried:
            copy._carried = self._carried
        return copy
