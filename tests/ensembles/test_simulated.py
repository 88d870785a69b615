"""The compiled run against release after release: the same model, ledger and draws, bit for bit."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from privboost import BDPEClassifier, audit
from privboost.data.attributes import Boolean, Categorical, Numeric
from privboost.data.domain import Domain
from privboost.data.encoding import Encoder
from privboost.ensembles import boosting, simulated
from privboost.ensembles.boosting import Trainer, train_boosted
from privboost.ensembles.ensemble import Ensemble
from privboost.ensembles.plan import BoostingPlan, BoostingSettings, plan_boosting
from privboost.ensembles.simulated import train_simulated
from privboost.errors import PlanError, PrivacyWarning
from privboost.privacy.accounting import Ledger
from privboost.privacy.mechanisms import Laplace
from privboost.privacy.randomness import SecureRandomness, SimulatedRandomness
from privboost.privacy.relation import PrivacyUnit
from privboost.privacy.simulation import release_by_release
from privboost.sources.local import LocalRows
from privboost.trees.splitting import candidate_splits

DOMAIN = Domain(
    {"u": Numeric(0, 1), "v": Numeric(-2, 2, missing=True), "w": Categorical(["a", "b", "c"]), "z": Boolean()}
)
N_ROWS = 150


class SlowRows(LocalRows):
    """Rows that no compiled run takes."""


def table(n_rows: int = N_ROWS) -> tuple[np.ndarray, np.ndarray, Any]:
    """Codes with missing and unlisted values, labels with some outside the list."""
    rng = np.random.default_rng(5)
    X = np.empty((n_rows, 4), object)
    X[:, 0] = rng.random(n_rows)
    X[:, 1] = np.where(rng.random(n_rows) < 0.2, np.nan, rng.normal(size=n_rows))
    X[:, 2] = np.array(["a", "b", "c", "other"])[rng.integers(0, 4, n_rows)]
    X[:, 3] = rng.random(n_rows) < 0.5
    encoder = Encoder(DOMAIN, 8)
    codes = encoder.encode(X)
    labels = ((codes[0] > 4) ^ (codes[2] == 2) ^ (rng.random(n_rows) < 0.1)).astype(np.int16)
    labels[rng.random(n_rows) < 0.05] = -1
    return codes, labels, encoder.layout


def train(
    rows_type: type[LocalRows], settings: BoostingSettings, epsilon: float | None, unit: PrivacyUnit, n_outputs: int = 1
) -> tuple[Ensemble, BoostingPlan, Ledger, float]:
    codes, labels, layout = table()
    candidates = candidate_splits(layout)
    plan = plan_boosting(
        settings, epsilon=epsilon, unit=unit, n_rows=N_ROWS, n_candidates=len(candidates), n_outputs=n_outputs
    )
    ledger, generator = Ledger(), np.random.default_rng(7)

    def rows(output: int) -> LocalRows:
        turned = labels if output == 0 else np.where(labels < 0, labels, 1 - labels).astype(np.int16)
        return rows_type(codes, layout.offsets, turned, 2, 0.5)

    trainer = Trainer(plan, candidates, SimulatedRandomness(generator), ledger)
    ensemble, recorded = train_boosted(trainer, rows, max(n_outputs, 2))
    if epsilon is not None:
        ledger.check_against(plan.releases, epsilon)
    return ensemble, recorded, ledger, float(generator.random())


def assert_same_model(one: Ensemble, two: Ensemble) -> None:
    assert one.weights.tobytes() == two.weights.tobytes()
    assert (one.outputs == two.outputs).all()
    assert (one.combination, one.n_classes, one.alpha) == (two.combination, two.n_classes, two.alpha)
    for first, second in zip(one.trees, two.trees, strict=True):
        assert first.values.tobytes() == second.values.tobytes()
        for field in ("attribute", "first", "last", "missing_right"):
            a, b = getattr(first.splits, field), getattr(second.splits, field)
            assert (a.dtype, a.tobytes()) == (b.dtype, b.tobytes())


def assert_same_run(settings: BoostingSettings, epsilon: float | None, unit: PrivacyUnit, n_outputs: int = 1) -> None:
    (fast, plan, ledger, next_draw), (slow, slow_plan, slow_ledger, slow_next) = (
        train(rows, settings, epsilon, unit, n_outputs) for rows in (LocalRows, SlowRows)
    )
    assert_same_model(fast, slow)
    assert plan == slow_plan
    assert ledger.events == slow_ledger.events
    assert next_draw == slow_next


SETTINGS = [
    BoostingSettings(
        n_trees=2,
        max_depth=3,
        split_share=0.3,
        composition=composition,
        selection=selection,
        sensitivity=form,
        leaf_smoothing=smoothing,
        alpha=alpha,
        combination_alpha=alpha or 0.8,
        leverage=leverage,
        leverage_scale=1.3,
        weight_bound=bound,
    )
    for composition, selection, form, smoothing, alpha, leverage, bound in itertools.product(
        ("parallel", "sequential"),
        ("permute-and-flip", "exponential"),
        ("exact", "paper"),
        (0.0, 1.0),
        (None, 0.0, 0.3, 1.0),
        ("released", "exact"),
        ("released", "unit"),
    )
]


@pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
@pytest.mark.parametrize("epsilon", [0.05, 1.0, 25.0])
def test_same_run_under_every_setting(epsilon: float, relation: Any) -> None:
    for settings in SETTINGS:
        assert_same_run(settings, epsilon, PrivacyUnit(relation))


def test_same_run_without_privacy() -> None:
    for settings in SETTINGS:
        if settings.composition == "parallel" and settings.selection == "permute-and-flip":
            assert_same_run(settings, None, PrivacyUnit())


@pytest.mark.parametrize("depth", [1, 2, 6])
@pytest.mark.parametrize("n_trees", [1, 7])
@pytest.mark.parametrize("epsilon", [0.3, 1000.0, None])
def test_same_run_at_every_size(n_trees: int, depth: int, epsilon: float | None) -> None:
    settings = BoostingSettings(n_trees, depth, 0.5, leaf_clip=0.7, calibration_gap=0.4, failure_probability=0.2)
    assert_same_run(settings, epsilon, PrivacyUnit("replace-one", 3))


def test_same_run_with_an_output_a_class() -> None:
    assert_same_run(BoostingSettings(3, 2, 0.5), 2.0, PrivacyUnit(), n_outputs=3)


def test_same_run_where_hardly_any_noise_is_left() -> None:
    assert_same_run(BoostingSettings(2, 2, 0.5), 1e12, PrivacyUnit())


def test_the_slow_rows_are_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """All the above compares two paths only if one is taken, and the other not."""
    monkeypatch.setattr(boosting, "grow_output", None)
    settings = BoostingSettings(1, 1, 0.5)
    train(SlowRows, settings, 1.0, PrivacyUnit())
    with pytest.raises(TypeError):
        train(LocalRows, settings, 1.0, PrivacyUnit())


def test_secret_noise_and_large_tables_take_the_ordinary_path(monkeypatch: pytest.MonkeyPatch) -> None:
    codes, labels, layout = table()
    candidates = candidate_splits(layout)
    facts: dict[str, Any] = {"unit": PrivacyUnit(), "n_rows": N_ROWS, "n_candidates": len(candidates), "n_outputs": 1}
    plan = plan_boosting(BoostingSettings(1, 2, 0.5), epsilon=1.0, **facts)
    simulation = Trainer(plan, candidates, SimulatedRandomness(np.random.default_rng(0)), Ledger())
    rows = LocalRows(codes, layout.offsets, labels, 2, 0.5)
    assert boosting._compiles(simulation, rows)
    assert not boosting._compiles(replace(simulation, randomness=SecureRandomness()), rows)
    assert not boosting._compiles(replace(simulation, candidates=candidates.take(np.zeros(0, np.int64))), rows)
    with release_by_release():
        assert not boosting._compiles(simulation, rows)
    assert boosting._compiles(simulation, rows)
    for limit in ("MOST_RUN_ROWS", "MOST_RUN_SUMS", "MOST_CELLS"):
        with monkeypatch.context() as patch:
            patch.setattr(boosting, limit, 10)
            assert not boosting._compiles(simulation, rows)


@pytest.mark.parametrize("epsilon", [1.0, None])
def test_train_simulated_gives_the_same_ensemble(epsilon: float | None) -> None:
    codes, labels, layout = table()
    candidates = candidate_splits(layout)
    settings = BoostingSettings(4, 3, 0.5)
    plan = plan_boosting(
        settings, epsilon=epsilon, unit=PrivacyUnit(), n_rows=N_ROWS, n_candidates=len(candidates), n_outputs=1
    )
    ledger, before = Ledger(), (codes.copy(), labels.copy())
    ensemble = train_simulated(plan, candidates, layout, codes, labels, np.random.default_rng(7), ledger)
    expected, _, expected_ledger, _ = train(SlowRows, settings, epsilon, PrivacyUnit())
    assert_same_model(ensemble, expected)
    assert ledger.events == expected_ledger.events
    assert (codes == before[0]).all()
    assert (labels == before[1]).all()
    again = train_simulated(plan, candidates, layout, codes, labels, np.random.default_rng(7))
    assert_same_model(again, expected)


def test_more_codes_than_a_run_can_number_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    codes, labels, layout = table()
    candidates = candidate_splits(layout)
    facts: dict[str, Any] = {"unit": PrivacyUnit(), "n_rows": N_ROWS, "n_candidates": len(candidates), "n_outputs": 1}
    plan = plan_boosting(BoostingSettings(1, 2, 0.5), epsilon=1.0, **facts)
    monkeypatch.setattr(simulated, "MOST_CELLS", 10)
    with pytest.raises(PlanError, match="At most 10 codes"):
        train_simulated(plan, candidates, layout, codes, labels, np.random.default_rng(0))


def test_a_budget_too_small_for_any_noise_is_refused() -> None:
    for rows in (LocalRows, SlowRows):
        with pytest.raises(PlanError, match="too small"):
            train(rows, BoostingSettings(2, 2, 0.5), 1e-70, PrivacyUnit())


@pytest.mark.parametrize("params", [{}, {"preset": "paper"}, {"leverage": "exact"}, {"privacy": None}])
def test_the_estimator_gives_the_same_model_on_either_path(params: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    X, y = rng.random((120, 3)), rng.integers(0, 3, 120)
    domain = Domain({f"x{i}": Numeric(0, 1) for i in range(3)})
    model = BDPEClassifier(n_trees=3, domain=domain, classes=[0, 1, 2], random_state=7, **params)
    with pytest.warns(PrivacyWarning) if "privacy" not in params else monkeypatch.context():
        fast = model.fit(X, y)
        ensemble, statement, plan = fast.ensemble_, fast.privacy_, fast.plan_
        monkeypatch.setattr(boosting, "_compiles", lambda trainer, rows: False)
        slow = model.fit(X, y)
    assert_same_model(ensemble, slow.ensemble_)
    assert statement == slow.privacy_
    assert plan == slow.plan_


@pytest.mark.parametrize("method", ["sampling", "one-run"])
def test_an_audit_with_a_seed_trains_through_the_mechanisms(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The code that private models come from is audited, not the compiled run."""
    applied: list[str] = []
    apply = Laplace.apply
    monkeypatch.setattr(Laplace, "apply", lambda self, *args: (applied.append("laplace"), apply(self, *args))[1])
    monkeypatch.setattr(boosting, "grow_output", lambda *args: pytest.fail("a compiled run"))
    model = BDPEClassifier(1.0, n_trees=1, max_depth=1, random_state=0)
    audit(model, method=method, runs=20) if method == "sampling" else audit(model, method=method)
    assert applied
