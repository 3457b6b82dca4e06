"""The case of the AutoTuner that this plugin descends from: 4096 x 4096 x 4096 in float16, 50 trials, seed 42.

Without an NPU: ``pytest examples/test_seed_4096.py --ascend-tune --ascend-tune-backend=simulator``.
"""

import pytest

from pytest_ascend_tune.model.search import ConvergenceState


@pytest.mark.ascend_tune(m=4096, n=4096, k=4096, dtype="float16", max_iter=50, seed=42)
def test_4096(ascend_tune):
    result = ascend_tune()
    assert result.tuning.convergence.state is ConvergenceState.CONVERGED, result.tuning.convergence.reason
