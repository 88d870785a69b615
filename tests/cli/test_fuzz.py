"""Files that nobody vouches for: whatever they hold, a command succeeds, or ends in one line and status 1 or 2.

Valid files of every kind, changed in their structure and in their bytes; draws are the same each time. A model that
still loads must not claim less than its ledger supports, by sums that use none of the library.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import resource
import sqlite3
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from privboost import (
    BDPEClassifier,
    Budget,
    Categorical,
    Domain,
    Numeric,
    PrivateBoostingClassifier,
    PrivateBoostingRegressor,
    PrivateForestClassifier,
    PrivateTreeClassifier,
    load,
)
from privboost.cli.main import main
from privboost.errors import PrivboostError

DOMAIN = Domain(
    {"age": Numeric(0, 100, missing=True), "job": Categorical(["clerk", "cook"])},
    target="income",
    classes=["no", "yes"],
)

fuzz = settings(
    max_examples=20,
    derandomize=True,
    deadline=None,
    database=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)

# What a field may be replaced by: of every type, of odd sizes.
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([-1, 0, 1, 2, 255, 256, 2**31, 2**63, 10**9, 10**400, -0.0, 1e308, 5e-324, 1e-300]),
    st.text(max_size=8),
    st.sampled_from(["", "TODO", "x" * 10_000, "\x00", "\u202e", "none", "1/0", "1/3", "nan", "2020-01-01", "\ud800"]),
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


def places(value: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """List the ways to all parts of a JSON value."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [here, *(place for key, part in parts for place in places(part, (*here, key)))]


@st.composite
def changed(draw: st.DrawFn, document: Any) -> Any:
    """Change one to three parts of a JSON value: replaced, deleted, doubled, moved, put into a list, or made long."""
    document = {"": json.loads(json.dumps(document))}
    for _ in range(draw(st.integers(1, 3))):
        ways = places(document)[1:]
        way = draw(st.sampled_from(ways)) if ways else None
        if way is None:
            continue
        holder = document
        for step in way[:-1]:
            holder = holder[step]
        key, kind = way[-1], draw(st.sampled_from(["replace", "nudge", "delete", "double", "swap", "wrap", "long"]))
        if kind == "replace" or way == ("",):
            holder[key] = draw(values)
        elif kind == "nudge" and isinstance(holder[key], int | float):
            holder[key] = holder[key] * draw(st.sampled_from([2, -1, 0, 0.5, 1.0000000001])) + draw(
                st.sampled_from([0, 1])
            )
        elif kind == "delete":
            del holder[key]
        elif kind == "double":
            if isinstance(holder, list):
                holder.insert(key, holder[key])
            else:
                holder[draw(st.text(max_size=3))] = holder[key]
        elif kind == "swap":
            other = draw(st.sampled_from(list(holder) if isinstance(holder, dict) else range(len(holder))))
            holder[key], holder[other] = holder[other], holder[key]
        elif kind == "wrap":
            holder[key] = [holder[key]]
        else:
            holder[key] = [holder[key]] * 1000
    return document.get("")


@st.composite
def damaged(draw: st.DrawFn, data: bytes) -> bytes:
    """Change the bytes of a file: cut off, cut out, put in, doubled, or others in their place."""
    for _ in range(draw(st.integers(1, 3))):
        at, length = draw(st.integers(0, len(data))), draw(st.integers(0, 40))
        piece = draw(
            st.binary(max_size=6)
            | st.sampled_from(
                [b"NaN", b"Infinity", b"1" * 5000, b"[" * 2000, b'{"a":' * 2000, b"\xff\xfe", b"\x00", b'"', b","]
            )
        )
        kind = draw(st.sampled_from(["cut", "insert", "replace", "double"]))
        if kind == "cut":
            data = data[:at]
        elif kind == "insert":
            data = data[:at] + piece + data[at:]
        elif kind == "replace":
            data = data[:at] + piece + data[at + length :]
        else:
            data = data[:at] + data[at : at + length] * 2 + data[at + length :]
    return data


def run(*arguments: object) -> tuple[int, str]:
    """Run a command line; whatever it reads, its end is one that is documented."""
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    start = time.monotonic()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main([str(argument) for argument in arguments])
    assert time.monotonic() - start < 20.0
    assert status in (0, 1, 2)
    said = err.getvalue()
    assert "unexpected" not in said
    assert "Traceback" not in said
    errors = [line for line in said.splitlines() if line.startswith("privboost: error:")]
    assert len(errors) == (status != 0)
    assert all(line.startswith("privboost: ") for line in said.splitlines())
    assert len(said) < 3000
    out.flush()
    return status, out.buffer.getvalue().decode()


# -- domains


def plan(path: Path) -> int:
    return run("plan", "--rows", 100, "-d", path, "--epsilon", 1, "--rounds", 2)[0]


class TestDomains:
    def test_files_as_they_were_saved_are_planned_for(self, tmp_path: Path) -> None:
        for suffix in ("json", "toml"):
            DOMAIN.save(tmp_path / f"d.{suffix}")
            assert plan(tmp_path / f"d.{suffix}") == 0

    @fuzz
    @given(data=st.data())
    def test_structure_of_json(self, tmp_path: Path, data: st.DataObject) -> None:
        path = tmp_path / "d.json"
        content = data.draw(changed(DOMAIN.to_dict()))
        path.write_bytes(json.dumps(content).encode("utf-8", "surrogatepass"))
        plan(path)

    @fuzz
    @given(data=st.data())
    def test_structure_of_a_catalogue(self, tmp_path: Path, data: st.DataObject) -> None:
        features = [
            {"name": "age", "kind": "numeric", "dtype": "integer", "domain": [0, 100], "missing": 0},
            {"name": "job", "kind": "categorical", "categories": ["clerk", "cook"], "ordered": False},
        ]
        target = {"name": "grade", "classes": {"0": 1, "1": 1, "2": 1}, "positive": {"rule": "ge", "threshold": 1}}
        path = tmp_path / "c.json"
        content = data.draw(changed({"datasets": {"a": {"features": features, "target": target}}}))
        path.write_bytes(json.dumps(content).encode("utf-8", "surrogatepass"))
        plan(Path(f"{path}:a"))
        plan(path)

    @pytest.mark.parametrize("suffix", ["json", "toml"])
    @fuzz
    @given(data=st.data())
    def test_bytes(self, tmp_path: Path, suffix: str, data: st.DataObject) -> None:
        text = DOMAIN.to_json() if suffix == "json" else DOMAIN.to_toml()
        path = tmp_path / f"d.{suffix}"
        path.write_bytes(data.draw(damaged(text.encode())))
        plan(path)

    @pytest.mark.parametrize(
        ("suffix", "text"),
        [
            ("json", "1" * 10_000),
            ("json", '{"format": ' + "1" * 10_000 + "}"),
            ("json", "[" * 100_000),
            ("json", '{"a":' * 100_000),
            ("json", "{" + ",".join(f'"{i}": 0' for i in range(100_000)) + ', "99999": 1}'),
            ("toml", "a = " + "1" * 10_000),
            ("toml", "a = " + "[" * 10_000),
            ("toml", "a = 1979-05-27T07:32:00Z\nformat = 1979-05-27"),
            ("toml", 'format = "privboost domain"\nversion = nan'),
            ("toml", "a = 0x" + "f" * 10_000),
            ("toml", ".".join(["a"] * 3000) + " = 1"),
            ("toml", '[[attributes]]\nname = "a"\nkind = "numeric"\nlo = -inf\nhi = nan'),
        ],
        ids=lambda text: text[:16],
    )
    def test_numbers_and_depths_without_bound(self, tmp_path: Path, suffix: str, text: str) -> None:
        path = tmp_path / f"d.{suffix}"
        path.write_text(text)
        assert plan(path) == 2


# -- models


def fitted() -> dict[str, Any]:
    """Train a small model of each learner, with every kind of release."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"age": rng.uniform(0, 100, 80), "job": rng.choice(["clerk", "cook"], 80)})
    y = np.where(X["age"] > 50, "yes", "no")
    common = {"domain": DOMAIN, "max_depth": 1, "n_bins": 4}
    few = {"n_rounds": 2, "trees_per_round": 1, **common}
    labels = {"classes": ["no", "yes"]}
    gaussian = {"mechanism": "gaussian", "delta": 1e-6}
    models = {
        "bdpe": BDPEClassifier(n_trees=2, **labels, **common).fit(X, y),
        "forest": PrivateForestClassifier(n_trees=2, **labels, **common).fit(X, y),
        "votes": PrivateForestClassifier(n_trees=2, mechanism="exponential", partition="shared", **labels, **common),
        "tree": PrivateTreeClassifier(**labels, **common).fit(X, y),
        "laplace": PrivateBoostingClassifier(tests_per_node=2, **labels, **few).fit(X, y),
        "gaussian": PrivateBoostingClassifier(tests_per_node=1, **labels, **few, **gaussian).fit(X, y),
        "mixed": PrivateBoostingClassifier(tests_per_node=2, **labels, **few, **gaussian).fit(X, y),
        "numbers": PrivateBoostingRegressor(target_range=(0, 100), loss="gamma", **few),
    }
    models["votes"].fit(X, y)
    models["numbers"].set_params(target_range=(1, 100)).fit(X, np.maximum(X["age"], 1))
    return models


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("models")
    for name, model in fitted().items():
        model.save(folder / f"{name}.json")
    return {path.stem: json.loads(path.read_text()) for path in folder.iterdir()}


NAMES = ["bdpe", "forest", "votes", "tree", "laplace", "gaussian", "mixed", "numbers"]


def supports(document: dict[str, Any]) -> bool:
    """Whether the ledger of a file adds up to what it claims: by fractions, or by the curve of its Gaussian noise."""
    statement = document["statement"]
    if not statement["private"]:
        return True
    releases = statement["releases"]
    ratios = [r["distance"] * Fraction(r["sensitivity"]) / Fraction(r["scale"]) for r in releases]
    times = [1 if r["composition"] == "parallel" else r["count"] for r in releases]
    steps = statement["unit"]["rows_per_person"] * (2 if statement["unit"]["relation"] == "replace-one" else 1)
    if any(r["distance"] != steps for r in releases) or len(releases) < len({r["label"] for r in releases}):
        return False
    epsilon, delta = statement["epsilon"], statement["delta"]
    if delta == 0.0:
        return sum(n * ratio for n, ratio in zip(times, ratios, strict=True)) <= Fraction(epsilon)
    gaussian = [r["mechanism"] == "gaussian" for r in releases]
    mu = math.sqrt(sum(n * float(x) ** 2 for n, x, g in zip(times, ratios, gaussian, strict=True) if g))
    least = norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu)
    return bool(least <= delta * (1 + 1e-6))


class TestModels:
    def check(self, path: Path, data: bytes) -> None:
        path.write_bytes(data)
        status = run("verify", path)[0]
        try:
            load(path)
        except PrivboostError:
            assert status != 0
            return
        assert supports(json.loads(data))
        assert run("show", path)[0] == 0

    @pytest.mark.parametrize("name", NAMES)
    @fuzz
    @given(data=st.data())
    def test_structure(self, tmp_path: Path, documents: dict[str, Any], name: str, data: st.DataObject) -> None:
        content = data.draw(changed(documents[name]))
        self.check(tmp_path / "m.json", json.dumps(content).encode("ascii"))

    @pytest.mark.parametrize("name", NAMES)
    @fuzz
    @given(data=st.data())
    def test_ledger(self, tmp_path: Path, documents: dict[str, Any], name: str, data: st.DataObject) -> None:
        """Changes where the guarantee stands."""
        statement = data.draw(changed(documents[name]["statement"]))
        self.check(tmp_path / "m.json", json.dumps({**documents[name], "statement": statement}).encode("ascii"))

    @pytest.mark.parametrize("name", ["tree", "mixed"])
    @fuzz
    @given(data=st.data())
    def test_bytes(self, tmp_path: Path, documents: dict[str, Any], name: str, data: st.DataObject) -> None:
        self.check(tmp_path / "m.json", data.draw(damaged(json.dumps(documents[name]).encode())))

    @pytest.mark.parametrize("name", NAMES)
    def test_files_as_they_were_saved_load(self, tmp_path: Path, documents: dict[str, Any], name: str) -> None:
        path = tmp_path / "m.json"
        path.write_text(json.dumps(documents[name]))
        assert run("verify", path)[0] == 0
        assert supports(documents[name])

    def test_a_claim_that_is_too_small_is_noticed_by_the_sums(self, documents: dict[str, Any]) -> None:
        for name in NAMES:
            statement = {**documents[name]["statement"], "epsilon": 0.9}
            assert supports({**documents[name], "statement": statement}) is (name == "mixed")  # selections are left out


BOMBS = {
    "a depth of 10**6": lambda d: d["ensemble"]["trees"][0].update(depth=10**6),
    "a depth of 10**9 everywhere": lambda d: (
        d["ensemble"]["trees"][0].update(depth=10**9),
        d["parameters"].update(max_depth=10**9),
    ),
    "10**9 trees in the plan": lambda d: d["plan"].update(n_rounds=10**9),
    "10**9 rounds in parameters and plan": lambda d: (
        d["plan"].update(n_rounds=10**9),
        d["parameters"].update(n_rounds=10**9),
    ),
    "10**300 rows": lambda d: d["plan"].update(n_rows=10**300),
    "10**18 rows": lambda d: d["plan"].update(n_rows=10**18),
    "10**9 tests for a node": lambda d: (
        d["plan"].update(tests_per_node=10**9),
        d["parameters"].update(tests_per_node=10**9),
    ),
    "a release of 10**9 numbers": lambda d: d["statement"]["releases"][0].update(size=10**9, count=10**9),
    "a distance of 10**300": lambda d: d["statement"]["releases"][0].update(distance=10**300),
    "10**9 rows for a person": lambda d: d["statement"]["unit"].update(rows_per_person=10**9),
    "10**5 copies of a release": lambda d: d["statement"].update(releases=d["statement"]["releases"][:1] * 10**5),
    "19,000 sequential ones": lambda d: d["statement"].update(releases=d["statement"]["releases"][:1] * 19_000),
    "10**5 trees": lambda d: d["ensemble"].update(trees=d["ensemble"]["trees"][:1] * 10**5),
    "a fraction of 10**6 digits": lambda d: d["statement"].update(total_exact="1/" + "7" * 10**6),
    "a text of 10**7 characters": lambda d: d["plan"].update(reasons=["x" * 10**7]),
    "10**5 attributes": lambda d: d["domain"].update(
        attributes=[{**d["domain"]["attributes"][0], "name": str(i)} for i in range(10**5)]
    ),
    "30,000 classes": lambda d: d.update(classes=[str(i) for i in range(30_000)]),
    "10**6 edges": lambda d: d.update(refinement={"edges": [list(range(10**6))], "orders": [None]}),
    "250 bins and long numbers": lambda d: (
        d.update(n_bins=254),
        d["domain"]["attributes"][0].update(lo=-1e308, hi=1e308),
    ),
}


@pytest.mark.parametrize("name", ["tree", "mixed"])
def test_no_file_takes_time_or_memory_out_of_proportion(tmp_path: Path, documents: dict[str, Any], name: str) -> None:
    files = {}
    for bomb, change in BOMBS.items():
        content = json.loads(json.dumps(documents[name]))
        change(content)
        files[bomb] = json.dumps(content)
    limited(tmp_path, files)


def test_nor_does_one_that_is_no_model(tmp_path: Path) -> None:
    files = {
        "lists in lists": "[" * 10**6,
        "objects in objects": '{"a":' * 10**6,
        "a number of 10**7 digits": "9" * 10**7,
        "a text that does not end": '"' + "a" * 10**7,
        "10**7 numbers": "[" + "0," * 10**7,
        "empty lists": '{"kind": ' + "[[],[]" * 10**6,
        "bytes": "\x00" * 10**7,
    }
    limited(tmp_path, files)


VERIFY_ALL = """
import sys, time
from privboost.cli.main import main
for path in sys.argv[1:]:
    start = time.process_time()
    status = main(["verify", path])
    print(status, time.process_time() - start)
"""


def limited(folder: Path, files: dict[str, str]) -> None:
    """Verify files in a process of 3 GiB, of which each may take ten seconds of the processor."""
    for i, text in enumerate(files.values()):
        (folder / f"{i}.json").write_text(text)
    paths = [str(folder / f"{i}.json") for i in range(len(files))]

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (3 * 2**30, 3 * 2**30))

    command = [sys.executable, "-c", VERIFY_ALL, *paths]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, preexec_fn=limit, check=False)
    ends = [line.split() for line in done.stdout.splitlines()]
    assert len(ends) == len(files), done.stderr[-500:]
    odd = [name for name, (status, seconds) in zip(files, ends, strict=True) if status == "0" or float(seconds) > 10.0]
    assert odd == []
    said = done.stderr.splitlines()
    assert len(said) == len(files)
    assert [line for line in said if not line.startswith("privboost: error: ")] == []
    assert [line for line in said if "unexpected" in line or "memory" in line] == []


# -- tables


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables")
    DOMAIN.save(folder / "d.toml")
    model = PrivateTreeClassifier(domain=DOMAIN, classes=["no", "yes"], max_depth=1)
    X = pd.DataFrame({"age": [30.0, 60.0] * 5, "job": ["clerk", "cook"] * 5})
    model.fit(X, ["no", "yes"] * 5).save(folder / "m.json")
    X.assign(income=["no", "yes"] * 5).to_parquet(folder / "t.parquet")
    X.assign(income=["no", "yes"] * 5).to_csv(folder / "t.csv", index=False)
    return folder


class TestTables:
    @staticmethod
    def read_everywhere(folder: Path, table: Path) -> None:
        quick = ["--learner", "tree", "--depth", 1, "-o", folder / "new.json"]
        run("train", table, "-d", folder / "d.toml", *quick)
        run("predict", folder / "m.json", table, "-o", folder / "answers.csv")
        run("evaluate", folder / "m.json", table, "--target", "income", "--epsilon", 1)
        run("evaluate", folder / "m.json", table, "--target", "income")
        run("domain", "draft", table)

    @pytest.mark.parametrize("name", ["t.csv", "t.parquet"])
    @settings(fuzz, max_examples=10)
    @given(data=st.data())
    def test_bytes(self, folder: Path, name: str, data: st.DataObject) -> None:
        table = folder / f"odd-{name}"
        table.write_bytes(data.draw(damaged((folder / name).read_bytes())))
        self.read_everywhere(folder, table)

    @settings(fuzz, max_examples=10)
    @given(
        header=st.lists(st.sampled_from(["age", "job", "income", "", "\ufeffage", "\x00", '"']), max_size=5),
        rows=st.lists(
            st.lists(st.text(max_size=5) | st.sampled_from(["1e999", "nan", '"', "yes", "\r"]), max_size=5), max_size=4
        ),
    )
    def test_any_csv(self, folder: Path, header: list[str], rows: list[list[str]]) -> None:
        table = folder / "any.csv"
        table.write_bytes("\n".join(",".join(row) for row in [header, *rows]).encode("utf-8", "surrogatepass"))
        self.read_everywhere(folder, table)

    @pytest.mark.parametrize("suffix", ["csv.gz", "csv.bz2", "csv.xz", "parquet", "pq"])
    def test_files_that_are_not_what_their_name_says(self, folder: Path, suffix: str) -> None:
        for content in (b"", b"age,job,income\n", b"\x1f\x8b\x08", b"PAR1PAR1", bytes(100)):
            table = folder / f"odd.{suffix}"
            table.write_bytes(content)
            self.read_everywhere(folder, table)

    @pytest.mark.parametrize("target", ["age", "job"])
    @pytest.mark.parametrize("command", ["train", "evaluate"])
    @pytest.mark.parametrize("table", ["t.csv", "t.parquet"])
    def test_a_target_that_is_an_attribute(self, folder: Path, target: str, command: str, table: str) -> None:
        quick = ["--learner", "tree", "-d", folder / "d.toml", "--classes", "no,yes", "-o", folder / "n.json"]
        first = (
            ["train", folder / table, *quick] if command == "train" else ["evaluate", folder / "m.json", folder / table]
        )
        assert run(*first, "--target", target)[0] == 2


# -- budgets


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("budgets") / "people.db"
    budget = Budget.create(path, 3.0, 1e-5)
    for _ in range(3):
        budget.spend(0.5, 1e-7, label="a fit")
    return path


class TestBudgets:
    @staticmethod
    def use(path: Path) -> None:
        run("budget", "show", path)
        run("budget", "show", path, "--json")
        run("budget", "spend", path, "--epsilon", 0.1)

    @fuzz
    @given(data=st.data())
    def test_bytes(self, file: Path, data: st.DataObject) -> None:
        path = file.with_name("odd.db")
        path.write_bytes(data.draw(damaged(file.read_bytes())))
        self.use(path)

    cells = st.one_of(
        st.none(),
        st.integers(-(2**63), 2**63 - 1),
        st.floats(),
        st.binary(max_size=4),
        st.text(st.characters(codec="utf-8"), max_size=5),
        st.sampled_from(
            ["0.5", "1e400", "-0.1", "nan", "0x1", "1/2", "9" * 5000, "replace-one", "2020", "\x1b[2J", "a\nb"]
        ),
    )

    @fuzz
    @given(
        table=st.sampled_from(["terms", "spends"]),
        column=st.sampled_from(["key", "epsilon", "delta", "relation", "rows_per_person", "label", "time", "number"]),
        cell=cells,
    )
    def test_cells(self, file: Path, table: str, column: str, cell: Any) -> None:
        path = file.with_name("odd.db")
        path.write_bytes(file.read_bytes())
        with contextlib.closing(sqlite3.connect(path)) as connection, contextlib.suppress(sqlite3.Error, OverflowError):
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = 1", (cell,))
            connection.commit()
        self.use(path)
        with contextlib.suppress(PrivboostError):
            assert Budget.open(path).spent[0] >= 0.0

    @pytest.mark.parametrize(
        "statements",
        [
            "DROP TABLE spends",
            "DROP TABLE terms",
            "DELETE FROM terms",
            "INSERT INTO terms SELECT * FROM terms",
            "DROP TABLE spends; CREATE VIEW spends AS "
            "SELECT 1 AS number, 'a' AS label, '0.0' AS epsilon, '0.0' AS delta, '' AS time",
            "DROP TABLE spends; CREATE TABLE spends (number INTEGER PRIMARY KEY)",
            "CREATE TRIGGER forget AFTER INSERT ON spends BEGIN DELETE FROM spends; END",
            "CREATE TRIGGER cheap AFTER INSERT ON spends BEGIN UPDATE spends SET epsilon = '0.0'; END",
            "PRAGMA user_version = 99",
            "PRAGMA user_version = -1",
            "PRAGMA application_id = 1",
        ],
    )
    def test_schema(self, file: Path, statements: str) -> None:
        path = file.with_name("odd.db")
        path.write_bytes(file.read_bytes())
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.executescript(statements)
        self.use(path)
        if "TRIGGER" in statements or "VIEW" in statements:  # the file would forget what it is charged
            with pytest.raises(PrivboostError):
                Budget.open(path).spend(0.1)


@pytest.mark.parametrize("path", ["a\0b.json", "a\0b.toml", "\0", "\ud800.json", "", 7, b"m.json", None], ids=repr)
def test_names_that_no_file_has(path: Any, tmp_path: Path) -> None:
    model = PrivateTreeClassifier(domain=DOMAIN, classes=["no", "yes"], max_depth=1)
    model.fit(pd.DataFrame({"age": [1.0], "job": ["cook"]}), ["no"])
    for action in (load, model.save, Domain.load, DOMAIN.save, Budget.open, lambda p: Budget.create(p, 1.0)):
        with pytest.raises(PrivboostError):
            action(path)
    assert run("verify", str(path).replace("\0", "\x01") or "x")[0] == 2
