"""Where a simulated time goes, part by part, and what one step of each parameter would change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import GateResult
from pytest_ascend_tune.reports.figures.canvas import (
    QUIET,
    WIDTH,
    Canvas,
)
from pytest_ascend_tune.reports.figures.levels import (
    BARS,
    INITIAL,
    ROW,
    watermark,
)
from pytest_ascend_tune.reports.figures.picture import Picture, PredictedTime, Source
from pytest_ascend_tune.reports.messages import say, translate
from pytest_ascend_tune.reports.rounding import number, percent

MODEL_ERROR = 0.05  # below this change of a predicted time the simulator's own error decides


@dataclass(frozen=True)
class PredictedSeries:
    """Where a simulated time goes: bars with their words, and the number at the end of each row."""

    told: PredictedTime
    title: str
    parts_label: str
    parts: tuple[tuple[str, float, str], ...]
    steps_label: str
    steps: tuple[tuple[str, float, str], ...]
    watermark: str


def predicted_series(told: PredictedTime, language: str) -> PredictedSeries:
    """Where a simulated time goes, part by part, and one step of each parameter."""
    return PredictedSeries(
        told=told,
        title=say("Predicted time, {id}", language, id=told.problem.id),
        parts_label=say("where the predicted {time} µs go", language, time=number(told.time_us)),
        parts=tuple(
            (translate(name, language), us, f"{number(us)} µs, {percent(us / told.time_us)}") for name, us in told.parts
        ),
        steps_label=say("one legal step of a parameter (shaded: the model's error)", language),
        steps=tuple(
            (f"{step.parameter} {step.before} → {step.after}", step.change, percent(step.change, signed=True).text)
            for step in told.steps
            if step.change is not None
        ),
        watermark=watermark(language, simulated=True),
    )


def predicted_figure(series: PredictedSeries) -> Figure:
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
    for place, (_, _, value_words) in zip(places, rows, strict=True):
        canvas.label(WIDTH - 8, place, value_words, ha="right")
    return y - ROW * (len(rows) + 1)


def _zero_and_scale(span: tuple[float, float]) -> tuple[float, float]:
    """Place of zero and points per unit of bars that stand between the words and the numbers of a row."""
    left, right = 194, WIDTH - 106
    scale = (right - left) / (span[1] - span[0])
    return left - scale * span[0], scale


def read(result: GateResult, series: PredictedSeries) -> Text:
    """Where a simulated time goes."""
    told = series.told
    name, us = max(told.parts, key=lambda part: part[1])
    best = min(
        (step for step in told.steps if step.change is not None), key=lambda step: step.change or 0.0, default=None
    )
    if best is None or best.change is None or best.change > -MODEL_ERROR:
        advice = Text.of(
            "No single step of a parameter saves more than the {error} that the model may be wrong by.",
            error=percent(MODEL_ERROR),
        )
    else:
        advice = Text.of(
            "One step of {parameter}, from {before} to {after}, saves most: {change}.",
            parameter=best.parameter,
            before=best.before,
            after=best.after,
            change=percent(-best.change),
        )
    return Text.of(
        "A model's prediction, no measurement: the largest part of the {time} µs is {part}, {share}. {advice}",
        time=number(told.time_us),
        part=name,
        share=percent(us / told.time_us),
        advice=advice,
    )


def series_of(result: GateResult, source: Source) -> PredictedSeries | None:
    """The picture of a simulated result's prediction."""
    return predicted_series(source.prediction, source.language) if source.prediction else None


PICTURE = Picture("predicted", series_of, predicted_figure, read)
