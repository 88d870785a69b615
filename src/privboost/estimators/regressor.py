"""What regressors share: a public range of the target, numbers in, numbers out."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted

from privboost.data.targets import check_target, encode_target, infer_range
from privboost.errors import ModelFileError, SchemaError
from privboost.estimators.base import PrivateEstimator
from privboost.estimators.parameters import check_range
from privboost.estimators.training import EncodedTarget
from privboost.exchange.archive import ModelRecord

__all__ = ["PrivateRegressor"]


class PrivateRegressor(RegressorMixin, PrivateEstimator):  # type: ignore[misc]
    """Base of the regressors; see `BDPEClassifier` for the parameters they share.

    Parameters
    ----------
    target_range : (float, float) or None
        Public: the numbers to predict lie between these two; others are clipped. Required unless ``privacy=None``,
        where None takes the smallest and the largest of the rows.
    max_sample_weight : float
        Public: the largest weight of a row; larger ones are clipped.

    Attributes
    ----------
    target_range_ : (float, float)
    """

    target_range: Any

    _target_words: ClassVar[str] = "the range of the target"

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train on private rows.

        Parameters
        ----------
        X : table of shape (n_rows, n_attributes)
            NumPy array, pandas or polars data frame, or Arrow table. Named columns are matched with the domain by name.
            Values outside the domain are clipped, or count as unknown; missing values have a code of their own.
        y : array of shape (n_rows,)
            Numbers, clipped to ``target_range``. A missing one gives its row weight 0.
        sample_weight : array of shape (n_rows,), optional
            Private weights, clipped to 0 and ``max_sample_weight``; a missing one counts as 0. With ``privacy=None``
            and ``max_sample_weight=1``, they are divided by the largest of them instead.

        Returns
        -------
        self

        Raises
        ------
        ParameterError, SchemaError, PlanError
            Decided by parameters, names, kinds and shapes alone; never by a value in a row.
        """
        return self._fit(X, y, sample_weight)

    def predict(self, X: Any) -> npt.NDArray[np.float64]:
        """Predict numbers.

        Parameters
        ----------
        X : table of shape (n_rows, n_attributes)

        Returns
        -------
        ndarray of float64, shape (n_rows,)
            Within ``target_range_``.
        """
        check_is_fitted(self)
        start, end = self._scale(self.target_range_)
        numbers = start + (end - start) * self._answer(X, self.ensemble_.numbers)
        return np.clip(numbers, *self.target_range_)

    def _scale(self, target: tuple[float, float]) -> tuple[float, float]:
        """Return the numbers that 0 and 1 stand for in training; the ends of the range, unless a loss needs others."""
        return target

    def _require_target(self) -> None:
        if self.target_range is None:
            raise SchemaError(
                f"{type(self).__name__} needs 'target_range': the public lowest and highest number to predict, such as "
                "target_range=(0, 100). The lowest and highest of the rows would leak."
            )

    def _check_public_target(self, y: Any) -> None:
        pass

    def _public_target(self, y: Any) -> tuple[float, float]:
        return infer_range(y) if self.target_range is None else check_range("target_range", self.target_range)

    def _check_target_column(self, y: Any, target: tuple[float, float]) -> None:
        check_target(y)

    def _encode_target(self, y: Any, target: tuple[float, float], n_threads: int = 1) -> EncodedTarget:
        numbers, active = encode_target(y, *target)
        (low, high), (start, end) = target, self._scale(target)
        if (start, end) != (low, high):
            # Clipped: rounding may end just above 1, which would be more than one row may count.
            numbers = np.clip((low + (high - low) * numbers - start) / (end - start), 0.0, 1.0)
        return EncodedTarget(np.where(active, 0, -1).astype(np.int16), numbers)

    def _keep_target(self, target: tuple[float, float]) -> None:
        self.target_range_ = target

    @staticmethod
    def _n_classes(target: tuple[float, float]) -> int:
        return 1

    def _record_target(self) -> dict[str, Any]:
        return {"classes": (), "target_range": self.target_range_}

    @classmethod
    def _target_of(cls, record: ModelRecord) -> tuple[float, float]:
        if record.target_range is None:
            raise ModelFileError(f"The model file of a {record.learner} must hold 'target_range'.")
        return record.target_range

    @classmethod
    def _target_parameters(cls, record: ModelRecord) -> dict[str, Any]:
        return {"target_range": check_range("target_range", record.target_range)}
