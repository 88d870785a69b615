"""Whether the parts of a model fit together: trees and domain, ledger and trees, statement and parameters."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from privboost.errors import ModelFileError, ParameterError, VerificationError
from privboost.losses import Loss, MAlphaLoss, get_loss
from privboost.privacy.accounting import Event
from privboost.trees.splitting import candidate_splits, score_sensitivity
from privboost.trees.tree import Splits

if TYPE_CHECKING:
    from privboost.exchange.archive import ModelRecord

__all__ = ["WEIGHT_UNIT", "check_consistency"]

WEIGHT_UNIT = 2**16
"""Integer units of a row weight of 1, in format 1."""

_COMBINATIONS = {"BDPEClassifier": "margin", "PrivateTreeClassifier": "probability", "PrivateForestClassifier": "vote"}
_SELECTIONS = ("permute-and-flip", "exponential")


def check_consistency(record: ModelRecord) -> None:
    """Raise unless the record's parts fit together.

    Parameters
    ----------
    record : ModelRecord

    Raises
    ------
    ModelFileError
        If the learner is unknown or a parameter that the checks need is absent.
    VerificationError
        If a tree holds a test that the domain does not have; if the ledger does not list exactly the releases that such
        trees take, each with at least the sensitivity that the trees imply; if parameters and statement disagree.
    """
    combination = _COMBINATIONS.get(record.learner)
    if combination is None:
        known = ", ".join(sorted(_COMBINATIONS))
        raise ModelFileError(f"The model file names the learner {record.learner[:40]!r}; this version knows {known}.")
    if record.ensemble.combination != combination:
        raise VerificationError(f"The trees of a {record.learner} must be joined by {combination!r}.")
    _check_parameters(record)
    _check_names(record)
    n_candidates = _check_tests(record)
    _check_answers(record)
    _check_ledger(record, n_candidates)
    if record.statement.epsilon is not None:
        _check_sensitivities(record)


def _check_parameters(record: ModelRecord) -> None:
    statement, given = record.statement, record.parameters
    depths = {tree.depth for tree in record.ensemble.trees}
    expected: dict[str, object] = {
        "privacy": None if statement.epsilon is None else "pure",
        "relation": statement.unit.relation,
        "max_depth": next(iter(depths)) if len(depths) == 1 else "the depth of every tree",
        "n_bins": record.n_bins,
    }
    if record.learner != "PrivateTreeClassifier":
        expected["n_trees"] = len(record.ensemble.trees) / _n_outputs(record)
    if statement.epsilon is not None:
        expected["epsilon"] = statement.epsilon
    for name, value in given.items():
        if not isinstance(value, str | int | float | None):
            raise ModelFileError(f"The model file's parameter {name[:40]!r} must be a number, text, true, false or null.")
    for name, value in expected.items():
        if name not in given:
            raise ModelFileError(f"The model file lacks the parameter {name!r}.")
        if given[name] != value or isinstance(given[name], bool):
            raise VerificationError(f"The model file's parameter {name!r} contradicts its statement or its trees.")
    if record.plan.get("epsilon", statement.epsilon) != statement.epsilon:
        raise VerificationError("The model file's plan states another epsilon than its statement.")
    if given.get("leverage") == "exact" and statement.private:
        raise VerificationError("The model was trained with exact leverage, which no release covers, but claims privacy.")


def _check_names(record: ModelRecord) -> None:
    names = record.feature_names
    if names is not None and sorted(names) != sorted(record.domain.names):
        raise VerificationError("The model file's 'feature_names' are not the attributes of its domain.")


def _n_outputs(record: ModelRecord) -> int:
    # A leaf of a forest holds a vote for every class; other trees serve one output, and two classes need one output.
    return 1 if record.ensemble.combination == "vote" else record.ensemble.n_outputs


# -- trees


def _check_tests(record: ModelRecord) -> int:
    """Raise unless the domain has every test; return how many tests it has."""
    candidates = candidate_splits(record.domain.layout(record.n_bins))
    known = np.unique(_keys(candidates))
    null_tests = False
    for tree in record.ensemble.trees:
        real = tree.splits.attribute >= 0
        null_tests = null_tests or not real.all()
        if not np.isin(_keys(tree.splits)[real], known).all():
            raise VerificationError("A tree of the model holds a test that its domain does not have.")
    if null_tests and record.statement.epsilon is not None:
        raise VerificationError("A tree of the model leaves nodes without a test, which only training without noise does.")
    return len(candidates)


def _keys(splits: Splits) -> npt.NDArray[np.int64]:
    """Number each test."""
    key = splits.attribute.astype(np.int64)
    for part in (splits.first, splits.last):
        key = key * 256 + part
    return key * 2 + splits.missing_right


def _check_answers(record: ModelRecord) -> None:
    """Raise unless every row gets a finite score, and probabilities and votes are such."""
    ensemble = record.ensemble
    if not 0.0 < ensemble.alpha <= 1.0:
        raise ModelFileError("The model file's field 'alpha' must be above 0 and at most 1.")
    with np.errstate(over="ignore"):
        largest = [abs(w) * np.abs(tree.values).max() for w, tree in zip(ensemble.weights, ensemble.trees, strict=True)]
        if not math.isfinite(sum(largest)):
            raise ModelFileError("The model's scores are out of range.")
    if ensemble.combination == "margin":
        return
    if any(w != 1.0 for w in ensemble.weights) or any(t.values.min() < 0 or t.values.max() > 1 for t in ensemble.trees):
        raise ModelFileError("The leaf values of the model must lie between 0 and 1, and its trees weigh 1.")


# -- ledger


@dataclass(frozen=True)
class _Expected:
    """The public facts of one release that the trees imply."""

    label: str
    mechanisms: tuple[str, ...]
    count: int
    size: int


def _check_ledger(record: ModelRecord, n_candidates: int) -> None:
    releases = record.statement.releases
    forest = record.ensemble.combination == "vote"
    expected = list(_forest_releases(record) if forest else _boosted_releases(record, n_candidates))
    if len(releases) != len(expected):
        raise VerificationError(f"The ledger lists {len(releases)} releases; these trees take {len(expected)}.")
    for event, wanted in zip(releases, expected, strict=True):
        if event.label != wanted.label:
            raise VerificationError(f"The ledger lacks the release {wanted.label!r} where it should stand.")
        mechanisms = ("none",) if record.statement.epsilon is None else wanted.mechanisms
        if event.mechanism not in mechanisms or (event.count, event.size) != (wanted.count, wanted.size):
            raise VerificationError(f"The ledger's entry {wanted.label!r} is not what such a tree releases.")


def _boosted_releases(record: ModelRecord, n_candidates: int) -> Iterator[_Expected]:
    n_outputs, depth = _n_outputs(record), record.parameters["max_depth"]
    n_trees = len(record.ensemble.trees) // n_outputs
    if record.ensemble.outputs.tolist() != [k for k in range(n_outputs) for _ in range(n_trees)]:
        raise VerificationError("The trees of the model do not serve its classes in turn.")
    for output in range(n_outputs):
        prefix = f"class {output + 1} against the rest/" if n_outputs > 1 else ""
        for t in range(n_trees):
            label = f"{prefix}tree {t + 1}"
            for level in range(depth):
                yield _Expected(f"{label}/depth {level}/splits", _SELECTIONS, 2**level, n_candidates)
            yield _Expected(f"{label}/leaves", ("laplace",), 1, 2 * 2**depth)


def _forest_releases(record: ModelRecord) -> Iterator[_Expected]:
    n_trees, n_classes = len(record.ensemble.trees), record.ensemble.n_classes
    partition, mechanism = record.parameters.get("partition"), record.parameters.get("mechanism")
    groups = [f"tree {t + 1}" for t in range(n_trees)] if partition == "shared" else [f"trees 1 to {n_trees}"]
    leaves = n_trees // len(groups) * 2 ** record.parameters["max_depth"]
    for label in groups:
        if mechanism == "exponential" and record.statement.epsilon is not None:
            yield _Expected(f"{label}/leaves", ("exponential",), leaves, n_classes)
        else:
            yield _Expected(f"{label}/leaves", ("laplace",), 1, leaves * n_classes)


# -- sensitivities


def _check_sensitivities(record: ModelRecord) -> None:
    """Raise if a release was calibrated to less than a row can change, as far as the trees tell.

    A row's weight is bounded by what the trees before it say, so the bound is recomputed from them.
    """
    releases = record.statement.releases
    if record.ensemble.combination == "vote":
        _require(releases, [WEIGHT_UNIT] * len(releases))
        return
    _require(releases, _boosted_bounds(record))


def _boosted_bounds(record: ModelRecord) -> list[int]:
    n_rows = record.plan.get("n_rows")
    if type(n_rows) is not int or n_rows < 1:
        raise ModelFileError("The model file's plan must hold 'n_rows', a whole number of 1 or more.")
    n_outputs = _n_outputs(record)
    per_output = len(record.ensemble.trees) // n_outputs
    caps = [WEIGHT_UNIT] * len(record.ensemble.trees)
    if record.ensemble.combination == "margin":
        caps = [cap for k in range(n_outputs) for cap in _weight_caps(record, k * per_output, per_output)]
    bounds: list[int] = []
    known: dict[tuple[Loss, int], int] = {}
    for cap, losses in zip(caps, _criteria(record), strict=True):
        for loss in losses:
            if loss is None:
                bounds.append(1)
                continue
            if (loss, cap) not in known:
                known[loss, cap] = score_sensitivity(loss, n_rows, cap, "exact")
            bounds.append(known[loss, cap])
        bounds.append(cap)
    return bounds


def _weight_caps(record: ModelRecord, start: int, n_trees: int) -> Iterator[int]:
    """Largest weight that a row can have when each tree is grown, given the trees before it."""
    ensemble = record.ensemble
    link, largest_score = MAlphaLoss(ensemble.alpha), 0.0
    for tree, weight in zip(
        ensemble.trees[start : start + n_trees], ensemble.weights[start : start + n_trees], strict=True
    ):
        yield math.ceil(float(link.inverse_link(largest_score)) * WEIGHT_UNIT)
        largest_score += float(np.abs(weight * tree.values).max())


def _criteria(record: ModelRecord) -> list[tuple[Loss | None, ...]]:
    """Return the criterion of each level of each tree; None for a user's own, which a file cannot hold."""
    n_trees, depth = len(record.ensemble.trees), record.parameters["max_depth"]
    if record.ensemble.combination == "probability":
        try:
            return [(get_loss(record.parameters["criterion"]),) * depth] * n_trees
        except (KeyError, ParameterError):
            return [(None,) * depth] * n_trees
    alphas = record.plan.get("alphas")
    if not _is_table(alphas, n_trees, depth):
        raise ModelFileError("The model file's plan must hold 'alphas', a number from 0 to 1 for each level of each tree.")
    stated = tuple(float(alpha) for _, alpha in record.statement.alphas)
    if stated != tuple(float(alpha) for levels in alphas for alpha in levels):
        raise VerificationError("The model file's plan states other alphas than its statement.")
    return [tuple(MAlphaLoss(float(alpha)) for alpha in levels) for levels in alphas]


def _is_table(alphas: Any, n_trees: int, depth: int) -> bool:
    if not isinstance(alphas, list) or len(alphas) != n_trees:
        return False
    if not all(isinstance(levels, list) and len(levels) == depth for levels in alphas):
        return False
    return all(type(alpha) in (int, float) and 0.0 <= alpha <= 1.0 for levels in alphas for alpha in levels)


def _require(releases: tuple[Event, ...], bounds: list[int]) -> None:
    for event, bound in zip(releases, bounds, strict=True):
        # One part in 10**9, and a unit, for machines whose elementary functions round differently.
        if event.sensitivity < bound * (1.0 - 1e-9) - 1.0:
            raise VerificationError(
                f"The release {event.label!r} was calibrated to a smaller change than one row can make."
            )
