"""The winner measured again: arms of a confirmation and their paired comparison."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from pytest_ascend_tune.model.measurement import Failure, Health, fastest_quarter_mean
from pytest_ascend_tune.model.problem import Config, GemmProblem
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.word import Word

FAR_ABOVE_PEAK = 1.5  # share of the peak, which was read again before it is said


class CompareStatus(Word):
    """Answer of a paired comparison of two kernels."""

    SLOWER = "slower"
    FASTER = "faster"
    SAME = "same"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True)
class Comparison:
    """Paired comparison of a candidate with a baseline. Ratios are speeds: candidate / baseline, 0.9 = 10 % slower.

    ``ratio`` is the median of the per-round ratios and ``interval`` its block bootstrap interval; ``quarter_ratio`` is
    the ratio of the fastest-quarter means. ``reason`` is a code when inconclusive: busy, clock, noise, drift.
    """

    status: CompareStatus
    ratio: float
    interval: tuple[float, float]
    quarter_ratio: float
    rounds: int
    reason: str = ""


class ArmRole(Word):
    """Part that a kernel plays in a confirmation."""

    FINALIST = "finalist"
    BASELINE = "baseline"
    REFERENCE = "reference"
    OLD_TOOLCHAIN = "old_toolchain"  # the baseline's own sources, built with the tool chain of that time


@dataclass(frozen=True)
class Arm:
    """One kernel of a confirmation with its samples, one per round it took part in."""

    role: ArmRole
    config: Config | None
    build_id: str
    samples_us: tuple[float, ...]
    wall_us: tuple[float, ...] = ()

    @cached_property
    def time_us(self) -> float:
        """Fastest-quarter mean of the samples."""
        return fastest_quarter_mean(self.samples_us)


@dataclass(frozen=True)
class OldToolchain:
    """The baseline's own sources, built with its old tool chain and sampled in the same rounds.

    ``versions``: of the old tool chain, named as in the fingerprint. ``comparison``: the same sources and configuration
    built with today's tool chain (the candidate) against it; None when there was nothing to compare, and ``why`` says
    why not.
    """

    versions: tuple[tuple[str, str], ...]
    arm: Arm | None = None
    comparison: Comparison | None = None
    why: Text | None = None


@dataclass(frozen=True)
class Confirmation:
    """The winner re-measured on fresh samples, beside the baseline's own build (same rounds) and the reference."""

    problem: GemmProblem
    winner: Arm
    interval_us: tuple[float, float]  # block bootstrap interval of winner.time_us
    peak_tflops: float
    race: tuple[Arm, ...] = ()
    baseline: Arm | None = None
    reference: Arm | None = None
    comparison: Comparison | None = None  # winner against baseline; None when there is nothing to compare
    identical_build: bool = False  # the baseline's own build is the winner's
    baseline_failure: Failure | None = None  # why the baseline's own build could not be measured
    health: Health = Health()
    seconds: float = 0.0
    budget_s: float = 0.0  # what it was allowed to take: scaled up for problems whose calls are long
    peak_noise: float = 0.0  # half width of the interval of peak_tflops (share); 0 where the peak is a rated number
    anchors: tuple[tuple[str, float], ...] = ()  # rates of the device itself, read meanwhile; higher is faster
    old_toolchain: OldToolchain | None = None  # where the tool chain of the baseline is still here
    takes: int = 1  # 2 when a finding of "slower" was taken again; the samples are those of all takes
    notes: tuple[Text, ...] = ()  # finalists that were dropped and why, a scaled budget

    @property
    def tflops(self) -> float:
        """Confirmed rate."""
        return self.problem.tflops(self.winner.time_us)

    @property
    def interval(self) -> tuple[float, float]:
        """Bootstrap interval of the confirmed rate."""
        fast, slow = self.interval_us
        return self.problem.tflops(slow), self.problem.tflops(fast)

    @property
    def efficiency_share(self) -> float:
        """Confirmed rate / peak."""
        return self.tflops / self.peak_tflops

    @property
    def efficiency_interval(self) -> tuple[float, float]:
        """Interval of the efficiency, with the noise of both rates in it."""
        share = self.efficiency_share
        low, high = (math.hypot(rate / self.tflops - 1, self.peak_noise) for rate in self.interval)
        return share * (1 - low), share * (1 + high)

    @property
    def possible(self) -> bool:
        """Whether the rate is one that the device can reach; above the peak, time or peak was measured wrong."""
        return self.efficiency_share <= 1

    @property
    def far_above_peak(self) -> bool:
        """Whether no error of the peak explains the rate: the kernel has not done the work that was timed."""
        return self.efficiency_share > FAR_ABOVE_PEAK

    @property
    def vs_reference(self) -> float | None:
        """Speed relative to the reference kernel (1.2 = 20 % faster), None without one."""
        return self.reference.time_us / self.winner.time_us if self.reference else None
