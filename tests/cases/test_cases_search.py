"""A search on private rows leaves nothing exact behind, and no error, warning or line of text tells of a row."""

from __future__ import annotations

import numpy as np
import pytest

from privboost import PrivateSearchCV
from privboost.privacy.tries import TriesLaw
from privboost.search import search_cv

GRIDS = {
    "forest, laplace, disjoint": {"max_depth": [1, 2]},
    "forest, exponential, shared": {"max_depth": [1, 2]},
    "boosted": {"n_trees": [1, 2]},
    "tree": {"max_depth": [1, 2]},
    "random trees, laplace": {"n_rounds": [1, 2]},
    "random trees, gaussian": {"n_rounds": [1, 2]},
    "numbers, laplace": {"n_rounds": [1, 2]},
}


@pytest.fixture(params=GRIDS)
def make(request, make_learner, monkeypatch):
    """Make a search over a learner, of four tries."""
    monkeypatch.setattr(TriesLaw, "draw", lambda self, coins: 4)
    learner = make_learner(request.param)

    def search(**changes):
        estimator = learner(random_state=None, **changes)
        return PrivateSearchCV(estimator, GRIDS[request.param], epsilon=0.5, delta=learner.delta, random_state=3)

    search.common = learner.common
    return search


def tables(square):
    X, y = square(60)
    return (X, y), (1.0 - X, 1 - y)


def test_nothing_exact_is_left(make, square, leak_search):
    table, other = tables(square)
    # Numbers of the public plan and of the exact tenths at which codes part mean nothing.
    assert leak_search.leaks(make, table, other, known=make.common) == []


class Keeping(PrivateSearchCV):
    """Keeps the sums of held-out scores beside the winner, as scikit-learn would."""

    def fit(self, X, y):
        kept, sums = [], search_cv.score_sum

        def noting(*rest):
            raw = sums(*rest)
            kept.append(int(raw._Raw__values[0, 0]))
            return raw

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(search_cv, "score_sum", noting)
            super().fit(X, y)
        self.kept_ = kept
        return self


def test_what_a_bug_would_leave_is_found(make, square, leak_search):
    table, other = tables(square)
    keeping = lambda: Keeping(**make().get_params(deep=False))  # noqa: E731
    found = leak_search.leaks(make, table, other, train=keeping, known=make.common)
    assert any("kept_" in where for where, _ in found)


def test_errors_and_texts_do_not_depend_on_rows(make, square, observe):
    (X, y), (X2, y2) = tables(square)
    outcomes = [observe(lambda a=a, b=b: make().fit(a, b)) for a, b in ((X, y), (X2, y2), (np.full_like(X, np.nan), y))]
    assert all(outcome == outcomes[0] for outcome in outcomes)
    assert outcomes[0].error is None
