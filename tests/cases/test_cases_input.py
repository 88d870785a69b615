"""Tables as users have them: missing and infinite cells, unknown categories, frames of every library, odd shapes."""

from __future__ import annotations

import datetime
import pickle
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.utils import get_tags

from privboost import Boolean, Categorical, Domain, Numeric, Ordinal
from privboost.errors import ParameterError, ParameterTypeError, SchemaError, SchemaTypeError

pytestmark = pytest.mark.filterwarnings("ignore:'random_state' is set:privboost.errors.PrivacyWarning")


class TestMissingValues:
    MISSING = (np.nan, None, pd.NA, pd.NaT, float("nan"), np.float32("nan"), np.datetime64("NaT"), Decimal("NaN"))

    def test_missing_at_fit_only_at_predict_only_and_in_a_whole_column(self, learner, square):
        X, y = square(60)
        some, column = X.copy(), X.copy()
        some[::10] = np.nan
        column[:, 0] = np.nan
        for train in (X, some, column):
            model = learner().fit(train, y)
            for rows in (X, some, column):
                assert np.isfinite(learner.answers(model, rows)).all()

    @pytest.mark.parametrize("cell", MISSING, ids=repr)
    def test_every_kind_of_missing_cell_is_the_same_one(self, learner, mixed, mixed_domain, cell):
        X, y = mixed(60)
        with_none, with_cell = X.copy(), X.copy()
        with_none[:5], with_cell[:5] = None, cell
        models = [learner(domain=mixed_domain).fit(table, y) for table in (with_none, with_cell)]
        np.testing.assert_array_equal(learner.answers(models[0], with_none), learner.answers(models[1], with_cell))

    def test_missing_has_a_place_of_its_own_whether_or_not_it_was_seen(self, learner, square):
        X, y = square(60)
        model = learner().fit(X, y)
        codes = model._trained.encoder.encode(np.array([[np.nan, 0.0], [0.0, np.nan], [1.0, 1.0]]))
        assert (codes == 0).tolist() == [[True, False, False], [False, True, False]]

    def test_informative_missing_values_are_learnt_where_they_are_declared(self, make_learner):
        rng = np.random.default_rng(0)
        X = rng.random((2000, 1))
        y = rng.integers(0, 2, 2000)
        X[y == 1] = np.nan
        domain = Domain({"x": Numeric(0, 1, missing=True)})
        for name in ("boosted", "tree", "random trees, laplace", "random trees, gaussian"):
            extra = {"n_rounds": 20, "learning_rate": 1.0} if "random" in name else {}
            model = make_learner(name)(domain=domain, epsilon=100.0, **extra).fit(X, y)
            assert model.score(X, y) > 0.99

    def test_tags_say_so(self, learner):
        assert get_tags(learner()).input_tags.allow_nan is True


class TestInfiniteAndHugeValues:
    @pytest.mark.parametrize(
        ("cell", "bound"), [(np.inf, 1), (-np.inf, 0), (1e258, 1), (1e39, 1), (-1e308, 0), (3.0, 1), (-2.0, 0)]
    )
    def test_count_as_the_bound_in_fit_and_predict(self, learner, square, cell, bound):
        X, y = square(60)
        odd, clipped = X.copy(), X.copy()
        odd[::7, 0], clipped[::7, 0] = cell, bound
        models = [learner().fit(table, y) for table in (odd, clipped)]
        for rows in (odd, clipped):
            np.testing.assert_array_equal(learner.answers(models[0], rows), learner.answers(models[1], rows))
        np.testing.assert_array_equal(learner.answers(models[0], odd), learner.answers(models[0], clipped))

    def test_infinity_is_not_missing(self, learner, square):
        encoder = learner().fit(*square(60))._trained.encoder
        codes = encoder.encode(np.array([[np.inf, -np.inf], [np.nan, np.nan]]))
        assert codes.tolist() == [[encoder.layout.n_values[0], 0], [1, 0]]

    def test_integers_beyond_float64_in_object_columns(self, learner, square):
        X, y = square(60)
        X = X.astype(object)
        X[3, 0], X[4, 0] = 10**400, -(10**400)
        assert np.isfinite(learner.answers(learner().fit(X, y), X)).all()


class TestSinglePrecision:
    VALUES = (np.float64(0.1), np.float64(np.float32(0.1)), np.nextafter(0.1, 0), np.nextafter(0.1, 1), 0.3, 0.7)

    def test_a_value_lies_on_the_same_side_in_every_precision_and_in_fit_and_predict(self, learner):
        values = np.array(self.VALUES, np.float32)
        domain = Domain({"a": Numeric(0, 1)})
        X64 = values.astype(np.float64).reshape(-1, 1)
        X32 = values.reshape(-1, 1)
        y = np.arange(len(values)) % 2
        one, other = (learner(domain=domain).fit(X, y) for X in (X64, X32))
        for rows in (X64, X32, X64.tolist(), X32.astype(object)):
            np.testing.assert_array_equal(learner.answers(one, rows), learner.answers(other, rows))

    def test_a_value_equal_to_an_edge_goes_up(self, learner, square):
        encoder = learner().fit(*square(40))._trained.encoder
        edges = encoder.layout.edges[0]
        assert 0.1 in edges
        for number, edge in enumerate(edges, start=1):
            cells = (np.nextafter(edge, 0), edge, np.nextafter(edge, 1))
            codes = encoder.encode(np.array([[v, 0.0] for v in cells]))
            assert codes[0].tolist() == [number, number + 1, number + 1]

    @pytest.mark.parametrize("bounds", [(0, 1e-6), (0, 1e-12), (-1e12, 1e12), (1e12, 1e12 + 1), (0, 1e300)])
    def test_narrow_and_wide_ranges_are_usable(self, make_learner, bounds):
        low, high = bounds
        X = np.linspace(low, high, 400).reshape(-1, 1)
        y = (np.arange(400) >= 200).astype(int)
        for name in ("boosted", "tree", "random trees, laplace", "random trees, gaussian"):
            extra = {"n_rounds": 20, "trees_per_round": 4} if "random" in name else {}
            model = make_learner(name)(domain=Domain({"x": Numeric(low, high)}), epsilon=1e3, **extra).fit(X, y)
            assert model.score(X, y) > 0.95


class TestUnknownCategories:
    def test_at_predict_they_are_answered_and_are_not_missing(self, learner, mixed, mixed_domain):
        X, y = mixed(60)
        model = learner(domain=mixed_domain).fit(X, y)
        rows = np.repeat(X[:1], 6, axis=0)
        rows[:, 2] = ["zzz", None, "", "red ", -1, "RED"]
        encoder = model._trained.encoder
        order = encoder.layout.orders[2]
        unlisted = 4 if order is None else int(order[3])  # released rates may have given it another place
        assert encoder.encode(rows)[2].tolist() == [unlisted, 0, unlisted, unlisted, unlisted, unlisted]
        answers = learner.answers(model, rows)
        assert np.isfinite(answers).all()
        for other in answers[[2, 3, 4, 5]]:
            np.testing.assert_array_equal(other, answers[0])

    def test_a_rare_category_that_is_not_declared_appears_nowhere(self, learner, tmp_path):
        X = pd.DataFrame({"c": ["a"] * 12 + ["b"] * 11 + ["RARE"]})
        y = np.arange(24) % 2
        model = learner(domain=Domain({"c": Categorical(["a", "b"])})).fit(X, y)
        model.save(tmp_path / "model.json")
        places = (pickle.dumps(model), repr(model).encode(), model._repr_html_().encode(), str(model.privacy_).encode())
        for place in (*places, (tmp_path / "model.json").read_bytes(), repr(vars(model)).encode()):
            assert b"RARE" not in place

    def test_without_a_declaration_a_text_column_is_refused_unread(self, learner):
        with pytest.raises(SchemaError, match="needs 'domain'"):
            learner(domain=None).fit(pd.DataFrame({"c": ["a", "b"]}), [0, 1])


class TestColumnsOfTheWrongKind:
    REFUSED = (
        np.array([["1", "2"], ["3", "4"]]),
        np.array([[b"1", b"2"]] * 2),
        np.zeros((2, 2), complex),
        np.zeros((2, 2), "datetime64[D]"),
        np.zeros((2, 2), "timedelta64[D]"),
        pd.DataFrame({"a": ["1", "2"], "b": [1, 2]}),
        pd.DataFrame({"a": pd.to_datetime(["2020-01-01"] * 2), "b": [1, 2]}),
        pl.DataFrame({"a": ["1", "2"], "b": [1, 2]}),
        pl.DataFrame({"a": [datetime.date(2020, 1, 1)] * 2, "b": [1, 2]}),
        pl.DataFrame({"a": [[1], [2]], "b": [1, 2]}),
        pa.table({"a": [b"1", b"2"], "b": [1, 2]}),
        pa.table({"a": [[1], [2]], "b": [1, 2]}),
    )

    @pytest.mark.parametrize("X", REFUSED, ids=lambda X: f"{type(X).__module__.split('.')[0]}")
    def test_are_refused_by_name_before_a_value_is_read(self, learner, X):
        with pytest.raises(SchemaTypeError, match=r"'a'|column 0") as caught:
            learner().fit(X, [0, 1])
        assert "2020" not in str(caught.value)

    @pytest.mark.parametrize("X", REFUSED, ids=lambda X: f"{type(X).__module__.split('.')[0]}")
    def test_are_refused_at_predict_too(self, make_learner, square, X):
        model = make_learner("tree")().fit(*square(20))
        with pytest.raises(SchemaTypeError):
            model.predict(X)

    @pytest.mark.parametrize("column", [["1", "2"], [1, "a"], [Decimal(1), Decimal(0)], [b"x", [1]], [None, None]])
    def test_object_columns_are_read_cell_by_cell_and_never_refused(self, learner, column):
        X = np.empty((2, 2), dtype=object)
        X[:, 0], X[:, 1] = [0.5, 0.5], [None, None]
        for i, cell in enumerate(column):
            X[i, 1] = cell
        learner().fit(X, [0, 1]).predict(X)


class TestFrames:
    @staticmethod
    def columns():
        rng = np.random.default_rng(0)
        return {
            "age": rng.integers(0, 101, 60).tolist(),
            "score": rng.uniform(-1, 1, 60).tolist(),
            "colour": rng.choice(["red", "green", "blue"], 60).tolist(),
            "size": rng.choice(["S", "M", "L"], 60).tolist(),
            "member": (rng.random(60) < 0.5).tolist(),
        }

    def test_every_library_gives_the_same_model(self, learner, mixed_domain):
        columns = self.columns()
        y = (np.array(columns["colour"]) == "red").astype(int)
        colours = pl.Enum(["red", "green", "blue"])
        frames = [
            pd.DataFrame(columns),
            pd.DataFrame(columns).astype({"colour": "category", "age": "Int64", "member": "boolean"}),
            pd.DataFrame(columns).convert_dtypes(dtype_backend="pyarrow"),
            pl.DataFrame(columns),
            pl.DataFrame(columns).with_columns(pl.col("colour").cast(colours), pl.col("size").cast(pl.Categorical)),
            pa.table(columns),
            pa.table({**columns, "colour": pa.array(columns["colour"]).dictionary_encode()}),
            pa.table(columns).to_batches()[0],
        ]
        reference = learner(domain=mixed_domain).fit(frames[0], y)
        for frame in frames:
            model = learner(domain=mixed_domain).fit(frame, y)
            assert model.feature_names_in_.tolist() == list(columns)
            np.testing.assert_array_equal(learner.answers(model, frame), learner.answers(reference, frames[0]))

    def test_a_column_of_nulls_is_missing(self, learner, mixed_domain):
        columns = {**self.columns(), "score": [None] * 60}
        y = np.arange(60) % 2
        models = [learner(domain=mixed_domain).fit(f, y) for f in (pl.DataFrame(columns), pa.table(columns))]
        answers = [learner.answers(m, pl.DataFrame(columns)) for m in models]
        np.testing.assert_array_equal(*answers)

    def test_labels_of_every_library(self, classifier, square):
        X, y = square(60)
        words = np.array(["no", "yes"])[y].tolist()
        reference = classifier(classes=["no", "yes"]).fit(X, np.array(words)).predict_proba(X)
        series = (
            words,
            np.array(words, object),
            pd.Series(words),
            pd.Series(words, dtype="category"),
            pl.Series("y", words),
            pl.Series("y", words, dtype=pl.Enum(["yes", "no"])),
            pa.array(words),
            pa.chunked_array([words[:30], words[30:]]),
        )
        for labels in series:
            model = classifier(classes=["no", "yes"]).fit(X, labels)
            np.testing.assert_array_equal(model.predict_proba(X), reference)

    def test_numbers_of_every_library(self, make_learner, square):
        X, _ = square(60)
        y = X[:, 1]
        for name in ("numbers, laplace", "numbers, gaussian"):
            make = make_learner(name)
            reference = make().fit(X, y).predict(X)
            series = (
                *(y.tolist(), y.astype(object), pd.Series(y), pd.Series(y, dtype="Float64"), pl.Series("y", y)),
                *(
                    pa.array(y),
                    pa.chunked_array([y[:30], y[30:]]),
                    pd.Series(y).convert_dtypes(dtype_backend="pyarrow"),
                ),
            )
            for numbers in series:
                np.testing.assert_array_equal(make().fit(X, numbers).predict(X), reference)

    def test_a_lazy_frame_is_told_to_be_collected(self, learner):
        with pytest.raises(SchemaTypeError, match="collect"):
            learner().fit(pl.LazyFrame({"a": [0.1], "b": [0.2]}), [0])


class TestColumnNames:
    def test_any_order_is_matched_by_name(self, learner, square):
        X, y = square(60)
        frame = pd.DataFrame(X, columns=["a", "b"])
        model = learner().fit(frame, y)
        np.testing.assert_array_equal(learner.answers(model, frame), learner.answers(model, frame[["b", "a"]]))
        swapped = learner().fit(frame[["b", "a"]], y)
        np.testing.assert_array_equal(learner.answers(model, frame), learner.answers(swapped, frame))

    @pytest.mark.parametrize(
        ("columns", "message"),
        [
            (["a"], "lacks the columns 'b'"),
            (["a", "c"], "lacks the columns 'b'"),
            (["a", "b", "c"], "has the columns 'c'"),
            (["A", "B"], "lacks the columns 'a', 'b'"),
            (["a", "a"], "two columns named 'a'"),
        ],
    )
    def test_names_that_do_not_fit_are_listed(self, learner, square, columns, message):
        X, y = square(60)
        table = pd.DataFrame(np.random.default_rng(0).random((60, len(columns))), columns=columns)
        with pytest.raises(SchemaError, match=message):
            learner().fit(table, y)
        model = learner().fit(X, y)
        with pytest.raises(SchemaError, match=message):
            model.predict(table)

    def test_an_array_after_names_warns(self, learner, square):
        X, y = square(60)
        model = learner().fit(pd.DataFrame(X, columns=["a", "b"]), y)
        names = ("predict",) if learner.is_regressor else ("predict", "predict_proba", "decision_function")
        for method in (getattr(model, name) for name in names):
            with pytest.warns(UserWarning, match="does not have valid feature names"):
                method(X)

    def test_an_array_leaves_no_names_behind(self, learner, square):
        X, y = square(60)
        model = learner().fit(pd.DataFrame(X, columns=["a", "b"]), y)
        assert model.feature_names_in_.tolist() == ["a", "b"]
        model.fit(X, y)
        assert not hasattr(model, "feature_names_in_")
        assert model.n_features_in_ == 2

    def test_whole_numbers_as_names_are_positions(self, learner, square):
        X, y = square(60)
        model = learner().fit(pd.DataFrame(X), y)
        expected = learner.answers(learner().fit(X, y), X)
        np.testing.assert_array_equal(learner.answers(model, pd.DataFrame(X)), expected)
        with pytest.raises(SchemaTypeError, match="text"):
            learner().fit(pd.DataFrame(X, columns=[5, 7]), y)

    def test_names_of_several_levels_are_refused(self, learner, square):
        X, y = square(60)
        columns = pd.MultiIndex.from_tuples([("a", "x"), ("b", "y")])
        with pytest.raises(SchemaTypeError, match="several levels"):
            learner().fit(pd.DataFrame(X, columns=columns), y)

    @pytest.mark.parametrize("width", [1, 3])
    def test_a_wrong_number_of_columns_is_said_as_everywhere(self, learner, square, width):
        model = learner().fit(*square(60))
        name = type(model).__name__
        with pytest.raises(ValueError, match=f"X has {width} features, but {name} is expecting 2 features as input"):
            model.predict(np.zeros((3, width)))


class TestDeclaredBounds:
    @pytest.mark.parametrize(
        "domain",
        [
            {"a": (0, 1)},
            [(0, 1), (0, 1)],
            ([0, 0], [1, 1]),
            np.array([[0, 1], [0, 1]]),
            "domain.toml",
            3,
            Numeric(0, 1),
        ],
        ids=lambda d: type(d).__name__,
    )
    def test_bounds_without_names_are_refused_with_the_way_to_write_them(self, learner, square, domain):
        # Two pairs of numbers for two columns could be read either way; a Domain cannot.
        with pytest.raises(ParameterTypeError, match=r"'domain'.*Domain\(\{"):
            learner(domain=domain).fit(*square(20))

    @pytest.mark.parametrize(
        ("bounds", "error"),
        [
            ((1, 0), ParameterError),
            ((np.nan, 1), ParameterError),
            ((0, np.inf), ParameterError),
            ((-np.inf, 0), ParameterError),
            (("0", 1), ParameterTypeError),
            ((0, None), ParameterTypeError),
            ((False, True), ParameterTypeError),
            ((0, 1j), ParameterTypeError),
            ((0, 10**400), ParameterError),
        ],
    )
    def test_illegal_bounds_are_refused_where_they_are_written(self, bounds, error):
        with pytest.raises(error, match=r"'(lo|hi)'"):
            Numeric(*bounds)

    @pytest.mark.parametrize("names", [[0, 1], ["a", None], ["a", ""], [("a", "b")]])
    def test_declarations_are_by_name(self, names):
        with pytest.raises(ParameterError, match="keys"):
            Domain({name: Numeric(0, 1) for name in names})

    def test_unknown_and_missing_names_are_listed(self, learner, square):
        X, y = square(20)
        frame = pd.DataFrame(X, columns=["a", "b"])
        domain = Domain({"a": Numeric(0, 1), "bb": Numeric(0, 1)})
        with pytest.raises(SchemaError, match=r"'bb'.*'b'"):
            learner(domain=domain).fit(frame, y)

    @pytest.mark.parametrize("n_attributes", [1, 3])
    def test_another_number_of_declarations_than_columns_is_refused(self, learner, square, n_attributes):
        domain = Domain({f"x{i}": Numeric(0, 1) for i in range(n_attributes)})
        with pytest.raises(SchemaError, match=f"X has 2 features.*expecting {n_attributes}"):
            learner(domain=domain).fit(*square(20))

    def test_without_a_domain_one_error_says_what_to_do(self, learner, square):
        with pytest.raises(SchemaError) as caught:
            learner(domain=None).fit(*square(20))
        for words in ("'domain'", "Domain({", "would leak", "Domain.draft", "learn_domain(X, epsilon, delta)"):
            assert words in str(caught.value)

    @pytest.mark.parametrize(
        "domain",
        [
            Domain({"a": Numeric(3, 3)}),
            Domain({"a": Numeric(0, 0), "b": Ordinal(["x"])}),
        ],
        ids=len,
    )
    def test_a_domain_with_nothing_to_tell_apart_is_refused(self, make_learner, domain):
        X = np.zeros((10, len(domain)), dtype=object)
        for name in ("boosted", "tree", "random trees, laplace", "random trees, gaussian", "numbers, laplace"):
            with pytest.raises(ValueError, match="no test"):
                make_learner(name)(domain=domain).fit(X, np.arange(10) % 2)

    def test_a_forest_refuses_it_too(self, make_learner):
        domain = Domain({"a": Numeric(3, 3)})
        with pytest.raises(ValueError, match="no test"):
            make_learner("forest, laplace, disjoint")(domain=domain).fit(np.zeros((10, 1)), np.arange(10) % 2)

    @pytest.mark.parametrize("name", ["boosted", "tree", "forest, laplace, disjoint", "random trees, laplace"])
    def test_without_privacy_a_constant_table_predicts_the_larger_class(self, name, make_learner):
        X, y = np.zeros((10, 2)), np.array([0] * 7 + [1] * 3)
        model = make_learner(name)(domain=None, classes=None, privacy=None, random_state=0).fit(X, y)
        assert (model.predict(X) == 0).all()

    def test_a_single_boolean_is_enough(self, learner):
        X = np.arange(40).reshape(-1, 1) % 2 == 0
        learner(domain=Domain({"flag": Boolean()})).fit(X, np.arange(40) % 2).predict(X)


class TestSmallAndOddShapes:
    @pytest.mark.parametrize("n_rows", [1, 2, 3])
    def test_a_few_rows_are_enough(self, learner, square, n_rows):
        X, y = square(n_rows)
        model = learner().fit(X, y)
        assert learner.answers(model, X).shape == ((n_rows,) if learner.is_regressor else (n_rows, 2))
        assert 0 < model.privacy_.spent <= 1
        empty = learner().fit(X, learner.without(y, slice(None)))  # far enough away: no row counts
        assert facts_of(empty) == facts_of(model)

    def test_no_row_at_all_is_refused_as_everywhere(self, learner, square):
        X, y = square(20)
        with pytest.raises(ValueError, match=r"Found array with 0 sample\(s\)"):
            learner().fit(X[:0], y[:0])

    def test_predicting_no_row_gives_no_answer(self, learner, square):
        model = learner().fit(*square(20))
        assert model.predict(np.zeros((0, 2))).shape == (0,)
        if not learner.is_regressor:
            assert model.predict_proba(np.zeros((0, 2))).shape == (0, 2)
            assert model.decision_function(np.zeros((0, 2))).shape == (0,)

    @pytest.mark.parametrize(
        ("X", "message"),
        [
            (np.zeros(2), "Reshape your data"),
            (np.zeros((2, 2, 2)), "dim 3"),
            (np.zeros((2, 0)), r"0 feature\(s\)"),
            (np.array(1.0), "Reshape your data"),
            ([], "Reshape your data"),
            ([[0.1, 0.2], [0.3]], "unequal length"),
        ],
    )
    def test_other_shapes_are_refused_in_fit_and_predict(self, learner, square, X, message):
        with pytest.raises(ValueError, match=message):
            learner().fit(X, [0, 1])
        model = learner().fit(*square(20))
        with pytest.raises(ValueError, match=message):
            model.predict(X)

    @pytest.mark.parametrize("X", [None, "table", b"table", {"a": [1]}, {1, 2}, 3.5, np.ma.zeros((2, 2))])
    def test_what_is_no_table_is_refused(self, learner, X):
        with pytest.raises((SchemaError, SchemaTypeError)):
            learner().fit(X, [0, 1])

    @pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix, sparse.csr_array])
    def test_sparse_tables_are_refused_in_fit_and_predict(self, learner, square, kind):
        X, y = square(20)
        with pytest.raises(TypeError, match=r"dense data is required.*toarray"):
            learner().fit(kind(X), y)
        model = learner().fit(X, y)
        with pytest.raises(TypeError, match="toarray"):
            model.predict(kind(X))
        assert get_tags(learner()).input_tags.sparse is False

    @pytest.mark.parametrize("n_labels", [19, 21, 0])
    def test_rows_and_labels_must_be_as_many(self, learner, square, n_labels):
        X, _ = square(20)
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            learner().fit(X, np.zeros(n_labels, int))

    def test_no_labels(self, learner, square):
        with pytest.raises(ValueError, match="requires y to be passed"):
            learner().fit(square(20)[0], None)


def facts_of(model):
    return [(t.depth, len(t.splits), t.values.shape) for t in model.ensemble_.trees], [
        (e.label, e.count, e.size) for e in model.privacy_.releases
    ]
