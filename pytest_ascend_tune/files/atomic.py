"""Write files so that a reader, a second writer or a power cut never meets half of one; locks between processes."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import secrets
import time
from collections.abc import Iterator
from pathlib import Path

from pytest_ascend_tune.model.door import switch
from pytest_ascend_tune.model.errors import RecordError

TEMPORARY_SUFFIX = ".tmp"
_TEMPORARY = re.compile(r"\..{1,40}\.\d+-[0-9a-f]+\.tmp", re.DOTALL)  # the names that write_bytes gives


def write_text(path: Path, text: str, *, error: type[RecordError] = RecordError) -> Path:
    """As :func:`write_bytes`, in UTF-8, line ends as they are; what UTF-8 cannot hold (lone surrogates) is escaped."""
    return write_bytes(path, text.encode("utf-8", "backslashreplace"), error=error)


def write_bytes(path: Path, data: bytes, *, error: type[RecordError] = RecordError) -> Path:
    """Replace `path` by `data`: a temporary file beside it, synced, then renamed; makes its folder.

    Raises `error`; whatever was at `path` before is then still there, whole.
    """
    temporary = path.with_name(f".{path.name[:40]}.{os.getpid()}-{secrets.token_hex(4)}{TEMPORARY_SUFFIX}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with open(temporary, "xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise
        sync_directory(path.parent)
    except OSError as cause:
        raise error(f"{path}: cannot be written ({cause.strerror or cause}); what was there is unchanged") from cause
    return path


def sync_directory(folder: Path) -> None:
    """Make a rename in `folder` survive a power cut, where the file system offers that."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove_leftovers(folder: Path) -> None:
    """Delete temporary files of writers that were killed. Call only while holding the lock that such writers hold."""
    for leftover in folder.glob(f".*{TEMPORARY_SUFFIX}"):
        if _TEMPORARY.fullmatch(leftover.name) and leftover.is_file() and not leftover.is_symlink():
            with contextlib.suppress(OSError):
                leftover.unlink()


def check_writable(folder: Path, *, error: type[RecordError] = RecordError) -> None:
    """Raise `error` unless files can be made in `folder`; tried for real, because permission bits do not tell all."""
    probe = folder / f".probe.{os.getpid()}-{secrets.token_hex(4)}{TEMPORARY_SUFFIX}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.touch(exist_ok=False)
        probe.unlink()
    except OSError as cause:
        raise error(
            f"{folder}: not writable ({cause.strerror or cause}); make it writable or name another directory"
            f" with {switch('dir')}"
        ) from cause


@contextlib.contextmanager
def locked(path: Path, *, timeout_s: float = 10.0, error: type[RecordError] = RecordError) -> Iterator[None]:
    """Hold the lock file `path` against other processes and threads; the system frees it when its holder dies.

    Raises `error` when another holder keeps it for longer than `timeout_s`.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
    except OSError as cause:
        raise error(f"{path}: the lock file cannot be made ({cause.strerror or cause})") from cause
    try:
        deadline = time.monotonic() + timeout_s
        while not try_lock(descriptor):
            if time.monotonic() >= deadline:
                raise error(f"{path}: another process has held this lock for {timeout_s:g} s; let it end and try again")
            time.sleep(0.02)
        yield
    finally:
        os.close(descriptor)


def try_lock(descriptor: int) -> bool:
    """Take the lock on an open file if nobody has it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
