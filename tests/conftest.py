"""Fixtures that every test may use."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from privboost import compiled
from privboost.domains import ranges

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(autouse=True)
def compiling_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the warning about slow compiling comes in a test, and in which, is chance; it has tests of its own."""
    monkeypatch.setattr(compiled.listener, "told", True)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of real tables beside the checkout; the test is skipped where it is absent."""
    if not (SHARED_DATA / "domains.json").is_file():
        pytest.skip("the folder of real tables (../shared/data) is absent")
    return SHARED_DATA


@pytest.fixture
def no_false_alarm(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Noise alone widens a learnt range once in fifty columns, by choice; with this, where noise is secret, never."""
    monkeypatch.setattr(ranges, "_FALSE_ALARM", 1e-12)
    ranges._noise_quantile.cache_clear()
    yield
    ranges._noise_quantile.cache_clear()


SMALL_GRID = """\
format = "privboost-grid"
version = 1
name = "small"
folds = 2
bins = [4, 8]
epsilons = [0.5, 8]
noise_free = true
catalogue = "catalogue.json"

[bdpe]
arms = ["paper", "tight"]
alphas = [1, "O.C"]
trees = [2]
depths = [1, 2]
shares = [0.5]

[forest]
mechanisms = ["laplace", "exponential"]
trees = [3]
depths = [1, 2]

[tree]
criteria = ["log"]
depths = [1]
shares = [0.5]
"""


@pytest.fixture
def small_study(tmp_path: Path) -> Path:
    """Folder with two tables, "first" and "second", their catalogue.json, and a grid, grid.toml, over them."""
    entries = {}
    for k, name in enumerate(("first", "second")):
        generator = np.random.default_rng(k)
        x, y = generator.random(120), generator.integers(0, 2, 120)
        cells = [f"{(a + b) / 2:.3f},{'uvw'[int(3 * a)]},{'yes' if b else 'no'}" for a, b in zip(x, y, strict=True)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["x,c,label", *cells, ""]), encoding="utf-8")
        features = [
            {"name": "x", "kind": "numeric", "domain": [0, 1], "basis": "documented" if k else "observed"},
            {"name": "c", "kind": "categorical", "categories": ["u", "v", "w"], "basis": "documented"},
        ]
        target = {"name": "label", "positive": {"rule": "in", "values": ["yes"]}}
        entries[name] = {"file": f"{name}.csv", "rows": 120, "features": features, "target": target}
    (tmp_path / "catalogue.json").write_text(json.dumps({"datasets": entries}), encoding="utf-8")
    (tmp_path / "grid.toml").write_text(SMALL_GRID, encoding="utf-8")
    return tmp_path
