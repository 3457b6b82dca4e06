"""How long one instruction keeps its pipe busy, in ticks of 1/1000 clock (whole numbers, so that states can be equal).

Constants are those of the analytical simulator, fitted on published measurements of C++ kernels; what no published
measurement isolates is marked as assumed. Nothing here was measured on a board.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from pytest_ascend_tune.backends.hivm.library import Operation
from pytest_ascend_tune.backends.hivm.program import ITEM_BITS
from pytest_ascend_tune.backends.hivm.views import View
from pytest_ascend_tune.backends.simulator import constants as fixed
from pytest_ascend_tune.backends.simulator.constants import Constants
from pytest_ascend_tune.model.hardware import HardwareSpec

TICKS = 1000  # of one clock

# Multiply-adds of the cube per clock by element type; the same numbers as hardware.CUBE_MACS_PER_CLOCK.
MACS_PER_CLOCK = {"f16": 16 * 16 * 16, "bf16": 16 * 16 * 16, "i8": 16 * 16 * 32, "f32": 16 * 16 * 4}
# One vector instruction works on 256 bytes per clock (asc-devkit docs, "NPU architecture version 2201").
VECTOR_BYTES_PER_CLOCK = 256.0
# Assumed: clocks to start a vector instruction, and how much slower the functions below are than an addition.
VECTOR_START_CLOCKS = 20.0
SLOW_VECTOR = {"exp": 4.0, "ln": 4.0, "div": 4.0, "sqrt": 4.0, "rsqrt": 4.0, "rec": 2.0, "tanh": 8.0}
# Assumed: a fill of L1 runs at the rate of a load.


@dataclass(frozen=True)
class Costs:
    """Of one chip. ``l0a_bytes`` and ``l0b_bytes``: the library halves them for its double buffer."""

    chip: HardwareSpec
    constants: Constants

    def ticks_of_us(self, time_us: float) -> int:
        """Microseconds as ticks."""
        return round(time_us * self.chip.clock_mhz * TICKS)

    def load_ticks(self, source: View, slow: float) -> int:
        """GM to L1 or UB: bytes at the port's rate, short rows, `slow` times that for L2 and HBM, and the latency.

        The latency was fitted for a pair of loads (of A and of B), so one has half of it.
        """
        clocks = port_clocks(source, self.constants)
        return round(clocks * slow * TICKS) + self.ticks_of_us(self.constants.load_latency_us / 2)

    def fill_ticks(self, target: View) -> int:
        """A constant into L1."""
        return round(view_bytes(target) / self.constants.load_bytes_per_clock * TICKS)

    def mma_steps(self, m: int, k: int, n: int, element: str) -> list[tuple[int, int]]:
        """(MTE1, cube) ticks of each step of an mma: as much K as half of L0A and half of L0B hold."""
        size = ITEM_BITS[element] // 8
        granule = 32 // size
        rows, columns = _up(m, fixed.FRACTAL), _up(n, fixed.FRACTAL)
        most = min(self.chip.l0a_bytes // 2 // (rows * size), self.chip.l0b_bytes // 2 // (columns * size))
        step = max(granule, most // granule * granule)
        few = rows * columns < fixed.CUBE_BARRIER_FRACTALS * fixed.FRACTAL**2
        start = fixed.CUBE_BARRIER_CLOCKS if few else fixed.CUBE_START_CLOCKS
        steps = []
        for first in range(0, k, step):
            depth = _up(min(step, k - first), granule)
            feed = rows * depth * size / fixed.L0A_BYTES_PER_CLOCK + columns * depth * size / fixed.L0B_BYTES_PER_CLOCK
            cube = rows * columns * depth / MACS_PER_CLOCK[element] + start
            steps.append((round((feed + self.constants.feed_clocks) * TICKS), round(cube * TICKS)))
        return steps

    def fixpipe_ticks(self, target: View) -> int:
        """L0C to GM: whole fractals of four bytes an element."""
        rows, columns = (_up(size, fixed.FRACTAL) for size in target[2])
        return round((rows * columns * 4 / fixed.FIX_BYTES_PER_CLOCK + fixed.FIX_START_CLOCKS) * TICKS)

    def vector_ticks(self, known: Operation, target: View) -> int:
        """One vector instruction over all elements of `target`."""
        name = known.name.split("_")[0].lstrip("v").rstrip("s")
        slow = SLOW_VECTOR.get(name, 1.0)
        return round((view_bytes(target) * slow / VECTOR_BYTES_PER_CLOCK + VECTOR_START_CLOCKS) * TICKS)


def view_bytes(view: View) -> int:
    """Bytes of all its elements."""
    return math.prod(view[2]) * ITEM_BITS[view[4]] // 8


def port_clocks(source: View, constants: Constants) -> float:
    """Clocks that the port of one core needs for a load when everything is in L2 and no other core asks."""
    _, _, sizes, strides, element = source
    size = ITEM_BITS[element] / 8
    row = sizes[-1] * size if strides[-1] == 1 or sizes[-1] == 1 else size
    if row <= 0:
        return 0.0
    pitch = (strides[-2] if len(sizes) > 1 else 0) * size
    aliasing = constants.aliasing_factor if pitch and pitch % fixed.ALIASING_PITCH_BYTES == 0 else 1.0
    contiguous = len(sizes) == 1 or (len(sizes) > 1 and strides[-2] == sizes[-1] and strides[-1] == 1)
    short = 1.0 if contiguous else 1 + (constants.short_row_bytes * aliasing / row) ** fixed.SHORT_ROW_EXPONENT
    return math.prod(sizes) * size * short / constants.load_bytes_per_clock


def _up(value: int, step: int) -> int:
    return -(-value // step) * step
