"""Exact audits of single private trees with every criterion, and of one learner for each of several classes."""

from __future__ import annotations

import pytest
from audit_cases import MULTI_CLASS, SMALLEST_TREES, TREES, Case


@pytest.mark.parametrize("case", SMALLEST_TREES, ids=repr)
def test_a_tree_of_depth_one_is_within_its_claim_and_comes_close(case: Case) -> None:
    report = case.audit()
    assert report.holds, report
    assert report.claim <= case.epsilon
    assert report.tightness >= 0.6, report


@pytest.mark.parametrize("case", [*TREES, *MULTI_CLASS], ids=repr)
def test_trees_are_within_their_claim(case: Case) -> None:
    report = case.audit()
    assert report.holds, report
    assert report.claim <= case.epsilon
    assert report.tightness >= 0.25, report
