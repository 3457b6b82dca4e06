"""One measuring process a device: xdist workers and other sessions wait for their turn, wherever they run from."""

from __future__ import annotations

import os
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from pytest_ascend_tune.files.locks import Lock
from pytest_ascend_tune.model.errors import RecordError
from pytest_ascend_tune.model.protocols import Backend

LONGEST_WAIT_S = 4 * 3600.0
POLL_S = 0.2


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
def device_turn(backend: Backend, devices: tuple[int, ...] | None, write: Callable[[str], None]) -> Iterator[None]:
    """Hold the backend's devices (`devices`: which, where there are several) while measuring; simulated ones are free.

    Raises RecordError after four hours of waiting. The locks of a process that dies are free again.
    """
    if backend.simulated:
        yield
        return
    names = [f"{backend.device}-{number}" for number in sorted(devices)] if devices else [backend.device]
    with ExitStack() as held:  # in order of their numbers: two processes never wait for each other
        for name in names:
            _take(turns_folder() / f"{name}.lock", name, held, write)
        yield


def _take(path: Path, name: str, held: ExitStack, write: Callable[[str], None]) -> None:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    held.callback(os.close, descriptor)
    lock = Lock(path, descriptor)
    held.callback(lock.release)
    if lock.take():
        return
    write(f"ascend-tune: another process measures on {name}; waiting for it to end\n")
    deadline = time.monotonic() + LONGEST_WAIT_S
    while not lock.take():
        if time.monotonic() > deadline:
            raise RecordError(f"{path}: another process has measured for {LONGEST_WAIT_S / 3600:g} hours")
        time.sleep(POLL_S)
