"""Noise: never the same draw twice, whatever is seeded, forked or threaded; and what a seed gives away."""

from __future__ import annotations

import json
import os
import pickle
import random
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from privboost import load
from privboost.errors import PrivacyWarning

simulated = pytest.mark.filterwarnings("ignore:'random_state' is set:privboost.errors.PrivacyWarning")


def noise_of(make, X, y, recorder):
    """Every draw of noise that was added to numbers in one fit, in order."""
    seen = recorder.fit(make(), X, y)
    return np.concatenate([(s.answer - s.exact).ravel() for s in seen if s.event.mechanism in ("laplace", "gaussian")])


class TestDrawsAreIndependent:
    """Noise of scale 1e14 and fresh entropy, so the tests can fail by chance; the rates are stated."""

    SETTINGS = (
        ("boosted", {"n_trees": 20, "epsilon": 1e-8}),
        ("forest, laplace, shared", {"epsilon": 2e-9}),
        ("random trees, laplace", {"n_rounds": 5, "epsilon": 1e-8}),
        ("random trees, gaussian", {"n_rounds": 5, "epsilon": 1e-9, "delta": 1e-10}),
        ("numbers, laplace", {"n_rounds": 5, "epsilon": 1e-8}),
    )

    @pytest.mark.parametrize(("name", "settings"), SETTINGS)
    def test_no_draw_is_repeated_within_a_model_or_between_two(self, name, settings, make_learner, square, recorder):
        X, y = square(60)
        make = lambda: make_learner(name)(random_state=None, **settings)  # noqa: E731
        draws = [noise_of(make, X, y, recorder) for _ in range(2)]
        together = np.concatenate(draws)
        assert np.median(np.abs(together)) > 1e13
        # At most 51,040 pairs of draws, each equal with a chance of 1 / (4e14): a false alarm has a chance of 1.3e-10.
        assert len(np.unique(together)) == len(together)

    @pytest.mark.parametrize(("name", "settings"), SETTINGS)
    def test_draws_of_neighbouring_leaves_and_rounds_are_uncorrelated(
        self, name, settings, make_learner, square, recorder
    ):
        X, y = square(60)
        draws = np.concatenate(
            [noise_of(lambda: make_learner(name)(random_state=None, **settings), X, y, recorder) for _ in range(12)]
        )
        sign = np.sign(draws)  # bounded, so that Hoeffding's inequality applies
        for lag in (1, 2, 4, 8, 16):
            n = len(sign) - lag
            correlation = float((sign[:-lag] * sign[lag:]).mean())
            # Products of signs of independent draws: P(|mean| > t) <= 2 exp(-n t^2 / 2) < 1e-10 for each of two halves.
            assert abs(correlation) < 2 * np.sqrt(2 * np.log(4e10) / n)

    def test_seeded_rounds_outputs_and_leaves_use_one_stream(self, make_learner, square, recorder):
        X, y = square(60, n_classes=3)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PrivacyWarning)
            make = lambda: make_learner("boosted")(n_trees=8, classes=[0, 1, 2], epsilon=1e-6)  # noqa: E731
            draws = noise_of(make, X, y, recorder)
        assert len(draws) == 3 * 8 * 8
        assert len(np.unique(draws)) == len(draws)

    def test_a_source_that_repeats_itself_is_caught(self, make_learner, square, recorder, monkeypatch):
        def stuck(self, values, scale):
            return values + np.random.default_rng(0).integers(10**13, size=values.shape)

        monkeypatch.setattr("privboost.privacy.randomness.SecureRandomness.laplace", stuck)
        with pytest.raises(AssertionError):
            self.test_no_draw_is_repeated_within_a_model_or_between_two(
                *self.SETTINGS[0], make_learner, square, recorder
            )

    def test_draws_that_follow_one_pattern_are_caught(self, make_learner, square, recorder, monkeypatch):
        def patterned(self, values, scale):
            size = np.random.default_rng().integers(10**13, 10**14, size=values.shape)
            return values + size * np.where(np.arange(values.size).reshape(values.shape) % 2, 1, -1)

        monkeypatch.setattr("privboost.privacy.randomness.SecureRandomness.laplace", patterned)
        self.test_no_draw_is_repeated_within_a_model_or_between_two(*self.SETTINGS[0], make_learner, square, recorder)
        with pytest.raises(AssertionError):
            self.test_draws_of_neighbouring_leaves_and_rounds_are_uncorrelated(
                *self.SETTINGS[0], make_learner, square, recorder
            )

    def test_threads_do_not_share_draws(self, make_learner, square):
        X, y = square(30)
        make = make_learner("boosted")

        def fit(_):
            return make(random_state=None, epsilon=1.0).fit(X, y).predict_proba(X).tobytes()

        with ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(fit, range(8)))
        # Leaves carry noise on a grid of 1e5 steps and more, and there are 3 trees: equal by chance below 1e-12.
        assert len(set(answers)) == len(answers)

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
    def test_forked_processes_do_not_share_draws(self):
        # In a process of its own: forking the test runner, with its threads, could hang.
        program = """
import hashlib, os, sys, warnings
import numpy as np
from privboost import BDPEClassifier, Domain, Numeric
warnings.simplefilter("ignore", DeprecationWarning)
rng = np.random.default_rng(0)
X = rng.random((300, 1)); y = (X[:, 0] > 0.5).astype(int)
make = lambda: BDPEClassifier(n_trees=10, max_depth=1, domain=Domain({"x": Numeric(0, 1)}), classes=[0, 1])
def answer():
    sys.stdout.write(hashlib.sha256(make().fit(X, y).predict_proba(X).tobytes()).hexdigest() + "\\n")
    sys.stdout.flush()
make().fit(X, y)
for _ in range(2):
    child = os.fork()
    if child == 0:
        answer(); os._exit(0)
    os.waitpid(child, 0)
answer()
"""
        run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
        answers = run.stdout.split()  # of ten noisy trees each
        assert len(answers) == len(set(answers)) == 3


class TestSeeds:
    def test_a_seed_repeats_the_model_and_warns_once(self, learner, square):
        X, y = square(40, n_classes=3)
        models = []
        for _ in range(2):
            with pytest.warns(PrivacyWarning, match="random_state") as caught:
                models.append(learner(random_state=0, classes=[0, 1, 2]).fit(X, y))
            assert len(caught) == 1
        np.testing.assert_array_equal(*(learner.answers(model, X) for model in models))
        assert models[0].is_private_ is False
        assert models[0].privacy_.simulated
        assert "NOT PRIVATE" in str(models[0].privacy_)

    @simulated
    def test_seeds_differ(self, learner, square):
        X, y = square(200)
        answers = {learner.answers(learner(random_state=s).fit(X, y), X).tobytes() for s in range(6)}
        assert len(answers) == 6

    def test_global_seeds_have_no_influence(self, learner, square):
        X, y = square(40)
        answers = set()
        for _ in range(12):
            np.random.seed(0)  # noqa: NPY002
            random.seed(0)
            model = learner(random_state=None, epsilon=0.1, n_bins=200).fit(X, y)
            assert model.is_private_
            tests = [t.splits.first.tobytes() + t.splits.attribute.tobytes() for t in model.ensemble_.trees]
            answers.add(b"".join(tests) + learner.answers(model, X).tobytes())
        # Structures are drawn, or selected in heavy noise, among 398 tests a node, 3 nodes a tree: two of 66 pairs
        # of fits are equal with a chance below 66 / 1e7; all twelve are with a chance below 1e-70.
        assert len(answers) > 1

    @simulated
    def test_a_generator_is_used_and_advanced(self, learner, square):
        X, y = square(200)
        generator = np.random.default_rng(0)
        first = learner(random_state=generator).fit(X, y)
        second = learner(random_state=generator).fit(X, y)
        again = learner(random_state=np.random.default_rng(0)).fit(X, y)
        assert not first.is_private_
        np.testing.assert_array_equal(learner.answers(first, X), learner.answers(again, X))
        assert (learner.answers(first, X) != learner.answers(second, X)).any()

    @simulated
    def test_a_saved_model_does_not_hold_the_seed(self, learner, square, tmp_path):
        seed = 918273645
        learner(random_state=seed).fit(*square(40)).save(tmp_path / "model.json")
        text = (tmp_path / "model.json").read_text()
        assert str(seed) not in text
        assert "random_state" not in json.loads(text)["parameters"]
        assert load(tmp_path / "model.json").get_params()["random_state"] is None

    def test_a_secure_model_holds_no_generator(self, learner, square):
        model = learner(random_state=None).fit(*square(40))
        text = pickle.dumps(model, protocol=0)
        for name in (b"PCG64", b"Randomness", b"bit_generator", b"LocalRows", b"GradientRows", b"RawSums"):
            assert name not in text
