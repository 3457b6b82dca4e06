"""Locks between processes: the system's own on a file, and on file systems that have none a lease beside the file.

The system frees its locks when their holder dies. A lease (``NAME.lease``, by filelock) holds a host token, process id,
start time of the process and a heartbeat: it is taken over from a dead process of the same host at once, and from
another host after 60 s without a beat.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_ascend_tune.model.errors import RecordError

if TYPE_CHECKING:
    from filelock import SoftFileLease  # start-up: needed by few

LEASE_S = 60.0  # without a beat, which comes every third of it
_NO_LOCKS = frozenset((errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL))


class Lock:
    """The lock of the open file `path`. Closing the descriptor, or the end of the process, frees it as well."""

    def __init__(self, path: Path, descriptor: int, *, error: type[RecordError] = RecordError) -> None:
        self._path, self._descriptor, self._error = path, descriptor, error
        self._lease: SoftFileLease | None = None

    def take(self) -> bool:
        """Take it if nobody has it. Raises `error` where neither locks nor leases can be had."""
        try:
            if self._lease is None:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return True
        except BlockingIOError:
            return False
        except OSError as cause:
            if cause.errno not in _NO_LOCKS:
                raise self._refusal(cause) from cause
        return self._take_lease()

    @property
    def patience_s(self) -> float:
        """What to wait longer than for a lock that the system frees: until a dead holder's lease has run out."""
        return 0.0 if self._lease is None else 1.5 * LEASE_S

    def release(self) -> None:
        """Let others at it; for a lease, which no closed descriptor frees. May be called twice."""
        if self._lease is not None:
            self._lease.release()

    def _take_lease(self) -> bool:
        from filelock import SoftFileLease, Timeout  # start-up: needed by few

        if self._lease is None:
            self._lease = SoftFileLease(f"{self._path}.lease", lease_duration=LEASE_S, thread_local=False)
        try:
            self._lease.acquire(timeout=0)
        except Timeout:
            return False
        except (OSError, ValueError, RuntimeError) as cause:
            raise self._refusal(cause) from cause
        return True

    def _refusal(self, cause: Exception) -> RecordError:
        reason = getattr(cause, "strerror", None) or cause
        return self._error(
            f"{self._path}: cannot be locked ({reason}), so two runs could write at once; let --ascend-tune-dir, and"
            " TMPDIR, name a folder on a local disk"
        )


@contextlib.contextmanager
def locked(path: Path, *, timeout_s: float = 10.0, error: type[RecordError] = RecordError) -> Iterator[None]:
    """Hold the lock file `path` against other processes and threads.

    Raises `error` when another holder keeps it for longer than `timeout_s` (a lease: than it could outlive its holder).
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
    except OSError as cause:
        raise error(f"{path}: the lock file cannot be made ({cause.strerror or cause})") from cause
    lock = Lock(path, descriptor, error=error)
    try:
        started = time.monotonic()
        while not lock.take():
            waited_s = time.monotonic() - started
            if waited_s >= timeout_s + lock.patience_s:
                raise error(
                    f"{path}: another process has held this lock for {waited_s:.0f} s; let it end and try again"
                )
            time.sleep(0.02)
        yield
    finally:
        lock.release()
        os.close(descriptor)
