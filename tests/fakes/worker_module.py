"""A child of backends.worker that does what a test tells it to."""

from __future__ import annotations

import ctypes
import os
import time
from contextlib import suppress

from pytest_ascend_tune.backends.worker_child import serve
from pytest_ascend_tune.model import errors

KINDS = {kind.kind.value: kind for kind in errors.TrialError.__subclasses__()}


def fail(kind: str, message: str):
    raise KINDS[kind](message)


def fork_sleeper():
    pid = os.fork()
    if pid == 0:
        time.sleep(600)
        os._exit(0)
    return {"pid": pid}


def write_everywhere(text: str):
    for descriptor in map(int, os.listdir("/proc/self/fd")):
        if descriptor > 2:
            with suppress(OSError):
                os.write(descriptor, text.encode())
    return {}


def spin():
    ctypes.CDLL(None).pause()  # in C code, like a kernel that does not end


def sleep(seconds: float):
    time.sleep(seconds)
    return {}


def steps(seconds: list[float]):
    for one in seconds:
        time.sleep(one)
        yield
    return {"steps": len(seconds)}


def die(number: int):
    os.kill(os.getpid(), number)
    time.sleep(10)


if __name__ == "__main__":
    serve(
        {
            "echo": lambda value: {"value": value},
            "pid": lambda: {"pid": os.getpid()},
            "fail": fail,
            "fork_sleeper": fork_sleeper,
            "spin": spin,
            "write_everywhere": write_everywhere,
            "nan": lambda: {"us": float("nan")},
            "sleep": sleep,
            "steps": steps,
            "die": die,
        }
    )
