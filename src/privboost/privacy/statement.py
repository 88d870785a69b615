"""The privacy statement: what is guaranteed, for whom, at what cost, and what it takes for granted."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from importlib import metadata
from typing import Any, cast

from privboost.errors import ModelFileError, ParameterError, ParameterTypeError, VerificationError
from privboost.privacy.accounting import Event, check_total, total_cost
from privboost.privacy.composition import total_privacy
from privboost.privacy.event_json import event_from_dict, event_to_dict, exact_ratio
from privboost.privacy.relation import PrivacyUnit
from privboost.privacy.release_table import ReleaseGroup, group_releases, release_kind, table_lines
from privboost.privacy.search_cost import SearchCost
from privboost.privacy.shown import shown_text
from privboost.privacy.tries import float_below

__all__ = ["STATEMENT_FORMAT", "PrivacyStatement", "split_bars"]

STATEMENT_FORMAT = 2
"""The newest; a statement is written in the oldest that holds all of it, and only one with a search needs format 2."""

_REDO = {"model": "train", "evaluation": "evaluate", "domain": "learn"}


@cache
def _version() -> str:
    try:
        return metadata.version("privboost")
    except metadata.PackageNotFoundError:  # run from a source tree that is not installed
        return "unknown"


@dataclass(frozen=True)
class PrivacyStatement:
    """What one fitted model guarantees.

    Parameters
    ----------
    epsilon : float or None
        The budget that the releases, and the search, stay within; None without a guarantee.
    unit : PrivacyUnit
        Whose presence is hidden.
    secure : bool
        Whether all noise came from the operating system's entropy. False for a simulation.
    private : bool
        Whether the guarantee holds. False for a simulation and for a model trained without noise.
    releases : tuple of Event
        The ledger, in order.
    assumed_public : tuple of str
        What the guarantee takes to be public knowledge.
    notes : tuple of str, default=()
        Further facts, such as how a multi-class budget was divided.
    alphas : tuple of (str, float), default=()
        Chosen loss parameters and where.
    uncovered : tuple of str, default=()
        What the model holds that no release covers, in words; empty if it is private.
    delta : float, default=0.0
        0 for a pure guarantee; with Gaussian noise, above 0 and below 1.
    version : str, default=the installed version
        Of privboost, when the model was trained.
    subject : {"model", "evaluation", "domain"}, default="model"
        What is guaranteed to be private.
    search : SearchCost or None, default=None
        Of the search that chose the model's settings on the same rows. Its cost is a part of `epsilon` and `delta`.

    Raises
    ------
    ParameterError
        If a field is out of range, or if ``private`` claims what the other fields do not support.
    """

    epsilon: float | None
    unit: PrivacyUnit
    secure: bool
    private: bool
    releases: tuple[Event, ...]
    assumed_public: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    alphas: tuple[tuple[str, float], ...] = ()
    uncovered: tuple[str, ...] = ()
    delta: float = 0.0
    version: str = field(default_factory=_version)
    subject: str = "model"
    search: SearchCost | None = None

    def __post_init__(self) -> None:
        _check_fields(self)

    @property
    def relation(self) -> str:
        """The neighbour relation's name."""
        return self.unit.relation

    @property
    def simulated(self) -> bool:
        """Whether the noise was drawn from a seeded generator."""
        return self.epsilon is not None and not self.secure

    @property
    def fit_epsilon(self) -> float | None:
        """What the releases stay within: `epsilon`, less that of a search."""
        if self.epsilon is None or self.search is None:
            return self.epsilon
        return float_below(Fraction(self.epsilon) - Fraction(self.search.epsilon))

    @property
    def fit_delta(self) -> float:
        """The delta that the releases stay within: `delta`, less that of a search."""
        return self.delta if self.search is None else float_below(Fraction(self.delta) - Fraction(self.search.delta))

    @property
    def total(self) -> Fraction | None:
        """Exact sum of the pure costs of all releases, and of a search.

        None if a release was exact, or had Gaussian noise; or if the search has a delta.
        """
        total = total_cost(self.releases)
        if total is None or self.search is None:
            return total
        return None if self.search.total is None else total + self.search.total

    @property
    def spent(self) -> float | None:
        """What all releases cost at `fit_delta`, with a search's epsilon; rounded up. None if a release was exact."""
        if any(not event.private for event in self.releases):
            return None
        fit = total_privacy(self.releases, self.fit_delta)
        if self.search is None or not math.isfinite(fit):
            return fit
        return -float_below(-Fraction(fit) - Fraction(self.search.epsilon))

    @property
    def warning(self) -> str:
        """What to know before anything else; empty for a private model."""
        if self.private:
            return ""
        if self.epsilon is None:
            exact = ", ".join(dict.fromkeys(release_kind(event.label) for event in self.releases if not event.private))
            if exact and any(event.private for event in self.releases):
                return f"NOT PRIVATE: no noise covers these releases: {exact}. The {self.subject} carries no guarantee."
            return "NOT PRIVATE: trained without noise. The model may reveal any row; it carries no guarantee."
        if self.uncovered:
            return (
                f"NOT PRIVATE: no release covers {', '.join(self.uncovered)}. The {self.subject} carries no guarantee."
            )
        if not self.secure:
            return (
                "NOT PRIVATE: a simulation. The noise came from a seeded generator and can be subtracted; "
                f"{_REDO[self.subject]} again with random_state=None to get the guarantee."
            )
        return f"NOT PRIVATE: the {self.subject} claims no guarantee, although all its releases were covered."

    def summary(self) -> str:
        """Say the guarantee in one sentence."""
        if self.epsilon is None or self.uncovered:
            return self.warning
        verb = "is" if self.private else "would be"
        kind, delta = ("(ε, δ)", f", δ = {self.delta:g}") if self.delta else ("ε", " (pure: δ = 0)")
        sentence = (
            f"This {self.subject} {verb} {kind}-differentially private with ε = {self.epsilon:g}{delta}, "
            f"for tables that differ in {self.unit.describe()}."
        )
        return sentence if self.private else f"{self.warning} With secret noise: {sentence[0].lower()}{sentence[1:]}"

    def groups(self) -> tuple[ReleaseGroup, ...]:
        """Collapse the ledger to one line for each kind and mechanism, in order of first appearance.

        Their shares are shares of what the releases spent, without a search.
        """
        return group_releases(self.releases)

    def budget_split(self) -> dict[str, float]:
        """Return the share of the spent budget that each kind of release took; they add up to 1.

        Empty if the model carries no epsilon. A search is a kind of its own.
        """
        spent, search = self.spent, self.search
        split: dict[str, float] = {}
        searched = 0.0 if search is None or not spent else search.epsilon / spent
        if searched:
            split["search"] = searched
        for group in self.groups():
            if group.share is not None:
                split[group.kind] = split.get(group.kind, 0.0) + (1.0 - searched) * group.share
        return split

    def __str__(self) -> str:
        lines = [self.summary(), ""]
        lines += table_lines(self.groups())
        if self.search is not None:
            lines.append(self.search.describe())
        if self.epsilon is not None:
            lines.append(_total_line(self, self.epsilon))
        if self.alphas:
            lines.append("Loss parameter α: " + "; ".join(_alpha_ranges(self)) + ".")
        if self.assumed_public:
            lines.append("Assumed public: " + "; ".join(self.assumed_public) + ".")
        lines += list(self.notes)
        if not self.private:
            lines += ["", self.warning]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a mapping that strict JSON can hold: exact fractions as ``"p/q"`` next to floats."""
        total = self.total
        fields = {
            "format": 1 if self.search is None else 2,
            "version": self.version,
            "private": self.private,
            "warning": self.warning,
            "summary": self.summary(),
            "epsilon": self.epsilon,
            "delta": self.delta,
            "unit": self.unit.to_dict(),
            "secure": self.secure,
            "simulated": self.simulated,
            "assumed_public": list(self.assumed_public),
            "notes": list(self.notes),
            "alphas": [[label, alpha] for label, alpha in self.alphas],
            "uncovered": list(self.uncovered),
            "total": None if total is None else float(total),
            "total_exact": None if total is None else exact_ratio(total),
            "releases": [event_to_dict(event) for event in self.releases],
        }
        if self.subject != "model":
            fields["subject"] = self.subject
        if self.search is not None:
            fields["search"] = self.search.to_dict()
        return fields | {"spent": self.spent} if self.delta else fields

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> PrivacyStatement:
        """Rebuild a statement from `to_dict`; every derived field is computed again and compared.

        Raises
        ------
        ModelFileError
            If a field is missing, unknown, or of the wrong type or range, or the format is not supported.
        VerificationError
            If the fields contradict each other: a cost that is not what sensitivity and scale give, a false claim.
        """
        return _statement_from_dict(mapping)


def _check_fields(statement: PrivacyStatement) -> None:
    epsilon = statement.epsilon
    if epsilon is not None and (type(epsilon) is not float or not math.isfinite(epsilon) or epsilon <= 0.0):
        raise ParameterError("epsilon", epsilon, "None or a finite float above 0")
    if type(statement.delta) is not float or not 0.0 <= statement.delta < 1.0:
        raise ParameterError("delta", statement.delta, "a float of 0 or more and below 1")
    if not isinstance(statement.unit, PrivacyUnit):
        raise ParameterTypeError("unit", statement.unit, "a PrivacyUnit")
    for name in ("secure", "private"):
        if type(getattr(statement, name)) is not bool:
            raise ParameterTypeError(name, getattr(statement, name), "True or False")
    for name in ("assumed_public", "notes", "uncovered"):
        value = getattr(statement, name)
        if not isinstance(value, tuple) or not all(isinstance(text, str) for text in value):
            raise ParameterTypeError(name, value, "a tuple of strings")
    if statement.subject not in _REDO:
        raise ParameterError("subject", statement.subject, f"one of {', '.join(_REDO)}")
    if not isinstance(statement.version, str):
        raise ParameterTypeError("version", statement.version, "a string")
    if not isinstance(statement.alphas, tuple) or not all(_is_alpha(item) for item in statement.alphas):
        raise ParameterTypeError("alphas", statement.alphas, "a tuple of (label, finite float) pairs")
    if not isinstance(statement.releases, tuple) or not all(isinstance(event, Event) for event in statement.releases):
        raise ParameterTypeError("releases", type(statement.releases), "a tuple of Events")
    _check_claim(statement)


def _is_alpha(item: object) -> bool:
    if not isinstance(item, tuple) or len(item) != 2:
        return False
    return isinstance(item[0], str) and type(item[1]) is float and math.isfinite(item[1])


def _check_claim(statement: PrivacyStatement) -> None:
    """Refuse a claim that the releases do not support: this is what every rendering relies on."""
    if statement.epsilon is None:
        if statement.private:
            raise ParameterError("private", True, "False without an epsilon")
        if statement.delta:
            raise ParameterError("delta", statement.delta, "0.0 without an epsilon")
        if statement.search is not None:
            raise ParameterError("search", statement.search, "None without an epsilon")
        return
    if any(not event.private for event in statement.releases):
        raise ParameterError("epsilon", statement.epsilon, "None: a release was exact")
    _check_search(statement)
    try:
        check_total(statement.releases, cast(float, statement.fit_epsilon), statement.fit_delta)
    except VerificationError as error:
        raise ParameterError("epsilon", statement.epsilon, f"at least what the releases cost. {error}") from error
    if any(event.distance != statement.unit.distance for event in statement.releases):
        raise ParameterError("unit", statement.unit, "the one that every release was planned for")
    if statement.private and not statement.secure:
        raise ParameterError("private", True, "False for a simulation")
    if statement.private and statement.uncovered:
        raise ParameterError("private", True, "False: a part of the model is not covered by any release")


def _check_search(statement: PrivacyStatement) -> None:
    search = statement.search
    if search is None:
        return
    if not isinstance(search, SearchCost):
        raise ParameterTypeError("search", search, "None or a SearchCost")
    if cast(float, statement.fit_epsilon) <= 0.0 or statement.fit_delta < 0.0:
        raise ParameterError("search", search, "one that leaves a part of epsilon and delta to the releases")


def _total_line(statement: PrivacyStatement, epsilon: float) -> str:
    total, delta = statement.total, statement.delta
    what = "All releases together" if statement.search is None else "All releases and the search together"
    if total is not None and total <= Fraction(epsilon):
        shown = shown_text(statement.releases, delta)
        return f"{what} cost ε = {float(total):.6g} of {epsilon:g}, in exact arithmetic{shown}."
    return f"{what} cost ε = {statement.spent:.6g} of {epsilon:g} at δ = {delta:g}, rounded up."


def _alpha_ranges(statement: PrivacyStatement) -> list[str]:
    """Collapse the trees' parameters to one entry for each place in a tree, with the range over all trees."""
    kinds = {release_kind(event.label) for event in statement.releases}
    places: dict[str, list[float]] = {}
    for label, alpha in statement.alphas:
        parts = re.sub(r"^(.*/)?tree \d+/", "", label).split("/")
        if len(parts) > 1 and parts[-1] in kinds:
            parts.pop()
        places.setdefault("/".join(parts), []).append(alpha)
    texts = []
    for place, alphas in places.items():
        low, high = f"{min(alphas):.3g}", f"{max(alphas):.3g}"
        texts.append(f"{place}: {low}" if low == high else f"{place}: {low} to {high}")
    return texts


def split_bars(statement: PrivacyStatement, width: int = 60) -> str:
    """Draw the budget's split as text bars, one line for each kind of release.

    Parameters
    ----------
    statement : PrivacyStatement
    width : int, default=60
        Characters of a whole line, at least 30.

    Returns
    -------
    str
        The warning first if the model is not private; a line that says so if no budget was spent.
    """
    lines = [statement.warning] if statement.warning else []
    split = statement.budget_split()
    if not split:
        return "\n".join([*lines, "No privacy budget was spent."])
    name_width = min(max(len(kind) for kind in split), max(width, 30) // 2)
    room = max(max(width, 30) - name_width - 9, 5)
    for kind, share in split.items():
        bar = "█" * max(round(share * room), 1)
        lines.append(f"{kind[:name_width]:<{name_width}} {bar:<{room}} {100 * share:5.1f} %")
    return "\n".join(lines)


def _statement_from_dict(mapping: Mapping[str, Any]) -> PrivacyStatement:
    if not isinstance(mapping, Mapping):
        raise ModelFileError("A privacy statement must be an object.")
    number = mapping.get("format")
    if type(number) is not int or not 1 <= number <= STATEMENT_FORMAT:
        raise ModelFileError(
            f"The privacy statement has format {number!r:.60}; this version reads formats up to {STATEMENT_FORMAT}."
        )
    try:
        events = tuple(event_from_dict(fields) for fields in mapping["releases"])
        statement = PrivacyStatement(
            epsilon=mapping["epsilon"],
            unit=PrivacyUnit.from_dict(mapping["unit"]),
            secure=mapping["secure"],
            private=mapping["private"],
            releases=events,
            assumed_public=tuple(mapping["assumed_public"]),
            notes=tuple(mapping["notes"]),
            alphas=tuple((label, alpha) for label, alpha in mapping["alphas"]),
            uncovered=tuple(mapping["uncovered"]),
            delta=mapping["delta"],
            version=mapping["version"],
            subject=mapping.get("subject", "model"),
            search=SearchCost.from_dict(mapping["search"]) if number > 1 else None,
        )
    except KeyError as error:
        raise ModelFileError(f"The privacy statement lacks the field {error}.") from error
    except ParameterTypeError as error:
        raise ModelFileError(f"The privacy statement is not valid: {error}") from error
    except ParameterError as error:
        raise VerificationError(f"The privacy statement contradicts itself: {error}") from error
    except (TypeError, ValueError) as error:
        if isinstance(error, ModelFileError):
            raise
        raise ModelFileError("The privacy statement is not valid: a field has the wrong type.") from error
    _compare(statement.to_dict(), mapping)
    return statement


def _compare(expected: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """Raise if a derived field of ``given`` is not what the statement itself gives."""
    for name in sorted(set(expected) | set(given)):
        if name not in expected:
            raise ModelFileError(f"The privacy statement holds the unknown field {name!r}.")
        if name not in given:
            raise ModelFileError(f"The privacy statement lacks the field {name!r}.")
        if name == "spent" and _is_close(expected[name], given[name]):
            continue
        if expected[name] != given[name]:
            raise VerificationError(f"The privacy statement contradicts itself in the field {name!r}.")


def _is_close(expected: float | None, given: object) -> bool:
    """Elementary functions may differ in the last digits from one machine to the next; fractions do not."""
    return expected is not None and type(given) is float and math.isclose(expected, given, rel_tol=1e-6)
