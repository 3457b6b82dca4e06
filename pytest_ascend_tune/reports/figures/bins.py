"""Bins of a histogram and the range of its axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from pytest_ascend_tune.reports.figures.levels import Line

MOST_BINS = 24


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


def histogram(values: Sequence[float], edges: Sequence[float]) -> tuple[Any, float]:
    """Counts per bin and the height of an axis that holds them."""
    if not values:
        return np.zeros(0), 1.08
    counts, _ = np.histogram(values, bins=np.asarray(edges))
    return counts, 1.08 * float(counts.max())


def span(edges: Sequence[float], lines: Sequence[Line]) -> tuple[float, float]:
    """Range of an axis that holds all bins and levels with a little air."""
    values = [*edges, *(line.value for line in lines)] or [0.0, 1.0]
    low, high = min(values), max(values)
    air = 0.04 * ((high - low) or abs(high) or 1.0)
    return low - air, high + air
