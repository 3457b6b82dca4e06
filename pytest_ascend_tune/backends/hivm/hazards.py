"""What is ordered before what on the pipes of the cores of one block, and who touches which bytes unordered.

Every pipe of every core counts its instructions. ``known[pipe][other]`` = how many instructions of `other` have surely
ended when the next instruction of `pipe` starts (a vector clock). A pipe starts its instructions in order but ends them
in any (two loads of MTE2 may overlap), so its own count is known only behind a barrier; the cube's accumulation is the
exception, the library orders it. A flag hands on what its setting pipe knows plus all that was issued on it before.

An access is a race with an earlier one of overlapping bytes when one of them writes and the earlier has not surely
ended. Regions are exact to the byte; a region is one view (the compiler plans few), with a table of what overlaps it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pytest_ascend_tune.backends.hivm.program import PIPES, ScheduleError
from pytest_ascend_tune.backends.hivm.views import View, runs_of

_PIPE = {name: number for number, name in enumerate(PIPES)}
# Cross-core flags of one core count to 15 on hardware (4 bits), see CrossCoreSetFlag in the Ascend C documentation.
MOST_BLOCK_FLAGS = 15


@dataclass
class _Region:
    view: View
    runs: Any
    writes: dict[int, int] = field(default_factory=dict)  # pipe -> its last instruction that wrote here
    reads: dict[int, int] = field(default_factory=dict)
    overlaps: list[_Region] = field(default_factory=list)


class Order:
    """The order of all that `cores` cores (a cube core and its vector cores) of one block do.

    A pipe is a number: core * len(PIPES) + index in PIPES.
    """

    def __init__(self, cores: int = 1) -> None:
        self.pipes = cores * len(PIPES)
        self.counts = [0] * self.pipes
        self.known = [[0] * self.pipes for _ in range(self.pipes)]
        self._flags: dict[tuple[int, int, int], list[int]] = {}
        self._block_flags: dict[tuple[int, int], list[list[int]]] = {}
        self._regions: dict[Any, dict[View, _Region]] = {}

    # --- flags -------------------------------------------------------------------------------------------------------

    def flag_set(self, core: int, source: str, target: str, event: int) -> None:
        """Raises ScheduleError when the flag is set already."""
        pipe, key = self._pipe(core, source), self._key(core, source, target, event)
        if key in self._flags:
            raise ScheduleError(f"flag {source} -> {target} EVENT_ID{event} is set twice, and nothing waited between")
        self._flags[key] = self._after(pipe)

    def flag_wait(self, core: int, source: str, target: str, event: int) -> None:
        """Raises ScheduleError when nothing set it."""
        flag = self._flags.pop(self._key(core, source, target, event), None)
        if flag is None:
            raise ScheduleError(f"{target} waits for flag {source} -> {target} EVENT_ID{event}, which nothing sets")
        self._learn(core, target, flag)

    def barrier(self, core: int, pipe: str) -> None:
        """Of one pipe, or of ``ALL`` pipes of the core."""
        if pipe != "ALL":
            number = self._pipe(core, pipe)
            self.known[number][number] = self.counts[number]
            return
        first = core * len(PIPES)
        everything = self._joined(self._after(number) for number in range(first, first + len(PIPES)))
        for number in range(first, first + len(PIPES)):
            self.known[number] = list(everything)

    def block_set(self, core: int, pipe: str, flag: int, receivers: Iterable[int]) -> None:
        """Raises ScheduleError when more is pending than the hardware counts."""
        for receiver in receivers:
            pending = self._block_flags.setdefault((receiver, core * 16 + flag), [])
            if len(pending) == MOST_BLOCK_FLAGS:
                raise ScheduleError(f"cross-core flag {flag} is set {MOST_BLOCK_FLAGS + 1} times before a wait")
            pending.append(self._after(self._pipe(core, pipe)))

    def block_wait(self, core: int, pipe: str, flag: int, senders: Iterable[int]) -> bool:
        """False when not all `senders` have set it yet."""
        queues = [self._block_flags.get((core, sender * 16 + flag)) for sender in senders]
        if not all(queues):
            return False
        for queue in queues:
            assert queue
            self._learn(core, pipe, queue.pop(0))
        return True

    def left_over(self) -> list[str]:
        """Flags that are still set, a sentence for each."""
        left = [
            f"flag {PIPES[source % len(PIPES)]} -> {PIPES[target % len(PIPES)]} EVENT_ID{event} is left set at the end"
            for source, target, event in self._flags
        ]
        left += [
            f"cross-core flag {key % 16} is left set {len(pending)} times at the end"
            for (_, key), pending in self._block_flags.items()
            if pending
        ]
        return left

    # --- instructions ------------------------------------------------------------------------------------------------

    def instruction(self, core: int, pipe: str, reads: Iterable[View] = (), writes: Iterable[View] = ()) -> None:
        """One instruction on a pipe. Raises ScheduleError for a race, and for bytes that are read but never written."""
        number = self._pipe(core, pipe)
        self.counts[number] += 1
        count, known = self.counts[number], self.known[number]
        for view in reads:
            if not view[0].shared or 0 in view[2]:
                continue
            region = self._region(core, view)
            written = False
            for other in region.overlaps:
                for by, last in other.writes.items():
                    written = True
                    if known[by] < last:
                        raise ScheduleError(self._sentence(view, other.view, "read", number, "write", by))
            if not written and view[0].space != "GM":
                raise ScheduleError(f"{_bytes(view)} are read by {pipe}, and nothing has written them")
            region.reads[number] = count
        for view in writes:
            region = self._region(core, view)
            for other in region.overlaps:
                for verb, table in (("read", other.reads), ("write", other.writes)):
                    for by, last in table.items():
                        if known[by] < last and not (last == count and by == number):
                            raise ScheduleError(self._sentence(view, other.view, "overwritten", number, verb, by))
            region.writes[number] = count

    def inner(self, core: int, source: str, target: str) -> None:
        """`target` starts after all of `source` has ended: an order that a library function keeps by itself."""
        self._learn(core, target, self._after(self._pipe(core, source)))

    # -----------------------------------------------------------------------------------------------------------------

    def _pipe(self, core: int, pipe: str) -> int:
        return core * len(PIPES) + _PIPE[pipe]

    def _key(self, core: int, source: str, target: str, event: int) -> tuple[int, int, int]:
        return self._pipe(core, source), self._pipe(core, target), int(event)

    def _after(self, pipe: int) -> list[int]:
        """What is known once all that was issued on `pipe` so far has ended."""
        known = list(self.known[pipe])
        known[pipe] = self.counts[pipe]
        return known

    def _learn(self, core: int, pipe: str, flag: list[int]) -> None:
        """The scalar unit issues for all pipes: what it waits for, every pipe of the core waits for."""
        first = core * len(PIPES)
        numbers = range(first, first + len(PIPES)) if pipe == "S" else (self._pipe(core, pipe),)
        for number in numbers:
            self.known[number] = list(map(max, self.known[number], flag))

    @staticmethod
    def _joined(clocks: Iterable[list[int]]) -> list[int]:
        return [max(counts) for counts in zip(*clocks, strict=True)]

    def _region(self, core: int, view: View) -> _Region:
        memory = view[0]
        of_memory = self._regions.setdefault(memory if memory.space == "GM" else (core, memory), {})
        region = of_memory.get(view)
        if region is None:
            region = _Region(view, runs_of(view))
            region.overlaps.append(region)
            for other in of_memory.values():
                if _overlap(region.runs, other.runs):
                    region.overlaps.append(other)
                    other.overlaps.append(region)
            of_memory[view] = region
        return region

    def _sentence(self, view: View, other: View, what: str, pipe: int, verb: str, by: int) -> str:
        runs, others = runs_of(view), runs_of(other)
        first = max(int(runs[0, 0]), int(others[0, 0]))
        last = min(int(runs[-1, 1]), int(others[-1, 1])) - 1
        who, whom = PIPES[pipe % len(PIPES)], PIPES[by % len(PIPES)]
        doing = "still read them" if verb == "read" else "still write them"
        return f"{view[0].name} bytes {first}..{last} are {what} by {who} while {whom} may {doing}"


def _bytes(view: View) -> str:
    runs = runs_of(view)
    return f"{view[0].name} bytes {runs[0, 0]}..{runs[-1, 1] - 1}" if len(runs) else f"{view[0].name} bytes (none)"


def _overlap(runs: Any, others: Any) -> bool:
    """Whether two sorted arrays of disjoint runs have a byte in common."""
    if not len(runs) or not len(others) or runs[-1, 1] <= others[0, 0] or others[-1, 1] <= runs[0, 0]:
        return False
    at = np.searchsorted(others[:, 1], runs[:, 0], side="right")  # first run of the others that ends behind my start
    inside = at < len(others)
    return bool((others[at[inside], 0] < runs[inside, 1]).any())
