"""A saved model is the same model, bit by bit; and a file says what the model guarantees."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privboost
from privboost import BDPEClassifier, Domain, Numeric, PrivateTreeClassifier
from privboost.errors import ModelFileError
from privboost.exchange import ModelRecord, archive, dumps, loads, read_model, write_model
from privboost.exchange.ledger import WEIGHT_UNIT
from privboost.privacy.verify import verify_statement
from privboost.sources.local import GRID
from privboost.trees.tree import Splits, Tree

FIXTURES = Path(__file__).with_name("fixtures")


def bits(array: Any) -> bytes:
    return np.ascontiguousarray(array).tobytes()


def assert_same(left: ModelRecord, right: ModelRecord) -> None:
    for name in ("learner", "n_bins", "classes", "feature_names", "plan", "target_range"):
        assert getattr(left, name) == getattr(right, name), name
    assert list(map(type, left.classes)) == list(map(type, right.classes))
    assert left.parameters == right.parameters
    assert left.domain == right.domain
    assert left.statement == right.statement
    refinements = (left.refinement, right.refinement)
    assert len({None if r is None else json.dumps(r.to_dict()) for r in refinements}) == 1
    ours, theirs = left.ensemble, right.ensemble
    assert ours.base == theirs.base
    assert (ours.combination, ours.n_classes, ours.alpha) == (theirs.combination, theirs.n_classes, theirs.alpha)
    assert bits(ours.weights) == bits(theirs.weights)
    assert bits(ours.outputs) == bits(theirs.outputs)
    assert len(ours.trees) == len(theirs.trees)
    for one, other in zip(ours.trees, theirs.trees, strict=True):
        assert one.depth == other.depth
        assert bits(one.values) == bits(other.values)
        assert one.values.dtype == other.values.dtype
        for field in ("attribute", "first", "last", "missing_right"):
            assert bits(getattr(one.splits, field)) == bits(getattr(other.splits, field))
            assert getattr(one.splits, field).dtype == getattr(other.splits, field).dtype


def test_every_learner_comes_back_bit_by_bit(all_records: dict[str, ModelRecord]) -> None:
    for record in all_records.values():
        text = dumps(record)
        again = loads(text)
        assert_same(again, record)
        assert dumps(again) == text
        assert loads(text.encode()).learner == record.learner


def test_a_loaded_model_answers_as_the_one_that_was_saved(
    models: dict[str, Any], table: pd.DataFrame, tmp_path: Path
) -> None:
    for name, model in models.items():
        model.save(tmp_path / f"{name}.json")
        loaded = privboost.load(tmp_path / f"{name}.json")
        assert type(loaded) is type(model)
        assert loaded.predict(table).dtype == model.predict(table).dtype
        assert (loaded.predict(table) == model.predict(table)).all()
        for method in ("predict_proba", "decision_function"):
            assert bits(getattr(loaded, method)(table)) == bits(getattr(model, method)(table))
        # Columns go by name, as before.
        assert bits(loaded.predict_proba(table[table.columns[::-1]])) == bits(model.predict_proba(table))
        assert loaded.is_private_ == model.is_private_
        assert str(loaded.privacy_) == str(model.privacy_)


def test_a_threshold_keeps_its_side_for_both_precisions(tmp_path: Path) -> None:
    x = np.array([0.1, np.nextafter(0.1, 0), np.nextafter(0.1, 1), np.float64(np.float32(0.1)), 0.3, 0.7])
    X = np.concatenate([x, np.linspace(0, 1, 40)])[:, None]
    model = PrivateTreeClassifier(domain=Domain({"x": Numeric(0, 1)}), privacy=None, max_depth=4).fit(X, X[:, 0] > 0.1)
    model.save(tmp_path / "model.json")
    loaded = privboost.load(tmp_path / "model.json")
    for table in (x[:, None], x[:, None].astype(np.float32)):
        assert bits(loaded.predict_proba(table)) == bits(model.predict_proba(table))


def test_the_file_is_strict_json_of_ascii(records: dict[str, ModelRecord], all_records: dict[str, ModelRecord]) -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    assert archive.FORMAT == 2
    for name, record in all_records.items():
        text = dumps(record)
        assert text.isascii()
        document = json.loads(text, parse_constant=refuse)
        assert document["format"] == (1 if name in records else 2)


def test_the_file_says_what_the_model_guarantees(records: dict[str, ModelRecord]) -> None:
    statement = json.loads(dumps(records["bdpe"]))["statement"]
    assert statement["epsilon"] == 0.7
    assert statement["delta"] == 0.0
    assert statement["unit"] == {"relation": "add-remove", "rows_per_person": 1}
    assert statement["secure"] is True
    assert statement["private"] is True
    assert statement["assumed_public"]
    assert statement["version"] == privboost.__version__
    assert len(statement["releases"]) == 9
    assert all(release["cost_exact"] for release in statement["releases"])


def test_a_node_holds_nothing_but_its_test_and_a_leaf_nothing_but_its_value(
    all_records: dict[str, ModelRecord],
) -> None:
    for record in all_records.values():
        document = json.loads(dumps(record))
        for tree in document["ensemble"]["trees"]:
            assert set(tree) == {"depth", "attribute", "first", "last", "missing_right", "values"}
        assert set(document["ensemble"]) - {"base", "reach"} == {"combination", "alpha", "weights", "outputs", "trees"}


def numbers_in(value: Any) -> list[float]:
    if isinstance(value, dict | list):
        children = value.values() if isinstance(value, dict) else value
        return [number for child in children for number in numbers_in(child)]
    return [float(value)] if isinstance(value, int | float) and not isinstance(value, bool) else []


def test_no_exact_count_of_rows_is_in_the_file(fit_model: Any, label_counts: Any) -> None:
    # The number of all rows is public under the relation, and may be there; how many have a label may not.
    numbers = numbers_in(json.loads(dumps(fit_model("bdpe", n_rows=2003)._record())))
    assert numbers.count(2003.0) == 1
    for count in label_counts("bdpe", 2003):
        assert count > 500
        assert count not in numbers
        assert count / 2003 not in numbers


def test_the_size_of_the_file_does_not_grow_with_the_rows(fit_model: Any) -> None:
    small, large = (json.loads(dumps(fit_model("bdpe", n_rows=n)._record())) for n in (100, 20000))
    assert len(numbers_in(small)) == len(numbers_in(large))


def test_a_seed_is_not_in_the_file(fit_model: Any) -> None:
    assert "90210" not in dumps(fit_model("bdpe-simulated", random_state=90210)._record())


def test_grid_units_are_those_of_training() -> None:
    assert WEIGHT_UNIT == GRID


# -- every value of every field

finite = st.floats(allow_nan=False, allow_infinity=False)
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)


@st.composite
def noise_free_records(draw: st.DrawFn) -> ModelRecord:
    """Make a record with arbitrary names, labels, bounds, leaf values and weights; its ledger bounds nothing."""
    columns = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    bounds = draw(st.lists(finite, min_size=2, max_size=2, unique=True).map(sorted))
    attributes = {name: Numeric(*bounds, missing=draw(st.booleans())) for name in columns}
    label = draw(st.sampled_from([names, st.integers(-(2**63) + 1, 2**63 - 1), st.floats(-1e300, 1e300).map(float)]))
    classes = draw(st.lists(label, min_size=2, max_size=2, unique=True))
    depth = draw(st.integers(1, 3))
    model = BDPEClassifier(privacy=None, n_trees=1, max_depth=depth, domain=Domain(attributes), classes=[0, 1])
    generator = np.random.default_rng(draw(st.integers(0, 99)))
    record = model.fit(generator.choice(bounds, (9, len(columns))), generator.integers(0, 2, 9))._record()
    # Scores must stay finite: the sum of the trees' largest answers is checked.
    moderate = st.floats(-1e150, 1e150)
    values = np.array(draw(st.lists(moderate, min_size=2**depth, max_size=2**depth)))
    tree = Tree(depth, record.ensemble.trees[0].splits, values[:, None])
    ensemble = replace(record.ensemble, trees=(tree,), weights=np.array([draw(moderate)]))
    return replace(record, ensemble=ensemble, classes=tuple(classes))


@settings(max_examples=60, deadline=None)
@given(noise_free_records())
def test_any_names_labels_and_numbers_come_back(record: ModelRecord) -> None:
    text = dumps(record)
    assert_same(loads(text), record)
    assert dumps(loads(text)) == text


def test_negative_zero_and_the_smallest_float_come_back(records: dict[str, ModelRecord]) -> None:
    record = records["bdpe-exact"]
    tree = record.ensemble.trees[0]
    values = tree.values.copy()
    values[:4, 0] = [-0.0, 5e-324, 0.1 + 0.2, math.nextafter(1.0, 2.0)]
    changed = replace(record.ensemble, trees=(Tree(tree.depth, tree.splits, values), *record.ensemble.trees[1:]))
    back = loads(dumps(replace(record, ensemble=changed))).ensemble.trees[0].values
    assert bits(back) == bits(values)


# -- what cannot be written


def test_a_record_that_could_not_be_read_is_not_written(records: dict[str, ModelRecord], tmp_path: Path) -> None:
    record = records["bdpe"]
    path = tmp_path / "model.json"
    write_model(record, path)
    before = path.read_bytes()
    splits = record.ensemble.trees[0].splits
    bad_splits = Splits(splits.attribute + 99, splits.first, splits.last, splits.missing_right)
    bad_tree = Tree(record.ensemble.trees[0].depth, bad_splits, record.ensemble.trees[0].values)
    for changed in (
        replace(record, parameters=record.parameters | {"epsilon": 0.1}),
        replace(record, parameters=record.parameters | {"criterion": object()}),
        replace(record, plan=record.plan | {"x": math.nan}),
        replace(record, learner="Unheard"),
        replace(record, classes=("a", 1)),
        replace(record, ensemble=replace(record.ensemble, trees=(bad_tree, *record.ensemble.trees[1:]))),
    ):
        with pytest.raises(ModelFileError):
            write_model(changed, path)
        assert path.read_bytes() == before
        assert [child.name for child in tmp_path.iterdir()] == ["model.json"]


# -- old files stay readable


@pytest.mark.parametrize("name", ["bdpe", "bdpe-three", "forest", "tree", "tree-exact"])
def test_files_of_format_1_can_be_read(name: str) -> None:
    path = FIXTURES / f"format-1-{name}.json"
    record = read_model(path)
    expected = json.loads((FIXTURES / "format-1-answers.json").read_text())[name]
    loaded = privboost.load(path)
    rows = pd.DataFrame(expected["rows"], columns=expected["columns"])
    assert loaded.predict_proba(rows) == pytest.approx(np.array(expected["probabilities"]), rel=1e-12, abs=1e-12)
    assert loaded.predict(rows).tolist() == expected["labels"]
    assert record.statement.epsilon == expected["epsilon"]
    # Written again it is the same file: the writer still writes format 1 where it holds all of a model.
    assert dumps(record) == path.read_text()


@pytest.mark.parametrize("name", ["classifier", "multiclass", "regressor"])
def test_files_of_format_2_can_be_read(name: str) -> None:
    path = FIXTURES / f"format-2-{name}.json"
    record = read_model(path)
    expected = json.loads((FIXTURES / "format-2-answers.json").read_text())[name]
    loaded = privboost.load(path)
    assert loaded.is_private_
    assert (record.statement.epsilon, record.statement.delta) == (expected["epsilon"], expected["delta"])
    assert verify_statement(record.statement).private
    rows = pd.DataFrame(expected["rows"], columns=expected["columns"])
    close = {"rel": 1e-12, "abs": 1e-12}
    if name == "regressor":
        assert loaded.predict(rows) == pytest.approx(np.array(expected["predictions"]), **close)
    else:
        assert loaded.predict(rows).tolist() == expected["predictions"]
        assert loaded.decision_function(rows) == pytest.approx(np.array(expected["scores"]), **close)
        assert loaded.predict_proba(rows) == pytest.approx(np.array(expected["probabilities"]), **close)
    assert dumps(record) == path.read_text()


def test_the_files_of_format_2_use_what_is_new_in_it() -> None:
    classifier, multiclass, regressor = (
        read_model(FIXTURES / f"format-2-{name}.json") for name in ("classifier", "multiclass", "regressor")
    )
    assert [r.ensemble.combination for r in (classifier, multiclass, regressor)] == ["logit", "softmax", "identity"]
    assert [r.plan["mechanism"] for r in (classifier, multiclass, regressor)] == ["gaussian", "laplace", "laplace"]
    assert classifier.statement.delta == 1e-6
    assert classifier.refinement is not None
    assert classifier.refinement.reorders
    assert regressor.refinement is not None
    assert not regressor.plan["histograms"]
    assert not regressor.refinement.reorders
    # Scores out of the classifier's reach are answered, and the regressor's residuals were clipped.
    base, answers = classifier.ensemble.base[0], json.loads((FIXTURES / "format-2-answers.json").read_text())
    assert max(abs(score - base) for score in answers["classifier"]["scores"]) > classifier.ensemble.reach
    assert regressor.plan["residual_clip"] == 0.125
