"""Child side of the worker: reads requests, calls handlers, answers. Shared by all backends' worker modules."""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import threading
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
    requests, answers, lifeline = map(int, sys.argv[1:4])
    for pipe in (requests, answers, lifeline):
        os.set_inheritable(pipe, False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    threading.Thread(target=_end_with_parent, args=(lifeline,), daemon=True).start()
    _write(answers, json.dumps({"id": 0}))
    for line in os.fdopen(requests, "rb"):
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
        _write(answers, json.dumps({"id": number, **answer}))


def limit_stderr() -> None:
    """A kernel that prints without end must not fill the disk: writes beyond the limit fail."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (_STDERR_LIMIT_BYTES, _STDERR_LIMIT_BYTES))


def _walk(steps: Steps, answers: int) -> Answer:
    """Take all steps; an empty line tells the parent that one is done."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            answer: Answer = end.value
            return answer
        _write(answers, "")


def _end_with_parent(lifeline: int) -> None:
    """Nothing is ever written to it: reading ends when the parent has gone, even while a kernel runs without end."""
    os.read(lifeline, 1)
    os.killpg(0, signal.SIGKILL)


def _write(pipe: int, line: str) -> None:
    data = line.encode() + b"\n"
    try:
        while data:
            data = data[os.write(pipe, data) :]
    except BrokenPipeError:
        os._exit(0)
