"""The Gaussian curve against 60 digits, and the step from continuous noise to noise on integers against exact laws."""

from __future__ import annotations

import itertools
import math

import mpmath
import numpy as np
import pytest

from privboost.privacy import MIN_GAUSSIAN_SCALE, discrete_gaussian_pmf, gdp_delta, gdp_epsilon, gdp_mu
from privboost.privacy.composition import Profile
from privboost.privacy.gaussian import MARGIN, boundary, discretisation

MUS = (1e-8, 1e-6, 1e-3, 0.1, 0.268, 0.999, 1.0, 1.5, 5.0, 30.0, 140.0, 1400.0)


def exact_delta(epsilon, mu):
    with mpmath.workdps(130):
        e, m = mpmath.mpf(epsilon), mpmath.mpf(mu)
        return mpmath.ncdf(-e / m + m / 2) - mpmath.exp(e) * mpmath.ncdf(-e / m - m / 2)


@pytest.mark.parametrize("mu", MUS)
def test_curve_against_high_precision(mu):
    compared = 0
    for part, extra in itertools.product((0.0, 0.5), (0.0, 1e-9, 0.01, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)):
        epsilon = part * mu * mu + extra * mu
        expected = exact_delta(epsilon, mu)
        if expected > 1e-290:
            compared += 1
            assert abs(gdp_delta(epsilon, mu) / expected - 1) < MARGIN / 100
    assert compared >= 16


def test_curve_at_the_ends():
    assert gdp_delta(1.0, 0.0) == gdp_delta(math.inf, 1.0) == gdp_delta(1.0, 1e-200) == gdp_delta(1e6, 1e-6) == 0.0
    assert gdp_delta(0.0, 1e5) == 1.0


def test_curve_is_monotone():
    epsilons, mus = np.geomspace(1e-6, 1e4, 60), np.geomspace(1e-6, 1e3, 60)
    table = np.array([[gdp_delta(e, m) for m in mus] for e in epsilons])
    assert np.all(np.diff(table, axis=0) <= 1e-12 * table[:-1])
    assert np.all(np.diff(table, axis=1) >= -1e-12 * table[:, 1:])


@pytest.mark.parametrize("epsilon", [1e-6, 1e-3, 0.1, 1.0, 10.0, 100.0, 1e4])
@pytest.mark.parametrize("delta", [1e-12, 1e-5, 0.1])
def test_inverses_are_rounded_against_ourselves(epsilon, delta):
    mu = gdp_mu(epsilon, delta)
    assert delta * (1 - 3 * MARGIN) < exact_delta(epsilon, mu) <= delta
    again = gdp_epsilon(delta, mu)
    assert exact_delta(again, mu) <= delta
    assert epsilon * (1 - 1e-8) - 1e-11 * mu <= again <= epsilon * (1 + 1e-12)


def test_known_value():
    """The figure of the literature: (1, 1e-5) allows mu = 0.268, where zero-concentrated privacy allows 0.205."""
    assert gdp_mu(1.0, 1e-5) == pytest.approx(0.26805, abs=1e-5)
    assert gdp_epsilon(0.5, 0.1) == 0.0


@pytest.mark.parametrize("edge", [1e-9, 1.0, 12345.678])
def test_boundary_stays_on_the_good_side(edge):
    below = boundary(lambda x: x <= edge, 0.0, 1e6)
    above = boundary(lambda x: x >= edge, 1e6, 0.0)
    assert edge * (1 - 3e-13) <= below <= edge <= above <= edge * (1 + 3e-13)


def rounded_normal(k, scale):
    """Mass of a normal variable on [k - 1/2, k + 1/2]."""
    with mpmath.workdps(50):
        low, high = (mpmath.mpf(k) + half for half in (-0.5, 0.5))
        return float(mpmath.ncdf(high / scale) - mpmath.ncdf(low / scale))


class TestDiscretisation:
    """Each inequality of the proof by itself, then the whole bound by composing exact laws."""

    @pytest.mark.parametrize("scale", [1.0, 2.0, 5.0, 20.0])
    def test_discrete_law_is_at_most_the_factor_times_the_rounded_one(self, scale):
        k = np.arange(0, int(12 * scale) + 1)
        p, q = discrete_gaussian_pmf(k, scale), np.array([rounded_normal(int(i), scale) for i in k])
        factor = discretisation(1.0, 1, 1.0, 1e-9, scale).factor
        assert np.max(p / q) <= factor
        assert np.max(p / q) > 1.0 + 0.9 * (factor - 1.0)  # attained near 0: no smaller factor would do

    @pytest.mark.parametrize("scale", [1.0, 2.0, 5.0, 20.0])
    def test_slope_of_the_log_ratio(self, scale):
        k = np.arange(-int(10 * scale), int(10 * scale) + 1)
        with mpmath.workdps(50):
            g = np.array([float(mpmath.log(rounded_normal(int(i), scale))) for i in k]) - np.log(
                discrete_gaussian_pmf(k, scale)
            )
        z = np.abs(k) / scale
        slope = z / (12 * scale**2) * np.cosh(z / (2 * scale))
        change = np.abs(np.diff(g)) * scale
        assert np.all(change <= np.maximum(slope[:-1], slope[1:]) * (1 + 1e-6) + 1e-11)
        # The bound exceeds the true slope by little for a wide law: a factor 2 less would be false.
        if scale >= 5.0:
            middle = np.abs(z[:-1] - 2.0) < 0.3
            assert np.max(change[middle] / slope[:-1][middle]) > 0.8

    @pytest.mark.parametrize("scale", [1.0, 3.0, 10.0])
    def test_chance_beyond_the_limit(self, scale):
        k = np.arange(1, int(60 * scale))
        p = discrete_gaussian_pmf(k, scale)
        for limit in (1.0, 2.0, 4.0, 8.0):
            assert 2 * p[k > limit * scale].sum() <= 2 * math.exp(-limit * limit / 2)

    def test_all_terms_fall_with_the_scale_and_vanish_with_mu(self):
        few = [discretisation(0.3, 1000, 6.0, 1e-12, scale) for scale in (64.0, 128.0, 256.0, 512.0)]
        for coarse, fine in itertools.pairwise(few):
            assert fine.epsilon < coarse.epsilon / 3
            assert 1.0 < fine.factor < coarse.factor
        assert discretisation(0.3, 1000, 6.0, 1e-12) == few[-1]
        assert discretisation(1e-9, 1000, 2e-8, 1e-12).epsilon < 1e-11
        assert discretisation(0.0, 0, 0.0, 1e-12).factor == 1.0

    def test_price_at_usual_sizes_is_negligible(self):
        """600 trees, 2 numbers each, (1, 1e-5): 2e-5 of epsilon and 2e-4 of delta."""
        mu = gdp_mu(1.0, 1e-5)
        price = discretisation(mu, 1200, mu * math.sqrt(1200), 1e-12)
        assert price.epsilon < 3e-5
        assert price.factor < 1.0002


def composed_delta(epsilon, scale, shifts):
    """Exact delta of independent discrete Gaussian numbers, each shifted by an integer: all losses, one by one."""
    edge = math.ceil(14 * scale) + max(shifts)
    k = np.arange(-edge, edge + 1)
    p = discrete_gaussian_pmf(k, scale)
    losses = {0: 1.0}  # keys: sum of shift**2 - 2 * k * shift, the loss times 2 * scale**2
    for shift in shifts:
        step = shift * shift - 2 * k * shift
        new: dict[int, float] = {}
        for loss, chance in losses.items():
            for s, c in zip((loss + step).tolist(), (chance * p).tolist(), strict=True):
                new[s] = new.get(s, 0.0) + c
        losses = {loss: chance for loss, chance in new.items() if chance > 1e-30}
    values = np.array(list(losses)) / (2 * scale**2)
    return float(np.maximum(-np.expm1(epsilon - values), 0.0) @ np.array(list(losses.values())))


def gaussian_profile(scale, shifts):
    mus = [shift / scale for shift in shifts]
    return Profile(math.sqrt(math.fsum(m * m for m in mus)), len(mus), math.fsum(mus), (), 0)


# Scale, and the shift of each number, in integer units. The last: as coarse as it gets in practice.
RUNS = [
    (2.0, (1,)),
    (2.0, (1, 1, 1)),
    (4.0, (2, 2, 2)),
    (4.0, (5, 1)),
    (6.0, (1, 2, 3)),
    (10.0, (3, 3, 3, 3)),
    (MIN_GAUSSIAN_SCALE, (140,)),
]


@pytest.mark.parametrize(("scale", "shifts"), RUNS)
def test_bound_covers_the_exact_composition(scale, shifts):
    profile = gaussian_profile(scale, shifts)
    for deviations in (0.0, 0.5, 1.0, 2.0, 3.0, 4.0):
        epsilon = profile.mu**2 / 2 + deviations * profile.mu
        true = composed_delta(epsilon, scale, shifts)
        bound = profile.delta_at(epsilon, scale=scale)
        assert true <= bound
        if scale == MIN_GAUSSIAN_SCALE:
            assert bound <= true * 1.0005


def test_the_continuous_curve_alone_would_be_false():
    """Negative control: without the price of integers the curve is exceeded, by parts in a hundred and a thousand."""
    for (scale, shifts), excess in zip(RUNS[:3], (0.1, 0.01, 0.001), strict=True):
        profile = gaussian_profile(scale, shifts)
        epsilons = np.linspace(0.0, profile.mu**2 / 2 + 3 * profile.mu, 60)
        worst = max(composed_delta(e, scale, shifts) / gdp_delta(e, profile.mu) for e in epsilons)
        assert worst > 1.0 + excess


@pytest.mark.parametrize("wrong", [2.0, 1.2])
def test_too_little_noise_exceeds_the_bound(wrong):
    """Negative control: the same releases with noise smaller by ``wrong`` break the bound for the stated noise."""
    scale, shifts = 12.0, (3, 3, 3)
    profile = gaussian_profile(scale, shifts)
    epsilon = profile.mu**2 / 2 + 3 * profile.mu
    assert composed_delta(epsilon, scale / wrong, shifts) > profile.delta_at(epsilon, scale=scale)


def test_integer_law_against_high_precision():
    for scale in (0.3, 1.0, 2.9, 3.0, 7.5, 600.0):
        with mpmath.workdps(40):
            squares = 2 * mpmath.mpf(scale) ** 2
            edge = int(9 * scale) + 9
            total = mpmath.fsum(mpmath.exp(-(mpmath.mpf(k) ** 2) / squares) for k in range(-edge, edge + 1))
            for k in (0, 1, -1, 5, int(4 * scale)):
                exact = mpmath.exp(-(mpmath.mpf(k) ** 2) / squares) / total
                assert discrete_gaussian_pmf(k, scale) == pytest.approx(float(exact), rel=1e-12, abs=1e-300)


def test_rounded_normal_noise_is_close_to_the_integer_law():
    """Simulated noise: its total variation distance at the smallest scale is 8e-8, as its documentation says."""
    k = np.arange(0, int(14 * MIN_GAUSSIAN_SCALE))
    ends = np.array([0.5 * math.erfc((i - 0.5) / (MIN_GAUSSIAN_SCALE * math.sqrt(2))) for i in range(k.size + 1)])
    q = ends[:-1] - ends[1:]
    gap = np.abs(discrete_gaussian_pmf(k, MIN_GAUSSIAN_SCALE) - q)
    distance = 0.5 * (2 * gap.sum() - gap[0])
    assert 0.9 < distance * 48 * MIN_GAUSSIAN_SCALE**2 < 1.0
    assert distance < 8e-8
