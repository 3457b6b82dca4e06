"""The one estimator (mean of the fastest quarter) and a bootstrap interval for ratios of interleaved samples."""

from __future__ import annotations

import numpy as np

RESAMPLES = 2000


def fastest_quarter(samples: np.ndarray) -> np.ndarray:
    """Mean of the fastest quarter along the last axis."""
    count = max(1, -(-samples.shape[-1] // 4))
    return np.asarray(np.sort(samples, axis=-1)[..., :count].mean(axis=-1))


def speed_ratio(ours: np.ndarray, other: np.ndarray, seed: int = 0) -> tuple[float, float, float]:
    """Speed of ours / other and its 95 % interval; sample i of both is from the same round, rounds are resampled."""
    rows = np.random.default_rng(seed).integers(0, len(ours), (RESAMPLES, len(ours)))
    ratios = fastest_quarter(other[rows]) / fastest_quarter(ours[rows])
    low, high = np.quantile(ratios, [0.025, 0.975])
    return float(fastest_quarter(other) / fastest_quarter(ours)), float(low), float(high)
