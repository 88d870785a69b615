"""What stands around a learner, outside of its guarantee; sampling that nobody is promised; budgets that count."""

from __future__ import annotations

import inspect
import itertools
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.impute import SimpleImputer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_validate, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler, TargetEncoder
from threadpoolctl import threadpool_limits

from privboost import Boolean, Budget, Domain, Numeric, evaluate_private, load
from privboost.cli.main import main

pytestmark = pytest.mark.filterwarnings("ignore:'random_state' is set:privboost.errors.PrivacyWarning")

ROOT = Path(__file__).parents[2]
GUARANTEE = (ROOT / "docs" / "guarantee.md").read_text(encoding="utf-8")
LIMITS = (ROOT / "docs" / "known-limits.md").read_text(encoding="utf-8")
SCALED = Domain({"a": Numeric(-4, 4), "b": Numeric(-4, 4)})


class TestPreprocessing:
    """Steps before a learner see the rows without noise; the domain is that of what they hand on."""

    STEPS = (
        (lambda: StandardScaler(), SCALED),
        (lambda: SimpleImputer(strategy="mean"), None),
        (lambda: make_pipeline(SimpleImputer(), StandardScaler()), SCALED),
    )

    @pytest.mark.parametrize(("step", "domain"), STEPS)
    def test_steps_of_a_pipeline_run_and_bounds_are_those_of_what_comes_out(self, learner, square, step, domain):
        X, y = square(60)
        X[::7, 0] = np.nan
        parameters = {} if domain is None else {"domain": domain}
        steps = make_pipeline(step(), learner(**parameters)).fit(X, y)
        assert steps[-1].domain_ == learner(**parameters).domain
        direct = learner(**parameters).fit(step().fit_transform(X), y)
        np.testing.assert_array_equal(learner.answers(steps, X), learner.answers(direct, step().fit_transform(X)))

    def test_encoders_of_categories_run(self, make_learner):
        table = pd.DataFrame({"colour": ["red", "green", "blue"] * 20, "x": np.linspace(0, 1, 60)})
        y = (table["colour"] == "red").astype(int).to_numpy()
        hot = Domain({**{f"hot__colour_{c}": Boolean() for c in ("blue", "green", "red")}, "rest__x": Numeric(0, 1)})
        mean = Domain({"mean__colour": Numeric(0, 1), "rest__x": Numeric(0, 1)})
        for name in ("boosted", "forest, laplace, disjoint", "tree", "random trees, gaussian", "numbers, laplace"):
            for step, domain in (
                (("hot", OneHotEncoder(sparse_output=False), ["colour"]), hot),
                (("mean", TargetEncoder(cv=2), ["colour"]), mean),
            ):
                columns = ColumnTransformer([step, ("rest", "passthrough", ["x"])]).set_output(transform="pandas")
                steps = make_pipeline(columns, make_learner(name)(domain=domain)).fit(table, y)
                assert steps.predict(table).shape == (60,)

    def test_the_guarantee_says_nothing_of_them(self, make_learner, square):
        """A statement is the same with and without a scaler, which kept the exact mean of the rows."""
        X, y = square(60)
        make = make_learner("random trees, laplace")
        steps = make_pipeline(StandardScaler(), make(domain=SCALED)).fit(X, y)
        np.testing.assert_allclose(steps[0].mean_, X.mean(axis=0))
        alone = make(domain=SCALED).fit(X, y)
        assert [e.label for e in steps[-1].privacy_.releases] == [e.label for e in alone.privacy_.releases]

    def test_the_documents_say_so_and_show_what_to_do(self):
        for text in (GUARANTEE, LIMITS):
            assert re.search("scalers, imputers", text.lower())
        assert "Bounds in a `Domain` are those of what comes out" in GUARANTEE
        assert "fit it to public rows" in LIMITS


class TestCalibrationAndThresholds:
    """A calibrator is fitted to exact answers and labels: fine on public rows, and no guarantee on private ones."""

    def test_calibration_on_private_rows_runs_and_each_fit_pays(self, make_learner, square):
        X, y = square(90)
        for name in ("boosted", "forest, laplace, disjoint", "tree", "random trees, laplace", "random trees, gaussian"):
            budget = Budget(10.0, 1e-4)
            calibrated = CalibratedClassifierCV(make_learner(name)(budget=budget), cv=3).fit(X, y)
            assert calibrated.predict_proba(X).shape == (90, 2)
            assert budget.spent[0] == 3.0

    def test_calibration_of_a_finished_model_on_public_rows_trains_nothing(self, classifier, square):
        budget = Budget(10.0, 1e-4)
        model = classifier(budget=budget).fit(*square(60))
        before = budget.spent
        public = square(80, seed=1)
        calibrated = CalibratedClassifierCV(FrozenEstimator(model)).fit(*public)
        assert calibrated.predict_proba(public[0]).shape == (80, 2)
        assert budget.spent == before

    def test_the_documents_say_which_is_which(self):
        for text in (GUARANTEE, LIMITS):
            assert "CalibratedClassifierCV" in text
        assert "FrozenEstimator" in GUARANTEE


class TestNoAmplification:
    """No guarantee counts on rows being left out by chance; no parameter leaves any out."""

    SAMPLING = (
        *("subsample", "sample_fraction", "bagging_fraction", "bagging_freq", "bootstrap", "max_samples"),
        *("sampling_rate", "sampling", "batch_size", "poisson", "goss", "top_rate", "row_fraction", "amplification"),
    )

    @pytest.mark.parametrize("name", SAMPLING)
    def test_there_is_no_such_parameter(self, learner, name):
        with pytest.raises(TypeError, match=name):
            learner(**{name: 0.5})
        assert name not in inspect.signature(evaluate_private).parameters

    def test_no_parameter_speaks_of_a_part_of_the_rows(self, learner):
        names = inspect.signature(learner.cls).parameters
        assert not [name for name in names if re.search("subsampl|fraction|bagg|bootstrap|batch|rate_of|goss", name)]

    def test_every_row_that_counts_is_in_every_sum(self, make_learner, square, recorder):
        """Of the trees that share the rows, each sums up the weight of all of them; disjoint ones do so together."""
        X, y = square(50)
        for name in ("forest, laplace, shared", "forest, laplace, disjoint", "tree"):
            make = make_learner(name)
            leaves = [s.exact for s in recorder.fit(make(), X, y) if s.event.mechanism == "laplace"]
            assert [int(exact.sum()) for exact in leaves] == [50 * 2**16] * len(leaves)

    def test_the_costs_are_plain_sums_over_all_releases(self, learner, square):
        statement = learner().fit(*square(50)).privacy_
        if not statement.delta:
            total = sum(
                Fraction(e.distance * e.sensitivity)
                / Fraction(e.scale)
                * (e.count if e.composition != "parallel" else 1)
                for e in statement.releases
            )
            assert total == statement.total

    def test_the_document_says_so(self):
        assert "No amplification by sampling is claimed" in GUARANTEE


class TestBudgetsHaveAnEffect:
    BUDGETS = (0.01, 0.1, 1.0)

    def test_on_how_far_answers_are_from_the_truth(self, learner):
        rng = np.random.default_rng(0)
        X = rng.random((300, 2))
        y = (X[:, 0] > 0.5).astype(int)
        truth = y if learner.is_regressor else np.eye(2)[y]
        errors = []
        for epsilon in self.BUDGETS:
            models = (learner(epsilon=epsilon, random_state=seed).fit(X, y) for seed in range(15))
            errors.append(np.mean([(learner.answers(model, X) - truth) ** 2 for model in models]))
        assert errors == sorted(errors, reverse=True)
        assert len(set(errors)) == len(errors)

    def test_on_the_noise_of_every_release_by_whatever_way_a_learner_is_trained(self, learner, square, tmp_path):
        def noise(model):
            return [release.scale / release.sensitivity for release in model.privacy_.releases]

        X, y = square(60)
        fitted = [noise(learner(epsilon=epsilon).fit(X, y)) for epsilon in self.BUDGETS]
        searched = [
            noise(cross_validate(learner(epsilon=e), X, y, cv=2, return_estimator=True)["estimator"][0])
            for e in self.BUDGETS
        ]
        for scales in (fitted, searched):
            for little, more in itertools.pairwise(scales):
                assert len(little) == len(more)
                assert all(a > b for a, b in zip(little, more, strict=True))

    @pytest.mark.parametrize("name", ["boosting", "bdpe", "forest", "tree"])
    def test_on_the_command_line(self, name, square, tmp_path, monkeypatch, capsys):
        monkeypatch.chdir(tmp_path)
        X, y = square(60)
        pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "y": y}).to_csv("t.csv", index=False)
        Domain({"a": Numeric(0, 1), "b": Numeric(0, 1)}).save("d.toml")
        scales = []
        for epsilon in self.BUDGETS:
            words = f"train t.csv -d d.toml --target y --classes 0,1 --learner {name} --depth 2 -o m.json"
            assert main([*words.split(), "--epsilon", str(epsilon)]) == 0
            release = load("m.json").privacy_.releases[-1]
            scales.append(release.scale / release.sensitivity)
        assert scales == sorted(scales, reverse=True)
        assert len(set(scales)) == len(scales)

    @pytest.mark.parametrize(
        ("name", "settings"),
        [
            ("random trees, laplace", {"n_rounds": 50, "trees_per_round": 2, "max_depth": 3}),
            ("random trees, gaussian", {"n_rounds": 50, "trees_per_round": 2, "max_depth": 3}),
            ("boosted", {"n_trees": 100, "max_depth": 3}),
            ("forest, laplace, shared", {"n_trees": 50, "max_depth": 6}),
            ("tree", {"max_depth": 3}),
        ],
    )
    def test_a_large_one_comes_near_the_model_without_noise(self, name, settings, make_learner):
        table = load_breast_cancer()
        split = train_test_split(table.data, table.target, test_size=0.4, random_state=0, stratify=table.target)
        train, test, labels, answers = split
        domain = Domain.load(ROOT / "examples" / "breast_cancer.toml")
        make, auc = make_learner(name), {}
        for kind, parameters in (("noise", {"epsilon": 1e6}), ("none", {"privacy": None})):
            model = make(domain=domain, n_bins=32, **settings, **parameters).fit(train, labels)
            auc[kind] = roc_auc_score(answers, model.predict_proba(test)[:, 1])
        assert abs(auc["noise"] - auc["none"]) < 0.02
        if make.is_boosting or name == "boosted":
            with threadpool_limits(1):  # it waits for its threads where processors are busy
                peer = HistGradientBoostingClassifier(max_iter=100, max_depth=3, max_bins=32, random_state=0)
                auc["peer"] = roc_auc_score(answers, peer.fit(train, labels).predict_proba(test)[:, 1])
            assert auc["noise"] > auc["peer"] - 0.02
