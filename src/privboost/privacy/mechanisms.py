"""The only place where private numbers become public ones: noise, and one ledger entry in the same call.

Every mechanism is analysed for ONE row added or removed, which changes its input by at most the integer
``sensitivity``; neighbours that differ by d such steps cost d times as much (group privacy). Replacing a row is two
steps: one removal and one addition.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar, Literal, NoReturn, Self, overload

import numpy as np
import numpy.typing as npt

from privboost.errors import ParameterError, ParameterTypeError, PlanError, SchemaTypeError
from privboost.privacy.accounting import Event, Ledger, PlannedRelease
from privboost.privacy.randomness import RULE_CODES, Randomness

__all__ = ["Exact", "Gaussian", "Laplace", "Norm", "RawScores", "RawSums", "Released", "Select"]

Int64Array = npt.NDArray[np.int64]
Norm = Literal["l1", "l2"]


class _Raw:
    """Integers computed from private rows. They can be handed on, and opened by a mechanism, and nothing else."""

    __slots__ = ("__values", "_sensitivity")

    def __init__(self, values: Int64Array, sensitivity: int) -> None:
        if not isinstance(values, np.ndarray) or values.dtype != np.int64:
            raise SchemaTypeError("Unreleased numbers must be an int64 array on the public grid.")
        if type(sensitivity) is not int:
            raise ParameterTypeError("sensitivity", sensitivity, "an integer of 1 or more")
        if sensitivity < 1:
            raise ParameterError("sensitivity", sensitivity, "an integer of 1 or more")
        self.__values = values
        self._sensitivity = sensitivity

    @property
    def shape(self) -> tuple[int, ...]:
        """Public: a function of the plan alone."""
        return self.__values.shape

    @property
    def sensitivity(self) -> int:
        """Largest change by one row added or removed, in integer units. Public."""
        return self._sensitivity

    def __repr__(self) -> str:
        return f"{type(self).__name__}(shape={self.shape}, sensitivity={self._sensitivity}, values hidden)"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError(f"{type(self).__name__} holds unreleased private numbers: it cannot be copied or pickled.")

    def __array__(self, *args: object, **kwargs: object) -> NoReturn:
        raise TypeError(f"{type(self).__name__} holds unreleased private numbers: apply a mechanism to it.")


class RawSums(_Raw):
    """Unreleased sums, any shape.

    Parameters
    ----------
    values : int64 array
        Kept by reference.
    sensitivity : int
        Bound on the norm of the change by one row added or removed, over the numbers of one release.
    norm : {"l1", "l2"}, default="l1"
        Which norm that is: L1 for Laplace noise, L2 for Gaussian noise.
    """

    __slots__ = ("_norm",)

    def __init__(self, values: Int64Array, sensitivity: int, norm: Norm = "l1") -> None:
        super().__init__(values, sensitivity)
        if norm not in ("l1", "l2"):
            raise ParameterError("norm", norm, "'l1' or 'l2'")
        self._norm: Norm = norm

    @property
    def norm(self) -> Norm:
        """The norm that the sensitivity bounds. Public."""
        return self._norm


class RawScores(_Raw):
    """Unreleased scores of split candidates.

    Parameters
    ----------
    values : int64 array, shape (n_nodes, n_candidates)
        Kept by reference.
    sensitivity : int
        When one row is added or removed, the changes of one node's scores all lie in an interval of this length.
        (Only differences of scores matter. Scores that all move the same way by at most Δ satisfy it with Δ.)
    """

    __slots__ = ()

    def __init__(self, values: Int64Array, sensitivity: int) -> None:
        super().__init__(values, sensitivity)
        if values.ndim != 2:
            raise SchemaTypeError("Scores must be an array of shape (n_nodes, n_candidates).")


def _reveal(raw: _Raw) -> Int64Array:
    values: Int64Array = raw._Raw__values  # type: ignore[attr-defined]
    return values


class Released:
    """Numbers that a mechanism let out: public from here on. Whatever is computed from them alone is free.

    Attributes
    ----------
    values : int64 array
        Read-only.
    """

    __slots__ = ("values",)

    def __init__(self, values: Int64Array) -> None:
        self.values = values
        values.setflags(write=False)

    def __repr__(self) -> str:
        return f"Released({np.array2string(self.values, threshold=20)})"


class _Noisy:
    """What the noisy mechanisms share: scale, privacy map, event."""

    __slots__ = ("_planned", "_scale", "_sensitivity")

    kinds: ClassVar[tuple[str, ...]]
    """Mechanisms of a plan that this one is for."""

    def __init__(self, planned: PlannedRelease, sensitivity: int) -> None:
        if planned.mechanism not in self.kinds:
            raise ParameterError("mechanism", planned.mechanism, " or ".join(map(repr, self.kinds)))
        self._planned = planned
        self._sensitivity = sensitivity
        self._scale = planned.least_scale(sensitivity)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._planned.label!r}, scale={self._scale!r})"

    @property
    def scale(self) -> float:
        """Noise scale in the integer units of the release."""
        return self._scale

    @property
    def sensitivity(self) -> int:
        """Largest change by one row added or removed that the scale allows for."""
        return self._sensitivity

    def map(self, d: int = 1) -> Fraction:
        """Return the epsilon of one release for tables that differ by ``d`` rows added or removed: d * Δ / scale."""
        return d * self._sensitivity / Fraction(self._scale)

    def event(self) -> Event:
        """Return what `apply` writes into the ledger."""
        return self._planned.event(self._sensitivity, self._scale)

    def _open(self, raw: _Raw, shape: tuple[int, ...], ledger: Ledger) -> Int64Array:
        """Check the public facts about ``raw``, charge the release, and only then hand its values over."""
        if raw.sensitivity > self._sensitivity:
            raise PlanError(
                f"The numbers of {self._planned.label!r} have sensitivity {raw.sensitivity}, "
                f"but the release was planned for {self._sensitivity}."
            )
        if shape != (self._planned.count, self._planned.size):
            raise PlanError(
                f"The release {self._planned.label!r} was planned for {self._planned.count} x {self._planned.size} "
                f"numbers, not for {' x '.join(map(str, shape))}."
            )
        ledger.record(self.event())
        return _reveal(raw)

    def _open_sums(self, raw: RawSums, norm: Norm, ledger: Ledger) -> Int64Array:
        """`_open` for sums, whose last axis holds the numbers of one release."""
        if not isinstance(raw, RawSums):
            raise ParameterTypeError("raw", type(raw), "RawSums")
        if raw.norm != norm:
            raise PlanError(
                f"{type(self).__name__} noise needs a sensitivity in the {norm.upper()} norm; "
                f"that of {self._planned.label!r} is in the {raw.norm.upper()} norm."
            )
        per_release = raw.shape[-1] if raw.shape else 1
        total = int(np.prod(raw.shape, dtype=np.int64))
        return self._open(raw, (total // max(per_release, 1), per_release), ledger)


class Laplace(_Noisy):
    r"""Discrete Laplace noise on integer sums.

    Adds independent noise with :math:`P(k) \propto e^{-|k|/b}` to every number. If one row added or removed changes the
    numbers of a release by at most Δ in L1 norm, the release is Δ/b-differentially private for it.

    References
    ----------
    Ghosh, Roughgarden & Sundararajan (2012), "Universally utility-maximizing privacy mechanisms" (the discrete
    form); Dwork, McSherry, Nissim & Smith (2006), "Calibrating noise to sensitivity in private data analysis".
    """

    __slots__ = ()

    kinds = ("laplace",)

    @classmethod
    def for_release(cls, planned: PlannedRelease, sensitivity: int) -> Self:
        """Return the mechanism with the smallest scale whose cost is at most the planned one.

        Parameters
        ----------
        planned : PlannedRelease
            Of mechanism ``"laplace"``; ``count`` releases of ``size`` numbers each.
        sensitivity : int
            Bound on the L1 norm of the change of one release by one row added or removed; over all `count`
            releases together if their composition is ``"parallel"``.
        """
        return cls(planned, sensitivity)

    def apply(self, raw: RawSums, randomness: Randomness, ledger: Ledger) -> Released:
        """Charge the ledger, then release ``raw`` with noise; same shape, values clamped to ±2**53.

        Parameters
        ----------
        raw : RawSums
            ``count * size`` numbers; the last axis holds the numbers of one release.
        randomness : Randomness
        ledger : Ledger

        Raises
        ------
        PlanError
            If the shape, the sensitivity or the norm of ``raw`` is not the planned one. Nothing is released then.
        """
        return Released(randomness.laplace(self._open_sums(raw, "l1", ledger), self._scale))


class Gaussian(_Noisy):
    r"""Discrete Gaussian noise on integer sums.

    Adds independent noise with :math:`P(k) \propto e^{-k^2/2\sigma^2}` to every number. If one row added or removed
    changes the numbers of a release by at most Δ in L2 norm, the release is (Δ/σ)²/2-zero-concentrated differentially
    private for it, and Δ/σ-Gaussian differentially private up to what `discretisation` bounds.

    References
    ----------
    Canonne, Kamath & Steinke (2020), "The discrete Gaussian for differential privacy".
    """

    __slots__ = ()

    kinds = ("gaussian",)

    @classmethod
    def for_release(cls, planned: PlannedRelease, sensitivity: int) -> Self:
        """Return the mechanism with the smallest scale whose cost is at most the planned one.

        Parameters
        ----------
        planned : PlannedRelease
            Of mechanism ``"gaussian"``, with a noise multiplier; ``count`` releases of ``size`` numbers each.
        sensitivity : int
            Bound on the L2 norm of the change of one release by one row added or removed, in integer units; over all
            `count` releases together if their composition is ``"parallel"``.

        Raises
        ------
        PlanError
            If the integer grid is so coarse that the smallest scale, `MIN_GAUSSIAN_SCALE`, is more than needed and more
            than one row.
        """
        return cls(planned, sensitivity)

    def mu(self, d: int = 1) -> Fraction:
        """Return the mu of one release for tables that differ by ``d`` rows added or removed: d * Δ / scale."""
        return super().map(d)

    def map(self, d: int = 1) -> Fraction:
        """Return the rho of one release (zero-concentrated privacy) for ``d`` rows added or removed: mu**2 / 2."""
        return self.mu(d) ** 2 / 2

    def apply(self, raw: RawSums, randomness: Randomness, ledger: Ledger) -> Released:
        """Charge the ledger, then release ``raw`` with noise; same shape, values clamped to ±2**53.

        Parameters
        ----------
        raw : RawSums
            ``count * size`` numbers, ``norm="l2"``; the last axis holds the numbers of one release.
        randomness : Randomness
        ledger : Ledger

        Raises
        ------
        PlanError
            If the shape, the sensitivity or the norm of ``raw`` is not the planned one. Nothing is released then.
        """
        return Released(randomness.gaussian(self._open_sums(raw, "l2", ledger), self._scale))


class Select(_Noisy):
    r"""Private selection of one candidate a node: permute-and-flip, or the exponential mechanism.

    Returns the index of the largest score after exponential noise (permute-and-flip), or after Gumbel noise
    (exponential mechanism, :math:`P(j) \propto e^{s_j/b}`), of scale b. If one row added or removed moves all scores
    of a node the same way by at most Δ, either is Δ/b-differentially private for it; scores without that property
    would need 2Δ.

    References
    ----------
    McKenna & Sheldon (2020), "Permute-and-Flip: a new mechanism for differentially private selection"; Ding, Kifer,
    Steinke, Wang, Xiao & Zhang (2021), "The permute-and-flip mechanism is identical to report-noisy-max with
    exponential noise"; McSherry & Talwar (2007), "Mechanism design via differential privacy".
    """

    __slots__ = ()

    kinds = tuple(RULE_CODES)

    @classmethod
    def for_release(cls, planned: PlannedRelease, sensitivity: int) -> Self:
        """Return the mechanism with the smallest scale whose cost is at most the planned one.

        Parameters
        ----------
        planned : PlannedRelease
            Of mechanism ``"permute-and-flip"`` or ``"exponential"``; ``count`` nodes of ``size`` candidates.
        sensitivity : int
            As for `RawScores`.
        """
        return cls(planned, sensitivity)

    def apply(self, raw: RawScores, randomness: Randomness, ledger: Ledger) -> Int64Array:
        """Charge the ledger, then return the selected candidate of each node, int64 of shape (n_nodes,).

        Raises
        ------
        PlanError
            If the shape or the sensitivity of ``raw`` is not the planned one. Nothing is released then.
        """
        if not isinstance(raw, RawScores):
            raise ParameterTypeError("raw", type(raw), "RawScores")
        values = self._open(raw, raw.shape, ledger)
        return randomness.select(values, self._scale, self._planned.mechanism)


class Exact:
    """Release without noise, for models without a guarantee (``privacy=None``). The ledger then has no total.

    Parameters
    ----------
    planned : PlannedRelease
        Of mechanism ``"none"``.
    sensitivity : int, default=1
        Only recorded.
    """

    __slots__ = ("_planned", "_sensitivity")

    def __init__(self, planned: PlannedRelease, sensitivity: int = 1) -> None:
        if planned.mechanism != "none":
            raise ParameterError("mechanism", planned.mechanism, "'none'")
        self._planned = planned
        self._sensitivity = sensitivity

    @classmethod
    def for_release(cls, planned: PlannedRelease, sensitivity: int = 1) -> Self:
        """Return the mechanism; the same call as for the noisy ones."""
        return cls(planned, sensitivity)

    @property
    def scale(self) -> float:
        """Noise scale: none."""
        return 0.0

    def event(self) -> Event:
        """Return what `apply` writes into the ledger."""
        return self._planned.event(self._sensitivity, 0.0)

    @overload
    def apply(self, raw: RawSums, randomness: object, ledger: Ledger) -> Released: ...

    @overload
    def apply(self, raw: RawScores, randomness: object, ledger: Ledger) -> Int64Array: ...

    def apply(self, raw: RawSums | RawScores, randomness: object, ledger: Ledger) -> Released | Int64Array:
        """Record the exact release; then hand sums over as they are, or select the best candidate of each node.

        Equal scores go to the first candidate. ``randomness`` is not used: it makes the call the same as for the
        noisy mechanisms.
        """
        if not isinstance(raw, (RawSums, RawScores)):
            raise ParameterTypeError("raw", type(raw), "RawSums or RawScores")
        ledger.record(self.event())
        if isinstance(raw, RawSums):
            return Released(_reveal(raw).copy())
        return np.asarray(np.argmax(_reveal(raw), axis=1), dtype=np.int64)
