"""How noisy is this machine? From confirmations without a change: its noise floor and thresholds that suit it; pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import stdev

from pytest_ascend_tune.gate.statistics import MEDIAN_SHARE
from pytest_ascend_tune.gate.stored import FINEST_THRESHOLD
from pytest_ascend_tune.model.confirmation import Comparison, Confirmation
from pytest_ascend_tune.model.errors import SettingsError
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import Policy

MIN_RUNS = 5  # below, neither a largest value nor a standard deviation says much
SMALLEST_THRESHOLD = 0.025  # the finest that the rule is measured for (benchmarks/gate)
FLOOR_MARGIN = 1.5  # a threshold stays this far above what noise alone reached in a few runs
MIN_OCCASIONS = 2  # one occasion knows one mood of the machine
MIN_SPAN_S = 600.0  # from the first run to the last
SIGMAS = 3.0  # distance of the coarse threshold from the noise between runs


@dataclass(frozen=True)
class Observed:
    """One run without a change: the largest drop that the rule's two estimators agreed on (share), the speed, relative
    to the reference where there is one, and whether the rule could tell."""

    drop: float
    speed: float
    inconclusive: bool = False


@dataclass(frozen=True)
class Calibration:
    """What unchanged kernels look like (shares), and the thresholds that it suggests.

    ``noise_floor``: the largest drop that the rule's two estimators agreed on, though nothing had changed.
    ``between_runs``: standard deviation of the difference of two runs, relative to the reference where there is one.
    ``enough``: whether they tell of more than one mood of the machine; until then the usual thresholds stay.
    """

    runs: int
    inconclusive: int
    noise_floor: float
    between_runs: float
    threshold: float
    platform_threshold: float
    text: Text
    enough: bool


def observed(confirmation: Confirmation) -> Observed:
    """What a run of ``sampling.confirm_no_change`` teaches."""
    comparison = confirmation.comparison
    assert comparison is not None
    speed = confirmation.vs_reference or 1 / confirmation.winner.time_us
    return Observed(_agreed_drop(comparison), speed, comparison.status == "inconclusive")


def calibrate(
    observations: Sequence[Observed], *, occasions: int, span_s: float, allowed: float = SMALLEST_THRESHOLD
) -> Calibration:
    """Learn from runs without a change of one kernel.

    `occasions`: how many times the command was given for them; `span_s`: seconds from the first run to the last.
    `allowed`: the threshold in use; that of stored numbers is never finer. Raises SettingsError for too few runs.
    """
    runs = len(observations)
    if runs < MIN_RUNS:
        raise SettingsError(f"{runs} runs without a change are too few to calibrate from; make at least {MIN_RUNS}")
    floor = max(one.drop for one in observations)
    between = math.sqrt(2) * stdev(math.log(one.speed) for one in observations)
    threshold = _rounded_up(max(SMALLEST_THRESHOLD, FLOOR_MARGIN * floor))
    platform = _rounded_up(max(allowed, FINEST_THRESHOLD, SIGMAS * between))
    enough = occasions >= MIN_OCCASIONS and span_s >= MIN_SPAN_S
    found = Text.of(
        "{runs} runs without a change: at most {floor:.2%} apart side by side, {between:.1%} noise between runs",
        runs=runs,
        floor=floor,
        between=between,
    )
    if enough:
        template = "{found}; suggested threshold {threshold:.1%}, for stored numbers {platform:.1%}"
    else:
        template = (
            "{found}. Not enough: calibrated {occasions} of at least {least} times, over {minutes:.0f} of at least "
            "{span:.0f} minutes. Calibrate again later; until then {usual:.0%} stays for stored numbers"
        )
    text = Text.of(
        template,
        found=found,
        threshold=threshold,
        platform=platform,
        occasions=occasions,
        least=MIN_OCCASIONS,
        minutes=span_s / 60,
        span=MIN_SPAN_S / 60,
        usual=Policy.platform_threshold,
    )
    inconclusive = sum(one.inconclusive for one in observations)
    return Calibration(runs, inconclusive, floor, between, threshold, platform, text, enough)


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
