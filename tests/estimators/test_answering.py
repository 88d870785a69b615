"""Rows in ranges and threads: the same bits for any number of them, and no more memory than is said."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from privboost import (
    BDPEClassifier,
    Categorical,
    Domain,
    Numeric,
    PrivateBoostingClassifier,
    PrivateBoostingRegressor,
    PrivateForestClassifier,
)
from privboost.data.columns import read_schema
from privboost.data.encoding import Encoder
from privboost.estimators.answering import CHUNK, answers

N_ROWS = 3 * CHUNK + 17
SQUARE = Domain({"x": Numeric(0, 1), "y": Numeric(0, 1)})
MIXED = Domain({"x": Numeric(-1, 1), "n": Numeric(0, 9, integer=True), "c": Categorical(["a", "b", "3"])})


def mixed_table(n_rows: int) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    x = rng.uniform(-1.2, 1.2, n_rows).astype(np.float32)
    x[rng.random(n_rows) < 0.1] = np.nan
    return pd.DataFrame({"x": x, "n": rng.integers(-1, 12, n_rows), "c": rng.choice(["a", "b", "3", "?"], n_rows)})


TABLES: dict[str, Callable[[pd.DataFrame], Any]] = {
    "pandas": lambda frame: frame,
    "pandas, objects": lambda frame: frame.astype(object),
    "pandas, categories": lambda frame: frame.astype({"c": "category", "n": "Int64"}),
    "polars": pl.from_pandas,
    "polars, in pieces": lambda frame: pl.concat([pl.from_pandas(frame[:5]), pl.from_pandas(frame[5:])], rechunk=False),
    "Arrow": pa.Table.from_pandas,
    "NumPy, objects": lambda frame: frame.to_numpy(dtype=object),
}


@pytest.mark.parametrize("kind", TABLES)
def test_a_reader_gives_what_encode_gives(kind: str) -> None:
    frame = mixed_table(3000)
    encoder, table = Encoder(MIXED), TABLES[kind](frame)
    expected = encoder.encode(frame)
    assert (encoder.encode(table, n_threads=2) == expected).all()
    reader = encoder.reader(read_schema(table), n_threads=2)
    assert reader.n_rows == 3000
    for start, stop in ((0, 3000), (0, 0), (1, 2), (5, 2990), (2999, 3000)):
        codes = reader.codes(start, stop)
        assert codes.flags.c_contiguous
        np.testing.assert_array_equal(codes, expected[:, start:stop])


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "?"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_matrix_is_encoded_alike_by_any_number_of_threads(dtype: str, order: str) -> None:
    rng = np.random.default_rng(1)
    X = np.array(10 * rng.normal(size=(50_000, 3)), dtype=dtype, order=order)  # type: ignore[call-overload]
    encoder = Encoder(Domain({"x": Numeric(-9, 9), "c": Categorical(["0", "1", "True"]), "z": Numeric(0, 1e-3)}))
    expected = encoder.encode(X)
    for n_threads in (2, 3):
        np.testing.assert_array_equal(encoder.encode(X, n_threads), expected)
    reader = encoder.reader(read_schema(X))
    np.testing.assert_array_equal(reader.codes(16_000, 40_001), expected[:, 16_000:40_001])


def make_models() -> dict[str, Any]:
    rng = np.random.default_rng(2)
    X, y = rng.random((400, 2)), rng.integers(0, 3, 400)
    settings: dict[str, Any] = {"domain": SQUARE, "random_state": 0}
    return {
        "two classes": PrivateBoostingClassifier(classes=[0, 1], **settings).fit(X, y % 2),
        "three classes": PrivateBoostingClassifier(classes=[0, 1, 2], n_rounds=5, **settings).fit(X, y),
        "numbers": PrivateBoostingRegressor(target_range=(0, 3), n_rounds=5, **settings).fit(X, y),
        "boosted": BDPEClassifier(classes=[0, 1, 2], **settings).fit(X, y),
        "forest": PrivateForestClassifier(classes=[0, 1, 2], **settings).fit(X, y),
    }


@pytest.mark.filterwarnings("ignore::privboost.errors.PrivacyWarning")
def test_answers_are_the_same_bits_for_any_number_of_threads_and_any_ranges() -> None:
    X = np.random.default_rng(3).uniform(-0.1, 1.1, (N_ROWS, 2))
    for name, model in make_models().items():
        encoder, ensemble = model._trained.encoder, model.ensemble_
        rules = [ensemble.numbers] if name == "numbers" else [ensemble.probabilities, ensemble.decision]
        for rule in rules:
            whole = rule(encoder.encode(X))
            for n_threads in (1, 2, 3):
                by_ranges = answers(encoder.reader(read_schema(X)), rule, n_threads)
                assert by_ranges.shape == whole.shape
                assert by_ranges.tobytes() == np.ascontiguousarray(whole).tobytes()
                assert rule(encoder.encode(X), n_threads).tobytes() == whole.tobytes()
            alone = np.concatenate([rule(encoder.encode(X[i : i + 1])) for i in range(40)])
            assert alone.tobytes() == np.ascontiguousarray(whole[:40]).tobytes()


def peak_of(call: Callable[[], Any]) -> int:
    call()  # compiles, or loads compiled code
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.filterwarnings("ignore::privboost.errors.PrivacyWarning")
@pytest.mark.parametrize("histogram_share", [0.0, 0.1])
def test_a_fit_never_holds_two_tables_of_codes(histogram_share: float) -> None:
    n_rows, n_attributes = 100_000, 100
    X = np.random.default_rng(4).random((n_rows, n_attributes))
    domain = Domain({f"x{i}": Numeric(0, 1) for i in range(n_attributes)})
    model = PrivateBoostingClassifier(
        domain=domain, classes=[0, 1], random_state=0, n_rounds=2, max_depth=3, histogram_share=histogram_share
    )
    y = (X[:, 0] > 0.5).astype(int)
    # Beside the codes: some numbers of each row, and tables that do not grow with the rows.
    assert peak_of(lambda: model.fit(X, y)) < 1.25 * n_rows * n_attributes + 64 * n_rows


@pytest.mark.filterwarnings("ignore::privboost.errors.PrivacyWarning")
def test_predictions_never_hold_the_codes_of_a_table() -> None:
    n_rows, n_attributes = 100_000, 60
    X = np.random.default_rng(5).random((n_rows, n_attributes))
    domain = Domain({f"x{i}": Numeric(0, 1) for i in range(n_attributes)})
    model = PrivateBoostingClassifier(domain=domain, classes=[0, 1], random_state=0, n_rounds=3, n_jobs=1)
    model.fit(X[:500], np.arange(500) % 2)
    peak = peak_of(lambda: model.predict_proba(X))
    assert peak < 16 * n_rows + 0.5 * n_rows * n_attributes
