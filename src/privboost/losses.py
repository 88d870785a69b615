"""Proper losses for two classes, each in all its forms: Bayes risk, partial losses, link, surrogate, weight, criterion.

A loss is given by its Bayes risk ``L`` on [0, 1]: concave, symmetric, ``L(0) = L(1) = 0``, ``L(1/2) = 1``. The rest
follows (Nock & Nielsen 2009; Reid & Williamson 2010; Buja, Stuetzle & Shen 2005):

====================  =========================================================
partial losses        ``ℓ₁(u) = L(u) + (1 - u) L'(u)``, ``ℓ₋₁(u) = ℓ₁(1 - u)``
canonical link        ``ψ(u) = -L'(u)``, and its inverse ``ψ⁻¹``
convex surrogate      ``φ(z) = sup_u (-z u + L(u))``
its gradient          ``φ'(z) = -ψ⁻¹(-z)``, the boosting weight up to its sign
weight function       ``-L''(u)`` (the curvature of the criterion)
criterion of a leaf   ``Ľ(w¹, w) = w L(w¹ / w)``, the perspective of ``L``
====================  =========================================================

Every form is computed on one half of its domain and reflected, which is why nothing cancels near an end::

    u:   0 ------- 1/2 ------- 1         v = min(u, 1 - u) in [0, 1/2], exact in floating point for u >= 1/2
    z:  -oo ------- 0 ------- +oo        t = |z| in [0, oo];  ψ⁻¹(z) = 1 - ψ⁻¹(-z),  φ(-z) = z + φ(z)

Scalars in, float out; arrays in, float64 arrays out. At a kink of ``L`` the link is an interval and its middle is
returned; where ``L`` has a kink at 1/2 the inverse link is 1/2 on the whole closed interval.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from privboost.bayes_risk import NumericBayesRisk
from privboost.errors import ParameterError, ParameterTypeError

__all__ = ["LogLoss", "Loss", "MAlphaLoss", "MatsushitaLoss", "SquareLoss", "ZeroOneLoss", "get_loss"]

Array: TypeAlias = NDArray[np.float64]
V = TypeVar("V", float, NDArray[Any])

_LN2 = float(np.log(2.0))


class Loss(ABC):
    """A proper, symmetric loss for two classes, normalised so that its Bayes risk is 1 at 1/2.

    Attributes
    ----------
    name : str
        How messages, plans and model files call it.
    kernel_code : tuple of (int, float) or None
        Which compiled criterion computes it, and its α: 0 zero-one, 1 Matsushita, 2 square, 3 log, 4 Mα. None if only
        the Python form exists.
    curvature_bound : float
        Smallest upper bound of ``φ''``, that is ``1 / min(-L'')``; inf if ``φ'`` jumps.
    """

    name: str
    kernel_code: tuple[int, float] | None = None
    curvature_bound: float

    @staticmethod
    def from_bayes_risk(name: str, bayes_risk: Callable[[Any], Any]) -> Loss:
        """Make a loss from its Bayes risk alone; everything else is computed numerically.

        Parameters
        ----------
        name : str
            A name that no built-in loss has.
        bayes_risk : callable
            ``L(u)`` for u in [0, 1]: concave, ``L(u) = L(1 - u)``, ``L(0) = L(1) = 0``, ``L(1/2) = 1``, accurate
            to 8e-16. It may take arrays or only scalars.

        Returns
        -------
        Loss
            Link, inverse link and surrogate are good to about 1e-9 where ``L`` is smooth, the weight function to about
            1e-6; arguments nearer to an end than 1e-12 may count as 1e-12. A kink away from 1/2 is smoothed over 1/16
            of its distance to the nearer end.

        Raises
        ------
        ParameterError
            If one of the conditions fails on a grid of some 500 points.
        """
        return _NumericLoss(name, bayes_risk)

    def bayes_risk(self, u: V) -> V:
        """Return ``L(u)``, in [0, 1], for u in [0, 1] (any shape)."""
        p = _read_probability(u)
        with np.errstate(all="ignore"):
            return _give(self._risk(np.minimum(p, 1.0 - p)), u)

    def partial_losses(self, u: V) -> tuple[V, V]:
        """Return ``(ℓ₁(u), ℓ₋₁(u))``: what predicting u costs for a row of class +1, and of class -1. May be inf."""
        p = _read_probability(u)
        with np.errstate(all="ignore"):
            small, large = self._partials(np.minimum(p, 1.0 - p))
        positive, negative = np.where(p < 0.5, large, small), np.where(p < 0.5, small, large)
        return _give(positive, u), _give(negative, u)

    def link(self, u: V) -> V:
        """Return the canonical link ``ψ(u) = -L'(u)``, in [-inf, inf], odd about 1/2."""
        p = _read_probability(u)
        with np.errstate(all="ignore"):
            slope = self._slope(np.minimum(p, 1.0 - p))
        return _give(np.where(p < 0.5, -slope, slope), u)

    def inverse_link(self, z: V) -> V:
        """Return ``ψ⁻¹(z)``, in [0, 1], for any real z, ±inf included."""
        x = _read_real(z)
        with np.errstate(all="ignore"):
            tail = self._tail(np.abs(x))
        return _give(np.where(x < 0.0, tail, 1.0 - tail), z)

    def surrogate(self, z: V) -> V:
        """Return the convex surrogate ``φ(z)`` of a margin z; ``φ(0) = 1``, and ``φ(z) >= [z < 0]``."""
        x = _read_real(z)
        with np.errstate(all="ignore"):
            return _give(self._conjugate(np.abs(x)) + np.maximum(-x, 0.0), z)

    def surrogate_gradient(self, z: V) -> V:
        """Return ``φ'(z) = -ψ⁻¹(-z)``, in [-1, 0]; a subgradient where ``φ`` has a kink."""
        x = _read_real(z)
        return _give(0.0 - self.inverse_link(-x), z)

    def weight_function(self, u: V) -> V:
        """Return ``-L''(u) >= 0``; a kink of ``L`` at 1/2 is a point mass there, returned as inf."""
        p = _read_probability(u)
        with np.errstate(all="ignore"):
            return _give(self._weight(np.minimum(p, 1.0 - p)), u)

    def criterion(self, w1: V, w: V | float) -> V:
        """Return the criterion of a leaf, ``Ľ(w¹, w) = w L(w¹/w)``; 0 for an empty leaf.

        Parameters
        ----------
        w1, w : float or array of shapes that broadcast
            Weight of class +1 and of both classes, ``0 <= w1 <= w <= 1e150``, in any unit: ``Ľ`` is homogeneous. An
            excess of w1 of up to 1e-9 of w, as float sums produce, counts as a pure leaf.

        Returns
        -------
        float or ndarray of float64
            In [0, w]. It never falls when a row is added, see `privboost.theory.sensitivity`.
        """
        a, b = _read_real(w1, "w1"), _read_real(w, "w")
        if not (np.all(a >= 0.0) and np.all(b <= 1e150) and np.all(a <= b * (1.0 + 1e-9))):
            raise ParameterError("w1", _Withheld("a pair outside it"), "in [0, w] with w <= 1e150", _SUMS)
        other = np.maximum(b - a, 0.0)
        with np.errstate(all="ignore"):
            value = self._perspective(np.minimum(a, other), np.maximum(a, other), np.maximum(b, a))
        return _give(np.where(b == 0.0, 0.0, value), w1)

    # Each loss gives these, for v in [0, 1/2] and t in [0, inf].

    @abstractmethod
    def _risk(self, v: Array) -> Array:
        """``L(v)``."""

    @abstractmethod
    def _slope(self, v: Array) -> Array:
        """``L'(v) >= 0``; 0 at 1/2."""

    @abstractmethod
    def _partials(self, v: Array) -> tuple[Array, Array]:
        """``L(v) - v L'(v)`` (cost of the likelier class) and ``L(v) + (1 - v) L'(v)`` (of the other)."""

    @abstractmethod
    def _weight(self, v: Array) -> Array:
        """``-L''(v)``."""

    @abstractmethod
    def _tail(self, t: Array) -> Array:
        """``ψ⁻¹(-t)``, in [0, 1/2]."""

    @abstractmethod
    def _conjugate(self, t: Array) -> Array:
        """``φ(t)``, in [0, 1]."""

    def _perspective(self, low: Array, high: Array, total: Array) -> Array:
        """``total * L(low / total)``, where ``low <= high`` are the weights of the two classes."""
        return total * self._risk(np.minimum(low / total, 0.5))

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    def __str__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((type(self), self.name, self.kernel_code))


class ZeroOneLoss(Loss):
    """0/1 loss: ``L(u) = 2 min(u, 1 - u)``. Cheapest for privacy, no boosting rate."""

    name = "zero-one"
    kernel_code = (0, 0.0)
    curvature_bound = np.inf  # the slope of the surrogate jumps at ±2

    def _risk(self, v: Array) -> Array:
        return 2.0 * v

    def _slope(self, v: Array) -> Array:
        return np.where(v < 0.5, 2.0, 0.0)

    def _partials(self, v: Array) -> tuple[Array, Array]:
        return np.where(v < 0.5, 0.0, 1.0), np.where(v < 0.5, 2.0, 1.0)

    def _weight(self, v: Array) -> Array:
        return np.where(v < 0.5, 0.0, np.inf)

    def _tail(self, t: Array) -> Array:
        return np.where(t <= 2.0, 0.5, 0.0)

    def _conjugate(self, t: Array) -> Array:
        return np.maximum(1.0 - t / 2.0, 0.0)

    def _perspective(self, low: Array, high: Array, total: Array) -> Array:
        return 2.0 * low


class MatsushitaLoss(Loss):
    """Matsushita loss: ``L(u) = 2 √(u (1 - u))``. Optimal boosting rate (Kearns & Mansour 1996), dearest."""

    name = "matsushita"
    kernel_code = (1, 1.0)
    curvature_bound = 0.25

    def _risk(self, v: Array) -> Array:
        return np.asarray(2.0 * np.sqrt(v * (1.0 - v)))

    def _slope(self, v: Array) -> Array:
        return np.asarray((1.0 - 2.0 * v) / np.sqrt(v * (1.0 - v)))

    def _partials(self, v: Array) -> tuple[Array, Array]:
        near, far = np.sqrt(v), np.sqrt(1.0 - v)
        return near / far, far / near

    def _weight(self, v: Array) -> Array:
        return np.asarray(0.5 / (v * (1.0 - v)) ** 1.5)

    def _tail(self, t: Array) -> Array:
        # 1/2 (1 - t/s) with s = √(4 + t²), multiplied out: the difference would lose every digit for large t.
        s = np.hypot(2.0, t)
        return np.asarray((1.0 / s) / (0.5 * s + 0.5 * t))

    def _conjugate(self, t: Array) -> Array:
        return np.asarray(1.0 / (0.5 * t + 0.5 * np.hypot(2.0, t)))

    def _perspective(self, low: Array, high: Array, total: Array) -> Array:
        return np.asarray(2.0 * np.sqrt(low * high))


class SquareLoss(Loss):
    """Square loss: ``L(u) = 4 u (1 - u)``, twice the Gini index."""

    name = "square"
    kernel_code = (2, 0.0)
    curvature_bound = 0.125

    def _risk(self, v: Array) -> Array:
        return 4.0 * v * (1.0 - v)

    def _slope(self, v: Array) -> Array:
        return 4.0 - 8.0 * v

    def _partials(self, v: Array) -> tuple[Array, Array]:
        return 4.0 * v**2, 4.0 * (1.0 - v) ** 2

    def _weight(self, v: Array) -> Array:
        return np.full_like(v, 8.0)

    def _tail(self, t: Array) -> Array:
        return np.maximum(0.5 - t / 8.0, 0.0)

    def _conjugate(self, t: Array) -> Array:
        return np.asarray(np.maximum(1.0 - t / 4.0, 0.0) ** 2)

    def _perspective(self, low: Array, high: Array, total: Array) -> Array:
        return 4.0 * low * high / total


class LogLoss(Loss):
    """Log loss in bits: ``L(u) = -u lb u - (1 - u) lb (1 - u)``, the entropy."""

    name = "log"
    kernel_code = (3, 0.0)
    curvature_bound = _LN2 / 4.0

    def _risk(self, v: Array) -> Array:
        return self._perspective(v, 1.0 - v, np.ones_like(v))

    def _slope(self, v: Array) -> Array:
        far = (np.log1p(-v) - np.log(v)) / _LN2
        return np.where(v > 0.25, 2.0 * np.arctanh(1.0 - 2.0 * v) / _LN2, far)

    def _partials(self, v: Array) -> tuple[Array, Array]:
        return -np.log1p(-v) / _LN2, -np.log(v) / _LN2

    def _weight(self, v: Array) -> Array:
        return 1.0 / (v * (1.0 - v) * _LN2)

    def _tail(self, t: Array) -> Array:
        odds = np.exp2(-t)
        return np.asarray(odds / (1.0 + odds))

    def _conjugate(self, t: Array) -> Array:
        return np.asarray(np.log1p(np.exp2(-t)) / _LN2)

    def _perspective(self, low: Array, high: Array, total: Array) -> Array:
        # Two positive terms, so nothing cancels; log1p because high/total rounds to 1 for a nearly pure leaf.
        ratio = np.maximum(low / total, np.finfo(np.float64).smallest_subnormal)
        value = -(low * np.log(ratio) + high * np.log1p(-ratio)) / _LN2
        return np.where(low > 0.0, value, 0.0)


class MAlphaLoss(Loss):
    """Mα loss: ``L = α L_Matsushita + (1 - α) L_0/1``, between the cheapest loss (α = 0) and the fastest (α = 1).

    The tunable loss of "Boosted and Differentially Private Ensembles of Decision Trees". With ``c = 2 (1 - α)``,
    ``z̃ = sign(z) max(|z| - c, 0)`` and ``g(t) = (-t + √(4α² + t²)) / 2``: ``ψ⁻¹(z) = (1 + z̃ / √(4α² + z̃²)) / 2``;
    ``φ(z) = 1 - z/2`` for ``|z| <= c``, ``g(z - c)`` above, ``c + g(z + c)`` below.

    Parameters
    ----------
    alpha : float
        In [0, 1].
    """

    name = "m-alpha"

    def __init__(self, alpha: float) -> None:
        if isinstance(alpha, bool) or not isinstance(alpha, (int, float, np.integer, np.floating)):
            raise ParameterTypeError("alpha", alpha, "a number in [0, 1]")
        if not 0.0 <= alpha <= 1.0:
            raise ParameterError("alpha", alpha, "a number in [0, 1]", "0 is the 0/1 loss, 1 is Matsushita's.")
        self.alpha = float(alpha)
        self.kernel_code = (4, self.alpha)
        self.curvature_bound = 0.25 / self.alpha if self.alpha > 0.0 else np.inf

    def _mix(self, smooth: Array, flat: Array) -> Array:
        """``α smooth + (1 - α) flat``, where 0 times inf is 0."""
        if self.alpha == 0.0:
            return flat
        return smooth if self.alpha == 1.0 else self.alpha * smooth + (1.0 - self.alpha) * flat

    def _risk(self, v: Array) -> Array:
        return self._mix(_MATSUSHITA._risk(v), _ZERO_ONE._risk(v))

    def _slope(self, v: Array) -> Array:
        return self._mix(_MATSUSHITA._slope(v), _ZERO_ONE._slope(v))

    def _partials(self, v: Array) -> tuple[Array, Array]:
        (near, far), (right, wrong) = _MATSUSHITA._partials(v), _ZERO_ONE._partials(v)
        return self._mix(near, right), self._mix(far, wrong)

    def _weight(self, v: Array) -> Array:
        return self._mix(_MATSUSHITA._weight(v), _ZERO_ONE._weight(v))

    def _tail(self, t: Array) -> Array:
        if self.alpha == 0.0:
            return _ZERO_ONE._tail(t)
        return _MATSUSHITA._tail(np.maximum(t - 2.0 * (1.0 - self.alpha), 0.0) / self.alpha)

    def _conjugate(self, t: Array) -> Array:
        kink = 2.0 * (1.0 - self.alpha)
        past = np.maximum(t - kink, 0.0)
        beyond = self.alpha * (self.alpha / (0.5 * past + 0.5 * np.hypot(2.0 * self.alpha, past)))
        return np.where(t <= kink, 1.0 - t / 2.0, beyond)

    def _perspective(self, low: Array, high: Array, total: Array) -> Array:
        return self._mix(_MATSUSHITA._perspective(low, high, total), _ZERO_ONE._perspective(low, high, total))

    def __repr__(self) -> str:
        return f"MAlphaLoss(alpha={self.alpha!r})"

    def __str__(self) -> str:
        return f"{self.name}({self.alpha:g})"


class _NumericLoss(Loss):
    """A loss known by its Bayes risk alone; see `Loss.from_bayes_risk`."""

    def __init__(self, name: str, bayes_risk: Callable[[Any], Any]) -> None:
        if not isinstance(name, str) or not name or name in (*_BUILT_IN, MAlphaLoss.name):
            raise ParameterError("name", name, "a name that no built-in loss has")
        self.name = name
        self._numeric = NumericBayesRisk(bayes_risk)
        self.curvature_bound = self._numeric.curvature

    def _risk(self, v: Array) -> Array:
        return self._numeric.risk(v)

    def _slope(self, v: Array) -> Array:
        return self._numeric.slope(v)

    def _partials(self, v: Array) -> tuple[Array, Array]:
        return self._numeric.partials(v)

    def _weight(self, v: Array) -> Array:
        return self._numeric.weight(v)

    def _tail(self, t: Array) -> Array:
        return self._numeric.tail(t)

    def _conjugate(self, t: Array) -> Array:
        return self._numeric.conjugate(t)

    def __repr__(self) -> str:
        return f"Loss.from_bayes_risk({self.name!r}, ...)"


def get_loss(loss: str | Loss) -> Loss:
    """Return the loss of that name, or the loss itself.

    Parameters
    ----------
    loss : {"zero-one", "matsushita", "square", "log"} or Loss

    Returns
    -------
    Loss

    Raises
    ------
    ParameterError
        If no loss has that name.
    ParameterTypeError
        If ``loss`` is neither a string nor a Loss.
    """
    if isinstance(loss, Loss):
        return loss
    if not isinstance(loss, str):
        raise ParameterTypeError("loss", loss, "a Loss or the name of one", _NAMES)
    if loss not in _BUILT_IN:
        raise ParameterError("loss", loss, "a Loss or the name of one", _NAMES)
    return _BUILT_IN[loss]


class _Withheld:
    """Stands for a value that a message must not show: it may come from private rows."""

    def __init__(self, description: str) -> None:
        self.description = description

    def __repr__(self) -> str:
        return self.description


def _read_real(value: object, name: str = "z") -> Array:
    try:
        array = np.asarray(value, dtype=np.float64) + 0.0  # + 0.0: -0.0 would turn an end's +inf into -inf
    except (TypeError, ValueError):
        kind = _Withheld(f"an object of type {type(value).__name__}")
        raise ParameterTypeError(name, kind, "a real number or an array of them") from None
    if np.isnan(array).any():
        raise ParameterError(name, _Withheld("a NaN"), "a real number or an array of them", "Drop or fill NaN first.")
    return array


def _read_probability(value: object) -> Array:
    array = _read_real(value, "u")
    if not (np.all(array >= 0.0) and np.all(array <= 1.0)):
        raise ParameterError("u", _Withheld("a value outside it"), "in [0, 1]", "Clip it first.")
    return array


def _give(value: Array, like: V) -> V:
    """Return a float for scalars, which is what the type of ``like`` promises."""
    return cast(V, float(value) if np.ndim(value) == 0 else value)


_ZERO_ONE, _MATSUSHITA = ZeroOneLoss(), MatsushitaLoss()
_BUILT_IN: dict[str, Loss] = {each.name: each for each in (_ZERO_ONE, _MATSUSHITA, SquareLoss(), LogLoss())}
_NAMES = "Names: " + ", ".join(repr(name) for name in _BUILT_IN) + "; for Mα pass MAlphaLoss(alpha)."
_SUMS = "Pass the weight of class +1 first and of both classes second."
