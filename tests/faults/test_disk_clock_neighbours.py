"""Disk full, damaged journals, a jumping clock, two sessions at once, a worker of xdist that dies."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

import pytest

from pytest_ascend_tune.records.baselines.store import BaselineStore
from tests.faults.project import CONFTEST, OPTIONS, assert_whole, final_trials, make_project, measured, results
from tests.plugin.conftest import SIMPLE


@pytest.fixture(scope="module")
def finished(zygote, tmp_path_factory):
    """A project after one whole run."""
    folder = make_project(tmp_path_factory.mktemp("finished") / "project")
    run = zygote.start(folder, *OPTIONS)
    assert run.wait() == 0, run.text()
    return folder


def journal_of(folder: Path) -> Path:
    (path,) = folder.glob(".ascend-tune/runs/*/*/*/journal.jsonl")
    return path


def full_disk(zygote, folder, file_bytes, finished, injected):
    """No file grows beyond a limit: the run is red and says why; with room again, it goes on to the same trials."""
    make_project(folder)
    run = zygote.start(folder, *OPTIONS, "--ascend-tune-missing=seed", file_bytes=file_bytes)
    code = run.wait()
    if code == 0:
        return
    injected("disk full")
    assert code > 0, run.text()
    assert "INTERNALERROR" not in run.text()
    assert_whole(folder)
    BaselineStore(folder / ".ascend-tune").validate_all("main")
    run = zygote.start(folder, *OPTIONS, "--ascend-tune-resume")
    assert run.wait() == 0, run.text()
    assert final_trials(folder) == final_trials(finished)


def sizes(folder):
    return sorted({path.stat().st_size for path in (folder / ".ascend-tune").rglob("*") if path.is_file()})


def test_disk_full_at_the_report(zygote, tmp_path, finished, injected):
    page = finished / ".ascend-tune/report/index.html"
    full_disk(zygote, tmp_path / "project", page.stat().st_size - 2000, finished, injected)


@pytest.mark.slow
def test_disk_full_at_every_file(zygote, tmp_path, finished, injected):
    for limit in [size - 1 for size in sizes(finished) if size]:
        full_disk(zygote, tmp_path / str(limit), limit, finished, injected)


def cut_and_resume(zygote, folder, finished, keep, injected):
    """A journal that ends anywhere is gone on from."""
    make_project(folder)
    whole = journal_of(finished)
    path = folder / whole.relative_to(finished)
    path.parent.mkdir(parents=True)
    path.write_bytes(whole.read_bytes()[:keep])
    injected("journal cut")
    run = zygote.start(folder, *OPTIONS, "--ascend-tune-resume")
    assert run.wait() == 0, run.text()
    assert final_trials(folder) == final_trials(finished)
    held = max(0, whole.read_bytes()[:keep].count(b"\n") - 1)
    assert len(measured(folder)) == len(final_trials(finished)) - held


def test_a_half_written_journal(zygote, tmp_path, finished, injected):
    cut_and_resume(zygote, tmp_path / "project", finished, journal_of(finished).stat().st_size // 2, injected)


@pytest.mark.slow
def test_journals_cut_at_40_places(zygote, tmp_path, finished, injected):
    generator, size = random.Random(11), journal_of(finished).stat().st_size
    for number in range(40):
        cut_and_resume(zygote, tmp_path / str(number), finished, generator.randrange(size), injected)


def test_a_damaged_journal_is_refused_and_left_alone(zygote, tmp_path, finished, injected):
    folder = make_project(tmp_path / "project")
    path = folder / journal_of(finished).relative_to(finished)
    path.parent.mkdir(parents=True)
    lines = journal_of(finished).read_bytes().split(b"\n")
    damaged = b"\n".join([*lines[:3], lines[3][:10], *lines[4:]])
    path.write_bytes(damaged)
    injected("journal damaged")
    run = zygote.start(folder, *OPTIONS, "--ascend-tune-resume")
    assert run.wait() == pytest.ExitCode.TESTS_FAILED, run.text()
    assert f"{path}:4" in run.text()
    assert path.read_bytes() == damaged
    assert measured(folder) == []
    run = zygote.start(folder, *OPTIONS)
    assert run.wait() == 0, "without resume it is not in the way"


JUMPS = """
import random
from datetime import datetime, timedelta
import pytest_ascend_tune.session.clock

class Jumping:
    @staticmethod
    def now(zone):
        return datetime.now(zone) + timedelta(days=random.choice([-900, -1, 0, 1, 900]), seconds=random.random())

pytest_ascend_tune.session.clock.datetime = Jumping
time.time = lambda real=time.time: real() + random.choice([-1e6, 1e6])
"""


@pytest.mark.parametrize("times", [2, pytest.param(25, marks=pytest.mark.slow)])
def test_the_clock_jumps(zygote, tmp_path, finished, injected, times):
    folder = make_project(tmp_path / "project", conftest=CONFTEST + JUMPS)
    for number in range(times):
        run = zygote.start(folder, *OPTIONS, "--ascend-tune-missing=seed")
        assert run.wait() == 0, run.text()
        injected("clock jump")
        status = results(folder)["results"][0]["status"]
        assert status == ("passed" if number else "no_baseline")
    assert len(list(folder.glob(".ascend-tune/runs/*"))) == times


@pytest.mark.parametrize("times", [1, pytest.param(10, marks=pytest.mark.slow)])
def test_two_sessions_at_once_in_one_directory(zygote, tmp_path, finished, injected, times):
    for number in range(times):
        folder = make_project(tmp_path / str(number))
        runs = []
        for name in ("first", "second"):
            report = f"--ascend-tune-report={name}.html", f"--ascend-tune-json={name}.json"
            runs.append(zygote.start(folder, *OPTIONS, "--ascend-tune-missing=seed", *report))
        injected("two sessions")
        for run in runs:
            assert run.wait() == 0, run.text()
        for name in ("first", "second"):
            (entry,) = json.loads((folder / f"{name}.json").read_text())["results"]
            assert entry["status"] in ("no_baseline", "passed")
        assert_whole(folder)
        assert len(list(folder.glob(".ascend-tune/runs/*/*/*/best_config.json"))) == 2
        assert len(BaselineStore(folder / ".ascend-tune").validate_all("main")) == 1


def test_a_second_session_does_not_write_into_a_running_journal(zygote, tmp_path, finished, injected):
    folder = make_project(tmp_path / "project", conftest=CONFTEST.replace("0.002", "0.3"))
    first = zygote.start(folder, *OPTIONS)
    while zygote.alive(first.pid) and not measured(folder):
        time.sleep(0.01)
    injected("two sessions")
    # The device is waited for; the search is over then, and only the confirmation is left to do.
    second = zygote.start(folder, *OPTIONS, "--ascend-tune-resume")
    assert (first.wait(), second.wait()) == (0, 0), first.text() + second.text()
    assert "another process measures" in second.text() or len(measured(folder)) == len(final_trials(finished))
    assert final_trials(folder) == final_trials(finished)
    assert len(measured(folder)) == len(set(measured(folder)))


DIES = """
@pytest.mark.ascend_tune(m=96, n=96, k=96)
def test_dies(ascend_tune):
    import os, signal
    ascend_tune()
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
def test_a_dead_worker_of_xdist_loses_one_test(zygote, tmp_path, injected):
    pytest.importorskip("xdist")
    other = SIMPLE.replace("import pytest", "").replace("test_gemm", "test_other").replace("m=64", "m=32")
    for number in range(6):
        folder = make_project(tmp_path / str(number), tests=SIMPLE + DIES + other)
        run = zygote.start(folder, *OPTIONS, "-n2")
        assert run.wait() == pytest.ExitCode.TESTS_FAILED, run.text()
        injected("xdist worker killed")
        assert "1 failed, 2 passed" in run.text()
        assert {entry["problem"] for entry in results(folder)["results"]} >= {
            "64x64x64-float32-nn",
            "32x64x64-float32-nn",
        }
