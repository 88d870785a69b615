"""Which attributes the next tree tests: the bandit's bound on a gain, its order, and what it may look at."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest

from privboost import Categorical, Domain, Numeric, PrivateBoostingClassifier
from privboost.ensembles.attribute_choice import DOUBT, FRESH, AttributeChoice, gain_bound
from privboost.trees import profile

pytestmark = pytest.mark.filterwarnings("ignore:'random_state' is set:privboost.errors.PrivacyWarning")

Floats = npt.NDArray[np.float64]


def profile_of(n_attributes: int) -> profile.TestProfile:
    """Return a profile of attributes with one threshold each; the last column cannot part rows, and is not in it."""
    every = np.arange(n_attributes)
    return profile.TestProfile(every.astype(np.int32), every, every + 1.0, np.zeros(n_attributes + 1, np.bool_))


def choice_of(n_attributes: int, per_tree: int = 0, adaptive: bool = True) -> AttributeChoice:
    return AttributeChoice(profile_of(n_attributes), per_tree, adaptive, np.random.default_rng(5))


def sums_with(gain: float, n_leaves: int = 4) -> Floats:
    """Return sums of leaves without noise whose gain, with a curvature of 1 added to each leaf's of 0, is ``gain``."""
    sums = np.zeros((n_leaves, 2))
    sums[0, 0] = math.sqrt(gain)
    return sums


def test_each_attribute_has_a_tree_of_its_own_and_then_several_have_one() -> None:
    choice = choice_of(5)
    seen = []
    for _ in range(6):
        seen.append(choice.next().tolist())
        choice.learn(sums_with(1.0), 0.0, 1.0, 1.0, 0.5)
    assert sorted(map(tuple, seen[:5])) == [(0,), (1,), (2,), (3,), (4,)]
    assert seen[5] == [0, 1, 2, 3, 4]


def test_the_attribute_with_the_largest_gain_left_comes_next() -> None:
    choice, gains = choice_of(3), {0: 16.0, 1: 100.0, 2: 4.0}
    for _ in range(3):
        (a,) = choice.next()
        choice.learn(sums_with(gains[int(a)]), 0.0, 1.0, 1.0, 0.5)
    assert len(choice.next()) == 3
    choice.learn(sums_with(5.0), 0.0, 1.0, 1.0, 0.5)
    # A step of a half leaves a quarter of a gain: 4, 25 and 1, and 5 for all together.
    assert choice.next().tolist() == [1]
    choice.learn(sums_with(8.0), 0.0, 1.0, 1.0, 0.5)
    assert len(choice.next()) == 3
    # The mean of 5 and 1 is below what the first attribute has left.
    choice.learn(sums_with(1.0), 0.0, 1.0, 1.0, 0.5)
    assert FRESH == 0.5
    assert choice.next().tolist() == [0]


def test_a_full_step_leaves_nothing_and_a_longer_one_no_more() -> None:
    for rate in (1.0, 3.0):
        choice = choice_of(2)
        for _ in range(2):
            choice.next()
            choice.learn(sums_with(1e6), 0.0, 1.0, 1.0, rate)
        for _ in range(3):
            assert len(choice.next()) == 2
            choice.learn(sums_with(1e-3), 0.0, 1.0, 1.0, rate)


def test_without_adaptation_nothing_is_learnt() -> None:
    choice = choice_of(4, per_tree=2, adaptive=False)
    twin = np.random.default_rng(5)
    for gain in (1.0, 100.0, 0.0):
        assert choice.next().tolist() == twin.choice(4, size=2).tolist()
        choice.learn(sums_with(gain), 0.0, 1.0, 1.0, 0.5)


def test_a_table_whose_attributes_cannot_part_rows_leads_to_empty_choices() -> None:
    choice = choice_of(0)
    for _ in range(3):
        assert len(choice.next()) == 0
        choice.learn(np.zeros((4, 2)), 1.0, 1.0, 1.0, 0.5)


@pytest.mark.parametrize("n_outputs", [1, 3])
@pytest.mark.parametrize("noise", [0.0, 3.0])
def test_the_bound_is_the_largest_of_the_levels_bounds(n_outputs: int, noise: float) -> None:
    sums = np.random.default_rng(1).normal(scale=20.0, size=(8, n_outputs + 1))
    bounds = []
    for width in (1, 2, 4):
        total = spread = 0.0
        for node in range(8 // width):
            g = [sum(sums[node * width + i, k] for i in range(width)) for k in range(n_outputs + 1)]
            curvature = max(g[-1], 0.0) / 0.3 + 2.0 * math.sqrt(width)
            v = width * noise**2
            total += sum((x * x - v) / curvature for x in g[:-1])
            spread += sum((2 * v * v + 4 * max(x * x - v, 0.0) * v) / curvature**2 for x in g[:-1])
        bounds.append(total - 1.5 * math.sqrt(spread))
    assert gain_bound(sums, noise, 2.0, 0.3, 1.5) == pytest.approx(max(bounds), rel=1e-12)


def test_a_level_of_the_bound_is_unbiased_and_its_spread_is_the_one_stated() -> None:
    """Two leaves have one level. The expected spread is checked where the signal is far above its variance."""
    generator = np.random.default_rng(2)
    truth, noise, curvature = np.array([90.0, -60.0]), 5.0, np.array([40.0, 10.0])
    exact = float((truth**2 / (curvature + 3.0)).sum())
    draws = truth + noise * generator.standard_normal((20_000, 2))
    gains = np.array([gain_bound(np.column_stack([g, curvature]), noise, 3.0, 1.0, 0.0) for g in draws])
    off = np.array([gain_bound(np.column_stack([g, curvature]), noise, 3.0, 1.0, 1.0) for g in draws])
    spread = gains.std()
    assert gains.mean() == pytest.approx(exact, abs=4.5 * spread / math.sqrt(len(gains)))
    assert (gains - off).mean() == pytest.approx(spread, rel=0.03)
    assert DOUBT == 1.0


def test_two_runs_with_the_same_released_sums_have_the_same_structure() -> None:
    """The rows differ, the released sums do not: nothing but these decides which attributes are tested."""
    domain = Domain({"a": Numeric(0, 1), "b": Numeric(0, 1), "c": Categorical(["x", "y"])})
    generator = np.random.default_rng(3)
    models = []
    for _ in range(2):
        n = 400
        X = pd.DataFrame({"a": generator.random(n), "b": generator.random(n), "c": generator.choice(["x", "y"], n)})
        y = generator.integers(0, 2, n)
        model = PrivateBoostingClassifier(
            1e-9,
            domain=domain,
            classes=[0, 1],
            n_rounds=12,
            max_depth=2,
            attribute_choice="adaptive",
            histogram_share=0.0,
            base_share=0.0,
            calibration_share=0.0,
            score_reach=0.0,
            random_state=9,
        )
        models.append(model.fit(X, y))
    # At so small an epsilon the noise of all sums is the same number, to ten digits, whatever the rows.
    first, second = ([t.splits.attribute.tolist() for t in m.ensemble_.trees] for m in models)
    assert first == second
    alone = [t for t in first if len(set(t)) == 1]
    assert len(alone) >= 3
    assert {t[0] for t in first[:3]} == {0, 1, 2}


def test_attributes_that_matter_get_more_trees_than_those_that_do_not() -> None:
    generator = np.random.default_rng(4)
    n = 20_000
    X = pd.DataFrame({f"x{i}": generator.random(n) for i in range(8)})
    y = (X["x2"] + 0.3 * generator.standard_normal(n) > 0.5).astype(int)
    domain = Domain({name: Numeric(0, 1) for name in X})
    common = {"domain": domain, "classes": [0, 1], "n_rounds": 24, "learning_rate": 0.3, "random_state": 1}
    model = PrivateBoostingClassifier(1.0, attribute_choice="adaptive", **common).fit(X, y)
    alone = [set(t.splits.attribute.tolist()) for t in model.ensemble_.trees]
    counts = [sum(tests == {a} for tests in alone) for a in range(8)]
    assert counts[2] == max(counts)
    assert counts[2] >= 5
    drawn = PrivateBoostingClassifier(1.0, attribute_choice="random", **common).fit(X, y)
    test = pd.DataFrame({name: generator.random(5_000) for name in X})
    truth = test["x2"] > 0.5
    assert (model.predict(test) == truth).mean() > (drawn.predict(test) == truth).mean()
