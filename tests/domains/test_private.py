"""`learn_domain`: what it learns, what it costs, and that nothing else of the rows gets out."""

from __future__ import annotations

import copy
import json
import math
import pickle
import sys
import warnings
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from privboost import (
    BDPEClassifier,
    Boolean,
    Budget,
    Categorical,
    Domain,
    Numeric,
    PrivacyStatement,
    PrivateBoostingClassifier,
    PrivateTreeClassifier,
    learn_domain,
    load,
)
from privboost.data.domain_cost import DomainCost
from privboost.domains.plan import plan_domain
from privboost.errors import (
    BudgetExceededError,
    ParameterError,
    ParameterTypeError,
    PrivacyWarning,
    PrivboostError,
    SchemaError,
    SchemaTypeError,
    VerificationError,
)
from privboost.privacy import PrivacyUnit, verify_statement

sys.path.append(str(Path(__file__).resolve().parents[1] / "cases"))
from case_leaks import near, numbers_in, observe, pickled_arguments

N = 3000


pytestmark = pytest.mark.usefixtures("no_false_alarm")

MUCH = {"epsilon": 60.0, "delta": 1e-9}
"""So much that secret noise cannot hide what the tests look for: its chance to is below 1e-9."""


def people(n: int = N, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 91, n),
            "bmi": rng.normal(26, 4, n),
            "job": rng.choice(["nurse", "clerk", "farmer"], n),
            "smoker": rng.random(n) < 0.3,
        }
    )


class TestWhatIsLearnt:
    def test_everything_in_the_order_of_the_table(self) -> None:
        y = np.random.default_rng(1).choice(["no", "yes"], N)
        learnt = learn_domain(people(), **MUCH, y=y, target="income")
        domain = learnt.domain
        assert domain.names == ("age", "bmi", "job", "smoker")
        assert domain["age"].integer  # type: ignore[union-attr]
        assert 14 <= domain["age"].lo <= 22  # type: ignore[union-attr]
        assert 86 <= domain["age"].hi <= 95  # type: ignore[union-attr]
        assert 8 <= domain["bmi"].lo <= 20  # type: ignore[union-attr]
        assert 32 <= domain["bmi"].hi <= 45  # type: ignore[union-attr]
        assert domain["job"] == Categorical(["clerk", "farmer", "nurse"])
        assert domain["smoker"] == Boolean()
        assert learnt.classes == domain.classes == ("no", "yes")
        assert domain.target == "income"

    @pytest.mark.parametrize("make", [pl.DataFrame, pa.table], ids=["polars", "arrow"])
    def test_other_tables(self, make: Callable[[Any], Any]) -> None:
        table = make({name: column.tolist() for name, column in people().items()})
        assert learn_domain(table, **MUCH).domain["job"] == Categorical(["clerk", "farmer", "nurse"])

    def test_an_array_and_what_is_public(self) -> None:
        learnt = learn_domain(people()[["age", "bmi"]].to_numpy(), 60.0, attributes={"x1": Numeric(0, 100)})
        assert learnt.domain["x1"] == Numeric(0, 100)
        assert learnt.privacy_.delta == 0.0
        assert [event.mechanism for event in learnt.privacy_.releases] == ["laplace", "laplace"]

    def test_kinds_may_be_asked_for(self) -> None:
        X = pd.DataFrame({"grade": np.arange(N) % 3, "size": np.arange(N) % 5 + 0.5})
        domain = learn_domain(X, **MUCH, attributes={"grade": "categorical", "size": "categorical"}).domain
        assert domain["grade"] == Categorical([0, 1, 2])
        assert domain["size"] == Categorical(["0.5", "1.5", "2.5", "3.5", "4.5"])

    def test_what_is_declared_costs_nothing(self) -> None:
        """The others' share grows: so does their epsilon, exactly."""
        known = {"bmi": Numeric(10, 80), "job": Categorical(["clerk"])}
        (first, second) = learn_domain(people(), 1.0, attributes=known).privacy_.releases
        assert first.epsilon + second.epsilon == 1
        assert first.label, second.label == ("domain/magnitudes", "domain/bounds")

    @pytest.mark.parametrize(
        ("y", "classes"),
        [
            (np.arange(N) % 2, (0, 1)),
            ((np.arange(N) % 2).tolist(), (0, 1)),
            (np.arange(N) % 2 == 0, (False, True)),
            (np.where(np.arange(N) % 3 == 0, "b", "a"), ("a", "b")),
            (np.array(["a", 1, "b"] * (N // 3), dtype=object), ("a", "b")),
            (np.arange(N) % 2 + 0.0, (0, 1)),
            (np.full(N, "one"), ("one",)),
            (np.full(N, None), ()),
        ],
    )
    def test_labels(self, y: Any, classes: tuple[Any, ...]) -> None:
        learnt = learn_domain(people(), **MUCH, y=y)
        assert learnt.classes == classes
        assert learnt.domain.classes == (classes if len(classes) > 1 else None)

    def test_a_rare_category_is_not_shown(self) -> None:
        """At epsilon 1 noise would have to reach 100 from 2 rows: a chance below 1e-13 at scale 3."""
        X = pd.DataFrame({"job": ["clerk"] * 500 + ["secret agent"] * 2})
        learnt = learn_domain(X, 1.0, 1e-40)
        assert "secret" not in repr(learnt) + str(learnt) + learnt.domain.to_json()
        assert learnt.domain["job"] == Categorical(["clerk"])

    def test_at_most_254_categories(self) -> None:
        X = pd.DataFrame({"code": np.repeat(np.arange(300), np.arange(300) // 2 + 51)})
        values = learn_domain(X, 200.0, 1e-6, attributes={"code": "categorical"}).domain["code"].values  # type: ignore[union-attr]
        assert len(values) == 254
        assert 299 in values
        assert 0 not in values
        assert list(values) == sorted(values)


ODD: dict[str, Any] = {
    "nan": math.nan,
    "none": None,
    "infinite": math.inf,
    "huge": 1e300,
    "tiny": -5e-324,
    "whole": 10**400,
    "text": "never seen before",
    "empty": "",
    "surrogate": "\ud800",
    "todo": "TODO",
    "list": [1, 2],
    "bytes": b"x",
    "complex": 1j,
    "boolean": True,
}


class Rude:
    """A cell that fails whatever is asked of it."""

    def __str__(self) -> str:
        raise RuntimeError("private")

    def __float__(self) -> float:
        raise RuntimeError("private")

    __hash__ = None  # type: ignore[assignment]


class TestOddRows:
    @pytest.mark.parametrize("kind", ["numeric", "integer", "categorical"])
    @pytest.mark.parametrize("cell", [*ODD.values(), Rude()], ids=[*ODD, "rude"])
    @pytest.mark.parametrize("delta", [0.0, 1e-6])
    def test_no_cell_changes_the_outcome(self, kind: str, cell: Any, delta: float) -> None:
        """Neither error, warning, log nor output; and what comes back can be used and written."""
        if kind == "categorical" and not delta:
            pytest.skip("refused, whatever the cells hold")
        plain: list[Any] = [1, 2, 3] * 4
        seen = []
        for cells in (plain, [*plain[:-1], cell], [cell] * len(plain)):
            column = np.empty(len(cells), dtype=object)
            for i, value in enumerate(cells):
                column[i] = value
            X, y = pd.DataFrame({"x": pd.Series(column, dtype=object)}), column

            def learn(X: Any = X, y: Any = y) -> None:
                learnt = learn_domain(X, 0.5, delta, attributes={"x": kind}, y=y if delta else None)
                assert Domain.from_toml(learnt.domain.to_toml()) == learnt.domain
                assert Domain.from_json(learnt.domain.to_json()) == learnt.domain
                verify_statement(learnt.privacy_)

            seen.append(observe(learn))
        assert seen[0].error is None, seen[0].error
        assert seen[0] == seen[1] == seen[2]

    @pytest.mark.parametrize("column", [[5.0] * 3, [math.nan] * 2, [1e300], [0.0], [math.inf, -math.inf]])
    def test_tiny_and_constant_tables_can_be_trained_on(self, column: list[float]) -> None:
        X = np.array(column)[:, None]
        domain = learn_domain(X, 0.1).domain
        model = PrivateBoostingClassifier(epsilon=1.0, domain=domain, classes=[0, 1], n_rounds=1, max_depth=1)
        model.fit(X, np.zeros(len(X), int))

    def test_a_category_for_every_type_of_column(self) -> None:
        """Nothing is frequent enough here; what stands in fits the type, so that training accepts the table."""
        X = pd.DataFrame({"i": [1, 2], "s": ["a", "b"], "f": [0.5, 1.5], "b": [True, False]})
        kinds = dict.fromkeys(X.columns, "categorical")
        domain = learn_domain(X, 0.01, 1e-9, attributes=kinds).domain
        assert [len(attribute.values) for attribute in domain.attributes] == [1] * 4  # type: ignore[union-attr]
        model = PrivateBoostingClassifier(epsilon=1.0, domain=domain, classes=[0, 1], n_rounds=1, max_depth=1)
        model.fit(X, [0, 1])


class TestLeaks:
    def test_no_exact_number_of_the_rows_gets_out(self) -> None:
        """Counts of keys and of magnitudes, minima, maxima; in the object, its pickle, its texts, warnings, log."""
        X = people()
        y = np.random.default_rng(1).choice(["no", "yes"], N)
        results: list[Any] = []
        outcome = observe(lambda: results.append(learn_domain(X, 1.0, 1e-6, y=y)))
        assert outcome.error is None
        learnt = results[0]
        secrets = {float(n) for name in ("job", "smoker") for n in X[name].value_counts()}
        secrets |= {float(n) for n in np.unique(y, return_counts=True)[1]}
        secrets |= {float(X["bmi"].min()), float(X["bmi"].max()), float(X["age"].mean()), float(X["bmi"].mean())}
        for name in ("age", "bmi"):
            exponents = np.floor(np.log2(X[name]))
            secrets |= {float((exponents == e).sum()) for e in np.unique(exponents)}
        wanted = np.array(sorted(s for s in secrets if s >= 20))
        places = {
            "object": learnt,
            "pickle": pickled_arguments(learnt),
            "copy": copy.deepcopy(learnt),
            "texts": str(learnt) + repr(learnt) + learnt.privacy_._repr_html_(),
            "json": json.dumps(learnt.privacy_.to_dict()) + learnt.domain.to_json(),
            "outcome": [outcome.warnings, outcome.log, outcome.printed],
        }
        numbers = [abs(number) for _, number in numbers_in(places)]
        assert len(numbers) > 50
        assert not near(np.array(numbers), wanted).any()

    def test_keys_that_are_not_shown_are_nowhere(self) -> None:
        X = pd.DataFrame({"job": ["clerk"] * 500 + [f"secret{i}" for i in range(50)]}, dtype="category")
        learnt = learn_domain(X, 1.0, 1e-40, y=["hidden"] * 2 + ["no"] * 548)
        everything = repr(learnt) + str(learnt) + repr(pickle.dumps(learnt)) + json.dumps(learnt.privacy_.to_dict())
        assert "clerk" in everything
        assert "secret" not in everything
        assert "hidden" not in everything

    def test_unused_entries_of_a_dictionary_are_no_keys(self) -> None:
        """A key of no row has a count of 0, and noise would show it now and then; here always."""
        X = pd.DataFrame({"job": pd.Categorical(["clerk"] * 500, categories=["clerk", *map(str, range(5000))])})
        with pytest.warns(PrivacyWarning, match="delta"):
            domain = learn_domain(X, 1e-3, 0.4).domain
        assert domain["job"].values in (("clerk",), ("other",))  # type: ignore[union-attr]


class TestCost:
    def test_the_statement_and_what_the_domain_records(self) -> None:
        learnt = learn_domain(people(), 0.5, 1e-6, relation="replace-one", rows_per_person=2)
        statement = learnt.privacy_
        assert statement.private
        assert statement.subject == "domain"
        assert (statement.epsilon, statement.delta) == (0.5, 1e-6)
        assert statement.unit == PrivacyUnit("replace-one", 2)
        assert learnt.domain.cost == DomainCost(0.5, 1e-6, PrivacyUnit("replace-one", 2))
        assert "costs its own ε and δ besides" in str(statement)
        assert verify_statement(statement).spent <= 0.5
        assert PrivacyStatement.from_dict(json.loads(json.dumps(statement.to_dict()))) == statement

    def test_a_model_says_that_its_domain_was_learnt(self, tmp_path: Path) -> None:
        X, y = people(), np.random.default_rng(1).integers(0, 2, N)
        domain = learn_domain(X, 0.25, 1e-6).domain
        model = PrivateBoostingClassifier(epsilon=1.0, domain=domain, classes=[0, 1], n_rounds=2, max_depth=2)
        model.fit(X, y)
        words = "learnt from private rows at ε = 0.25, δ = 1e-06"
        assert words in str(model.privacy_)
        assert words in model.privacy_.to_dict()["assumed_public"][0]
        model.save(tmp_path / "model.json")
        assert words in str(load(tmp_path / "model.json").privacy_)
        declared = Domain(dict(domain.items()))
        other = PrivateBoostingClassifier(epsilon=1.0, domain=declared, classes=[0, 1], n_rounds=2, max_depth=2)
        assert "learnt" not in str(other.fit(X, y).privacy_)

    @pytest.mark.parametrize("change", ["domain", "statement"])
    def test_a_file_that_hides_it_is_refused(self, tmp_path: Path, change: str) -> None:
        X, y = people(), np.random.default_rng(1).integers(0, 2, N)
        domain = learn_domain(X, 0.25, 1e-6).domain
        model = PrivateBoostingClassifier(epsilon=1.0, domain=domain, classes=[0, 1], n_rounds=2, max_depth=2)
        model.fit(X, y).save(tmp_path / "model.json")
        content = json.loads((tmp_path / "model.json").read_text())
        if change == "domain":
            del content["domain"]["learnt"]
            content["domain"]["version"] = 1
        else:
            content["statement"]["assumed_public"][0] = "the domain: names, bounds and categories of the attributes"
        (tmp_path / "model.json").write_text(json.dumps(content))
        with pytest.raises(VerificationError, match="words"):
            load(tmp_path / "model.json")

    def test_a_simulation_is_none(self) -> None:
        with pytest.warns(PrivacyWarning, match="simulation"):
            learnt = learn_domain(people(), 0.5, 1e-6, random_state=0)
        assert not learnt.privacy_.private
        assert "learn again with random_state=None" in str(learnt.privacy_)
        assert "NOT PRIVATE" in learnt.domain.cost.describe()  # type: ignore[union-attr]
        with pytest.warns(PrivacyWarning):
            assert learn_domain(people(), 0.5, 1e-6, random_state=0).domain == learnt.domain

    @pytest.mark.parametrize("learner", [PrivateBoostingClassifier, BDPEClassifier, PrivateTreeClassifier])
    def test_a_model_with_a_simulated_domain_is_not_private(self, tmp_path: Path, learner: Any) -> None:
        X, y = people(200), np.arange(200) % 2
        with pytest.warns(PrivacyWarning):
            domain = learn_domain(X, 0.5, 1e-6, random_state=0).domain
        model = learner(epsilon=1.0, domain=domain, classes=[0, 1], max_depth=1)
        with pytest.warns(PrivacyWarning, match="'domain' was learnt in a simulation"):
            model.fit(X, y)
        assert not model.is_private_
        assert model.privacy_.secure
        assert str(model.privacy_).startswith("NOT PRIVATE: no release covers the domain")
        model.save(tmp_path / "model.json")
        loaded = load(tmp_path / "model.json")
        assert not loaded.is_private_
        assert loaded.privacy_ == model.privacy_
        content = json.loads((tmp_path / "model.json").read_text())
        statement = replace(model.privacy_, private=True, uncovered=())
        (tmp_path / "model.json").write_text(json.dumps(content | {"statement": statement.to_dict()}))
        with pytest.raises(VerificationError, match="words"):
            load(tmp_path / "model.json")

    def test_a_simulated_domain_voids_no_guarantee_where_there_is_none(self) -> None:
        with pytest.warns(PrivacyWarning):
            domain = learn_domain(people(200), 0.5, 1e-6, random_state=0).domain
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            PrivateTreeClassifier(privacy=None, domain=domain, classes=[0, 1]).fit(people(200), np.arange(200) % 2)

    def test_a_large_delta_is_warned_of_where_it_is_used(self) -> None:
        with pytest.warns(PrivacyWarning, match="delta"):
            learn_domain(people(), 1.0, 0.1)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            learn_domain(people()[["age"]], 1.0, 0.1)

    def test_columns_share_the_budget(self) -> None:
        plan = plan_domain({"a": "numeric", "b": "categorical", "c": Boolean()}, 10, 1.0, 1e-6, labels=True)
        costs = [release.epsilon for release in plan.releases]
        assert costs == [Fraction(1, 6), Fraction(1, 6), Fraction(1, 3), Fraction(1, 3)]
        assert sum(release.delta for release in plan.releases) <= Fraction(1e-6)
        assert plan_domain({"a": "numeric"}, 10, 1.0, 1e-6).delta == 0.0

    @pytest.mark.parametrize("epsilon", [1e-30, 1e-12, 1e-6, 1e6, 1e12])
    def test_budgets_of_every_size(self, epsilon: float) -> None:
        """Where Gaussian noise on integers is too coarse for the budget, Laplace noise takes its place."""
        learnt = learn_domain(people(50), epsilon, 1e-6)
        assert learnt.privacy_.spent <= epsilon  # type: ignore[operator]
        assert len(learnt.domain) == 4
        if epsilon < 1.0:  # dp-accounting has no floats for the others
            verify_statement(learnt.privacy_)

    @pytest.mark.parametrize("delta", [5e-324, 1e-320, 1e-310, 1e-300])
    def test_a_delta_at_the_end_of_the_floats(self, delta: float) -> None:
        """No Gaussian noise can be had for it; Laplace noise takes its place."""
        learnt = learn_domain(people(50)[["age", "bmi"]], 1.0, delta)
        assert learnt.privacy_.spent <= 1.0  # type: ignore[operator]
        verify_statement(learnt.privacy_)

    @pytest.mark.parametrize(("epsilon", "delta"), [(1e-70, 1e-6), (1.0, 1e-305)])
    def test_noise_that_cannot_be_had_is_refused_before_anything_is_spent(self, epsilon: float, delta: float) -> None:
        budget = Budget(2.0, 0.5)
        with pytest.raises(PrivboostError):
            learn_domain(people(50), epsilon, delta, budget=budget)
        assert budget.spends == ()


class TestSteps:
    def test_costs_add_up(self) -> None:
        X, y = people(), np.random.default_rng(1).choice(["no", "yes"], N)
        first = learn_domain(X[["age", "bmi"]], 60.0, 1e-9, target="income").domain
        second = learn_domain(X, 60.1, 3e-9, attributes=first, y=y).domain
        assert second["age"] == first["age"]
        assert (second.target, second.classes) == ("income", ("no", "yes"))
        unit = PrivacyUnit()
        assert Fraction(second.cost.epsilon) >= 60 + Fraction(60.1)  # type: ignore[union-attr]
        assert second.cost.epsilon == pytest.approx(120.1)  # type: ignore[union-attr]
        assert second.cost.delta == pytest.approx(4e-9)  # type: ignore[union-attr]
        third = learn_domain(X.assign(more=1.0), 1.0, attributes=second)
        assert (third.domain.target, third.domain.classes, third.classes) == ("income", ("no", "yes"), None)
        assert third.domain.cost == second.cost.plus(DomainCost(1.0, 0.0, unit))  # type: ignore[union-attr]
        assert "learnt from private rows at ε = 120.1" in str(third.privacy_)
        assert third.privacy_.epsilon == 1.0
        assert verify_statement(third.privacy_).private

    def test_a_declared_domain_is_free(self) -> None:
        known = Domain({"age": Numeric(0, 120)})
        learnt = learn_domain(people()[["age", "bmi"]], 1.0, attributes=known)
        assert learnt.domain["age"] == Numeric(0, 120)
        assert learnt.domain.cost == DomainCost(1.0, 0.0, PrivacyUnit())

    @pytest.mark.parametrize(
        "cost",
        [
            DomainCost(1.0, 0.0, PrivacyUnit("replace-one")),
            DomainCost(1.0, 0.0, PrivacyUnit(rows_per_person=2)),
            DomainCost(1.0, 1.0 - 1e-9, PrivacyUnit()),
            DomainCost(sys.float_info.max, 0.0, PrivacyUnit()),
        ],
    )
    def test_what_does_not_add_up_costs_nothing(self, cost: DomainCost) -> None:
        budget = Budget(1e300, 0.5)
        known = Domain({"age": Numeric(0, 120)}, cost=cost)
        with pytest.raises(ParameterError):
            learn_domain(people(), 1e295, 1e-6, attributes=known, budget=budget)
        assert budget.spends == ()

    def test_a_target_that_is_a_column_costs_nothing(self) -> None:
        budget = Budget(1.0, 0.5)
        with pytest.raises(ParameterError, match="target"):
            learn_domain(people(), 0.5, 1e-6, attributes=Domain({"age": Boolean()}, target="bmi"), budget=budget)
        assert budget.spends == ()

    def test_a_step_upon_a_simulation_is_not_private(self) -> None:
        with pytest.warns(PrivacyWarning):
            first = learn_domain(people()[["age"]], 0.5, random_state=0).domain
        second = learn_domain(people()[["age", "bmi"]], 0.5, attributes=first)
        assert not second.privacy_.private
        assert not second.domain.cost.private  # type: ignore[union-attr]
        assert "NOT PRIVATE" in str(second.privacy_)


class TestVerification:
    @pytest.mark.parametrize("n_lists", [1, 2, 5])
    @pytest.mark.parametrize(("epsilon", "delta"), [(0.2, 5e-7), (1.0, 1e-6), (5.0, 1e-9)])
    def test_gaussian_noise_beside_lists(self, n_lists: int, epsilon: float, delta: float) -> None:
        """dp-accounting is asked at the part of delta that showing keys leaves, once."""
        X = people(50).drop(columns="job").assign(**{f"list {i}": "key" for i in range(n_lists)})
        statement = learn_domain(X, epsilon, delta).privacy_
        assert "gaussian" in {event.mechanism for event in statement.releases}
        report = verify_statement(statement)
        assert 0.0 < report.shown_delta <= delta * n_lists / (n_lists + 1)
        if report.second_total is not None:
            others = sum(float(event.cost) for event in statement.releases if event.mechanism != "gaussian")
            assert others < report.second_total <= 1.01 * epsilon

    @pytest.mark.parametrize(
        ("delta", "relation", "rows_per_person"),
        [
            (1e-9, "add-remove", 200),
            (1e-9, "replace-one", 50),
            (1e-12, "add-remove", 50),
            (1e-9, "add-remove", 1000),
            (1e-12, "replace-one", 1000),
        ],
    )
    def test_many_rows_of_a_person(self, delta: float, relation: str, rows_per_person: int) -> None:
        """OpenDP's delta of many keys has a rounding error for each."""
        X = pd.DataFrame({"j": ["u", "v"] * 50})
        learnt = learn_domain(X, 1.0, delta, relation=relation, rows_per_person=rows_per_person)
        assert 0.0 < verify_statement(learnt.privacy_).shown_delta <= delta


class TestBudget:
    def test_it_is_charged(self) -> None:
        budget = Budget(1.0, 1e-5)
        learn_domain(people(), 0.25, 1e-6, budget=budget)
        assert budget.spent == (0.25, 1e-6)
        assert budget.spends[0].label == "domain"
        with budget:
            learn_domain(people()[["age"]], 0.5)
        assert budget.spent == (0.75, 1e-6)

    def test_one_beyond_it_reads_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("privboost.domains.private._learn", lambda *arguments: pytest.fail("rows were read"))
        with pytest.raises(BudgetExceededError):
            learn_domain(people(), 0.5, 1e-6, budget=Budget(0.4, 1e-5))
        with pytest.raises(ParameterError, match="relation"):
            learn_domain(people(), 0.5, 1e-6, relation="replace-one", budget=Budget(1.0, 1e-5))

    def test_an_error_of_the_schema_costs_nothing(self) -> None:
        budget = Budget(1.0, 1e-5)
        with pytest.raises(ParameterError):
            learn_domain(people(), 0.5, budget=budget)
        assert budget.spent == (0.0, 0.0)


class TestErrors:
    @pytest.mark.parametrize(
        ("arguments", "kind", "match"),
        [
            ({"epsilon": 0}, ParameterError, "epsilon"),
            ({"delta": 1.0}, ParameterError, "delta"),
            ({"delta": 0.0}, ParameterError, "categories of 'job'.*without a delta"),
            ({"relation": "x"}, ParameterError, "relation"),
            ({"rows_per_person": 0}, ParameterError, "rows_per_person"),
            ({"budget": 1.0}, ParameterTypeError, "budget"),
            ({"attributes": ["age"]}, ParameterTypeError, "attributes"),
            ({"attributes": {"agee": "numeric"}}, ParameterError, "agee"),
            ({"attributes": {"age": "ordinal"}}, ParameterError, "age"),
            ({"attributes": {"job": "numeric"}}, SchemaTypeError, "job"),
            ({"y": [1, 2]}, SchemaError, "inconsistent"),
            ({"target": "age"}, ParameterError, "target"),
            ({"target": 3}, ParameterError, "target"),
            ({"random_state": "x"}, ParameterError, "random_state"),
            (
                {"attributes": {n: Numeric(0, 1) for n in ("age", "bmi", "job", "smoker")}},
                SchemaError,
                "nothing to learn",
            ),
        ],
    )
    def test_parameters(self, arguments: dict[str, Any], kind: type[PrivboostError], match: str) -> None:
        with pytest.raises(kind, match=match):
            learn_domain(people(5), **({"epsilon": 1.0, "delta": 1e-6} | arguments))

    def test_lists_of_rows_have_no_types(self) -> None:
        rows = [[1.0, 2.0]] * 5
        with pytest.raises(ParameterError, match=r"attributes=\{'x0': 'numeric'\}"):
            learn_domain(rows, 1.0)
        assert len(learn_domain(rows, 1.0, attributes={"x0": "numeric", "x1": "numeric"}).domain) == 2

    @pytest.mark.parametrize("X", [np.zeros((0, 2)), np.zeros(3), "table", pd.DataFrame({1: [1], "a": [2]})])
    def test_tables(self, X: Any) -> None:
        with pytest.raises(SchemaError):
            learn_domain(X, 1.0)

    def test_who_gives_no_domain_is_told_of_it(self) -> None:
        with pytest.raises(SchemaError, match=r"learn_domain\(X, epsilon, delta\)"):
            PrivateBoostingClassifier().fit(people(), np.zeros(N, int))
