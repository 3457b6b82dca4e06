"""All that is known of a failed trial, in one file to read or to send: what CANN said, and how to find out more."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_ascend_tune.files import atomic
from pytest_ascend_tune.model.errors import AscendTuneError, RecordError, TrialError
from pytest_ascend_tune.model.problem import Config, GemmProblem

SCHEMA = 1
KEPT = 50  # bundles of a folder; the oldest make room
PREFIX, SUFFIX = "fault-", ".json"
# hicann/catlass:examples/CMakeLists.txt (ENABLE_MSSANITIZER); the tool comes with CANN.
SANITIZER_OPTIONS = ("-g", "--cce-enable-sanitizer")


@dataclass(frozen=True)
class Circumstances:
    """What was being done. ``command``: the compiler's, () for the reference; ``pid``: of the worker process."""

    problem: GemmProblem
    config: Config | None
    command: Sequence[str]
    versions: Mapping[str, str]
    device: str
    pid: int | None = None


def write(folder: Path, error: TrialError, what: Circumstances) -> TrialError:
    """Write the bundle; the same error, naming the file. Where nothing can be written, the error as it is."""
    number = f"{time.time_ns():020d}"
    path = folder / f"{PREFIX}{number}-{what.problem.id}{SUFFIX}"
    try:
        atomic.write_text(path, json.dumps(bundle(error, what), indent=1, ensure_ascii=False) + "\n")
    except RecordError:
        return error
    for old in sorted(folder.glob(f"{PREFIX}*{SUFFIX}"))[:-KEPT]:
        with suppress(OSError):
            old.unlink()
    return type(error)(f"{error}\nall that is known of it: {folder.name}/{path.name}")


def bundle(error: AscendTuneError, what: Circumstances) -> dict[str, Any]:
    """The bundle as JSON. Home folders are shortened; host and user names do not occur."""
    document = {
        "schema": SCHEMA,
        "kind": error.kind.value if isinstance(error, TrialError) else "error",
        "message": str(error),
        "problem": what.problem.id,
        "config": None if what.config is None else dict(what.config),
        "device": what.device,
        "versions": dict(what.versions),
        "command": list(what.command),
        "plogs": [str(path) for path in plogs(what.pid)],
        "next": _advice(what),
    }
    shortened: dict[str, Any] = _shorten(document, str(Path.home()))
    return shortened


def plogs(pid: int | None) -> tuple[Path, ...]:
    """CANN's own logs of a process (``plog-PID_*.log``), where it keeps them."""
    if pid is None:
        return ()
    chosen = os.environ.get("ASCEND_PROCESS_LOG_PATH")
    root = Path(chosen) if chosen else Path.home() / "ascend" / "log"
    with suppress(OSError):
        return tuple(sorted(root.rglob(f"*log-{pid}_*.log")))
    return ()


def _advice(what: Circumstances) -> list[str]:
    advice = ["ASCEND_GLOBAL_LOG_LEVEL=1 ASCEND_SLOG_PRINT_TO_STDOUT=1: CANN writes the device's own log"]
    if what.config is not None:
        advice.append(
            f"an address out of bounds: compile with {' '.join(SANITIZER_OPTIONS)} added to the command above and run "
            f"under `mssanitizer --tool=memcheck`; a race between pipes: `mssanitizer --tool=racecheck`"
        )
    return advice


def _shorten(value: Any, home: str) -> Any:
    if isinstance(value, str):
        return value.replace(home, "~") if len(home) > 1 else value
    if isinstance(value, list):
        return [_shorten(one, home) for one in value]
    if isinstance(value, dict):
        return {name: _shorten(one, home) for name, one in value.items()}
    return value
