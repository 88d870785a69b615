"""Laws in closed form against sums and integrals."""

from __future__ import annotations

import numpy as np
import pytest

from privboost.auditing import laws
from privboost.auditing.laws import GaussianLaw, delta_of, lattice_gap
from privboost.errors import PlanError


def one_number(epsilon: float, shift: int, scale: float) -> float:
    """Delta of discrete Gaussian noise on one integer that moves by ``shift``, summed over the integers."""
    k = np.arange(-int(12 * scale), int(12 * scale) + 1).astype(np.longdouble)
    law = np.exp(-(k**2) / (2 * np.longdouble(scale) ** 2))
    loss = (2 * shift * k + shift * shift) / (2 * np.longdouble(scale) ** 2)
    return float((law * np.maximum(0.0, -np.expm1(epsilon - loss))).sum() / law.sum())


@pytest.mark.parametrize("scale", [512.0, 777.7, 3000.0])
@pytest.mark.parametrize("epsilon", [-0.5, 0.0, 0.1, 1.0, 4.0])
@pytest.mark.parametrize("mu", [0.05, 0.3, 1.0, 4.0])
def test_the_lattice_moves_a_delta_by_no_more_than_its_bound(scale: float, epsilon: float, mu: float) -> None:
    shift = round(mu * scale)
    exact, curve = one_number(epsilon, shift, scale), float(delta_of(epsilon, shift / scale))
    gap = float(lattice_gap(epsilon, shift / scale, scale, 1))
    assert abs(exact - curve) <= gap + 1e-15
    if epsilon <= 1.0 and curve > 1e-6:
        assert gap <= 2e-4 * curve  # and it is small: at larger scales it falls with their square


@pytest.mark.parametrize(("shifts", "epsilon"), [((300, 300), 0.1), ((700, 1), 1.0), ((512, 256), 1.0)])
def test_the_lattice_of_two_numbers(shifts: tuple[int, int], epsilon: float) -> None:
    """Summed over all pairs of integers, out to 6.5 standard deviations: beyond is less than 1e-9 of a chance."""
    scale = 512.0
    edge = int(6.5 * scale)
    k = np.arange(-edge, edge + 1, dtype=np.float64)
    law = np.exp(-(k**2) / (2 * scale**2))
    law /= law.sum()
    total = 0.0
    for i in range(0, len(k), 512):  # in blocks, so that the table of both fits in memory
        inner = 2 * shifts[0] * k[i : i + 512, None] + 2 * shifts[1] * k[None]
        loss = (inner + shifts[0] ** 2 + shifts[1] ** 2) / (2 * scale**2)
        total += float(law[i : i + 512] @ np.maximum(0.0, -np.expm1(epsilon - loss)) @ law)
    mu = np.hypot(*shifts) / scale
    curve = float(delta_of(epsilon, mu))
    assert float(lattice_gap(epsilon, mu, scale, 2)) < 1e-5
    assert abs(total - curve) <= float(lattice_gap(epsilon, mu, scale, 2)) + 1e-9


def test_no_move_no_delta() -> None:
    assert float(delta_of(0.5, 0.0)) == 0.0
    assert float(delta_of(-1.0, 0.0)) == pytest.approx(1 - np.exp(-1.0))
    assert float(lattice_gap(0.5, 0.0, 512.0, 3)) == 0.0


def test_too_many_outcomes_of_selections_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laws, "MOST_OUTCOMES", 10)
    law = GaussianLaw(np.zeros((2, 1, 1)), np.ones((2, 1, 1)), np.zeros(1), np.zeros(1, np.int64), 512.0)
    left, right = np.log(np.full((1, 3, 2), 0.5)), np.log([[[0.6, 0.4]] * 3])
    with pytest.raises(PlanError, match="method='sampling'"):
        law.with_selection(left, right)
