"""Codes after a first look: edges and orders of categories that were released, or chosen from public numbers.

The public layout cuts every range evenly and sets each category against the rest. A learner that has released how rows
and classes spread over its codes may cut ranges where rows are, and line categories up by their rate of a class. What
it then goes by is a `Refinement`; anybody may know it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from privboost.data.attributes import MAX_CODES
from privboost.data.layout import CodeLayout
from privboost.errors import ParameterError, ParameterTypeError

__all__ = ["MAX_EDGES", "Refinement", "refine_layout"]

MAX_EDGES = 253
"""Most inner edges of a refined attribute: those of 254 bins, the most that a model has."""

_EDGES = f"1 to {MAX_EDGES} finite numbers, each above the one before"
_ORDER = "every whole number from 1 up to its length, once, in any order"


@dataclass(frozen=True, eq=False)
class Refinement:
    """How codes are formed in place of the public layout: released, or chosen from public numbers.

    Attributes
    ----------
    edges : tuple of ndarray of float64 or None
        For each attribute: the inner bin edges, 1 to 253 of them, rising, of a numeric one; None leaves it as it is.
    orders : tuple of ndarray of uint8 or None
        For each attribute: the new code of each old code of an unordered one, ``orders[a][c - 1]`` for code c from 1
        to the code of "not listed"; a permutation. None leaves it as it is. Code 0 (missing) keeps its meaning.

    Raises
    ------
    ParameterError, ParameterTypeError
        For edges that do not rise, an order that is none, or an attribute with both.
    """

    edges: tuple[npt.NDArray[np.float64] | None, ...]
    orders: tuple[npt.NDArray[np.uint8] | None, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "edges", tuple(None if e is None else _checked_edges(e) for e in self.edges))
        object.__setattr__(self, "orders", tuple(None if o is None else _checked_order(o) for o in self.orders))
        if len(self.edges) != len(self.orders):
            raise ParameterError("orders", f"{len(self.orders)} entries", f"one for each of {len(self.edges)} 'edges'")
        if any(e is not None and o is not None for e, o in zip(self.edges, self.orders, strict=True)):
            raise ParameterError("orders", "an order beside edges", "None where there are edges")

    def __len__(self) -> int:
        return len(self.edges)

    @property
    def reorders(self) -> bool:
        """Whether categories of any attribute are in another order than the public one, which takes a release."""
        return any(order is not None and bool((order[1:] < order[:-1]).any()) for order in self.orders)

    def to_dict(self) -> dict[str, list[list[float] | None] | list[list[int] | None]]:
        """Return plain lists and numbers that `from_dict` reads back exactly."""
        return {
            "edges": [None if edges is None else edges.tolist() for edges in self.edges],
            "orders": [None if order is None else order.tolist() for order in self.orders],
        }

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Refinement:
        """Read what `to_dict` returns; floats must be such, and whole numbers too.

        Raises
        ------
        ParameterError, ParameterTypeError
            If a field is absent, unknown or of another type, or if the content is no refinement.
        """
        if not isinstance(content, Mapping) or set(content) != {"edges", "orders"}:
            raise ParameterTypeError("refinement", type(content).__name__, "an object with 'edges' and 'orders'")
        edges = [_plain(entry, "edges", float, MAX_EDGES) for entry in _entries(content["edges"], "edges")]
        orders = [_plain(entry, "orders", int, MAX_CODES - 1) for entry in _entries(content["orders"], "orders")]
        return cls(tuple(edges), tuple(orders))


def refine_layout(layout: CodeLayout, refinement: Refinement) -> CodeLayout:
    """Return the layout of refined codes.

    A numeric attribute gets the new edges. An unordered one with an order becomes ordered: its tests are thresholds
    over the new codes, and "not listed" is a real code with a place among them.

    Parameters
    ----------
    layout : CodeLayout
        Public.
    refinement : Refinement

    Raises
    ------
    ParameterError
        If the refinement is one for other attributes: of another number, with edges outside the bounds of an attribute
        or for one that is not numeric, or with an order for one that is ordered or has more or fewer codes.
    """
    if len(refinement) != len(layout):
        raise ParameterError("refinement", f"one of {len(refinement)} attributes", f"one of {len(layout)}")
    n_codes, n_values, ordered = layout.n_codes.copy(), layout.n_values.copy(), layout.ordered.copy()
    has_unknown, single_test = layout.has_unknown.copy(), layout.single_test.copy()
    all_edges, orders = list(layout.edges), list(layout.orders)
    for a, (edges, order) in enumerate(zip(refinement.edges, refinement.orders, strict=True)):
        if edges is not None:
            _check_within(edges, layout.bounds[a], layout.names[a])
            all_edges[a] = edges
            n_values[a] = edges.size + 1
            n_codes[a] = edges.size + 2
        if order is not None:
            _check_fits(order, layout, a)
            orders[a] = order
            n_values[a] = order.size
            ordered[a], has_unknown[a], single_test[a] = True, False, False
    for array in (n_codes, n_values, ordered, has_unknown, single_test):
        array.setflags(write=False)
    return replace(
        layout,
        n_codes=n_codes,
        n_values=n_values,
        ordered=ordered,
        has_unknown=has_unknown,
        edges=tuple(all_edges),
        single_test=single_test,
        orders=tuple(orders),
    )


def _check_within(edges: npt.NDArray[np.float64], bounds: tuple[float, float] | None, name: str) -> None:
    if bounds is None:
        raise ParameterError("edges", f"edges for {name!r}", "None for an attribute that is not numeric")
    # An edge at or below the low end would leave the first bin empty for ever.
    if not (bounds[0] < edges[0] and edges[-1] <= bounds[1]):
        raise ParameterError("edges", f"edges for {name!r}", f"above {bounds[0]!r} and at most {bounds[1]!r}")


def _check_fits(order: npt.NDArray[np.uint8], layout: CodeLayout, a: int) -> None:
    if layout.ordered[a]:
        raise ParameterError("orders", f"an order for {layout.names[a]!r}", "None for an attribute that has its own")
    n_codes = int(layout.n_codes[a]) - 1
    if order.size != n_codes:
        raise ParameterError("orders", f"{order.size} codes for {layout.names[a]!r}", f"all of its {n_codes}")


def _checked_edges(edges: object) -> npt.NDArray[np.float64]:
    array = np.asarray(edges)
    if array.ndim != 1 or array.dtype.kind not in "fiu":
        raise ParameterTypeError("edges", "other values", _EDGES)
    array = array.astype(np.float64)  # a copy, which nobody can change
    if not 1 <= array.size <= MAX_EDGES or not np.isfinite(array).all() or not (array[1:] > array[:-1]).all():
        raise ParameterError("edges", "other numbers", _EDGES)
    array.setflags(write=False)
    return array


def _checked_order(order: object) -> npt.NDArray[np.uint8]:
    array = np.asarray(order)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise ParameterTypeError("orders", "other values", _ORDER)
    if not 1 <= array.size < MAX_CODES or not np.array_equal(np.sort(array), np.arange(1, array.size + 1)):
        raise ParameterError("orders", "other numbers", _ORDER)
    array = array.astype(np.uint8)
    array.setflags(write=False)
    return array


def _entries(content: object, field: str) -> Sequence[Any]:
    if not isinstance(content, list):
        raise ParameterTypeError(field, type(content).__name__, "a list with an entry for each attribute")
    return content


def _plain(content: object, field: str, kind: type, longest: int) -> npt.NDArray[Any] | None:
    if content is None:
        return None
    if not isinstance(content, list) or set(map(type, content)) != {kind}:
        raise ParameterTypeError(field, "an entry of another type", f"null, or a list of {kind.__name__}")
    if len(content) > longest:
        raise ParameterError(field, f"{len(content)} numbers", f"at most {longest} for each attribute")
    # An integer of any size may stand in a file; NumPy holds those that matter.
    if kind is int and not all(0 < value < MAX_CODES for value in content):
        raise ParameterError(field, "other numbers", _ORDER)
    return np.array(content, dtype=np.float64 if kind is float else np.uint8)
