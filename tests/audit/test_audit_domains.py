"""Exact audits of learnt domains over all neighbouring tables of a few rows, and planted bugs that they must find."""

from __future__ import annotations

import inspect
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from audit_domains import GAUSSIAN, KEYS, NOT_VARIED, NUMBERS, KeysCase, NumbersCase

import privboost
from privboost import Numeric
from privboost.domains import counting, plan, private
from privboost.errors import VerificationError
from privboost.privacy import Gaussian, Laplace, keys, relation
from privboost.privacy.thresholds import key_threshold

PURE, RELAXED = NumbersCase(n_rows=2), NumbersCase(GAUSSIAN, n_rows=2)


@pytest.mark.parametrize("case", NUMBERS, ids=repr)
def test_bounds_cost_no_more_than_the_claim(case: NumbersCase) -> None:
    report = case.audit()
    assert report.holds, report
    assert report.pairs >= 10
    if case.params.get("relation") != "replace-one" or "delta" not in case.params:
        assert report.tightness > 0.99, report


@pytest.mark.parametrize("case", KEYS, ids=repr)
def test_lists_of_keys_cost_no_more_than_the_claim(case: KeysCase) -> None:
    """Everything that is published is compared, and not only the keys."""
    found, claimed = case.worst()
    assert found <= claimed * (1.0 + 1e-9) + 1e-9
    assert found > 0.1 * claimed


def test_every_parameter_is_varied_or_has_a_reason_not_to_be() -> None:
    varied = {name for case in NUMBERS for name in case.params} | {name for case in KEYS for name in case.params}
    assert set(inspect.signature(privboost.learn_domain).parameters) == varied | {"y"} | set(NOT_VARIED)
    for cases in (NUMBERS, KEYS):
        assert {case.params.get("relation", "add-remove") for case in cases} == {"add-remove", "replace-one"}
    assert {case.what for case in KEYS} == {"categories", "labels"}
    assert {"delta" in case.params for case in NUMBERS} == {True, False}


class Quieter:
    """A source of randomness that draws half the noise."""

    secure = True

    def __init__(self, randomness: Any) -> None:
        self.randomness = randomness

    def laplace(self, values: Any, scale: float) -> Any:
        return self.randomness.laplace(values, 0.5 * scale)

    def gaussian(self, values: Any, scale: float) -> Any:
        return self.randomness.gaussian(values, 0.5 * scale)


class TestPlantedBugsInBounds:
    @pytest.mark.parametrize("case", [PURE, RELAXED], ids=repr)
    def test_half_the_noise(self, case: NumbersCase, monkeypatch: pytest.MonkeyPatch) -> None:
        for kind in (Laplace, Gaussian):
            apply = kind.apply
            monkeypatch.setattr(
                kind, "apply", lambda self, raw, rng, ledger, apply=apply: apply(self, raw, Quieter(rng), ledger)
            )
        assert case.audit().disproved

    @pytest.mark.parametrize("case", [PURE, RELAXED], ids=repr)
    def test_two_columns_that_are_charged_as_one(self, case: NumbersCase, monkeypatch: pytest.MonkeyPatch) -> None:
        true = counting.sensitivity
        for module in (counting, plan):
            monkeypatch.setattr(module, "sensitivity", lambda n, gaussian: true(1, gaussian=gaussian))
        assert case.audit().disproved

    @pytest.mark.parametrize("case", [PURE, RELAXED], ids=repr)
    def test_a_largest_value_that_is_read_off_the_rows(
        self, case: NumbersCase, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seen: list[float] = []

        def spied(numbers: np.ndarray) -> np.ndarray:
            seen.append(float(np.nanmax(np.append(numbers[np.isfinite(numbers)], 0.0))))
            return np.where(np.isfinite(numbers), numbers, np.nan)

        monkeypatch.setattr(private, "finite", spied)
        monkeypatch.setattr(private, "fine_range", lambda counts, first, n: Numeric(-10, max(0.0, seen[-1])))
        assert "model" in case.audit().problems

    def test_infinity_that_shows_in_the_shape(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(private, "N_BINS", 32)
        true = private.count_cells

        def counted(columns: Any, edges: Any, n_cells: int, gaussian: bool) -> Any:
            return true(columns, edges, n_cells + int(np.isinf(columns[0]).any()), gaussian=gaussian)

        monkeypatch.setattr(private, "count_cells", counted)
        monkeypatch.setattr(private, "finite", lambda numbers: numbers)
        with pytest.raises(privboost.errors.PlanError):
            PURE.audit()

    @pytest.mark.parametrize("case", [PURE, RELAXED], ids=repr)
    def test_noise_for_a_removed_row_does_not_hide_a_replaced_one(self, case: NumbersCase) -> None:
        assert case.audit(relation="replace-one").disproved

    def test_a_replaced_row_that_is_charged_as_one_step(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(relation._STEPS, "replace-one", 1)
        assert NumbersCase({"relation": "replace-one"}, n_rows=2).audit().disproved

    def test_a_release_that_is_not_charged(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("privboost.privacy.accounting.Ledger.record", lambda self, event: None)
        with pytest.raises(VerificationError, match="2 releases, the ledger 0"):
            PURE.audit()


class TestPlantedBugsInKeys:
    @pytest.mark.parametrize("what", ["categories", "labels"])
    def test_a_threshold_that_is_too_low(self, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """The ledger finds it, unless it is deceived, too; then the audit does."""
        true = keys.key_threshold
        monkeypatch.setattr(keys, "key_threshold", lambda *arguments: true(*arguments) - 1)
        with pytest.raises(VerificationError, match="threshold"):
            KeysCase(what).worst()
        self.deceive_the_ledger(monkeypatch)
        found, claimed = KeysCase(what).worst()
        assert found > 1.5 * claimed

    @staticmethod
    def deceive_the_ledger(monkeypatch: pytest.MonkeyPatch) -> None:
        event = keys.KeySelection.event

        def right(self: Any) -> Any:
            plan = self._planned
            return replace(event(self), threshold=key_threshold(plan.distance, self._scale, plan.delta))

        monkeypatch.setattr(keys.KeySelection, "event", right)

    def test_a_delta_that_is_not_charged(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("privboost.privacy.accounting.key_delta", lambda *arguments: 0.0)
        found, claimed = KeysCase("categories").worst()
        assert claimed == 0.0
        assert found > 1e-5

    def test_keys_without_a_threshold(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Whatever occurs has a chance of a half or more to be shown, after noise."""
        monkeypatch.setattr(keys, "key_threshold", lambda *arguments: 1)
        self.deceive_the_ledger(monkeypatch)
        found, claimed = KeysCase("labels").worst()
        assert found > 5.0 * claimed

    def test_a_filler_that_follows_from_the_rows(self, monkeypatch: pytest.MonkeyPatch) -> None:
        true = private.count_categories

        def spied(column: Any) -> Any:
            counts = true(column)
            monkeypatch.setattr(private, "_NO_KEY", min(map(str, counts), default="other"))
            return counts

        monkeypatch.setattr(private, "count_categories", spied)
        found, claimed = KeysCase("categories").worst()
        assert found > 5.0 * claimed
