"""What a reader of an Ascend result should know about its shape: waves of cores, the memory's roof, slow loads."""

from __future__ import annotations

from pytest_ascend_tune.model.hardware import HardwareSpec
from pytest_ascend_tune.model.problem import Config, GemmProblem
from pytest_ascend_tune.model.text import Text

# Aligned reads are the fast case of the copy from memory (hicann/catlass:examples/06_optimized_matmul, IsNeedPadding).
FAST_ALIGNMENT_BYTES = 512
# From this row length on, rows are copied one by one (hicann/catlass:include/catlass/catlass.hpp, STRIDE_LIMIT).
STRIDE_LIMIT_ELEMENTS = 65536


def shape_notes(problem: GemmProblem, config: Config | None, chip: HardwareSpec) -> tuple[Text, ...]:
    """Sentences; none when everything is on the fast path and no configuration is given."""
    return wave_notes(problem, config, chip.cube_cores) + roof_notes(problem, chip) + stride_notes(problem)


def wave_notes(problem: GemmProblem, config: Config | None, cores: int) -> tuple[Text, ...]:
    """How many rounds of tiles the cores take, and what is idle in the last one."""
    if config is None or not {"tile_m", "tile_n"} <= set(config):
        return ()
    tiles = -(-problem.m // int(config["tile_m"])) * -(-problem.n // int(config["tile_n"]))
    waves = -(-tiles // cores)
    return (
        Text.of(
            "{tiles} tiles on {cores} cores: {waves} waves, {idle:.0%} of the cores' time idle at the end",
            tiles=tiles,
            cores=cores,
            waves=waves,
            idle=1 - tiles / (waves * cores),
        ),
    )


def roof_notes(problem: GemmProblem, chip: HardwareSpec) -> tuple[Text, ...]:
    """Where memory, not the cube, limits the rate: reading A and B and writing C once takes longer than multiplying."""
    peak = chip.peak_tflops(problem.dtype)
    roof = problem.flops / problem.operand_bytes * chip.hbm_gbyte_per_s / 1e3
    if roof >= peak:
        return ()
    return (
        Text.of(
            "limited by memory: at {rate:.0f} GB/s no kernel exceeds {roof:.3g} {unit}, {share:.0%} of the peak "
            "(unless operands stay in L2)",
            rate=chip.hbm_gbyte_per_s,
            roof=roof,
            unit=problem.dtype.rate_unit,
            share=roof / peak,
        ),
    )


def stride_notes(problem: GemmProblem) -> tuple[Text, ...]:
    """Operands whose rows in memory are too long or not aligned."""
    notes = []
    row_lengths = {
        "A": problem.m if problem.layout.value[0] == "t" else problem.k,
        "B": problem.k if problem.layout.value[1] == "t" else problem.n,
    }
    for name, length in row_lengths.items():
        if length >= STRIDE_LIMIT_ELEMENTS:
            notes.append(
                Text.of(
                    "rows of {name} are {length} elements long: from {limit} on every row is loaded by itself, slowly",
                    name=name,
                    length=length,
                    limit=STRIDE_LIMIT_ELEMENTS,
                )
            )
        elif length * problem.dtype.element_bytes % FAST_ALIGNMENT_BYTES:
            notes.append(
                Text.of(
                    "rows of {name} are no multiple of {alignment} bytes: its loads are slower",
                    name=name,
                    alignment=FAST_ALIGNMENT_BYTES,
                )
            )
    return tuple(notes)
