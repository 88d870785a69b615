"""Which settings a run of Newton boosting gets where the user leaves them to the library: public numbers in only.

One number decides most: the strength of the signal, rows per standard deviation of the noise that one release of the
whole budget would have. The rule's constants come from ``benchmarks/auto_rule.py``, which also judges them on tables
that they were not chosen on.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from privboost.ensembles.ensemble import MAX_REACH
from privboost.ensembles.newton_plan import AttributeChoiceName, NewtonFacts, NewtonSettings
from privboost.ensembles.temperature import MOST_EXPECTED, OWN_STEPS
from privboost.errors import PlanError
from privboost.privacy.accounting import MechanismName
from privboost.privacy.gaussian import gdp_mu

__all__ = ["FREE", "AutoRule", "choose_settings"]

_Number = TypeVar("_Number", int, float)

FREE = (
    "n_rounds",
    "trees_per_round",
    "max_depth",
    "learning_rate",
    "shrinkage",
    "score_reach",
    "histogram_share",
    "base_share",
    "calibration_share",
    "attribute_choice",
    "attributes_per_tree",
    "tests_per_node",
    "selection_share",
    "mechanism",
)
"""Settings that may be left to `choose_settings`."""

NOISE_FREE_STRENGTH = 1e9
LEAST_EPSILON = 1e-100

WITHOUT_NOISE = "there is no noise: as with Gaussian noise of next to no size."

MOST_ROUNDS = 400
"""With Laplace noise."""

SCORE_UNITS = {"logistic": 1.0, "softmax": 1.0, "squared": 0.125, "quantile": 0.05, "poisson": 0.1, "gamma": 0.1}
"""How far apart scores usually lie: log odds by a few units, numbers by a part of their range."""

RESIDUAL_CLIP = 0.125
"""Largest residual of the squared error that counts under privacy, as a part of the range."""

LAPLACE_KAPPA = 0.3
"""Factor of the curvature beside Laplace noise, where nothing else was found to be better."""


@dataclass(frozen=True)
class AutoRule:
    """The constants of the rule.

    Attributes
    ----------
    gaussian_rounds : tuple of (float, int)
        Rounds with Gaussian noise, whose total does not depend on their number: the last whose strength is reached.
    gaussian_room : float
        Gaussian noise, which many trees can share, may be so many times that of the trees with Laplace noise.
    laplace_rounds : float
        Rounds with Laplace noise, per root of rows times epsilon: every further round costs all of them.
    adaptive_rounds : float
        The same where attributes are chosen adaptively.
    adaptive_most : float
        Most of these rounds, if there are so many attributes.
    adaptive_reach : float
        A given ``score_reach`` below it leaves gradients as they are, whatever is added, so that nothing is learnt.
    laplace_adapts : float
        Rows times epsilon from which on they are, with Laplace noise, for classes, if there can be more rounds than
        attributes.
    reach : float
        Strength for each unit of ``score_reach``.
    gradient_clip : float
        Largest gradient of a class's log loss that counts, where there is noise.
    fewest_rounds : int
    detectable : float
        Part of the rows that must stand out of the noise in one code for histograms to be worth their share.
    calibratable : float
        Rows for each that the noise of a histogram of the scores amounts to, from which on it is released.
    gaussian_calibration, laplace_calibration : float
        Its share of the budget.
    gaussian_selects : float
        Strength from which on tests are selected, with Gaussian noise.
    gaussian_selected_rounds : tuple of (float, int)
        Rounds where tests are selected, which are worth more than many trees: the last whose strength is reached.
    gaussian_selected_path : tuple of (float, float)
        Largest product of these rounds and their learning rate: of two classes the last whose strength is reached,
        else the last.
    gaussian_tests : int
        Tests of a node where one of them is selected.
    gaussian_selected_depth : tuple of (float, int)
        The last whose strength is reached.
    gaussian_depth : tuple of (float, int)
        Depth with Gaussian noise where tests are drawn: the last whose strength is reached.
    laplace_depth : int
    gaussian_attributes, laplace_attributes : int
        Attributes of a tree; 0 for all.
    gaussian_kappa : tuple of (float, float)
        Factor of the curvature of two classes: the last whose strength is reached. The weaker the signal, the less is
        the curvature worth, which what is added to it exceeds.
    laplace_kappa : tuple of (float, float)
        The same where attributes are drawn: the last whose rows times epsilon are reached.
    gaussian_shrinkage, laplace_shrinkage, adaptive_shrinkage : float
    adaptive_rate : float
        Learning rate where attributes are chosen adaptively, per inverse root of rounds; at most 1.
    learning_rate, number_rate : float
        With Gaussian noise, where the signal is strong: of classes, and of numbers.
    selected_rate, selected_number_rate : float
        Of two classes, and of numbers, where tests are selected.
    noise_room : float
        Largest standard deviation of what the noise of all rounds adds to a score, in units of ``score_reach`` or, if
        that is less, of how far apart scores usually lie.
    steady_strength, steady_strength_of_many, slope_power : float
        Scores are expected to lie too close to the base, by the ratio of this strength (of two classes, or more) and
        the present one, raised to this power.
    """

    gaussian_rounds: tuple[tuple[float, int], ...] = ((0.0, 200), (100.0, 400))
    gaussian_room: float = 1.45
    laplace_rounds: float = 0.5
    adaptive_rounds: float = 0.3
    adaptive_most: float = 1.0
    adaptive_reach: float = 1.0
    laplace_adapts: float = 3000.0
    gradient_clip: float = 0.7
    fewest_rounds: int = 1
    reach: float = 350.0
    detectable: float = 0.5
    calibratable: float = 7.0
    gaussian_calibration: float = 0.03
    laplace_calibration: float = 0.05
    gaussian_selects: float = 800.0
    gaussian_selected_rounds: tuple[tuple[float, int], ...] = ((0.0, 100), (50_000.0, 200))
    gaussian_selected_path: tuple[tuple[float, float], ...] = ((0.0, 50.0), (20_000.0, 25.0))
    gaussian_tests: int = 30
    gaussian_selected_depth: tuple[tuple[float, int], ...] = ((0.0, 5), (3000.0, 6))
    gaussian_depth: tuple[tuple[float, int], ...] = ((0.0, 5), (100.0, 6))
    laplace_depth: int = 7
    gaussian_attributes: int = 3
    laplace_attributes: int = 0
    gaussian_kappa: tuple[tuple[float, float], ...] = ((0.0, 0.25), (200.0, 0.5))
    laplace_kappa: tuple[tuple[float, float], ...] = ((0.0, 0.05), (300.0, 0.15))
    gaussian_shrinkage: float = 3.0
    laplace_shrinkage: float = 1.0
    adaptive_shrinkage: float = 2.0
    adaptive_rate: float = 4.0
    learning_rate: float = 0.25
    selected_rate: float = 0.5
    number_rate: float = 0.1
    selected_number_rate: float = 0.2
    noise_room: float = 2.0
    steady_strength: float = 200.0
    steady_strength_of_many: float = 150.0
    slope_power: float = 0.8


def choose_settings(
    facts: NewtonFacts, given: dict[str, Any], rule: AutoRule | None = None
) -> tuple[NewtonSettings, tuple[str, ...]]:
    """Fill in the settings that the user did not give.

    Parameters
    ----------
    facts : NewtonFacts
    given : dict
        Some of `FREE`, with values in range; they are kept.
    rule : AutoRule, optional

    Returns
    -------
    settings : NewtonSettings
    reasons : tuple of str
        One sentence for each choice made.
    """
    rule = rule or AutoRule()
    reasons: dict[str, str] = {}
    mechanism = _mechanism(facts, given, rule, reasons)
    gaussian = mechanism == "gaussian"
    plain = gaussian or facts.epsilon is None
    trees = _trees(facts, plain, given, rule, reasons)
    noise = _noise(facts, gaussian, trees.n_rounds * given.get("trees_per_round", 1))
    strength = _strength(facts, noise)
    numbers, adapts, reach = not facts.classifies, trees.choice == "adaptive", _reach(facts, strength, rule)
    settings = NewtonSettings(
        n_rounds=trees.n_rounds,
        trees_per_round=1,
        max_depth=trees.max_depth,
        learning_rate=0.0,
        shrinkage=_shrinkage(plain, adapts, rule),
        # Gradients of these have a bound of their own.
        score_reach=MAX_REACH if facts.objective in ("squared", "quantile") else min(reach, MAX_REACH),
        attribute_choice=trees.choice,
        attributes_per_tree=trees.attributes,
        tests_per_node=trees.n_tests,
        histogram_share=0.08 if plain else 0.15,
        base_share=0.1 if numbers else 0.02 if gaussian or adapts else 0.05,
        base_pseudo_count=0.5 if numbers else 5.0,
        gradient_clip=rule.gradient_clip if facts.classifies and facts.epsilon is not None else 1.0,
        residual_clip=RESIDUAL_CLIP if facts.epsilon is not None else 1.0,
        kappa=_kappa(facts, gaussian, strength, trees, rule),
        mechanism=mechanism,
    )
    rate, reasons["learning_rate"] = _learning_rate(settings, facts, plain, strength, rule)
    share = _calibration(facts, gaussian, rule, reasons)
    settings = replace(settings, learning_rate=rate, calibration_share=share)
    if not any(name in given for name in OWN_STEPS):
        settings = replace(settings, expected_slope=_expected_slope(facts, strength, rule, reasons))
    settings = replace(settings, **{name: value for name, value in given.items() if name != "mechanism"})
    if "histogram_share" not in given and not _detects(settings, facts, noise, rule, reasons):
        settings = replace(settings, histogram_share=0.0)
    far = (
        f"rows are {strength:.3g} times the noise of the whole budget: gradients follow scores up to "
        f"{settings.score_reach:.3g} from the base."
    )
    own = "gradients of this loss have a bound of their own, whatever the scores."
    reasons["score_reach"] = own if facts.objective in ("squared", "quantile") else far
    tuned = "a constant of the rule, found on public tables (benchmarks/auto_rule.py)."
    reasons |= {name: tuned for name in ("max_depth", "attributes_per_tree", "shrinkage", "base_share")}
    if trees.n_tests > 1:
        reasons["selection_share"] = tuned
    return settings, tuple(f"{name}: {reason}" for name, reason in reasons.items() if name not in given)


def _reach(facts: NewtonFacts, strength: float, rule: AutoRule) -> float:
    """Return how far from the base gradients follow scores."""
    return SCORE_UNITS[facts.objective] * strength / rule.reach


def _learning_rate(
    settings: NewtonSettings, facts: NewtonFacts, plain: bool, strength: float, rule: AutoRule
) -> tuple[float, str]:
    """Return the step of a round, and why."""
    # How far scores lie apart that gradients follow.
    apart = min(_reach(facts, strength, rule), SCORE_UNITS[facts.objective])
    # What the noise of one tree adds to a score is at most kappa / shrinkage, and that of many adds up by its square.
    room = rule.noise_room * settings.shrinkage * apart / (settings.kappa * math.sqrt(settings.n_rounds))
    steady = _steady_rate(settings, facts, plain, strength, rule)
    if room < steady:
        return room, "as large as leaves the noise of all rounds, added up, small beside the scores."
    return steady, "what suits so many rounds; the noise would allow more."


def _steady_rate(settings: NewtonSettings, facts: NewtonFacts, plain: bool, strength: float, rule: AutoRule) -> float:
    """Return the step where noise does not make it smaller."""
    rounds, two_classes = settings.n_rounds, facts.objective == "logistic"
    if not plain and settings.attribute_choice == "adaptive":
        return min(1.0, rule.adaptive_rate / math.sqrt(rounds))
    # Few rounds take larger steps, whoever chose them.
    few = min(0.5, 1.0 / math.sqrt(rounds))
    if not plain:
        # A smaller factor of the curvature makes what is added to it larger, and values smaller.
        return few * max(1.0, LAPLACE_KAPPA / settings.kappa) if two_classes else few
    numbers = not facts.classifies
    steady = rule.number_rate if numbers else rule.learning_rate
    if settings.selects:
        most = rule.selected_number_rate if numbers else rule.selected_rate if two_classes else rule.learning_rate
        path = _last(rule.gaussian_selected_path, strength if two_classes else math.inf)
        steady = min(most, path / rounds)
    return max(steady, few)


def _shrinkage(plain: bool, adapts: bool, rule: AutoRule) -> float:
    if plain:
        return rule.gaussian_shrinkage
    return rule.adaptive_shrinkage if adapts else rule.laplace_shrinkage


def _mechanism(facts: NewtonFacts, given: dict[str, Any], rule: AutoRule, reasons: dict[str, str]) -> MechanismName:
    if "mechanism" in given:
        name: MechanismName = given["mechanism"]
        return name
    if facts.epsilon is None:
        reasons["mechanism"] = WITHOUT_NOISE
        return "laplace"
    if facts.delta == 0.0:
        reasons["mechanism"] = "delta is 0, and Laplace noise the only one that keeps a pure epsilon."
        return "laplace"
    drawn = {**given, "tests_per_node": 1, "attribute_choice": "random"}
    n_trees = _laplace_trees(facts, drawn, rule, {}).n_rounds * given.get("trees_per_round", 1)
    laplace, gaussian = _noise(facts, False, n_trees), _noise(facts, True, 1)
    sizes = f"Gaussian noise is {gaussian:.3g} rows for any number of trees; Laplace noise {laplace:.3g}, for {n_trees}"
    reasons["mechanism"] = f"{sizes}. Gaussian noise is taken up to {rule.gaussian_room:g} times the other."
    return "gaussian" if gaussian <= rule.gaussian_room * laplace else "laplace"


@dataclass(frozen=True)
class _Trees:
    """What the trees of a run are like."""

    n_rounds: int
    max_depth: int
    attributes: int
    n_tests: int = 1
    choice: AttributeChoiceName = "random"


def _trees(
    facts: NewtonFacts, gaussian: bool, given: dict[str, Any], rule: AutoRule, reasons: dict[str, str]
) -> _Trees:
    """Choose how tests are found, and with that how many trees there are, and how deep.

    Without noise, as with Gaussian noise of next to no size.
    """
    return (_gaussian_trees if gaussian else _laplace_trees)(facts, given, rule, reasons)


def _gaussian_trees(facts: NewtonFacts, given: dict[str, Any], rule: AutoRule, reasons: dict[str, str]) -> _Trees:
    """Select tests, rather than draw them, where the signal is strong."""
    amount = _strength(facts, _noise(facts, True, 1))
    n_tests = given.get("tests_per_node", rule.gaussian_tests if amount >= rule.gaussian_selects else 1)
    selects = n_tests > 1
    reasons["tests_per_node"] = (
        f"rows are {amount:.3g} times the noise of the whole budget: from {rule.gaussian_selects:.3g} on, selecting "
        "the best test is worth what it costs."
    )
    reasons["attribute_choice"] = "beside Gaussian noise, learning which attributes matter gained nothing."
    reasons["n_rounds"] = "Gaussian noise of the mean of all rounds does not grow with their number."
    if facts.epsilon is None:
        reasons |= dict.fromkeys(("tests_per_node", "attribute_choice", "n_rounds"), WITHOUT_NOISE)
    return _Trees(
        n_rounds=given.get(
            "n_rounds", _last(rule.gaussian_selected_rounds if selects else rule.gaussian_rounds, amount)
        ),
        max_depth=_last(rule.gaussian_selected_depth if selects else rule.gaussian_depth, amount),
        attributes=0 if selects else rule.gaussian_attributes,
        n_tests=n_tests,
        choice=given.get("attribute_choice", "random"),
    )


def _laplace_trees(facts: NewtonFacts, given: dict[str, Any], rule: AutoRule, reasons: dict[str, str]) -> _Trees:
    """Choose attributes adaptively where there are rounds enough to try each."""
    amount = _amount(facts)
    against = _against_adaptive(facts, given, rule, amount)
    reasons["attribute_choice"] = against or (
        f"{_amount_text(facts, amount)} and attributes few beside the rounds: learning which matter is worth while."
    )
    choice = given.get("attribute_choice", "random" if against else "adaptive")
    factor, fewest, least = rule.laplace_rounds, rule.fewest_rounds, ""
    if choice == "adaptive":
        factor, fewest, least = rule.adaptive_rounds, facts.n_attributes + 1, "at least one more than attributes, "
    reasons["n_rounds"] = (
        f"Laplace noise grows with the number of rounds: {factor:g} times the root of {amount:.3g}, which is rows "
        f"times epsilon{_by(facts, ' /')}; {least}at most {MOST_ROUNDS}."
    )
    reasons["tests_per_node"] = "under Laplace noise a selection for every level costs more than it is worth."
    return _Trees(
        n_rounds=given.get("n_rounds", _laplace_rounds(amount, factor, fewest)),
        max_depth=rule.laplace_depth,
        attributes=rule.laplace_attributes,
        n_tests=given.get("tests_per_node", 1),
        choice=choice,
    )


def _against_adaptive(facts: NewtonFacts, given: dict[str, Any], rule: AutoRule, amount: float) -> str:
    """Return why attributes are drawn and not learnt; empty if they are learnt."""
    rounds = given.get("n_rounds", _laplace_rounds(amount, rule.adaptive_most, rule.fewest_rounds))
    if not facts.classifies:
        return "where numbers are predicted, learning which attributes matter gained nothing."
    if amount < rule.laplace_adapts:
        return (
            f"{_amount_text(facts, amount)}: learning which attributes matter takes {rule.laplace_adapts:.3g} or more."
        )
    if rounds <= facts.n_attributes:
        return f"{rounds} rounds would be too few to learn which of {facts.n_attributes} attributes matter."
    if given.get("trees_per_round", 1) > 1:
        return "trees of one round see the same gradients, and cannot learn from each other which attributes matter."
    if given.get("score_reach", MAX_REACH) < rule.adaptive_reach:
        return "gradients that hardly follow what is added do not tell which attributes have been used up."
    return ""


def _amount(facts: NewtonFacts) -> float:
    """Return what decides with Laplace noise, whose size beside the rows' sums is its inverse."""
    return facts.n_rows * (facts.epsilon or 0.0) / facts.unit.distance


def _amount_text(facts: NewtonFacts, amount: float) -> str:
    return f"rows are {amount:.3g} times 1 / epsilon{_by(facts, ' and')}"


def _by(facts: NewtonFacts, link: str) -> str:
    """Return how many rows neighbours differ in, if there are several."""
    return f"{link} {facts.unit.distance} rows of a difference" if facts.unit.distance > 1 else ""


def _laplace_rounds(amount: float, factor: float, fewest: int) -> int:
    return min(max(round(factor * math.sqrt(amount)), fewest), MOST_ROUNDS)


def _calibration(facts: NewtonFacts, gaussian: bool, rule: AutoRule, reasons: dict[str, str]) -> float:
    """Return the share of the histogram of the scores."""
    if facts.objective != "logistic" or facts.epsilon is None:
        reasons["calibration_share"] = "scores are calibrated for two classes, under privacy."
        return 0.0
    share = rule.gaussian_calibration if gaussian else rule.laplace_calibration
    part = math.sqrt(share) if gaussian else share
    amount = _strength(facts, _noise(facts, gaussian, 1) / part)
    reasons["calibration_share"] = (
        f"rows are {amount:.3g} times the noise of a histogram of the scores: it is released from "
        f"{rule.calibratable:.3g} on."
    )
    return share if amount >= rule.calibratable else 0.0


def _expected_slope(facts: NewtonFacts, strength: float, rule: AutoRule, reasons: dict[str, str]) -> float:
    """Return by how much the steps that this rule chooses for classes are too short, on average over tables."""
    if not facts.classifies or facts.epsilon is None:
        return 1.0
    steady = rule.steady_strength if facts.objective == "logistic" else rule.steady_strength_of_many
    slope = float(min(max((steady / strength) ** rule.slope_power, 1.0), MOST_EXPECTED))
    if slope > 1.0:
        reasons["expected_slope"] = (
            f"below {steady:.3g} rows for each that the noise amounts to, steps are short: scores are expected to lie "
            f"{slope:.3g} times too close to the base, and multiplied by as much."
        )
    return slope


def _strength(facts: NewtonFacts, noise: float) -> float:
    """Return how many rows there are for each that the noise amounts to."""
    return facts.n_rows / noise if noise > 0.0 else NOISE_FREE_STRENGTH


def _kappa(facts: NewtonFacts, gaussian: bool, strength: float, trees: _Trees, rule: AutoRule) -> float:
    """Return the factor of the curvature: a small one adds little to what a row can change."""
    if facts.epsilon is None:
        return 1.0
    if facts.objective == "squared":
        return RESIDUAL_CLIP / 2.0
    if facts.objective != "logistic":
        return (1.0 if gaussian else LAPLACE_KAPPA) * (0.25 if facts.objective == "quantile" else 1.0)
    if gaussian:
        return _last(rule.gaussian_kappa, strength)
    return LAPLACE_KAPPA if trees.choice == "adaptive" else _last(rule.laplace_kappa, _amount(facts))


def _last(steps: tuple[tuple[float, _Number], ...], strength: float) -> _Number:
    return [value for least, value in steps if strength >= least][-1]


def _noise(facts: NewtonFacts, gaussian: bool, n_trees: int) -> float:
    """Return the standard deviation, in rows, of the noise of a mean over trees that divide the whole budget."""
    if facts.epsilon is None:
        return 0.0
    if facts.epsilon < LEAST_EPSILON:
        raise PlanError(
            f"epsilon = {facts.epsilon:g} buys nothing: no release could be told from noise. Raise epsilon."
        )
    if gaussian:
        return facts.unit.distance / gdp_mu(facts.epsilon, facts.delta)
    return facts.unit.distance * math.sqrt(2.0 * n_trees) / facts.epsilon


def _detects(
    settings: NewtonSettings, facts: NewtonFacts, noise: float, rule: AutoRule, reasons: dict[str, str]
) -> bool:
    """Whether histograms could show where rows lie: whether their noise leaves a well-filled code visible."""
    if facts.epsilon is None:
        return True
    share, floor = settings.histogram_share, settings.occupied_floor
    if settings.mechanism == "gaussian":
        one = noise * math.sqrt(facts.n_attributes / share)
    else:
        one = math.sqrt(2.0) * facts.unit.distance * facts.n_attributes / (facts.epsilon * share)
    least = floor * one * math.sqrt(facts.n_stats) / facts.n_rows
    found = least <= rule.detectable
    needed = f"{least:.1%} of the rows" if least <= 1.0 else "more rows than there are"
    reasons["histogram_share"] = f"a code must hold {needed} to stand out of the noise of histograms: " + (
        "they are released." if found else "too many, so nothing is spent on them."
    )
    return found
