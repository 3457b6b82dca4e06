"""One measuring process a device: xdist workers and other sessions wait for their turn, wherever they run from.

All sessions of a machine meet in one folder of lock files, whoever runs them and whatever their TMPDIR is. A container
has a /tmp of its own: mount that folder into each (docs/ascend.md), or name a shared one with --ascend-tune-lock-dir.
"""

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
from pytest_ascend_tune.model.errors import DeviceBusyError, RecordError, SettingsError
from pytest_ascend_tune.model.protocols import Backend, Placed
from pytest_ascend_tune.model.secreturl import hide_urls

MACHINE_FOLDER = Path("/tmp/pytest-ascend-tune")  # not TMPDIR: the one place that all users and sessions share
POLL_S = 0.2
COMMAND_LENGTH = 160  # letters of a holder's command that are told
_FOR_EVERYBODY = 0o1777  # as /tmp itself: anybody may make a file, nobody may remove another's


@dataclass
class Waiting:
    """How long one run still waits for devices, seconds in all its problems; `run` names it to its own workers.

    `lock_dir`: as :func:`lock_folder` takes it.
    """

    left_s: float = math.inf
    run: str = ""
    lock_dir: str | None = None


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
    backend: Backend, devices: tuple[int, ...] | None, write: Callable[[str], None], waiting: Waiting
) -> Iterator[None]:
    """Hold the backend's devices (`devices`: which, where there are several) while measuring; simulated ones are free.

    Raises DeviceBusyError when the time of `waiting` is over, and what lock_folder raises. The locks of a process that
    dies are free again.
    """
    if backend.simulated:
        yield
        return
    folder = lock_folder(waiting.lock_dir)
    with ExitStack() as held:  # in one order for everybody: two processes never wait for each other
        for name in _names(backend, devices):
            _take(folder / f"{name}.lock", name, held, write, waiting)
        yield


def _names(backend: Backend, devices: tuple[int, ...] | None) -> tuple[str, ...]:
    if isinstance(backend, Placed):
        return backend.lock_names(devices)
    return tuple(f"{backend.device}-{number}" for number in sorted(devices)) if devices else (backend.device,)


def _take(path: Path, name: str, held: ExitStack, write: Callable[[str], None], waiting: Waiting) -> None:
    if not _locked(path, held):
        _wait(path, name, held, write, waiting)
    note = path.with_name(
        f"{path.stem}.{os.getuid()}.holder"
    )  # a user's own: in a shared folder nobody replaces another's
    with suppress(RecordError):
        atomic.write_text(note, json.dumps({"pid": os.getpid(), "command": _command(), "run": waiting.run}))


def _locked(path: Path, held: ExitStack) -> bool:
    """Take the lock of that name if nobody has it; `held` lets go of it."""
    descriptor = _open(path)
    lock = Lock(path, descriptor)
    if lock.take() and _is_at(path, descriptor):
        held.callback(os.close, descriptor)
        held.callback(lock.release)
        return True
    lock.release()
    os.close(descriptor)
    return False


def _wait(path: Path, name: str, held: ExitStack, write: Callable[[str], None], waiting: Waiting) -> None:
    """Wait for the lock; only time that others hold it counts, not a worker of this very run."""
    told, last = "", time.monotonic()
    started = last
    while True:
        holder = _holder(path)
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
        if _locked(path, held):
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


def _holder(path: Path) -> dict[str, object]:
    """Who has the lock, as far as is known: each user's note, written right after taking it; the newest counts."""
    with suppress(OSError, ValueError):
        notes = sorted(path.parent.glob(f"{path.stem}.*.holder"), key=lambda note: note.stat().st_mtime_ns)
        found = json.loads(notes[-1].read_text(encoding="utf-8")) if notes else {}
        return found if isinstance(found, dict) else {}
    return {}


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
