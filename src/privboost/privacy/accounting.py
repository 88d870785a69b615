"""What each release costs, in exact arithmetic, and the ledger that holds every release of one fit.

Pure costs are `fractions.Fraction` values: a float epsilon is a dyadic rational, shares divide it
without rounding, and a noise scale is rounded *up* to a float whose exact value is then charged. No sum of a thousand
small costs can drift above the budget. Gaussian noise costs mu, sensitivities per noise scale, also an exact
fraction; what many such releases cost together is worked out in `composition`, rounded against ourselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from operator import attrgetter
from typing import Literal, cast, get_args

from privboost.errors import ParameterError, ParameterTypeError, PlanError, VerificationError
from privboost.privacy.composition import covers, total_privacy
from privboost.privacy.gaussian import MIN_GAUSSIAN_SCALE
from privboost.privacy.scales import MAX_SCALE, MIN_SCALE, gaussian_scale, noise_scale
from privboost.privacy.thresholds import THRESHOLD, check_threshold, key_delta, key_threshold

__all__ = [
    "COMPOSITIONS",
    "MECHANISMS",
    "Composition",
    "Event",
    "Ledger",
    "MechanismName",
    "PlannedRelease",
    "check_total",
    "total_cost",
]

MechanismName = Literal["laplace", "gaussian", "permute-and-flip", "exponential", "laplace-threshold", "none"]
Composition = Literal["parallel", "sequential"]

MECHANISMS: tuple[MechanismName, ...] = get_args(MechanismName)
COMPOSITIONS: tuple[Composition, ...] = ("parallel", "sequential")


@lru_cache(maxsize=4096)  # a ledger asks for the same few costs again and again
def _exact_cost(change: int, scale: float) -> Fraction:
    return change / Fraction(scale)


def _compose(epsilon: Fraction, count: int, composition: str) -> Fraction:
    # Parallel: each row lies in one of the parts only, so k changed rows cost k times one row wherever they lie.
    return epsilon if composition == "parallel" else epsilon * count


def _check_release(
    label: object, mechanism: object, composition: object, names: tuple[str, ...], sizes: tuple[object, ...]
) -> None:
    """Raise unless the fields that `Event` and `PlannedRelease` share are in range."""
    if not isinstance(label, str) or not label:
        raise ParameterTypeError("label", label, "a non-empty string")
    if mechanism not in MECHANISMS:
        raise ParameterError("mechanism", mechanism, f"one of {', '.join(MECHANISMS)}")
    if composition not in COMPOSITIONS:
        raise ParameterError("composition", composition, f"one of {', '.join(COMPOSITIONS)}")
    for name, value in zip(names, sizes):  # noqa: B905 - as long as each other, and a fit has many
        if type(value) is not int or value < 1:
            error = ParameterError if type(value) is int else ParameterTypeError
            raise error(name, value, "an integer of 1 or more")


_EVENT_SIZES = ("sensitivity", "distance", "count", "size")
_PLAN_SIZES = ("count", "distance", "size")


@dataclass(frozen=True, slots=True)
class Event:
    """One release that took place: what a mechanism wrote into the ledger before it drew any noise.

    Parameters
    ----------
    label : str
        Where and what, the kind last: ``"tree 3/depth 1/split"``. Public.
    mechanism : {"laplace", "gaussian", "permute-and-flip", "exponential", "laplace-threshold", "none"}
        ``"none"`` is the exact release of a model without privacy; it has no finite cost.
    sensitivity : int
        Largest change by one row added or removed, in the integer units of the release: of the L1 norm of the
        numbers (laplace), of their L2 norm (gaussian), or of the spread of all scores' changes (selection).
    scale : float
        Noise scale in the same units; of Gaussian noise, at least `MIN_GAUSSIAN_SCALE`.
    distance : int
        Additions and removals of one row between neighbours.
    count : int
        How many such releases took place together (the nodes of a level, say).
    composition : {"parallel", "sequential"}
        ``"parallel"``: they act on disjoint sets of rows and cost as much as one; ``"sequential"``: costs add up.
    size : int
        Numbers, or candidates, of one release; where keys are shown, at most how many.
    threshold : int, default=0
        Where keys are shown (laplace-threshold), the least noisy count of a key that is.
    """

    label: str
    mechanism: MechanismName
    sensitivity: int
    scale: float
    distance: int
    count: int
    composition: Composition
    size: int
    threshold: int = 0

    def __post_init__(self) -> None:
        sizes = (self.sensitivity, self.distance, self.count, self.size)
        _check_release(self.label, self.mechanism, self.composition, _EVENT_SIZES, sizes)
        check_threshold(self.mechanism, self.threshold, self.sensitivity, self.composition)
        if type(self.scale) is not float:
            raise ParameterTypeError("scale", self.scale, "a float")
        if self.mechanism == "none":
            if self.scale != 0.0:
                raise ParameterError("scale", self.scale, "0 for an exact release")
            return
        least = MIN_GAUSSIAN_SCALE if self.mechanism == "gaussian" else MIN_SCALE
        if not least <= self.scale <= MAX_SCALE:
            raise ParameterError("scale", self.scale, f"between {least!r} and {MAX_SCALE!r}")

    @property
    def private(self) -> bool:
        """Whether noise was added."""
        return self.mechanism != "none"

    @property
    def epsilon(self) -> Fraction:
        """Cost of one of the releases: distance * sensitivity / scale, exactly.

        Raises
        ------
        VerificationError
            For an exact release, which no finite epsilon covers, and for Gaussian noise, which none covers alone.
        """
        if not self.private:
            raise VerificationError(f"The release {self.label!r} was exact: no epsilon covers it.")
        if self.mechanism == "gaussian":
            raise VerificationError(
                f"The release {self.label!r} has Gaussian noise: its cost is mu, and needs a delta."
            )
        return _exact_cost(self.distance * self.sensitivity, self.scale)

    @property
    def mu(self) -> Fraction:
        """Cost of one release with Gaussian noise: distance * sensitivity / scale, exactly.

        Raises
        ------
        VerificationError
            For any other release.
        """
        if self.mechanism != "gaussian":
            raise VerificationError(f"The release {self.label!r} has no Gaussian noise.")
        return _exact_cost(self.distance * self.sensitivity, self.scale)

    @property
    def rho(self) -> Fraction:
        """Zero-concentrated cost of all `count` releases together, the common measure of mixed runs.

        mu**2 / 2 for Gaussian noise, epsilon**2 / 8 for the exponential mechanism, epsilon**2 / 2 for the others.
        """
        return _rho(self)

    @property
    def delta(self) -> Fraction:
        """What showing keys adds to delta; 0 for all else, Gaussian noise too: its delta is that of the whole run."""
        if self.mechanism != THRESHOLD:
            return Fraction(0)
        return self.count * Fraction(key_delta(self.distance, self.scale, self.threshold))

    @property
    def cost_ratio(self) -> tuple[int, int]:
        """`cost` as numerator and denominator, common divisors left in; for a release with a pure cost only."""
        top, bottom = self.scale.as_integer_ratio()
        change = self.distance * self.sensitivity * (1 if self.composition == "parallel" else self.count)
        return change * bottom, top

    @property
    def cost(self) -> Fraction:
        """Pure cost of all `count` releases together; raises as `epsilon` does."""
        return _compose(self.epsilon, self.count, self.composition)


@dataclass(frozen=True, slots=True)
class PlannedRelease:
    """One release of the plan, fixed from public numbers before any row is read.

    Parameters
    ----------
    label, mechanism, count, composition, distance, size
        As for `Event`.
    epsilon : Fraction
        What one of the `count` releases may cost, above 0 (0 for ``"gaussian"``, any value for ``"none"``).
    noise_multiplier : float, optional
        Of a Gaussian release, and of no other: noise scale over (distance * sensitivity), above 0.
    delta : Fraction, default=0
        What all `count` releases that show keys may cost beside epsilon, above 0; 0 for all others.
    """

    label: str
    mechanism: MechanismName
    epsilon: Fraction
    count: int
    composition: Composition
    distance: int
    size: int
    noise_multiplier: float | None = None
    delta: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        sizes = (self.count, self.distance, self.size)
        _check_release(self.label, self.mechanism, self.composition, _PLAN_SIZES, sizes)
        if not isinstance(self.epsilon, Fraction):
            raise ParameterTypeError("epsilon", self.epsilon, "a Fraction", "Use divide_budget.")
        if (self.delta.numerator > 0) != (self.mechanism == THRESHOLD):
            raise ParameterError("delta", self.delta, "above 0 for a release that shows keys, and 0 for any other")
        if self.mechanism == "gaussian":
            if self.epsilon != 0:
                raise ParameterError("epsilon", self.epsilon, "0 for Gaussian noise, which has a noise_multiplier")
            if type(self.noise_multiplier) is not float or not 0.0 < self.noise_multiplier <= MAX_SCALE:
                raise ParameterError("noise_multiplier", self.noise_multiplier, f"a float above 0, up to {MAX_SCALE!r}")
            return
        if self.noise_multiplier is not None:
            raise ParameterError("noise_multiplier", self.noise_multiplier, "None unless the mechanism is 'gaussian'")
        if self.mechanism != "none" and self.epsilon.numerator <= 0:
            raise PlanError(f"The release {self.label!r} got no budget. Raise epsilon, or its share.")

    def least_scale(self, sensitivity: int) -> float:
        """Return the smallest noise scale for which one of the `count` releases costs no more than planned.

        Parameters
        ----------
        sensitivity : int
            As `Event` has it, 1 or more.

        Returns
        -------
        float
            In units of `sensitivity`; 0 for an exact release.

        Raises
        ------
        PlanError
            If the budget is too small for any noise, or the grid too coarse for Gaussian noise.
        """
        if self.mechanism == "none":
            return 0.0
        if self.noise_multiplier is not None:
            return gaussian_scale(self.distance, sensitivity, self.noise_multiplier)
        return noise_scale(self.distance, sensitivity, self.epsilon)

    def event(self, sensitivity: int, scale: float, threshold: int = 0) -> Event:
        """Return what this release writes into the ledger, with the other fields of `Event`."""
        return Event(
            self.label,
            self.mechanism,
            sensitivity,
            scale,
            self.distance,
            self.count,
            self.composition,
            self.size,
            threshold,
        )

    @property
    def mu(self) -> Fraction:
        """What one of the `count` Gaussian releases may cost: 1 / noise_multiplier, exactly."""
        if self.noise_multiplier is None:
            raise PlanError(f"The release {self.label!r} has no Gaussian noise.")
        return 1 / Fraction(self.noise_multiplier)

    @property
    def rho(self) -> Fraction:
        """What all `count` releases together may cost, as `Event.rho` measures it."""
        return _rho(self)

    @property
    def cost_ratio(self) -> tuple[int, int]:
        """`cost` as numerator and denominator, common divisors left in; for a release with a pure cost only."""
        return self.epsilon.numerator * (1 if self.composition == "parallel" else self.count), self.epsilon.denominator

    @property
    def cost(self) -> Fraction:
        """What all `count` releases together may cost in pure epsilon; a Gaussian release has no such cost."""
        if self.mechanism == "gaussian":
            raise PlanError(f"The release {self.label!r} has Gaussian noise: its cost is mu, and needs a delta.")
        return _compose(self.epsilon, self.count, self.composition)


def _rho(release: Event | PlannedRelease) -> Fraction:
    one = release.mu if release.mechanism == "gaussian" else release.epsilon
    part = 8 if release.mechanism == "exponential" else 2
    return _compose(one * one / part, release.count, release.composition)


def total_cost(events: Sequence[Event] | Sequence[PlannedRelease]) -> Fraction | None:
    """Add up the pure costs of releases that follow each other.

    None if one of them is exact (no guarantee) or has Gaussian noise (no pure guarantee; see `total_privacy`).
    """
    if any(event.mechanism in ("none", "gaussian") for event in events):
        return None
    # Equal costs are multiplied rather than added.
    alike: dict[tuple[int, int], int] = {}
    for event in events:
        ratio = event.cost_ratio
        alike[ratio] = alike.get(ratio, 0) + 1
    parts = [(count * p, q) for (p, q), count in alike.items()]
    # In pairs, so that long denominators meet few times: one by one, the work would grow with the square of the length.
    while len(parts) > 1:
        paired = [(p * s + r * q, q * s) for (p, q), (r, s) in zip(parts[::2], parts[1::2], strict=False)]
        parts = paired + parts[2 * len(paired) :]
    return Fraction(*parts[0]) if parts else Fraction(0)


class Ledger:
    """The releases of one fit, in the order in which they took place. Only mechanisms write into it."""

    __slots__ = ("_entries", "_plans")

    def __init__(self) -> None:
        # An event, or sensitivity and scale of a planned release, whose event is written out when it is first read.
        self._entries: list[Event | tuple[int, float]] = []
        self._plans: list[PlannedRelease | None] = []  # of each entry, where it is known to be what was planned

    def __repr__(self) -> str:
        return f"Ledger({len(self._entries)} events)"

    def record(self, event: Event) -> None:
        """Append an event. Mechanisms call this before they draw noise; nothing else may."""
        if not isinstance(event, Event):
            raise ParameterTypeError("event", event, "an Event")
        self._entries.append(event)
        self._plans.append(None)

    def record_run(
        self, planned: Sequence[PlannedRelease], sensitivities: Iterable[int], scales: Iterable[float]
    ) -> None:
        """Append the releases of a whole simulated run, as planned and with the noise that the plan demands.

        Raises
        ------
        PlanError
            If a scale is not the one that a mechanism has for that sensitivity and budget, or a sensitivity is no
            integer of 1 or more. Nothing is recorded then.
        """
        entries = list(zip(sensitivities, scales, strict=True))
        for release, (sensitivity, scale) in zip(planned, entries, strict=True):
            if type(sensitivity) is not int or sensitivity < 1 or release.least_scale(sensitivity) != scale:
                raise PlanError(f"The run drew noise of another scale than is planned for {release.label!r}.")
        self._entries.extend(entries)
        self._plans.extend(planned)

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything recorded so far."""
        events = [
            entry if isinstance(entry, Event) else cast(PlannedRelease, plan).event(*entry)
            for entry, plan in zip(self._entries, self._plans, strict=True)
        ]
        self._entries[:] = events
        return tuple(events)

    def total(self) -> Fraction | None:
        """Return the exact sum of all costs, or None if a release was exact or Gaussian (no pure epsilon covers it)."""
        return total_cost(self.events)

    def check_against(self, planned: Sequence[PlannedRelease], epsilon: float | Fraction, delta: float = 0.0) -> None:
        """Raise unless exactly the planned releases took place, each at its planned cost.

        Parameters
        ----------
        planned : sequence of PlannedRelease
            The plan, in order.
        epsilon : float or Fraction
            The whole budget; a float stands for its exact value.
        delta : float, default=0.0
            0 or more, below 1.

        Raises
        ------
        VerificationError
            If a release is missing, extra, out of order or of another kind; if its noise scale is not the one that
            its sensitivity and budget demand; or if the total exceeds (``epsilon``, ``delta``).
        """
        events = self.events
        if len(events) != len(planned):
            raise VerificationError(f"The plan holds {len(planned)} releases, the ledger {len(events)}.")
        for event, made_for, plan in zip(events, self._plans, planned, strict=True):
            if made_for is not plan:
                _check_event(event, plan)
        if any(event.mechanism in ("none", "gaussian") for event in events):
            check_total(events, epsilon, delta)
        # No release costs more than planned: the plan's total bounds theirs. With Gaussian noise, whose scales follow
        # what was released before, it is the one that is guaranteed.
        check_total(planned, epsilon, delta)


def check_total(releases: Sequence[Event] | Sequence[PlannedRelease], epsilon: float | Fraction, delta: float) -> None:
    """Raise VerificationError unless all releases together stay within (``epsilon``, ``delta``)."""
    kinds = {release.mechanism for release in releases}
    if "none" in kinds:
        raise VerificationError("The ledger holds an exact release: no epsilon covers it.")
    shown = sum((r.delta for r in releases if r.mechanism == THRESHOLD), Fraction(0)) if THRESHOLD in kinds else 0
    if "gaussian" not in kinds and shown <= Fraction(delta) and _costs_within(releases, *epsilon.as_integer_ratio()):
        return
    if delta > 0.0 and covers(releases, epsilon, delta):
        return
    if "gaussian" in kinds and delta == 0.0:
        raise VerificationError("The ledger holds a release with Gaussian noise: no epsilon covers it without a delta.")
    spent = total_privacy(releases, delta)
    at = f" at delta = {delta!r}" if delta else ""
    raise VerificationError(f"The releases cost {spent!r}{at}, more than epsilon = {float(epsilon)!r}.")


def _costs_within(releases: Sequence[Event] | Sequence[PlannedRelease], top: int, bottom: int) -> bool:
    """Whether pure costs add up to no more than top / bottom, exactly."""
    # Each rounded up to a multiple of 2**-192 they mostly do, and small sums are quick.
    rounded = 0
    for release in releases:
        p, q = release.cost_ratio
        rounded -= (-p << 192) // q
    if rounded * bottom <= top << 192:
        return True
    total = total_cost(releases)
    return total is not None and total.numerator * bottom <= top * total.denominator


_FIELDS = ("label", "mechanism", "count", "composition", "distance", "size")
_PLANNED_FIELDS = attrgetter(*_FIELDS)


def _check_event(event: Event, plan: PlannedRelease) -> None:
    if _PLANNED_FIELDS(event) != _PLANNED_FIELDS(plan):
        for field in _FIELDS:
            got, expected = getattr(event, field), getattr(plan, field)
            if got == expected:
                continue
            raise VerificationError(
                f"The release {event.label!r} does not match the plan: {field} is {got!r}, planned {expected!r}."
            )
    if not event.private:
        return
    try:
        scale = plan.least_scale(event.sensitivity)
        shows_keys = plan.mechanism == THRESHOLD
        wanted = key_threshold(event.distance, scale, plan.delta / plan.count) if shows_keys else 0
    except (PlanError, ParameterError):
        raise VerificationError(f"No noise keeps the release {event.label!r} within its plan.") from None
    if event.threshold != wanted:
        raise VerificationError(f"The threshold of the release {event.label!r} is not the planned one.")
    if event.scale < scale:
        raise VerificationError(f"The release {event.label!r} cost more than planned.")
    # More noise than the budget demands is safe, but then sensitivity or scale is not what was planned: a too small
    # sensitivity in the ledger would show up as a cost below the plan.
    if event.scale > scale:
        raise VerificationError(f"The noise scale of the release {event.label!r} is not the planned one.")
