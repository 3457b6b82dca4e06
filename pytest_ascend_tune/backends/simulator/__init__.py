"""The analytical 910B model. Come here to change what the simulator predicts.

Arithmetic only, no device, no clock: ``parameters`` (of the kernel), ``constants`` (every number), ``work`` (inputs as
columns), ``schedule`` (tiles, cores, L2), ``pipeline`` (times), ``legality``, ``prediction`` (the public functions),
``explain``, ``explanation`` (in words), ``prior``, ``backend``. All that it says is simulated.
"""

from pytest_ascend_tune.backends.simulator.explain import Explanation, explain
from pytest_ascend_tune.backends.simulator.prediction import Prediction, predict, predict_many, why_outside
from pytest_ascend_tune.backends.simulator.prior import best_config, top_candidates

__all__ = [
    "Explanation",
    "Prediction",
    "best_config",
    "explain",
    "predict",
    "predict_many",
    "top_candidates",
    "why_outside",
]
