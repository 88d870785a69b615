"""Mechanisms, their costs, and the statement of what is guaranteed. No row passes through here but by a mechanism."""

from __future__ import annotations

from privboost.privacy.accounting import (
    Event,
    Ledger,
    PlannedRelease,
    check_epsilon,
    divide_budget,
    noise_scale,
    total_cost,
)
from privboost.privacy.distributions import discrete_laplace_pmf, discrete_laplace_std, selection_probabilities
from privboost.privacy.mechanisms import Exact, Laplace, RawScores, RawSums, Released, Select
from privboost.privacy.randomness import Randomness, SecureRandomness, SimulatedRandomness, make_randomness
from privboost.privacy.relation import PrivacyUnit
from privboost.privacy.statement import PrivacyStatement, split_bars
from privboost.privacy.verify import VerificationReport, verify_statement

__all__ = [
    "Event",
    "Exact",
    "Laplace",
    "Ledger",
    "PlannedRelease",
    "PrivacyStatement",
    "PrivacyUnit",
    "Randomness",
    "RawScores",
    "RawSums",
    "Released",
    "SecureRandomness",
    "Select",
    "SimulatedRandomness",
    "VerificationReport",
    "check_epsilon",
    "discrete_laplace_pmf",
    "discrete_laplace_std",
    "divide_budget",
    "make_randomness",
    "noise_scale",
    "selection_probabilities",
    "split_bars",
    "total_cost",
    "verify_statement",
]
