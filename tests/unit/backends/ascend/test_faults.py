"""Everything that can go wrong on an NPU, injected into a made-up one: the right error, and the next trial works."""

from __future__ import annotations

import json
import os
import shutil
import signal
from dataclasses import replace

import psutil
import pytest

from pytest_ascend_tune.backends.ascend import backend as ascend_backend
from pytest_ascend_tune.backends.ascend import faultbundle, neighbours
from pytest_ascend_tune.backends.ascend.backend import AscendBackend
from pytest_ascend_tune.kernels.template import load_template
from pytest_ascend_tune.model.errors import (
    BackendUnavailableError,
    BuildError,
    BuildTimeoutError,
    KernelCrashError,
    KernelTimeoutError,
    OutOfMemoryError,
    RecordError,
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
def backend(machine):
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


# As public logs have it, with made-up numbers.
SAID = """\
EZ9999: Inner Error!
EZ9999: The error from device(chipId:0, dieId:0), serial number is 5, aicore error, core id is 7

        error code = 0x800000, dump info: pc start: 0x12c0c0012000, current: 0x12c0c00125f4
        errorStr: The UB address accessed by the instruction is out of bounds: ub address out of bounds
"""


def bundles(machine):
    return sorted((machine.root / "faults").glob("fault-*.json"))


@pytest.mark.parametrize("action", ["verify", "sample"])
def test_canns_own_account_of_a_fault_stays_with_the_trial(machine, backend, kernel, action):
    machine.set("sync", 507015)
    machine.set("errmsg", SAID)
    with pytest.raises(KernelCrashError) as caught:
        getattr(backend, action)(kernel, PROBLEM, timeout_s=20)
    text = str(caught.value)
    assert text.startswith("aclrtSynchronizeStreamWithTimeout" if action == "verify" else "the timed run of the kernel")
    for words in ("core id is 7", "current: 0x12c0c00125f4", "ub address out of bounds"):
        assert words in text
    assert "\n\n" not in text


def test_a_fault_leaves_a_file_with_all_that_is_known(machine, backend, kernel, monkeypatch, tmp_path):
    backend.verify(kernel, PROBLEM, timeout_s=20)
    log = tmp_path / "debug" / "plog" / f"plog-{backend._worker.pid}_20260101.log"
    log.parent.mkdir(parents=True)
    log.touch()
    (log.parent / "plog-1_20260101.log").touch()
    monkeypatch.setenv("ASCEND_PROCESS_LOG_PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(machine.root))
    machine.set("sync", 507015)
    machine.set("errmsg", SAID)
    with pytest.raises(KernelCrashError, match=r"all that is known of it: faults/fault-\d+-70x50x90-float16-nn\.json$"):
        backend.verify(kernel, PROBLEM, timeout_s=20)
    known = json.loads(bundles(machine)[-1].read_text())
    assert known["kind"] == "crash"
    assert "ub address out of bounds" in known["message"]
    assert known["config"] == dict(CONFIG)
    assert known["problem"] == PROBLEM.id
    assert known["command"][0].endswith("bisheng")
    assert f"-DTILE_M={SMALL['tile_m']}" in known["command"]
    assert "-DGEMM_DTYPE=FLOAT16" in known["command"]
    assert known["plogs"] == [str(log)]
    assert any("mssanitizer --tool=memcheck" in line for line in known["next"])
    assert known["versions"]["cann"] == "8.5.0"
    assert str(machine.root) not in bundles(machine)[-1].read_text()  # the home folder


def test_a_refused_build_leaves_one_too_and_old_ones_make_room(machine, backend, template, monkeypatch):
    monkeypatch.setattr(faultbundle, "KEPT", 2)
    mine = machine.root / "faults" / "notes.txt"
    mine.parent.mkdir(exist_ok=True)
    mine.write_text("somebody's")
    machine.set("compile", "error TILE_M=128")
    for _ in range(4):
        with pytest.raises(BuildError, match="all that is known of it: faults/"):
            backend.build(template, PROBLEM, Config({**SMALL, "tile_m": 128}))
    assert len(bundles(machine)) == 2
    assert json.loads(bundles(machine)[-1].read_text())["kind"] == "build_error"
    assert mine.read_text() == "somebody's"


def test_a_fault_that_cannot_be_written_down_is_still_the_fault(machine, backend, kernel, monkeypatch):
    def refuse(path, text):
        raise RecordError("disk full")

    monkeypatch.setattr(faultbundle.atomic, "write_text", refuse)
    machine.set("sync", 507015)
    with pytest.raises(KernelCrashError, match="507015") as caught:
        backend.verify(kernel, PROBLEM, timeout_s=20)
    assert "all that is known" not in str(caught.value)


@pytest.mark.parametrize(("state", "words"), [("count", "the NPUs cannot be counted"), ("open", "cannot be opened")])
def test_visible_devices_that_do_not_exist_are_named_in_canns_words(machine, backend, state, words):
    said = "EE1001: set ASCEND_RT_VISIBLE_DEVICES:4 error, input data rang[0-2)"
    machine.set(state, "NPU function error: rtGetDeviceCount, error code is 107001")
    machine.set("errmsg", said)
    reason = backend.unavailable_because() or ""
    assert words in reason
    assert said in reason


def test_no_visible_device_is_explained_in_canns_words(machine, backend):
    machine.set("devices", 0)
    machine.set("errmsg", "EE1001: set ASCEND_RT_VISIBLE_DEVICES:4 error, input data rang[0-2)")
    assert "none is visible" in (reason := backend.unavailable_because() or "")
    assert "rang[0-2)" in reason


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


def test_the_clock_is_read_before_and_after_and_stays_with_the_sample(machine, backend, kernel):
    assert backend.sample(kernel, PROBLEM, timeout_s=20).clock_mhz == (1800, 1800)
    machine.set("mhz", 1000)
    assert backend.sample(kernel, PROBLEM, timeout_s=20).clock_mhz == (1000, 1000)
    machine.clear("mhz")  # a driver that does not tell
    assert backend.sample(kernel, PROBLEM, timeout_s=20).clock_mhz is None


def test_l2_is_emptied_by_reading_as_much_as_it_holds_and_the_fingerprint_says_how_much(machine, backend, kernel):
    assert dict(backend.fingerprint().identity)["l2"] == "hot"
    cold = AscendBackend(BackendOptions(machine.cache))
    assert dict(cold.fingerprint().identity)["l2"] == "cold: 192 MiB read by an own kernel"
    hot_us = backend.sample(kernel, PROBLEM, timeout_s=20).us
    sample = cold.sample(cold.build(kernel.template, PROBLEM, CONFIG), PROBLEM, timeout_s=60)
    assert sample.us == pytest.approx(hot_us, rel=0.2)  # what empties L2 lies before the events
    cold.close()


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
    monkeypatch.setattr(neighbours, "SETTLE_S", 0.0)
    assert "63 % busy" in str(backend.health().notes[0])


def test_our_own_use_a_moment_ago_is_not_taken_for_a_neighbour(machine, backend, monkeypatch):
    machine.set("use", 63)
    monkeypatch.setattr(neighbours.time, "sleep", lambda seconds: machine.set("use", 0))
    assert not backend.health().busy


def test_neighbours_are_those_of_the_number_that_ascendcl_tells(machine, backend):
    machine.set("devices", 2)
    machine.set("physical", 1)
    machine.set("processes", "1 4711 train")
    assert [str(note) for note in backend.health().notes] == ["process 4711 (train) uses NPU 1, too"]
    assert backend.lock_names(None) == ("npu-1",)
    assert backend.lock_names((1, 0)) == ("npu-1", "npu-2")


def test_a_container_that_cannot_tell_says_so_and_warns_of_any_busy_npu(machine, backend, monkeypatch, tmp_path):
    monkeypatch.setattr(neighbours, "in_container", lambda: True)
    monkeypatch.setattr(neighbours, "DEVICE_NODES", tmp_path)
    machine.set("devices", 2)
    assert not backend.health().busy
    assert any("cannot be known in this container" in str(note) for note in backend.notes(PROBLEM))
    machine.set("processes", "1 4711 train")
    assert [str(note) for note in backend.health().notes] == ["process 4711 (train) uses NPU 1, which could be ours"]
    (tmp_path / "davinci6").touch()
    assert backend.lock_names(None) == ("npu-6",)


def test_npu_smi_that_does_not_work_is_no_fault(machine, backend):
    machine.set("smi_broken", 1)
    assert not backend.health().busy


def test_options_that_make_no_sense(machine):
    with pytest.raises(SettingsError, match="l2='warm' is unknown; allowed: cold, hot"):
        AscendBackend(BackendOptions(machine.cache, l2="warm"))
