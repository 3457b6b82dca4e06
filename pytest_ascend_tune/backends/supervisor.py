"""Runs one command and answers for everything that it starts: when it ends, or whoever asked for it, nothing is left.

A script of its own, on the standard library alone (``supervised`` starts it): SETTINGS COMMAND ... It is a subreaper,
so that what the command starts stays below it, in whatever session; the command is killed with it (prctl(2)). It ends
as the command did. Output that it is to keep, it keeps with head and tail only, however much there is.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import select
import signal
import sys
import time
from contextlib import suppress

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36  # <linux/prctl.h>
_KILL_TIMEOUT_S = 5.0  # what hangs in a driver cannot be killed, nor waited for


class Output:
    """One stream of the command: its head and its tail, at most `limit` bytes each."""

    def __init__(self, sink: int, limit: int) -> None:
        self.read, self.write = os.pipe()
        os.set_blocking(self.read, False)
        self._sink, self._limit = sink, limit
        self._head, self._tail, self._size = b"", b"", 0

    def take(self) -> bool:
        """Read what there is; False when nobody writes any more, or nothing is there."""
        try:
            data = os.read(self.read, 1 << 16)
        except BlockingIOError:
            return False
        self._size += len(data)
        room = self._limit - len(self._head)
        self._head += data[:room]
        self._tail = (self._tail + data[room:])[-self._limit :]
        return bool(data)

    def deliver(self) -> None:
        """Write what was kept where the command's output should go."""
        while self.take():
            pass
        left_out = self._size - len(self._head) - len(self._tail)
        between = f"\n[... {left_out} bytes ...]\n".encode() if left_out else b""
        with suppress(BrokenPipeError):
            data = self._head + between + self._tail
            while data:
                data = data[os.write(self._sink, data) :]


def main() -> None:
    """Start the command, wait for it or for the end of whoever holds the lifeline, then end everything."""
    settings, command = json.loads(sys.argv[1]), sys.argv[2:]
    lifeline, status = settings["lifeline"], settings["status"]
    for pipe in (lifeline, status):
        os.set_inheritable(pipe, False)
    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1)
    ended, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    outputs = {name: Output(sink, settings["keep_bytes"]) for name, sink in settings["keep"].items()}
    pid = os.fork()
    if pid == 0:
        _enter(settings["cgroup"])
        _become(command, outputs, status, libc)
    _tell(status, f"pid {pid}")
    for inherited in settings["inherited"]:
        os.close(inherited)
    for output in outputs.values():
        os.close(output.write)
    try:
        code = _watch(pid, lifeline, ended, {output.read: output for output in outputs.values()})
    finally:
        _end_all(pid)
        _leave(settings["cgroup"])
    if code is None:
        os._exit(0)
    for output in outputs.values():
        output.deliver()
    _tell(status, "done")
    if code < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with suppress(OSError, ValueError):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(abs(code))


def _watch(pid: int, lifeline: int, ended: int, outputs: dict[int, Output]) -> int | None:
    """Exit code of the command (negative: the signal) when it has ended; None when nobody wants it any more."""
    poll = select.poll()
    for descriptor in (lifeline, ended, *outputs):
        poll.register(descriptor, select.POLLIN | select.POLLHUP)
    while True:
        ready = [descriptor for descriptor, _ in poll.poll()]
        for descriptor in sorted(ready, key=lifeline.__eq__):  # last: an end that there was counts
            if descriptor == lifeline:
                return None
            if descriptor == ended:
                os.read(ended, 4096)
                if (code := _reap(pid)) is not None:
                    return code
            elif not outputs[descriptor].take():
                poll.unregister(descriptor)


def _become(command: list[str], outputs: dict[str, Output], status: int, libc: ctypes.CDLL) -> None:
    """In the child: be the command."""
    try:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()  # a signal to its own group must not reach its supervisor
        for name, descriptor in (("stdout", 1), ("stderr", 2)):
            if name in outputs or "both" in outputs:
                os.dup2(outputs.get(name, outputs.get("both")).write, descriptor)  # type: ignore[union-attr]
        os.execvp(command[0], command)
    except OSError as error:
        _tell(status, f"errno {error.errno}")
    finally:
        os._exit(127)


def _tell(status: int, line: str) -> None:
    with suppress(BrokenPipeError):  # whoever asked is gone: the lifeline says so, too
        os.write(status, line.encode() + b"\n")


def _enter(cgroup: str | None) -> None:
    if cgroup is not None:
        with suppress(OSError), open(f"{cgroup}/cgroup.procs", "w") as file:
            file.write("0")


def _leave(cgroup: str | None) -> None:
    """Kill what is in it, should something be, and remove it, should its maker be gone."""
    if cgroup is not None:
        with suppress(OSError), open(f"{cgroup}/cgroup.kill", "w") as file:
            file.write("1")
        with suppress(OSError):
            os.rmdir(cgroup)


def _reap(pid: int) -> int | None:
    """Take leave of all that have ended; the exit code of `pid` (negative: the signal), None while it lives."""
    code = None
    with suppress(ChildProcessError):
        while (gone := os.waitpid(-1, os.WNOHANG)) != (0, 0):
            if gone[0] == pid:
                code = os.waitstatus_to_exitcode(gone[1])
    return code


def _end_all(pid: int) -> None:
    """Kill every process below this one: whose parent dies becomes our own child, until there is none."""
    deadline = time.monotonic() + _KILL_TIMEOUT_S
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    while time.monotonic() < deadline:
        try:
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass
        except ChildProcessError:
            return
        for child in _children():
            with suppress(ProcessLookupError, PermissionError):
                os.kill(child, signal.SIGKILL)  # not reaped yet: the number is still its own
        time.sleep(0.001)


def _children() -> list[int]:
    own, found = os.getpid(), []
    for name in os.listdir("/proc"):
        if name.isdigit():
            with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
                if int(file.read().rpartition(b")")[2].split()[1]) == own:
                    found.append(int(name))
    return found


if __name__ == "__main__":
    main()
