"""The report holds what the results hold: tables as text and data, drawings, and a page that needs nothing else."""

from __future__ import annotations

import csv
import io
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pyarrow.parquet as pq
import pytest
from study_cases import PAPER_PARTS, grid_of, made_up

from privboost.errors import SchemaError
from privboost.experiments.claims import check_claims
from privboost.experiments.figures import study_figures
from privboost.experiments.grid import load_grid
from privboost.experiments.page import SIMULATED, draw_page
from privboost.experiments.report import facts_of, warnings_of, write_report
from privboost.experiments.runner import run_study
from privboost.experiments.store import Study
from privboost.experiments.svg import Line, Matrix, Panel, draw_matrix, draw_panels
from privboost.experiments.tables import Table, study_tables

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def out(small_study: Path) -> Path:
    run_study(load_grid(small_study / "grid.toml"), small_study / "out", data=str(small_study))
    return small_study / "out"


class Page(HTMLParser):
    """Collects tags, and checks that they are closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_report_of_a_study(out: Path) -> None:
    analysis, findings = write_report(out)
    rows = pq.read_table(out / "results.parquet")
    assert rows.num_rows == 4 * analysis.study.n_settings
    assert len(analysis.runs) == 2 * analysis.study.n_settings
    names = {path.stem for path in (out / "tables").iterdir()}
    assert {path.suffix for path in (out / "tables").iterdir()} == {".md", ".csv"}
    assert names == {table.name for table in study_tables(analysis, findings)}
    assert {path.stem for path in (out / "figures").iterdir()} == {
        f"{kind}-{arm}" for kind in ("error", "cumulated", "wins", "bins") for arm in ("paper", "tight")
    }
    text = (out / "report.html").read_text(encoding="utf-8")
    assert SIMULATED in text
    assert "This grid is not the paper&#x27;s" in text
    page = Page(text)
    tags = {tag for tag, _ in page.seen}
    assert not tags & {"script", "link", "img", "iframe", "object"}
    assert not re.search(r"(?:src|href)=[\"'](?!#)|url\(|@import", text)
    targets = {attributes["id"] for _, attributes in page.seen if "id" in attributes}
    assert {str(a["href"])[1:] for tag, a in page.seen if tag == "a"} <= targets
    for path in (out / "figures").iterdir():
        assert path.read_text(encoding="utf-8") in text
        assert ElementTree.parse(path).getroot().tag == f"{SVG}svg"


def test_numbers_of_the_tables_are_means_of_rows(out: Path) -> None:
    """Every best error without noise, computed again from the file of results."""
    analysis, _ = write_report(out)
    rows = pq.read_table(out / "results.parquet").to_pandas()
    rows = rows[(rows["learner"] == "bdpe") & (rows["bins"] == 4)]
    with (out / "tables" / "noise.csv").open(encoding="utf-8") as stream:
        found = list(csv.DictReader(stream))
    assert len(found) == 4
    for row in found:
        arm = row["arm"]
        for column, epsilon, name in (
            ("ε = 0.5", 0.5, arm),
            ("ε = 8", 8.0, arm),
            ("without noise", np.inf, "noise-free"),
        ):
            own = rows[(rows["domain"] == row["table"]) & (rows["arm"] == name) & (rows["epsilon"] == epsilon)]
            means = own.groupby(["alpha", "T", "depth", "share"], dropna=False)["error"].mean()
            assert float(row[column]) == pytest.approx(means.min(), abs=1e-12)
    assert analysis.incomplete == ()


def test_incomplete_tables_are_left_out_and_named(out: Path) -> None:
    (out / "parts" / "second-01.parquet").unlink()
    analysis, _ = write_report(out)
    assert analysis.incomplete == ("second",)
    assert analysis.runs.values("domain") == ["first"]
    assert "Not all folds are there yet of: second" in (out / "report.html").read_text(encoding="utf-8")
    assert "not all folds are there yet" in (out / "tables" / "domains.md").read_text(encoding="utf-8")


def test_only_the_paper_s_own_grid_settles_claims() -> None:
    grid = load_grid("paper")
    facts = {str(k): {"rows": k} for k in range(19)}
    study = Study("any", grid.fingerprint(), grid.folds, 1, 0, facts, "0")
    assert warnings_of(study, ()) == [SIMULATED]
    assert len(warnings_of(Study("paper", "other", 10, 1, 0, facts, "0"), ())) == 2
    assert len(warnings_of(study, ("a",))) == 2


@pytest.mark.parametrize("content", [None, "{}", "[]", '{"format": "privboost-study", "format_version": 2}'])
def test_a_folder_without_a_study_is_named(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "study.json").write_text(content)
    with pytest.raises(SchemaError, match="is not the folder of a study"):
        write_report(tmp_path)


def test_forms_of_a_table() -> None:
    table = Table("t", "Title", "Note.", ("a", "b"), (("x|<y>", 0.123456789), (None, float("nan"))), ("", ".2f"))
    assert list(csv.reader(io.StringIO(table.csv()))) == [["a", "b"], ["x|<y>", "0.123456789"], ["", ""]]
    assert table.markdown() == "# Title\n\nNote.\n\n| a | b |\n|---|---|\n| x\\|<y> | 0.12 |\n| – | – |\n"
    assert '<td>x|&lt;y&gt;</td><td class="number">0.12</td>' in table.html()


def test_every_table_and_figure_of_made_up_results() -> None:
    analysis = made_up(lambda table, s: 0.1 if s.alpha == "O.C" else 0.2)
    tables = {table.name: table for table in study_tables(analysis, check_claims(analysis))}
    won = {(row[1], row[2]): row[4] for row in tables["best-alpha"].rows}
    assert won == {(e, a): 4.0 * (a == "O.C") for e in (0.01, 25.0) for a in ("0.1", "1", "O.C")}
    typical = {row[:3]: row[3:] for row in tables["typical"].rows}
    assert typical["paper", "O.C", 20] == (pytest.approx(0.1), pytest.approx(0.1), None)
    assert typical["without noise", "1", 2][2] == pytest.approx(0.2)
    learners = {row[:2]: row[2:] for row in tables["learners"].rows}
    assert learners["bdpe", "paper"][0] == 3 * 2 * 2 * 2
    assert learners["bdpe", "paper"][1:3] == pytest.approx((0.1, 0.1), abs=0.01)
    assert learners["RF-L", ""][3] is None  # there are no forests without noise
    assert {row[0] for row in tables["sizes"].rows} == {"bdpe", "RF-L", "RF-E"}
    for _, _, drawing in study_figures(analysis):
        root = ElementTree.fromstring(drawing)
        assert not re.search("nan|inf", drawing)
        for path in root.iter(f"{SVG}path"):
            numbers = [float(n) for n in re.findall(r"-?\d+\.?\d*", path.attrib["d"])]
            assert all(-40 <= n <= 5000 for n in numbers)


def test_lines_stand_where_their_numbers_are() -> None:
    line = Line("l", [(0.0, 0.0), (1.0, 1.0)], "#000", dots=True)
    root = ElementTree.fromstring(
        draw_panels("T", [Panel("p", [line], (0.0, 1.0), [(0.0, "0"), (1.0, "1")])], (0.0, 1.0), [(0.5, "½")], "x")
    )
    (x0, y0), (x1, y1) = [(float(c.attrib["cx"]), float(c.attrib["cy"])) for c in root.iter(f"{SVG}circle")]
    assert x1 > x0
    assert y0 - y1 == 150  # up is more
    (half,) = [float(t.attrib["x"]) for t in root.iter(f"{SVG}text") if t.text == "½"]
    assert half == pytest.approx((x0 + x1) / 2, abs=0.1)


def test_cells_have_the_colour_of_their_number() -> None:
    matrix = Matrix(["r"], ["a", "b", "c", "d"], [[(1.0, "100"), (0.0, "0"), (0.5, "50"), (None, "")]])
    root = ElementTree.fromstring(draw_matrix("T", matrix, "n"))
    _, *cells = [rect.attrib["fill"] for rect in root.iter(f"{SVG}rect")]
    green, red, white, grey = cells
    assert (white, grey) == ("#ffffff", "#eeeeee")
    assert int(green[3:5], 16) > int(green[1:3], 16)
    assert int(red[1:3], 16) > int(red[3:5], 16)


@pytest.mark.parametrize("kept", [("bdpe",), ("forest",), ("tree",), ()])
@pytest.mark.parametrize("noise_free", [True, False])
def test_grids_with_one_learner_have_reports(kept: tuple[str, ...], noise_free: bool) -> None:
    """Every part of a grid may be left out; with none of them there is "auto" alone."""
    parts = PAPER_PARTS | {"tree": {"criteria": ("log",), "depths": (1,), "shares": (0.5,)}}
    grid = grid_of(("a",), noise_free=noise_free, auto=not kept, parts={name: parts[name] for name in kept})
    analysis = made_up(lambda table, s: 0.2, grid)
    findings = check_claims(analysis)
    tables, figures = study_tables(analysis, findings), study_figures(analysis)
    Page(draw_page(facts_of(analysis, 1), warnings_of(analysis.study, ()), findings, tables, figures))
    assert len(tables) == 10
    assert len(figures) == (4 if "bdpe" in kept else 0)
    assert all(len(row) == len(table.columns) == len(table.formats) for table in tables for row in table.rows)


@pytest.mark.parametrize(
    ("mechanisms", "shown", "others"),
    [
        (("laplace-shared",), ["RF-L, shared rows"], False),
        (("laplace", "laplace-shared"), ["RF-L"], True),
        (("laplace", "exponential"), ["RF-L", "RF-E"], False),
    ],
)
def test_the_report_is_about_the_arms_and_forests_that_were_run(
    mechanisms: tuple[str, ...], shown: list[str], others: bool
) -> None:
    parts = {
        "bdpe": PAPER_PARTS["bdpe"] | {"arms": ("tight", "exact-parallel")},
        "forest": PAPER_PARTS["forest"] | {"mechanisms": mechanisms},
    }
    analysis = made_up(lambda table, s: 0.2, grid_of(("a",), parts=parts))
    said = facts_of(analysis, 1)[1]
    assert "“tight” makes the tightest" in said
    assert "“paper, exact leverage (not private), parallel composition” is what its name says" in said
    assert "“paper” makes" not in said
    drawings = {name: drawing for name, _, drawing in study_figures(analysis)}
    wins = drawings["wins-tight"]
    assert [f"RF-{x}{y}" for x in "LE" for y in ("", ", shared rows") if f">RF-{x}{y}<" in wins] == shown
    assert ("Other forests are in the table." in wins) is others
    table = next(t for t in study_tables(analysis, check_claims(analysis)) if t.name == "win-rates")
    assert len({row[3] for row in table.rows}) == len(mechanisms)
