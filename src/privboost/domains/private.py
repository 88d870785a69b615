"""`learn_domain`: what is not known of a table's columns, learnt from private rows, for a budget."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from privboost.data.attributes import Attribute, Boolean, Categorical, Category, Numeric
from privboost.data.columns import LazyColumn, Schema, read_schema
from privboost.data.domain import Domain
from privboost.data.domain_cost import DomainCost, uncovered_by, words_of
from privboost.data.keys import count_categories, count_labels
from privboost.data.labels import label_column
from privboost.data.targets import numbers_in
from privboost.domains.counting import count_cells, finite, row_units
from privboost.domains.plan import KINDS, DomainPlan, plan_domain
from privboost.domains.ranges import MAGNITUDES, N_BINS, Noise, bins_of, coarse_range, fine_range
from privboost.errors import ParameterError, ParameterTypeError, PrivacyWarning, SchemaError, SchemaTypeError
from privboost.estimators.parameters import check_budget, check_unit, warn_of_delta
from privboost.privacy.accounting import Ledger
from privboost.privacy.amounts import check_delta, check_epsilon
from privboost.privacy.budget import Budget
from privboost.privacy.charging import Charge, payers_of
from privboost.privacy.keys import RawKeys, ShownKey
from privboost.privacy.mechanisms import Gaussian, Laplace
from privboost.privacy.randomness import Randomness, make_randomness
from privboost.privacy.statement import PrivacyStatement

__all__ = ["LearntDomain", "learn_domain"]

_SIMULATED = (
    "'random_state' is set: the noise can be drawn again and subtracted, so this domain is a simulation, not private. "
    "Leave it None for a domain to use or to publish."
)

_DECLARED = "what was declared of them"

_PUBLIC = (
    "the names and types of the columns",
    _DECLARED,
    "the number of rows",
    "every parameter of this call",
)

_NOTES = (
    "A model that is trained with this domain on the same rows costs its own ε and δ besides. What the rows' owners "
    "bear is the sum.",
)

_NO_KEY: Category = "other"
_FILLERS: dict[str, Category] = {"integer": 0, "boolean": True}


@dataclass(frozen=True)
class LearntDomain:
    """A domain that was learnt from private rows, and what that cost.

    Attributes
    ----------
    domain : Domain
        All columns, those that were declared too; it carries the cost along, into files and into the statements of
        models that are trained with it.
    classes : tuple of str, int or bool, or None
        The labels that were shown, sorted; None if no target was given. There may be fewer than two, which no
        classifier can be trained with.
    privacy_ : PrivacyStatement
        The guarantee of these releases. A model's own is added to it.
    """

    domain: Domain
    classes: tuple[Category, ...] | None
    privacy_: PrivacyStatement

    def __str__(self) -> str:
        return f"{self.privacy_}\n\n{self.domain.to_toml()}".rstrip()


class _Table(NamedTuple):
    """What the schema says, and how to read the cells."""

    n_rows: int
    columns: dict[str, LazyColumn]
    kinds: dict[str, Attribute | str]
    labels: LazyColumn | None


def learn_domain(
    X: Any,
    epsilon: float,
    delta: float = 0.0,
    *,
    attributes: Mapping[str, Attribute | str] | Domain | None = None,
    y: Any = None,
    target: str | None = None,
    relation: str = "add-remove",
    rows_per_person: int = 1,
    budget: Budget | None = None,
    random_state: Any = None,
) -> LearntDomain:
    r"""Learn the bounds and categories that nobody knows from private rows, under differential privacy.

    It costs `epsilon` and `delta`, which **add** to those of every model that is trained on the same rows. What is
    declared in `attributes` is free, and so is what a column's type says: booleans need no list.

    Bounds come from two noisy histograms, of powers of two and then of equal bins, and cut off about half a percent of
    the rows at either end, or what the noise hides. Categories, and labels, are those whose noisy counts reach a
    threshold, at most 254; others count as "not listed" from then on. One of a single person is shown with a chance
    below `delta`, and nothing is said of how many others there are.

    Parameters
    ----------
    X : table of shape (n_rows, n_columns)
        As for ``fit``. Columns without names are called x0, x1, ...
    epsilon : float
        Budget, above 0 and finite.
    delta : float, default=0.0
        0 or more, below 1; far below 1 / number of rows. Must be above 0 if categories or labels are to be learnt.
    attributes : mapping of str to attribute, or to {"numeric", "integer", "categorical"}; optional
        What is public knowledge of a column, which is taken over; or what it is to be learnt as. Columns that are not
        named are learnt by type: floats as numbers, integers as whole numbers, text and objects as categories. Where
        types were inferred from the rows, name the kinds. A `Domain`, to learn in steps: its target and classes are
        taken over too, if none are given here, and what it cost itself is added to the new domain's ``cost``, which
        must be of the same unit.
    y : array of shape (n_rows,), optional
        Target whose labels are to be learnt, too. Leave it out where they are known.
    target : str, optional
        Its name, for the command line; no attribute's.
    relation : {"add-remove", "replace-one"}, default="add-remove"
        What neighbouring tables differ in; see `PrivacyUnit`.
    rows_per_person : int, default=1
        At most how many rows belong to one person, 1 to 1000.
    budget : Budget or None, default=None
        Pays for it, beside the budgets whose ``with`` blocks this runs in; before a row is read. A block is not
        carried to calls in other processes: give them the budget, which then needs a ``path``.
    random_state : None, int, Generator or RandomState, default=None
        None is secure. Anything else is a simulation, and not private.

    Returns
    -------
    LearntDomain

    Raises
    ------
    ParameterError, SchemaError, PlanError, BudgetError
        Decided by parameters, names, kinds and shapes alone; never by a value in a row.

    Warns
    -----
    PrivacyWarning
        If ``random_state`` is given, or ``delta`` is used and not below 1 / number of rows.

    References
    ----------
    Dwork, McSherry, Nissim & Smith (2006), "Calibrating noise to sensitivity in private data analysis" (histograms);
    Korolova, Kenthapadi, Mishra & Ntoulas (2009), "Releasing search queries and clicks privately" (keys).
    """
    price = check_epsilon(epsilon, remedy="State what the domain may cost, such as 0.1."), check_delta(delta)
    check_budget(budget)
    payers = payers_of(budget)
    unit = check_unit(relation, rows_per_person)
    table = _table(X, y, attributes)
    known = attributes if isinstance(attributes, Domain) else None
    target = known.target if target is None and known is not None else target
    if target is not None and (not isinstance(target, str) or not target or target in table.columns):
        raise ParameterError("target", target, "a name that is no attribute's")
    learn_labels = table.labels is not None and table.labels.kind != "boolean"
    plan = plan_domain(table.kinds, table.n_rows, *price, unit, labels=learn_labels)
    randomness = make_randomness(random_state)
    cost = DomainCost(plan.epsilon, plan.delta, unit, randomness.secure)
    if known is not None and known.cost is not None:
        cost = known.cost.plus(cost)
    if not randomness.secure:
        warnings.warn(_SIMULATED, PrivacyWarning, stacklevel=2)
    warn_of_delta(plan.delta, plan.n_rows, stacklevel=3)
    Charge(payers, plan.epsilon, plan.delta, unit.relation, unit.rows_per_person, "domain").spend()
    ledger = Ledger()
    learnt = _learn(table, plan, randomness, ledger)
    labels = _labels(table, plan, randomness, ledger)
    ledger.check_against(plan.releases, plan.epsilon, plan.delta)
    statement = _statement(plan, ledger, randomness, known)
    listed = known.classes if y is None and known is not None else labels
    listed = listed if listed is not None and len(listed) > 1 else None
    return LearntDomain(Domain(learnt, target=target, classes=listed, cost=cost), labels, statement)


def _table(X: Any, y: Any, attributes: Mapping[str, Attribute | str] | Domain | None) -> _Table:
    """Read the schema, and settle what each column is, or is to be learnt as; no cell is looked at."""
    schema = read_schema(X, owner="learn_domain")
    if schema.n_rows == 0:
        raise SchemaError("Found array with 0 sample(s) while a minimum of 1 is required by learn_domain.")
    columns = dict(zip(_names(schema), schema.columns, strict=True))
    given = _check_attributes(attributes, columns)
    kinds = {name: given.get(name, _kind_of(column)) for name, column in columns.items()}
    for name, kind in kinds.items():
        if kind in ("numeric", "integer") and columns[name].kind == "text":
            raise SchemaTypeError(
                f"Column {name!r} is to be learnt as numbers, but has dtype {columns[name].dtype}. "
                "Convert it to numbers, or learn it as 'categorical'."
            )
    if y is None:
        return _Table(schema.n_rows, columns, kinds, None)
    labels, n_labels = label_column(y)
    if n_labels != schema.n_rows:
        raise SchemaError(f"Found input variables with inconsistent numbers of samples: [{schema.n_rows}, {n_labels}]")
    return _Table(schema.n_rows, columns, kinds, labels)


def _names(schema: Schema) -> list[str]:
    names = schema.names
    if names is None or names == tuple(range(len(names))):
        return [f"x{i}" for i in range(len(schema.columns))]
    if not all(isinstance(name, str) and name for name in names):
        raise SchemaTypeError("Column names must be text that is not empty. Rename the columns.")
    return list(names)


def _check_attributes(
    attributes: Mapping[str, Attribute | str] | Domain | None, columns: Mapping[str, LazyColumn]
) -> dict[str, Attribute | str]:
    if attributes is None:
        return {}
    attributes = dict(attributes.items()) if isinstance(attributes, Domain) else attributes
    if not isinstance(attributes, Mapping):
        remedy = "Write {'age': Numeric(0, 120), 'job': 'categorical'}."
        raise ParameterTypeError("attributes", attributes, "a mapping of column names, or a Domain", remedy)
    for name, kind in attributes.items():
        if name not in columns:
            raise ParameterError("attributes", name, f"among the table's columns: {list(columns)[:8]}")
        if not isinstance(kind, Numeric | Categorical | Boolean) and kind not in KINDS:
            expected = f"a Numeric, Categorical, Ordinal or Boolean, or one of {list(KINDS)}"
            raise ParameterError(f"attributes[{name!r}]", kind, expected, "A kind is learnt, for a part of the budget.")
    return dict(attributes)


def _kind_of(column: LazyColumn) -> Attribute | str:
    """Return what a column's type says."""
    free: dict[str, Attribute] = {"boolean": Boolean(), "null": Numeric(0, 0, missing=True)}
    learnt = {"float": "numeric", "integer": "integer"}
    return free.get(column.kind) or learnt.get(column.kind, "categorical")


def _learn(table: _Table, plan: DomainPlan, randomness: Randomness, ledger: Ledger) -> dict[str, Attribute]:
    """Read the rows, and return every column's attribute, in the order of the table."""
    learnt: dict[str, Attribute] = dict(plan.known)
    if plan.numbers:
        learnt |= _learn_numbers(table, plan, randomness, ledger)
    for name, mechanism in zip(plan.keyed, plan.mechanisms()[1], strict=not plan.labels):
        shown = mechanism.apply(RawKeys(count_categories(table.columns[name].read())), randomness, ledger)
        # A list must not be empty. What stands in for it follows from the column's type alone.
        filler = _FILLERS.get(table.columns[name].kind, _NO_KEY)
        learnt[name] = Categorical([one.key for one in shown] or [filler])
    return {name: learnt[name] for name in table.columns}


def _learn_numbers(table: _Table, plan: DomainPlan, randomness: Randomness, ledger: Ledger) -> dict[str, Attribute]:
    numbers = [finite(numbers_in(table.columns[name].read(), table.n_rows)) for name in plan.numbers]
    magnitudes, bounds = plan.mechanisms()[0]
    unit = row_units(gaussian=plan.gaussian)

    def release(mechanism: Laplace | Gaussian, edges: Sequence[Any], n_cells: int) -> Any:
        raw = count_cells(numbers, edges, n_cells, gaussian=plan.gaussian)
        return mechanism.apply(raw, randomness, ledger).values.reshape(-1, n_cells) / unit

    noise = Noise(magnitudes.scale / unit, plan.gaussian)
    counts = release(magnitudes, [MAGNITUDES] * len(numbers), MAGNITUDES.size + 1)
    first = [
        coarse_range(row, noise, integer=integer) for row, integer in zip(counts, plan.numbers.values(), strict=True)
    ]
    counts = release(bounds, [bins_of(attribute) for attribute in first], N_BINS)
    return {
        name: fine_range(row[: bins_of(attribute).size + 1], attribute, plan.n_rows)
        for name, row, attribute in zip(plan.numbers, counts, first, strict=True)
    }


def _labels(table: _Table, plan: DomainPlan, randomness: Randomness, ledger: Ledger) -> tuple[Category, ...] | None:
    if table.labels is None:
        return None
    if not plan.labels:
        return (False, True)
    raw = RawKeys(count_labels(table.labels.read()))
    return _alike(plan.mechanisms()[1][-1].apply(raw, randomness, ledger))


def _alike(shown: Sequence[ShownKey]) -> tuple[Category, ...]:
    """Return the labels that are text, or those that are numbers, whichever more rows have by their noisy counts."""
    rows = {kind: sum(one.rows for one in shown if isinstance(one.key, kind)) for kind in (str, int)}
    return tuple(one.key for one in shown if isinstance(one.key, max(rows, key=rows.__getitem__)))


def _statement(plan: DomainPlan, ledger: Ledger, randomness: Randomness, known: Domain | None) -> PrivacyStatement:
    uncovered = uncovered_by(known)
    return PrivacyStatement(
        epsilon=plan.epsilon,
        unit=plan.unit,
        secure=randomness.secure,
        private=randomness.secure and not uncovered,
        releases=ledger.events,
        assumed_public=tuple(words + words_of(known) if words == _DECLARED else words for words in _PUBLIC),
        notes=_NOTES,
        uncovered=uncovered,
        delta=plan.delta,
        subject="domain",
    )
