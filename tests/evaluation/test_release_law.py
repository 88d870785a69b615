"""What is released follows the exact law of the mechanism around the exact counts, with secret noise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from privboost import Domain, Numeric, PrivateForestClassifier, evaluate_private
from privboost.evaluation.tables import angle_edges, bin_of
from privboost.privacy import discrete_gaussian_pmf, discrete_laplace_pmf

RUNS = 120
FALSE_ALARM = 1e-6


@pytest.fixture(scope="module")
def forest() -> Any:
    rng = np.random.default_rng(0)
    u = rng.random((300, 1))
    domain = Domain({"u": Numeric(0, 1)})
    model = PrivateForestClassifier(4.0, domain=domain, classes=[0, 1], n_trees=5, max_depth=3)
    return model.fit(u, (u[:, 0] > 0.4).astype(int))


def noise_of(forest: Any, **arguments: Any) -> tuple[np.ndarray, Any]:
    """Released less exact counts, in rows, over many evaluations of the same seven rows."""
    X, y = np.linspace(0, 1, 7)[:, None], [0, 1, 1, 0, 1, 5, None]
    exact = np.zeros((8, 2))
    for cell, label in zip(bin_of(forest.predict_proba(X)[:, 1], angle_edges(8)), y, strict=True):
        if label in (0, 1):
            exact[cell, label] += 1
    reports = [evaluate_private(forest, X, y, epsilon=1.0, **arguments) for _ in range(RUNS)]
    return np.array([report.table["counts"] for report in reports]) - exact, reports[0].statement.releases[0]


def chi_square(noise: np.ndarray, scale: float) -> float:
    """The p-value of integers under the discrete Laplace law, the ends pooled."""
    edge = int(4 * scale) + 1
    k = np.arange(-edge, edge + 1)
    expected = discrete_laplace_pmf(k, scale)
    expected[[0, -1]] += (1.0 - expected.sum()) / 2
    seen = np.array([(np.clip(noise, -edge, edge) == value).sum() for value in k])
    return float(stats.chisquare(seen, expected * noise.size).pvalue)


@pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
def test_laplace_noise(forest: Any, relation: str) -> None:
    """1920 draws; a false alarm once in a million runs. Noise of three quarters of the scale must be found."""
    noise, event = noise_of(forest, relation=relation)
    assert (event.mechanism, event.scale) == ("laplace", 1.0 if relation == "add-remove" else 2.0)
    np.testing.assert_array_equal(noise, np.rint(noise))
    assert chi_square(noise, event.scale) > FALSE_ALARM
    assert chi_square(noise, 0.75 * event.scale) < FALSE_ALARM
    assert chi_square(noise, event.scale / 0.75) < FALSE_ALARM


def test_gaussian_noise(forest: Any) -> None:
    """The same for the discrete Gaussian law, which is continuous to the eye at 65536 units a row."""
    noise, event = noise_of(forest, mechanism="gaussian", delta=1e-6)
    units = (noise * 2**16).ravel()
    np.testing.assert_array_equal(units, np.rint(units))

    def p_value(scale: float) -> float:
        return float(stats.kstest(units / scale, stats.norm.cdf).pvalue)

    assert p_value(event.scale) > FALSE_ALARM
    assert p_value(0.75 * event.scale) < FALSE_ALARM
    # The normal law stands for the discrete one: densities agree to nine digits.
    z = np.array([0.0, 1.0, 3.0])
    exact = discrete_gaussian_pmf(np.rint(z * event.scale), event.scale) * event.scale
    np.testing.assert_allclose(exact, stats.norm.pdf(np.rint(z * event.scale) / event.scale), rtol=1e-9)


def test_the_likelihood_ratio_of_neighbours_is_epsilon_and_no_more(forest: Any) -> None:
    """In closed form, from the two laws: the largest ratio of any outcome of a cell that a row leaves."""
    event = noise_of(forest)[1]
    outcomes = np.arange(-40, 41)
    ratio = discrete_laplace_pmf(outcomes - 3, event.scale) / discrete_laplace_pmf(outcomes - 2, event.scale)
    assert np.log(ratio).max() == pytest.approx(1.0, abs=1e-12)
    assert np.log(ratio).min() == pytest.approx(-1.0, abs=1e-12)
