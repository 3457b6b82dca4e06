"""Names and places of everything written under one root: runs, their problems, and what git is to leave alone."""

from __future__ import annotations

import contextlib
import re
from datetime import datetime, timedelta, timezone
from pathlib import Path

from pytest_ascend_tune.files import atomic, workspace
from pytest_ascend_tune.model.errors import RecordError
from pytest_ascend_tune.model.names import check_name
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.verdict import with_variant

HISTORY = "history.json"
CONVERGENCE = "convergence.json"
BEST_CONFIG = "best_config.json"
JOURNAL = "journal.jsonl"
NOT_MEASURED = "not_measured.json"
PICTURES = ("bo_convergence_curve.png", "bo_performance_distribution.png")
RUN_NAME = re.compile(r"\d{8}-\d{6}")
_RUN = "%Y%m%d-%H%M%S"
REPORT_FILES = ("index.html", "results.json", "summary.md")
WRITTEN = ("cache", "report", "runs", "history.sqlite", ".baselines.lock")  # below a root; baselines have their store


def prepare_root(root: Path) -> None:
    """Make the directory of everything written and see that we may write there. Raises RecordError."""
    workspace.make_root(root)
    atomic.check_writable(root)
    for name in WRITTEN:
        workspace.check_links(root, root / name)


def claim_report(root: Path) -> None:
    """Make the folder of the reports below `root`. Raises RecordError."""
    try:
        workspace.claim(root / "report", set(REPORT_FILES).issuperset)
    except OSError as cause:
        raise RecordError(f"{root / 'report'}: cannot be made ({cause.strerror or cause})") from cause
    for name in REPORT_FILES:
        workspace.check_links(root, root / "report" / name)


def make_run(root: Path, now: datetime) -> Path:
    """A new folder for a run, named by its start in UTC: ``20261130-083100``.

    Each is marked by itself, for ``runs/`` may be somebody else's. Names sort by the order of runs: where one is
    taken, or the clock went back, it is a second after the newest.
    """
    runs = root / "runs"
    start = now.astimezone(timezone.utc).replace(microsecond=0)
    try:
        workspace.check_links(root, runs)
        workspace.make_root(root)
        runs.mkdir(exist_ok=True)
        while True:
            taken = [_start_of(folder.name) for folder in runs.iterdir()]
            start = max([start, *(time + timedelta(seconds=1) for time in taken if time)])
            with contextlib.suppress(FileExistsError):  # another run was quicker
                run = runs / start.strftime(_RUN)
                run.mkdir()
                workspace.furnish(run)
                return run
    except OSError as cause:
        raise RecordError(f"{runs}: a folder of a run cannot be made ({cause.strerror or cause})") from cause


def _start_of(name: str) -> datetime | None:
    try:
        return datetime.strptime(name[:15], _RUN).replace(tzinfo=timezone.utc)
    except ValueError:  # not ours
        return None


def problem_folder(run: Path, template: str, problem: GemmProblem, variant: str = "") -> Path:
    """Folder of one problem in a run."""
    return run / check_name("template", template, RecordError) / with_variant(problem.id, variant)


def result_folders(path: Path) -> tuple[Path, ...]:
    """Folders of all finished problems at or below `path` (a run, a runs folder, or one problem's folder), sorted."""
    return tuple(sorted(found.parent for found in path.rglob(BEST_CONFIG)))
