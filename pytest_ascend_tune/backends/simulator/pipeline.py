"""The time of a kernel: what each pipe of the busiest core has to do, and how much of it happens at the same time.

HBM -> L2 -> L1 (MTE2) -> L0A, L0B (MTE1) -> cube -> L0C -> global memory (FixPipe), in the loop of the catlass_gemm
template: two slots in L1, two stages in L0, the next tile's first load ahead of time. Times are microseconds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pytest_ascend_tune.backends.simulator import constants as fixed
from pytest_ascend_tune.backends.simulator.constants import FITTED, Constants
from pytest_ascend_tune.backends.simulator.parameters import Column
from pytest_ascend_tune.backends.simulator.schedule import Traffic, busiest_cores, traffic
from pytest_ascend_tune.backends.simulator.work import Work


@dataclass(frozen=True)
class Timeline:
    """Predicted times of the busiest core, a column each. The first six parts add up to ``total_us``."""

    launch_us: Column
    cube_us: Column  # multiplying
    mte1_us: Column  # cube waits for L1 -> L0
    mte2_us: Column  # cube waits for global memory -> L1, L2 bandwidth and HBM included
    fixpipe_us: Column  # write-back that nothing hides
    waiting_us: Column  # filling the pipeline at the start, draining it at the end
    total_us: Column
    busy_load_us: Column  # what the busiest core's MTE2 would take with everything in L2 and no other core
    busy_l2_us: Column  # what L2 would take to deliver all loads of all cores
    busy_hbm_us: Column  # what HBM would take for all its traffic
    busy_mte1_us: Column
    busy_fixpipe_us: Column
    hbm_bytes: Column


def longer(one: Column, other: Column, exponent: float) -> Column:
    """Smooth maximum of two times that overlap: p-norm."""
    high, low = np.maximum(one, other), np.minimum(one, other)
    return np.asarray(high * (1 + (low / np.maximum(high, 1e-12)) ** exponent) ** (1 / exponent))


def up(value: Column, step: Column | float) -> Column:
    """Rounded up to a multiple of `step`."""
    return np.asarray(np.ceil(value / step) * step)


def hbm_gbyte_per_s(work: Work, constants: Constants = FITTED) -> Column:
    """Rate that HBM sustains: what the chip's cores can ask for, at most the nominal rate."""
    return np.minimum(work.hbm_gbyte_per_s, constants.hbm_bytes_per_clock * work.cores * work.clock_mhz / 1e3)


@dataclass(frozen=True)
class _Tile:
    """Pipe times of one whole tile (all its K)."""

    load: Column
    mte1: Column
    cube: Column
    compute: Column  # MTE1 and cube together
    fix: Column


def simulate(work: Work, constants: Constants = FITTED) -> Timeline:
    """Predict every row of `work`."""
    depth = np.minimum(work.l1_k, up(work.k, fixed.FRACTAL))  # K of one L1 block
    blocks = work.k / depth
    memory = traffic(work, constants)
    counts = busiest_cores(work)
    height, width = np.minimum(work.tile_m, work.m), np.minimum(work.tile_n, work.n)
    last_m = work.m - (np.ceil(work.m / work.tile_m) - 1) * work.tile_m
    last_n = work.n - (np.ceil(work.n / work.tile_n) - 1) * work.tile_n
    a_cost, b_cost = _load_costs(work, constants, memory, depth, height, width)
    tiles = [
        _tile(work, constants, m, n, depth=depth, blocks=blocks, a_cost=a_cost, b_cost=b_cost)
        for m, n in ((height, width), (last_m, width), (height, last_n), (last_m, last_n))
    ]

    def busiest(values: list[Column]) -> Column:
        return np.asarray(sum(count * value for count, value in zip(counts, values, strict=True)))

    load, compute = busiest([tile.load for tile in tiles]), busiest([tile.compute for tile in tiles])
    cube, mte1, fix = (busiest([getattr(tile, pipe) for tile in tiles]) for pipe in ("cube", "mte1", "fix"))
    l2 = memory.l2_bytes / (constants.l2_tbyte_per_s * 1e6)
    hbm_rate = hbm_gbyte_per_s(work, constants) * 1e3  # bytes per us
    delivered = longer(load, l2, fixed.L2_EXPONENT)

    # First group of tiles: compulsory misses. Rest: mostly L2 hits. `slow` = how much slower than the core's own port.
    overlapped, exposed, slow_first = np.zeros(len(work)), np.zeros(len(work)), np.ones(len(work))
    for first, share, hbm_bytes in (
        (True, memory.first_share, memory.first_hbm_bytes),
        (False, 1 - memory.first_share, memory.rest_hbm_bytes),
    ):
        part = np.maximum(share, 1e-9)
        slow = longer(delivered, hbm_bytes / hbm_rate / part, fixed.HBM_EXPONENT) / load
        body = busiest([longer(tile.load * slow, tile.compute, fixed.OVERLAP_EXPONENT) for tile in tiles])
        overlapped += np.where(share > 0, share * body, 0)
        exposed += np.where(share > 0, share * slow, 0) * constants.first_load_share * load / blocks
        slow_first = slow if first else slow_first

    unit = work.enable_unit > 0
    fill = (1 - constants.first_load_share) * tiles[0].load / blocks * slow_first
    drain = np.where(unit, fixed.UNIT_FLAG_HIDES_SHARE * tiles[0].fix, 0)
    written = fix * np.where(unit, 1 - fixed.UNIT_FLAG_HIDES_SHARE, 1)
    launch = np.full(len(work), constants.launch_us)
    return Timeline(
        launch_us=launch,
        cube_us=cube,
        mte1_us=compute - cube,
        mte2_us=overlapped - compute + exposed,
        fixpipe_us=written,
        waiting_us=fill + drain,
        total_us=launch + overlapped + exposed + written + fill + drain,
        busy_load_us=load,
        busy_l2_us=l2,
        busy_hbm_us=(memory.first_hbm_bytes + memory.rest_hbm_bytes) / hbm_rate,
        busy_mte1_us=mte1,
        busy_fixpipe_us=fix,
        hbm_bytes=memory.first_hbm_bytes + memory.rest_hbm_bytes,
    )


def _load_costs(
    work: Work, constants: Constants, memory: Traffic, depth: Column, height: Column, width: Column
) -> tuple[Column, Column]:
    """Relative cost of loading one byte of A and of B: short contiguous rows, aliasing pitches, contended panels."""
    active = np.minimum(np.ceil(work.m / work.tile_m) * np.ceil(work.n / work.tile_n), work.cores)
    # shuffle_k lets every core start at another K block, so that fewer cores meet at one address.
    met = np.where(work.enable_shuffle_k > 0, 1 / np.minimum(np.ceil(work.k / work.l1_k), active), 1.0)
    costs = []
    for along_k, across, pitch, sharers in (
        (work.a_along_k, height, work.a_row_bytes, memory.a_sharers),
        (work.b_along_k, width, work.b_row_bytes, memory.b_sharers),
    ):
        row_bytes = np.where(along_k > 0, depth, across) * work.element_bytes
        aliasing = np.where(pitch % fixed.ALIASING_PITCH_BYTES == 0, constants.aliasing_factor, 1.0)
        short = 1 + (constants.short_row_bytes * aliasing / row_bytes) ** fixed.SHORT_ROW_EXPONENT
        costs.append(short * (1 + constants.contention_share * (np.sqrt(sharers) - 1) * met))
    return costs[0], costs[1]


def _tile(
    work: Work,
    constants: Constants,
    m: Column,
    n: Column,
    *,
    depth: Column,
    blocks: Column,
    a_cost: Column,
    b_cost: Column,
) -> _Tile:
    """Pipe times of a tile of m x n elements of C."""
    clocks = work.clock_mhz  # per us
    rows, columns = up(m, fixed.FRACTAL), up(n, fixed.FRACTAL)
    latency = constants.load_latency_us * np.where(work.enable_abba > 0, 1 - fixed.ABBA_HIDES_SHARE, 1)
    block_bytes = (m * a_cost + n * b_cost) * depth * work.element_bytes
    load = block_bytes / (constants.load_bytes_per_clock * clocks) + latency
    step = np.minimum(work.l0_k, depth)
    steps = np.ceil(depth / step)
    step_bytes = step * work.element_bytes
    mte1 = rows * step_bytes / fixed.L0A_BYTES_PER_CLOCK + columns * step_bytes / fixed.L0B_BYTES_PER_CLOCK
    mte1 = (mte1 + constants.feed_clocks) / clocks
    few = rows * columns < fixed.CUBE_BARRIER_FRACTALS * fixed.FRACTAL**2
    start = np.where(few, fixed.CUBE_BARRIER_CLOCKS, fixed.CUBE_START_CLOCKS)
    cube = (rows * columns * up(step, work.k_granule) / work.macs_per_clock + start) / clocks
    fix = (
        rows * columns * 4 / fixed.FIX_BYTES_PER_CLOCK + fixed.FIX_START_CLOCKS
    ) / clocks  # 4: float32 or int32 in L0C
    return _Tile(
        load=blocks * load,
        mte1=blocks * steps * mte1,
        cube=blocks * steps * cube,
        compute=blocks * steps * np.maximum(mte1, cube),
        fix=fix,
    )
