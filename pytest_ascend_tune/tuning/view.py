"""What the search believes about all candidates: Gaussian processes of log values, compressed or plain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pytest_ascend_tune.tuning.posterior import Posterior
from pytest_ascend_tune.tuning.surrogate import learn_kernel, standardise

if TYPE_CHECKING:
    from pytest_ascend_tune.tuning.posterior import Array, Grid

SOFTNESS = 0.3  # distance to the best, in median distances, at which compression sets in


class View:
    """One way to look at the measurements. `compressed`: what is far below the best counts less.

    How bad the bad configurations are is of no interest, and a model that has to explain it resolves the top less
    well: with compression the recorded GEMM spaces need about two thirds of the trials. The plain view is the second
    opinion: it has other blind spots (benchmarks/tuner).
    """

    def __init__(self, *, compressed: bool) -> None:
        self._compressed = compressed
        self._fitted = 0
        self._posterior: Posterior | None = None

    def believe(self, points: Array, values: Array, candidates: Grid) -> tuple[Posterior, Array, float]:
        """Posterior at `candidates`, the log `values` of `points` (n, d) in its units, and the log value of one.

        Earlier points must not change between calls; other candidates start anew. The hyperparameters depend on
        points and values only, not on the calls made before.
        """
        fitted = fit_size(len(values))
        if self._posterior is None or self._posterior.candidates is not candidates or fitted != self._fitted:
            kernel = learn_kernel(points[:fitted], self._units(values[:fitted])[0])
            self._posterior, self._fitted = Posterior(kernel, candidates), fitted
        self._posterior.add(points[len(self._posterior) :])
        return self._posterior, *self._units(values)

    def _units(self, values: Array) -> tuple[Array, float]:
        return standardise(compress(values) if self._compressed else values)


def compress(values: Array) -> Array:
    """`values` with their distance to the best compressed logarithmically; near the best nothing changes."""
    distance = values.max() - values
    unit = SOFTNESS * float(np.median(distance))
    if unit <= 0.0:
        return values
    compressed: Array = values.max() - unit * np.log1p(distance / unit)
    return compressed


def fit_size(known: int) -> int:
    """How many of the `known` first measurements the hyperparameters are learnt from: they settle, and a fit costs
    far more than adding a point."""
    step = 1 if known < 20 else 3 if known < 60 else 8
    return known - known % step
