"""Files that are damaged, or made to do damage, end in one clear line."""

from __future__ import annotations

import json
import os
import stat
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privboost.errors import ModelFileError
from privboost.exchange import ModelRecord, dumps, loads, read_model, strict_json, write_model
from privboost.exchange.strict_json import parse, render, write_text


@pytest.fixture(scope="module")
def text(records: dict[str, ModelRecord]) -> str:
    return dumps(records["tree"])


def is_model_or_one_line(data: str | bytes) -> bool:
    try:
        loads(data)
    except ModelFileError as error:
        return "\n" not in str(error)
    return True


def test_a_file_cut_short_anywhere_is_refused(text: str) -> None:
    for end in range(0, len(text) - 2, 7):
        with pytest.raises(ModelFileError, match=r"^[^\n]+$"):
            loads(text[:end])


def test_a_flipped_bit_never_crashes(text: str) -> None:
    data = text.encode()

    @settings(max_examples=300, deadline=None)
    @given(st.integers(0, len(data) - 1), st.integers(0, 255))
    def check(place: int, byte: int) -> None:
        changed = bytearray(data)
        changed[place] = byte
        assert is_model_or_one_line(bytes(changed))

    check()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def test_any_json_in_place_of_a_field_never_crashes(text: str) -> None:
    document = json.loads(text)

    @settings(max_examples=300, deadline=None)
    @given(st.sampled_from(sorted(document)), json_values)
    def check(field: str, value: Any) -> None:
        assert is_model_or_one_line(json.dumps(document | {field: value}))

    check()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not complete, valid JSON"),
        (b"\x80\x04\x95\x00", "not ASCII"),
        ("{'kind': 1}", "not complete, valid JSON"),
        ("[" * 1_000_000, "nests too deeply"),
        ('{"a":' * 500_000 + "1", "nests too deeply"),
        ("[" + "[]," * 3_000_000 + "[]]", "more values than a model can have"),
        ('{"a": 1, "a": 2}', "twice"),
        ('{"a": NaN}', "NaN"),
        ('{"a": -Infinity}', "-Infinity"),
        ('{"a": ' + "9" * 100_000 + "}", "out of range"),
        (r'{"a": "\ud800"}', "surrogate"),
        (r'{"\udfff": 1}', "surrogate"),
        ("[]", "not a privboost model"),
        ('{"kind": "cake"}', "not a privboost model"),
        ("null", "not a privboost model"),
        ('{"kind": "privboost model"}', "'format' must be a whole number"),
        ('{"kind": "privboost model", "format": "1"}', "'format' must be a whole number"),
        ('{"kind": "privboost model", "format": true}', "'format' must be a whole number"),
        ('{"kind": "privboost model", "format": 3}', "has format 3; this version of privboost reads formats up to 2"),
        ('{"kind": "privboost model", "format": 1}', "lacks the field 'learner'"),
    ],
)
def test_what_is_no_model_is_refused_quickly(data: str | bytes, message: str) -> None:
    start = time.monotonic()
    with pytest.raises(ModelFileError, match=message) as caught:
        loads(data)
    assert "\n" not in str(caught.value)
    assert time.monotonic() - start < 5.0


def test_a_pair_of_surrogates_is_one_character() -> None:
    assert parse(r'["\ud83d\ude00", "\\ud800"]') == ["😀", "\\ud800"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d["ensemble"].update(weights=["WEIGHT"]), "'weights' must be made of finite"),
        (lambda d: d["ensemble"].update(alpha="WEIGHT"), "'alpha' must be made of finite"),
        (lambda d: d["parameters"].update(leaf_smoothing="WEIGHT"), "'parameters' must be made of finite"),
        (lambda d: d["plan"].update(epsilon="WEIGHT"), "'plan' must be made of finite"),
        (lambda d: d["statement"].update(epsilon="WEIGHT"), "contradicts itself"),
        (lambda d: d["plan"].update(x=[[[[[[[[[[1]]]]]]]]]]), "nested at most"),
        (lambda d: d["ensemble"]["trees"][0].update(depth=17), "'depth' must be made of whole numbers from 1 to 16"),
        (lambda d: d["domain"].update(attributes=d["domain"]["attributes"] * 20_000), "more than 500000 bins"),
        (lambda d: d["statement"].update(releases=d["statement"]["releases"] * 20_000), "more than 20000 releases"),
        (lambda d: d["domain"]["attributes"][0].update(hi=-7), "domain is not valid"),
        (lambda d: d["domain"]["attributes"][0].update(hi=100.0), "domain is not in the form"),
        (lambda d: d["statement"].update(simulated=0), "statement is not in the form"),
        (lambda d: d.update(classes=["a", "a"]), "two or more different"),
        (lambda d: d.update(classes=["a"]), "two or more different"),
        (lambda d: d.update(classes=["a", 1]), "labels of one type"),
        (lambda d: d.update(classes=[0, 2**63]), "64-bit"),
        (lambda d: d.update(learner="os.system"), "this version knows BDPEClassifier"),
    ],
)
def test_values_out_of_range_are_refused(text: str, change: Any, message: str) -> None:
    document = json.loads(text)
    change(document)
    changed = json.dumps(document).replace('"WEIGHT"', "1e999")
    with pytest.raises(ModelFileError, match=message):
        loads(changed)


def test_the_size_of_a_file_is_bounded(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, records: dict[str, ModelRecord]
) -> None:
    path = tmp_path / "model.json"
    path.write_text(text)
    monkeypatch.setattr(strict_json, "MAX_BYTES", len(text))
    read_model(path)
    monkeypatch.setattr(strict_json, "MAX_BYTES", len(text) - 1)
    with pytest.raises(ModelFileError, match="larger than"):
        read_model(path)
    with pytest.raises(ModelFileError, match="larger than"):
        write_model(records["tree"], path)


def test_a_file_is_read_no_further_than_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("this system has no endless file")
    monkeypatch.setattr(strict_json, "MAX_BYTES", 1000)
    with pytest.raises(ModelFileError, match="larger than"):
        read_model("/dev/zero")


def test_deep_values_are_refused_in_writing_too() -> None:
    deep: Any = 1
    for _ in range(sys.getrecursionlimit() * 2):
        deep = [deep]
    for value in (deep, {"a": float("nan")}, {"a": float("inf")}, {1: object()}, {"a": {1, 2}}):
        with pytest.raises(ModelFileError):
            render(value)


def test_rendering_is_what_the_standard_reader_reads() -> None:
    value = {"a": [1, [2.5, "ü\n"], {}], "b": {"c": {"d": [None, True]}}, "e": []}
    assert json.loads(render(value)) == value


# -- writing


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "model.json"
    write_text(path, "old")

    def fail(*arguments: Any) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="no space"):
        write_text(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_permissions_follow_the_umask_or_the_file_that_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    before = os.umask(0o027)
    try:
        write_text(path, "a")
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o600)
    write_text(path, "b")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text() == "b"


def test_a_link_is_followed_and_a_folder_refused(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "there" / "model.json")
    write_text(link, "a")
    assert link.is_symlink()
    assert (tmp_path / "there" / "model.json").read_text() == "a"
    with pytest.raises(ModelFileError, match="not an ordinary file"):
        write_text(tmp_path / "there", "a")
    with pytest.raises(FileNotFoundError):
        write_text(tmp_path / "nowhere" / "model.json", "a")
