"""Busy pipes, stalls, memory map of one compiled schedule: what a kernel engineer otherwise needs a board for."""

from __future__ import annotations

from pytest_ascend_tune.backends.hivm.flow import planned
from pytest_ascend_tune.backends.hivm.kernels import TritonArtifact
from pytest_ascend_tune.backends.hivm.timeline import Simulated
from pytest_ascend_tune.model.problem import GemmProblem

MOST_STALLS = 8


def lines(artifact: TritonArtifact, told: Simulated, problem: GemmProblem, device: str) -> list[str]:
    """As text, a line each."""
    text = [
        f"Simulated, not measured: {problem.id} on {device}, compiled by the vendor's compiler",
        f"configuration: {artifact.config}",
        f"time: {told.time_us:.1f} us, {problem.flops / told.time_us / 1e6:.1f} {problem.dtype.rate_unit}; "
        "no published measurement of such a schedule was available",
        f"slowest core: {told.slowest_core}; loaded {told.loaded_bytes / 2**20:.1f} MiB, "
        f"of these from HBM {told.hbm_bytes / 2**20:.1f} MiB",
    ]
    text += [f"note of the compiler: {note}" for note in artifact.notes]
    text.append("busy, as a share of the slowest core's time:")
    text += [f"  {pipe:14} {share:6.1%}" for pipe, share in sorted(told.busy.items(), key=lambda item: -item[1])]
    text.append("waiting:")
    text += [f"  {us:9.1f} us  {why}" for why, us in told.stalls[:MOST_STALLS]]
    for function in artifact.program.functions:
        text.append(f"memory of {function.name} as planned:")
        text += [
            f"  {part.space:4} {part.first:7d}..{part.end - 1:<7d} {'x'.join(map(str, part.sizes))} {part.element}"
            for part in planned(function)
        ]
    return text
