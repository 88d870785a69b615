"""The audited settings of the boosted learners of random trees: both kinds of noise, classes, numbers, weights."""

from __future__ import annotations

import itertools
from typing import Any

from audit_learner import GAPS, HALVES, MIXED, NUMBERS, THREE_CELLS, THREE_CLASSES, WIDE, Case, World

from privboost import Domain, Numeric, PrivateBoostingClassifier, PrivateBoostingRegressor

RELATIONS = ("add-remove", "replace-one")
LOSSES = ("squared_error", "absolute_error", "quantile", "poisson", "gamma")

# Steps so long that one leaf can move a score from end to end of what its reach allows.
ONE_TREE: dict[str, Any] = {
    "n_rounds": 1,
    "trees_per_round": 1,
    "max_depth": 1,
    "learning_rate": 4.0,
    "shrinkage": 1.0,
    "score_reach": 100.0,
    "histogram_share": 0.2,
    "base_share": 0.2,
    "attribute_choice": "random",
    "attributes_per_tree": 0,
}
TWO_ROUNDS = {**ONE_TREE, "n_rounds": 2}
LAPLACE = {"mechanism": "laplace"}
GAUSSIAN = {"mechanism": "gaussian", "delta": 1e-3}
# Nothing but the leaves, at scores of 0 only: no release depends on an earlier one.
FIXED = {**TWO_ROUNDS, "histogram_share": 0.0, "base_share": 0.0, "score_reach": 0.0}

AMOUNTS = World(
    Domain({"u": Numeric(0, 1)}), 2, ((0.1,), (0.9,)), n_classes=1, numbers=(1.0, 2.2, 4.0), target_range=(1.0, 4.0)
)
SPENDING = World(
    Domain({"u": Numeric(0, 1)}), 3, THREE_CELLS, n_classes=1, numbers=(-3.0, 0.4, 7.0), target_range=(0.0, 1.0)
)
HEAVY = World(Domain({"u": Numeric(0, 1)}), 2, ((0.1,), (0.9,)), weights=(0.25, 5.0))
HEAVY_AMOUNTS = World(
    Domain({"u": Numeric(0, 1)}),
    2,
    ((0.1,), (0.9,)),
    n_classes=1,
    numbers=(1.0, 4.0),
    target_range=(1.0, 4.0),
    weights=(0.5, 9.0),
)


def classifier(settings: dict[str, Any], world: World = NUMBERS, n_rows: int = 2, **fields: Any) -> Case:
    return Case(PrivateBoostingClassifier, settings, world, n_rows, **{"scripts": 3, "leaf_limit": 5, **fields})


def regressor(settings: dict[str, Any], world: World = AMOUNTS, n_rows: int = 2, **fields: Any) -> Case:
    return Case(PrivateBoostingRegressor, settings, world, n_rows, **{"scripts": 3, "leaf_limit": 5, **fields})


# An orthogonal array: seven choices of two in eight runs, every pair of choices in all four combinations.
_EIGHT = tuple((a, b, a ^ b, c, a ^ c, b ^ c, a ^ b ^ c) for a, b, c in itertools.product((0, 1), repeat=3))


def chosen(row: tuple[int, ...]) -> dict[str, Any]:
    """Settings by one run of the array."""
    return {
        "relation": RELATIONS[row[0]],
        **(LAPLACE, GAUSSIAN)[row[1]],
        "n_rounds": 1 + row[2],
        "trees_per_round": 1 + row[3],
        "max_depth": 1 + row[4],
        "score_reach": (100.0, 0.5)[row[5]],
        "histogram_share": (0.3, 0.0)[row[6]],
        "base_share": (0.1, 0.0)[row[0] ^ row[1] ^ row[3]],
        "shrinkage": (0.3, 3.0)[row[2] ^ row[5]],
        # One tree a round, and one for each of two attributes, is the least that can learn.
        "attribute_choice": ("random", "adaptive")[row[2] & ~row[3] & 1],
        "attributes_per_tree": (0, 1)[row[4] ^ row[6]],
        "learning_rate": 4.0,
    }


# One tree: every outcome of counts and histograms is followed by the worst of its leaves.
SMALLEST = [
    *(
        classifier({**ONE_TREE, **noise, "relation": relation}, world, n_rows)
        for noise, relation, (world, n_rows) in itertools.product(
            (LAPLACE, GAUSSIAN), RELATIONS, ((HALVES, 3), (THREE_CLASSES, 2))
        )
    ),
    *(
        regressor(
            {**ONE_TREE, **noise, "relation": relation, "loss": loss, "quantile": 0.8 if loss == "quantile" else 0.5}
        )
        for noise, relation, loss in itertools.product((LAPLACE, GAUSSIAN), RELATIONS, LOSSES)
    ),
]

# All outcomes one by one, not only alike.
EXHAUSTIVE = [
    classifier({**ONE_TREE, **LAPLACE}, HALVES, 2, scripts=0, leaf_limit=8),
    classifier({**TWO_ROUNDS, **LAPLACE}, HALVES, 2, scripts=0, leaf_limit=4, epsilon=8.0),
    classifier({**TWO_ROUNDS, **GAUSSIAN}, HALVES, 2, scripts=0, leaf_limit=3),
    regressor({**TWO_ROUNDS, **LAPLACE, "loss": "gamma"}, AMOUNTS, 2, scripts=0, leaf_limit=3, epsilon=8.0),
]

# No outcome changes how far a row moves the numbers, so the delta of the scripts is the delta of the learner.
FIXED_MOVES = [
    classifier({**FIXED, **GAUSSIAN}, HALVES, 3),
    classifier({**FIXED, **GAUSSIAN, "delta": 1e-9}, HALVES, 2),
    classifier({**FIXED, **GAUSSIAN}, THREE_CLASSES, n_rows=1),
    classifier({**FIXED, **GAUSSIAN, "histogram_share": 0.3}, HALVES),
    classifier({**FIXED, **GAUSSIAN, "rows_per_person": 2}, HALVES, 3),
    classifier({**FIXED, **GAUSSIAN}, HEAVY),
    regressor({**FIXED, **GAUSSIAN}),
    regressor({**FIXED, **GAUSSIAN, "loss": "poisson"}, SPENDING),
]

VARIED = [
    *(classifier(chosen(row), (NUMBERS, MIXED)[row[3]], epsilon=(1.0, 8.0)[row[5]]) for row in _EIGHT),
    *(classifier(chosen(row), THREE_CLASSES, epsilon=(8.0, 1.0)[row[6]]) for row in _EIGHT[::3]),
    *(
        regressor(
            {**chosen(row), "loss": loss}, (AMOUNTS, SPENDING)[loss == "squared_error"], epsilon=(1.0, 8.0)[row[5]]
        )
        for row, loss in zip(_EIGHT, (*LOSSES, *LOSSES[:3]), strict=True)
    ),
    classifier({**TWO_ROUNDS, **LAPLACE}, GAPS),
    classifier({**TWO_ROUNDS, **GAUSSIAN}, GAPS),
    classifier({**ONE_TREE, **LAPLACE}, n_rows=1),
    classifier({**ONE_TREE, **GAUSSIAN, "delta": 1e-9}, n_rows=1),
    classifier({**ONE_TREE, **LAPLACE, "delta": 1e-3}),
    classifier({**TWO_ROUNDS, **LAPLACE}, HALVES, 4, epsilon=20.0),
    classifier({**TWO_ROUNDS, **GAUSSIAN}, HALVES, 3, epsilon=20.0),
]

WEIGHTED = [
    *(
        classifier({**TWO_ROUNDS, **noise, "max_sample_weight": largest}, HEAVY)
        for noise, largest in itertools.product((LAPLACE, GAUSSIAN), (1.0, 2.5))
    ),
    *(
        regressor({**TWO_ROUNDS, **noise, "loss": loss, "max_sample_weight": 2.0}, HEAVY_AMOUNTS)
        for noise, loss in itertools.product((LAPLACE, GAUSSIAN), ("squared_error", "poisson"))
    ),
    *(
        classifier({**TWO_ROUNDS, **noise, "class_weight": {1: 3.0}}, world)
        for noise, world in itertools.product((LAPLACE, GAUSSIAN), (NUMBERS, THREE_CLASSES))
    ),
    classifier({**TWO_ROUNDS, **LAPLACE, "class_weight": {0: 0.2}, "relation": "replace-one"}, HEAVY),
]

DIRECTED = [
    *(classifier({**chosen(row), "max_depth": 2, "monotonic_cst": {"u": 1}}) for row in _EIGHT[1::3]),
    regressor({**TWO_ROUNDS, **LAPLACE, "monotonic_cst": {"u": -1}, "loss": "quantile", "quantile": 0.2}),
    regressor({**TWO_ROUNDS, **GAUSSIAN, "monotonic_cst": {"u": 1}}),
]

PERSONS = [
    *(
        classifier({**TWO_ROUNDS, **noise, "relation": relation, "rows_per_person": 2}, HALVES, 3, epsilon=4.0)
        for noise, relation in itertools.product((LAPLACE, GAUSSIAN), RELATIONS)
    ),
    regressor({**TWO_ROUNDS, **LAPLACE, "rows_per_person": 2}, n_rows=3),
    regressor({**TWO_ROUNDS, **GAUSSIAN, "rows_per_person": 2, "loss": "poisson"}, n_rows=3),
]

# The best of a few tests, selected.
SELECTING: dict[str, Any] = {"tests_per_node": 3, "selection_share": 0.6}
ONE_SELECTED = [
    classifier(
        {**ONE_TREE, **SELECTING, **noise, "base_share": 0.0, "selection_share": 0.9, "relation": relation}, world
    )
    for noise, relation, world in itertools.product((LAPLACE, GAUSSIAN), RELATIONS, (NUMBERS, MIXED))
]
SELECTED = [
    *(
        classifier(
            {**chosen(row), "tests_per_node": (2, 3)[row[5]], "selection_share": (0.9, 0.3)[row[6]]},
            (NUMBERS, MIXED)[row[3]],
            epsilon=(1.0, 8.0)[row[5]],
        )
        for row in _EIGHT
    ),
    *(
        regressor(
            {**ONE_TREE, **SELECTING, **noise, "loss": loss}, (AMOUNTS, SPENDING)[loss == "squared_error"], epsilon=4.0
        )
        for noise, loss in itertools.product((LAPLACE, GAUSSIAN), LOSSES)
    ),
    *(classifier({**TWO_ROUNDS, **SELECTING, **noise}, THREE_CLASSES) for noise in (LAPLACE, GAUSSIAN)),
    *(classifier({**TWO_ROUNDS, **SELECTING, **noise, "max_depth": 2}, GAPS) for noise in (LAPLACE, GAUSSIAN)),
    *(
        classifier(
            {**ONE_TREE, **SELECTING, **noise, "relation": relation, "rows_per_person": 2}, HALVES, 3, epsilon=4.0
        )
        for noise, relation in itertools.product((LAPLACE, GAUSSIAN), RELATIONS)
    ),
    *(classifier({**ONE_TREE, **SELECTING, **noise, "max_sample_weight": 2.5}, HEAVY) for noise in (LAPLACE, GAUSSIAN)),
    classifier({**ONE_TREE, **SELECTING, **LAPLACE}, NUMBERS, 2, scripts=0, leaf_limit=2),
    classifier({**ONE_TREE, **SELECTING, **GAUSSIAN}, NUMBERS, 2, scripts=0, leaf_limit=2),
]

# Scores multiplied by what a last histogram of them tells.
CALIBRATED = [
    *(
        classifier({**ONE_TREE, **noise, "relation": relation, "calibration_share": 0.4}, HALVES, 3)
        for noise, relation in itertools.product((LAPLACE, GAUSSIAN), RELATIONS)
    ),
    *(classifier({**TWO_ROUNDS, **noise, "calibration_share": 0.2}, NUMBERS) for noise in (LAPLACE, GAUSSIAN)),
    *(
        classifier({**ONE_TREE, **noise, "calibration_share": 0.4, "max_sample_weight": 2.5}, HEAVY)
        for noise in (LAPLACE, GAUSSIAN)
    ),
    *(
        classifier({**ONE_TREE, **SELECTING, **noise, "calibration_share": 0.4, "rows_per_person": 2}, HALVES, 3)
        for noise in (LAPLACE, GAUSSIAN)
    ),
]

# From the third tree on, released sums decide which of two attributes is tested.
ADAPTING: dict[str, Any] = {"attribute_choice": "adaptive", "n_rounds": 4, "score_reach": 0.5}
ADAPTIVE = [
    *(
        classifier({**ONE_TREE, **ADAPTING, **noise, "base_share": 0.0, "relation": relation}, MIXED, epsilon=4.0)
        for noise, relation in itertools.product((LAPLACE, GAUSSIAN), RELATIONS)
    ),
    *(classifier({**ONE_TREE, **ADAPTING, **SELECTING, **noise}, MIXED, epsilon=4.0) for noise in (LAPLACE, GAUSSIAN)),
    regressor({**ONE_TREE, **ADAPTING, **LAPLACE}, epsilon=4.0),
]

NEWTON = [
    *SMALLEST,
    *EXHAUSTIVE,
    *FIXED_MOVES,
    *VARIED,
    *WEIGHTED,
    *DIRECTED,
    *PERSONS,
    *ONE_SELECTED,
    *SELECTED,
    *CALIBRATED,
    *ADAPTIVE,
]

_MANY = {
    **ONE_TREE,
    "n_rounds": 4,
    "trees_per_round": 3,
    "max_depth": 3,
    "learning_rate": 2.0,
    "attributes_per_tree": 2,
}
NEWTON_LARGER = [
    *(
        classifier({**_MANY, **SELECTING, **noise, "n_rounds": 2}, WIDE, 20, epsilon=8.0)
        for noise in (LAPLACE, GAUSSIAN)
    ),
    *(classifier({**_MANY, **noise}, WIDE, 30, epsilon=8.0) for noise in (LAPLACE, GAUSSIAN)),
    classifier(
        {**_MANY, **LAPLACE, "attribute_choice": "adaptive", "n_rounds": 8, "trees_per_round": 1}, WIDE, 30, epsilon=8.0
    ),
    *(
        classifier({**_MANY, **noise, "rows_per_person": 3, "relation": "replace-one"}, WIDE, 12)
        for noise in (LAPLACE, GAUSSIAN)
    ),
    *(
        regressor({**_MANY, **noise, "loss": loss}, SPENDING if loss == "squared_error" else AMOUNTS, 20)
        for noise, loss in itertools.product((LAPLACE, GAUSSIAN), LOSSES)
    ),
]
