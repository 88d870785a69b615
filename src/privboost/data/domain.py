"""The public description of a table: which attributes it has, and what each may hold."""

from __future__ import annotations

import json
from collections.abc import ItemsView, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from privboost.data import domain_files
from privboost.data.attributes import Attribute, Boolean, Categorical, Category, Numeric, Ordinal, check_text
from privboost.data.domain_cost import DomainCost
from privboost.data.layout import CodeLayout, check_n_bins, make_layout
from privboost.data.learned import attributes_from_data
from privboost.data.refinement import Refinement
from privboost.errors import ParameterError, ParameterTypeError
from privboost.paths import check_path

__all__ = ["Boolean", "Categorical", "Domain", "Numeric", "Ordinal"]


_SHORT_SET = 4  # more categories than these are named by the others, if those are fewer


class Domain:
    """The attributes of a table in order, each with what it may hold; public, immutable, independent of any row.

    Parameters
    ----------
    attributes : mapping of str to Numeric, Categorical, Ordinal or Boolean
        Declarations by column name. Their order is the order of the columns of an array.
    target : str or None, default=None
        Name of the column to predict, for the command line. It is not an attribute.
    classes : sequence of str, int or bool, or None, default=None
        The labels that the target may have, for the command line.
    cost : DomainCost or None, default=None
        What it cost to learn the domain from private rows, if it was; see `privboost.learn_domain`.

    Raises
    ------
    ParameterError, ParameterTypeError
        For a name that is not text, an empty mapping, or a value that is no declaration.

    Examples
    --------
    >>> from privboost.data import Categorical, Domain, Numeric
    >>> domain = Domain({"age": Numeric(0, 120, integer=True), "workclass": Categorical(["private", "public"])})
    >>> domain.names
    ('age', 'workclass')
    >>> Domain.from_toml(domain.to_toml()) == domain
    True
    """

    __slots__ = ("attributes", "classes", "cost", "names", "target")

    names: tuple[str, ...]
    attributes: tuple[Attribute, ...]
    target: str | None
    classes: tuple[Category, ...] | None
    cost: DomainCost | None

    def __init__(
        self,
        attributes: Mapping[str, Attribute],
        *,
        target: str | None = None,
        classes: Sequence[Category] | None = None,
        cost: DomainCost | None = None,
    ) -> None:
        if not isinstance(attributes, Mapping):
            raise ParameterTypeError(
                "attributes",
                attributes,
                "a mapping of column names to declarations",
                "Bounds alone are ambiguous: write Domain({'age': Numeric(0, 120), ...}).",
            )
        if not attributes:
            raise ParameterError("attributes", {}, "a mapping with at least one column")
        names = tuple(_check_name(name) for name in attributes)
        for name, attribute in attributes.items():
            if not isinstance(attribute, Numeric | Categorical | Boolean):
                remedy = "For example Numeric(0, 120) or Categorical(['a', 'b'])."
                expected = "a Numeric, Categorical, Ordinal or Boolean"
                raise ParameterTypeError(f"attributes[{name!r}]", attribute, expected, remedy)
        if target is not None and _check_name(target) in names:
            raise ParameterError("target", target, "a column that is not an attribute")
        if cost is not None and not isinstance(cost, DomainCost):
            raise ParameterTypeError("cost", cost, "None or a DomainCost")
        set_ = object.__setattr__
        set_(self, "names", names)
        set_(self, "attributes", tuple(attributes.values()))
        set_(self, "target", target)
        set_(self, "classes", None if classes is None else Categorical(classes).values)
        set_(self, "cost", cost)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a Domain cannot be changed; make a new one")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a Domain cannot be changed; make a new one")

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (dict(self.items()), self.target, self.classes, self.cost)

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __getitem__(self, name: str) -> Attribute:
        return self.attributes[self._position(name)]

    def items(self) -> ItemsView[str, Attribute]:
        """Return the pairs of name and declaration, in order."""
        return dict(zip(self.names, self.attributes, strict=True)).items()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Domain) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[object, ...]:
        classes = None if self.classes is None else Categorical(self.classes)
        return self.names, self.attributes, self.target, classes, self.cost

    def __repr__(self) -> str:
        inner = ", ".join(f"{name!r}: {attribute!r}" for name, attribute in self.items())
        extra = "" if self.target is None else f", target={self.target!r}"
        extra += "" if self.classes is None else f", classes={list(self.classes)!r}"
        extra += "" if self.cost is None else f", cost={self.cost!r}"
        return f"Domain({{{inner}}}{extra})"

    # -- codes

    def layout(self, n_bins: int) -> CodeLayout:
        """Return the meaning of the codes with at most `n_bins` (2 to 255) bins for each number."""
        return _layout(self.names, self.attributes, check_n_bins(n_bins))

    def describe_test(
        self,
        attribute: int | str,
        first: int,
        last: int,
        missing_right: bool = False,
        n_bins: int = 10,
        refinement: Refinement | None = None,
    ) -> str:
        """Return the test ``first <= code <= last`` in words, as ``age >= 37.5`` or ``workclass is "private"``.

        A missing cell goes right only if the words end in "or missing".

        Parameters
        ----------
        attribute : int or str
            Position or name; -1 is the test that sends all rows left.
        first, last : int
            Codes that go right.
        missing_right : bool, default=False
            Whether missing cells go right too.
        n_bins : int, default=10
            As in the layout that the codes belong to.
        refinement : Refinement, optional
            Likewise. The categories of a reordered attribute are listed, or those that go left where they are fewer.
        """
        if attribute == -1:
            return "no row"
        i = self._position(attribute) if isinstance(attribute, str) else int(attribute)
        name = self.names[i]
        if first > last:
            return f"{name} is missing" if missing_right else f"{name} is never"
        edges, order = (None, None) if refinement is None else (refinement.edges[i], refinement.orders[i])
        if order is not None:
            return _describe_reordered(name, self.attributes[i], order, int(first), int(last), missing_right)
        text = _describe(name, self.attributes[i], int(first), int(last), n_bins, edges)
        return text + (" or missing" if missing_right else "")

    def _position(self, name: str) -> int:
        if name not in self.names:
            raise ParameterError("attribute", name, f"one of {list(self.names)}")
        return self.names.index(name)

    # -- files

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists, dicts, texts and numbers that `from_json` reads back exactly."""
        return domain_files.to_dict(dict(self.items()), self.target, self.classes, self.cost)

    def to_json(self) -> str:
        """Return the domain as strict JSON."""
        return json.dumps(self.to_dict(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    def to_toml(self) -> str:
        """Return the domain as TOML."""
        return domain_files.to_toml(self.to_dict())

    def save(self, path: str | Path) -> None:
        """Write the domain to a file whose name ends in .json or .toml."""
        path = Path(check_path(path))
        suffix = domain_files.check_suffix(path)
        path.write_text(self.to_json() if suffix == ".json" else self.to_toml(), encoding="utf-8", newline="\n")

    @classmethod
    def from_json(cls, source: str | Path | Mapping[str, Any]) -> Domain:
        """Read a domain from JSON: a path, the text itself (it starts with a brace), or the parsed object.

        Beside the form that `to_json` writes, an entry of a data catalogue is read: an object with a list `features`,
        each with `name`, `kind`, and `domain` (``[lo, hi]``) or `categories`.

        Raises
        ------
        ParameterError, ParameterTypeError
            For text that is not JSON, unknown or absent keys, and declarations that are not valid, with the name of
            the attribute.
        """
        return cls._from_object(domain_files.parse_json(source))

    @classmethod
    def from_toml(cls, source: str | Path) -> Domain:
        """Read a domain from TOML: a `pathlib.Path`, a path ending in .toml, or the text itself.

        Raises
        ------
        ParameterError, ParameterTypeError
            As for `from_json`; also for a form that still has a TODO, with the name of the first such attribute.
        """
        return cls._from_object(domain_files.parse_toml(source))

    @classmethod
    def load(cls, path: str | Path) -> Domain:
        """Read a .json or .toml file. ``catalogue.json:adult`` reads the entry "adult" of a catalogue of data sets."""
        return cls._from_object(domain_files.load(path))

    @classmethod
    def _from_object(cls, content: Mapping[str, Any]) -> Domain:
        attributes, target, classes, cost = domain_files.from_dict(content)
        return cls(attributes, target=target, classes=classes, cost=cost)

    @staticmethod
    def draft(schema: Any) -> str:
        """Return a TOML form to fill in, made from column names and dtypes; no value is read.

        Parameters
        ----------
        schema : mapping of str to str, or a data frame
            Names and dtypes ("int64", "float", "str", "bool", "category", ...). Of a frame, only these are looked at;
            categories that a frame stores with a dtype are not, as they may have been taken from the rows.
        """
        return domain_files.draft(schema)

    @classmethod
    def from_data(cls, X: Any) -> Domain:
        """Return a domain read off the rows: minima, maxima and the categories that occur.

        It discloses the rows that it was read from. It serves learners without privacy only.

        Parameters
        ----------
        X : array-like or data frame of shape (m, n)
            Columns without names are called x0, x1, ...
        """
        return cls(attributes_from_data(X))


def _rebuild(
    attributes: Mapping[str, Attribute],
    target: str | None,
    classes: Sequence[Category] | None,
    cost: DomainCost | None = None,
) -> Domain:
    return Domain(attributes, target=target, classes=classes, cost=cost)


@lru_cache(maxsize=128)
def _layout(names: tuple[str, ...], attributes: tuple[Attribute, ...], n_bins: int) -> CodeLayout:
    return make_layout(names, attributes, n_bins)


def _check_name(name: object) -> str:
    if not isinstance(name, str):
        remedy = "Columns are declared by name, not by position. For an array, names such as 'x0', 'x1' will do."
        raise ParameterTypeError("attributes", name, "a mapping whose keys are text", remedy)
    if not name:
        raise ParameterError("attributes", name, "a mapping whose keys are not empty")
    return check_text("attributes", name)


def printed_name(name: str) -> str:
    """Return a name on one line: line breaks and other control characters are escaped, so that none starts a line."""
    return "".join(c if ord(c) >= 32 and not 127 <= ord(c) < 160 else c.encode("unicode_escape").decode() for c in name)


def _describe(
    name: str, attribute: Attribute, first: int, last: int, n_bins: int, edges: npt.NDArray[np.float64] | None
) -> str:
    name = printed_name(name)
    if isinstance(attribute, Numeric):
        return _describe_range(name, attribute.edges(n_bins) if edges is None else edges, first, last)
    n_values = attribute.n_values(n_bins)
    words = _words(attribute)
    chosen = words[max(first, 1) - 1 : last]
    unlisted = ["not listed"] if first <= n_values + 1 <= last else []
    if attribute.ordered and last == n_values and 1 < first < last:
        return f"{name} >= {chosen[0]}"
    if len(chosen) > 1:
        return " or ".join([f"{name} in {_braced(chosen)}", *unlisted])
    return f"{name} is {' or '.join([*chosen, *unlisted]) or 'never'}"


def _words(attribute: Categorical | Boolean) -> tuple[str, ...]:
    return ("false", "true") if isinstance(attribute, Boolean) else tuple(map(_quoted, attribute.values))


def _describe_reordered(
    name: str, attribute: Attribute, order: npt.NDArray[np.uint8], first: int, last: int, missing_right: bool
) -> str:
    if isinstance(attribute, Numeric):
        raise ParameterError("refinement", f"an order for {name!r}", "without orders for numeric attributes")
    name = printed_name(name)
    words = _words(attribute)
    goes_right = [first <= code <= last for code in order.tolist()]
    right = [word for word, chosen in zip(words, goes_right[:-1], strict=True) if chosen]
    left = [word for word, chosen in zip(words, goes_right[:-1], strict=True) if not chosen]
    ending = " or missing" if missing_right else ""
    if len(right) <= _SHORT_SET or len(left) >= len(right):
        unlisted = ["not listed"] if goes_right[-1] else []
        if len(right) > 1:
            return " or ".join([f"{name} in {_braced(right)}", *unlisted]) + ending
        return f"{name} is {' or '.join([*right, *unlisted]) or 'never'}{ending}"
    # Most categories go right: name the others. What is not listed, or missing, is in no set.
    if not goes_right[-1]:
        return f"{name} is listed" + (f" but not in {_braced(left)}" if left else "") + ending
    if not left:
        return f"{name} is listed or not listed{ending}"
    return f"{name} not in {_braced(left)}" + (ending or (" and not missing" if attribute.missing else ""))


def _braced(words: Sequence[str]) -> str:
    return f"{{{', '.join(words)}}}"


def _describe_range(name: str, edges: npt.NDArray[np.float64], first: int, last: int) -> str:
    if first > edges.size + 1:
        return f"{name} is never"
    lower = _number(edges[first - 2]) if first > 1 else None
    upper = _number(edges[last - 1]) if last <= edges.size else None
    if lower is None and upper is None:
        return f"{name} is a number"
    if upper is None:
        return f"{name} >= {lower}"
    return f"{name} < {upper}" if lower is None else f"{lower} <= {name} < {upper}"


def _number(value: float) -> str:
    """Return the shortest text that reads back as the same float, without a trailing ".0"."""
    text = repr(float(value))
    return text.removesuffix(".0")


def _quoted(value: Category) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)
