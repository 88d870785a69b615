"""Typed errors. Each names the offending object, the legal range and the remedy, and never a private value.

Only *public* things may be quoted in a message: parameters, column names that the user declared, dtypes,
shapes. A cell of ``X``, a label of ``y``, a row index or a count of rows with some property may not.
"""

from __future__ import annotations

__all__ = [
    "BudgetError",
    "BudgetExceededError",
    "BudgetFileError",
    "ModelFileError",
    "ParameterError",
    "ParameterTypeError",
    "PlanError",
    "PrivacyWarning",
    "PrivboostError",
    "SchemaError",
    "SchemaTypeError",
    "VerificationError",
]


class PrivboostError(Exception):
    """Base class of every error that privboost raises on purpose."""


class ParameterError(PrivboostError, ValueError):
    """A parameter has an illegal value.

    Parameters
    ----------
    parameter : str
        Name of the parameter, as the caller spells it.
    value : object
        The value given. Parameters are public; never pass data here. Of a table or a column that was given in a
        parameter's place only the type is kept.
    expected : str
        The legal range, in words: "a finite number above 0".
    remedy : str, default=""
        One sentence that says what to do.
    """

    def __init__(self, parameter: str, value: object, expected: str, remedy: str = "") -> None:
        self.parameter = parameter
        self.value = type(value) if _holds_rows(value) else value
        self.expected = expected
        self.remedy = remedy
        super().__init__(_parameter_message(parameter, value, expected, remedy))

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), (self.parameter, self.value, self.expected, self.remedy)


class ParameterTypeError(ParameterError, TypeError):
    """A parameter has the wrong type."""


class SchemaError(PrivboostError, ValueError):
    """The shape, the column names, a dtype or a declaration does not fit. Decided before any value is read."""


class SchemaTypeError(SchemaError, TypeError):
    """A column, or the whole table, is of a kind that cannot be read."""


class PlanError(PrivboostError, ValueError):
    """The public numbers (rows, attributes, budget, depth) admit no valid plan."""


class ModelFileError(PrivboostError, ValueError):
    """A model file is not what it says: wrong format, missing field, value out of range."""


class VerificationError(ModelFileError):
    """A model's ledger does not support the guarantee that it states."""


class BudgetError(PrivboostError, ValueError):
    """A budget cannot be charged from here."""


class BudgetFileError(BudgetError):
    """A budget's file is absent, damaged, of another kind, or cannot be read or written."""


class BudgetExceededError(BudgetError):
    """A spend is larger than what its budget has left; nothing was recorded.

    Parameters
    ----------
    asked, remaining, cap : (float, float)
        Epsilon and delta: of the spend, what is left, and of the whole budget.
    name : str, default=""
        The budget's file; empty for one in memory.
    """

    def __init__(
        self,
        asked: tuple[float, float],
        remaining: tuple[float, float],
        cap: tuple[float, float],
        name: str = "",
    ) -> None:
        self.asked = asked
        self.remaining = remaining
        self.cap = cap
        self.name = name
        where = f"The budget in {name!r}" if name else "The budget"
        super().__init__(
            f"{where} has {_pair(remaining)} left of {_pair(cap)}, but {_pair(asked)} is asked for; nothing was spent. "
            "Ask for at most what is left. What was spent stays spent: whether these rows may be spent more on is for "
            "whoever answers for them to decide, by a new budget with a higher cap."
        )

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), (self.asked, self.remaining, self.cap, self.name)


class PrivacyWarning(UserWarning):
    """Something the user asked for weakens or voids the guarantee."""


def _pair(amount: tuple[float, float]) -> str:
    return f"(ε, δ) = ({amount[0]!r}, {amount[1]!r})"


_MOST_SHOWN = 50
"""Most items of a list that a message shows: longer ones may be a column of somebody's rows."""


def _holds_rows(value: object) -> bool:
    """Whether an argument may be a table or a column that was meant for another place: no message may quote it."""
    if isinstance(value, list | tuple | set | frozenset | dict):
        items = value.values() if isinstance(value, dict) else value
        return len(value) > _MOST_SHOWN or any(map(_is_table, items))
    return _is_table(value)


def _is_table(value: object) -> bool:
    # A number of NumPy has a shape, too, but an empty one.
    return getattr(value, "shape", ()) != () or hasattr(value, "__arrow_c_stream__")


def _parameter_message(parameter: str, value: object, expected: str, remedy: str) -> str:
    shown = f"a {type(value).__qualname__}" if _holds_rows(value) else repr(value)
    if len(shown) > 80:
        shown = shown[:30] + "..." + shown[-47:]  # the end of a path says more than its start
    # "The 'depth' parameter", but "The hi of attribute 'age'".
    name = parameter if " " in parameter else f"'{parameter}' parameter"
    return f"The {name} must be {expected.rstrip('.')}. Got {shown} instead." + (f" {remedy}" if remedy else "")
