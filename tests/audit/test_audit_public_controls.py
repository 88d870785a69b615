"""Planted bugs that the public audit must find, by each method that can. Noise is seeded: no chance is left."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from audit_newton_cases import FIXED, GAUSSIAN, HALVES
from sklearn.base import clone

from privboost import BDPEClassifier, PrivateBoostingClassifier, PrivateForestClassifier, PrivateTreeClassifier, audit
from privboost.ensembles import boosting
from privboost.privacy import relation
from privboost.privacy.mechanisms import Gaussian, Laplace, Select

LEAVES = {**FIXED, "n_rounds": 1, "shrinkage": 100.0, "learning_rate": 1.0}
SEED: dict[str, Any] = {"random_state": 0}
SURE = 0.999


class Quieter:
    """A source of randomness that draws too little noise."""

    def __init__(self, randomness: Any, factor: float) -> None:
        self.randomness, self.factor, self.generator = randomness, factor, randomness.generator

    def laplace(self, values: Any, scale: float) -> Any:
        return self.randomness.laplace(values, self.factor * scale)

    def gaussian(self, values: Any, scale: float) -> Any:
        return self.randomness.gaussian(values, self.factor * scale)

    def select(self, scores: Any, scale: float, rule: str) -> Any:
        return self.randomness.select(scores, self.factor * scale, rule)


def plant(monkeypatch: pytest.MonkeyPatch, factor: float) -> None:
    # Mechanisms are applied release after release; a compiled run draws for itself, and is refused for another scale.
    monkeypatch.setattr(boosting, "_compiles", lambda trainer, rows: False)
    for kind in (Laplace, Gaussian, Select):
        apply = kind.apply  # type: ignore[attr-defined]
        monkeypatch.setattr(
            kind, "apply", lambda self, raw, rng, led, apply=apply: apply(self, raw, Quieter(rng, factor), led)
        )


@pytest.fixture
def half_the_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, 0.5)


EXACT = {
    "bdpe": BDPEClassifier(n_trees=1, max_depth=1, split_share=0.1),
    "tree": PrivateTreeClassifier(max_depth=1, split_share=0.1),
    "forest": PrivateForestClassifier(n_trees=1, max_depth=1),
    "laplace": PrivateBoostingClassifier(**{**LEAVES, "mechanism": "laplace"}),
    "gaussian": PrivateBoostingClassifier(**{**LEAVES, **GAUSSIAN}),
}


class TestExact:
    @pytest.mark.parametrize("name", EXACT)
    def test_half_the_noise(self, name: str, half_the_noise: None) -> None:
        report = audit(EXACT[name], world=HALVES)
        assert not report.holds
        assert report.lower_bound > 1.2

    @pytest.mark.parametrize("epsilon", [1e-10, 1e-6, 20.0])
    @pytest.mark.parametrize("name", EXACT)
    def test_a_claim_of_any_size(self, name: str, epsilon: float, monkeypatch: pytest.MonkeyPatch) -> None:
        """Float arithmetic is allowed a part of the claim: no claim is so small that eight times as much holds."""
        model = clone(EXACT[name]).set_params(epsilon=epsilon)
        assert audit(model, world=HALVES, n_rows=2).holds
        plant(monkeypatch, 0.125)
        assert not audit(model, world=HALVES, n_rows=2).holds

    @pytest.mark.parametrize("name", EXACT)
    def test_noise_for_the_wrong_relation(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        model = EXACT[name].set_params(relation="replace-one")
        try:
            monkeypatch.setitem(relation._STEPS, "replace-one", 1)
            assert not audit(model, world=HALVES).holds
        finally:
            model.set_params(relation="add-remove")


# At these ε the events that tell the broken learner from the claim occur often enough for a thousand trainings.
SAMPLED = {
    "bdpe": BDPEClassifier(1.5, n_trees=1, max_depth=1, split_share=0.05, **SEED),
    "tree": PrivateTreeClassifier(1.5, max_depth=1, split_share=0.05, **SEED),
    "laplace": PrivateBoostingClassifier(2.0, **{**LEAVES, "mechanism": "laplace"}, **SEED),
    "gaussian": PrivateBoostingClassifier(2.0, **{**LEAVES, "mechanism": "gaussian", "delta": 0.1}, **SEED),
}


class TestSampling:
    @pytest.mark.parametrize("name", SAMPLED)
    def test_the_whole_ones_hold(self, name: str) -> None:
        report = audit(SAMPLED[name], method="sampling", world=HALVES, n_rows=1, runs=400)
        assert report.holds
        assert report.lower_bound > 0.2

    @pytest.mark.parametrize("name", SAMPLED)
    def test_half_the_noise(self, name: str, half_the_noise: None) -> None:
        report = audit(SAMPLED[name], method="sampling", world=HALVES, n_rows=1, runs=1000)
        assert not report.holds, report


DEEP = PrivateForestClassifier(n_trees=1, max_depth=16, leaf="soft", **SEED)


class TestOneRun:
    """A deep soft forest: nearly every canary has a leaf of its own, whose value is its noisy count."""

    def test_the_whole_one_holds_and_much_of_it_is_seen(self) -> None:
        report = audit(DEEP, method="one-run", canaries=2000, random_state=0, confidence=SURE)
        assert report.holds
        assert report.lower_bound > 0.5

    def test_half_the_noise(self, half_the_noise: None) -> None:
        report = audit(DEEP, method="one-run", canaries=4000, random_state=0, confidence=SURE)
        assert not report.holds, report

    def test_under_a_delta_guesses_show_a_little_less(self) -> None:
        settings = {**LEAVES, "mechanism": "gaussian", "max_depth": 12}
        model = PrivateBoostingClassifier(8.0, delta=1e-6, **settings, **SEED)
        report = audit(model, method="one-run", canaries=500, random_state=0)
        assert report.holds
        assert 0.0 < report.lower_bound < 8.0


CONTROLS = {
    "half the noise": ("test_half_the_noise_at_leaves", "test_between_what_is_charged_and_what_is_drawn"),
    "sensitivity of another relation": ("test_noise_for_a_removed_row_does_not_hide_a_replaced_one",) * 2,
    "a weight cap too low": ("test_a_cap_below_the_weights", "test_above_the_public_largest_that_are_not_clipped"),
    "a leaf released twice, charged once": (
        "test_a_leaf_table_released_twice_and_charged_once",
        "test_leaves_released_twice_and_charged_once",
    ),
    "selection without its sensitivity": (
        "test_a_selection_without_the_criterion_s_sensitivity",
        "test_less_noise_than_the_scores_need",
    ),
    "exact counts left in the model": (
        "test_exact_counts_left_in_the_model",
        "test_leaf_values_that_know_more_than_was_released",
    ),
}
"""Bugs of the field, and the exact audits' controls that plant them: in the calibrated learners, and in boosting."""


@pytest.mark.parametrize("bug", CONTROLS)
def test_every_bug_of_the_field_is_planted_in_both_families(bug: str) -> None:
    here = Path(__file__).parent
    for test, file in zip(
        CONTROLS[bug], ("test_audit_negative_controls.py", "test_audit_newton_controls.py"), strict=True
    ):
        assert f"def {test}(" in (here / file).read_text(encoding="utf-8")


def test_a_partition_by_position_is_planted_where_there_are_partitions() -> None:
    text = (Path(__file__).parent / "test_audit_forests.py").read_text(encoding="utf-8")
    assert "def test_a_partition_by_position_is_caught(" in text
