"""Where random tests are drawn: finer where rows are known to lie, and along an order of the categories.

What is known comes from released histograms alone or, without them, from the public ranges: everything here is
post-processing of released counts, or public.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from privboost.data.attributes import Numeric
from privboost.data.domain import Domain
from privboost.data.layout import CodeLayout
from privboost.data.refinement import MAX_EDGES, Refinement
from privboost.trees.tree import Splits

__all__ = ["Histograms", "TestProfile", "make_profile"]

MAX_PARTS = 64
"""Most parts that one public bin is divided into."""

PRIOR_SHARE = 0.1
"""Part of the tests that is drawn as if nothing were known, so that no region is out of reach."""

SCALE_FREE_SHARE = 0.5
"""Part of what is drawn without knowledge that thickens towards zero: amounts tend to be small beside their limit."""

INNER_SHARE = 0.7
"""Chance that a threshold drawn in a bin lies inside it, not at its upper edge: half of a bin may be one value."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Histograms:
    """Released counts of every class in every code of the public layout.

    Attributes
    ----------
    counts : ndarray, shape (n_cells, n_stats)
        In rows.
    noise : float
        Standard deviation of one count's noise, in rows.
    floor : float
        How many standard deviations of a code's total must be exceeded for the code to count as occupied.
    total : float
        About how many rows there are.
    """

    counts: Floats
    noise: float
    floor: float
    total: float


@dataclass(frozen=True, eq=False)
class TestProfile:
    """A distribution of tests over refined codes.

    Attributes
    ----------
    attributes : ndarray of int32
        Attributes that can part rows.
    starts : ndarray of int64
        First entry of each of them in ``cumulative``.
    cumulative : ndarray of float64
        For the k-th of them: k plus the share of its tests with threshold 2, up to 3, and so on, up to k + 1.
    missing : ndarray of bool, shape (n_attributes,)
        Whether missing cells were declared.
    """

    attributes: npt.NDArray[np.int32]
    starts: npt.NDArray[np.int64]
    cumulative: Floats
    missing: npt.NDArray[np.bool_]

    def some(self, n_draws: int, generator: np.random.Generator) -> npt.NDArray[np.int64]:
        """Draw the attributes that a tree may test, as positions in ``attributes``: so many draws, or all for 0."""
        every = np.arange(len(self.attributes))
        return generator.choice(every, size=n_draws) if n_draws and len(every) else every

    def draw(self, n_tests: int, generator: np.random.Generator, among: npt.NDArray[np.int64]) -> Splits:
        """Draw tests: an attribute, all alike, then a threshold of it.

        Parameters
        ----------
        n_tests : int
        generator : numpy.random.Generator
            Its draws need no secrecy: they may be published with the tree's structure.
        among : ndarray of int
            Attributes to draw from; see `some`.
        """
        if len(among) == 0:
            return Splits.null(n_tests)
        which = among[generator.integers(len(among), size=n_tests)]
        level = generator.random(n_tests)
        side = generator.random(n_tests) < 0.5
        ends = np.append(self.starts[1:], len(self.cumulative)) - 1
        place = np.searchsorted(self.cumulative, which + level, side="right")
        # The last entry of an attribute is its number plus 1 but for rounding.
        place = np.clip(place, self.starts[which], ends[which])
        attribute = self.attributes[which]
        return Splits(
            attribute,
            (place - self.starts[which] + 2).astype(np.uint8),
            (ends[which] - self.starts[which] + 2).astype(np.uint8),
            side & self.missing[attribute],
        )


def make_profile(domain: Domain, layout: CodeLayout, known: Histograms | None) -> tuple[Refinement, TestProfile]:
    """Decide how codes are formed and how tests are drawn.

    Numbers are divided anew, more finely where rows lie. The categories of an unordered attribute are sorted by their
    released rate of a class. A threshold is then drawn so that about as many rows lie between any two neighbouring
    thresholds of equal chance.

    Parameters
    ----------
    domain : Domain
    layout : CodeLayout
        The public one.
    known : Histograms or None
        None if nothing was released: codes of categories stay, and rows are taken to lie anywhere.

    Returns
    -------
    refinement : Refinement
    profile : TestProfile
    """
    edges: list[Floats | None] = []
    orders: list[npt.NDArray[np.uint8] | None] = []
    shares: list[Floats] = []
    start = 0
    for a, attribute in enumerate(domain.attributes):
        # An unlisted value has no place in an order of values; among unordered ones it has a rate like any other.
        n_codes = int(layout.n_values[a]) + int(layout.has_unknown[a] and not layout.ordered[a])
        cells = slice(start + 1, start + 1 + n_codes)
        start += int(layout.n_codes[a])
        numeric = attribute if isinstance(attribute, Numeric) else None
        mass = _prior(layout, a, numeric, n_codes)
        order = None if layout.ordered[a] else np.arange(n_codes)
        if known is not None:
            mass = _mass(known, cells, mass, bool(layout.ordered[a]))
            if order is not None:
                order = _order(known.counts[cells], known.noise)
                mass = mass[order]
        if numeric is not None and len(layout.edges[a]):
            inner, weights = _divide(layout.edges[a], numeric, mass)
            edges.append(inner)
            shares.append(weights)
        else:
            edges.append(None)
            shares.append(mass[:-1])
        orders.append(None if order is None else _as_table(order))
    return Refinement(tuple(edges), tuple(orders)), _profile(shares, layout.missing)


def _prior(layout: CodeLayout, a: int, numeric: Numeric | None, n_codes: int) -> Floats:
    """Return the share of rows expected in each code without any release."""
    mass = np.full(n_codes, 1.0 / n_codes)
    if numeric is None or len(mass) < 2:
        return mass
    nearest = min(max(0.0, numeric.lo), numeric.hi)
    centre = int(np.searchsorted(layout.edges[a], nearest, side="right"))
    thick = 1.0 / (1.0 + np.abs(np.arange(len(mass)) - centre))
    return np.asarray((1.0 - SCALE_FREE_SHARE) * mass + SCALE_FREE_SHARE * thick / thick.sum())


def _mass(known: Histograms, cells: slice, prior: Floats, ordered: bool) -> Floats:
    """Return the share of rows in each code: counts that stand out of the noise, and the rest as expected before.

    Single codes come first; where codes have an order, what is left is looked for in ever wider groups of
    neighbours, whose sums stand out of the noise sooner, and spread over the group's other codes as expected before.
    """
    totals = known.counts[cells].sum(axis=1)
    least = known.floor * known.noise * math.sqrt(known.counts.shape[1])
    found = np.where(totals > least, totals, 0.0)
    width = 2
    while ordered and width < len(totals) and not found.all():
        starts = np.arange(0, len(totals), width)
        group = np.arange(len(totals)) // width
        free = np.where(found > 0.0, 0.0, prior)
        room = np.add.reduceat(free, starts)
        rest = np.add.reduceat(totals - found, starts)
        rest = np.where((rest > least * math.sqrt(width)) & (room > 0.0), rest, 0.0)
        found += free * (rest / np.where(room > 0.0, room, 1.0))[group]
        width *= 2
    found = found / max(float(found.sum()), known.total)
    elsewhere = np.where(found > 0.0, 0.0, prior)
    left = max(1.0 - float(found.sum()), 0.0)
    if elsewhere.sum() > 0.0:
        found = found + left * elsewhere / elsewhere.sum()
    return np.asarray((1.0 - PRIOR_SHARE) * found / found.sum() + PRIOR_SHARE * prior)


def _order(counts: Floats, noise: float) -> npt.NDArray[np.int64]:
    """Sort codes by the rate, drawn towards the overall one, of the class whose rate varies most between them."""
    known = np.maximum(counts, 0.0)
    total = known.sum(axis=1, keepdims=True)
    overall = known.sum(axis=0) / max(float(known.sum()), 1e-300)
    pseudo = 2.0 * noise + 1e-9
    rate = (known + pseudo * overall) / (total + pseudo)
    spread = (total * (rate - overall) ** 2).sum(axis=0)
    # The second of two classes varies as the first does, up to rounding: rates of that one rise with the codes.
    chosen = 1 if len(spread) == 2 else int(spread.argmax())
    return np.argsort(rate[:, chosen], kind="stable").astype(np.int64)


def _as_table(order: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
    """Return the new code, from 1 on, of each old code, given the old codes (from 0 on) in their new order."""
    table = np.empty(len(order), np.uint8)
    table[order] = np.arange(1, len(order) + 1)
    return table


def _divide(public: Floats, numeric: Numeric, mass: Floats) -> tuple[Floats, Floats]:
    """Return finer inner edges of a number's range, and the chance of each to be drawn as a threshold."""
    ends = np.concatenate([[numeric.lo], public, [numeric.hi]])
    parts = np.minimum(np.floor(mass * MAX_EDGES).astype(np.int64), MAX_PARTS)
    bin_of = np.repeat(np.arange(len(mass)), parts)
    within = np.arange(len(bin_of)) - np.repeat(np.cumsum(parts) - parts, parts) + 1
    fraction = within / (parts[bin_of] + 1)
    inner = ends[bin_of] + (ends[bin_of + 1] - ends[bin_of]) * fraction
    upper = np.where(parts > 0, 1.0 - INNER_SHARE, 1.0)
    edges = np.concatenate([inner, public])
    weights = np.concatenate([mass[bin_of] * INNER_SHARE / parts[bin_of], (mass * upper)[:-1]])
    order = np.argsort(edges, kind="stable")
    edges, weights = edges[order], weights[order]
    # Very narrow bins have no room for edges between their ends.
    distinct = np.concatenate([[True], np.diff(edges) > 0.0]) & (edges > numeric.lo) & (edges <= numeric.hi)
    return _thin(edges[distinct], weights[distinct])


def _thin(edges: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Keep the edges of most weight; each of the others gives its weight to the next one kept."""
    if len(edges) <= MAX_EDGES:
        return edges, weights
    kept = np.sort(np.argsort(-weights, kind="stable")[:MAX_EDGES])
    heir = np.minimum(np.searchsorted(kept, np.arange(len(edges))), MAX_EDGES - 1)
    return edges[kept], np.bincount(heir, weights=weights, minlength=MAX_EDGES).astype(np.float64)


def _profile(shares: list[Floats], missing: npt.NDArray[np.bool_]) -> TestProfile:
    usable = [a for a, share in enumerate(shares) if len(share)]
    parts = [k + np.cumsum(shares[a]) / max(float(shares[a].sum()), 1e-300) for k, a in enumerate(usable)]
    sizes = np.array([len(part) for part in parts], np.int64)
    return TestProfile(
        np.array(usable, np.int32),
        np.cumsum(sizes) - sizes,
        np.concatenate(parts) if parts else np.empty(0),
        np.asarray(missing),
    )
