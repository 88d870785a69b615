"""Statements and their verification with delta above 0."""

from __future__ import annotations

import copy
import dataclasses
import json
import math
import pickle
from fractions import Fraction

import pytest

from privboost.errors import ModelFileError, ParameterError, VerificationError
from privboost.privacy import (
    Event,
    PrivacyStatement,
    PrivacyUnit,
    calibrate_mixed,
    gaussian_scale,
    noise_scale,
    split_bars,
    total_privacy,
    verify_statement,
)
from privboost.privacy import verify as verify_module

DELTA = 1e-5


def make_releases(mechanism="exponential", selections=60, trees=20, distance=1, multiplier=None):
    """The ledger of a boosted ensemble: 3 levels of splits a tree with epsilon 1/50 each, Gaussian leaves."""
    events = []
    if multiplier is None:
        multiplier = calibrate_mixed(1.0, DELTA, [0.02] * selections, [1.0] * trees, mechanism, 2 * distance)[0]
    for t in range(trees):
        for j in range(selections // trees):
            scale = noise_scale(distance, 90_000 + t, Fraction(0.02))
            events.append(
                Event(f"tree {t}/depth {j}/split", mechanism, 90_000 + t, scale, distance, 2**j, "parallel", 45)
            )
        scale = gaussian_scale(distance, 33_000 + t, multiplier)
        events.append(Event(f"tree {t}/leaf", "gaussian", 33_000 + t, scale, distance, 8, "parallel", 2))
    return tuple(events)


RELEASES = make_releases()


def make_statement(**changes):
    fields = {
        "epsilon": 1.0,
        "delta": DELTA,
        "unit": PrivacyUnit(),
        "secure": True,
        "private": True,
        "releases": RELEASES,
    }
    return PrivacyStatement(**(fields | changes))


def through_json(statement):
    return json.loads(json.dumps(statement.to_dict(), allow_nan=False))


def forged(statement, **changes):
    """Bypass the constructor, as a statement from elsewhere might."""
    twin = object.__new__(PrivacyStatement)
    for name in statement.__dataclass_fields__:
        object.__setattr__(twin, name, changes.get(name, getattr(statement, name)))
    return twin


class TestText:
    def test_sentence_names_epsilon_and_delta(self):
        assert make_statement().summary() == (
            "This model is (ε, δ)-differentially private with ε = 1, δ = 1e-05, "
            "for tables that differ in one row added or removed (the number of rows is public)."
        )
        assert (
            "with secret noise: this model would be (ε, δ)-"
            in make_statement(secure=False, private=False).summary().lower()
        )

    def test_table_shows_mu_and_shares_of_rho(self):
        statement = make_statement()
        text = str(statement)
        assert "discrete Gaussian" in text
        assert "μ = " in text
        assert "at δ = 1e-05" in text
        split, leaf = statement.groups()
        assert leaf.cost is None
        assert split.mu is None
        assert split.cost == pytest.approx(1.2, rel=1e-9)
        assert leaf.mu == pytest.approx(math.sqrt(sum(float(e.mu) ** 2 for e in RELEASES if e.mechanism == "gaussian")))
        # 60 selections of rho = 0.02**2 / 8 against mu**2 / 2.
        assert split.share / leaf.share == pytest.approx(60 * 0.02**2 / 8 / (leaf.mu**2 / 2), rel=1e-6)
        assert sum(statement.budget_split().values()) == pytest.approx(1.0, rel=1e-12)
        assert "%" in split_bars(statement)

    def test_pure_releases_with_a_delta(self):
        """Enough of them cost less than their sum; few are stated by the exact sum."""
        flips = tuple(e for e in make_releases(multiplier=8.0) if e.mechanism == "exponential")
        loose = make_statement(epsilon=1.3, releases=flips)
        assert "in exact arithmetic" in str(loose)
        tight = make_statement(epsilon=0.5, releases=flips)
        assert float(tight.total) > 1.19
        assert tight.spent < 0.5
        assert "at δ = 1e-05, rounded up" in str(tight)
        with pytest.raises(ParameterError, match="epsilon"):
            make_statement(epsilon=0.5, delta=0.0, releases=flips)


class TestClaims:
    def test_spent_is_the_total(self):
        statement = make_statement()
        assert statement.total is None
        assert 0.999 < statement.spent <= 1.0
        assert statement.spent == total_privacy(RELEASES, DELTA)

    @pytest.mark.parametrize(
        "changes",
        [
            {"epsilon": 0.99},
            {"delta": 0.9e-5},
            {"delta": 0.0},
            {"epsilon": None, "private": False},
            {"unit": PrivacyUnit("replace-one")},
            {"releases": RELEASES * 2},
            {"releases": (*RELEASES, RELEASES[3])},
            {"releases": tuple(dataclasses.replace(e, scale=e.scale / 2) for e in RELEASES)},
            {"releases": (*RELEASES, Event("leaf", "none", 1, 0.0, 1, 8, "parallel", 2))},
            {"secure": False},
        ],
    )
    def test_unsupported_claim_is_refused(self, changes):
        make_statement()
        with pytest.raises(ParameterError):
            make_statement(**changes)

    def test_replace_one_needs_its_own_noise(self):
        make_statement(unit=PrivacyUnit("replace-one"), releases=make_releases(distance=2))


class TestJson:
    @pytest.mark.parametrize("changes", [{}, {"secure": False, "private": False}, {"releases": RELEASES[:3]}])
    def test_round_trip_is_exact(self, changes):
        statement = make_statement(**changes)
        again = PrivacyStatement.from_dict(through_json(statement))
        assert again == statement
        assert again.to_dict() == statement.to_dict()
        assert pickle.loads(pickle.dumps(statement)) == statement

    def test_fields(self):
        fields = make_statement().to_dict()
        assert fields["format"] == 1
        assert fields["total"] is fields["total_exact"] is None
        assert fields["spent"] == make_statement().spent
        leaf = fields["releases"][3]
        assert leaf["cost"] is leaf["epsilon"] is None
        assert Fraction(leaf["mu_exact"]) == leaf["sensitivity"] / Fraction(leaf["scale"])
        assert "mu" not in fields["releases"][0]

    def test_pure_statement_has_no_new_field(self):
        fields = make_statement(delta=0.0, epsilon=2.0, releases=RELEASES[:3]).to_dict()
        assert "spent" not in fields
        assert fields["delta"] == 0.0

    @pytest.mark.parametrize(
        ("path", "value"),
        [
            (("epsilon",), 0.5),
            (("delta",), 1e-6),
            (("delta",), 0.0),
            (("delta",), 1e-4),  # the sentence no longer fits
            (("spent",), 0.1),
            (("spent",), None),
            (("total",), 1.0),
            (("releases", 3, "scale"), 1e9),
            (("releases", 3, "sensitivity"), 20_000),
            (("releases", 3, "mu"), 0.0),
            (("releases", 3, "mu_exact"), "0/1"),
            (("releases", 3, "cost"), 0.0),
            (("releases", 3, "composition"), "sequential"),
            (("unit", "relation"), "replace-one"),
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

    def test_last_digits_of_another_machine_are_accepted(self):
        fields = through_json(make_statement())
        fields["spent"] *= 1 + 1e-12
        PrivacyStatement.from_dict(fields)

    @pytest.mark.parametrize("value", [1.0, -1e-5, 2, "1e-5", None, True])
    def test_delta_out_of_range_is_refused(self, value):
        with pytest.raises(ModelFileError):
            PrivacyStatement.from_dict(through_json(make_statement()) | {"delta": value})

    def test_scale_below_the_smallest_is_refused(self):
        fields = through_json(make_statement())
        fields["releases"][3]["scale"] = 100.0
        with pytest.raises(ModelFileError, match="scale"):
            PrivacyStatement.from_dict(fields)


class TestVerification:
    def test_right_statement_is_verified(self):
        report = verify_statement(make_statement())
        assert report.private
        assert report.total is None
        assert report.delta == DELTA
        assert report.spent == make_statement().spent
        assert report.opendp_total == pytest.approx(report.spent, rel=1e-9)
        assert "δ = 1e-05" in report.summary()
        fields = json.loads(json.dumps(report.to_dict(), allow_nan=False))
        assert fields["total_exact"] is None
        assert fields["spent"] == report.spent

    def test_simulation_is_recomputed_but_not_called_private(self):
        report = verify_statement(make_statement(secure=False, private=False))
        assert not report.private
        assert "NOT PRIVATE" in report.summary()

    def test_gaussian_run_is_confirmed_by_the_second_accountant(self):
        pytest.importorskip("dp_accounting", reason="dp-accounting is in the extra 'test'")
        releases = make_releases(selections=0)
        report = verify_statement(make_statement(releases=releases))
        assert report.second_total == pytest.approx(report.spent, rel=1e-3)
        assert "dp-accounting" in report.summary()

    def test_verified_without_the_second_accountant(self, monkeypatch):
        monkeypatch.setattr(verify_module, "find_spec", lambda name: None)
        report = verify_statement(make_statement())
        assert report.second_total is None
        assert "dp-accounting" not in report.summary()

    @pytest.mark.parametrize("selections", [0, 20])
    def test_disagreement_of_the_second_accountant_is_an_error(self, monkeypatch, selections):
        """If our curve promised too little, by a fifth, dp-accounting's figure for the Gaussian part would be above."""
        pytest.importorskip("dp_accounting", reason="dp-accounting is in the extra 'test'")
        statement = make_statement(releases=make_releases(selections=selections))
        verify_statement(statement)
        real = verify_module._by_losses
        monkeypatch.setattr(verify_module, "_by_losses", lambda events, delta: 1.2 * real(events, delta))
        monkeypatch.setattr(verify_module, "_by_divergences", lambda events, delta: math.inf)
        with pytest.raises(VerificationError, match="dp-accounting"):
            verify_statement(statement)

    @pytest.mark.parametrize("factor", [0.5, 1 - 1e-6, 1 + 1e-6, 2.0])
    def test_disagreement_with_opendp_is_an_error(self, monkeypatch, factor):
        real = verify_module.opendp_rho
        monkeypatch.setattr(verify_module, "opendp_rho", lambda scale, change: factor * real(scale, change))
        with pytest.raises(VerificationError, match="OpenDP"):
            verify_statement(make_statement())

    @pytest.mark.parametrize(
        "changes",
        [
            {"epsilon": 0.9},
            {"delta": 1e-6},
            {"delta": 0.0},
            {"unit": PrivacyUnit("replace-one")},
            {"releases": RELEASES * 2},
            {"releases": (*RELEASES, RELEASES[3])},
            {"releases": ()},
        ],
    )
    def test_forged_statement_is_refused(self, changes):
        with pytest.raises(VerificationError):
            verify_statement(forged(make_statement(), **changes))
