"""Where a series of ratios changed its level: advice for the report, never a gate."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.records.history.store import TrendPoint

MIN_SEGMENT = 4  # results on each side: on recorded ratios a step is not told from noise with fewer
NOISE_PENALTY = 3.0  # times ln(n) noise variances for each change: above BIC's 2, since ratios have heavy tails


@dataclass(frozen=True)
class ChangePoint:
    """The level changed near result `index` (0-based, first of the new level) from `before` to `after`."""

    index: int
    before: float
    after: float

    @property
    def change_share(self) -> float:
        """Relative change, negative when slower."""
        return self.after / self.before - 1


def change_points(ratios: Sequence[float]) -> tuple[ChangePoint, ...] | None:
    """Level changes in a series of speeds, oldest first; None when ruptures (extra ``[trend]``) is not installed.

    PELT on the logarithms with a quadratic cost; the noise is taken from successive differences, which a step hardly
    touches. A step within the newest MIN_SEGMENT results is not seen yet or placed too early; any place is an estimate.
    """
    try:
        import ruptures  # start-up: an extra, slow to import
    except ImportError:
        return None
    if len(ratios) < 2 * MIN_SEGMENT:
        return ()
    logs = np.log(np.asarray(ratios, dtype=float))
    noise = max(float(np.median(np.abs(np.diff(logs)))) / 0.954, 1e-4)  # 0.954 = 0.6745 sqrt(2): normal differences
    penalty = NOISE_PENALTY * np.log(len(logs)) * noise**2
    ends = ruptures.Pelt(model="l2", min_size=MIN_SEGMENT, jump=1).fit(logs[:, None]).predict(pen=penalty)
    levels = [statistics.median(ratios[start:end]) for start, end in itertools.pairwise((0, *ends))]
    return tuple(ChangePoint(end, *pair) for end, pair in zip(ends[:-1], itertools.pairwise(levels), strict=True))


def trend_note(points: Sequence[TrendPoint]) -> Text | None:
    """A sentence about the newest level change of a problem's speed against the reference; None when there is none.

    Against the reference, because absolute numbers of a history change with every machine and driver.
    """
    compared = [point for point in points if point.vs_reference is not None]
    found = change_points([point.vs_reference for point in compared if point.vs_reference is not None])
    if not found:
        return None
    newest = found[-1]
    share, run = newest.change_share, compared[newest.index].run
    if share < 0:
        return Text.of("trend: {share:.1%} slower since about run {run} (advice, not judged)", share=-share, run=run)
    return Text.of("trend: {share:.1%} faster since about run {run} (advice, not judged)", share=share, run=run)
