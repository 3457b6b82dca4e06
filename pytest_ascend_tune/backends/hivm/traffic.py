"""Who loads what from global memory when: panels, what L2 still holds of them, and how much that slows each wave down.

The kernel runs once on a machine that only notes loads (an innermost loop's all at once, in columns). The n-th loop of
every core is one wave. A panel is what a loop loads from one buffer, known by its lowest address; L2 keeps the most
recently used panels, of all cores in step.
"""

from __future__ import annotations

import math
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pytest_ascend_tune.backends.hivm.codegen import Compiled
from pytest_ascend_tune.backends.hivm.costs import port_clocks
from pytest_ascend_tune.backends.hivm.execute import Grid, Memory, arguments_of, axes_of
from pytest_ascend_tune.backends.hivm.library import operation
from pytest_ascend_tune.backends.hivm.program import ITEM_BITS
from pytest_ascend_tune.backends.hivm.views import View
from pytest_ascend_tune.backends.simulator import constants as fixed
from pytest_ascend_tune.backends.simulator.constants import Constants
from pytest_ascend_tune.model.hardware import HardwareSpec

# Slow-downs are rounded to this, so that waves that differ by nothing that matters count as equal.
_GRAIN = 1 / 64


@dataclass(frozen=True)
class Panel:
    """One load of a wave: a buffer's name, its lowest and its first address, all bytes, clocks of the core's port."""

    buffer: str
    lowest: int
    first: int
    size: int
    clocks: float


@dataclass(frozen=True)
class Loop:
    """An innermost loop as columns tell it: ``key`` is all that its time depends on; ``buffers`` that it loads from."""

    key: tuple[Any, ...]
    buffers: tuple[str, ...]


@dataclass(frozen=True)
class Traffic:
    """``slow[wave]``: how much longer loads take than a core's port alone; ``met[wave][buffer]``: by contention.

    ``loaded_bytes`` and ``hbm_bytes`` are those of all cores and waves.
    """

    slow: tuple[float, ...]
    met: tuple[dict[str, float], ...]
    loaded_bytes: int
    hbm_bytes: int
    loops: tuple[tuple[Loop, ...], ...] = ()  # of the cube core of each block: its innermost loops, as they come

    def factor(self, wave: int, buffer: str) -> float:
        """How much longer a load from `buffer` takes in a wave."""
        if not self.slow:
            return 1.0
        wave = min(wave, len(self.slow) - 1)
        return self.slow[wave] * self.met[wave].get(buffer, 1.0)


def traffic_of(
    compiled: Sequence[Compiled],
    buffers: Sequence[Any],
    grid: Grid,
    chip: HardwareSpec,
    constants: Constants,
) -> Traffic:
    """Traffic of a launch of `grid` blocks, which the chip's cores take in turn."""
    cube = [half for half in compiled if half.function.core == "AIC"] or list(compiled)
    waves: dict[int, list[Panel]] = defaultdict(list)
    longest = 0
    notes, loops_of = [], []
    for block in range(math.prod(axes_of(grid))):
        notebook = _Notebook(cube[0])
        workspace = Memory("GM", "the workspace", np.zeros(0, np.uint8))
        for _ in cube[0].run(notebook, block, 0, arguments_of(cube[0].function, buffers, workspace, grid)):
            pass
        notes.append(notebook.loops)
        loops_of.append(tuple(notebook.entered))
        longest = max(longest, len(notebook.loops))
    for block, loops in enumerate(notes):
        for number, panels in enumerate(loops):
            waves[block // chip.cube_cores * longest + number].extend(panels)
    flow = _in_l2([waves[wave] for wave in sorted(waves)], chip, constants)
    return replace(flow, loops=tuple(loops_of))


def _in_l2(waves: Sequence[list[Panel]], chip: HardwareSpec, constants: Constants) -> Traffic:
    """What misses L2, wave by wave, and what that costs."""
    capacity = chip.l2_bytes * constants.l2_usable_share
    kept: OrderedDict[tuple[str, int], int] = OrderedDict()
    held = 0
    slow, met, loaded, fetched = [], [], 0, 0
    hbm_rate = min(chip.hbm_gbyte_per_s * 1e3, constants.hbm_bytes_per_clock * chip.cube_cores * chip.clock_mhz)
    for panels in waves:
        missed = 0
        for panel in panels:
            key = (panel.buffer, panel.lowest)
            before = kept.pop(key, 0)
            missed += max(panel.size - before, 0)
            kept[key] = max(panel.size, before)
            held += kept[key] - before
            while held > capacity and len(kept) > 1:
                held -= kept.popitem(last=False)[1]
        total = sum(panel.size for panel in panels)
        port_us = sum(panel.clocks for panel in panels) / min(len(panels), chip.cube_cores) / chip.clock_mhz
        l2_us = total / (constants.l2_tbyte_per_s * 1e6)
        delivered = (port_us**fixed.L2_EXPONENT + l2_us**fixed.L2_EXPONENT) ** (1 / fixed.L2_EXPONENT)
        whole = (delivered**fixed.HBM_EXPONENT + (missed / hbm_rate) ** fixed.HBM_EXPONENT) ** (1 / fixed.HBM_EXPONENT)
        slow.append(round(whole / port_us / _GRAIN) * _GRAIN if port_us else 1.0)
        met.append(_contention(panels, constants))
        loaded, fetched = loaded + total, fetched + missed
    return Traffic(tuple(slow), tuple(met), loaded, fetched)


def _contention(panels: Sequence[Panel], constants: Constants) -> dict[str, float]:
    """By buffer: how much slower loads get because cores start at the same address at the same time."""
    readers = Counter((panel.buffer, panel.first) for panel in panels)
    sharers: dict[str, list[int]] = defaultdict(list)
    for (buffer, _), count in readers.items():
        sharers[buffer].append(count)
    return {
        buffer: 1 + round(constants.contention_share * (np.sqrt(np.mean(counts)) - 1) / _GRAIN) * _GRAIN
        for buffer, counts in sharers.items()
    }


def loop_of(
    columns: Callable[..., Any], trips: Any, memories: Sequence[Memory], registers: tuple[Any, ...]
) -> tuple[Loop, list[Any]]:
    """What the columns of a loop tell, and the views that it loads."""
    sinks, loads = columns(trips, *memories, *registers)
    key: list[Any] = [len(trips)]
    for sink in sinks:
        for value in sink if isinstance(sink, tuple) else (sink,):
            key.append(value.tobytes() if isinstance(value, np.ndarray) and value.ndim else value)
    return Loop(tuple(key), tuple(view[0].name for view in loads)), loads


class _Notebook:
    """A machine that notes what is loaded from GM and does nothing."""

    def __init__(self, half: Compiled) -> None:
        self._columns = half.columns
        self._memories = [self.memory(space) for space in ("L1", "L0C", "UB")]
        self.loops: list[list[Panel]] = []
        self.entered: list[Loop] = []

    def memory(self, space: str) -> Memory:
        """One without bytes."""
        return Memory(space, space, np.zeros(0, np.uint8))

    def bind(self, name: str) -> Callable[..., None]:
        """Notes a load; a load outside of an innermost loop is a loop of its own."""
        if operation(name).kind != "load":
            return lambda *_arguments: None

        def call(source: View, *_rest: Any) -> None:
            if source[0].name != "the workspace" and all(source[2]):
                self.loops.append([_panel(source)])

        return call

    def enter(self, loop: int, low: int, high: int, step: int, registers: tuple[Any, ...]) -> bool:
        """Notes what all trips of a loop load, and skips it."""
        trips = np.arange(low, high, step)
        if len(trips):
            told, loads = loop_of(self._columns[loop], trips, self._memories, registers)
            self.entered.append(told)
            if loads:
                self.loops.append([_panel_of_loop(view, len(trips)) for view in loads])
        return True

    def leave(self, _loop: int) -> None:
        """Never called."""

    def _nothing(self, *_arguments: Any) -> Any:
        return True

    flag_set = flag_wait = barrier = block_set = block_wait = write = _nothing

    def read(self, *_arguments: Any) -> int:
        """The value is not known; no schedule's loads depend on one."""
        return 0


def _panel(source: View) -> Panel:
    memory, byte, sizes, _, element = source
    size = int(np.prod(sizes)) * ITEM_BITS[element] // 8
    return Panel(memory.name, int(byte), int(byte), size, port_clocks(source, _PLAIN))


def _panel_of_loop(view: View, trips: int) -> Panel:
    """All trips of one load. Its port time is that of its first trip times the trips: only the last may be shorter."""
    memory, byte, sizes, strides, element = view
    bytes_of_trip = np.asarray(ITEM_BITS[element] // 8, np.int64)
    for size in sizes:
        bytes_of_trip = bytes_of_trip * np.maximum(size, 0)
    every = int(np.broadcast_to(bytes_of_trip, trips).sum())
    first = (memory, 0, tuple(_first(size) for size in sizes), tuple(_first(stride) for stride in strides), element)
    one = max(int(np.ravel(bytes_of_trip)[0]), 1)
    return Panel(memory.name, int(np.min(byte)), _first(byte), every, port_clocks(first, _PLAIN) * every / one)


def _first(value: Any) -> int:
    return int(np.ravel(value)[0])


_PLAIN = Constants()
