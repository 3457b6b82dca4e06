"""Turns a function of a program into a Python generator that drives a machine; and its innermost loops into columns.

The generated ``run(machine, block, sub_block, arguments)`` executes the schedule in program order, as the scalar unit
issues it; it yields where it must wait for another core. A machine offers ``bind(name)`` (one callable for each library
function), ``flag_set``, ``flag_wait``, ``barrier``, ``block_set``, ``block_wait`` (False: not yet), ``read``, ``write``
(one element by the scalar unit), ``memory(space)``, and ``enter(loop, bounds, registers)`` / ``leave``: a
machine that knows what an innermost loop will do may answer ``enter`` with True, and the loop is skipped.

For such a loop the ``columns`` function computes what its timing can depend on, for all its trips at once: branches,
events, sizes, and the addresses of what is loaded. Two loops with equal columns, entered in equal states, take the same
time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pytest_ascend_tune.backends.hivm.program import (
    ITEM_BITS,
    Barrier,
    BlockFlag,
    Bytes,
    Call,
    Collapsed,
    Element,
    Expanded,
    Flag,
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
from pytest_ascend_tune.backends.hivm.views import collapse, elements_of, expand, row_major

_REGISTER = re.compile(r"\bv\d+\b")


@dataclass(frozen=True)
class Compiled:
    """A function ready to run: ``run(machine, block, sub_block, arguments)`` and the columns of its innermost loops.

    ``columns[number](trips, registers)`` gives the timing-relevant columns and the loaded views, both as lists.
    """

    function: Function
    run: Callable[..., Iterator[None]]
    columns: dict[int, Callable[..., tuple[list[Any], list[Any]]]]


def generate(function: Function) -> Compiled:
    """Generate, compile and load the Python of one function."""
    text = _Text(function)
    names: dict[str, Any] = {**_SCALARS, "collapse": collapse, "expand": expand, "elements_of": elements_of}
    exec(compile("\n".join(text.lines), f"<{function.name}>", "exec"), names)
    columns = {}
    for number, lines in text.columns.items():
        scope = {**_COLUMNS, "collapse": collapse, "expand": expand, "elements_of": elements_of}
        exec(compile("\n".join(lines), f"<{function.name} loop {number}>", "exec"), scope)
        columns[number] = scope["columns"]
    return Compiled(function, names["run"], columns)


def _div(one: Any, other: Any) -> int:
    return int(one // other) if (one < 0) == (other < 0) else -int(-one // other)


def _wrap32(value: int) -> int:
    return value if -0x80000000 <= value <= 0x7FFFFFFF else (value + 0x80000000) % 0x100000000 - 0x80000000


_SCALARS: dict[str, Any] = {
    "div": _div,
    "rem": lambda one, other: one - _div(one, other) * other,
    "cdiv": lambda one, other: -(-one // other),
    "wrap32": _wrap32,
}


def _column_div(one: Any, other: Any) -> Any:
    quotient = np.abs(one) // np.abs(other)
    return np.where((np.asarray(one) < 0) == (np.asarray(other) < 0), quotient, -quotient)


_COLUMNS: dict[str, Any] = {
    "div": _column_div,
    "rem": np.fmod,
    "cdiv": lambda one, other: -(-one // other),
    "wrap32": lambda value: (np.asarray(value, np.int64) + 0x80000000) % 0x100000000 - 0x80000000,
    "min": lambda *values: _reduced(np.minimum, values),
    "max": lambda *values: _reduced(np.maximum, values),
    "choose": lambda condition, one, other: _chosen(condition, one, other),
}


def _reduced(operation: Any, values: tuple[Any, ...]) -> Any:
    result = values[0]
    for value in values[1:]:
        result = operation(result, value)
    return result


def _chosen(condition: Any, one: Any, other: Any) -> Any:
    """``numpy.where`` of numbers or of views (of the same memory and element type)."""
    if not isinstance(one, tuple):
        return np.where(condition, one, other)
    if one[0] is not other[0] or len(one[2]) != len(other[2]):
        raise TypeError("views of different memories")
    byte = np.where(condition, one[1], other[1])
    sizes = tuple(np.where(condition, x, y) for x, y in zip(one[2], other[2], strict=True))
    strides = tuple(np.where(condition, x, y) for x, y in zip(one[3], other[3], strict=True))
    return (one[0], byte, sizes, strides, one[4])


class _Text:
    """The lines of one function."""

    def __init__(self, function: Function) -> None:
        self.columns: dict[int, list[str]] = {}
        self._calls: dict[str, str] = {}
        names = ", ".join(argument.register for argument in function.arguments)
        body = list(self._block(function.body, 1))
        bound = [f"    {local} = machine.bind({name!r})" for name, local in self._calls.items()]
        methods = ("flag_set", "flag_wait", "barrier", "block_set", "block_wait", "read", "write", "enter", "leave")
        self.lines = [
            "def run(machine, block, sub_block, arguments):",
            f"    {names}, = arguments",
            *(f"    {method} = machine.{method}" for method in methods),
            *(f"    {space} = machine.memory({space!r})" for space in ("L1", "L0C", "UB")),
            *bound,
            *body,
            "    return",
            "    yield",
        ]

    def _block(self, body: tuple[Instruction, ...], depth: int) -> Iterator[str]:
        empty = True
        for instruction in body:
            for line in self._instruction(instruction, depth):
                empty = False
                yield line
        if empty:
            yield "    " * depth + "pass"

    def _instruction(self, item: Instruction, depth: int) -> Iterator[str]:
        indent = "    " * depth
        if (text := value_text(item)) is not None:
            yield f"{indent}{item.out} = {text}"  # type: ignore[union-attr]
        elif isinstance(item, Pick):
            yield f"{indent}{item.out} = {item.one} if {item.condition} else {item.other}"
        elif isinstance(item, Element):
            at = f"{item.base}, ({''.join(f'{index}, ' for index in item.indices)})"
            yield f"{indent}write({at}, {item.value})" if item.out is None else f"{indent}{item.out} = read({at})"
        elif isinstance(item, Flag):
            yield f"{indent}flag_{'wait' if item.wait else 'set'}({item.source!r}, {item.target!r}, {item.event})"
        elif isinstance(item, Barrier):
            yield f"{indent}barrier({item.pipe!r})"
        elif isinstance(item, BlockFlag):
            if item.wait:
                yield f"{indent}while not block_wait({item.pipe!r}, {item.flag}):"
                yield f"{indent}    yield"
            else:
                yield f"{indent}block_set({item.pipe!r}, {item.flag})"
        elif isinstance(item, Call):
            local = self._calls.setdefault(item.name, f"call{len(self._calls)}")
            yield f"{indent}{local}({', '.join(item.arguments)})"
        elif isinstance(item, If):
            yield f"{indent}if {item.condition}:"
            yield from self._branch(item.then, item.results, item.then_yields, depth + 1)
            if item.otherwise or item.results:
                yield f"{indent}else:"
                yield from self._branch(item.otherwise, item.results, item.otherwise_yields, depth + 1)
        elif isinstance(item, For):
            yield from self._loop(item, depth)
        elif isinstance(item, While):
            for register, value in item.carried:
                yield f"{indent}{register} = {value}"
            yield f"{indent}while True:"
            yield from self._block(item.before, depth + 1)
            yield f"{indent}    if not {item.condition}:"
            yield from self._assigned(item.results, item.handed, depth + 2)
            yield f"{indent}        break"
            yield from self._assigned(item.received, item.handed, depth + 1)
            yield from self._block(item.after, depth + 1)
            yield from self._assigned([register for register, _ in item.carried], item.yields, depth + 1)

    def _branch(self, body: Any, results: Any, yields: Any, depth: int) -> Iterator[str]:
        yield from self._block(body, depth)
        yield from self._assigned(results, yields, depth)

    def _assigned(self, names: Any, values: Any, depth: int) -> Iterator[str]:
        if names:
            yield f"{'    ' * depth}{', '.join(names)} = {', '.join(values)}"

    def _loop(self, item: For, depth: int) -> Iterator[str]:
        indent = "    " * depth
        for register, value in item.carried:
            yield f"{indent}{register} = {value}"
        lines = column_lines(item)
        if lines is not None:
            free, self.columns[item.number] = lines
            registers = "".join(f"{name}, " for name in free)
            yield f"{indent}if not enter({item.number}, {item.low}, {item.high}, {item.step}, ({registers})):"
            yield from self._trips(item, depth + 1)
            yield f"{indent}    leave({item.number})"
        else:
            yield from self._trips(item, depth)
        yield from self._assigned(item.results, [register for register, _ in item.carried], depth)

    def _trips(self, item: For, depth: int) -> Iterator[str]:
        indent = "    " * depth
        yield f"{indent}for {item.index} in range({item.low}, {item.high}, {item.step}):"
        yield from self._block(item.body, depth + 1)
        yield from self._assigned([register for register, _ in item.carried], item.yields, depth + 1)


def value_text(item: Instruction) -> str | None:
    """The expression of an instruction that only makes a number or a view; None for the others."""
    if isinstance(item, Scalar):
        return item.text
    if isinstance(item, Pointer):
        return f"({item.space}, {item.byte}, {item.sizes!r}, {row_major(item.sizes)!r}, {item.element!r})"
    if isinstance(item, Bytes):
        sizes = "".join(f"{size}, " for size in item.sizes)
        strides = "".join(
            "*".join(item.sizes[dimension + 1 :]) + ", " if dimension + 1 < len(item.sizes) else "1, "
            for dimension in range(len(item.sizes))
        )
        return f"({item.base}[0], {item.base}[1] + {item.shift}, ({sizes}), ({strides}), {item.element!r})"
    if isinstance(item, Collapsed):
        return f"collapse({item.base}, {item.groups!r})"
    if isinstance(item, Expanded):
        return f"expand({item.base}, {item.groups!r}, ({''.join(f'{size}, ' for size in item.sizes)}))"
    if isinstance(item, Reshaped):
        return _reshaped(item)
    return None


def _reshaped(item: Reshaped) -> str:
    base, bits = item.base, ITEM_BITS[item.element]
    kept = [dimension for dimension in range(len(item.sizes)) if dimension not in item.dropped]
    sizes = "".join(f"{item.sizes[dimension]}, " for dimension in kept)
    if item.whole:
        strides = "".join(f"{item.strides[dimension]}, " for dimension in kept)
        shift = f"({item.offsets[0]})"
    else:
        of_base = [
            f"{base}[3][{dimension}]" + ("" if step == "1" else f" * {step}")
            for dimension, step in enumerate(item.strides)
        ]
        strides = "".join(f"{of_base[dimension]}, " for dimension in kept)
        terms = [f"{offset} * {base}[3][{dimension}]" for dimension, offset in enumerate(item.offsets) if offset != "0"]
        shift = f"({' + '.join(terms)})" if terms else ""
    byte = f"{base}[1]" if not shift or shift == "(0)" else f"{base}[1] + {shift} * {bits} // 8"
    return f"({base}[0], {byte}, ({sizes}), ({strides}), {item.element!r})"


def column_lines(loop: For) -> tuple[list[str], list[str]] | None:
    """Registers from outside and the lines of the ``columns`` function of an innermost loop.

    None when it cannot be told in columns: it holds another loop, waits for another core, or its results are used.
    """
    if loop.results:
        return None
    columns = _Columns(loop.index)
    if not columns.take(loop.body):
        return None
    sinks = list(dict.fromkeys(columns.sinks))
    needed, kept = _slice(
        columns.lines, {name for text in (*sinks, *columns.loads) for name in _REGISTER.findall(text)}
    )
    if needed & {register for register, _ in loop.carried}:
        return None
    free = sorted(needed - columns.made)
    return free, [
        f"def columns({loop.index}, L1, L0C, UB, {''.join(f'{name}, ' for name in free)}):",
        *(f"    {line}" for line in kept),
        f"    return [{', '.join(sinks)}], [{', '.join(columns.loads)}]",
    ]


def _slice(lines: list[str], needed: set[str]) -> tuple[set[str], list[str]]:
    """Only the lines that `needed` registers depend on; and everything these need."""
    kept = []
    needed = set(needed)
    for line in reversed(lines):
        out, text = line.split(" = ", 1)
        if out in needed:
            kept.append(line)
            needed |= set(_REGISTER.findall(text))
    return needed, kept[::-1]


class _Columns:
    """Straight lines for all trips of a loop at once: both sides of a branch, and every expression only once."""

    def __init__(self, index: str) -> None:
        self.lines: list[str] = []
        self.sinks: list[str] = []  # what the time depends on
        self.loads: list[str] = []  # views of GM that are loaded
        self.made = {index}
        self._known: dict[str, str] = {}  # expression -> the register that has it
        self._same: dict[str, str] = {}  # register -> an earlier one of the same value

    def take(self, body: tuple[Instruction, ...]) -> bool:
        """False when the body cannot be told in columns."""
        return all(self._take(item) for item in body)

    def _take(self, item: Instruction) -> bool:
        if isinstance(item, Pick):
            self._line(item.out, f"choose({item.condition}, {item.one}, {item.other})")
        elif (text := value_text(item)) is not None:
            self._line(item.out, text)  # type: ignore[union-attr, arg-type]
        elif isinstance(item, Flag):
            self._sink(item.event)
        elif isinstance(item, Call):
            # Not an mma's running count of steps: it only says which half of L0 is next, which the machine knows.
            count = 12 if "_with_" in item.name else 11
            told = (
                item.arguments[:count] + item.arguments[count + 1 :] if item.name.startswith("mma") else item.arguments
            )
            for argument in told:
                self._sink(f"elements_of({argument})")
            if item.name.startswith(("nd2nz", "load_gm")):
                self.loads.append(self._renamed(item.arguments[0]))
        elif isinstance(item, If):
            self._sink(item.condition)
            return not item.results and self.take(item.then) and self.take(item.otherwise)
        else:
            return isinstance(item, Barrier)
        return True

    def _sink(self, text: str) -> None:
        if _REGISTER.search(text):
            self.sinks.append(self._renamed(text))

    def _line(self, out: str, text: str) -> None:
        self.made.add(out)
        text = self._renamed(text)
        known = self._known.setdefault(text, out)
        if known == out:
            self.lines.append(f"{out} = {text}")
        else:
            self._same[out] = known

    def _renamed(self, text: str) -> str:
        return _REGISTER.sub(lambda found: self._same.get(found[0], found[0]), text)
