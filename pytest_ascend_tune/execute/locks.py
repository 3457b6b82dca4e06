"""One measuring process a device: xdist workers and other sessions wait for their turn, wherever they run from."""

from __future__ import annotations

import json
import math
import os
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from pytest_ascend_tune.files import atomic
from pytest_ascend_tune.files.locks import Lock
from pytest_ascend_tune.model.door import switch
from pytest_ascend_tune.model.errors import DeviceBusyError, RecordError
from pytest_ascend_tune.model.protocols import Backend
from pytest_ascend_tune.model.secreturl import hide_urls

POLL_S = 0.2
COMMAND_LENGTH = 160  # letters of a holder's command that are told


@dataclass
class Waiting:
    """How long one run still waits for devices, seconds in all its problems; `run` names it to its own workers."""

    left_s: float = math.inf
    run: str = ""


def turns_folder() -> Path:
    """Folder of the lock files, private to the user."""
    folder = Path(tempfile.gettempdir()) / f"pytest-ascend-tune-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
            raise RecordError(f"{folder}: belongs to another user, or is a link; set TMPDIR to a folder of your own")
    except OSError as error:
        reason = error.strerror or error
        raise RecordError(f"{folder}: cannot be made ({reason}); set TMPDIR to a writable folder") from error
    return folder


@contextmanager
def device_turn(
    backend: Backend, devices: tuple[int, ...] | None, write: Callable[[str], None], waiting: Waiting
) -> Iterator[None]:
    """Hold the backend's devices (`devices`: which, where there are several) while measuring; simulated ones are free.

    Raises DeviceBusyError when the time of `waiting` is over. The locks of a process that dies are free again.
    """
    if backend.simulated:
        yield
        return
    names = [f"{backend.device}-{number}" for number in sorted(devices)] if devices else [backend.device]
    with ExitStack() as held:  # in order of their numbers: two processes never wait for each other
        for name in names:
            _take(turns_folder() / f"{name}.lock", name, held, write, waiting)
        yield


def _take(path: Path, name: str, held: ExitStack, write: Callable[[str], None], waiting: Waiting) -> None:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    held.callback(os.close, descriptor)
    lock = Lock(path, descriptor)
    held.callback(lock.release)
    note = path.with_suffix(".holder")
    if not lock.take():
        _wait(lock, note, name, write, waiting)
    atomic.write_text(note, json.dumps({"pid": os.getpid(), "command": _command(), "run": waiting.run}))


def _wait(lock: Lock, note: Path, name: str, write: Callable[[str], None], waiting: Waiting) -> None:
    """Wait for the lock; only time that others hold it counts, not a worker of this very run."""
    told, last = "", time.monotonic()
    started = last
    while True:
        holder = _holder(note)
        who = f"pid {holder.get('pid', '?')} ({holder.get('command', 'unknown command')})"
        ours = bool(waiting.run) and holder.get("run") == waiting.run
        if not ours and waiting.left_s <= 0:
            raise DeviceBusyError(
                f"{name} is held by another process, {who}; not measured, after waiting"
                f" {time.monotonic() - started:.0f} s here. Let it end, or wait longer with {switch('wait')}=MIN"
            )
        if who != told and not ours:
            limit = f", up to {waiting.left_s / 60:.3g} min" if math.isfinite(waiting.left_s) else ""
            write(f"ascend-tune: another process measures on {name}: {who}; waiting for it to end{limit}\n")
            told = who
        time.sleep(POLL_S)
        if lock.take():
            break
        now = time.monotonic()
        waiting.left_s -= 0 if ours else now - last
        last = now
    if told:
        write(f"ascend-tune: waited {time.monotonic() - started:.0f} s for {name}\n")


def _command() -> str:
    """What this process is, for whoever waits for it; no secrets."""
    words = [Path(sys.argv[0]).name, *sys.argv[1:]] if sys.argv else []
    return hide_urls(" ".join(words))[:COMMAND_LENGTH]


def _holder(note: Path) -> dict[str, object]:
    """Who has the lock, as far as is known: written right after taking it."""
    with suppress(OSError, ValueError):
        found = json.loads(note.read_text(encoding="utf-8"))
        return found if isinstance(found, dict) else {}
    return {}
