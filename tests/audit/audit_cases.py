"""The learners that are audited: every exported estimator, with the settings that its guarantee depends on."""

from __future__ import annotations

import itertools

from audit_learner import GAPS, HALVES, MIXED, NUMBERS, THREE_CLASSES, WIDE, Case
from audit_newton_cases import NEWTON, NEWTON_LARGER

from privboost import BDPEClassifier, PrivateForestClassifier, PrivateTreeClassifier
from privboost.losses import Loss

RELATIONS = ("add-remove", "replace-one")
SELECTIONS = ("permute-and-flip", "exponential")
FORMS = ("exact", "paper")

# An orthogonal array: seven choices of two in eight runs, every pair of choices in all four combinations.
_EIGHT = tuple((a, b, a ^ b, c, a ^ c, b ^ c, a ^ b ^ c) for a, b, c in itertools.product((0, 1), repeat=3))

MY_LOSS = Loss.from_bayes_risk("my-own", lambda u: 1.0 - (2.0 * u - 1.0) ** 4)

SMALLEST_BOOSTED = [
    Case(BDPEClassifier, {"n_trees": 1, "max_depth": 1, "alpha": a, "relation": r, "selection": s, "sensitivity": f})
    for a, r, s, f in itertools.product(("calibrated", 0.3, 1.0), RELATIONS, SELECTIONS, FORMS)
]

SMALL_BOOSTED = [
    *(
        Case(
            BDPEClassifier,
            {"n_trees": 1, "max_depth": 1, "alpha": alpha, "relation": relation, "selection": selection},
            epsilon=30.0,
        )
        for alpha, relation, selection in itertools.product(("calibrated", 1.0), RELATIONS, SELECTIONS)
    ),
    Case(BDPEClassifier, {"n_trees": 1, "max_depth": 1, "alpha": 1.0}, world=GAPS, n_rows=2, epsilon=5.0),
    Case(BDPEClassifier, {"n_trees": 1, "max_depth": 1}, world=MIXED, n_rows=2, epsilon=5.0),
    Case(BDPEClassifier, {"n_trees": 1, "max_depth": 1, "alpha": 1.0}, n_rows=1),
    Case(BDPEClassifier, {"n_trees": 1, "max_depth": 1, "alpha": 1.0}, n_rows=5, epsilon=10.0),
    Case(BDPEClassifier, {"n_trees": 1, "max_depth": 1, "preset": "paper"}),
    Case(BDPEClassifier, {"n_trees": 1, "max_depth": 1, "split_share": 0.9, "leaf_clip": 1.0}),
    *(
        Case(
            BDPEClassifier,
            {"n_trees": 1, "max_depth": 1, "calibration_gap": gap, "relation": relation},
            epsilon=epsilon,
        )
        for (gap, epsilon), relation in itertools.product(((1.0, 1.0), (1.0, 8.0), (10.0, 8.0)), RELATIONS)
    ),
    *(
        Case(
            BDPEClassifier,
            {"n_trees": 1, "max_depth": 1, "alpha": 1.0, "relation": relation, "rows_per_person": 2},
            epsilon=4.0,
        )
        for relation in RELATIONS
    ),
]

TWO_TREES = [
    Case(
        BDPEClassifier,
        {
            "n_trees": 2,
            "max_depth": 1,
            "relation": RELATIONS[row[0]],
            "selection": SELECTIONS[row[1]],
            "sensitivity": FORMS[row[2]],
            "alpha": ("calibrated", 1.0)[row[3]],
            "weight_bound": ("released", "unit")[row[4]],
            "leaf_smoothing": (1.0, 0.0)[row[6]],
            "combination_alpha": (1.0, 0.25)[row[0] ^ row[3] ^ row[5]],
            "leverage_scale": 1.9,
        },
        n_rows=2,
        epsilon=(1.0, 20.0)[row[5]],
        leaf_limit=None if row == _EIGHT[0] else 4,
    )
    for row in _EIGHT
]
TWO_TREES.append(
    Case(BDPEClassifier, {"n_trees": 2, "max_depth": 1, "alpha": 1.0, "leverage_scale": 1.9}, leaf_limit=3)
)

DEPTH_TWO = [
    Case(
        BDPEClassifier,
        {
            "n_trees": 1,
            "max_depth": 2,
            "relation": RELATIONS[row[0]],
            "composition": ("parallel", "sequential")[row[1]],
            "selection": SELECTIONS[row[2]],
            "sensitivity": FORMS[row[3]],
            "alpha": ("calibrated", 1.0)[row[4]],
            "weight_bound": ("released", "unit")[row[5]],
        },
        n_rows=(3, 2)[row[4]],
        epsilon=(1.0, 20.0)[row[6]],
    )
    for row in _EIGHT
]

CRITERIA = ("zero-one", "matsushita", "square", "log", MY_LOSS)

SMALLEST_TREES = [
    Case(PrivateTreeClassifier, {"max_depth": 1, "criterion": c, "relation": r, "selection": s})
    for c, r, s in itertools.product(CRITERIA, RELATIONS, SELECTIONS)
]

TREES = [
    *(
        Case(
            PrivateTreeClassifier,
            {
                "max_depth": 2,
                "criterion": criterion,
                "relation": RELATIONS[row[0]],
                "composition": ("parallel", "sequential")[row[1]],
                "selection": SELECTIONS[row[2]],
                "sensitivity": FORMS[row[3]],
                "leaf_smoothing": (1.0, 0.0)[row[4]],
                "split_share": (0.5, 0.8)[row[5]],
            },
            epsilon=(1.0, 20.0)[row[6]],
        )
        for criterion, row in zip((*CRITERIA, *CRITERIA[:3]), _EIGHT, strict=True)
    ),
    Case(PrivateTreeClassifier, {"max_depth": 1, "criterion": "log", "rows_per_person": 2}),
]

# One tree a class: no tree's leaves matter to another, so one outcome of them is enough.
MULTI_CLASS = [
    Case(BDPEClassifier, {"n_trees": 1, "max_depth": 1, "relation": "replace-one"}, THREE_CLASSES, 2, leaf_limit=1),
    Case(PrivateTreeClassifier, {"max_depth": 1, "criterion": "square"}, THREE_CLASSES, 2, leaf_limit=1),
    Case(PrivateForestClassifier, {"n_trees": 2, "max_depth": 1, "mechanism": "exponential"}, THREE_CLASSES, 2),
    Case(
        PrivateForestClassifier,
        {"n_trees": 2, "max_depth": 1, "mechanism": "laplace", "relation": "replace-one"},
        THREE_CLASSES,
        2,
    ),
]

FORESTS = [
    Case(
        PrivateForestClassifier,
        {"n_trees": 2, "max_depth": depth, "mechanism": mechanism, "partition": partition, "relation": relation},
        HALVES if depth == 1 else NUMBERS,
        3 if depth == 1 else 2,
    )
    for depth, mechanism, partition, relation in itertools.product(
        (1, 2), ("laplace", "exponential"), ("disjoint", "shared"), RELATIONS
    )
] + [
    Case(PrivateForestClassifier, {"n_trees": 2, "max_depth": 1, "leaf": "soft", "partition": partition}, HALVES, 3)
    for partition in ("disjoint", "shared")
]

LARGER = [
    Case(BDPEClassifier, {"n_trees": 3, "max_depth": 2, "leverage_scale": 1.9}, WIDE, 12, epsilon=30.0),
    Case(BDPEClassifier, {"n_trees": 3, "max_depth": 2, "alpha": 1.0, "relation": "replace-one"}, WIDE, 12),
    Case(BDPEClassifier, {"n_trees": 8, "max_depth": 1, "alpha": 0.5, "leverage_scale": 1.9}, WIDE, 40, epsilon=100.0),
    Case(BDPEClassifier, {"n_trees": 2, "max_depth": 3, "preset": "paper", "rows_per_person": 3}, WIDE, 12),
    *(
        Case(PrivateTreeClassifier, {"max_depth": 3, "criterion": c, "relation": r}, WIDE, 30, epsilon=10.0)
        for c, r in zip(CRITERIA, itertools.cycle(RELATIONS))
    ),
    *(
        Case(
            PrivateForestClassifier,
            {"n_trees": 5, "max_depth": 3, "mechanism": mechanism, "partition": partition, "rows_per_person": 2},
            WIDE,
            20,
        )
        for mechanism, partition in itertools.product(("laplace", "exponential"), ("disjoint", "shared"))
    ),
]

AUDITED: dict[type, list[Case]] = {}
for _case in (
    *SMALLEST_BOOSTED,
    *SMALL_BOOSTED,
    *TWO_TREES,
    *DEPTH_TWO,
    *SMALLEST_TREES,
    *TREES,
    *MULTI_CLASS,
    *FORESTS,
    *LARGER,
    *NEWTON,
    *NEWTON_LARGER,
):
    AUDITED.setdefault(_case.estimator, []).append(_case)
