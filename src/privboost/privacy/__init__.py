"""Mechanisms, their costs, and the statement of what is guaranteed. No row passes through here but by a mechanism."""

from __future__ import annotations

from privboost.privacy.accounting import Event, Ledger, PlannedRelease, total_cost
from privboost.privacy.amounts import check_delta, check_epsilon
from privboost.privacy.budget import Budget
from privboost.privacy.calibration import calibrate_gaussian, calibrate_mixed, calibrate_releases, divide_budget
from privboost.privacy.composition import covers, epsilon_to_delta, total_privacy
from privboost.privacy.distributions import (
    discrete_gaussian_pmf,
    discrete_laplace_pmf,
    discrete_laplace_std,
    selection_probabilities,
)
from privboost.privacy.gaussian import MIN_GAUSSIAN_SCALE, gdp_delta, gdp_epsilon, gdp_mu
from privboost.privacy.mechanisms import Exact, Gaussian, Laplace, RawScores, RawSums, Released, Select
from privboost.privacy.randomness import Randomness, SecureRandomness, SimulatedRandomness, make_randomness
from privboost.privacy.relation import PrivacyUnit
from privboost.privacy.scales import gaussian_scale, noise_scale
from privboost.privacy.search_cost import SearchCost
from privboost.privacy.statement import PrivacyStatement, split_bars
from privboost.privacy.tries import TriesLaw
from privboost.privacy.verify import VerificationReport, verify_statement

__all__ = [
    "MIN_GAUSSIAN_SCALE",
    "Budget",
    "Event",
    "Exact",
    "Gaussian",
    "Laplace",
    "Ledger",
    "PlannedRelease",
    "PrivacyStatement",
    "PrivacyUnit",
    "Randomness",
    "RawScores",
    "RawSums",
    "Released",
    "SearchCost",
    "SecureRandomness",
    "Select",
    "SimulatedRandomness",
    "TriesLaw",
    "VerificationReport",
    "calibrate_gaussian",
    "calibrate_mixed",
    "calibrate_releases",
    "check_delta",
    "check_epsilon",
    "covers",
    "discrete_gaussian_pmf",
    "discrete_laplace_pmf",
    "discrete_laplace_std",
    "divide_budget",
    "epsilon_to_delta",
    "gaussian_scale",
    "gdp_delta",
    "gdp_epsilon",
    "gdp_mu",
    "make_randomness",
    "noise_scale",
    "selection_probabilities",
    "split_bars",
    "total_cost",
    "total_privacy",
    "verify_statement",
]
