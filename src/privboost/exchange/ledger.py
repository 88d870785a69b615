"""What the trees of a model must have released, worked out from the trees alone, against what its ledger lists.

A ledger that adds up is not enough: it must also list every release that such trees take, and calibrate each to at
least the change that one row can make. The code that planned and trained the model has no part in this.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from privboost.ensembles.ensemble import REGRESSION
from privboost.ensembles.temperature import N_SCORE_BINS
from privboost.errors import ModelFileError, ParameterError, VerificationError
from privboost.exchange.newton import NEWTON, newton_facts
from privboost.exchange.record import ModelRecord
from privboost.losses import Loss, MAlphaLoss, ZeroOneLoss, get_loss
from privboost.privacy.mechanisms import Norm
from privboost.trees.splitting import candidate_splits, score_sensitivity

__all__ = ["WEIGHT_UNIT", "check_ledger", "check_sensitivities"]

WEIGHT_UNIT = 2**16
"""Integer units of a row weight of 1, in every format."""

_SELECTIONS = ("permute-and-flip", "exponential")
_NOISES = ("laplace", "gaussian")


@dataclass(frozen=True)
class _Expected:
    """The public facts of one release that the trees imply."""

    label: str
    mechanisms: tuple[str, ...]
    count: int
    size: int
    composition: str | None = None
    """None where the cost does not depend on it, or any that the ledger states is sound."""


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
    expected = list(_expected_releases(record))
    if len(releases) != len(expected):
        raise VerificationError(f"The ledger lists {len(releases)} releases; these trees take {len(expected)}.")
    for event, wanted in zip(releases, expected, strict=True):
        if event.label != wanted.label:
            raise VerificationError(f"The ledger lacks the release {wanted.label!r} where it should stand.")
        mechanisms = ("none",) if record.statement.epsilon is None else wanted.mechanisms
        alike = (event.count, event.size) == (wanted.count, wanted.size)
        if wanted.composition is not None:
            alike = alike and event.composition == wanted.composition
        if event.mechanism not in mechanisms or not alike:
            raise VerificationError(f"The ledger's entry {wanted.label!r} is not what such a tree releases.")


def _expected_releases(record: ModelRecord) -> Iterator[_Expected]:
    if record.ensemble.combination in NEWTON:
        return _newton_releases(record)
    return _forest_releases(record) if record.ensemble.combination == "vote" else _boosted_releases(record)


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


def _newton_releases(record: ModelRecord) -> Iterator[_Expected]:
    """Class counts, then one-way histograms, as far as the plan has them; tree by tree its tests and leaves; scores."""
    facts, ensemble = newton_facts(record), record.ensemble
    mechanisms = tuple(name for name in _NOISES if name == facts.mechanism)
    regression = ensemble.combination in REGRESSION
    n_stats = 2 if regression else ensemble.n_classes
    if facts.counted:
        yield _Expected("target sums" if regression else "class counts", mechanisms, 1, n_stats)
    if facts.histograms:
        n_cells = int(record.domain.layout(record.n_bins).n_codes.sum())  # of the public layout
        yield _Expected("histograms", mechanisms, 1, n_cells * n_stats)
    for r in range(facts.n_rounds):
        for k in range(facts.trees_per_round):
            label = f"round {r + 1}/tree {k + 1}"
            for level in range(record.depth if facts.n_tests > 1 else 0):
                yield _Expected(f"{label}/depth {level}/splits", _SELECTIONS, 2**level, facts.n_tests)
            yield _Expected(f"{label}/leaves", mechanisms, 2**record.depth, ensemble.n_outputs + 1, "parallel")
    if facts.calibrated:
        yield _Expected("scores", mechanisms, 1, N_SCORE_BINS * n_stats)


def check_sensitivities(record: ModelRecord) -> None:
    """Raise if a release was calibrated to less than one row can change, as far as the trees tell.

    A row counts for 1 in a forest and in a single tree. In a boosted ensemble its weight is at most what the trees
    before allow, which is recomputed from their leaves; the sensitivity of a split's criterion follows from that bound,
    the public number of rows and the recorded alpha. Where trees take Newton steps, the leaves of the rounds before
    give the interval of the scores, and that the largest gradient.

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
    if record.ensemble.combination in NEWTON:
        bounds = _newton_bounds(record)
    elif record.ensemble.combination == "vote":
        bounds = [WEIGHT_UNIT] * len(releases)
    else:
        bounds = _boosted_bounds(record)
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


def _newton_bounds(record: ModelRecord) -> list[int]:
    """Return the bound of every release, in L1 norm for Laplace noise and in L2 norm for Gaussian noise."""
    facts, ensemble = newton_facts(record), record.ensemble
    norm: Norm = "l2" if facts.mechanism == "gaussian" else "l1"
    n_attributes = len(record.domain)
    # A row changes one cell of each attribute's histogram.
    squares = n_attributes * WEIGHT_UNIT**2
    histograms = math.isqrt(squares - 1) + 1 if norm == "l2" else n_attributes * WEIGHT_UNIT
    bounds = [WEIGHT_UNIT] * facts.counted + [histograms] * facts.histograms
    base = np.array(ensemble.base or (0.0,) * ensemble.n_outputs)
    lowest, highest = base - facts.score_reach, base + facts.score_reach
    low, high = base.copy(), base.copy()
    for start in range(0, len(ensemble.trees), facts.trees_per_round):
        # All trees of a round are grown on the gradients at the scores before it. Both ends are clipped on both sides:
        # where every score lies out of reach, all of them count as the same end.
        interval = np.clip(low, lowest, highest), np.clip(high, lowest, highest)
        # A row moves the scores of all tests the same way, by at most twice its gradients' norm.
        tests = [2 * facts.objective.sensitivity(*interval, 0.0, "l1")] * (record.depth if facts.n_tests > 1 else 0)
        leaves = facts.objective.sensitivity(*interval, facts.kappa, norm)
        bounds += [*tests, leaves] * facts.trees_per_round
        for tree in ensemble.trees[start : start + facts.trees_per_round]:
            low += tree.values.min(axis=0)
            high += tree.values.max(axis=0)
    # A row stands in one bin of the score.
    return bounds + [WEIGHT_UNIT] * facts.calibrated
