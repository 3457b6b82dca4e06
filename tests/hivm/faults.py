"""Faults for compiled schedules in generic form, a changed text each: what a wrong compiler or hand would do."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

_FLAG = re.compile(r'"hivm\.hir\.(set|wait)_flag"|"hivm\.hir\.sync_block_(set|wait)"')


@dataclass(frozen=True)
class Fault:
    """``kind`` of fault, the line (from 1) that it is in, and the whole changed module."""

    kind: str
    line: int
    text: str


def faults(text: str) -> Iterator[Fault]:
    """Every fault of every kind that can be put into a module."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        for kind, changed in _of_line(lines, number, line):
            yield Fault(kind, number + 1, "\n".join([*lines[:number], *changed, *lines[number + 1 :]]))


def sample(text: str, count: int, seed: int) -> list[Fault]:
    """`count` of them, the kinds in turn, so that the many flags do not crowd out the rest."""
    chosen = random.Random(seed)
    by_kind: dict[str, list[Fault]] = {}
    for fault in faults(text):
        by_kind.setdefault(fault.kind, []).append(fault)
    for group in by_kind.values():
        chosen.shuffle(group)
    taken: list[Fault] = []
    while len(taken) < count and any(by_kind.values()):
        taken += [group.pop() for group in by_kind.values() if group][: count - len(taken)]
    return taken


def _of_line(lines: list[str], number: int, line: str) -> Iterator[tuple[str, list[str]]]:
    if found := _FLAG.search(line):
        yield ("set removed" if "set" in found[0] else "wait removed"), []
        if event := re.search(r"EVENT_ID(\d)", line):
            yield "event swapped", [line.replace(event[0], f"EVENT_ID{(int(event[1]) + 1) % 8}")]
    if '"hivm.hir.pipe_barrier"' in line:
        yield "barrier removed", []
    if found := re.search(r'"hivm\.hir\.pointer_cast"\((%\d+)\)', line):
        indent = line[: len(line) - len(line.lstrip())]
        for shift in (32, -32, 512):
            added = [
                f'{indent}%90001 = "arith.constant"() <{{value = {shift} : i64}}> : () -> i64',
                f'{indent}%90002 = "arith.addi"({found[1]}, %90001) '
                "<{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64",
            ]
            yield "address shifted", [*added, line.replace(f"({found[1]})", "(%90002)")]
    if found := re.search(r'"arith\.select"\((%\w+), (%\w+), (%\w+)\)', line):
        for one, other in ((found[3], found[2]), (found[2], found[2]), (found[3], found[3])):
            yield "parity broken", [line.replace(found[0], f'"arith.select"({found[1]}, {one}, {other})')]
    if found := re.search(r'"scf\.for"\((%\w+), (%\w+), (%\w+)', line):
        kind = _type_of_loop(lines, number)
        indent = line[: len(line) - len(line.lstrip())]
        for operation in ("addi", "subi"):
            added = [
                f'{indent}%90001 = "arith.{operation}"({found[2]}, {found[3]}) '
                f"<{{overflowFlags = #arith.overflow<none>}}> : ({kind}, {kind}) -> {kind}"
            ]
            changed = line.replace(f"({found[1]}, {found[2]}, {found[3]}", f"({found[1]}, %90001, {found[3]}")
            yield "bound off by one", [*added, changed]


def _type_of_loop(lines: list[str], number: int) -> str:
    """The type of a loop's bounds stands at the end of its region: the first line of the same indent that closes it."""
    indent = len(lines[number]) - len(lines[number].lstrip())
    for line in lines[number + 1 :]:
        if line.startswith(" " * indent + "})"):
            found = re.search(r": \((\w+), ", line)
            assert found is not None
            return found[1]
    raise AssertionError("a loop without an end")
