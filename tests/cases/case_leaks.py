"""A search for exact numbers of private rows in whatever can be read after a fit."""

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
        self,
        make: Callable[[], Any],
        table: tuple[Any, Any],
        other: tuple[Any, Any],
        train: Any = None,
        known: Any = (),
    ) -> list[tuple[str, float]]:
        """Numbers let out that equal a secret of ``table`` and are not public.

        A number is public if training on ``other``, a table with the same public facts, lets it out as well, or if it
        is ``known``. Whole numbers below 20 are too common to tell.
        """
        secrets = self.secrets(make, *table)
        public = {number for _, number in self.let_out(make(), *other)}
        train = make if train is None else train
        wanted = np.array(sorted(s for s in secrets - public if s >= 20 or s != round(s)))
        wanted = wanted[~near(wanted, np.array(sorted(known)))] if len(known) else wanted
        found = self.let_out(train(), *table)
        numbers = np.array([number for _, number in found])
        return [found[i] for i in np.flatnonzero(near(numbers, wanted))]


def near(numbers: np.ndarray, rising: np.ndarray) -> np.ndarray:
    """Which numbers equal one of ``rising``, but for rounding."""
    at = np.clip(np.searchsorted(rising, numbers), 1, len(rising) - 1)
    distance = np.minimum(abs(rising[at] - numbers), abs(rising[at - 1] - numbers))
    return np.asarray(distance <= 1e-12 * np.maximum(numbers, 1e-300))
