from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from privboost import (
    BDPEClassifier,
    Domain,
    Numeric,
    PrivateBoostingClassifier,
    PrivateForestClassifier,
    PrivateTreeClassifier,
    evaluate_private,
)

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "guarantee.md"


def test_examples_run_and_hold(capsys):
    blocks = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert blocks
    assert any("From here on, nothing but the files." in block for block in blocks)
    for block in blocks:
        exec(compile(block, str(DOCUMENT), "exec"), {})
    assert "ε-differentially private with ε = 1" in capsys.readouterr().out


def test_the_page_of_the_file_explains_every_field_of_a_statement():
    """Of every kind of model, and of an evaluation."""
    page = (DOCUMENT.parent / "model-format.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"`([\w-]+)`", page[page.index("## The statement") : page.index("## Which format")]))
    rng = np.random.default_rng(0)
    X, y = rng.random((60, 1)), np.arange(60) % 2
    common = {"domain": Domain({"a": Numeric(0, 1)}), "classes": [0, 1], "max_depth": 1}
    few = {"n_rounds": 2, "trees_per_round": 1}
    models = [
        BDPEClassifier(n_trees=1, **common),
        PrivateForestClassifier(n_trees=2, mechanism="exponential", **common),
        PrivateTreeClassifier(**common),
        PrivateTreeClassifier(privacy=None, **common),
        PrivateBoostingClassifier(**common, **few),
        PrivateBoostingClassifier(delta=1e-6, mechanism="gaussian", tests_per_node=2, **common, **few),
    ]
    statements = [model.fit(X, y).privacy_ for model in models]
    statements.append(evaluate_private(models[0], X, y, epsilon=1.0).statement)
    mechanisms = set()
    for facts in (statement.to_dict() for statement in statements):
        releases = facts["releases"]
        assert {*facts, *facts["unit"], *(key for release in releases for key in release)} <= explained
        mechanisms |= {release["mechanism"] for release in releases}
    assert mechanisms <= explained
    assert len(mechanisms) == 5


def test_every_kind_of_release_is_proven():
    """Each label of a ledger belongs to a section, which states a sensitivity, a mechanism and how it adds up."""
    text = DOCUMENT.read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", text, flags=re.MULTILINE | re.DOTALL))
    for title, parts in {
        "Leaves: Laplace noise": ["Δ = ω", "Laplace", "one leaf", "parallel"],
        "Gaussian noise": ["L2", "d · Δ / σ"],
        "Splits: private selection": ["Sensitivity.", "Mechanism.", "Rounding.", "Empty nodes"],
        "Boosting of random trees: five kinds of releases": [
            *("Class counts", "Δ = 1 in both norms", "One-way histograms", "Δ₂ = √n", "Leaf sums", "Selected tests"),
            *("Scores", "parallel", "Laplace noise", "Gaussian noise", "Δ = 2·max ‖g‖₁"),
        ],
        "Figures of private test rows: one histogram": ["L1", "L2", "Laplace", "Gaussian", "parallel", "Composition"],
        "How costs add up": ["Sequential", "Parallel", "Disjoint forests", "One-against-rest", "Adaptivity"],
        "How costs add up when δ > 0": ["Gaussian noise only", "Noise on integers", "Other releases among them"],
    }.items():
        assert [part for part in parts if part not in sections[title]] == []
