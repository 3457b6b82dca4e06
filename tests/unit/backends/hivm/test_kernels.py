"""Templates in Triton on the simulator: what is compiled, results and times are the schedule's; and the real chain."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("xdsl", reason="xdsl is not installed (extra [triton])")

from pytest_ascend_tune.backends.hivm import kernels as kernels_module
from pytest_ascend_tune.backends.hivm.chain import Tools, find_tools
from pytest_ascend_tune.backends.hivm.program import ScheduleError
from pytest_ascend_tune.backends.simulator.backend import TRITON_BAND, SimulatorBackend
from pytest_ascend_tune.kernels.template import load_template
from pytest_ascend_tune.model.errors import BackendUnavailableError, BuildError, WrongResultError
from pytest_ascend_tune.model.problem import Config, GemmProblem
from tests.hivm.cases import CASES, recorded
from tests.hivm.fake_chain import FakeChain

TEMPLATE, SPACE = load_template("triton_gemm")
PROBLEM = GemmProblem(40, 72, 80, "float16", "nn")
CONFIG = Config({**SPACE.default, "tile_m": 32, "tile_n": 32, "tile_k": 32})


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> SimulatorBackend:
    FakeChain.asked = []
    monkeypatch.setattr(FakeChain, "text", recorded("nn_float16"))
    monkeypatch.setattr(kernels_module, "Chain", FakeChain)
    monkeypatch.setattr(kernels_module, "find_tools", lambda _python: Tools("", Path(), Path(), Path(), "fake 1"))
    made = SimulatorBackend("910B3")
    monkeypatch.setattr(made, "chip", replace(made.chip, cube_cores=2))
    return made


def test_the_kernel_gets_what_space_toml_says(backend: SimulatorBackend) -> None:
    artifact = backend.build(TEMPLATE, PROBLEM, CONFIG)
    ((source, target, options),) = FakeChain.asked
    assert source.signature == {"a_ptr": "*fp16", "b_ptr": "*fp16", "c_ptr": "*fp16"}
    assert source.constants == {
        "M": 40, "N": 72, "K": 80, "TILE_M": 32, "TILE_N": 32, "TILE_K": 32, "SWIZZLE_GROUP": 3, "SWIZZLE_ALONG_N": 0,
        "SHIFT_K": 0, "A_TRANSPOSED": 0, "B_TRANSPOSED": 0, "CORES": 2, "INTEGER": 0,
    }  # fmt: skip
    assert (target, options) == ("Ascend910B3", {"multibuffer": True})
    assert artifact.notes == ("changed by itself",)
    assert backend.build(TEMPLATE, PROBLEM, CONFIG) is artifact
    assert len(FakeChain.asked) == 1
    backend.close()


def test_verify_executes_and_sample_is_the_schedules_time(backend: SimulatorBackend) -> None:
    artifact = backend.build(TEMPLATE, PROBLEM, CONFIG)
    backend.verify(artifact, PROBLEM, timeout_s=10)
    time_us = backend.sample(artifact, PROBLEM, timeout_s=10).us
    assert time_us > 11.6  # the launch alone
    assert backend.band_us(PROBLEM, CONFIG) == (time_us / TRITON_BAND, time_us * TRITON_BAND)


def test_a_wrong_schedule_is_a_wrong_result_and_a_racy_one_a_schedule_error(
    backend: SimulatorBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = recorded("nn_float16").splitlines()
    step = next(i for i, line in enumerate(lines) if "mma_tile" in line and "func.call" in line)
    other = Config({**CONFIG, "shift_k": 1})
    first, *_ = [i for i, line in enumerate(lines) if "wait_flag" in line and "PIPE_M>" in line]
    monkeypatch.setattr(FakeChain, "text", "\n".join(lines[:first] + lines[first + 1 :]))
    with pytest.raises(ScheduleError):
        backend.verify(backend.build(TEMPLATE, PROBLEM, other), PROBLEM, timeout_s=10)
    init = lines[step].split("(")[1].split(",")[2].strip()  # the operand that says: start from zero
    always = [
        '%90001 = "arith.constant"() <{value = true}> : () -> i1',
        lines[step].replace(f" {init},", " %90001,", 1),
    ]
    monkeypatch.setattr(FakeChain, "text", "\n".join([*lines[:step], *always, *lines[step + 1 :]]))
    with pytest.raises(WrongResultError, match=r"elements of C are not the product; the first is C\[0, 0\]"):
        backend.verify(backend.build(TEMPLATE, PROBLEM, Config({**CONFIG, "swizzle_group": 1})), PROBLEM, timeout_s=10)


def test_a_big_problem_is_checked_on_some_cores(backend: SimulatorBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels_module, "FULL_VERIFY_FLOP", 1.0)
    backend.verify(backend.build(TEMPLATE, PROBLEM, CONFIG), PROBLEM, timeout_s=10)


def test_without_the_compiler_it_is_said_before_anything_is_built() -> None:
    with pytest.raises(BackendUnavailableError, match="--ascend-tune-triton-python"):
        SimulatorBackend("910B3").check_template(TEMPLATE)
    SimulatorBackend("910B3").check_template(load_template("catlass_gemm")[0])


@pytest.fixture
def real() -> SimulatorBackend:
    python = os.environ.get("ASCEND_TUNE_TRITON_PYTHON")
    try:
        find_tools(python)
    except BackendUnavailableError as error:
        pytest.skip(str(error))
    return SimulatorBackend("910B3", triton_python=python)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "int8"])
@pytest.mark.parametrize("layout", ["nn", "nt", "tn", "tt"])
def test_the_real_chain_from_template_to_time(real: SimulatorBackend, dtype: str, layout: str) -> None:
    problem = GemmProblem(300, 500, 200, dtype, layout)
    artifact = real.build(TEMPLATE, problem, Config({**SPACE.default, "tile_n": 128, "shift_k": 1}))
    real.verify(artifact, problem, timeout_s=60)
    assert 11.6 < real.sample(artifact, problem, timeout_s=60).us < 100
    real.close()


@pytest.mark.slow
def test_the_real_chain_refuses_as_a_failed_trial(real: SimulatorBackend) -> None:
    problem = GemmProblem(4096, 4096, 4096, "float16", "nn")
    config = Config({**SPACE.default, "tile_m": 256, "tile_k": 512})
    with pytest.raises(BuildError, match=r"overflow, requires \d+ bits while \d+ bits available"):
        real.build(TEMPLATE, problem, config)
    real.close()


def test_every_case_is_recorded() -> None:
    for name in CASES:
        assert recorded(name)
