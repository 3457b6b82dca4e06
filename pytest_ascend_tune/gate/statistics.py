"""The rule that says slower, faster, same or inconclusive, on two series of times taken in the same shuffled rounds.

With T the allowed drop of speed:

- drop_q compares the means of the fastest quarters, drop_m is the median of the per-round ratios. Noise moves the two
  in different ways (bursts spoil the median, lucky fast spells the quarter), so a finding needs both.
- ``slower``: drop_q > T and drop_m > 0.6 T and the block bootstrap interval of drop_m lies above 0.
- ``faster``: the same with the two series exchanged.
- ``same``: otherwise, when the interval ends below 2 T, so that a drop of twice the threshold is ruled out.
- ``inconclusive``: otherwise.

Everything here is pure and, for equal input, gives equal output; the verdict is monotone in the candidate's time.
How often it errs is measured in benchmarks/gate.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pytest_ascend_tune.model.confirmation import CompareStatus, Comparison
from pytest_ascend_tune.model.errors import SettingsError

Samples = NDArray[np.float64]

MEDIAN_SHARE = 0.6  # part of T that the median must lose too: more misses true losses, less gives false alarms
RULED_OUT = 2.0  # "same" rules out a drop of this many T
MIN_ROUNDS = 10  # below, neither a quarter nor a block bootstrap means anything
CONFIDENCE = 0.95  # of intervals, for one test
# Share of sessions with any false alarm that findings may use up. 1 % is the promise; a fifth of it leaves room for
# the tails of a bootstrap, which are not exact (benchmarks/gate bounds what comes out).
SESSION_FALSE_ALARMS = 0.002
FEWEST_TESTS = 10  # a session counts as at least so many: a project has more sessions than one
RESAMPLES = 2000  # enough for 95 %; wider intervals are extrapolated, see `_interval`
_ROUNDING = 1e-9  # a drop within this of a limit counts as at the limit, not beyond it
_CHUNK_VALUES = 2_000_000  # values of one batch of resamples: 16 MB


def compare_samples(
    candidate_us: Sequence[float] | Samples,
    baseline_us: Sequence[float] | Samples,
    threshold: float = 0.025,
    seed: int = 0,
    *,
    confidence: float = CONFIDENCE,
    resolution_us: float = 0.0,
) -> Comparison:
    """Compare two equally long series of times; sample i of both was taken in the same shuffled round.

    `threshold`: allowed drop of speed as a share, 0.025 = 2.5 %. A true drop just at it is found half the time.
    `seed`: of the bootstrap. `confidence`: of the interval, see :func:`required_confidence`. `resolution_us`: what the
    clock can tell apart; a smaller difference is never ``slower`` or ``faster`` (the step of a coarse clock is also
    recognised from the samples). Raises SettingsError for input that is no such pair of series.
    """
    candidate, baseline = _times(candidate_us, "candidate_us"), _times(baseline_us, "baseline_us")
    if len(candidate) != len(baseline):
        raise SettingsError(
            f"candidate_us has {len(candidate)} samples and baseline_us {len(baseline)}: they must be equally long, "
            "sample i of both from the same round"
        )
    if len(candidate) < MIN_ROUNDS:
        raise SettingsError(f"{len(candidate)} rounds are too few to compare; take at least {MIN_ROUNDS}")
    _require_share(threshold, "threshold")
    _require_share(confidence, "confidence")
    if not (_is_number(resolution_us) and 0 <= resolution_us < math.inf):
        raise SettingsError(f"resolution_us={resolution_us!r} is no time; a number >= 0 is needed")

    quarter_ratio, ratio = map(float, speed_ratios(candidate, baseline))
    low, high = _interval(_medians, np.log(baseline) - np.log(candidate), confidence, seed)
    interval = (math.exp(low), math.exp(high))

    slower = _beyond(quarter_ratio, ratio, interval[1], threshold)
    faster = _beyond(1 / quarter_ratio, 1 / ratio, 1 / interval[0], threshold)
    resolution_us = max(resolution_us, clock_step_us(np.concatenate([candidate, baseline])))
    resolved = abs(quarter_means(candidate) - quarter_means(baseline)) >= resolution_us * (1 - _ROUNDING)
    reason = ""
    if (slower or faster) and not resolved:
        status, reason = CompareStatus.INCONCLUSIVE, "resolution"
    elif slower:
        status = CompareStatus.SLOWER
    elif faster:
        status = CompareStatus.FASTER
    elif 1 - interval[0] < RULED_OUT * threshold:
        status = CompareStatus.SAME
    else:
        status, reason = CompareStatus.INCONCLUSIVE, "noise"
    return Comparison(status, ratio, interval, quarter_ratio, len(candidate), reason)


def _beyond(quarter_ratio: float, ratio: float, ratio_high: float, threshold: float) -> bool:
    """Both estimators lost more than they may, and the interval excludes "not slower at all"."""
    return bool(loses(quarter_ratio, ratio, threshold)) and ratio_high < 1


def loses(quarter_ratio: ArrayLike, ratio: ArrayLike, threshold: float) -> NDArray[np.bool_]:
    """The part of the rule that looks at the two estimates, for one comparison or for arrays of them."""
    drop_q, drop_m = 1 - np.asarray(quarter_ratio), 1 - np.asarray(ratio)
    beyond: NDArray[np.bool_] = (drop_q > threshold + _ROUNDING) & (drop_m > MEDIAN_SHARE * threshold + _ROUNDING)
    return beyond


def speed_ratios(candidate_us: Samples, baseline_us: Samples) -> tuple[Samples, Samples]:
    """(ratio of fastest-quarter means, median of per-round ratios) over the last axis, as speeds: 0.9 = 10 % slower."""
    medians = np.exp(_medians(np.log(baseline_us) - np.log(candidate_us)))
    return quarter_means(baseline_us) / quarter_means(candidate_us), medians


def quarter_means(samples_us: Samples) -> Samples:
    """`model.fastest_quarter_mean` over the last axis of an array."""
    count = max(1, math.ceil(samples_us.shape[-1] / 4))
    means: Samples = np.partition(samples_us, count - 1, axis=-1)[..., :count].mean(axis=-1)
    return means


def _medians(values: Samples) -> Samples:
    medians: Samples = np.median(values, axis=-1)
    return medians


def bootstrap_interval(
    samples_us: Sequence[float] | Samples, *, confidence: float = CONFIDENCE, seed: int = 0
) -> tuple[float, float]:
    """Block bootstrap interval (low, high) of the fastest-quarter mean. Raises SettingsError for unusable samples."""
    times = _times(samples_us, "samples_us")
    _require_share(confidence, "confidence")
    return _interval(quarter_means, times, confidence, seed)


def noise_share(samples_us: Sequence[float] | Samples) -> float:
    """Half width of the interval of the fastest-quarter mean over that mean."""
    low, high = bootstrap_interval(samples_us)
    return (high - low) / 2 / float(quarter_means(np.asarray(samples_us, dtype=np.float64)))


def required_confidence(tests: int) -> float:
    """Confidence that a finding needs in a session of `tests` gated tests.

    Bonferroni: each test may use SESSION_FALSE_ALARMS / `tests`, one-sided, so that a session of any size stays below
    it however its tests hang together.
    """
    if isinstance(tests, bool) or not isinstance(tests, int) or tests < 1:
        raise SettingsError(f"tests={tests!r} is no number of tests; a whole number >= 1 is needed")
    return 1 - 2 * SESSION_FALSE_ALARMS / max(tests, FEWEST_TESTS)


def clock_step_us(times_us: Samples) -> float:
    """Step of a coarse clock, recognised by its ties: the smallest gap between readings when most repeat, else 0."""
    readings = np.unique(times_us)
    if len(readings) < 2 or len(readings) > len(times_us) / 2:
        return 0.0
    return float(np.diff(readings).min())


def _interval(
    statistic: Callable[[Samples], Samples], values: Samples, confidence: float, seed: int
) -> tuple[float, float]:
    """Circular block bootstrap interval. Blocks keep neighbouring rounds together, because noise comes in bursts.

    Up to 95 % the quantiles of the resamples are read directly. Further out 2000 resamples know nothing, so the larger
    half width of the 95 % interval, on both sides, grows as that of a normal distribution would.
    """
    count = len(values)
    length = max(1, round(count ** (1 / 3)))  # the usual order of block lengths: bias and variance shrink together
    blocks = math.ceil(count / length)
    generator = np.random.default_rng(seed)
    estimates = []
    for size in _batches(count):
        starts = generator.integers(0, count, (size, blocks))
        rows = (starts[:, :, None] + np.arange(length)).reshape(size, -1)[:, :count] % count
        estimates.append(statistic(values[rows]))
    tail = (1 - min(confidence, CONFIDENCE)) / 2
    low, high = np.quantile(np.concatenate(estimates), [tail, 1 - tail])
    if confidence > CONFIDENCE:
        centre = float(statistic(values))
        normal = NormalDist()
        factor = normal.inv_cdf((1 + confidence) / 2) / normal.inv_cdf((1 + CONFIDENCE) / 2)
        half_width = factor * max(centre - low, high - centre)
        low, high = centre - half_width, centre + half_width
    return float(low), float(high)


def _batches(count: int) -> list[int]:
    """Sizes of batches of resamples that keep memory small for long series."""
    size = min(RESAMPLES, max(1, _CHUNK_VALUES // count))
    return [min(size, RESAMPLES - done) for done in range(0, RESAMPLES, size)]


def _times(samples: Sequence[float] | Samples, name: str) -> Samples:
    """A one-dimensional array of finite times above 0."""
    try:
        if isinstance(samples, (str, bytes)):
            raise TypeError
        times = np.asarray(samples, dtype=np.float64)
    except (TypeError, ValueError):
        raise SettingsError(f"{name} is no sequence of numbers (a {type(samples).__name__} was given)") from None
    if times.ndim != 1:
        raise SettingsError(f"{name} has {times.ndim} dimensions; one sequence of times in microseconds is needed")
    if not len(times):
        raise SettingsError(f"{name} is empty; at least {MIN_ROUNDS} times in microseconds are needed")
    bad = np.flatnonzero(~(np.isfinite(times) & (times > 0)))
    if len(bad):
        raise SettingsError(f"{name}[{bad[0]}] is {times[bad[0]]:g}; times must be finite and above 0")
    return times


def _require_share(value: object, name: str) -> None:
    if not (_is_number(value) and 0 < value < 1):  # type: ignore[operator]
        raise SettingsError(f"{name}={value!r} is out of range; a share strictly between 0 and 1 is needed")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float, np.floating)) and not isinstance(value, bool)
