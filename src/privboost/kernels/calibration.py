"""What the next release is calibrated to: the criterion's alpha, its scores' sensitivity, the noise scale.

Everything here is computed from public numbers and from trees already released.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

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
def _exact_product(a: float, b: float) -> tuple[float, float]:
    """Return a * b as the nearest float and what is left (Dekker 1971)."""
    split = 134217729.0  # 2**27 + 1 parts 53 bits into two halves, whose products are exact
    wide = split * a
    a1 = wide - (wide - a)
    a0 = a - a1
    wide = split * b
    b1 = wide - (wide - b)
    b0 = b - b1
    product = a * b
    return product, ((a1 * b1 - product) + a1 * b0 + a0 * b1) + a0 * b0


@kernel
def _exact_sum(a: float, b: float) -> tuple[float, float]:
    """Return a + b as the nearest float and what is left (Knuth 1969)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


@kernel
def least_scale(change: int, reciprocal: npt.NDArray[np.float64], lowest: float) -> float:
    """Return the smallest float of at least ``change / epsilon`` and ``lowest``: `noise_scale` in compiled code.

    Parameters
    ----------
    change : distance times sensitivity, from 1 to 2**53
    reciprocal : (`N_PARTS`,) 1 / epsilon, which is their exact sum but for one part in 2**212; see
        `privboost.privacy.simulation.reciprocal`
    lowest : smallest scale

    Notes
    -----
    All products and sums are exact, so that the quotient is known to one part in 2**210. Either it is a float, or it is
    further from each: with a float m / 2**k and epsilon = p / q it differs by one part in 2**53 * p or more, and p, the
    product of two floats' digits, has some 110 bits. Whoever charges the release computes the scale in exact arithmetic
    once more, and holds it against this one.
    """
    n = 2 * reciprocal.shape[0]
    parts = np.empty(n, np.float64)
    for i in range(reciprocal.shape[0]):
        parts[2 * i], parts[2 * i + 1] = _exact_product(float(change), reciprocal[i])
    for _ in range(n):
        moved = False
        for i in range(n - 1, 0, -1):
            total, left = _exact_sum(parts[i - 1], parts[i])
            moved |= total != parts[i - 1]
            parts[i - 1], parts[i] = total, left
        if not moved:
            break
    scale = parts[0]
    if parts[1] > scale * 2.0**-185:
        scale = np.nextafter(scale, np.inf)
    return float(max(scale, lowest))
