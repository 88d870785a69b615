"""What an audit compares of a model: all of it."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from privboost.auditing.scripted import ensemble_bits
from privboost.ensembles.ensemble import Ensemble
from privboost.trees.tree import Splits, Tree

TREE = Tree(
    1,
    Splits(np.zeros(1, np.int32), np.ones(1, np.uint8), np.full(1, 2, np.uint8), np.zeros(1, bool)),
    np.array([[0.5], [-0.5]]),
)
MODEL = Ensemble("logit", 2, (TREE,), np.ones(1), np.zeros(1, np.int64), base=(0.25,), reach=4.0)
OTHER: dict[str, Any] = {
    "combination": "margin",
    "n_classes": 3,
    "trees": (replace(TREE, values=np.array([[0.5], [np.nextafter(-0.5, 0.0)]])),),
    "weights": np.array([np.nextafter(1.0, 2.0)]),
    "outputs": np.ones(1, np.int64),
    "alpha": 0.5,
    "base": (np.nextafter(0.25, 1.0),),
    "reach": 5.0,
}


@pytest.mark.parametrize("name", [field.name for field in fields(Ensemble)])
def test_every_field_of_an_ensemble_is_compared(name: str) -> None:
    other = object.__new__(Ensemble)  # also what no check of an ensemble lets pass
    for field in fields(Ensemble):
        object.__setattr__(other, field.name, getattr(MODEL, field.name))
    assert ensemble_bits(other) == ensemble_bits(MODEL)
    object.__setattr__(other, name, OTHER[name])
    assert ensemble_bits(other) != ensemble_bits(MODEL)


@pytest.mark.parametrize("name", [field.name for field in fields(Splits)])
def test_every_field_of_a_test_is_compared(name: str) -> None:
    values = getattr(TREE.splits, name)
    splits = replace(TREE.splits, **{name: (values + 1).astype(values.dtype)})
    other = replace(MODEL, trees=(replace(TREE, splits=splits),))
    assert ensemble_bits(other) != ensemble_bits(MODEL)
