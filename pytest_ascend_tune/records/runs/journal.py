"""The diary of a running search: a header line, then one line of JSON per trial, on disk before the next one starts.

After a kill the journal holds every finished trial; a resumed run reads them back and measures none of them twice.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass, fields
from io import FileIO
from pathlib import Path
from types import TracebackType

from pytest_ascend_tune.files import atomic, jsontext, locks
from pytest_ascend_tune.model.door import switch
from pytest_ascend_tune.model.errors import RecordError
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.search import Trial
from pytest_ascend_tune.records.format.codec import read_record, read_value, to_json

SCHEMA = 1
ADVICE = "move the file away to start afresh"


@dataclass(frozen=True)
class JournalHeader:
    """What the trials of a journal belong to; all of it must be the same for a run to go on from them."""

    problem: GemmProblem
    template: str
    source_hash: str
    backend: str
    device: str
    simulated: bool
    seed: int


class Journal:
    """Appends trials to a journal; one writer at a time. Make it with :meth:`create` or :meth:`resume`; close it."""

    def __init__(self, path: Path, file: FileIO) -> None:
        self.path = path
        self._file = file
        self._lock = locks.Lock(path, file.fileno())

    @classmethod
    def create(cls, path: Path, header: JournalHeader) -> Journal:
        """Start a new journal. Raises RecordError when the file exists: evidence is never overwritten."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            journal = cls(path, open(path, "xb", buffering=0))  # noqa: SIM115 - closed by close()
        except FileExistsError as cause:
            raise RecordError(f"{path}: exists; resume from it with {switch('resume')}, or {ADVICE}") from cause
        except OSError as cause:
            raise RecordError(f"{path}: cannot be written ({cause.strerror or cause})") from cause
        journal._take_lock()
        journal._write(_first_line(header))
        atomic.sync_directory(path.parent)
        return journal

    @classmethod
    def resume(cls, path: Path, header: JournalHeader) -> tuple[Journal, tuple[Trial, ...]]:
        """Go on with a journal of the same job: its trials, and the journal to append to. Raises RecordError.

        A last line, or header, that a kill left half-written is cut off.
        """
        try:
            journal = cls(path, open(path, "r+b", buffering=0))  # noqa: SIM115 - closed by close()
        except OSError as cause:
            raise RecordError(f"{path}: cannot be resumed ({cause.strerror or cause})") from cause
        try:
            journal._take_lock()
            raw = journal._file.read()
            unborn = _first_line(header).startswith(raw) and not raw.endswith(b"\n")  # killed while writing the header
            if not unborn:
                found, trials = _parse(path, raw)
                _check_same(path, found, header)
            journal._cut(raw.rfind(b"\n") + 1)
            if unborn:
                trials = ()
                journal._write(_first_line(header))
        except BaseException:
            journal.close()
            raise
        return journal, trials

    def append(self, trial: Trial) -> None:
        """Put a finished trial on disk. Raises RecordError (disk full, say); earlier lines are then still whole."""
        self._write(jsontext.dump_line(to_json(trial, skip_defaults=True)).encode() + b"\n")

    def close(self) -> None:
        """Let others at the file. May be called twice."""
        self._lock.release()
        self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _take_lock(self) -> None:
        try:
            taken = self._lock.take()
        except RecordError:
            self.close()
            raise
        if not taken:
            self.close()
            raise RecordError(f"{self.path}: another run is writing to this journal; let it end first")

    def _write(self, line: bytes) -> None:
        start = self._file.tell()
        try:
            written = 0
            while written < len(line):
                written += self._file.write(line[written:]) or 0
            os.fsync(self._file.fileno())
        except OSError as cause:
            with contextlib.suppress(OSError):  # the reader, too, knows how to leave a half-written line out
                self._cut(start)
            raise RecordError(f"{self.path}: cannot be written ({cause.strerror or cause})") from cause

    def _cut(self, size: int) -> None:
        self._file.truncate(size)
        self._file.seek(size)


def _first_line(header: JournalHeader) -> bytes:
    return jsontext.dump_line({"schema": SCHEMA, **to_json(header)}).encode() + b"\n"


def read_journal(path: Path) -> tuple[JournalHeader, tuple[Trial, ...]]:
    """Header and trials of a journal, without a half-written last line. Raises RecordError naming the damaged line."""
    try:
        raw = path.read_bytes()
    except OSError as cause:
        raise RecordError(f"{path}: cannot be read ({cause.strerror or cause})") from cause
    return _parse(path, raw)


def _parse(path: Path, raw: bytes) -> tuple[JournalHeader, tuple[Trial, ...]]:
    lines = raw.split(b"\n")[:-1]  # what follows the last line end was never finished
    if not lines:
        raise RecordError(f"{path}: no header line; {ADVICE}")
    documents = [
        jsontext.parse_document(path, line, first_line=number, advice=ADVICE) for number, line in enumerate(lines, 1)
    ]
    header = read_record(JournalHeader, documents[0], SCHEMA)
    trials = tuple(read_value(Trial, document, document.data) for document in documents[1:])
    for expected, (trial, document) in enumerate(zip(trials, documents[1:], strict=True), 1):
        if trial.index != expected:
            document.refuse(f"trial {trial.index} stands where trial {expected} belongs", ("index",))
    return header, trials


def _check_same(path: Path, found: JournalHeader, wanted: JournalHeader) -> None:
    for field in fields(JournalHeader):
        old, new = getattr(found, field.name), getattr(wanted, field.name)
        if old != new:
            old, new = (value.id if isinstance(value, GemmProblem) else value for value in (old, new))
            raise RecordError(
                f"{path}:1: cannot be resumed: {field.name} was {old!r} and is now {new!r};"
                f" use the same again, or {ADVICE}"
            )
