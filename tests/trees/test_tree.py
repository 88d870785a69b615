"""Trees in arrays: what is refused, and trees of one depth that share their arrays."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from privboost.ensembles.ensemble import Ensemble
from privboost.errors import ModelFileError
from privboost.trees.tree import EqualTrees, Splits, Tree

N_TREES, DEPTH = 5, 2


def equal_trees(n_outputs: int = 1) -> EqualTrees:
    rng = np.random.default_rng(4)
    n = N_TREES * (2**DEPTH - 1)
    first = rng.integers(1, 6, n).astype(np.uint8)
    splits = Splits(
        rng.integers(-1, 3, n).astype(np.int32),
        first,
        np.where(rng.random(n) < 0.5, 255, first).astype(np.uint8),
        rng.random(n) < 0.5,
    )
    return EqualTrees(DEPTH, splits, rng.normal(size=(N_TREES, 2**DEPTH, n_outputs)))


def ensemble(trees: EqualTrees | tuple[Tree, ...], n_outputs: int) -> Ensemble:
    rng = np.random.default_rng(7)
    outputs = np.full(len(trees), -1) if n_outputs > 1 else np.zeros(len(trees), np.int64)
    return Ensemble(
        "softmax" if n_outputs > 1 else "logit", max(n_outputs, 2), trees, rng.normal(size=len(trees)), outputs
    )


def test_a_tree_of_many_is_a_view_of_its_part() -> None:
    trees = equal_trees()
    assert len(trees) == len(list(trees)) == N_TREES
    for t, tree in enumerate(trees):
        at = slice(3 * t, 3 * t + 3)
        assert (tree.values == trees.values[t]).all()
        for field in ("attribute", "first", "last", "missing_right"):
            assert (getattr(tree.splits, field) == getattr(trees.splits, field)[at]).all()
        assert (trees[t - N_TREES].values == tree.values).all()
    assert [tree.values[0, 0] for tree in trees[1:4:2]] == trees.values[1:4:2, 0, 0].tolist()
    for index in (N_TREES, -N_TREES - 1):
        with pytest.raises(IndexError):
            trees[index]


@pytest.mark.parametrize("n_outputs", [1, 3])
def test_an_ensemble_of_equal_trees_answers_as_one_of_the_same_trees_apart(n_outputs: int) -> None:
    trees = equal_trees(n_outputs)
    codes = np.random.default_rng(1).integers(0, 6, (3, 200)).astype(np.uint8)
    together, apart = (ensemble(given, n_outputs) for given in (trees, tuple(trees)))
    assert together.scores(codes).tobytes() == apart.scores(codes).tobytes()
    assert pickle.loads(pickle.dumps(together)).scores(codes).tobytes() == apart.scores(codes).tobytes()


@pytest.mark.parametrize("kind", [tuple, lambda trees: trees])
def test_an_ensemble_takes_finite_values_of_its_outputs_only(kind) -> None:
    trees = equal_trees()
    for value in (np.nan, np.inf, -np.inf):
        trees.values[3, 1, 0] = value
        with pytest.raises(ModelFileError, match="Leaf values must be finite"):
            ensemble(kind(trees), 1)
    with pytest.raises(ModelFileError, match="do not fit the model's classes"):
        Ensemble("softmax", 3, kind(equal_trees(2)), np.ones(N_TREES), np.full(N_TREES, -1))
    for output in (-1, 1):
        outputs = np.array([0, 0, output, 0, 0])
        with pytest.raises(ModelFileError, match="do not fit the model's classes"):
            Ensemble("logit", 2, kind(equal_trees()), np.ones(N_TREES), outputs)


def test_an_ensemble_has_a_finite_base_for_each_output() -> None:
    for base in ((np.nan,), (0.0, 0.0), (np.inf,)):
        with pytest.raises(ModelFileError, match="base score"):
            Ensemble("logit", 2, equal_trees(), np.ones(N_TREES), np.zeros(N_TREES, np.int64), base=base)


@pytest.mark.parametrize(
    ("depth", "n_tests", "shape", "message"),
    [
        (0, 0, (1, 1), "must lie in 1..16"),
        (17, 1, (2, 1), "must lie in 1..16"),
        (2, 2, (4, 1), "has 3 tests; got 2"),
        (2, 3, (3, 1), "has 4 leaves"),
        (2, 3, (4,), "has 4 leaves"),
    ],
)
def test_a_tree_is_complete(depth: int, n_tests: int, shape: tuple[int, ...], message: str) -> None:
    with pytest.raises(ModelFileError, match=message):
        Tree(depth, Splits.null(n_tests), np.zeros(shape))
