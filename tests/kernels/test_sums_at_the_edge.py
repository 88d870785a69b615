"""Integer sums at the largest sizes that a plan admits: exact, in any order, on any number of threads, compiled or not.

A plan admits fewer than 2**36 rows, which public numbers tell. No row weighs more than 2**16 units, and no gradient is
above 2**10 times that; so sums of weights stay below 2**52, which float64 holds exactly, and sums of gradients below
2**62, which int64 holds. A few rows of huge weight stand for so many here.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from privboost import (
    BDPEClassifier,
    Domain,
    Numeric,
    PrivateBoostingClassifier,
    PrivateBoostingRegressor,
    PrivateForestClassifier,
    PrivateTreeClassifier,
)
from privboost.ensembles.plan import check_range
from privboost.errors import PlanError
from privboost.estimators.training import PublicFacts
from privboost.evaluation.plan import plan_evaluation
from privboost.kernels.gradients import gradient_split_scores, gradient_sums, gradient_test_sums
from privboost.kernels.scores import candidate_sums, split_scores
from privboost.kernels.sums import leaf_sums, level_sums
from privboost.privacy.relation import PrivacyUnit
from privboost.sources.gradients import GRID
from privboost.sources.objectives import MAX_RATIO, OBJECTIVES, get_objective

MOST_ROWS = 2**36 - 1
MOST_WEIGHT = MOST_ROWS * GRID
MOST_GRADIENT = MOST_ROWS * GRID * int(MAX_RATIO)

LEARNERS = [
    BDPEClassifier(),
    PrivateForestClassifier(),
    PrivateForestClassifier(partition="shared", mechanism="exponential"),
    PrivateTreeClassifier(),
    PrivateBoostingClassifier(),
    PrivateBoostingClassifier(mechanism="gaussian", delta=1e-12, tests_per_node=4),
    PrivateBoostingRegressor(loss="gamma", target_range=(1, 2)),
]


def both_forms(kernel: Any) -> list[Callable[..., None]]:
    return [kernel, getattr(kernel, "py_func", kernel)]


def forms(*kernels: Any) -> Any:
    """Each kernel compiled and plain."""
    pairs = list(zip(*map(both_forms, kernels), strict=True))
    return pytest.mark.parametrize("run", pairs, ids=["compiled", "plain"])


class TestPlans:
    @pytest.mark.parametrize("model", LEARNERS, ids=lambda m: type(m).__name__)
    def test_admit_the_most_rows_and_refuse_one_more(self, model: Any) -> None:
        def plan(n_rows: int) -> Any:
            return model._plan(PublicFacts(1.0, PrivacyUnit(), n_rows, 2, 18, model._stated_delta(), 2, 22))

        plan(MOST_ROWS)
        with pytest.raises(PlanError, match=rf"At most {MOST_ROWS} rows can be summed exactly"):
            plan(MOST_ROWS + 1)

    def test_of_evaluations_do_too(self) -> None:
        plan_evaluation(MOST_ROWS, 2, 1.0, 0.0)
        with pytest.raises(PlanError, match=rf"At most {MOST_ROWS} rows can be summed exactly"):
            plan_evaluation(MOST_ROWS + 1, 2, 1.0, 0.0)

    def test_bounds_follow_from_public_numbers(self) -> None:
        check_range(MOST_ROWS)
        assert MOST_WEIGHT < 2**52
        assert MOST_GRADIENT < 2**62

    @pytest.mark.parametrize("name", OBJECTIVES)
    def test_no_row_brings_more_than_they_allow_for(self, name: str) -> None:
        """The largest sensitivity of all objectives, over score intervals that admit anything."""
        objective = get_objective(name, 5 if name == "softmax" else 1, lowest=1e-300)
        low, high = np.full(objective.n_outputs, -1e3), np.full(objective.n_outputs, 1e3)
        row = objective.sensitivity(low, high, 1.0, "l1")  # of gradients and curvature together
        largest = GRID * (2 * MAX_RATIO if name == "gamma" else 3)
        assert row <= largest * (1 + 1e-6)
        assert MOST_ROWS * row < 2**63


def shares(total: int, n_rows: int, rng: np.random.Generator) -> np.ndarray:
    """Divide a total among rows, exactly."""
    cuts = np.sort(rng.integers(0, total, n_rows - 1, endpoint=True))
    parts = np.diff(np.concatenate([[0], cuts, [total]]))
    assert sum(parts.tolist()) == total
    return parts


class TestExact:
    @forms(level_sums, candidate_sums)
    @pytest.mark.parametrize("n_attributes", [1, 40, 5000])
    def test_sums_of_a_level_and_of_its_candidates(self, run: Any, n_attributes: int) -> None:
        """Prefix sums over 5000 attributes pass 2**63 and wrap; differences of two of them are exact all the same."""
        sums_of, candidates_of = run
        if n_attributes > 40 and not hasattr(sums_of, "py_func"):
            pytest.skip("slow, and NumPy warns where it wraps")
        rng = np.random.default_rng(0)
        n_rows = 12
        weight = shares(MOST_WEIGHT, n_rows, rng)
        codes = rng.integers(0, 3, (n_attributes, n_rows)).astype(np.uint8)
        label, node = rng.integers(0, 2, n_rows).astype(np.int16), np.zeros(n_rows, np.int32)
        offsets = 3 * np.arange(n_attributes + 1)
        sums = np.zeros((1, 3 * n_attributes, 2), np.int64)
        sums_of(codes, offsets, node, label, weight, np.zeros(1, np.int32), sums)
        tests = np.unique(np.linspace(0, n_attributes - 1, 7).astype(np.int32))
        one, none = np.ones(len(tests), np.uint8), np.zeros(len(tests), np.bool_)
        children = np.empty((1, len(tests), 2, 2), np.int64)
        candidates_of(sums, offsets, tests, one, one, none, children)
        for j, a in enumerate(tests.tolist()):
            for y in range(2):
                right = sum(w for w, c, t in zip(weight.tolist(), codes[a], label, strict=True) if c == 1 and t == y)
                left = sum(w for w, c, t in zip(weight.tolist(), codes[a], label, strict=True) if c != 1 and t == y)
                assert children[0, j].tolist()[1][y] == right
                assert children[0, j].tolist()[0][y] == left
        assert int(children[0, 0].sum()) == MOST_WEIGHT

    @forms(leaf_sums)
    def test_sums_of_leaves(self, run: Any) -> None:
        weight = shares(MOST_WEIGHT, 9, np.random.default_rng(1))
        out = np.zeros((1, 2), np.int64)
        run[0](np.zeros(9, np.int32), np.ones(9, np.int16), weight, out)
        assert out.tolist() == [[0, MOST_WEIGHT]]

    @forms(split_scores)
    def test_scores_of_the_largest_sums_are_whole_numbers_without_error(self, run: Any) -> None:
        half = MOST_WEIGHT // 2
        children = np.array([[[[half, half], [0, 0]], [[1, half], [half, 0]]]], np.int64)
        out = np.empty((1, 2), np.int64)
        run[0](children, 0, 0.0, out)  # zero-one: twice the lighter class
        assert out.tolist() == [[-2 * half, -2]]

    @forms(gradient_sums)
    @pytest.mark.parametrize("sign", [1, -1])
    def test_sums_of_gradients(self, run: Any, sign: int) -> None:
        rows = sign * shares(MOST_GRADIENT, 9, np.random.default_rng(2))[None, :]
        out = np.zeros((1, 1), np.int64)
        run[0](np.zeros(9, np.int32), rows, out)
        assert out.tolist() == [[sign * MOST_GRADIENT]]

    @forms(gradient_test_sums, gradient_split_scores)
    @pytest.mark.parametrize("signs", [(1, 1), (1, -1), (-1, -1)])
    def test_scores_of_tests_by_gradients(self, run: Any, signs: tuple[int, int]) -> None:
        """Halves of all gradients on either side, of either sign."""
        half = MOST_GRADIENT // 2
        gradients = np.array([[signs[0] * half, signs[1] * half]])
        codes, node = np.array([[1, 2]], np.uint8), np.zeros(2, np.int32)
        apart, together = (0, 1, 1), (-1, 1, 1)
        attribute, first, last = (np.array([pair]) for pair in zip(apart, together, strict=True))
        out = np.empty((1, 2), np.int64)
        types = attribute.astype(np.int32), first.astype(np.uint8), last.astype(np.uint8), np.zeros((1, 2), np.bool_)
        sums = np.zeros((1, 1, 2), np.int64), np.zeros((1, 1), np.int64), np.zeros(1, np.int64)
        run[0](codes, node, gradients, *types, *sums)
        run[1](*sums, out)
        assert out.tolist() == [[0, 0 if signs[0] == signs[1] else -2 * half]]

    @pytest.mark.filterwarnings("ignore:overflow encountered")  # of NumPy, where the kernel is not compiled
    def test_one_row_more_than_int64_holds_would_be_seen(self) -> None:
        """The tests above can fail: beyond the bound, the same kernel wraps."""
        rows = np.full((1, 9), MOST_GRADIENT)
        out = np.zeros((1, 1), np.int64)
        gradient_sums(np.zeros(9, np.int32), rows, out)
        assert out.tolist() != [[9 * MOST_GRADIENT]]


class TestOrderAndThreads:
    @staticmethod
    def sums(order: Any = slice(None)) -> bytes:
        """Every kernel that adds rows up, on the same rows in some order."""
        rng = np.random.default_rng(4)
        n_rows, offsets = 2000, np.array([0, 5, 9])
        codes = np.ascontiguousarray(np.stack([rng.integers(0, k, n_rows) for k in (5, 4)]).astype(np.uint8)[:, order])
        node, label = rng.integers(0, 4, n_rows).astype(np.int32), rng.integers(0, 2, n_rows).astype(np.int16)
        weight, gradients = rng.integers(0, GRID, n_rows), rng.integers(-GRID, GRID, (3, n_rows))
        node, label, weight = node[order], label[order], weight[order]
        gradients = np.ascontiguousarray(gradients[:, order])
        outs = [np.zeros(shape, np.int64) for shape in ((4, 9, 2), (4, 2), (4, 3), (4, 2))]
        level_sums(codes, offsets, node, label, weight, np.arange(4, dtype=np.int32), outs[0])
        leaf_sums(node, label, weight, outs[1])
        gradient_sums(node, gradients, outs[2])
        tests = np.array([[0, 1]] * 4, np.int32), np.full((4, 2), 2, np.uint8), np.full((4, 2), 255, np.uint8)
        sums = np.zeros((3, 4, 2), np.int64), np.zeros((3, 4), np.int64), np.zeros(4, np.int64)
        gradient_test_sums(codes, node, gradients, *tests, np.zeros((4, 2), np.bool_), *sums)
        gradient_split_scores(*sums, outs[3])
        return b"".join(out.tobytes() for out in outs)

    def test_any_order_of_rows_gives_the_same_bits(self) -> None:
        rng = np.random.default_rng(6)
        orders = [slice(None), slice(None, None, -1), *(rng.permutation(2000) for _ in range(5))]
        assert len({self.sums(order) for order in orders}) == 1

    @pytest.mark.parametrize("n_threads", [1, 2, 8])
    def test_any_number_of_threads_does(self, n_threads: int) -> None:
        with ThreadPoolExecutor(n_threads) as pool:
            found = set(pool.map(lambda _: self.sums(), range(3 * n_threads)))
        assert found == {self.sums()}


@cache
def models() -> str:
    """Fit one of each learner with a seed, and return a digest of their trees and statements."""
    rng = np.random.default_rng(0)
    X = rng.random((80, 2))
    y = (X[:, 0] > X[:, 1]).astype(int)
    common = {
        "domain": Domain({"a": Numeric(0, 1), "b": Numeric(0, 1)}),
        "random_state": 0,
        "max_depth": 2,
        "n_bins": 8,
    }
    small = {"n_rounds": 2, "trees_per_round": 2, "tests_per_node": 3}
    fitted = [
        BDPEClassifier(classes=[0, 1], n_trees=2, **common),
        PrivateForestClassifier(classes=[0, 1], n_trees=3, **common),
        PrivateTreeClassifier(classes=[0, 1], **common),
        PrivateBoostingRegressor(target_range=(0, 1), loss="absolute_error", **common, **small),
    ]
    digest = hashlib.sha256()
    for model in fitted:
        model.fit(X, y)
        for tree in model.ensemble_.trees:
            for part in (tree.splits.attribute, tree.splits.first, tree.splits.last, tree.values):
                digest.update(part.tobytes())
        digest.update(str(model.privacy_.to_dict()).encode())
    return digest.hexdigest()


@pytest.mark.filterwarnings("ignore:'random_state' is set:privboost.errors.PrivacyWarning")
@pytest.mark.parametrize(
    "settings",
    [
        {"NUMBA_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        {"NUMBA_NUM_THREADS": "2", "OMP_NUM_THREADS": "2"},
        {"NUMBA_NUM_THREADS": "8", "OMP_NUM_THREADS": "8"},
        {"NUMBA_DISABLE_JIT": "1"},
    ],
    ids=lambda s: " ".join(f"{k}={v}" for k, v in s.items()),
)
def test_whole_models_have_the_same_bits_in_a_process_with(settings: dict[str, str]) -> None:
    program = (
        "import runpy, sys, warnings; warnings.simplefilter('ignore'); "
        "print(runpy.run_path(sys.argv[1], run_name='beside')['models']())"
    )
    environment = {**os.environ, **settings}
    command = [sys.executable, "-c", program, str(Path(__file__))]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=True)
    assert run.stdout.strip() == models()
