"""Is the machine busy with other work? What the CPUs did between two looks, less what we did ourselves."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterable
from dataclasses import dataclass

from pytest_ascend_tune.backends.cpu import facts as cpu_facts
from pytest_ascend_tune.model.measurement import Health
from pytest_ascend_tune.model.text import Text

# Shares of the CPUs that we may use. Others' work disturbs even a thread's own CPU time, through shared caches and
# clocks; below these shares it could not be told from the housekeeping of an idle machine.
BUSY_SHARE = 0.10
STEAL_SHARE = 0.02
# The counters advance in steps of 10 ms; a shorter look would see too few of them.
WINDOW_S = 0.2


@dataclass(frozen=True)
class Moment:
    """Counters at one time: ours and those of all processes, in seconds of CPU time."""

    at_s: float
    own_s: float
    times: cpu_facts.CpuTimes


class LoadWatch:
    """Remembers when it last looked; the first time, when it was made."""

    def __init__(self) -> None:
        self._last = moment(())

    def since_last(self, children: Iterable[int]) -> Health:
        """What others did since the last call. `children`: our living processes besides this one."""
        before = self._last
        if before is None:
            return Health()
        time.sleep(max(0.0, before.at_s + WINDOW_S - time.monotonic()))
        now = self._last = moment(children)
        return Health() if now is None else _judge(before, now)


def moment(children: Iterable[int]) -> Moment | None:
    """The counters now; None where the system has none."""
    times = cpu_facts.cpu_times(cpu_facts.usable_cpus())
    if times is None:
        return None
    own_s = sum(cpu_facts.process_cpu_s(pid) for pid in children)
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        usage = resource.getrusage(who)
        own_s += usage.ru_utime + usage.ru_stime
    return Moment(time.monotonic(), own_s, times)


def _judge(before: Moment, now: Moment) -> Health:
    cpu_s = (now.at_s - before.at_s) * len(cpu_facts.usable_cpus())
    others = ((now.times.busy_s - before.times.busy_s) - (now.own_s - before.own_s)) / cpu_s
    steal = (now.times.steal_s - before.times.steal_s) / cpu_s
    notes = []
    if others > BUSY_SHARE:
        template = "other processes used {share:.0%} of the CPUs while measuring (load average {load:.1f})"
        notes.append(Text.of(template, share=min(others, 1.0), load=cpu_facts.load_average()))
    if steal > STEAL_SHARE:
        notes.append(Text.of("the hypervisor withheld {share:.0%} of the CPUs while measuring", share=steal))
    return Health(bool(notes), tuple(notes))
