"""Which of the devices that npu-smi lists is ours, and who else is on it.

Programs see devices renumbered twice: a container counts those that were handed in from 0, and
ASCEND_RT_VISIBLE_DEVICES chooses and renumbers among these (vllm-project/vllm-ascend#16256). npu-smi and the driver's
own numbers know nothing of either.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pytest_ascend_tune.backends.ascend import smi
from pytest_ascend_tune.backends.ascend.smi import SmiProcess, SmiTable
from pytest_ascend_tune.model.text import Text

BUSY_PERCENT = 5  # use of the AI cores that the table of npu-smi shows while nothing of ours runs
SETTLE_S = 1.5  # npu-smi shows the use of the last second: our own, right after a measurement
DEVICE_NODES = Path("/dev")
_CONTAINER_SIGNS = (Path("/.dockerenv"), Path("/run/.containerenv"))
_CONTAINER_WORDS = ("docker", "kubepods", "containerd", "libpod", "lxc")
_CONTROL_GROUP = Path("/proc/1/cgroup")


@dataclass(frozen=True)
class Place:
    """Our device among npu-smi's. ``candidates``: its number on the host, or each that it could be."""

    candidates: tuple[int, ...]

    @property
    def known(self) -> bool:
        """Whether there is one answer."""
        return len(self.candidates) == 1


def driver_number(index: int, environment: Mapping[str, str]) -> int:
    """What the driver inside this container calls the device that programs call `index`."""
    visible = [part.strip() for part in environment.get("ASCEND_RT_VISIBLE_DEVICES", "").split(",")]
    numbers = [int(part) for part in visible if part.isdigit()]
    return numbers[index] if index < len(numbers) else index


def in_container() -> bool:
    """Whether this process runs in a container, as far as one can tell from inside."""
    if "KUBERNETES_SERVICE_HOST" in os.environ or any(sign.exists() for sign in _CONTAINER_SIGNS):
        return True
    try:
        return any(word in _CONTROL_GROUP.read_text(errors="replace") for word in _CONTAINER_WORDS)
    except OSError:
        return False


def device_nodes() -> tuple[int, ...]:
    """Numbers of the nodes ``/dev/davinci0`` ... that this container was handed, in the order of their numbers."""
    names = (path.name.removeprefix("davinci") for path in DEVICE_NODES.glob("davinci*"))
    return tuple(sorted(int(name) for name in names if name.isdigit()))


def find_place(
    table: SmiTable, index: int, physical: int | None, own_pid: int | None, environment: Mapping[str, str]
) -> Place:
    """Our device in `table`; the first of these that gives an answer.

    `physical`: what AscendCL says (aclrtGetPhyDevIdByUserDevId; CANN without it: None). Then the row of our own process
    (`own_pid`, of the worker). Outside of a container the driver's number is the host's; inside, the i-th node stands
    for device i if the nodes are just what npu-smi lists. Else it could be any of them.
    """
    if physical is not None:
        return Place((physical,))
    ours = [number for one in _own_rows(table, own_pid) if (number := table.number_of(one)) is not None]
    if len(set(ours)) == 1:
        return Place((ours[0],))
    number = driver_number(index, environment)
    if not in_container():
        return Place((number,))
    nodes = device_nodes()
    if nodes == table.numbers and number < len(nodes):
        return Place((nodes[number],))
    return Place(table.numbers or (number,))


def at_rest(place: Place, table: SmiTable) -> SmiTable:
    """`table`, asked again a moment later when our device seems busy: it may have been us."""
    if any(table.use_percent(number) >= BUSY_PERCENT for number in place.candidates):
        time.sleep(SETTLE_S)
        return smi.ask() or table
    return table


def neighbours(table: SmiTable, place: Place, own_pid: int | None) -> tuple[Text, ...]:
    """A sentence for each other process on our device, and for cores that are busy without us."""
    own = _own_rows(table, own_pid)
    notes = []
    for number in place.candidates:
        others = [process for process in table.processes_on(number) if process not in own]
        if own_pid is not None and not own and others and place.known:
            # In a container without the column of its process numbers: one python process is taken for our own.
            ours = next((process for process in others if process.name.startswith("python")), None)
            others = [process for process in others if process is not ours]
        for other in others:
            template = (
                "process {pid} ({name}) uses NPU {number}, too"
                if place.known
                else "process {pid} ({name}) uses NPU {number}, which could be ours"
            )
            notes.append(Text.of(template, pid=other.pid, name=other.name or "?", number=number))
        use = table.use_percent(number)
        if use >= BUSY_PERCENT:
            template = (
                "the cores of NPU {number} are {use} % busy while nothing of ours runs"
                if place.known
                else "the cores of NPU {number}, which could be ours, are {use} % busy while nothing of ours runs"
            )
            notes.append(Text.of(template, number=number, use=use))
    return tuple(notes)


def uncertainty(place: Place) -> tuple[Text, ...]:
    """Says so when nobody can tell which device of npu-smi's is ours."""
    if place.known:
        return ()
    numbers = ", ".join(map(str, place.candidates))
    return (
        Text.of(
            "which of the NPUs {numbers} of npu-smi is ours cannot be known in this container (CANN 8.5 and newer "
            "tell): each that is busy is named with the results",
            numbers=numbers,
        ),
    )


def _own_rows(table: SmiTable, own_pid: int | None) -> list[SmiProcess]:
    """Rows of our own process: by its number in the container where that is shown, else by the host's."""
    if own_pid is None:
        return []
    inside = [process for process in table.processes if process.container_pid == own_pid]
    return inside or [one for one in table.processes if one.container_pid is None and one.pid == own_pid]
