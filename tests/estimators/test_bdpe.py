"""The paper's learner: its preset, its budget, what it records, and what it refuses."""

from __future__ import annotations

import itertools
import json
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from privboost import BDPEClassifier, Domain, Numeric
from privboost.errors import ParameterError
from privboost.estimators.bdpe import PAPER_CHOICES, TIGHT_CHOICES

pytestmark = pytest.mark.filterwarnings("ignore:'random_state' is set:privboost.errors.PrivacyWarning")

DOMAIN = Domain({"a": Numeric(0, 1), "b": Numeric(0, 1)})


def table(n_rows: int = 300, n_classes: int = 2, noise: float = 0.1) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.random((n_rows, 2))
    y = np.minimum((X[:, 0] * n_classes).astype(int), n_classes - 1)
    return X, np.where(rng.random(n_rows) < noise, rng.integers(0, n_classes, n_rows), y)


def make(**parameters: Any) -> BDPEClassifier:
    given = {"n_trees": 3, "max_depth": 2, "domain": DOMAIN, "classes": [0, 1], "random_state": 0, **parameters}
    return BDPEClassifier(**given)


class TestPaperPreset:
    def test_is_its_choices_written_out(self):
        X, y = table()
        preset, written = make(preset="paper").fit(X, y), make(**PAPER_CHOICES).fit(X, y)
        assert preset.plan_ == written.plan_
        np.testing.assert_array_equal(preset.decision_function(X), written.decision_function(X))
        assert PAPER_CHOICES == {
            "composition": "sequential",
            "selection": "exponential",
            "sensitivity": "paper",
            "weight_bound": "unit",
            "leaf_smoothing": 0.0,
            "calibration_gap": 1.0,
        }

    def test_is_not_the_default(self):
        X, y = table()
        settings = make().fit(X, y).plan_.settings
        for name, choice in PAPER_CHOICES.items():
            assert getattr(settings, name) != choice

    def test_divides_a_level_among_its_nodes_and_selects_by_the_exponential_mechanism(self):
        X, y = table()
        model = make(preset="paper", max_depth=3, n_trees=2, split_share=0.25, epsilon=0.5).fit(X, y)
        splits = [e for e in model.privacy_.releases if e.label.endswith("splits")]
        assert {(e.mechanism, e.composition) for e in splits} == {("exponential", "sequential")}
        # Of a tree's 1/4, a quarter goes to three levels; a level of k nodes gives each 1/k of its part.
        for event, nodes in zip(splits[:3], (1, 2, 4), strict=True):
            assert event.count == nodes
            assert event.epsilon == pytest.approx(0.25 * 0.25 / 3 / nodes, rel=1e-12)

    def test_takes_rows_to_weigh_up_to_one(self):
        X, y = table()
        assert set(make(preset="paper").fit(X, y).plan_.weight_bounds) == {1.0}

    def test_needs_more_noise_than_the_default(self):
        X, y = table()
        paper, tight = (make(preset=p, alpha=1.0).fit(X, y).privacy_.releases for p in ("paper", None))
        for one, other in zip(paper, tight, strict=True):
            assert one.scale >= other.scale
        assert sum(one.scale for one in paper) > 1.5 * sum(other.scale for other in tight)

    def test_leaves_the_parameters_as_they_were_given(self):
        model = make(preset="paper").fit(*table())
        assert model.get_params()["composition"] is None
        assert model.plan_.settings.composition == "sequential"

    @pytest.mark.parametrize("preset", [None, "paper"])
    @pytest.mark.parametrize(
        ("name", "value"),
        [(name, TIGHT_CHOICES[name]) for name in TIGHT_CHOICES]
        + [(name, PAPER_CHOICES[name]) for name in PAPER_CHOICES]
        + [("leaf_smoothing", 2), ("calibration_gap", 3)],
    )
    def test_a_parameter_that_is_given_keeps_its_value(self, preset, name, value):
        model = make(preset=preset, **{name: value}).fit(*table())
        rest = PAPER_CHOICES if preset == "paper" else TIGHT_CHOICES
        for other, choice in rest.items():
            assert getattr(model.plan_.settings, other) == (value if other == name else choice)

    @pytest.mark.parametrize("name", sorted(PAPER_CHOICES))
    def test_accepts_its_own_choices_written_beside_it(self, name):
        X, y = table()
        model = make(preset="paper", **{name: PAPER_CHOICES[name]}).fit(X, y)
        np.testing.assert_array_equal(model.predict_proba(X), make(preset="paper").fit(X, y).predict_proba(X))

    def test_leaves_everything_else_free(self):
        model = make(preset="paper", alpha=0.3, leaf_clip=2.0, split_share=0.9).fit(*table())
        assert model.plan_.settings.alpha == 0.3
        assert model.plan_.settings.leaf_clip == 2.0


class TestExactLeverage:
    def test_is_refused_for_a_private_model(self):
        with pytest.raises(ParameterError, match=r"'leverage'.*covered by no mechanism.*random_state"):
            make(leverage="exact", random_state=None).fit(*table())

    def test_changes_a_simulation_only_in_the_weights_of_the_trees(self):
        X, y = table()
        exact, released = (make(leverage=lev, n_trees=1).fit(X, y) for lev in ("exact", "released"))
        assert not exact.is_private_
        np.testing.assert_array_equal(exact.ensemble_.trees[0].values, released.ensemble_.trees[0].values)
        assert exact.ensemble_.weights[0] != released.ensemble_.weights[0]

    def test_is_the_same_where_nothing_is_noisy(self):
        X, y = table()
        models = [make(leverage=lev, privacy=None).fit(X, y) for lev in ("exact", "released")]
        np.testing.assert_array_equal(models[0].ensemble_.weights, models[1].ensemble_.weights)

    def test_the_statement_does_not_promise_a_guarantee_for_another_seed(self):
        statement = make(leverage="exact").fit(*table()).privacy_
        text = f"{statement} {statement.summary()}"
        assert "NOT PRIVATE" in text
        assert "random_state=None" not in text
        assert "would be ε-differentially private" not in text


class TestManyClasses:
    @pytest.mark.parametrize("n_classes", [3, 5])
    def test_each_class_gets_an_equal_part_and_the_statement_says_so(self, n_classes):
        X, y = table(n_classes=n_classes)
        model = make(classes=range(n_classes), epsilon=0.9).fit(X, y)
        plan = model.plan_
        assert plan.n_outputs == n_classes
        assert len(plan.trees) == 3 * n_classes
        total = sum((r.cost for r in plan.releases), Fraction(0))
        assert total == Fraction(0.9)
        for k in range(n_classes):
            planned = [r for r in plan.releases if r.label.startswith(f"class {k + 1} against the rest/")]
            assert sum((r.cost for r in planned), Fraction(0)) == Fraction(0.9) / n_classes
            spent = [e for e in model.privacy_.releases if e.label.startswith(f"class {k + 1} against the rest/")]
            assert sum((e.cost for e in spent), Fraction(0)) <= Fraction(0.9) / n_classes
            assert len(spent) == len(planned) == 3 * 3
        (note,) = model.privacy_.notes
        assert str(n_classes) in note
        assert f"{0.9 / n_classes:.4g}" in note
        assert note in str(model.privacy_)

    def test_two_classes_divide_nothing(self):
        model = make().fit(*table())
        assert model.privacy_.notes == ()
        assert model.plan_.n_outputs == 1

    def test_each_output_learns_its_class_against_the_rest(self):
        X, y = table(n_classes=3, noise=0.0)
        many = make(classes=[0, 1, 2], privacy=None).fit(X, y)
        for k in range(3):
            one = make(classes=[0, 1], privacy=None).fit(X, (y == k).astype(int))
            np.testing.assert_array_equal(many.decision_function(X)[:, k], one.decision_function(X))

    def test_noise_of_one_output_is_not_that_of_another(self):
        X, y = table()
        model = make(classes=[0, 1, 2], epsilon=0.01).fit(X, y * 0 + 9)
        values = [t.values.tobytes() for t in model.ensemble_.trees]
        assert len(set(values)) == len(values)


class TestAlpha:
    def test_a_number_is_used_at_every_node(self):
        model = make(alpha=0.25).fit(*table())
        assert model.plan_.alphas == ((0.25, 0.25),) * 3
        assert {alpha for _, alpha in model.privacy_.alphas} == {0.25}

    @pytest.mark.parametrize(("gap", "epsilon"), [(0.1, 30.0), (1.0, 3.0)])
    def test_calibration_takes_what_the_budget_affords_at_each_depth(self, gap, epsilon):
        """Recomputed here: alpha = (eps gap W / ln(d / 0.1) - D0) / (D1 - D0), clipped to [0, 1].

        D0 = 2 w and D1 = 2 w sqrt(m - 1) bound what a row of weight w can change, W = w m / 2^depth is the weight that
        a node of the depth is expected to hold, and d the number of candidates.
        """
        X, y = table(2000)
        model = make(epsilon=epsilon, max_depth=3, calibration_gap=gap).fit(X, y)
        plan, m = model.plan_, 2000
        assert plan.n_candidates == 18
        seen = []
        for t, alphas in enumerate(plan.alphas):
            w = plan.weight_bounds[t]
            for depth, alpha in enumerate(alphas):
                part = epsilon / 3 * 0.5 / 3  # of the tree, of its splits, of the level
                afforded = part * gap * (w * m / 2**depth) / math.log(plan.n_candidates / 0.1)
                low, high = 2 * w, 2 * w * math.sqrt(m - 1)
                expected = min(max((afforded - low) / (high - low), 0.0), 1.0)
                assert alpha == pytest.approx(expected, rel=1e-9)
                seen.append(alpha)
        assert len({a for a in seen if 0 < a < 1}) >= 3  # not clipped everywhere

    def test_alpha_falls_with_the_budget_and_with_depth(self):
        X, y = table(2000)
        plans = [make(epsilon=e, max_depth=4).fit(X, y).plan_ for e in (0.01, 1.0, 10.0, 1000.0)]
        first = [plan.alphas[0] for plan in plans]
        assert first[0] == (0.0,) * 4
        assert first[-1] == (1.0,) * 4
        for poor, rich in itertools.pairwise(first):
            assert all(a <= b for a, b in zip(poor, rich, strict=True))
        for alphas in first:
            assert list(alphas) == sorted(alphas, reverse=True)

    def test_is_recorded_in_plan_statement_and_file(self, tmp_path):
        model = make().fit(*table())
        labels = [r.label for r in model.plan_.releases if r.label.endswith("splits")]
        flat = [a for alphas in model.plan_.alphas for a in alphas]
        assert model.privacy_.alphas == tuple(zip(labels, flat, strict=True))
        assert "Loss parameter α" in str(model.privacy_)
        model.save(tmp_path / "m.json")
        written = json.loads((tmp_path / "m.json").read_text())
        assert [a for _, a in written["statement"]["alphas"]] == flat
        assert written["plan"]["alphas"] == [list(a) for a in model.plan_.alphas]

    def test_without_privacy_calibration_gives_the_best_rate(self):
        model = make(privacy=None).fit(*table())
        assert model.plan_.alphas == ((1.0, 1.0),) * 3

    @pytest.mark.parametrize(
        ("alpha", "combination_alpha", "expected"),
        [("calibrated", None, 1.0), (0.3, None, 0.3), (0, None, 1.0), (1, None, 1.0), (0.3, 0.7, 0.7), (0, 0.2, 0.2)],
    )
    def test_alpha_of_the_combination(self, alpha, combination_alpha, expected):
        model = make(alpha=alpha, combination_alpha=combination_alpha).fit(*table())
        assert model.plan_.settings.combination_alpha == expected
        assert model.ensemble_.alpha == expected

    def test_probabilities_of_a_small_alpha_tell_rows_apart_as_its_margins_do(self):
        X, y = table(noise=0.0)
        model = make(alpha=0.1, privacy=None).fit(X, y)
        assert model.score(X, y) > 0.95
        np.testing.assert_array_equal(model.predict_proba(X).argmax(axis=1), model.predict(X))
        assert len(np.unique(model.predict_proba(X))) > 1


class TestBudget:
    @pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
    @pytest.mark.parametrize("preset", [None, "paper"])
    def test_is_divided_as_asked(self, share, preset):
        model = make(split_share=share, preset=preset).fit(*table())
        split = model.privacy_.budget_split()
        assert split["splits"] == pytest.approx(share, rel=1e-9)
        assert split["leaves"] == pytest.approx(1 - share, rel=1e-9)
        costs = [sum(e.cost for e in model.privacy_.releases if e.label.startswith(f"tree {t}/")) for t in (1, 2, 3)]
        np.testing.assert_allclose([float(c) for c in costs], 1 / 3, rtol=1e-9)

    def test_weight_bounds_follow_from_released_trees_alone(self):
        """w = (1 + t / hypot(2 alpha, t)) / 2, t what the largest score of the trees so far exceeds 2(1 - alpha) by."""
        X, y = table()
        for alpha in (1.0, 0.4):
            model = make(n_trees=12, epsilon=30.0, leaf_clip=2.0, alpha=alpha).fit(X, y)
            bounds, score = model.plan_.weight_bounds, 0.0
            for tree, weight, bound in zip(model.ensemble_.trees, model.ensemble_.weights, bounds, strict=True):
                t = max(score - 2 * (1 - alpha), 0.0)
                exact = 0.5 * (1 + t / math.hypot(2 * alpha, t))
                assert exact - 1e-12 <= bound <= exact + 2.0**-16 + 1e-12
                score += abs(weight) * np.abs(tree.values).max()
            assert bounds[0] == 0.5
            assert list(bounds) == sorted(bounds)

    def test_noise_follows_the_weight_bound(self):
        model = make(n_trees=12, epsilon=30.0).fit(*table())
        leaves = [e for e in model.privacy_.releases if e.label.endswith("leaves")]
        assert [e.sensitivity for e in leaves] == [round(b * 2**16) for b in model.plan_.weight_bounds]


class TestCombination:
    def test_first_tree_by_hand_without_noise(self):
        """One split, two leaves: p -> link -> clip -> weight of the tree -> margin, each by its formula."""
        X = np.array([[0.1, 0.5]] * 8 + [[0.9, 0.5]] * 4)
        y = np.array([0] * 6 + [1] * 2 + [1] * 3 + [0])
        model = make(n_trees=1, max_depth=1, privacy=None, leaf_smoothing=0, leaf_clip=3.0).fit(X, y)
        p = np.array([2 / 8, 3 / 4])
        h = np.clip((2 * p - 1) / np.sqrt(p * (1 - p)), -3, 3)  # link of Matsushita's loss
        edge = ((2 - 6) * h[0] + (3 - 1) * h[1]) / 12  # weights 1/2 cancel
        beta = 1.0 / 3.0**2 * 0.5 * edge
        np.testing.assert_allclose(model.ensemble_.trees[0].values.ravel(), h, rtol=1e-12)
        assert model.ensemble_.weights[0] == pytest.approx(beta, rel=1e-12)
        margin = beta * h
        np.testing.assert_allclose(model.decision_function([[0.1, 0.5], [0.9, 0.5]]), margin, rtol=1e-12)
        probability = 0.5 * (1 + margin / np.sqrt(4 + margin**2))
        np.testing.assert_allclose(model.predict_proba([[0.1, 0.5], [0.9, 0.5]])[:, 1], probability, rtol=1e-12)

    def test_step_of_the_first_tree_is_proportional_to_the_scale(self):
        X, y = table()
        weights = [make(leverage_scale=s).fit(X, y).ensemble_.weights[0] for s in (0.5, 1.0, 1.5)]
        np.testing.assert_allclose(np.divide(weights, weights[0]), [1, 2, 3], rtol=1e-12)

    @pytest.mark.parametrize("clip", [0.1, 1.0, 100.0])
    def test_leaves_are_clipped(self, clip):
        model = make(leaf_clip=clip, epsilon=100.0, leaf_smoothing=0).fit(*table())
        assert max(np.abs(t.values).max() for t in model.ensemble_.trees) <= clip

    def test_smoothing_draws_leaves_to_one_half(self):
        X, y = table()
        sizes = [np.abs(make(leaf_smoothing=k).fit(X, y).ensemble_.trees[0].values).max() for k in (0.5, 1, 10, 1e6)]
        assert sizes == sorted(sizes, reverse=True)
        assert sizes[-1] < 1e-2

    def test_more_budget_is_more_accurate(self):
        X, y = table(noise=0.0)
        scores = [
            np.mean([make(epsilon=e, random_state=s).fit(X, y).score(X, y) for s in range(8)]) for e in (1e-3, 100)
        ]
        assert scores[0] < 0.75
        assert scores[1] > 0.9

    def test_more_trees_fit_better_without_noise(self):
        X, y = table(noise=0.0)
        X = X.copy()
        y = ((X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)).astype(int)
        scores = [make(n_trees=t, max_depth=2, privacy=None, leaf_clip=2.0).fit(X, y).score(X, y) for t in (1, 30)]
        assert scores[1] > scores[0]
