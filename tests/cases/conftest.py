"""What the tests of hard situations share: every learner, small tables, a transcript of a fit, a search for secrets."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import io
import logging
import pickle
import pickletools
import re
import warnings
from collections.abc import Callable, Iterator
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
    PrivateForestClassifier,
    PrivateTreeClassifier,
)
from privboost.privacy.accounting import Event
from privboost.privacy.mechanisms import Laplace, Released, Select
from privboost.sources.local import LocalRows

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
}

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
    """Makes one of the learners; parameters given to a call come on top of the small settings."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.cls, self.settings = LEARNERS[name]

    def __call__(self, **parameters: Any) -> Any:
        given = {"domain": UNIT_SQUARE, "classes": [0, 1], "random_state": 0, **self.settings, **parameters}
        return self.cls(**given)

    @property
    def is_forest(self) -> bool:
        return self.cls is PrivateForestClassifier


@pytest.fixture(params=LEARNERS)
def learner(request: pytest.FixtureRequest) -> Factory:
    """Every learner in turn."""
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
        differences, as a shift common to all candidates moves no choice.
        """
        difference = other.exact - self.exact
        if self.event.mechanism == "laplace":
            change = int(np.abs(difference).sum())
        else:
            change = int((difference.max(axis=1) - difference.min(axis=1)).sum())
        return Fraction(change) / Fraction(self.event.scale)

    def changed_parts(self, other: Seen) -> int:
        """Count the numbers, or the nodes, that differ; a shift common to a node's scores is not seen by the choice."""
        difference = other.exact - self.exact
        if self.event.mechanism == "laplace":
            return int((difference != 0).sum())
        return int((difference != difference[:, :1]).any(axis=1).sum())


class Recorder:
    """Watches the mechanisms during a fit; can make them repeat the answers of another fit."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch

    def fit(self, model: Any, X: Any, y: Any, repeat: list[Seen] | None = None) -> list[Seen]:
        """Fit and return every release. With ``repeat``, mechanisms give its answers: the same public transcript."""
        seen: list[Seen] = []
        with self._monkeypatch.context() as patch:
            for mechanism in (Laplace, Select):
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
    """Cost between two tables, given every answer that the first one got: exact, and at most epsilon for neighbours."""

    def cost(
        make: Callable[[], Any], table: tuple[Any, Any], neighbour: tuple[Any, Any], check: Any = None
    ) -> Fraction:
        first = recorder.fit(make(), *table)
        second = recorder.fit(make(), *neighbour, repeat=first)
        assert [s.event for s in first] == [s.event for s in second]
        if check is not None:
            for one, other in zip(first, second, strict=True):
                check(one, other)
        return sum((a.cost_against(b) for a, b in zip(first, second, strict=True)), Fraction(0))

    return cost


# -- a search for secrets

# Numbers that are not about the model: style sheets, drawings and running numbers of scikit-learn's display, addresses.
DECORATION = re.compile(r"<style.*?</style>|<script.*?</script>|<svg.*?</svg>|0x[0-9a-f]+|id-\d+", re.DOTALL)
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def numbers_in(thing: Any, path: str = "", seen: set[int] | None = None) -> Iterator[tuple[str, float]]:
    """Walk whatever can be reached from ``thing`` and yield every number, with the way to it.

    Containers, arrays, attributes in ``__dict__`` and ``__slots__``, and numbers written out in text.
    """
    seen = set() if seen is None else seen
    if thing is None or isinstance(thing, bool | np.bool_ | type) or callable(thing):
        return
    if isinstance(thing, str):
        yield from ((path, float(text)) for text in NUMBER.findall(DECORATION.sub("", thing)))
    elif isinstance(thing, bytes):
        yield from numbers_in(thing.decode("latin-1"), path, seen)
    elif isinstance(thing, int | float | Fraction | np.number):
        with contextlib.suppress(OverflowError):
            yield path, float(thing)
    elif id(thing) in seen:
        return
    elif isinstance(thing, np.ndarray) and thing.dtype != object:
        seen.add(id(thing))
        for value in thing.ravel() if thing.dtype.kind in "iuf" else thing.ravel().tolist():
            yield from numbers_in(value, path, seen)
    else:
        seen.add(id(thing))
        yield from _numbers_within(thing, path, seen)


def _numbers_within(thing: Any, path: str, seen: set[int]) -> Iterator[tuple[str, float]]:
    if isinstance(thing, dict):
        for key, value in thing.items():
            yield from numbers_in(key, f"{path} key", seen)
            yield from numbers_in(value, f"{path}[{key!r}]", seen)
        return
    if isinstance(thing, list | tuple | set | frozenset | np.ndarray):
        for i, value in enumerate(thing):
            yield from numbers_in(value, f"{path}[{i}]", seen)
        return
    names = list(getattr(thing, "__dict__", {}))
    for cls in type(thing).__mro__:
        slots = getattr(cls, "__slots__", ())
        names += [slots] if isinstance(slots, str) else list(slots)
    for name in names:
        mangled = f"_{type(thing).__name__.lstrip('_')}{name}" if name.startswith("__") else name
        yield from numbers_in(getattr(thing, mangled, None), f"{path}.{name}", seen)


def pickled_arguments(thing: Any) -> list[Any]:
    """Return every argument of every opcode of the pickle, but positions in its own memo."""
    operations = pickletools.genops(pickle.dumps(thing, protocol=2))
    return [argument for opcode, argument, _ in operations if not re.search("GET|PUT|PROTO|FRAME", opcode.name)]


@dataclasses.dataclass
class Outcome:
    """All that a fit lets out, beside the model itself."""

    error: tuple[str, str] | None
    warnings: list[tuple[str, str]]
    log: list[str]
    printed: str


def observe(action: Callable[[], Any]) -> Outcome:
    """Run ``action`` and note its exception, warnings, log lines at DEBUG and what it prints."""
    records: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(record.getMessage())

    # Numba logs its own compilation, if this is the first call; that is no fact about the rows.
    handler, root, printed, error = Keep(logging.DEBUG), logging.getLogger(), io.StringIO(), None
    handler.addFilter(lambda record: not record.name.startswith("numba"))
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        with (
            warnings.catch_warnings(record=True) as caught,
            contextlib.redirect_stdout(printed),
            contextlib.redirect_stderr(printed),
        ):
            warnings.simplefilter("always")
            try:
                action()
            except Exception as exception:
                error = (type(exception).__name__, str(exception))
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
    return Outcome(error, [(w.category.__name__, str(w.message)) for w in caught], records, printed.getvalue())


@pytest.fixture(name="observe")
def observe_fixture() -> Callable[[Callable[[], Any]], Outcome]:
    return observe


class LeakSearch:
    """Looks for exact counts and sums of private rows in whatever a fit lets out."""

    def __init__(self, recorder: Recorder, folder: Path) -> None:
        self._recorder = recorder
        self._folder = folder

    def secrets(self, make: Callable[[], Any], X: Any, y: Any) -> set[float]:
        """Every exact number that training computed from the rows: counts, sums, scores, ratios, totals."""
        found: set[float] = set()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            seen = self._recorder.fit(make(), X, y)
        for release in seen:
            exact = np.unique(release.exact.astype(float))
            found.update(exact.tolist(), (exact / 2**16).tolist())
            if release.event.mechanism == "laplace":
                pairs = release.exact.reshape(-1, 2) / 2**16
                total = pairs.sum(axis=1)
                found.update(total.tolist(), (pairs[total > 0, 1] / total[total > 0]).tolist())
        _, counts = np.unique(np.asarray(y, dtype=str), return_counts=True)
        found.update(counts.astype(float).tolist(), (counts / counts.sum()).tolist(), [float(np.cumsum(counts)[-1])])
        return {abs(value) for value in found}

    def let_out(self, model: Any, X: Any, y: Any) -> list[tuple[str, float]]:
        """Every number that can be read after a fit: in the object, its pickle, JSON, texts, warnings, log, output."""
        outcome = observe(lambda: model.fit(X, y))
        assert outcome.error is None, outcome.error
        path = self._folder / "model.json"
        model.save(path)
        places: dict[str, Any] = {
            "vars": vars(model),
            "pickle": vars(pickle.loads(pickle.dumps(model))),
            "pickle opcodes": pickled_arguments(model),
            "copy": vars(copy.deepcopy(model)),
            "json": path.read_text(),
            "repr": repr(model) + repr(vars(model)),
            "html": model._repr_html_(),
            "statement": str(model.privacy_) + model.privacy_._repr_html_() + repr(model.privacy_),
            "warnings": [message for _, message in outcome.warnings],
            "log": outcome.log,
            "output": outcome.printed,
        }
        return [(where, abs(number)) for place, thing in places.items() for where, number in numbers_in(thing, place)]

    def leaks(
        self, make: Callable[[], Any], table: tuple[Any, Any], other: tuple[Any, Any], train: Any = None
    ) -> list[tuple[str, float]]:
        """Numbers let out that equal a secret of ``table`` and are not public.

        A number is public if training on ``other``, a table with the same public facts, lets it out as well. Whole
        numbers below 20 are too common to tell.
        """
        secrets = self.secrets(make, *table)
        public = {number for _, number in self.let_out(make(), *other)}
        train = make if train is None else train
        wanted = np.array(sorted(s for s in secrets - public if s >= 20 or s != round(s)))
        found = self.let_out(train(), *table)
        numbers = np.array([number for _, number in found])
        at = np.clip(np.searchsorted(wanted, numbers), 1, len(wanted) - 1)
        near = np.minimum(abs(wanted[at] - numbers), abs(wanted[at - 1] - numbers))
        return [found[i] for i in np.flatnonzero(near <= 1e-12 * np.maximum(numbers, 1e-300))]


@pytest.fixture
def leak_search(recorder: Recorder, tmp_path: Path) -> LeakSearch:
    return LeakSearch(recorder, tmp_path)


@pytest.fixture
def exact_rows() -> type[LocalRows]:
    """The training side's rows, for tests that plant a bug in them."""
    return LocalRows
