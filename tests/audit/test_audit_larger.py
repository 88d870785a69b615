"""Exact audits of larger learners: too many tables and transcripts to try all, so many of them at random."""

from __future__ import annotations

import pytest
from audit_cases import LARGER, Case


@pytest.mark.parametrize("case", LARGER, ids=repr)
def test_larger_learners_are_within_their_claim(case: Case) -> None:
    report = case.audit_at_random(n_pairs=25, seed=0)
    assert report.holds, report
    assert report.claim <= case.epsilon
    assert report.runs == 50
    assert report.attained > 0.0
