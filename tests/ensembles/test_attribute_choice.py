"""Which attributes the next tree tests: the bandit's bound on a gain, its order, and what it may look at."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest

from privboost import Categorical, Domain, Numeric, PrivateBoostingClassifier
from privboost.ensembles.attribute_choice import DOUBT, FRESH, AttributeChoice, gain_estimate, gain_left
from privboost.sources.local import GRID
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
    """Return sums of leaves without noise whose gain, with a curvature of 1 added to that of each leaf, is ``gain``."""
    sums = np.zeros((n_leaves, 2))
    sums[0] = 2.0 * math.sqrt(gain), 3.0
    return sums


def learn(choice: AttributeChoice, gain: float, rate: float = 2.0 / 3.0, taken: float = 1.0) -> None:
    """Let a choice learn of a tree without noise; the default step leaves half of the gradient, since H A = G / 2."""
    sums = sums_with(gain)
    proposed = rate * sums[:, :1] / (sums[:, 1:] + 1.0)
    choice.learn(sums, proposed, taken * proposed, 0.0, 1.0, 1.0)


def test_each_attribute_has_a_tree_of_its_own_and_then_several_have_one() -> None:
    choice = choice_of(5)
    seen = []
    for _ in range(6):
        seen.append(choice.next().tolist())
        learn(choice, 1.0)
    assert sorted(map(tuple, seen[:5])) == [(0,), (1,), (2,), (3,), (4,)]
    assert seen[5] == [0, 1, 2, 3, 4]


def test_the_attribute_with_the_largest_gain_left_comes_next() -> None:
    choice, gains = choice_of(3), {0: 16.0, 1: 100.0, 2: 4.0}
    for _ in range(3):
        (a,) = choice.next()
        learn(choice, gains[int(a)])
    assert len(choice.next()) == 3
    learn(choice, 5.0)
    # A step that leaves half of a gradient leaves a quarter of the gain: 4, 25 and 1, and 5 for all together.
    assert choice.next().tolist() == [1]
    learn(choice, 8.0)
    assert len(choice.next()) == 3
    # The mean of 5 and 1 is below what the first attribute has left.
    learn(choice, 1.0)
    assert FRESH == 0.5
    assert choice.next().tolist() == [0]


@pytest.mark.parametrize("rate", [4.0 / 3.0, 3.0])
def test_a_step_that_leaves_nothing_is_not_made_again(rate: float) -> None:
    choice = choice_of(2)
    for _ in range(2):
        choice.next()
        learn(choice, 1e6, rate)
    for gain in (1e-3, 0.0, 1e-3):
        assert len(choice.next()) == 2
        learn(choice, gain, rate)


def test_no_attribute_is_tested_alone_because_all_are_worse_than_nothing() -> None:
    """Noise makes gains negative: such ones are no reason for a tree, whatever all attributes together promise."""
    choice = choice_of(3)
    noise, nothing = np.zeros((4, 2)), np.zeros((4, 1))
    for _ in range(3):
        assert len(choice.next()) == 1
        choice.learn(noise, nothing, nothing, 5.0, 1.0, 1.0)
    for _ in range(5):
        assert len(choice.next()) == 3
        choice.learn(noise, nothing, nothing, 50.0, 1.0, 1.0)


def test_what_constraints_keep_from_being_taken_is_not_left() -> None:
    choice = choice_of(2)
    for gain, taken in ((100.0, 0.0), (1.0, 1.0)):
        choice.next()
        learn(choice, gain, taken=taken)
    choice.next()
    learn(choice, 0.1)
    assert len(choice.next()) == 1
    assert choice._gains.argmax() != int(choice._gains[:2].argmin())


def test_doubt_is_taken_off_single_attributes_only() -> None:
    choice = choice_of(1)
    sums = np.array([[30.0, 8.0], [-20.0, 8.0]])
    step = np.full((2, 1), 1e-9)
    for doubt in (DOUBT, 0.0):
        choice.next()
        choice.learn(sums, step * sums[:, :1], step * sums[:, :1], 9.0, 2.0, 1.0)
        expected = gain_estimate(sums, 9.0, 2.0, 1.0, doubt)
        assert choice._gains[choice._arm] == pytest.approx(expected, rel=1e-6)
    assert DOUBT > 0.0
    assert choice._gains[0] < choice._gains[1]


def test_the_part_left_is_that_of_the_next_step_like_it() -> None:
    """Against steps that are made one after the other, on gradients that follow them."""
    generator = np.random.default_rng(6)
    gradient, curvature = generator.normal(scale=30.0, size=(8, 1)), generator.uniform(5.0, 50.0, (8, 1))
    sums = np.hstack([gradient, 0.3 * curvature])
    step = 0.8 * gradient / (curvature + 10.0)
    after = gradient - curvature * step
    second = 0.8 * after / (curvature + 10.0)
    expected = float((second * after).sum() / (step * gradient).sum())
    assert gain_left(sums, step, step, 0.3) == pytest.approx(expected, rel=1e-12)
    assert gain_left(sums, step, 0.0 * step, 0.3) == 0.0
    assert gain_left(0.0 * sums, 0.0 * step, 0.0 * step, 0.3) == 0.0


def test_without_adaptation_nothing_is_learnt() -> None:
    choice = choice_of(4, per_tree=2, adaptive=False)
    twin = np.random.default_rng(5)
    for gain in (1.0, 100.0, 0.0):
        assert choice.next().tolist() == twin.choice(4, size=2).tolist()
        learn(choice, gain)


def test_a_table_whose_attributes_cannot_part_rows_leads_to_empty_choices() -> None:
    choice = choice_of(0)
    for _ in range(3):
        assert len(choice.next()) == 0
        choice.learn(np.zeros((4, 2)), np.zeros((4, 1)), np.zeros((4, 1)), 1.0, 1.0, 1.0)


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
    assert gain_estimate(sums, noise, 2.0, 0.3, 1.5) == pytest.approx(max(bounds), rel=1e-12)


def test_a_level_of_the_bound_is_unbiased_and_its_spread_is_the_one_stated() -> None:
    """Two leaves have one level. The expected spread is checked where the signal is far above its variance."""
    generator = np.random.default_rng(2)
    truth, noise, curvature = np.array([90.0, -60.0]), 5.0, np.array([40.0, 10.0])
    exact = float((truth**2 / (curvature + 3.0)).sum())
    draws = truth + noise * generator.standard_normal((20_000, 2))
    gains = np.array([gain_estimate(np.column_stack([g, curvature]), noise, 3.0, 1.0, 0.0) for g in draws])
    off = np.array([gain_estimate(np.column_stack([g, curvature]), noise, 3.0, 1.0, 1.0) for g in draws])
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


def test_a_fit_hands_over_what_was_released_and_what_was_added(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[object, ...]] = []
    monkeypatch.setattr(AttributeChoice, "learn", lambda self, *args: told.append(args))
    generator = np.random.default_rng(7)
    X = pd.DataFrame({"a": generator.random(300), "b": generator.random(300)})
    domain = Domain({"a": Numeric(0, 1), "b": Numeric(0, 1)})
    model = PrivateBoostingClassifier(
        2.0,
        domain=domain,
        classes=[0, 1],
        attribute_choice="adaptive",
        n_rounds=5,
        max_depth=2,
        shrinkage=3.0,
        learning_rate=0.25,
        calibration_share=0.0,
        monotonic_cst={"a": 1},
        random_state=3,
    ).fit(X, (X["a"] < 0.5).astype(int))
    plan, leaves = model.plan_, [e for e in model.privacy_.releases if e.label.endswith("leaves")]
    assert len(told) == len(leaves) == 5
    for (sums, proposed, added, noise, pseudo, kappa), event, tree in zip(
        told, leaves, model.ensemble_.trees, strict=True
    ):
        assert noise == pytest.approx(math.sqrt(2.0) * event.scale / GRID, rel=1e-12)
        assert kappa == plan.settings.kappa
        assert pseudo == pytest.approx(3.0 * noise / kappa, rel=1e-12)
        np.testing.assert_allclose(added, tree.values, rtol=1e-12)
        curvature = np.maximum(sums[:, -1:], 0.0) / kappa + pseudo
        np.testing.assert_allclose(proposed, 0.25 * np.clip(sums[:, :-1] / curvature, -1.0, 1.0), rtol=1e-12)
    assert any(not np.array_equal(args[1], args[2]) for args in told)
