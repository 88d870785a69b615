"""Inside scikit-learn's tools, in files and processes, with typing errors and unsupported wishes."""

from __future__ import annotations

import copy
import inspect
import io
import json
import pickle
import subprocess
import sys

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.ensemble import StackingRegressor, VotingClassifier, VotingRegressor
from sklearn.inspection import permutation_importance
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from privboost import load
from privboost.errors import ModelFileError, ParameterError, PlanError
from privboost.estimators.base import PublicFacts
from privboost.privacy.relation import PrivacyUnit

pytestmark = pytest.mark.filterwarnings("ignore:'random_state' is set:privboost.errors.PrivacyWarning")


class TestParametersAsObjects:
    def test_the_constructor_only_stores_them(self, learner):
        domain, target = object(), object()
        model = learner(domain=domain, epsilon="not a number", n_bins=None, **{learner.target: target})
        assert model.domain is domain
        assert getattr(model, learner.target) is target
        assert model.get_params()["epsilon"] == "not a number"

    @pytest.mark.parametrize("classes", [np.array([0, 1]), [0, 1], (0, 1), range(2), np.array(["a", "b"], object)])
    def test_clone_repr_and_html_with_arrays(self, learner, classes):
        model = learner(**{learner.target: classes})
        twin = clone(model)
        assert repr(model) == repr(twin)
        assert twin.domain == model.domain
        assert type(model).__name__ in repr(model)
        assert type(model).__name__ in model._repr_html_()

    def test_set_params_takes_effect_at_the_next_fit(self, learner, square):
        model = learner(epsilon=1).fit(*square(30))
        model.set_params(epsilon=2)
        assert model.privacy_.epsilon == 1.0
        assert model.fit(*square(30)).privacy_.epsilon == 2.0

    def test_set_params_changes_no_answer_before_the_next_fit(self, learner, square):
        X, y = square(60)
        model = learner().fit(X, y)
        before = learner.answers(model, X)
        target = {learner.target: [5, 6]}
        model.set_params(n_bins=33, epsilon=5.0, max_depth=4, domain=None, relation="replace-one", **target)
        np.testing.assert_array_equal(learner.answers(model, X), before)

    def test_set_params_changes_no_saved_model_before_the_next_fit(self, learner, square, tmp_path):
        X, y = square(60)
        model = learner().fit(X, y)
        model.set_params(epsilon=5.0, max_depth=4)
        model.save(tmp_path / "model.json")
        loaded = load(tmp_path / "model.json")
        np.testing.assert_array_equal(learner.answers(loaded, X), learner.answers(model, X))

    def test_set_params_refuses_unknown_names(self, learner):
        with pytest.raises(ValueError, match="Invalid parameter 'epsilonn'"):
            learner().set_params(epsilonn=1)

    def test_every_parameter_has_a_default_and_is_kept_by_clone(self, learner):
        model = learner()
        parameters = inspect.signature(type(model)).parameters
        assert not [p for p in parameters.values() if p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
        assert all(p.default is not p.empty for p in parameters.values())
        assert clone(model).get_params() == model.get_params()


class TestIgnoredParameters:
    @pytest.mark.parametrize(
        "wish",
        [
            {"epsilonn": 1},
            {"min_samples_leaf": 5},
            {"monotone_constraints": [1, 0]},
            {"early_stopping": True},
            {"n_iter_no_change": 5},
            {"validation_fraction": 0.1},
            {"class_weight": "balanced"},
            {"bounds": (0, 1)},
            {"delta": 1e-5},
            {"warm_start": True},
            {"subsample": 0.5},
            {"monotonic_cst": {"a": 1}},
        ],
        ids=lambda w: next(iter(w)),
    )
    def test_there_are_none(self, learner, wish):
        name = next(iter(wish))
        if name in learner.cls().get_params():  # then it means something
            pytest.skip("a parameter of this learner")
        with pytest.raises(TypeError, match=name):
            learner(**wish)

    @pytest.mark.parametrize("extra", ["sample_weight", "groups", "eval_set"])
    def test_nor_at_fit(self, learner, square, extra):
        X, y = square(20)
        if extra in inspect.signature(learner.cls.fit).parameters:
            pytest.skip("a parameter of this learner")
        with pytest.raises(TypeError, match=extra):
            learner().fit(X, y, **{extra: np.ones(20)})

    def test_only_epsilon_may_be_given_by_position(self, learner):
        with pytest.raises(TypeError):
            type(learner())(1.0, 5)


class TestUnsupportedWishes:
    def test_a_learner_says_what_it_is(self, learner):
        assert is_classifier(learner()) is not learner.is_regressor
        assert is_regressor(learner()) is learner.is_regressor
        assert type(learner()).__name__.endswith("Regressor" if learner.is_regressor else "Classifier")

    @pytest.mark.parametrize("classes", [[0], [0, 0], "01", {0, 1}, 2], ids=repr)
    def test_name_the_classes(self, classifier, square, classes):
        with pytest.raises(ParameterError, match="'classes' parameter must be") as caught:
            classifier(classes=classes).fit(*square(20))
        assert caught.value.parameter == "classes"

    @pytest.mark.parametrize("ends", [(0,), (0, 0), "01", {0, 1}, 2, (1, 0), (0, np.inf)], ids=repr)
    def test_name_the_range(self, make_learner, square, ends):
        for name in ("numbers, laplace", "numbers, gaussian"):
            with pytest.raises(ParameterError, match="'target_range' parameter must be") as caught:
                make_learner(name)(target_range=ends).fit(*square(20))
            assert caught.value.parameter == "target_range"

    @pytest.mark.parametrize(
        ("wish", "name"),
        [
            ({"max_depth": None}, "max_depth"),
            ({"max_depth": 17}, "max_depth"),
            ({"n_bins": 256}, "n_bins"),
            ({"relation": "swap"}, "relation"),
            ({"privacy": "renyi"}, "privacy"),
            ({"random_state": -1}, "random_state"),
            ({"random_state": "0"}, "random_state"),
            ({"random_state": True}, "random_state"),
        ],
        ids=repr,
    )
    def test_name_the_parameter_and_what_is_supported(self, learner, square, wish, name):
        with pytest.raises(ParameterError, match=f"'{name}' parameter must be") as caught:
            learner(**wish).fit(*square(20))
        assert caught.value.parameter == name

    def test_more_rows_than_can_be_summed_are_refused_by_the_plan(self, learner):
        # Row counts are public: 2**36 rows are planned for without being held.
        model = learner()
        with pytest.raises(PlanError, match="rows"):
            model._plan(PublicFacts(1.0, PrivacyUnit(), 2**36, 2, 18, learner.delta, 2, 22))


class TestCopies:
    """A model in another place answers the same, and takes nothing of the table along."""

    def test_pickle_of_every_protocol_copy_and_joblib(self, learner, square, tmp_path):
        X, y = square(60)
        model = learner().fit(X, y)
        expected = learner.answers(model, X)
        copies = [pickle.loads(pickle.dumps(model, protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]
        copies += [copy.deepcopy(model), copy.copy(model)]
        joblib.dump(model, tmp_path / "model.joblib")
        copies.append(joblib.load(tmp_path / "model.joblib"))
        for other in copies:
            np.testing.assert_array_equal(learner.answers(other, X), expected)
            assert other.privacy_ == model.privacy_
            assert other.is_private_ == model.is_private_

    def test_in_a_new_process(self, square, make_learner, tmp_path):
        X, y = square(60)
        names = ("boosted", "forest, laplace, disjoint", "tree", "random trees, gaussian", "numbers, laplace")
        models = [make_learner(name)().fit(X, y) for name in names]
        (tmp_path / "models.pickle").write_bytes(pickle.dumps((models, X)))
        program = (
            "import pickle, sys; models, X = pickle.load(open(sys.argv[1], 'rb')); "
            "print(';'.join(m.predict(X).tobytes().hex() for m in models))"
        )
        command = [sys.executable, "-c", program, str(tmp_path / "models.pickle")]
        run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
        assert run.stdout.strip() == ";".join(m.predict(X).tobytes().hex() for m in models)

    def test_size_does_not_grow_with_the_number_of_rows(self, learner, square):
        sizes = []
        for n_rows in (100, 20_000):
            model = learner().fit(*square(n_rows))
            sizes.append(len(pickle.dumps(model)))
        # Integers such as the row count itself, and scales, take a few bytes more; released edges, up to 253 for each
        # of two attributes, 8 bytes each. The rows would take 20,000 bytes at least.
        assert abs(sizes[1] - sizes[0]) < (5000 if learner.is_boosting else 400)

    def test_a_newer_file_format_is_refused_by_number(self, learner, square, tmp_path):
        path = tmp_path / "model.json"
        learner().fit(*square(20)).save(path)
        written = json.loads(path.read_text())
        written["format"] = 999
        path.write_text(json.dumps(written))
        with pytest.raises(ModelFileError, match=r"format 999.*Upgrade"):
            load(path)


class TestInsideOtherTools:
    def test_search_pipeline_and_cross_validation(self, learner, square):
        X, y = square(60)
        search = GridSearchCV(learner(), {"epsilon": [0.1, 1.0]}, cv=2).fit(X, y)
        assert set(search.cv_results_["param_epsilon"]) == {0.1, 1.0}
        assert search.best_estimator_.privacy_.epsilon == search.best_params_["epsilon"]
        assert len(cross_val_score(learner(), X, y, cv=3)) == 3
        steps = make_pipeline(FunctionTransformer(), learner()).fit(X, y)
        assert steps[-1].privacy_.epsilon == 1.0
        assert steps.predict(X).shape == (60,)

    @pytest.mark.parametrize("name", ["tree", "random trees, laplace", "random trees, gaussian"])
    def test_voting_one_vs_rest_and_permutation_importance(self, name, make_learner, square):
        X, y = square(60, n_classes=3)
        make = make_learner(name)
        VotingClassifier([("a", make(classes=[0, 1, 2])), ("b", make(classes=[0, 1, 2]))]).fit(X, y).predict(X)
        OneVsRestClassifier(make(classes=[0, 1])).fit(X, y).predict(X)
        result = permutation_importance(make(classes=[0, 1, 2]).fit(X, y), X, y, n_repeats=2, random_state=0)
        assert result.importances.shape == (2, 2)

    def test_frames_out_of_a_column_transformer(self, make_learner, square):
        X, y = square(60)
        frame = pd.DataFrame(X, columns=["a", "b"])
        keep = ColumnTransformer([("all", "passthrough", ["b", "a"])], verbose_feature_names_out=False)
        for name in ("boosted", "forest, laplace, disjoint", "tree", "random trees, gaussian", "numbers, laplace"):
            make = make_learner(name)
            steps = make_pipeline(keep.set_output(transform="pandas"), make()).fit(frame, y)
            direct = make().fit(frame, y)
            np.testing.assert_array_equal(make.answers(steps, frame), make.answers(direct, frame))

    @pytest.mark.parametrize("name", ["numbers, laplace", "numbers, gaussian"])
    def test_regressors_in_voting_and_stacking(self, name, make_learner, square):
        X, _ = square(60)
        make = make_learner(name)
        for kind in (VotingRegressor, StackingRegressor):
            assert kind([("a", make()), ("b", make())]).fit(X, X[:, 0]).predict(X).shape == (60,)
        wrapped = TransformedTargetRegressor(make(), func=np.square, inverse_func=np.sqrt).fit(X, X[:, 0])
        assert wrapped.predict(X).shape == (60,)

    def test_weights_through_a_pipeline(self, weighing, square):
        X, y = square(60)
        weights = np.linspace(0, 1, 60)
        steps = make_pipeline(FunctionTransformer(), weighing())
        last = steps.steps[-1][0]
        steps.fit(X, y, **{f"{last}__sample_weight": weights})
        direct = weighing().fit(X, y, sample_weight=weights)
        np.testing.assert_array_equal(weighing.answers(steps[-1], X), weighing.answers(direct, X))

    def test_nothing_is_printed(self, learner, square, observe):
        outcome = observe(lambda: learner(verbose=True, random_state=None).fit(*square(20)))
        assert (outcome.error, outcome.warnings, outcome.log, outcome.printed) == (None, [], [], "")

    def test_a_buffer_is_no_path(self, learner, square):
        with pytest.raises(TypeError):
            learner().fit(*square(20)).save(io.StringIO())
