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
one is a bound of the scripts that were tried, and so is the other. Noise on integers of 512 units and more differs from
that law by less than the tolerance. Where tests are selected beside, the law of the log ratios of all selections, whose
scores the script fixes, is worked out outcome by outcome, and the delta is the mean over these of the Gaussian one's.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from scipy.special import ndtr

from privboost.privacy.accounting import Event, PlannedRelease
from privboost.privacy.randomness import RELEASE_LIMIT

TOLERANCE = 1e-9
DELTA_TOLERANCE = 1e-4
"""Of a delta, as a part of it."""

NOISES = ("laplace", "gaussian")

Table = tuple[int, ...]
"""Kinds of rows, one entry a row."""


@dataclass(frozen=True)
class Transcript:
    """What a script answers.

    Attributes
    ----------
    outcomes : tuple of ndarray
        In the order of the plan's releases: the chosen candidate of each node, or the released numbers.
    tree_of_row : tuple of int
        The forest's hidden partition of the rows.
    seed : int
        Of the structure that is drawn without looking at a row.
    """

    outcomes: tuple[np.ndarray, ...]
    tree_of_row: tuple[int, ...] = ()
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Draw:
    """One request for noise: everything that the law of its outcome depends on."""

    rule: str
    raw: np.ndarray
    scale: float
    outcome: np.ndarray


class ScriptedGenerator:
    """Stands for the generator of draws that need no secrecy: the partition is scripted, the structure seeded."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self.requests: list[tuple[Any, ...]] = []

    @cached_property
    def _structure(self) -> np.random.Generator:
        return np.random.default_rng(self._transcript.seed)

    def integers(self, high: int, *, size: int, dtype: Any = np.int64) -> np.ndarray:
        self.requests.append(("integers", int(high), int(size), np.dtype(dtype).name))
        if dtype is not np.int32:
            return self._structure.integers(high, size=size)
        if high == 1:
            return np.zeros(size, np.int32)
        assert len(self._transcript.tree_of_row) == size, "the script holds the tree of every row"
        return np.array(self._transcript.tree_of_row, np.int32)

    def random(self, size: int) -> np.ndarray:
        self.requests.append(("random", int(size)))
        return self._structure.random(size)

    def choice(self, of: np.ndarray, *, size: int) -> np.ndarray:
        self.requests.append(("choice", len(of), int(size)))
        return self._structure.choice(of, size=size)


class Script:
    """Answers from a transcript and writes down what it was asked; a request that is not in the script gets zeros."""

    secure = True  # so that a fit believes that it makes a private model

    def __init__(self, transcript: Transcript) -> None:
        self._left = list(transcript.outcomes)
        self._generator = ScriptedGenerator(transcript)
        self.draws: list[Draw] = []

    @property
    def generator(self) -> Any:
        return self._generator

    def _answer(self, rule: str, raw: np.ndarray, scale: float, shape: tuple[int, ...]) -> np.ndarray:
        size = math.prod(shape)
        outcome = self._left.pop(0) if self._left and self._left[0].size == size else np.zeros(size, np.int64)
        self.draws.append(Draw(rule, raw.copy(), scale, outcome.reshape(shape)))
        return outcome.astype(np.int64).reshape(shape)

    def laplace(self, values: np.ndarray, scale: float) -> np.ndarray:
        return self._answer("laplace", values, scale, values.shape)

    def gaussian(self, values: np.ndarray, scale: float) -> np.ndarray:
        return self._answer("gaussian", values, scale, values.shape)

    def select(self, scores: np.ndarray, scale: float, rule: str) -> np.ndarray:
        return self._answer(rule, scores, scale, scores.shape[:1])

    def trace(self) -> tuple[Any, ...]:
        """Everything that must not differ between neighbours: kinds, sizes and scales of all requests."""
        return tuple((d.rule, d.raw.shape, d.scale) for d in self.draws), tuple(self._generator.requests)


def log_selection(scores: np.ndarray, scale: float, rule: str) -> np.ndarray:
    """Log chance of every candidate, candidates along the last axis."""
    z = (scores - scores.max(axis=-1, keepdims=True)) / scale
    if rule == "exponential":
        return z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    assert rule == "permute-and-flip"
    # P(i) = q_i * integral over y in (0, 1) of the product over j != i of (1 - q_j y), a polynomial in y.
    nodes, weights = np.polynomial.legendre.leggauss(scores.shape[-1] // 2 + 1)
    logs = np.log1p(-np.exp(z)[..., None] * (0.5 * (nodes + 1.0)))
    others = logs.sum(axis=-2, keepdims=True) - logs
    return z + np.log(np.exp(others) @ (0.5 * weights))


@dataclass(frozen=True, eq=False)
class Run:
    """One training with a script: what was asked for, what was charged, what was published."""

    script: Script
    events: tuple[Event, ...]
    model: Any
    ledger_agrees: Callable[[], bool] = lambda: True


class Learner(Protocol):
    """Anything that can be audited."""

    def run(self, table: Table, transcript: Transcript) -> Run: ...


@dataclass
class Report:
    """The worst that an audit saw.

    Attributes
    ----------
    claim : float
        Total of the ledger; the stated delta, where there is Gaussian noise.
    bound, attained : float
        Largest privacy loss, over pairs, directions and transcripts; deltas, where there is Gaussian noise.
    excess : float
        Largest loss of one release above what the ledger charged for it; its mu, where there is Gaussian noise.
    problems : set of str
        "trace": the requests for noise differ between neighbours. "model": what was published differs although every
        release was the same. "ledger": plan and ledger disagree, or noise was drawn that the ledger does not hold.
    runs, pairs : int
    relaxed : bool
        Whether the claim is a delta.
    """

    claim: float = 0.0
    bound: float = 0.0
    attained: float = 0.0
    excess: float = -np.inf
    problems: set[str] = field(default_factory=set)
    runs: int = 0
    pairs: int = 0
    relaxed: bool = False

    def merge(self, other: Report) -> None:
        """Take over what another audit saw of the same claim; runs add up, pairs were counted."""
        self.claim = max(self.claim, other.claim)
        self.bound, self.attained = max(self.bound, other.bound), max(self.attained, other.attained)
        self.excess = max(self.excess, other.excess)
        self.problems |= other.problems
        self.runs += other.runs
        self.relaxed |= other.relaxed

    @property
    def slack(self) -> float:
        """What may lie between the claim and a computed number."""
        return DELTA_TOLERANCE * self.claim if self.relaxed else TOLERANCE

    @property
    def holds(self) -> bool:
        """Whether the claim stands."""
        return self.bound <= self.claim + self.slack and self.excess <= TOLERANCE and not self.problems

    @property
    def disproved(self) -> bool:
        """Whether outcomes were found whose loss exceeds the claim."""
        return self.attained > self.claim + self.slack

    @property
    def tightness(self) -> float:
        """Share of the claim that is attained."""
        return self.attained / self.claim


def audit(
    learner: Learner,
    tables: Sequence[Table],
    pairs: np.ndarray,
    transcripts: Iterable[Transcript],
    *,
    independent: bool = False,
    budget: tuple[float, float] = (0.0, 0.0),
) -> Report:
    """Compare a learner's output laws on neighbouring tables.

    Parameters
    ----------
    learner : Learner
    tables : sequence of Table
    pairs : int array, shape (n_pairs, 2)
        Neighbours, as positions in ``tables``.
    transcripts : iterable of Transcript
    independent : bool
        No release depends on an earlier one, so the worst outcome of each is taken, whatever the script says.
    budget : (float, float)
        The stated epsilon and delta, where there is Gaussian noise.
    """
    report = Report(pairs=len(pairs))
    deltas: list[np.ndarray] = []
    for transcript in transcripts:
        runs = [learner.run(table, transcript) for table in tables]
        report.runs += len(runs)
        if _same_requests(runs, report):
            if any(draw.rule == "gaussian" for draw in runs[0].script.draws):
                deltas.append(_deltas(runs, pairs, report, budget[0]))
            else:
                _compare(runs, pairs, independent, report)
    assert report.runs, "an audit without a run says nothing"
    if deltas:
        report.relaxed, report.claim = True, budget[1]
        report.bound = max(report.bound, np.max(deltas, axis=0).max(initial=0.0))
        report.attained = np.min(deltas, axis=0).max(initial=0.0)
    return report


def delta_of(epsilon: Any, mu: Any) -> Any:
    """Smallest delta of a release that moves its numbers by ``mu`` standard deviations; arrays go together.

    The largest of ``P(S) - exp(epsilon) Q(S)``; ``epsilon`` may be negative.
    """
    safe = np.where(mu > 0.0, mu, 1.0)
    curve = ndtr(safe / 2 - epsilon / safe) - np.exp(epsilon) * ndtr(-safe / 2 - epsilon / safe)
    return np.where(mu > 0.0, curve, np.maximum(0.0, 1.0 - np.exp(epsilon)))


def _same_requests(runs: list[Run], report: Report) -> bool:
    """Note what must not differ between neighbours and does; say whether the requests for noise can be compared."""
    first = runs[0]
    if not first.ledger_agrees():  # all have the same events, or are found out below
        report.problems.add("ledger")
    if any(run.model != first.model for run in runs):
        report.problems.add("model")
    if any(run.script.trace() != first.script.trace() or run.events != first.events for run in runs):
        report.problems.add("trace")
        report.bound = np.inf
        return False
    if len(first.script.draws) != len(first.events):
        report.problems.add("ledger")
    return True


def _deltas(runs: list[Run], pairs: np.ndarray, report: Report, epsilon: float) -> np.ndarray:
    """Return each pair's delta over a whole run whose selections see the scores that the script leads to."""
    draws, events = runs[0].script.draws, runs[0].events
    total = np.zeros(len(pairs))
    laws = [np.zeros((2, len(pairs), 1)), np.ones((2, len(pairs), 1))]
    for k, draw in enumerate(draws):
        stack = np.stack([run.script.draws[k].raw for run in runs])
        if draw.rule == "gaussian":
            flat = stack.reshape(len(runs), -1).astype(np.float64)
            moved = ((flat[pairs[:, 0]] - flat[pairs[:, 1]]) ** 2).sum(axis=1) / draw.scale**2
            total += moved
            excess = math.sqrt(moved.max(initial=0.0)) - (float(events[k].mu) if len(draws) == len(events) else np.inf)
        else:
            assert draw.rule == "exponential", "only this rule's cost under a delta is known"
            logs = log_selection(stack.astype(np.float64), draw.scale, draw.rule)
            # The range of the log ratios is what the ledger charges for: twice as strict as their size.
            ratio = logs[pairs[:, 0]] - logs[pairs[:, 1]]
            spread = np.ptp(ratio, axis=2).sum(axis=1).max(initial=0.0)
            excess = spread - (float(events[k].cost) if len(draws) == len(events) else np.inf)
            laws = _with_selection(*laws, logs, pairs)
        report.excess = max(report.excess, excess)
    ratio, chance = laws
    return np.asarray((chance * delta_of(epsilon - ratio, np.sqrt(total)[None, :, None])).sum(axis=2).max(axis=0))


def _with_selection(ratio: np.ndarray, chance: np.ndarray, logs: np.ndarray, pairs: np.ndarray) -> list[np.ndarray]:
    """Extend the law of the log ratio, (2 directions, pairs, outcomes), by every node in which a pair differs."""
    left, right = logs[pairs[:, 0]], logs[pairs[:, 1]]
    differs = (left != right).any(axis=2)
    # Nodes in which a pair agrees add nothing to its ratio; the others of each pair come first.
    order = np.argsort(~differs, axis=1, kind="stable")[:, : int(differs.sum(axis=1).max(initial=0))]
    for node in order.T:
        at = np.arange(len(pairs)), node
        both = np.stack([left[at], right[at]])
        gain = (both - both[::-1])[:, :, None, :]
        ratio = (ratio[:, :, :, None] + gain).reshape(*ratio.shape[:2], -1)
        chance = (chance[:, :, :, None] * np.exp(both)[:, :, None, :]).reshape(*chance.shape[:2], -1)
    return [ratio, chance]


def _compare(runs: list[Run], pairs: np.ndarray, independent: bool, report: Report) -> None:
    draws, events = runs[0].script.draws, runs[0].events
    report.claim = max(report.claim, float(sum(event.cost for event in events)))
    bound, attained = np.zeros((2, len(pairs))), np.zeros((2, len(pairs)))
    for k in range(len(draws)):
        stack = np.stack([run.script.draws[k].raw for run in runs])
        free = independent or k == len(draws) - 1  # nothing depends on the outcome
        at_worst, at_outcome = _losses(draws[k], stack, pairs)
        bound += at_worst if free or draws[k].rule == "laplace" else at_outcome
        attained += at_worst if free else at_outcome
        if len(draws) == len(events):
            report.excess = max(report.excess, float(at_worst.max(initial=0.0)) - float(events[k].cost))
    report.bound = max(report.bound, float(bound.max(initial=0.0)))
    report.attained = max(report.attained, float(attained.max(initial=0.0)))


def _losses(draw: Draw, stack: np.ndarray, pairs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
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


# Tables and their neighbours ------------------------------------------------------------------------------------------


def unordered_tables(n_kinds: int, n_rows: int) -> list[Table]:
    """Every table of ``n_rows`` rows, up to the order of the rows."""
    return list(itertools.combinations_with_replacement(range(n_kinds), n_rows))


def ordered_tables(n_kinds: int, n_rows: int) -> list[Table]:
    """Every table of ``n_rows`` rows."""
    return list(itertools.product(range(n_kinds), repeat=n_rows))


def neighbours(
    tables: Sequence[Table], substitutes: Sequence[int], *, rows: int = 1, ordered: bool = False
) -> np.ndarray:
    """Every pair of tables of which one has ``rows`` rows (or fewer) of the other replaced by ``substitutes``.

    The null rows as substitutes give the relation "add-remove", all kinds of rows give "replace-one".
    """
    position = {table: i for i, table in enumerate(tables)}
    found: set[tuple[int, int]] = set()
    for i, table in enumerate(tables):
        for where in itertools.combinations(range(len(table)), rows):
            for new in itertools.product(substitutes, repeat=rows):
                other = list(table)
                for at, kind in zip(where, new, strict=True):
                    other[at] = kind
                j = position[tuple(other if ordered else sorted(other))]
                if i != j:
                    found.add((min(i, j), max(i, j)))
    return np.array(sorted(found), np.int64).reshape(-1, 2)


# Scripts --------------------------------------------------------------------------------------------------------------

# Signs of the released sums (class 0, class 1) of two leaves. Every sum is once far above and once far below anything
# that rows can weigh, so some script attains the largest loss of a changed row wherever it lies; and the leaves' values
# take both ends and the middle of their range, in most combinations, so the next tree sees the most different weights.
_CORNERS = (
    (1, -1, -1, 1),
    (-1, 1, 1, -1),
    (1, -1, 1, -1),
    (-1, 1, -1, 1),
    (1, 1, -1, 1),
    (-1, -1, 1, -1),
    (1, -1, 1, 1),
    (-1, 1, -1, -1),
)
# Sums such as a typical draw gives, in units of a weight.
_TYPICAL = ((0.4, 1.1, 0.7, 0.2), (-0.1, 0.5, 1.0, 0.0))


def leaf_outcomes(size: int, far: int, unit: int, limit: int | None = None) -> list[np.ndarray]:
    """Released numbers to try where something depends on them, typical ones first."""
    corners = [np.resize(np.array(c, np.int64), size) * far for c in _CORNERS]
    typical = [np.resize(np.rint(np.array(t) * unit).astype(np.int64), size) for t in _TYPICAL]
    mixed = [typical[0], corners[0], corners[3], corners[5], typical[1], *corners[1:3], corners[4], *corners[6:]]
    return mixed[:limit]  # a short list holds extremes and typical ones


def transcripts_of(
    releases: Sequence[PlannedRelease],
    *,
    far: int,
    unit: int,
    leaf_limit: int | None = None,
    independent: bool = False,
    tree_of_row: tuple[int, ...] = (),
    seed: int = 0,
) -> Iterator[Transcript]:
    """Every choice of every split, times the leaf outcomes to try; a last release is left to the closed form."""
    options: list[list[np.ndarray]] = []
    for k, release in enumerate(releases):
        numbers = release.count * release.size if release.mechanism in NOISES else release.count
        settled = independent or k == len(releases) - 1
        if release.mechanism in NOISES:
            options.append(leaf_outcomes(numbers, far, unit, 1 if settled else leaf_limit))
        elif settled:
            options.append([np.zeros(numbers, np.int64)])
        else:
            choices = itertools.product(range(release.size), repeat=release.count)
            options.append([np.array(c, np.int64) for c in choices])
    for outcomes in itertools.product(*options):
        yield Transcript(outcomes, tree_of_row, seed)


def uniform_transcripts(releases: Sequence[PlannedRelease], *, far: int, unit: int, seed: int = 0) -> list[Transcript]:
    """One transcript for each of `leaf_outcomes`, which all releases have in common."""
    outcomes = [
        leaf_outcomes(release.count * release.size, far, unit)
        if release.mechanism in NOISES
        else [(np.arange(release.count) + k) % release.size for k in range(len(_CORNERS) + len(_TYPICAL))]
        for release in releases
    ]
    return [Transcript(choice, seed=seed) for choice in zip(*outcomes, strict=True)]


def random_transcript(
    releases: Sequence[PlannedRelease],
    *,
    far: int,
    unit: int,
    rng: np.random.Generator,
    tree_of_row: tuple[int, ...] = (),
) -> Transcript:
    """One transcript at random: any splits; sums as a typical draw gives, far off, or at an end of what is released."""
    outcomes = []
    for release in releases:
        if release.mechanism in NOISES:
            size = release.count * release.size
            within = np.rint(rng.normal(0.7, 1.5, size) * unit)
            ends = rng.choice([-far, far, -far, far, -RELEASE_LIMIT, RELEASE_LIMIT], size)
            outcomes.append(np.where(rng.random(size) < 0.5, within, ends).astype(np.int64))
        else:
            outcomes.append(rng.integers(release.size, size=release.count))
    return Transcript(tuple(outcomes), tree_of_row, int(rng.integers(2**31)))
