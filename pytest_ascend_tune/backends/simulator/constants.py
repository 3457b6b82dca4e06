"""Every number of the 910B model that is not a fact about a chip: name, unit, and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass

# --- Read off public documents ---------------------------------------------------------------------------------------

# Clocks that one Mmad costs beyond its multiply-adds when Mmads follow each other: 9..24 in asc-devkit's log of
# optimising 8192^3 (examples, matmul_high_performance).
CUBE_START_CLOCKS = 12.0
# The same when TileMmad puts a barrier behind each Mmad (61..63 in the same log). It does so below ten fractals of C.
# Source: hicann/catlass include/catlass/gemm/tile/tile_mmad.hpp.
CUBE_BARRIER_CLOCKS = 62.0
CUBE_BARRIER_FRACTALS = 10
# L1 -> L0A and L1 -> L0B, bytes per clock. Source: asc-devkit docs, "NPU architecture version 2201".
L0A_BYTES_PER_CLOCK = 256.0
L0B_BYTES_PER_CLOCK = 128.0
# L0C -> global memory: float32 bytes per clock, and clocks to start. 0.56 us for a 128 x 256 tile in asc-devkit's log.
FIX_BYTES_PER_CLOCK = 128.0
FIX_START_CLOCKS = 60.0
# Share of the write-back that the unit flag hides behind the last Mmads: 0.81 and 0.86 in the two published pairs.
UNIT_FLAG_HIDES_SHARE = 0.83
# Width of a fractal of the cube, in elements of m and n.
FRACTAL = 16

# --- Assumed: no public measurement isolates them -------------------------------------------------------------------

# Share of a load's latency that alternating the order of the loads of A and B (ABBA) hides. No reload is saved by it.
ABBA_HIDES_SHARE = 0.10
# How well double-buffered loads overlap with computing: exponent of the p-norm that joins both times (1 = one after the
# other, large = the longer of the two). The best published kernels at 8192^3 need at least this.
OVERLAP_EXPONENT = 12.0
# The same for the rates of L2 and HBM, and of one core's port and the whole of L2.
HBM_EXPONENT = 2.0
L2_EXPONENT = 10.0
# How sharply MTE2 slows down with shorter rows.
SHORT_ROW_EXPONENT = 2.0
# Sharpness of the transition from "fits in L2" to "does not".
L2_EVICTION_EXPONENT = 12.0
# Rows whose pitch is a multiple of this fall onto few L2 sets: with rows of 128 bytes instead of 512, loading takes 2.3
# times as long at 8192^3 float16 (16 KiB pitch), only 1.4 times as long at 4096x5120x4096 (asc-devkit).
ALIASING_PITCH_BYTES = 16384


@dataclass(frozen=True)
class Constants:
    """Fitted on published measurements by ``python -m benchmarks.simulator fit --fit``, which prints these."""

    launch_us: float = 11.6  # from launch to the first load, and back
    load_bytes_per_clock: float = 117.2  # MTE2, L2 -> L1 of one core; platform files say 110, PTO-ISA 135
    load_latency_us: float = 0.129  # of each load of one K block of A and B
    short_row_bytes: float = 115.1  # contiguous row length at which MTE2 runs at half its rate
    aliasing_factor: float = 1.54  # on short_row_bytes, for pitches that are multiples of ALIASING_PITCH_BYTES
    feed_clocks: float = 80.8  # MTE1, L1 -> L0: clocks to start one step of A and B
    first_load_share: float = 0.0509  # of a tile's first load that nothing hides
    hbm_bytes_per_clock: float = 27.6  # of each core of the chip, up to the nominal HBM rate; platform files say 32
    l2_tbyte_per_s: float = 4.21  # all cores together; 3.4..3.75 published as sustained
    contention_share: float = 0.357  # load time grows by this share of sqrt(cores that read a panel at once) - 1
    l2_usable_share: float = 0.903  # of L2 that panels can keep


FITTED = Constants()
