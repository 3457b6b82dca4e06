"""From results to what the plots draw: raw points, levels and bins with labels; nothing that was not measured."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from pytest_ascend_tune.model.confirmation import Arm
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.search import Origin, Signal
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import GateResult, GateStatus
from pytest_ascend_tune.reports.figures.pictures import (
    ComparisonSeries,
    ConvergenceSeries,
    DistributionSeries,
    Line,
    PredictedSeries,
    PredictedTime,
    Rail,
    RecordedRun,
    RooflineSeries,
    TrendPoint,
    TrendSeries,
    TrialPoint,
)
from pytest_ascend_tune.reports.messages import say, translate
from pytest_ascend_tune.reports.rounding import number, percent

LATE_TRIALS = 10  # the rule of thumb of the convergence picture looks at the last ten rounds
NEAR_BEST = 0.95  # within 5 % of the best counts as near
SPIKE_SHARE = 0.02  # fewer valid trials than this near the best: rare spikes
PLATEAU_SHARE = 0.10  # more than this: a wide plateau
FEW_TRIALS = 10  # fewer valid trials than this say nothing about the shape
MOST_BINS = 24
MOST_RUNS = 50  # of a trend
FAILING = tuple(str(status) for status in (GateStatus.NOTHING_VALID, GateStatus.REGRESSED, GateStatus.BELOW_EFFICIENCY))

SHAPES = {
    "spike": Text.of("a rare spike"),
    "plateau": Text.of("a wide plateau"),
    "few": Text.of("too few valid trials to tell"),
    "slope": Text.of("neither spike nor plateau"),
}

T = TypeVar("T")


def trial_points(result: GateResult) -> tuple[TrialPoint, ...]:
    """The trials of a result as points; rates are those of history.json."""
    problem = result.tuning.problem
    return tuple(
        TrialPoint(
            trial.index,
            None if trial.time_us is None else problem.tflops(trial.time_us),
            initial=trial.origin is not Origin.MODEL,
        )
        for trial in result.tuning.trials
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
    late_share: float | None = None,
    flat_trials: int | None = None,
    usual_gap: float | None = None,
) -> ConvergenceSeries:
    """Picture 1 from trials, oldest first.

    `band`: the rates that the gate allows below the baseline.
    `late_share`: share of the last valid trials that lie below the best by more than their noise; `flat_trials`,
    `usual_gap`: as the checklist counts them, growth within the noise left out. None where the search was not judged;
    `usual_gap` also before a second jump.
    """
    jumps = _jumps(points)
    last = points[-1].index if points else 0
    flat = last - jumps[-1][0] if jumps else 0
    gaps = [after[0] - before[0] for before, after in itertools.pairwise(jumps)]
    late = [point for point in points if point.rate is not None][-LATE_TRIALS:]
    below = sum(1 for point in late if point.rate is not None and point.rate < jumps[-1][1])
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
        rails=(),
        watermark=_watermark(language, simulated=simulated),
        empty_label=say("no trial was valid", language),
        flat_trials=flat if flat_trials is None else flat_trials,
        last_gap=(flat or (gaps[-1] if gaps else 0)) if flat_trials is None else flat_trials,
        median_gap=(float(statistics.median(gaps)) if gaps else None) if flat_trials is None else usual_gap,
        late_below=below if late_share is None else round(late_share * len(late)),
        late_total=len(late),
    )
    return replace(series, rails=_rails(series, late[0].index, last, language)) if jumps else series


def _told(checklist: Sequence[Signal], name: str, value: str, kind: Callable[[Any], T]) -> T | None:
    """A number that a line of the checklist names, None where it does not."""
    values = dict(next((signal.text.values for signal in checklist if signal.name == name), ()))
    return kind(values[value]) if value in values else None


def _jumps(points: Sequence[TrialPoint]) -> tuple[tuple[int, float], ...]:
    """Where best-so-far grew, and to what."""
    jumps: list[tuple[int, float]] = []
    for point in points:
        if point.rate is not None and (not jumps or point.rate > jumps[-1][1]):
            jumps.append((point.index, point.rate))
    return tuple(jumps)


def _rails(series: ConvergenceSeries, first_late: int, last: int, language: str) -> tuple[Rail, ...]:
    """The three signals of the picture, numbered as in the checklist."""
    gap = (
        say("2 no gap yet", language)
        if series.median_gap is None
        else say("2 gap {last} vs {median:g}", language, last=series.last_gap, median=series.median_gap)
    )
    late = say("3 below {below}/{total}", language, below=series.late_below, total=series.late_total)
    return (
        Rail(say("1 flat {count}", language, count=series.flat_trials), spans=((series.jumps[-1][0], last),)),
        Rail(gap, ticks=tuple(index for index, _ in series.jumps)),
        Rail(late, spans=((first_late, last),)),
    )


def distribution_series(
    points: Sequence[TrialPoint], *, title: str, unit: str, language: str, lines: Iterable[Line] = (), simulated: bool
) -> DistributionSeries:
    """Picture 2 from trials; `lines` are added to best and mean."""
    values = tuple(point.rate for point in points if point.rate is not None)
    failed = len(points) - len(values)
    near: float | None = None
    shape = ""
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
        near = sum(1 for value in values if value >= NEAR_BEST * best) / len(values)
        shape = _shape(len(values), near)
        own_lines = (
            Line("best", best, say("best {rate}", language, rate=number(best))),
            Line("mean", mean, say("mean {rate}", language, rate=number(mean))),
        )
        caption += "; " + say("{share} near the best", language, share=percent(near))
        caption += ": " + translate(SHAPES[shape], language)
    return DistributionSeries(
        title=title,
        x_label=unit,
        y_label=say("trials", language),
        values=values,
        edges=bin_edges(values),
        lines=(*own_lines, *lines),
        caption=caption,
        watermark=_watermark(language, simulated=simulated),
        empty_label=say("no trial was valid", language),
        failed=failed,
        total=len(points),
        near_best_share=near,
        shape=shape,
    )


def _shape(valid: int, near_share: float) -> str:
    """What the share of trials near the best means."""
    if valid < FEW_TRIALS:
        return "few"
    if near_share < SPIKE_SHARE:
        return "spike"
    return "plateau" if near_share > PLATEAU_SHARE else "slope"


def comparison_series(result: GateResult, language: str) -> ComparisonSeries | None:
    """Samples of the winner and of the baseline's own build as rates, None when nothing was compared."""
    confirmation = result.confirmation
    if confirmation is None or confirmation.baseline is None:
        return None
    problem = result.tuning.problem
    current, old = (_rates(problem, arm) for arm in (confirmation.winner, confirmation.baseline))
    lines = (
        Line("confirmed", confirmation.tflops, say("this run {rate}", language, rate=number(confirmation.tflops))),
        Line(
            "baseline",
            problem.tflops(confirmation.baseline.time_us),
            translate(_beside(result), language),
        ),
    )
    return ComparisonSeries(
        title=say("Confirmation, {id}", language, id=problem.id),
        x_label=problem.dtype.rate_unit,
        y_label=say("samples", language),
        current=current,
        baseline=old,
        edges=bin_edges(current + old),
        lines=lines,
        watermark=_watermark(language, simulated=result.tuning.simulated),
    )


def _beside(result: GateResult) -> Text:
    """How the picture calls what was sampled beside this run."""
    rate = number(result.baseline_today_tflops)
    return Text.of("revision {rate}", rate=rate) if result.revision else Text.of("baseline {rate}", rate=rate)


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
        watermark=_watermark(language, simulated=result.tuning.simulated),
    )


def predicted_series(told: PredictedTime, language: str) -> PredictedSeries:
    """Where a simulated time goes, part by part, and one step of each parameter."""
    return PredictedSeries(
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
        watermark=_watermark(language, simulated=True),
    )


def trend_series(result: GateResult, runs: Sequence[RecordedRun], language: str) -> TrendSeries | None:
    """The last runs of a result's problem, oldest first; None with fewer than two: one point is no trend."""
    if len(runs) < 2:
        return None
    problem = result.tuning.problem
    return TrendSeries(
        title=say("Trend, {id}", language, id=problem.id),
        x_label=say("run", language),
        y_label=problem.dtype.rate_unit,
        points=tuple(TrendPoint(run.recorded_at, run.tflops, run.status in FAILING) for run in runs[-MOST_RUNS:]),
        band=_allowed(result),
        band_label=say("allowed below the baseline", language),
        watermark=_watermark(language, simulated=result.tuning.simulated),
    )


def _allowed(result: GateResult) -> tuple[float, float] | None:
    """From the lowest rate that passes to the baseline's, None without a baseline."""
    if result.baseline is None:
        return None
    stored = result.baseline.measurement.tflops
    return stored * (1 - result.policy.threshold), stored


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


def pictures_of(result: GateResult, language: str) -> tuple[ConvergenceSeries, DistributionSeries]:
    """Both pictures of a result's search."""
    problem, points = result.tuning.problem, trial_points(result)
    lines = result_lines(result, language)
    unit, simulated = problem.dtype.rate_unit, result.tuning.simulated
    checklist = result.tuning.convergence.checklist
    first = convergence_series(
        points,
        title=say("Convergence, {id}", language, id=problem.id),
        unit=unit,
        language=language,
        lines=lines,
        band=_allowed(result),
        simulated=simulated,
        late_share=next((signal.value for signal in checklist if signal.name == "late_dots_below"), None),
        flat_trials=_told(checklist, "staircase_flat", "flat", int),
        usual_gap=_told(checklist, "gaps_lengthen", "usual", float),
    )
    second = distribution_series(
        points,
        title=say("Distribution, {id}", language, id=problem.id),
        unit=unit,
        language=language,
        lines=[line for line in lines if line.kind != "floor"],
        simulated=simulated,
    )
    return first, second


def bin_edges(values: Sequence[float]) -> tuple[float, ...]:
    """Edges of equal bins over the values: about the square root of their number, one bin when all are equal."""
    if not values:
        return ()
    low, high = min(values), max(values)
    if high - low <= 1e-9 * abs(high):
        margin = 0.05 * abs(high) or 1.0
        return (low - margin, low + margin)
    count = max(4, min(MOST_BINS, math.ceil(1.5 * math.sqrt(len(values)))))
    return (*(low + (high - low) * position / count for position in range(count)), high)


def _rates(problem: GemmProblem, arm: Arm) -> tuple[float, ...]:
    return tuple(problem.tflops(sample) for sample in arm.samples_us)


def _watermark(language: str, *, simulated: bool) -> str:
    return say("simulated", language) if simulated else ""
