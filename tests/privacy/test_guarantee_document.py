from __future__ import annotations

import re
from pathlib import Path

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "guarantee.md"


def test_examples_run_and_hold(capsys):
    blocks = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, str(DOCUMENT), "exec"), {})
    assert "ε-differentially private with ε = 1" in capsys.readouterr().out
