"""Trees in words say what the arrays say."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from privboost import Categorical, Domain, Numeric
from privboost.ensembles.ensemble import Ensemble
from privboost.errors import ParameterError
from privboost.exchange import ModelRecord, tree_text
from privboost.trees.tree import Splits, Tree

DOMAIN = Domain({"age": Numeric(0, 100), "job": Categorical(["clerk", "cook", "other"], missing=True)})


def splits(*tests: tuple[int, int, int, bool]) -> Splits:
    attribute, first, last, missing = zip(*tests, strict=True)
    return Splits(
        np.array(attribute, np.int32), np.array(first, np.uint8), np.array(last, np.uint8), np.array(missing, np.bool_)
    )


def ensemble(tree: Tree, combination: str = "margin", n_classes: int = 2) -> Ensemble:
    output = -1 if combination == "vote" else 0
    return Ensemble(combination, n_classes, (tree,), np.array([0.25]), np.array([output]))


def test_a_tree_in_words() -> None:
    tree = Tree(
        2, splits((0, 5, 10, False), (1, 2, 2, True), (1, 255, 254, True)), np.array([[-1.5], [0.0], [2.0], [1e-9]])
    )
    assert tree_text(ensemble(tree), DOMAIN, 10, ["no", "yes"]) == "\n".join(
        [
            "Tree 1 of 1, weight 0.25: above 0 speaks for 'yes'",
            "  if age >= 40:",
            "    if job is missing:",
            "      +1e-09",
            "    else:",
            "      +2",
            "  else:",
            '    if job is "cook" or missing:',
            "      +0",
            "    else:",
            "      -1.5",
        ]
    )


def test_a_null_test_is_not_shown() -> None:
    tree = Tree(
        2, splits((0, 5, 10, False), (-1, 1, 1, False), (-1, 1, 1, False)), np.array([[1.0], [2.0], [3.0], [4.0]])
    )
    lines = tree_text(ensemble(tree, "probability"), DOMAIN, 10, ["no", "yes"]).splitlines()
    assert lines == ["Tree 1 of 1: probability of 'yes'", "  if age >= 40:", "    3", "  else:", "    1"]


def test_votes_name_their_labels() -> None:
    tree = Tree(1, splits((0, 5, 10, False)), np.array([[0.0, 1.0, 0.0], [0.5, 0.0, 0.5]]))
    lines = tree_text(ensemble(tree, "vote", 3), DOMAIN, 10, ["a", "b", "c"]).splitlines()
    assert lines[1:] == ["  if age >= 40:", "    'a' or 'c'", "  else:", "    'b'"]


def test_trees_are_chosen_by_number(records: dict[str, ModelRecord]) -> None:
    record = records["bdpe-three"]
    arguments = (record.ensemble, record.domain, record.n_bins, record.classes)
    everything = tree_text(*arguments).split("\n\n")
    assert len(everything) == 6
    assert tree_text(*arguments, which=[5, 1]).split("\n\n") == [everything[4], everything[0]]
    assert everything[4].startswith("Tree 5 of 6, weight")
    assert everything[4].splitlines()[0].endswith("speaks for 'c'")
    for number in (0, 7, -1):
        with pytest.raises(ParameterError, match="from 1 to 6"):
            tree_text(*arguments, which=[number])


def test_reading_the_words_gives_the_models_answer(models: dict[str, Any], table: pd.DataFrame) -> None:
    """Follow the numeric questions of the text by hand; the answers add up to the decision."""
    model = models["bdpe"]
    record = model._record()
    # One attribute at a time: the others are left as they are and answered by the model's own tests.
    one = replace(
        record.ensemble, trees=record.ensemble.trees[:1], weights=np.ones(1), outputs=record.ensemble.outputs[:1]
    )
    text = tree_text(one, record.domain, record.n_bins, record.classes)
    leaves = [float(found) for found in re.findall(r"^\s+([+-][0-9.e-]+)$", text, flags=re.MULTILINE)]
    values = record.ensemble.trees[0].values[:, 0]
    assert leaves == pytest.approx(values[::-1], rel=1e-5)  # the text asks for the right side first
    codes = model._trained.encoder.encode(table)
    decision = one.decision(codes)
    assert set(np.round(decision, 3)) <= set(np.round(values, 3))
