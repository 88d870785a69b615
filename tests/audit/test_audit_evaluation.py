"""Exact audits of paid evaluations over all neighbouring tables of a few rows, and planted bugs that they must find."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from audit_evaluation import CASES, EvaluationCase

from privboost.evaluation import plan, private, tables
from privboost.privacy import Laplace, relation
from privboost.privacy.mechanisms import Gaussian

TWO = EvaluationCase("two classes", n_rows=2)
REPLACED = EvaluationCase("two classes", {"relation": "replace-one"}, n_rows=2)
MANY = EvaluationCase("many classes", n_rows=2)
NUMBERS = EvaluationCase("numbers", n_rows=2)
EVERY = [TWO, REPLACED, MANY, NUMBERS]


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_no_pair_of_neighbours_exceeds_the_claim(case: EvaluationCase) -> None:
    report = case.audit()
    assert report.holds, report
    assert report.pairs > 20
    one_step = case.params.get("relation") != "replace-one"
    if one_step or case.params.get("mechanism") != "gaussian":  # a replaced row moves two cells, root 2 apart
        assert report.tightness > 0.99, report


@pytest.mark.parametrize("case", EVERY, ids=repr)
def test_the_whole_ones_hold(case: EvaluationCase) -> None:
    assert case.audit().holds


class Quieter:
    """A source of randomness that draws half the noise."""

    secure = True

    def __init__(self, randomness: Any) -> None:
        self.randomness = randomness

    def laplace(self, values: Any, scale: float) -> Any:
        return self.randomness.laplace(values, 0.5 * scale)

    def gaussian(self, values: Any, scale: float) -> Any:
        return self.randomness.gaussian(values, 0.5 * scale)


class TestPlantedBugs:
    @pytest.mark.parametrize("case", EVERY, ids=repr)
    def test_a_row_that_counts_in_two_cells(self, case: EvaluationCase, monkeypatch: pytest.MonkeyPatch) -> None:
        counts = tables._counts
        monkeypatch.setattr(tables, "_counts", lambda cells, n: counts(cells, n) + counts((cells + 1) % n, n))
        assert case.audit().disproved

    @pytest.mark.parametrize("noise", [{}, {"mechanism": "gaussian", "delta": 1e-3}], ids=["laplace", "gaussian"])
    @pytest.mark.parametrize("task", ["two classes", "many classes", "numbers"])
    def test_half_the_noise(self, task: str, noise: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
        for kind in (Laplace, Gaussian):
            apply = kind.apply
            monkeypatch.setattr(
                kind, "apply", lambda self, raw, rng, ledger, apply=apply: apply(self, raw, Quieter(rng), ledger)
            )
        report = EvaluationCase(task, noise, n_rows=2).audit()
        assert report.disproved
        assert report.excess > 0.1

    @pytest.mark.parametrize("case", [TWO, MANY, NUMBERS], ids=repr)
    def test_noise_for_a_removed_row_does_not_hide_a_replaced_one(self, case: EvaluationCase) -> None:
        assert case.audit(relation="replace-one").disproved

    def test_a_replaced_row_that_is_charged_as_one_step(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(relation._STEPS, "replace-one", 1)
        assert REPLACED.audit().disproved

    @pytest.mark.parametrize("noise", [{}, {"mechanism": "gaussian", "delta": 1e-3}], ids=["laplace", "gaussian"])
    def test_two_tables_that_are_charged_as_one(self, noise: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(plan, "_sensitivity", lambda task, gaussian: 2**16 if gaussian else 1)
        assert EvaluationCase("many classes", noise, n_rows=2).audit().disproved

    @pytest.mark.parametrize("case", EVERY, ids=repr)
    def test_the_exact_number_of_known_rows_is_shown(
        self, case: EvaluationCase, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """As the exact evaluation does."""
        listed = [y for _, y in case.kinds if y in ("no", "yes", "a", "b", "c", 0.0, 4.0, 10.0)]
        monkeypatch.setattr(private, "_count_rows", lambda model, X, y: 1 + sum(label in listed for label in y))
        assert "model" in case.audit().problems

    def test_bins_that_follow_from_the_rows(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Quantiles, as calibration curves often have: a row then moves others to other bins."""

        def by_rank(values: Any, edges: Any) -> Any:
            return np.searchsorted(np.sort(values), values) * (len(edges) - 1) // max(len(values), 1)

        monkeypatch.setattr(tables, "bin_of", by_rank)
        assert EvaluationCase("two classes").audit().disproved

    def test_a_shape_that_follows_from_the_rows(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(private, "_count_rows", lambda model, X, y: 10 ** (3 * sum(label == "yes" for label in y)))
        assert "trace" in TWO.audit().problems

    def test_a_release_that_is_not_charged(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from privboost.errors import VerificationError

        monkeypatch.setattr("privboost.privacy.accounting.Ledger.record", lambda self, event: None)
        with pytest.raises(VerificationError, match="1 releases, the ledger 0"):
            TWO.audit()
