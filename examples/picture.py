"""Measure the README's picture: accuracy against epsilon on scikit-learn's breast-cancer table.

Run ``make picture``. Every point is the mean over 200 fits: 20 divisions of the table into training and test rows,
10 fits of each. The fits are simulations with fixed seeds, so that the numbers can be had again; a release draws from
the same distributions. All guarantees are pure (delta = 0). Writes ``accuracy.csv`` and ``accuracy.svg`` into
``docs/images``.

`PrivateBoostingClassifier` chooses its settings from public numbers. Those of the others were found by trying a few on
this very table, which is public; with private rows each such try would spend budget of its own. The table is small, so
the budget is divided among few releases: five shallow trees for `BDPEClassifier`. The forest's tests are drawn blindly
from wide public ranges, and many of them send all rows to one side: its trees are deep instead.
"""

from __future__ import annotations

import csv
import math
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from breast_cancer import DOMAIN
from privboost import BDPEClassifier, Domain, PrivateBoostingClassifier, PrivateForestClassifier
from privboost.errors import PrivacyWarning

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "images"
EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
DIVISIONS, FITS = 20, 10
# Each learner, its settings, and what it would rather have if privacy were no concern.
LEARNERS: list[tuple[type[Any], dict[str, Any], dict[str, Any]]] = [
    (PrivateBoostingClassifier, {}, {}),
    (BDPEClassifier, {"n_trees": 5, "max_depth": 2}, {"n_trees": 20, "max_depth": 3}),
    (
        PrivateForestClassifier,
        {"n_trees": 11, "max_depth": 10},
        {"n_trees": 101, "max_depth": 10, "partition": "shared"},
    ),
]


@dataclass(frozen=True)
class Point:
    """Accuracies of one learner at one epsilon; epsilon is None without privacy."""

    learner: str
    epsilon: float | None
    mean: float
    low: float
    high: float


def measure() -> list[Point]:
    table = load_breast_cancer()
    labels = table.target_names[table.target]
    divisions = [
        train_test_split(table.data, labels, test_size=0.3, random_state=seed, stratify=labels)
        for seed in range(DIVISIONS)
    ]
    domain = Domain.load(DOMAIN)
    public = {"domain": domain, "classes": domain.classes}
    points = []
    for learner, settings, roomy in LEARNERS:
        for epsilon in EPSILONS:
            accuracies = scores(learner, {"epsilon": epsilon, **settings, **public}, divisions)
            points.append(summary(learner.__name__, epsilon, accuracies))
        points.append(summary(learner.__name__, None, scores(learner, {"privacy": None, **roomy, **public}, divisions)))
    commonest = [max((y_test == label).mean() for label in set(y_test)) for _, _, _, y_test in divisions]
    return [*points, summary("the commonest label", None, commonest)]


def scores(learner: type[Any], parameters: dict[str, Any], divisions: Iterable[Any]) -> list[float]:
    """Return test accuracies of ``FITS`` fits of every division."""
    found = []
    for number, (X_train, X_test, y_train, y_test) in enumerate(divisions):
        for fit in range(FITS):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", PrivacyWarning)  # simulations on purpose
                model = learner(random_state=FITS * number + fit, **parameters).fit(X_train, y_train)
            found.append(model.score(X_test, y_test))
    return found


def summary(name: str, epsilon: float | None, accuracies: list[float]) -> Point:
    low, high = np.quantile(accuracies, [0.1, 0.9])
    return Point(name, epsilon, float(np.mean(accuracies)), float(low), float(high))


def write_csv(points: list[Point], path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["learner", "epsilon", "mean_accuracy", "decile_1", "decile_9"])
        for p in points:
            epsilon = "" if p.epsilon is None else f"{p.epsilon:g}"
            writer.writerow([p.learner, epsilon, f"{p.mean:.4f}", f"{p.low:.4f}", f"{p.high:.4f}"])


WIDTH, HEIGHT = 760, 380
LEFT, RIGHT, TOP, BOTTOM = 64, 190, 52, 48
LOWEST, HIGHEST = 0.5, 1.0
COLOURS = ("#1b7a4b", "#1f5fa8", "#c2571a", "#6b6b6b")


def x_of(epsilon: float) -> float:
    span = math.log(EPSILONS[-1] / EPSILONS[0])
    return LEFT + (WIDTH - LEFT - RIGHT) * math.log(epsilon / EPSILONS[0]) / span


def y_of(accuracy: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (HIGHEST - accuracy) / (HIGHEST - LOWEST)


def text(x: float, y: float, content: str, **attributes: str) -> str:
    extra = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f'<text x="{x:.1f}" y="{y:.1f}"{extra}>{content}</text>'


def axes() -> list[str]:
    parts = []
    for percent in range(50, 101, 10):
        y = y_of(percent / 100)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#e3e3e3"/>')
        parts.append(text(LEFT - 8, y + 4, f"{percent} %", text_anchor="end", fill="#444"))
    for epsilon in EPSILONS:
        parts.append(text(x_of(epsilon), HEIGHT - BOTTOM + 20, f"{epsilon:g}", text_anchor="middle", fill="#444"))
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(text(middle, HEIGHT - 10, "ε (smaller: more private)", text_anchor="middle", fill="#444"))
    return parts


def curve(points: list[Point], colour: str) -> list[str]:
    """Draw the band between the first and the ninth decile, and the means over it."""
    top = [f"{x_of(p.epsilon):.1f} {y_of(p.high):.1f}" for p in points if p.epsilon]
    bottom = [f"{x_of(p.epsilon):.1f} {y_of(max(p.low, LOWEST)):.1f}" for p in points if p.epsilon]
    means = [(x_of(p.epsilon), y_of(p.mean)) for p in points if p.epsilon]
    line = "L".join(f"{x:.1f} {y:.1f}" for x, y in means)
    return [
        f'<path d="M{"L".join([*top, *reversed(bottom)])}Z" fill="{colour}" fill-opacity="0.13"/>',
        f'<path d="M{line}" fill="none" stroke="{colour}" stroke-width="2.5"/>',
        *(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in means),
    ]


def level(point: Point, colour: str) -> str:
    """Draw what needs no epsilon as a dashed line."""
    y = y_of(point.mean)
    return f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{colour}" stroke-width="1.5" stroke-dasharray="5 4"/>'


def spread(wanted: list[float], gap: float = 16.0) -> list[float]:
    """Move labels apart so that none overlaps the one above it."""
    placed = {}
    last = -math.inf
    for index in sorted(range(len(wanted)), key=wanted.__getitem__):
        last = placed[index] = max(wanted[index], last + gap)
    return [placed[index] for index in range(len(wanted))]


def draw(points: list[Point]) -> str:
    names = list(dict.fromkeys(p.learner for p in points))
    colours = dict(zip(names, COLOURS, strict=True))
    parts, labels = axes(), []
    for name in names:
        own = [p for p in points if p.learner == name]
        private = [p for p in own if p.epsilon is not None]
        if private:
            parts += curve(private, colours[name])
            labels.append((y_of(private[-1].mean), name, colours[name]))
        for p in own:
            if p.epsilon is None:
                parts.append(level(p, colours[name]))
                labels.append((y_of(p.mean), "without privacy" if private else name, colours[name]))
    heights = spread([y for y, _, _ in labels])
    for height, (_, label, colour) in zip(heights, labels, strict=True):
        parts.append(text(WIDTH - RIGHT + 12, height + 4, label, fill=colour))
    title = "Accuracy on the breast-cancer table: mean of 200 fits, band of the middle 80 %"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{title}"',
            '  font-family="system-ui, sans-serif" font-size="13">',
            f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#fff"/>',
            text(LEFT, 28, title, fill="#222", font_size="15", font_weight="600"),
            *parts,
            "</svg>",
            "",
        ]
    )


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    measured = measure()
    write_csv(measured, FOLDER / "accuracy.csv")
    (FOLDER / "accuracy.svg").write_text(draw(measured), encoding="utf-8")
    print(f"Wrote accuracy.csv and accuracy.svg to {FOLDER}")
