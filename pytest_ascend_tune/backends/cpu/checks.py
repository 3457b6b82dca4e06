"""What the cpu backend needs of a machine (protocols.Examined): a compiler, and quiet."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_ascend_tune.backends.cpu import facts as cpu_facts
from pytest_ascend_tune.backends.toolchain import find_compiler
from pytest_ascend_tune.model.errors import BackendUnavailableError
from pytest_ascend_tune.model.readiness import Check, Status


def checks() -> Iterator[Check]:
    """CPU, compiler, load."""
    model = cpu_facts.cpu_model()
    yield Check("CPU", Status.OK, f"{model.name}, {model.extension}", "the cpu backend")
    try:
        yield Check("C++ compiler", Status.OK, find_compiler().version, "kernels of the cpu backend")
    except BackendUnavailableError as error:
        what, _, fix = str(error).partition(". ")
        yield Check("C++ compiler", Status.MISSING, what, "kernels of the cpu backend", fix)
    load, cpus = cpu_facts.load_average(), len(cpu_facts.usable_cpus())
    status = Status.OK if load < 0.5 * cpus else Status.WARNING
    fix = "the gate interleaves what it compares and copes with this, but takes longer; best on an idle machine"
    yield Check("load", status, f"load average {load:.1f} on {cpus} CPUs", "quiet measurements", fix)
