"""Exact audits of the boosted combination, over every pair of neighbours of every tiny table."""

from __future__ import annotations

import pytest
from audit_cases import DEPTH_TWO, SMALL_BOOSTED, SMALLEST_BOOSTED, TWO_TREES, Case


@pytest.mark.parametrize("case", SMALLEST_BOOSTED, ids=repr)
def test_one_tree_of_depth_one_is_within_its_claim_and_comes_close(case: Case) -> None:
    report = case.audit()
    assert report.holds, report
    assert report.claim <= case.epsilon
    assert report.tightness >= 0.6, report


@pytest.mark.parametrize("case", [*SMALL_BOOSTED, *TWO_TREES, *DEPTH_TWO], ids=repr)
def test_boosted_trees_are_within_their_claim(case: Case) -> None:
    report = case.audit()
    assert report.holds, report
    assert report.claim <= case.epsilon
    assert report.tightness >= 0.25, report  # an audit that sees next to nothing would pass anything


def test_the_second_tree_is_audited_on_many_different_weights() -> None:
    """The released leaves of the first tree must have mattered: different scales, alphas and raw numbers follow."""
    case = TWO_TREES[0]
    table = case.tables()[5]
    runs = [case.run(table, transcript) for transcript in case.transcripts()]
    assert len({run.script.draws[3].scale for run in runs}) >= 4
    assert len({run.script.draws[3].raw.tobytes() for run in runs}) >= 10
    assert len({run.model[-1].weight_bounds[1] for run in runs}) >= 4


def test_calibration_is_audited_at_its_ends_and_between() -> None:
    cases = [
        case for case in (*SMALLEST_BOOSTED, *SMALL_BOOSTED, *TWO_TREES, *DEPTH_TWO) if case.model.alpha == "calibrated"
    ]
    alphas = {case.run(case.tables()[0], next(case.transcripts())).model[-1].alphas[0][0] for case in cases}
    assert {0.0, 1.0} < alphas
