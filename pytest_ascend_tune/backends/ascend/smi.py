"""What `npu-smi info` prints, as data: one device a die, and the processes on each.

Layouts read (public outputs of npu-smi 23.0 to 26.0): Atlas A2 boards, one die each (``Chip`` column alone); Atlas A3,
two dies an NPU (``Chip  Phy-ID``); process tables with and without names, with and without ``Process id in container``.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_TIMEOUT_S = 30
_BUS_ID = re.compile(r"[0-9A-Fa-f]{4}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9A-Fa-f]")


@dataclass(frozen=True)
class SmiDevice:
    """One die. ``number``: how the host's driver counts it (Phy-ID; where that column is missing, the NPU's number;
    None where an NPU has several dies and no such column). ``use_percent``: of its cores, None where not shown."""

    npu: int
    chip: int
    number: int | None
    name: str
    use_percent: int | None


@dataclass(frozen=True)
class SmiProcess:
    """A process on a die. ``pid`` is the host's, ``container_pid`` its number in its container (None: not shown)."""

    npu: int
    chip: int
    pid: int
    name: str
    container_pid: int | None = None


@dataclass(frozen=True)
class SmiTable:
    """The whole output."""

    devices: tuple[SmiDevice, ...] = ()
    processes: tuple[SmiProcess, ...] = ()

    @property
    def numbers(self) -> tuple[int, ...]:
        """Numbers of the devices that are listed, each once."""
        return tuple(sorted({device.number for device in self.devices if device.number is not None}))

    def number_of(self, process: SmiProcess) -> int | None:
        """The device that a process is on."""
        place = (process.npu, process.chip)
        return next((one.number for one in self.devices if (one.npu, one.chip) == place), None)

    def processes_on(self, number: int) -> tuple[SmiProcess, ...]:
        """Processes on a device."""
        return tuple(process for process in self.processes if self.number_of(process) == number)

    def use_percent(self, number: int) -> int:
        """Use of a device's cores; 0 where it is not shown."""
        return max((one.use_percent or 0 for one in self.devices if one.number == number), default=0)


def ask(environment: Mapping[str, str] | None = None) -> SmiTable | None:
    """Call npu-smi; None where it is missing or does not work (a container without the driver's tools)."""
    text = output(environment)
    return None if text is None else parse(text)


def output(environment: Mapping[str, str] | None = None) -> str | None:
    """What `npu-smi info` prints, None where it is missing or fails."""
    program = shutil.which("npu-smi", path=(os.environ if environment is None else environment).get("PATH"))
    if program is None:
        return None
    try:
        done = subprocess.run(
            [program, "info"], capture_output=True, text=True, timeout=_TIMEOUT_S, check=True, env=environment
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout


def parse(text: str) -> SmiTable:
    """Read the tables. Lines that belong to none of the known layouts are passed over."""
    devices: list[SmiDevice] = []
    processes: list[SmiProcess] = []
    heading: tuple[int, str] | None = None  # number and name of the NPU whose die the next line describes
    for cells in _rows(text):
        first = cells[0].split()
        if len(cells) >= 4 and cells[1].isdigit() and len(first) == 2 and all(word.isdigit() for word in first):
            inside = cells[4] if len(cells) > 4 else ""
            processes.append(
                SmiProcess(int(first[0]), int(first[1]), int(cells[1]), cells[2], _number(inside) if inside else None)
            )
        elif heading is not None and _BUS_ID.fullmatch(cells[1]) and first and all(word.isdigit() for word in first):
            npu, name = heading
            physical = int(first[1]) if len(first) > 1 else None
            use = _number(cells[2].split()[0]) if len(cells) > 2 and cells[2].split() else None
            devices.append(SmiDevice(npu, int(first[0]), physical, name, use))
            heading = None
        elif len(first) == 2 and first[0].isdigit():
            heading = (int(first[0]), first[1])
    several = {one.npu for one in devices if one.chip > 0}
    return SmiTable(
        tuple(
            one
            if one.number is not None or one.npu in several
            else SmiDevice(one.npu, one.chip, one.npu, one.name, one.use_percent)
            for one in devices
        ),
        tuple(processes),
    )


def _rows(text: str) -> Iterator[list[str]]:
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.strip().startswith("|") and len(cells) >= 3:
            yield cells


def _number(text: str) -> int | None:
    return int(text) if text.isdigit() else None
