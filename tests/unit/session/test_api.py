"""``tune`` without pytest: bad arguments are named before anything is measured. The way through: test_docs.py."""

import pytest

from pytest_ascend_tune import GemmProblem, tune
from pytest_ascend_tune.backends.cpu.backend import CpuBackend
from pytest_ascend_tune.model.errors import ProblemError, SettingsError
from pytest_ascend_tune.model.word import FailureKind
from tests.fakes.backend import FakeBackend
from tests.fakes.kernels import needs_compiler

PROBLEM = GemmProblem(64, 64, 64, "float32")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"max_iter": "3"}, "max_iter: '3' is a text"),
        ({"max_iter": 0}, "max_iter: 0"),
        ({"max_iter": None}, "max_iter: None"),
        ({"seed": "7"}, "seed: '7' is a text"),
        ({"seed": -1}, "seed: -1"),
        ({"patience": 1.5}, "patience: 1.5"),
        ({"time_budget": "60"}, "time_budget: '60' is a text"),
        ({"template": 5}, "template: 5"),
    ],
)
def test_a_bad_argument_is_named(arguments, words):
    with pytest.raises(SettingsError, match=words):
        tune(PROBLEM, backend=FakeBackend(), **arguments)


def test_a_problem_is_a_gemm_problem():
    with pytest.raises(ProblemError, match="a GemmProblem is needed"):
        tune((64, 64, 64), backend=FakeBackend())


@needs_compiler
def test_a_kernel_far_above_the_peak_is_no_result(tmp_path, monkeypatch):
    monkeypatch.setattr(CpuBackend, "peak_tflops", lambda self, problem: 1e-6)
    result = tune(PROBLEM, backend="cpu", max_iter=1, folder=tmp_path)
    assert result.confirmed is None
    assert result.best is None
    assert [trial.failure.kind for trial in result.trials] == [FailureKind.WRONG_RESULT]
    assert "of the peak, which was measured again" in str(result.notes[-1])
