"""What one row can change in a whole search: exact costs of transcripts over neighbours, and bugs to be caught.

A search is run with one script of public draws (the parts of the rows, the settings, how many tries) and the answers of
its mechanisms are written down; then it is run on a neighbour that gets the same answers. What the numbers behind the
answers differ by is the exact cost of each try, and of the refit. That many tries may be charged as 2 + eta of one is
the theorem that tests/privacy/test_tries.py holds against exact laws.
"""

from __future__ import annotations

import inspect
import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from search_cases import BOOSTING, FOREST, NUMBERS
from sklearn.base import clone

from privboost import PrivateSearchCV
from privboost.errors import PrivacyWarning
from privboost.privacy.mechanisms import Gaussian, Laplace, RawSums, Released, Select
from privboost.privacy.tries import TriesLaw
from privboost.search import search_cv

CASES: dict[str, Any] = {
    "forest": (FOREST, {"max_depth": [1, 2]}, {}),
    "forest by selection": (clone(FOREST).set_params(mechanism="exponential"), {"max_depth": [1, 2]}, {}),
    "boosting": (BOOSTING, {"n_rounds": [1, 2]}, {"scoring": "accuracy", "search_share": 0.4}),
    "replaced": (clone(BOOSTING).set_params(relation="replace-one"), {"n_rounds": [1, 2]}, {}),
    "persons": (clone(BOOSTING).set_params(rows_per_person=2), {"n_rounds": [1, 2]}, {"test_size": 0.5}),
    "gaussian": (clone(BOOSTING).set_params(mechanism="gaussian"), {"n_rounds": [1, 2]}, {"delta": 1e-4}),
    "numbers": (NUMBERS, {"n_rounds": [1, 2]}, {"scoring": "neg_mean_absolute_error"}),
}
NOT_VARIED = {
    "epsilon": "the same for all cases; costs are parts of it",
    "n_tries": "the audit fixes how many there are: what it decides is a law that is tested by itself",
    "random_state": "with it there is no claim; it scripts the public draws",
    "budget": "counts what a search states; none of its releases depends on it",
}
"""Parameters that no case sets, and why that is enough."""

N_ROWS, N_TRIES = 12, 3
EPSILON = 3.0


def table(kind: str) -> tuple[np.ndarray, np.ndarray]:
    X = np.random.default_rng(5).random((N_ROWS, 2))
    return (X, X[:, 0]) if kind == "numbers" else (X, (X[:, 0] > 0.5).astype(float))


def neighbour(kind: str, i: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows that are removed become null rows: no label, no number. Of replaced ones, every cell is another."""
    X, y = table(kind)
    for row in (i, (i + 5) % N_ROWS) if kind == "persons" else (i,):
        if kind == "replaced":
            X[row], y[row] = 1.0 - X[row], 1.0 - y[row]
        else:
            y[row] = np.nan
    return X, y


class Seen:
    """One release: its entry, the exact numbers, and the answer."""

    def __init__(self, event: Any, exact: np.ndarray, answer: np.ndarray) -> None:
        self.event, self.exact, self.answer = event, exact, answer

    def cost(self, other: Seen) -> Fraction:
        """Pure cost; of Gaussian noise, its square."""
        difference = other.exact - self.exact
        if self.event.mechanism == "gaussian":
            return sum((int(d) ** 2 for d in difference.ravel()), Fraction(0)) / Fraction(self.event.scale) ** 2
        if self.event.mechanism == "laplace":
            return Fraction(int(np.abs(difference).sum())) / Fraction(self.event.scale)
        return Fraction(int((difference.max(axis=1) - difference.min(axis=1)).sum())) / Fraction(self.event.scale)

    def twice_rho(self, other: Seen) -> Fraction:
        """Twice the zero-concentrated cost, as all releases of a run with a delta add up."""
        cost = self.cost(other)
        return cost if self.event.mechanism == "gaussian" else cost**2


class Audit:
    """Runs searches on scripts of public draws."""

    def __init__(self, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.kind, self.patch = kind, monkeypatch
        self.estimator, self.grid, self.extra = CASES[kind]

    def run(self, rows: Any, repeat: list[list[Seen]] | None) -> tuple[Any, list[list[Seen]]]:
        """Return the search and its releases: one list for each try, and one for the refit."""
        seen: list[list[Seen]] = [[]]
        with self.patch.context() as patch:
            patch.setattr(TriesLaw, "draw", lambda law, coins: N_TRIES)
            run = search_cv._Tries.run

            def counted(tries: Any) -> Any:
                result = run(tries)
                seen.append([])
                return result

            patch.setattr(search_cv._Tries, "run", counted)
            for mechanism in (Laplace, Gaussian, Select):
                patch.setattr(mechanism, "apply", self._watch(mechanism.apply, seen, repeat))
            search = PrivateSearchCV(self.estimator, self.grid, epsilon=EPSILON, random_state=4, **self.extra)
            with pytest.warns(PrivacyWarning, match="simulation"):
                search.fit(*rows)
        return search, seen

    @staticmethod
    def _watch(apply: Any, seen: list[list[Seen]], repeat: list[list[Seen]] | None) -> Any:
        def watched(mechanism: Any, raw: Any, randomness: Any, ledger: Any) -> Any:
            exact = raw._Raw__values.copy()
            answer = apply(mechanism, raw, randomness, ledger)
            values = answer.values if isinstance(answer, Released) else answer
            if repeat is not None:
                values = repeat[len(seen) - 1][len(seen[-1])].answer.copy()
                answer = Released(values.copy()) if isinstance(answer, Released) else values
            seen[-1].append(Seen(mechanism.event(), exact, np.array(values)))
            return answer

        return watched

    def costs(self, i: int) -> tuple[list[Fraction], Fraction]:
        """Cost of every try, and of the refit, between the table and its i-th neighbour; raise if a release is free."""
        search, first = self.run(table(self.kind), None)
        other, second = self.run(neighbour(self.kind, i), first)
        parts = []
        for one, two in zip(first, second, strict=True):
            assert [a.event for a in one] == [b.event for b in two]
            add = Seen.twice_rho if search.delta else Seen.cost
            parts.append(sum((add(a, b) for a, b in zip(one, two, strict=True)), Fraction(0)))
        assert published(search) == published(other), "a number was published that no mechanism let out"
        *tries, refit = parts
        assert len(tries) == N_TRIES
        return tries, refit


def published(search: Any) -> str:
    model = search.best_estimator_
    facts = {"score": search.best_score_, "params": search.best_params_, "statement": search.privacy_.to_dict()}
    values = [tree.values.tolist() for tree in model.ensemble_.trees]
    return json.dumps([facts, values, model.plan_.to_dict()], default=str)


@pytest.mark.parametrize("kind", CASES)
def test_no_row_costs_more_than_a_try_and_a_refit_are_charged(kind, monkeypatch):
    audit = Audit(kind, monkeypatch)
    search, _ = audit.run(table(kind), None)
    cost, delta = search.privacy_.search, search.privacy_.delta
    most = Fraction(0)
    for i in range(N_ROWS):
        tries, refit = audit.costs(i)
        if delta:
            assert max(tries) <= 2 * Fraction(cost.try_rho)
            most = max(most, max(tries) / (2 * Fraction(cost.try_rho)))
            continue
        assert max(tries) <= Fraction(cost.try_epsilon)
        assert refit <= Fraction(search.privacy_.fit_epsilon)
        assert cost.law.pure_cost(max(tries)) + refit <= Fraction(EPSILON)
        most = max(most, max(tries) / Fraction(cost.try_epsilon))
    assert most > Fraction(1, 3)  # the charge is not far from what a row can do


def test_every_parameter_is_varied_or_has_a_reason_not_to_be():
    varied = {name for _, _, extra in CASES.values() for name in extra}
    assert set(inspect.signature(PrivateSearchCV).parameters) == {"estimator", "param_grid", *varied, *NOT_VARIED}


def caught(kind: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the audit of some row fails."""
    audit = Audit(kind, monkeypatch)
    search, _ = audit.run(table(kind), None)
    for i in range(N_ROWS):
        try:
            tries, _ = audit.costs(i)
        except (AssertionError, ValueError, IndexError):
            return True
        if max(tries) > Fraction(search.privacy_.search.try_epsilon):
            return True
    return False


def test_nothing_is_caught_where_nothing_is_wrong(monkeypatch):
    assert not caught("forest", monkeypatch)


def test_parts_by_the_position_among_the_rows_that_count_are_caught(monkeypatch):
    """Were a removed row to shift all rows behind it, half of them would change parts."""

    def shifting(self, plan, X, y, held_out, scoring, randomness):
        place = np.cumsum(~np.isnan(y)) - 1
        init(self, plan, X, y, place % 3 == 0, scoring, randomness)

    init = search_cv._Tries.__init__
    monkeypatch.setattr(search_cv._Tries, "__init__", shifting)
    assert caught("forest", monkeypatch)


def test_a_score_without_noise_is_caught(monkeypatch):
    def exact(self):
        _, place = run(self)
        return int(score(place)._Raw__values[0, 0]), place

    found: list[RawSums] = []
    run, sums = search_cv._Tries.run, search_cv.score_sum
    monkeypatch.setattr(search_cv, "score_sum", lambda *rest: found.append(sums(*rest)) or found[-1])

    def score(place: int) -> RawSums:
        return found[-1]

    monkeypatch.setattr(search_cv._Tries, "run", exact)
    assert caught("forest", monkeypatch)


def test_scoring_on_rows_that_were_fitted_is_caught(monkeypatch):
    """Parts that overlap are not parallel: a row then costs a fit and a score."""

    def overlapping(self, plan, X, y, held_out, scoring, randomness):
        init(self, plan, X, y, held_out, scoring, randomness)
        self._fitted = X, y

    init = search_cv._Tries.__init__
    monkeypatch.setattr(search_cv._Tries, "__init__", overlapping)
    assert caught("forest", monkeypatch)


def test_a_score_of_twice_the_weight_is_caught(monkeypatch):
    sums = search_cv.score_sum
    monkeypatch.setattr(
        search_cv, "score_sum", lambda *rest: RawSums(2 * sums(*rest)._Raw__values, sums(*rest).sensitivity)
    )
    assert caught("boosting", monkeypatch)
