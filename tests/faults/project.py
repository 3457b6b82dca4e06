"""A project with one tuned test on a fake backend that is exact: a run that was disturbed can be compared with one
that was not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.plugin.conftest import SIMPLE, SPACE

BUDGET = 10
# Writes down every configuration that the search measures (thorough checks belong to the confirmation), takes a little
# time for each action, so that a signal can hit every place, and says when the session has begun.
CONFTEST = """
import os, time
from pathlib import Path
from tests.fakes.backend import FakeBackend

HERE = Path(__file__).parent

class Exact(FakeBackend):
    name = "cpu"

    def verify(self, artifact, problem, *, timeout_s, thorough=False):
        if not thorough:
            with open(HERE / "measured.txt", "a") as file:
                file.write(f"{artifact.config}\\n")
        time.sleep(0.002)
        super().verify(artifact, problem, timeout_s=timeout_s, thorough=thorough)

def pytest_ascend_tune_backend(config, name):
    (HERE / "begun").touch()
    return Exact()
"""
OPTIONS = ("--ascend-tune", "--ascend-tune-template=tiny", f"--ascend-tune-max-iter={BUDGET}", "-q")


def make_project(folder: Path, conftest: str = CONFTEST, tests: str = SIMPLE) -> Path:
    (folder / "tiny").mkdir(parents=True)
    (folder / "conftest.py").write_text(conftest)
    (folder / "tiny/space.toml").write_text(SPACE)
    (folder / "tiny/tiny.cpp").write_text("// kernel\n")
    (folder / "test_it.py").write_text(tests)
    (folder / "pytest.ini").write_text("[pytest]\n")
    return folder


def final_trials(folder: Path) -> list[dict[str, Any]]:
    """What the last run of the only problem found, without what depends on the clock."""
    (path,) = folder.glob(".ascend-tune/runs/*/*/*/history.json")
    trials: list[dict[str, Any]] = json.loads(path.read_text())["trials"]
    for trial in trials:
        trial.pop("build_s", None)
    return trials


def results(folder: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((folder / ".ascend-tune/report/results.json").read_text())
    return document


def measured(folder: Path) -> list[str]:
    """Configurations that a search measured, in order; a half-written last line (kill) is one that was begun."""
    path = folder / "measured.txt"
    return path.read_text().splitlines() if path.exists() else []


def assert_whole(folder: Path) -> None:
    """Every JSON file that stands under its own name can be read to its end."""
    for path in (folder / ".ascend-tune").rglob("*.json"):
        if not path.name.startswith("."):
            json.loads(path.read_text())
