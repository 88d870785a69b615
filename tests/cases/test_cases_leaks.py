"""More that can be read: evaluations, automatic settings, names that only private rows hold, sizes in storage."""

from __future__ import annotations

import json
import pickle
import re

import numpy as np
import pandas as pd
import pytest
from case_leaks import finite, is_common, near, texts_in

from privboost import Budget, Categorical, Domain, Numeric, PrivateBoostingClassifier, evaluate_private
from privboost.evaluation import private

pytestmark = pytest.mark.filterwarnings("ignore:'random_state' is set:privboost.errors.PrivacyWarning")

SIMULATED = "random trees, laplace", "random trees, gaussian", "random trees, selected", "numbers, selected, gaussian"
SENTINEL = "zq-private-only-17"


@pytest.mark.parametrize("name", SIMULATED)
def test_automatic_settings_let_out_no_exact_number_either(name, make_learner, square, leak_search):
    make = make_learner(name)
    loss = {"loss": make.settings["loss"]} if "loss" in make.settings else {}
    rule = {key: make.settings[key] for key in ("mechanism", "delta", "tests_per_node") if key in make.settings}
    target = {"target_range": (0, 1)} if make.is_regressor else {"classes": [0, 1]}
    given = {"domain": make().domain, "epsilon": 2.0, "random_state": 0, "verbose": True, **target, **rule, **loss}
    train = lambda: make.cls(**given, budget=Budget(10.0, 1e-3))  # noqa: E731
    assert leak_search.leaks(train, square(643, 0), square(643, 1), known=make.common) == []


class Evaluation:
    """`evaluate_private` as something that is fitted, for the recorder."""

    def __init__(self, model, **price):
        self.model, self.price = model, {"epsilon": 0.05, "random_state": 0, **price}

    def fit(self, X, y):
        self.report = evaluate_private(self.model, X, y, **self.price)
        return self


class TestEvaluations:
    CASES = (
        ("random trees, laplace", [0, 1], {}),
        ("random trees, gaussian", [0, 1], {"delta": 1e-6, "mechanism": "gaussian"}),
        ("boosted", [0, 1, 2], {}),
        ("forest, laplace, disjoint", [0, 1, 2], {"delta": 1e-6, "mechanism": "gaussian"}),
        ("numbers, laplace", [0, 1], {}),
    )
    everyone = pytest.mark.parametrize(("name", "classes", "price"), CASES)

    @staticmethod
    def tables(classes):
        rng = np.random.default_rng(5)
        tables = []
        for _ in range(2):
            X = rng.random((643, 2))
            y = np.minimum((X[:, 0] * len(classes)).astype(int), len(classes) - 1)
            tables.append((X, np.where(rng.random(643) < 0.2, 99, y)))  # 99 is none of them
        return tables

    def leaks(self, name, classes, price, make_learner, square, recorder, leak_search, planted=frozenset()):
        make = make_learner(name)
        model = make(classes=classes).fit(*square(300, n_classes=len(classes)))
        table, other = self.tables(classes)
        if make.is_regressor:
            table, other = ((X, np.where(y == 99, np.nan, X[:, 0])) for X, y in (table, other))
        (seen,) = recorder.fit(Evaluation(model, **price), *table)
        (seen_other,) = recorder.fit(Evaluation(model, **price), *other)
        secrets = self.secrets(model, table, seen) - self.secrets(model, other, seen_other)
        assert len(secrets) > 5
        budget = Budget(100.0, 1e-3)
        evaluate = lambda t: Evaluation(model, budget=budget, **price).fit(*t).report  # noqa: E731
        public = {number for _, number in finite(leak_search.evaluation_places(lambda: evaluate(other)))}
        released = seen.answer.astype(float).ravel()  # the same draws again; one may hit an exact count by chance
        public |= {*np.abs(released).tolist(), *(np.abs(released) / 2**16).tolist()}
        found = finite(leak_search.evaluation_places(lambda: evaluate(table)))
        wanted = np.array(sorted({s for s in secrets - public if not is_common(s)} | planted))
        return [found[i] for i in np.flatnonzero(near(np.array([n for _, n in found]), wanted))]

    @staticmethod
    def secrets(model, table, seen):
        """Exact cells, their cumulative sums, marginal sums and shares; known rows, right answers, errors."""
        X, y = table
        cells = seen.exact.astype(float).ravel() / (2**16 if seen.exact.max() >= 2**16 else 1)
        sums = [cells, np.cumsum(cells), cells[0::2], cells[1::2]]
        known = np.isfinite(y) & (y != 99)
        numbers = [*np.concatenate(sums), cells[0::2].sum(), cells[1::2].sum(), known.sum(), (~known).sum()]
        answers = model.predict(X)
        if hasattr(model, "classes_"):
            right = (answers == y)[known]
            numbers += [right.sum(), right.mean(), 1 - right.mean(), *np.bincount(y[known].astype(int))]
        else:
            error = (answers - y)[known]
            numbers += [abs(error).mean(), np.sqrt((error**2).mean()), error.mean(), *np.abs(error)]
        return {abs(float(number)) for number in numbers}

    @everyone
    def test_let_out_no_exact_count_or_figure(self, name, classes, price, make_learner, square, recorder, leak_search):
        assert self.leaks(name, classes, price, make_learner, square, recorder, leak_search) == []

    @pytest.mark.parametrize("place", ["table", "figure", "note", "attribute"])
    def test_a_planted_one_is_found(self, place, make_learner, square, recorder, leak_search, monkeypatch):
        report_of, encode = private.report_of, private.encode_labels
        known, marks = [], set()

        def watched(*args):
            codes = encode(*args)
            # So large that no other number comes near it by chance.
            known.append(10**9 + int((codes >= 0).sum()))
            marks.add(float(known[-1]))
            return codes

        def planted(counts, plan, statement, *rest):
            report = report_of(counts, plan, statement, *rest)
            if place == "table":
                return _with(report, table={**report.table, "known": known[-1]})
            if place == "note":
                notes = (*statement.notes, f"{known[-1]} rows have a label.")
                return _with(report, statement=_with(statement, notes=notes))
            if place == "figure":
                return _with(report, figures={**report.figures, f"of {known[-1]} rows": None})
            object.__setattr__(report, "n_known", known[-1])
            return report

        monkeypatch.setattr(private, "encode_labels", watched)
        monkeypatch.setattr(private, "report_of", planted)
        assert self.leaks(*self.CASES[0], make_learner, square, recorder, leak_search, marks) != []


def _with(frozen, **changes):
    copied = object.__new__(type(frozen))
    for name in frozen.__dataclass_fields__:
        object.__setattr__(copied, name, changes.get(name, getattr(frozen, name)))
    return copied


class TestNamesInPrivateRows:
    """Categories, labels and cells that nobody declared are in no byte of what is let out."""

    DOMAIN = Domain({"colour": Categorical(["red", "green"]), "x": Numeric(0, 1)})

    @staticmethod
    def table(kind):
        """Rows of which some hold the sentinel, as a category, as text in a column of numbers, and as a label."""
        rng = np.random.default_rng(0)
        X = np.empty((60, 2), dtype=object)
        X[:, 0], X[:, 1] = rng.choice(["red", "green"], 60), rng.random(60)
        X[::7, 0], X[3, 1] = SENTINEL, SENTINEL
        y = np.where(X[:, 0] == "red", "yes", "no").astype(object)
        y[5] = SENTINEL
        return (pd.DataFrame(X, columns=["colour", "x"]), pd.Series(y)) if kind == "pandas" else (X, y)

    def fitted(self, learner):
        classes = [0, 1] if learner.is_regressor else ["no", "yes"]
        return learner(domain=self.DOMAIN, classes=classes, verbose=True, budget=Budget(9.0, 1e-3))

    @pytest.mark.parametrize("kind", ["numpy", "pandas"])
    def test_of_a_fit(self, learner, kind, leak_search):
        X, y = self.table(kind)
        if learner.is_regressor:
            y = np.where(np.asarray(y) == "yes", 1, 0).astype(object)
            y[5] = SENTINEL
        places = leak_search.places(self.fitted(learner), X, y)
        assert [where for where, text in texts_in(places) if SENTINEL in text or SENTINEL[:8] in text] == []

    def test_of_an_evaluation(self, learner, leak_search):
        X, y = self.table("numpy")
        if learner.is_regressor:
            y = np.where(y == "yes", 1, 0).astype(object)
            y[5] = SENTINEL
        model = self.fitted(learner).fit(X, y)
        places = leak_search.evaluation_places(lambda: evaluate_private(model, X, y, epsilon=1.0))
        assert [where for where, text in texts_in(places) if SENTINEL[:8] in text] == []

    def test_a_planted_one_is_found(self, make_learner, leak_search, monkeypatch):
        keep = PrivateBoostingClassifier._keep_target

        def planted(model, target):
            keep(model, target)
            model.seen_ = {SENTINEL: 1}

        monkeypatch.setattr(PrivateBoostingClassifier, "_keep_target", planted)
        learner = make_learner("random trees, laplace")
        model = self.fitted(learner)
        model.fit(*self.table("numpy"))
        assert [where for where, text in texts_in(vars(model)) if SENTINEL in text] == ["['seen_'] key"]


class TestSizes:
    """What is stored has the same form for 100 rows as for 100,000, and whatever they hold."""

    NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][-+]?\d+)?")

    def forms(self, model, path):
        """Return the pickle's size, and the file with every number, and every list of released edges, taken out."""
        model.save(path)
        document = json.loads(path.read_text())
        if document.get("refinement"):
            document["refinement"] = None
        document["plan"].pop("reasons", None)  # speak of the number of rows
        return len(pickle.dumps(model)), self.NUMBER.sub("0", json.dumps(document))

    def test_do_not_depend_on_the_number_of_rows(self, learner, square, tmp_path):
        # How many tests are tried may follow from the number of rows, which is public.
        fixed = {"tests_per_node": 1} if learner.is_boosting and "tests_per_node" not in learner.settings else {}
        # Whether scores are calibrated may, too.
        fixed |= {"calibration_share": 0.1} if learner.cls is PrivateBoostingClassifier else {}
        few, many = (self.forms(learner(**fixed).fit(*square(n)), tmp_path / "model.json") for n in (100, 100_000))
        assert few[1] == many[1]
        # Integers such as the row count itself, and scales, take a few bytes more; released edges, up to 253 for each
        # of two attributes, 8 bytes each.
        assert abs(few[0] - many[0]) < (5000 if learner.is_boosting else 400)

    def test_do_not_depend_on_what_they_hold(self, learner, square, tmp_path):
        X, y = square(500)
        odd = np.full_like(X, np.nan), np.full(500, 7.5)
        forms = [
            self.forms(learner().fit(*table), tmp_path / "model.json") for table in ((X, y), (1e300 * X, 0 * y), odd)
        ]
        assert len({form for _, form in forms}) == 1
        sizes = [size for size, _ in forms]
        assert max(sizes) - min(sizes) < (5000 if learner.is_boosting else 400)

    def test_an_evaluation_s_do_not_either(self, learner, square):
        model = learner().fit(*square(60))
        forms = []
        for n_rows in (4000, 100_000):
            X, y = square(n_rows)
            for labels in (y, learner.without(y, slice(None))):
                report = evaluate_private(model, X, labels, epsilon=1e-3)
                forms.append((len(pickle.dumps(report)), self.NUMBER.sub("0", json.dumps(sorted(report.to_dict())))))
        sizes = [size for size, _ in forms]
        assert max(sizes) - min(sizes) < 2000
        assert len({form for _, form in forms}) == 1
