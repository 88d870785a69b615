from __future__ import annotations

import json
import math
from fractions import Fraction

import pytest

from privboost.errors import VerificationError
from privboost.privacy import Event, PrivacyStatement, PrivacyUnit, noise_scale, verify_statement
from privboost.privacy import verify as verify_module
from privboost.privacy.accounting import PlannedRelease
from privboost.privacy.calibration import calibrate_releases
from privboost.privacy.mechanisms import Gaussian, Select


def make_statement(distance=2, secure=True, epsilon=1.0, **changes):
    third = Fraction(epsilon) / 3
    releases = (
        Event(
            "tree 0/depth 0/split",
            "exponential",
            70001,
            noise_scale(distance, 70001, third),
            distance,
            1,
            "parallel",
            9,
        ),
        Event(
            "tree 0/depth 1/split",
            "permute-and-flip",
            70001,
            noise_scale(distance, 70001, third / 2),
            distance,
            2,
            "sequential",
            9,
        ),
        Event("tree 0/leaf", "laplace", 32768, noise_scale(distance, 32768, third), distance, 4, "parallel", 2),
    )
    fields = {
        "epsilon": epsilon,
        "unit": PrivacyUnit("replace-one" if distance == 2 else "add-remove"),
        "secure": secure,
        "private": secure,
        "releases": releases,
    }
    return PrivacyStatement(**(fields | changes))


def forged(statement, **changes):
    """Bypass the constructor, as a statement from elsewhere might."""
    twin = object.__new__(PrivacyStatement)
    for name in statement.__dataclass_fields__:
        object.__setattr__(twin, name, changes.get(name, getattr(statement, name)))
    return twin


@pytest.mark.parametrize("distance", [1, 2])
@pytest.mark.parametrize("epsilon", [1e-6, 0.1, 1.0, 1e4])
def test_right_statement_is_verified(distance, epsilon):
    report = verify_statement(make_statement(distance, epsilon=epsilon))
    assert report.private
    assert report.total <= Fraction(epsilon)
    assert float(report.total) == pytest.approx(epsilon, rel=1e-12)
    assert report.opendp_total == pytest.approx(epsilon, rel=1e-12)
    assert (report.n_events, report.n_releases) == (3, 7)
    assert "NOT PRIVATE" not in report.summary()
    assert f"{epsilon:g}" in str(report)


def test_simulation_is_recomputed_but_not_called_private():
    report = verify_statement(make_statement(secure=False))
    assert not report.private
    assert "NOT PRIVATE" in report.summary()
    fields = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert fields["private"] is False
    assert "NOT PRIVATE" in fields["warning"]


def test_nothing_to_verify_without_noise_or_releases():
    exact = Event("tree 0/leaf", "none", 1, 0.0, 2, 4, "parallel", 2)
    statement = make_statement(epsilon=1.0)
    for broken in (
        forged(statement, epsilon=None, private=False, releases=(exact,)),
        forged(statement, releases=()),
        forged(statement, releases=(*statement.releases, exact)),
    ):
        with pytest.raises(VerificationError):
            verify_statement(broken)


@pytest.mark.parametrize(
    "changes",
    [
        {"epsilon": math.nextafter(make_statement().total.__float__(), 0.0)},
        {"epsilon": 0.5},
        {"unit": PrivacyUnit("add-remove")},
        {"unit": PrivacyUnit("replace-one", 2)},
        {"releases": make_statement().releases * 2},
    ],
)
def test_forged_statement_is_refused(changes):
    with pytest.raises(VerificationError):
        verify_statement(forged(make_statement(), **changes))


@pytest.mark.parametrize("unit", [PrivacyUnit("add-remove"), PrivacyUnit("replace-one", 2)])
def test_release_planned_for_another_relation_is_named(unit):
    with pytest.raises(VerificationError, match="neighbour relation"):
        verify_statement(forged(make_statement(), unit=unit))


@pytest.mark.parametrize("factor", [0.5, 1 - 1e-6, 1 + 1e-6, 2.0])
@pytest.mark.parametrize("mechanism", ["laplace", "permute-and-flip", "exponential"])
def test_disagreement_with_opendp_is_an_error(monkeypatch, factor, mechanism):
    """If one of the two calculations were wrong, by a millionth or more, verification must stop."""
    real = verify_module.opendp_epsilon
    verify_statement(make_statement())
    monkeypatch.setattr(
        verify_module,
        "opendp_epsilon",
        lambda name, scale, change: real(name, scale, change) * (factor if name == mechanism else 1.0),
    )
    with pytest.raises(VerificationError, match="OpenDP"):
        verify_statement(make_statement())


@pytest.mark.parametrize("epsilon", [1e3, 1e6, 1e12])
def test_where_epsilon_is_beyond_the_second_accountant_s_floats_it_has_no_say(epsilon: float) -> None:
    picks = tuple(
        PlannedRelease(f"tree {t}/splits", "exponential", Fraction(epsilon) / 10, 1, "sequential", 1, 5) for t in (1, 2)
    )
    sums = tuple(
        PlannedRelease(f"tree {t}/leaves", "gaussian", Fraction(0), 1, "sequential", 1, 2, noise_multiplier=1.0)
        for t in range(1, 5)
    )
    planned = calibrate_releases(picks + sums, epsilon, 1e-6)
    events = []
    for release in planned:
        mechanism = Gaussian if release.mechanism == "gaussian" else Select
        events.append(mechanism.for_release(release, 2**16).event())
    statement = PrivacyStatement(
        epsilon=epsilon, delta=1e-6, unit=PrivacyUnit(), secure=True, private=True, releases=tuple(events)
    )
    report = verify_statement(statement)
    assert report.private
    assert (report.second_total is None) == (epsilon >= 1e6)
