"""A whole simulated run at once, and its ledger: what the same run would have cost with secret noise.

Compiled code that draws for itself cannot stop at every release to ask a mechanism. It may do so only here: with draws
that can be repeated, hence without a guarantee, and with every planned release written into the ledger as the
mechanism writes it that would have made it, in the same call that hands the rows over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Generic, NoReturn, TypeVar

import numpy as np

from privboost.errors import ParameterTypeError, PlanError
from privboost.privacy.accounting import Ledger, PlannedRelease
from privboost.privacy.randomness import RULE_CODES, SimulatedRandomness
from privboost.privacy.scales import MAX_SCALE

__all__ = ["N_PARTS", "RawRows", "may_simulate", "reciprocal", "release_by_release", "simulate"]

T = TypeVar("T")

N_PARTS = 4
"""Floats that hold 1 / epsilon for compiled code: four hold 212 bits."""


_whole_runs: ContextVar[bool] = ContextVar("whole_runs", default=True)


@contextmanager
def release_by_release() -> Iterator[None]:
    """Within, simulations go from release to release as private runs do, through the mechanisms themselves.

    Audits ask for that: what they hold against the claim must be the code that makes it.
    """
    token = _whole_runs.set(False)
    try:
        yield
    finally:
        _whole_runs.reset(token)


def may_simulate(randomness: object) -> bool:
    """Return whether `simulate` may serve a run with these draws, here and now."""
    return type(randomness) is SimulatedRandomness and _whole_runs.get()


class RawRows(Generic[T]):
    """Private rows, whole. They can be handed to `simulate`, and nothing else."""

    __slots__ = ("__rows",)

    def __init__(self, rows: T) -> None:
        self.__rows = rows

    def __repr__(self) -> str:
        return "RawRows(values hidden)"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("RawRows holds private numbers: it cannot be copied or pickled.")


_DRAWN = frozenset({"laplace", "none", *RULE_CODES})
"""Mechanisms whose noise compiled code draws."""

Run = Callable[[np.random.Generator, T], tuple[Iterable[int], Iterable[float]]]


def simulate(
    run: Run[T],
    rows: RawRows[T],
    planned: Sequence[PlannedRelease],
    randomness: SimulatedRandomness,
    ledger: Ledger,
) -> None:
    """Make a run that draws its own noise, and charge the ledger for each of its releases.

    Parameters
    ----------
    run : callable
        ``run(generator, rows)`` trains, and returns sensitivity and noise scale of every release, in order; a
        sensitivity of 1 or more and a scale of 0 for an exact one.
    rows : RawRows
    planned : sequence of PlannedRelease
        All releases of the run, in order.
    randomness : SimulatedRandomness
        Any other source is refused: what it draws must not pass through code that keeps no account.
    ledger : Ledger

    Raises
    ------
    PlanError
        If a release drew noise of another scale than its mechanism has for that sensitivity and budget.
    """
    if type(randomness) is not SimulatedRandomness:
        raise ParameterTypeError("randomness", type(randomness), "SimulatedRandomness")
    if not {release.mechanism for release in planned} <= _DRAWN:
        raise PlanError(f"A run can make releases of {', '.join(sorted(_DRAWN))} only.")
    sensitivities, scales = run(randomness.generator, rows._RawRows__rows)  # type: ignore[attr-defined]
    ledger.record_run(planned, sensitivities, scales)


def reciprocal(release: PlannedRelease) -> tuple[float, ...]:
    """Return 1 / epsilon as `N_PARTS` floats that add up to it: each is the nearest to what the ones before leave.

    It is what compiled code computes noise scales from (`privboost.kernels.calibration.least_scale`). 0 for an exact
    release.

    Raises
    ------
    PlanError
        If even the least noise could not be represented.
    """
    if release.mechanism == "none":
        return (0.0,) * N_PARTS
    bottom, top = release.epsilon.as_integer_ratio()
    if top >= bottom * int(MAX_SCALE):
        raise PlanError("The budget of a release is too small: its noise could not be represented. Raise epsilon.")
    parts = []
    for _ in range(N_PARTS):
        part = top / bottom  # of integers, rounded once
        p, q = part.as_integer_ratio()
        top, bottom = top * q - p * bottom, bottom * q
        parts.append(part)
    return tuple(parts)
