"""What a study trains: a grid of settings, in a TOML file. Parsed, checked and named; no data set is opened."""

from __future__ import annotations

import hashlib
import json
import math
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from itertools import product
from pathlib import Path
from typing import Any

from privboost.errors import ParameterError, ParameterTypeError, SchemaError
from privboost.estimators.bdpe import PAPER_CHOICES, TIGHT_CHOICES
from privboost.paths import check_path

__all__ = ["ARMS", "CALIBRATED", "FORESTS", "GRIDS", "LEFT_TO_LEARNER", "NOISE_FREE", "Grid", "Setting", "load_grid"]

FORMAT, VERSION = "privboost-grid", 1

GRIDS = ("smoke", "paper", "readings", "gaps")
"""Grids of the package, by name."""

ARMS: dict[str, dict[str, Any]] = {
    "paper": PAPER_CHOICES,
    "exact-leverage": PAPER_CHOICES | {"leverage": "exact"},
    "tight": TIGHT_CHOICES,
    "parallel": PAPER_CHOICES | {"composition": "parallel"},
    "smoothed": PAPER_CHOICES | {"leaf_smoothing": 1.0},
    "gap": PAPER_CHOICES | {"calibration_gap": 0.1},
    "exact-parallel": PAPER_CHOICES | {"leverage": "exact", "composition": "parallel"},
    "tight-gap-1": TIGHT_CHOICES | {"calibration_gap": 1.0},
    "tight-gap-0.3": TIGHT_CHOICES | {"calibration_gap": 0.3},
    "tight-gap-0.03": TIGHT_CHOICES | {"calibration_gap": 0.03},
}
"""Ways to train the paper's learner: the paper's choices, the same with exact leverage, and the defaults; then other
readings of the paper, a change or two each, and other gaps of objective calibration."""

NOISE_FREE = "noise-free"
"""The arm of runs without privacy, where all arms are one."""

CALIBRATED = "O.C"
"""The alpha of objective calibration."""

LEFT_TO_LEARNER = 0
"""Stands for a number of trees, a depth or a number of bins that a learner chooses by itself."""

FORESTS: dict[str, dict[str, Any]] = {
    "RF-L": {"mechanism": "laplace", "partition": "disjoint"},
    "RF-E": {"mechanism": "exponential", "partition": "disjoint"},
    "RF-L, shared rows": {"mechanism": "laplace", "partition": "shared"},
    "RF-E, shared rows": {"mechanism": "exponential", "partition": "shared"},
}
"""Forests of the study, and their choices: trees that have rows of their own, as published, or share all."""

_MECHANISMS = {
    "laplace": "RF-L",
    "exponential": "RF-E",
    "laplace-shared": "RF-L, shared rows",
    "exponential-shared": "RF-E, shared rows",
}
"""The forests by their names in a grid."""

CRITERIA = ("log", "square", "zero-one", "matsushita")


@dataclass(frozen=True)
class Setting:
    """One way to train one model.

    Attributes
    ----------
    learner : str
        "bdpe", one of `FORESTS`, "tree" with its criterion ("tree-log"), or "auto".
    arm : str
        One of `ARMS` or `NOISE_FREE` for "bdpe"; "private" or `NOISE_FREE` for the rest.
    epsilon : float
        Infinite without privacy.
    alpha : str
        "0.1", "1", `CALIBRATED`; empty where there is none.
    n_trees, depth, n_bins : int
        `LEFT_TO_LEARNER` where the learner chooses.
    share : float
        Part of the budget that goes to splits. NaN where there is nothing to divide.
    """

    learner: str
    arm: str
    epsilon: float
    alpha: str
    n_trees: int
    depth: int
    share: float
    n_bins: int

    @property
    def private(self) -> bool:
        """Whether there is a budget."""
        return math.isfinite(self.epsilon)

    def seed(self, seed: int, table: str, fold: int) -> int:
        """Return the seed of this training, from 0 to 2**63 - 1: that of the study, table, fold and setting decide.

        It depends on nothing else, so that a row is the same in whatever grid, order and number of workers.
        """
        key = f"{seed}|{table}|{fold}|{self.learner}|{self.arm}|{self.epsilon!r}|{self.alpha}"
        key += f"|{self.n_trees}|{self.depth}|{self.share!r}|{self.n_bins}"
        return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") >> 1


@dataclass(frozen=True)
class Grid:
    """The settings of a study.

    Attributes
    ----------
    name : str
    tables : tuple of str, or None
        Names in the catalogue; None for all.
    folds : int
        Parts of the stratified cross-validation, 2 to 100.
    bins : tuple of int
    epsilons : tuple of float
    noise_free, auto : bool
        Whether to train without privacy too; whether to train `PrivateBoostingClassifier` as it comes.
    parts : dict
        The tables "bdpe", "forest" and "tree" of the file, checked.
    catalogue : Path or None
        Another catalogue than the package's.
    """

    name: str
    tables: tuple[str, ...] | None
    folds: int
    bins: tuple[int, ...]
    epsilons: tuple[float, ...]
    noise_free: bool
    auto: bool
    parts: dict[str, dict[str, tuple[Any, ...]]]
    catalogue: Path | None = None

    def settings(self) -> list[Setting]:
        """Return all settings, by number of bins first; no setting occurs twice."""
        found = [setting for n_bins in self.bins for setting in self._of_bins(n_bins)]
        if self.auto:
            found += [_auto(epsilon) for epsilon in self._all_epsilons()]
        return list(dict.fromkeys(found))

    def fingerprint(self) -> str:
        """Return a text that is the same for grids with the same settings and folds."""
        content = [self.folds, [repr(setting) for setting in self.settings()]]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()

    def _all_epsilons(self) -> tuple[float, ...]:
        return (*self.epsilons, math.inf) if self.noise_free else self.epsilons

    def _of_bins(self, n_bins: int) -> Iterator[Setting]:
        nan = math.nan
        if part := self.parts.get("bdpe"):
            sizes = list(product(part["alphas"], part["trees"], part["depths"]))
            for arm, epsilon, (alpha, trees, depth), share in product(
                part["arms"], self.epsilons, sizes, part["shares"]
            ):
                yield Setting("bdpe", arm, epsilon, alpha, trees, depth, share, n_bins)
            if self.noise_free:
                yield from (Setting("bdpe", NOISE_FREE, math.inf, *size, nan, n_bins) for size in sizes)
        if part := self.parts.get("forest"):
            for name, epsilon, trees, depth in product(
                part["mechanisms"], self.epsilons, part["trees"], part["depths"]
            ):
                yield Setting(_MECHANISMS[name], "private", epsilon, "", trees, depth, 0.0, n_bins)
        if part := self.parts.get("tree"):
            for name, epsilon, depth, share in product(part["criteria"], self.epsilons, part["depths"], part["shares"]):
                yield Setting(f"tree-{name}", "private", epsilon, "", 1, depth, share, n_bins)


def _auto(epsilon: float) -> Setting:
    arm = "private" if math.isfinite(epsilon) else NOISE_FREE
    return Setting("auto", arm, epsilon, "", *(LEFT_TO_LEARNER,) * 2, math.nan, LEFT_TO_LEARNER)


def load_grid(name: str | Path) -> Grid:
    """Return a grid of the package, or one from a file.

    Parameters
    ----------
    name : str or Path
        One of `GRIDS`, or a TOML file.

    Raises
    ------
    SchemaError
        If there is no such file, or it is no TOML.
    ParameterError
        If the grid is wrong: file and key are named.
    """
    if name in GRIDS:
        text = (resources.files("privboost.experiments") / "grids" / f"{name}.toml").read_text(encoding="utf-8")
        return _Reader(str(name), tomllib.loads(text)).grid(None)
    path = Path(check_path(name))
    if not path.is_file():
        raise SchemaError(f"--grid: {str(name)!r} is neither one of {', '.join(GRIDS)} nor a file.")
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SchemaError(f"--grid: {path.name!r} is not valid TOML: {error}.") from None
    return _Reader(path.name, content).grid(path.parent)


_TOP = ("format", "version", "name", "tables", "folds", "bins", "epsilons", "noise_free", "auto", "catalogue")
_PARTS = {
    "bdpe": ("arms", "alphas", "trees", "depths", "shares"),
    "forest": ("mechanisms", "trees", "depths"),
    "tree": ("criteria", "depths", "shares"),
}


@dataclass(frozen=True)
class _Reader:
    """Reads the content of one file, whose name begins every message."""

    file: str
    content: Mapping[str, Any]

    def grid(self, folder: Path | None) -> Grid:
        self._check_keys("", self.content, (*_TOP, *_PARTS))
        for key, expected in (("format", FORMAT), ("version", VERSION)):
            if self.content.get(key) != expected:
                raise ParameterError(self._named(key), self.content.get(key), repr(expected))
        parts = {name: self._part(name, keys) for name, keys in _PARTS.items() if name in self.content}
        if not parts and not self.content.get("auto"):
            raise ParameterError(self._named("bdpe"), None, "there, or forest, tree or auto", "Nothing would be run.")
        catalogue = self.content.get("catalogue")
        if catalogue is not None and (not isinstance(catalogue, str) or folder is None):
            raise ParameterTypeError(self._named("catalogue"), catalogue, "the name of a JSON file, beside this one")
        tables = self.content.get("tables", "all")
        return Grid(
            name=str(self.content.get("name", self.file)),
            tables=None if tables == "all" else self._list("tables", tables, _is_text, "'all', or a list of names"),
            folds=self._integer("folds", 2, 100),
            bins=self._list("bins", self.content.get("bins"), _within(2, 254), "integers from 2 to 254"),
            epsilons=self._numbers("epsilons", self.content.get("epsilons"), 1e-6, 1e6),
            noise_free=self._flag("noise_free"),
            auto=self._flag("auto"),
            parts=parts,
            catalogue=None if catalogue is None or folder is None else folder / catalogue,
        )

    def _part(self, name: str, keys: tuple[str, ...]) -> dict[str, tuple[Any, ...]]:
        part = self.content[name]
        if not isinstance(part, dict):
            raise ParameterTypeError(self._named(name), part, "a table of lists")
        self._check_keys(f"{name}.", part, keys)
        checks: dict[str, Any] = {
            "arms": (lambda v: v in ARMS, f"a list of {', '.join(ARMS)}"),
            "alphas": (_is_alpha, f"a list of numbers above 0 and at most 1, and {CALIBRATED!r}"),
            "trees": (_within(1, 10000), "a list of integers from 1 to 10000"),
            "depths": (_within(1, 16), "a list of integers from 1 to 16"),
            "shares": (lambda v: _is_number(v) and 0 < v < 1, "a list of numbers between 0 and 1"),
            "mechanisms": (lambda v: v in _MECHANISMS, f"a list of {', '.join(_MECHANISMS)}"),
            "criteria": (lambda v: v in CRITERIA, f"a list of {', '.join(CRITERIA)}"),
        }
        values = {key: self._list(f"{name}.{key}", part.get(key), *checks[key]) for key in keys}
        if "alphas" in values:
            values["alphas"] = tuple(v if v == CALIBRATED else f"{v:g}" for v in values["alphas"])
        if "shares" in values:
            values["shares"] = tuple(map(float, values["shares"]))
        return values

    def _named(self, key: str) -> str:
        return f"{key} in {self.file!r}"

    def _check_keys(self, prefix: str, table: Mapping[str, Any], known: tuple[str, ...]) -> None:
        for key in table:
            if key not in known:
                raise ParameterError(self._named(f"{prefix}{key}"), table[key], f"left out: the keys are {known}")

    def _list(self, key: str, given: Any, legal: Any, expected: str) -> tuple[Any, ...]:
        if not isinstance(given, list) or not given or not all(legal(value) for value in given):
            raise ParameterError(self._named(key), given, expected)
        if len(set(given)) < len(given):
            raise ParameterError(self._named(key), given, "without repetition")
        return tuple(given)

    def _numbers(self, key: str, given: Any, low: float, high: float) -> tuple[float, ...]:
        expected = f"a list of numbers from {low:g} to {high:g}"
        return tuple(map(float, self._list(key, given, lambda v: _is_number(v) and low <= v <= high, expected)))

    def _integer(self, key: str, low: int, high: int) -> int:
        given = self.content.get(key)
        if not _within(low, high)(given):
            raise ParameterError(self._named(key), given, f"an integer from {low} to {high}")
        return int(given)  # type: ignore[arg-type]  # checked

    def _flag(self, key: str) -> bool:
        given = self.content.get(key, False)
        if not isinstance(given, bool):
            raise ParameterTypeError(self._named(key), given, "true or false")
        return given


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_alpha(value: Any) -> bool:
    return value == CALIBRATED or (_is_number(value) and 0 < value <= 1)


def _within(low: int, high: int) -> Any:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
