"""A budget: exact sums, a file that processes share, blocks, copies, and everything that it refuses."""

from __future__ import annotations

import contextlib
import copy
import multiprocessing
import os
import pickle
import sqlite3
import stat
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from privboost import Budget, PrivateTreeClassifier
from privboost.errors import (
    BudgetError,
    BudgetExceededError,
    BudgetFileError,
    ParameterError,
    ParameterTypeError,
    PrivboostError,
)
from privboost.privacy.charging import open_here
from privboost.privacy.spends import Spend


def forks(test: Any) -> Any:
    """Mark a test that forks its process."""
    skip = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
    return skip(pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")(test))


@pytest.fixture(params=["memory", "file"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """Make a budget of either kind; a file has a name that an address would have to quote."""
    path = None if request.param == "memory" else tmp_path / "a budget? 100%.db"
    return lambda *cap, **more: Budget(*cap, path=path, **more)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "budget.db"


class TestSums:
    def test_ten_tenths_are_one(self, make):
        budget = make(1.0)
        for _ in range(10):
            budget.spend(0.1)
        assert budget.spent == (1.0, 0.0)
        assert budget.remaining == (0.0, 0.0)
        with pytest.raises(BudgetExceededError):
            budget.spend(5e-324)

    def test_deltas_have_a_cap_of_their_own(self, make):
        budget = make(10.0, 1e-6)
        for _ in range(3):
            budget.spend(1.0, 3e-7)
        with pytest.raises(BudgetExceededError):
            budget.spend(1.0, 2e-7)
        budget.spend(1.0, 1e-7)
        budget.spend(6.0)
        assert budget.spent == (10.0, 1e-6)
        assert budget.remaining == (0.0, 0.0)

    def test_what_is_left_can_be_spent_and_no_float_more(self, make):
        budget = make(1.0, 0.5)
        for amount in (1 / 3, 1e-17, 0.1, 1e-20):
            budget.spend(amount, amount)
        left = budget.remaining
        for more in ((np.nextafter(left[0], 1), left[1]), (left[0], np.nextafter(left[1], 1))):
            with pytest.raises(BudgetExceededError) as caught:
                budget.spend(*map(float, more))
            assert caught.value.remaining == left
        budget.spend(*left)

    def test_amounts_of_every_type_and_size(self, make):
        budget = make(1e308)
        for amount in (1, np.int64(1), np.float32(0.5), Fraction(1, 2), 5e-324, np.array(1.0)):
            budget.spend(amount)
        budget.spend(1e307)
        assert [s.epsilon for s in budget.spends] == [1.0, 1.0, 0.5, 0.5, 5e-324, 1.0, 1e307]
        assert all(type(s.epsilon) is float for s in budget.spends)

    @settings(max_examples=60, deadline=None)
    @given(
        st.lists(
            st.tuples(st.floats(min_value=0, max_value=3, exclude_min=True), st.floats(min_value=0, max_value=1e-5)),
            max_size=30,
        )
    )
    def test_no_sum_exceeds_the_cap_and_no_spend_that_fits_is_refused(self, asked):
        budget = Budget(3.0, 1e-5)
        cap, spent = (Fraction("3.0"), Fraction("1e-05")), (Fraction(0), Fraction(0))
        for amount in asked:
            after = tuple(total + Fraction(repr(part)) for total, part in zip(spent, amount, strict=True))
            fits = after[0] <= cap[0] and after[1] <= cap[1]
            with contextlib.nullcontext() if fits else pytest.raises(BudgetExceededError):
                budget.spend(*amount)
            spent = after if fits else spent
        assert budget.spent == (float(spent[0]), float(spent[1]))
        assert all(Fraction(repr(left)) <= c - s for left, c, s in zip(budget.remaining, cap, spent, strict=True))

    def test_the_file_counts_as_memory_does(self, path):
        amounts = [0.1, 0.1, 1 / 3, 1e-9, 0.1, 2.5, 1 / 3]
        books = Budget(4.0, 0.1, path=path), Budget(4.0, 0.1)
        for budget in books:
            for amount in amounts:
                budget.spend(amount, amount / 1000, "one")
        assert books[0].spent == books[1].spent
        assert books[0].remaining == books[1].remaining


class TestSpends:
    def test_each_is_kept_with_its_label_time_and_unit(self, make):
        budget = make(1.0, 0.1, relation="replace-one", rows_per_person=3)
        budget.spend(0.25, 0.01, "Höhe, by another tool")
        budget.spend(0.5)
        first, second = budget.spends
        assert (first.label, first.epsilon, first.delta) == ("Höhe, by another tool", 0.25, 0.01)
        assert (second.label, second.epsilon, second.delta) == ("", 0.5, 0.0)
        assert abs(datetime.now(UTC) - first.time) < timedelta(days=1)
        assert first.time.utcoffset() == timedelta(0)
        assert first.unit == budget.unit
        assert budget.unit.distance == 6

    def test_a_refusal_says_what_is_left_what_was_asked_and_what_to_do_and_keeps_nothing(self, make):
        budget = make(1.0, 1e-6)
        budget.spend(0.7)
        with pytest.raises(BudgetExceededError) as caught:
            budget.spend(0.5, 1e-7)
        error = caught.value
        assert isinstance(error, PrivboostError)
        assert isinstance(error, ValueError)
        assert (error.asked, error.remaining, error.cap) == ((0.5, 1e-7), (0.3, 1e-6), (1.0, 1e-6))
        for part in ("(0.3, 1e-06) left", "(0.5, 1e-07) is asked for", "at most what is left", "nothing was spent"):
            assert part in str(error)
        assert len(budget.spends) == 1
        sent = pickle.loads(pickle.dumps(error))
        assert (str(sent), sent.remaining) == (str(error), error.remaining)

    def test_check_records_nothing(self, make):
        budget = make(1.0)
        budget.check(1.0)
        with pytest.raises(BudgetExceededError):
            budget.check(1.1)
        assert budget.spends == ()

    def test_text(self, make):
        budget = make(1.0, 1e-6)
        budget.spend(0.3, 1e-7, "a histogram")
        lines = str(budget).splitlines()
        assert "one row added or removed" in lines[0]
        assert lines[1].split() == ["ε", "δ"]
        assert lines[2].endswith("a histogram")
        assert [line.split() for line in lines[3:]] == [
            ["spent", "0.3", "1e-07"],
            ["left", "0.7", "9e-07"],
            ["of", "1.0", "1e-06"],
        ]
        assert repr(budget).startswith("Budget(epsilon=1.0, delta=1e-06")
        assert "\n" not in repr(budget)

    def test_dictionary(self, make):
        budget = make(1.0)
        budget.spend(0.25, label="one")
        facts = budget.to_dict()
        assert facts["unit"] == {"relation": "add-remove", "rows_per_person": 1}
        assert (facts["spent"], facts["remaining"]) == (
            {"epsilon": 0.25, "delta": 0.0},
            {"epsilon": 0.75, "delta": 0.0},
        )
        assert facts["spends"] == [
            {"label": "one", "epsilon": 0.25, "delta": 0.0, "time": budget.spends[0].time.isoformat()}
        ]


class TestParameters:
    @pytest.mark.parametrize("value", [0, -1, np.nan, np.inf, "1", None, True, 1j, 10**400], ids=repr)
    def test_epsilon(self, value):
        with pytest.raises(ParameterError, match="'epsilon' parameter must be a finite number above 0"):
            Budget(value)
        with pytest.raises(ParameterError, match="'epsilon' parameter must be a finite number above 0"):
            Budget(1.0).spend(value)

    @pytest.mark.parametrize("value", [1, -1e-9, np.nan, np.inf, "1", None, True, 1j], ids=repr)
    def test_delta(self, value):
        with pytest.raises(ParameterError, match="'delta' parameter must be"):
            Budget(1.0, value)
        with pytest.raises(ParameterError, match="'delta' parameter must be"):
            Budget(1.0).spend(1.0, value)

    @pytest.mark.parametrize("label", [None, 1, b"x", "two\nlines", "\ud800", "\x1b[31m", "x" * 201], ids=repr)
    def test_label(self, make, label):
        budget = make(1.0)
        with pytest.raises(ParameterError, match="'label' parameter must be one line of text"):
            budget.spend(0.5, label=label)
        assert budget.spends == ()

    @pytest.mark.parametrize("value", [1, b"x.db", True])
    def test_path(self, value):
        with pytest.raises(ParameterTypeError, match="'path' parameter must be a file name"):
            Budget(1.0, path=value)
        with pytest.raises(ParameterTypeError, match="'path' parameter must be a file name"):
            Budget.open(value)

    @pytest.mark.parametrize("value", ["", "a\0b.db", "\ud800.db"])
    def test_path_that_no_file_has(self, value):
        for make in (Budget.open, lambda path: Budget(1.0, path=path), lambda path: Budget.create(path, 1.0)):
            with pytest.raises(ParameterError, match=r"'path' parameter must be a file name.*No file can be called so"):
                make(value)

    @pytest.mark.parametrize(
        ("name", "value", "expected"),
        [("relation", "replace-one", "'add-remove'"), ("rows_per_person", 2, "1"), ("rows_per_person", "1", "1")],
    )
    def test_guarantees_of_another_unit_are_refused(self, make, name, value, expected):
        budget = make(1.0)
        with pytest.raises(ParameterError, match=f"'{name}' parameter must be {expected}, as that of the budget"):
            budget.spend(0.5, **{name: value})
        assert budget.spends == ()
        budget.spend(0.5, relation="add-remove", rows_per_person=1)

    @pytest.mark.parametrize("unit", [{"relation": "swap"}, {"rows_per_person": 0}, {"rows_per_person": 1.0}])
    def test_the_unit_itself(self, unit):
        with pytest.raises(ParameterError, match=next(iter(unit))):
            Budget(1.0, **unit)


class TestFile:
    def test_survives_its_objects(self, path):
        Budget(1.0, 1e-6, path=path, relation="replace-one").spend(0.4, label="first")
        again = Budget(1.0, 1e-6, path=str(path), relation="replace-one")
        assert [s.label for s in again.spends] == ["first"]
        opened = Budget.open(path)
        assert (opened.epsilon, opened.delta, opened.unit) == (1.0, 1e-6, again.unit)
        assert opened.remaining == (0.6, 1e-6)
        assert opened.key == again.key

    def test_is_its_owner_s_alone_and_leaves_nothing_beside_it(self, path):
        Budget(1.0, path=path).spend(0.5)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert [entry.name for entry in path.parent.iterdir()] == ["budget.db"]

    @pytest.mark.parametrize(
        ("terms", "name"),
        [
            ({"epsilon": 2.0}, "epsilon"),
            ({"delta": 0.1}, "delta"),
            ({"relation": "replace-one"}, "relation"),
            ({"rows_per_person": 2}, "rows_per_person"),
        ],
    )
    def test_another_cap_or_unit_is_refused(self, path, terms, name):
        Budget(1.0, path=path)
        with pytest.raises(ParameterError, match=rf"'{name}' parameter must be .*Budget\.open") as caught:
            Budget(**{"epsilon": 1.0, **terms}, path=path)
        assert caught.value.parameter == name

    def test_create_refuses_a_file_that_is_there(self, path):
        Budget.create(path, 1.0, 1e-6).spend(0.5)
        with pytest.raises(BudgetFileError, match="there already"):
            Budget.create(path, 1.0, 1e-6)
        assert Budget.open(path).remaining == (0.5, 1e-6)

    def test_relative_names_and_links_lead_to_the_same_file(self, path, monkeypatch, tmp_path_factory):
        budget = Budget(1.0, path=path)
        (path.parent / "link.db").symlink_to(path)
        monkeypatch.chdir(path.parent)
        relative, linked = Budget.open("budget.db"), Budget.open("link.db")
        monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
        relative.spend(0.25)
        linked.spend(0.25)
        assert budget.remaining == (0.5, 0.0)
        assert relative.path == linked.path == os.path.realpath(path)

    @pytest.mark.parametrize(
        "content", [b"", b"people,age\n1,2\n", bytes(range(256)) * 16, b"SQLite format 3\0" + b"\1" * 99]
    )
    def test_a_file_that_is_no_budget_is_refused_and_left_as_it_is(self, path, content):
        path.write_bytes(content)
        for attempt in (lambda: Budget(1.0, path=path), lambda: Budget.open(path)):
            with pytest.raises(BudgetFileError, match=r"budget\.db' is no budget file, or is damaged"):
                attempt()
        assert path.read_bytes() == content

    def test_another_database_is_refused(self, path):
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE terms (key TEXT)")
        with pytest.raises(BudgetFileError, match="no budget file"):
            Budget.open(path)

    @pytest.mark.parametrize(
        "change",
        [
            "DELETE FROM terms",
            "DROP TABLE spends",
            "INSERT INTO terms SELECT * FROM terms",
            "UPDATE terms SET epsilon = '1'",
            "UPDATE terms SET epsilon = 'nan'",
            "UPDATE terms SET delta = 'inf'",
            "UPDATE terms SET relation = 'swap'",
            "UPDATE terms SET rows_per_person = 0",
            "UPDATE terms SET rows_per_person = 'one'",
            "UPDATE terms SET key = x'00'",
            "UPDATE spends SET epsilon = '-0.25' WHERE number = 1",
            "UPDATE spends SET epsilon = x'30' WHERE number = 1",
            "UPDATE spends SET delta = 'zero' WHERE number = 1",
            "UPDATE spends SET time = 'noon' WHERE number = 1",
            "UPDATE spends SET label = x'ff' WHERE number = 1",
            "DELETE FROM spends WHERE number = 1",
            "PRAGMA user_version = 0",
            "PRAGMA application_id = 1",
        ],
    )
    def test_a_damaged_book_is_refused(self, path, change):
        budget = Budget(1.0, path=path)
        budget.spend(0.25)
        budget.spend(0.25)
        with contextlib.closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(change)
        with pytest.raises(BudgetFileError, match="damaged"):
            _ = Budget.open(path).spends, budget.remaining

    def test_a_newer_format_is_refused_by_number(self, path):
        Budget(1.0, path=path)
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA user_version = 9")
        with pytest.raises(BudgetFileError, match=r"format 9.*Upgrade"):
            Budget.open(path)

    def test_a_file_that_is_gone_or_replaced_is_noticed(self, path):
        budget = Budget(1.0, path=path)
        budget.spend(0.5)
        path.unlink()
        for attempt in (lambda: budget.spend(0.1), lambda: budget.remaining, lambda: Budget.open(path)):
            with pytest.raises(BudgetFileError, match="There is no budget file"):
                attempt()
        assert not path.exists()
        other = Budget(1.0, path=path)
        with pytest.raises(BudgetFileError, match="not the one that was opened"):
            budget.spend(0.1)
        assert other.spends == ()
        assert repr(budget) == repr(other)  # which looks into no file

    @pytest.mark.parametrize("place", ["no/such/folder/budget.db", "table.csv/budget.db"])
    def test_a_place_where_no_file_can_be_is_refused(self, tmp_path, place):
        (tmp_path / "table.csv").write_text("")
        with pytest.raises(BudgetFileError, match=r"cannot be made: .*folder that exists"):
            Budget(1.0, path=tmp_path / place)

    def test_a_folder_is_refused(self, tmp_path):
        with pytest.raises(BudgetFileError, match="There is no budget file"):
            Budget(1.0, path=tmp_path)

    def test_others_are_waited_for_and_then_named(self, path, monkeypatch):
        monkeypatch.setattr("privboost.privacy.budget_file._PATIENCE", 0.05)
        budget = Budget(1.0, path=path)
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(BudgetFileError, match=r"in use by others.*nothing was spent.*Try again"):
                budget.spend(0.5)
            assert budget.remaining == (1.0, 0.0)  # readers need not wait
        budget.spend(0.5)
        assert budget.remaining == (0.5, 0.0)

    def test_what_a_crash_left_half_done_is_undone(self, path):
        budget = Budget(1.0, path=path)
        budget.spend(0.25)
        program = (
            "import os, sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None); "
            "c.execute('PRAGMA cache_size = 1'); c.execute('PRAGMA cache_spill = 1'); c.execute('BEGIN IMMEDIATE'); "
            "[c.execute('INSERT INTO spends (label, epsilon, delta, time) VALUES (?, ?, ?, ?)', "
            "('x' * 900, '0.5', '0.0', '')) for _ in range(200)]; os.kill(os.getpid(), 9)"
        )
        assert subprocess.run([sys.executable, "-c", program, str(path)], check=False).returncode == -9
        assert Path(f"{path}-journal").exists()  # the file itself was written to
        assert [s.epsilon for s in budget.spends] == [0.25]
        budget.spend(0.75)


class TestManyAtOnce:
    def test_nobody_spends_between_the_look_at_the_sums_and_the_record(self, make):
        budget = make(1.0)
        outcomes: list[str] = []

        def spend() -> None:
            try:
                budget.spend(0.6, label="second")
                outcomes.append("spent")
            except BudgetExceededError:
                outcomes.append("refused")

        other = threading.Thread(target=spend)

        def allow(spent: Any) -> None:
            assert spent.epsilon == 0
            other.start()
            other.join(0.2)
            assert other.is_alive()  # it waits

        budget._book.add(Spend("first", 0.6, 0.0, datetime.now(UTC), budget.unit), allow)
        other.join()
        assert outcomes == ["refused"]
        assert [s.label for s in budget.spends] == ["first"]

    def test_threads_spend_exactly_what_there_is(self, make):
        budget = make(1.0, 1e-6)
        refused: list[int] = []
        start = threading.Barrier(8)

        def spend(number: int) -> None:
            start.wait()
            for _ in range(8):
                try:
                    budget.spend(0.02, 1e-9, f"thread {number}")
                except BudgetExceededError:
                    refused.append(number)

        threads = [threading.Thread(target=spend, args=(n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert budget.spent == (1.0, 5e-8)
        assert len(budget.spends) == 50
        assert len(refused) == 64 - 50

    @forks
    def test_processes_spend_exactly_what_there_is(self, path):
        budget = Budget(1.0, path=path)
        context = multiprocessing.get_context("fork")
        counts, start = context.Queue(), context.Barrier(4)

        def spend(number: int) -> None:
            own, spent = Budget(1.0, path=path), 0
            start.wait()
            for _ in range(12):
                with contextlib.suppress(BudgetExceededError):
                    own.spend(0.025, label=str(number))
                    spent += 1
            counts.put((number, spent))

        workers = [context.Process(target=spend, args=(number,)) for number in range(4)]
        for worker in workers:
            worker.start()
        told = dict(counts.get(timeout=120) for _ in workers)
        for worker in workers:
            worker.join()
        assert sum(told.values()) == 40
        assert budget.spent == (1.0, 0.0)
        assert {number: sum(s.label == str(number) for s in budget.spends) for number in told} == told

    def test_one_of_many_makes_the_file(self, path):
        made: list[Budget] = []
        start = threading.Barrier(6)

        def make_it() -> None:
            start.wait()
            made.append(Budget(1.0, path=path))

        threads = [threading.Thread(target=make_it) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len({budget.key for budget in made}) == 1
        assert len(made) == 6
        assert [entry.name for entry in path.parent.iterdir()] == ["budget.db"]


class TestCopies:
    def test_are_the_budget_itself(self, make):
        budget = make(1.0)
        model = PrivateTreeClassifier(budget=budget)
        assert copy.copy(budget) is budget
        assert copy.deepcopy(budget) is budget
        assert copy.deepcopy({"a": [budget]})["a"][0] is budget
        assert clone(model).budget is budget
        assert clone(clone(model)).get_params()["budget"] is budget

    def test_a_pickled_one_knows_its_file(self, path, monkeypatch, tmp_path_factory):
        monkeypatch.chdir(path.parent)
        budget = Budget(1.0, path="budget.db")
        data = pickle.dumps(budget)
        monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
        twin = pickle.loads(data)
        twin.spend(0.25)
        assert budget.remaining == (0.75, 0.0)
        assert (twin.key, twin.path) == (budget.key, budget.path)

    def test_unpickling_needs_no_file_but_spending_does(self, path):
        data = pickle.dumps(Budget(1.0, path=path))
        path.unlink()
        twin = pickle.loads(data)
        assert twin.epsilon == 1.0
        with pytest.raises(BudgetFileError, match="There is no budget file"):
            twin.spend(0.1)
        assert not path.exists()

    def test_one_in_memory_cannot_be_pickled(self):
        for thing in (Budget(1.0), PrivateTreeClassifier(budget=Budget(1.0))):
            with pytest.raises(BudgetError, match=r"path='budget\.db'"):
                pickle.dumps(thing)

    @forks
    def test_a_forked_child_spends_from_a_file_only(self, path):
        shared, own = Budget(1.0, path=path), Budget(1.0)
        context = multiprocessing.get_context("fork")
        answers = context.Queue()

        def child() -> None:
            shared.spend(0.25, label="child")
            for attempt in (lambda: own.spend(0.25), lambda: own.check(0.25), lambda: own.remaining):
                try:
                    attempt()
                    answers.put("spent")
                except BudgetError as error:
                    answers.put(str(error))

        process = context.Process(target=child)
        process.start()
        said = [answers.get(timeout=60) for _ in range(3)]
        process.join()
        assert all("path='budget.db'" in text for text in said)
        assert [s.label for s in shared.spends] == ["child"]
        assert own.spends == ()


class TestBlocks:
    def test_open_and_close(self):
        outer, inner = Budget(1.0), Budget(2.0)
        assert open_here() == ()
        with outer as entered:
            assert entered is outer
            with inner, outer:
                assert open_here() == (outer, inner, outer)
            assert open_here() == (outer,)
        assert open_here() == ()

    def test_are_closed_by_an_error(self):
        with pytest.raises(KeyError), Budget(1.0):
            raise KeyError
        assert open_here() == ()

    def test_a_thread_without_one_has_those_of_all_threads(self):
        seen: dict[str, tuple[Any, ...]] = {}
        mine, other = Budget(1.0), Budget(1.0)

        def look(name: str) -> None:
            seen[name] = open_here()

        def open_another() -> None:
            with other:
                look("with one of its own")

        with mine:
            for target, arguments in ((look, ("without",)), (open_another, ())):
                thread = threading.Thread(target=target, args=arguments)
                thread.start()
                thread.join()
            look("here")
        thread = threading.Thread(target=look, args=("after",))
        thread.start()
        thread.join()
        assert seen == {"without": (mine,), "with one of its own": (other,), "here": (mine,), "after": ()}
