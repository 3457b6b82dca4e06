"""What the cpu backend needs of a machine (protocols.Examined): a compiler, and quiet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pytest_ascend_tune.backends.cpu import facts as cpu_facts
from pytest_ascend_tune.backends.toolchain import find_compiler
from pytest_ascend_tune.model.errors import AscendTuneError, BackendUnavailableError
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.readiness import Check, Status

if TYPE_CHECKING:
    from pytest_ascend_tune.backends.cpu.backend import CpuBackend


def checks(backend: CpuBackend) -> Iterator[Check]:
    """CPU, compiler, a trial kernel, load. `backend` has not been used yet."""
    model = cpu_facts.cpu_model()
    yield Check("CPU", Status.OK, f"{model.name}, {model.extension}", "the cpu backend")
    try:
        yield Check("C++ compiler", Status.OK, find_compiler().version, "kernels of the cpu backend")
        yield _trial(backend)
    except BackendUnavailableError as error:
        what, _, fix = str(error).partition(". ")
        yield Check("C++ compiler", Status.MISSING, what, "kernels of the cpu backend", fix)
    load, cpus = cpu_facts.load_average(), len(cpu_facts.usable_cpus())
    status = Status.OK if load < 0.5 * cpus else Status.WARNING
    fix = "the gate interleaves what it compares and copes with this, but takes longer; best on an idle machine"
    yield Check("load", status, f"load average {load:.1f} on {cpus} CPUs", "quiet measurements", fix)


def _trial(backend: CpuBackend) -> Check:
    """Builds a library, loads it and runs it."""
    why = "running what was built"
    try:
        peak = backend.peak_tflops(GemmProblem(1, 1, 1, backend.default_dtype))
    except (AscendTuneError, OSError) as error:
        what, _, fix = str(error).partition(": ")
        return Check("trial kernel", Status.MISSING, what, why, fix)
    return Check("trial kernel", Status.OK, f"built, loaded and run ({1000 * peak:.0f} GFLOPS peak)", why)
