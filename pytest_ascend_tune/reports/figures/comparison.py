"""The confirmation: samples of this run's winner beside those of the baseline's own build."""

from __future__ import annotations

from dataclasses import dataclass

from matplotlib.figure import Figure

from pytest_ascend_tune.model.confirmation import Arm
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import GateResult
from pytest_ascend_tune.reports.figures.bins import bin_edges, histogram, span
from pytest_ascend_tune.reports.figures.canvas import (
    Canvas,
    round_steps,
)
from pytest_ascend_tune.reports.figures.levels import (
    COLOURS,
    CURRENT,
    Line,
    frame,
    level_marks,
    watermark,
)
from pytest_ascend_tune.reports.figures.picture import Picture, Source
from pytest_ascend_tune.reports.messages import say, translate
from pytest_ascend_tune.reports.rounding import number


@dataclass(frozen=True)
class ComparisonSeries:
    """The confirmation: samples of this run's winner and of the baseline's own build, taken in the same rounds."""

    title: str
    x_label: str
    y_label: str
    current: tuple[float, ...]
    baseline: tuple[float, ...]
    edges: tuple[float, ...]
    lines: tuple[Line, ...]
    watermark: str


def comparison_series(result: GateResult, source: Source) -> ComparisonSeries | None:
    """Samples of the winner and of the baseline's own build as rates, None when nothing was compared."""
    confirmation = result.confirmation
    if confirmation is None or confirmation.baseline is None:
        return None
    problem, language = result.tuning.problem, source.language
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
        watermark=watermark(language, simulated=result.tuning.simulated),
    )


def _beside(result: GateResult) -> Text:
    """How the picture calls what was sampled beside this run."""
    rate = number(result.baseline_today_tflops)
    return Text.of("revision {rate}", rate=rate) if result.revision else Text.of("baseline {rate}", rate=rate)


def _rates(problem: GemmProblem, arm: Arm) -> tuple[float, ...]:
    return tuple(problem.tflops(sample) for sample in arm.samples_us)


def comparison_figure(series: ComparisonSeries) -> Figure:
    """Samples of the confirmation: this run filled, the baseline's own build as an outline over it."""
    current, highest = histogram(series.current, series.edges)
    baseline, higher = histogram(series.baseline, series.edges)
    canvas = Canvas(span(series.edges, series.lines), (0, max(highest, higher)), (36, 36, 14, 60))
    frame(canvas, series, round_steps(*canvas.x), round_steps(*canvas.y, whole=True))
    canvas.steps(current, series.edges, "current", fill=True, fc=CURRENT, ec=CURRENT, lw=0.5)
    canvas.steps(baseline, series.edges, "baseline", fill=False, ec=COLOURS["baseline"], lw=1.4)
    level_marks(canvas, series.lines)
    return canvas.figure


def read(result: GateResult, series: ComparisonSeries) -> Text:
    """The confirmation's samples, this run against the baseline's own build."""
    confirmation = result.confirmation
    assert confirmation is not None
    assert confirmation.baseline is not None
    problem, comparison = result.tuning.problem, confirmation.comparison
    text = Text.of(
        "Both kernels were measured in the same {rounds} shuffled rounds. If the gate sees a change, the filled bars "
        "(this run, {rate} {unit}) and the outline ({own} own build, {baseline} {unit}) stand apart.",
        own=Text.of("the revision's") if result.revision else Text.of("the baseline's"),
        rounds=comparison.rounds if comparison else len(confirmation.winner.samples_us),
        rate=number(confirmation.tflops),
        baseline=number(result.baseline_today_tflops),
        unit=problem.dtype.rate_unit,
    )
    if comparison is None:
        return text
    low, high = comparison.interval
    return Text.of(
        "{text} The median of the per-round ratios is {ratio:.3f} [{low:.3f}, {high:.3f}] (1 = equal, less is slower).",
        text=text,
        ratio=comparison.ratio,
        low=low,
        high=high,
    )


PICTURE = Picture("comparison", comparison_series, comparison_figure, read)
