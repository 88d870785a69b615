"""What a released tree does to the rows' scores and weights."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from privboost.compiled import kernel

__all__ = ["add_leaf_values", "boosting_weights", "weight_cap"]


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
    out: npt.NDArray[np.int32],
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
    out : (n_rows,) int32, overwritten
    """
    kink, most, least = 2.0 * (1.0 - alpha), 2e150 * alpha, 2.0 * alpha
    # All in floats, which are exact for a cap of up to 2**53: the loop then takes four rows an instruction.
    top = float(cap)
    for i in range(score.shape[0]):
        z = -score[i] if label[i] == 1 else score[i]
        # Cut off where the square would overflow; the ratio is 1 long before. No alpha, however small, makes it 0 / 0.
        u = min(max(abs(z) - kink, 0.0), most) / least
        u = u if z >= 0.0 else -u
        w = 0.5 * (1.0 + u / np.sqrt(1.0 + u * u))
        units = min(np.rint(w * grid), top)
        units = units if units > 0.0 else 0.0  # nor would a score that is no number count
        out[i] = np.int32(units) if active[i] else np.int32(0)


@kernel
def weight_cap(largest_score: float, alpha: float, grid: float) -> int:
    """Return the largest weight that a row can have when no score exceeds ``largest_score``, rounded up to the grid.

    Parameters
    ----------
    largest_score : 0 or more
    alpha, grid : as for `boosting_weights`

    Returns
    -------
    ``ceil(psi^-1(largest_score) * grid)``, with ``1 - psi^-1`` multiplied out as in `privboost.losses`.
    """
    t = max(largest_score - 2.0 * (1.0 - alpha), 0.0) / alpha
    s = np.hypot(2.0, t)
    return int(np.ceil((1.0 - (1.0 / s) / (0.5 * s + 0.5 * t)) * grid))
