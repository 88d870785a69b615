"""`PrivateSearchCV`: settings chosen on private rows, and the model trained with them, for one budget."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn, Self, cast

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, MetaEstimatorMixin
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from privboost.data.columns import read_schema
from privboost.data.rows import take_rows
from privboost.errors import ParameterError, ParameterTypeError, PrivacyWarning, SchemaError
from privboost.estimators.base import PrivateEstimator
from privboost.estimators.carrying import CarriesBudgets
from privboost.estimators.parameters import check_budget, check_real, warn_of_delta
from privboost.estimators.training import SEARCH_PUBLIC
from privboost.privacy.accounting import Ledger
from privboost.privacy.amounts import check_delta, check_epsilon
from privboost.privacy.budget import Budget
from privboost.privacy.charging import Charge, paid
from privboost.privacy.mechanisms import Laplace
from privboost.privacy.randomness import Randomness, make_randomness
from privboost.privacy.tries import MOST_TRIES, TriesLaw, best_of
from privboost.search.plan import SearchPlan, divide, draw_held_out, list_settings, plan_search
from privboost.search.scores import as_figure, check_scoring, score_sum
from privboost.sources.local import GRID

__all__ = ["PrivateSearchCV"]

SIMULATED_WARNING = (
    "'random_state' is set: the noise can be drawn again and subtracted, so this search and its model are a "
    "simulation, not private. Leave it None for a model to release."
)

WITHHELD = ("cv_results_", "best_index_", "n_splits_", "refit_time_", "scorer_", "multimetric_")
"""What scikit-learn's searches hold beside the winner."""


def _has(name: str) -> Any:
    return available_if(lambda search: hasattr(search.estimator, name))


class PrivateSearchCV(CarriesBudgets, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    r"""Choose a learner's settings from a public grid on private rows, and train with them, within one budget.

    A part of the budget, ``search_share``, pays for a *private selection with a secret random number of tries*. One try
    draws a setting from the grid, fits it privately on some of the rows and releases its noisy score on the others. The
    number of tries K is drawn from the operating system's entropy, by :math:`P[K = k] \propto (1-\gamma)^k / k`, and
    forgotten; so are all tries but the best. A try may then cost half of what the search costs, however many there are
    (docs/guarantee.md). The rest of the budget trains the winning setting on all rows.

    What is published, ``best_params_``, ``best_score_`` and ``best_estimator_``, is together (``epsilon``,
    ``delta``)-private, and ``privacy_`` says so. There is no ``cv_results_``. **How long** ``fit`` **takes reveals K
    and the settings that were tried**: do not let an adversary time it.

    Parameters
    ----------
    estimator : estimator of this package
        With domain and target declared. Its ``epsilon`` and ``delta`` are not used; its ``relation`` and
        ``rows_per_person`` are those of the whole search. ``random_state`` and ``budget`` are given to the search.
    param_grid : dict, or list of dict
        Public: lists of values for the estimator's parameters, as for scikit-learn's ``GridSearchCV``; up to 1000
        settings. Each is drawn with the same chance in each try.
    epsilon : float, default=1.0
        Budget of search and model together, above 0.
    delta : float, default=0.0
        0 for a pure guarantee; above it, for estimators that have a ``delta``.
    search_share : float, default=0.15
        Part of ``epsilon`` and ``delta`` that the search costs, 0.001 to 0.999.
    n_tries : float, default=20.0
        Expected number of tries, 1.01 to 10000. With ``delta`` = 0 it costs time only.
    test_size : float, default=0.2
        Chance of each row to be held out from the fits of the tries and to be scored on, 0.01 to 0.99.
    scoring : str or None, default=None
        "neg_brier_score" (None) or "accuracy" for classifiers; "neg_mean_squared_error" (None) or
        "neg_mean_absolute_error" for regressors.
    random_state : None, int, Generator or RandomState, default=None
        None is secure. Anything else is a simulation, and not private.
    budget : Budget or None, default=None
        Pays for the whole search, once, before a row is read; beside the budgets whose ``with`` blocks it runs in.

    Attributes
    ----------
    best_params_ : dict
        The winning setting.
    best_score_ : float
        Its noisy score, with a try's budget; a maximum, and so too good to expect of the model.
    best_estimator_ : estimator
        Trained with it on all rows. Its statement, and its file, contain the search.
    privacy_ : PrivacyStatement
    is_private_ : bool
    classes_ or target_range_, n_features_in_, feature_names_in_
        Those of ``best_estimator_``.

    References
    ----------
    Liu & Talwar (2019), "Private selection from private candidates"; Papernot & Steinke (2022), "Hyperparameter tuning
    with Rényi differential privacy".
    """

    def __init__(
        self,
        estimator: Any,
        param_grid: Any,
        *,
        epsilon: float = 1.0,
        delta: float = 0.0,
        search_share: float = 0.15,
        n_tries: float = 20.0,
        test_size: float = 0.2,
        scoring: str | None = None,
        random_state: Any = None,
        budget: Budget | None = None,
    ) -> None:
        self.estimator = estimator
        self.param_grid = param_grid
        self.epsilon = epsilon
        self.delta = delta
        self.search_share = search_share
        self.n_tries = n_tries
        self.test_size = test_size
        self.scoring = scoring
        self.random_state = random_state
        self.budget = budget

    def fit(self, X: Any, y: Any) -> Self:
        """Search, and train with the winning setting.

        Parameters
        ----------
        X : table of shape (n_rows, n_attributes)
        y : array of shape (n_rows,)
            As for the estimator's ``fit``. A held-out row without a target scores 0.

        Returns
        -------
        self

        Raises
        ------
        ParameterError, SchemaError, PlanError, BudgetError
            Decided by parameters, names, kinds and shapes alone, for every setting of the grid before a row is read.

        Warns
        -----
        PrivacyWarning
            If ``random_state`` is given, or ``delta`` is not below 1 / number of rows.
        """
        settings, law, scoring = self._check_parameters()
        charge = self._charge()
        charge.check()
        n_rows = self._count_rows(X)
        randomness = make_randomness(self.random_state)
        held_out = draw_held_out(n_rows, float(self.test_size), randomness.generator)
        parts = (divide(float(self.epsilon), self.search_share), divide(float(self.delta), self.search_share))
        budgets = ((parts[0][0], parts[1][0]), (parts[0][1], parts[1][1]))
        n_fit = n_rows - int(held_out.sum())
        plan = plan_search(self.estimator, settings, (X, y), n_fit, law, budgets, self.estimator._unit().distance)
        if not randomness.secure:
            warnings.warn(SIMULATED_WARNING, PrivacyWarning, stacklevel=2)
        warn_of_delta(float(self.delta), n_rows, stacklevel=3)
        charge.spend()
        with paid():
            tries = _Tries(plan, X, y, held_out, scoring, randomness)
            score, winner = best_of(plan.cost.law, tries.run, randomness)
            model = _seeded(plan.refits[winner], randomness).fit(X, y)
        self._publish(plan, model.set_params(random_state=None), winner)
        self.best_score_ = as_figure(score, n_rows - n_fit, scoring, model)
        return self

    def check_budget(self) -> None:
        """Raise what ``fit`` would raise if its budget cannot pay for it: no row is read, and nothing is charged.

        Raises
        ------
        BudgetExceededError
            If less is left than the search costs.
        ParameterError
            For an illegal parameter, or a guarantee that the budget is not for.
        """
        self._check_parameters()
        self._charge().check()

    def _check_parameters(self) -> tuple[tuple[dict[str, Any], ...], TriesLaw, str]:
        """Return the settings, the law of the number of tries and the score."""
        estimator = self.estimator
        if not isinstance(estimator, PrivateEstimator):
            raise ParameterTypeError("estimator", type(estimator), "an estimator of privboost, not fitted")
        for name in ("random_state", "budget"):
            if getattr(estimator, name) is not None:
                remedy = f"Give '{name}' to the search."
                raise ParameterError(f"{name} of 'estimator'", getattr(estimator, name), "None", remedy)
        if estimator.privacy is None:
            remedy = "Use scikit-learn's GridSearchCV where nothing is to be private."
            raise ParameterError("privacy of 'estimator'", None, "one with a guarantee", remedy)
        check_epsilon(self.epsilon)
        if check_delta(self.delta) and "delta" not in estimator.get_params(deep=False):
            raise ParameterError("delta", self.delta, f"0 for {type(estimator).__name__}, which has no 'delta'")
        check_real("search_share", self.search_share, "a number from 0.001 to 0.999", low=0.001, high=0.999)
        check_real("test_size", self.test_size, "a number from 0.01 to 0.99", low=0.01, high=0.99)
        most = float(MOST_TRIES)
        mean = check_real("n_tries", self.n_tries, f"a number from 1.01 to {MOST_TRIES}", low=1.01, high=most)
        check_budget(self.budget)
        scoring = check_scoring(self.scoring, estimator)
        estimator._check_shared_parameters()
        return list_settings(self.param_grid, estimator), TriesLaw.with_mean(mean), scoring

    def _charge(self) -> Charge:
        unit, epsilon, delta = self.estimator._unit(), check_epsilon(self.epsilon), check_delta(self.delta)
        return Charge(
            self._payers(self.budget), epsilon, delta, unit.relation, unit.rows_per_person, type(self).__name__
        )

    def _count_rows(self, X: Any) -> int:
        n_rows = read_schema(X, owner=type(self).__name__).n_rows
        if n_rows < 2:
            raise SchemaError(f"Found array with {n_rows} sample(s) while a minimum of 2 is required by a search.")
        return n_rows

    def _publish(self, plan: SearchPlan, model: PrivateEstimator, winner: int) -> None:
        statement = replace(
            model.privacy_,
            epsilon=float(self.epsilon),
            delta=float(self.delta),
            search=plan.cost,
            assumed_public=(*model.privacy_.assumed_public, *SEARCH_PUBLIC),
        )
        model.privacy_ = statement
        self.best_estimator_ = model
        self.best_params_ = dict(plan.settings[winner])
        self.privacy_, self.is_private_ = statement, statement.private
        self.n_features_in_ = model.n_features_in_
        for name in ("feature_names_in_", "classes_", "target_range_"):
            if hasattr(model, name):
                setattr(self, name, getattr(model, name))
            elif hasattr(self, name):
                delattr(self, name)

    @_has("predict_proba")  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Estimate class probabilities by the best estimator, shape (n_rows, n_classes)."""
        check_is_fitted(self)
        return cast("npt.NDArray[np.float64]", self.best_estimator_.predict_proba(X))

    @_has("decision_function")  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> npt.NDArray[np.float64]:
        """Return margins of the best estimator."""
        check_is_fitted(self)
        return cast("npt.NDArray[np.float64]", self.best_estimator_.decision_function(X))

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Predict labels, or numbers, by the best estimator, shape (n_rows,)."""
        check_is_fitted(self)
        return cast("npt.NDArray[Any]", self.best_estimator_.predict(X))

    def score(self, X: Any, y: Any) -> float:
        """Return the accuracy, or the R², of the best estimator: exact, and not for private rows."""
        check_is_fitted(self)
        return float(self.best_estimator_.score(X, y))

    def save(self, path: str | Path) -> None:
        """Write the best estimator; its file states the cost of the whole search.

        Parameters
        ----------
        path : str or Path
        """
        check_is_fitted(self)
        self.best_estimator_.save(path)

    def __getattr__(self, name: str) -> NoReturn:
        if name in WITHHELD:
            raise AttributeError(
                f"A private search has no {name!r}: how many tries there were, and what all but the best one gave, is "
                "in nothing that is published. The cost of the search rests on that."
            )
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __sklearn_tags__(self) -> Any:
        tags, inner = super().__sklearn_tags__(), get_tags(self.estimator)
        tags.estimator_type = inner.estimator_type
        tags.classifier_tags, tags.regressor_tags = inner.classifier_tags, inner.regressor_tags
        tags.input_tags, tags.target_tags = inner.input_tags, inner.target_tags
        tags.non_deterministic = self.random_state is None
        return tags


class _Tries:
    """The rows of a search in two parts, and how one try is made."""

    def __init__(
        self, plan: SearchPlan, X: Any, y: Any, held_out: npt.NDArray[np.bool_], scoring: str, randomness: Randomness
    ) -> None:
        fitted, scored = np.flatnonzero(~held_out), np.flatnonzero(held_out)
        self._fitted = take_rows(X, fitted), take_rows(y, fitted)
        self._scored = take_rows(X, scored), take_rows(y, scored)
        self._plan, self._scoring, self._randomness = plan, scoring, randomness

    def run(self) -> tuple[int, int]:
        """Return the noisy score of a setting drawn at random, and the setting's place in the grid."""
        plan, randomness = self._plan, self._randomness
        place = randomness.below(len(plan.tries))
        model = _seeded(plan.tries[place], randomness).fit(*self._fitted)
        ledger = Ledger()
        mechanism = Laplace.for_release(plan.score, GRID)
        released = mechanism.apply(score_sum(model, *self._scored, self._scoring), randomness, ledger)
        ledger.check_against((plan.score,), plan.score.epsilon)
        return int(released.values[0, 0]), place


def _seeded(estimator: PrivateEstimator, randomness: Randomness) -> Any:
    """Return the estimator with secret noise; in a simulation, with the generator of the search."""
    return estimator if randomness.secure else estimator.set_params(random_state=randomness.generator)
