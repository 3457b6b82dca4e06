"""Where the kernel stands under the roofs of compute and memory."""

from __future__ import annotations

import math
from dataclasses import dataclass

from matplotlib.figure import Figure

from pytest_ascend_tune.model.errors import AscendTuneError
from pytest_ascend_tune.model.hardware import spec
from pytest_ascend_tune.model.search import TuningResult
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import GateResult
from pytest_ascend_tune.reports.figures.canvas import (
    INK,
    QUIET,
    Canvas,
    log_steps,
)
from pytest_ascend_tune.reports.figures.levels import (
    COLOURS,
    ROW,
    frame,
    watermark,
)
from pytest_ascend_tune.reports.figures.picture import Picture, Source
from pytest_ascend_tune.reports.messages import say
from pytest_ascend_tune.reports.rounding import number, percent
from pytest_ascend_tune.reports.text.commands import chip


@dataclass(frozen=True)
class RooflineSeries:
    """Where the kernel stands under the roofs. ``bandwidth`` (1e12 bytes/s) is None where it is not known."""

    title: str
    x_label: str
    y_label: str
    intensity: float  # operations per byte of A, B and C
    rate: float
    baseline_rate: float | None
    peak: float
    bandwidth: float | None
    peak_label: str
    bandwidth_label: str
    point_label: str
    watermark: str

    @property
    def bound(self) -> float:
        """The roof above the point."""
        return self.peak if self.bandwidth is None else min(self.peak, self.bandwidth * self.intensity)


def roofline_series(result: GateResult, language: str, bandwidth: float | None) -> RooflineSeries | None:
    """The confirmed rate under the roofs. `bandwidth`: memory's, in 1e12 bytes/s, None when not known."""
    confirmation = result.confirmation
    if confirmation is None:
        return None
    problem = result.tuning.problem
    unit = problem.dtype.rate_unit
    return RooflineSeries(
        title=say("Roofline, {id}", language, id=problem.id),
        x_label=say("operations per byte", language),
        y_label=unit,
        intensity=problem.flops / problem.operand_bytes,
        rate=confirmation.tflops,
        baseline_rate=result.baseline.measurement.tflops if result.baseline else None,
        peak=confirmation.peak_tflops,
        bandwidth=bandwidth,
        peak_label=say("peak {rate}", language, rate=number(confirmation.peak_tflops)),
        bandwidth_label="" if bandwidth is None else say("memory {rate} TB/s", language, rate=number(bandwidth)),
        point_label=say("confirmed {rate}", language, rate=number(confirmation.tflops)),
        watermark=watermark(language, simulated=result.tuning.simulated),
    )


def memory_bandwidth(tuning: TuningResult) -> float | None:
    """Nominal memory bandwidth of a known chip in 1e12 bytes/s, None for other devices."""
    try:
        return spec(chip(tuning)).hbm_gbyte_per_s / 1000
    except AscendTuneError:
        return None


def roofline_figure(series: RooflineSeries) -> Figure:
    """The confirmed rate (dot) and the baseline (square) under the compute and memory roofs, both axes logarithmic."""
    x, y, peak = math.log10(series.intensity), math.log10(series.rate), math.log10(series.peak)
    slope = None if series.bandwidth is None else math.log10(series.bandwidth)
    ridge = x if slope is None else peak - slope
    left, right = math.floor(min(x, ridge) - 0.6), math.ceil(max(x, ridge) + 0.6)
    rates = [series.rate, series.bound, *([series.baseline_rate] if series.baseline_rate else [])]
    canvas = Canvas((left, right), (math.log10(min(rates) / 2.5), peak + 0.35), (42, 34, 14, 46))
    frame(canvas, series, range(left, right + 1), log_steps(*canvas.y), powers=True)
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


def read(result: GateResult, series: RooflineSeries) -> Text:
    """Where the kernel stands under the roofs."""
    share = percent(series.rate / series.bound)
    if series.bandwidth is None:
        return Text.of(
            "The problem offers {intensity} operations per byte; the kernel reaches {share} of the peak. The memory "
            "bandwidth of this device is not known here, so only the compute roof is drawn.",
            intensity=number(series.intensity),
            share=share,
        )
    kind = (
        Text.of("the compute roof limits it")
        if series.bound == series.peak
        else Text.of("the memory roof limits it before the compute roof does")
    )
    return Text.of(
        "The problem offers {intensity} operations per byte, so {kind}: at most {bound} {unit}. {reached}",
        intensity=number(series.intensity),
        kind=kind,
        bound=number(series.bound),
        unit=series.y_label,
        reached=Text.of("The kernel reaches {share} of that.", share=share)
        if series.rate <= series.bound
        else Text.of(
            "The kernel is faster than that: not all of its operands come from memory, some are still in a cache."
        ),
    )


def series_of(result: GateResult, source: Source) -> RooflineSeries | None:
    """The picture of a result with the memory roof of its device, where that is known."""
    return roofline_series(result, source.language, memory_bandwidth(result.tuning))


PICTURE = Picture("roofline", series_of, roofline_figure, read)
