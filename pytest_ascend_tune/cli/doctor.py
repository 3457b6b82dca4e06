"""Is this machine ready to tune, and if not: what is missing, why it is needed, and how to get it.

``run`` looks; ``as_lines`` and ``as_json`` say it; ``ready`` is the exit code. To add a check, add a yield.
"""

from __future__ import annotations

import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pytest_ascend_tune import __version__, backends
from pytest_ascend_tune.model.protocols import BackendOptions, Examined
from pytest_ascend_tune.model.readiness import Check, Status, installed

SCHEMA = 1
_FREE_BYTES = 1 << 30  # built kernels, histories and reports of a large suite
_PACKAGES = {  # distribution -> what it is for
    "numpy": "search spaces and checks of results",
    "scipy": "the model's arithmetic",
    "scikit-learn": "the Gaussian process",
    "scikit-optimize": "the Gaussian process",
    "matplotlib": "pictures",
    "jinja2": "the HTML report",
    "sqlalchemy": "the history",
    "psutil": "memory and load of this machine",
    "pytest": "the gate",
}


def run(backend: str = "auto", directory: Path = Path(".ascend-tune")) -> list[Check]:
    """Look at everything that `backend` needs. Writes nothing but one probe file in `directory` and the kernel cache.

    ``auto`` asks for an NPU only where one is. Raises SettingsError for an unknown backend.
    """
    asked = backends.asked_for(backend)
    checks = [_chosen(backend), _python(), *_packages(), *_write_access(directory)]
    options = BackendOptions(directory / "cache")
    for name in asked:
        checks += _backend(name, options, by_name=backend != "auto")
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


def _chosen(backend: str) -> Check:
    if backend != "auto":
        return Check("backend", Status.OK, backend.partition(":")[0], "everything that follows")
    found = "auto: ascend (an NPU is here)" if backends.npu_device_nodes() else "auto: cpu (no NPU is here)"
    return Check("backend", Status.OK, found, "everything that follows")


def _python() -> Check:
    version = platform.python_version()
    status = Status.OK if sys.version_info >= (3, 10) else Status.MISSING
    return Check("Python", status, version, "everything", "install Python 3.10 or newer")


def _packages() -> Iterator[Check]:
    for name, why in _PACKAGES.items():
        found = installed(name)
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


def _backend(name: str, options: BackendOptions, *, by_name: bool) -> Iterator[Check]:
    """What the backend has to say of itself; one that says nothing is asked whether it can run."""
    home = backends.class_of(name)
    if isinstance(home, Examined):
        yield from home.checks(options, by_name=by_name)
        return
    backend = backends.create(name, options=options)
    try:
        reason = backend.unavailable_because()
    finally:
        backend.close()
    yield Check(name, Status.MISSING if reason else Status.OK, reason or "can run here", f"the backend {name!r}")
