"""What a private search among settings adds to the cost of the model that was trained with the winning one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from privboost.errors import ModelFileError, ParameterError, ParameterTypeError, VerificationError
from privboost.privacy.event_json import exact_ratio
from privboost.privacy.tries import TriesLaw, renyi_delta

__all__ = ["SearchCost"]

_FIELDS = ("eta", "gamma", "epsilon", "delta", "try_epsilon", "try_rho")


@dataclass(frozen=True, slots=True)
class SearchCost:
    """The best of a secret random number of tries: what one try may cost, and what that makes of the whole.

    Parameters
    ----------
    law : TriesLaw
        Of the number of tries.
    epsilon, delta : float
        What the search is within: above 0; 0 or more and below 1.
    try_epsilon : float or None
        Pure cost of one try, above 0, with ``delta`` = 0; else None.
    try_rho : float or None
        Zero-concentrated cost of one try, above 0, with ``delta`` above 0; else None.

    Raises
    ------
    ParameterError
        If a field is out of range, or if tries of that cost need more than ``epsilon`` and ``delta``.
    """

    law: TriesLaw
    epsilon: float
    delta: float = 0.0
    try_epsilon: float | None = None
    try_rho: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.law, TriesLaw):
            raise ParameterTypeError("law", self.law, "a TriesLaw")
        if type(self.delta) is not float or not 0.0 <= self.delta < 1.0:
            raise ParameterError("delta", self.delta, "a float of 0 or more and below 1")
        used, unused = ("try_rho", "try_epsilon") if self.delta else ("try_epsilon", "try_rho")
        for name in ("epsilon", used):
            value = getattr(self, name)
            if type(value) is not float or not math.isfinite(value) or value <= 0.0:
                raise ParameterError(name, value, "a finite float above 0")
        if getattr(self, unused) is not None:
            raise ParameterError(unused, getattr(self, unused), f"None beside {used}")
        try:
            self.check()
        except VerificationError as error:
            raise ParameterError("epsilon", self.epsilon, f"at least what the search costs. {error}") from error

    @property
    def total(self) -> Fraction | None:
        """The exact pure cost, (2 + eta) * ``try_epsilon``; None with a delta."""
        return None if self.try_epsilon is None else self.law.pure_cost(self.try_epsilon)

    def check(self) -> None:
        """Raise VerificationError unless the cost of tries makes a search within ``epsilon`` and ``delta``."""
        if self.try_rho is not None:
            # Elementary functions may round otherwise on the machine that reads a file than on the one that wrote it.
            if renyi_delta(self.law, self.try_rho, self.epsilon) > self.delta * (1.0 + 1e-9):
                raise VerificationError(f"The search costs more than epsilon = {self.epsilon!r} at its delta.")
        elif self.total is None or self.total > Fraction(self.epsilon):
            raise VerificationError(f"The search costs more than epsilon = {self.epsilon!r}.")

    def describe(self) -> str:
        """Say in words what was searched, and how that adds up."""
        eta = f"{float(self.law.eta):g}"
        if self.try_rho is None:
            one, rule = f"ε = {self.try_epsilon:g}", f"which costs (2 + η) times that, ε = {self.epsilon:g}"
        else:
            one, rule = f"ρ = {self.try_rho:.4g}", f"which costs ε = {self.epsilon:g} at δ = {self.delta:g}"
        return (
            f"The settings were chosen by a search over the same rows: the best of a secret random number of tries "
            f"(truncated negative binomial, η = {eta}, γ = {float(self.law.gamma):.4g}, {self.law.mean:.3g} expected), "
            f"each of {one}, {rule}."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON types."""
        total = self.total
        return {
            "eta": exact_ratio(self.law.eta),
            "gamma": exact_ratio(self.law.gamma),
            "epsilon": self.epsilon,
            "delta": self.delta,
            "try_epsilon": self.try_epsilon,
            "try_rho": self.try_rho,
            "total_exact": None if total is None else exact_ratio(total),
        }

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> SearchCost:
        """Rebuild from `to_dict`; what follows from other fields is computed again and compared.

        Raises
        ------
        ModelFileError
            If a field is missing, unknown, or of the wrong type or range.
        VerificationError
            If the fields contradict each other, or the search costs more than it states.
        """
        if not isinstance(mapping, Mapping) or set(mapping) != {*_FIELDS, "total_exact"}:
            raise ModelFileError(f"A search must hold exactly the fields {', '.join(_FIELDS)} and total_exact.")
        try:
            law = TriesLaw(_ratio(mapping["eta"]), _ratio(mapping["gamma"]))
            search = cls(law, *(mapping[name] for name in _FIELDS[2:]))
        except (TypeError, ValueError, ArithmeticError) as error:
            if isinstance(error, ParameterError) and isinstance(error.__cause__, VerificationError):
                raise VerificationError(f"The privacy statement contradicts itself: {error}") from error
            raise ModelFileError(f"The search of the privacy statement is not valid: {error}") from error
        if search.to_dict() != dict(mapping):
            raise VerificationError("The search of the privacy statement contradicts itself.")
        return search


def _ratio(text: object) -> Fraction:
    """Read a fraction of at most some dozen digits, as `exact_ratio` writes it."""
    if not isinstance(text, str) or len(text) > 100:
        raise ValueError("a fraction is written as 'p/q'")
    return Fraction(text)
