"""Domains: construction, refusals, layout, tests in words."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import pytest

from privboost.data import Boolean, Categorical, CodeLayout, Domain, Encoder, Numeric, Ordinal
from privboost.errors import ParameterError, ParameterTypeError, SchemaError

ALL_KINDS = Domain(
    {
        "age": Numeric(0, 10, missing=True),
        "children": Numeric(0, 2, integer=True),
        "job": Categorical(["private", 7, True]),
        "size": Ordinal(["s", "m", "l"]),
        "smoker": Boolean(),
        "pair": Categorical(["a", "b"]),
        "one": Categorical(["a"]),
    }
)


@pytest.mark.parametrize(
    "bounds", [np.zeros((3, 2)), ([0], [1]), [(0, 1), (0, 1)], None, "age", 3, [("age", Numeric(0, 1))]]
)
def test_bounds_without_names_are_refused_with_the_remedy(bounds: object) -> None:
    with pytest.raises(ParameterTypeError, match=r"Domain\(\{'age': Numeric\(0, 120\)"):
        Domain(bounds)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [0, None, float("nan"), ("a", "b"), b"a", True])
def test_names_are_text(name: object) -> None:
    with pytest.raises(ParameterTypeError, match="declared by name, not by position"):
        Domain({name: Numeric(0, 1)})  # type: ignore[dict-item]


def test_empty_names_and_empty_domains_are_refused() -> None:
    with pytest.raises(ParameterError, match="at least one column"):
        Domain({})
    with pytest.raises(ParameterError, match="not empty"):
        Domain({"": Numeric(0, 1)})
    with pytest.raises(ParameterError, match="surrogate"):
        Domain({"\udc80": Numeric(0, 1)})


@pytest.mark.parametrize("declaration", [(0, 1), [0, 1], {"lo": 0}, None, "numeric", Numeric, np.array([0, 1])])
def test_a_value_that_is_no_declaration_is_refused_by_name(declaration: object) -> None:
    with pytest.raises(ParameterTypeError, match=r"attributes\['height'\].*For example Numeric"):
        Domain({"age": Numeric(0, 1), "height": declaration})  # type: ignore[dict-item]


def test_unicode_and_nan_like_names_are_names() -> None:
    names = ["NaN", "None", "äß", "日本 語", "a.b", 'quo"te', " ", "\n"]
    assert Domain({name: Boolean() for name in names}).names == tuple(names)


def test_the_target_is_not_an_attribute() -> None:
    with pytest.raises(ParameterError, match="target"):
        Domain({"a": Boolean()}, target="a")
    domain = Domain({"a": Boolean()}, target="b", classes=["no", "yes"])
    assert (domain.target, domain.classes) == ("b", ("no", "yes"))
    assert domain != Domain({"a": Boolean()}, target="b", classes=["yes", "no"])
    assert Domain({"a": Boolean()}, classes=[0, 1]) != Domain({"a": Boolean()}, classes=[False, True])


def test_a_domain_is_an_ordered_immutable_mapping() -> None:
    assert list(ALL_KINDS) == list(ALL_KINDS.names)
    assert len(ALL_KINDS) == 7
    assert ALL_KINDS["smoker"] == Boolean()
    assert "job" in ALL_KINDS
    assert "Job" not in ALL_KINDS
    assert dict(ALL_KINDS.items())["age"] == Numeric(0, 10, missing=True)
    with pytest.raises(ParameterError, match="one of"):
        ALL_KINDS["Job"]
    with pytest.raises(AttributeError, match="cannot be changed"):
        ALL_KINDS.names = ()
    with pytest.raises(AttributeError, match="cannot be changed"):
        del ALL_KINDS.names
    reordered = Domain(dict(reversed(list(ALL_KINDS.items()))))
    assert reordered != ALL_KINDS
    assert "Numeric(lo=0.0, hi=10.0" in repr(ALL_KINDS)


def test_domains_survive_copies_and_pickles() -> None:
    domain = Domain(dict(ALL_KINDS.items()), target="y", classes=[0, 1])
    assert copy.deepcopy(domain) == domain
    assert hash(copy.copy(domain)) == hash(domain)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(domain, protocol)) == domain


def test_layout_counts_the_codes_of_every_kind() -> None:
    layout = ALL_KINDS.layout(5)
    assert isinstance(layout, CodeLayout)
    assert layout.names == ALL_KINDS.names
    assert len(layout) == 7
    assert layout.n_values.tolist() == [5, 3, 3, 3, 2, 2, 1]
    assert layout.n_codes.tolist() == [6, 4, 5, 5, 4, 4, 3]
    assert layout.ordered.tolist() == [True, True, False, True, False, False, False]
    assert layout.has_unknown.tolist() == [False, False, True, True, True, True, True]
    assert layout.missing.tolist() == [True, False, False, False, False, False, False]
    assert layout.edges[0].tolist() == [2, 4, 6, 8]
    assert layout.edges[1].tolist() == [0.5, 1.5]
    assert [edges.size for edges in layout.edges[2:]] == [0] * 5
    for array in (layout.n_codes, layout.edges[0], layout.edges[2]):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0


def test_layout_lists_every_test_once() -> None:
    attribute, first, last = ALL_KINDS.layout(5).tests()
    listed = list(zip(attribute.tolist(), first.tolist(), last.tolist(), strict=True))
    assert listed == [
        *((0, t, 5) for t in (2, 3, 4, 5)),
        *((1, t, 3) for t in (2, 3)),
        *((2, c, c) for c in (1, 2, 3)),
        *((3, t, 3) for t in (2, 3)),
        (4, 2, 2),
        (5, 2, 2),
        (6, 1, 1),
    ]
    assert (attribute.dtype, first.dtype, last.dtype) == (np.int32, np.uint8, np.uint8)
    assert Domain({"x": Numeric(1, 1)}).layout(10).tests()[0].size == 0


@pytest.mark.parametrize("n_bins", [0, 1, -1, 256, 1000])
def test_the_number_of_bins_is_between_2_and_255(n_bins: int) -> None:
    with pytest.raises(ParameterError, match="from 2 to 255"):
        ALL_KINDS.layout(n_bins)


@pytest.mark.parametrize("n_bins", [2.0, "10", None, True, np.float64(3)])
def test_the_number_of_bins_is_an_integer(n_bins: object) -> None:
    ALL_KINDS.layout(2)  # a cached 2 must not let 2.0 through
    with pytest.raises(ParameterTypeError, match="n_bins"):
        ALL_KINDS.layout(n_bins)  # type: ignore[arg-type]


def test_at_most_256_codes() -> None:
    widest = Domain({"c": Categorical([str(i) for i in range(254)]), "x": Numeric(0, 1)})
    assert widest.layout(255).n_codes.tolist() == [256, 256]
    codes = Encoder(widest, 255).encode(pd.DataFrame({"c": ["253", "?", None], "x": [1.0, 0.0, np.nan]}))
    assert codes.tolist() == [[254, 255, 0], [255, 1, 0]]


@pytest.mark.parametrize(
    ("test", "words"),
    [
        (("age", 2, 255, False), "age >= 2"),
        (("age", 5, 5, True), "age >= 8 or missing"),
        (("age", 1, 3, False), "age < 6"),
        (("age", 2, 3, False), "2 <= age < 6"),
        (("age", 1, 255, False), "age is a number"),
        (("age", 255, 254, True), "age is missing"),
        (("age", 255, 254, False), "age is never"),
        (("age", 6, 255, False), "age is never"),
        (("children", 2, 3, False), "children >= 0.5"),
        (("job", 1, 1, False), 'job is "private"'),
        (("job", 2, 2, True), "job is 7 or missing"),
        (("job", 3, 3, False), "job is True"),
        (("job", 4, 4, False), "job is not listed"),
        (("job", 1, 2, False), 'job in {"private", 7}'),
        (("job", 3, 255, False), "job is True or not listed"),
        (("job", 2, 4, True), "job in {7, True} or not listed or missing"),
        (("size", 2, 3, False), 'size >= "m"'),
        (("size", 3, 3, False), 'size is "l"'),
        (("size", 2, 255, False), 'size in {"m", "l"} or not listed'),
        (("smoker", 2, 2, False), "smoker is true"),
        (("smoker", 1, 1, True), "smoker is false or missing"),
        ((0, 2, 255, False), "age >= 2"),
        ((4, 2, 2, False), "smoker is true"),
        ((-1, 0, 0, False), "no row"),
    ],
)
def test_tests_in_words(test: tuple[int | str, int, int, bool], words: str) -> None:
    assert ALL_KINDS.describe_test(*test, n_bins=5) == words


def test_thresholds_in_words_read_back_as_the_same_float() -> None:
    domain = Domain({"x": Numeric(-1e-7, 1 / 3)})
    for code, edge in enumerate(domain.layout(100).edges[0], start=2):
        assert float(domain.describe_test("x", code, 255, False, 100).removeprefix("x >= ")) == edge


@pytest.mark.parametrize("kind", ["array", "objects", "pandas"])
def test_from_data_reads_ranges_and_categories(kind: str) -> None:
    if kind == "pandas":
        frame = pd.DataFrame(
            {
                "f": [0.5, np.nan, np.inf, -2.0],
                "i": [3, 4, 9, 3],
                "b": [True, False, True, True],
                "s": ["b", None, "a", "b"],
                "c": pd.Categorical(["z", "y", None, "z"], categories=["z", "y", "unused"]),
                "n": pd.array([1, None, 5, 2], dtype="Int64"),
                "e": [None] * 4,
            }
        )
        assert dict(Domain.from_data(frame).items()) == {
            "f": Numeric(-2, 0.5, missing=True),
            "i": Numeric(3, 9, integer=True),
            "b": Boolean(),
            "s": Categorical(["a", "b"], missing=True),
            "c": Categorical(["y", "z"], missing=True),
            "n": Numeric(1, 5, integer=True, missing=True),
            "e": Numeric(0, 0, missing=True),
        }
        return
    X = np.array([[1.0, 2.0], [3.0, 2.0]])
    if kind == "objects":
        X = X.astype(object)
    assert dict(Domain.from_data(X).items()) == {"x0": Numeric(1, 3), "x1": Numeric(2, 2)}


def test_from_data_of_mixed_objects() -> None:
    X = np.array([[True, "a", {}], [False, 1, 2.5], [None, None, None]], dtype=object)
    assert Domain.from_data(X) == Domain(
        {
            "x0": Boolean(missing=True),
            "x1": Categorical(["1", "a"], missing=True),
            "x2": Numeric(2.5, 2.5, missing=True),
        }
    )


def test_from_data_refuses_what_a_byte_cannot_hold() -> None:
    with pytest.raises(SchemaError, match="'c' holds more than 254 categories"):
        Domain.from_data(pd.DataFrame({"c": [str(i) for i in range(300)]}))
