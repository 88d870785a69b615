"""What the trees of a model must have released, worked out from the trees alone, against what its ledger lists.

A ledger that adds up is not enough: it must also list every release that such trees take, and calibrate each to at
least the change that one row can make. The code that planned and trained the model has no part in this.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from privboost.errors import ModelFileError, ParameterError, VerificationError
from privboost.exchange.record import ModelRecord
from privboost.losses import Loss, MAlphaLoss, ZeroOneLoss, get_loss
from privboost.trees.splitting import candidate_splits, score_sensitivity

__all__ = ["WEIGHT_UNIT", "check_ledger", "check_sensitivities"]

WEIGHT_UNIT = 2**16
"""Integer units of a row weight of 1, in format 1."""

_SELECTIONS = ("permute-and-flip", "exponential")


@dataclass(frozen=True)
class _Expected:
    """The public facts of one release that the trees imply."""

    label: str
    mechanisms: tuple[str, ...]
    count: int
    size: int


def check_ledger(record: ModelRecord) -> None:
    """Raise unless the ledger lists exactly the releases that these trees take, in order.

    Parameters
    ----------
    record : ModelRecord

    Raises
    ------
    VerificationError
        If a release is absent, added, out of place or of another kind.
    """
    releases = record.statement.releases
    expected = list(_forest_releases(record) if record.ensemble.combination == "vote" else _boosted_releases(record))
    if len(releases) != len(expected):
        raise VerificationError(f"The ledger lists {len(releases)} releases; these trees take {len(expected)}.")
    for event, wanted in zip(releases, expected, strict=True):
        if event.label != wanted.label:
            raise VerificationError(f"The ledger lacks the release {wanted.label!r} where it should stand.")
        mechanisms = ("none",) if record.statement.epsilon is None else wanted.mechanisms
        if event.mechanism not in mechanisms or (event.count, event.size) != (wanted.count, wanted.size):
            raise VerificationError(f"The ledger's entry {wanted.label!r} is not what such a tree releases.")


def _boosted_releases(record: ModelRecord) -> Iterator[_Expected]:
    """For each output and tree: the tests of each level, then the leaves' class sums."""
    n_candidates = len(candidate_splits(record.domain.layout(record.n_bins)))
    for output in range(record.n_outputs):
        prefix = f"class {output + 1} against the rest/" if record.n_outputs > 1 else ""
        for t in range(len(record.ensemble.trees) // record.n_outputs):
            label = f"{prefix}tree {t + 1}"
            for level in range(record.depth):
                yield _Expected(f"{label}/depth {level}/splits", _SELECTIONS, 2**level, n_candidates)
            yield _Expected(f"{label}/leaves", ("laplace",), 1, 2 * 2**record.depth)


def _forest_releases(record: ModelRecord) -> Iterator[_Expected]:
    """Leaves of all trees at once where each row went to one tree, else tree by tree; structure costs nothing."""
    n_trees, n_classes = len(record.ensemble.trees), record.ensemble.n_classes
    shared = record.parameters.get("partition") == "shared"
    groups = [f"tree {t + 1}" for t in range(n_trees)] if shared else [f"trees 1 to {n_trees}"]
    leaves = n_trees // len(groups) * 2**record.depth
    selecting = record.parameters.get("mechanism") == "exponential" and record.statement.epsilon is not None
    for label in groups:
        if selecting:
            yield _Expected(f"{label}/leaves", ("exponential",), leaves, n_classes)
        else:
            yield _Expected(f"{label}/leaves", ("laplace",), 1, leaves * n_classes)


def check_sensitivities(record: ModelRecord) -> None:
    """Raise if a release was calibrated to less than one row can change, as far as the trees tell.

    A row counts for 1 in a forest and in a single tree. In a boosted ensemble its weight is at most what the trees
    before allow, which is recomputed from their leaves; the sensitivity of a split's criterion follows from that bound,
    the public number of rows and the recorded alpha.

    Parameters
    ----------
    record : ModelRecord
        One that `check_ledger` accepted, with an epsilon.

    Raises
    ------
    ModelFileError
        If the plan lacks the number of rows.
    VerificationError
        If a sensitivity in the ledger is too small.
    """
    releases = record.statement.releases
    forest = record.ensemble.combination == "vote"
    bounds = [WEIGHT_UNIT] * len(releases) if forest else _boosted_bounds(record)
    for event, bound in zip(releases, bounds, strict=True):
        # One part in 10**9, and a unit, for machines whose elementary functions round differently.
        if event.sensitivity < bound * (1.0 - 1e-9) - 1.0:
            raise VerificationError(f"The release {event.label!r} was calibrated to less than one row can change.")


def _boosted_bounds(record: ModelRecord) -> list[int]:
    n_rows = record.plan.get("n_rows")
    if type(n_rows) is not int or not 1 <= n_rows < 2**52 // WEIGHT_UNIT:
        raise ModelFileError("The model's plan must hold 'n_rows', a whole number that training could have had.")
    if record.ensemble.combination == "margin":
        caps = list(_weight_caps(record))
    else:
        caps = [WEIGHT_UNIT] * len(record.ensemble.trees)
    bounds: list[int] = []
    known: dict[tuple[Loss, int], int] = {}
    for cap, losses in zip(caps, _criteria(record), strict=True):
        for loss in losses:
            if (loss, cap) not in known:
                known[loss, cap] = score_sensitivity(loss, n_rows, cap, "exact")
            bounds.append(known[loss, cap])
        bounds.append(cap)
    return bounds


def _weight_caps(record: ModelRecord) -> Iterator[int]:
    """Largest weight that a row can have when each tree is grown, given the trees of its output before it."""
    ensemble = record.ensemble
    link = MAlphaLoss(ensemble.alpha)
    largest_score, current = 0.0, -1
    for tree, weight, output in zip(ensemble.trees, ensemble.weights, ensemble.outputs, strict=True):
        if output != current:
            largest_score, current = 0.0, output
        yield math.ceil(float(link.inverse_link(largest_score)) * WEIGHT_UNIT)
        largest_score += float(np.abs(weight * tree.values).max())


def _criteria(record: ModelRecord) -> list[tuple[Loss, ...]]:
    """Return the criterion of each level of each tree; the cheapest there is where the file does not tell which.

    Every concave Bayes risk L with L(1/2) = 1 lies on or above that of the zero-one loss, and so does its sensitivity.
    """
    if record.ensemble.combination == "margin":
        return [tuple(MAlphaLoss(alpha) for alpha in levels) for levels in record.plan["alphas"]]
    try:
        loss = get_loss(str(record.parameters.get("criterion")))
    except ParameterError:
        loss = ZeroOneLoss()
    return [(loss,) * record.depth] * len(record.ensemble.trees)
