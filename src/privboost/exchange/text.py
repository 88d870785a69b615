"""Trees in words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from privboost.data.domain import Domain, printed_name
from privboost.data.refinement import Refinement
from privboost.ensembles.ensemble import MAX_REACH, REGRESSION, Ensemble
from privboost.errors import ParameterError
from privboost.trees.tree import Tree

__all__ = ["tree_text"]


def tree_text(
    ensemble: Ensemble,
    domain: Domain,
    n_bins: int,
    classes: Sequence[object],
    which: Iterable[int] | None = None,
    refinement: Refinement | None = None,
    target_range: tuple[float, float] | None = None,
) -> str:
    """Write trees as nested questions.

    Parameters
    ----------
    ensemble : Ensemble
    domain : Domain
    n_bins : int
        As the model was trained with.
    classes : sequence
        Labels, in the order of the ensemble's outputs.
    which : iterable of int, optional
        Numbers of the trees to write, the first tree being 1; all by default.
    refinement : Refinement, optional
        Edges and orders that the trees' codes go by in place of the public ones.
    target_range : tuple of (float, float), optional
        Lowest and highest value of a predicted number, in whose unit leaves are then written.

    Returns
    -------
    str
        One block for each tree, after one for the base score where there is one. Only released numbers are in it:
        tests, leaf values, tree weights, base scores.

    Raises
    ------
    ParameterError
        If a tree is asked for that the ensemble does not have.
    """
    numbers = range(1, len(ensemble.trees) + 1) if which is None else list(which)
    words = _words(ensemble, classes, target_range)
    start = words.start()
    blocks = [start] if start else []
    for number in numbers:
        if not 1 <= number <= len(ensemble.trees):
            raise ParameterError("which", number, f"a tree number from 1 to {len(ensemble.trees)}")
        writer = _Writer(ensemble.trees[number - 1], domain, n_bins, refinement, words)
        title = f"Tree {number} of {len(ensemble.trees)}{words.title(number - 1)}"
        blocks.append("\n".join([title, *writer.node(0, "  ")]))
    return "\n\n".join(blocks)


@dataclass(frozen=True)
class _Writer:
    """One tree, line by line."""

    tree: Tree
    domain: Domain
    n_bins: int
    refinement: Refinement | None
    words: _Words

    def node(self, number: int, indent: str) -> list[str]:
        splits = self.tree.splits
        if number >= len(splits):
            return [indent + self.words.leaf(self.tree.values[number - len(splits)])]
        if splits.attribute[number] < 0:  # all rows go left
            return self.node(2 * number + 1, indent)
        return [
            f"{indent}if {self._question(number)}:",
            *self.node(2 * number + 2, indent + "  "),
            f"{indent}else:",
            *self.node(2 * number + 1, indent + "  "),
        ]

    def _question(self, number: int) -> str:
        splits = self.tree.splits
        attribute, missing_right = int(splits.attribute[number]), bool(splits.missing_right[number])
        first, last = int(splits.first[number]), int(splits.last[number])
        if first > last and missing_right:  # no code at all but that of a missing cell
            return f"{printed_name(self.domain.names[attribute])} is missing"
        return self.domain.describe_test(attribute, first, last, missing_right, self.n_bins, self.refinement)


@dataclass(frozen=True)
class _Words:
    """What the numbers of margins, probabilities and votes mean."""

    ensemble: Ensemble
    classes: Sequence[object]

    def start(self) -> str:
        """Say where scores start, if they do not start at 0."""
        return ""

    def title(self, index: int) -> str:
        """Say, after the number of a tree, what its leaves hold."""
        if self.ensemble.combination == "vote":
            return ", whose leaves vote for a label"
        label = self.label(self.ensemble.outputs[index] if self.ensemble.n_outputs > 1 else 1)
        if self.ensemble.combination == "margin":
            return f", weight {float(self.ensemble.weights[index]):.6g}: above 0 speaks for {label}"
        return f": probability of {label}"

    def leaf(self, values: npt.NDArray[np.float64]) -> str:
        """Write one leaf."""
        if self.ensemble.combination == "margin":
            return f"{values[0]:+.6g}"
        if self.ensemble.combination == "probability":
            return f"{values[0]:.6g}"
        return " or ".join(self.label(k) for k in range(len(values)) if values[k] == values.max())

    def label(self, k: int) -> str:
        """Return the label of a class."""
        return repr(self.classes[k])


@dataclass(frozen=True)
class _Odds(_Words):
    """What log odds, and the logarithms of the probabilities of many classes, mean."""

    def start(self) -> str:
        """Write the base score, by which factor leaves are multiplied, and how far sums count in full."""
        ensemble = self.ensemble
        words = [f"Scores start at {self._numbers(np.array(ensemble.base))}."] if any(ensemble.base) else []
        slope = float(ensemble.weights[0])
        if slope != 1.0:
            words.append(f"Leaves are shown times {slope:.6g}, the slope of the scores.")
        if 0.0 < ensemble.reach < MAX_REACH:
            words.append(
                f"A sum of leaves beyond {ensemble.reach:.6g} on either side, c times that far, counts 1 + ln(c) times."
            )
        return " ".join(words)

    def title(self, index: int) -> str:
        """Say which way scores point."""
        if self.ensemble.n_outputs == 1:
            return f": log odds, above 0 speaks for {self.label(1)}"
        return ": a score for each label, the highest speaks for it"

    def leaf(self, values: npt.NDArray[np.float64]) -> str:
        """Write one leaf: all of its scores, as they are added up."""
        return self._numbers(float(self.ensemble.weights[0]) * values)

    def _numbers(self, values: npt.NDArray[np.float64]) -> str:
        if len(values) == 1:
            return f"{values[0]:+.6g}"
        return ", ".join(f"{self.label(k)} {value:+.6g}" for k, value in enumerate(values))


@dataclass(frozen=True)
class _Amounts(_Words):
    """What parts of a predicted number mean, in the number's own unit."""

    low: float
    high: float

    def start(self) -> str:
        """Write the number to start from, and its limits."""
        base = self.ensemble.base[0] if self.ensemble.base else 0.0
        if self.ensemble.combination == "log":  # a part of the high end
            number = self.high * math.exp(min(base, 0.0))
        else:
            number = self.low + (self.high - self.low) * base
        return f"Predictions start at {number:.6g}, and end between {self.low:.6g} and {self.high:.6g}."

    def title(self, index: int) -> str:
        """Say what a leaf does to the prediction."""
        return ": added to the prediction" if self.ensemble.combination == "identity" else ": factor of the prediction"

    def leaf(self, values: npt.NDArray[np.float64]) -> str:
        """Write one leaf."""
        if self.ensemble.combination == "identity":
            return f"{values[0] * (self.high - self.low):+.6g}"
        return f"times {math.exp(min(values[0], 700.0)):.6g}"


def _words(ensemble: Ensemble, classes: Sequence[object], target_range: tuple[float, float] | None) -> _Words:
    if ensemble.combination in REGRESSION:
        return _Amounts(ensemble, classes, *(target_range or (0.0, 1.0)))
    return (_Odds if ensemble.combination in ("logit", "softmax") else _Words)(ensemble, classes)
