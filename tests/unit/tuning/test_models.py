"""Surrogate, posterior, acquisition and feasibility against independent formulas."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm
from skopt.learning import GaussianProcessRegressor
from skopt.learning.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

from pytest_ascend_tune.tuning.acquisition import expected_improvement
from pytest_ascend_tune.tuning.ensemble import ENSEMBLE_FROM, Ensemble
from pytest_ascend_tune.tuning.feasibility import Feasibility
from pytest_ascend_tune.tuning.posterior import CovarianceKernel, Posterior
from pytest_ascend_tune.tuning.surrogate import (
    ALIKE,
    FREE,
    GaussianProcess,
    learn_kernel,
    negative_log_likelihood,
    standardise,
)


@pytest.fixture
def data():
    rng = np.random.default_rng(1)
    points = rng.random((25, 3))
    values = np.sin(4 * points[:, 0]) + points[:, 1] ** 2
    return points, standardise(values)[0], rng.random((200, 3))


def test_the_posterior_is_scikit_optimizes_prediction(data):
    points, values, candidates = data
    kernel = CovarianceKernel(1.3, np.array([0.4, 0.8, 2.0]), 1e-2)
    prior = ConstantKernel(1.3) * Matern(kernel.lengths, nu=2.5)
    theirs = GaussianProcessRegressor(prior, alpha=1e-8, noise=1e-2, optimizer=None).fit(points, values)
    mean, std = theirs.predict(candidates, return_std=True)
    ours = Posterior(kernel, candidates)
    for start, stop in ((0, 1), (1, 8), (8, 24), (24, 25)):
        ours.add(points[start:stop])
    np.testing.assert_allclose(ours.mean(values), mean, atol=2e-4)
    np.testing.assert_allclose(ours.std, std, atol=2e-3)


def test_dropped_observations_are_forgotten(data):
    points, values, candidates = data
    kernel = CovarianceKernel(1.0, np.full(3, 0.7), 1e-3)
    plain, changed = Posterior(kernel, candidates), Posterior(kernel, candidates)
    plain.add(points[:10])
    changed.add(points)
    changed.drop(15)
    np.testing.assert_allclose(changed.mean(values[:10]), plain.mean(values[:10]), atol=1e-5)
    np.testing.assert_allclose(changed.std, plain.std, atol=1e-4)
    changed.add(points[10:])
    plain.add(points[10:])
    np.testing.assert_allclose(changed.mean(values), plain.mean(values), atol=1e-4)


def test_expected_improvement_is_the_integral_of_the_gain():
    mean, std, best = 0.3, 0.6, 0.8
    integral = quad(lambda x: max(x - best, 0.0) * norm.pdf(x, mean, std), best, best + 8)[0]
    assert expected_improvement(np.array([mean]), np.array([std]), best)[0] == pytest.approx(integral, rel=1e-6)
    gains = expected_improvement(np.array([-50.0, 0.0, 1.0]), np.array([1e-6, 0.1, 0.1]), 0.5)
    assert gains[0] == 0.0
    assert gains[0] <= gains[1] < gains[2]


def test_the_likelihood_is_scikit_optimizes(data):
    points, values, _ = data
    theta = np.log([1.3, 0.4, 0.8, 2.0, 0.01])
    prior = ConstantKernel(1.0) * Matern(np.ones(3), nu=2.5) + WhiteKernel(0.1)
    theirs = GaussianProcessRegressor(prior, alpha=1e-8, optimizer=None).fit(points, values)
    value, gradient = theirs.log_marginal_likelihood(theta, eval_gradient=True)
    squares = (points.T[:, :, None] - points.T[:, None, :]) ** 2
    ours, our_gradient = negative_log_likelihood(theta, squares, values)
    assert ours == pytest.approx(-value)
    np.testing.assert_allclose(our_gradient, -gradient, rtol=1e-6)


def test_a_column_without_effect_gets_a_longer_length_than_one_with(data):
    points, values, _ = data
    kernel = learn_kernel(points, values)
    assert kernel.lengths[2] > 2 * kernel.lengths[0]
    assert kernel.noise < 0.05


def test_priors_keep_the_lengths_of_few_points_finite():
    rng = np.random.default_rng(0)
    kernel = learn_kernel(rng.random((5, 8)), standardise(rng.random(5))[0])
    assert kernel.lengths.max() < 10


def test_the_surrogate_predicts_in_the_units_of_its_values():
    rng = np.random.default_rng(3)
    points = rng.random((40, 2))
    values = 1000.0 + 50.0 * points[:, 0]
    surrogate = GaussianProcess()
    surrogate.fit(points, values)
    mean, std = surrogate.predict(np.array([[0.5, 0.5]]))
    assert mean[0] == pytest.approx(1025.0, abs=3)
    assert 0 < std[0] < 10
    assert surrogate.effects(("a", "b"))[0].parameter == "a"
    summed = surrogate.effects(("a", "a"))
    assert [(effect.parameter, round(effect.share, 6)) for effect in summed] == [("a", 1.0)]


def test_with_enough_points_no_column_is_without_effect_to_the_whole_ensemble(data):
    points, values, candidates = data  # the third column has none
    ensemble = Ensemble(compressed=True, deviations=(FREE, ALIKE))
    (likeliest,), _, _ = ensemble.posteriors(points[: ENSEMBLE_FROM - 1], values[: ENSEMBLE_FROM - 1], candidates)
    assert len(likeliest) == ENSEMBLE_FROM - 1
    (likeliest, alike), seen, scale = ensemble.posteriors(points, values, candidates)
    assert len(likeliest) == len(alike) == len(points)
    ratios = [posterior.kernel.lengths.max() / posterior.kernel.lengths.min() for posterior in (likeliest, alike)]
    assert ratios[1] < 3.0 < 10.0 < ratios[0]
    assert np.argmax(seen) == np.argmax(values)
    assert scale > 0


def test_a_plain_ensemble_sees_the_values_as_they_are(data):
    points, values, candidates = data
    (posterior,), seen, scale = Ensemble(compressed=False, deviations=(ALIKE,)).posteriors(points, values, candidates)
    np.testing.assert_allclose(seen * scale + values.mean(), values)
    assert posterior.kernel.lengths.max() < 3.0 * posterior.kernel.lengths.min()


def test_failures_speak_for_their_neighbourhood():
    candidates = np.array([[0.05, 0.5], [0.95, 0.5]])
    model = Feasibility(candidates)
    points = np.array([[0.0, 0.5], [1.0, 0.5], [0.1, 0.4], [0.9, 0.6]])
    before = model.probability(points[:1], np.array([1.0]))
    np.testing.assert_allclose(before, 1.0)
    near_failures, near_successes = model.probability(points, np.array([0.0, 1.0, 0.0, 1.0]))
    assert near_failures < 0.3
    assert near_successes > 0.7
