"""A search for exact numbers of private rows in whatever can be read after a fit."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import functools
import gc
import io
import json
import logging
import pickle
import pickletools
import re
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

# Numbers that are not about the model: style sheets, drawings and running numbers of scikit-learn's display, addresses,
# a budget's random key, and when it was charged.
DECORATION = re.compile(
    r"<style.*?</style>|<script.*?</script>|<svg.*?</svg>|0x[0-9a-f]+|id-\d+|\b[0-9a-f]{32}\b"
    r"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(\+00:00)?",
    re.DOTALL,
)
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def numbers_in(thing: Any) -> Iterator[tuple[str, float]]:
    """Yield every number that can be reached from ``thing``, with the way to it; numbers written out in text too."""
    for path, leaf in leaves_of(thing):
        if isinstance(leaf, str):
            yield from ((path, float(text)) for text in NUMBER.findall(DECORATION.sub("", leaf)))
        elif isinstance(leaf, np.ndarray):
            yield from ((path, float(value)) for value in leaf.ravel())
        else:
            with contextlib.suppress(OverflowError):
                yield path, float(leaf)


def texts_in(thing: Any) -> Iterator[tuple[str, str]]:
    """Yield every text that can be reached from ``thing``, with the way to it."""
    yield from ((path, leaf) for path, leaf in leaves_of(thing) if isinstance(leaf, str))


def leaves_of(thing: Any, path: str = "", seen: set[int] | None = None) -> Iterator[tuple[str, Any]]:
    """Walk whatever can be reached from ``thing`` and yield every number, text and array of numbers.

    Containers, arrays, attributes in ``__dict__`` and ``__slots__``; closures, defaults and attributes of functions,
    what methods are bound to, locals of generators, what a cache holds; arguments, attributes and causes of exceptions.
    """
    seen = set() if seen is None else seen
    if thing is None or isinstance(thing, bool | np.bool_ | type | types.ModuleType):
        return
    if isinstance(thing, bytes | bytearray):
        yield path, bytes(thing).decode("latin-1")
    elif isinstance(thing, str | int | float | Fraction | np.number):
        yield path, thing
    elif id(thing) in seen:
        return
    else:
        seen.add(id(thing))
        if isinstance(thing, np.ndarray) and thing.dtype.kind in "iuf":
            yield path, thing
            return
        for step, part in _parts(thing):
            yield from leaves_of(part, path + step, seen)


def _parts(thing: Any) -> Iterator[tuple[str, Any]]:
    """Return what a thing holds, by the steps that lead there."""
    if isinstance(thing, dict | types.MappingProxyType):
        for key, value in list(thing.items()):
            yield " key", key
            yield f"[{str(key)[:40]!r}]", value
        return
    if isinstance(thing, np.ndarray):
        thing = thing.ravel().tolist()
    if isinstance(thing, list | tuple | set | frozenset):
        yield from ((f"[{i}]", value) for i, value in enumerate(thing))
        return
    yield from _parts_of_code(thing)
    names = list(getattr(thing, "__dict__", None) or ())
    for cls in type(thing).__mro__:
        slots = getattr(cls, "__slots__", ())
        names += [slots] if isinstance(slots, str) else list(slots)
    for name in names:
        mangled = f"_{type(thing).__name__.lstrip('_')}{name}" if name.startswith("__") else name
        with contextlib.suppress(Exception):  # a property of a library that cannot answer
            yield f".{name}", getattr(thing, mangled, None)


def _parts_of_code(thing: Any) -> Iterator[tuple[str, Any]]:
    """Return what functions, methods, generators, caches and exceptions hold."""
    if isinstance(thing, types.FunctionType):
        cells = [cell.cell_contents for cell in thing.__closure__ or () if cell != types.CellType()]
        yield " closure", cells
        yield " defaults", [thing.__defaults__, thing.__kwdefaults__]
    elif isinstance(thing, types.MethodType):
        yield " method", thing.__func__
        yield " of", thing.__self__
    elif isinstance(thing, types.GeneratorType):
        yield " locals", thing.gi_frame.f_locals if thing.gi_frame is not None else None
    elif isinstance(thing, functools._lru_cache_wrapper):
        yield " cache", [part for part in gc.get_referents(thing) if isinstance(part, dict | list | tuple)]
    elif isinstance(thing, functools.partial):
        yield " partial", [thing.func, thing.args, thing.keywords]
    elif isinstance(thing, BaseException):
        yield " args", thing.args
        yield " cause", thing.__cause__
        yield " context", thing.__context__


def library_state() -> dict[str, Any]:
    """Return all that the library's modules and classes hold: globals, caches, class attributes; no compiled code."""
    state: dict[str, Any] = {}
    for name, module in sorted(sys.modules.items()):
        if name != "privboost" and not name.startswith("privboost."):
            continue
        for key, value in list(vars(module).items()):
            if key.startswith("__") or isinstance(value, types.ModuleType) or "numba" in type(value).__module__:
                continue
            if type(value).__module__ == "typing":  # Literal and its like remember what all packages wrote in brackets
                continue
            owned = isinstance(value, type) and value.__module__ == name
            state[f"{name}.{key}"] = _class_state(value) if owned else value
    return state


def _class_state(cls: type) -> dict[str, Any]:
    skipped = types.FunctionType | property | classmethod | staticmethod | str
    return {key: value for key, value in vars(cls).items() if not isinstance(value, skipped)}


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


def statement_texts(statement: Any) -> list[str]:
    """Return a statement as text, in every form that it has."""
    facts = json.dumps(statement.to_dict(), allow_nan=False)
    return [str(statement), statement._repr_html_(), repr(statement), statement.summary(), facts]


def finite(places: Any) -> list[tuple[str, float]]:
    """Return the absolute values of all finite numbers in what can be read, with the way to each."""
    return [(where, abs(number)) for where, number in numbers_in(places) if np.isfinite(number)]


class LeakSearch:
    """Looks for exact counts and sums of private rows in whatever a fit lets out."""

    def __init__(self, recorder: Any, folder: Path) -> None:
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
            if release.event.mechanism in ("laplace", "gaussian") and release.exact.size % 2 == 0:
                pairs = release.exact.reshape(-1, 2) / 2**16
                total = pairs.sum(axis=1)
                found.update(total.tolist(), (pairs[total > 0, 1] / total[total > 0]).tolist())
        _, counts = np.unique(np.asarray(y, dtype=str), return_counts=True)
        found.update(counts.astype(float).tolist(), (counts / counts.sum()).tolist(), [float(np.cumsum(counts)[-1])])
        return {abs(value) for value in found}

    def let_out(self, model: Any, X: Any, y: Any) -> list[tuple[str, float]]:
        """Every number that can be read after a fit: in the object, its pickle, JSON, texts, warnings, log, output."""
        return finite(self.places(model, X, y))

    def places(self, model: Any, X: Any, y: Any) -> dict[str, Any]:
        """Fit, and return all that can be read afterwards."""
        outcome = observe(lambda: model.fit(X, y))
        assert outcome.error is None, outcome.error
        path = self._folder / "model.json"
        model.save(path)
        budgets = [] if model.budget is None else [model.budget.to_dict(), str(model.budget), repr(model.budget)]
        copied = copy.deepcopy(model)
        pickled = copy.copy(model).set_params(budget=None)  # one in memory is of this process
        return {
            "vars": vars(model),
            "pickle": vars(pickle.loads(pickle.dumps(pickled))),
            "pickle opcodes": pickled_arguments(pickled),
            "copy": vars(copied),
            "json": path.read_text(),
            "repr": repr(model) + repr(vars(model)),
            "html": model._repr_html_(),
            "statement": statement_texts(model.privacy_),
            "budget": budgets,
            "warnings": [message for _, message in outcome.warnings],
            "log": outcome.log,
            "output": outcome.printed,
            "library": library_state(),
        }

    def evaluation_places(self, evaluate: Callable[[], Any]) -> dict[str, Any]:
        """Evaluate, and return all that can be read afterwards."""
        reports: list[Any] = []
        outcome = observe(lambda: reports.append(evaluate()))
        assert outcome.error is None, outcome.error
        (report,) = reports
        return {
            "vars": report,
            "pickle": pickle.loads(pickle.dumps(report)),
            "pickle opcodes": pickled_arguments(report),
            "json": json.dumps(report.to_dict(), allow_nan=False),
            "text": [str(report), repr(report), report._repr_html_() if hasattr(report, "_repr_html_") else ""],
            "statement": statement_texts(report.statement),
            "warnings": [message for _, message in outcome.warnings],
            "log": outcome.log,
            "output": outcome.printed,
            "library": library_state(),
        }

    def leaks(
        self,
        make: Callable[[], Any],
        table: tuple[Any, Any],
        other: tuple[Any, Any],
        train: Any = None,
        known: Any = (),
    ) -> list[tuple[str, float]]:
        """Numbers let out that equal a secret of ``table`` and are not public.

        A number is public if training on ``other``, a table with the same public facts, lets it out as well, or if it
        is ``known``. Whole numbers below 20, and sums of fewer than 20 rows of weight 1, are too common to tell.
        """
        for thing in library_state().values():
            if isinstance(thing, functools._lru_cache_wrapper):
                thing.cache_clear()  # of what other fits left there
        secrets = self.secrets(make, *table)
        public = {number for _, number in self.let_out(make(), *other)}
        train = make if train is None else train
        wanted = np.array(sorted(s for s in secrets - public if not is_common(s)))
        wanted = wanted[~near(wanted, np.array(sorted(known)))] if len(known) else wanted
        found = self.let_out(train(), *table)
        return [found[i] for i in np.flatnonzero(near(np.array([number for _, number in found]), wanted))]


def is_common(number: float) -> bool:
    """Whether it is a whole number below 20, or as many grid units."""
    return any(value == round(value) and value < 20 for value in (number, number / 2**16))


def near(numbers: np.ndarray, rising: np.ndarray) -> np.ndarray:
    """Which numbers equal one of ``rising``, but for rounding."""
    at = np.clip(np.searchsorted(rising, numbers), 1, len(rising) - 1)
    distance = np.minimum(abs(rising[at] - numbers), abs(rising[at - 1] - numbers))
    return np.asarray(distance <= 1e-12 * np.maximum(numbers, 1e-300))
