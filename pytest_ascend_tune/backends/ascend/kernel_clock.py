"""Device time of each kernel by MSPTI, where it is loaded: a pair of events holds the launch, too (some microseconds).

MSPTI comes with CANN and records nothing unless its library is preloaded (mspti's guide to its Python API, section 8;
triton-lang/triton-ascend#1409): ``export LD_PRELOAD=${ASCEND_HOME_PATH}/lib64/libmspti.so``. Events remain the check.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from typing import Any

from pytest_ascend_tune.model.errors import KernelCrashError

RECORDS, EVENTS = "MSPTI kernel records", "AscendCL events"
LIBRARY = "libmspti"
OWN_PREFIX = "ascend_tune_"  # of every kernel that this package builds
# Records of kernels lie between the events: their sum may exceed these by the clocks' granularity only.
TOLERANCE_SHARE, TOLERANCE_MS = 0.02, 0.002


def monitor() -> Callable[[], Any] | None:
    """What makes a monitor of kernels; None where MSPTI is not preloaded or has no Python package."""
    if LIBRARY not in os.environ.get("LD_PRELOAD", ""):
        return None
    try:
        make: Callable[[], Any] = import_module("mspti").KernelMonitor
    except (ImportError, OSError, AttributeError):
        return None
    return make


def record(make: Callable[[], Any], work: Callable[[], float]) -> tuple[float, list[tuple[str, float]]]:
    """Do `work`, which returns its time between events in ms; that, and name and ms of each kernel meanwhile."""
    found: list[tuple[str, float]] = []
    watcher = make()
    watcher.start(lambda data: found.append((str(data.name), (data.end - data.start) / 1e6)))
    try:
        event_ms = work()
    finally:
        watcher.stop()  # also hands over what is still buffered
    return event_ms, found


def time_ms(make: Callable[[], Any], work: Callable[[], float], *, symbol: str, launches: int) -> float:
    """Device time of `launches` launches of the kernel `symbol` ("": all that are not our own, for the reference).

    Raises KernelCrashError when the records and the events contradict each other.
    """
    event_ms, found = record(make, work)
    ours = [ms for name, ms in found if (symbol in name if symbol else not name.startswith(OWN_PREFIX))]
    enough = len(ours) == launches if symbol else len(ours) >= launches
    total = sum(ours)
    if not enough or min(ours, default=0.0) <= 0 or total > event_ms * (1 + TOLERANCE_SHARE) + TOLERANCE_MS:
        raise KernelCrashError(
            f"MSPTI and the events contradict each other: {len(ours)} records of together {total * 1000:.1f} us, "
            f"{launches} launches of {event_ms * 1000:.1f} us; take {LIBRARY} out of LD_PRELOAD to time by events"
        )
    return total
