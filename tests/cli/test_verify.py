"""``privboost verify``: status 0 only for a model that carries its guarantee."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from privboost import Boolean, Domain
from privboost.cli.verify import verify_model
from privboost.data.domain_cost import DomainCost
from privboost.privacy import PrivacyUnit


def test_a_private_model_is_verified(run: Any, trained: Path) -> None:
    for name, epsilon in (("private", 4), ("forest", 20)):
        result = run("verify", trained / f"{name}.json")
        assert (result.status, result.err) == (0, "")
        assert f"within the stated ε = {epsilon}" in result.out
        assert "by OpenDP" in result.out
        assert "The domain has every test" in result.out
        assert "one row added or removed" in result.out
        verified = f"Verified: what the file records supports the ε = {epsilon} (pure: δ = 0) that it states."
        assert result.out.splitlines()[-1] == verified


def test_delta_is_stated(run: Any, trained: Path) -> None:
    for name, epsilon in (("boosted", 4), ("numbers", 20)):
        result = run("verify", trained / f"{name}.json")
        assert (result.status, result.err) == (0, "")
        assert f"Verified: what the file records supports the ε = {epsilon}, δ = 1e-06 that it states." in result.out
        assert json.loads(run("verify", trained / f"{name}.json", "--json").out)["delta"] == 1e-6
    assert " at δ = 1e-06" in run("verify", trained / "boosted.json").out


def test_the_total_is_recomputed(trained: Path) -> None:
    verified = verify_model(str(trained / "private.json"))
    releases = json.loads((trained / "private.json").read_text())["statement"]["releases"]
    total = Fraction(0)
    for release in releases:
        repeats = 1 if release["composition"] == "parallel" else release["count"]
        total += repeats * release["distance"] * release["sensitivity"] / Fraction(release["scale"])
    assert verified.report.total == total
    assert total <= 4


def test_json(run: Any, trained: Path) -> None:
    facts = json.loads(run("verify", trained / "private.json", "--json").out)
    assert facts["private"] is True
    assert facts["epsilon"] == 4.0
    assert facts["total"] <= 4.0
    assert facts["unit"] == {"relation": "add-remove", "rows_per_person": 1}
    assert facts["trees_match_domain"] is True
    assert facts["ledger_matches_trees"] is True


def test_a_learnt_domain_is_told(run: Any, folder: Path, trained: Path) -> None:
    out = json.loads(run("verify", trained / "private.json", "--json").out)
    assert out["domain_cost"] is None
    assert "The domain itself" not in run("verify", trained / "private.json").out
    cost = DomainCost(0.25, 1e-6, PrivacyUnit())
    declared = Domain.load(folder / "domain.toml")
    Domain(dict(declared.items()), target="income", classes=["no", "yes"], cost=cost).save(folder / "learnt.toml")
    model = folder / "model.json"
    assert run("train", folder / "table.csv", "-d", folder / "learnt.toml", "-e", 1, "-o", model).status == 0
    result = run("verify", model)
    assert (result.status, result.err) == (0, "")
    assert "The domain itself was learnt from private rows at ε = 0.25, δ = 1e-06" in result.out
    assert "what it cost is taken as stated" in result.out
    assert json.loads(run("verify", model, "--json").out)["domain_cost"] == cost.to_dict()


@pytest.mark.parametrize("command", ["verify", "show"])
@pytest.mark.parametrize("suffix", [".toml", ".json"])
def test_a_domain_file_is_no_model(run: Any, folder: Path, command: str, suffix: str) -> None:
    for cost in (None, DomainCost(0.25, 1e-6, PrivacyUnit())):
        path = folder / f"some{suffix}"
        Domain({"age": Boolean()}, cost=cost).save(path)
        if suffix == ".toml":
            path.write_text("# people\n\n" + path.read_text())
        result = run(command, path)
        assert (result.status, result.out) == (2, "")
        assert "This is a domain file, no model" in result.err
        assert "domain learn --json" in result.err


def test_a_simulation_does_not_pass(run: Any, trained: Path) -> None:
    for options in ([], ["--json"]):
        result = run("verify", trained / "simulated.json", *options)
        assert result.status == 1
        assert result.err.startswith("privboost: error: NOT PRIVATE: a simulation")
        assert result.err.count("\n") == 1
        assert "Verified" not in result.out
    assert json.loads(result.out)["private"] is False  # the arithmetic is right, and told


def test_a_model_without_noise_does_not_pass(run: Any, trained: Path) -> None:
    result = run("verify", trained / "exact.json")
    assert (result.status, result.out) == (1, "")
    assert "NOT PRIVATE: trained without noise" in result.err


def test_a_search_is_a_part_of_what_is_verified(run: Any) -> None:
    fixtures = Path(__file__).resolve().parents[1] / "exchange" / "fixtures"
    for name, guarantee in (("pure", "ε = 8 (pure: δ = 0)"), ("delta", "ε = 1, δ = 1e-06")):
        path = fixtures / f"statement-2-search-{name}.json"
        result = run("verify", path)
        assert (result.status, result.err) == (0, "")
        assert "releases and a search of ε = " in result.out
        assert "cost is taken as stated" in result.out
        assert (
            result.out.splitlines()[-1] == f"Verified: what the file records supports the {guarantee} that it states."
        )
        shown = run("show", path).out
        assert "secret random number of tries" in shown
        found = json.loads(run("verify", path, "--json").out)
        assert 0.0 < found["search_epsilon"] < found["epsilon"]
