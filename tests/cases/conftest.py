"""What the tests of hard situations share: every learner, small tables, a transcript of a fit, a search for secrets."""

from __future__ import annotations

import dataclasses
import math
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator

from privboost import (
    BDPEClassifier,
    Boolean,
    Categorical,
    Domain,
    Numeric,
    Ordinal,
    PrivateBoostingClassifier,
    PrivateBoostingRegressor,
    PrivateForestClassifier,
    PrivateTreeClassifier,
)
from privboost.ensembles import boosting
from privboost.privacy import gdp_epsilon
from privboost.privacy.accounting import Event
from privboost.privacy.mechanisms import Gaussian, Laplace, Released, Select
from privboost.sources.gradients import GradientRows
from privboost.sources.local import LocalRows

# For the search beside this file.
sys.path.insert(0, str(Path(__file__).resolve().parent))
from case_leaks import LeakSearch, Outcome, observe

# Every setting that could be left to the library, so that these tests do not depend on its choice.
RANDOM_TREES: dict[str, Any] = {
    "n_rounds": 2,
    "trees_per_round": 2,
    "max_depth": 2,
    "learning_rate": 0.5,
    "shrinkage": 2.0,
    "score_reach": 3.0,
    "histogram_share": 0.1,
    "base_share": 0.1,
    "attribute_choice": "random",
    "attributes_per_tree": 0,
    "mechanism": "laplace",
    "n_bins": 10,
}
GAUSSIAN: dict[str, Any] = {"mechanism": "gaussian", "delta": 1e-6}

# Each learner with each of its ways to spend a budget; small, so that hundreds of fits take seconds.
LEARNERS: dict[str, tuple[type[BaseEstimator], dict[str, Any]]] = {
    "boosted": (BDPEClassifier, {"n_trees": 3, "max_depth": 2}),
    "boosted, the paper's choices": (BDPEClassifier, {"n_trees": 2, "max_depth": 2, "preset": "paper"}),
    "forest, laplace, disjoint": (PrivateForestClassifier, {"n_trees": 5, "max_depth": 2}),
    "forest, laplace, shared": (PrivateForestClassifier, {"n_trees": 3, "max_depth": 2, "partition": "shared"}),
    "forest, laplace, soft leaves": (PrivateForestClassifier, {"n_trees": 5, "max_depth": 2, "leaf": "soft"}),
    "forest, exponential, disjoint": (
        PrivateForestClassifier,
        {"n_trees": 5, "max_depth": 2, "mechanism": "exponential"},
    ),
    "forest, exponential, shared": (
        PrivateForestClassifier,
        {"n_trees": 3, "max_depth": 2, "mechanism": "exponential", "partition": "shared"},
    ),
    "tree": (PrivateTreeClassifier, {"max_depth": 2}),
    "random trees, laplace": (PrivateBoostingClassifier, RANDOM_TREES),
    "random trees, gaussian": (PrivateBoostingClassifier, {**RANDOM_TREES, **GAUSSIAN}),
    "random trees, selected": (PrivateBoostingClassifier, {**RANDOM_TREES, "tests_per_node": 3}),
    "random trees, adaptive": (
        PrivateBoostingClassifier,
        {**RANDOM_TREES, "attribute_choice": "adaptive", "n_rounds": 6, "trees_per_round": 1},
    ),
    "numbers, laplace": (PrivateBoostingRegressor, RANDOM_TREES),
    "numbers, gaussian": (PrivateBoostingRegressor, {**RANDOM_TREES, **GAUSSIAN, "loss": "poisson"}),
    "numbers, selected, gaussian": (PrivateBoostingRegressor, {**RANDOM_TREES, **GAUSSIAN, "tests_per_node": 3}),
}
CLASSIFIERS = [name for name in LEARNERS if not name.startswith("numbers")]

UNIT_SQUARE = Domain({"a": Numeric(0, 1), "b": Numeric(0, 1)})

MIXED = Domain(
    {
        "age": Numeric(0, 100, integer=True, missing=True),
        "score": Numeric(-1, 1),
        "colour": Categorical(["red", "green", "blue"], missing=True),
        "size": Ordinal(["S", "M", "L"]),
        "member": Boolean(),
    }
)


class Factory:
    """Makes one of the learners; parameters given to a call come on top of the small settings.

    A regressor is given the labels as numbers: ``classes`` stands for a range from the least of them to the largest.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.cls, self.settings = LEARNERS[name]

    def __call__(self, **parameters: Any) -> Any:
        given = {"domain": UNIT_SQUARE, "classes": [0, 1], "random_state": 0, **self.settings, **parameters}
        if given.get("attribute_choice") == "adaptive":
            # Trees of one round cannot learn from each other, and each attribute has a tree of its own first.
            domain, rounds, each = given["domain"], given["n_rounds"], given["trees_per_round"]
            least = len(domain) if isinstance(domain, Domain) else 1
            if isinstance(rounds, int) and isinstance(each, int):
                given |= {"n_rounds": max(rounds * each, least), "trees_per_round": 1}
        if self.is_regressor:
            classes = given.pop("classes")
            ends = None if classes is None else (min(classes), max(classes))
            given = {"target_range": ends, **given}
        return self.cls(**given)

    @property
    def is_forest(self) -> bool:
        return self.cls is PrivateForestClassifier

    @property
    def is_regressor(self) -> bool:
        return self.cls is PrivateBoostingRegressor

    @property
    def is_boosting(self) -> bool:
        """Whether it boosts random trees, by gradients."""
        return self.cls in (PrivateBoostingClassifier, PrivateBoostingRegressor)

    @property
    def delta(self) -> float:
        return float(self.settings.get("delta", 0.0))

    @property
    def n_trees(self) -> int:
        if self.is_boosting:
            return int(self.settings["n_rounds"] * self.settings["trees_per_round"])
        return int(self.settings.get("n_trees", 1))

    @property
    def target(self) -> str:
        """The parameter that declares what is predicted."""
        return "target_range" if self.is_regressor else "classes"

    def answers(self, model: Any, X: Any) -> np.ndarray:
        """What it answers in most detail: probabilities, or numbers."""
        return np.asarray(model.predict(X) if self.is_regressor else model.predict_proba(X))

    @property
    def common(self) -> set[float]:
        """Numbers that mean nothing in its models: codes, and places where a tenth of [0, 1] may be cut into parts."""
        if not self.is_boosting:
            return set()
        parts = (j / n for n in range(2, 66) for j in range(n))
        return {*map(float, range(256)), *((tenth + part) / 10 for part in parts for tenth in range(10))}

    def without(self, y: Any, rows: Any) -> np.ndarray:
        """The same targets, but for rows that are to add nothing."""
        y = np.array(y, float if self.is_regressor else None)
        y[rows] = np.nan if self.is_regressor else 99
        return y


@pytest.fixture(params=LEARNERS)
def learner(request: pytest.FixtureRequest) -> Factory:
    """Every learner in turn."""
    return Factory(request.param)


@pytest.fixture(params=CLASSIFIERS)
def classifier(request: pytest.FixtureRequest) -> Factory:
    """Every classifier in turn."""
    return Factory(request.param)


@pytest.fixture(params=[name for name, (cls, _) in LEARNERS.items() if "max_sample_weight" in cls().get_params()])
def weighing(request: pytest.FixtureRequest) -> Factory:
    """Every learner whose rows may have weights."""
    return Factory(request.param)


@pytest.fixture
def make_learner() -> type[Factory]:
    """Make a learner by its name in the table above."""
    return Factory


@pytest.fixture(scope="session")
def audited() -> set[str]:
    """Names of the classes that the audits of this folder run on."""
    return {cls.__name__ for cls, _ in LEARNERS.values()}


@pytest.fixture
def square() -> Callable[..., tuple[np.ndarray, np.ndarray]]:
    """Make a numeric table of two attributes in [0, 1] with a learnable label of two classes."""

    def make(n_rows: int = 60, seed: int = 0, n_classes: int = 2) -> tuple[np.ndarray, np.ndarray]:
        rng = np.random.default_rng(seed)
        X = rng.random((n_rows, 2))
        return X, np.minimum((X[:, 0] * n_classes).astype(int), n_classes - 1)

    return make


@pytest.fixture
def mixed() -> Callable[..., tuple[np.ndarray, np.ndarray]]:
    """Make an object table with one column of every kind of attribute."""

    def make(n_rows: int = 60, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
        rng = np.random.default_rng(seed)
        X = np.empty((n_rows, 5), dtype=object)
        X[:, 0] = rng.integers(0, 101, n_rows)
        X[:, 1] = rng.uniform(-1, 1, n_rows)
        X[:, 2] = rng.choice(["red", "green", "blue"], n_rows)
        X[:, 3] = rng.choice(["S", "M", "L"], n_rows)
        X[:, 4] = rng.random(n_rows) < 0.5
        X[rng.random(n_rows) < 0.1, 0] = None
        X[rng.random(n_rows) < 0.1, 2] = None
        return X, (rng.random(n_rows) < np.where(X[:, 2] == "red", 0.9, 0.2)).astype(int)

    return make


@pytest.fixture(scope="session")
def mixed_domain() -> Domain:
    """Declares what `mixed` makes."""
    return MIXED


# -- transcripts


@dataclasses.dataclass(frozen=True)
class Seen:
    """One release: its ledger entry, the exact numbers that the mechanism was given, and what it answered."""

    event: Event
    exact: np.ndarray
    answer: np.ndarray

    def cost_against(self, other: Seen) -> Fraction:
        """Privacy loss between this release and that of a neighbour, in the worst case over answers, exactly.

        Numbers of a Laplace release cost what they differ by in all; scores of a node cost the spread of their
        differences, as a shift common to all candidates moves no choice. Of a Gaussian release, the square of how many
        standard deviations they lie apart.
        """
        difference = other.exact - self.exact
        if self.event.mechanism == "gaussian":
            return sum((int(d) ** 2 for d in difference.ravel()), Fraction(0)) / Fraction(self.event.scale) ** 2
        if self.event.mechanism == "laplace":
            change = int(np.abs(difference).sum())
        else:
            change = int((difference.max(axis=1) - difference.min(axis=1)).sum())
        return Fraction(change) / Fraction(self.event.scale)

    def part_of_the_charge(self, other: Seen) -> Fraction:
        """What the change to a neighbour costs, as a part of what this release was charged for."""
        charge = Fraction(self.event.distance * self.event.sensitivity) / Fraction(self.event.scale)
        if self.event.mechanism == "gaussian":
            return Fraction(math.sqrt(self.cost_against(other) / charge**2))
        return self.cost_against(other) / charge

    def changed_parts(self, other: Seen) -> int:
        """Count the numbers, the leaves or the nodes that differ, whichever are disjoint parts of the rows.

        A shift common to a node's scores is not seen by the choice.
        """
        difference = other.exact - self.exact
        if self.event.mechanism in ("laplace", "gaussian"):
            together = self.event.composition == "parallel"  # all numbers of a leaf are one part
            return int((difference != 0).any(axis=-1).sum() if together else (difference != 0).sum())
        return int((difference != difference[:, :1]).any(axis=1).sum())


class Recorder:
    """Watches the mechanisms during a fit; can make them repeat the answers of another fit."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch

    def fit(self, model: Any, X: Any, y: Any, repeat: list[Seen] | None = None) -> list[Seen]:
        """Fit and return every release. With ``repeat``, mechanisms give its answers: the same public transcript."""
        seen: list[Seen] = []
        with self._monkeypatch.context() as patch:
            # A compiled run draws for itself: no mechanism is applied that could be watched. The run is the same.
            patch.setattr(boosting, "_compiles", lambda trainer, rows: False)
            for mechanism in (Laplace, Gaussian, Select):
                patch.setattr(mechanism, "apply", self._watch(mechanism.apply, seen, repeat))
            model.fit(X, y)
        return seen

    @staticmethod
    def _watch(apply: Callable[..., Any], seen: list[Seen], repeat: list[Seen] | None) -> Callable[..., Any]:
        def watched(self: Any, raw: Any, randomness: Any, ledger: Any) -> Any:
            exact = raw._Raw__values.copy()
            answer = apply(self, raw, randomness, ledger)
            values = answer.values if isinstance(answer, Released) else answer
            if repeat is not None:
                values = repeat[len(seen)].answer.copy()
                answer = Released(values) if isinstance(answer, Released) else values
            seen.append(Seen(self.event(), exact, np.array(values)))
            return answer

        return watched


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    return Recorder(monkeypatch)


@pytest.fixture
def transcript_cost(recorder: Recorder) -> Callable[..., Fraction]:
    """Cost between two tables, given every answer that the first one got: exact, and at most epsilon for neighbours.

    With Gaussian noise it is the epsilon, at the model's delta, of noise that moves as far as all releases together.
    Where there are selections beside Gaussian noise, the largest part that any release makes use of what it was charged
    for, times epsilon.
    """

    def cost(
        make: Callable[[], Any], table: tuple[Any, Any], neighbour: tuple[Any, Any], check: Any = None
    ) -> Fraction:
        model = make()
        first = recorder.fit(model, *table)
        second = recorder.fit(make(), *neighbour, repeat=first)
        assert [s.event for s in first] == [s.event for s in second]
        if check is not None:
            for one, other in zip(first, second, strict=True):
                check(one, other)
        kinds = {s.event.mechanism for s in first}
        if "gaussian" in kinds and len(kinds) > 1:
            parts = [a.part_of_the_charge(b) for a, b in zip(first, second, strict=True)]
            return max(parts) * Fraction(model.epsilon)
        total = sum((a.cost_against(b) for a, b in zip(first, second, strict=True)), Fraction(0))
        if kinds == {"gaussian"}:
            return Fraction(gdp_epsilon(model.delta, math.sqrt(total)) if total else 0)
        return total

    return cost


# -- a search for secrets


@pytest.fixture(name="observe")
def observe_fixture() -> Callable[[Callable[[], Any]], Outcome]:
    return observe


@pytest.fixture
def leak_search(recorder: Recorder, tmp_path: Path) -> LeakSearch:
    return LeakSearch(recorder, tmp_path)


@pytest.fixture
def plant_in_rows(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Any, np.ndarray], None]], None]:
    """Let a function see the rows of whatever learner as they are made, and which of them count."""

    def plant(bug: Callable[[Any, np.ndarray], None]) -> None:
        local, boosted = LocalRows.__init__, GradientRows.__init__

        def local_rows(self: Any, codes: Any, offsets: Any, labels: Any, *rest: Any) -> None:
            local(self, codes, offsets, labels, *rest)
            bug(self, labels >= 0)

        def gradient_rows(self: Any, encode: Any, target: Any, weight: Any, *rest: Any) -> None:
            boosted(self, encode, target, weight, *rest)
            self._passes.ask(lambda rows, slot: None)  # what is due before the first question
            bug(self, weight > 0)

        monkeypatch.setattr(LocalRows, "__init__", local_rows)
        monkeypatch.setattr(GradientRows, "__init__", gradient_rows)

    return plant
