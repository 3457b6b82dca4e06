"""Taking turns on a device: who waits for whom, and where the locks are."""

from __future__ import annotations

import multiprocessing
import os
import stat
import threading
from contextlib import ExitStack

import pytest

from pytest_ascend_tune.backends.simulator.backend import SimulatorBackend
from pytest_ascend_tune.execute import locks as turns
from pytest_ascend_tune.execute.locks import Waiting, device_turn
from pytest_ascend_tune.files.locks import Lock
from pytest_ascend_tune.model.errors import DeviceBusyError, RecordError, SettingsError
from tests.fakes.backend import FakeBackend


def hold(name, devices, lock_dir, held, let_go):
    backend = FakeBackend(device=name)
    with device_turn(backend, devices, lambda text: None, Waiting(lock_dir=lock_dir)):
        held.set()
        let_go.wait(30)


def held_elsewhere(name, devices, lock_dir):
    """A process that holds a turn until it is told to let go."""
    context = multiprocessing.get_context("fork")
    held, let_go = context.Event(), context.Event()
    holder = context.Process(target=hold, args=(name, devices, lock_dir, held, let_go))
    holder.start()
    assert held.wait(30)
    return holder, let_go


@pytest.mark.parametrize(("theirs", "ours"), [(None, None), ((2,), (2,)), ((5, 2), (0, 2, 7))])
def test_a_second_process_waits_for_its_turn(tmp_path, theirs, ours):
    holder, let_go = held_elsewhere("fake-turn", theirs, str(tmp_path))
    said = []

    def say(text):
        said.append(text)
        let_go.set()

    if ours:
        with device_turn(FakeBackend(device="fake-turn"), (0, 1), say, Waiting(lock_dir=str(tmp_path))):
            assert holder.is_alive()  # other devices are free
    with device_turn(FakeBackend(device="fake-turn"), ours, say, Waiting(lock_dir=str(tmp_path))):
        holder.join(30)
        assert not holder.is_alive()
    assert "another process measures" in said[0]


def test_sessions_with_different_tmpdirs_meet_in_the_machines_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(turns, "MACHINE_FOLDER", tmp_path / "machine")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    holder, let_go = held_elsewhere("fake-turn", None, None)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "other"))
    monkeypatch.setattr("tempfile.tempdir", None)
    said = []

    def say(text):
        said.append(text)
        let_go.set()

    with device_turn(FakeBackend(device="fake-turn"), None, say, Waiting(lock_dir=None)):
        holder.join(30)
    assert said
    assert stat.S_IMODE((tmp_path / "machine").stat().st_mode) == 0o1777


def test_a_backend_that_knows_its_place_names_its_locks(tmp_path):
    class Board(FakeBackend):
        def lock_names(self, devices):
            return tuple(f"npu-{10 + number}" for number in devices or (0,))

    with device_turn(Board(), (1, 2), lambda text: None, Waiting(lock_dir=str(tmp_path))):
        assert sorted(path.name for path in tmp_path.glob("*.lock")) == ["npu-11.lock", "npu-12.lock"]


def test_a_lock_file_that_a_cleaner_removed_is_made_again(tmp_path, monkeypatch):
    holder, let_go = held_elsewhere("fake-turn", None, str(tmp_path))
    real = turns._open

    def removed_behind_our_back(path):
        descriptor = real(path)
        monkeypatch.setattr(turns, "_open", real)
        path.unlink()
        let_go.set()
        holder.join(30)
        return descriptor

    monkeypatch.setattr(turns, "_open", removed_behind_our_back)
    monkeypatch.setattr(turns, "POLL_S", 0.01)
    with device_turn(FakeBackend(device="fake-turn"), None, lambda text: None, Waiting(lock_dir=str(tmp_path))):
        (file,) = tmp_path.glob("*.lock")
        assert not Lock(file, os.open(file, os.O_RDONLY)).take()


def test_where_the_machine_has_no_place_a_private_folder_serves(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setattr(turns, "MACHINE_FOLDER", tmp_path / "file" / "below")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert turns.lock_folder() == turns.private_folder() == tmp_path / f"pytest-ascend-tune-{os.getuid()}"


@pytest.mark.parametrize("kind", ["a file", "a link", "below a file"])
def test_a_chosen_lock_folder_that_cannot_be_used_is_refused_by_name(tmp_path, kind):
    path = tmp_path / "place"
    if kind == "a link":
        path.symlink_to(tmp_path)
    else:
        path.touch()
    chosen = path / "deeper" if kind == "below a file" else path
    with pytest.raises(SettingsError, match=r"--ascend-tune-lock-dir=.*place.*: no lock file can be made there"):
        turns.lock_folder(str(chosen))


def test_a_lock_that_cannot_be_opened_says_what_to_do(tmp_path):
    (tmp_path / "fake-turn.lock").symlink_to(tmp_path / "elsewhere")
    with (
        pytest.raises(RecordError, match="delete it when nothing is measured"),
        device_turn(FakeBackend(device="fake-turn"), None, lambda text: None, Waiting(lock_dir=str(tmp_path))),
    ):
        pass


def test_simulated_devices_need_no_lock(tmp_path):
    with device_turn(SimulatorBackend(), None, lambda text: None, Waiting(lock_dir=str(tmp_path / "missing"))):
        assert list(tmp_path.iterdir()) == []


def test_waiting_ends_and_names_who_holds_the_device(tmp_path, monkeypatch):
    place = str(tmp_path)
    monkeypatch.setattr("sys.argv", ["/usr/bin/pytest", "--ascend-tune-history=postgresql://user:secret@host/db"])
    backend, said = FakeBackend(device="fake-turn"), []
    waiting = Waiting(0.3, run="ours", lock_dir=place)

    def take(who):
        with device_turn(backend, None, said.append, who):
            pytest.fail("it was not free")

    with device_turn(backend, None, said.append, Waiting(run="theirs", lock_dir=place)):
        for _ in range(2):  # the second problem does not wait anew
            with pytest.raises(
                DeviceBusyError, match=rf"pid {os.getpid()} \(pytest .*not measured.*--ascend-tune-wait=MIN"
            ):
                take(waiting)
    assert waiting.left_s <= 0
    assert "secret" not in "".join(said)


def test_waiting_for_a_worker_of_the_same_run_does_not_count(tmp_path, monkeypatch):
    place = str(tmp_path)
    backend, said, release = FakeBackend(device="fake-turn"), [], ExitStack()
    release.enter_context(device_turn(backend, None, said.append, Waiting(run="ours", lock_dir=place)))
    timer = threading.Timer(0.7, release.close)
    timer.start()
    waiting = Waiting(0.1, run="ours", lock_dir=place)
    with device_turn(backend, None, said.append, waiting):
        timer.join()
    assert waiting.left_s == 0.1
    assert not said
