"""Files of models whose settings a search chose: read, verified, and not made cheaper by a partial change."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import privboost
from privboost.errors import ModelFileError, VerificationError
from privboost.exchange.archive import dumps, loads, read_model
from privboost.privacy.verify import verify_statement

FIXTURES = Path(__file__).with_name("fixtures")
NAMES = ["search-pure", "search-delta"]


def text_of(name: str) -> str:
    return (FIXTURES / f"statement-2-{name}.json").read_text()


@pytest.mark.parametrize("name", NAMES)
def test_they_can_be_read(name: str) -> None:
    path = FIXTURES / f"statement-2-{name}.json"
    record, model = read_model(path), privboost.load(path)
    expected = json.loads((FIXTURES / "statement-2-answers.json").read_text())[name]
    assert model.is_private_
    assert record.statement.search is not None
    # The learner's own parameter is what the search left to it.
    assert expected["epsilon"] == record.statement.fit_epsilon == pytest.approx(0.85 * record.statement.epsilon)
    assert verify_statement(record.statement).private
    rows = pd.DataFrame(expected["rows"], columns=expected["columns"])
    assert model.predict(rows).tolist() == expected["predictions"]
    assert model.predict_proba(rows) == pytest.approx(np.array(expected["probabilities"]), rel=1e-12, abs=1e-12)
    assert dumps(record) == path.read_text()


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("search-pure", "eta", "1/3"),
        ("search-pure", "eta", "-1/3"),
        ("search-pure", "epsilon", 0.5),
        ("search-pure", "try_epsilon", 0.1),
        ("search-pure", "try_epsilon", 0.9),
        ("search-pure", "try_rho", 0.1),
        ("search-pure", "total_exact", "1/2"),
        ("search-delta", "eta", "1/3"),
        ("search-delta", "gamma", "1/1000000"),
        ("search-delta", "epsilon", 0.1),
        ("search-delta", "delta", 1e-9),
        ("search-delta", "try_rho", 0.1),
        ("search-delta", "try_epsilon", 0.1),
    ],
)
def test_a_changed_number_of_the_search_is_refused(name: str, field: str, value: object) -> None:
    document = json.loads(text_of(name))
    document["statement"]["search"][field] = value
    with pytest.raises(ModelFileError):
        loads(json.dumps(document))


@pytest.mark.parametrize("name", NAMES)
def test_a_search_cannot_be_left_out_of_a_file_that_states_the_whole(name: str) -> None:
    document = json.loads(text_of(name))
    statement = document["statement"]
    del statement["search"]
    statement["format"] = 1
    with pytest.raises(ModelFileError):
        loads(json.dumps(document))
    # Nor if its cost is taken off everywhere in the statement, as long as one sentence still speaks of it.
    statement["epsilon"] = document["parameters"]["epsilon"]
    statement["delta"] = document["parameters"].get("delta", 0.0)
    with pytest.raises(ModelFileError):
        loads(json.dumps(document))


def test_what_verify_cannot_know() -> None:
    """A file that is made consistent again without its search is another valid file: nothing of the tries is in it."""
    record = read_model(FIXTURES / "statement-2-search-pure.json")
    statement = record.statement
    cheaper = replace(
        statement, epsilon=statement.fit_epsilon, search=None, assumed_public=statement.assumed_public[:-1]
    )
    forged = loads(dumps(replace(record, statement=cheaper)))
    assert verify_statement(forged.statement).private
    # It claims less than was spent; and that is why a file has to come over a channel that one trusts.
    assert forged.statement.epsilon < statement.epsilon


def test_the_words_about_a_search_are_refused_without_one_and_required_with_it(tmp_path: Path) -> None:
    document = json.loads(text_of("search-pure"))
    document["statement"]["assumed_public"].pop()
    path = tmp_path / "model.json"
    path.write_text(json.dumps(document))
    with pytest.raises(VerificationError, match="words"):
        privboost.load(path)
