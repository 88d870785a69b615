"""Tiny worlds: a public domain, and every kind of row that can occur in it."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from privboost.auditing.tables import Table
from privboost.data.attributes import Numeric
from privboost.data.domain import Domain

__all__ = ["Kind", "World", "default_world", "settled_in"]

UNLISTED = 9
"""A label that no list of classes holds."""


class Kind(NamedTuple):
    """One row: its cells, its label or number, its weight, and whether it is one that adds nothing."""

    cells: tuple[Any, ...]
    target: float
    weight: float
    null: bool


@dataclass(frozen=True, eq=False)
class World:
    """A public domain and every kind of row that can occur in it.

    Attributes
    ----------
    domain : Domain
    n_bins : int
    cells : tuple of tuple
        Every combination of values, one of each code.
    n_classes : int
        At most 9; 1 where a number is predicted.
    many_nulls : bool
        A null row of every combination of values, instead of the first one only.
    numbers : tuple of float
        What a regressor's target can be.
    target_range : (float, float)
        Public, of a regressor.
    weights : tuple of float
        What a row's weight can be; empty where rows have none.
    """

    domain: Domain
    n_bins: int
    cells: tuple[tuple[Any, ...], ...]
    n_classes: int = 2
    many_nulls: bool = False
    numbers: tuple[float, ...] = ()
    target_range: tuple[float, float] = (0.0, 1.0)
    weights: tuple[float, ...] = ()

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """Every kind of row; the null rows come last."""
        targets = self.numbers or tuple(range(self.n_classes))
        weights = self.weights or (1.0,)
        listed = [Kind(c, t, w, False) for c, t, w in itertools.product(self.cells, targets, weights)]
        none = np.nan if self.numbers else UNLISTED
        nulls = [Kind(cells, none, weights[-1], True) for cells in (self.cells if self.many_nulls else self.cells[:1])]
        if self.weights:
            nulls.append(Kind(self.cells[-1], targets[-1], 0.0, True))
        return (*listed, *nulls)

    @property
    def null_kinds(self) -> list[int]:
        """Positions of the null rows among the kinds."""
        return [k for k, kind in enumerate(self.kinds) if kind.null]

    @property
    def target(self) -> Any:
        """What is public of the target."""
        return self.target_range if self.numbers else np.arange(self.n_classes)

    @property
    def parameters(self) -> dict[str, Any]:
        """How an estimator declares this world."""
        public = {"target_range": self.target_range} if self.numbers else {"classes": list(range(self.n_classes))}
        return {"domain": self.domain, "n_bins": self.n_bins, **public}

    def table(self, kinds: Table) -> npt.NDArray[np.object_]:
        """Return the cells of a table, of shape (n_rows, n_attributes)."""
        out = np.empty((len(kinds), len(self.domain)), object)
        for i, kind in enumerate(kinds):
            out[i] = self.kinds[kind].cells
        return out

    def labels(self, kinds: Table) -> npt.NDArray[Any]:
        """Return the labels, or numbers, of a table."""
        return np.array([self.kinds[kind].target for kind in kinds], np.float64 if self.numbers else np.int64)

    def row_weights(self, kinds: Table) -> npt.NDArray[np.float64] | None:
        """Return the weights of a table's rows; None where rows have none."""
        return np.array([self.kinds[kind].weight for kind in kinds]) if self.weights else None


_UNIT = Domain({"u": Numeric(0, 1)})
_TWO_CELLS = ((0.1,), (0.9,))
_THREE_CELLS = ((0.1,), (0.5,), (0.9,))


def default_world(estimator: Any) -> World:
    """Return a world in which an estimator has something to choose, and few enough tables that all can be listed.

    One number between 0 and 1, in three bins; two for a forest, which chooses nothing, and whose tables have an order.
    Two classes, or three where the estimator declares more than two; or three numbers of a range.

    Parameters
    ----------
    estimator : PrivateEstimator
    """
    parameters = estimator.get_params(deep=False)
    cells = _TWO_CELLS if "partition" in parameters else _THREE_CELLS
    if "target_range" in parameters:
        return World(_UNIT, len(cells), cells, n_classes=1, numbers=(1.0, 2.2, 4.0), target_range=(1.0, 4.0))
    declared = parameters.get("classes")
    return World(_UNIT, len(cells), cells, n_classes=2 if declared is None or len(declared) < 3 else 3)


def settled_in(estimator: Any, world: World) -> dict[str, Any]:
    """Return the parameters with which an estimator is audited in a world: its own, but for what names its own table.

    The domain, the target and the bins are the world's. A direction or a class weight is kept, under the names that
    the world has: the first direction for its first attribute, the weights in their order.
    """
    parameters: dict[str, Any] = estimator.get_params(deep=False)
    own = {**parameters, **world.parameters}
    if isinstance(parameters.get("monotonic_cst"), Mapping):
        signs = [sign for sign in parameters["monotonic_cst"].values() if sign]
        own["monotonic_cst"] = {world.domain.names[0]: signs[0]} if signs else None
    if isinstance(parameters.get("class_weight"), Mapping):
        weights = list(parameters["class_weight"].values())[: world.n_classes]
        own["class_weight"] = dict(enumerate(weights))
    if isinstance(parameters.get("attributes_per_tree"), int):
        own["attributes_per_tree"] = min(parameters["attributes_per_tree"], len(world.domain))
    return own | {"budget": None, "verbose": False}
