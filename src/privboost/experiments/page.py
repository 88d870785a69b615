"""The study on one page: a single HTML file without scripts, fonts or anything else from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from privboost.experiments.claims import NO_DATA, NOT_REPRODUCED, REPRODUCED, Claim, Finding
from privboost.experiments.tables import ARM_WORDS, Table

__all__ = ["SIMULATED", "draw_page"]

SIMULATED = (
    "All runs are simulations with seeds: their noise can be drawn again and subtracted. None of these models is "
    "private, and none "
    "may be released as if it were."
)

_STYLE = """
:root{color-scheme:light}
body{font:15px/1.5 system-ui,sans-serif;color:#222;background:#f6f6f4;margin:0 auto;padding:1rem;max-width:1080px}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2.2rem}
p.note,figcaption{color:#555;font-size:.92rem;max-width:52rem}
.warning{background:#fff3e0;border-left:4px solid #c2571a;padding:.6rem .9rem}
.wide{overflow-x:auto;max-height:32rem;overflow-y:auto;background:#fff;border-radius:8px}
table{border-collapse:collapse;font-size:.86rem;width:100%}
th{position:sticky;top:0;background:#ececea;text-align:left}
th,td{padding:.28rem .6rem;border-bottom:1px solid #eee;vertical-align:top}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td.yes{background:#dff1e6}td.no{background:#f8e0de}td.none{background:#eee;color:#666}
.whole{max-height:none}
figure{margin:1.2rem 0}svg{max-width:100%;height:auto;display:block}
nav a{margin-right:1rem}
details{margin:.6rem 0}summary{cursor:pointer;color:#1f5fa8}
@media print{.wide{max-height:none;overflow:visible}body{background:#fff}}
"""

_MARKS = {REPRODUCED: ("yes", "yes"), NOT_REPRODUCED: ("no", "no"), NO_DATA: ("none", "no data")}


def draw_page(
    facts: Sequence[str],
    warnings: Sequence[str],
    findings: Sequence[tuple[Claim, str, Finding]],
    tables: Sequence[Table],
    figures: Sequence[tuple[str, str, str]],
) -> str:
    """Return the page.

    Parameters
    ----------
    facts : sequence of str
        What was run, in sentences.
    warnings : sequence of str
        What a reader must know first.
    findings : sequence of (Claim, str, Finding)
    tables : sequence of Table
    figures : sequence of (str, str, str)
        Name, caption and SVG text of each.
    """
    parts = ["<h1>The paper's study, run again</h1>"]
    parts += [f'<p class="warning">{escape(text)}</p>' for text in warnings]
    parts += [f"<p>{escape(text)}</p>" for text in facts]
    links = [("verdicts", "Verdicts"), *((table.name, table.title) for table in tables), ("figures", "Figures")]
    parts.append("<nav>" + " ".join(f'<a href="#{name}">{escape(title)}</a>' for name, title in links) + "</nav>")
    parts += ['<h2 id="verdicts">Verdicts</h2>', _verdicts(findings)]
    for table in tables:
        parts += [f'<h2 id="{table.name}">{escape(table.title)}</h2>', f'<p class="note">{escape(table.note)}</p>']
        shown = table.html()
        parts.append(
            shown if len(table.rows) <= 60 else f"<details><summary>{len(table.rows)} rows</summary>{shown}</details>"
        )
    parts.append('<h2 id="figures">Figures</h2>')
    for name, caption, drawing in figures:
        parts.append(f'<figure id="{name}">{drawing}<figcaption>{escape(caption)}</figcaption></figure>')
    head = (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>The paper's study, run again</title><style>{_STYLE}</style></head><body>"
    )
    return "\n".join([head, *parts, "</body></html>", ""])


def _verdicts(findings: Sequence[tuple[Claim, str, Finding]]) -> str:
    """Return claims down, arms across."""
    arms = list(dict.fromkeys(arm for _, arm, _ in findings))
    claims = list(dict.fromkeys(claim for claim, _, _ in findings))
    known = {(claim.key, arm): found for claim, arm, found in findings}
    rows = ["<tr><th></th><th>claim</th>" + "".join(f"<th>{escape(ARM_WORDS[arm])}</th>" for arm in arms) + "</tr>"]
    for claim in claims:
        cells = [_verdict(known.get((claim.key, arm))) for arm in arms]
        rows.append(f"<tr><td>{claim.key}</td><td>{escape(claim.text)}</td>{''.join(cells)}</tr>")
    return '<div class="wide whole"><table>' + "\n".join(rows) + "</table></div>"


def _verdict(found: Finding | None) -> str:
    if found is None:
        return "<td></td>"
    kind, words = _MARKS[found.verdict]
    return f'<td class="{kind}" title="{escape(found.sentence)}">{words}</td>'
