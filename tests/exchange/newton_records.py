"""Records of Newton-boosted models made by hand, random trees and a ledger such as they take; and changes to them."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from privboost.data import Domain, Refinement, refine_layout
from privboost.ensembles.ensemble import Ensemble
from privboost.errors import ModelFileError, VerificationError
from privboost.exchange import ModelRecord, dumps
from privboost.privacy.accounting import Event, PlannedRelease
from privboost.privacy.calibration import calibrate_releases
from privboost.privacy.relation import PrivacyUnit
from privboost.privacy.scales import gaussian_scale, noise_scale
from privboost.privacy.statement import PrivacyStatement
from privboost.sources.objectives import get_objective
from privboost.trees.splitting import candidate_splits
from privboost.trees.tree import Tree

GRID = 2**16
EPSILON = 1.5
DELTA = 1e-6
N_ROUNDS, TREES_PER_ROUND, DEPTH = 3, 2, 2

CLASSES: dict[str, tuple[Any, ...]] = {"logistic": ("no", "yes"), "softmax": ("a", "b", "c")}
COMBINATIONS = {
    "logistic": "logit",
    "softmax": "softmax",
    "squared": "identity",
    "quantile": "identity",
    "poisson": "log",
    "gamma": "log",
}


def make_refinement(domain: Domain) -> Refinement:
    """Return other edges for both numbers, and an order for both lists, of the domain of these tests."""
    assert domain.names == ("âge", "share", "job", "grade", "member")
    edges = (np.array([18.5, 40.25, 65.5]), np.array([-0.05, 0.0, 1e-3]), None, None, None)
    return Refinement(edges, (None, None, np.array([3, 5, 1, 2, 4]), None, np.array([2, 3, 1])))


def make_trees(domain: Domain, refinement: Refinement | None, width: int, seed: int, shift: float) -> tuple[Tree, ...]:
    """Draw trees from the tests that the refined layout has."""
    layout = domain.layout(10)
    candidates = candidate_splits(layout if refinement is None else refine_layout(layout, refinement))
    generator = np.random.default_rng(seed)
    return tuple(
        Tree(
            DEPTH,
            candidates.take(generator.integers(len(candidates), size=2**DEPTH - 1)),
            generator.normal(shift, 0.05, (2**DEPTH, width)),
        )
        for _ in range(N_ROUNDS * TREES_PER_ROUND)
    )


def make_ensemble(objective: str, trees: tuple[Tree, ...], base: tuple[float, ...], reach: float) -> Ensemble:
    """Join trees as the objective demands."""
    vector = objective == "softmax"
    return Ensemble(
        COMBINATIONS[objective],
        len(CLASSES.get(objective, (0,))),
        trees,
        np.ones(len(trees)),
        np.full(len(trees), -1 if vector else 0),
        base=base,
        reach=reach,
    )


def make_shapes(objective: str, domain: Domain, base_share: float, histograms: bool) -> list[tuple[str, int, int]]:
    """List label, count and size of every release."""
    regression = objective not in CLASSES
    n_stats = 2 if regression else len(CLASSES[objective])
    shapes = [("target sums" if regression else "class counts", 1, n_stats)] if base_share else []
    if histograms:
        shapes.append(("histograms", 1, int(domain.layout(10).n_codes.sum()) * n_stats))
    size = 4 if objective == "softmax" else 2
    for r in range(N_ROUNDS):
        shapes += [(f"round {r + 1}/tree {k + 1}/leaves", 2**DEPTH, size) for k in range(TREES_PER_ROUND)]
    return shapes


def make_sensitivities(
    objective: Any, ensemble: Ensemble, n_attributes: int, counted: bool, histograms: bool, norm: Any, reach: float
) -> list[int]:
    """Return what one row changes each release by."""
    found = [GRID] * counted
    if histograms:
        found.append(n_attributes * GRID if norm == "l1" else math.ceil(math.sqrt(n_attributes) * GRID))
    base = np.array(ensemble.base)
    low = high = base
    for r in range(N_ROUNDS):
        interval = [np.minimum(np.maximum(end, base - reach), base + reach) for end in (low, high)]
        found += [objective.sensitivity(*interval, 1.0, norm)] * TREES_PER_ROUND
        for tree in ensemble.trees[r * TREES_PER_ROUND : (r + 1) * TREES_PER_ROUND]:
            low, high = low + tree.values.min(axis=0), high + tree.values.max(axis=0)
    return found


def make_events(shapes: list[tuple[str, int, int]], sensitivities: list[int], mechanism: Any) -> tuple[Event, ...]:
    """Divide the budget equally."""
    gaussian = mechanism == "gaussian"
    planned: tuple[PlannedRelease, ...] = tuple(
        PlannedRelease(
            label,
            mechanism,
            Fraction(0) if gaussian else Fraction(EPSILON) / len(shapes),
            count,
            "parallel" if count > 1 else "sequential",
            1,
            size,
            1.0 if gaussian else None,
        )
        for label, count, size in shapes
    )
    if gaussian:
        planned = calibrate_releases(planned, EPSILON, DELTA)
    scales = [
        0.0
        if mechanism == "none"
        else gaussian_scale(1, sensitivity, plan.noise_multiplier)
        if plan.noise_multiplier is not None
        else noise_scale(1, sensitivity, plan.epsilon)
        for plan, sensitivity in zip(planned, sensitivities, strict=True)
    ]
    return tuple(
        Event(p.label, p.mechanism, sensitivity, scale, 1, p.count, p.composition, p.size)
        for p, sensitivity, scale in zip(planned, sensitivities, scales, strict=True)
    )


def make_record(
    domain: Domain,
    objective: str = "logistic",
    mechanism: str = "laplace",
    *,
    base_share: float = 0.02,
    histograms: bool = True,
    refinement: Refinement | None = None,
    seed: int = 0,
    reach: float = 100.0,
    shift: float = 0.0,
    clip: float = 1.0,
    target_range: tuple[float, float] = (10.0, 250.0),
) -> ModelRecord:
    """Return a record that every check accepts; ``shift`` moves all leaves, ``clip`` bounds residuals or gradients."""
    if refinement is None and histograms:
        refinement = make_refinement(domain)
    classes = CLASSES.get(objective, ())
    n_outputs = 3 if objective == "softmax" else 1
    trees = make_trees(domain, refinement, n_outputs, seed, shift)
    loss = get_objective(
        objective, n_outputs, quantile=0.75, lowest=max(target_range[0] / target_range[1], 1e-300), clip=clip
    )
    start = (0.375,) if COMBINATIONS[objective] == "identity" else (-0.5, 0.25, 0.125)
    equal = tuple(float(b) for b in loss.base(np.ones(max(n_outputs, 2)), 0.0))
    base = start[:n_outputs] if base_share else equal
    ensemble = make_ensemble(objective, trees, base, reach)
    norm = "l2" if mechanism == "gaussian" else "l1"
    sensitivities = make_sensitivities(loss, ensemble, len(domain), base_share > 0, histograms, norm, reach)
    events = make_events(make_shapes(objective, domain, base_share, histograms), sensitivities, mechanism)
    epsilon = None if mechanism == "none" else EPSILON
    delta = DELTA if mechanism == "gaussian" else 0.0
    n_stats = len(classes) or 2
    parameters = {"epsilon": EPSILON, "delta": delta, "privacy": epsilon and "dp", "relation": "add-remove"}
    parameters |= {"rows_per_person": 1, "n_bins": 10, "max_depth": DEPTH, "quantile": 0.75}
    plan = {"n_rounds": N_ROUNDS, "trees_per_round": TREES_PER_ROUND, "max_depth": DEPTH, "base_share": base_share}
    plan |= {
        "histogram_share": 0.08 * histograms,
        "histograms": histograms,
        "kappa": 1.0,
        "learning_rate": 1e4,
        "leaf_clip": 1.0,
        "score_reach": reach,
        "residual_clip": clip,
        "objective": objective,
    }
    if classes and clip < 1.0:
        plan |= {"gradient_clip": clip, "residual_clip": 1.0}
    plan |= {"mechanism": "laplace" if mechanism == "none" else mechanism, "epsilon": epsilon, "delta": delta}
    plan |= {"n_rows": 200, "n_stats": n_stats, "reasons": ["n_rounds: as few as will do."]}
    return ModelRecord(
        learner="PrivateBoostingClassifier" if classes else "PrivateBoostingRegressor",
        parameters=parameters,
        n_bins=10,
        domain=domain,
        classes=classes,
        feature_names=domain.names,
        ensemble=ensemble,
        statement=PrivacyStatement(epsilon, PrivacyUnit(), True, epsilon is not None, events, delta=delta),
        plan=plan,
        refinement=refinement,
        target_range=None if classes else target_range,
    )


def refused(record: ModelRecord, error: type[ModelFileError] = VerificationError, match: str = ".") -> None:
    """Raise unless a record is refused, in one line."""
    with pytest.raises(error, match=match) as caught:
        dumps(record)
    assert "\n" not in str(caught.value)


def with_plan(record: ModelRecord, **facts: Any) -> ModelRecord:
    """Return a record with other facts in its plan."""
    return replace(record, plan=record.plan | facts)


def with_event(record: ModelRecord, index: int, **fields: Any) -> ModelRecord:
    """Change one release, but never so that it costs more: the scale grows with the sensitivity's change undone."""
    releases = list(record.statement.releases)
    known = {name: getattr(releases[index], name) for name in Event.__slots__}
    releases[index] = Event(**(known | fields))
    return replace(record, statement=replace(record.statement, releases=tuple(releases)))
