"""kill -9 of what measures and of what compiles, on the real cpu backend: failed trials, no broken run, no orphan."""

from __future__ import annotations

import json
import os
import random
import signal
import stat
import time
from pathlib import Path

import psutil
import pytest

from tests.fakes.kernels import kernel_template, needs_compiler
from tests.faults.project import assert_whole, make_project, results

pytestmark = needs_compiler
OPTIONS = (
    "--ascend-tune",
    "--ascend-tune-backend=cpu",
    "--ascend-tune-template=tiny",
    "--ascend-tune-max-iter=8",
    "-q",
)


@pytest.fixture
def folder(tmp_path):
    folder = make_project(tmp_path / "project", conftest="")
    source = dict(kernel_template().files)["kernel.cpp"]
    (folder / "tiny/tiny.cpp").write_text(source)
    return folder


def children(pid: int) -> list[int]:
    """All processes below `pid`."""
    try:
        return [child.pid for child in psutil.Process(pid).children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def runs_worker(pid: int) -> bool:
    try:
        return b"backends.cpu.worker" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def trials(folder: Path) -> list[dict[str, object]]:
    (path,) = folder.glob(".ascend-tune/runs/*/*/*/history.json")
    found: list[dict[str, object]] = json.loads(path.read_text())["trials"]
    return found


@pytest.mark.slow
def test_workers_are_killed_again_and_again(zygote, folder, injected):
    generator = random.Random(12)
    run = zygote.start(folder, *OPTIONS)
    kills, seen = 0, set()
    while zygote.alive(run.pid) and kills < 10:
        workers = list(filter(runs_worker, children(run.pid)))
        seen.update(workers)
        if workers:
            os.kill(generator.choice(workers), signal.SIGKILL)
            kills += 1
        time.sleep(generator.uniform(0.2, 1.0))
    code = run.wait()
    injected("kill -9 of a worker", kills)
    refused = pytest.ExitCode.USAGE_ERROR  # killed three times while it started
    assert code in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, refused), run.text()
    assert "INTERNALERROR" not in run.text()
    if code == 0:
        failed = [trial for trial in trials(folder) if not trial["success"]]
        assert results(folder)["complete"]
        assert len(failed) <= kills
        assert {trial["failure"]["kind"] for trial in failed} <= {"crash"}  # type: ignore[index]
    else:
        assert "SIGKILL" in run.text() or "does not start" in run.text()
    assert kills
    assert not list(filter(runs_worker, seen))
    assert_whole(folder)
    assert zygote.start(folder, *OPTIONS).wait() == 0, "the next run starts clean"


WRAPPER = """#!/bin/sh
# Dies at every third kernel, in the middle of its work.
case "$*" in *fma_peak*) exec {cxx} "$@" ;; *-shared*) ;; *) exec {cxx} "$@" ;; esac
echo x >> "{count}"
if [ $(( $(wc -l < "{count}") % 3 )) -eq 0 ]; then kill -9 $$; fi
exec {cxx} "$@"
"""


@pytest.mark.slow
def test_the_compiler_is_killed(zygote, folder, injected):
    wrapper, count = folder.parent / "cxx", folder.parent / "count"
    wrapper.write_text(WRAPPER.format(cxx=os.environ.get("CXX", "g++"), count=count))
    wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR)
    (folder / "conftest.py").write_text(f"import os\nos.environ['CXX'] = {str(wrapper)!r}\n")
    run = zygote.start(folder, *OPTIONS)
    assert run.wait() == 0, run.text()
    kills = len(count.read_text().splitlines()) // 3
    injected("kill -9 of the compiler", kills)
    failed = [trial for trial in trials(folder) if not trial["success"]]
    assert 1 <= len(failed) <= kills
    for trial in failed:
        assert trial["failure"]["kind"] == "build_error"  # type: ignore[index]
        assert "SIGKILL" in trial["failure"]["message"]  # type: ignore[index]
    assert not list((folder / ".ascend-tune/cache").glob("build-*"))


@pytest.mark.slow
def test_damaged_kernels_in_the_cache_are_built_again(zygote, folder, injected):
    assert zygote.start(folder, *OPTIONS).wait() == 0
    kernels = sorted((folder / ".ascend-tune/cache").glob("*.so"))
    for path in kernels:
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    injected("cached kernel cut", len(kernels))
    run = zygote.start(folder, *OPTIONS)
    assert run.wait() == 0, run.text()
    assert all(entry["status"] == "no_baseline" for entry in results(folder)["results"])
