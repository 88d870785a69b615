"""What a fitted model holds and says: no exact count or sum, no seed, no silent loss of the guarantee."""

from __future__ import annotations

import contextlib
import copy
import functools
import io
import json
import logging
import math
import pickle
import sys
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone

from privboost import Budget, load
from privboost.ensembles.newton_plan import NewtonPlan
from privboost.ensembles.plan import BoostingPlan, ForestPlan
from privboost.errors import ParameterError, ParameterTypeError
from privboost.estimators import base
from privboost.estimators.base import PrivateEstimator
from privboost.privacy import total_privacy
from privboost.privacy.gaussian import gdp_epsilon
from privboost.privacy.mechanisms import Gaussian, Laplace
from privboost.privacy.simulation import release_by_release

SIMULATED = "ignore:'random_state' is set:privboost.errors.PrivacyWarning"
simulated = pytest.mark.filterwarnings(SIMULATED)


class TestEpsilonThatIsNoBudget:
    """A budget that is not a finite number above 0 must never end up as "no noise"."""

    ILLEGAL = (
        np.nan,
        np.float32("nan"),
        np.inf,
        -np.inf,
        0,
        0.0,
        -0.0,
        -1,
        "1",
        None,
        True,
        np.True_,
        1 + 0j,
        10**400,
        -(10**400),
        [1.0],
        np.array([1.0]),
        np.array(np.nan),
        np.array(True),
        b"1",
        object,
    )

    @pytest.mark.parametrize("epsilon", ILLEGAL, ids=lambda e: repr(e)[:12])
    def test_is_refused_at_fit_with_its_name_and_range(self, learner, square, epsilon):
        X, y = square(20)
        model = learner(epsilon=epsilon, random_state=None)
        with pytest.raises((ParameterError, ParameterTypeError), match=r"'epsilon'.* finite number above 0"):
            model.fit(X, y)
        assert not hasattr(model, "ensemble_")

    @pytest.mark.parametrize("epsilon", [True, np.True_, None, "1", 1 + 0j])
    def test_of_another_type_is_a_type_error(self, learner, square, epsilon):
        with pytest.raises(TypeError):
            learner(epsilon=epsilon, random_state=None).fit(*square(20))

    @simulated
    @pytest.mark.parametrize(
        "epsilon", [1, np.float32(1), np.float64(1), np.int64(1), np.array(1.0), Fraction(1)], ids=repr
    )
    def test_real_numbers_of_every_type_are_accepted(self, learner, square, epsilon):
        model = learner(epsilon=epsilon).fit(*square(20))
        assert model.privacy_.epsilon == 1.0
        assert 0 < model.privacy_.spent <= 1

    def test_without_privacy_there_is_a_switch_that_is_named_so(self, learner, square):
        with pytest.raises(ParameterError, match="privacy=None"):
            learner(epsilon=0, random_state=None).fit(*square(20))
        model = learner(privacy=None, random_state=None).fit(*square(20))
        assert model.is_private_ is False
        assert model.privacy_.epsilon is None
        for text in (str(model.privacy_), model.privacy_.summary(), json.dumps(model.privacy_.to_dict())):
            assert "NOT PRIVATE" in text

    @pytest.mark.parametrize("privacy", [False, True, "none", "off", "", 0, 1])
    def test_no_other_value_turns_privacy_off(self, learner, square, privacy):
        with pytest.raises(ParameterError, match="'privacy'"):
            learner(privacy=privacy, random_state=None).fit(*square(20))


class TestDeltaThatIsNone:
    """A delta that is no chance far below 1 must not turn noise off, nor be taken for another."""

    ILLEGAL = (np.nan, np.inf, -np.inf, -1e-9, 1, 1.0, 2, "1e-6", None, True, 1 + 0j, 10**400, [1e-6], np.array([1e-6]))
    NAMES = ("random trees, laplace", "random trees, gaussian", "numbers, laplace", "numbers, gaussian")
    everyone = pytest.mark.parametrize("name", NAMES)

    @everyone
    @pytest.mark.parametrize("delta", ILLEGAL, ids=lambda d: repr(d)[:12])
    def test_is_refused_at_fit_with_its_name_and_range(self, name, make_learner, square, delta):
        model = make_learner(name)(delta=delta, random_state=None)
        with pytest.raises((ParameterError, ParameterTypeError), match=r"'delta'.* 0 or more and below 1"):
            model.fit(*square(20))
        assert not hasattr(model, "ensemble_")

    @everyone
    def test_of_0_leaves_no_gaussian_noise(self, name, make_learner, square):
        make = make_learner(name)
        with pytest.raises(ParameterError, match=r"'mechanism'.*needs a delta above 0"):
            make(delta=0, mechanism="gaussian", random_state=None).fit(*square(20))
        statement = make(delta=0.0, mechanism="laplace", random_state=None).fit(*square(20)).privacy_
        assert (statement.delta, {e.mechanism for e in statement.releases}) == (0.0, {"laplace"})

    @simulated
    @everyone
    @pytest.mark.parametrize("delta", [0, 1e-6, np.float32(1e-6), np.array(1e-9), Fraction(1, 10**7)], ids=repr)
    def test_real_numbers_of_every_type_are_accepted(self, name, make_learner, square, delta):
        mechanism = "gaussian" if float(delta) else "laplace"
        statement = make_learner(name)(delta=delta, mechanism=mechanism).fit(*square(20)).privacy_
        assert statement.delta == float(delta)
        assert 0 < statement.spent <= 1

    @simulated
    @everyone
    @pytest.mark.parametrize("n_rounds", [1, 40])
    @pytest.mark.parametrize("epsilon", [1e-6, 1e-3, 0.1, 1, 10, 100, 1e4])
    def test_the_noise_is_what_an_independent_account_demands(self, name, make_learner, square, epsilon, n_rounds):
        """Calibration never overshoots: the total of the scales in the statement, by the curve of Gaussian noise."""
        make = make_learner(name)
        for delta in (0.0, 1e-12, 1e-5):
            mechanism = "gaussian" if delta else "laplace"
            settings = {"epsilon": epsilon, "delta": delta, "mechanism": mechanism, "n_rounds": n_rounds}
            settings["tests_per_node"] = 1  # sums only: runs with selections have an account of their own
            events = make(**settings).fit(*square(20)).privacy_.releases
            ratios = [Fraction(e.distance * e.sensitivity) / Fraction(e.scale) for e in events]
            if not delta:
                assert sum(ratios) <= Fraction(epsilon)
                continue
            mu = math.sqrt(sum(ratio**2 for ratio in ratios))
            spent = gdp_epsilon(delta, mu)
            assert 0 <= spent <= epsilon
            floor = 512.0 in {e.scale for e in events}  # the smallest scale there is
            assert spent >= 0.99 * epsilon or floor or epsilon < 1e-3

    @everyone
    def test_the_noise_of_a_plan_grows_with_rounds_and_falls_with_the_budget(self, name, make_learner):
        def noise(**settings):
            release = make_learner(name)(random_state=None, mechanism="gaussian", **settings).plan(1000).leaves[0]
            assert math.isfinite(release.noise_multiplier)
            return release.noise_multiplier

        for parameter, values, default in (
            ("n_rounds", (1, 100, 5000), {"delta": 1e-6}),
            ("epsilon", (100.0, 1.0, 1e-3), {"delta": 1e-6}),
            ("delta", (1e-5, 1e-12), {}),
        ):
            multipliers = [noise(**default, **{parameter: value}) for value in values]
            assert multipliers == sorted(set(multipliers))


def plant(place, model, count, patch):
    """Let a count out of a fit, in one of the ways in which that can happen."""
    if place == "log":
        logging.getLogger("somewhere.deep").debug("%d rows are positive", count)
    elif place == "warning":
        warnings.warn(f"only {count} rows are positive", UserWarning, stacklevel=2)
    elif place == "output":
        sys.stderr.write(f"training on {count} positive rows\n")
    elif place == "plan":
        object.__setattr__(model.plan_.settings, "prior", count / 643)
    elif place == "slot":
        model.domain_ = copy.copy(model.domain_)  # the other one serves other tests
        object.__setattr__(model.domain_, "target", f"class 1 of {count}")
    elif place == "module":
        patch.setattr(base, "_last_fit", {"positive": count}, raising=False)
    elif place == "class":
        patch.setattr(PrivateEstimator, "_last_fit", [count], raising=False)
    elif place == "budget":
        model.budget.spend(1e-9, label=f"{count} rows were positive")
    elif place == "json":
        to_dict = type(model.plan_).to_dict
        patch.setattr(type(model.plan_), "to_dict", lambda self: {**to_dict(self), "root": {"count": count}})
    else:
        model.extra_ = planted_thing(place, count)


def planted_thing(place, count):
    """Return an object that holds a number, in a way that copies and pickles where that is possible."""
    if place == "attribute":
        return count
    if place == "text":
        return f"<p>{count} rows are positive</p>"
    if place == "array":
        return {"nodes": [{"value": np.array([[0.0, count]], np.float32)}]}
    if place == "partial":
        return functools.partial(print, count)
    if place in ("exception", "cause"):
        error = ValueError("odd", np.array([count]))
        if place == "cause":
            outer = RuntimeError("odd")
            outer.__context__ = error
            return Unpickled(outer)
        return error
    if place == "generator":
        return Unpickled(counting(count))
    if place == "cache":
        cached = functools.lru_cache(lambda key: key)
        cached(count)
        return Unpickled(cached)
    if place == "method":
        return Unpickled(Held(count).get)
    return Unpickled((lambda: count) if place == "closure" else (lambda total=count: total))


def counting(total):
    while True:
        yield total


class Held:
    def __init__(self, value):
        self.value = value

    def get(self):
        return self.value


class Unpickled:
    """Holds what cannot be copied or pickled, and does not take it along."""

    def __init__(self, thing=None):
        self.thing = thing

    def __reduce__(self):
        return Unpickled, ()


@simulated
class TestNoExactNumberGetsOut:
    """A walk over everything readable after a fit, for numbers that equal an exact count, sum, score or ratio."""

    TABLES = ((643, 0), (643, 1))

    def test_nothing_equals_a_count_or_a_sum_of_the_rows(self, learner, square, leak_search):
        table, other = (square(*t) for t in self.TABLES)
        make = lambda: learner(verbose=True, budget=Budget(10.0, 1e-3))  # noqa: E731
        assert leak_search.leaks(make, table, other, known=learner.common) == []

    def test_with_three_classes_either(self, learner, square, leak_search):
        table, other = (square(*t, n_classes=3) for t in self.TABLES)
        assert leak_search.leaks(lambda: learner(classes=[0, 1, 2]), table, other, known=learner.common) == []

    def test_there_are_secrets_to_find(self, learner, square, leak_search):
        table, other = (square(*t) for t in self.TABLES)
        secrets = leak_search.secrets(learner, *table)
        assert float(table[1].sum()) in secrets
        assert len(secrets - leak_search.secrets(learner, *other) - learner.common) > 5

    PLACES = (
        *("attribute", "array", "plan", "log", "warning", "output", "json", "slot", "closure", "default", "method"),
        *("partial", "generator", "cache", "module", "class", "exception", "cause", "budget", "text"),
    )

    @pytest.mark.parametrize("name", ["boosted", "random trees, selected", "numbers, laplace"])
    @pytest.mark.parametrize("place", PLACES)
    def test_the_walk_catches_a_leak_anywhere(
        self, place, name, make_learner, square, leak_search, monkeypatch, plant_in_rows
    ):
        """Each plant lets out the number of rows of class 1."""
        make = make_learner(name)
        statement = PrivateEstimator._statement

        def planted(model, *args):
            plant(place, model, secret["count"], monkeypatch)
            return statement(model, *args)

        secret: dict[str, int] = {}

        def watched(rows, counts):
            secret["count"] = int((rows._label == 1).sum() if hasattr(rows, "_label") else rows._target.sum())

        plant_in_rows(watched)
        monkeypatch.setattr(PrivateEstimator, "_statement", planted)
        table, other = (square(*t) for t in self.TABLES)
        make_with_budget = lambda: make(budget=Budget(10.0, 1e-3))  # noqa: E731
        assert leak_search.leaks(make_with_budget, table, other, known=make.common) != []

    def test_the_walk_catches_exact_leaves(self, make_learner, square, leak_search):
        """Leaves of the noise-free tree are ratios of the exact counts of its own leaves."""
        X, y = square(643)
        y = np.where(np.arange(643) % 5 == 0, 1 - y, y)
        make = make_learner("tree")
        noise_free = lambda: make(privacy=None, leaf_smoothing=0)  # noqa: E731
        leaves = noise_free().fit(X, y).ensemble_.trees[0].values.ravel()
        assert ((leaves > 0) & (leaves < 1)).any()
        let_out = {number for _, number in leak_search.let_out(noise_free(), X, y)}
        assert set(leaves.tolist()) <= let_out

    def test_a_node_is_written_with_its_test_and_its_value_only(self, learner, square, tmp_path):
        model = learner().fit(*square(60))
        model.save(tmp_path / "model.json")
        written = json.loads((tmp_path / "model.json").read_text())
        for tree in written["ensemble"]["trees"]:
            assert set(tree) == {"depth", "attribute", "first", "last", "missing_right", "values"}
        # The score to start from, from released counts, and a setting.
        base = {"base", "reach"} if learner.is_boosting else set()
        assert set(written["ensemble"]) - base == {"combination", "alpha", "weights", "outputs", "trees"}

    def test_the_plan_holds_public_numbers_only(self, learner, square):
        (X, y), (X2, y2) = square(60, 0), square(60, 1)
        plans = [learner().fit(*t).plan_ for t in ((X, y), (X2, 1 - y2))]
        public = [
            {k: v for k, v in vars(p).items() if k not in ("alphas", "weight_bounds")} for p in plans
        ]  # these two follow from released trees
        assert public[0] == public[1]
        assert isinstance(plans[0], BoostingPlan | ForestPlan | NewtonPlan)
        facts = plans[0].facts if learner.is_boosting else plans[0]
        assert facts.n_rows == 60  # public under both relations, and documented as such

    @pytest.mark.parametrize(
        "name",
        [
            "feature_importances_",
            "train_score_",
            "oob_score_",
            "oob_decision_function_",
            "class_prior_",
            "validation_score_",
            "evals_result_",
        ],
    )
    def test_there_are_no_diagnostics_from_exact_data(self, learner, square, name):
        model = learner(verbose=True).fit(*square(20))
        with pytest.raises(AttributeError, match=name):
            getattr(model, name)

    def test_fitted_attributes_are_the_documented_ones(self, learner, square):
        model = learner().fit(*square(20))
        assert {name for name in vars(model) if name.endswith("_")} == {
            "target_range_" if learner.is_regressor else "classes_",
            "n_features_in_",
            "domain_",
            "plan_",
            "privacy_",
            "is_private_",
            "ensemble_",
        }
        assert {name for name in vars(model) if not name.endswith("_")} == {*model.get_params(), "_trained"}

    def test_raw_numbers_cannot_be_pickled_out(self, learner, square, monkeypatch):
        caught = []
        for mechanism in (Laplace, Gaussian):

            def watched(self, raw, *rest, apply=mechanism.apply):
                caught.append(raw)
                return apply(self, raw, *rest)

            monkeypatch.setattr(mechanism, "apply", watched)
        with release_by_release():  # a compiled run applies no mechanism
            learner().fit(*square(20))
        assert caught or "exponential" in learner.name
        for raw in caught:
            with pytest.raises(TypeError):
                pickle.dumps(raw)
            assert "hidden" in repr(raw)

    def test_a_progress_bar_counts_trees_and_knows_nothing_of_rows(self, learner, square, monkeypatch):
        calls = []

        @contextlib.contextmanager
        def watched(total):
            calls.append(("open", total))
            yield lambda: calls.append("step")

        monkeypatch.setattr("privboost.estimators.base.progress_bar", watched)
        X, y = square(60)
        learner(verbose=True).fit(X, y)
        first = calls.copy()
        calls.clear()
        learner(verbose=True).fit(1 - X, learner.without(y, slice(None)))
        assert calls == first
        assert first[0] == ("open", len(first) - 1)

    def test_a_progress_bar_is_shown_on_a_terminal_only(self, make_learner, square, monkeypatch):
        class Terminal(io.StringIO):
            def isatty(self):
                return True

        monkeypatch.setenv("TERM", "xterm")
        for stream in (Terminal(), io.StringIO()):
            monkeypatch.setattr(sys, "stderr", stream)
            make_learner("tree")(verbose=True).fit(*square(60))
            assert bool(stream.getvalue()) == stream.isatty()


@simulated
class TestParametersAreNotRewritten:
    def test_fit_leaves_them_as_they_were(self, learner, square):
        X, y = square(40)
        model = learner(epsilon=1)
        before = model.get_params()
        model.fit(X, y)
        after = model.get_params()
        assert after.keys() == before.keys()
        assert all(after[name] is before[name] for name in before)
        assert clone(model).get_params() == before

    def test_a_second_fit_forgets_the_first(self, learner, square):
        X, y = square(40)
        model = learner(epsilon=1).fit(100 * X, y)
        again = model.fit(X, y)
        fresh = learner(epsilon=1).fit(X, y)
        np.testing.assert_array_equal(learner.answers(again, X), learner.answers(fresh, X))
        assert again.privacy_ == fresh.privacy_

    def test_bounds_do_not_come_from_the_rows(self, learner, square):
        X, y = square(40)
        for scale in (1, 1e-3, 1e6):
            model = learner().fit(scale * X, y)
            assert model.domain_ == model.domain
            edges = model._trained.encoder.layout.edges[0].tolist()
            tenths = [k / 10 for k in range(1, 10)]
            assert set(tenths) <= set(edges) if learner.is_boosting else edges == tenths


@simulated
class TestBaseScore:
    """Random trees start from released counts, or from no knowledge at all."""

    NAMES = ("random trees, laplace", "random trees, gaussian", "numbers, laplace")

    @pytest.mark.parametrize("name", NAMES)
    def test_without_a_share_it_is_a_public_constant(self, name, make_learner, square):
        X, y = square(100)
        make = make_learner(name)
        settings = {"base_share": 0.0, "histogram_share": 0.0, "learning_rate": 1e-9}
        for labels in (y, y * 0, y * 0 + 1):
            model = make(**settings).fit(X, labels)
            np.testing.assert_allclose(make.answers(model, X), 0.5, atol=1e-6)

    @pytest.mark.parametrize("name", NAMES)
    def test_with_a_share_it_is_noise_around_the_truth_and_charged(self, name, make_learner, square):
        X, _ = square(100)
        make = make_learner(name)
        for seed in range(5):
            model = make(learning_rate=1e-9, random_state=seed).fit(X[:1], np.array([1]))
            assert model.privacy_.releases[0].label in ("class counts", "target sums")
            assert model.privacy_.releases[0].scale > 2**16  # more noise than the one row weighs
        starts = {make(learning_rate=1e-9, random_state=s).fit(X[:1], np.array([1])).ensemble_.base for s in range(5)}
        assert len(starts) > 2

    def test_the_target_of_a_single_row_is_not_predicted(self, make_learner):
        model = make_learner("numbers, laplace")(n_rounds=1, learning_rate=1e-9).fit(np.array([[0.5, 0.5]]), [0.37])
        assert abs(model.predict(np.array([[0.5, 0.5]]))[0] - 0.37) > 1e-6


@simulated
class TestNoBaseScore:
    @pytest.mark.parametrize("share_of_ones", [0.0, 0.37, 1.0])
    def test_boosting_starts_from_one_half_whatever_the_labels(self, make_learner, square, share_of_ones):
        X, _ = square(100)
        y = (np.arange(100) < 100 * share_of_ones).astype(int)
        model = make_learner("boosted")(leverage_scale=1e-12).fit(X, y)
        np.testing.assert_allclose(model.predict_proba(X), 0.5, atol=1e-9)

    def test_boosting_starts_from_equal_shares_of_three_classes(self, make_learner, square):
        X, _ = square(100)
        y = (np.arange(100) < 90).astype(int)
        model = make_learner("boosted")(leverage_scale=1e-12, classes=[0, 1, 2]).fit(X, y)
        np.testing.assert_allclose(model.predict_proba(X), 1 / 3, atol=1e-9)

    @pytest.mark.parametrize(
        "name", ["forest, laplace, disjoint", "forest, exponential, shared", "forest, laplace, shared", "tree"]
    )
    def test_a_leaf_without_rows_knows_nothing_of_the_labels_elsewhere(self, name, make_learner, square):
        # Rows on the left only. With the same draws, a leaf on the right answers the same whatever the labels are.
        X, y = square(100)
        X, far = 0.05 * X, np.array([[0.99, 0.99]])
        make = make_learner(name)
        compared = 0
        for seed in range(8):
            zeros, ones = (make(epsilon=1e-3, random_state=seed).fit(X, labels) for labels in (y * 0, y * 0 + 1))
            structures = [[t.splits.first.tolist() + t.splits.attribute.tolist() for t in m.ensemble_.trees]
                          for m in (zeros, ones)]  # fmt: skip
            if structures[0] == structures[1]:
                compared += 1
                np.testing.assert_array_equal(zeros.predict_proba(far), ones.predict_proba(far))
        assert compared >= 4


class TestWhatTheModelSays:
    def test_statement_names_everything_that_a_reader_needs(self, learner, square, tmp_path):
        model = learner(random_state=None, epsilon=0.5).fit(*square(40))
        model.save(tmp_path / "model.json")
        for statement in (model.privacy_, load(tmp_path / "model.json").privacy_):
            facts = json.loads(json.dumps(statement.to_dict(), allow_nan=False))
            assert facts["epsilon"] == 0.5
            assert facts["delta"] == learner.delta
            assert facts["unit"] == {"relation": "add-remove", "rows_per_person": 1}
            assert facts["private"] is True
            assert facts["secure"] is True
            assert facts["version"]
            mechanisms = {r["mechanism"] for r in facts["releases"]}
            if learner.delta and mechanisms != {"gaussian"}:
                total = total_privacy(statement.releases, learner.delta)
                assert 0.49 < total == facts["spent"] <= 0.5
                assert "δ = 1e-06" in statement.summary()
            elif learner.delta:
                mu = math.sqrt(sum(Fraction(r["mu_exact"]) ** 2 for r in facts["releases"]))
                assert 0.49 < gdp_epsilon(learner.delta, mu) <= facts["spent"] <= 0.5
                assert "δ = 1e-06" in statement.summary()
            else:
                assert sum(Fraction(r["cost_exact"]) for r in facts["releases"]) == Fraction(facts["total_exact"])
                assert Fraction(facts["total_exact"]) <= Fraction(1, 2)
            for release in facts["releases"]:
                assert {"label", "mechanism", "sensitivity", "scale", "count", "composition"} <= set(release)
            public = " ".join(facts["assumed_public"])
            for word in ("domain", "target" if learner.is_regressor else "classes", "number of rows", "parameter"):
                assert word in public
            assert "ε = 0.5" in statement.summary()

    def test_the_unit_is_a_row_and_is_called_one(self, learner, square):
        statement = learner(random_state=None).fit(*square(40)).privacy_
        assert "one row" in statement.summary()
        assert statement.unit.rows_per_person == 1

    def test_the_documentation_says_what_holds_for_a_person_with_several_rows(self):
        text = (Path(__file__).parents[2] / "docs" / "guarantee.md").read_text(encoding="utf-8")
        assert "The unit is one row" in text
        assert "rows_per_person" in text
