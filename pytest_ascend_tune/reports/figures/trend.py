"""Confirmed rates of the last runs, each with the band that the gate allowed below its own anchor."""

from __future__ import annotations

from dataclasses import dataclass

from matplotlib.figure import Figure

from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import GateResult
from pytest_ascend_tune.reports.figures.canvas import (
    QUIET,
    Canvas,
    round_steps,
)
from pytest_ascend_tune.reports.figures.levels import (
    BAND,
    COLOURS,
    frame,
    watermark,
)
from pytest_ascend_tune.reports.figures.picture import Picture, RecordedRun, Source, Table
from pytest_ascend_tune.reports.figures.svg import text_width
from pytest_ascend_tune.reports.messages import say
from pytest_ascend_tune.reports.rounding import number

MOST_RUNS = 50


@dataclass(frozen=True)
class TrendPoint:
    """One run of the trend, as"""

    recorded_at: str
    rate: float
    fails: bool


@dataclass(frozen=True)
class TrendSeries:
    """Confirmed rates of the last runs, each with the band that the gate allowed below its own anchor: the baseline's
    own build of that very run; None where a run had none."""

    title: str
    x_label: str
    y_label: str
    points: tuple[TrendPoint, ...]
    bands: tuple[tuple[float, float] | None, ...]
    band_label: str
    watermark: str


def trend_series(result: GateResult, source: Source) -> TrendSeries | None:
    """The last runs of a result's problem, oldest first; None with fewer than two: one point is no trend."""
    runs, language = source.runs, source.language
    if len(runs) < 2:
        return None
    problem = result.tuning.problem
    return TrendSeries(
        title=say("Trend, {id}", language, id=problem.id),
        x_label=say("run", language),
        y_label=problem.dtype.rate_unit,
        points=tuple(TrendPoint(run.recorded_at, run.tflops, run.fails) for run in runs[-MOST_RUNS:]),
        bands=tuple(_allowed_then(run, result.policy.threshold) for run in runs[-MOST_RUNS:]),
        band_label=say("allowed below the baseline of each run", language),
        watermark=watermark(language, simulated=result.tuning.simulated),
    )


def _allowed_then(run: RecordedRun, threshold: float) -> tuple[float, float] | None:
    """Of one run: below what the baseline's own build reached in it, for rates of two runs are of two days."""
    if not run.vs_baseline:
        return None
    anchor = run.tflops / run.vs_baseline
    return anchor * (1 - threshold), anchor


def trend_figure(series: TrendSeries) -> Figure:
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
    frame(canvas, series, round_steps(1, count, whole=True), round_steps(*canvas.y))
    canvas.line(range(1, count + 1), rates, "stair", COLOURS["stair"], lw=1)
    for gid, fails, look in (
        ("stair-dots", False, {"color": COLOURS["stair"], "marker": "o", "ms": 4.4, "mew": 0}),
        ("failed", True, {"color": COLOURS["best"], "marker": "x", "ms": 7, "mew": 1.8}),
    ):
        runs = [(run, point.rate) for run, point in enumerate(series.points, start=1) if point.fails is fails]
        canvas.line([run for run, _ in runs], [rate for _, rate in runs], gid, str(look.pop("color")), ls="", **look)
    return canvas.figure


def read(result: GateResult, series: TrendSeries) -> Text:
    """The last runs of a problem."""
    first, last = series.points[0], series.points[-1]
    return Text.of(
        "Confirmed rates of the last {runs} runs, from {first} to {last} {unit}; crosses failed the gate. Across days "
        "the machine's own drift is in it: the trend is advice, never the gate.",
        runs=len(series.points),
        first=number(first.rate),
        last=number(last.rate),
        unit=series.y_label,
    )


def table(series: TrendSeries, language: str) -> Table:
    """When, rate, and whether the gate failed."""
    return Table(
        say("Numbers of the trend", language),
        say("Confirmed rates, oldest first", language),
        (say("run", language), series.y_label, say("gate", language)),
        tuple((point.recorded_at, number(point.rate).text, "✘" if point.fails else "–") for point in series.points),
    )


PICTURE = Picture("trend", trend_series, trend_figure, read, table=table)
