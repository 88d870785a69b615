"""A loss given by its Bayes risk alone against the closed forms, and what is refused."""

from __future__ import annotations

import math
import warnings

import mpmath as mp
import numpy as np
import pytest
import scipy.special

from privboost.errors import ParameterError, ParameterTypeError
from privboost.losses import LogLoss, Loss, MAlphaLoss, MatsushitaLoss, SquareLoss, ZeroOneLoss
from privboost.theory import sensitivity


def entropy(u: np.ndarray) -> np.ndarray:
    return (scipy.special.entr(u) + scipy.special.entr(1 - u)) / math.log(2)


def matsushita_scalar(u: float) -> float:
    return 2 * math.sqrt(u * (1 - u))


TWINS: list[tuple[Loss, Loss]] = [
    (Loss.from_bayes_risk("my square", lambda u: 4 * u * (1 - u)), SquareLoss()),
    (Loss.from_bayes_risk("cancelling square", lambda u: 1 - (2 * u - 1) ** 2), SquareLoss()),
    (Loss.from_bayes_risk("entropy", entropy), LogLoss()),
    (Loss.from_bayes_risk("scalar matsushita", matsushita_scalar), MatsushitaLoss()),
    (Loss.from_bayes_risk("minimum", lambda u: 2 * min(u, 1 - u)), ZeroOneLoss()),
    (
        Loss.from_bayes_risk("mixture", lambda u: 0.6 * np.sqrt(u * (1 - u)) + 1.4 * np.minimum(u, 1 - u)),
        MAlphaLoss(0.3),
    ),
]
U = np.concatenate([[0.0], np.geomspace(1e-6, 0.4, 60), [0.45, 0.475, 0.499, 0.5, 0.501, 0.53, 0.7, 0.95, 1 - 1e-5, 1]])
Z = np.array([-1e4, -50, -4.5, -4, -3.2, -2, -1.41, -1.39, -0.5, -1e-3, 0, 1e-3, 0.7, 1.3, 1.5, 2.5, 3.9, 8, 30])


@pytest.mark.parametrize(("mine", "exact"), TWINS, ids=lambda loss: loss.name)
def test_every_form_equals_the_closed_form(mine: Loss, exact: Loss) -> None:
    # A formula that cancels is as good as its values: differences of it are noise next to an end.
    u = U[(U > 0.01) & (U < 0.99)] if mine.name == "cancelling square" else U
    np.testing.assert_allclose(mine.bayes_risk(u), exact.bayes_risk(u), rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(mine.link(u), exact.link(u), rtol=1e-9, atol=1e-9)
    for left, right in zip(mine.partial_losses(u), exact.partial_losses(u), strict=True):
        np.testing.assert_allclose(left, right, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(mine.weight_function(u), exact.weight_function(u), rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(mine.inverse_link(Z), exact.inverse_link(Z), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(mine.surrogate(Z), exact.surrogate(Z), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(mine.surrogate_gradient(Z), exact.surrogate_gradient(Z), rtol=1e-9, atol=1e-9)
    w1, w = np.arange(41.0), 40.0
    np.testing.assert_allclose(mine.criterion(w1, w), exact.criterion(w1, w), rtol=1e-12, atol=1e-13)
    if math.isfinite(exact.curvature_bound):
        assert exact.curvature_bound <= mine.curvature_bound <= exact.curvature_bound * (1 + 3e-6)
    else:
        assert mine.curvature_bound == exact.curvature_bound
    assert mine.kernel_code is None


@pytest.mark.parametrize("mine", [mine for mine, _ in TWINS], ids=str)
def test_ends_give_no_nan_and_no_warning(mine: Loss) -> None:
    u = np.array([0.0, 5e-324, 1e-300, 1e-17, 1 - 2.0**-53, 1.0])
    z = np.array([-np.inf, -1e308, -1e9, 1e9, 1e308, np.inf])
    with warnings.catch_warnings(), np.errstate(over="raise", divide="raise", invalid="raise"):
        warnings.simplefilter("error")
        for form in (mine.bayes_risk, mine.link, mine.weight_function, mine.partial_losses):
            assert not np.isnan(form(u)).any()
        for form in (mine.inverse_link, mine.surrogate, mine.surrogate_gradient):
            assert not np.isnan(form(z)).any()
    np.testing.assert_allclose(mine.surrogate(z[:3]), -z[:3], rtol=1e-8)
    np.testing.assert_allclose(mine.surrogate(z[3:]), 0, atol=1e-8)
    np.testing.assert_allclose(mine.inverse_link(z), [0, 0, 0, 1, 1, 1], atol=1e-12)
    assert np.all(np.diff(mine.link(u)) >= -1e-9 * np.abs(mine.link(u)[1:]))


def test_a_loss_with_no_closed_form_here() -> None:
    """L(u) = sin πu: link -π cos πu, inverse arccos(-z/π)/π, no curvature bound as L'' vanishes at the ends."""
    loss = Loss.from_bayes_risk("sine", lambda u: np.sin(np.pi * np.minimum(u, 1 - u)))
    u, z = np.linspace(0, 1, 41), np.linspace(-3.1, 3.1, 41)
    np.testing.assert_allclose(loss.link(u), -np.pi * np.cos(np.pi * u), atol=1e-11)
    np.testing.assert_allclose(loss.weight_function(u), np.pi**2 * np.sin(np.pi * u), atol=1e-7)
    inverse = np.arccos(-z / np.pi) / np.pi
    np.testing.assert_allclose(loss.inverse_link(z), inverse, atol=1e-11)
    np.testing.assert_allclose(loss.surrogate(-z), z * inverse + np.sin(np.pi * inverse), atol=1e-12)
    assert loss.inverse_link(3.2) == 1.0
    assert loss.curvature_bound == math.inf


@pytest.mark.parametrize("n_rows", [1, 2, 7, 1000, 10**6, 10**12])
def test_sensitivity_is_never_below_the_true_one(n_rows: int) -> None:
    for mine, exact in TWINS:
        true = sensitivity(exact, n_rows, 0.5)
        assert true * (1 - 1e-15) <= sensitivity(mine, n_rows, 0.5) <= true * (1 + 1e-12) + 2e-15 * n_rows
    with mp.workdps(40):
        sine = Loss.from_bayes_risk("sine", lambda u: np.sin(np.pi * np.minimum(u, 1 - u)))
        true = n_rows * mp.sin(mp.pi / n_rows) if n_rows > 1 else mp.mpf(0)
        assert true <= sensitivity(sine, n_rows) <= true + 2e-15 * n_rows


@pytest.mark.parametrize(
    ("bayes_risk", "message"),
    [
        (lambda u: -4 * u * (1 - u), "1 at u = 1/2"),
        (lambda u: 2 * u * (1 - u), "1 at u = 1/2.*Divide it"),
        (lambda u: 4 * u * (1 - u) + 0.01 * (1 - 2 * u) ** 2, "0 at u = 0 and u = 1.*Subtract"),
        (lambda u: 4 * u * (1 - u) * (1 + 0.1 * (u - 0.5)), "symmetric.*Use the mean"),
        (lambda u: 16 * (u * (1 - u)) ** 2, "concave.*minimum of straight lines"),
        (lambda u: np.where(np.abs(u - 0.5) < 0.02, 1.0, 2 * np.minimum(u, 1 - u)), "concave"),
        (lambda u: -(u * np.log2(u) + (1 - u) * np.log2(1 - u)), "finite.*Return 0 at u = 0"),
    ],
)
def test_what_is_no_bayes_risk_is_refused_with_the_remedy(bayes_risk: object, message: str) -> None:
    with pytest.raises(ParameterError, match=f"'bayes_risk' parameter must be {message}"):
        Loss.from_bayes_risk("mine", bayes_risk)  # type: ignore[arg-type]


def test_name_and_function_are_checked() -> None:
    for name in ("", "log", "m-alpha", 3):
        with pytest.raises(ParameterError, match="'name' parameter"):
            Loss.from_bayes_risk(name, entropy)  # type: ignore[arg-type]
    with pytest.raises(ParameterTypeError, match="function of u"):
        Loss.from_bayes_risk("mine", 3)  # type: ignore[arg-type]
    loss = Loss.from_bayes_risk("mine", entropy)
    assert (loss.name, str(loss), repr(loss)) == ("mine", "mine", "Loss.from_bayes_risk('mine', ...)")
    assert loss == loss != Loss.from_bayes_risk("mine", entropy)
