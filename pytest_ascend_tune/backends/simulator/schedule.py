"""Which core computes which tiles, and what the order of tiles does to L2: sharing, reuse, compulsory traffic."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pytest_ascend_tune.backends.simulator.constants import L2_EVICTION_EXPONENT, Constants
from pytest_ascend_tune.backends.simulator.parameters import Column
from pytest_ascend_tune.backends.simulator.work import Work

# Above this many tiles the busiest core is taken to hold its fair share of edge tiles: off by less than 24 / 1024.
EXACT_TILES = 1024

Counts = tuple[float, ...]  # tiles of one core: full, cut in m, cut in n, cut in both


def tile_order(rows: int, columns: int, offset: int, direction: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Tile coordinates (m, n) in the order in which tasks are numbered.

    The order of CATLASS's ``GemmIdentityBlockSwizzle<offset, direction>``: groups of `offset` rows (direction 0) or
    columns (1) of tiles, walked across the group first; every second group is walked backwards. Offset 0: row by row.
    """
    task = np.arange(rows * columns)
    if offset <= 0:
        return task // columns, task % columns
    major, minor = (rows, columns) if direction == 0 else (columns, rows)
    group, within = np.divmod(task, offset * minor)
    width = np.minimum(offset, major - group * offset)  # the last group may be narrower
    across, along = group * offset + within % width, within // width
    along = np.where(group % 2 == 1, minor - 1 - along, along)
    return (across, along) if direction == 0 else (along, across)


@lru_cache(maxsize=65536)
def busiest_core(
    rows: int, columns: int, offset: int, direction: int, *, cores: int, cut_m: float, cut_n: float
) -> Counts:
    """Tiles of the core that works longest when task i runs on core i modulo `cores`.

    `cut_m`, `cut_n`: size of the last row and column of tiles as a share of a full tile (1 = full).
    """
    tasks = rows * columns
    last_row, last_column = cut_m < 1, cut_n < 1
    if not (last_row or last_column):
        return (float(-(-tasks // cores)), 0.0, 0.0, 0.0)
    if tasks > EXACT_TILES:
        edge_m, edge_n = last_row / rows, last_column / columns
        each = np.array([(1 - edge_m) * (1 - edge_n), edge_m * (1 - edge_n), (1 - edge_m) * edge_n, edge_m * edge_n])
        return tuple(np.ceil(tasks / cores) * each)
    m, n = tile_order(rows, columns, offset, direction)
    kind = ((m == rows - 1) & last_row) + 2 * ((n == columns - 1) & last_column)
    counts = np.bincount(np.arange(tasks) % cores * 4 + kind, minlength=cores * 4).reshape(cores, 4)
    area = np.array([1.0, cut_m, cut_n, cut_m * cut_n])  # goes with computing
    border = np.array([2.0, cut_m + 1, cut_n + 1, cut_m + cut_n]) / 2  # goes with loading
    weight = area + border
    return tuple(counts[np.argmax(counts @ weight)].astype(float))


def busiest_cores(work: Work) -> NDArray[np.float64]:
    """:func:`busiest_core` of every row, (4, rows); equal schedules are computed once."""
    rows, columns = np.ceil(work.m / work.tile_m), np.ceil(work.n / work.tile_n)
    cut_m, cut_n = work.m / work.tile_m - rows + 1, work.n / work.tile_n - columns + 1
    keys = [rows, columns, work.swizzle_offset, work.swizzle_direction, work.cores, cut_m, cut_n]
    code = np.zeros(len(work), dtype=np.int64)
    for key in keys:
        values, inverse = np.unique(key, return_inverse=True)
        code = code * len(values) + inverse
    _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    table = np.array(
        [
            busiest_core(int(r), int(c), int(o), int(d), cores=int(cores), cut_m=float(cm), cut_n=float(cn))
            for r, c, o, d, cores, cm, cn in np.column_stack([key[first] for key in keys])
        ]
    )
    return np.asarray(table[inverse].T)


@dataclass(frozen=True)
class Traffic:
    """What the order of tiles means for memory. Columns; "first" is the first group of tiles, "rest" all later ones."""

    a_sharers: Column  # cores that read the same panel of A at the same time
    b_sharers: Column
    first_share: Column  # of all tiles
    first_hbm_bytes: Column
    rest_hbm_bytes: Column
    l2_bytes: Column  # read out of L2 by all cores together


def traffic(work: Work, constants: Constants) -> Traffic:
    """Sharing of panels within a wave, and HBM traffic: compulsory, and repeated where L2 cannot keep a panel.

    One operand is swept once per group of tiles, the other is held for the length of a group.
    """
    rows, columns = np.ceil(work.m / work.tile_m), np.ceil(work.n / work.tile_n)
    tasks = rows * columns
    active = np.minimum(tasks, work.cores)
    ordered = work.swizzle_offset > 0
    by_rows = ~ordered | (work.swizzle_direction == 0)
    major, minor = np.where(by_rows, rows, columns), np.where(by_rows, columns, rows)
    group = np.where(ordered, np.minimum(work.swizzle_offset, major), 1.0)
    group = np.minimum(np.maximum(group, active / minor), major)  # a wave wider than a group
    span = np.minimum(np.ceil(active / group), minor)
    a_panels, b_panels = np.where(by_rows, group, span), np.where(by_rows, span, group)  # different ones in a wave

    depth = work.k * work.element_bytes
    a_panel, b_panel = np.minimum(work.tile_m, work.m) * depth, np.minimum(work.tile_n, work.n) * depth
    swept, held = np.where(by_rows, work.n, work.m) * depth, np.where(by_rows, work.m, work.n) * depth
    usable = constants.l2_usable_share * work.l2_bytes
    groups = np.ceil(major / group)

    distance = swept + group * np.where(by_rows, a_panel, b_panel)  # bytes between two reads of a swept panel
    kept = 1 / (1 + (distance / usable) ** L2_EVICTION_EXPONENT)
    turning = np.where(ordered, np.clip(usable / distance - 0.5, 0, 1), 0)  # walking back finds the newest panels in L2
    hit = np.maximum(kept, turning)
    wave_bytes = a_panels * a_panel + b_panels * b_panel
    dropped = 1 / (1 + (usable / wave_bytes) ** L2_EVICTION_EXPONENT)
    waves = np.maximum(tasks / work.cores / groups, 1)

    first_share = 1 / groups
    steady = held * (1 + (waves - 1) * dropped) + work.m * work.n * work.result_bytes
    return Traffic(
        a_sharers=np.maximum(active / a_panels, 1),
        b_sharers=np.maximum(active / b_panels, 1),
        first_share=first_share,
        first_hbm_bytes=swept + steady * first_share,
        rest_hbm_bytes=swept * (1 - hit) * (groups - 1) + steady * (1 - first_share),
        l2_bytes=(work.m * columns + work.n * rows) * depth,
    )
