"""Tests, winners, spreads and rates, against other libraries and plain loops."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from scipy import stats
from study_cases import PAPER_PARTS, grid_of, made_up

from privboost.experiments.analysis import Analysis, holm, paired_test, proportion_test, win_rates
from privboost.experiments.grid import Setting


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    """Errors without any pattern, with enough scatter that some duels are significant and some are not."""
    generator = np.random.default_rng(1)
    parts = PAPER_PARTS | {"bdpe": PAPER_PARTS["bdpe"] | {"arms": ("paper", "tight")}}
    grid = grid_of(("a", "b", "c"), parts=parts)
    known: dict[str, float] = {}

    def error(table: str, setting: Setting) -> float:
        return known.setdefault(f"{table}{setting}", float(generator.uniform(0.1, 0.5)))

    return made_up(error, grid, scatter=0.08)


def test_the_test_of_two_proportions_is_the_chi_square_test_of_their_table() -> None:
    a, b, n = np.array([0.2, 0.31, 0.0, 0.5, 0.0, 1.0]), np.array([0.3, 0.3, 0.04, 0.5, 0.0, 1.0]), np.full(6, 100.0)
    p = proportion_test(a, b, n)
    for own, other, found in zip(a[:4], b[:4], p[:4], strict=True):
        wrong = np.round([[own * 100, 100 - own * 100], [other * 100, 100 - other * 100]])
        assert found == pytest.approx(stats.chi2_contingency(wrong, correction=False).pvalue, rel=1e-9)
    assert p[4:].tolist() == [1.0, 1.0]


def test_paired_test_is_student_s() -> None:
    generator = np.random.default_rng(0)
    a, b = generator.random((50, 10)), generator.random((50, 10)) + 0.2
    difference, p = paired_test(a, b)
    assert difference == pytest.approx((a - b).mean(axis=1))
    assert p == pytest.approx(stats.ttest_rel(a, b, axis=1).pvalue, rel=1e-7)


def test_paired_test_of_constant_differences() -> None:
    a = np.array([[0.1, 0.2, 0.3], [0.1, 0.2, 0.3]])
    difference, p = paired_test(a, a - [[0.0] * 3, [0.05] * 3])
    assert difference == pytest.approx([0.0, 0.05])
    assert p.tolist() == [1.0, 0.0]


def holm_by_definition(p: Any, level: float) -> Any:
    """Holm's procedure as it is stated: step down from the smallest, stop at the first that is not below its bound."""
    rejected = np.zeros(len(p), bool)
    for k, i in enumerate(np.argsort(p, kind="stable")):
        if not p[i] < level / (len(p) - k):
            break
        rejected[i] = True
    return rejected


def test_holm_by_definition() -> None:
    generator = np.random.default_rng(0)
    for _ in range(200):
        p = generator.random(generator.integers(1, 12)) ** 4
        for level in (0.01, 0.05, 0.3):
            assert ((holm(p) < level) == holm_by_definition(p, level)).all()
    assert holm(np.array([])).tolist() == []
    assert holm(np.array([0.01, 0.04, 0.03])) == pytest.approx([0.03, 0.06, 0.06])


def rows_of(analysis: Analysis) -> list[dict[str, Any]]:
    frame, errors = analysis.runs.frame, analysis.runs.errors
    return [row | {"folds": errors[i]} for i, row in enumerate(frame.to_dict("records"))]


def test_duels_by_loops(analysis: Analysis) -> None:
    rows = rows_of(analysis)
    ours = [r for r in rows if r["learner"] == "bdpe" and np.isfinite(r["epsilon"]) and r["bins"] == 10]
    theirs = [r for r in rows if r["learner"].startswith("RF") and r["bins"] == 10]
    duels = analysis.duels
    found = {
        (d.domain, d.arm, d.alpha, d.epsilon, d.T, d.depth, d.share, d.rival): (d.difference, d.p)
        for d in duels.itertuples()
    }
    expected = {}
    for a, b in itertools.product(ours, theirs):
        if all(a[key] == b[key] for key in ("domain", "epsilon", "depth")):
            key = (*(a[k] for k in ("domain", "arm", "alpha", "epsilon", "T", "depth", "share")), b["learner"])
            test = stats.ttest_rel(a["folds"], b["folds"])
            expected[key] = (float(np.mean(a["folds"] - b["folds"])), float(test.pvalue))
    assert len(found) == len(duels) == len(expected) == len(ours) * 2
    assert set(found) == set(expected)
    for key, pair in expected.items():
        assert found[key] == pytest.approx(pair, rel=1e-6, abs=1e-9)
    for _, family in duels.groupby(["arm", "alpha", "T", "rival"]):
        assert ((family["p_holm"] < 0.01) == holm_by_definition(family["p"].to_numpy(), 0.01)).all()


@pytest.mark.parametrize("p", ["p", "p_holm"])
def test_win_rates_by_loops(analysis: Analysis, p: str) -> None:
    duels = analysis.duels
    rates = win_rates(duels, ["arm", "alpha", "rival"], p)
    assert len(rates) == 2 * 3 * 2
    for rate in rates.itertuples():
        own = [
            d
            for d in duels.to_dict("records")
            if (d["arm"], d["alpha"], d["rival"]) == (rate.arm, rate.alpha, rate.rival)
        ]
        wins = sum(d[p] < 0.01 and d["difference"] < 0 for d in own)
        losses = sum(d[p] < 0.01 and d["difference"] > 0 for d in own)
        assert (rate.n, rate.wins, rate.losses) == (len(own), wins, losses)
        assert rate.even_rate == pytest.approx(1 - (wins + losses) / len(own))
        if wins + losses:
            assert rate.win_rate == pytest.approx(wins / (wins + losses))
        else:
            assert np.isnan(rate.win_rate)
    assert 0 < rates["wins"].sum() < rates["n"].sum() - rates["losses"].sum()


def test_winners_by_loops(analysis: Analysis) -> None:
    rows = [r for r in rows_of(analysis) if r["learner"] == "bdpe" and r["bins"] == 10]
    for arm in ("paper", "tight"):
        winners = analysis.winners(arm)
        assert len(winners) == 2 * 3
        for epsilon in (0.01, 25.0):
            best = {
                (table, alpha): min(
                    r["error"]
                    for r in rows
                    if (r["arm"], r["epsilon"], r["domain"], r["alpha"]) == (arm, epsilon, table, alpha)
                )
                for table in "abc"
                for alpha in ("0.1", "1", "O.C")
            }
            own = winners[winners["epsilon"] == epsilon].set_index("alpha")
            for alpha in ("0.1", "1", "O.C"):
                won = sum(best[table, alpha] == min(best[table, a] for a in ("0.1", "1", "O.C")) for table in "abc")
                assert own.loc[alpha, "won"] == won
                assert own.loc[alpha, "error"] == pytest.approx(np.mean([best[table, alpha] for table in "abc"]))
            assert own["won"].sum() == 3


def test_winners_that_tie_divide_the_table() -> None:
    winners = made_up(lambda table, s: 0.3 if s.alpha == "0.1" else 0.2, scatter=0.0).winners("paper")
    assert winners.set_index(["epsilon", "alpha"])["won"].to_dict() == {
        (e, a): {"0.1": 0.0, "1": 2.0, "O.C": 2.0}[a] for e in (0.01, 25.0) for a in ("0.1", "1", "O.C")
    }


def test_spreads_and_regimes_by_loops(analysis: Analysis) -> None:
    rows = [r for r in rows_of(analysis) if r["learner"] == "bdpe" and r["bins"] == 10 and r["arm"] == "tight"]
    spreads = analysis.spreads("tight").set_index(["domain", "epsilon"])
    assert len(spreads) == 6
    for table, epsilon in spreads.index:
        own = [r for r in rows if (r["domain"], r["epsilon"]) == (table, epsilon)]
        shares = [min((r for r in own if r["share"] == s), key=lambda r: r["error"]) for s in (0.1, 0.9)]
        low, high = sorted(shares, key=lambda r: r["error"])
        assert spreads.loc[(table, epsilon), "share"] == pytest.approx(high["error"] - low["error"])
        p = stats.ttest_rel(high["folds"], low["folds"]).pvalue
        assert spreads.loc[(table, epsilon), "p"] == pytest.approx(p, rel=1e-6)
        sizes = [
            min(r["error"] for r in own if (r["T"], r["depth"]) == size) for size in itertools.product((2, 20), (1, 3))
        ]
        assert spreads.loc[(table, epsilon), "size"] == pytest.approx(max(sizes) - min(sizes))
    for regime in analysis.regimes("tight").itertuples():
        mean = {
            size: np.mean(
                [
                    min(
                        r["error"]
                        for r in rows
                        if (r["domain"], r["epsilon"], r["T"], r["depth"]) == (regime.domain, e, *size)
                    )
                    for e in (0.01, 25.0)
                ]
            )
            for size in itertools.product((2, 20), (1, 3))
        }
        assert (regime.T, regime.depth) == min(mean, key=lambda size: mean[size])
        assert regime.error == pytest.approx(min(mean.values()))


def test_bin_gains_by_loops(analysis: Analysis) -> None:
    rows = [r for r in rows_of(analysis) if r["learner"] == "bdpe" and r["arm"] == "paper"]
    gains = analysis.bin_gains("paper")
    assert len(gains) == 3 * 4
    for gain in gains.itertuples():
        own = [r for r in rows if r["domain"] == gain.domain and gain.alpha in ("any", r["alpha"])]
        coarse, fine = (min((r for r in own if r["bins"] == b), key=lambda r: r["error"]) for b in (10, 50))
        assert (gain.coarse, gain.fine) == pytest.approx((coarse["error"], fine["error"]))
        assert gain.gain == pytest.approx(coarse["error"] - fine["error"])
        assert gain.p == pytest.approx(stats.ttest_rel(coarse["folds"], fine["folds"]).pvalue, rel=1e-6)
    one = made_up(lambda table, s: 0.2, grid_of(bins=(10,)))
    assert len(one.bin_gains("paper")) == 0
