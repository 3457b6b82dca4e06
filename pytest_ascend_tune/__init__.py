"""Tune GEMM kernels inside pytest and gate their performance. The public Python API, loaded on first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "GemmProblem": "model.problem",
    "GateResult": "model.verdict",
    "TuningResult": "model.search",
    "PerformanceRegression": "model.verdict",
    "SearchSpace": "kernels.space",
    "legal_configs": "kernels.template",
    "Tuner": "tuning.tuner",
    "tune": "session.api",
    "compare_samples": "gate.statistics",
    "predict": "backends.simulator.prediction",
}
__all__ = [
    "GateResult",
    "GemmProblem",
    "PerformanceRegression",
    "SearchSpace",
    "Tuner",
    "TuningResult",
    "__version__",
    "compare_samples",
    "legal_configs",
    "predict",
    "tune",
]

if TYPE_CHECKING:
    from pytest_ascend_tune.backends.simulator.prediction import predict
    from pytest_ascend_tune.gate.statistics import compare_samples
    from pytest_ascend_tune.kernels.space import SearchSpace
    from pytest_ascend_tune.kernels.template import legal_configs
    from pytest_ascend_tune.model.problem import GemmProblem
    from pytest_ascend_tune.model.search import TuningResult
    from pytest_ascend_tune.model.verdict import GateResult, PerformanceRegression
    from pytest_ascend_tune.session.api import tune
    from pytest_ascend_tune.tuning.tuner import Tuner


def __getattr__(name: str) -> Any:
    """Load a public name from its module: importing the package itself costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
