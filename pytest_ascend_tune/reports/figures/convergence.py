"""Picture 1: is it still rising? Trials, best so far, the signals of the checklist, levels."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from matplotlib.figure import Figure

from pytest_ascend_tune.model.distribution import LATE_TRIALS
from pytest_ascend_tune.model.search import Convergence, SignalName
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import GateResult
from pytest_ascend_tune.reports.figures.canvas import (
    GRID,
    QUIET,
    Canvas,
    round_steps,
)
from pytest_ascend_tune.reports.figures.levels import (
    BAND,
    COLOURS,
    DOTS,
    INITIAL,
    ROW,
    Line,
    allowed,
    empty,
    frame,
    level,
    result_lines,
    side_labels,
    watermark,
)
from pytest_ascend_tune.reports.figures.picture import Picture, Source
from pytest_ascend_tune.reports.figures.trials import TrialPoint, trial_points
from pytest_ascend_tune.reports.messages import say
from pytest_ascend_tune.reports.rounding import number

PICTURE_SIGNALS = (SignalName.STAIRCASE_FLAT, SignalName.GAPS_LENGTHEN, SignalName.LATE_DOTS_BELOW)
FAR_LEVEL = 3.0  # times the best dot: a level above that is named with an arrow, so that the dots stay readable
MOST_TIPS = 100  # trials; above this points carry no hover text, the trial table has it all


@dataclass(frozen=True)
class SignalRow:
    """One signal of the checklist above the convergence plot: spans and ticks on the trial axis, with its words."""

    label: str
    spans: tuple[tuple[float, float], ...] = ()
    ticks: tuple[int, ...] = ()


@dataclass(frozen=True)
class ConvergenceSeries:
    """Picture 1: is it still rising? Dots and staircase are raw search values; ``lines`` are separate levels."""

    title: str
    x_label: str
    y_label: str
    points: tuple[TrialPoint, ...]
    staircase: tuple[tuple[int, float], ...]
    jumps: tuple[tuple[int, float], ...]
    initial_trials: int
    initial_label: str
    lines: tuple[Line, ...]
    band: tuple[float, float] | None  # what the gate allows below the baseline
    signals: tuple[SignalRow, ...]
    watermark: str
    empty_label: str
    flat_trials: int
    last_gap: int
    median_gap: float | None  # None before a second jump
    late_below: int
    late_total: int

    @property
    def failed(self) -> tuple[int, ...]:
        """Indices of failed trials."""
        return tuple(point.index for point in self.points if point.rate is None)

    @property
    def valid(self) -> tuple[TrialPoint, ...]:
        """Points of trials that were measured."""
        return tuple(point for point in self.points if point.rate is not None)


def series_of(result: GateResult, source: Source) -> ConvergenceSeries:
    """The picture of a result's search."""
    problem = result.tuning.problem
    return convergence_series(
        trial_points(result),
        title=say("Convergence, {id}", source.language, id=problem.id),
        unit=problem.dtype.rate_unit,
        language=source.language,
        lines=result_lines(result, source.language),
        band=allowed(result),
        simulated=result.tuning.simulated,
        checklist=result.tuning.convergence,
    )


def convergence_series(
    points: Sequence[TrialPoint],
    *,
    title: str,
    unit: str,
    language: str,
    simulated: bool,
    lines: Iterable[Line] = (),
    band: tuple[float, float] | None = None,
    checklist: Convergence | None = None,
) -> ConvergenceSeries:
    """Picture 1 from trials, oldest first.

    `band`: the rates that the gate allows below the baseline.
    `checklist`: counts as it does, growth within the noise left out; what it does not say is counted from the points.
    """
    jumps = _jumps(points)
    last = points[-1].index if points else 0
    flat = last - jumps[-1][0] if jumps else 0
    gaps = [after[0] - before[0] for before, after in itertools.pairwise(jumps)]
    late = [point for point in points if point.rate is not None][-LATE_TRIALS:]
    below = sum(1 for point in late if point.rate is not None and point.rate < jumps[-1][1])
    median_gap = float(statistics.median(gaps)) if gaps else None
    flat_trials, last_gap = flat, flat or (gaps[-1] if gaps else 0)
    if checklist is not None:
        flat_signal, gap_signal, late_signal = map(checklist.signal, PICTURE_SIGNALS)
        if flat_signal is not None and flat_signal.value is not None:
            flat_trials = last_gap = int(flat_signal.value)
        if gap_signal is not None and (gap_signal.value is None or gap_signal.usual is not None):
            median_gap = gap_signal.usual  # a record of before the checklist stored it has a value only
        if late_signal is not None and late_signal.value is not None:
            below = round(late_signal.value * len(late))
    series = ConvergenceSeries(
        title=title,
        x_label=say("trial", language),
        y_label=unit,
        points=tuple(points),
        staircase=(*jumps, (last, jumps[-1][1])) if flat else jumps,
        jumps=jumps,
        initial_trials=sum(1 for _ in itertools.takewhile(lambda point: point.initial, points)),
        initial_label=say("initial phase", language),
        lines=tuple(lines),
        band=band,
        signals=(),
        watermark=watermark(language, simulated=simulated),
        empty_label=say("no trial was valid", language),
        flat_trials=flat_trials,
        last_gap=last_gap,
        median_gap=median_gap,
        late_below=below,
        late_total=len(late),
    )
    return replace(series, signals=_signal_rows(series, late[0].index, last, language)) if jumps else series


def _jumps(points: Sequence[TrialPoint]) -> tuple[tuple[int, float], ...]:
    """Where best-so-far grew, and to what."""
    jumps: list[tuple[int, float]] = []
    for point in points:
        if point.rate is not None and (not jumps or point.rate > jumps[-1][1]):
            jumps.append((point.index, point.rate))
    return tuple(jumps)


def _signal_rows(series: ConvergenceSeries, first_late: int, last: int, language: str) -> tuple[SignalRow, ...]:
    """The three signals of the picture, numbered as in the checklist."""
    gap = (
        say("2 no gap yet", language)
        if series.median_gap is None
        else say("2 gap {last} vs {median:g}", language, last=series.last_gap, median=series.median_gap)
    )
    late = say("3 below {below}/{total}", language, below=series.late_below, total=series.late_total)
    return (
        SignalRow(say("1 flat {count}", language, count=series.flat_trials), spans=((series.jumps[-1][0], last),)),
        SignalRow(gap, ticks=tuple(index for index, _ in series.jumps)),
        SignalRow(late, spans=((first_late, last),)),
    )


def convergence_figure(series: ConvergenceSeries) -> Figure:
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
    frame(canvas, series, round_steps(0, last, whole=True), round_steps(0, top))
    for line in series.lines:
        if line.value <= top:
            level(canvas, line, [0, last + 1], [line.value] * 2)
    canvas.line(failed, [0.0] * len(failed), "failed", COLOURS["best"], ls="", marker="x", ms=5, mew=1.3)
    canvas.line([point.index for point in valid], rates, "dots", DOTS, ls="", marker="o", ms=4.4, mew=0)
    if series.staircase:
        trials, best = zip(*series.staircase, strict=True)
        canvas.line(trials, best, "stair", COLOURS["stair"], lw=1.8, drawstyle="steps-post")
    else:
        empty(canvas, series.empty_label)
    side_labels(canvas, series.lines)
    _draw_signals(canvas, series.signals)
    return canvas.figure


def _draw_signals(canvas: Canvas, signals: Sequence[SignalRow]) -> None:
    """The three signals as thin rows above the picture, on the same trial axis; their words in the right margin."""
    for row, signal in enumerate(signals):
        y = canvas.top + 42 - ROW * row
        canvas.rule([canvas.left, canvas.right], [y, y], "grid", GRID, lw=0.8)
        for span in signal.spans:
            canvas.rule(
                [canvas.place(end, 0)[0] for end in span], [y, y], "rail", COLOURS["stair"], lw=4,
                solid_capstyle="butt",
            )  # fmt: skip
        if signal.ticks:
            ticks = [canvas.place(tick, 0)[0] for tick in signal.ticks]
            canvas.rule(ticks, [y] * len(ticks), "rail", COLOURS["stair"], ls="", marker="|", ms=8, mew=1.6)
        canvas.label(canvas.right + 4, y - 3, signal.label, size=9)


def tips(series: ConvergenceSeries) -> dict[str, list[str]]:
    """Rate and configuration of each trial, for the dots and for the crosses."""
    if len(series.points) > MOST_TIPS:
        return {}
    return {
        "dots": [point.tip for point in series.points if point.rate is not None],
        "failed": [point.tip for point in series.points if point.rate is None],
    }


def read(result: GateResult, series: ConvergenceSeries) -> Text:
    """Picture 1: is it still rising?"""
    if not series.points:
        return Text.of("Nothing was searched in this run: the configuration was given.")
    if not series.jumps:
        return Text.of(
            "All {total} trials failed (red crosses): there is no best so far. The trial table names the reasons.",
            total=len(series.points),
        )
    return Text.of(
        "Each grey dot is a trial, {failures}, the blue staircase is the best so far. It started at {first} {unit}, "
        "{growth} and {flat}; {gaps}; {below} of the last {late} dots lie below the line. {confirmed}",
        failures=Text.of("red crosses are the {failed} failed ones", failed=len(series.failed))
        if series.failed
        else Text.of("none failed"),
        first=number(series.jumps[0][1]),
        unit=result.tuning.problem.dtype.rate_unit,
        growth=_growth(series),
        flat=_flat(series),
        gaps=_gaps(series),
        below=series.late_below,
        late=series.late_total,
        confirmed=_confirmed(result),
    )


def _growth(series: ConvergenceSeries) -> Text:
    """How often best-so-far grew after the first valid trial, and to what."""
    times, best = len(series.jumps) - 1, number(series.jumps[-1][1])
    if times == 0:
        return Text.of("never grew")
    return Text.counted("grew once, to {best},", "grew {count} times to {best}", times, best=best)


def _flat(series: ConvergenceSeries) -> Text:
    """Since when best-so-far is flat; the checklist leaves out growth within the noise, which the line shows."""
    if series.flat_trials > series.points[-1].index - series.jumps[-1][0]:
        return Text.of("grew by no more than the noise in the last {flat} trials", flat=series.flat_trials)
    if series.flat_trials == 0:
        return Text.of("still grew at the last trial")
    return Text.counted("has been flat for one trial", "has been flat for the last {count} trials", series.flat_trials)


def _gaps(series: ConvergenceSeries) -> Text:
    """The last gap between jumps against the usual one, where there is one."""
    if series.median_gap is None:
        return Text.of("without a second jump there is no usual gap to compare that with")
    return Text.of(
        "gaps between jumps, in trials: last {last_gap}, median {median_gap:g}",
        last_gap=series.last_gap,
        median_gap=series.median_gap,
    )


def _confirmed(result: GateResult) -> Text:
    if result.confirmation is None:
        return Text.of("Nothing was confirmed.")
    raw = Text.of(
        "These are raw search values; the winner re-measured on fresh samples is the separate line at {rate} {unit}.",
        rate=number(result.confirmation.tflops),
        unit=result.tuning.problem.dtype.rate_unit,
    )
    if result.baseline is None:
        return raw
    return Text.of("{raw} The narrow band under the baseline is what the gate allows.", raw=raw)


PICTURE = Picture("convergence", series_of, convergence_figure, read, tips)
