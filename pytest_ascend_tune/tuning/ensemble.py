"""The surrogate of the search: an ensemble of Gaussian processes of log values, compressed or plain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pytest_ascend_tune.tuning.posterior import Posterior
from pytest_ascend_tune.tuning.surrogate import learn_kernel, standardise

if TYPE_CHECKING:
    from pytest_ascend_tune.tuning.posterior import Array

SOFTNESS = 0.3  # distance to the best, in median distances, at which compression sets in
ENSEMBLE_FROM = 20  # measurements in the fit; the likeliest alone is quicker to the first good region


class Ensemble:
    """Gaussian processes that see the same measurements.

    `compressed`: what is far below the best counts less. How bad the bad configurations are is of no interest, and a
    model that has to explain it resolves the top less well: with compression the recorded GEMM spaces need about two
    thirds of the trials.

    `deviations`: of the length prior, one Gaussian process each; all but the first once a fit has ENSEMBLE_FROM of the
    measurements. The likeliest length scales (FREE) come from points that crowd around the best, and a column that the
    search has hardly moved seems without effect; a landscape in which all columns matter about ALIKE is the second
    opinion.
    """

    def __init__(self, *, compressed: bool, deviations: Sequence[float]) -> None:
        self._compressed = compressed
        self._deviations = deviations
        self._fitted = 0
        self._posteriors: tuple[Posterior, ...] = ()

    def posteriors(self, points: Array, values: Array, candidates: Array) -> tuple[tuple[Posterior, ...], Array, float]:
        """Posteriors at `candidates` (n, d), the log `values` of `points` in their units, and the log value of one.

        Earlier points must not change between calls; another candidate array starts anew. The hyperparameters depend
        on points and values only, not on the calls made before.
        """
        fitted = fit_size(len(values))
        if not self._posteriors or self._posteriors[0].candidates is not candidates or fitted != self._fitted:
            known = points[:fitted], self._units(values[:fitted])[0]
            deviations = self._deviations if fitted >= ENSEMBLE_FROM else self._deviations[:1]
            self._posteriors = tuple(Posterior(learn_kernel(*known, deviation), candidates) for deviation in deviations)
            self._fitted = fitted
        for posterior in self._posteriors:
            posterior.add(points[len(posterior) :])
        return self._posteriors, *self._units(values)

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
