"""Neighbouring tables: what training asks of them may differ only as much as the ledger was charged for.

The main tool is a transcript. A learner is fitted on a table; then on its neighbour, where every mechanism is made to
repeat the answers of the first fit. All that a mechanism saw is compared in exact arithmetic: the worst-case losses of
all releases add up to the privacy loss of this pair, which must not exceed epsilon. No statistics is needed, and every
audit is shown to catch a planted bug.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import beta
from sklearn.base import BaseEstimator

import privboost
from privboost.ensembles import boosting, forest
from privboost.ensembles.plan import plan_forest
from privboost.errors import VerificationError
from privboost.estimators import forest as forest_estimator
from privboost.sources.local import GRID
from privboost.sources.objectives import Objective
from privboost.trees.splitting import PrivateSplitter

pytestmark = pytest.mark.filterwarnings("ignore:'random_state' is set:privboost.errors.PrivacyWarning")

DISJOINT = ("forest, laplace, disjoint", "forest, exponential, disjoint")
SHARED = (
    *("forest, laplace, shared", "forest, exponential, shared", "boosted", "boosted, the paper's choices", "tree"),
    *("random trees, laplace", "random trees, gaussian", "numbers, laplace", "numbers, gaussian"),
)
FORESTS = (*DISJOINT, *SHARED[:2])

EPSILON = 0.7
UNLISTED = 99


def removed(table, i, learner=None):
    """The neighbour in which row i is a null row: same position, nothing to add."""
    X, y = table
    if learner is not None:
        return X, learner.without(y, i)
    y = y.copy()
    y[i] = UNLISTED
    return X, y


def replaced(table, i):
    """The neighbour in which row i is another row."""
    X, y = table[0].copy(), table[1].copy()
    X[i] = 1.0 - X[i]
    y[i] = 1 - y[i]
    return X, y


def test_every_exported_learner_is_audited(audited):
    exported = {name for name in privboost.__all__ if isinstance(getattr(privboost, name), type)}
    learners = {name for name in exported if issubclass(getattr(privboost, name), BaseEstimator)}
    assert learners - {"PrivateSearchCV"} == audited  # a search over them: test_cases_search.py


class TestCostOfANeighbour:
    def test_removing_any_row_costs_at_most_epsilon(self, learner, square, transcript_cost):
        table = square(40)
        for i in range(0, 40, 3):
            cost = transcript_cost(lambda: learner(epsilon=EPSILON), table, removed(table, i, learner))
            assert 0 < cost <= Fraction(EPSILON)

    def test_adding_a_row_costs_at_most_epsilon(self, learner, square, transcript_cost):
        table = square(40)
        for i in range(0, 40, 13):
            cost = transcript_cost(lambda: learner(epsilon=EPSILON), removed(table, i, learner), table)
            assert cost <= Fraction(EPSILON)

    def test_replacing_a_row_costs_at_most_epsilon_under_replace_one(self, learner, square, transcript_cost):
        table = square(40)
        for i in range(0, 40, 13):
            cost = transcript_cost(lambda: learner(epsilon=EPSILON, relation="replace-one"), table, replaced(table, i))
            assert 0 < cost <= Fraction(EPSILON)

    def test_removal_spends_what_the_forest_charges_to_the_last_bit(self, make_learner, square, transcript_cost):
        # All budget is in the leaf a row stands in, and a class count changes by exactly 1: the charge is tight.
        table = square(40)
        make = make_learner("forest, laplace, disjoint")
        cost = transcript_cost(lambda: make(epsilon=0.5), table, removed(table, 7))
        assert cost == Fraction(1, 2)

    @pytest.mark.parametrize("composition", ["parallel", "sequential"])
    def test_many_kinds_of_attribute_and_three_classes(
        self, learner, mixed, mixed_domain, transcript_cost, composition
    ):
        X, y = mixed(40)
        y = y + (np.arange(40) % 3 == 0)
        without = learner.is_forest or learner.is_boosting or "paper" in learner.name
        extra = {} if without else {"composition": composition}

        def make():
            return learner(epsilon=EPSILON, domain=mixed_domain, classes=[0, 1, 2], **extra)

        for i in (0, 17, 33):
            assert 0 < transcript_cost(make, (X, y), removed((X, y), i, learner)) <= Fraction(EPSILON)

    def test_odd_cells_weigh_no_more_than_others(self, learner, mixed, mixed_domain, transcript_cost):
        X, y = mixed(30)
        odd_rows = [
            [np.nan, np.inf, "unheard of", None, "maybe"],
            [1e300, -1e308, "", "XXL", np.nan],
            [None, None, None, None, None],
            ["x", "y", 3, 4.5, 2],
        ]
        for odd in odd_rows:
            X[11] = odd
            make = lambda: learner(epsilon=EPSILON, domain=mixed_domain)  # noqa: E731
            assert 0 < transcript_cost(make, (X, y), removed((X, y), 11, learner)) <= Fraction(EPSILON)

    @pytest.mark.parametrize("number", [1e300, -1e300, np.inf, -np.inf])
    def test_odd_numbers_weigh_no_more_than_the_ends_of_the_range(self, make_learner, square, transcript_cost, number):
        X, y = square(30)
        y = y.astype(float)
        y[4] = number
        for name in ("numbers, laplace", "numbers, gaussian"):
            learner = make_learner(name)
            cost = transcript_cost(lambda make=learner: make(epsilon=EPSILON), (X, y), removed((X, y), 4, learner))
            assert 0 < cost <= Fraction(EPSILON)

    def test_all_rows_of_a_person_cost_at_most_epsilon_if_they_were_announced(self, learner, square, transcript_cost):
        X, y = square(40)
        X[[4, 11, 12]], y[[4, 11, 12]] = X[4], y[4]  # one person, three equal rows
        without = removed((X, y), [4, 11, 12], learner)
        announced = transcript_cost(lambda: learner(epsilon=EPSILON, rows_per_person=3), (X, y), without)
        assert 0 < announced <= Fraction(EPSILON)
        if learner.is_forest:  # the charge for a row is tight there: three rows cost three times as much
            assert transcript_cost(lambda: learner(epsilon=EPSILON), (X, y), without) > Fraction(EPSILON)

    @pytest.mark.parametrize("name", ["random trees, laplace", "random trees, gaussian"])
    def test_ten_classes_move_together_by_no_more_than_is_charged(self, name, make_learner, square, recorder):
        X, y = square(60, n_classes=10)
        make = make_learner(name)
        settings = {"classes": range(10), "n_rounds": 4, "epsilon": 50.0, "learning_rate": 2.0}
        first = recorder.fit(make(**settings), X, y)
        moved = y.copy()
        moved[7] = 9 - y[7]
        for neighbour, steps in ((make.without(y, 7), 1), (moved, 2)):
            for one, other in zip(first, recorder.fit(make(**settings), X, neighbour, repeat=first), strict=True):
                change = (one.exact - other.exact).ravel().astype(float)
                norm = np.linalg.norm(change) if make.delta else np.abs(change).sum()
                assert norm <= steps * one.event.sensitivity
                if one.event.label.endswith("leaves"):  # in all ten scores at once, and the curvature
                    assert 1 < np.count_nonzero(change) <= 22
                    assert one.event.size == 11

    def test_one_row_alone_against_none(self, learner, transcript_cost):
        table = (np.array([[0.2, 0.9]]), np.array([1]))
        cost = transcript_cost(lambda: learner(epsilon=EPSILON), table, removed(table, 0, learner))
        assert 0 < cost <= Fraction(EPSILON)

    def test_a_single_class_against_one_row_of_the_other(self, learner, square, transcript_cost):
        X, _ = square(30)
        same = np.zeros(30, int)
        one = same.copy()
        one[4] = 1

        def make():
            return learner(epsilon=EPSILON, relation="replace-one")

        assert 0 < transcript_cost(make, (X, same), (X, one)) <= Fraction(EPSILON)

    def test_a_row_touches_one_node_of_a_level_and_one_number_of_the_leaves(self, learner, square, transcript_cost):
        # What parallel composition rests on: at each release, one of the disjoint parts changes. Histograms count a
        # row once for each of the two attributes; a number counts for both ends of its range.
        table = square(40)
        halves = 2 if learner.is_regressor else 1

        def check(one, other):
            allowed = {"histograms": 2 * halves, "target sums": halves}.get(one.event.label, 1)
            assert one.changed_parts(other) <= allowed

        transcript_cost(lambda: learner(epsilon=EPSILON), table, removed(table, 5, learner), check)


class TestReplacementCostsTwiceARemoval:
    def test_noise_scale_doubles_and_the_statement_says_which(self, learner, square):
        X, y = square(30)
        models = {r: learner(relation=r).fit(X, y) for r in ("add-remove", "replace-one")}
        removal, replacement = (models[r].privacy_ for r in ("add-remove", "replace-one"))
        assert [e.distance for e in removal.releases] == [1] * len(removal.releases)
        assert [e.distance for e in replacement.releases] == [2] * len(removal.releases)
        # Sensitivity to one step is the same wherever alpha is, the leaves say: twice the distance, twice the noise.
        relative = [
            [e.scale / e.sensitivity for e in statement.releases if e.label.endswith("leaves")]
            for statement in (removal, replacement)
        ]
        # (What Gaussian noise of a whole run takes is found by bisection.)
        np.testing.assert_allclose(np.divide(relative[1], relative[0]), 2.0, rtol=1e-5 if learner.delta else 1e-9)
        assert "removed" in removal.summary()
        assert "replaced" in replacement.summary()
        assert (removal.relation, replacement.relation) == ("add-remove", "replace-one")

    def test_leaf_counts_change_by_one_or_by_two(self, make_learner, square, recorder):
        X, y = square(40)
        make = make_learner("forest, laplace, shared")
        base = recorder.fit(make(), X, y)
        one = recorder.fit(make(), *removed((X, y), 3), repeat=base)
        y_flipped = y.copy()
        y_flipped[3] = 1 - y[3]
        two = recorder.fit(make(), X, y_flipped, repeat=base)
        for first, removal, flip in zip(base, one, two, strict=True):
            assert np.abs(first.exact - removal.exact).sum() == GRID
            assert np.abs(first.exact - flip.exact).sum() == 2 * GRID

    def test_add_remove_is_the_default_and_is_named(self, learner, square):
        model = learner().fit(*square(20))
        assert model.get_params()["relation"] == "add-remove" == model.privacy_.relation


class TestAuditsCatchPlantedBugs:
    """Each would pass unnoticed through every test of accuracy."""

    def test_weights_above_the_declared_bound(self, make_learner, square, transcript_cost, monkeypatch):
        monkeypatch.setattr(boosting, "_weight_cap", lambda loss, score: GRID // 4)
        table = square(40)
        make = make_learner("boosted")
        costs = [
            transcript_cost(lambda: make(epsilon=EPSILON, split_share=0.01), table, removed(table, i))
            for i in range(0, 40, 5)
        ]
        assert max(costs) > Fraction(EPSILON)

    @pytest.mark.parametrize("name", ["boosted", "boosted, the paper's choices", "tree"])
    def test_split_scores_with_too_small_a_sensitivity(self, name, make_learner, square, transcript_cost, monkeypatch):
        monkeypatch.setattr(boosting, "score_sensitivity", lambda loss, n_rows, cap, form: max(cap // 50, 1))
        table = square(40)
        settings = {"epsilon": EPSILON, "max_depth": 1, "split_share": 0.99}
        costs = [
            transcript_cost(lambda: make_learner(name)(**settings), table, removed(table, i)) for i in range(0, 40, 5)
        ]
        assert max(costs) > Fraction(EPSILON)

    @pytest.mark.parametrize("name", DISJOINT)
    def test_rows_dealt_out_by_their_rank_among_the_others(
        self, name, make_learner, square, transcript_cost, monkeypatch
    ):
        def by_rank(rows, n_trees, generator):
            generator.integers(n_trees, size=rows.n_rows)
            rank = np.cumsum(rows._active) - 1
            rows.spread((rank % n_trees).astype(np.int32), n_trees)

        table = square(40)
        make = make_learner(name)
        monkeypatch.setattr(forest, "_spread", by_rank)
        assert transcript_cost(lambda: make(epsilon=EPSILON), table, removed(table, 3)) > Fraction(EPSILON)

    def test_a_null_row_that_still_counts_somewhere(self, learner, square, transcript_cost, plant_in_rows):
        # A null row must add nothing; here all others weigh twice as much where there is one.
        def planted(rows, counts):
            name = "_units" if hasattr(rows, "_units") else "_weight"
            setattr(rows, name, getattr(rows, name) * (1 + int(not counts.all())))

        plant_in_rows(planted)
        table = square(40)
        neighbour = removed(table, 3, learner)
        assert transcript_cost(lambda: learner(epsilon=EPSILON), table, neighbour) > Fraction(EPSILON)

    @pytest.mark.parametrize("name", ["random trees, laplace", "random trees, gaussian", "numbers, laplace"])
    def test_gradients_with_too_small_a_sensitivity(self, name, make_learner, square, transcript_cost, monkeypatch):
        whole = Objective.sensitivity
        monkeypatch.setattr(Objective, "sensitivity", lambda self, *facts: whole(self, *facts) // 2)
        table, learner = square(40), make_learner(name)
        settings = {"epsilon": EPSILON, "histogram_share": 0.0, "base_share": 0.0, "score_reach": 0.1}
        costs = [
            transcript_cost(lambda: learner(**settings), table, removed(table, i, learner)) for i in range(0, 40, 5)
        ]
        assert max(costs) > Fraction(EPSILON)

    def test_a_whole_budget_for_every_tree_although_all_see_all_rows(self, make_learner, square, monkeypatch):
        def planted(**facts):
            plan = plan_forest(**facts)
            releases = tuple(replace(r, epsilon=Fraction(facts["epsilon"])) for r in plan.releases)
            return replace(plan, releases=releases)

        monkeypatch.setattr(forest_estimator, "plan_forest", planted)
        with pytest.raises(VerificationError, match="more than epsilon"):
            make_learner("forest, laplace, shared")().fit(*square(40))
        make_learner("forest, laplace, disjoint")().fit(*square(40))  # there it is right


class TestCandidatesAndShape:
    @pytest.mark.parametrize("name", FORESTS)
    def test_structure_of_a_forest_is_the_same_for_any_rows(self, name, make_learner, square):
        X, y = square(40)
        models = [make_learner(name)().fit(*table) for table in ((X, y), (1 - X, 1 - y), (X * 0, y * 0 + UNLISTED))]
        tests = [
            [(t.splits.attribute.tolist(), t.splits.first.tolist(), t.splits.last.tolist()) for t in m.ensemble_.trees]
            for m in models
        ]
        assert tests[0] == tests[1] == tests[2]

    def test_tree_shape_is_full_whatever_the_rows(self, learner):
        rng = np.random.default_rng(0)
        X = rng.random((300, 2))
        one_flipped = np.zeros(300, int)
        one_flipped[17] = 1
        same_place = np.zeros((300, 2))
        tables = [
            (X, np.zeros(300, int)),
            (X, one_flipped),
            (same_place, one_flipped),
            (X, learner.without(one_flipped, slice(None))),  # no row counts
            (X[:1], np.zeros(1, int)),
            (X[:2], np.array([0, 1])),
        ]
        for X_, y_ in tables:
            model = learner().fit(X_, y_)
            depth = learner.settings["max_depth"]
            assert [t.n_leaves for t in model.ensemble_.trees] == [2**depth] * learner.n_trees
            assert all((t.splits.attribute >= 0).all() for t in model.ensemble_.trees)

    def test_shape_test_catches_a_stop_at_pure_nodes(self, make_learner, monkeypatch):
        choose = PrivateSplitter.choose

        def stop_at_pure(self, rows, level):
            chosen = choose(self, rows, level)
            chosen.attribute[rows.pure_nodes()] = -1
            return chosen

        monkeypatch.setattr(PrivateSplitter, "choose", stop_at_pure)
        with pytest.raises(AssertionError):
            self.test_tree_shape_is_full_whatever_the_rows(make_learner("tree"))

    @pytest.mark.parametrize("name", ["boosted", "tree"])
    def test_thresholds_are_tried_whether_or_not_rows_lie_on_both_sides(self, name, make_learner):
        assert not contradicts(*root_threshold_counts(make_learner(name)), epsilon=1.0)

    @pytest.mark.parametrize("name", ["boosted", "tree"])
    def test_audit_catches_candidates_chosen_by_the_rows(self, name, make_learner, monkeypatch):
        choose = PrivateSplitter.choose

        def only_with_rows_on_both_sides(self, rows, level):
            choose(self, rows, level)
            both = (rows._children(self.candidates).sum(axis=3) > 0).all(axis=2)
            return self.candidates.take(both.argmax(axis=1))

        monkeypatch.setattr(PrivateSplitter, "choose", only_with_rows_on_both_sides)
        monkeypatch.setattr(boosting, "_compiles", lambda trainer, rows: False)  # no splitter takes part in such a run
        assert contradicts(*root_threshold_counts(make_learner(name)), epsilon=1.0)

    @pytest.mark.parametrize("option", ["min_samples_leaf", "min_child_weight", "min_samples_split", "min_gain"])
    def test_options_that_would_need_exact_counts_do_not_exist(self, learner, option):
        with pytest.raises(TypeError, match=option):
            learner(**{option: 1})


N_FITS = 300


def root_threshold_counts(make):
    """Count, on two neighbours, fits whose root threshold lies between the two places where rows are.

    Seeds are fixed, so that the outcome is too; as a random test it would err with probability 0.002 a comparison.
    """
    domain = privboost.Domain({"x": privboost.Numeric(-1, 2)})  # 9 bins: thresholds 1/3 and 2/3 lie between the rows
    X = np.array([[0.95]] + [[0.05]] * 50)
    y = np.array([1] + [0] * 50)
    edges = domain.layout(9).edges[0]
    between = [code for code, edge in enumerate(edges, start=2) if 0.05 < edge <= 0.95]
    counts = []
    for k, (X_, y_) in enumerate(((X, y), removed((X, y), 0))):
        model = make(domain=domain, n_bins=9, max_depth=1, epsilon=1.0)
        if hasattr(model, "n_trees"):
            model.set_params(n_trees=1)
        fits = (model.set_params(random_state=1000 * k + seed).fit(X_, y_) for seed in range(N_FITS))
        roots = [int(m.ensemble_.trees[0].splits.first[0]) for m in fits]
        counts.append(sum(root in between for root in roots))
    return tuple(counts)


def contradicts(hits, hits_of_neighbour, epsilon, confidence=0.999):
    """Whether Clopper-Pearson bounds of the event, or of its complement, refute the guarantee, either way round."""

    def low(k):
        return beta.ppf((1 - confidence) / 2, k, N_FITS - k + 1) if k else 0.0

    def high(k):
        return beta.ppf((1 + confidence) / 2, k + 1, N_FITS - k) if k < N_FITS else 1.0

    for k, j in ((hits, hits_of_neighbour), (N_FITS - hits, N_FITS - hits_of_neighbour)):
        if low(k) > np.exp(epsilon) * high(j) or low(j) > np.exp(epsilon) * high(k):
            return True
    return False


def test_the_bounds_refute_only_what_they_must():
    assert contradicts(N_FITS, 0, 1.0)
    assert not contradicts(N_FITS // 2, N_FITS // 2, 1.0)
    assert not contradicts(N_FITS // 2, N_FITS // 4, 1.0)


class TestRowsOfADisjointForest:
    """Each row is sent to one tree by a draw of its own."""

    @staticmethod
    def leaf_counts(recorder, make, X, y, n_trees=5):
        (release,) = recorder.fit(make(), X, y)
        return release.exact.reshape(n_trees, 4, 2) // GRID

    @pytest.mark.parametrize("name", DISJOINT)
    def test_a_row_counts_in_one_leaf_of_one_tree(self, name, make_learner, square, recorder):
        X, y = square(50)
        make = make_learner(name)
        counts = self.leaf_counts(recorder, make, X, y)
        assert counts.sum() == 50
        for i in range(0, 50, 4):
            change = counts - self.leaf_counts(recorder, make, *removed((X, y), i))
            assert change.sum() == 1
            assert np.abs(change).sum() == 1
            assert change[:, :, y[i]].sum() == 1

    @pytest.mark.parametrize("name", DISJOINT)
    def test_other_rows_do_not_move_when_a_row_changes(self, name, make_learner, square, recorder):
        X, y = square(50)
        make = make_learner(name)
        counts = self.leaf_counts(recorder, make, X, y)
        moved = X.copy()
        moved[8] = 1 - X[8]
        change = counts - self.leaf_counts(recorder, make, moved, y)
        assert np.abs(change).sum() in (0, 2)
        assert np.count_nonzero(np.abs(change).sum(axis=(1, 2))) <= 1  # within one tree

    def first_tree_counts(self, recorder, make, order, n_fits=150):
        X = np.linspace(0, 1, 60).reshape(-1, 1).repeat(2, axis=1)[order]
        y = (np.arange(60) >= 30).astype(int)[order]
        return np.array(
            [self.leaf_counts(recorder, lambda s=s: make(random_state=s), X, y)[0].sum(axis=0) for s in range(n_fits)]
        )

    def test_order_of_the_rows_changes_no_distribution(self, make_learner, recorder):
        # Counts of the first tree by class, binomial(30, 1/5): means over 150 fits have a standard error of 0.18.
        make = make_learner("forest, laplace, disjoint")
        shuffled = np.random.default_rng(5).permutation(60)
        for order in (np.arange(60), np.arange(60)[::-1], shuffled):
            counts = self.first_tree_counts(recorder, make, order)
            np.testing.assert_allclose(counts.mean(axis=0), 6.0, atol=6.5 * 0.18)
            np.testing.assert_allclose(counts.var(axis=0), 4.8, atol=6.5 * 4.8 * np.sqrt(2 / 149))

    def test_that_catches_rows_dealt_out_in_blocks(self, make_learner, monkeypatch, recorder):
        def in_blocks(rows, n_trees, generator):
            rows.spread((np.arange(rows.n_rows) * n_trees // rows.n_rows).astype(np.int32), n_trees)

        monkeypatch.setattr(forest, "_spread", in_blocks)
        with pytest.raises(AssertionError):
            self.test_order_of_the_rows_changes_no_distribution(make_learner, recorder)

    @pytest.mark.parametrize("name", SHARED)
    def test_shuffled_rows_give_the_same_model_bit_for_bit_where_no_row_is_drawn(self, name, make_learner, square):
        X, y = square(60)
        order = np.random.default_rng(1).permutation(60)
        make = make_learner(name)
        one, other = make().fit(X, y), make().fit(X[order], y[order])
        np.testing.assert_array_equal(make.answers(one, X), make.answers(other, X))
