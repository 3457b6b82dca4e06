"""Where kernels run. Come here to add a backend: implement protocols.Backend, add one line to ``_HOMES``, and inherit
tests/contracts/backend_contract.py in a test class. What a backend can do beyond that, it says itself, by the optional
parts in protocols (devices with numbers, several chips, warm starts, doctor's checks ...): nobody asks for its name.

Beside the backends stands the workbench they share: toolchain (compiler), build_cache and built (what is compiled),
ownbuild (a kernel's own build system), worker, child and worker_child (a process that may die), supervised,
supervisor and cgroup (what it starts ends with it), loaded (what such a process keeps), guarded (arrays between
inaccessible pages), accuracy (is the result right).
In cpu/: backend, facts and load (of the host), checks (doctor), and in the worker process kernel, entry, operands,
worker.
In ascend/: backend, cann and pairing (tool chain), own_kernels (probe, emptied L2), chip (the device), smi and
neighbours (who else is on it), kernel_clock (what tells a kernel's time), checks (doctor), codes (what return codes
mean), faultbundle (what a fault leaves), shape_notes (waves, roof, alignment), and in the worker process runtime,
operands, worker.
In simulator/: backend, parameters, constants, work, schedule, pipeline, legality, prediction, explain, explanation,
prior.
In hivm/ (what Huawei's compiler emits for Triton kernels, executed): chain and frontend (compiler), kernels and
compiled (for the simulator and the command line), module, affine and program (read), codegen, execute, library, views,
flow (run), hazards, timeline, traffic, costs (time), explain.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from pytest_ascend_tune.model.door import switch
from pytest_ascend_tune.model.errors import BackendUnavailableError, SettingsError
from pytest_ascend_tune.model.problem import Dtype
from pytest_ascend_tune.model.protocols import Backend, BackendOptions, Numbered, Variants


def _simulator(make: Any, options: BackendOptions, device: str) -> Backend:
    simulator: Backend = make(
        device or "910B1", triton_python=options.triton_python, build_timeout_s=options.build_timeout_s
    )
    return simulator


# name -> (module, class, how it is made); loaded on first use, so that naming a backend costs nothing.
_HOMES: dict[str, tuple[str, str, Callable[[Any, BackendOptions, str], Backend]]] = {
    "ascend": ("ascend.backend", "AscendBackend", lambda make, options, device: make(options)),
    "cpu": ("cpu.backend", "CpuBackend", lambda make, options, device: make(options)),
    "simulator": ("simulator.backend", "SimulatorBackend", _simulator),
}


def create(name: str, *, options: BackendOptions) -> Backend:
    """The backend called `name`: ``cpu``, ``ascend``, ``simulator``, ``simulator:910B2`` or ``auto``.

    It may turn out that it cannot run here: ask ``unavailable_because()``. ``auto`` raises BackendUnavailableError for
    an NPU that is there but does not work. Raises SettingsError for any other name.
    """
    if name == "auto":
        return _create_auto(options)
    kind, colon, device = name.partition(":")
    if kind not in _HOMES or (colon and not (device and isinstance(class_of(kind), Variants))):
        raise SettingsError(f"backend {name!r} is unknown; allowed: {_allowed()}")
    return _HOMES[kind][2](class_of(kind), options, device)


def class_of(name: str) -> type[Any]:
    """The class of the backend `name` (without a device behind a colon), for what it says of itself unopened.

    Raises SettingsError for an unknown name.
    """
    if name not in _HOMES:
        raise SettingsError(f"backend {name!r} is unknown; allowed: {_allowed()}")
    module, class_name, _ = _HOMES[name]
    home: type[Any] = getattr(import_module(f"{__name__}.{module}"), class_name)
    return home


def asked_for(name: str) -> tuple[str, ...]:
    """Names of the backends that `name` (as of --ascend-tune-backend) may come to. Raises SettingsError."""
    if name == "auto":
        return ("cpu", "ascend")
    kind = name.partition(":")[0]
    class_of(kind)
    return (kind,)


def default_dtype(name: str) -> Dtype:
    """Dtype of problems that name none, by the backend's name alone: no device is looked at.

    A name that only a hook knows has that of NPUs.
    """
    kind = asked_for(name)[0] if name == "auto" else name.partition(":")[0]
    dtype: Dtype = class_of(kind).default_dtype if kind in _HOMES else Dtype.FLOAT16
    return dtype


def numbered() -> tuple[str, ...]:
    """Names of the backends whose devices may be named by number."""
    return tuple(name for name in _HOMES if isinstance(class_of(name), Numbered))


def devices_here(name: str) -> int:
    """How many devices the backend `name` has here for processes to share out; 0: none, or no matter how many."""
    homes = [
        class_of(kind) for kind in (asked_for(name) if name == "auto" else (name.partition(":")[0],)) if kind in _HOMES
    ]
    return max((home.devices_here() for home in homes if isinstance(home, Numbered)), default=0)


def option(name: str, device: str) -> str:
    """What to give as --ascend-tune-backend for the backend `name` (`Backend.name`) on `device` (`Backend.device`)."""
    home = class_of(name) if name in _HOMES else None
    return f"{name}:{home.variant_of(device)}" if isinstance(home, Variants) else name


def _allowed() -> str:
    return f"auto, {', '.join(_HOMES)}, simulator:DEVICE (simulator:910B2)"


def _create_auto(options: BackendOptions) -> Backend:
    """Ascend where an NPU is, else cpu. A broken NPU is an error: a silent CPU run would look like a result."""
    nodes = npu_device_nodes()
    if not nodes:
        return create("cpu", options=options)
    backend = create("ascend", options=options)
    reason = backend.unavailable_because()
    if reason is not None:
        backend.close()
        raise BackendUnavailableError(
            f"an Ascend NPU is here ({nodes[0]}) but cannot be used: {reason}\n"
            f"Repair it, or choose another backend by name: {switch('backend')}=cpu"
        )
    return backend


def npu_device_nodes(dev: Path = Path("/dev")) -> list[Path]:
    """Device nodes of NPUs, created by the Ascend driver: ``/dev/davinci0`` ... (``davinci_manager`` is no NPU)."""
    return sorted(path for path in dev.glob("davinci*") if path.name.removeprefix("davinci").isdigit())
