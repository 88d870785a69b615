"""A reading of the paper: every numeric attribute ranges over what its table holds, as if nothing public were known.

    python benchmarks/observed_ranges.py --data ../shared/data --out out/observed
    privboost reproduce --grid out/observed/grid.toml --data ../shared/data --out out/observed/study --jobs 2

Writes a catalogue of the study's tables in which the ranges are the least and the largest value, and a grid that is run
on those whose ranges it changes. Such ranges leak; they are for simulations.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from privboost.data.datasets import read_entry
from privboost.data.study import domain_kind, locate_table, study_catalogue

GRID = """\
# Every numeric attribute ranges over what its table holds; otherwise a part of the paper's grid.
format = "privboost-grid"
version = 1
name = "observed ranges"
catalogue = "catalogue.json"
tables = {tables}
folds = 10
bins = [10]
epsilons = [0.01, 0.1, 1.0, 10.0]

[bdpe]
arms = ["paper", "exact-leverage", "tight"]
alphas = [0.1, 1.0, "O.C"]
trees = [2, 20]
depths = [2, 4, 6]
shares = [0.1, 0.5, 0.9]

[forest]
mechanisms = ["laplace", "exponential"]
trees = [21]
depths = [2, 4, 6]
"""


def observed(meta: dict[str, Any], X: Any) -> dict[str, Any]:
    """Return the entry of a table with its own ranges."""
    features = []
    for feature in meta["features"]:
        if feature["kind"] == "numeric":
            values = np.asarray(X[feature["name"]], dtype=np.float64)
            low, high = float(np.nanmin(values)), float(np.nanmax(values))
            if low < high:
                feature = feature | {"domain": [low, high], "basis": "observed"}
        features.append(feature)
    return meta | {"features": features}


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args(arguments)
    entries = {}
    for name, meta in study_catalogue().items():
        if domain_kind(meta) == "public":
            entries[name] = observed(meta, read_entry(locate_table(name, meta, args.data), meta).X)
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "catalogue.json").write_text(json.dumps({"datasets": entries}, indent=1), encoding="utf-8")
    (args.out / "grid.toml").write_text(GRID.format(tables=json.dumps(list(entries))), encoding="utf-8")


if __name__ == "__main__":
    main()
