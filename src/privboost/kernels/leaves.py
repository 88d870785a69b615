"""What a tree's leaves say, and what the tree weighs, from the sums of its leaves.

Where the sums are released ones, everything here is post-processing of released numbers.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from privboost.compiled import kernel

__all__ = ["leaf_probability", "mixture_link", "weighted_edge"]


@kernel
def leaf_probability(
    sums: npt.NDArray[np.float64], noise_scale: float, smoothing: float, out: npt.NDArray[np.float64]
) -> None:
    """Write each leaf's estimated probability of class 1.

    Parameters
    ----------
    sums : (n_leaves, 2) sums of class 0 and class 1, in units of a weight; below 0 counts as 0
    noise_scale : scale of the sums' noise in the same units; 0 without privacy
    smoothing : how many noise scales of pseudo-weight to add, half to each class
    out : (n_leaves,) ``(w1 + k/2) / (w0 + w1 + k)`` with ``k = smoothing * noise_scale``, and 1/2 for 0/0; overwritten
    """
    k = smoothing * noise_scale
    for i in range(sums.shape[0]):
        w0, w1 = max(sums[i, 0], 0.0), max(sums[i, 1], 0.0)
        total = w0 + w1 + k
        out[i] = (w1 + k / 2.0) / total if total > 0.0 else 0.5


@kernel
def mixture_link(probability: npt.NDArray[np.float64], alpha: float, clip: float, out: npt.NDArray[np.float64]) -> None:
    """Write ``clip(psi(p), -clip, clip)``, psi being the link of ``alpha * Matsushita + (1 - alpha) * zero-one``.

    Parameters
    ----------
    probability : (n_leaves,) in [0, 1]
    alpha : in [0, 1]
    clip : above 0
    out : (n_leaves,) overwritten
    """
    for i in range(probability.shape[0]):
        p = probability[i]
        v = min(p, 1.0 - p)
        slope = (1.0 - alpha) * 2.0 if v < 0.5 else 0.0
        if alpha > 0.0:
            slope = slope + alpha * ((1.0 - 2.0 * v) / np.sqrt(v * (1.0 - v))) if v > 0.0 else np.inf
        slope = min(slope, clip)
        out[i] = -slope if p < 0.5 else slope


@kernel
def weighted_edge(
    sums: npt.NDArray[np.float64], values: npt.NDArray[np.float64], n_rows: int, clip: float
) -> tuple[float, float]:
    """Return mean weight and edge of a tree.

    Parameters
    ----------
    sums : (n_leaves, 2) sums of class 0 and class 1 (noisy ones under privacy), in units of a weight; below 0 counts
        as 0
    values : (n_leaves,) leaf values h
    n_rows : public number of rows
    clip : bound M of the leaf values

    Returns
    -------
    mean_weight : ``sum_i w_i / n_rows``, in [0, 1]
    edge : ``sum_i w_i y_i h(x_i) / sum_i w_i``, in [-clip, clip]; both are 0 if the weights sum to 0
    """
    total = 0.0
    agreement = 0.0
    for i in range(sums.shape[0]):
        w0, w1 = max(sums[i, 0], 0.0), max(sums[i, 1], 0.0)
        total += w0 + w1
        agreement += (w1 - w0) * values[i]
    if total <= 0.0:
        return 0.0, 0.0
    return min(total / n_rows, 1.0), min(max(agreement / total, -clip), clip)
