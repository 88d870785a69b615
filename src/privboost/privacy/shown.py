"""What a statement says of releases that show keys, beside their epsilon."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from privboost.privacy.accounting import Event
from privboost.privacy.thresholds import THRESHOLD

__all__ = ["shown_text", "threshold_fields"]


def threshold_fields(event: Event) -> dict[str, Any]:
    """Return the fields that only releases which show keys have: the threshold, and the delta that follows from it."""
    if event.mechanism != THRESHOLD:
        return {}
    return {"threshold": event.threshold, "delta": float(event.delta)}


def shown_text(releases: Sequence[Event], delta: float) -> str:
    """Return what showing keys costs of ``delta``, to be added to a sentence; empty without such a release."""
    if not any(event.mechanism == THRESHOLD for event in releases):
        return ""
    return f", and δ = {math.fsum(float(event.delta) for event in releases):.6g} of {delta:g}"
