"""Deletes old runs: whole folders that we made and marked, in which all is ours and nothing waits for anybody."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_ascend_tune.files import jsontext, workspace
from pytest_ascend_tune.files.atomic import is_leftover
from pytest_ascend_tune.files.locks import Lock
from pytest_ascend_tune.model.errors import BaselineError, ProblemError, RecordError
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.search import ConvergenceState
from pytest_ascend_tune.records.baselines.candidates import FILE_NAME as CANDIDATE
from pytest_ascend_tune.records.baselines.candidates import SOURCES, read_candidate
from pytest_ascend_tune.records.baselines.sources import are_kept
from pytest_ascend_tune.records.baselines.store import BaselineStore
from pytest_ascend_tune.records.runs.folders import (
    BEST_CONFIG,
    CONVERGENCE,
    HISTORY,
    JOURNAL,
    NOT_MEASURED,
    PICTURES,
    RUN_NAME,
)

_OF_A_RUN = frozenset((workspace.MARKER, workspace.GIT_IGNORE, NOT_MEASURED))
_OF_A_PROBLEM = frozenset((JOURNAL, f"{JOURNAL}.lease", HISTORY, CONVERGENCE, BEST_CONFIG, CANDIDATE, *PICTURES))
_DOOMED = re.compile(r"\.\d{8}-\d{6}\.deleted")  # what a run is renamed to first: half of one is never read as a run


@dataclass(frozen=True)
class Pruned:
    """What became of the runs beyond those to keep: folders that were deleted, and why others were not."""

    deleted: tuple[Path, ...] = ()
    kept: tuple[tuple[Path, str], ...] = ()


def prune_runs(root: Path, keep: int, *, dry_run: bool = False) -> Pruned:
    """Delete the runs below `root` but the newest `keep`.

    Kept are also: a run with a search that was not finished or is under way, one that holds the newest result of a
    problem that can still be accepted as its baseline, one without our marker, and one that holds anything of somebody
    else's. Nothing is deleted through a link. Raises RecordError when a folder cannot be deleted.
    """
    folder = root / "runs"
    if not folder.is_dir() or folder.is_symlink():
        return Pruned()
    runs = sorted((run for run in folder.iterdir() if RUN_NAME.fullmatch(run.name)), reverse=True)
    deleted, kept = [], []
    for number, run in enumerate(runs[keep:], keep):
        reason = _why_kept(run, runs[:number], BaselineStore(root))
        if reason:
            kept.append((run, reason))
        else:
            deleted.append(run)
    if not dry_run:
        for leftover in [path for path in folder.iterdir() if _DOOMED.fullmatch(path.name)]:
            _delete(leftover)
        for run in deleted:
            _delete(run)
    return Pruned(tuple(deleted), tuple(kept))


def _delete(run: Path) -> None:
    if run.is_symlink() or not workspace.is_marked(run):
        return
    doomed = run if _DOOMED.fullmatch(run.name) else run.with_name(f".{run.name}.deleted")
    try:
        if doomed != run:
            run.rename(doomed)
        for path in doomed.iterdir():
            if path.name == workspace.MARKER:
                continue  # last: without it nobody would go on after a kill
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
        (doomed / workspace.MARKER).unlink()
        doomed.rmdir()
    except FileNotFoundError:
        return  # another process was quicker
    except OSError as cause:
        raise RecordError(f"{cause.filename or run}: cannot be deleted ({cause.strerror or cause})") from cause


def _why_kept(run: Path, newer: Sequence[Path], store: BaselineStore) -> str:
    """Why a run may not be deleted, "" when it may."""
    if run.is_symlink() or not workspace.is_marked(run):
        return f"it has no {workspace.MARKER}: another program, or an early version, made it"
    foreign = next(_foreign(run), None)
    if foreign is not None:
        return f"{foreign.relative_to(run)} is not ours"
    for problem in sorted(path for path in run.glob("*/*") if path.is_dir()):
        name = problem.relative_to(run)
        try:
            if _is_open(problem):
                return f"{name}: its search was not finished; --ascend-tune-resume goes on with it"
            if _is_waiting(problem, newer, store):
                return f"{name}: can still be accepted as a baseline (ascend-tune baseline accept)"
        except (RecordError, OSError) as error:
            return f"{name}: {error}"
    return ""


def _foreign(run: Path) -> Iterator[Path]:
    """What in a run's folder we did not write."""
    for path in sorted(run.iterdir()):
        if path.is_dir() and not path.is_symlink():
            for problem in sorted(path.iterdir()):
                yield from _foreign_in(problem) if _is_problem(problem) else [problem]
        elif path.name not in _OF_A_RUN or path.is_symlink():
            yield path


def _foreign_in(problem: Path) -> Iterator[Path]:
    for path in sorted(problem.iterdir()):
        if path.name == SOURCES and path.is_dir():
            if not (problem / CANDIDATE).is_file() or not _are_its_own(problem):
                yield path
        elif path.is_symlink() or path.is_dir() or not (path.name in _OF_A_PROBLEM or is_leftover(path.name)):
            yield path


def _are_its_own(problem: Path) -> bool:
    try:
        return are_kept(problem / SOURCES, read_candidate(problem)[0].source_hash)
    except BaselineError:
        return False


def _is_problem(folder: Path) -> bool:
    try:
        return GemmProblem.from_id(folder.name).id == folder.name and folder.is_dir() and not folder.is_symlink()
    except ProblemError:
        return False


def _is_open(problem: Path) -> bool:
    """Whether a search can go on here: it was killed or interrupted, or is under way."""
    journal = problem / JOURNAL
    if not journal.is_file():
        return False
    if not (problem / BEST_CONFIG).is_file() or not (problem / CONVERGENCE).is_file():
        return True
    data = jsontext.read_document(problem / CONVERGENCE).data
    if not isinstance(data, dict) or data.get("state") == ConvergenceState.INTERRUPTED:
        return True
    descriptor = os.open(journal, os.O_RDWR | os.O_NOFOLLOW)
    lock = Lock(journal, descriptor)
    try:
        return not lock.take()
    finally:
        lock.release()
        os.close(descriptor)


def _is_waiting(problem: Path, newer: Sequence[Path], store: BaselineStore) -> bool:
    """Whether this is the newest result that could become a problem's baseline, and none was recorded since."""
    if not (problem / CANDIDATE).is_file():
        return False
    candidate = read_candidate(problem)[0]
    place = Path(problem.parent.name) / problem.name / CANDIDATE
    for run in newer:
        if (run / place).is_file() and read_candidate((run / place).parent)[0].key == candidate.key:
            return False
    stored = store.load(candidate.key)
    return stored is None or stored.recorded_moment < candidate.recorded_moment
