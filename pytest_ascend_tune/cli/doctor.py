"""Is this machine ready to tune, and if not: what is missing, why it is needed, and how to get it.

``run`` looks; ``as_lines`` and ``as_json`` say it; ``ready`` is the exit code. To add a check, add a yield.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pytest_ascend_tune import __version__, backends
from pytest_ascend_tune.backends.ascend import cann, chip, pairing
from pytest_ascend_tune.backends.ascend.backend import AscendBackend
from pytest_ascend_tune.backends.cpu import facts as cpu_facts
from pytest_ascend_tune.backends.cpu.backend import CpuBackend
from pytest_ascend_tune.backends.toolchain import find_compiler
from pytest_ascend_tune.model.errors import AscendTuneError, BackendUnavailableError, SettingsError
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.protocols import BackendOptions
from pytest_ascend_tune.model.word import Word

SCHEMA = 1
KINDS = ("auto", "ascend", "cpu", "simulator")
_FREE_BYTES = 1 << 30  # built kernels, histories and reports of a large suite
_PACKAGES = {  # distribution -> what it is for
    "numpy": "search spaces and checks of results",
    "scipy": "the model's arithmetic",
    "scikit-learn": "the Gaussian process",
    "scikit-optimize": "the Gaussian process",
    "matplotlib": "pictures",
    "jinja2": "the HTML report",
    "sqlalchemy": "the history",
    "pytest": "the gate",
}


# Imported by CANN's own Python code when it prepares an operator of torch_npu; the extra "ascend" of this package.
_CANN_PACKAGES = ("absl-py", "attrs", "cffi", "decorator", "protobuf", "psutil", "pyyaml", "sympy")


class Status(Word):
    """Outcome of one check. Only ``missing`` makes the machine not ready."""

    OK = "ok"
    WARNING = "warning"
    MISSING = "missing"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class Check:
    """One prerequisite: what was found, what it is needed for, and how to fix it when it is not right."""

    name: str
    status: Status
    found: str
    why: str
    fix: str = ""


def run(backend: str = "auto", directory: Path = Path(".ascend-tune")) -> list[Check]:
    """Look at everything that `backend` needs. Writes nothing but one probe file in `directory` and the kernel cache.

    ``auto`` asks for an NPU only where one is. Raises SettingsError for an unknown backend.
    """
    kind = backend.partition(":")[0]
    if kind not in KINDS:
        raise SettingsError(f"backend {backend!r} is unknown; allowed: {', '.join(KINDS)}")
    checks = [_backend(kind), _python(), *_packages(), *_write_access(directory)]
    if kind in ("auto", "cpu"):
        checks += _cpu(directory / "cache")
    if kind == "ascend" or (kind == "auto" and backends.npu_device_nodes()):
        checks += _ascend(directory / "cache")
    elif kind == "auto":
        why = "the ascend backend"
        fix = "to see what it would need here: ascend-tune doctor --backend ascend"
        checks.append(Check("NPU", Status.SKIPPED, "none (no /dev/davinci*)", why, fix))
    return checks


def ready(checks: Sequence[Check]) -> bool:
    """Whether nothing that is needed is missing."""
    return all(check.status is not Status.MISSING for check in checks)


def as_lines(checks: Sequence[Check]) -> Iterator[str]:
    """For the terminal: one line a check, more where something is to be done."""
    width = max(len(check.name) for check in checks)
    indent = " " * (8 + 1 + width + 1)
    for check in checks:
        status = check.status.upper() if check.status is Status.MISSING else check.status.value
        yield f"{status:8} {check.name:{width}}  {check.found}"
        if check.status in (Status.MISSING, Status.WARNING):
            yield f"{indent} needed for {check.why}"
        if check.fix and check.status is not Status.OK:
            yield f"{indent} -> {check.fix}"
    missing = sum(check.status is Status.MISSING for check in checks)
    yield "ready" if not missing else f"not ready: {missing} missing"


def as_json(checks: Sequence[Check]) -> dict[str, Any]:
    """To be sent with a question. Home folders are shortened, host and user names do not occur."""
    home = str(Path.home())
    shortened = [{name: str(value).replace(home, "~") for name, value in asdict(check).items()} for check in checks]
    return {
        "schema": SCHEMA,
        "pytest_ascend_tune": __version__,
        "machine": platform.machine(),
        "ready": ready(checks),
        "checks": shortened,
    }


def _backend(kind: str) -> Check:
    if kind != "auto":
        return Check("backend", Status.OK, kind, "everything that follows")
    found = "auto: ascend (an NPU is here)" if backends.npu_device_nodes() else "auto: cpu (no NPU is here)"
    return Check("backend", Status.OK, found, "everything that follows")


def _python() -> Check:
    version = platform.python_version()
    status = Status.OK if sys.version_info >= (3, 10) else Status.MISSING
    return Check("Python", status, version, "everything", "install Python 3.10 or newer")


def _packages() -> Iterator[Check]:
    for name, why in _PACKAGES.items():
        found = _installed(name)
        status = Status.OK if found else Status.MISSING
        yield Check(name, status, found or "not installed", why, f"pip install {name}")


def _write_access(directory: Path) -> Iterator[Check]:
    why = "baselines, reports, built kernels"
    existing = next(folder for folder in (directory, *directory.absolute().parents) if folder.is_dir())
    try:
        with tempfile.NamedTemporaryFile(dir=existing):
            pass
    except OSError as error:
        fix = "make it writable, or choose another folder: --ascend-tune-dir (doctor: --dir)"
        yield Check("write access", Status.MISSING, f"{directory}: {error.strerror}", why, fix)
        return
    yield Check("write access", Status.OK, str(directory), why)
    free = shutil.disk_usage(existing).free
    status = Status.OK if free >= _FREE_BYTES else Status.WARNING
    yield Check("disk space", status, f"{free / 1e9:.1f} GB free", why, "make room, or choose another folder")


def _cpu(cache: Path) -> Iterator[Check]:
    model = cpu_facts.cpu_model()
    yield Check("CPU", Status.OK, f"{model.name}, {model.extension}", "the cpu backend")
    try:
        yield Check("C++ compiler", Status.OK, find_compiler().version, "kernels of the cpu backend")
        yield _cpu_probe(cache)
    except BackendUnavailableError as error:
        what, _, fix = str(error).partition(". ")
        yield Check("C++ compiler", Status.MISSING, what, "kernels of the cpu backend", fix)
    load, cpus = cpu_facts.load_average(), len(cpu_facts.usable_cpus())
    status = Status.OK if load < 0.5 * cpus else Status.WARNING
    fix = "the gate interleaves what it compares and copes with this, but takes longer; best on an idle machine"
    yield Check("load", status, f"load average {load:.1f} on {cpus} CPUs", "quiet measurements", fix)


def _cpu_probe(cache: Path) -> Check:
    """Builds a library, loads it and runs it."""
    why = "running what was built"
    backend = CpuBackend(BackendOptions(cache))
    try:
        peak = backend.peak_tflops(GemmProblem(1, 1, 1, backend.default_dtype))
    except (AscendTuneError, OSError) as error:
        return _missing("trial kernel", str(error), why)
    finally:
        backend.close()
    return Check("trial kernel", Status.OK, f"built, loaded and run ({1000 * peak:.0f} GFLOPS peak)", why)


def _ascend(cache: Path) -> Iterator[Check]:
    nodes = backends.npu_device_nodes()
    driver = chip.driver_version()
    fix = "install driver and firmware; in a container pass --device /dev/davinci0 --device /dev/davinci_manager "
    fix += "--device /dev/devmm_svm --device /dev/hisi_hdc and mount the driver (docs/ascend.md)"
    found = f"{len(nodes)} NPU nodes, driver {driver}" if nodes else f"no /dev/davinci*, driver {driver}"
    yield Check("NPU driver", Status.OK if nodes else Status.WARNING, found, "the ascend backend", fix)

    toolkit = None
    try:
        toolkit = cann.find_cann(os.environ)
        yield Check("CANN", Status.OK, f"{toolkit.label} in {toolkit.home}", "compiling and running kernels")
        banner = toolkit.compiler_banner.partition("\n")[0]
        yield Check("CANN compiler", Status.OK, f"{toolkit.compiler.name}: {banner}", "compiling kernels")
    except AscendTuneError as error:
        yield _missing("CANN", str(error), "compiling and running kernels")
    try:
        catlass = cann.find_catlass(os.environ)
        if toolkit is not None:
            cann.check_pair(toolkit, catlass)
        yield Check("CATLASS", Status.OK, f"{catlass.label} in {catlass.home}", "the kernel template")
    except AscendTuneError as error:
        yield _missing("CATLASS", str(error), "the kernel template")
    lacking = [name for name in _CANN_PACKAGES if not _installed(name)]
    found, fix = f"lacking: {', '.join(lacking)}", f"pip install {' '.join(lacking)}"
    why = "operators of torch_npu (without them: EH9999, 500001)"
    yield Check("CANN's Python packages", *((Status.WARNING, found, why, fix) if lacking else (Status.OK, "all", why)))
    torch_check = _torch(toolkit.version if toolkit else None)
    yield torch_check
    if toolkit is None or torch_check.status is Status.MISSING:
        yield Check("NPU", Status.SKIPPED, "not tried", "running kernels", "first mend what is missing above")
        return
    yield from _device(cache)


def _torch(version: tuple[int, ...] | None) -> Check:
    why = "memory, streams and the reference matmul on the NPU"
    torch, torch_npu = (
        _installed(name) or ("unknown version" if _importable(name) else "") for name in ("torch", "torch_npu")
    )
    fix = pairing.pip_line(version, torch)
    found = f"torch {torch or 'not installed'}, torch_npu {torch_npu or 'not installed'}"
    if not torch or not torch_npu:
        return Check("torch_npu", Status.MISSING, found, why, fix)
    pair = pairing.check(version, torch, torch_npu)
    if pair.match is pairing.Match.MISFIT:
        return Check("torch_npu", Status.WARNING, pair.reason, why, fix)
    return Check("torch_npu", Status.OK, "; ".join(filter(None, (found, pair.reason))), why)


def _device(cache: Path) -> Iterator[Check]:
    """Opens the device in a process of its own and compiles the probe."""
    backend = AscendBackend(BackendOptions(cache))
    try:
        reason = backend.unavailable_because()
        if reason is not None:
            yield _missing("NPU", reason, "running kernels")
            return
        facts = backend.facts()
        yield Check("NPU", Status.OK, f"{backend.device}, {facts['cores']} cube cores", "running kernels")
        found = "an empty kernel compiles, loads and runs"
        yield Check("trial compilation", Status.OK, found, "compiling and running kernels")
        differing = "; ".join(str(note) for note in backend.device_notes())
        if differing:
            yield Check(
                "chip facts", Status.WARNING, differing, "the peak and the search space", "the device's are used"
            )
        health = backend.health()
        notes = "; ".join(str(note) for note in health.notes) or "idle"
        fix = "end the other processes: a shared NPU gives wrong times"
        yield Check("NPU use", Status.WARNING if health.busy else Status.OK, notes, "quiet measurements", fix)
        if shutil.which("npu-smi") is None:
            fix = "mount it into the container (docs/ascend.md); without it, neighbours on the NPU are not seen"
            yield Check("npu-smi", Status.WARNING, "not on PATH", "seeing other processes", fix)
    finally:
        backend.close()


def _missing(name: str, message: str, why: str) -> Check:
    """A check from an error's text: its first sentence is what was found, the rest what to do."""
    for separator in (": ", ". ", "; "):
        what, found, fix = message.partition(separator)
        if found and fix:
            return Check(name, Status.MISSING, what, why, fix.strip())
    return Check(name, Status.MISSING, message, why)


def _installed(distribution: str) -> str:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _importable(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False
