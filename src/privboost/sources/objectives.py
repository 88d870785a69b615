"""What a boosted score is fitted to: gradients of each row, and how far one row can move their sums.

Targets lie between 0 and 1: the class (0 or 1) or, where a number is predicted, its place in the public range. All
gradients point uphill: a leaf whose gradients add up to something positive raises its rows' scores.

The sensitivity of a leaf's sums follows from the interval in which the scores lie, and that from released trees alone.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt

from privboost.errors import ParameterError
from privboost.kernels.gradients import logistic_gradients, softmax_gradients
from privboost.privacy.mechanisms import Norm
from privboost.sources.local import GRID

__all__ = ["OBJECTIVES", "Objective", "get_objective", "lowest_ratio"]

LEAST_RATIO = 1e-300
"""Stands for smaller ratios of the ends of a target's range."""

MAX_RATIO = 2.0**10
"""Largest ratio of a target to a mean that counts: sums over as many rows as a plan admits then fit into int64."""

Floats = npt.NDArray[np.float64]
Units = npt.NDArray[np.int32]
Ends = tuple[Floats, Floats]


class Objective(ABC):
    """A loss of (score, target), as its negative gradient and curvature.

    Attributes
    ----------
    name : str
    combination : str
        How an `Ensemble` of its trees answers.
    n_outputs : int
        Scores of a row.
    """

    name: str
    combination: str
    n_outputs: int = 1

    @abstractmethod
    def gradients(
        self, score: Floats, ends: Ends, target: npt.NDArray[Any], units: Units, kappa: float, out: Units
    ) -> None:
        """Write each row's gradients and, last, its curvature times ``kappa``, all times its weight.

        Parameters
        ----------
        score : ndarray, shape (n_outputs, n_rows)
        ends : pair of ndarray, shape (n_outputs,)
            Lowest and highest score of each output that counts; one beyond counts as the nearer of them.
        target : ndarray, shape (n_rows,)
        units : int32 array, shape (n_rows,)
            Weight of each row, in grid units; at most `GRID`.
        kappa : float
            Factor of the curvature, 0 to 1.
        out : int32 array, shape (n_outputs + 1, n_rows)
            In grid units, each rounded towards zero.
        """

    @abstractmethod
    def _bounds(self, low: Floats, high: Floats) -> tuple[float, float, float]:
        """Bound one row's gradients in L1 and in L2 norm, and its curvature, over all scores in the interval.

        The three are reached together, or taken to be.
        """

    @abstractmethod
    def base(self, sums: Floats, pseudo: float) -> Floats:
        """Return the score to start from, shape (n_outputs,).

        Parameters
        ----------
        sums : ndarray, shape (n_classes,) or (2,)
            Released class counts; for numbers, the released sums of ``1 - t`` and ``t``.
        pseudo : float
            Rows added to each of them, which draw the start towards equal parts.
        """

    def start(self, base: Floats) -> None:  # noqa: B027 - most need nothing
        """Take in the score that all rows start from, shape (n_outputs,).

        Where it makes clipped gradients of classes add up to something, all rows of a class count less, by a factor of
        at most 1, until they add up to nothing: rare classes would lose more than others.
        """

    def sensitivity(self, low: Floats, high: Floats, kappa: float, norm: Norm) -> int:
        """Largest norm of one row's numbers, in grid units.

        Parameters
        ----------
        low, high : ndarray, shape (n_outputs,)
            Interval of each output's score; public, from released trees.
        kappa : float
            Factor of the curvature, 0 to 1.
        norm : {"l1", "l2"}

        Returns
        -------
        int
            Rounded up, with room for the last digit of the row's own arithmetic.
        """
        l1, l2, curvature = self._bounds(low, high)
        real = l1 + kappa * curvature if norm == "l1" else math.hypot(l2, kappa * curvature)
        return math.ceil(real * GRID * (1.0 + 2.0**-40)) + 1


def _balancing(share: Floats, clip: float) -> Floats:
    """Return factors of the classes' rows, for which clipped gradients add up to 0 where probabilities are ``share``.

    The gradient of a row of class k is ``[j = k] - share_j``, made shorter by ``min(1, clip / (1 - share_k))``. If all
    classes are made shorter by as much, their sum stays 0.
    """
    shorter = clip / np.maximum(1.0 - share, clip)
    return np.asarray(shorter.min() / shorter)


def _shares(sums: Floats, pseudo: float) -> Floats:
    known = np.maximum(sums, 0.0) + pseudo
    total = float(known.sum())
    equal = np.full(len(known), 1.0 / len(known))
    # A share of 0 would be a score of minus infinity.
    return np.clip(known / total, 1e-6, 1.0 - 1e-6) if total > 0.0 else equal


class Logistic(Objective):
    """Log loss of two classes; the score is the log odds of the second.

    The gradient is t - p with p = 1 / (1 + exp(-score)), the curvature p (1 - p). In L1 norm a row's numbers reach
    ``q + kappa q (1 - q)`` and in L2 norm ``hypot(q, kappa q (1 - q))``, q the largest possible |t - p|: both grow with
    q, for kappa up to 1.

    Gradients beyond ``clip``, from 1/2 to 1, count as that: the loss is then linear where a score is far on the wrong
    side, as Huber's is. Where |t - p| is larger than ``clip``, a row reaches most with the largest curvature there is:
    that of the |t - p| nearest to ``clip``.
    """

    name = "logistic"
    combination = "logit"

    def __init__(self, clip: float = 1.0) -> None:
        self.clip = clip
        self._factors = np.ones(2)

    def start(self, base: Floats) -> None:
        """Balance the classes; see `Objective`."""
        second = _sigmoid(float(base[0]))
        self._factors = _balancing(np.array([1.0 - second, second]), self.clip)

    def gradients(
        self, score: Floats, ends: Ends, target: npt.NDArray[Any], units: Units, kappa: float, out: Units
    ) -> None:
        """Write gradients and curvature; see `Objective`."""
        logistic_gradients(score, *ends, target, units, kappa, self.clip, self._factors, out)

    def _bounds(self, low: Floats, high: Floats) -> tuple[float, float, float]:
        below, above = float(low[0]), float(high[0])
        # |t - p| of either class lies in an interval; the row that comes closest to the clip from above has the most.
        ends = (_sigmoid(below), _sigmoid(above)), (_sigmoid(-above), _sigmoid(-below))
        nearest = [min(max(self.clip, least), most) for least, most in ends]
        gradient, curvature = max((min(q, self.clip), q * (1.0 - q)) for q in nearest)
        return gradient, gradient, curvature

    def base(self, sums: Floats, pseudo: float) -> Floats:
        """Return the log odds of the second class."""
        share = _shares(sums, pseudo)
        return np.array([math.log(share[1] / share[0])])


class Softmax(Objective):
    """Log loss of many classes, one score for each.

    With q the largest possible 1 - p_t, the gradient of a row has L1 norm 2 q and L2 norm at most sqrt(2) q, whatever
    the number of classes; the mean curvature is at most (1 - 1/n) / n for n classes. A row whose 1 - p_t exceeds
    ``clip`` has a gradient of the same direction, as long as if it were that.
    """

    name = "softmax"
    combination = "softmax"

    def __init__(self, n_outputs: int, clip: float = 1.0) -> None:
        self.n_outputs = n_outputs
        self.clip = clip
        self._factors = np.ones(n_outputs)

    def start(self, base: Floats) -> None:
        """Balance the classes; see `Objective`."""
        share = np.exp(base - base.max())
        self._factors = _balancing(share / share.sum(), self.clip)

    def gradients(
        self, score: Floats, ends: Ends, target: npt.NDArray[Any], units: Units, kappa: float, out: Units
    ) -> None:
        """Write gradients and curvature; see `Objective`."""
        softmax_gradients(score, *ends, target, units, kappa, self.clip, self._factors, out)

    def _bounds(self, low: Floats, high: Floats) -> tuple[float, float, float]:
        q = 0.0
        for k in range(self.n_outputs):
            others = np.delete(high, k)
            q = max(q, 1.0 - 1.0 / (1.0 + float(np.exp(np.minimum(others - low[k], 700.0)).sum())))
        q = min(q, self.clip)
        return 2.0 * q, math.sqrt(2.0) * q, (1.0 - 1.0 / self.n_outputs) / self.n_outputs

    def base(self, sums: Floats, pseudo: float) -> Floats:
        """Return the log probabilities."""
        return np.log(_shares(sums, pseudo))


class Squared(Objective):
    """Half the squared error; the score is the number itself. Gradient t - score, curvature 1.

    Gradients beyond ``clip`` count as that: the loss is then linear far from its minimum, as Huber's is, and one row's
    part in a sum has a smaller bound.
    """

    name = "squared"
    combination = "identity"

    def __init__(self, clip: float = 1.0) -> None:
        self.clip = clip

    def gradients(
        self, score: Floats, ends: Ends, target: npt.NDArray[Any], units: Units, kappa: float, out: Units
    ) -> None:
        """Write gradients and curvature; see `Objective`. A score outside the range counts as its end."""
        residual = target - np.clip(_within(score, ends), 0.0, 1.0)
        out[0] = (np.clip(residual, -self.clip, self.clip) * units).astype(np.int32)
        out[1] = (kappa * units).astype(np.int32)

    def _bounds(self, low: Floats, high: Floats) -> tuple[float, float, float]:
        # Scores above the range count as its end, and so do those below it.
        top, bottom = (min(max(float(end[0]), 0.0), 1.0) for end in (high, low))
        reach = min(max(top, 1.0 - bottom), self.clip)
        return reach, reach, 1.0

    def base(self, sums: Floats, pseudo: float) -> Floats:
        """Return the mean."""
        return _shares(sums, pseudo)[1:]


class Quantile(Squared):
    """Pinball loss of the given quantile; 0.5 is half the absolute error. Gradient ``quantile - [t < score]``.

    The loss has no curvature; 1 for every row makes a step of the share of rows on the wrong side.
    """

    name = "quantile"

    def __init__(self, quantile: float = 0.5) -> None:
        super().__init__()
        self.quantile = quantile

    def gradients(
        self, score: Floats, ends: Ends, target: npt.NDArray[Any], units: Units, kappa: float, out: Units
    ) -> None:
        """Write gradients and curvature; see `Objective`."""
        out[0] = ((self.quantile - (target < _within(score, ends))) * units).astype(np.int32)
        out[1] = (kappa * units).astype(np.int32)

    def _bounds(self, low: Floats, high: Floats) -> tuple[float, float, float]:
        reach = max(self.quantile, 1.0 - self.quantile)
        return reach, reach, 1.0


class Poisson(Objective):
    """Poisson deviance of a number of 0 or more; m = exp(score) is its mean. Gradient t - m, curvature m."""

    name = "poisson"
    combination = "log"

    def gradients(
        self, score: Floats, ends: Ends, target: npt.NDArray[Any], units: Units, kappa: float, out: Units
    ) -> None:
        """Write gradients and curvature; see `Objective`. A mean above the range counts as its end."""
        mean = np.exp(np.minimum(_within(score, ends), 0.0))
        out[0] = ((target - mean) * units).astype(np.int32)
        out[1] = (kappa * mean * units).astype(np.int32)

    def _bounds(self, low: Floats, high: Floats) -> tuple[float, float, float]:
        top, bottom = math.exp(min(float(high[0]), 0.0)), math.exp(min(float(low[0]), 0.0))
        reach = max(top, 1.0 - bottom)
        return reach, reach, top

    def base(self, sums: Floats, pseudo: float) -> Floats:
        """Return the logarithm of the mean."""
        return np.log(_shares(sums, pseudo)[1:])


class Gamma(Poisson):
    """Gamma deviance of a number above 0. Gradient ``t / m - 1``, curvature ``t / m``, m = exp(score).

    Means below the low end of the public range count as that end, and ratios ``t / m`` above `MAX_RATIO` as that.
    """

    name = "gamma"

    def __init__(self, lowest: float) -> None:
        self.lowest = lowest

    def _ratio(self, target: Floats, score: Floats) -> Floats:
        mean = np.exp(np.clip(score, math.log(self.lowest), 0.0))
        return target / np.maximum(mean, target / MAX_RATIO)

    def gradients(
        self, score: Floats, ends: Ends, target: npt.NDArray[Any], units: Units, kappa: float, out: Units
    ) -> None:
        """Write gradients and curvature; see `Objective`."""
        ratio = self._ratio(np.maximum(target, self.lowest), _within(score, ends))
        out[0] = ((ratio - 1.0) * units).astype(np.int32)
        out[1] = (kappa * ratio * units).astype(np.int32)

    def _bounds(self, low: Floats, high: Floats) -> tuple[float, float, float]:
        smallest = math.exp(min(max(float(low[0]), math.log(self.lowest)), 0.0))
        largest = min(1.0 / smallest, MAX_RATIO)
        reach = max(largest - 1.0, 1.0 - self.lowest)
        return reach, reach, largest


OBJECTIVES = ("logistic", "softmax", "squared", "quantile", "poisson", "gamma")


def get_objective(
    name: str, n_outputs: int = 1, *, quantile: float = 0.5, lowest: float = 0.0, clip: float = 1.0
) -> Objective:
    """Return an objective by its name.

    Parameters
    ----------
    name : str
        One of `OBJECTIVES`.
    n_outputs : int, default=1
        Classes of ``"softmax"``.
    quantile : float, default=0.5
        Of ``"quantile"``, in (0, 1).
    lowest : float, default=0.0
        Of ``"gamma"``: the low end of the public range as a part of its high end, in (0, 1).
    clip : float, default=1.0
        Largest gradient that counts. Of ``"squared"``, as a part of the range, above 0; of ``"logistic"`` and
        ``"softmax"``, from 1/2 to 1, the largest distance of the own class's probability from 1.

    Returns
    -------
    Objective

    Raises
    ------
    ParameterError
        If there is none of that name.
    """
    if name == "softmax":
        return Softmax(n_outputs, clip)
    if name == "quantile":
        return Quantile(quantile)
    if name == "gamma":
        return Gamma(lowest)
    if name == "squared":
        return Squared(clip)
    if name == "logistic":
        return Logistic(clip)
    if name == "poisson":
        return Poisson()
    raise ParameterError("loss", name, f"one of {', '.join(OBJECTIVES)}")


def lowest_ratio(low: float, high: float) -> float:
    """Return the low end of a range as a part of its high end, large enough for a logarithm; 0 unless it is above 0."""
    return max(low / high, LEAST_RATIO) if low > 0.0 else 0.0


def _within(score: Floats, ends: Ends) -> Floats:
    """Return the scores of the only output, held between the ends."""
    return np.asarray(np.clip(score[0], ends[0][0], ends[1][0]))


def _sigmoid(score: float) -> float:
    return 0.5 + 0.5 * math.tanh(0.5 * score)
