"""Child side of the worker: reads requests, calls handlers, answers. Shared by all backends' worker modules."""

from __future__ import annotations

import fcntl
import json
import os
import resource
import secrets
import signal
import sys
import traceback
from collections.abc import Callable, Generator, Mapping
from typing import Any

from pytest_ascend_tune.model.errors import TrialError
from pytest_ascend_tune.model.word import FailureKind

Answer = Mapping[str, Any]
Steps = Generator[None, None, Answer]
Handler = Callable[..., Answer | Steps]
_STDERR_LIMIT_BYTES = 64 << 20


def serve(handlers: Mapping[str, Handler]) -> None:
    """Answer requests until the parent is gone. Call it when everything slow is imported: it reports readiness.

    A request's ``action`` names the handler; its other fields are the handler's keyword arguments. A TrialError becomes
    the answer ``{"error": kind, "message": ...}``, MemoryError is out of memory, any other exception a traceback. A
    handler that takes several steps, each with a time limit of its own, is a generator that yields between them.
    """
    requests, pipe = (_moved(int(number)) for number in sys.argv[1:3])
    lines = os.fdopen(requests, "rb")
    answers = Answers(pipe, lines.readline().strip())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answers.write({"id": 0})
    for line in lines:
        request = json.loads(line)
        number, action = request.pop("id"), request.pop("action")
        answer: dict[str, Any] = {}
        try:
            result = handlers[action](**request)
            answer.update(_walk(result, answers) if isinstance(result, Generator) else result)
        except TrialError as error:
            answer = {"error": error.kind.value, "message": str(error)}
        except MemoryError as error:
            answer = {"error": FailureKind.OUT_OF_MEMORY.value, "message": f"not enough memory: {error}"}
        except Exception:
            answer = {"error": "internal", "message": traceback.format_exc()}
        answers.write({"id": number, **answer})


def limit_stderr() -> None:
    """A kernel that prints without end must not fill the disk: writes beyond the limit fail."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (_STDERR_LIMIT_BYTES, _STDERR_LIMIT_BYTES))


class Answers:
    """The pipe to the parent. Every line begins with the token: a kernel that finds the pipe does not know it."""

    def __init__(self, pipe: int, token: bytes) -> None:
        self._pipe, self._token = pipe, token

    def write(self, answer: Answer) -> None:
        """Answer a request."""
        self._write(self._token + b" " + json.dumps(answer).encode() + b"\n")

    def step(self) -> None:
        """Tell that a step of the request is done."""
        self._write(self._token + b"\n")

    def _write(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self._pipe, data) :]
        except OSError:  # the parent has gone, or a kernel has closed the pipe
            os._exit(0)


def _moved(descriptor: int) -> int:
    """The same pipe by a number that a kernel does not come upon, and that its children do not inherit."""
    most = min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], 1 << 16)
    lowest = secrets.randbelow(max(most // 2, 1)) + most // 4
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, lowest)
    os.close(descriptor)
    return moved


def _walk(steps: Steps, answers: Answers) -> Answer:
    """Take all steps."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            answer: Answer = end.value
            return answer
        answers.step()
