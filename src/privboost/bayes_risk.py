"""What follows from a Bayes risk that is known as a function only, computed numerically.

Arguments are those of the primitives of `privboost.losses.Loss`: v in [0, 1/2] and t in [0, inf], float64 arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privboost.errors import ParameterError, ParameterTypeError

__all__ = ["NumericBayesRisk"]

Array: TypeAlias = NDArray[np.float64]

_EPS = float(np.finfo(np.float64).eps)


class NumericBayesRisk:
    """Link, inverse link, surrogate and weight function of a Bayes risk given as a function.

    Parameters
    ----------
    bayes_risk : callable
        ``L(u)``, for u in [0, 1], on arrays or on scalars.

    Attributes
    ----------
    curvature : float
        ``1 / min(-L'')``, searched on a grid; inf if ``L`` is straight somewhere.

    Raises
    ------
    ParameterTypeError
        If it is not callable.
    ParameterError
        If it is not finite, symmetric, concave, 0 at the ends and 1 in the middle, on a grid of some 500 points.
    """

    def __init__(self, bayes_risk: Callable[[Any], Any]) -> None:
        if not callable(bayes_risk):
            raise ParameterTypeError("bayes_risk", bayes_risk, "a function of u in [0, 1]")
        self._function = _vectorised(bayes_risk)
        _check_bayes_risk(self._function)
        near = _risk_per_u(self._function, np.logspace(-300, -1, 400))
        # A formula such as 1 - (2u - 1)² loses its digits below 1e-15; the searches must not look there.
        self._floor = 1e-300 if np.all(np.diff(near) <= 1e-6 * near[:-1]) else 1e-12
        self._kink = _settle(float(_derivative(self.risk, np.asarray(np.nextafter(0.5, 0.0)), 1)), 1e-7)
        self._end_slope = _limit(*_risk_per_u(self._function, np.array([2.0**-20, 2.0**-30, 2.0**-40])))
        self._end_weight = self._weight_at_end()
        self.curvature = self._largest_curvature()

    def _weight_at_end(self) -> float:
        if not np.isfinite(self._end_slope):
            return np.inf
        v = np.array([2.0**-6, 2.0**-9, 2.0**-12])
        return _settle(_limit(*(2.0 * (self._end_slope - _risk_per_u(self._function, v)) / v)), 1e-6)

    def _largest_curvature(self) -> float:
        v = np.linspace(0.0, np.nextafter(0.5, 0.0), 501)
        lowest = int(np.argmin(self.weight(v)))
        fine = np.linspace(v[max(lowest - 1, 0)], v[min(lowest + 1, 500)], 501)
        least = float(np.min(self.weight(fine)))
        return (1.0 + 1e-6) / least if least > 1e-5 else np.inf  # rounded up: it has to stay a bound

    def risk(self, v: Array) -> Array:
        """Return ``L(v)``; straight below the floor."""
        shrink = np.minimum(v / self._floor, 1.0)
        return np.where(v < 0.5, self._function(np.clip(v, self._floor, 0.5)), 1.0) * shrink

    def slope(self, v: Array) -> Array:
        """Return ``L'(v) >= 0``; its limit at 0, and 0 at 1/2."""
        inner = np.maximum(_derivative(self.risk, np.clip(v, 2.0 * self._floor, 0.5), 1), self._kink)
        if np.isfinite(self._end_slope):
            inner = np.where(v < self._floor, self._end_slope, inner)
        return np.where(v > 0.0, np.where(v < 0.5, inner, 0.0), self._end_slope)

    def partials(self, v: Array) -> tuple[Array, Array]:
        """Return ``L(v) - v L'(v)`` and ``L(v) + (1 - v) L'(v)``."""
        risk, slope = self.risk(v), self.slope(v)
        return np.where(v > 0.0, np.maximum(risk - v * slope, 0.0), 0.0), risk + (1.0 - v) * slope

    def weight(self, v: Array) -> Array:
        """Return ``-L''(v)``; inf at 1/2 if ``L`` has a kink there."""
        nearest = 1e-5 if np.isfinite(self._end_weight) else 2.0 * self._floor
        inside = np.clip(v, nearest, np.nextafter(0.5, 0.0))
        weight = np.maximum(-_derivative(self.risk, inside, 2), 0.0)
        if np.isfinite(self._end_weight):
            # Second differences are all rounding next to an end; there the weight is smooth, so interpolate.
            weight = self._end_weight + (weight - self._end_weight) * np.minimum(v / 1e-5, 1.0)
        weight = np.where(v > 0.0, weight, self._end_weight)
        return np.where((v == 0.5) & (self._kink > 0.0), np.inf, weight)

    def tail(self, t: Array) -> Array:
        """Return ``ψ⁻¹(-t)``, by bisection of the slope in log v."""
        low, high = np.full(t.shape, np.log(self._floor)), np.full(t.shape, np.log(0.5))
        for _ in range(64):
            middle = 0.5 * (low + high)
            steeper = self.slope(np.exp(middle)) > t
            low, high = np.where(steeper, middle, low), np.where(steeper, high, middle)
        inner = np.where(low > np.log(self._floor), np.minimum(np.exp(high), 0.5), 0.0)
        return np.where(t <= self._kink + 1e-9 * (self._kink > 0.0), 0.5, inner)

    def conjugate(self, t: Array) -> Array:
        """Return ``φ(t) = sup_v (L(v) - t v)``."""
        v = self.tail(t)
        return np.where(v > 0.0, np.maximum(self.risk(v) - t * v, 0.0), 0.0)


def _vectorised(function: Callable[[Any], Any]) -> Callable[[Array], Array]:
    """Return ``function`` on arrays, even if it was written for scalars with ``math`` or ``min``."""
    try:
        with np.errstate(all="ignore"):
            if np.shape(function(np.array([0.25, 0.5]))) == (2,):
                return lambda u: np.asarray(function(u), dtype=np.float64)
    except (TypeError, ValueError):
        pass
    return np.vectorize(function, otypes=[np.float64])


def _check_bayes_risk(function: Callable[[Array], Array]) -> None:
    """Refuse what is not a normalised symmetric Bayes risk."""
    half = np.concatenate([[0.0], np.logspace(-12, -2, 120), np.arange(3, 129) / 256.0])
    u = np.concatenate([half, 1.0 - half[-2::-1]])
    with np.errstate(all="ignore"):
        risk = function(u)

    def refuse(expected: str, remedy: str) -> None:
        raise ParameterError("bayes_risk", function, expected, remedy)

    if not np.all(np.isfinite(risk)):
        refuse("finite on [0, 1]", "Return 0 at u = 0 and u = 1, where a formula such as u log u gives NaN.")
    if max(abs(risk[0]), abs(risk[-1])) > 1e-12:
        refuse("0 at u = 0 and u = 1", "Subtract the straight line through its two ends.")
    if np.max(np.abs(risk - risk[::-1])) > 1e-9:
        refuse("symmetric", "Use the mean of L(u) and L(1 - u).")
    if abs(risk[half.size - 1] - 1.0) > 1e-12:
        refuse("1 at u = 1/2", "Divide it by its value there.")
    left, right = u[1:-1] - u[:-2], u[2:] - u[1:-1]
    chord = (risk[:-2] * right + risk[2:] * left) / (left + right)
    if np.any(risk[1:-1] < chord - 32.0 * _EPS):
        refuse("concave", "A Bayes risk is a minimum of straight lines; its negative is convex.")


def _risk_per_u(function: Callable[[Array], Array], u: Array) -> Array:
    with np.errstate(all="ignore"):
        return function(u) / u


def _limit(first: float, second: float, third: float) -> float:
    """Aitken's limit of a sequence of which these are terms; inf if its steps neither shrink nor are rounding."""
    step, last = second - first, third - second
    if abs(last) < 0.9 * abs(step):
        return float(third + last * last / (step - last))
    return float(third) if abs(last) <= 1e-7 * abs(third) else np.inf


def _settle(value: float, tolerance: float) -> float:
    """0 for what is 0 but for rounding."""
    return value if value > tolerance else 0.0


# Nine-point finite differences, error O(h⁸) and O(h⁷): central, and to the left of the point, for use next to 1/2.
_CENTRAL = np.arange(-4.0, 5.0)
_LEFT = np.arange(-8.0, 1.0)
_FIRST = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0, 4 / 5, -1 / 5, 4 / 105, -1 / 280])
_SECOND = np.array([-1 / 560, 8 / 315, -1 / 5, 8 / 5, -205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560])
_LEFT_FIRST = np.array([1 / 8, -8 / 7, 14 / 3, -56 / 5, 35 / 2, -56 / 3, 14, -8, 761 / 280])
_LEFT_SECOND = np.array(
    [363 / 560, -206 / 35, 2143 / 90, -282 / 5, 691 / 8, -4006 / 45, 621 / 10, -962 / 35, 29531 / 5040]
)


def _derivative(function: Callable[[Array], Array], v: Array, order: int) -> Array:
    """First or second derivative at v in (0, 1/2), from values in (0, 1/2] only; the step is v/64."""
    step = v / 64.0
    central = (v + 4.0 * step <= 0.5)[..., None]
    points = v[..., None] + np.where(central, _CENTRAL, _LEFT) * step[..., None]
    inside, outside = (_FIRST, _LEFT_FIRST) if order == 1 else (_SECOND, _LEFT_SECOND)
    with np.errstate(all="ignore"):
        difference = np.sum(function(points) * np.where(central, inside, outside), axis=-1)
        return np.asarray(difference / step / (step if order == 2 else 1.0))
