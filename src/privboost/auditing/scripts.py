"""A source of randomness that answers from a script and writes down what it was asked; and the scripts to try.

It stands in for the source of a learner's own training. What is asked of it, the raw scores or sums and the noise
scale, is all that the law of a release depends on, so that no draw has to take place.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from privboost.errors import PlanError
from privboost.privacy.accounting import PlannedRelease
from privboost.privacy.randomness import RELEASE_LIMIT

__all__ = [
    "NOISES",
    "Draw",
    "Script",
    "ScriptedGenerator",
    "Transcript",
    "leaf_outcomes",
    "random_transcript",
    "transcripts_of",
    "uniform_transcripts",
]

NOISES = ("laplace", "gaussian")

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Transcript:
    """What a script answers.

    Attributes
    ----------
    outcomes : tuple of ndarray of int64
        In the order of the plan's releases: the chosen candidate of each node, or the released numbers.
    tree_of_row : tuple of int
        The forest's hidden partition of the rows.
    seed : int
        Of the structure that is drawn without looking at a row.
    """

    outcomes: tuple[Integers, ...]
    tree_of_row: tuple[int, ...] = ()
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Draw:
    """One request for noise: everything that the law of its outcome depends on.

    Attributes
    ----------
    rule : {"laplace", "gaussian", "permute-and-flip", "exponential"}
    raw : ndarray of int64
        Exact sums, or exact scores with candidates along the last axis.
    scale : float
        Of the noise, in integer units.
    outcome : ndarray of int64
        What the script answered.
    """

    rule: str
    raw: Integers
    scale: float
    outcome: Integers


class ScriptedGenerator:
    """Stands for the generator of draws that need no secrecy: the partition is scripted, the structure seeded."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self.requests: list[tuple[Any, ...]] = []

    @cached_property
    def _structure(self) -> np.random.Generator:
        return np.random.default_rng(self._transcript.seed)

    def integers(self, high: int, *, size: int, dtype: Any = np.int64) -> npt.NDArray[Any]:
        """Return the scripted tree of every row for int32, and seeded draws for any other type."""
        self.requests.append(("integers", int(high), int(size), np.dtype(dtype).name))
        if dtype is not np.int32:
            return np.asarray(self._structure.integers(high, size=size))
        if high == 1:
            return np.zeros(size, np.int32)
        if len(self._transcript.tree_of_row) != size:
            raise PlanError("The script must hold the tree of every row.")
        return np.array(self._transcript.tree_of_row, np.int32)

    def random(self, size: int) -> npt.NDArray[np.float64]:
        """Return seeded draws."""
        self.requests.append(("random", int(size)))
        return self._structure.random(size)

    def choice(self, of: npt.NDArray[Any], *, size: int) -> npt.NDArray[Any]:
        """Return seeded choices."""
        self.requests.append(("choice", len(of), int(size)))
        return np.asarray(self._structure.choice(of, size=size))


class Script:
    """Answers from a transcript and writes down what it was asked; a request that is not in the script gets zeros.

    Parameters
    ----------
    transcript : Transcript

    Attributes
    ----------
    draws : list of Draw
        So far, in order.
    """

    secure = True  # so that a fit believes that it makes a private model

    def __init__(self, transcript: Transcript) -> None:
        self._left = list(transcript.outcomes)
        self._generator = ScriptedGenerator(transcript)
        self.draws: list[Draw] = []

    @property
    def generator(self) -> Any:
        """The scripted generator."""
        return self._generator

    def below(self, n: int) -> int:
        """Refuse: no learner that can be scripted draws secret integers."""
        raise PlanError("A script holds no secret integers.")

    def _answer(self, rule: str, raw: Integers, scale: float, shape: tuple[int, ...]) -> Integers:
        size = math.prod(shape)
        outcome = self._left.pop(0) if self._left and self._left[0].size == size else np.zeros(size, np.int64)
        self.draws.append(Draw(rule, raw.copy(), scale, outcome.reshape(shape)))
        return outcome.astype(np.int64).reshape(shape)

    def laplace(self, values: Integers, scale: float) -> Integers:
        """Answer a request for discrete Laplace noise."""
        return self._answer("laplace", values, scale, values.shape)

    def gaussian(self, values: Integers, scale: float) -> Integers:
        """Answer a request for discrete Gaussian noise."""
        return self._answer("gaussian", values, scale, values.shape)

    def select(self, scores: Integers, scale: float, rule: str) -> Integers:
        """Answer a request for a selection in each row of ``scores``."""
        return self._answer(rule, scores, scale, scores.shape[:1])

    def trace(self) -> tuple[Any, ...]:
        """Return what must not differ between neighbours: kinds, sizes and scales of all requests."""
        return tuple((d.rule, d.raw.shape, d.scale) for d in self.draws), tuple(self._generator.requests)


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


def leaf_outcomes(size: int, far: int, unit: int, limit: int | None = None) -> list[Integers]:
    """Return released numbers to try where something depends on them, typical ones first.

    Parameters
    ----------
    size : int
        Numbers of the release.
    far : int
        Beyond anything that rows can weigh.
    unit : int
        Weight of one row.
    limit : int or None, default=None
        At most so many.
    """
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
    """Yield every choice of every split, times the leaf outcomes to try; a last release is left to the closed form."""
    options: list[Iterator[Integers] | list[Integers]] = []
    for k, release in enumerate(releases):
        numbers = release.count * release.size if release.mechanism in NOISES else release.count
        settled = independent or k == len(releases) - 1
        if release.mechanism in NOISES:
            options.append(leaf_outcomes(numbers, far, unit, 1 if settled else leaf_limit))
        elif settled:
            options.append([np.zeros(numbers, np.int64)])
        else:
            options.append([np.array(c, np.int64) for c in itertools.product(range(release.size), repeat=numbers)])
    for outcomes in itertools.product(*options):
        yield Transcript(outcomes, tree_of_row, seed)


def n_transcripts(
    releases: Sequence[PlannedRelease], *, leaf_limit: int | None = None, independent: bool = False
) -> float:
    """Return how many `transcripts_of` would yield, as a float: it may be astronomic."""
    leaves = len(_CORNERS) + len(_TYPICAL)
    total = 1.0
    for release in releases[: 0 if independent else -1]:
        if release.mechanism in NOISES:
            total *= leaves if leaf_limit is None else min(leaves, leaf_limit)
        else:
            total *= math.exp(min(release.count * math.log(release.size), 700.0))
        total = min(total, 1e300)
    return total


def uniform_transcripts(releases: Sequence[PlannedRelease], *, far: int, unit: int, seed: int = 0) -> list[Transcript]:
    """Return one transcript for each of `leaf_outcomes`, which all releases have in common."""
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
    """Return a random transcript: any splits; sums like a typical draw, far off, or at an end of what is released."""
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
