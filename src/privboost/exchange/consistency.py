"""Whether the parts of a model fit together: trees and domain, parameters, plan and statement, ledger and trees."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from privboost.ensembles.ensemble import REGRESSION
from privboost.errors import ModelFileError, VerificationError
from privboost.exchange.ledger import check_ledger, check_sensitivities
from privboost.exchange.newton import NEWTON, check_newton
from privboost.exchange.record import ModelRecord
from privboost.trees.splitting import candidate_splits
from privboost.trees.tree import Splits

__all__ = ["check_consistency"]

_COMBINATIONS = {
    "BDPEClassifier": ("margin",),
    "PrivateBoostingClassifier": ("logit", "softmax"),
    "PrivateBoostingRegressor": ("identity", "log"),
    "PrivateForestClassifier": ("vote",),
    "PrivateTreeClassifier": ("probability",),
}


def check_consistency(record: ModelRecord) -> None:
    """Raise unless the record's parts fit together.

    Parameters
    ----------
    record : ModelRecord

    Raises
    ------
    ModelFileError
        If the learner is unknown, or a parameter or fact that the checks need is absent or out of range.
    VerificationError
        If a tree holds a test that the domain does not have; if the ledger does not list exactly the releases that such
        trees take, each with at least the sensitivity that the trees imply; if parameters, plan and statement disagree.
    """
    combinations = _COMBINATIONS.get(record.learner)
    if combinations is None:
        known = ", ".join(sorted(_COMBINATIONS))
        raise ModelFileError(f"The model file names the learner {record.learner[:40]!r}; this version knows {known}.")
    if record.ensemble.combination not in combinations:
        joined = " or ".join(map(repr, combinations))
        raise VerificationError(f"The trees of a {record.learner} must be joined by {joined}.")
    facts = _public_facts(record)
    _check_parameters(record, facts)
    _check_plan(record, facts)
    _check_tests(record)
    _check_answers(record)
    check_ledger(record)
    if record.statement.epsilon is not None:
        check_sensitivities(record)


def _public_facts(record: ModelRecord) -> dict[str, Any]:
    """Return what the trees and the classes say about how the model was planned."""
    ensemble, n_outputs = record.ensemble, record.n_outputs
    depth, n_trees = record.depth, len(ensemble.trees) // n_outputs
    if any(tree.depth != depth for tree in ensemble.trees):
        raise VerificationError("The trees of the model differ in depth.")
    facts: dict[str, Any] = {"max_depth": depth}
    if ensemble.combination in NEWTON:
        n_stats = 2 if ensemble.combination in REGRESSION else ensemble.n_classes
        return facts | {"n_stats": n_stats} | _delta(record)
    if ensemble.combination == "vote":
        return facts | {"n_trees": n_trees, "n_classes": ensemble.n_classes}
    if ensemble.outputs.tolist() != [k for k in range(n_outputs) for _ in range(n_trees)]:
        raise VerificationError("The trees of the model do not serve its classes in turn.")
    if ensemble.combination == "margin":
        facts["n_trees"] = n_trees
    elif n_trees != 1:
        raise VerificationError(f"A {record.learner} has one tree for each output.")
    return facts | {"n_outputs": n_outputs, "n_candidates": len(_candidates(record))}


def _delta(record: ModelRecord) -> dict[str, float]:
    """Return the plan's delta; without an epsilon, the statement does not tell."""
    return {} if record.statement.epsilon is None else {"delta": record.statement.fit_delta}


def _check_parameters(record: ModelRecord, facts: dict[str, Any]) -> None:
    statement, given = record.statement, record.parameters
    newton = record.ensemble.combination in NEWTON
    for name, value in given.items():
        if not isinstance(value, str | int | float | None):
            raise ModelFileError(f"The parameter {name[:40]!r} must be a number, text, true, false or null.")
    expected: dict[str, object] = {name: facts[name] for name in ("max_depth", "n_trees") if name in facts}
    expected["n_bins"] = record.n_bins
    expected["relation"] = statement.unit.relation
    expected["privacy"] = None if statement.epsilon is None else "dp" if newton else "pure"
    for name, value in expected.items():
        if name not in given:
            raise ModelFileError(f"The model file lacks the parameter {name!r}.")
        if newton and name == "max_depth" and given[name] == "auto":
            continue  # left to the plan
        if not _is_same(given[name], value):
            raise VerificationError(f"The parameter {name!r} contradicts the model's statement or its trees.")
    if statement.epsilon is not None:
        _check_budget(record)
    if given.get("rows_per_person", 1) != statement.unit.rows_per_person:
        raise VerificationError("The model's statement hides other numbers of rows than its parameters say.")
    if given.get("leverage") == "exact" and statement.private:
        raise VerificationError("The model claims privacy, but no release covers its exact leverage.")
    names = record.feature_names
    if names is not None and sorted(names) != sorted(record.domain.names):
        raise VerificationError("The model file's 'feature_names' are not the attributes of its domain.")


def _check_budget(record: ModelRecord) -> None:
    statement, given = record.statement, record.parameters
    stated = {"epsilon": statement.fit_epsilon}  # what a search cost was not the learner's to spend
    if record.ensemble.combination in NEWTON:
        stated["delta"] = statement.fit_delta
    for name, value in stated.items():
        # A whole number is as good as a decimal one here.
        if isinstance(given.get(name), bool) or given.get(name) != value:
            raise VerificationError(f"The parameter {name!r} contradicts the model's statement.")


def _is_same(given: object, value: object) -> bool:
    return type(given) is type(value) and given == value


def _check_plan(record: ModelRecord, facts: dict[str, Any]) -> None:
    for name, value in (facts | {"epsilon": record.statement.fit_epsilon}).items():
        if not _is_same(record.plan.get(name, value), value):
            raise VerificationError(f"The model's plan contradicts the rest of the file in {name!r}.")
    stated = record.statement.alphas
    if record.ensemble.combination != "margin":
        if stated or record.plan.get("alphas", []) != []:
            raise VerificationError(f"The model lists alphas, but a {record.learner} has none.")
        return
    alphas = _table(record.plan.get("alphas"), len(record.ensemble.trees), record.depth)
    labels = [event.label for event in record.statement.releases if event.label.endswith("/splits")]
    planned = [alpha for levels in alphas for alpha in levels]
    if len(labels) != len(planned) or stated != tuple(zip(labels, planned, strict=True)):
        raise VerificationError("The model's plan states other alphas than its statement.")


def _table(alphas: object, n_trees: int, depth: int) -> list[list[float]]:
    if isinstance(alphas, list) and len(alphas) == n_trees:
        shaped = all(isinstance(levels, list) and len(levels) == depth for levels in alphas)
        if shaped and all(type(a) is float and 0.0 <= a <= 1.0 for levels in alphas for a in levels):
            return alphas
    raise ModelFileError("The model's plan must hold 'alphas', a number from 0 to 1 for each level of each tree.")


def _candidates(record: ModelRecord) -> Splits:
    return candidate_splits(record.layout)


def _check_tests(record: ModelRecord) -> None:
    """Raise unless the domain has every test of every tree."""
    known = np.unique(_keys(_candidates(record)))
    for tree in record.ensemble.trees:
        real = tree.splits.attribute >= 0
        if not real.all() and record.statement.epsilon is not None:
            raise VerificationError(
                "A tree of the model has a node without a test; only noise-free training leaves one."
            )
        if not np.isin(_keys(tree.splits)[real], known).all():
            raise VerificationError("A tree of the model holds a test that its domain does not have.")


def _keys(splits: Splits) -> npt.NDArray[np.int64]:
    """Return a number for each test, the same for the same test."""
    key = splits.attribute.astype(np.int64)
    for part in (splits.first, splits.last):
        key = key * 256 + part
    return key * 2 + splits.missing_right


def _check_answers(record: ModelRecord) -> None:
    """Raise unless every row gets a finite score, and probabilities and votes are such."""
    ensemble = record.ensemble
    if ensemble.combination in NEWTON:
        check_newton(record)
        return
    if not 0.0 < ensemble.alpha <= 1.0:
        raise ModelFileError("The model file's field 'alpha' must be above 0 and at most 1.")
    if ensemble.combination == "margin":
        with np.errstate(over="ignore"):
            largest = ensemble.weights * np.array([np.abs(tree.values).max() for tree in ensemble.trees])
            if not math.isfinite(float(np.abs(largest).sum())):
                raise ModelFileError("The model's scores are out of range.")
        return
    if any(w != 1.0 for w in ensemble.weights) or any(t.values.min() < 0 or t.values.max() > 1 for t in ensemble.trees):
        raise ModelFileError("The leaf values of the model must lie between 0 and 1, and its trees weigh 1.")
