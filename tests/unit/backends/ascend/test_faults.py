"""Everything that can go wrong on an NPU, injected into a made-up one: the right error, and the next trial works."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
from dataclasses import replace

import psutil
import pytest

from pytest_ascend_tune.backends.ascend import backend as ascend_backend
from pytest_ascend_tune.backends.ascend import chip
from pytest_ascend_tune.backends.ascend.backend import AscendBackend
from pytest_ascend_tune.kernels.template import load_template
from pytest_ascend_tune.model.errors import (
    BackendUnavailableError,
    BuildError,
    BuildTimeoutError,
    KernelCrashError,
    KernelTimeoutError,
    OutOfMemoryError,
    SettingsError,
    WrongResultError,
)
from pytest_ascend_tune.model.problem import Config, Dtype, GemmProblem
from pytest_ascend_tune.model.protocols import BackendOptions
from tests.contracts.test_ascend_backend import SMALL
from tests.fakes.cann import as_this_machine

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")

CONFIG = Config(SMALL)
PROBLEM = GemmProblem(70, 50, 90, Dtype.FLOAT16)


@pytest.fixture
def machine():
    with as_this_machine() as machine:
        yield machine


@pytest.fixture(scope="module")
def template():
    return load_template("catlass_gemm")[0]


@pytest.fixture
def backend(machine, tmp_path, monkeypatch):
    monkeypatch.setattr(chip, "LOCK_FOLDER", tmp_path)
    backend = AscendBackend(BackendOptions(machine.cache, l2="hot"))
    yield backend
    backend.close()


@pytest.fixture
def kernel(backend, template):
    return backend.build(template, PROBLEM, CONFIG)


@pytest.mark.parametrize(
    ("code", "error", "words"),
    [
        (507014, KernelTimeoutError, "507014 (RT_AICORE_TIMEOUT)"),
        (507015, KernelCrashError, "507015 (RT_AICORE_EXCEPTION)"),
        (507046, KernelTimeoutError, "507046 (RT_STREAM_SYNC_TIMEOUT)"),
        (507999, KernelCrashError, "507999 (the device or driver failed"),
    ],
)
def test_a_fault_on_the_device_is_explained_and_costs_one_process(machine, backend, kernel, code, error, words):
    machine.set("sync", code)
    with pytest.raises(error) as caught:
        backend.verify(kernel, PROBLEM, timeout_s=20)
    assert words in str(caught.value)
    machine.clear("sync")
    backend.verify(kernel, PROBLEM, timeout_s=20)  # the poisoned process is gone


def test_a_poisoned_process_would_fail_for_ever(machine, backend, kernel, monkeypatch):
    """What the replacement of the process is for."""
    backend.verify(kernel, PROBLEM, timeout_s=20)
    monkeypatch.setattr(backend._worker, "discard", lambda: None)
    machine.set("sync", 507014)
    with pytest.raises(KernelTimeoutError):
        backend.verify(kernel, PROBLEM, timeout_s=20)
    machine.clear("sync")
    with pytest.raises(KernelCrashError, match="507899"):
        backend.verify(kernel, PROBLEM, timeout_s=20)


def test_a_launch_that_the_device_refuses(machine, backend, kernel):
    backend.verify(kernel, PROBLEM, timeout_s=20)
    machine.set("record", 107003)
    with pytest.raises(KernelCrashError, match="stream belongs to another context"):
        backend.sample(kernel, PROBLEM, timeout_s=20)
    machine.clear("record")
    assert backend.sample(kernel, PROBLEM, timeout_s=20).us > 0


def test_a_device_that_never_answers_is_given_up(machine, backend, kernel, monkeypatch):
    backend.verify(kernel, PROBLEM, timeout_s=20)
    monkeypatch.setitem(ascend_backend.HOST_TIMEOUT_S, "verify", 0.3)
    machine.set("hang", 1)
    with pytest.raises(KernelTimeoutError, match="did not end within"):
        backend.verify(kernel, PROBLEM, timeout_s=0.2)
    machine.clear("hang")
    monkeypatch.undo()
    backend.verify(kernel, PROBLEM, timeout_s=20)


def test_a_worker_that_is_killed_is_replaced(backend, kernel):
    backend.verify(kernel, PROBLEM, timeout_s=20)
    pid = backend._worker.pid
    os.kill(pid, signal.SIGKILL)
    psutil.wait_procs([psutil.Process(pid)] if psutil.pid_exists(pid) else [], timeout=20)
    backend.verify(kernel, PROBLEM, timeout_s=20)


def test_a_problem_beyond_memory(machine, backend, kernel):
    machine.set("memory", 1000)
    with pytest.raises(OutOfMemoryError, match="NPU out of memory"):
        backend.sample(kernel, PROBLEM, timeout_s=20)


def test_a_kernel_that_computes_something_else(machine, backend, template):
    machine.set("miscompile", 1)
    changed = replace(template, files=tuple((n, t + "\n") for n, t in template.files))  # not the cached build
    wrong = backend.build(changed, PROBLEM, CONFIG)
    with pytest.raises(WrongResultError):
        backend.verify(wrong, PROBLEM, timeout_s=20)


def test_a_refused_configuration_fails_alone(machine, backend, template):
    machine.set("compile", "error TILE_M=128")
    with pytest.raises(BuildError, match="this configuration is refused"):
        backend.build(template, PROBLEM, Config({**SMALL, "tile_m": 128}))
    backend.build(template, PROBLEM, CONFIG)


def test_a_compiler_that_crashes(machine, backend, template):
    machine.set("compile", "crash")
    with pytest.raises(BuildError, match=r"SIGSEGV|exit code"):
        backend.build(template, PROBLEM, Config({**SMALL, "tile_m": 128}))


def test_a_compiler_that_hangs(machine, template):
    machine.set("compile", "hang")
    backend = AscendBackend(BackendOptions(machine.cache, build_timeout_s=0.7))
    backend._probed = True
    with pytest.raises(BuildTimeoutError):
        backend.build(template, PROBLEM, Config({**SMALL, "tile_m": 128}))
    backend.close()


def test_a_changed_library_is_not_loaded(backend, kernel):
    replaced = replace(kernel, file=replace(kernel.file, sha256="0" * 64))
    with pytest.raises(BuildError, match="was changed after it was built"):
        backend.verify(replaced, PROBLEM, timeout_s=20)


def test_a_broken_tool_chain_is_one_error_before_any_trial(machine, template, tmp_path):
    machine.set("probe", 1)
    backend = AscendBackend(BackendOptions(tmp_path))
    reason = backend.unavailable_because()
    assert reason is not None
    assert "cannot compile even an empty kernel" in reason
    assert "kernel_operator.h" in reason
    with pytest.raises(BackendUnavailableError):
        backend.build(template, PROBLEM, CONFIG)
    backend.close()


@pytest.mark.parametrize(
    ("state", "value", "words"),
    [
        ("import", 1, "torch and torch_npu cannot be imported"),
        ("devices", 0, "none is visible"),
        ("open", "drvDeviceOpen failed, error code is 507899", "cannot be opened"),
        ("soc", "Ascend777", "the chip 'Ascend777' is unknown"),
    ],
)
def test_a_device_that_cannot_be_used(machine, backend, state, value, words):
    machine.set(state, value)
    assert words in (backend.unavailable_because() or "")


def test_a_device_number_out_of_range(machine):
    machine.set("devices", 2)
    backend = AscendBackend(BackendOptions(machine.cache, devices=(5,)))
    assert "NPU 5 was asked for; 2 are visible (0 to 1)" in (backend.unavailable_because() or "")
    backend.close()


def test_an_unknown_chip_with_a_platform_file_works_and_says_so(machine, backend):
    machine.chip("Ascend910B9", cores=30, mhz=2000)
    assert backend.unavailable_because() is None
    assert backend.device == "Ascend910B9"
    assert backend.facts()["cores"] == 30
    assert backend.peak_tflops(PROBLEM) == pytest.approx(30 * 2000 * 8192 / 1e6)
    assert any("not in the table" in str(note) for note in backend.notes(PROBLEM))


def test_a_chip_that_differs_from_the_table_wins_and_says_so(machine, backend):
    machine.chip("Ascend910B2", cores=20, mhz=1500)
    notes = [str(note) for note in backend.notes(PROBLEM)]
    assert "cube_cores is 20 on this device, 24 in the table" in notes
    assert backend.peak_tflops(PROBLEM) == pytest.approx(20 * 1500 * 8192 / 1e6)


def test_a_slow_clock_is_seen(machine, backend, kernel):
    machine.set("mhz", 1200)
    backend.sample(kernel, PROBLEM, timeout_s=20)
    health = backend.health()
    assert health.busy
    assert health.slow_clock
    assert "the clock ran at 1200 of 1800 MHz" in map(str, health.notes)


def test_neighbours_are_seen_and_we_are_none(machine, backend, kernel, monkeypatch):
    backend.sample(kernel, PROBLEM, timeout_s=20)
    machine.set("processes", f"0 {backend._worker.pid} python")
    assert not backend.health().busy
    machine.set("processes", f"0 {backend._worker.pid} python\n0 4711 train\n1 4712 other")
    health = backend.health()
    assert health.busy
    assert not health.slow_clock
    assert [str(note) for note in health.notes] == ["process 4711 (train) uses NPU 0, too"]
    machine.clear("processes")
    machine.set("use", 63)
    monkeypatch.setattr(chip, "SETTLE_S", 0.0)
    assert "63 % busy" in str(backend.health().notes[0])


def test_our_own_use_a_moment_ago_is_not_taken_for_a_neighbour(machine, backend, monkeypatch):
    machine.set("use", 63)
    monkeypatch.setattr(chip.time, "sleep", lambda seconds: machine.set("use", 0))
    assert not backend.health().busy


def test_npu_smi_that_does_not_work_is_no_fault(machine, backend):
    machine.set("smi_broken", 1)
    assert not backend.health().busy


def test_another_run_on_the_same_device_is_seen_but_a_stale_lock_is_not(backend, tmp_path):
    path = tmp_path / "ascend-tune-npu0.lock"
    path.write_text("left behind by a run that is gone")
    assert not backend.health().busy
    backend._lock.release()
    with open(path) as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert "another ascend-tune run uses NPU 0" in map(str, backend.health().notes)


def test_options_that_make_no_sense(machine):
    with pytest.raises(SettingsError, match="l2='warm' is unknown; allowed: cold, hot"):
        AscendBackend(BackendOptions(machine.cache, l2="warm"))
