"""The pictures, drawn with matplotlib from series.py and from nothing else: SVG for the page, PNG for the run's folder.

Figures are objects of their own (no pyplot, no global state). Each drawn thing carries its name as gid: ``dots`` and
``failed`` (trials), ``stair``, ``best``, ``mean``, ``confirmed``, ``baseline``, ``floor``; the page's style sheet and
the tests find it by that.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from pytest_ascend_tune.files.workspace import PICTURE_SIGN, check_replaceable, replace_bytes
from pytest_ascend_tune.model.errors import SettingsError
from pytest_ascend_tune.model.verdict import GateResult
from pytest_ascend_tune.reports.figures import pictures as drawn
from pytest_ascend_tune.reports.figures.canvas import (
    GRID,
    INK,
    QUIET,
    WIDTH,
    Canvas,
    apart,
    chinese_font,
    log_steps,
    round_steps,
)
from pytest_ascend_tune.reports.figures.series import pictures_of
from pytest_ascend_tune.reports.figures.svg import FONT_SIZE, text_width
from pytest_ascend_tune.reports.sentences import MODEL_ERROR

CONVERGENCE_PNG = "bo_convergence_curve.png"
DISTRIBUTION_PNG = "bo_performance_distribution.png"
PNG_DPI = 220
FAR_LEVEL = 3.0  # times the best dot: a level above that is named with an arrow, so that the dots stay readable
SIDE_LETTERS = 16  # that fit into the right margin at full size
ROW = 12  # height of a row of labels, in points

# Light palette; the page's style sheet holds the dark twins. Told apart by dashes, shapes and labels as well.
COLOURS = {
    "stair": "#0a58ca",
    "best": "#b42318",
    "mean": "#1a7f37",
    "confirmed": "#6f2da8",
    "baseline": "#9a4b00",
    "floor": INK,
}
DOTS, INITIAL, BARS, CURRENT, BAND = "#7d8590", "#eef1f4", "#b6c2cf", "#d3bfe6", "#f3dcc4"
DASHES: dict[str, Any] = {
    "best": (0, (5, 3)),
    "mean": (0, (5, 3)),
    "confirmed": (0, (9, 2)),
    "baseline": (0, (8, 2, 2, 2)),
    "floor": (0, (1.5, 2)),
}


def picture_language(language: str) -> str:
    """The language of PNG pictures: Chinese only where a font has the characters (never squares)."""
    return language if language == "en" or chinese_font() else "en"


def convergence_figure(series: drawn.ConvergenceSeries) -> Figure:
    """Picture 1: grey dots, red crosses at 0, blue staircase, the three signals above, levels as labelled lines."""
    valid, failed = series.valid, series.failed
    rates = [point.rate for point in valid if point.rate is not None]
    highest = max(rates, default=math.inf)
    near = [line.value for line in series.lines if line.value <= FAR_LEVEL * highest]
    top = 1.06 * max([*rates, *near], default=1.0)
    last = max((point.index for point in series.points), default=1)
    canvas = Canvas((0, last + 1), (0, top), (42, 34, 98, 68))
    if series.initial_trials:
        canvas.area((0, series.initial_trials + 0.5), (0, top), "initial", INITIAL)
        canvas.label(canvas.left + 18, canvas.top + 4, series.initial_label, "quiet", QUIET, size=9)
    if series.band is not None and series.band[1] <= top:
        canvas.area((0, last + 1), series.band, "band", BAND)
    _frame(canvas, series, round_steps(0, last, whole=True), round_steps(0, top))
    for line in series.lines:
        if line.value <= top:
            _level(canvas, line, [0, last + 1], [line.value] * 2)
    canvas.line(failed, [0.0] * len(failed), "failed", COLOURS["best"], ls="", marker="x", ms=5, mew=1.3)
    canvas.line([point.index for point in valid], rates, "dots", DOTS, ls="", marker="o", ms=4.4, mew=0)
    if series.staircase:
        trials, best = zip(*series.staircase, strict=True)
        canvas.line(trials, best, "stair", COLOURS["stair"], lw=1.8, drawstyle="steps-post")
    else:
        _empty(canvas, series.empty_label)
    _side_labels(canvas, series.lines)
    _rails(canvas, series.rails)
    return canvas.figure


def distribution_figure(series: drawn.DistributionSeries) -> Figure:
    """Picture 2: histogram of the valid trials, best (red dashed), mean (green dashed), confirmed and baseline."""
    counts, top = _histogram(series.values, series.edges)
    canvas = Canvas(_span(series.edges, series.lines), (0, top), (36, 50, 14, 76))
    _frame(canvas, series, round_steps(*canvas.x), round_steps(0, top, whole=True))
    if series.values:
        canvas.steps(counts, series.edges, "bars", fill=True, fc=BARS, ec=DOTS, lw=0.8)
    else:
        _empty(canvas, series.empty_label)
    _level_marks(canvas, series.lines)
    canvas.label(8, 8, series.caption, size=9)
    return canvas.figure


def comparison_figure(series: drawn.ComparisonSeries) -> Figure:
    """Samples of the confirmation: this run filled, the baseline's own build as an outline over it."""
    current, highest = _histogram(series.current, series.edges)
    baseline, higher = _histogram(series.baseline, series.edges)
    canvas = Canvas(_span(series.edges, series.lines), (0, max(highest, higher)), (36, 36, 14, 60))
    _frame(canvas, series, round_steps(*canvas.x), round_steps(*canvas.y, whole=True))
    canvas.steps(current, series.edges, "current", fill=True, fc=CURRENT, ec=CURRENT, lw=0.5)
    canvas.steps(baseline, series.edges, "baseline", fill=False, ec=COLOURS["baseline"], lw=1.4)
    _level_marks(canvas, series.lines)
    return canvas.figure


def roofline_figure(series: drawn.RooflineSeries) -> Figure:
    """The confirmed rate (dot) and the baseline (square) under the compute and memory roofs, both axes logarithmic."""
    x, y, peak = math.log10(series.intensity), math.log10(series.rate), math.log10(series.peak)
    slope = None if series.bandwidth is None else math.log10(series.bandwidth)
    ridge = x if slope is None else peak - slope
    left, right = math.floor(min(x, ridge) - 0.6), math.ceil(max(x, ridge) + 0.6)
    rates = [series.rate, series.bound, *([series.baseline_rate] if series.baseline_rate else [])]
    canvas = Canvas((left, right), (math.log10(min(rates) / 2.5), peak + 0.35), (42, 34, 14, 46))
    _frame(canvas, series, range(left, right + 1), log_steps(*canvas.y), powers=True)
    if slope is None:
        canvas.line([left, right], [peak, peak], "roof", INK, lw=1.6)
    else:
        start = max(left, canvas.y[0] - slope)
        canvas.line([start, ridge, right], [start + slope, peak, peak], "roof", INK, lw=1.6)
        foot_x, foot_y = canvas.place(start, start + slope)
        next_x, next_y = canvas.place(start + 1, start + slope + 1)
        aside = 6 + ROW * (next_x - foot_x) / (next_y - foot_y)  # right of the slope at the height of the letters
        canvas.label(canvas.fitting(foot_x + aside, series.bandwidth_label), foot_y + 4, series.bandwidth_label)
    peak_x, peak_y = canvas.place(right, peak)
    canvas.label(peak_x, peak_y + 4, series.peak_label, ha="right")
    canvas.line([x, x], [y, math.log10(series.bound)], "quiet", QUIET, lw=0.8, ls=(0, (2, 2)))
    if series.baseline_rate:
        look = {"ls": "", "marker": "s", "ms": 9, "mfc": "none", "mew": 1.4}
        canvas.line([x], [math.log10(series.baseline_rate)], "baseline", COLOURS["baseline"], **look)
    canvas.line([x], [y], "confirmed", COLOURS["confirmed"], ls="", marker="o", ms=6, mew=0)
    point_x, point_y = canvas.place(x, y)
    place = canvas.fitting(point_x + 6, series.point_label)
    canvas.label(place, point_y - 16, series.point_label, "confirmed", COLOURS["confirmed"])
    return canvas.figure


def predicted_figure(series: drawn.PredictedSeries) -> Figure:
    """Where a simulated time goes: a row a part, then a row a step of one parameter, each with its number."""
    height = 40 + ROW * (len(series.parts) + len(series.steps) + 1.5)
    canvas = Canvas((0, WIDTH), (0, height), (0, 0, 0, 0), height)  # data are points
    canvas.head(series.title, series.watermark)
    longest = max(us for _, us, _ in series.parts)
    y = _rows(canvas, height - 30, series.parts_label, series.parts, (0.0, longest))
    changes = [change for _, change, _ in series.steps]
    span = min([*changes, -MODEL_ERROR]), max([*changes, MODEL_ERROR])
    zero, scale = _zero_and_scale(span)
    first, last = y - 0.5 * ROW - 3, y - ROW * (len(series.steps) + 0.5) - 3
    canvas.area((zero - scale * MODEL_ERROR, zero + scale * MODEL_ERROR), (last, first), "initial", INITIAL)
    _rows(canvas, y - 0.5 * ROW, series.steps_label, series.steps, span)
    return canvas.figure


def trend_figure(series: drawn.TrendSeries) -> Figure:
    """Confirmed rates of the last runs, the band that the gate allows, failed runs as crosses."""
    rates = [point.rate for point in series.points]
    shown = [*rates, *(rate for band in series.bands if band for rate in band)]
    low, high = min(shown), max(shown)
    air = 0.15 * max(high - low, 0.04 * high)
    count = len(series.points)
    canvas = Canvas((0.5, count + 0.5), (max(0.0, low - air), high + air), (44, 34, 14, 46))
    for run, band in enumerate(series.bands, start=1):
        if band is not None:
            canvas.area((run - 0.5, run + 0.5), band, "band", BAND)
    if any(series.bands):
        # Its name stands above the picture: within, the curve would cross it.
        start, y = canvas.right - text_width(series.band_label, 9) - 6, canvas.top + 4
        canvas.rule([start - 12, start], [y + 3, y + 3], "band", BAND, lw=7, solid_capstyle="butt")
        canvas.label(canvas.right, y, series.band_label, "quiet", QUIET, size=9, ha="right")
    _frame(canvas, series, round_steps(1, count, whole=True), round_steps(*canvas.y))
    canvas.line(range(1, count + 1), rates, "stair", COLOURS["stair"], lw=1)
    for gid, fails, look in (
        ("stair-dots", False, {"color": COLOURS["stair"], "marker": "o", "ms": 4.4, "mew": 0}),
        ("failed", True, {"color": COLOURS["best"], "marker": "x", "ms": 7, "mew": 1.8}),
    ):
        runs = [(run, point.rate) for run, point in enumerate(series.points, start=1) if point.fails is fails]
        canvas.line([run for run, _ in runs], [rate for _, rate in runs], gid, str(look.pop("color")), ls="", **look)
    return canvas.figure


def png(figure: Figure) -> bytes:
    """The figure as PNG, the same bytes for the same picture."""
    buffer = io.BytesIO()
    FigureCanvasAgg(figure)
    figure.savefig(buffer, format="png", dpi=PNG_DPI, metadata={"Software": "pytest-ascend-tune"})
    return buffer.getvalue()


def picture(figure: Figure, suffix: str) -> bytes:
    """The figure in the form that a file's suffix names. Raises SettingsError for others than png, svg and pdf."""
    kind = suffix.lower().removeprefix(".") or "png"
    if kind == "png":
        return png(figure)
    if kind not in ("svg", "pdf"):
        raise SettingsError(f"{suffix!r}: pictures are drawn as png, svg or pdf; name the file so")
    buffer = io.BytesIO()
    figure.savefig(buffer, format=kind, metadata={"Creator": "pytest-ascend-tune"})
    return buffer.getvalue()


def write_pictures(
    convergence: drawn.ConvergenceSeries, distribution: drawn.DistributionSeries, folder: Path
) -> tuple[Path, Path]:
    """Write both PNGs into `folder` (atomically, by their fixed names).

    Raises RecordError, with nothing written, when a file of one of these names is not ours.
    """
    paths = folder / CONVERGENCE_PNG, folder / DISTRIBUTION_PNG
    for path in paths:
        check_replaceable(path, PICTURE_SIGN)
    replace_bytes(paths[0], png(convergence_figure(convergence)), PICTURE_SIGN)
    replace_bytes(paths[1], png(distribution_figure(distribution)), PICTURE_SIGN)
    return paths


def write_run_pictures(result: GateResult, folder: Path, *, language: str = "en") -> tuple[Path, Path]:
    """Both PNGs of one result, drawn from its trials."""
    return write_pictures(*pictures_of(result, picture_language(language)), folder)


def _frame(
    canvas: Canvas, series: Any, x_ticks: Sequence[float], y_ticks: Sequence[float], *, powers: bool = False
) -> None:
    canvas.frame(series.title, series.watermark, series.x_label, series.y_label, x_ticks, y_ticks, powers=powers)


def _empty(canvas: Canvas, note: str) -> None:
    canvas.label((canvas.left + canvas.right) / 2, (canvas.bottom + canvas.top) / 2, note, ha="center", size=12)


def _level(canvas: Canvas, line: drawn.Line, x: Sequence[float], y: Sequence[float]) -> None:
    canvas.line(x, y, line.kind, COLOURS[line.kind], ls=DASHES[line.kind], lw=1.5)


def _side_labels(canvas: Canvas, lines: Sequence[drawn.Line]) -> None:
    """Labels of horizontal levels in the right margin, moved apart where they would touch; an arrow for those above."""
    ordered = sorted(lines, key=lambda line: line.value)
    highest = canvas.y[1]
    places = apart([canvas.place(0, min(line.value, highest))[1] for line in ordered], ROW, canvas.top)
    for line, place in zip(ordered, places, strict=True):
        words = line.label if line.value <= highest else f"{line.label} ↑"
        size = FONT_SIZE if len(words) <= SIDE_LETTERS else FONT_SIZE - 2
        canvas.label(canvas.right + 4, place - 3, words, line.kind, COLOURS[line.kind], size=size)


def _rails(canvas: Canvas, rails: Sequence[drawn.Rail]) -> None:
    """The three signals as thin rows above the picture, on the same trial axis; their words in the right margin."""
    for row, rail in enumerate(rails):
        y = canvas.top + 42 - ROW * row
        canvas.rule([canvas.left, canvas.right], [y, y], "grid", GRID, lw=0.8)
        for span in rail.spans:
            canvas.rule(
                [canvas.place(end, 0)[0] for end in span], [y, y], "rail", COLOURS["stair"], lw=4,
                solid_capstyle="butt",
            )  # fmt: skip
        if rail.ticks:
            ticks = [canvas.place(tick, 0)[0] for tick in rail.ticks]
            canvas.rule(ticks, [y] * len(ticks), "rail", COLOURS["stair"], ls="", marker="|", ms=8, mew=1.6)
        canvas.label(canvas.right + 4, y - 3, rail.label, size=9)


def _level_marks(canvas: Canvas, lines: Sequence[drawn.Line]) -> None:
    """Vertical levels with their labels above, each in its own row."""
    for row, line in enumerate(sorted(lines, key=lambda line: line.value)):
        _level(canvas, line, [line.value] * 2, canvas.y)
        x, y = canvas.place(line.value, canvas.y[1])
        beside, side = (-3, "right") if x > WIDTH / 2 else (3, "left")
        canvas.label(x + beside, y + 4 + ROW * row, line.label, line.kind, COLOURS[line.kind], ha=side)


def _rows(
    canvas: Canvas, y: float, heading: str, rows: Sequence[tuple[str, float, str]], span: tuple[float, float]
) -> float:
    """A heading and under it rows of words, a bar from zero and a number. Returns where the next row would stand."""
    zero, scale = _zero_and_scale(span)
    canvas.label(8, y, heading, "quiet", QUIET)
    places = [y - ROW * (position + 1) for position in range(len(rows))]
    for place, (words, value, _) in zip(places, rows, strict=True):
        canvas.label(8, place, words)
        if value:
            end = zero + scale * value
            canvas.area((min(zero, end), max(zero, end)), (place - 1, place + 7), "bars", BARS)
    for place, (_, _, number) in zip(places, rows, strict=True):
        canvas.label(WIDTH - 8, place, number, ha="right")
    return y - ROW * (len(rows) + 1)


def _zero_and_scale(span: tuple[float, float]) -> tuple[float, float]:
    """Place of zero and points per unit of bars that stand between the words and the numbers of a row."""
    left, right = 194, WIDTH - 106
    scale = (right - left) / (span[1] - span[0])
    return left - scale * span[0], scale


def _histogram(values: Sequence[float], edges: Sequence[float]) -> tuple[Any, float]:
    """Counts per bin and the height of an axis that holds them."""
    if not values:
        return np.zeros(0), 1.08
    counts, _ = np.histogram(values, bins=np.asarray(edges))
    return counts, 1.08 * float(counts.max())


def _span(edges: Sequence[float], lines: Sequence[drawn.Line]) -> tuple[float, float]:
    """Range of an axis that holds all bins and levels with a little air."""
    values = [*edges, *(line.value for line in lines)] or [0.0, 1.0]
    low, high = min(values), max(values)
    air = 0.04 * ((high - low) or abs(high) or 1.0)
    return low - air, high + air
