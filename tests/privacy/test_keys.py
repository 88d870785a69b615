"""Showing keys: the law of the release over all neighbouring tables, what it costs, and bugs that must be found."""

from __future__ import annotations

import copy
import itertools
import json
import math
import pickle
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from privboost.errors import ParameterError, ParameterTypeError, PlanError, VerificationError
from privboost.privacy import (
    Event,
    Ledger,
    PlannedRelease,
    PrivacyStatement,
    PrivacyUnit,
    SecureRandomness,
    calibrate_releases,
    discrete_laplace_pmf,
    keys,
    total_privacy,
    verify_statement,
)
from privboost.privacy.keys import KeySelection, RawKeys
from privboost.privacy.thresholds import key_delta, key_threshold
from privboost.privacy.verify import opendp_key_delta

REACH = 22
"""Noise up to so many scales is enumerated: what is left out has a chance below 1e-9."""


def planned(epsilon: float = 1.0, delta: float = 1e-2, distance: int = 1, size: int = 254) -> PlannedRelease:
    return PlannedRelease(
        "domain/job/keys",
        "laplace-threshold",
        Fraction(epsilon),
        1,
        "sequential",
        distance,
        size,
        delta=Fraction(delta),
    )


class Given:
    """Noise as it is given."""

    secure = True

    def __init__(self, noise: tuple[int, ...]) -> None:
        self.noise = noise

    def laplace(self, values: np.ndarray, scale: float) -> np.ndarray:
        return values + np.array(self.noise[: len(values)], dtype=np.int64)


def law_of(rows: tuple[str | None, ...], plan: PlannedRelease) -> dict[Any, float]:
    """The exact chance of every output, noise vector by noise vector, through the code itself."""
    mechanism = KeySelection.for_release(plan)
    counts: dict[keys.Key, int] = dict(Counter(row for row in rows if row is not None))
    span = np.arange(-math.ceil(REACH * mechanism.scale), math.ceil(REACH * mechanism.scale) + 1)
    pmf = dict(zip(span.tolist(), discrete_laplace_pmf(span, mechanism.scale).tolist(), strict=True))
    law: Counter[Any] = Counter()
    for noise in itertools.product(span.tolist(), repeat=len(counts)):
        shown = mechanism.apply(RawKeys(counts), Given(noise), Ledger())  # type: ignore[arg-type]
        law[shown] += math.prod(pmf[z] for z in noise)
    return law


def excess(left: dict[Any, float], right: dict[Any, float], epsilon: float) -> float:
    """The smallest delta for which P(S) <= exp(epsilon) Q(S) + delta."""
    return sum(max(0.0, p - math.exp(epsilon) * right.get(outcome, 0.0)) for outcome, p in left.items())


def pairs(n_rows: int, relation: str, k: int, kinds: tuple[str | None, ...] = ("a", "b", None)) -> Iterator[Any]:
    """All neighbouring tables, up to the order of rows: k rows, or fewer, emptied, or replaced."""
    new: tuple[str | None, ...] = (None,) if relation == "add-remove" else kinds
    seen = set()
    for rows in itertools.combinations_with_replacement(kinds, n_rows):
        for where in itertools.combinations(range(n_rows), k):
            for cells in itertools.product(new, repeat=k):
                other = list(rows)
                for i, cell in zip(where, cells, strict=True):
                    other[i] = cell
                pair = rows, tuple(sorted(other, key=str))
                if pair[0] != pair[1] and pair not in seen:
                    seen.add(pair)
                    yield pair


def worst(plan: PlannedRelease, n_rows: int, relation: str, k: int) -> float:
    """The largest delta that any pair of neighbours needs at the epsilon that is charged."""
    epsilon = float(KeySelection.for_release(plan).event().epsilon)
    laws: dict[Any, dict[Any, float]] = {}
    for pair in (all_pairs := list(pairs(n_rows, relation, k))):
        for rows in pair:
            if rows not in laws:
                laws[rows] = law_of(rows, plan)
    return max(max(excess(laws[a], laws[b], epsilon), excess(laws[b], laws[a], epsilon)) for a, b in all_pairs)


CASES = [("add-remove", 1), ("replace-one", 1), ("add-remove", 2)]


@pytest.mark.parametrize(("relation", "k"), CASES)
@pytest.mark.parametrize("epsilon", [1.0, 4.0])
def test_no_pair_of_neighbours_needs_more_than_is_charged(relation: str, k: int, epsilon: float) -> None:
    """In both directions, over all tables of three rows, whatever the counts that are shown beside the keys."""
    distance = PrivacyUnit(relation, k).distance  # type: ignore[arg-type]
    plan = planned(epsilon, 1e-2, distance)
    charged = float(KeySelection.for_release(plan).event().delta)
    found = worst(plan, 3, relation, k)
    assert found <= charged * (1.0 + 1e-9) + 1e-9
    # A row that is replaced shows one new key, and is charged as two rows of one.
    assert found > (0.1 if relation == "replace-one" else 0.99) * charged


class TestPlantedBugs:
    def test_a_threshold_that_is_too_low(self, monkeypatch: pytest.MonkeyPatch) -> None:
        plan = planned()
        charged = float(KeySelection.for_release(plan).event().delta)
        lower = keys.key_threshold(1, 1.0, Fraction(1e-2)) - 1
        monkeypatch.setattr(keys, "key_threshold", lambda *arguments: lower)
        assert worst(plan, 2, "add-remove", 1) > 2.0 * charged

    def test_a_delta_that_is_not_charged(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("privboost.privacy.accounting.key_delta", lambda *arguments: 0.0)
        assert KeySelection.for_release(planned()).event().delta == 0
        assert worst(planned(), 2, "add-remove", 1) > 1e-3

    def test_a_person_of_two_rows_that_is_charged_as_one(self) -> None:
        plan = planned(2.0, 1e-2, 1)
        charged = float(KeySelection.for_release(plan).event().delta)
        assert worst(plan, 2, "add-remove", 2) > 2.0 * charged

    def test_one_key_s_exact_count(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(
            Given, "laplace", lambda self, values, scale: values + np.array([0, *self.noise])[: len(values)]
        )
        assert worst(planned(1.0, 0.2), 3, "add-remove", 1) > 0.5

    def test_keys_in_the_order_of_the_rows(self, monkeypatch: pytest.MonkeyPatch) -> None:
        mechanism = KeySelection.for_release(planned())
        plenty = {"b": 1000, "a": 1000}
        noise = Given((1, 2))
        before = mechanism.apply(RawKeys(plenty), noise, Ledger())  # type: ignore[arg-type]
        assert before == mechanism.apply(RawKeys(dict(reversed(plenty.items()))), noise, Ledger())  # type: ignore[arg-type]
        assert [one.key for one in before] == ["a", "b"]
        monkeypatch.setattr(keys, "_order", lambda key: 0)
        after = mechanism.apply(RawKeys(plenty), noise, Ledger())  # type: ignore[arg-type]
        assert after != mechanism.apply(RawKeys(dict(reversed(plenty.items()))), noise, Ledger())  # type: ignore[arg-type]


class TestDelta:
    @pytest.mark.parametrize("scale", [0.3, 1.0, 7.5, 1e4])
    @pytest.mark.parametrize("distance", [1, 2, 5])
    def test_against_the_mass_of_the_law(self, scale: float, distance: int) -> None:
        """The sum of the probabilities themselves, for every way in which d rows may hold new keys."""
        threshold = key_threshold(distance, scale, Fraction(1e-6))
        wide = threshold + math.ceil(60 * scale)

        def shown(rows: int) -> float:
            return math.fsum(discrete_laplace_pmf(np.arange(threshold - rows, wide), scale).tolist())

        exact = max(1.0 - math.prod(1.0 - shown(r) for r in parts) for parts in partitions(distance))
        given = key_delta(distance, scale, threshold)
        assert exact <= given * (1.0 + 1e-9) + 1e-15
        assert given <= exact * (1.0 + 1e-4) + 1e-15

    @pytest.mark.parametrize("scale", [0.3, 1.0, 7.5, 1e4])
    @pytest.mark.parametrize("distance", [1, 2, 6])
    def test_against_opendp(self, scale: float, distance: int) -> None:
        threshold = key_threshold(distance, scale, Fraction(1e-5))
        assert key_delta(distance, scale, threshold) == pytest.approx(
            opendp_key_delta(scale, threshold, distance), rel=1e-4
        )

    @pytest.mark.parametrize("delta", [0.3, 1e-2, 1e-6, 1e-12, 1e-200])
    def test_the_smallest_threshold(self, delta: float) -> None:
        for distance, scale in itertools.product((1, 2, 7), (0.001, 0.5, 3.0, 1e5)):
            threshold = key_threshold(distance, scale, Fraction(delta))
            assert threshold > distance + 1
            assert key_delta(distance, scale, threshold) <= delta
            assert threshold == distance + 2 or key_delta(distance, scale, threshold - 1) > delta

    def test_a_threshold_that_rows_reach_without_noise_protects_nothing(self) -> None:
        assert key_delta(3, 1.0, 3) == key_delta(3, 1.0, 0) == 1.0

    def test_hiding_a_key_never_tells_more_than_epsilon(self) -> None:
        """The other direction: where the table without the key can only hide it, hiding must be likely enough."""
        for distance, scale in itertools.product((1, 2, 4), (0.2, 1.0, 30.0)):
            for threshold in range(distance + 1, distance + 200):
                if key_delta(distance, scale, threshold) < 1.0:
                    for rows in range(1, distance + 1):
                        chance = math.exp(-(threshold - rows) / scale) / (1.0 + math.exp(-1.0 / scale))
                        assert 1.0 - chance >= math.exp(-rows / scale) * (1.0 - 1e-12)

    def test_a_delta_that_no_threshold_keeps(self) -> None:
        with pytest.raises(ParameterError, match="delta"):
            key_threshold(1, 1.0, Fraction(1, 10**320))


def partitions(n: int, most: int | None = None) -> Iterator[tuple[int, ...]]:
    if n == 0:
        yield ()
    for first in range(min(n, most or n), 0, -1):
        for rest in partitions(n - first, first):
            yield (first, *rest)


class TestMechanism:
    def test_secret_noise_shows_what_is_frequent_and_hides_what_is_rare(self) -> None:
        """False alarm: noise of scale 1 beyond 500, below 1e-200."""
        mechanism = KeySelection.for_release(planned(1.0, 1e-250))
        raw = RawKeys({"rare": 1, "b": 5000, 7: 4000, "a": 6000})
        shown = mechanism.apply(raw, SecureRandomness(), Ledger())
        assert [one.key for one in shown] == [7, "a", "b"]

    def test_the_most_frequent_are_kept_if_there_are_too_many(self) -> None:
        mechanism = KeySelection.for_release(planned(size=2))
        raw = RawKeys({"a": 100, "b": 300, "c": 200, "d": 200})
        assert mechanism.apply(raw, Given((0, 0, 0, 0)), Ledger()) == (("b", 300), ("c", 200))  # type: ignore[arg-type]

    def test_no_key_at_all(self) -> None:
        ledger = Ledger()
        assert KeySelection.for_release(planned()).apply(RawKeys({}), SecureRandomness(), ledger) == ()
        assert len(ledger.events) == 1

    def test_it_is_charged_before_noise_is_drawn(self) -> None:
        class Fails:
            def laplace(self, values: np.ndarray, scale: float) -> np.ndarray:
                raise RuntimeError

        ledger = Ledger()
        with pytest.raises(RuntimeError):
            KeySelection.for_release(planned()).apply(RawKeys({"a": 1}), Fails(), ledger)  # type: ignore[arg-type]
        assert len(ledger.events) == 1

    def test_the_event_fits_the_plan(self) -> None:
        plan = planned(0.1, 1e-6, 2)
        mechanism = KeySelection.for_release(plan)
        ledger = Ledger()
        mechanism.apply(RawKeys({}), SecureRandomness(), ledger)
        ledger.check_against([plan], 0.1, 1e-6)
        assert mechanism.map(2) <= Fraction(0.1)
        assert mechanism.threshold == ledger.events[0].threshold
        assert "a" not in repr(RawKeys({"secret": 1})).split("RawKeys")[0]

    def test_unreleased_keys_cannot_be_copied_or_seen(self) -> None:
        raw = RawKeys({"secret": 12345})
        assert "secret" not in repr(raw)
        assert "12345" not in repr(raw)
        for copied in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="unreleased"):
                copied(raw)
        with pytest.raises(ParameterTypeError):
            RawKeys([("a", 1)])  # type: ignore[arg-type]
        with pytest.raises(ParameterTypeError):
            KeySelection.for_release(planned()).apply({"a": 1}, SecureRandomness(), Ledger())  # type: ignore[arg-type]

    def test_other_plans_are_refused(self) -> None:
        with pytest.raises(ParameterError, match="mechanism"):
            KeySelection.for_release(PlannedRelease("x", "laplace", Fraction(1), 1, "sequential", 1, 1))
        two = PlannedRelease("x", "laplace-threshold", Fraction(1), 2, "sequential", 1, 1, delta=Fraction(1, 10))
        with pytest.raises(PlanError):
            KeySelection.for_release(two)


def event(**changes: Any) -> Event:
    fields: dict[str, Any] = {
        "label": "domain/job/keys",
        "mechanism": "laplace-threshold",
        "sensitivity": 1,
        "scale": 10.0,
        "distance": 1,
        "count": 1,
        "composition": "sequential",
        "size": 254,
        "threshold": 150,
    }
    return Event(**(fields | changes))


class TestAccounts:
    @pytest.mark.parametrize(
        ("changes", "match"),
        [
            ({"threshold": 0}, "threshold"),
            ({"threshold": 1.5}, "threshold"),
            ({"sensitivity": 2}, "sensitivity"),
            ({"composition": "parallel"}, "composition"),
            ({"mechanism": "laplace"}, "threshold"),
        ],
    )
    def test_events_that_make_no_sense(self, changes: dict[str, Any], match: str) -> None:
        with pytest.raises(ParameterError, match=match):
            event(**changes)

    @pytest.mark.parametrize(("mechanism", "delta"), [("laplace-threshold", Fraction(0)), ("laplace", Fraction(1, 9))])
    def test_plans_without_the_delta_that_they_need(self, mechanism: Any, delta: Fraction) -> None:
        with pytest.raises(ParameterError, match="delta"):
            PlannedRelease("x", mechanism, Fraction(1), 1, "sequential", 1, 1, delta=delta)

    def test_plain_sums(self) -> None:
        events = [event(), event(scale=20.0, threshold=300)]
        assert sum(one.epsilon for one in events) == Fraction(3, 20)
        deltas = sum(one.delta for one in events)
        assert total_privacy(events, float(deltas) * 1.001) == pytest.approx(0.15, rel=1e-15)
        assert total_privacy(events, float(deltas) * 0.999) == math.inf
        assert total_privacy(events, 0.0) == math.inf

    def test_with_gaussian_noise_both_parts_add_up(self) -> None:
        """By hand from the two curves; dp-accounting, which knows how failures compose, never promises less."""
        gaussian = Event("domain/bounds", "gaussian", 65536, 4.0 * 65536, 1, 1, "sequential", 64)
        both = [gaussian, event()]
        delta = 1e-5
        alone = total_privacy([gaussian], delta - float(event().delta))
        assert total_privacy(both, delta) == pytest.approx(alone + 0.1, rel=1e-9)
        library = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
        common = pytest.importorskip("dp_accounting.pld.common")
        losses = library.from_gaussian_mechanism(4.0).compose(
            library.from_privacy_parameters(common.DifferentialPrivacyParameters(0.1, float(event().delta)))
        )
        assert losses.get_epsilon_for_delta(delta) <= total_privacy(both, delta)

    def test_noise_of_numbers_is_calibrated_to_what_keys_leave(self) -> None:
        plans = [
            PlannedRelease("a", "gaussian", Fraction(0), 1, "sequential", 1, 64, 1.0),
            planned(0.5, 5e-7),
        ]
        fitted = calibrate_releases(plans, 1.0, 1e-6)
        assert 0.9999 < total_privacy(fitted, 1e-6) <= 1.0

    def test_a_ledger_with_a_lower_threshold_is_refused(self) -> None:
        plan = planned(0.1, 1e-6)
        good = KeySelection.for_release(plan).event()
        ledger = Ledger()
        ledger.record(event(scale=good.scale, threshold=good.threshold - 1, label=good.label))
        with pytest.raises(VerificationError, match="threshold"):
            ledger.check_against([plan], 0.1, 1e-6)


def statement(**changes: Any) -> PrivacyStatement:
    fields: dict[str, Any] = {
        "epsilon": 0.1,
        "delta": 1e-6,
        "unit": PrivacyUnit(),
        "secure": True,
        "private": True,
        "releases": (event(),),
        "subject": "domain",
    }
    return PrivacyStatement(**(fields | changes))


class TestStatement:
    def test_it_says_what_holds_and_is_verified(self) -> None:
        text = str(statement())
        assert "This domain is (ε, δ)-differentially private with ε = 0.1, δ = 1e-06" in text
        assert f"and δ = {float(event().delta):.6g} of 1e-06" in text
        report = verify_statement(statement())
        assert report.total == Fraction(1, 10)
        assert report.private
        assert report.shown_delta == float(event().delta)
        assert "ε = 0.1 and δ = " in report.summary()

    @pytest.mark.parametrize("delta", [0.0, 1e-9])
    def test_a_delta_below_that_of_the_keys_is_refused(self, delta: float) -> None:
        with pytest.raises(ParameterError, match="epsilon"):
            statement(delta=delta)

    def test_json_round_trip_and_tampering(self) -> None:
        content = json.loads(json.dumps(statement().to_dict()))
        assert PrivacyStatement.from_dict(content) == statement()
        assert content["releases"][0]["threshold"] == 150
        changes: list[Callable[[dict[str, Any]], Any]] = [
            lambda release: release.update(threshold=149),
            lambda release: release.update(delta=0.0),
            lambda release: release.pop("threshold"),
            lambda release: release.pop("delta"),
        ]
        for change in changes:
            tampered = copy.deepcopy(content)
            change(tampered["releases"][0])
            with pytest.raises((VerificationError, Exception), match="statement"):
                PrivacyStatement.from_dict(tampered)

    def test_opendp_must_agree(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("privboost.privacy.verify.key_delta", lambda *arguments: 1e-9)
        with pytest.raises(VerificationError, match="OpenDP"):
            verify_statement(statement())

    def test_a_mixed_statement_is_verified(self) -> None:
        gaussian = Event("domain/bounds", "gaussian", 65536, 8.0 * 65536, 1, 1, "sequential", 64)
        mixed = statement(epsilon=1.0, releases=(gaussian, event()))
        assert verify_statement(mixed).private
        assert 0.1 < mixed.spent < 1.0  # type: ignore[operator]
        assert [group.share for group in mixed.groups()] == [None, None]
