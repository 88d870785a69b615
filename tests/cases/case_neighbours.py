"""Two tables that differ in one row must be told apart by nothing but released numbers."""

from __future__ import annotations

import numpy as np


def facts(model):
    """Everything about a fitted model but the values of released numbers."""
    trees = [(t.depth, len(t.splits), t.values.shape, t.values.dtype, t.n_leaves) for t in model.ensemble_.trees]
    releases = [(e.label, e.mechanism, e.distance, e.count, e.composition, e.size) for e in model.privacy_.releases]
    attributes = {name: type(value).__name__ for name, value in vars(model).items()}
    e = model.ensemble_
    target = model.classes_.tolist() if hasattr(model, "classes_") else model.target_range_
    return trees, releases, attributes, e.weights.shape, e.outputs.tolist(), target


def answers_of(model, X):
    return model.predict_proba(X) if hasattr(model, "predict_proba") else model.predict(X)


def compare(observe, make, table, odd):
    """Fit on both; the same exception, warnings, log and output, and models of the same shape that answer alike."""
    outcomes, models = [], []
    for given in (table, odd):
        model = make()
        outcomes.append(observe(lambda m=model, given=given: m.fit(*given)))
        models.append(model)
    assert outcomes[0] == outcomes[1]
    assert outcomes[0].error is None
    assert facts(models[0]) == facts(models[1])
    answers = [answers_of(m, table[0]) for m in models]
    assert all(np.isfinite(a).all() for a in answers)
    assert all(np.isfinite(t.values).all() for m in models for t in m.ensemble_.trees)
    assert all(np.isfinite(m.ensemble_.weights).all() for m in models)


def object_array(rows, shape):
    array = np.empty(shape, dtype=object)
    for i, row in enumerate(rows):
        if len(shape) == 1:
            array[i] = row
        else:
            for j, cell in enumerate(row):
                array[i, j] = cell
    return array
