"""`audit`: hold a learner against its claim, by one of three methods."""

from __future__ import annotations

import math
import time
import warnings
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from privboost.auditing.canaries import default_table, place_canaries
from privboost.auditing.exact import Comparison, attained_epsilon
from privboost.auditing.one_run import guess
from privboost.auditing.report import AuditReport
from privboost.auditing.resolved import resolved
from privboost.auditing.sampling import released_numbers, shown_by
from privboost.auditing.scripted import ScriptedLearner
from privboost.auditing.tables import Table
from privboost.auditing.worlds import World, default_world, settled_in
from privboost.data.columns import read_schema
from privboost.errors import ParameterError, ParameterTypeError, PrivacyWarning, SchemaError
from privboost.estimators.base import PrivateEstimator
from privboost.estimators.parameters import check_choice, check_integer, check_real
from privboost.privacy.simulation import release_by_release
from privboost.privacy.spends import as_decimal, largest_float

__all__ = ["DEFAULT_RUNS", "METHODS", "audit"]

METHODS = ("exact", "sampling", "one-run")

DEFAULT_RUNS = {"exact": 3_000, "sampling": 2_000, "one-run": 1}

PAIR_RUNS = 500
"""Scripted trainings that look for the pair of tables that a sampling audit trains on."""

NEARLY_WORST = 0.6
"""Part of the largest loss that this pair has at least: the largest may lie at outcomes that never occur."""

MOST_ROWS_OF_A_PERSON = 3
"""In an exact audit: the neighbours of more are too many to be listed."""

MOST_TABLES = 10**5
MOST_REPLACEMENTS = 5 * 10**6
"""Of tiny tables: so many are listed in some seconds. The replacements lead from every table to its neighbours."""

DEFAULT_CANARIES = 1_000

MOST_CONFIDENCE = math.nextafter(1.0, 0.0)


def audit(
    estimator: PrivateEstimator,
    *,
    method: str = "exact",
    X: Any = None,
    y: Any = None,
    neighbour: tuple[Any, Any] | None = None,
    world: World | None = None,
    n_rows: int | None = None,
    runs: int | None = None,
    confidence: float = 0.95,
    canaries: Any = None,
    guesses: int | None = None,
    random_state: Any = None,
) -> AuditReport:
    r"""Show by how much a learner's models really tell neighbouring tables apart, and hold that against its claim.

    Parameters
    ----------
    estimator : PrivateEstimator
        With its settings; it is not fitted, and its ``budget`` pays for trainings on given rows only. With a
        ``random_state`` its trainings are simulations with seeds drawn from that: the same law of the noise, and the
        same result each time.
    method : {"exact", "sampling", "one-run"}, default="exact"
        "exact": the learner's own training code is run on all neighbouring tables of a few rows with a scripted source
        of randomness, and the laws of its releases are compared in closed form. "sampling": it is trained many times
        on two neighbouring tables; one half of the models chooses an event, the other counts it. "one-run": it is
        trained once with many canaries, each of which takes part by a coin, and who did is guessed from the model.
    X, y : table and labels, optional
        For "one-run" the rows among which canaries are placed, by default a random table. For "sampling" one table of
        the pair.
    neighbour : (table, labels), optional
        The other table of the pair, of as many rows; a row that is absent has a missing label. That the two are
        neighbours is the caller's promise. By default a pair of tiny tables at which an exact audit finds a large loss.
    world : World, optional
        Of tiny tables: by default one number in three bins, and two or three classes or numbers. The estimator's
        domain, target and bins are replaced by the world's.
    n_rows : int, optional
        Rows of tiny tables, 3 by default (2 where a number is predicted). At most as many as have 100 000 tables.
    runs : int, optional
        About how many trainings: of "exact" 3000 by default, of "sampling" 2000. An exact audit tries all transcripts
        if these are enough for it, and else some of them, drawn at random.
    confidence : float, default=0.95
        Chance that the lower bound is one, of the last two methods; 0.5 or more, below 1.
    canaries : int or array of int, optional
        Of "one-run". How many: random rows of the table that get a wrong label, 1000 by default (at most the table's).
        Or their positions: these rows keep their label if they take part.
    guesses : int, optional
        Of "one-run": for how many canaries, half of them by default; from the others it abstains.
    random_state : None, int or numpy.random.Generator
        For the choice of canaries and scripts; the learner's noise is not drawn from it.

    Returns
    -------
    AuditReport
        ``print`` shows it; ``holds`` says whether the claim stands.

    Raises
    ------
    ParameterError, SchemaError
        For arguments out of range, or such that do not go with the method.
    BudgetExceededError
        If not all trainings can be paid for; none has taken place then.

    Notes
    -----
    A lower bound below the claim proves nothing about other tables, events or outcomes; one above it refutes the
    claim. Settings left at "auto" are resolved for the rows that are audited, and a larger table gets others: the
    report's details name them; give those of the ``plan_`` of your own model. What an audit of given rows shows is
    computed without protection: it is not private.

    References
    ----------
    Steinke, Nasr & Jagielski (2023), "Privacy auditing with one (1) training run". Jagielski, Ullman & Oprea (2020),
    "Auditing differentially private machine learning". Nasr et al. (2023), "Tight auditing of differentially private
    machine learning" (:math:`\mu` from false positives and negatives).
    """
    _check(estimator, method, X, y, neighbour)
    _check_of_method(method, X, world, n_rows, runs, canaries, guesses)
    sure = check_real("confidence", confidence, "0.5 or more, and below 1", low=0.5, high=MOST_CONFIDENCE)
    trainings = check_integer("runs", DEFAULT_RUNS[method] if runs is None else runs, low=1, high=10**9)
    rng = np.random.default_rng(random_state)
    start = time.perf_counter()
    if method == "one-run":
        found = _one_run(estimator, X, y, canaries, guesses, 1.0 - sure, rng)
    elif method == "sampling":
        pair = None if neighbour is None else ((X, y), neighbour)
        found = _sampling(estimator, pair, world, n_rows, trainings, 1.0 - sure)
    else:
        found = _exact(_scripted(estimator, world, n_rows), trainings)
    claim = {"epsilon": float(estimator.epsilon), "delta": float(estimator._stated_delta())} | found
    if method != "exact":
        claim["holds"] = claim["lower_bound"] <= claim["epsilon"] * (1.0 + 1e-9)
    return AuditReport(
        learner=type(estimator).__name__,
        method=method,
        relation=str(estimator.relation),
        rows_per_person=int(estimator.rows_per_person),
        confidence=1.0 if method == "exact" else sure,
        secure=method == "exact" or estimator.random_state is None,
        seconds=time.perf_counter() - start,
        own_rows=method != "exact" and X is not None,
        **claim,
    )


def _check(estimator: Any, method: str, X: Any, y: Any, neighbour: Any) -> None:
    if not isinstance(estimator, PrivateEstimator):
        raise ParameterTypeError("estimator", type(estimator), "one of privboost's estimators")
    check_choice("method", method, METHODS)
    if estimator.privacy is None:
        raise ParameterError("privacy", None, "left as it is", "Without privacy there is no claim to audit.")
    estimator._check_shared_parameters()
    estimator._check_parameters()
    if (X is None) != (y is None) or (method == "exact" and X is not None):
        raise SchemaError("X and y belong together, and to the methods 'sampling' and 'one-run'.")
    if (neighbour is not None) != (method == "sampling" and X is not None):
        raise SchemaError("A pair of tables, X, y and 'neighbour', is what the method 'sampling' can be given.")
    if neighbour is not None and not (isinstance(neighbour, list | tuple) and len(neighbour) == 2):
        raise ParameterTypeError("neighbour", type(neighbour), "a pair (table, labels)")


def _check_of_method(method: str, X: Any, world: Any, n_rows: Any, runs: Any, canaries: Any, guesses: Any) -> None:
    """Refuse what another method would need."""
    if method != "one-run" and (canaries is not None or guesses is not None):
        raise ParameterError("canaries", canaries, "left out", "Canaries and guesses belong to method='one-run'.")
    if method == "one-run" and runs not in (None, 1):
        raise ParameterError("runs", runs, "1 for method='one-run'")
    if (method == "one-run" or X is not None) and (world is not None or n_rows is not None):
        raise ParameterError(
            "n_rows", n_rows, "left out", "It and 'world' are about tiny tables, which are not used here."
        )


def _scripted(estimator: PrivateEstimator, world: World | None, n_rows: int | None) -> ScriptedLearner:
    """Put the learner into its tiny world."""
    place = default_world(estimator) if world is None else world
    persons = int(estimator.rows_per_person)
    if persons > MOST_ROWS_OF_A_PERSON:
        remedy = "Audit fewer rows a person, whose noise is a fraction of this one's; or use method='one-run'."
        raise ParameterError("rows_per_person", persons, f"at most {MOST_ROWS_OF_A_PERSON} for tiny tables", remedy)
    usual = max(2 if place.numbers else 3, persons)
    rows = usual if n_rows is None else check_integer("n_rows", n_rows, low=persons, high=1000)
    model = clone(estimator).set_params(**settled_in(estimator, place))
    learner = ScriptedLearner(model, place, rows)
    _check_size(learner)
    return learner


def _check_size(learner: ScriptedLearner) -> None:
    """Refuse more tables than can be listed, before one is."""

    def fits(rows: int) -> bool:
        tables, replacements = learner.size(rows)
        return tables <= MOST_TABLES and replacements <= MOST_REPLACEMENTS

    if not fits(learner.n_rows):
        largest = max(filter(fits, range(1, learner.n_rows)), default=0)
        kinds = f"for {len(learner.world.kinds)} kinds of rows"
        remedy = "All tables of so many rows are listed, with all their neighbours; or give a smaller 'world'."
        raise ParameterError("n_rows", learner.n_rows, f"at most {largest} {kinds}", remedy)


def _thorough(learner: ScriptedLearner, runs: int) -> tuple[Comparison, list[Table], npt.NDArray[np.int64]]:
    """Compare all pairs of neighbours, with all transcripts if ``runs`` are enough for that, else with some of them."""
    tables = learner.tables()
    pairs = learner.pairs(tables)
    scripts = max(runs // len(tables), 1)
    if learner.n_transcripts > scripts:
        learner.leaf_limit, learner.scripts = min(10, max(scripts - 1, 1)), max(scripts - 10, 1)
    return learner.compare(tables, pairs, learner.transcripts()), tables, pairs


def _exact(learner: ScriptedLearner, runs: int) -> dict[str, Any]:
    found, tables, pairs = _thorough(learner, runs)
    lower = found.attained
    claim: dict[str, Any] = {}
    if found.relaxed:
        lower = 0.0
        if "trace" not in found.problems:
            first, second = pairs[int(found.losses.argmax())]
            scripts = list(islice(learner.transcripts(), runs))
            most = 2.0 * learner.epsilon + 10.0
            lower = attained_epsilon(learner, (tables[first], tables[second]), scripts, learner.delta, most)
        claim["attained_delta"] = found.attained
    elif learner.delta > 0.0 and found.claim > 0.0:
        # Pure releases under a delta: what each costs is a pure epsilon, and their sum is what was audited.
        claim |= {"epsilon": found.claim, "delta": 0.0}
    details: dict[str, Any] = {"pairs of tables": found.pairs, "transcripts": found.runs // len(tables)}
    details |= resolved(learner.model, learner.plan, learner.n_rows)
    if found.problems:
        details |= {"problems": sorted(found.problems)}
    return claim | {
        "lower_bound": lower,
        "upper_bound": found.bound if math.isfinite(found.bound) else None,
        "holds": found.holds,
        "runs": found.runs,
        "details": details,
    }


def _pair(
    learner: ScriptedLearner, tables: list[Table], pairs: npt.NDArray[np.int64], found: Comparison
) -> tuple[Table, Table]:
    """Return a pair of large loss, and of such pairs the one with the fewest rows: others hide what one row does."""
    nulls = set(learner.world.null_kinds)
    enough = NEARLY_WORST * found.attained
    largest = [k for k in range(len(pairs)) if not found.losses.size or found.losses[k] >= enough]
    rows = [sum(kind not in nulls for side in pairs[k] for kind in tables[side]) for k in largest]
    first, second = pairs[largest[int(np.argmin(rows))]]
    return tables[first], tables[second]


def _sampling(
    estimator: PrivateEstimator,
    pair: Any,
    world: World | None,
    n_rows: int | None,
    runs: int,
    error: float,
) -> dict[str, Any]:
    if runs < 8:
        raise ParameterError("runs", runs, "8 or more for method='sampling'")
    each = runs // 2
    if pair is None:
        learner = _scripted(estimator, world, n_rows)
        model, place = learner.model, learner.world
        _check_budget(model, 2 * each)
        settings = resolved(model, learner.plan, learner.n_rows)
        found, tables, pairs = _thorough(learner, PAIR_RUNS)
        pair = [(place.table(table), place.labels(table)) for table in _pair(learner, tables, pairs, found)]
        probes = [place.table(tuple(range(len(place.kinds))))]
    else:
        model = estimator
        _check_budget(model, 2 * each)
        sizes = {read_schema(table, owner="audit").n_rows for table, _ in pair}
        if len(sizes) > 1:
            raise SchemaError(
                f"Neighbouring tables have equally many rows, these have {sorted(sizes)}: give a row that is absent a "
                "missing label."
            )
        # Both tables' schemas are checked before the first fit spends anything.
        settings, _ = (_resolved_for(model, table, labels) for table, labels in pair)
        probes = [table for table, _ in pair]
    seeds = _seeds(estimator.random_state)
    left, right = (
        np.array([released_numbers(_fit(model, table, labels, seeds), probes) for _ in range(each)])
        for table, labels in pair
    )
    delta = float(estimator._stated_delta())
    (epsilon, counts), (mu, _) = shown_by(left, right, delta, error)
    return {
        "lower_bound": epsilon,
        "mu": mu,
        "runs": 2 * each,
        "details": {
            "event with one table": f"{counts.more} of {counts.of}",
            "with the other": f"{counts.less} of {counts.of}",
        }
        | settings,
    }


def _resolved_for(model: PrivateEstimator, X: Any, y: Any) -> dict[str, Any]:
    """Return what `resolved` does, of tables like this one; no row is read."""
    prepared = model._prepare(X, y)
    return resolved(model, prepared.plan, prepared.facts.n_rows)


def _check_budget(model: PrivateEstimator, fits: int) -> None:
    """Raise unless all fits can be paid for: some of them would spend, and show nothing."""
    one = model._charge()
    epsilon, delta = (largest_float(fits * as_decimal(part)) for part in (one.epsilon, one.delta))
    replace(one, epsilon=epsilon, delta=min(delta, math.nextafter(1.0, 0.0))).check()


def _seeds(random_state: Any) -> np.random.Generator | None:
    """Return where simulations take their seeds from; None for secure noise."""
    if random_state is None:
        return None
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(0, 2**32, size=4, dtype=np.uint32))
    return np.random.default_rng(random_state)


def _fit(model: PrivateEstimator, X: Any, y: Any, seeds: np.random.Generator | None) -> Any:
    fresh: Any = clone(model)
    if seeds is not None:
        fresh.set_params(random_state=int(seeds.integers(2**62)))
    with warnings.catch_warnings(), release_by_release():
        warnings.simplefilter("ignore", PrivacyWarning)  # a seed, or a large delta, is what is asked for here
        return fresh.fit(X, y)


def _one_run(
    estimator: PrivateEstimator, X: Any, y: Any, canaries: Any, guesses: Any, error: float, rng: np.random.Generator
) -> dict[str, Any]:
    model: Any = clone(estimator)
    wanted = canaries
    if X is None:
        persons = int(estimator.rows_per_person)
        number = check_integer("canaries", DEFAULT_CANARIES if canaries is None else canaries, low=1, high=10**7)
        declared, X, y = default_table(model, number * persons, rng)
        neutral = {"budget": None, "verbose": False, "monotonic_cst": None, "class_weight": None}
        known = model.get_params(deep=False)
        model.set_params(**declared, **{name: value for name, value in neutral.items() if name in known})
        wanted = number
    elif canaries is None:
        wanted = min(DEFAULT_CANARIES, max(1, read_schema(X, owner="audit").n_rows // int(estimator.rows_per_person)))
    placed = place_canaries(model, X, y, wanted, rng)
    total = len(placed.included)
    most = check_integer("guesses", max(total // 2, 1) if guesses is None else guesses, low=1, high=total)
    seeds = _seeds(estimator.random_state)
    if seeds is not None:
        model.set_params(random_state=int(seeds.integers(2**62)))
    settings = _resolved_for(model, X, placed.y)
    seen = guess(model, X, placed, most, rng)
    return {
        "lower_bound": seen.epsilon(float(estimator._stated_delta()), error),
        "runs": 1,
        "details": {"canaries": seen.canaries, "guesses": seen.guesses, "correct": seen.correct} | settings,
    }
