"""A budget divided among releases, and the least Gaussian noise that keeps a whole run within (epsilon, delta)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from privboost.errors import ParameterError, PlanError
from privboost.privacy.accounting import MechanismName, PlannedRelease
from privboost.privacy.amounts import check_delta, check_epsilon
from privboost.privacy.composition import Profile, profile_of
from privboost.privacy.gaussian import boundary, gdp_mu

__all__ = ["calibrate_gaussian", "calibrate_mixed", "calibrate_releases", "divide_budget"]

MOST_MU = 2.0**14
"""More than this no budget is worth: noise is then far below one row, and the price of integers grows."""


def divide_budget(epsilon: float | Fraction, shares: Sequence[int | float | Fraction]) -> tuple[Fraction, ...]:
    """Divide a budget in proportion to ``shares``, without rounding.

    Parameters
    ----------
    epsilon : float or Fraction
        The budget; a float stands for its exact binary value.
    shares : sequence of numbers
        Non-negative and finite, at least one above 0; floats stand for their exact values.

    Returns
    -------
    tuple of Fraction
        One part for each share; they add up to exactly ``epsilon``.

    Raises
    ------
    PlanError
        If no share is above 0, or one is negative or not finite.
    """
    try:
        exact = [Fraction(share) for share in shares]
    except (ValueError, OverflowError):
        raise PlanError("Budget shares must be finite numbers.") from None
    total = sum(exact, Fraction(0))
    if total <= 0 or any(share < 0 for share in exact):
        raise PlanError("Budget shares must be 0 or more, and at least one of them above 0.")
    budget = Fraction(epsilon)
    return tuple(budget * share / total for share in exact)


def calibrate_releases(planned: Sequence[PlannedRelease], epsilon: float, delta: float) -> tuple[PlannedRelease, ...]:
    """Scale the noise of all Gaussian releases of a plan by one factor, so that the plan just fits its budget.

    Parameters
    ----------
    planned : sequence of PlannedRelease
        The whole run. The noise multipliers of Gaussian releases count only relative to each other: one whose
        multiplier is twice as large has a quarter of the share. All others keep their epsilon.
    epsilon : float
        The budget, above 0 and finite.
    delta : float
        Above 0, below 1.

    Returns
    -------
    tuple of PlannedRelease
        With `total_privacy` of at most ``epsilon`` at ``delta``, and hardly less. Unchanged if none is Gaussian.

    Raises
    ------
    ParameterError
        If ``epsilon`` or ``delta`` is out of range.
    PlanError
        If a release is exact, or the others leave nothing for the Gaussian ones.
    """
    budget, chance = check_epsilon(epsilon), _check_chance(delta)
    profile = profile_of(planned)
    if profile.exact:
        raise PlanError("A release without noise has no place in a plan with a budget.")
    if profile.mu == 0.0:
        if profile.epsilon_at(chance) > budget:
            raise PlanError(f"The releases cost more than epsilon = {budget!r}. Raise epsilon, or plan fewer releases.")
        return tuple(planned)

    def rebuilt(factor: float) -> tuple[PlannedRelease, ...]:
        return tuple(
            release
            if release.noise_multiplier is None
            else replace(release, noise_multiplier=_up(release.noise_multiplier / factor))
            for release in planned
        )

    factor = _fit(profile, lambda factor: profile_of(rebuilt(factor)), budget, chance)
    return rebuilt(factor)


def calibrate_gaussian(
    epsilon: float, delta: float, shares: Sequence[float], numbers: int | Sequence[int] = 2
) -> tuple[float, ...]:
    r"""Return the noise multipliers of an all-Gaussian run, :math:`\mu_t^2` in proportion to ``shares``.

    Parameters
    ----------
    epsilon : float
        The budget, above 0 and finite.
    delta : float
        Above 0, below 1.
    shares : sequence of float
        One for each release, above 0 and finite.
    numbers : int or sequence of int, default=2
        How many numbers of a release neighbours can change: its size, times min(distance, count) if its parts are
        parallel. Too small a value here is found when the ledger is checked.

    Returns
    -------
    tuple of float
        Noise scale over (distance * sensitivity) of each release. The run costs at most ``epsilon``.
    """
    return calibrate_mixed(epsilon, delta, (), shares, numbers=numbers)


def calibrate_mixed(
    epsilon: float,
    delta: float,
    selections: Sequence[float | Fraction],
    shares: Sequence[float],
    mechanism: MechanismName = "exponential",
    numbers: int | Sequence[int] = 2,
) -> tuple[float, ...]:
    """Return the noise multipliers of Gaussian releases that follow, or stand between, pure ones.

    Parameters
    ----------
    epsilon, delta, shares, numbers
        As for `calibrate_gaussian`.
    selections : sequence of float or Fraction
        The pure epsilon of each pure release, above 0; one for all nodes of a level.
    mechanism : {"exponential", "permute-and-flip", "laplace"}, default="exponential"
        What these releases are. The exponential mechanism costs about half as much as the others under delta > 0.

    Returns
    -------
    tuple of float
        One for each share.

    Raises
    ------
    ParameterError
        If an argument is out of range.
    PlanError
        If the pure releases leave nothing.
    """
    sizes = [numbers] * len(shares) if isinstance(numbers, int) else list(numbers)
    if len(sizes) != len(shares):
        raise ParameterError("numbers", numbers, "one integer, or one for each share")
    for share in shares:
        if not 0.0 < share < math.inf:
            raise ParameterError("shares", share, "finite numbers above 0")
    if not shares:
        raise ParameterError("shares", shares, "at least one number")
    if mechanism in ("gaussian", "none"):
        raise ParameterError("mechanism", mechanism, "'exponential', 'permute-and-flip' or 'laplace'")
    pure = [PlannedRelease("selection", mechanism, Fraction(cost), 1, "sequential", 1, 1) for cost in selections]
    whole = math.fsum(shares)
    gaussian = [
        PlannedRelease("sums", "gaussian", Fraction(0), 1, "sequential", 1, size, math.sqrt(whole / share))
        for share, size in zip(shares, sizes, strict=True)
    ]
    fitted = calibrate_releases([*pure, *gaussian], epsilon, delta)
    return tuple(release.noise_multiplier for release in fitted if release.noise_multiplier is not None)


def _fit(profile: Profile, exact: Callable[[float], Profile], epsilon: float, delta: float) -> float:
    """Return the largest factor on mu for which the run fits, judged at last by ``exact`` and by the total itself."""

    def holds(factor: float) -> bool:
        return profile.scaled(factor).delta_at(epsilon, wanted=delta) <= delta

    bad = min(gdp_mu(epsilon, delta), MOST_MU) / profile.mu * (1.0 + 1e-9)
    good = 0.5 * bad
    while not holds(good):
        good *= 0.5
        if good < 1e-9 * bad:
            if profile.pure:
                raise PlanError(
                    "The pure releases leave no budget for the Gaussian ones. Raise epsilon, or their share."
                )
            raise PlanError(
                "The budget is too small for Gaussian noise on integers. Raise epsilon, or use Laplace noise."
            )
    factor = boundary(holds, good, bad, precision=1e-10)
    # The curve of a mixed run is a bound with small steps in it: let the total have the last word.
    for _ in range(100):
        excess = exact(factor).epsilon_at(delta) / epsilon - 1.0
        if excess <= 0.0:
            return factor
        factor *= 1.0 - 2.0 * excess - 1e-11
    raise PlanError("No noise level was found for this budget.")


def _check_chance(delta: float) -> float:
    number = check_delta(delta)
    if number == 0.0:
        raise ParameterError("delta", delta, "above 0 for Gaussian noise", "Use Laplace noise for a pure epsilon.")
    return number


def _up(value: float) -> float:
    # The quotient is off by half a unit in the last place at most.
    return math.nextafter(value, math.inf)
