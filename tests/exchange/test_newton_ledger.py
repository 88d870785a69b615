"""The ledger of a Newton-boosted model: what it must list, and what each release must be calibrated to."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from newton_records import GRID, refused, with_event, with_plan

from privboost.data import Refinement
from privboost.errors import ModelFileError
from privboost.exchange import ModelRecord, dumps, loads
from privboost.trees.tree import Tree


def test_reordered_categories_need_a_release(newton: Any, all_records: dict[str, ModelRecord]) -> None:
    refinement = all_records["logistic"].refinement
    record = newton("logistic", histograms=False, refinement=refinement)
    assert [event.label for event in record.statement.releases][:2] == ["class counts", "round 1/tree 1/leaves"]
    refused(record, match="reordered, but no release")
    # Other edges, and the public order itself, need none.
    identity = Refinement(refinement.edges, (None, None, np.arange(1, 6), None, np.arange(1, 4)))
    assert loads(dumps(newton("logistic", histograms=False, refinement=identity))).refinement is not None
    # Nor can the release just be taken out of the ledger.
    record = all_records["logistic"]
    shorter = tuple(event for event in record.statement.releases if event.label != "histograms")
    refused(replace(record, statement=replace(record.statement, releases=shorter)), match="lists 7 releases")
    refused(with_plan(replace(record, statement=replace(record.statement, releases=shorter)), histograms=False))


def test_a_base_score_needs_a_release(newton: Any) -> None:
    record = newton("logistic", base_share=0.0)
    assert dumps(record)
    refused(replace(record, ensemble=replace(record.ensemble, base=(0.1,))), match="no release")


@pytest.mark.parametrize("name", ["logistic", "softmax", "gamma-gaussian", "squared-exact"])
def test_the_ledger_lists_every_release_in_order(name: str, all_records: dict[str, ModelRecord]) -> None:
    record = all_records[name]
    releases = record.statement.releases
    first = "class counts" if record.classes else "target sums"
    rounds = [f"round {r}/tree {k}/leaves" for r in (1, 2, 3) for k in (1, 2)]
    assert [event.label for event in releases] == [first, "histograms", *rounds]
    n_stats = len(record.classes) or 2
    # Codes of âge, share, job, grade and member, "missing" and "not listed" among them.
    n_cells = 11 + 11 + 6 + 5 + 4
    assert [event.size for event in releases] == [n_stats, n_cells * n_stats, *[record.ensemble.n_outputs + 1] * 6]
    for other in (releases[1:], releases[:-1], releases[::-1], (releases[1], releases[0], *releases[2:])):
        refused(replace(record, statement=replace(record.statement, releases=tuple(other))))
    for index, event in enumerate(releases):
        refused(with_event(record, index, label=event.label + "x"))
        refused(with_event(record, index, size=event.size - 1))
    if record.statement.epsilon is not None and name != "gamma-gaussian":
        refused(with_event(record, 2, count=2))
        refused(with_event(record, 2, composition="sequential", scale=releases[2].scale * 4))


def test_all_noise_is_of_one_kind(all_records: dict[str, ModelRecord]) -> None:
    record = all_records["logistic"]
    wide = with_event(record, 2, mechanism="permute-and-flip")
    refused(wide)
    exact = all_records["logistic-exact"]
    assert dumps(exact)
    refused(with_event(exact, 2, mechanism="laplace", scale=1e9))


@pytest.mark.parametrize(
    "name", ["logistic", "softmax", "squared", "quantile", "poisson", "gamma", "logistic-gaussian", "gamma-gaussian"]
)
def test_a_release_for_less_than_one_row_is_refused(name: str, all_records: dict[str, ModelRecord]) -> None:
    record = all_records[name]
    for index, event in enumerate(record.statement.releases):
        less = with_event(record, index, sensitivity=math.floor(event.sensitivity * 0.99))
        refused(less, match="calibrated to less than one row can change")
        # More than necessary is safe.
        assert dumps(with_event(record, index, sensitivity=event.sensitivity + 9, scale=event.scale * 2))


def test_the_bounds_are_those_of_the_formulas(all_records: dict[str, ModelRecord]) -> None:
    record = all_records["logistic"]
    q = 1.0 / (1.0 + math.exp(-0.5))  # the base score is -0.5: a row of the second class is missed by this
    found = [event.sensitivity for event in record.statement.releases]
    assert found[:2] == [GRID, 5 * GRID]
    assert found[2] == pytest.approx((q + q * (1 - q)) * GRID, abs=3)
    assert found[2] == found[3]
    trees = record.ensemble.trees[:2]
    low = -0.5 + sum(float(tree.values.min()) for tree in trees)
    high = -0.5 + sum(float(tree.values.max()) for tree in trees)
    q = 1.0 / (1.0 + math.exp(-max(-low, high)))
    assert found[4] == pytest.approx((q + q * (1 - q)) * GRID, abs=3)
    gaussian = [event.sensitivity for event in all_records["logistic-gaussian"].statement.releases]
    assert gaussian[:2] == [GRID, math.ceil(math.sqrt(5) * GRID)]
    q = 1.0 / (1.0 + math.exp(-0.5))
    assert gaussian[2] == pytest.approx(math.hypot(q, q * (1 - q)) * GRID, abs=3)


@pytest.mark.parametrize("name", ["logistic", "softmax", "squared", "poisson", "gamma"])
def test_larger_leaves_before_demand_more_noise_after(name: str, all_records: dict[str, ModelRecord]) -> None:
    record = all_records[name]
    tree = record.ensemble.trees[0]
    values = tree.values.copy()
    values[0] -= 3.0
    values[1] += 3.0
    changed = (Tree(tree.depth, tree.splits, values), *record.ensemble.trees[1:])
    refused(replace(record, ensemble=replace(record.ensemble, trees=changed)), match="'round 2/tree 1/leaves'")
    # The last round's leaves bound nothing.
    last = (*record.ensemble.trees[:-1], Tree(tree.depth, tree.splits, values))
    assert dumps(replace(record, ensemble=replace(record.ensemble, trees=last)))


@pytest.mark.parametrize("name", ["logistic", "softmax", "squared", "poisson", "gamma"])
@pytest.mark.parametrize(("reach", "shift"), [(0.0, 0.0), (0.05, 0.0), (0.0, 0.3), (0.1, 0.3), (0.1, -0.3)])
def test_scores_out_of_reach_count_as_its_end(name: str, reach: float, shift: float, newton: Any) -> None:
    record = newton(name, reach=reach, shift=shift)
    assert dumps(record)
    if name == "softmax" or (name == "squared" and shift < 0.0):
        return
    # With every leaf above (or below) the base, scores are all at the same end, and gradients at that end.
    wide = [event.sensitivity for event in newton(name, shift=shift).statement.releases]
    near = [event.sensitivity for event in record.statement.releases]
    assert near[:4] == wide[:4]
    if reach == 0.0:
        assert len(set(near[2:])) == 1
    if shift == 0.0:
        assert near[-1] <= wide[-1]


def test_a_base_further_out_demands_more_noise(all_records: dict[str, ModelRecord]) -> None:
    record = all_records["logistic"]
    further = replace(record.ensemble, base=(-2.0,))
    refused(replace(record, ensemble=further), match="'round 1/tree 1/leaves'")


def test_a_range_that_the_objective_cannot_have_is_refused(all_records: dict[str, ModelRecord]) -> None:
    record = all_records["gamma"]
    refused(replace(record, target_range=(0.0, 250.0)), ModelFileError, "start above 0")
    refused(replace(record, target_range=(-1.0, 250.0)), ModelFileError, "not start below 0")
    refused(replace(all_records["poisson"], target_range=(-1.0, 250.0)), ModelFileError, "not start below 0")
    assert dumps(replace(all_records["squared"], target_range=(-20.0, -10.0)))


def test_a_noise_free_model_has_no_bound_to_keep(all_records: dict[str, ModelRecord]) -> None:
    record = all_records["squared-exact"]
    assert dumps(with_event(record, 3, sensitivity=1))
    assert not loads(dumps(record)).statement.private


def test_a_tiny_low_end_of_the_range_is_accepted(newton: Any) -> None:
    # The ratio of the ends, which is 0 in this arithmetic, is held off it; ratios that count end far earlier.
    record = newton("gamma", target_range=(5e-324, 250.0))
    assert loads(dumps(record)).target_range == (5e-324, 250.0)


# -- the reach of the scores, and the largest residual


@pytest.mark.parametrize("name", ["logistic", "softmax", "poisson", "gamma"])
def test_a_longer_reach_demands_more_noise(name: str, newton: Any) -> None:
    record = newton(name, reach=0.01)
    assert dumps(record)
    refused(with_plan(record, score_reach=1.0), match="not reach as far")
    refused(replace(record, ensemble=replace(record.ensemble, reach=1.0)), match="not reach as far")
    longer = with_plan(replace(record, ensemble=replace(record.ensemble, reach=1.0)), score_reach=1.0)
    refused(longer, match="'round 2/tree 1/leaves' was calibrated to less")
    # What was calibrated to more than such a reach takes is safe.
    shorter = with_plan(replace(record, ensemble=replace(record.ensemble, reach=0.0)), score_reach=0.0)
    assert dumps(shorter)


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
def test_a_larger_residual_demands_more_noise(mechanism: str, newton: Any) -> None:
    record = newton("squared", mechanism, clip=0.125)
    assert dumps(record)
    norm = 1.125 if mechanism == "laplace" else math.hypot(0.125, 1.0)
    assert [event.sensitivity for event in record.statement.releases][2:] == pytest.approx([norm * GRID] * 6, abs=3)
    for clip in (0.15, 0.5, 1.0):
        refused(with_plan(record, residual_clip=clip), match="'round 1/tree 1/leaves' was calibrated to less")
    assert dumps(with_plan(record, residual_clip=0.0625))
    # Gradients of other losses have no such limit.
    assert dumps(with_plan(newton("poisson", mechanism), residual_clip=0.125))


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
@pytest.mark.parametrize("objective", ["logistic", "softmax"])
def test_a_larger_gradient_demands_more_noise(objective: str, mechanism: str, newton: Any) -> None:
    record = newton(objective, mechanism, clip=0.55)
    assert dumps(record)
    assert dumps(with_plan(record, gradient_clip=0.5))
    for clip in (0.6, 1.0):
        refused(with_plan(record, gradient_clip=clip), match="leaves' was calibrated to less")
    without = {name: value for name, value in record.plan.items() if name != "gradient_clip"}
    refused(replace(record, plan=without), match="leaves' was calibrated to less")
    # Residuals of numbers are something else.
    assert dumps(with_plan(record, residual_clip=0.125))


def test_residuals_beyond_those_of_the_range_do_not_matter(newton: Any) -> None:
    # From a base of 3/8 on, residuals in the first round reach 5/8; in later ones the leaves add to that.
    record = newton("squared", clip=0.625)
    refused(with_plan(record, residual_clip=1.0), match="'round 2/tree 1/leaves' was calibrated to less")
