"""When the cpu backend calls the machine busy, with a made-up clock and made-up counters."""

from __future__ import annotations

import pytest

from pytest_ascend_tune.backends import cpu, cpu_facts
from pytest_ascend_tune.protocols import BackendOptions


class Machine:
    """Two CPUs: what they did so far, in seconds."""

    now = own = busy = steal = 0.0

    def moment(self):
        return cpu._Moment(self.now, self.own, cpu_facts.CpuTimes(self.busy, self.steal))


@pytest.fixture
def machine(monkeypatch):
    machine = Machine()
    monkeypatch.setattr(cpu.CpuBackend, "_moment", lambda self: machine.moment())
    monkeypatch.setattr(cpu_facts, "usable_cpus", lambda: [0, 1])
    monkeypatch.setattr(cpu_facts, "load_average", lambda: 3.25)
    monkeypatch.setattr(cpu.time, "monotonic", lambda: machine.now)

    def sleep(seconds):
        machine.now += seconds

    monkeypatch.setattr(cpu.time, "sleep", sleep)
    return machine


@pytest.fixture
def backend(machine, tmp_path):
    return cpu.CpuBackend(BackendOptions(tmp_path))


def test_our_own_work_is_no_disturbance(machine, backend):
    machine.now, machine.own, machine.busy = 10.0, 12.0, 12.5
    assert not backend.health().busy


def test_others_work_is_named_with_its_share(machine, backend):
    machine.now, machine.own, machine.busy = 10.0, 9.0, 15.0
    health = backend.health()
    assert health.busy
    assert [str(note) for note in health.notes] == [
        "other processes used 30% of the CPUs while measuring (load average 3.2)"
    ]


def test_stolen_time_is_named(machine, backend):
    machine.now, machine.steal = 10.0, 1.0
    health = backend.health()
    assert health.busy
    assert "hypervisor withheld 5%" in str(health.notes[0])


def test_each_call_looks_at_the_time_since_the_last(machine, backend):
    machine.now, machine.busy = 10.0, 15.0
    assert backend.health().busy
    machine.now = 20.0
    assert not backend.health().busy


def test_a_window_too_short_for_the_counters_is_waited_for(machine, backend):
    backend.health()
    assert machine.now == cpu.HEALTH_WINDOW_S


def test_a_machine_without_counters_is_not_called_busy(monkeypatch, tmp_path):
    monkeypatch.setattr(cpu_facts, "cpu_times", lambda cpus: None)
    assert not cpu.CpuBackend(BackendOptions(tmp_path)).health().busy
