"""The memory limit of the cpu worker holds for every kernel, whatever became of the operands."""

import pytest

from pytest_ascend_tune.backends.cpu import worker as cpu_worker
from pytest_ascend_tune.backends.cpu.worker import CpuWorker


def test_operands_without_room_leave_the_limit_on(monkeypatch):
    calls = []
    monkeypatch.setattr(cpu_worker, "lift_memory_limit", lambda: calls.append("lifted"))
    monkeypatch.setattr(cpu_worker, "limit_memory", lambda *_: calls.append("limited"))

    def no_room(problem):
        calls.append("operands")
        raise MemoryError

    monkeypatch.setattr(cpu_worker, "Operands", no_room)
    with pytest.raises(MemoryError):
        CpuWorker().prepare("64x64x64-float32-nn", threads=1)
    assert calls == ["lifted", "operands", "limited"]
