"""Runs of pytest forked from a process that has imported everything once: 100 of them cost a minute, not ten.

The zygote itself runs no test and has one thread. Each request is a line of JSON; the child is a run of pytest of its
own process group, with its output in a file. The test that asked kills it, interrupts it or waits for it.
"""

from __future__ import annotations

import itertools
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

ROOT = Path(__file__).parents[2]
TIMEOUT_S = 240.0  # of a run that takes about a second on an idle machine: one that takes longer hangs


@dataclass
class Run:
    """A forked run of pytest."""

    zygote: Zygote
    pid: int
    output: Path

    def kill(self, number: int) -> None:
        """Send a signal, unless the run has ended already."""
        if self.zygote.alive(self.pid):
            os.kill(self.pid, number)

    def wait(self) -> int:
        """Exit code, or minus the signal's number. A run that does not end is a failure of the test."""
        code = self.zygote.wait(self.pid)
        assert code is not None, f"hangs:\n{self.text()}"
        return code

    def text(self) -> str:
        return self.output.read_text(encoding="utf-8", errors="replace")


class Zygote:
    """Parent side."""

    def __init__(self) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        environment.pop("PYTEST_ADDOPTS", None)
        self._temporary = tempfile.TemporaryDirectory()  # locks of devices: other runs of these tests are not met
        environment["TMPDIR"] = self._temporary.name
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.zygote"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=environment,
        )
        self._ended: dict[int, int] = {}
        self._numbers = itertools.count(1)

    def __enter__(self) -> Zygote:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(60)
        self._process.stdout.close()
        self._temporary.cleanup()

    def start(self, folder: Path, *arguments: str, file_bytes: int | None = None) -> Run:
        """Run pytest in `folder`. `file_bytes`: no file may grow beyond (what a full disk looks like)."""
        output = folder.parent / f"{folder.name}-{next(self._numbers)}.out"
        pid = self._ask(
            start=["-p", "no:cacheprovider", *arguments], folder=str(folder), output=str(output), file_bytes=file_bytes
        )
        return Run(self, pid, output)

    def alive(self, pid: int) -> bool:
        return self._ended.get(pid) is None and self._poll(pid) is None

    def wait(self, pid: int) -> int | None:
        deadline = time.monotonic() + TIMEOUT_S
        while time.monotonic() < deadline:
            if not self.alive(pid):
                return self._ended[pid]
            time.sleep(0.01)
        os.kill(pid, signal.SIGKILL)
        return None

    def _poll(self, pid: int) -> int | None:
        code: int | None = self._ask(poll=pid)
        if code is not None:
            self._ended[pid] = code
        return code

    def _ask(self, **request: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())


def _child(request: dict[str, Any]) -> int:
    import pytest

    descriptor = os.open(request["output"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.chdir(request["folder"])
    signal.signal(signal.SIGINT, signal.default_int_handler)
    limit = request["file_bytes"]
    if limit is None:
        os.dup2(descriptor, 1)
        os.dup2(descriptor, 2)
        return int(pytest.main(request["start"]))
    # What pytest prints is not to meet the limit: it goes through a pipe to a process without one.
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=descriptor) as cat:
        assert cat.stdin is not None
        os.dup2(cat.stdin.fileno(), 1)
        os.dup2(cat.stdin.fileno(), 2)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        code = int(pytest.main(request["start"]))
        sys.stdout.flush()
        for number in (1, 2):
            os.dup2(0, number)
        return code


def _serve() -> None:
    import tests.fakes.backend  # noqa: F401
    from pytest_ascend_tune.execute import locks as turns

    turns.MACHINE_FOLDER = Path(tempfile.gettempdir()) / "locks"
    for line in sys.stdin:
        request = json.loads(line)
        if "poll" in request:
            pid, status = os.waitpid(request["poll"], os.WNOHANG)
            print(json.dumps(os.waitstatus_to_exitcode(status) if pid else None), flush=True)
            continue
        pid = os.fork()
        if pid == 0:
            code = 70  # pytest.main itself broke
            try:
                code = _child(request)
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        print(json.dumps(pid), flush=True)


if __name__ == "__main__":
    _serve()
