"""The statement of a fitted model: the ledger is the plan, it adds up, and it can be read and verified elsewhere."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from privboost import (
    BDPEClassifier,
    Boolean,
    Categorical,
    Domain,
    Numeric,
    PrivacyStatement,
    PrivateForestClassifier,
    PrivateTreeClassifier,
)
from privboost.errors import PrivacyWarning, VerificationError
from privboost.estimators.classifier import PrivateClassifier
from privboost.privacy.mechanisms import Laplace, Released, Select
from privboost.privacy.verify import verify_statement

DOMAIN = Domain({"a": Numeric(0, 1), "b": Categorical(["x", "y"], missing=True), "c": Boolean()})
LEARNERS: dict[str, tuple[type, dict[str, Any]]] = {
    "boosted": (BDPEClassifier, {"n_trees": 3}),
    "paper": (BDPEClassifier, {"n_trees": 2, "preset": "paper"}),
    "disjoint": (PrivateForestClassifier, {"n_trees": 4}),
    "shared": (PrivateForestClassifier, {"n_trees": 3, "partition": "shared", "mechanism": "exponential"}),
    "tree": (PrivateTreeClassifier, {"criterion": "log"}),
}


def table(n_rows: int = 50, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = np.empty((n_rows, 3), dtype=object)
    X[:, 0] = rng.random(n_rows)
    X[:, 1] = rng.choice(["x", "y", None], n_rows)
    X[:, 2] = rng.random(n_rows) < 0.5
    return X, rng.integers(0, 3, n_rows)


def make(name: str, **parameters: Any) -> PrivateClassifier:
    cls, given_settings = LEARNERS[name]
    model: PrivateClassifier = cls(
        **{"max_depth": 2, "domain": DOMAIN, "classes": [0, 1], **given_settings, **parameters}
    )
    return model


everyone = pytest.mark.parametrize("name", LEARNERS)


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=st.sampled_from(sorted(LEARNERS)),
    epsilon=st.floats(1e-9, 1e9),
    depth=st.integers(1, 4),
    relation=st.sampled_from(["add-remove", "replace-one"]),
    rows_per_person=st.integers(1, 5),
    n_classes=st.integers(2, 4),
    n_rows=st.integers(1, 60),
    share=st.floats(0.01, 0.99),
)
@pytest.mark.filterwarnings("ignore:'random_state' is set:privboost.errors.PrivacyWarning")
def test_the_ledger_is_the_plan_and_never_exceeds_epsilon(
    name, epsilon, depth, relation, rows_per_person, n_classes, n_rows, share
):
    extra = {} if LEARNERS[name][0] is PrivateForestClassifier else {"split_share": share}
    model = make(
        name,
        epsilon=epsilon,
        max_depth=depth,
        relation=relation,
        rows_per_person=rows_per_person,
        classes=range(n_classes),
        random_state=0,
        **extra,
    )
    model.fit(*table(n_rows))
    statement, planned = model.privacy_, model.plan_.releases
    assert len(statement.releases) == len(planned)
    for event, release in zip(statement.releases, planned, strict=True):
        for field in ("label", "mechanism", "count", "composition", "distance", "size"):
            assert getattr(event, field) == getattr(release, field)
        assert 0 < event.epsilon <= release.epsilon
        # No budget is thrown away: the scale is the smallest float that is large enough, unless it hit the floor.
        assert float(event.epsilon) == pytest.approx(float(release.epsilon), rel=1e-9) or event.scale == 2.0**-30
        assert event.distance == rows_per_person * (2 if relation == "replace-one" else 1)
    assert sum((r.cost for r in planned), Fraction(0)) == Fraction(epsilon)
    assert 0 < statement.total <= Fraction(epsilon)
    assert statement.total == sum(
        (e.distance * e.sensitivity / Fraction(e.scale) * (1 if e.composition == "parallel" else e.count))
        for e in statement.releases
    )


class TestSecureModels:
    @everyone
    def test_are_private_and_verify(self, name):
        model = make(name, epsilon=0.3).fit(*table())
        statement = model.privacy_
        assert model.is_private_ is statement.private is True
        assert statement.secure
        assert not statement.simulated
        assert statement.warning == ""
        report = verify_statement(statement)
        assert report.private
        assert report.total == statement.total
        assert report.opendp_total <= 0.3 * (1 + 1e-9)

    @everyone
    def test_the_sentence_names_epsilon_delta_and_relation(self, name):
        text = make(name, epsilon=0.3).fit(*table()).privacy_.summary()
        assert text == (
            "This model is ε-differentially private with ε = 0.3 (pure: δ = 0), for tables that differ in one row "
            "added or removed (the number of rows is public)."
        )


class TestJson:
    @everyone
    @pytest.mark.parametrize("privacy", ["pure", None])
    def test_is_strict_and_reads_back_equal(self, name, privacy):
        statement = make(name, privacy=privacy).fit(*table()).privacy_

        def refuse(token: str) -> None:
            raise AssertionError(f"{token} is no JSON")

        text = json.dumps(statement.to_dict(), allow_nan=False)
        read = json.loads(text, parse_constant=refuse)
        assert PrivacyStatement.from_dict(read) == statement
        assert json.dumps(PrivacyStatement.from_dict(read).to_dict(), allow_nan=False) == text

    @everyone
    def test_holds_exact_costs_beside_floats(self, name):
        facts = make(name).fit(*table()).privacy_.to_dict()
        for release in facts["releases"]:
            assert Fraction(release["epsilon_exact"]) == (
                release["distance"] * release["sensitivity"] / Fraction(release["scale"])
            )
            assert float(Fraction(release["cost_exact"])) == release["cost"]


class TestModelsWithoutGuarantee:
    @everyone
    def test_a_simulation_says_so_everywhere(self, name):
        with pytest.warns(PrivacyWarning):
            model = make(name, random_state=0).fit(*table())
        assert model.is_private_ is False
        assert model.privacy_.simulated
        for text in (
            str(model.privacy_),
            model.privacy_.summary(),
            model.privacy_.warning,
            model.privacy_._repr_html_(),
        ):
            assert "NOT PRIVATE" in text
        assert model.privacy_.to_dict()["private"] is False

    @everyone
    def test_noise_free_training_says_so_everywhere(self, name):
        model = make(name, privacy=None).fit(*table())
        assert model.is_private_ is False
        assert model.privacy_.epsilon is None
        assert model.privacy_.total is None
        assert {e.mechanism for e in model.privacy_.releases} <= {"none"}
        for text in (str(model.privacy_), model.privacy_.summary(), model.privacy_.warning):
            assert "NOT PRIVATE" in text
        with pytest.raises(VerificationError):
            verify_statement(model.privacy_)

    @everyone
    def test_cannot_be_declared_private_afterwards(self, name):
        statement = make(name, privacy=None).fit(*table()).privacy_
        with pytest.raises(ValueError, match="private"):
            replace(statement, private=True)


class TestALedgerThatDoesNotMatch:
    """A mechanism that charges too little, or a release too many, must make ``fit`` fail."""

    @everyone
    def test_noise_of_half_the_scale_is_refused(self, name, monkeypatch):
        for mechanism in (Laplace, Select):
            event = mechanism.event
            monkeypatch.setattr(
                mechanism, "event", lambda self, event=event: replace(event(self), scale=event(self).scale / 2)
            )
        with pytest.raises(VerificationError, match="more than planned"):
            make(name).fit(*table())

    @everyone
    def test_a_release_that_was_not_planned_is_refused(self, name, monkeypatch):
        for mechanism in (Laplace, Select):
            apply = mechanism.apply

            def twice(self, raw, randomness, ledger, apply=apply):
                apply(self, raw, randomness, ledger)
                return apply(self, raw, randomness, ledger)

            monkeypatch.setattr(mechanism, "apply", twice)
        with pytest.raises(VerificationError, match="releases"):
            make(name).fit(*table())

    @everyone
    def test_an_answer_that_was_not_charged_is_refused(self, name, monkeypatch):
        for mechanism in (Laplace, Select):
            apply = mechanism.apply

            def free(self, raw, randomness, ledger, apply=apply):
                released = apply(self, raw, randomness, type(ledger)())
                assert isinstance(released, Released | np.ndarray)
                return released

            monkeypatch.setattr(mechanism, "apply", free)
        with pytest.raises(VerificationError, match="the ledger 0"):
            make(name).fit(*table())
