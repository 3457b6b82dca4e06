"""Executes a compiled schedule on the addresses that the compiler planned: real bytes of L1, L0C, UB and GM.

On-chip memory starts as NaN (all bits set), so that what was never written shows in the result. Every access is
checked against its memory's size and against what the flags order (:mod:`.hazards`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from pytest_ascend_tune.backends.hivm.codegen import generate
from pytest_ascend_tune.backends.hivm.flow import written_arguments
from pytest_ascend_tune.backends.hivm.hazards import Order
from pytest_ascend_tune.backends.hivm.library import Operation, operation, split_mma
from pytest_ascend_tune.backends.hivm.program import ITEM_BITS, CannotExecuteError, Function, Program, ScheduleError
from pytest_ascend_tune.backends.hivm.views import View, array_of, last_byte

# Element types as whole numbers of the same size.
_OWNER_KINDS = {"f16": "bf16", "f32": "i32"}


Grid = int | tuple[int, ...]


class Memory:
    """Bytes with a name: ``L1``, ``L0C`` or ``UB`` of one core, or one buffer in global memory (``GM``).

    ``shared`` is False for a buffer that nothing writes: no access to it can be a race. ``owners`` (of a result) has
    for each element, in the place of its bytes, 1 + the block that wrote it.
    """

    def __init__(self, space: str, name: str, data: NDArray[np.uint8]) -> None:
        self.space, self.name, self.bytes = space, name, data
        self.shared = True
        self.owners: Memory | None = None


@dataclass(frozen=True)
class Execution:
    """What an execution told besides its result.

    ``notes``: flags left over. ``written``: for each operand that the kernel writes (by position) what of its elements
    was, as booleans in the operand's shape.
    """

    notes: tuple[str, ...]
    blocks: tuple[int, ...]
    written: Mapping[int, NDArray[np.bool_]]


def execute(
    program: Program, operands: Sequence[NDArray[Any] | int], grid: Grid, *, blocks: Sequence[int] | None = None
) -> Execution:
    """Run `blocks` (default: all) of a launch of `grid` programs (a number, or one for each axis).

    `operands`: for each argument of the kernel a C-contiguous array (bfloat16 as uint16 bits), which is read and
    written in place, or a number. Raises ScheduleError, or CannotExecuteError.
    """
    count = math.prod(axes_of(grid))
    chosen = tuple(range(count)) if blocks is None else tuple(blocks)
    compiled = [generate(function) for function in program.functions]
    buffers = _buffers(program, operands)
    # Each block has its part of the workspace; `block * workspace_bytes` is the compiler's own address of it.
    workspace = Memory("GM", "the workspace", np.full(program.workspace_bytes * count, 0xFF, np.uint8))
    notes: list[str] = []
    with threadpool_limits(1, "blas"):  # the tiles are small: handing them to threads costs more than it gives
        for block in chosen:
            order = Order(sum(cores_of(function) for function in program.functions))
            runs: list[Iterator[None]] = []
            for half in compiled:
                for sub_block in range(cores_of(half.function)):
                    machine = Executor(program, order, len(runs), block)
                    arguments = arguments_of(half.function, buffers, workspace, grid)
                    runs.append(half.run(machine, block, sub_block, arguments))
            run_together(runs, lambda order=order: sum(order.counts))  # type: ignore[misc]
            notes += [note for note in order.left_over() if note not in notes]
    return Execution(tuple(notes), chosen, _written(operands, buffers))


def _buffers(program: Program, operands: Sequence[Any]) -> list[Any]:
    """The operands as memories; those that the kernel writes know who wrote what."""
    written = set().union(*(written_arguments(function) for function in program.functions))
    buffers: list[Any] = []
    for number, operand in enumerate(operands):
        if not isinstance(operand, np.ndarray):
            buffers.append(operand)
            continue
        memory = Memory("GM", f"argument {number}", operand.reshape(-1).view(np.uint8))
        memory.shared = number in written
        if memory.shared:
            memory.owners = Memory("GM", memory.name, np.zeros(memory.bytes.size, np.uint8))
        buffers.append(memory)
    return buffers


def _written(operands: Sequence[Any], buffers: Sequence[Any]) -> dict[int, NDArray[np.bool_]]:
    return {
        number: memory.owners.bytes.view(f"u{operand.itemsize}").reshape(operand.shape) != 0
        for number, (operand, memory) in enumerate(zip(operands, buffers, strict=True))
        if isinstance(memory, Memory) and memory.owners is not None
    }


def cores_of(function: Function) -> int:
    """Cores of one block that run this half: one cube core, or two vector cores."""
    return 1 if function.core == "AIC" else 2


def axes_of(grid: Grid) -> tuple[int, int, int]:
    """Programs along each of the three axes of a launch."""
    x, y, z = (*((grid,) if isinstance(grid, int) else grid), 1, 1)[:3]
    return x, y, z


def arguments_of(function: Function, buffers: Sequence[Any], workspace: Any, grid: Grid) -> list[Any]:
    """What the generated function is called with. Raises ScheduleError when the operands are not what it takes."""
    taken = iter([*buffers, *axes_of(grid)])
    made: list[Any] = []
    for argument in function.arguments:
        if argument.role == "ffts":
            made.append(0)
        elif argument.role == "workspace":
            made.append((workspace, 0, (workspace.bytes.size,), (1,), "i8"))
        elif argument.role == "lock":
            made.append((Memory("GM", "the lock", np.zeros(0, np.uint8)), 0, (0,), (1,), "i8"))
        else:
            value = next(taken, None)
            if value is None or (argument.role == "buffer") != isinstance(value, Memory):
                raise ScheduleError(
                    f"argument {argument.register} of {function.name} is a {argument.role}; got {value!r}"
                )
            made.append((value, 0, (value.bytes.size,), (1,), argument.element) if argument.role == "buffer" else value)
    if next(taken, None) is not None:
        raise ScheduleError(f"{function.name} takes {len(made)} arguments; more were given")
    return made


def run_together(runs: list[Iterator[None]], progress: Callable[[], int]) -> None:
    """Run the cores of one block in turn, each until it waits for another. Raises ScheduleError when all wait."""
    waiting, before = list(runs), -1
    while waiting:
        try:
            still = [run for run in waiting if next(run, True) is None]
        except ZeroDivisionError:
            raise ScheduleError("the schedule divides by zero when it computes an address or a bound") from None
        done = progress()
        if len(still) == len(waiting) and done == before:
            raise ScheduleError("deadlock: every core of the block waits for a cross-core flag that no one will set")
        waiting, before = still, done


class Executor:
    """The machine of one core: see :mod:`.codegen` for what it offers."""

    def __init__(self, program: Program, order: Order, core: int, block: int) -> None:
        self._order, self._core, self._block = order, core, block
        self._target = program.target
        self._mixed = len(program.functions) > 1

    def memory(self, space: str) -> Memory:
        """A fresh one, of the size that the compiler names."""
        return Memory(space, space, np.full(self._target.bytes_of(space), 0xFF, np.uint8))

    def flag_set(self, source: str, target: str, event: int) -> None:
        """See hazards."""
        self._order.flag_set(self._core, source, target, event)

    def flag_wait(self, source: str, target: str, event: int) -> None:
        """See hazards."""
        self._order.flag_wait(self._core, source, target, event)

    def barrier(self, pipe: str) -> None:
        """See hazards."""
        self._order.barrier(self._core, pipe)

    def block_set(self, pipe: str, flag: int) -> None:
        """A cube core tells both its vector cores, a vector core its cube core."""
        self._order.block_set(self._core, pipe, flag, partners(self._core, mixed=self._mixed))

    def block_wait(self, pipe: str, flag: int) -> bool:
        """A cube core waits for both its vector cores."""
        return self._order.block_wait(self._core, pipe, flag, partners(self._core, mixed=self._mixed))

    def enter(self, _loop: int, _low: int, _high: int, _step: int, _registers: tuple[Any, ...]) -> bool:
        """Every trip is executed."""
        return False

    def leave(self, _loop: int) -> None:
        """Nothing to do."""

    def read(self, view: View, indices: tuple[int, ...]) -> Any:
        """One element, by the scalar unit."""
        one = element(view, indices)
        self._check(one)
        self._order.instruction(self._core, "S", reads=[one])
        return array_of(one)[0].item()

    def write(self, view: View, indices: tuple[int, ...], value: Any) -> None:
        """One element, by the scalar unit."""
        one = element(view, indices)
        self._check(one)
        self._order.instruction(self._core, "S", writes=[one])
        if one[0].owners is not None:
            self._own(one)
        array_of(one)[0] = value

    def bind(self, name: str) -> Callable[..., None]:
        """The library function of that name on this core."""
        known = operation(name)
        return self._bind_mma(known) if known.kind == "mma" else self._bind_plain(known)

    def _bind_plain(self, known: Operation) -> Callable[..., None]:
        order, core, check = self._order, self._core, self._check

        def call(*arguments: Any) -> None:
            reads = [arguments[position] for position in known.reads]
            writes = [arguments[position] for position in known.writes]
            if known.kind == "fixpipe":
                plain_fixpipe(known.name, arguments)
                reads = [fractals_of(arguments[0], arguments[1][2][0], arguments[1][2][1])]
            for view in (*reads, *writes):
                check(view)
            order.instruction(core, known.pipe, reads, writes)
            if any(0 in view[2] for view in writes):
                return
            if known.kind == "vector":
                in_place(known.name, reads, writes[0])
            for view in writes:
                if view[0].owners is not None:
                    self._own(view)
            known.compute(*arguments)

        return call

    def _bind_mma(self, known: Operation) -> Callable[..., None]:
        order, core, check = self._order, self._core, self._check

        def call(*given: Any) -> None:
            bias, arguments = split_mma(known, given)
            a, b, _, m, k, n, c, wait_a, wait_b, free_a, free_b = arguments[:11]
            plain_mma(known.name, arguments)
            a = fractals_of(a, *((k, m) if known.transposed[0] else (m, k)))
            b = fractals_of(b, *((n, k) if known.transposed[1] else (k, n)))
            c = fractals_of(c, m, n)
            fed = [a, b] if bias is None else [a, b, bias]
            for view in (*fed, c):
                check(view)
            for event in (wait_a, wait_b):
                if event >= 0:
                    order.flag_wait(core, "MTE2", "MTE1", event)
            order.instruction(core, "MTE1", reads=fed)
            for event in (free_a, free_b):
                if event >= 0:
                    order.flag_set(core, "MTE1", "MTE2", event)
            order.inner(core, "MTE1", "M")
            order.inner(core, "M", "M")
            order.instruction(core, "M", reads=() if arguments[2] else [c], writes=[c])
            known.compute(*arguments[:7], bias)

        return call

    def _own(self, view: View) -> None:
        """A block may write only what no other block has written: nothing orders blocks."""
        memory, byte, sizes, strides, kind = view
        owners = array_of((memory.owners, byte, sizes, strides, _OWNER_KINDS.get(kind, kind)))
        mine = 1 + self._block % np.iinfo(owners.dtype).max
        others = (owners != 0) & (owners != mine)
        if others.any():
            raise ScheduleError(
                f"{int(others.sum())} elements of {memory.name} from byte {byte} on are written by block {self._block} "
                f"and by block {int(owners[others][0]) - 1}, which nothing orders"
            )
        owners[...] = mine

    def _check(self, view: View) -> None:
        memory = view[0]
        if 0 in view[2]:  # nothing is touched: the second vector core of a ragged last tile
            return
        if view[1] < 0 or last_byte(view) > memory.bytes.size or min(view[2]) < 0:
            raise ScheduleError(
                f"address out of memory: bytes {view[1]}..{last_byte(view) - 1} of {memory.name}, "
                f"which has {memory.bytes.size}"
            )


def partners(core: int, *, mixed: bool) -> tuple[int, ...]:
    """The cores that a core exchanges cross-core flags with: core 0 is the cube core, 1 and 2 its vector cores."""
    if not mixed:
        return ()
    return (1, 2) if core == 0 else (0,)


def element(view: View, indices: tuple[int, ...]) -> View:
    """The view of one element."""
    memory, byte, _, strides, kind = view
    size = 8 if kind == "i64" else 4 if kind in ("f32", "i32") else 2 if kind in ("f16", "bf16", "i16") else 1
    return memory, byte + sum(i * s for i, s in zip(indices, strides, strict=True)) * size, (1,), (1,), kind


def fractals_of(view: View, rows: int, columns: int) -> View:
    """Of a matrix in fractals, those that hold its first `rows` and `columns`."""
    memory, byte, sizes, strides, kind = view
    across, along = -(-columns // sizes[3]), -(-rows // sizes[2])
    return memory, byte, (min(across, sizes[0]), min(along, sizes[1]), *sizes[2:]), strides, kind


def plain_mma(name: str, arguments: tuple[Any, ...]) -> None:
    """Refuse the modes of an mma whose meaning is not known: more events, the unit flag."""
    if any(event >= 0 for event in arguments[12:14]) or any(arguments[14:]):
        raise CannotExecuteError(f"{name} with events {arguments[12:14]} and unit flag {arguments[14:]}")


def in_place(name: str, reads: Sequence[View], target: View) -> None:
    """A vector instruction may write over what it reads only from the same byte on, and no wider elements.

    Raises ScheduleError: it would overwrite elements that it has yet to read.
    """
    end = last_byte(target)
    for source in reads:
        if source[0] is not target[0] or source[1] >= end or target[1] >= last_byte(source):
            continue
        if source[1] != target[1] or ITEM_BITS[target[4]] > ITEM_BITS[source[4]]:
            raise ScheduleError(
                f"{name} reads {source[0].name} from byte {source[1]} on and overwrites them from byte {target[1]} on"
            )


# What a fixpipe does to the values on the way: nothing, to half, to bfloat16 (as seen in what the compiler emits, and
# the names QuantMode_t F322F16 = 1 and F322BF16 = 16 of the Ascend C documentation).
_PLAIN_FIXPIPE = (0, 1, 16)


def plain_fixpipe(name: str, arguments: tuple[Any, ...]) -> None:
    """Refuse a fixpipe that quantises, applies ReLU, or splits channels."""
    if arguments[2] not in _PLAIN_FIXPIPE or arguments[3] or any(arguments[4:]):
        raise CannotExecuteError(f"{name} with modes {arguments[2:]}")
