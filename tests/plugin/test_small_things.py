"""What a quick run keeps, and how waiting for a device ends."""

import json
import os

import pytest

from pytest_ascend_tune import cli
from pytest_ascend_tune.execute.locks import Waiting, device_turn
from tests.fakes.backend import FakeBackend
from tests.plugin.conftest import SIMPLE
from tests.plugin.test_gate import results


def stored(project):
    (path,) = (project.path / ".ascend-tune/baselines/main").rglob("64x64x64-*.json")
    return json.loads(path.read_text())


def test_a_quick_run_that_records_keeps_what_the_search_found(project, capsys):
    project.pytester.makepyfile(SIMPLE)
    project.run("--ascend-tune-missing=seed", budget=12)
    found = stored(project)
    assert len(found["runners_up"]) == 4
    project.run("--ascend-tune-update-baseline", budget=0).assert_outcomes(passed=1)
    again = stored(project)
    assert again["recorded_at"] >= found["recorded_at"]
    assert (again["config"], again["runners_up"]) == (found["config"], found["runners_up"])
    project.run(budget=0)
    run = project.path / ".ascend-tune" / results(project)["results"][0]["run_dir"]
    assert cli.main(["baseline", "accept", str(run), "--dir", str(project.path / ".ascend-tune")]) == 0
    assert stored(project)["runners_up"] == found["runners_up"]


def test_a_device_that_stays_busy_is_not_measured_and_its_holder_is_named(project):
    project.pytester.makepyfile(SIMPLE)
    holder = FakeBackend(device="fake-1")
    with device_turn(holder, None, lambda text: None, Waiting()):
        run = project.run("--ascend-tune-wait=0")
    run.assert_outcomes(failed=1)
    assert run.ret == pytest.ExitCode.TESTS_FAILED
    run.stdout.fnmatch_lines([f"*fake-1 is held by another process, pid {os.getpid()} (*not measured*"])
    (missed,) = results(project)["not_measured"]
    assert f"pid {os.getpid()}" in missed["reason"]
    project.run("--ascend-tune-wait=0").assert_outcomes(passed=1)
