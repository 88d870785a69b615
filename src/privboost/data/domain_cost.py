"""What a domain cost that was learnt from private rows: a record that stays with it, in objects and in files."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from privboost.errors import ModelFileError, ParameterError, ParameterTypeError
from privboost.privacy.amounts import check_delta, check_epsilon
from privboost.privacy.relation import PrivacyUnit

__all__ = ["DomainCost", "uncovered_by", "words_of"]

_FIELDS = ("epsilon", "delta", "unit", "private")


@dataclass(frozen=True)
class DomainCost:
    """The guarantee of the release that a domain was learnt by.

    Parameters
    ----------
    epsilon, delta : float
        As the domain's statement has them.
    unit : PrivacyUnit
        Whose presence is hidden.
    private : bool, default=True
        False for a simulation.

    Raises
    ------
    ParameterError, ParameterTypeError
        For amounts out of range.
    """

    epsilon: float
    delta: float
    unit: PrivacyUnit
    private: bool = True

    def __post_init__(self) -> None:
        remedy = "A domain that was learnt from private rows cost something."
        object.__setattr__(self, "epsilon", check_epsilon(self.epsilon, remedy=remedy))
        object.__setattr__(self, "delta", check_delta(self.delta))
        if not isinstance(self.unit, PrivacyUnit):
            raise ParameterTypeError("unit", self.unit, "a PrivacyUnit")
        if type(self.private) is not bool:
            raise ParameterTypeError("private", self.private, "True or False")

    def plus(self, other: DomainCost) -> DomainCost:
        """Return the cost of both, by plain sums, rounded up.

        Raises
        ------
        ParameterError
            If they hide the presence of different units, or if the deltas add up to 1 or more, or the epsilons to more
            than a float holds.
        """
        if other.unit != self.unit:
            remedy = "Only costs of the same relation and the same rows per person add up."
            raise ParameterError("unit", other.unit.describe(), self.unit.describe(), remedy)
        epsilon, delta = (
            _float_above(Fraction(a) + Fraction(b))
            for a, b in ((self.epsilon, other.epsilon), (self.delta, other.delta))
        )
        return DomainCost(epsilon, delta, self.unit, self.private and other.private)

    def describe(self) -> str:
        """Return what is to be added to whatever else is spent on the same rows, in words."""
        learnt = (
            f"learnt from private rows at ε = {self.epsilon:g}, δ = {self.delta:g}, for tables that differ in "
            f"{self.unit.describe()}"
        )
        if not self.private:
            return f"{learnt.replace(' at ', ' in a simulation of ', 1)}: NOT PRIVATE"
        return f"{learnt}: to be added to all that is spent on the same rows"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON types."""
        return {"epsilon": self.epsilon, "delta": self.delta, "unit": self.unit.to_dict(), "private": self.private}

    @classmethod
    def from_dict(cls, content: object) -> DomainCost:
        """Rebuild a cost from `to_dict`.

        Raises
        ------
        ParameterError, ParameterTypeError
            If a field is absent, unknown, or of the wrong type or range.
        """
        if not isinstance(content, Mapping) or sorted(map(str, content)) != sorted(_FIELDS):
            raise ParameterTypeError("learnt", content, f"an object with the keys {list(_FIELDS)}")
        try:
            unit = PrivacyUnit.from_dict(content["unit"])
        except ModelFileError:
            expected = "an object with the keys ['relation', 'rows_per_person']"
            raise ParameterError("unit", content["unit"], expected) from None
        return cls(content["epsilon"], content["delta"], unit, content["private"])


def _float_above(exact: Fraction) -> float:
    try:
        number = float(exact)
    except OverflowError:
        return math.inf
    return number if Fraction(number) >= exact else math.nextafter(number, math.inf)


class _Priced(Protocol):
    @property
    def cost(self) -> DomainCost | None: ...


def words_of(domain: _Priced | None) -> str:
    """Return what a statement adds where it names this domain as public; empty for one that was declared."""
    cost = None if domain is None else domain.cost
    return "" if cost is None else f" ({cost.describe()})"


def uncovered_by(domain: _Priced | None) -> tuple[str, ...]:
    """Return what a statement that rests on this domain admits: noise of a simulation hides no row."""
    cost = None if domain is None else domain.cost
    return () if cost is None or cost.private else ("the domain (learnt in a simulation)",)
