"""What chip is this, and is it disturbed? Facts from the platform file and the driver, neighbours from npu-smi."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from pytest_ascend_tune.backends.ascend.cann import platform_file
from pytest_ascend_tune.model import hardware
from pytest_ascend_tune.model.errors import BackendUnavailableError, SettingsError
from pytest_ascend_tune.model.hardware import HardwareSpec, differences, from_platform_ini
from pytest_ascend_tune.model.text import Text

DRIVER_VERSION_FILE = Path("/usr/local/Ascend/driver/version.info")
LOCK_FOLDER = Path(tempfile.gettempdir())  # of all users: they share the board
CLOCK_SHARE = 0.98  # of the rated clock; below it the chip is throttled or still asleep
BUSY_PERCENT = 5  # use of the AI cores that the table of npu-smi shows while nothing of ours runs
_SMI_TIMEOUT_S = 30
SETTLE_S = 1.5  # npu-smi shows the use of the last second: our own, right after a measurement


@dataclass(frozen=True)
class Device:
    """One NPU as the worker process found it, with its own numbers. ``notes``: where the table differs from them."""

    index: int
    soc: str
    spec: HardwareSpec
    memory_bytes: int
    rated_mhz: int | None
    versions: tuple[tuple[str, str], ...]
    notes: tuple[Text, ...] = ()


def device_of(index: int, answer: Mapping[str, Any], cann_home: Path) -> Device:
    """From the worker's answer to `open`. The platform file wins over the table of chips, the device over both."""
    soc = answer["soc"]
    known: HardwareSpec | None
    try:
        known = hardware.spec(soc)
    except SettingsError:
        known = None
    file = platform_file(cann_home, soc)
    if file.is_file():
        chip = from_platform_ini(file.read_text(errors="replace"), soc)
    elif known is not None:
        chip = known
    else:
        raise BackendUnavailableError(
            f"the chip {soc!r} is unknown and CANN has no platform file for it ({file.name}); is CANN recent enough?"
        )
    chip = replace(chip, **answer["facts"])
    notes = list(differences(known, chip)) if known is not None else []
    if known is None:
        notes.append(Text.of("the chip {soc} is not in the table; its platform file's numbers are used", soc=soc))
    rated = answer["rated_mhz"]
    if rated and rated != chip.clock_mhz:
        notes.append(
            Text.of(
                "the driver rates the clock at {rated} MHz, the table says {listed}", rated=rated, listed=chip.clock_mhz
            )
        )
        chip = replace(chip, clock_mhz=rated)
    versions = [("torch", answer["torch"]), ("torch_npu", answer["torch_npu"]), ("driver", driver_version())]
    return Device(index, soc, chip, answer["memory_bytes"], rated, tuple(versions), tuple(notes))


def driver_version(path: Path = DRIVER_VERSION_FILE) -> str:
    """Version of the installed driver, "unknown" in a container that does not show it."""
    if path.is_file():
        found = re.search(r"^\s*Version\s*=\s*(\S+)", path.read_text(errors="replace"), re.M | re.I)
        if found:
            return found[1]
    return "unknown"


@dataclass(frozen=True)
class SmiProcess:
    """A process that uses an NPU."""

    npu: int
    pid: int
    name: str


@dataclass(frozen=True)
class SmiTable:
    """What `npu-smi info` prints: use of the AI cores in percent by NPU, and the processes."""

    use_percent: Mapping[int, int]
    processes: tuple[SmiProcess, ...]


def npu_smi(environment: Mapping[str, str] | None = None) -> SmiTable | None:
    """Ask npu-smi; None where it is missing or does not work (a container without the driver's tools)."""
    program = shutil.which("npu-smi", path=(os.environ if environment is None else environment).get("PATH"))
    if program is None:
        return None
    try:
        done = subprocess.run(
            [program, "info"], capture_output=True, text=True, timeout=_SMI_TIMEOUT_S, check=True, env=environment
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return parse_smi(done.stdout)


def npu_smi_at_rest(number: int) -> SmiTable | None:
    """The table of npu-smi, asked again a moment later when NPU `number` seems busy: it may have been us."""
    table = npu_smi()
    if table is not None and table.use_percent.get(number, 0) >= BUSY_PERCENT:
        time.sleep(SETTLE_S)
        table = npu_smi()
    return table


def parse_smi(text: str) -> SmiTable:
    """Read the table. Two lines a chip: number and name, then chip, bus id and use; below, one line a process."""
    use: dict[int, int] = {}
    processes = []
    npu = None
    for line in text.splitlines():
        if found := re.match(r"\|\s*(\d+)\s+(\d+)\s*\|\s*(\d+)\s*\|\s*(\S*)\s*\|", line):
            processes.append(SmiProcess(int(found[1]), int(found[3]), found[4]))
        elif found := re.match(r"\|\s*(\d+)\s+\S*910\S*\s*\|", line):
            npu = int(found[1])
        elif npu is not None and (
            found := re.match(r"\|\s*\d+(?:\s+\d+)?\s*\|\s*[0-9A-Fa-f:.]{7,}\s*\|\s*(\d+)\s", line)
        ):
            use[npu] = max(use.get(npu, 0), int(found[1]))
            npu = None
    return SmiTable(use, tuple(processes))


def physical_number(index: int, environment: Mapping[str, str]) -> int:
    """Number of a device for npu-smi: ASCEND_RT_VISIBLE_DEVICES renumbers what programs see."""
    visible = [part for part in environment.get("ASCEND_RT_VISIBLE_DEVICES", "").split(",") if part.strip().isdigit()]
    return int(visible[index]) if index < len(visible) else index


def neighbours(table: SmiTable, number: int, own_pid: int | None) -> tuple[Text, ...]:
    """Others on the same NPU. In a container process ids differ: one python process is taken for our own then."""
    others = [process for process in table.processes if process.npu == number and process.pid != own_pid]
    if own_pid is not None and not any(process.pid == own_pid for process in table.processes):
        ours = next((process for process in others if process.name.startswith("python")), None)
        others = [process for process in others if process is not ours]
    notes = [
        Text.of("process {pid} ({name}) uses NPU {number}, too", pid=other.pid, name=other.name or "?", number=number)
        for other in others
    ]
    use = table.use_percent.get(number, 0)
    if use >= BUSY_PERCENT:
        notes.append(
            Text.of("the cores of NPU {number} are {use} % busy while nothing of ours runs", number=number, use=use)
        )
    return tuple(notes)


class DeviceLock:
    """Tells two runs on one NPU of each other. The system frees it with the process, so it cannot go stale."""

    def __init__(self, number: int, folder: Path | None = None) -> None:
        self._path = (folder or LOCK_FOLDER) / f"ascend-tune-npu{number}.lock"
        self._file: IO[str] | None = None

    def take(self) -> bool:
        """False when another run holds the device."""
        if self._file is not None:
            return True
        flags = os.O_RDONLY | os.O_NOFOLLOW | (0 if self._path.exists() else os.O_CREAT)
        try:
            file = open(os.open(self._path, flags, 0o644))  # noqa: SIM115 - held open
        except OSError:  # no lock is better than no run
            return True
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            return False
        except OSError:  # a file system without locks: as above
            file.close()
            return True
        self._file = file
        return True

    def release(self) -> None:
        """May be called twice."""
        if self._file is not None:
            self._file.close()
            self._file = None
