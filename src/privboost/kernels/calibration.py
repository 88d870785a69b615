"""What the next release is calibrated to: the criterion's alpha, its scores' sensitivity, the noise scale.

Everything here is computed from public numbers and from trees already released.
"""

from __future__ import annotations

import numpy as np

from privboost.compiled import kernel

__all__ = ["calibrated_alpha", "least_scale", "mixture_score_sensitivity"]


@kernel
def _mixture_sensitivity(alpha: float, n_rows: int, max_weight: float, paper: bool) -> float:
    """`privboost.theory.sensitivity` of the mixture loss, within a few roundings (2**-50 of it)."""
    m = n_rows + 1 if paper else n_rows
    if m == 1:
        return 0.0
    increase = 2.0 * max_weight * (alpha * np.sqrt(float(m - 1)) + (1.0 - alpha))
    return float(max_weight + increase if paper else increase)


@kernel
def mixture_score_sensitivity(alpha: float, n_rows: int, max_weight: int, paper: bool) -> int:
    """Return `privboost.trees.splitting.score_sensitivity` of ``alpha * Matsushita + (1 - alpha) * zero-one``.

    Parameters
    ----------
    alpha : in [0, 1]
    n_rows : public number of rows, at least 1
    max_weight : largest weight of a row, in grid units
    paper : whether the bound is the paper's or the exact one

    Returns
    -------
    In grid units, rounded up. The margin of one part in 2**40 is a hundred times what the roundings on the way here can
    add up to, so that the result is never below the bound in exact arithmetic.
    """
    real = _mixture_sensitivity(alpha, n_rows, float(max_weight), paper)
    rounding = 0.5 + n_rows * float(max_weight) * 2.0**-49
    return int(np.ceil(real * (1.0 + 2.0**-40) + 4.0 * rounding))


@kernel
def calibrated_alpha(
    epsilon: float, level: int, n_rows: int, trials: float, max_weight: float, distance: int, gap: float, paper: bool
) -> float:
    """Return `privboost.ensembles.plan.calibrate_alpha`; ``trials`` is the logarithm in its formula."""
    if n_rows < 2:
        return 0.0
    cheapest = _mixture_sensitivity(0.0, n_rows, max_weight, paper)
    dearest = _mixture_sensitivity(1.0, n_rows, max_weight, paper)
    if dearest <= cheapest:
        return 1.0
    afforded = epsilon * gap * (max_weight * n_rows / 2.0**level) / (distance * trials)
    return float(min(max((afforded - cheapest) / (dearest - cheapest), 0.0), 1.0))


@kernel
def least_scale(change: int, per_epsilon: float, correction: float, lowest: float) -> float:
    """Return the smallest float of at least ``change / epsilon`` and ``lowest``: `noise_scale` in compiled code.

    Parameters
    ----------
    change : distance times sensitivity, from 1 to 2**53
    per_epsilon, correction : 1 / epsilon to twice the precision, as the float nearest to it and the one nearest to what
        is then left
    lowest : smallest scale

    Notes
    -----
    The product is formed without error as a sum of two floats (Dekker 1971), then corrected; it is good to 2**-103 of
    itself. A quotient within 2**-100 of a float is taken to equal it, as it does whenever ``change / epsilon`` is a
    float. Whoever charges a release computes the scale in exact arithmetic and holds it against this one.
    """
    whole = float(change)
    product = whole * per_epsilon
    split = 134217729.0  # 2**27 + 1 parts 53 bits into two halves, whose products are exact
    wide = split * whole
    w1 = wide - (wide - whole)
    w0 = whole - w1
    wide = split * per_epsilon
    e1 = wide - (wide - per_epsilon)
    e0 = per_epsilon - e1
    error = ((w1 * e1 - product) + w1 * e0 + w0 * e1) + w0 * e0
    rest = error + whole * correction
    scale = product + rest
    left = rest - (scale - product)
    if left > scale * 2.0**-100:
        scale = np.nextafter(scale, np.inf)
    return max(scale, lowest)
