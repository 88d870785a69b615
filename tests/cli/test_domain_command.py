"""``privboost domain draft``: a form from names and types, never from a row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from privboost import Domain


def test_a_form_from_a_csv_header(run: Any, folder: Path) -> None:
    result = run("domain", "draft", folder / "table.csv")
    assert (result.status, result.err) == (0, "")
    for name in ("id", "income", "member", "job", "age"):
        assert f'name = "{name}"' in result.out
    assert 'kind = "TODO"' in result.out
    assert "clerk" not in result.out


def test_a_form_from_a_parquet_schema(run: Any, folder: Path) -> None:
    result = run("domain", "draft", folder / "table.parquet")
    assert result.status == 0
    age = result.out[result.out.index('name = "age"') :]
    assert 'kind = "numeric"' in age
    assert "integer = true" in age
    assert "clerk" not in result.out


def test_no_row_is_read(run: Any, folder: Path) -> None:
    header = (folder / "table.csv").read_text(encoding="utf-8").splitlines()[0]
    (folder / "bare.csv").write_text(header + "\n", encoding="utf-8")
    (folder / "odd.csv").write_text(header + '\n1,2,3,4,5,6,7\n"', encoding="utf-8")
    outs = {run("domain", "draft", folder / name).out for name in ("table.csv", "bare.csv", "odd.csv")}
    assert len(outs) == 1


def test_a_filled_in_form_trains(run: Any, folder: Path) -> None:
    out = folder / "form.toml"
    pd.read_parquet(folder / "table.parquet")[["age", "member", "income"]].to_parquet(folder / "small.parquet")
    result = run("domain", "draft", folder / "small.parquet", "-o", out)
    assert result.out == f"Fill in every TODO in {out}.\n"
    train = ["train", folder / "small.parquet", "-d", out, "-o", folder / "m.json", "--rounds", 1, "--target", "income"]
    classes = ["--classes", "no,yes"]
    result = run(*train, *classes)
    assert result.status == 2
    assert "TODO" in result.err
    form = out.read_text(encoding="utf-8").replace('lo = "TODO"', "lo = 0").replace('hi = "TODO"', "hi = 100")
    form = "\n[[".join(part for part in form.split("\n[[") if '"income"' not in part)
    out.write_text(form, encoding="utf-8")
    assert Domain.load(out).names == ("age", "member")
    assert run(*train, *classes).status == 0


def test_a_form_is_replaced_only_by_force(run: Any, folder: Path) -> None:
    out = folder / "domain.toml"
    before = out.read_text(encoding="utf-8")
    assert run("domain", "draft", folder / "table.csv", "-o", out).status == 2
    assert out.read_text(encoding="utf-8") == before
    assert run("domain", "draft", folder / "table.csv", "-o", out, "--force").status == 0
    assert out.read_text(encoding="utf-8") != before
