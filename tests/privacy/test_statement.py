from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from fractions import Fraction

import pytest

from privboost.errors import ModelFileError, ParameterError, ParameterTypeError, VerificationError
from privboost.privacy import Event, PrivacyStatement, PrivacyUnit, divide_budget, noise_scale, split_bars
from privboost.privacy.release_table import release_kind


def make_releases(epsilon=1.0, distance=1, n_trees=20, depth=3):
    """The ledger of a boosted ensemble: a split event a level and a leaf event a tree."""
    split, leaf = divide_budget(epsilon, [0.25, 0.75])
    events = []
    for t in range(n_trees):
        for j in range(depth):
            scale = noise_scale(distance, 90000, split / n_trees / depth)
            events.append(
                Event(f"tree {t}/depth {j}/split", "permute-and-flip", 90000, scale, distance, 2**j, "parallel", 45)
            )
        scale = noise_scale(distance, 32768 + t, leaf / n_trees)
        events.append(Event(f"tree {t}/leaf", "laplace", 32768 + t, scale, distance, 2**depth, "parallel", 2))
    return tuple(events)


def make_statement(**changes):
    fields = {
        "epsilon": 1.0,
        "unit": PrivacyUnit(),
        "secure": True,
        "private": True,
        "releases": make_releases(),
        "assumed_public": ("the number of rows", "the domain of every attribute", "the list of classes"),
        "notes": ("Three classes: one learner each, with a third of the budget.",),
        "alphas": (("depth 0", 0.25), ("depth 1", 0.0)),
    }
    return PrivacyStatement(**(fields | changes))


EXACT = Event("tree 0/leaf", "none", 1, 0.0, 1, 8, "parallel", 2)
SIMULATED = make_statement(secure=False, private=False)
NON_PRIVATE = make_statement(epsilon=None, private=False, releases=(EXACT,))
PARTLY_EXACT = make_statement(
    epsilon=None, private=False, secure=False, releases=(*make_releases(), dataclasses.replace(EXACT, label="leverage"))
)

UNCOVERED = make_statement(secure=False, private=False, uncovered=("the weights of the trees",))


def through_json(statement):
    return json.loads(json.dumps(statement.to_dict(), allow_nan=False))


class TestText:
    def test_one_sentence_names_epsilon_delta_unit(self):
        text = make_statement().summary()
        assert text == (
            "This model is ε-differentially private with ε = 1 (pure: δ = 0), "
            "for tables that differ in one row added or removed (the number of rows is public)."
        )

    def test_relation_and_rows_per_person_are_named(self):
        unit = PrivacyUnit("replace-one", 3)
        statement = make_statement(unit=unit, releases=make_releases(distance=6))
        assert unit.describe() in statement.summary()
        assert statement.relation == "replace-one"

    def test_twenty_trees_become_one_line_a_kind(self):
        lines = str(make_statement()).splitlines()
        table = [line for line in lines if line.startswith(("split", "leaf"))]
        assert len(table) == 2
        assert "140" in table[0]  # 20 trees of 1 + 2 + 4 nodes
        assert "25.0 %" in table[0]
        assert "160" in table[1]  # 20 trees of 8 leaves
        assert "75.0 %" in table[1]
        assert len(lines) < 12

    def test_noise_is_given_in_rows(self):
        group = make_statement().groups()[1]
        # 0.75 for 20 trees: 1/(0.0375) = 26.67 rows.
        assert group.relative_scale == pytest.approx((80 / 3, 80 / 3))

    def test_public_assumptions_notes_and_alphas_are_printed(self):
        text = str(make_statement())
        for part in ("the number of rows", "list of classes", "Three classes", "depth 0: 0.25"):
            assert part in text

    @pytest.mark.parametrize("statement", [SIMULATED, NON_PRIVATE, PARTLY_EXACT, UNCOVERED])
    def test_every_rendering_says_not_private(self, statement):
        renderings = [statement.summary(), str(statement), split_bars(statement), statement._repr_html_()]
        renderings += [json.dumps(statement.to_dict()), statement.warning]
        for text in renderings:
            assert "NOT PRIVATE" in text
            assert "This model is ε-differentially private" not in text
        assert statement.to_dict()["private"] is False

    def test_only_a_private_statement_lacks_the_warning(self):
        statement = make_statement()
        for text in (statement.summary(), str(statement), split_bars(statement), statement._repr_html_()):
            assert "NOT PRIVATE" not in text
        assert statement.to_dict()["private"] is True

    def test_exact_release_among_noisy_ones_is_named(self):
        assert "no noise covers these releases: leverage" in PARTLY_EXACT.warning
        assert "trained without noise" in NON_PRIVATE.warning

    def test_alphas_of_many_trees_become_one_entry_a_depth(self):
        alphas = tuple((f"class a/b/tree {t}/depth {j}/split", 0.5 * j + 0.01 * t) for t in range(20) for j in range(2))
        text = str(make_statement(alphas=alphas))
        assert "Loss parameter α: depth 0: 0 to 0.19; depth 1: 0.5 to 0.69." in text

    def test_uncovered_part_is_named_and_nothing_else_is_promised(self):
        assert "no release covers the weights of the trees" in UNCOVERED.warning
        assert "would be" in SIMULATED.summary()
        assert "would be" not in UNCOVERED.summary()

    def test_html_is_escaped(self):
        assert "<b>" not in make_statement(notes=("class <b>",))._repr_html_()


class TestBudgetSplit:
    def test_shares_by_kind(self):
        assert make_statement().budget_split() == pytest.approx({"split": 0.25, "leaf": 0.75})

    def test_no_budget_without_epsilon(self):
        assert NON_PRIVATE.budget_split() == {}
        assert "No privacy budget" in split_bars(NON_PRIVATE)

    @pytest.mark.parametrize("width", [10, 30, 60, 120])
    def test_bars_fit_the_width_and_grow_with_the_share(self, width):
        lines = split_bars(make_statement(), width).splitlines()
        assert [line.split()[0] for line in lines] == ["split", "leaf"]
        assert all(len(line) <= max(width, 30) for line in lines)
        bars = [line.count("█") for line in lines]
        assert bars[1] == pytest.approx(3 * bars[0], abs=2)
        assert lines[1].endswith("75.0 %")

    def test_kind_is_the_last_part_of_a_label(self):
        assert release_kind("class a/tree 1/leaf") == "leaf"
        assert release_kind("leaf") == "leaf"


class TestClaims:
    """A statement that claims more than its ledger supports cannot be constructed."""

    @pytest.mark.parametrize(
        "changes",
        [
            {"secure": False},  # private by seeded noise
            {"uncovered": ("the weights of the trees",)},
            {"epsilon": None},  # private without epsilon
            {"epsilon": 0.9},  # less than the releases cost
            {"epsilon": 0.0},
            {"epsilon": -1.0},
            {"epsilon": float("nan")},
            {"epsilon": float("inf")},
            {"epsilon": 1},
            {"delta": 1.0},
            {"delta": -1e-9},
            {"delta": float("nan")},
            {"delta": 0},
            {"unit": PrivacyUnit("replace-one")},  # releases were planned for the other relation
            {"releases": (*make_releases(), EXACT)},
        ],
    )
    def test_unsupported_claim_is_refused(self, changes):
        with pytest.raises(ParameterError):
            make_statement(**changes)

    @pytest.mark.parametrize(
        "changes",
        [
            {"unit": "add-remove"},
            {"secure": 1},
            {"private": None},
            {"releases": [EXACT]},
            {"releases": ("x",)},
            {"assumed_public": "the domain"},
            {"notes": (1,)},
            {"uncovered": [""]},
            {"alphas": (("depth 0", 1),)},
            {"alphas": (("depth 0", float("nan")),)},
            {"alphas": ("depth 0",)},
            {"version": 1},
        ],
    )
    def test_wrong_type_is_refused(self, changes):
        with pytest.raises(ParameterTypeError):
            make_statement(**changes)

    def test_exact_releases_have_no_total(self):
        assert NON_PRIVATE.total is None
        assert make_statement().total <= 1
        assert isinstance(make_statement().total, Fraction)


class TestJson:
    @pytest.mark.parametrize("statement", [make_statement(), SIMULATED, NON_PRIVATE, PARTLY_EXACT, UNCOVERED])
    def test_round_trip_is_exact(self, statement):
        again = PrivacyStatement.from_dict(through_json(statement))
        assert again == statement
        assert again.to_dict() == statement.to_dict()
        assert pickle.loads(pickle.dumps(statement)) == statement

    def test_exact_fractions_stand_next_to_floats(self):
        fields = make_statement().to_dict()
        assert Fraction(fields["total_exact"]) == make_statement().total
        event = fields["releases"][0]
        assert Fraction(event["cost_exact"]) == event["sensitivity"] / Fraction(event["scale"])
        assert float(Fraction(event["cost_exact"])) == event["cost"]

    def test_every_missing_or_unknown_field_is_refused(self):
        fields = through_json(make_statement())
        for name in fields:
            broken = {key: value for key, value in fields.items() if key != name}
            with pytest.raises(ModelFileError):
                PrivacyStatement.from_dict(broken)
        with pytest.raises(ModelFileError, match="unknown"):
            PrivacyStatement.from_dict(fields | {"epsilonn": 1})

    def test_every_field_of_another_type_is_refused(self):
        fields = through_json(make_statement())
        for name in fields:
            for value in (None, 3.5, "x", [1], {}, [["x"]]):
                if value == fields[name] or (name, value) == ("version", "x"):
                    continue
                with pytest.raises(ModelFileError):
                    PrivacyStatement.from_dict(fields | {name: value})

    @pytest.mark.parametrize(
        ("path", "value"),
        [
            (("epsilon",), 0.5),  # claims less than it cost
            (("epsilon",), 2.0),  # the sentence no longer fits
            (("total",), 0.1),
            (("total_exact",), "1/10"),
            (("summary",), "This model is perfectly private."),
            (("warning",), "Trust me."),
            (("unit", "relation"), "replace-one"),
            (("unit", "rows_per_person"), 2),
            (("releases", 0, "sensitivity"), 45000),
            (("releases", 0, "scale"), 1e9),
            (("releases", 0, "cost"), 0.0),
            (("releases", 0, "cost_exact"), "0/1"),
            (("releases", 0, "epsilon_exact"), "0/1"),
            (("releases", 1, "composition"), "sequential"),
            (("releases", 0, "distance"), 2),
        ],
    )
    def test_altered_file_contradicts_itself(self, path, value):
        fields = copy.deepcopy(through_json(make_statement()))
        place = fields
        for key in path[:-1]:
            place = place[key]
        assert place[path[-1]] != value
        place[path[-1]] = value
        with pytest.raises(VerificationError):
            PrivacyStatement.from_dict(fields)

    def test_removed_release_is_noticed(self):
        fields = through_json(make_statement())
        del fields["releases"][3]
        with pytest.raises(VerificationError):
            PrivacyStatement.from_dict(fields)

    def test_simulation_cannot_be_declared_private_by_editing(self):
        fields = through_json(SIMULATED) | {"private": True, "warning": ""}
        with pytest.raises(VerificationError):
            PrivacyStatement.from_dict(fields)

    @pytest.mark.parametrize("value", [None, [], "text", 3])
    def test_not_an_object_is_refused(self, value):
        with pytest.raises(ModelFileError):
            PrivacyStatement.from_dict(value)

    def test_newer_format_is_named(self):
        with pytest.raises(ModelFileError, match="format 99"):
            PrivacyStatement.from_dict(through_json(make_statement()) | {"format": 99})

    @pytest.mark.parametrize("name", ["label", "mechanism", "sensitivity", "scale", "count", "cost"])
    def test_release_without_a_field_is_refused(self, name):
        fields = through_json(make_statement())
        del fields["releases"][0][name]
        with pytest.raises(ModelFileError):
            PrivacyStatement.from_dict(fields)


def test_a_statement_names_what_is_private():
    evaluation, model = make_statement(subject="evaluation"), make_statement()
    assert evaluation.summary().startswith("This evaluation is")
    assert model.summary().startswith("This model is")
    assert "subject" not in model.to_dict()
    assert evaluation.to_dict()["subject"] == "evaluation"
    assert PrivacyStatement.from_dict(evaluation.to_dict()) == evaluation
    simulated = make_statement(subject="evaluation", secure=False, private=False)
    assert "evaluate again with random_state=None" in simulated.warning
    for subject in ("rows", 1, None):
        with pytest.raises(ParameterError, match="'subject' parameter must be one of model, evaluation"):
            make_statement(subject=subject)
