"""What a run was asked for and could not measure is said in every report, with the reason; nothing sounds green."""

import json
import os
from pathlib import Path

import pytest

from pytest_ascend_tune import cli
from tests.plugin.conftest import SIMPLE

BODY = """
import pytest

@pytest.mark.ascend_tune(m=64, n=64, k=64)
def test_gemm(ascend_tune):
    {body}
"""
GOOD = SIMPLE.replace("test_gemm", "test_good").replace("m=64", "m=32")


def document(project):
    return json.loads((project.path / ".ascend-tune/report/results.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("body", "problem", "reason", "skipped"),
    [
        ("ascend_tune(layout='tt')", "64x64x64-float32-tt", "template tiny has no layout tt (it has nn, nt)", False),
        ("ascend_tune(m=-1)", None, "m=-1 is out of range", False),
        ("ascend_tune(dtype='int8')", "64x64x64-int8-nn", "backend cpu has no int8", True),
        ("pass", "64x64x64-float32-nn", "never called it: nothing was measured", False),
        ("raise KeyError('first line')", "64x64x64-float32-nn", "KeyError: 'first line'", False),
        ("pytest.xfail('known')", "64x64x64-float32-nn", "known", True),
        ("ascend_tune(); ascend_tune(m=16, layout='tt')", "16x64x64-float32-tt", "no layout tt", False),
    ],
)
def test_in_every_report(project, body, problem, reason, skipped):
    project.pytester.makepyfile(BODY.format(body=body) + GOOD)
    result = project.run(budget=2)
    found = document(project)
    (missed,) = found["not_measured"]
    assert (missed["problem"], missed["skipped"]) == (problem, skipped)
    assert missed["nodeid"].endswith("::test_gemm")
    assert reason in missed["reason"]
    assert found["failed"] is not skipped
    assert "ot measured: 1" in found["headline"]
    assert "All " not in found["headline"]
    result.stdout.fnmatch_lines([f"*not measured: {problem or missed['nodeid']}: *"])
    for name in ("index.html", "summary.md"):
        assert (problem or "–") in (project.path / ".ascend-tune/report" / name).read_text("utf-8")
        assert "ot measured" in (project.path / ".ascend-tune/report" / name).read_text("utf-8")


def test_what_is_skipped_before_it_runs(project):
    project.pytester.makepyfile(SIMPLE.replace("m=64", "dtype='int8', m=64"))
    project.run(budget=2).assert_outcomes(skipped=1)
    (missed,) = document(project)["not_measured"]
    assert missed["problem"] == "64x64x64-int8-nn"
    assert missed["skipped"]


def test_what_a_stopped_run_left_out(project):
    project.pytester.makepyfile(BODY.format(body="ascend_tune(layout='tt')") + GOOD)
    project.run("-x", "-p", "no:randomly", budget=2)
    found = document(project)
    assert not found["complete"]
    assert [(one["problem"], one["reason"]) for one in found["not_measured"]][1:] == [
        ("32x64x64-float32-nn", "the run ended before it")
    ]


def test_nothing_is_missed_where_all_was_measured(project):
    project.pytester.makepyfile(BODY.format(body="ascend_tune(); ascend_tune(m=16); assert not 'measured'") + GOOD)
    project.run(budget=2).assert_outcomes(passed=1, failed=1)
    assert document(project)["not_measured"] == []
    assert not list((project.path / ".ascend-tune").glob("runs/*/not_measured.json"))


def test_a_baseline_of_what_was_not_measured_is_no_orphan(project):
    project.pytester.makepyfile(SIMPLE + GOOD)
    project.run("--ascend-tune-missing=seed", budget=2)
    project.pytester.makepyfile(SIMPLE.replace("result = ascend_tune()", "raise KeyError") + GOOD)
    project.run(budget=2).stdout.no_fnmatch_line("*baselines that no collected test matches*")


def test_xdist_hands_it_over(project, monkeypatch):
    pytest.importorskip("xdist")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    project.pytester.makepyfile(BODY.format(body="ascend_tune(layout='tt')") + GOOD)
    project.run("-n1", in_process=False, budget=2).assert_outcomes(passed=1, failed=1)
    found = document(project)
    assert [one["problem"] for one in found["not_measured"]] == ["64x64x64-float32-tt"]
    assert [one["problem"] for one in found["results"]] == ["32x64x64-float32-nn"]


def test_the_report_made_again_says_it_too(project):
    project.pytester.makepyfile(BODY.format(body="ascend_tune(layout='tt')") + GOOD)
    project.run(budget=2)
    (run,) = (project.path / ".ascend-tune/runs").iterdir()
    os.chdir(project.path)
    assert cli.main(["report", str(run)]) == 0
    again = json.loads((project.path / "report/results.json").read_text("utf-8"))
    assert again["not_measured"] == document(project)["not_measured"]
    assert again["headline"] == document(project)["headline"]
