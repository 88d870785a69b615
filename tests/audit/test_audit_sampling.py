"""An audit from outside: thousands of private fits, with secure noise, of the smallest boosted learner.

On two neighbouring tables the chance of one event is bounded by Clopper-Pearson intervals; the logarithm of their
quotient is a lower bound on epsilon, wrong with probability 1e-9 at most. The claim must not be below it. With two
fifths of the noise the same audit must find more than the claim.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import beta, binom

from privboost import BDPEClassifier, Domain, Numeric
from privboost.privacy import SecureRandomness

EPSILON = 1.5
FALSE_ALARM = 1e-9
TOO_LITTLE = 0.4
NOT_VACUOUS = 0.2
# Fits without and with the row, for the audit of the learner as it is and of the one with too little noise.
FITS, MORE_FITS = (700, 900), (600, 1400)

# One negative row at the low end; the neighbour has a positive one in the middle bin, which only the first threshold
# keeps apart from it. Nearly all of the budget is the choice of the threshold: the event is that the second is taken.
X = np.array([[0.1], [0.5]])
WITHOUT, WITH = np.array([0, 9]), np.array([0, 1])


def count_events(y: np.ndarray, fits: int) -> int:
    model = BDPEClassifier(
        EPSILON, n_trees=1, max_depth=1, split_share=0.99, n_bins=3, domain=Domain({"u": Numeric(0, 1)}), classes=[0, 1]
    )
    hits = 0
    for _ in range(fits):
        model.fit(X, y)
        hits += int(model.ensemble_.trees[0].splits.first[0] == 3)
    assert model.is_private_
    return hits


def lower_bounds(fits: tuple[int, int]) -> np.ndarray:
    """Largest epsilon that the counts [without, with] rule out, but for a chance of `FALSE_ALARM`."""
    alpha = FALSE_ALARM / 2
    without, with_ = np.arange(1, fits[0] + 1), np.arange(fits[1])
    at_least = np.concatenate([[0.0], beta.ppf(alpha, without, fits[0] - without + 1)])
    at_most = np.concatenate([beta.ppf(1.0 - alpha, with_ + 1, fits[1] - with_), [1.0]])
    with np.errstate(divide="ignore"):
        return np.log(at_least)[:, None] - np.log(at_most)


def audit(fits: tuple[int, int]) -> float:
    return float(lower_bounds(fits)[count_events(WITHOUT, fits[0]), count_events(WITH, fits[1])])


def test_the_claim_is_not_below_what_the_fits_show() -> None:
    assert NOT_VACUOUS < audit(FITS) <= EPSILON


def test_too_little_noise_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("laplace", "select"):
        draw = getattr(SecureRandomness, name)

        def quieter(self: Any, values: Any, scale: float, *rest: Any, draw: Any = draw) -> Any:
            return draw(self, values, TOO_LITTLE * scale, *rest)

        monkeypatch.setattr(SecureRandomness, name, quieter)
    assert audit(MORE_FITS) > EPSILON


@pytest.mark.parametrize(
    ("scale", "fits", "at_least", "at_most"),
    [(1.0, FITS, NOT_VACUOUS, EPSILON), (TOO_LITTLE, MORE_FITS, EPSILON, math.inf)],
)
def test_the_number_of_fits_is_enough(scale: float, fits: tuple[int, int], at_least: float, at_most: float) -> None:
    """By the exact law of the counts, the two tests above fail by chance less than once in 10**9 runs each."""
    bounds = lower_bounds(fits)
    passes = (bounds > at_least) & (bounds <= at_most)
    # Without the row both thresholds score the same. With it the second loses Δ, here 0.99 ε noise scales.
    without, with_ = 0.5, 0.5 * math.exp(-0.99 * EPSILON / scale)
    laws = [binom.pmf(np.arange(n + 1), n, p) for n, p in zip(fits, (without, with_), strict=True)]
    assert float(np.outer(*laws)[~passes].sum()) < 1e-9
