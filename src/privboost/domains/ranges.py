r"""Bounds of numbers, from noisy histograms: first over powers of two, then over equal bins between the bounds found.

Everything here is post-processing of released counts. The first histogram says of what magnitude a column's numbers
are, whatever they are; the second, where between the two magnitudes they begin and end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from privboost.data.attributes import Numeric

__all__ = ["MAGNITUDES", "N_BINS", "Noise", "bins_of", "coarse_range", "fine_range"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Noise:
    """The noise of one count, in rows.

    Attributes
    ----------
    scale : float
    gaussian : bool
        Whether it is Gaussian noise; else Laplace noise.
    """

    scale: float
    gaussian: bool = False

    def quantile(self, width: int) -> float:
        """Return what a sum of `width` draws exceeds with the chance that one test of magnitudes is allowed."""
        return self.scale * _noise_quantile(width, self.gaussian)


LEAST, LARGEST = -40, 64
"""Exponents: smaller numbers count as 0, larger ones as the largest. 1e-12 and 1.8e19 are far beyond most columns."""

_POWERS = 2.0 ** np.arange(LEAST, LARGEST + 1)

MAGNITUDES: Floats = np.concatenate([-_POWERS[::-1], _POWERS])
"""Edges of the first histogram: a number lies in cell ``#{edges <= number}``, of 0 to 210."""
MAGNITUDES.setflags(write=False)

N_BINS = 32
"""Bins of the second histogram."""

_WIDTHS = (1, 2, 4)
"""Adjacent cells that are looked at together: a column that is spread thinly shows only in sums."""

_LAST_RESORT = 8
"""Cells that are taken where noise hides all: those of the largest sum."""

_FALSE_ALARM = 0.02
"""About the chance that noise alone widens a column's first range."""

_TAIL = 0.005
"""Share of the rows that may lie beyond a bound."""


def coarse_range(counts: Floats, noise: Noise, *, integer: bool) -> Numeric:
    """Return bounds that are powers of two, or 0, from the noisy counts of magnitudes.

    Parameters
    ----------
    counts : array of shape (211,)
        Of the cells between `MAGNITUDES`, in rows.
    noise : Noise
    integer : bool
        Whether only whole numbers occur.

    Returns
    -------
    Numeric
        A range with room between its bounds, whatever the counts are.
    """
    found = _occupied(counts, noise)
    edges = np.concatenate([MAGNITUDES[:1], MAGNITUDES, MAGNITUDES[-1:]])
    edges[[MAGNITUDES.size // 2, MAGNITUDES.size // 2 + 1]] = 0.0  # both ends of the cell of zero
    low, high = float(edges[found[0]]), float(edges[found[-1] + 1])
    # What begins at a small part of where it ends mostly begins at 0, with few rows at each magnitude between.
    low = 0.0 if 0.0 < low <= high / 8.0 else low
    high = 0.0 if low / 8.0 <= high < 0.0 else high
    # Powers of two are excluded at the upper end; 0 is not.
    high = math.ceil(high) - 1.0 if integer and high else high
    return _with_room(low, high, integer=integer)


def _occupied(counts: Floats, noise: Noise) -> npt.NDArray[np.intp]:
    """Return the cells that noise alone hardly explains; if there are none, those of the largest sum."""
    found = np.zeros(counts.size, dtype=bool)
    for width in _WIDTHS:
        starts = np.arange(0, counts.size, width)
        sums = np.add.reduceat(counts, starts)
        known = np.logical_or.reduceat(found, starts)
        clear = ~known & (sums > noise.quantile(width))
        found |= np.repeat(clear, width)[: counts.size]
    if not found.any():
        starts = np.arange(0, counts.size, _LAST_RESORT)
        best = int(np.argmax(np.add.reduceat(counts, starts)))
        found[starts[best] : starts[best] + _LAST_RESORT] = True
    return np.flatnonzero(found)


@cache
def _noise_quantile(width: int, gaussian: bool) -> float:
    """Return `Noise.quantile` for a scale of 1."""
    tests = sum(math.ceil((MAGNITUDES.size + 1) / w) for w in _WIDTHS)
    chance = _FALSE_ALARM / tests
    if gaussian:
        return math.sqrt(width) * NormalDist().inv_cdf(1.0 - chance)
    low, high = 0.0, 100.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _laplace_tail(middle, width) > chance else (low, middle)
    return high


def _laplace_tail(x: float, width: int) -> float:
    """Return the chance that the sum of so many Laplace variables exceeds x >= 0.

    Such a sum is the difference of two gamma variables G, G' of shape w, and P[G > x + G'] is the mean over G' of the
    sum of (x + G')^i exp(-x - G') / i! for i < w.
    """
    moments = [math.comb(width - 1 + j, j) * math.factorial(j) * 0.5 ** (width + j) for j in range(width)]
    terms = (
        math.comb(i, j) * x ** (i - j) * moments[j] / math.factorial(i) for i in range(width) for j in range(i + 1)
    )
    return math.exp(-x) * math.fsum(terms)


def bins_of(attribute: Numeric) -> Floats:
    """Return the inner edges of the second histogram: at most `N_BINS` bins between the first bounds."""
    return attribute.edges(N_BINS)


def fine_range(counts: Floats, first: Numeric, n_rows: int) -> Numeric:
    """Return the first bounds without the ends that hold next to nothing.

    Parameters
    ----------
    counts : array of shape (n_bins,)
        Noisy counts of the bins between `bins_of` the first bounds, in rows.
    first : Numeric
        As `coarse_range` gave it.
    n_rows : int
        Of the table.

    Returns
    -------
    Numeric
        Within `first`, but for the room that a range has between its bounds: where one whole number is left, the
        next one, too.
    """
    edges = np.concatenate([[first.lo], bins_of(first), [first.hi]])
    below, above = _empty_end(counts, n_rows), _empty_end(counts[::-1], n_rows)
    if below + above >= counts.size:  # noise outweighs the rows
        return first
    low, high = float(edges[below]), float(edges[counts.size - above])
    return _with_room(low, high, integer=first.integer)


def _empty_end(counts: Floats, n_rows: int) -> int:
    """Return how many bins at the start hold, together, no more than a tail."""
    over = np.flatnonzero(np.cumsum(counts) > _TAIL * n_rows)
    return int(over[0]) if over.size else counts.size


def _with_room(low: float, high: float, *, integer: bool) -> Numeric:
    """Return a range whose bounds differ, if need be by a little more than was asked for."""
    if integer:  # edges of bins lie half-way between two integers
        low, high = float(math.ceil(low)), float(math.floor(high))
    room = max(1.0, math.ceil(abs(low) * 2.0**-20))
    return Numeric(low, high if high > low else low + room, integer=integer)
