"""Where random draws come from: the operating system through OpenDP, or a seeded NumPy generator for simulation.

Both sources draw from the same distributions, and one privacy calculation covers both; only the first makes
a release private. A seed makes noise reproducible, hence subtractable: whatever used `SimulatedRandomness` must say
that it is not private.
"""

from __future__ import annotations

import math
import numbers
import os
import secrets
from functools import cache
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from privboost.compiled import kernel
from privboost.errors import ParameterError, ParameterTypeError
from privboost.privacy.gaussian import MIN_GAUSSIAN_SCALE

__all__ = [
    "EXPONENTIAL",
    "PERMUTE_AND_FLIP",
    "RELEASE_LIMIT",
    "RULE_CODES",
    "Randomness",
    "SecureRandomness",
    "SimulatedRandomness",
    "add_discrete_laplace",
    "add_rounded_gaussian",
    "discrete_laplace",
    "make_randomness",
    "noisy_argmax",
    "noisy_argmax_row",
]

Int64Array = npt.NDArray[np.int64]

PERMUTE_AND_FLIP = 0
EXPONENTIAL = 1
RULE_CODES = {"permute-and-flip": PERMUTE_AND_FLIP, "exponential": EXPONENTIAL}

# Released numbers are clamped to what a float64 holds exactly (post-processing, hence free). Negating
# them or adding a thousand of them cannot then overflow int64, however large the noise.
RELEASE_LIMIT = 2**53

# Noise is clamped here so that the conversion to int64 is always defined; it plus any clamped sum fits in int64.
_GEOMETRIC_LIMIT = 2.0**60
_SUM_LIMIT = 2**61


@kernel
def discrete_laplace(rng: np.random.Generator, scale: float) -> int:
    """Return one discrete Laplace draw: P(k) proportional to exp(-|k| / scale).

    The difference of two geometric variables floor(scale * E), E standard exponential. Draw order: two exponentials,
    the positive part first.
    """
    up = scale * rng.standard_exponential()
    down = scale * rng.standard_exponential()
    if up >= _GEOMETRIC_LIMIT or down >= _GEOMETRIC_LIMIT:
        # Their floors need not fit in int64. Floats this large are integers already.
        return int(min(max(up - down, -_GEOMETRIC_LIMIT), _GEOMETRIC_LIMIT))
    return math.floor(up) - math.floor(down)


@kernel
def add_discrete_laplace(rng: np.random.Generator, values: Int64Array, scale: float, out: Int64Array) -> None:
    """Write ``values`` plus discrete Laplace noise into ``out``, clamped to +-`RELEASE_LIMIT`.

    Parameters
    ----------
    rng : numpy.random.Generator
        Advanced by two exponentials an element, elements in order.
    values, out : int64 array, shape (n,)
        May be the same array.
    scale : float
        Noise scale in integer units, above 0.
    """
    for i in range(values.shape[0]):
        value = min(max(values[i], -_SUM_LIMIT), _SUM_LIMIT) + discrete_laplace(rng, scale)
        out[i] = min(max(value, -RELEASE_LIMIT), RELEASE_LIMIT)


@kernel
def add_rounded_gaussian(rng: np.random.Generator, values: Int64Array, scale: float, out: Int64Array) -> None:
    """Write ``values`` plus normal noise rounded to integers into ``out``, clamped to +-`RELEASE_LIMIT`.

    A stand-in for discrete Gaussian noise: the total variation distance of one number's noise from it is at most
    1 / (48 * scale**2), 8e-8 at the smallest scale that is accepted.

    Parameters
    ----------
    rng : numpy.random.Generator
        Advanced by one standard normal an element, elements in order.
    values, out : int64 array, shape (n,)
        May be the same array.
    scale : float
        Noise scale in integer units, at least `MIN_GAUSSIAN_SCALE`.
    """
    for i in range(values.shape[0]):
        noise = min(max(scale * rng.standard_normal(), -_GEOMETRIC_LIMIT), _GEOMETRIC_LIMIT)
        value = min(max(values[i], -_SUM_LIMIT), _SUM_LIMIT) + math.floor(noise + 0.5)
        out[i] = min(max(value, -RELEASE_LIMIT), RELEASE_LIMIT)


@kernel
def noisy_argmax_row(rng: np.random.Generator, scores: Int64Array, scale: float, rule_code: int) -> int:
    """Return the index of the largest noisy score of one node.

    Parameters
    ----------
    rng : numpy.random.Generator
        Advanced by one exponential a candidate, candidates in order, under either rule.
    scores : int64 array, shape (n_candidates,)
    scale : float
        Noise scale in score units, above 0.
    rule_code : int
        `PERMUTE_AND_FLIP` adds exponential noise; `EXPONENTIAL` adds Gumbel noise, -log of an exponential.
    """
    top = scores[0]
    for j in range(1, scores.shape[0]):
        top = max(top, scores[j])
    best = -1
    best_value = -math.inf
    for j in range(scores.shape[0]):
        noise = rng.standard_exponential()
        # Relative to the top score: near the winner the sum keeps its precision, however large the scores are.
        behind = float(scores[j] - top)
        if rule_code == EXPONENTIAL:
            # -log x is at most 1 / x - 1: mostly that is too little, and no logarithm is needed. The margin is for the
            # roundings on both sides.
            noise = max(noise, 1e-300)
            if behind + scale * (1.0 / noise - 1.0 + 1e-9) < best_value:
                continue
            noise = -math.log(noise)
        value = behind + scale * noise
        if value > best_value:
            best_value = value
            best = j
    return best


@kernel
def noisy_argmax(rng: np.random.Generator, scores: Int64Array, scale: float, rule_code: int, out: Int64Array) -> None:
    """Write the selected candidate of every node into ``out``.

    Parameters
    ----------
    rng : numpy.random.Generator
        Advanced by one exponential a candidate, row by row.
    scores : int64 array, shape (n_nodes, n_candidates)
    scale, rule_code
        As for `noisy_argmax_row`.
    out : int64 array, shape (n_nodes,)
    """
    for i in range(scores.shape[0]):
        out[i] = noisy_argmax_row(rng, scores[i], scale, rule_code)


class Randomness(Protocol):
    """What a mechanism asks of a source of randomness."""

    @property
    def secure(self) -> bool:
        """Whether a release drawn from this source is private."""
        ...

    @property
    def generator(self) -> np.random.Generator:
        """For draws that need no secrecy: tree structure, the partition of the rows."""
        ...

    def below(self, n: int) -> int:
        """Return a uniform integer from 0 to ``n`` - 1, which nobody else can know."""
        ...

    def laplace(self, values: Int64Array, scale: float) -> Int64Array:
        """Return ``values`` plus independent discrete Laplace noise, clamped to +-`RELEASE_LIMIT`."""
        ...

    def gaussian(self, values: Int64Array, scale: float) -> Int64Array:
        """Return ``values`` plus independent discrete Gaussian noise, clamped to +-`RELEASE_LIMIT`."""
        ...

    def select(self, scores: Int64Array, scale: float, rule: str) -> Int64Array:
        """Return the index of the largest noisy score of each row of ``scores``."""
        ...


class _OpenDP(NamedTuple):
    """The modules of OpenDP that noise is built from."""

    domains: Any
    measurements: Any
    measures: Any
    metrics: Any


@cache
def _opendp() -> _OpenDP:
    """Import OpenDP on first use: a simulation never needs it.

    The modules one by one: OpenDP's prelude brings scikit-learn's decompositions along and, where it is installed,
    polars, which takes ten times as long.
    """
    from opendp import domains, measurements, measures, metrics
    from opendp.mod import enable_features

    # Only released, proven parts are used; OpenDP still files the whole Python surface under "contrib".
    enable_features("contrib")
    return _OpenDP(domains, measurements, measures, metrics)


def _integers(dp: _OpenDP) -> Any:
    return dp.domains.vector_domain(dp.domains.atom_domain(T="i64"))


def opendp_laplace(scale: float) -> Any:
    """Return OpenDP's discrete Laplace measurement on int64 vectors under the L1 distance."""
    dp = _opendp()
    return dp.measurements.make_laplace(_integers(dp), dp.metrics.l1_distance(T="i64"), scale)


def opendp_key_counts(scale: float, threshold: int) -> Any:
    """Return OpenDP's measurement whose map gives the delta of showing noisy counts of at least ``threshold``.

    The map's distance is a triple: keys that change, the sum of their changes, and the largest one of them. It takes
    the chance of a noisy count *above* the measurement's threshold (OpenDP 0.16), so that one is given which is 1
    lower. It is not invoked: it would show that threshold itself, too.
    """
    dp = _opendp()
    counts = dp.domains.map_domain(dp.domains.atom_domain(T="String"), dp.domains.atom_domain(T="i64"))
    distance = dp.metrics.l01inf_distance(dp.metrics.absolute_distance(T="i64"))
    return dp.measurements.make_laplace_threshold(counts, distance, scale, threshold - 1)


def opendp_gaussian(scale: float) -> Any:
    """Return OpenDP's discrete Gaussian measurement on int64 vectors under the L2 distance; its map gives rho."""
    dp = _opendp()
    space = (_integers(dp), dp.metrics.l2_distance(T="i64"))
    return dp.measurements.make_gaussian(*space, scale, MO="ZeroConcentratedDivergence")


def opendp_select(scale: float, rule: str) -> Any:
    """Return OpenDP's noisy-max measurement on int64 scores that move together (monotone).

    Exponential noise is analysed by OpenDP under max divergence, Gumbel noise under zero-concentrated divergence; the
    latter is the exponential mechanism, whose bounded range r gives both pure epsilon r and rho = r**2 / 8.
    """
    dp = _opendp()
    pure = rule == "permute-and-flip"
    measure = dp.measures.max_divergence() if pure else dp.measures.zero_concentrated_divergence()
    space = (_integers(dp), dp.metrics.linf_distance(T="i64", monotonic=True))
    return dp.measurements.make_noisy_max(*space, measure, scale)


class SecureRandomness:
    """Draws for releases: OpenDP's exact samplers over the operating system's entropy.

    Make one for each fit. Neither `numpy.random.seed` nor a fork influences it: copies, unpickled objects and forked
    processes all start from fresh entropy.
    """

    secure = True

    def __init__(self) -> None:
        self._measurements: dict[tuple[str, float], Any] = {}
        self._generator = np.random.default_rng()
        self._process = os.getpid()

    def __repr__(self) -> str:
        return "SecureRandomness()"

    def __reduce__(self) -> tuple[type[SecureRandomness], tuple[()]]:
        return SecureRandomness, ()

    @property
    def generator(self) -> np.random.Generator:
        """A NumPy generator seeded by the operating system, never shared with a forked process."""
        if self._process != os.getpid():
            self._generator = np.random.default_rng()
            self._process = os.getpid()
        return self._generator

    def below(self, n: int) -> int:
        """Return an exactly uniform integer from 0 to ``n`` - 1, straight from the operating system's entropy."""
        return secrets.randbelow(n)

    def _measurement(self, kind: str, scale: float) -> Any:
        key = (kind, scale)
        if key not in self._measurements:
            if len(self._measurements) >= 256:
                self._measurements.clear()
            sums = {"laplace": opendp_laplace, "gaussian": opendp_gaussian}
            self._measurements[key] = sums[kind](scale) if kind in sums else opendp_select(scale, kind)
        return self._measurements[key]

    def laplace(self, values: Int64Array, scale: float) -> Int64Array:
        """Return ``values`` (any shape) plus independent discrete Laplace noise, clamped to +-`RELEASE_LIMIT`."""
        return self._add("laplace", values, scale)

    def gaussian(self, values: Int64Array, scale: float) -> Int64Array:
        """Return ``values`` (any shape) plus independent discrete Gaussian noise, clamped to +-`RELEASE_LIMIT`."""
        _check_gaussian_scale(scale)
        return self._add("gaussian", values, scale)

    def _add(self, kind: str, values: Int64Array, scale: float) -> Int64Array:
        flat = np.ascontiguousarray(values, dtype=np.int64).reshape(-1)
        noisy = np.array(self._measurement(kind, scale)(flat), dtype=np.int64).reshape(values.shape)
        return np.clip(noisy, -RELEASE_LIMIT, RELEASE_LIMIT)

    def select(self, scores: Int64Array, scale: float, rule: str) -> Int64Array:
        """Return one index for each row of ``scores`` (n_nodes, n_candidates)."""
        _check_rule(rule)
        measurement = self._measurement(rule, scale)
        rows = np.ascontiguousarray(scores, dtype=np.int64)
        return np.array([measurement(row) for row in rows], dtype=np.int64)


class SimulatedRandomness:
    """Reproducible draws from a NumPy generator, in compiled code. For tests and studies: NOT private.

    Parameters
    ----------
    generator : numpy.random.Generator
        Used as it is, and advanced.
    """

    secure = False

    def __init__(self, generator: np.random.Generator) -> None:
        if not isinstance(generator, np.random.Generator):
            raise ParameterTypeError("generator", generator, "a numpy.random.Generator")
        self._generator = generator

    def __repr__(self) -> str:
        return "SimulatedRandomness()"

    @property
    def generator(self) -> np.random.Generator:
        """The generator that noise comes from, too."""
        return self._generator

    def below(self, n: int) -> int:
        """Return a uniform integer from 0 to ``n`` - 1; ``n`` is below 2**63."""
        return int(self._generator.integers(n))

    def laplace(self, values: Int64Array, scale: float) -> Int64Array:
        """Return ``values`` (any shape) plus independent discrete Laplace noise, clamped to +-`RELEASE_LIMIT`."""
        out = np.array(values, dtype=np.int64, order="C")
        flat = out.reshape(-1)
        add_discrete_laplace(self._generator, flat, scale, flat)
        return out

    def gaussian(self, values: Int64Array, scale: float) -> Int64Array:
        """Return ``values`` (any shape) plus independent normal noise, rounded, clamped to +-`RELEASE_LIMIT`."""
        _check_gaussian_scale(scale)
        out = np.array(values, dtype=np.int64, order="C")
        flat = out.reshape(-1)
        add_rounded_gaussian(self._generator, flat, scale, flat)
        return out

    def select(self, scores: Int64Array, scale: float, rule: str) -> Int64Array:
        """Return one index for each row of ``scores`` (n_nodes, n_candidates)."""
        _check_rule(rule)
        out = np.empty(scores.shape[0], dtype=np.int64)
        noisy_argmax(self._generator, np.ascontiguousarray(scores, dtype=np.int64), scale, RULE_CODES[rule], out)
        return out


def _check_rule(rule: str) -> None:
    if rule not in RULE_CODES:
        raise ParameterError("rule", rule, " or ".join(repr(name) for name in RULE_CODES))


def _check_gaussian_scale(scale: float) -> None:
    if not scale >= MIN_GAUSSIAN_SCALE:
        raise ParameterError("scale", scale, f"at least {MIN_GAUSSIAN_SCALE!r} for Gaussian noise")


def make_randomness(random_state: object = None) -> SecureRandomness | SimulatedRandomness:
    """Return the source of randomness that a ``random_state`` parameter asks for.

    Parameters
    ----------
    random_state : None, int, numpy.random.Generator or numpy.random.RandomState
        None is secure. Anything else is a simulation: an integer of 0 or more seeds a new generator, a Generator
        is used as it is, a RandomState is advanced and seeds a new generator.

    Raises
    ------
    ParameterError
        For a negative integer, or (ParameterTypeError) for anything else.
    """
    expected = "None, an integer of 0 or more, a numpy.random.Generator or a numpy.random.RandomState"
    if random_state is None:
        return SecureRandomness()
    if isinstance(random_state, np.random.Generator):
        return SimulatedRandomness(random_state)
    if isinstance(random_state, np.random.RandomState):
        seed = random_state.randint(0, 2**32, size=4, dtype=np.uint32)
        return SimulatedRandomness(np.random.default_rng(seed))
    if isinstance(random_state, (bool, np.bool_)) or not isinstance(random_state, numbers.Integral):
        raise ParameterTypeError("random_state", random_state, expected)
    if random_state < 0:
        raise ParameterError("random_state", random_state, expected)
    return SimulatedRandomness(np.random.default_rng(int(random_state)))
