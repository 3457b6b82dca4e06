"""Write files so that a reader, a second writer or a power cut never meets half of one."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
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
        if is_leftover(leftover.name) and leftover.is_file() and not leftover.is_symlink():
            with contextlib.suppress(OSError):
                leftover.unlink()


def is_leftover(name: str) -> bool:
    """Whether a file of this name is what a killed writer of ours left."""
    return _TEMPORARY.fullmatch(name) is not None


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
