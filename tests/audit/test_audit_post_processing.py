"""All that ``fit`` publishes is a function of what was released: same outcomes, same bits, whatever the rows."""

from __future__ import annotations

import dataclasses
import gc
import pickle
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
from audit_newton_cases import (
    ADAPTIVE,
    DIRECTED,
    EXHAUSTIVE,
    GAUSSIAN,
    LAPLACE,
    MIXED,
    NEWTON_LARGER,
    SMALLEST,
    TWO_ROUNDS,
    VARIED,
    WEIGHTED,
    classifier,
)

from privboost import BDPEClassifier, Domain
from privboost.auditing.scripts import Script, Transcript, random_transcript
from privboost.ensembles import boosting, newton
from privboost.estimators.boosting import PrivateBoostingClassifier
from privboost.estimators.classifier import PrivateClassifier
from privboost.estimators.training import Trained
from privboost.losses import Loss
from privboost.sources.gradients import GradientRows
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
    *SMALLEST[::5],
    *ADAPTIVE,
    *EXHAUSTIVE[1::2],
    *VARIED[::3],
    *WEIGHTED[::3],
    *DIRECTED[::2],
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
    """Fit, and return all attributes of the model, also after a pickle, and the file that it saves."""
    model = case.fit(table, Script(transcript))
    assert model.is_private_
    model.save(path)
    return bits(vars(model)), bits(vars(pickle.loads(pickle.dumps(model)))), path.read_bytes()


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


class TestPlantedLeaksOfRandomTrees:
    """The same for learners that refine their codes, with both kinds of noise."""

    noises = pytest.mark.parametrize("noise", [LAPLACE, GAUSSIAN], ids=["laplace", "gaussian"])

    @staticmethod
    def case(noise: dict[str, Any]) -> Case:
        return classifier({**TWO_ROUNDS, **noise}, MIXED)

    @noises
    def test_the_whole_one_holds(self, noise: dict[str, Any], tmp_path: Path) -> None:
        assert distinct(self.case(noise), tmp_path / "model.json") == 1

    @noises
    def test_edges_and_orders_by_exact_counts(
        self, noise: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        known = newton.NewtonTrainer._histograms

        def leaky(self: Any, rows: GradientRows, total: float) -> Any:
            released = known(self, rows, total)
            codes = rows._encode(None)
            exact = np.bincount((codes + 10 * np.arange(len(codes))[:, None]).ravel(), minlength=len(released.counts))
            return dataclasses.replace(released, counts=released.counts + 1e6 * exact[: len(released.counts), None])

        monkeypatch.setattr(newton.NewtonTrainer, "_histograms", leaky)
        assert distinct(self.case(noise), tmp_path / "model.json") > 1

    @noises
    def test_the_low_bits_of_a_leaf(
        self, noise: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        add = GradientRows.add

        def leaky(self: Any, values: np.ndarray) -> None:
            add(self, values)
            values += 1e-13 * np.bincount(self._leaf, minlength=len(values))[:, None]

        monkeypatch.setattr(GradientRows, "add", leaky)
        assert distinct(self.case(noise), tmp_path / "model.json") > 1

    @noises
    def test_a_gradient_in_the_plan(
        self, noise: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        train = newton.NewtonTrainer.train

        def leaky(self: Any, rows: GradientRows) -> Any:
            outcome = train(self, rows)
            object.__setattr__(self.plan, "reasons", (f"gradients add up to {rows._gradients.sum()}",))
            return outcome

        monkeypatch.setattr(newton.NewtonTrainer, "train", leaky)
        assert distinct(self.case(noise), tmp_path / "model.json") > 1

    @noises
    def test_codes_that_stay_with_the_model(
        self, noise: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        train = PrivateBoostingClassifier._train

        def leaky(self: Any, training: Any, plan: Any) -> Any:
            outcome = train(self, training, plan)
            self.codes_ = training.encode(outcome.refinement)
            return outcome

        monkeypatch.setattr(PrivateBoostingClassifier, "_train", leaky)
        assert distinct(self.case(noise), tmp_path / "model.json") > 1


@pytest.mark.parametrize("case", [NEWTON_LARGER[0], NEWTON_LARGER[1], NEWTON_LARGER[-1]], ids=repr)
def test_nothing_of_the_training_is_left_after_a_fit(case: Case) -> None:
    """No array as long as the table, in the model or held by anything else; no rows, no raw sums."""
    rng = np.random.default_rng(0)
    n_rows = 4099  # no shape of a model, and a prime: no product of such shapes either
    delta = {"delta": 1e-6} if case.delta else {}
    case = dataclasses.replace(case, n_rows=n_rows, params={**case.params, **delta})
    script = random_transcript(case.releases, far=case.far, unit=GRID, rng=rng)
    before = {id(thing) for thing in rows_in_memory()}
    model = case.fit(tuple(rng.integers(len(case.world.kinds), size=n_rows).tolist()), Script(script))
    assert isinstance(model._trained, Trained)
    assert not [size for size in sizes_in(bits(vars(model))) if size % n_rows == 0]
    assert {id(thing) for thing in rows_in_memory()} <= before


def rows_in_memory() -> list[Any]:
    gc.collect()
    return [thing for thing in gc.get_objects() if isinstance(thing, GradientRows | LocalRows)]


def sizes_in(compared: Any) -> list[int]:
    """Numbers of entries of all arrays in what `bits` returns."""
    if isinstance(compared, tuple) and len(compared) == 3 and isinstance(compared[1], tuple):
        return [int(np.prod(compared[1]))] if compared[1] and 0 not in compared[1] else []
    if isinstance(compared, tuple | list):
        return [size for part in compared for size in sizes_in(part)]
    return []


def test_that_search_finds_an_array_of_the_rows() -> None:
    assert sizes_in(bits({"a": [np.zeros((2, 7)), {"b": (np.zeros(5),)}], "c": 3})) == [14, 5]


def test_a_mixed_table_of_many_rows(tmp_path: Path) -> None:
    case = Case(BDPEClassifier, {"n_trees": 3, "max_depth": 3}, WIDE, 30)
    rng = np.random.default_rng(0)
    script = random_transcript(case.releases, far=case.far, unit=GRID, rng=rng)
    tables = [tuple(rng.integers(len(WIDE.kinds), size=30).tolist()) for _ in range(10)]
    path = tmp_path / "model.json"
    first = published(case, tables[0], script, path)
    assert all(published(case, table, script, path) == first for table in tables[1:])
