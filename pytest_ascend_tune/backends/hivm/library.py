"""What the compiler's library functions do, by name: which pipe, what they read and write, and the result in numpy.

The names are the compiler's: ``nd2nz_half``, ``mma_tile_half_to_float_ta``, ``vadd_2d_float``, ``vmuls_vs_1d_float``
(v, operation, kinds of operands, rank, type). A name that is not here cannot be executed, and is said.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pytest_ascend_tune.backends.hivm.program import CannotExecuteError
from pytest_ascend_tune.backends.hivm.views import View, array_of, to_bfloat16, to_float32

Compute = Callable[..., None]


@dataclass(frozen=True)
class Operation:
    """One library function. ``kind``: ``load``, ``fill``, ``mma``, ``fixpipe``, ``vector`` or ``store``.

    ``reads`` and ``writes`` are positions of arguments; ``compute`` is called with all of them.
    """

    name: str
    kind: str
    pipe: str
    reads: tuple[int, ...]
    writes: tuple[int, ...]
    compute: Compute
    transposed: tuple[bool, bool] = (False, False)  # of an mma: A, B
    biased: bool = False  # an mma that starts with a row of L1 instead of zeros


def operation(name: str) -> Operation:
    """The function of a name. Raises CannotExecuteError when it is not known."""
    for pattern, make in _TABLE:
        found = re.fullmatch(pattern, name)
        if found is not None:
            return make(name, found)
    raise CannotExecuteError(name)


def values(view: View) -> Any:
    """Elements as numpy can compute with them: bfloat16 as float32."""
    array = array_of(view)
    return to_float32(array) if view[4] == "bf16" else array


def put(view: View, result: Any) -> None:
    """Write `result`, converted to the element type of `view`."""
    array = array_of(view)
    array[...] = to_bfloat16(result) if view[4] == "bf16" else result


# --- cube ------------------------------------------------------------------------------------------------------------


def _nd2nz(source: View, target: View, *_rest: Any) -> None:
    """Rows of GM into fractals of 16 rows of 32 bytes; what lacks of the last fractal is filled with zeros."""
    rows = array_of(source)
    fractals = array_of(target)  # (columns / c0, rows / 16, 16, c0)
    height, width = fractals.shape[1] * 16, fractals.shape[0] * fractals.shape[3]
    if rows.shape != (height, width):
        padded = np.zeros((height, width), rows.dtype)
        padded[: rows.shape[0], : rows.shape[1]] = rows
        rows = padded
    fractals[...] = rows.reshape(fractals.shape[1], 16, fractals.shape[0], -1).transpose(2, 0, 1, 3)


def _fill(value: Any, target: View) -> None:
    put(target, np.float32(value) if target[4] == "bf16" else value)


def flat(view: View) -> Any:
    """A matrix out of fractals: (rows, columns)."""
    fractals = values(view)
    columns, rows, height, width = fractals.shape
    return fractals.transpose(1, 2, 0, 3).reshape(rows * height, columns * width)


def split_mma(known: Operation, arguments: tuple[Any, ...]) -> tuple[View | None, tuple[Any, ...]]:
    """The bias of an mma (None without) and the arguments that every mma has."""
    return (arguments[6], arguments[:6] + arguments[7:]) if known.biased else (None, arguments)


def _mma(transposed: tuple[bool, bool]) -> Compute:
    def compute(a: View, b: View, first: int, m: int, k: int, n: int, c: View, bias: View | None) -> None:
        exact = a[4] == "i8"  # float64 holds every sum of int8 products
        one, other = (flat(view).astype(np.float64 if exact else np.float32, copy=False) for view in (a, b))
        one, other = one.T if transposed[0] else one, other.T if transposed[1] else other
        product = one[:m, :k] @ other[:k, :n]
        if first and bias is not None:
            product += values(bias).reshape(-1)[:n]
        columns, rows = (n + 15) // 16, (m + 15) // 16
        padded = np.zeros((rows * 16, columns * 16), product.dtype)
        padded[:m, :n] = product
        blocks = padded.reshape(rows, 16, columns, 16).transpose(2, 0, 1, 3)
        target = array_of(c)[:columns, :rows]
        if first:
            target[...] = blocks
        else:
            target += blocks.astype(target.dtype)

    return compute


def _fixpipe(source: View, target: View, *_rest: Any) -> None:
    height, width = target[2]
    put(target, flat(source)[:height, :width])


def _mma_operation(name: str, found: re.Match[str]) -> Operation:
    transposed = bool(found["ta"]), bool(found["tb"])
    return Operation(name, "mma", "M", (0, 1), (6,), _mma(transposed), transposed, bool(found["bias"]))


# --- vector ----------------------------------------------------------------------------------------------------------

_BINARY: dict[str, Any] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "max": np.maximum,
    "min": np.minimum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
}
_UNARY: dict[str, Any] = {
    "exp": np.exp,
    "ln": np.log,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "rec": lambda x: 1 / x,
    "abs": np.abs,
    "relu": lambda x: np.maximum(x, 0),
    "tanh": np.tanh,
    "not": np.bitwise_not,
}
_COMPARE: dict[str, Any] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}


def _scalar(kind: str, value: Any) -> Any:
    """A scalar operand in the precision of the vector."""
    return np.float32(value) if kind in ("float", "bfloat16_t") else np.float16(value) if kind == "half" else value


def _binary(name: str, found: re.Match[str]) -> Operation:
    compute = _BINARY[found["op"]]
    kinds, kind = found["kinds"] or "vv", found["type"]

    def run(one: Any, other: Any, target: View, *_rest: Any) -> None:
        with np.errstate(all="ignore"):
            left = values(one) if kinds[0] == "v" else _scalar(kind, one)
            right = values(other) if kinds[1] == "v" else _scalar(kind, other)
            put(target, compute(left, right))

    return Operation(name, "vector", "V", tuple(i for i in (0, 1) if kinds[i] == "v"), (2,), run)


def _unary(name: str, found: re.Match[str]) -> Operation:
    compute = _UNARY[found["op"]]

    def run(source: View, target: View, *_rest: Any) -> None:
        with np.errstate(all="ignore"):
            put(target, compute(values(source)))

    return Operation(name, "vector", "V", (0,), (1,), run)


def _compare(name: str, found: re.Match[str]) -> Operation:
    compute, kinds, kind = _COMPARE[found["op"]], found["kinds"] or "vv", found["type"]

    def run(one: View, other: Any, target: View, *_rest: Any) -> None:
        right = values(other) if kinds[1] == "v" else _scalar(kind, other)
        bits = np.packbits(compute(values(one), right), bitorder="little")
        array_of(target)[: len(bits)] = bits

    return Operation(name, "vector", "V", (0, 1) if kinds == "vv" else (0,), (2,), run)


def _select(name: str, found: re.Match[str]) -> Operation:
    kinds, kind = found["kinds"], found["type"]

    def run(mask: View, one: Any, other: Any, target: View, *_rest: Any) -> None:
        chosen = np.unpackbits(array_of(mask), count=mask[2][0], bitorder="little").astype(bool)
        left = values(one) if kinds[0] == "v" else _scalar(kind, one)
        right = values(other) if kinds[1] == "v" else _scalar(kind, other)
        put(target, np.where(chosen, left, right))

    vectors = tuple(i + 1 for i in (0, 1) if kinds[i] == "v")
    return Operation(name, "vector", "V", (0, *vectors), (3,), run)


# Rounding modes of the compiler's vcast: rint, floor, ceil, round (away from zero), trunc.
_ROUNDINGS: tuple[Any, ...] = (
    np.rint,
    np.rint,
    np.floor,
    np.ceil,
    lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x),
    np.trunc,
)


def _cast(name: str, found: re.Match[str]) -> Operation:
    to_integer = found["to"].startswith(("int", "uint"))
    from_float = found["from"] in ("float", "half", "bfloat16_t")

    def run(source: View, target: View, mode: int = 0, *_rest: Any) -> None:
        with np.errstate(all="ignore"):
            data = values(source)
            if to_integer:
                limits = np.iinfo(array_of(target).dtype)
                data = np.clip(_ROUNDINGS[mode](data) if from_float else data, limits.min, limits.max)
            elif mode not in (0, 1):
                raise CannotExecuteError(f"{name} with rounding mode {mode}")
            put(target, data)

    return Operation(name, "vector", "V", (0,), (1,), run)


def _broadcast(name: str, _found: re.Match[str]) -> Operation:
    return Operation(name, "vector", "V", (), (1,), _fill)


def _broadcast_axis(name: str, _found: re.Match[str]) -> Operation:
    def run(source: View, target: View, *_rest: Any) -> None:
        put(target, np.broadcast_to(values(source), target[2]))

    return Operation(name, "vector", "V", (0,), (1,), run)


def _arange(name: str, _found: re.Match[str]) -> Operation:
    def run(target: View, first: int, step: int, *_rest: Any) -> None:
        put(target, first + step * np.arange(target[2][0]))

    return Operation(name, "vector", "V", (), (0,), run)


def _copy(source: View, target: View, *_rest: Any) -> None:
    if source[2] != target[2]:
        raise CannotExecuteError(f"a copy from {source[2]} to {target[2]} elements")
    array_of(target)[...] = array_of(source)


def _copying(kind: str, pipe: str) -> Callable[[str, re.Match[str]], Operation]:
    return lambda name, _found: Operation(name, kind, pipe, (0,), (1,), _copy)


_T = r"(?P<type>half|float|bfloat16_t|u?int(?:8|16|32|64)_t|bool)"
_KINDS = r"(?:_(?P<kinds>vv|vs|sv))?"
_TABLE: tuple[tuple[str, Callable[[str, re.Match[str]], Operation]], ...] = (
    (rf"nd2nz_{_T}", lambda name, _: Operation(name, "load", "MTE2", (0,), (1,), _nd2nz)),
    (rf"set_l1_2d_{_T}", lambda name, _: Operation(name, "fill", "MTE2", (), (1,), _fill)),
    (rf"mma_tile(?P<bias>_with_float_bias)?_{_T}_to_\w+?(?P<ta>_ta)?(?P<tb>_tb)?", _mma_operation),
    (rf"fixpipe_nz2nd_{_T}_to_\w+_4d_to_2d", lambda name, _: Operation(name, "fixpipe", "FIX", (0,), (1,), _fixpipe)),
    (rf"load_gm_to_(?:ubuf|cbuf)_[1-3]d_{_T}", _copying("load", "MTE2")),
    (rf"store_ubuf_to_gm_[1-3]d_{_T}", _copying("store", "MTE3")),
    (rf"copy_ubuf_to_ubuf_[1-3]d_{_T}", _copying("vector", "V")),
    (rf"broadcast_scalar_{_T}_to_[1-3]d", _broadcast),
    (rf"broadcast_(?:first|middle|last)_axis\w*_[1-3]d_{_T}", _broadcast_axis),
    (rf"arange_1d_{_T}", _arange),
    (rf"v(?P<op>add|sub|mul|div|max|min|and|or)s?{_KINDS}_[1-3]d_{_T}", _binary),
    (rf"v(?P<op>exp|ln|sqrt|rsqrt|rec|abs|relu|tanh|not)_[1-3]d_{_T}", _unary),
    (rf"vcmps?_(?P<op>eq|ne|lt|le|gt|ge){_KINDS}_1d_{_T}", _compare),
    (rf"vsel_(?P<kinds>vv|vs|sv)_1d(?:_bool)?_{_T}", _select),
    (r"vcast_(?P<from>\w+?)_to_(?P<to>half|float|bfloat16_t|int(?:8|16|32|64)_t)_[1-3]d(?:_with_\w+)?", _cast),
)
