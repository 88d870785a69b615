"""Which column is predicted, and how its cells become labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from privboost import Domain, Numeric
from privboost.cli.target import (
    DeclaredDomain,
    PositiveRule,
    Target,
    choose_target,
    labels_for,
    parse_classes,
    read_domain,
)
from privboost.data.datasets import read_table
from privboost.data.labels import encode_labels
from privboost.errors import ParameterError, SchemaError


def codes(labels: pd.Series, classes: tuple[Any, ...]) -> list[int]:
    return encode_labels(*labels_for(labels, Target("y", classes, None))).tolist()


def test_a_domain_file_is_found_with_and_without_an_entry(folder: Path) -> None:
    assert read_domain(str(folder / "domain.toml")).domain.names == ("age", "job", "member")
    for mark in ":#":
        declared = read_domain(f"{folder / 'catalogue.json'}{mark}two")
        assert declared.domain.target == "income"
        assert declared.rule is None
    assert read_domain(f"{folder / 'catalogue.json'}:in").rule == PositiveRule("in", ("3", "4"), 0.0, tuple("01234"))


def test_a_file_whose_name_holds_a_colon_is_that_file(folder: Path) -> None:
    path = folder / "a.json:b.toml"
    path.write_text((folder / "domain.toml").read_text(encoding="utf-8"), encoding="utf-8")
    assert read_domain(str(path)).domain.target == "income"


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("no,yes", ("no", "yes")),
        ("<=50K, >50K", ("<=50K", ">50K")),
        ('"a,b",c', ("a,b", "c")),
        ("0,1,2", ("0", "1", "2")),
        ("one", ("one",)),
        ("", ()),
        (None, None),
    ],
)
def test_classes_on_a_command_line(text: str | None, classes: tuple[str, ...] | None) -> None:
    assert parse_classes(text) == classes


def test_the_command_line_goes_before_the_file(folder: Path) -> None:
    declared = read_domain(str(folder / "domain.toml"))
    assert choose_target(declared, None, None) == Target("income", ("no", "yes"), None)
    assert choose_target(declared, "income", None) == Target("income", ("no", "yes"), None)
    assert choose_target(declared, None, ["a", "b"]) == Target("income", ("a", "b"), None)
    assert choose_target(declared, "other", ["a", "b"]) == Target("other", ("a", "b"), None)
    with pytest.raises(SchemaError, match="labels of 'other' are not declared"):
        choose_target(declared, "other", None)


def test_without_a_target_it_says_how_to_name_one() -> None:
    from privboost import Domain, Numeric

    declared = DeclaredDomain(Domain({"x": Numeric(0, 1)}), None)
    with pytest.raises(SchemaError, match="--target COLUMN"):
        choose_target(declared, None, None)
    with pytest.raises(SchemaError, match="--classes"):
        choose_target(declared, "y", None)


TEXT = pd.Series(["1", "0", None, "2", "1.0", "True"], dtype="str")


@pytest.mark.parametrize(
    ("labels", "classes", "expected"),
    [
        (TEXT, ("0", "1"), [1, 0, -1, -1, -1, -1]),
        (TEXT, (0, 1), [1, 0, -1, -1, 1, -1]),
        (TEXT, (False, True), [-1, -1, -1, -1, -1, 1]),
        (TEXT.astype(object), (0, 1), [1, 0, -1, -1, 1, -1]),
        (pd.Series([1, 0, 2]), ("0", "1"), [1, 0, -1]),
        (pd.Series([1, 0, 2]), (0, 1), [1, 0, -1]),
        (pd.Series([1.0, 0.0, float("nan")]), ("0", "1"), [1, 0, -1]),
        (pd.Series([True, False]), ("false", "true"), [1, 0]),
        (pd.Series([True, False]), (False, True), [1, 0]),
        (pd.Series([1, None], dtype="Int64"), ("0", "1"), [1, -1]),
        (pd.Series(["a", "b", None], dtype="category"), ("a", "b"), [0, 1, -1]),
        (pd.Series(["0", "1", None], dtype="category"), (0, 1), [0, 1, -1]),
    ],
)
def test_a_label_is_the_class_that_prints_the_same(
    labels: pd.Series, classes: tuple[Any, ...], expected: list[int]
) -> None:
    assert codes(labels, classes) == expected


def test_a_column_of_numbers_has_no_classes_in_words() -> None:
    with pytest.raises(SchemaError, match="'y' holds numbers, but the class 'no' is none"):
        labels_for(pd.Series([0, 1]), Target("y", ("no", "yes"), None))


@pytest.mark.parametrize("cells", [["3", "4", "0", "9", None, "3.0"], [3, 4, 0, 9, None, 3.0]])
def test_a_rule_leaves_missing_and_unlisted_labels_out(cells: list[Any]) -> None:
    for rule in (
        PositiveRule("in", ("3", "4"), 0.0, tuple("01234")),
        PositiveRule("ge", (), 3.0, tuple("01234")),
        PositiveRule("gt", (), 2.0, tuple("01234")),
    ):
        labels, classes = labels_for(pd.Series(cells, dtype=object), Target("y", ("0", "1"), rule))
        assert labels.tolist() == ["1", "1", "0", None, None, "1"]
        assert classes == ("0", "1")


def test_a_rule_that_is_none_is_refused(folder: Path) -> None:
    path = folder / "catalogue.json"
    text = path.read_text(encoding="utf-8")
    for old, new in (('"rule": "ge"', '"rule": "near"'), ('"threshold": 3', '"threshold": "three"')):
        path.write_text(text.replace(old, new), encoding="utf-8")
        with pytest.raises(ParameterError):
            read_domain(f"{path}:ge")


@pytest.mark.parametrize(
    ("values", "kind", "classes"),
    [
        ([True, False, True], "bool", ("0", "1")),
        ([True, False, True], "bool", (False, True)),
        ([True, False, True], "boolean", ("False", "True")),
        ([2**60 + 1, 3, 2**60 + 1], "int64", ("3", str(2**60 + 1))),
        ([2**60 + 1, 3, 2**60 + 1], "Int64", (3, 2**60 + 1)),
        ([1, 0, 1], "uint8", ("0", "1")),
        ([1.0, 0.0, 1.0], "float64", (0, 1)),
        (["b", "a", "b"], "object", ("a", "b")),
    ],
)
def test_a_missing_label_changes_no_other_row_s(
    values: list[Any], kind: str, classes: tuple[Any, ...], tmp_path: Path
) -> None:
    """pandas gives a column of a Parquet file another dtype when a cell is missing: then all rows would be affected."""
    domain, found = Domain({"x": Numeric(0, 1)}), []
    arrow = {"object": "string", "bool": "bool_", "boolean": "bool_"}.get(kind, kind.lower())
    for last in (values[2], None):
        column = pa.array([*values[:2], last], type=getattr(pa, arrow)())
        pq.write_table(pa.table({"x": [0.1, 0.2, 0.3], "y": column}), tmp_path / "t.parquet")
        found.append(codes(read_table(tmp_path / "t.parquet", domain, "y")[1], classes))
    assert found == [[1, 0, 1], [1, 0, -1]]
