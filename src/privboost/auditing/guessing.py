r"""What correct guesses of who was in the table say of epsilon: one training, many independent coins.

Of m canaries each takes part with probability 1/2, independently. Whoever sees the released model alone guesses r of
them, in or out, and abstains from the others. If training is epsilon-private, then given the guesses the number of
correct ones is stochastically dominated by a binomial variable W of r trials with chance
:math:`q = e^\varepsilon / (1 + e^\varepsilon)`, that of randomised response. With a delta,

.. math:: P[\text{correct} \ge v] \le P[W \ge v] + 2 m \delta \max_{1 \le i \le v} \frac{P[v > W \ge v - i]}{i}.

References
----------
Steinke, Nasr & Jagielski (2023), "Privacy auditing with one (1) training run", Theorems 3.1 and 5.2.
"""

from __future__ import annotations

import math

import numpy as np

from privboost.auditing.intervals import binomial_law
from privboost.privacy.gaussian import boundary

__all__ = ["epsilon_of_guesses", "p_value"]

MOST_EPSILON = 50.0
"""No larger epsilon is looked for: that many correct guesses would have to be made."""


def p_value(correct: int, guesses: int, canaries: int, epsilon: float, delta: float) -> float:
    """Return how likely so many correct guesses are at most, if training is (epsilon, delta)-private.

    Parameters
    ----------
    correct, guesses, canaries : int
        ``0 <= correct <= guesses <= canaries``; with a delta, the number of guesses is fixed beforehand.
    epsilon : float
        0 or more.
    delta : float
        0 or more, below 1.

    Returns
    -------
    float
        From 0 to 1.
    """
    law = binomial_law(guesses, 1.0 / (1.0 + math.exp(-epsilon)))
    tail = float(law[correct:].sum())
    if delta > 0.0 and correct > 0:
        just_below = np.cumsum(law[:correct][::-1])
        tail += 2.0 * canaries * delta * float((just_below / np.arange(1, correct + 1)).max())
    return min(tail, 1.0)


def epsilon_of_guesses(correct: int, guesses: int, canaries: int, delta: float, error: float) -> float:
    """Return an epsilon that the guesses refute, up to a chance of ``error``; 0 if they refute none.

    Parameters
    ----------
    correct, guesses, canaries, delta
        As for `p_value`.
    error : float
        That the answer exceeds an epsilon with which training is (epsilon, delta)-private.
    """

    def refuted(epsilon: float) -> bool:
        return p_value(correct, guesses, canaries, epsilon, delta) <= error

    if not refuted(0.0):
        return 0.0
    return MOST_EPSILON if refuted(MOST_EPSILON) else boundary(refuted, 0.0, MOST_EPSILON, 1e-9)
