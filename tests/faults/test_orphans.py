"""kill -9 of the process that measures and compiles: nothing that it had started lives on."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = """
import sys, threading
from pathlib import Path
from pytest_ascend_tune.backends.toolchain import compile_to
from pytest_ascend_tune.backends.worker import Worker

print("begins", flush=True)
compiler = sys.argv[1]
threading.Thread(target=compile_to, args=([compiler], Path("out")), kwargs={"timeout_s": 600.0}, daemon=True).start()
worker = Worker("tests.fakes.worker_module")
for _ in range(5):
    worker.request("fork_sleeper", timeout_s=60)
worker.request("sleep", timeout_s=600, seconds=600)
"""
COMPILER = "#!/bin/sh\nsleep 600 &\nsetsid sleep 600 &\n(setsid sh -c 'sleep 600 & sleep 600' &)\nexec sleep 600\n"
MARK = "ORPHAN_OF_A_TEST"


def living(mark: str) -> list[str]:
    """Command lines of the processes that carry the mark in their environment."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if f"{MARK}={mark}".encode() in path.read_bytes().split(b"\0"):
                found.append((path.parent / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"))
    return found


@pytest.mark.parametrize("kills", [3, pytest.param(50, marks=pytest.mark.slow)])
def test_no_orphan_after_kills_at_any_moment(tmp_path, injected, kills):
    compiler = tmp_path / "cc"
    compiler.write_text(COMPILER)
    compiler.chmod(0o755)
    generator, seen = random.Random(16), 0
    for number in range(kills):
        mark = f"{os.getpid()}-{kills}-{number}"
        run = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(compiler)],
            stdout=subprocess.PIPE,
            cwd=tmp_path,
            env={**os.environ, MARK: mark, "PYTHONPATH": str(ROOT)},
        )
        assert run.stdout is not None
        run.stdout.readline()
        time.sleep(generator.uniform(0.0, 0.8))
        seen += len(living(mark)) - 1
        run.kill()
        run.wait()
        run.stdout.close()
        deadline = time.monotonic() + 20
        while (left := living(mark)) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not left, f"kill {number}"
    injected("kill -9 of what measures and compiles", kills)
    assert seen > kills, "there was something to leave behind"
