"""Parts of the hall that are a few lines each: comparing runs, near shapes, turns, what is recorded."""

import multiprocessing
import os
import re
import threading
from contextlib import ExitStack
from dataclasses import replace

import pytest

from pytest_ascend_tune.cli.comparing import compare_runs
from pytest_ascend_tune.execute.locks import Waiting, device_turn
from pytest_ascend_tune.model.errors import DeviceBusyError
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.verdict import Cause, GateStatus
from pytest_ascend_tune.options.settings import Settings
from pytest_ascend_tune.session.record import may_be_recorded, may_record
from pytest_ascend_tune.session.warmstart import distance
from tests.factories import gate_result
from tests.fakes.backend import FakeBackend


def slower(result, factor):
    confirmed = result.confirmation
    winner = replace(confirmed.winner, samples_us=tuple(factor * us for us in confirmed.winner.samples_us))
    return replace(result, tuning=replace(result.tuning, confirmed=replace(confirmed, winner=winner)))


@pytest.mark.parametrize(
    ("factor", "word", "bad"), [(1.0, "same", False), (1.3, "slower", True), (0.7, "faster", False)]
)
def test_comparing_two_runs(factor, word, bad):
    old = gate_result(GateStatus.PASSED)
    (row,) = compare_runs([old], [slower(old, factor)], 0.1)
    assert row.line.startswith(word)
    assert row.bad is bad


def test_what_is_missing_or_new_is_said():
    result = gate_result(GateStatus.PASSED)
    assert [row.bad for row in compare_runs([result], [], 0.1)] == [True]
    assert [row.line.split()[0] for row in compare_runs([], [result], 0.1)] == ["new"]


def test_near_shapes_are_counted_in_octaves():
    base = GemmProblem(1024, 1024, 1024, "float32")
    assert distance(base, base) == 0
    assert distance(base, GemmProblem(2048, 1024, 512, "float32")) == 2
    assert distance(base, GemmProblem(1024, 1024, 1024, "float16")) > distance(
        base, GemmProblem(8, 1024, 1024, "float32")
    )


@pytest.mark.parametrize("status", list(GateStatus))
def test_only_good_results_are_recorded_unless_accepted(status):
    result = gate_result(status)
    good = status in (GateStatus.PASSED, GateStatus.IMPROVED, GateStatus.NO_BASELINE, GateStatus.NOT_COMPARABLE)
    assert may_record(result, Settings()) == ""
    assert may_record(result, Settings(update_baseline=True)) == ("update" if good else "")
    accepted = Settings(update_baseline=True, accept_regression=True)
    doubtful = status in (GateStatus.REGRESSED, GateStatus.INCONCLUSIVE)
    assert may_record(result, accepted) == ("update" if good or doubtful else "")
    unconverged = replace(result, verdict=replace(result.verdict, cause=Cause.SEARCH))
    if status is GateStatus.INCONCLUSIVE:
        assert may_record(unconverged, accepted) == ""


def hold(name, devices, held, let_go):
    backend = FakeBackend(device=name)
    with device_turn(backend, devices, lambda text: None, Waiting()):
        held.set()
        let_go.wait(30)


@pytest.mark.parametrize(("theirs", "ours"), [(None, None), ((2,), (2,)), ((5, 2), (0, 2, 7))])
def test_a_second_process_waits_for_its_turn(tmp_path, monkeypatch, theirs, ours):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    context = multiprocessing.get_context("fork")
    held, let_go, said = context.Event(), context.Event(), []
    holder = context.Process(target=hold, args=("fake-turn", theirs, held, let_go))
    holder.start()
    assert held.wait(30)

    def say(text):
        said.append(text)
        let_go.set()

    if ours:
        with device_turn(FakeBackend(device="fake-turn"), (0, 1), say, Waiting(0.0)):
            assert holder.is_alive()  # other devices are free
    with device_turn(FakeBackend(device="fake-turn"), ours, say, Waiting()):
        holder.join(30)
        assert not holder.is_alive()
    assert re.search(
        rf"another process measures on fake-turn\S*: pid {holder.pid} \(.+\); waiting for it to end\n", said[0]
    )
    assert re.fullmatch(r"ascend-tune: waited \d+ s for fake-turn\S*\n", said[-1])


def test_waiting_ends_and_names_who_holds_the_device(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr("sys.argv", ["/usr/bin/pytest", "--ascend-tune-history=postgresql://user:secret@host/db"])
    backend, said = FakeBackend(device="fake-turn"), []
    waiting = Waiting(0.3, run="ours")

    def take(who):
        with device_turn(backend, None, said.append, who):
            pytest.fail("it was not free")

    with device_turn(backend, None, said.append, Waiting(run="theirs")):
        for _ in range(2):  # the second problem does not wait anew
            with pytest.raises(
                DeviceBusyError, match=rf"pid {os.getpid()} \(pytest .*not measured.*--ascend-tune-wait=MIN"
            ):
                take(waiting)
    assert waiting.left_s <= 0
    assert "secret" not in "".join(said)


def test_waiting_for_a_worker_of_the_same_run_does_not_count(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    backend, said, release = FakeBackend(device="fake-turn"), [], ExitStack()
    release.enter_context(device_turn(backend, None, said.append, Waiting(run="ours")))
    timer = threading.Timer(0.7, release.close)
    timer.start()
    waiting = Waiting(0.1, run="ours")
    with device_turn(backend, None, said.append, waiting):
        timer.join()
    assert waiting.left_s == 0.1
    assert not said


def test_what_may_be_recorded_is_known_before_it_is_measured():
    stored = gate_result(GateStatus.PASSED).baseline
    for settings, first, later in (
        (Settings(), False, False),
        (Settings(missing="seed"), True, False),
        (Settings(update_baseline=True), True, True),
    ):
        assert may_be_recorded(settings, None) is first
        assert may_be_recorded(settings, stored) is later
