"""The (epsilon, delta) that a sequence of releases costs together: pure, Gaussian, and mixed runs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Protocol

from privboost.privacy.gaussian import MARGIN, boundary, discretisation, gdp_delta
from privboost.privacy.renyi import PureRelease, Tail, mixed_delta

__all__ = ["Profile", "Release", "covers", "epsilon_to_delta", "profile_of", "total_privacy"]

# The part of delta that is kept for noise beyond the limit of `discretisation`.
_TAIL_PART = 1e-7


class Release(Protocol):
    """What composition asks of an `Event` or a `PlannedRelease`."""

    @property
    def mechanism(self) -> str:
        """One of `MECHANISMS`."""

    @property
    def composition(self) -> str:
        """Parallel or sequential."""

    @property
    def count(self) -> int:
        """Releases together."""

    @property
    def distance(self) -> int:
        """Rows added or removed between neighbours."""

    @property
    def size(self) -> int:
        """Numbers or candidates of one release."""

    @property
    def epsilon(self) -> Fraction:
        """Pure cost of one of the releases."""

    @property
    def mu(self) -> Fraction:
        """Gaussian cost of one of the releases."""

    @property
    def delta(self) -> Fraction:
        """What showing keys adds to delta."""


@dataclass(frozen=True)
class Profile:
    """Everything about a run that its privacy depends on.

    Attributes
    ----------
    mu : float
        All Gaussian releases as one: the root of the sum of their squares.
    numbers : int
        How many numbers with Gaussian noise neighbours can change.
    spread : float
        The sum over Gaussian releases of sqrt(numbers) * mu; see `discretisation`.
    pure : tuple of PureRelease
        All others.
    pure_total : Fraction
        The sum of their costs.
    exact : bool
        Whether a release had no noise at all.
    shown : Fraction
        What showing keys adds to delta. If that is above 0, the Gaussian releases are one part and all others another;
        their epsilons are added up, and so are their deltas.
    """

    mu: float
    numbers: int
    spread: float
    pure: tuple[PureRelease, ...]
    pure_total: Fraction
    exact: bool = False
    shown: Fraction = Fraction(0)

    def scaled(self, factor: float) -> Profile:
        """Return the profile with every Gaussian release's mu multiplied by ``factor``."""
        return replace(self, mu=self.mu * factor, spread=self.spread * factor)

    def delta_at(self, epsilon: float, scale: float | None = None, wanted: float | None = None) -> float:
        """Return a delta for which the run is (``epsilon``, delta)-private.

        Parameters
        ----------
        epsilon : float
            0 or more.
        scale : float, optional
            The smallest scale of Gaussian noise; by default `MIN_GAUSSIAN_SCALE`, which every mechanism keeps to.
        wanted : float, optional
            The delta that is hoped for. Any value is valid; one near the result gives the best result.
        """
        if self.exact:
            return 1.0
        if self.shown:
            return self._delta_with_keys(epsilon, scale, wanted)
        if self.mu == 0.0:
            return 0.0 if Fraction(epsilon) >= self.pure_total else min(1.0, self._smooth(epsilon) * (1.0 + MARGIN))
        if wanted is None:
            wanted = max(self._smooth(epsilon), 1e-290)
        limits = {} if scale is None else {"scale": scale}
        if _TAIL_PART * wanted == 0.0:  # below the floats: no bound is claimed
            return 1.0
        price = discretisation(self.mu, self.numbers, self.spread, _TAIL_PART * wanted, **limits)
        if epsilon <= price.epsilon:
            return 1.0
        return min(1.0, price.factor * self._smooth(epsilon - price.epsilon) * (1.0 + MARGIN) + price.delta)

    def _delta_with_keys(self, epsilon: float, scale: float | None, wanted: float | None) -> float:
        left = Fraction(epsilon) - self.pure_total
        if left < 0:
            return 1.0
        if self.mu == 0.0:
            return _round_up(self.shown)
        hoped = None if wanted is None else max(_round_down(Fraction(wanted) - self.shown), 1e-290)
        curve = self._without_others().delta_at(_round_down(left), scale, hoped)
        return min(1.0, _round_up(Fraction(curve) + self.shown))

    def _without_others(self) -> Profile:
        """Return the Gaussian releases alone."""
        return replace(self, pure=(), pure_total=Fraction(0), shown=Fraction(0))

    def _smooth(self, epsilon: float) -> float:
        """Return the delta of the run with rounded continuous noise."""
        if not self.pure:
            return gdp_delta(epsilon, self.mu)
        tail = _tail(self.pure, self.pure_total)
        return tail.at(epsilon) if self.mu == 0.0 else mixed_delta(epsilon, self.mu, tail)

    @lru_cache(maxsize=64)  # noqa: B019 - a statement is rendered many times; profiles are small
    def epsilon_at(self, delta: float) -> float:
        """Return an epsilon for which the run is (epsilon, ``delta``)-private; infinite if there is none.

        Parameters
        ----------
        delta : float
            0 or more, below 1.
        """
        pure = _round_up(self.pure_total) if self.mu == 0.0 and not self.exact else math.inf
        if self.shown:
            left = Fraction(delta) - self.shown
            if left < 0 or self.exact or self.mu == 0.0:
                return pure if left >= 0 else math.inf
            curve = self._without_others().epsilon_at(_round_down(left))
            return _round_up(Fraction(curve) + self.pure_total) if math.isfinite(curve) else math.inf
        if delta == 0.0 or self.exact or pure == 0.0:
            return pure

        def holds(epsilon: float) -> bool:
            return self.delta_at(epsilon, wanted=delta) <= delta

        variance = self.mu**2 + sum(part.times * part.epsilon**2 for part in self.pure)
        good = min(pure, 0.5 * variance + math.sqrt(-2.0 * variance * math.log(delta)))
        while not holds(good):
            good *= 2.0
            if good > 1e300:
                return math.inf
        return boundary(holds, good, 0.0, precision=1e-10)


@lru_cache(maxsize=16)
def _tail(pure: tuple[PureRelease, ...], total: Fraction) -> Tail:
    return Tail(pure, _round_up(total))


def _round_up(value: Fraction) -> float:
    number = float(value)
    return number if Fraction(number) >= value else math.nextafter(number, math.inf)


def _round_down(value: Fraction) -> float:
    number = float(value)
    return number if Fraction(number) <= value else math.nextafter(number, -math.inf)


def merge(parts: Iterable[tuple[PureRelease, Fraction]]) -> tuple[tuple[PureRelease, ...], Fraction]:
    """Count equal releases; return them and the exact sum of all costs."""
    times: Counter[tuple[Fraction, bool]] = Counter()
    for part, exact in parts:
        times[exact, part.ranged] += part.times
    merged = sorted(PureRelease(_round_up(exact), ranged, n) for (exact, ranged), n in times.items())
    return tuple(merged), sum((n * exact for (exact, _), n in times.items()), Fraction(0))


def profile_of(releases: Sequence[Release]) -> Profile:
    """Collect what the privacy of a run depends on.

    Of `count` parallel releases each row takes part in one, so they cost as much as one, and neighbours can change the
    numbers of at most `distance` of them.
    """
    squares: list[float] = []
    spreads: list[float] = []
    numbers = 0
    exact = False
    pure: list[tuple[PureRelease, Fraction]] = []
    for release in releases:
        parallel = release.composition == "parallel"
        times = 1 if parallel else release.count
        if release.mechanism == "none":
            exact = True
        elif release.mechanism == "gaussian":
            touched = release.size * (min(release.distance, release.count) if parallel else 1)
            mu = float(release.mu)
            numbers += times * touched
            squares.append(times * mu * mu)
            spreads.append(times * math.sqrt(touched) * mu)
        else:
            pure.append((PureRelease(1.0, release.mechanism == "exponential", times), release.epsilon))
    merged, total = merge(pure)
    shown = sum((release.delta for release in releases), Fraction(0))
    return Profile(math.sqrt(math.fsum(squares)), numbers, math.fsum(spreads), merged, total, exact, shown)


def total_privacy(releases: Sequence[Release], delta: float) -> float:
    r"""Return the epsilon that releases cost together at ``delta``.

    * With ``delta`` = 0: the sum of the pure costs, rounded up.
    * Gaussian releases alone: the inverse of the Gaussian curve with :math:`\mu^2 = \sum_t \mu_t^2`, plus what noise
      on integers costs (`discretisation`).
    * With others among them: `mixed_delta`. Pure releases alone may cost less than the sum, too.
    * With releases that show keys: what the Gaussian ones cost at the part of ``delta`` that the keys leave, plus the
      sum of all other epsilons.

    Parameters
    ----------
    releases : sequence of Event or PlannedRelease
    delta : float
        0 or more, below 1.

    Returns
    -------
    float
        Rounded against ourselves; infinite if no epsilon covers the releases.
    """
    return profile_of(releases).epsilon_at(delta)


def epsilon_to_delta(releases: Sequence[Release], epsilon: float) -> float:
    """Return a delta at which the releases together cost at most ``epsilon``; the other reading of `total_privacy`.

    Parameters
    ----------
    releases : sequence of Event or PlannedRelease
    epsilon : float
        0 or more.
    """
    return profile_of(releases).delta_at(epsilon)


def covers(releases: Sequence[Release], epsilon: float | Fraction, delta: float) -> bool:
    """Say whether the releases together are (``epsilon``, ``delta``)-private.

    By the exact sum of pure costs, if that is enough, and else by the curve.
    """
    profile = profile_of(releases)
    if profile.exact:
        return False
    if profile.mu == 0.0 and profile.pure_total <= Fraction(epsilon):
        return profile.shown <= Fraction(delta)
    number = float(epsilon)
    if Fraction(number) > epsilon:
        number = math.nextafter(number, 0.0)
    if delta == 0.0:
        return False
    # The curve of a mixed run is a bound with small steps in it: what holds for a smaller epsilon holds for this one.
    return profile.delta_at(number, wanted=delta) <= delta or profile.epsilon_at(delta) <= number
