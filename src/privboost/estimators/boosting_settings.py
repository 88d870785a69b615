"""Settings of the boosting learners: given by the user, left to the library, or read from a model file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from privboost.ensembles.auto import FREE
from privboost.ensembles.ensemble import MAX_REACH
from privboost.ensembles.newton_plan import NewtonSettings
from privboost.errors import ParameterTypeError
from privboost.estimators.parameters import check_choice, check_integer, check_real

__all__ = ["AUTO", "SHARES", "given_settings", "recorded_settings"]

AUTO = "auto"
"""Leaves a setting to the library."""

SHARES = ("base_share", "histogram_share", "calibration_share")

_INTEGERS = {"n_rounds": 10_000, "trees_per_round": 10_000, "max_depth": 16, "tests_per_node": 1_000}
_FACTORS = {"learning_rate": (1e-9, 10.0), "shrinkage": (1e-3, 1e3)}
_CHOICES = {"mechanism": ("laplace", "gaussian"), "attribute_choice": ("random", "adaptive")}
_KINDS: dict[str, type] = {name: int for name in (*_INTEGERS, "attributes_per_tree")} | dict.fromkeys(_CHOICES, str)


def given_settings(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that were not left to the library, checked.

    Parameters
    ----------
    chosen : mapping
        A value for each name in `FREE`.

    Returns
    -------
    dict
        Each as int, float or str.

    Raises
    ------
    ParameterError, ParameterTypeError
        If one is of another type or out of range.
    """
    given = {name: value for name, value in chosen.items() if not (isinstance(value, str) and value == AUTO)}
    for name, value in given.items():
        _check_setting(name, value)
    return {name: _KINDS.get(name, float)(value) for name, value in given.items()}


def recorded_settings(recorded: Mapping[str, Any], given: Mapping[str, Any]) -> NewtonSettings:
    """Complete the given settings by those in a model file's plan.

    What was left to the library is as the version chose it that trained the model: another rule does not apply to it.

    Parameters
    ----------
    recorded : mapping
        The plan in the file.
    given : mapping
        What `given_settings` returned for the parameters in the file.

    Raises
    ------
    KeyError
        If the plan lacks a setting.
    ParameterError, ParameterTypeError
        If one that was left is of another type, or none that a user could have given.
    """
    left = {field.name: recorded[field.name] for field in fields(NewtonSettings) if field.name not in given}
    for name, value in left.items():
        kind = _KINDS.get(name, float)
        if type(value) is not kind:
            raise ParameterTypeError(name, value, f"of type {kind.__name__}")
        if name in FREE:
            _check_setting(name, value)
    return NewtonSettings(**left, **given)


def _check_setting(name: str, value: object) -> None:
    if name in _INTEGERS:
        check_integer(name, value, low=1, high=_INTEGERS[name])
    elif name in SHARES:
        check_real(name, value, "0 or more and below 1", low=0.0, high=0.999)
    elif name == "selection_share":
        check_real(name, value, "from 0.001 to 0.9", low=1e-3, high=0.9)
    elif name == "score_reach":
        check_real(name, value, f"from 0 to {MAX_REACH:g}", low=0.0, high=MAX_REACH)
    elif name == "attributes_per_tree":
        check_integer(name, value, low=0, high=10_000)
    elif name in _CHOICES:
        check_choice(name, value, _CHOICES[name])
    else:
        low, high = _FACTORS[name]
        check_real(name, value, f"from {low:g} to {high:g}", low=low, high=high)
