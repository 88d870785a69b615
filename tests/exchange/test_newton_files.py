"""Files of Newton-boosted models: format 2, what its ledger must list, and what each release must be calibrated to."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from privboost.data import Refinement
from privboost.errors import ModelFileError, VerificationError
from privboost.exchange import ModelRecord, dumps, loads
from privboost.privacy.accounting import Event
from privboost.privacy.verify import verify_statement
from privboost.trees.tree import Splits, Tree

Document = dict[str, Any]
GRID = 2**16
NAMES = [
    *("logistic", "softmax", "squared", "quantile", "poisson", "gamma"),
    *("logistic-gaussian", "softmax-gaussian", "gamma-gaussian", "logistic-exact", "squared-exact", "logistic-plain"),
]


def refused(record: ModelRecord, error: type[ModelFileError] = VerificationError, match: str = ".") -> None:
    with pytest.raises(error, match=match) as caught:
        dumps(record)
    assert "\n" not in str(caught.value)


def with_plan(record: ModelRecord, **facts: Any) -> ModelRecord:
    return replace(record, plan=record.plan | facts)


def with_event(record: ModelRecord, index: int, **fields: Any) -> ModelRecord:
    """Change one release, but never so that it costs more: the scale grows with the sensitivity's change undone."""
    releases = list(record.statement.releases)
    known = {name: getattr(releases[index], name) for name in Event.__slots__}
    releases[index] = Event(**(known | fields))
    return replace(record, statement=replace(record.statement, releases=tuple(releases)))


# -- round trips


@pytest.mark.parametrize("name", NAMES)
def test_new_fields_come_back(name: str, all_records: dict[str, ModelRecord]) -> None:
    record = all_records[name]
    text = dumps(record)
    document = json.loads(text)
    assert document["format"] == 2
    back = loads(text)
    assert back.ensemble.base == record.ensemble.base
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
    assert document["ensemble"]["base"] == [0.375]
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
        assert "base" not in document["ensemble"]
        back = loads(json.dumps(document))
        assert (back.ensemble.base, back.refinement, back.target_range) == ((), None, None)


def test_every_model_has_one_format(all_records: dict[str, ModelRecord]) -> None:
    old, new = (json.loads(dumps(all_records[name])) for name in ("bdpe", "logistic"))
    with pytest.raises(ModelFileError, match="lacks the field 'refinement'"):
        loads(json.dumps(old | {"format": 2}))
    ensemble = old["ensemble"] | {"base": [0.0]}
    with pytest.raises(ModelFileError, match="No model file of format 2 has trees joined by 'margin'"):
        loads(json.dumps(old | {"format": 2, "refinement": None, "target_range": None, "ensemble": ensemble}))
    with pytest.raises(ModelFileError, match="unknown field 'refinement'"):
        loads(json.dumps(new | {"format": 1}))
    stripped = {key: value for key, value in new.items() if key not in ("refinement", "target_range")}
    ensemble = {key: value for key, value in new["ensemble"].items() if key != "base"}
    with pytest.raises(ModelFileError, match="No model file of format 1 has trees joined by 'logit'"):
        loads(json.dumps(stripped | {"format": 1, "ensemble": ensemble}))


def test_format_1_cannot_hold_what_it_has_no_field_for(all_records: dict[str, ModelRecord]) -> None:
    record, refinement = all_records["bdpe"], all_records["logistic"].refinement
    for changed in (
        replace(record, refinement=refinement),
        replace(record, target_range=(0.0, 1.0)),
        replace(record, ensemble=replace(record.ensemble, base=(0.5,))),
    ):
        refused(changed, ModelFileError, "has no base, refinement or target_range")


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
    "a missing base": (lambda d: d["ensemble"].pop("base"), "lacks the field 'base'"),
    "a missing refinement": (lambda d: d.pop("refinement"), "lacks the field 'refinement'"),
    "a missing range": (lambda d: d.pop("target_range"), "lacks the field 'target_range'"),
    "a range for classes": (put("target_range", [0.0, 1.0]), "'classes'"),
    "no classes": (put("classes", []), "'classes'"),
    "weights that differ": (put("ensemble", "weights", 0, 0.5), "weight and alpha 1"),
    "another alpha": (put("ensemble", "alpha", 0.5), "weight and alpha 1"),
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
        {"score_reach": 1e9},
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
    ["n_rounds", "trees_per_round", "kappa", "score_reach", "base_share", "histograms", "mechanism", "objective"],
)
def test_a_plan_that_lacks_a_fact(name: str, all_records: dict[str, ModelRecord]) -> None:
    record = all_records["logistic"]
    plan = {key: value for key, value in record.plan.items() if key != name}
    refused(replace(record, plan=plan), ModelFileError, f"must hold '{name}'")


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


def test_scores_must_be_finite(all_records: dict[str, ModelRecord]) -> None:
    for name in ("logistic-exact", "squared-exact"):
        record = all_records[name]
        trees = tuple(Tree(t.depth, t.splits, np.full_like(t.values, 1e308)) for t in record.ensemble.trees)
        refused(replace(record, ensemble=replace(record.ensemble, trees=trees)), ModelFileError, "out of range")


# -- the ledger


def test_reordered_categories_need_a_release(newton: Any, all_records: dict[str, ModelRecord]) -> None:
    refinement = all_records["logistic"].refinement
    record = newton("logistic", histograms=False, refinement=refinement)
    assert [event.label for event in record.statement.releases][:2] == ["class counts", "round 1/tree 1/leaves"]
    refused(record, match="reordered, but no release")
    # Other edges, and the public order itself, need none.
    identity = Refinement(refinement.edges, (None, None, np.arange(1, 6), None, np.arange(1, 4)))
    assert loads(dumps(newton("logistic", histograms=False, refinement=identity))).refinement is not None
    # Nor can the release just be taken out of the ledger.
    record = all_records["logistic"]
    shorter = tuple(event for event in record.statement.releases if event.label != "histograms")
    refused(replace(record, statement=replace(record.statement, releases=shorter)), match="lists 7 releases")
    refused(with_plan(replace(record, statement=replace(record.statement, releases=shorter)), histograms=False))


def test_a_base_score_needs_a_release(newton: Any) -> None:
    record = newton("logistic", base_share=0.0)
    assert dumps(record)
    refused(replace(record, ensemble=replace(record.ensemble, base=(0.1,))), match="no release")


@pytest.mark.parametrize("name", ["logistic", "softmax", "gamma-gaussian", "squared-exact"])
def test_the_ledger_lists_every_release_in_order(name: str, all_records: dict[str, ModelRecord]) -> None:
    record = all_records[name]
    releases = record.statement.releases
    first = "class counts" if record.classes else "target sums"
    rounds = [f"round {r}/tree {k}/leaves" for r in (1, 2, 3) for k in (1, 2)]
    assert [event.label for event in releases] == [first, "histograms", *rounds]
    n_stats = len(record.classes) or 2
    # Codes of âge, share, job, grade and member, "missing" and "not listed" among them.
    n_cells = 11 + 11 + 6 + 5 + 4
    assert [event.size for event in releases] == [n_stats, n_cells * n_stats, *[record.ensemble.n_outputs + 1] * 6]
    for other in (releases[1:], releases[:-1], releases[::-1], (releases[1], releases[0], *releases[2:])):
        refused(replace(record, statement=replace(record.statement, releases=tuple(other))))
    for index, event in enumerate(releases):
        refused(with_event(record, index, label=event.label + "x"))
        refused(with_event(record, index, size=event.size - 1))
    if record.statement.epsilon is not None and name != "gamma-gaussian":
        refused(with_event(record, 2, count=2))
        refused(with_event(record, 2, composition="sequential", scale=releases[2].scale * 4))


def test_all_noise_is_of_one_kind(all_records: dict[str, ModelRecord]) -> None:
    record = all_records["logistic"]
    wide = with_event(record, 2, mechanism="permute-and-flip")
    refused(wide)
    exact = all_records["logistic-exact"]
    assert dumps(exact)
    refused(with_event(exact, 2, mechanism="laplace", scale=1e9))


@pytest.mark.parametrize(
    "name", ["logistic", "softmax", "squared", "quantile", "poisson", "gamma", "logistic-gaussian", "gamma-gaussian"]
)
def test_a_release_for_less_than_one_row_is_refused(name: str, all_records: dict[str, ModelRecord]) -> None:
    record = all_records[name]
    for index, event in enumerate(record.statement.releases):
        less = with_event(record, index, sensitivity=math.floor(event.sensitivity * 0.99))
        refused(less, match="calibrated to less than one row can change")
        # More than necessary is safe.
        assert dumps(with_event(record, index, sensitivity=event.sensitivity + 9, scale=event.scale * 2))


def test_the_bounds_are_those_of_the_formulas(all_records: dict[str, ModelRecord]) -> None:
    record = all_records["logistic"]
    q = 1.0 / (1.0 + math.exp(-0.5))  # the base score is -0.5: a row of the second class is missed by this
    found = [event.sensitivity for event in record.statement.releases]
    assert found[:2] == [GRID, 5 * GRID]
    assert found[2] == pytest.approx((q + q * (1 - q)) * GRID, abs=3)
    assert found[2] == found[3]
    trees = record.ensemble.trees[:2]
    low = -0.5 + sum(float(tree.values.min()) for tree in trees)
    high = -0.5 + sum(float(tree.values.max()) for tree in trees)
    q = 1.0 / (1.0 + math.exp(-max(-low, high)))
    assert found[4] == pytest.approx((q + q * (1 - q)) * GRID, abs=3)
    gaussian = [event.sensitivity for event in all_records["logistic-gaussian"].statement.releases]
    assert gaussian[:2] == [GRID, math.ceil(math.sqrt(5) * GRID)]
    q = 1.0 / (1.0 + math.exp(-0.5))
    assert gaussian[2] == pytest.approx(math.hypot(q, q * (1 - q)) * GRID, abs=3)


@pytest.mark.parametrize("name", ["logistic", "softmax", "squared", "poisson", "gamma"])
def test_larger_leaves_before_demand_more_noise_after(name: str, all_records: dict[str, ModelRecord]) -> None:
    record = all_records[name]
    tree = record.ensemble.trees[0]
    values = tree.values.copy()
    values[0] -= 3.0
    values[1] += 3.0
    changed = (Tree(tree.depth, tree.splits, values), *record.ensemble.trees[1:])
    refused(replace(record, ensemble=replace(record.ensemble, trees=changed)), match="'round 2/tree 1/leaves'")
    # The last round's leaves bound nothing.
    last = (*record.ensemble.trees[:-1], Tree(tree.depth, tree.splits, values))
    assert dumps(replace(record, ensemble=replace(record.ensemble, trees=last)))


@pytest.mark.parametrize("name", ["logistic", "softmax", "squared", "poisson", "gamma"])
@pytest.mark.parametrize(("reach", "shift"), [(0.0, 0.0), (0.05, 0.0), (0.0, 0.3), (0.1, 0.3), (0.1, -0.3)])
def test_scores_out_of_reach_count_as_its_end(name: str, reach: float, shift: float, newton: Any) -> None:
    record = newton(name, reach=reach, shift=shift)
    assert dumps(record)
    if name == "softmax" or (name == "squared" and shift < 0.0):
        return
    # With every leaf above (or below) the base, scores are all at the same end, and gradients at that end.
    wide = [event.sensitivity for event in newton(name, shift=shift).statement.releases]
    near = [event.sensitivity for event in record.statement.releases]
    assert near[:4] == wide[:4]
    if reach == 0.0:
        assert len(set(near[2:])) == 1
    if shift == 0.0:
        assert near[-1] <= wide[-1]


def test_a_base_further_out_demands_more_noise(all_records: dict[str, ModelRecord]) -> None:
    record = all_records["logistic"]
    further = replace(record.ensemble, base=(-2.0,))
    refused(replace(record, ensemble=further), match="'round 1/tree 1/leaves'")


def test_a_range_that_leaves_no_bound_is_refused(all_records: dict[str, ModelRecord]) -> None:
    record = all_records["gamma"]
    for low in (0.0, -1.0, 5e-324):
        refused(replace(record, target_range=(low, 250.0)), ModelFileError)
    far = tuple(Tree(tree.depth, tree.splits, tree.values - 800.0) for tree in record.ensemble.trees)
    endless = replace(record, target_range=(5e-320, 0.5), ensemble=replace(record.ensemble, trees=far))
    refused(with_plan(endless, score_reach=1e5), ModelFileError, "leave no bound")
    refused(replace(all_records["poisson"], target_range=(-1.0, 250.0)), ModelFileError, "not start below 0")
    assert dumps(replace(all_records["squared"], target_range=(-20.0, -10.0)))


def test_a_noise_free_model_has_no_bound_to_keep(all_records: dict[str, ModelRecord]) -> None:
    record = all_records["squared-exact"]
    assert dumps(with_event(record, 3, sensitivity=1))
    assert not loads(dumps(record)).statement.private
