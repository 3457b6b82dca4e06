"""--ascend-tune-old-cxx: the baseline's tool chain is still here, its build is one more arm and decides."""

import json

import pytest

from tests.plugin.conftest import CONFTEST, SIMPLE
from tests.plugin.test_gate import results, statuses

OLD = "--ascend-tune-old-cxx=fake-cc 1.0"


def newer_toolchain(project, slowdown: float) -> None:
    lines = f"backend.toolchain, backend.toolchain_slowdown = 'fake-cc 2.0', {slowdown}"
    project.pytester.makeconftest(CONFTEST.replace("BACKENDS.append(backend)", lines))


@pytest.fixture
def seeded(project):
    project.pytester.makepyfile(SIMPLE)
    project.run("--ascend-tune-missing=seed", budget=2).assert_outcomes(passed=1)
    return project


def said(project) -> str:
    (result,) = results(project)["results"]
    return json.dumps([result["reason"], *result["notes"]])


def test_a_loss_far_below_the_threshold_of_stored_numbers_is_found(seeded):
    newer_toolchain(seeded, 1.05)
    seeded.run(budget=2).assert_outcomes(passed=1)
    assert statuses(seeded) == ["passed"]
    seeded.run(OLD, budget=2).assert_outcomes(failed=1)
    assert (statuses(seeded), results(seeded)["results"][0]["cause"]) == (["regressed"], "platform")
    assert "compiler fake-cc 1.0 -> fake-cc 2.0" in said(seeded)
    assert "the strongest proof" in said(seeded)
    seeded.run(OLD, "--ascend-tune-platform=warn", budget=2).assert_outcomes(passed=1)


def test_one_that_builds_as_fast_is_cleared_and_others_are_no_witness(seeded):
    seeded.run(OLD, budget=2).assert_outcomes(passed=1)
    assert "it is the one of today" in said(seeded)
    newer_toolchain(seeded, 1.0)
    seeded.run("--ascend-tune-old-cxx=fake-cc 0.9", budget=2).assert_outcomes(passed=1)
    assert "compiler is fake-cc 0.9, fake-cc 1.0 was recorded" in said(seeded)
    seeded.run(OLD, budget=2).assert_outcomes(passed=1)
    assert statuses(seeded) == ["passed"]
    assert "not the tool chain" in said(seeded)


def test_the_ini_twin(seeded):
    newer_toolchain(seeded, 1.2)
    seeded.pytester.makeini("[pytest]\nascend_tune_old_cxx = fake-cc 1.0\n")
    seeded.run(budget=2).assert_outcomes(failed=1)
    assert "side by side" in said(seeded)


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("--ascend-tune-old-cxx=nowhere/g++", "*--ascend-tune-old-cxx: 'nowhere/g++' is no tool chain*"),
        ("--ascend-tune-old-cxx=", "*--ascend-tune-old-cxx: '' is not allowed; a text that is not empty is needed*"),
        ("--ascend-tune-old-cann=.", "*--ascend-tune-old-cann=.: backend cpu has no use for it*"),
    ],
)
def test_a_bad_one_is_a_usage_error_before_anything_is_measured(project, option, words):
    project.pytester.makepyfile(SIMPLE)
    refused = project.run(option, budget=2)
    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    refused.stderr.fnmatch_lines([words])
    assert not project.runs()
