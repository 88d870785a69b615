"""Which learner an audit was one of: what the plan made of settings that were left to the library."""

from __future__ import annotations

from typing import Any

from privboost.estimators.boosting_settings import AUTO

__all__ = ["LEFT", "resolved"]

LEFT = "left at auto"
"""What a report calls the settings of which tables of other sizes may get others."""


def resolved(model: Any, plan: Any, n_rows: int) -> dict[str, Any]:
    """Return details of a report: the kinds of releases, and the settings that follow from the number of rows.

    Parameters
    ----------
    model : PrivateEstimator
    plan : object
        Its plan for ``n_rows`` rows.
    n_rows : int
        Public.

    Returns
    -------
    dict
        "releases": kinds, in the order of their first one. `LEFT`, if there are any: "rows" and "settings".
    """
    kinds = dict.fromkeys(f"{release.label.rsplit('/', 1)[-1]} ({release.mechanism})" for release in plan.releases)
    parameters = model.get_params(deep=False)
    left = [name for name, value in parameters.items() if isinstance(value, str) and value == AUTO]
    settings = {name: getattr(plan.settings, name) for name in left}
    return {"releases": list(kinds)} | ({LEFT: {"rows": n_rows, "settings": settings}} if settings else {})
