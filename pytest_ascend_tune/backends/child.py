"""One child process that loads and runs kernels, from its parent's side.

It is a fresh interpreter that runs one module (never a fork: no threads, locks or pools are inherited; never
multiprocessing: the user's main script is not imported again). Requests and answers are JSON lines on two private
pipes, so whatever a kernel prints goes elsewhere. Each answer carries a token that the child got as its first line and
that no kernel is told: what one writes to descriptors that are not its own is seen, and never believed. Supervised:
everything that the child started ends with it, and it ends with its parent, however that died; Ctrl-C reaches only the
parent.
"""

from __future__ import annotations

import json
import os
import secrets
import select
import sys
import tempfile
import time
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, NoReturn

from pytest_ascend_tune.backends.supervised import Supervised
from pytest_ascend_tune.backends.toolchain import tail

START_TIMEOUT_S = 120.0
_POLL_S = 0.05
_STDERR_TAIL_BYTES = 16384
_LONGEST_ANSWER_BYTES = 16 << 20

# The child finds what the parent finds, whatever made the parent's sys.path; but first what every interpreter finds, or
# a user's test folder with a json.py in it would stop the child.
_BOOTSTRAP = (
    "import sys; sys.path[:] = [path for path in sys.path if path]; import json, runpy; "
    "sys.path += [path for path in json.loads(sys.argv.pop(1)) if path not in sys.path]; "
    "runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
)
# Coverage and debuggers would slow the child down in the timed region.
_DROPPED_ENVIRONMENT = ("COV_CORE_", "COVERAGE_PROCESS_START", "PYTHONBREAKPOINT")


class ForgedAnswerError(Exception):
    """Something else than the child's own answers came over its pipe."""


class Child:
    """One child process with its two pipes."""

    def __init__(self, module: str, environment: Mapping[str, str]) -> None:
        request_read, self._request = os.pipe()
        self._answers, answer_write = os.pipe()
        pipes, inherited_pipes = (self._request, self._answers), (request_read, answer_write)
        self._stderr: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the child
        self._buffer = b""
        self._ready = False
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(_DROPPED_ENVIRONMENT)}
        search_path = json.dumps([path or os.getcwd() for path in sys.path if Path(path or ".").exists()])
        try:
            self._process = Supervised(
                [sys.executable, "-c", _BOOTSTRAP, search_path, module, *map(str, inherited_pipes)],
                stderr=self._stderr,
                inherited=inherited_pipes,
                env={**inherited, **environment},
            )
            self._token = secrets.token_hex(16)
            os.write(self._request, self._token.encode() + b"\n")
        except BaseException:
            _close(pipes, self._stderr)
            raise
        finally:
            for pipe in inherited_pipes:
                os.close(pipe)
        self._poll = select.poll()
        self._poll.register(self._answers, select.POLLIN | select.POLLHUP)
        # For a backend that nobody closed: no zombie, no warning.
        self._end = weakref.finalize(self, _end, self._process, pipes, self._stderr, os.getpid())
        self._stderr_start = 0

    @property
    def pid(self) -> int:
        """Of the process that runs kernels."""
        return self._process.pid

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
        """The answer to request `number`; late answers to interrupted requests are dropped. EOFError, TimeoutError.

        Raises ForgedAnswerError for whatever is no answer of the child.
        """
        deadline = time.monotonic() + timeout_s
        while True:
            line = self._line(deadline)
            if line == self._token:  # a step is done
                deadline = time.monotonic() + then_s
                continue
            answer = _parsed(line, self._token)
            if answer["id"] == number:
                return answer

    def _line(self, deadline: float) -> str:
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
                if len(self._buffer) > _LONGEST_ANSWER_BYTES:
                    raise ForgedAnswerError
            elif self.has_ended():
                raise EOFError
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line.decode(errors="replace")

    def is_alive(self) -> bool:
        """Whether it can serve."""
        return self._process.is_alive()

    def has_ended(self) -> bool:
        """Whether it is gone, with all that it started."""
        return self._process.has_ended()

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
        return (self._process.end() if ended else None), last_words

    def last_words(self) -> str:
        """The end of what it wrote to standard error since the last request."""
        size = self._stderr_size()
        start = max(self._stderr_start, size - _STDERR_TAIL_BYTES)
        return tail(os.pread(self._stderr.fileno(), size - start, start).decode(errors="replace"))

    def _stderr_size(self) -> int:
        return os.fstat(self._stderr.fileno()).st_size


def _parsed(line: str, token: str) -> dict[str, Any]:
    mark, _, text = line.partition(" ")
    try:
        answer = json.loads(text, parse_constant=_refuse) if mark == token else None
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict) or type(answer.get("id")) is not int:
        raise ForgedAnswerError
    if "error" in answer and not (isinstance(answer["error"], str) and isinstance(answer.get("message"), str)):
        raise ForgedAnswerError
    return answer


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def _end(process: Supervised, pipes: tuple[int, ...], stderr: IO[bytes], owner_pid: int) -> None:
    if os.getpid() == owner_pid:
        process.end()
    else:  # a fork of the owner that exits must leave the child alone
        process.abandon()
    _close(pipes, stderr)


def _close(pipes: tuple[int, ...], stderr: IO[bytes]) -> None:
    for pipe in pipes:
        os.close(pipe)
    stderr.close()
