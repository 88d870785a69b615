"""A fit or an evaluation that fails half-way, and errors that somebody keeps: nothing of the rows is in them."""

from __future__ import annotations

import collections
import copy
import gc
import pickle
import weakref

import numpy as np
import pandas as pd
import pytest
from case_leaks import finite, is_common, leaves_of, library_state, near, observe, texts_in

from privboost import Budget, evaluate_private
from privboost.data.datasets import read_header, read_table
from privboost.errors import PrivboostError, SchemaError, VerificationError
from privboost.privacy.accounting import Ledger
from privboost.privacy.mechanisms import Gaussian, Laplace, Select
from privboost.privacy.simulation import release_by_release
from privboost.sources.gradients import GradientRows
from privboost.sources.local import LocalRows

pytestmark = pytest.mark.filterwarnings("ignore:'random_state' is set:privboost.errors.PrivacyWarning")

SENTINEL = "zq-private-only-17"


class StopHereError(Exception):
    """Planted."""


def stop_at(monkeypatch, n):
    """Let the n-th release of a fit fail, as a machine can, after its noise was drawn."""
    count = [0]
    for mechanism in (Laplace, Gaussian, Select):

        def watched(self, *args, apply=mechanism.apply):
            count[0] += 1
            answer = apply(self, *args)
            if count[0] == n:
                raise StopHereError("the disk is full")
            return answer

        monkeypatch.setattr(mechanism, "apply", watched)


def failure_of(action):
    """Return the exception of an action, all that it said, and nothing of the frames that it passed through."""
    kept = []

    def keep():
        try:
            action()
        except BaseException as error:
            kept.append(error)
            raise

    outcome = observe(keep)
    return kept[0] if kept else None, outcome


class TestAFitThatFails:
    """In whatever release: the estimator is as it was, and the rows go as soon as the exception goes."""

    @pytest.fixture(autouse=True)
    def through_the_mechanisms(self):
        with release_by_release():  # a compiled run applies no mechanism that could fail
            yield

    @pytest.mark.parametrize("stop", [1, 2, 4])
    def test_leaves_nothing(self, learner, square, monkeypatch, recorder, leak_search, stop):
        X, y = square(643)
        secrets = leak_search.secrets(learner, X, y)
        public = {number for _, number in leak_search.let_out(learner(), *square(643, 1))}
        n_releases = len(learner().fit(X, y).privacy_.releases)
        model = learner(verbose=True, budget=Budget(10.0, 1e-3))
        before, state = copy.copy(vars(model)), _frozen(library_state())
        with monkeypatch.context() as patch:
            stop_at(patch, min(stop, n_releases))
            error, outcome = failure_of(lambda: model.fit(X, y))
        assert type(error) is StopHereError
        assert vars(model) == before
        assert _frozen(library_state()) == state
        wanted = np.array(sorted(s for s in secrets - public if not is_common(s)))
        said = [error, str(error), outcome.warnings, outcome.log, outcome.printed, model.budget.to_dict()]
        found = finite([said, vars(model)])
        assert not near(np.array([number for _, number in found]), wanted).any()
        assert not [leaf for _, leaf in leaves_of(error) if isinstance(leaf, np.ndarray)]

    def test_keeps_the_model_that_was_there(self, learner, square, monkeypatch):
        X, y = square(60)
        model = learner().fit(X, y)
        before, answers = copy.copy(vars(model)), learner.answers(model, X)
        with monkeypatch.context() as patch:
            stop_at(patch, 1)
            with pytest.raises(StopHereError):
                model.fit(1 - X, 1 - y)
        assert vars(model) == before
        np.testing.assert_array_equal(learner.answers(model, X), answers)

    def test_rows_are_gone_with_the_exception(self, learner, square, monkeypatch):
        seen = []
        for rows in (LocalRows, GradientRows):

            def watched(self, *args, made=rows.__init__):
                made(self, *args)
                seen.append(weakref.ref(self))

            monkeypatch.setattr(rows, "__init__", watched)
        stop_at(monkeypatch, 1)
        model = learner()
        with pytest.raises(StopHereError) as caught:
            model.fit(*square(60))
        del caught
        gc.collect()
        assert seen
        assert [ref for ref in seen if ref() is not None] == []

    def test_a_ledger_that_does_not_match_is_told_without_a_number_of_the_rows(self, learner, square, monkeypatch):
        """The error quotes what was planned and recorded: the same for other rows."""
        record, messages = Ledger.record, []

        def half_the_noise(self, event):
            object.__setattr__(event, "scale", event.scale / 2)
            record(self, event)

        monkeypatch.setattr(Ledger, "record", half_the_noise)
        for y in (square(60)[1], np.zeros(60, int)):
            error, outcome = failure_of(lambda y=y: learner().fit(square(60)[0], y))
            assert isinstance(error, VerificationError)
            messages.append((str(error), error.args, outcome))
        assert messages[0] == messages[1]

    def test_the_search_finds_what_an_exception_carries(self, make_learner, square, monkeypatch):
        class TalkativeError(Exception):
            pass

        def telling(self, raw, *rest):
            raise TalkativeError(raw._Raw__values)

        monkeypatch.setattr(Laplace, "apply", telling)
        error, _ = failure_of(lambda: make_learner("tree")(max_depth=1).fit(*square(60)))
        assert [leaf for _, leaf in leaves_of(error) if isinstance(leaf, np.ndarray)]


def _frozen(state):
    """Return the library's state, but for caches, which hold public arguments, as text."""
    return {name: repr(thing)[:2000] for name, thing in state.items() if not hasattr(thing, "cache_clear")}


class TestAnEvaluationThatFails:
    def test_leaves_nothing(self, learner, square, monkeypatch):
        model = learner().fit(*square(60))
        before, budget = copy.copy(vars(model)), Budget(1.0, 1e-3)
        stop_at(monkeypatch, 1)
        X, y = square(643)
        error, outcome = failure_of(lambda: evaluate_private(model, X, y, epsilon=0.5, budget=budget))
        assert type(error) is StopHereError
        assert vars(model) == before
        assert budget.spent == (0.5, 0.0)
        assert not [leaf for _, leaf in leaves_of(error) if isinstance(leaf, np.ndarray)]
        assert (outcome.warnings, outcome.log, outcome.printed) == ([], [], "")


class TestErrorsThatAreKept:
    """The chain of an exception, which tools for reports of errors show, quotes no cell either."""

    @staticmethod
    def ragged():
        return collections.deque([[SENTINEL], [SENTINEL, SENTINEL]])

    @staticmethod
    def wrong_tables():
        """What cannot be read, for reasons of its form, and holds a secret."""
        good = np.zeros((3, 2))
        yield TestErrorsThatAreKept.ragged(), [0, 1, 0]
        yield [[SENTINEL, 0], [SENTINEL]], [0, 1]
        yield good, TestErrorsThatAreKept.ragged()
        yield good, [[SENTINEL, SENTINEL]] * 3
        yield good, [SENTINEL] * 2
        yield good, np.array([SENTINEL] * 3)
        yield pd.DataFrame({"a": [SENTINEL] * 3, "b": [0.0] * 3}), [0, 1, 0]
        yield pd.DataFrame({"a": [SENTINEL] * 3}), [0, 1, 0]
        yield np.array([[SENTINEL, SENTINEL]] * 3), [0, 1, 0]
        yield SENTINEL, [0, 1, 0]
        yield good, SENTINEL
        yield {"a": [SENTINEL]}, [0, 1, 0]

    @pytest.mark.parametrize("n", range(12))
    def test_of_a_fit(self, learner, n):
        X, y = list(self.wrong_tables())[n]
        error, outcome = failure_of(lambda: learner(random_state=None).fit(X, y))
        if error is None:
            pytest.skip("this learner reads it")
        self.is_silent(error, outcome)

    def test_of_weights(self, weighing, square):
        for weights in (
            self.ragged(),
            np.array([[SENTINEL]] * 60),
            np.array([SENTINEL] * 60),
            [SENTINEL] * 59,
            SENTINEL,
        ):
            model = weighing(random_state=None)
            error, outcome = failure_of(lambda m=model, w=weights: m.fit(*square(60), sample_weight=w))
            self.is_silent(error, outcome)

    @pytest.mark.parametrize("n", range(12))
    def test_of_an_answer_or_an_evaluation(self, make_learner, square, n):
        X, y = list(self.wrong_tables())[n]
        for name in ("tree", "random trees, laplace", "numbers, laplace"):
            model = make_learner(name)().fit(*square(60))
            for action in (lambda m=model: m.predict(X), lambda m=model: evaluate_private(m, X, y, epsilon=1.0)):
                error, outcome = failure_of(action)
                if error is not None:
                    self.is_silent(error, outcome)

    @pytest.mark.parametrize(
        "content",
        [
            f"a,b,y\n1,2\n{SENTINEL}\n",
            f'a,b,y\n1,"{SENTINEL}\n',
            f'a,b,y\n1,2,3\n"{SENTINEL}"x,1,2,3,4\n',
            f"{SENTINEL},b,y\n1,2,3\n",
        ],
    )
    def test_of_a_file(self, tmp_path, make_learner, content):
        domain = make_learner("tree")().domain
        for name in ("t.csv", "t.parquet", "t.csv.gz"):
            (tmp_path / name).write_text(content)
            for action in (
                lambda p=tmp_path / name: read_table(p, domain, "y"),
                lambda p=tmp_path / name: read_header(p),
            ):
                error, outcome = failure_of(action)
                if error is not None:
                    assert isinstance(error, SchemaError)
                    self.is_silent(error, outcome)

    @staticmethod
    def is_silent(error, outcome):
        assert isinstance(error, PrivboostError)
        chain, link = [], error
        while link is not None:
            chain += [link, str(link), repr(link)]
            link = link.__cause__ or link.__context__
        assert not [text for _, text in texts_in([chain, vars(error), vars(outcome)]) if SENTINEL[:8] in text]
        assert SENTINEL[:8] not in str(pickle.dumps(error))
        assert not [leaf for _, leaf in leaves_of(chain) if isinstance(leaf, np.ndarray)]
