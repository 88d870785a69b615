"""All that ``fit`` publishes is a function of what was released: same outcomes, same bits, whatever the rows."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from audit_cases import (
    DEPTH_TWO,
    FORESTS,
    MULTI_CLASS,
    SMALL_BOOSTED,
    SMALLEST_BOOSTED,
    SMALLEST_TREES,
    TREES,
    TWO_TREES,
    WIDE,
    Case,
)
from audit_harness import Script, Transcript, random_transcript

from privboost import BDPEClassifier, Domain
from privboost.ensembles import boosting
from privboost.estimators.classifier import PrivateClassifier
from privboost.losses import Loss
from privboost.sources.local import GRID, LocalRows

CASES = [
    *SMALLEST_BOOSTED[:2],
    *SMALL_BOOSTED[8:10],
    *TWO_TREES[::3],
    *DEPTH_TWO[:3],
    *SMALLEST_TREES[::7],
    TREES[1],
    *MULTI_CLASS,
    *FORESTS[::5],
]
MOST_TABLES = 25


def bits(value: Any) -> Any:
    """Everything that a public object holds, comparable bit by bit."""
    if value is None or isinstance(value, bool | int | str | Fraction):
        return type(value).__name__, value
    if isinstance(value, float):
        return "float", value.hex()
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tolist() if value.dtype == object else value.tobytes()
    if isinstance(value, tuple | list):
        return type(value).__name__, [bits(v) for v in value]
    if isinstance(value, dict):
        return "dict", [(bits(k), bits(v)) for k, v in value.items()]
    if dataclasses.is_dataclass(value):
        return type(value).__name__, [(f.name, bits(getattr(value, f.name))) for f in dataclasses.fields(value)]
    if isinstance(value, Domain | Loss):
        return type(value).__name__, repr(value)
    if type(value).__module__.startswith("privboost.data."):  # an encoder, its rules and what they look up
        return type(value).__name__, bits(vars(value))
    raise TypeError(f"no way to compare {type(value)}")


def published(case: Case, table: tuple[int, ...], transcript: Transcript, path: Path) -> Any:
    """Fit, and return all attributes of the model and the file that it saves."""
    model = case.fit(table, Script(transcript))
    assert model.is_private_
    model.save(path)
    return bits(vars(model)), path.read_bytes()


def distinct(case: Case, path: Path, seed: int = 0) -> int:
    """How many different models a script leads to, over tables that are all neighbours' neighbours."""
    rng = np.random.default_rng(seed)
    tables = case.tables()
    if len(tables) > MOST_TABLES:
        tables = [tables[i] for i in rng.choice(len(tables), MOST_TABLES, replace=False)]
    trees = tuple(rng.integers(case.params.get("n_trees", 1), size=case.n_rows).tolist())
    script = random_transcript(case.releases, far=case.far, unit=GRID, rng=rng, tree_of_row=trees)
    first = published(case, tables[0], script, path)
    return 1 + sum(published(case, table, script, path) != first for table in tables[1:])


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_the_same_outcomes_give_the_same_model_whatever_the_rows(case: Case, tmp_path: Path) -> None:
    assert distinct(case, tmp_path / "model.json") == 1


def test_other_outcomes_give_another_model(tmp_path: Path) -> None:
    case, path = TWO_TREES[0], tmp_path / "model.json"
    rng = np.random.default_rng(1)
    scripts = [random_transcript(case.releases, far=case.far, unit=GRID, rng=rng) for _ in range(5)]
    assert published(case, case.tables()[0], scripts[0], path) != published(case, case.tables()[0], scripts[1], path)


class TestPlantedLeaks:
    """Each must be caught by the comparison above."""

    case = Case(BDPEClassifier, {"n_trees": 2, "max_depth": 1}, n_rows=3, epsilon=5.0)

    def test_the_low_bits_of_a_leaf(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        grow = boosting.Trainer.grow

        def leaky(self: Any, rows: LocalRows, *args: Any) -> Any:
            released = grow(self, rows, *args)
            return dataclasses.replace(released, sums=released.sums + 1e-12 * rows.exact_leaf_sums())

        monkeypatch.setattr(boosting.Trainer, "grow", leaky)
        assert distinct(self.case, tmp_path / "model.json") > 1

    def test_a_count_in_the_plan(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        train = BDPEClassifier._train

        def leaky(self: Any, training: Any, plan: Any) -> Any:
            ensemble, final = train(self, training, plan)
            listed = int((training.rows(None, 1.0).exact_leaf_sums().sum()) // GRID)
            return ensemble, dataclasses.replace(final, n_rows=1 + listed)

        monkeypatch.setattr(BDPEClassifier, "_train", leaky)
        assert distinct(self.case, tmp_path / "model.json") > 1

    def test_an_attribute_of_the_model(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        fit = PrivateClassifier.fit

        def leaky(self: Any, X: Any, y: Any) -> Any:
            fit(self, X, y)
            self.seen_ = [str(label) for label in np.unique(y)]
            return self

        monkeypatch.setattr(PrivateClassifier, "fit", leaky)
        assert distinct(self.case, tmp_path / "model.json") > 1

    def test_a_leaf_that_is_empty(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        grow = boosting.Trainer.grow

        def leaky(self: Any, rows: LocalRows, *args: Any) -> Any:
            released = grow(self, rows, *args)
            empty = rows.exact_leaf_sums().sum(axis=1) == 0
            return dataclasses.replace(released, sums=np.where(empty[:, None], 0.0, released.sums))

        monkeypatch.setattr(boosting.Trainer, "grow", leaky)
        assert distinct(self.case, tmp_path / "model.json") > 1


def test_a_mixed_table_of_many_rows(tmp_path: Path) -> None:
    case = Case(BDPEClassifier, {"n_trees": 3, "max_depth": 3}, WIDE, 30)
    rng = np.random.default_rng(0)
    script = random_transcript(case.releases, far=case.far, unit=GRID, rng=rng)
    tables = [tuple(rng.integers(len(WIDE.kinds), size=30).tolist()) for _ in range(10)]
    path = tmp_path / "model.json"
    first = published(case, tables[0], script, path)
    assert all(published(case, table, script, path) == first for table in tables[1:])
