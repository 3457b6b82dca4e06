"""Where kernels run. Come here to add a backend: implement protocols.Backend, add one line to ``_HOMES``, and inherit
tests/contracts/backend_contract.py in a test class.

Beside the backends stands the workbench they share: toolchain (compiler), build_cache, worker and worker_child (a
process that may die), accuracy (is the result right).
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from pytest_ascend_tune.model.errors import BackendUnavailableError, SettingsError
from pytest_ascend_tune.model.protocols import Backend, BackendOptions


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
ALLOWED = "auto, ascend, cpu, simulator, simulator:DEVICE (simulator:910B2)"


def create(name: str, *, options: BackendOptions) -> Backend:
    """The backend called `name`: ``cpu``, ``ascend``, ``simulator``, ``simulator:910B2`` or ``auto``.

    It may turn out that it cannot run here: ask ``unavailable_because()``. ``auto`` raises BackendUnavailableError for
    an NPU that is there but does not work. Raises SettingsError for any other name.
    """
    if name == "auto":
        return _create_auto(options)
    kind, _, device = name.partition(":")
    if kind not in _HOMES or (":" in name and (kind != "simulator" or not device)):
        raise SettingsError(f"backend {name!r} is unknown; allowed: {ALLOWED}")
    module, class_name, make = _HOMES[kind]
    return make(getattr(import_module(f"{__name__}.{module}"), class_name), options, device)


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
            "Repair it, or choose another backend by name: --ascend-tune-backend=cpu"
        )
    return backend


def npu_device_nodes(dev: Path = Path("/dev")) -> list[Path]:
    """Device nodes of NPUs, created by the Ascend driver: ``/dev/davinci0`` ... (``davinci_manager`` is no NPU)."""
    return sorted(path for path in dev.glob("davinci*") if path.name.removeprefix("davinci").isdigit())
