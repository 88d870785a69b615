"""What a released tree does to the rows' scores and weights."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from privboost.compiled import kernel

__all__ = ["add_leaf_values", "boosting_weights"]


@kernel
def add_leaf_values(
    leaf: npt.NDArray[np.int32], values: npt.NDArray[np.float64], score: npt.NDArray[np.float64]
) -> None:
    """Add to each row's running score the value of its leaf, in place."""
    for i in range(leaf.shape[0]):
        score[i] += values[leaf[i]]


@kernel
def boosting_weights(
    score: npt.NDArray[np.float64],
    label: npt.NDArray[np.int16],
    active: npt.NDArray[np.bool_],
    alpha: float,
    grid: float,
    cap: int,
    out: npt.NDArray[np.int64],
) -> None:
    """Write each row's weight ``psi^-1(-y H)`` of the mixture loss, in grid units, never above ``cap``.

    Parameters
    ----------
    score : (n_rows,) running scores H
    label : (n_rows,) 0 for y = -1 and 1 for y = +1
    active : (n_rows,) False gives weight 0
    alpha : share of Matsushita loss, in (0, 1]
    grid : grid units in a weight of 1
    cap : largest weight, in grid units
    out : (n_rows,) int64, overwritten
    """
    kink = 2.0 * (1.0 - alpha)
    for i in range(score.shape[0]):
        z = -score[i] if label[i] == 1 else score[i]
        t = min(max(abs(z) - kink, 0.0), 1e150)  # whose square does not overflow; beyond it, w is 0 or 1 in any case
        t = t if z >= 0.0 else -t
        w = 0.5 * (1.0 + t / np.sqrt(4.0 * alpha * alpha + t * t))
        out[i] = min(int(np.rint(w * grid)), cap) if active[i] else 0
