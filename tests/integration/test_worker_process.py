"""The worker process from outside: orphans, interrupts, odd parents."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from pytest_ascend_tune.backends.worker import Worker
from pytest_ascend_tune.model.errors import (
    AscendTuneError,
    BackendUnavailableError,
    KernelCrashError,
    KernelTimeoutError,
    WrongResultError,
)
from tests.fakes import worker_module

MODULE = "tests.fakes.worker_module"


@pytest.fixture
def worker():
    worker = Worker(MODULE)
    yield worker
    worker.close()


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(condition, seconds: float = 10.0) -> bool:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
    return condition()


def test_answers_and_errors_cross_the_pipe(worker):
    assert worker.request("echo", timeout_s=20, value={"a": ["ü", 1.5, None]})["value"] == {"a": ["ü", 1.5, None]}
    with pytest.raises(WrongResultError, match="off by one"):
        worker.request("fail", timeout_s=20, kind="wrong_result", message="off by one")
    with pytest.raises(AscendTuneError, match=r"(?s)failed in 'fail'.*KeyError"):
        worker.request("fail", timeout_s=20, kind="no such kind", message="")
    assert worker.request("echo", timeout_s=20, value=1)["value"] == 1
    assert worker.generation == 0


def test_the_time_limit_is_that_of_a_step(worker):
    assert worker.request("steps", timeout_s=2, seconds=[0.9] * 3)["steps"] == 3
    assert worker.request("steps", timeout_s=0.5, then_s=20, seconds=[0.0, 0.9])["steps"] == 2
    with pytest.raises(KernelTimeoutError, match=r"within 0\.5 s"):
        worker.request("steps", timeout_s=0.5, seconds=[0.0, 60.0])
    with pytest.raises(KernelTimeoutError, match=r"within 0\.5 s"):
        worker.request("steps", timeout_s=0.5, then_s=20, seconds=[60.0])
    assert worker.request("echo", timeout_s=20, value=1)["value"] == 1


def test_a_long_answer_arrives_whole(worker):
    assert len(worker.request("echo", timeout_s=20, value="x" * 50_000)["value"]) == 50_000


def test_a_crash_is_answered_by_the_warm_spare(worker):
    first = worker.request("pid", timeout_s=20)["pid"]
    assert wait_until(lambda: len(worker.children()) == 2)
    spare = next(pid for pid in worker.children() if pid != first)
    with pytest.raises(KernelCrashError, match="SIGKILL"):
        worker.request("die", timeout_s=20, number=signal.SIGKILL)
    assert worker.request("pid", timeout_s=20)["pid"] == spare
    assert worker.generation == 1


def test_without_a_spare_there_is_one_child(worker):
    worker = Worker(MODULE, keep_spare=False)
    worker.request("pid", timeout_s=20)
    assert len(worker.children()) == 1
    worker.close()


def test_close_ends_all_children_and_may_be_called_twice(worker):
    worker.request("pid", timeout_s=20)
    children = worker.children()
    assert len(children) == 2
    worker.close()
    worker.close()
    assert not any(map(is_alive, children))
    with pytest.raises(AscendTuneError, match="closed"):
        worker.request("pid", timeout_s=20)


def test_a_worker_that_nobody_closed_ends_with_its_owner():
    worker = Worker(MODULE)
    worker.request("pid", timeout_s=20)
    children = worker.children()
    del worker
    assert wait_until(lambda: not any(map(is_alive, children)))


def test_a_hung_child_is_killed_with_all_it_started(worker):
    grandchild = worker.request("fork_sleeper", timeout_s=20)["pid"]
    assert is_alive(grandchild)
    with pytest.raises(KernelTimeoutError):
        worker.request("sleep", timeout_s=0.1, seconds=60)
    assert wait_until(lambda: not is_alive(grandchild))


def test_a_death_is_seen_though_a_grandchild_holds_the_pipe(worker):
    worker.request("fork_sleeper", timeout_s=20)
    started = time.monotonic()
    with pytest.raises(KernelCrashError, match="SIGTERM"):
        worker.request("die", timeout_s=30, number=signal.SIGTERM)
    assert time.monotonic() - started < 20


@pytest.mark.parametrize(
    "text",
    ["x", "\n", '{"id": 1}\n', '{"id": 2, "value": 3}\n', "0" * 32 + ' {"id": 1}\n', "0" * 32 + "\n", "\udcff\n"],
)
def test_what_a_kernel_writes_to_our_pipe_is_seen_and_not_believed(worker, text):
    worker.request("echo", timeout_s=20, value=1)
    with pytest.raises(KernelCrashError, match="wrote to a descriptor that is not its own"):
        worker.request("write_everywhere", timeout_s=20, text=text.replace("\udcff", "\u00ff"))
    assert worker.generation == 1
    assert worker.request("echo", timeout_s=20, value=4)["value"] == 4


def test_an_answer_that_is_no_number_is_not_believed(worker):
    with pytest.raises(KernelCrashError):
        worker.request("nan", timeout_s=20)


@pytest.mark.usefixtures("hears_ctrl_c")
def test_an_interrupt_reaches_the_parent_only_and_the_late_answer_is_dropped(worker):
    pid = worker.request("pid", timeout_s=20)["pid"]
    os.kill(pid, signal.SIGINT)
    timer = threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        worker.request("sleep", timeout_s=20, seconds=0.5)
    timer.join()
    assert worker.request("echo", timeout_s=20, value="next")["value"] == "next"
    assert worker.request("pid", timeout_s=20)["pid"] == pid


def test_modules_of_the_user_do_not_hide_the_childs_own(tmp_path, monkeypatch):
    for name in ("json", "numpy", "runpy", "signal", "threading"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('not this one')")
    (tmp_path / "only_here.py").write_text(Path(worker_module.__file__).read_text())
    monkeypatch.syspath_prepend(tmp_path)
    worker = Worker("only_here")
    assert worker.request("echo", timeout_s=20, value=1)["value"] == 1
    worker.close()


def test_a_module_that_does_not_start(worker):
    broken = Worker("tests.fakes.no_such_module")
    with pytest.raises(BackendUnavailableError, match=r"(?s)does not start.*no_such_module"):
        broken.request("pid", timeout_s=20)
    broken.close()


def test_a_child_that_is_killed_while_it_starts_is_replaced(monkeypatch):
    worker, killed = Worker(MODULE, keep_spare=False), []

    def start_and_kill():
        child = start()
        if len(killed) < 2:
            os.kill(child.pid, signal.SIGKILL)
            killed.append(child)
        return child

    start = worker._start
    monkeypatch.setattr(worker, "_start", start_and_kill)
    assert worker.request("echo", timeout_s=20, value=1)["value"] == 1
    assert len(killed) == 2
    worker.close()


SCRIPT = """
import sys, time
from pytest_ascend_tune.backends.worker import Worker
worker = Worker({module!r})
pid = worker.request("pid", timeout_s=60)["pid"]
print(pid, *worker.children(), flush=True)
{rest}
"""


def run_script(tmp_path: Path, rest: str, **options) -> subprocess.Popen[str]:
    """A user's script without a main guard, in a folder of its own, with this checkout on its path."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(module=MODULE, rest=rest))
    root = str(Path(__file__).parents[2])
    return subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": root},
        **options,
    )


@pytest.mark.parametrize("busy", ["", 'worker.request("spin", timeout_s=600)'], ids=["idle", "in a kernel"])
def test_no_orphan_after_the_parent_is_killed(tmp_path, busy):
    parent = run_script(tmp_path, busy + "\ntime.sleep(600)")
    assert parent.stdout is not None
    children = list(map(int, parent.stdout.readline().split()))
    assert len(set(children)) == 2
    assert all(map(is_alive, children))
    time.sleep(0.2)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert wait_until(lambda: not any(map(is_alive, children)))


def test_a_script_without_a_main_guard_may_end_without_closing(tmp_path):
    parent = run_script(
        tmp_path, "print(worker.request('echo', timeout_s=60, value=7)['value'])", stderr=subprocess.PIPE
    )
    output, errors = parent.communicate(timeout=120)
    children = list(map(int, output.splitlines()[0].split()))
    assert output.splitlines()[1:] == ["7"]
    assert errors == ""
    assert parent.returncode == 0
    assert wait_until(lambda: not any(map(is_alive, children)))


def test_a_fork_of_the_owner_leaves_the_worker_alone(tmp_path):
    rest = """
import os
if os.fork() == 0:
    sys.exit()  # runs what is registered for the exit
os.wait()
print(worker.request('pid', timeout_s=60)['pid'])
"""
    parent = run_script(tmp_path, rest)
    output, _ = parent.communicate(timeout=120)
    before, after = output.splitlines()
    assert before.split()[0] == after
