"""kill -9 at random moments while baselines, journals, run folders and history are written: all stays whole."""

from __future__ import annotations

import os
import random
import signal
import time
import warnings
from dataclasses import replace

import pytest

from pytest_ascend_tune.records.baselines.store import BaselineStore
from pytest_ascend_tune.records.history.store import History
from pytest_ascend_tune.records.runs.journal import Journal, JournalHeader
from pytest_ascend_tune.records.runs.results import read_run, write_run
from tests import factories
from tests.contracts.store_contract import SOURCES, baseline
from tests.faults.count import INJECTED

KILLS = 250
RESULT = factories.gate_result(count=10)
PROBLEM = RESULT.tuning.problem
HEADER = JournalHeader(PROBLEM, "tiny", "ab" * 32, "cpu", "cpu-x", simulated=False, seed=1)
TRIAL = RESULT.tuning.trials[0]


def killed(action, after_s):
    """Run `action` again and again in a child of ours, and kill it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of fork beside threads: the child execs nothing of theirs
        child = os.fork()
    if child == 0:
        try:
            step = 0
            while True:
                step += 1
                action(step)
        finally:
            os._exit(1)
    time.sleep(after_s)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "the writer must be alive when it is killed"
    INJECTED["kill -9 of a writer"] += 1


@pytest.fixture
def moments():
    generator = random.Random(7)
    return [generator.uniform(0.001, 0.03) for _ in range(KILLS)]


@pytest.mark.slow
def test_baselines_are_whole_after_every_kill(tmp_path, moments):
    store = BaselineStore(tmp_path)
    store.save(baseline(tflops=1.0), SOURCES)
    for number, after_s in enumerate(moments):
        changed = replace(SOURCES, source_hash=f"{number:064x}", files=(*SOURCES.files, ("more.hpp", "x" * 100_000)))

        def save(step, changed=changed):
            new = replace(baseline(tflops=1.0 + step % 7), source_hash=changed.source_hash)
            store.save(new, changed, accept_regression=True)

        killed(save, after_s)
        (kept,) = store.validate_all("main")
        assert store.load_sources(kept.source_hash) is not None, "a baseline never stands without its sources"
        assert (store.load_sources(kept.source_hash) / "tiny.cpp").read_bytes() == b"int x;\r\n"
        store.save(baseline(tflops=1.0), SOURCES, accept_regression=True)
    store.prune("main")
    assert [path.name for path in (store.folder / "main" / "sources").iterdir()] == [SOURCES.source_hash]
    assert not list(store.folder.glob("main/cpu-x/**/*.tmp"))


@pytest.mark.slow
def test_no_trial_is_lost_or_doubled_by_any_kill(tmp_path, moments):
    path = tmp_path / "journal.jsonl"
    count = 0
    Journal.create(path, HEADER).close()
    for after_s in moments:

        def go_on(step):
            nonlocal count
            if step > 1:
                return
            journal, trials = Journal.resume(path, HEADER)
            index = len(trials)
            while True:
                index += 1
                journal.append(replace(TRIAL, index=index))

        killed(go_on, after_s)
        whole_lines = path.read_bytes().count(b"\n") - 1
        journal, trials = Journal.resume(path, HEADER)
        journal.close()
        assert len(trials) == whole_lines >= count
        count = whole_lines
    assert count > 0


@pytest.mark.slow
def test_a_run_folder_is_whole_or_says_what_is_missing(tmp_path, moments):
    for number, after_s in enumerate(moments[: KILLS // 5]):
        folder = tmp_path / str(number)
        killed(lambda step, folder=folder: write_run(folder, RESULT), after_s)
        if (folder / "best_config.json").exists():
            assert read_run(folder) == RESULT


@pytest.mark.slow
def test_the_history_keeps_whole_runs_after_every_kill(tmp_path, moments):
    url = f"sqlite:///{tmp_path / 'history.sqlite'}"
    place = ("910B1", "catlass_gemm", PROBLEM.id)
    counts = [0]
    for number, after_s in enumerate(moments[: KILLS // 5]):

        def add(step, number=number):
            History(url).append([RESULT, RESULT], run=f"r{number}-{step}", recorded_at="2026-11-30T08:31:00Z")

        killed(add, after_s * 5)
        history = History(url)
        history.check()
        points = history.trend(*place, limit=10**6)
        assert len(points) % 2 == 0, "a run is added whole or not at all"
        assert len(points) >= counts[-1]
        counts.append(len(points))
    assert counts[-1] > 0
