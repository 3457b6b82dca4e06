"""How promising a candidate is: expected improvement as plain arithmetic."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr

if TYPE_CHECKING:
    from pytest_ascend_tune.tuning.posterior import Array


def expected_improvement(mean: Array, std: Array, best: float) -> Array:
    """Expected gain over `best` of candidates with normal predictions (higher is better), in the units of `mean`.

    Jones, Schonlau and Welch, Efficient Global Optimization of Expensive Black-Box Functions, 1998, eq. 15.
    """
    gain = mean - best
    score = gain / std
    improvement: Array = gain * ndtr(score) + std * np.exp(-0.5 * score**2) / np.sqrt(2.0 * np.pi)
    return np.maximum(improvement, 0.0)
