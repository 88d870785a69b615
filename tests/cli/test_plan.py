"""``privboost plan``: what training would do, from public numbers alone."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from privboost import Domain, Numeric, PrivateBoostingClassifier, PrivateBoostingRegressor
from privboost.ensembles.auto import FREE
from privboost.errors import ParameterError, ParameterTypeError, PlanError, PrivacyWarning, SchemaError
from privboost.estimators import boosting
from privboost.exchange import read_model


def plan(folder: Path, *options: object) -> list[object]:
    return ["plan", "-d", folder / "domain.toml", "--rows", 400, *options]


def test_settings_and_reasons(run: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    choose = boosting.choose_settings
    monkeypatch.setattr(boosting, "choose_settings", lambda *facts: (choose(*facts)[0], ("Because of this.", "And.")))
    result = run(*plan(folder, "--epsilon", 2, "--delta", "1e-6", "--rounds", 7, "--depth", 3))
    assert (result.status, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == "Plan for 400 rows, 2 classes, ε = 2, δ = 1e-06:"
    named = [line.split()[0] for line in lines if re.fullmatch(r"  [a-z_]+ +[^ ]+", line)]
    assert sorted(named) == sorted(FREE)
    assert re.search(r"^  n_rounds +7$", result.out, re.MULTILINE)
    assert re.search(r"^  max_depth +3$", result.out, re.MULTILINE)
    assert "  - Because of this.\n  - And.\n" in result.out
    assert " trees of 8 leaves, each of 50 rows on average.\n" in result.out
    assert "Noise of a leaf's sums" in lines[-1]


def test_it_is_the_plan_that_training_follows(run: Any, folder: Path) -> None:
    for options in (["--delta", "1e-6"], ["--relation", "replace-one", "--depth", 2], ["--privacy", "none"]):
        facts = json.loads(run(*plan(folder, "--rounds", 3, *options, "--json")).out)
        arguments = ["train", folder / "table.csv", "-d", folder / "domain.toml", "-o", folder / "m.json"]
        assert run(*arguments, "--rounds", 3, *options).status == 0
        assert read_model(folder / "m.json").plan == facts["plan"]


def test_numbers(run: Any, folder: Path) -> None:
    result = run(*plan(folder, "--target", "wage", "--target-range", 0, 80, "--loss", "absolute_error"))
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith("Plan for 400 rows, numbers, ε = 1, δ = 0:\n")


def test_without_privacy_there_is_no_noise(run: Any, folder: Path) -> None:
    result = run(*plan(folder, "--privacy", "none"))
    assert result.out.startswith("Plan for 400 rows, 2 classes, no privacy:\n")
    assert "Noise" not in result.out
    assert json.loads(run(*plan(folder, "--privacy", "none", "--json")).out)["leaf_noise"] == 0.0


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
@pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
def test_the_leaf_noise_is_that_of_the_ledger(mechanism: str, relation: str, run: Any, folder: Path) -> None:
    options = ["--rounds", 3, "--delta", "1e-6", "--relation", relation, "--set", f"mechanism={mechanism}"]
    noise = json.loads(run(*plan(folder, *options, "--json")).out)["leaf_noise"]
    arguments = ["train", folder / "table.csv", "-d", folder / "domain.toml", "-o", folder / "m.json"]
    assert run(*arguments, *options).status == 0
    factor = math.sqrt(2.0) if mechanism == "laplace" else 1.0
    leaves = [event for event in read_model(folder / "m.json").statement.releases if event.label.endswith("leaves")]
    assert [factor * event.scale / event.sensitivity for event in leaves] == pytest.approx([noise] * len(leaves))


def test_a_budget_too_small_to_draw_noise_for_is_refused(run: Any, folder: Path) -> None:
    result = run(*plan(folder, "--epsilon", "1e-300"))
    assert (result.status, result.out) == (2, "")
    assert "Raise epsilon" in result.err


def test_a_delta_that_protects_nobody_is_said(run: Any, folder: Path) -> None:
    result = run(*plan(folder, "--delta", 0.01))
    assert result.status == 0
    assert result.err.startswith("privboost: warning: 'delta' is 0.01, not below 1 / number of rows")


# -- in Python


DOMAIN = Domain({"x": Numeric(0, 1), "y": Numeric(0, 1)})


def test_the_estimator_plans_without_rows() -> None:
    model = PrivateBoostingClassifier(epsilon=2.0, domain=DOMAIN, classes=["a", "b", "c"], n_rounds=3)
    found = model.plan(1000)
    assert found.facts.n_rows == 1000
    assert found.facts.n_stats == 3
    assert not hasattr(model, "plan_")
    assert str(found).startswith("Plan for 1000 rows, 3 classes, ε = 2, δ = 0:")
    assert len(repr(found)) < 2500


def test_what_is_not_declared_or_out_of_range_is_refused() -> None:
    for n_rows, error in ((0, ParameterError), (-1, ParameterError), (2.0, ParameterTypeError), (True, TypeError)):
        with pytest.raises(error, match="n_rows"):
            PrivateBoostingClassifier(domain=DOMAIN, classes=[0, 1]).plan(n_rows)  # type: ignore[arg-type]
    for privacy in ("dp", None):
        with pytest.raises(SchemaError, match="domain"):
            PrivateBoostingClassifier(classes=[0, 1], privacy=privacy).plan(10)
        with pytest.raises(SchemaError, match="classes"):
            PrivateBoostingClassifier(domain=DOMAIN, privacy=privacy).plan(10)
        with pytest.raises(SchemaError, match="target_range"):
            PrivateBoostingRegressor(domain=DOMAIN, privacy=privacy).plan(10)
    with pytest.raises(ParameterError, match="epsilon"):
        PrivateBoostingRegressor(epsilon=0, domain=DOMAIN, target_range=(0, 1)).plan(10)
    with pytest.raises(PlanError, match="'z', which is not an attribute"):
        PrivateBoostingRegressor(domain=DOMAIN, target_range=(0, 1), monotonic_cst={"z": 1}).plan(10)
    with pytest.raises(ParameterError, match="class_weight"):
        PrivateBoostingClassifier(domain=DOMAIN, classes=[0, 1], class_weight={2: 1.0}).plan(10)


def test_the_warning_of_delta_points_at_its_caller() -> None:
    with pytest.warns(PrivacyWarning, match="'delta' is 0.5") as caught:
        PrivateBoostingClassifier(delta=0.5, domain=DOMAIN, classes=[0, 1]).plan(10)
    assert caught[0].filename == __file__
