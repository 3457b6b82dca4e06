"""The time of a compiled schedule: the same run on the pipes' timelines, in virtual time; the slowest core decides.

Every pipe works off its instructions in order; a flag hands on the time at which its setter was done; the scalar unit
issues without cost unless it waits or loads itself. An innermost loop that is entered in a state (pipes, flags and
halves of L0 against the latest of them) and with columns in which it was entered before takes what it took then: the
same whole numbers in, the same out, so this is no approximation.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_ascend_tune.backends.hivm.codegen import Compiled, generate
from pytest_ascend_tune.backends.hivm.costs import TICKS, Costs
from pytest_ascend_tune.backends.hivm.execute import (
    Grid,
    Memory,
    arguments_of,
    axes_of,
    cores_of,
    partners,
    plain_fixpipe,
    plain_mma,
    run_together,
)
from pytest_ascend_tune.backends.hivm.library import Operation, operation, split_mma
from pytest_ascend_tune.backends.hivm.program import PIPES, Program, ScheduleError
from pytest_ascend_tune.backends.hivm.traffic import Loop, Traffic, loop_of, traffic_of
from pytest_ascend_tune.backends.hivm.views import View
from pytest_ascend_tune.backends.simulator.constants import FITTED, Constants
from pytest_ascend_tune.model.hardware import HardwareSpec

# A launch that starts vector cores beside cube cores takes about this much longer: fitted on published measurements
# of such kernels (23.6 us; the Ascend documentation says about 20 us).
MIXED_LAUNCH_US = 23.6
_MAX_REMEMBERED = 4096  # loops; the least recent half goes when there are more
_NUMBER = {name: number for number, name in enumerate(PIPES)}
_IDLE = -1


@dataclass(frozen=True)
class Span:
    """One instruction on a pipe of a core of the block: clocks from the start of the kernel."""

    core: int
    pipe: str
    start_clocks: float
    end_clocks: float
    name: str


@dataclass(frozen=True)
class Simulated:
    """What a run on timelines says. Simulated: no board was asked.

    ``busy``: share of the slowest core's time that each pipe works (cube core and vector cores apart, ``cube.M``).
    ``stalls``: (who waited for what, microseconds), the longest first. ``spans``: only when asked for.
    """

    time_us: float
    slowest_core: int
    busy: dict[str, float]
    stalls: tuple[tuple[str, float], ...]
    loaded_bytes: int
    hbm_bytes: int
    spans: tuple[Span, ...] = ()


def simulate(
    program: Program,
    operands: Sequence[NDArray[Any] | int | None],
    grid: Grid,
    chip: HardwareSpec,
    *,
    constants: Constants = FITTED,
    record_clocks: float = 0.0,
) -> Simulated:
    """Time of a launch of `grid` programs on `chip`.

    `operands` as for :func:`.execute.execute`; the contents of arrays are not looked at, None stands for one.
    `record_clocks`: note each instruction of the slowest core's first block up to this clock. Raises ScheduleError and
    CannotExecuteError.
    """
    compiled = [generate(function) for function in program.functions]
    buffers = [
        operand if isinstance(operand, int) else Memory("GM", f"argument {number}", np.zeros(0, np.uint8))
        for number, operand in enumerate(operands)
    ]
    flow = traffic_of(compiled, buffers, grid, chip, constants)
    launch = _Launch(program, compiled, buffers, grid, Costs(chip, constants), flow, Remembered())
    totals: list[_Block] = []
    count = math.prod(axes_of(grid))
    longest = max(1, len(flow.slow) // -(-count // chip.cube_cores))
    for block in range(count):
        first_wave = block // chip.cube_cores * longest
        totals.append(_run(launch, block, first_wave, 0.0))
    cores = min(count, chip.cube_cores)
    ticks = [sum(totals[block].end for block in range(core, count, cores)) for core in range(cores)]
    slowest = int(np.argmax(ticks))
    spans: tuple[Span, ...] = ()
    if record_clocks:
        spans = tuple(_run(launch, slowest, 0, record_clocks).spans)
    launch_us = constants.launch_us + (MIXED_LAUNCH_US if len(program.functions) > 1 else 0.0)
    per_us = chip.clock_mhz * TICKS
    busy: Counter[str] = Counter()
    stalls: Counter[str] = Counter()
    for block in range(slowest, count, cores):
        busy.update(totals[block].busy)
        stalls.update(totals[block].stalls)
    return Simulated(
        time_us=launch_us + ticks[slowest] / per_us,
        slowest_core=slowest,
        busy={name: share / max(ticks[slowest], 1) for name, share in sorted(busy.items())},
        stalls=tuple((name, waited / per_us) for name, waited in stalls.most_common()),
        loaded_bytes=flow.loaded_bytes,
        hbm_bytes=flow.hbm_bytes,
        spans=spans,
    )


@dataclass
class _Block:
    """The shared state of the cores of one block."""

    flags: dict[tuple[int, int], deque[int]]  # (sender, receiver * 16 + flag) -> times
    progress: int
    end: int
    busy: Counter[str]
    stalls: Counter[str]
    spans: list[Span]


class Remembered:
    """Innermost loops that were run: (loop, columns, state) -> what they did."""

    def __init__(self) -> None:
        self._loops: dict[Any, Any] = {}

    def get(self, key: Any) -> Any:
        """None when not known."""
        return self._loops.get(key)

    def put(self, key: Any, value: Any) -> None:
        """Keeps a bounded number."""
        if len(self._loops) >= _MAX_REMEMBERED:
            for old in list(self._loops)[: _MAX_REMEMBERED // 2]:
                del self._loops[old]
        self._loops[key] = value


@dataclass(frozen=True)
class _Launch:
    """What all blocks of a launch have in common."""

    program: Program
    compiled: Sequence[Compiled]
    buffers: Sequence[Any]
    grid: Grid
    costs: Costs
    flow: Traffic
    known: Remembered


def _run(launch: _Launch, block: int, first_wave: int, record_clocks: float) -> _Block:
    shared = _Block({}, 0, 0, Counter(), Counter(), [])
    machines: list[Timeline] = []
    runs: list[Iterator[None]] = []
    workspace = Memory("GM", "the workspace", np.zeros(0, np.uint8))
    for half in launch.compiled:
        for sub_block in range(cores_of(half.function)):
            machine = Timeline(launch, half, (block, len(machines)), shared)
            machine.start(first_wave, record_clocks)
            machines.append(machine)
            arguments = arguments_of(half.function, launch.buffers, workspace, launch.grid)
            runs.append(half.run(machine, block, sub_block, arguments))
    run_together(runs, lambda: shared.progress)
    for machine in machines:
        machine.close()
    return shared


class Timeline:
    """The machine of one core: pipes in virtual time."""

    def __init__(self, launch: _Launch, half: Compiled, place: tuple[int, int], shared: _Block) -> None:
        self._half, self._shared, self._costs, self._flow = half, shared, launch.costs, launch.flow
        self._known, self._wave, self._record = launch.known, 0, 0
        self._block, self._core = place
        self._entered = 0
        self.mixed = len(launch.program.functions) > 1
        self._memories = {space: Memory(space, space, np.zeros(0, np.uint8)) for space in ("L1", "L0C", "UB")}
        self._time = [_IDLE] * len(PIPES)
        self._time[0] = 0
        self._l0 = [0, 0]  # when each half of L0A and L0B is free again
        self._flags: dict[tuple[str, str, int], int] = {}
        self._busy = [0] * len(PIPES)
        self._stalls: Counter[tuple[str, str, str]] = Counter()
        self._open: list[tuple[Any, int, list[int], Counter[tuple[str, str, str]]]] = []

    def start(self, first_wave: int, record_clocks: float) -> None:
        """Loads count as of this wave on; each instruction is noted up to that clock."""
        self._wave, self._record = first_wave, round(record_clocks * TICKS)

    def memory(self, space: str) -> Memory:
        """One without bytes."""
        return self._memories[space]

    # --- order -------------------------------------------------------------------------------------------------------

    def flag_set(self, source: str, target: str, event: int) -> None:
        """At the time at which `source` is done."""
        self._flags[source, target, int(event)] = max(self._time[_NUMBER[source]], self._time[0])
        self._shared.progress += 1

    def flag_wait(self, source: str, target: str, event: int) -> None:
        """`target` goes on no earlier than the flag was set. Raises ScheduleError when it never was."""
        at = self._flags.pop((source, target, int(event)), None)
        if at is None:
            raise ScheduleError(f"{target} waits for flag {source} -> {target} EVENT_ID{event}, which nothing sets")
        self._wait(_NUMBER[target], at, (target, source, f"EVENT_ID{event}"))

    def _wait(self, pipe: int, at: int, reason: tuple[str, str, str]) -> None:
        now = max(self._time[pipe], self._time[0])
        if at > now:
            self._stalls[reason] += at - now
            self._time[pipe] = at

    def barrier(self, pipe: str) -> None:
        """Of one pipe: nothing to wait for, a pipe works in order. ``ALL``: all pipes go on together."""
        if pipe == "ALL":
            latest = max(self._time)
            self._time = [latest if time != _IDLE or number == 0 else _IDLE for number, time in enumerate(self._time)]

    def block_set(self, pipe: str, flag: int) -> None:
        """Told to every partner."""
        at = max(self._time[_NUMBER[pipe]], self._time[0])
        for partner in partners(self._core, mixed=self.mixed):
            self._shared.flags.setdefault((self._core, partner * 16 + flag), deque()).append(at)
        self._shared.progress += 1

    def block_wait(self, pipe: str, flag: int) -> bool:
        """False when a partner has not set it yet."""
        queues = [
            self._shared.flags.get((partner, self._core * 16 + flag))
            for partner in partners(self._core, mixed=self.mixed)
        ]
        if not all(queues):
            return False
        at = max(queue.popleft() for queue in queues if queue)
        self._wait(_NUMBER[pipe], at, (pipe, "the other core", f"cross-core flag {flag}"))
        self._shared.progress += 1
        return True

    # --- work --------------------------------------------------------------------------------------------------------

    def _work(self, pipe: int, ticks: int, name: str, start: int | None = None) -> int:
        """Keep a pipe busy; returns the end."""
        begin = max(self._time[pipe], self._time[0]) if start is None else start
        end = begin + ticks
        self._time[pipe] = end
        self._busy[pipe] += ticks
        if begin < self._record:
            self._shared.spans.append(Span(self._core, PIPES[pipe], begin / TICKS, end / TICKS, name))
        return end

    def read(self, view: View, indices: tuple[int, ...]) -> int:
        """A scalar load: the scalar unit waits for it. The value is not known here."""
        del view, indices
        self._work(0, self._costs.ticks_of_us(self._costs.constants.load_latency_us), "scalar load")
        return 0

    def write(self, view: View, indices: tuple[int, ...], value: Any) -> None:
        """A scalar store; assumed to take as long as a load."""
        del view, indices, value
        self._work(0, self._costs.ticks_of_us(self._costs.constants.load_latency_us), "scalar store")

    def bind(self, name: str) -> Callable[..., None]:
        """The library function of that name, as time."""
        known, costs, work = operation(name), self._costs, self._work
        pipe = _NUMBER[known.pipe]
        if known.kind == "mma":
            return self._bind_mma(known)

        def ticks(arguments: tuple[Any, ...]) -> int:
            if known.kind == "load":
                return costs.load_ticks(arguments[0], self._flow.factor(self._wave, arguments[0][0].name))
            if known.kind == "store":
                return costs.load_ticks(arguments[1], 1.0)
            if known.kind == "fill":
                return costs.fill_ticks(arguments[1])
            if known.kind == "fixpipe":
                plain_fixpipe(name, arguments)
                return costs.fixpipe_ticks(arguments[1])
            return costs.vector_ticks(known, arguments[known.writes[0]])

        def call(*arguments: Any) -> None:
            if all(size > 0 for size in arguments[known.writes[0]][2]):
                work(pipe, ticks(arguments), name)

        return call

    def _bind_mma(self, known: Operation) -> Callable[..., None]:
        """L1 to L0 takes the same time whether an operand is transposed or not; a bias is not charged."""
        name = known.name
        mte1, cube, halves = _NUMBER["MTE1"], _NUMBER["M"], self._l0
        steps_of: dict[tuple[int, int, int], list[tuple[int, int]]] = {}

        def call(*given: Any) -> None:
            _, arguments = split_mma(known, given)
            plain_mma(name, arguments)
            m, k, n = arguments[3:6]
            for event in arguments[7:9]:
                if event >= 0:
                    self.flag_wait("MTE2", "MTE1", event)
            steps = steps_of.get((m, k, n))
            if steps is None:
                steps = steps_of[m, k, n] = self._costs.mma_steps(m, k, n, arguments[0][4])
            for feed, multiply in steps:
                begin = max(self._time[mte1], self._time[0], halves[0])
                fed = self._work(mte1, feed, name, begin)
                begin = max(self._time[cube], fed)
                halves[0], halves[1] = halves[1], self._work(cube, multiply, name, begin)
            for event in arguments[9:11]:
                if event >= 0:
                    self.flag_set("MTE1", "MTE2", event)

        return call

    # --- loops -------------------------------------------------------------------------------------------------------

    def enter(self, loop: int, low: int, high: int, step: int, registers: tuple[Any, ...]) -> bool:
        """True: the loop was run before from the same state with the same columns, and what it did was done again."""
        trips = range(low, high, step)
        if not trips:
            return True
        told = self._told(loop, trips, registers)
        factors = tuple(self._flow.factor(self._wave, buffer) for buffer in told.buffers)
        self._wave_after = self._wave + (1 if told.buffers else 0)
        if self._record:
            self._open.append((None, 0, [], Counter()))
            return False
        origin = max(self._time)
        key = (self._half.function.name, loop, factors, told.key, self._state(origin))
        known = self._known.get(key)
        if known is None:
            self._open.append((key, origin, list(self._busy), Counter(self._stalls)))
            return False
        times, flags, halves, busy, stalls = known
        self._time = [time if time == _IDLE else time + origin for time in times]
        self._flags = {flag: at + origin for flag, at in flags}
        self._l0[:] = [half + origin for half in halves]
        self._busy = [one + more for one, more in zip(self._busy, busy, strict=True)]
        self._stalls.update(stalls)
        self._wave = self._wave_after
        return True

    def _told(self, loop: int, trips: range, registers: tuple[Any, ...]) -> Loop:
        """The traffic's run of the cube core has met its loops in the same order."""
        if self._core == 0 and self._half.function.core == "AIC":
            self._entered += 1
            return self._flow.loops[self._block][self._entered - 1]
        columns = self._half.columns[loop]
        return loop_of(columns, np.arange(trips.start, trips.stop, trips.step), [*self._memories.values()], registers)[
            0
        ]

    def leave(self, _loop: int) -> None:
        """Remember what the loop did."""
        key, origin, busy, stalls = self._open.pop()
        self._wave = self._wave_after
        if key is None:
            return
        times, flags, halves = self._state(origin)
        gained = [now - then for now, then in zip(self._busy, busy, strict=True)]
        self._known.put(key, (times, flags, halves, gained, self._stalls - stalls))

    def _state(self, origin: int) -> tuple[Any, ...]:
        times = tuple(time if time == _IDLE else time - origin for time in self._time)
        flags = tuple(sorted((flag, at - origin) for flag, at in self._flags.items()))
        return times, flags, tuple(half - origin for half in self._l0)

    def close(self) -> None:
        """Add what this core did to its block."""
        core = "cube" if self._half.function.core == "AIC" else f"vector{self._core}"
        self._shared.end = max(self._shared.end, *self._time)
        for number, ticks in enumerate(self._busy):
            if ticks:
                self._shared.busy[f"{core}.{PIPES[number]}"] += ticks
        for (target, source, event), ticks in self._stalls.items():
            self._shared.stalls[f"{core}.{target} waits for {source} ({event})"] += ticks
