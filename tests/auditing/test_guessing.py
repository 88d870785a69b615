"""The bound on correct guesses: against other arithmetic, and against mechanisms whose guesses have a known law."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from privboost.auditing.guessing import epsilon_of_guesses, p_value


def by_definition(correct: int, guesses: int, canaries: int, epsilon: float, delta: float) -> float:
    """Theorem 5.2 of Steinke, Nasr & Jagielski (2023), word by word, to 40 digits."""
    with mpmath.workdps(40):
        q = mpmath.exp(epsilon) / (1 + mpmath.exp(epsilon))

        def between(low: int, high: int) -> mpmath.mpf:
            """Chance of low <= W < high."""
            law = (mpmath.binomial(guesses, k) * q**k * (1 - q) ** (guesses - k) for k in range(max(low, 0), high))
            return mpmath.fsum(law)

        tail = between(correct, guesses + 1)
        if delta and correct:
            parts = [between(correct - i, correct) * 2 * canaries / i for i in range(1, canaries + 1)]
            tail += mpmath.mpf(delta) * max(parts)
        return float(min(tail, 1))


@pytest.mark.parametrize("delta", [0.0, 1e-6, 1e-3])
@pytest.mark.parametrize("epsilon", [0.0, 0.5, 3.0])
@pytest.mark.parametrize(("correct", "guesses", "canaries"), [(0, 10, 20), (10, 10, 10), (40, 60, 100), (70, 80, 90)])
def test_p_values_are_those_of_the_theorem(
    correct: int, guesses: int, canaries: int, epsilon: float, delta: float
) -> None:
    expected = by_definition(correct, guesses, canaries, epsilon, delta)
    assert p_value(correct, guesses, canaries, epsilon, delta) == pytest.approx(expected, rel=1e-9)


def test_more_delta_shows_less() -> None:
    bounds = [epsilon_of_guesses(180, 200, 400, delta, 0.05) for delta in (0.0, 1e-6, 1e-4, 1e-2)]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[0] > 1.5
    assert bounds[-1] == 0.0


def test_all_right_and_half_right() -> None:
    """Of r right guesses, q**r is the p-value."""
    for guesses in (5, 100):
        q = 0.05 ** (1 / guesses)
        assert epsilon_of_guesses(guesses, guesses, guesses, 0.0, 0.05) == pytest.approx(
            math.log(q / (1 - q)), rel=1e-8
        )
    assert epsilon_of_guesses(50, 100, 100, 0.0, 0.05) == 0.0


def log_binomial(n: int, chance: float) -> np.ndarray:
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
    k = np.arange(n + 1)
    return np.exp(logs[n] - logs - logs[::-1] + k * math.log(chance) + (n - k) * math.log1p(-chance))


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_randomised_response_is_the_worst_there_is(epsilon: float) -> None:
    """Its correct guesses are binomial with the theorem's own chance: the error is that asked for, or a bit less."""
    n, error = 300, 0.05
    law = log_binomial(n, math.exp(epsilon) / (1 + math.exp(epsilon)))
    bounds = np.array([epsilon_of_guesses(k, n, n, 0.0, error) for k in range(n + 1)])
    wrong = law[bounds > epsilon * (1 + 1e-9)].sum()
    assert 0.6 * error < wrong <= error
    assert bounds[int(0.5 + n * math.exp(epsilon) / (1 + math.exp(epsilon)))] > 0.6 * epsilon


@pytest.mark.parametrize("delta", [1e-3, 1e-2])
def test_randomised_response_that_gives_itself_away_with_chance_delta(delta: float) -> None:
    """(ε, δ)-private: with chance δ a canary is shown as it is. Abstaining from the others, all guesses are right.

    The auditor guesses 20 canaries at least, by randomised response where too few are shown. Simulated with a seed:
    among 400 audits at most 5 % may err, of which there would be 40 by a chance below 1e-4.
    """
    rng = np.random.default_rng(0)
    epsilon, m, guesses, error = 1.0, 1000, 20, 0.05
    wrong = 0
    for _ in range(400):
        coins = rng.random(m) < 0.5
        shown = rng.random(m) < delta
        lied = ~shown & (rng.random(m) >= math.exp(epsilon) / (1 + math.exp(epsilon)))
        answers = coins ^ lied
        order = np.argsort(~shown, kind="stable")[:guesses]
        correct = int((answers[order] == coins[order]).sum())
        wrong += epsilon_of_guesses(correct, guesses, m, delta, error) > epsilon
    assert wrong < 40
    # Without the term for delta the same guesses would be taken for a larger epsilon than there is.
    assert epsilon_of_guesses(guesses, guesses, m, 0.0, error) > 1.5 * epsilon
