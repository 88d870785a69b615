"""Domains as JSON, TOML and forms to fill in."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privboost.data import Boolean, Categorical, Domain, Numeric, Ordinal
from privboost.errors import ParameterError, ParameterTypeError, SchemaTypeError

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
FINITE = st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.lists(
    st.one_of(TEXT.filter(lambda text: text != "TODO"), st.integers(-(2**63), 2**64 - 1), st.booleans()),
    min_size=1,
    max_size=6,
    unique_by=str,
)
PLAIN = {"format": "privboost-domain", "version": 1}


@st.composite
def numerics(draw: st.DrawFn) -> Numeric:
    integer = draw(st.booleans())
    bound: st.SearchStrategy[float] = st.integers(-(2**70), 2**70) if integer else FINITE
    lo, hi = sorted((float(draw(bound)), float(draw(bound))))
    return Numeric(lo, hi, integer, draw(st.booleans()))


ATTRIBUTES = st.one_of(
    numerics(),
    st.builds(Categorical, VALUES, st.booleans()),
    st.builds(Ordinal, VALUES, st.booleans()),
    st.builds(Boolean, st.booleans()),
)
DOMAINS = st.builds(
    lambda attributes, classes: Domain(attributes, classes=classes),
    st.dictionaries(TEXT.filter(bool), ATTRIBUTES, min_size=1, max_size=4),
    st.none() | VALUES,
)


@settings(max_examples=100, deadline=None)
@given(domain=DOMAINS)
def test_json_and_toml_round_trips_are_exact(domain: Domain) -> None:
    text = domain.to_json()
    json.loads(text, parse_constant=lambda name: pytest.fail(f"not strict JSON: {name}"))
    for back in (Domain.from_json(text), Domain.from_json(json.loads(text)), Domain.from_toml(domain.to_toml())):
        assert back == domain
        assert repr(back) == repr(domain)


@pytest.mark.parametrize("suffix", [".json", ".toml", ".JSON"])
def test_files(tmp_path: Path, suffix: str) -> None:
    domain = Domain({"ä 日": Numeric(-0.1, 1e300), "c": Categorical(["x", "\x7f"])}, target="t", classes=["n", "ÿ"])
    path = tmp_path / f"domain{suffix}"
    domain.save(path)
    assert Domain.load(path) == domain
    assert Domain.load(str(path)) == domain
    if suffix == ".toml":
        assert Domain.from_toml(str(path)) == Domain.from_toml(path) == domain
    else:
        assert Domain.from_json(str(path)) == Domain.from_json(path) == domain


def test_unreadable_files_give_one_line(tmp_path: Path) -> None:
    latin = tmp_path / "latin.toml"
    latin.write_bytes(b'name = "\xe4"')
    broken = tmp_path / "broken.json"
    broken.write_text('{"format": ')
    for path in (tmp_path / "absent.json", tmp_path, latin, broken, tmp_path / "domain.yaml", tmp_path / "a.json#b"):
        with pytest.raises(ParameterError) as caught:
            Domain.load(path)
        assert "\n" not in str(caught.value)
    with pytest.raises(ParameterError, match=r"\.json or \.toml"):
        Domain({"a": Boolean()}).save(tmp_path / "domain.txt")


@pytest.mark.parametrize(
    "text",
    ["{", "{]", '{"a": NaN}', '{"a": Infinity}', '{"format": 1, "format": 2}', "{'a': 1}", "{" * 100_000],
)
def test_text_that_is_not_strict_json_is_refused(text: str) -> None:
    with pytest.raises(ParameterError):
        Domain.from_json(text)


@pytest.mark.parametrize("text", ["[", "a = ", "a = 1\na = 2", "x = [" * 50_000])
def test_text_that_is_not_toml_is_refused(text: str) -> None:
    with pytest.raises(ParameterError):
        Domain.from_toml(text)


def _entry(**changes: Any) -> dict[str, Any]:
    entry = {"name": "age", "kind": "numeric", "lo": 0, "hi": 9}
    entry.update(changes)
    return {key: value for key, value in entry.items() if value is not ...}


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (_entry(low=0), "'low'"),
        (_entry(values=["a"]), "'values'"),
        (_entry(lo=...), "key 'lo'"),
        (_entry(hi="9"), "^The hi of attribute 'age' must be a finite real number. Got '9' instead"),
        (_entry(hi=True), "hi of attribute 'age'"),
        (_entry(hi=None), "hi of attribute 'age'"),
        (_entry(hi=float("inf")), "hi of attribute 'age'"),
        (_entry(lo=10), "lo of attribute 'age'"),
        (_entry(integer=1), "integer of attribute 'age'"),
        (_entry(kind="Numeric"), "kind of attribute 'age'"),
        (_entry(kind=...), "kind of attribute 'age'"),
        (_entry(kind=["numeric"]), "kind of attribute 'age'"),
        (_entry(name=...), "'name'"),
        (_entry(name=3), "'name'"),
        (_entry(name=""), "not empty"),
        (_entry(lo="TODO"), "filled in for attribute 'age'"),
        (_entry(kind="TODO"), "filled in for attribute 'age'"),
        ({"name": "c", "kind": "categorical"}, "key 'values'"),
        ({"name": "c", "kind": "categorical", "values": "abc"}, "values of attribute 'c'"),
        ({"name": "c", "kind": "categorical", "values": [1.5]}, "values of attribute 'c'"),
        ({"name": "c", "kind": "ordinal", "values": ["a", "TODO"]}, "filled in for attribute 'c'"),
        ({"name": "c", "kind": "ordinal", "values": ["a"], "lo": 1}, "'lo'"),
        ({"name": "c", "kind": "boolean", "values": ["a"]}, "'values'"),
        ("age", "list of objects"),
        (None, "list of objects"),
    ],
)
def test_entries_are_checked_and_named(entry: object, reason: str) -> None:
    with pytest.raises(ParameterError, match=reason):
        Domain.from_json({**PLAIN, "attributes": [entry]})


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"attributes": [_entry()]},
        {**PLAIN},
        {**PLAIN, "attributes": []},
        {**PLAIN, "attributes": {"age": _entry()}},
        {**PLAIN, "attributes": [_entry(), _entry()]},
        {**PLAIN, "attributes": [_entry()], "note": "x"},
        {**PLAIN, "attributes": [_entry()], "target": 3},
        {**PLAIN, "attributes": [_entry()], "target": "TODO"},
        {**PLAIN, "attributes": [_entry()], "classes": "ab"},
        {**PLAIN, "attributes": [_entry()], "classes": ["a", "TODO"]},
        {**PLAIN, "attributes": [_entry()], "classes": [0.5]},
        {**PLAIN, "version": 2, "attributes": [_entry()]},
        {**PLAIN, "version": True, "attributes": [_entry()]},
        {**PLAIN, "format": "other", "attributes": [_entry()]},
        {"features": "x"},
        {"features": [{"name": "a", "kind": "numeric", "domain": [0]}]},
        {"features": [{"name": "a", "kind": "numeric", "domain": [0, 1], "extra": 1}]},
        {"features": [{"name": "a", "kind": "text"}]},
        {"features": [{"name": "a", "kind": "categorical"}]},
        {"features": [{"name": "a", "kind": "numeric", "domain": [0, 1]}] * 2},
    ],
)
def test_the_frame_of_the_file_is_checked(content: dict[str, Any]) -> None:
    with pytest.raises(ParameterError):
        Domain.from_json(content)


@pytest.mark.parametrize("content", [[], 5, None])
def test_content_that_is_no_object_is_refused(content: Any) -> None:
    with pytest.raises(ParameterTypeError):
        Domain.from_json(content)
    with pytest.raises(ParameterTypeError):
        Domain.from_toml(content)


def test_catalogue_entries(tmp_path: Path) -> None:
    entry = {
        "file": "x.csv",
        "features": [
            {"name": "age", "kind": "numeric", "dtype": "integer", "domain": [0, 120.0], "basis": "b", "note": "n"},
            {"name": "w", "kind": "numeric", "dtype": "real", "domain": [0, 1], "missing": 4},
            {"name": "c", "kind": "categorical", "categories": ["2", "1"]},
            {"name": "o", "kind": "categorical", "categories": ["lo", "hi"], "ordered": True},
        ],
        "target": {"name": "y", "classes": {"no": 5, "yes": 6}},
    }
    expected = Domain(
        {
            "age": Numeric(0, 120, integer=True),
            "w": Numeric(0, 1, missing=True),
            "c": Categorical(["2", "1"]),
            "o": Ordinal(["lo", "hi"]),
        },
        target="y",
        classes=["no", "yes"],
    )
    assert Domain.from_json(entry) == expected
    path = tmp_path / "catalogue.json"
    path.write_text(json.dumps({"datasets": {"one": entry}}))
    for mark in ":#":
        assert Domain.load(f"{path}{mark}one") == expected
    with pytest.raises(ParameterError, match=r"Name an entry, as FILE\.json:ENTRY: one"):
        Domain.load(path)
    with pytest.raises(ParameterError, match="one of \\['one'\\]"):
        Domain.load(f"{path}#two")


def test_every_entry_of_the_study_is_a_domain_that_round_trips(shared_data: Path) -> None:
    datasets = json.loads((shared_data / "domains.json").read_text())["datasets"]
    assert len(datasets) > 20
    for name, entry in datasets.items():
        domain = Domain.load(f"{shared_data / 'domains.json'}#{name}")
        assert len(domain) == entry["n_features"]
        assert domain.names == tuple(feature["name"] for feature in entry["features"])
        assert Domain.from_toml(domain.to_toml()) == domain


# -- drafts


class _Explosive(pd.DataFrame):
    """A table whose cells may not be looked at."""

    def __getitem__(self, key: object) -> Any:
        raise AssertionError("a column was read")


def _tables() -> dict[str, Any]:
    frame = pd.DataFrame(
        {
            "age": [1, 2],
            "height": [1.5, 2.5],
            "smoker": [True, False],
            "job": pd.Categorical(["SECRET", "b"]),
            "city": ["SECRET", "x"],
            "when": pd.to_datetime(["2020-01-01", "2020-01-02"]),
        }
    )
    return {
        "mapping": {
            "age": "int64",
            "height": float,
            "smoker": np.bool_,
            "job": "category",
            "city": str,
            "when": "date32",
        },
        "pandas": _Explosive(frame),
        "polars": pl.from_pandas(frame).with_columns(pl.col("job").cast(pl.Enum(["SECRET", "b"]))),
        "lazy": pl.from_pandas(frame).lazy(),
        "polars schema": pl.from_pandas(frame).schema,
        "arrow": pa.Table.from_pandas(frame),
        "arrow schema": pa.Table.from_pandas(frame).schema,
    }


@pytest.mark.parametrize("kind", _tables())
def test_a_draft_has_names_and_kinds_and_no_value(kind: str) -> None:
    form = Domain.draft(_tables()[kind])
    assert "SECRET" not in form
    parsed = tomllib.loads(form)
    kinds = {entry["name"]: entry["kind"] for entry in parsed["attributes"]}
    assert kinds == {
        "age": "numeric",
        "height": "numeric",
        "smoker": "boolean",
        "job": "categorical",
        "city": "categorical",
    }
    assert [entry.get("integer") for entry in parsed["attributes"]] == [True, False, None, None, None]
    assert '# Column "when" has dtype' in form
    with pytest.raises(ParameterError, match=r"filled in for attribute 'age'.*not what the rows hold"):
        Domain.from_toml(form)


def test_a_draft_that_is_filled_in_loads() -> None:
    form = Domain.draft({"x": "float32", "b": "bool", "c": "object", "?": "unknown"})
    form = form.replace('lo = "TODO"', "lo = 0").replace('hi = "TODO"', "hi = 1.5")
    form = form.replace('values = ["TODO"]', 'values = ["a", "b"]')
    with pytest.raises(ParameterError, match="'kind' parameter must be filled in for attribute '\\?'"):
        Domain.from_toml(form)
    filled = form.replace('kind = "TODO"', 'kind = "boolean"')
    expected = {"x": Numeric(0, 1.5), "b": Boolean(), "c": Categorical(["a", "b"]), "?": Boolean()}
    assert Domain.from_toml(filled) == Domain(expected)
    with_target = filled.replace("# target", "target").replace("# classes", "classes")
    with pytest.raises(ParameterError, match="'target' parameter must be filled in for the domain"):
        Domain.from_toml(with_target)


@settings(max_examples=40, deadline=None)
@given(names=st.lists(TEXT.filter(bool), min_size=1, max_size=4, unique=True), dtype=TEXT | st.just("int\n8"))
def test_any_name_and_dtype_gives_valid_toml(names: list[str], dtype: str) -> None:
    parsed = tomllib.loads(Domain.draft(dict.fromkeys(names, dtype)))
    assert [entry["name"] for entry in parsed.get("attributes", [])] in ([], names)


@pytest.mark.parametrize(
    "schema",
    [
        np.zeros((2, 2)),
        None,
        "age",
        {0: "int"},
        {"": "int"},
        pd.DataFrame(np.zeros((2, 2))),
        pd.DataFrame([[1, 2]], columns=["a", "a"]),
    ],
)
def test_a_draft_needs_names(schema: Any) -> None:
    with pytest.raises(SchemaTypeError):
        Domain.draft(schema)
