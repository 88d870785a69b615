"""Which attributes the next tree tests: drawn, or learnt from the sums that earlier trees released.

What is learnt from has been released before, so that the choice is post-processing and costs nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from privboost.trees.profile import TestProfile

__all__ = ["AttributeChoice", "gain_estimate", "gain_left"]

DOUBT = 1.0
"""Standard deviations of its noise that are taken off the gain of an attribute alone: the largest of many noisy numbers
is too large, while that of all attributes together is compared with them as it is."""

FRESH = 0.5
"""Weight of the last tree over several attributes in the running mean of their gains."""

Floats = npt.NDArray[np.float64]


@dataclass(eq=False)
class AttributeChoice:
    """Chooses the attributes of one tree after the other; adaptive, it is a bandit with an arm for every attribute.

    Each attribute has a tree of its own first, in random order, and then several have one. From then on the next tree
    tests the one attribute whose last tree leaves the largest gain to take, or several attributes where the last such
    trees gained more, or where no gain of a single one stands out of the noise.

    Attributes
    ----------
    profile : TestProfile
    per_tree : int
        Draws of an attribute for a tree over several; 0 for all.
    adaptive : bool
        If False, every tree is over several.
    generator : numpy.random.Generator
        Its draws need no secrecy: they are published as the trees' structure.
    """

    profile: TestProfile
    per_tree: int
    adaptive: bool
    generator: np.random.Generator
    _gains: Floats = field(init=False)
    _untried: list[int] = field(init=False)
    _arm: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        n = self._several
        self._gains = np.full(n + 1, -math.inf)
        self._untried = [n, *np.argsort(self.generator.random(n)).tolist()] if self.adaptive else []

    @property
    def _several(self) -> int:
        """The arm of trees over several attributes, after those of each alone."""
        return len(self.profile.attributes)

    def next(self) -> npt.NDArray[np.int64]:
        """Return the positions, in the profile's attributes, among which the next tree draws its tests."""
        self._arm = self._several
        if self.adaptive:
            self._arm = self._untried.pop() if self._untried else int(self._gains.argmax())
        if self._arm == self._several:
            return self.profile.some(self.per_tree, self.generator)
        return np.array([self._arm])

    def learn(self, sums: Floats, proposed: Floats, added: Floats, noise: float, pseudo: float, kappa: float) -> None:
        """Take in what the tree released whose attributes `next` chose.

        Parameters
        ----------
        sums : ndarray, shape (n_leaves, n_outputs + 1)
            Released gradients and, last, curvature times ``kappa``.
        proposed, added : ndarray, shape (n_leaves, n_outputs)
            What the tree's leaves would add to scores, and what they do add under constraints.
        noise : float
            Standard deviation of each sum's noise; 0 without privacy.
        pseudo : float
            Curvature that is added to a leaf's.
        kappa : float
        """
        if not self.adaptive:
            return
        if self._arm < self._several:
            left = gain_left(sums, proposed, added, kappa) * gain_estimate(sums, noise, pseudo, kappa, DOUBT)
            # What does not stand out of the noise is no reason for a tree, however little all attributes promise.
            self._gains[self._arm] = left if left > 0.0 else -math.inf
            return
        gain, known = gain_estimate(sums, noise, pseudo, kappa, 0.0), self._gains[self._arm]
        self._gains[self._arm] = gain if math.isinf(known) else FRESH * gain + (1.0 - FRESH) * known


def gain_estimate(sums: Floats, noise: float, pseudo: float, kappa: float, doubt: float) -> float:
    """Estimate twice what damped Newton steps on a tree's leaves take off the loss.

    Parameters
    ----------
    sums : ndarray, shape (n_leaves, n_outputs + 1)
        Released gradients G and, last, curvature times ``kappa``.
    noise : float
        Standard deviation s of each number's noise.
    pseudo : float
        Curvature added to a leaf's.
    kappa : float
    doubt : float
        Standard deviations of the estimate that are taken off it.

    Returns
    -------
    float
        The largest, over the tree's levels, of ``sum((G**2 - v) / D)`` less ``doubt`` times its standard deviation
        ``sqrt(sum((2 v**2 + 4 max(G**2 - v, 0) v) / D**2))``. The sums of a level are those of w = 1, 2, 4, ... leaves
        each, whose noise has the variance ``v = w s**2``; ``D = max(H, 0) + pseudo * sqrt(w)``. ``G**2 - v`` is
        unbiased for the square of the sum without noise; the largest of several levels leans upwards. The standard
        deviation is that of Gaussian noise: w Laplace draws have 2 + 3 / w in the place of the first 2.
    """
    level, width, best = sums, 1, -math.inf
    while len(level) > 1:
        variance = width * noise**2
        curvature = np.maximum(level[:, -1:], 0.0) / kappa + pseudo * math.sqrt(width)
        signal = level[:, :-1] ** 2 - variance
        spread = (2.0 * variance**2 + 4.0 * np.maximum(signal, 0.0) * variance) / curvature**2
        best = max(best, float((signal / curvature).sum()) - doubt * math.sqrt(float(spread.sum())))
        level = level.reshape(len(level) // 2, 2, -1).sum(axis=1)
        width *= 2
    return best


def gain_left(sums: Floats, proposed: Floats, added: Floats, kappa: float) -> float:
    """Return about which part of a tree's gain another tree like it would find.

    Parameters
    ----------
    sums : ndarray, shape (n_leaves, n_outputs + 1)
        Released gradients G and, last, curvature times ``kappa``.
    proposed, added : ndarray, shape (n_leaves, n_outputs)
        What the leaves would add to scores, P, and what they do add under constraints, A.
    kappa : float

    Returns
    -------
    float
        ``sum(A G q**2) / sum(P G)``, held between 0 and 1. A step A leaves the part ``q = 1 - H A / G``, held between 0
        and 1, of a leaf's gradient, and the next step, q times as long, gains ``q**2`` times as much. What a constraint
        keeps from being taken is not counted, for it will be kept from the next tree, too.
    """
    gradient, curvature = sums[:, :-1], np.maximum(sums[:, -1:], 0.0) / kappa
    whole = float((proposed * gradient).sum())
    if not whole > 0.0:
        return 0.0
    rest = np.clip(1.0 - curvature * added / np.where(gradient == 0.0, 1.0, gradient), 0.0, 1.0)
    return min(max(float((added * gradient * rest**2).sum()) / whole, 0.0), 1.0)
