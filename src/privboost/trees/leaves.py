"""What a leaf says, from the released sums of its rows. Everything here is post-processing of released numbers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from privboost.kernels import leaves

__all__ = ["leaf_probability", "link_values", "weighted_edge"]


def leaf_probability(
    released: npt.NDArray[np.float64], noise_scale: float, smoothing: float
) -> npt.NDArray[np.float64]:
    """Estimate each leaf's probability of class 1 from its noisy class sums.

    Parameters
    ----------
    released : ndarray, shape (n_leaves, 2)
        Noisy sums of class 0 and class 1, in units of a weight.
    noise_scale : float
        Scale of the noise in the same units; 0 without privacy.
    smoothing : float
        How many noise scales of pseudo-weight to add, half to each class; 0 is the plain ratio.

    Returns
    -------
    ndarray, shape (n_leaves,)
        ``(max(w1, 0) + k/2) / (max(w1, 0) + max(w0, 0) + k)`` with ``k = smoothing * noise_scale``; 1/2 for 0/0.
    """
    out = np.empty(len(released), np.float64)
    leaves.leaf_probability(released, noise_scale, smoothing, out)
    return out


def link_values(probability: npt.NDArray[np.float64], alpha: float, clip: float) -> npt.NDArray[np.float64]:
    """Map leaf probabilities to reals: ``clip(link(p), -clip, clip)``, by the link of `MAlphaLoss`."""
    out = np.empty(len(probability), np.float64)
    leaves.mixture_link(probability, alpha, clip, out)
    return out


def weighted_edge(
    released: npt.NDArray[np.float64], values: npt.NDArray[np.float64], n_rows: int, clip: float
) -> tuple[float, float]:
    """Mean weight and edge of a tree from its leaves' class sums.

    Parameters
    ----------
    released : ndarray, shape (n_leaves, 2)
        Sums of class 0 and class 1 (noisy ones under privacy), in units of a weight.
    values : ndarray, shape (n_leaves,)
        Leaf values h.
    n_rows : int
        Public number of rows.
    clip : float
        Bound M of the leaf values.

    Returns
    -------
    mean_weight : float
        ``sum_i w_i / n_rows``, in [0, 1].
    edge : float
        ``sum_i w_i y_i h(x_i) / sum_i w_i``, in [-clip, clip]; 0 if the weights sum to 0.
    """
    mean_weight, edge = leaves.weighted_edge(released, values, n_rows, clip)
    return mean_weight, edge
