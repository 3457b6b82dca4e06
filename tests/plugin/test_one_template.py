"""Each problem's template is found once, at collection, and holds for all that is made of the problem after that."""

import json
import shlex
from pathlib import Path

import pytest

from pytest_ascend_tune import cli
from pytest_ascend_tune.records.runs.folders import result_folders
from pytest_ascend_tune.records.runs.results import read_run
from pytest_ascend_tune.reports.text.commands import reproduce_command
from tests.plugin.conftest import CONFTEST, SIMPLE, SPACE

PLAIN = ("-p", "no:cacheprovider", "--ascend-tune", "--ascend-tune-max-iter=3")


@pytest.fixture
def slow(project, monkeypatch):
    """A second template, twenty times as slow as the project's default."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    project.pytester.makeconftest(CONFTEST.replace('name == "auto"', "name in ('auto', 'cpu')"))
    project.write("slow/space.toml", SPACE)
    project.write("slow/tiny.cpp", "// slowdown: 20\n")
    project.write("pytest.ini", "[pytest]\nascend_tune_template = tiny\n")
    return project


def newest_run(folder):
    run = sorted(folder.glob(".ascend-tune/runs/*"))[-1]
    return [read_run(found) for found in result_folders(run)]


def test_pytest_benchmark_times_the_template_that_was_gated(slow):
    pytest.importorskip("pytest_benchmark")
    asking = SIMPLE.replace("(ascend_tune)", "(ascend_tune, benchmark)")
    marked = asking.replace("k=64)", "k=64, template='slow')")
    called = asking.replace("m=64", "m=128").replace("ascend_tune()", "ascend_tune(template='slow')")
    slow.pytester.makepyfile(marked + called.replace("test_gemm", "test_called"))
    slow.pytester.runpytest_subprocess(*PLAIN, "--benchmark-json=bench.json").assert_outcomes(passed=2)
    entries = {
        entry["extra_info"]["problem"]: entry
        for entry in json.loads((slow.path / "bench.json").read_text())["benchmarks"]
    }
    assert len(entries) == 2
    for result in newest_run(slow.path):
        assert result.tuning.template == "slow"
        seconds = result.confirmation.winner.time_us * 1e-6
        assert entries[result.tuning.problem.id]["stats"]["median"] == pytest.approx(seconds, rel=0.1)


@pytest.mark.parametrize(
    ("ini", "templates"),
    [("tiny", ("", ", template='tiny'")), ("slow", ("", ", template='./slow'")), ("slow", (", template='slow'", ""))],
)
def test_one_template_under_two_names_is_found_at_collection(slow, ini, templates):
    tests = [
        SIMPLE.replace("k=64)", f"k=64{template})").replace("test_gemm", f"test_{number}")
        for number, template in enumerate(templates)
    ]
    slow.pytester.makepyfile("".join(tests))
    slow.write("pytest.ini", f"[pytest]\nascend_tune_template = {ini}\n")
    result = slow.pytester.runpytest_inprocess(*PLAIN)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*test_1: 64x64x64-float32-nn * is tuned by *::test_0 already; each problem once*"])
    assert not slow.runs()


def test_the_default_template_named_and_not_named(slow):
    """Nothing names a template but one marker: the backend's default is the same one."""
    slow.write("pytest.ini", "[pytest]\nascend_tune_backend = simulator\n")
    named = SIMPLE.replace("k=64)", "k=64, template='catlass_gemm')").replace("test_gemm", "test_named")
    slow.pytester.makepyfile(SIMPLE + named)
    result = slow.pytester.runpytest_inprocess(*PLAIN)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*test_named: 64x64x64-float16-nn * is tuned by *::test_gemm already*"])
    assert not slow.runs()


def test_what_k_takes_out_is_no_second_time(slow):
    slow.pytester.makepyfile(SIMPLE + SIMPLE.replace("test_gemm", "test_b").replace("k=64)", "k=64, template='tiny')"))
    slow.run("-k", "test_b", budget=2).assert_outcomes(passed=1, deselected=1)


SHAPES = "m,n,k,min_efficiency\n64,64,64,1%\n128,64,64,\n"


def same(again, first):
    assert (again.nodeid, again.tuning.problem, again.tuning.template, again.config, again.policy) == (
        first.nodeid,
        first.tuning.problem,
        first.tuning.template,
        first.config,
        first.policy,
    )
    assert (again.tuning.seed, len(again.tuning.trials)) == (first.tuning.seed, len(first.tuning.trials))


def test_do_it_again_of_a_shapes_file_on_the_command_line(slow, monkeypatch):
    monkeypatch.chdir(slow.path)
    slow.write("s.csv", SHAPES)
    given = ["--backend", "simulator", "--max-iter", "3", "--template", "catlass_gemm", "--min-efficiency", "2%"]
    assert cli.main(["tune", "--shapes", "s.csv", *given]) in (0, 1)
    results = newest_run(slow.path)
    assert {result.policy.min_efficiency for result in results} == {0.01, 0.02}
    for first in results:
        program, *arguments = shlex.split(reproduce_command(first))
        assert program == "ascend-tune"
        assert cli.main(arguments) in (0, 1)
        (again,) = newest_run(slow.path)
        same(again, first)


def test_do_it_again_of_a_shapes_file_under_pytest(slow):
    slow.write("s.csv", SHAPES)
    slow.write("sub/other.csv", "m,n,k\n16,16,16\n")
    slow.run("--ascend-tune-shapes=s.csv", "--ascend-tune-shapes=sub/other.csv", budget=3).assert_outcomes(passed=3)
    results = newest_run(slow.path)
    assert len(results) == 3
    for first in results:
        program, *arguments = shlex.split(reproduce_command(first))
        assert program == "pytest"
        slow.pytester.runpytest_inprocess("-p", "no:cacheprovider", *arguments).assert_outcomes(passed=1)
        (again,) = newest_run(slow.path)
        same(again, first)
