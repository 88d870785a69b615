"""`evaluate_private`: a model's figures on private rows, for a budget."""

from __future__ import annotations

import warnings
from typing import Any, cast

import numpy as np
from sklearn.utils.validation import check_is_fitted

from privboost.data.columns import read_schema
from privboost.data.labels import count_labels, encode_labels
from privboost.data.targets import encode_target
from privboost.errors import ParameterTypeError, PrivacyWarning, SchemaError
from privboost.estimators.base import PrivateEstimator
from privboost.estimators.classifier import PrivateClassifier
from privboost.estimators.parameters import check_budget, check_choice, check_unit, warn_of_delta
from privboost.evaluation.plan import EvaluationPlan, plan_evaluation
from privboost.evaluation.report import PrivateEvaluation, report_of
from privboost.evaluation.tables import count_classes, count_numbers, count_two_classes
from privboost.privacy.accounting import Ledger
from privboost.privacy.amounts import check_delta, check_epsilon
from privboost.privacy.budget import Budget
from privboost.privacy.charging import Charge, payers_of
from privboost.privacy.mechanisms import RawSums
from privboost.privacy.randomness import Randomness, make_randomness
from privboost.privacy.statement import PrivacyStatement

__all__ = ["check_price", "evaluate_private"]

SIMULATED_WARNING = (
    "'random_state' is set: the noise can be drawn again and subtracted, so this evaluation is a simulation, not "
    "private. Leave it None for figures to publish."
)

_PUBLIC = (
    "the model, its domain and its list of classes or range",
    "the number of rows",
    "every parameter of the evaluation",
)
_NOTES = (
    "It says nothing of the rows that the model was trained on, which the model's own statement covers. For a person "
    "whose rows are in both tables the costs add up; for all others the larger one holds.",
)


def evaluate_private(
    model: Any,
    X: Any,
    y: Any,
    *,
    epsilon: float,
    delta: float = 0.0,
    mechanism: str = "auto",
    relation: str = "add-remove",
    rows_per_person: int = 1,
    budget: Budget | None = None,
    random_state: Any = None,
) -> PrivateEvaluation:
    r"""Measure a model on private rows with known answers, under differential privacy.

    Every row counts in one cell of a table: its class, by the bin of the model's probability for the second class. The
    table is released once, with noise for one row in one cell (:math:`\Delta_1 = \Delta_2 = 1`); accuracy, AUC, log
    loss, Brier score and calibration are computed from it. With more than two classes a row counts in two cells, of the
    confusion matrix and of the bins of the largest probability (:math:`\Delta_1 = 2, \Delta_2 = \sqrt 2`). Of a model
    that predicts numbers, the cells are bins of the absolute error, for either sign.

    Parameters
    ----------
    model : fitted estimator of this package
        Public. Trained on other rows, or its own cost adds to this one.
    X : table of shape (n_rows, n_attributes)
        As for the model's ``predict``.
    y : array of shape (n_rows,)
        Labels, or numbers. A row whose label is not among the model's classes, or that has no number, counts nowhere.
        Numbers are clipped to the model's range.
    epsilon : float
        Budget of this evaluation, above 0 and finite.
    delta : float, default=0.0
        0 or more, below 1; far below 1 / number of rows. Used only where Gaussian noise is.
    mechanism : {"auto", "laplace", "gaussian"}, default="auto"
        Which noise; ``"auto"`` takes the smaller. Laplace noise states delta = 0, whatever is given.
    relation : {"add-remove", "replace-one"}, default="add-remove"
        What neighbouring tables differ in; see `PrivacyUnit`.
    rows_per_person : int, default=1
        At most how many rows belong to one person, 1 to 1000.
    budget : Budget or None, default=None
        Pays for this evaluation, beside the budgets whose ``with`` blocks it runs in; before a row is read. A block is
        not carried to calls in other processes: give them the budget, which then needs a ``path``.
    random_state : None, int, Generator or RandomState, default=None
        None is secure. Anything else is a simulation, and not private.

    Returns
    -------
    PrivateEvaluation

    Raises
    ------
    ParameterError, SchemaError, PlanError, BudgetError
        Decided by parameters, names, kinds and shapes alone; never by a value in a row.

    Warns
    -----
    PrivacyWarning
        If ``random_state`` is given, or ``delta`` is used and not below 1 / number of rows.

    References
    ----------
    Dwork, McSherry, Nissim & Smith (2006), "Calibrating noise to sensitivity in private data analysis" (histograms);
    Ghosh, Roughgarden & Sundararajan (2012), "Universally utility-maximizing privacy mechanisms"; Canonne, Kamath &
    Steinke (2020), "The discrete Gaussian for differential privacy".
    """
    if not isinstance(model, PrivateEstimator):
        raise ParameterTypeError(
            "model", type(model), "a fitted estimator of privboost", "Load one: privboost.load(path)."
        )
    check_is_fitted(model)
    price, chance = check_price(epsilon, delta)
    check_budget(budget)
    payers = payers_of(budget)
    check_choice("mechanism", mechanism, ("auto", "laplace", "gaussian"))
    unit = check_unit(relation, rows_per_person)
    n_rows = _count_rows(model, X, y)
    n_classes = len(model.classes_) if isinstance(model, PrivateClassifier) else 1
    plan = plan_evaluation(n_rows, n_classes, price, chance, unit, mechanism)
    randomness = make_randomness(random_state)
    _warn(plan, randomness)
    Charge(payers, plan.epsilon, plan.delta, unit.relation, unit.rows_per_person, "evaluation").spend()
    ledger = Ledger()
    counts = plan.mechanism.apply(_count(model, X, y, plan), randomness, ledger).values
    ledger.check_against((plan.release,), plan.epsilon, plan.delta)
    statement = _statement(plan, ledger, randomness)
    if isinstance(model, PrivateClassifier):
        labels = tuple(map(str, model.classes_.tolist())) if n_classes > 2 else ()
        return report_of(counts, plan, statement, labels)
    return report_of(counts, plan, statement, target_range=cast(Any, model).target_range_)


def check_price(epsilon: object, delta: object, names: tuple[str, str] = ("epsilon", "delta")) -> tuple[float, float]:
    """Return both as floats.

    Parameters
    ----------
    epsilon, delta : object
    names : (str, str)
        What error messages call them.

    Raises
    ------
    ParameterError
        As `check_epsilon` and `check_delta` do; the remedy is one for an evaluation.
    """
    remedy = "State what these figures may cost, such as 0.1."
    return check_epsilon(epsilon, names[0], remedy), check_delta(delta, names[1])


def _count_rows(model: PrivateEstimator, X: Any, y: Any) -> int:
    """Return the number of rows, from shapes alone."""
    n_rows = read_schema(X, owner=type(model).__name__).n_rows
    if y is None:
        raise SchemaError("An evaluation requires y to be passed, but the target y is None.")
    n_labels = count_labels(y)
    if n_labels != n_rows:
        raise SchemaError(f"Found input variables with inconsistent numbers of samples: [{n_rows}, {n_labels}]")
    if n_rows == 0:
        raise SchemaError("Found array with 0 sample(s) while a minimum of 1 is required by an evaluation.")
    return n_rows


def _warn(plan: EvaluationPlan, randomness: Randomness) -> None:
    if not randomness.secure:
        warnings.warn(SIMULATED_WARNING, PrivacyWarning, stacklevel=3)
    warn_of_delta(plan.delta, plan.n_rows, stacklevel=4)


def _count(model: Any, X: Any, y: Any, plan: EvaluationPlan) -> RawSums:
    """Read the rows: what the model says of each, what is true of it, and the cell that it counts in."""
    if plan.task == "numbers":
        low, high = model.target_range_
        truth, active = encode_target(y, low, high)
        return count_numbers((model.predict(X) - low) / (high - low) - truth, active, plan)
    codes = encode_labels(y, model.classes_)
    probabilities = model.predict_proba(X)
    if plan.task == "two classes":
        return count_two_classes(probabilities[:, 1], codes, plan)
    # The label that `predict` gives: where two scores tie after rounding, the largest probability may be another one.
    predicted = np.searchsorted(model.classes_, model.predict(X))
    return count_classes(probabilities.max(axis=1), predicted, codes, plan)


def _statement(plan: EvaluationPlan, ledger: Ledger, randomness: Randomness) -> PrivacyStatement:
    return PrivacyStatement(
        epsilon=plan.epsilon,
        unit=plan.unit,
        secure=randomness.secure,
        private=randomness.secure,
        releases=ledger.events,
        assumed_public=_PUBLIC,
        notes=_NOTES,
        delta=plan.delta,
        subject="evaluation",
    )
