"""Nothing that is exported escapes the audits."""

from __future__ import annotations

import importlib.util
import inspect
from pathlib import Path
from types import ModuleType

import pytest
from audit_cases import AUDITED
from audit_evaluation import CASES as EVALUATIONS
from audit_evaluation import NOT_VARIED as NOT_VARIED_OF_EVALUATIONS
from audit_learner import Case
from sklearn.base import BaseEstimator, clone

import privboost
from privboost.estimators.bdpe import TIGHT_CHOICES
from privboost.privacy import randomness

ROOT = Path(__file__).resolve().parents[2]

SEARCHES = [privboost.PrivateSearchCV]
"""They fit the learners that are audited here; audited in tests/search/test_search_audit.py, their law in
tests/privacy/test_tries.py."""

EXPORTED = [
    thing
    for name in privboost.__all__
    if inspect.isclass(thing := getattr(privboost, name)) and issubclass(thing, BaseEstimator) and thing not in SEARCHES
]

NEWTON_LEARNERS = (privboost.PrivateBoostingClassifier, privboost.PrivateBoostingRegressor)

NOT_VARIED = {
    "domain": "every world has its own",
    "classes": "every world has its own",
    "target_range": "every world of numbers has its own",
    "n_bins": "every world has its own",
    "epsilon": "a field of every case",
    "privacy": "without it there is no claim",
    "random_state": "with it there is no claim",
    "n_jobs": "sums of integers are the same bits for any number of threads",
    "verbose": "shows a bar that counts releases, whose number is public",
    "budget": "counts what fits state; none of their releases depends on it",
    "leverage": "the other choice is refused for private models; the negative controls show why",
}
"""Constructor parameters that no case sets, and why that is enough."""


def missing_estimators(exported: list[type]) -> list[str]:
    return [estimator.__name__ for estimator in exported if estimator not in AUDITED]


def missing_parameters(estimator: type) -> list[str]:
    varied = {name for case in AUDITED[estimator] for name in case.params}
    return [name for name in inspect.signature(estimator).parameters if name not in varied and name not in NOT_VARIED]


def test_every_exported_estimator_is_audited() -> None:
    assert EXPORTED
    assert missing_estimators(EXPORTED) == []


@pytest.mark.parametrize("estimator", EXPORTED, ids=lambda e: e.__name__)
def test_every_parameter_is_varied_or_has_a_reason_not_to_be(estimator: type) -> None:
    assert missing_parameters(estimator) == []


@pytest.mark.parametrize("estimator", EXPORTED, ids=lambda e: e.__name__)
def test_every_choice_of_the_accounting_is_audited(estimator: type) -> None:
    wanted = {
        "relation": {"add-remove", "replace-one"},
        "composition": {"parallel", "sequential"},
        "selection": {"permute-and-flip", "exponential"},
        "sensitivity": {"exact", "paper"},
        "weight_bound": {"released", "unit"},
        "mechanism": {"laplace", "gaussian" if issubclass(estimator, NEWTON_LEARNERS) else "exponential"},
        "partition": {"disjoint", "shared"},
        "leaf": {"vote", "soft"},
        "loss": {"squared_error", "absolute_error", "quantile", "poisson", "gamma"},
    }
    defaults = {name: p.default for name, p in inspect.signature(estimator).parameters.items()}
    defaults = {
        name: TIGHT_CHOICES[name] if value is None and name in TIGHT_CHOICES else value
        for name, value in defaults.items()
    }
    for name in wanted.keys() & defaults.keys():
        assert {case.params.get(name, defaults[name]) for case in AUDITED[estimator]} == wanted[name]


@pytest.mark.parametrize("estimator", NEWTON_LEARNERS, ids=lambda e: e.__name__)
def test_both_kinds_of_noise_are_audited_with_whatever_changes_the_accounts(estimator: type) -> None:
    """Noise by what it is combined with: relations, persons, weights, directions, reach, rounds, trees, depth."""
    cases = AUDITED[estimator]
    for noise in ("laplace", "gaussian"):
        seen = [case.params for case in cases if case.params["mechanism"] == noise]
        assert all((params.get("delta", 0.0) > 0) for params in seen) or noise == "laplace"
        for relation in ("add-remove", "replace-one"):
            assert [params for params in seen if params.get("relation", "add-remove") == relation]
        for name in ("rows_per_person", "monotonic_cst", "max_sample_weight"):
            assert [params for params in seen if name in params], name
        for name in ("n_rounds", "trees_per_round", "max_depth", "score_reach", "histogram_share", "base_share"):
            assert len({params[name] for params in seen}) > 1, name
        if estimator is privboost.PrivateBoostingClassifier:
            assert {params.get("calibration_share", 0.0) > 0.0 for params in seen} == {False, True}
        assert [case for case in cases if case.params["mechanism"] == noise and case.world.weights]


def test_an_estimator_or_a_parameter_without_an_entry_would_be_noticed() -> None:
    class New(privboost.BDPEClassifier):
        def __init__(self, epsilon: float = 1.0, *, sub_sample: float = 0.5) -> None:
            super().__init__(epsilon)
            self.sub_sample = sub_sample

    assert missing_estimators([*EXPORTED, New]) == ["New"]
    AUDITED[New] = AUDITED[privboost.BDPEClassifier]
    try:
        assert missing_parameters(New) == ["sub_sample"]
    finally:
        del AUDITED[New]


LAW_TESTS = ROOT / "tests" / "statistical" / "test_noise_draws.py"
"""Where the draws of both sources of randomness are held against their exact laws."""


def law_tests() -> ModuleType:
    spec = importlib.util.spec_from_file_location("test_noise_draws", LAW_TESTS)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def mechanisms_of(case: Case) -> set[str]:
    return {release.mechanism for release in case.releases}


@pytest.mark.parametrize("estimator", EXPORTED, ids=lambda e: e.__name__)
def test_every_mechanism_of_a_learner_has_tests_of_its_law_from_every_source_of_randomness(estimator: type) -> None:
    """An audit by script is about any source whose draws follow the laws: that both do is shown there."""
    laws = law_tests()
    every = {name for name in dir(randomness) if name.endswith("Randomness") and name != "Randomness"}
    assert {type(laws.make_source(name)).__name__ for name in laws.N} == every
    assert laws.N.keys() == laws.N_SELECT.keys()
    shown = {kind for kind in ("laplace", "gaussian") if callable(getattr(laws, f"test_{kind}_law", None))}
    if callable(getattr(laws, "test_selection_law", None)):
        shown |= set(laws.RULES)
    used = set().union(*(mechanisms_of(case) for case in AUDITED[estimator][:60]))
    assert used
    assert used <= shown


@pytest.mark.parametrize("estimator", EXPORTED, ids=lambda e: e.__name__)
@pytest.mark.parametrize("random_state", [None, 0], ids=["secure", "simulated"])
def test_every_estimator_runs_with_both_sources_of_randomness(estimator: type, random_state: int | None) -> None:
    """And the public audit takes either: what it is told of the noise is what it reports."""
    case = AUDITED[estimator][0]
    model = clone(case.model).set_params(random_state=random_state)
    report = privboost.audit(model, method="sampling", world=case.world, n_rows=case.n_rows, runs=8)
    assert report.secure == (random_state is None)
    assert report.holds


FUNCTIONS = {"audit", "evaluate_private", "learn_domain", "load"}
"""Those that are exported: the first promises nothing of the rows that it is given, as its report says; the next two
are audited in test_audit_evaluation.py and test_audit_domains.py; the last reads no row."""


def test_every_exported_function_is_audited_or_reads_no_row() -> None:
    assert {name for name in privboost.__all__ if inspect.isfunction(getattr(privboost, name))} == FUNCTIONS


def test_every_parameter_and_choice_of_an_evaluation_is_audited() -> None:
    varied = {name for case in EVALUATIONS for name in case.params}
    signature = inspect.signature(privboost.evaluate_private).parameters
    assert set(signature) == varied | set(NOT_VARIED_OF_EVALUATIONS)
    for task in ("two classes", "many classes", "numbers"):
        seen = [case.params for case in EVALUATIONS if case.task == task]
        assert {params.get("relation", "add-remove") for params in seen} == {"add-remove", "replace-one"}
        assert {params.get("mechanism", "auto") for params in seen} >= {"auto", "gaussian"}
