"""Newton boosting over random trees: settings, budgets with and without delta, weights, directions, many classes."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from privboost import (
    Boolean,
    Categorical,
    Domain,
    Numeric,
    Ordinal,
    PrivateBoostingClassifier,
    PrivateBoostingRegressor,
)
from privboost.errors import ParameterError, ParameterTypeError, PlanError, PrivacyWarning
from privboost.privacy.verify import verify_statement
from privboost.sources.local import GRID

pytestmark = pytest.mark.filterwarnings("ignore:'random_state' is set:privboost.errors.PrivacyWarning")

DOMAIN = Domain(
    {
        "a": Numeric(0, 1),
        "b": Numeric(0, 1, missing=True),
        "c": Categorical(["x", "y", "z"], missing=True),
        "size": Ordinal(["S", "M", "L"]),
        "flag": Boolean(),
    }
)
SMALL = {
    "n_rounds": 3,
    "trees_per_round": 2,
    "max_depth": 2,
    "learning_rate": 0.5,
    "shrinkage": 2.0,
    "score_reach": 10.0,
    "histogram_share": 0.1,
    "base_share": 0.1,
    "attribute_choice": "random",
    "attributes_per_tree": 0,
}
GAUSSIAN = {"mechanism": "gaussian", "delta": 1e-6}


def table(n_rows: int = 200, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "a": rng.random(n_rows),
            "b": np.where(rng.random(n_rows) < 0.1, np.nan, rng.random(n_rows)),
            "c": rng.choice(["x", "y", "z", "unheard of"], n_rows),
            "size": rng.choice(["S", "M", "L"], n_rows),
            "flag": rng.random(n_rows) < 0.5,
        }
    )


def labels(X: pd.DataFrame, n_classes: int = 2) -> np.ndarray:
    return np.minimum((X["a"].to_numpy() * n_classes).astype(int), n_classes - 1)


def classifier(**parameters: Any) -> PrivateBoostingClassifier:
    facts = {"domain": DOMAIN, "classes": [0, 1], "random_state": 0, "calibration_share": 0.0}
    return PrivateBoostingClassifier(**{"mechanism": "laplace", **SMALL, **facts, **parameters})


def regressor(**parameters: Any) -> PrivateBoostingRegressor:
    given = {"mechanism": "laplace", **SMALL, "domain": DOMAIN, "target_range": (1, 3), "random_state": 0, **parameters}
    return PrivateBoostingRegressor(**given)


MAKERS = {"classifier": (classifier, labels), "regressor": (regressor, lambda X: 1 + 2 * X["a"].to_numpy())}
both = pytest.mark.parametrize(("make", "target"), MAKERS.values(), ids=MAKERS)


def answers(model: Any, X: Any) -> np.ndarray:
    return model.predict_proba(X) if hasattr(model, "predict_proba") else model.predict(X)


class TestSettings:
    @both
    @pytest.mark.parametrize(
        ("parameter", "value", "expected"),
        [
            ("n_rounds", 0, "an integer from 1 to 10000"),
            ("n_rounds", 2.0, "an integer from 1 to 10000"),
            ("trees_per_round", 10_001, "an integer from 1 to 10000"),
            ("trees_per_round", True, "an integer from 1 to 10000"),
            ("max_depth", 17, "an integer from 1 to 16"),
            ("max_depth", None, "an integer from 1 to 16"),
            ("learning_rate", 0.0, "from 1e-09 to 10"),
            ("learning_rate", np.inf, "from 1e-09 to 10"),
            ("shrinkage", -1.0, "from 0.001 to 1000"),
            ("shrinkage", np.nan, "from 0.001 to 1000"),
            ("score_reach", -0.1, "from 0 to 100"),
            ("score_reach", 101, "from 0 to 100"),
            ("histogram_share", 1.0, "0 or more and below 1"),
            ("base_share", -0.1, "0 or more and below 1"),
            ("base_share", "none", "0 or more and below 1"),
            ("attribute_choice", "best", "one of 'random', 'adaptive'"),
            ("attributes_per_tree", -1, "an integer from 0 to 10000"),
            ("mechanism", "exponential", "one of 'laplace', 'gaussian'"),
            ("max_sample_weight", 0.0, "a finite number above 0"),
            ("max_sample_weight", "1", "a finite number above 0"),
            ("n_bins", 255, "an integer from 2 to 254"),
            ("privacy", "pure", "one of 'dp', None"),
            ("delta", 1.0, "a number of 0 or more and below 1"),
            ("monotonic_cst", [1, 0], "a mapping of attribute names to 1"),
            ("monotonic_cst", {"a": 2}, "a mapping of attribute names to 1"),
            ("monotonic_cst", {"a": True}, "a mapping of attribute names to 1"),
            ("monotonic_cst", {0: 1}, "a mapping of attribute names to 1"),
        ],
        ids=repr,
    )
    def test_out_of_range_name_parameter_and_range(self, make, target, parameter, value, expected):
        X = table(20)
        with pytest.raises(ParameterError, match=f"'{parameter}' parameter must be.*{expected}") as caught:
            make(**{parameter: value}).fit(X, target(X))
        assert caught.value.parameter == parameter

    @both
    def test_types_that_are_no_numbers_are_type_errors(self, make, target):
        X = table(20)
        for parameter in ("n_rounds", "learning_rate", "score_reach", "base_share", "monotonic_cst"):
            with pytest.raises(ParameterTypeError, match=f"'{parameter}'"):
                make(**{parameter: "Auto"}).fit(X, target(X))

    @both
    def test_the_trees_need_a_share(self, make, target):
        X = table(20)
        with pytest.raises(
            ParameterError, match="'histogram_share' parameter must be less than what other shares leave"
        ):
            make(base_share=0.4, histogram_share=0.6).fit(X, target(X))
        make(base_share=0.4, histogram_share=0.5).fit(X, target(X))

    @both
    def test_gaussian_noise_needs_a_delta(self, make, target):
        X = table(20)
        with pytest.raises(ParameterError, match=r"'mechanism'.*'laplace' with delta=0.*Gaussian noise needs a delta"):
            make(mechanism="gaussian").fit(X, target(X))
        assert make(mechanism="gaussian", privacy=None).fit(X, target(X)).privacy_.delta == 0.0

    @both
    def test_a_setting_may_be_left_to_the_library(self, make, target):
        X = table(20)
        model = make(learning_rate="auto", shrinkage="auto", score_reach="auto", attributes_per_tree="auto")
        settings = model.fit(X, target(X)).plan_.settings
        assert (settings.n_rounds, settings.trees_per_round, settings.max_depth) == (3, 2, 2)
        assert settings.learning_rate > 0

    @both
    def test_what_is_given_is_what_the_plan_holds(self, make, target):
        X = table(20)
        given = {
            "n_rounds": 6,
            "trees_per_round": 1,
            "max_depth": 1,
            "learning_rate": 0.25,
            "shrinkage": 1.5,
            "score_reach": 0.5,
            "histogram_share": 0.25,
            "base_share": 0.125,
            "attribute_choice": "adaptive",
            "attributes_per_tree": 2,
            "mechanism": "gaussian",
        }
        model = make(**given, delta=1e-6).fit(X, target(X))
        written = model.plan_.to_dict()
        assert {name: written[name] for name in given} == given
        assert [tree.depth for tree in model.ensemble_.trees] == [1] * 6

    @both
    def test_without_shares_there_are_leaves_only(self, make, target):
        X = table(20)
        model = make(base_share=0, histogram_share=0).fit(X, target(X))
        assert model.privacy_.budget_split() == {"leaves": 1.0}
        assert model.ensemble_.base == ((0.0,) if make is classifier else (0.5,))  # the middle of what there may be

    @both
    def test_attributes_per_tree_limits_what_a_tree_looks_at(self, make, target):
        X = table(20)
        for limit in (1, 2):
            model = make(attributes_per_tree=limit, max_depth=4).fit(X, target(X))
            assert all(len(set(tree.splits.attribute.tolist())) <= limit for tree in model.ensemble_.trees)
        free = make(max_depth=4).fit(X, target(X))
        assert max(len(set(tree.splits.attribute.tolist())) for tree in free.ensemble_.trees) > 2

    @both
    def test_attributes_are_learnt_by_trees_that_follow_each_other_and_are_enough(self, make, target):
        X = table(20)
        with pytest.raises(PlanError, match=r"the 2 trees of a round see the same gradients\. Give trees_per_round=1"):
            make(attribute_choice="adaptive", n_rounds=9).fit(X, target(X))
        with pytest.raises(PlanError, match=r"each of the 5 attributes .* but there are 4 rounds\. Raise 'n_rounds'"):
            make(attribute_choice="adaptive", n_rounds=4, trees_per_round=1).fit(X, target(X))
        make(attribute_choice="adaptive", n_rounds=5, trees_per_round=1).fit(X, target(X))

    def test_more_than_a_file_can_hold_is_refused_before_training(self):
        X = table(20)
        with pytest.raises(PlanError, match="leaves"):
            classifier(n_rounds=10_000, max_depth=16).fit(X, labels(X))


class TestBudget:
    @both
    def test_laplace_noise_spends_exactly_epsilon(self, make, target):
        X = table()
        model = make(epsilon=0.75, base_share=0.25, histogram_share=0.25).fit(X, target(X))
        planned = [release.cost for release in model.plan_.releases]
        np.testing.assert_allclose(np.array(planned, float), [3 / 16, 3 / 16, *([1 / 16] * 6)], rtol=1e-12)
        assert sum(planned) == Fraction(3, 4)
        assert Fraction(3, 4) * (1 - Fraction(1, 10**9)) < model.privacy_.total <= Fraction(3, 4)

    @both
    def test_the_releases_by_hand(self, make, target):
        X = table()
        model = make(epsilon=1.0).fit(X, target(X))
        events = model.privacy_.releases
        first = "class counts" if make is classifier else "target sums"
        trees = [f"round {r}/tree {k}/leaves" for r in (1, 2, 3) for k in (1, 2)]
        assert [e.label for e in events] == [first, "histograms", *trees]
        n_cells = sum(DOMAIN.layout(254).n_codes)
        assert [(e.count, e.size) for e in events] == [(1, 2), (1, 2 * n_cells), *([(4, 2)] * 6)]
        assert events[0].sensitivity == GRID
        assert events[1].sensitivity == 5 * GRID  # a row lies in one cell of each of the five attributes
        assert {e.composition for e in events[2:]} == {"parallel"}

    @both
    def test_a_larger_distance_takes_proportionally_more_noise(self, make, target):
        X = table()
        cases = (
            {},
            {"relation": "replace-one"},
            {"rows_per_person": 2},
            {"relation": "replace-one", "rows_per_person": 2},
        )
        for noise in ({}, GAUSSIAN):
            models = [make(score_reach=0.0, **noise, **case).fit(X, target(X)) for case in cases]
            scales = [[e.scale for e in m.privacy_.releases if e.label == "histograms"] for m in models]
            np.testing.assert_allclose(np.array(scales)[:, 0] / scales[0][0], [1, 2, 2, 4], rtol=1e-5)

    @both
    def test_a_short_reach_takes_less_noise(self, make, target):
        X = table()
        loss = {"loss": "gamma"} if make is regressor else {}  # the others' gradients have bounds of their own
        near, far = (make(score_reach=reach, n_rounds=8, **loss).fit(X, target(X)) for reach in (0.0, 100.0))
        leaves = [[e.scale for e in m.privacy_.releases if e.label.endswith("leaves")] for m in (near, far)]
        assert len(set(leaves[0])) == 1
        assert leaves[1][-1] > leaves[0][-1]
        assert leaves[1][0] == leaves[0][0]  # nothing but the base score precedes it


class TestDelta:
    @both
    def test_gaussian_noise_states_epsilon_and_delta(self, make, target):
        X = table()
        model = make(epsilon=0.5, random_state=None, **GAUSSIAN).fit(X, target(X))
        statement = model.privacy_
        assert model.is_private_
        assert (statement.epsilon, statement.delta, statement.total) == (0.5, 1e-6, None)
        assert 0.5 * (1 - 1e-6) < statement.spent <= 0.5
        assert {e.mechanism for e in statement.releases} == {"gaussian"}
        report = verify_statement(statement)
        assert report.private
        assert "(ε, δ)-differentially private with ε = 0.5, δ = 1e-06" in str(statement)

    @both
    def test_shares_are_those_of_mu_squared(self, make, target):
        X = table()
        model = make(base_share=0.25, histogram_share=0.25, **GAUSSIAN).fit(X, target(X))
        mu2 = np.array([float(release.mu) ** 2 for release in model.plan_.releases])
        np.testing.assert_allclose(mu2 / mu2.sum(), [0.25, 0.25, *([1 / 12] * 6)], rtol=1e-6)

    @both
    def test_laplace_noise_may_have_a_delta_and_stays_within_it(self, make, target):
        X = table()
        statement = make(delta=1e-6).fit(X, target(X)).privacy_
        assert statement.total <= 1
        assert statement.delta == 1e-6

    @both
    def test_with_many_trees_gaussian_noise_is_less(self, make, target):
        X = table()
        pure, relaxed = (make(n_rounds=40, score_reach=0.0, **noise).fit(X, target(X)) for noise in ({}, GAUSSIAN))
        laplace, gaussian = (m.privacy_.releases[-1] for m in (pure, relaxed))
        assert gaussian.scale / gaussian.sensitivity < np.sqrt(2) * laplace.scale / laplace.sensitivity / 2

    @both
    def test_a_delta_that_could_publish_a_row_warns(self, make, target):
        X = table(50)
        with pytest.warns(PrivacyWarning, match="'delta' is 0.02"):
            make(mechanism="gaussian", delta=0.02).fit(X, target(X))

    @both
    def test_a_statement_says_what_is_assumed(self, make, target):
        X = table()
        text = str(make(random_state=None).fit(X, target(X)).privacy_)
        assert text.startswith("This model is ε-differentially private with ε = 1 (pure: δ = 0)")
        for words in ("the domain", "the number of rows", "every parameter of the learner"):
            assert words in text
        assert ("the list of classes" in text) == (make is classifier)
        assert ("the range of the target" in text) == (make is regressor)
        assert "discrete Laplace" in text
        assert model_kinds(text) == {"class counts" if make is classifier else "target sums", "histograms", "leaves"}


def model_kinds(text: str) -> set[str]:
    """First words of the rows of a statement's table."""
    return {line.split("  ")[0] for line in text.splitlines() if "discrete" in line}


class TestMonotone:
    """Predictions along a constrained attribute, everything else held, in noise that would bend any other model."""

    GRID_OF_A = np.linspace(0, 1, 101)

    def along(self, model: Any, attribute: str, values: Any) -> np.ndarray:
        """Scores, one row for each of some tables' rows, one column for each value of the attribute."""
        rows = table(30, seed=5)
        wide = rows.loc[np.repeat(np.arange(30), len(values))].reset_index(drop=True)
        wide[attribute] = np.tile(values, 30)
        scores = model.decision_function(wide) if hasattr(model, "decision_function") else model.predict(wide)
        return scores.reshape(30, -1)

    @both
    @pytest.mark.parametrize("noise", [{}, GAUSSIAN], ids=["laplace", "gaussian"])
    @pytest.mark.parametrize("sign", [1, -1])
    def test_no_prediction_goes_against_its_direction(self, make, target, noise, sign):
        X = table()
        settings = {"epsilon": 0.5, "max_depth": 4, "shrinkage": 0.3, **noise}
        model = make(monotonic_cst={"a": sign, "size": -sign, "b": 0}, **settings).fit(X, target(X))
        steps = sign * np.diff(self.along(model, "a", self.GRID_OF_A), axis=1)
        assert steps.min() >= -1e-12
        assert steps.max() > 0.01
        assert (-sign * np.diff(self.along(model, "size", ["S", "M", "L"]), axis=1)).min() >= -1e-12
        # As without the constraint: the structure is the same, the values are not.
        free = make(**settings).fit(X, target(X))
        assert np.diff(self.along(free, "a", self.GRID_OF_A), axis=1).min() < -0.01

    @pytest.mark.parametrize("loss", ["absolute_error", "quantile", "poisson", "gamma"])
    def test_of_every_loss(self, loss):
        X = table()
        model = regressor(loss=loss, epsilon=0.5, max_depth=3, shrinkage=0.3, monotonic_cst={"a": 1})
        model.fit(X, 1 + 2 * X["a"].to_numpy())
        steps = np.diff(self.along(model, "a", self.GRID_OF_A), axis=1)
        assert steps.min() >= -1e-12
        assert steps.max() > 0.001

    @both
    def test_costs_nothing_and_asks_for_the_same(self, make, target):
        X = table()
        free, bound = (make(score_reach=0.0, monotonic_cst=m).fit(X, target(X)) for m in (None, {"a": 1}))
        assert free.privacy_.releases == bound.privacy_.releases

    @both
    @pytest.mark.parametrize(
        ("constraint", "message"),
        [({"e": 1}, "'e', which is not an attribute"), ({"c": 1}, "'c', whose categories have no order.*Ordinal")],
    )
    def test_of_no_such_attribute_or_one_without_order(self, make, target, constraint, message):
        X = table(20)
        with pytest.raises(PlanError, match=message):
            make(monotonic_cst=constraint).fit(X, target(X))
        make(monotonic_cst={"c": 0}).fit(X, target(X))

    def test_needs_a_single_score(self):
        X = table(20)
        with pytest.raises(PlanError, match="single score"):
            classifier(classes=[0, 1, 2], monotonic_cst={"a": 1}).fit(X, labels(X))


class TestManyClasses:
    @pytest.mark.parametrize("noise", [{}, GAUSSIAN], ids=["laplace", "gaussian"])
    def test_are_learnt_together(self, noise):
        X = table(3000)
        settings = {"n_rounds": 20, "max_depth": 3, "epsilon": 200.0, **noise}
        model = classifier(classes=[0, 1, 2, 3], **settings).fit(X, labels(X, 4))
        assert model.score(X, labels(X, 4)) > 0.9
        np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0, atol=1e-12)
        assert model.decision_function(X).shape == (3000, 4)
        assert {tree.values.shape for tree in model.ensemble_.trees} == {(8, 4)}

    def test_share_structure_noise_and_budget(self):
        X = table()
        model = classifier(classes=[0, 1, 2]).fit(X, labels(X, 3))
        leaves = model.privacy_.releases[2:]
        assert len(leaves) == 6
        assert {event.size for event in leaves} == {4}  # three gradients and a curvature
        assert model.privacy_.notes == ()
        two = classifier(classes=[0, 1]).fit(X, labels(X))
        assert [r.cost for r in model.plan_.releases] == [r.cost for r in two.plan_.releases]

    def test_a_class_without_rows_keeps_its_column(self):
        X = table()
        p = classifier(classes=[0, 1, 2]).fit(X, labels(X)).predict_proba(X)
        assert p.shape == (200, 3)
        assert (p > 0).all()


class TestCalibration:
    @pytest.mark.parametrize("noise", [{}, GAUSSIAN], ids=["laplace", "gaussian"])
    def test_the_last_release_is_a_histogram_of_the_scores(self, noise):
        X = table()
        plain, model = (classifier(calibration_share=s, **noise).fit(X, labels(X)) for s in (0.0, 0.2))
        assert [e.label for e in model.privacy_.releases] == [*(e.label for e in plain.privacy_.releases), "scores"]
        event = model.privacy_.releases[-1]
        assert (event.sensitivity, event.count, event.size) == (GRID, 1, 24)
        assert model.privacy_.spent <= 1.0
        assert verify_statement(model.privacy_).n_events == len(model.privacy_.releases)

    def test_the_order_of_the_rows_stays_and_probabilities_follow_the_slope(self):
        X = table()
        model = classifier(epsilon=50.0, calibration_share=0.2).fit(X, labels(X))
        slope = model.ensemble_.weights[0]
        assert slope != 1.0
        ensemble = dataclasses.replace(model.ensemble_, weights=np.ones(6), reach=model.plan_.settings.score_reach)
        model.ensemble_, p = ensemble, model.predict_proba(X)[:, 1]
        before = model.predict_proba(X)[:, 1]
        base = ensemble.base[0]
        np.testing.assert_allclose(
            np.log(p / (1 - p)) - base, slope * (np.log(before / (1 - before)) - base), atol=1e-9
        )

    def test_more_classes_have_none(self):
        X = table()
        with pytest.raises(PlanError, match="needs two classes"):
            classifier(classes=[0, 1, 2], calibration_share=0.1).fit(X, labels(X, 3))
        model = classifier(classes=[0, 1, 2], calibration_share="auto").fit(X, labels(X, 3))
        assert model.plan_.calibration is None

    def test_without_privacy_it_is_left_out_unless_asked_for(self):
        X = table()
        for share, releases in (("auto", 0), (0.1, 1)):
            model = classifier(privacy=None, calibration_share=share).fit(X, labels(X))
            assert sum(event.label == "scores" for event in model.privacy_.releases) == releases


class TestRepeats:
    @both
    @pytest.mark.parametrize("noise", [{}, GAUSSIAN], ids=["laplace", "gaussian"])
    def test_under_a_seed_and_only_then(self, make, target, noise):
        X = table()
        y = target(X)
        seeded = [answers(make(random_state=s, **noise).fit(X, y), X).tobytes() for s in (0, 0, 1)]
        assert seeded[0] == seeded[1] != seeded[2]
        # Each fit draws six structures among hundreds of tests: two equal fits have a chance far below 1e-9.
        fresh = {answers(make(random_state=None, **noise).fit(X, y), X).tobytes() for _ in range(2)}
        assert len(fresh) == 2

    @both
    def test_whatever_the_order_of_the_rows(self, make, target):
        X = table()
        order = np.random.default_rng(3).permutation(len(X))
        models = [make().fit(X.iloc[o], target(X)[o]) for o in (np.arange(len(X)), order)]
        np.testing.assert_array_equal(*(answers(m, X) for m in models))


class TestRefinement:
    """What is known after the histograms shapes codes and tests; it comes from released numbers or public ones."""

    def test_bins_become_finer_where_rows_lie(self):
        rng = np.random.default_rng(0)
        X = pd.DataFrame({"a": 0.01 * rng.random(3000)})
        model = classifier(domain=Domain({"a": Numeric(0, 1)}), n_bins=20, epsilon=100.0).fit(X, X["a"] > 0.005)
        edges = model._trained.refinement.edges[0]
        assert (edges < 0.05).sum() > 30
        assert (edges >= 0.05).sum() >= 19

    def test_categories_are_lined_up_by_their_rate(self):
        rng = np.random.default_rng(0)
        rates = {"x": 0.9, "y": 0.1, "z": 0.5}
        c = rng.choice(list(rates), 3000)
        y = (rng.random(3000) < np.vectorize(rates.get)(c)).astype(int)
        model = classifier(domain=Domain({"c": Categorical(list(rates))}), epsilon=100.0).fit(pd.DataFrame({"c": c}), y)
        places = dict(zip(rates, model._trained.refinement.orders[0].tolist(), strict=False))
        assert places["y"] < places["z"] < places["x"]

    @both
    def test_without_histograms_it_is_public(self, make, target):
        X, Z = table(), table(seed=1)
        one, other = (make(histogram_share=0.0).fit(T, target(T))._trained.refinement for T in (X, Z.iloc[::-1]))
        assert one.to_dict() == other.to_dict()
        assert not one.reorders
