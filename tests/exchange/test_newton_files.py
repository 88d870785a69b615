"""Files of Newton-boosted models: format 2, its fields, and how trees, plan and parameters must agree."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from newton_records import refused, with_plan

from privboost.ensembles.ensemble import MAX_REACH
from privboost.errors import ModelFileError, VerificationError
from privboost.exchange import ModelRecord, dumps, loads
from privboost.privacy.verify import verify_statement
from privboost.trees.tree import Splits, Tree

Document = dict[str, Any]
NAMES = [
    *("logistic", "softmax", "squared", "quantile", "poisson", "gamma"),
    *("logistic-gaussian", "softmax-gaussian", "gamma-gaussian", "logistic-exact", "squared-exact", "logistic-plain"),
]


# -- round trips


@pytest.mark.parametrize("name", NAMES)
def test_new_fields_come_back(name: str, all_records: dict[str, ModelRecord]) -> None:
    record = all_records[name]
    text = dumps(record)
    document = json.loads(text)
    assert document["format"] == 2
    back = loads(text)
    assert (back.ensemble.base, back.ensemble.reach) == (record.ensemble.base, record.ensemble.reach)
    assert back.target_range == record.target_range
    assert (back.refinement is None) == (record.refinement is None)
    if record.refinement is not None and back.refinement is not None:
        assert back.refinement.to_dict() == record.refinement.to_dict()
    assert (back.ensemble.combination, back.ensemble.n_classes) == (
        record.ensemble.combination,
        record.ensemble.n_classes,
    )
    assert (back.classes, back.learner, back.plan) == (record.classes, record.learner, record.plan)
    assert back.statement == record.statement
    assert dumps(back) == text
    if record.statement.epsilon is not None:
        assert verify_statement(back.statement).private


def test_a_file_holds_what_format_2_says(all_records: dict[str, ModelRecord]) -> None:
    document = json.loads(dumps(all_records["squared"]))
    assert document["classes"] == []
    assert document["target_range"] == [10.0, 250.0]
    assert (document["ensemble"]["base"], document["ensemble"]["reach"]) == ([0.375], 100.0)
    assert (document["plan"]["score_reach"], document["plan"]["residual_clip"]) == (100.0, 1.0)
    assert document["refinement"]["edges"] == [[18.5, 40.25, 65.5], [-0.05, 0.0, 1e-3], None, None, None]
    assert document["refinement"]["orders"] == [None, None, [3, 5, 1, 2, 4], None, [2, 3, 1]]
    plain = json.loads(dumps(all_records["logistic-plain"]))
    assert (plain["refinement"], plain["target_range"], plain["ensemble"]["base"]) == (None, None, [0.0])


def test_a_base_of_zeros_may_be_left_out_in_memory(all_records: dict[str, ModelRecord]) -> None:
    record = all_records["logistic-plain"]
    assert dumps(replace(record, ensemble=replace(record.ensemble, base=()))) == dumps(record)


def test_models_without_new_fields_are_written_as_before(all_records: dict[str, ModelRecord]) -> None:
    for name in ("bdpe", "forest", "tree"):
        document = json.loads(dumps(all_records[name]))
        assert document["format"] == 1
        assert not {"refinement", "target_range"} & set(document)
        assert not {"base", "reach"} & set(document["ensemble"])
        back = loads(json.dumps(document))
        assert back.ensemble.reach == MAX_REACH
        assert (back.ensemble.base, back.refinement, back.target_range) == ((), None, None)


def test_every_model_has_one_format(all_records: dict[str, ModelRecord]) -> None:
    old, new = (json.loads(dumps(all_records[name])) for name in ("bdpe", "logistic"))
    with pytest.raises(ModelFileError, match="lacks the field 'refinement'"):
        loads(json.dumps(old | {"format": 2}))
    ensemble = old["ensemble"] | {"base": [0.0], "reach": 100.0}
    with pytest.raises(ModelFileError, match="No model file of format 2 has trees joined by 'margin'"):
        loads(json.dumps(old | {"format": 2, "refinement": None, "target_range": None, "ensemble": ensemble}))
    with pytest.raises(ModelFileError, match="unknown field 'refinement'"):
        loads(json.dumps(new | {"format": 1}))
    stripped = {key: value for key, value in new.items() if key not in ("refinement", "target_range")}
    ensemble = {key: value for key, value in new["ensemble"].items() if key not in ("base", "reach")}
    with pytest.raises(ModelFileError, match="No model file of format 1 has trees joined by 'logit'"):
        loads(json.dumps(stripped | {"format": 1, "ensemble": ensemble}))


def test_format_1_cannot_hold_what_it_has_no_field_for(all_records: dict[str, ModelRecord]) -> None:
    record, refinement = all_records["bdpe"], all_records["logistic"].refinement
    for changed in (
        replace(record, refinement=refinement),
        replace(record, target_range=(0.0, 1.0)),
        replace(record, ensemble=replace(record.ensemble, base=(0.5,))),
        replace(record, ensemble=replace(record.ensemble, reach=1.0)),
    ):
        refused(changed, ModelFileError, "has no base, reach, refinement or target_range")


# -- the new fields' own limits


def put(*path: Any) -> Callable[[Document], None]:
    """Return an edit that writes the last item at the path of the others."""

    def edit(document: Document) -> None:
        *parents, name, value = path
        content: Any = document
        for parent in parents:
            content = content[parent]
        content[name] = value

    return edit


EDGES, ORDERS, BASE = ("refinement", "edges"), ("refinement", "orders"), ("ensemble", "base")
REACH = ("ensemble", "reach")
EDITS: dict[str, tuple[Callable[[Document], None], str]] = {
    "edges that fall": (put(*EDGES, 0, [40.25, 18.5]), "each above the one before"),
    "equal edges": (put(*EDGES, 0, [18.5, 18.5, 65.5]), "each above the one before"),
    "whole numbers as edges": (put(*EDGES, 0, [18, 40, 65]), "'edges'"),
    "no edge": (put(*EDGES, 0, []), "'edges'"),
    "text as edge": (put(*EDGES, 0, ["18.5"]), "'edges'"),
    "an edge below the bounds": (put(*EDGES, 0, [0.0, 40.25, 65.5]), "above 0.0 and at most 100.0"),
    "an edge above the bounds": (put(*EDGES, 0, [18.5, 40.25, 100.5]), "above 0.0 and at most 100.0"),
    "too many edges": (put(*EDGES, 0, [1 + k / 4 for k in range(254)]), "at most 253"),
    "edges of a list": (put(*EDGES, 3, [1.5]), "not numeric"),
    "one attribute less": (lambda d: d["refinement"]["edges"].pop(), "a list of 5"),
    "one order less": (lambda d: d["refinement"]["orders"].pop(), "a list of 5"),
    "edges that are none": (put(*EDGES, None), "'edges'"),
    "an order with a gap": (put(*ORDERS, 2, [3, 5, 1, 2, 6]), "once, in any order"),
    "an order that repeats": (put(*ORDERS, 2, [3, 5, 1, 2, 2]), "once, in any order"),
    "a short order": (put(*ORDERS, 2, [3, 1, 2, 4]), "all of its 5"),
    "an order with the missing": (put(*ORDERS, 4, [2, 0, 1]), "once, in any order"),
    "decimals in an order": (put(*ORDERS, 4, [2.0, 3.0, 1.0]), "'orders'"),
    "an endless number in an order": (put(*ORDERS, 4, [2, 3, 10**400]), "'orders'"),
    "an order of grades": (put(*ORDERS, 3, [1, 2, 4, 3]), "has its own"),
    "no refinement": (put("refinement", None), "does not have"),
    "an empty refinement": (put("refinement", {}), "'edges'"),
    "a list as refinement": (put("refinement", []), "'refinement'"),
    "more in a refinement": (put("refinement", "more", 1), "'edges' and 'orders'"),
    "no base": (put(*BASE, []), "'base'"),
    "two bases": (put(*BASE, [-0.5, 0.0]), "'base'"),
    "a whole number as base": (put(*BASE, [1]), "'base'"),
    "null as base": (put(*BASE, None), "'base'"),
    "a base beyond any": (put(*BASE, [1e3]), "scores are out of range"),
    "a shorter reach": (put(*REACH, 50.0), "not reach as far as its plan"),
    "no reach at all": (put(*REACH, 0.0), "not reach as far as its plan"),
    "a longer reach": (put(*REACH, 100.5), "between 0 and 100"),
    "an endless reach": (put(*REACH, 1e308), "between 0 and 100"),
    "a reach below 0": (put(*REACH, -1.0), "between 0 and 100"),
    "a whole number as reach": (put(*REACH, 100), "'reach'"),
    "a list as reach": (put(*REACH, [100.0]), "'reach'"),
    "null as reach": (put(*REACH, None), "'reach'"),
    "a missing reach": (lambda d: d["ensemble"].pop("reach"), "lacks the field 'reach'"),
    "a missing base": (lambda d: d["ensemble"].pop("base"), "lacks the field 'base'"),
    "a missing refinement": (lambda d: d.pop("refinement"), "lacks the field 'refinement'"),
    "a missing range": (lambda d: d.pop("target_range"), "lacks the field 'target_range'"),
    "a range for classes": (put("target_range", [0.0, 1.0]), "'classes'"),
    "no classes": (put("classes", []), "'classes'"),
    "weights that differ": (put("ensemble", "weights", 0, 0.5), "all have one weight"),
    "another alpha": (put("ensemble", "alpha", 0.5), "with alpha 1"),
    "outputs for all classes": (put("ensemble", "outputs", 0, -1), "outputs"),
    "votes": (put("ensemble", "combination", "vote"), "No model file of format 2"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edited_field_is_refused(edit: str, all_records: dict[str, ModelRecord]) -> None:
    document = json.loads(dumps(all_records["logistic"]))
    change, message = EDITS[edit]
    change(document)
    with pytest.raises(ModelFileError, match=message) as caught:
        loads(json.dumps(document))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("found", [[250.0, 10.0], [10.0, 10.0], [10, 250], [10.0], [-1e308, 1e308], "x", {}, 5.0])
def test_a_range_is_two_numbers_in_order(found: Any, all_records: dict[str, ModelRecord]) -> None:
    document = json.loads(dumps(all_records["squared"]))
    document["target_range"] = found
    with pytest.raises(ModelFileError, match="'target_range'"):
        loads(json.dumps(document))


def test_a_number_has_no_classes_and_needs_a_range(all_records: dict[str, ModelRecord]) -> None:
    document = json.loads(dumps(all_records["squared"]))
    for change in ({"classes": ["a", "b"]}, {"target_range": None}, {"target_range": None, "classes": ["a", "b"]}):
        with pytest.raises(ModelFileError):
            loads(json.dumps(document | change))


def test_the_edges_of_all_attributes_are_limited(
    all_records: dict[str, ModelRecord], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = dumps(all_records["logistic"])
    monkeypatch.setattr("privboost.exchange.archive.MAX_BINS", 50)  # ten bins for each of five attributes
    assert loads(text).refinement is not None
    document = json.loads(text)
    document["refinement"]["edges"][0] = [1 + k / 4 for k in range(48)]
    with pytest.raises(ModelFileError, match="refinement has more than 50 bins"):
        loads(json.dumps(document))


# -- trees, plan and parameters


def test_learners_and_combinations_belong_together(all_records: dict[str, ModelRecord]) -> None:
    logistic, squared = all_records["logistic"], all_records["squared"]
    refused(replace(logistic, learner="PrivateBoostingRegressor"))
    refused(replace(squared, learner="PrivateBoostingClassifier"))
    refused(replace(logistic, learner="BDPEClassifier"))
    refused(replace(all_records["bdpe"], learner="PrivateBoostingClassifier"))
    for name, objective in (("logistic", "squared"), ("squared", "poisson"), ("poisson", "squared")):
        refused(with_plan(all_records[name], objective=objective), match="as its objective demands")
    refused(with_plan(logistic, objective="hinge"), ModelFileError, "does not know")


def test_two_classes_have_one_score_and_more_have_one_each(all_records: dict[str, ModelRecord]) -> None:
    softmax = all_records["softmax"]
    one = tuple(Tree(tree.depth, tree.splits, tree.values[:, :1]) for tree in softmax.ensemble.trees)
    logit = replace(softmax.ensemble, combination="logit", trees=one, outputs=np.zeros(6, np.int64))
    refused(with_plan(replace(softmax, ensemble=logit), objective="logistic"), match="'softmax' for more")
    logistic = all_records["logistic"]
    two = tuple(Tree(tree.depth, tree.splits, tree.values[:, [0, 0]]) for tree in logistic.ensemble.trees)
    pair = replace(logistic.ensemble, combination="softmax", trees=two, outputs=np.full(6, -1))
    refused(with_plan(replace(logistic, ensemble=pair), objective="softmax"), match="'logit' for two classes")


@pytest.mark.parametrize(
    "facts",
    [
        {"n_rounds": 2},
        {"trees_per_round": 3},
        {"n_rounds": 2, "trees_per_round": 3},
        {"n_rounds": -3, "trees_per_round": -2},
        {"n_rounds": 3.0},
        {"n_rounds": True},
        {"n_rounds": 10**30},
        {"max_depth": 3},
        {"kappa": 0.0},
        {"kappa": 1.5},
        {"kappa": 1},
        {"kappa": None},
        {"score_reach": -1.0},
        {"score_reach": 100.5},
        {"score_reach": 50.0},
        {"score_reach": True},
        {"residual_clip": 0.0},
        {"residual_clip": -0.5},
        {"residual_clip": 1.5},
        {"residual_clip": 1},
        {"residual_clip": True},
        {"residual_clip": "1"},
        {"residual_clip": None},
        {"gradient_clip": 0.4},
        {"gradient_clip": 1.5},
        {"gradient_clip": 1},
        {"gradient_clip": "1"},
        {"gradient_clip": None},
        {"reasons": None},
        {"reasons": "few"},
        {"reasons": {"n_rounds": "few"}},
        {"reasons": ["few"] * 21},
        {"reasons": ["x" * 301]},
        {"reasons": [""]},
        {"reasons": [5]},
        {"reasons": [["few"]]},
        {"reasons": ["few", None]},
        {"reasons": ["a\nb"]},
        {"reasons": ["a\u2028b"]},
        {"reasons": ["a\tb"]},
        {"reasons": ["a\x1b[2Jb"]},
        {"reasons": ["a\x00b"]},
        {"reasons": ["a\u202eb"]},
        {"reasons": ["a\ud800b"]},
        {"score_reach": 100},
        {"base_share": 0.0},
        {"base_share": 1.0},
        {"base_share": -0.5},
        {"base_share": "much"},
        {"histograms": False},
        {"histograms": 1},
        {"mechanism": "gaussian"},
        {"mechanism": "none"},
        {"mechanism": "exponential"},
        {"mechanism": None},
        {"objective": 5},
        {"objective": "softmax"},
        {"epsilon": 1.0},
        {"epsilon": None},
        {"delta": 1e-6},
        {"n_stats": 3},
        {"alphas": [[1.0, 1.0]]},
    ],
    ids=str,
)
def test_a_plan_that_does_not_fit(facts: dict[str, Any], all_records: dict[str, ModelRecord]) -> None:
    refused(with_plan(all_records["logistic"], **facts), ModelFileError)


@pytest.mark.parametrize(
    "name",
    [
        *("n_rounds", "trees_per_round", "kappa", "score_reach", "residual_clip", "base_share", "histograms"),
        *("mechanism", "objective", "reasons"),
    ],
)
def test_a_plan_that_lacks_a_fact(name: str, all_records: dict[str, ModelRecord]) -> None:
    record = all_records["logistic"]
    plan = {key: value for key, value in record.plan.items() if key != name}
    refused(replace(record, plan=plan), ModelFileError, f"must hold '{name}'")


def test_reasons_are_a_few_lines_of_free_text(all_records: dict[str, ModelRecord]) -> None:
    for reasons in ([], ["x" * 300] * 20, ["ε = 1: noise of 5 %, “few” rows."]):
        assert loads(dumps(with_plan(all_records["logistic"], reasons=reasons))).plan["reasons"] == reasons


@pytest.mark.parametrize(
    "parameters",
    [
        {"privacy": "pure"},
        {"privacy": None},
        {"delta": 1e-9},
        {"delta": True},
        {"delta": None},
        {"delta": 0.0},
        {"delta": "x"},
        {"epsilon": 1.0},
        {"max_depth": 3},
        {"n_bins": 11},
        {"n_bins": None},
        {"relation": "replace-one"},
        {"rows_per_person": 2},
        {"quantile": 2.0},
    ],
    ids=str,
)
def test_parameters_that_do_not_fit(
    parameters: dict[str, Any], all_records: dict[str, ModelRecord], newton: Any
) -> None:
    record = newton("quantile", "gaussian") if "quantile" in parameters else all_records["logistic-gaussian"]
    assert dumps(record)
    refused(replace(record, parameters=record.parameters | parameters), ModelFileError)


def test_what_is_left_to_the_plan_is_not_contradicted(all_records: dict[str, ModelRecord]) -> None:
    record = all_records["logistic-gaussian"]
    left = record.parameters | {"max_depth": "auto", "n_rounds": "auto", "epsilon": 1.5}
    assert loads(dumps(replace(record, parameters=left))).parameters == left
    refused(replace(record, parameters=left | {"max_depth": "any"}))


def test_a_private_model_has_a_test_in_every_node(all_records: dict[str, ModelRecord]) -> None:
    record = all_records["logistic"]
    tree = record.ensemble.trees[0]
    null = Tree(tree.depth, Splits.null(len(tree.splits)), tree.values)
    refused(replace(record, ensemble=replace(record.ensemble, trees=(null, *record.ensemble.trees[1:]))))


@pytest.mark.parametrize(
    "test",
    [
        (0, 2, 10),  # the public layout's last bin
        (0, 5, 4),
        (0, 3, 3),  # a bin against the rest
        (2, 2, 2),  # a category against the rest, where they are in order
        (2, 2, 4),  # all but the highest
        (3, 2, 4),  # a grade that is not listed
    ],
)
def test_tests_must_be_those_of_the_refined_layout(
    test: tuple[int, int, int], all_records: dict[str, ModelRecord]
) -> None:
    record = all_records["logistic"]
    tree = record.ensemble.trees[0]
    splits = Splits(*(getattr(tree.splits, f).copy() for f in ("attribute", "first", "last", "missing_right")))
    splits.attribute[0], splits.first[0], splits.last[0] = test
    splits.missing_right[0] = False
    changed = (Tree(tree.depth, splits, tree.values), *record.ensemble.trees[1:])
    refused(replace(record, ensemble=replace(record.ensemble, trees=changed)), match="does not have")


def test_leaves_stay_within_the_plan(all_records: dict[str, ModelRecord]) -> None:
    for name in ("logistic-exact", "squared-exact"):
        record = all_records[name]
        trees = tuple(Tree(t.depth, t.splits, np.full_like(t.values, 1e308)) for t in record.ensemble.trees)
        refused(
            replace(record, ensemble=replace(record.ensemble, trees=trees)), VerificationError, "moves a score further"
        )
