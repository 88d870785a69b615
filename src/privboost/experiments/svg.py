"""Drawings as SVG text: panels of lines, and a matrix of coloured cells. They know nothing of the study."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

__all__ = ["Line", "Matrix", "Panel", "draw_matrix", "draw_panels"]

_WIDTH, _COLUMNS = 980, 4
_PANEL_HEIGHT, _GAP_X, _GAP_Y, _LEFT, _TOP = 150, 34, 52, 44, 92
_GREY = "#5b5b5b"


@dataclass(frozen=True)
class Line:
    """A line of a panel.

    Attributes
    ----------
    name : str
        As the legend has it.
    points : sequence of (float, float)
        In units of the axes.
    colour : str
    dashed : bool
    dots : bool
        Whether each point is marked.
    """

    name: str
    points: Sequence[tuple[float, float]]
    colour: str
    dashed: bool = False
    dots: bool = False


@dataclass(frozen=True)
class Panel:
    """One of several small drawings that share their axes' meaning.

    Attributes
    ----------
    title : str
    lines : sequence of Line
    y_range : (float, float)
    y_ticks : sequence of (float, str)
    """

    title: str
    lines: Sequence[Line]
    y_range: tuple[float, float]
    y_ticks: Sequence[tuple[float, str]]


@dataclass(frozen=True)
class Matrix:
    """A matrix of numbers between 0 and 1.

    Attributes
    ----------
    rows, columns : sequence of str
    cells : sequence of sequence of (float or None, str)
        Shade, and what is written in the cell. None for no number.
    """

    rows: Sequence[str]
    columns: Sequence[str]
    cells: Sequence[Sequence[tuple[float | None, str]]]


def draw_panels(
    title: str, panels: Sequence[Panel], x_range: tuple[float, float], x_ticks: Sequence[tuple[float, str]], x_name: str
) -> str:
    """Return panels in rows of four, under one title and one legend.

    Parameters
    ----------
    title : str
    panels : sequence of Panel
    x_range : (float, float)
    x_ticks : sequence of (float, str)
    x_name : str
        What the horizontal axes show.
    """
    columns = min(_COLUMNS, max(len(panels), 1))
    width = (_WIDTH - _LEFT - 16) / columns - _GAP_X
    n_rows = -(-len(panels) // columns)
    height = _TOP + n_rows * (_PANEL_HEIGHT + _GAP_Y) + 8
    parts = [*_legend(panels), _text(_WIDTH - 16, 28, x_name, anchor="end", colour=_GREY)]
    for k, panel in enumerate(panels):
        x = _LEFT + (k % columns) * (width + _GAP_X)
        y = _TOP + (k // columns) * (_PANEL_HEIGHT + _GAP_Y)
        parts += _panel(panel, x, y, width, x_range, x_ticks)
    return _document(title, _WIDTH, height, parts)


def _legend(panels: Sequence[Panel]) -> list[str]:
    known = {line.name: line for panel in panels for line in panel.lines}
    parts, x, y = [], float(_LEFT), 52.0
    for name, line in known.items():
        needed = 36 + 7.2 * len(name)
        if x + needed > _WIDTH - 16:
            x, y = float(_LEFT), y + 18
        parts.append(_path(f"M{x:.1f} {y - 4:.1f}h22", line))
        parts.append(_text(x + 28, y, name, colour="#333"))
        x += needed
    return parts


def _panel(
    panel: Panel, x: float, y: float, width: float, x_range: tuple[float, float], x_ticks: Sequence[tuple[float, str]]
) -> list[str]:
    low, high = panel.y_range

    def across(value: float) -> float:
        return x + width * (min(max(value, x_range[0]), x_range[1]) - x_range[0]) / (x_range[1] - x_range[0])

    def down(value: float) -> float:
        return y + _PANEL_HEIGHT * (high - min(max(value, low), high)) / (high - low)

    parts = [_text(x, y - 7, panel.title, colour="#222", weight="600")]
    for value, label in panel.y_ticks:
        parts.append(f'<path d="M{x:.1f} {down(value):.1f}h{width:.1f}" stroke="#e4e4e4"/>')
        parts.append(_text(x - 5, down(value) + 4, label, anchor="end", colour=_GREY, size=10))
    for value, label in x_ticks:
        parts.append(_text(across(value), y + _PANEL_HEIGHT + 15, label, anchor="middle", colour=_GREY, size=10))
    for line in panel.lines:
        if line.points:
            places = [(across(a), down(b)) for a, b in line.points]
            parts.append(_path("M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in places), line))
            if line.dots:
                parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.2" fill="{line.colour}"/>' for a, b in places]
    return parts


def draw_matrix(title: str, matrix: Matrix, note: str) -> str:
    """Return a matrix whose cells go from red (0) over white to green (1)."""
    left, top, cell, line = 150, 92, 76, 30
    width = max(left + cell * len(matrix.columns) + 16, 620)
    parts = [_text(16, 52, note, colour=_GREY)]
    for j, name in enumerate(matrix.columns):
        for k, word in enumerate(name.split("\n")):
            parts.append(
                _text(left + cell * (j + 0.5), top - 22 + 15 * k, word, anchor="middle", colour="#333", size=11)
            )
    for i, (name, row) in enumerate(zip(matrix.rows, matrix.cells, strict=True)):
        y = top + line * i
        parts.append(_text(left - 10, y + 19, name, anchor="end", colour="#333"))
        for j, (shade, words) in enumerate(row):
            x = left + cell * j
            parts.append(f'<rect x="{x}" y="{y}" width="{cell - 2}" height="{line - 2}" fill="{_shade(shade)}"/>')
            parts.append(_text(x + cell / 2 - 1, y + 18, words, anchor="middle", colour="#1a1a1a", size=11))
    return _document(title, width, top + line * len(matrix.rows) + 16, parts)


def _shade(value: float | None) -> str:
    if value is None:
        return "#eeeeee"
    end = (27, 122, 75) if value >= 0.5 else (179, 38, 30)
    strength = 0.75 * abs(2 * value - 1)
    return "#" + "".join(f"{round(255 + (part - 255) * strength):02x}" for part in end)


def _path(where: str, line: Line) -> str:
    dash = ' stroke-dasharray="4 3"' if line.dashed else ""
    return f'<path d="{where}" fill="none" stroke="{line.colour}" stroke-width="1.8"{dash}/>'


def _text(
    x: float, y: float, content: str, *, anchor: str = "start", colour: str = "#222", size: int = 12, weight: str = ""
) -> str:
    bold = f' font-weight="{weight}"' if weight else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" font-size="{size}"{bold}>'
        f"{escape(content)}</text>"
    )


def _document(title: str, width: float, height: float, parts: Sequence[str]) -> str:
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
            f'role="img" aria-label="{escape(title)}" font-family="system-ui, sans-serif">',
            f'<rect width="{width:.0f}" height="{height:.0f}" rx="8" fill="#fff"/>',
            _text(16, 28, title, size=15, weight="600"),
            *parts,
            "</svg>",
            "",
        ]
    )
