"""How noisy is this machine? From confirmations without a change: its noise floor and thresholds that suit it; pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import stdev

from pytest_ascend_tune.gate.statistics import MEDIAN_SHARE
from pytest_ascend_tune.model.confirmation import Comparison, Confirmation
from pytest_ascend_tune.model.errors import SettingsError
from pytest_ascend_tune.model.text import Text

MIN_RUNS = 5  # below, neither a largest value nor a standard deviation says much
SMALLEST_THRESHOLD = 0.025  # the finest that the rule is measured for (benchmarks/gate)
FLOOR_MARGIN = 1.5  # a threshold stays this far above what noise alone reached in a few runs
SIGMAS = 3.0  # distance of the coarse threshold from the noise between runs


@dataclass(frozen=True)
class Calibration:
    """What unchanged kernels look like (shares), and the thresholds that it suggests.

    ``noise_floor``: the largest drop that the rule's two estimators agreed on, though nothing had changed.
    ``between_runs``: standard deviation of the difference of two runs, relative to the reference where there is one.
    """

    runs: int
    inconclusive: int
    noise_floor: float
    between_runs: float
    threshold: float
    platform_threshold: float
    text: Text


def calibrate(confirmations: Sequence[Confirmation], *, allowed: float = SMALLEST_THRESHOLD) -> Calibration:
    """Learn from runs of ``sampling.confirm_no_change``, spread over hours or days for the noise between them.

    `allowed`: the threshold in use; that of stored numbers is never finer. Raises SettingsError for too few runs.
    """
    compared = [(one, one.comparison) for one in confirmations if one.comparison is not None]
    runs = len(compared)
    if runs < MIN_RUNS:
        raise SettingsError(f"{runs} runs without a change are too few to calibrate from; make at least {MIN_RUNS}")
    floor = max(_agreed_drop(comparison) for _, comparison in compared)
    speeds = [one.vs_reference for one, _ in compared]
    if None in speeds:
        speeds = [1 / one.winner.time_us for one, _ in compared]
    between = math.sqrt(2) * stdev(math.log(speed) for speed in speeds if speed)
    threshold = _rounded_up(max(SMALLEST_THRESHOLD, FLOOR_MARGIN * floor))
    platform = _rounded_up(max(allowed, SIGMAS * between))
    text = Text.of(
        "{runs} runs without a change: at most {floor:.2%} apart side by side, {between:.1%} noise between runs; "
        "suggested threshold {threshold:.1%}, for stored numbers {platform:.1%}",
        runs=runs,
        floor=floor,
        between=between,
        threshold=threshold,
        platform=platform,
    )
    inconclusive = sum(comparison.status == "inconclusive" for _, comparison in compared)
    return Calibration(runs, inconclusive, floor, between, threshold, platform, text)


def _agreed_drop(comparison: Comparison) -> float:
    """The threshold at which the two estimators would have called this no change a drop, in either direction."""
    drops = []
    for quarter_ratio, ratio in (
        (comparison.quarter_ratio, comparison.ratio),
        (1 / comparison.quarter_ratio, 1 / comparison.ratio),
    ):
        drops.append(min(1 - quarter_ratio, (1 - ratio) / MEDIAN_SHARE))
    return max(0.0, *drops)


def _rounded_up(share: float) -> float:
    """To tenths of a per cent."""
    return min(0.999, math.ceil(share * 1000 - 1e-9) / 1000)
