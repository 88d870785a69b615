"""What a fit charges, when, and to whom; searches in threads and processes; a crash between paying and training."""

from __future__ import annotations

import copy
import json
import os
import pickle
import signal
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate

from privboost import (
    BDPEClassifier,
    Budget,
    Domain,
    Numeric,
    PrivateBoostingClassifier,
    PrivateBoostingRegressor,
    PrivateForestClassifier,
    PrivateTreeClassifier,
    load,
)
from privboost.errors import BudgetError, BudgetExceededError, ParameterError, PrivacyWarning, SchemaError
from privboost.privacy.mechanisms import Laplace

DOMAIN = Domain({"a": Numeric(0, 1), "b": Numeric(0, 1)})
ROUNDS: dict[str, Any] = {"n_rounds": 2, "max_depth": 1}
LEARNERS: dict[type, dict[str, Any]] = {
    PrivateTreeClassifier: {"max_depth": 1},
    PrivateForestClassifier: {"max_depth": 1, "n_trees": 3},
    BDPEClassifier: {"max_depth": 1, "n_trees": 2},
    PrivateBoostingClassifier: ROUNDS,
    PrivateBoostingRegressor: ROUNDS,
}


def table(n_rows: int = 40) -> tuple[np.ndarray, np.ndarray]:
    X = np.random.default_rng(0).random((n_rows, 2))
    return X, (X[:, 0] > 0.5).astype(int)


def make(cls: type = PrivateTreeClassifier, **parameters: Any) -> Any:
    target = {"target_range": (0, 1)} if cls is PrivateBoostingRegressor else {"classes": [0, 1]}
    return cls(**{"domain": DOMAIN, **target, **LEARNERS[cls], **parameters})


class Untouchable:
    """A table that fails whoever looks at it."""

    def __getattribute__(self, name: str) -> Any:
        raise AssertionError(f"the table was asked for {name}")

    def __len__(self) -> int:
        raise AssertionError("the table was counted")

    def __iter__(self) -> Any:
        raise AssertionError("the table was read")

    def __array__(self, *arguments: Any, **more: Any) -> Any:
        raise AssertionError("the table was converted")


@pytest.fixture(params=LEARNERS, ids=lambda cls: cls.__name__)
def learner(request: pytest.FixtureRequest) -> type:
    return request.param


class TestAFit:
    def test_charges_what_its_statement_says(self, learner):
        budget = Budget(1.0)
        model = make(learner, epsilon=0.3, budget=budget).fit(*table())
        (spend,) = budget.spends
        assert (spend.epsilon, spend.delta, spend.label) == (0.3, 0.0, learner.__name__)
        assert (spend.epsilon, spend.delta) == (model.privacy_.epsilon, model.privacy_.delta)
        model.fit(*table())
        assert budget.spent == (0.6, 0.0)

    @pytest.mark.parametrize("cls", [PrivateBoostingClassifier, PrivateBoostingRegressor])
    def test_charges_delta(self, cls):
        budget = Budget(1.0, 1e-5)
        make(cls, epsilon=0.3, delta=4e-6, budget=budget).fit(*table())
        assert budget.spent == (0.3, 4e-6)
        make(cls, epsilon=0.3, delta=4e-6, budget=budget).fit(*table())
        with pytest.raises(BudgetExceededError):
            make(cls, epsilon=0.3, delta=4e-6, budget=budget).fit(*table())

    def test_is_refused_before_anything_of_the_table_is_touched(self, learner):
        budget = Budget(1.0)
        budget.spend(0.8)
        model = make(learner, epsilon=0.3, budget=budget)
        with pytest.raises(BudgetExceededError) as caught:
            model.fit(Untouchable(), Untouchable())
        assert caught.value.remaining == (0.2, 0.0)
        assert len(budget.spends) == 1
        assert not hasattr(model, "ensemble_")

    def test_can_be_asked_for_beforehand(self, learner):
        budget = Budget(0.5)
        make(learner, epsilon=0.5, budget=budget).check_budget()
        with pytest.raises(BudgetExceededError):
            make(learner, epsilon=0.6, budget=budget).check_budget()
        assert budget.spends == ()

    def test_pays_before_its_first_row_is_read_and_stays_charged_if_it_fails(self, learner, monkeypatch):
        budget = Budget(1.0)
        seen = []

        def fail(self: Any, X: Any) -> Any:
            seen.append(budget.spent)
            raise MemoryError

        monkeypatch.setattr("privboost.data.encoding.Encoder.encode", fail)
        monkeypatch.setattr(learner, "_encode_target", lambda *_: fail(None, None))
        with pytest.raises(MemoryError):
            make(learner, epsilon=0.3, budget=budget).fit(*table())
        assert seen == [(0.3, 0.0)]
        assert budget.spent == (0.3, 0.0)

    @pytest.mark.parametrize(
        ("X", "y", "changes"),
        [
            (table()[0], table()[1][:-1], {}),
            (table()[0][:, :1], table()[1], {}),
            (np.array([["x", "y"]] * 40), table()[1], {}),
            (pd.DataFrame(table()[0], columns=["a", "c"]), table()[1], {}),
            (table()[0], np.array(["a"] * 40), {}),
            (table()[0], None, {}),
            (*table(), {"epsilon": -1}),
            (*table(), {"max_depth": 99}),
            (*table(), {"random_state": -1}),
            (*table(), {"domain": None}),
        ],
        ids=["lengths", "columns", "text", "names", "labels", "no y", "epsilon", "depth", "seed", "domain"],
    )
    def test_costs_nothing_if_parameters_names_or_shapes_are_wrong(self, learner, X, y, changes):
        budget = Budget(10.0)
        with pytest.raises((ParameterError, SchemaError)):
            make(learner, **{"budget": budget, **changes}).fit(X, y)
        assert budget.spends == ()

    @pytest.mark.parametrize("cls", [PrivateBoostingClassifier, PrivateBoostingRegressor])
    def test_costs_nothing_if_weights_or_directions_are_wrong(self, cls):
        budget = Budget(10.0)
        X, y = table()
        for weights in (np.ones(39), np.ones((40, 2)), np.array(["one"] * 40)):
            with pytest.raises(SchemaError):
                make(cls, budget=budget).fit(X, y, sample_weight=weights)
        with pytest.raises(ValueError, match="monotonic_cst"):
            make(cls, budget=budget, monotonic_cst={"height": 1}).fit(X, y)
        assert budget.spends == ()

    def test_as_a_simulation_pays_all_the_same(self, learner):
        budget = Budget(1.0)
        with pytest.warns(PrivacyWarning, match="random_state"):
            make(learner, epsilon=0.3, budget=budget, random_state=0).fit(*table())
        assert budget.spent == (0.3, 0.0)

    def test_without_privacy_pays_nothing_and_says_so(self, learner):
        budget = Budget(0.1)
        with pytest.warns(PrivacyWarning, match=r"'budget' is not charged.*privacy=None"):
            make(learner, budget=budget, privacy=None).fit(*table())
        with budget:
            make(learner, privacy=None).fit(*table())
        assert budget.spends == ()

    def test_needs_a_budget_of_its_own_unit(self, learner):
        budget = Budget(10.0, relation="replace-one", rows_per_person=2)
        make(learner, budget=budget, relation="replace-one", rows_per_person=2).fit(*table())
        for unit in ({"relation": "replace-one"}, {"rows_per_person": 2}):
            with pytest.raises(ParameterError, match="as that of the budget") as caught:
                make(learner, budget=budget, **unit).fit(Untouchable(), Untouchable())
            assert caught.value.parameter in ("relation", "rows_per_person")
        assert len(budget.spends) == 1

    def test_pays_a_file(self, learner, tmp_path):
        budget = Budget(1.0, path=tmp_path / "budget.db")
        make(learner, epsilon=0.5, budget=budget).fit(*table())
        make(learner, epsilon=0.5, budget=Budget.open(tmp_path / "budget.db")).fit(*table())
        with pytest.raises(BudgetExceededError, match=r"budget\.db"):
            make(learner, epsilon=0.5, budget=budget).fit(Untouchable(), Untouchable())


class TestStoredModels:
    def test_a_model_file_does_not_hold_the_budget(self, learner, tmp_path):
        budget = Budget(1.0, path=tmp_path / "secret-place.db")
        model = make(learner, budget=budget).fit(*table())
        model.save(tmp_path / "model.json")
        text = (tmp_path / "model.json").read_text()
        assert "secret-place" not in text
        assert "budget" not in json.loads(text)["parameters"]
        loaded = load(tmp_path / "model.json")
        assert loaded.budget is None
        assert model.get_params()["budget"] is budget

    def test_a_pickle_has_the_file_s_name_and_answers_without_it(self, learner, tmp_path):
        budget = Budget(2.0, path=tmp_path / "budget.db")
        model = make(learner, budget=budget).fit(*table())
        data = pickle.dumps(model)
        pickle.loads(data).fit(*table())
        assert budget.spent == (2.0, 0.0)
        (tmp_path / "budget.db").unlink()
        other = pickle.loads(data)
        np.testing.assert_array_equal(other.predict(table()[0]), model.predict(table()[0]))
        with pytest.raises(BudgetError, match="There is no budget file"):
            other.fit(*table())

    def test_a_budget_in_memory_is_taken_off_before_pickling(self, learner):
        model = make(learner, budget=Budget(1.0)).fit(*table())
        with pytest.raises(BudgetError, match=r"path='budget\.db'.*set_params\(budget=None\)"):
            pickle.dumps(model)
        assert pickle.loads(pickle.dumps(model.set_params(budget=None))).budget is None

    def test_copies_pay_the_same_budget(self, learner):
        budget = Budget(1.0)
        model = make(learner, epsilon=0.2, budget=budget)
        for twin in (
            clone(model),
            copy.copy(model),
            copy.deepcopy(model),
            make(learner).set_params(**model.get_params()),
        ):
            twin.fit(*table())
        assert budget.spent == (0.8, 0.0)


# Three settings, three folds, and one fit of the best: ten fits of 0.1.
GRID = {"max_depth": [1, 2, 3]}


def search(model: Any, **more: Any) -> GridSearchCV:
    return GridSearchCV(model, GRID, **{"cv": 3, "error_score": "raise", **more})


class TestSearches:
    """All fits of a search, wherever they run, are paid from one budget."""

    def test_one_process(self):
        budget = Budget(1.0)
        search(make(epsilon=0.1, budget=budget)).fit(*table(60))
        assert budget.spent == (1.0, 0.0)
        assert len(budget.spends) == 10

    def test_is_refused_at_the_fit_that_would_exceed(self):
        budget = Budget(0.95)
        with pytest.raises(BudgetExceededError) as caught:
            search(make(epsilon=0.1, budget=budget)).fit(*table(60))
        assert caught.value.remaining == (0.05, 0.0)
        assert len(budget.spends) == 9  # all but the last fit, of the best setting

    @pytest.mark.filterwarnings("ignore:One or more of the test scores are non-finite:UserWarning")
    def test_scikit_learn_s_way_of_going_on_after_errors_spends_no_more(self):
        budget = Budget(0.5)
        with (
            pytest.warns(FitFailedWarning, match="4 fits failed out of a total of 9"),
            pytest.raises(BudgetExceededError),
        ):
            search(make(epsilon=0.1, budget=budget), error_score=np.nan).fit(*table(60))
        assert len(budget.spends) == 5

    def test_threads(self):
        budget = Budget(1.0)
        with joblib.parallel_config("threading"):
            search(make(epsilon=0.1, budget=budget), n_jobs=2).fit(*table(60))
        assert budget.spent == (1.0, 0.0)
        with joblib.parallel_config("threading"), pytest.raises(BudgetExceededError):
            search(make(epsilon=0.1, budget=budget), n_jobs=2).fit(*table(60))

    def test_threads_of_a_block(self):
        with Budget(1.0) as budget, joblib.parallel_config("threading"):
            search(make(epsilon=0.1), n_jobs=2).fit(*table(60))
        assert budget.spent == (1.0, 0.0)

    def test_processes(self, tmp_path):
        """In one test, what raises last: starting the workers, again after an error, takes most of its time."""
        X, y = table(60)
        given = Budget(1.0, path=tmp_path / "given.db")
        search(make(epsilon=0.1, budget=given), n_jobs=2).fit(X, y)
        assert given.spent == (1.0, 0.0)
        assert len(given.spends) == 10

        block = Budget(10.0, path=tmp_path / "block.db")
        with block:
            models = cross_validate(make(epsilon=0.1), X, y, cv=5, n_jobs=2, return_estimator=True)["estimator"]
        assert block.spent == (0.5, 0.0)
        models[0].fit(X, y)  # was sent to another process, and took the block's budget along for good
        clone(models[0]).fit(X, y)  # and so do its clones, or a search in that process would go unpaid
        assert block.spent == (0.7, 0.0)

        small = Budget(0.55, path=tmp_path / "small.db")
        with pytest.raises(BudgetExceededError) as caught:
            search(make(epsilon=0.1, budget=small), n_jobs=2).fit(X, y)
        assert caught.value.remaining == (0.05, 0.0)
        assert len(small.spends) == 5

    def test_processes_are_refused_a_budget_in_memory(self):
        budget = Budget(1.0)
        with pytest.raises(pickle.PicklingError) as refused:
            search(make(epsilon=0.1, budget=budget), n_jobs=2).fit(*table(60))
        assert "path='budget.db'" in "".join(traceback.format_exception(refused.value))
        with budget, pytest.raises(BudgetError, match=r"path='budget\.db'"):
            pickle.dumps(make())
        assert budget.spends == ()

    def test_cross_validation(self):
        budget = Budget(1.0)
        cross_val_score(make(epsilon=0.1, budget=budget), *table(60), cv=5)
        assert budget.spent == (0.5, 0.0)


class TestBlocks:
    def test_every_fit_inside_pays(self, learner):
        with Budget(1.0) as budget:
            make(learner, epsilon=0.3).fit(*table())
            make(learner, epsilon=0.3).fit(*table())
            with pytest.raises(BudgetExceededError):
                make(learner, epsilon=0.5).fit(Untouchable(), Untouchable())
        make(learner, epsilon=0.5).fit(*table())
        assert budget.spent == (0.6, 0.0)

    def test_blocks_within_blocks_all_pay_and_the_same_one_pays_once(self, tmp_path):
        outer, inner = Budget(1.0), Budget(1.0, path=tmp_path / "budget.db")
        with outer, inner, outer, Budget.open(tmp_path / "budget.db"):
            make(epsilon=0.25, budget=inner).fit(*table())
        assert outer.spent == inner.spent == (0.25, 0.0)

    def test_the_argument_and_the_block_both_pay(self):
        given, block = Budget(1.0), Budget(1.0)
        with block:
            make(epsilon=0.25, budget=given).fit(*table())
        assert given.spent == block.spent == (0.25, 0.0)

    def test_nobody_pays_if_one_cannot(self):
        rich, poor = Budget(1.0), Budget(0.1)
        for first, second in ((rich, poor), (poor, rich)):
            with first, second, pytest.raises(BudgetExceededError):
                make(epsilon=0.25).fit(Untouchable(), Untouchable())
        assert rich.spends == poor.spends == ()

    def test_a_copy_made_inside_goes_on_paying(self):
        with Budget(1.0) as budget:
            twin = copy.deepcopy(make(epsilon=0.25))
        twin.fit(*table())
        assert budget.spent == (0.25, 0.0)


KILLED = """
import os, signal, sys
import numpy as np
from privboost import Budget, Domain, Numeric, PrivateTreeClassifier
from privboost.privacy.mechanisms import {mechanism}

{mechanism}.apply = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
X = np.linspace(0, 1, 40).reshape(-1, 1)
model = PrivateTreeClassifier(
    0.75, domain=Domain({{"a": Numeric(0, 1)}}), classes=[0, 1], budget=Budget(1.0, path=sys.argv[1])
)
model.fit(X, (X[:, 0] > 0.5).astype(int))
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system kills in another way")
def test_a_process_that_is_killed_before_its_noise_is_drawn_leaves_its_spend(tmp_path: Path) -> None:
    path = tmp_path / "budget.db"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    command = [sys.executable, "-c", KILLED.format(mechanism="Select"), str(path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    budget = Budget.open(path)
    assert budget.spent == (0.75, 0.0)
    with pytest.raises(BudgetExceededError):
        make(epsilon=0.75, budget=budget).fit(Untouchable(), Untouchable())


def test_the_ledger_of_a_fit_knows_no_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Releases are the same with and without: a budget counts what is stated, and changes nothing."""
    events = []
    apply = Laplace.apply

    def watch(self: Any, *arguments: Any) -> Any:
        events[-1].append(self.event())
        return apply(self, *arguments)

    monkeypatch.setattr(Laplace, "apply", watch)
    for budget in (None, Budget(1.0)):
        events.append([])
        make(PrivateForestClassifier, budget=budget).fit(*table())
    assert events[0] == events[1] != []


def test_clones_of_an_estimator_that_left_its_block_pay(tmp_path):
    """As a search inside a worker process makes them."""
    budget = Budget(1.0, path=tmp_path / "people.db")
    with budget:
        data = pickle.dumps(make(epsilon=0.1))
    sent = pickle.loads(data)
    for k, model in enumerate((sent, clone(sent), clone(clone(sent))), 1):
        model.fit(*table())
        assert budget.spent[0] == pytest.approx(0.1 * k)
    # Without a block there is nothing to carry.
    assert not clone(make())._carried


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_search_within_worker_processes_is_charged(tmp_path, jobs):
    budget = Budget(2.0, path=tmp_path / "people.db")
    X, y = table()
    with budget:
        cross_val_score(GridSearchCV(make(epsilon=0.1), {"max_depth": [1, 2]}, cv=2), X, y, cv=2, n_jobs=jobs)
    assert budget.spent[0] == pytest.approx(2 * (2 * 2 + 1) * 0.1)
