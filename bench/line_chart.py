"""Line charts as SVG, for the documentation: a logarithmic axis of sizes, standard errors as bars."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

# Of equal lightness steps, told apart without colour vision by the order of the legend too.
COLOURS = ("#0b5394", "#b45f06", "#38761d", "#a61c00", "#674ea7", "#555555")
WIDTH, HEIGHT, LEFT, TOP, GAP = 330, 230, 46, 46, 26


@dataclass
class Series:
    """A line: (log10 of the size, value, standard error)."""

    name: str
    points: list[tuple[float, float, float]]


@dataclass
class Panel:
    """One set of axes; `limits` of the values."""

    title: str
    lines: list[Series]
    limits: tuple[float, float]


@dataclass
class Chart:
    """Panels side by side, over one legend."""

    panels: list[Panel]
    axis: str
    note: str

    def svg(self) -> str:
        names = [line.name for line in self.panels[0].lines]
        width = max(640, len(self.panels) * (LEFT + WIDTH + GAP))
        height = TOP + HEIGHT + 52 + 18 * ((len(names) + 1) // 2)
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            'font-family="sans-serif" font-size="12">',
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
            _text(LEFT, 16, self.note, fill="#555555"),
        ]
        for number, panel in enumerate(self.panels):
            parts += _panel(panel, LEFT + number * (LEFT + WIDTH + GAP), self.axis)
        for number, name in enumerate(names):
            x, y = LEFT + number % 2 * 280, TOP + HEIGHT + 54 + 18 * (number // 2)
            parts.append(f'<line x1="{x}" y1="{y}" x2="{x + 22}" y2="{y}" {_stroke(number)}/>')
            parts.append(_text(x + 28, y + 4, name))
        return "\n".join([*parts, "</svg>"]) + "\n"


def _stroke(number: int) -> str:
    return f'stroke="{COLOURS[number]}" stroke-width="2" fill="none"'


def _text(x: float, y: float, text: str, anchor: str = "start", fill: str = "#222222") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}">{escape(text)}</text>'


def _panel(panel: Panel, left: float, axis: str) -> list[str]:
    least, most = panel.limits
    sizes = [x for line in panel.lines for x, _, _ in line.points]
    first, last = min(sizes), max(sizes)

    def place(x: float, y: float) -> tuple[float, float]:
        y = max(least, min(most, y))
        across = (x - first) / (last - first or 1)
        return left + across * WIDTH, TOP + (most - y) / (most - least) * HEIGHT

    parts = [_text(left, TOP - 10, panel.title)]
    for step in range(5):
        value = least + (most - least) * step / 4
        _, y = place(first, value)
        parts.append(f'<line x1="{left}" y1="{y:.1f}" x2="{left + WIDTH}" y2="{y:.1f}" '
                     'stroke="#dddddd"/>')  # fmt: skip
        parts.append(_text(left - 6, y + 4, f"{value:.3g}", "end"))
    for size in sorted(set(sizes)):
        x, _ = place(size, least)
        parts.append(_text(x, TOP + HEIGHT + 16, f"{round(10**size):,}", "middle"))
    parts.append(_text(left + WIDTH / 2, TOP + HEIGHT + 34, axis, "middle", "#555555"))
    for number, line in enumerate(panel.lines):
        points = " ".join("{:.1f},{:.1f}".format(*place(x, y)) for x, y, _ in line.points)
        parts.append(f'<polyline points="{points}" {_stroke(number)}/>')
        for x, y, error in line.points:
            (across, low), (_, high) = place(x, y - error), place(x, y + error)
            parts.append(f'<line x1="{across:.1f}" y1="{low:.1f}" x2="{across:.1f}" '
                         f'y2="{high:.1f}" {_stroke(number)}/>')  # fmt: skip
    return parts
