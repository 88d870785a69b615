"""What a domain cost, in files and objects; and forms that leave something open."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from privboost.data import Boolean, Categorical, Domain, Numeric, Ordinal
from privboost.data.domain_cost import DomainCost, words_of
from privboost.data.forms import kinds_of_dtypes, read_form
from privboost.errors import ParameterError, ParameterTypeError
from privboost.privacy import PrivacyUnit

COST = DomainCost(0.1, 1e-6, PrivacyUnit("replace-one", 3), private=False)
DOMAIN = Domain({"age": Numeric(0, 120)}, target="y", classes=["a", "b"], cost=COST)


class TestCost:
    def test_it_survives_every_way_of_keeping_a_domain(self, tmp_path: Path) -> None:
        for suffix in (".json", ".toml"):
            DOMAIN.save(tmp_path / f"domain{suffix}")
            assert Domain.load(tmp_path / f"domain{suffix}").cost == COST
        copies = [
            Domain.from_json(DOMAIN.to_json()),
            Domain.from_toml(DOMAIN.to_toml()),
            pickle.loads(pickle.dumps(DOMAIN)),
        ]
        assert copies == [DOMAIN] * 3
        assert Domain({"age": Numeric(0, 120)}, target="y", classes=["a", "b"]) != DOMAIN
        assert "cost=DomainCost(epsilon=0.1" in repr(DOMAIN)

    def test_a_declared_domain_is_written_as_ever(self) -> None:
        content = Domain({"age": Numeric(0, 120)}).to_dict()
        assert content["version"] == 1
        assert "learnt" not in content
        assert Domain.from_json(content).cost is None
        assert words_of(Domain.from_json(content)) == words_of(None) == ""

    def test_a_learnt_one_has_a_version_that_older_readers_refuse(self) -> None:
        assert DOMAIN.to_dict()["version"] == 2

    @pytest.mark.parametrize(
        "change",
        [
            {"version": 1},
            {"version": 3},
            {"version": True},
            {"learnt": None},
            {"learnt": {}},
            {"learnt": COST.to_dict() | {"epsilon": 0.0}},
            {"learnt": COST.to_dict() | {"epsilon": "0.1"}},
            {"learnt": COST.to_dict() | {"delta": 1.0}},
            {"learnt": COST.to_dict() | {"unit": {"relation": "x", "rows_per_person": 1}}},
            {"learnt": COST.to_dict() | {"unit": 1}},
            {"learnt": COST.to_dict() | {"private": 1}},
            {"learnt": COST.to_dict() | {"more": 1}},
        ],
    )
    def test_damaged_records_are_refused(self, change: dict[str, Any]) -> None:
        with pytest.raises(ParameterError):
            Domain.from_json(DOMAIN.to_dict() | change)

    def test_a_version_without_its_record_is_refused(self) -> None:
        content = DOMAIN.to_dict()
        del content["learnt"]
        with pytest.raises(ParameterError, match="version"):
            Domain.from_json(content)

    def test_only_a_cost_is_one(self) -> None:
        with pytest.raises(ParameterTypeError, match="cost"):
            Domain({"age": Numeric(0, 1)}, cost=0.1)  # type: ignore[arg-type]
        with pytest.raises(ParameterTypeError, match="unit"):
            DomainCost(0.1, 0.0, "row")  # type: ignore[arg-type]

    def test_words(self) -> None:
        private = DomainCost(0.1, 1e-6, PrivacyUnit())
        assert private.describe() == (
            "learnt from private rows at ε = 0.1, δ = 1e-06, for tables that differ in one row added or removed (the "
            "number of rows is public): to be added to all that is spent on the same rows"
        )
        assert COST.describe().startswith("learnt from private rows in a simulation of ε = 0.1")
        assert COST.describe().endswith("NOT PRIVATE")


FORM = """format = "privboost-domain"
version = 1
target = "income"
classes = ["TODO", "TODO"]
attributes = [
  { name = "age", kind = "numeric", lo = 0, hi = 120, integer = true },
  { name = "bmi", kind = "numeric", lo = "TODO", hi = "TODO", missing = true },
  { name = "sons", kind = "numeric", integer = true },
  { name = "job", kind = "categorical", values = ["TODO"] },
  { name = "place", kind = "categorical", missing = true },
  { name = "grade", kind = "ordinal", values = ["low", "high"] },
  { name = "smoker", kind = "boolean" },
]
"""


class TestForms:
    def read(self, tmp_path: Path, text: str) -> Any:
        (tmp_path / "form.toml").write_text(text, encoding="utf-8")
        return read_form(tmp_path / "form.toml")

    def test_what_is_open_is_to_be_learnt(self, tmp_path: Path) -> None:
        form = self.read(tmp_path, FORM)
        assert form.columns == {
            "age": Numeric(0, 120, integer=True),
            "bmi": "numeric",
            "sons": "integer",
            "job": "categorical",
            "place": "categorical",
            "grade": Ordinal(["low", "high"]),
            "smoker": Boolean(),
        }
        assert form.missing == {"bmi", "place"}
        assert (form.target, form.classes) == ("income", None)

    @pytest.mark.parametrize(
        ("old", "new", "match"),
        [
            ('kind = "boolean"', 'kind = "TODO"', "smoker"),
            ('hi = "TODO"', "hi = 3", "bmi.*both bounds"),
            ('values = ["low", "high"]', 'values = ["TODO"]', "grade"),
            ('kind = "boolean"', 'kind = "boolean", unit = "x"', "unit"),
            ("lo = 0,", "lo = 200,", "lo"),
            ("version = 1", "version = 2", "version"),
            ("attributes = [", "things = [", "attributes"),
        ],
    )
    def test_errors(self, tmp_path: Path, old: str, new: str, match: str) -> None:
        with pytest.raises(ParameterError, match=match):
            self.read(tmp_path, FORM.replace(old, new))

    def test_a_learnt_domain_is_no_form(self, tmp_path: Path) -> None:
        (tmp_path / "domain.json").write_text(json.dumps(DOMAIN.to_dict()))
        with pytest.raises(ParameterError, match="not learnt before"):
            read_form(tmp_path / "domain.json")

    def test_types_say_what_to_learn(self) -> None:
        dtypes = {"a": "int64", "b": "double", "c": "large_string", "d": "bool"}
        assert kinds_of_dtypes(dtypes) == {"a": "integer", "b": "numeric", "c": "categorical", "d": Boolean()}
        for dtype in ("unknown", "timestamp[ns]"):
            with pytest.raises(ParameterError, match="--form"):
                kinds_of_dtypes({"a": dtype})

    def test_categories_that_are_declared_stay(self, tmp_path: Path) -> None:
        form = self.read(tmp_path, FORM.replace('values = ["TODO"]', 'values = ["clerk"]'))
        assert form.columns["job"] == Categorical(["clerk"])
