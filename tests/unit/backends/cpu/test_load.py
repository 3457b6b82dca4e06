"""When the machine is called busy, with a made-up clock and made-up counters."""

from __future__ import annotations

import pytest

from pytest_ascend_tune.backends.cpu import facts as cpu_facts
from pytest_ascend_tune.backends.cpu import load as cpu_load


class Machine:
    """Two CPUs: what they did so far, in seconds."""

    now = own = busy = steal = 0.0


@pytest.fixture
def machine(monkeypatch):
    machine = Machine()

    def moment(children):
        return cpu_load.Moment(machine.now, machine.own, cpu_facts.CpuTimes(machine.busy, machine.steal))

    def sleep(seconds):
        machine.now += seconds

    monkeypatch.setattr(cpu_load, "moment", moment)
    monkeypatch.setattr(cpu_facts, "usable_cpus", lambda: [0, 1])
    monkeypatch.setattr(cpu_facts, "load_average", lambda: 3.25)
    monkeypatch.setattr(cpu_load.time, "monotonic", lambda: machine.now)
    monkeypatch.setattr(cpu_load.time, "sleep", sleep)
    return machine


@pytest.fixture
def watch(machine):
    return cpu_load.LoadWatch()


def test_our_own_work_is_no_disturbance(machine, watch):
    machine.now, machine.own, machine.busy = 10.0, 12.0, 12.5
    assert not watch.since_last(()).busy


def test_others_work_is_named_with_its_share(machine, watch):
    machine.now, machine.own, machine.busy = 10.0, 9.0, 15.0
    health = watch.since_last(())
    assert health.busy
    assert [str(note) for note in health.notes] == [
        "other processes used 30 % of the CPUs while measuring (load average 3.2)"
    ]


def test_stolen_time_is_named(machine, watch):
    machine.now, machine.steal = 10.0, 1.0
    health = watch.since_last(())
    assert health.busy
    assert "hypervisor withheld 5 %" in str(health.notes[0])


def test_each_look_covers_the_time_since_the_last(machine, watch):
    machine.now, machine.busy = 10.0, 15.0
    assert watch.since_last(()).busy
    machine.now = 20.0
    assert not watch.since_last(()).busy


def test_a_window_too_short_for_the_counters_is_waited_for(machine, watch):
    watch.since_last(())
    assert machine.now == cpu_load.WINDOW_S


def test_a_machine_without_counters_is_not_called_busy(monkeypatch):
    monkeypatch.setattr(cpu_facts, "cpu_times", lambda cpus: None)
    assert not cpu_load.LoadWatch().since_last(()).busy


def test_cpu_time_of_this_process_is_our_own():
    before = cpu_load.moment(())
    for _ in range(2_000_000):
        pass
    after = cpu_load.moment(())
    assert after.own_s > before.own_s
