"""The neighbour relation: what may differ between two tables that a guarantee must make hard to tell apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from privboost.errors import ModelFileError, ParameterError, ParameterTypeError

__all__ = ["RELATIONS", "PrivacyUnit", "Relation"]

Relation = Literal["add-remove", "replace-one"]

RELATIONS: tuple[Relation, ...] = ("add-remove", "replace-one")

# How many additions or removals of one row lead from a table to its neighbour.
_STEPS: dict[str, int] = {"add-remove": 1, "replace-one": 2}

_DIFFERENCE = {
    "add-remove": "{rows} of one person added or removed (the number of rows is public)",
    "replace-one": "{rows} of one person replaced by any other (the number of rows is public)",
}


@dataclass(frozen=True)
class PrivacyUnit:
    """Whose presence the guarantee hides, and how.

    Parameters
    ----------
    relation : {"add-remove", "replace-one"}, default="add-remove"
        ``"add-remove"`` compares a table with the one in which a row is replaced by a null row that adds nothing to
        any sum, so the number of rows stays public (also called zero-out). ``"replace-one"`` compares it with
        the one in which a row is replaced by any other row: one removal and one addition.
    rows_per_person : int, default=1
        At most how many rows belong to one person, 1 or more. A promise of the data owner, never read off the table.

    Raises
    ------
    ParameterError
        If a parameter is out of range.
    """

    relation: Relation = "add-remove"
    rows_per_person: int = 1

    def __post_init__(self) -> None:
        if not isinstance(self.relation, str) or self.relation not in _STEPS:
            expected = " or ".join(repr(name) for name in RELATIONS)
            raise ParameterError("relation", self.relation, expected)
        if isinstance(self.rows_per_person, bool) or not isinstance(self.rows_per_person, int):
            raise ParameterTypeError("rows_per_person", self.rows_per_person, "an integer of 1 or more")
        if self.rows_per_person < 1:
            raise ParameterError(
                "rows_per_person",
                self.rows_per_person,
                "an integer of 1 or more",
                "Give the largest number of rows that one person may own.",
            )

    @property
    def distance(self) -> int:
        """Additions and removals of single rows that separate two neighbours: k, or 2k for replace-one."""
        return _STEPS[self.relation] * self.rows_per_person

    def describe(self) -> str:
        """Say in words what two neighbouring tables differ in."""
        k = self.rows_per_person
        rows = "one row" if k == 1 else f"up to {k} rows"
        text = _DIFFERENCE[self.relation].format(rows=rows)
        return text.replace(" of one person", "") if k == 1 else text

    def to_dict(self) -> dict[str, Any]:
        """Return a mapping that strict JSON can hold."""
        return {"relation": self.relation, "rows_per_person": self.rows_per_person}

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> PrivacyUnit:
        """Rebuild a unit from `to_dict`.

        Raises
        ------
        ModelFileError
            If a field is missing, unknown or out of range.
        """
        if not isinstance(mapping, Mapping) or set(mapping) != {"relation", "rows_per_person"}:
            raise ModelFileError("A privacy unit must hold exactly the fields 'relation' and 'rows_per_person'.")
        try:
            return cls(cast(Relation, mapping["relation"]), mapping["rows_per_person"])
        except ParameterError as error:
            raise ModelFileError(f"The privacy unit is not valid: {error}") from error
