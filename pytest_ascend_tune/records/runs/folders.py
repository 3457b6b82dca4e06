"""Names and places of everything written under one root: runs, their problems, and what git is to leave alone."""

from __future__ import annotations

import contextlib
import re
from datetime import datetime, timedelta, timezone
from pathlib import Path

from pytest_ascend_tune.files import atomic
from pytest_ascend_tune.model.errors import RecordError
from pytest_ascend_tune.model.problem import GemmProblem

HISTORY = "history.json"
CONVERGENCE = "convergence.json"
BEST_CONFIG = "best_config.json"
JOURNAL = "journal.jsonl"
NOT_MEASURED = "not_measured.json"
_RUN = "%Y%m%d-%H%M%S"
GIT_IGNORE = """\
# Made by pytest-ascend-tune: only the baselines are meant to be committed.
/*
!/.gitignore
!/baselines/
*.tmp
"""


def prepare_root(root: Path) -> None:
    """Make the directory of everything written, with a .gitignore that leaves only baselines to git."""
    atomic.check_writable(root)
    if not (root / ".gitignore").exists():
        atomic.write_text(root / ".gitignore", GIT_IGNORE)


def make_run(root: Path, now: datetime) -> Path:
    """A new folder for a run, named by its start in UTC: ``20261130-083100``.

    Names sort by the order of runs: where one is taken, or the clock went back, it is a second after the newest.
    """
    runs = root / "runs"
    start = now.astimezone(timezone.utc).replace(microsecond=0)
    try:
        runs.mkdir(parents=True, exist_ok=True)
        while True:
            taken = [_start_of(folder.name) for folder in runs.iterdir()]
            start = max([start, *(time + timedelta(seconds=1) for time in taken if time)])
            with contextlib.suppress(FileExistsError):  # another run was quicker
                (runs / start.strftime(_RUN)).mkdir()
                return runs / start.strftime(_RUN)
    except OSError as cause:
        raise RecordError(f"{runs}: a folder of a run cannot be made ({cause.strerror or cause})") from cause


def _start_of(name: str) -> datetime | None:
    try:
        return datetime.strptime(name[:15], _RUN).replace(tzinfo=timezone.utc)
    except ValueError:  # not ours
        return None


def problem_folder(run: Path, template: str, problem: GemmProblem) -> Path:
    """Folder of one problem in a run."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", template):
        raise RecordError(f"template {template!r} cannot name a folder: 100 letters, digits, '.', '_', '-' are allowed")
    return run / template / problem.id


def result_folders(path: Path) -> tuple[Path, ...]:
    """Folders of all finished problems at or below `path` (a run, a runs folder, or one problem's folder), sorted."""
    return tuple(sorted(found.parent for found in path.rglob(BEST_CONFIG)))
