"""Fixtures that every test may use."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of real tables beside the checkout; the test is skipped where it is absent."""
    if not (SHARED_DATA / "domains.json").is_file():
        pytest.skip("the folder of real tables (../shared/data) is absent")
    return SHARED_DATA
