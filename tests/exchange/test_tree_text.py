"""Trees in words say what the arrays say."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from privboost import Categorical, Domain, Numeric
from privboost.cli.show import model_text
from privboost.data import Refinement
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


# -- refined codes and added scores

REFINEMENT = Refinement((np.array([37.25, 50.0]), None), (None, np.array([2, 4, 1, 3])))
ADDED = Tree(
    2, splits((0, 2, 3, False), (1, 2, 4, True), (1, 4, 4, False)), np.array([[-1.5], [0.0], [2.0], [1e-9]]) / 100
)


def added(combination: str, tree: Tree, base: tuple[float, ...], n_classes: int = 1) -> Ensemble:
    output = -1 if combination == "softmax" else 0
    return Ensemble(combination, n_classes, (tree,), np.ones(1), np.array([output]), base=base)


def test_log_odds_by_refined_tests() -> None:
    text = tree_text(added("logit", ADDED, (-0.5,), 2), DOMAIN, 10, ["no", "yes"], refinement=REFINEMENT)
    assert text == "\n".join(
        [
            "Scores start at -0.5.",
            "",
            "Tree 1 of 1: log odds, above 0 speaks for 'yes'",
            "  if age >= 37.25:",
            '    if job is "cook":',
            "      +1e-11",
            "    else:",
            "      +0.02",
            "  else:",
            '    if job in {"clerk", "cook"} or not listed or missing:',
            "      +0",
            "    else:",
            "      -0.015",
        ]
    )
    calibrated = replace(added("logit", ADDED, (-0.5,), 2), weights=np.full(1, 3.0), reach=1.5)
    told = tree_text(calibrated, DOMAIN, 10, ["no", "yes"], refinement=REFINEMENT).splitlines()
    assert told[0].startswith("Scores start at -0.5. Leaves are shown times 3, the slope of the scores. A sum of")
    assert "beyond 1.5 on either side" in told[0]
    assert [line.strip() for line in told if line.strip().startswith(("+", "-"))] == ["+3e-11", "+0.06", "+0", "-0.045"]
    without = tree_text(added("logit", ADDED, (0.0,), 2), DOMAIN, 10, ["no", "yes"], refinement=REFINEMENT)
    assert without == text.split("\n\n")[1]


def test_scores_of_many_classes() -> None:
    tree = Tree(1, splits((0, 3, 3, False)), np.array([[0.5, -0.25, 0.0], [1.0, 2.0, -3.0]]))
    text = tree_text(added("softmax", tree, (0.5, 0.0, -1.0), 3), DOMAIN, 10, ["a", "b", "c"], refinement=REFINEMENT)
    assert text.splitlines() == [
        "Scores start at 'a' +0.5, 'b' +0, 'c' -1.",
        "",
        "Tree 1 of 1: a score for each label, the highest speaks for it",
        "  if age >= 50:",
        "    'a' +1, 'b' +2, 'c' -3",
        "  else:",
        "    'a' +0.5, 'b' -0.25, 'c' +0",
    ]


def test_numbers_are_written_in_their_own_unit() -> None:
    tree = Tree(1, splits((0, 3, 3, False)), np.array([[-0.05], [0.1]]))
    arguments = (DOMAIN, 10, (), None, REFINEMENT)
    text = tree_text(added("identity", tree, (0.25,)), *arguments, (100.0, 300.0))
    assert text.splitlines() == [
        "Predictions start at 150, and end between 100 and 300.",
        "",
        "Tree 1 of 1: added to the prediction",
        "  if age >= 50:",
        "    +20",
        "  else:",
        "    -10",
    ]
    text = tree_text(added("log", tree, (float(np.log(0.5)),)), *arguments, (1.0, 300.0))
    assert text.splitlines() == [
        "Predictions start at 150, and end between 1 and 300.",
        "",
        "Tree 1 of 1: factor of the prediction",
        "  if age >= 50:",
        "    times 1.10517",
        "  else:",
        "    times 0.951229",
    ]
    for base, start in (((), "0"), ((0.5,), "0.5")):
        assert f"start at {start}, and end between 0 and 1." in tree_text(added("identity", tree, base), DOMAIN, 10, ())


def test_the_base_stands_before_whatever_trees_are_chosen(all_records: dict[str, ModelRecord]) -> None:
    record = all_records["squared"]
    arguments = (record.ensemble, record.domain, record.n_bins, record.classes)
    blocks = tree_text(*arguments, [3], record.refinement, record.target_range).split("\n\n")
    assert [block.splitlines()[0] for block in blocks] == [
        "Predictions start at 100, and end between 10 and 250.",
        "Tree 3 of 6: added to the prediction",
    ]


def test_the_words_of_a_whole_model(all_records: dict[str, ModelRecord]) -> None:
    for name, answers in (("logistic", "classes 'no', 'yes'"), ("poisson", "numbers from 10 to 250")):
        text = model_text(all_records[name])
        assert f"of 6 trees of depth 2; {answers}; attributes âge, share, job, grade, member." in text
        assert "Tree 3 of 6" in text
        # Refined edges, and no other, are in the tests.
        edges = {edge for edge in re.findall(r"âge >= (\S+):", model_text(all_records[name], range(1, 7)))}
        assert edges
        assert edges <= {"18.5", "40.25", "65.5"}
