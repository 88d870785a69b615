"""One drawing: a few horizontal bars and a line across them, as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

__all__ = ["bar_chart"]

_WIDTH, _LEFT, _RIGHT, _TOP, _STEP = 640, 160, 90, 56, 40
_COLOURS = ("#6b6b6b", "#1f5fa8", "#1b7a4b")


def bar_chart(title: str, bars: Sequence[tuple[str, float]], line: float) -> str:
    """Return an SVG drawing of bars with their names on the left and their numbers on the right.

    Parameters
    ----------
    title : str
    bars : sequence of (str, float)
        Finite, 0 or more; larger than all others if infinite.
    line : float
        Where a vertical line is drawn, above 0.
    """
    height = _TOP + _STEP * len(bars) + 12
    finite = [value for _, value in bars if value < float("inf")]
    largest = max([line, *finite])
    scale = (_WIDTH - _LEFT - _RIGHT) / (1.1 * largest)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-label="{escape(title)}" font-family="system-ui, sans-serif" font-size="13">',
        f'<rect width="{_WIDTH}" height="{height}" rx="8" fill="#fff"/>',
        f'<text x="16" y="28" fill="#222" font-size="15" font-weight="600">{escape(title)}</text>',
    ]
    for k, (name, value) in enumerate(bars):
        y = _TOP + _STEP * k
        width = scale * min(value, 1.1 * largest)
        colour = _COLOURS[k % len(_COLOURS)] if value <= line * (1 + 1e-9) else "#b3261e"
        parts.append(f'<text x="{_LEFT - 10}" y="{y + 17}" text-anchor="end" fill="#444">{escape(name)}</text>')
        parts.append(f'<rect x="{_LEFT}" y="{y}" width="{width:.1f}" height="24" fill="{colour}"/>')
        parts.append(f'<text x="{_LEFT + width + 6:.1f}" y="{y + 17}" fill="#222">{value:.4g}</text>')
    x = _LEFT + scale * line
    parts.append(f'<path d="M{x:.1f} {_TOP - 8}V{height - 12}" stroke="#222" stroke-dasharray="4 3"/>')
    return "\n".join([*parts, "</svg>", ""])
