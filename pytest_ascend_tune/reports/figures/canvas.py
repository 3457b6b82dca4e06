"""The ground that all pictures are drawn on: a scale, a light grid and labels, placed by hand in points.

matplotlib's own Axes cost more than all the rest of a picture, and a page of 200 problems holds 800 pictures. Artists
stand in the figure with a transform from data: what they hold is the data itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from matplotlib import font_manager
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle, StepPatch
from matplotlib.text import Text
from matplotlib.transforms import Affine2D

from pytest_ascend_tune.reports.figures.svg import FONT_SIZE, text_width

WIDTH, HEIGHT = 380, 260  # of a picture, in points
INK, QUIET, GRID = "#1f2328", "#57606a", "#d8dee4"
_CJK_FONTS = (
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
    "Microsoft YaHei",
    "SimHei",
    "PingFang SC",
    "Heiti SC",
    "Arial Unicode MS",
    "Droid Sans Fallback",
)


@cache
def chinese_font() -> str | None:
    """A font with Chinese characters that matplotlib finds here, None when there is none."""
    names = {entry.name for entry in font_manager.fontManager.ttflist}
    return next((name for name in _CJK_FONTS if name in names), None)


@cache
def _fonts() -> tuple[str, ...]:
    chinese = chinese_font()
    return ("DejaVu Sans", chinese) if chinese else ("DejaVu Sans",)


class Canvas:
    """A figure with one scale. `x`, `y`: range of the data; `box`: left, bottom, right and top margin in points."""

    def __init__(
        self,
        x: tuple[float, float],
        y: tuple[float, float],
        box: tuple[float, float, float, float],
        height: float = HEIGHT,
    ) -> None:
        self.figure = Figure(figsize=(WIDTH / 72, height / 72), facecolor="white")
        self.figure.patch.set_gid("paper")
        left, bottom, right, top = box
        self.x, self.y = x, y
        self.left, self.bottom = left, bottom
        self.right, self.top, self.height = WIDTH - right, height - top, height
        self._x_scale = (self.right - left) / (x[1] - x[0])
        self._y_scale = (self.top - bottom) / (y[1] - y[0])
        to_points = Affine2D().translate(-x[0], -y[0]).scale(self._x_scale, self._y_scale).translate(left, bottom)
        self._points = Affine2D().scale(1 / 72) + self.figure.dpi_scale_trans
        self._data = to_points + self._points

    def place(self, x: float, y: float) -> tuple[float, float]:
        """A data point in points from the lower left corner."""
        return self.left + (x - self.x[0]) * self._x_scale, self.bottom + (y - self.y[0]) * self._y_scale

    def line(self, x: Sequence[float], y: Sequence[float], gid: str, colour: str, **look: Any) -> None:
        """A line (or markers, with ``ls="", marker=...``) through data points."""
        self.figure.add_artist(Line2D(x, y, color=colour, gid=gid, transform=self._data, **look))

    def rule(self, x: Sequence[float], y: Sequence[float], gid: str, colour: str, **look: Any) -> None:
        """A line through places given in points."""
        self.figure.add_artist(Line2D(x, y, color=colour, gid=gid, transform=self._points, **look))

    def area(self, x: tuple[float, float], y: tuple[float, float], gid: str, colour: str) -> None:
        """A filled rectangle of data."""
        corner = (x[0], y[0])
        self.figure.add_artist(
            Rectangle(corner, x[1] - x[0], y[1] - y[0], fc=colour, lw=0, gid=gid, zorder=0, transform=self._data)
        )

    def steps(self, counts: Sequence[float], edges: Sequence[float], gid: str, **look: Any) -> None:
        """A histogram: counts between edges."""
        self.figure.add_artist(
            StepPatch(np.asarray(counts), np.asarray(edges), gid=gid, zorder=1, transform=self._data, **look)
        )

    def label(self, x: float, y: float, words: str, gid: str = "ink", colour: str = INK, **look: Any) -> None:
        """Text at a place given in points."""
        settings: dict[str, Any] = {"size": FONT_SIZE, "family": _fonts(), "parse_math": False} | look
        self.figure.add_artist(Text(x, y, words, color=colour, gid=gid, transform=self._points, **settings))

    def fitting(self, x: float, words: str) -> float:
        """`x`, or as far left of it as a label of normal size needs to end within the picture."""
        return min(x, WIDTH - 4 - text_width(words))

    def frame(
        self,
        title: str,
        watermark: str,
        x_label: str,
        y_label: str,
        x_ticks: Sequence[float],
        y_ticks: Sequence[float],
        *,
        powers: bool = False,
    ) -> None:
        """Grid, ticks and names. `powers`: the data are logarithms to base ten."""
        across, up = [self.place(tick, 0)[0] for tick in x_ticks], [self.place(0, tick)[1] for tick in y_ticks]
        gap = [math.nan]
        grid_x = [value for place in across for value in (place, place, *gap)]
        grid_y = [value for _ in across for value in (self.bottom, self.top, *gap)]
        grid_x += [value for _ in up for value in (self.left, self.right, *gap)]
        grid_y += [value for place in up for value in (place, place, *gap)]
        self.rule(grid_x, grid_y, "grid", GRID, lw=0.7, zorder=0.5)
        for place, tick in zip(across, x_ticks, strict=True):
            words = _tick(tick, powers=powers)
            middle = min(place, WIDTH - 2 - text_width(words, 9) / 2)
            self.label(middle, self.bottom - 4, words, ha="center", va="top", size=9)
        for place, tick in zip(up, y_ticks, strict=True):
            self.label(self.left - 4, place, _tick(tick, powers=powers), ha="right", va="center_baseline", size=9)
        edges = ([self.left, self.left, self.right], [self.top, self.bottom, self.bottom])
        self.rule(*edges, "quiet", QUIET, lw=1)
        self.label(self.right, self.bottom - 18, x_label, ha="right", va="top", size=9)
        self.label(8, self.top + 4, y_label, size=9)
        self.head(title, watermark)

    def head(self, title: str, watermark: str) -> None:
        """The first line of a picture."""
        self.label(8, self.height - 14, title, weight="bold")
        if watermark:
            self.label(WIDTH - 8, self.height - 14, watermark, "best", "#b42318", ha="right", weight="bold")


def round_steps(low: float, high: float, *, whole: bool = False) -> list[float]:
    """About five round positions (1, 2, 2.5, 5 times a power of ten) within the range."""
    if high <= low:
        return [low]
    rough = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough)
    if whole:
        step = max(1.0, round(step))
    first = math.ceil(low / step - 1e-9)
    return [position * step for position in range(first, math.floor(high / step + 1e-9) + 1)]


def log_steps(low: float, high: float) -> list[float]:
    """Powers of ten within the range (of exponents); 2 and 5 times them as well when the range is short."""
    factors = (1, 2, 5) if high - low < 2.5 else (1,)
    powers = range(math.floor(low), math.ceil(high) + 1)
    exponents = [power + math.log10(factor) for power in powers for factor in factors]
    return [exponent for exponent in exponents if low <= exponent <= high]


def apart(places: Sequence[float], gap: float, limit: float) -> list[float]:
    """Ascending places moved up, then down from `limit`, until neighbours are `gap` apart."""
    moved: list[float] = []
    for place in places:
        moved.append(max(place, moved[-1] + gap) if moved else place)
    ceiling = limit
    for position in reversed(range(len(moved))):
        moved[position] = min(moved[position], ceiling)
        ceiling = moved[position] - gap
    return moved


def _tick(value: float, *, powers: bool) -> str:
    return f"{10.0**value:g}" if powers else f"{round(value, 10):g}"
