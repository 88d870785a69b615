"""An audit from outside of the boosted learner of random trees: hundreds of private fits, with secure noise.

One row, or none that counts: how often is the score of its place below a threshold? The chances on the two tables are
bounded by Clopper-Pearson intervals, wrong with probability 1e-9 at most in all. They must not refute the claim, and
they must refute a stronger one. With a part of the noise the same audit must refute the claim itself.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy.stats import beta, binom, norm

from privboost import Domain, Numeric, PrivateBoostingClassifier
from privboost.privacy import SecureRandomness

FALSE_ALARM = 1e-9
X = np.array([[0.1]])
WITH, WITHOUT = np.array([0]), np.array([9])
# One tree at scores of 0: the row's numbers are -1/2 and kappa / 4, and nothing but a leaf's sums is released. The
# constant in a leaf is so large that its value is the noisy -1/2 in hundredths of a standard deviation, times kappa,
# within a tenth.
SETTINGS = {
    "n_rounds": 1,
    "trees_per_round": 1,
    "max_depth": 1,
    "learning_rate": 1.0,
    "shrinkage": 100.0,
    "score_reach": 0.0,
    "histogram_share": 0.0,
    "base_share": 0.0,
    "attribute_choice": "random",
    "attributes_per_tree": 0,
}


@dataclass(frozen=True)
class Claim:
    """A learner's promise, and the event that is counted.

    Attributes
    ----------
    parameters : dict
    epsilon, delta : float
    stronger : (float, float)
        An epsilon and a delta that the fits refute: without that, the audit would see nothing.
    threshold : float
        The event: a score below it, in hundredths of kappa.
    fits, fits_of_broken : int
        On each of the two tables.
    too_little : float
        Part of the noise that the broken learner draws.
    kappa : float
        The factor of the curvature.
    """

    parameters: dict[str, Any]
    epsilon: float
    delta: float
    stronger: tuple[float, float]
    threshold: float
    fits: int
    fits_of_broken: int
    too_little: float
    kappa: float

    def chances(self, noise: float) -> tuple[tuple[float, float], tuple[float, float]]:
        """Bounds of the event's chance with the row and without it, for a factor of the noise.

        A value is -t hundredths if the sum is -t (1 + h) standard deviations, where h, the noisy curvature by the
        constant, lies between 0 and a tenth but for a chance of 1e-12.
        """
        t = -self.threshold / noise
        if "delta" in self.parameters:
            shift = 0.5 / math.hypot(0.5, 0.25 * self.kappa) * self.mu / noise
            laws = [lambda x: float(norm.cdf(x + shift)), lambda x: float(norm.cdf(x))]
        else:
            shift = 0.5 / (0.5 + 0.25 * self.kappa) * self.epsilon / noise
            laws = [lambda x: 1 - math.exp(-shift - x) / 2, lambda x: 0.5]  # at a threshold of 0
        return tuple((law(-1.1 * t), law(-t)) for law in laws)  # type: ignore[return-value]

    @property
    def mu(self) -> float:
        """By bisection of the curve of Gaussian noise, written out once more."""

        def delta(mu: float) -> float:
            a, b = -self.epsilon / mu + mu / 2, -self.epsilon / mu - mu / 2
            return float(norm.cdf(a) - math.exp(self.epsilon) * norm.cdf(b))

        low, high = 1e-3, 20.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if delta(middle) < self.delta else (low, middle)
        return low


CLAIMS = {
    "laplace": Claim({"mechanism": "laplace"}, 1.5, 0.0, (0.05, 0.0), 0.0, 1400, 700, 0.1, 0.05),
    "gaussian": Claim({"mechanism": "gaussian", "delta": 0.6}, 1.0, 0.6, (0.5, 0.1), -1.5, 700, 700, 0.3, 0.25),
}
everything = pytest.mark.parametrize("claim", CLAIMS.values(), ids=CLAIMS)


def count(claim: Claim, y: np.ndarray, fits: int) -> int:
    model = PrivateBoostingClassifier(
        claim.epsilon, n_bins=2, domain=Domain({"u": Numeric(0, 1)}), classes=[0, 1], **SETTINGS, **claim.parameters
    )
    hits = 0
    for _ in range(fits):
        hits += int(model.fit(X, y).decision_function(X)[0] < claim.kappa * claim.threshold / 100)
    assert model.is_private_
    assert model.plan_.settings.kappa == claim.kappa
    return hits


def refutes(hits: Any, hits_without: Any, fits: int, epsilon: float, delta: float) -> Any:
    """Whether the counts rule the promise out, the event or its complement, either way round."""

    def low(k: Any) -> Any:
        return np.where(k > 0, beta.ppf(FALSE_ALARM / 8, np.maximum(k, 1), fits - k + 1), 0.0)

    def high(k: Any) -> Any:
        return np.where(k < fits, beta.ppf(1 - FALSE_ALARM / 8, k + 1, np.maximum(fits - k, 1)), 1.0)

    found = False
    for a, b in ((hits, hits_without), (fits - hits, fits - hits_without)):
        for p, q in ((a, b), (b, a)):
            found = found | (low(p) > math.exp(epsilon) * high(q) + delta)
    return found


@everything
def test_fits_refute_a_stronger_promise_and_not_the_one_that_is_made(claim: Claim) -> None:
    counts = count(claim, WITH, claim.fits), count(claim, WITHOUT, claim.fits)
    assert not refutes(*counts, claim.fits, claim.epsilon, claim.delta), counts
    assert refutes(*counts, claim.fits, *claim.stronger), counts


@everything
def test_too_little_noise_is_caught(claim: Claim, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("laplace", "gaussian"):
        draw = getattr(SecureRandomness, name)
        monkeypatch.setattr(
            SecureRandomness, name, lambda self, values, scale, draw=draw: draw(self, values, claim.too_little * scale)
        )
    counts = count(claim, WITH, claim.fits_of_broken), count(claim, WITHOUT, claim.fits_of_broken)
    assert refutes(*counts, claim.fits_of_broken, claim.epsilon, claim.delta), counts


@everything
@pytest.mark.parametrize("whole", [True, False])
def test_the_number_of_fits_is_enough(claim: Claim, whole: bool) -> None:
    """By the exact law of the counts, the tests above fail by chance less than once in 10**8 runs each."""
    fits, noise = (claim.fits, 1.0) if whole else (claim.fits_of_broken, claim.too_little)
    grid = np.arange(fits + 1)
    counts = grid[:, None], grid[None], fits
    refuted = refutes(*counts, claim.epsilon, claim.delta)
    passes = ~refuted & refutes(*counts, *claim.stronger) if whole else refuted
    for with_, without in itertools.product(*claim.chances(noise)):
        law = np.outer(binom.pmf(grid, fits, with_), binom.pmf(grid, fits, without))
        assert float(law[~passes].sum()) < 1e-8, (with_, without)
