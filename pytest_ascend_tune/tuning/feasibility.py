"""Which configurations are likely to fail. Learns from failures; the model of times never sees them.

A Gaussian process on labels 1 (worked) and 0 (failed) with fixed hyperparameters: cheap, and with a handful of
failures as good as a forest of trees (benchmarks/tuner, space "hidden").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pytest_ascend_tune.tuning.posterior import CovarianceKernel, Posterior

if TYPE_CHECKING:
    from pytest_ascend_tune.tuning.posterior import Array

LENGTH = 0.8  # of the unit cube: a failure speaks for its neighbours, not for the whole space
NOISE = 0.02
FLOOR = 0.02  # never rule a candidate out for good


class Feasibility:
    """Probability that each of `candidates` (n, d) works, from what has worked and failed so far."""

    def __init__(self, candidates: Array) -> None:
        self._posterior = Posterior(CovarianceKernel(1.0, np.full(candidates.shape[1], LENGTH), NOISE), candidates)

    def probability(self, points: Array, worked: Array) -> Array:
        """`points` (m, d) tried so far, the earlier ones unchanged between calls; `worked` (m,) of 1 and 0."""
        self._posterior.add(points[len(self._posterior) :])
        usual = (worked.sum() + 1.0) / (len(worked) + 1.0)  # before any failure everything works
        share: Array = self._posterior.mean(worked - usual) + usual
        return share.clip(FLOOR, 1.0)
