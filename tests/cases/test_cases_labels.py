"""Labels: classes that are public, labels that are not among them, targets that are no labels at all."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.exceptions import DataConversionWarning

from privboost.errors import ParameterTypeError, SchemaError, SchemaTypeError

pytestmark = pytest.mark.filterwarnings("ignore:'random_state' is set:privboost.errors.PrivacyWarning")


class TestNumbers:
    """Targets of regressors, by the same rules."""

    NAMES = ("numbers, laplace", "numbers, gaussian")
    everyone = pytest.mark.parametrize("name", NAMES)

    @everyone
    @pytest.mark.parametrize("number", [0.0, 0.37, 1.0])
    def test_all_rows_have_the_same(self, name, make_learner, square, number):
        X, y = square(40)
        predicted = make_learner(name)().fit(X, y * 0 + number).predict(X)
        assert ((predicted >= 0) & (predicted <= 1)).all()

    @everyone
    def test_the_range_is_not_read_off_the_rows(self, name, make_learner, square):
        X, y = square(40)
        for numbers in (y, y * 0.0, 100.0 * y):
            with pytest.raises(SchemaError, match=r"'target_range'.*lowest and highest of the rows would leak"):
                make_learner(name)(target_range=None).fit(X, numbers)

    @everyone
    def test_numbers_beyond_the_range_count_as_its_ends_and_missing_ones_not_at_all(self, name, make_learner, square):
        X, y = square(40)
        for odd, plain in ((1e300, 1.0), (np.inf, 1.0), (-5, 0.0), (-np.inf, 0.0), (np.nan, None), (None, np.nan)):
            pair = [np.array(y, dtype=object) for _ in range(2)]
            pair[0][::4], pair[1][::4] = odd, plain
            models = [make_learner(name)().fit(X, numbers) for numbers in pair]
            np.testing.assert_array_equal(models[0].predict(X), models[1].predict(X))

    @everyone
    @pytest.mark.parametrize("numbers", [np.array(["0", "1"]), pd.Series(["a", "b"]), pl.Series("y", ["0", "1"])])
    def test_text_is_refused_by_its_dtype(self, name, make_learner, numbers):
        with pytest.raises(SchemaTypeError, match="y holds text"):
            make_learner(name)().fit(np.array([[0.1, 0.2], [0.3, 0.4]]), numbers)

    @everyone
    @pytest.mark.parametrize("numbers", [np.zeros((4, 2)), np.zeros((4, 0)), np.zeros((4, 1, 1))])
    def test_several_outputs_are_refused(self, name, make_learner, numbers):
        with pytest.raises(SchemaError, match="1d array"):
            make_learner(name)().fit(np.zeros((4, 2)), numbers)

    @everyone
    def test_a_column_vector_works_with_the_usual_warning(self, name, make_learner, square):
        X, y = square(40)
        for numbers in (y.reshape(-1, 1), pd.DataFrame({"y": y}), pl.DataFrame({"y": y})):
            with pytest.warns(DataConversionWarning, match="1d array was expected"):
                model = make_learner(name)().fit(X, numbers)
            np.testing.assert_array_equal(model.predict(X), make_learner(name)().fit(X, y).predict(X))

    @everyone
    @pytest.mark.parametrize("kind", [int, np.int8, bool, object, np.float32])
    def test_numbers_match_by_value(self, name, make_learner, square, kind):
        X, y = square(40)
        model = make_learner(name)().fit(X, y.astype(kind))
        np.testing.assert_array_equal(model.predict(X), make_learner(name)().fit(X, y.astype(float)).predict(X))


class TestLabels:
    def test_only_one_of_the_classes_occurs(self, classifier, square):
        X, y = square(40)
        for only in (0, 1):
            model = classifier().fit(X, y * 0 + only)
            assert model.classes_.tolist() == [0, 1]
            assert model.predict_proba(X).shape == (40, 2)

    def test_classes_are_not_read_off_the_labels(self, classifier, square):
        X, y = square(40)
        for labels in (y, y * 0):
            with pytest.raises(SchemaError, match=r"'classes'.*Labels read from the rows"):
                classifier(classes=None).fit(X, labels)

    @pytest.mark.parametrize(
        ("classes", "labels"),
        [
            ([0, 1], np.array(["0", "1"])),
            ([0, 1], pd.Series(["a", "b"])),
            ([0, 1], pl.Series(["0", "1"])),
            (["no", "yes"], np.array([0, 1])),
            (["no", "yes"], np.array([0.0, 1.0])),
            (["no", "yes"], np.array([True, False])),
            (["0", "1"], pa.array([0, 1])),
        ],
    )
    def test_the_wrong_kind_is_refused_without_a_label_in_the_message(self, classifier, classes, labels):
        with pytest.raises(SchemaTypeError, match=r"y holds .* but the classes are"):
            classifier(classes=classes).fit(np.array([[0.1, 0.2], [0.3, 0.4]]), labels)

    @pytest.mark.parametrize("labels", [np.zeros((4, 2)), np.zeros((4, 0)), np.zeros((4, 1, 1))])
    def test_several_outputs_are_refused(self, classifier, labels):
        with pytest.raises(SchemaError, match="1d array"):
            classifier().fit(np.zeros((4, 2)), labels)

    def test_a_single_label_is_refused_and_not_repeated(self, make_learner):
        with pytest.raises((ValueError, TypeError)) as caught:
            make_learner("tree")().fit(np.zeros((4, 2)), np.array(4711))
        assert "4711" not in str(caught.value)

    def test_a_column_vector_works_with_the_usual_warning(self, classifier, square):
        X, y = square(40)
        for labels in (y.reshape(-1, 1), pd.DataFrame({"y": y}), pl.DataFrame({"y": y})):
            with pytest.warns(DataConversionWarning, match="1d array was expected"):
                model = classifier().fit(X, labels)
            np.testing.assert_array_equal(model.predict_proba(X), classifier().fit(X, y).predict_proba(X))

    @pytest.mark.parametrize("kind", [float, np.int8, bool, object, np.float32])
    def test_numbers_match_by_value(self, classifier, square, kind):
        X, y = square(40)
        model = classifier().fit(X, y.astype(kind))
        np.testing.assert_array_equal(model.predict_proba(X), classifier().fit(X, y).predict_proba(X))

    @pytest.mark.parametrize("label", [5, -1, 2**40])
    def test_an_unlisted_label_weighs_nothing(self, classifier, square, label):
        X, y = square(40)
        odd = y.copy()
        odd[::4] = label
        other = y.copy()
        other[::4] = 77
        models = [classifier().fit(X, labels) for labels in (odd, other)]
        np.testing.assert_array_equal(models[0].predict_proba(X), models[1].predict_proba(X))

    def test_a_number_to_regress_on_is_refused_where_labels_may_be_read(self, classifier, square):
        X, _ = square(40)
        with pytest.raises(ValueError, match="Unknown label type"):
            classifier(privacy=None, classes=None).fit(X, X[:, 0])

    def test_a_number_to_regress_on_is_refused_without_privacy_though_classes_are_given(self, classifier, square):
        X, _ = square(40)
        with pytest.raises(ValueError, match="Unknown label type"):
            classifier(privacy=None).fit(X, X[:, 0])

    def test_under_privacy_no_value_of_a_label_is_looked_at(self, classifier, square, observe):
        # A column of whole numbers with one gap is a float column in many tools, so that the dtype cannot tell
        # labels from measurements; rows with other values than the classes weigh 0.
        X, y = square(40)
        outcomes = [observe(lambda labels=labels: classifier().fit(X, labels)) for labels in (y.astype(float), X[:, 0])]
        assert outcomes[0] == outcomes[1]

    @pytest.mark.parametrize("classes", [[0.5, 1.5], [0, 1.5], [0, np.nan], [0, None], [[0], [1]], [1 + 0j, 0]])
    def test_measurements_are_no_classes(self, classifier, square, classes):
        with pytest.raises(ParameterTypeError, match="'classes'"):
            classifier(classes=classes).fit(*square(20))

    @pytest.mark.parametrize(
        "labels",
        [
            np.array(["no", "yes"]),
            np.array(["no", "yes"], object),
            np.array([3, 7], np.int8),
            np.array([3, 7], np.uint64),
            np.array([False, True]),
            np.array([0.0, 1.0], np.float32),
        ],
        ids=lambda a: a.dtype.str,
    )
    def test_without_privacy_predictions_have_the_dtype_of_the_labels(self, classifier, square, labels):
        X, y = square(40)
        model = classifier(classes=None, privacy=None).fit(X, labels[y])
        assert model.classes_.dtype == model.predict(X).dtype == labels.dtype
        assert model.classes_.tolist() == labels.tolist()
