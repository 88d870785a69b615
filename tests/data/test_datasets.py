"""Tables from files, and the study's data sets."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from privboost.data import Boolean, Categorical, Domain, Encoder, Numeric, load_table, read_header, read_table
from privboost.errors import ParameterError, SchemaError

DOMAIN = Domain({"x": Numeric(0, 10), "c": Categorical(["1", "a b", "ü"]), "b": Boolean()})
CSV = 'id,c,x,b,y\n7,1,2.5,true,no\n8,"a b",,false,yes\n9,ü,1e400,,\n10,,oops,TRUE,no\n11, 1,0.1,x,NA\n'
CODES = [[3, 0, 10, 0, 1], [1, 2, 3, 0, 4], [2, 1, 0, 2, 3]]


@pytest.mark.parametrize("form", ["plain", "gzip", "bom", "crlf"])
def test_a_csv_file_is_read_as_text_and_by_the_domain(tmp_path: Path, form: str) -> None:
    path = tmp_path / ("table.csv.gz" if form == "gzip" else "table.csv")
    raw = CSV.encode()
    if form == "gzip":
        raw = gzip.compress(raw)
    elif form == "bom":
        raw = b"\xef\xbb\xbf" + raw
    elif form == "crlf":
        raw = raw.replace(b"\n", b"\r\n")
    path.write_bytes(raw)
    X, y = read_table(path, DOMAIN, target="y")
    assert list(X.columns) == ["x", "c", "b"]
    assert Encoder(DOMAIN).encode(X).tolist() == CODES
    assert y[:2].tolist() == ["no", "yes"]
    assert y.isna().tolist() == [False, False, True, False, False]  # "NA" is text: only an empty cell is missing
    X_alone, none = read_table(str(path), DOMAIN)
    assert none is None
    assert X_alone.equals(X)
    assert read_header(path) == dict.fromkeys(["id", "c", "x", "b", "y"], "unknown")


def test_numbers_are_parsed_exactly(tmp_path: Path) -> None:
    path = tmp_path / "n.csv"
    texts = [
        "0.1",
        "0.30000000000000004",
        "2.2250738585072011e-308",
        "1.7976931348623157e308",
        "9007199254740993",
        " 7 ",
        "-inf",
    ]
    path.write_text("x\n" + "\n".join(texts) + "\n")
    X, _ = read_table(path, Domain({"x": Numeric(0, 1)}))
    assert X["x"].tolist() == [float(text) for text in texts]


def test_integer_codes_stay_text(tmp_path: Path) -> None:
    path = tmp_path / "n.csv"
    path.write_text("c\n1\n01\n1.0\n")
    X, _ = read_table(path, Domain({"c": Categorical(["1", "01"])}))
    assert Encoder(Domain({"c": Categorical(["1", "01"])})).encode(X).tolist() == [[1, 2, 3]]


def test_a_parquet_file_keeps_its_dtypes(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    frame = pd.DataFrame({"id": [1, 2], "b": [True, False], "x": [np.nan, 10.0], "c": ["1", None], "y": [0, 1]})
    frame.to_parquet(path)
    X, y = read_table(path, DOMAIN, target="y")
    assert Encoder(DOMAIN).encode(X).tolist() == [[0, 10], [1, 0], [2, 1]]
    assert y.tolist() == [0, 1]
    assert list(read_header(path)) == ["id", "b", "x", "c", "y"]
    assert read_header(path)["x"] == "double"
    form = Domain.draft(read_header(path))
    assert form.count('kind = "numeric"') == 3
    with pytest.raises(SchemaError, match=r"'table.parquet' has no column 'z'"):
        read_table(path, DOMAIN, target="z")


def test_no_rows(tmp_path: Path) -> None:
    path = tmp_path / "empty.csv"
    path.write_text("x,c,b\n")
    X, _ = read_table(path, DOMAIN)
    assert Encoder(DOMAIN).encode(X).shape == (3, 0)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "does not exist"),
        ("folder", "is not a file"),
        (b"", "is not a valid CSV file"),
        (b"\n\n", "is not a valid CSV file"),
        (b"x,c,b\n1,2\n1,2,3,4\n", "is not a valid CSV file"),
        (b"\xff\xfe\x00x,c,b\n", "is not a valid CSV file|has no column"),
        (b"x,c,b\n1,2\n", "as many fields"),
        (b'x,c,b\n"1,2,3\n', "is not a valid CSV file"),
        (b"x;c;b\n1;2;3\n", "no column 'x'.*separated by commas"),
        (b"x\tc\tb\n", "no column 'x'.*separated by commas"),
        (b"x,c\n1,2\n", "no column 'b'"),
        (b"X,c,b\n1,2,3\n", "no column 'x'"),
        (b"x,c,b,x\n1,2,3,4\n", "two columns named 'x'"),
    ],
)
def test_bad_csv_files_give_one_line_without_a_cell(tmp_path: Path, content: Any, reason: str) -> None:
    path = tmp_path / "SOME.csv"
    if content == "folder":
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)
    with pytest.raises(SchemaError, match=reason) as caught:
        read_table(path, DOMAIN)
    message = str(caught.value)
    assert "\n" not in message
    assert "SOME.csv" in message
    without_names = message.replace(str(tmp_path), "").replace("UTF-8", "")
    assert not any(character.isdigit() for character in without_names)


@pytest.mark.parametrize(
    "cell",
    [b"\xfc", b"a\xc3", b"\xed\xa0\x80", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"long" * 700_000],
    ids=["latin", "cut", "surrogate", "null", "mark", "utf8-mark", "long"],
)
@pytest.mark.parametrize("column", ["x", "c", "b", "y", "id"])
@pytest.mark.parametrize("compressed", [False, True])
def test_no_bytes_of_a_cell_change_more_than_that_cell(
    tmp_path: Path, cell: bytes, column: str, compressed: bool
) -> None:
    columns = ["id", "c", "x", "b", "y"]
    rows = [[b"7", b"1", b"2.5", b"true", b"no"], [b"8", "ü".encode(), b"9", b"false", b"yes"]]
    odd = [list(row) for row in rows]
    odd[0][columns.index(column)] = cell
    answers = []
    for number, table in enumerate((rows, odd)):
        raw = b"\n".join([b"id,c,x,b,y", *map(b",".join, table), b""])
        path = tmp_path / (f"{number}.csv.gz" if compressed else f"{number}.csv")
        path.write_bytes(gzip.compress(raw) if compressed else raw)
        assert list(read_header(path)) == columns
        X, y = read_table(path, DOMAIN, target="y")
        answers.append((Encoder(DOMAIN).encode(X), y.tolist()))
    (codes, labels), (odd_codes, odd_labels) = answers
    not_listed = {"x": 0, "c": 4, "b": 3}
    if column in not_listed:
        codes[list(DOMAIN.names).index(column), 0] = not_listed[column]
    assert odd_codes.tolist() == codes.tolist()
    assert odd_labels[1:] == labels[1:]
    assert (odd_labels[0] == labels[0]) == (column != "y")


@pytest.mark.parametrize("content", [b"", b"PAR1 no", b"x,c,b\n1,2,3\n"])
def test_bad_parquet_files_give_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "some.parquet"
    path.write_bytes(content)
    for read in (lambda: read_table(path, DOMAIN), lambda: read_header(path)):
        with pytest.raises(SchemaError, match=r"^'some.parquet' is not a valid Parquet file\.$"):
            read()


def test_a_gzip_file_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "some.csv.gz"
    path.write_bytes(b"x,c,b\n")
    with pytest.raises(SchemaError, match="is not a valid CSV file"):
        read_table(path, DOMAIN)


def test_a_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.csv"
    path.write_text("x,c,b\n")
    monkeypatch.setitem(sys.modules, "pyarrow.csv", None)
    with pytest.raises(SchemaError, match=r"needs pyarrow\. Install it with: pip install 'privboost\[cli\]'"):
        read_table(path, DOMAIN)


def test_study_tables_have_their_published_shape_and_rate(shared_data: Path) -> None:
    datasets = json.loads((shared_data / "domains.json").read_text())["datasets"]
    for name in ("transfusion", "breastwisc", "abalone", "winered", "germancredit", "nursery", "mice"):
        table = load_table(shared_data, name)
        entry = datasets[name]
        assert table.X.shape == (entry["rows"], entry["n_features"])
        assert table.domain.names == tuple(table.X.columns)
        assert table.domain.classes == (0, 1)
        assert set(np.unique(table.y)) == {0, 1}
        assert int(table.y.sum()) == entry["target"]["positive_count"]
        codes = Encoder(table.domain).encode(table.X)
        assert int((codes == 0).sum()) == entry["n_missing"]
        layout = table.domain.layout(10)
        assert not ((codes > layout.n_values[:, None]) & layout.has_unknown[:, None]).any()
        for feature, attribute in zip(entry["features"], table.domain.attributes, strict=True):
            assert attribute.missing == (feature.get("missing", 0) > 0)
    X, y, domain, meta = load_table(shared_data, "transfusion")
    assert meta["rows"] == len(X) == len(y)
    assert domain["Recency (months)"] == Numeric(0, 120, integer=True)


def test_unknown_study_tables(shared_data: Path, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"one of .*'transfusion'"):
        load_table(shared_data, "iris")
    with pytest.raises(SchemaError, match="holds no catalogue"):
        load_table(tmp_path, "adult")
