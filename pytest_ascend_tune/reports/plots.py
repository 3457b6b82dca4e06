"""The pictures, drawn with matplotlib from series.py and from nothing else: SVG for the page, PNG for the run's folder.

Figures are objects of their own (no pyplot, no global state). Each drawn thing carries its name as gid: ``dots`` and
``failed`` (trials), ``stair``, ``best``, ``mean``, ``confirmed``, ``baseline``, ``floor``; the page's style sheet and
the tests find it by that. Axes are drawn by hand: matplotlib's own cost three times the rest of a picture.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from pytest_ascend_tune.model import GateResult
from pytest_ascend_tune.reports import series as drawn
from pytest_ascend_tune.reports.atomic import write_bytes
from pytest_ascend_tune.reports.svg import FONT_SIZE

CONVERGENCE_PNG = "bo_convergence_curve.png"
DISTRIBUTION_PNG = "bo_performance_distribution.png"
WIDTH, HEIGHT = 420, 270  # of a picture, in points
PNG_DPI = 200

# Light palette; the page's style sheet holds the dark twins. Told apart by dashes, shapes and labels as well.
INK, QUIET, GRID = "#1f2328", "#57606a", "#d8dee4"
COLOURS = {
    "stair": "#0a58ca",
    "best": "#b42318",
    "mean": "#1a7f37",
    "confirmed": "#6f2da8",
    "baseline": "#9a4b00",
    "floor": "#1f2328",
}
DASHES: dict[str, Any] = {
    "best": (0, (5, 3)),
    "mean": (0, (5, 3)),
    "confirmed": (0, (9, 2)),
    "baseline": (0, (8, 2, 2, 2)),
    "floor": (0, (1.5, 2)),
}
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


def picture_language(language: str) -> str:
    """The language of PNG pictures: Chinese only where a font has the characters (never squares)."""
    return language if language == "en" or chinese_font() else "en"


def convergence_figure(series: drawn.ConvergenceSeries) -> Figure:
    """Picture 1: grey dots, red crosses at 0, blue staircase, the three signals above, levels as labelled lines."""
    levels = [point.rate for point in series.valid if point.rate is not None] + [line.value for line in series.lines]
    top = 1.06 * max(levels, default=1.0)
    last = max((point.index for point in series.points), default=1)
    figure, axes = _frame(
        series,
        x=(0, last + 1),
        y=(0, top),
        box=(40, 38, WIDTH - 132, HEIGHT - 104),
        x_ticks=_steps(0, last, whole=True),
    )
    if series.initial_trials:
        axes.axvspan(0, series.initial_trials + 0.5, color="#eef1f4", lw=0, zorder=0, gid="initial")
        _text(axes, 0, top, series.initial_label, dx=10, dy=4, gid="quiet", color=QUIET, va="bottom", size=8)
    for line in series.lines:
        axes.plot(
            [0, last + 1], [line.value] * 2, color=COLOURS[line.kind], ls=DASHES[line.kind], lw=1.4, gid=line.kind
        )
    failed = series.failed
    axes.plot(failed, [0.0] * len(failed), "x", color=COLOURS["best"], ms=5, mew=1.3, clip_on=False, gid="failed")
    valid = series.valid
    axes.plot(
        [point.index for point in valid],
        [point.rate or 0.0 for point in valid],
        "o",
        ms=4.4,
        mew=0,
        color="#7d8590",
        gid="dots",
    )
    if series.staircase:
        axes.step(
            [index for index, _ in series.staircase],
            [rate for _, rate in series.staircase],
            where="post",
            color=COLOURS["stair"],
            lw=1.8,
            gid="stair",
        )
    else:
        _empty(axes, series.empty_label)
    _side_labels(axes, series.lines, top)
    _rails(axes, series.rails)
    return figure


def distribution_figure(series: drawn.DistributionSeries) -> Figure:
    """Picture 2: histogram of the valid trials, best (red dashed), mean (green dashed), confirmed and baseline."""
    counts, top = _histogram(series.values, series.edges)
    low, high = _span(series.edges, series.lines)
    figure, axes = _frame(
        series,
        x=(low, high),
        y=(0, top),
        box=(40, 54, WIDTH - 56, HEIGHT - 132),
        x_ticks=_steps(low, high),
        y_ticks=_steps(0, top, whole=True),
    )
    if series.values:
        axes.stairs(counts, series.edges, fill=True, fc="#b6c2cf", ec="#7d8590", lw=0.8, gid="bars")
    else:
        _empty(axes, series.empty_label)
    _level_marks(axes, series.lines, top)
    _caption(figure, series.caption)
    return figure


def comparison_figure(series: drawn.ComparisonSeries) -> Figure:
    """Samples of the confirmation: this run filled, the baseline's own build as an outline over it."""
    current, _ = _histogram(series.current, series.edges)
    baseline, _ = _histogram(series.baseline, series.edges)
    top = 1.08 * max(1, current.max(), baseline.max())
    low, high = _span(series.edges, series.lines)
    figure, axes = _frame(
        series,
        x=(low, high),
        y=(0, top),
        box=(40, 54, WIDTH - 56, HEIGHT - 120),
        x_ticks=_steps(low, high),
        y_ticks=_steps(0, top, whole=True),
    )
    axes.stairs(current, series.edges, fill=True, fc="#d3bfe6", ec="#d3bfe6", lw=0.5, gid="current")
    axes.stairs(baseline, series.edges, fill=False, ec=COLOURS["baseline"], lw=1.4, gid="baseline")
    _level_marks(axes, series.lines, top)
    _caption(figure, series.caption)
    return figure


def roofline_figure(series: drawn.RooflineSeries) -> Figure:
    """The confirmed rate (dot) and the baseline (ring) under the compute and memory roofs, both axes logarithmic."""
    known = [series.intensity] if series.bandwidth is None else [series.intensity, series.peak / series.bandwidth]
    left, right = _decades(min(known) / 4), math.ceil(math.log10(max(known) * 4))
    rates = [series.rate, series.bound] + ([series.baseline_rate] if series.baseline_rate else [])
    bottom, top = math.log10(min(rates) / 2.5), math.log10(series.peak * 2.2)
    figure, axes = _frame(
        series,
        x=(left, right),
        y=(bottom, top),
        box=(40, 38, WIDTH - 56, HEIGHT - 84),
        x_ticks=range(left, right + 1),
        y_ticks=_log_steps(bottom, top),
        logarithmic=True,
    )
    peak = math.log10(series.peak)
    x, y = math.log10(series.intensity), math.log10(series.rate)
    if series.bandwidth is None:
        roof_x, roof_y = [float(left), float(right)], [peak, peak]
    else:
        ridge = math.log10(series.peak / series.bandwidth)
        roof_x = [max(left, bottom - math.log10(series.bandwidth)), ridge, right]
        roof_y = [roof_x[0] + math.log10(series.bandwidth), peak, peak]
        middle = (roof_x[0] + ridge) / 2
        _text(
            axes, middle, middle + math.log10(series.bandwidth), series.bandwidth_label, dx=-5, ha="right", va="bottom"
        )
    axes.plot(roof_x, roof_y, color=INK, lw=1.6, gid="roof")
    _text(axes, right, peak, series.peak_label, ha="right", va="bottom")
    axes.plot([x, x], [y, math.log10(series.bound)], color=QUIET, lw=0.8, ls=(0, (2, 2)), gid="quiet")
    if series.baseline_rate:
        baseline = COLOURS["baseline"]
        axes.plot([x], [math.log10(series.baseline_rate)], "s", ms=9, mfc="none", mec=baseline, mew=1.4, gid="baseline")
    axes.plot([x], [y], "o", ms=6, mew=0, color=COLOURS["confirmed"], gid="confirmed")
    to_left = x - left > 0.55 * (right - left)
    _text(
        axes,
        x,
        y,
        series.point_label,
        dx=-8 if to_left else 8,
        ha="right" if to_left else "left",
        va="top",
    )
    return figure


def trend_figure(series: drawn.TrendSeries) -> Figure:
    """Confirmed rates of the last runs, the band that the gate allows, failed runs as crosses."""
    rates = [point.rate for point in series.points] + list(series.band or ())
    low, high = min(rates), max(rates)
    margin = max(high - low, 0.04 * high) * 0.25
    count = len(series.points)
    figure, axes = _frame(
        series,
        x=(0.5, count + 0.5),
        y=(max(0.0, low - margin), high + margin),
        box=(48, 38, WIDTH - 64, HEIGHT - 84),
        x_ticks=_steps(1, count, whole=True),
    )
    if series.band is not None:
        axes.axhspan(*series.band, color="#f3dcc4", lw=0, zorder=0, gid="band")
        _text(axes, 0.6, series.band[0], series.band_label, gid="quiet", color=QUIET, va="bottom", size=8)
    runs = np.arange(1, count + 1)
    values = np.array([point.rate for point in series.points])
    failing = np.array([point.fails for point in series.points])
    axes.plot(runs, values, "-", color=COLOURS["stair"], lw=1, gid="stair")
    for run, point in zip(runs, series.points, strict=True):
        if point.interval is not None:
            axes.plot([run, run], point.interval, color=COLOURS["stair"], lw=1.2, gid="stair")
    axes.plot(runs[~failing], values[~failing], "o", ms=4.4, mew=0, color=COLOURS["stair"], gid="stair-dots")
    axes.plot(runs[failing], values[failing], "x", ms=7, mew=1.8, color=COLOURS["best"], gid="failed")
    return figure


def png(figure: Figure) -> bytes:
    """The figure as PNG, the same bytes for the same picture."""
    buffer = io.BytesIO()
    FigureCanvasAgg(figure)
    figure.savefig(buffer, format="png", dpi=PNG_DPI, metadata={"Software": "pytest-ascend-tune"})
    return buffer.getvalue()


def write_pictures(
    convergence: drawn.ConvergenceSeries, distribution: drawn.DistributionSeries, folder: Path
) -> tuple[Path, Path]:
    """Write both PNGs into `folder` (atomically, by their fixed names)."""
    paths = folder / CONVERGENCE_PNG, folder / DISTRIBUTION_PNG
    write_bytes(paths[0], png(convergence_figure(convergence)))
    write_bytes(paths[1], png(distribution_figure(distribution)))
    return paths


def write_run_pictures(result: GateResult, folder: Path, *, language: str = "en") -> tuple[Path, Path]:
    """Both PNGs of one result, drawn from its trials."""
    return write_pictures(*drawn.pictures_of(result, picture_language(language)), folder)


def _frame(
    series: Any,
    *,
    x: tuple[float, float],
    y: tuple[float, float],
    box: tuple[float, float, float, float],
    x_ticks: Sequence[float],
    y_ticks: Sequence[float] | None = None,
    logarithmic: bool = False,
) -> tuple[Figure, Axes]:
    """An empty picture: title, axes with few ticks, light grid. `box`: left, bottom, width, height in points."""
    figure = Figure(figsize=(WIDTH / 72, HEIGHT / 72), facecolor="white")
    figure.patch.set_gid("paper")
    left, bottom, width, height = box
    axes = figure.add_axes((left / WIDTH, bottom / HEIGHT, width / WIDTH, height / HEIGHT))
    axes.set_axis_off()
    axes.set_xlim(*x)
    axes.set_ylim(*y)
    y_ticks = _steps(*y) if y_ticks is None else y_ticks
    for tick in y_ticks:
        axes.plot(x, [tick] * 2, color=GRID, lw=0.7, gid="grid", zorder=0.5)
        _text(axes, x[0], tick, _tick(tick, logarithmic), dx=-4, ha="right", va="center_baseline", size=9)
    for tick in x_ticks:
        axes.plot([tick] * 2, y, color=GRID, lw=0.7, gid="grid", zorder=0.5)
        _text(axes, tick, y[0], _tick(tick, logarithmic), dy=-4, ha="center", va="top", size=9)
    axes.plot([x[0], x[0], x[1]], [y[1], y[0], y[0]], color=QUIET, lw=1, gid="quiet", zorder=1, clip_on=False)
    _text(axes, x[1], y[0], series.x_label, dy=-17, ha="right", va="top", size=9)
    _text(axes, x[0], y[1], series.y_label, dx=8 - left, dy=4, va="bottom", size=9)
    _heading(figure, series)
    return figure, axes


def _heading(figure: Figure, series: Any) -> None:
    y = 1 - 14 / HEIGHT
    figure.text(8 / WIDTH, y, series.title, color=INK, weight="bold", size=11, parse_math=False, gid="ink", **_fonts())
    if series.watermark:
        figure.text(
            1 - 8 / WIDTH,
            y,
            series.watermark,
            ha="right",
            color=COLOURS["best"],
            weight="bold",
            size=11,
            parse_math=False,
            gid="best",
            **_fonts(),
        )


def _caption(figure: Figure, words: str) -> None:
    figure.text(8 / WIDTH, 8 / HEIGHT, words, color=INK, size=9.5, parse_math=False, gid="ink", **_fonts())


def _text(axes: Axes, x: float, y: float, label: str, *, dx: float = 0, dy: float = 0, **look: Any) -> None:
    """A label at a data point, moved by (dx, dy) points."""
    settings: dict[str, Any] = {"color": INK, "gid": "ink", "size": FONT_SIZE, "parse_math": False}
    settings |= {"annotation_clip": False} | _fonts()
    axes.annotate(label, (x, y), (dx, dy), textcoords="offset points", **(settings | look))


def _fonts() -> dict[str, Any]:
    """Fonts of every text: matplotlib's own first, then one with Chinese characters where there is one."""
    chinese = chinese_font()
    return {"family": ["DejaVu Sans", chinese] if chinese else ["DejaVu Sans"]}


def _empty(axes: Axes, note: str) -> None:
    axes.text(
        0.5,
        0.5,
        note,
        transform=axes.transAxes,
        ha="center",
        color=INK,
        size=12,
        parse_math=False,
        gid="ink",
        **_fonts(),
    )


def _side_labels(axes: Axes, lines: Sequence[drawn.Line], top: float) -> None:
    """Labels of horizontal levels in the right margin, moved apart where they would touch."""
    height = axes.get_position().height * HEIGHT
    ordered = sorted(lines, key=lambda line: line.value)
    places = _apart([line.value / top * height for line in ordered], 12.0, height)
    right = axes.get_xlim()[1]
    for line, place in zip(ordered, places, strict=True):
        _text(axes, right, 0, line.label, dx=4, dy=place, va="center_baseline", color=COLOURS[line.kind], gid=line.kind)


def _apart(places: Sequence[float], gap: float, limit: float) -> list[float]:
    """Ascending places moved up, then down from `limit`, until neighbours are `gap` apart."""
    moved: list[float] = []
    for place in places:
        moved.append(max(place, moved[-1] + gap) if moved else place)
    ceiling = limit
    for position in reversed(range(len(moved))):
        moved[position] = min(moved[position], ceiling)
        ceiling = moved[position] - gap
    return moved


def _rails(axes: Axes, rails: Sequence[drawn.Rail]) -> None:
    """The three signals as thin rows above the picture, on the same trial axis; their words in the right margin."""
    low, high = axes.get_xlim()
    height = axes.get_position().height * HEIGHT
    to_points = axes.get_xaxis_transform()
    for row, rail in enumerate(rails):
        offset = 38 - 12 * row
        y = 1 + offset / height
        settings: dict[str, Any] = {"transform": to_points, "clip_on": False, "gid": "rail", "color": COLOURS["stair"]}
        axes.plot([low, high], [y, y], **(settings | {"color": GRID, "gid": "grid"}), lw=0.8)
        for start, end in rail.spans:
            axes.plot([start, end], [y, y], **settings, lw=4, solid_capstyle="butt")
        if rail.ticks:
            axes.plot(rail.ticks, [y] * len(rail.ticks), "|", **settings, ms=8, mew=1.6)
        _text(axes, high, axes.get_ylim()[1], rail.label, dx=4, dy=offset, va="center_baseline", size=8.5)


def _level_marks(axes: Axes, lines: Sequence[drawn.Line], top: float) -> None:
    """Vertical levels with their labels above, each in its own row."""
    low, high = axes.get_xlim()
    for row, line in enumerate(sorted(lines, key=lambda line: line.value)):
        axes.plot([line.value] * 2, [0, top], color=COLOURS[line.kind], ls=DASHES[line.kind], lw=1.5, gid=line.kind)
        to_left = line.value > (low + high) / 2
        _text(
            axes,
            line.value,
            top,
            line.label,
            dx=-3 if to_left else 3,
            dy=4 + 12 * row,
            ha="right" if to_left else "left",
            color=COLOURS[line.kind],
            gid=line.kind,
        )


def _histogram(values: Sequence[float], edges: Sequence[float]) -> tuple[Any, float]:
    if not values:
        return np.zeros(0), 1.0
    counts, _ = np.histogram(values, bins=np.asarray(edges))
    return counts, 1.08 * counts.max()


def _span(edges: Sequence[float], lines: Sequence[drawn.Line]) -> tuple[float, float]:
    """Range of an axis that holds all bins and levels with a little air."""
    values = [*edges, *(line.value for line in lines)] or [0.0, 1.0]
    low, high = min(values), max(values)
    air = 0.04 * ((high - low) or abs(high) or 1.0)
    return low - air, high + air


def _steps(low: float, high: float, *, whole: bool = False) -> list[float]:
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


def _log_steps(low: float, high: float) -> list[float]:
    """Powers of ten within the range (of exponents); 2 and 5 times them as well when the range is short."""
    factors = (1, 2, 5) if high - low < 2.5 else (1,)
    exponents = [
        power + math.log10(factor) for power in range(math.floor(low), math.ceil(high) + 1) for factor in factors
    ]
    return [exponent for exponent in exponents if low <= exponent <= high]


def _decades(value: float) -> int:
    return math.floor(math.log10(value))


def _tick(value: float, logarithmic: bool) -> str:
    if logarithmic:
        return f"{10.0**value:g}"
    return f"{round(value, 10):g}"
