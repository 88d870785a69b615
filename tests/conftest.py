"""Fixtures that every test may use."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from privboost.domains import ranges

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


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
