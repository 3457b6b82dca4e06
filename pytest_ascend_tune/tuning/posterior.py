"""Gaussian process arithmetic with fixed hyperparameters: posterior over a set of candidates, extended point by point.

The prior is amplitude * Matern-5/2 with one length scale per column (Rasmussen and Williams, Gaussian Processes for
Machine Learning, 2006, eq. 4.17) plus white noise. Adding a point costs one row of a triangular solve, so a proposal
between two refits stays at milliseconds for tens of thousands of candidates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg import solve_triangular

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

JITTER = 1e-8  # keeps the Cholesky factor of repeated or nearly repeated points finite


@dataclass(frozen=True, eq=False)
class CovarianceKernel:
    """Hyperparameters: prior variance, length scale of each column of [0, 1]^d, variance of the noise."""

    amplitude: float
    lengths: Array
    noise: float

    def __call__(self, left: Array, right: Array) -> Array:
        """Prior covariance of two sets of points, without noise: (len(left), len(right))."""
        left, right = left / self.lengths, right / self.lengths
        distance: Array = (-10.0 * left) @ right.T
        distance += 5.0 * (left**2).sum(1)[:, None]
        distance += 5.0 * (right**2).sum(1)[None, :]
        np.maximum(distance, 0.0, out=distance)
        np.sqrt(distance, out=distance)
        covariance = distance / 3.0
        covariance += 1.0
        covariance *= distance
        covariance += 1.0
        np.negative(distance, out=distance)
        covariance *= np.exp(distance, out=distance)
        covariance *= self.amplitude
        return covariance


class Posterior:
    """Mean and standard deviation at `candidates` (n, d) given observations that arrive one after the other."""

    def __init__(self, kernel: CovarianceKernel, candidates: Array) -> None:
        self.kernel = kernel
        self.candidates = candidates
        self._points: Array = np.empty((0, candidates.shape[1]))
        self._factor: Array = np.empty((0, 0))  # Cholesky factor of the covariance of the observations
        self._solved = np.empty((0, len(candidates)), dtype=np.float32)  # factor^-1 covariance(points, candidates)
        self._explained = np.zeros(len(candidates))  # prior variance explained so far, per candidate

    def __len__(self) -> int:
        return len(self._points)

    def add(self, points: Array) -> None:
        """Observe at `points` (k, d); their values come later, with :meth:`mean`."""
        old, new = len(self), len(points)
        if not new:
            return
        cross = solve_triangular(self._factor, self.kernel(self._points, points), lower=True) if old else None
        own = self.kernel(points, points) + (self.kernel.noise + JITTER) * np.eye(new)
        covariance = self.kernel(points, self.candidates)
        factor = np.zeros((old + new, old + new))
        if cross is not None:
            own -= cross.T @ cross
            covariance -= (cross.T.astype(np.float32) @ self._solved[:old]).astype(np.float64)
            factor[:old, :old], factor[old:, :old] = self._factor, cross.T
        corner = np.linalg.cholesky(own)
        factor[old:, old:] = corner
        rows = solve_triangular(corner.astype(np.float32), covariance.astype(np.float32), lower=True)
        if len(self._solved) < old + new:  # grow in blocks, so that adding a row does not copy all others
            grown = np.empty((old + new + 32, rows.shape[1]), dtype=np.float32)
            grown[:old] = self._solved[:old]
            self._solved = grown
        self._solved[old : old + new] = rows
        self._explained += np.einsum("ij,ij->j", rows, rows)
        self._factor, self._points = factor, np.vstack([self._points, points])

    def drop(self, count: int) -> None:
        """Forget the last `count` observations."""
        if not count:
            return
        kept = len(self) - count
        rows = self._solved[kept : len(self)]
        self._explained -= np.einsum("ij,ij->j", rows, rows)
        self._factor, self._points = self._factor[:kept, :kept], self._points[:kept]

    def mean(self, values: Array) -> Array:
        """Posterior mean at the candidates for the observed `values`, one per added point, of prior mean zero."""
        weights = solve_triangular(self._factor, values, lower=True).astype(np.float32)
        mean: Array = (weights @ self._solved[: len(self)]).astype(np.float64)
        return mean

    @property
    def std(self) -> Array:
        """Posterior standard deviation at the candidates, noise excluded."""
        variance: Array = np.maximum(self.kernel.amplitude - self._explained, 1e-12)
        return np.sqrt(variance)
