"""How fast privboost is, held against other packages on the same rows, threads and machine.

    python benchmarks/speed.py                          # all rows; --data ../shared/data for the study's grid, too
    python benchmarks/speed.py --only random predict    # some of them; --list names them
    python benchmarks/speed.py --record                 # keep the ratios in benchmarks/speed.json
    python benchmarks/speed.py --kernels                # inner loops, against the memory's bandwidth

Each row times both sides in this process, in turns, and divides the medians; see docs/performance.md for how to read
the table. The exit status is 1 if a ratio is more than a fifth above the recorded one.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import sys
import warnings
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from speed_kernels import print_kernels
from speed_rows import ROWS
from speed_timing import Measured, NotMeasuredError, Row, Setup

RECORD = Path(__file__).with_suffix(".json")

SLOWER = 1.2
"""Factor of the recorded ratio above which a row counts as slower."""

PACKAGES = ("privboost", "numpy", "numba", "scikit-learn", "opendp", "lightgbm", "interpret-core", "diffprivlib")

HEADER = "| work | against | ours | theirs | ratio | to reach | recorded | verdict |"


def versions() -> dict[str, str]:
    """Return the versions of everything that takes part."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def machine() -> str:
    """Describe the machine in words, without naming it."""
    model = platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    try:
        memory = f", {os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB"
    except (AttributeError, ValueError):
        memory = ""
    return f"{model}, {os.cpu_count()} cores{memory}, {platform.system()}"


def read_record(path: Path) -> dict[str, float]:
    """Return the recorded ratios; none if nothing was recorded."""
    return dict(json.loads(path.read_text())["ratios"]) if path.exists() else {}


def write_record(path: Path, ratios: dict[str, float]) -> None:
    """Keep ratios; those of other rows stay if versions and machine are the same, else they are dropped."""
    head = {"machine": machine(), "versions": versions()}
    kept: dict[str, float] = {}
    if path.exists():
        before = json.loads(path.read_text())
        if {name: before[name] for name in head} == head:
            kept = before["ratios"]
    rounded = {name: float(f"{ratio:.3g}") for name, ratio in ratios.items()}
    content = {"date": datetime.date.today().isoformat(), **head, "ratios": dict(sorted((kept | rounded).items()))}
    path.write_text(json.dumps(content, indent=2) + "\n")


def is_slower(ratio: float, recorded: float | None) -> bool:
    """Return whether a ratio is more than a fifth above the recorded one."""
    return recorded is not None and ratio > SLOWER * recorded


def verdict(row: Row, measured: Measured, recorded: float | None) -> str:
    """Say in words what came out."""
    reached = measured.ratio <= row.limit and (row.most is None or measured.ours <= row.most)
    words = "reached" if reached else "not reached"
    return words + (", SLOWER than recorded" if is_slower(measured.ratio, recorded) else "")


def line(row: Row, measured: Measured | NotMeasuredError, recorded: float | None) -> str:
    """Return a row of the table."""
    goal = f"≤ {row.limit:g}" + ("" if row.most is None else f", ours < {row.shown(row.most)}")
    last = "–" if recorded is None else f"{recorded:.3g}"
    if isinstance(measured, NotMeasuredError):
        cells = ["–", "–", "–", goal, last, f"not measured: {measured}"]
    else:
        numbers = [row.shown(measured.ours), row.shown(measured.theirs), f"{measured.ratio:.3g}"]
        cells = [*numbers, goal, last, verdict(row, measured, recorded)]
    return "| " + " | ".join([f"`{row.name}`: {row.work}", row.against, *cells]) + " |"


def run(rows: Sequence[Row], setup: Setup, record: Path) -> dict[str, float]:
    """Measure rows, print each when it is done, and return the ratios."""
    recorded = read_record(record)
    print(HEADER + "\n|---|---|---|---|---|---|---|---|", flush=True)
    ratios = {}
    for row in rows:
        measured: Measured | NotMeasuredError
        try:
            measured = row.measure(setup)
            ratios[row.name] = measured.ratio
        except NotMeasuredError as reason:
            measured = reason
        print(line(row, measured, recorded.get(row.name)), flush=True)
    return ratios


def chosen(only: Sequence[str], skip: Sequence[str], rows: Sequence[Row]) -> list[Row]:
    """Return the rows that were asked for, in the table's order."""
    names = [row.name for row in rows]
    for name in (*only, *skip):
        if name not in names:
            raise SystemExit(f"There is no row {name!r}; there are: {', '.join(names)}")
    return [row for row in rows if (not only or row.name in only) and row.name not in skip]


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="rows to measure")
    parser.add_argument("--skip", nargs="*", default=[], metavar="NAME", help="rows to leave out")
    parser.add_argument("--list", action="store_true", help="name the rows, and measure nothing")
    parser.add_argument("--runs", type=int, default=5, help="runs of each side, of which the median counts")
    parser.add_argument("--threads", type=int, default=2, help="threads of either side")
    parser.add_argument("--scale", type=float, default=1.0, help="factor of the numbers of rows, for a quick look")
    parser.add_argument("--data", type=Path, help="folder of the study's tables")
    parser.add_argument("--full", action="store_true", help="all of the study's grid instead of a sample, scaled up")
    parser.add_argument("--record", action="store_true", help="keep the ratios")
    parser.add_argument("--record-file", type=Path, default=RECORD, help=argparse.SUPPRESS)
    parser.add_argument("--kernels", action="store_true", help="print a table of inner loops instead")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    args = arguments(argv)
    rows = chosen(args.only, args.skip, ROWS)
    if args.list:
        print("\n".join(f"{row.name:16} {row.work}" for row in rows))
        return 0
    warnings.simplefilter("ignore")  # simulations and random seeds warn, and packages warn of each other's versions
    setup = Setup(args.runs, args.threads, args.scale, args.data, args.full)
    print(f"{machine()}; {', '.join(f'{name} {version}' for name, version in versions().items())}\n")
    if args.kernels:
        print_kernels(setup)
        return 0
    recorded = read_record(args.record_file)
    ratios = run(rows, setup, args.record_file)
    if args.record:
        write_record(args.record_file, ratios)
    slower = [name for name, ratio in ratios.items() if is_slower(ratio, recorded.get(name))]
    if slower:
        print(f"\nMore than a fifth slower than recorded: {', '.join(slower)}", file=sys.stderr)
    return 1 if slower and not args.record else 0


if __name__ == "__main__":
    sys.exit(main())
