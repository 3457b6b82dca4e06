"""Locks between processes, with the system's locks and on a file system that refuses them."""

from __future__ import annotations

import errno
import fcntl
import multiprocessing
import os
import re
import signal
import threading
import time
from contextlib import ExitStack

import pytest

from pytest_ascend_tune.execute.locks import Waiting, device_turn
from pytest_ascend_tune.files import locks
from pytest_ascend_tune.model.errors import BaselineError, RecordError
from pytest_ascend_tune.records.runs.journal import Journal, read_journal
from tests.fakes.backend import FakeBackend
from tests.unit.records.runs import test_journal

LEASE_S = 2.0


def refuse_locks(code=errno.ENOLCK):
    """As many network file systems do."""

    def flock(descriptor, operation):
        raise OSError(code, os.strerror(code))

    fcntl.flock = flock
    locks.LEASE_S = LEASE_S


@pytest.fixture(params=["flock", "lease"])
def kind(request, monkeypatch):
    monkeypatch.setattr(fcntl, "flock", fcntl.flock)
    monkeypatch.setattr(locks, "LEASE_S", LEASE_S)
    if request.param == "lease":
        refuse_locks()
    return request.param


def hold(path, held, kind):
    if kind == "lease":
        refuse_locks()
    with locks.locked(path):
        held.set()
        time.sleep(60)


@pytest.fixture
def holder(tmp_path, kind):
    """A process that holds the lock ``tmp_path/lock``."""
    context = multiprocessing.get_context("spawn")
    held = context.Event()
    process = context.Process(target=hold, args=(tmp_path / "lock", held, kind))
    process.start()
    try:
        assert held.wait(30)
        yield process
    finally:
        process.kill()
        process.join(30)
        process.close()


def killed(process):
    os.kill(process.pid, signal.SIGKILL)
    process.join(30)


def test_a_lock_is_refused_while_held(tmp_path, holder, monkeypatch):
    monkeypatch.setattr(locks.Lock, "patience_s", 1.5 * LEASE_S)  # longer than a lease: its heart beats
    with (
        pytest.raises(BaselineError, match="another process has held this lock"),
        locks.locked(tmp_path / "lock", timeout_s=0.05, error=BaselineError),
    ):
        pass
    assert holder.is_alive()


def test_it_is_free_when_its_holder_is_killed(tmp_path, holder):
    killed(holder)
    with locks.locked(tmp_path / "lock", timeout_s=10):
        pass
    assert os.listdir(tmp_path) == ["lock"], "what the dead process left is gone"


@pytest.mark.parametrize("kind", ["lease"], indirect=True)
def test_a_lease_of_another_host_is_free_when_its_heart_has_stopped(tmp_path, holder):
    killed(holder)
    lease = tmp_path / "lock.lease"
    record = lease.read_text()
    assert {"pid", "host", "token", "start"} <= set(re.findall(r"^(\w+)=", record, re.MULTILINE))
    lease.write_text(re.sub(r"^host=.*$", "host=another-host", record, flags=re.MULTILINE))
    taken = []
    with locks.locked(tmp_path / "lock", timeout_s=0.1):
        taken.append(lease.read_text())
    assert "another-host" not in taken[0]


def test_a_lock_keeps_threads_apart(tmp_path, kind):
    inside, most = 0, 0

    def work():
        nonlocal inside, most
        for _ in range(5):
            with locks.locked(tmp_path / "lock", timeout_s=30):
                inside += 1
                most = max(most, inside)
                time.sleep(0.001)
                inside -= 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


def test_where_no_lease_can_be_had_either_the_error_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(fcntl, "flock", fcntl.flock)
    refuse_locks()
    with (
        pytest.raises(RecordError, match=r"cannot be locked \(File name too long\).*--ascend-tune-dir.*local disk"),
        locks.locked(tmp_path / ("x" * 253)),
    ):
        pass


def test_what_is_no_lack_of_locks_is_not_taken_for_one(tmp_path, monkeypatch):
    monkeypatch.setattr(fcntl, "flock", fcntl.flock)
    refuse_locks(errno.EIO)
    with (
        pytest.raises(RecordError, match=r"cannot be locked \(Input/output error\).*local disk"),
        locks.locked(tmp_path / "lock"),
    ):
        pass


def test_a_journal_has_one_writer(tmp_path, kind):
    path = tmp_path / "journal.jsonl"
    journal = Journal.create(path, test_journal.HEADER)
    with pytest.raises(RecordError, match="another run is writing"):
        Journal.resume(path, test_journal.HEADER)
    journal.close()
    Journal.resume(path, test_journal.HEADER)[0].close()
    assert read_journal(path) == (test_journal.HEADER, ())
    assert os.listdir(tmp_path) == ["journal.jsonl"]


def test_turns_on_a_device_are_taken_one_by_one(tmp_path, kind):
    turn = Waiting(lock_dir=str(tmp_path))
    first, waiting, let_go = ExitStack(), threading.Event(), threading.Event()
    first.enter_context(device_turn(FakeBackend(device="fake-turn"), None, lambda text: None, turn))

    def wait():
        with device_turn(FakeBackend(device="fake-turn"), None, lambda text: waiting.set(), turn):
            assert let_go.is_set()

    second = threading.Thread(target=wait)
    second.start()
    assert waiting.wait(30)
    let_go.set()
    first.close()
    second.join(30)
    assert not second.is_alive()
