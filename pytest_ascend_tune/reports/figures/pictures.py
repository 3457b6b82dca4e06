"""What a picture holds: frozen points, lines and labels. series.py fills them, plots.py draws them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.text import Text


@dataclass(frozen=True)
class TrialPoint:
    """One trial as drawn: ``rate`` is None when it failed (drawn at 0). ``initial``: before the model had a say."""

    index: int
    rate: float | None
    initial: bool = False


@dataclass(frozen=True)
class Line:
    """A labelled level: ``kind`` is one of best, mean, confirmed, baseline, floor and picks colour and dashes."""

    kind: str
    value: float
    label: str


@dataclass(frozen=True)
class Rail:
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
    rails: tuple[Rail, ...]
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
    shape: str  # a key of SHAPES, or "" when nothing is valid


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


@dataclass(frozen=True)
class PredictedStep:
    """One parameter moved by one step. ``change`` of the predicted time (share), None when the step is not legal."""

    parameter: str
    before: int
    after: int
    change: float | None


@dataclass(frozen=True)
class PredictedTime:
    """A simulator's time taken apart: parts that add up to it, and what one step of each parameter would change."""

    problem: GemmProblem
    time_us: float
    parts: tuple[tuple[Text, float], ...]
    steps: tuple[PredictedStep, ...]


@dataclass(frozen=True)
class PredictedSeries:
    """Where a simulated time goes: bars with their words, and the number at the end of each row."""

    title: str
    parts_label: str
    parts: tuple[tuple[str, float, str], ...]
    steps_label: str
    steps: tuple[tuple[str, float, str], ...]
    watermark: str


class RecordedRun(Protocol):
    """One earlier run of a problem as the history keeps it. ``tflops`` is the confirmed rate."""

    @property
    def recorded_at(self) -> str:
        """ISO 8601, UTC."""

    @property
    def status(self) -> str:
        """The gate's status."""

    @property
    def tflops(self) -> float:
        """Confirmed rate."""

    @property
    def vs_baseline(self) -> float | None:
        """Speed relative to the baseline's own build, in the same run."""


@dataclass(frozen=True)
class TrendPoint:
    """One run of the trend, as drawn."""

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
