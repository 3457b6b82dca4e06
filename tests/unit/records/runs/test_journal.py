from __future__ import annotations

import errno
import json
import multiprocessing
import os
import signal
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_ascend_tune.model.errors import RecordError
from pytest_ascend_tune.model.measurement import Measurement
from pytest_ascend_tune.model.problem import Config, GemmProblem
from pytest_ascend_tune.model.search import Trial
from pytest_ascend_tune.records.runs.journal import Journal, JournalHeader, read_journal
from tests import factories
from tests.unit.records import strategies
from tests.unit.records.disk import room_for

PROBLEM = GemmProblem.from_id("512x512x512-float32-nn")
HEADER = JournalHeader(PROBLEM, "tiny", "ab" * 32, "cpu", "cpu-x", simulated=False, seed=42)
TRIALS = factories.trials(PROBLEM, 6, failed_share=0.5)
SHORT = tuple(Trial(index, Config({"a": index}), Measurement((float(index),))) for index in (1, 2, 3))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run" / "journal.jsonl"


def write(path, trials=TRIALS):
    with Journal.create(path, HEADER) as journal:
        for trial in trials:
            journal.append(trial)


def test_trials_are_on_disk_before_append_returns(path):
    with Journal.create(path, HEADER) as journal:
        for count, trial in enumerate(TRIALS, 1):
            journal.append(trial)
            assert read_journal(path) == (HEADER, TRIALS[:count])


def test_the_journal_is_one_line_of_json_each(path):
    write(path)
    header, *trials = map(json.loads, path.read_text().splitlines())
    assert header["schema"] == 1
    assert (header["problem"], header["seed"], header["source_hash"]) == (PROBLEM.id, 42, "ab" * 32)
    assert [trial["index"] for trial in trials] == [1, 2, 3, 4, 5, 6]


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(trials=st.lists(strategies.value(Trial), max_size=4).map(strategies.in_order))
def test_any_trials_come_back_equal(tmp_path_factory, trials):
    path = tmp_path_factory.mktemp("journal") / "j.jsonl"
    write(path, trials)
    assert read_journal(path) == (HEADER, trials)


def test_resume_goes_on_after_the_last_whole_line_wherever_the_kill_came(path):
    """Cut at every byte: no finished trial is lost, none is read twice, and what is appended can be read."""
    write(path, SHORT)
    whole = path.read_bytes()
    for size in range(len(whole) + 1):
        path.write_bytes(whole[:size])
        journal, trials = Journal.resume(path, HEADER)
        with journal:
            assert trials == SHORT[: max(0, whole[:size].count(b"\n") - 1)]
            for trial in SHORT[len(trials) :]:
                journal.append(trial)
        assert read_journal(path) == (HEADER, SHORT)


def test_reading_leaves_out_a_half_written_last_line_and_changes_nothing(path):
    write(path, TRIALS[:2])
    with path.open("ab") as file:
        file.write(b'{"index": 3, "conf')
    raw = path.read_bytes()
    assert read_journal(path) == (HEADER, TRIALS[:2])
    assert path.read_bytes() == raw


def test_evidence_is_not_overwritten(path):
    write(path)
    raw = path.read_bytes()
    with pytest.raises(RecordError, match="--ascend-tune-resume"):
        Journal.create(path, HEADER)
    assert path.read_bytes() == raw


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("problem", GemmProblem.from_id("512x512x513-float32-nn")),
        ("template", "other"),
        ("source_hash", "cd" * 32),
        ("backend", "simulator"),
        ("device", "cpu-y"),
        ("simulated", True),
        ("seed", 43),
    ],
)
def test_only_the_same_job_goes_on(path, name, value):
    write(path)
    raw = path.read_bytes()
    with pytest.raises(RecordError, match=rf"journal\.jsonl:1: cannot be resumed: {name} was .* and is now"):
        Journal.resume(path, replace(HEADER, **{name: value}))
    assert path.read_bytes() == raw


@pytest.mark.parametrize(
    ("line", "text", "message"),
    [
        (1, "", ":1: empty"),
        (1, "{}", "no schema number"),
        (1, '{"schema": 2}', "newer version"),
        (1, '{"schema": 1}', "'problem' is missing"),
        (1, "null", "no schema number"),
        (2, "", ":2"),
        (2, "{}", ":2: key 'index' is missing"),
        (2, "[1]", ":2: found .*; an object is needed"),
        (3, '{"index": 2', ":3: no valid JSON"),
        (3, "\x00\x00\x00", ":3: no valid JSON"),
        (3, "SAME AS LINE 2", ":3: index: trial 1 stands where trial 2 belongs"),
        (4, '{"index": 9, "config": {}, "outcome": {"samples_us": [1.0]}}', ":4: index: trial 9"),
        (4, '{"index": 3, "config": {}, "outcome": {"samples_us": [0.0]}}', r":4: outcome\.samples_us: found 0"),
        (4, '{"index": 3, "config": {}, "outcome": {"samples_us": [NaN]}}', "NaN"),
    ],
)
def test_other_damage_is_refused_by_name_and_line(path, line, text, message):
    write(path)
    lines = path.read_text().splitlines()
    lines[line - 1] = lines[1] if text.startswith("SAME") else text
    path.write_text("\n".join(lines) + "\n")
    raw = path.read_bytes()
    for action in (lambda: read_journal(path), lambda: Journal.resume(path, HEADER)):
        with pytest.raises(RecordError, match=message) as caught:
            action()
        assert str(path) in str(caught.value)
    assert path.read_bytes() == raw


def test_a_foreign_file_is_no_header_that_was_cut(path):
    path.parent.mkdir()
    path.write_text("precious")
    with pytest.raises(RecordError, match="no header line"):
        Journal.resume(path, HEADER)
    assert path.read_text() == "precious"


def test_a_missing_journal_cannot_be_resumed_or_read(path):
    with pytest.raises(RecordError, match="cannot be resumed"):
        Journal.resume(path, HEADER)
    with pytest.raises(RecordError, match="cannot be read"):
        read_journal(path)


def test_two_runs_do_not_write_to_one_journal(path):
    with Journal.create(path, HEADER), pytest.raises(RecordError, match="another run"):
        Journal.resume(path, HEADER)


def test_a_trial_is_synced_to_the_disk_after_it_was_written(path, monkeypatch):
    sizes = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: sizes.append(os.fstat(descriptor).st_size))
    with Journal.create(path, HEADER) as journal:
        for trial in TRIALS[:2]:
            journal.append(trial)
            assert sizes[-1] == path.stat().st_size


def test_a_full_disk_is_said_and_leaves_whole_lines(path, monkeypatch):
    with Journal.create(path, HEADER) as journal:
        journal.append(TRIALS[0])

        def full(_):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(RecordError, match="No space left"):
                journal.append(TRIALS[1])
        assert path.read_bytes().endswith(b"\n")
        assert read_journal(path) == (HEADER, TRIALS[:1])
        journal.append(TRIALS[1])
    assert read_journal(path) == (HEADER, TRIALS[:2])


def test_a_disk_that_fills_up_half_way_through_a_line_leaves_whole_lines(path):
    with Journal.create(path, HEADER) as journal:
        journal.append(TRIALS[0])
        size = path.stat().st_size
        with room_for(size + 20), pytest.raises(RecordError, match="cannot be written"):
            journal.append(TRIALS[1])
        assert path.stat().st_size == size
        journal.append(TRIALS[1])
    assert read_journal(path) == (HEADER, TRIALS[:2])


def test_a_number_that_cannot_be_stored_leaves_no_half_line(path):
    with Journal.create(path, HEADER) as journal:
        with pytest.raises(RecordError, match="finite"):
            journal.append(Trial(1, Config({"a": 1}), Measurement((float("nan"),))))
        journal.append(TRIALS[0])
    assert read_journal(path) == (HEADER, TRIALS[:1])


def write_forever(path, begun):
    with Journal.create(path, HEADER) as journal:
        begun.set()
        for index in range(1, 1_000_000):
            journal.append(replace(TRIALS[0], index=index))


def test_kill_9_loses_no_finished_trial(path):
    context = multiprocessing.get_context("spawn")
    begun = context.Event()
    writer = context.Process(target=write_forever, args=(path, begun))
    writer.start()
    assert begun.wait(60)
    while path.stat().st_size < 10_000:
        assert writer.is_alive()
    os.kill(writer.pid, signal.SIGKILL)
    writer.join(60)
    writer.close()
    count = path.read_bytes().count(b"\n") - 1
    journal, trials = Journal.resume(path, HEADER)
    with journal:
        assert [trial.index for trial in trials] == list(range(1, count + 1))
        journal.append(replace(TRIALS[0], index=count + 1))
    assert len(read_journal(path)[1]) == count + 1
