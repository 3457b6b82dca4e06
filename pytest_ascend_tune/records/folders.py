"""Names and places of everything written under one root: runs, their problems, and what git is to leave alone."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from pathlib import Path

from pytest_ascend_tune import atomic
from pytest_ascend_tune.errors import RecordError
from pytest_ascend_tune.model import GemmProblem

HISTORY = "history.json"
CONVERGENCE = "convergence.json"
BEST_CONFIG = "best_config.json"
JOURNAL = "journal.jsonl"
NOT_MEASURED = "not_measured.json"
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


def new_run_id(now: datetime) -> str:
    """Name of a run's folder; sorts by time: ``20261130-083100`` (UTC)."""
    return f"{now.astimezone(timezone.utc):%Y%m%d-%H%M%S}"


def make_run(root: Path, now: datetime) -> Path:
    """A new folder for a run; two runs that start in the same second get different ones."""
    base = root / "runs" / new_run_id(now)
    try:
        base.parent.mkdir(parents=True, exist_ok=True)
        for number in range(1, 1000):
            folder = base if number == 1 else base.with_name(f"{base.name}-{number}")
            try:
                folder.mkdir()
                return folder
            except FileExistsError:
                continue
    except OSError as cause:
        raise RecordError(f"{base}: cannot be made ({cause.strerror or cause})") from cause
    raise RecordError(f"{base}: a thousand runs in one second")


def problem_folder(run: Path, template: str, problem: GemmProblem) -> Path:
    """Folder of one problem in a run."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", template):
        raise RecordError(f"template {template!r} cannot name a folder: 100 letters, digits, '.', '_', '-' are allowed")
    return run / template / problem.id


def result_folders(path: Path) -> tuple[Path, ...]:
    """Folders of all finished problems at or below `path` (a run, a runs folder, or one problem's folder), sorted."""
    return tuple(sorted(found.parent for found in path.rglob(BEST_CONFIG)))
