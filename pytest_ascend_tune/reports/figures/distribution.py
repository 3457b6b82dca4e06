"""Picture 2: how far is the ceiling? A histogram of the valid trials, with best, mean and what was there untuned."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from pytest_ascend_tune.model.distribution import NEAR, Shape, near_share, shape
from pytest_ascend_tune.model.search import Origin, TuningResult
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import GateResult
from pytest_ascend_tune.reports.figures.bins import bin_edges, histogram, span
from pytest_ascend_tune.reports.figures.canvas import (
    Canvas,
    round_steps,
)
from pytest_ascend_tune.reports.figures.levels import (
    BARS,
    DOTS,
    Line,
    empty,
    frame,
    level_marks,
    result_lines,
    watermark,
)
from pytest_ascend_tune.reports.figures.picture import Picture, Source
from pytest_ascend_tune.reports.figures.trials import TrialPoint, trial_points
from pytest_ascend_tune.reports.messages import say, translate
from pytest_ascend_tune.reports.rounding import number, percent

SHAPES: Mapping[Shape, Text] = {
    Shape.SPIKE: Text.of("a rare spike"),
    Shape.PLATEAU: Text.of("a wide plateau"),
    Shape.FEW: Text.of("too few valid trials to tell"),
    Shape.SLOPE: Text.of("neither spike nor plateau"),
}


@dataclass(frozen=True)
class DistributionSeries:
    """Picture 2: how far is the ceiling? ``values``: raw rates of the successful trials."""

    title: str
    x_label: str
    y_label: str
    values: tuple[float, ...]
    edges: tuple[float, ...]
    lines: tuple[Line, ...]
    caption: str
    watermark: str
    empty_label: str
    failed: int
    total: int
    near_best_share: float | None
    shape: Shape | None  # None when nothing is valid


def series_of(result: GateResult, source: Source) -> DistributionSeries:
    """The picture of a result's search."""
    problem = result.tuning.problem
    lines = [line for line in result_lines(result, source.language) if line.kind != "floor"]
    untuned = untuned_rate(result.tuning)
    if untuned is not None:
        lines.append(Line("untuned", untuned, say("untuned {rate}", source.language, rate=number(untuned))))
    return distribution_series(
        trial_points(result),
        title=say("Distribution, {id}", source.language, id=problem.id),
        unit=problem.dtype.rate_unit,
        language=source.language,
        lines=lines,
        simulated=result.tuning.simulated,
    )


def untuned_rate(tuning: TuningResult) -> float | None:
    """What the template's default reached in this search: raw, as the best is; None where it was not measured."""
    default = next((trial for trial in tuning.valid if trial.origin is Origin.DEFAULT), None)
    return None if default is None or default.time_us is None else tuning.problem.tflops(default.time_us)


def distribution_series(
    points: Sequence[TrialPoint], *, title: str, unit: str, language: str, lines: Iterable[Line] = (), simulated: bool
) -> DistributionSeries:
    """Picture 2 from trials; `lines` are added to best and mean."""
    values = tuple(point.rate for point in points if point.rate is not None)
    failed = len(points) - len(values)
    near: float | None = None
    found: Shape | None = None
    own_lines: tuple[Line, ...] = ()
    caption = say(
        "{failed} of {total} trials failed ({share})",
        language,
        failed=failed,
        total=len(points),
        share=percent(failed / len(points) if points else 0.0),
    )
    if values:
        best, mean = max(values), statistics.fmean(values)
        near = near_share(values)
        found = shape(len(values), near)
        own_lines = (
            Line("best", best, say("best {rate}", language, rate=number(best))),
            Line("mean", mean, say("mean {rate}", language, rate=number(mean))),
        )
        caption += "; " + say("{share} near the best", language, share=percent(near))
        caption += ": " + translate(SHAPES[found], language)
    return DistributionSeries(
        title=title,
        x_label=unit,
        y_label=say("trials", language),
        values=values,
        edges=bin_edges(values),
        lines=(*own_lines, *lines),
        caption=caption,
        watermark=watermark(language, simulated=simulated),
        empty_label=say("no trial was valid", language),
        failed=failed,
        total=len(points),
        near_best_share=near,
        shape=found,
    )


def distribution_figure(series: DistributionSeries) -> Figure:
    """Picture 2: histogram of the valid trials, best (red dashed), mean (green dashed), other levels."""
    counts, top = histogram(series.values, series.edges)
    canvas = Canvas(span(series.edges, series.lines), (0, top), (36, 50, 14, 88))
    frame(canvas, series, round_steps(*canvas.x), round_steps(0, top, whole=True))
    if series.values:
        canvas.steps(counts, series.edges, "bars", fill=True, fc=BARS, ec=DOTS, lw=0.8)
    else:
        empty(canvas, series.empty_label)
    level_marks(canvas, series.lines)
    canvas.label(8, 8, series.caption, size=9)
    return canvas.figure


def read(result: GateResult, series: DistributionSeries) -> Text:
    """Picture 2: how far is the ceiling?"""
    if not series.values:
        return Text.of("No trial was valid, so there is no distribution.")
    best, mean = max(series.values), statistics.fmean(series.values)
    assert series.shape is not None
    advice = {
        Shape.SPIKE: Text.of("good configurations are rare spikes: more random search pays little."),
        Shape.PLATEAU: Text.of("there is a wide plateau near the best: a few more trials may still pay a little."),
        Shape.SLOPE: Text.of("good configurations are neither rare nor everywhere."),
        Shape.FEW: Text.of("these are too few trials to tell a spike from a plateau."),
    }[series.shape]
    bars = Text.of(
        "The bars are the {valid} successful trials ({failures}). The best, {best} {unit}, is {ratio:.2f} times the "
        "mean, {mean} {unit}; {near} of the valid trials are within {within:.0%} of the best: {advice}",
        valid=len(series.values),
        failures=Text.of(
            "the {failed} failed ones, {share} of all, are left out",
            failed=series.failed,
            share=percent(series.failed / series.total),
        )
        if series.failed
        else Text.of("none failed"),
        best=number(best),
        unit=result.tuning.problem.dtype.rate_unit,
        ratio=best / mean,
        mean=number(mean),
        near=percent(series.near_best_share),
        within=NEAR,
        advice=advice,
    )
    untuned = next((line.value for line in series.lines if line.kind == "untuned"), None)
    if untuned is None:
        return bars
    return Text.of(
        "{bars} Untuned (the template's default): {rate} {unit}; the best is {ratio:.2f} times that.",
        bars=bars,
        rate=number(untuned),
        unit=result.tuning.problem.dtype.rate_unit,
        ratio=best / untuned,
    )


PICTURE = Picture("distribution", series_of, distribution_figure, read)
