"""The model of the search: scikit-optimize's Gaussian process with weak priors; the only file that imports skopt.

scikit-optimize's regressor learns the hyperparameters (its ``optimizer`` hook is where the priors enter); predictions
at many candidates come from the same formulas in :mod:`pytest_ascend_tune.tuning.posterior`, which adds observations
without refitting. Only ``skopt.learning`` is used: ``skopt.Optimizer`` would turn ordered parameters into unordered
ones, propose configurations twice and need a made-up value for every failure.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.linalg import cho_solve
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning
from skopt.learning import GaussianProcessRegressor
from skopt.learning.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

from pytest_ascend_tune.model import Effect
from pytest_ascend_tune.tuning.posterior import JITTER, Grid, Kernel, Posterior

if TYPE_CHECKING:
    from pytest_ascend_tune.tuning.posterior import Array

# Priors on the logarithms of the hyperparameters, for columns in [0, 1] and standardised values: mean and standard
# deviation. Without them the likelihood of a few dozen points often explains a whole column away, and the search
# needs about twice the trials. From SETTLED points on the lengths are held together, for later points crowd around the
# best, and a column that the search has hardly moved then seems without effect; unless the points tell clearly, by
# EVIDENCE, that the columns differ.
FREE_LENGTHS, ALIKE_LENGTHS = (0.0, 1.0), (0.0, 0.25)
SETTLED = 20
EVIDENCE = 3.0  # log of the Bayes factor: strong (Kass and Raftery, Bayes Factors, 1995)
AMPLITUDE_PRIOR = (0.0, 1.0)
NOISE_PRIOR = (float(np.log(1e-3)), 1.5)
LENGTH_BOUNDS = AMPLITUDE_BOUNDS = (0.05, 20.0)
NOISE_BOUNDS = (1e-6, 0.3)
START_LENGTH = 0.7
FIT_STEPS = 40


class AloneAndTogether(Matern):  # type: ignore[misc]
    """scikit-optimize's Matern kernel, averaged with one of each column alone: the kernel of `posterior.Kernel`."""

    def __call__(self, left: Array, right: Array | None = None, eval_gradient: bool = False) -> Any:
        """Covariance (n, m); with `eval_gradient` also its derivatives by the logarithms of the lengths (n, n, d)."""
        together = super().__call__(left, right, eval_gradient)
        alone = [
            Matern(length, self.length_scale_bounds, self.nu)(
                left[:, [column]], None if right is None else right[:, [column]], eval_gradient
            )
            for column, length in enumerate(self.length_scale)
        ]
        if not eval_gradient:
            return (together + np.mean(alone, axis=0)) / 2.0
        covariances, gradients = zip(*alone, strict=True)
        gradient = together[1] + np.concatenate(gradients, axis=2) / len(alone)
        return (together[0] + np.mean(covariances, axis=0)) / 2.0, gradient / 2.0


def negative_log_likelihood(theta: Array, squares: Array, values: Array) -> tuple[float, Array]:
    """What scikit-optimize minimises (a test compares them), and its gradient, at a fraction of the cost.

    `theta`: logarithms of amplitude, lengths, noise; `squares` (d, n, n): squared differences of the points.
    """
    amplitude, lengths, noise = np.exp(theta[0]), np.exp(theta[1:-1]), np.exp(theta[-1])
    columns, known = len(lengths), len(values)
    scaled = 5.0 * (squares.reshape(columns, -1).T * lengths**-2.0).T  # squared distances of each column, times 5
    distance = np.sqrt(np.vstack([scaled, scaled.sum(axis=0)]))  # alone, and in the last row together
    decay = np.exp(-distance) * np.array([*[0.5 / columns] * columns, 0.5])[:, None]
    covariance = amplitude * (decay * (1.0 + distance + distance**2 / 3.0)).sum(axis=0).reshape(known, known)
    try:
        factor = np.linalg.cholesky(covariance + (noise + JITTER) * np.eye(known))
    except np.linalg.LinAlgError:
        return 1e25, np.zeros_like(theta)
    weights = cho_solve((factor, True), values)
    value = 0.5 * values @ weights + np.log(np.diag(factor)).sum() + 0.5 * known * np.log(2.0 * np.pi)
    inner = np.outer(weights, weights) - cho_solve((factor, True), np.eye(known))
    slope = decay * (1.0 + distance)
    gradient = np.empty_like(theta)
    gradient[0] = -0.5 * (inner * covariance).sum()
    gradient[1:-1] = -amplitude / 6.0 * ((slope[:-1] + slope[-1]) * scaled) @ inner.ravel()
    gradient[-1] = -0.5 * noise * np.trace(inner)
    return float(value), gradient


def _map_optimizer(points: Array, values: Array) -> Callable[[object, Array, Array], tuple[Array, float]]:
    """For the regressor's ``optimizer``: maximum a posteriori by L-BFGS-B, under the prior that evidence chooses."""
    squares = (points.T[:, :, None] - points.T[:, None, :]) ** 2

    def optimize(objective: object, start: Array, bounds: Array) -> tuple[Array, float]:
        free, loss = _most_likely(FREE_LENGTHS, squares, values, start, bounds)
        if len(points) < SETTLED:
            return free
        alike, alike_loss = _most_likely(ALIKE_LENGTHS, squares, values, start, bounds)
        return free if alike_loss - loss > EVIDENCE else alike

    return optimize


def _most_likely(
    lengths: tuple[float, float], squares: Array, values: Array, start: Array, bounds: Array
) -> tuple[tuple[Array, float], float]:
    """Hyperparameters of largest posterior density with its negative logarithm, and that of the prior's evidence.

    The evidence is Laplace's approximation in the lengths (Rasmussen and Williams 2006, section 3.4), without what is
    the same for all priors.
    """
    columns = len(squares)
    means, deviations = np.transpose([AMPLITUDE_PRIOR, *[lengths] * columns, NOISE_PRIOR])

    def negative_log_posterior(theta: Array) -> tuple[float, Array]:
        value, gradient = negative_log_likelihood(theta, squares, values)
        score = (theta - means) / deviations
        return value + 0.5 * float(score @ score), gradient + score / deviations

    options = {"maxiter": FIT_STEPS}
    found = minimize(negative_log_posterior, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    steps = 1e-3 * np.eye(len(start))[1:-1]
    slopes = [negative_log_posterior(found.x + s)[1] - negative_log_posterior(found.x - s)[1] for s in steps]
    curvature = np.array(slopes)[:, 1:-1] / 2e-3
    volume = np.linalg.slogdet((curvature + curvature.T) / 2.0)[1]
    loss = float(found.fun) + columns * float(np.log(lengths[1])) + 0.5 * float(volume)
    return (found.x, float(found.fun)), loss


def learn_kernel(points: Array, values: Array) -> Kernel:
    """Hyperparameters for standardised `values` (n,) at `points` (n, d)."""
    columns = points.shape[1]
    prior = ConstantKernel(1.0, AMPLITUDE_BOUNDS) * AloneAndTogether(
        np.full(columns, START_LENGTH), [LENGTH_BOUNDS] * columns, nu=2.5
    ) + WhiteKernel(float(np.exp(NOISE_PRIOR[0])), NOISE_BOUNDS)
    regressor = GaussianProcessRegressor(
        prior, alpha=JITTER, noise="gaussian", optimizer=_map_optimizer(points, values)
    )
    with warnings.catch_warnings():  # a hyperparameter at its bound (a column without effect) is nothing to act on
        warnings.simplefilter("ignore", ConvergenceWarning)
        regressor.fit(points, values)
    product = regressor.kernel_.k1
    return Kernel(
        float(product.k1.constant_value),
        np.atleast_1d(np.asarray(product.k2.length_scale, dtype=np.float64)),
        max(float(regressor.noise_), NOISE_BOUNDS[0]),
    )


class GaussianProcess:
    """Standardises values, learns the kernel, predicts, tells what mattered."""

    def __init__(self) -> None:
        self._kernel: Kernel | None = None

    def fit(self, points: Array, values: Array) -> None:
        """Learn from `values` (n,) at `points` (n, d) in [0, 1]."""
        self._values, self._scale = standardise(values)
        self._points, self._offset = points, float(values.mean())
        self._kernel = learn_kernel(points, self._values)

    def predict(self, points: Array) -> tuple[Array, Array]:
        """Mean and standard deviation at `points`, in the units of the values."""
        if self._kernel is None:
            raise RuntimeError("predict() before fit()")
        posterior = Posterior(self._kernel, Grid(points))
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
