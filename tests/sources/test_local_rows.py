"""Levels of more sums than can be numbered are refused: before a fit is charged, and once more at last."""

from __future__ import annotations

import numpy as np
import pytest

from privboost import BDPEClassifier, Budget, Domain, Numeric
from privboost.errors import PlanError
from privboost.losses import ZeroOneLoss
from privboost.sources.local import LocalRows
from privboost.trees.tree import Splits


def test_a_level_of_more_sums_than_can_be_numbered_is_refused() -> None:
    codes, labels = np.ones((1, 3), np.uint8), np.zeros(3, np.int16)
    rows = LocalRows(codes, np.array([0, 2**31 + 1]), labels, 2)
    tests = Splits(np.zeros(1, np.int32), np.ones(1, np.uint8), np.ones(1, np.uint8), np.zeros(1, np.bool_))
    with pytest.raises(PlanError, match=r"than 4294967296, which can be numbered\. Lower max_depth"):
        rows.split_scores(tests, ZeroOneLoss(), 1)


def test_a_fit_that_would_come_to_it_is_refused_before_it_is_charged() -> None:
    names = [f"x{i}" for i in range(260)]
    domain, budget = Domain(dict.fromkeys(names, Numeric(0, 1))), Budget(3.0)
    model = BDPEClassifier(1.0, n_trees=1, max_depth=16, n_bins=254, domain=domain, classes=[0, 1], budget=budget)
    with pytest.raises(PlanError, match="Lower max_depth"):
        model.fit(np.zeros((4, 260)), [0, 1, 0, 1])
    assert budget.spent == (0.0, 0.0)
