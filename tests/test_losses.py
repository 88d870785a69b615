"""Losses against independent computations: mpmath for the definitions, exact fractions for the criterion."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privboost.errors import ParameterError, ParameterTypeError
from privboost.losses import LogLoss, Loss, MAlphaLoss, MatsushitaLoss, SquareLoss, ZeroOneLoss, get_loss

ALPHAS = (0.0, 1e-9, 0.1, 0.5, 0.9, 1.0)
LOSSES: list[Loss] = [ZeroOneLoss(), MatsushitaLoss(), SquareLoss(), LogLoss(), *(MAlphaLoss(a) for a in ALPHAS)]
SMOOTH: list[Loss] = [MatsushitaLoss(), SquareLoss(), LogLoss(), MAlphaLoss(0.1), MAlphaLoss(0.5), MAlphaLoss(1.0)]
INF = float("inf")


@pytest.fixture(autouse=True)
def _float_errors_raise() -> Iterator[None]:
    """No overflow, division by zero or NaN may happen where the loss does not expect it."""
    with np.errstate(over="raise", divide="raise", invalid="raise"), mp.workdps(110):
        yield


def reference(loss: Loss) -> Callable[[mp.mpf], mp.mpf]:
    """The Bayes risk, written down again in mpmath."""
    matsushita = lambda u: 2 * mp.sqrt(u * (1 - u))  # noqa: E731
    zero_one = lambda u: 2 * min(u, 1 - u)  # noqa: E731
    if isinstance(loss, MAlphaLoss):
        a = mp.mpf(loss.alpha)
        return lambda u: a * matsushita(u) + (1 - a) * zero_one(u)
    return {
        "zero-one": zero_one,
        "matsushita": matsushita,
        "square": lambda u: 4 * u * (1 - u),
        "log": lambda u: -(u * mp.log(u) + (1 - u) * mp.log(1 - u)) / mp.log(2),
    }[loss.name]


def slope(loss: Loss, u: mp.mpf) -> mp.mpf:
    return mp.diff(reference(loss), u, h=min(u, 1 - u) * mp.mpf(10) ** -20)


def maximiser(loss: Loss, z: float) -> mp.mpf:
    """arg max of ``z u + L(u)``, by bisection on the derivative in mpmath."""
    low, high = mp.mpf(10) ** -70, 1 - mp.mpf(10) ** -70
    for _ in range(130 if abs(z) < 100 else 250):
        middle = (low + high) / 2
        if abs(middle - 0.5) < mp.mpf(10) ** -35:
            middle += mp.mpf(10) ** -30
        low, high = (middle, high) if z + slope(loss, middle) > 0 else (low, middle)
    return (low + high) / 2


def close(value: float, expected: mp.mpf, tolerance: float) -> bool:
    return abs(mp.mpf(value) - expected) <= tolerance * abs(expected)


U = [1e-300, 1e-17, 1e-9, 0.01, 0.25, 0.3, 0.49, 0.499999, 0.51, 0.6, 0.75, 0.999, 1 - 2.0**-40, 1 - 2.0**-53]


@pytest.mark.parametrize("loss", LOSSES, ids=str)
@pytest.mark.parametrize("u", U)
def test_forms_on_the_unit_interval_equal_their_definitions(loss: Loss, u: float) -> None:
    with mp.workdps(360):
        p = mp.mpf(u)
        risk, first = reference(loss), slope(loss, p)
        second = mp.diff(risk, p, 2, h=min(p, 1 - p) * mp.mpf(10) ** -20)
        assert close(loss.bayes_risk(u), risk(p), 6e-16)
        assert close(loss.link(u), -first, 4e-15)
        if abs(second) < mp.mpf(10) ** 300:
            assert abs(loss.weight_function(u) + second) <= 1e-14 * abs(second) + 1e-15
        positive, negative = loss.partial_losses(u)
        for value, exact in ((positive, risk(p) + (1 - p) * first), (negative, risk(p) - p * first)):
            assert abs(value - exact) <= 1e-14 * abs(exact) + mp.mpf(10) ** -305


@pytest.mark.parametrize("loss", SMOOTH, ids=str)
@pytest.mark.parametrize("z", [-150.0, -7.3, -3.9, -2.5, -1.9, -0.7, -1e-3, 1e-6, 0.2, 1.0, 1.85, 2.2, 3.99, 40.0])
def test_inverse_link_and_surrogate_maximise(loss: Loss, z: float) -> None:
    expected = maximiser(loss, z)
    flat = isinstance(loss, MAlphaLoss) and abs(z) <= 2 * (1 - loss.alpha)
    outside = isinstance(loss, SquareLoss) and abs(z) >= 4
    if flat:
        assert loss.inverse_link(z) == 0.5
    elif outside:
        assert loss.inverse_link(z) == float(z > 0)
    else:
        assert close(loss.inverse_link(z), expected, 4e-15)
    # sup_u of -(-z) u + L(u), at the maximiser found above.
    value = z * expected + reference(loss)(expected)
    assert close(loss.surrogate(-z), value, 4e-15) or (outside and z < 0 and loss.surrogate(-z) == 0.0)
    assert loss.surrogate_gradient(-z) == -loss.inverse_link(z)


@pytest.mark.parametrize("loss", LOSSES, ids=str)
def test_surrogate_dominates_every_line_and_the_zero_one_loss(loss: Loss) -> None:
    z = np.concatenate([np.linspace(-6, 6, 481), [-100.0, 100.0]])
    u = np.linspace(0, 1, 257)
    lines = -z[:, None] * u + loss.bayes_risk(u)
    assert np.all(loss.surrogate(z)[:, None] >= lines - 1e-13)
    assert np.all(loss.surrogate(z) - lines.max(axis=1) <= 0.02 * (1 + 0 * z))
    assert np.all(loss.surrogate(z) >= (z < 0))
    assert loss.surrogate(0.0) == 1.0


@pytest.mark.parametrize("loss", LOSSES, ids=str)
def test_gradient_is_the_derivative_of_the_surrogate(loss: Loss) -> None:
    z = np.linspace(-8, 8, 101) + 0.0123
    difference = (loss.surrogate(z + 1e-5) - loss.surrogate(z - 1e-5)) / 2e-5
    np.testing.assert_allclose(loss.surrogate_gradient(z), difference, atol=2e-9)


@pytest.mark.parametrize(
    ("loss", "bound"),
    [(MatsushitaLoss(), 0.25), (SquareLoss(), 0.125), (LogLoss(), float(mp.log(2)) / 4)]
    + [(MAlphaLoss(a), 1 / (4 * a)) for a in (0.01, 0.1, 0.5, 1.0)],
    ids=str,
)
def test_curvature_bound_is_the_largest_second_difference(loss: Loss, bound: float) -> None:
    assert loss.curvature_bound == pytest.approx(bound, rel=1e-15)
    kink = 2 * (1 - loss.alpha) if isinstance(loss, MAlphaLoss) else 0.0
    z = np.linspace(0, kink + 8, 4001)
    h = 1e-4
    slopes = (loss.surrogate_gradient(np.append(z, kink + h) + h) - loss.surrogate_gradient(np.append(z, kink + h))) / h
    assert slopes.max() <= bound * (1 + 1e-9)
    assert slopes.max() >= bound * (1 - 1e-2)


def test_curvature_is_unbounded_where_the_slope_jumps() -> None:
    assert ZeroOneLoss().curvature_bound == INF
    assert MAlphaLoss(0.0).curvature_bound == INF
    assert MAlphaLoss(5e-324).curvature_bound == INF


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(LOSSES),
    st.floats(0, 1),
    st.floats(1e-6, 1 - 1e-6),
)
def test_proper(loss: Loss, truth: float, guess: float) -> None:
    """Predicting the truth costs the Bayes risk; nothing costs less."""
    positive, negative = loss.partial_losses(guess)
    assert truth * positive + (1 - truth) * negative >= loss.bayes_risk(truth) - 1e-12
    mine = [p * c if p > 0 else 0.0 for p, c in zip((truth, 1 - truth), loss.partial_losses(truth), strict=True)]
    assert sum(mine) == pytest.approx(loss.bayes_risk(truth), abs=1e-12)


ENDS = {
    "zero-one": (2.0, 2.0, 0.0),
    "matsushita": (INF, INF, INF),
    "square": (4.0, 4.0, 8.0),
    "log": (INF, INF, INF),
    "m-alpha(0)": (2.0, 2.0, 0.0),
}


@pytest.mark.parametrize("loss", LOSSES, ids=str)
def test_ends_of_the_unit_interval_are_exact(loss: Loss) -> None:
    link, worst, weight = ENDS.get(str(loss), (INF, INF, INF))
    for u, sign in ((0.0, -1.0), (-0.0, -1.0), (1.0, 1.0)):
        assert loss.bayes_risk(u) == 0.0
        assert loss.link(u) == sign * link
        assert loss.partial_losses(u) == ((worst, 0.0) if sign < 0 else (0.0, worst))
        assert loss.weight_function(u) == weight
    assert loss.bayes_risk(0.5) == 1.0
    assert loss.link(0.5) == 0.0
    assert loss.partial_losses(0.5) == (1.0, 1.0)


@pytest.mark.parametrize("loss", LOSSES, ids=str)
@pytest.mark.parametrize("z", [1e200, 1e308, 1.7976931348623157e308, INF])
def test_ends_of_the_real_line_neither_overflow_nor_give_nan(loss: Loss, z: float) -> None:
    assert loss.inverse_link(z) == 1.0
    assert loss.inverse_link(-z) <= 1e-300
    assert loss.surrogate(-z) == z
    assert 0.0 <= loss.surrogate(z) <= 1 / z
    assert loss.surrogate_gradient(-z) == -1.0
    assert -1e-300 <= loss.surrogate_gradient(z) <= 0.0


@pytest.mark.parametrize("alpha", [0.0, 5e-324, 1e-200, 1e-9, 0.1, 0.3, 0.5, 0.9, 1.0])
def test_m_alpha_at_its_kinks(alpha: float) -> None:
    loss, kink = MAlphaLoss(alpha), 2.0 * (1.0 - alpha)
    for z in (kink, -kink):
        assert loss.inverse_link(z) == 0.5
        assert loss.surrogate(z) == 1.0 - z / 2.0
    above = np.nextafter(max(kink, 1e-9), 3.0)
    assert loss.inverse_link(above) >= 0.5
    assert loss.inverse_link(above) == (1.0 if alpha < 1e-150 else pytest.approx(0.5, abs=1e-6))
    assert loss.surrogate(above) == pytest.approx(loss.surrogate(kink), abs=1e-9)
    assert np.isfinite(loss.partial_losses(0.3)).all()
    assert loss.link(0.5) == 0.0
    assert loss.weight_function(0.5) == (INF if alpha < 1 else 4.0)


@pytest.mark.parametrize(("alpha", "same"), [(0.0, ZeroOneLoss()), (1.0, MatsushitaLoss())])
def test_m_alpha_ends_are_the_two_extreme_losses_to_the_bit(alpha: float, same: Loss) -> None:
    loss = MAlphaLoss(alpha)
    u, z = np.linspace(0, 1, 301), np.concatenate([np.linspace(-9, 9, 301), [1e308, -1e308, INF, -INF]])
    for form in ("bayes_risk", "link", "weight_function", "partial_losses"):
        np.testing.assert_array_equal(getattr(loss, form)(u), getattr(same, form)(u))
    for form in ("inverse_link", "surrogate_gradient"):
        np.testing.assert_array_equal(getattr(loss, form)(z), getattr(same, form)(z))
    np.testing.assert_allclose(loss.surrogate(z), same.surrogate(z), rtol=1e-15)
    w1, w = np.arange(50.0), np.full(50, 50.0)
    np.testing.assert_array_equal(loss.criterion(w1, w), same.criterion(w1, w))


@pytest.mark.parametrize("loss", LOSSES, ids=str)
def test_inverse_link_inverts_the_link(loss: Loss) -> None:
    u = np.concatenate([np.geomspace(1e-12, 0.4, 60), 1 - np.geomspace(1e-3, 0.4, 40)])
    z = loss.link(u)
    back = loss.inverse_link(z)
    flat = np.abs(z) == 2.0 if str(loss) in ("zero-one", "m-alpha(0)") else np.zeros(u.shape, dtype=bool)
    assert np.all(back[flat] == 0.5)
    # Condition number: an ulp of z moves u by |z| eps / (-L''(u)).
    slack = 8 * np.finfo(float).eps * (u + np.abs(z) / np.maximum(loss.weight_function(u), 1e-300))
    assert np.all((np.abs(back - u) <= slack) | flat)


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(LOSSES),
    st.integers(0, 2**46),
    st.integers(0, 2**46),
)
def test_criterion_is_exact(loss: Loss, w1: int, w0: int) -> None:
    with mp.workdps(60):
        total = w1 + w0
        value = loss.criterion(w1, total)
        assert value == loss.criterion(w0, total)
        if w1 == 0 or w0 == 0:
            assert value == 0.0
        else:
            expected = total * reference(loss)(mp.mpf(w1) / total)
            assert close(value, expected, 6e-16)
    if isinstance(loss, SquareLoss) and total:
        assert abs(Fraction(value) - Fraction(4 * w1 * w0, total)) <= Fraction(value) * Fraction(1, 2**52)
    if isinstance(loss, ZeroOneLoss):
        assert value == 2 * min(w1, w0)


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(LOSSES),
    st.lists(st.tuples(st.integers(0, 2**30), st.integers(0, 2**30)), min_size=2, max_size=2),
)
def test_criterion_is_superadditive(loss: Loss, leaves: list[tuple[int, int]]) -> None:
    """Splitting a leaf never raises the criterion, and adding a row (a pure leaf) never lowers it."""
    (a1, a0), (b1, b0) = leaves
    together = loss.criterion(a1 + b1, a1 + b1 + a0 + b0)
    assert together >= loss.criterion(a1, a1 + a0) + loss.criterion(b1, b1 + b0) - 1e-14 * together
    assert 0.0 <= together <= (a1 + b1 + a0 + b0) * (1 + 1e-15)


def test_criterion_of_rounded_sums_and_of_int64() -> None:
    w1 = 0.1 + 0.2
    assert MatsushitaLoss().criterion(w1, 0.3) == 0.0
    big = np.array([2**45], dtype=np.int64)
    assert MatsushitaLoss().criterion(big, 2 * big)[0] == 2.0**46
    assert SquareLoss().criterion(big, 2 * big)[0] == 2.0**46
    assert LogLoss().criterion(5e-324, 1e10) >= 0.0


@pytest.mark.parametrize("loss", LOSSES, ids=str)
def test_shapes_and_types(loss: Loss) -> None:
    forms = [loss.bayes_risk, loss.link, loss.inverse_link, loss.surrogate, loss.surrogate_gradient]
    for form in (*forms, loss.weight_function):
        assert type(form(1)) is float
        assert type(form(np.float32(0.25))) is float
        assert type(form(np.array(0.25))) is float
        table = form(np.full((2, 3), 0.25, dtype=np.float32))
        assert table.shape == (2, 3)
        assert table.dtype == np.float64
        assert np.all(table == form(0.25))
        assert form([0, 1]).shape == (2,)
        assert form(np.empty(0)).shape == (0,)
    one, other = loss.partial_losses(np.full((2, 1), 0.25))
    assert one.shape == other.shape == (2, 1)
    assert tuple(type(each) for each in loss.partial_losses(0.25)) == (float, float)
    assert type(loss.criterion(1, 2)) is float
    assert loss.criterion(np.ones((3, 1)), np.full(2, 4)).shape == (3, 2)
    assert loss.criterion(np.ones(2), 4.0).dtype == np.float64


@pytest.mark.parametrize("bad", [-0.31415, 1.31415, np.array([0.1, 1.31415]), float("nan"), INF])
def test_outside_the_unit_interval_is_refused_without_showing_the_value(bad: float) -> None:
    for form in ("bayes_risk", "link", "partial_losses", "weight_function"):
        with pytest.raises(ParameterError, match="'u' parameter") as caught:
            getattr(LogLoss(), form)(bad)
        assert "31415" not in str(caught.value)


def test_other_refusals() -> None:
    with pytest.raises(ParameterError, match="NaN"):
        LogLoss().surrogate(float("nan"))
    with pytest.raises(ParameterTypeError, match="type str"):
        LogLoss().inverse_link("a")  # type: ignore[type-var]
    for w1, w in ((3.0, 2.0), (-1.0, 2.0), (1.0, 1e200)):
        with pytest.raises(ParameterError, match=r"in \[0, w\]"):
            SquareLoss().criterion(w1, w)
    for alpha in (-0.1, 1.1, float("nan"), INF):
        with pytest.raises(ParameterError, match=r"number in \[0, 1\]"):
            MAlphaLoss(alpha)
    for other in (True, "0.5", None):
        with pytest.raises(ParameterTypeError, match="alpha"):
            MAlphaLoss(other)  # type: ignore[arg-type]


def test_names() -> None:
    for name in ("zero-one", "matsushita", "square", "log"):
        assert get_loss(name).name == name
        assert get_loss(get_loss(name)) is get_loss(name)
    with pytest.raises(ParameterError, match="'zero-one', 'matsushita', 'square', 'log'; for Mα pass MAlphaLoss"):
        get_loss("gini")
    with pytest.raises(ParameterTypeError, match="Names"):
        get_loss(3)  # type: ignore[arg-type]


def test_kernel_codes_equality_and_pickling() -> None:
    assert [loss.kernel_code for loss in LOSSES[:4]] == [(0, 0.0), (1, 1.0), (2, 0.0), (3, 0.0)]
    assert MAlphaLoss(0.25).kernel_code == (4, 0.25)
    assert MAlphaLoss(0.25) == MAlphaLoss(np.float32(0.25)) != MAlphaLoss(0.5)
    assert LogLoss() == LogLoss() != SquareLoss()
    assert len({MAlphaLoss(0.25), MAlphaLoss(0.25), LogLoss(), LogLoss()}) == 2
    for loss in LOSSES:
        assert pickle.loads(pickle.dumps(loss)) == loss
        assert eval(repr(loss)) == loss
