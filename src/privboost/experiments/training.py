"""One setting, one fold: train in simulation, and say how often the model is wrong and how large it is."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from privboost.data.datasets import StudyTable
from privboost.data.encoding import Encoder
from privboost.data.layout import CodeLayout
from privboost.ensembles.boosting import Trainer, train_single
from privboost.ensembles.ensemble import Ensemble
from privboost.ensembles.forest import train_forest
from privboost.ensembles.plan import BoostingPlan, BoostingSettings, plan_boosting, plan_forest
from privboost.ensembles.simulated import train_simulated
from privboost.errors import PrivacyWarning
from privboost.estimators.boosting import PrivateBoostingClassifier
from privboost.experiments.grid import ARMS, CALIBRATED, FORESTS, NOISE_FREE, Setting
from privboost.losses import get_loss
from privboost.privacy.accounting import Ledger
from privboost.privacy.randomness import SimulatedRandomness
from privboost.privacy.relation import PrivacyUnit
from privboost.sources.local import LocalRows
from privboost.trees.splitting import candidate_splits
from privboost.trees.tree import Splits, Tree

__all__ = ["Fold", "FoldCodes", "Outcome", "train_setting"]


class Outcome(NamedTuple):
    """What a study keeps of a model.

    Attributes
    ----------
    error : float
        Part of the test rows that are given the wrong class.
    n_nodes : int
        Tests and leaves of all trees.
    """

    error: float
    n_nodes: int


@dataclass(frozen=True, eq=False)
class FoldCodes:
    """The training and the test rows of a fold, encoded.

    Attributes
    ----------
    train, test : ndarray of uint8, shape (n_attributes, n_rows)
    train_labels, test_labels : ndarray of int16, shape (n_rows,)
        0 and 1.
    layout : CodeLayout
        The meaning of the codes.
    candidates : Splits
    """

    train: npt.NDArray[np.uint8]
    test: npt.NDArray[np.uint8]
    train_labels: npt.NDArray[np.int16]
    test_labels: npt.NDArray[np.int16]
    layout: CodeLayout
    candidates: Splits

    def rows(self, weight: float) -> LocalRows:
        """Return the training rows, all of one weight."""
        return LocalRows(self.train, self.layout.offsets, self.train_labels, 2, weight)

    def outcome(self, ensemble: Ensemble) -> Outcome:
        """Return the test error and the size of an ensemble."""
        wrong = (ensemble.decision(self.test) > 0) != self.test_labels
        return Outcome(float(wrong.mean()), sum(map(_n_nodes, ensemble.trees)))


@dataclass(frozen=True, eq=False)
class Fold:
    """A table and which of its rows are for training, and which for testing.

    Attributes
    ----------
    table : StudyTable
    train, test : ndarray of int64
        Row numbers.
    """

    table: StudyTable
    train: npt.NDArray[np.int64]
    test: npt.NDArray[np.int64]

    def encoded(self, n_bins: int) -> FoldCodes:
        """Encode the rows with so many bins an attribute."""
        encoder = Encoder(self.table.domain, n_bins)
        codes, labels = encoder.encode(self.table.X), self.table.y.astype(np.int16)
        return FoldCodes(
            train=np.ascontiguousarray(codes[:, self.train]),
            test=np.ascontiguousarray(codes[:, self.test]),
            train_labels=labels[self.train],
            test_labels=labels[self.test],
            layout=encoder.layout,
            candidates=candidate_splits(encoder.layout),
        )


def train_setting(fold: Fold, codes: FoldCodes | None, setting: Setting, seed: int) -> Outcome:
    """Train one model in simulation, and test it.

    Parameters
    ----------
    fold : Fold
    codes : FoldCodes or None
        The same rows, encoded with the setting's bins; None where the learner chooses them.
    setting : Setting
    seed : int
        Of all draws of this training.

    Returns
    -------
    Outcome
    """
    if codes is None:
        return _auto(fold, setting, seed)
    if setting.learner == "bdpe":
        return _boosted(codes, setting, seed)
    return _tree(codes, setting, seed) if setting.learner.startswith("tree-") else _forest(codes, setting, seed)


def _boosted(codes: FoldCodes, setting: Setting, seed: int) -> Outcome:
    """Train the paper's learner: the only place where the study does."""
    plan = _boosting_plan(codes, setting, boosting_settings(setting))
    generator = np.random.default_rng(seed)
    return codes.outcome(
        train_simulated(plan, codes.candidates, codes.layout, codes.train, codes.train_labels, generator)
    )


def boosting_settings(setting: Setting) -> BoostingSettings:
    """Return the settings that `BDPEClassifier` would have."""
    fixed = None if setting.alpha == CALIBRATED else float(setting.alpha)
    return BoostingSettings(
        n_trees=setting.n_trees,
        max_depth=setting.depth,
        split_share=setting.share if setting.private else 0.5,
        alpha=fixed,
        combination_alpha=fixed or 1.0,
        **(ARMS["paper"] if setting.arm == NOISE_FREE else ARMS[setting.arm]),
    )


def _tree(codes: FoldCodes, setting: Setting, seed: int) -> Outcome:
    """Train a single tree with its defaults, those of `PrivateTreeClassifier`."""
    settings = BoostingSettings(1, setting.depth, setting.share)
    trainer = _trainer(codes, _boosting_plan(codes, setting, settings), seed)
    criterion = get_loss(setting.learner.removeprefix("tree-"))
    return codes.outcome(train_single(trainer, lambda _: codes.rows(1.0), 2, criterion)[0])


def _forest(codes: FoldCodes, setting: Setting, seed: int) -> Outcome:
    plan = plan_forest(
        n_trees=setting.n_trees,
        max_depth=setting.depth,
        **FORESTS[setting.learner],
        leaf="vote",
        epsilon=setting.epsilon,
        unit=PrivacyUnit(),
        n_rows=codes.train.shape[1],
        n_candidates=len(codes.candidates),
        n_classes=2,
    )
    return codes.outcome(train_forest(codes.rows(1.0), plan, codes.candidates, _randomness(seed), Ledger()))


def _auto(fold: Fold, setting: Setting, seed: int) -> Outcome:
    X, y = fold.table.X, fold.table.y
    model = PrivateBoostingClassifier(
        setting.epsilon if setting.private else 1.0,
        domain=fold.table.domain,
        classes=[0, 1],
        privacy="dp" if setting.private else None,
        random_state=seed % 2**32,
        n_jobs=1,  # folds run side by side already
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PrivacyWarning)  # a simulation on purpose
        model.fit(X.iloc[fold.train], y[fold.train])
    wrong = model.predict(X.iloc[fold.test]) != y[fold.test]
    return Outcome(float(wrong.mean()), sum(map(_n_nodes, model.ensemble_.trees)))


def _boosting_plan(codes: FoldCodes, setting: Setting, settings: BoostingSettings) -> BoostingPlan:
    return plan_boosting(
        settings,
        epsilon=setting.epsilon if math.isfinite(setting.epsilon) else None,
        unit=PrivacyUnit(),
        n_rows=codes.train.shape[1],
        n_candidates=len(codes.candidates),
        n_outputs=1,
    )


def _trainer(codes: FoldCodes, plan: BoostingPlan, seed: int) -> Trainer:
    return Trainer(plan, codes.candidates, _randomness(seed), Ledger())


def _randomness(seed: int) -> SimulatedRandomness:
    return SimulatedRandomness(np.random.default_rng(seed))


def _n_nodes(tree: Tree) -> int:
    complete = bool((tree.splits.attribute >= 0).all())
    return 2 * len(tree.splits) + 1 if complete else tree.n_nodes
