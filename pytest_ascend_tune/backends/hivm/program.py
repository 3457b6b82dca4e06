"""The words of a compiled kernel: what the optimised HIVM says, as a small program of typed instructions.

A register is a Python name (``v12``). An expression is Python text over registers and the functions ``min``, ``max``,
``div``, ``rem`` (truncating, as ``arith.divsi``), ``cdiv``, ``wrap32``: it means the same on integers and on columns.
A view at run time is a tuple (memory, first byte, sizes, strides in elements, element type).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pytest_ascend_tune.model.errors import TrialError
from pytest_ascend_tune.model.word import FailureKind

PIPES = ("S", "MTE2", "MTE1", "M", "FIX", "V", "MTE3")
ITEM_BITS = {"f16": 16, "bf16": 16, "f32": 32, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "i1": 1}


class CannotExecuteError(TrialError):
    """The compiled kernel holds something whose meaning is not known here: ``cannot be executed: NAME``."""

    kind = FailureKind.CRASH

    def __init__(self, name: str) -> None:
        super().__init__(f"cannot be executed: {name}")
        self.name = name


class ScheduleError(TrialError):
    """The compiled schedule is wrong on its own: a race, a wait that nothing ends, an address outside its memory."""

    kind = FailureKind.WRONG_RESULT


@dataclass(frozen=True)
class Scalar:
    """``out = text``."""

    out: str
    text: str


@dataclass(frozen=True)
class Pick:
    """``out = one if condition else other``; of numbers or of views."""

    out: str
    condition: str
    one: str
    other: str


@dataclass(frozen=True)
class Pointer:
    """``out`` = a contiguous view at a planned byte of an on-chip memory (``L1``, ``L0C``, ``UB``)."""

    out: str
    space: str
    byte: str
    sizes: tuple[int, ...]
    element: str


@dataclass(frozen=True)
class Reshaped:
    """``out`` = `base` from element `offset` of its buffer on (``whole``) or of the view; `sizes`, `strides`: texts.

    A stride None is the base's own times `steps`.
    """

    out: str
    base: str
    whole: bool
    offsets: tuple[str, ...]
    sizes: tuple[str, ...]
    strides: tuple[str, ...]
    element: str
    dropped: tuple[int, ...] = ()  # dimensions of size 1 that the result lacks


@dataclass(frozen=True)
class Collapsed:
    """``out`` = `base` with each group of its dimensions as one."""

    out: str
    base: str
    groups: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Expanded:
    """``out`` = `base` with each dimension as a group of dimensions of `sizes`."""

    out: str
    base: str
    groups: tuple[tuple[int, ...], ...]
    sizes: tuple[str, ...]


@dataclass(frozen=True)
class Bytes:
    """``out`` = a contiguous view at byte `shift` of the byte buffer `base` (``memref.view``)."""

    out: str
    base: str
    shift: str
    sizes: tuple[str, ...]
    element: str


@dataclass(frozen=True)
class Element:
    """One element read (``out`` set) or written (``value`` set) by the scalar unit."""

    base: str
    indices: tuple[str, ...]
    out: str | None = None
    value: str | None = None


@dataclass(frozen=True)
class Flag:
    """``set`` or ``wait`` of an event from pipe `source` to pipe `target` of the same core; `event`: text."""

    wait: bool
    source: str
    target: str
    event: str


@dataclass(frozen=True)
class Barrier:
    """What follows on `pipe` (``ALL``: on any) starts after what was before has ended."""

    pipe: str


@dataclass(frozen=True)
class BlockFlag:
    """Cross-core flag between the cube core of a block and its two vector cores; `pipe`: who sets, or who waits."""

    wait: bool
    pipe: str
    flag: str


@dataclass(frozen=True)
class Call:
    """A function of the compiler's library."""

    name: str
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class For:
    """A counted loop; `carried`: (register in the body, its first value) pairs, `yields` their next values."""

    number: int
    index: str
    low: str
    high: str
    step: str
    carried: tuple[tuple[str, str], ...]
    body: tuple[Instruction, ...]
    yields: tuple[str, ...]
    results: tuple[str, ...]


@dataclass(frozen=True)
class While:
    """``scf.while``: `before` gives the condition and what is handed on, `after` the next values."""

    carried: tuple[tuple[str, str], ...]
    before: tuple[Instruction, ...]
    condition: str
    handed: tuple[str, ...]
    received: tuple[str, ...]
    after: tuple[Instruction, ...]
    yields: tuple[str, ...]
    results: tuple[str, ...]


@dataclass(frozen=True)
class If:
    """``scf.if`` with the values that both branches yield."""

    condition: str
    then: tuple[Instruction, ...]
    otherwise: tuple[Instruction, ...]
    then_yields: tuple[str, ...]
    otherwise_yields: tuple[str, ...]
    results: tuple[str, ...]


Instruction: TypeAlias = (
    "Scalar | Pick | Pointer | Reshaped | Collapsed | Expanded | Bytes | Element "
    "| Flag | Barrier | BlockFlag | Call | For | While | If"
)


@dataclass(frozen=True)
class Argument:
    """One argument of a kernel: ``role`` is ``buffer`` (GM), ``number``, or ``workspace``, ``lock``, ``ffts``."""

    register: str
    role: str
    element: str


@dataclass(frozen=True)
class Function:
    """One half of a kernel: what a cube core (``AIC``) or a vector core (``AIV``) runs."""

    name: str
    core: str
    arguments: tuple[Argument, ...]
    body: tuple[Instruction, ...]


@dataclass(frozen=True)
class Target:
    """The chip as the compiler knows it: cores, and bytes of each on-chip memory."""

    cube_cores: int
    vector_cores: int
    ub_bytes: int
    l1_bytes: int
    l0a_bytes: int
    l0b_bytes: int
    l0c_bytes: int

    def bytes_of(self, space: str) -> int:
        """Size of ``L1``, ``L0C`` or ``UB``."""
        return {"L1": self.l1_bytes, "L0C": self.l0c_bytes, "UB": self.ub_bytes}[space]


@dataclass(frozen=True)
class Program:
    """A whole compiled kernel; ``workspace_bytes``: GM that each block gets for the exchange of its cores."""

    functions: tuple[Function, ...]
    target: Target
    workspace_bytes: int
