"""Which settings a run of Newton boosting gets where the user leaves them to the library: public numbers in only."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from privboost.ensembles.newton_plan import NewtonFacts, NewtonSettings

__all__ = ["FREE", "choose_settings"]

FREE = (
    "n_rounds",
    "trees_per_round",
    "max_depth",
    "learning_rate",
    "shrinkage",
    "score_reach",
    "histogram_share",
    "base_share",
    "attributes_per_tree",
    "mechanism",
)
"""Settings that may be left to `choose_settings`."""


GAUSSIAN_ADVANTAGE = 1.12
"""How much less of a row's gradient and curvature the L2 norm sees than the L1 norm, about."""


def choose_settings(facts: NewtonFacts, given: dict[str, Any]) -> tuple[NewtonSettings, tuple[str, ...]]:
    """Fill in the settings that the user did not give.

    Parameters
    ----------
    facts : NewtonFacts
    given : dict
        Some of `FREE`, with values in range; they are kept.

    Returns
    -------
    settings : NewtonSettings
    reasons : tuple of str
        One sentence for each choice made.
    """
    settings = NewtonSettings(n_rounds=200, trees_per_round=1, max_depth=5, learning_rate=0.1, shrinkage=3.0)
    return replace(settings, **given), ()
