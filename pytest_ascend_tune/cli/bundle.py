"""A folder to send back from a machine with an NPU: what doctor found, what failed, the last run; no host, no user."""

from __future__ import annotations

import getpass
import json
import os
import re
import socket
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from pytest_ascend_tune.backends.ascend import cann, faultbundle, smi
from pytest_ascend_tune.cli import doctor
from pytest_ascend_tune.files import atomic
from pytest_ascend_tune.model.errors import AscendTuneError, SettingsError
from pytest_ascend_tune.model.readiness import Check

FAULTS = 20  # the newest of those that failed trials left
_KEPT_OF_A_RUN = (".json", ".jsonl")  # pictures are drawn from these
_LARGEST_BYTES = 8 << 20  # of one file; a journal of fifty trials takes 50 kB
README = """\
From `ascend-tune doctor --bundle`: please send this folder with your question, or your first results.

doctor.json       what was found, what is missing
npu-smi.txt       the board and who uses it
platform/         CANN's facts of the chip
command.txt       how a kernel is compiled here
faults/           the last failed trials: message, CANN's own account, command line, where CANN's logs are
run/              the last run: every trial, the confirmed result

Home folders, the host's and the user's name were taken out; look through it before you send it.
"""


def write(target: Path, checks: Sequence[Check], directory: Path) -> list[str]:
    """Fill the new folder `target`; `directory`: of --ascend-tune-dir. Returns the names of what was written.

    Raises SettingsError when `target` exists and is not an empty folder: nothing is overwritten.
    """
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise SettingsError(f"--bundle={target}: exists and is not an empty folder; name a new one")
    names = []
    for name, text in _files(checks, directory):
        atomic.write_text(target / name, without_names(text))
        names.append(name)
    return names


def without_names(text: str) -> str:
    """`text` without home folder, host name and user name."""
    text = text.replace(str(Path.home()), "~") if len(str(Path.home())) > 1 else text
    found = {}
    with suppress(OSError, KeyError, ImportError):
        found[getpass.getuser()] = "USER"
    for host in (socket.gethostname(), socket.gethostname().partition(".")[0], os.environ.get("HOSTNAME", "")):
        found[host] = "HOST"
    for name in sorted(found, key=len, reverse=True):
        if len(name) > 1 and name not in ("root", "localhost"):  # these tell nothing
            text = re.sub(rf"(?<![A-Za-z0-9_.-]){re.escape(name)}(?![A-Za-z0-9_-])", found[name], text)
    return text


def _files(checks: Sequence[Check], directory: Path) -> Iterator[tuple[str, str]]:
    yield "README.txt", README
    yield "doctor.json", json.dumps(doctor.as_json(checks), indent=1, ensure_ascii=False) + "\n"
    table = smi.output()
    if table is not None:
        yield "npu-smi.txt", table
        with suppress(AscendTuneError):
            home = cann.find_cann(os.environ).home
            for soc in sorted({f"Ascend{one.name.removeprefix('Ascend')}" for one in smi.parse(table).devices}):
                file = cann.platform_file(home, soc)
                if file.is_file():
                    yield f"platform/{file.name}", file.read_text(errors="replace")
    with suppress(AscendTuneError):
        command = cann.find(os.environ).command(Path("gemm.cpp"), Path("kernel.so"), (), "KERNEL")
        yield "command.txt", "\n".join(command) + "\n"
    faults = sorted((directory / "faults").glob(f"{faultbundle.PREFIX}*{faultbundle.SUFFIX}"))
    for path in faults[-FAULTS:]:
        yield f"faults/{path.name}", path.read_text(errors="replace")
    runs = [path for path in (directory / "runs").glob("*") if path.is_dir()]
    if runs:
        newest = max(runs, key=lambda path: path.stat().st_mtime_ns)
        for path in sorted(newest.rglob("*")):
            if path.is_file() and path.suffix in _KEPT_OF_A_RUN and path.stat().st_size <= _LARGEST_BYTES:
                yield f"run/{path.relative_to(newest)}", path.read_text(errors="replace")
