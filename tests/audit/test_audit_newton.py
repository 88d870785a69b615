"""Exact audits of the boosted learners of random trees, over every pair of neighbours of every tiny table."""

from __future__ import annotations

import mpmath
import pytest
from audit_newton_cases import (
    ADAPTIVE,
    DIRECTED,
    EXHAUSTIVE,
    FIXED_MOVES,
    NEWTON_LARGER,
    ONE_SELECTED,
    PERSONS,
    SELECTED,
    SMALLEST,
    VARIED,
    WEIGHTED,
    Case,
)

from privboost.auditing.laws import delta_of


@pytest.mark.parametrize("case", SMALLEST, ids=repr)
def test_one_tree_is_within_its_claim_and_comes_close(case: Case) -> None:
    report = case.audit()
    assert report.holds, report
    assert report.claim <= (case.delta if report.relaxed else case.epsilon)
    if case.relation == "add-remove":
        # With many classes, the bound takes the longest gradient and the largest curvature to be one row's.
        least = 0.8 if case.world.n_classes > 2 else 0.95
        assert report.bound >= least * report.claim, report
    elif report.relaxed:
        # Two steps are charged as if they moved the numbers the same way; a row that replaces another seldom does.
        assert report.bound > 1e-6 * report.claim, report
    else:
        assert report.attained >= 0.7 * report.claim, report


@pytest.mark.parametrize("case", FIXED_MOVES, ids=repr)
def test_a_delta_is_attained_where_no_outcome_matters(case: Case) -> None:
    report = case.audit()
    assert report.holds, report
    assert report.claim == case.delta
    assert report.attained > 0
    assert report.bound == pytest.approx(report.attained, rel=1e-6)  # they enclose what the lattice may change
    # With equal chances of three classes no row reaches the bound, which holds for any.
    assert report.tightness >= (0.2 if case.world.n_classes == 3 else 0.995), report


@pytest.mark.parametrize(
    "case", [*EXHAUSTIVE, *VARIED, *WEIGHTED, *DIRECTED, *PERSONS, *ONE_SELECTED, *SELECTED, *ADAPTIVE], ids=repr
)
def test_learners_are_within_their_claim(case: Case) -> None:
    report = case.audit()
    assert report.holds, report
    assert report.claim <= (case.delta if report.relaxed else case.epsilon)
    # An audit that sees next to nothing would pass anything.
    assert report.attained > (0.0 if report.relaxed else 0.25) * report.claim, report
    # A row moves tests that were drawn by less than the scores of others might move.
    enough = 0.04 if report.relaxed and "tests_per_node" in case.params else 0.5
    assert case.relation == "replace-one" or report.bound >= enough * report.claim, report


@pytest.mark.parametrize("case", NEWTON_LARGER, ids=repr)
def test_larger_learners_are_within_their_claim(case: Case) -> None:
    report = case.audit_at_random(n_pairs=25, seed=0)
    assert report.holds, report
    assert report.runs == 50
    assert report.attained > 0.0


def test_later_rounds_are_audited_at_many_different_scores() -> None:
    """The released leaves of the first round must have mattered: other scales and raw numbers follow."""
    for case in EXHAUSTIVE[1:]:
        table = case.tables()[5]
        runs = [case.run(table, transcript) for transcript in case.transcripts()]
        assert len({run.script.draws[-1].scale for run in runs}) >= 4
        assert len({run.script.draws[-1].raw.tobytes() for run in runs}) >= 6


def test_codes_are_audited_as_different_histograms_refine_them() -> None:
    for case in VARIED[:3]:
        runs = [case.run(case.tables()[5], transcript) for transcript in case.transcripts()]
        refined = case.params["histogram_share"] > 0
        assert (len({run.model[-2] for run in runs}) > 1) == refined


def test_weights_are_audited_below_at_and_above_the_public_largest() -> None:
    for case in WEIGHTED:
        weights, largest = case.world.weights, case.params.get("max_sample_weight", 1.0)
        assert not weights or min(weights) < largest < max(weights)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 8.0])
@pytest.mark.parametrize("mu", [0.01, 0.3, 1.0, 4.0])
def test_the_curve_used_here(epsilon: float, mu: float) -> None:
    """The hockey-stick divergence of two normal laws ``mu`` apart, by integration."""

    def excess(x: float) -> mpmath.mpf:
        return mpmath.npdf(x) - mpmath.exp(epsilon) * mpmath.npdf(x, -mu)

    with mpmath.workdps(30):
        start = epsilon / mu - mu / 2  # from there on the first density is more than exp(epsilon) times the second
        exact = mpmath.quad(excess, [start, start + 1, start + 10, mpmath.inf])
    assert delta_of(epsilon, mu) == pytest.approx(float(exact), rel=1e-9, abs=1e-17)
