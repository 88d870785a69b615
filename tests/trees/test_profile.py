"""Where random tests are drawn: from public numbers alone or released counts, always within the refined codes.

Draws are held against their shares by chi-squared, with fixed seeds; under another seed, right code would fail one of
the 40 comparisons with chance `ALARM` each.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from privboost.data.attributes import Boolean, Categorical, Numeric, Ordinal
from privboost.data.domain import Domain
from privboost.data.encoding import Encoder
from privboost.data.layout import CodeLayout
from privboost.data.refinement import Refinement, refine_layout
from privboost.trees import profile
from privboost.trees.profile import Histograms, make_profile
from privboost.trees.splitting import candidate_splits
from privboost.trees.tree import Splits

ALARM = 1e-9
PROVIDED = {
    "age": Numeric(0, 100),
    "amount": Numeric(-1000, 1e6, missing=True),
    "count": Numeric(0, 12, integer=True),
    "job": Categorical(["clerk", "cook", "smith", "none"], missing=True),
    "size": Ordinal(["s", "m", "l"], missing=True),
    "grade": Ordinal(["only"]),
    "smoker": Boolean(),
    "left": Boolean(missing=True),
    "one": Categorical(["it"]),
    "constant": Numeric(5, 5),
}
DOMAIN = Domain(PROVIDED)


def cells(layout: CodeLayout) -> list[slice]:
    ends = np.cumsum(layout.n_codes)
    return [slice(int(end - n), int(end)) for n, end in zip(layout.n_codes, ends, strict=True)]


def histograms(
    layout: CodeLayout, seed: int = 0, *, n_stats: int = 2, noise: float = 3.0, rows: float = 5000.0
) -> Histograms:
    """Return noisy counts of rows that lie in few codes of each attribute."""
    rng = np.random.default_rng(seed)
    counts = rng.normal(0.0, noise, (int(layout.n_codes.sum()), n_stats))
    for part in cells(layout):
        n_codes = part.stop - part.start
        share = rng.dirichlet(np.full(n_codes, 0.3))[:, None] * rng.dirichlet(np.ones(n_stats), n_codes)
        counts[part] += rows * share
    return Histograms(counts, noise, 3.0, rows)


def every(found: profile.TestProfile) -> np.ndarray:
    """Positions of all attributes that can be drawn."""
    return np.arange(len(found.attributes))


def keys(splits: Splits) -> set[tuple[int, int, int, bool]]:
    fields = (splits.attribute, splits.first, splits.last, splits.missing_right)
    return {(int(a), int(f), int(la), bool(m)) for a, f, la, m in zip(*fields, strict=True)}


def chance_of_tests(found: profile.TestProfile) -> dict[int, np.ndarray]:
    """Return, for each attribute that is drawn, the chance of each of its thresholds."""
    ends = [*found.starts[1:].tolist(), len(found.cumulative)][: len(found.starts)]
    return {
        int(a): np.diff(found.cumulative[start:end], prepend=k) / (found.cumulative[end - 1] - k)
        for k, (a, start, end) in enumerate(zip(found.attributes, found.starts, ends, strict=True))
    }


def assert_sound(domain: Domain, layout: CodeLayout, refinement: Refinement, found: profile.TestProfile) -> None:
    """Check everything that later steps take for granted."""
    refined = refine_layout(layout, refinement)  # raises for edges out of range, and orders of another length
    for edges, order, bounds in zip(refinement.edges, refinement.orders, layout.bounds, strict=True):
        if edges is not None:
            assert bounds is not None
            assert 1 <= len(edges) <= 253
            assert (np.diff(edges) > 0.0).all()
            assert bounds[0] < edges[0]
            assert edges[-1] <= bounds[1]
        if order is not None:
            assert sorted(order.tolist()) == list(range(1, len(order) + 1))
    chances = chance_of_tests(found)
    thresholds = {a: int(n) - 1 for a, n in enumerate(refined.n_values) if n > 1}
    assert {a: len(p) for a, p in chances.items()} == thresholds
    for k, (start, chance) in enumerate(zip(found.starts, chances.values(), strict=True)):
        assert (chance >= 0.0).all()
        assert found.cumulative[start] >= k
        assert found.cumulative[start + len(chance) - 1] == pytest.approx(k + 1.0, abs=1e-12 * (k + 1))
    np.testing.assert_array_equal(found.missing, [attribute.missing for attribute in domain.attributes])
    drawn = found.draw(2000, np.random.default_rng(1), every(found))
    if len(found.attributes):
        assert keys(drawn) <= keys(candidate_splits(refined))
    else:
        assert (drawn.attribute == -1).all()
    for array, dtype in zip(
        (drawn.attribute, drawn.first, drawn.last, drawn.missing_right),
        (np.int32, np.uint8, np.uint8, np.bool_),
        strict=True,
    ):
        assert array.dtype == dtype


# -- without histograms


@pytest.mark.parametrize("n_bins", [2, 10, 254])
def test_without_histograms_everything_follows_from_the_domain(n_bins: int) -> None:
    layout = DOMAIN.layout(n_bins)
    refinement, found = make_profile(DOMAIN, layout, None)
    assert_sound(DOMAIN, layout, refinement, found)
    again, same = make_profile(Domain(PROVIDED), Domain(PROVIDED).layout(n_bins), None)
    assert again.to_dict() == refinement.to_dict()
    np.testing.assert_array_equal(same.cumulative, found.cumulative)
    assert not refinement.reorders


def test_without_histograms_the_codes_of_categories_stay() -> None:
    refinement, _ = make_profile(DOMAIN, DOMAIN.layout(10), None)
    table = np.array([[1.0, 2.0, 3.0, job, size, "only", smoker, smoker, one, 5.0]
                      for job in ["clerk", "cook", "smith", "none", "other", None]
                      for size in ["s", "m", "l", "xl"]
                      for smoker in [True, False, "perhaps"]
                      for one in ["it", "else"]], object)  # fmt: skip
    public, refined = Encoder(DOMAIN).encode(table), Encoder(DOMAIN, refinement=refinement).encode(table)
    np.testing.assert_array_equal(public[3:9], refined[3:9])


def test_without_histograms_half_of_the_chance_is_even_and_half_thickens_towards_zero() -> None:
    domain = Domain({"x": Numeric(-3, 7)})
    layout = domain.layout(10)
    bins = [0.5 / 10 + 0.5 * w for w in (weight / sum(THICK) for weight in THICK)]
    refinement, found = make_profile(domain, layout, None)
    assert refinement.edges[0] is not None
    chance = chance_of_tests(found)[0]
    # Each bin's share lies on the edges within it and on its upper edge; the last bin's upper edge is no threshold.
    upper = np.searchsorted(layout.edges[0], refinement.edges[0], side="left")
    shares = np.bincount(upper, weights=chance, minlength=10)
    expected = np.array(bins)
    expected[-1] *= 0.7
    np.testing.assert_allclose(shares, expected / expected.sum(), rtol=1e-12)


THICK = [1 / 4, 1 / 3, 1 / 2, 1, 1 / 2, 1 / 3, 1 / 4, 1 / 5, 1 / 6, 1 / 7]
"""One over one plus the distance, in bins, from the bin 0..1 of a range from -3 to 7."""


# -- with histograms


@given(
    seed=st.integers(0, 2**32 - 1),
    n_bins=st.sampled_from([2, 5, 10, 254]),
    n_stats=st.integers(2, 4),
    noise=st.sampled_from([0.0, 1.0, 30.0, 1e4]),
)
@settings(max_examples=60, deadline=None)
def test_released_counts_of_any_kind_give_sound_tests(seed: int, n_bins: int, n_stats: int, noise: float) -> None:
    layout = DOMAIN.layout(n_bins)
    refinement, found = make_profile(DOMAIN, layout, histograms(layout, seed, n_stats=n_stats, noise=noise))
    assert_sound(DOMAIN, layout, refinement, found)


DEGENERATE = {
    "one code": Domain({"x": Numeric(5, 5), "o": Ordinal(["a"])}),
    "one category": Domain({"c": Categorical(["a"])}),
    "constant beside others": Domain({"k": Numeric(-2, -2), "x": Numeric(0, 1), "j": Numeric(3, 3, missing=True)}),
    "one attribute": Domain({"x": Numeric(0, 1)}),
    "huge": Domain({"x": Numeric(-1e300, 1e300), "y": Numeric(-1.7e308, 1.7e308), "z": Numeric(0, 1e300)}),
    "two floats": Domain({"x": Numeric(1.0, math.nextafter(1.0, 2.0))}),
    "five floats": Domain({"x": Numeric(1.0, 1.0 + 4 * 2.0**-52), "y": Numeric(1e300, 1e300 * (1 + 2.0**-50))}),
    "denormal": Domain({"x": Numeric(0.0, 5e-324), "y": Numeric(-5e-324, 2e-323)}),
    "far from zero": Domain({"x": Numeric(1e15, 1e15 + 3), "y": Numeric(-7e15, -7e15 + 2, integer=True)}),
    "many categories": Domain({"c": Categorical([str(i) for i in range(254)], missing=True)}),
    "many ranks": Domain({"c": Ordinal(list(range(254)))}),
    "two integers": Domain({"x": Numeric(0, 1, integer=True)}),
}


@pytest.mark.parametrize("name", DEGENERATE)
@pytest.mark.parametrize("counts", ["none", "one heap", "zero", "negative", "noise", "even", "enormous"])
@pytest.mark.parametrize("n_bins", [2, 254])
def test_degenerate_attributes_and_counts(name: str, counts: str, n_bins: int) -> None:
    domain = DEGENERATE[name]
    layout = domain.layout(n_bins)
    shape = (int(layout.n_codes.sum()), 2)
    rng = np.random.default_rng(0)
    heap = np.zeros(shape)
    for part in cells(layout):
        heap[rng.integers(part.start, part.stop)] = 4000.0
    values = {
        "one heap": heap,
        "zero": np.zeros(shape),
        "negative": -np.abs(rng.normal(0.0, 50.0, shape)) - 1.0,
        "noise": rng.normal(0.0, 50.0, shape),
        "even": np.full(shape, 1000.0),
        "enormous": np.full(shape, 2.0**53 / 2.0**16),
    }
    for noise, total in itertools.product((0.0, 1.0, 50.0), (1.0, 4000.0)):
        known = None if counts == "none" else Histograms(values[counts], noise, 3.0, total)
        refinement, found = make_profile(domain, layout, known)
        assert_sound(domain, layout, refinement, found)


def test_where_nothing_stands_out_of_the_noise_tests_are_those_without_histograms() -> None:
    layout = DOMAIN.layout(10)
    rng = np.random.default_rng(0)
    counts = rng.normal(0.0, 2.0, (int(layout.n_codes.sum()), 2))  # a fifth of the noise that is stated
    _, noisy = make_profile(DOMAIN, layout, Histograms(counts, 10.0, 3.0, 800.0))
    _, blind = make_profile(DOMAIN, layout, None)
    for a, chance in chance_of_tests(blind).items():
        if layout.ordered[a]:  # the codes of unordered categories are in another order
            np.testing.assert_allclose(chance_of_tests(noisy)[a], chance, rtol=1e-9)


def naive_mass(
    totals: list[float], least: float, total: float, prior: list[float], ordered: bool = True
) -> list[float]:
    """Return the share of each code by plain loops.

    Codes above the least count have their own share. Of the others, neighbours in twos, fours and so on share what
    their group has left, as the prior says, if that stands out of the group's noise. All that is left is shared by
    the prior, and at last one tenth of everything.
    """
    n = len(totals)
    found = [t if t > least else 0.0 for t in totals]
    width = 2
    while ordered and width < n:
        for start in range(0, n, width):
            members = range(start, min(start + width, n))
            free = [i for i in members if found[i] == 0.0]
            rest = sum(totals[i] for i in members) - sum(found[i] for i in members)
            if free and rest > least * math.sqrt(width):
                room = sum(prior[i] for i in free)
                for i in free:
                    found[i] = rest * prior[i] / room
        width *= 2
    scale = max(sum(found), total)
    rest = 1.0 - sum(found) / scale
    free = [i for i in range(n) if found[i] == 0.0]
    room = sum(prior[i] for i in free)
    shares = [rest * prior[i] / room if i in free else found[i] / scale for i in range(n)]
    return [0.9 * s / sum(shares) + 0.1 * p for s, p in zip(shares, prior, strict=True)]


@pytest.mark.parametrize("n", [1, 2, 3, 7, 64, 254])
@pytest.mark.parametrize("ordered", [True, False])
def test_shares_are_those_of_plain_loops(n: int, ordered: bool) -> None:
    rng = np.random.default_rng(n)
    for noise, rows in itertools.product((0.0, 1.0, 20.0), (0.0, 100.0, 3000.0)):
        prior = rng.dirichlet(np.full(n, 5.0))
        peaks = rng.dirichlet(np.full(n, 0.5))[:, None] * rng.dirichlet(np.ones(3), n)
        counts = rng.normal(0.0, 1.0, (n + 5, 3)) * noise
        counts[2 : 2 + n] += rows * peaks
        for total in (1.0, rows + 1.0):
            known = Histograms(counts, noise, 2.5, total)
            mass = profile._mass(known, slice(2, 2 + n), prior, ordered)
            least = 2.5 * noise * math.sqrt(3.0)
            expected = naive_mass(counts[2 : 2 + n].sum(axis=1).tolist(), least, total, prior.tolist(), ordered)
            np.testing.assert_allclose(mass, expected, rtol=1e-9)
            assert mass.sum() == pytest.approx(1.0, rel=1e-12)


def test_rows_too_thin_to_stand_out_one_by_one_are_found_in_groups() -> None:
    """Sixteen codes of 20 rows each, noise of 10 a count: none exceeds 42, but eight of them exceed 120."""
    counts = np.zeros((64, 2))
    counts[32:48] = 10.0
    known, prior = Histograms(counts, 10.0, 3.0, 320.0), np.full(64, 1 / 64)
    ordered, unordered = (profile._mass(known, slice(0, 64), prior, flag) for flag in (True, False))
    np.testing.assert_allclose(ordered[32:48].sum(), 0.9 + 0.1 / 4)
    np.testing.assert_allclose(unordered, prior)


@pytest.mark.parametrize("total", [50.0, 1000.0, 5000.0])
def test_ranks_are_drawn_by_the_share_of_rows_below_them(total: float) -> None:
    """Code by code against a plain computation; a rank that is not listed has no place in the order."""
    domain = Domain({"x": Ordinal(["a", "b", "c", "d", "e"])})
    layout = domain.layout(10)
    counts = np.array([[900.0, 900.0], [300.0, 200.0], [5.0, -7.0], [-30.0, 90.0], [4.0, 8.0], [100.0, 1.0], [9e3, 0]])
    known = Histograms(counts, 10.0, 3.0, total)
    refinement, found = make_profile(domain, layout, known)
    assert (refinement.edges, refinement.orders) == ((None,), (None,))
    mass = naive_mass(counts[1:6].sum(axis=1).tolist(), 3.0 * 10.0 * math.sqrt(2.0), total, [0.2] * 5)
    np.testing.assert_allclose(chance_of_tests(found)[0], np.array(mass[:-1]) / sum(mass[:-1]), rtol=1e-12)


def naive_order(counts: np.ndarray, noise: float) -> np.ndarray:
    """Sort by the rate of one class, with pseudo-rows as many as twice the noise that are divided as all rows are."""
    n_codes, n_stats = counts.shape
    known = [[max(float(c), 0.0) for c in row] for row in counts]
    everything = sum(map(sum, known))
    overall = [sum(row[k] for row in known) / everything for k in range(n_stats)]
    pseudo = 2.0 * noise + 1e-9
    rates = [[(row[k] + pseudo * overall[k]) / (sum(row) + pseudo) for k in range(n_stats)] for row in known]
    spread = [
        sum(sum(row) * (rate[k] - overall[k]) ** 2 for row, rate in zip(known, rates, strict=True))
        for k in range(n_stats)
    ]
    chosen = 1 if n_stats == 2 else spread.index(max(spread))
    return np.array(sorted(range(n_codes), key=lambda i: rates[i][chosen]))


@pytest.mark.parametrize("n_stats", [2, 3, 5])
@pytest.mark.parametrize("noise", [0.0, 5.0, 200.0])
def test_categories_are_sorted_by_their_shrunk_rate(n_stats: int, noise: float) -> None:
    listed = {
        "k": Numeric(0, 1),
        "o": Ordinal(["s", "m"]),
        "c": Categorical(list("abcdefg")),
        "b": Boolean(missing=True),
    }
    domain = Domain(listed)
    layout = domain.layout(10)
    parts = cells(layout)
    moved = 0
    for seed in range(40):
        known = histograms(layout, seed, n_stats=n_stats, noise=noise, rows=3000.0)
        refinement, _ = make_profile(domain, layout, known)
        for a in (2, 3):
            order = refinement.orders[a]
            assert order is not None
            counts = known.counts[parts[a]][1:]  # code 0 is a missing cell, and stays
            assert [int(np.flatnonzero(order == c + 1)[0]) for c in range(len(order))] == naive_order(
                counts, noise
            ).tolist()
            moved += int((np.diff(order.astype(int)) < 0).any())
    assert moved > 40  # out of 80: the order is not that of the declaration


def test_rates_of_the_second_class_rise_with_the_new_codes() -> None:
    """Equal noise aside, the sum over classes decides nothing: two classes vary alike, up to rounding."""
    domain = Domain({"c": Categorical(list("abcd"))})
    layout = domain.layout(10)
    rng = np.random.default_rng(3)
    for _ in range(200):
        counts = rng.integers(1, 100, (6, 2)).astype(np.float64)
        refinement, _ = make_profile(domain, layout, Histograms(counts, 1.3, 3.0, 500.0))
        order = refinement.orders[0]
        assert order is not None
        rate = (counts[1:, 1] + 2.6 * counts[1:, 1].sum() / counts[1:].sum()) / (counts[1:].sum(axis=1) + 2.6)
        assert (np.diff(rate[np.argsort(order)]) > -1e-12).all()


def test_the_tests_of_categories_follow_their_order() -> None:
    """A threshold after a code has the chance of that code's share of rows, once codes are sorted."""
    domain = Domain({"c": Categorical(list("abc"))})
    layout = domain.layout(10)
    counts = np.array([[7.0, 7.0], [100.0, 900.0], [300.0, 100.0], [50.0, 50.0], [0.0, 0.0]])
    refinement, found = make_profile(domain, layout, Histograms(counts, 0.0, 3.0, 1500.0))
    # Rates 0.9, 0.25 and 0.5; without any row, what is not listed is at the overall rate, 0.7.
    assert refinement.orders[0] is not None
    assert refinement.orders[0].tolist() == [4, 1, 2, 3]
    mass = np.array(naive_mass([1000.0, 400.0, 100.0, 0.0], 0.0, 1500.0, [0.25] * 4, False))[[1, 2, 3]]
    np.testing.assert_allclose(chance_of_tests(found)[0], mass / mass.sum(), rtol=1e-12)


@pytest.mark.parametrize("n", [10, 100])
def test_bins_with_many_rows_are_divided_and_their_share_kept(n: int) -> None:
    domain = Domain({"x": Numeric(0, n)})
    layout = domain.layout(n)
    counts = np.zeros((n + 1, 2))
    counts[3], counts[8] = [600.0, 200.0], [100.0, 100.0]
    refinement, found = make_profile(domain, layout, Histograms(counts, 0.0, 3.0, 1000.0))
    edges, chance = refinement.edges[0], chance_of_tests(found)[0]
    assert edges is not None
    thick = 1 / np.arange(1, n + 1)
    prior = (0.5 / n + 0.5 * thick / thick.sum()).tolist()
    mass = naive_mass(counts[1:].sum(axis=1).tolist(), 0.0, 1000.0, prior)
    parts = [min(math.floor(m * 253), 64) for m in mass]
    assert (min(parts) > 0) == (n == 10)  # both kinds of bins are tried
    # What a bin holds lies on the edges within it and on its upper one; the upper end of the range is none.
    inside = [0.7 * m if k else 0.0 for m, k in zip(mass, parts, strict=True)]
    scale = sum(mass[:-1]) + inside[-1]
    for b in range(n):
        within = (edges > b) & (edges < b + 1)
        np.testing.assert_allclose(edges[within], b + np.arange(1, parts[b] + 1) / (parts[b] + 1), rtol=1e-12)
        np.testing.assert_allclose(chance[within], inside[b] / max(parts[b], 1) / scale, rtol=1e-9)
        if b < n - 1:
            np.testing.assert_allclose(chance[edges == b + 1], (mass[b] - inside[b]) / scale, rtol=1e-9)
    assert len(edges) == n - 1 + sum(parts)
    assert ((edges > 2) & (edges < 3)).sum() == 64
    assert 0.7 < chance[(edges > 2) & (edges <= 3)].sum() < 0.75


def test_too_many_edges_leave_those_with_most_weight_and_lose_none() -> None:
    rng = np.random.default_rng(4)
    for n in (10, 253, 254, 400):
        edges, weights = np.sort(rng.random(n)), rng.random(n)
        kept, heavy = profile._thin(edges, weights)
        assert len(kept) == min(n, 253)
        assert set(kept) <= set(edges)
        assert heavy.sum() == pytest.approx(weights.sum())
        own = weights[np.isin(edges, kept)]
        assert (heavy >= own).all()
        assert own.min() >= weights[~np.isin(edges, kept)].max(initial=0.0)
        # What is dropped goes to the next edge that is kept, or to the last one.
        expected = dict.fromkeys(kept.tolist(), 0.0)
        for edge, weight in zip(edges, weights, strict=True):
            expected[float(kept[kept >= edge][0]) if edge <= kept[-1] else float(kept[-1])] += weight
        np.testing.assert_allclose(heavy, list(expected.values()), rtol=1e-12)


@pytest.mark.parametrize("rows", [20.0, 1e5])
def test_with_the_most_bins_the_edges_stay_within_their_limit(rows: float) -> None:
    domain = Domain({"x": Numeric(0, 1), "y": Numeric(-1, 1)})
    layout = domain.layout(254)
    for seed in range(10):
        refinement, found = make_profile(domain, layout, histograms(layout, seed, rows=rows))
        assert_sound(domain, layout, refinement, found)
        assert refinement.edges[0] is not None
        assert len(refinement.edges[0]) == 253


# -- draws


def p_value(counts: np.ndarray, chance: np.ndarray) -> float:
    """p-value of counts against chances by chi-squared, rare outcomes put together."""
    expected = counts.sum() * chance
    rare = expected < 10.0
    observed = np.append(counts[~rare], counts[rare].sum())
    expected = np.append(expected[~rare], expected[rare].sum())
    real = expected > 0.0
    assert not observed[~real].any()
    observed, expected = observed[real], expected[real]
    if len(expected) == 1:
        return 1.0
    return float(stats.chi2.sf(((observed - expected) ** 2 / expected).sum(), len(expected) - 1))


@pytest.mark.parametrize("known", [False, True])
def test_draws_follow_the_shares(known: bool) -> None:
    layout = DOMAIN.layout(10)
    _, found = make_profile(DOMAIN, layout, histograms(layout, 5) if known else None)
    drawn = found.draw(200_000, np.random.default_rng(6), every(found))
    usable = found.attributes.tolist()
    assert (
        p_value(np.bincount(drawn.attribute, minlength=len(DOMAIN))[usable], np.full(len(usable), 1 / len(usable)))
        > ALARM
    )
    wrong = 0
    for a, chance in chance_of_tests(found).items():
        firsts = drawn.first[drawn.attribute == a]
        assert set(drawn.last[drawn.attribute == a].tolist()) == {len(chance) + 1}
        counts = np.bincount(firsts, minlength=len(chance) + 2)[2:]
        assert p_value(counts, chance) > ALARM
        wrong += p_value(counts, chance[::-1]) < ALARM
        right = drawn.missing_right[drawn.attribute == a]
        if DOMAIN.attributes[a].missing:
            assert p_value(np.bincount(right, minlength=2), np.array([0.5, 0.5])) > ALARM
        else:
            assert not right.any()
    assert wrong >= 3  # the comparison tells shares from others


def test_missing_cells_are_sent_to_a_side_of_their_own_where_they_were_declared() -> None:
    for missing in (False, True):
        domain = Domain({"x": Numeric(0, 1, missing=missing), "c": Categorical(["a", "b"], missing=missing)})
        _, found = make_profile(domain, domain.layout(10), None)
        sides = found.draw(500, np.random.default_rng(0), every(found)).missing_right
        assert sides.any() == missing
        assert not sides.all()


def test_few_attributes_a_tree() -> None:
    layout = DOMAIN.layout(10)
    _, found = make_profile(DOMAIN, layout, None)
    generator = np.random.default_rng(7)
    usable = set(found.attributes.tolist())
    counts = np.zeros(len(DOMAIN), np.int64)
    for limit in (1, 2, 3):
        for _ in range(300):
            drawn = set(found.draw(31, generator, found.some(limit, generator)).attribute.tolist())
            assert len(drawn) <= limit
            assert drawn <= usable
            counts[list(drawn)] += 1
    assert (counts[sorted(usable)] > 0).all()


@pytest.mark.parametrize("limit", [8, 9, 100])
def test_more_attributes_a_tree_than_there_are(limit: int) -> None:
    layout = DOMAIN.layout(10)
    _, found = make_profile(DOMAIN, layout, None)
    candidates = keys(candidate_splits(refine_layout(layout, make_profile(DOMAIN, layout, None)[0])))
    generator = np.random.default_rng(0)
    drawn = found.draw(500, generator, found.some(limit, generator))
    assert keys(drawn) <= candidates
    assert len(set(drawn.attribute.tolist())) > 3


def test_draws_are_those_of_the_generator() -> None:
    _, found = make_profile(DOMAIN, DOMAIN.layout(10), None)
    first, again, other = (found.draw(63, np.random.default_rng(seed), every(found)) for seed in (0, 0, 1))
    assert keys(first) == keys(again)
    assert keys(first) != keys(other)


def test_a_share_that_rounding_leaves_open_goes_to_the_last_test() -> None:
    """Cumulative shares may end below their number: a level beyond them must not run into the next attribute."""
    short = 1.0 - 2.0**-40
    found = profile.TestProfile(
        np.array([3, 5], np.int32),
        np.array([0, 2]),
        np.array([0.25, short, 1.5, 1.0 + short]),
        np.zeros(6, np.bool_),
    )

    class Highest:
        """A generator at the end of its range."""

        def integers(self, n: int, size: int) -> Any:
            return np.arange(size) % n

        def random(self, size: int) -> Any:
            return np.full(size, math.nextafter(1.0, 0.0))

    drawn = found.draw(2, Highest(), every(found))  # type: ignore[arg-type]
    assert keys(drawn) == {(3, 3, 3, False), (5, 3, 3, False)}
