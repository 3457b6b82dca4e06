"""A command with everything that it starts, where its supervisor is killed, and where a cgroup can be had."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pytest_ascend_tune.backends import cgroup
from pytest_ascend_tune.backends.supervised import Supervised

SLEEPER = "env -i setsid sleep 600 & echo $! > pid; kill -9 $PPID; sleep 60"


@pytest.fixture
def group():
    made = cgroup.make("ascend-tune-of-a-test")
    if made is None:
        pytest.skip("no cgroup v2 with cgroup.kill that this process may change")
    yield made
    cgroup.end(made)


def is_alive(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def groups() -> set[str]:
    return {path.name for path in (cgroup._mounted() / cgroup._own().lstrip("/")).glob("ascend-tune-*")}


def test_a_cgroup_ends_what_no_parent_and_no_mark_leads_to(group, tmp_path):
    before = groups()
    supervised = Supervised(["sh", "-c", SLEEPER], cwd=tmp_path)
    supervised.wait(30)
    supervised.end()
    assert not is_alive((tmp_path / "pid").read_text().strip())
    assert groups() == before


def test_it_is_removed_with_what_is_in_it(group):
    sleeper = subprocess.Popen(["sleep", "600"])
    (group / "cgroup.procs").write_text(str(sleeper.pid))
    cgroup.end(group)
    assert sleeper.wait(20) == -9
    assert not group.exists()
    cgroup.end(group)


def test_without_a_cgroup_the_rest_does_the_same(monkeypatch, tmp_path):
    monkeypatch.setattr(cgroup, "make", lambda name: None)
    supervised = Supervised(["sh", "-c", SLEEPER.replace("env -i ", "")], cwd=tmp_path)
    supervised.wait(30)
    supervised.end()
    assert not is_alive((tmp_path / "pid").read_text().strip())


@pytest.mark.parametrize("lines", ["", "9:cpu:/\n", "0::/of/somebody/else\n"])
def test_where_there_is_none(monkeypatch, lines):
    real = Path.read_text

    def read_text(path, *arguments, **keywords):
        return lines if str(path) == "/proc/self/cgroup" else real(path, *arguments, **keywords)

    monkeypatch.setattr(Path, "read_text", read_text)
    assert cgroup.make("ascend-tune-of-a-test") is None


def test_the_exit_code_is_that_of_the_command():
    for code in (0, 3, -15):
        how = f"raise SystemExit({code})" if code >= 0 else f"import os; os.kill(os.getpid(), {-code})"
        supervised = Supervised([sys.executable, "-c", how])
        assert supervised.wait(30) == code
        assert supervised.end() == code
        assert supervised.end() == code
