"""Guarded arrays: placement and pattern. That the guards bite is shown with kernels in integration/test_cpu_faults."""

from __future__ import annotations

import ctypes
import gc
import mmap
import re
from pathlib import Path

import numpy as np
import pytest

from pytest_ascend_tune.backends.cpu import facts as cpu_facts
from pytest_ascend_tune.backends.cpu import worker as cpu_worker
from pytest_ascend_tune.backends.cpu.facts import address_space_bytes
from pytest_ascend_tune.backends.cpu.operands import Operands
from pytest_ascend_tune.backends.cpu.worker import CpuWorker
from pytest_ascend_tune.backends.guarded import GuardedArray
from pytest_ascend_tune.model.errors import WrongResultError
from pytest_ascend_tune.model.problem import GemmProblem, Layout


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (32, 32), (1000, 1000), (1, 5000)])
def test_the_array_ends_at_a_page(shape):
    guarded = GuardedArray(shape, np.float32)
    assert guarded.array.shape == shape
    assert guarded.array.ctypes.data == guarded.address
    assert (guarded.address + guarded.array.nbytes) % mmap.PAGESIZE == 0
    guarded.array.fill(7)
    assert guarded.is_intact()


def test_a_write_in_front_shows():
    guarded = GuardedArray((3, 5), np.float32)
    ctypes.memset(guarded.address - 1, 0, 1)
    assert not guarded.is_intact()


def test_a_large_array_may_have_huge_pages():
    setting = Path("/sys/kernel/mm/transparent_hugepage/enabled")
    if not setting.exists() or "[never]" in setting.read_text():
        pytest.skip("this system gives no huge pages")
    guarded = GuardedArray((2048, 1024), np.float32)
    mappings = re.split(r"^(?=[0-9a-f]+-[0-9a-f]+ )", Path("/proc/self/smaps").read_text(), flags=re.MULTILINE)
    start = f"{guarded.address:x}-"
    (own,) = (mapping for mapping in mappings if mapping.startswith(start))
    assert re.search(r"THPeligible:\s+1", own), own


def test_operands_come_from_the_problem_alone_and_are_balanced():
    problem = GemmProblem(50, 60, 70, "float32")
    one, again = Operands(problem), Operands(problem)
    assert np.array_equal(one.a, again.a)
    assert np.array_equal(one.b, again.b)
    assert abs(one.a.mean()) < 0.05
    assert one.a.min() < -0.9 < 0.9 < one.a.max()
    assert not np.array_equal(one.a.ravel()[:100], one.b.ravel()[:100])


@pytest.mark.parametrize("layout", Layout)
def test_operands_have_the_layout_of_the_problem(layout):
    operands = Operands(GemmProblem(20, 30, 40, "float32", layout))
    assert operands.a.shape == (20, 40)
    assert operands.b.shape == (40, 30)
    assert operands.a.flags.c_contiguous == (layout[0] == "n")
    assert operands.b.flags.c_contiguous == (layout[1] == "n")
    np.matmul(operands.a, operands.b, out=operands.c)
    operands.check(thorough=True)


def test_a_poisoned_result_is_wrong():
    operands = Operands(GemmProblem(20, 30, 40, "float32"))
    np.matmul(operands.a, operands.b, out=operands.c)
    operands.check(thorough=False)
    operands.poison()
    with pytest.raises(WrongResultError, match="never written"):
        operands.check(thorough=False)


def test_damage_in_front_of_c_is_a_wrong_result():
    operands = Operands(GemmProblem(3, 5, 7, "float32"))
    operands.check_borders()
    ctypes.memset(operands.addresses[2] - 1, 0, 1)
    with pytest.raises(WrongResultError, match="in front of"):
        operands.check_borders()


def test_operands_that_do_not_fit_are_a_memory_error():
    with pytest.raises(MemoryError, match="MiB"):
        Operands(GemmProblem(1 << 24, 1 << 24, 1, "float32"))


def test_operands_that_are_dropped_give_their_memory_back():
    Operands(GemmProblem(64, 64, 64, "float32"))  # whatever is loaded on first use
    before = address_space_bytes()
    operands = Operands(GemmProblem(4096, 4096, 16, "float32"))
    assert address_space_bytes() - before > 4 * 4096 * 4096
    gc.disable()  # as in the worker
    try:
        del operands
        assert address_space_bytes() - before < 4 * 4096 * 4096
    finally:
        gc.enable()


def test_the_worker_holds_few_problems_when_they_are_large(monkeypatch):
    monkeypatch.setattr(cpu_worker, "limit_memory", lambda *_: None)  # this process is not its child
    worker = CpuWorker()
    for size in (64, 65, 66):
        worker.prepare(f"{size}x{size}x{size}-float32-nn", 1)
    assert len(worker._operands) == 3
    monkeypatch.setattr(cpu_facts, "memory_bytes", lambda: 1)
    worker.prepare("67x67x67-float32-nn", 1)
    assert worker._operands.names == ["67x67x67-float32-nn"]
