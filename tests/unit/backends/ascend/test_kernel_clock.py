"""Device time by MSPTI where it is preloaded, by events elsewhere, never a mixture."""

from __future__ import annotations

import shutil
from types import SimpleNamespace

import pytest

from pytest_ascend_tune.backends.ascend import kernel_clock
from pytest_ascend_tune.backends.ascend.backend import AscendBackend
from pytest_ascend_tune.kernels.template import load_template
from pytest_ascend_tune.model.errors import KernelCrashError
from pytest_ascend_tune.model.problem import Config, Dtype, GemmProblem
from pytest_ascend_tune.model.protocols import BackendOptions
from tests.contracts.test_ascend_backend import SMALL
from tests.fakes.cann import as_this_machine

PROBLEM = GemmProblem(70, 50, 90, Dtype.FLOAT16)


class Monitor:
    """Hands over these kernels, (name, microseconds)."""

    def __init__(self, *kernels):
        self.kernels, self.stopped = kernels, False

    def start(self, callback):
        self.callback = callback

    def stop(self):
        self.stopped = True
        for name, us in self.kernels:
            self.callback(SimpleNamespace(name=name, start=0, end=us * 1000))


def measured(*kernels, symbol="ascend_tune_1", launches=2, event_us=20.0):
    monitor = Monitor(*kernels)
    try:
        return kernel_clock.time_ms(lambda: monitor, lambda: event_us / 1000, symbol=symbol, launches=launches)
    finally:
        assert monitor.stopped


def test_the_kernels_own_records_are_summed():
    other = ("ascend_tune_clear", 150)
    assert measured(other, ("ascend_tune_1_mix_aic", 4), ("ascend_tune_1", 5)) == pytest.approx(0.009)


def test_the_reference_is_all_that_is_not_ours():
    kernels = (("ascend_tune_clear", 150), ("Cast", 1), ("MatMulV2", 5), ("MatMulV2", 5))
    assert measured(*kernels, symbol="") == pytest.approx(0.011)


@pytest.mark.parametrize(
    "kernels",
    [
        (),
        (("ascend_tune_1", 4),),
        (("ascend_tune_1", 4), ("ascend_tune_1", 4), ("ascend_tune_1", 4)),
        (("ascend_tune_1", 4), ("ascend_tune_1", 0)),
        (("ascend_tune_1", 14), ("ascend_tune_1", 14)),
    ],
)
def test_records_that_contradict_the_events_are_no_time(kernels):
    with pytest.raises(KernelCrashError, match=r"contradict each other: .* take libmspti out of LD_PRELOAD"):
        measured(*kernels)


def test_a_work_that_fails_stops_the_monitor():
    monitor = Monitor()
    with pytest.raises(ZeroDivisionError):
        kernel_clock.record(lambda: monitor, lambda: 1 / 0)
    assert monitor.stopped


@pytest.mark.parametrize("preload", ["", "/x/libother.so", "/x/libmspti.so"])
def test_without_library_or_package_there_is_no_monitor(monkeypatch, preload):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setenv("LD_PRELOAD", preload)
    monkeypatch.setattr(kernel_clock, "import_module", missing)
    assert kernel_clock.monitor() is None


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_on_a_board_with_mspti_the_launch_does_not_count_and_the_fingerprint_says_so(monkeypatch):
    with as_this_machine() as machine:
        times = {}
        for preload in ("", str(machine.home / "lib64" / "libmspti.so")):
            monkeypatch.setenv("LD_PRELOAD", preload)
            backend = AscendBackend(BackendOptions(machine.cache, l2="hot"))
            kernel = backend.build(load_template("catlass_gemm")[0], PROBLEM, Config(SMALL))
            clock = dict(backend.fingerprint().identity)["clock"]
            times[clock] = backend.sample(kernel, PROBLEM, timeout_s=20).us
            assert backend.sample(backend.reference(PROBLEM), PROBLEM, timeout_s=20).us > 0
            backend.close()
        launch_us = times[kernel_clock.EVENTS] - times[kernel_clock.RECORDS]
        assert launch_us == pytest.approx(5, abs=0.5)  # of the made-up machine


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_a_board_whose_records_get_lost_is_timed_by_events(monkeypatch):
    with as_this_machine() as machine:
        monkeypatch.setenv("LD_PRELOAD", str(machine.home / "lib64" / "libmspti.so"))
        machine.set("mspti_drop", 1)
        backend = AscendBackend(BackendOptions(machine.cache, l2="hot"))
        assert dict(backend.fingerprint().identity)["clock"] == kernel_clock.EVENTS
        backend.close()
