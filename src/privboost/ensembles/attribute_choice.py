"""Which attributes the next tree tests: drawn, or learnt from the sums that earlier trees released.

What is learnt from has been released before, so that the choice is post-processing and costs nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from privboost.trees.profile import TestProfile

__all__ = ["AttributeChoice", "gain_bound"]

DOUBT = 1.0
"""Standard deviations of its noise that are taken off the gain of an attribute alone: the largest of many noisy numbers
is too large, while that of all attributes together is compared with them as it is."""

FRESH = 0.5
"""Weight of the last tree over several attributes in the running mean of their gains."""

Floats = npt.NDArray[np.float64]
Draw = Callable[[], npt.NDArray[np.int64]]


@dataclass(eq=False)
class AttributeChoice:
    """Chooses the attributes of one tree after the other; adaptive, it is a bandit with an arm for every attribute.

    Each attribute has a tree of its own first, in random order. From then on the next tree tests the one attribute
    whose last tree leaves the largest gain to take, or several attributes where the last such trees gained more.

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

    def learn(self, sums: Floats, noise: float, pseudo: float, kappa: float, rate: float) -> None:
        """Take in what the tree released whose attributes `next` chose.

        Parameters
        ----------
        sums : ndarray, shape (n_leaves, n_outputs + 1)
            Released gradients and, last, curvature times ``kappa``.
        noise : float
            Standard deviation of each number's noise; 0 without privacy.
        pseudo : float
            Curvature that is added to a leaf's.
        kappa : float
        rate : float
            Part of its step that the tree takes.
        """
        if not self.adaptive:
            return
        if self._arm < self._several:
            # After a step of part r the gradient that is left, and with it the root of the gain, is the part 1 - r.
            left = max(1.0 - rate, 0.0) ** 2
            self._gains[self._arm] = left * gain_bound(sums, noise, pseudo, kappa, DOUBT)
            return
        gain, known = gain_bound(sums, noise, pseudo, kappa, 0.0), self._gains[self._arm]
        self._gains[self._arm] = gain if math.isinf(known) else FRESH * gain + (1.0 - FRESH) * known


def gain_bound(sums: Floats, noise: float, pseudo: float, kappa: float, doubt: float) -> float:
    """Return what a tree can take off the loss at least, as its released sums tell.

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
        ``sqrt(sum((2 v**2 + 4 max(G**2 - v, 0) v) / D**2))``. The sums of a level are those of 1, 2, 4, ... leaves
        each, whose noise has the variance v = s**2, 2 s**2, ...; ``D = max(H, 0) + pseudo * sqrt(v) / s``. Twice the
        gain of a Newton step is G**2 / D, and G**2 - v is unbiased for the square of the sum without noise.
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
