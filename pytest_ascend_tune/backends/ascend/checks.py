"""What the ascend backend needs of a machine (protocols.Examined), from the driver to a trial compilation."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pytest_ascend_tune.backends.ascend import cann, chip, pairing
from pytest_ascend_tune.model.errors import AscendTuneError
from pytest_ascend_tune.model.readiness import Check, Status, installed

if TYPE_CHECKING:
    from pytest_ascend_tune.backends.ascend.backend import AscendBackend

# Imported by CANN's own Python code when it prepares an operator of torch_npu; the extra "ascend" of this package.
_CANN_PACKAGES = ("absl-py", "attrs", "cffi", "decorator", "protobuf", "psutil", "pyyaml", "sympy")


def checks(backend: AscendBackend, nodes: int) -> Iterator[Check]:
    """Driver, CANN, CATLASS, torch_npu, the device; each also when one before it is missing.

    `backend` has not been used yet; `nodes`: device nodes that were found.
    """
    driver = chip.driver_version()
    fix = "install driver and firmware; in a container pass --device /dev/davinci0 --device /dev/davinci_manager "
    fix += "--device /dev/devmm_svm --device /dev/hisi_hdc and mount the driver (docs/ascend.md)"
    found = f"{nodes} NPU nodes, driver {driver}" if nodes else f"no /dev/davinci*, driver {driver}"
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
    lacking = [name for name in _CANN_PACKAGES if not installed(name)]
    found, fix = f"lacking: {', '.join(lacking)}", f"pip install {' '.join(lacking)}"
    why = "operators of torch_npu (without them: EH9999, 500001)"
    yield Check("CANN's Python packages", *((Status.WARNING, found, why, fix) if lacking else (Status.OK, "all", why)))
    torch_check = _torch(toolkit.version if toolkit else None)
    yield torch_check
    if toolkit is None or torch_check.status is Status.MISSING:
        yield Check("NPU", Status.SKIPPED, "not tried", "running kernels", "first mend what is missing above")
        return
    yield from _device(backend)


def _torch(version: tuple[int, ...] | None) -> Check:
    why = "memory, streams and the reference matmul on the NPU"
    torch, torch_npu = (
        installed(name) or ("unknown version" if _importable(name) else "") for name in ("torch", "torch_npu")
    )
    fix = pairing.pip_line(version, torch)
    found = f"torch {torch or 'not installed'}, torch_npu {torch_npu or 'not installed'}"
    if not torch or not torch_npu:
        return Check("torch_npu", Status.MISSING, found, why, fix)
    pair = pairing.check(version, torch, torch_npu)
    if pair.match is pairing.Match.MISFIT:
        return Check("torch_npu", Status.WARNING, pair.reason, why, fix)
    return Check("torch_npu", Status.OK, "; ".join(filter(None, (found, pair.reason))), why)


def _device(backend: AscendBackend) -> Iterator[Check]:
    """Opens the device in a process of its own and compiles the probe."""
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
        yield Check("chip facts", Status.WARNING, differing, "the peak and the search space", "the device's are used")
    health = backend.health()
    notes = "; ".join(str(note) for note in health.notes) or "idle"
    fix = "end the other processes: a shared NPU gives wrong times"
    yield Check("NPU use", Status.WARNING if health.busy else Status.OK, notes, "quiet measurements", fix)
    if shutil.which("npu-smi") is None:
        fix = "mount it into the container (docs/ascend.md); without it, neighbours on the NPU are not seen"
        yield Check("npu-smi", Status.WARNING, "not on PATH", "seeing other processes", fix)


def _missing(name: str, message: str, why: str) -> Check:
    """A check from an error's text: its first sentence is what was found, the rest what to do."""
    for separator in (": ", ". ", "; "):
        what, found, fix = message.partition(separator)
        if found and fix:
            return Check(name, Status.MISSING, what, why, fix.strip())
    return Check(name, Status.MISSING, message, why)


def _importable(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False
