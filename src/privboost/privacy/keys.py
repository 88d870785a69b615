"""The keys that occur in a column, as far as enough rows hold them: counts with noise, and a threshold.

Which keys occur is private itself: a key that one row holds must hardly ever be shown. So a list of keys costs a delta,
which noise alone does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple, NoReturn, Self

import numpy as np

from privboost.errors import ParameterError, ParameterTypeError, PlanError
from privboost.privacy.accounting import Event, Ledger, PlannedRelease
from privboost.privacy.randomness import Randomness
from privboost.privacy.thresholds import THRESHOLD, key_threshold

__all__ = ["Key", "KeySelection", "RawKeys", "ShownKey"]

Key = str | int


class ShownKey(NamedTuple):
    """A key that was released, and how many rows hold it, with noise."""

    key: Key
    rows: int


class RawKeys:
    """Unreleased keys of one column, and how many rows hold each. They can be handed to a mechanism, and nothing else.

    Parameters
    ----------
    counts : mapping of str or int to int
        1 or more rows for each key; every row holds one key, or none.
    """

    __slots__ = ("__counts",)

    def __init__(self, counts: Mapping[Key, int]) -> None:
        if not isinstance(counts, Mapping):
            raise ParameterTypeError("counts", type(counts), "a mapping of keys to numbers of rows")
        self.__counts = dict(counts)

    def __repr__(self) -> str:
        return "RawKeys(keys and counts hidden)"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("RawKeys holds unreleased private keys: it cannot be copied or pickled.")


def _reveal(raw: RawKeys) -> dict[Key, int]:
    counts: dict[Key, int] = raw._RawKeys__counts  # type: ignore[attr-defined]
    return counts


class KeySelection:
    r"""Discrete Laplace noise on the counts of the keys that occur; shown are those of at least a threshold.

    For tables that differ in d rows, each of which holds at most one key, a release with noise of scale b is
    :math:`(d/b, \delta)`-differentially private, with the delta of `key_delta`.

    References
    ----------
    Korolova, Kenthapadi, Mishra & Ntoulas (2009), "Releasing search queries and clicks privately"; Bun, Nissim &
    Stemmer (2016), "Simultaneous private learning of multiple concepts" (the stability-based histogram); Rogers (2023),
    "A unifying privacy analysis framework for unknown domain algorithms in differential privacy".
    """

    __slots__ = ("_planned", "_scale", "_threshold")

    def __init__(self, planned: PlannedRelease) -> None:
        if planned.mechanism != THRESHOLD:
            raise ParameterError("mechanism", planned.mechanism, repr(THRESHOLD))
        if planned.count != 1:
            raise PlanError(f"The release {planned.label!r} must be of one column's keys.")
        self._planned = planned
        self._scale = planned.least_scale(1)
        self._threshold = key_threshold(planned.distance, self._scale, planned.delta / planned.count)

    @classmethod
    def for_release(cls, planned: PlannedRelease) -> Self:
        """Return the mechanism with the smallest scale and threshold whose cost is at most the planned one.

        Parameters
        ----------
        planned : PlannedRelease
            Of mechanism ``"laplace-threshold"``; one release of at most ``size`` keys.
        """
        return cls(planned)

    def __repr__(self) -> str:
        return f"KeySelection({self._planned.label!r}, scale={self._scale!r}, threshold={self._threshold})"

    @property
    def scale(self) -> float:
        """Noise scale, in rows."""
        return self._scale

    @property
    def threshold(self) -> int:
        """Least noisy count of a key that is shown."""
        return self._threshold

    def map(self, d: int = 1) -> Fraction:
        """Return the epsilon for tables that differ by ``d`` rows added or removed: d / scale."""
        return d / Fraction(self._scale)

    def event(self) -> Event:
        """Return what `apply` writes into the ledger."""
        return self._planned.event(1, self._scale, self._threshold)

    def apply(self, raw: RawKeys, randomness: Randomness, ledger: Ledger) -> tuple[ShownKey, ...]:
        """Charge the ledger, then return the keys whose noisy counts are large enough, sorted.

        Parameters
        ----------
        raw : RawKeys
        randomness : Randomness
        ledger : Ledger

        Returns
        -------
        tuple of ShownKey
            In an order that follows from the keys alone: numbers, then text. If more are large enough than the plan
            has room for, the ones of the largest noisy counts.
        """
        if not isinstance(raw, RawKeys):
            raise ParameterTypeError("raw", type(raw), "RawKeys")
        ledger.record(self.event())
        counts = _reveal(raw)
        # Sorted first: which noise a key gets must not tell where in the table it stands.
        keys = sorted(counts, key=_order)
        exact = np.array([counts[key] for key in keys], dtype=np.int64)
        noisy = randomness.laplace(exact, self._scale).tolist() if keys else []
        shown = [ShownKey(key, n) for key, n in zip(keys, noisy, strict=True) if n >= self._threshold]
        largest = sorted(shown, key=lambda one: -one.rows)[: self._planned.size]
        return tuple(sorted(largest, key=lambda one: _order(one.key)))


def _order(key: Key) -> tuple[bool, int, str]:
    return (True, 0, key) if isinstance(key, str) else (False, key, "")
