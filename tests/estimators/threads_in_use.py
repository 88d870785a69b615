"""What the scripts of ``test_threads_in_use.py`` share: rows enough for threads, learners, and digests of models."""

import hashlib
import json
import os
import threading
import warnings

import joblib
import numpy as np

import privboost as pb

__all__ = ["LEARNERS", "X", "fit", "fit_and_count", "hashlib", "helpers", "joblib", "n_threads", "np", "os", "y"]

warnings.simplefilter("ignore")  # simulations say that they are not private

N_ROWS = 40_000
rng = np.random.default_rng(0)
X = rng.random((N_ROWS, 4))
y = (X[:, 0] + X[:, 1] + 0.2 * rng.normal(size=N_ROWS) > 1).astype(int)
public = {"domain": pb.Domain({f"x{i}": pb.Numeric(0, 1) for i in range(4)}), "random_state": 0}
classes = {"classes": [0, 1], **public}

LEARNERS = (
    lambda: pb.BDPEClassifier(n_trees=3, max_depth=3, **classes),
    lambda: pb.PrivateBoostingClassifier(n_rounds=4, trees_per_round=2, max_depth=4, tests_per_node=3, **classes),
    lambda: pb.PrivateBoostingRegressor(n_rounds=3, max_depth=3, target_range=(0, 1), **public),
)


def fit(k, n_jobs=None):
    """Return a digest of what the k-th learner learns and answers."""
    model = LEARNERS[k]().set_params(n_jobs=n_jobs).fit(X, y)
    trees = [[tree.values.tolist(), tree.splits.attribute.tolist()] for tree in model.ensemble_.trees]
    content = json.dumps(trees).encode() + np.ascontiguousarray(model.predict(X)).tobytes()
    return hashlib.sha256(content).hexdigest()


def helpers():
    """Return the names of privboost's own threads in this process."""
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("privboost")]


def n_threads():
    """Return how many threads the process has, whoever started them; None where the system does not tell."""
    return len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else None


def fit_and_count(k):
    """Fit in a worker, and count the threads of privboost in its process."""
    return fit(k), len(helpers())
