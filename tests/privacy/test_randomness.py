from __future__ import annotations

import copy
import multiprocessing
import pickle
import random
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from privboost.errors import ParameterError, ParameterTypeError
from privboost.privacy import SecureRandomness, SimulatedRandomness, make_randomness
from privboost.privacy.randomness import (
    EXPONENTIAL,
    PERMUTE_AND_FLIP,
    RELEASE_LIMIT,
    add_discrete_laplace,
    discrete_laplace,
    noisy_argmax,
    noisy_argmax_row,
)

# At this scale two of n draws are equal with chance below n**2 / 2**50: under 1e-9 for the n used here.
WIDE = 2.0**48


def draws(source, n=8):
    return source.laplace(np.zeros(n, dtype=np.int64), WIDE).tolist()


def secure_child(connection, source):
    connection.send((draws(source), source.generator.integers(2**62, size=4).tolist()))
    connection.close()


@pytest.fixture(params=["secure", "simulated"])
def source(request):
    return SecureRandomness() if request.param == "secure" else make_randomness(0)


class TestMakeRandomness:
    def test_none_is_secure(self):
        assert make_randomness(None).secure
        assert make_randomness().secure

    @pytest.mark.parametrize("seed", [0, 7, np.int64(3), 2**70])
    def test_integer_gives_the_same_draws_again(self, seed):
        first, second = make_randomness(seed), make_randomness(seed)
        assert not first.secure
        assert draws(first) == draws(second)
        scores = np.zeros((50, 9), dtype=np.int64)
        for rule in ("permute-and-flip", "exponential"):
            assert np.array_equal(first.select(scores, 1.0, rule), second.select(scores, 1.0, rule))

    def test_generator_is_used_as_it_is(self):
        generator = np.random.default_rng(5)
        source = make_randomness(generator)
        assert source.generator is generator
        before = generator.bit_generator.state
        draws(source)
        assert generator.bit_generator.state != before

    def test_random_state_is_advanced(self):
        state = np.random.RandomState(5)
        first, second = draws(make_randomness(state)), draws(make_randomness(state))
        assert first != second
        assert first == draws(make_randomness(np.random.RandomState(5)))

    @pytest.mark.parametrize("seed", [True, np.True_, "1", 1.0, [1], np.random])
    def test_other_types_are_refused(self, seed):
        with pytest.raises(ParameterTypeError, match="random_state"):
            make_randomness(seed)

    def test_negative_seed_is_refused(self):
        with pytest.raises(ParameterError, match="random_state"):
            make_randomness(-1)

    def test_simulation_needs_a_generator(self):
        with pytest.raises(ParameterTypeError):
            SimulatedRandomness(3)


class TestSecureRandomness:
    def test_global_seeds_do_not_matter(self):
        seen = []
        for _ in range(2):
            np.random.seed(0)  # noqa: NPY002
            random.seed(0)
            source = make_randomness(None)
            seen += draws(source)
            seen += source.generator.integers(2**62, size=4).tolist()
        assert len(set(seen)) == len(seen)

    def test_copies_do_not_repeat_draws(self):
        source = SecureRandomness()
        copies = [source, copy.copy(source), copy.deepcopy(source), pickle.loads(pickle.dumps(source))]
        seen = [value for item in copies for value in draws(item) + item.generator.integers(2**62, size=4).tolist()]
        assert len(set(seen)) == len(seen)

    @pytest.mark.skipif(sys.platform == "win32", reason="no fork on Windows")
    @pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
    def test_forked_children_do_not_share_draws(self):
        source = SecureRandomness()
        draws(source)
        state = source.generator.bit_generator.state
        context = multiprocessing.get_context("fork")
        seen, structure = [], []
        for _ in range(2):
            ours, theirs = context.Pipe()
            child = context.Process(target=secure_child, args=(theirs, source))
            child.start()
            noise, integers = ours.recv()
            child.join()
            seen += noise
            structure += integers
        seen += draws(source)
        assert source.generator.bit_generator.state == state  # the parent's own stream was not touched
        structure += source.generator.integers(2**62, size=4).tolist()
        assert len(set(seen)) == len(seen)
        assert len(set(structure)) == len(structure)

    def test_threads_do_not_share_draws(self):
        source = SecureRandomness()
        with ThreadPoolExecutor(4) as pool:
            seen = [value for part in pool.map(lambda _: draws(source), range(16)) for value in part]
        assert len(set(seen)) == len(seen) == 128

    def test_measurement_cache_is_bounded(self):
        source = SecureRandomness()
        for i in range(300):
            source.laplace(np.zeros(1, dtype=np.int64), 1.0 + i)
        assert len(source._measurements) <= 256


class TestDraws:
    def test_no_draw_repeats_across_cells_calls_and_scales(self, source):
        seen = []
        for scale in (WIDE, WIDE * 1.5, WIDE):
            seen += source.laplace(np.zeros((5, 4, 2), dtype=np.int64), scale).ravel().tolist()
        assert len(set(seen)) == len(seen) == 120

    def test_shape_is_kept_and_input_is_not_changed(self, source):
        values = np.arange(12, dtype=np.int64).reshape(3, 4)[:, ::2]
        before = values.copy()
        out = source.laplace(values, 2.0**-30)
        assert out.dtype == np.int64
        assert np.array_equal(out, values)  # no noise is left at the smallest scale
        assert not np.shares_memory(out, values)
        source.laplace(values, 100.0)
        assert np.array_equal(values, before)
        assert source.laplace(np.zeros((0, 2), dtype=np.int64), 1.0).shape == (0, 2)
        assert source.laplace(np.array(3), 2.0**-30) == 3

    @pytest.mark.parametrize("scale", [2.0**59, 2.0**61, 2.0**64, 2.0**200])
    def test_huge_noise_is_clamped_and_does_not_cancel(self, source, scale):
        """Saturated noise must not come out as 0, which would release the sum itself."""
        out = source.laplace(np.arange(60, dtype=np.int64), scale)
        assert np.all(np.abs(out) <= RELEASE_LIMIT)
        # |noise| below the limit has chance 2**-6 or less each: 30 of 60 has chance below 1e-36.
        assert np.sum(np.abs(out) == RELEASE_LIMIT) > 30
        assert {-1, 1} <= set(np.sign(out).tolist())

    @pytest.mark.parametrize("end", [2**63 - 1, -(2**63)])
    def test_extreme_values_do_not_wrap_around(self, source, end):
        out = source.laplace(np.full(20, end, dtype=np.int64), 1000.0)
        assert np.all(out == (RELEASE_LIMIT if end > 0 else -RELEASE_LIMIT))

    @pytest.mark.parametrize("rule", ["permute-and-flip", "exponential"])
    @pytest.mark.parametrize("scale", [2.0**-30, 1.0])
    def test_clear_winner_is_selected(self, source, rule, scale):
        scores = np.full((10, 6), -(2**52), dtype=np.int64)
        best = np.arange(10) % 6
        scores[np.arange(10), best] = 2**52
        assert np.array_equal(source.select(scores, scale, rule), best)

    @pytest.mark.parametrize("rule", ["permute-and-flip", "exponential"])
    def test_single_candidate_and_no_node(self, source, rule):
        assert source.select(np.array([[5], [-5]]), 3.0, rule).tolist() == [0, 0]
        assert source.select(np.zeros((0, 3), dtype=np.int64), 3.0, rule).shape == (0,)

    def test_unknown_rule_is_refused(self, source):
        with pytest.raises(ParameterError, match="rule"):
            source.select(np.zeros((1, 2), dtype=np.int64), 1.0, "best")


class TestCompiledFunctions:
    """The documented draw order, against NumPy's own exponentials."""

    def test_laplace_takes_two_exponentials_a_value(self):
        values = np.array([5, -3, 0, 1000], dtype=np.int64)
        out = np.empty_like(values)
        add_discrete_laplace(np.random.default_rng(3), values, 7.5, out)
        exponentials = np.random.default_rng(3).standard_exponential(8).reshape(4, 2)
        floors = np.floor(7.5 * exponentials).astype(np.int64)
        assert np.array_equal(out, values + floors[:, 0] - floors[:, 1])
        rng = np.random.default_rng(3)
        assert [discrete_laplace(rng, 7.5) for _ in range(4)] == (out - values).tolist()

    @pytest.mark.parametrize("rule", [PERMUTE_AND_FLIP, EXPONENTIAL])
    def test_argmax_takes_one_exponential_a_candidate(self, rule):
        scores = np.random.default_rng(0).integers(-20, 20, (6, 5))
        out = np.empty(6, dtype=np.int64)
        noisy_argmax(np.random.default_rng(4), scores, 9.0, rule, out)
        noise = np.random.default_rng(4).standard_exponential((6, 5))
        noise = -np.log(noise) if rule == EXPONENTIAL else noise
        assert np.array_equal(out, np.argmax(scores + 9.0 * noise, axis=1))
        rng = np.random.default_rng(4)
        assert [noisy_argmax_row(rng, row, 9.0, rule) for row in scores] == out.tolist()

    @pytest.mark.parametrize("rule", [PERMUTE_AND_FLIP, EXPONENTIAL])
    def test_shifting_all_scores_changes_nothing(self, rule):
        """A float64 of 2**53 has no room for noise below 1: scores are taken relative to the best."""
        scores = np.random.default_rng(1).integers(0, 3, (200, 6))
        out, shifted = np.empty(200, dtype=np.int64), np.empty(200, dtype=np.int64)
        noisy_argmax(np.random.default_rng(6), scores, 1.0, rule, out)
        noisy_argmax(np.random.default_rng(6), scores + 2**53, 1.0, rule, shifted)
        assert np.array_equal(out, shifted)

    @pytest.mark.parametrize("spread", [0, 3, 1000, 2**40])
    @pytest.mark.parametrize("scale", [1e-9, 0.3, 50.0, 2.0**150])
    @pytest.mark.parametrize("rule", [PERMUTE_AND_FLIP, EXPONENTIAL])
    def test_no_logarithm_that_is_left_out_could_have_won(self, rule, scale, spread):
        rng, twin = np.random.default_rng(8), np.random.default_rng(8)
        for scores in np.random.default_rng(9).integers(-spread, spread + 1, (300, 30)):
            noise = twin.standard_exponential(30)
            noise = -np.log(np.maximum(noise, 1e-300)) if rule == EXPONENTIAL else noise
            expected = np.argmax((scores - scores.max()).astype(float) + scale * noise)
            assert noisy_argmax_row(rng, scores, scale, rule) == expected
        assert rng.bit_generator.state == twin.bit_generator.state
