"""The compiled run of one output's trees: a loop over kernels, for simulations. No arithmetic of its own.

It makes the calls of `Trainer.grow` and `_boost_output`, in the same order and with the same draws, without Python in
between.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from privboost.compiled import kernel
from privboost.kernels.boost import add_leaf_values, boosting_weights, weight_cap
from privboost.kernels.calibration import calibrated_alpha, least_scale, mixture_score_sensitivity
from privboost.kernels.leaves import leaf_probability, mixture_link, weighted_edge
from privboost.kernels.route import route_level
from privboost.kernels.scores import candidate_ranges, range_sums, split_scores
from privboost.kernels.sums import (
    cells_of_rows,
    count_rows,
    larger_siblings,
    leaf_sums,
    row_level_sums,
    smaller_siblings,
)
from privboost.privacy.randomness import add_discrete_laplace, noisy_argmax
from privboost.sources.local import RowArrays

__all__ = ["Budgets", "Choices", "GrownTrees", "RunTests", "run_output"]

MIXTURE = 4
"""The kind of the mixture loss in `privboost.kernels.scores`."""


class Choices(NamedTuple):
    """Public numbers of a run, as `BoostingPlan` and `BoostingSettings` have them.

    ``alpha`` is -1 for objective calibration, ``rule_code`` is of `RULE_CODES`, ``step`` is the factor of mean weight
    and edge in a tree's coefficient, ``trials`` the logarithm of `calibrate_alpha`, ``lowest`` the smallest noise
    scale.
    """

    depth: int
    n_rows: int
    grid: int
    distance: int
    private: bool
    rule_code: int
    paper: bool
    released_bound: bool
    exact_leverage: bool
    alpha: float
    combination_alpha: float
    clip: float
    step: float
    smoothing: float
    gap: float
    trials: float
    lowest: float


class Budgets(NamedTuple):
    """Of each level of a tree and then its leaves, shape (depth + 1,); every tree has the same.

    ``epsilon`` is the nearest float; ``reciprocal``, with one axis more, is what `least_scale` takes.
    """

    epsilon: npt.NDArray[np.float64]
    reciprocal: npt.NDArray[np.float64]


class RunTests(NamedTuple):
    """The candidates, one entry each; the fields are those of `Splits`."""

    attribute: npt.NDArray[np.int32]
    first: npt.NDArray[np.uint8]
    last: npt.NDArray[np.uint8]
    missing_right: npt.NDArray[np.bool_]


class GrownTrees(NamedTuple):
    """What a run writes, tree by tree.

    The tests in heap order, leaf values and coefficients; bounds of the weights; and, for every level and then for the
    leaves, what releases were calibrated to: alpha (no entry for leaves), sensitivity, noise scale.
    """

    attribute: npt.NDArray[np.int32]
    first: npt.NDArray[np.uint8]
    last: npt.NDArray[np.uint8]
    missing_right: npt.NDArray[np.bool_]
    values: npt.NDArray[np.float64]
    coefficient: npt.NDArray[np.float64]
    cap: npt.NDArray[np.int64]
    alpha: npt.NDArray[np.float64]
    sensitivity: npt.NDArray[np.int64]
    scale: npt.NDArray[np.float64]


@kernel
def _calibrate(choices: Choices, budgets: Budgets, t: int, out: GrownTrees) -> None:
    """Write what the releases of tree ``t`` are calibrated to, by its bound of the weights."""
    cap = out.cap[t]
    for level in range(choices.depth):
        alpha = choices.alpha
        if alpha < 0.0:
            alpha = 1.0
            if choices.private:
                alpha = calibrated_alpha(
                    budgets.epsilon[level],
                    level,
                    choices.n_rows,
                    choices.trials,
                    cap / choices.grid,
                    choices.distance,
                    choices.gap,
                    choices.paper,
                )
        out.alpha[t, level] = alpha
        if choices.private:
            out.sensitivity[t, level] = mixture_score_sensitivity(alpha, choices.n_rows, cap, choices.paper)
    if choices.private:
        out.sensitivity[t, choices.depth] = cap
        for k in range(choices.depth + 1):
            change = choices.distance * out.sensitivity[t, k]
            scale = least_scale(change, budgets.reciprocal[k], choices.lowest)
            out.scale[t, k] = scale


@kernel
def _sum_level(
    rows: RowArrays, cells: npt.NDArray[np.uint16], parent: npt.NDArray[np.int64], sums: npt.NDArray[np.int64]
) -> None:
    """Write the sums of a level's cells, (n_nodes, n_cells, 2); below the root by those of the level above."""
    n_nodes = sums.shape[0]
    place = np.zeros(n_nodes, np.int32)
    if n_nodes == 1:
        sums[:] = 0
        row_level_sums(cells, rows.node, rows.weight, place, sums)
        return
    counts = np.zeros(n_nodes, np.int64)
    count_rows(rows.node, counts)
    smaller_siblings(counts, place)
    built = np.zeros(parent.shape, np.int64)
    row_level_sums(cells, rows.node, rows.weight, place, built)
    larger_siblings(built, place, parent, sums)


@kernel
def _choose(
    rng: np.random.Generator,
    choices: Choices,
    rows: RowArrays,
    tests: RunTests,
    ranges: npt.NDArray[np.int64],
    sums: npt.NDArray[np.int64],
    alpha: float,
    scale: float,
    chosen: npt.NDArray[np.int64],
) -> None:
    """Write the test of every node of a level: selected, or without privacy the best, and -1 for a pure node."""
    n_nodes, n_tests = chosen.shape[0], tests.attribute.shape[0]
    children = np.empty((n_nodes, n_tests, 2, 2), np.int64)
    range_sums(sums, ranges, tests.missing_right, children)
    scores = np.empty((n_nodes, n_tests), np.int64)
    split_scores(children, MIXTURE, alpha, scores)
    if choices.private:
        noisy_argmax(rng, scores, scale, choices.rule_code, chosen)
        return
    totals = np.zeros((n_nodes, 2), np.int64)
    leaf_sums(rows.node, rows.label, rows.weight, totals)
    for k in range(n_nodes):
        pure = totals[k, 0] <= 0 or totals[k, 1] <= 0
        chosen[k] = -1 if pure else np.argmax(scores[k])


@kernel
def _grow(
    rng: np.random.Generator,
    choices: Choices,
    rows: RowArrays,
    cells: npt.NDArray[np.uint16],
    tests: RunTests,
    ranges: npt.NDArray[np.int64],
    t: int,
    out: GrownTrees,
) -> None:
    """Write the tests of tree ``t``, and send every row to its leaf."""
    rows.node[:] = 0
    n_cells = rows.offsets[-1]
    above = np.empty((0, n_cells, 2), np.int64)
    for level in range(choices.depth):
        n_nodes = 2**level
        sums = np.empty((n_nodes, n_cells, 2), np.int64)
        _sum_level(rows, cells, above, sums)
        above = sums
        chosen = np.empty(n_nodes, np.int64)
        _choose(rng, choices, rows, tests, ranges, sums, out.alpha[t, level], out.scale[t, level], chosen)
        nodes = slice(n_nodes - 1, 2 * n_nodes - 1)
        attribute, first = out.attribute[t, nodes], out.first[t, nodes]
        last, missing_right = out.last[t, nodes], out.missing_right[t, nodes]
        for k in range(n_nodes):
            j = max(chosen[k], 0)  # the null test has the other fields of the first candidate
            attribute[k] = tests.attribute[j] if chosen[k] >= 0 else -1
            first[k], last[k], missing_right[k] = tests.first[j], tests.last[j], tests.missing_right[j]
        route_level(rows.codes, rows.node, attribute, first, last, missing_right)


@kernel
def _answer(rng: np.random.Generator, choices: Choices, rows: RowArrays, t: int, out: GrownTrees) -> None:
    """Write what the leaves of tree ``t`` say, and its coefficient."""
    n_leaves = 2**choices.depth
    exact = np.zeros((n_leaves, 2), np.int64)
    leaf_sums(rows.node, rows.label, rows.weight, exact)
    released = exact.copy()
    if choices.private:
        flat = released.reshape(-1)
        add_discrete_laplace(rng, flat, out.scale[t, choices.depth], flat)
    sums = released / choices.grid
    probability = np.empty(n_leaves, np.float64)
    leaf_probability(sums, out.scale[t, choices.depth] / choices.grid, choices.smoothing, probability)
    mixture_link(probability, choices.combination_alpha, choices.clip, out.values[t])
    weighed = exact / choices.grid if choices.exact_leverage else sums
    mean_weight, edge = weighted_edge(weighed, out.values[t], choices.n_rows, choices.clip)
    out.coefficient[t] = choices.step * mean_weight * edge


@kernel
def run_output(
    rng: np.random.Generator, choices: Choices, budgets: Budgets, rows: RowArrays, tests: RunTests, out: GrownTrees
) -> None:
    """Grow all trees of one output.

    Parameters
    ----------
    rng : advanced as `SimulatedRandomness` is by the ordinary path; not used without privacy
    choices, budgets, tests : public
    rows : weights 1/2
    out : overwritten; sensitivities and scales only if private, where they must come as zeros
    """
    alpha, grid = choices.combination_alpha, float(choices.grid)
    cells = np.empty((rows.codes.shape[1], rows.codes.shape[0]), np.uint16)
    cells_of_rows(rows.codes, rows.offsets, rows.label, cells)
    ranges = np.empty((4, tests.attribute.shape[0]), np.int64)
    candidate_ranges(rows.offsets, tests.attribute, tests.first, tests.last, ranges)
    largest_score = 0.0  # bound on |H(x)| over all x, from released trees alone
    cap = weight_cap(largest_score, alpha, grid)
    for t in range(out.coefficient.shape[0]):
        out.cap[t] = cap if choices.released_bound else choices.grid
        _calibrate(choices, budgets, t, out)
        _grow(rng, choices, rows, cells, tests, ranges, t, out)
        _answer(rng, choices, rows, t, out)
        steps = out.coefficient[t] * out.values[t]
        largest_score += np.abs(steps).max()
        cap = weight_cap(largest_score, alpha, grid)
        add_leaf_values(rows.node, steps, rows.score)
        boosting_weights(rows.score, rows.label, rows.active, alpha, grid, cap, rows.weight)
