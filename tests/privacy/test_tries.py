"""Private selection with a secret number of tries: its law and its costs against brute force, and bugs to be caught."""

from __future__ import annotations

import contextlib
import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest

from privboost.errors import ParameterError, ParameterTypeError
from privboost.privacy import SecureRandomness, SimulatedRandomness, discrete_gaussian_pmf, tries
from privboost.privacy.tries import TriesLaw, best_of, float_below, renyi_delta, rho_within

ETAS = (Fraction(-1, 2), Fraction(0), Fraction(1, 3), Fraction(1))
LAWS = [TriesLaw(eta, gamma) for eta in ETAS for gamma in (Fraction(1, 3), Fraction(1, 50))]
TAIL = 1e-12


def by_the_paper(law: TriesLaw, k: int) -> mpmath.mpf:
    """P[K = k] as Papernot & Steinke (2022), Definition 1, write it."""
    eta, gamma = mpmath.mpf(law.eta.numerator) / law.eta.denominator, mpmath.mpf(law.gamma.numerator)
    gamma /= law.gamma.denominator
    if eta == 0:
        return (1 - gamma) ** k / (k * mpmath.log(1 / gamma))
    product = mpmath.fprod((j + eta) / (j + 1) for j in range(k))
    return (1 - gamma) ** k / (gamma**-eta - 1) * product


def most(law: TriesLaw) -> int:
    """How many tries leave no more than `TAIL` of the mass, and of the mean."""
    return math.ceil((math.log(TAIL) - 10.0) / math.log1p(-float(law.gamma)))


def masses(law: TriesLaw) -> np.ndarray:
    """P[K = k] for k = 0, 1, ..., by the ratio of neighbours."""
    k = np.arange(1, most(law))
    eta, gamma = float(law.eta), float(law.gamma)
    logs = np.concatenate([[0.0], np.cumsum(np.log((k + eta) / (k + 1.0) * (1.0 - gamma)))])
    return np.concatenate([[0.0], law.probability(1) * np.exp(logs)])


class TestLaw:
    @pytest.mark.parametrize("law", LAWS, ids=str)
    def test_probabilities_are_those_of_the_paper(self, law):
        for k in (1, 2, 3, 7, 30):
            assert law.probability(k) == pytest.approx(float(by_the_paper(law, k)), rel=1e-12)

    @pytest.mark.parametrize("law", LAWS, ids=str)
    def test_they_add_up_to_one_and_have_the_stated_mean(self, law):
        p = masses(law)
        assert p.sum() == pytest.approx(1.0, abs=1e-9)
        mean = float(p @ np.arange(len(p)))
        assert mean <= law.mean <= mean * (1.0 + 1e-6)

    @pytest.mark.parametrize("eta", ETAS)
    @pytest.mark.parametrize("mean", [1.01, 2.0, 20.0, 10_000.0])
    def test_a_law_is_found_by_its_mean(self, eta, mean):
        assert TriesLaw.with_mean(mean, eta).mean == pytest.approx(mean, rel=1e-2)

    def test_fields_out_of_range_are_refused(self):
        with pytest.raises(ParameterTypeError, match="eta"):
            TriesLaw(0.0, Fraction(1, 2))
        with pytest.raises(ParameterError, match="eta"):
            TriesLaw(Fraction(-1), Fraction(1, 2))
        for gamma in (Fraction(0), Fraction(1), Fraction(1, 10**12)):
            with pytest.raises(ParameterError, match="gamma"):
                TriesLaw(Fraction(0), gamma)


# -- exact laws of programs that toss coins


class GivenUpError(Exception):
    """A path was given up: its chance is below the limit."""


class Coins:
    """Tosses by a script; what it was asked beyond the script comes out true, and is noted."""

    def __init__(self, script: tuple[bool, ...], limit: float) -> None:
        self.script, self.limit = script, limit
        self.tossed: list[bool] = []
        self.chance = Fraction(1)

    def toss(self, chance: Fraction, coins: Any) -> bool:
        result = self.script[len(self.tossed)] if len(self.tossed) < len(self.script) else chance > 0
        self.tossed.append(result)
        self.chance *= chance if result else 1 - chance
        if self.chance <= self.limit:
            raise GivenUpError
        return result


def law_of(program: Callable[[], Any], limit: float = 1e-6) -> tuple[dict[Any, float], float]:
    """Return the law of what a program of exact coin tosses returns, as far as paths are likely; and the mass left."""
    law: dict[Any, float] = defaultdict(float)
    pending: list[tuple[bool, ...]] = [()]
    while pending:
        coins = Coins(pending.pop(), limit)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(tries, "_coin", coins.toss)
            with contextlib.suppress(GivenUpError):
                law[program()] += float(coins.chance)
        # Every toss beyond the script might have come out the other way.
        for i in range(len(coins.script), len(coins.tossed)):
            pending.append((*coins.tossed[:i], not coins.tossed[i]))
    return dict(law), 1.0 - sum(law.values())


def drawn_law(law: TriesLaw) -> tuple[np.ndarray, float]:
    """P[K = k] by the tosses of `TriesLaw.draw`, and the mass that was not followed."""
    found, left = law_of(lambda: law.draw(None), limit=1e-5)
    p = np.zeros(max(found) + 1)
    for k, chance in found.items():
        p[k] = chance
    return p, left


class TestDraw:
    @pytest.mark.parametrize("law", [TriesLaw(eta, Fraction(1, 2)) for eta in ETAS], ids=str)
    def test_the_tosses_have_the_law(self, law):
        found, left = drawn_law(law)
        assert 0.0 <= left < 0.01
        wanted = masses(law)[: len(found)]
        wanted = np.pad(wanted, (0, len(found) - len(wanted)))
        assert (found <= wanted + 1e-12).all()
        assert (wanted - found).sum() <= left + 1e-9

    def test_a_coin_is_exact(self):
        class Ordered:
            def __init__(self, value):
                self.value = value

            def below(self, n):
                assert n == 7
                return self.value

        assert sum(tries._coin(Fraction(3, 7), Ordered(i)) for i in range(7)) == 3

    @pytest.mark.parametrize("randomness", [SecureRandomness(), SimulatedRandomness(np.random.default_rng(0))])
    def test_integers_below_a_number(self, randomness):
        # Chance that one of ten numbers is never among a thousand: below 10 * 0.9**1000 < 1e-44.
        assert {randomness.below(10) for _ in range(1000)} == set(range(10))
        assert TriesLaw(Fraction(0), Fraction(1, 9)).draw(randomness) >= 1


# -- the law of the best


Masses = dict[tuple[int, Any], float]
"""Law of one try: (score, result) to chance."""


def law_of_best(law: np.ndarray, base: Masses) -> Masses:
    """Law of the best of K tries; of those with equal scores, the first, which is any of them with the same chance."""
    by_score: dict[int, float] = defaultdict(float)
    for (score, _), chance in base.items():
        by_score[score] += chance
    found, below = {}, 0.0
    k = np.arange(len(law))
    for score in sorted(by_score):
        upto = below + by_score[score]
        gained = float(law @ (upto**k - below**k))  # no chance here is so small that the difference would lose it
        for outcome, chance in base.items():
            if outcome[0] == score:
                found[outcome] = gained * chance / by_score[score]
        below = upto
    return found


def test_best_of_returns_the_first_of_the_best() -> None:
    base = {(0, "a"): 0.25, (1, "b"): 0.25, (1, "c"): 0.5}
    for k in (1, 2, 3):
        fixed = np.zeros(k + 1)
        fixed[k] = 1.0
        wanted = law_of_best(fixed, base)
        found: dict[Any, float] = defaultdict(float)
        for outcomes in itertools.product(base, repeat=k):
            sequence: Iterator[Any] = iter(outcomes)

            class Fixed(TriesLaw):
                def draw(self, coins, k=k):
                    return k

            best = best_of(Fixed(Fraction(0), Fraction(1, 2)), lambda s=sequence: next(s), None)
            found[best] += math.prod(base[outcome] for outcome in outcomes)
        assert found == pytest.approx(wanted)


# -- the audit: a small private search, its exact law over all pairs of neighbours

ROWS = ("yes", "no", None)  # None is the null row, which counts nowhere
EPSILON = 0.8


def noisy(score: int, epsilon: float, reach: int = 6) -> dict[int, float]:
    """Law of a score with discrete Laplace noise, cut off at both ends, which is post-processing."""
    r = math.exp(-epsilon)

    def upto(k: int) -> float:
        """P[noise <= k]."""
        return 1.0 - r ** (k + 1) / (1.0 + r) if k >= 0 else r**-k / (1.0 + r)

    law = {s: upto(s - score) - upto(s - score - 1) for s in range(-reach + 1, reach)}
    law[-reach], law[reach] = upto(-reach - score), 1.0 - upto(reach - 1 - score)
    return law


def one_try(table: tuple[Any, ...]) -> Masses:
    """Draw one of two settings, and release its noisy score: the rows that say yes, or the rows that say no."""
    law = {}
    for setting in ("yes", "no"):
        for score, chance in noisy(table.count(setting), EPSILON).items():
            law[score, setting] = 0.5 * chance
    return law


def noiseless_try(table: tuple[Any, ...]) -> Masses:
    """The bug of a score that passes no mechanism."""
    return {(table.count(setting), setting): 0.5 for setting in ("yes", "no")}


def neighbours(n_rows: int = 2) -> list[tuple[Any, Any]]:
    tables = list(itertools.product(ROWS, repeat=n_rows))
    pairs = []
    for table in tables:
        for i in range(n_rows):
            removed = (*table[:i], None, *table[i + 1 :])
            if removed != table:
                pairs += [(table, removed), (removed, table)]
    return pairs


def worst_loss(law: np.ndarray, run: Callable[[Any], Masses] = one_try) -> float:
    """Return the largest log ratio of any outcome's chances, over all neighbours."""
    worst = 0.0
    for table, other in neighbours():
        one, two = law_of_best(law, run(table)), law_of_best(law, run(other))
        for outcome in one.keys() | two.keys():
            p, q = one.get(outcome, 0.0), two.get(outcome, 0.0)
            if p > 0.0:
                worst = max(worst, math.log(p / q) if q > 0.0 else math.inf)
    return worst


class TestPureCost:
    @pytest.mark.parametrize("law", [TriesLaw(eta, Fraction(1, 20)) for eta in ETAS], ids=str)
    def test_no_outcome_reveals_more_than_the_theorem_says(self, law):
        loss = worst_loss(masses(law))
        assert loss <= float(law.pure_cost(EPSILON)) + 1e-9
        assert loss > EPSILON  # a selection does cost something

    @pytest.mark.parametrize("eta", ETAS)
    def test_the_cost_is_tight(self, eta):
        """Two outcomes, the better one rare: with many tries the loss of the worse one comes near the bound."""
        law = TriesLaw(eta, Fraction(1, 2000))
        epsilon, rare = 0.5, 0.02
        p = masses(law)
        k = np.arange(len(p))
        worse = [float(p @ (1.0 - chance) ** k) for chance in (rare, rare * math.exp(-epsilon))]
        better = [float(p @ -np.expm1(k * np.log1p(-chance))) for chance in (rare, rare * math.exp(-epsilon))]
        assert max(math.log(worse[1] / worse[0]), math.log(better[0] / better[1])) <= (2 + float(eta)) * epsilon
        # The density of the second of three outcomes meets both factors at once.
        q = rare * np.array([1.0, math.exp(-epsilon)])
        tiny = 1e-9 * np.array([math.exp(-epsilon), 1.0])
        middle = [float(p @ (k * t * (1.0 - c) ** (k - 1.0).clip(0))) for t, c in zip(tiny, q, strict=True)]
        assert math.log(middle[1] / middle[0]) == pytest.approx((2 + float(eta)) * epsilon, rel=0.04)
        assert math.log(middle[1] / middle[0]) <= (2 + float(eta)) * epsilon + 1e-9

    def test_the_audit_runs_on_the_tosses_of_the_code(self):
        law = TriesLaw(Fraction(0), Fraction(1, 2))
        found, left = drawn_law(law)
        assert left < 0.01
        assert worst_loss(found / found.sum()) <= float(law.pure_cost(EPSILON)) + 0.05

    def test_a_fixed_number_of_tries_is_caught(self):
        law = TriesLaw(Fraction(0), Fraction(1, 20))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(TriesLaw, "draw", lambda self, coins: 5)
            found, _ = drawn_law(law)
        assert worst_loss(found) > float(law.pure_cost(EPSILON))

    def test_the_best_of_a_few_charged_as_one_is_caught(self):
        fixed = np.array([0.0, 0.0, 1.0])
        assert worst_loss(fixed) > EPSILON + 0.1

    def test_a_score_without_noise_is_caught(self):
        assert worst_loss(masses(LAWS[2]), noiseless_try) == math.inf

    def test_the_cost_is_exact(self):
        assert TriesLaw(Fraction(1, 3), Fraction(1, 2)).pure_cost(Fraction(3, 7)) == 1


def divergence(one: np.ndarray, two: np.ndarray, order: float) -> float:
    return float(np.log(np.sum(np.exp(order * np.log(one) + (1.0 - order) * np.log(two)))) / (order - 1.0))


def gaussian_pair(scale: float, shift: int) -> tuple[Masses, Masses]:
    """Two laws of a score with discrete Gaussian noise, ``shift`` apart."""
    reach = 1000
    values = np.arange(-reach, reach + 1)
    p = np.array([float(discrete_gaussian_pmf(int(v), scale)) for v in np.arange(-reach - shift, reach + shift + 1)])
    one, two = p[shift : shift + len(values)], p[: len(values)]
    keep = (one > 1e-60) & (two > 1e-60)
    return tuple({(int(v), None): float(c) for v, c in zip(values[keep], law[keep], strict=True)} for law in (one, two))


class TestRenyiCost:
    @pytest.mark.parametrize("law", [TriesLaw(eta, Fraction(1, 12)) for eta in ETAS], ids=str)
    @pytest.mark.parametrize(("scale", "shift"), [(20.0, 8), (8.0, 8)])
    def test_no_divergence_and_no_curve_above_the_theorem(self, law, scale, shift):
        rho = 0.5 * (shift / scale) ** 2
        pair = gaussian_pair(scale, shift)
        p = masses(law)
        one, two = (np.array(list(best_by_pgf(p, base).values())) for base in pair)
        for a, b in ((one, two), (two, one)):
            keep = (a > 1e-250) & (b > 1e-250)
            for order in (1.5, 3.0, 10.0):
                bound = order * rho + tries._extra(law, rho) + math.log(law.mean) / (order - 1.0)
                assert divergence(a[keep], b[keep], order) <= bound + 1e-9
            for epsilon in (0.5, 1.5, 4.0):
                delta = float(np.maximum(a - math.exp(epsilon) * b, 0.0).sum())
                assert delta <= renyi_delta(law, rho, epsilon) + 1e-12

    def test_a_selection_charged_as_one_try_is_caught(self):
        law = TriesLaw(Fraction(0), Fraction(1, 100))
        one, two = (np.array(list(best_by_pgf(masses(law), base).values())) for base in gaussian_pair(20.0, 8))
        assert max(divergence(one, two, 3.0), divergence(two, one, 3.0)) > 3.0 * 0.5 * 0.4**2

    @pytest.mark.parametrize("law", LAWS, ids=str)
    @pytest.mark.parametrize(("rho", "epsilon"), [(0.01, 1.0), (0.5, 3.0), (1e-4, 0.2), (3.0, 1.0)])
    def test_the_curve_against_high_precision(self, law, rho, epsilon):
        with mpmath.workdps(40):
            eta, gamma = (mpmath.mpf(x.numerator) / x.denominator for x in (law.eta, law.gamma))
            hat = max(mpmath.mpf(1), mpmath.sqrt(mpmath.log(1 / gamma) / rho))
            extra = (1 + eta) * ((1 - 1 / hat) * hat * rho + mpmath.log(1 / gamma) / hat)
            mean = eta * (1 - gamma) / (gamma * (1 - gamma**eta)) if eta else (1 / gamma - 1) / mpmath.log(1 / gamma)

            def at(order: mpmath.mpf) -> mpmath.mpf:
                divergence = order * rho + extra + mpmath.log(mean) / (order - 1)
                return mpmath.exp((order - 1) * (divergence - epsilon)) / order * (1 - 1 / order) ** (order - 1)

            # Coarsely, then by thirds: the logarithm falls and then rises.
            places = [mpmath.mpf(i) / 20 - 4 for i in range(200)]
            best = min(range(200), key=lambda i: at(1 + 10 ** places[i]))
            low, high = places[max(best - 1, 0)], places[min(best + 1, 199)]
            for _ in range(60):
                one, two = low + (high - low) / 3, high - (high - low) / 3
                low, high = (low, two) if at(1 + 10**one) < at(1 + 10**two) else (one, high)
            least = at(1 + 10**low)
        found = renyi_delta(law, rho, epsilon)
        assert found >= min(1.0, float(least)) * (1.0 - 1e-12)
        assert found <= min(1.0, float(least)) * 1.01

    def test_no_other_inner_order_is_better(self):
        law, rho = TriesLaw(Fraction(1, 2), Fraction(1, 30)), 0.02
        values = [1.5 * ((h - 1.0) * rho - math.log(law.gamma) / h) for h in np.linspace(1.0, 100.0, 10_000)]
        assert tries._extra(law, rho) == pytest.approx(min(values), rel=1e-6)
        assert tries._extra(law, 50.0) == pytest.approx(1.5 * math.log(30))

    @pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 1e-6), (0.01, 1e-9), (30.0, 1e-5)])
    def test_rho_is_the_largest_that_fits(self, epsilon, delta):
        law = TriesLaw.with_mean(20.0)
        rho = rho_within(law, epsilon, delta)
        assert renyi_delta(law, rho, epsilon) <= delta < renyi_delta(law, 1.001 * rho, epsilon)


def best_by_pgf(law: np.ndarray, base: Masses) -> Masses:
    """`law_of_best` where every score is one result: differences of the generating function, by its derivative."""
    k = np.arange(1, len(law))
    chances = np.array(list(base.values()))
    upto = np.cumsum(chances)
    nodes, weights = np.polynomial.legendre.leggauss(12)
    found = {}
    for outcome, chance, high in zip(base, chances, upto, strict=True):
        t = np.minimum(high - chance * 0.5 * (1.0 - nodes), 1.0)
        found[outcome] = float(chance * 0.5 * weights @ ((t[:, None] ** (k - 1)) @ (k * law[1:])))
    return found


def test_floats_are_rounded_down() -> None:
    assert float_below(Fraction(1, 3)) <= Fraction(1, 3) < math.nextafter(float_below(Fraction(1, 3)), 1.0)
    assert float_below(Fraction(-1, 3)) <= Fraction(-1, 3)
    assert float_below(Fraction(3, 4)) == 0.75
