"""Declarations: what they refuse, and the edges that they fix."""

from __future__ import annotations

import copy
import pickle
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privboost.data.attributes import Boolean, Categorical, Numeric, Ordinal
from privboost.errors import ParameterError, ParameterTypeError

FINITE = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize("bound", [np.nan, np.inf, -np.inf, np.float32("nan"), 10**400, -(10**400)])
@pytest.mark.parametrize("position", [0, 1])
def test_a_bound_that_is_not_finite_is_refused(bound: float, position: int) -> None:
    bounds = [0.0, 1.0]
    bounds[position] = bound
    with pytest.raises(ParameterError, match=f"'{('lo', 'hi')[position]}' parameter must be a finite real number"):
        Numeric(*bounds)


@pytest.mark.parametrize(
    "bound", ["0", b"0", None, True, np.True_, 1j, [0], np.zeros(1), np.zeros((1, 2)), {}, object()]
)
@pytest.mark.parametrize("position", [0, 1])
def test_a_bound_of_another_type_is_refused(bound: object, position: int) -> None:
    bounds: list[object] = [0.0, 1.0]
    bounds[position] = bound
    with pytest.raises(ParameterTypeError, match=f"'{('lo', 'hi')[position]}' parameter"):
        Numeric(*bounds)  # type: ignore[arg-type]


def test_bounds_in_the_wrong_order_are_refused_with_the_remedy() -> None:
    with pytest.raises(ParameterError, match=r"'lo' parameter must be at most 'hi', which is 1\.0.*Swap"):
        Numeric(2, 1)


@pytest.mark.parametrize("bounds", [(0, 1.5), (0.5, 1)])
def test_bounds_of_an_integer_attribute_are_whole(bounds: tuple[float, float]) -> None:
    with pytest.raises(ParameterError, match="whole number"):
        Numeric(*bounds, integer=True)


@pytest.mark.parametrize("flag", [1, 0, "yes", None, 0.0])
def test_flags_are_booleans(flag: object) -> None:
    for make in (
        lambda: Numeric(0, 1, integer=flag),  # type: ignore[arg-type]
        lambda: Numeric(0, 1, missing=flag),  # type: ignore[arg-type]
        lambda: Categorical(["a"], missing=flag),  # type: ignore[arg-type]
        lambda: Ordinal(["a"], missing=flag),  # type: ignore[arg-type]
        lambda: Boolean(missing=flag),  # type: ignore[arg-type]
    ):
        with pytest.raises(ParameterTypeError, match="True or False"):
            make()


@pytest.mark.parametrize("number", [np.float32(0.5), np.int8(3), np.uint64(7), 5, 0.25])
def test_any_real_scalar_is_a_bound(number: float) -> None:
    assert Numeric(number, 100).lo == float(number)
    assert type(Numeric(number, 100).lo) is float


@pytest.mark.parametrize("make", [Categorical, Ordinal])
@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ("abc", "Put the categories in a list"),
        (b"abc", "Put the categories in a list"),
        (5, "Put the categories in a list"),
        (None, "Put the categories in a list"),
        ({"a", "b"}, "no fixed order"),
        ({"a": 1}, "no fixed order"),
        ([], "0 categories"),
        ([str(i) for i in range(255)], "255 categories"),
        (["a", "b", "a"], "print differently"),
        ([1, "1"], "print differently"),
        ([True, "True"], "print differently"),
        ([None, "a"], "missing=True"),
        ([float("nan"), "a"], "missing=True"),
        ([1.0, 2.0], "int or str"),
        ([b"a"], "int or str"),
        ([["a"]], "int or str"),
        (["a\ud800"], "surrogate"),
        ([2**64], "64 bits"),
    ],
)
def test_bad_category_lists_are_refused(make: type, values: object, reason: str) -> None:
    with pytest.raises(ParameterError, match=reason):
        make(values)


@pytest.mark.parametrize("make", [Categorical, Ordinal])
def test_categories_of_any_sequence_become_plain_python_values(make: type) -> None:
    declared = make(np.array(["b", "a"]))
    assert declared.values == ("b", "a")
    assert {type(value) for value in declared.values} == {str}
    assert [type(value) for value in make([np.int64(3), np.True_, "x"]).values] == [int, bool, str]
    assert make(range(3)).values == (0, 1, 2)
    assert len(make([str(i) for i in range(254)]).values) == 254


def test_unicode_and_odd_texts_are_categories() -> None:
    odd = ["", " ", "ä", "日本", "\U0001f600", "nan", "None", "\x00", 'a"b\\', "\n"]
    assert Categorical(odd).values == tuple(odd)


def test_equality_tells_kinds_and_types_apart() -> None:
    assert Categorical([1, 0]) != Categorical([True, False])
    assert Categorical(["1"]) != Categorical([1])
    assert Categorical(["a"]) != Ordinal(["a"])
    assert Categorical(["a", "b"]) != Categorical(["b", "a"])
    assert Categorical(["a"]) != Categorical(["a"], missing=True)
    assert Ordinal(["a"]) == Ordinal(["a"])
    assert hash(Categorical(["a"])) == hash(Categorical(["a"]))
    assert len({Categorical([1]), Categorical([True]), Ordinal([1]), Ordinal([1])}) == 3


@pytest.mark.parametrize(
    "attribute",
    [Numeric(0, 1), Numeric(-3, 7, integer=True, missing=True), Categorical([1, True, "a"]), Ordinal(["a"]), Boolean()],
)
def test_declarations_are_frozen_and_survive_copying(attribute: object) -> None:
    with pytest.raises(AttributeError):
        attribute.missing = True  # type: ignore[attr-defined]
    assert copy.deepcopy(attribute) == attribute
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(attribute, protocol)) == attribute


@settings(max_examples=60, deadline=None)
@given(lo=FINITE, hi=FINITE, n_bins=st.integers(2, 255))
def test_edges_are_the_decimal_formula_rounded_once(lo: float, hi: float, n_bins: int) -> None:
    lo, hi = sorted((lo + 0.0, hi + 0.0))
    with localcontext() as context:
        context.prec = 800  # enough to add 1e308 and 5e-324
        low, high = Decimal(repr(lo)), Decimal(repr(hi))
        naive = {float(low + (high - low) * k / n_bins) for k in range(1, n_bins)}
    assert Numeric(lo, hi).edges(n_bins).tolist() == sorted(edge for edge in naive if lo < edge <= hi)


def test_edges_of_the_unit_range_print_short() -> None:
    assert Numeric(0, 1).edges(10).tolist() == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]


@pytest.mark.parametrize(
    "bounds", [(0, 1e-12), (-1e12, 1e12), (0, 5e-324), (-1.7e308, 1.7e308), (1, 1 + 2**-52), (3, 3)]
)
def test_extreme_ranges_have_strictly_rising_edges_within_the_range(bounds: tuple[float, float]) -> None:
    edges = Numeric(*bounds).edges(255)
    assert (np.diff(edges) > 0).all()
    assert ((edges > bounds[0]) & (edges <= bounds[1])).all()
    assert Numeric(*bounds).n_values(255) == edges.size + 1


@settings(max_examples=60, deadline=None)
@given(lo=st.integers(-1000, 1000), width=st.integers(0, 600), n_bins=st.integers(2, 255))
def test_integer_edges_lie_between_integers_and_change_the_side_of_none(lo: int, width: int, n_bins: int) -> None:
    attribute = Numeric(lo, lo + width, integer=True)
    edges = attribute.edges(n_bins)
    assert ((edges % 1) == 0.5).all()
    assert attribute.n_values(n_bins) == min(n_bins, width + 1)
    for x in range(lo, lo + width + 1):
        # lo + width * k / n_bins <= x, in whole numbers
        naive = 1 + len({-(-width * k // n_bins) for k in range(1, n_bins) if 0 < -(-width * k // n_bins) <= x - lo})
        assert 1 + int((edges <= x).sum()) == naive
