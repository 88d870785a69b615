from __future__ import annotations

import json

import pytest

from privboost.errors import ModelFileError, ParameterError, ParameterTypeError
from privboost.privacy import PrivacyUnit


@pytest.mark.parametrize(
    ("relation", "rows", "distance"),
    [("add-remove", 1, 1), ("replace-one", 1, 2), ("add-remove", 10, 10), ("replace-one", 7, 14)],
)
def test_distance_counts_additions_and_removals(relation, rows, distance):
    assert PrivacyUnit(relation, rows).distance == distance


def test_default_is_one_row_added_or_removed():
    assert PrivacyUnit() == PrivacyUnit("add-remove", 1)


@pytest.mark.parametrize("relation", ["add", "", "ADD-REMOVE", None, 1, ["add-remove"]])
def test_unknown_relation_is_refused_and_names_both(relation):
    with pytest.raises(ParameterError, match=r"relation.*'add-remove' or 'replace-one'"):
        PrivacyUnit(relation)


@pytest.mark.parametrize("rows", [0, -1, True, 1.0, "1", None])
def test_rows_per_person_must_be_a_positive_integer(rows):
    error = ParameterError if type(rows) is int else ParameterTypeError
    with pytest.raises(error, match="rows_per_person"):
        PrivacyUnit("add-remove", rows)


def test_description_names_the_difference_and_the_public_row_count():
    assert PrivacyUnit().describe() == "one row added or removed (the number of rows is public)"
    assert "replaced by any other" in PrivacyUnit("replace-one").describe()
    assert "up to 3 rows of one person" in PrivacyUnit("replace-one", 3).describe()


@pytest.mark.parametrize("unit", [PrivacyUnit(), PrivacyUnit("replace-one", 5)])
def test_round_trip_through_json(unit):
    assert PrivacyUnit.from_dict(json.loads(json.dumps(unit.to_dict()))) == unit


@pytest.mark.parametrize(
    "mapping",
    [
        {},
        {"relation": "add-remove"},
        {"relation": "add-remove", "rows_per_person": 0},
        {"relation": "other", "rows_per_person": 1},
        {"relation": "add-remove", "rows_per_person": 1, "more": 1},
        [],
        None,
    ],
)
def test_bad_mapping_is_refused(mapping):
    with pytest.raises(ModelFileError):
        PrivacyUnit.from_dict(mapping)
