"""One measuring process a device: xdist workers and other sessions wait for their turn, wherever they run from.

All sessions of a machine meet in one folder of lock files, whoever runs them and whatever their TMPDIR is. A container
has a /tmp of its own: mount that folder into each (docs/ascend.md), or name a shared one with --ascend-tune-lock-dir.
"""

from __future__ import annotations

import os
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from pytest_ascend_tune.files.locks import Lock
from pytest_ascend_tune.model.door import switch
from pytest_ascend_tune.model.errors import RecordError, SettingsError
from pytest_ascend_tune.model.protocols import Backend, Placed

MACHINE_FOLDER = Path("/tmp/pytest-ascend-tune")  # not TMPDIR: the one place that all users and sessions share
LONGEST_WAIT_S = 4 * 3600.0
POLL_S = 0.2
_FOR_EVERYBODY = 0o1777  # as /tmp itself: anybody may make a file, nobody may remove another's


def private_folder() -> Path:
    """A folder in TMPDIR that is private to the user."""
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


def lock_folder(chosen: str | None = None) -> Path:
    """Folder of the lock files: `chosen` (--ascend-tune-lock-dir), else the machine's, else a private one.

    Raises SettingsError for a chosen one in which no file can be made.
    """
    if chosen is not None:
        folder = Path(chosen).expanduser()
        try:
            _usable(folder)
        except OSError as error:
            raise SettingsError(
                f"{switch('lock_dir')}={chosen}: no lock file can be made there ({error.strerror or error}); name a "
                "folder that all sessions on this machine can write to"
            ) from error
        return folder
    with suppress(OSError):
        _usable(MACHINE_FOLDER)
        return MACHINE_FOLDER
    return private_folder()


def _usable(folder: Path) -> None:
    """Make the folder if need be, for everybody. Raises OSError when no file can be made in it."""
    try:
        folder.mkdir(parents=True)
        folder.chmod(_FOR_EVERYBODY)
    except FileExistsError:
        pass
    if not stat.S_ISDIR(folder.lstat().st_mode):
        raise NotADirectoryError(None, "it is a link or no folder")
    descriptor, name = tempfile.mkstemp(prefix=".probe-", dir=folder)
    os.close(descriptor)
    os.unlink(name)


@contextmanager
def device_turn(
    backend: Backend, devices: tuple[int, ...] | None, lock_dir: str | None, write: Callable[[str], None]
) -> Iterator[None]:
    """Hold the backend's devices (`devices`: which, where there are several) while measuring; simulated ones are free.

    `lock_dir`: as :func:`lock_folder` takes it. Raises RecordError after four hours of waiting, and what lock_folder
    raises. The locks of a process that dies are free again.
    """
    if backend.simulated:
        yield
        return
    folder = lock_folder(lock_dir)
    with ExitStack() as held:  # in one order for everybody: two processes never wait for each other
        for name in _names(backend, devices):
            _take(folder / f"{name}.lock", name, held, write)
        yield


def _names(backend: Backend, devices: tuple[int, ...] | None) -> tuple[str, ...]:
    if isinstance(backend, Placed):
        return backend.lock_names(devices)
    return tuple(f"{backend.device}-{number}" for number in sorted(devices)) if devices else (backend.device,)


def _take(path: Path, name: str, held: ExitStack, write: Callable[[str], None]) -> None:
    deadline = time.monotonic() + LONGEST_WAIT_S
    waiting = False
    while True:
        descriptor = _open(path)
        lock = Lock(path, descriptor)
        if lock.take() and _is_at(path, descriptor):
            held.callback(os.close, descriptor)
            held.callback(lock.release)
            return
        lock.release()
        os.close(descriptor)
        if not waiting:
            write(f"ascend-tune: another process measures on {name}; waiting for it to end\n")
            waiting = True
        if time.monotonic() > deadline:
            raise RecordError(f"{path}: another process has measured for {LONGEST_WAIT_S / 3600:g} hours")
        time.sleep(POLL_S)


def _open(path: Path) -> int:
    """The lock file, for reading: another user's may be locked, too. Raises RecordError."""
    try:
        with suppress(FileExistsError):
            made = os.open(path, os.O_RDONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644)
            os.fchmod(made, 0o644)  # whatever the umask says
            return made
        return os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError as error:
        raise RecordError(
            f"{path}: the lock file cannot be opened ({error.strerror or error}); delete it when nothing is measured, "
            f"or name another folder with {switch('lock_dir')}"
        ) from error


def _is_at(path: Path, descriptor: int) -> bool:
    """Whether the open file is still the one of that name: a cleaner of /tmp may have removed it meanwhile."""
    with suppress(OSError):
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    return False
