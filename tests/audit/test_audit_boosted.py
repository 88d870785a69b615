"""Exact audits of the boosted combination, over every pair of neighbours of every tiny table."""

from __future__ import annotations

import pytest
from audit_cases import DEPTH_TWO, SMALL_BOOSTED, SMALLEST_BOOSTED, TWO_TREES, Case


@pytest.mark.parametrize("case", SMALLEST_BOOSTED, ids=repr)
def test_one_tree_of_depth_one_is_within_its_claim_and_comes_close(case: Case) -> None:
    report = case.audit()
    print('REP', case, report, report.tightness)
    assert report.holds, report
    assert report.claim <= case.epsilon
    if case.params["sensitivity"] == "exact":
        assert report.tightness >= 0.6, report


@pytest.mark.parametrize("case", [*SMALL_BOOSTED, *TWO_TREES, *DEPTH_TWO], ids=repr)
def test_boosted_trees_are_within_their_claim(case: Case) -> None:
    report = case.audit()
    print('REP', case, report, report.tightness)
    assert report.holds, report
    assert report.claim <= case.epsilon
    assert report.tightness >= 0.25, report
