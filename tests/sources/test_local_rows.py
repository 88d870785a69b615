"""What rows in memory refuse before any of them is read."""

from __future__ import annotations

import numpy as np
import pytest

from privboost.errors import PlanError
from privboost.losses import ZeroOneLoss
from privboost.sources.local import LocalRows
from privboost.trees.tree import Splits


def test_a_level_of_more_sums_than_can_be_numbered_is_refused() -> None:
    codes, labels = np.ones((1, 3), np.uint8), np.zeros(3, np.int16)
    rows = LocalRows(codes, np.array([0, 2**31 + 1]), labels, 2)
    tests = Splits(np.zeros(1, np.int32), np.ones(1, np.uint8), np.ones(1, np.uint8), np.zeros(1, np.bool_))
    with pytest.raises(PlanError, match="Lower max_depth or n_bins"):
        rows.split_scores(tests, ZeroOneLoss(), 1)
