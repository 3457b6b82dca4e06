"""With CI=true a run that compared nothing is red, and a run that recorded is not called passed."""

import json

import pytest

from tests.plugin.conftest import SIMPLE
from tests.plugin.test_gate import results, slow_template, statuses

TWO = """
import pytest

@pytest.mark.ascend_tune(shapes=[(64, 64, 64), (128, 64, 64)])
def test_gemm(ascend_tune):
    ascend_tune()
"""
CALLED = """
def test_small(ascend_tune):
    ascend_tune(m=64, n=64, k=64)

def test_large(ascend_tune):
    ascend_tune(m=128, n=64, k=64)
"""


@pytest.fixture(autouse=True)
def ci(monkeypatch):
    monkeypatch.setenv("CI", "true")


def headline(project):
    return results(project)["headline"]


def test_nothing_to_compare_with_fails_and_says_how_to_seed(project):
    project.pytester.makepyfile(SIMPLE)
    run = project.run()
    run.assert_outcomes(failed=1)
    assert statuses(project) == ["no_baseline"]
    (result,) = results(project)["results"]
    assert "no baseline for this device" in result["reason"]
    assert "--ascend-tune-missing=seed" in result["reason"]


def test_a_kernel_four_times_slower_in_a_fresh_workspace_is_not_green(project):
    project.pytester.makepyfile(SIMPLE)
    slow_template(project, 4.0)
    project.run().assert_outcomes(failed=1)


def test_outside_of_ci_it_is_said_only(project, monkeypatch):
    monkeypatch.delenv("CI")
    project.pytester.makepyfile(SIMPLE)
    project.run().assert_outcomes(passed=1)
    assert headline(project) == "No problem failed the gate. 1 of 1 have no baseline."


@pytest.mark.parametrize(
    "option", ["--ascend-tune-missing=warn", "--ascend-tune-missing=seed", "--ascend-tune-update-baseline"]
)
def test_what_is_given_wins(project, option):
    project.pytester.makepyfile(SIMPLE)
    project.run(option).assert_outcomes(passed=1)


def test_the_ini_file_wins_too(project):
    project.pytester.makepyfile(SIMPLE)
    project.pytester.makeini("[pytest]\nascend_tune_missing = warn\n")
    project.run().assert_outcomes(passed=1)


def test_one_of_two_without_a_baseline_is_counted(project):
    project.pytester.makepyfile(SIMPLE)
    project.run("--ascend-tune-missing=seed")
    project.pytester.makepyfile(TWO)
    project.run().assert_outcomes(passed=2)
    assert sorted(statuses(project)) == ["no_baseline", "passed"]
    assert headline(project).endswith("1 of 2 have no baseline.")
    project.run("--ascend-tune-missing=fail").assert_outcomes(passed=1, failed=1)


def test_of_problems_that_only_the_call_names_the_whole_run_decides(project):
    """The first test cannot know yet whether the second has something to be compared with."""
    project.pytester.makepyfile(CALLED)
    run = project.run()
    run.assert_outcomes(passed=2)
    assert run.ret == pytest.ExitCode.TESTS_FAILED
    run.stdout.fnmatch_lines(["no baseline for this device*--ascend-tune-missing=seed*"])
    project.run("--ascend-tune-missing=seed", "-k", "large")
    again = project.run()
    assert again.ret == pytest.ExitCode.OK
    assert sorted(statuses(project)) == ["no_baseline", "passed"]


def test_a_baseline_of_another_device_is_none(project):
    project.pytester.makepyfile(SIMPLE)
    project.run("--ascend-tune-missing=seed")
    (path,) = (project.path / ".ascend-tune/baselines/main").rglob("64x64x64-float32-nn.json")
    data = json.loads(path.read_text())
    data["recorded_with"]["identity"] = {"soc": "another"}
    path.write_text(json.dumps(data))
    project.run().assert_outcomes(failed=1)
    assert statuses(project) == ["not_comparable"]


def test_what_was_recorded_is_not_called_passed(project):
    project.pytester.makepyfile(SIMPLE)
    project.run("--ascend-tune-missing=seed")
    assert headline(project) == "Baselines recorded: 1. The next run is compared with them."
    project.pytester.makepyfile(TWO)
    project.run("--ascend-tune-missing=seed")
    assert headline(project) == "No problem failed the gate. 1 of 2 had no baseline: recorded."
