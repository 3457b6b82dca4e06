"""What a compiled function tells without being run: which arguments it writes, and where its buffers are planned."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from pytest_ascend_tune.backends.hivm.library import operation
from pytest_ascend_tune.backends.hivm.program import (
    ITEM_BITS,
    Bytes,
    Call,
    Collapsed,
    Element,
    Expanded,
    For,
    Function,
    If,
    Instruction,
    Pick,
    Pointer,
    Reshaped,
    Scalar,
    While,
)


def written_arguments(function: Function) -> set[int]:
    """Positions, among the operands of the launch, of the buffers that the function may write."""
    operands = [argument for argument in function.arguments if argument.role in ("buffer", "number")]
    roots = {argument.register: {number} for number, argument in enumerate(operands) if argument.role == "buffer"}
    written: set[int] = set()
    # Twice: what a loop carries into its next trip is known only after the first.
    for item in [*walk(function.body), *walk(function.body)]:
        for out, *sources in _handed(item):
            roots.setdefault(out, set()).update(*(roots.get(source, ()) for source in sources))
        if isinstance(item, Call):
            for position in operation(item.name).writes:
                written |= roots.get(item.arguments[position], set())
        elif isinstance(item, Element) and item.value is not None:
            written |= roots.get(item.base, set())
    return written


@dataclass(frozen=True)
class Planned:
    """A buffer that the compiler planned: bytes `first` to `end` (exclusive) of an on-chip memory."""

    space: str
    first: int
    end: int
    sizes: tuple[int, ...]
    element: str


def planned(function: Function) -> tuple[Planned, ...]:
    """The memory map of a function: each planned buffer once, by memory and address."""
    numbers: dict[str, int] = {}
    found: set[Planned] = set()
    for item in walk(function.body):
        if isinstance(item, Scalar) and item.text.lstrip("-").isdigit():
            numbers[item.out] = int(item.text)
        elif isinstance(item, Pointer) and item.byte in numbers:
            size = (math.prod(item.sizes) * ITEM_BITS[item.element] + 7) // 8
            first = numbers[item.byte]
            if size:
                found.add(Planned(item.space, first, first + size, item.sizes, item.element))
    return tuple(sorted(found, key=lambda part: (part.space, part.first, part.end, part.element)))


def walk(body: tuple[Instruction, ...]) -> Iterator[Instruction]:
    """Every instruction, those of loops and branches right behind these."""
    for item in body:
        yield item
        for inner in inner_bodies(item):
            yield from walk(inner)


def inner_bodies(item: Instruction) -> tuple[tuple[Instruction, ...], ...]:
    """The blocks that an instruction holds."""
    if isinstance(item, For):
        return (item.body,)
    if isinstance(item, If):
        return item.then, item.otherwise
    if isinstance(item, While):
        return item.before, item.after
    return ()


def _handed(item: Instruction) -> Iterator[tuple[str, ...]]:
    """Registers that get the value of others: (register, *others)."""
    if isinstance(item, Scalar):
        yield item.out, item.text
    elif isinstance(item, Pick):
        yield item.out, item.one, item.other
    elif isinstance(item, (Reshaped, Collapsed, Expanded, Bytes)):
        yield item.out, item.base
    elif isinstance(item, For):
        for (register, value), result, following in zip(item.carried, item.results, item.yields, strict=True):
            yield register, value, following
            yield result, register
    elif isinstance(item, If):
        yield from zip(item.results, item.then_yields, item.otherwise_yields, strict=True)
    elif isinstance(item, While):
        for (register, value), following in zip(item.carried, item.yields, strict=True):
            yield register, value, following
        yield from zip(item.results, item.handed, strict=True)
        yield from zip(item.received, item.handed, strict=True)
