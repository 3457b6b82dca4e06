"""Child side of the worker: reads requests, calls handlers, answers. Shared by all backends' worker modules."""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from queue import SimpleQueue
from typing import Any

from pytest_ascend_tune.errors import TrialError
from pytest_ascend_tune.model import FailureKind

Handler = Callable[..., Mapping[str, Any]]
_STDERR_LIMIT_BYTES = 64 << 20


def serve(handlers: Mapping[str, Handler]) -> None:
    """Answer requests until the parent is gone. Call it when everything slow is imported: it reports readiness.

    A request's ``action`` names the handler; its other fields are the handler's keyword arguments. A TrialError becomes
    the answer ``{"error": kind, "message": ...}``, MemoryError is out of memory, any other exception a traceback.
    """
    read, write = int(sys.argv[1]), int(sys.argv[2])
    for pipe in (read, write):
        os.set_inheritable(pipe, False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    requests: SimpleQueue[dict[str, Any]] = SimpleQueue()
    threading.Thread(target=_listen, args=(read, requests), daemon=True).start()
    _write(write, {"id": 0})
    while True:
        request = requests.get()
        number, action = request.pop("id"), request.pop("action")
        answer: dict[str, Any] = {}
        try:
            answer.update(handlers[action](**request))
        except TrialError as error:
            answer = {"error": error.kind.value, "message": str(error)}
        except MemoryError as error:
            answer = {"error": FailureKind.OUT_OF_MEMORY.value, "message": f"not enough memory: {error}"}
        except Exception:
            answer = {"error": "internal", "message": traceback.format_exc()}
        _write(write, {"id": number, **answer})


def limit_stderr() -> None:
    """A kernel that prints without end must not fill the disk: writes beyond the limit fail."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (_STDERR_LIMIT_BYTES, _STDERR_LIMIT_BYTES))


def _listen(pipe: int, requests: SimpleQueue[dict[str, Any]]) -> None:
    """Also notices that the parent has gone, even while a kernel runs without end; then ends this whole session."""
    with os.fdopen(pipe, "rb") as lines:
        for line in lines:
            requests.put(json.loads(line))
    os.killpg(0, signal.SIGKILL)


def _write(pipe: int, answer: Mapping[str, Any]) -> None:
    data = json.dumps(answer).encode() + b"\n"
    try:
        while data:
            data = data[os.write(pipe, data) :]
    except BrokenPipeError:
        os._exit(0)
