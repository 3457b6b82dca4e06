"""Ctrl-C at any point of a run: every problem asked for has a result or is named as not measured, and nothing is torn.

The signal is sent where a function is called.
"""

import json
import os
import re
import signal
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

from tests.plugin.conftest import SIMPLE, Project

THREE = "".join(SIMPLE.replace("test_gemm", f"test_{m}").replace("m=64", f"m={m}") for m in (16, 32, 64))
FIRST, SECOND, THIRD = IDS = [f"{m}x64x64-float32-nn" for m in (16, 32, 64)]
IN_IT, BEFORE_IT = "the run was interrupted while it was measured", "the run ended before it"
POINTS = {  # where it is called, and what is to be found of the problem then
    "after the search": ("search.effects", "missed"),
    "its last line": ("search.ProgressLine.done", "missed"),
    "confirmation": ("judge.confirm_search", "interrupted"),
    "verdict": ("judge.judge", "interrupted"),
    "baseline": ("record.baseline_of", "recorded"),
    "candidate": ("record.write_candidate", "recorded"),
    "store": ("run.BaselineStore.seed", "recorded"),
    "run folder": ("gate.write_run", "recorded"),
    "pictures": ("gate.write_run_pictures", "recorded"),
    "history": ("run.History.append", "recorded"),
}
Interrupt = Callable[..., tuple[dict[str, Any], pytest.RunResult]]


@pytest.fixture
def interrupted(project: Project, monkeypatch: pytest.MonkeyPatch, hears_ctrl_c: None) -> Interrupt:
    """Runs three problems, interrupted where a function is called for the second; results.json and the terminal."""
    project.pytester.makepyfile(THREE)

    def run(place: str = "", when: str = r"GemmProblem\(m=32|32x64x64") -> tuple[dict[str, Any], pytest.RunResult]:
        if place:
            module, *owner, name = place.split(".")
            holder: Any = import_module(f"pytest_ascend_tune.session.{module}")
            for part in owner:
                holder = getattr(holder, part)
            called = getattr(holder, name)

            def sends(*arguments: Any, **options: Any) -> Any:
                if re.search(when, str(arguments)):
                    os.kill(os.getpid(), signal.SIGINT)
                return called(*arguments, **options)

            monkeypatch.setattr(holder, name, sends)
        options = ("--ascend-tune-missing=seed", "-p", "no:randomly")
        result = project.run(*options, budget=2, no_reraise_ctrlc=True)
        assert result.ret == pytest.ExitCode.INTERRUPTED
        return json.loads((project.path / ".ascend-tune/report/results.json").read_text("utf-8")), result

    return run


@pytest.mark.parametrize(("place", "expected"), POINTS.values(), ids=POINTS.keys())
def test_no_problem_vanishes(project, interrupted, place, expected):
    document, _ = interrupted(place)
    found = {entry["problem"]: entry for entry in document["results"]}
    missed = {entry["problem"]: entry["reason"] for entry in document["not_measured"]}
    recorded = {path.stem for path in (project.path / ".ascend-tune/baselines").rglob("*-nn.json")}
    if expected == "missed":
        assert found.keys() == {FIRST}
        assert missed == {SECOND: IN_IT, THIRD: BEFORE_IT}
    else:
        assert found.keys() == {FIRST, SECOND}
        assert missed == {THIRD: BEFORE_IT}
        assert found[SECOND]["status"] == ("inconclusive" if expected == "interrupted" else "no_baseline")
        assert len(list((project.path / ".ascend-tune/runs").rglob("best_config.json"))) == 2
    assert recorded == ({FIRST, SECOND} if expected == "recorded" else {FIRST})


def test_before_anything_is_searched(interrupted):
    document, _ = interrupted("gate.device_turn", "")
    assert {one["problem"]: one["reason"] for one in document["not_measured"]} == {
        FIRST: IN_IT,
        SECOND: BEFORE_IT,
        THIRD: BEFORE_IT,
    }


def test_in_the_test_itself(project, interrupted):
    project.pytester.makepyfile("import os\n" + THREE.replace("result =", "os.kill(os.getpid(), 2); result ="))
    document, _ = interrupted()
    assert [one["problem"] for one in document["not_measured"]] == IDS


def test_in_the_second_problem_of_a_test(project, interrupted):
    calls = "ascend_tune(m=16); result = ascend_tune(m=32)"
    project.pytester.makepyfile(SIMPLE.replace("result = ascend_tune()", calls))
    document, _ = interrupted("search.effects")
    assert [entry["problem"] for entry in document["results"]] == [FIRST]
    assert [(one["problem"], one["reason"]) for one in document["not_measured"]] == [(SECOND, IN_IT)]


def test_page_summary_and_terminal_say_the_same(project, interrupted):
    _, result = interrupted("gate.write_run")
    said = "Incomplete: the run was interrupted. What was confirmed until then stands, recorded baselines too; "
    result.stdout.fnmatch_lines(["Baselines recorded: 2*", f"{said}*"])
    for name in ("index.html", "summary.md"):
        assert said in (project.path / ".ascend-tune/report" / name).read_text("utf-8")
