"""A cgroup (version 2) for one command, where this process may make one: a single write kills all that is in it."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

_GONE_TIMEOUT_S = 2.0


def make(name: str) -> Path | None:
    """A new one below our own; None where there is no cgroup v2, it is not ours to change, or Linux is before 5.14.

    No controller is touched: what runs in it has the memory and the CPUs that it had.
    """
    try:
        home = _mounted() / _own().lstrip("/") / name
        home.mkdir()
    except (OSError, StopIteration):
        return None
    if (home / "cgroup.kill").exists():
        return home
    home.rmdir()
    return None


def end(home: Path) -> None:
    """Kill all that is in it, and remove it. No error when it is gone already."""
    deadline = time.monotonic() + _GONE_TIMEOUT_S
    while home.exists() and time.monotonic() < deadline:
        with suppress(OSError):
            (home / "cgroup.kill").write_text("1")
        try:
            home.rmdir()
        except OSError:  # its processes are still ending
            time.sleep(0.001)


def _own() -> str:
    lines = Path("/proc/self/cgroup").read_text().splitlines()
    return next(line[3:] for line in lines if line.startswith("0::"))


def _mounted() -> Path:
    """Where the whole tree is mounted (in a namespace of our own: our part of it). Columns: proc_pid_mountinfo(5)."""
    mounts = (line.split() for line in Path("/proc/self/mountinfo").read_text().splitlines())
    return next(Path(mount[4]) for mount in mounts if mount[3] == "/" and mount[mount.index("-") + 1] == "cgroup2")
