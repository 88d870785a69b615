"""`PrivateSearchCV`: what it publishes, what it costs and who pays, and what it does not tell."""

from __future__ import annotations

import copy
import json
import pickle
import threading
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from search_cases import BOOSTING, DOMAIN, FOREST, NUMBERS
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

from privboost import Budget, PrivateSearchCV, load
from privboost.errors import (
    BudgetExceededError,
    ParameterError,
    PlanError,
    PrivacyWarning,
    SchemaError,
    VerificationError,
)
from privboost.privacy import verify_statement
from privboost.privacy.accounting import PlannedRelease
from privboost.privacy.charging import paid
from privboost.privacy.tries import TriesLaw
from privboost.search import plan as search_plan
from privboost.search import search_cv
from privboost.search.plan import divide, draw_held_out, list_settings


class TestResult:
    @pytest.mark.parametrize(
        ("kind", "delta"), [("forest", 0.0), ("boosting", 0.0), ("boosting", 1e-4), ("numbers", 0.0), ("numbers", 1e-4)]
    )
    def test_the_statement_is_of_the_whole(self, make, square, kind, delta):
        search = make(kind, epsilon=2.0, delta=delta, random_state=None).fit(*square)
        assert search.privacy_ is search.best_estimator_.privacy_
        assert (search.privacy_.epsilon, search.privacy_.delta) == (2.0, delta)
        assert search.privacy_.search.epsilon == pytest.approx(0.3)
        assert search.privacy_.search.delta == pytest.approx(0.15 * delta)
        assert search.is_private_
        assert search.best_estimator_.is_private_
        assert search.best_estimator_.epsilon == search.privacy_.fit_epsilon == pytest.approx(1.7)
        assert search.best_params_ in list_settings(search.param_grid, search.estimator)
        assert verify_statement(search.privacy_).private
        assert any("settings that were searched" in text for text in search.privacy_.assumed_public)

    @pytest.mark.parametrize("delta", [0.0, 1e-4])
    def test_the_file_states_the_whole(self, make, square, tmp_path, delta):
        search = make("boosting", epsilon=2.0, delta=delta, random_state=None).fit(*square)
        search.save(tmp_path / "model.json")
        model = load(tmp_path / "model.json")
        assert model.privacy_ == search.privacy_
        assert model.privacy_.epsilon == 2.0
        assert (model.predict_proba(square[0]) == search.predict_proba(square[0])).all()
        model.save(tmp_path / "again.json")
        assert (tmp_path / "again.json").read_text() == (tmp_path / "model.json").read_text()

    def test_a_file_without_its_search_is_refused(self, make, square, tmp_path):
        """As long as anything in it still says what the whole cost."""
        path = tmp_path / "model.json"
        make("forest", epsilon=2.0, random_state=None).fit(*square).save(path)
        document = json.loads(path.read_text())
        del document["statement"]["search"]
        document["statement"]["format"] = 1
        path.write_text(json.dumps(document))
        with pytest.raises(VerificationError):
            load(path)

    def test_a_parameter_that_claims_the_whole_is_refused(self, make, square, tmp_path):
        path = tmp_path / "model.json"
        make("forest", epsilon=2.0, random_state=None).fit(*square).save(path)
        document = json.loads(path.read_text())
        document["parameters"]["epsilon"] = 2.0
        path.write_text(json.dumps(document))
        with pytest.raises(VerificationError):
            load(path)

    def test_it_answers_as_the_best_estimator(self, make, square, quietly):
        X, y = square
        search = quietly(make("boosting", epsilon=50.0), X, y)
        assert (search.predict(X) == search.best_estimator_.predict(X)).all()
        assert (search.decision_function(X) == search.best_estimator_.decision_function(X)).all()
        assert search.score(X, y) == search.best_estimator_.score(X, y)
        assert search.classes_.tolist() == [0, 1]
        assert search.n_features_in_ == 2
        numbers = quietly(make("numbers"), X, X[:, 0])
        assert numbers.target_range_ == (0.0, 1.0)
        assert numbers.predict(X).shape == (120,)
        assert not hasattr(numbers, "predict_proba")
        assert not hasattr(numbers, "classes_")

    def test_with_much_budget_the_better_setting_wins(self, square, quietly, monkeypatch):
        """One tree of random tests is no match for forty; of twelve tries, with this seed, some have each."""
        monkeypatch.setattr(TriesLaw, "draw", lambda self, coins: 12)
        X = np.random.default_rng(3).random((2000, 2))
        y = (np.abs(X[:, 0] - 0.5) < 0.2).astype(int)
        grid = {"n_rounds": [1, 40]}
        search = PrivateSearchCV(BOOSTING, grid, epsilon=200.0, search_share=0.5, n_tries=20, random_state=1)
        assert quietly(search, X, y).best_params_ == {"n_rounds": 40}
        assert search.best_score_ > -0.2

    def test_a_seed_makes_a_simulation_that_repeats(self, make, square):
        with pytest.warns(PrivacyWarning, match="simulation") as caught:
            one = make("boosting", random_state=7).fit(*square)
        assert len(caught) == 1
        with pytest.warns(PrivacyWarning):
            two = make("boosting", random_state=7).fit(*square)
        assert not one.is_private_
        assert not one.best_estimator_.is_private_
        assert one.best_score_ == two.best_score_
        assert (one.predict_proba(square[0]) == two.predict_proba(square[0])).all()
        assert one.best_estimator_.random_state is None  # not to be drawn again

    @pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "arrow"])
    def test_tables_of_every_library(self, make, square, quietly, frame):
        X, y = square
        named = {"b": X[:, 1], "a": X[:, 0]}
        search = quietly(make("boosting"), frame(named), y)
        assert search.feature_names_in_.tolist() == ["b", "a"]
        plain = quietly(make("boosting"), pd.DataFrame(named), pd.Series(y))
        assert (search.predict_proba(frame(named)) == plain.predict_proba(pd.DataFrame(named))).all()
        arrow = quietly(make("boosting"), frame(named), pa.array(y))
        assert arrow.best_score_ == search.best_score_
        listed = quietly(make("boosting"), X.tolist(), y.tolist())
        assert listed.predict(X).shape == (120,)


class TestSecrets:
    def test_what_scikit_learn_would_keep_is_withheld(self, make, square, quietly):
        search = quietly(make(), *square)
        for name in search_cv.WITHHELD:
            with pytest.raises(AttributeError, match="nothing that is published"):
                getattr(search, name)
        with pytest.raises(AttributeError, match="has no attribute"):
            getattr(search, "other_")  # noqa: B009

    @pytest.mark.parametrize("tries", [1, 40])
    def test_nothing_but_time_depends_on_how_many_tries_there_were(self, make, square, tries, monkeypatch, capfd):
        """Same answers in every try: everything that can be read is the same, warnings and output, too."""
        monkeypatch.setattr(TriesLaw, "draw", lambda self, coins: tries)
        monkeypatch.setattr(search_cv._Tries, "run", lambda self: (41, 1))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            search = make("forest", epsilon=1.0, random_state=None)
            search.estimator = clone(FOREST).set_params(verbose=True)
            search.fit(*square)
        assert caught == []
        assert capfd.readouterr() == ("", "")
        assert {name for name in vars(search) if name.endswith("_") and not name.startswith("_")} == {
            "best_estimator_",
            "best_params_",
            "best_score_",
            "classes_",
            "is_private_",
            "n_features_in_",
            "privacy_",
        }
        assert search.best_params_ == {"max_depth": 2}

    def test_warnings_of_the_tries_are_not_counted(self, make, square, monkeypatch):
        monkeypatch.setattr(TriesLaw, "draw", lambda self, coins: 5)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            make("forest").fit(*square)
        assert [w.category for w in caught] == [PrivacyWarning]

    def test_every_try_draws_its_setting(self, make, square, quietly, monkeypatch):
        drawn = []
        monkeypatch.setattr(TriesLaw, "draw", lambda self, coins: 60)
        run = search_cv._Tries.run
        monkeypatch.setattr(search_cv._Tries, "run", lambda self: drawn.append(run(self)) or drawn[-1])
        search = quietly(make(), *square)
        assert len(drawn) == 60
        assert {place for _, place in drawn} == {0, 1}  # with the seed given
        assert search.best_params_ == {"max_depth": max(drawn, key=lambda one: one[0])[1] + 1}


class TestBudget:
    def test_the_whole_is_charged_once(self, make, square):
        budget = Budget(epsilon=3.0, delta=1e-3)
        make("boosting", epsilon=2.0, delta=1e-4, random_state=None, budget=budget).fit(*square)
        assert [(s.label, s.epsilon, s.delta) for s in budget.spends] == [("PrivateSearchCV", 2.0, 1e-4)]

    def test_so_it_is_in_a_block(self, make, square):
        with Budget(epsilon=3.0) as budget:
            search = make("forest", epsilon=2.0, random_state=None, budget=budget).fit(*square)
        assert budget.spent == (2.0, 0.0)
        assert search.best_estimator_.budget is None
        with budget:  # what follows is charged again
            with pytest.raises(BudgetExceededError):
                clone(search.best_estimator_).set_params(epsilon=1.5).fit(*square)
            clone(search.best_estimator_).set_params(epsilon=1.0).fit(*square)
        assert budget.spent == (3.0, 0.0)

    def test_a_search_that_was_sent_to_another_process_pays(self, make, square, tmp_path):
        budget = Budget(epsilon=3.0, path=tmp_path / "budget.db")
        with budget:
            sent = pickle.dumps(make("forest", epsilon=1.0, random_state=None))
        pickle.loads(sent).fit(*square)
        clone(pickle.loads(sent)).fit(*square)
        assert budget.spent == (2.0, 0.0)

    def test_what_is_paid_is_paid_in_this_thread_only(self, square):
        budget = Budget(epsilon=5.0)
        with budget, paid():
            clone(FOREST).fit(*square)
            other = threading.Thread(target=lambda: clone(FOREST).fit(*square))
            other.start()
            other.join()
        assert budget.spent == (1.0, 0.0)
        with budget:
            clone(FOREST).fit(*square)
        assert budget.spent == (2.0, 0.0)

    def test_what_is_too_much_is_refused_unread(self, make):
        class Unreadable:
            def __getattr__(self, name):
                raise AssertionError("looked at")

        budget = Budget(epsilon=1.0)
        search = make("forest", epsilon=2.0, random_state=None, budget=budget)
        with pytest.raises(BudgetExceededError):
            search.fit(Unreadable(), Unreadable())
        with pytest.raises(BudgetExceededError):
            search.check_budget()
        assert budget.spends == ()

    def test_a_setting_that_cannot_be_fitted_is_refused_before_anything_is_spent(self, square):
        budget = Budget(epsilon=1.0)
        grid = [{"n_rounds": [1]}, {"tests_per_node": [0]}]
        with pytest.raises(ParameterError, match="tests_per_node"):
            PrivateSearchCV(BOOSTING, grid, budget=budget).fit(*square)
        with pytest.raises(PlanError):
            PrivateSearchCV(BOOSTING, {"monotonic_cst": [None, {"z": 1}]}, budget=budget).fit(*square)
        assert budget.spends == ()

    def test_a_failed_search_stays_charged(self, make, square, monkeypatch):
        budget = Budget(epsilon=1.0)
        monkeypatch.setattr(search_cv, "best_of", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            make("forest", random_state=None, budget=budget).fit(*square)
        assert budget.spent == (1.0, 0.0)

    def test_the_estimator_s_own_delta_is_not_used(self, square, tmp_path):
        """A pure search is pure, whatever delta, and with it whatever noise, the estimator was given."""
        estimator = clone(BOOSTING).set_params(delta=1e-5)
        for grid in ({"mechanism": ["laplace", "auto"]}, {"max_depth": [1, 2]}):
            budget = Budget(epsilon=2.0)
            search = PrivateSearchCV(estimator, grid, epsilon=2.0, n_tries=3, budget=budget).fit(*square)
            assert search.best_estimator_.delta == 0.0
            assert search.privacy_.total <= 2
            search.save(tmp_path / "model.json")
            assert load(tmp_path / "model.json").privacy_ == search.privacy_
        budget = Budget(epsilon=2.0)
        with pytest.raises(ParameterError, match="mechanism"):
            PrivateSearchCV(estimator, {"mechanism": ["laplace", "gaussian"]}, epsilon=2.0, budget=budget).fit(*square)
        assert budget.spends == ()

    def test_a_plan_that_is_not_pure_is_refused_in_a_pure_search(self, square, monkeypatch):
        event = PlannedRelease("leaves", "gaussian", Fraction(0), 1, "sequential", 1, 2, 3.0)
        for releases, epsilon in (
            ((event,), 9.0),
            (clone(FOREST).set_params(epsilon=1.0).fit(*square).plan_.releases, 0.5),
        ):
            with pytest.raises(PlanError, match="not pure"):
                search_plan._require_pure(releases, epsilon)

    def test_budgets_beyond_reason_are_refused_unspent(self, square):
        budget = Budget(epsilon=1e301, delta=1e-3)
        with pytest.raises(PlanError):
            PrivateSearchCV(BOOSTING, {"max_depth": [1, 2]}, epsilon=1e300, delta=1e-6, budget=budget).fit(*square)
        assert budget.spends == ()

    @pytest.mark.filterwarnings("ignore:'random_state' is set")
    def test_a_search_leaves_the_filter_of_warnings_alone(self, make, square, monkeypatch):
        """It belongs to the whole process: searches in threads would restore each other's."""
        before, seen, best_of = list(warnings.filters), [], search_cv.best_of

        def watched(*arguments):
            seen.append(list(warnings.filters))
            return best_of(*arguments)

        monkeypatch.setattr(search_cv, "best_of", watched)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            inside = list(warnings.filters)
            make("forest", random_state=0).fit(square[0], square[1][:, None])
        assert seen == [inside]
        assert list(warnings.filters) == before
        assert sum("simulation" in str(warning.message) for warning in caught) == 1


class TestParameters:
    @pytest.mark.parametrize(
        ("changes", "match"),
        [
            ({"estimator": None}, "estimator"),
            ({"estimator": clone(FOREST).set_params(random_state=3)}, "random_state"),
            ({"estimator": clone(FOREST).set_params(budget=Budget(epsilon=1.0))}, "budget"),
            ({"estimator": clone(FOREST).set_params(privacy=None)}, "privacy"),
            ({"param_grid": []}, "param_grid"),
            ({"param_grid": {"max_depth": []}}, "param_grid"),
            ({"param_grid": {"max_depth": 2}}, "param_grid"),
            ({"param_grid": {"leaf": "vote"}}, "param_grid"),
            ({"param_grid": {"depth": [2]}}, "param_grid"),
            ({"param_grid": {"epsilon": [1.0, 2.0]}}, "param_grid"),
            ({"param_grid": {"domain": [DOMAIN]}}, "param_grid"),
            ({"param_grid": {"relation": ["replace-one"]}}, "param_grid"),
            ({"param_grid": {"n_trees": list(range(1, 1002))}}, "param_grid"),
            ({"epsilon": 0.0}, "epsilon"),
            ({"delta": 1e-6}, "no 'delta'"),
            ({"search_share": 1.0}, "search_share"),
            ({"n_tries": 1.0}, "n_tries"),
            ({"test_size": 0}, "test_size"),
            ({"scoring": "roc_auc"}, "scoring"),
            ({"random_state": -1}, "random_state"),
            ({"budget": 1.0}, "budget"),
        ],
        ids=str,
    )
    def test_out_of_range(self, make, square, changes, match):
        with pytest.raises(ParameterError, match=match):
            make().set_params(**changes).fit(*square)

    def test_an_empty_dict_is_one_setting_the_estimator_as_it_is(self, make, square, quietly):
        assert quietly(make().set_params(param_grid={}), *square).best_params_ == {}

    def test_tables_that_cannot_be_divided(self, make, square):
        with pytest.raises(SchemaError, match="minimum of 2"):
            make().fit(square[0][:1], square[1][:1])
        with pytest.raises(SchemaError, match="inconsistent"):
            make().fit(square[0], square[1][:-1])

    @pytest.mark.parametrize("total", [1.0, 0.1, 3.0, 1e-6, 7.77])
    @pytest.mark.parametrize("share", [0.001, 0.15, 1 / 3, 0.5, 0.999])
    def test_the_parts_never_exceed_the_whole(self, total, share):
        search, refit = divide(total, share)
        assert Fraction(search) + Fraction(refit) <= Fraction(total)
        assert search == pytest.approx(share * total)
        assert search + refit == pytest.approx(total, rel=1e-15)

    def test_rows_are_held_out_each_by_itself(self):
        drawn = np.array([draw_held_out(4, 0.3, np.random.default_rng(seed)) for seed in range(4000)])
        # Conditioned on both parts being there; correlations of the draws are those of that condition alone.
        free = np.random.default_rng(0).random((400_000, 4)) < 0.3
        free = free[free.any(axis=1) & ~free.all(axis=1)]
        assert drawn.mean(axis=0) == pytest.approx(free.mean(axis=0), abs=0.05)
        assert np.corrcoef(drawn.T) == pytest.approx(np.corrcoef(free.T), abs=0.1)


class TestScikitLearn:
    def test_it_is_an_estimator(self, make, square, quietly):
        search = make("boosting")
        assert is_classifier(search)
        assert is_regressor(make("numbers"))
        assert search.get_params()["estimator__max_depth"] == 2
        assert search.set_params(estimator__max_depth=3).estimator.max_depth == 3
        search.estimator.set_params(max_depth=2)
        again = clone(search)
        assert again.get_params()["n_tries"] == 2.0
        assert again.estimator is not search.estimator
        assert "PrivateSearchCV" in repr(again)
        with pytest.raises(NotFittedError):
            search.predict(square[0])
        with pytest.raises(NotFittedError):
            search.save("nowhere.json")
        assert not hasattr(search, "best_params_")

    def test_in_a_pipeline(self, make, square, quietly):
        pipeline = quietly(make_pipeline("passthrough", make("boosting")), *square)
        assert pipeline.predict(square[0]).shape == (120,)
        assert pipeline.classes_.tolist() == [0, 1]

    def test_copies_and_pickles(self, make, square, quietly):
        search = quietly(make("boosting"), *square)
        for other in (copy.deepcopy(search), pickle.loads(pickle.dumps(search))):
            assert (other.predict_proba(square[0]) == search.predict_proba(square[0])).all()
            assert str(other.privacy_) == str(search.privacy_)

    def test_the_estimator_is_not_changed(self, make, square, quietly):
        before = [str(estimator.get_params()) for estimator in (FOREST, BOOSTING, NUMBERS)]
        quietly(make("forest"), *square)
        quietly(make("boosting"), *square)
        assert [str(estimator.get_params()) for estimator in (FOREST, BOOSTING, NUMBERS)] == before
        assert not hasattr(BOOSTING, "privacy_")
