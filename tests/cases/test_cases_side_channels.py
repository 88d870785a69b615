"""Whether training fails, warns, logs or changes shape may not depend on what a row holds.

Each test compares a table with the one in which an ordinary row is replaced by an odd one; number of rows and dtypes,
which are public, are the same.
"""

from __future__ import annotations

import datetime
import logging
import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from case_neighbours import compare, object_array

from privboost.data.encoding import Encoder
from privboost.ensembles.ensemble import Ensemble


class Hostile:
    """Whatever is asked of it fails, and says a secret."""

    def _fail(self, *args):
        raise RuntimeError("4711")

    __hash__ = __eq__ = __ne__ = __lt__ = __gt__ = __bool__ = __float__ = __int__ = __index__ = _fail
    __str__ = __repr__ = __len__ = __iter__ = __array__ = _fail


ODD_NUMBERS = (np.nan, np.inf, -np.inf, 1e300, -1e308, 1e-320, -0.0, 5.0, -3.0)
ODD_CELLS = (
    *ODD_NUMBERS,
    *(None, pd.NA, pd.NaT, np.datetime64("NaT"), "", "unseen", "a ", "1e400", "nan", "\x00", b"a", 10**400, True),
    *(1j, Decimal("NaN"), Decimal("1e99999"), datetime.date(2020, 1, 1), np.datetime64("2020"), np.timedelta64(1, "s")),
    *([1], (1,), {"a": 1}, {1}, np.array([1.0, 2.0]), np.array(1.0), object(), Hostile(), int, np.longdouble(3)),
)


def name_of(cell):
    return f"{type(cell).__name__} {object.__repr__(cell) if isinstance(cell, Hostile) else cell!r}"[:24]


class TestOddCells:
    @pytest.mark.parametrize("value", ODD_NUMBERS, ids=name_of)
    @pytest.mark.parametrize("dtype", [np.float64, np.float32])
    def test_in_an_array_of_numbers(self, learner, square, observe, value, dtype):
        X, y = square(30)
        X = X.astype(dtype)
        odd = X.copy()
        with np.errstate(over="ignore"):
            odd[7, 0] = dtype(value)
        compare(observe, learner, (X, y), (odd, y))

    @pytest.mark.parametrize("cell", ODD_CELLS, ids=name_of)
    def test_in_any_column_of_an_array_of_objects(self, learner, mixed, mixed_domain, observe, cell):
        X, y = mixed(30)
        odd = object_array(X, X.shape)
        for column in range(5):
            odd[7, column] = cell
        compare(observe, lambda: learner(domain=mixed_domain), (X, y), (odd, y))

    @pytest.mark.parametrize("cell", [None, np.nan, np.inf, -np.inf, 1e300, 7.5])
    @pytest.mark.parametrize("kind", ["pandas", "pandas nullable", "polars", "arrow"])
    def test_in_a_numeric_column_of_a_frame(self, make_learner, square, observe, cell, kind):
        X, y = square(30)
        tables = []
        for value in (0.5, cell):
            a = [*X[:-1, 0].tolist(), value]
            tables.append((frame(kind, {"a": a, "b": X[:, 1].tolist()}), y))
        for name in ("boosted", "forest, laplace, disjoint", "tree"):
            compare(observe, make_learner(name), *tables)

    @pytest.mark.parametrize("cell", [None, "", "unseen", "red ", "\x00"])
    @pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
    def test_in_a_text_column_of_a_frame(self, make_learner, mixed, mixed_domain, observe, cell, kind):
        X, y = mixed(30)
        tables = []
        for value in ("red", cell):
            columns = {
                "age": [50] * 30,
                "score": X[:, 1].astype(float).tolist(),
                "colour": [*X[:-1, 2].tolist(), value],
                "size": X[:, 3].tolist(),
                "member": X[:, 4].astype(bool).tolist(),
            }
            tables.append((frame(kind, columns), y))
        for name in ("boosted", "forest, exponential, disjoint", "tree"):
            compare(observe, lambda name=name: make_learner(name)(domain=mixed_domain), *tables)

    @pytest.mark.parametrize("cell", [None, "x", 1e300, np.nan, 10**400, b"x", True, pd.NA], ids=name_of)
    def test_in_a_list_of_rows(self, learner, square, observe, cell):
        X, y = square(30)
        odd = [*X[:-1].tolist(), [0.5, cell]]
        compare(observe, learner, (X.tolist(), y), (odd, y))

    @pytest.mark.parametrize("cell", [1j, [1], np.array([1.0, 2.0])], ids=name_of)
    def test_in_a_list_of_rows_that_numpy_reads_as_another_kind(self, make_learner, square, observe, cell):
        X, y = square(30)
        odd = [*X[:-1].tolist(), [0.5, cell]]
        compare(observe, make_learner("tree"), (X.tolist(), y), (odd, y))


def frame(kind, columns):
    if kind == "polars":
        return pl.DataFrame(columns, strict=False)
    if kind == "arrow":
        return pa.table(columns)
    made = pd.DataFrame(columns)
    if kind == "pandas nullable":
        return made.astype({name: "Float64" for name in made.columns})
    return made.astype({name: float for name in made.columns if name in ("a", "b")})


class TestOddLabels:
    @pytest.mark.parametrize("value", [*ODD_NUMBERS, 0.5, 2.0], ids=name_of)
    def test_in_an_array_of_floats(self, learner, square, observe, value):
        X, y = square(30)
        y = y.astype(float)
        odd = y.copy()
        odd[7] = value
        compare(observe, learner, (X, y), (X, odd))

    @pytest.mark.parametrize("value", [5, -1, 2**62, -(2**63)])
    def test_in_an_array_of_integers(self, learner, square, observe, value):
        X, y = square(30)
        odd = y.copy()
        odd[7] = value
        compare(observe, learner, (X, y), (X, odd))

    @pytest.mark.parametrize("label", ODD_CELLS, ids=name_of)
    def test_in_an_array_of_objects(self, learner, square, observe, label):
        X, y = square(30)
        y = y.astype(object)
        odd = object_array(y, y.shape)
        odd[7] = label
        compare(observe, learner, (X, y), (X, odd))

    @pytest.mark.parametrize("label", ["", "maybe", "yes ", "\x00"])
    def test_in_an_array_of_text(self, classifier, square, observe, label):
        X, y = square(30)
        words = np.array(["no", "yes"], dtype="<U9")[y]
        odd = words.copy()
        odd[7] = label
        compare(observe, lambda: classifier(classes=["no", "yes"]), (X, words), (X, odd))

    @pytest.mark.parametrize("label", [None, 5, "maybe"])
    @pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
    def test_in_a_series(self, make_learner, square, observe, label, kind):
        X, y = square(30)
        text = isinstance(label, str)
        if text:
            y = np.array(["no", "yes"])[y]
        tables = [(X, series(kind, [*y[:-1].tolist(), last])) for last in (y[0].item(), label)]
        for name in ("boosted", "forest, laplace, disjoint", "tree", "random trees, laplace", "numbers, gaussian"):
            if not (text and name.startswith("numbers")):
                compare(observe, lambda n=name: make_learner(n)(classes=["no", "yes"] if text else [0, 1]), *tables)

    @pytest.mark.parametrize("label", [None, 5, np.nan, 10**400, pd.NA, 0.5], ids=name_of)
    def test_in_a_list(self, learner, square, observe, label):
        X, y = square(30)
        compare(observe, learner, (X, y.tolist()), (X, [*y[:-1].tolist(), label]))

    @pytest.mark.parametrize("label", ["x", b"x", 1j, [1], np.array([1.0, 2.0])], ids=name_of)
    def test_in_a_list_that_numpy_reads_as_another_kind(self, make_learner, square, observe, label):
        X, y = square(30)
        for name in ("tree", "random trees, gaussian", "numbers, laplace"):
            compare(observe, make_learner(name), (X, y.tolist()), (X, [*y[:-1].tolist(), label]))

    def test_no_label_is_listed_at_all(self, learner, square, observe):
        X, y = square(30)
        y = y.astype(float)  # as a gap makes it; the dtype is public
        compare(observe, learner, (X, y), (X, learner.without(y, slice(None))))


def series(kind, labels):
    if kind == "polars":
        return pl.Series("y", labels)
    if kind == "arrow":
        return pa.array(labels)
    made = pd.Series(labels)
    return made.astype("Int64") if made.dtype != "str" and not isinstance(labels[0], str) else made


class TestOddWeights:
    """Weights are private like cells and labels: any number, or none, counts as one from 0 to the public largest."""

    @pytest.mark.parametrize("value", ODD_NUMBERS, ids=name_of)
    def test_in_an_array_of_numbers(self, weighing, square, observe, value):
        X, y = square(30)
        weights = np.ones(30)
        odd = weights.copy()
        odd[7] = value
        compare(observe, weighing, (X, y, weights), (X, y, odd))

    @pytest.mark.parametrize("cell", ODD_CELLS, ids=name_of)
    def test_in_an_array_of_objects(self, weighing, square, observe, cell):
        X, y = square(30)
        weights = np.ones(30).astype(object)
        odd = object_array(weights, weights.shape)
        odd[7] = cell
        compare(observe, weighing, (X, y, weights), (X, y, odd))

    @pytest.mark.parametrize("cell", [None, 50.0, -1.0, np.nan])
    @pytest.mark.parametrize("kind", [list, "pandas", "polars", "arrow"])
    def test_in_a_list_or_a_series(self, weighing, square, observe, cell, kind):
        X, y = square(30)
        tables = []
        for last in (1.0, cell):
            weights = [*([1.0] * 29), last]
            if kind != list:  # noqa: E721
                weights = pl.Series(weights, dtype=pl.Float64) if kind == "polars" else weights
                weights = pa.array(weights, pa.float64(), from_pandas=True) if kind == "arrow" else weights
                weights = pd.Series(weights, dtype="Float64") if kind == "pandas" else weights
            tables.append((X, y, weights))
        compare(observe, weighing, *tables)

    def test_none_counts(self, weighing, square, observe):
        X, y = square(30)
        compare(observe, weighing, (X, y, np.ones(30)), (X, y, np.zeros(30)))

    @pytest.mark.filterwarnings("ignore:'random_state' is set:privboost.errors.PrivacyWarning")
    @pytest.mark.parametrize("shape", [(29,), (31,), (30, 1), (), (0,)])
    def test_of_another_shape_are_refused(self, weighing, square, shape):
        X, y = square(30)
        with pytest.raises(ValueError, match="sample_weight"):
            weighing().fit(X, y, sample_weight=np.ones(shape))

    @pytest.mark.filterwarnings("ignore:'random_state' is set:privboost.errors.PrivacyWarning")
    def test_a_row_of_weight_0_is_a_null_row(self, weighing, square):
        X, y = square(30)
        rows = slice(0, None, 4)
        weights = np.ones(30)
        weights[rows] = 0.0
        one = weighing().fit(X, y, sample_weight=weights)
        other = weighing().fit(X, weighing.without(y, rows))
        np.testing.assert_array_equal(weighing.answers(one, X), weighing.answers(other, X))


class TestRowsWithOddEverything:
    def test_the_whole_row_is_odd(self, learner, mixed, mixed_domain, observe):
        X, y = mixed(30)
        odd, labels = X.copy(), y.astype(object)
        for column, cell in enumerate((np.inf, np.nan, Hostile(), b"?", "perhaps")):
            odd[0, column] = cell
        labels[0] = Hostile()
        compare(observe, lambda: learner(domain=mixed_domain), (X, y.astype(object)), (odd, labels))

    def test_every_row_is_odd(self, learner, mixed, mixed_domain, observe):
        X, y = mixed(30)
        odd = np.full(X.shape, None, dtype=object)
        compare(observe, lambda: learner(domain=mixed_domain), (X, y), (odd, y))

    def test_predicting_an_odd_row_does_not_fail_either(self, learner, mixed, mixed_domain, observe):
        X, y = mixed(30)
        model = learner(domain=mixed_domain)
        with pytest.warns(UserWarning, match="random_state"):
            model.fit(X, y)
        odd = X.copy()
        for column, cell in enumerate((1j, "x", Hostile(), None, [1])):
            odd[3, column] = cell
        outcomes = [observe(lambda rows=rows: model.predict(rows)) for rows in (X, odd)]
        assert outcomes[0] == outcomes[1]
        np.testing.assert_array_equal(learner.answers(model, X)[4:], learner.answers(model, odd)[4:])


class TestNumbersStayFinite:
    """NaN must not slip through a clip into a leaf, a noise scale or the ledger."""

    @pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e300])
    @pytest.mark.filterwarnings("ignore:'random_state' is set:privboost.errors.PrivacyWarning")
    def test_a_whole_table_of_it(self, learner, value):
        X = np.full((30, 2), value)
        y = np.full(30, value)
        model = learner().fit(X, y)
        assert np.isfinite(learner.answers(model, X)).all()
        assert learner.is_regressor or np.isfinite(model.decision_function(X)).all()
        assert all(np.isfinite(e.scale) and e.scale > 0 for e in model.privacy_.releases)
        assert model.privacy_.spent <= 1

    @pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e300, -1.0])
    @pytest.mark.filterwarnings("ignore:'random_state' is set:privboost.errors.PrivacyWarning")
    def test_all_weights_are_it(self, weighing, square, value):
        X, y = square(30)
        model = weighing().fit(X, y, sample_weight=np.full(30, value))
        assert np.isfinite(weighing.answers(model, X)).all()
        assert model.privacy_.spent <= 1


class TestSideChannelsAreCaught:
    """Planted bugs that the comparison above must see."""

    def fails(self, observe, make, square, value=np.nan, without=False):
        X, y = square(30)
        odd, labels = X.copy(), y.copy()
        odd[7, 0] = value
        if without:
            labels = make.without(labels, 7)
        with pytest.raises(AssertionError):
            compare(observe, make, (X, y), (odd, labels))

    def test_an_exception_on_nan(self, learner, square, observe, monkeypatch):
        encode = Encoder.encode

        def strict(self, X):
            if np.isnan(X).any():
                raise ValueError("Input contains NaN.")
            return encode(self, X)

        monkeypatch.setattr(Encoder, "encode", strict)
        self.fails(observe, learner, square)

    def test_a_warning_about_values_out_of_bounds(self, learner, square, observe, monkeypatch):
        encode = Encoder.encode

        def chatty(self, X):
            if (X > 1).any():
                warnings.warn("values were clipped", UserWarning, stacklevel=2)
            return encode(self, X)

        monkeypatch.setattr(Encoder, "encode", chatty)
        self.fails(observe, learner, square, value=5.0)

    def test_a_log_line_about_labels(self, learner, square, observe, plant_in_rows):
        def chatty(rows, counts):
            if not counts.all():
                logging.getLogger("privboost").debug("a label is not listed")

        plant_in_rows(chatty)
        self.fails(observe, learner, square, value=0.5, without=True)

    def test_a_line_on_the_terminal(self, learner, square, observe, plant_in_rows):
        plant_in_rows(lambda rows, counts: print("rows:", counts.sum()))
        self.fails(observe, learner, square, value=0.5, without=True)

    def test_a_tree_less_when_a_label_is_missing(self, learner, square, observe, monkeypatch, plant_in_rows):
        original = Ensemble.__post_init__
        all_count = []

        def shorter(self):
            original(self)
            if not all_count[-1]:
                for name in ("trees", "weights", "outputs"):
                    object.__setattr__(self, name, getattr(self, name)[:-1])

        plant_in_rows(lambda rows, counts: all_count.append(bool(counts.all())))
        monkeypatch.setattr(Ensemble, "__post_init__", shorter)
        self.fails(observe, learner, square, value=0.5, without=True)
