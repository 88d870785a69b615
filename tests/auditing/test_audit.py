"""The public audit: what it reports, what it refuses, and that its bounds are those of the methods behind it."""

from __future__ import annotations

import json
import math
import re
import time
import xml.etree.ElementTree as ElementTree
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import privboost
from privboost import (
    AuditReport,
    BDPEClassifier,
    Budget,
    Domain,
    Numeric,
    PrivateBoostingClassifier,
    PrivateBoostingRegressor,
    PrivateForestClassifier,
    PrivateTreeClassifier,
    audit,
)
from privboost.auditing.canaries import place_canaries
from privboost.auditing.one_run import canary_scores
from privboost.auditing.sampling import Event, best_event, shown_by
from privboost.errors import BudgetExceededError, ParameterError, ParameterTypeError, SchemaError

VOTE = PrivateForestClassifier(n_trees=1, max_depth=1, classes=[0, 1])
DEEP = PrivateForestClassifier(n_trees=1, max_depth=16, leaf="soft", random_state=0)
SEEDED = PrivateTreeClassifier(max_depth=1, random_state=0)


def plain(report: AuditReport) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(report.to_json())
    assert found == report.to_dict()
    return {name: value for name, value in found.items() if name != "seconds"}


class TestReport:
    def test_an_exact_one(self) -> None:
        report = audit(VOTE)
        assert report.method == "exact"
        assert report.holds
        assert report.confidence == 1.0
        assert report.lower_bound == pytest.approx(report.epsilon, rel=1e-6)
        assert report.upper_bound == pytest.approx(report.epsilon, rel=1e-6)
        assert plain(report)["private"] is True
        text = str(report)
        assert "the claim stands" in text
        assert "PrivateForestClassifier" in text
        assert "not private" not in text

    def test_a_delta_in_units_of_epsilon_and_of_delta(self) -> None:
        """Nothing but leaves at scores of 0: their law is that of one Gaussian release."""
        settings = {"n_rounds": 1, "trees_per_round": 1, "max_depth": 1, "histogram_share": 0.0, "base_share": 0.0}
        model = PrivateBoostingClassifier(delta=1e-3, mechanism="gaussian", score_reach=0.0, **settings)
        report = audit(model)
        assert report.holds
        assert report.attained_delta == pytest.approx(1e-3, rel=0.01)
        assert report.attained_delta <= report.upper_bound <= 1e-3
        assert 0.999 < report.lower_bound <= 1.0
        assert f"δ = {report.upper_bound:.6g}" in str(report)

    def test_pure_releases_under_a_delta_are_held_against_their_sum(self) -> None:
        report = audit(PrivateTreeClassifier(max_depth=1))
        model = PrivateBoostingClassifier(delta=1e-3, n_rounds=1, trees_per_round=1, max_depth=1, mechanism="laplace")
        under = audit(model)
        assert under.delta == 0.0
        assert under.holds
        assert 0.9 < under.lower_bound / under.epsilon <= 1.0 + 1e-9
        assert report.delta == 0.0

    def test_a_sampled_one_is_repeatable_with_a_seed(self) -> None:
        first, second = (audit(SEEDED, method="sampling", runs=60) for _ in range(2))
        assert plain(first) == plain(second)
        assert not first.secure
        assert "simulated with a seed" in str(first)
        assert audit(VOTE, method="sampling", runs=8).secure

    def test_a_given_pair_of_tables_is_sampled(self) -> None:
        model = PrivateForestClassifier(
            8.0, n_trees=1, max_depth=1, domain=Domain({"u": Numeric(0, 1)}), classes=["n", "y"], random_state=0
        )
        other = ([[0.4], [0.2]], ["n", None])
        report = audit(model, method="sampling", X=[[0.4], [0.9]], y=["n", "y"], neighbour=other, runs=200)
        assert report.own_rows
        assert report.holds
        assert report.lower_bound > 0.1

    def test_one_run_on_given_rows_is_called_not_private(self) -> None:
        rng = np.random.default_rng(0)
        X, y = rng.random((60, 1)), rng.integers(2, size=60)
        model = PrivateTreeClassifier(domain=Domain({"u": Numeric(0, 1)}), classes=[0, 1], random_state=0)
        report = audit(model, method="one-run", X=X, y=y, random_state=0)
        assert report.own_rows
        assert "not private" in str(report)
        assert plain(report)["private"] is False
        assert report.details["canaries"] == 60
        assert report.details["guesses"] == 30

    @pytest.mark.parametrize("upper", [1.0, None])
    def test_the_drawing_is_a_picture(self, upper: float | None, tmp_path: Path) -> None:
        report = AuditReport("<Learner>", "exact", 1.0, 0.0, "add-remove", 1, 1.5, 1.0, False, True, 3, 0.1, upper)
        report.save(tmp_path / "figure.svg")
        tree = ElementTree.parse(tmp_path / "figure.svg")
        bars = tree.getroot().findall("{http://www.w3.org/2000/svg}rect")
        assert len(bars) == (4 if upper else 3)
        assert bars[-1].get("fill") == "#b3261e"  # beyond the claim
        assert "&lt;Learner&gt;" in report.plot()
        assert "CONTRADICTED" in str(report)

    @pytest.mark.parametrize(("method", "rows"), [("exact", 2), ("sampling", 2), ("one-run", 40)])
    def test_what_was_left_to_the_library_is_named(self, method: str, rows: int) -> None:
        """For so few rows another learner is chosen than for many: the report says which."""
        model = PrivateBoostingClassifier(delta=1e-6, max_depth=1, n_rounds=2, random_state=0)
        small = {"canaries": rows} if method == "one-run" else {"n_rows": rows, "runs": 8}
        report = audit(model, method=method, **small)
        left = report.details["left at auto"]
        assert left["rows"] == rows
        assert left["settings"]["mechanism"] == "laplace"
        assert {"max_depth", "n_rounds"}.isdisjoint(left["settings"])
        assert {"trees_per_round", "tests_per_node", "histogram_share", "selection_share"} < set(left["settings"])
        assert "leaves (laplace)" in report.details["releases"]
        assert re.search(rf"left at auto +resolved for {rows} rows: .*mechanism=laplace", str(report))
        assert json.loads(report.to_json())["details"] == report.details

    def test_settings_that_follow_from_no_number_of_rows_are_not(self) -> None:
        report = audit(BDPEClassifier(n_trees=1, max_depth=1))
        assert report.details["releases"] == ["splits (permute-and-flip)", "leaves (laplace)"]
        assert "left at auto" not in report.details

    def test_of_a_given_pair_they_are_those_of_its_rows(self) -> None:
        model = PrivateBoostingClassifier(n_rounds=1, domain=Domain({"u": Numeric(0, 1)}), classes=[0, 1])
        pair: dict[str, Any] = {"X": [[0.4]] * 5, "y": [1] * 5, "neighbour": ([[0.4]] * 5, [1, 1, 1, 1, None])}
        settings = audit(model, method="sampling", runs=8, **pair).details["left at auto"]
        assert settings["rows"] == 5
        fitted = model.fit(pair["X"], pair["y"])
        chosen = {name: getattr(fitted.plan_.settings, name) for name in settings["settings"]}
        assert settings["settings"] == chosen

    def test_it_is_frozen(self) -> None:
        with pytest.raises(AttributeError):
            audit(VOTE).holds = False  # type: ignore[misc]


class TestEveryLearner:
    @pytest.mark.parametrize("method", ["exact", "sampling", "one-run"])
    @pytest.mark.parametrize(
        "model",
        [
            BDPEClassifier(n_trees=2, max_depth=2, classes=["a", "b", "c"], relation="replace-one"),
            PrivateBoostingClassifier(n_rounds=1, class_weight={"a": 2.0}, classes=["a", "b"], max_depth=2),
            PrivateBoostingClassifier(n_rounds=2, monotonic_cst={"age": -1}, attributes_per_tree=3, max_depth=1),
            PrivateBoostingRegressor(delta=1e-6, loss="poisson", max_depth=2, n_rounds=1, rows_per_person=2),
            PrivateForestClassifier(n_trees=3, max_depth=2, partition="shared", rows_per_person=2),
        ],
        ids=lambda m: type(m).__name__,
    )
    def test_settings_of_another_table_are_carried_over(self, model: Any, method: str) -> None:
        model = model.set_params(domain=Domain({"age": Numeric(0, 120)}), random_state=0)
        before = model.get_params()
        small = {"exact": {"runs": 60, "n_rows": 2}, "sampling": {"runs": 8, "n_rows": 2}, "one-run": {"canaries": 20}}
        report = audit(model, method=method, random_state=0, **small[method])
        assert report.holds
        assert report.runs >= 1
        assert model.get_params() == before

    def test_the_estimator_s_budget_is_not_spent_on_tables_of_the_audit(self) -> None:
        budget = Budget(1.0)
        audit(PrivateForestClassifier(n_trees=1, max_depth=1, budget=budget), method="sampling", runs=8)
        assert budget.spent == (0.0, 0.0)

    def test_but_on_given_rows(self) -> None:
        budget = Budget(3.0)
        model = PrivateTreeClassifier(domain=Domain({"u": Numeric(0, 1)}), classes=[0, 1], budget=budget)
        audit(model, method="one-run", X=[[0.1], [0.7]], y=[0, 1])
        assert budget.spent == (1.0, 0.0)

    @pytest.mark.parametrize("blocks", [False, True])
    def test_a_budget_that_is_too_small_for_all_trainings_pays_for_none(self, blocks: bool) -> None:
        model = PrivateForestClassifier(
            0.1, n_trees=1, max_depth=1, domain=Domain({"u": Numeric(0, 1)}), classes=[0, 1]
        )
        pair: dict[str, Any] = {"X": [[0.4]], "y": [1], "neighbour": ([[0.4]], [None])}
        for enough, epsilon in ((False, 0.79), (True, 0.8)):
            budget = Budget(epsilon)
            with budget if blocks else nullcontext():
                model.set_params(budget=None if blocks else budget)
                if enough:
                    audit(model, method="sampling", runs=8, **pair)
                else:
                    with pytest.raises(BudgetExceededError):
                        audit(model, method="sampling", runs=8, **pair)
            assert budget.spent == (0.8 if enough else 0.0, 0.0)

    def test_a_neighbour_that_does_not_fit_costs_nothing(self) -> None:
        budget = Budget(100.0)
        model = PrivateTreeClassifier(domain=Domain({"u": Numeric(0, 1)}), classes=[0, 1], budget=budget)
        for other in (([[0.4]], [0, 1]), ([[0.4, 0.5]], [0]), ([[0.4]], np.array(["n"]))):
            with pytest.raises(SchemaError):
                audit(model, method="sampling", runs=8, X=[[0.4]], y=[1], neighbour=other)
        assert budget.spent == (0.0, 0.0)

    def test_an_open_block_must_pay_for_tables_of_the_audit_s_own(self) -> None:
        with Budget(7.9) as budget, pytest.raises(BudgetExceededError):
            audit(VOTE, method="sampling", runs=8)
        assert budget.spent == (0.0, 0.0)


class TestRefusals:
    @pytest.mark.parametrize(
        ("arguments", "error", "match"),
        [
            ({"method": "guess"}, ParameterError, "'exact', 'sampling', 'one-run'"),
            ({"confidence": 1.0}, ParameterError, "confidence"),
            ({"confidence": 0.49}, ParameterError, "0.5 or more"),
            ({"method": "sampling", "confidence": 1e-17}, ParameterError, "0.5 or more"),
            ({"runs": 0}, ParameterError, "runs"),
            ({"method": "sampling", "runs": 7}, ParameterError, "8 or more"),
            ({"method": "one-run", "runs": 2}, ParameterError, "1 for method"),
            ({"X": [[0.0]], "y": [0]}, SchemaError, "belong"),
            ({"method": "one-run", "X": [[0.0]]}, SchemaError, "belong together"),
            ({"method": "sampling", "X": [[0.0]], "y": [0]}, SchemaError, "pair of tables"),
            ({"neighbour": ([[0.0]], [0])}, SchemaError, "pair of tables"),
            ({"canaries": 3}, ParameterError, "one-run"),
            ({"method": "one-run", "canaries": 10, "guesses": 11}, ParameterError, "guesses"),
            ({"n_rows": 0}, ParameterError, "n_rows"),
            ({"method": "one-run", "n_rows": 2}, ParameterError, "tiny tables"),
            ({"method": "one-run", "X": [[0.0]], "y": [0], "canaries": 1.5}, ParameterError, "canaries"),
        ],
    )
    def test_arguments(self, arguments: dict[str, Any], error: type[Exception], match: str) -> None:
        with pytest.raises(error, match=match):
            audit(VOTE, **arguments)

    def test_learners(self) -> None:
        with pytest.raises(ParameterTypeError, match="estimator"):
            audit("forest")  # type: ignore[arg-type]
        with pytest.raises(ParameterError, match="no claim"):
            audit(PrivateForestClassifier(privacy=None))
        with pytest.raises(ParameterError, match="epsilon"):
            audit(PrivateForestClassifier(epsilon=-1))
        with pytest.raises(ParameterError, match="at most 3"):
            audit(PrivateForestClassifier(rows_per_person=4))

    @pytest.mark.parametrize("method", ["exact", "sampling"])
    @pytest.mark.parametrize(
        ("model", "largest"),
        [
            (PrivateTreeClassifier(max_depth=1), 16),  # comb(7 + 16, 17) = 100 947
            (VOTE, 7),  # 5**7 = 78 125 tables, whose rows have an order
            (PrivateTreeClassifier(max_depth=1, relation="replace-one", rows_per_person=3), 5),
        ],
    )
    def test_more_tables_than_can_be_listed(self, model: Any, largest: int, method: str) -> None:
        start = time.perf_counter()
        for rows in (largest + 1, 1000):
            with pytest.raises(ParameterError, match=f"n_rows.*at most {largest} "):
                audit(model, method=method, n_rows=rows)
        assert time.perf_counter() - start < 5.0

    def test_tables_of_different_lengths(self) -> None:
        model = PrivateTreeClassifier(domain=Domain({"u": Numeric(0, 1)}), classes=[0, 1])
        with pytest.raises(SchemaError, match="equally many rows"):
            audit(model, method="sampling", X=[[0.1], [0.2]], y=[0, 1], neighbour=([[0.1]], [0]))

    @pytest.mark.parametrize("neighbour", [5, "ab", ([[0.1]],), np.zeros((2, 1))])
    def test_neighbours_that_are_no_pair(self, neighbour: Any) -> None:
        with pytest.raises(ParameterTypeError, match="a pair"):
            audit(VOTE, method="sampling", X=[[0.1]], y=[0], neighbour=neighbour)

    @pytest.mark.parametrize(
        "canaries",
        [[math.nan], [0.5, 1.7], [0.0], [True, False, True], np.ones(3, bool), ["0"], [[0], [1, 2]], [None], [10**30]],
    )
    def test_canaries_that_are_no_positions(self, canaries: Any) -> None:
        model = PrivateTreeClassifier(domain=Domain({"u": Numeric(0, 1)}), classes=[0, 1])
        with pytest.raises(ParameterTypeError, match="canaries"):
            audit(model, method="one-run", X=[[0.1], [0.2], [0.3]], y=[0, 1, 1], canaries=canaries)

    @pytest.mark.parametrize("canaries", [0, 4, [0, 0], [5], [], [-1], np.array([2**63], np.uint64)])
    def test_canaries_beyond_the_table(self, canaries: Any) -> None:
        model = PrivateTreeClassifier(domain=Domain({"u": Numeric(0, 1)}), classes=[0, 1])
        with pytest.raises(ParameterError, match="canaries"):
            audit(model, method="one-run", X=[[0.1], [0.2], [0.3]], y=[0, 1, 1], canaries=canaries)


class TestCanaries:
    @pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
    def test_one_that_is_out_adds_nothing_or_is_the_row_itself(self, relation: str) -> None:
        model = PrivateTreeClassifier(classes=["n", "y"], relation=relation)
        X, y = np.zeros((40, 1)), np.array(["n", "y"] * 20)
        placed = place_canaries(model, X, y, 30, np.random.default_rng(0))
        assert 5 < placed.included.sum() < 25
        for row, label, included in zip(placed.rows[:, 0], placed.labels[:, 0], placed.included, strict=True):
            assert label != y[row]
            left_out = None if relation == "add-remove" else y[row]
            assert placed.y[row] == (label if included else left_out)
        rest = np.setdiff1d(np.arange(40), placed.rows)
        assert placed.y[rest].tolist() == y[rest].tolist()

    def test_given_ones_keep_their_labels_and_persons_stay_whole(self) -> None:
        model = PrivateBoostingRegressor(target_range=(0.0, 10.0), rows_per_person=2)
        y = pd.Series(np.arange(8.0), index=list("abcdefgh"))
        placed = place_canaries(model, np.zeros((8, 1)), y, [7, 0, 3, 4], np.random.default_rng(1))
        assert placed.rows.tolist() == [[7, 0], [3, 4]]
        for rows, labels, included in zip(placed.rows, placed.labels, placed.included, strict=True):
            assert labels.tolist() == rows.tolist()
            assert np.isnan(placed.y[rows]).all() == (not included)

    def test_scores_are_log_chances_and_distances(self) -> None:
        rng = np.random.default_rng(0)
        X, y = rng.random((50, 1)), rng.integers(2, size=50)
        shared = {"domain": Domain({"u": Numeric(0, 1)})}
        model = PrivateTreeClassifier(classes=[0, 1], **shared)
        placed = place_canaries(model, X, y, 20, rng)
        fitted = model.fit(X, placed.y)
        chances = fitted.predict_proba(X)[placed.rows[:, 0], placed.labels[:, 0].astype(int)]
        np.testing.assert_allclose(canary_scores(fitted, X, placed), np.log(chances))
        numbers = PrivateBoostingRegressor(target_range=(0.0, 1.0), **shared)
        placed = place_canaries(numbers, X, y.astype(float), 20, rng)
        far = np.abs(numbers.fit(X, placed.y).predict(X)[placed.rows[:, 0]] - placed.labels[:, 0])
        np.testing.assert_allclose(canary_scores(numbers, X, placed), -far)

    def test_what_cells_hold_is_in_no_error(self) -> None:
        """Labels that are not listed, and numbers that are none, add nothing; canaries among them show nothing."""
        shared = {"domain": Domain({"u": Numeric(0, 1)})}
        X, y = [[0.1], [0.4], [0.7], [0.9]], ["secret", None, "n", "y"]
        model = PrivateTreeClassifier(classes=["n", "y"], **shared)
        assert audit(model, method="one-run", X=X, y=y, canaries=[0, 1, 2]).holds
        numbers = PrivateBoostingRegressor(target_range=(0.0, 1.0), n_rounds=1, **shared)
        assert audit(numbers, method="one-run", X=X, y=[np.nan, 0.2, 7.0, 0.1], canaries=2).holds

    @pytest.mark.parametrize(
        "y",
        [
            pd.Series(["n", "y", pd.NA, "n"], dtype="string"),
            ["n", "y", np.array([1, 2]), "n"],
            ["n", "y", {}, "n"],
            ["n", "y", math.nan, "n"],
            pd.Series(["n", "y", "secret", "n"], dtype="category"),
        ],
        ids=["missing text", "array", "without a hash", "nan", "category"],
    )
    @pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
    @pytest.mark.parametrize("canaries", [4, [0, 2]])
    def test_no_label_raises(self, y: Any, relation: Any, canaries: Any) -> None:
        """What the library's own reader does not count is no label, and what it counts is one."""
        X = [[0.1], [0.4], [0.7], [0.9]]
        model = PrivateTreeClassifier(domain=Domain({"u": Numeric(0, 1)}), classes=["n", "y"], relation=relation)
        placed = place_canaries(model, X, y, canaries, np.random.default_rng(0))
        rows, labels = placed.rows[:, 0].tolist(), placed.labels[:, 0].tolist()
        at = dict(zip(rows, labels, strict=True))
        assert at[0] == ("y" if canaries == 4 else "n")
        assert at[2] in (("n", "y") if canaries == 4 else (None,))
        assert audit(model, method="one-run", X=X, y=y, canaries=canaries).runs == 1

    def test_a_target_that_is_not_declared_is_asked_for(self) -> None:
        with pytest.raises(SchemaError, match="classes"):
            audit(PrivateTreeClassifier(), method="one-run", X=[[0.1]], y=[0])


class TestEvents:
    def test_the_event_is_chosen_on_one_half_and_counted_on_the_other(self) -> None:
        """The first half differs, the second does not: nothing is shown."""
        rng = np.random.default_rng(0)
        same = rng.normal(size=(400, 2))
        left, right = same.copy(), rng.permutation(same)
        left[:200, 0] += 5.0
        (epsilon, counts), (mu, _) = shown_by(left, right, 0.0, 0.05)
        assert epsilon < 0.2
        assert mu < 0.2
        assert counts.of == 200

    @pytest.mark.parametrize("swapped", [False, True])
    def test_it_finds_a_mixture_and_a_choice(self, swapped: bool) -> None:
        rng = np.random.default_rng(1)
        common = rng.normal(size=(2, 600, 1))
        tables = np.concatenate([common, common + 0.1 * rng.normal(size=(2, 600, 1))], axis=2)
        tables[0, :, 1] += 0.3  # seen in the difference of the two numbers only
        left, right = tables[::-1] if swapped else tables
        (_, _), (mu, _) = shown_by(left, right, 0.0, 0.01)
        assert 1.5 < mu < 3.0
        choices = np.stack([rng.integers(3, size=600), rng.integers(3, size=600)])
        choices[0][choices[0] == 1] = 0
        left, right = choices[::-1, :, None] if swapped else choices[:, :, None]
        event, likelier_right = best_event(
            left.astype(float), right.astype(float), lambda p, q: np.log(p / np.maximum(q, 1e-3))
        )
        assert event.count(np.array([[1.0]])) == 1
        assert event.count(np.array([[0.0], [2.0]])) == 0
        assert likelier_right == (not swapped)

    def test_counting(self) -> None:
        numbers = np.array([[1.0, 0.0], [2.0, 1.0], [3.0, 1.0]])
        assert Event(np.array([1.0, 0.0]), 2.0, None).count(numbers) == 2
        assert Event(np.array([1.0, 0.0]), 2.0, (1, 0.0)).count(numbers) == 0

    def test_a_known_law_is_not_overstated(self) -> None:
        """Randomised response, ε = 1, with a seed: of 200 audits at 5 %, 25 would be too many by 2.5e-5."""
        rng = np.random.default_rng(2)
        truth = math.e / (1 + math.e)
        wrong = 0
        for _ in range(200):
            left, right = (rng.random((2, 100, 1)) < np.array([truth, 1 - truth])[:, None, None]).astype(float)
            wrong += shown_by(left, right, 0.0, 0.05)[0][0] > 1.0
        assert wrong < 25


def test_the_example_of_the_page_on_audits_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "audit.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```python\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL)
    exec(compile(example, "audit.md", "exec"), {})
    assert "the claim stands" in capsys.readouterr().out


def test_it_is_exported() -> None:
    assert {"audit", "AuditReport"} <= set(privboost.__all__)
