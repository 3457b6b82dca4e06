"""The model of the search: scikit-optimize's Gaussian process with weak priors; the only file that imports skopt.

scikit-optimize's regressor learns the hyperparameters (its ``optimizer`` hook is where the priors enter); predictions
at many candidates come from the same formulas in :mod:`pytest_ascend_tune.tuning.posterior`, which adds observations
without refitting. Only ``skopt.learning`` is used: ``skopt.Optimizer`` would turn ordered parameters into unordered
ones, propose configurations twice and need a made-up value for every failure.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg import cho_solve
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning
from skopt.learning import GaussianProcessRegressor
from skopt.learning.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

from pytest_ascend_tune.model.search import Effect
from pytest_ascend_tune.tuning.posterior import JITTER, CovarianceKernel, Posterior

if TYPE_CHECKING:
    from pytest_ascend_tune.tuning.posterior import Array

# Priors on the logarithms of the hyperparameters, for columns in [0, 1] and standardised values: mean and standard
# deviation. Without them the likelihood of a few dozen points often explains a whole column away, and the search
# needs about twice the trials.
LENGTH_MEAN = 0.0
FREE, ALIKE = 1.0, 0.25  # deviations: each column has a length of its own; all columns matter about alike
AMPLITUDE_PRIOR = (0.0, 1.0)
NOISE_PRIOR = (float(np.log(1e-3)), 1.5)
LENGTH_BOUNDS = AMPLITUDE_BOUNDS = (0.05, 20.0)
NOISE_BOUNDS = (1e-6, 0.3)
START_LENGTH = 0.7
FIT_STEPS = 40


def negative_log_likelihood(theta: Array, squares: Array, values: Array) -> tuple[float, Array]:
    """What scikit-optimize minimises (a test compares them), and its gradient, at a quarter of the cost.

    `theta`: logarithms of amplitude, lengths, noise; `squares` (d, n, n): squared differences of the points.
    """
    amplitude, lengths, noise = np.exp(theta[0]), np.exp(theta[1:-1]), np.exp(theta[-1])
    known = len(values)
    flat = squares.reshape(len(lengths), -1)
    distance = np.sqrt(5.0 * (flat.T @ lengths**-2.0)).reshape(known, known)
    decay = amplitude * np.exp(-distance)
    covariance = decay * (1.0 + distance + distance**2 / 3.0)
    try:
        factor = np.linalg.cholesky(covariance + (noise + JITTER) * np.eye(known))
    except np.linalg.LinAlgError:
        return 1e25, np.zeros_like(theta)
    weights = cho_solve((factor, True), values)
    value = 0.5 * values @ weights + np.log(np.diag(factor)).sum() + 0.5 * known * np.log(2.0 * np.pi)
    inner = np.outer(weights, weights) - cho_solve((factor, True), np.eye(known))
    slope = (decay * (5.0 / 3.0) * (1.0 + distance) * inner).ravel()
    gradient = np.empty_like(theta)
    gradient[0] = -0.5 * (inner * covariance).sum()
    gradient[1:-1] = -0.5 * (flat @ slope) * lengths**-2.0
    gradient[-1] = -0.5 * noise * np.trace(inner)
    return float(value), gradient


def _map_optimizer(
    points: Array, values: Array, deviation: float
) -> Callable[[object, Array, Array], tuple[Array, float]]:
    """For the regressor's ``optimizer``: maximum a posteriori by L-BFGS-B. `deviation`: of the length prior."""
    means = np.array([AMPLITUDE_PRIOR[0], *[LENGTH_MEAN] * points.shape[1], NOISE_PRIOR[0]])
    deviations = np.array([AMPLITUDE_PRIOR[1], *[deviation] * points.shape[1], NOISE_PRIOR[1]])
    squares = (points.T[:, :, None] - points.T[:, None, :]) ** 2

    def negative_log_posterior(theta: Array) -> tuple[float, Array]:
        value, gradient = negative_log_likelihood(theta, squares, values)
        score = (theta - means) / deviations
        return value + 0.5 * float(score @ score), gradient + score / deviations

    def optimize(objective: object, start: Array, bounds: Array) -> tuple[Array, float]:
        options = {"maxiter": FIT_STEPS}
        found = minimize(negative_log_posterior, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
        return found.x, float(found.fun)

    return optimize


def learn_kernel(points: Array, values: Array, deviation: float = FREE) -> CovarianceKernel:
    """Hyperparameters for standardised `values` (n,) at `points` (n, d). `deviation`: of the length prior."""
    columns = points.shape[1]
    prior = ConstantKernel(1.0, AMPLITUDE_BOUNDS) * Matern(
        np.full(columns, START_LENGTH), [LENGTH_BOUNDS] * columns, nu=2.5
    ) + WhiteKernel(float(np.exp(NOISE_PRIOR[0])), NOISE_BOUNDS)
    regressor = GaussianProcessRegressor(
        prior, alpha=JITTER, noise="gaussian", optimizer=_map_optimizer(points, values, deviation)
    )
    with warnings.catch_warnings():  # a hyperparameter at its bound (a column without effect) is nothing to act on
        warnings.simplefilter("ignore", ConvergenceWarning)
        regressor.fit(points, values)
    product = regressor.kernel_.k1
    return CovarianceKernel(
        float(product.k1.constant_value),
        np.atleast_1d(np.asarray(product.k2.length_scale, dtype=np.float64)),
        max(float(regressor.noise_), NOISE_BOUNDS[0]),
    )


class GaussianProcess:
    """Standardises values, learns the kernel, predicts, tells what mattered."""

    def __init__(self) -> None:
        self._kernel: CovarianceKernel | None = None

    def fit(self, points: Array, values: Array) -> None:
        """Learn from `values` (n,) at `points` (n, d) in [0, 1]."""
        self._values, self._scale = standardise(values)
        self._points, self._offset = points, float(values.mean())
        self._kernel = learn_kernel(points, self._values)

    def predict(self, points: Array) -> tuple[Array, Array]:
        """Mean and standard deviation at `points`, in the units of the values."""
        if self._kernel is None:
            raise RuntimeError("predict() before fit()")
        posterior = Posterior(self._kernel, points)
        posterior.add(self._points)
        return posterior.mean(self._values) * self._scale + self._offset, posterior.std * self._scale

    def effects(self, names: Sequence[str]) -> tuple[Effect, ...]:
        """Share of each parameter in the modelled variation, largest first; shares sum to 1 unless nothing varies.

        `names`: parameter of each column; columns of one parameter are added.

        Total effect (Sobol', in Jansen's form: half the mean squared change when only this column is redrawn) on a
        fixed design in the unit cube, normalised over the columns.
        """
        columns = self._points.shape[1]
        rng = np.random.default_rng(0)
        design = self._points[rng.integers(len(self._points), size=512)]
        base = self.predict(design)[0]
        totals = np.empty(columns)
        for column in range(columns):
            moved = design.copy()
            moved[:, column] = rng.permutation(design[:, column])
            totals[column] = np.mean((self.predict(moved)[0] - base) ** 2) / 2.0
        shares = dict.fromkeys(names, 0.0)
        for name, total in zip(names, totals, strict=True):
            shares[name] += float(total / totals.sum()) if totals.any() else 0.0
        effects = [Effect(name, share) for name, share in shares.items()]
        return tuple(sorted(effects, key=lambda effect: (-effect.share, effect.parameter)))


def standardise(values: Array) -> tuple[Array, float]:
    """`values` with mean 0 and standard deviation 1, and the scale they were divided by (1 when all are equal)."""
    deviation = float(values.std())
    scale = deviation if deviation > 1e-12 else 1.0
    return (values - values.mean()) / scale, scale
