"""Every parameter: what is legal, what is refused and how, and how parameters travel."""

from __future__ import annotations

import inspect
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer

from privboost import BDPEClassifier, Budget, Domain, Numeric, PrivateForestClassifier, PrivateTreeClassifier
from privboost.errors import ParameterError, ParameterTypeError, PrivacyWarning
from privboost.losses import SquareLoss

LEARNERS = (BDPEClassifier, PrivateForestClassifier, PrivateTreeClassifier)
DOMAIN = Domain({"a": Numeric(0, 1), "b": Numeric(0, 1)})
ignore_seed = pytest.mark.filterwarnings("ignore:'random_state' is set:privboost.errors.PrivacyWarning")


def table(n_rows: int = 40) -> tuple[np.ndarray, np.ndarray]:
    X = np.random.default_rng(0).random((n_rows, 2))
    return X, (X[:, 0] > 0.5).astype(int)


def make(cls: type, **parameters: Any) -> Any:
    small = {"max_depth": 2} if cls is PrivateTreeClassifier else {"n_trees": 2, "max_depth": 2}
    return cls(**{"domain": DOMAIN, "classes": [0, 1], "random_state": 0, **small, **parameters})


NO_NUMBERS = ("1", None, True, np.True_, 1 + 0j, [1], b"1", np.array([1, 2]))
NO_CHOICES = ("", "other", None, 0, 1.5, b"pure", ["parallel"], np.str_("nonsense"), np.array(["a", "b"]))

# parameter: (illegal values, legal values, words that the message must hold)
SHARED: dict[str, tuple[tuple[Any, ...], tuple[Any, ...], str]] = {
    "epsilon": ((*NO_NUMBERS, 0, -1, np.nan, np.inf), (1, 0.5, np.float32(2), Fraction(1, 3)), "finite number above 0"),
    "max_depth": ((*NO_NUMBERS, 0, 17, -1, 2.0, np.nan), (1, 3, np.int8(2)), "integer from 1 to 16"),
    "n_bins": ((*NO_NUMBERS, 1, 0, 255, -1, 10.0), (2, 254, np.uint8(7)), "integer from 2 to 254"),
    "relation": (NO_CHOICES, ("add-remove", "replace-one", np.str_("replace-one")), "'add-remove', 'replace-one'"),
    "rows_per_person": ((*NO_NUMBERS, 0, -1, 1001, 2.0), (1, 3, np.int64(2)), "integer from 1 to 1000"),
    "privacy": ([v for v in NO_CHOICES if v is not None], ("pure",), "'pure', None"),
    "n_jobs": (("2", 0, True, 1.0), (None, 1, np.int64(2), -1), "number of threads"),
    "random_state": (
        ("0", True, -1, 1.5, [0], np.array([0, 1])),
        (0, np.int64(3), np.random.RandomState(0), np.random.default_rng(0)),
        "integer of 0 or more",
    ),
    "domain": (("a.toml", {"a": (0, 1)}, [(0, 1)] * 2, 1), (DOMAIN,), "a Domain"),
    "classes": (([0], "01", 3, [0, 0], {0, 1}, [0, "a"], [None, 1], [0, np.nan]), ([0, 1], (1, 0), range(3)), "labels"),
    "verbose": ((0, 1, "yes", None), (True, False, np.True_), "True or False"),
    "budget": ((1.0, "budget.db", (1.0, 0.0), Budget), (None, Budget(100.0)), "None or a Budget"),
}
N_TREES = ((*NO_NUMBERS, 0, 10001, 2.0), (1, 5, np.int64(3)), "integer from 1 to 10000")
SPLITTING: dict[str, tuple[tuple[Any, ...], tuple[Any, ...], str]] = {
    "split_share": ((*NO_NUMBERS, 0, 1, -0.1, 1.1, np.nan), (0.5, np.float32(0.25), Fraction(1, 3)), "between 0 and 1"),
    "composition": (NO_CHOICES, ("parallel", "sequential"), "'parallel', 'sequential'"),
    "selection": (NO_CHOICES, ("permute-and-flip", "exponential"), "'permute-and-flip', 'exponential'"),
    "sensitivity": (NO_CHOICES, ("exact", "paper"), "'exact', 'paper'"),
    "leaf_smoothing": ((*NO_NUMBERS, -1, np.inf, np.nan), (0, 0.5, 100), "0 or more"),
}


def _but_none(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Leave out None, which lets the preset decide."""
    return tuple(v for v in values if v is not None)


TABLES: dict[type, dict[str, tuple[Any, Any, str]]] = {
    BDPEClassifier: {
        **SHARED,
        **SPLITTING,
        "n_trees": N_TREES,
        "alpha": (
            (True, None, 1j, [1], "1", -0.1, 1.1, np.nan, np.inf),
            ("calibrated", 0, 1, 0.3, np.float32(0.5)),
            "'calibrated' or a number from 0 to 1",
        ),
        "combination_alpha": (("1", True, 0, -1, 1.5, np.nan), (None, 1, 0.2), "above 0 and at most 1"),
        "calibration_gap": (_but_none((*NO_NUMBERS, 0, -1, 11, np.nan)), (0.1, 1, 10), "above 0"),
        **{name: (_but_none(SPLITTING[name][0]), *SPLITTING[name][1:]) for name in SPLITTING if name != "split_share"},
        "leaf_clip": ((*NO_NUMBERS, 0, 1e-9, -1, 1e7, np.inf, np.nan), (0.5, 10, 1000), "from 0.001 to 1000000"),
        "weight_bound": (_but_none(NO_CHOICES), ("released", "unit"), "'released', 'unit'"),
        "leverage": (NO_CHOICES, ("released", "exact"), "'released', 'exact'"),
        "leverage_scale": ((*NO_NUMBERS, 0, 2, -1, np.nan), (1, 0.5, 1.99), "between 0 and 2"),
        "preset": (("", "Paper", "fast", 0, True), (None, "paper"), "None, 'paper'"),
    },
    PrivateForestClassifier: {
        **SHARED,
        "n_trees": N_TREES,
        "mechanism": (NO_CHOICES, ("laplace", "exponential"), "'laplace', 'exponential'"),
        "partition": (NO_CHOICES, ("disjoint", "shared"), "'disjoint', 'shared'"),
        "leaf": (NO_CHOICES, ("vote", "soft"), "'vote', 'soft'"),
    },
    PrivateTreeClassifier: {
        **SHARED,
        **SPLITTING,
        "criterion": ((), ("log", "square", "zero-one", "matsushita", SquareLoss()), ""),
    },
}


def cases(which: int) -> list[Any]:
    return [
        pytest.param(cls, name, value, row[2], id=f"{cls.__name__}-{name}-{value!r:.20}")
        for cls, rows in TABLES.items()
        for name, row in rows.items()
        for value in row[which]
    ]


@pytest.mark.parametrize("cls", LEARNERS)
def test_the_tables_above_hold_every_parameter(cls):
    assert set(TABLES[cls]) == set(inspect.signature(cls).parameters)


@pytest.mark.parametrize(("cls", "name", "value", "words"), cases(0))
def test_an_illegal_value_is_refused_with_its_name_the_value_and_the_range(cls, name, value, words):
    model = make(cls, **{name: value})  # the constructor looks at nothing
    with pytest.raises(ParameterError) as caught:
        model.fit(*table())
    message = str(caught.value)
    assert caught.value.parameter == name
    assert f"'{name}' parameter must be" in message
    assert words in message
    assert not hasattr(model, "ensemble_")
    if name == "domain":
        assert f"Got {type(value)!r}" in message  # it may be long
    elif name == "classes":
        assert "Got " in message  # the one label that is wrong, or all of them
    elif isinstance(value, np.ndarray):
        assert "Got a ndarray instead" in message  # it may be somebody's rows
    else:
        assert f"Got {value!r:.20}" in message


@ignore_seed
@pytest.mark.parametrize(("cls", "name", "value", "words"), cases(1))
def test_a_legal_value_trains(cls, name, value, words):
    model = make(cls, **{name: value}).fit(*table())
    assert model.predict(table()[0]).shape == (40,)
    if name != "random_state":
        assert model.get_params()[name] is value


@pytest.mark.parametrize("value", ["gini", "", None, 1, np.mean])
def test_an_unknown_criterion_is_refused_with_the_known_ones(value):
    with pytest.raises(ParameterError) as caught:
        make(PrivateTreeClassifier, criterion=value).fit(*table())
    for name in ("zero-one", "matsushita", "square", "log"):
        assert name in str(caught.value)


def test_an_unknown_criterion_is_refused_under_its_own_name():
    with pytest.raises(ParameterError, match="'criterion'") as caught:
        make(PrivateTreeClassifier, criterion="gini").fit(*table())
    assert caught.value.parameter == "criterion"


@pytest.mark.parametrize("cls", LEARNERS)
@pytest.mark.parametrize("value", [None, 0, True])
def test_a_wrong_type_is_a_type_error_and_a_wrong_value_is_not(cls, value):
    with pytest.raises(ParameterError) as caught:
        make(cls, n_bins=value).fit(*table())
    assert isinstance(caught.value, ParameterTypeError) == (value is not 0)  # noqa: F632
    assert isinstance(caught.value, ValueError)


class TestTravel:
    @pytest.mark.parametrize("cls", LEARNERS)
    def test_get_set_and_clone(self, cls):
        model = make(cls)
        assert model.get_params() == clone(model).get_params()
        for name, (_, legal, _) in TABLES[cls].items():
            for value in legal:
                assert model.set_params(**{name: value}) is model
                assert getattr(model, name) is value
                assert repr(getattr(clone(model), name)) == repr(value) or name == "random_state"

    @pytest.mark.parametrize("cls", LEARNERS)
    def test_repr_shows_what_differs_from_the_default(self, cls):
        assert repr(cls()) == f"{cls.__name__}()"
        assert repr(cls(epsilon=0.25, n_bins=7)) == f"{cls.__name__}(epsilon=0.25, n_bins=7)"
        assert "Domain" in repr(make(cls))
        assert cls.__name__ in make(cls)._repr_html_()

    @pytest.mark.parametrize("cls", LEARNERS)
    def test_defaults_are_the_documented_ones(self, cls):
        defaults = {n: p.default for n, p in inspect.signature(cls).parameters.items()}
        shared = {
            "epsilon": 1.0,
            "n_bins": 10,
            "relation": "add-remove",
            "rows_per_person": 1,
            "domain": None,
            "classes": None,
            "privacy": "pure",
            "n_jobs": None,
            "random_state": None,
            "verbose": False,
        }
        assert shared.items() <= defaults.items()
        for name, default in defaults.items():
            if name in ("domain", "classes") or not isinstance(default, str | int | float):
                continue
            if cls is BDPEClassifier or name not in SPLITTING.keys() | shared.keys():
                assert f"default={default!r}".replace("'", '"') in (cls.__doc__ or ""), name

    @ignore_seed
    @pytest.mark.parametrize("cls", LEARNERS)
    def test_fit_stores_no_other_parameter(self, cls):
        model = make(cls)
        before = {name: id(value) for name, value in model.get_params().items()}
        model.fit(*table())
        assert {name: id(value) for name, value in model.get_params().items()} == before

    @pytest.mark.parametrize("cls", LEARNERS)
    def test_search_and_cross_validation_warn_about_the_seed_and_train(self, cls):
        X, y = table(60)
        with pytest.warns(PrivacyWarning, match="random_state"):
            search = GridSearchCV(make(cls), {"epsilon": [0.1, 10.0], "max_depth": [1, 2]}, cv=2).fit(X, y)
        assert search.best_estimator_.privacy_.epsilon == search.best_params_["epsilon"]
        with pytest.warns(PrivacyWarning, match="random_state"):
            assert np.isfinite(cross_val_score(make(cls), X, y, cv=3, scoring="roc_auc")).all()

    @pytest.mark.parametrize("cls", LEARNERS)
    def test_without_a_seed_nothing_warns(self, cls):
        X, y = table(60)
        scores = cross_val_score(make(cls, random_state=None), X, y, cv=2, scoring="neg_log_loss")
        assert np.isfinite(scores).all()

    @ignore_seed
    @pytest.mark.parametrize("cls", LEARNERS)
    def test_in_a_pipeline_with_nested_parameters(self, cls):
        X, y = table()
        steps = make_pipeline(FunctionTransformer(), make(cls))
        step = cls.__name__.lower()
        steps.set_params(**{f"{step}__epsilon": 2.0}).fit(X, y)
        assert steps.named_steps[step].privacy_.epsilon == 2.0
        assert isinstance(clone(steps), Pipeline)
        assert steps.predict_proba(X).shape == (40, 2)
        search = GridSearchCV(steps, {f"{step}__n_bins": [2, 10]}, cv=2).fit(X, y)
        assert search.best_estimator_[-1].is_private_ is False
