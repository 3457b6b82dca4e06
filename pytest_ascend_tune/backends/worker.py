"""Parent side of a killable child process that loads and runs kernels: crash, hang and poison end the child, not us.

The child is a fresh interpreter that runs one module (never a fork: no threads, locks or pools are inherited; never
multiprocessing: the user's main script is not imported again). Requests and answers are JSON lines on two private
pipes (an empty line: a step of the request is done), so whatever a kernel prints goes elsewhere. The child leads its
own session: Ctrl-C reaches only the parent, who decides, and one kill takes everything that the child started. It ends
itself when the parent's end of the pipe closes, however the parent died. A spare child is kept warm, so that a crash
costs no start-up time.
"""

from __future__ import annotations

import itertools
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
import weakref
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from pytest_ascend_tune.backends.toolchain import kill_group, signal_name, tail
from pytest_ascend_tune.model import errors
from pytest_ascend_tune.model.errors import (
    AscendTuneError,
    BackendUnavailableError,
    KernelCrashError,
    KernelTimeoutError,
    OutOfMemoryError,
    TrialError,
)
from pytest_ascend_tune.model.word import FailureKind

START_TIMEOUT_S = 120.0
START_ATTEMPTS = 3  # when it is killed from outside (by the system, short of memory) while it starts
_POLL_S = 0.05
_STDERR_TAIL_BYTES = 16384

# The child finds what the parent finds, whatever made the parent's sys.path; but first what every interpreter finds, or
# a user's test folder with a json.py in it would stop the child.
_BOOTSTRAP = (
    "import sys; sys.path[:] = [path for path in sys.path if path]; import json, runpy; "
    "sys.path += [path for path in json.loads(sys.argv.pop(1)) if path not in sys.path]; "
    "runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
)
# Coverage and debuggers would slow the child down in the timed region.
_DROPPED_ENVIRONMENT = ("COV_CORE_", "COVERAGE_PROCESS_START", "PYTHONBREAKPOINT")

_BY_KIND: dict[str, type[TrialError]] = {
    FailureKind.BUILD_ERROR.value: errors.BuildError,
    FailureKind.BUILD_TIMEOUT.value: errors.BuildTimeoutError,
    FailureKind.CRASH.value: KernelCrashError,
    FailureKind.TIMEOUT.value: KernelTimeoutError,
    FailureKind.WRONG_RESULT.value: errors.WrongResultError,
    FailureKind.OUT_OF_MEMORY.value: OutOfMemoryError,
}


class Worker:
    """Runs requests in a child process that may die at any of them.

    `module` is run as ``__main__`` in the child and must call ``worker_child.serve``. ``generation`` counts the
    children that have gone: whoever keeps state in the child compares it. Requests come from one thread.
    """

    def __init__(self, module: str, *, environment: Mapping[str, str] | None = None, keep_spare: bool = True) -> None:
        self._module = module
        self._environment = dict(environment or {})
        self._keep_spare = keep_spare
        self._child: _Child | None = None
        self._spare: _Child | None = None
        self._ids = itertools.count(1)
        self._closed = False
        self.generation = 0

    @property
    def pid(self) -> int | None:
        """Process id of the child that serves now, None before the first request."""
        return self._child.pid if self._child is not None else None

    def children(self) -> tuple[int, ...]:
        """Process ids of the living children, the spare included."""
        return tuple(child.pid for child in (self._child, self._spare) if child is not None)

    def request(
        self, action: str, *, timeout_s: float, then_s: float | None = None, **arguments: Any
    ) -> dict[str, Any]:
        """Let the child do `action`; returns its answer.

        `timeout_s` is the limit of the action, or of its first step when it has several; `then_s` that of each later
        step (the same when not given).
        Raises what the child raised when that is a TrialError; KernelCrashError or OutOfMemoryError when the child
        died; KernelTimeoutError when it did not answer in time (it is killed then). The next request gets a new child.
        """
        child = self._ready_child()
        number = next(self._ids)
        try:
            child.send({"id": number, "action": action, **arguments})
            answer = child.answer(number, timeout_s, timeout_s if then_s is None else then_s)
        except TimeoutError:
            self.discard()
            raise KernelTimeoutError(
                f"the kernel did not end within {timeout_s:.3g} s; its process was stopped"
            ) from None
        except EOFError:
            raise self._bury() from None
        self._warm_spare()
        if "error" not in answer:
            return answer
        kind = _BY_KIND.get(answer["error"])
        if kind is None:
            raise AscendTuneError(f"the worker process failed in {action!r}:\n{answer['message']}")
        raise kind(answer["message"])

    def discard(self) -> None:
        """Kill the child; the next request gets a new one. For a child that a bad kernel may have poisoned."""
        if self._child is not None:
            self._child.kill()
            self._child = None
            self.generation += 1

    def close(self) -> None:
        """End the children. May be called twice."""
        self._closed = True
        self.discard()
        if self._spare is not None:
            self._spare.kill()
            self._spare = None

    def _start(self) -> _Child:
        return _Child(self._module, self._environment)

    def _warm_spare(self) -> None:
        """Start it, without waiting for it; a system that cannot give one more process does without."""
        if self._keep_spare and self._spare is None:
            with suppress(OSError):
                self._spare = self._start()

    def _ready_child(self) -> _Child:
        if self._closed:
            raise AscendTuneError("this backend is closed; create a new one")
        if self._child is not None and self._child.has_ended():  # killed from outside between two requests
            self.discard()
        for attempts_left in reversed(range(START_ATTEMPTS)):
            if self._child is not None:
                break
            child, self._spare = self._spare or self._start(), None
            if child.has_ended():
                child.kill()
                child = self._start()
            try:
                child.wait_ready()
            except (EOFError, TimeoutError) as error:
                returncode, last_words = child.bury(grace_s=1.0)
                if returncode == -signal.SIGKILL and attempts_left:
                    continue
                raise BackendUnavailableError(
                    f"the worker process ({sys.executable} running {self._module}) does not start\n{last_words}"
                ) from error
            self._child = child
        assert self._child is not None
        return self._child

    def _bury(self) -> TrialError:
        """The error that tells how the child died."""
        child, self._child = self._child, None
        assert child is not None
        self.generation += 1
        returncode, last_words = child.bury(grace_s=1.0)
        self._warm_spare()
        if "bad_alloc" in last_words:
            return OutOfMemoryError(f"the kernel ran out of memory\n{last_words}")
        if returncode is None:
            how = "the kernel broke the connection to its process"
        elif returncode >= 0:
            how = f"the kernel ended its process with exit code {returncode}"
        else:
            how = f"the kernel's process was ended by {signal_name(-returncode)}{_HINTS.get(-returncode, '')}"
        return KernelCrashError(f"{how}\n{last_words}".strip())


_HINTS: dict[int, str] = {
    signal.SIGSEGV: ": it touched memory that is not its own (beyond the end of an operand?) or overflowed its stack",
    signal.SIGKILL: ": from outside, or by the system (out of memory?)",
    signal.SIGILL: ": the CPU does not have the instruction, or a trap",
}


class _Child:
    """One child process with its two pipes."""

    def __init__(self, module: str, environment: Mapping[str, str]) -> None:
        request_read, self._request = os.pipe()
        self._answers, answer_write = os.pipe()
        lifeline_read, lifeline = os.pipe()  # never written to; it closes when we are gone
        pipes = (self._request, self._answers, lifeline)
        inherited_pipes = (request_read, answer_write, lifeline_read)
        self._stderr: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the child
        self._buffer = b""
        self._ready = False
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(_DROPPED_ENVIRONMENT)}
        search_path = json.dumps([path or os.getcwd() for path in sys.path if Path(path or ".").exists()])
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _BOOTSTRAP, search_path, module, *map(str, inherited_pipes)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._stderr,
                pass_fds=inherited_pipes,
                start_new_session=True,
                env={**inherited, **environment},
            )
        except BaseException:
            _close(pipes, self._stderr)
            raise
        finally:
            for pipe in inherited_pipes:
                os.close(pipe)
        self.pid = self._process.pid
        self._poll = select.poll()
        self._poll.register(self._answers, select.POLLIN | select.POLLHUP)
        # For a backend that nobody closed: no zombie, no warning.
        self._end = weakref.finalize(self, _end, self._process, pipes, self._stderr, os.getpid())
        self._stderr_start = 0

    def send(self, message: Mapping[str, Any]) -> None:
        """Write one request. Raises EOFError when nobody reads it any more."""
        self._stderr_start = self._stderr_size()
        try:
            os.write(self._request, json.dumps(message).encode() + b"\n")
        except BrokenPipeError:
            raise EOFError from None

    def wait_ready(self) -> None:
        """Wait until the child's imports are done."""
        if not self._ready:
            self.answer(0, START_TIMEOUT_S, START_TIMEOUT_S)
            self._ready = True

    def answer(self, number: int, timeout_s: float, then_s: float) -> dict[str, Any]:
        """The answer to request `number`; late answers to interrupted requests are dropped. EOFError, TimeoutError."""
        deadline = time.monotonic() + timeout_s
        while True:
            line = self._line(deadline)
            if not line:  # a step is done
                deadline = time.monotonic() + then_s
                continue
            answer: dict[str, Any] = json.loads(line)
            if answer["id"] == number:
                return answer

    def _line(self, deadline: float) -> bytes:
        while b"\n" not in self._buffer:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            # In slices: a process forked by a kernel may hold the pipe open after the child's death.
            if self._poll.poll(1000 * min(left, _POLL_S)):
                data = os.read(self._answers, 65536)
                if not data:
                    raise EOFError
                self._buffer += data
            elif self.has_ended():
                raise EOFError
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def has_ended(self) -> bool:
        """Whether it is gone; leaves it to be reaped, so that its process group cannot be somebody else's."""
        try:
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:
            return True

    def kill(self) -> None:
        """End it and everything it started."""
        self._end()

    def bury(self, *, grace_s: float) -> tuple[int | None, str]:
        """End a child that is dying. Returns its own exit code (None when it had to be killed) and its last words."""
        deadline = time.monotonic() + grace_s
        while not (ended := self.has_ended()) and time.monotonic() < deadline:
            time.sleep(0.001)
        last_words = self.last_words()
        self._end()
        return (self._process.returncode if ended else None), last_words

    def last_words(self) -> str:
        """The end of what it wrote to standard error since the last request."""
        size = self._stderr_size()
        start = max(self._stderr_start, size - _STDERR_TAIL_BYTES)
        return tail(os.pread(self._stderr.fileno(), size - start, start).decode(errors="replace"))

    def _stderr_size(self) -> int:
        return os.fstat(self._stderr.fileno()).st_size


def _end(process: subprocess.Popen[bytes], pipes: tuple[int, ...], stderr: IO[bytes], owner_pid: int) -> None:
    if os.getpid() == owner_pid:  # a fork of the owner that exits must leave the child alone
        kill_group(process)
    _close(pipes, stderr)


def _close(pipes: tuple[int, ...], stderr: IO[bytes]) -> None:
    for pipe in pipes:
        os.close(pipe)
    stderr.close()
