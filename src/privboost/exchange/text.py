"""Trees in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from privboost.data.domain import Domain, printed_name
from privboost.ensembles.ensemble import Ensemble
from privboost.errors import ParameterError
from privboost.trees.tree import Tree

__all__ = ["tree_text"]


def tree_text(
    ensemble: Ensemble,
    domain: Domain,
    n_bins: int,
    classes: Sequence[object],
    which: Iterable[int] | None = None,
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

    Returns
    -------
    str
        One block for each tree. Only released numbers are in it: tests, leaf values, tree weights.

    Raises
    ------
    ParameterError
        If a tree is asked for that the ensemble does not have.
    """
    numbers = range(1, len(ensemble.trees) + 1) if which is None else list(which)
    blocks = []
    for number in numbers:
        if not 1 <= number <= len(ensemble.trees):
            raise ParameterError("which", number, f"a tree number from 1 to {len(ensemble.trees)}")
        writer = _Writer(ensemble, domain, n_bins, classes, number - 1)
        blocks.append("\n".join([writer.title(), *writer.node(0, "  ")]))
    return "\n\n".join(blocks)


class _Writer:
    """One tree, line by line."""

    def __init__(self, ensemble: Ensemble, domain: Domain, n_bins: int, classes: Sequence[object], index: int) -> None:
        self.ensemble = ensemble
        self.domain = domain
        self.n_bins = n_bins
        self.classes = classes
        self.index = index
        self.tree: Tree = ensemble.trees[index]

    def title(self) -> str:
        combination = self.ensemble.combination
        title = f"Tree {self.index + 1} of {len(self.ensemble.trees)}"
        if combination == "vote":
            return f"{title}, whose leaves vote for a label"
        label = self._label(self.ensemble.outputs[self.index] if self.ensemble.n_outputs > 1 else 1)
        if combination == "margin":
            weight = float(self.ensemble.weights[self.index])
            return f"{title}, weight {weight:.6g}: above 0 speaks for {label}"
        return f"{title}: probability of {label}"

    def node(self, number: int, indent: str) -> list[str]:
        splits = self.tree.splits
        if number >= len(splits):
            return [indent + self._leaf(number - len(splits))]
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
        return self.domain.describe_test(attribute, first, last, missing_right, self.n_bins)

    def _leaf(self, leaf: int) -> str:
        values = self.tree.values[leaf]
        if self.ensemble.combination == "margin":
            return f"{values[0]:+.6g}"
        if self.ensemble.combination == "probability":
            return f"{values[0]:.6g}"
        winners = [self._label(k) for k in range(len(values)) if values[k] == values.max()]
        return " or ".join(winners)

    def _label(self, k: int) -> str:
        return repr(self.classes[k])
