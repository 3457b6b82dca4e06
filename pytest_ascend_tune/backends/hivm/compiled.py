"""What a compile gate says of a kernel: compiled or why not, planned memory, flags, time; and what changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pytest_ascend_tune.backends.hivm.flow import planned, walk
from pytest_ascend_tune.backends.hivm.kernels import TritonKernels
from pytest_ascend_tune.backends.hivm.program import Barrier, BlockFlag, Flag
from pytest_ascend_tune.model.errors import BuildError, RecordError, TrialError
from pytest_ascend_tune.model.hardware import spec
from pytest_ascend_tune.model.problem import Config, GemmProblem
from pytest_ascend_tune.model.search import Template

SCHEMA = 1
SPACES = ("L1", "L0C", "UB")


@dataclass(frozen=True)
class Compiled:
    """One kernel on one chip. ``failed``: the refusal, empty when it compiled; ``time_us`` is simulated, None when the
    schedule holds what cannot be executed (``notes`` says what)."""

    device: str
    problem: str
    failed: str = ""
    l1_bytes: int = 0
    l0c_bytes: int = 0
    ub_bytes: int = 0
    flags: int = 0  # flags, barriers and cross-core flags in the schedule's text
    time_us: float | None = None
    notes: tuple[str, ...] = ()


def compile_one(
    kernels: TritonKernels, template: Template, problem: GemmProblem, config: Config, device: str
) -> Compiled:
    """Compile for one chip; a refusal is a row, not an error. Raises BackendUnavailableError."""
    try:
        artifact = kernels.build(template, problem, config, timeout_s=300.0)
    except BuildError as refusal:
        return Compiled(device, problem.id, failed=str(refusal).partition("\n")[0])
    except TrialError as refusal:  # it compiles, and holds what is not known here
        return Compiled(device, problem.id, notes=(str(refusal),))
    bytes_of = dict.fromkeys(SPACES, 0)
    flags = 0
    for function in artifact.program.functions:
        for part in planned(function):
            bytes_of[part.space] = max(bytes_of[part.space], part.end)
        flags += sum(isinstance(item, Flag | Barrier | BlockFlag) for item in walk(function.body))
    notes, time_us = artifact.notes, None
    try:
        time_us = round(kernels.simulated(artifact, problem).time_us, 3)
    except TrialError as unknown:
        notes = (*notes, str(unknown))
    return Compiled(device, problem.id, "", bytes_of["L1"], bytes_of["L0C"], bytes_of["UB"], flags, time_us, notes)


def kernels_of(device: str, python: str | None) -> TritonKernels:
    """The compiler for one chip. Raises SettingsError for an unknown one."""
    return TritonKernels(spec(device), python)


def as_json(rows: Sequence[Compiled], compiler: str, template: Template, config: Config) -> dict[str, Any]:
    """A run of the gate, to be compared with by a later one."""
    return {
        "schema": SCHEMA,
        "compiled": [asdict(row) for row in rows],
        "compiler": compiler,
        "template": template.name,
        "source_hash": template.source_hash,
        "config": dict(config),
    }


def from_json(data: Any, place: str) -> tuple[Compiled, ...]:
    """The rows of a stored run. Raises RecordError."""
    try:
        if data["schema"] != SCHEMA:
            raise RecordError(f"{place} has schema {data['schema']}; this version reads {SCHEMA}")
        return tuple(Compiled(**{**row, "notes": tuple(row["notes"])}) for row in data["compiled"])
    except (KeyError, TypeError) as error:
        raise RecordError(f"{place} is no run of `ascend-tune compile`: {error}") from error


def changes(before: Sequence[Compiled], now: Sequence[Compiled]) -> list[str]:
    """What differs between two runs, a line each; rows that only one of them has are not compared."""
    known = {(row.device, row.problem): row for row in before}
    told = []
    for row in now:
        old = known.get((row.device, row.problem))
        if old is None:
            continue
        where = f"{row.problem} on {row.device}"
        if bool(row.failed) != bool(old.failed):
            told.append(f"{where}: fails now: {row.failed}" if row.failed else f"{where}: compiles now")
            continue
        for name, unit in (("l1_bytes", "bytes of L1"), ("l0c_bytes", "bytes of L0C"), ("ub_bytes", "bytes of UB")):
            if getattr(row, name) != getattr(old, name):
                told.append(f"{where}: {getattr(old, name)} -> {getattr(row, name)} {unit}")
        if row.flags != old.flags:
            told.append(f"{where}: {old.flags} -> {row.flags} flags and barriers")
        if row.notes != old.notes:
            told.append(f"{where}: notes {list(old.notes)} -> {list(row.notes)}")
        if row.time_us is not None and old.time_us is not None and abs(row.time_us / old.time_us - 1) > 0.001:
            told.append(
                f"{where}: {old.time_us:.1f} -> {row.time_us:.1f} us simulated ({row.time_us / old.time_us - 1:+.1%})"
            )
    return told
