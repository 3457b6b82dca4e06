"""The picture of one core's pipes over the first tiles: a bar for each instruction, a row for each pipe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from matplotlib.figure import Figure

from pytest_ascend_tune.reports.figures.canvas import Canvas, round_steps

_ROW = 16.0  # points
_HEAD, _FOOT = 34.0, 40.0
_COLOURS = {
    "MTE2": "#0969da",
    "MTE1": "#54aeff",
    "M": "#1a7f37",
    "FIX": "#bf8700",
    "V": "#8250df",
    "MTE3": "#bc4c00",
    "S": "#57606a",
}


class Bar(Protocol):
    """One instruction: where it runs and when, in clocks."""

    @property
    def core(self) -> int:
        """0 is the cube core, 1 and 2 its vector cores."""

    @property
    def pipe(self) -> str:
        """MTE2, MTE1, M, FIX, V, MTE3 or S."""

    @property
    def start_clocks(self) -> float:
        """From the start of the kernel."""

    @property
    def end_clocks(self) -> float:
        """From the start of the kernel."""


def gantt_figure(bars: Sequence[Bar], title: str, watermark: str) -> Figure:
    """`bars`: at least one. Rows are told apart by core and pipe; the x axis is clocks."""
    rows = sorted({(bar.core, list(_COLOURS).index(bar.pipe)) for bar in bars})
    pipes = list(_COLOURS)
    height = _HEAD + _FOOT + _ROW * len(rows)
    last = max(bar.end_clocks for bar in bars)
    canvas = Canvas((0.0, last), (0.0, float(len(rows))), (74, _FOOT, 14, _HEAD), height)
    for bar in bars:
        number = len(rows) - 1 - rows.index((bar.core, pipes.index(bar.pipe)))
        canvas.area((bar.start_clocks, bar.end_clocks), (number + 0.12, number + 0.88), "bar", _COLOURS[bar.pipe])
    canvas.frame(title, watermark, "clocks", "", round_steps(0.0, last), [])
    for place, (core, pipe) in enumerate(rows):
        words = f"cube {pipes[pipe]}" if core == 0 else f"vector {core} {pipes[pipe]}"
        y = canvas.place(0, len(rows) - place - 0.5)[1]
        canvas.label(canvas.left - 6, y, words, ha="right", va="center_baseline", size=9)
    return canvas.figure
