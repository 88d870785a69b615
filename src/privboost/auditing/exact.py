"""Exact audits: how far apart can a learner's output laws be on two neighbouring tables? No draw takes place.

A learner is run, through its own training code, with a source of randomness that answers from a script and writes down
what it was asked: the raw scores or sums, and the noise scale. Given the outcomes so far, the law of the next one is
known in closed form from these: discrete Laplace or Gaussian around the sums, or a selection among the scores. The
privacy loss of a transcript is the sum of its releases' log ratios. A script fixes the outcomes that later steps depend
on; over the outcomes that nothing depends on, the largest loss is taken in closed form.

Two numbers come out. ``bound`` is never below the loss of any outcome of the scripted transcripts: a learner passes
if it does not exceed the ledger's claim. ``attained`` is the loss of an outcome that really can occur: above the
claim it disproves it, and next to the claim it shows that the claim is not merely loose.

Runs with Gaussian noise promise an epsilon with a delta, and there the three numbers are deltas at that epsilon. A
release that moves its numbers by m standard deviations is m-Gaussian differentially private, and no better; a run that
moves them by m_1, m_2, ... is as good as one release of the root of the sum of their squares. ``bound`` takes the
largest such sum of all scripts, ``attained`` the smallest, of the worst pair of tables: where moves depend on outcomes,
one is a bound of the scripts that were tried, and so is the other. Where tests are selected beside, the law of the log
ratios of all selections, whose scores the script fixes, is worked out outcome by outcome, and the delta is the mean
over these of the Gaussian one's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from privboost.auditing.laws import GaussianLaw, log_selection
from privboost.auditing.scripts import Draw, Script, Transcript
from privboost.auditing.tables import Table
from privboost.errors import PlanError
from privboost.privacy.accounting import Event
from privboost.privacy.gaussian import boundary

__all__ = ["TOLERANCE", "Comparison", "Learner", "Run", "attained_epsilon", "compare"]

TOLERANCE = 1e-9
"""Part of a claim that float arithmetic may add to a loss or a delta: far more than sums and quotients round off."""

ROUNDING = 2.0**-44
"""What it may add to the loss of each selection besides, whatever the claim is. Log chances of some candidates are
around 1 however small epsilon is, and their differences lose some units of 2**-52; this is 256 of them."""

Floats = npt.NDArray[np.float64]
Pairs = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Run:
    """One training with a script: what was asked for, what was charged, what was published.

    Attributes
    ----------
    script : Script
    events : tuple of Event
        The ledger.
    model : object
        Everything that was published, comparable by ``==``.
    ledger_agrees : callable
        Whether the ledger is what the plan demands.
    """

    script: Script
    events: tuple[Event, ...]
    model: Any
    ledger_agrees: Callable[[], bool] = lambda: True


class Learner(Protocol):
    """Anything that can be audited."""

    def run(self, table: Table, transcript: Transcript) -> Run:
        """Train on a table with a script."""
        ...


@dataclass
class Comparison:
    """The worst that an exact audit saw.

    Attributes
    ----------
    claim : float
        Total of the ledger; the stated delta, where there is Gaussian noise.
    bound, attained : float
        Largest privacy loss, over pairs, directions and transcripts; deltas, where there is Gaussian noise.
    excess : float
        Largest loss of one release above what the ledger charged for it; its mu, where there is Gaussian noise.
    overdrawn : bool
        Whether a release's loss exceeds its charge by more than float arithmetic may add.
    selections : int
        Of a run, at most: each may add `ROUNDING` to a loss.
    problems : set of str
        "trace": the requests for noise differ between neighbours. "model": what was published differs although every
        release was the same. "ledger": plan and ledger disagree, or noise was drawn that the ledger does not hold.
    runs, pairs : int
    relaxed : bool
        Whether the claim is a delta.
    losses : ndarray of float64, shape (pairs,)
        What is attained at each pair; empty if nothing could be compared.
    """

    claim: float = 0.0
    bound: float = 0.0
    attained: float = 0.0
    excess: float = -math.inf
    overdrawn: bool = False
    selections: int = 0
    problems: set[str] = field(default_factory=set)
    runs: int = 0
    pairs: int = 0
    relaxed: bool = False
    losses: Floats = field(default_factory=lambda: np.zeros(0))

    def merge(self, other: Comparison) -> None:
        """Take over what another audit saw of the same claim; runs add up, pairs were counted."""
        self.claim = max(self.claim, other.claim)
        self.bound, self.attained = max(self.bound, other.bound), max(self.attained, other.attained)
        self.excess = max(self.excess, other.excess)
        self.overdrawn |= other.overdrawn
        self.selections = max(self.selections, other.selections)
        self.problems |= other.problems
        self.runs += other.runs
        self.relaxed |= other.relaxed

    def charge(self, loss: float, cost: float, selections: int = 0) -> None:
        """Note what one release loses, next to what the ledger charged for it."""
        self.excess = max(self.excess, loss - cost)
        self.overdrawn |= loss > cost + _slack(cost, selections)

    @property
    def slack(self) -> float:
        """What float arithmetic may put between the claim and a computed number."""
        return _slack(self.claim, 0 if self.relaxed else self.selections)

    @property
    def holds(self) -> bool:
        """Whether the claim stands."""
        return self.bound <= self.claim + self.slack and not self.overdrawn and not self.problems

    @property
    def disproved(self) -> bool:
        """Whether outcomes were found whose loss exceeds the claim."""
        return self.attained > self.claim + self.slack

    @property
    def tightness(self) -> float:
        """Share of the claim that is attained."""
        return self.attained / self.claim


def _slack(claim: float, selections: int) -> float:
    return TOLERANCE * claim + ROUNDING * selections


def compare(
    learner: Learner,
    tables: Sequence[Table],
    pairs: Pairs,
    transcripts: Iterable[Transcript],
    *,
    independent: bool = False,
    budget: tuple[float, float] = (0.0, 0.0),
) -> Comparison:
    """Compare a learner's output laws on neighbouring tables.

    Parameters
    ----------
    learner : Learner
    tables : sequence of Table
    pairs : ndarray of int64, shape (n_pairs, 2)
        Neighbours, as positions in ``tables``.
    transcripts : iterable of Transcript
        At least one.
    independent : bool, default=False
        No release depends on an earlier one, so the worst outcome of each is taken, whatever the script says.
    budget : (float, float)
        The stated epsilon and delta, where there is Gaussian noise.

    Returns
    -------
    Comparison
    """
    found = Comparison(pairs=len(pairs))
    below: list[Floats] = []
    for transcript in transcripts:
        runs = [learner.run(table, transcript) for table in tables]
        found.runs += len(runs)
        if not _same_requests(runs, found):
            continue
        if any(draw.rule == "gaussian" for draw in runs[0].script.draws):
            low, high = _law(runs, pairs, found).deltas(budget[0])
            found.bound = max(found.bound, float(high.max(initial=0.0)))
            below.append(low)
        else:
            _compare(runs, pairs, independent, found)
    if not found.runs:
        raise PlanError("An audit without a run says nothing.")
    if below:
        found.relaxed, found.claim = True, budget[1]
        found.losses = np.min(below, axis=0)
        found.attained = float(found.losses.max(initial=0.0))
    return found


def attained_epsilon(
    learner: Learner, pair: tuple[Table, Table], transcripts: Iterable[Transcript], delta: float, most: float
) -> float:
    """Return an epsilon below which a pair of tables is not (epsilon, ``delta``)-private, in all of the scripts.

    Parameters
    ----------
    learner : Learner
        With Gaussian noise, and no problem that `compare` names.
    pair : (Table, Table)
    transcripts : iterable of Transcript
    delta : float
        Above 0.
    most : float
        No larger epsilon is looked for.
    """
    pairs, unused = np.array([[0, 1]]), Comparison()
    laws = [_law([learner.run(table, script) for table in pair], pairs, unused) for script in transcripts]

    def exceeded(epsilon: float) -> bool:
        return all(float(law.deltas(epsilon)[0][0]) > delta for law in laws)

    if not exceeded(0.0):
        return 0.0
    return most if exceeded(most) else boundary(exceeded, 0.0, most, 1e-9)


def _same_requests(runs: list[Run], found: Comparison) -> bool:
    """Note what must not differ between neighbours and does; say whether the requests for noise can be compared."""
    first = runs[0]
    if not first.ledger_agrees():  # all have the same events, or are found out below
        found.problems.add("ledger")
    if any(run.model != first.model for run in runs):
        found.problems.add("model")
    if any(run.script.trace() != first.script.trace() or run.events != first.events for run in runs):
        found.problems.add("trace")
        found.bound = math.inf
        return False
    if len(first.script.draws) != len(first.events):
        found.problems.add("ledger")
    return True


def _law(runs: list[Run], pairs: Pairs, found: Comparison) -> GaussianLaw:
    """Return each pair's law over a whole run whose selections see the scores that the script leads to."""
    draws, events = runs[0].script.draws, runs[0].events
    total, numbers = np.zeros(len(pairs)), np.zeros(len(pairs), np.int64)
    scale = min(draw.scale for draw in draws if draw.rule == "gaussian")
    law = GaussianLaw(np.zeros((2, len(pairs), 1)), np.ones((2, len(pairs), 1)), total, numbers, scale)
    for k, draw in enumerate(draws):
        stack = np.stack([run.script.draws[k].raw for run in runs])
        charged = len(draws) == len(events)
        if draw.rule == "gaussian":
            flat = stack.reshape(len(runs), -1).astype(np.float64)
            change = flat[pairs[:, 0]] - flat[pairs[:, 1]]
            moved = (change**2).sum(axis=1) / draw.scale**2
            total += moved
            numbers += (change != 0.0).sum(axis=1)
            if charged:
                found.charge(math.sqrt(moved.max(initial=0.0)), float(events[k].mu))
        elif draw.rule == "exponential":
            logs = log_selection(stack.astype(np.float64), draw.scale, draw.rule)
            # The range of the log ratios is what the ledger charges for: twice as strict as their size.
            ratio = logs[pairs[:, 0]] - logs[pairs[:, 1]]
            spread = float(np.ptp(ratio, axis=2).sum(axis=1).max(initial=0.0))
            if charged:
                # Both ends of the range, and those of both tables, are rounded.
                found.charge(spread, float(events[k].cost), 2 * draw.outcome.size)
            law = law.with_selection(logs[pairs[:, 0]], logs[pairs[:, 1]])
        else:
            raise PlanError(
                f"Under a delta no exact law of the rule {draw.rule!r} beside Gaussian noise is worked out."
            )
    return GaussianLaw(law.ratio, law.chance, np.sqrt(total), numbers, scale)


def _compare(runs: list[Run], pairs: Pairs, independent: bool, found: Comparison) -> None:
    draws, events = runs[0].script.draws, runs[0].events
    found.claim = max(found.claim, float(sum(event.cost for event in events)))
    selected = [0 if draw.rule == "laplace" else draw.outcome.size for draw in draws]
    found.selections = max(found.selections, sum(selected))
    bound, attained = np.zeros((2, len(pairs))), np.zeros((2, len(pairs)))
    for k in range(len(draws)):
        stack = np.stack([run.script.draws[k].raw for run in runs])
        free = independent or k == len(draws) - 1  # nothing depends on the outcome
        at_worst, at_outcome = _losses(draws[k], stack, pairs)
        bound += at_worst if free or draws[k].rule == "laplace" else at_outcome
        attained += at_worst if free else at_outcome
        if len(draws) == len(events):
            found.charge(float(at_worst.max(initial=0.0)), float(events[k].cost), selected[k])
    found.bound = max(found.bound, float(bound.max(initial=0.0)))
    here = attained.max(axis=0)
    found.losses = np.maximum(found.losses, here) if found.losses.size else here
    found.attained = float(found.losses.max(initial=0.0))


def _losses(draw: Draw, stack: npt.NDArray[np.int64], pairs: Pairs) -> tuple[Floats, Floats]:
    """Log ratio of every pair in both directions, shape (2, n_pairs): at the worst outcome, and at the scripted one."""
    if draw.rule == "laplace":
        flat = stack.reshape(len(stack), -1)  # integers: float64 has no place for single units beside 2**53
        left, right, outcome = flat[pairs[:, 0]], flat[pairs[:, 1]], draw.outcome.reshape(-1)
        worst = np.abs(left - right).sum(axis=1) / draw.scale
        here = (np.abs(outcome - right) - np.abs(outcome - left)).sum(axis=1) / draw.scale
        return np.stack([worst, worst]), np.stack([here, -here])
    logs = log_selection(stack.astype(np.float64), draw.scale, draw.rule)
    ratio = logs[pairs[:, 0]] - logs[pairs[:, 1]]
    worst = np.stack([ratio.max(axis=2).sum(axis=1), (-ratio).max(axis=2).sum(axis=1)])
    here = np.take_along_axis(ratio, draw.outcome[None, :, None], axis=2).sum(axis=(1, 2))
    return worst, np.stack([here, -here])
