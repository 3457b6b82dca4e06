"""A command with everything that it starts: ended as a whole, also when this process is killed (see ``supervisor``)."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from pytest_ascend_tune.backends import cgroup

KEEP_BYTES = 1 << 18  # of the head and of the tail of what a command prints
_END_TIMEOUT_S = 10.0
_MARK = "ASCEND_TUNE_SUPERVISED"  # in the environment of all that belongs to one command
_SUPERVISOR = str(Path(__file__).with_name("supervisor.py"))
_NOWHERE = subprocess.DEVNULL


class Supervised:
    """One running command. Use it from one thread.

    `inherited`: descriptors that it gets. `keep`: which of its streams are kept and written at its end (``stdout``,
    ``stderr``, or ``both`` as one), head and tail, to the file given for it; a stream that is not kept goes there as
    it is. Raises OSError when there can be no more processes.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        stdin: int | IO[bytes] = _NOWHERE,
        stdout: int | IO[bytes] = _NOWHERE,
        stderr: int | IO[bytes] = _NOWHERE,
        keep: Sequence[str] = (),
        inherited: Sequence[int] = (),
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        lifeline_read, self._lifeline = os.pipe()  # never written to; it closes when we are gone
        self._status, status_write = os.pipe()
        self._said, self._mark, self._ended = b"", secrets.token_hex(16), False
        self._cgroup = cgroup.make(f"ascend-tune-{self._mark}")
        settings = {
            "cgroup": None if self._cgroup is None else str(self._cgroup),
            "lifeline": lifeline_read,
            "status": status_write,
            "inherited": list(inherited),
            "keep": {name: 2 if name == "stderr" else 1 for name in keep},
            "keep_bytes": KEEP_BYTES,
        }
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", _SUPERVISOR, json.dumps(settings), *command],
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                pass_fds=(lifeline_read, status_write, *inherited),
                start_new_session=True,  # Ctrl-C reaches only us
                cwd=cwd,
                env={**(os.environ if env is None else env), _MARK: self._mark},
            )
        except BaseException:
            os.close(self._lifeline)
            os.close(self._status)
            if self._cgroup is not None:
                cgroup.end(self._cgroup)
            raise
        finally:
            os.close(lifeline_read)
            os.close(status_write)

    @property
    def pid(self) -> int:
        """Process id of the command (of its supervisor, when that ended before it had begun)."""
        return self._word("pid") or self._process.pid

    @property
    def errno(self) -> int | None:
        """Why the command could not be started, once it has ended."""
        return self._word("errno")

    def is_alive(self) -> bool:
        """Whether the command itself still runs; its supervisor needs a moment to see its end."""
        try:
            state = Path(f"/proc/{self.pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
        except OSError:
            return False
        return state not in (b"Z", b"X") and not self.has_ended()

    def has_ended(self) -> bool:
        """Whether it is gone, with all that it started; leaves it to be reaped."""
        try:
            return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:
            return True

    def wait(self, timeout_s: float) -> int:
        """Exit code of the command, negative for a signal. Raises subprocess.TimeoutExpired."""
        return self._process.wait(timeout_s)

    def end(self) -> int | None:
        """Kill what is left of it; its exit code, or what it was killed with. May be called twice."""
        if self._ended:
            return self._process.returncode
        self._ended = True
        os.close(self._lifeline)
        try:
            self._process.wait(_END_TIMEOUT_S)
        except subprocess.TimeoutExpired:  # something hangs in a driver
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        os.set_blocking(self._status, False)
        with suppress(BlockingIOError):
            while self._listen():
                pass
        if self._process.returncode != 0 and b"done\n" not in self._said:
            _sweep(self._mark)  # the supervisor itself was killed
        if self._cgroup is not None:
            cgroup.end(self._cgroup)
        os.close(self._status)
        return self._process.returncode

    def abandon(self) -> None:
        """In a fork: let go of the descriptors and leave the command alone."""
        if not self._ended:
            self._ended = True
            os.close(self._lifeline)
            os.close(self._status)

    def _word(self, name: str) -> int | None:
        while not self._ended and b"\n" not in self._said and self._listen():
            pass
        for line in self._said.decode().splitlines():
            if line.startswith(f"{name} "):
                return int(line.partition(" ")[2])
        return None

    def _listen(self) -> bool:
        data = os.read(self._status, 4096)
        self._said += data
        return bool(data)


def _sweep(mark: str) -> None:
    """Kill all processes that carry the mark, until there is none: a supervisor that was killed could not."""
    needle = f"{_MARK}={mark}".encode()
    deadline = time.monotonic() + _END_TIMEOUT_S
    found = True
    while found and time.monotonic() < deadline:
        found = False
        for path in Path("/proc").glob("[0-9]*/environ"):
            with suppress(OSError):
                if needle in path.read_bytes().split(b"\0"):
                    found = True
                    os.kill(int(path.parent.name), signal.SIGKILL)


def run(
    command: Sequence[str], *, timeout_s: float, stdout: IO[bytes], keep: Sequence[str], **options: Any
) -> Supervised:
    """Let a command run to its end. Raises subprocess.TimeoutExpired; whatever is raised, nothing of it is left."""
    supervised = Supervised(command, stdout=stdout, keep=keep, **options)
    try:
        supervised.wait(timeout_s)
    finally:
        supervised.end()
    return supervised
