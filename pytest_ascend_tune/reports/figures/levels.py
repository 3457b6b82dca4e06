"""Labelled levels of a picture (best, mean, baseline ...) and the light palette; the dark one is in the style sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_ascend_tune.model.verdict import GateResult
from pytest_ascend_tune.reports.figures.canvas import (
    INK,
    WIDTH,
    Canvas,
    apart,
)
from pytest_ascend_tune.reports.figures.svg import FONT_SIZE
from pytest_ascend_tune.reports.messages import say
from pytest_ascend_tune.reports.rounding import number

SIDE_LETTERS = 16  # that fit into the right margin at full size
ROW = 12  # height of a row of labels, in points
# Told apart by dashes, shapes and labels as well.
COLOURS = {
    "stair": "#0a58ca",
    "best": "#b42318",
    "mean": "#1a7f37",
    "untuned": "#57606a",
    "confirmed": "#6f2da8",
    "baseline": "#9a4b00",
    "floor": INK,
}
DOTS, INITIAL, BARS, CURRENT, BAND = "#7d8590", "#eef1f4", "#b6c2cf", "#d3bfe6", "#f3dcc4"
DASHES: Mapping[str, Any] = {
    "best": (0, (5, 3)),
    "mean": (0, (5, 3)),
    "untuned": (0, (2, 3)),
    "confirmed": (0, (9, 2)),
    "baseline": (0, (8, 2, 2, 2)),
    "floor": (0, (1.5, 2)),
}


@dataclass(frozen=True)
class Line:
    """A labelled level: ``kind``, a key of COLOURS, picks colour and dashes."""

    kind: str
    value: float
    label: str


def result_lines(result: GateResult, language: str) -> tuple[Line, ...]:
    """Levels beside the raw trials: the confirmed best, the stored baseline, the floor."""
    lines = []
    if result.confirmation is not None:
        rate = result.confirmation.tflops
        lines.append(Line("confirmed", rate, say("confirmed {rate}", language, rate=number(rate))))
        if result.policy.min_efficiency is not None:
            floor = result.policy.min_efficiency * result.confirmation.peak_tflops
            lines.append(Line("floor", floor, say("floor {rate}", language, rate=number(floor))))
    if result.baseline is not None:
        rate = result.baseline.measurement.tflops
        lines.append(Line("baseline", rate, say("baseline {rate}", language, rate=number(rate))))
    return tuple(lines)


def allowed(result: GateResult) -> tuple[float, float] | None:
    """From the lowest rate that passes to the baseline's, None without a baseline."""
    if result.baseline is None:
        return None
    stored = result.baseline.measurement.tflops
    return stored * (1 - result.policy.threshold), stored


def watermark(language: str, *, simulated: bool) -> str:
    """What a picture of simulated numbers carries, "" for measured ones."""
    return say("simulated", language) if simulated else ""


def frame(
    canvas: Canvas, series: Any, x_ticks: Sequence[float], y_ticks: Sequence[float], *, powers: bool = False
) -> None:
    """Grid, ticks and the names of a series."""
    canvas.frame(series.title, series.watermark, series.x_label, series.y_label, x_ticks, y_ticks, powers=powers)


def empty(canvas: Canvas, note: str) -> None:
    """Say in the middle of the picture why nothing is drawn."""
    canvas.label((canvas.left + canvas.right) / 2, (canvas.bottom + canvas.top) / 2, note, ha="center", size=12)


def level(canvas: Canvas, line: Line, x: Sequence[float], y: Sequence[float]) -> None:
    """Draw one level through data points."""
    canvas.line(x, y, line.kind, COLOURS[line.kind], ls=DASHES[line.kind], lw=1.5)


def side_labels(canvas: Canvas, lines: Sequence[Line]) -> None:
    """Labels of horizontal levels in the right margin, moved apart where they would touch; an arrow for those above."""
    ordered = sorted(lines, key=lambda line: line.value)
    highest = canvas.y[1]
    places = apart([canvas.place(0, min(line.value, highest))[1] for line in ordered], ROW, canvas.top)
    for line, place in zip(ordered, places, strict=True):
        words = line.label if line.value <= highest else f"{line.label} ↑"
        size = FONT_SIZE if len(words) <= SIDE_LETTERS else FONT_SIZE - 2
        canvas.label(canvas.right + 4, place - 3, words, line.kind, COLOURS[line.kind], size=size)


def level_marks(canvas: Canvas, lines: Sequence[Line]) -> None:
    """Vertical levels with their labels above, each in its own row."""
    for row, line in enumerate(sorted(lines, key=lambda line: line.value)):
        level(canvas, line, [line.value] * 2, canvas.y)
        x, y = canvas.place(line.value, canvas.y[1])
        beside, side = (-3, "right") if x > WIDTH / 2 else (3, "left")
        canvas.label(x + beside, y + 4 + ROW * row, line.label, line.kind, COLOURS[line.kind], ha=side)
