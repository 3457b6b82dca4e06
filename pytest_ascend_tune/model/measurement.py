"""What a clock said: samples, measurements of one trial, failures, the state of the device."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from functools import cached_property

from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.word import FailureKind


def fastest_quarter_mean(samples_us: tuple[float, ...]) -> float:
    """Mean of the fastest quarter (at least one) of the samples: this package's one estimator of a time.

    Low, because noise only ever adds time; a mean, because single minima are not stable (design measurements:
    the minimum of 3 ms calls varied three times as much between sessions).
    """
    fastest = sorted(samples_us)[: max(1, math.ceil(len(samples_us) / 4))]
    return statistics.fmean(fastest)


@dataclass(frozen=True)
class MeasurePlan:
    """How one trial is measured: untimed calls first, then timed calls with reference calls between them."""

    warmup: int = 1
    repeats: int = 12
    timeout_s: float = 60.0


@dataclass(frozen=True)
class Sample:
    """One timed sample: time of one call on the device's clock and, beside it, on the wall clock.

    ``process_us``: CPU time of the whole process that ran it, where the device's clock is that of its threads;
    ``threads``: how many it was to use.
    ``clock_mhz``: of the device's cores before and after it, None where the device does not tell.
    """

    us: float
    wall_us: float
    process_us: float | None = None
    threads: int = 1
    clock_mhz: tuple[int, int] | None = None


@dataclass(frozen=True)
class Measurement:
    """Raw samples of one trial.

    ``reference_us``: calls of the reference kernel taken between them; ``nominal_reference_us``: what that kernel takes
    at the machine's usual speed. Together they remove slow spells of the machine.
    """

    samples_us: tuple[float, ...]
    reference_us: tuple[float, ...] = ()
    nominal_reference_us: float | None = None
    noisy: bool = False

    @cached_property
    def time_us(self) -> float:
        """Fastest-quarter mean, scaled by the interleaved reference where there is one."""
        time = fastest_quarter_mean(self.samples_us)
        if self.nominal_reference_us and self.reference_us:
            time *= self.nominal_reference_us / fastest_quarter_mean(self.reference_us)
        return time

    @property
    def median_us(self) -> float:
        """Median of the raw samples."""
        return statistics.median(self.samples_us)


@dataclass(frozen=True)
class Failure:
    """Why a trial has no measurement."""

    kind: FailureKind
    message: str


@dataclass(frozen=True)
class Health:
    """State of the device: ``busy`` when others disturb it or its clock is below its rated value; notes say how.

    ``slow_clock``: the disturbance is the clock.
    """

    busy: bool = False
    notes: tuple[Text, ...] = ()
    slow_clock: bool = False
