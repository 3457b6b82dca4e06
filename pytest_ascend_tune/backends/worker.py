"""Parent side of a killable child process that loads and runs kernels: crash, hang and poison end the child, not us.

One child (``child``) serves, a spare one is kept warm, so that a crash costs no start-up time.
"""

from __future__ import annotations

import itertools
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from pytest_ascend_tune.backends.child import Child, ForgedAnswerError
from pytest_ascend_tune.backends.toolchain import signal_name
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

START_ATTEMPTS = 3  # when it is killed from outside (by the system, short of memory) while it starts

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
        self._child: Child | None = None
        self._spare: Child | None = None
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
        except ForgedAnswerError:
            self.discard()
            raise KernelCrashError(
                "the kernel wrote to a descriptor that is not its own; its process was stopped, and no answer believed"
            ) from None
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

    def _start(self) -> Child:
        return Child(self._module, self._environment)

    def _warm_spare(self) -> None:
        """Start it, without waiting for it; a system that cannot give one more process does without."""
        if self._keep_spare and self._spare is None:
            with suppress(OSError):
                self._spare = self._start()

    def _ready_child(self) -> Child:
        if self._closed:
            raise AscendTuneError("this backend is closed; create a new one")
        if self._child is not None and not self._child.is_alive():  # killed from outside between two requests
            self.discard()
        for attempts_left in reversed(range(START_ATTEMPTS)):
            if self._child is not None:
                break
            child, self._spare = self._spare or self._start(), None
            if not child.is_alive():
                child.kill()
                child = self._start()
            try:
                child.wait_ready()
            except (EOFError, TimeoutError, ForgedAnswerError) as error:
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
