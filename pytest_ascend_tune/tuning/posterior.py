"""Gaussian process arithmetic with fixed hyperparameters: posterior over a set of candidates, extended point by point.

Adding a point costs one row of a triangular solve, so a proposal between two refits stays at milliseconds for tens of
thousands of candidates.
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


class Grid:
    """Points (n, d) with the different values of each column: a function of one column is computed once for each."""

    def __init__(self, points: Array) -> None:
        self.points = points
        self.columns = [np.unique(column, return_inverse=True) for column in points.T]  # values, and which a point has

    def __len__(self) -> int:
        return len(self.points)


@dataclass(frozen=True, eq=False)
class Kernel:
    """Hyperparameters: prior variance, length scale of each column of [0, 1]^d, variance of the noise.

    The share `alone` of the variance is a sum of what each column does alone, the rest their interplay: Matern-5/2
    functions (Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006, eq. 4.17) of one column each and
    of all together. A sum is learnt from far fewer points (Duvenaud, Nickisch and Rasmussen, Additive Gaussian
    Processes, 2011), and it speaks for the whole space where interplay speaks for a neighbourhood only.
    """

    amplitude: float
    lengths: Array
    noise: float
    alone: float = 0.5

    def __call__(self, left: Array, right: Grid) -> Array:
        """Prior covariance of two sets of points, without noise: (len(left), len(right))."""
        near, far = left / self.lengths, right.points / self.lengths
        squares: Array = -2.0 * near @ far.T
        squares += (near**2).sum(1)[:, None]
        squares += (far**2).sum(1)[None, :]
        np.maximum(squares, 0.0, out=squares)
        covariance = matern(np.sqrt(squares, out=squares))
        covariance *= self.amplitude * (1.0 - self.alone)
        share = self.amplitude * self.alone / len(self.lengths)
        for column, length, (values, numbers) in zip(left.T, self.lengths, right.columns, strict=True):
            covariance += share * matern(np.abs(column[:, None] - values) / length)[:, numbers]
        return covariance


def matern(distance: Array) -> Array:
    """Matern-5/2 correlation at distances in length scales; the distances are overwritten."""
    distance *= np.sqrt(5.0)
    correlation = distance / 3.0
    correlation += 1.0
    correlation *= distance
    correlation += 1.0
    np.negative(distance, out=distance)
    correlation *= np.exp(distance, out=distance)
    return correlation


class Posterior:
    """Mean and standard deviation at `candidates` given observations that arrive one after the other."""

    def __init__(self, kernel: Kernel, candidates: Grid) -> None:
        self.kernel = kernel
        self.candidates = candidates
        self._points: Array = np.empty((0, candidates.points.shape[1]))
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
        cross = solve_triangular(self._factor, self.kernel(self._points, Grid(points)), lower=True) if old else None
        own = self.kernel(points, Grid(points)) + (self.kernel.noise + JITTER) * np.eye(new)
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
